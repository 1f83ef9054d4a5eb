//! What bits stand for, when a code begins with them.

use super::super::codes::LONGEST_CODE;
use super::super::symbols::SYMBOLS;

/// What a code stands for. From the lowest bit on: how many bits that takes, in a byte; in five, how many of these are the
/// code's; what it is; in the upper half a number, or a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry(u32);

const CODE_AT: u32 = 8;
const CODE: u32 = 31;
const LITERAL: u32 = 1 << 13;
/// The end of a block, or a longer code's beginning, or none.
const SPECIAL: u32 = 1 << 14;
/// Of what is special, a longer code.
const LONGER: u32 = 1 << 15;
const VALUE_AT: u32 = 16;

impl Entry {
    /// What no code is.
    pub const NONE: Self = Entry(SPECIAL | CODE << CODE_AT);
    /// The end of a block.
    pub const END: Self = Entry(SPECIAL);

    pub const fn literal(byte: u8) -> Self {
        Entry(LITERAL | (byte as u32) << VALUE_AT)
    }

    /// A number from `base` on, told by some more bits.
    pub const fn number(base: usize, extra: u32) -> Self {
        Entry((base as u32) << VALUE_AT | extra)
    }

    /// The same with its code.
    const fn coded(self, bits: u32) -> Self {
        if self.0 == Self::NONE.0 { self } else { Entry(self.0 + (bits << CODE_AT) + bits) }
    }

    /// Codes that begin alike, of which the rest is looked up among `1 << bits` entries from `start` on.
    const fn longer(start: usize, bits: u32) -> Self {
        Entry(SPECIAL | LONGER | (start as u32) << VALUE_AT | bits)
    }

    #[inline(always)]
    pub const fn is_literal(self) -> bool {
        self.0 & LITERAL != 0
    }

    #[inline(always)]
    pub const fn is_special(self) -> bool {
        self.0 & SPECIAL != 0
    }

    #[inline(always)]
    const fn is_longer(self) -> bool {
        self.0 & (SPECIAL | LONGER) == SPECIAL | LONGER
    }

    /// How many bits all of it takes.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0 & 0xff
    }

    /// How many bits the code takes.
    #[inline(always)]
    const fn code_bits(self) -> u32 {
        self.0 >> CODE_AT & CODE
    }

    #[inline(always)]
    pub const fn byte(self) -> u8 {
        (self.0 >> VALUE_AT) as u8
    }

    /// The number, without.
    pub const fn base(self) -> usize {
        (self.0 >> VALUE_AT) as usize
    }

    /// The number, with what the bits behind the code add to it.
    #[inline(always)]
    pub const fn number_in(self, bits: u64) -> usize {
        let taken = bits & ((1 << self.bits()) - 1);
        self.base() + (taken >> self.code_bits()) as usize
    }
}

/// Entries for `ROOT` bits, and behind these, for codes that are longer.
pub(super) struct Table<const ROOT: u32, const SIZE: usize>([Entry; SIZE]);

impl<const ROOT: u32, const SIZE: usize> Default for Table<ROOT, SIZE> {
    fn default() -> Self {
        Table([Entry::NONE; SIZE])
    }
}

impl<const ROOT: u32, const SIZE: usize> Table<ROOT, SIZE> {
    /// What bits begin with, unless a longer code does.
    #[inline(always)]
    pub fn short(&self, bits: u64) -> Entry {
        self.0[bits as usize % (1 << ROOT)]
    }

    /// What bits begin with, when all that is known is `entry`; `None` when that is no code.
    #[inline(always)]
    pub fn long(&self, entry: Entry, bits: u64) -> Option<Entry> {
        if !entry.is_longer() {
            return (entry != Entry::NONE).then_some(entry);
        }
        let start = entry.base();
        let rest = (bits >> ROOT) as usize & ((1 << entry.bits()) - 1);
        let entry = self.0[(start + rest) % SIZE];
        (entry != Entry::NONE).then_some(entry)
    }

