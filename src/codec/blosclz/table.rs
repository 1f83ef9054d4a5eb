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

/// Positions by hash. An empty slot reads as position 0, which is as good a candidate as any.
pub(super) type Slots<E> = [E; SLOTS];

const MOST_BITS: u32 = 14;
const SLOTS: usize = 1 << MOST_BITS;

/// What a thread keeps for compressing: tables, had when they are first needed.
#[derive(Default)]
pub struct Tables {
    /// For streams whose positions fit 16 bits: half the memory, so that it stays in the first cache.
    pub(super) short: Table<u16>,
    pub(super) long: Table<u32>,
}

/// One table's memory.
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
