//! Input and output as C knows it: what a path names can be removed and renamed.

pub mod urlpath;
