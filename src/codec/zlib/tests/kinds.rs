//! Data of many kinds, as it stands in files of numbers: what searches are good at differs from one to the other.

use crate::base::random::Random;
use crate::codec::sections::tests::text;

/// So many bytes of each, about: more than a window.
const LEN: usize = 120_000;

/// Each kind by its name.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let mut random = Random::new(20);
    let mut below = move |n: usize| random.below(n) as u64;
    let (mut at, mut day) = (1000, 18_262);
    let names = (0..100).map(|_| name(&mut below)).collect::<Vec<_>>();
    vec![
        ("counted", numbers(8, |i| i)),
        ("evenly spaced", numbers(8, |i| (i as f64 / 15_000.0).to_bits())),
        ("digits", numbers(4, |_| below(10))),
        ("ratings", numbers(8, |_| 1 + below(5))),
        ("mask", numbers(1, |_| u64::from(below(50) == 0))),
        ("coins", numbers(1, |_| below(2))),
        ("five", numbers(1, |_| below(5))),
        (
            "temperatures",
            numbers(8, |_| (((0..6).map(|_| below(100)).sum::<u64>() / 2) as f64 / 10.0).to_bits()),
        ),
        ("walk", numbers(4, |_| step(&mut at, below(17)))),
        ("dates", numbers(8, |_| step(&mut day, 8 + below(3)) * 86_400_000_000_000)),
        ("wave", numbers(2, |i| ((i as f64 / 300.0).sin() * 3000.0) as i64 as u64)),
        ("grid", numbers(4, |i| u64::from(((i / 64) as f32).to_bits()))),
        ("records", numbers(8, |i| if i % 2 == 0 { i / 2 } else { below(4) | below(1 << 32) << 32 })),
        (
            "names",
            names
                .iter()
                .cycle()
                .take(LEN / 16)
                .map(|_| names[below(100) as usize])
                .collect::<Vec<_>>()
                .concat(),
        ),
        ("bytes", numbers(1, |_| below(256))),
        ("text", text(&mut Random::new(21), LEN)),
        ("nothing", vec![0; LEN]),
    ]
}

/// The same, where a typesize is known, byte by byte of the items.
pub fn shuffled(src: &[u8], typesize: usize) -> Vec<u8> {
    (0..typesize).flat_map(|byte| src.iter().skip(byte).step_by(typesize).copied()).collect()
}

fn numbers(typesize: usize, mut number: impl FnMut(u64) -> u64) -> Vec<u8> {
    (0..(LEN / typesize) as u64).flat_map(|i| number(i).to_le_bytes().into_iter().take(typesize)).collect()
}

/// 8 more than one step back.
fn step(at: &mut u64, by: u64) -> u64 {
    *at = at.wrapping_add(by).wrapping_sub(8);
    *at
}

fn name(below: &mut impl FnMut(usize) -> u64) -> [u8; 16] {
    let len = 3 + below(9) as usize;
    std::array::from_fn(|at| if at < len { b'a' + below(26) as u8 } else { 0 })
}
