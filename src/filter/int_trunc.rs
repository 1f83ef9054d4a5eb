//! `int_trunc`: keeps the leading bits of integers and zeroes the rest. Lossy; nothing to undo.

use super::mask::{self, LowBits};
use crate::base::Result;
use crate::fail;

/// How many low bits of every item a filter's parameter byte zeroes: a positive parameter is how many bits stay, a
/// negative one how many go. At least one bit stays.
///
/// # Errors
/// `FilterPipeline` when items are not 1, 2, 4 or 8 bytes, or no bit would stay.
pub fn zeroed_bits(typesize: usize, meta: u8) -> Result<u32> {
    let width: u32 = match typesize {
        1 | 2 | 4 | 8 => 8 * typesize as u32,
        _ => fail!(FilterPipeline, "int_trunc takes items of 1, 2, 4 or 8 bytes, not {typesize}"),
    };
    match mask::zeroed_bits(width, meta as i8) {
        Some(zeroed) => Ok(zeroed),
        None => fail!(FilterPipeline, "int_trunc by {} does not suit {width} bits", meta as i8),
    }
}

/// Truncates `src` into `dst`, which is as long. Bytes after the last whole item are copied.
///
/// # Errors
/// As [`zeroed_bits`].
pub fn forward(typesize: usize, meta: u8, src: &[u8], dst: &mut [u8]) -> Result<()> {
    LowBits::new(typesize, zeroed_bits(typesize, meta)?).clear(src, dst);
    Ok(())
}

/// Truncates in place.
///
/// # Errors
/// As [`zeroed_bits`].
pub fn forward_in_place(typesize: usize, meta: u8, buf: &mut [u8]) -> Result<()> {
    LowBits::new(typesize, zeroed_bits(typesize, meta)?).clear_in_place(buf);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_keeps_its_high_bits() {
        for typesize in [1, 2, 4, 8] {
            let width = 8 * typesize as i32;
            for keep in 1..width {
                let mut drops = vec![0xff; 3 * typesize];
                let mut keeps = drops.clone();
                forward_in_place(typesize, (keep - width) as u8, &mut drops).unwrap();
                forward(typesize, keep as u8, &vec![0xff; 3 * typesize], &mut keeps).unwrap();
                assert_eq!(drops, keeps);
                let ones: u32 = drops.iter().map(|b| b.count_ones()).sum();
                assert_eq!(ones, 3 * keep as u32);
                assert_eq!(drops[typesize - 1] & 0x80, 0x80);
            }
            assert!(zeroed_bits(typesize, 0).is_err());
            assert!(zeroed_bits(typesize, -width as u8).is_err());
            assert!(zeroed_bits(typesize, width as u8 + 1).is_err());
        }
        assert!(zeroed_bits(3, 1).is_err());
    }
}
