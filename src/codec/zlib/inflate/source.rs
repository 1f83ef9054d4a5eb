//! Reading bits, the lowest of a byte first (RFC 1951, 3.1.1).

/// Bits of a stream, of which some are held.
#[derive(Clone)]
pub(super) struct Source<'a> {
    src: &'a [u8],
    /// The byte behind those that are held.
    at: usize,
    /// Bits, the first lowest. Behind `count` of them, there may be some of the next bytes.
    held: u64,
    count: u32,
}

impl<'a> Source<'a> {
    pub fn new(src: &'a [u8]) -> Self {
        Source { src, at: 0, held: 0, count: 0 }
    }

    /// Takes care that 56 bits are held, or all that are left.
    #[inline(always)]
    pub fn refill(&mut self) {
        if !self.refill_word() {
            self.refill_bytes();
        }
    }

    /// Takes care that 56 bits are held, when as much as a word is left behind them; tells whether it is.
    #[inline(always)]
    pub fn refill_word(&mut self) -> bool {
        let Some(word) = self.src[self.at..].first_chunk() else { return false };
        self.held |= u64::from_le_bytes(*word) << self.count;
        self.at += (63 - self.count as usize) / 8;
        self.count |= 56;
        true
    }

    #[inline(never)]
    fn refill_bytes(&mut self) {
        while self.count < 56
            && let Some(&byte) = self.src.get(self.at)
        {
            self.held |= u64::from(byte) << self.count;
            self.at += 1;
            self.count += 8;
        }
    }

    /// The bits that are held, and some more, which may be none of the stream's.
    #[inline(always)]
    pub fn peek(&self) -> u64 {
        self.held
    }

    /// Passes over bits that are held.
    #[inline(always)]
    pub fn skip(&mut self, count: u32) {
        debug_assert!(count <= self.count);
        self.held >>= count;
        self.count -= count;
    }

    /// Whether as many bits are held.
    pub fn has(&self, count: u32) -> bool {
        count <= self.count
    }

    /// As many bits; `None` when the stream has less.
    #[inline(always)]
    pub fn take(&mut self, count: u32) -> Option<u32> {
        if !self.has(count) {
            return None;
        }
        let bits = self.held as u32 & ((1 << count) - 1);
        self.skip(count);
        Some(bits)
    }

    /// How many bytes of the stream were taken, the last one in part maybe.
    pub fn reached(&self) -> usize {
        self.at - self.count as usize / 8
    }

    /// From the next whole byte on, how many are stored, as it is told twice.
    pub fn stored(&mut self) -> Option<usize> {
        (self.at, self.held, self.count) = (self.reached(), 0, 0);
        let [a, b, c, d] = *self.bytes(4)?.as_array()?;
        let len = u16::from_le_bytes([a, b]);
        (len == !u16::from_le_bytes([c, d])).then_some(usize::from(len))
    }

    /// As many bytes; no bits are held.
    pub fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        debug_assert!(self.count == 0);
        let bytes = self.src.get(self.at..)?.get(..len)?;
        self.at += len;
        Some(bytes)
    }
}
