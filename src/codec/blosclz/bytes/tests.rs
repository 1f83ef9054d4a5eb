use super::*;

/// Two places of the same bytes, the second `apart` behind the first, of which only those `differing` bytes on are not alike.
fn repeated(apart: usize, differing: usize, len: usize) -> Vec<u8> {
    let mut src: Vec<u8> = (0..apart).map(|i| (i * i % 251) as u8).collect();
    (0..len).for_each(|i| src.push(src[i]));
    if let Some(byte) = src.get_mut(apart + differing) {
        *byte ^= 0x80;
    }
    src
}

#[test]
fn equal_bytes_are_counted_as_one_by_one_would() {
    for apart in [1, 3, 8, 64, 300] {
        for len in (0..60).chain([63, 64, 65, 103, 104, 105, 106, 127, 128, 129, 170, 255, 256]) {
            for differing in 0..=len {
                let src = repeated(apart, differing, len);
                // The last byte does not count.
                let equal = (0..len.saturating_sub(1)).take_while(|&i| src[i] == src[apart + i]).count();
                for (name, count) in
                    [("few", common as fn(&[u8], usize, usize) -> usize), ("any", common_any)]
                {
                    assert_eq!(count(&src, 0, apart), equal, "{differing} of {len}, {apart} apart, {name}");
                }
            }
        }
    }
}

#[test]
fn bytes_of_a_run_are_counted_as_one_by_one_would() {
    for len in 2..200 {
        for run in 1..=len {
            let mut src = vec![7; run];
            src.resize(len, 8);
            for at in [1, run / 2, run].into_iter().filter(|at| (1..len).contains(at)) {
                // The last byte does not count.
                let equal = src[at..len - 1].iter().take_while(|byte| **byte == src[at - 1]).count();
                assert_eq!(common_run(&src, at), equal, "at {at} of a run of {run} in {len}");
            }
        }
    }
}

#[test]
fn uniform_words_are_seven_bytes_alike_and_eight_zeros() {
    for byte in 0..=255 {
        for last in 0..=255 {
            let mut bytes = [byte; 8];
            bytes[TELLING] = last;
            let told = uniform(u64::from_le_bytes(bytes));
            assert_eq!(told, last | byte == byte, "{bytes:?}");
            for i in 0..TELLING {
                let mut other = bytes;
                other[i] ^= 1 << (last % 8);
                assert!(!uniform(u64::from_le_bytes(other)), "{other:?}");
            }
        }
    }
}
