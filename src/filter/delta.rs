//! Delta: a block's difference to block 0 of its chunk, and block 0's difference to itself shifted by one item.
//!
//! The difference is an exclusive or. For block 0 an "item" is of 1, 2, 4 or 8 bytes as [`stride`] says; bytes after
//! the last whole one are copied.

use super::scan::running_xor;
use crate::base::Result;
use crate::base::copy::copy;
use crate::fail;

/// What a block is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Reference<'a> {
    /// With itself, one item earlier: it is block 0, or stands alone.
    Itself,
    /// With the bytes that block 0 decodes to.
    Block0(&'a [u8]),
}

/// How many bytes earlier block 0 is compared with: the typesize where it is 1, 2, 4 or 8, 8 for its other multiples
/// and 1 for every other type.
pub fn stride(typesize: usize) -> usize {
    match typesize {
        1 | 2 | 4 | 8 => typesize,
        _ if typesize.is_multiple_of(8) => 8,
        _ => 1,
    }
}

/// Takes the difference of `src` into `dst`, which is as long.
///
/// # Errors
/// `FilterPipeline` when block 0 is shorter than the block.
pub fn forward(typesize: usize, reference: Reference, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let stride = stride(typesize);
    let (head, tail) = src.split_at(src.len() - src.len() % stride);
    dst[head.len()..].copy_from_slice(tail);
    match reference {
        Reference::Itself => {
            let first = stride.min(head.len());
            dst[..first].copy_from_slice(&head[..first]);
            for ((out, now), before) in dst[first..head.len()].iter_mut().zip(&head[first..]).zip(head) {
                *out = now ^ before;
            }
        }
        Reference::Block0(block0) => {
            let block0 = covering(block0, head.len())?;
            for ((out, now), before) in dst.iter_mut().zip(head).zip(block0) {
                *out = now ^ before;
            }
        }
    }
    Ok(())
}

/// Undoes [`forward`] in place. With [`Reference::Block0`] it is also what `forward` would do.
///
/// # Errors
/// As [`forward`].
pub fn backward_in_place(typesize: usize, reference: Reference, buf: &mut [u8]) -> Result<()> {
    let stride = stride(typesize);
    let whole = buf.len() - buf.len() % stride;
    match reference {
        Reference::Itself => match stride {
            1 => running_xor::<1>(buf),
            2 => running_xor::<2>(buf),
            4 => running_xor::<4>(buf),
            _ => running_xor::<8>(buf),
        },
        Reference::Block0(block0) => {
            let block0 = covering(block0, whole)?;
            for (byte, before) in buf.iter_mut().zip(block0) {
                *byte ^= before;
            }
        }
    }
    Ok(())
}

/// Undoes [`forward`] from `src` into `dst`, which is as long.
///
/// # Errors
/// As [`forward`].
pub fn backward(typesize: usize, reference: Reference, src: &[u8], dst: &mut [u8]) -> Result<()> {
    match reference {
        Reference::Itself => {
            copy(src, dst);
            backward_in_place(typesize, reference, dst)
        }
        Reference::Block0(_) => forward(typesize, reference, src, dst),
    }
}

fn covering(block0: &[u8], len: usize) -> Result<&[u8]> {
    match block0.get(..len) {
        Some(block0) => Ok(block0),
        None => fail!(FilterPipeline, "delta of a block of {len} bytes to a block 0 of {}", block0.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_0_is_compared_with_itself_by_items() {
        let src = [1, 2, 3, 4, 5, 6, 7];
        let mut out = [0; 7];
        forward(2, Reference::Itself, &src, &mut out).unwrap();
        assert_eq!(out, [1, 2, 3 ^ 1, 4 ^ 2, 5 ^ 3, 6 ^ 4, 7]);
        forward(3, Reference::Itself, &src, &mut out).unwrap();
        assert_eq!(out, [1, 1 ^ 2, 2 ^ 3, 3 ^ 4, 4 ^ 5, 5 ^ 6, 6 ^ 7]);
        forward(24, Reference::Itself, &src, &mut out).unwrap();
        assert_eq!(out, src);
    }

    #[test]
    fn comes_back_for_every_typesize_and_tail() {
        for typesize in [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 255] {
            for len in (0..70).chain([255, 256, 257]) {
                let src: Vec<u8> = (0..len).map(|i| (i * 37 + i / 5) as u8).collect();
                let block0: Vec<u8> = (0..len + 3).map(|i| (i * 101) as u8).collect();
                for reference in [Reference::Itself, Reference::Block0(&block0)] {
                    let mut there = vec![0; len];
                    forward(typesize, reference, &src, &mut there).unwrap();
                    let mut back = vec![0; len];
                    backward(typesize, reference, &there, &mut back).unwrap();
                    assert_eq!(back, src);
                    backward_in_place(typesize, reference, &mut there).unwrap();
                    assert_eq!(there, src);
                }
            }
        }
    }

    #[test]
    fn a_short_block_0_is_refused() {
        assert!(forward(1, Reference::Block0(&[1]), &[1, 2], &mut [0, 0]).is_err());
        assert!(backward_in_place(1, Reference::Block0(&[1]), &mut [0, 0]).is_err());
    }
}
