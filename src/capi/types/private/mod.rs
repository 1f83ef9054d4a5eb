//! Structs that the interface calls opaque, but whose fields tuners and plugins read and write by offset because they
//! compile against the C library's private headers. A handle begins with one of these; what only the C library itself
//! used holds its place and stays zero.

mod context;
mod frame;
mod nd_context;

pub use context::blosc2_context_s;
pub use frame::blosc2_frame_s;
pub use nd_context::b2nd_context_s;
