//! A box of items that lies in two row-major buffers: its bytes as few, long runs.
//!
//! Dimensions that are whole in both buffers melt into one, so that copying a box of whole rows is one run and copying a
//! column is one loop, whatever the number of dimensions. Everything that could be wrong with the shapes is found when a
//! [`BoxCopy`] is made; going through its runs is arithmetic that cannot overflow.

use super::consts::MAX_DIM;
use super::copy::copy_short;
use super::{Error, ErrorKind, Result};

/// Coordinates of up to 16 dimensions; those past the number of dimensions mean nothing.
pub type Coords = [i64; MAX_DIM];

/// Where a box begins in a row-major buffer.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Items along each dimension of the buffer.
    pub shape: &'a [i64],
    /// The box's first item.
    pub start: &'a [i64],
}

/// The runs of a box in a source and a destination buffer.
#[derive(Clone, Debug)]
pub struct BoxCopy {
    /// Bytes that are contiguous in both buffers; 0 when the box is empty.
    run: usize,
    /// How many loops surround a run.
    nloops: usize,
    /// The loops, innermost first.
    loops: [Loop; MAX_DIM],
    src: Span,
    dst: Span,
}

/// One loop around the runs: how often, and how far each buffer moves on.
#[derive(Clone, Copy, Debug, Default)]
struct Loop {
    count: usize,
    src_step: usize,
    dst_step: usize,
}

/// The part of a buffer that a box touches, in bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: usize,
    end: usize,
}

/// The stride of the dimension at hand and what is known of the span, while the dimensions are gone through.
struct Walk {
    stride: usize,
    first: usize,
    last: usize,
}

impl Walk {
    fn new(itemsize: usize) -> Self {
        Walk { stride: itemsize, first: 0, last: 0 }
    }

    /// Counts in one dimension: `n` of `extent` items from `start` on. `None` when they are not inside or a product
    /// does not fit.
    fn step(&mut self, n: i64, extent: i64, start: i64, outermost: bool) -> Option<()> {
        let end = start.checked_add(n).filter(|&end| start >= 0 && end <= extent)?;
        let (start, last) = (usize::try_from(start).ok()?, usize::try_from(end - 1).ok()?);
        self.first = self.first.checked_add(start.checked_mul(self.stride)?)?;
        self.last = self.last.checked_add(last.checked_mul(self.stride)?)?;
        if !outermost {
            self.stride = self.stride.checked_mul(usize::try_from(extent).ok()?)?;
        }
        Some(())
    }

    fn span(&self, itemsize: usize) -> Option<Span> {
        // A buffer is never longer than isize::MAX, which also leaves room for a step past its end.
        let end = self.last.checked_add(itemsize).filter(|&end| isize::try_from(end).is_ok())?;
        Some(Span { first: self.first, end })
    }
}

