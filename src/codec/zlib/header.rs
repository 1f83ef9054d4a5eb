//! What stands before a block with codes of its own: their lengths, in runs, which have codes themselves (RFC 1951, 3.2.7).

use super::bits::Bits;
use super::codes::{Code, Lengths, canonical};
use super::shortest;
use super::symbols::{DISTANCES, END, SYMBOLS};

/// The symbols of runs: a length, the last one again, or a few or many zeros.
pub(super) const RUNS: usize = 19;
pub(super) const AGAIN: usize = 16;
pub(super) const FEW: usize = 17;
pub(super) const MANY: usize = 18;
/// How long runs are, and the bits in which that is told.
pub(super) const AGAIN_TIMES: (usize, usize, u32) = (3, 6, 2);
pub(super) const FEW_TIMES: (usize, usize, u32) = (3, 10, 3);
pub(super) const MANY_TIMES: (usize, usize, u32) = (11, 138, 7);
/// The most bits of a run's code, and the bits in which their number is told.
const LONGEST_RUN_CODE: usize = 7;
pub(super) const RUN_LENGTH_BITS: u32 = 3;
/// In which order that is told of runs, 4 at least: the last ones may have none.
pub(super) const ORDER: [usize; RUNS] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
pub(super) const FEWEST_TOLD: usize = 4;
/// The bits in which it is told how many lengths there are of symbols, distances and runs.
pub(super) const NUMBERS: [u32; 3] = [5, 5, 4];

/// A run, and how often.
#[derive(Clone, Copy)]
struct Run {
    symbol: u8,
    times: u8,
    bits: u8,
}

pub(super) struct Header {
    runs: [Run; SYMBOLS + DISTANCES],
    len: usize,
    lengths: [u8; RUNS],
    /// How many lengths are told of symbols, distances and runs.
    told: [usize; 3],
    bits: usize,
}

impl Header {
    pub fn of(lengths: &Lengths) -> Self {
        let symbols = used(&lengths.symbols, END + 1);
        let distances = used(&lengths.distances, 1);
        let mut all = [0; SYMBOLS + DISTANCES];
        all[..symbols].copy_from_slice(&lengths.symbols[..symbols]);
        all[symbols..][..distances].copy_from_slice(&lengths.distances[..distances]);

        let mut header = Header {
            runs: [Run { symbol: 0, times: 0, bits: 0 }; SYMBOLS + DISTANCES],
            len: 0,
            lengths: [0; RUNS],
            told: [symbols, distances, 0],
            bits: 0,
        };
        header.find_runs(&all[..symbols + distances]);
        let mut counts = [0; RUNS];
        for run in &header.runs[..header.len] {
            counts[usize::from(run.symbol)] += 1;
            header.bits += usize::from(run.bits);
        }
        shortest::lengths(&counts, LONGEST_RUN_CODE, &mut header.lengths);
        header.told[2] = used(&ORDER.map(|run| header.lengths[run]), FEWEST_TOLD);
        header.bits += NUMBERS.iter().sum::<u32>() as usize + RUN_LENGTH_BITS as usize * header.told[2];
        header.bits += counts
            .iter()
            .zip(header.lengths)
            .map(|(&times, len)| times as usize * usize::from(len))
            .sum::<usize>();
        header
    }

    /// How many bits it takes.
    pub fn bits(&self) -> usize {
        self.bits
    }

    pub fn write(&self, bits: &mut Bits) -> Option<()> {
        for ((told, fewest), count) in self.told.into_iter().zip([END + 1, 1, FEWEST_TOLD]).zip(NUMBERS) {
            bits.put((told - fewest) as u64, count);
        }
        bits.spill()?;
        for run in &ORDER[..self.told[2]] {
            bits.put(u64::from(self.lengths[*run]), RUN_LENGTH_BITS);
            bits.spill()?;
        }
        let codes: [Code; RUNS] = canonical(&self.lengths);
        for run in &self.runs[..self.len] {
            let code = codes[usize::from(run.symbol)];
            bits.put(u64::from(code.bits), code.count);
            bits.put(u64::from(run.times), u32::from(run.bits));
            bits.spill()?;
        }
        Some(())
    }

    /// Makes runs of lengths.
    fn find_runs(&mut self, mut lengths: &[u8]) {
        while let Some(&first) = lengths.first() {
            let same = lengths.iter().take_while(|len| **len == first).count();
            let (_, most, _) = MANY_TIMES;
            let taken = if first == 0 && same >= MANY_TIMES.0 {
                self.run(MANY, same.min(most), MANY_TIMES)
            } else if first == 0 && same >= FEW_TIMES.0 {
                self.run(FEW, same, FEW_TIMES)
            } else {
                // The first stands for itself, and others are that again.
                let mut taken = self.run(usize::from(first), 1, (1, 1, 0));
                while same - taken >= AGAIN_TIMES.0 {
                    taken += self.run(AGAIN, (same - taken).min(AGAIN_TIMES.1), AGAIN_TIMES);
                }
                taken
            };
            lengths = &lengths[taken..];
        }
    }

    fn run(&mut self, symbol: usize, times: usize, (fewest, _, bits): (usize, usize, u32)) -> usize {
        self.runs[self.len] = Run { symbol: symbol as u8, times: (times - fewest) as u8, bits: bits as u8 };
        self.len += 1;
        times
    }
}

/// Up to the last that is not 0, but `fewest` at least.
fn used(lengths: &[u8], fewest: usize) -> usize {
    lengths.iter().rposition(|len| *len > 0).map_or(fewest, |last| fewest.max(last + 1))
}
