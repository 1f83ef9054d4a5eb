//! How long codes are: by weights, the more the shorter (RFC 8878, 4.2.1).

use super::{LONGEST, SYMBOLS, fse};

/// One more than the highest weight.
pub(super) const WEIGHTS: usize = LONGEST as usize + 1;

/// Weights below this one are those of nearly all symbols.
const RARE: usize = 8;

/// Symbols by their weights, those of the same one in order.
pub(super) struct Sorted {
    pub of: [[u8; SYMBOLS]; WEIGHTS],
    /// How many have each of the high weights.
    rare: [u8; WEIGHTS - RARE],
}

impl Sorted {
    pub fn new() -> Self {
        Sorted { of: [[0; SYMBOLS]; WEIGHTS], rare: [0; WEIGHTS - RARE] }
    }

    /// Adds a symbol with a high weight; `None` where that is too high.
    #[cold]
    #[inline(never)]
    fn push_rare(&mut self, weight: u8, symbol: u8) -> Option<()> {
        let count = self.rare.get_mut(usize::from(weight) - RARE)?;
        self.of[usize::from(weight)][usize::from(*count)] = symbol;
        *count = count.wrapping_add(1);
        Some(())
    }
}

/// Sorts symbols one after the other, as their weights are told.
#[derive(Clone, Copy, Default)]
pub(super) struct Sorter {
    /// How many have each of the low weights, in a byte each: there is no time to wait for what was just stored.
    counts: u64,
    all: usize,
}

impl Sorter {
    /// Puts the next symbol where its weight says; `None` where there are no more, or it is too high.
    #[inline(always)]
    pub fn push(&mut self, weight: u8, sorted: &mut Sorted) -> Option<()> {
        let symbol = u8::try_from(self.all).ok()?;
        if usize::from(weight) < RARE {
            let shift = 8 * u32::from(weight);
            sorted.of[usize::from(weight)][usize::from((self.counts >> shift) as u8)] = symbol;
            self.counts = self.counts.wrapping_add(1 << shift);
        } else {
            sorted.push_rare(weight, symbol)?;
        }
        self.all += 1;
        Some(())
    }

    /// How many have each weight.
    fn counts(&self, sorted: &Sorted) -> [u16; WEIGHTS] {
        let mut counts = [0; WEIGHTS];
        let all = self.counts.to_le_bytes().into_iter().chain(sorted.rare);
        counts.iter_mut().zip(all).for_each(|(to, count)| *to = u16::from(count));
        counts
    }
}

/// How many codes there are of each length.
pub(super) struct Lengths {
    /// For each weight: twice as many bits' worth of a table's cells for each more, none for 0.
    pub counts: [u16; WEIGHTS],
    /// Bits of the longest.
    pub longest: u32,
}

impl Lengths {
    /// Those that are described from there on, and where the description ends. Sorts the symbols.
    pub fn read(src: &[u8], from: usize, sorted: &mut Sorted) -> Option<(Self, usize)> {
        let (header, from) = (usize::from(*src.get(from)?), from + 1);
        // So many weights, of half a byte each; or so many bytes.
        let (sorter, to) = match header.checked_sub(127) {
            Some(count) => {
                let to = from + count.div_ceil(2);
                (in_halves(src.get(from..to)?, count, sorted)?, to)
            }
            None => (fse::read(src, from, from + header, sorted)?, from + header),
        };
        Some((Lengths::of(sorter, sorted)?, to))
    }

    /// With the last symbol, whose weight makes the sum a power of two.
    fn of(mut sorter: Sorter, sorted: &mut Sorted) -> Option<Self> {
        let mut counts = sorter.counts(sorted);
        let sum: u32 = (0..).zip(&counts[1..]).map(|(less, &count)| u32::from(count) << less).sum();
        let longest = sum.checked_ilog2()? + 1;
        let rest = (1 << longest) - sum;
        if longest > LONGEST || !rest.is_power_of_two() {
            return None;
        }
        let last = rest.ilog2() + 1;
        sorter.push(last as u8, sorted)?;
        counts[last as usize] += 1;
        // The longest codes come in pairs.
        (counts[1] >= 2 && counts[1].is_multiple_of(2)).then_some(Lengths { counts, longest })
    }
}

/// Sorts by so many weights, the high half of a byte before the low one.
fn in_halves(src: &[u8], count: usize, sorted: &mut Sorted) -> Option<Sorter> {
    let mut sorter = Sorter::default();
    for at in 0..count {
        let byte = *src.get(at / 2)?;
        sorter.push(if at % 2 == 0 { byte >> 4 } else { byte & 15 }, sorted)?;
    }
    Some(sorter)
}
