//! The codes of all offsets: a list, or one code for all.

/// Where the chunks are, as codes.
#[derive(Clone, Debug)]
pub(super) enum Offsets {
    /// All the same: what a filled frame has, however many chunks that is.
    Uniform { code: i64, len: usize },
    /// One each.
    List(Vec<i64>),
}

impl Offsets {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Offsets::Uniform { len, .. } => *len,
            Offsets::List(list) => list.len(),
        }
    }

    /// The code of chunk `n`.
    pub fn code(&self, n: usize) -> Option<i64> {
        match self {
            Offsets::Uniform { code, len } => (n < *len).then_some(*code),
            Offsets::List(list) => list.get(n).copied(),
        }
    }

    /// All codes, in order.
    pub fn codes(&self) -> Box<dyn Iterator<Item = i64> + '_> {
        match self {
            Offsets::Uniform { code, len } => Box::new(std::iter::repeat_n(*code, *len)),
            Offsets::List(list) => Box::new(list.iter().copied()),
        }
    }

    /// The first chunk whose code is `wanted`.
    pub fn position(&self, wanted: impl Fn(i64) -> bool) -> Option<usize> {
        match self {
            Offsets::Uniform { code, .. } => wanted(*code).then_some(0),
            Offsets::List(list) => list.iter().position(|&code| wanted(code)),
        }
    }

    /// The largest code there is.
    pub fn largest(&self) -> Option<i64> {
        match self {
            Offsets::Uniform { code, .. } => Some(*code),
            Offsets::List(list) => list.iter().max().copied(),
        }
    }

    /// All the same, written out, so that they need no longer be.
    pub fn as_list(&mut self) -> &mut Vec<i64> {
        loop {
            match self {
                Offsets::List(list) => return list,
                Offsets::Uniform { code, len } => *self = Offsets::List(vec![*code; *len]),
            }
        }
    }
}
