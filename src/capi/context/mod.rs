//! Contexts: how to compress or decompress, in a handle.
//!
//! A context *is* its mirror, `blosc2_context_s`: tuners and plugins read and write its fields, so they are what the next
//! call goes by. [`params`] turns them into the engine's parameters and [`look`] shows in them what goes on while a call
//! runs. [`lifecycle`] makes and frees contexts; [`calls`] are the functions that take one and a buffer, [`parts`] those
//! for some of a chunk, [`vlblocks`] those for chunks whose blocks have lengths of their own.

pub mod calls;
pub mod lifecycle;
pub(crate) mod look;
pub(crate) mod params;
pub mod parts;
pub mod vlblocks;
