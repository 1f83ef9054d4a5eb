//! What several test programs share: the reference library and random data with a seed.
#![allow(dead_code, unsafe_code)] // each program uses a part; calling the reference is FFI

pub mod b2nd;
pub mod cctx;
pub mod crash;
mod libraries;
#[path = "../../src/base/random.rs"]
mod random;

use libloading::{Library, Symbol};
pub use random::Random as Rng;

/// The C library 3.3.5 from the wheel, loaded beside ours.
pub struct Reference {
    library: &'static Library,
}

impl Reference {
    /// The library that `BLOSC2_REFERENCE` names. `None`, said loudly, when the variable is not set: the test that asked is
    /// skipped. A path that cannot be loaded is a failure, not a skip.
    pub fn load() -> Option<Reference> {
        let library = libraries::theirs();
        if library.is_none() {
            eprintln!("SKIPPED: BLOSC2_REFERENCE does not name the C library's libblosc2.so");
        }
        library.map(|library| Reference { library })
    }

    /// Our own shared library, to be called like the other.
    pub fn ours() -> Reference {
        Reference { library: libraries::ours() }
    }

    /// The function `name`.
    ///
    /// # Safety
    /// `F` is the function's C type.
    pub unsafe fn function<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: the caller vouches for the type.
        unsafe { self.library.get(name.as_bytes()) }
            .unwrap_or_else(|e| panic!("the reference has no {name}: {e}"))
    }
}
