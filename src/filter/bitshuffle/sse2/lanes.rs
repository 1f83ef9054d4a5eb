//! Bits of streams to rows and back with registers of one or more lanes of 16 bytes, written once for every such
//! instruction set.
//!
//! A tile of a stream is eight registers. To rows: the highest bits of a register's bytes come as one number, which is
//! what a row gets of them; then all bits move up by one. Back: one register of each row, interleaved like the byte
//! shuffle of items of 8 bytes, gives groups of eight bytes whose 8 by 8 bits are transposed in place.

/// Defines the kernels of an instruction set. The file that calls it gives the `highest_bits` of a register, as as many
/// bytes as it has lanes of 16, twice.
macro_rules! lane_kernels {
    ($level:ident, $features:literal, $register:ty, $lanes:literal) => {
        /// Bytes of a stream in a tile.
        const TILE: usize = 8 * REGISTER;

        /// Bytes of a register.
        const REGISTER: usize = 16 * $lanes;

        /// The kernels of this level.
        pub const KERNEL: Kernel = Kernel { tile: TILE, to_rows, from_rows };

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
                for r in 0..8 {
                    // SAFETY: `Cut` saw to it that the tile has 8 registers in its stream and one in each of its rows.
                    unsafe {
                        let mut x = load(streams.bytes.as_ptr().add(stream + r * REGISTER));
                        let out = rows.bytes.as_mut_ptr().add(row + r * (REGISTER / 8));
                        for k in (0..8).rev() {
                            out.add(k * rows.stride)
                                .cast::<[u8; REGISTER / 8]>()
                                .write_unaligned(highest_bits(x));
                            x = add(x, x);
                        }
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
                    let x = interleave(interleave(interleave(x)));
                    for r in 0..8 {
                        for (l, lane) in split(transpose_bits(x[r])).into_iter().enumerate() {
                            let out = streams.bytes.as_mut_ptr().add(stream + 128 * l + 16 * r);
                            _mm_storeu_si128(out.cast(), lane);
                        }
                    }
                }
            }
        }
    };
}
pub(in crate::filter::bitshuffle) use lane_kernels;
