//! `b2 chunks`: the chunks of a frame, and where they lie.

use crate::compression;
use crate::failure::{At, Failure};
use crate::map;
use crate::paint;
use crate::progress::Progress;
use crate::screen::{self, Side, Table, factor, ratio};
use crate::source::Place;
use crate::target::Target;
use blosc2::SuperChunk;
use blosc2::chunk::Special;
use blosc2::frame::journal::paths::chunk_name;
use blosc2::frame::map::{FileMap, Part};
use blosc2::schunk::survey::ChunkInfo;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// List the chunks of a frame: where each is, its sizes, codec and kind; draw a map of the file
#[derive(clap::Args)]
#[command(after_help = "Example: b2 chunks array.b2nd --map --svg map.svg\n\n\
    `special` chunks are all zeros, NaN, one value, or were never written; without an offset they take no room.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// Draw where header, chunks, holes, index and trailer lie, and how well chunks compressed
    #[arg(long)]
    map: bool,
    /// Write the map as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Overwrite the picture
    #[arg(long)]
    force: bool,
}

/// One chunk.
#[derive(Serialize)]
pub struct Chunk {
    /// Its number.
    pub n: i64,
    /// Where in the file it begins.
    pub offset: Option<u64>,
    /// The file it is alone in.
    pub file: Option<String>,
    /// Uncompressed bytes.
    pub nbytes: Option<u64>,
    /// Bytes that are stored.
    pub cbytes: Option<u64>,
    /// The first by the second.
    pub ratio: Option<f64>,
    /// The codec, where one was used.
    pub codec: Option<String>,
    /// The filters, where any were.
    pub filters: Option<String>,
    /// What all items are.
    pub special: Option<&'static str>,
    /// Blocks.
    pub blocks: Option<u64>,
    /// Why nothing is known.
    pub error: Option<String>,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let schunk = args.place.open()?;
    let chunks = list(&schunk);
    let files = if schunk.disk().is_some() { schunk.map().at(&args.place.path)? } else { Vec::new() };
    if let Some(path) = &args.svg {
        let target = Target::new(path, args.force)?;
        std::fs::write(target.draft(), paint::picture(&args.place.path, &files, &chunks)?).at(path)?;
        target.finish()?;
    }
    if json {
        screen::json(&json!({ "chunks": chunks, "map": map_json(&files) }))?;
    } else if args.map {
        let mut out = screen::screen();
        map::print(&mut out, &files, &chunks)?;
        out.flush()?;
    } else if args.svg.is_none() {
        print(&chunks)?;
    }
    if chunks.iter().any(|chunk| chunk.error.is_some()) { Err(Failure::Damaged) } else { Ok(()) }
}

/// What is known of all chunks.
fn list(schunk: &SuperChunk) -> Vec<Chunk> {
    let progress = Progress::of_steps("Looking at chunks", schunk.nchunks() as u64);
    let look = |n| {
        progress.add(1);
        match schunk.chunk_info(n) {
            Ok(info) => Chunk::of(n, &info),
            Err(error) => Chunk::unreadable(n, error.to_string()),
        }
    };
    (0..schunk.nchunks()).map(look).collect()
}

impl Chunk {
    fn of(n: i64, info: &ChunkInfo) -> Chunk {
        let (header, special) = (&info.header, info.special());
        let (nbytes, cbytes) = (info.nbytes() as u64, info.cbytes() as u64);
        let codec = match (special, header.is_memcpyed(), header.codec()) {
            (Some(_), ..) => None,
            (_, true, _) => Some("stored".into()),
            (_, _, Ok(id)) => Some(compression::codec_name(id)),
            (_, _, Err(_)) => Some(format!("format {}", header.codec_format())),
        };
        let filtered = special.is_none() && !header.is_memcpyed();
        let file = match info.place {
            Some(blosc2::frame::Place::Stored(number)) if info.offset.is_none() => Some(chunk_name(number)),
            _ => None,
        };
        Chunk {
            n,
            offset: info.offset,
            file,
            nbytes: Some(nbytes),
            cbytes: Some(cbytes),
            ratio: factor(nbytes, cbytes),
            codec,
            filters: filtered.then(|| compression::pipeline(&header.filters())),
            special: special.map(special_name),
            blocks: Some(header.nblocks() as u64),
            error: None,
        }
    }

    fn unreadable(n: i64, error: String) -> Chunk {
        Chunk {
            n,
            offset: None,
            file: None,
            nbytes: None,
            cbytes: None,
            ratio: None,
            codec: None,
            filters: None,
            special: None,
            blocks: None,
            error: Some(error),
        }
    }
}

/// What a kind of special chunk is called.
pub fn special_name(special: Special) -> &'static str {
    match special {
        Special::Zeros => "zeros",
        Special::Nans => "NaN",
        Special::Value => "value",
        Special::Uninit => "uninit",
    }
}

fn print(chunks: &[Chunk]) -> Result<(), Failure> {
    let mut table = Table::new(&[
        ("chunk", Side::Right),
        ("offset", Side::Right),
        ("file", Side::Left),
        ("nbytes", Side::Right),
        ("cbytes", Side::Right),
        ("ratio", Side::Right),
        ("codec", Side::Left),
        ("filters", Side::Left),
        ("special", Side::Left),
        ("blocks", Side::Right),
        ("damage", Side::Left),
    ]);
    let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
    for chunk in chunks {
        table.row(vec![
            chunk.n.to_string(),
            number(chunk.offset),
            chunk.file.clone().unwrap_or_default(),
            number(chunk.nbytes),
            number(chunk.cbytes),
            ratio(chunk.nbytes.unwrap_or(0), chunk.cbytes.unwrap_or(0)),
            chunk.codec.clone().unwrap_or_default(),
            chunk.filters.clone().unwrap_or_default(),
            chunk.special.unwrap_or_default().to_owned(),
            number(chunk.blocks),
            chunk.error.as_deref().map(screen::plain).unwrap_or_default(),
        ]);
    }
    let mut out = screen::screen();
    table.print(&mut out)?;
    Ok(out.flush()?)
}

fn map_json(files: &[FileMap]) -> Value {
    let file = |file: &FileMap| {
        let pieces: Vec<Value> = file.pieces.iter().map(piece_json).collect();
        json!({ "path": file.path.display().to_string(), "bytes": file.len(), "pieces": pieces })
    };
    files.iter().map(file).collect()
}

fn piece_json(piece: &blosc2::frame::map::Piece) -> Value {
    let mut told = json!({ "start": piece.start, "len": piece.len, "part": part_name(piece.part) });
    if let Part::Chunk(n) | Part::Unreadable(n) = piece.part {
        told["chunk"] = n.into();
    }
    told
}

/// What a part of a file is called.
pub fn part_name(part: Part) -> &'static str {
    match part {
        Part::Before => "before",
        Part::Header => "header",
        Part::Chunk(_) => "chunk",
        Part::Unreadable(_) => "unreadable",
        Part::Hole => "hole",
        Part::Index => "index",
        Part::Trailer => "trailer",
        Part::After => "after",
    }
}
