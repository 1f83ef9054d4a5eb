//! The chunk index: where each chunk of a frame is.
//!
//! On disk it is a chunk of one `i64` per chunk. In memory the offsets stand decoded, and beside them the compressed
//! blocks of those pages of the index that are full: appending to a long index compresses one page only. [`offsets`] is
//! the former, [`pages`] makes the latter. [`ascending`] knows of chunks that are stored in their order.

mod ascending;
mod offsets;
mod pages;

use super::checksums::{self, Sums};
use crate::base::buffer::Buffer;
use crate::base::consts::MAX_BUFFERSIZE;
use crate::base::params::DParams;
use crate::base::{CBuf, Result};
use crate::chunk::scratch::{MOST_WHOLE, with_whole};
use crate::chunk::{self, ChunkHeader, ChunkReader, ChunkSource, Special};
use crate::fail;
use ascending::Ascending;
use offsets::{Offsets, stored};
use pages::{ITEM, PAGE, code_at, cparams, le_bytes};

/// Most chunks that an index chunk can tell of.
pub const MAX_CHUNKS: usize = MAX_BUFFERSIZE as usize / ITEM;

/// Most chunks that a byte of an index chunk can tell of. A short stream of equal bytes can stand for a block of any length;
/// those of the C library's indices have 256 KB and are not that short.
const PER_BYTE: usize = 1 << 12;

/// Bytes of an index chunk are no more than this per chunk that it tells of, whatever it tells.
pub const MOST_PER_CHUNK: u64 = 64;

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
    /// See [`Index::is_plain`].
    plain: bool,
    /// Known where the chunks that are stored are so in their order, each at a place of its own.
    ascending: Option<Ascending>,
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
        Index::plain(Offsets::List(Vec::new()))
    }
}

impl Index {
    fn of(offsets: Offsets) -> Index {
        let ascending = Ascending::of(&offsets);
        Index { plain: false, ascending, ..Index::plain(offsets) }
    }

