//! The ground floor: what every room above needs and none of them owns.
//!
//! [`error`] says what went wrong; [`bytes`] reads untrusted bytes; [`buffer`] keeps memory for the next use; [`cbuf`]
//! holds memory that C may free; [`checksum`] is the one we use; [`scatter`] is the one way in which workers share an
//! output buffer; [`strided`] finds the runs of a box in two buffers; [`cpu`] knows the instruction sets; [`mod@env`] the
//! environment overrides; [`params`] how to compress, with [`hooks`] that a caller may hang in; [`item`] the numbers that
//! bytes can be; [`consts`] the numbers of the format; [`mod@copy`] copies; [`mod@glance`] looks into caches;
//! `random` is for tests.

pub mod buffer;
pub mod bytes;
pub mod cbuf;
pub mod checksum;
pub mod consts;
pub mod copy;
pub mod cpu;
pub mod digits;
pub mod env;
pub mod error;
pub mod glance;
pub mod hooks;
pub mod item;
pub mod params;
#[cfg(test)]
pub mod random;
pub mod scatter;
pub mod strided;

pub use cbuf::CBuf;
pub use error::{Error, ErrorKind, Result};
pub use glance::glance;
pub use item::Item;
