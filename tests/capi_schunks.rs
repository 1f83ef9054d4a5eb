//! Super-chunks as C programs hold them, in our shared library and in the C library.
#![allow(unsafe_code)] // calls into shared libraries

#[path = "common/pair.rs"]
mod pair;

use blosc2::capi::defaults::*;
use blosc2::capi::types::*;
use pair::{Lib, Pair, Scratch};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

type Handle = *mut blosc2_schunk;

/// A super-chunk of one of the libraries, freed at the end.
struct Schunk<'a> {
    lib: &'a Lib<'a>,
    ptr: Handle,
}

impl Drop for Schunk<'_> {
    fn drop(&mut self) {
        let free = function!(self.lib, blosc2_schunk_free: unsafe extern "C" fn(Handle) -> c_int);
        // SAFETY: the super-chunk is this library's, or NULL, which is not freed.
        assert!(self.ptr.is_null() || unsafe { free(self.ptr) } == 0);
    }
}

impl std::ops::Deref for Schunk<'_> {
    type Target = blosc2_schunk;
    fn deref(&self) -> &blosc2_schunk {
        // SAFETY: the tests look at super-chunks that were made.
        unsafe { self.ptr.as_ref() }.unwrap()
    }
}

fn cparams(typesize: i32) -> blosc2_cparams {
    // SAFETY: takes nothing.
    let mut params = unsafe { blosc2_get_blosc2_cparams_defaults() };
    params.typesize = typesize;
    params
}

fn new<'a>(
    lib: &'a Lib<'a>,
    contiguous: bool,
    path: Option<&CStr>,
    mut params: blosc2_cparams,
) -> Schunk<'a> {
    // SAFETY: takes nothing.
    let mut storage = unsafe { blosc2_get_blosc2_storage_defaults() };
    storage.contiguous = contiguous;
    storage.urlpath = path.map_or(null_mut(), |path| path.as_ptr().cast_mut());
    storage.cparams = &mut params;
    let new = function!(lib, blosc2_schunk_new: unsafe extern "C" fn(*mut blosc2_storage) -> Handle);
    // SAFETY: a storage with live pointers.
    Schunk { lib, ptr: unsafe { new(&mut storage) } }
}

fn open<'a>(lib: &'a Lib<'a>, path: &CStr) -> Schunk<'a> {
    let open = function!(lib, blosc2_schunk_open: unsafe extern "C" fn(*const c_char) -> Handle);
    // SAFETY: a C string.
    Schunk { lib, ptr: unsafe { open(path.as_ptr()) } }
}

impl<'a> Schunk<'a> {
    fn append(&self, data: &[u8]) -> i64 {
        let f = function!(self.lib, blosc2_schunk_append_buffer: unsafe extern "C" fn(Handle, *const c_void, i32) -> i64);
        // SAFETY: a live super-chunk and a buffer.
        unsafe { f(self.ptr, data.as_ptr().cast(), data.len() as i32) }
    }

    fn decompress(&self, n: i64, room: usize) -> Result<Vec<u8>, c_int> {
        let f = function!(self.lib, blosc2_schunk_decompress_chunk: unsafe extern "C" fn(Handle, i64, *mut c_void, i32) -> c_int);
        let mut dest = vec![0xaau8; room];
        // SAFETY: a live super-chunk and a buffer.
        let len = unsafe { f(self.ptr, n, dest.as_mut_ptr().cast(), room as i32) };
        dest.truncate(usize::try_from(len).map_err(|_| len)?);
        Ok(dest)
    }

