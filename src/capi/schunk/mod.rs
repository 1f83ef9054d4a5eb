//! Super-chunks as C holds them.
//!
//! A handle ([`handle::Schunk`]) begins with the public struct `blosc2_schunk`, its *mirror*: C programs read its fields,
//! inline functions of the headers read its metalayers, and some programs put other contexts into it. Behind it are the
//! engine's [`SuperChunk`](crate::schunk::SuperChunk) and what the mirror's pointers lead to ([`mirror`], [`metas`],
//! [`storage`]). A call takes in what C may have changed (the contexts), does one thing to the engine, and, when it
//! changed something, brings the mirror up to date. A [`view`] shows the chunks of another handle, which lives as long as
//! it has views.

pub mod chunks;
pub mod convert;
pub mod create;
mod draft;
pub mod frames;
pub(crate) mod handle;
pub mod lazy;
pub mod lock;
pub mod metalayers;
mod metas;
mod mirror;
pub mod params;
mod place;
mod preview;
pub mod slices;
pub(crate) mod storage;
pub(crate) mod view;