    /// For offsets of which that is known.
    fn plain(offsets: Offsets) -> Index {
        let (streams, undo) = (Vec::new(), Vec::new());
        let ascending = Some(Ascending { last: offsets.len().checked_sub(1) });
        Index { offsets, streams, next_number: None, undo, sums: None, plain: true, ascending }
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

    /// Whether all that it says is that the chunks follow each other in their order, all of them stored. Nothing is between
    /// them, as far as is known: of one that was read, chunks may have been deleted.
    pub fn is_plain(&self) -> bool {
        self.plain
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

    /// How many bytes from `offset` on, up to `len`, no other chunk begins in than chunk `n`, which is or was stored there.
    pub fn clear_run(&self, n: usize, offset: u64, len: u64) -> u64 {
        let (_, next) = self.neighbours(n, offset);
        next.map_or(len, |next| len.min(next - offset))
    }

    /// How many chunks are stored at `offset`, where chunk `n` is or was, and where the next one begins behind it.
    fn neighbours(&self, n: usize, offset: u64) -> (usize, Option<u64>) {
        let Some(ascending) = self.ascending else { return self.offsets.around(offset) };
        let here = self.code(n).and_then(stored) == Some(offset);
        let next = ascending.is_before_last(n).then(|| self.offsets.codes_from(n + 1).find_map(stored));
        (usize::from(here), next.flatten())
    }

    /// Adds a chunk at `n`, and those from there on move up.
    pub fn insert(&mut self, n: usize, place: Place) -> Result<()> {
        if self.len() >= MAX_CHUNKS {
            fail!(ChunkInsert, "{} chunks are all that a frame can index", self.len());
        }
        let before = n.checked_sub(1).and_then(|last| self.code(last));
        self.plain &= n == self.len() && before.unwrap_or(-1) < place.code();
        self.ascending = self.ascending.and_then(|ascending| ascending.insert(&self.offsets, n, place));
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
        self.plain = false;
        self.ascending = self.ascending.and_then(|ascending| ascending.replace(&self.offsets, n, place));
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
        self.ascending = Ascending::of(&self.offsets);
    }

    fn take_number(&mut self, place: Place) {
        if let (Some(next), Place::Stored(number)) = (&mut self.next_number, place) {
            *next = (*next).max(number.saturating_add(1));
        }
    }

    /// Takes chunk `n` out.
    pub fn remove(&mut self, n: usize) {
        self.plain = false;
        self.ascending = self.ascending.map(|ascending| ascending.remove(&self.offsets, n));
        let code = self.edit(n).remove(n);
        let sum = self.sums.as_mut().map_or(0, |sums| sums.remove(n));
        self.undo.push(Undo::Removed(n, code, sum));
    }

    /// Adds `delta` to the offset of every chunk stored after `offset`, of which none comes to be before it.
    pub fn shift_after(&mut self, offset: u64, delta: i64) {
        if delta != 0 {
            self.plain = false;
            self.undo.push(Undo::All(self.offsets.clone(), self.sums.clone()));
            for code in
                self.edit(0).iter_mut().filter(|code| u64::try_from(**code).is_ok_and(|at| at > offset))
            {
                *code += delta;
            }
        }
    }

    /// Puts the chunks that are stored elsewhere: what was at the first of each pair is now at the second. The pairs are
    /// sorted.
    pub fn relocate(&mut self, places: &[(u64, u64)]) {
        self.plain = false;
        self.undo.push(Undo::All(self.offsets.clone(), self.sums.clone()));
        for code in self.edit(0) {
            let place = u64::try_from(*code).ok();
            if let Some(i) = place.and_then(|at| places.binary_search_by_key(&at, |(from, _)| *from).ok()) {
                *code = places[i].1 as i64;
            }
        }
        self.ascending = Ascending::of(&self.offsets);
    }

    /// How many bytes from `offset` on, where chunk `n` is or was stored, no chunk has but the `users` that are there: none when there are
    /// more of those, and without an end when no chunk is stored behind them.
    pub fn room(&self, n: usize, offset: u64, users: usize) -> Option<u64> {
        match self.neighbours(n, offset) {
            (here, _) if here > users => Some(0),
            (_, next) => next.map(|next| next - offset),
        }
    }

    /// Says that there is something between the chunks from now on.
    pub fn loosen(&mut self) {
        self.plain = false;
    }

    /// Makes what was chunk `order[i]` chunk `i`. `order` is a permutation.
    pub fn reorder(&mut self, order: &[usize]) {
        self.plain = false;
        self.undo.push(Undo::All(self.offsets.clone(), self.sums.clone()));
        let list = self.edit(0);
        *list = order.iter().map(|&n| list[n]).collect();
        self.ascending = Ascending::of(&self.offsets);
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
            let plain = (code, len) == (0, 1);
            return Ok(Index { plain, ..Index::of(Offsets::Uniform { code, len }) });
        }
        if header.special().is_some() || len > bytes.len().saturating_mul(PER_BYTE) {
            fail!(InvalidHeader, "{} bytes are no index of {len} chunks", bytes.len());
        }
        let list = with_whole(|buffer| decode_list(bytes, header.nbytes(), buffer))?;
        let plain = ascend_from_zero(&list);
        let offsets = Offsets::List(list);
        Ok(if plain { Index::plain(offsets) } else { Index::of(offsets) })
    }

    /// The largest code there is: of chunks that follow each other, the last one's.
    fn largest(&self) -> Option<i64> {
        if self.plain { self.code(self.len().wrapping_sub(1)) } else { self.offsets.largest() }
    }

    /// Checks that every chunk can be where the index says, in a frame whose chunks have `cbytes` bytes together.
    pub fn check_offsets(&self, cbytes: u64, smallest_chunk: u64) -> Result<()> {
        let last = cbytes.checked_sub(smallest_chunk);
        let wrong = |code| u64::try_from(code).is_ok_and(|offset| last.is_none_or(|last| offset > last));
        // All in a sound frame. Codes of special chunks are negative.
        if !self.largest().is_some_and(wrong) {
            return Ok(());
        }
        match self.offsets.position(wrong) {
            Some(n) => fail!(InvalidHeader, "the index has chunk {n} outside the frame"),
            None => Ok(()),
        }
    }
}

/// Whether the first offset is 0, and each other one larger than the one before. A step that is none leaves a sign, and between
/// numbers without one no step goes wrong; all are asked before an answer, since nearly always all have to be.
fn ascend_from_zero(list: &[i64]) -> bool {
    let Some((&0, rest)) = list.split_first() else { return false };
    let signs = list.iter().zip(rest);
    signs.fold(0, |signs, (one, next)| signs | next | next.wrapping_sub(*one).wrapping_sub(1)) >= 0
}

/// The offsets in an index chunk of `nbytes` bytes of them.
fn decode_list(bytes: &[u8], nbytes: usize, buffer: &mut Buffer) -> Result<Vec<i64>> {
    let mut own;
    let decoded = if nbytes <= MOST_WHOLE {
        buffer.sized(nbytes)
    } else {
        own = CBuf::zeroed(nbytes)?;
        &mut own
    };
    let dparams = DParams::default();
    ChunkReader::new(ChunkSource::Bytes(bytes), &dparams)?.decompress(1, decoded)?;
    let (items, _) = decoded.as_chunks::<ITEM>();
    let mut list = Vec::new();
    if list.try_reserve_exact(items.len()).is_err() {
        fail!(MemoryAlloc, "an index of {} chunks", items.len());
    }
    list.extend(items.iter().map(|item| i64::from_le_bytes(*item)));
    Ok(list)
}

#[cfg(test)]
mod tests;
