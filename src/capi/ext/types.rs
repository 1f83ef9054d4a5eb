//! What b2x_frame_verify() and b2x_frame_recover() tell.

#![allow(non_camel_case_types)] // C names

use libc::{c_char, c_int, c_void};

/// Parts of a frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum b2x_part {
    /// Header, trailer, or how they fit together.
    B2X_PART_STRUCTURE = 0,
    /// The chunk index.
    B2X_PART_INDEX = 1,
    /// A chunk.
    B2X_PART_CHUNK = 2,
    /// A metalayer.
    B2X_PART_METALAYER = 3,
    /// A variable-length metalayer.
    B2X_PART_VLMETALAYER = 4,
}

/// Something that is wrong with a frame. All of it is valid only while the callback runs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct b2x_finding {
    /// With what: one of #b2x_part.
    pub part: c_int,
    /// What kind of error: a code of #blosc2_error.
    pub code: c_int,
    /// The chunk's number, or -1.
    pub nchunk: i64,
    /// Where in the file the part begins, in bytes, or -1 where that is not known.
    pub offset: i64,
    /// The metalayer's name, or NULL.
    pub name: *const c_char,
    /// What is wrong, in words.
    pub what: *const c_char,
}

/// Gets a finding, and what the caller passed along. Anything but 0 ends a verification; a recovery goes on.
pub type b2x_report_cb =
    Option<unsafe extern "C" fn(finding: *const b2x_finding, user_data: *mut c_void) -> c_int>;

/// What a recovery came to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct b2x_recovered {
    /// Chunks of the new frame.
    pub nchunks: i64,
    /// Those of them that were found whole. For the others, zeros stand in the new frame.
    pub kept: i64,
    /// Chunks that were lost.
    pub lost: i64,
    /// Whether the order of the chunks is known. If not, they follow as they followed in the file.
    pub in_order: bool,
}
