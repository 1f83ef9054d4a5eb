//! What can be done with contexts beyond compressing and decompressing, as C programs do it, in our shared library and in
//! the C library.
#![allow(unsafe_code)] // calls into shared libraries

#[path = "../common/contexts.rs"]
mod contexts;
#[path = "../common/pair.rs"]
mod pair;
#[path = "../../src/base/random.rs"]
#[allow(dead_code)] // each program uses a part
mod random;

mod measured;
mod misuse;
mod partial;
mod special;
mod vlblocks;
