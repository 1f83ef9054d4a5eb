//! The metalayer that makes a super-chunk an array: `b2nd`, and its ancestor `caterva`.
//!
//! Both are msgpack. What we write is byte for byte what the C library writes; what we read may use any legal encoding
//! of the same values, and the one illegal one that the C library itself writes: with 16 dimensions its array marker
//! comes out as 0xa0, which msgpack calls an empty string.

use super::layout::Layout;
use crate::base::consts::MAX_DIM;
use crate::base::strided::Coords;
use crate::base::{CBuf, Error, ErrorKind, Result};
use rmp::decode;

/// The name of the metalayer.
pub const NAME: &str = "b2nd";
/// The name of the metalayer of Caterva, which had no dtype.
pub const CATERVA_NAME: &str = "caterva";
/// The version of the metalayer that we write.
pub const VERSION: u8 = 0;
/// The dtype of an array that was given none, where the C library writes one.
pub const DEFAULT_DTYPE: &[u8] = b"|u1";
/// The dtype format that means a NumPy dtype string.
pub const NUMPY_FORMAT: i8 = 0;

/// What an item is, in words for other programs: the engine itself never looks into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dtype {
    format: i8,
    text: Vec<u8>,
}

impl Dtype {
    /// A dtype; `format` 0 is NumPy's notation.
    ///
    /// # Errors
    /// `Failure` for a negative format.
    pub fn new(text: impl Into<Vec<u8>>, format: i8) -> Result<Self> {
        if format < 0 {
            crate::fail!(Failure, "dtype format {format}");
        }
        Ok(Dtype { format, text: text.into() })
    }

    /// `typesize` bytes of no known meaning: `|S` and their number.
    pub fn of_bytes(typesize: i32) -> Self {
        Dtype { format: NUMPY_FORMAT, text: format!("|S{typesize}").into_bytes() }
    }

    /// The dtype's text, which need not be UTF-8.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Which notation the text uses; 0 is NumPy's.
    pub fn format(&self) -> i8 {
        self.format
    }
}

/// The contents of the metalayer: up to 16 dimensions, nothing else validated. [`Layout::new`] decides whether the
/// shapes can be those of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NdMeta {
    ndim: usize,
    shape: Coords,
    chunkshape: [i32; MAX_DIM],
    blockshape: [i32; MAX_DIM],
    dtype: Option<Dtype>,
}

impl NdMeta {
    /// The metalayer of an array.
    pub fn of(layout: &Layout, dtype: Option<&Dtype>) -> Self {
        let mut meta = NdMeta { ndim: layout.ndim(), dtype: dtype.cloned(), ..NdMeta::empty() };
        meta.shape[..meta.ndim].copy_from_slice(layout.shape());
        meta.chunkshape[..meta.ndim].copy_from_slice(layout.chunkshape());
        meta.blockshape[..meta.ndim].copy_from_slice(layout.blockshape());
        meta
    }

    fn empty() -> Self {
        NdMeta {
            ndim: 0,
            shape: [1; MAX_DIM],
            chunkshape: [1; MAX_DIM],
            blockshape: [1; MAX_DIM],
            dtype: None,
        }
    }

    /// Any shapes of the same number of dimensions, sensible or not: what C callers may serialise.
    ///
    /// # Errors
    /// `InvalidParam` when the numbers of dimensions differ or are more than 16.
    pub fn new(shape: &[i64], chunkshape: &[i32], blockshape: &[i32], dtype: Option<Dtype>) -> Result<Self> {
        let ndim = shape.len();
        if ndim > MAX_DIM || chunkshape.len() != ndim || blockshape.len() != ndim {
            crate::fail!(InvalidParam, "a metalayer for {ndim} dimensions");
        }
        let mut meta = NdMeta { ndim, dtype, ..NdMeta::empty() };
        meta.shape[..ndim].copy_from_slice(shape);
        meta.chunkshape[..ndim].copy_from_slice(chunkshape);
        meta.blockshape[..ndim].copy_from_slice(blockshape);
        Ok(meta)
    }

    /// Items along each dimension.
    pub fn shape(&self) -> &[i64] {
        &self.shape[..self.ndim]
    }

    /// Items along each dimension of a chunk.
    pub fn chunkshape(&self) -> &[i32] {
        &self.chunkshape[..self.ndim]
    }

    /// Items along each dimension of a block.
    pub fn blockshape(&self) -> &[i32] {
        &self.blockshape[..self.ndim]
    }

    /// The dtype; Caterva's arrays have none.
    pub fn dtype(&self) -> Option<&Dtype> {
        self.dtype.as_ref()
    }

