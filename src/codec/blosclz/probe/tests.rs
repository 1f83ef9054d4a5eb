use super::*;

/// The verdict after a look at every position.
fn seen(clevel: u8, src: &[u8]) -> bool {
    let (window, bits, wanted) = task(clevel, src);
    let mut tables = Tables::default();
    Look::<false>::at_all(window, bits, 0).go_on(tables.short.open(bits), wanted)
}

fn generator(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % below
    }
}

/// Noise, with `parts` hundredths of repetitions: of what was anywhere before, or of a few words, or of the last bytes.
fn mixed(next: &mut impl FnMut(usize) -> usize, parts: usize, len: usize) -> Vec<u8> {
    let (kind, most) = (next(3), 8 + next(60));
    let words: Vec<Vec<u8>> =
        (0..1 + next(40)).map(|_| (0..7 + next(most)).map(|_| next(256) as u8).collect()).collect();
    let mut data: Vec<u8> = (0..64).map(|_| next(256) as u8).collect();
    while data.len() < len {
        let piece = 7 + next(most);
        if next(100) >= parts {
            data.extend((0..piece).map(|_| next(256) as u8));
            continue;
        }
        match kind {
            0 => {
                let from = next(data.len().saturating_sub(piece).max(1));
                data.extend_from_within(from..(from + piece).min(data.len()));
            }
            1 => data.extend(&words[next(words.len())]),
            _ => {
                let back = 1 + next(32);
                (0..piece).for_each(|_| data.push(data[data.len() - back]));
            }
        }
    }
    data.truncate(len);
    data
}

#[test]
fn a_sample_never_says_yes_and_next_to_never_misses_one() {
    let (mut tables, mut next) = (Tables::default(), generator(3));
    let (mut yes, mut missed) = (0, 0);
    for n in 0..6000 {
        let (clevel, len) = (1 + (n % 9) as u8, 500 + next(40_000));
        let parts = next(101);
        let data = mixed(&mut next, parts, len);
        let (told, exactly) = (promising(&mut tables, clevel, &data), seen(clevel, &data));
        assert!(exactly || !told, "level {clevel}, {len} bytes, {parts} parts");
        yes += u32::from(exactly);
        missed += u32::from(exactly && !told);
    }
    assert!(yes > 1000 && missed <= yes / 2000, "{missed} of {yes}");
}
