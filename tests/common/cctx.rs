//! The reference's contexts: the structs that go by value, and calls over them.
#![allow(dead_code)] // each program uses a part

use super::Reference;
use std::ffi::{c_int, c_void};

/// `blosc2_cparams`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RefCParams {
    pub compcode: u8,
    pub compcode_meta: u8,
    pub clevel: u8,
    pub use_dict: c_int,
    pub typesize: i32,
    pub nthreads: i16,
    pub blocksize: i32,
    pub splitmode: i32,
    pub schunk: *mut c_void,
    pub filters: [u8; 6],
    pub filters_meta: [u8; 6],
    pub prefilter: *mut c_void,
    pub preparams: *mut c_void,
    pub tuner_params: *mut c_void,
    pub tuner_id: c_int,
    pub instr_codec: bool,
    pub codec_params: *mut c_void,
    pub filter_params: [*mut c_void; 6],
}

impl Default for RefCParams {
    fn default() -> Self {
        use std::ptr::null_mut;
        RefCParams {
            compcode: 0,
            compcode_meta: 0,
            clevel: 5,
            use_dict: 0,
            typesize: 8,
            nthreads: 1,
            blocksize: 0,
            splitmode: 4,
            schunk: null_mut(),
            filters: [0, 0, 0, 0, 0, 1],
            filters_meta: [0; 6],
            prefilter: null_mut(),
            preparams: null_mut(),
            tuner_params: null_mut(),
            tuner_id: 0,
            instr_codec: false,
            codec_params: null_mut(),
            filter_params: [null_mut(); 6],
        }
    }
}

/// `blosc2_dparams`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RefDParams {
    pub nthreads: i16,
    pub schunk: *mut c_void,
    pub postfilter: *mut c_void,
    pub postparams: *mut c_void,
    pub typesize: i32,
}

impl Default for RefDParams {
    fn default() -> Self {
        use std::ptr::null_mut;
        RefDParams {
            nthreads: 1,
            schunk: null_mut(),
            postfilter: null_mut(),
            postparams: null_mut(),
            typesize: 8,
        }
    }
}

type Context = *mut c_void;

/// The reference's chunk functions, looked up once.
pub struct Chunks {
    create_cctx: unsafe extern "C" fn(RefCParams) -> Context,
    create_dctx: unsafe extern "C" fn(RefDParams) -> Context,
    free_ctx: unsafe extern "C" fn(Context),
    compress: unsafe extern "C" fn(Context, *const u8, i32, *mut u8, i32) -> c_int,
    decompress: unsafe extern "C" fn(Context, *const u8, i32, *mut u8, i32) -> c_int,
    getitem: unsafe extern "C" fn(Context, *const u8, i32, c_int, c_int, *mut u8, i32) -> c_int,
    zeros: unsafe extern "C" fn(RefCParams, i32, *mut u8, i32) -> c_int,
    repeatval: unsafe extern "C" fn(RefCParams, i32, *mut u8, i32, *const u8) -> c_int,
    vlcompress: unsafe extern "C" fn(Context, *const *const u8, *const i32, i32, *mut u8, i32) -> c_int,
}

impl Chunks {
    pub fn of(reference: &Reference) -> Self {
        // SAFETY: each type is that of the function in the reference's header, and the library is never unloaded.
        unsafe {
            Chunks {
                create_cctx: *reference.function("blosc2_create_cctx"),
                create_dctx: *reference.function("blosc2_create_dctx"),
                free_ctx: *reference.function("blosc2_free_ctx"),
                compress: *reference.function("blosc2_compress_ctx"),
                decompress: *reference.function("blosc2_decompress_ctx"),
                getitem: *reference.function("blosc2_getitem_ctx"),
                zeros: *reference.function("blosc2_chunk_zeros"),
                repeatval: *reference.function("blosc2_chunk_repeatval"),
                vlcompress: *reference.function("blosc2_vlcompress_ctx"),
            }
        }
    }

