//! The byte shuffle with registers of one or more lanes of 16 bytes, written once for every such instruction set.
//!
//! All of it is one step: interleaving the bytes of the first half of some registers with those of the second. In a
//! row of a power of two of bytes that moves each byte to twice its place; said otherwise, the highest bit of its
//! place becomes the lowest. Sixteen items of `W` bytes have places of 4 bits for the item and some for the byte: four
//! steps shuffle them, as many as the byte has bits unshuffle them. Each lane does so for sixteen items of its own.
//!
//! `W` is the typesize rounded up to 2, 4, 8 or 16; wider types go through in windows of 16 columns, or of 8 where more
//! streams than that would push each other out of the cache.

/// The body once for each `r` below a constant of up to 16, so that registers stay registers.
macro_rules! unroll {
    ($r:ident < $n:ident, $body:block) => {
        unroll!(@ $r, $n, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $r:ident, $n:ident, $body:block, $($i:literal)*) => {
        $(if $i < $n {
            let $r = $i;
            $body
        })*
    };
}
pub(in crate::filter::shuffle) use unroll;

/// Defines the kernels of an instruction set. The file that calls it says how to `load` and `store` a register, to
/// `join` it from lanes and `split` it into them, to `store_lanes` of two of them, and to interleave the `low` and the `high` bytes of lanes.
macro_rules! lane_kernels {
    ($level:ident, $features:literal, $register:ty, $lanes:literal, $narrower:expr) => {
        /// Items of a tile.
        const TILE: usize = 16 * $lanes;

        /// The kernels of this level.
        pub(in crate::filter) const KERNEL: Kernel = Kernel {
            tile: TILE,
            slack,
            shuffle,
            unshuffle,
            few: |_| None,
            rows: |_| None,
            short: None,
            narrower: $narrower,
        };

        /// Columns of a window, and the widest type that needs none.
        const WINDOW: usize = 16;

        /// How many bytes after a tile's items the kernels touch as well.
        fn slack(typesize: usize) -> usize {
            if typesize > WINDOW || typesize.is_power_of_two() { 0 } else { 16 }
        }

        /// Where the window begins that is to begin at column `at`, and how many it has: `width`, or half of those that a
        /// window has at most where that is enough for the last ones. It may overlap the one before.
        fn window(at: usize, width: usize, columns: usize) -> (usize, usize) {
            let width = if columns - at <= WINDOW / 2 { WINDOW / 2 } else { width };
            (at.min(columns - width), width)
        }

        /// [`shuffle_tiles`], on a machine that has it.
        fn shuffle(src: Items<&[u8]>, dst: Streams<&mut [u8]>, items: Range<usize>) {
            assert!(cpu::detected() >= Simd::$level);
            // SAFETY: the machine has the instructions.
            unsafe { shuffle_tiles(src, dst, items) }
        }

        /// Shuffles the tiles of `items`.
        ///
        /// # Panics
        /// When `items` is not whole tiles, or `src` (with [`slack`]) or `dst` does not hold them.
        #[target_feature(enable = $features)]
        fn shuffle_tiles(src: Items<&[u8]>, dst: Streams<&mut [u8]>, items: Range<usize>) {
            let Items { bytes, typesize, columns } = src;
            let stride = dst.stride;
            assert!(items.start <= items.end && items.len().is_multiple_of(TILE) && items.end <= stride);
            assert!(src.reach(items.end) + slack(typesize) <= bytes.len());
            assert!(fits(typesize, columns) && (columns - 1) * stride + items.end <= dst.bytes.len());
            let from = src.with(bytes.as_ptr());
            let to = Streams { bytes: dst.bytes.as_mut_ptr(), stride };
            // SAFETY: by the assertions, `items` with their slack can be read, and as many bytes written in each of
            // `columns` streams.
            unsafe {
                match columns {
                    2 => window_to_streams::<2, true>(from, to, items),
                    3 => window_to_streams::<4, false>(from, to, items),
                    4 => window_to_streams::<4, true>(from, to, items),
                    5..=7 => window_to_streams::<8, false>(from, to, items),
                    8 if typesize == 8 => window_to_streams::<8, true>(from, to, items),
                    9..=15 => window_to_streams::<16, true>(from, to, items),
                    _ => for_each_step(typesize, TILE, items, |items| {
                        let width = if meet_in_cache(columns, stride) { WINDOW / 2 } else { WINDOW };
                        for at in (0..columns).step_by(width) {
                            let (at, width) = window(at, width, columns);
                            let from = Items { bytes: from.bytes.add(at), columns: width, ..from };
                            let to = Streams { bytes: to.bytes.add(at * stride), stride };
                            match width {
                                8 => window_to_streams::<8, false>(from, to, items.clone()),
                                _ => window_to_streams::<16, true>(from, to, items.clone()),
                            }
                        }
                    }),
                }
            }
        }

        /// Shuffles the columns of tiles, at most `W`.
        ///
        /// # Safety
        /// As [`shuffle_tiles`] asserts.
        #[target_feature(enable = $features)]
        unsafe fn window_to_streams<const W: usize, const DENSE: bool>(
            src: Items<*const u8>,
            dst: Streams<*mut u8>,
            items: Range<usize>,
        ) {
            // Not step_by, which divides.
            let mut next = items.start;
            while next < items.end {
                let item = next;
                next += TILE;
                // SAFETY: the caller's.
                unsafe {
                    let mut x = [join([_mm_setzero_si128(); $lanes]); W];
                    unroll!(r < W, {
                        let mut lanes = [_mm_setzero_si128(); $lanes];
                        for l in 0..$lanes {
                            lanes[l] = lane::load::<W, DENSE>(src, item + 16 * l + r * (16 / W));
                        }
                        x[r] = join(lanes);
                    });
                    let x = interleave(interleave(interleave(interleave(x))));
                    unroll!(j < W, {
                        if j < src.columns {
                            store(dst.at(j, item), x[j]);
                        }
                    });
                }
            }
        }

        /// [`unshuffle_tiles`], on a machine that has it.
        fn unshuffle(src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
            assert!(cpu::detected() >= Simd::$level);
            // SAFETY: the machine has the instructions.
            unsafe { unshuffle_tiles(src, dst, items) }
        }

        /// Undoes [`shuffle_tiles`].
        ///
        /// # Panics
        /// When `items` is not whole tiles, or `src` or `dst` (with [`slack`]) does not hold them.
        #[target_feature(enable = $features)]
        fn unshuffle_tiles(src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
            let (typesize, columns) = (dst.typesize, dst.columns);
            assert!(items.start <= items.end && items.len().is_multiple_of(TILE));
            assert!(dst.reach(items.end) + slack(typesize) <= dst.bytes.len());
            assert!(fits(typesize, columns) && src.hold(columns, items.end));
            let to = Items { bytes: dst.bytes.as_mut_ptr(), typesize, columns };
            // SAFETY: by the assertions, `items` can be read in each of `columns` streams, and written with their
            // slack.
            unsafe {
                match columns {
                    2 => window_to_items::<2, true>(src, to, items),
                    3 => window_to_items::<4, false>(src, to, items),
                    4 => window_to_items::<4, true>(src, to, items),
                    5..=7 => window_to_items::<8, false>(src, to, items),
                    8 if typesize == 8 => window_to_items::<8, true>(src, to, items),
                    9..=15 => window_to_items::<16, true>(src, to, items),
                    _ => for_each_step(typesize, TILE, items, |items| {
                        let meet = src.stride().is_none_or(|stride| meet_in_cache(columns, stride));
                        let width = if meet { WINDOW / 2 } else { WINDOW };
                        for at in (0..columns).step_by(width) {
                            let (at, width) = window(at, width, columns);
                            let to = Items { bytes: to.bytes.add(at), columns: width, ..to };
                            match width {
                                8 => window_to_items::<8, false>(src.skip(at), to, items.clone()),
                                _ => window_to_items::<16, true>(src.skip(at), to, items.clone()),
                            }
                        }
                    }),
                }
            }
        }

        /// Undoes [`window_to_streams`].
        ///
        /// # Safety
        /// As [`unshuffle_tiles`] asserts.
        #[target_feature(enable = $features)]
        unsafe fn window_to_items<const W: usize, const DENSE: bool>(
            src: Sources<'_>,
            dst: Items<*mut u8>,
            items: Range<usize>,
        ) {
            // Some stream for those that are not there: what is written of it is written over.
            let last = dst.columns - 1;
            // SAFETY: the caller's.
            unsafe {
                match src {
                    Sources::Together(streams) => {
                        let (from, stride) = (streams.bytes.as_ptr(), streams.stride);
                        let at = move |j: usize, item| {
                            let j = if DENSE && W < 16 { j } else { j.min(last) };
                            from.wrapping_add(j * stride + item)
                        };
                        columns_to_items::<W, DENSE>(at, dst, items);
                    }
                    Sources::Apart(apart) => {
                        let from: [_; W] = std::array::from_fn(|j| apart.stream(j.min(last)).as_ptr());
                        let at = move |j: usize, item| from[j].wrapping_add(item);
                        columns_to_items::<W, DENSE>(at, dst, items);
                    }
                }
            }
        }

        /// [`window_to_items`] of columns whose items are where `from` says.
        ///
        /// # Safety
        /// As [`window_to_items`].
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn columns_to_items<const W: usize, const DENSE: bool>(
            from: impl Fn(usize, usize) -> *const u8,
            dst: Items<*mut u8>,
            items: Range<usize>,
        ) {
            // Not step_by, which divides.
            let mut next = items.start;
            while next < items.end {
                let item = next;
                next += TILE;
                // SAFETY: the caller's.
                unsafe {
                    let mut x = [join([_mm_setzero_si128(); $lanes]); W];
                    unroll!(j < W, {
                        x[j] = load(from(j, item));
                    });
                    let mut width = W;
                    while width > 1 {
                        x = interleave(x);
                        width /= 2;
                    }
                    if DENSE && W < 16 {
                        for r in 0..W / 2 {
                            let at = |l: usize| dst.at(item + 16 * l + 2 * r * (16 / W));
                            store_lanes(at, x[2 * r], x[2 * r + 1]);
                        }
                        continue;
                    }
                    // Lane by lane, so that what one item writes too much the next one writes over.
                    for l in 0..$lanes {
                        unroll!(r < W, {
                            lane::store::<W, DENSE>(dst, item + 16 * l + r * (16 / W), split(x[r])[l]);
                        });
                    }
                }
            }
        }

        /// The bytes of the first half of the registers and those of the second, taken in turn, lane by lane.
        #[inline]
        #[target_feature(enable = $features)]
        pub(in crate::filter) fn interleave<const W: usize>(x: [$register; W]) -> [$register; W] {
            let mut y = x;
            for r in 0..W / 2 {
                y[2 * r] = low(x[r], x[r + W / 2]);
                y[2 * r + 1] = high(x[r], x[r + W / 2]);
            }
            y
        }
    };
}
pub(in crate::filter::shuffle) use lane_kernels;
