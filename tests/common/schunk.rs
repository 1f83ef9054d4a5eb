//! The reference's super-chunks: their struct, and calls over them.

use super::Reference;
use super::common::cctx::{RefCParams, RefDParams};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;

#[repr(C)]
struct Storage {
    contiguous: bool,
    urlpath: *mut c_char,
    cparams: *mut RefCParams,
    dparams: *mut RefDParams,
    io: *mut c_void,
}

#[repr(C)]
struct Metalayer {
    name: *mut c_char,
    content: *mut u8,
    content_len: i32,
}

/// `blosc2_schunk`, as far as it is looked at.
#[repr(C)]
struct Schunk {
    version: u8,
    compcode: u8,
    compcode_meta: u8,
    clevel: u8,
    splitmode: u8,
    typesize: i32,
    blocksize: i32,
    chunksize: i32,
    flags2: u8,
    use_dict: u8,
    filters: [u8; 6],
    filters_meta: [u8; 6],
    nchunks: i64,
    current_nchunk: i64,
    nbytes: i64,
    cbytes: i64,
    data: *mut *mut u8,
    data_len: usize,
    storage: *mut c_void,
    frame: *mut c_void,
    cctx: *mut c_void,
    dctx: *mut c_void,
    metalayers: [*mut Metalayer; 16],
    nmetalayers: u16,
    vlmetalayers: [*mut Metalayer; 8192],
    nvlmetalayers: i16,
}

/// What a super-chunk says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    pub nchunks: i64,
    pub nbytes: i64,
    pub cbytes: i64,
    pub chunksize: i32,
    pub blocksize: i32,
    pub typesize: i32,
}

/// A super-chunk of the reference library.
pub struct RefSchunk<'l> {
    lib: &'l Reference,
    ptr: *mut Schunk,
}

fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_encoded_bytes()).unwrap()
}

fn checked(code: i64) -> Result<i64, i32> {
    if code < 0 { Err(code as i32) } else { Ok(code) }
}

// Calls one function of the library on the super-chunk, with the C types given.
macro_rules! call {
    ($self:ident.$name:ident($($arg:expr => $ty:ty),*) -> $ret:ty) => {{
        type F = unsafe extern "C" fn(*mut Schunk, $($ty),*) -> $ret;
        // SAFETY: the types are those of the header, the arguments outlive the call.
        unsafe { ($self.lib.function::<F>(stringify!($name)))($self.ptr, $($arg),*) }
    }};
}

impl<'l> RefSchunk<'l> {
    fn of(lib: &'l Reference, ptr: *mut Schunk) -> Option<Self> {
        (!ptr.is_null()).then_some(RefSchunk { lib, ptr })
    }

    pub fn create(
        lib: &'l Reference,
        contiguous: bool,
        path: Option<&Path>,
        cparams: RefCParams,
    ) -> Option<Self> {
        let mut cparams = cparams;
        let mut dparams = RefDParams::default();
        let path = path.map(c_path);
        let urlpath = path.as_ref().map_or(null_mut(), |path| path.as_ptr().cast_mut());
        let mut storage =
            Storage { contiguous, urlpath, cparams: &mut cparams, dparams: &mut dparams, io: null_mut() };
        // SAFETY: the library copies what the storage points to.
        let ptr = unsafe {
            lib.function::<unsafe extern "C" fn()>("blosc2_init")();
            lib.function::<unsafe extern "C" fn(*mut Storage) -> *mut Schunk>("blosc2_schunk_new")(
                &mut storage,
            )
        };
        RefSchunk::of(lib, ptr)
    }

    pub fn open(lib: &'l Reference, path: &Path, offset: i64) -> Option<Self> {
        let path = c_path(path);
        type Open = unsafe extern "C" fn(*const c_char, i64) -> *mut Schunk;
        // SAFETY: a path and a number.
        let ptr = unsafe {
            lib.function::<unsafe extern "C" fn()>("blosc2_init")();
            lib.function::<Open>("blosc2_schunk_open_offset")(path.as_ptr(), offset)
        };
        RefSchunk::of(lib, ptr)
    }

    /// Opens a frame with the sidecar lock on.
    pub fn open_locking(lib: &'l Reference, path: &Path) -> Option<Self> {
        #[repr(C)]
        struct Io {
            id: u8,
            name: *const c_char,
            params: *mut bool,
        }
        let path = c_path(path);
        // `blosc2_stdio_params` is one bool; it has to outlive the super-chunk.
        let io = Io { id: 0, name: c"filesystem".as_ptr(), params: Box::leak(Box::new(true)) };
        type Open = unsafe extern "C" fn(*const c_char, *const Io) -> *mut Schunk;
        // SAFETY: a path, and a struct that is copied.
        let ptr = unsafe {
            lib.function::<unsafe extern "C" fn()>("blosc2_init")();
            lib.function::<Open>("blosc2_schunk_open_udio")(path.as_ptr(), &io)
        };
        RefSchunk::of(lib, ptr)
    }

