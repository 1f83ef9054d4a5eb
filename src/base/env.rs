//! Environment variables that override parameters, and what `BLOSC_TRACE` and `BLOSC_INFO` ask to be told.

use super::Error;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

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

/// A variable's integer, where it is set, read as the C library reads it: with `strtol`.
pub fn integer(name: impl AsRef<OsStr>) -> Option<i64> {
    std::env::var_os(name).map(|text| leading_integer(text.as_encoded_bytes()))
}

/// `strtol`: white space, a sign, digits; what follows is not looked at. Without digits the number is 0, and one that is
/// out of range is the nearest that is not.
fn leading_integer(text: &[u8]) -> i64 {
    // The vertical tab is white space in C.
    let start = text.iter().position(|byte| !byte.is_ascii_whitespace() && *byte != 0x0b);
    let text = &text[start.unwrap_or(text.len())..];
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    digits.iter().take_while(|byte| byte.is_ascii_digit()).fold(0i64, |value, byte| {
        let digit = i64::from(byte - b'0');
        let value = value.saturating_mul(10);
        if negative { value.saturating_sub(digit) } else { value.saturating_add(digit) }
    })
}

/// Tells a person what failed, on stderr, when `BLOSC_TRACE` is set; otherwise says nothing.
pub fn trace(error: &Error) {
    if is_set("BLOSC_TRACE") {
        eprintln!("[error] - {error}");
    }
}

/// Whether `BLOSC_INFO` was set when somebody last looked, if anybody has.
static INFORMS: AtomicU8 = AtomicU8::new(UNSEEN);
const UNSEEN: u8 = 2;

/// Looks for `BLOSC_INFO`, which counts until the next look: to look takes a quarter of the time that a small chunk takes.
pub fn look_for_info() {
    INFORMS.store(is_set("BLOSC_INFO").into(), Relaxed);
}

/// Whether a person wants to know what is decided.
#[inline]
pub fn informs() -> bool {
    if INFORMS.load(Relaxed) == UNSEEN {
        look_for_info();
    }
    INFORMS.load(Relaxed) == 1
}

/// Tells a person what was decided, on stderr; for who has asked whether one [wants to know](informs).
pub fn info(what: fmt::Arguments<'_>) {
    // Stderr may be closed; then nobody reads it.
    let _ = writeln!(io::stderr(), "[INFO] - {what}");
}

#[cfg(test)]
mod tests {
    use super::leading_integer;

    #[test]
    fn integers_are_what_strtol_makes_of_them() {
        let cases: [(&str, i64); 15] = [
            ("", 0),
            ("abc", 0),
            ("-", 0),
            ("7", 7),
            (" \t\x0b\n\x0b\x0c\r 7", 7),
            ("\x0b", 0),
            ("+7", 7),
            ("-7", -7),
            ("+-7", 0),
            ("12abc", 12),
            ("0x10", 0),
            ("9223372036854775807", i64::MAX),
            ("9223372036854775808", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("-99999999999999999999", i64::MIN),
        ];
        for (text, value) in cases {
            assert_eq!(leading_integer(text.as_bytes()), value, "{text:?}");
        }
        let long = [&[0x0b; 1 << 20][..], b"7"].concat();
        assert_eq!(leading_integer(&long), 7);
    }
}
