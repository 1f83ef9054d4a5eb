//! The reference library's n-dimensional arrays, called from Rust: its structures and one method per function.
#![allow(dead_code)] // each program uses a part
#![allow(clippy::wrong_self_convention)] // methods are named after the functions they call

mod array;

use super::Reference;
use super::cctx::RefCParams;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

pub const MAX_DIM: usize = 16;

/// `blosc2_storage`.
#[repr(C)]
struct Storage {
    contiguous: bool,
    urlpath: *const c_char,
    cparams: *const RefCParams,
    dparams: *const c_void,
    io: *mut c_void,
}

/// `blosc2_metalayer`.
#[repr(C)]
struct Metalayer {
    name: *const c_char,
    content: *const u8,
    content_len: i32,
}

/// `b2nd_array_t`.
#[repr(C)]
pub struct CArray {
    pub sc: *mut c_void,
    pub shape: [i64; MAX_DIM],
    pub chunkshape: [i32; MAX_DIM],
    pub extshape: [i64; MAX_DIM],
    pub blockshape: [i32; MAX_DIM],
    pub extchunkshape: [i64; MAX_DIM],
    pub nitems: i64,
    pub chunknitems: i32,
    pub extnitems: i64,
    pub blocknitems: i32,
    pub extchunknitems: i64,
    pub ndim: i8,
    cache: (*mut u8, i64),
    pub item_array_strides: [i64; MAX_DIM],
    pub item_chunk_strides: [i64; MAX_DIM],
    pub item_extchunk_strides: [i64; MAX_DIM],
    pub item_block_strides: [i64; MAX_DIM],
    pub block_chunk_strides: [i64; MAX_DIM],
    pub chunk_array_strides: [i64; MAX_DIM],
    pub dtype: *mut c_char,
    pub dtype_format: i8,
    pub last_tick: i64,
}

/// The reference library, initialised.
pub struct B2nd {
    pub reference: Reference,
}

/// What an array of the reference is created from.
#[derive(Clone)]
pub struct Spec {
    pub shape: Vec<i64>,
    pub chunkshape: Vec<i32>,
    pub blockshape: Vec<i32>,
    pub dtype: Option<String>,
    pub contiguous: bool,
    pub urlpath: Option<String>,
    pub cparams: RefCParams,
    pub metalayers: Vec<(String, Vec<u8>)>,
}

impl Spec {
    pub fn new(shape: &[i64], chunkshape: &[i32], blockshape: &[i32], typesize: i32) -> Self {
        Spec {
            shape: shape.to_vec(),
            chunkshape: chunkshape.to_vec(),
            blockshape: blockshape.to_vec(),
            dtype: None,
            contiguous: true,
            urlpath: None,
            cparams: RefCParams { typesize, ..RefCParams::default() },
            metalayers: Vec::new(),
        }
    }
}

/// An array of the reference; freed when dropped.
pub struct RefArray<'r> {
    b2nd: &'r B2nd,
    array: *mut CArray,
}

impl Drop for RefArray<'_> {
    fn drop(&mut self) {
        // SAFETY: the array came from the library and is freed once.
        unsafe {
            let free =
                self.b2nd.reference.function::<unsafe extern "C" fn(*mut CArray) -> c_int>("b2nd_free");
            free(self.array);
        }
    }
}

macro_rules! call {
    ($b2nd:expr, $name:literal, fn($($ty:ty),* $(,)?) -> $ret:ty, $($arg:expr),*) => {
        // SAFETY: the signature is the header's, and the arguments are valid for the call.
        unsafe { $b2nd.reference.function::<unsafe extern "C" fn($($ty),*) -> $ret>($name)($($arg),*) }
    };
}

use call;

fn checked(code: c_int) -> Result<(), i32> {
    if code < 0 { Err(code) } else { Ok(()) }
}

impl B2nd {
    /// The library that `BLOSC2_REFERENCE` names, or `None`, said loudly.
    pub fn load() -> Option<B2nd> {
        let b2nd = B2nd { reference: Reference::load()? };
        call!(b2nd, "blosc2_init", fn() -> (),);
        Some(b2nd)
    }

    /// Our own shared library, as a C program uses it.
    pub fn ours() -> B2nd {
        B2nd { reference: Reference::ours() }
    }

