//! One row-major output, whose places are dealt out to many workers in any order.

use super::{Claims, Exclusive};
use crate::base::consts::MAX_DIM;
use crate::base::copy::copy_short;
use crate::base::{Error, ErrorKind, Result};

/// Something that is wanted: `item`, for a place of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pick {
    /// The item's position along an axis of the array.
    pub item: i64,
    place: usize,
}

impl Pick {
    /// The position along the buffer's axis.
    pub fn place(&self) -> usize {
        self.place
    }
}

/// What is wanted along an axis: for each place of the buffer's axis one item, sorted by item and cut into groups.
#[derive(Clone, Debug)]
pub struct Picks {
    /// Every place from 0 on, once.
    picks: Vec<Pick>,
    /// Where each group starts.
    first: Vec<usize>,
}

impl Picks {
    /// `items[i]` is wanted at place `i`. Neighbours, once sorted, of which `group` says the same are a group.
    pub fn new(items: &[i64], group: impl Fn(i64) -> i64) -> Self {
        let mut picks: Vec<Pick> =
            items.iter().enumerate().map(|(place, &item)| Pick { item, place }).collect();
        if !picks.is_sorted() {
            picks.sort_unstable();
        }
        let starts = |i: &usize| *i == 0 || group(picks[*i].item) != group(picks[*i - 1].item);
        let first = (0..picks.len()).filter(starts).collect();
        Picks { picks, first }
    }

    /// How many places.
    pub fn len(&self) -> usize {
        self.picks.len()
    }

    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.picks.is_empty()
    }

    /// How many groups.
    pub fn ngroups(&self) -> usize {
        self.first.len()
    }

    /// Group `n`, sorted by item and then by place; empty when there is no such group.
    pub fn group(&self, n: usize) -> &[Pick] {
        let end = self.first.get(n + 1).copied().unwrap_or(self.picks.len());
        self.first.get(n).and_then(|&start| self.picks.get(start..end)).unwrap_or(&[])
    }
}

/// A row-major box of an array's items: where it begins in the array, and how many items it has along each dimension.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The coordinates of the first item.
    pub low: &'a [i64],
    /// Items along each dimension.
    pub shape: &'a [i64],
}

/// Calls `f(offset in the block, offset in the buffer, length)` for runs that bring every combination of the picks to its
/// place. The buffer is row-major, with `buffershape` items. Combinations come sorted by item, then by place.
///
/// # Errors
/// `InvalidParam` when a pick is outside the block or the buffer's shape, or these are larger than memory can be. Nothing
/// has been called then.
pub fn for_each_run(
    itemsize: usize,
    picks: &[&[Pick]],
    block: Block<'_>,
    buffershape: &[i64],
    mut f: impl FnMut(usize, usize, usize),
) -> Result<()> {
    let ndim = picks.len();
    if ndim > MAX_DIM || block.low.len() != ndim || block.shape.len() != ndim || buffershape.len() != ndim {
        crate::fail!(InvalidParam, "picks along {ndim} axes");
    }
    let mut steps = [(itemsize, itemsize); MAX_DIM];
    let Some(()) = check(picks, block, buffershape, &mut steps) else {
        return Err(Error::new(ErrorKind::InvalidParam, "a pick is outside its block or its buffer"));
    };
    let Some(last) = ndim.checked_sub(1) else {
        f(0, 0, itemsize);
        return Ok(());
    };
    let offsets = |dim: usize, pick: &Pick| {
        ((pick.item - block.low[dim]) as usize * steps[dim].0, pick.place * steps[dim].1)
    };
    let (one, several);
    let rows: &[_] = if let [pick] = picks[last] {
        let (from, to) = offsets(last, pick);
        one = [(from, to, itemsize)];
        &one
    } else {
        several = runs(picks[last], |pick| offsets(last, pick), itemsize);
        &several
    };
    let mut at = [0usize; MAX_DIM];
    if picks.iter().any(|picks| picks.is_empty()) {
        return Ok(());
    }
    loop {
        let (mut from, mut to) = (0, 0);
        for dim in 0..last {
            let (a, b) = offsets(dim, &picks[dim][at[dim]]);
            from += a;
            to += b;
        }
        for &(a, b, len) in rows {
            f(from + a, to + b, len);
        }
        let mut dim = last;
        loop {
            let Some(outer) = dim.checked_sub(1) else { return Ok(()) };
            dim = outer;
            at[dim] += 1;
            if at[dim] < picks[dim].len() {
                break;
            }
            at[dim] = 0;
        }
    }
}

