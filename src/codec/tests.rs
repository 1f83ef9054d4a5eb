//! Every codec: round trips, sizes, dictionaries, hostile streams.

use super::*;

const BUILT_IN: [u8; 5] = [BLOSCLZ, LZ4, LZ4HC, ZLIB, ZSTD];

/// Reproducible bytes (xorshift64*).
struct Rng(u64);

impl Rng {
    fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Several kinds of data, `n` bytes each.
fn kinds(n: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut rng = Rng::new(n as u64);
    let words = ["block ", "chunk ", "frame, ", "codec. ", "a ", "filter "];
    let mut text = Vec::new();
    while text.len() < n {
        text.extend_from_slice(words[rng.below(words.len())].as_bytes());
    }
    text.truncate(n);
    let shuffled: Vec<u8> = (0..n)
        .map(|i| {
            let item = (i % (n / 8).max(1)) as u64 * 1000;
            item.to_le_bytes()[(i / (n / 8).max(1)).min(7)]
        })
        .collect();
    let mut walk = 0u32;
    let mut steps = Vec::new();
    while steps.len() < n {
        walk = walk.wrapping_add(rng.below(5) as u32).wrapping_sub(2);
        steps.extend_from_slice(&walk.to_le_bytes());
    }
    steps.truncate(n);
    vec![
        ("zeros", vec![0; n]),
        ("random", (0..n).map(|_| (rng.next() >> 40) as u8).collect()),
        ("bits", (0..n).map(|_| (rng.next() >> 40) as u8 & 1).collect()),
        ("text", text),
        ("shuffled counter", shuffled),
        ("random walk", steps),
    ]
}

fn lengths() -> Vec<usize> {
    (0..=70).chain(255..=260).chain(4095..=4097).chain([65536, 1 << 20]).collect()
}

#[test]
fn streams_come_back() {
    let mut st = State::default();
    for n in lengths() {
        for (kind, data) in kinds(n) {
            for codec in BUILT_IN {
                let levels: &[u8] = if n > 5000 { &[1, 5] } else { &[1, 5, 9] };
                for &clevel in levels {
                    let p = StreamParams { codec, clevel, ..Default::default() };
                    let mut packed = vec![0; n];
                    let written = compress(&p, &mut st, &data, &mut packed).unwrap();
                    assert!(written <= n);
                    if written == 0 {
                        assert!(n < 300 || kind != "zeros", "{n} zeros, codec {codec} level {clevel}");
                        assert!(
                            n < 60_000 || kind != "text" || codec == BLOSCLZ,
                            "{n} of text, codec {codec}"
                        );
                        continue;
                    }
                    let mut back = vec![0xaa; n];
                    let read = decompress(&p, &mut st, &packed[..written], &mut back).unwrap();
                    assert_eq!(read, n, "{kind} {n} codec {codec} level {clevel}");
                    assert!(back == data, "{kind} {n} codec {codec} level {clevel}");
                }
            }
        }
    }
}
