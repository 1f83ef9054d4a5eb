//! Writing bits, the lowest of a byte first (RFC 1951, 3.1.1).

/// Where bits are written to. What does not fit is `None`.
pub(super) struct Bits<'a> {
    dst: &'a mut [u8],
    reached: Reached,
}

/// How far bits are written.
#[derive(Clone, Copy, Default)]
pub(super) struct Reached {
    /// Whole bytes that stand.
    len: usize,
    /// Bits that are still to be written, the first lowest, and how many.
    held: u64,
    count: u32,
}

impl Reached {
    /// How many bits that are.
    pub fn bits(&self) -> usize {
        8 * self.len + self.count as usize
    }
}

impl<'a> Bits<'a> {
    pub fn new(dst: &'a mut [u8]) -> Self {
        Bits { dst, reached: Reached::default() }
    }

    pub fn reached(&self) -> Reached {
        self.reached
    }

    /// Goes on where others came to, or back to where these were.
    pub fn go_on(&mut self, reached: Reached) {
        self.reached = reached;
    }

    /// The same place, for others that may fail.
    pub fn lend(&mut self) -> Bits<'_> {
        Bits { dst: self.dst, reached: self.reached }
    }

    /// Adds the lowest `count` bits of `bits`, which has no others. Between two calls of [`spill`](Self::spill), there is room
    /// for 56.
    #[inline(always)]
    pub fn put(&mut self, bits: u64, count: u32) {
        debug_assert!(self.reached.count + count < 64 && bits >> count == 0);
        self.reached.held |= bits << self.reached.count;
        self.reached.count += count;
    }

    /// How many bits are held.
    #[inline(always)]
    pub fn held(&self) -> u32 {
        self.reached.count
    }

    /// Writes the whole bytes of what is held: 7 bits are left at most.
    #[inline(always)]
    pub fn spill(&mut self) -> Option<()> {
        let Reached { len, held, count } = &mut self.reached;
        let (bytes, whole) = (held.to_le_bytes(), (*count / 8) as usize);
        let rest = self.dst.get_mut(*len..)?;
        match rest.first_chunk_mut() {
            // What is behind the whole bytes is written again.
            Some(word) => *word = bytes,
            None => rest.get_mut(..whole)?.copy_from_slice(&bytes[..whole]),
        }
        *len += whole;
        *held >>= *count & !7;
        *count &= 7;
        Some(())
    }

    /// Fills the last byte up with zeros, and tells how many bytes stand.
    pub fn align(&mut self) -> Option<usize> {
        self.put(0, self.reached.count.wrapping_neg() & 7);
        self.spill()?;
        Some(self.reached.len)
    }

    /// Adds bytes, behind whole ones.
    pub fn bytes(&mut self, bytes: &[u8]) -> Option<()> {
        debug_assert!(self.reached.count == 0);
        self.dst.get_mut(self.reached.len..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.reached.len += bytes.len();
        Some(())
    }

    /// Makes a bit a one, which is written or held.
    pub fn set(&mut self, bit: usize) {
        let Reached { len, held, .. } = &mut self.reached;
        match self.dst[..*len].get_mut(bit / 8) {
            Some(byte) => *byte |= 1 << (bit % 8),
            None => *held |= 1 << (bit - 8 * *len),
        }
    }

    /// Writes bytes over those that stand at `at`.
    pub fn replace(&mut self, at: usize, bytes: &[u8]) {
        self.dst[..self.reached.len][at..][..bytes.len()].copy_from_slice(bytes);
    }
}
