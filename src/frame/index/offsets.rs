//! The codes of all offsets: a list, or one code for all.

/// Where the chunks are, as codes.
#[derive(Clone, Debug)]
pub(super) enum Offsets {
    /// All the same: what a filled frame has, however many chunks that is.
    Uniform { code: i64, len: usize },
    /// One each.
    List(Vec<i64>),
}

/// The offset that a code means, unless the chunk is a special one.
pub(super) fn stored(code: i64) -> Option<u64> {
    u64::try_from(code).ok()
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

    /// Those from chunk `n` on.
    pub fn codes_from(&self, n: usize) -> impl Iterator<Item = i64> + '_ {
        (n..self.len()).map_while(|n| self.code(n))
    }

    /// Whether those that are no special chunks' ascend, and no two are the same.
    pub fn ascend(&self) -> bool {
        match self {
            Offsets::Uniform { code, len } => *code < 0 || *len < 2,
            Offsets::List(list) => {
                list.iter().filter(|&&code| code >= 0).is_sorted_by(|one, next| one < next)
            }
        }
    }

    /// How many are `offset`, and the smallest of those that are larger.
    pub fn around(&self, offset: u64) -> (usize, Option<u64>) {
        match self {
            Offsets::Uniform { code, len } => match u64::try_from(*code) {
                Ok(at) if at == offset => (*len, None),
                at => (0, at.ok().filter(|&at| at > offset && *len > 0)),
            },
            Offsets::List(list) => {
                // By how much each is larger: those that are not, and negative ones, come out behind all others.
                let larger = |code: i64| (code as u64).wrapping_sub(offset);
                let fold = |(here, least): (usize, u64), code: &i64| {
                    let larger = larger(*code);
                    (here + usize::from(larger == 0), least.min(larger.wrapping_sub(1)))
                };
                let (here, least) = list.iter().fold((0, u64::MAX), fold);
                let next = least.checked_add(1).and_then(|larger| larger.checked_add(offset));
                (here, next.filter(|&next| i64::try_from(next).is_ok()))
            }
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
