//! An array of one's own: a super-chunk, its layout and its dtype in one.

use super::create::Blueprint;
use super::layout::Layout;
use super::meta::Dtype;
use super::{open, pour, resize, select, slice, transfer};
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

    /// Copies the items from `start` up to `stop` into a row-major buffer of `buffershape` items.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// // Two rows of two, into a buffer with room for three.
    /// let mut buffer = [0; 6];
    /// array.get_slice(&[1, 1], &[3, 3], &mut buffer, &[2, 3])?;
    /// assert_eq!(buffer, [4, 5, 0, 7, 8, 0]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
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
        self.read(|schunk, layout| slice::get_slice(schunk, layout, start, stop, buffer, buffershape))
    }

    /// Copies a row-major buffer of `buffershape` items over the items from `start` up to `stop`.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// array.set_slice(&[50, 60], &[2, 1], &[1, 1], &[3, 2])?;
    /// assert_eq!(array.get::<u8>(&[1, 0], &[3, 3])?, [3, 50, 5, 6, 60, 8]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
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
        self.change(|schunk, layout| slice::set_slice(schunk, layout, buffer, buffershape, start, stop))
    }

    /// Copies all items into the front of a row-major buffer.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// let mut buffer = [0; 12];
    /// array.to_buffer(&mut buffer)?;
    /// assert_eq!(buffer[..], items);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`slice::to_buffer`].
    pub fn to_buffer(&self, buffer: &mut [u8]) -> Result<()> {
        self.read(|schunk, layout| slice::to_buffer(schunk, layout, buffer))
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

    /// Gives the array another shape.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// array.resize(&[5, 2], None)?;
    /// assert_eq!(array.get::<u8>(&[3, 0], &[5, 2])?, [9, 10, 0, 0]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`resize::resize`].
    pub fn resize(&mut self, new_shape: &[i64], start: Option<&[i64]>) -> Result<()> {
        self.change(|schunk, layout| resize::resize(schunk, layout, new_shape, start))
    }

    /// Puts the items of a buffer into the array before item `at` of `axis`.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// // Whole chunks, before a chunk.
    /// array.insert(&[20, 21, 22, 23, 24, 25], 0, 2)?;
    /// assert_eq!(array.get::<u8>(&[1, 0], &[5, 1])?, [3, 20, 23, 6]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`resize::insert`].
    pub fn insert(&mut self, buffer: &[u8], axis: usize, at: i64) -> Result<()> {
        self.change(|schunk, layout| resize::insert(schunk, layout, buffer, axis, at))
    }

    /// Adds the items of a buffer at the end of `axis`.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// array.append(&[20, 21, 22, 23], 1)?;
    /// assert_eq!(array.shape(), [4, 4]);
    /// assert_eq!(array.get::<u8>(&[0, 2], &[2, 4])?, [2, 20, 5, 21]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`resize::insert`].
    pub fn append(&mut self, buffer: &[u8], axis: usize) -> Result<()> {
        self.change(|schunk, layout| resize::append(schunk, layout, buffer, axis))
    }

    /// Removes `len` items along `axis`, from `at` on.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// array.delete(0, 0, 2)?;
    /// assert_eq!(array.shape(), [2, 3]);
    /// assert_eq!(array.get::<u8>(&[0, 0], &[1, 3])?, [6, 7, 8]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`resize::delete`].
    pub fn delete(&mut self, axis: usize, at: i64, len: i64) -> Result<()> {
        self.change(|schunk, layout| resize::delete(schunk, layout, axis, at, len))
    }

    /// Adds the items of another array at the end of `axis`.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// let more = NdArray::full(&Blueprint::new(1, &[2, 3], &[2, 3], &[1, 3]), &[7])?;
    /// array.extend(0, &more)?;
    /// assert_eq!(array.shape(), [6, 3]);
    /// assert_eq!(array.get::<u8>(&[3, 2], &[5, 3])?, [11, 7]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`transfer::extend`].
    pub fn extend(&mut self, axis: usize, other: &NdArray) -> Result<()> {
        if transfer::same_lock(&self.schunk, &other.schunk) {
            let (copy, layout) =
                other.read(|schunk, layout| Ok((schunk.with_metas(schunk.metas())?, layout.clone())))?;
            return self.change(|schunk, to| transfer::extend(schunk, to, axis, &copy, &layout));
        }
        other.read(|from, layout| self.change(|schunk, to| transfer::extend(schunk, to, axis, from, layout)))
    }

    /// A new array of the items from `start` up to `stop`; of the blueprint, the shape is not looked at.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// let middle = array.slice(&[1, 1], &[3, 3], &Blueprint::new(1, &[], &[2, 2], &[2, 1]))?;
    /// assert_eq!(middle.shape(), [2, 2]);
    /// assert_eq!(middle.get::<u8>(&[0, 0], &[2, 2])?, [4, 5, 7, 8]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`transfer::get_slice`].
    pub fn slice(&self, start: &[i64], stop: &[i64], blueprint: &Blueprint) -> Result<NdArray> {
        let made = self.read(|schunk, layout| transfer::get_slice(schunk, layout, start, stop, blueprint));
        Self::built(made, blueprint)
    }

    /// A copy, kept and compressed as the blueprint says; its shape and metalayers are not looked at.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// let copy = array.copy(&Blueprint::new(1, &[], &[4, 1], &[2, 1]))?;
    /// assert_eq!(copy.shape(), [4, 3]);
    /// assert_eq!(copy.layout().chunkshape(), [4, 1]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`transfer::copy`].
    pub fn copy(&self, blueprint: &Blueprint) -> Result<NdArray> {
        let (schunk, _) = self.read(|schunk, layout| transfer::copy(schunk, layout, blueprint))?;
        Self::from_schunk(schunk)
    }

    /// Saves the array to a new file, contiguous, compressed as it is. See [`NdArray::open`].
    ///
    /// # Errors
    /// As [`transfer::save`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.read(|schunk, layout| transfer::save(schunk, layout, path.as_ref(), true))
    }

    /// Copies the items whose coordinates along each axis are in that axis's list.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// let mut buffer = [0; 4];
    /// array.get_orthogonal(&[&[3, 0], &[0, 2]], &mut buffer, &[2, 2])?;
    /// assert_eq!(buffer, [9, 11, 0, 2]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`select::get_orthogonal`].
    pub fn get_orthogonal(&self, selection: &[&[i64]], buffer: &mut [u8], buffershape: &[i64]) -> Result<()> {
        self.read(|schunk, layout| select::get_orthogonal(schunk, layout, selection, buffer, buffershape))
    }

    /// Copies a buffer over the items whose coordinates along each axis are in that axis's list.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// array.set_orthogonal(&[&[3, 0], &[0, 2]], &[20, 21, 22, 23], &[2, 2])?;
    /// assert_eq!(array.get::<u8>(&[0, 0], &[1, 3])?, [22, 1, 23]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`select::set_orthogonal`].
    pub fn set_orthogonal(&mut self, selection: &[&[i64]], buffer: &[u8], buffershape: &[i64]) -> Result<()> {
        self.change(|schunk, layout| select::set_orthogonal(schunk, layout, selection, buffer, buffershape))
    }

    /// Copies single items, given by their numbers in row-major order.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// let mut buffer = [0; 3];
    /// array.get_sparse(&[11, 0, 5], &mut buffer)?;
    /// assert_eq!(buffer, [11, 0, 5]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`select::get_sparse`].
    pub fn get_sparse(&self, items: &[i64], buffer: &mut [u8]) -> Result<()> {
        self.read(|schunk, layout| select::get_sparse(schunk, layout, items, buffer))
    }

    /// Adds the array, as a contiguous frame, to the end of a file, which is made when it is not there. Tells at which
    /// byte it starts, for [`NdArray::open_offset`].
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let items: Vec<u8> = (0..12).collect();
    /// let mut array = NdArray::from_buffer(&Blueprint::new(1, &[4, 3], &[2, 3], &[1, 3]), &items)?;
    /// # let path = std::env::temp_dir().join(format!("doc-many-{}.b2nd", std::process::id()));
    /// array.save_append(&path)?;
    /// let second = array.save_append(&path)?;
    /// assert_eq!(NdArray::open_offset(&path, second)?.shape(), [4, 3]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::append_file`].
    pub fn save_append(&mut self, path: impl AsRef<Path>) -> Result<u64> {
        Ok(self.schunk.append_file(path.as_ref(), &Storage::default().io)? as u64)
    }
}
