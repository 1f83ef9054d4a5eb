//! ZFP: lossy compression of blocks of floating-point arrays, in three modes.
//!
//! What the codec parameter means depends on the mode: a power of ten that bounds the absolute error, how many bits of
//! precision to keep, or how many hundredths of its size a block takes. A block is compressed as the array of one to four
//! dimensions that it is. [`Task`] says what to do; `wrap` does it with the library that `zfp-sys` builds, where the
//! feature `zfp` is on.

#[cfg(feature = "zfp")]
mod wrap;
#[cfg(feature = "zfp")]
pub use wrap::State;

use super::{StreamParams, ZFP_FIXED_ACCURACY, ZFP_FIXED_PRECISION, ZFP_FIXED_RATE};
use crate::base::Result;
use crate::base::params::NdShape;
use crate::fail;
use std::ops::Range;

/// Most dimensions of a block.
const MAX_DIM: usize = 4;
/// Items along a cell's side.
const SIDE: usize = 4;
/// Most items of a cell.
#[cfg(feature = "zfp")]
const MAX_CELL: usize = SIDE.pow(MAX_DIM as u32);
/// The finest precision, in bits.
const MAX_PRECISION: u32 = 64;
/// More items than that are got by decompressing the block.
const FEW: usize = 64;

/// Nothing: without the feature, no thread keeps anything for ZFP.
#[cfg(not(feature = "zfp"))]
#[derive(Default)]
pub struct State;

/// What the values are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scalar {
    Float,
    Double,
}

/// What limits the size of what is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    /// The largest absolute error.
    Accuracy(f64),
    /// Bits of precision.
    Precision(u32),
    /// Bits per value.
    Rate(f64),
}

/// A block and how it is compressed: checked, so that the library can be told.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Task {
    scalar: Scalar,
    mode: Mode,
    ndim: usize,
    /// Items along each dimension, slowest first; 1 behind the last.
    extents: [usize; MAX_DIM],
}

impl Task {
    fn of(p: &StreamParams) -> Result<Task> {
        let extents = block_extents(p.nd)?;
        let scalar = match p.typesize {
            4 => Scalar::Float,
            8 => Scalar::Double,
            other => fail!(Data, "ZFP compresses items of 4 and 8 bytes, not of {other}"),
        };
        let ndim = extents.len();
        let mode = match p.codec {
            // ZFP takes no more of it than its exponent, which `powi` has right; `powf` would be all that a build without ZFP
            // needs libm for.
            ZFP_FIXED_ACCURACY => Mode::Accuracy(10f64.powi(i32::from(p.meta as i8))),
            ZFP_FIXED_PRECISION => {
                // More dimensions need more bits for the same error.
                Mode::Precision((u32::from(p.meta) + 3 + 2 * ndim as u32).min(MAX_PRECISION))
            }
            ZFP_FIXED_RATE => Mode::Rate(f64::from(p.meta) / 100.0 * f64::from(p.typesize) * 8.0),
            other => fail!(CodecSupport, "codec {other} is not ZFP"),
        };
        let mut all = [1; MAX_DIM];
        for (slot, &extent) in all.iter_mut().zip(extents) {
            *slot = extent as usize;
        }
        Ok(Task { scalar, mode, ndim, extents: all })
    }

    /// Bytes per item.
    fn typesize(&self) -> usize {
        match self.scalar {
            Scalar::Float => 4,
            Scalar::Double => 8,
        }
    }

    /// Bytes of the block, if there can be so many.
    fn nbytes(&self) -> Option<usize> {
        self.extents.iter().try_fold(self.typesize(), |product, &extent| product.checked_mul(extent))
    }

    /// The cell that item `n` of the block belongs to, and its place in that cell.
    #[cfg(any(feature = "zfp", test))]
    fn locate(&self, mut n: usize) -> (usize, usize) {
        let (mut cell, mut place) = (0, 0);
        let (mut cells, mut places) = (1, 1);
        for &extent in self.extents[..self.ndim].iter().rev() {
            let at = n % extent;
            n /= extent;
            cell += at / SIDE * cells;
            place += at % SIDE * places;
            cells *= extent.div_ceil(SIDE);
            places *= SIDE;
        }
        (cell, place)
    }
}

