//! Bits of streams to rows and back in plain Rust, for machines without wide kernels of their own.

use super::scalar::transpose8;
use super::tiles::{Cut, Few, Kernel, Rows};
use crate::filter::shuffle::tiles::Streams;

/// Bytes of a stream in a tile, and what a row gets of them.
const TILE: usize = 512;
const PART: usize = TILE / 8;

/// The kernels of this level.
pub const KERNEL: Kernel = Kernel { tile: TILE, to_rows, from_rows, few: FEW };

/// Less than a tile, and what wider levels leave.
pub const FEW: Few = Few { to_rows: few_to_rows, from_rows: few_from_rows };

/// Brings the bits of streams to rows, `at` bytes after their beginnings.
fn to_rows(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
    for (stream, row) in Cut::new(TILE, streams.with_len(), rows.with_len(), at).tiles() {
        let mut parts = [[0; PART]; 8];
        for (i, bytes) in streams.bytes[stream..stream + TILE].as_chunks().0.iter().enumerate() {
            for (part, bits) in parts.iter_mut().zip(transpose8(*bytes)) {
                part[i] = bits;
            }
        }
        for (k, part) in parts.iter().enumerate() {
            rows.bytes[row + k * rows.stride..][..PART].copy_from_slice(part);
        }
    }
}

/// Undoes [`to_rows`].
fn from_rows(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
    for (stream, row) in Cut::new(TILE, streams.with_len(), rows.with_len(), at).tiles() {
        let parts: [&[u8]; 8] = std::array::from_fn(|k| &rows.bytes[row + k * rows.stride..][..PART]);
        for (i, bytes) in streams.bytes[stream..stream + TILE].as_chunks_mut().0.iter_mut().enumerate() {
            *bytes = transpose8(parts.map(|part| part[i]));
        }
    }
}

/// [`to_rows`] of streams shorter than a tile.
fn few_to_rows(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
    for (stream, row) in Cut::of_few(streams.with_len(), rows.with_len(), at).tiles() {
        let groups = streams.bytes[stream..stream + streams.stride].as_chunks().0;
        for (i, group) in groups.iter().enumerate() {
            let bits = u64::from_le_bytes(transpose8(*group));
            let rows8 = rows.bytes[row + i..].iter_mut().step_by(rows.stride);
            rows8.take(8).enumerate().for_each(|(k, byte)| *byte = (bits >> (8 * k)) as u8);
        }
    }
}

/// Undoes [`few_to_rows`].
fn few_from_rows(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
    for (stream, row) in Cut::of_few(streams.with_len(), rows.with_len(), at).tiles() {
        let groups = streams.bytes[stream..stream + streams.stride].as_chunks_mut().0;
        let rows8: [&[u8]; 8] = std::array::from_fn(|k| &rows.bytes[row + k * rows.stride..][..groups.len()]);
        for (i, group) in groups.iter_mut().enumerate() {
            let byte = |k: usize| u64::from(rows8[k][i]) << (8 * k);
            // As a number: bytes put together in memory are waited for.
            let bits = byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7);
            *group = transpose8(bits.to_le_bytes());
        }
    }
}
