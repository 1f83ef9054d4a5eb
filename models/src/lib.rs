//! The pool's sources, compiled with loom's threads and locks.
#![cfg(loom)]
#![allow(dead_code)] // models use a part of it

#[path = "../../src/base/consts.rs"]
pub mod consts;
#[path = "../../src/base/digits.rs"]
pub mod digits;
#[path = "../../src/base/error.rs"]
pub mod error;
#[path = "../../src/exec/mod.rs"]
pub mod exec;

/// What the pool knows of the ground floor.
pub mod base {
    pub use crate::consts;
    pub use crate::digits;
    pub use crate::error::{Error, ErrorKind, Result};
}
