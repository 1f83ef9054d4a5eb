//! Checksums: XXH3 of 64 bits, which is faster than memory on every processor we know, so that checking costs little.

use std::hash::Hasher;
use twox_hash::XxHash3_64;

/// The checksum of `bytes`.
pub fn of(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// A checksum over bytes that come in pieces.
pub struct Running(XxHash3_64);

impl Running {
    /// Nothing yet. Another `seed` gives other checksums of the same bytes.
    pub fn new(seed: u64) -> Self {
        Running(XxHash3_64::with_seed(seed))
    }

    /// Takes in the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    /// The checksum of all so far.
    pub fn value(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_the_whole() {
        let bytes: Vec<u8> = (0..5000u32).map(|i| (i * i / 8) as u8).collect();
        let mut running = Running::new(0);
        for piece in bytes.chunks(77) {
            running.add(piece);
        }
        assert_eq!(running.value(), of(&bytes));
        // The published value for no bytes and seed 0.
        assert_eq!(of(&[]), 0x2d06_8005_38d3_94c2);
        assert_ne!(Running::new(1).value(), of(&[]));
    }
}
