//! The map of a frame's files as a picture.

use crate::chunks::{Chunk, part_name};
use crate::failure::Failure;
use crate::screen::{self, size};
use blosc2::frame::map::{FileMap, Part, Piece};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

const WIDTH: i32 = 960;
const MARGIN: i32 = 24;
const STRIP: i32 = 36;
const BARS: i32 = 180;
/// Bars wider than this look like walls.
const WIDEST_BAR: f64 = 48.0;
const INK: RGBColor = RGBColor(40, 40, 48);
const FAINT: RGBColor = RGBColor(120, 120, 130);
const PAPER: RGBColor = RGBColor(232, 236, 240);

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// A strip with the parts of the frame's files to scale, and a bar for each chunk: how much of it is left.
pub fn picture(path: &Path, files: &[FileMap], chunks: &[Chunk]) -> Result<String, Failure> {
    let mut svg = String::new();
    let height = 3 * MARGIN + STRIP + 60 + BARS + 70;
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32)).into_drawing_area();
        paint(&area, path, files, chunks)
            .map_err(|e| Failure::new(format!("the picture cannot be drawn: {e}")))?;
    }
    Ok(svg)
}

fn paint(
    area: &Area<'_>,
    path: &Path,
    files: &[FileMap],
    chunks: &[Chunk],
) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let pieces: Vec<Piece> = all_pieces(files);
    let total = pieces.last().map_or(1, |piece| piece.start + piece.len).max(1);
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let what = if files.len() > 1 { format!(" in {} files", files.len()) } else { String::new() };
    text(
        area,
        &format!("{}: {}{what}", screen::plain(&name), size(total)),
        (MARGIN, MARGIN),
        17,
        INK,
        HPos::Left,
    )?;
    strip(area, &pieces, total, MARGIN + 22)?;
    legend(area, &pieces, MARGIN + 22 + STRIP + 28)?;
    bars(area, chunks, MARGIN + 22 + STRIP + 84)
}

/// The pieces of all files one after the other.
fn all_pieces(files: &[FileMap]) -> Vec<Piece> {
    let (mut all, mut before) = (Vec::new(), 0);
    for file in files {
        all.extend(file.pieces.iter().map(|piece| Piece { start: before + piece.start, ..*piece }));
        before += file.len();
    }
    all
}

fn text(
    area: &Area<'_>,
    what: &str,
    at: (i32, i32),
    points: i32,
    color: RGBColor,
    side: HPos,
) -> Result<(), Box<dyn std::error::Error>> {
    let font = ("sans-serif", points).into_font().color(&color).pos(Pos::new(side, VPos::Center));
    Ok(area.draw(&Text::new(what.to_owned(), at, font))?)
}

fn color(part: Part) -> RGBColor {
    match part {
        Part::Header => RGBColor(230, 159, 0),
        Part::Trailer => RGBColor(213, 94, 0),
        Part::Index => RGBColor(204, 121, 167),
        Part::Hole => RGBColor(190, 190, 196),
        Part::Before | Part::After => RGBColor(225, 225, 228),
        Part::Unreadable(_) => RGBColor(200, 0, 0),
        Part::Chunk(n) if n % 2 == 0 => RGBColor(0, 114, 178),
        Part::Chunk(_) => RGBColor(86, 180, 233),
    }
}

fn strip(area: &Area<'_>, pieces: &[Piece], total: u64, top: i32) -> Result<(), Box<dyn std::error::Error>> {
    let scale = f64::from(WIDTH - 2 * MARGIN) / total as f64;
    let at = |byte: u64| MARGIN + (byte as f64 * scale).round() as i32;
    // Small parts last, and a pixel wide at least: what there is one of is always seen.
    let lone = |piece: &&Piece| !matches!(piece.part, Part::Chunk(_));
    let ordered = pieces.iter().filter(|piece| !lone(piece)).chain(pieces.iter().filter(lone));
    for piece in ordered {
        let (left, right) = (at(piece.start), at(piece.start + piece.len));
        if left == right && !lone(&piece) {
            continue;
        }
        let right = right.max(left + 1);
        area.draw(&Rectangle::new([(left, top), (right, top + STRIP)], color(piece.part).filled()))?;
    }
    text(area, "0", (MARGIN, top + STRIP + 9), 12, FAINT, HPos::Left)?;
    text(area, &size(total), (WIDTH - MARGIN, top + STRIP + 9), 12, FAINT, HPos::Right)
}

