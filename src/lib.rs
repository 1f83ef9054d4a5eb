//! oxiblosc2: Blosc2 in Rust.
//!
//! Compressed, chunked, n-dimensional data in memory and on disk, in the formats of `libblosc2` 3.3.5. With the
//! default feature `capi` the crate also *is* that library: its `cdylib` and `staticlib` export the same C symbols.
//!
//! The house has floors, and imports point downward only (ARCHITECTURE.md tells why):
//! [`base`] | [`codec`], [`filter`] | [`exec`], [`chunk`] | [`io`], [`frame`], [`schunk`] | [`ndarray`] | `capi`.

pub mod base;
pub mod chunk;
pub mod codec;
pub mod exec;
pub mod filter;
pub mod frame;
pub mod io;
pub mod ndarray;
pub mod schunk;

#[cfg(feature = "capi")]
pub mod capi;