    fn with_ctx<R>(&self, spec: &Spec, f: impl FnOnce(*mut c_void) -> R) -> Option<R> {
        let urlpath = spec.urlpath.as_ref().map(|path| CString::new(path.as_str()).unwrap());
        let dtype = spec.dtype.as_ref().map(|text| CString::new(text.as_str()).unwrap());
        let storage = Storage {
            contiguous: spec.contiguous,
            urlpath: urlpath.as_ref().map_or(null(), |path| path.as_ptr()),
            cparams: &spec.cparams,
            dparams: null(),
            io: null_mut(),
        };
        let names: Vec<CString> =
            spec.metalayers.iter().map(|(name, _)| CString::new(name.as_str()).unwrap()).collect();
        let metalayers: Vec<Metalayer> = (spec.metalayers.iter().zip(&names))
            .map(|((_, content), name)| Metalayer {
                name: name.as_ptr(),
                content: content.as_ptr(),
                content_len: content.len() as i32,
            })
            .collect();
        let ctx = call!(
            self,
            "b2nd_create_ctx",
            fn(
                *const Storage,
                i8,
                *const i64,
                *const i32,
                *const i32,
                *const c_char,
                i8,
                *const Metalayer,
                i32,
            ) -> *mut c_void,
            &storage,
            spec.shape.len() as i8,
            spec.shape.as_ptr(),
            spec.chunkshape.as_ptr(),
            spec.blockshape.as_ptr(),
            dtype.as_ref().map_or(null(), |text| text.as_ptr()),
            0,
            metalayers.as_ptr(),
            metalayers.len() as i32
        );
        if ctx.is_null() {
            return None;
        }
        let result = f(ctx);
        call!(self, "b2nd_free_ctx", fn(*mut c_void) -> c_int, ctx);
        Some(result)
    }

