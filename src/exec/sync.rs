//! What threads meet through: the standard library's, or under `cfg(loom)` loom's, which tries the orders in which
//! threads can meet. The models are in `models/`.

#[cfg(loom)]
pub(super) use loom::{
    hint::spin_loop,
    sync::atomic::AtomicUsize,
    sync::{Condvar, Mutex, MutexGuard},
    thread::{Builder, JoinHandle},
    thread_local,
};
#[cfg(not(loom))]
pub(super) use std::{
    hint::spin_loop,
    sync::atomic::AtomicUsize,
    sync::{Condvar, Mutex, MutexGuard},
    thread::{Builder, JoinHandle},
    thread_local,
};
