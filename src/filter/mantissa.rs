//! `trunc_prec`: keeps the leading bits of floating-point mantissas and zeroes the rest. Lossy; nothing to undo.

use super::mask::{self, LowBits};
use crate::base::Result;
use crate::fail;

/// How many low bits of every item a filter's parameter byte zeroes: a positive parameter is how many mantissa bits
/// stay, a negative one how many go. At least one bit stays, so that infinities and NaNs remain what they are.
///
/// # Errors
/// `FilterPipeline` when items are neither `f32` nor `f64`, or no mantissa bit would stay.
pub fn zeroed_bits(typesize: usize, meta: u8) -> Result<u32> {
    let mantissa: u32 = match typesize {
        4 => 23,
        8 => 52,
        _ => fail!(FilterPipeline, "trunc_prec takes items of 4 or 8 bytes, not {typesize}"),
    };
    match mask::zeroed_bits(mantissa, meta as i8) {
        Some(zeroed) => Ok(zeroed),
        None => fail!(FilterPipeline, "trunc_prec by {} does not suit {mantissa} mantissa bits", meta as i8),
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
    fn positive_keeps_and_negative_drops() {
        let bits = 0x4049_0fdb_u32; // pi
        let run = |meta: i8| {
            let mut out = [0; 6];
            let src = [&bits.to_le_bytes()[..], &[7, 9]].concat();
            forward(4, meta as u8, &src, &mut out).unwrap();
            assert_eq!(out[4..], [7, 9]);
            u32::from_le_bytes(out[..4].try_into().unwrap())
        };
        assert_eq!(run(23), bits);
        assert_eq!(run(7), 0x4049_0000);
        assert_eq!(run(-16), 0x4049_0000);
        assert_eq!(run(-1), 0x4049_0fda);
        let mut wide = f64::to_le_bytes(-0.1);
        forward_in_place(8, 1, &mut wide).unwrap();
        assert_eq!(f64::from_le_bytes(wide), -0.09375);
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for (typesize, meta) in
            [(4, 0), (4, 24), (4, -23), (4, -128), (8, 0), (8, 53), (8, -52), (2, 3), (16, 3)]
        {
            assert!(zeroed_bits(typesize, meta as i8 as u8).is_err(), "{typesize} {meta}");
        }
        assert_eq!(zeroed_bits(8, -51_i8 as u8).unwrap(), 51);
    }
}
