//! A look at a short stream that tells noise: Zstd makes tables and codes for each, which takes microseconds, only for noise to
//! be stored in the end. In long streams, it sees that itself.
//!
//! A short stream is noise when its bytes are about as frequent as by chance, and few places repeat three bytes, hardly
//! any two in a row. Then a code saves less than its description takes, and there are no matches to speak of. The limits are
//! well below what Zstd can use, which was found by trying: streams of bytes that were drawn from few or many, evenly or not,
//! of walks, of patterns with a little noise, and noise that repeats itself in one place, all lengths, all levels.
//!
//! A few hundred bytes that are no noise may be too little to be shrunk as well. A second look weighs them ([`cannot_fit`]), before
//! libzstd makes codes for them that do not pay for their description.

mod codes;

use super::tiny;
use crate::codec::noise::is_even_on_the_way;
use crate::codec::words::spread;

/// Streams of more bytes are long.
const SHORT: usize = 4096;
/// The lowest levels are soon done: longer streams are sooner compressed than looked at.
const SOON: (u8, usize) = (2, 256);
/// Streams of so many bytes are first looked at in a few places.
const LONG: usize = 256;
const BEGINNING: usize = 64;
/// Bytes that a match has at least.
const MATCH: usize = 3;
/// One of so many places may begin three bytes that stood before. Zstd saves something from one of 32 on.
const APART: usize = 96;
/// In so many places, the one before may do so, too: there, a match is longer. A frame takes 9 bytes.
const LONGER: usize = 6;
/// Slots for each byte of a stream, so that few places hide others.
const SPACE: usize = 4;
/// The most slots.
const SLOTS: usize = 1 << 13;

/// Where three bytes stood last, by a hash of them; had when first needed.
#[derive(Default)]
pub(super) struct Places(Option<Box<[u16; SLOTS]>>);

/// Whether Zstd is not going to shrink `src`, at a Blosc level, as far as a look tells that is worth its time.
pub(super) fn is_noise(places: &mut Places, clevel: u8, src: &[u8]) -> bool {
    if src.len() > SHORT || clevel <= SOON.0 && src.len() > SOON.1 {
        return false;
    }
    // Most that shrink show it here, for a fraction of what the whole look takes.
    let shows = src.len() >= LONG && (!is_even(&src[..BEGINNING]) || stands_twice(src, src.len() / 2));
    !shows && is_even(src) && !repeats(places, src, is_much_of(src.len()))
}

/// What a frame takes beside codes, if there are no matches: the header of literals, how the description of codes begins, and the number
/// of sequences.
const BESIDE_CODES: usize = tiny::BEFORE_LITERALS + 3 + 1 + 1;
/// Streams of so many bytes, with a match in them, have too few literals for codes.
const WITHOUT_CODES: usize = tiny::LITERALS + 1;

/// Whether Zstd cannot write a short stream in `room` bytes, at levels that leave few literals as they are: codes take more, and
/// hardly anything is repeated, or not enough.
pub(super) fn cannot_fit(places: &mut Places, src: &[u8], room: usize) -> bool {
    if src.len() > codes::MOST || room >= src.len() {
        return false;
    }
    let repeats = match src.len() {
        len @ ..=WITHOUT_CODES => {
            // Each match repeats the three bytes at all of its places but the last two.
            let matched = |repeated: usize, longer: usize| 3 * repeated - 2 * longer;
            repeats(places, src, |repeated, longer| {
                len + tiny::BESIDE_LITERALS <= room + matched(repeated, longer)
            })
        }
        len => repeats(places, src, is_much_of(len)),
    };
    !repeats && !codes_might_fit(src, room)
}

/// Whether codes for all of a stream, without matches, might take no more than so many bytes.
pub(super) fn codes_might_fit(src: &[u8], room: usize) -> bool {
    src.len() > codes::MOST || BESIDE_CODES + codes::least(src) <= room
}

/// Whether the three bytes at `at` stand elsewhere, too.
fn stands_twice(src: &[u8], at: usize) -> bool {
    let end = src.len() + 1 - MATCH;
    let [first, second, third] = [0, 1, 2].map(|i| &src[i..][..end]);
    let same = |i| (first[i] == first[at]) & (second[i] == second[at]) & (third[i] == third[at]);
    (0..end).map(|i| u16::from(same(i))).sum::<u16>() > 1
}

/// By how many pairs of equal bytes a stream may exceed what chance gives it. From these follows how much the best code can
/// save, and that limit is 15 to 18 bytes of streams below 256, and some 30 of longer ones. With frame and description, Zstd
/// needs 25 and 41.
fn spare_pairs(len: usize) -> usize {
    if len < 256 { 48 + len / 5 } else { len * 7 / 10 }
}

/// Whether bytes are about as frequent as by chance.
fn is_even(src: &[u8]) -> bool {
    is_even_on_the_way(src, spare_pairs(src.len()))
}

/// Whether so many repeated places, and so many that are behind another, are more than noise of that length has.
fn is_much_of(len: usize) -> impl Fn(usize, usize) -> bool {
    move |repeated, longer| repeated > 1 + len / APART || longer > LONGER
}

/// Whether three bytes stand in two places, so often, or behind others, that it is much. Where places share a slot, one may be missed.
fn repeats(places: &mut Places, src: &[u8], is_much: impl Fn(usize, usize) -> bool) -> bool {
    let bits = (SPACE * src.len()).clamp(2, SLOTS).ilog2();
    let slots = places.0.get_or_insert_with(|| Box::new([0; SLOTS]));
    slots[..1 << bits].fill(0);
    let three = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) << (32 - 8 * MATCH);
    let (mut repeated, mut longer, mut before) = (0, 0, false);
    for (at, here) in src.array_windows().enumerate() {
        let here = three(here);
        let slot = &mut slots[(spread(here) >> (32 - bits)) as usize % SLOTS];
        let there = usize::from(std::mem::replace(slot, at as u16));
        // An empty slot stands for the first place, which is no repetition of itself.
        let again = at > 0 && src[there..].first_chunk().is_some_and(|there| three(there) == here);
        if again {
            repeated += 1;
            longer += usize::from(before);
            if is_much(repeated, longer) {
                return true;
            }
        }
        before = again;
    }
    false
}

#[cfg(test)]
mod tests;
