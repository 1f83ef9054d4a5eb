//! What the processor has learnt of branches, overwritten: a round begins with none of it.

use crate::data::generator;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// As many random choices as fill the tables that processors foresee branches with.
const CHOICES: usize = 40_000;

/// How often that was done.
static TIMES: AtomicU64 = AtomicU64::new(0);

/// Takes branches at random, other ones each time.
///
/// Work on the same few kilobytes is learnt by heart, and how well depends on what ran before: 4 KB compressed again and again
/// take half as long again or not, for thousands of times, wherever the bytes lie. That state is chance, and each library has its
/// own, so that neither may keep it from one round to the next.
pub fn unlearn() {
    let mut next = generator(TIMES.fetch_add(1, Ordering::Relaxed));
    let mut taken = [0u32; 4];
    for _ in 0..CHOICES {
        let choice = next() >> 59;
        for (bit, times) in taken.iter_mut().enumerate() {
            if choice >> bit & 1 == 1 {
                *times = black_box(*times + 1);
            }
        }
    }
    black_box(taken);
}
