//! Writing a frame of literals and matches.

use super::super::frame::write::{Frame, SPARE};
use super::super::noise::{codes_spare, codes_take_less};
use super::find::{Found, find, find_few};
use super::{ALL_LITERALS, BESIDE_LITERALS, LITERALS, MOST, WORTH};

/// As many bytes as a frame takes: headers, literals and sequences.
const ROOM: usize = ALL_LITERALS + 160;

/// Of so many literals, codes may spare a good part.
const MANY: usize = 40;

/// Bytes of a match that libzstd finds at the levels that are written here.
const FOUND: usize = 4;

/// Writes the frame of `src`, and tells how long it is: an eighth shorter than `src`, or 0 when neither it nor what libzstd
/// would write fits. `None` when it is not so short, or would be better with what is not written here.
pub fn write(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    // With room for more than the stream itself, libzstd may write what is longer.
    let literals =
        if dst.len() < src.len() { dst.len().saturating_sub(SPARE + BESIDE_LITERALS) } else { MOST };
    let mut found = Found::NOTHING;
    find(src, literals, &mut found)?;
    let mut frame = Frame::<ROOM>::new();
    let frame = fill(&mut frame, src, &found).filter(|frame| frame.len() <= src.len() - src.len() / WORTH)?;
    if found.literals().len() >= MANY && codes_take_less(src, frame.len()) {
        return None;
    }
    let needed = frame.len() + SPARE;
    if needed > dst.len() {
        // A match that libzstd finds, too, leaves so short a stream too few literals for codes.
        let found = found.sequences().iter().any(|sequence| usize::from(sequence.len) >= FOUND);
        return (src.len() <= LITERALS + 1 && found).then_some(0);
    }
    let place = &mut dst[..needed];
    place[..frame.len()].copy_from_slice(frame);
    Some(frame.len())
}

/// Writes the frame of a stream whose bytes take less as they stand than by codes, and tells how long it is; 0 when it does not fit.
/// `None` when it would be better with what is not written here.
pub fn write_few(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut found = Found::NOTHING;
    find_few(src, &mut found)?;
    if codes_spare(found.literals()) {
        return None;
    }
    if found.sequences().is_empty() {
        return Some(0);
    }
    let mut frame = Frame::<ROOM>::new();
    let frame = fill(&mut frame, src, &found)?;
    if frame.len() + SPARE > dst.len() {
        return Some(0);
    }
    dst[..frame.len()].copy_from_slice(frame);
    Some(frame.len())
}

/// The frame of a stream of which that was found.
fn fill<'a>(frame: &'a mut Frame<ROOM>, src: &[u8], found: &Found) -> Option<&'a [u8]> {
    frame.begin(src.len());
    frame.literals(found.literals());
    frame.sequences(found.sequences())?;
    Some(frame.end())
}
