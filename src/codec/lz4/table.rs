//! What a search remembers: for each hash of a few bytes, where they stood last. Hashes and sizes are liblz4's, so that the same
//! matches are found.

/// A position in a table.
pub(super) trait Entry: Copy + Default {
    /// Slots, as a power of two. (Numbers have a `BITS` of their own.)
    const HASH_BITS: u32;

    fn of(at: usize) -> Self;
    fn at(self) -> usize;
    /// A hash of the first bytes of a word, in its [`HASH_BITS`](Self::HASH_BITS) lowest bits.
    fn hash(word: u64) -> usize;
    /// Whether a match may go back so far.
    fn reaches(distance: usize) -> bool;
    /// The table of such positions.
    fn table(tables: &mut Tables) -> &mut [Self; SLOTS];
}

/// Slots that a table has room for.
pub(super) const SLOTS: usize = 1 << 13;

/// Where streams are so short that every distance fits.
impl Entry for u16 {
    const HASH_BITS: u32 = 13;

    #[inline(always)]
    fn of(at: usize) -> Self {
        at as u16
    }

    #[inline(always)]
    fn at(self) -> usize {
        usize::from(self)
    }

    #[inline(always)]
    fn hash(word: u64) -> usize {
        ((word as u32).wrapping_mul(2_654_435_761) >> (u32::BITS - Self::HASH_BITS)) as usize
    }

    #[inline(always)]
    fn reaches(_: usize) -> bool {
        true
    }

    fn table(tables: &mut Tables) -> &mut [Self; SLOTS] {
        tables.short.get_or_insert_with(|| Box::new([0; SLOTS]))
    }
}

impl Entry for u32 {
    const HASH_BITS: u32 = 12;

    #[inline(always)]
    fn of(at: usize) -> Self {
        at as u32
    }

    #[inline(always)]
    fn at(self) -> usize {
        self as usize
    }

    #[inline(always)]
    fn hash(word: u64) -> usize {
        ((word << 24).wrapping_mul(889_523_592_379) >> (u64::BITS - Self::HASH_BITS)) as usize
    }

    #[inline(always)]
    fn reaches(distance: usize) -> bool {
        distance <= usize::from(u16::MAX)
    }

    fn table(tables: &mut Tables) -> &mut [Self; SLOTS] {
        tables.long.get_or_insert_with(|| Box::new([0; SLOTS]))
    }
}

/// A thread's tables, had when they are first needed.
#[derive(Default)]
pub(super) struct Tables {
    short: Option<Box<[u16; SLOTS]>>,
    long: Option<Box<[u32; SLOTS]>>,
}

/// The table for one stream. An empty slot says what one says of the stream's first bytes.
pub(super) struct Slots<'a, E>(&'a mut [E; SLOTS]);

impl<'a, E: Entry> Slots<'a, E> {
    pub(super) fn empty(tables: &'a mut Tables) -> Self {
        let slots = E::table(tables);
        slots[..1 << E::HASH_BITS].fill(E::default());
        Slots(slots)
    }

    /// Where bytes as those that `word` begins with stood before; the next time, it will be `at`.
    #[inline(always)]
    pub(super) fn exchange(&mut self, word: u64, at: usize) -> usize {
        let slot = &mut self.0[E::hash(word) & (SLOTS - 1)];
        std::mem::replace(slot, E::of(at)).at()
    }
}
