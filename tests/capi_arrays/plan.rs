//! Arrays to ask both libraries for.

use crate::function;
use crate::pair::Lib;
use blosc2::capi::defaults::*;
use blosc2::capi::types::*;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

pub type Handle = *mut b2nd_array_t;
pub type CreateCtx = unsafe extern "C" fn(
    *const blosc2_storage,
    i8,
    *const i64,
    *const i32,
    *const i32,
    *const c_char,
    i8,
    *const blosc2_metalayer,
    i32,
) -> *mut b2nd_context_t;
pub type Make = unsafe extern "C" fn(*mut b2nd_context_t, *mut Handle) -> c_int;
pub type FromBuffer = unsafe extern "C" fn(*mut b2nd_context_t, *mut Handle, *const c_void, i64) -> c_int;
pub type GetSlice =
    unsafe extern "C" fn(*const b2nd_array_t, *const i64, *const i64, *mut c_void, *const i64, i64) -> c_int;
pub type SetSlice =
    unsafe extern "C" fn(*const c_void, *const i64, i64, *const i64, *const i64, Handle) -> c_int;

/// An array of one of the libraries, freed at the end.
pub struct Array<'a> {
    pub lib: &'a Lib<'a>,
    pub ptr: Handle,
}

impl Drop for Array<'_> {
    fn drop(&mut self) {
        let free = function!(self.lib, b2nd_free: unsafe extern "C" fn(Handle) -> c_int);
        // SAFETY: the array is this library's, or NULL, which is not freed.
        assert!(self.ptr.is_null() || unsafe { free(self.ptr) } == 0);
    }
}

impl std::ops::Deref for Array<'_> {
    type Target = b2nd_array_t;
    fn deref(&self) -> &b2nd_array_t {
        // SAFETY: the tests look at arrays that were made.
        unsafe { self.ptr.as_ref() }.unwrap()
    }
}

/// How to make an array.
#[derive(Clone)]
pub struct Plan {
    pub shape: Vec<i64>,
    pub chunks: Vec<i32>,
    pub blocks: Vec<i32>,
    pub typesize: i32,
    pub contiguous: bool,
    pub path: Option<CString>,
    pub dtype: Option<CString>,
    pub filters: ([u8; 6], [u8; 6]),
    /// The codec and its parameter.
    pub codec: (u8, u8),
    /// Whether the array has a metalayer beside its own.
    pub metalayer: bool,
}

impl Plan {
    pub fn new(shape: &[i64], chunks: &[i32], blocks: &[i32]) -> Self {
        Plan {
            shape: shape.to_vec(),
            chunks: chunks.to_vec(),
            blocks: blocks.to_vec(),
            typesize: 4,
            contiguous: false,
            path: None,
            dtype: Some(c"<u4".into()),
            filters: ([0, 0, 0, 0, 0, 1], [0; 6]),
            codec: (0, 0),
            metalayer: true,
        }
    }

