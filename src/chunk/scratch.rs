//! A thread's own scratch: everything that working on a block needs and that is worth keeping for the next block.
//!
//! Small ones are kept at no cost at all, and are too little for anybody to miss. Large ones lie on the thread's [`shelf`], where
//! whoever frees a context finds them.

mod shelf;

use crate::base::buffer::Buffer;
use crate::{codec, filter};
use std::cell::{Cell, RefCell};

pub use shelf::give_back;

/// Scratches from this many bytes on are large: what malloc asks the system for, and gives back to it, one by one.
const LARGE: usize = 128 * 1024;

/// Above this many bytes, a buffer is given back after use rather than kept.
const KEEP: usize = 32 * 1024 * 1024;

/// Buffers and states for one block. They grow to what is asked of them and keep their size.
#[derive(Default)]
pub(crate) struct Scratch {
    /// What codecs keep between streams.
    pub(crate) codec: codec::State,
    /// The filters' intermediate blocks.
    pub(crate) filter: filter::Scratch,
    /// A block's raw bytes, where they are not in memory elsewhere.
    pub(crate) raw: Buffer,
    /// A block as a prefilter made it, or as a postfilter gets it.
    pub(crate) hooked: Buffer,
    /// A block's compressed bytes: on their way out, or read from storage.
    pub(crate) packed: Buffer,
    /// One compressed stream that might not fit into the output.
    pub(crate) stream: Buffer,
    /// A decoded block that somebody wants to look at.
    pub(crate) block: Buffer,
    /// What hooks may write on.
    pub(crate) hook: Buffer,
}

impl Scratch {
    #[inline]
    fn trim(&mut self) {
        let Scratch { filter, raw, hooked, packed, stream, block, hook, .. } = self;
        let filter::Scratch { filtered, between } = filter;
        for buffer in [raw, hooked, packed, stream, block, hook, filtered, between] {
            buffer.trim(KEEP);
        }
    }
}

thread_local! {
    /// Small ones that this thread has and is not using. More than one only after a hook called back into the library.
    #[expect(clippy::vec_box, reason = "moved in and out for every block; a Scratch is large")]
    static IDLE: RefCell<Vec<Box<Scratch>>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` with a scratch of this thread's own, which grows to `len` bytes, about. `work` may come back here: it then gets
/// another one.
pub(crate) fn with<R>(len: usize, work: impl FnOnce(&mut Scratch) -> R) -> R {
    if len >= LARGE {
        return with_large(work);
    }
    let mut scratch = IDLE.try_with(|idle| idle.borrow_mut().pop()).ok().flatten().unwrap_or_default();
    let result = work(&mut scratch);
    // A thread that is going away has nowhere to put it; a panic in `work` drops it, too.
    let _ = IDLE.try_with(move |idle| idle.borrow_mut().push(scratch));
    result
}

/// [`with`], for large scratches.
fn with_large<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = shelf::with(|shelf| shelf.scratch.pop()).flatten().unwrap_or_default();
    let result = work(&mut scratch);
    scratch.trim();
    shelf::with(move |shelf| shelf.scratch.push(scratch));
    result
}

/// How much [`with_small`] has to give.
pub(crate) const SMALL: usize = 16 * 1024;

thread_local! {
    /// What [`with_small`] gives, when nobody has it.
    static SMALL_IDLE: Cell<Option<Box<[u8; SMALL]>>> = const { Cell::new(None) };
}

/// Runs `work` with memory of this thread's own, apart from any [`Scratch`]. `work` may come back here: it then gets other.
pub(crate) fn with_small<R>(work: impl FnOnce(&mut [u8; SMALL]) -> R) -> R {
    let mut small = SMALL_IDLE.try_with(Cell::take).ok().flatten().unwrap_or_else(|| Box::new([0; SMALL]));
    let result = work(&mut small);
    let _ = SMALL_IDLE.try_with(move |idle| idle.set(Some(small)));
    result
}

/// Longest chunk for which [`with_whole`] has memory.
pub(crate) const MOST_WHOLE: usize = 4 * 1024 * 1024;

thread_local! {
    /// What [`with_whole`] gives, when nobody has it and it is small.
    static WHOLE_IDLE: Cell<Option<Buffer>> = const { Cell::new(None) };
}

/// Runs `work` with memory of this thread's own for a chunk from storage, or several blocks of one, of [`MOST_WHOLE`] bytes
/// at most. `work` may come back here: it then gets other.
pub(crate) fn with_whole<R>(work: impl FnOnce(&mut Buffer) -> R) -> R {
    let small = WHOLE_IDLE.try_with(Cell::take).ok().flatten();
    let mut whole = small.or_else(|| shelf::with(|shelf| shelf.whole.take()).flatten()).unwrap_or_default();
    let result = work(&mut whole);
    if whole.capacity() < LARGE {
        let _ = WHOLE_IDLE.try_with(move |idle| idle.set(Some(whole)));
    } else {
        shelf::with(move |shelf| shelf.whole = Some(whole));
    }
    result
}

/// Gives back all memory that the calling thread keeps, and what is large of other threads'.
pub fn release() {
    let _ = IDLE.try_with(|idle| idle.take());
    let _ = SMALL_IDLE.try_with(Cell::take);
    let _ = WHOLE_IDLE.try_with(Cell::take);
    give_back();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_uses_do_not_share() {
        for len in [0, LARGE] {
            with(len, |outer| {
                outer.raw.sized(4).fill(1);
                with(len, |inner| inner.raw.sized(4).fill(2));
                assert_eq!(outer.raw.sized(4), [1; 4]);
            });
            release();
            with(len, |fresh| assert_eq!(fresh.raw.capacity(), 0));
        }
    }

    #[test]
    fn whole_chunks_do_not_share_and_are_given_back() {
        for len in [4, LARGE] {
            with_whole(|outer| {
                outer.sized(len).fill(1);
                with_whole(|inner| inner.sized(4).fill(2));
                assert!(outer.sized(len).iter().all(|&byte| byte == 1));
            });
            release();
            with_whole(|fresh| assert_eq!(fresh.capacity(), 0));
        }
    }

    #[test]
    fn small_ones_are_kept_when_large_ones_are_given_back() {
        for len in [0, LARGE] {
            with(len, |s| s.raw.sized(100).fill(1));
        }
        give_back();
        with(0, |s| assert!(s.raw.capacity() >= 100));
        with(LARGE, |s| assert_eq!(s.raw.capacity(), 0));
    }

    #[test]
    fn buffers_keep_what_is_reasonable() {
        let mut s = Scratch::default();
        s.raw.sized(KEEP + 1);
        s.block.sized(100);
        s.trim();
        assert_eq!((s.raw.capacity(), s.block.capacity() >= 100), (0, true));
    }
}
