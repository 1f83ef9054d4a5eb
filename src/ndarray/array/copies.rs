//! Copies of an array, in memory and in files.

use super::NdArray;
use crate::base::Result;
use crate::ndarray::{Blueprint, transfer};
use crate::schunk::Storage;
use std::path::Path;

impl NdArray {
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
    /// As [`SuperChunk::append_file`](crate::SuperChunk::append_file).
    pub fn save_append(&mut self, path: impl AsRef<Path>) -> Result<u64> {
        Ok(self.schunk.append_file(path.as_ref(), &Storage::default().io)? as u64)
    }
}
