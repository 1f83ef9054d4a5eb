//! Streams of up to two kilobytes at the lowest levels: matches, and what is left as it stands or by Huffman's codes (RFC 8878, 3.1.1.3).
//!
//! Of what libzstd takes for one, most goes into making itself ready and into tables, which have to do for long streams as well. Here they are no
//! larger than they have to be, and those of codes that the format has are made by the compiler. A block is weighed before it is written:
//! where what its bytes say and the description of their codes come to more than there is room for, nothing is.

mod describe;
mod find;
mod huffman;
mod literals;
mod runs;

use super::frame::write::{Frame, SPARE};
use super::sequences;
use find::Finder;
use huffman::Coder;

/// The longest of these streams.
const MOST: usize = sequences::MOST;
/// The shortest.
const LEAST: usize = 13;
/// Up to that Blosc level, libzstd is soon done.
const SOON_DONE: u8 = 2;
/// Up to that one, the first match that is found will do.
const QUICK: u8 = 1;

/// What writes them, and a thread keeps; had when first needed.
#[derive(Default)]
pub(super) struct Writer(Option<Box<Room>>);

struct Room {
    finder: Finder,
    found: Found,
    coder: Coder,
    frame: Frame<ROOM>,
}

/// What is found in a stream, with room for a wide copy behind all of it.
type Found = sequences::found::Found<{ MOST + 16 }, { sequences::write::MOST }>;

/// As many bytes as a frame may take before it is given up, and a word.
const ROOM: usize = MOST + 1024;

impl Writer {
    /// Writes the frame of `src` at a Blosc level, and tells how long it is: shorter than `src`, or 0 when it does not fit. `None` when it is not one
    /// that is written here.
    pub fn write(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        if clevel > SOON_DONE || !(LEAST..=MOST).contains(&src.len()) {
            return None;
        }
        // With room for more than the stream itself, libzstd may write what is longer.
        let nothing = (dst.len() <= src.len()).then_some(0);
        let most = dst.len().min(src.len()).saturating_sub(SPARE);
        let Some(frame) = self.frame(clevel, src, most) else { return nothing };
        dst[..frame.len()].copy_from_slice(frame);
        Some(frame.len())
    }

    /// The frame, of so many bytes at most.
    fn frame(&mut self, clevel: u8, src: &[u8], most: usize) -> Option<&[u8]> {
        let room = self.0.get_or_insert_with(|| {
            Box::new(Room {
                finder: Finder::NEW,
                found: Found::NOTHING,
                coder: Coder::new(),
                frame: Frame::new(),
            })
        });
        let Room { finder, found, coder, frame } = &mut **room;
        found.clear();
        if runs::is_of_runs(src) {
            runs::find(src, found)?;
        } else {
            finder.find(src, clevel > QUICK, found)?;
        }
        frame.begin(src.len());
        // Behind literals, there is a byte at least.
        literals::write(coder, found.literals(), most.checked_sub(frame.len() + 1)?, frame)?;
        frame.sequences(found.sequences())?;
        Some(frame.end()).filter(|frame| frame.len() <= most)
    }
}

#[cfg(test)]
mod tests;
