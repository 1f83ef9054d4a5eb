//! Memory that is kept for the next use, and begins where wide loads like it to.

/// Bytes of a cache line, and of the widest register.
///
/// A load that reaches over two stores waits until both are in the cache. Streams that are decoded here and unshuffled at
/// once would have it wait at every register, did they not begin at a line.
const LINE: usize = 64;

/// Bytes that are kept between uses; what they hold is whatever the last use left.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    /// The first `len` bytes, from a cache line's start on, more being made when there are fewer.
    #[inline]
    pub fn sized(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() < len + LINE {
            // Not resize: what is there is not worth copying.
            self.bytes = vec![0; len + LINE];
        }
        let start = self.bytes.as_ptr().addr().wrapping_neg() % LINE;
        &mut self.bytes[start..start + len]
    }

    /// Gives the memory back if it is more than `most` bytes.
    pub fn trim(&mut self, most: usize) {
        if self.bytes.len() > most {
            self.bytes = Vec::new();
        }
    }

    /// Bytes that it has.
    pub fn capacity(&self) -> usize {
        self.bytes.len().saturating_sub(LINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_at_a_line_and_keeps_its_bytes() {
        let mut buffer = Buffer::default();
        buffer.sized(100)[99] = 7;
        assert_eq!(buffer.sized(100)[99], 7);
        for len in [0, 1, 100, 1000, 5] {
            let bytes = buffer.sized(len);
            assert_eq!(bytes.len(), len);
            assert_eq!(bytes.as_ptr().addr() % LINE, 0);
        }
    }

    #[test]
    fn keeps_no_more_than_it_may() {
        let mut buffer = Buffer::default();
        buffer.sized(1000);
        buffer.trim(2000);
        assert!(buffer.capacity() >= 1000);
        buffer.trim(500);
        assert_eq!(buffer.capacity(), 0);
    }
}
