//! The reorderings, both ways, for the typesizes that matter, at the level this machine has.

use blosc2::filter::{bitshuffle, bytedelta, delta, shuffle};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// A block as it is compressed: it fits the second-level cache together with what it becomes.
const BLOCK: usize = 256 * 1024;
const TYPESIZES: [usize; 9] = [1, 2, 3, 4, 8, 12, 16, 24, 32];

type Reorder = fn(usize, &[u8], &mut [u8]);

fn noise() -> Vec<u8> {
    let mut x = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x as u8
    };
    (0..BLOCK).map(|_| next()).collect()
}

fn filters(c: &mut Criterion) {
    let kernels: [(&str, Reorder); 6] = [
        ("shuffle", shuffle::shuffle),
        ("unshuffle", shuffle::unshuffle),
        ("bitshuffle", bitshuffle::bitshuffle),
        ("bitunshuffle", bitshuffle::bitunshuffle),
        ("bytedelta", |n, src, dst| bytedelta::forward(bytedelta::Flavor::Current, n, src, dst)),
        ("undo bytedelta", |n, src, dst| bytedelta::backward(bytedelta::Flavor::Current, n, src, dst)),
    ];
    let src = noise();
    let mut dst = vec![0; BLOCK];
    for (name, kernel) in kernels {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(BLOCK as u64));
        for typesize in TYPESIZES {
            group.bench_function(BenchmarkId::from_parameter(typesize), |b| {
                b.iter(|| kernel(typesize, black_box(&src), black_box(&mut dst)));
            });
        }
        group.finish();
    }
    let mut group = c.benchmark_group("delta");
    group.throughput(Throughput::Bytes(BLOCK as u64));
    let block0: Vec<u8> = src.iter().rev().copied().collect();
    for (name, reference) in
        [("with block 0", delta::Reference::Block0(&block0)), ("with itself", delta::Reference::Itself)]
    {
        group.bench_function(name, |b| {
            b.iter(|| delta::forward(8, reference, black_box(&src), black_box(&mut dst)));
        });
    }
    group.finish();
}

criterion_group!(benches, filters);
criterion_main!(benches);
