//! Changing chunks.

use super::access::{checked, made};
use super::place::{Gone, put, replace};
use super::rules::{self, NewChunk, Position, admit, counted_out};
use super::state::{State, What};
use super::{Chunks, SuperChunk};
use crate::base::params::CParams;
use crate::base::{CBuf, Error, ErrorKind, Result};
use crate::chunk::{self, ChunkHeader, Special};
use crate::fail;
use crate::frame::{Data, FrameKind, Index, Place};

impl SuperChunk {
    /// Compresses `data` and adds it as the last chunk. Gives the number of chunks.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// assert_eq!(schunk.append_buffer(&[1; 80])?, 1);
    /// assert_eq!(schunk.append_buffer(&[2; 80])?, 2);
    /// // The last chunk may be shorter.
    /// assert_eq!(schunk.append_buffer(&[3; 40])?, 3);
    /// assert_eq!((schunk.chunksize(), schunk.nbytes()), (80, 200));
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`chunk::compress_to_cbuf`] and [`SuperChunk::append_chunk`].
    pub fn append_buffer(&mut self, data: &[u8]) -> Result<i64> {
        let params = CParams { nchunk: self.nchunks(), ..self.cparams.clone() };
        self.append_compressed(chunk::compress_uncut(&params, data)?.0)
    }

    /// [`append_chunk`](Self::append_chunk) for one, at the front of `chunk`, that was compressed with the parameters of this super-chunk.
    pub(crate) fn append_compressed(&mut self, chunk: CBuf) -> Result<i64> {
        self.compressed = true;
        self.append_chunk(chunk)
    }

    /// Adds `chunk` as the last one. Gives the number of chunks.
    ///
    /// ```
    /// use blosc2::{Context, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_chunk(Context::default().compress(&[7; 800])?)?;
    /// assert_eq!(schunk.nbytes(), 800);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::ChunkAppend`] when the super-chunk does not take such a chunk; what is wrong with the chunk's
    /// header; what storage reports. Nothing has changed then.
    pub fn append_chunk(&mut self, chunk: CBuf) -> Result<i64> {
        self.take(chunk, Position::End)
    }

    /// Adds `chunk` before chunk `n`, or as the last when `n` is their number. Gives the number of chunks.
    ///
    /// ```
    /// use blosc2::{CParams, Context, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32, 1])?;
    /// schunk.append(&[2i32, 2])?;
    /// let context = Context::new(schunk.cparams().clone(), schunk.dparams().clone());
    /// schunk.insert_chunk(1, context.compress_items(&[9i32, 9])?)?;
    /// assert_eq!(schunk.get::<i32>(0, 6)?, [1, 1, 9, 9, 2, 2]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`] when there is no place `n`; [`ErrorKind::ChunkInsert`] when the super-chunk does not
    /// take such a chunk; otherwise as [`SuperChunk::append_chunk`].
    pub fn insert_chunk(&mut self, n: i64, chunk: CBuf) -> Result<i64> {
        self.take(chunk, Position::Before(n))
    }

    /// Puts `chunk` in place of chunk `n`. Gives the number of chunks.
    ///
    /// ```
    /// use blosc2::{CParams, Context, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32, 1])?;
    /// schunk.append(&[2i32, 2])?;
    /// let context = Context::new(schunk.cparams().clone(), schunk.dparams().clone());
    /// schunk.update_chunk(1, context.compress_items(&[9i32, 9])?)?;
    /// assert_eq!(schunk.get::<i32>(0, 4)?, [1, 1, 9, 9]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`] when there is no chunk `n`; [`ErrorKind::ChunkUpdate`] when the super-chunk does not
    /// take such a chunk; otherwise as [`SuperChunk::append_chunk`].
    pub fn update_chunk(&mut self, n: i64, chunk: CBuf) -> Result<i64> {
        self.take(chunk, Position::At(n))
    }

    fn take(&mut self, chunk: CBuf, position: Position) -> Result<i64> {
        self.take_from(&mut Some(chunk), position)
    }

    /// Adds the chunk that is offered, at `position`. It is taken where chunks are kept each for itself, and otherwise left
    /// there, as it is on an error. Gives the number of chunks.
    ///
    /// ```
    /// use blosc2::schunk::rules::Position;
    /// use blosc2::{Context, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// let mut chunk = Some(Context::default().compress(&[7; 800])?);
    /// schunk.take_from(&mut chunk, Position::End)?;
    /// assert!(chunk.is_none());
    /// // Chunks in a frame share a buffer: this one is copied there.
    /// let mut frame = SuperChunk::new(Storage { contiguous: true, ..Storage::default() })?;
    /// let mut chunk = Some(Context::default().compress(&[7; 800])?);
    /// frame.take_from(&mut chunk, Position::End)?;
    /// assert!(chunk.is_some());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::append_chunk`], [`SuperChunk::insert_chunk`] or [`SuperChunk::update_chunk`].
    pub fn take_from(&mut self, offered: &mut Option<CBuf>, position: Position) -> Result<i64> {
        let Some(chunk) = offered.as_deref() else {
            fail!(InvalidParam, "no chunk is offered");
        };
        let chunk = NewChunk::new(chunk)?;
        let cbytes = chunk.bytes().len();
        let nchunks = self.exclusively(|schunk| schunk.take_checked(&chunk, position))?;
        if let Chunks::List(list) = &mut self.chunks
            && let Some(mut bytes) = offered.take()
        {
            bytes.truncate(cbytes);
            bytes.give_back_rest();
            match position {
                Position::End => list.push(bytes),
                Position::Before(n) => list.insert(n as usize, bytes),
                Position::At(n) => list.replace(n as usize, bytes),
            }
        }
        Ok(nchunks)
    }

    fn take_checked(&mut self, chunk: &NewChunk<'_>, position: Position) -> Result<i64> {
        self.load_index()?;
        let contents = &self.state_mut().contents;
        match position {
            Position::Before(n) => there(n, contents.nchunks + 1).map(drop)?,
            Position::At(n) => there(n, contents.nchunks).map(drop)?,
            Position::End => {}
        }
        let chunksize = admit(contents, chunk, position)?;
        if chunksize == 0 && contents.header.chunksize > 0 {
            self.store_specials()?;
        }
        let gone = match position {
            Position::At(n) => Some(self.about(n)?),
            _ => None,
        };
        let keep = gone.is_some() && self.keeps_places();
        if let Chunks::List(list) = &mut self.chunks {
            list.reserve_one()?;
        }
        let count = |state: &mut State| {
            let contents = &mut state.contents;
            contents.header.chunksize = chunksize;
            if contents.nchunks == 0 || (contents.nchunks == 1 && gone.is_some()) {
                contents.header.vl_blocks = chunk.is_vl();
            }
            contents.header.nbytes += chunk.nbytes() - gone.map_or(0, |gone| gone.nbytes);
            contents.nchunks += i64::from(gone.is_none());
            let data = match &mut state.index {
                None => {
                    contents.header.cbytes +=
                        rules::size(chunk) - gone.map_or(0, |gone| counted_out(gone.cbytes));
                    Data::Same
                }
                Some(index) => match position {
                    Position::End => put(contents, index, chunk, contents.nchunks as usize - 1)?,
                    Position::Before(n) => put(contents, index, chunk, n as usize)?,
                    Position::At(n) => {
                        let gone = gone.map_or(0, |gone| gone.cbytes);
                        replace(contents, index, chunk, n as usize, gone, keep)
                    }
                },
            };
            Ok((data, What::All))
        };
        self.count(count)?;
        if keep {
            self.close_holes();
        }
        Ok(self.state_mut().contents.nchunks)
    }

    /// [`SuperChunk::change`]. Of a list only numbers change, and nothing of that can fail: there is nothing to keep for taking it
    /// back.
    fn count<'a>(&mut self, count: impl FnOnce(&mut State) -> Result<(Data<'a>, What)>) -> Result<()> {
        match self.chunks {
            Chunks::List(_) => count(self.state_mut()).map(drop),
            _ => self.change(count),
        }
    }

    /// Takes chunk `n` out. Gives the number of chunks left.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32, 1])?;
    /// schunk.append(&[2i32, 2])?;
    /// assert_eq!(schunk.delete_chunk(0)?, 1);
    /// assert_eq!(schunk.get::<i32>(0, 2)?, [2, 2]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`] when there is no chunk `n`; what storage reports, and nothing has changed then.
    pub fn delete_chunk(&mut self, n: i64) -> Result<i64> {
        self.exclusively(|schunk| schunk.delete(n))
    }

    fn delete(&mut self, n: i64) -> Result<i64> {
        self.load_index()?;
        let at = there(n, self.nchunks())?;
        let gone = self.about(n)?;
        self.count(|state| {
            let contents = &mut state.contents;
            contents.header.nbytes -= gone.nbytes;
            contents.nchunks -= 1;
            let mut data = Data::Same;
            if contents.header.kind == FrameKind::Sparse || state.index.is_none() {
                contents.header.cbytes -= counted_out(gone.cbytes);
            }
            if let Some(index) = &mut state.index {
                if let Place::Stored(number) = index.place(at)? {
                    if contents.header.kind == FrameKind::Sparse {
                        data = Data::Drop { number };
                    }
                    contents.live = contents.live.map(|live| live - gone.cbytes as i64);
                }
                index.remove(at);
            }
            if contents.nchunks == 0 {
                contents.header.vl_blocks = false;
                if contents.header.kind == FrameKind::Contiguous && state.index.is_some() {
                    // Where the chunks were is nothing any more.
                    contents.header.cbytes = 0;
                    contents.live = Some(0);
                }
            }
            Ok((data, What::All))
        })?;
        if let Chunks::List(list) = &mut self.chunks {
            list.remove(at);
        }
        Ok(self.nchunks())
    }

    /// Makes what was chunk `order[i]` chunk `i`.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// for n in 0..3i32 {
    ///     schunk.append(&[n, n])?;
    /// }
    /// schunk.reorder(&[2, 0, 1])?;
    /// assert_eq!(schunk.get::<i32>(0, 6)?, [2, 2, 0, 0, 1, 1]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Data`] when `order` does not name every chunk once; what storage reports.
    pub fn reorder(&mut self, order: &[i64]) -> Result<()> {
        self.exclusively(|schunk| schunk.put_in_order(order))
    }

    fn put_in_order(&mut self, order: &[i64]) -> Result<()> {
        self.load_index()?;
        let order = permutation(order, self.nchunks())?;
        let last = order.last().copied();
        let short =
            self.state().contents.chunk_nbytes(self.nchunks() - 1).is_some_and(|n| n < self.chunksize());
        let varies = short && last != Some(order.len() - 1);
        if varies {
            self.store_specials()?;
        }
        self.change(|state| {
            if varies {
                state.contents.header.chunksize = 0;
            }
            if let Some(index) = &mut state.index {
                index.reorder(&order);
            }
            Ok((Data::Same, What::All))
        })?;
        if let Chunks::List(list) = &mut self.chunks {
            list.reorder(&order);
        }
        Ok(())
    }

    /// Fills an empty super-chunk with `nitems` items that are all `special`, in chunks of `chunksize` bytes. A frame
    /// stores none of them. Gives the number of chunks.
    ///
    /// ```
    /// use blosc2::chunk::Special;
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// // A million zeros, in chunks of 100000 bytes.
    /// assert_eq!(schunk.fill_special(1_000_000, Special::Zeros, 100_000)?, 40);
    /// assert_eq!(schunk.pick::<f32>(&[999_999])?, [0.0]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`] for sizes that make no chunk; [`ErrorKind::FrameSpecial`] when there are chunks
    /// already; [`ErrorKind::SchunkSpecial`] and, in a frame, [`ErrorKind::FrameSpecial`] when there would be too many,
    /// and for [`Special::Value`].
    pub fn fill_special(&mut self, nitems: i64, special: Special, chunksize: i32) -> Result<i64> {
        if nitems == 0 {
            return Ok(0);
        }
        self.exclusively(|schunk| schunk.fill(nitems, special, chunksize))
    }

    fn fill(&mut self, nitems: i64, special: Special, chunksize: i32) -> Result<i64> {
        let typesize = self.typesize();
        if nitems < 0 || chunksize <= 0 || typesize <= 0 || chunksize < typesize {
            fail!(InvalidParam, "{nitems} items of {typesize} bytes in chunks of {chunksize}");
        }
        if self.nbytes() > 0 || self.cbytes() > 0 || self.nchunks() > 0 {
            fail!(FrameSpecial, "only an empty super-chunk can be filled");
        }
        let per_chunk = i64::from(chunksize / typesize);
        let (nchunks, nbytes) = ((nitems - 1) / per_chunk + 1, nitems.checked_mul(i64::from(typesize)));
        let Some(nbytes) = nbytes.filter(|_| nchunks <= i64::from(i32::MAX)) else {
            fail!(SchunkSpecial, "{nitems} items are too many for chunks of {chunksize} bytes");
        };
        let in_list = matches!(self.chunks, Chunks::List(_));
        let kind = if in_list { ErrorKind::SchunkSpecial } else { ErrorKind::FrameSpecial };
        if special == Special::Value {
            return Err(Error::new(kind, "a fill is of zeros, NaN, or memory never written"));
        }
        let full = chunk::special_chunk(&self.cparams, special, &[], chunksize as usize)
            .map_err(|e| e.as_kind(kind))?;
        if in_list {
            return self.fill_list(nbytes, special, &full);
        }
        let blocksize = ChunkHeader::parse(&full)?.blocksize() as i32;
        self.change(|state| {
            let header = &mut state.contents.header;
            header.chunksize = chunksize;
            header.blocksize = blocksize;
            header.nbytes = nbytes;
            state.contents.nchunks = nchunks;
            let sums = state.index_mut()?.sums().cloned();
            state.index = Some(Index::uniform(special, nchunks as usize)?.with_sums(sums));
            Ok((Data::Same, What::All))
        })?;
        Ok(nchunks)
    }

    fn fill_list(&mut self, nbytes: i64, special: Special, full: &[u8]) -> Result<i64> {
        let size = ChunkHeader::parse(full)?.nbytes() as i64;
        for _ in 0..nbytes / size {
            self.append_chunk(CBuf::copy_of(full)?)?;
        }
        if nbytes % size > 0 {
            self.append_chunk(chunk::special_chunk(&self.cparams, special, &[], (nbytes % size) as usize)?)?;
        }
        Ok(self.nchunks())
    }

    /// The sizes of a chunk that is about to go.
    fn about(&self, n: i64) -> Result<Gone> {
        let header = self.chunk_header(n)?;
        Ok(Gone { nbytes: header.nbytes() as i64, cbytes: header.cbytes() })
    }

    /// Stores the chunks of which the index says all there is so far: when sizes come to vary it no longer can.
    fn store_specials(&mut self) -> Result<()> {
        let state = self.state();
        let Some(index) = &state.index else {
            return Ok(());
        };
        let mut stored: Vec<(usize, CBuf)> = Vec::new();
        for (n, code) in index.codes().enumerate() {
            if let Place::Special(special) = Place::from_code(code)? {
                stored.push((n, made(&state.contents, special, n as i64)?));
            }
        }
        let kind = state.contents.header.kind;
        drop(state);
        if stored.is_empty() {
            return Ok(());
        }
        match kind {
            FrameKind::Contiguous => self.store_in_frame(stored),
            FrameKind::Sparse => self.store_in_files(stored),
        }
    }

    fn store_in_frame(&mut self, stored: Vec<(usize, CBuf)>) -> Result<()> {
        let all: Vec<u8> = stored.iter().flat_map(|(_, chunk)| chunk.iter().copied()).collect();
        self.change(|state| {
            let at = state.contents.header.cbytes as u64;
            let mut offset = at;
            for (n, chunk) in &stored {
                let index = state.index_mut()?;
                index.replace(*n, Place::Stored(offset));
                index.note(*n, chunk);
                offset += chunk.len() as u64;
            }
            state.contents.header.cbytes = offset as i64;
            state.contents.live = state.contents.live.map(|live| live + all.len() as i64);
            Ok((Data::Put { at, bytes: &all }, What::All))
        })
    }

    fn store_in_files(&mut self, stored: Vec<(usize, CBuf)>) -> Result<()> {
        let first = self.state_mut().index_mut()?.next_number();
        let places: Vec<_> =
            (first..).zip(&stored).map(|(number, (n, _))| (*n, Place::Stored(number))).collect();
        let files: Vec<_> = (first..).zip(stored).map(|(number, (_, chunk))| (number, chunk)).collect();
        self.change(|state| {
            for ((n, place), (_, chunk)) in places.into_iter().zip(&files) {
                let index = state.index_mut()?;
                index.replace(n, place);
                index.note(n, chunk);
            }
            state.contents.header.cbytes += files.iter().map(|(_, chunk)| chunk.len() as i64).sum::<i64>();
            Ok((Data::PutAll(&files), What::All))
        })
    }
}

/// [`checked`], told with the chunk's number.
fn there(n: i64, nchunks: i64) -> Result<usize> {
    checked(n, nchunks).map_err(|e| e.at(format_args!("chunk {n}")))
}

/// `order` as places, when it names every one of `n` once.
fn permutation(order: &[i64], n: i64) -> Result<Vec<usize>> {
    let mut seen = vec![false; n as usize];
    if order.len() != seen.len() {
        fail!(Data, "an order of {} for {n} chunks", order.len());
    }
    for &at in order {
        match usize::try_from(at).ok().and_then(|at| seen.get_mut(at)) {
            Some(seen) if !*seen => *seen = true,
            Some(_) => fail!(Data, "chunk {at} is in the order twice"),
            None => fail!(Data, "chunk {at} of {n}"),
        }
    }
    Ok(order.iter().map(|&at| at as usize).collect())
}
