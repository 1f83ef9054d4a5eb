//! Filters that users bring, by id, for the whole process.

use super::{GLOBAL_START, USER_START};
use crate::base::{Error, ErrorKind, Result};
use crate::fail;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// What a user's filter is told about the block it works on.
#[derive(Clone, Copy, Debug)]
pub struct UserCall {
    /// The id under which the filter was found; one filter may serve several.
    pub id: u8,
    /// The slot's parameter byte.
    pub meta: u8,
    /// Bytes per item, as in the chunk's header.
    pub typesize: usize,
    /// Where the block starts in its chunk, in bytes.
    pub offset: usize,
    /// The word that the caller of the pipeline put into [`BlockCtx::token`](super::BlockCtx::token).
    pub token: usize,
}

/// A filter from outside. It is called from several threads at once.
pub trait UserFilter: Send + Sync {
    /// Filters `input` into `output`, which is as long and holds anything.
    ///
    /// # Errors
    /// Whatever it likes; compressing then fails with `FilterPipeline`.
    fn forward(&self, call: &UserCall, input: &[u8], output: &mut [u8]) -> Result<()>;

    /// Undoes [`forward`](UserFilter::forward).
    ///
    /// # Errors
    /// Whatever it likes; decompressing fails with that.
    fn backward(&self, call: &UserCall, input: &[u8], output: &mut [u8]) -> Result<()>;
}

struct Entry {
    name: Option<String>,
    filter: Arc<dyn UserFilter>,
}

static FILTERS: RwLock<BTreeMap<u8, Entry>> = RwLock::new(BTreeMap::new());

/// Registers a filter under an id from 160 on, with a name if it has one. To register an id again under the same name,
/// or where one of the two has none, changes nothing.
///
/// # Errors
/// `Failure` when the id is below 160 or taken by a filter of another name.
pub fn register(id: u8, name: Option<&str>, filter: Arc<dyn UserFilter>) -> Result<()> {
    if id < USER_START {
        fail!(Failure, "filter id {id} is not the user's: those start at {USER_START}");
    }
    let mut filters = FILTERS.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(entry) = filters.get(&id) {
        if let (Some(there), Some(name)) = (&entry.name, name)
            && there != name
        {
            fail!(Failure, "filter id {id} is taken by {there:?}");
        }
        return Ok(());
    }
    filters.insert(id, Entry { name: name.map(str::to_owned), filter });
    Ok(())
}

/// Forgets every registered filter.
pub fn forget_all() {
    FILTERS.write().unwrap_or_else(PoisonError::into_inner).clear();
}

/// The filter of an id that is not one of ours.
///
/// # Errors
/// `FilterPipeline` when none is registered; `Failure` for ids below 32, which nobody can register.
pub(super) fn find(id: u8) -> Result<Arc<dyn UserFilter>> {
    if id < GLOBAL_START {
        fail!(Failure, "there is no filter {id}");
    }
    match FILTERS.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
        Some(entry) => Ok(entry.filter.clone()),
        None => Err(missing(id)),
    }
}

/// The error for a filter that nobody has registered.
pub(super) fn missing(id: u8) -> Error {
    Error::new(ErrorKind::FilterPipeline, format!("no filter is registered as {id}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;

    struct Copy;
    impl UserFilter for Copy {
        fn forward(&self, _: &UserCall, input: &[u8], output: &mut [u8]) -> Result<()> {
            output.copy_from_slice(input);
            Ok(())
        }
        fn backward(&self, call: &UserCall, input: &[u8], output: &mut [u8]) -> Result<()> {
            self.forward(call, input, output)
        }
    }

    #[test]
    fn an_id_is_registered_once() {
        let kind = |id, name| register(id, Some(name), Arc::new(Copy)).map_err(|e| e.kind());
        assert_eq!(kind(159, "copy"), Err(ErrorKind::Failure));
        assert_eq!(kind(201, "copy"), Ok(()));
        assert_eq!(kind(201, "copy"), Ok(()));
        assert_eq!(kind(201, "other"), Err(ErrorKind::Failure));
        assert!(register(201, None, Arc::new(Copy)).is_ok());
        assert!(find(201).is_ok());
        assert_eq!(find(202).err().unwrap().kind(), ErrorKind::FilterPipeline);
        assert_eq!(find(31).err().unwrap().kind(), ErrorKind::Failure);
    }
}
