//! The kernel beside `zlib-rs`, over every length that has a tail, and where the sums are largest.

use super::*;
use crate::base::random::Random;

#[test]
fn the_kernel_is_the_definition() {
    #[cfg(target_arch = "x86_64")]
    if cpu::detected() >= Simd::Avx512 {
        let most = 20_000;
        for data in [Random::new(1).bytes(most), vec![255; most], vec![0; most]] {
            let lengths = (0..200).chain(5_300..5_700).chain(10_990..11_120).chain([most]);
            for len in lengths {
                for data in [&data[..len], &data[most - len..]] {
                    assert_eq!(avx512::adler32(data), zlib_rs::adler32::adler32(1, data), "{len} bytes");
                }
            }
        }
    }
}

#[test]
fn it_is_the_one_of_the_document() {
    // "Wikipedia" is what the sum is most often shown of.
    assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    assert_eq!(adler32(b""), 1);
}
