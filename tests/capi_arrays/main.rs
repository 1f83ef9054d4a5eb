//! Arrays as C programs hold them, in our shared library and in the C library.
#![allow(unsafe_code)] // calls into shared libraries

#[path = "../common/pair.rs"]
mod pair;

mod edits;
mod moves;
mod plan;
mod selections;
mod shaped;
mod stored;
mod views;