/// The steps along each dimension of block and buffer, in bytes. `None` when a pick is outside or a product overflows.
fn check(
    picks: &[&[Pick]],
    block: Block<'_>,
    buffershape: &[i64],
    steps: &mut [(usize, usize); MAX_DIM],
) -> Option<()> {
    let (mut a, mut b) = steps[0];
    for dim in (0..picks.len()).rev() {
        steps[dim] = (a, b);
        let (low, len, places) = (block.low[dim], block.shape[dim], buffershape[dim]);
        let inside = |pick: &Pick| {
            let item = pick.item.checked_sub(low);
            item.is_some_and(|item| (0..len).contains(&item)) && (pick.place as i64) < places
        };
        if !picks[dim].iter().all(inside) {
            return None;
        }
        a = a.checked_mul(usize::try_from(len).ok()?)?;
        b = b.checked_mul(usize::try_from(places).ok()?)?;
    }
    // All offsets are below these.
    (isize::try_from(a).is_ok() && isize::try_from(b).is_ok()).then_some(())
}

/// Picks that follow each other on both sides are one run.
fn runs(
    picks: &[Pick],
    offsets: impl Fn(&Pick) -> (usize, usize),
    itemsize: usize,
) -> Vec<(usize, usize, usize)> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for pick in picks {
        let (a, b) = offsets(pick);
        match runs.last_mut() {
            Some((from, to, len)) if *from + *len == a && *to + *len == b => *len += itemsize,
            _ => runs.push((a, b, itemsize)),
        }
    }
    runs
}

/// A row-major buffer of items, whose first places along each dimension are those of [`Picks`]. A combination of groups,
/// one per dimension, can be claimed once, and its claimer alone writes its places. Other places are never touched.
pub struct Mosaic<'a> {
    buffer: Exclusive<'a>,
    itemsize: usize,
    shape: &'a [i64],
    picks: &'a [&'a Picks],
    claims: Claims,
}

impl<'a> Mosaic<'a> {
    /// A mosaic over `buffer`, which has `shape` items of `itemsize` bytes.
    ///
    /// # Errors
    /// `InvalidParam` when the buffer is too small for its shape, or the shape for the picks.
    pub fn new(
        buffer: &'a mut [u8],
        itemsize: usize,
        shape: &'a [i64],
        picks: &'a [&'a Picks],
    ) -> Result<Self> {
        let fits = shape.len() == picks.len()
            && shape.iter().zip(picks).all(|(&n, picks)| picks.len() as u64 <= n.max(0) as u64);
        let nbytes = shape.iter().try_fold(itemsize, |n, &len| n.checked_mul(usize::try_from(len).ok()?));
        if !fits || itemsize == 0 || nbytes.is_none_or(|nbytes| nbytes > buffer.len()) {
            crate::fail!(
                InvalidParam,
                "a selection does not fit a buffer of {} bytes, {shape:?}",
                buffer.len()
            );
        }
        // Every group has a place, so the buffer bounds this product.
        let ntiles = picks.iter().fold(1usize, |n, picks| n.saturating_mul(picks.ngroups()));
        let claims = Claims::new(ntiles);
        Ok(Mosaic { buffer: Exclusive::new(buffer), itemsize, shape, picks, claims })
    }

    /// The places of a combination of groups, to the first who asks; `None` to everybody after, and when there are no such
    /// groups.
    pub fn claim(&self, groups: &[usize]) -> Option<Tile<'_>> {
        if groups.len() != self.picks.len() {
            return None;
        }
        let mut tile = Tile { mosaic: self, picks: [&[]; MAX_DIM] };
        let mut number = 0usize;
        for (to, (&n, picks)) in tile.picks.iter_mut().zip(groups.iter().zip(self.picks)) {
            if n >= picks.ngroups() {
                return None;
            }
            *to = picks.group(n);
            number = number * picks.ngroups() + n;
        }
        self.claims.first(number).then_some(tile)
    }
}

/// Claimed places of a [`Mosaic`].
pub struct Tile<'m> {
    mosaic: &'m Mosaic<'m>,
    picks: [&'m [Pick]; MAX_DIM],
}

