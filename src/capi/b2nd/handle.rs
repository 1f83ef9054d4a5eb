//! The handle behind `b2nd_array_t *`.

use super::views;
use crate::base::{ErrorKind, Result};
use crate::capi::pointers::{malloc_text, null};
use crate::capi::schunk::handle::Schunk;
use crate::capi::types::{b2nd_array_t, blosc2_schunk, chunk_cache_s};
use crate::fail;
use crate::ndarray::{Dtype, Layout, View, open};
use crate::schunk::SuperChunk;
use std::cell::UnsafeCell;
use std::ptr::{NonNull, null_mut};
use std::sync::{PoisonError, RwLock};

/// An array: the mirror first, so that a pointer to it is a pointer to the handle.
#[repr(C)]
pub(crate) struct Array {
    mirror: UnsafeCell<b2nd_array_t>,
    known: RwLock<Known>,
}

/// What is known about an array, and since when.
struct Known {
    layout: Layout,
    /// The super-chunk's tick that the layout was read at.
    seen: u64,
    /// What the array is a view of.
    of: Option<Viewed>,
}

/// The array that a view is of.
struct Viewed {
    view: View,
    layout: Layout,
}

impl Known {
    /// The layout that the super-chunk's metalayer says.
    fn stored(&self) -> &Layout {
        self.of.as_ref().map_or(&self.layout, |of| &of.layout)
    }

    /// Takes in another layout of the super-chunk.
    fn follow(&mut self, now: Layout) -> Result<()> {
        match &mut self.of {
            Some(of) => {
                self.layout = of.view.layout(&now).map_err(|e| e.as_kind(ErrorKind::Data))?;
                of.layout = now;
            }
            None => self.layout = now,
        }
        Ok(())
    }
}

impl Array {
    /// A handle for the array in `sc`, which belongs to it from now on.
    ///
    /// # Errors
    /// `MemoryAlloc`, and then `sc` stays the caller's.
    pub(crate) fn make(
        sc: NonNull<blosc2_schunk>,
        layout: Layout,
        dtype: Option<&Dtype>,
    ) -> Result<NonNull<b2nd_array_t>> {
        Self::make_of(sc, layout, None, dtype)
    }

    /// The same for a view of the array in `sc`, which has `layout`.
    ///
    /// # Errors
    /// As [`Array::make`], and as [`View::layout`].
    pub(crate) fn make_view(
        sc: NonNull<blosc2_schunk>,
        layout: Layout,
        view: View,
        dtype: Option<&Dtype>,
    ) -> Result<NonNull<b2nd_array_t>> {
        Self::make_of(sc, view.layout(&layout)?, Some(Viewed { view, layout }), dtype)
    }

    fn make_of(
        sc: NonNull<blosc2_schunk>,
        layout: Layout,
        of: Option<Viewed>,
        dtype: Option<&Dtype>,
    ) -> Result<NonNull<b2nd_array_t>> {
        // SAFETY: the super-chunk is alive.
        let seen = unsafe { Schunk::of(sc.as_ptr()) }?.read()?.schunk.change_tick();
        let text = dtype.map_or(Ok(null_mut()), |dtype| malloc_text(dtype.text()))?;
        // SAFETY: all fields are integers and pointers, for which zero is valid.
        let mut mirror: b2nd_array_t = unsafe { std::mem::zeroed() };
        mirror.sc = sc.as_ptr();
        mirror.dtype = text;
        mirror.dtype_format = dtype.map_or(0, Dtype::format);
        mirror.chunk_cache = chunk_cache_s { data: null_mut(), nchunk: -1 };
        describe(&mut mirror, &layout, seen);
        let array = Array { mirror: UnsafeCell::new(mirror), known: RwLock::new(Known { layout, seen, of }) };
        Ok(NonNull::from(Box::leak(Box::new(array))).cast())
    }

    /// The handle that C knows by `ptr`.
    ///
    /// # Safety
    /// Unless null, `ptr` is an array that this library made and that is not freed for as long as `'a`.
    pub(crate) unsafe fn of<'a>(ptr: *const b2nd_array_t) -> Result<&'a Array> {
        // SAFETY: the caller vouches for it; handles begin with their mirror.
        unsafe { ptr.cast::<Array>().as_ref() }.ok_or_else(|| null("array"))
    }

    /// The super-chunk.
    pub(crate) fn schunk(&self) -> Result<&Schunk> {
        // SAFETY: an array's super-chunk lives as long as it.
        unsafe { Schunk::of((*self.mirror.get()).sc) }
    }

    /// Bytes per item and dimensions: what it takes to read a caller's arguments.
    pub(crate) fn ndim(&self) -> usize {
        self.known.read().unwrap_or_else(PoisonError::into_inner).layout.ndim()
    }

    /// Reads something, by the layout that the array has now.
    pub(crate) fn reading<R>(&self, read: impl FnOnce(&SuperChunk, &Layout) -> Result<R>) -> Result<R> {
        self.schunk()?.reading(|engine| {
            let _lock = engine.shared()?;
            self.follow(engine)?;
            read(engine, &self.layout())
        })
    }

