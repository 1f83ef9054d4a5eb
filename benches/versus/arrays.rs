//! Arrays: whole, in parts, by selection, growing.

use crate::blosc::Blosc;
use crate::data::{self, generator};
use crate::measure::{Case, Prepared, timed};
use crate::placed::Output;
use crate::report::TWO_THREADS;
use crate::rows;
use crate::storage::{Place, Store};
use blosc2::capi::types::b2nd_array_t;
use std::ptr::{null, null_mut};

/// An array of 2000 x 2000 32-bit items: 16 MB.
const SHAPE: [i64; 2] = [2000, 2000];
const CHUNKSHAPE: [i32; 2] = [500, 500];
const BLOCKSHAPE: [i32; 2] = [64, 64];
const ITEM: usize = 4;

/// What an array is made of.
#[derive(Clone, Copy)]
struct Recipe {
    codec: &'static str,
    store: Store,
    nthreads: i16,
}

impl Recipe {
    fn all(codecs: &[&'static str]) -> Vec<Recipe> {
        let mut all = Vec::new();
        for &codec in codecs {
            for store in [Store::FrameMemory, Store::FrameDisk] {
                all.extend([1, 2].map(|nthreads| Recipe { codec, store, nthreads }));
            }
        }
        all
    }

    fn name(&self, what: &str) -> String {
        let threads = if self.nthreads > 1 { TWO_THREADS } else { "" };
        format!("{what}, {}, {}{threads}", self.codec, self.store.name())
    }

    fn place(&self, blosc: &'static Blosc) -> Place {
        Place::new(blosc, self.store, data::cparams(self.codec, 5, 1, ITEM, self.nthreads))
    }
}

/// An array at a place of its own. Closures reach the handle through [`Array::raw`], so that they keep all of it.
struct Array {
    blosc: &'static Blosc,
    raw: *mut b2nd_array_t,
    _place: Place,
}

impl Array {
    /// At `place`, from `bytes`, or of zeros and with no rows.
    fn make(blosc: &'static Blosc, mut place: Place, bytes: Option<&[u8]>) -> Array {
        let storage = place.storage();
        let rows = if bytes.is_some() { SHAPE[0] } else { 0 };
        let shape = [rows, SHAPE[1]];
        let mut raw = null_mut();
        // SAFETY: shapes have two dimensions; the storage points into the place.
        let code = unsafe {
            let (shape, chunks, blocks) = (shape.as_ptr(), CHUNKSHAPE.as_ptr(), BLOCKSHAPE.as_ptr());
            let ctx =
                (blosc.b2nd_create_ctx)(&storage, 2, shape, chunks, blocks, c"<i4".as_ptr(), 0, null(), 0);
            assert!(!ctx.is_null());
            let code = match bytes {
                Some(bytes) => {
                    (blosc.b2nd_from_cbuffer)(ctx, &mut raw, bytes.as_ptr().cast(), bytes.len() as i64)
                }
                None => (blosc.b2nd_zeros)(ctx, &mut raw),
            };
            (blosc.b2nd_free_ctx)(ctx);
            code
        };
        assert_eq!(code, 0);
        Array { blosc, raw, _place: place }
    }

    fn raw(&self) -> *mut b2nd_array_t {
        self.raw
    }

