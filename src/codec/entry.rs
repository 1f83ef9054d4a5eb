//! Positions in the tables of match finders.

/// A position in a table, in as few bits as the stream allows.
pub(in crate::codec) trait Entry: Copy + Default {
    fn of(at: usize) -> Self;
    fn at(self) -> usize;
}

impl Entry for u16 {
    #[inline(always)]
    fn of(at: usize) -> Self {
        at as u16
    }
    #[inline(always)]
    fn at(self) -> usize {
        usize::from(self)
    }
}

impl Entry for u32 {
    #[inline(always)]
    fn of(at: usize) -> Self {
        at as u32
    }
    #[inline(always)]
    fn at(self) -> usize {
        self as usize
    }
}
