//! One row-major output, cut into boxes that many workers fill.

use super::{Claims, Exclusive};
use crate::base::consts::MAX_DIM;
use crate::base::copy::copy_short;
use crate::base::strided::{BoxCopy, Coords, Place};
use crate::base::{Error, ErrorKind, Result};
use std::ops::Range;

/// The positions `start..stop` of an axis, cut at every multiple of `outer` and, between two of those, at every
/// `inner`th position from the lower one. The positions between two neighbouring cuts are a cell of the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cuts {
    start: i64,
    stop: i64,
    outer: i64,
    inner: i64,
    /// Cells between two multiples of `outer`.
    per_outer: i64,
    /// The number of the first cell, counted from position 0 on.
    first: i64,
    ncells: usize,
}

impl Cuts {
    /// No cut: all positions are one cell.
    pub fn none(len: i64) -> Result<Self> {
        Self::new(0, len, len.max(1), len.max(1))
    }

    /// # Errors
    /// `InvalidParam` unless `0 <= start <= stop` and both distances are positive.
    pub fn new(start: i64, stop: i64, outer: i64, inner: i64) -> Result<Self> {
        // Twice the stop plus a step is the largest number that comes up below.
        let fits = stop.checked_add(outer).is_some() && inner > 0 && outer > 0 && 0 <= start && start <= stop;
        if !fits {
            crate::fail!(InvalidParam, "positions {start}..{stop} cut at {outer} and {inner}");
        }
        let per_outer = outer / inner + i64::from(outer % inner != 0);
        let mut cuts = Cuts { start, stop, outer, inner, per_outer, first: 0, ncells: 0 };
        if start < stop {
            cuts.first = cuts.cell_of(start);
            cuts.ncells = usize::try_from(cuts.cell_of(stop - 1) - cuts.first + 1).unwrap_or(usize::MAX);
        }
        Ok(cuts)
    }

    /// The number of the cell that holds a position, counted from position 0 on.
    fn cell_of(&self, position: i64) -> i64 {
        position / self.outer * self.per_outer + position % self.outer / self.inner
    }

    /// How many cells there are.
    pub fn ncells(&self) -> usize {
        self.ncells
    }

    /// The number, among the cells of the range, of the one that holds a position.
    pub fn cell_at(&self, position: i64) -> Option<usize> {
        if position < self.start || position >= self.stop {
            return None;
        }
        usize::try_from(self.cell_of(position) - self.first).ok()
    }

    /// How many positions there are.
    pub fn len(&self) -> i64 {
        self.stop - self.start
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.start == self.stop
    }

    /// The positions of cell `n`, counted from the range's start. Cells follow each other without gap or overlap.
    pub fn cell(&self, n: usize) -> Option<Range<i64>> {
        let n = i64::try_from(n).ok().filter(|_| n < self.ncells)? + self.first;
        let low = n / self.per_outer * self.outer;
        let from = low + n % self.per_outer * self.inner;
        let to = from.saturating_add(self.inner).min(low + self.outer);
        Some(from.max(self.start) - self.start..to.min(self.stop) - self.start)
    }
}

/// A row-major buffer of items whose first positions along each dimension are cut by [`Cuts`] into cells. Each cell can
/// be claimed once, and its claimer alone writes it. What lies outside all cells is never touched.
pub struct Grid<'a> {
    buffer: Exclusive<'a>,
    itemsize: usize,
    ndim: usize,
    shape: Coords,
    cuts: [Option<Cuts>; MAX_DIM],
    claims: Claims,
}