impl BoxCopy {
    /// A box of `shape` items of `itemsize` bytes. The three shapes have the same number of dimensions, 16 at most.
    ///
    /// # Errors
    /// `InvalidParam` when the box does not lie inside both buffers, or they are larger than memory can be.
    pub fn new(itemsize: usize, shape: &[i64], src: Place<'_>, dst: Place<'_>) -> Result<Self> {
        Self::plan(itemsize, shape, src, dst).ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidParam,
                format!("a box of {shape:?} items does not lie in {src:?} and {dst:?}"),
            )
        })
    }

    fn plan(itemsize: usize, shape: &[i64], src: Place<'_>, dst: Place<'_>) -> Option<Self> {
        let ndim = shape.len();
        let fits = |place: Place<'_>| place.shape.len() == ndim && place.start.len() == ndim;
        if itemsize == 0 || ndim > MAX_DIM || !fits(src) || !fits(dst) || shape.iter().any(|&n| n < 0) {
            return None;
        }
        let mut plan = BoxCopy {
            run: 0,
            nloops: 0,
            loops: [Loop::default(); MAX_DIM],
            src: Span::default(),
            dst: Span::default(),
        };
        if shape.contains(&0) {
            return Some(plan);
        }
        plan.run = itemsize;
        let (mut s, mut d) = (Walk::new(itemsize), Walk::new(itemsize));
        for dim in (0..ndim).rev() {
            plan.surround(usize::try_from(shape[dim]).ok()?, s.stride, d.stride)?;
            s.step(shape[dim], src.shape[dim], src.start[dim], dim == 0)?;
            d.step(shape[dim], dst.shape[dim], dst.start[dim], dim == 0)?;
        }
        plan.src = s.span(itemsize)?;
        plan.dst = d.span(itemsize)?;
        Some(plan)
    }

    /// Puts a loop of `count` around what there is, or lengthens the run or the outermost loop where that says the same.
    fn surround(&mut self, count: usize, src_step: usize, dst_step: usize) -> Option<()> {
        if count == 1 {
            return Some(());
        }
        if self.nloops == 0 && src_step == self.run && dst_step == self.run {
            self.run = self.run.checked_mul(count)?;
            return Some(());
        }
        if let Some(outer) = self.nloops.checked_sub(1).map(|n| &mut self.loops[n]) {
            let whole = |step: usize| step.checked_mul(outer.count);
            if whole(outer.src_step) == Some(src_step) && whole(outer.dst_step) == Some(dst_step) {
                outer.count = outer.count.checked_mul(count)?;
                return Some(());
            }
        }
        self.loops[self.nloops] = Loop { count, src_step, dst_step };
        self.nloops += 1;
        Some(())
    }

    /// Bytes of each run; 0 when the box is empty.
    pub fn run(&self) -> usize {
        self.run
    }

    /// Whether the box is one run.
    pub fn is_one_run(&self) -> bool {
        self.nloops == 0
    }

    /// The bytes of the source that the box touches lie in this range.
    pub fn src_span(&self) -> std::ops::Range<usize> {
        self.src.first..self.src.end
    }

    /// The bytes of the destination that the box touches lie in this range.
    pub fn dst_span(&self) -> std::ops::Range<usize> {
        self.dst.first..self.dst.end
    }

    /// Calls `f(source offset, destination offset, length)` for every run, in row-major order.
    ///
    /// Short runs come with a length that the compiler knows, so that copying one is a move and not a call.
    #[inline(always)]
    pub fn for_each_run(&self, mut f: impl FnMut(usize, usize, usize)) {
        match self.run {
            0 => {}
            1 => self.for_each(|s, d| f(s, d, 1)),
            2 => self.for_each(|s, d| f(s, d, 2)),
            4 => self.for_each(|s, d| f(s, d, 4)),
            8 => self.for_each(|s, d| f(s, d, 8)),
            16 => self.for_each(|s, d| f(s, d, 16)),
            32 => self.for_each(|s, d| f(s, d, 32)),
            run => self.for_each(|s, d| f(s, d, run)),
        }
    }

    /// [`for_each_run`](BoxCopy::for_each_run), whose length is always [`run`](BoxCopy::run); once where there is none.
    #[inline(always)]
    pub(super) fn for_each(&self, mut f: impl FnMut(usize, usize)) {
        let (mut src, mut dst) = (self.src.first, self.dst.first);
        let Some((inner, outer)) = self.loops[..self.nloops].split_first() else {
            f(src, dst);
            return;
        };
        let mut at = [0usize; MAX_DIM];
        loop {
            let (mut s, mut d) = (src, dst);
            for _ in 0..inner.count {
                f(s, d);
                s += inner.src_step;
                d += inner.dst_step;
            }
            let mut level = 0;
            loop {
                let Some(outer) = outer.get(level) else { return };
                at[level] += 1;
                src += outer.src_step;
                dst += outer.dst_step;
                if at[level] < outer.count {
                    break;
                }
                src -= outer.count * outer.src_step;
                dst -= outer.count * outer.dst_step;
                at[level] = 0;
                level += 1;
            }
        }
    }

    /// Copies the box.
    ///
    /// # Errors
    /// `InvalidParam` when a buffer ends before the box does.
    pub fn copy(&self, src: &[u8], dst: &mut [u8]) -> Result<()> {
        if src.len() < self.src.end || dst.len() < self.dst.end {
            return Err(Error::new(
                ErrorKind::InvalidParam,
                format!(
                    "a box that ends at bytes {} and {} does not fit buffers of {} and {} bytes",
                    self.src.end,
                    self.dst.end,
                    src.len(),
                    dst.len()
                ),
            ));
        }
        self.for_each_run(|s, d, run| copy_short(&src[s..s + run], &mut dst[d..d + run]));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place<'a>(shape: &'a [i64], start: &'a [i64]) -> Place<'a> {
        Place { shape, start }
    }

    fn runs(plan: &BoxCopy) -> Vec<(usize, usize, usize)> {
        let mut seen = Vec::new();
        plan.for_each_run(|s, d, run| seen.push((s, d, run)));
        seen
    }

    #[test]
    fn whole_dimensions_melt_into_one_run() {
        let plan = BoxCopy::new(2, &[3, 4, 5], place(&[9, 4, 5], &[2, 0, 0]), place(&[3, 4, 5], &[0, 0, 0]))
            .unwrap();
        assert_eq!(runs(&plan), [(80, 0, 120)]);
        assert!(plan.is_one_run());
        assert_eq!(plan.src_span(), 80..200);
    }

    #[test]
    fn loops_over_equal_steps_melt_into_one_loop() {
        // One column of a 3-d buffer into a column of another: one loop of 6.
        let plan = BoxCopy::new(1, &[2, 3, 1], place(&[2, 3, 4], &[0, 0, 1]), place(&[2, 3, 2], &[0, 0, 0]))
            .unwrap();
        assert_eq!(plan.nloops, 1);
        assert_eq!(runs(&plan), (0..6).map(|i| (1 + 4 * i, 2 * i, 1)).collect::<Vec<_>>());
    }

    #[test]
    fn runs_visit_every_item_once_in_order() {
        let (src, dst) = (place(&[3, 4, 5, 3], &[1, 0, 2, 1]), place(&[2, 6, 4, 2], &[0, 2, 1, 0]));
        let shape = [2, 4, 3, 2];
        let plan = BoxCopy::new(3, &shape, src, dst).unwrap();
        let mut items = Vec::new();
        plan.for_each_run(|s, d, run| (0..run).step_by(3).for_each(|i| items.push((s + i, d + i))));
        let mut want = Vec::new();
        for n in 0..shape.iter().product() {
            let (mut rest, mut s, mut d, mut ss, mut ds) = (n, 0, 0, 3, 3);
            for dim in (0..4).rev() {
                let at = rest % shape[dim];
                rest /= shape[dim];
                s += (src.start[dim] + at) * ss;
                d += (dst.start[dim] + at) * ds;
                ss *= src.shape[dim];
                ds *= dst.shape[dim];
            }
            want.push((s as usize, d as usize));
        }
        assert_eq!(items, want);
    }

    #[test]
    fn no_dimensions_is_one_item_and_an_empty_side_is_nothing() {
        let plan = BoxCopy::new(7, &[], place(&[], &[]), place(&[], &[])).unwrap();
        assert_eq!(runs(&plan), [(0, 0, 7)]);
        let plan = BoxCopy::new(7, &[2, 0], place(&[2, 3], &[0, 3]), place(&[9, 9], &[0, 0])).unwrap();
        assert!(runs(&plan).is_empty());
        plan.copy(&[], &mut []).unwrap();
    }

    #[test]
    fn boxes_outside_a_buffer_are_refused() {
        let ok = place(&[4, 4], &[0, 0]);
        for bad in [
            place(&[4, 4], &[0, 3]),
            place(&[4, 4], &[-1, 0]),
            place(&[4, 4], &[i64::MAX, 0]),
            place(&[4, 1], &[0, 0]),
            place(&[4], &[0]),
            place(&[i64::MAX, i64::MAX], &[i64::MAX - 2, 0]),
        ] {
            assert_eq!(BoxCopy::new(8, &[2, 2], bad, ok).unwrap_err().kind(), ErrorKind::InvalidParam);
            assert_eq!(BoxCopy::new(8, &[2, 2], ok, bad).unwrap_err().kind(), ErrorKind::InvalidParam);
        }
        assert!(BoxCopy::new(0, &[2, 2], ok, ok).is_err());
        assert!(BoxCopy::new(1, &[-2, 2], ok, ok).is_err());
        let plan = BoxCopy::new(1, &[2, 2], ok, ok).unwrap();
        assert!(plan.copy(&[0; 6], &mut [0; 5]).is_err());
        assert!(plan.copy(&[0; 5], &mut [0; 6]).is_err());
        plan.copy(&[0; 6], &mut [0; 6]).unwrap();
    }
}
