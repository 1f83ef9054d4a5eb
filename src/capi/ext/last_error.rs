//! The last failure, in words.

use crate::base::Error;
use libc::c_char;
use std::cell::RefCell;
use std::ffi::CString;

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// The calling thread's last failure in this library, in words for a person: the function, what happened, and as far as
/// it is known in which file, which chunk and at which byte. A function that succeeds leaves it as it is.
///
/// @return The words; an empty text when nothing failed yet. The library keeps the text; it is valid until the next
///   failure in this thread, or its end.
#[unsafe(no_mangle)]
pub extern "C" fn b2x_last_error_message() -> *const c_char {
    // When the thread is ending there is nobody to tell.
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Remembers a failure.
pub(crate) fn remember(error: &Error) {
    let words = error.to_string().replace('\0', " ");
    let _ = LAST.try_with(|last| {
        if let (Ok(words), Ok(mut last)) = (CString::new(words), last.try_borrow_mut()) {
            *last = words;
        }
    });
}
