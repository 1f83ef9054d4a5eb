//! Reading a header, and what it must say to be one.

use super::{ChunkHeader, Special, VERSION_VL_BLOCKS, flag2};
use crate::base::Result;
use crate::base::consts::{EXTENDED_HEADER_LEN, MAX_BLOCKSIZE, MIN_HEADER_LEN};
use crate::fail;

impl ChunkHeader {
    /// Reads and checks the header at the front of `bytes`, which need not hold more of the chunk.
    ///
    /// # Errors
    /// [`ErrorKind::ReadBuffer`](crate::base::ErrorKind::ReadBuffer) when `bytes` ends inside the header;
    /// [`ErrorKind::InvalidHeader`](crate::base::ErrorKind::InvalidHeader) for a field out of range;
    /// [`ErrorKind::VersionSupport`](crate::base::ErrorKind::VersionSupport) for a newer format's features;
    /// [`ErrorKind::Data`](crate::base::ErrorKind::Data) for a special value that does not exist, and for a memcpyed
    /// chunk whose sizes disagree.
    #[inline]
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let mut header = Self::NONE;
        header.read(bytes)?;
        Ok(header)
    }

    /// What is there before [`ChunkHeader::read`].
    pub(in crate::chunk) const NONE: Self = ChunkHeader([0; EXTENDED_HEADER_LEN / 8]);

    /// [`ChunkHeader::parse`] in place. After an error, the header means nothing.
    pub(in crate::chunk) fn read(&mut self, bytes: &[u8]) -> Result<()> {
        self.read_here(bytes)
    }

    /// [`ChunkHeader::read`] for who has so little to do with the header that it should stay in registers.
    #[inline(always)]
    pub(in crate::chunk) fn read_here(&mut self, bytes: &[u8]) -> Result<()> {
        *self = match bytes.first_chunk::<EXTENDED_HEADER_LEN>() {
            Some(front) => Self::of_bytes(front),
            None => Self::short(bytes)?,
        };
        self.check_ranges()?;
        if self.is_extended() {
            if self.cbytes() < EXTENDED_HEADER_LEN {
                fail!(
                    InvalidHeader,
                    "chunk header: cbytes {} is less than an extended header",
                    self.cbytes()
                );
            }
            if bytes.len() < EXTENDED_HEADER_LEN {
                fail!(ReadBuffer, "an extended chunk header in {} bytes", bytes.len());
            }
        }
        // What is no header any more. By a mask, which keeps to registers.
        let kept = u64::from(self.is_extended()).wrapping_neg();
        self.0[2] &= kept;
        self.0[3] &= kept;
        self.check_version()?;
        if !self.is_vl() {
            self.cut_blocksize();
        }
        self.check_agreement()
    }

    /// Reads and checks what the first sixteen bytes of a chunk say, for those who have no more of it: sizes, typesize,
    /// versions and flags. Whatever the rest of an extended header says (filters, a special value) is not known.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidHeader`](crate::base::ErrorKind::InvalidHeader) for a field out of range.
    pub fn peek(bytes: &[u8; MIN_HEADER_LEN]) -> Result<Self> {
        let mut header = Self::short(bytes)?;
        header.check_ranges()?;
        header.cut_blocksize();
        Ok(header)
    }

    /// The first sixteen of fewer than 32 bytes.
    fn short(bytes: &[u8]) -> Result<Self> {
        let Some(front) = bytes.get(..MIN_HEADER_LEN) else {
            fail!(ReadBuffer, "a chunk header in {} bytes", bytes.len());
        };
        let mut header = [0; EXTENDED_HEADER_LEN];
        header[..MIN_HEADER_LEN].copy_from_slice(front);
        Ok(Self::of_bytes(&header))
    }

    #[inline]
    fn of_bytes(bytes: &[u8; EXTENDED_HEADER_LEN]) -> Self {
        let (words, _) = bytes.as_chunks();
        ChunkHeader(std::array::from_fn(|n| u64::from_le_bytes(words[n])))
    }

    /// Checks the fields that every version has, each by itself.
    #[inline(always)]
    fn check_ranges(&self) -> Result<()> {
        let [nbytes, blocksize, cbytes] = [4, 8, 12].map(|at| self.field(at));
        if cbytes < MIN_HEADER_LEN as i32 {
            fail!(InvalidHeader, "chunk header: cbytes {cbytes} is less than a header");
        }
        if !(1..=MAX_BLOCKSIZE).contains(&blocksize) {
            fail!(InvalidHeader, "chunk header: block size {blocksize} is not in 1..={MAX_BLOCKSIZE}");
        }
        if self.typesize() == 0 {
            fail!(InvalidHeader, "chunk header: typesize is 0");
        }
        if nbytes < 0 {
            fail!(InvalidHeader, "chunk header: nbytes {nbytes} is negative");
        }
        Ok(())
    }

    /// A block is not larger than the chunk.
    #[inline(always)]
    fn cut_blocksize(&mut self) {
        if self.nbytes() > 0 && self.blocksize() > self.nbytes() {
            let kept = self.0[1] >> 32 << 32;
            self.0[1] = kept | self.nbytes() as u64;
        }
    }

    #[inline(always)]
    fn check_version(&self) -> Result<()> {
        if self.version() > VERSION_VL_BLOCKS && self.flags2() & !flag2::VL_BLOCKS != 0 {
            fail!(VersionSupport, "chunk header: version {} with features unknown here", self.version());
        }
        Ok(())
    }

    #[inline(always)]
    fn check_agreement(&self) -> Result<()> {
        let special = self.special_code();
        if self.is_vl() && (special != 0 || self.is_memcpyed()) {
            fail!(InvalidHeader, "chunk header: VL blocks in a special or memcpyed chunk");
        }
        if special != 0 {
            let value = self.cbytes() - self.header_len();
            check_special(special, self.nbytes(), self.typesize(), value)?;
        } else if self.is_memcpyed() && self.cbytes() != self.nbytes() + self.header_len() {
            fail!(
                Data,
                "chunk header: memcpyed, but cbytes {} is not nbytes {} and a header",
                self.cbytes(),
                self.nbytes()
            );
        }
        Ok(())
    }
}

