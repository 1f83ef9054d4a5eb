//! A handle in the making: its address is known before its engine is there, because contexts point back to it.

use super::handle::{Engine, Schunk, Source};
use super::mirror::Shadow;
use super::place::{self, Place};
use super::preview::Preview;
use super::storage::{Asked, StorageCopy};
use super::view::View;
use crate::base::Result;
use crate::base::params::{CParams, DParams};
use crate::capi::context::lifecycle::{free, new_cctx, new_dctx};
use crate::capi::context::params::{cparams_of, dparams_of};
use crate::capi::environment::{Asker, Overrides};
use crate::capi::types::blosc2_schunk;
use crate::capi::types::private::blosc2_context_s;
use crate::schunk::{SuperChunk, Witness};
use std::ptr::{NonNull, null_mut};
use std::sync::{Arc, RwLock};

/// A place for a handle, and the two contexts.
pub(crate) struct Draft {
    place: Option<Place>,
    cctx: Option<NonNull<blosc2_context_s>>,
    dctx: Option<NonNull<blosc2_context_s>>,
    asked: Asked,
}

impl Draft {
    /// Makes the contexts that `asked` describes.
    ///
    /// # Safety
    /// What `asked` points to is valid.
    pub(crate) unsafe fn new(mut asked: Asked) -> Result<Self> {
        let mut place = place::take();
        asked.cparams.schunk = place.as_mut_ptr().cast();
        asked.dparams.schunk = place.as_mut_ptr().cast();
        let mut draft = Draft { place: Some(place), cctx: None, dctx: None, asked };
        // SAFETY: the caller vouches for the pointers in the parameters.
        unsafe {
            draft.cctx = Some(new_cctx(&draft.asked.cparams, &Overrides::read(Asker::Context))?);
            draft.dctx = Some(new_dctx(&draft.asked.dparams)?);
        }
        Ok(draft)
    }

    /// What the contexts ask of the engine.
    pub(crate) fn params(&self) -> Result<(CParams, DParams)> {
        let (mut cparams, mut dparams) = (CParams::default(), DParams::default());
        // SAFETY: the contexts are alive, and the super-chunk they point to is zeroed memory of the right type.
        unsafe {
            if let Some(cctx) = self.cctx {
                cparams = cparams_of(cctx)?;
            }
            if let Some(dctx) = self.dctx {
                dparams = DParams { typesize: cparams.typesize, ..dparams_of(dctx)? };
            }
        }
        Ok((cparams, dparams))
    }

    /// Shows the metalayers of the engine that is being made to those who look at the handle's place.
    pub(crate) fn witness(&mut self) -> Option<Arc<dyn Witness>> {
        let mirror = self.place.as_mut()?.as_mut_ptr().cast::<blosc2_schunk>();
        // SAFETY: the place is ours and zeroed; the draft outlives the making of its engine, and `finish` dismisses the
        // witness before the handle is used.
        unsafe {
            fill(mirror, &self.asked);
            Some(Arc::new(Preview::new(mirror)))
        }
    }

    /// What was asked for.
    pub(crate) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Puts the handle together and lets it go, for `blosc2_schunk_free`.
    ///
    /// # Errors
    /// What the contexts ask for and the engine cannot do.
    pub(crate) fn finish(self, mut engine: SuperChunk) -> Result<NonNull<blosc2_schunk>> {
        engine.dismiss_witness();
        self.complete(|storage, mirror| {
            let shadow = Shadow::new(storage, &engine, mirror);
            (Source::Own(RwLock::new(Engine::new(engine))), shadow)
        })
    }

    /// The same for a handle that shows the chunks of another.
    pub(crate) fn finish_view(self, view: View) -> Result<NonNull<blosc2_schunk>> {
        self.complete(|storage, _| (Source::View(view), Shadow::of_view(storage)))
    }

    fn complete(
        mut self,
        parts: impl FnOnce(NonNull<StorageCopy>, *mut blosc2_schunk) -> (Source, Shadow),
    ) -> Result<NonNull<blosc2_schunk>> {
        // The draft is consumed: the place is still there.
        let place = self.place.take().unwrap_or_else(place::take);
        let mirror = NonNull::from(Box::leak(place)).cast::<blosc2_schunk>();
        let (source, shadow) = parts(StorageCopy::make(self.asked.clone()), mirror.as_ptr());
        // SAFETY: the place is ours alone until we return it. The mirror is zeroed, which is valid for all its fields.
        let handle = unsafe {
            fill(mirror.as_ptr(), &self.asked);
            (*mirror.as_ptr()).cctx = self.cctx.take().map_or(null_mut(), NonNull::as_ptr);
            (*mirror.as_ptr()).dctx = self.dctx.take().map_or(null_mut(), NonNull::as_ptr);
            (*mirror.as_ptr()).view = matches!(source, Source::View(_));
            Schunk::complete(mirror, source, shadow);
            Schunk::of(mirror.as_ptr())?
        };
        handle.publish_storage();
        match handle.show() {
            Ok(()) => Ok(mirror),
            Err(e) => {
                // SAFETY: nobody has seen the handle.
                unsafe { Schunk::discard(mirror) };
                Err(e)
            }
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        for context in [self.cctx.take(), self.dctx.take()].into_iter().flatten() {
            // SAFETY: the draft made the context and has not let it go.
            unsafe { free(context) };
        }
    }
}

/// Writes what a mirror says from the start and the engine does not change.
///
/// # Safety
/// `mirror` is good for writing.
unsafe fn fill(mirror: *mut blosc2_schunk, asked: &Asked) {
    // SAFETY: the caller vouches for the mirror.
    unsafe {
        (*mirror).compcode = asked.cparams.compcode;
        (*mirror).compcode_meta = asked.cparams.compcode_meta;
        (*mirror).clevel = asked.cparams.clevel;
        (*mirror).splitmode = asked.cparams.splitmode as u8; // 1 to 4
        (*mirror).use_dict = u8::from(asked.cparams.use_dict != 0);
        (*mirror).filters = asked.cparams.filters;
        (*mirror).filters_meta = asked.cparams.filters_meta;
        (*mirror).tuner_params = asked.cparams.tuner_params;
        (*mirror).tuner_id = asked.cparams.tuner_id;
    }
}
