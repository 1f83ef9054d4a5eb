//! One libblosc2: the functions that are measured, found by name.

use blosc2::capi::types::{
    b2nd_array_t, b2nd_context_t, blosc2_context, blosc2_cparams, blosc2_dparams, blosc2_schunk,
    blosc2_storage,
};
use libloading::Library;
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of one library. They live as long as the process.
        pub struct Blosc {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Blosc {
            fn find(library: &'static Library) -> Blosc {
                // SAFETY: the types are those of the functions in the header, of which both libraries carry one.
                unsafe {
                    Blosc {
                        $($name: *library.get(stringify!($name).as_bytes())
                            .unwrap_or_else(|e| panic!("{}: {e}", stringify!($name))),)*
                    }
                }
            }
        }
    };
}

functions! {
    blosc2_init();
    blosc2_shuffle(i32, i32, *const u8, *mut u8) -> i32;
    blosc2_unshuffle(i32, i32, *const u8, *mut u8) -> i32;
    blosc2_bitshuffle(i32, i32, *const u8, *mut u8) -> i32;
    blosc2_bitunshuffle(i32, i32, *const u8, *mut u8) -> i32;
    blosc2_create_cctx(blosc2_cparams) -> *mut blosc2_context;
    blosc2_create_dctx(blosc2_dparams) -> *mut blosc2_context;
    blosc2_free_ctx(*mut blosc2_context);
    blosc2_compress_ctx(*mut blosc2_context, *const u8, i32, *mut u8, i32) -> c_int;
    blosc2_decompress_ctx(*mut blosc2_context, *const u8, i32, *mut u8, i32) -> c_int;
    blosc2_getitem_ctx(*mut blosc2_context, *const u8, i32, c_int, c_int, *mut u8, i32) -> c_int;
    blosc2_schunk_new(*mut blosc2_storage) -> *mut blosc2_schunk;
    blosc2_schunk_free(*mut blosc2_schunk) -> c_int;
    blosc2_schunk_open(*const c_char) -> *mut blosc2_schunk;
    blosc2_schunk_append_buffer(*mut blosc2_schunk, *const c_void, i32) -> i64;
    blosc2_schunk_append_chunk(*mut blosc2_schunk, *const u8, bool) -> i64;
    blosc2_schunk_insert_chunk(*mut blosc2_schunk, i64, *const u8, bool) -> i64;
    blosc2_schunk_update_chunk(*mut blosc2_schunk, i64, *const u8, bool) -> i64;
    blosc2_schunk_delete_chunk(*mut blosc2_schunk, i64) -> i64;
    blosc2_schunk_decompress_chunk(*mut blosc2_schunk, i64, *mut c_void, i32) -> c_int;
    blosc2_schunk_get_slice_buffer(*mut blosc2_schunk, i64, i64, *mut c_void) -> c_int;
    blosc2_schunk_to_buffer(*mut blosc2_schunk, *mut *mut u8, *mut bool) -> i64;
    blosc2_schunk_from_buffer(*mut u8, i64, bool) -> *mut blosc2_schunk;
    blosc2_vlmeta_add(*mut blosc2_schunk, *const c_char, *const u8, i32, *const blosc2_cparams) -> c_int;
    blosc2_vlmeta_update(*mut blosc2_schunk, *const c_char, *const u8, i32, *const blosc2_cparams) -> c_int;
    blosc2_remove_urlpath(*const c_char) -> c_int;
    b2nd_create_ctx(*const blosc2_storage, i8, *const i64, *const i32, *const i32, *const c_char, i8, *const c_void, i32) -> *mut b2nd_context_t;
    b2nd_free_ctx(*mut b2nd_context_t) -> c_int;
    b2nd_zeros(*mut b2nd_context_t, *mut *mut b2nd_array_t) -> c_int;
    b2nd_from_cbuffer(*mut b2nd_context_t, *mut *mut b2nd_array_t, *const c_void, i64) -> c_int;
    b2nd_to_cbuffer(*const b2nd_array_t, *mut c_void, i64) -> c_int;
    b2nd_free(*mut b2nd_array_t) -> c_int;
    b2nd_get_slice_cbuffer(*const b2nd_array_t, *const i64, *const i64, *mut c_void, *const i64, i64) -> c_int;
    b2nd_set_slice_cbuffer(*const c_void, *const i64, i64, *const i64, *const i64, *mut b2nd_array_t) -> c_int;
    b2nd_get_orthogonal_selection(*const b2nd_array_t, *mut *mut i64, *mut i64, *mut c_void, *mut i64, i64) -> c_int;
    b2nd_get_sparse_cbuffer(*const b2nd_array_t, i64, *const i64, *mut c_void, i64) -> c_int;
    b2nd_append(*mut b2nd_array_t, *const c_void, i64, i8) -> c_int;
}

impl Blosc {
    /// Loads the library at `path`, for good: its threads may outlive any owner.
    pub fn load(path: &Path) -> &'static Blosc {
        // SAFETY: loading a libblosc2 runs its constructors, which need nothing.
        let library =
            unsafe { Library::new(path) }.unwrap_or_else(|e| panic!("{} does not load: {e}", path.display()));
        let blosc: &'static Blosc = Box::leak(Box::new(Blosc::find(Box::leak(Box::new(library)))));
        // SAFETY: takes nothing, may be called at any time.
        unsafe { (blosc.blosc2_init)() };
        blosc
    }
}
