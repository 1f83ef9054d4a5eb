//! The layout of an array: its shapes, validated, and everything that follows from them.

use crate::base::consts::{MAX_BUFFERSIZE, MAX_DIM};
use crate::base::params::NdShape;
use crate::base::strided::Coords;
use crate::base::{Error, ErrorKind, Result};

/// What an array's items, chunks and blocks look like. Its numbers agree with each other and no product of them that
/// this module's users need overflows.
///
/// Chunks are padded to whole blocks ("extchunk"), the array is padded to whole chunks ("ext"). An axis of length 0 may
/// have chunks of length 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    ndim: usize,
    typesize: i32,
    shape: Coords,
    chunkshape: [i32; MAX_DIM],
    blockshape: [i32; MAX_DIM],
    extshape: Coords,
    extchunkshape: Coords,
    nitems: i64,
    chunknitems: i32,
    extnitems: i64,
    blocknitems: i32,
    extchunknitems: i64,
}

/// How far apart, in items, the neighbours along each dimension are, as `b2nd_array_t` shows it.
///
/// An axis that is empty makes the strides of the axes before it 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strides {
    /// Items in the array.
    pub item_array: Coords,
    /// Items in a chunk.
    pub item_chunk: Coords,
    /// Items in a padded chunk.
    pub item_extchunk: Coords,
    /// Items in a block.
    pub item_block: Coords,
    /// Blocks in a padded chunk.
    pub block_chunk: Coords,
    /// What the C library calls the stride of chunks in the array: products of padded shape times chunk shape. No use
    /// for addressing is known; it is here because the C structure has it.
    pub chunk_array: Coords,
}

impl Layout {
    /// A layout for items of `typesize` bytes. The three shapes have the same number of dimensions, 16 at most.
    ///
    /// # Errors
    /// `InvalidParam` for a negative length, a chunk or block of no items along an axis that has some, a number of items
    /// that overflows, and a typesize below 1. Chunks larger than any chunk can be are [`Layout::check_chunk`]'s business:
    /// the C library opens such arrays.
    pub fn new(shape: &[i64], chunkshape: &[i32], blockshape: &[i32], typesize: i32) -> Result<Self> {
        let ndim = shape.len();
        if ndim > MAX_DIM || chunkshape.len() != ndim || blockshape.len() != ndim {
            let (c, b) = (chunkshape.len(), blockshape.len());
            crate::fail!(InvalidParam, "shapes of {ndim}, {c} and {b} dimensions");
        }
        let mut layout = Layout {
            ndim,
            typesize,
            shape: [1; MAX_DIM],
            chunkshape: [1; MAX_DIM],
            blockshape: [1; MAX_DIM],
            extshape: [1; MAX_DIM],
            extchunkshape: [1; MAX_DIM],
            nitems: 1,
            chunknitems: 1,
            extnitems: 1,
            blocknitems: 1,
            extchunknitems: 1,
        };
        for dim in 0..ndim {
            layout.set_axis(dim, shape[dim], chunkshape[dim], blockshape[dim])?;
        }
        layout.count().ok_or_else(|| {
            let what = format!("the items of {shape:?} in chunks of {chunkshape:?} cannot be counted");
            Error::new(ErrorKind::InvalidParam, what)
        })?;
        layout.check_bytes()?;
        Ok(layout)
    }

    fn set_axis(&mut self, dim: usize, n: i64, chunk: i32, block: i32) -> Result<()> {
        check_axis(dim, n, chunk, block)?;
        if n != 0 && chunk == 0 {
            crate::fail!(InvalidParam, "axis {dim} has {n} items, but chunks of none");
        }
        self.shape[dim] = n;
        self.chunkshape[dim] = chunk;
        self.blockshape[dim] = block;
        let padded = |n: i64, to: i32| match n.checked_rem(i64::from(to)) {
            None | Some(0) => Some(n),
            Some(rest) => n.checked_add(i64::from(to) - rest),
        };
        let Some(ext) = padded(n, chunk) else {
            crate::fail!(InvalidParam, "{n} items along axis {dim} cannot be padded to chunks of {chunk}");
        };
        self.extshape[dim] = ext;
        // Two int32 fit an int64.
        self.extchunkshape[dim] = padded(i64::from(chunk), block).unwrap_or(0);
        Ok(())
    }

