//! Environment variables that override parameters, and the trace that `BLOSC_TRACE` asks for.

use super::Error;
use std::ffi::OsStr;

/// Whether a variable is set, to anything.
pub fn is_set(name: impl AsRef<OsStr>) -> bool {
    std::env::var_os(name).is_some()
}

/// A variable's text, where it is set and is text.
pub fn text(name: impl AsRef<OsStr>) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether a variable is set to anything but nothing and 0.
pub fn is_on(name: impl AsRef<OsStr>) -> bool {
    text(name).is_some_and(|text| !text.is_empty() && text != "0")
}

/// A variable's integer, read as the C library reads it: `strtol`'s leading digits, and only when they are not none
/// at all and the value is positive or zero.
pub fn integer(name: impl AsRef<OsStr>) -> Option<i64> {
    let text = text(name)?;
    let digits = text.trim_start();
    let end =
        digits.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit()).map_or(digits.len(), |(i, _)| i);
    digits[..end].parse::<i64>().ok().filter(|&n| n >= 0)
}

/// Tells a person what failed, on stderr, when `BLOSC_TRACE` is set; otherwise says nothing.
pub fn trace(error: &Error) {
    if is_set("BLOSC_TRACE") {
        eprintln!("[error] - {error}");
    }
}