fn legend(area: &Area<'_>, pieces: &[Piece], top: i32) -> Result<(), Box<dyn std::error::Error>> {
    let mut left = MARGIN;
    for name in ["header", "chunk", "unreadable", "hole", "index", "trailer", "before", "after"] {
        let of: Vec<&Piece> = pieces.iter().filter(|piece| part_name(piece.part) == name).collect();
        let Some(first) = of.first() else { continue };
        let bytes: u64 = of.iter().map(|piece| piece.len).sum();
        let what = match first.part {
            Part::Chunk(_) => {
                format!("{} ({})", screen::count(of.len() as u64, "chunk", "chunks"), size(bytes))
            }
            _ => format!("{name} ({})", size(bytes)),
        };
        area.draw(&Rectangle::new([(left, top - 5), (left + 11, top + 6)], color(first.part).filled()))?;
        text(area, &what, (left + 17, top), 13, INK, HPos::Left)?;
        left += 17 + 7 * what.chars().count() as i32 + 18;
    }
    Ok(())
}

/// How much of each chunk is left: full height is its uncompressed size.
fn bars(area: &Area<'_>, chunks: &[Chunk], top: i32) -> Result<(), Box<dyn std::error::Error>> {
    if chunks.is_empty() {
        return Ok(());
    }
    text(area, "What is left of each chunk, in the order of the data", (MARGIN, top), 14, INK, HPos::Left)?;
    let (top, left, right) = (top + 16, MARGIN + 44, WIDTH - MARGIN);
    for (share, label) in [(0, "0"), (25, "25%"), (50, "50%"), (75, "75%"), (100, "100%")] {
        let y = top + BARS - BARS * share / 100;
        area.draw(&PathElement::new(vec![(left, y), (right, y)], PAPER.stroke_width(1)))?;
        text(area, label, (left - 6, y), 12, FAINT, HPos::Right)?;
    }
    // No more bars than there are pixels: of several chunks in one, the largest share.
    let room = (right - left) as usize;
    let per_bar = chunks.len().div_ceil(room);
    let groups: Vec<&[Chunk]> = chunks.chunks(per_bar).collect();
    let wide = (room as f64 / groups.len() as f64).min(WIDEST_BAR);
    for (n, group) in groups.iter().enumerate() {
        let share = group.iter().map(share_left).fold(0.0, f64::max);
        let (from, to) = (left + (n as f64 * wide) as i32, left + ((n + 1) as f64 * wide) as i32);
        let gap = i32::from(wide >= 4.0);
        let color = match &group[0] {
            chunk if chunk.error.is_some() => color(Part::Unreadable(0)),
            chunk => color(Part::Chunk(if per_bar > 1 { 0 } else { chunk.n })),
        };
        let high = ((f64::from(BARS) * share.min(1.0)).round() as i32).max(1);
        let corners = [(from, top + BARS - high), ((to - gap).max(from + 1), top + BARS)];
        area.draw(&Rectangle::new(corners, color.filled()))?;
    }
    let end = left + (groups.len() as f64 * wide) as i32;
    text(area, "chunk 0", (left, top + BARS + 12), 12, FAINT, HPos::Left)?;
    if chunks.len() > 2 {
        let last = format!("chunk {}", chunks.len() - 1);
        text(area, &last, (end.max(left + 130), top + BARS + 12), 12, FAINT, HPos::Right)?;
    }
    Ok(())
}

fn share_left(chunk: &Chunk) -> f64 {
    match (chunk.nbytes, chunk.cbytes) {
        (Some(nbytes), Some(cbytes)) if nbytes > 0 => cbytes as f64 / nbytes as f64,
        (None, _) => 1.0,
        _ => 0.0,
    }
}
