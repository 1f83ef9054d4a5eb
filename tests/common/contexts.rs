//! Contexts of either library, made by the functions that C programs call, and freed at the end.
#![allow(dead_code)] // each test program uses a part of it

use super::function;
use super::pair::Lib;
use blosc2::capi::types::{blosc2_context, blosc2_cparams, blosc2_dparams};
use std::ffi::{c_int, c_void};

pub type Create<P> = unsafe extern "C" fn(P) -> *mut blosc2_context;
pub type Call = unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, *mut c_void, i32) -> c_int;
pub type GetItem =
    unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, c_int, c_int, *mut c_void, i32) -> c_int;

/// A context that is freed at the end.
pub struct Context<'a> {
    lib: &'a Lib<'a>,
    pub ptr: *mut blosc2_context,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        if self.ptr.is_null() {
            return; // a context that was refused, which the C library would look into
        }
        let free = function!(self.lib, blosc2_free_ctx: unsafe extern "C" fn(*mut blosc2_context));
        // SAFETY: the context came from the same library.
        unsafe { free(self.ptr) };
    }
}

pub fn cparams(change: impl Fn(&mut blosc2_cparams)) -> blosc2_cparams {
    // SAFETY: takes nothing.
    let mut params = unsafe { blosc2::capi::defaults::blosc2_get_blosc2_cparams_defaults() };
    change(&mut params);
    params
}

pub fn cctx<'a>(lib: &'a Lib<'a>, params: blosc2_cparams) -> Context<'a> {
    let create = function!(lib, blosc2_create_cctx: Create<blosc2_cparams>);
    // SAFETY: plain parameters.
    Context { lib, ptr: unsafe { create(params) } }
}

pub fn dctx<'a>(lib: &'a Lib<'a>, nthreads: i16) -> Context<'a> {
    let create = function!(lib, blosc2_create_dctx: Create<blosc2_dparams>);
    // SAFETY: takes nothing.
    let mut params = unsafe { blosc2::capi::defaults::blosc2_get_blosc2_dparams_defaults() };
    params.nthreads = nthreads;
    // SAFETY: plain parameters.
    Context { lib, ptr: unsafe { create(params) } }
}

impl Context<'_> {
    /// As `blosc2_compress_ctx`.
    pub fn compress(&self, src: &[u8], dest: &mut [u8]) -> c_int {
        let call = function!(self.lib, blosc2_compress_ctx: Call);
        let (src, dest) =
            ((src.as_ptr().cast(), src.len() as i32), (dest.as_mut_ptr().cast(), dest.len() as i32));
        // SAFETY: a context and buffers of these lengths.
        unsafe { call(self.ptr, src.0, src.1, dest.0, dest.1) }
    }

    /// As `blosc2_decompress_ctx`.
    pub fn decompress(&self, src: &[u8], dest: &mut [u8]) -> c_int {
        let call = function!(self.lib, blosc2_decompress_ctx: Call);
        let (src, dest) =
            ((src.as_ptr().cast(), src.len() as i32), (dest.as_mut_ptr().cast(), dest.len() as i32));
        // SAFETY: a context and buffers of these lengths.
        unsafe { call(self.ptr, src.0, src.1, dest.0, dest.1) }
    }

    /// As `blosc2_getitem_ctx`.
    pub fn getitem(&self, src: &[u8], start: c_int, nitems: c_int, dest: &mut [u8]) -> c_int {
        let call = function!(self.lib, blosc2_getitem_ctx: GetItem);
        let (src, dest) =
            ((src.as_ptr().cast(), src.len() as i32), (dest.as_mut_ptr().cast(), dest.len() as i32));
        // SAFETY: a context and buffers of these lengths.
        unsafe { call(self.ptr, src.0, src.1, start, nitems, dest.0, dest.1) }
    }
}

pub fn data(n: usize) -> Vec<u8> {
    (0..n as u32 / 4).flat_map(|i| (i * 3 + (i >> 7)).to_le_bytes()).collect()
}
