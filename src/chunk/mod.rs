//! One compressed chunk.
//!
//! A chunk is a header, block starts, perhaps a dictionary, and blocks; or, when nothing is to be gained, a header and
//! the raw bytes; or a header alone that says what all items are.
//!
//! *Compressing*: [`plan`] decides everything that is decided before the first byte ([`Plan`]) -> [`compress()`] tries the
//! special chunk, the packed one, the stored one -> `landing` runs the blocks on [`exec`](crate::exec) and lands them in
//! order, those that `keep` takes over from an older chunk as they stand -> `block` filters one and writes its streams ->
//! `stream` writes one: a run, coded, or raw.
//!
//! *Decompressing*: [`ChunkHeader::parse`] checks the header, [`ChunkReader::new`] what stands before the blocks. From
//! then on any thread decodes any block: all of them ([`ChunkReader::decompress`]), some bytes
//! ([`ChunkReader::get_bytes`]), one block for somebody to look at ([`ChunkReader::with_block`]). Where the bytes are, in
//! memory or in storage, is [`source`]'s business, where in the chunk `locate`'s; `decoder` has what all blocks have in common,
//! `part` decodes no more of one than is asked for, and `shuffled` leaves the last step to those who know where items go.
//!
//! A [`Context`] is both for who has chunks of his own. Most chunks in memory are plain ([`PlainChunk`]): of those, the data or
//! a few bytes are had without a reader, where nobody has anything to do with them on the way.
//!
//! [`lazy`] is a chunk's head as C callers carry it around; `special` makes and fills special chunks, [`vlblocks`]
//! those whose blocks have lengths of their own; `ahead` reads several blocks at once; `dict` makes a
//! chunk's dictionary, `instr` measures codecs; `scratch` is what a thread keeps from block to block, `cost` guesses how
//! long things take, `copying` shares out what is only copied.

mod ahead;
mod block;
mod compress;
mod context;
mod copying;
mod cost;
mod decoder;
mod decompress;
mod dict;
mod fields;
pub mod header;
mod input;
mod instr;
mod keep;
mod landing;
pub mod lazy;
mod locate;
mod part;
mod partial;
mod plain;
pub mod plan;
mod reader;
pub(crate) mod scratch;
mod shuffled;
pub mod source;
mod special;
mod stream;
pub mod vlblocks;

pub use compress::{compress, compress_gather, compress_gather_into, compress_patch, compress_to_cbuf};
pub(crate) use compress::{compress_blocks_in, compress_in, compress_uncut};
pub use context::Context;
pub use header::{ChunkHeader, Special};
pub use input::Gather;
pub use keep::Patch;
pub use lazy::LazyChunk;
pub use plain::PlainChunk;
pub use plan::Plan;
pub use reader::ChunkReader;
pub use scratch::{give_back as give_back_scratch, release as release_scratch};
pub use shuffled::Shuffled;
pub use source::{ChunkSource, Deferred, ReadAt};
pub use special::{NAN4, NAN8, special_chunk, write_special};

#[cfg(test)]
mod tests;
