//! N-dimensional arrays as C holds them; what `include/b2nd.h` declares.
//!
//! An array's handle ([`handle::Array`]) begins with the public struct `b2nd_array_t`, its mirror, and holds what the
//! engine knows about the array's shapes. The chunks are in the super-chunk that the mirror's `sc` points to, a handle of
//! its own. How to make an array is in a [`context`].

pub mod buffers;
pub mod context;
pub mod convert;
pub mod create;
pub mod edit;
pub(crate) mod handle;
pub mod meta;
pub mod print;
pub mod select;
pub mod slices;
pub mod transfer;
pub mod views;