    pub fn nitems(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    pub fn data(&self) -> Vec<u8> {
        let items = (0..self.nitems() as u32).map(|i| (i * 7 + 1).to_le_bytes());
        items.flat_map(|item| item[..self.typesize.min(4) as usize].to_vec()).collect()
    }

    /// Makes a context, hands it to `make`, and frees it.
    pub fn context<R>(&self, lib: &Lib<'_>, make: impl FnOnce(*mut b2nd_context_t) -> R) -> R {
        let create = function!(lib, b2nd_create_ctx: CreateCtx);
        let free = function!(lib, b2nd_free_ctx: unsafe extern "C" fn(*mut b2nd_context_t) -> c_int);
        // SAFETY: plain structs, and pointers that live until the context is freed.
        unsafe {
            let mut cparams = blosc2_get_blosc2_cparams_defaults();
            cparams.typesize = self.typesize;
            (cparams.filters, cparams.filters_meta) = self.filters;
            (cparams.compcode, cparams.compcode_meta) = self.codec;
            let mut storage = blosc2_get_blosc2_storage_defaults();
            storage.cparams = &mut cparams;
            storage.contiguous = self.contiguous;
            storage.urlpath = self.path.as_ref().map_or(null_mut(), |path| path.as_ptr().cast_mut());
            let mut content = *b"metadata";
            let meta = blosc2_metalayer {
                name: c"extra".as_ptr().cast_mut(),
                content: content.as_mut_ptr(),
                content_len: 8,
            };
            let dtype = self.dtype.as_ref().map_or(null(), |dtype| dtype.as_ptr());
            let (shape, chunks, blocks) = (self.shape.as_ptr(), self.chunks.as_ptr(), self.blocks.as_ptr());
            let n = i32::from(self.metalayer);
            let context = create(&storage, self.shape.len() as i8, shape, chunks, blocks, dtype, 0, &meta, n);
            let result = make(context);
            if !context.is_null() {
                assert_eq!(free(context), 0);
            }
            result
        }
    }

    pub fn make<'a>(&self, lib: &'a Lib<'a>, call: &str) -> Result<Array<'a>, c_int> {
        self.context(lib, |context| {
            let mut ptr = null_mut();
            // SAFETY: a context and a place for a pointer.
            match unsafe { lib.function::<Make>(call)(context, &mut ptr) } {
                0 => Ok(Array { lib, ptr }),
                code => Err(code),
            }
        })
    }

    pub fn filled<'a>(&self, lib: &'a Lib<'a>) -> Array<'a> {
        self.filled_with(lib, &self.data())
    }

    pub fn filled_with<'a>(&self, lib: &'a Lib<'a>, data: &[u8]) -> Array<'a> {
        let from = function!(lib, b2nd_from_cbuffer: FromBuffer);
        self.context(lib, |context| {
            let mut ptr = null_mut();
            // SAFETY: a context, a place for a pointer, and a buffer.
            assert_eq!(unsafe { from(context, &mut ptr, data.as_ptr().cast(), data.len() as i64) }, 0);
            Array { lib, ptr }
        })
    }
}

impl Array<'_> {
    fn itemsize(&self) -> usize {
        // SAFETY: an array has a super-chunk.
        unsafe { (*self.sc).typesize as usize }
    }

    pub fn all(&self) -> Result<Vec<u8>, c_int> {
        type ToBuffer = unsafe extern "C" fn(*const b2nd_array_t, *mut c_void, i64) -> c_int;
        let f = function!(self.lib, b2nd_to_cbuffer: ToBuffer);
        let mut buffer = vec![0xaau8; self.nitems as usize * self.itemsize()];
        // SAFETY: a live array and a buffer.
        match unsafe { f(self.ptr, buffer.as_mut_ptr().cast(), buffer.len() as i64) } {
            0 => Ok(buffer),
            code => Err(code),
        }
    }

    pub fn get(&self, start: &[i64], stop: &[i64], shape: &[i64], len: usize) -> Result<Vec<u8>, c_int> {
        let f = function!(self.lib, b2nd_get_slice_cbuffer: GetSlice);
        let mut buffer = vec![0xaau8; len];
        let len = len as i64;
        // SAFETY: a live array, numbers for each dimension, and a buffer.
        match unsafe {
            f(self.ptr, start.as_ptr(), stop.as_ptr(), buffer.as_mut_ptr().cast(), shape.as_ptr(), len)
        } {
            0 => Ok(buffer),
            code => Err(code),
        }
    }

    pub fn set(&self, data: &[u8], shape: &[i64], start: &[i64], stop: &[i64]) -> c_int {
        let f = function!(self.lib, b2nd_set_slice_cbuffer: SetSlice);
        let (data, len) = (data.as_ptr().cast(), data.len() as i64);
        // SAFETY: a live array, numbers for each dimension, and a buffer.
        unsafe { f(data, shape.as_ptr(), len, start.as_ptr(), stop.as_ptr(), self.ptr) }
    }

