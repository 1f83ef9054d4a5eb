//! What a search remembers: for each hash of a few bytes, where they stood last. Hashes and sizes are liblz4's, so that the same
//! matches are found.

use crate::codec::entry::Entry;
use crate::codec::words::spread;

/// A position in a table, and the slot that it belongs in.
pub(super) trait Hashed: Entry {
    type Table: AsMut<[Self]>;

    /// A thread's table of such positions.
    fn table(tables: &mut Tables) -> &mut Self::Table;
    /// The slot for the bytes that `word` begins with.
    fn slot(table: &mut Self::Table, word: u64) -> &mut Self;
    /// Whether a match may go back so far.
    fn reaches(distance: usize) -> bool;
}

/// Slots, as powers of two.
const SHORT_BITS: u32 = 13;
const LONG_BITS: u32 = 12;

/// Where streams are so short that every distance fits.
impl Hashed for u16 {
    type Table = [u16; 1 << SHORT_BITS];

    fn table(tables: &mut Tables) -> &mut Self::Table {
        tables.short.get_or_insert_with(|| Box::new([0; 1 << SHORT_BITS]))
    }

    #[inline(always)]
    fn slot(table: &mut Self::Table, word: u64) -> &mut Self {
        &mut table[(spread(word as u32) >> (u32::BITS - SHORT_BITS)) as usize]
    }

    #[inline(always)]
    fn reaches(_: usize) -> bool {
        true
    }
}

impl Hashed for u32 {
    type Table = [u32; 1 << LONG_BITS];

    fn table(tables: &mut Tables) -> &mut Self::Table {
        tables.long.get_or_insert_with(|| Box::new([0; 1 << LONG_BITS]))
    }

    #[inline(always)]
    fn slot(table: &mut Self::Table, word: u64) -> &mut Self {
        &mut table[((word << 24).wrapping_mul(889_523_592_379) >> (u64::BITS - LONG_BITS)) as usize]
    }

    #[inline(always)]
    fn reaches(distance: usize) -> bool {
        distance <= usize::from(u16::MAX)
    }
}

/// A thread's tables, had when they are first needed.
#[derive(Default)]
pub(super) struct Tables {
    short: Option<Box<<u16 as Hashed>::Table>>,
    long: Option<Box<<u32 as Hashed>::Table>>,
}

/// The table for one stream. An empty slot says what one says of the stream's first bytes.
pub(super) struct Slots<'a, E: Hashed>(&'a mut E::Table);

impl<'a, E: Hashed> Slots<'a, E> {
    pub(super) fn empty(tables: &'a mut Tables) -> Self {
        let table = E::table(tables);
        table.as_mut().fill(E::default());
        Slots(table)
    }

    /// Where bytes as those that `word` begins with stood before; the next time, it will be `at`.
    #[inline(always)]
    pub(super) fn exchange(&mut self, word: u64, at: usize) -> usize {
        std::mem::replace(E::slot(self.0, word), E::of(at)).at()
    }
}
