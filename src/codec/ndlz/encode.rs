//! Writing NDLZ streams.

use super::{CONSTANT, Cell, Form, Grid, HEADER_LEN, LITERAL, MAX_CELL, SAME, side_of};
use crate::base::Result;
use crate::base::params::NdShape;
use crate::fail;

/// Where the bytes of literal cells stand in the stream, by hash. What a slot says is a hint.
#[derive(Default)]
pub struct Tables {
    slots: Vec<u32>,
}

const BITS: u32 = 14;
/// A cell can be told by what stands less than that many bytes before its token.
const REACH: usize = 1 << 16;

/// Compresses the block `src` into `dst` and tells how many bytes that took; 0 when it would not be fewer.
///
/// # Errors
/// `Data` for a `meta` other than 4 and 8, for data that is no block of a two-dimensional array, and for blocks whose
/// streams have not one byte per item.
pub fn compress(
    tables: &mut Tables,
    meta: u8,
    nd: Option<&NdShape>,
    src: &[u8],
    dst: &mut [u8],
) -> Result<usize> {
    let side = side_of(meta)?;
    let Some(&[height, width]) = nd.map(|nd| nd.blockshape.as_slice()) else {
        fail!(Data, "NDLZ compresses blocks of two-dimensional arrays only");
    };
    let grid = Grid { side, height: height.max(0) as usize, width: width.max(0) as usize };
    if grid.height.checked_mul(grid.width) != Some(src.len()) {
        fail!(Data, "NDLZ wants one byte per item: {} bytes are not {height} by {width}", src.len());
    }
    if src.len() < side * side || dst.len() < HEADER_LEN {
        return Ok(0);
    }
    let room = dst.len().min(src.len() - 1);
    let mut stream = Stream { dst: &mut dst[..room], at: 0, slots: tables.cleared() };
    Ok(stream.block(grid, [height, width], src).map_or(0, |()| stream.at))
}

impl Tables {
    fn cleared(&mut self) -> &mut [u32] {
        self.slots.clear();
        self.slots.resize(1 << BITS, 0);
        &mut self.slots
    }
}

struct Stream<'a> {
    dst: &'a mut [u8],
    at: usize,
    slots: &'a mut [u32],
}

impl Stream<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.dst.get_mut(self.at..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }

    fn block(&mut self, grid: Grid, extents: [i32; 2], src: &[u8]) -> Option<()> {
        self.put(&[2])?;
        for extent in extents {
            self.put(&extent.to_le_bytes())?;
        }
        for cell in grid.cells() {
            let mut bytes = [0; MAX_CELL];
            let bytes = gather(grid, cell, src, &mut bytes);
            self.cell(grid, bytes)?;
        }
        Some(())
    }

    /// Writes a cell in the shortest way that is found.
    fn cell(&mut self, grid: Grid, bytes: &[u8]) -> Option<()> {
        if bytes.iter().all(|&byte| byte == bytes[0]) {
            return self.put(&[CONSTANT, bytes[0]]);
        }
        if let Some(back) = self.find(bytes) {
            self.put(&[SAME])?;
            return self.put(&back.to_le_bytes());
        }
        let whole = bytes.len() == grid.side * grid.side;
        if whole {
            for form in grid.forms() {
                if let Some(backs) = self.find_groups(form, grid.side, bytes) {
                    return self.form(form, grid.side, bytes, backs);
                }
            }
        }
        let start = self.at + 1;
        self.put(&[LITERAL])?;
        self.put(bytes)?;
        self.remember(start, bytes.len());
        if whole {
            for rows in 2..=3 {
                for row in 0..=grid.side - rows {
                    self.remember(start + row * grid.side, rows * grid.side);
                }
            }
        }
        Some(())
    }

    fn form(&mut self, form: &Form, side: usize, bytes: &[u8], backs: [u16; 2]) -> Option<()> {
        self.put(&[form.token])?;
        for back in &backs[..form.groups.len()] {
            self.put(&back.to_le_bytes())?;
        }
        form.others(side).try_for_each(|row| self.put(&bytes[row * side..][..side]))
    }

    /// For each of a form's groups of rows how far back it stands, if all do.
    fn find_groups(&self, form: &Form, side: usize, bytes: &[u8]) -> Option<[u16; 2]> {
        let mut backs = [0; 2];
        for (group, back) in form.groups.iter().zip(&mut backs) {
            let mut rows = [0; MAX_CELL];
            for (&row, part) in group.iter().zip(rows.chunks_exact_mut(side)) {
                part.copy_from_slice(&bytes[usize::from(row) * side..][..side]);
            }
            *back = self.find(&rows[..group.len() * side])?;
        }
        Some(backs)
    }

    /// How far before the next token `bytes` stand.
    fn find(&self, bytes: &[u8]) -> Option<u16> {
        let from = self.slots[slot(bytes)] as usize;
        let back = self.at - from;
        (from > 0 && back < REACH && self.dst[from..].starts_with(bytes)).then_some(back as u16)
    }

    fn remember(&mut self, start: usize, len: usize) {
        self.slots[slot(&self.dst[start..start + len])] = start as u32;
    }
}

/// A cell's bytes, one row after another.
fn gather<'a>(grid: Grid, cell: Cell, src: &[u8], bytes: &'a mut [u8; MAX_CELL]) -> &'a [u8] {
    let bytes = &mut bytes[..cell.len()];
    for (row, part) in bytes.chunks_exact_mut(cell.columns).enumerate() {
        part.copy_from_slice(&src[cell.start + row * grid.width..][..cell.columns]);
    }
    bytes
}

/// The slot for some bytes; how many they are counts.
fn slot(bytes: &[u8]) -> usize {
    const PRIME: u64 = 0x9e37_79b1_85eb_ca87;
    let mut hash = bytes.len() as u64;
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(PRIME);
    }
    (hash >> (64 - BITS)) as usize
}
