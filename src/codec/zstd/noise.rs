//! A look at a short stream that tells noise: Zstd makes tables and codes for each, which takes microseconds, only for noise to
//! be stored in the end. In long streams, it sees that itself.
//!
//! A short stream is noise when its bytes are about as frequent as by chance, and few places repeat three bytes, hardly
//! any two in a row. Then a code saves less than its description takes, and there are no matches to speak of. The limits are
//! well below what Zstd can use, which was found by trying: streams of bytes that were drawn from few or many, evenly or not,
//! of walks, of patterns with a little noise, and noise that repeats itself in one place, all lengths, all levels.
//!
//! A few hundred bytes that are no noise may be too little to be shrunk as well. A second look weighs them ([`Fits`]), before
//! libzstd makes codes for them that do not pay for their description.

mod codes;

use super::tiny;
use crate::codec::noise::is_even_on_the_way;
use crate::codec::words::spread;

/// Streams of more bytes are long.
const SHORT: usize = 4096;
/// At the lowest levels, longer streams are sooner compressed than looked at.
const SOON: (u8, usize) = (2, 256);
/// Streams of so many bytes are first looked at in a few places.
const LONG: usize = 256;
const BEGINNING: usize = 64;
/// Bytes that a match has at least.
const MATCH: usize = 3;
/// The same at the levels that are asked whether short streams fit.
const LONGER_MATCH: usize = 4;
/// One of so many places may begin three bytes that stood before. Zstd saves something from one of 32 on.
const APART: usize = 96;
/// In so many places, the one before may do so, too: there, a match is longer. A frame takes 9 bytes.
const LONGER: usize = 6;
/// Slots for each byte of a stream, so that few places hide others.
const SPACE: usize = 4;
/// The most slots.
const SLOTS: usize = 1 << 13;

/// Where three bytes, or four, stood last, by a hash of them; had when first needed.
#[derive(Default)]
pub(super) struct Places(Option<Box<[u16; SLOTS]>>);

/// Whether Zstd is not going to shrink `src`, at a Blosc level, as far as a look tells that is worth its time.
pub(super) fn is_noise(places: &mut Places, clevel: u8, src: &[u8]) -> bool {
    if src.len() > SHORT || clevel <= SOON.0 && src.len() > SOON.1 {
        return false;
    }
    // Most that shrink show it here, for a fraction of what the whole look takes.
    let shows = src.len() >= LONG && (!is_even(&src[..BEGINNING]) || stands_twice(src, src.len() / 2));
    !shows && is_even(src) && repeats(places, src, is_much_of(src.len())).is_some()
}

/// What a frame takes beside codes: the header of literals, what the description of codes is described by, and the number of sequences.
const BESIDE_CODES: usize = tiny::BEFORE_LITERALS + 3 + 4 + 1;
/// One in so many bytes is lost where codes are whole bits.
const WHOLE_BITS: usize = 64;
/// Literals of so many bytes have codes in four parts, of which three tell their length, and a longer header.
const IN_PARTS: usize = 256;
const BESIDE_PARTS: usize = 7;
/// Bytes like the one before that save more than any frame takes beside literals.
const ALIKE: usize = 64;
/// So many bytes are looked at for how many kinds there are, of which so many are few.
const SEEN: usize = 64;
const FEW: u32 = 24;
/// Bytes that libzstd leaves behind a frame, at least, where it shrinks what is as short.
const LEFT: usize = 7;

/// What makes a short stream fit into some room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fits {
    /// It does not: what is not repeated takes more, as it stands and with codes.
    Never,
    /// Matches, if anything: codes for its bytes take more.
    ByMatches,
    /// Who knows.
    Maybe,
}

impl Fits {
    /// Of `src` into `room` bytes, at levels that look for matches of [`LONGER_MATCH`].
    pub(super) fn of(places: &mut Places, src: &[u8], room: usize) -> Self {
        let len = src.len();
        // Of runs, libzstd makes something short, and soon.
        if len > codes::MOST || room >= len || has_few_kinds(src) || alike(src, 1) >= ALIKE {
            return Fits::Maybe;
        }
        let room = room.saturating_sub(LEFT);
        // So few bytes have no codes.
        let codes = (len > tiny::LITERALS).then(|| Coded::of(src));
        let coded = |literals| codes.as_ref().map(|codes| codes.bytes(literals));
        if coded(len).is_some_and(|bytes| bytes <= room) {
            return Fits::Maybe;
        }
        // Matches that are all the same take half a byte each, others one and a half.
        let as_it_stands = |repeats: &Repeats<LONGER_MATCH>| {
            tiny::BESIDE_LITERALS + len + repeats.starts / 2 <= room + repeats.covered()
        };
        let never = repeats(places, src, as_it_stands).is_some_and(|repeats| {
            let coded = coded(len.saturating_sub(repeats.covered()));
            coded.is_none_or(|bytes| bytes + repeats.starts * 3 / 2 > room)
        });
        if never { Fits::Never } else { Fits::ByMatches }
    }
}

