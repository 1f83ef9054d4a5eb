use super::*;
use crate::base::random::Random;

/// The verdict after a look at every position.
fn seen(clevel: u8, src: &[u8]) -> bool {
    let (window, bits, wanted) = task(clevel, src);
    let mut tables = Tables::default();
    Look::<false>::at_all(window, bits, 0).go_on(tables.short.open(bits), wanted)
}

/// Noise, with `parts` hundredths of repetitions: of what was anywhere before, or of a few words, or of the last bytes.
fn mixed(random: &mut Random, parts: usize, len: usize) -> Vec<u8> {
    let (kind, most) = (random.below(3), 8 + random.below(60));
    let lengths: Vec<usize> = (0..1 + random.below(40)).map(|_| 7 + random.below(most)).collect();
    let words: Vec<Vec<u8>> = lengths.into_iter().map(|len| random.bytes(len)).collect();
    let mut data = random.bytes(64);
    while data.len() < len {
        let piece = 7 + random.below(most);
        if random.below(100) >= parts {
            data.extend(random.bytes(piece));
            continue;
        }
        match kind {
            0 => {
                let from = random.below(data.len().saturating_sub(piece).max(1));
                data.extend_from_within(from..(from + piece).min(data.len()));
            }
            1 => data.extend(&words[random.below(words.len())]),
            _ => {
                let back = 1 + random.below(32);
                (0..piece).for_each(|_| data.push(data[data.len() - back]));
            }
        }
    }
    data.truncate(len);
    data
}

#[test]
fn a_sample_never_says_yes_and_next_to_never_misses_one() {
    let (mut tables, mut random) = (Tables::default(), Random::new(3));
    let (mut yes, mut missed) = (0, 0);
    for n in 0..6000 {
        let (clevel, len) = (1 + (n % 9) as u8, 500 + random.below(40_000));
        let parts = random.below(101);
        let data = mixed(&mut random, parts, len);
        let (told, exactly) = (promising(&mut tables, clevel, &data), seen(clevel, &data));
        assert!(exactly || !told, "level {clevel}, {len} bytes, {parts} parts");
        yes += u32::from(exactly);
        missed += u32::from(exactly && !told);
    }
    assert!(yes > 1000 && missed <= yes / 2000, "{missed} of {yes}");
}
