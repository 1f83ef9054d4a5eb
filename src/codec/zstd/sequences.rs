//! Matches with the literals in front of them, and how they are written and read (RFC 8878, 3.1.1.3.2).

pub(super) mod bits;
pub(super) mod codes;
pub(super) mod found;
pub(super) mod often;
pub(super) mod write;

/// The longest stream that has them.
pub(super) const MOST: usize = 2048;

/// Literals, and a match behind them.
#[derive(Clone, Copy)]
pub(super) struct Sequence {
    pub literals: u16,
    pub len: u16,
    /// The distance and 3, or which of the last distances: 1 to 3.
    pub offset: u16,
}

impl Sequence {
    pub const NONE: Self = Sequence { literals: 0, len: 0, offset: 0 };
}

/// The distances of the last matches.
pub(super) struct Distances([usize; 3]);

impl Distances {
    /// Those that a stream begins with.
    pub const FIRST: Self = Distances([1, 4, 8]);

    /// The last one.
    pub fn last(&self) -> usize {
        self.0[0]
    }

    /// Those that offsets from 1 to 3 mean, behind so many literals: behind none, the first is not meant, as what follows it would
    /// have been part of the match before. 0 is none.
    #[inline(always)]
    pub fn meant(&self, literals: usize) -> [usize; 3] {
        let [first, second, third] = self.0;
        if literals > 0 { [first, second, third] } else { [second, third, first - 1] }
    }

    /// What a distance is written as, behind so many literals.
    fn offset(&self, distance: usize, literals: usize) -> usize {
        let meant = self.meant(literals);
        meant.iter().position(|&meant| meant == distance).map_or(distance + 3, |at| at + 1)
    }

    /// What a distance is written as, behind so many literals; it is the last one then.
    #[inline(always)]
    pub fn tell(&mut self, distance: usize, literals: usize) -> usize {
        // Mostly, it is already.
        if literals > 0 && distance == self.last() {
            return 1;
        }
        let offset = self.offset(distance, literals);
        self.take(offset, literals);
        offset
    }

    /// The distance that an offset means, which is the first one then; 0 when it is none.
    #[inline(always)]
    pub fn take(&mut self, offset: usize, literals: usize) -> usize {
        let [first, second, third] = self.0;
        let distance = match offset.checked_sub(4) {
            Some(less) => less + 1,
            None => self.meant(literals)[(offset - 1) % 3],
        };
        self.0 = match offset - usize::from(offset < 4 && literals > 0) {
            0 => [first, second, third],
            1 if offset < 4 => [distance, first, third],
            _ => [distance, first, second],
        };
        distance
    }
}

#[cfg(test)]
mod tests;
