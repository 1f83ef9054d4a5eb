//! Numbers as text, without what a program that never prints would map for `format!`: the code and its tables.

/// The digits of `number` in a base of 2 to 16, the upper ones of which are capital letters: `least` of them at least.
///
/// ```
/// use blosc2::base::digits::digits;
///
/// assert_eq!(digits(1234, 10, 1), "1234");
/// assert_eq!(digits(0xab, 16, 8), "000000AB");
/// ```
pub fn digits(number: u64, base: u64, least: usize) -> String {
    let mut places = Vec::new();
    let mut rest = number;
    while rest > 0 || places.len() < least {
        places.push(char::from(b"0123456789ABCDEF"[(rest % base) as usize]));
        rest /= base;
    }
    places.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_that_are_printed() {
        for number in [0, 1, 9, 10, 0xab, 0x0123_4567, 0x89ab_cdef, 0xffff_ffff, 0x1_0000_0000, u64::MAX] {
            assert_eq!(digits(number, 10, 1), format!("{number}"));
            assert_eq!(digits(number, 16, 8), format!("{number:08X}"));
            assert_eq!(digits(number, 2, 3), format!("{number:03b}"));
        }
    }
}
