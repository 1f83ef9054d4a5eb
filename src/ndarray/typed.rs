//! Arrays of numbers.

use super::array::NdArray;
use crate::base::{Item, Result, item};

impl NdArray {
    /// The items from `start` up to `stop`, in row-major order.
    ///
    /// ```
    /// use blosc2::{Blueprint, NdArray};
    ///
    /// let mut array = NdArray::zeros(&Blueprint::new(8, &[100, 100], &[50, 50], &[10, 50]))?;
    /// array.set(&[10, 20], &[11, 24], &[1.0, 2.5, 3.0, 4.5])?;
    /// assert_eq!(array.get::<f64>(&[9, 21], &[11, 23])?, [0.0, 0.0, 2.5, 3.0]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` when the array's items have another size than `T`; otherwise as [`NdArray::get_slice`].
    pub fn get<T: Item>(&self, start: &[i64], stop: &[i64]) -> Result<Vec<T>> {
        let (shape, nbytes) = self.typed::<T>(start, stop)?;
        let mut bytes = vec![0; nbytes];
        self.get_slice(start, stop, &mut bytes, &shape)?;
        Ok(item::from_bytes(&bytes))
    }

    /// Puts `items`, in row-major order, in place of those from `start` up to `stop`. See [`NdArray::get`].
    ///
    /// # Errors
    /// `InvalidParam` when the array's items have another size than `T`, or there are not as many as the slice has;
    /// otherwise as [`NdArray::set_slice`].
    pub fn set<T: Item>(&mut self, start: &[i64], stop: &[i64], items: &[T]) -> Result<()> {
        let (shape, nbytes) = self.typed::<T>(start, stop)?;
        if items.len().checked_mul(T::SIZE) != Some(nbytes) {
            crate::fail!(InvalidParam, "{} items for a slice of {shape:?}", items.len());
        }
        self.set_slice(&item::to_bytes(items), &shape, start, stop)
    }

    /// The shape of a slice, and its bytes.
    fn typed<T: Item>(&self, start: &[i64], stop: &[i64]) -> Result<(Vec<i64>, usize)> {
        item::check::<T>(self.layout().itemsize())?;
        let shape: Vec<i64> = start.iter().zip(stop).map(|(a, b)| b.saturating_sub(*a).max(0)).collect();
        let bytes = |n: usize, len: &i64| n.checked_mul(usize::try_from(*len).ok()?);
        match shape.iter().try_fold(T::SIZE, bytes) {
            Some(nbytes) if isize::try_from(nbytes).is_ok() => Ok((shape, nbytes)),
            _ => crate::fail!(InvalidParam, "a slice of {shape:?} is more than memory holds"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use crate::base::params::CParams;
    use crate::ndarray::Blueprint;
    use crate::schunk::Storage;

    fn array(typesize: i32) -> NdArray {
        let cparams = CParams { typesize, ..CParams::default() };
        let storage = Storage { cparams, ..Storage::default() };
        let (shape, chunkshape, blockshape) = (vec![7, 5], vec![3, 5], vec![2, 2]);
        NdArray::zeros(&Blueprint { storage, shape, chunkshape, blockshape, ..Blueprint::default() }).unwrap()
    }

    #[test]
    fn numbers_of_every_size() {
        fn round<T: Item + PartialEq + std::fmt::Debug>(items: [T; 4]) {
            let mut array = array(T::SIZE as i32);
            array.set(&[2, 3], &[4, 5], &items).unwrap();
            assert_eq!(array.get::<T>(&[2, 3], &[4, 5]).unwrap(), items);
            assert_eq!(array.get::<T>(&[3, 3], &[4, 5]).unwrap(), items[2..]);
        }
        round([1u8, 2, 3, 255]);
        round([-1i16, 2, -3, 4]);
        round([-1i32, i32::MAX, 3, i32::MIN]);
        round([1.5f32, -2.0, f32::MAX, 0.0]);
        round([1.5f64, -2.0, f64::MIN, 0.0]);
        round([1u128, u128::MAX, 3, 4]);
    }

    #[test]
    fn numbers_of_another_size_or_number_are_refused() {
        let mut array = array(4);
        let kind = |result: Result<Vec<u8>>| result.unwrap_err().kind();
        assert_eq!(kind(array.get::<u8>(&[0, 0], &[1, 1])), ErrorKind::InvalidParam);
        assert_eq!(array.set(&[0, 0], &[2, 2], &[1u32; 3]).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert!(array.get::<u32>(&[0, 0], &[i64::MAX, i64::MAX]).is_err());
        assert!(array.get::<u32>(&[3, 3], &[3, 5]).unwrap().is_empty());
    }
}
