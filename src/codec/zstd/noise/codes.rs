//! How short codes for the bytes of a stream can be at best, with what describes them.
//!
//! Codes take at least the information that the bytes are, each by itself. Their description has a weight for each byte up to the
//! greatest, by codes too, or in half a byte (RFC 8878, 4.2.1): at least the information which of these bytes there are.

/// The longest stream that is weighed.
pub(super) const MOST: usize = 256;

/// Fractions of a bit that are told apart.
const FINE: u32 = 1 << 10;

/// By a number, it times its logarithm to the base of two, in these parts.
static TIMES_LOG: [u32; MOST + 1] = {
    let mut all = [0; MOST + 1];
    let mut n = 1;
    while n <= MOST {
        all[n] = n as u32 * log2(n as u32);
        n += 1;
    }
    all
};

/// The logarithm to the base of two, in parts of [`FINE`] of a bit.
const fn log2(n: u32) -> u32 {
    let mut log = n.ilog2() * FINE;
    // From 1 to 2, with 30 bits behind the point. Squared, it has twice the logarithm.
    let mut rest = (n as u64) << (30 - n.ilog2());
    let mut part = FINE / 2;
    while part > 0 {
        rest = (rest * rest) >> 30;
        if rest >> 31 > 0 {
            rest >>= 1;
            log += part;
        }
        part /= 2;
    }
    log
}

/// At least so many bytes do codes for `src` and their description take; `src` has [`MOST`] bytes at most.
pub(super) fn least(src: &[u8]) -> usize {
    let (mut counts, mut greatest) = ([0u16; 256], 0);
    for &byte in src {
        counts[usize::from(byte)] += 1;
        greatest = greatest.max(usize::from(byte));
    }
    let (mut sorts, mut known) = (0, 0);
    for &count in &counts[..=greatest] {
        sorts += usize::from(count > 0);
        known += TIMES_LOG[usize::from(count)];
    }
    let coded = TIMES_LOG[src.len()] - known;
    // Of the greatest, the weight follows from the others.
    let others = sorts.max(1) - 1;
    let described = TIMES_LOG[greatest] - TIMES_LOG[others] - TIMES_LOG[greatest - others];
    // Without what rounding might have added.
    ((coded + described).saturating_sub(FINE) / (8 * FINE)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_floating_point() {
        for n in 1..=MOST {
            let exact = (n as f64).log2() * f64::from(FINE);
            assert!((f64::from(log2(n as u32)) - exact).abs() <= 1.0, "{n}");
        }
    }

    #[test]
    fn bytes_take_the_information_they_are() {
        let all: Vec<u8> = (0..=255).collect();
        // One bit for each, and none to describe.
        assert_eq!(least(&[0, 1].repeat(64)), 15);
        assert_eq!(least(&all), 255);
        // The description tells which of 255 is the other sort.
        assert_eq!(least(&[0, 255].repeat(64)), 17);
        // Half of all, in five bits each, and as many to say which.
        assert_eq!(least(&all[..64].iter().map(|byte| byte / 2 * 8 + 1).collect::<Vec<_>>()), 40 + 16);
        assert_eq!([&[][..], &[7]].map(least), [0, 0]);
        assert_eq!(least(&[0; 100]), 0);
    }
}
