//! NDLZ: two-dimensional blocks of bytes, cell by cell.
//!
//! The block is cut into square cells of 4 or 8 bytes a side (the codec's parameter says which), row of cells by row of
//! cells. A cell is told by a token, and where it repeats, whole or in some of its rows, bytes that stand earlier in the
//! *compressed* stream, by how far back from its token those are.
//!
//! A stream begins with the byte 2, and the block's height and width as little-endian `i32`. Then for each cell:
//!
//! | token | what follows | the cell |
//! |---|---|---|
//! | 0 | its bytes | literal |
//! | 0x40 | one byte | that byte all over |
//! | 0xc0 | `u16` back | the bytes there |
//! | a [`Form`] | `u16` back for each of its groups, then the other rows | rows from there, and literal ones |
//!
//! Cells at the lower and right edges may be cut; they have no [`Form`].

mod decode;
mod encode;

pub use decode::decompress;
pub use encode::{Tables, compress};

use crate::base::{Error, ErrorKind};

/// The cell is literal.
const LITERAL: u8 = 0;
/// The cell is one byte over and over.
const CONSTANT: u8 = 1 << 6;
/// The cell is as another.
const SAME: u8 = 3 << 6;
/// The bytes before the first cell.
const HEADER_LEN: usize = 9;
/// The largest cell, in bytes.
const MAX_CELL: usize = 64;

/// A token for cells some of whose rows stand elsewhere.
struct Form {
    token: u8,
    /// Rows that stand elsewhere together, one after another.
    groups: &'static [&'static [u8]],
}

/// The forms of cells of 4 by 4, those that take the fewest bytes first.
const FORMS_4: &[Form] = &[
    Form { token: 0x28, groups: &[&[0, 1], &[2, 3]] },
    Form { token: 0x30, groups: &[&[0, 2], &[1, 3]] },
    Form { token: 0x38, groups: &[&[0, 3], &[1, 2]] },
    Form { token: 0xe0, groups: &[&[1, 2, 3]] },
    Form { token: 0xe8, groups: &[&[0, 1, 2]] },
    Form { token: 0xf0, groups: &[&[0, 1, 3]] },
    Form { token: 0xf8, groups: &[&[0, 2, 3]] },
    Form { token: 0x88, groups: &[&[0, 1]] },
    Form { token: 0x90, groups: &[&[0, 2]] },
    Form { token: 0x98, groups: &[&[0, 3]] },
    Form { token: 0xb0, groups: &[&[1, 2]] },
    Form { token: 0xb8, groups: &[&[1, 3]] },
    Form { token: 0x80, groups: &[&[2, 3]] },
];

/// The forms of cells of 8 by 8: three rows on end, or two.
const FORMS_8: &[Form] = &[
    Form { token: 0xa8, groups: &[&[0, 1, 2]] },
    Form { token: 0xa9, groups: &[&[1, 2, 3]] },
    Form { token: 0xaa, groups: &[&[2, 3, 4]] },
    Form { token: 0xab, groups: &[&[3, 4, 5]] },
    Form { token: 0xac, groups: &[&[4, 5, 6]] },
    Form { token: 0xad, groups: &[&[5, 6, 7]] },
    Form { token: 0x88, groups: &[&[0, 1]] },
    Form { token: 0x89, groups: &[&[1, 2]] },
    Form { token: 0x8a, groups: &[&[2, 3]] },
    Form { token: 0x8b, groups: &[&[3, 4]] },
    Form { token: 0x8c, groups: &[&[4, 5]] },
    Form { token: 0x8d, groups: &[&[5, 6]] },
    Form { token: 0x8e, groups: &[&[6, 7]] },
];

impl Form {
    /// The rows that are literal.
    fn others(&self, side: usize) -> impl Iterator<Item = usize> {
        (0..side).filter(|&row| !self.groups.iter().any(|group| group.contains(&(row as u8))))
    }
}

/// A block's cells.
#[derive(Clone, Copy)]
struct Grid {
    /// Bytes along a cell's side: 4 or 8.
    side: usize,
    height: usize,
    width: usize,
}

/// One cell: where it is in the block, and how much of it.
#[derive(Clone, Copy)]
struct Cell {
    /// Its first byte in the block.
    start: usize,
    rows: usize,
    columns: usize,
}

impl Grid {
    fn forms(&self) -> &'static [Form] {
        if self.side == 4 { FORMS_4 } else { FORMS_8 }
    }

    /// Every cell, in the order of the stream.
    fn cells(self) -> impl Iterator<Item = Cell> {
        let Grid { side, height, width } = self;
        (0..height).step_by(side).flat_map(move |y| {
            (0..width).step_by(side).map(move |x| Cell {
                start: y * width + x,
                rows: side.min(height - y),
                columns: side.min(width - x),
            })
        })
    }
}

impl Cell {
    fn len(self) -> usize {
        self.rows * self.columns
    }
}

/// The cell's side that a codec parameter asks for.
fn side_of(meta: u8) -> Result<usize, Error> {
    match meta {
        4 | 8 => Ok(usize::from(meta)),
        _ => Err(Error::new(ErrorKind::Data, format!("NDLZ has cells of side 4 and 8, not {meta}"))),
    }
}

#[cfg(test)]
mod tests;
