//! Input and output as C knows it.
//!
//! [`registry`] holds a program's own backends, and the two that come with the library for those who ask for their
//! functions: [`stdio`], files, and [`mmap`], files mapped into memory. [`backend`] turns what a storage names into the
//! engine's backend: the library's own go straight to [`crate::io`], a program's through
//! [`callbacks`](super::callbacks). [`urlpath`] removes and renames.

pub(crate) mod backend;
pub mod mmap;
pub mod registry;
pub mod stdio;
pub mod urlpath;
