use super::*;

#[cfg(target_arch = "x86_64")]
#[test]
fn registers_count_to_the_end() {
    if cpu::detected() < Simd::Avx512 {
        return;
    }
    let a: Vec<u8> = (0..300).map(|i| i as u8).collect();
    for len in 0..a.len() {
        assert_eq!(avx512::equal(&a[..len], &a[..len]), len);
        for differing in 0..len {
            let mut b = a[..len].to_vec();
            b[differing] ^= 1;
            assert_eq!(avx512::equal(&a[..len], &b), differing);
        }
    }
}