    /// The frame, and whether it had to be freed.
    pub fn to_cframe(&self) -> (Vec<u8>, bool) {
        type ToCframe = unsafe extern "C" fn(*const b2nd_array_t, *mut *mut u8, *mut i64, *mut bool) -> c_int;
        let f = function!(self.lib, b2nd_to_cframe: ToCframe);
        let (mut frame, mut len, mut needs_free) = (null_mut(), 0, false);
        // SAFETY: a live array and places for the results, which say how long the frame is.
        unsafe {
            assert_eq!(f(self.ptr, &mut frame, &mut len, &mut needs_free), 0);
            let copy = std::slice::from_raw_parts(frame, len as usize).to_vec();
            if needs_free {
                libc::free(frame.cast());
            }
            (copy, needs_free)
        }
    }

    /// Everything that the public struct says, but for pointers and what is not used of it.
    pub fn fields(&self) -> String {
        let ndim = self.ndim as usize;
        let strides = [
            &self.item_array_strides,
            &self.item_chunk_strides,
            &self.item_extchunk_strides,
            &self.item_block_strides,
            &self.block_chunk_strides,
            &self.chunk_array_strides,
        ]
        .map(|strides| strides[..ndim].to_vec());
        // SAFETY: a dtype is NULL or a C string; an array has a super-chunk.
        let (dtype, sc) = unsafe {
            (self.dtype.as_ref().map(|dtype| CStr::from_ptr(dtype).to_owned()), self.sc.as_ref().unwrap())
        };
        format!(
            "{:?}",
            (
                (self.ndim, self.shape, self.chunkshape, self.extshape, self.blockshape, self.extchunkshape),
                (self.nitems, self.chunknitems, self.extnitems, self.blocknitems, self.extchunknitems),
                (strides, dtype, self.dtype_format, self.chunk_cache.nchunk, self.chunk_cache.data.is_null()),
                (sc.nchunks, sc.nbytes, sc.chunksize, sc.blocksize, sc.typesize, sc.nmetalayers),
            )
        )
    }
}

pub fn from_cframe<'a>(lib: &'a Lib<'a>, frame: &[u8], copy: bool) -> Result<Array<'a>, c_int> {
    type FromCframe = unsafe extern "C" fn(*mut u8, i64, bool, *mut Handle) -> c_int;
    let f = function!(lib, b2nd_from_cframe: FromCframe);
    // SAFETY: a buffer that outlives the array, as without a copy it is left to the process, and a place for a pointer.
    unsafe {
        let buffer = libc::malloc(frame.len().max(1)).cast::<u8>();
        std::ptr::copy_nonoverlapping(frame.as_ptr(), buffer, frame.len());
        let mut ptr = null_mut();
        let code = f(buffer, frame.len() as i64, copy, &mut ptr);
        if copy {
            libc::free(buffer.cast());
        }
        if code == 0 { Ok(Array { lib, ptr }) } else { Err(code) }
    }
}

pub fn open<'a>(lib: &'a Lib<'a>, path: &CStr) -> Result<Array<'a>, c_int> {
    let f = function!(lib, b2nd_open: unsafe extern "C" fn(*const c_char, *mut Handle) -> c_int);
    let mut ptr = null_mut();
    // SAFETY: a C string and a place for a pointer.
    match unsafe { f(path.as_ptr(), &mut ptr) } {
        0 => Ok(Array { lib, ptr }),
        code => Err(code),
    }
}

/// Arrays with whole and with cut chunks and blocks, of no dimensions and with no items.
pub fn plans() -> Vec<Plan> {
    vec![
        Plan::new(&[], &[], &[]),
        Plan::new(&[100], &[30], &[7]),
        Plan::new(&[20, 30], &[10, 10], &[5, 5]),
        Plan::new(&[13, 17, 5], &[7, 6, 5], &[3, 4, 2]),
        Plan::new(&[0, 4], &[1, 4], &[1, 2]),
        Plan::new(&[2, 3, 1, 2, 2], &[2, 2, 1, 2, 1], &[1, 2, 1, 1, 1]),
    ]
}
