//! The map of a frame's files in characters.

use crate::chunks::{Chunk, part_name};
use crate::screen::{self, FAINT, NAME, Table, count, size};
use anstyle::{AnsiColor, Style};
use blosc2::frame::map::{FileMap, Part, Piece};
use std::io::{self, Write};

/// Lines that the map of one file takes at most.
const MAX_LINES: usize = 12;

/// The bytes of a ratio's shade, from the least compressed to the most: from so many times smaller on.
const SHADES: [(f64, char, &str); 4] =
    [(0.0, '█', "under 1.5x"), (1.5, '▓', "1.5x"), (4.0, '▒', "4x"), (16.0, '░', "16x and more")];

/// Draws the files.
pub fn print(out: &mut impl Write, files: &[FileMap], chunks: &[Chunk]) -> io::Result<()> {
    let Some((main, others)) = files.split_first() else {
        return Ok(());
    };
    let name = screen::plain(&main.path.display().to_string());
    writeln!(out, "{NAME}{name}{NAME:#}  {}", size(main.len()))?;
    let cells = cells(main);
    draw(out, &cells, chunks, Some(main.len()))?;
    if !others.is_empty() {
        let bytes = others.iter().map(FileMap::len).sum();
        let files = count(others.len() as u64, "chunk file", "chunk files");
        writeln!(out, "{NAME}{files}{NAME:#}  {}, a character each", size(bytes))?;
        let parts: Vec<Part> =
            others.iter().map(|file| file.pieces.first().map_or(Part::Hole, |piece| piece.part)).collect();
        draw(out, &parts, chunks, None)?;
    }
    writeln!(out)?;
    legend(out, files)
}

/// What each character of a file's map shows: what most of its bytes are, but that small parts are shown as well.
fn cells(file: &FileMap) -> Vec<Part> {
    let width = screen::width().saturating_sub(12).max(10);
    let bytes = file.len().max(1);
    // No more characters than bytes, and no more lines than there are pieces to show.
    let wanted = (file.pieces.len() * 4).div_ceil(width).clamp(2, MAX_LINES) * width;
    let ncells = (wanted as u64).min(bytes);
    let at = |cell: u64| (u128::from(bytes) * u128::from(cell) / u128::from(ncells)) as u64;
    let mut cells = Vec::with_capacity(ncells as usize);
    let mut first = 0;
    for cell in 0..ncells {
        let (start, end) = (at(cell), at(cell + 1));
        while file.pieces.get(first).is_some_and(|piece| piece.start + piece.len <= start) {
            first += 1;
        }
        let inside = file.pieces[first..].iter().take_while(|piece| piece.start < end);
        let weight = |piece: &&Piece| {
            let here = (piece.start + piece.len).min(end) - piece.start.max(start);
            // Parts there is one of are told wherever they begin.
            let lone = matches!(piece.part, Part::Header | Part::Index | Part::Trailer);
            (lone && piece.start >= start, here)
        };
        cells.push(inside.max_by_key(weight).map_or(Part::Hole, |piece| piece.part));
    }
    // At the end index and trailer may have one character between them: each gets its own.
    let ends = [Part::Index, Part::Trailer];
    let hidden = ends.iter().any(|part| file.bytes_of(*part) > 0 && !cells.contains(part));
    if hidden
        && file.bytes_of(Part::Index) > 0
        && file.bytes_of(Part::After) == 0
        && let Some(last) = cells.last_chunk_mut()
    {
        *last = ends;
    }
    cells
}

/// Prints cells in lines; with the length of the file, each line says where it begins.
fn draw(out: &mut impl Write, cells: &[Part], chunks: &[Chunk], len: Option<u64>) -> io::Result<()> {
    let width = screen::width().saturating_sub(12).max(10);
    for (n, line) in cells.chunks(width).enumerate() {
        let before = (n * width) as u128;
        let label = match len {
            Some(len) => size((u128::from(len) * before / cells.len().max(1) as u128) as u64),
            None => before.to_string(),
        };
        write!(out, "{FAINT}{label:>10}{FAINT:#}  ")?;
        for same in line.chunk_by(|a, b| a == b) {
            let (glyph, style) = look(same[0], chunks);
            let run: String = std::iter::repeat_n(glyph, same.len()).collect();
            write!(out, "{style}{run}{style:#}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn look(part: Part, chunks: &[Chunk]) -> (char, Style) {
    match part {
        Part::Header => ('H', AnsiColor::Yellow.on_default().bold()),
        Part::Index => ('I', AnsiColor::Magenta.on_default().bold()),
        Part::Trailer => ('T', AnsiColor::Yellow.on_default().bold()),
        Part::Hole => ('.', AnsiColor::BrightBlack.on_default()),
        Part::Before | Part::After => ('-', AnsiColor::BrightBlack.on_default()),
        Part::Unreadable(_) => ('?', screen::BAD),
        Part::Chunk(n) => {
            let ratio = usize::try_from(n).ok().and_then(|n| chunks.get(n)).and_then(|chunk| chunk.ratio);
            // Neighbours are told apart.
            let color = if n % 2 == 0 { AnsiColor::Cyan } else { AnsiColor::Blue };
            (shade(ratio.unwrap_or(1.0)), color.on_default())
        }
    }
}

fn shade(ratio: f64) -> char {
    let fits = SHADES.iter().rev().find(|(from, ..)| ratio >= *from);
    fits.map_or(SHADES[0].1, |(_, glyph, _)| *glyph)
}

fn legend(out: &mut impl Write, files: &[FileMap]) -> io::Result<()> {
    let pieces = || files.iter().flat_map(|file| &file.pieces);
    let total: u64 = files.iter().map(FileMap::len).sum();
    let mut table = Table::new(&[
        ("", screen::Side::Left),
        ("part", screen::Side::Left),
        ("bytes", screen::Side::Right),
        ("share", screen::Side::Right),
        ("", screen::Side::Left),
    ]);
    let mut shaded = false;
    for name in ["before", "header", "chunk", "unreadable", "hole", "index", "trailer", "after"] {
        let found: Vec<&Piece> = pieces().filter(|piece| part_name(piece.part) == name).collect();
        let Some(first) = found.first() else { continue };
        let bytes: u64 = found.iter().map(|piece| piece.len).sum();
        let glyph = match first.part {
            Part::Chunk(_) => SHADES.iter().map(|(_, glyph, _)| *glyph).collect(),
            part => look(part, &[]).0.to_string(),
        };
        let more = match first.part {
            Part::Chunk(_) => count(found.len() as u64, "chunk", "chunks"),
            _ => String::new(),
        };
        shaded |= matches!(first.part, Part::Chunk(_));
        let share = format!("{:.1}%", 100.0 * bytes as f64 / total.max(1) as f64);
        table.row(vec![glyph, name.into(), bytes.to_string(), share, more]);
    }
    table.print(out)?;
    if shaded { writeln!(out, "{FAINT}so much smaller: {}{FAINT:#}", shades()) } else { Ok(()) }
}

fn shades() -> String {
    let told = SHADES.iter().map(|(_, glyph, what)| format!("{glyph} {what}"));
    told.collect::<Vec<_>>().join(", ")
}