    /// A copy of a chunk, and whether it had to be freed.
    fn chunk(&self, n: i64) -> Result<(Vec<u8>, bool), c_int> {
        type GetChunk = unsafe extern "C" fn(Handle, i64, *mut *mut u8, *mut bool) -> c_int;
        let f = function!(self.lib, blosc2_schunk_get_chunk: GetChunk);
        let (mut chunk, mut needs_free) = (null_mut(), false);
        // SAFETY: a live super-chunk and places for the results, which say how long the chunk is.
        unsafe {
            let len = f(self.ptr, n, &mut chunk, &mut needs_free);
            let copy = std::slice::from_raw_parts(chunk, usize::try_from(len).map_err(|_| len)?).to_vec();
            if needs_free {
                libc::free(chunk.cast());
            }
            Ok((copy, needs_free))
        }
    }

    fn put(&self, name: &str, at: Option<i64>, chunk: &[u8]) -> i64 {
        let mut chunk = chunk.to_vec();
        // SAFETY: a live super-chunk, and a chunk that is copied.
        unsafe {
            match at {
                Some(at) => {
                    self.lib.function::<unsafe extern "C" fn(Handle, i64, *mut u8, bool) -> i64>(name)(
                        self.ptr,
                        at,
                        chunk.as_mut_ptr(),
                        true,
                    )
                }
                None => self.lib.function::<unsafe extern "C" fn(Handle, *mut u8, bool) -> i64>(name)(
                    self.ptr,
                    chunk.as_mut_ptr(),
                    true,
                ),
            }
        }
    }

    fn delete(&self, n: i64) -> i64 {
        let f = function!(self.lib, blosc2_schunk_delete_chunk: unsafe extern "C" fn(Handle, i64) -> i64);
        // SAFETY: a live super-chunk.
        unsafe { f(self.ptr, n) }
    }

    fn meta(&self, call: &str, name: &CStr, content: &[u8]) -> c_int {
        type Meta = unsafe extern "C" fn(Handle, *const c_char, *mut u8, i32) -> c_int;
        // SAFETY: a live super-chunk, a C string, and a content that is copied.
        unsafe {
            self.lib.function::<Meta>(call)(
                self.ptr,
                name.as_ptr(),
                content.as_ptr().cast_mut(),
                content.len() as i32,
            )
        }
    }

    fn vlmeta(&self, call: &str, name: &CStr, content: &[u8]) -> c_int {
        type Meta = unsafe extern "C" fn(Handle, *const c_char, *mut u8, i32, *mut blosc2_cparams) -> c_int;
        // SAFETY: a live super-chunk, a C string, and a content that is copied.
        unsafe {
            self.lib.function::<Meta>(call)(
                self.ptr,
                name.as_ptr(),
                content.as_ptr().cast_mut(),
                content.len() as i32,
                null_mut(),
            )
        }
    }

    fn vlmeta_get(&self, name: &CStr) -> Result<Vec<u8>, c_int> {
        type Get = unsafe extern "C" fn(Handle, *const c_char, *mut *mut u8, *mut i32) -> c_int;
        let f = function!(self.lib, blosc2_vlmeta_get: Get);
        let (mut content, mut len) = (null_mut(), 0);
        // SAFETY: a live super-chunk, a C string and places for the results, which say how long the content is.
        unsafe {
            let code = f(self.ptr, name.as_ptr(), &mut content, &mut len);
            if code < 0 {
                return Err(code);
            }
            let copy = match content.is_null() {
                true => Vec::new(),
                false => std::slice::from_raw_parts(content, len as usize).to_vec(),
            };
            libc::free(content.cast());
            Ok(copy)
        }
    }

    fn named(&self, call: &str, name: &CStr) -> c_int {
        // SAFETY: a live super-chunk and a C string.
        unsafe {
            self.lib.function::<unsafe extern "C" fn(Handle, *const c_char) -> c_int>(call)(
                self.ptr,
                name.as_ptr(),
            )
        }
    }

