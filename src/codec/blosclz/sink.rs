//! Writing the operations of a stream.

use super::{MAX_LITERALS, NEAR};

/// Where a stream is written. Nothing is written past the end; what does not fit is `None`.
pub(super) struct Sink<'a> {
    dst: &'a mut [u8],
    at: usize,
}

/// The bytes of a match with one length byte, with room for a whole word.
const WORD: usize = 8;
/// What literals and a match take at most, where they take the short way.
const ROOM: usize = 1 + MAX_LITERALS + WORD;

impl<'a> Sink<'a> {
    pub(super) fn new(dst: &'a mut [u8]) -> Self {
        Sink { dst, at: 0 }
    }

    /// Marks the stream's beginning and gives its length.
    pub(super) fn finish(self) -> usize {
        if let Some(first) = self.dst.first_mut() {
            *first |= 32;
        }
        self.at
    }

    /// Writes the bytes of `src` from `anchor` to `at` as literals, and then a match of at least three bytes.
    #[inline(always)]
    pub(super) fn sequence(
        &mut self,
        src: &[u8],
        anchor: usize,
        at: usize,
        distance: usize,
        len: usize,
    ) -> Option<()> {
        let count = at - anchor;
        let from = src.get(anchor..).and_then(|src| src.first_chunk::<MAX_LITERALS>());
        let to = self.dst.get_mut(self.at..).and_then(|dst| dst.first_chunk_mut::<ROOM>());
        // The short way writes more than it means: the next operation overwrites the surplus.
        if let (Some(from), Some(to)) = (from, to)
            && count <= MAX_LITERALS
            && len < 9 + 255
        {
            to[0] = (count as u8).wrapping_sub(1);
            to[1..=MAX_LITERALS].copy_from_slice(from);
            let start = (count + usize::from(count > 0)) & 63;
            let (bytes, taken) = short_match(distance, len);
            to[start..start + WORD].copy_from_slice(&bytes.to_le_bytes());
            self.at += start + taken;
            return Some(());
        }
        self.literals(&src[anchor..at])?;
        self.matched(distance, len)
    }

    /// A match of as many bytes as a number or a name has: 8 or 16.
    #[inline(always)]
    pub(super) fn whole<const SIZE: usize>(&mut self, distance: usize) -> Option<()> {
        let back = distance - 1;
        if back >= NEAR {
            return self.matched(distance, SIZE);
        }
        match SIZE {
            ..9 => self.put([((SIZE - 2) << 5 | back >> 8) as u8, back as u8]),
            _ => self.put([(7 << 5 | back >> 8) as u8, (SIZE - 9) as u8, back as u8]),
        }
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Option<()> {
        self.dst.get_mut(self.at..self.at + N)?.copy_from_slice(&bytes);
        self.at += N;
        Some(())
    }

    /// Literals, any number of them.
    #[inline(never)]
    pub(super) fn literals(&mut self, bytes: &[u8]) -> Option<()> {
        for run in bytes.chunks(MAX_LITERALS) {
            self.put([run.len() as u8 - 1])?;
            self.dst.get_mut(self.at..self.at + run.len())?.copy_from_slice(run);
            self.at += run.len();
        }
        Some(())
    }

    /// A match of at least three bytes.
    #[inline(never)]
    fn matched(&mut self, distance: usize, len: usize) -> Option<()> {
        let back = distance - 1;
        let high = (back >> 8).min(31);
        if len < 9 {
            self.put([((len - 2) << 5 | high) as u8])?;
        } else {
            self.put([(7 << 5 | high) as u8])?;
            let more = self.dst.get_mut(self.at..)?.get_mut(..(len - 9) / 255)?;
            more.fill(255);
            self.at += more.len();
            self.put([((len - 9) % 255) as u8])?;
        }
        if back < NEAR {
            self.put([back as u8])
        } else {
            self.put([255])?;
            self.put(((back - NEAR) as u16).to_be_bytes())
        }
    }
}

/// The bytes of a match of 3 to 263 bytes, lowest first, and how many there are. Which of the four forms it takes is hard
/// to foresee: no branches.
#[inline(always)]
fn short_match(distance: usize, len: usize) -> (u64, usize) {
    let (back, len) = (distance as u64 - 1, len as u64);
    let far = u64::from(back >= NEAR as u64);
    let long = u64::from(len >= 9);
    let behind = back.wrapping_sub(NEAR as u64 * far);
    let far_tail = 255 | (behind & 0xff00) | (behind & 255) << 16;
    let tail = (back & 255 & far.wrapping_sub(1)) | (far_tail & 0u64.wrapping_sub(far));
    let first = (len - 2).min(7) << 5 | (back >> 8).min(31);
    let more = len.wrapping_sub(9) & 0u64.wrapping_sub(long);
    (first | more << 8 | tail << (8 + 8 * long), (2 + long + 2 * far) as usize)
}
