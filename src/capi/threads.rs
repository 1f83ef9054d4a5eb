//! Where block jobs run: the library's pool of threads, or the program's.

use super::callbacks::CExecutor;
use super::guard::guard;
use super::types::blosc_threads_callback;
use crate::exec::{self, Executor};
use libc::c_void;

/// Has the program's own threads work on chunks, in the place of the library's.
///
/// To be called before the library works on anything with several threads: work that has begun goes on as it was.
///
/// @param callback Runs jobs; NULL puts the library's own threads back. It must return only when all jobs are done, may
///   run them one after the other, and may be called from several threads at once.
/// @param callback_data Passed to `callback`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_set_threads_callback(
    callback: blosc_threads_callback,
    callback_data: *mut c_void,
) {
    guard("blosc2_set_threads_callback", || {
        // SAFETY: the caller vouches for the function.
        let executor = unsafe { CExecutor::new(callback, callback_data) };
        exec::set_executor(executor.map(|executor| Box::new(executor) as Box<dyn Executor>));
        Ok(())
    });
}
