//! The match finder's memory: for each hash of a few bytes, the last position where they stood.

use super::sample::Drawn;
use crate::codec::entry::Entry;

/// Positions by hash. An empty slot reads as position 0, which is as good a candidate as any.
pub(super) type Slots<E> = [E; SLOTS];

pub(super) const MOST_BITS: u32 = 14;
pub(super) const SLOTS: usize = 1 << MOST_BITS;

/// What a thread keeps for compressing: tables, had when they are first needed.
#[derive(Default)]
pub struct Tables {
    /// For streams whose positions fit 16 bits: half the memory, so that it stays in the first cache.
    pub(super) short: Table<u16>,
    pub(super) long: Table<u32>,
    /// For looks at short streams.
    pub(super) lasting: Lasting,
    /// For what looks draw of a stream.
    pub(super) drawn: Drawn,
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

    /// The table as it was left.
    fn kept(&mut self) -> &mut Slots<E> {
        self.0.get_or_insert_with(|| Box::new([E::default(); SLOTS]))
    }
}

/// A table that is not emptied between short streams, which would take longer than they do: positions count on from one
/// to the next, and those before the present one stand for empty slots.
#[derive(Default)]
pub(super) struct Lasting {
    table: Table<u16>,
    next: usize,
}

impl Lasting {
    /// The table, and the position that stands for the first of `len` bytes.
    pub(super) fn open(&mut self, len: usize) -> (&mut Slots<u16>, usize) {
        let end = self.next + len;
        let lasts = self.next > 0 && end <= usize::from(u16::MAX);
        let start = if lasts { self.next } else { 0 };
        self.next = start + len;
        (if lasts { self.table.kept() } else { self.table.open(MOST_BITS) }, start)
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
