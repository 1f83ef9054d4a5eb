//! What several test programs share: the reference library and random data with a seed.
#![allow(dead_code, unsafe_code)] // each program uses a part; calling the reference is FFI

pub mod b2nd;
pub mod cctx;
pub mod crash;
#[path = "../../src/base/random.rs"]
mod random;

use libloading::{Library, Symbol};
pub use random::Random as Rng;
use std::path::PathBuf;

/// The C library 3.3.5 from the wheel, loaded beside ours.
pub struct Reference {
    library: Library,
}

impl Reference {
    /// Loads the library that `BLOSC2_REFERENCE` names. `None`, said loudly, when the variable is not set: the test
    /// that asked is skipped. A path that cannot be loaded is a failure, not a skip.
    pub fn load() -> Option<Reference> {
        let Some(path) = std::env::var_os("BLOSC2_REFERENCE").map(PathBuf::from) else {
            eprintln!("SKIPPED: BLOSC2_REFERENCE does not name the C library's libblosc2.so");
            return None;
        };
        // SAFETY: loading the wheel's library runs only its own constructors.
        let library = unsafe { Library::new(&path) }
            .unwrap_or_else(|e| panic!("the reference library {} does not load: {e}", path.display()));
        Some(Reference { library })
    }

    /// Our own shared library, to be called like the other.
    pub fn ours() -> Reference {
        let path = std::env::current_exe().unwrap().with_file_name("libblosc2.so");
        // SAFETY: loading runs no code of ours.
        let library = unsafe { Library::new(&path) }.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Reference { library }
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
