//! What a stream is searched with at zstd's level 9, which is Blosc's 5.
//!
//! What it has up to 16 KiB is a tree of all that stood before; in longer streams, and one level below, it is a chain of
//! places for each four bytes. Chains mostly take 0.3 to 0.9 of the time and find as much: chunks of sixteen kinds of data
//! came to 0.976 to 1.019 of the size. What trees do better is left to them: one piece that is repeated all over, which they
//! skip; numbers that nothing filtered, where their bytes stand in many places; and, where they do, what comes after much noise,
//! where chains are not kept. Of bits, trees need not be searched as far down as the level would, for up to 1.002 of the size.
//!
//! Where it has found a match, it looks whether one that begins a byte later is better, and then at one that begins two bytes
//! later. The latter takes a sixth of the time. It finds something in numbers that nothing filtered, of which the first two
//! bytes differ most, and where few bytes differ from all others; elsewhere, streams come to as many bytes without, in the mean,
//! and seldom to more than 1.005 times as many. A byte later is not worth a look in the shortest streams of bytes or bits of numbers, nor in
//! bytes of numbers of which short matches are few, or that count. From 4 KiB on, bytes of what counts by other steps, as times do that
//! are an hour apart, are left to the level: they came to up to three times its size.

use crate::codec::MadeOf;
use crate::codec::pieces::{count_twice, repeats_seldom};
use crate::codec::zstd::{c, parameters_of};
use std::ffi::c_uint;
use std::num::NonZero;

/// Zstd's level that has trees for short streams, and chains for others.
pub(super) const LEVEL: i32 = 9;
/// The longest of streams that have trees.
const TREES: usize = 16 << 10;
/// Streams of up to so many bytes are not worth a look.
const AT_ONCE: usize = 256;
/// Streams of more bytes have too many places for each four bytes, unless a quarter of it goes on evenly.
const LONG: usize = 4 << 10;
/// In up to so many bytes, matches are few, and counters are no repetitions to speak of.
const SPARSE: usize = 1 << 10;
/// How far a chain is followed, as a power of two: with 5, matches are shorter and more, and streams take longer to read.
const DEPTH: c_uint = 6;
/// How far down a tree of bits is searched, as a power of two; the level goes four times as far.
const SHALLOW: c_uint = 3;
/// Chains are short where fewer than one in so many places repeats another.
const SELDOM: usize = 5;
/// Places to look at.
const PLACES: usize = 64;
/// How far pieces are apart that are looked at for noise; Zstd begins to pass over places after two kilobytes of it.
const APART: usize = 1 << 10;
/// The length of such a piece, and how many bytes of it differ: in noise, 57.
const PIECE: usize = 64;
const DIFFERENT: u32 = 50;

/// Parameters for a stream; `None` leaves it to what the level has.
pub(super) fn parameters(made_of: MadeOf, src: &[u8]) -> Option<c::ZSTD_parameters> {
    // A length of zero would mean one that is not known.
    let mut parameters = parameters_of(LEVEL, NonZero::new(src.len())?);
    let short = src.len() <= TREES;
    match strategy(made_of, src) {
        Some(strategy) => {
            parameters.cParams.strategy = strategy;
            if short {
                parameters.cParams.searchLog = DEPTH;
            }
        }
        None if short && made_of == MadeOf::Bits => parameters.cParams.searchLog = SHALLOW,
        None => return None,
    }
    Some(parameters)
}

/// How far beyond a match there is a look for a better one, in chains or rows; `None` where the level had better have its way.
fn strategy(made_of: MadeOf, src: &[u8]) -> Option<c::ZSTD_strategy> {
    use c::ZSTD_strategy::{ZSTD_greedy, ZSTD_lazy};
    let filtered = matches!(made_of, MadeOf::Planes | MadeOf::Bits);
    if src.len() <= AT_ONCE {
        return Some(if filtered { ZSTD_greedy } else { ZSTD_lazy });
    }
    let short = src.len() <= TREES;
    if short && made_of == MadeOf::Bits {
        return (src.len() <= LONG || !has_noise(src) || repeats_seldom(src, SELDOM)).then_some(ZSTD_lazy);
    }
    let look = Look::at(src);
    let planes = made_of == MadeOf::Planes && src.len() > SPARSE;
    if planes && look.has_few_runs() {
        if look.mostly_counts() {
            return Some(ZSTD_greedy);
        }
        if src.len() >= LONG && (grows_evenly(src) || is_mostly_twice(src)) {
            return None;
        }
        if has_few_short(src) {
            return Some(ZSTD_greedy);
        }
    }
    let later = if short {
        // Runs, and what counts, are repetitions in any case.
        let even = SELDOM * (look.runs + look.counted) > look.places;
        suits_chains(&look, src) || !even && repeats_seldom(src, SELDOM)
    } else {
        is_near_enough(made_of, &look)
    };
    later.then_some(ZSTD_lazy)
}