    /// The numbers of items. `None` when one overflows.
    fn count(&mut self) -> Option<()> {
        for dim in 0..self.ndim {
            self.nitems = self.nitems.checked_mul(self.shape[dim])?;
            self.extnitems = self.extnitems.checked_mul(self.extshape[dim])?;
            self.extchunknitems = self.extchunknitems.checked_mul(self.extchunkshape[dim])?;
            self.chunknitems = self.chunknitems.checked_mul(self.chunkshape[dim])?;
            self.blocknitems = self.blocknitems.checked_mul(self.blockshape[dim])?;
        }
        Some(())
    }

    fn check_bytes(&self) -> Result<()> {
        if self.typesize < 1 {
            crate::fail!(InvalidParam, "items of {} bytes", self.typesize);
        }
        let bytes = |nitems: i64| nitems.checked_mul(i64::from(self.typesize));
        let (Some(_), Some(_), Some(block)) =
            (bytes(self.extnitems), bytes(self.extchunknitems), bytes(i64::from(self.blocknitems)))
        else {
            crate::fail!(InvalidParam, "more bytes than can be counted");
        };
        if block > i64::from(i32::MAX) {
            crate::fail!(InvalidParam, "blocks of {block} bytes");
        }
        Ok(())
    }

    /// Whether there can be chunks of this layout.
    ///
    /// # Errors
    /// `MaxBufsizeExceeded` when a chunk would be larger than a chunk can be.
    pub fn check_chunk(&self) -> Result<()> {
        // The number of bytes was checked for overflow when the layout was made.
        let chunk = self.extchunknitems * i64::from(self.typesize);
        if chunk > i64::from(MAX_BUFFERSIZE) {
            crate::fail!(MaxBufsizeExceeded, "chunks of {chunk} bytes");
        }
        Ok(())
    }

