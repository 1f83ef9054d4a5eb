//! What can be done with contexts beyond compressing and decompressing, as C programs do it, in our shared library and in
//! the C library.
#![allow(unsafe_code)] // calls into shared libraries

#[path = "../common/contexts.rs"]
mod contexts;
#[path = "../common/pair.rs"]
mod pair;

mod measured;
mod misuse;
mod partial;
mod special;
mod vlblocks;