/// Whether a match that begins two bytes later is not worth a look in a long stream.
fn is_near_enough(made_of: MadeOf, look: &Look) -> bool {
    match made_of {
        // Some stand for bits that hardly change, as in most numbers. Where none do, what repeats is far apart, and seldom.
        MadeOf::Bits => !look.has_few_runs(),
        MadeOf::Planes => 2 * look.runs < look.places,
        MadeOf::Items | MadeOf::Numbers | MadeOf::Bytes => {
            8 * look.by_item <= look.places && 8 * look.runs <= look.places
        }
    }
}

/// Whether a stream grows by the step that it begins with, or one more, in nearly all places, or one less in nearly all: so do bytes of
/// what counts by steps of any size.
fn grows_evenly(src: &[u8]) -> bool {
    let Some([first, second]) = src.first_chunk() else { return false };
    let step = second.wrapping_sub(*first);
    let pieces = || src.array_windows::<5>().step_by((src.len() / PLACES) | 1);
    [step, step.wrapping_sub(1)].into_iter().any(|least| {
        let grown = |piece: &&[u8; 5]| {
            piece.array_windows().all(|[a, b]| b.wrapping_sub(*a).wrapping_sub(least) <= 1)
        };
        8 * pieces().filter(grown).count() > 7 * pieces().len()
    })
}

/// Whether most of a stream stands there twice, as in bytes of what counts by steps of any size: from among the many places that are alike
/// for some bytes, only a thorough search finds the few that are so for very many.
fn is_mostly_twice(src: &[u8]) -> bool {
    const MOST: usize = 200;
    count_twice(src, 8, MOST, |_| true) == MOST
}

/// Whether few of a stream's matches end soon, as far as a few hundred pieces tell.
fn has_few_short(src: &[u8]) -> bool {
    const FEW: usize = 20;
    count_twice(src, 4, FEW, |rest| rest != 0) < FEW
}

/// Whether chains find as much in a short stream, which is not of bits, as trees do.
fn suits_chains(&Look { places, runs, counted, by_item }: &Look, src: &[u8]) -> bool {
    let (evenly, long) = (runs + counted, src.len() > LONG);
    // In less, counters come once or twice, and chains find them as fast.
    let repeats = by_item.max(if src.len() > SPARSE { evenly } else { runs }) * 16 > places * 15;
    let unfiltered = by_item > evenly + places / 10 || long && evenly < places / 4;
    !(repeats || unfiltered || long && has_noise(src))
}

/// In how many places a stream goes on in which way.
struct Look {
    places: usize,
    /// Five bytes are the same.
    runs: usize,
    /// They differ by the same step.
    counted: usize,
    /// Four are the same as eight bytes later, as in wide items.
    by_item: usize,
}

impl Look {
    fn at(src: &[u8]) -> Self {
        let step = (src.len() / PLACES) | 1; // odd, so that all places of an item have their turn
        let mut look = Look { places: 0, runs: 0, counted: 0, by_item: 0 };
        for seen in src.array_windows::<12>().step_by(step) {
            look.places += 1;
            let by = |at: usize| seen[at + 1].wrapping_sub(seen[at]);
            if (1..4).all(|at| by(at) == by(0)) {
                *if by(0) == 0 { &mut look.runs } else { &mut look.counted } += 1;
            }
            look.by_item += usize::from(seen[..4] == seen[8..]);
        }
        look
    }

    fn has_few_runs(&self) -> bool {
        16 * self.runs < self.places
    }

