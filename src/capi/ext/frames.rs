//! Whether a frame is whole, and what is left of one that is not.

use super::types::{b2x_finding, b2x_part, b2x_recovered, b2x_report_cb};
use crate::base::{Error, ErrorKind, Result};
use crate::capi::guard::guard;
use crate::capi::pointers::{set_if_wanted, text};
use crate::capi::schunk::storage::path;
use crate::frame::check::recover::recover;
use crate::frame::check::verify::verify;
use crate::frame::check::{Finding, Part};
use crate::io::{Backend, Disk};
use crate::ndarray::open::decoding;
use libc::{c_char, c_int, c_void};
use std::ffi::CString;
use std::ops::ControlFlow;
use std::ptr;
use std::sync::Arc;

/// Reads everything in a frame: its structure, the index, every chunk, every metalayer.
///
/// @param urlpath The file, or a sparse frame's directory.
/// @param offset Where in the file the frame starts, in bytes; 0 for a directory.
/// @param report Gets what is wrong, as it is found; NULL when only the number is of interest.
/// @param user_data Passed to `report`.
/// @return How many things are wrong, 0 when the frame is whole; #BLOSC2_ERROR_NULL_POINTER;
///   #BLOSC2_ERROR_INVALID_PARAM for a negative offset; #BLOSC2_ERROR_FILE_OPEN when the file cannot be opened;
///   #BLOSC2_ERROR_LOCK when somebody keeps changing the frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2x_frame_verify(
    urlpath: *const c_char,
    offset: i64,
    report: b2x_report_cb,
    user_data: *mut c_void,
) -> i64 {
    guard("b2x_frame_verify", || {
        // SAFETY: the caller gives a C string, or NULL.
        let urlpath = unsafe { text("urlpath", urlpath)? };
        let io: Arc<dyn Backend> = Arc::new(Disk);
        let mut tell = |finding: &Finding| {
            // SAFETY: the caller vouches for the function.
            match unsafe { tell(report, user_data, finding) } {
                0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        };
        let verdict = verify(&io, path(urlpath), start(offset)?, &decoding, &mut tell)?;
        Ok(i64::try_from(verdict.findings).unwrap_or(i64::MAX))
    })
}

/// Writes a new frame from what can be read of a damaged one, which stays as it is. Chunks that cannot be read are lost;
/// where it is known where they were, zeros stand for them. When the index is gone, chunks are looked for in the whole
/// file.
///
/// @param urlpath The damaged file, or a sparse frame's directory.
/// @param offset Where in the file the frame starts, in bytes; 0 for a directory.
/// @param new_urlpath The new frame's file or directory, where nothing may be yet.
/// @param report Gets what was lost; NULL when only the numbers are of interest.
/// @param user_data Passed to `report`.
/// @param recovered Set to what the recovery came to; NULL when that is of no interest.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for a negative offset; #BLOSC2_ERROR_FILE_OPEN when
///   the file cannot be opened or the new one be made; #BLOSC2_ERROR_FILE_WRITE; #BLOSC2_ERROR_INVALID_HEADER and others
///   when nothing in the file looks like a frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2x_frame_recover(
    urlpath: *const c_char,
    offset: i64,
    new_urlpath: *const c_char,
    report: b2x_report_cb,
    user_data: *mut c_void,
    recovered: *mut b2x_recovered,
) -> c_int {
    guard("b2x_frame_recover", || {
        // SAFETY: the caller gives C strings, or NULL.
        let (from, to) = unsafe { (text("urlpath", urlpath)?, text("new_urlpath", new_urlpath)?) };
        let io: Arc<dyn Backend> = Arc::new(Disk);
        let mut tell = |finding: &Finding| {
            // SAFETY: the caller vouches for the function.
            unsafe { tell(report, user_data, finding) };
        };
        let done = recover(&io, path(from), start(offset)?, path(to), &decoding, &mut tell)?;
        let told = b2x_recovered {
            nchunks: done.nchunks,
            kept: done.kept,
            lost: done.lost,
            in_order: done.in_order,
        };
        // SAFETY: the caller gives a place for the result, or NULL.
        unsafe { set_if_wanted(recovered, told) };
        Ok(0)
    })
}

fn start(offset: i64) -> Result<u64> {
    u64::try_from(offset).map_err(|_| Error::new(ErrorKind::InvalidParam, format!("offset {offset}")))
}

/// # Safety
/// The function, if there is one, may be called with `user_data`.
unsafe fn tell(report: b2x_report_cb, user_data: *mut c_void, finding: &Finding) -> c_int {
    let Some(report) = report else {
        return 0;
    };
    let (part, nchunk, name) = match &finding.part {
        Part::Structure => (b2x_part::B2X_PART_STRUCTURE, -1, None),
        Part::Index => (b2x_part::B2X_PART_INDEX, -1, None),
        Part::Chunk(n) => (b2x_part::B2X_PART_CHUNK, *n, None),
        Part::Metalayer(name) => (b2x_part::B2X_PART_METALAYER, -1, Some(name)),
        Part::VlMetalayer(name) => (b2x_part::B2X_PART_VLMETALAYER, -1, Some(name)),
    };
    let name = name.map(|name| c_text(name));
    let what = c_text(finding.error.to_string().as_bytes());
    let finding = b2x_finding {
        part: part as c_int,
        code: finding.error.code(),
        nchunk,
        offset: finding.offset.map_or(-1, |offset| offset as i64),
        name: name.as_ref().map_or(ptr::null(), |name| name.as_ptr()),
        what: what.as_ptr(),
    };
    // SAFETY: the caller vouches for the function; the finding lives until it returns.
    unsafe { report(&raw const finding, user_data) }
}

/// Bytes as a C string, as far as they go.
fn c_text(bytes: &[u8]) -> CString {
    CString::new(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).unwrap_or_default()
}