    fn created(&self, code: c_int, array: *mut CArray) -> Result<RefArray<'_>, i32> {
        checked(code)?;
        Ok(RefArray { b2nd: self, array })
    }

    /// `b2nd_<how>`: uninit, empty, zeros or nans. Error 0 when the context is refused.
    pub fn create(&self, how: &str, spec: &Spec) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let name = format!("b2nd_{how}");
        let code =
            self.with_ctx(spec, |ctx| {
                // SAFETY: the four constructors share this signature.
                unsafe {
                    self.reference
                        .function::<unsafe extern "C" fn(*mut c_void, *mut *mut CArray) -> c_int>(&name)(
                        ctx, &mut array,
                    )
                }
            });
        self.created(code.ok_or(0)?, array)
    }

    pub fn full(&self, spec: &Spec, value: &[u8]) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let code = self.with_ctx(spec, |ctx| {
            call!(
                self,
                "b2nd_full",
                fn(*mut c_void, *mut *mut CArray, *const u8) -> c_int,
                ctx,
                &mut array,
                value.as_ptr()
            )
        });
        self.created(code.ok_or(0)?, array)
    }

    pub fn from_cbuffer(&self, spec: &Spec, data: &[u8]) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let code = self.with_ctx(spec, |ctx| {
            call!(
                self,
                "b2nd_from_cbuffer",
                fn(*mut c_void, *mut *mut CArray, *const u8, i64) -> c_int,
                ctx,
                &mut array,
                data.as_ptr(),
                data.len() as i64
            )
        });
        self.created(code.ok_or(0)?, array)
    }

    /// `b2nd_copy`.
    pub fn copy(&self, spec: &Spec, from: &RefArray<'_>) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let code = self.with_ctx(spec, |ctx| {
            call!(
                self,
                "b2nd_copy",
                fn(*mut c_void, *const CArray, *mut *mut CArray) -> c_int,
                ctx,
                from.array,
                &mut array
            )
        });
        self.created(code.ok_or(0)?, array)
    }

    /// `b2nd_get_slice`.
    pub fn slice(
        &self,
        spec: &Spec,
        from: &RefArray<'_>,
        start: &[i64],
        stop: &[i64],
    ) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let code = self.with_ctx(spec, |ctx| {
            call!(
                self,
                "b2nd_get_slice",
                fn(*mut c_void, *mut *mut CArray, *const CArray, *const i64, *const i64) -> c_int,
                ctx,
                &mut array,
                from.array,
                start.as_ptr(),
                stop.as_ptr()
            )
        });
        self.created(code.ok_or(0)?, array)
    }

    /// `b2nd_concatenate` into a new array.
    pub fn concatenate(
        &self,
        spec: &Spec,
        first: &RefArray<'_>,
        second: &RefArray<'_>,
        axis: i8,
    ) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let code = self.with_ctx(spec, |ctx| {
            call!(
                self,
                "b2nd_concatenate",
                fn(*mut c_void, *const CArray, *const CArray, i8, bool, *mut *mut CArray) -> c_int,
                ctx,
                first.array,
                second.array,
                axis,
                true,
                &mut array
            )
        });
        self.created(code.ok_or(0)?, array)
    }

    pub fn from_cframe(&self, frame: &[u8]) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let code = call!(
            self,
            "b2nd_from_cframe",
            fn(*const u8, i64, bool, *mut *mut CArray) -> c_int,
            frame.as_ptr(),
            frame.len() as i64,
            true,
            &mut array
        );
        self.created(code, array)
    }

    pub fn open(&self, path: &str) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let path = CString::new(path).unwrap();
        let code =
            call!(self, "b2nd_open", fn(*const c_char, *mut *mut CArray) -> c_int, path.as_ptr(), &mut array);
        self.created(code, array)
    }

    pub fn open_offset(&self, path: &str, offset: i64) -> Result<RefArray<'_>, i32> {
        let mut array = null_mut();
        let path = CString::new(path).unwrap();
        let code = call!(
            self,
            "b2nd_open_offset",
            fn(*const c_char, *mut *mut CArray, i64) -> c_int,
            path.as_ptr(),
            &mut array,
            offset
        );
        self.created(code, array)
    }

    /// The bytes of the metalayer.
    pub fn serialize_meta(
        &self,
        shape: &[i64],
        chunk: &[i32],
        block: &[i32],
        dtype: Option<&str>,
        format: i8,
    ) -> Result<Vec<u8>, i32> {
        let dtype = dtype.map(|text| CString::new(text).unwrap());
        let mut out: *mut u8 = null_mut();
        let len = call!(
            self,
            "b2nd_serialize_meta",
            fn(i8, *const i64, *const i32, *const i32, *const c_char, i8, *mut *mut u8) -> c_int,
            shape.len() as i8,
            shape.as_ptr(),
            chunk.as_ptr(),
            block.as_ptr(),
            dtype.as_ref().map_or(null(), |text| text.as_ptr()),
            format,
            &mut out
        );
        checked(len)?;
        // SAFETY: the library returned `len` bytes.
        Ok(unsafe { std::slice::from_raw_parts(out, len as usize) }.to_vec())
    }

    /// What the library reads in a metalayer: the length, shapes and dtype.
    #[allow(clippy::type_complexity)]
    pub fn deserialize_meta(
        &self,
        bytes: &[u8],
    ) -> Result<(usize, Vec<i64>, Vec<i32>, Vec<i32>, Option<Vec<u8>>), i32> {
        let (mut ndim, mut format) = (0i8, 0i8);
        let (mut shape, mut chunk, mut block) = ([0i64; 16], [0i32; 16], [0i32; 16]);
        let mut dtype: *mut c_char = null_mut();
        let len = call!(
            self,
            "b2nd_deserialize_meta",
            fn(*const u8, i32, *mut i8, *mut i64, *mut i32, *mut i32, *mut *mut c_char, *mut i8) -> c_int,
            bytes.as_ptr(),
            bytes.len() as i32,
            &mut ndim,
            shape.as_mut_ptr(),
            chunk.as_mut_ptr(),
            block.as_mut_ptr(),
            &mut dtype,
            &mut format
        );
        checked(len)?;
        let n = ndim as usize;
        let dtype = (!dtype.is_null()).then(|| {
            // SAFETY: the library returned a string.
            unsafe { std::ffi::CStr::from_ptr(dtype) }.to_bytes().to_vec()
        });
        Ok((len as usize, shape[..n].to_vec(), chunk[..n].to_vec(), block[..n].to_vec(), dtype))
    }
}