    /// Changes something, by the layout that the array has now.
    pub(crate) fn changing<R>(
        &self,
        change: impl FnOnce(&mut SuperChunk, &Layout) -> Result<R>,
    ) -> Result<R> {
        self.schunk()?.changing(|engine| {
            engine.locked(|engine| {
                self.follow(engine)?;
                change(engine, &self.layout())
            })
        })
    }

    /// Changes the array's shape. Whatever comes of it, its fields say the shape that it has then.
    ///
    /// # Errors
    /// `InvalidParam` for a view: the array that it is of has the shape.
    pub(crate) fn reshaping<R>(
        &self,
        change: impl FnOnce(&mut SuperChunk, &mut Layout) -> Result<R>,
    ) -> Result<R> {
        self.schunk()?.changing(|engine| {
            engine.locked(|engine| {
                self.follow(engine)?;
                let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
                if known.of.is_some() {
                    fail!(InvalidParam, "a view has the shape of the array that it is of");
                }
                let done = change(engine, &mut known.layout);
                known.seen = engine.change_tick();
                self.describe(&known);
                done
            })
        })
    }

    /// What a view shows of the array that it is of, and that one's layout; of an array that is no view, all.
    pub(crate) fn viewed(&self, view: impl FnOnce(&Layout) -> Result<View>) -> Result<(View, Layout)> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let view = view(&known.layout)?;
        Ok(match &known.of {
            Some(of) => (view.of(&of.view), of.layout.clone()),
            None => (view, known.layout.clone()),
        })
    }

    /// Runs something that puts the array elsewhere as a whole: on its super-chunk or, for a view, on a copy of it.
    pub(crate) fn exporting<R>(&self, export: impl FnOnce(&SuperChunk, &Layout) -> Result<R>) -> Result<R> {
        let schunk = self.to_export()?;
        if schunk.view().is_none() {
            return self.reading(export);
        }
        schunk.exporting(|copy| {
            let (layout, _) = open::attach(copy)?;
            export(copy, &layout)
        })
    }

    /// The super-chunk, which for a view says what the array looks like now.
    pub(crate) fn to_export(&self) -> Result<&Schunk> {
        let schunk = self.schunk()?;
        if schunk.view().is_some() {
            schunk.reading(|engine| self.follow(engine))?;
        }
        Ok(schunk)
    }

    /// Takes in a shape that another handle has given the array. True when there is one.
    pub(crate) fn follow(&self, engine: &SuperChunk) -> Result<bool> {
        let now = {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            let now = open::changed(engine, known.stored(), known.seen)?;
            if now.is_none() && known.seen == engine.change_tick() {
                return Ok(false);
            }
            now
        };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.seen = engine.change_tick();
        let is_new = now.is_some();
        if let Some(now) = now {
            known.follow(now)?;
            if let Some(view) = self.schunk()?.view() {
                let meta = open::read_meta(engine)?;
                view.set_metas(views::describe(&known.layout, meta.dtype())?);
            }
        }
        self.describe(&known);
        Ok(is_new)
    }

    /// Brings the mirror up to date.
    fn describe(&self, known: &Known) {
        // SAFETY: the mirror is alive; the lock that `known` is under keeps other threads of ours from writing it.
        describe(unsafe { &mut *self.mirror.get() }, &known.layout, known.seen);
    }

    fn layout(&self) -> Layout {
        self.known.read().unwrap_or_else(PoisonError::into_inner).layout.clone()
    }

    /// Frees an array and its super-chunk.
    ///
    /// # Safety
    /// `array` is a handle that nobody uses any more; its dtype is NULL or from malloc.
    pub(crate) unsafe fn free(array: NonNull<b2nd_array_t>) {
        // SAFETY: the caller vouches for it; handles are boxes.
        unsafe {
            let this = Box::from_raw(array.as_ptr().cast::<Array>());
            let mirror = this.mirror.into_inner();
            if let Some(sc) = NonNull::new(mirror.sc) {
                Schunk::free(sc);
            }
            libc::free(mirror.dtype.cast());
        }
    }
}

/// Writes what follows from the layout.
fn describe(mirror: &mut b2nd_array_t, layout: &Layout, seen: u64) {
    fn padded<T: Copy, const N: usize>(rest: T, values: &[T]) -> [T; N] {
        std::array::from_fn(|i| values.get(i).copied().unwrap_or(rest))
    }
    let strides = layout.strides();
    mirror.ndim = layout.ndim() as i8; // at most 16
    mirror.shape = padded(1, layout.shape());
    mirror.chunkshape = padded(1, layout.chunkshape());
    mirror.blockshape = padded(1, layout.blockshape());
    mirror.extshape = padded(1, layout.extshape());
    mirror.extchunkshape = padded(1, layout.extchunkshape());
    mirror.nitems = layout.nitems();
    mirror.chunknitems = layout.chunknitems();
    mirror.extnitems = layout.extnitems();
    mirror.blocknitems = layout.blocknitems();
    mirror.extchunknitems = layout.extchunknitems();
    mirror.item_array_strides = strides.item_array;
    mirror.item_chunk_strides = strides.item_chunk;
    mirror.item_extchunk_strides = strides.item_extchunk;
    mirror.item_block_strides = strides.item_block;
    mirror.block_chunk_strides = strides.block_chunk;
    mirror.chunk_array_strides = strides.chunk_array;
    mirror.last_tick = seen as i64;
}
