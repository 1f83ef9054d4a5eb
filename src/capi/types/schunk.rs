//! The super-chunk, as C sees it.

use super::limits::{BLOSC2_MAX_FILTERS, BLOSC2_MAX_METALAYERS, BLOSC2_MAX_VLMETALAYERS};
use super::{blosc2_context, blosc2_frame, blosc2_storage};
use libc::{c_char, c_int, c_void};

/// A metalayer: a name and some bytes that a super-chunk carries beside its data.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_metalayer {
    /// The name, of at most #BLOSC2_METALAYER_NAME_MAXLEN bytes.
    pub name: *mut c_char,
    /// The content; what is in it is the business of who wrote it.
    pub content: *mut u8,
    /// Bytes of the content.
    pub content_len: i32,
}

/// A super-chunk: a sequence of chunks with the same typesize and, but for the last one, the same size, and
/// metalayers. The fields are the library's to write and everybody's to read; they are true after every call that
/// changes the super-chunk.
#[repr(C)]
pub struct blosc2_schunk {
    /// Version of the chunk format.
    pub version: u8,
    /// The codec that appended data is compressed with.
    pub compcode: u8,
    /// The codec's parameter.
    pub compcode_meta: u8,
    /// The compression level.
    pub clevel: u8,
    /// The split mode.
    pub splitmode: u8,
    /// Bytes per item.
    pub typesize: i32,
    /// Bytes per block; 0 when the tuner chooses.
    pub blocksize: i32,
    /// Bytes of data per chunk; 0 when chunks differ, or as long as there is none.
    pub chunksize: i32,
    /// Flags that all chunks share, from their header's #BLOSC2_CHUNK_BLOSC2_FLAGS2; 0 as long as there is none.
    pub flags2: u8,
    /// Whether a dictionary is trained per chunk.
    pub use_dict: u8,
    /// The filters.
    pub filters: [u8; BLOSC2_MAX_FILTERS],
    /// The filters' parameters.
    pub filters_meta: [u8; BLOSC2_MAX_FILTERS],
    /// How many chunks there are.
    pub nchunks: i64,
    /// The chunk that is being worked on.
    pub current_nchunk: i64,
    /// Bytes of data, uncompressed.
    pub nbytes: i64,
    /// Bytes of all chunks, headers included.
    pub cbytes: i64,
    /// The chunks, when they are kept in memory each for itself; otherwise NULL.
    pub data: *mut *mut u8,
    /// Bytes at `data`.
    pub data_len: usize,
    /// Where and how the super-chunk is kept.
    pub storage: *mut blosc2_storage,
    /// The frame that holds the chunks; NULL when they are kept each for itself.
    pub frame: *mut blosc2_frame,
    /// Compresses what is appended.
    pub cctx: *mut blosc2_context,
    /// Decompresses what is read.
    pub dctx: *mut blosc2_context,
    /// The fixed metalayers, the first `nmetalayers` of them.
    pub metalayers: [*mut blosc2_metalayer; BLOSC2_MAX_METALAYERS],
    /// How many fixed metalayers there are.
    pub nmetalayers: u16,
    /// The variable-length metalayers, the first `nvlmetalayers` of them. Their contents are compressed: read them
    /// with `blosc2_vlmeta_get`.
    pub vlmetalayers: [*mut blosc2_metalayer; BLOSC2_MAX_VLMETALAYERS],
    /// How many variable-length metalayers there are.
    pub nvlmetalayers: i16,
    /// What the tuner gets.
    pub tuner_params: *mut c_void,
    /// The tuner's id.
    pub tuner_id: c_int,
    /// Dimensions of the array in the super-chunk, for codecs that know about them.
    pub ndim: i8,
    /// The array's block shape, `ndim` numbers, for codecs that know about it; or NULL.
    pub blockshape: *mut i64,
    /// Whether the super-chunk shares the chunks of another one.
    pub view: bool,
    /// Grows whenever a metalayer changes, through this handle or another on the same file.
    pub change_tick: i64,
}
