//! How codes are described: by the weights of all bytes but the last (RFC 8878, 4.2.1).

use super::super::sequences::bits::Writer;
use super::super::sequences::codes::Ways;
use super::super::sequences::often::{Counts, Often};
use super::huffman::Coder;

/// The most weights that may stand as they are, in half a byte each.
const HALVES: usize = 128;
/// The most bytes of weights by codes of their own.
const BYTES: usize = 127;
/// As a power of two, states of these codes.
const LOG: u32 = 5;
/// So many pairs of them go on in bits that a word has for sure.
const FLUSH: usize = 4;
/// One more than the greatest weight.
const WEIGHTS: usize = 12;

/// As many bytes as a description takes, and a word.
const ROOM: usize = 1 + BYTES + size_of::<u64>();

/// A description with its header, and how long it is.
pub(super) struct Description {
    bytes: [u8; ROOM],
    len: usize,
}

impl Description {
    /// Of a coder's codes; `None` where there is none.
    pub fn of(coder: &Coder) -> Option<Self> {
        let weights = &coder.weights[..coder.greatest()];
        by_codes(weights, coder.weights_below()).or_else(|| in_halves(weights))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Weights as they are.
fn in_halves(weights: &[u8]) -> Option<Description> {
    if weights.len() > HALVES {
        return None;
    }
    let mut bytes = [0; ROOM];
    bytes[0] = (BYTES + weights.len()) as u8;
    for (byte, two) in bytes[1..].iter_mut().zip(weights.chunks(2)) {
        *byte = two[0] << 4 | two.get(1).unwrap_or(&0);
    }
    Some(Description { bytes, len: 1 + weights.len().div_ceil(2) })
}

/// Weights by codes, where these take less than half a byte each.
#[inline(never)]
fn by_codes(weights: &[u8], counts: Counts<WEIGHTS>) -> Option<Description> {
    let often = Often::of(&counts, LOG)?;
    let mut bytes = [0; ROOM];
    let begin = 1 + often.write(&mut bytes[1..])?;
    let mut ways = Ways::NONE;
    often.fill(&mut ways);
    let len = begin + encode(&ways, weights, &mut bytes[begin..])?;
    let shorter = len - 1 <= BYTES && len - 1 < weights.len().div_ceil(2);
    bytes[0] = (len - 1) as u8;
    shorter.then_some(Description { bytes, len })
}

/// Writes weights from the last one to the first, with two states in turn, and tells how many bytes that takes; `None` when there is no
/// room for them.
#[inline(never)]
fn encode(ways: &Ways, weights: &[u8], bytes: &mut [u8]) -> Option<usize> {
    let mut bits = Writer::new(bytes);
    let (pairs, odd) = weights.as_chunks::<2>();
    // The last of each lead nowhere.
    let (pairs, mut one, mut other) = match (pairs, odd) {
        ([pairs @ .., [one, other]], []) => (pairs, ways.last(*one), ways.last(*other)),
        ([pairs @ .., [before, other]], [last]) => {
            let mut one = ways.last(*last);
            bits.put(ways.before(&mut one, *before));
            (pairs, one, ways.last(*other))
        }
        _ => return None,
    };
    for (at, &[first, second]) in pairs.iter().enumerate().rev() {
        bits.put(ways.before(&mut other, second));
        bits.put(ways.before(&mut one, first));
        if at % FLUSH == 0 {
            bits.flush();
        }
    }
    bits.put(ways.bits(other));
    bits.put(ways.bits(one));
    bits.end()
}
