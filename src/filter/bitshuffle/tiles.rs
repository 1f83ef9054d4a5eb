//! Cutting a block into the tiles that the wide kernels take, in two steps each.

use crate::base::buffer::Buffer;
use crate::base::cpu::Simd;
use crate::filter::shuffle::tiles::{Items, Sources, Streams};
use crate::filter::shuffle::{shuffle_items, transpose_short, unshuffle_items};
use std::cell::Cell;
use std::ops::Deref;

/// The bits of streams: bit `k` of byte `i` of stream `j` is in row `8 * j + k`, which begins at `(8 * j + k) * stride`.
pub(super) struct Rows<B> {
    pub bytes: B,
    pub stride: usize,
}

impl<B: Deref<Target = [u8]>> Rows<B> {
    /// How long they are.
    pub fn with_len(&self) -> Rows<usize> {
        Rows { bytes: self.bytes.len(), stride: self.stride }
    }
}

/// How the kernels go through whole tiles of streams and their part of rows.
pub(super) struct Cut {
    tile: usize,
    stream: usize,
    nstreams: usize,
    row: usize,
    at: usize,
}

impl Cut {
    /// Cuts `streams` bytes of streams of `stream` bytes into tiles, for `rows` bytes of rows that begin `row` bytes
    /// apart and are used from `at` on.
    ///
    /// # Panics
    /// When the streams are not whole tiles, or the rows do not hold them.
    pub fn new(tile: usize, streams: Streams<usize>, rows: Rows<usize>, at: usize) -> Cut {
        let stream = streams.stride;
        assert!(stream > 0 && stream.is_multiple_of(tile) && streams.bytes.is_multiple_of(stream));
        let nstreams = streams.bytes / stream;
        assert!(nstreams > 0 && (8 * nstreams - 1) * rows.stride + at + stream / 8 <= rows.bytes);
        Cut { tile, stream, nstreams, row: rows.stride, at }
    }

    /// [`new`](Cut::new) of streams that are each less than a tile, as one of their own.
    ///
    /// # Panics
    /// When they are not groups of eight bytes, or the rows do not hold them.
    pub fn of_few(streams: Streams<usize>, rows: Rows<usize>, at: usize) -> Cut {
        assert!(streams.stride.is_multiple_of(8));
        Cut::new(streams.stride, streams, rows, at)
    }

    /// For every tile: where it begins in the streams, and where its part of its first row does. A tile has an eighth
    /// of its bytes in each of eight rows.
    pub fn tiles(&self) -> impl Iterator<Item = (usize, usize)> {
        let &Cut { tile, stream, nstreams, row, at } = self;
        (0..nstreams).flat_map(move |j| {
            (0..stream / tile).map(move |i| (j * stream + i * tile, 8 * j * row + at + i * (tile / 8)))
        })
    }
}

type ToRows = fn(Streams<&[u8]>, Rows<&mut [u8]>, usize);
type FromRows = fn(Rows<&[u8]>, usize, Streams<&mut [u8]>);

/// The kernels of a level. They take whole tiles of streams: `stride` is a multiple of [`tile`](Kernel::tile), and all
/// of `bytes` is worked on.
pub(super) struct Kernel {
    /// Bytes of a stream in a tile; an eighth of it, one register, is what a row gets.
    pub tile: usize,
    /// From streams to rows, `at` bytes after their beginnings.
    pub to_rows: ToRows,
    /// From rows, `at` bytes after their beginnings, to streams.
    pub from_rows: FromRows,
    /// What takes streams that are shorter than a tile and a multiple of 8 long.
    pub few: Few,
}

/// Both ways of [`Kernel`] for less than a tile.
pub(super) struct Few {
    pub to_rows: ToRows,
    pub from_rows: FromRows,
}

/// Streams that are worked on at a time, at most.
const WINDOW: usize = 32;

/// How many bytes of streams are kept between the two steps. To write many rows, each a page from the next, is slow
/// unless each gets several cache lines at a time; to read them is not.
const KEPT_THERE: usize = 32 * 1024;
const KEPT_BACK: usize = 16 * 1024;
const MOST_ITEMS: usize = 4096;

thread_local! {
    static KEPT: Cell<Buffer> = Cell::default();
}

