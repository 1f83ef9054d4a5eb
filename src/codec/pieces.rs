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
    twice(src, 4).take(often).count() < often
}

/// For each piece whose first bytes, so many, stood before in another one, in what the rest of both differs. That zeros are there
/// twice is taken for granted.
pub(super) fn twice(src: &[u8], bytes: u32) -> impl Iterator<Item = u64> {
    let rest = u64::BITS - 8 * bytes;
    let mut slots = [0; 1 << BITS];
    let apart = (src.len() / PLACES).max(1);
    // A piece that two places have would be its own match.
    let apart = apart + usize::from(PIECES.contains(&apart));
    let places = src.array_windows::<PLACE>().step_by(apart);
    places.flat_map(|place| PIECES.map(|at| word(place, at))).filter_map(move |piece| {
        let slot = ((piece << rest).wrapping_mul(PRIME) >> (u64::BITS - BITS)) as usize;
        let differ = std::mem::replace(&mut slots[slot], piece) ^ piece;
        (differ << rest == 0).then_some(differ)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    #[test]
    fn what_stands_twice_is_seen_as_far_as_it_does() {
        let noise = Random::new(1).bytes(1 << 15);
        for places_apart in PIECES.into_iter().chain([100, 200]) {
            let noise = &noise[..(PLACES * places_apart).max(PLACE)];
            assert_eq!([4, 6, 8].map(|bytes| twice(noise, bytes).count()), [0; 3], "{places_apart}");
        }
        // Of eight bytes, the last two differ.
        let numbers: Vec<u8> = (0..1_u64 << 12).flat_map(|i| (i << 48 | 7).to_le_bytes()).collect();
        let [four, six, eight] =
            [4, 6, 8].map(|bytes| twice(&numbers, bytes).filter(|rest| *rest != 0).count());
        assert!(four >= six && six > 30 && eight == 0, "{four}, {six}, {eight}");
        assert_eq!(twice(&[5; 1 << 14], 8).filter(|rest| *rest != 0).count(), 0);
        assert!(twice(&[5; 1 << 14], 8).count() > 500);
        assert_eq!(twice(&[5; PLACE - 1], 4).count(), 0);
    }
}
