//! Streams whose bytes follow each other by chance: Zstd searches them for matches thoroughly, and what it finds takes more
//! room than codes for single bytes would.

use super::{State, level_of};
use crate::base::Result;
use crate::codec::StreamParams;
use crate::codec::chance::{self, Chance};

/// Zstd's lowest level: a match that is longer than chance makes is found by that one, too.
const SOON_DONE: i32 = 1;
/// Below this part of what bytes say, there are such matches.
const LESS: f64 = 0.97;
/// Levels above this one weigh codes and matches against each other.
const THOROUGH: u8 = 6;
/// Codes that take so many times what bytes say at most are worth to be tried: up to that level, which comes to 1.16 or more
/// where bytes say less than four bits, and above it.
const WORTH: [f64; 2] = [1.12, 1.036];
/// So near to what bytes say, nothing else is tried.
const NEAR: f64 = 1.03;

impl State {
    /// Compresses a stream of chance at its Blosc level; `None` for others, and where that would not do.
    pub(super) fn write_codes(
        &mut self,
        p: &StreamParams,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        if level_of(p.clevel) <= SOON_DONE {
            return Ok(None);
        }
        let worth = WORTH[usize::from(p.clevel > THOROUGH)];
        let seen = chance::look(src, p.item()).filter(|seen| seen.code <= worth * seen.entropy);
        let Some(Chance { entropy, .. }) = seen else { return Ok(None) };
        let said = src.len() as f64 * entropy / 8.0;
        let takes = |len: usize| if len == 0 { f64::INFINITY } else { len as f64 / said };
        let with_matches = self.search(SOON_DONE, None, src, dst)?;
        if takes(with_matches) < LESS {
            return Ok(None);
        }
        if takes(with_matches) <= NEAR.min(worth) {
            return Ok(Some(with_matches));
        }
        let without = self.shrink_to_codes(src, dst)?;
        Ok(Some(without).filter(|&len| takes(len) <= worth && takes(len) <= takes(with_matches)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::codec::zstd::tests::at;

    const LEN: usize = 1 << 16;

    fn of_sorts(seed: u64, sorts: usize) -> Vec<u8> {
        let mut random = Random::new(seed);
        (0..LEN).map(|_| random.below(sorts) as u8).collect()
    }

    /// How long it comes out at a Blosc level, and at zstd's own.
    fn lens(clevel: u8, src: &[u8]) -> [usize; 2] {
        let (mut state, mut dst) = (State::default(), vec![0; src.len() + 1024]);
        let len = state.compress(&at(clevel), src, &mut dst).unwrap();
        let mut back = vec![0; src.len()];
        assert_eq!(state.decompress(None, &dst[..len], &mut back).unwrap(), src.len());
        assert!(back == src);
        [len, state.search(level_of(clevel), None, src, &mut dst).unwrap()]
    }

    #[test]
    fn chance_comes_out_no_longer_than_after_a_search() {
        for sorts in [2, 3, 5, 10, 40, 90] {
            let src = of_sorts(sorts as u64, sorts);
            for clevel in 1..=9 {
                let [len, searched] = lens(clevel, &src);
                let more = if clevel > THOROUGH { searched / 100 } else { 0 };
                assert!(len <= searched + more, "{sorts} sorts, level {clevel}: {len} instead of {searched}");
            }
        }
    }

    #[test]
    fn three_sorts_take_an_eighth_less() {
        let [len, searched] = lens(5, &of_sorts(1, 3));
        assert!(len < searched * 7 / 8, "{len} instead of {searched}");
    }

    #[test]
    fn what_is_repeated_from_afar_is_found() {
        let mut src = of_sorts(9, 50);
        src.copy_within(..LEN / 2, LEN / 2);
        for clevel in [2, 5, 8] {
            let [len, searched] = lens(clevel, &src);
            assert!(len <= searched + searched / 50, "level {clevel}: {len} instead of {searched}");
        }
        // Short phrases, between which all is chance.
        let (mut random, phrases) = (Random::new(3), of_sorts(4, 60));
        let mut src = of_sorts(10, 60);
        for at in (0..LEN - 32).step_by(24) {
            let phrase = 7 * random.below(400);
            src[at..at + 7].copy_from_slice(&phrases[phrase..phrase + 7]);
        }
        let [len, searched] = lens(5, &src);
        assert!(len <= searched + searched / 50, "{len} instead of {searched}");
    }

    #[test]
    fn what_follows_codes_is_searched_as_ever() {
        let mut state = State::default();
        let (chance, counted) = (of_sorts(1, 3), (0..LEN).map(|i| (i / 3) as u8).collect::<Vec<_>>());
        let mut dst = vec![0; LEN];
        let first = state.compress(&at(5), &counted, &mut dst).unwrap();
        state.compress(&at(5), &chance, &mut dst).unwrap();
        assert_eq!(state.compress(&at(5), &counted, &mut dst).unwrap(), first);
    }

    #[test]
    fn no_room_is_no_error() {
        let (mut state, src) = (State::default(), of_sorts(1, 3));
        let [all, _] = lens(5, &src);
        for room in [0, 10, all / 2, all - 1] {
            assert_eq!(state.compress(&at(5), &src, &mut vec![0; room]).unwrap(), 0, "{room} of {all}");
        }
    }

    /// Chance, with more or less that is not: phrases that are repeated, from near or far, runs, what counts, what changes.
    fn mixed(random: &mut Random) -> Vec<u8> {
        let len = 9000 + random.below(LEN);
        let (sorts, dice) = (2 + random.below(120), 1 + random.below(3));
        let mut src: Vec<u8> =
            (0..len).map(|_| (0..dice).map(|_| random.below(sorts)).sum::<usize>() as u8).collect();
        for _ in 0..random.below(3) {
            let (often, long) = (1 + random.below(2000), 3 + random.below(60));
            let phrases = 1 + random.below(500);
            let far = 1 + random.below(len / 2);
            let (kind, mut at) = (random.below(5), 0);
            while at + 2 * long < len {
                match kind {
                    0 => {
                        let from = random.below(phrases) * 7 % (len - long);
                        src.copy_within(from..from + long, at);
                    }
                    1 if at >= far + long => src.copy_within(at - far..at - far + long, at),
                    2 => src[at..at + long].fill(7),
                    3 => (at..at + long).for_each(|i| src[i] = (i / 3) as u8),
                    _ => {}
                }
                at += long + random.below(often);
            }
        }
        src
    }

    #[test]
    fn whatever_is_mixed_comes_out_about_as_long() {
        let mut random = Random::new(31);
        let mut coded = 0;
        for _ in 0..300 {
            let src = mixed(&mut random);
            let clevel = 2 + random.below(5) as u8;
            let [len, searched] = lens(clevel, &src);
            coded += u32::from(len < searched);
            assert!(len <= searched + searched / 20, "level {clevel}: {len} instead of {searched}");
        }
        assert!(coded > 0);
    }
}
