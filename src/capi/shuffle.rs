//! The two shuffles for themselves, without a chunk around them.

use super::guard::guard;
use super::pointers::{bytes, bytes_mut};
use crate::base::Result;
use crate::fail;
use crate::filter::{bitshuffle, shuffle};
use libc::c_void;

/// One of the four kernels.
type Kernel = fn(usize, &[u8], &mut [u8]);

/// # Safety
/// `src` and `dest` each are NULL or have `blocksize` bytes, and do not overlap.
unsafe fn apply(
    kernel: Kernel,
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> Result<i32> {
    if !(1..=256).contains(&typesize) || blocksize < 0 {
        fail!(InvalidParam, "typesize {typesize} is not in 1..=256, or blocksize {blocksize} is negative");
    }
    // SAFETY: the caller vouches for the buffers.
    let (src, dest) = unsafe { (bytes("src", src, blocksize)?, bytes_mut("dest", dest, blocksize)?) };
    kernel(typesize as usize, src, dest);
    Ok(blocksize)
}

/// Shuffles the bytes of a block: all first bytes of the items, then all second bytes, and so on. Bytes after the last
/// whole item are copied.
///
/// @param typesize Bytes per item, from 1 to 256.
/// @param blocksize Bytes of the block.
/// @param src The block.
/// @param dest Room for `blocksize` bytes; may not overlap `src`.
/// @return `blocksize`; #BLOSC2_ERROR_INVALID_PARAM; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_shuffle(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> i32 {
    // SAFETY: the caller vouches for the buffers.
    guard("blosc2_shuffle", || unsafe { apply(shuffle::shuffle, typesize, blocksize, src, dest) })
}

/// Undoes `blosc2_shuffle`.
///
/// @param typesize Bytes per item, from 1 to 256.
/// @param blocksize Bytes of the block.
/// @param src The shuffled block.
/// @param dest Room for `blocksize` bytes; may not overlap `src`.
/// @return `blocksize`; #BLOSC2_ERROR_INVALID_PARAM; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_unshuffle(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> i32 {
    // SAFETY: the caller vouches for the buffers.
    guard("blosc2_unshuffle", || unsafe { apply(shuffle::unshuffle, typesize, blocksize, src, dest) })
}

/// Shuffles the bits of a block: all lowest bits of the items' first bytes, then the next bits, and so on. Only whole
/// groups of eight items are shuffled; the bytes after them are copied.
///
/// @param typesize Bytes per item, from 1 to 256.
/// @param blocksize Bytes of the block.
/// @param src The block.
/// @param dest Room for `blocksize` bytes; may not overlap `src`.
/// @return `blocksize`; #BLOSC2_ERROR_INVALID_PARAM; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_bitshuffle(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> i32 {
    // SAFETY: the caller vouches for the buffers.
    guard("blosc2_bitshuffle", || unsafe { apply(bitshuffle::bitshuffle, typesize, blocksize, src, dest) })
}

/// Undoes `blosc2_bitshuffle`.
///
/// @param typesize Bytes per item, from 1 to 256.
/// @param blocksize Bytes of the block.
/// @param src The shuffled block.
/// @param dest Room for `blocksize` bytes; may not overlap `src`.
/// @return `blocksize`; #BLOSC2_ERROR_INVALID_PARAM; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_bitunshuffle(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> i32 {
    // SAFETY: the caller vouches for the buffers.
    guard("blosc2_bitunshuffle", || unsafe {
        apply(bitshuffle::bitunshuffle, typesize, blocksize, src, dest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_undoes_the_other_and_refuses_nonsense() {
        type Exported = unsafe extern "C" fn(i32, i32, *const c_void, *mut c_void) -> i32;
        let pairs: [(Exported, Exported); 2] =
            [(blosc2_shuffle, blosc2_unshuffle), (blosc2_bitshuffle, blosc2_bitunshuffle)];
        let data: Vec<u8> = (0..1001u32).map(|i| (i * i % 251) as u8).collect();
        let (mut there, mut back) = (vec![0u8; 1001], vec![0u8; 1001]);
        let (null, none) = (std::ptr::null(), std::ptr::null_mut());
        for (forward, backward) in pairs {
            // SAFETY: all buffers have 1001 bytes, or are NULL.
            unsafe {
                assert_eq!(forward(4, 1001, data.as_ptr().cast(), there.as_mut_ptr().cast()), 1001);
                assert_ne!(there, data);
                assert_eq!(backward(4, 1001, there.as_ptr().cast(), back.as_mut_ptr().cast()), 1001);
                assert_eq!(forward(0, 1001, data.as_ptr().cast(), there.as_mut_ptr().cast()), -12);
                assert_eq!(forward(257, 1001, data.as_ptr().cast(), there.as_mut_ptr().cast()), -12);
                assert_eq!(forward(4, -1, data.as_ptr().cast(), there.as_mut_ptr().cast()), -12);
                assert_eq!(forward(4, 8, null, there.as_mut_ptr().cast()), -32);
                assert_eq!(forward(4, 8, data.as_ptr().cast(), none), -32);
            }
            assert_eq!(back, data);
        }
    }
}
