//! Tuners that a program registers, by id, for the whole process; and how they start and stop with a context.

use super::plugins;
use super::types::{blosc2_context, blosc2_cparams};
use crate::base::{Error, ErrorKind, Result};
use crate::fail;
use libc::{c_int, c_void};
use std::ptr::{NonNull, null_mut};
use std::sync::{PoisonError, RwLock};

/// Starts tuning for a context.
pub(crate) type Init = unsafe extern "C" fn(*mut c_void, *mut blosc2_context, *mut blosc2_context) -> c_int;
/// Chooses something for the next chunk, or ends tuning.
pub(crate) type Step = unsafe extern "C" fn(*mut blosc2_context) -> c_int;
/// Learns how long a chunk took, in seconds.
pub(crate) type Update = unsafe extern "C" fn(*mut blosc2_context, f64) -> c_int;

/// The functions of a tuner; those that are missing are in a plugin of its name.
#[derive(Clone, Copy, Default)]
pub(crate) struct Functions {
    pub(crate) init: Option<Init>,
    pub(crate) next_blocksize: Option<Step>,
    pub(crate) next_cparams: Option<Step>,
    pub(crate) update: Option<Update>,
    pub(crate) free: Option<Step>,
}

/// A registered tuner.
#[derive(Clone)]
pub(crate) struct Tuner {
    pub(crate) id: c_int,
    pub(crate) name: String,
    pub(crate) functions: Functions,
}

/// The first id that a program may register.
const FIRST_USER: c_int = 160;
/// As many tuners as there may be.
const MOST: usize = 254;
/// The tuner of the public registry that a plugin may bring.
pub(crate) const BTUNE_ID: c_int = 32;
const BTUNE_NAME: &str = "btune";

static TUNERS: RwLock<Vec<Tuner>> = RwLock::new(Vec::new());

/// Adds a tuner. Registering the same id and name again changes nothing.
///
/// # Errors
/// `Failure` when the id is below 160 or has another name already; `CodecSupport` when there are too many.
pub(crate) fn register(tuner: Tuner) -> Result<()> {
    if tuner.id < FIRST_USER {
        fail!(Failure, "tuner id {} is not the user's: those start at {FIRST_USER}", tuner.id);
    }
    let mut tuners = TUNERS.write().unwrap_or_else(PoisonError::into_inner);
    if tuners.len() >= MOST {
        fail!(CodecSupport, "no more than {MOST} tuners can be registered");
    }
    match tuners.iter().find(|other| other.id == tuner.id) {
        Some(other) if other.name != tuner.name => {
            fail!(Failure, "tuner id {} is taken by {:?}", tuner.id, other.name)
        }
        Some(_) => {}
        None => tuners.push(tuner),
    }
    Ok(())
}

/// Forgets every registered tuner.
pub(crate) fn forget_all() {
    TUNERS.write().unwrap_or_else(PoisonError::into_inner).clear();
}

/// The tuner `id`.
///
/// # Errors
/// `InvalidParam` when there is none.
pub(crate) fn find(id: c_int) -> Result<Tuner> {
    if id == BTUNE_ID && cfg!(feature = "plugins") {
        return Ok(Tuner { id, name: BTUNE_NAME.into(), functions: Functions::default() });
    }
    let tuners = TUNERS.read().unwrap_or_else(PoisonError::into_inner);
    match tuners.iter().find(|tuner| tuner.id == id) {
        Some(tuner) => Ok(tuner.clone()),
        None => fail!(InvalidParam, "tuner {id} is not registered"),
    }
}

impl Tuner {
    /// One of the functions, from the plugin when it is not here.
    ///
    /// # Errors
    /// `Failure` when it is nowhere.
    pub(crate) fn function<F>(&self, pick: impl Fn(&Functions) -> Option<F>) -> Result<F> {
        if let Some(function) = pick(&self.functions) {
            return Ok(function);
        }
        pick(&plugins::tuner(&self.name)?).ok_or_else(|| {
            Error::new(ErrorKind::Failure, format!("the tuner {} lacks a function", self.name))
        })
    }
}

/// Has the tuner that the parameters ask for, if any, prepare itself.
///
/// # Safety
/// `context` is nobody else's; `cparams.tuner_params` is what the tuner expects.
pub(crate) unsafe fn start(cparams: &blosc2_cparams, context: NonNull<blosc2_context>) -> Result<()> {
    if cparams.tuner_id <= 0 {
        return Ok(());
    }
    let init = find(cparams.tuner_id)?.function(|functions| functions.init)?;
    // SAFETY: the caller vouches for the arguments; there is no context for decompressing.
    let code = unsafe { init(cparams.tuner_params, context.as_ptr(), null_mut()) };
    if code < 0 {
        fail!(Tuner, "tuner {} could not start: {code}", cparams.tuner_id);
    }
    // SAFETY: as above.
    unsafe { (*context.as_ptr()).tuner_id = cparams.tuner_id };
    Ok(())
}

/// Has the tuner, if one keeps something with the context, clean up.
///
/// # Safety
/// `context` is alive and nobody uses it any more.
pub(crate) unsafe fn stop(context: NonNull<blosc2_context>) -> Result<()> {
    // SAFETY: the caller vouches for the context.
    let (id, kept) = unsafe { ((*context.as_ptr()).tuner_id, (*context.as_ptr()).tuner_params) };
    if id > 0 && !kept.is_null() {
        let free = find(id)?.function(|functions| functions.free)?;
        // SAFETY: as above; a registered tuner's function may be called.
        let code = unsafe { free(context.as_ptr()) };
        if code < 0 {
            fail!(Tuner, "tuner {id} could not clean up: {code}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_registered_once() {
        let kind = |id, name: &str| {
            register(Tuner { id, name: name.into(), functions: Functions::default() }).map_err(|e| e.kind())
        };
        assert_eq!(kind(159, "a"), Err(ErrorKind::Failure));
        assert_eq!(kind(7_000_001, "a"), Ok(()));
        assert_eq!(kind(7_000_001, "a"), Ok(()));
        assert_eq!(kind(7_000_001, "b"), Err(ErrorKind::Failure));
        assert_eq!(find(7_000_001).unwrap().name, "a");
        assert_eq!(find(7_000_002).err().unwrap().kind(), ErrorKind::InvalidParam);
        assert_eq!(find(32).unwrap().name, "btune");
    }
}
