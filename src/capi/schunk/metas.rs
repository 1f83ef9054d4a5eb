//! Metalayers in arrays of pointers, as C programs and the inline functions of the headers read them.

use crate::capi::types::blosc2_metalayer;
use crate::frame::Metalayers;
use std::ffi::CString;
use std::ptr::null_mut;
use std::sync::Arc;

/// The mirrored metalayers of one kind.
#[derive(Default)]
pub(crate) struct MetaMirror {
    entries: Vec<Entry>,
    /// The most that were ever written.
    most: usize,
}

/// What was mirrored before.
pub(crate) struct Retired(#[expect(dead_code, reason = "only kept alive")] Vec<Entry>);

/// One metalayer, and what it points to.
struct Entry {
    meta: Box<blosc2_metalayer>,
    name: CString,
    content: Arc<[u8]>,
}

impl Entry {
    fn new(name: &[u8], content: &Arc<[u8]>) -> Self {
        // A name with a NUL in it, from a strange frame, is seen up to there, as C would.
        let end = name.iter().position(|&b| b == 0).unwrap_or(name.len());
        let name = CString::new(&name[..end]).unwrap_or_default();
        let bytes = if content.is_empty() { null_mut() } else { content.as_ptr().cast_mut() };
        let meta = blosc2_metalayer {
            name: name.as_ptr().cast_mut(),
            content: bytes,
            content_len: i32::try_from(content.len()).unwrap_or(i32::MAX),
        };
        Entry { meta: Box::new(meta), name, content: content.clone() }
    }

    fn is(&self, name: &[u8], content: &Arc<[u8]>) -> bool {
        Arc::ptr_eq(&self.content, content) && self.name.as_bytes() == name
    }
}

impl MetaMirror {
    /// The most that were ever written.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// Mirrors `metas`; gives what was replaced by that.
    pub(crate) fn update(&mut self, metas: &Metalayers) -> Retired {
        let mut retired = Vec::new();
        for (i, meta) in metas.iter().enumerate() {
            match self.entries.get_mut(i) {
                Some(entry) if entry.is(meta.name(), meta.content()) => {}
                Some(entry) => {
                    retired.push(std::mem::replace(entry, Entry::new(meta.name(), meta.content())))
                }
                None => self.entries.push(Entry::new(meta.name(), meta.content())),
            }
        }
        retired.extend(self.entries.drain(metas.len().min(self.entries.len())..));
        Retired(retired)
    }

    /// Writes the pointers to the front of a mirror's array, NULL after them; gives their number.
    ///
    /// # Safety
    /// `array` is good for writing.
    pub(crate) unsafe fn write<const N: usize>(&mut self, array: *mut [*mut blosc2_metalayer; N]) -> usize {
        let n = self.entries.len().min(N);
        self.most = self.most.max(n);
        let first = array.cast::<*mut blosc2_metalayer>();
        for (i, entry) in self.entries.iter_mut().take(n).enumerate() {
            // SAFETY: i is below N.
            unsafe { first.add(i).write(&raw mut *entry.meta) };
        }
        if n < N {
            // SAFETY: n is below N.
            unsafe { first.add(n).write(null_mut()) };
        }
        n
    }
}
