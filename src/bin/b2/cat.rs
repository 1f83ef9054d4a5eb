//! `b2 cat`: items of a frame, as text or bytes.

use crate::failure::{At, Failure};
use crate::items::Items;
use crate::npy;
use crate::progress::Progress;
use crate::screen;
use crate::slice::{self, Axis};
use crate::source::{Content, Place};
use crate::target::Target;
use crate::values;
use npyz::DType;
use serde_json::Value;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Print items of an array or a super-chunk: as CSV, as bytes, as a .npy file, or as JSON
#[derive(clap::Args)]
#[command(after_help = "Example: b2 cat array.b2nd --slice '0:10, ::2, -1'\n\n\
    In CSV the last axis runs along a line and all others down; structured items take a line each. A super-chunk that is \
    no array has one dimension of items.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The items, in NumPy's notation; a single index drops its axis
    #[arg(long, allow_hyphen_values = true, default_value = "...")]
    slice: String,
    /// How to write them [default: by the output's name, or csv]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// What an item is, where the frame does not say it
    #[arg(long)]
    dtype: Option<String>,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long)]
    force: bool,
}

/// How items are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Numbers, a line per row
    Csv,
    /// The items' bytes, row by row
    Raw,
    /// NumPy's file format
    Npy,
}

impl Format {
    /// What a file's name says.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "csv" => Some(Format::Csv),
            "npy" => Some(Format::Npy),
            "raw" | "bin" | "dat" => Some(Format::Raw),
            _ => None,
        }
    }
}

/// What is to be written, and how.
#[derive(Clone, Copy)]
enum Way {
    As(Format),
    Json,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let content = args.place.content()?;
    let by_name = args.output.as_deref().and_then(Format::of);
    let format = args.format.or(by_name).unwrap_or(Format::Csv);
    let way = if json { Way::Json } else { Way::As(format) };
    let picked = Picked::new(content, &args.slice, args.dtype.as_deref()).at(&args.place.path)?;
    match &args.output {
        Some(path) => to_file(path, args.force, |out| picked.write(way, out)).at(path),
        None if matches!(way, Way::As(Format::Raw | Format::Npy)) => {
            let mut out = screen::bytes_out()?;
            picked.write(way, &mut out).at(&args.place.path)?;
            Ok(out.flush()?)
        }
        None => {
            let mut out = screen::text_out();
            picked.write(way, &mut out).at(&args.place.path)?;
            Ok(out.flush()?)
        }
    }
}

/// Writes a file, and leaves none when that fails.
fn to_file(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let target = Target::new(path, force)?;
    let mut out = BufWriter::with_capacity(1 << 20, File::create(target.draft())?);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    target.finish()
}

/// All items of a frame, to a file in that format.
pub fn unpack(
    content: Content,
    dtype: Option<&str>,
    format: Format,
    path: &Path,
    force: bool,
) -> Result<(), Failure> {
    let picked = Picked::new(content, "...", dtype)?;
    to_file(path, force, |out| picked.write(Way::As(format), out))
}

/// Items that were asked for.
struct Picked {
    items: Items,
    /// Along each axis; `None` for all bytes of chunks that vary.
    axes: Option<Vec<Axis>>,
}

impl Picked {
    fn new(content: Content, text: &str, dtype: Option<&str>) -> Result<Picked, Failure> {
        let items = Items::new(content, dtype)?;
        let axes = match items.shape() {
            Some(shape) => Some(slice::parse(text, &shape)?),
            None if text == "..." => None,
            None => {
                return Err(Failure::new(
                    "its chunks vary in size: there are no items to be picked by number",
                ));
            }
        };
        Ok(Picked { items, axes })
    }

