//! The match finder's memory: for each hash of a few bytes, the last position where they stood.

/// A position in a table, in as few bits as the stream allows.
pub(super) trait Entry: Copy + Default {
    fn of(at: usize) -> Self;
    fn at(self) -> usize;
}

impl Entry for u16 {
    #[inline(always)]
    fn of(at: usize) -> Self {
        at as u16
    }
    #[inline(always)]
    fn at(self) -> usize {
        usize::from(self)
    }
}

impl Entry for u32 {
    #[inline(always)]
    fn of(at: usize) -> Self {
        at as u32
    }
    #[inline(always)]
    fn at(self) -> usize {
        self as usize
    }
}

const MOST_BITS: u32 = 14;
const SLOTS: usize = 1 << MOST_BITS;

/// Positions by hash. An empty slot reads as position 0, which is as good a candidate as any.
pub(super) type Slots<E> = [E; SLOTS];

/// A table's memory, had when it is first needed.
pub(super) struct Table<E>(Option<Box<Slots<E>>>);

impl<E> Default for Table<E> {
    fn default() -> Self {
        Table(None)
    }
}

impl<E: Entry> Table<E> {
    /// The table, with its first `1 << bits` slots empty.
    pub(super) fn open(&mut self, bits: u32) -> &mut Slots<E> {
        match &mut self.0 {
            Some(slots) => {
                slots[..1 << bits.min(MOST_BITS)].fill(E::default());
                slots
            }
            none => none.insert(Box::new([E::default(); SLOTS])),
        }
    }
}

/// As a power of two, the slots that a level's table has.
pub(super) fn bits_of(clevel: u8) -> u32 {
    match clevel {
        0 | 1 => 12,
        2 => 13,
        _ => MOST_BITS,
    }
}

/// The position in slot `hash`, which from now on is `at`.
#[inline(always)]
pub(super) fn exchange<E: Entry>(slots: &mut Slots<E>, hash: usize, at: usize) -> usize {
    let slot = &mut slots[hash & (SLOTS - 1)];
    let before = slot.at();
    *slot = E::of(at);
    before
}

/// The eight bytes at `at`.
#[inline(always)]
pub(super) fn word(src: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&src[at..at + 8]);
    u64::from_le_bytes(bytes)
}

/// How many bytes at `from` and at `at` are equal. The last byte of `src` does not count: it is always a literal.
#[inline(always)]
pub(super) fn common(src: &[u8], from: usize, at: usize) -> usize {
    let limit = src.len() - 1 - at;
    let mut len = 0;
    while len + 8 <= limit {
        let differ = word(src, from + len) ^ word(src, at + len);
        if differ != 0 {
            return len + differ.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    while len < limit && src[from + len] == src[at + len] {
        len += 1;
    }
    len
}
