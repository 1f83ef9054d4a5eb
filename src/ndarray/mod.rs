//! N-dimensional arrays: super-chunks whose chunks and blocks are boxes of items.
//!
//! A metalayer ([`meta`]) says an array's shapes; [`Layout`] is what follows from them, and [`geometry`] turns a box of
//! items into the blocks that it touches.
//!
//! *Reading* ([`mod@slice`]): `sweep` opens the chunks and hands their blocks to the workers; `read` copies each from the
//! worker's scratch to its place in the caller's buffer. *Writing*: `write` has every worker gather its block from the
//! caller's buffer, over the old one where that is not all new, and puts the chunks into the super-chunk in order.
//!
//! Other ways in and out go through the same two: [`select`] reads and writes items here and there, [`transfer`] brings
//! items from array to array, and [`pour`] fills one from anywhere. [`resize`] moves chunks about, and [`view`] looks at them with other axes.
//!
//! [`create`] makes arrays and [`open`] finds them. All of this works on a super-chunk and a layout that belong to
//! somebody else; [`NdArray`] is both in one, and speaks of numbers where one likes.

pub mod array;
pub mod copy;
pub mod create;
pub mod geometry;
pub mod layout;
pub mod meta;
pub mod open;
pub mod pour;
mod read;
pub mod resize;
pub mod select;
pub mod slice;
mod sweep;
pub mod transfer;
mod typed;
pub mod view;
mod write;

pub use array::NdArray;
pub use create::Blueprint;
pub use layout::{Layout, Strides};
pub use meta::{Dtype, NdMeta};
pub use view::View;

#[cfg(test)]
mod tests;
