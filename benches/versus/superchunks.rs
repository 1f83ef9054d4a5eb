//! Super-chunks: growing, editing, opening, reading here and there.

use crate::blosc::Blosc;
use crate::data::{self, generator};
use crate::measure::{Case, Prepared, timed};
use crate::rows::{self, Row};
use crate::storage::{Place, Store};
use blosc2::capi::types::{blosc2_cparams, blosc2_schunk};
use std::ptr::null_mut;
use std::time::Duration;

const ITEMS_NBYTES: usize = 4096;

fn cparams() -> blosc2_cparams {
    data::cparams("lz4", 5, 1, 4, 1)
}

/// A super-chunk at a place of its own. Closures reach the handle through [`SuperChunk::raw`], so that they keep all of it.
struct SuperChunk {
    blosc: &'static Blosc,
    raw: *mut blosc2_schunk,
    place: Place,
}

impl SuperChunk {
    fn new(blosc: &'static Blosc, store: Store) -> SuperChunk {
        let mut place = Place::new(blosc, store, cparams());
        let mut storage = place.storage();
        // SAFETY: the storage points into the place, which outlives the call.
        let raw = unsafe { (blosc.blosc2_schunk_new)(&mut storage) };
        assert!(!raw.is_null());
        SuperChunk { blosc, raw, place }
    }

    /// With `nchunks` chunks of `nbytes` each.
    fn filled(blosc: &'static Blosc, store: Store, nchunks: usize, nbytes: usize) -> SuperChunk {
        let schunk = SuperChunk::new(blosc, store);
        let bytes = data::walk(nbytes / 4 + nchunks);
        for k in 0..nchunks {
            schunk.append(&bytes[4 * k..][..nbytes]);
        }
        schunk
    }

    fn raw(&self) -> *mut blosc2_schunk {
        self.raw
    }

    fn append(&self, bytes: &[u8]) {
        // SAFETY: the bytes are there; the handle is alive.
        let n = unsafe {
            (self.blosc.blosc2_schunk_append_buffer)(self.raw, bytes.as_ptr().cast(), bytes.len() as i32)
        };
        assert!(n > 0, "appends: {n}");
    }

    fn append_chunk(&self, chunk: &[u8]) {
        // SAFETY: a whole chunk; it is copied.
        let n = unsafe { (self.blosc.blosc2_schunk_append_chunk)(self.raw, chunk.as_ptr(), true) };
        assert!(n > 0, "appends: {n}");
    }

    fn to_buffer(&self) -> (Vec<u8>, Duration) {
        let (mut buffer, mut to_free) = (null_mut(), false);
        // SAFETY: both are places for the results.
        let (n, time) =
            timed(|| unsafe { (self.blosc.blosc2_schunk_to_buffer)(self.raw, &mut buffer, &mut to_free) });
        assert!(n > 0, "to_buffer: {n}");
        // SAFETY: the library says that so many bytes are there, and whether they are ours to free.
        let bytes = unsafe { std::slice::from_raw_parts(buffer, n as usize) }.to_vec();
        if to_free {
            // SAFETY: given to us to free, once.
            unsafe { libc::free(buffer.cast()) };
        }
        (bytes, time)
    }
}

impl Drop for SuperChunk {
    fn drop(&mut self) {
        // SAFETY: the handle is alive and freed once.
        unsafe { (self.blosc.blosc2_schunk_free)(self.raw) };
    }
}

/// A chunk to put somewhere.
fn chunk(blosc: &'static Blosc, nbytes: usize) -> Vec<u8> {
    let bytes = data::walk(nbytes / 4);
    let mut chunk = vec![0; nbytes + 32];
    // SAFETY: lengths are the buffers'.
    let n = unsafe {
        let context = (blosc.blosc2_create_cctx)(cparams());
        let room = chunk.len() as i32;
        let n = (blosc.blosc2_compress_ctx)(context, bytes.as_ptr(), nbytes as i32, chunk.as_mut_ptr(), room);
        (blosc.blosc2_free_ctx)(context);
        n
    };
    chunk.truncate(usize::try_from(n).expect("compresses"));
    chunk
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    append(&mut cases);
    hundred_thousand(&mut cases);
    edits(&mut cases);
    open(&mut cases);
    scattered(&mut cases);
    vlmeta(&mut cases);
    cases
}