impl<'a> Grid<'a> {
    /// A grid over `buffer`, which has `shape` items of `itemsize` bytes. The buffer must reach to the last item of the
    /// last cell; it may end before the last item of `shape`.
    ///
    /// # Errors
    /// `InvalidParam` when the cells do not lie in the shape or in the buffer.
    pub fn new(buffer: &'a mut [u8], itemsize: usize, shape: &[i64], cuts: &[Cuts]) -> Result<Self> {
        let ndim = shape.len();
        if ndim > MAX_DIM || cuts.len() != ndim {
            crate::fail!(InvalidParam, "{} cuts for {ndim} dimensions", cuts.len());
        }
        let mut whole: Coords = [0; MAX_DIM];
        let mut ncells = 1usize;
        for (dim, cut) in cuts.iter().enumerate() {
            whole[dim] = cut.len();
            // Every cell holds an item, so the buffer bounds this product, once it is known to hold the whole box.
            ncells = ncells.saturating_mul(cut.ncells());
        }
        let place = Place { shape, start: &[0; MAX_DIM][..ndim] };
        let end = BoxCopy::new(itemsize, &whole[..ndim], place, place)?.dst_span().end;
        if end > buffer.len() {
            crate::fail!(InvalidParam, "a buffer of {} bytes for a box that ends at {end}", buffer.len());
        }
        let mut grid = Grid {
            buffer: Exclusive::new(buffer),
            itemsize,
            ndim,
            shape: [0; MAX_DIM],
            cuts: [None; MAX_DIM],
            claims: Claims::new(ncells),
        };
        grid.shape[..ndim].copy_from_slice(shape);
        grid.cuts.iter_mut().zip(cuts).for_each(|(to, from)| *to = Some(*from));
        Ok(grid)
    }

    /// Cell `index` (its number along each dimension), to the first who asks; `None` to everybody after, and when there
    /// is no such cell.
    pub fn claim(&self, index: &[usize]) -> Option<Cell<'_>> {
        if index.len() != self.ndim {
            return None;
        }
        let mut cell = Cell { grid: self, start: [0; MAX_DIM], shape: [0; MAX_DIM] };
        let mut number = 0usize;
        for (dim, (&n, cuts)) in index.iter().zip(self.cuts.iter().flatten()).enumerate() {
            let range = cuts.cell(n)?;
            cell.start[dim] = range.start;
            cell.shape[dim] = range.end - range.start;
            number = number * cuts.ncells() + n;
        }
        self.claims.first(number).then_some(cell)
    }
}

/// One row of a cell.
pub struct Row<'a> {
    /// Where its bytes stand in what the cell is filled from.
    pub at: usize,
    /// Where they go.
    pub bytes: &'a mut [u8],
}

/// Rows that are handed out at a time.
const ROWS: usize = 64;

/// One claimed cell of a [`Grid`].
pub struct Cell<'g> {
    grid: &'g Grid<'g>,
    start: Coords,
    shape: Coords,
}

