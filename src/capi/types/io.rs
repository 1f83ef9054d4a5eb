//! I/O backends: the ones that come with the library, and a program's own.

use libc::{c_char, c_int, c_void};

/// Opens what `urlpath` names, with `fopen`'s `mode`. Returns the stream that the other functions get, or NULL.
pub type blosc2_open_cb = Option<
    unsafe extern "C" fn(urlpath: *const c_char, mode: *const c_char, params: *mut c_void) -> *mut c_void,
>;
/// Closes a stream. Returns 0, or a negative number.
pub type blosc2_close_cb = Option<unsafe extern "C" fn(stream: *mut c_void) -> c_int>;
/// Gives the size of what a stream is open on, in bytes, or a negative number.
pub type blosc2_size_cb = Option<unsafe extern "C" fn(stream: *mut c_void) -> i64>;
/// Writes `nitems` of `size` bytes from `ptr` at `position`. Returns how many items were written.
pub type blosc2_write_cb = Option<
    unsafe extern "C" fn(
        ptr: *const c_void,
        size: i64,
        nitems: i64,
        position: i64,
        stream: *mut c_void,
    ) -> i64,
>;
/// Reads `nitems` of `size` bytes at `position`: into `*ptr`, or, when the backend allocates for itself
/// (`is_allocation_necessary` is false), into memory of its own that it sets `*ptr` to. Returns how many items were
/// read.
pub type blosc2_read_cb = Option<
    unsafe extern "C" fn(
        ptr: *mut *mut c_void,
        size: i64,
        nitems: i64,
        position: i64,
        stream: *mut c_void,
    ) -> i64,
>;
/// Makes what a stream is open on `size` bytes long. Returns 0, or a negative number.
pub type blosc2_truncate_cb = Option<unsafe extern "C" fn(stream: *mut c_void, size: i64) -> c_int>;
/// Called with `blosc2_io.params` when the super-chunk that used them is freed. Returns 0, or a negative number.
pub type blosc2_destroy_cb = Option<unsafe extern "C" fn(params: *mut c_void) -> c_int>;

/// An I/O backend: seven functions and a number. Functions are called from several threads at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_io_cb {
    /// Its id; a program's own from #BLOSC2_IO_REGISTERED on.
    pub id: u8,
    /// Its name.
    pub name: *mut c_char,
    /// Whether the library allocates what `read` reads into.
    pub is_allocation_necessary: bool,
    /// Opens.
    pub open: blosc2_open_cb,
    /// Closes.
    pub close: blosc2_close_cb,
    /// Tells the size.
    pub size: blosc2_size_cb,
    /// Writes.
    pub write: blosc2_write_cb,
    /// Reads.
    pub read: blosc2_read_cb,
    /// Cuts or extends.
    pub truncate: blosc2_truncate_cb,
    /// Frees the parameters.
    pub destroy: blosc2_destroy_cb,
}

/// Which I/O backend to use, and with what.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_io {
    /// The backend's id.
    pub id: u8,
    /// The backend's name.
    pub name: *const c_char,
    /// What its functions get; its meaning is the backend's business. Has to outlive the super-chunk.
    pub params: *mut c_void,
}
