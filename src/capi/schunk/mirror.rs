//! Keeping the public struct `blosc2_schunk` true.

use super::handle::Schunk;
use super::metas::{MetaMirror, Retired};
use super::storage::StorageCopy;
use crate::capi::types::blosc2_schunk;
use crate::capi::types::private::blosc2_frame_s;
use crate::schunk::SuperChunk;
use crate::schunk::about::Counters;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::ptr::{NonNull, null_mut};

/// What a mirror's pointers lead to.
pub(crate) struct Shadow {
    /// The chunks of a list.
    data: Vec<*mut u8>,
    metas: MetaMirror,
    vlmetas: MetaMirror,
    /// What a refresh during a read replaced; other readers may still look at it.
    retired: Vec<Retired>,
    /// The engine's tick that the metalayers were mirrored at.
    tick: u64,
    storage: NonNull<StorageCopy>,
    frame: Option<Box<FrameMirror>>,
}

// SAFETY: a Shadow owns what its pointers lead to.
unsafe impl Send for Shadow {}

/// The frame's struct, and the path it points to.
struct FrameMirror {
    frame: blosc2_frame_s,
    _urlpath: Option<CString>,
}

impl Shadow {
    /// The shadow of a super-chunk that is being made; owns `storage` from now on.
    pub(crate) fn new(
        storage: NonNull<StorageCopy>,
        engine: &SuperChunk,
        mirror: *mut blosc2_schunk,
    ) -> Self {
        let mut shadow = Shadow::of_view(storage);
        shadow.frame = FrameMirror::new(engine, mirror);
        shadow
    }
}

impl Shadow {
    /// The shadow of a view that is being made: the frame, if any, is another handle's.
    pub(crate) fn of_view(storage: NonNull<StorageCopy>) -> Self {
        Shadow {
            data: Vec::new(),
            metas: MetaMirror::default(),
            vlmetas: MetaMirror::default(),
            retired: Vec::new(),
            // Not any tick there is: the first publishing mirrors everything.
            tick: u64::MAX,
            storage,
            frame: None,
        }
    }
}

impl Shadow {
    /// How many variable-length metalayers the mirror has ever pointed to at once.
    pub(crate) fn most_vlmetas(&self) -> usize {
        self.vlmetas.most()
    }
}

impl Drop for Shadow {
    fn drop(&mut self) {
        // SAFETY: the shadow owns the storage, and its handle is gone.
        unsafe { StorageCopy::free(self.storage) };
    }
}

impl FrameMirror {
    fn new(engine: &SuperChunk, mirror: *mut blosc2_schunk) -> Option<Box<Self>> {
        if !engine.has_frame() {
            return None;
        }
        let urlpath = engine.disk().and_then(|disk| CString::new(disk.path().as_os_str().as_bytes()).ok());
        // SAFETY: all fields are integers, pointers and a pthread object, for which zero is valid.
        let mut frame: blosc2_frame_s = unsafe { std::mem::zeroed() };
        frame.urlpath = urlpath.as_ref().map_or(null_mut(), |path| path.as_ptr().cast_mut());
        frame.schunk = mirror;
        frame.sframe = !engine.is_contiguous();
        frame.file_offset = engine.disk().map_or(0, |disk| disk.offset() as i64);
        Some(Box::new(FrameMirror { frame, _urlpath: urlpath }))
    }
}

impl Schunk {
    /// Brings the whole mirror up to date, after a change that had the super-chunk for itself.
    pub(crate) fn publish(&self, engine: &mut SuperChunk) {
        let mut shadow = self.shadow();
        let now = engine.own_counters();
        self.publish_counters(engine, &now);
        self.publish_data(engine, &mut shadow);
        self.publish_metas(engine, now.tick, &mut shadow);
        shadow.retired.clear();
        // SAFETY: the change had the mirror for itself.
        unsafe { (*self.mirror()).frame = shadow.publish_frame(engine) };
    }

