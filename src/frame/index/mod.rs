//! The chunk index: where each chunk of a frame is.
//!
//! On disk it is a chunk of one `i64` per chunk. In memory the offsets stand decoded, and beside them the compressed
//! blocks of those pages of the index that are full: appending to a long index compresses one page only. [`offsets`] is
//! the former, [`pages`] makes the latter.

mod offsets;
mod pages;

use super::checksums::{self, Sums};
use crate::base::consts::MAX_BUFFERSIZE;
use crate::base::params::DParams;
use crate::base::{CBuf, Result};
use crate::chunk::{self, ChunkHeader, ChunkReader, ChunkSource, Special};
use crate::fail;
use offsets::Offsets;
use pages::{ITEM, PAGE, code_at, cparams, le_bytes};

/// Most chunks that an index chunk can tell of.
pub const MAX_CHUNKS: usize = MAX_BUFFERSIZE as usize / ITEM;

/// Most chunks that a byte of an index chunk can tell of. A short stream of equal bytes can stand for a block of any length;
/// those of the C library's indices have 256 KB and are not that short.
const PER_BYTE: usize = 1 << 12;

/// Where one chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// So many bytes after the end of the header, or in the file of that number.
    Stored(u64),
    /// Nowhere: what its items are is all there is to it. Never [`Special::Value`].
    Special(Special),
}

impl Place {
    /// The offset's code.
    pub fn code(self) -> i64 {
        match self {
            Place::Stored(offset) => offset as i64,
            Place::Special(special) => i64::MIN | i64::from(special.code()) << 56,
        }
    }

    /// The place that an offset's code means.
    pub fn from_code(code: i64) -> Result<Place> {
        if let Ok(offset) = u64::try_from(code) {
            return Ok(Place::Stored(offset));
        }
        // Bits, looked at in this order by every reader.
        let special = match (code >> 56) as u8 {
            bits if bits & 1 != 0 => Special::Zeros,
            bits if bits & 4 != 0 => Special::Uninit,
            bits if bits & 2 != 0 => Special::Nans,
            bits => fail!(Data, "the index has a chunk of kind {bits:#x}"),
        };
        Ok(Place::Special(special))
    }
}

/// The places of all chunks, in order.
#[derive(Clone, Debug)]
pub struct Index {
    offsets: Offsets,
    /// The streams of the first full pages, as far as they have been compressed.
    streams: Vec<Box<[u8]>>,
    /// The next free file number, once somebody asked.
    next_number: Option<u64>,
    /// How to take back what was changed since [`Index::keep`], last change last.
    undo: Vec<Undo>,
    /// The chunks' checksums, where the frame keeps them.
    sums: Option<Sums>,
}

#[derive(Clone, Debug)]
enum Undo {
    Inserted(usize),
    Replaced(usize, i64),
    /// Its code and its sum.
    Removed(usize, i64, u64),
    Summed(usize, u64),
    /// What was there before a change of many.
    All(Offsets, Option<Sums>),
}

impl Default for Index {
    fn default() -> Self {
        Index::of(Offsets::List(Vec::new()))
    }
}

impl Index {
    fn of(offsets: Offsets) -> Index {
        Index { offsets, streams: Vec::new(), next_number: None, undo: Vec::new(), sums: None }
    }

    /// `len` chunks, all of `special`.
    pub fn uniform(special: Special, len: usize) -> Result<Index> {
        if len > MAX_CHUNKS {
            fail!(FrameSpecial, "{len} chunks are more than a frame can index");
        }
        let code = Place::Special(special).code();
        Ok(Index::of(Offsets::Uniform { code, len }))
    }

    /// The same with these checksums of its chunks, or none.
    #[must_use]
    pub fn with_sums(mut self, sums: Option<Sums>) -> Index {
        self.sums = sums;
        self
    }

