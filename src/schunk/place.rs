//! Where in a frame a new chunk goes.
//!
//! In memory a chunk that replaces another of a different size stands where that one was, and those behind it move. In a
//! file none that stays is touched, as the process may end at any byte: the new one stands where the old one was if it
//! fits there, and otherwise behind all others. The holes that this leaves are closed when they become many
//! ([`holes`](super::holes)).

use super::rules::{self, NewChunk, counted_out};
use crate::base::Result;
use crate::fail;
use crate::frame::{Contents, Data, FrameKind, Index, Place};
use std::ops::Range;

/// The sizes of a chunk that goes.
#[derive(Clone, Copy)]
pub(super) struct Gone {
    pub nbytes: i64,
    pub cbytes: usize,
}

/// Gives a new chunk the number `n`, and a place.
pub(super) fn put<'a>(
    contents: &mut Contents,
    index: &mut Index,
    chunk: &NewChunk<'a>,
    n: usize,
) -> Result<Data<'a>> {
    if let Some(special) = chunk.special(contents) {
        index.insert(n, Place::Special(special))?;
        return Ok(Data::Same);
    }
    let at = match contents.header.kind {
        FrameKind::Contiguous => contents.header.cbytes as u64,
        FrameKind::Sparse => file_number(index)?,
    };
    index.insert(n, Place::Stored(at))?;
    index.note(n, chunk.bytes());
    contents.header.cbytes += rules::size(chunk);
    contents.live = contents.live.map(|live| live + rules::size(chunk));
    Ok(Data::Put { at, bytes: chunk.bytes() })
}

/// Puts `chunk` where chunk `n` was, which had `cbytes` bytes; other chunks stay where they are if `keep` says so.
pub(super) fn replace<'a>(
    contents: &mut Contents,
    index: &mut Index,
    chunk: &NewChunk<'a>,
    n: usize,
    cbytes: usize,
    keep: bool,
) -> Data<'a> {
    let special = chunk.special(contents);
    let bytes = if special.is_some() { &[] } else { chunk.bytes() };
    index.note(n, bytes);
    let old = index.place(n);
    if let Some(special) = special {
        index.replace(n, Place::Special(special));
    }
    let was = if matches!(old, Ok(Place::Stored(_))) { cbytes as i64 } else { 0 };
    contents.live = contents.live.map(|live| live + bytes.len() as i64 - was);
    match old {
        Ok(Place::Stored(number)) if contents.header.kind == FrameKind::Sparse => {
            contents.header.cbytes += bytes.len() as i64 - counted_out(cbytes);
            if special.is_some() { Data::Drop { number } } else { Data::Put { at: number, bytes } }
        }
        Ok(Place::Stored(at)) if keep => replace_alone(contents, index, bytes, n, at),
        Ok(Place::Stored(at)) => {
            replace_tightly(contents, index, bytes, n, at..at.saturating_add(cbytes as u64))
        }
        _ if special.is_some() => Data::Same,
        _ => {
            let sparse = contents.header.kind == FrameKind::Sparse;
            let at = if sparse { index.next_number() } else { contents.header.cbytes as u64 };
            index.replace(n, Place::Stored(at));
            contents.header.cbytes += bytes.len() as i64;
            Data::Put { at, bytes }
        }
    }
}

/// `bytes` in place of those at `at`, or behind all others when they do not fit there.
fn replace_alone<'a>(
    contents: &mut Contents,
    index: &mut Index,
    bytes: &'a [u8],
    n: usize,
    at: u64,
) -> Data<'a> {
    let cbytes = &mut contents.header.cbytes;
    // A special chunk is in the index only, which does not mention the place any more.
    let users = usize::from(!bytes.is_empty());
    let room = index.room(n, at, users);
    match room {
        None => *cbytes = at as i64 + bytes.len() as i64,
        _ if bytes.is_empty() => {}
        Some(room) if bytes.len() as u64 <= room => {
            if (bytes.len() as u64) < room {
                index.loosen();
            }
        }
        Some(_) => {
            let at = *cbytes as u64;
            index.replace(n, Place::Stored(at));
            *cbytes += bytes.len() as i64;
            return Data::Put { at, bytes };
        }
    }
    if bytes.is_empty() { Data::Same } else { Data::Put { at, bytes } }
}

/// `bytes` in place of those in `old`, which are chunk `n`, and what is behind them moves.
fn replace_tightly<'a>(
    contents: &mut Contents,
    index: &mut Index,
    bytes: &'a [u8],
    n: usize,
    old: Range<u64>,
) -> Data<'a> {
    let at = old.start;
    let old = index.clear_run(n, at, old.end - at);
    let end = contents.header.cbytes as u64;
    let delta = bytes.len() as i64 - old as i64;
    index.shift_after(at, delta);
    contents.header.cbytes += delta;
    Data::Splice { at, old, end, bytes }
}

/// A free file number, of eight hexadecimal digits.
fn file_number(index: &mut Index) -> Result<u64> {
    match index.next_number() {
        number if number <= u64::from(u32::MAX) => Ok(number),
        _ => fail!(ChunkAppend, "a sparse frame has no more file names"),
    }
}
