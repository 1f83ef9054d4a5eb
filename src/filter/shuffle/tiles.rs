//! Cutting a block into the tiles that the wide kernels take, and what is left at its ends.

use super::scalar;
use crate::base::scatter::Row;
use std::ops::{Deref, Range};

/// Items of a type, one after another.
#[derive(Clone, Copy)]
pub(in crate::filter) struct Items<B> {
    /// The bytes, from the first column of the first item on.
    pub bytes: B,
    /// From one item to the next, in bytes.
    pub typesize: usize,
    /// How many bytes of each item matter: all, but for a window of a wide type.
    pub columns: usize,
}

impl<B> Items<B> {
    /// Whole items.
    pub fn whole(bytes: B, typesize: usize) -> Self {
        Items { bytes, typesize, columns: typesize }
    }

    /// The same items' bytes, seen in another way.
    pub fn with<C>(&self, bytes: C) -> Items<C> {
        Items { bytes, typesize: self.typesize, columns: self.columns }
    }

    /// How many bytes `n` items reach over.
    pub fn reach(&self, n: usize) -> usize {
        if n == 0 { 0 } else { (n - 1) * self.typesize + self.columns }
    }
}

/// The items' bytes by significance: byte `j` of item `i` is at `j * stride + i`.
#[derive(Clone, Copy)]
pub(in crate::filter) struct Streams<B> {
    pub bytes: B,
    pub stride: usize,
}

/// Streams of one length, each where it happens to be.
#[derive(Clone, Copy)]
pub(in crate::filter) struct Apart<'a> {
    streams: &'a [&'a [u8]],
    len: usize,
}

impl<'a> Apart<'a> {
    /// The streams.
    ///
    /// # Panics
    /// When there are none, or they are not equally long.
    #[inline]
    pub fn new(streams: &'a [&'a [u8]]) -> Self {
        let len = streams[0].len();
        // Four at a time: most blocks have four or eight.
        let (fours, rest) = streams.as_chunks::<4>();
        let fits = |stream: &&[u8]| stream.len() == len;
        let equal = fours.iter().all(|four| four.iter().all(fits)) && rest.iter().all(fits);
        assert!(equal, "streams are equally long");
        Apart { streams, len }
    }

    /// Bytes of each of them.
    pub fn stream_len(&self) -> usize {
        self.len
    }

    /// The bytes of stream `j`.
    #[inline(always)]
    pub fn stream(&self, j: usize) -> &'a [u8] {
        self.streams[j]
    }
}

/// Streams to read from.
#[derive(Clone, Copy)]
pub(in crate::filter) enum Sources<'a> {
    /// One after another.
    Together(Streams<&'a [u8]>),
    /// Each where it happens to be.
    Apart(Apart<'a>),
}

impl<'a> Sources<'a> {
    /// The bytes of stream `j`, behind which there may be others.
    pub fn stream(&self, j: usize) -> &'a [u8] {
        match self {
            Sources::Together(streams) => &streams.bytes[j * streams.stride..],
            Sources::Apart(apart) => apart.stream(j),
        }
    }

    /// All but the first `n` streams.
    pub fn skip(&self, n: usize) -> Sources<'a> {
        match *self {
            Sources::Together(Streams { bytes, stride }) => {
                Sources::Together(Streams { bytes: &bytes[n * stride..], stride })
            }
            Sources::Apart(Apart { streams, len }) => Sources::Apart(Apart { streams: &streams[n..], len }),
        }
    }

    /// Whether each of the first `columns` streams has `n` items' bytes.
    pub fn hold(&self, columns: usize, n: usize) -> bool {
        match self {
            Sources::Together(Streams { bytes, stride }) => {
                columns > 0 && n <= *stride && (columns - 1) * stride + n <= bytes.len()
            }
            Sources::Apart(Apart { streams, len }) => columns <= streams.len() && n <= *len,
        }
    }

    /// From one stream to the next, where that is known.
    pub fn stride(&self) -> Option<usize> {
        match self {
            Sources::Together(streams) => Some(streams.stride),
            Sources::Apart(_) => None,
        }
    }
}

