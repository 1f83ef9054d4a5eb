//! What this library has beyond the C library's interface, under a prefix of its own: `b2x_`.
//!
//! Its header is `blosc2_ext.h`.

pub mod frames;
pub mod last_error;
pub mod types;
