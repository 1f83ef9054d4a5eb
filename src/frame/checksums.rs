//! Checksums of a frame, where it asks for them: of each chunk, of the index, and of header and trailer.
//!
//! The chunks' and the index' sums are the content of a variable-length metalayer, [`NAME`]. The fingerprint, which the
//! format reserves at the end of the trailer, covers the header and the trailer, those sums included. The C library
//! knows nothing of either and takes them along.
//!
//! *Whose sums are they?* A bit pattern that the format does not use, [`MARK`], stands in the header of a frame whose
//! fingerprint is to be believed. The C library writes zeros in its place when it writes a header, and no fingerprint
//! when it writes a trailer; every change of its own writes one of the two. So a frame it has changed is told from one
//! that is damaged: the mark has several bits, and the fingerprint too, and damage to a bit leaves the others. Of a
//! frame that it has changed nothing is checked, until our next change makes new sums.

use super::index::Index;
use super::metalayers::Metalayers;
use crate::base::consts::MAX_VLMETALAYERS;
use crate::base::params::{CParams, DParams};
use crate::base::{CBuf, Result, bytes, checksum};
use crate::chunk::{self, ChunkReader, ChunkSource};
use crate::fail;

/// The metalayer that holds the sums. A frame that has one asks for checksums.
pub const NAME: &[u8] = b"b2x_checksums";
/// Where in the header the mark is: a byte of flags of which the C library uses the lowest.
pub const MARK_AT: usize = 85;
/// The flags that are the mark.
pub const MARK: u8 = 0xe0;

/// Bytes of the fingerprint, with its type.
const FINGERPRINT: usize = 17;
/// The type of a fingerprint of 64 bits, which stands in the last eight bytes.
const BITS_64: u8 = 2;
/// What the metalayer's content begins with: what the sums are, and the version of what follows.
const MAGIC: &[u8; 8] = b"XXH3-64\x01";
/// Bytes of a sum.
const SUM: usize = 8;
/// The sum of a chunk that could not be read when sums were made.
pub const UNREADABLE: u64 = u64::MAX;

/// The sum of a chunk's bytes, which is never 0.
pub fn of_chunk(bytes: &[u8]) -> u64 {
    checksum::of(bytes).max(1)
}

/// Checks a chunk's bytes.
pub fn check(bytes: &[u8], sum: u64) -> Result<()> {
    if of_chunk(bytes) != sum {
        fail!(Data, "its bytes are not those that were written: the checksum differs");
    }
    Ok(())
}

/// The chunks' sums, in the chunks' order. A chunk that is not stored has 0, and so have those past the list's end.
///
/// They are kept as they are written, in little-endian bytes: each change writes all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums(Vec<[u8; SUM]>);

impl Sums {
    /// The sum of chunk `n`.
    pub fn get(&self, n: usize) -> u64 {
        self.0.get(n).map_or(0, |sum| u64::from_le_bytes(*sum))
    }

    /// Says another, and gives the one before.
    pub fn set(&mut self, n: usize, sum: u64) -> u64 {
        if n >= self.0.len() {
            if sum == 0 {
                return 0;
            }
            self.0.resize(n + 1, [0; SUM]);
        }
        u64::from_le_bytes(std::mem::replace(&mut self.0[n], sum.to_le_bytes()))
    }

    /// Makes room for chunk `n`.
    pub fn insert(&mut self, n: usize, sum: u64) {
        if n < self.0.len() {
            self.0.insert(n, sum.to_le_bytes());
        } else {
            self.set(n, sum);
        }
    }

    /// Takes chunk `n`'s sum out.
    pub fn remove(&mut self, n: usize) -> u64 {
        if n < self.0.len() { u64::from_le_bytes(self.0.remove(n)) } else { 0 }
    }

    /// Makes what was the sum of chunk `order[i]` that of chunk `i`.
    pub fn reorder(&mut self, order: &[usize]) {
        *self = order.iter().map(|&n| self.get(n)).collect();
    }
}

impl FromIterator<u64> for Sums {
    fn from_iter<I: IntoIterator<Item = u64>>(sums: I) -> Self {
        Sums(sums.into_iter().map(u64::to_le_bytes).collect())
    }
}

/// What the metalayer says.
#[derive(Debug)]
pub struct Table {
    index: u64,
    /// The chunks' sums.
    pub sums: Sums,
}

