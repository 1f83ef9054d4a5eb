//! Streams of a few hundred bytes that are literals as they stand, and few matches whose codes need no description (RFC 8878).
//!
//! For these, libzstd makes ready what a long stream would need: tables, contexts, choices. They are written here in a fraction of
//! that time, and read in half of it. Whatever else a stream has, codes for literals or codes of its own, is left to others
//! ([`coded`](super::coded) reads those that are nothing else, [`short`](super::short) writes all of them at the lowest levels), and to
//! libzstd to say what is no stream.

mod find;
mod read;
mod write;

pub(super) use read::read;
pub(super) use write::{write, write_few};

use super::frame::{BLOCK_HEADER, MAGIC};

/// Above that Blosc level, libzstd weighs more against each other than is done here.
pub(super) const LEVEL: u8 = 5;
/// The longest of these streams.
const MOST: usize = 512;
/// So many literals are not worth codes: libzstd leaves them as they are, too (`ZSTD_minLiteralsToCompress`).
pub(super) const LITERALS: usize = 63;
/// The longest stream of which more are left as they are, where codes would not pay.
pub(super) const ALL_LITERALS: usize = 256;
/// So many matches are not worth codes of their own.
const MATCHES: usize = 16;
/// The part of a stream that is saved at least: what saves less is sooner copied than read, which libzstd may decide.
const WORTH: usize = 8;

/// What stands before the literals of a short frame, at least: how it begins, with a length of one byte, and the block's header.
pub(super) const BEFORE_LITERALS: usize = MAGIC.len() + 2 + BLOCK_HEADER;
/// What a frame has beside literals as they stand, at least: that, their header, how sequences begin, and three bytes more of one: its
/// states, or its symbols.
pub(super) const BESIDE_LITERALS: usize = BEFORE_LITERALS + 1 + 2 + 3;

#[cfg(test)]
mod tests;
