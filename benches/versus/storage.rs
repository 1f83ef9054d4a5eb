//! Where super-chunks and arrays are kept while they are measured.

use crate::blosc::Blosc;
use blosc2::capi::types::{blosc2_cparams, blosc2_dparams, blosc2_storage};
use std::ffi::CString;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

/// A kind of store.
#[derive(Clone, Copy, PartialEq)]
pub enum Store {
    SparseMemory,
    FrameMemory,
    FrameDisk,
    SparseDisk,
}

impl Store {
    pub fn name(self) -> &'static str {
        match self {
            Store::SparseMemory => "sparse in memory",
            Store::FrameMemory => "frame in memory",
            Store::FrameDisk => "frame on disk",
            Store::SparseDisk => "sparse on disk",
        }
    }
}

/// A place of that kind that nothing is at yet; what is made there goes with it.
pub struct Place {
    blosc: &'static Blosc,
    store: Store,
    path: Option<CString>,
    cparams: Box<blosc2_cparams>,
    dparams: Box<blosc2_dparams>,
}

static PLACES: AtomicU32 = AtomicU32::new(0);

impl Place {
    pub fn new(blosc: &'static Blosc, store: Store, cparams: blosc2_cparams) -> Place {
        let on_disk = matches!(store, Store::FrameDisk | Store::SparseDisk);
        let path = on_disk.then(|| {
            let number = PLACES.fetch_add(1, Ordering::Relaxed);
            let name = format!("versus-{}-{number}.b2frame", std::process::id());
            let path = std::env::temp_dir().join(name);
            CString::new(path.to_str().expect("a plain path")).expect("no NUL")
        });
        let dparams = Box::new(crate::data::dparams(cparams.nthreads, cparams.typesize as usize));
        Place { blosc, store, path, cparams: Box::new(cparams), dparams }
    }

    /// What says so in C. Points into this place.
    pub fn storage(&mut self) -> blosc2_storage {
        blosc2_storage {
            contiguous: matches!(self.store, Store::FrameMemory | Store::FrameDisk),
            urlpath: self.path.as_ref().map_or(null_mut(), |path| path.as_ptr().cast_mut()),
            cparams: &mut *self.cparams,
            dparams: &mut *self.dparams,
            io: null_mut(),
        }
    }

    /// The path; only on disk.
    pub fn path(&self) -> *const std::ffi::c_char {
        self.path.as_ref().expect("a place on disk").as_ptr()
    }

    /// Takes away what was made here.
    pub fn clear(&self) {
        if let Some(path) = &self.path {
            // SAFETY: a path that ends in NUL.
            unsafe { (self.blosc.blosc2_remove_urlpath)(path.as_ptr()) };
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.clear();
    }
}