    /// The frame, and whether it had to be freed.
    fn to_buffer(&self) -> (Vec<u8>, bool) {
        type ToBuffer = unsafe extern "C" fn(Handle, *mut *mut u8, *mut bool) -> i64;
        let f = function!(self.lib, blosc2_schunk_to_buffer: ToBuffer);
        let (mut frame, mut needs_free) = (null_mut(), false);
        // SAFETY: a live super-chunk and places for the results, which say how long the frame is.
        unsafe {
            let len = f(self.ptr, &mut frame, &mut needs_free);
            assert!(len > 0, "{len}");
            let copy = std::slice::from_raw_parts(frame, len as usize).to_vec();
            if needs_free {
                libc::free(frame.cast());
            }
            (copy, needs_free)
        }
    }

    /// The metalayers, as the inline functions of the headers read them.
    fn mirrored_metas(&self) -> Vec<(String, Vec<u8>)> {
        let n = usize::from(self.nmetalayers);
        self.metalayers[..n].iter().map(|&meta| mirrored(meta)).collect()
    }

    fn mirrored_vlmeta_names(&self) -> Vec<String> {
        let n = self.nvlmetalayers as usize;
        self.vlmetalayers[..n].iter().map(|&meta| mirrored(meta).0).collect()
    }

    /// The fields that say what is in the super-chunk.
    fn fields(&self) -> String {
        format!(
            "{:?}",
            (
                (self.typesize, self.blocksize, self.chunksize, self.flags2, self.nchunks, self.nbytes),
                (self.compcode, self.compcode_meta, self.clevel, self.splitmode, self.use_dict),
                (self.filters, self.filters_meta, self.nmetalayers, self.nvlmetalayers, self.change_tick),
                (
                    self.frame.is_null(),
                    self.data.is_null(),
                    self.cctx.is_null(),
                    self.dctx.is_null(),
                    self.view
                ),
            )
        )
    }

    /// What it says of its storage.
    fn storage(&self) -> String {
        // SAFETY: a super-chunk's storage and what it points to live as long as it.
        unsafe {
            let storage = &*self.storage;
            let path = storage.urlpath.as_ref().map(|path| CStr::from_ptr(path).to_owned());
            let (c, d) = (&*storage.cparams, &*storage.dparams);
            let io = CStr::from_ptr((*storage.io).name).to_owned();
            let own = c.schunk == self.ptr.cast() && d.schunk == self.ptr.cast();
            format!("{:?}", (storage.contiguous, path, c.typesize, c.clevel, c.nthreads, d.nthreads, io, own))
        }
    }
}

fn mirrored(meta: *mut blosc2_metalayer) -> (String, Vec<u8>) {
    // SAFETY: a mirrored metalayer has a name, and a content of the length it says.
    unsafe {
        let meta = meta.as_ref().unwrap();
        let name = CStr::from_ptr(meta.name).to_str().unwrap().to_owned();
        let content = match meta.content_len {
            0 => Vec::new(),
            n => std::slice::from_raw_parts(meta.content, n as usize).to_vec(),
        };
        (name, content)
    }
}

fn from_buffer<'a>(lib: &'a Lib<'a>, frame: &[u8], copy: bool) -> Schunk<'a> {
    let f = function!(lib, blosc2_schunk_from_buffer: unsafe extern "C" fn(*mut u8, i64, bool) -> Handle);
    // SAFETY: a buffer that outlives the super-chunk, as without a copy it is left to the process.
    unsafe {
        let buffer = libc::malloc(frame.len().max(1)).cast::<u8>();
        std::ptr::copy_nonoverlapping(frame.as_ptr(), buffer, frame.len());
        let schunk = Schunk { lib, ptr: f(buffer, frame.len() as i64, copy) };
        if copy {
            libc::free(buffer.cast());
        }
        schunk
    }
}

fn data(n: usize, seed: u32) -> Vec<u8> {
    (0..n as u32 / 4).flat_map(|i| (i * 3 + (i >> 7) * seed).to_le_bytes()).collect()
}