/// Checks a special chunk of `nbytes` bytes in items of `typesize`, with `value` bytes behind the header. (That takes numbers,
/// not the header: one that a reference is taken of is in memory from the beginning.)
fn check_special(code: u8, nbytes: usize, typesize: usize, value: usize) -> Result<()> {
    let Some(special) = Special::from_code(code) else {
        fail!(Data, "chunk header: special value {code} does not exist");
    };
    let item = match special {
        Special::Zeros => 1,
        Special::Nans | Special::Uninit => typesize,
        Special::Value => value,
    };
    if item == 0 || !nbytes.is_multiple_of(item) || (special == Special::Value && item > nbytes) {
        fail!(InvalidHeader, "chunk header: {nbytes} bytes of {item}-byte {special:?}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use crate::{codec, filter};

    /// A header with the given sizes; the rest is that of an LZ4 chunk with a byte shuffle.
    fn bytes(nbytes: i32, blocksize: i32, cbytes: i32) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&[5, 1, 0x25, 4]);
        for (at, size) in [(4, nbytes), (8, blocksize), (12, cbytes)] {
            bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
        }
        bytes[0x15] = 1;
        bytes[0x16] = 1;
        bytes
    }

    fn kind(bytes: &[u8]) -> ErrorKind {
        ChunkHeader::parse(bytes).unwrap_err().kind()
    }

    #[test]
    fn a_header_says_what_it_says() {
        let header = ChunkHeader::parse(&bytes(1000, 400, 77)).unwrap();
        assert_eq!((header.nbytes(), header.blocksize(), header.cbytes()), (1000, 400, 77));
        assert_eq!((header.nblocks(), header.typesize(), header.header_len()), (3, 4, 32));
        assert_eq!([0, 1, 2, 3].map(|n| header.block_range(n)), [0..400, 400..800, 800..1000, 1000..1000]);
        assert_eq!((header.codec().unwrap(), header.filters()[5].id), (codec::LZ4, filter::SHUFFLE));
        assert!(header.is_split() && header.has_starts() && !header.is_memcpyed() && !header.is_vl());
        assert_eq!(header.starts_end(), 32 + 12);
        // No block is larger than the chunk.
        assert_eq!(ChunkHeader::parse(&bytes(1000, 4000, 77)).unwrap().blocksize(), 1000);
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert_eq!(kind(&bytes(1000, 0, 77)), ErrorKind::InvalidHeader);
        assert_eq!(kind(&bytes(1000, -1, 77)), ErrorKind::InvalidHeader);
        assert_eq!(kind(&bytes(1000, MAX_BLOCKSIZE + 1, 77)), ErrorKind::InvalidHeader);
        assert_eq!(kind(&bytes(-1, 400, 77)), ErrorKind::InvalidHeader);
        assert_eq!(kind(&bytes(1000, 400, 15)), ErrorKind::InvalidHeader);
        assert_eq!(kind(&bytes(1000, 400, 31)), ErrorKind::InvalidHeader);
        let mut no_typesize = bytes(1000, 400, 77);
        no_typesize[3] = 0;
        assert_eq!(kind(&no_typesize), ErrorKind::InvalidHeader);
        for len in 0..32 {
            assert_eq!(kind(&bytes(1000, 400, 77)[..len]), ErrorKind::ReadBuffer);
        }
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let with = |changes: &[(usize, u8)]| {
            let mut bytes = bytes(1000, 400, 77);
            for &(at, byte) in changes {
                bytes[at] = byte;
            }
            bytes
        };
        // Memcpyed, but of another length.
        assert_eq!(kind(&with(&[(2, 0x27)])), ErrorKind::Data);
        // VL blocks, special or memcpyed.
        assert_eq!(kind(&with(&[(0x1e, 1), (0x1f, 0x10)])), ErrorKind::InvalidHeader);
        assert_eq!(kind(&with(&[(0x1e, 1), (2, 0x27)])), ErrorKind::InvalidHeader);
        // A special value that does not exist, and values that are not a part of the chunk.
        assert_eq!(kind(&with(&[(0x1f, 0x50)])), ErrorKind::Data);
        assert_eq!(kind(&with(&[(0x1f, 0x30)])), ErrorKind::InvalidHeader);
        assert_eq!(kind(&with(&[(0x1f, 0x30), (12, 32)])), ErrorKind::InvalidHeader);
        assert_eq!(kind(&with(&[(0x1f, 0x20), (3, 3)])), ErrorKind::InvalidHeader);
        // A newer version is read as long as it uses nothing new.
        assert!(ChunkHeader::parse(&with(&[(0, 7)])).is_ok());
        assert_eq!(kind(&with(&[(0, 7), (0x1e, 2)])), ErrorKind::VersionSupport);
    }

    #[test]
    fn a_short_header_has_its_filters_in_the_flags() {
        let mut bytes = bytes(1000, 400, 77);
        bytes[..3].copy_from_slice(&[2, 1, 0x8c]);
        // What follows sixteen bytes is not the header's.
        bytes[16..].fill(0xff);
        for len in [16, 20, 32] {
            let header = ChunkHeader::parse(&bytes[..len]).unwrap();
            assert_eq!((header.header_len(), header.codec().unwrap()), (16, codec::ZSTD));
            let ids = header.filters().map(|slot| slot.id);
            assert_eq!(ids, [0, 0, 0, 0, filter::DELTA, filter::BITSHUFFLE]);
            assert!(header.special().is_none() && !header.is_vl() && !header.is_lazy());
        }
    }
}
