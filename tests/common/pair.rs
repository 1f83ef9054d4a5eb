//! Our shared library and the C library, loaded side by side, asked the same questions.
#![allow(dead_code)] // each program uses a part

#[path = "libraries.rs"]
mod libraries;

use libloading::{Library, Symbol};
use std::ffi::CString;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// The two libraries.
pub struct Pair {
    ours: &'static Library,
    theirs: Option<&'static Library>,
}

impl Pair {
    /// Loads both; without the C library (said loudly), only ours is asked.
    pub fn load() -> Pair {
        let theirs = libraries::theirs();
        if theirs.is_none() {
            eprintln!("SKIPPED in part: BLOSC2_REFERENCE does not name the C library's libblosc2.so");
        }
        Pair { ours: libraries::ours(), theirs }
    }

    /// Asks both; they have to agree.
    pub fn agree<T: PartialEq + Debug>(&self, what: &str, ask: impl Fn(&Lib<'_>) -> T) {
        drop(self.agreed(what, ask));
    }

    /// Asks both; they have to agree. Gives the answer.
    pub fn agreed<T: PartialEq + Debug>(&self, what: &str, ask: impl Fn(&Lib<'_>) -> T) -> T {
        let ours = ask(&Lib(self.ours));
        if let Some(theirs) = self.theirs {
            assert_eq!(ours, ask(&Lib(theirs)), "{what}: ours and theirs");
        }
        ours
    }

    /// Asks ours alone, where the C library crashes or knows worse.
    pub fn ours<T>(&self, ask: impl Fn(&Lib<'_>) -> T) -> T {
        ask(&Lib(self.ours))
    }

    /// Whether the C library is there.
    pub fn has_theirs(&self) -> bool {
        self.theirs.is_some()
    }

    /// Asks the C library alone.
    pub fn theirs<T>(&self, ask: impl Fn(&Lib<'_>) -> T) -> T {
        ask(&Lib(self.theirs.expect("the C library")))
    }

    /// Has ours make something and each of them use it.
    pub fn ours_to_each(&self, act: impl Fn(&Lib<'_>, &Lib<'_>)) {
        let ours = Lib(self.ours);
        act(&ours, &ours);
        if let Some(theirs) = self.theirs {
            act(&ours, &Lib(theirs));
        }
    }

    /// Has one library make something and the other use it, both ways round.
    pub fn both_ways(&self, act: impl Fn(&Lib<'_>, &Lib<'_>)) {
        let ours = Lib(self.ours);
        if let Some(theirs) = self.theirs {
            act(&ours, &Lib(theirs));
            act(&Lib(theirs), &ours);
        }
        act(&ours, &ours);
    }
}

/// One of the two.
pub struct Lib<'a>(&'a Library);

impl Lib<'_> {
    /// The function `name`.
    ///
    /// # Safety
    /// `F` is the function's C type.
    pub unsafe fn function<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: the caller vouches for the type.
        unsafe { self.0.get(name.as_bytes()) }.unwrap_or_else(|e| panic!("no {name}: {e}"))
    }
}

/// A file or folder that is not there, and is removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// A name of its own in the tests' folder.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("capi-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        let _ = std::fs::remove_file(&path);
        Scratch(path)
    }

    /// The path, for C.
    pub fn text(&self) -> CString {
        CString::new(self.0.to_str().unwrap()).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The function of a library by the name and type of the façade's own declaration.
#[macro_export]
macro_rules! function {
    ($lib:expr, $name:ident : $type:ty) => {{
        let lib = &$lib;
        #[allow(unused_unsafe)] // inside of other unsafe code, too
        // SAFETY: the type is the one that the C header declares.
        let function = unsafe { lib.function::<$type>(stringify!($name)) };
        function
    }};
}
