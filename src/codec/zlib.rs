//! Deflate in a zlib wrapper (RFC 1950 and 1951). Streams are read by our own [`inflate`]. The highest levels are written by
//! `zlib-rs`; the first by [`quick`], with codes that are fixed, and those up to the middle by [`careful`].
//!
//! A stream is written in [`sections`](super::sections), most often in one: where a look tells that there are no matches, nobody
//! is asked to find any. The first level does without the look. [`stream`] puts all in its wrapper.
//!
//! From below: [`bits`]; [`symbols`] and their [`codes`]; how long those are best, by [`shortest`], which a [`header`] tells; a
//! [`block`] of all that. Matches are found in [`quads`], or are the [`longest`] of many, each by a [`finder`].

mod adler;
mod bits;
mod block;
mod careful;
mod codes;
mod finder;
mod header;
mod inflate;
mod longest;
mod quads;
mod quick;
mod shortest;
mod stream;
mod symbols;
#[cfg(test)]
mod tests;

use super::bad_stream;
use super::sections::{Ability, Kind, PIECE, Sections};
use crate::base::Result;
use careful::Careful;
use inflate::{Inflate, Inflated};
use quick::Quick;
use stream::Stream;
use zlib_rs::{Deflate, DeflateConfig, Strategy};

const WINDOW_BITS: u8 = 15;
const WINDOW: usize = 1 << WINDOW_BITS;
/// A repetition of four bytes saves one, or nothing.
const LITTLE: usize = 14;
/// Deflate is told of what stands before a section as if it compressed that.
const WORTH_TELLING: usize = 9;
/// Up to this level, streams are [`quick`]'s.
const QUICK: u8 = 1;
/// From there on up to this level, they are [`careful`]'s.
const CAREFUL: u8 = 5;
/// From this level on, matches may have three bytes, which the look for sections does not see.
const THOROUGH: u8 = 9;

/// The version of zlib that the library stands for, and its own name.
pub const VERSION: &str = "1.3.0-zlib-rs";

/// What a thread keeps for zlib.
#[derive(Default)]
pub struct State {
    /// One at a time: each has a third of a megabyte.
    deflate: Option<(Finds, Deflate)>,
    quick: Quick,
    careful: Careful,
    sections: Sections,
    inflate: Inflate,
}

/// What a deflate looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finds {
    /// Matches, with the effort of a level.
    Matches(u8),
    /// Codes for bytes, and no matches.
    Codes,
}

impl Finds {
    fn config(self) -> DeflateConfig {
        let (level, strategy) = match self {
            Finds::Matches(level) => (i32::from(level), Strategy::Default),
            Finds::Codes => (DeflateConfig::default().level, Strategy::HuffmanOnly),
        };
        DeflateConfig { level, strategy, window_bits: -i32::from(WINDOW_BITS), ..DeflateConfig::default() }
    }
}

impl State {
    /// Compresses at zlib's level of the same number; 0 when it does not fit.
    ///
    /// # Errors
    /// `Failure` when the library reports an error.
    pub fn compress(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let written = self.write(clevel, src, dst);
        if !matches!(written, Ok(Some(_))) {
            // A deflate that still has bytes to write is not to be used again: its reset does not forget where they began.
            self.deflate = None;
        }
        Ok(written?.unwrap_or(0))
    }

    /// [`State::compress`]; `None` when it does not fit.
    fn write(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>> {
        let Some(mut stream) = Stream::begin(clevel, dst) else { return Ok(None) };
        if clevel <= QUICK {
            return Ok(stream.whole(|room| self.quick.write(src, room)).and_then(|()| stream.end(src)));
        }
        if clevel <= CAREFUL {
            let sections = self.sections.of(ability(clevel), src);
            let written = stream.whole(|room| self.careful.write(clevel, sections, src, room));
            return Ok(written.and_then(|()| stream.end(src)));
        }
        let mut begin = 0;
        for section in self.sections.of(ability(clevel), src) {
            let (here, last) = (&src[begin..section.end], section.end == src.len());
            let written = match section.kind {
                Kind::Stored => stream.store(here, last),
                Kind::Codes => stream.deflate(fresh(&mut self.deflate, Finds::Codes), here, last)?,
                Kind::Matches => {
                    stream.deflate(fresh(&mut self.deflate, Finds::Matches(clevel)), here, last)?
                }
                Kind::Continued => {
                    let deflate = fresh(&mut self.deflate, Finds::Matches(clevel));
                    let history = &src[begin.saturating_sub(WINDOW)..begin];
                    deflate.set_dictionary(history).map_err(stream::failed)?;
                    stream.deflate(deflate, here, last)?
                }
            };
            if written.is_none() {
                return Ok(None);
            }
            begin = section.end;
        }
        Ok(stream.end(src))
    }

    /// Decompresses.
    ///
    /// # Errors
    /// `Data` when it is not a stream, does not fit, or is not what the checksum is of.
    pub fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let bad = || bad_stream("zlib", src.len());
        let body = stream::body(src).ok_or_else(bad)?;
        let Some(Inflated { filled: len, end: Some(end) }) = self.inflate.read(body, dst) else {
            return Err(bad());
        };
        if !stream::is_of(&body[end..], &dst[..len]) {
            return Err(bad());
        }
        Ok(len)
    }

    /// Decompresses the beginning of a stream: as much as fits `dst`.
    ///
    /// # Errors
    /// `Data` when it is not a stream.
    pub fn decompress_prefix(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let bad = || bad_stream("zlib", src.len());
        let body = stream::body(src).ok_or_else(bad)?;
        self.inflate.read(body, dst).map(|read| read.filled).ok_or_else(bad)
    }
}

/// What deflate can do at a level, and is worth doing.
pub(super) fn ability(clevel: u8) -> Ability {
    let codes = clevel < THOROUGH;
    Ability {
        uneven: if codes { Kind::Codes } else { Kind::Matches },
        // Fewer are not worth tables of codes.
        shortest: 2 * PIECE,
        little: LITTLE,
        worth_telling: WORTH_TELLING,
        glances: 3,
        window: WINDOW,
    }
}

/// A deflate that knows nothing yet.
fn fresh(kept: &mut Option<(Finds, Deflate)>, finds: Finds) -> &mut Deflate {
    // One that finds something else is dropped first: its memory serves the next.
    kept.take_if(|(found, _)| *found != finds);
    match kept {
        Some((_, deflate)) => {
            deflate.reset();
            deflate
        }
        none => &mut none.insert((finds, Deflate::new_with_config(finds.config()))).1,
    }
}
