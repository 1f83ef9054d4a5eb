//! How short codes for the bytes of a stream may be, with what describes them.
//!
//! Codes take at least the information that the bytes are, each by itself. Their description has a weight for each byte up to the
//! greatest, by codes too, or in half a byte (RFC 8878, 4.2.1): about the information which of these bytes there are, and how often.

use super::super::log::{FINE, KNOWN, TIMES_LOG};

/// The longest stream that is weighed.
pub(super) const MOST: usize = KNOWN;

/// Bytes up to that may have their weights in half a byte each.
const HALF_A_BYTE_EACH: usize = 128;

/// By a number, how much more the next times its logarithm is than it times its own.
static ONE_MORE: [u32; MOST] = {
    let mut all = [0; MOST];
    let mut n = 0;
    while n < MOST {
        all[n] = TIMES_LOG[n + 1] - TIMES_LOG[n];
        n += 1;
    }
    all
};

/// What codes for a stream take, in parts of a bit.
pub(super) struct Codes {
    /// For its bytes.
    coded: u32,
    /// For their description.
    described: u32,
}

impl Codes {
    /// Of `src`, which has [`MOST`] bytes at most.
    pub(super) fn of(src: &[u8]) -> Self {
        let (mut counts, mut told) = ([0u16; 256], 0);
        for &byte in src {
            let count = &mut counts[usize::from(byte)];
            told += ONE_MORE[usize::from(*count as u8)];
            *count += 1;
        }
        let greatest = src.iter().copied().max().map_or(0, usize::from);
        Codes { coded: TIMES_LOG[src.len()] - told, described: described(&counts, greatest) }
    }

    /// Bytes that they take for `some` bytes of `all`, which are about like the others.
    pub(super) fn bytes(&self, some: usize, all: usize) -> usize {
        let coded = self.coded as usize * some / all.max(1);
        (coded + self.described as usize) / (8 * FINE as usize)
    }
}

/// Parts of a bit for the description of codes for bytes of these counts, of which the greatest follows from the others. Those that are
/// about as frequent have about the same weight.
fn described(counts: &[u16; 256], greatest: usize) -> u32 {
    let sorts_of = |count: u16| usize::from(counts.iter().map(|&of| u16::from(of >= count)).sum::<u16>());
    let (mut rest, mut count, mut alike) = (greatest + 1, 1, 0);
    while rest > 0 {
        let more = sorts_of(count);
        let last = usize::from((count / 2..count).contains(&counts[greatest]));
        alike += TIMES_LOG[rest - more.min(rest) - last];
        (rest, count) = (more, 2 * count);
    }
    let by_codes = TIMES_LOG[greatest] - alike;
    if greatest > HALF_A_BYTE_EACH { by_codes } else { by_codes.min(greatest as u32 * 4 * FINE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that codes take for all of a stream.
    fn bytes(src: &[u8]) -> usize {
        Codes::of(src).bytes(src.len(), src.len())
    }

    #[test]
    fn bytes_take_the_information_they_are() {
        let all: Vec<u8> = (0..=255).collect();
        // One bit for each, and nothing to describe.
        assert_eq!(bytes(&[0, 1].repeat(64)), 16);
        assert_eq!(bytes(&all), 256);
        // The description tells which of 255 is the other sort.
        assert_eq!(bytes(&[0, 255].repeat(64)), 17);
        // Half of all, in five bits each, and as many to say which.
        assert_eq!(bytes(&all[..64].iter().map(|byte| byte / 2 * 8 + 1).collect::<Vec<_>>()), 40 + 16);
        // Half of them are more frequent, which takes half a bit less for each byte, and half a bit more to describe each of 32.
        assert!(bytes(&all[..128].iter().map(|byte| byte * 2).collect::<Vec<_>>()) > 112 + 30);
        assert_eq!([&[][..], &[7], &[0; 100]].map(bytes), [0, 0, 0]);
    }

    #[test]
    fn a_part_of_the_bytes_takes_that_part_of_the_codes() {
        let codes = Codes::of(&[0, 255].repeat(64));
        assert_eq!([128, 64, 0].map(|some| codes.bytes(some, 128)), [17, 9, 1]);
    }
}
