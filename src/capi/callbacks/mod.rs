//! Functions of the caller's behind the engine's traits.
//!
//! [`CPrefilter`] and [`CPostfilter`], one [`Hook`](hook::Hook) each, belong to a context and know it. [`CCodec`] and
//! [`CFilter`] are registered for the process and called with the parameters of whichever context is at work: they find
//! it by the token that the engine passes on (see [`look`](crate::capi::context::look)). [`CTuner`] changes that context. [`CExecutor`] is a
//! program's own pool of threads, [`CBackend`] its own files.

mod codec;
mod executor;
mod filter;
mod hook;
mod io;
mod postfilter;
mod prefilter;
mod tuner;

pub(crate) use codec::CCodec;
pub(crate) use executor::CExecutor;
pub(crate) use filter::CFilter;
pub(crate) use io::CBackend;
pub(crate) use postfilter::CPostfilter;
pub(crate) use prefilter::CPrefilter;
pub(crate) use tuner::CTuner;
