//! What a search remembers: for each hash of a few bytes, where they stood last. Hashes and sizes are liblz4's, so that the same
//! matches are found.

use crate::codec::entry::Entry;
use crate::codec::words::spread;

/// Streams, by how their positions are remembered.
pub(super) trait Streams {
    type Position: Entry;
    type Table;
    /// Whether slots may tell of other streams.
    const SHARED: bool;

    /// A thread's table for a stream of `len` bytes, and the position that its first byte has there.
    fn table(tables: &mut Tables, len: usize) -> (&mut Self::Table, usize);
    /// The slot for the bytes that `word` begins with.
    fn slot(table: &mut Self::Table, word: u64) -> &mut Self::Position;
    /// Whether a match may go back so far.
    fn reaches(distance: usize) -> bool;
}

/// Slots, as powers of two.
const SHORT_BITS: u32 = 13;
const LONG_BITS: u32 = 12;
/// So many positions fit a slot for short streams.
const POSITIONS: usize = 1 << u16::BITS;

/// Those that are so short that every distance fits. A table may be `SHARED`: then each has positions of its own in it, behind those
/// before.
pub(super) enum Near<const SHARED: bool> {}

/// Those for which the table is emptied.
pub(super) type Short = Near<false>;
/// Those of fewer bytes than it takes to empty it.
pub(super) type Tiny = Near<true>;

impl<const SHARED: bool> Streams for Near<SHARED> {
    type Position = u16;
    type Table = [u16; 1 << SHORT_BITS];
    const SHARED: bool = SHARED;

    fn table(tables: &mut Tables, len: usize) -> (&mut Self::Table, usize) {
        let Tables { short, used, .. } = tables;
        let first = if SHARED && *used + len <= POSITIONS { *used } else { 0 };
        *used = first + len;
        (if first > 0 { kept(short) } else { emptied(short) }, first)
    }

    #[inline(always)]
    fn slot(table: &mut Self::Table, word: u64) -> &mut u16 {
        &mut table[(spread(word as u32) >> (u32::BITS - SHORT_BITS)) as usize]
    }

    #[inline(always)]
    fn reaches(_: usize) -> bool {
        true
    }
}

/// All others.
pub(super) enum Long {}

impl Streams for Long {
    type Position = u32;
    type Table = [u32; 1 << LONG_BITS];
    const SHARED: bool = false;

    fn table(tables: &mut Tables, _: usize) -> (&mut Self::Table, usize) {
        (emptied(&mut tables.long), 0)
    }

    #[inline(always)]
    fn slot(table: &mut Self::Table, word: u64) -> &mut u32 {
        &mut table[((word << 24).wrapping_mul(889_523_592_379) >> (u64::BITS - LONG_BITS)) as usize]
    }

    #[inline(always)]
    fn reaches(distance: usize) -> bool {
        distance <= usize::from(u16::MAX)
    }
}

fn kept<E: Entry, const N: usize>(table: &mut Option<Box<[E; N]>>) -> &mut [E; N] {
    table.get_or_insert_with(|| Box::new([E::default(); N]))
}

fn emptied<E: Entry, const N: usize>(table: &mut Option<Box<[E; N]>>) -> &mut [E; N] {
    let table = kept(table);
    table.fill(E::default());
    table
}

/// A thread's tables, had when they are first needed.
#[derive(Default)]
pub(super) struct Tables {
    short: Option<Box<<Short as Streams>::Table>>,
    /// So many positions there are in it, of one stream or more.
    used: usize,
    long: Option<Box<<Long as Streams>::Table>>,
}

#[cfg(test)]
impl Tables {
    pub(super) fn used(&self) -> usize {
        self.used
    }
}

/// The table for one stream. A slot that is empty, or tells of another stream, says what one says of the stream's first bytes.
pub(super) struct Slots<'a, S: Streams> {
    table: &'a mut S::Table,
    first: usize,
}

impl<'a, S: Streams> Slots<'a, S> {
    /// For a stream of `len` bytes.
    pub(super) fn new(tables: &'a mut Tables, len: usize) -> Self {
        let (table, first) = S::table(tables, len);
        Slots { table, first }
    }

    /// Where bytes as those that `word` begins with stood before; the next time, it will be `at`.
    #[inline(always)]
    pub(super) fn exchange(&mut self, word: u64, at: usize) -> usize {
        let first = if S::SHARED { self.first } else { 0 };
        std::mem::replace(S::slot(self.table, word), Entry::of(first + at)).at().saturating_sub(first)
    }
}
