//! Writing the sequences of a stream: literals, and a match behind them.

use super::encode::{LAST, LEAST};

/// The lengths that fit a token; this one has bytes behind it.
pub(super) const MORE: usize = 15;
/// Literals that are copied at once.
const LITERALS: usize = 16;
/// The most bytes that are written at once: a token, those, and what follows.
const ROOM: usize = 1 + LITERALS + 8;
/// Literals that do not fit the token are copied by so many.
const PIECE: usize = 32;
/// From so many literals on, a library's copy is as fast.
const MANY: usize = 256;
/// The token of fewer literals, and the byte that tells how many they are.
const HEAD: usize = 2;

/// Where a stream is written. Nothing is written past the end; what does not fit, or not surely, is `None`, exactly where liblz4
/// gives up.
pub(super) struct Sink<'a> {
    /// What is not written yet.
    rest: &'a mut [u8],
    /// All there was room for.
    len: usize,
    /// Whether all fits, be it what it may.
    roomy: bool,
}

impl<'a> Sink<'a> {
    /// For the stream of `len` bytes.
    pub(super) fn new(len: usize, dst: &'a mut [u8]) -> Self {
        let roomy = dst.len() >= len + len / 255 + 16;
        Sink { len: dst.len(), rest: dst, roomy }
    }

    /// Room for what is short, with some to spare.
    #[inline(always)]
    fn room(&mut self) -> Option<&mut [u8; ROOM]> {
        self.rest.first_chunk_mut()
    }

    /// Goes on behind the next `len` bytes, which are written.
    #[inline(always)]
    fn advance(&mut self, len: usize) -> Option<()> {
        self.rest.split_off_mut(..len).map(|_| ())
    }

    /// A match alone.
    #[inline(always)]
    pub(super) fn matched(&mut self, distance: usize, len: usize) -> Option<()> {
        let code = len - LEAST;
        let Some(room) = self.room() else { return self.any(&[], distance, code) };
        if code >= MORE {
            return self.longer(&[], distance, code);
        }
        let bytes = code as u32 | (distance as u32) << 8;
        room[..4].copy_from_slice(&bytes.to_le_bytes());
        self.advance(3)
    }

    /// A match alone, which may as well be long as short: no branch tells them apart.
    #[inline(always)]
    pub(super) fn matched_evenly(&mut self, distance: usize, len: usize) -> Option<()> {
        let code = len - LEAST;
        let Some(room) = self.room() else { return self.any(&[], distance, code) };
        if code >= MORE + 255 {
            return self.any(&[], distance, code);
        }
        let more = code.wrapping_sub(MORE) as u32;
        let bytes = code.min(MORE) as u32 | (distance as u32) << 8 | more << 24;
        room[..4].copy_from_slice(&bytes.to_le_bytes());
        self.advance(3 + usize::from(code >= MORE))
    }

    /// One literal and a match.
    #[inline(always)]
    pub(super) fn one(&mut self, literal: u8, distance: usize, len: usize) -> Option<()> {
        let code = len - LEAST;
        let Some(room) = self.room() else { return self.any(&[literal], distance, code) };
        if code >= MORE {
            return self.longer(&[literal], distance, code);
        }
        let bytes = (1 << 4 | code) as u32 | u32::from(literal) << 8 | (distance as u32) << 16;
        room[..4].copy_from_slice(&bytes.to_le_bytes());
        self.advance(4)
    }

