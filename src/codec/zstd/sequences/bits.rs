//! Bits that are read from the last one written to the first.

/// As many bits as a word has from any bit of its first byte on, and one less.
const AT_ONCE: u32 = 56;

/// Bits in the making.
pub(in super::super) struct Writer<'a> {
    bytes: &'a mut [u8],
    len: usize,
    waiting: u64,
    count: u32,
}

impl<'a> Writer<'a> {
    /// Bits that are written there, where a word more than they take is needed.
    pub fn new(bytes: &'a mut [u8]) -> Self {
        Writer { bytes, len: 0, waiting: 0, count: 0 }
    }

    /// Adds so many bits: [`AT_ONCE`] at most since the last [`flush`](Self::flush).
    #[inline(always)]
    pub fn put(&mut self, (bits, count): (u64, u32)) {
        self.waiting |= bits << self.count;
        self.count += count;
    }

    /// Moves whole bytes out of the way.
    #[inline(always)]
    pub fn flush(&mut self) {
        if let Some(to) = self.bytes.get_mut(self.len..).and_then(|bytes| bytes.first_chunk_mut()) {
            *to = self.waiting.to_le_bytes();
        }
        let bytes = self.count / 8;
        self.len += bytes as usize;
        self.waiting >>= 8 * bytes;
        self.count %= 8;
    }

    /// Tells how many bytes they take, where something else tells their end; `None` when there was no room for them.
    pub fn end_open(mut self) -> Option<usize> {
        self.flush();
        let fits = self.len + size_of::<u64>() <= self.bytes.len();
        fits.then_some(self.len + usize::from(self.count > 0))
    }

    /// Adds the bit that ends them, and tells how many bytes they take; `None` when there was no room for them.
    pub fn end(mut self) -> Option<usize> {
        self.put((1, 1));
        self.end_open()
    }
}

/// Bits that are left to read.
pub(in super::super) struct Reader<'a> {
    bytes: &'a [u8],
    left: usize,
}

impl<'a> Reader<'a> {
    /// Those before the bit that ends them; `None` without one.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let last = bytes.last()?.checked_ilog2()?;
        Some(Reader { bytes, left: 8 * (bytes.len() - 1) + last as usize })
    }

    /// The next bits, to be taken one after the other; `None` when there are less, or they are more than a word has for sure.
    #[inline(always)]
    pub fn word(&mut self, count: u32) -> Option<Word> {
        self.left = self.left.checked_sub(count as usize).filter(|_| count <= AT_ONCE)?;
        let rest = &self.bytes[self.left / 8..];
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        Some(Word { bits: word >> (self.left % 8), count })
    }

    pub fn is_empty(&self) -> bool {
        self.left == 0
    }
}

/// Bits that were read, the first highest.
pub(in super::super) struct Word {
    bits: u64,
    count: u32,
}

impl Word {
    /// The next of them: so many.
    #[inline(always)]
    pub fn take(&mut self, count: u32) -> u64 {
        self.count -= count;
        self.bits >> self.count & ((1 << count) - 1)
    }
}
