//! Arrays that grow and shrink. Chunks are never cut: what there is of them moves to new numbers, or goes; new ones are
//! zeros that take no space. Nothing is compressed.
//!
//! An array that shrinks keeps, in chunks at its edge, the items that it lost; they are there again when it grows.

use super::create::in_bulk;
use super::geometry::{Region, unravel};
use super::layout::Layout;
use super::{open, slice};
use crate::base::consts::MAX_DIM;
use crate::base::{CBuf, Result};
use crate::chunk::{self, Special};
use crate::schunk::SuperChunk;

/// Gives the array another shape. Along an axis that grows, new items of zero come in at `start`, and along one that
/// shrinks, items from `start` on go; without `start`, at the end.
///
/// # Errors
/// `InvalidParam` for a shape that [`Layout::new`] refuses, a `start` past the end, and a change before the end of an axis
/// that begins or ends within a chunk; `Failure` for too many chunks; `Data` when the super-chunk does not have the
/// chunks of such an array; what storage reports.
pub fn resize(
    schunk: &mut SuperChunk,
    layout: &mut Layout,
    new_shape: &[i64],
    start: Option<&[i64]>,
) -> Result<()> {
    let ndim = layout.ndim();
    if new_shape.len() < ndim || start.is_some_and(|start| start.len() < ndim) {
        crate::fail!(InvalidParam, "coordinates of fewer than {ndim} dimensions");
    }
    let new_shape = &new_shape[..ndim];
    if let Some(start) = start {
        check_start(layout, new_shape, &start[..ndim])?;
    }
    if new_shape == layout.shape() {
        return Ok(());
    }
    let new = layout.with_shape(new_shape)?;
    if schunk.nchunks() != layout.nchunks() {
        crate::fail!(Data, "{} chunks in an array of {}", schunk.nchunks(), layout.nchunks());
    }
    if new.nchunks() > i64::from(i32::MAX) {
        crate::fail!(Failure, "{} chunks are too many", new.nchunks());
    }
    let moves = Moves::new(layout, &new, start)?;
    in_bulk(schunk, |schunk| {
        moves.make(schunk, &new)?;
        open::write_meta(schunk, &new)
    })?;
    *layout = new;
    Ok(())
}

/// Checks that a change before the end of an axis is one of whole chunks.
fn check_start(layout: &Layout, new_shape: &[i64], start: &[i64]) -> Result<()> {
    for (dim, (&n, (&new, &start))) in layout.shape().iter().zip(new_shape.iter().zip(start)).enumerate() {
        if start < 0 || start > n {
            crate::fail!(InvalidParam, "a change at item {start} of axis {dim}, which has {n}");
        }
        let at_the_end = new == n || start == n.min(new);
        let chunk = layout.chunk_len(dim);
        let aligned = |x: i64| x.checked_rem(chunk) == Some(0);
        let whole_chunks = aligned(start) && aligned(new.saturating_sub(n));
        if !(at_the_end || whole_chunks) {
            crate::fail!(
                InvalidParam,
                "{n} items along axis {dim} become {new} at {start}, in chunks of {chunk}"
            );
        }
    }
    Ok(())
}

/// Where each chunk of the new array was in the old one.
struct Moves {
    /// So many chunks at the beginning keep their numbers.
    fixed: i64,
    /// Of those behind them: old numbers of chunks that stay, in their new order, and new chunks, numbered on from the old
    /// ones; then those that go.
    order: Vec<i64>,
    added: i64,
    removed: i64,
}

impl Moves {
    fn new(old: &Layout, new: &Layout, start: Option<&[i64]>) -> Result<Self> {
        let origins = Origins::new(old, new, start)?;
        Ok(match origins.row(old) {
            Some(row) => Moves::of_rows(&origins, row, old.nchunks()),
            None => Moves::of_chunks(&origins, old, new),
        })
    }

    /// Rows of so many chunks come in, or go.
    fn of_rows(origins: &Origins, row: i64, was: i64) -> Self {
        let [fixed, added, removed] = [origins.at, origins.come, origins.go].map(|along| along[0] * row);
        let stay = fixed + removed..was;
        let order = (was..was + added).chain(stay).chain(fixed..fixed + removed).collect();
        Moves { fixed, order, added, removed }
    }