    /// The same chunks and blocks under another shape of the array.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn with_shape(&self, shape: &[i64]) -> Result<Self> {
        Layout::new(shape, self.chunkshape(), self.blockshape(), self.typesize)
    }

    /// Dimensions, 0 to 16.
    pub fn ndim(&self) -> usize {
        self.ndim
    }

    /// Bytes per item, at least 1.
    pub fn typesize(&self) -> i32 {
        self.typesize
    }

    /// Bytes per item.
    pub(crate) fn itemsize(&self) -> usize {
        self.typesize as usize
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

    /// Items along each dimension, padded to whole chunks.
    pub fn extshape(&self) -> &[i64] {
        &self.extshape[..self.ndim]
    }

    /// Items along each dimension of a chunk, padded to whole blocks.
    pub fn extchunkshape(&self) -> &[i64] {
        &self.extchunkshape[..self.ndim]
    }

    /// Items of the array.
    pub fn nitems(&self) -> i64 {
        self.nitems
    }

    /// Items of a chunk, without padding.
    pub fn chunknitems(&self) -> i32 {
        self.chunknitems
    }

    /// Items of the array padded to whole chunks (whose own padding does not count).
    pub fn extnitems(&self) -> i64 {
        self.extnitems
    }

    /// Items of a block.
    pub fn blocknitems(&self) -> i32 {
        self.blocknitems
    }

    /// Items of a chunk padded to whole blocks.
    pub fn extchunknitems(&self) -> i64 {
        self.extchunknitems
    }

    /// Bytes of the array, without padding.
    pub fn nbytes(&self) -> i64 {
        self.nitems * i64::from(self.typesize)
    }

    /// Bytes of a chunk as it is stored, padding included.
    pub fn chunk_nbytes(&self) -> usize {
        (self.extchunknitems * i64::from(self.typesize)) as usize
    }

    /// Bytes of a block.
    pub fn block_nbytes(&self) -> usize {
        self.blocknitems as usize * self.itemsize()
    }

    /// How many chunks the array has; an array of no items has none.
    pub fn nchunks(&self) -> i64 {
        if self.nitems == 0 { 0 } else { self.extnitems / i64::from(self.chunknitems) }
    }

    /// How many blocks a chunk has; none when chunks are empty.
    pub fn nblocks(&self) -> usize {
        self.extchunknitems.checked_div(i64::from(self.blocknitems)).unwrap_or(0) as usize
    }

    /// How many chunks there are along a dimension.
    pub(crate) fn chunks_along(&self, dim: usize) -> i64 {
        self.extshape[dim].checked_div(i64::from(self.chunkshape[dim])).unwrap_or(0)
    }

    /// How many blocks there are along a dimension of a chunk.
    pub(crate) fn blocks_along(&self, dim: usize) -> i64 {
        self.extchunkshape[dim].checked_div(i64::from(self.blockshape[dim])).unwrap_or(0)
    }

    /// Items along a dimension of a chunk.
    pub(crate) fn chunk_len(&self, dim: usize) -> i64 {
        i64::from(self.chunkshape[dim])
    }

    /// Items along a dimension of a block.
    pub(crate) fn block_len(&self, dim: usize) -> i64 {
        i64::from(self.blockshape[dim])
    }

    /// The shape of a block, as coordinates.
    pub(crate) fn blockshape_coords(&self) -> Coords {
        self.blockshape.map(i64::from)
    }

    /// The strides that the C structure shows.
    pub fn strides(&self) -> Strides {
        let zero = [0; MAX_DIM];
        let mut s = Strides {
            item_array: zero,
            item_chunk: zero,
            item_extchunk: zero,
            item_block: zero,
            block_chunk: zero,
            chunk_array: zero,
        };
        let Some(last) = self.ndim.checked_sub(1) else { return s };
        for strides in [
            &mut s.item_array,
            &mut s.item_chunk,
            &mut s.item_extchunk,
            &mut s.item_block,
            &mut s.block_chunk,
            &mut s.chunk_array,
        ] {
            strides[last] = 1;
        }
        for dim in (0..last).rev() {
            let of = dim + 1;
            if self.shape[of] == 0 || self.chunkshape[of] == 0 {
                continue;
            }
            // Beside an empty axis the others may be longer than a product can hold. Nothing is ever addressed then.
            s.item_array[dim] = s.item_array[of].wrapping_mul(self.shape[of]);
            s.item_chunk[dim] = s.item_chunk[of].wrapping_mul(self.chunk_len(of));
            s.item_extchunk[dim] = s.item_extchunk[of].wrapping_mul(self.extchunkshape[of]);
            s.item_block[dim] = s.item_block[of].wrapping_mul(self.block_len(of));
            s.block_chunk[dim] = s.block_chunk[of].wrapping_mul(self.blocks_along(of));
            s.chunk_array[dim] =
                s.chunk_array[of].wrapping_mul(self.extshape[of].wrapping_mul(self.chunk_len(of)));
        }
        s
    }

    /// The shapes, as filters and codecs that know cells want them.
    pub fn nd_shape(&self) -> NdShape {
        NdShape {
            shape: self.shape().to_vec(),
            chunkshape: self.chunkshape().to_vec(),
            blockshape: self.blockshape().to_vec(),
        }
    }
}

fn check_axis(dim: usize, n: i64, chunk: i32, block: i32) -> Result<()> {
    if n < 0 || chunk < 0 || block < 0 {
        crate::fail!(InvalidParam, "axis {dim} of {n} items, chunks of {chunk}, blocks of {block}");
    }
    if block == 0 && chunk != 0 {
        crate::fail!(InvalidParam, "chunks of {chunk} along axis {dim}, but blocks of none");
    }
    Ok(())
}

