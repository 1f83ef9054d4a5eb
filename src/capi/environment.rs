//! Environment variables that take the place of compression parameters.
//!
//! A variable whose text makes no sense is passed over.

use crate::base::env;
use crate::base::params::SplitMode;
use crate::filter;

/// What the environment asks for; `None` where it asks for nothing.
#[derive(Debug, Default)]
pub(crate) struct Overrides {
    /// `BLOSC_CLEVEL`.
    pub clevel: Option<i32>,
    /// `BLOSC_SHUFFLE`: a filter's id.
    pub shuffle: Option<u8>,
    /// `BLOSC_DELTA`.
    pub delta: Option<bool>,
    /// `BLOSC_TYPESIZE`, in bytes.
    pub typesize: Option<i32>,
    /// `BLOSC_COMPRESSOR`: a codec's name.
    pub compressor: Option<String>,
    /// `BLOSC_BLOCKSIZE`, in bytes.
    pub blocksize: Option<i32>,
    /// `BLOSC_NTHREADS`.
    pub nthreads: Option<i16>,
    /// `BLOSC_SPLITMODE`.
    pub split: Option<SplitMode>,
}

impl Overrides {
    /// Reads the environment.
    pub(crate) fn read() -> Self {
        Overrides {
            clevel: integer("BLOSC_CLEVEL"),
            shuffle: choice(
                "BLOSC_SHUFFLE",
                &[
                    ("NOSHUFFLE", filter::NOFILTER),
                    ("SHUFFLE", filter::SHUFFLE),
                    ("BITSHUFFLE", filter::BITSHUFFLE),
                ],
            ),
            delta: choice("BLOSC_DELTA", &[("0", false), ("1", true)]),
            typesize: positive("BLOSC_TYPESIZE"),
            compressor: env::text("BLOSC_COMPRESSOR"),
            blocksize: positive("BLOSC_BLOCKSIZE"),
            nthreads: nthreads(),
            split: choice(
                "BLOSC_SPLITMODE",
                &[
                    ("ALWAYS", SplitMode::Always),
                    ("NEVER", SplitMode::Never),
                    ("AUTO", SplitMode::Auto),
                    ("FORWARD_COMPAT", SplitMode::ForwardCompat),
                ],
            ),
        }
    }
}

/// `BLOSC_NTHREADS`, all that decompression heeds.
pub(crate) fn nthreads() -> Option<i16> {
    positive("BLOSC_NTHREADS")
}

fn integer<T: TryFrom<i64>>(name: &str) -> Option<T> {
    env::integer(name).and_then(|value| T::try_from(value).ok())
}

fn positive<T: TryFrom<i64>>(name: &str) -> Option<T> {
    env::integer(name).filter(|&value| value > 0).and_then(|value| T::try_from(value).ok())
}

fn choice<T: Copy>(name: &str, choices: &[(&str, T)]) -> Option<T> {
    let text = env::text(name)?;
    choices.iter().find(|(word, _)| *word == text).map(|&(_, value)| value)
}
