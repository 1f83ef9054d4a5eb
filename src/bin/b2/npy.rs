//! `.npy` files: what their header says, their items by coordinates, and new headers.

use crate::dtype;
use crate::failure::{At, Failure};
use blosc2::Result;
use blosc2::io::disk::DiskFile;
use blosc2::io::{File, Mode};
use blosc2::ndarray::geometry::Region;
use npyz::{DType, NpyHeader, Order, WriteOptions, WriterBuilder};
use py_literal::Value;
use std::io::{Cursor, Write};
use std::path::Path;

/// How every such file begins.
const MAGIC: &[u8] = b"\x93NUMPY";
/// How much of a file may be its header.
const LONGEST_HEADER: usize = 1 << 20;

/// Items in a file, one after the other: a `.npy` file's, or those of one that has nothing else.
pub struct ItemFile {
    file: DiskFile,
    /// Where the items begin.
    start: u64,
    /// Items along each dimension.
    pub shape: Vec<i64>,
    /// What they are.
    pub dtype: DType,
    /// Bytes of one.
    itemsize: usize,
    /// Whether the first dimension is the one whose items are neighbours.
    fortran: bool,
}

/// Whether a file looks like a `.npy` file.
pub fn is_npy(path: &Path) -> std::result::Result<bool, Failure> {
    let file = DiskFile::open(path, Mode::Read)?;
    let mut magic = [0; MAGIC.len()];
    Ok(file.size()? >= MAGIC.len() as u64 && file.read_at(0, &mut magic).is_ok() && magic == *MAGIC)
}

impl ItemFile {
    /// A `.npy` file.
    pub fn open(path: &Path) -> std::result::Result<ItemFile, Failure> {
        let file = DiskFile::open(path, Mode::Read)?;
        let mut head = vec![0; file.size()?.min(LONGEST_HEADER as u64) as usize];
        file.read_at(0, &mut head)?;
        let text = header_text(&head).at(path)?;
        check_header(text).map_err(|why| Failure::new(format!("header: {why}"))).at(path)?;
        let mut reader = Cursor::new(&head);
        let header = NpyHeader::from_reader(&mut reader).at(path)?;
        let shape = header.shape().iter().map(|&n| i64::try_from(n).ok()).collect::<Option<_>>();
        let Some(shape) = shape else {
            return Err(Failure::new(format!("{}: a shape of {:?}", path.display(), header.shape())));
        };
        let fortran = header.order() == Order::Fortran;
        ItemFile::new(file, reader.position(), shape, header.dtype(), fortran).at(path)
    }

    /// A file of nothing but items of that dtype; without a shape, one dimension.
    pub fn raw(path: &Path, dtype: DType, shape: Option<&[i64]>) -> std::result::Result<ItemFile, Failure> {
        let file = DiskFile::open(path, Mode::Read)?;
        let size = file.size()?;
        let itemsize = dtype.num_bytes().unwrap_or(0).max(1) as u64;
        if shape.is_none() && size % itemsize != 0 {
            return Err(Failure::new(format!("{}: {size} bytes are no items of {itemsize}", path.display())));
        }
        let shape = shape.map_or_else(|| vec![(size / itemsize) as i64], <[i64]>::to_vec);
        ItemFile::new(file, 0, shape, dtype, false).at(path)
    }

    fn new(
        file: DiskFile,
        start: u64,
        shape: Vec<i64>,
        dtype: DType,
        fortran: bool,
    ) -> std::result::Result<ItemFile, Failure> {
        let Some(itemsize) = dtype.num_bytes().filter(|&size| size > 0) else {
            return Err(Failure::new("items of no fixed size cannot be packed"));
        };
        let bytes = |n: u64, len: &i64| n.checked_mul(u64::try_from(*len).ok()?);
        let wanted = shape.iter().try_fold(itemsize as u64, bytes).and_then(|len| len.checked_add(start));
        let have = file.size()?;
        if wanted.is_none_or(|wanted| wanted > have) {
            let shape = crate::info::tuple(&shape);
            return Err(Failure::new(format!("{have} bytes are fewer than items of shape {shape} take")));
        }
        Ok(ItemFile { file, start, shape, dtype, itemsize, fortran })
    }

    /// Bytes of all items.
    pub fn nbytes(&self) -> u64 {
        self.shape.iter().map(|&n| n as u64).product::<u64>() * self.itemsize as u64
    }

    /// Bytes of one item.
    pub fn itemsize(&self) -> usize {
        self.itemsize
    }

    /// Reads items as they lie in the file, from the `first`th on.
    pub fn read_from(&self, first: u64, out: &mut [u8]) -> Result<()> {
        self.file.read_at(self.start + first * self.itemsize as u64, out)
    }

    /// Reads the items of a region, in row-major order.
    pub fn read(&self, region: &Region, out: &mut [u8]) -> Result<()> {
        let ndim = self.shape.len();
        let (start, stop) = (&region.start()[..ndim], &region.stop()[..ndim]);
        if self.fortran && ndim > 1 {
            return self.read_fortran(start, stop, out);
        }
        self.read_rows(&self.shape, start, stop, out)
    }

