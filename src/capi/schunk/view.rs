//! Handles that show the chunks of another one, with metalayers of their own.
//!
//! A view holds the handle that it is of: that one is freed with the last of its views, if it was not needed any longer
//! than that. What is written through the view is written there.

use super::draft::Draft;
use super::handle::Schunk;
use super::storage::Asked;
use crate::base::Result;
use crate::capi::defaults::IO;
use crate::capi::types::blosc2_schunk;
use crate::frame::Metalayers;
use crate::ndarray::open;
use crate::schunk::SuperChunk;
use std::ptr::NonNull;
use std::sync::{PoisonError, RwLock};

/// Whose chunks a view shows, and what it says about them.
pub(crate) struct View {
    base: NonNull<Schunk>,
    metas: RwLock<Metalayers>,
}

impl View {
    /// The handle that has the chunks.
    pub(crate) fn base(&self) -> &Schunk {
        // SAFETY: the view holds the handle.
        unsafe { self.base.as_ref() }
    }

    /// The view's fixed metalayers.
    pub(crate) fn metas(&self) -> Metalayers {
        self.metas.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has the view say something else, because the base has changed.
    pub(crate) fn set_metas(&self, metas: Metalayers) {
        *self.metas.write().unwrap_or_else(PoisonError::into_inner) = metas;
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // What the backend says to that has nobody to hear it.
        // SAFETY: the view is a holder of the handle, and gives that up.
        let _ = unsafe { Schunk::free(self.base.cast()) };
    }
}

/// A handle that shows the chunks of `of` with other metalayers, for `blosc2_schunk_free`.
///
/// # Errors
/// When there is no memory, or the parameters of `of` make no sense any more.
pub(crate) fn make(of: &Schunk, metas: Metalayers) -> Result<NonNull<blosc2_schunk>> {
    let base = of.base();
    // SAFETY: a live handle's storage is alive, and so is what it points to.
    let mut asked = unsafe { Asked::of(&*(*base.mirror()).storage) };
    // The base does all the work.
    (asked.contiguous, asked.urlpath, asked.io) = (false, None, IO);
    (asked.cparams.prefilter, asked.cparams.preparams) = (None, std::ptr::null_mut());
    (asked.dparams.postfilter, asked.dparams.postparams) = (None, std::ptr::null_mut());
    base.hold();
    let view = View { base: NonNull::from(base), metas: RwLock::new(metas) };
    // SAFETY: the parameters point to nothing but what the base keeps.
    unsafe { Draft::new(asked) }?.finish_view(view)
}

impl Schunk {
    /// Runs something that puts the super-chunk elsewhere as a whole. For a view, that is a copy with its metalayers.
    pub(crate) fn exporting<R>(&self, export: impl FnOnce(&mut SuperChunk) -> Result<R>) -> Result<R> {
        match self.view() {
            None => self.changing(export),
            Some(view) => export(&mut self.reading(|engine| open::with_metas(engine, view.metas()))?),
        }
    }
}