    fn of_chunks(origins: &Origins, old: &Layout, new: &Layout) -> Self {
        let was = old.nchunks();
        let mut moves = Moves { fixed: 0, order: Vec::new(), added: 0, removed: 0 };
        let mut stays = vec![false; usize::try_from(was).unwrap_or(0)];
        for n in 0..new.nchunks() {
            let from = origins.of(n, old, new).and_then(|from| {
                let stays = stays.get_mut(usize::try_from(from).ok()?)?;
                *stays = true;
                Some(from)
            });
            moves.order.push(from.unwrap_or_else(|| {
                moves.added += 1;
                was + moves.added - 1
            }));
        }
        let gone = stays.iter().zip(0..).filter(|(stays, _)| !**stays).map(|(_, n)| n);
        let kept = moves.order.len();
        moves.order.extend(gone);
        moves.removed = (moves.order.len() - kept) as i64;
        moves
    }

    /// Adds, moves and removes chunks.
    fn make(&self, schunk: &mut SuperChunk, layout: &Layout) -> Result<()> {
        if self.added > 0 {
            let zeros = chunk::special_chunk(schunk.cparams(), Special::Zeros, &[], layout.chunk_nbytes())?;
            for _ in 0..self.added {
                schunk.append_chunk(CBuf::copy_of(&zeros)?)?;
            }
        }
        if self.order.iter().zip(self.fixed..).any(|(from, to)| *from != to) {
            let order: Vec<i64> = (0..self.fixed).chain(self.order.iter().copied()).collect();
            schunk.reorder(&order)?;
        }
        for _ in 0..self.removed {
            schunk.delete_chunk(schunk.nchunks() - 1)?;
        }
        Ok(())
    }
}

/// Along each dimension, the chunks that come in or go: so many, from this one on.
struct Origins {
    at: [i64; MAX_DIM],
    come: [i64; MAX_DIM],
    go: [i64; MAX_DIM],
}

impl Origins {
    fn new(old: &Layout, new: &Layout, start: Option<&[i64]>) -> Result<Self> {
        let zero = [0; MAX_DIM];
        let mut origins = Origins { at: zero, come: zero, go: zero };
        for dim in 0..old.ndim() {
            let (was, is) = (old.shape()[dim], new.shape()[dim]);
            let (had, has) = (old.chunks_along(dim), new.chunks_along(dim));
            let start = start.map_or(was.min(is), |start| start[dim]);
            // The first chunk that begins at or after the change.
            let chunk = old.chunk_len(dim).max(1);
            origins.at[dim] = start / chunk + i64::from(start % chunk != 0);
            origins.come[dim] = (has - had).max(0);
            origins.go[dim] = (had - has).max(0);
            if origins.at[dim] + origins.go[dim] > had {
                crate::fail!(InvalidParam, "axis {dim} cannot lose {} chunks at {start}", origins.go[dim]);
            }
        }
        Ok(origins)
    }

    /// How many chunks there are for each along the first axis, if it is the only one that changes.
    fn row(&self, old: &Layout) -> Option<i64> {
        let mut others = 1..old.ndim();
        let alone = old.nitems() > 0 && others.clone().all(|dim| self.come[dim] == 0 && self.go[dim] == 0);
        alone.then(|| others.try_fold(1i64, |row, dim| row.checked_mul(old.chunks_along(dim))))?
    }

    /// The old number of what becomes chunk `n`; `None` when it is new.
    fn of(&self, n: i64, old: &Layout, new: &Layout) -> Option<i64> {
        if old.nitems() == 0 {
            return None;
        }
        let ndim = old.ndim();
        let mut counts = [0; MAX_DIM];
        (0..ndim).for_each(|dim| counts[dim] = new.chunks_along(dim));
        let index = unravel(n, &counts[..ndim]);
        (0..ndim).try_fold(0, |number, dim| {
            let (i, at) = (index[dim], self.at[dim]);
            let from = match i {
                i if i < at => i,
                i if i < at + self.come[dim] => return None,
                i => i - self.come[dim] + self.go[dim],
            };
            Some(number * old.chunks_along(dim) + from)
        })
    }
}

