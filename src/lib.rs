//! oxiblosc2: Blosc2 in Rust.
//!
//! Compressed, chunked, n-dimensional data in memory and on disk, in the formats of `libblosc2` 3.3.5. With the
//! default feature `capi` the crate also *is* that library: its `cdylib` and `staticlib` export the same C symbols.
//! Without the default feature `plugins` it has no codecs and filters of the public registry, those with ids from 32 on.
//!
//! What most programs need has its name here: a [`Context`] makes chunks of bytes and bytes of chunks, a [`SuperChunk`]
//! keeps many chunks, an [`NdArray`] is a super-chunk of many dimensions.
//!
//! ```
//! use blosc2::{Blueprint, NdArray};
//!
//! # fn main() -> blosc2::Result<()> {
//! // 1000 x 1000 numbers of 8 bytes, in chunks of 500 x 500 and blocks of 50 x 500.
//! let mut array = NdArray::zeros(&Blueprint::new(8, &[1000, 1000], &[500, 500], &[50, 500]))?;
//! array.set(&[499, 7], &[501, 8], &[1.25, 2.5])?;
//! assert_eq!(array.get::<f64>(&[498, 7], &[501, 8])?, [0.0, 1.25, 2.5]);
//! # Ok(())
//! # }
//! ```
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

pub use base::params::{CParams, DParams};
pub use base::{CBuf, Error, ErrorKind, Item, Result};
pub use chunk::Context;
pub use ndarray::{Blueprint, NdArray};
pub use schunk::{Storage, SuperChunk};

/// The Rust programs of the documentation, which are tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/rust.md")]
    mod rust {}
}