    fn write(self, way: Way, out: &mut dyn Write) -> Result<(), Failure> {
        // What is no array may end with less than an item.
        let bytes = matches!((way, self.items.content()), (Way::As(Format::Raw), Content::Chunks(_)));
        let Some(axes) = self.axes.filter(|axes| !bytes || !is_all(axes, &self.items)) else {
            return match way {
                Way::As(Format::Raw) => all_bytes(self.items.content(), out),
                _ => Err(Failure::new(
                    "its chunks vary in size: only their bytes can be written, --format raw",
                )),
            };
        };
        let shape: Vec<i64> = axes.iter().filter(|axis| axis.kept).map(|axis| axis.count).collect();
        let nitems: u64 = shape.iter().map(|&n| n as u64).product();
        let progress = Progress::of_bytes("Reading", nitems * self.items.itemsize() as u64);
        if let Way::As(Format::Raw) = way {
            return self.items.read(&axes, &mut |slab| {
                progress.add(slab.len() as u64);
                Ok(out.write_all(slab)?)
            });
        }
        let (items, dtype) = self.items.dtype()?;
        let itemsize = items.itemsize();
        let mut each = |take: &mut dyn FnMut(&[u8]) -> Result<(), Failure>| {
            items.read(&axes, &mut |slab| {
                progress.add(slab.len() as u64);
                slab.chunks_exact(itemsize).try_for_each(&mut *take)
            })
        };
        match way {
            Way::As(Format::Csv) => csv(out, &dtype, &shape, &mut each),
            Way::Json => json(out, &dtype, &shape, &mut each),
            Way::As(_) => {
                npy::write_header(out, &dtype, &shape)?;
                items.read(&axes, &mut |slab| {
                    progress.add(slab.len() as u64);
                    Ok(out.write_all(slab)?)
                })
            }
        }
    }
}

/// Whether axes pick everything, in order.
fn is_all(axes: &[Axis], items: &Items) -> bool {
    items.shape().is_some_and(|shape| shape.iter().map(|&len| Axis::all(len)).eq(axes.iter().copied()))
}

/// Gives items one by one to who takes them.
type Each<'a> = &'a mut dyn FnMut(&mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure>;

fn csv(out: &mut dyn Write, dtype: &DType, shape: &[i64], each: Each<'_>) -> Result<(), Failure> {
    let mut cells = Vec::new();
    values::heads(dtype, "", &mut cells);
    let per_line = match shape {
        _ if !cells.is_empty() => 1,
        [_, .., last] => *last,
        _ => 1,
    };
    if !cells.is_empty() {
        writeln!(out, "{}", cells.join(","))?;
        cells.clear();
    }
    let mut column = 0;
    each(&mut |item| {
        values::cells(dtype, item, &mut cells);
        if column > 0 {
            out.write_all(b",")?;
        }
        out.write_all(cells.join(",").as_bytes())?;
        cells.clear();
        column += 1;
        if column == per_line {
            out.write_all(b"\n")?;
            column = 0;
        }
        Ok(())
    })
}

/// Lists of lists, written as the items come.
fn json(out: &mut dyn Write, dtype: &DType, shape: &[i64], each: Each<'_>) -> Result<(), Failure> {
    let told = serde_json::to_string(&Value::from(crate::dtype::text(dtype)))?;
    write!(out, "{{\"dtype\": {told}, \"shape\": {shape:?}, \"data\": ")?;
    if shape.contains(&0) {
        // Without items there are lists down to the axis that is empty.
        let outer: Vec<i64> = shape.iter().copied().take_while(|&n| n > 0).collect();
        let empty = outer.iter().rev().fold("[]".to_owned(), |inner, &n| {
            format!("[{}]", vec![inner; usize::try_from(n).unwrap_or(0)].join(", "))
        });
        return Ok(writeln!(out, "{empty}}}")?);
    }
    let mut at = vec![0; shape.len()];
    each(&mut |item| {
        // Lists begin where all coordinates after theirs are 0, and end where they are the last.
        let opened = at.iter().rev().take_while(|at| **at == 0).count();
        if opened < shape.len() {
            out.write_all(if opened > 0 { b",\n " } else { b", " })?;
        }
        out.write_all("[".repeat(opened).as_bytes())?;
        serde_json::to_writer(&mut *out, &values::json(dtype, item))?;
        for dim in (0..shape.len()).rev() {
            at[dim] += 1;
            if at[dim] < shape[dim] {
                break;
            }
            at[dim] = 0;
            out.write_all(b"]")?;
        }
        Ok(())
    })?;
    Ok(writeln!(out, "}}")?)
}

/// The data of chunks that vary in size, one after the other.
fn all_bytes(content: &Content, out: &mut dyn Write) -> Result<(), Failure> {
    let schunk = content.schunk();
    let progress = Progress::of_bytes("Reading", schunk.nbytes() as u64);
    let mut buffer = Vec::new();
    for n in 0..schunk.nchunks() {
        let reader = schunk.reader(n)?;
        let nbytes = reader.header().nbytes();
        if reader.header().is_vl() {
            for block in 0..reader.nblocks() {
                out.write_all(&reader.vl_block(block)?)?;
            }
        } else {
            drop(reader);
            buffer.resize(nbytes, 0);
            schunk.decompress_chunk(n, &mut buffer)?;
            out.write_all(&buffer)?;
        }
        progress.add(nbytes as u64);
    }
    Ok(())
}
