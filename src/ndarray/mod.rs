//! N-dimensional arrays (the b2nd layer).
pub mod copy;
pub mod geometry;
pub mod layout;
pub mod meta;
