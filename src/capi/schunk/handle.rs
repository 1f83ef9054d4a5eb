//! The handle behind `blosc2_schunk *`.

use super::mirror::Shadow;
use super::place;
use super::view::View;
use crate::base::params::{CParams, DParams};
use crate::base::{Error, ErrorKind, Result};
use crate::capi::context;
use crate::capi::context::params::{cparams_of, dparams_of};
use crate::capi::io::backend;
use crate::capi::pointers::null;
use crate::capi::types::private::blosc2_context_s;
use crate::capi::types::{blosc2_io, blosc2_postfilter_fn, blosc2_schunk};
use crate::chunk;
use crate::schunk::SuperChunk;
use libc::{c_int, c_void};
use std::cell::UnsafeCell;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::atomic::{AtomicI64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// A super-chunk: the mirror first, so that a pointer to it is a pointer to the handle.
#[repr(C)]
pub(crate) struct Schunk {
    mirror: UnsafeCell<blosc2_schunk>,
    source: Source,
    /// What the mirror's pointers lead to.
    shadow: Mutex<Shadow>,
    /// How many need the handle: whoever frees it, and views.
    holders: AtomicUsize,
}

/// Where a handle's chunks are.
#[expect(clippy::large_enum_variant, reason = "nearly every handle has an engine")]
pub(crate) enum Source {
    /// In an engine of its own. Reads share it; a panic during a change poisons it.
    Own(RwLock<Engine>),
    /// In another handle.
    View(View),
}

/// The super-chunk, and which decompression context it goes by.
pub(crate) struct Engine {
    pub(crate) schunk: SuperChunk,
    reads_by: ReadsBy,
}

/// What of a decompression context reads go by; when C changes it, the next read takes it in.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ReadsBy {
    context: *mut blosc2_context_s,
    nthreads: i16,
    postfilter: Option<usize>,
    user_data: *mut c_void,
}

// SAFETY: the pointers are compared, never followed.
unsafe impl Send for ReadsBy {}
// SAFETY: as above.
unsafe impl Sync for ReadsBy {}

impl Engine {
    pub(crate) fn new(schunk: SuperChunk) -> Self {
        let (context, user_data) = (std::ptr::null_mut(), std::ptr::null_mut());
        Engine { schunk, reads_by: ReadsBy { context, nthreads: 0, postfilter: None, user_data } }
    }
}

/// What a program may have written to the mirror, for the super-chunk to go by.
struct Written {
    chunksize: i32,
    blocksize: i32,
}

impl Written {
    fn absorb(&self, schunk: &mut SuperChunk) {
        if self.chunksize > 0 {
            schunk.set_chunksize(self.chunksize);
        }
        // Zero leaves it open.
        if self.blocksize >= 0 {
            schunk.set_blocksize(self.blocksize);
        }
    }
}

impl Schunk {
    /// The handle that C knows by `ptr`.
    ///
    /// # Safety
    /// Unless null, `ptr` is a super-chunk that this library made and that is not freed for as long as `'a`.
    pub(crate) unsafe fn of<'a>(ptr: *mut blosc2_schunk) -> Result<&'a Schunk> {
        // SAFETY: the caller vouches for it; handles begin with their mirror.
        unsafe { ptr.cast::<Schunk>().as_ref() }.ok_or_else(|| null("schunk"))
    }

    /// Puts a handle together in the place that `mirror` begins, whose mirror is written already.
    ///
    /// # Safety
    /// `mirror` begins a zeroed allocation of a `Schunk` that nobody else uses.
    pub(crate) unsafe fn complete(mirror: NonNull<blosc2_schunk>, source: Source, shadow: Shadow) {
        let this = mirror.as_ptr().cast::<Schunk>();
        // SAFETY: the caller vouches for the place; the fields behind the mirror are not initialised yet.
        unsafe {
            (&raw mut (*this).source).write(source);
            (&raw mut (*this).shadow).write(Mutex::new(shadow));
            (&raw mut (*this).holders).write(AtomicUsize::new(1));
        }
    }

    /// The handle as a view, where it is one.
    pub(crate) fn view(&self) -> Option<&View> {
        match &self.source {
            Source::View(view) => Some(view),
            Source::Own(_) => None,
        }
    }

    /// The handle that has the chunks.
    pub(crate) fn base(&self) -> &Schunk {
        self.view().map_or(self, View::base)
    }

    fn engine(&self) -> Result<&RwLock<Engine>> {
        match &self.base().source {
            Source::Own(engine) => Ok(engine),
            Source::View(_) => Err(Error::new(ErrorKind::Failure, "a view of a view")),
        }
    }