type Shuffle = fn(Items<&[u8]>, Streams<&mut [u8]>, Range<usize>);
pub(in crate::filter) type Unshuffle = fn(Sources<'_>, Items<&mut [u8]>, Range<usize>);
pub(in crate::filter) type UnshuffleRows = fn(&[&[u8]], &mut [Row<'_>]);

impl<B: Deref<Target = [u8]>> Streams<B> {
    /// How long they are.
    pub fn with_len(&self) -> Streams<usize> {
        Streams { bytes: self.bytes.len(), stride: self.stride }
    }
}

/// Transposes a matrix of so many rows and columns, two of these at least.
type Transpose = fn(usize, usize, &[u8], &mut [u8]);

/// The kernels of a level. They take whole tiles: ranges of items that are a multiple of `tile` long.
pub(in crate::filter) struct Kernel {
    /// Items of a tile.
    pub tile: usize,
    /// For a typesize: how many bytes after the last of their items the kernels touch as well. They read anything
    /// there, and write anything there. It is 0 for powers of two, and for types wider than [`MAX_SLACK_TYPE`].
    pub slack: fn(usize) -> usize,
    /// From items to streams.
    pub shuffle: Shuffle,
    /// From streams to items.
    pub unshuffle: Unshuffle,
    /// For a typesize: what undoes less than a tile and touches nothing else, where there is such.
    pub few: fn(usize) -> Option<Unshuffle>,
    /// For a typesize: what unshuffles to rows of whole items, each of a tile at least, where there is such. The streams lie
    /// apart, and a row says where its items begin in the unshuffled block.
    pub rows: fn(usize) -> Option<UnshuffleRows>,
    /// What transposes a block of at most [`SHORT`] bytes, where there is such.
    pub short: Option<Transpose>,
    /// The kernel of smaller tiles, for less than a tile.
    pub narrower: Option<&'static Kernel>,
}

/// The tile of the narrowest kernel of all, in items, and its largest slack, in bytes.
const NARROWEST_TILE: usize = 16;
const NARROWEST_SLACK: usize = 16;
/// The widest type that has slack.
const MAX_SLACK_TYPE: usize = 32;

/// So many bytes are sooner moved one by one than padded: wide loads would wait for the narrow stores before them.
const FEW: usize = 64;

/// What most types are at most as wide as, in bytes: their tiles are padded in less memory, which has to be zeroed.
const COMMON_TYPE: usize = 8;

/// Bytes of a padded tile's streams, and of its items with slack, for items of `typesize` bytes at most.
const fn streams_len(typesize: usize) -> usize {
    NARROWEST_TILE * typesize
}
const fn items_len(typesize: usize) -> usize {
    NARROWEST_TILE * typesize + NARROWEST_SLACK
}

/// Bytes of a block that is short.
pub(super) const SHORT: usize = 256;

/// Fewer items are sooner done where they stand than cut so that most tiles begin at a boundary.
pub(super) const WORTH_CUTTING: usize = 4096;

/// More items leave the nearest cache: then stores that begin at a boundary are worth loads that do not.
const LONG: usize = 16384;

/// Whether items are so short that stores are most of what unshuffling them is, and can meet a boundary.
#[inline]
fn is_mostly_stores(typesize: usize) -> bool {
    typesize <= 8 && typesize.is_power_of_two()
}

/// A range of items, and whether they are whole tiles with room for the slack after them.
struct Part {
    items: Range<usize>,
    roomy: bool,
}

impl Kernel {
    /// Shuffles `n` items. What lies behind them in `src` may be read.
    #[inline]
    pub fn shuffle(&self, src: Items<&[u8]>, dst: Streams<&mut [u8]>, n: usize) {
        if let Some(kernel) = self.of_tiles(&src.with(src.bytes.len()), n) {
            return (kernel.shuffle)(src, dst, 0..n);
        }
        self.shuffle_parts(src, dst, n);
    }

    /// [`shuffle`](Kernel::shuffle) of many items, or of an odd number.
    #[inline(never)]
    fn shuffle_parts(&self, src: Items<&[u8]>, dst: Streams<&mut [u8]>, n: usize) {
        let aligned = self.past_tiles(dst.stride) == 0;
        let head = if aligned { self.to_boundary(dst.bytes.as_ptr(), 1) } else { None };
        let room = src.bytes.len();
        self.for_each_part(&src.with(()), room, n, head, |part| {
            let dst = Streams { bytes: &mut *dst.bytes, ..dst };
            match part {
                Part { items, roomy: true } => (self.shuffle)(src, dst, items),
                Part { items, .. } => self.shuffle_rest(src, dst, items),
            }
        });
    }

    /// Undoes [`shuffle`](Kernel::shuffle). What lies behind the items in `dst` may be overwritten.
    #[inline]
    pub fn unshuffle(&self, src: Sources<'_>, dst: Items<&mut [u8]>, n: usize) {
        if (1..self.tile).contains(&n)
            && let Some(few) = (self.few)(dst.typesize)
        {
            return few(src, dst, 0..n);
        }
        if let Some(kernel) = self.of_tiles(&dst.with(dst.bytes.len()), n) {
            return (kernel.unshuffle)(src, dst, 0..n);
        }
        self.unshuffle_parts(src, dst, n);
    }

    /// [`unshuffle`](Kernel::unshuffle) of many items, or of an odd number.
    #[inline(never)]
    fn unshuffle_parts(&self, src: Sources<'_>, dst: Items<&mut [u8]>, n: usize) {
        let head = match dst.typesize {
            typesize if is_mostly_stores(typesize) => {
                // Loads that begin at boundaries already would not do so any more.
                let spoils = n < LONG && self.begins_at_boundaries(src);
                if spoils { None } else { self.to_boundary(dst.bytes.as_ptr(), typesize) }
            }
            _ if src.stride().is_some_and(|stride| self.past_tiles(stride) == 0) => {
                self.to_boundary(src.stream(0).as_ptr(), 1)
            }
            _ => None,
        };
        let room = dst.bytes.len();
        self.for_each_part(&dst.with(()), room, n, head, |part| {
            let dst = Items { bytes: &mut *dst.bytes, ..dst };
            match part {
                Part { items, roomy: true } => (self.unshuffle)(src, dst, items),
                Part { items, .. } => self.unshuffle_rest(src, dst, items),
            }
        });
    }

    /// How many bytes past a boundary streams should begin for [`unshuffle`](Kernel::unshuffle) to meet one where it does
    /// in `dst`.
    pub fn skew(&self, typesize: usize, dst: &[u8]) -> usize {
        if !is_mostly_stores(typesize) {
            return 0;
        }
        let head = self.to_boundary(dst.as_ptr(), typesize);
        head.map_or(0, |head| self.past_tiles(self.tile - head))
    }

    /// The kernel of which `n` items are a few whole tiles with room for the slack: this one or, for less than a tile, a
    /// narrower one.
    #[inline]
    fn of_tiles(&self, items: &Items<usize>, n: usize) -> Option<&Kernel> {
        let mut kernel = self;
        while n < kernel.tile {
            kernel = kernel.narrower?;
        }
        kernel.is_short(items, n).then_some(kernel)
    }

    /// Whether `n` items are a few whole tiles with room for the slack, of which nothing is gained by cutting them.
    #[inline]
    fn is_short(&self, items: &Items<usize>, n: usize) -> bool {
        (1..WORTH_CUTTING).contains(&n) && self.past_tiles(n) == 0 && self.has_room(items, n)
    }

    /// Whether `n` items, from the first one on, have room for the slack.
    #[inline]
    fn has_room(&self, items: &Items<usize>, n: usize) -> bool {
        items.reach(n) + self.slack_of(items.typesize) <= items.bytes
    }

    /// The slack of a typesize. To know when there is none spares short blocks a call.
    #[inline]
    fn slack_of(&self, typesize: usize) -> usize {
        if typesize.is_power_of_two() { 0 } else { (self.slack)(typesize) }
    }

    /// How far a number is past a multiple of the tile, which is a power of two.
    #[inline]
    fn past_tiles(&self, n: usize) -> usize {
        n & (self.tile - 1)
    }

    /// Whether all of some streams do.
    fn begins_at_boundaries(&self, streams: Sources<'_>) -> bool {
        let together = streams.stride().is_some_and(|stride| self.past_tiles(stride) == 0);
        together && self.past_tiles(streams.stream(0).as_ptr().addr()) == 0
    }

    /// After how many steps of `step` bytes, a power of two, an address is a multiple of a register's length.
    fn to_boundary(&self, ptr: *const u8, step: usize) -> Option<usize> {
        let short = self.past_tiles(ptr.addr().wrapping_neg());
        (short & (step - 1) == 0).then_some(short >> step.trailing_zeros())
    }

    /// Cuts `n` items, in `room` bytes, into parts. Parts may overlap. All but the first tile start `head` items off,
    /// where there are enough for that to pay.
    fn for_each_part(
        &self,
        items: &Items<()>,
        room: usize,
        n: usize,
        head: Option<usize>,
        mut visit: impl FnMut(Part),
    ) {
        if n < self.tile {
            return visit(Part { items: 0..n, roomy: false });
        }
        let slack = (self.slack)(items.typesize);
        let missing = (items.reach(n) + slack).saturating_sub(room);
        let roomy = if missing == 0 { n } else { n - missing.div_ceil(items.typesize).min(n) };
        let mut done = 0;
        if let Some(head @ 1..) = head
            && roomy >= WORTH_CUTTING
        {
            visit(Part { items: 0..self.tile, roomy: true });
            done = head;
        }
        let left = roomy.saturating_sub(done);
        let tiles = left - self.past_tiles(left);
        visit(Part { items: done..done + tiles, roomy: true });
        done += tiles;
        while done < n {
            let start = done.min(n - self.tile);
            done = start + self.tile;
            visit(Part { items: start..done, roomy: done <= roomy });
        }
    }

    /// Shuffles up to a tile of items, without touching what follows them where that is not in `src`.
    fn shuffle_rest(&self, src: Items<&[u8]>, dst: Streams<&mut [u8]>, items: Range<usize>) {
        let Some(narrower) = self.narrower else { return self.shuffle_padded(src, dst, items) };
        let room = src.with(src.bytes.len());
        narrower.for_each_tile(&room, items, |part| {
            let dst = Streams { bytes: &mut *dst.bytes, ..dst };
            match part {
                Part { items, roomy: true } => (narrower.shuffle)(src, dst, items),
                Part { items, .. } => narrower.shuffle_rest(src, dst, items),
            }
        });
    }

    /// Undoes [`shuffle_rest`](Kernel::shuffle_rest).
    fn unshuffle_rest(&self, src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
        let Some(narrower) = self.narrower else { return self.unshuffle_padded(src, dst, items) };
        let room = dst.with(dst.bytes.len());
        narrower.for_each_tile(&room, items, |part| {
            let dst = Items { bytes: &mut *dst.bytes, ..dst };
            match part {
                Part { items, roomy: true } => (narrower.unshuffle)(src, dst, items),
                Part { items, .. } => narrower.unshuffle_rest(src, dst, items),
            }
        });
    }

    /// Cuts some items into tiles, the last of which may overlap the one before, or into less than one.
    fn for_each_tile(&self, room: &Items<usize>, items: Range<usize>, mut visit: impl FnMut(Part)) {
        if items.len() < self.tile {
            return visit(Part { items, roomy: false });
        }
        let mut done = items.start;
        while done < items.end {
            let start = done.min(items.end - self.tile);
            done = start + self.tile;
            visit(Part { items: start..done, roomy: self.has_room(room, done) });
        }
    }

    /// Shuffles up to a tile of the narrowest kernel's items without touching what follows them.
    fn shuffle_padded(&self, src: Items<&[u8]>, dst: Streams<&mut [u8]>, items: Range<usize>) {
        const COMMON: (usize, usize) = (items_len(COMMON_TYPE), streams_len(COMMON_TYPE));
        const ANY: (usize, usize) = (items_len(MAX_SLACK_TYPE), streams_len(MAX_SLACK_TYPE));
        match src.typesize {
            typesize if items.len() * typesize <= FEW => scalar::shuffle_items(src, dst, items),
            typesize if typesize <= COMMON_TYPE => {
                self.shuffle_by_way_of(&mut [0; COMMON.0], &mut [0; COMMON.1], src, dst, items)
            }
            typesize if typesize <= MAX_SLACK_TYPE => {
                self.shuffle_by_way_of(&mut [0; ANY.0], &mut [0; ANY.1], src, dst, items)
            }
            _ => scalar::shuffle_items(src, dst, items),
        }
    }

    #[inline(never)]
    fn shuffle_by_way_of(
        &self,
        from: &mut [u8],
        to: &mut [u8],
        src: Items<&[u8]>,
        dst: Streams<&mut [u8]>,
        items: Range<usize>,
    ) {
        let bytes = &src.bytes[items.start * src.typesize..items.end * src.typesize];
        from[..bytes.len()].copy_from_slice(bytes);
        let streams = Streams { bytes: &mut *to, stride: self.tile };
        (self.shuffle)(Items { bytes: from, ..src }, streams, 0..self.tile);
        for (j, stream) in to.chunks_exact(self.tile).take(src.columns).enumerate() {
            let at = j * dst.stride + items.start;
            dst.bytes[at..at + items.len()].copy_from_slice(&stream[..items.len()]);
        }
    }

    /// Undoes [`shuffle_padded`](Kernel::shuffle_padded).
    fn unshuffle_padded(&self, src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
        const COMMON: (usize, usize) = (streams_len(COMMON_TYPE), items_len(COMMON_TYPE));
        const ANY: (usize, usize) = (streams_len(MAX_SLACK_TYPE), items_len(MAX_SLACK_TYPE));
        match dst.typesize {
            typesize if items.len() * typesize <= FEW => scalar::unshuffle_items(src, dst, items),
            typesize if typesize <= COMMON_TYPE => {
                self.unshuffle_by_way_of(&mut [0; COMMON.0], &mut [0; COMMON.1], src, dst, items)
            }
            typesize if typesize <= MAX_SLACK_TYPE => {
                self.unshuffle_by_way_of(&mut [0; ANY.0], &mut [0; ANY.1], src, dst, items)
            }
            _ => scalar::unshuffle_items(src, dst, items),
        }
    }

    #[inline(never)]
    fn unshuffle_by_way_of(
        &self,
        from: &mut [u8],
        to: &mut [u8],
        src: Sources<'_>,
        dst: Items<&mut [u8]>,
        items: Range<usize>,
    ) {
        for (j, stream) in from.chunks_exact_mut(self.tile).take(dst.columns).enumerate() {
            stream[..items.len()].copy_from_slice(&src.stream(j)[items.clone()]);
        }
        let streams = Sources::Together(Streams { bytes: &*from, stride: self.tile });
        (self.unshuffle)(streams, Items { bytes: &mut *to, ..dst }, 0..self.tile);
        let bytes = &mut dst.bytes[items.start * dst.typesize..items.end * dst.typesize];
        bytes.copy_from_slice(&to[..bytes.len()]);
    }
}

/// Whether there are kernels for that many columns of items: for all of them, or for windows of wide ones.
pub(super) fn fits(typesize: usize, columns: usize) -> bool {
    typesize >= 2 && (columns == typesize || typesize > 32 && [16, 32].contains(&columns))
}

/// Whether more than eight streams fall into one set of a first-level cache whose ways are 4 KiB.
pub(super) fn meet_in_cache(streams: usize, stride: usize) -> bool {
    streams << stride.trailing_zeros().min(12) > 8 << 12
}

/// Calls `visit` with the tiles of `items`, as many at a time as stay in the first-level cache.
pub(super) fn for_each_step(
    typesize: usize,
    tile: usize,
    items: Range<usize>,
    mut visit: impl FnMut(Range<usize>),
) {
    let step = (16384 / typesize / tile).max(1) * tile;
    for start in items.clone().step_by(step) {
        visit(start..items.end.min(start + step));
    }
}

impl Items<*const u8> {
    /// Where an item begins.
    #[inline(always)]
    pub fn at(self, item: usize) -> *const u8 {
        self.bytes.wrapping_add(item * self.typesize)
    }
}

impl Items<*mut u8> {
    /// Where an item begins.
    #[inline(always)]
    pub fn at(self, item: usize) -> *mut u8 {
        self.bytes.wrapping_add(item * self.typesize)
    }
}

impl Streams<*mut u8> {
    /// Where an item's byte is.
    #[inline(always)]
    pub fn at(self, stream: usize, item: usize) -> *mut u8 {
        self.bytes.wrapping_add(stream * self.stride + item)
    }
}
