//! Making arrays.

use super::layout::Layout;
use super::meta::{self, Dtype, NdMeta};
use super::slice;
use crate::base::params::{CParams, DParams};
use crate::base::{CBuf, Error, ErrorKind, Result};
use crate::chunk::{self, Special};
use crate::schunk::{Storage, SuperChunk};
use std::sync::Arc;

/// What an array is to be: its shapes, what its items are, and where its chunks go.
#[derive(Clone, Debug, Default)]
pub struct Blueprint {
    /// Where the chunks go and how they are compressed. Bytes per item are `storage.cparams.typesize`; the size of blocks
    /// follows from their shape.
    pub storage: Storage,
    /// Items along each dimension, 16 of them at most.
    pub shape: Vec<i64>,
    /// Items along each dimension of a chunk.
    pub chunkshape: Vec<i32>,
    /// Items along each dimension of a block.
    pub blockshape: Vec<i32>,
    /// What an item is; without one, `|S` and the bytes per item.
    pub dtype: Option<Dtype>,
    /// Further metalayers, by name.
    pub metalayers: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Blueprint {
    /// An array in memory of items of `typesize` bytes, compressed with default parameters.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let array = NdArray::zeros(&Blueprint::new(4, &[100, 30], &[50, 30], &[10, 15]))?;
    /// assert_eq!(array.layout().nchunks(), 2);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn new(typesize: i32, shape: &[i64], chunkshape: &[i32], blockshape: &[i32]) -> Self {
        Blueprint {
            storage: Storage { cparams: CParams::of_items(typesize), ..Storage::default() },
            shape: shape.to_vec(),
            chunkshape: chunkshape.to_vec(),
            blockshape: blockshape.to_vec(),
            ..Blueprint::default()
        }
    }

    /// The layout of such an array.
    ///
    /// # Errors
    /// As [`Layout::new`] and [`Layout::check_chunk`].
    pub fn layout(&self) -> Result<Layout> {
        let typesize = self.storage.cparams.typesize;
        let layout = Layout::new(&self.shape, &self.chunkshape, &self.blockshape, typesize)?;
        layout.check_chunk()?;
        Ok(layout)
    }

    /// What an item is.
    pub fn dtype(&self) -> Dtype {
        self.dtype.clone().unwrap_or_else(|| Dtype::of_bytes(self.storage.cparams.typesize))
    }

    /// An array whose chunks are not there yet.
    pub(crate) fn bare(&self) -> Result<(SuperChunk, Layout)> {
        let layout = self.layout()?;
        let nd = Some(Arc::new(layout.nd_shape()));
        let Storage { cparams, dparams, .. } = &self.storage;
        let storage = Storage {
            cparams: CParams {
                blocksize: layout.block_nbytes() as i32,
                nd: nd.clone(),
                in_schunk: true,
                ..cparams.clone()
            },
            dparams: DParams { typesize: layout.typesize(), nd, in_schunk: true, ..dparams.clone() },
            ..self.storage.clone()
        };
        let bytes = NdMeta::of(&layout, Some(&self.dtype())).serialize()?;
        let mut schunk = SuperChunk::new(storage)?;
        schunk.set_chunksize(layout.chunk_nbytes() as i32);
        // The C library has no better word for a metalayer that is refused here.
        let add = |schunk: &mut SuperChunk, name: &[u8], bytes: &[u8]| {
            schunk.meta_add(name, bytes).map_err(|e: Error| e.as_kind(ErrorKind::Failure))
        };
        add(&mut schunk, meta::NAME.as_bytes(), &bytes)?;
        for (name, content) in &self.metalayers {
            add(&mut schunk, name, content)?;
        }
        Ok((schunk, layout))
    }

    fn special(&self, special: Special) -> Result<(SuperChunk, Layout)> {
        let (mut schunk, layout) = self.bare()?;
        let Some(nitems) = layout.nchunks().checked_mul(layout.extchunknitems()) else {
            crate::fail!(Failure, "{} chunks are too many", layout.nchunks());
        };
        schunk
            .fill_special(nitems, special, layout.chunk_nbytes() as i32)
            .map_err(|e| e.as_kind(ErrorKind::Failure))?;
        Ok((schunk, layout))
    }

    /// An array that was never written. It reads as zeros.
    ///
    /// # Errors
    /// As [`Layout::new`] and [`SuperChunk::new`]; `Failure` when there are too many chunks or a metalayer is refused.
    pub fn uninit(&self) -> Result<(SuperChunk, Layout)> {
        self.special(Special::Uninit)
    }

    /// An array of zeros.
    ///
    /// # Errors
    /// As [`Blueprint::uninit`].
    pub fn zeros(&self) -> Result<(SuperChunk, Layout)> {
        self.special(Special::Zeros)
    }

    /// An array of NaN.
    ///
    /// # Errors
    /// `Data` unless items have 4 or 8 bytes; otherwise as [`Blueprint::uninit`].
    pub fn nans(&self) -> Result<(SuperChunk, Layout)> {
        let typesize = self.storage.cparams.typesize;
        if typesize != 4 && typesize != 8 {
            crate::fail!(Data, "NaN of {typesize} bytes");
        }
        self.special(Special::Nans)
    }

    /// An array of one value.
    ///
    /// # Errors
    /// `InvalidParam` when `value` is not one item; otherwise as [`Blueprint::uninit`].
    pub fn full(&self, value: &[u8]) -> Result<(SuperChunk, Layout)> {
        if i32::try_from(value.len()) != Ok(self.storage.cparams.typesize) {
            let typesize = self.storage.cparams.typesize;
            crate::fail!(InvalidParam, "a value of {} bytes for items of {typesize}", value.len());
        }
        if value.iter().all(|&byte| byte == 0) {
            return self.zeros();
        }
        let (mut schunk, layout) = self.bare()?;
        if layout.nchunks() > 0 {
            let chunk = chunk::special_chunk(schunk.cparams(), Special::Value, value, layout.chunk_nbytes())?;
            in_bulk(&mut schunk, |schunk| {
                (0..layout.nchunks()).try_for_each(|_| schunk.append_chunk(CBuf::copy_of(&chunk)?).map(drop))
            })?;
        }
        Ok((schunk, layout))
    }

    /// An array of the items at the front of a row-major buffer.
    ///
    /// # Errors
    /// `InvalidParam` when the buffer has fewer items than the array; what compressing and storing report; otherwise as
    /// [`Blueprint::uninit`].
    pub fn from_buffer(&self, buffer: &[u8]) -> Result<(SuperChunk, Layout)> {
        let nbytes = self.layout()?.nbytes();
        if usize::try_from(nbytes).map_or(true, |nbytes| buffer.len() < nbytes) {
            crate::fail!(InvalidParam, "{} bytes for an array of {nbytes}", buffer.len());
        }
        let (mut schunk, layout) = self.bare()?;
        in_bulk(&mut schunk, |schunk| slice::fill(schunk, &layout, buffer))?;
        Ok((schunk, layout))
    }
}

/// Adds many chunks; what describes them is written once, at the end.
pub(crate) fn in_bulk(
    schunk: &mut SuperChunk,
    work: impl FnOnce(&mut SuperChunk) -> Result<()>,
) -> Result<()> {
    schunk.start_bulk();
    let done = work(schunk);
    schunk.end_bulk().and(done)
}
