//! Pieces of eight bytes from all over a stream, each compared with the others: how many are there twice tells how many matches
//! there are.

use super::words::{WORD, word};

/// Places of a stream that are looked at, and where pieces begin there: at each byte of an item.
const PLACES: usize = 128;
const PIECES: [usize; 4] = [0, 13, 26, 39];
/// Bytes of a place.
const PLACE: usize = PIECES[PIECES.len() - 1] + WORD;
/// As many slots as pieces, twice, as a power of two.
const BITS: u32 = (PLACES * PIECES.len()).ilog2() + 1;
/// Some prime that spreads what it is multiplied by.
const PRIME: u64 = 0x9e37_79b1_85eb_ca87;

/// Whether fewer than one in `one_in` places of a stream begin with the four bytes of another: a search is soon through with
/// those that do.
pub(super) fn repeats_seldom(src: &[u8], one_in: usize) -> bool {
    let often = PLACES * PIECES.len() / one_in;
    count_twice(src, 4, often, |_| true) < often
}

/// Whether fewer than one in `one_in` places of a stream begin with the same byte, or the same two, four times.
pub(super) fn repeats_itself_seldom(src: &[u8], one_in: usize) -> bool {
    let often = PLACES * PIECES.len() / one_in;
    pieces(src).filter(|piece| *piece == piece.rotate_left(2 * u8::BITS)).take(often).count() < often
}

/// Pieces from all over a stream.
fn pieces(src: &[u8]) -> impl Iterator<Item = u64> {
    let apart = (src.len() / PLACES).max(1);
    // A piece that two places have would be its own match.
    let apart = apart + usize::from(PIECES.contains(&apart));
    src.array_windows::<PLACE>().step_by(apart).flat_map(|place| PIECES.map(|at| word(place, at)))
}

/// How many pieces there are, up to `most`, whose first bytes, so many, stood before in another one, so that in what the rest of both
/// differs, `counts`. That zeros are there twice is taken for granted. Apart, as it takes 8 KiB of stack, which what is not looked at
/// shall not pay for.
#[inline(never)]
pub(super) fn count_twice(src: &[u8], bytes: u32, most: usize, counts: impl Fn(u64) -> bool) -> usize {
    let rest = u64::BITS - 8 * bytes;
    let mut slots = [0; 1 << BITS];
    let pieces = pieces(src);
    let twice = pieces.filter(|&piece| {
        let slot = ((piece << rest).wrapping_mul(PRIME) >> (u64::BITS - BITS)) as usize;
        let differ = std::mem::replace(&mut slots[slot], piece) ^ piece;
        differ << rest == 0 && counts(differ)
    });
    twice.take(most).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    fn all_twice(src: &[u8], bytes: u32) -> usize {
        count_twice(src, bytes, usize::MAX, |_| true)
    }

    #[test]
    fn what_stands_twice_is_seen_as_far_as_it_does() {
        let noise = Random::new(1).bytes(1 << 15);
        for places_apart in PIECES.into_iter().chain([100, 200]) {
            let noise = &noise[..(PLACES * places_apart).max(PLACE)];
            assert_eq!([4, 6, 8].map(|bytes| all_twice(noise, bytes)), [0; 3], "{places_apart}");
        }
        // Of eight bytes, the last two differ.
        let numbers: Vec<u8> = (0..1_u64 << 12).flat_map(|i| (i << 48 | 7).to_le_bytes()).collect();
        let differing = |src, bytes| count_twice(src, bytes, usize::MAX, |rest| rest != 0);
        let [four, six, eight] = [4, 6, 8].map(|bytes| differing(&numbers, bytes));
        assert!(four >= six && six > 30 && eight == 0, "{four}, {six}, {eight}");
        assert_eq!(count_twice(&numbers, 6, 10, |rest| rest != 0), 10);
        assert_eq!(differing(&[5; 1 << 14], 8), 0);
        assert!(all_twice(&[5; 1 << 14], 8) > 500);
        assert_eq!(all_twice(&[5; PLACE - 1], 4), 0);
    }

    #[test]
    fn what_repeats_itself_at_once_is_seen() {
        let slow: Vec<u8> = (0..1_u16 << 14).flat_map(|i| (i / 7).to_le_bytes()).collect();
        assert!(!repeats_itself_seldom(&slow, 4) && !repeats_itself_seldom(&[1; 1 << 14], 4));
        // Of four bytes, none is twice in a row.
        let numbers: Vec<u8> = (0..1_u32 << 13).flat_map(|i| (i / 7).to_le_bytes()).collect();
        assert!(repeats_itself_seldom(&numbers[1 << 14..], 4));
        assert!(repeats_itself_seldom(&Random::new(1).bytes(1 << 14), 4) && repeats_itself_seldom(&[], 4));
    }
}