fn append(cases: &mut Vec<Case>) {
    let rows: [(&'static Row, Store); 4] = [
        (&rows::APPEND_SPARSE_MEMORY, Store::SparseMemory),
        (&rows::APPEND_FRAME_MEMORY, Store::FrameMemory),
        (&rows::APPEND_FRAME_DISK, Store::FrameDisk),
        (&rows::APPEND_SPARSE_DISK, Store::SparseDisk),
    ];
    for (row, store) in rows {
        cases.push(Case::new(row, "5,000 chunks of 4 KiB".into(), move |blosc| {
            let bytes = data::walk(ITEMS_NBYTES / 4 + 5000);
            Prepared::single(move || {
                let schunk = SuperChunk::new(blosc, store);
                timed(|| (0..5000).for_each(|k| schunk.append(&bytes[4 * k..][..ITEMS_NBYTES]))).1
            })
        }));
    }
}

/// In memory, each chunk for itself: there all libraries append quickly.
fn sparse_of_100_000(blosc: &'static Blosc) -> SuperChunk {
    let chunk = chunk(blosc, 64);
    let schunk = SuperChunk::new(blosc, Store::SparseMemory);
    (0..100_000).for_each(|_| schunk.append_chunk(&chunk));
    schunk
}

fn hundred_thousand(cases: &mut Vec<Case>) {
    let mut to_buffer = Case::new(&rows::HUNDRED_THOUSAND, "to_buffer".into(), |blosc| {
        let schunk = sparse_of_100_000(blosc);
        Prepared::single(move || schunk.to_buffer().1)
    });
    to_buffer.once = true;
    let append = Case::new(&rows::HUNDRED_THOUSAND, "20 appends, frame in memory".into(), |blosc| {
        // Any library can make the frame; ours makes it sooner.
        let ours = Blosc::load(&crate::our_path());
        let frame = sparse_of_100_000(ours).to_buffer().0;
        let chunk = chunk(blosc, 64);
        // A copy would be a list of chunks, in which the C library then writes past its memory. In place, it moves the frame
        // by `realloc`, so who freed it would free it twice: it stays.
        // SAFETY: a whole frame in memory of `malloc` that is never freed.
        let raw = unsafe {
            let bytes = libc::malloc(frame.len()).cast::<u8>();
            assert!(!bytes.is_null());
            bytes.copy_from_nonoverlapping(frame.as_ptr(), frame.len());
            (blosc.blosc2_schunk_from_buffer)(bytes, frame.len() as i64, false)
        };
        assert!(!raw.is_null());
        let schunk = SuperChunk { blosc, raw, place: Place::new(blosc, Store::FrameMemory, cparams()) };
        Prepared::single(move || timed(|| (0..20).for_each(|_| schunk.append_chunk(&chunk))).1 / 20)
    });
    cases.extend([to_buffer, append]);
}

fn edits(cases: &mut Vec<Case>) {
    type Edit = fn(&SuperChunk, &[u8], i64);
    let edits: [(&str, Edit); 3] = [
        ("50 inserts", |schunk, chunk, k| {
            // SAFETY: a whole chunk, copied; the handle is alive.
            let n =
                unsafe { (schunk.blosc.blosc2_schunk_insert_chunk)(schunk.raw(), k, chunk.as_ptr(), true) };
            assert!(n > 0, "inserts: {n}");
        }),
        ("50 updates", |schunk, chunk, k| {
            // SAFETY: as above.
            let n =
                unsafe { (schunk.blosc.blosc2_schunk_update_chunk)(schunk.raw(), k, chunk.as_ptr(), true) };
            assert!(n > 0, "updates: {n}");
        }),
        ("50 deletes", |schunk, _, k| {
            // SAFETY: as above.
            let n = unsafe { (schunk.blosc.blosc2_schunk_delete_chunk)(schunk.raw(), k) };
            assert!(n >= 0, "deletes: {n}");
        }),
    ];
    for (row, store) in [(&rows::EDIT_MEMORY, Store::FrameMemory), (&rows::EDIT_DISK, Store::FrameDisk)] {
        for (name, edit) in edits {
            cases.push(Case::new(row, name.into(), move |blosc| {
                let chunk = chunk(blosc, ITEMS_NBYTES);
                Prepared::single(move || {
                    let schunk = SuperChunk::filled(blosc, store, 1000, ITEMS_NBYTES);
                    timed(|| (0..50).for_each(|k| edit(&schunk, &chunk, 15 * k + 100))).1
                })
            }));
        }
    }
}

fn open(cases: &mut Vec<Case>) {
    for store in [Store::FrameDisk, Store::SparseDisk] {
        cases.push(Case::new(&rows::OPEN, store.name().into(), move |blosc| {
            let schunk = SuperChunk::filled(blosc, store, 500, ITEMS_NBYTES);
            Prepared::steady(move || {
                // SAFETY: the path ends in NUL; what was opened is closed.
                unsafe {
                    let opened = (blosc.blosc2_schunk_open)(schunk.place.path());
                    assert!(!opened.is_null());
                    (blosc.blosc2_schunk_free)(opened);
                }
            })
        }));
    }
}

const SCATTER_NBYTES: usize = 64 << 10;

fn scattered(cases: &mut Vec<Case>) {
    for store in [Store::SparseMemory, Store::FrameMemory, Store::FrameDisk, Store::SparseDisk] {
        cases.push(Case::new(&rows::SCATTERED, format!("chunks, {}", store.name()), move |blosc| {
            let schunk = SuperChunk::filled(blosc, store, 200, SCATTER_NBYTES);
            let mut dst = vec![0u8; SCATTER_NBYTES];
            Prepared::steady_in_turn(move |turn| {
                let (k, room) = ((generator(turn.into())() % 200) as i64, SCATTER_NBYTES as i32);
                // SAFETY: the destination holds a chunk's data.
                let n = unsafe {
                    (blosc.blosc2_schunk_decompress_chunk)(schunk.raw(), k, dst.as_mut_ptr().cast(), room)
                };
                assert_eq!(n, room);
            })
        }));
        cases.push(Case::new(
            &rows::SCATTERED,
            format!("slices of 50 items, {}", store.name()),
            move |blosc| {
                let schunk = SuperChunk::filled(blosc, store, 200, SCATTER_NBYTES);
                let nitems = 200 * SCATTER_NBYTES as u64 / 4;
                let mut dst = [0i32; 50];
                Prepared::steady_in_turn(move |turn| {
                    let start = (generator(turn.into())() % (nitems - 50)) as i64;
                    // SAFETY: the destination holds 50 items.
                    let code = unsafe {
                        (blosc.blosc2_schunk_get_slice_buffer)(
                            schunk.raw(),
                            start,
                            start + 50,
                            dst.as_mut_ptr().cast(),
                        )
                    };
                    assert!(code >= 0);
                })
            },
        ));
    }
}

fn vlmeta(cases: &mut Vec<Case>) {
    for (row, store) in [(&rows::VLMETA_MEMORY, Store::FrameMemory), (&rows::VLMETA_DISK, Store::FrameDisk)] {
        cases.push(Case::new(row, format!("1 KiB, {}, 100 chunks", store.name()), move |blosc| {
            let schunk = SuperChunk::filled(blosc, store, 100, ITEMS_NBYTES);
            let content = data::walk(256);
            let params = cparams();
            // SAFETY: the content is there; the name ends in NUL.
            let code = unsafe {
                (blosc.blosc2_vlmeta_add)(schunk.raw(), c"notes".as_ptr(), content.as_ptr(), 1024, &params)
            };
            assert!(code >= 0);
            Prepared::steady(move || {
                // SAFETY: as above.
                let code = unsafe {
                    (blosc.blosc2_vlmeta_update)(
                        schunk.raw(),
                        c"notes".as_ptr(),
                        content.as_ptr(),
                        1024,
                        &params,
                    )
                };
                assert!(code >= 0);
            })
        }));
    }
}