    /// Copies the chunks out of a frame.
    pub fn from_buffer(lib: &'l Reference, frame: &[u8]) -> Option<Self> {
        type From = unsafe extern "C" fn(*const u8, i64, bool) -> *mut Schunk;
        // SAFETY: the frame is copied.
        let ptr = unsafe {
            lib.function::<unsafe extern "C" fn()>("blosc2_init")();
            lib.function::<From>("blosc2_schunk_from_buffer")(frame.as_ptr(), frame.len() as i64, true)
        };
        RefSchunk::of(lib, ptr)
    }

    pub fn numbers(&self) -> Numbers {
        // SAFETY: the super-chunk lives as long as self.
        let s = unsafe { &*self.ptr };
        Numbers {
            nchunks: s.nchunks,
            nbytes: s.nbytes,
            cbytes: s.cbytes,
            chunksize: s.chunksize,
            blocksize: s.blocksize,
            typesize: s.typesize,
        }
    }

    pub fn append_buffer(&mut self, data: &[u8]) -> Result<i64, i32> {
        let (src, n) = (data.as_ptr(), data.len() as i32);
        checked(call!(self.blosc2_schunk_append_buffer(src => *const u8, n => i32) -> i64))
    }

    pub fn append_chunk(&mut self, chunk: &[u8]) -> Result<i64, i32> {
        checked(call!(self.blosc2_schunk_append_chunk(chunk.as_ptr() => *const u8, true => bool) -> i64))
    }

    pub fn insert_chunk(&mut self, n: i64, chunk: &[u8]) -> Result<i64, i32> {
        let src = chunk.as_ptr();
        checked(call!(self.blosc2_schunk_insert_chunk(n => i64, src => *const u8, true => bool) -> i64))
    }

    pub fn update_chunk(&mut self, n: i64, chunk: &[u8]) -> Result<i64, i32> {
        let src = chunk.as_ptr();
        checked(call!(self.blosc2_schunk_update_chunk(n => i64, src => *const u8, true => bool) -> i64))
    }

    pub fn delete_chunk(&mut self, n: i64) -> Result<i64, i32> {
        checked(call!(self.blosc2_schunk_delete_chunk(n => i64) -> i64))
    }

    pub fn reorder(&mut self, order: &[i64]) -> Result<i64, i32> {
        let order = order.as_ptr();
        checked(i64::from(call!(self.blosc2_schunk_reorder_offsets(order => *const i64) -> c_int)))
    }

    pub fn fill_special(&mut self, nitems: i64, special: u8, chunksize: i32) -> Result<i64, i32> {
        let kind = c_int::from(special);
        checked(call!(self.blosc2_schunk_fill_special(nitems => i64, kind => c_int, chunksize => i32) -> i64))
    }

    pub fn decompress_chunk(&self, n: i64, len: usize) -> Result<Vec<u8>, i32> {
        let mut out = vec![0; len];
        let (dst, size) = (out.as_mut_ptr(), len as i32);
        let got = call!(self.blosc2_schunk_decompress_chunk(n => i64, dst => *mut u8, size => i32) -> c_int);
        out.truncate(checked(i64::from(got))? as usize);
        Ok(out)
    }

    pub fn chunk(&self, n: i64) -> Result<Vec<u8>, i32> {
        let (mut chunk, mut needs_free) = (null_mut::<u8>(), false);
        let (to, free) = (&raw mut chunk, &raw mut needs_free);
        let len =
            call!(self.blosc2_schunk_get_chunk(n => i64, to => *mut *mut u8, free => *mut bool) -> c_int);
        let len = checked(i64::from(len))? as usize;
        // SAFETY: so many bytes, malloc'ed when they need freeing.
        Ok(unsafe {
            let bytes = std::slice::from_raw_parts(chunk, len).to_vec();
            if needs_free {
                libc::free(chunk.cast());
            }
            bytes
        })
    }

    pub fn get_slice(&self, start: i64, stop: i64, typesize: usize) -> Result<Vec<u8>, i32> {
        let mut out = vec![0; (stop - start) as usize * typesize];
        let dst = out.as_mut_ptr();
        let code =
            call!(self.blosc2_schunk_get_slice_buffer(start => i64, stop => i64, dst => *mut u8) -> c_int);
        checked(i64::from(code)).map(|_| out)
    }

    pub fn set_slice(&mut self, start: i64, stop: i64, data: &[u8]) -> Result<i64, i32> {
        let src = data.as_ptr();
        let code =
            call!(self.blosc2_schunk_set_slice_buffer(start => i64, stop => i64, src => *const u8) -> c_int);
        checked(i64::from(code))
    }

    pub fn to_buffer(&self) -> Result<Vec<u8>, i32> {
        let (mut frame, mut needs_free) = (null_mut::<u8>(), false);
        let (to, free) = (&raw mut frame, &raw mut needs_free);
        let len = call!(self.blosc2_schunk_to_buffer(to => *mut *mut u8, free => *mut bool) -> i64);
        let len = checked(len)? as usize;
        // SAFETY: so many bytes, malloc'ed when they need freeing.
        Ok(unsafe {
            let bytes = std::slice::from_raw_parts(frame, len).to_vec();
            if needs_free {
                libc::free(frame.cast());
            }
            bytes
        })
    }

