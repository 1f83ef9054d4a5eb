//! Types and numbers of the C interface, API level 3.3.5.
//!
//! Everything here is laid out as C lays it out and is what `include/blosc2.h` and `include/b2nd.h` are generated
//! from, so names are C's and the words are written for a C reader. [`layout`] checks every size and offset at compile
//! time. [`params`], [`schunk`] and [`mod@array`] are the structs to read first.
#![allow(non_camel_case_types)] // the names that C programs use

pub mod array;
pub mod errors;
pub mod ids;
pub mod io;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod layout;
pub mod limits;
pub mod params;
pub mod plugins;
pub mod private;
pub mod schunk;
pub mod stdio;
pub mod version;

pub use array::{b2nd_array_t, chunk_cache_s};
pub use io::{blosc2_io, blosc2_io_cb};
pub use params::{
    blosc2_cparams, blosc2_dparams, blosc2_instr, blosc2_postfilter_fn, blosc2_postfilter_params,
    blosc2_prefilter_fn, blosc2_prefilter_params, blosc2_storage,
};
pub use plugins::{blosc_threads_callback, blosc2_codec, blosc2_filter, blosc2_tuner};
pub use schunk::{blosc2_metalayer, blosc2_schunk};

/// What compresses or decompresses.
pub type blosc2_context = private::blosc2_context_s;
/// A frame.
pub type blosc2_frame = private::blosc2_frame_s;
/// How to make an array.
pub type b2nd_context_t = private::b2nd_context_s;
/// A point in time.
pub type blosc_timestamp_t = libc::timespec;
