//! The two shared libraries, each loaded once for the whole program and never unloaded: threads of the C library have been seen to
//! live on after their context, and one that wakes up in a library that is gone takes the program with it. Nor is its
//! `blosc2_init` for two threads at once.

use libloading::Library;
use std::path::Path;
use std::sync::OnceLock;

/// Our own, of the same build as the test program.
pub fn ours() -> &'static Library {
    static OURS: OnceLock<Library> = OnceLock::new();
    OURS.get_or_init(|| load(&std::env::current_exe().unwrap().with_file_name("libblosc2.so")))
}

/// The C library that `BLOSC2_REFERENCE` names, initialised. `None` when the variable is not set; a path that cannot be loaded is
/// a failure.
pub fn theirs() -> Option<&'static Library> {
    static THEIRS: OnceLock<Option<Library>> = OnceLock::new();
    let loaded = || {
        let library = load(Path::new(&std::env::var_os("BLOSC2_REFERENCE")?));
        // SAFETY: takes and gives nothing.
        unsafe { library.get::<unsafe extern "C" fn()>(b"blosc2_init").unwrap()() };
        Some(library)
    };
    THEIRS.get_or_init(loaded).as_ref()
}

fn load(path: &Path) -> Library {
    // SAFETY: runs only the library's own constructors.
    unsafe { Library::new(path) }.unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
