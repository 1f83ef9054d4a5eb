//! Chunks: whole ones, small ones, and parts of them.

use crate::blosc::Blosc;
use crate::data::{self, Data};
use crate::measure::{Case, Limits, Prepared, Round};
use crate::placed::{Output, Placed, shared_input};
use crate::report::TWO_THREADS;
use crate::rows::{self, Row};
use blosc2::capi::types::{blosc2_context, blosc2_cparams};

const FILTERS: [(&str, u8); 3] = [("shuffle", 1), ("bitshuffle", 2), ("no filter", 0)];

/// A context, and the library it belongs to.
struct Context {
    blosc: &'static Blosc,
    raw: *mut blosc2_context,
}

impl Context {
    fn compressing(blosc: &'static Blosc, params: blosc2_cparams) -> Context {
        // SAFETY: the parameters point nowhere.
        Context { blosc, raw: unsafe { (blosc.blosc2_create_cctx)(params) } }
    }

    fn decompressing(blosc: &'static Blosc, nthreads: i16, typesize: usize) -> Context {
        // SAFETY: as above.
        Context { blosc, raw: unsafe { (blosc.blosc2_create_dctx)(data::dparams(nthreads, typesize)) } }
    }

    fn compress(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let (from, to) = (src.as_ptr(), dst.as_mut_ptr());
        // SAFETY: lengths are the slices'; the context is alive and of this library.
        let n = unsafe {
            (self.blosc.blosc2_compress_ctx)(self.raw, from, src.len() as i32, to, dst.len() as i32)
        };
        assert!(n > 0, "compresses: {n}");
        n as usize
    }

    fn decompress(&self, chunk: &[u8], dst: &mut [u8]) {
        let (from, to) = (chunk.as_ptr(), dst.as_mut_ptr());
        let (len, room) = (chunk.len() as i32, dst.len() as i32);
        // SAFETY: as above.
        let n = unsafe { (self.blosc.blosc2_decompress_ctx)(self.raw, from, len, to, room) };
        assert_eq!(n, room);
    }

    fn getitem(&self, chunk: &[u8], start: i32, nitems: i32, dst: &mut [u8]) {
        let (from, to) = (chunk.as_ptr(), dst.as_mut_ptr());
        let (len, room) = (chunk.len() as i32, dst.len() as i32);
        // SAFETY: as above.
        let n = unsafe { (self.blosc.blosc2_getitem_ctx)(self.raw, from, len, start, nitems, to, room) };
        assert_eq!(n, room);
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by this library, freed once.
        unsafe { (self.blosc.blosc2_free_ctx)(self.raw) };
    }
}

/// How a chunk is made.
#[derive(Clone)]
struct Recipe {
    data: Data,
    codec: &'static str,
    clevel: u8,
    filter: (&'static str, u8),
    nthreads: i16,
}

impl Recipe {
    fn name(&self) -> String {
        let threads = if self.nthreads > 1 { TWO_THREADS } else { "" };
        format!("{} {}, {}, {}{threads}", self.codec, self.clevel, self.data.name, self.filter.0)
    }

    fn compressor(&self, blosc: &'static Blosc) -> Context {
        let params = data::cparams(self.codec, self.clevel, self.filter.1, self.data.typesize, self.nthreads);
        Context::compressing(blosc, params)
    }

    fn chunk(&self, blosc: &'static Blosc) -> Placed {
        self.chunk_by(self.compressor(blosc))
    }

    fn chunk_by(&self, compressor: Context) -> Placed {
        let mut chunk = Placed::zeroed(self.data.bytes.len() + 32);
        let n = compressor.compress(&self.data.bytes, &mut chunk);
        chunk.truncate(n);
        chunk
    }

    fn compress(self, blosc: &'static Blosc) -> Prepared {
        let context = self.compressor(blosc);
        let size = self.chunk(blosc).len();
        let src = self.data.bytes;
        let nbytes = src.len();
        let output = Output::shared(nbytes + 32);
        let work = move || {
            output.with(|dst| context.compress(&src, dst));
        };
        Prepared { size: Some(size), nbytes: Some(nbytes), ..Prepared::steady(work) }
    }

    fn decompress(self, blosc: &'static Blosc) -> Prepared {
        let context = Context::decompressing(blosc, self.nthreads, self.data.typesize);
        let chunk = shared_input(self.chunk(blosc));
        let nbytes = self.data.bytes.len();
        let output = Output::shared(nbytes);
        let limits = {
            let head: [u8; 16] = chunk[..16].try_into().expect("a chunk has a header");
            move || self.limits(blosc, head)
        };
        let work = move || output.with(|dst| context.decompress(&chunk, dst));
        Prepared { nbytes: Some(nbytes), limits: Some(Box::new(limits)), ..Prepared::steady(work) }
    }

