//! Arrays that grow and shrink.

use super::NdArray;
use crate::base::Result;
use crate::ndarray::{resize, transfer};

impl NdArray {
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
}