/// Checks what there is of a layout as long as the shape is still to be decided, as that of a slice is; gives the bytes
/// of a block. Chunks of no items along an axis are good for an array that will have none there.
///
/// # Errors
/// `InvalidParam` for a negative length, blocks of no items in chunks that have some, and blocks that are too large.
pub fn check_draft(shape: &[i64], chunkshape: &[i32], blockshape: &[i32], typesize: i32) -> Result<i32> {
    let mut block = Some(typesize);
    for (dim, (n, (chunk, b))) in shape.iter().zip(chunkshape.iter().zip(blockshape)).enumerate() {
        check_axis(dim, *n, *chunk, *b)?;
        block = block.and_then(|block| block.checked_mul(*b));
    }
    block.ok_or_else(|| {
        let what = format!("blocks of {blockshape:?} items of {typesize} bytes");
        Error::new(ErrorKind::InvalidParam, what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edge_chunks_and_blocks_are_padded() {
        let l = Layout::new(&[10, 7], &[4, 3], &[3, 2], 4).unwrap();
        assert_eq!(l.extshape(), [12, 9]);
        assert_eq!(l.extchunkshape(), [6, 4]);
        assert_eq!((l.nitems(), l.chunknitems(), l.extnitems()), (70, 12, 108));
        assert_eq!((l.blocknitems(), l.extchunknitems()), (6, 24));
        assert_eq!((l.nchunks(), l.nblocks()), (9, 4));
        assert_eq!((l.nbytes(), l.chunk_nbytes(), l.block_nbytes()), (280, 96, 24));
        let s = l.strides();
        assert_eq!(s.item_array[..2], [7, 1]);
        assert_eq!(s.item_chunk[..2], [3, 1]);
        assert_eq!(s.item_extchunk[..2], [4, 1]);
        assert_eq!(s.item_block[..2], [2, 1]);
        assert_eq!(s.block_chunk[..2], [2, 1]);
        assert_eq!(s.chunk_array[..2], [27, 1]);
    }

    #[test]
    fn no_dimensions_is_one_item() {
        let l = Layout::new(&[], &[], &[], 8).unwrap();
        assert_eq!((l.nitems(), l.nchunks(), l.nblocks(), l.chunk_nbytes()), (1, 1, 1, 8));
    }

    #[test]
    fn empty_axes_may_have_empty_chunks() {
        let l = Layout::new(&[0, 5], &[0, 2], &[0, 2], 1).unwrap();
        assert_eq!((l.nitems(), l.nchunks(), l.nblocks(), l.chunk_nbytes()), (0, 0, 0, 0));
        let l = Layout::new(&[0, 5], &[3, 2], &[2, 2], 1).unwrap();
        assert_eq!((l.nitems(), l.nchunks(), l.nblocks()), (0, 0, 2));
        let l = Layout::new(&[0, i64::MAX - 1, i64::MAX - 1], &[1, 1, 1], &[1, 1, 1], 1).unwrap();
        assert_eq!(l.strides().item_array[0], 4, "wraps, as nothing is addressed");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |shape: &[i64], chunk: &[i32], block: &[i32], typesize| {
            Layout::new(shape, chunk, block, typesize).unwrap_err().kind()
        };
        use ErrorKind::{InvalidParam, MaxBufsizeExceeded};
        assert_eq!(refused(&[-1], &[1], &[1], 1), InvalidParam);
        assert_eq!(refused(&[1], &[-1], &[1], 1), InvalidParam);
        assert_eq!(refused(&[1], &[1], &[-1], 1), InvalidParam);
        assert_eq!(refused(&[1], &[1], &[0], 1), InvalidParam);
        assert_eq!(refused(&[1], &[0], &[0], 1), InvalidParam);
        assert_eq!(refused(&[1], &[1], &[1], 0), InvalidParam);
        assert_eq!(refused(&[1, 1], &[1], &[1], 1), InvalidParam);
        assert_eq!(refused(&[1; 17], &[1; 17], &[1; 17], 1), InvalidParam);
        assert_eq!(refused(&[i64::MAX], &[2], &[2], 1), InvalidParam);
        assert_eq!(refused(&[1 << 32, 1 << 32], &[1, 1], &[1, 1], 1), InvalidParam);
        assert_eq!(refused(&[1, 1], &[1 << 16, 1 << 16], &[1, 1], 1), InvalidParam);
        assert_eq!(refused(&[1 << 60], &[1], &[1], 8), InvalidParam);
        assert_eq!(refused(&[1], &[1], &[1 << 30], 4), InvalidParam);
        for (chunk, typesize) in [(i32::MAX, 1), (1 << 28, 8)] {
            let layout = Layout::new(&[1], &[chunk], &[1], typesize).unwrap();
            assert_eq!(layout.check_chunk().unwrap_err().kind(), MaxBufsizeExceeded);
        }
    }
}