impl Table {
    /// Reads it among a frame's metalayers.
    pub fn find(vlmeta: &Metalayers) -> Result<Table> {
        let content = vlmeta.position(NAME).and_then(|at| vlmeta.get(at)).map(|meta| meta.content());
        let Some(packed) = content else {
            fail!(Data, "a frame with checksums has no metalayer of them");
        };
        let dparams = DParams::default();
        let reader = ChunkReader::new(ChunkSource::Bytes(packed), &dparams)?;
        let mut content = CBuf::zeroed(reader.header().nbytes())?;
        reader.decompress(1, &mut content)?;
        let (Some(MAGIC), Some(index)) = (content.first_chunk(), bytes::u64_le_at(&content, MAGIC.len()))
        else {
            fail!(Data, "checksums of a kind that is not known");
        };
        let (sums, _) = content[MAGIC.len() + SUM..].as_chunks();
        Ok(Table { index, sums: Sums(sums.to_vec()) })
    }

    /// Checks the index' bytes.
    pub fn check_index(&self, bytes: &[u8]) -> Result<()> {
        if checksum::of(bytes) != self.index {
            fail!(Data, "the chunk index is not what was written: the checksum differs");
        }
        Ok(())
    }
}

/// Brings the metalayer up to date with `index`, whose bytes are `encoded`.
pub fn renew(vlmeta: &mut Metalayers, index: &Index, encoded: &[u8]) -> Result<()> {
    let Some(sums) = index.sums() else {
        fail!(Failure, "the index of a frame with checksums has none");
    };
    let mut content = Vec::with_capacity(MAGIC.len() + SUM + SUM * sums.0.len());
    content.extend(MAGIC);
    content.extend(checksum::of(encoded).to_le_bytes());
    content.extend(sums.0.as_flattened());
    // Sums do not get smaller.
    let cparams = CParams { clevel: 0, typesize: SUM as i32, ..CParams::default() };
    let packed = std::sync::Arc::from(&*chunk::compress_to_cbuf(&cparams, &content)?);
    match vlmeta.find(NAME) {
        Ok(at) => vlmeta.replace(at, packed),
        Err(_) => drop(vlmeta.add(NAME, packed, MAX_VLMETALAYERS)?),
    }
    Ok(())
}

/// Writes the fingerprint of `header` and of `trailer` at the trailer's end.
pub fn seal(header: &[u8], trailer: &mut [u8]) {
    if let Some((covered, end)) = trailer.split_last_chunk_mut::<FINGERPRINT>() {
        *end = fingerprint(header, covered);
    }
}

/// Whether the fingerprint of `header` and `trailer` was written for them. False for a frame without one, or one that
/// others have changed.
///
/// # Errors
/// [`ErrorKind::Data`](crate::base::ErrorKind::Data) when they are damaged.
pub fn look(header: &[u8], trailer: &[u8]) -> Result<bool> {
    let (Some(flags), Some((covered, end))) = (header.get(MARK_AT), trailer.split_last_chunk()) else {
        return Ok(false);
    };
    match flags & MARK {
        _ if *end == [0; FINGERPRINT] => Ok(false),
        0 => Ok(false),
        MARK if *end == fingerprint(header, covered) => Ok(true),
        _ => fail!(Data, "the frame's header or trailer is not what was written: the fingerprint differs"),
    }
}

fn fingerprint(header: &[u8], covered: &[u8]) -> [u8; FINGERPRINT] {
    let mut sum = checksum::Running::new(0);
    sum.add(header);
    sum.add(covered);
    let mut out = [0; FINGERPRINT];
    out[0] = BITS_64;
    out[FINGERPRINT - SUM..].copy_from_slice(&sum.value().to_be_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_follow_the_chunks() {
        let mut sums = Sums::default();
        sums.insert(3, 7);
        sums.insert(1, 5);
        assert_eq!((0..6).map(|n| sums.get(n)).collect::<Vec<_>>(), [0, 5, 0, 0, 7, 0]);
        assert_eq!((sums.remove(9), sums.remove(1), sums.set(3, 8)), (0, 5, 7));
        sums.reorder(&[3, 0, 1, 2, 4]);
        assert_eq!(sums, [8, 0, 0, 0, 0].into_iter().collect());
    }

    #[test]
    fn who_wrote_a_frame_last_is_told_from_damage() {
        let mut header = vec![7; 97];
        header[MARK_AT] = MARK | 1;
        let mut trailer = vec![9; 40];
        seal(&header, &mut trailer);
        assert!(look(&header, &trailer).unwrap());
        let bare = [&[9; 23][..], &[0; FINGERPRINT]].concat();
        assert!(!look(&header, &bare).unwrap());
        header[MARK_AT] = 1;
        assert!(!look(&header, &trailer).unwrap());
        assert!(!look(&header, &bare).unwrap());
        // One bit of the mark, as damage or another use of the flags.
        header[MARK_AT] = MARK & 0x7f | 1;
        assert!(look(&header, &trailer).is_err());
        assert!(!look(&header, &bare).unwrap());
    }
}