/// Three chunks, the last one shorter, and metalayers of both kinds.
fn filled<'a>(lib: &'a Lib<'a>, contiguous: bool, path: Option<&CStr>) -> Schunk<'a> {
    let schunk = new(lib, contiguous, path, cparams(4));
    assert!(!schunk.ptr.is_null());
    assert_eq!(schunk.meta("blosc2_meta_add", c"first", b"fixed"), 0);
    assert_eq!(schunk.meta("blosc2_meta_add", c"second", b""), 1);
    for (i, n) in [40_000, 40_000, 10_000].into_iter().enumerate() {
        assert_eq!(schunk.append(&data(n, i as u32)), i as i64 + 1);
    }
    assert_eq!(schunk.vlmeta("blosc2_vlmeta_add", c"notes", b"some text, some text, some text"), 0);
    schunk
}

fn check(schunk: &Schunk<'_>) {
    assert_eq!((schunk.nchunks, schunk.nbytes, schunk.chunksize, schunk.typesize), (3, 90_000, 40_000, 4));
    for (i, n) in [40_000, 40_000, 10_000].into_iter().enumerate() {
        assert_eq!(schunk.decompress(i as i64, 40_000).unwrap(), data(n, i as u32));
    }
    assert_eq!(schunk.mirrored_metas(), [("first".into(), b"fixed".to_vec()), ("second".into(), vec![])]);
    assert_eq!(schunk.mirrored_vlmeta_names(), ["notes"]);
    assert_eq!(schunk.vlmeta_get(c"notes").unwrap(), b"some text, some text, some text");
}

#[test]
fn what_one_library_keeps_the_other_opens() {
    Pair::load().both_ways(|from, to| {
        for contiguous in [false, true] {
            let schunk = filled(from, contiguous, None);
            check(&schunk);
            let (frame, needs_free) = schunk.to_buffer();
            assert_eq!(needs_free, !contiguous);
            for copy in [false, true] {
                let opened = from_buffer(to, &frame, copy);
                check(&opened);
                assert_eq!(opened.frame.is_null(), copy);
                assert_eq!(opened.append(&data(400, 9)), 4);
                assert_eq!(opened.decompress(3, 400).unwrap(), data(400, 9));
            }
            let file = Scratch::new("to-file");
            let to_file =
                function!(from, blosc2_schunk_to_file: unsafe extern "C" fn(Handle, *const c_char) -> i64);
            // SAFETY: a live super-chunk and a C string.
            let len = unsafe { to_file(schunk.ptr, file.text().as_ptr()) };
            assert_eq!(std::fs::metadata(&file.0).unwrap().len() as i64, len);
            check(&open(to, &file.text()));
        }
        for contiguous in [false, true] {
            let path = Scratch::new("on-disk");
            drop(filled(from, contiguous, Some(&path.text())));
            let opened = open(to, &path.text());
            check(&opened);
            assert_eq!(opened.append(&data(400, 9)), 4);
            drop(opened);
            assert_eq!(open(from, &path.text()).decompress(3, 400).unwrap(), data(400, 9));
        }
    });
}

#[test]
fn the_fields_say_the_same_at_every_step() {
    let pair = Pair::load();
    for contiguous in [false, true] {
        for on_disk in [false, true] {
            let what = format!("contiguous {contiguous}, on disk {on_disk}");
            pair.agree(&what, |lib| {
                let path = Scratch::new("fields");
                let text = path.text();
                let mut params = cparams(4);
                (params.compcode, params.clevel, params.blocksize) = (5, 3, 8192);
                let schunk = new(lib, contiguous, on_disk.then_some(text.as_c_str()), params);
                let mut steps = vec![schunk.fields(), schunk.storage()];
                schunk.meta("blosc2_meta_add", c"meta", b"0123");
                steps.push(schunk.fields());
                for n in [40_000, 40_000, 10_000] {
                    schunk.append(&data(n, 1));
                    steps.push(schunk.fields());
                }
                schunk.vlmeta("blosc2_vlmeta_add", c"a", b"1");
                schunk.vlmeta("blosc2_vlmeta_add", c"b", b"22");
                schunk.vlmeta("blosc2_vlmeta_update", c"a", b"333");
                steps.push(schunk.fields());
                schunk.named("blosc2_vlmeta_delete", c"a");
                schunk.meta("blosc2_meta_update", c"meta", b"45");
                steps.push(format!("{:?} {:?}", schunk.mirrored_metas(), schunk.mirrored_vlmeta_names()));
                let first = schunk.chunk(0).unwrap().0;
                steps.push(schunk.put("blosc2_schunk_insert_chunk", Some(1), &first).to_string());
                steps.push(schunk.put("blosc2_schunk_update_chunk", Some(0), &first).to_string());
                steps.push(schunk.delete(2).to_string());
                steps.push(schunk.fields());
                if on_disk {
                    drop(schunk);
                    let opened = open(lib, &text);
                    steps.push(opened.fields());
                    steps.push(opened.storage());
                }
                steps
            });
        }
    }
}

