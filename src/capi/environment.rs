//! Environment variables that take the place of compression parameters.
//!
//! A variable whose text makes no sense is passed over; a number without digits is 0. Where numbers do not fit, the C
//! library cuts them to the bits that do: functions with a context before they look whether a number makes sense, those
//! without one after it.

use crate::base::env;
use crate::base::params::SplitMode;
use crate::base::{Error, ErrorKind, Result};
use crate::filter;

/// Who asks, and with that when a number is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// A context in the making.
    Context,
    /// A function without a context.
    Plain,
}

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
    pub(crate) fn read(asker: Asker) -> Self {
        if !mentions_blosc() {
            return Overrides::default();
        }
        let int = |name, least| number(asker, name, least, 32).map(|value| value as i32);
        Overrides {
            clevel: int("BLOSC_CLEVEL", 0),
            shuffle: choice(
                "BLOSC_SHUFFLE",
                &[
                    ("NOSHUFFLE", filter::NOFILTER),
                    ("SHUFFLE", filter::SHUFFLE),
                    ("BITSHUFFLE", filter::BITSHUFFLE),
                ],
            ),
            delta: choice("BLOSC_DELTA", &[("0", false), ("1", true)]),
            typesize: int("BLOSC_TYPESIZE", 1),
            compressor: std::env::var_os("BLOSC_COMPRESSOR").map(|name| name.to_string_lossy().into_owned()),
            blocksize: int("BLOSC_BLOCKSIZE", 1),
            nthreads: number(asker, "BLOSC_NTHREADS", 1, 16).map(|value| value as i16),
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

/// Whether any variable's name begins with `BLOSC_`: most programs have none, and one look at all of them takes less time
/// than a look for each.
#[cfg(target_os = "linux")]
fn mentions_blosc() -> bool {
    unsafe extern "C" {
        static environ: *const *const std::ffi::c_char;
    }
    const PREFIX: &[u8] = b"BLOSC_";
    // SAFETY: the environment is a list of strings, a null pointer at its end, or null. Who changes it must not do so while
    // others read it, for this as for getenv; a string is read up to its zero byte at most.
    unsafe {
        let mut next = environ;
        while !next.is_null() && !(*next).is_null() {
            let begins = |n: usize| (0..n).all(|i| *(*next).add(i) as u8 == PREFIX[i]);
            if begins(PREFIX.len()) {
                return true;
            }
            next = next.add(1);
        }
    }
    false
}

/// As above, where the list of variables is not within reach: each variable is looked for.
#[cfg(not(target_os = "linux"))]
fn mentions_blosc() -> bool {
    true
}

/// `BLOSC_NTHREADS`, all that a decompression context heeds.
pub(crate) fn decompression_threads() -> Option<i16> {
    number(Asker::Plain, "BLOSC_NTHREADS", 1, 16).map(|value| value as i16)
}

/// `BLOSC_NTHREADS` for functions that decompress without a context, which take no nonsense.
///
/// # Errors
/// `InvalidParam` when it is set to what is no number of threads.
pub(crate) fn strict_threads() -> Result<Option<i16>> {
    if !mentions_blosc() {
        return Ok(None);
    }
    let Some(asked) = env::integer("BLOSC_NTHREADS") else { return Ok(None) };
    match i16::try_from(asked) {
        Ok(nthreads) if nthreads > 0 => Ok(Some(nthreads)),
        _ => Err(Error::new(ErrorKind::InvalidParam, format!("BLOSC_NTHREADS asks for {asked} threads"))),
    }
}

/// The lower `bits` bits of a variable's number, when it is at least `least`.
fn number(asker: Asker, name: &str, least: i64, bits: u32) -> Option<i64> {
    let wide = env::integer(name)?;
    let cut = wide << (i64::BITS - bits) >> (i64::BITS - bits);
    let judged = if asker == Asker::Context { cut } else { wide };
    (judged >= least).then_some(cut)
}

fn choice<T: Copy>(name: &str, choices: &[(&str, T)]) -> Option<T> {
    let text = env::text(name)?;
    choices.iter().find(|(word, _)| *word == text).map(|&(_, value)| value)
}
