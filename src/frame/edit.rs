//! What a change does to a frame's bytes.
//!
//! Every change, from an append to a metalayer, first updates the decoded contents and index, then says here what has
//! to be written where. Nothing else decides that; [`commit`](super::commit) carries it out.

use super::checksums;
use super::contents::Contents;
use super::header::FrameKind;
use super::index::Index;
use super::trailer::Trailer;
use crate::base::{CBuf, Result};
use std::borrow::Cow;
use std::ops::Range;

/// What happens to the chunks' own bytes.
#[derive(Clone, Copy, Debug)]
pub enum Data<'a> {
    /// Nothing.
    Same,
    /// `bytes` are written so many bytes after the header, or into the file of that number.
    Put {
        /// Offset or file number.
        at: u64,
        /// The chunk.
        bytes: &'a [u8],
    },
    /// In a sparse frame, files of these numbers are written.
    PutAll(&'a [(u64, CBuf)]),
    /// In a contiguous frame, `bytes` take the place of `old` bytes; what comes after them, up to `end`, moves.
    Splice {
        /// Offset after the header.
        at: u64,
        /// How many bytes give way.
        old: u64,
        /// Where the chunks ended before, as an offset after the header.
        end: u64,
        /// The chunk; none when it became a special one.
        bytes: &'a [u8],
    },
    /// In a contiguous frame, these bytes are copied, places counting from the end of the header.
    Move(&'a [Shift]),
    /// In a sparse frame, the file of that number goes.
    Drop {
        /// File number.
        number: u64,
    },
}

/// Which parts beside the chunks are written.
#[derive(Debug)]
pub enum Parts<'i> {
    /// None: a frame in memory writes them when somebody asks for its bytes.
    Later,
    /// The header.
    Header,
    /// Header and trailer; the index stays where it is.
    Trailer,
    /// Header, index and trailer.
    All(&'i mut Index),
}

/// Bytes that move inside a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// Where they are.
    pub from: u64,
    /// Where they go.
    pub to: u64,
    /// How many.
    pub len: u64,
}

