//! How long codes are, that together they are shortest: by Huffman's tree, made less deep where codes may not be as long.

use super::codes::LONGEST_CODE;
use super::symbols::SYMBOLS;

/// A key is how often a symbol occurs, and the symbol, in so many bits.
const SYMBOL_BITS: u32 = 9;
const SYMBOL: u32 = (1 << SYMBOL_BITS) - 1;
/// How often a symbol may occur.
pub(super) const MOST_TIMES: u32 = u32::MAX >> SYMBOL_BITS;

/// Nodes of a tree: leaves by their weights, and from the least on those that join two.
struct Tree {
    leaves: usize,
    weights: [u32; 2 * SYMBOLS],
    parents: [u16; 2 * SYMBOLS],
}

/// Sets in how many bits, `most` at most, symbols are written that occur so often: those that do, and two at least, as not
/// every reader takes a code that is alone.
pub(super) fn lengths(counts: &[u32], most: usize, lengths: &mut [u8]) {
    let (mut keys, mut used) = ([0; SYMBOLS], 0);
    for (symbol, &times) in counts.iter().enumerate().filter(|(_, times)| **times > 0) {
        debug_assert!(times <= MOST_TIMES);
        keys[used] = times << SYMBOL_BITS | symbol as u32;
        used += 1;
    }
    lengths.fill(0);
    if used < 2 {
        let only = if used > 0 { (keys[0] & SYMBOL) as usize } else { 0 };
        lengths[only] = 1;
        lengths[usize::from(only == 0)] = 1;
        return;
    }
    let keys = &mut keys[..used];
    keys.sort_unstable();
    let counts = of_each_length(&Tree::of(keys), most);
    // The least frequent have the longest.
    let mut symbols = keys.iter().map(|key| (key & SYMBOL) as usize);
    for len in (1..=most).rev() {
        for symbol in symbols.by_ref().take(counts[len]) {
            lengths[symbol] = len as u8;
        }
    }
}

impl Tree {
    /// That of symbols by their keys, which ascend: two at least.
    fn of(keys: &[u32]) -> Self {
        let leaves = keys.len();
        let mut tree = Tree { leaves, weights: [0; 2 * SYMBOLS], parents: [0; 2 * SYMBOLS] };
        for (weight, key) in tree.weights.iter_mut().zip(keys) {
            *weight = key >> SYMBOL_BITS;
        }
        // Both leaves and nodes that join are taken by their weights, so the least is the first of either.
        let (mut leaf, mut join) = (0, leaves);
        for node in leaves..tree.root() + 1 {
            for _ in 0..2 {
                let is_leaf = leaf < leaves && (join == node || tree.weights[leaf] <= tree.weights[join]);
                let next = if is_leaf { &mut leaf } else { &mut join };
                tree.parents[*next] = node as u16;
                tree.weights[node] += tree.weights[*next];
                *next += 1;
            }
        }
        tree
    }

    fn root(&self) -> usize {
        2 * self.leaves - 2
    }
}

/// How many codes of each length there are, when none has more than `most` bits.
fn of_each_length(tree: &Tree, most: usize) -> [usize; LONGEST_CODE + 1] {
    let mut depths = [0; 2 * SYMBOLS];
    let mut counts = [0; LONGEST_CODE + 1];
    for node in (0..tree.root()).rev() {
        depths[node] = depths[usize::from(tree.parents[node])] + 1;
        if node < tree.leaves {
            counts[most.min(depths[node])] += 1;
        }
    }
    // All bits of the longest codes that there are; those that were cut take more.
    let taken = |counts: &[usize]| (1..=most).map(|len| counts[len] << (most - len)).sum::<usize>();
    for _ in 1 << most..taken(&counts) {
        // One of the longest finds its place beside one that was shorter.
        let shorter =
            (1..most).rev().find(|&len| counts[len] > 0).expect("no more codes than there are places");
        counts[shorter] -= 1;
        counts[shorter + 1] += 2;
        counts[most] -= 1;
    }
    counts
}

#[cfg(test)]
mod tests;