#[test]
fn misuse_has_the_same_codes() {
    let pair = Pair::load();
    for contiguous in [false, true] {
        pair.agree(&format!("contiguous {contiguous}"), |lib| {
            let schunk = filled(lib, contiguous, None);
            let chunk = schunk.chunk(0).unwrap().0;
            let mut codes = vec![
                schunk.decompress(-1, 40_000).unwrap_err().into(),
                schunk.decompress(3, 40_000).unwrap_err().into(),
                schunk.decompress(0, 39_999).unwrap_err().into(),
                schunk.chunk(-1).unwrap_err().into(),
                schunk.chunk(3).unwrap_err().into(),
                schunk.delete(3),
                schunk.delete(-1),
                schunk.put("blosc2_schunk_insert_chunk", Some(4), &chunk),
                schunk.put("blosc2_schunk_insert_chunk", Some(-1), &chunk),
                schunk.put("blosc2_schunk_update_chunk", Some(3), &chunk),
                schunk.put("blosc2_schunk_append_chunk", None, &[0; 64]),
                schunk.meta("blosc2_meta_add", c"first", b"again").into(),
                schunk.meta("blosc2_meta_update", c"third", b"none").into(),
                schunk.named("blosc2_vlmeta_exists", c"none").into(),
                schunk.named("blosc2_vlmeta_exists", c"a name that is much longer than names may be").into(),
                schunk.named("blosc2_vlmeta_delete", c"none").into(),
                schunk.vlmeta("blosc2_vlmeta_add", c"notes", b"again").into(),
                schunk.vlmeta("blosc2_vlmeta_update", c"none", b"none").into(),
                schunk.vlmeta_get(c"none").unwrap_err().into(),
            ];
            codes.push(schunk.nchunks);
            codes
        });
    }
    pair.agree("opening", |lib| {
        let there = Scratch::new("there");
        std::fs::write(&there.0, b"not a frame at all, but long enough to look for one in here").unwrap();
        let none = Scratch::new("none");
        let frame = filled(lib, true, None).to_buffer().0;
        [
            open(lib, &none.text()).ptr.is_null(),
            open(lib, &there.text()).ptr.is_null(),
            new(lib, true, Some(&there.text()), cparams(4)).ptr.is_null(),
            from_buffer(lib, b"not a frame", true).ptr.is_null(),
            from_buffer(lib, &frame[..frame.len() - 1], true).ptr.is_null(),
        ]
    });
}

#[test]
fn a_program_may_change_the_contexts() {
    Pair::load().agree("other contexts", |lib| {
        let schunk = filled(lib, false, None);
        let create =
            function!(lib, blosc2_create_cctx: unsafe extern "C" fn(blosc2_cparams) -> *mut blosc2_context);
        let free = function!(lib, blosc2_free_ctx: unsafe extern "C" fn(*mut blosc2_context));
        let mut params = cparams(4);
        (params.compcode, params.schunk) = (5, schunk.ptr.cast());
        // SAFETY: as the Python binding does it: the context is freed, and another put in its place.
        unsafe {
            free(schunk.cctx);
            (*schunk.ptr).cctx = create(params);
        }
        assert_eq!(schunk.append(&data(8_000, 5)), 4);
        let codec_of = |n| schunk.chunk(n).unwrap().0[2] >> 5;
        assert_eq!(schunk.decompress(3, 8_000).unwrap(), data(8_000, 5));
        (codec_of(0), codec_of(3))
    });
}

