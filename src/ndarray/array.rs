//! An array of one's own: a super-chunk, its layout and its dtype in one.

mod copies;
mod growth;
mod items;

use super::create::Blueprint;
use super::layout::Layout;
use super::meta::Dtype;
use super::{open, pour};
use crate::base::{CBuf, Result};
use crate::schunk::{Storage, SuperChunk};
use std::borrow::Cow;
use std::path::Path;

/// A compressed n-dimensional array.
///
/// Any number of threads may read it at once. When another handle, perhaps in another process, changes the shape of an
/// array on disk, reads and writes see it; [`NdArray::refresh`] makes [`NdArray::shape`] say it.
///
/// ```
/// use blosc2::{Blueprint, NdArray};
///
/// # fn main() -> blosc2::Result<()> {
/// // 6 x 10 items of one byte, in chunks of 4 x 5 and blocks of 2 x 5.
/// let blueprint = Blueprint::new(1, &[6, 10], &[4, 5], &[2, 5]);
/// let items: Vec<u8> = (0..60).collect();
/// let mut array = NdArray::from_buffer(&blueprint, &items)?;
///
/// // Two rows of three items, read and written.
/// let mut slice = [0; 6];
/// array.get_slice(&[2, 7], &[4, 10], &mut slice, &[2, 3])?;
/// assert_eq!(slice, [27, 28, 29, 37, 38, 39]);
/// array.set_slice(&[1; 6], &[2, 3], &[2, 7], &[4, 10])?;
///
/// // Two rows more.
/// array.append(&[5; 20], 0)?;
/// assert_eq!(array.shape(), [8, 10]);
/// # Ok(())
/// # }
/// ```
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
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let array = NdArray::zeros(&Blueprint::new(4, &[100, 30], &[50, 30], &[10, 15]))?;
    /// assert_eq!(array.get::<i32>(&[99, 28], &[100, 30])?, [0, 0]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Blueprint::zeros`].
    pub fn zeros(blueprint: &Blueprint) -> Result<Self> {
        Self::built(blueprint.zeros(), blueprint)
    }

    /// An array that was never written.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let mut array = NdArray::uninit(&Blueprint::new(4, &[100], &[50], &[10]))?;
    /// array.set(&[0], &[50], &[7i32; 50])?;
    /// assert_eq!(array.get::<i32>(&[49], &[50])?, [7]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Blueprint::uninit`].
    pub fn uninit(blueprint: &Blueprint) -> Result<Self> {
        Self::built(blueprint.uninit(), blueprint)
    }

    /// An array of NaN.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let array = NdArray::nans(&Blueprint::new(8, &[100], &[50], &[10]))?;
    /// assert!(array.get::<f64>(&[99], &[100])?[0].is_nan());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Blueprint::nans`].
    pub fn nans(blueprint: &Blueprint) -> Result<Self> {
        Self::built(blueprint.nans(), blueprint)
    }

    /// An array of one value.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let array = NdArray::full(&Blueprint::new(4, &[100], &[50], &[10]), &7i32.to_ne_bytes())?;
    /// assert_eq!(array.get::<i32>(&[98], &[100])?, [7, 7]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Blueprint::full`].
    pub fn full(blueprint: &Blueprint, value: &[u8]) -> Result<Self> {
        Self::built(blueprint.full(value), blueprint)
    }

    /// An array of the items of a row-major buffer.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// assert_eq!(array.get::<u8>(&[1, 1], &[3, 3])?, [4, 5, 7, 8]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Blueprint::from_buffer`].
    pub fn from_buffer(blueprint: &Blueprint, buffer: &[u8]) -> Result<Self> {
        Self::built(blueprint.from_buffer(buffer), blueprint)
    }

    /// An array whose items `source` gives, box by box: for data that is larger than memory, or comes from elsewhere.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// // Every item is the number of its row.
    /// let array = NdArray::from_source(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &|region, items| {
    ///     let rows = region.start()[0]..region.stop()[0];
    ///     items.chunks_exact_mut(3).zip(rows).for_each(|(items, row)| items.fill(row as u8));
    ///     Ok(())
    /// })?;
    /// assert_eq!(array.get::<u8>(&[1, 1], &[4, 3])?, [1, 1, 2, 2, 3, 3]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`pour::from_source`].
    pub fn from_source(blueprint: &Blueprint, source: pour::Source<'_>) -> Result<Self> {
        Self::built(pour::from_source(blueprint, source), blueprint)
    }

    /// The array that a super-chunk holds.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// let schunk = array.into_schunk();
    /// assert_eq!(NdArray::from_schunk(schunk)?.shape(), [4, 3]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
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
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// # let path = std::env::temp_dir().join(format!("doc-array-{}.b2nd", std::process::id()));
    /// array.save(&path)?;
    /// assert_eq!(NdArray::open(&path)?.get::<u8>(&[3, 0], &[4, 3])?, [9, 10, 11]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::open`] and [`open::attach`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_offset(path, 0)
    }

    /// Opens the array in a file in which its frame starts at byte `offset`. See [`NdArray::save_append`].
    ///
    /// # Errors
    /// As [`NdArray::open`].
    pub fn open_offset(path: impl AsRef<Path>, offset: u64) -> Result<Self> {
        Self::from_schunk(SuperChunk::open(path.as_ref(), offset, Storage::default().io)?)
    }

    /// The array in the bytes of a contiguous frame, which it keeps and changes in place. See [`NdArray::to_cframe`].
    ///
    /// # Errors
    /// As [`SuperChunk::from_cframe`] and [`open::attach`].
    pub fn from_cframe(frame: CBuf) -> Result<Self> {
        Self::from_schunk(SuperChunk::from_cframe(frame, true)?)
    }

    /// The array as a contiguous frame.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// let frame = array.to_cframe()?;
    /// assert_eq!(NdArray::from_cframe(frame)?.get::<u8>(&[3, 0], &[4, 3])?, [9, 10, 11]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// What reading the chunks reports.
    pub fn to_cframe(&self) -> Result<CBuf> {
        self.schunk.to_cframe()
    }

    /// The super-chunk that holds the chunks.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// assert_eq!(array.schunk().nchunks(), 2);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn schunk(&self) -> &SuperChunk {
        &self.schunk
    }

    /// The same, to be changed: metalayers, say. Chunks are the array's business.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// array.schunk_mut().vlmeta_add("notes", b"anything", None)?;
    /// assert_eq!(&array.schunk().vlmeta_get("notes")?[..], b"anything");
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn schunk_mut(&mut self) -> &mut SuperChunk {
        &mut self.schunk
    }

    /// The super-chunk alone. See [`NdArray::from_schunk`].
    pub fn into_schunk(self) -> SuperChunk {
        self.schunk
    }

    /// The shapes, and what follows from them.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// assert_eq!(array.layout().chunkshape(), [2, 3]);
    /// assert_eq!(array.layout().blockshape(), [1, 3]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Items along each dimension.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// assert_eq!(array.shape(), [4, 3]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn shape(&self) -> &[i64] {
        self.layout.shape()
    }

    /// What an item is, where somebody said so.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// assert!(array.dtype().is_some());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn dtype(&self) -> Option<&Dtype> {
        self.dtype.as_ref()
    }

    /// Looks whether another handle has changed the shape. True when it has.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// # let path = std::env::temp_dir().join(format!("doc-fresh-{}.b2nd", std::process::id()));
    /// array.save(&path)?;
    /// let (mut writer, mut reader) = (NdArray::open(&path)?, NdArray::open(&path)?);
    /// writer.append(&[12, 13, 14], 0)?;
    /// assert!(reader.refresh()?);
    /// assert_eq!(reader.shape(), [5, 3]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
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

    /// Changes the super-chunk and the layout, which must be those of now.
    fn change<R>(&mut self, change: impl FnOnce(&mut SuperChunk, &mut Layout) -> Result<R>) -> Result<R> {
        let NdArray { schunk, layout, seen, .. } = self;
        schunk.locked(|schunk| {
            if let Some(now) = open::changed(schunk, layout, *seen)? {
                *layout = now;
            }
            let done = change(schunk, layout);
            *seen = schunk.change_tick();
            done
        })
    }

    /// Reads by the layout of now, with others kept from changing anything meanwhile.
    fn read<R>(&self, read: impl FnOnce(&SuperChunk, &Layout) -> Result<R>) -> Result<R> {
        let _lock = self.schunk.shared()?;
        read(&self.schunk, &*self.current()?)
    }
}
