//! Items of an array: boxes of them, and some here and there.

use super::NdArray;
use crate::base::Result;
use crate::ndarray::{select, slice};

impl NdArray {
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
}
