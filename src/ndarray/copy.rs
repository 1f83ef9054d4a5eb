//! Copying boxes between plain row-major buffers.

use crate::base::consts::MAX_DIM;
use crate::base::strided::{BoxCopy, Place};
use crate::base::{Error, ErrorKind, Result};

/// How to copy the box from `src_start` up to `src_stop` of a buffer of `src_shape` items to `dst_start` of another.
/// The plan tells which bytes of either buffer it touches, so a caller with bare pointers can find out before.
///
/// # Errors
/// `InvalidParam` when the box is not inside both shapes, or there is no such number of dimensions.
pub fn plan(
    itemsize: usize,
    src_shape: &[i64],
    src_start: &[i64],
    src_stop: &[i64],
    dst_shape: &[i64],
    dst_start: &[i64],
) -> Result<BoxCopy> {
    let ndim = src_shape.len();
    if ndim > MAX_DIM || src_start.len() != ndim || src_stop.len() != ndim {
        crate::fail!(InvalidParam, "a copy of {ndim} dimensions");
    }
    let mut shape = [0; MAX_DIM];
    for (dim, n) in shape[..ndim].iter_mut().enumerate() {
        *n = src_stop[dim].checked_sub(src_start[dim]).ok_or_else(|| {
            Error::new(ErrorKind::InvalidParam, format!("no box goes from {src_start:?} to {src_stop:?}"))
        })?;
    }
    let src = Place { shape: src_shape, start: src_start };
    BoxCopy::new(itemsize, &shape[..ndim], src, Place { shape: dst_shape, start: dst_start })
}

/// Copies the box from `src_start` up to `src_stop` of `src`, which has `src_shape` items, to `dst_start` of `dst`.
///
/// # Errors
/// `InvalidParam` when the box is not inside both shapes, or a buffer is shorter than its box.
#[allow(clippy::too_many_arguments)] // two buffers, each with shape and place
pub fn copy_buffer(
    itemsize: usize,
    src: &[u8],
    src_shape: &[i64],
    src_start: &[i64],
    src_stop: &[i64],
    dst: &mut [u8],
    dst_shape: &[i64],
    dst_start: &[i64],
) -> Result<()> {
    plan(itemsize, src_shape, src_start, src_stop, dst_shape, dst_start)?.copy(src, dst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_a_box_into_a_larger_buffer() {
        let src: Vec<u8> = (0..12).collect();
        let mut dst = vec![99; 20];
        copy_buffer(1, &src, &[3, 4], &[1, 1], &[3, 3], &mut dst, &[4, 5], &[2, 3]).unwrap();
        let mut want = vec![99; 20];
        (want[13], want[14], want[18], want[19]) = (5, 6, 9, 10);
        assert_eq!(dst, want);
        // Nothing to copy is no error, wherever it would be.
        copy_buffer(1, &src, &[3, 4], &[1, 1], &[1, 3], &mut dst, &[4, 5], &[4, 5]).unwrap();
        assert_eq!(dst, want);
    }

    #[test]
    fn refuses_boxes_that_do_not_fit() {
        let mut dst = [0; 4];
        for (start, stop, to) in
            [([0, 0], [3, 1], [0, 0]), ([1, 1], [0, 1], [0, 0]), ([0, 0], [2, 2], [1, 0])]
        {
            let done = copy_buffer(1, &[0; 4], &[2, 2], &start, &stop, &mut dst, &[2, 2], &to);
            assert_eq!(done.unwrap_err().kind(), ErrorKind::InvalidParam);
        }
        let wrap = plan(1, &[1], &[i64::MIN], &[i64::MAX], &[1], &[0]);
        assert_eq!(wrap.unwrap_err().kind(), ErrorKind::InvalidParam);
    }
}
