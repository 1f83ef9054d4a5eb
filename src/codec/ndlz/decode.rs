//! Reading NDLZ streams.

use super::{CONSTANT, Form, Grid, LITERAL, MAX_CELL, SAME, side_of};
use crate::base::Result;
use crate::base::bytes::i32_le_at;
use crate::codec::bad_stream;

/// Decompresses `src` into `dst` and tells how many bytes of `dst` were written: all of them.
///
/// # Errors
/// `Data` for a `meta` other than 4 and 8, and when `src` is not a stream of just that many bytes.
pub fn decompress(meta: u8, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    let side = side_of(meta)?;
    let bad = || bad_stream("NDLZ", src.len());
    let (grid, mut stream) = header(side, src, dst.len()).ok_or_else(bad)?;
    let mut bytes = [0; MAX_CELL];
    for cell in grid.cells() {
        let whole = cell.len() == side * side;
        stream.cell(grid, &mut bytes[..cell.len()], whole).ok_or_else(bad)?;
        for (row, part) in bytes[..cell.len()].chunks_exact(cell.columns).enumerate() {
            let at = cell.start + row * grid.width;
            dst[at..at + cell.columns].copy_from_slice(part);
        }
    }
    Ok(dst.len())
}

/// The grid that a stream is for, if it has `len` bytes.
fn header(side: usize, src: &[u8], len: usize) -> Option<(Grid, Stream<'_>)> {
    let mut stream = Stream { src, at: 0 };
    if stream.take(1)? != [2] {
        return None;
    }
    let mut extent = || usize::try_from(i32_le_at(stream.take(4)?, 0)?).ok();
    let (mut height, width) = (extent()?, extent()?);
    if width == 0 {
        height = 0;
    }
    (height.checked_mul(width)? == len).then_some((Grid { side, height, width }, stream))
}

struct Stream<'a> {
    src: &'a [u8],
    at: usize,
}

impl<'a> Stream<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let bytes = self.src.get(self.at..)?.get(..n)?;
        self.at += n;
        Some(bytes)
    }

    /// The `n` bytes that come as far before the token at `token` as the next two bytes say.
    fn referred(&mut self, token: usize, n: usize) -> Option<&'a [u8]> {
        let back = u16::from_le_bytes(*self.take(2)?.first_chunk()?);
        self.src.get(token.checked_sub(usize::from(back))?..)?.get(..n)
    }

    /// The next cell's bytes, one row after another; `whole` cells are not cut.
    fn cell(&mut self, grid: Grid, bytes: &mut [u8], whole: bool) -> Option<()> {
        let at = self.at;
        match self.take(1)?[0] {
            LITERAL => bytes.copy_from_slice(self.take(bytes.len())?),
            CONSTANT => bytes.fill(self.take(1)?[0]),
            SAME => bytes.copy_from_slice(self.referred(at, bytes.len())?),
            token if whole => {
                let form = grid.forms().iter().find(|form| form.token == token)?;
                self.rows(form, at, grid.side, bytes)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The rows of a cell of a certain form.
    fn rows(&mut self, form: &Form, token: usize, side: usize, bytes: &mut [u8]) -> Option<()> {
        for group in form.groups {
            let rows = self.referred(token, group.len() * side)?;
            for (&row, part) in group.iter().zip(rows.chunks_exact(side)) {
                bytes[usize::from(row) * side..][..side].copy_from_slice(part);
            }
        }
        for row in form.others(side) {
            bytes[row * side..][..side].copy_from_slice(self.take(side)?);
        }
        Some(())
    }
}