    /// Makes it that of codes of so many bits. `None` when there are more codes than bits for them, or less: unless one is `alone`,
    /// or none is there.
    pub fn set(&mut self, lengths: &[u8], alone: bool, entry: impl Fn(usize) -> Entry) -> Option<()> {
        let mut counts = counts(lengths);
        let most = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
        is_complete(&counts, most, alone).then_some(())?;
        let mut sorted = [0; SYMBOLS];
        let sorted = sort(lengths, &counts, &mut sorted);

        self.0[..2].fill(Entry::NONE);
        // So many bits are told apart.
        let mut known = 1;
        let mut free = 1 << ROOT;
        // The first bit lowest.
        let mut code = 0;
        for symbol in sorted {
            let symbol = usize::from(*symbol);
            let len = u32::from(lengths[symbol]);
            while known < len.min(ROOT) {
                self.0.copy_within(..1 << known, 1 << known);
                known += 1;
            }
            let coded = entry(symbol).coded(len);
            if len <= ROOT {
                self.0[code] = coded;
            } else {
                let root = code % (1 << ROOT);
                if code >> ROOT == 0 {
                    // The first of those that begin so, and shorter than the others.
                    let bits = longer_bits(&counts, len, ROOT);
                    self.0[root] = Entry::longer(free, bits);
                    free += 1 << bits;
                }
                let longer = self.0[root];
                let start = longer.base();
                let places = self.0.get_mut(start..start + (1 << longer.bits()))?;
                places
                    .iter_mut()
                    .skip(code >> ROOT)
                    .step_by(1 << (len - ROOT))
                    .for_each(|place| *place = coded);
            }
            counts[len as usize] -= 1;
            code = following(code, len);
        }
        while known < ROOT {
            self.0.copy_within(..1 << known, 1 << known);
            known += 1;
        }
        Some(())
    }
}

/// How many codes there are of each length.
fn counts(lengths: &[u8]) -> [u16; LONGEST_CODE + 1] {
    let mut counts = [0; LONGEST_CODE + 1];
    for len in lengths {
        counts[usize::from(*len) % (LONGEST_CODE + 1)] += 1;
    }
    counts[0] = 0;
    counts
}

/// Whether codes are as many as there are bits for. Zlib takes one that is alone, with a bit, and none at all, which must not be
/// used.
fn is_complete(counts: &[u16; LONGEST_CODE + 1], most: usize, alone: bool) -> bool {
    let taken = (1..=LONGEST_CODE).map(|len| usize::from(counts[len]) << (LONGEST_CODE - len)).sum::<usize>();
    taken == 1 << LONGEST_CODE || taken == 0 || alone && most == 1 && taken < 1 << LONGEST_CODE
}

/// Symbols that have codes, by their lengths.
fn sort<'a>(lengths: &[u8], counts: &[u16; LONGEST_CODE + 1], sorted: &'a mut [u16; SYMBOLS]) -> &'a [u16] {
    let mut places = [0; LONGEST_CODE + 2];
    for len in 1..=LONGEST_CODE {
        places[len + 1] = places[len] + usize::from(counts[len]);
    }
    for (symbol, len) in lengths.iter().enumerate().filter(|(_, len)| **len > 0) {
        let place = &mut places[usize::from(*len) % (LONGEST_CODE + 1)];
        sorted[*place % SYMBOLS] = symbol as u16;
        *place += 1;
    }
    &sorted[..places[LONGEST_CODE]]
}

/// How many bits those have behind `root` that begin as one does of `len`, when so `many` are left: it is the first of them, and
/// none is shorter.
fn longer_bits(many: &[u16; LONGEST_CODE + 1], len: u32, root: u32) -> u32 {
    let mut bits = len - root;
    let mut left = 1i32 << bits;
    while ((bits + root) as usize) < LONGEST_CODE {
        left -= i32::from(many[(bits + root) as usize]);
        if left <= 0 {
            break;
        }
        bits += 1;
        left <<= 1;
    }
    bits
}

/// The code behind one of `len` bits, the first bit lowest.
fn following(code: usize, len: u32) -> usize {
    // Ones at the end become zeros, and the zero before them a one.
    let zeros = !code & ((1 << len) - 1);
    if zeros == 0 {
        return 0;
    }
    let zero = 1 << zeros.ilog2();
    code & (zero - 1) | zero
}