    fn filled(blosc: &'static Blosc, recipe: Recipe) -> Array {
        Array::make(blosc, recipe.place(blosc), Some(&everything()))
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        // SAFETY: alive, freed once.
        unsafe { (self.blosc.b2nd_free)(self.raw) };
    }
}

fn everything() -> Vec<u8> {
    data::walk((SHAPE[0] * SHAPE[1]) as usize)
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    whole(&mut cases);
    parts(&mut cases);
    selections(&mut cases);
    growth(&mut cases);
    cases
}

fn whole(cases: &mut Vec<Case>) {
    for recipe in Recipe::all(&["lz4", "zstd"]) {
        cases.push(Case::new(&rows::ARRAY_WHOLE, recipe.name("in"), move |blosc| {
            let bytes = everything();
            let nbytes = Some(bytes.len());
            let round = move || {
                let place = recipe.place(blosc);
                let (array, time) = timed(|| Array::make(blosc, place, Some(&bytes)));
                drop(array);
                time
            };
            Prepared { nbytes, ..Prepared::single(round) }
        }));
        cases.push(Case::new(&rows::ARRAY_WHOLE, recipe.name("out"), move |blosc| {
            let array = Array::filled(blosc, recipe);
            let nbytes = (SHAPE[0] * SHAPE[1]) as usize * ITEM;
            let output = Output::shared(nbytes);
            let work = move || {
                // SAFETY: the destination holds the array.
                let code = output.with(|dst| unsafe {
                    (blosc.b2nd_to_cbuffer)(array.raw(), dst.as_mut_ptr().cast(), dst.len() as i64)
                });
                assert_eq!(code, 0);
            };
            Prepared { nbytes: Some(nbytes), ..Prepared::steady(work) }
        }));
    }
}

/// A part by its shape; it lands at random places.
const PARTS: [(&str, [i64; 2]); 5] = [
    ("row", [1, 2000]),
    ("column", [2000, 1]),
    ("point", [1, 1]),
    ("box 100x100", [100, 100]),
    ("box 700x700", [700, 700]),
];

fn parts(cases: &mut Vec<Case>) {
    for recipe in Recipe::all(&["lz4"]) {
        for (name, shape) in PARTS {
            for write in [false, true] {
                let name = recipe.name(&format!("{} {name}", if write { "set" } else { "get" }));
                cases.push(Case::new(&rows::ARRAY_PARTS, name, move |blosc| {
                    part(blosc, recipe, shape, write)
                }));
            }
        }
    }
}

fn part(blosc: &'static Blosc, recipe: Recipe, shape: [i64; 2], write: bool) -> Prepared {
    let array = Array::filled(blosc, recipe);
    let mut buffer = data::walk((shape[0] * shape[1]) as usize);
    Prepared::steady_in_turn(move |n| {
        let mut next = generator(11 + u64::from(n));
        let start: [i64; 2] = std::array::from_fn(|d| (next() % (SHAPE[d] - shape[d] + 1) as u64) as i64);
        let stop: [i64; 2] = std::array::from_fn(|d| start[d] + shape[d]);
        let (data, len) = (buffer.as_mut_ptr(), buffer.len() as i64);
        let (start, stop, shape) = (start.as_ptr(), stop.as_ptr(), shape.as_ptr());
        // SAFETY: the buffer has that shape; coordinates have two dimensions and lie inside.
        let code = unsafe {
            match write {
                false => (blosc.b2nd_get_slice_cbuffer)(array.raw(), start, stop, data.cast(), shape, len),
                true => (blosc.b2nd_set_slice_cbuffer)(data.cast(), shape, len, start, stop, array.raw()),
            }
        };
        assert_eq!(code, 0);
    })
}

fn selections(cases: &mut Vec<Case>) {
    for recipe in Recipe::all(&["lz4"]) {
        cases.push(Case::new(&rows::ARRAY_SELECTIONS, recipe.name("orthogonal 50x50"), move |blosc| {
            let array = Array::filled(blosc, recipe);
            let mut next = generator(13);
            let mut picks: [Vec<i64>; 2] =
                std::array::from_fn(|_| (0..50).map(|_| (next() % 2000) as i64).collect());
            let (mut sizes, mut shape) = ([50i64, 50], [50i64, 50]);
            let mut dst = vec![0u8; 2500 * ITEM];
            Prepared::steady(move || {
                let mut selection = picks.each_mut().map(|pick| pick.as_mut_ptr());
                let (selection, sizes, shape) =
                    (selection.as_mut_ptr(), sizes.as_mut_ptr(), shape.as_mut_ptr());
                let (data, len) = (dst.as_mut_ptr().cast(), dst.len() as i64);
                // SAFETY: two selections of 50 indexes; the destination holds 2500 items.
                let code = unsafe {
                    (blosc.b2nd_get_orthogonal_selection)(array.raw(), selection, sizes, data, shape, len)
                };
                assert_eq!(code, 0);
            })
        }));
        cases.push(Case::new(&rows::ARRAY_SELECTIONS, recipe.name("sparse gather of 1,000"), move |blosc| {
            let array = Array::filled(blosc, recipe);
            let mut next = generator(17);
            let coordinates: Vec<i64> = (0..2000).map(|_| (next() % 2000) as i64).collect();
            let mut dst = vec![0u8; 1000 * ITEM];
            Prepared::steady(move || {
                let (data, len) = (dst.as_mut_ptr().cast(), dst.len() as i64);
                // SAFETY: 1,000 coordinates of two dimensions; the destination holds 1,000 items.
                let code = unsafe {
                    (blosc.b2nd_get_sparse_cbuffer)(array.raw(), 1000, coordinates.as_ptr(), data, len)
                };
                assert_eq!(code, 0);
            })
        }));
    }
}

fn growth(cases: &mut Vec<Case>) {
    for recipe in Recipe::all(&["lz4"]) {
        cases.push(Case::new(&rows::ARRAY_SELECTIONS, recipe.name("append 40 x 50 rows"), move |blosc| {
            let rows = data::walk(50 * SHAPE[1] as usize);
            Prepared::single(move || {
                let array = Array::make(blosc, recipe.place(blosc), None);
                timed(|| {
                    for _ in 0..40 {
                        // SAFETY: 50 rows are there.
                        let code = unsafe {
                            (blosc.b2nd_append)(array.raw(), rows.as_ptr().cast(), rows.len() as i64, 0)
                        };
                        assert_eq!(code, 0);
                    }
                })
                .1
            })
        }));
    }
}
