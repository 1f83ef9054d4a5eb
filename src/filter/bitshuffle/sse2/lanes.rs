//! Bits of streams to rows and back with registers of one or more lanes of 16 bytes, written once for every such
//! instruction set.
//!
//! A tile of a stream is eight registers, lane after lane of them. To rows: the bytes are brought to one register for each
//! place in a group of eight, by steps that interleave them, four of the seven that would bring each back to where it
//! was. The same bytes of the eight registers are then 8 by 8 bits, which are transposed; so they are the rows. Back: the
//! bits are transposed first, and the other three steps follow.

/// Defines the kernels of an instruction set. The file that calls it says how to `load` and `store` a register, to `join` it
/// from lanes and `split` it into them, to `interleave` the bytes of registers, and to `exchange` bits of two of them.
macro_rules! lane_kernels {
    ($level:ident, $features:literal, $register:ty, $lanes:literal) => {
        /// Bytes of a stream in a tile.
        const TILE: usize = 8 * REGISTER;

        /// Bytes of a register.
        const REGISTER: usize = 16 * $lanes;

        /// The kernels of this level.
        pub const KERNEL: Kernel = Kernel { tile: TILE, to_rows, from_rows, few: FEW };

        /// [`to_rows_wide`], on a machine that has it.
        fn to_rows(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
            assert!(cpu::detected() >= Simd::$level);
            // SAFETY: the machine has the instructions.
            unsafe { to_rows_wide(streams, rows, at) }
        }

        /// Brings the bits of streams to rows, `at` bytes after their beginnings.
        #[target_feature(enable = $features)]
        fn to_rows_wide(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
            let cut = Cut::new(TILE, streams.with_len(), rows.with_len(), at);
            for (stream, row) in cut.tiles() {
                // SAFETY: `Cut` saw to it that the tile has 8 registers in its stream and one in each of its rows.
                unsafe {
                    let stream = streams.bytes.as_ptr().add(stream);
                    let mut x = [join([_mm_setzero_si128(); $lanes]); 8];
                    for r in 0..8 {
                        let mut lanes = [_mm_setzero_si128(); $lanes];
                        for l in 0..$lanes {
                            lanes[l] = _mm_loadu_si128(stream.add(128 * l + 16 * r).cast());
                        }
                        x[r] = join(lanes);
                    }
                    let x = rows_of(x);
                    for k in 0..8 {
                        store(rows.bytes.as_mut_ptr().add(row + k * rows.stride), x[k]);
                    }
                }
            }
        }

        /// [`from_rows_wide`], on a machine that has it.
        fn from_rows(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
            assert!(cpu::detected() >= Simd::$level);
            // SAFETY: the machine has the instructions.
            unsafe { from_rows_wide(rows, at, streams) }
        }

        /// Undoes [`to_rows_wide`].
        #[target_feature(enable = $features)]
        fn from_rows_wide(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
            let cut = Cut::new(TILE, streams.with_len(), rows.with_len(), at);
            for (stream, row) in cut.tiles() {
                // SAFETY: `Cut` saw to it that the tile has one register in each of its rows and 8 in its stream.
                unsafe {
                    let mut x = [join([_mm_setzero_si128(); $lanes]); 8];
                    for k in 0..8 {
                        x[k] = load(rows.bytes.as_ptr().add(row + k * rows.stride));
                    }
                    let x = items_of(x);
                    for r in 0..8 {
                        for (l, lane) in split(x[r]).into_iter().enumerate() {
                            let out = streams.bytes.as_mut_ptr().add(stream + 128 * l + 16 * r);
                            _mm_storeu_si128(out.cast(), lane);
                        }
                    }
                }
            }
        }

        /// The eight rows of a tile whose items are lane after lane in the registers.
        #[inline]
        #[target_feature(enable = $features)]
        fn rows_of(items: [$register; 8]) -> [$register; 8] {
            transpose_bits(interleave(interleave(interleave(interleave(items)))))
        }

        /// Undoes [`rows_of`].
        #[inline]
        #[target_feature(enable = $features)]
        fn items_of(rows: [$register; 8]) -> [$register; 8] {
            interleave(interleave(interleave(transpose_bits(rows))))
        }

        /// Transposes the 8 by 8 bits that the same bytes of the registers are: bit `b` of register `k` becomes bit `k` of
        /// register `b`.
        #[inline]
        #[target_feature(enable = $features)]
        fn transpose_bits(mut x: [$register; 8]) -> [$register; 8] {
            // Off-diagonal squares change places: single bits, 2 by 2, 4 by 4.
            for k in [0, 2, 4, 6] {
                [x[k], x[k + 1]] = exchange::<1>(x[k], x[k + 1], 0x55);
            }
            for k in [0, 1, 4, 5] {
                [x[k], x[k + 2]] = exchange::<2>(x[k], x[k + 2], 0x33);
            }
            for k in [0, 1, 2, 3] {
                [x[k], x[k + 4]] = exchange::<4>(x[k], x[k + 4], 0x0f);
            }
            x
        }
    };
}
pub(in crate::filter::bitshuffle) use lane_kernels;
