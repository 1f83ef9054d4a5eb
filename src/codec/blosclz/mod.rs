//! BloscLZ: byte-aligned LZ77 with short literal runs, made for filtered numbers.
//!
//! A stream is a sequence of operations, each told by its first byte `c` (the first operation is always literals;
//! its top three bits are a mark, 1, and not looked at):
//!
//! | `c` | what follows | meaning |
//! |---|---|---|
//! | 0..=31 | `c + 1` bytes | literals |
//! | 32..=255 | length bytes while they are 255, and one more, if `c >> 5` is 7; then a distance byte `d` | a match |
//!
//! A match is `(c >> 5) + 2` bytes long, plus the length bytes, and begins `((c & 31) << 8) + d + 1` bytes back; where
//! `c & 31` is 31 and `d` is 255, two more bytes follow, big-endian, and it begins that many plus 8192 bytes back.
//! Source and destination of a match may overlap. The last operation is always literals.
//!
//! `decode` reads it, and has `quick` take most operations with the copies of [`copy`](super::copy), or `sse2`, by pointers. Which of
//! the `ways` is taken, `foreseen` decides where numbers stand as they are, with `shaped` for many that are alike.
//! `encode` writes it, and has `numbers` search those, and `whole` the ones that stood before: `probe` says whether to, and has
//! `sample` tell it what is noise; `table` remembers what stood where, `bytes` compares, `sink` lays out the operations.

pub(super) mod anywhere;
mod bytes;
mod decode;
mod encode;
mod foreseen;
mod numbers;
mod probe;
mod quick;
mod sample;
mod shaped;
mod sink;
#[cfg(target_arch = "x86_64")]
mod sse2;
pub(super) mod table;
mod ways;
mod whole;

pub use decode::{Stream, decompress, decompress_front, decompress_lent};
pub use encode::compress;
pub use table::Tables;

/// Most literals of one operation.
const MAX_LITERALS: usize = 32;
/// The distance, less one, from which on the far form is used.
const NEAR: usize = 8191;
/// Bytes of the numbers that are often matches by themselves; more than that, a match has only with length bytes.
const NUMBER: usize = 8;
/// The largest distance that the far form can say.
const MAX_DISTANCE: usize = NEAR + 1 + 65535;

#[cfg(test)]
mod tests;
