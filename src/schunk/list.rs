//! Chunks in memory, one buffer each.

use crate::base::{CBuf, Error, ErrorKind, Result};
use std::mem;
use std::ops::{Deref, Range};

/// The chunks, and which of them are others than when somebody asked last.
#[derive(Debug)]
pub(super) struct List {
    chunks: Vec<CBuf>,
    changed: Range<usize>,
}

/// To the end, wherever that is.
const END: usize = usize::MAX;

impl List {
    /// Of these chunks, all of them new.
    pub fn new(chunks: Vec<CBuf>) -> Self {
        List { chunks, changed: 0..END }
    }

    /// Makes room for one more chunk.
    pub fn reserve_one(&mut self) -> Result<()> {
        let room = self.chunks.try_reserve(1);
        room.map_err(|_| Error::new(ErrorKind::MemoryAlloc, "no memory for one more chunk"))
    }

    /// Adds a chunk behind all others.
    pub fn push(&mut self, chunk: CBuf) {
        self.note(self.chunks.len()..END);
        self.chunks.push(chunk);
    }

    /// Adds a chunk before chunk `n`.
    pub fn insert(&mut self, n: usize, chunk: CBuf) {
        self.note(n..END);
        self.chunks.insert(n, chunk);
    }

    /// Puts a chunk in place of chunk `n`.
    pub fn replace(&mut self, n: usize, chunk: CBuf) {
        self.note(n..n + 1);
        self.chunks[n] = chunk;
    }

    /// Takes chunk `n` out.
    pub fn remove(&mut self, n: usize) {
        self.note(n..END);
        self.chunks.remove(n);
    }

    /// Makes what was chunk `order[i]` chunk `i`. Every chunk is named once.
    pub fn reorder(&mut self, order: &[usize]) {
        self.note(0..END);
        let mut old = mem::take(&mut self.chunks);
        self.chunks = order.iter().map(|&n| mem::replace(&mut old[n], CBuf::empty())).collect();
    }

    /// The chunks among which are all that are not where they were when this was asked last.
    pub fn take_changed(&mut self) -> Range<usize> {
        let changed = mem::take(&mut self.changed);
        let start = changed.start.min(self.chunks.len());
        start..changed.end.clamp(start, self.chunks.len())
    }

    fn note(&mut self, changed: Range<usize>) {
        let before = if self.changed.is_empty() { changed.clone() } else { self.changed.clone() };
        self.changed = before.start.min(changed.start)..before.end.max(changed.end);
    }
}

impl Deref for List {
    type Target = [CBuf];

    fn deref(&self) -> &[CBuf] {
        &self.chunks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    fn chunk(id: usize) -> CBuf {
        CBuf::copy_of(&id.to_le_bytes()).unwrap()
    }

    #[test]
    fn who_copies_what_has_changed_has_all_chunks() {
        let mut rng = Random::new(7);
        let mut list = List::new((0..5).map(chunk).collect());
        let mut seen = Vec::new();
        for id in 0..5000 {
            let (len, n) = (list.len(), rng.below(list.len() + 1));
            match rng.below(6) {
                0 | 1 => list.push(chunk(id)),
                2 => list.insert(n, chunk(id)),
                3 if n < len => list.replace(n, chunk(id)),
                4 if n < len => list.remove(n),
                5 if id % 50 == 0 => list.reorder(&(0..len).rev().collect::<Vec<_>>()),
                _ => {}
            }
            if rng.below(3) > 0 {
                let changed = list.take_changed();
                seen.resize(list.len(), 0);
                for n in changed {
                    seen[n] = list[n].as_ptr() as usize;
                }
                assert!(list.iter().map(|chunk| chunk.as_ptr() as usize).eq(seen.iter().copied()));
                let none = list.take_changed();
                assert!(list[none].is_empty());
            }
        }
    }

    #[test]
    fn little_has_changed_after_little() {
        let mut list = List::new((0..10).map(chunk).collect());
        assert_eq!(list.take_changed(), 0..10);
        list.push(chunk(10));
        assert_eq!(list.take_changed(), 10..11);
        list.replace(3, chunk(11));
        assert_eq!(list.take_changed(), 3..4);
        list.insert(9, chunk(12));
        assert_eq!(list.take_changed(), 9..12);
        list.remove(11);
        assert_eq!(list.take_changed(), 11..11);
        assert_eq!(list.take_changed(), 0..0);
    }
}