    /// The layout of the array, for items of `typesize` bytes.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn layout(&self, typesize: i32) -> Result<Layout> {
        Layout::new(self.shape(), self.chunkshape(), self.blockshape(), typesize)
    }

    /// The metalayer's bytes. An array without a dtype gets `|u1`, as the C library gives it.
    ///
    /// # Errors
    /// `Failure` when the dtype is longer than 2 GB; `MemoryAlloc`.
    pub fn serialize(&self) -> Result<CBuf> {
        let (format, text) =
            self.dtype.as_ref().map_or((NUMPY_FORMAT, DEFAULT_DTYPE), |dtype| (dtype.format, &dtype.text));
        let Ok(text_len) = i32::try_from(text.len()) else {
            crate::fail!(Failure, "a dtype of {} bytes", text.len());
        };
        // Every number has its full width, so that a resize never changes the length.
        let mut out = Vec::with_capacity(12 + 19 * self.ndim + text.len());
        out.extend([0x97, VERSION, self.ndim as u8]);
        let array = 0x90 + self.ndim as u8; // 16 makes it 0xa0, and so the C library has it
        out.push(array);
        self.shape().iter().for_each(|n| number(&mut out, 0xd3, &n.to_be_bytes()));
        for shape in [self.chunkshape(), self.blockshape()] {
            out.push(array);
            shape.iter().for_each(|n| number(&mut out, 0xd2, &n.to_be_bytes()));
        }
        out.push(format as u8);
        number(&mut out, 0xdb, &text_len.to_be_bytes());
        out.extend_from_slice(text);
        CBuf::copy_of(&out)
    }

    /// Reads the bytes of a `b2nd` or a `caterva` metalayer. Bytes after it are not looked at.
    ///
    /// # Errors
    /// `Failure` for anything but such a metalayer of up to 16 dimensions.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Ok(Self::parse_counted(bytes)?.0)
    }

    /// Like [`NdMeta::parse`], with the number of bytes that the metalayer takes.
    ///
    /// # Errors
    /// As [`NdMeta::parse`].
    pub fn parse_counted(bytes: &[u8]) -> Result<(Self, usize)> {
        let mut rest = bytes;
        let r = &mut rest;
        let entries = decode::read_array_len(r).map_err(|e| bad("the array", e))?;
        if entries < 5 {
            crate::fail!(Failure, "a metalayer of {entries} entries is not an array's");
        }
        integer(r, "version")?;
        let ndim = integer(r, "ndim")?;
        let Some(ndim) = usize::try_from(ndim).ok().filter(|&ndim| ndim <= MAX_DIM) else {
            crate::fail!(Failure, "{ndim} dimensions");
        };
        let mut meta = NdMeta { ndim, ..NdMeta::empty() };
        read_shape(r, "shape", &mut meta.shape[..ndim])?;
        read_shape(r, "chunkshape", &mut meta.chunkshape[..ndim])?;
        read_shape(r, "blockshape", &mut meta.blockshape[..ndim])?;
        if !r.is_empty() {
            meta.dtype = Some(read_dtype(r)?);
        }
        Ok((meta, bytes.len() - rest.len()))
    }
}

fn number(out: &mut Vec<u8>, marker: u8, be_bytes: &[u8]) {
    out.push(marker);
    out.extend_from_slice(be_bytes);
}

fn bad(what: &str, why: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Failure, format!("{what} of the metalayer: {why}"))
}

fn integer(r: &mut &[u8], what: &str) -> Result<i64> {
    decode::read_int(r).map_err(|e| bad(what, e))
}

/// Fills `shape` from an array of just as many integers.
fn read_shape<T: TryFrom<i64>>(r: &mut &[u8], what: &str, shape: &mut [T]) -> Result<()> {
    if shape.len() == MAX_DIM && r.first() == Some(&0xa0) {
        *r = &r[1..];
    } else {
        let len = decode::read_array_len(r).map_err(|e| bad(what, e))?;
        if len as usize != shape.len() {
            crate::fail!(Failure, "{what} of {len} dimensions, not {}", shape.len());
        }
    }
    for n in shape {
        let value = integer(r, what)?;
        *n = T::try_from(value).map_err(|_| bad(what, format!("{value} is too large")))?;
    }
    Ok(())
}

fn read_dtype(r: &mut &[u8]) -> Result<Dtype> {
    let format = integer(r, "dtype format")?;
    let format = i8::try_from(format).map_err(|e| bad("dtype format", e))?;
    let len = decode::read_str_len(r).map_err(|e| bad("dtype", e))?;
    let Some((text, rest)) = r.split_at_checked(len as usize) else {
        crate::fail!(Failure, "a dtype of {len} bytes, {} left", r.len());
    };
    *r = rest;
    Dtype::new(text, format)
}

#[cfg(test)]
mod tests;
