//! What threads keep that is large, where others may give it back while it is not in use.
//!
//! Nobody waits for a lock here ([`glance()`]): a forked child has them as they were.

use super::Scratch;
use crate::base::buffer::Buffer;
use crate::base::glance;
use std::cell::Cell;
use std::mem;
use std::sync::{Arc, Mutex, Weak};

/// What one thread keeps and is not using.
#[derive(Default)]
pub(super) struct Shelf {
    /// More than one only after a hook called back into the library.
    #[expect(clippy::vec_box, reason = "moved in and out for every block; a Scratch is large")]
    pub scratch: Vec<Box<Scratch>>,
    /// For a whole chunk from storage.
    pub whole: Option<Buffer>,
}

/// A thread's own shelf.
#[derive(Default)]
struct Own {
    shelf: Arc<Mutex<Shelf>>,
    /// Whether others know of it.
    listed: Cell<bool>,
}

/// The shelves of some threads, for as long as the threads live.
struct Shelves(Mutex<Vec<Weak<Mutex<Shelf>>>>);

/// Those of all threads that have one.
static ALL: Shelves = Shelves(Mutex::new(Vec::new()));

thread_local! {
    static OWN: Own = Own::default();
}

/// Calls `work` with this thread's shelf, if it can be had: a thread that is going away has none.
pub(super) fn with<R>(work: impl FnOnce(&mut Shelf) -> R) -> Option<R> {
    OWN.try_with(|own| own.with(&ALL, work)).ok().flatten()
}

/// Gives back what is large and threads keep and are not using: to be asked when something has gone that they worked for.
///
/// All that the calling thread keeps; what others keep as far as nobody else is asking for it just now.
pub fn give_back() {
    if OWN.try_with(|own| own.give_back(&ALL)).is_err() {
        // A thread that is going away has nothing of its own.
        ALL.empty();
    }
}

impl Own {
    fn with<R>(&self, all: &Shelves, work: impl FnOnce(&mut Shelf) -> R) -> Option<R> {
        if !self.listed.get() {
            self.listed.set(all.list(&self.shelf));
        }
        Some(work(&mut *glance(&self.shelf)?))
    }

    fn give_back(&self, all: &Shelves) {
        // Not by the list alone: somebody else may be at that.
        empty(&self.shelf);
        all.empty();
    }
}

impl Shelves {
    /// Takes up a shelf, unless somebody is at the list.
    fn list(&self, shelf: &Arc<Mutex<Shelf>>) -> bool {
        let Some(mut shelves) = glance(&self.0) else { return false };
        shelves.retain(|shelf| shelf.strong_count() > 0);
        shelves.push(Arc::downgrade(shelf));
        true
    }

    fn empty(&self) {
        let Some(shelves) = glance(&self.0) else { return };
        for shelf in shelves.iter().filter_map(Weak::upgrade) {
            empty(&shelf);
        }
    }
}

/// Gives back what a shelf holds, unless its thread is at it, or another is emptying it.
fn empty(shelf: &Mutex<Shelf>) {
    // Let go of first: what is large goes back to the system, which takes its time.
    drop(glance(shelf).map(|mut shelf| mem::take(&mut *shelf)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::thread;

    fn none() -> Shelves {
        Shelves(Mutex::new(Vec::new()))
    }

    fn put(own: &Own, all: &Shelves, len: usize) {
        own.with(all, |shelf| {
            shelf.whole.get_or_insert_default().sized(len);
            shelf.scratch.push(Box::default());
        });
    }

    fn kept(own: &Own, all: &Shelves) -> (usize, usize) {
        own.with(all, |shelf| (shelf.whole.as_ref().map_or(0, Buffer::capacity), shelf.scratch.len()))
            .unwrap()
    }

    #[test]
    fn what_other_threads_keep_is_given_back_and_what_they_use_is_not() {
        let (all, met) = (none(), Barrier::new(2));
        thread::scope(|scope| {
            scope.spawn(|| {
                let own = Own::default();
                put(&own, &all, 1000);
                assert_eq!(kept(&own, &all), (1000, 1));
                let mut used = own.with(&all, |shelf| shelf.scratch.pop()).flatten().unwrap();
                used.raw.sized(10).fill(1);
                met.wait();
                // Emptied here.
                met.wait();
                assert_eq!(used.raw.sized(10), [1; 10]);
                assert_eq!(kept(&own, &all), (0, 0));
                put(&own, &all, 100);
                assert_eq!(kept(&own, &all), (100, 1));
            });
            met.wait();
            all.empty();
            met.wait();
        });
    }

    #[test]
    fn nobody_waits() {
        let (all, own) = (none(), Own::default());
        let list = all.0.lock().unwrap();
        put(&own, &all, 10);
        all.empty();
        drop(list);
        assert!(!own.listed.get());
        assert_eq!(kept(&own, &all), (10, 1));
        assert!(own.listed.get());
        let shelf = own.shelf.lock().unwrap();
        all.empty();
        assert!(own.with(&all, |_| ()).is_none());
        drop(shelf);
        assert_eq!(kept(&own, &all), (10, 1));
        all.empty();
        assert_eq!(kept(&own, &all), (0, 0));
    }

    #[test]
    fn a_thread_empties_its_own_while_somebody_else_is_at_the_list() {
        let (all, own) = (none(), Own::default());
        put(&own, &all, 10);
        let list = all.0.lock().unwrap();
        own.give_back(&all);
        assert_eq!(kept(&own, &all), (0, 0));
        drop(list);
    }

    #[test]
    fn shelves_go_with_their_threads() {
        let all = none();
        for _ in 0..10 {
            put(&Own::default(), &all, 1);
        }
        assert_eq!(all.0.lock().unwrap().len(), 1);
    }
}
