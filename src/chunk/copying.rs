//! Data that is only copied, or repeats: large amounts of it are shared among threads.

use crate::base::Result;
use crate::base::copy::copy;
use crate::base::scatter::Blocks;
use crate::exec;

/// What one thread does at a time.
const PIECE: usize = 256 << 10;

/// As many bytes are not shared: they stay in the caches of one processor, which copies them before another one is awake.
pub(super) const ALONE: usize = 2 << 20;

/// Copies `src` to `dst`, which is as long, on at most `nthreads` threads.
///
/// # Panics
/// When the lengths differ.
pub(super) fn copy_shared(nthreads: usize, src: &[u8], dst: &mut [u8]) -> Result<()> {
    fill_shared(nthreads, dst, |start, piece| {
        copy(&src[start..start + piece.len()], piece);
        Ok(())
    })
}

/// Has `fill` write all of `dst`, on at most `nthreads` threads, piece by piece, each with the byte that it starts at.
pub(super) fn fill_shared(
    nthreads: usize,
    dst: &mut [u8],
    fill: impl Fn(usize, &mut [u8]) -> Result<()> + Sync,
) -> Result<()> {
    if nthreads <= 1 || dst.len() <= ALONE {
        return fill(0, dst);
    }
    let npieces = dst.len().div_ceil(PIECE);
    let pieces = Blocks::new(dst, PIECE);
    exec::run(nthreads, npieces, &|n, _| fill(n * PIECE, pieces.take(n)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_as_what_is_not() {
        for len in [0, 1, ALONE, ALONE + 1, 9 * PIECE + 5] {
            let src: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            for nthreads in [1, 2, 5] {
                let mut dst = vec![0xFF; len];
                copy_shared(nthreads, &src, &mut dst).unwrap();
                assert!(dst == src, "{len} bytes on {nthreads} threads");
            }
        }
    }
}
