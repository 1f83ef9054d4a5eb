//! The C façade: the functions, structs and numbers of `libblosc2`, over the engine.
//!
//! [`types`] is the interface's vocabulary, and what the headers are generated from. Every exported function runs in
//! [`guard`], turns pointers into slices and structs with [`pointers`], and makes one call into the engine.
//! No format is known here and no data is looped over. The words on exported functions are the C headers' words;
//! what only Rust readers need is in ordinary comments.
#![allow(unsafe_code)] // pointers from C
#![allow(clippy::missing_safety_doc)] // documentation here becomes the C headers; C has no safe functions

pub mod b2nd;
mod callbacks;
pub mod chunks;
pub mod compress;
pub mod context;
pub mod defaults;
mod environment;
pub mod ext;
pub mod guard;
pub mod indexes;
pub mod io;
pub mod library;
mod plugins;
pub mod pointers;
pub mod registry;
pub mod schunk;
pub mod settings;
pub mod shuffle;
pub mod special;
pub mod threads;
pub mod timestamps;
mod tuners;
pub mod types;
