//! Items as numbers in place of bytes.

use super::error::Result;
use crate::fail;

/// How many whole items of `typesize` bytes, one at least, are in `len`.
#[inline(always)]
pub fn whole_items(len: usize, typesize: usize) -> usize {
    // Most types spare a division.
    if typesize.is_power_of_two() { len >> typesize.trailing_zeros() } else { len / typesize }
}

/// A number that chunks, super-chunks and arrays can hold.
///
/// ```
/// use blosc2::Item;
///
/// let mut bytes = [0; 8];
/// 2.5f64.write(&mut bytes);
/// assert_eq!((f64::SIZE, f64::read(&bytes)), (8, 2.5));
/// ```
pub trait Item: Copy {
    /// Bytes of one.
    const SIZE: usize;

    /// The number in `bytes`, which are [`Item::SIZE`].
    fn read(bytes: &[u8]) -> Self;

    /// Puts the number into `bytes`, which are [`Item::SIZE`].
    fn write(self, bytes: &mut [u8]);
}

macro_rules! items {
    ($($number:ty),*) => {$(
        impl Item for $number {
            const SIZE: usize = size_of::<$number>();

            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$number>()];
                own.copy_from_slice(bytes);
                <$number>::from_ne_bytes(own)
            }

            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
        }
    )*};
}

items!(u8, i8, u16, i16, u32, i32, u64, i64, u128, i128, f32, f64);

/// The bytes of items.
pub(crate) fn to_bytes<T: Item>(items: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; items.len() * T::SIZE];
    bytes.chunks_exact_mut(T::SIZE).zip(items).for_each(|(to, item)| item.write(to));
    bytes
}

/// The items in bytes, which are a whole number of them.
pub(crate) fn from_bytes<T: Item>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::SIZE).map(T::read).collect()
}

/// Checks that items of `typesize` bytes can be numbers of this type.
///
/// # Errors
/// `InvalidParam` when they have another size.
pub(crate) fn check<T: Item>(typesize: usize) -> Result<()> {
    if typesize != T::SIZE {
        fail!(InvalidParam, "items of {typesize} bytes as numbers of {}", T::SIZE);
    }
    Ok(())
}

/// The bytes that `nitems` items are, when memory can hold them.
///
/// # Errors
/// `InvalidParam` when it cannot.
pub(crate) fn nbytes<T: Item>(nitems: usize) -> Result<usize> {
    match nitems.checked_mul(T::SIZE) {
        Some(nbytes) if isize::try_from(nbytes).is_ok() => Ok(nbytes),
        _ => fail!(InvalidParam, "{nitems} items are more than memory holds"),
    }
}