    /// Reads a box of a row-major array of that shape: one read for what lies together in the file.
    fn read_rows(&self, shape: &[i64], start: &[i64], stop: &[i64], out: &mut [u8]) -> Result<()> {
        // The axes from here on are taken whole.
        let whole = |dim: usize| start[dim] == 0 && stop[dim] == shape[dim];
        let mut dim = shape.len();
        while dim > 0 && whole(dim - 1) {
            dim -= 1;
        }
        let inner = dim.saturating_sub(1);
        let row: i64 = (inner..shape.len()).map(|dim| stop[dim] - start[dim]).product();
        let row = row as usize * self.itemsize;
        if row == 0 {
            return Ok(());
        }
        let mut at = start.to_vec();
        for row in out.chunks_exact_mut(row) {
            let item = at.iter().zip(shape).fold(0u64, |item, (&at, &len)| item * len as u64 + at as u64);
            self.file.read_at(self.start + item * self.itemsize as u64, row)?;
            // The next row: the last of the outer axes goes first.
            for dim in (0..inner).rev() {
                at[dim] += 1;
                if at[dim] < stop[dim] {
                    break;
                }
                at[dim] = start[dim];
            }
        }
        Ok(())
    }

    /// A column-major array is a row-major one with its axes turned round.
    fn read_fortran(&self, start: &[i64], stop: &[i64], out: &mut [u8]) -> Result<()> {
        let turned = |coords: &[i64]| coords.iter().rev().copied().collect::<Vec<_>>();
        let (shape, from, to) = (turned(&self.shape), turned(start), turned(stop));
        let mut columns = vec![0; out.len()];
        self.read_rows(&shape, &from, &to, &mut columns)?;
        let counts: Vec<usize> = start.iter().zip(stop).map(|(a, b)| (b - a) as usize).collect();
        transpose(&columns, out, &counts, self.itemsize);
        Ok(())
    }
}

/// Puts items that lie column by column row by row.
fn transpose(columns: &[u8], rows: &mut [u8], counts: &[usize], itemsize: usize) {
    let mut strides = vec![itemsize; counts.len()];
    for dim in 1..counts.len() {
        strides[dim] = strides[dim - 1] * counts[dim - 1];
    }
    let mut at = vec![0; counts.len()];
    for item in rows.chunks_exact_mut(itemsize) {
        let from: usize = at.iter().zip(&strides).map(|(at, stride)| at * stride).sum();
        item.copy_from_slice(&columns[from..from + itemsize]);
        for dim in (0..counts.len()).rev() {
            at[dim] += 1;
            if at[dim] < counts[dim] {
                break;
            }
            at[dim] = 0;
        }
    }
}

/// Refuses what the parser of headers does not expect: brackets without end, and more items than can be counted.
fn check_header(text: &[u8]) -> std::result::Result<(), String> {
    dtype::check_literal(text)?;
    let text = std::str::from_utf8(text).map_err(|_| "no text")?;
    let header: Value = text.trim().parse().map_err(|_| "no literal of Python")?;
    let entries = header.as_dict().ok_or("no dictionary")?;
    let shape = entries.iter().find(|(name, _)| name.as_string().is_some_and(|name| name == "shape"));
    let shape = dtype::numbers(&shape.ok_or("no shape")?.1)?;
    let counted = shape.iter().try_fold(1u64, |items, &n| items.checked_mul(n.max(1)));
    counted.map(drop).ok_or_else(|| "more items than can be counted".into())
}

/// The literal in a header.
fn header_text(head: &[u8]) -> std::result::Result<&[u8], Failure> {
    let wrong = || Failure::new("no header of a .npy file");
    let (len, start) = match head.get(MAGIC.len()) {
        Some(1) => (head.get(8..10).map(|len| usize::from(u16::from_le_bytes([len[0], len[1]]))), 10),
        Some(2 | 3) => {
            let bytes = head.get(8..12).and_then(|len| len.first_chunk());
            (bytes.map(|len| u32::from_le_bytes(*len) as usize), 12)
        }
        _ => return Err(wrong()),
    };
    let end = len.and_then(|len| len.checked_add(start)).ok_or_else(wrong)?;
    head.get(start..end).ok_or_else(wrong)
}

/// Writes a header for items in row-major order.
pub fn write_header(out: &mut dyn Write, dtype: &DType, shape: &[i64]) -> std::result::Result<(), Failure> {
    let shape: Vec<u64> = shape.iter().map(|&n| n as u64).collect();
    WriteOptions::new_header_only().dtype(dtype.clone()).shape(&shape).writer(out).write_header_only()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_rows() {
        let mut rows = [0; 6];
        transpose(&[1, 4, 2, 5, 3, 6], &mut rows, &[2, 3], 1);
        assert_eq!(rows, [1, 2, 3, 4, 5, 6]);
    }
}
