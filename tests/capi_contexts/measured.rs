//! Chunks of measurements, and dictionaries: what parameters ask for beyond compressing.

use super::contexts::{cctx, cparams, data, dctx};
use super::pair::{Lib, Pair};
use super::random::Random;

/// As a program reads a measurement.
#[derive(Debug, Clone, Copy)]
struct Record {
    ratio: f32,
    codec_speed: f32,
    filter_speed: f32,
    flags: [u8; 4],
}

fn records(bytes: &[u8]) -> Vec<Record> {
    let float = |b: &[u8], at: usize| f32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
    bytes
        .chunks_exact(16)
        .map(|b| Record {
            ratio: float(b, 0),
            codec_speed: float(b, 4),
            filter_speed: float(b, 8),
            flags: [b[12], b[13], b[14], b[15]],
        })
        .collect()
}

#[test]
fn measurements_take_the_place_of_data() {
    let pair = Pair::load();
    let mut data = data(100_000);
    data[40_000..60_000].fill(0);
    for (codec, splitmode, blocksize) in
        [(0, 1, 8000), (1, 2, 8000), (5, 1, 10_000), (4, 2, 0), (2, 2, 30_000)]
    {
        for nthreads in [1, 3] {
            let measure = |lib: &Lib<'_>| {
                let params = cparams(|p| {
                    (p.compcode, p.splitmode, p.blocksize, p.nthreads) =
                        (codec, splitmode, blocksize, nthreads);
                    (p.typesize, p.instr_codec) = (4, true);
                });
                let mut chunk = vec![0; data.len() + 1000];
                let len = cctx(lib, params).compress(&data, &mut chunk);
                chunk.truncate(len as usize);
                (params, chunk)
            };
            let (header, runs) = pair.agreed("headers and runs", |lib| {
                let (_, chunk) = measure(lib);
                let nbytes = u32::from_le_bytes(chunk[4..8].try_into().unwrap()) as usize;
                let mut dest = vec![0; nbytes];
                assert_eq!(dctx(lib, nthreads).decompress(&chunk, &mut dest) as usize, nbytes);
                let records = records(&dest);
                for record in &records {
                    assert!(record.ratio >= 0.9 && record.codec_speed > 0.0, "{record:?}");
                    assert!(record.filter_speed > 0.0 && record.flags[1..] == [0; 3], "{record:?}");
                }
                let runs: Vec<u8> = records.iter().map(|record| record.flags[0]).collect();
                (chunk[..32].to_vec(), runs)
            });
            assert!(header[31] & 0x80 != 0 && runs.contains(&0));
            // Blocks small enough to be all zeros.
            assert!(runs.contains(&1) || !(1..=10_000).contains(&blocksize));
        }
    }
}

#[test]
fn a_dictionary_pays_as_much_as_the_c_librarys() {
    let pair = Pair::load();
    let data: Vec<u8> = (0..100_000u32).flat_map(u32::to_le_bytes).collect();
    for (codec, blocksize) in [(5, 1024), (5, 4096), (5, 32_768), (1, 4096), (2, 32_768)] {
        let packed = |lib: &Lib<'_>| {
            let params = cparams(|p| {
                (p.compcode, p.use_dict, p.blocksize, p.typesize, p.splitmode) = (codec, 1, blocksize, 4, 4);
            });
            let mut chunk = vec![0; data.len() + 32];
            let len = cctx(lib, params).compress(&data, &mut chunk);
            chunk.truncate(len as usize);
            chunk
        };
        let ours = pair.ours(packed);
        if pair.has_theirs() {
            let theirs = pair.theirs(packed).len();
            // They sample differently: no more than a fiftieth worse anywhere.
            let good = ours.len() * 50 <= theirs * 51;
            assert!(good, "codec {codec}, blocks of {blocksize}: {}, theirs {theirs}", ours.len());
        }
        // A context tells of the dictionary of the chunk that it decompressed last.
        let plain = pair.ours(|lib| {
            let mut chunk = vec![0; data.len() + 32];
            let len = cctx(lib, cparams(|p| p.compcode = codec)).compress(&data, &mut chunk);
            chunk.truncate(len as usize);
            chunk
        });
        pair.agree("dictionaries told of", |lib| {
            let (context, mut back) = (dctx(lib, 1), vec![0; data.len()]);
            [&ours, &plain, &ours].map(|chunk| {
                assert_eq!(context.decompress(chunk, &mut back) as usize, data.len());
                assert!(back == data);
                // SAFETY: the context is alive, and has the layout that tuners know, in either library.
                unsafe { (*context.ptr).use_dict }
            })
        });
    }
}

/// Words from a small vocabulary.
fn words(n: usize) -> Vec<u8> {
    let list = ["alpha ", "beta ", "gamma ", "delta", " epsilon", "zeta", "eta ", "theta"];
    let mut random = Random::new(7);
    let mut text = Vec::new();
    while text.len() < n {
        text.extend_from_slice(list[random.below(list.len())].as_bytes());
    }
    text.truncate(n);
    text
}

#[test]
fn dictionaries_are_had_where_the_c_library_has_them() {
    let pair = Pair::load();
    let text = words(400_000);
    for codec in [1, 2, 5] {
        for (nbytes, blocksize, typesize) in [
            (1000, 0, 1),
            (5119, 500, 1),
            (5120, 500, 1),
            (5500, 500, 1),
            (20_000, 1000, 1),
            (20_000, 1000, 4),
            (100_000, 2000, 8),
            (400_000, 0, 1),
            (400_000, 20_000, 1),
        ] {
            pair.both_ways(|from, to| {
                let params = cparams(|p| {
                    (p.compcode, p.use_dict, p.blocksize, p.typesize) = (codec, 1, blocksize, typesize);
                    p.filters = [0; 6];
                });
                let context = cctx(from, params);
                let mut chunk = vec![0; nbytes + 64];
                // A context makes a dictionary for each chunk.
                for src in [&text[..nbytes], &text[text.len() - nbytes..]] {
                    let len = context.compress(src, &mut chunk) as usize;
                    assert!(len > 32);
                    for nthreads in [1, 3] {
                        let mut back = vec![0; nbytes];
                        let got = dctx(to, nthreads).decompress(&chunk[..len], &mut back);
                        assert_eq!(
                            got as usize, nbytes,
                            "codec {codec}, {nbytes} bytes in blocks of {blocksize}"
                        );
                        assert!(back == src);
                    }
                }
            });
            pair.agree(&format!("codec {codec}, {nbytes} bytes in blocks of {blocksize}"), |lib| {
                let params = cparams(|p| {
                    (p.compcode, p.use_dict, p.blocksize, p.typesize) = (codec, 1, blocksize, typesize);
                    p.filters = [0; 6];
                });
                let mut chunk = vec![0; nbytes + 64];
                assert!(cctx(lib, params).compress(&text[..nbytes], &mut chunk) > 0);
                chunk[31] & 1
            });
        }
    }
}