impl Tile<'_> {
    /// Brings the items that are wanted from a block to their places.
    ///
    /// # Errors
    /// `InvalidParam` when one of them is not in the block, or the block has fewer bytes than it should.
    pub fn copy_from(&mut self, src: &[u8], block: Block<'_>) -> Result<()> {
        let Mosaic { buffer, itemsize, shape, .. } = self.mosaic;
        let nbytes = block.shape.iter().try_fold(*itemsize, |n, &l| n.checked_mul(usize::try_from(l).ok()?));
        if nbytes.is_none_or(|nbytes| nbytes > src.len()) {
            crate::fail!(InvalidParam, "a block of {} bytes, {:?}", src.len(), block.shape);
        }
        for_each_run(*itemsize, &self.picks[..shape.len()], block, shape, |s, d, len| {
            // SAFETY: the runs are those of the tile's places. Groups of one axis share no place, as every place of it is
            // there once, so tiles share none either; and this one was claimed. Each part is dropped before the next.
            copy_short(&src[s..s + len], unsafe { buffer.part(d..d + len) });
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_are_sorted_and_grouped() {
        let picks = Picks::new(&[7, 1, 4, 1, 0, 5], |item| item / 4);
        assert_eq!((picks.len(), picks.ngroups()), (6, 2));
        let seen = |n| picks.group(n).iter().map(|p| (p.item, p.place())).collect::<Vec<_>>();
        assert_eq!(seen(0), [(0, 4), (1, 1), (1, 3)]);
        assert_eq!(seen(1), [(4, 2), (5, 5), (7, 0)]);
        assert_eq!(seen(2), []);
        assert_eq!(Picks::new(&[], |item| item).ngroups(), 0);
    }

    #[test]
    fn a_mosaic_is_filled_from_blocks() {
        // A 6 x 7 array whose items say where they are, in blocks of 3 x 4.
        let (rows, cols) = ([5i64, 0, 1, 1, 4], [6i64, 2, 3, 0]);
        let axes = [Picks::new(&rows, |i| i / 3), Picks::new(&cols, |i| i / 4)];
        let picks = [&axes[0], &axes[1]];
        let shape = [5, 6];
        let mut buffer = vec![0xeeu8; 30];
        let mosaic = Mosaic::new(&mut buffer, 1, &shape, &picks).unwrap();
        std::thread::scope(|scope| {
            for r in 0..2usize {
                let mosaic = &mosaic;
                scope.spawn(move || {
                    for c in 0..2usize {
                        let low = [3 * r as i64, 4 * c as i64];
                        let block: Vec<u8> =
                            (0..12).map(|i| ((low[0] + i / 4) * 10 + low[1] + i % 4) as u8).collect();
                        let place = Block { low: &low, shape: &[3, 4] };
                        mosaic.claim(&[r, c]).unwrap().copy_from(&block, place).unwrap();
                        assert!(mosaic.claim(&[r, c]).is_none());
                    }
                });
            }
        });
        assert!(mosaic.claim(&[2, 0]).is_none() && mosaic.claim(&[0]).is_none());
        drop(mosaic);
        for (i, row) in buffer.chunks(6).enumerate() {
            let want: Vec<u8> = cols.iter().map(|col| (rows[i] * 10 + col) as u8).collect();
            assert_eq!((&row[..4], &row[4..]), (&*want, &[0xee, 0xee][..]));
        }
    }

    #[test]
    fn neighbours_are_one_run() {
        let picks = Picks::new(&[2, 3, 4, 9, 8], |_| 0);
        let mut seen = Vec::new();
        let block = Block { low: &[2], shape: &[8] };
        for_each_run(2, &[picks.group(0)], block, &[5], |a, b, len| seen.push((a, b, len))).unwrap();
        assert_eq!(seen, [(0, 0, 6), (12, 8, 2), (14, 6, 2)]);
        // No dimensions: one item.
        seen.clear();
        for_each_run(2, &[], Block { low: &[], shape: &[] }, &[], |a, b, len| seen.push((a, b, len)))
            .unwrap();
        assert_eq!(seen, [(0, 0, 2)]);
    }

    #[test]
    fn what_is_outside_is_refused() {
        let picks = Picks::new(&[2, 5], |_| 0);
        let go = |low: i64, n: i64, places: i64| {
            for_each_run(1, &[picks.group(0)], Block { low: &[low], shape: &[n] }, &[places], |_, _, _| ())
        };
        go(2, 4, 2).unwrap();
        for (low, n, places) in [(3, 4, 2), (2, 3, 2), (2, 4, 1), (i64::MIN, 4, 2), (2, 4, -1)] {
            assert_eq!(go(low, n, places).unwrap_err().kind(), ErrorKind::InvalidParam);
        }
        let axis = [&picks];
        assert!(Mosaic::new(&mut [0; 1], 1, &[2], &axis).is_err());
        assert!(Mosaic::new(&mut [0; 2], 1, &[1], &axis).is_err());
        assert!(Mosaic::new(&mut [0; 2], 1, &[2, 1], &axis).is_err());
        let mut buffer = [0; 2];
        let shape = [2];
        let mosaic = Mosaic::new(&mut buffer, 1, &shape, &axis).unwrap();
        let short = mosaic.claim(&[0]).unwrap().copy_from(&[0; 3], Block { low: &[2], shape: &[4] });
        assert_eq!(short.unwrap_err().kind(), ErrorKind::InvalidParam);
    }
}
