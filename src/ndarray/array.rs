//! An array of one's own: a super-chunk, its layout and its dtype in one.

use super::create::Blueprint;
use super::layout::Layout;
use super::meta::Dtype;
use super::{open, slice};
use crate::base::{CBuf, Result};
use crate::io::Disk;
use crate::schunk::SuperChunk;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// A compressed n-dimensional array.
///
/// Any number of threads may read it at once. When another handle, perhaps in another process, changes the shape of an
/// array on disk, reads and writes see it; [`NdArray::refresh`] makes [`NdArray::shape`] say it.
#[derive(Debug)]
pub struct NdArray {
    schunk: SuperChunk,
    layout: Layout,
    dtype: Option<Dtype>,
    /// The super-chunk's tick when the layout was read.
    seen: u64,
}

impl NdArray {
    fn built(made: Result<(SuperChunk, Layout)>, blueprint: &Blueprint) -> Result<Self> {
        let (schunk, layout) = made?;
        let seen = schunk.change_tick();
        Ok(NdArray { schunk, layout, dtype: Some(blueprint.dtype()), seen })
    }

    /// An array of zeros.
    ///
    /// # Errors
    /// As [`Blueprint::zeros`].
    pub fn zeros(blueprint: &Blueprint) -> Result<Self> {
        Self::built(blueprint.zeros(), blueprint)
    }

    /// An array that was never written.
    ///
    /// # Errors
    /// As [`Blueprint::uninit`].
    pub fn uninit(blueprint: &Blueprint) -> Result<Self> {
        Self::built(blueprint.uninit(), blueprint)
    }

    /// An array of NaN.
    ///
    /// # Errors
    /// As [`Blueprint::nans`].
    pub fn nans(blueprint: &Blueprint) -> Result<Self> {
        Self::built(blueprint.nans(), blueprint)
    }

    /// An array of one value.
    ///
    /// # Errors
    /// As [`Blueprint::full`].
    pub fn full(blueprint: &Blueprint, value: &[u8]) -> Result<Self> {
        Self::built(blueprint.full(value), blueprint)
    }

    /// An array of the items of a row-major buffer.
    ///
    /// # Errors
    /// As [`Blueprint::from_buffer`].
    pub fn from_buffer(blueprint: &Blueprint, buffer: &[u8]) -> Result<Self> {
        Self::built(blueprint.from_buffer(buffer), blueprint)
    }

    /// The array that a super-chunk holds.
    ///
    /// # Errors
    /// As [`open::attach`].
    pub fn from_schunk(mut schunk: SuperChunk) -> Result<Self> {
        let (layout, dtype) = open::attach(&mut schunk)?;
        let seen = schunk.change_tick();
        Ok(NdArray { schunk, layout, dtype, seen })
    }

    /// Opens the array in a file or a sparse frame's directory.
    ///
    /// # Errors
    /// As [`SuperChunk::open`] and [`open::attach`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_offset(path, 0)
    }

    /// Opens the array in a file in which its frame starts at byte `offset`.
    ///
    /// # Errors
    /// As [`NdArray::open`].
    pub fn open_offset(path: impl AsRef<Path>, offset: u64) -> Result<Self> {
        Self::from_schunk(SuperChunk::open(path.as_ref(), offset, Arc::new(Disk))?)
    }

    /// The array in the bytes of a contiguous frame, which it keeps and changes in place.
    ///
    /// # Errors
    /// As [`SuperChunk::from_cframe`] and [`open::attach`].
    pub fn from_cframe(frame: CBuf) -> Result<Self> {
        Self::from_schunk(SuperChunk::from_cframe(frame, true)?)
    }

    /// The array as a contiguous frame.
    ///
    /// # Errors
    /// What reading the chunks reports.
    pub fn to_cframe(&self) -> Result<CBuf> {
        self.schunk.to_cframe()
    }

    /// The super-chunk that holds the chunks.
    pub fn schunk(&self) -> &SuperChunk {
        &self.schunk
    }

    /// The same, to be changed: metalayers, say. Chunks are the array's business.
    pub fn schunk_mut(&mut self) -> &mut SuperChunk {
        &mut self.schunk
    }

    /// The super-chunk alone.
    pub fn into_schunk(self) -> SuperChunk {
        self.schunk
    }

    /// The shapes, and what follows from them.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Items along each dimension.
    pub fn shape(&self) -> &[i64] {
        self.layout.shape()
    }

    /// What an item is, where somebody said so.
    pub fn dtype(&self) -> Option<&Dtype> {
        self.dtype.as_ref()
    }

    /// Looks whether another handle has changed the shape. True when it has.
    ///
    /// # Errors
    /// As [`open::changed`].
    pub fn refresh(&mut self) -> Result<bool> {
        let now = open::changed(&self.schunk, &self.layout, self.seen)?;
        self.seen = self.schunk.change_tick();
        let is_new = now.is_some();
        if let Some(now) = now {
            self.layout = now;
        }
        Ok(is_new)
    }

    /// The layout as it is now.
    fn current(&self) -> Result<Cow<'_, Layout>> {
        let now = open::changed(&self.schunk, &self.layout, self.seen)?;
        Ok(now.map_or(Cow::Borrowed(&self.layout), Cow::Owned))
    }

    /// Copies the items from `start` up to `stop` into a row-major buffer of `buffershape` items.
    ///
    /// # Errors
    /// As [`slice::get_slice`].
    pub fn get_slice(
        &self,
        start: &[i64],
        stop: &[i64],
        buffer: &mut [u8],
        buffershape: &[i64],
    ) -> Result<()> {
        slice::get_slice(&self.schunk, &*self.current()?, start, stop, buffer, buffershape)
    }

    /// Copies a row-major buffer of `buffershape` items over the items from `start` up to `stop`.
    ///
    /// # Errors
    /// As [`slice::set_slice`].
    pub fn set_slice(
        &mut self,
        buffer: &[u8],
        buffershape: &[i64],
        start: &[i64],
        stop: &[i64],
    ) -> Result<()> {
        self.refresh()?;
        slice::set_slice(&mut self.schunk, &self.layout, buffer, buffershape, start, stop)
    }

    /// Copies all items into the front of a row-major buffer.
    ///
    /// # Errors
    /// As [`slice::to_buffer`].
    pub fn to_buffer(&self, buffer: &mut [u8]) -> Result<()> {
        slice::to_buffer(&self.schunk, &*self.current()?, buffer)
    }
}
