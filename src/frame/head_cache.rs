//! What stands before the blocks of chunks that were read lately, so that reading another block of one of them is one
//! read.

use crate::base::glance;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most bytes that are kept.
const MOST: usize = 1 << 20;

/// Heads of chunks by their place in the frame. Good for one state of the frame only.
#[derive(Debug, Default)]
pub struct HeadCache {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    heads: HashMap<u64, Arc<[u8]>>,
    bytes: usize,
}

impl HeadCache {
    /// The head of the chunk at `place`, if it is known.
    pub fn get(&self, place: u64) -> Option<Arc<[u8]>> {
        glance(&self.inner)?.heads.get(&place).cloned()
    }

    /// Remembers a head.
    pub fn put(&self, place: u64, head: &[u8]) {
        if head.len() > MOST / 4 {
            return;
        }
        let Some(mut inner) = glance(&self.inner) else { return };
        if inner.bytes + head.len() > MOST {
            *inner = Inner::default();
        }
        inner.bytes += head.len();
        if let Some(old) = inner.heads.insert(place, head.into()) {
            inner.bytes -= old.len();
        }
    }

    /// Forgets all: the frame has changed.
    pub fn clear(&self) {
        let mut inner = self.inner();
        if inner.bytes > 0 {
            *inner = Inner::default();
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_no_more_than_it_may() {
        let cache = HeadCache::default();
        for place in 0..100 {
            cache.put(place, &vec![place as u8; 100_000]);
            assert_eq!(cache.get(place).unwrap()[0], place as u8);
            assert!(cache.inner().bytes <= MOST);
        }
        assert!(cache.get(0).is_none());
        cache.put(7, &vec![0; MOST]);
        assert!(cache.get(7).is_none());
        cache.clear();
        assert!(cache.get(99).is_none());
    }
}
