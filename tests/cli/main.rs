//! The command `b2`, run as a person or a script would run it.

#[path = "../common/mod.rs"]
mod common;

mod damage;
mod data;
mod look;
mod robust;
mod run;
mod wheel;