    /// Whether it counts in most places: its matches are long, and soon found.
    fn mostly_counts(&self) -> bool {
        2 * self.counted > self.places
    }
}

/// Whether two pieces in a row look like noise.
fn has_noise(src: &[u8]) -> bool {
    let mut pieces = src.array_windows::<PIECE>().step_by(APART).map(is_mixed);
    let mut before = false;
    pieces.any(|mixed| std::mem::replace(&mut before, mixed) && mixed)
}

fn is_mixed(piece: &[u8; PIECE]) -> bool {
    let (first, second) = piece.split_at(PIECE / 2);
    // Runs, and bits of counters, repeat themselves: soon seen, and often.
    if first == second {
        return false;
    }
    let mut seen = [0_u64; 4];
    for byte in piece {
        seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    seen.iter().map(|part| part.count_ones()).sum::<u32>() >= DIFFERENT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::codec::zstd::{State, tests::at};

    /// What a walk's bytes are once shuffled: some differ from each other, others stand in runs.
    fn walk(steps: usize, len: usize) -> Vec<u8> {
        let mut random = Random::new(len as u64);
        let mut at = 0;
        let items: Vec<_> = (0..len.div_ceil(4))
            .map(|_| {
                at += random.below(2 * steps + 1) as i32 - steps as i32;
                at.to_le_bytes()
            })
            .collect();
        (0..4).flat_map(|byte| items.iter().map(move |item| item[byte])).take(len).collect()
    }

    /// A byte of each of so many numbers that count by a step.
    fn counted(step: u64, byte: usize, len: u64) -> Vec<u8> {
        (0..len).map(|i| (1_700_000_000_000_000_000 + i * step).to_le_bytes()[byte]).collect()
    }

    #[test]
    fn what_counts_by_a_large_step_is_left_to_the_level() {
        let second = 1_000_000_000;
        for (step, byte) in [(60_000, 1), (100_000, 1), (second, 3), (60 * second, 3), (3600 * second, 4)] {
            for len in [4 << 10, 8 << 10, 1 << 15] {
                assert_eq!(strategy(MadeOf::Planes, &counted(step, byte, len)), None, "{step}, {len} bytes");
            }
        }
        let ones = counted(1, 0, 1 << 13);
        assert_eq!(strategy(MadeOf::Planes, &ones), Some(c::ZSTD_strategy::ZSTD_greedy));
    }

    /// Parameters at the level.
    fn of(src: &[u8]) -> Option<c::ZSTD_parameters> {
        parameters(MadeOf::Bytes, src)
    }

    #[test]
    fn chains_make_frames_that_are_as_short() {
        let mut state = State::default();
        let mut dst = vec![0; TREES + 1000];
        for len in [1, 9, 64, 100, 256, 257, 1000, LONG, LONG + 1, 9000, TREES] {
            let src = walk(if len > LONG { 10 } else { 1000 }, len);
            assert!(of(&src).is_some(), "{len}");
            let n = state.compress(&at(5), &src, &mut dst).unwrap();
            let mut back = vec![0; len];
            assert_eq!(state.decompress(None, &dst[..n], &mut back).unwrap(), len);
            assert!(back == src);
            let with_tree = state.search(LEVEL, None, &src, &mut dst).unwrap();
            assert!(n <= with_tree + with_tree / 100, "{len} bytes: {n} instead of {with_tree}");
        }
    }

    #[test]
    fn what_trees_do_better_is_left_to_them() {
        let counted: Vec<u8> = (0..LONG).map(|i| if i < 512 { i as u8 } else { 0 }).collect();
        let numbers: Vec<u8> = (0..500_u64).flat_map(|i| (i % 200).to_le_bytes()).collect();
        for src in [vec![7; 1000], [1, 2].repeat(3000), counted, numbers, walk(1000, 9000)] {
            assert!(of(&src).is_none(), "{:?}", &src[..20]);
            assert!(of(&src[..AT_ONCE]).is_some());
        }
        assert!(of(&[]).is_none());
    }

    fn strategy_of(made_of: MadeOf, src: &[u8]) -> Option<c::ZSTD_strategy> {
        parameters(made_of, src).map(|parameters| parameters.cParams.strategy)
    }

    /// Words of a few letters, some of which come one behind the other often.
    fn words(len: usize) -> Vec<u8> {
        let mut random = Random::new(8);
        let known: Vec<Vec<u8>> = (0..300)
            .map(|_| (0..3 + random.below(5)).map(|_| b'a' + random.below(26) as u8).collect())
            .collect();
        let mut src = Vec::new();
        while src.len() < len {
            src.extend(&known[random.below(known.len())]);
        }
        src.truncate(len);
        src
    }

    #[test]
    fn what_follows_a_match_is_not_looked_at_where_it_makes_hardly_any_difference() {
        use c::ZSTD_strategy::{ZSTD_greedy, ZSTD_lazy};
        let mut state = State::default();
        let mut dst = vec![0; 1 << 18];
        let len = 1 << 17;
        let low = &walk(500, 2 * len)[..len];
        let half_low = [&low[..len / 2 - 100], &vec![0; len / 2 + 100]].concat();
        for (made_of, src, strategy, part) in [
            (MadeOf::Planes, low.to_vec(), ZSTD_greedy, 200),
            (MadeOf::Planes, low[..5000].to_vec(), ZSTD_greedy, 200),
            (MadeOf::Planes, words(len), ZSTD_lazy, 90),
            (MadeOf::Bytes, low.to_vec(), ZSTD_lazy, 200),
            (MadeOf::Bits, half_low, ZSTD_lazy, 200),
        ] {
            assert!(strategy_of(made_of, &src) == Some(strategy), "{made_of:?}");
            let p = crate::codec::StreamParams { made_of, ..at(5) };
            let n = state.compress(&p, &src, &mut dst).unwrap();
            let mut back = vec![0; src.len()];
            assert_eq!(state.decompress(None, &dst[..n], &mut back).unwrap(), src.len());
            assert!(back == src);
            let by_level = state.search(LEVEL, None, &src, &mut dst).unwrap();
            assert!(n <= by_level + by_level / part, "{made_of:?}: {n} instead of {by_level}");
        }
    }

    #[test]
    fn numbers_that_repeat_seldom_take_chains_and_bits_behind_noise_a_short_way_down() {
        use c::ZSTD_strategy::{ZSTD_btlazy2, ZSTD_lazy};
        let mut random = Random::new(12);
        let wide: Vec<u8> =
            (0..2048).flat_map(|i| ((random.next() & 0xf_ffff) + (i << 40)).to_le_bytes()).collect();
        let noise = random.bytes(8000);
        let behind = [&noise[..], &[[0; 40], [255; 40]].concat().repeat(60), &[3; 2000]].concat();
        let (mut state, mut dst) = (State::default(), vec![0; 2 * TREES]);
        for (made_of, src, strategy, depth) in [
            (MadeOf::Items, &wide, ZSTD_lazy, DEPTH),
            (MadeOf::Bits, &noise, ZSTD_lazy, DEPTH),
            (MadeOf::Bits, &behind, ZSTD_btlazy2, SHALLOW),
        ] {
            let found = parameters(made_of, src).unwrap().cParams;
            assert!(found.strategy == strategy && found.searchLog == depth, "{made_of:?}, {}", src.len());
            let p = crate::codec::StreamParams { made_of, ..at(5) };
            let n = state.compress(&p, src, &mut dst).unwrap();
            let by_level = state.search(LEVEL, None, src, &mut dst).unwrap();
            assert!(n <= by_level + by_level / 200, "{made_of:?}: {n} instead of {by_level}");
        }
    }

    #[test]
    fn two_bytes_later_is_looked_at_where_it_does() {
        let mut random = Random::new(7);
        let numbers: Vec<u8> = (0..5000).flat_map(|_| (random.below(5000) as u64).to_le_bytes()).collect();
        assert!(strategy_of(MadeOf::Numbers, &numbers).is_none());
        let rare: Vec<u8> = (0..1 << 16).map(|_| u8::from(random.below(50) == 0)).collect();
        for made_of in [MadeOf::Planes, MadeOf::Bytes, MadeOf::Items] {
            assert!(strategy_of(made_of, &rare).is_none(), "{made_of:?}");
        }
        assert!(strategy_of(MadeOf::Bits, &walk(500, 1 << 17)[..1 << 16]).is_none());
    }
}
