//! The parameters of the I/O backends. Their C side is the hand-written `blosc2/blosc2-stdio.h`.

use libc::{FILE, c_char, c_int};

/// A stream of the backend #BLOSC2_IO_FILESYSTEM.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_stdio_file {
    /// The file.
    pub file: *mut FILE,
}

/// Parameters of the backend #BLOSC2_IO_FILESYSTEM.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_stdio_params {
    /// Whether handles on one frame take turns by a lock file beside it.
    pub locking: bool,
}

/// Parameters of the backend #BLOSC2_IO_FILESYSTEM_MMAP, and its stream.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_stdio_mmap {
    /// How to map: `r`, `r+`, `w+` or `c`.
    pub mode: *const c_char,
    /// Bytes to map from the start, where the file may grow.
    pub initial_mapping_size: usize,
    /// Whether the struct is freed when the super-chunk is.
    pub needs_free: bool,
    /// Where the mapping is.
    pub addr: *mut c_char,
    /// The file's path.
    pub urlpath: *mut c_char,
    /// Bytes of the file.
    pub file_size: usize,
    /// Bytes of the mapping.
    pub mapping_size: usize,
    /// Whether changes stay in memory (mode `c`).
    pub is_memory_only: bool,
    /// Not used.
    pub file: *mut FILE,
    /// The file's descriptor.
    pub fd: c_int,
    /// How pages may be accessed.
    pub access_flags: i64,
    /// How the file is mapped.
    pub map_flags: i64,
}