    /// A chunk of `src` in at most `room` bytes, or the return code.
    pub fn compress(&self, params: &RefCParams, src: &[u8], room: usize) -> Result<Vec<u8>, i32> {
        let mut dst = vec![0u8; room];
        // SAFETY: lengths are the slices'; the context lives from create to free.
        let code = unsafe {
            let ctx = (self.create_cctx)(*params);
            assert!(!ctx.is_null());
            let code = (self.compress)(ctx, src.as_ptr(), src.len() as i32, dst.as_mut_ptr(), room as i32);
            (self.free_ctx)(ctx);
            code
        };
        if code <= 0 {
            return Err(code);
        }
        dst.truncate(code as usize);
        Ok(dst)
    }

    /// A chunk of VL blocks.
    pub fn vl_compress(&self, params: &RefCParams, blocks: &[&[u8]]) -> Result<Vec<u8>, i32> {
        let room = 64 + blocks.iter().map(|block| block.len() + 64).sum::<usize>();
        let mut dst = vec![0u8; room];
        let pointers: Vec<*const u8> = blocks.iter().map(|block| block.as_ptr()).collect();
        let lens: Vec<i32> = blocks.iter().map(|block| block.len() as i32).collect();
        // SAFETY: as above; the pointers and lengths are those of the blocks.
        let code = unsafe {
            let ctx = (self.create_cctx)(*params);
            let (n, out) = (blocks.len() as i32, dst.as_mut_ptr());
            let code = (self.vlcompress)(ctx, pointers.as_ptr(), lens.as_ptr(), n, out, room as i32);
            (self.free_ctx)(ctx);
            code
        };
        if code <= 0 {
            return Err(code);
        }
        dst.truncate(code as usize);
        Ok(dst)
    }

    /// What a chunk holds, `room` bytes at most, or the return code.
    pub fn decompress(&self, chunk: &[u8], room: usize) -> Result<Vec<u8>, i32> {
        let mut dst = vec![0xeeu8; room.max(1)];
        // SAFETY: lengths are the slices'; the context lives from create to free.
        let code = unsafe {
            let ctx = (self.create_dctx)(RefDParams::default());
            let code =
                (self.decompress)(ctx, chunk.as_ptr(), chunk.len() as i32, dst.as_mut_ptr(), room as i32);
            (self.free_ctx)(ctx);
            code
        };
        if code < 0 {
            return Err(code);
        }
        dst.truncate(code as usize);
        Ok(dst)
    }

    /// `nitems` items of `typesize` bytes from `start` on, or the return code.
    pub fn getitem(&self, chunk: &[u8], start: i32, nitems: i32, typesize: usize) -> Result<Vec<u8>, i32> {
        let mut dst = vec![0xeeu8; nitems.max(1) as usize * typesize];
        // SAFETY: as above.
        let code = unsafe {
            let ctx = (self.create_dctx)(RefDParams::default());
            let (len, room) = (chunk.len() as i32, dst.len() as i32);
            let code = (self.getitem)(ctx, chunk.as_ptr(), len, start, nitems, dst.as_mut_ptr(), room);
            (self.free_ctx)(ctx);
            code
        };
        if code < 0 {
            return Err(code);
        }
        dst.truncate(code as usize);
        Ok(dst)
    }

    /// A chunk of zeros.
    pub fn zeros(&self, params: &RefCParams, nbytes: usize) -> Result<Vec<u8>, i32> {
        let mut dst = vec![0u8; 64];
        // SAFETY: the destination has the length given.
        let code = unsafe { (self.zeros)(*params, nbytes as i32, dst.as_mut_ptr(), 64) };
        if code <= 0 {
            return Err(code);
        }
        dst.truncate(code as usize);
        Ok(dst)
    }

    /// A chunk of one repeated value.
    pub fn repeatval(&self, params: &RefCParams, nbytes: usize, value: &[u8]) -> Result<Vec<u8>, i32> {
        let mut dst = vec![0u8; 32 + value.len()];
        // SAFETY: the destination has the length given; the value is one item.
        let code = unsafe {
            (self.repeatval)(*params, nbytes as i32, dst.as_mut_ptr(), dst.len() as i32, value.as_ptr())
        };
        if code <= 0 {
            return Err(code);
        }
        dst.truncate(code as usize);
        Ok(dst)
    }
}
