//! Contexts: how to compress or decompress, in a handle.
//!
//! A context *is* its mirror, `blosc2_context_s`: tuners and plugins read and write its fields, so they are what the next
//! call goes by. [`params`] turns them into the engine's parameters, [`lifecycle`] makes and frees contexts, [`calls`]
//! are the functions that take one and a buffer.

pub mod calls;
pub mod lifecycle;
pub(crate) mod params;
pub mod vlblocks;