    /// Keeps the handle for one more holder, until [`Schunk::free`].
    pub(crate) fn hold(&self) {
        self.holders.fetch_add(1, Relaxed);
    }

    /// The mirror. C reads it at any time, so it is only ever used through this pointer.
    pub(crate) fn mirror(&self) -> *mut blosc2_schunk {
        self.mirror.get()
    }

    /// What the mirror points to.
    pub(crate) fn shadow(&self) -> MutexGuard<'_, Shadow> {
        self.shadow.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine, to read. Any number of threads may hold it.
    pub(crate) fn read(&self) -> Result<RwLockReadGuard<'_, Engine>> {
        // SAFETY: a live handle's decompression context is NULL or a live context.
        let now = unsafe { self.base().reads_by_now() };
        let lock = self.engine()?;
        let engine = lock.read().map_err(|_| poisoned())?;
        if engine.reads_by == now {
            return Ok(engine);
        }
        drop(engine);
        lock.write().map_err(|_| poisoned())?.absorb_dctx(now)?;
        lock.read().map_err(|_| poisoned())
    }

    /// Reads something from the engine. When the look showed that somebody else has changed the frame, the mirror
    /// follows.
    pub(crate) fn reading<R>(&self, read: impl FnOnce(&SuperChunk) -> Result<R>) -> Result<R> {
        let engine = self.read()?;
        let result = read(&engine.schunk);
        self.base().publish_if_stale(&engine.schunk);
        self.publish_view(&engine.schunk);
        result
    }

    /// Changes the engine and brings the mirror up to date, also when the change failed.
    pub(crate) fn changing<R>(&self, change: impl FnOnce(&mut SuperChunk) -> Result<R>) -> Result<R> {
        let mirror = self.base().mirror();
        // SAFETY: the mirror is alive; a caller who changes a super-chunk has it for itself.
        let written = unsafe { Written { chunksize: (*mirror).chunksize, blocksize: (*mirror).blocksize } };
        self.changing_to(Some(written), change)
    }

    /// Brings a mirror up to date that has shown nothing yet.
    pub(crate) fn show(&self) -> Result<()> {
        self.changing_to(None, |_| Ok(()))
    }

    fn changing_to<R>(
        &self,
        written: Option<Written>,
        change: impl FnOnce(&mut SuperChunk) -> Result<R>,
    ) -> Result<R> {
        let base = self.base();
        // SAFETY: a live handle's contexts are NULL or live contexts.
        let (now, cctx) = unsafe { (base.reads_by_now(), (*base.mirror()).cctx) };
        let mut engine = self.engine()?.write().map_err(|_| poisoned())?;
        engine.absorb_dctx(now)?;
        if let Some(cctx) = NonNull::new(cctx) {
            // SAFETY: as above.
            let params = unsafe { cparams_of(cctx) }?;
            let nd = engine.schunk.cparams().nd.clone();
            engine.schunk.set_cparams(CParams { nd, ..params });
        }
        if let Some(written) = written {
            written.absorb(&mut engine.schunk);
        }
        let result = change(&mut engine.schunk);
        base.publish(&mut engine.schunk);
        self.publish_view(&engine.schunk);
        result
    }

    /// Compresses `src` as the next chunk, at the front of new memory. A prefilter runs now and may use the super-chunk: no lock
    /// is held.
    pub(crate) fn compress_next(&self, src: &[u8]) -> Result<crate::base::CBuf> {
        let (nchunks, nd) = {
            let engine = self.read()?;
            (engine.schunk.nchunks(), engine.schunk.cparams().nd.clone())
        };
        let mirror = self.base().mirror();
        // SAFETY: the mirror is alive; a caller who changes a super-chunk has it for itself.
        let cctx = unsafe {
            (*mirror).current_nchunk = nchunks;
            NonNull::new((*mirror).cctx).ok_or_else(|| null("schunk->cctx"))?
        };
        // SAFETY: as above, and the context is the super-chunk's own.
        unsafe { context::calls::compress_uncut(cctx, nd, src) }
    }

    /// Says which chunk a hook that runs next is to know of.
    pub(crate) fn at_work_on(&self, nchunk: i64) {
        // SAFETY: the mirror is alive, and its field aligned; several readers may say so at once.
        unsafe { AtomicI64::from_ptr(&raw mut (*self.mirror()).current_nchunk).store(nchunk, Relaxed) };
    }

    /// # Safety
    /// The mirror's decompression context is NULL or alive.
    unsafe fn reads_by_now(&self) -> ReadsBy {
        // SAFETY: the caller vouches for the context; a context with a postfilter owns its parameters.
        unsafe {
            let context = (*self.mirror()).dctx;
            let none = ReadsBy { context, nthreads: 1, postfilter: None, user_data: std::ptr::null_mut() };
            let Some(dctx) = context.as_ref() else {
                return none;
            };
            let postfilter: blosc2_postfilter_fn = dctx.postfilter;
            let user_data = dctx.postparams.as_ref().map_or(std::ptr::null_mut(), |params| params.user_data);
            let postfilter = postfilter.map(|function| function as *const () as usize);
            ReadsBy { nthreads: dctx.new_nthreads, postfilter, user_data, ..none }
        }
    }

    /// The I/O backend that the super-chunk was made with.
    ///
    /// # Safety
    /// The mirror's storage is the one that it was made with.
    pub(crate) unsafe fn io(&self) -> blosc2_io {
        // SAFETY: the caller vouches for the storage, whose backend is never NULL.
        unsafe { *(*(*self.mirror()).storage).io }
    }

    /// Frees a super-chunk, and tells its I/O backend, when the last holder lets it go. Gives what that says to it.
    ///
    /// # Safety
    /// As [`Schunk::discard`] for this holder, and as [`Schunk::io`].
    pub(crate) unsafe fn free(mirror: NonNull<blosc2_schunk>) -> c_int {
        // SAFETY: the caller vouches for all of it; the last holder is alone with the handle.
        unsafe {
            if mirror.cast::<Schunk>().as_ref().holders.fetch_sub(1, AcqRel) > 1 {
                return 0;
            }
            let io = mirror.cast::<Schunk>().as_ref().io();
            Schunk::discard(mirror);
            chunk::give_back_scratch();
            backend::destroy(&io)
        }
    }

    /// Frees a super-chunk, its contexts and what its mirror points to.
    ///
    /// # Safety
    /// `mirror` is a handle's, its contexts are NULL or alive, its block shape is NULL or from malloc, and nobody uses
    /// any of it any more.
    pub(crate) unsafe fn discard(mirror: NonNull<blosc2_schunk>) {
        // SAFETY: the caller vouches for it; handles are boxes, and this one is put together.
        unsafe {
            let (this, mirror) = (mirror.cast::<Schunk>(), mirror.as_ptr());
            for context in [(*mirror).cctx, (*mirror).dctx] {
                if let Some(context) = NonNull::new(context) {
                    context::lifecycle::free(context);
                }
            }
            libc::free((*mirror).blockshape.cast());
            let nvlmetas = this.as_ref().shadow().most_vlmetas();
            this.drop_in_place();
            place::give_up(this, nvlmetas);
        }
    }
}

