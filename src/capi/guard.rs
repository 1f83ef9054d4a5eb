//! The one door between C and Rust: every exported function runs its body in here. Errors become codes, a panic becomes
//! `BLOSC2_ERROR_FAILURE`; both are remembered in words, and told to a person where `BLOSC_TRACE` asks for it.

use crate::base::{Error, ErrorKind, Result, env};
use crate::capi::ext::last_error;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What an exported function can return, and how it says that it failed.
pub trait Outcome {
    /// The value that stands for an error.
    fn failed(code: i32) -> Self;
}

impl Outcome for i32 {
    fn failed(code: i32) -> Self {
        code
    }
}

impl Outcome for i64 {
    fn failed(code: i32) -> Self {
        code.into()
    }
}

impl Outcome for i16 {
    fn failed(code: i32) -> Self {
        code as i16 // codes are small
    }
}

impl Outcome for f64 {
    fn failed(_: i32) -> Self {
        f64::NAN
    }
}

impl Outcome for () {
    fn failed(_: i32) {}
}

impl<T> Outcome for *mut T {
    fn failed(_: i32) -> Self {
        std::ptr::null_mut()
    }
}

impl<T> Outcome for *const T {
    fn failed(_: i32) -> Self {
        std::ptr::null()
    }
}

/// Runs the body of the exported function `name`. Nothing unwinds out of it.
#[inline]
pub fn guard<R: Outcome>(name: &str, body: impl FnOnce() -> Result<R>) -> R {
    // What leaves the closure goes through memory: an outcome, not a result, whose halves would be written apart and read
    // together, for which processors wait as long as a small call takes.
    let outcome = || body().unwrap_or_else(|error| tell(name, error));
    // A body that panics leaves behind only what a handle's lock covers, and that is poisoned then.
    catch_unwind(AssertUnwindSafe(outcome)).unwrap_or_else(|panic| tell(name, panicked(&*panic)))
}

/// Remembers an error for who asks, tells it where that is wanted, and gives what stands for it.
#[cold]
fn tell<R: Outcome>(name: &str, error: Error) -> R {
    let code = error.code();
    // Telling must not fail either: stderr may be closed.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let error = error.at(name);
        last_error::remember(&error);
        env::trace(&error);
    }));
    R::failed(code)
}

fn panicked(panic: &(dyn Any + Send)) -> Error {
    let what = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    Error::new(ErrorKind::Failure, format!("a bug in the library: {}", what.unwrap_or("panic")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_panics_become_codes() {
        assert_eq!(guard::<i32>("f", || Ok(7)), 7);
        assert_eq!(guard::<i32>("f", || Err(Error::new(ErrorKind::NullPointer, "x"))), -32);
        assert_eq!(guard::<i64>("f", || Err(Error::new(ErrorKind::Data, "x"))), -3);
        assert!(guard::<*mut u8>("f", || Err(Error::new(ErrorKind::Data, "x"))).is_null());
        assert_eq!(guard::<i32>("f", || panic!("on purpose")), -1);
    }
}