#[test]
fn chunks_of_a_list_are_where_the_array_says() {
    Pair::load().agree("data", |lib| {
        let schunk = filled(lib, false, None);
        schunk.delete(1);
        let chunks = (0..2).map(|n| schunk.chunk(n).unwrap().0);
        // SAFETY: the array has as many pointers as there are chunks, each to one.
        chunks.enumerate().all(|(n, chunk)| unsafe {
            std::slice::from_raw_parts(*schunk.data.add(n), chunk.len()) == chunk && schunk.data_len >= 16
        })
    });
}

#[test]
fn a_frame_may_stay_the_callers() {
    Pair::load().agree("avoid_cframe_free", |lib| {
        let avoid = function!(lib, blosc2_schunk_avoid_cframe_free: unsafe extern "C" fn(Handle, bool));
        let from =
            function!(lib, blosc2_schunk_from_buffer: unsafe extern "C" fn(*mut u8, i64, bool) -> Handle);
        let mut frame = filled(lib, true, None).to_buffer().0;
        let before = frame.clone();
        // SAFETY: the frame is a vector's, which outlives the super-chunk; nobody else may free it.
        let schunk = Schunk { lib, ptr: unsafe { from(frame.as_mut_ptr(), frame.len() as i64, false) } };
        // SAFETY: a live super-chunk.
        unsafe { avoid(schunk.ptr, true) };
        check(&schunk);
        drop(schunk);
        frame == before
    });
}

#[test]
fn copies_orders_and_fillings_agree() {
    let pair = Pair::load();
    pair.agree("copy", |lib| {
        let schunk = filled(lib, false, None);
        let copy =
            function!(lib, blosc2_schunk_copy: unsafe extern "C" fn(Handle, *mut blosc2_storage) -> Handle);
        let mut params = cparams(4);
        params.compcode = 1;
        // SAFETY: takes nothing.
        let mut storage = unsafe { blosc2_get_blosc2_storage_defaults() };
        (storage.contiguous, storage.cparams) = (true, &mut params);
        // SAFETY: a live super-chunk and a storage with live pointers.
        let copy = Schunk { lib, ptr: unsafe { copy(schunk.ptr, &mut storage) } };
        // The C library, when it compresses anew, makes the last chunk as long as the others.
        assert!(copy.nchunks == 3 && copy.nbytes >= 90_000);
        assert_eq!(copy.decompress(1, 40_000).unwrap(), data(40_000, 1));
        (copy.chunk(0).unwrap().0[2] >> 5, copy.compcode)
    });
    pair.agree("order", |lib| {
        let schunk = filled(lib, true, None);
        let reorder =
            function!(lib, blosc2_schunk_reorder_offsets: unsafe extern "C" fn(Handle, *mut i64) -> c_int);
        let (mut good, mut bad) = ([1, 0, 2], [0, 0, 2]);
        // SAFETY: a live super-chunk and as many indices as it has chunks.
        let codes =
            unsafe { (reorder(schunk.ptr, bad.as_mut_ptr()), reorder(schunk.ptr, good.as_mut_ptr())) };
        assert_eq!(schunk.decompress(0, 40_000).unwrap(), data(40_000, 1));
        codes
    });
    for contiguous in [false, true] {
        pair.agree("fill", |lib| {
            let schunk = new(lib, contiguous, None, cparams(4));
            type Fill = unsafe extern "C" fn(Handle, i64, c_int, i32) -> i64;
            let fill = function!(lib, blosc2_schunk_fill_special: Fill);
            // SAFETY: a live super-chunk.
            let codes = unsafe { [fill(schunk.ptr, 2_500, 1, 4_000), fill(schunk.ptr, 10, 1, 4_000)] };
            (codes, schunk.fields(), schunk.decompress(2, 4_000).unwrap())
        });
    }
}