/// All that one change does to a frame, in the order in which it is done.
#[derive(Debug)]
pub struct Edit<'a> {
    /// First, bytes make room, close a gap, or are copied elsewhere, in this order.
    pub shifts: Vec<Shift>,
    /// In a sparse frame, the chunk files that are written, and what into them.
    pub put: Vec<(u64, &'a [u8])>,
    /// Then these bytes are written at these places, the header last.
    pub writes: Vec<(u64, Cow<'a, [u8]>)>,
    /// The frame is this long then.
    pub len: u64,
    /// In a sparse frame, the chunk file that nobody needs any more.
    pub drop: Option<u64>,
    /// Whether more has to follow before the frame is one again.
    pub partial: bool,
    /// Which of [`Edit::writes`] is the index with the trailer.
    pub index: Option<usize>,
    /// Whether looking through the chunks would not tell what the index says: then it is written aside first, if the
    /// one that is there is going to be overwritten.
    pub spare: bool,
}

impl<'a> Edit<'a> {
    /// The edit that makes the frame what `contents` says, when `data` is all that changes in its chunks. Updates the
    /// lengths in `contents`.
    pub fn new(contents: &mut Contents, data: Data<'a>, parts: Parts<'_>) -> Result<Edit<'a>> {
        contents.header.header_len = contents.header_bytes_len();
        let mut edit = Edit {
            shifts: Vec::new(),
            put: Vec::new(),
            writes: Vec::new(),
            len: contents.data_end(),
            drop: None,
            partial: matches!(parts, Parts::Later),
            index: None,
            spare: false,
        };
        edit.data(contents, data);
        match parts {
            Parts::Later => return Ok(edit),
            // The fingerprint covers the header.
            Parts::Header if !contents.header.checksums => edit.len = contents.header.frame_len,
            Parts::Header | Parts::Trailer => {
                edit.tail(contents.data_end() + contents.index_len, Vec::new(), contents)
            }
            Parts::All(index) => {
                let encoded = index.encode()?;
                contents.index_len = encoded.len() as u64;
                if contents.header.checksums {
                    checksums::renew(&mut contents.vlmeta, index, &encoded)?;
                }
                edit.tail(contents.data_end(), encoded.to_vec(), contents);
                edit.index = Some(edit.writes.len() - 1);
                edit.spare = !index.is_empty() && !index.is_plain();
            }
        }
        contents.header.frame_len = edit.len;
        contents.header.has_vlmeta = !contents.vlmeta.is_empty();
        let header = contents.header.write(&contents.metas);
        if contents.header.checksums
            && let Some((_, tail)) = edit.writes.last_mut()
        {
            let trailer = tail.len().saturating_sub(contents.trailer_len() as usize);
            checksums::seal(&header, &mut tail.to_mut()[trailer..]);
        }
        edit.writes.push((0, header.into()));
        Ok(edit)
    }

    fn data(&mut self, contents: &Contents, data: Data<'a>) {
        let header_len = u64::from(contents.header.header_len);
        match data {
            Data::Same => {}
            Data::Put { at, bytes } if contents.header.kind == FrameKind::Sparse => {
                self.put.push((at, bytes))
            }
            Data::PutAll(files) => self.put.extend(files.iter().map(|(number, chunk)| (*number, &**chunk))),
            Data::Put { at, bytes } => self.writes.push((header_len + at, bytes.into())),
            Data::Splice { at, old, end, bytes } => {
                let (from, to) = (at + old, at + bytes.len() as u64);
                if from != to && end > from {
                    self.shifts.push(Shift { from: header_len + from, to: header_len + to, len: end - from });
                }
                self.writes.push((header_len + at, bytes.into()));
            }
            Data::Move(shifts) => self.shifts.extend(shifts.iter().map(|shift| Shift {
                from: header_len + shift.from,
                to: header_len + shift.to,
                ..*shift
            })),
            Data::Drop { number } => self.drop = Some(number),
        }
    }

    /// The byte after the last one that the frame needs while it is changed.
    pub fn end(&self) -> u64 {
        self.written().map(|range| range.end).max().unwrap_or(0).max(self.len)
    }

    /// All bytes that are written.
    fn written(&self) -> impl Iterator<Item = Range<u64>> {
        let writes = self.writes.iter().map(|(at, bytes)| *at..at + bytes.len() as u64);
        writes.chain(self.shifts.iter().map(|shift| shift.to..shift.to + shift.len))
    }

    /// Whether any of these bytes is overwritten.
    pub fn touches(&self, bytes: Range<u64>) -> bool {
        self.written().any(|range| range.start.max(bytes.start) < range.end.min(bytes.end))
    }

    /// Which of the bytes of a frame that ends at `extent` are overwritten or, when it is cut, cut off: in order, each
    /// once.
    pub fn overwrites(&self, extent: u64, cut: bool) -> Vec<Range<u64>> {
        let lost = cut.then_some(self.len..extent);
        let mut all: Vec<_> = self.written().chain(lost).filter(|range| !range.is_empty()).collect();
        all.sort_by_key(|range| range.start);
        let mut merged: Vec<Range<u64>> = Vec::new();
        for range in all {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        merged
    }

    /// What comes after the chunks, in one write.
    fn tail(&mut self, at: u64, mut tail: Vec<u8>, contents: &Contents) {
        tail.extend(Trailer::write(&contents.vlmeta));
        self.len = at + tail.len() as u64;
        self.writes.push((at, tail.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_overwritten_is_told_once() {
        let writes =
            vec![(50, b"0123456789"[..].into()), (55, b"0123456789"[..].into()), (0, b"h"[..].into())];
        let shifts = vec![Shift { from: 70, to: 60, len: 20 }];
        let (put, drop, index) = (Vec::new(), None, None);
        let edit = Edit { shifts, put, writes, len: 85, drop, partial: false, index, spare: false };
        assert_eq!((edit.end(), edit.touches(20..50), edit.touches(49..51)), (85, false, true));
        assert_eq!(edit.overwrites(90, true), [0..1, 50..80, 85..90]);
        assert_eq!(edit.overwrites(90, false), [0..1, 50..80]);
        assert_eq!(edit.overwrites(80, true), [0..1, 50..80]);
    }
}
