//! Where super-chunks and arrays are kept while they are measured.

use crate::blosc::Blosc;
use blosc2::capi::types::{blosc2_cparams, blosc2_dparams, blosc2_storage};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::OnceLock;
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

/// Holds the files of a run, and takes them away at its end.
pub struct Folder(());

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

impl Folder {
    /// Makes it. Children that are forked later have it, too.
    pub fn new() -> Folder {
        let made = std::fs::create_dir(folder()).and_then(|()| std::fs::File::open(folder()));
        spread(&made.unwrap_or_else(|e| panic!("{}: {e}", folder().display())));
        Folder(())
    }
}

/// Asks, on Linux, for what is made in a folder to be put in parts of the disk of their own, as ext4 does it for what belongs to
/// different users: without a journal it looks, for each new file, at all inodes of a part that were freed in the last minutes, by an
/// earlier run as well, and that would be what is measured. Where it cannot be had, nothing changes.
#[cfg(target_os = "linux")]
fn spread(folder: &std::fs::File) {
    use std::os::fd::AsRawFd;
    /// `FS_TOPDIR_FL` of `linux/fs.h`.
    const TOP: libc::c_int = 0x2_0000;
    let mut flags: libc::c_int = 0;
    // SAFETY: both write or read one int, which is there.
    unsafe {
        if libc::ioctl(folder.as_raw_fd(), libc::FS_IOC_GETFLAGS, &mut flags) == 0 {
            flags |= TOP;
            libc::ioctl(folder.as_raw_fd(), libc::FS_IOC_SETFLAGS, &flags);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn spread(_: &std::fs::File) {}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(e) = std::fs::remove_dir_all(folder()) {
            eprintln!("{} is left: {e}", folder().display());
        }
    }
}

fn folder() -> &'static Path {
    FOLDER.get_or_init(|| std::env::temp_dir().join(format!("versus-{}", std::process::id())))
}

/// A place of that kind that nothing is at yet; what is made there goes with it, unless it is many files, whose inodes would be in
/// the way of the next ones ([`spread`]).
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
            let path = folder().join(format!("{}-{number}.b2frame", std::process::id()));
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
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(path) = &self.path
            && self.store != Store::SparseDisk
        {
            // SAFETY: a path that ends in NUL.
            unsafe { (self.blosc.blosc2_remove_urlpath)(path.as_ptr()) };
        }
    }
}
