//! Cutting a block into the tiles that the wide kernels take, and what is left at its ends.

use super::scalar;
use std::ops::Range;

/// Items of a type, one after another.
#[derive(Clone, Copy)]
pub(in crate::filter) struct Items<B> {
    pub bytes: B,
    pub typesize: usize,
}

/// The items' bytes by significance: byte `j` of item `i` is at `j * stride + i`.
#[derive(Clone, Copy)]
pub(in crate::filter) struct Streams<B> {
    pub bytes: B,
    pub stride: usize,
}

type Shuffle = fn(Items<&[u8]>, Streams<&mut [u8]>, Range<usize>);
type Unshuffle = fn(Streams<&[u8]>, Items<&mut [u8]>, Range<usize>);

/// The kernels of a level. They take whole tiles: ranges of items that are a multiple of `tile` long.
pub(in crate::filter) struct Kernel {
    /// Items of a tile.
    pub tile: usize,
    /// For a typesize: how many bytes after the last of their items the kernels touch as well. They read anything
    /// there, and write anything there. It is 0 for types wider than [`MAX_SLACK_TYPE`].
    pub slack: fn(usize) -> usize,
    /// From items to streams.
    pub shuffle: Shuffle,
    /// From streams to items.
    pub unshuffle: Unshuffle,
}

/// The largest tile of any kernel, in items.
const MAX_TILE: usize = 64;
/// The widest type that has slack, and the largest slack, in bytes.
const MAX_SLACK_TYPE: usize = 32;
const MAX_SLACK: usize = 64;

/// A tile's items with slack, and its streams.
type PaddedItems = [u8; MAX_TILE * MAX_SLACK_TYPE + MAX_SLACK];
type PaddedStreams = [u8; MAX_TILE * MAX_SLACK_TYPE];

/// A range of items, and whether they are whole tiles with room for the slack after them.
struct Part {
    items: Range<usize>,
    roomy: bool,
}

impl Kernel {
    /// Shuffles a block of whole items.
    pub fn shuffle_block(&self, src: Items<&[u8]>, dst: &mut [u8]) {
        let n = src.bytes.len() / src.typesize;
        let head = if n.is_multiple_of(self.tile) { self.to_boundary(dst.as_ptr(), 1) } else { None };
        self.for_each_part(src.typesize, n, head, |part| {
            let dst = Streams { bytes: &mut *dst, stride: n };
            match part {
                Part { items, roomy: true } => (self.shuffle)(src, dst, items),
                Part { items, .. } => self.shuffle_padded(src, dst, items),
            }
        });
    }

    /// Undoes [`shuffle_block`](Kernel::shuffle_block).
    pub fn unshuffle_block(&self, src: &[u8], dst: Items<&mut [u8]>) {
        let Items { bytes: dst, typesize } = dst;
        let n = src.len() / typesize;
        let head = match typesize {
            // Short items are mostly stores.
            1..=8 if typesize.is_power_of_two() => self.to_boundary(dst.as_ptr(), typesize),
            _ if n.is_multiple_of(self.tile) => self.to_boundary(src.as_ptr(), 1),
            _ => None,
        };
        self.for_each_part(typesize, n, head, |part| {
            let src = Streams { bytes: src, stride: n };
            let dst = Items { bytes: &mut *dst, typesize };
            match part {
                Part { items, roomy: true } => (self.unshuffle)(src, dst, items),
                Part { items, .. } => self.unshuffle_padded(src, dst, items),
            }
        });
    }

    /// After how many steps of `step` bytes an address is a multiple of a register's length.
    fn to_boundary(&self, ptr: *const u8, step: usize) -> Option<usize> {
        let short = ptr.addr().wrapping_neg() % self.tile;
        (short.is_multiple_of(step)).then_some(short / step)
    }

    /// Cuts `n` items into parts. Parts may overlap. All but the first tile start `head` items off, where a block is
    /// large enough for that to pay.
    fn for_each_part(&self, typesize: usize, n: usize, head: Option<usize>, mut visit: impl FnMut(Part)) {
        if n < self.tile {
            return visit(Part { items: 0..n, roomy: false });
        }
        let slack = (self.slack)(typesize);
        let roomy = n - slack.div_ceil(typesize).min(n);
        let mut done = 0;
        if let Some(head @ 1..) = head
            && roomy >= 8 * self.tile
        {
            visit(Part { items: 0..self.tile, roomy: true });
            done = head;
        }
        let tiles = (roomy.saturating_sub(done)) / self.tile * self.tile;
        visit(Part { items: done..done + tiles, roomy: true });
        done += tiles;
        while done < n {
            let start = done.min(n - self.tile);
            done = start + self.tile;
            visit(Part { items: start..done, roomy: slack == 0 });
        }
    }

    /// Shuffles up to a tile of items without touching what follows them.
    fn shuffle_padded(&self, src: Items<&[u8]>, dst: Streams<&mut [u8]>, items: Range<usize>) {
        let Items { bytes: src, typesize } = src;
        let src = &src[items.start * typesize..items.end * typesize];
        if typesize > MAX_SLACK_TYPE {
            return scalar::shuffle_to(src, typesize, &mut dst.bytes[items.start..], dst.stride);
        }
        let (mut from, mut to): (PaddedItems, PaddedStreams) = ([0; _], [0; _]);
        from[..src.len()].copy_from_slice(src);
        let streams = Streams { bytes: &mut to[..], stride: self.tile };
        (self.shuffle)(Items { bytes: &from, typesize }, streams, 0..self.tile);
        for (j, stream) in to.chunks_exact(self.tile).take(typesize).enumerate() {
            let at = j * dst.stride + items.start;
            dst.bytes[at..at + items.len()].copy_from_slice(&stream[..items.len()]);
        }
    }

    /// Undoes [`shuffle_padded`](Kernel::shuffle_padded).
    fn unshuffle_padded(&self, src: Streams<&[u8]>, dst: Items<&mut [u8]>, items: Range<usize>) {
        let Items { bytes: dst, typesize } = dst;
        let dst = &mut dst[items.start * typesize..items.end * typesize];
        if typesize > MAX_SLACK_TYPE {
            return scalar::unshuffle_from(&src.bytes[items.start..], src.stride, typesize, dst);
        }
        let (mut from, mut to): (PaddedStreams, PaddedItems) = ([0; _], [0; _]);
        for (j, stream) in from.chunks_exact_mut(self.tile).take(typesize).enumerate() {
            let at = j * src.stride + items.start;
            stream[..items.len()].copy_from_slice(&src.bytes[at..at + items.len()]);
        }
        let streams = Streams { bytes: &from[..], stride: self.tile };
        (self.unshuffle)(streams, Items { bytes: &mut to, typesize }, 0..self.tile);
        dst.copy_from_slice(&to[..dst.len()]);
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

impl Streams<*const u8> {
    /// Where an item's byte is.
    #[inline(always)]
    pub fn at(self, stream: usize, item: usize) -> *const u8 {
        self.bytes.wrapping_add(stream * self.stride + item)
    }
}

impl Streams<*mut u8> {
    /// Where an item's byte is.
    #[inline(always)]
    pub fn at(self, stream: usize, item: usize) -> *mut u8 {
        self.bytes.wrapping_add(stream * self.stride + item)
    }
}
