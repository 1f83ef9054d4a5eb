//! What bytes say, in parts of a bit: by logarithms of how often they stand.

/// Parts of a bit.
pub(super) const FINE: u32 = 1 << 10;
/// The greatest number whose logarithm is in a table.
pub(super) const KNOWN: usize = 256;

/// By a number, it times its logarithm to the base of two, in those parts.
pub(super) static TIMES_LOG: [u32; KNOWN + 1] = {
    let mut all = [0; KNOWN + 1];
    let mut n = 1;
    while n <= KNOWN {
        all[n] = n as u32 * log2(n as u32);
        n += 1;
    }
    all
};

/// A number, 2^16 at most, times its logarithm to the base of two, in those parts; about, where it is greater than [`KNOWN`].
#[inline(always)]
pub(super) fn times_log(n: usize) -> u32 {
    match TIMES_LOG.get(n) {
        Some(&all) => all,
        None => {
            let more = n.ilog2() - KNOWN.ilog2() + 1;
            (TIMES_LOG[n >> more] << more) + n as u32 * more * FINE
        }
    }
}

/// The logarithm to the base of two, in those parts.
pub(super) const fn log2(n: u32) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_floating_point() {
        for n in 1..=KNOWN {
            let exact = (n as f64).log2() * f64::from(FINE);
            assert!((f64::from(log2(n as u32)) - exact).abs() <= 1.0, "{n}");
        }
    }

    #[test]
    fn they_are_about_those_of_greater_numbers() {
        for n in 1..=1 << 16 {
            let (exact, told) = (n as f64 * (n as f64).log2(), f64::from(times_log(n)) / f64::from(FINE));
            assert!((exact - told).abs() <= 0.01 * exact + 0.001 * n as f64, "{n}: {told}, not {exact}");
        }
    }
}