    /// What decompressing the chunk with that header cannot do without.
    fn limits(self, blosc: &'static Blosc, head: [u8; 16]) -> Limits {
        let data = self.data.bytes.clone();
        let output = Output::shared(data.len());
        let memcpy = Round::Steady(Box::new(move |_| {
            output.with(|dst| dst.copy_from_slice(std::hint::black_box(&data)));
        }));
        let blocksize = i32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        let bytes = self.filtered(blosc, blocksize as usize);
        let filtered = Recipe { data: Data { bytes: bytes.into(), ..self.data.clone() }, ..self.clone() };
        let mut params = data::cparams(self.codec, self.clevel, 0, self.data.typesize, self.nthreads);
        params.blocksize = blocksize;
        // Bit 4 of the flags: one stream per block; 1 and 2 are always and never.
        params.splitmode = if head[2] & 0x10 == 0 { 1 } else { 2 };
        let chunk = filtered.chunk_by(Context::compressing(blosc, params));
        let context = Context::decompressing(blosc, self.nthreads, self.data.typesize);
        let output = Output::shared(filtered.data.bytes.len());
        let codec = Round::Steady(Box::new(move |_| output.with(|dst| context.decompress(&chunk, dst))));
        Limits { memcpy, codec }
    }

    /// The data, its blocks filtered.
    fn filtered(&self, blosc: &'static Blosc, blocksize: usize) -> Vec<u8> {
        let filter = match self.filter.1 {
            1 => blosc.blosc2_shuffle,
            2 => blosc.blosc2_bitshuffle,
            _ => return self.data.bytes.to_vec(),
        };
        let mut bytes = vec![0; self.data.bytes.len()];
        for (src, dst) in self.data.bytes.chunks(blocksize).zip(bytes.chunks_mut(blocksize)) {
            let (typesize, len) = (self.data.typesize as i32, src.len() as i32);
            // SAFETY: both have that many bytes.
            assert!(unsafe { filter(typesize, len, src.as_ptr(), dst.as_mut_ptr()) } >= 0);
        }
        bytes
    }

    fn getitem(self, blosc: &'static Blosc) -> Prepared {
        let context = Context::decompressing(blosc, self.nthreads, self.data.typesize);
        let chunk = shared_input(self.chunk(blosc));
        let output = Output::shared(64 * self.data.typesize);
        let starts = (self.data.bytes.len() / self.data.typesize - 64) as u64;
        Prepared::steady_in_turn(move |n| {
            let start = (u64::from(n) * 7919 % starts) as i32;
            output.with(|dst| context.getitem(&chunk, start, 64, dst));
        })
    }
}

pub fn cases() -> Vec<Case> {
    let sets = data::sets();
    let mut cases = Vec::new();
    whole(&mut cases, &rows::BLOSCLZ, &sets, &["blosclz"], &[1, 5, 9], &FILTERS);
    whole(&mut cases, &rows::LZ4, &sets, &["lz4"], &[1, 5, 9], &FILTERS);
    whole(&mut cases, &rows::SLOW_CODECS, &sets, &["lz4hc", "zlib", "zstd"], &[1, 5], &FILTERS);
    let [shuffle, bitshuffle, none] = FILTERS;
    // As most programs have them.
    whole(&mut cases, &rows::COLUMNS, &data::columns(), &["blosclz", "lz4", "zstd"], &[5], &[shuffle]);
    items(&mut cases, &sets);
    small(&mut cases, &rows::SMALL, &sets, shuffle);
    small(&mut cases, &rows::SMALL_BITS, &sets, bitshuffle);
    small(&mut cases, &rows::SMALL_UNFILTERED, &sets, none);
    cases
}

fn whole(
    cases: &mut Vec<Case>,
    row: &'static Row,
    sets: &[Data],
    codecs: &[&'static str],
    levels: &[u8],
    filters: &[(&'static str, u8)],
) {
    for codec in codecs {
        for &clevel in levels {
            for data in sets {
                for &filter in filters {
                    for nthreads in [1, 2] {
                        let recipe = Recipe { data: data.clone(), codec, clevel, filter, nthreads };
                        both_ways(cases, row, recipe);
                    }
                }
            }
        }
    }
}

fn both_ways(cases: &mut Vec<Case>, row: &'static Row, recipe: Recipe) {
    let name = recipe.name();
    let again = recipe.clone();
    cases.push(Case::new(row, format!("compress {name}"), move |blosc| recipe.clone().compress(blosc)));
    cases.push(Case::new(row, format!("decompress {name}"), move |blosc| again.clone().decompress(blosc)));
}

fn items(cases: &mut Vec<Case>, sets: &[Data]) {
    for codec in ["blosclz", "lz4", "zlib", "zstd"] {
        for data in sets {
            for filter in FILTERS {
                let recipe = Recipe { data: data.clone(), codec, clevel: 5, filter, nthreads: 1 };
                let name = recipe.name();
                cases.push(Case::new(&rows::GETITEM, name, move |blosc| recipe.clone().getitem(blosc)));
            }
        }
    }
}

fn small(cases: &mut Vec<Case>, row: &'static Row, sets: &[Data], filter: (&'static str, u8)) {
    for codec in ["blosclz", "lz4", "zstd"] {
        for set in sets {
            for nbytes in [64, 256, 1024, 4096, 16384] {
                let data = Data { bytes: set.bytes[..nbytes].to_vec().into(), ..set.clone() };
                let recipe = Recipe { data, codec, clevel: 5, filter, nthreads: 1 };
                let (name, again) = (recipe.name(), recipe.clone());
                let compress = Case::new(row, format!("compress {nbytes} B {name}"), move |blosc| Prepared {
                    size: None,
                    ..recipe.clone().compress(blosc)
                });
                let decompress = Case::new(row, format!("decompress {nbytes} B {name}"), move |blosc| {
                    again.clone().decompress(blosc)
                });
                cases.extend([compress, decompress]);
            }
        }
    }
}
