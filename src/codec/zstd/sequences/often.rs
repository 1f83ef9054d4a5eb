//! How many states symbols get, by how often they stand, and how that is described (RFC 8878, 4.1.1).

use super::super::log::{FINE, log2};
use super::bits::Writer;
use super::codes::Ways;

/// How many states each of `N` symbols has.
pub(in super::super) struct Often<const N: usize> {
    /// As a power of two, all of them.
    log: u32,
    of: [i8; N],
    /// The symbols that have some.
    there: [u8; N],
    kinds: usize,
}

/// How often each of `N` symbols stands.
pub(in super::super) type Counts<const N: usize> = [u16; N];

impl<const N: usize> Often<N> {
    /// About as its part of all, of which there are less than 4096; `None` where that is no way to tell them, as they are all the same, or
    /// are of more kinds than there are states.
    pub fn of(counts: &Counts<N>, log: u32) -> Option<Self> {
        let (states, all) = (1 << log, counts.iter().map(|&count| u32::from(count)).sum::<u32>());
        // Parts of a state for one of them.
        let part = (states << PART) / all.max(1);
        let (mut there, mut kinds) = ([0u8; N], 0);
        let (mut of, mut given) = ([0; N], 0);
        for (symbol, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
            (there[kinds], kinds) = (symbol as u8, kinds + 1);
            let some = ((u32::from(count) * part + (1 << PART) / 2) >> PART).max(1);
            (of[symbol], given) = (some as i8, given + some);
        }
        if kinds < 2 || kinds > states as usize {
            return None;
        }
        let some = &there[..kinds];
        // From where one more or less changes least: by how many there are between both.
        let change = |symbol: u8, least: i8| {
            u32::from(counts[usize::from(symbol)]) * u32::from(HALVES[least as usize % HALVES.len()])
        };
        while given > states {
            let spare = some.iter().copied().filter(|&symbol| of[usize::from(symbol)] > 1);
            let least = spare.min_by_key(|&symbol| change(symbol, of[usize::from(symbol)] - 1))?;
            (of[usize::from(least)], given) = (of[usize::from(least)] - 1, given - 1);
        }
        while given < states {
            let most = some.iter().copied().max_by_key(|&symbol| change(symbol, of[usize::from(symbol)]))?;
            (of[usize::from(most)], given) = (of[usize::from(most)] + 1, given + 1);
        }
        // All states are never one symbol's.
        some.iter().all(|&symbol| (of[usize::from(symbol)] as u32) < states).then_some(Often {
            log,
            of,
            there,
            kinds,
        })
    }

    /// Describes them, and tells how many bytes that takes; `None` when there is no room for them, and a word.
    pub fn write(&self, bytes: &mut [u8]) -> Option<usize> {
        let mut bits = Writer::new(bytes);
        bits.put((u64::from(self.log - LEAST_LOG), 4));
        let (mut left, mut symbol) = (1u32 << self.log, 0);
        while left > 0 {
            let of = self.of[symbol];
            // From 0 to one more than are left: the first of these in one bit less than the others.
            let value = of as u32 + 1;
            let most = (left + 1).ilog2() + 1;
            let (half, first) = (1 << (most - 1), (1 << most) - 2 - left);
            let told = if value < half { value } else { value + first };
            bits.put((u64::from(told), most - u32::from(value < first)));
            left -= of as u32;
            symbol += 1;
            if of == 0 {
                // How many more have none: up to three, and then again.
                let more = self.of[symbol..].iter().take_while(|&&of| of == 0).count();
                for _ in 0..more / 3 {
                    bits.put((3, 2));
                    bits.flush();
                }
                bits.put((more as u64 % 3, 2));
                symbol += more;
            }
            bits.flush();
        }
        bits.end_open()
    }

    /// How to write them.
    pub fn fill(&self, ways: &mut Ways) {
        let symbols = self.there[..self.kinds].iter();
        ways.fill(self.log, symbols.map(|&symbol| (symbol, self.of[usize::from(symbol)])));
    }

    /// What symbols take, about, in parts of a bit.
    pub fn cost(&self, counts: &Counts<N>) -> u32 {
        let one =
            |symbol: usize| u32::from(counts[symbol]) * u32::from(cost(self.log, self.of[symbol] as u8));
        self.there[..self.kinds].iter().map(|&symbol| one(usize::from(symbol))).sum()
    }
}

/// What description says of a number of states, less that.
const LEAST_LOG: u32 = 5;
/// As a power of two, parts of a state.
const PART: u32 = 16;
/// By a number of states, parts of a whole by that and a half.
static HALVES: [u16; 64] = {
    let (mut all, mut n) = ([0; 64], 0);
    while n < 64 {
        all[n] = ((1 << 15) / (2 * n + 1)) as u16;
        n += 1;
    }
    all
};

/// By how many of 64 states a symbol has, what one takes, in parts of a bit.
const COST: [u16; 64] = {
    let mut all = [6 * FINE as u16; 64];
    let mut of = 2;
    while of < 64 {
        all[of] -= log2(of as u32) as u16;
        of += 1;
    }
    all
};

/// What a symbol takes that has so many states of all, which are a power of two, in parts of a bit.
#[inline(always)]
pub(in super::super) const fn cost(log: u32, of: u8) -> u16 {
    COST[((of as usize) << (6 - log)) % 64]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    #[test]
    fn all_states_are_given_and_each_symbol_has_some() {
        let mut random = Random::new(1);
        for log in [5, 6] {
            for _ in 0..5000 {
                let (kinds, most) = (1 + random.below(20), 1 + random.below(400));
                let mut counts = [0; 53];
                for _ in 0..kinds {
                    counts[random.below(53)] = 1 + random.below(most) as u16 / 8;
                }
                // One that stands much more often than all others would have all of them.
                counts[random.below(53)] = random.below(2000) as u16;
                let there = counts.iter().filter(|&&count| count > 0).count();
                let Some(often) = Often::of(&counts, log) else {
                    assert!(there < 2, "{counts:?}");
                    continue;
                };
                assert_eq!(often.of.iter().map(|&of| i32::from(of)).sum::<i32>(), 1 << log);
                assert!(
                    often.of.iter().zip(counts).all(|(&of, count)| (of > 0) == (count > 0)),
                    "{counts:?}"
                );
                assert!(
                    often.cost(&counts) / FINE
                        <= log * counts.iter().map(|&count| u32::from(count)).sum::<u32>()
                );
            }
        }
    }

    #[test]
    fn more_kinds_than_states_have_none() {
        assert!(Often::of(&[1; 33], 5).is_none());
        assert!(Often::of(&[1; 32], 5).is_some());
    }
}