    /// The bytes of `src` from `anchor` to `at` as literals, and a match.
    #[inline(always)]
    pub(super) fn sequence(
        &mut self,
        src: &[u8],
        anchor: usize,
        at: usize,
        distance: usize,
        len: usize,
    ) -> Option<()> {
        let (count, code) = (at - anchor, len - LEAST);
        let from = src.get(anchor..).and_then(|src| src.first_chunk::<LITERALS>());
        // The short way writes more than it means: the next sequence overwrites the surplus.
        if let (Some(from), Some(to)) = (from, self.room())
            && count < MORE
            && code < MORE + 255
        {
            to[0] = (count << 4 | code.min(MORE)) as u8;
            to[1..=LITERALS].copy_from_slice(from);
            let tail = distance as u32 | (code.wrapping_sub(MORE) as u32) << 16;
            to[(1 + count) & 15..][..4].copy_from_slice(&tail.to_le_bytes());
            return self.advance(1 + count + 2 + usize::from(code >= MORE));
        }
        if (MORE..MANY).contains(&count)
            && code < MORE
            && let Some(from) = src.get(anchor..).and_then(|src| src.first_chunk())
            && let Some(to) = self.rest.first_chunk_mut()
        {
            let len = counted(from, count, to, distance, code);
            return self.advance(len);
        }
        self.any(&src[anchor..at], distance, code)
    }

    /// A match whose length takes one byte behind the token, or any other, with one literal at most.
    #[inline(never)]
    fn longer(&mut self, literals: &[u8], distance: usize, code: usize) -> Option<()> {
        let count = literals.len();
        match self.room() {
            Some(room) if code < MORE + 255 => {
                room[0] = (count << 4 | MORE) as u8;
                room[1] = literals.first().copied().unwrap_or(0);
                let tail = distance as u32 | ((code - MORE) as u32) << 16;
                room[1 + count..][..4].copy_from_slice(&tail.to_le_bytes());
                self.advance(1 + count + 3)
            }
            _ => self.any(literals, distance, code),
        }
    }

    /// Any sequence.
    #[inline(never)]
    fn any(&mut self, literals: &[u8], distance: usize, code: usize) -> Option<()> {
        self.literals(literals, code.min(MORE), 2 + 1 + LAST)?;
        self.put(&(distance as u16).to_le_bytes())?;
        if !self.roomy && 1 + LAST + (code + 240) / 255 > self.rest.len() {
            return None;
        }
        self.count(code)
    }

    /// A token for literals, with what it says of a match, and these; room for `behind` bytes has to be left.
    fn literals(&mut self, literals: &[u8], code: usize, behind: usize) -> Option<()> {
        let count = literals.len();
        if !self.roomy && 1 + count + behind + count / 255 > self.rest.len() {
            return None;
        }
        self.put(&[(count.min(MORE) << 4 | code) as u8])?;
        self.count(count)?;
        self.put(literals)
    }

    /// The bytes of a length behind the token.
    #[inline(always)]
    fn count(&mut self, len: usize) -> Option<()> {
        let Some(mut left) = len.checked_sub(MORE) else { return Some(()) };
        while left >= 255 {
            self.put(&[255])?;
            left -= 255;
        }
        self.put(&[left as u8])
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.rest.split_off_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(())
    }

    /// Ends the stream with its last literals, and tells its length.
    pub(super) fn finish(mut self, literals: &[u8]) -> Option<usize> {
        let count = literals.len();
        if 1 + count + (count + 255 - MORE) / 255 > self.rest.len() {
            return None;
        }
        self.literals(literals, 0, 0)?;
        Some(self.len - self.rest.len())
    }
}

/// Writes a sequence of literals that a byte behind the token counts ([`MORE`] of them or more, but not [`MANY`]), and of a match
/// whose length fits the token. More is written than is meant, into more room than liblz4 asks for. Tells how
/// long the sequence is.
#[inline(always)]
fn counted(
    from: &[u8; MANY + PIECE],
    count: usize,
    to: &mut [u8; HEAD + MANY + PIECE],
    distance: usize,
    code: usize,
) -> usize {
    to[..HEAD].copy_from_slice(&[(MORE << 4 | code) as u8, (count - MORE) as u8]);
    let mut done = 0;
    while done < count {
        // Of places that may begin anew, the compiler makes no call of `memmove`, which takes longer than all copies.
        let at = done % MANY;
        to[HEAD + at..][..PIECE].copy_from_slice(&from[at..][..PIECE]);
        done += PIECE;
    }
    let end = HEAD + count;
    to[end..][..2].copy_from_slice(&(distance as u16).to_le_bytes());
    end + 2
}
