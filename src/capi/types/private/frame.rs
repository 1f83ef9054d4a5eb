//! `struct blosc2_frame_s`.

use crate::capi::types::blosc2_schunk;
use libc::{c_char, c_void, pthread_mutex_t};

/// The frame of a super-chunk. Live fields are described; the others hold their place.
#[repr(C)]
pub struct blosc2_frame_s {
    /// The file or directory; NULL in memory.
    pub urlpath: *mut c_char,
    /// The frame's bytes; NULL on disk.
    pub cframe: *mut u8,
    /// Whether the bytes are the caller's to free.
    pub avoid_cframe_free: bool,
    /// Held.
    pub coffsets: *mut u8,
    /// Held.
    pub coffsets_needs_free: bool,
    /// Bytes of the frame.
    pub len: i64,
    /// Held.
    pub maxlen: i64,
    /// Bytes of the trailer.
    pub trailer_len: u32,
    /// Whether chunks are files in a directory.
    pub sframe: bool,
    /// The super-chunk.
    pub schunk: *mut blosc2_schunk,
    /// Where the frame starts in its file, in bytes.
    pub file_offset: i64,
    /// Held.
    pub locking: bool,
    /// Held.
    pub lock_fd: isize,
    /// Held.
    pub lock_depth: i32,
    /// Held.
    pub lock_seq: u64,
    /// Held.
    pub force_refresh: bool,
    /// Held.
    pub refreshing: bool,
    /// Held.
    pub read_fp: *mut c_void,
    /// Held.
    pub read_fp_refs: i32,
    /// Held.
    pub read_fp_nocache: bool,
    /// Held.
    pub read_fp_mutex: pthread_mutex_t,
}