    /// Brings the mirror up to date when a read has found the frame changed by somebody else. Other readers may be
    /// looking at what is replaced: it stays in memory until the next change.
    pub(crate) fn publish_if_stale(&self, engine: &SuperChunk) {
        // Only a frame on disk changes by itself.
        if engine.disk().is_none() {
            return;
        }
        // SAFETY: the mirror is alive, and such fields are written as here only.
        let known =
            unsafe { ((*self.mirror()).nchunks, (*self.mirror()).nbytes, (*self.mirror()).change_tick) };
        let now = engine.counters();
        if known == (now.nchunks, now.nbytes, now.tick as i64) {
            return;
        }
        let mut shadow = self.shadow();
        self.publish_counters(engine, &now);
        self.publish_metas(engine, now.tick, &mut shadow);
        shadow.publish_frame(engine);
    }

    /// Sizes and numbers.
    fn publish_counters(&self, engine: &SuperChunk, now: &Counters) {
        let mirror = self.mirror();
        // SAFETY: the mirror is alive; a field is written whole.
        unsafe {
            (*mirror).nchunks = now.nchunks;
            (*mirror).nbytes = now.nbytes;
            (*mirror).cbytes = now.cbytes;
            (*mirror).chunksize = now.chunksize;
            (*mirror).blocksize = now.blocksize;
            (*mirror).typesize = engine.typesize();
            (*mirror).flags2 = u8::from(now.vl_blocks);
        }
    }

    /// The array of chunks of a list, as far as they have changed.
    fn publish_data(&self, engine: &mut SuperChunk, shadow: &mut Shadow) {
        let Some((list, changed)) = engine.listed_changes() else {
            return;
        };
        shadow.data.resize(list.len(), null_mut());
        for (address, chunk) in shadow.data[changed.clone()].iter_mut().zip(&list[changed]) {
            *address = chunk.as_ptr().cast_mut();
        }
        // SAFETY: the mirror is alive.
        unsafe {
            let empty = shadow.data.capacity() == 0;
            (*self.mirror()).data = if empty { null_mut() } else { shadow.data.as_mut_ptr() };
            (*self.mirror()).data_len = shadow.data.capacity() * size_of::<*mut u8>();
        }
    }

    /// Brings a view's mirror up to date with the handle that has the chunks. Does nothing for another.
    pub(crate) fn publish_view(&self, engine: &SuperChunk) {
        let Some(view) = self.view() else {
            return;
        };
        let (mirror, base) = (self.mirror(), view.base().mirror());
        let mut shadow = self.shadow();
        let now = engine.counters();
        self.publish_counters(engine, &now);
        self.publish_metas(engine, now.tick, &mut shadow);
        // SAFETY: both mirrors are alive; a field is written whole.
        unsafe {
            (*mirror).data = (*base).data;
            (*mirror).data_len = (*base).data_len;
            (*mirror).frame = (*base).frame;
        }
    }

    fn publish_metas(&self, engine: &SuperChunk, tick: u64, shadow: &mut Shadow) {
        if shadow.tick == tick {
            return;
        }
        let mirror = self.mirror();
        let metas = self.view().map_or_else(|| engine.metas(), |view| view.metas());
        let vlmetas = engine.vlmetas_seen();
        let replaced = [shadow.metas.update(&metas), shadow.vlmetas.update(&vlmetas)];
        shadow.retired.extend(replaced);
        // SAFETY: the mirror is alive; the engine keeps no more metalayers than the arrays hold.
        unsafe {
            (*mirror).nmetalayers = shadow.metas.write(&raw mut (*mirror).metalayers) as u16;
            (*mirror).nvlmetalayers = shadow.vlmetas.write(&raw mut (*mirror).vlmetalayers) as i16;
            (*mirror).change_tick = tick as i64;
        }
        shadow.tick = tick;
    }

    /// Where and how the super-chunk is kept, for the mirror.
    pub(crate) fn publish_storage(&self) {
        let shadow = self.shadow();
        // SAFETY: the mirror is alive.
        unsafe { (*self.mirror()).storage = StorageCopy::storage(shadow.storage) };
    }
}

impl Shadow {
    fn publish_frame(&mut self, engine: &SuperChunk) -> *mut blosc2_frame_s {
        let Some(frame) = &mut self.frame else {
            return null_mut();
        };
        frame.frame.len = engine.frame_len();
        frame.frame.maxlen = frame.frame.len;
        frame.frame.cframe = engine.frame_address().map_or(null_mut(), <*const u8>::cast_mut);
        frame.frame.trailer_len = engine.trailer_len() as u32;
        &raw mut frame.frame
    }
}
