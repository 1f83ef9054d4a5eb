//! What bits mean: the symbol whose code they begin with, and how long that is.

use super::weights::{Lengths, Sorted};

/// Entries of a table for codes of short streams, and for all.
pub(super) const SHORT: usize = 1 << 9;
pub(super) const LONG: usize = 1 << super::LONGEST;

/// For all bits that may come next: a symbol, and how many bits its code has. Each in bytes of its own: a processor loads two
/// sooner than it takes one apart.
pub(super) struct Table<const N: usize> {
    symbols: [u8; N],
    bits: [u8; N],
}

impl<const N: usize> Table<N> {
    /// Of codes that are not longer than it has bits for.
    pub fn new(lengths: &Lengths, sorted: &Sorted) -> Self {
        let mut table = Table { symbols: [0; N], bits: [0; N] };
        let (mut cells, mut bits) = (&mut table.symbols[..], &mut table.bits[..]);
        for (weight, (&count, symbols)) in
            lengths.counts.iter().zip(&sorted.of).enumerate().take(lengths.longest as usize + 1).skip(1)
        {
            let symbols = &symbols[..usize::from(count)];
            let each = (1 << (weight - 1) << N.ilog2()) >> lengths.longest;
            let (now, now_bits);
            (now, cells) = cells.split_at_mut(symbols.len() * each);
            (now_bits, bits) = bits.split_at_mut(symbols.len() * each);
            fill(now, each, symbols);
            now_bits.fill(lengths.longest as u8 + 1 - weight as u8);
        }
        table
    }

    /// What the highest bits mean.
    #[inline(always)]
    pub fn entry(&self, word: u64) -> (u8, u32) {
        let at = (word >> (u64::BITS - N.ilog2())) as usize;
        (self.symbols[at], u32::from(self.bits[at]))
    }
}

/// Fills so many cells for each symbol: a power of two.
#[inline(always)]
fn fill(cells: &mut [u8], each: usize, symbols: &[u8]) {
    match each {
        1 => cells.copy_from_slice(symbols),
        2 => fill_by::<2>(cells, 1, symbols),
        4 => fill_by::<4>(cells, 1, symbols),
        8 => fill_by::<8>(cells, 1, symbols),
        _ => fill_by::<16>(cells, each / 16, symbols),
    }
}

/// Fills `times` pieces for each symbol.
#[inline(always)]
fn fill_by<const PIECE: usize>(cells: &mut [u8], times: usize, symbols: &[u8]) {
    let mut pieces = cells.as_chunks_mut::<PIECE>().0.iter_mut();
    for &symbol in symbols {
        pieces.by_ref().take(times).for_each(|piece| *piece = [symbol; PIECE]);
    }
}
