//! Functions of the caller's behind the engine's traits.

mod postfilter;
mod prefilter;

pub(crate) use postfilter::CPostfilter;
pub(crate) use prefilter::CPrefilter;