    /// The chunks' checksums, where the frame keeps them.
    pub fn sums(&self) -> Option<&Sums> {
        self.sums.as_ref()
    }

    /// What the sum of chunk `n` has to be, where the frame keeps checksums.
    pub fn sum(&self, n: usize) -> Option<u64> {
        self.sums.as_ref().map(|sums| sums.get(n))
    }

    /// Says what the bytes of chunk `n` are, now that it has others; none when it is not stored.
    pub fn note(&mut self, n: usize, bytes: &[u8]) {
        if let Some(sums) = &mut self.sums {
            let sum = if bytes.is_empty() { 0 } else { checksums::of_chunk(bytes) };
            self.undo.push(Undo::Summed(n, sums.set(n, sum)));
        }
    }

    /// How many chunks.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The offset's code of chunk `n`.
    pub fn code(&self, n: usize) -> Option<i64> {
        self.offsets.code(n)
    }

    /// Where chunk `n` is. `InvalidParam` when there is no such chunk.
    pub fn place(&self, n: usize) -> Result<Place> {
        match self.code(n) {
            Some(code) => Place::from_code(code),
            None => fail!(InvalidParam, "chunk {n} of {}", self.len()),
        }
    }

    /// All offsets' codes, in order.
    pub fn codes(&self) -> Box<dyn Iterator<Item = i64> + '_> {
        self.offsets.codes()
    }

    /// The offset of the first chunk stored after `offset`: how far the one there can reach. Looks at the chunk that
    /// follows `n` in order only, which is the one wherever chunks were only appended.
    pub fn likely_end(&self, n: usize, offset: u64) -> Option<u64> {
        let next = u64::try_from(self.code(n + 1)?).ok()?;
        (next > offset).then_some(next)
    }

    /// A file number that is free, and stays the next one until a chunk takes it. Numbers that were in use are not
    /// used again as long as this index lives.
    pub fn next_number(&mut self) -> u64 {
        let next = self.next_number.unwrap_or_else(|| {
            let largest = self.codes().filter_map(|code| u64::try_from(code).ok()).max();
            largest.map_or(0, |largest| largest.saturating_add(1))
        });
        self.next_number = Some(next);
        next
    }

    /// How many bytes from `offset` on, up to `len`, no other chunk begins in.
    pub fn clear_run(&self, offset: u64, len: u64) -> u64 {
        let next = self.codes().filter_map(|code| u64::try_from(code).ok()).filter(|&at| at > offset).min();
        next.map_or(len, |next| len.min(next - offset))
    }

    /// Adds a chunk at `n`, and those from there on move up.
    pub fn insert(&mut self, n: usize, place: Place) -> Result<()> {
        if self.len() >= MAX_CHUNKS {
            fail!(ChunkInsert, "{} chunks are all that a frame can index", self.len());
        }
        self.edit(n).insert(n, place.code());
        if let Some(sums) = &mut self.sums {
            sums.insert(n, 0);
        }
        self.undo.push(Undo::Inserted(n));
        self.take_number(place);
        Ok(())
    }

    /// Puts chunk `n` somewhere else.
    pub fn replace(&mut self, n: usize, place: Place) {
        let old = std::mem::replace(&mut self.edit(n)[n], place.code());
        self.undo.push(Undo::Replaced(n, old));
        self.take_number(place);
    }

    /// Makes what was changed last for good.
    pub fn keep(&mut self) {
        self.undo.clear();
    }

    /// Takes back what was changed since [`Index::keep`].
    pub fn roll_back(&mut self) {
        while let Some(undo) = self.undo.pop() {
            match undo {
                Undo::Inserted(n) => {
                    self.edit(n).remove(n);
                    if let Some(sums) = &mut self.sums {
                        sums.remove(n);
                    }
                }
                Undo::Replaced(n, code) => self.edit(n)[n] = code,
                Undo::Removed(n, code, sum) => {
                    self.edit(n).insert(n, code);
                    if let Some(sums) = &mut self.sums {
                        sums.insert(n, sum);
                    }
                }
                Undo::Summed(n, sum) => {
                    if let Some(sums) = &mut self.sums {
                        sums.set(n, sum);
                    }
                }
                Undo::All(offsets, sums) => {
                    self.offsets = offsets;
                    self.sums = sums;
                    self.streams.clear();
                }
            }
        }
    }

    fn take_number(&mut self, place: Place) {
        if let (Some(next), Place::Stored(number)) = (&mut self.next_number, place) {
            *next = (*next).max(number.saturating_add(1));
        }
    }

    /// Takes chunk `n` out.
    pub fn remove(&mut self, n: usize) {
        let code = self.edit(n).remove(n);
        let sum = self.sums.as_mut().map_or(0, |sums| sums.remove(n));
        self.undo.push(Undo::Removed(n, code, sum));
    }

    /// Adds `delta` to the offset of every chunk stored after `offset`.
    pub fn shift_after(&mut self, offset: u64, delta: i64) {
        if delta != 0 {
            self.undo.push(Undo::All(self.offsets.clone(), self.sums.clone()));
            for code in
                self.edit(0).iter_mut().filter(|code| u64::try_from(**code).is_ok_and(|at| at > offset))
            {
                *code += delta;
            }
        }
    }

    /// Makes what was chunk `order[i]` chunk `i`. `order` is a permutation.
    pub fn reorder(&mut self, order: &[usize]) {
        self.undo.push(Undo::All(self.offsets.clone(), self.sums.clone()));
        let list = self.edit(0);
        *list = order.iter().map(|&n| list[n]).collect();
        if let Some(sums) = &mut self.sums {
            sums.reorder(order);
        }
    }

    /// The offsets as a list, of which those from `n` on change.
    fn edit(&mut self, n: usize) -> &mut Vec<i64> {
        self.streams.truncate(n / PAGE);
        // The list says the same: nothing to take back.
        self.offsets.as_list()
    }

    /// The index chunk; no bytes when there are no chunks.
    pub fn encode(&mut self) -> Result<CBuf> {
        match &self.offsets {
            _ if self.is_empty() => Ok(CBuf::empty()),
            Offsets::Uniform { code, len } => {
                chunk::special_chunk(&cparams(), Special::Value, &code.to_le_bytes(), len * ITEM)
            }
            Offsets::List(list) if list.len() <= PAGE => chunk::compress_to_cbuf(&cparams(), &le_bytes(list)),
            Offsets::List(list) => pages::encode(list, &mut self.streams),
        }
    }

    /// Reads an index chunk of at most `most` chunks: a few bytes can tell of as many as an index can hold.
    pub fn decode(bytes: &[u8], most: u64) -> Result<Index> {
        Self::decode_chunk(bytes, most).map_err(|e| e.at("chunk index"))
    }

    fn decode_chunk(bytes: &[u8], most: u64) -> Result<Index> {
        let header = ChunkHeader::parse(bytes)?;
        if header.nbytes() % ITEM != 0 || header.is_lazy() {
            fail!(InvalidHeader, "an index of {} bytes", header.nbytes());
        }
        let len = header.nbytes() / ITEM;
        if len as u64 > most {
            fail!(InvalidHeader, "an index of {len} chunks, where there can be {most}");
        }
        let uniform = match header.special() {
            Some(Special::Zeros | Special::Uninit) => Some(0),
            Some(Special::Value) if header.value_len() == ITEM => code_at(bytes, header.header_len()),
            _ => None,
        };
        if let Some(code) = uniform {
            return Ok(Index::of(Offsets::Uniform { code, len }));
        }
        if header.special().is_some() || len > bytes.len().saturating_mul(PER_BYTE) {
            fail!(InvalidHeader, "{} bytes are no index of {len} chunks", bytes.len());
        }
        let dparams = DParams::default();
        let reader = ChunkReader::new(ChunkSource::Bytes(bytes), &dparams)?;
        let mut decoded = CBuf::zeroed(header.nbytes())?;
        reader.decompress(1, &mut decoded)?;
        let (items, _) = decoded.as_chunks::<ITEM>();
        let mut list = Vec::new();
        if list.try_reserve_exact(len).is_err() {
            fail!(MemoryAlloc, "an index of {len} chunks");
        }
        list.extend(items.iter().map(|item| i64::from_le_bytes(*item)));
        Ok(Index::of(Offsets::List(list)))
    }

    /// Checks that every chunk can be where the index says, in a frame whose chunks have `cbytes` bytes together.
    pub fn check_offsets(&self, cbytes: u64, smallest_chunk: u64) -> Result<()> {
        let last = cbytes.checked_sub(smallest_chunk);
        let wrong = |code| u64::try_from(code).is_ok_and(|offset| last.is_none_or(|last| offset > last));
        // In one sweep, which is all in a sound frame. Codes of special chunks are negative.
        if !self.offsets.largest().is_some_and(wrong) {
            return Ok(());
        }
        match self.offsets.position(wrong) {
            Some(n) => fail!(InvalidHeader, "the index has chunk {n} outside the frame"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use crate::base::params::{CParams, SplitMode};

    fn list(n: usize) -> Vec<i64> {
        (0..n as i64).map(|i| i * 1000 + i % 7).collect()
    }

    fn index_of(codes: &[i64]) -> Index {
        let mut index = Index::default();
        for (n, &code) in codes.iter().enumerate() {
            index.insert(n, Place::from_code(code).unwrap()).unwrap();
        }
        index
    }

    fn round_trip(index: &mut Index) -> CBuf {
        let bytes = index.encode().unwrap();
        let decoded = Index::decode(&bytes, index.len() as u64).unwrap();
        assert!(decoded.codes().eq(index.codes()), "{} chunks", index.len());
        bytes
    }

    #[test]
    fn places_have_codes() {
        for special in [Special::Zeros, Special::Nans, Special::Uninit] {
            assert_eq!(Place::from_code(Place::Special(special).code()).unwrap(), Place::Special(special));
        }
        assert_eq!(Place::Special(Special::Zeros).code() as u64, 0x8100_0000_0000_0000);
        assert_eq!(Place::from_code(77).unwrap(), Place::Stored(77));
        assert_eq!(Place::from_code(i64::MIN).unwrap_err().kind(), ErrorKind::Data);
    }

    #[test]
    fn every_length_is_read_back() {
        for n in [1, 2, 3, 4, 5, 100, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 3 * PAGE + 17] {
            round_trip(&mut index_of(&list(n)));
        }
    }

    #[test]
    fn pages_that_do_not_compress_or_are_all_alike_are_read_back() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 1) as i64
        };
        let mut codes: Vec<i64> = (0..PAGE).map(|_| random()).collect();
        codes.extend(vec![Place::Special(Special::Nans).code(); PAGE]);
        codes.extend(vec![0; PAGE]);
        codes.extend(vec![Place::Special(Special::Zeros).code(); 5]);
        let bytes = round_trip(&mut index_of(&codes));
        assert!(bytes.len() < PAGE * ITEM + 1000, "{}", bytes.len());
    }

    #[test]
    fn a_long_index_encodes_only_its_last_page_again() {
        let mut index = index_of(&list(3 * PAGE + 5));
        round_trip(&mut index);
        assert_eq!(index.streams.len(), 3);
        let kept: Vec<*const u8> = index.streams.iter().map(|s| s.as_ptr()).collect();
        index.insert(index.len(), Place::Stored(1)).unwrap();
        round_trip(&mut index);
        assert_eq!(kept, index.streams.iter().map(|s| s.as_ptr()).collect::<Vec<_>>());
        index.replace(PAGE, Place::Stored(2));
        assert_eq!(index.streams.len(), 1);
        round_trip(&mut index);
        index.remove(0);
        assert_eq!(index.streams.len(), 0);
        round_trip(&mut index);
    }

    #[test]
    fn a_filled_index_is_small_however_long() {
        let mut index = Index::uniform(Special::Uninit, MAX_CHUNKS).unwrap();
        let bytes = index.encode().unwrap();
        assert_eq!(bytes.len(), 40);
        let decoded = Index::decode(&bytes, index.len() as u64).unwrap();
        assert_eq!(
            (decoded.len(), decoded.place(MAX_CHUNKS - 1).unwrap()),
            (MAX_CHUNKS, Place::Special(Special::Uninit))
        );
        assert!(decoded.place(MAX_CHUNKS).is_err());
        let refused = Index::decode(&bytes, MAX_CHUNKS as u64 - 1).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidHeader);
        let mut small = Index::uniform(Special::Zeros, 3).unwrap();
        small.replace(1, Place::Stored(9));
        round_trip(&mut small);
        assert!(Index::uniform(Special::Zeros, MAX_CHUNKS + 1).is_err());
    }

    #[test]
    fn a_few_bytes_do_not_make_a_long_list() {
        let long = CParams { codec: 5, blocksize: 1 << 23, split: SplitMode::Always, ..cparams() };
        for (len, is_fine) in [(1 << 15, true), (1 << 20, false)] {
            let mut list = vec![5; len];
            list[len - 1] = 6;
            let chunk = chunk::compress_to_cbuf(&long, &le_bytes(&list)).unwrap();
            assert!(chunk.len() < 200, "a block of runs, {} bytes", chunk.len());
            assert_eq!(Index::decode(&chunk, u64::MAX).is_ok(), is_fine);
        }
        for (special, value) in [(Special::Nans, &[][..]), (Special::Value, &[1; 24])] {
            let items = CParams { typesize: value.len().max(8) as i32, ..cparams() };
            let chunk = chunk::special_chunk(&items, special, value, 240).unwrap();
            assert_eq!(Index::decode(&chunk, 30).unwrap_err().kind(), ErrorKind::InvalidHeader);
        }
    }

    #[test]
    fn offsets_outside_the_frame_are_found() {
        let index = index_of(&[0, 84, Place::Special(Special::Zeros).code()]);
        index.check_offsets(100, 16).unwrap();
        assert_eq!(index.check_offsets(99, 16).unwrap_err().kind(), ErrorKind::InvalidHeader);
        assert!(index.check_offsets(10, 16).is_err());
        assert!(Index::uniform(Special::Zeros, 3).unwrap().check_offsets(0, 16).is_ok());
    }

    #[test]
    fn changes_can_be_taken_back() {
        for mut index in [index_of(&list(2 * PAGE + 3)), Index::uniform(Special::Nans, 2 * PAGE + 3).unwrap()]
        {
            index.keep();
            let before: Vec<i64> = index.codes().collect();
            let bytes = index.encode().unwrap().to_vec();
            index.insert(5, Place::Stored(1)).unwrap();
            index.remove(PAGE);
            index.shift_after(700, 7);
            index.replace(0, Place::Special(Special::Zeros));
            index.reorder(&(0..2 * PAGE + 3).rev().collect::<Vec<_>>());
            index.encode().unwrap();
            index.roll_back();
            assert!(index.codes().eq(before.iter().copied()));
            assert_eq!(Index::decode(&bytes, index.len() as u64).unwrap().len(), index.len());
            round_trip(&mut index);
        }
    }

    #[test]
    fn numbers_are_not_used_again() {
        let mut index = index_of(&[0, 1, 2]);
        assert_eq!(index.next_number(), 3);
        index.insert(0, Place::Stored(3)).unwrap();
        index.remove(0);
        assert_eq!(index.next_number(), 4);
    }
}
