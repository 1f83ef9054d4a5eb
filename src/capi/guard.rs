//! The one door between C and Rust: every exported function runs its body in here. Errors become codes, a panic becomes
//! `BLOSC2_ERROR_FAILURE`, and both are told to a person where `BLOSC_TRACE` asks for it.

use crate::base::{Error, ErrorKind, Result, env};
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
pub fn guard<R: Outcome>(name: &str, body: impl FnOnce() -> Result<R>) -> R {
    // A body that panics leaves behind only what its handle's poison flag covers: see `Exclusive`.
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(panicked(&*panic)));
    result.unwrap_or_else(|error| {
        let code = error.code();
        // Telling must not fail either: stderr may be closed.
        let _ = catch_unwind(AssertUnwindSafe(|| env::trace(&error.at(name))));
        R::failed(code)
    })
}

fn panicked(panic: &(dyn Any + Send)) -> Error {
    let what = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    Error::new(ErrorKind::Failure, format!("a bug in the library: {}", what.unwrap_or("panic")))
}

/// Exclusive use of a handle's insides. When a panic cuts the use short, the handle is poisoned: what is inside may be
/// half changed, so nothing but freeing works on it from then on.
pub struct Exclusive<'a, T> {
    inside: &'a mut T,
    poisoned: &'a mut bool,
}

impl<'a, T> Exclusive<'a, T> {
    /// Takes `inside` for the length of a call.
    ///
    /// # Errors
    /// `Failure` when an earlier call left it poisoned.
    pub fn new(inside: &'a mut T, poisoned: &'a mut bool) -> Result<Self> {
        check_poison(*poisoned)?;
        Ok(Exclusive { inside, poisoned })
    }
}

/// An error for a handle that an earlier call has left half changed.
pub fn check_poison(poisoned: bool) -> Result<()> {
    if poisoned {
        crate::fail!(
            Failure,
            "an earlier call on this handle broke off in the middle; only freeing it is possible"
        );
    }
    Ok(())
}

impl<T> std::ops::Deref for Exclusive<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.inside
    }
}

impl<T> std::ops::DerefMut for Exclusive<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.inside
    }
}

impl<T> Drop for Exclusive<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            *self.poisoned = true;
        }
    }
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

    #[test]
    fn a_panic_poisons_what_was_being_changed() {
        let (mut inside, mut poisoned) = (1, false);
        let code = guard::<i32>("f", || {
            let mut inside = Exclusive::new(&mut inside, &mut poisoned)?;
            *inside = 2;
            panic!("on purpose");
        });
        assert_eq!((code, poisoned), (-1, true));
        assert!(Exclusive::new(&mut inside, &mut poisoned).is_err());
    }
}
