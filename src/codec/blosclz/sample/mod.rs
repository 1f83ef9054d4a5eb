//! Whether a window repeats itself enough to be worth a look at every place of it, told from a sample of its places.
//!
//! Two kinds of places are drawn, about one of 16 each. Some by what stands there: of every 16 places the one whose bytes
//! have the least hash, so that what stands in two places is mostly drawn in both. And some at random (always the same):
//! of what stands in many places, which may happen never to have the least hash, several are drawn.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod tests;

use super::bytes::hash_of_seven;
use crate::base::cpu::{self, Simd};
use crate::codec::words::{spread, word};

/// Places that are hashed together, next to each other but for what lies between.
const LANES: usize = 16;
/// Bytes of a hashed place.
const LANE: usize = 4;
/// What a row of places covers: with the rows that begin one, two and three bytes later, all places in it.
const ROW: usize = LANES * LANE;
/// Rows of which each lane has one place drawn.
const ROWS: usize = 16;
/// What those rows cover.
const GROUP: usize = ROWS / LANE * ROW;
/// What hashes and words reach beyond a group.
const BEYOND: usize = 8;
const GROUP_AND_BEYOND: usize = GROUP + BEYOND;
/// One of so many places is drawn at random.
const APART: usize = 16;
/// What stands in two places only is drawn in both, on average, once in so many times.
const RARE: usize = 31;
/// A place that repeats an earlier one saves so many bytes at most.
const SAVES: usize = 4;
/// So much less than what is expected is no chance.
const CHANCE: usize = 4;

/// Where fewer repetitions are expected, a sample is too small to tell.
const ENOUGH: usize = 2;

/// As a power of two, the slots for what is drawn.
const BITS: u32 = 12;

/// What tells slots of places drawn at random from others.
const AT_RANDOM: usize = 1 << (BITS - 1);

/// What was drawn: by some bits of a hash, some others.
#[derive(Default)]
pub(super) struct Drawn(Option<Box<[u16; 1 << BITS]>>);

impl Drawn {
    fn open(&mut self) -> &mut [u16; 1 << BITS] {
        let slots = self.0.get_or_insert_with(|| Box::new([0; 1 << BITS]));
        slots.fill(0);
        slots
    }
}

/// Whether matches cannot save `bytes` bytes of `window`, as far as a sample tells.
pub(super) fn saves_less(drawn: &mut Drawn, window: &[u8], bytes: usize) -> bool {
    let expected = bytes / (SAVES * RARE);
    if expected < ENOUGH {
        return false;
    }
    let (mut repeats, mut turn) = (0, 0);
    let slots = drawn.open();
    for at in (0..window.len()).step_by(GROUP) {
        let Some(group) = window[at..].first_chunk::<GROUP_AND_BEYOND>() else { break };
        for (lane, least) in least(group).into_iter().enumerate() {
            repeats += draw(slots, 0, group, start_of(least as usize % ROWS) + lane * LANE);
            // It may be the same place, which is no repetition.
            repeats += draw(slots, AT_RANDOM, group, lane * APART + random(&mut turn));
        }
        if repeats * CHANCE >= expected {
            return false;
        }
    }
    true
}

/// Draws a place, and tells whether its seven bytes, or others with the same hash, were drawn before in that way.
#[inline(always)]
fn draw(slots: &mut [u16; 1 << BITS], way: usize, group: &[u8; GROUP_AND_BEYOND], at: usize) -> usize {
    let hash = hash_of_seven(word(group, at)) >> (64 - 16 - BITS);
    let slot = &mut slots[((hash >> 16) as usize ^ way) % (1 << BITS)];
    let known = *slot == hash as u16;
    *slot = hash as u16;
    usize::from(known)
}

/// The next of some numbers below [`APART`], all as frequent, and without a period to speak of.
#[inline(always)]
fn random(turn: &mut u32) -> usize {
    *turn = turn.wrapping_add(0x9e37_79b9);
    (*turn >> 28) as usize
}

/// For each lane, the least hash of its places, with the row that it is in as the lowest bits.
#[inline(always)]
fn least(group: &[u8; GROUP_AND_BEYOND]) -> [u32; LANES] {
    match cpu::simd() {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => avx512::least(group),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => avx2::least(group),
        _ => least_scalar(group),
    }
}

/// By how many bits the last bytes of a place are turned before they meet the first.
const TURN: i32 = 15;

fn least_scalar(group: &[u8; GROUP_AND_BEYOND]) -> [u32; LANES] {
    let four = |at: usize| group[at..].first_chunk().map_or(0, |&bytes| u32::from_le_bytes(bytes));
    let mut least = [u32::MAX; LANES];
    for row in 0..ROWS {
        for (lane, least) in least.iter_mut().enumerate() {
            let at = start_of(row) + lane * LANE;
            let hash = spread(four(at) ^ four(at + LANE - 1).rotate_left(TURN as u32));
            *least = (hash & !(ROWS as u32 - 1) | row as u32).min(*least);
        }
    }
    least
}

/// Where a row of a group begins.
#[inline(always)]
fn start_of(row: usize) -> usize {
    row / LANE * ROW + row % LANE
}