impl Engine {
    /// Takes in the decompression context, as it is `now`.
    fn absorb_dctx(&mut self, now: ReadsBy) -> Result<()> {
        if self.reads_by == now {
            return Ok(());
        }
        if let Some(dctx) = NonNull::new(now.context) {
            // SAFETY: `now` was read from a live context just before.
            let params = unsafe { dparams_of(dctx) }?;
            let (nd, typesize) = (self.schunk.dparams().nd.clone(), self.schunk.typesize());
            self.schunk.set_dparams(DParams { nd, typesize, in_schunk: true, ..params });
        }
        self.reads_by = now;
        Ok(())
    }
}

fn poisoned() -> Error {
    Error::new(
        ErrorKind::Failure,
        "an earlier call broke off in the middle of changing this super-chunk; it can only be freed",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capi::guard::guard;
    use crate::capi::schunk::create::{blosc2_schunk_free, blosc2_schunk_new};

    #[test]
    fn a_super_chunk_that_was_left_half_changed_can_only_be_freed() {
        let mut storage = crate::capi::defaults::STORAGE;
        // SAFETY: a storage with defaults; the super-chunk lives until it is freed.
        unsafe {
            let ptr = blosc2_schunk_new(&mut storage);
            let schunk = Schunk::of(ptr).unwrap();
            let code = guard::<i32>("test", || schunk.changing(|_| panic!("on purpose")));
            assert_eq!(code, -1);
            assert_eq!(schunk.reading(|engine| Ok(engine.nchunks())).unwrap_err().kind(), ErrorKind::Failure);
            assert_eq!(schunk.changing(|_| Ok(())).unwrap_err().kind(), ErrorKind::Failure);
            assert_eq!(blosc2_schunk_free(ptr), 0);
        }
    }
}