/// Items along each dimension of a block: one to four dimensions, each with items.
fn block_extents(nd: Option<&NdShape>) -> Result<&[i32]> {
    let Some(nd) = nd else { fail!(Data, "ZFP compresses blocks of arrays only") };
    let extents = nd.blockshape.as_slice();
    if extents.is_empty() || extents.len() > MAX_DIM || extents.iter().any(|&extent| extent <= 0) {
        fail!(Data, "ZFP compresses blocks of 1 to {MAX_DIM} dimensions, not {extents:?}");
    }
    Ok(extents)
}

/// Compresses the block `src` into `dst` and tells how many bytes that took; 0 when it would not be fewer, and for what is
/// not a whole block.
///
/// # Errors
/// `Data` for what ZFP cannot compress: items of other sizes than 4 and 8 bytes, blocks that are not of an array, have
/// more than four dimensions or fewer than four items along one. `CodecSupport` without the feature `zfp`.
pub fn compress(p: &StreamParams, st: &mut State, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    let extents = block_extents(p.nd)?;
    if extents.iter().any(|&extent| extent < SIDE as i32) {
        fail!(Data, "ZFP wants {SIDE} items along each dimension of a block, not {extents:?}");
    }
    let task = Task::of(p)?;
    if task.nbytes() != Some(src.len()) {
        return Ok(0);
    }
    st.compress(&task, src, dst)
}

/// Decompresses the block `src` into `dst`, and tells how many bytes were written: all.
///
/// # Errors
/// `Data` when `dst` is not a block of the array or `src` says nothing; `CodecSupport` without the feature `zfp`.
pub fn decompress(p: &StreamParams, st: &mut State, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    let task = Task::of(p)?;
    if task.nbytes() != Some(dst.len()) {
        fail!(Data, "a block of {:?} items does not have {} bytes", task.extents, dst.len());
    }
    st.decompress(&task, src, dst)?;
    Ok(dst.len())
}

/// Decompresses a few items of the block `src` into `dst`, cell by cell, where the mode allows it: with a fixed rate.
/// False, and nothing done, where it does not or where the items are not few.
///
/// # Errors
/// `Data` when the block or `src` has no such items or `dst` has not their size; `CodecSupport` without the feature `zfp`.
pub fn decompress_items(
    p: &StreamParams,
    st: &mut State,
    src: &[u8],
    items: Range<usize>,
    dst: &mut [u8],
) -> Result<bool> {
    if p.codec != ZFP_FIXED_RATE || items.len() > FEW {
        return Ok(false);
    }
    let task = Task::of(p)?;
    let typesize = task.typesize();
    let inside = task.nbytes().is_some_and(|nbytes| items.end <= nbytes / typesize);
    if !inside || dst.len() != items.len() * typesize {
        fail!(Data, "a block of {:?} items has no items {items:?} of {} bytes", task.extents, dst.len());
    }
    st.items(&task, src, items, dst)?;
    Ok(true)
}

#[cfg(not(feature = "zfp"))]
impl State {
    fn missing<T>(&self) -> Result<T> {
        fail!(CodecSupport, "ZFP (codecs 33 to 35) is not in this build: it needs the feature `zfp`")
    }

    fn compress(&mut self, _: &Task, _: &[u8], _: &mut [u8]) -> Result<usize> {
        self.missing()
    }

    fn decompress(&mut self, _: &Task, _: &[u8], _: &mut [u8]) -> Result<()> {
        self.missing()
    }

    fn items(&mut self, _: &Task, _: &[u8], _: Range<usize>, _: &mut [u8]) -> Result<()> {
        self.missing()
    }
}

#[cfg(test)]
mod tests;
