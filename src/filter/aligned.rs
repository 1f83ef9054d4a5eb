//! Buffers that begin at a cache line: wide stores to them never touch two.

/// Bytes of a cache line, and of the widest register.
const LINE: usize = 64;

/// Bytes that are kept for later use, grown when more are asked for.
#[derive(Default)]
pub(super) struct Aligned {
    bytes: Vec<u8>,
}

impl Aligned {
    /// `len` bytes that hold anything, or what they last held when not more were asked for since.
    pub fn get(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() < len + LINE {
            self.bytes = vec![0; len + LINE];
        }
        let start = self.bytes.as_ptr().addr().wrapping_neg() % LINE;
        &mut self.bytes[start..start + len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_at_a_line_and_keeps_its_bytes() {
        let mut buffer = Aligned::default();
        buffer.get(100)[99] = 7;
        assert_eq!(buffer.get(100)[99], 7);
        for len in [0, 1, 100, 1000, 5] {
            let bytes = buffer.get(len);
            assert_eq!(bytes.len(), len);
            assert_eq!(bytes.as_ptr().addr() % LINE, 0);
        }
    }
}
