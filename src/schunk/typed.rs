//! Super-chunks of numbers.

use super::SuperChunk;
use crate::base::{Item, Result, item};

impl SuperChunk {
    /// Compresses numbers and adds them as the last chunk. Gives the number of chunks.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// assert_eq!(schunk.append(&[1i32, 2, 3])?, 1);
    /// assert_eq!(schunk.append(&[4i32, 5, 6])?, 2);
    /// assert_eq!(schunk.get::<i32>(2, 5)?, [3, 4, 5]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` when the super-chunk's items have another size than `T`; otherwise as
    /// [`SuperChunk::append_buffer`].
    pub fn append<T: Item>(&mut self, items: &[T]) -> Result<i64> {
        self.check_item::<T>()?;
        self.append_buffer(&item::to_bytes(items))
    }

    /// Items `start..stop` as numbers. See [`SuperChunk::append`] and [`SuperChunk::set`].
    ///
    /// # Errors
    /// `InvalidParam` when the super-chunk's items have another size than `T`; otherwise as [`SuperChunk::get_slice`].
    pub fn get<T: Item>(&self, start: i64, stop: i64) -> Result<Vec<T>> {
        self.check_item::<T>()?;
        let nbytes = self.slice_nbytes(start, stop)?;
        let mut bytes = vec![0; item::nbytes::<T>(usize::try_from(nbytes).unwrap_or(0) / T::SIZE)?];
        self.get_slice(start, stop, &mut bytes)?;
        Ok(item::from_bytes(&bytes))
    }

    /// Puts `items` in place of those from item `start` on. There must be as many already.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(8), ..Storage::default() })?;
    /// schunk.append(&[0.0; 100])?;
    /// schunk.append(&[0.0; 100])?;
    /// schunk.set(99, &[1.5, 2.5])?;
    /// assert_eq!(schunk.get::<f64>(98, 102)?, [0.0, 1.5, 2.5, 0.0]);
    /// assert!(schunk.set(199, &[1.5, 2.5]).is_err());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` when the super-chunk's items have another size than `T`; otherwise as [`SuperChunk::set_slice`].
    pub fn set<T: Item>(&mut self, start: i64, items: &[T]) -> Result<()> {
        self.check_item::<T>()?;
        let stop = start.saturating_add(items.len() as i64);
        self.set_slice(start, stop, &item::to_bytes(items))
    }

    /// The items of these numbers, in that order. See [`SuperChunk::get_sparse`].
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(2), ..Storage::default() })?;
    /// schunk.append(&[0u16, 10, 20, 30])?;
    /// assert_eq!(schunk.pick::<u16>(&[3, 0, 3])?, [30, 0, 30]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` when the super-chunk's items have another size than `T`; otherwise as
    /// [`SuperChunk::get_sparse`].
    pub fn pick<T: Item>(&self, items: &[i64]) -> Result<Vec<T>> {
        self.check_item::<T>()?;
        let mut bytes = vec![0; item::nbytes::<T>(items.len())?];
        self.get_sparse(items, &mut bytes)?;
        Ok(item::from_bytes(&bytes))
    }

    fn check_item<T: Item>(&self) -> Result<()> {
        item::check::<T>(usize::try_from(self.typesize()).unwrap_or(0))
    }
}
