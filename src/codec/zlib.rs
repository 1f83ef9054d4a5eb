//! Deflate in a zlib wrapper (RFC 1950 and 1951).
//!
//! Streams are read by `zlib-rs`. At the first level they are written by [`quick`], which is our own, in [`fixed`] codes, by
//! [`bits`]. At others it is looked for [`sections`](super::sections) first. Most blocks are one, and written as a [`whole`] by
//! `libdeflate`. Where there are several, some repeat nothing, and `zlib-rs` is not asked to find matches there: [`stream`] puts
//! them one behind the other. It also writes what is [repetitive](Quick::is_repetitive), over which `libdeflate` takes as long
//! as over all else, and the last level.

mod adler;
mod bits;
mod fixed;
mod quick;
mod stream;
#[cfg(test)]
mod tests;
mod whole;

use super::bad_stream;
use super::sections::{Ability, Kind, PIECE, Section, Sections};
use crate::base::Result;
use quick::Quick;
use stream::Stream;
use whole::Compressor;
use zlib_rs::{Deflate, DeflateConfig, Inflate, InflateFlush, Status, Strategy};

const WINDOW_BITS: u8 = 15;
const WINDOW: usize = 1 << WINDOW_BITS;
/// A repetition of four bytes saves one, or nothing.
const LITTLE: usize = 14;
/// Deflate is told of what stands before a section as if it compressed that.
const WORTH_TELLING: usize = 9;
/// Up to this level, streams are [`quick`]'s.
const QUICK: u8 = 1;
/// From this level on, matches may have three bytes, which the look for sections does not see, and `zlib-rs` finds more of them
/// than `libdeflate`.
const THOROUGH: u8 = 9;

/// The version of zlib that the library stands for, and its own name.
pub const VERSION: &str = "1.3.0-zlib-rs";

/// What a thread keeps for zlib.
#[derive(Default)]
pub struct State {
    finder: Finder,
    quick: Quick,
    sections: Sections,
    inflate: Option<Inflate>,
}

/// What searches for matches: one at a time, as each has a third of a megabyte and more.
#[derive(Default)]
enum Finder {
    #[default]
    None,
    /// In all of a block at once.
    Whole(Compressor),
    /// In a section.
    Section(Finds, Deflate),
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

impl Finder {
    /// # Errors
    /// `MemoryAlloc` when there is no memory for it.
    fn whole(&mut self, clevel: u8) -> Result<&mut Compressor> {
        if !matches!(self, Finder::Whole(compressor) if compressor.clevel() == clevel) {
            // What there was is dropped first: its memory serves the next.
            *self = Finder::None;
            *self = Finder::Whole(Compressor::new(clevel)?);
        }
        let Finder::Whole(compressor) = self else { unreachable!("it was just made") };
        Ok(compressor)
    }

    /// A deflate that knows nothing yet.
    fn section(&mut self, finds: Finds) -> &mut Deflate {
        match self {
            Finder::Section(found, deflate) if *found == finds => deflate.reset(),
            _ => {
                *self = Finder::None;
                *self = Finder::Section(finds, Deflate::new_with_config(finds.config()));
            }
        }
        let Finder::Section(_, deflate) = self else { unreachable!("it was just made") };
        deflate
    }
}

impl State {
    /// Compresses at zlib's level of the same number; 0 when it does not fit.
    ///
    /// # Errors
    /// `Failure` when the library reports an error, `MemoryAlloc` when there is no memory for it.
    pub fn compress(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let Some(mut stream) = Stream::begin(clevel, dst) else { return Ok(0) };
        let written = if clevel <= QUICK {
            stream.whole(|room| self.quick.write(src, room))
        } else {
            self.write(clevel, src, &mut stream)?
        };
        Ok(written.and_then(|()| stream.end(src)).unwrap_or(0))
    }

    /// Writes `src`, in sections where there are several; `None` when it does not fit.
    fn write(&mut self, clevel: u8, src: &[u8], stream: &mut Stream) -> Result<Option<()>> {
        let sections = self.sections.of(ability(clevel), src);
        let is_one = matches!(sections, [Section { kind: Kind::Matches, .. }]);
        if is_one && clevel < THOROUGH && !self.quick.is_repetitive(src) {
            let compressor = self.finder.whole(clevel)?;
            return Ok(stream.whole(|room| compressor.compress(src, room)));
        }
        let written = write_sections(&mut self.finder, clevel, src, sections, stream);
        if !matches!(written, Ok(Some(()))) {
            // A deflate that still has bytes to write is not to be used again: its reset does not forget where they began.
            self.finder = Finder::None;
        }
        written
    }

    /// Decompresses.
    ///
    /// # Errors
    /// `Data` when it is not a stream, does not fit, or is not what the checksum is of.
    pub fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let bad = || bad_stream("zlib", src.len());
        let body = stream::body(src).ok_or_else(bad)?;
        let inflate = self.inflate();
        let Ok(Status::StreamEnd) = inflate.decompress(body, dst, InflateFlush::Finish) else {
            return Err(bad());
        };
        let (end, len) = (inflate.total_in() as usize, inflate.total_out() as usize);
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
        let inflate = self.inflate();
        inflate.decompress(body, dst, InflateFlush::SyncFlush).map_err(|_| bad())?;
        Ok(inflate.total_out() as usize)
    }

    /// An inflate that knows nothing yet, and leaves the wrapper to us: our checksum is faster.
    fn inflate(&mut self) -> &mut Inflate {
        match &mut self.inflate {
            Some(inflate) => {
                inflate.reset(false);
                inflate
            }
            none => none.insert(Inflate::new(false, WINDOW_BITS)),
        }
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

/// Writes one section after the other; `None` when they do not fit.
fn write_sections(
    finder: &mut Finder,
    clevel: u8,
    src: &[u8],
    sections: &[Section],
    stream: &mut Stream,
) -> Result<Option<()>> {
    let mut begin = 0;
    for section in sections {
        let (here, last) = (&src[begin..section.end], section.end == src.len());
        let written = match section.kind {
            Kind::Stored => stream.store(here, last),
            Kind::Codes => stream.deflate(finder.section(Finds::Codes), here, last)?,
            Kind::Matches => stream.deflate(finder.section(Finds::Matches(clevel)), here, last)?,
            Kind::Continued => {
                let deflate = finder.section(Finds::Matches(clevel));
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
    Ok(Some(()))
}