#[test]
fn parameters_are_copied_for_the_caller() {
    Pair::load().agree("cparams", |lib| {
        let schunk = filled(lib, false, None);
        type Get = unsafe extern "C" fn(Handle, *mut *mut blosc2_cparams) -> c_int;
        let get = function!(lib, blosc2_schunk_get_cparams: Get);
        let mut params = null_mut();
        // SAFETY: a live super-chunk and a place for a pointer; the result is freed once.
        unsafe {
            let code = get(schunk.ptr, &mut params);
            let p = *params;
            libc::free(params.cast());
            (code, p.compcode, p.clevel, p.typesize, p.nthreads, p.blocksize, p.splitmode, p.filters)
        }
    });
}

#[test]
fn a_frame_inside_a_file_opens_at_its_offset() {
    Pair::load().both_ways(|from, to| {
        let file = Scratch::new("offset");
        std::fs::write(&file.0, b"something before").unwrap();
        let append =
            function!(from, blosc2_schunk_append_file: unsafe extern "C" fn(Handle, *const c_char) -> i64);
        let open =
            function!(to, blosc2_schunk_open_offset: unsafe extern "C" fn(*const c_char, i64) -> Handle);
        // SAFETY: live super-chunks and C strings.
        unsafe {
            let at = append(filled(from, false, None).ptr, file.text().as_ptr());
            assert_eq!(at, 16);
            check(&Schunk { lib: to, ptr: open(file.text().as_ptr(), at) });
        }
    });
}

#[test]
fn another_handle_sees_what_was_appended() {
    Pair::load().ours(|lib| {
        let path = Scratch::new("refresh");
        let writer = filled(lib, true, Some(&path.text()));
        let reader = open(lib, &path.text());
        let refresh = function!(lib, blosc2_schunk_refresh: unsafe extern "C" fn(Handle) -> c_int);
        // SAFETY: a live super-chunk.
        let look = || unsafe { refresh(reader.ptr) };
        assert_eq!(look(), 0);
        assert_eq!(writer.append(&data(400, 7)), 4);
        assert_eq!(writer.vlmeta("blosc2_vlmeta_add", c"more", b"text"), 1);
        assert_eq!(reader.nchunks, 3);
        assert_eq!(look(), 1);
        assert_eq!(reader.nchunks, 4);
        assert_eq!(reader.mirrored_vlmeta_names(), ["notes", "more"]);
        assert_eq!(reader.decompress(3, 400).unwrap(), data(400, 7));
    });
}

#[test]
fn many_threads_read_one_handle() {
    Pair::load().ours(|lib| {
        let path = Scratch::new("threads");
        let schunk = filled(lib, true, Some(&path.text()));
        let handle = schunk.ptr as usize;
        let f = function!(lib, blosc2_schunk_decompress_chunk: unsafe extern "C" fn(Handle, i64, *mut c_void, i32) -> c_int);
        let f = *f;
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for n in (0..60).map(|i| (i + thread) % 3) {
                        let mut dest = vec![0u8; 40_000];
                        // SAFETY: a live super-chunk that is only read, and a buffer.
                        let len = unsafe { f(handle as Handle, n, dest.as_mut_ptr().cast(), 40_000) };
                        assert_eq!(dest[..len as usize], data(len as usize, n as u32));
                    }
                });
            }
        });
    });
}

#[test]
fn frames_made_on_the_way_name_the_threads_that_the_reference_names() {
    Pair::load().agree("threads in headers", |lib| {
        [false, true].map(|contiguous| {
            let header = filled(lib, contiguous, None).to_buffer().0;
            header[62..68].to_vec()
        })
    });
}
