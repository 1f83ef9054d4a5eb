//! Reading and writing fixed-width integers in byte slices, with every bound checked.

use super::{Error, ErrorKind, Result};

/// A cursor over untrusted bytes. Every read either fits or is an error; nothing panics.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Reader<'a> {
    /// A cursor at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, pos: 0 }
    }

    /// Where the cursor is, in bytes from the start.
    pub fn position(&self) -> usize {
        self.pos
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.pos
    }

    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.pos..];
        let Some(taken) = rest.get(..n) else {
            return Err(Error::new(
                ErrorKind::ReadBuffer,
                format!("{n} bytes wanted at byte {}, {} left", self.pos, rest.len()),
            ));
        };
        self.pos += n;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        let mut out = [0; N];
        out.copy_from_slice(taken);
        Ok(out)
    }

    /// One byte.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    /// A little-endian `i32`.
    pub fn i32_le(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    /// A little-endian `i64`.
    pub fn i64_le(&mut self) -> Result<i64> {
        Ok(i64::from_le_bytes(self.array()?))
    }

    /// A big-endian `u16`.
    pub fn u16_be(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// A big-endian `u32`.
    pub fn u32_be(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// A big-endian `i32`.
    pub fn i32_be(&mut self) -> Result<i32> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    /// A big-endian `i64`.
    pub fn i64_be(&mut self) -> Result<i64> {
        Ok(i64::from_be_bytes(self.array()?))
    }
}

/// The little-endian `i32` at byte `at`, when it lies inside `bytes`.
pub fn i32_le_at(bytes: &[u8], at: usize) -> Option<i32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(i32::from_le_bytes([field[0], field[1], field[2], field[3]]))
}

/// The little-endian `u64` at byte `at`, when it lies inside `bytes`.
pub fn u64_le_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at.checked_add(8)?)?.try_into().ok().map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_in_order_and_stops_at_the_end() {
        let mut r = Reader::new(&[1, 2, 0, 0, 0, 0, 3]);
        assert_eq!(r.u8().unwrap(), 1);
        assert_eq!(r.i32_le().unwrap(), 2);
        assert_eq!(r.u16_be().unwrap(), 3);
        assert_eq!(r.u8().unwrap_err().kind(), ErrorKind::ReadBuffer);
        assert_eq!(r.position(), 7);
    }

    #[test]
    fn field_reads_never_wrap() {
        assert_eq!(i32_le_at(&[5, 0, 0, 0], 0), Some(5));
        assert_eq!(i32_le_at(&[5, 0, 0, 0], 1), None);
        assert_eq!(i32_le_at(&[5, 0, 0, 0], usize::MAX), None);
    }
}