/// Puts the items of a buffer into the array before item `at` of `axis`, which grows by as many as the buffer has.
///
/// # Errors
/// `InvalidParam` when there is no such axis, or the buffer is not a whole number of items along it; otherwise as
/// [`resize`] and [`slice::set_slice`].
pub fn insert(
    schunk: &mut SuperChunk,
    layout: &mut Layout,
    buffer: &[u8],
    axis: usize,
    at: i64,
) -> Result<()> {
    let ndim = layout.ndim();
    if axis >= ndim {
        crate::fail!(InvalidParam, "axis {axis} of an array of {ndim} dimensions");
    }
    let mut shape = [0; MAX_DIM];
    shape[..ndim].copy_from_slice(layout.shape());
    let others = (0..ndim).filter(|&dim| dim != axis);
    let step = others
        .map(|dim| shape[dim])
        .try_fold(i64::from(layout.typesize()), i64::checked_mul)
        .and_then(|step| usize::try_from(step).ok());
    let grown = match step {
        Some(step) if step > 0 && buffer.len().is_multiple_of(step) => (buffer.len() / step) as i64,
        _ => crate::fail!(InvalidParam, "{} bytes do not extend axis {axis} of {shape:?}", buffer.len()),
    };
    let mut start = [0; MAX_DIM];
    start[axis] = at;
    let mut new_shape = shape;
    let Some(n) = shape[axis].checked_add(grown) else {
        crate::fail!(InvalidParam, "axis {axis} cannot have {grown} items more");
    };
    new_shape[axis] = n;
    let at_the_end = at == shape[axis];
    resize(schunk, layout, &new_shape[..ndim], (!at_the_end).then_some(&start[..ndim]))?;
    let mut stop = new_shape;
    stop[axis] = at + grown;
    let region = Region::new(&start[..ndim], &stop[..ndim])?;
    slice::set_region(schunk, layout, &region, buffer, &region.shape())
}

/// Adds the items of a buffer at the end of `axis`, which grows by as many as the buffer has.
///
/// # Errors
/// As [`insert`].
pub fn append(schunk: &mut SuperChunk, layout: &mut Layout, buffer: &[u8], axis: usize) -> Result<()> {
    let at = layout.shape().get(axis).copied().unwrap_or(0);
    insert(schunk, layout, buffer, axis, at)
}

/// Removes `len` items along `axis`, from `at` on.
///
/// # Errors
/// `InvalidParam` when there is no such axis, or not as many items; otherwise as [`resize`].
pub fn delete(schunk: &mut SuperChunk, layout: &mut Layout, axis: usize, at: i64, len: i64) -> Result<()> {
    let ndim = layout.ndim();
    let n = match layout.shape().get(axis) {
        Some(&n) if (0..=n).contains(&len) => n,
        _ => crate::fail!(InvalidParam, "no {len} items along axis {axis} of {:?}", layout.shape()),
    };
    let mut new_shape = [0; MAX_DIM];
    new_shape[..ndim].copy_from_slice(layout.shape());
    new_shape[axis] -= len;
    let mut start = [0; MAX_DIM];
    start[axis] = at;
    let at_the_end = at == n - len;
    resize(schunk, layout, &new_shape[..ndim], (!at_the_end).then_some(&start[..ndim]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    /// Rows of chunks are told to move as all chunks are when each is looked at.
    #[test]
    fn rows_move_as_their_chunks() {
        let mut random = Random::new(5);
        let mut at_the_end = 0;
        for _ in 0..3000 {
            let ndim = 1 + random.below(3);
            let mut some = |most| (0..ndim).map(|_| 1 + random.below(most) as i32).collect::<Vec<_>>();
            let (shape, chunks) = (some(20), some(5));
            let shape: Vec<i64> = shape.into_iter().map(i64::from).collect();
            let old = Layout::new(&shape, &chunks, &vec![1; ndim], 1).unwrap();
            let mut new_shape = shape.clone();
            let whole = random.below(2) == 0;
            let start = if whole {
                let chunk = i64::from(chunks[0]);
                let start = random.below((shape[0] / chunk) as usize + 1) as i64 * chunk;
                let gone = random.below(((shape[0] - start) / chunk) as usize + 1) as i64;
                let change = if random.below(2) == 0 { random.below(4) as i64 } else { -gone };
                new_shape[0] += change * chunk;
                Some([&[start], &shape[1..]].concat())
            } else {
                new_shape[0] = random.below(30) as i64;
                None
            };
            let new = old.with_shape(&new_shape).unwrap();
            let origins = Origins::new(&old, &new, start.as_deref()).unwrap();
            let rows = Moves::of_rows(&origins, origins.row(&old).unwrap(), old.nchunks());
            let each = Moves::of_chunks(&origins, &old, &new);
            let order: Vec<i64> = (0..rows.fixed).chain(rows.order.iter().copied()).collect();
            assert_eq!(order, each.order, "{shape:?} to {new_shape:?} from {start:?} on");
            assert_eq!((rows.added, rows.removed), (each.added, each.removed));
            // What stands before the change is not looked at.
            let changed = (rows.added + rows.removed) as usize;
            assert!(whole || rows.order.len() == changed, "{} of {changed}", rows.order.len());
            at_the_end += usize::from(rows.order.len() == changed);
        }
        assert!(at_the_end > 1500 && at_the_end < 2900, "{at_the_end}");
    }
}