impl Cell<'_> {
    /// Items of the cell along each dimension.
    pub fn shape(&self) -> &[i64] {
        &self.shape[..self.grid.ndim]
    }

    fn plan(&self, src: Place<'_>) -> Result<BoxCopy> {
        let (grid, ndim) = (self.grid, self.grid.ndim);
        let dst = Place { shape: &grid.shape[..ndim], start: &self.start[..ndim] };
        BoxCopy::new(grid.itemsize, self.shape(), src, dst)
    }

    /// The cell's bytes, when they are contiguous in the buffer.
    pub fn contiguous(&mut self) -> Option<&mut [u8]> {
        let ndim = self.grid.ndim;
        // Most cells are told by their last dimension not to be.
        if ndim > 1
            && self.shape[ndim - 1] < self.grid.shape[ndim - 1]
            && self.shape[..ndim - 1] != [1; MAX_DIM][..ndim - 1]
        {
            return None;
        }
        let own = Place { shape: &self.shape[..ndim], start: &[0; MAX_DIM][..ndim] };
        let plan = self.plan(own).ok().filter(BoxCopy::is_one_run)?;
        let span = plan.dst_span();
        // SAFETY: the plan is one run, so its span holds the cell's own bytes and no others; the cell was claimed, so
        // nobody else has a reference into them, and `&mut self` keeps this one single.
        Some(unsafe { self.grid.buffer.part(span) })
    }

    /// Copies the whole cell from a box in `src`.
    ///
    /// # Errors
    /// `InvalidParam` when the cell's shape does not fit at that place of the source.
    pub fn copy_from(&mut self, src: &[u8], place: Place<'_>) -> Result<()> {
        let plan = self.plan(place)?;
        if src.len() < plan.src_span().end {
            return Err(Error::new(ErrorKind::InvalidParam, "the source ends before the box does"));
        }
        plan.for_each_run(|s, d, run| {
            // SAFETY: runs of the plan lie inside the cell (the plan's destination box is the cell's), which this
            // claimer alone may touch; each part is dropped before the next is made.
            copy_short(&src[s..s + run], unsafe { self.grid.buffer.part(d..d + run) });
        });
        Ok(())
    }

    /// Has `write` write all the cell's rows, some at a time, from a box in a source of `len` bytes, where all rows lie.
    ///
    /// # Errors
    /// `InvalidParam` when the cell's shape does not fit at that place of the source.
    pub fn write_rows(
        &mut self,
        len: usize,
        place: Place<'_>,
        mut write: impl FnMut(&mut [Row<'_>]),
    ) -> Result<()> {
        let plan = self.plan(place)?;
        if len < plan.src_span().end {
            return Err(Error::new(ErrorKind::InvalidParam, "the source ends before the box does"));
        }
        let mut rows: [Row<'_>; ROWS] = std::array::from_fn(|_| Row { at: 0, bytes: &mut [] });
        let mut n = 0;
        plan.for_each(|at, to| {
            // SAFETY: as in copy_from, and no two runs of a plan overlap in its destination.
            rows[n] = Row { at, bytes: unsafe { self.grid.buffer.part(to..to + plan.run()) } };
            n += 1;
            if n == ROWS {
                write(&mut rows);
                n = 0;
            }
        });
        write(&mut rows[..n]);
        Ok(())
    }

    /// Fills the cell with copies of one item.
    ///
    /// # Errors
    /// `InvalidParam` when `item` is not one item.
    pub fn fill(&mut self, item: &[u8]) -> Result<()> {
        if item.len() != self.grid.itemsize {
            crate::fail!(InvalidParam, "an item of {} bytes, not {}", item.len(), self.grid.itemsize);
        }
        let ndim = self.grid.ndim;
        let own = Place { shape: &self.shape[..ndim], start: &[0; MAX_DIM][..ndim] };
        let plan = self.plan(own)?;
        plan.for_each_run(|_, d, run| {
            // SAFETY: as in copy_from.
            let part = unsafe { self.grid.buffer.part(d..d + run) };
            part.chunks_exact_mut(item.len()).for_each(|place| place.copy_from_slice(item));
        });
        Ok(())
    }

    /// Fills the cell with zeros.
    pub fn clear(&mut self) {
        let ndim = self.grid.ndim;
        let own = Place { shape: &self.shape[..ndim], start: &[0; MAX_DIM][..ndim] };
        if let Ok(plan) = self.plan(own) {
            // SAFETY: as in copy_from.
            plan.for_each_run(|_, d, run| unsafe { self.grid.buffer.part(d..d + run) }.fill(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_an_axis_follow_each_other() {
        for (outer, inner) in [(1, 1), (4, 4), (4, 2), (5, 2), (5, 7), (7, 3), (10, 1), (9, 4)] {
            for start in 0..25 {
                for stop in start..25 {
                    let cuts = Cuts::new(start, stop, outer, inner).unwrap();
                    let mut next = 0;
                    for n in 0..cuts.ncells() {
                        let cell = cuts.cell(n).unwrap();
                        assert_eq!(cell.start, next);
                        assert!(cell.end > cell.start);
                        for at in cell.clone() {
                            let same = |p: i64| (p / outer, p % outer / inner);
                            assert_eq!(same(at + start), same(cell.start + start));
                            assert_eq!(cuts.cell_at(at + start), Some(n));
                        }
                        next = cell.end;
                    }
                    assert_eq!(next, stop - start);
                    assert_eq!(cuts.cell(cuts.ncells()), None);
                    assert_eq!((cuts.cell_at(stop), cuts.cell_at(start - 1)), (None, None));
                }
            }
        }
    }

    #[test]
    fn cuts_refuse_what_they_cannot_count() {
        for (start, stop, outer, inner) in
            [(-1, 2, 1, 1), (3, 2, 1, 1), (0, 2, 0, 1), (0, 2, 1, 0), (0, i64::MAX, 2, 1), (0, 2, -1, 1)]
        {
            assert!(Cuts::new(start, stop, outer, inner).is_err());
        }
        let far = Cuts::new(i64::MAX - 10, i64::MAX - 5, 5, i64::MAX).unwrap();
        assert_eq!((0..far.ncells()).map(|n| far.cell(n).unwrap().count()).sum::<usize>(), 5);
    }

    #[test]
    fn workers_fill_a_grid_together() {
        let (shape, itemsize) = ([5i64, 7, 6], 2usize);
        let cuts =
            [Cuts::new(1, 5, 3, 2).unwrap(), Cuts::new(0, 7, 4, 4).unwrap(), Cuts::new(2, 8, 5, 3).unwrap()];
        let mut buffer = vec![0xffu8; 5 * 7 * 6 * itemsize];
        let grid = Grid::new(&mut buffer, itemsize, &shape, &cuts).unwrap();
        std::thread::scope(|scope| {
            for i in 0..cuts[0].ncells() {
                let (grid, cuts) = (&grid, &cuts);
                scope.spawn(move || {
                    for j in 0..cuts[1].ncells() {
                        for k in 0..cuts[2].ncells() {
                            let mut cell = grid.claim(&[i, j, k]).unwrap();
                            assert!(grid.claim(&[i, j, k]).is_none());
                            // A source that holds the cell at an offset, with the cell's number in every item.
                            let place: Vec<i64> = cell.shape().iter().map(|n| n + 1).collect();
                            let item = [(16 * i + 4 * j + k) as u8, 9];
                            let src = item.repeat(place.iter().product::<i64>() as usize);
                            cell.copy_from(&src, Place { shape: &place, start: &[1, 0, 1] }).unwrap();
                        }
                    }
                });
            }
        });
        for (n, item) in buffer.chunks_exact(2).enumerate() {
            let at = [n / 42, n / 6 % 7, n % 6];
            if at[0] < 4 {
                let cell: Vec<usize> =
                    (0..3).map(|d| cuts[d].cell_at(at[d] as i64 + cuts[d].start).unwrap()).collect();
                assert_eq!(item, [(16 * cell[0] + 4 * cell[1] + cell[2]) as u8, 9], "{at:?}");
            } else {
                assert_eq!(item, [0xff, 0xff], "outside the cells");
            }
        }
    }

    #[test]
    fn whole_rows_are_contiguous_and_can_be_filled() {
        let mut buffer = vec![0u8; 24];
        let cuts = [Cuts::new(0, 4, 2, 2).unwrap(), Cuts::none(3).unwrap()];
        let grid = Grid::new(&mut buffer, 2, &[4, 3], &cuts).unwrap();
        let mut top = grid.claim(&[0, 0]).unwrap();
        top.contiguous().unwrap().copy_from_slice(&[1; 12]);
        top.clear();
        let mut rest = grid.claim(&[1, 0]).unwrap();
        rest.fill(&[2, 3]).unwrap();
        assert!(rest.fill(&[2]).is_err());
        assert!(grid.claim(&[2, 0]).is_none());
        assert!(grid.claim(&[0]).is_none());
        drop(grid);
        assert_eq!(buffer, [[0u8; 12], [2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3]].concat());
        // Half rows are not contiguous.
        let cuts = [Cuts::none(4).unwrap(), Cuts::new(0, 3, 2, 2).unwrap()];
        let grid = Grid::new(&mut buffer, 2, &[4, 3], &cuts).unwrap();
        assert!(grid.claim(&[0, 0]).unwrap().contiguous().is_none());
    }

    #[test]
    fn a_grid_needs_a_buffer_that_reaches_its_last_cell() {
        let cuts = [Cuts::none(2).unwrap(), Cuts::none(2).unwrap()];
        // The last row may be cut short after the box.
        assert!(Grid::new(&mut [0; 5], 1, &[2, 3], &cuts).is_ok());
        assert!(Grid::new(&mut [0; 4], 1, &[2, 3], &cuts).is_err());
        assert!(Grid::new(&mut [0; 9], 1, &[2, 1], &cuts).is_err());
        assert!(Grid::new(&mut [0; 9], 1, &[2], &cuts).is_err());
        assert!(Grid::new(&mut [0; 9], 1, &[2, i64::MAX], &cuts).is_err());
        let none = [Cuts::none(0).unwrap(), Cuts::none(2).unwrap()];
        let mut buffer = [];
        let grid = Grid::new(&mut buffer, 1, &[0, 2], &none).unwrap();
        assert!(grid.claim(&[0, 0]).is_none());
        // No dimensions: one item.
        let mut item = [0u8; 3];
        let grid = Grid::new(&mut item, 3, &[], &[]).unwrap();
        grid.claim(&[]).unwrap().fill(&[1, 2, 3]).unwrap();
        assert!(grid.claim(&[]).is_none());
        drop(grid);
        assert_eq!(item, [1, 2, 3]);
    }
}
