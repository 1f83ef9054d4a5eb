//! A C program's own pool of threads as the engine's.

use crate::capi::types::blosc_threads_callback;
use crate::exec::Executor;
use libc::{c_int, c_void};

/// The function that runs jobs, and what it gets.
pub(crate) struct CExecutor {
    function: unsafe extern "C" fn(
        *mut c_void,
        Option<unsafe extern "C" fn(*mut c_void)>,
        c_int,
        usize,
        *mut c_void,
    ),
    data: *mut c_void,
}

// SAFETY: the interface says that the function is called from any thread; what its data is, is the caller's to see to.
unsafe impl Send for CExecutor {}
// SAFETY: as above.
unsafe impl Sync for CExecutor {}

impl CExecutor {
    /// None without a function.
    ///
    /// # Safety
    /// `function` may be called with `data` from any thread for the rest of the process, and keeps the interface's word:
    /// it returns when all the calls that it makes have returned.
    pub(crate) unsafe fn new(function: blosc_threads_callback, data: *mut c_void) -> Option<Self> {
        function.map(|function| CExecutor { function, data })
    }
}

/// A seat at a run, as the C function passes it around.
struct Seat<'a> {
    work: &'a (dyn Fn(usize) + Sync),
    number: usize,
}

/// Takes the seat at `seat`.
///
/// # Safety
/// `seat` is one of the seats that `execute` made.
unsafe extern "C" fn take(seat: *mut c_void) {
    // SAFETY: the caller vouches for it; seats are only read.
    let seat = unsafe { &*seat.cast::<Seat<'_>>() };
    // The engine's work does not panic.
    (seat.work)(seat.number);
}

impl Executor for CExecutor {
    fn execute(&self, nseats: usize, work: &(dyn Fn(usize) + Sync)) {
        let mut seats: Vec<Seat<'_>> = (0..nseats).map(|number| Seat { work, number }).collect();
        let size = size_of::<Seat<'_>>();
        // SAFETY: `new`'s caller vouched for the function; the seats, of which there are few, live until it returns.
        unsafe { (self.function)(self.data, Some(take), nseats as c_int, size, seats.as_mut_ptr().cast()) };
    }
}