impl Kernel {
    /// Bit-shuffles groups of eight items.
    pub fn bitshuffle(&self, level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
        let n = src.len() / typesize;
        let stride = n / 8;
        if typesize == 1 {
            return self.for_each_step(n, usize::MAX, dst.as_ptr(), |start, len| {
                let streams = Streams { bytes: &src[start..start + len], stride: len };
                self.scatter_bits(streams, Rows { bytes: dst, stride }, start / 8);
            });
        }
        let mut kept = KEPT.take();
        for_each_window(typesize, |at, columns| {
            let dst = &mut dst[8 * at * stride..];
            self.for_each_step(n, MOST_ITEMS.min(KEPT_THERE / columns), dst.as_ptr(), |start, len| {
                let kept = kept.sized(len * columns);
                let items = &src[start * typesize + at..];
                if columns < typesize
                    || !transpose_short(level, len, typesize, &items[..len * typesize], kept)
                {
                    let items = Items { bytes: items, typesize, columns };
                    shuffle_items(level, items, Streams { bytes: kept, stride: len }, len);
                }
                let streams = Streams { bytes: &*kept, stride: len };
                self.scatter_bits(streams, Rows { bytes: dst, stride }, start / 8);
            });
        });
        KEPT.set(kept);
    }

    /// Undoes [`bitshuffle`](Kernel::bitshuffle).
    pub fn bitunshuffle(&self, level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
        let n = src.len() / typesize;
        let stride = n / 8;
        if typesize == 1 {
            return self.for_each_step(n, usize::MAX, src.as_ptr(), |start, len| {
                let streams = Streams { bytes: &mut dst[start..start + len], stride: len };
                self.gather_bits(Rows { bytes: src, stride }, start / 8, streams);
            });
        }
        let mut kept = KEPT.take();
        for_each_window(typesize, |at, columns| {
            let src = &src[8 * at * stride..];
            self.for_each_step(n, KEPT_BACK / columns, src.as_ptr(), |start, len| {
                let kept = kept.sized(len * columns);
                let streams = Streams { bytes: &mut *kept, stride: len };
                self.gather_bits(Rows { bytes: src, stride }, start / 8, streams);
                let items = &mut dst[start * typesize + at..];
                if columns < typesize
                    || !transpose_short(level, typesize, len, kept, &mut items[..len * typesize])
                {
                    let items = Items { bytes: items, typesize, columns };
                    let streams = Sources::Together(Streams { bytes: kept, stride: len });
                    unshuffle_items(level, streams, items, len);
                }
            });
        });
        KEPT.set(kept);
    }

    /// Cuts `n` items into steps: calls `visit` with the first item of each and how many it has. They are whole tiles, at
    /// most `most` items, unless there is less than a tile in all; the last tile may overlap the one before. All but the
    /// first tile meet the rows, which begin at `rows`, at register boundaries.
    fn for_each_step(&self, n: usize, most: usize, rows: *const u8, mut visit: impl FnMut(usize, usize)) {
        if n < self.tile {
            if n > 0 {
                visit(0, n);
            }
            return;
        }
        let register = self.tile / 8;
        let mut start = 0;
        if (n / 8).is_multiple_of(register) && n >= 4 * self.tile {
            let head = rows.addr().wrapping_neg() % register;
            if head > 0 {
                visit(0, self.tile);
                start = 8 * head;
            }
        }
        while n - start >= self.tile {
            let len = (n - start).min(most) / self.tile * self.tile;
            visit(start, len);
            start += len;
        }
        if start < n {
            visit(n - self.tile, self.tile);
        }
    }

    /// `to_rows` for any number of items, a multiple of 8.
    fn scatter_bits(&self, streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
        let whole = streams.stride.is_multiple_of(self.tile);
        let to_rows = if whole { self.to_rows } else { self.few.to_rows };
        to_rows(streams, rows, at);
    }

    /// `from_rows` for any number of items, a multiple of 8.
    fn gather_bits(&self, rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
        let whole = streams.stride.is_multiple_of(self.tile);
        let from_rows = if whole { self.from_rows } else { self.few.from_rows };
        from_rows(rows, at, streams);
    }
}

/// Calls `visit` with the first column of each window and how many it has: all of a narrow type; of a wide one 32, or 16
/// where that is enough for the last window, which overlaps the one before.
fn for_each_window(typesize: usize, mut visit: impl FnMut(usize, usize)) {
    if typesize <= WINDOW {
        return visit(0, typesize);
    }
    for at in (0..typesize).step_by(WINDOW) {
        let columns = if typesize - at <= WINDOW / 2 { WINDOW / 2 } else { WINDOW };
        visit(at.min(typesize - columns), columns);
    }
}