    pub fn frame_len(&self) -> i64 {
        call!(self.blosc2_schunk_frame_len() -> i64)
    }

    pub fn append_file(&self, path: &Path) -> Result<i64, i32> {
        let path = c_path(path);
        checked(call!(self.blosc2_schunk_append_file(path.as_ptr() => *const c_char) -> i64))
    }

    pub fn to_file(&self, path: &Path) -> Result<i64, i32> {
        let path = c_path(path);
        checked(call!(self.blosc2_schunk_to_file(path.as_ptr() => *const c_char) -> i64))
    }

    pub fn lock(&mut self) -> Result<i64, i32> {
        checked(i64::from(call!(self.blosc2_schunk_lock() -> c_int)))
    }

    pub fn unlock(&mut self) -> Result<i64, i32> {
        checked(i64::from(call!(self.blosc2_schunk_unlock() -> c_int)))
    }

    pub fn refresh(&mut self) -> Result<i64, i32> {
        checked(i64::from(call!(self.blosc2_schunk_refresh() -> c_int)))
    }

    pub fn meta_add(&mut self, name: &str, content: &[u8]) -> Result<i64, i32> {
        self.meta("blosc2_meta_add", name, content)
    }

    pub fn meta_update(&mut self, name: &str, content: &[u8]) -> Result<i64, i32> {
        self.meta("blosc2_meta_update", name, content)
    }

    fn meta(&mut self, function: &str, name: &str, content: &[u8]) -> Result<i64, i32> {
        type F = unsafe extern "C" fn(*mut Schunk, *const c_char, *const u8, i32) -> c_int;
        let name = CString::new(name).unwrap();
        // SAFETY: the content is copied.
        let code = unsafe {
            self.lib.function::<F>(function)(self.ptr, name.as_ptr(), content.as_ptr(), content.len() as i32)
        };
        checked(i64::from(code))
    }

    pub fn vlmeta_add(&mut self, name: &str, content: &[u8]) -> Result<i64, i32> {
        self.vlmeta("blosc2_vlmeta_add", name, content)
    }

    pub fn vlmeta_update(&mut self, name: &str, content: &[u8]) -> Result<i64, i32> {
        self.vlmeta("blosc2_vlmeta_update", name, content)
    }

    fn vlmeta(&mut self, function: &str, name: &str, content: &[u8]) -> Result<i64, i32> {
        type F = unsafe extern "C" fn(*mut Schunk, *const c_char, *const u8, i32, *mut RefCParams) -> c_int;
        let name = CString::new(name).unwrap();
        // SAFETY: the content is copied; no parameters mean default ones.
        let code = unsafe {
            let len = content.len() as i32;
            self.lib.function::<F>(function)(self.ptr, name.as_ptr(), content.as_ptr(), len, null_mut())
        };
        checked(i64::from(code))
    }

    pub fn vlmeta_delete(&mut self, name: &str) -> Result<i64, i32> {
        let name = CString::new(name).unwrap();
        checked(i64::from(call!(self.blosc2_vlmeta_delete(name.as_ptr() => *const c_char) -> c_int)))
    }

    pub fn vlmeta_get(&self, name: &str) -> Result<Vec<u8>, i32> {
        let name = CString::new(name).unwrap();
        let (mut content, mut len) = (null_mut::<u8>(), 0i32);
        let (to, to_len) = (&raw mut content, &raw mut len);
        let code = call!(self.blosc2_vlmeta_get(
            name.as_ptr() => *const c_char, to => *mut *mut u8, to_len => *mut i32) -> c_int);
        checked(i64::from(code))?;
        if content.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: so many bytes, ours to free.
        Ok(unsafe {
            let bytes = std::slice::from_raw_parts(content, len as usize).to_vec();
            libc::free(content.cast());
            bytes
        })
    }

    /// Names and contents of the fixed metalayers.
    pub fn metas(&self) -> Vec<(String, Vec<u8>)> {
        // SAFETY: the super-chunk lives as long as self, and its first metalayers are there.
        unsafe {
            let s = &*self.ptr;
            let metas = s.metalayers[..usize::from(s.nmetalayers)].iter();
            metas
                .map(|&meta| {
                    let name = CStr::from_ptr((*meta).name).to_str().unwrap().to_owned();
                    let content = std::slice::from_raw_parts((*meta).content, (*meta).content_len as usize);
                    (name, content.to_vec())
                })
                .collect()
        }
    }

    pub fn nvlmetas(&self) -> usize {
        // SAFETY: the super-chunk lives as long as self.
        unsafe { (*self.ptr).nvlmetalayers as usize }
    }
}

impl Drop for RefSchunk<'_> {
    fn drop(&mut self) {
        call!(self.blosc2_schunk_free() -> c_int);
    }
}