/// Whether a stream is so long, and the first of its bytes are of so few kinds, that codes make it shorter.
fn has_few_kinds(src: &[u8]) -> bool {
    let Some(first) = src.first_chunk::<SEEN>() else { return false };
    // Kinds that end in the same six bits count as one.
    let kinds = || first.iter().fold(0u64, |seen, byte| seen | 1 << (byte & 63)).count_ones();
    src.len() >= 2 * SEEN && kinds() <= FEW
}

/// Whether codes may make literals shorter, so that libzstd has them.
pub(super) fn codes_spare(literals: &[u8]) -> bool {
    let count = literals.len();
    let less = (count >> 6) + 2;
    count > tiny::LITERALS && Coded::of(literals).bytes(count) - tiny::BEFORE_LITERALS - 1 <= count - less
}

/// How many bytes of a short stream are like the one so far before.
pub(super) fn alike(src: &[u8], back: usize) -> usize {
    let equal = src.iter().zip(src.get(back..).unwrap_or_default()).map(|(a, b)| u16::from(a == b));
    usize::from(equal.sum::<u16>())
}

/// Whether codes for all of a short stream, without matches, take much less than so many bytes.
pub(super) fn codes_take_less(src: &[u8], than: usize) -> bool {
    let len = src.len();
    len > tiny::LITERALS && len <= codes::MOST && Coded::of(src).bytes(len) * 5 / 4 < than
}

/// A frame with codes for a stream of so many bytes.
struct Coded {
    codes: codes::Codes,
    len: usize,
}

impl Coded {
    fn of(src: &[u8]) -> Self {
        Coded { codes: codes::Codes::of(src), len: src.len() }
    }

    /// What the frame takes, about, when so many of the bytes are in no match.
    fn bytes(&self, literals: usize) -> usize {
        let parts = if literals >= IN_PARTS { BESIDE_PARTS } else { 0 };
        BESIDE_CODES + self.len / WHOLE_BITS + parts + self.codes.bytes(literals, self.len)
    }
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

/// Whether places are more, or more of them behind others, than noise of that length has.
fn is_much_of(len: usize) -> impl Fn(&Repeats<MATCH>) -> bool {
    move |repeats| repeats.places > 1 + len / APART || repeats.places - repeats.starts > LONGER
}

/// Places at which `N` bytes stand that stood before.
#[derive(Clone, Copy, Default)]
struct Repeats<const N: usize> {
    places: usize,
    /// Those of them that are not behind another.
    starts: usize,
}

impl<const N: usize> Repeats<N> {
    /// Bytes that are repeated, at most.
    fn covered(&self) -> usize {
        self.places + (N - 1) * self.starts
    }
}

/// What a stream repeats of `N` bytes, 3 or 4, unless it is much. Where places share a slot, one may be missed.
fn repeats<const N: usize>(
    places: &mut Places,
    src: &[u8],
    is_much: impl Fn(&Repeats<N>) -> bool,
) -> Option<Repeats<N>> {
    let bits = (SPACE * src.len()).clamp(2, SLOTS).ilog2();
    let slots = places.0.get_or_insert_with(|| Box::new([0; SLOTS]));
    slots[..1 << bits].fill(0);
    let first = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) << (32 - 8 * N);
    let (mut repeats, mut before) = (Repeats::default(), false);
    for (at, here) in src.array_windows().enumerate() {
        let here = first(here);
        let slot = &mut slots[(spread(here) >> (32 - bits)) as usize % SLOTS];
        let there = usize::from(std::mem::replace(slot, at as u16));
        // An empty slot stands for the first place, which is no repetition of itself.
        let again = at > 0 && src[there..].first_chunk().is_some_and(|there| first(there) == here);
        if again {
            repeats.places += 1;
            repeats.starts += usize::from(!before);
            if is_much(&repeats) {
                return None;
            }
        }
        before = again;
    }
    Some(repeats)
}

#[cfg(test)]
mod tests;
