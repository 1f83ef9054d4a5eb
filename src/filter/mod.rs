//! One block in, one block out: the filters that make bytes easier to compress.
//!
//! A chunk's header names up to six filters in slots. When compressing, [`forward`] runs them first to last over a
//! block; when decompressing, [`backward`] undoes them last to first. Neither copies a block that it need not: what
//! nothing applies to stays where it is, what can be done in place is, the first filter reads the caller's bytes and
//! the last one backward writes straight into the caller's destination.
//!
//! Read [`pipeline`] first ([`BlockCtx`], [`Scratch`]); then the filters, one module each: [`shuffle`] and
//! [`bitshuffle`] reorder bytes and bits, [`delta`] takes the difference to another block, [`mantissa`] and
//! [`int_trunc`] drop bits, [`bytedelta`] takes differences of shuffled bytes, [`ndcell`] and [`ndmean`] know the cells
//! of an n-dimensional block. Filters that users bring are in [`registry`].
//!
//! Every kernel has a definition in safe Rust; the wide ones are chosen by [`base::cpu`](crate::base::cpu) and must give
//! the same bytes.

pub mod bitshuffle;
pub mod bytedelta;
pub mod delta;
pub mod int_trunc;
pub mod mantissa;
pub mod ndcell;
pub mod ndmean;
pub mod pipeline;
pub mod registry;
pub mod shuffle;

mod cells;
mod mask;
mod scan;

pub use pipeline::{BlockCtx, Scratch, backward, backward_in_place, forward, is_identity, is_in_place};
pub use pipeline::{Spread, delta_reference, spread, spread_by, uses_reference};
pub use registry::{UserCall, UserFilter, register};

/// No filter: an empty slot.
pub const NOFILTER: u8 = 0;
/// Groups bytes by their significance.
pub const SHUFFLE: u8 = 1;
/// Groups bits by their significance.
pub const BITSHUFFLE: u8 = 2;
/// Exclusive or with block 0 of the chunk.
pub const DELTA: u8 = 3;
/// Zeroes low bits of floating-point mantissas.
pub const TRUNC_PREC: u8 = 4;
/// Groups the items of n-dimensional cells.
pub const NDCELL: u8 = 32;
/// Replaces the items of n-dimensional cells with their mean.
pub const NDMEAN: u8 = 33;
/// [`BYTEDELTA`] as first released, which starts anew in the last items of each stream.
pub const BYTEDELTA_OLD: u8 = 34;
/// Differences of neighbouring bytes in each stream of a shuffled block.
pub const BYTEDELTA: u8 = 35;
/// Zeroes low bits of integers.
pub const INT_TRUNC: u8 = 36;

/// The first id that the library may define from outside its core.
pub const GLOBAL_START: u8 = 32;
/// The first id that users may register.
pub const USER_START: u8 = 160;

/// Whether a filter of the registry is not in this build: then its id is one that nobody has registered.
const fn is_left_out(filter: u8) -> bool {
    cfg!(not(feature = "plugins")) && matches!(filter, NDCELL..=INT_TRUNC)
}

/// Whether what a filter makes of a block depends on the block's shape.
pub fn knows_shape(filter: u8) -> bool {
    matches!(filter, NDCELL | NDMEAN)
}
