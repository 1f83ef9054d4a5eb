//! `b2 info`: what a frame is, in a screen.

use crate::chunks::special_name;
use crate::compression::{self, Named};
use crate::failure::{At, Failure};
use crate::progress::Progress;
use crate::screen::{self, FAINT, NAME, factor, plain, size};
use crate::source::{self, How, Places};
use blosc2::SuperChunk;
use blosc2::frame::map::{FileMap, Part};
use blosc2::io::lock::{self, Holder};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// Say what frames are: kind, sizes, compression, metalayers, and the shape of arrays
#[derive(clap::Args)]
#[command(
    after_help = "Example: b2 info --json *.b2nd\n\nOf a file of several frames, each is told; --offset asks for one."
)]
pub struct Args {
    #[command(flatten)]
    places: Places,
}

/// Everything that is told.
#[derive(Serialize)]
struct Info {
    path: String,
    offset: u64,
    kind: &'static str,
    format_version: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<Array>,
    nbytes: i64,
    cbytes: i64,
    data_bytes: u64,
    frame_bytes: u64,
    ratio: Option<f64>,
    typesize: i32,
    codec: Named,
    clevel: u8,
    split: &'static str,
    dictionaries: bool,
    filters: Vec<Named>,
    nchunks: i64,
    chunksize: i32,
    blocksize: i32,
    vl_blocks: bool,
    special: BTreeMap<&'static str, u64>,
    holes: u64,
    metalayers: Vec<Layer>,
    vlmetalayers: Vec<Layer>,
    checksums: bool,
    journal: bool,
    lock: Option<Lock>,
}

#[derive(Serialize)]
struct Array {
    metalayer: &'static str,
    shape: Vec<i64>,
    chunkshape: Vec<i32>,
    blockshape: Vec<i32>,
    dtype: Option<String>,
    dtype_format: Option<i8>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Layer {
    name: String,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    compressed: Option<usize>,
}

#[derive(Serialize)]
struct Lock {
    path: String,
    generation: u64,
    holder: &'static str,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let mut told = Vec::new();
    let well = args.places.each(|path, how| look(path, how, &mut told));
    if json {
        screen::json(&told)?;
    } else {
        let mut out = screen::screen();
        for (n, info) in told.iter().enumerate() {
            if n > 0 {
                writeln!(out)?;
            }
            print(&mut out, info)?;
        }
        out.flush()?;
    }
    if well { Ok(()) } else { Err(Failure::Damaged) }
}

fn look(path: &Path, how: &How, told: &mut Vec<Info>) -> Result<(), Failure> {
    for Range { start, .. } in source::frames(path, how)? {
        let schunk = source::open_at(path, start, &how.io())?;
        told.push(about(path, start, &schunk).at(path)?);
    }
    Ok(())
}

fn about(path: &Path, offset: u64, schunk: &SuperChunk) -> Result<Info, Failure> {
    let cparams = schunk.cparams();
    let special = specials(schunk)?;
    let files = schunk.map()?;
    let sparse = !schunk.is_contiguous();
    Ok(Info {
        path: path.display().to_string(),
        offset,
        kind: if sparse { "sparse" } else { "contiguous" },
        format_version: schunk.format_version(),
        array: array(schunk),
        nbytes: schunk.nbytes(),
        cbytes: schunk.cbytes(),
        frame_bytes: files.iter().map(frame_bytes).sum(),
        data_bytes: source::data_bytes(schunk),
        ratio: factor(source::data_bytes(schunk), schunk.cbytes() as u64),
        typesize: cparams.typesize,
        codec: Named {
            id: cparams.codec,
            name: compression::codec_name(cparams.codec),
            meta: cparams.codec_meta,
        },
        clevel: cparams.clevel,
        split: compression::split_name(cparams.split),
        dictionaries: cparams.use_dict,
        filters: compression::filters(&cparams.filters),
        nchunks: schunk.nchunks(),
        chunksize: schunk.chunksize(),
        blocksize: schunk.blocksize(),
        vl_blocks: schunk.has_vl_blocks(),
        special,
        holes: files.iter().map(|file| file.bytes_of(Part::Hole)).sum(),
        metalayers: metalayers(schunk),
        vlmetalayers: vlmetalayers(schunk)?,
        checksums: schunk.has_checksums(),
        journal: schunk.disk().is_some_and(|disk| disk.has_journal()),
        lock: lock_state(path, sparse)?,
    })
}

/// How many chunks there are of each special kind.
fn specials(schunk: &SuperChunk) -> Result<BTreeMap<&'static str, u64>, Failure> {
    let progress = Progress::of_steps("Looking at chunks", schunk.nchunks() as u64);
    let mut kinds = BTreeMap::new();
    for n in 0..schunk.nchunks() {
        // One that cannot be read is for `verify` to tell of.
        if let Some(special) = schunk.chunk_info(n).ok().and_then(|info| info.special()) {
            *kinds.entry(special_name(special)).or_default() += 1;
        }
        progress.add(1);
    }
    Ok(kinds)
}

/// Bytes of a file that are the frame's.
fn frame_bytes(file: &FileMap) -> u64 {
    file.len() - file.bytes_of(Part::Before) - file.bytes_of(Part::After)
}

fn array(schunk: &SuperChunk) -> Option<Array> {
    let metalayer = source::array_kind(schunk)?;
    let told = match source::array_meta(schunk)? {
        Ok((meta, _)) => Array {
            metalayer,
            shape: meta.shape().to_vec(),
            chunkshape: meta.chunkshape().to_vec(),
            blockshape: meta.blockshape().to_vec(),
            dtype: meta.dtype().map(|dtype| String::from_utf8_lossy(dtype.text()).into_owned()),
            dtype_format: meta.dtype().map(|dtype| dtype.format()),
            error: None,
        },
        Err(failure) => Array {
            metalayer,
            shape: Vec::new(),
            chunkshape: Vec::new(),
            blockshape: Vec::new(),
            dtype: None,
            dtype_format: None,
            error: Some(match failure {
                Failure::Failed(what) | Failure::Usage(what) => what,
                Failure::Damaged | Failure::Unread => "unreadable".into(),
            }),
        },
    };
    Some(told)
}

fn metalayers(schunk: &SuperChunk) -> Vec<Layer> {
    let layer = |meta: &blosc2::frame::Metalayer| Layer {
        name: String::from_utf8_lossy(meta.name()).into_owned(),
        bytes: meta.content().len(),
        compressed: None,
    };
    schunk.metas().iter().map(layer).collect()
}

fn vlmetalayers(schunk: &SuperChunk) -> Result<Vec<Layer>, Failure> {
    let layer = |meta: &blosc2::frame::Metalayer| {
        let header = blosc2::chunk::ChunkHeader::parse(meta.content());
        Layer {
            name: String::from_utf8_lossy(meta.name()).into_owned(),
            bytes: header.map_or(0, |header| header.nbytes()),
            compressed: Some(meta.content().len()),
        }
    };
    Ok(schunk.vlmetas()?.iter().map(layer).collect())
}

fn lock_state(path: &Path, sparse: bool) -> Result<Option<Lock>, Failure> {
    Ok(lock::look(path, sparse)?.map(|state| Lock {
        path: state.path.display().to_string(),
        generation: state.generation,
        holder: match state.holder {
            Holder::Nobody => "nobody",
            Holder::Readers => "readers",
            Holder::Writer => "writer",
        },
    }))
}

/// Lines of a name and what there is to say.
struct Lines<'a, W: Write>(&'a mut W);

impl<W: Write> Lines<'_, W> {
    fn say(&mut self, name: &str, what: &str) -> std::io::Result<()> {
        writeln!(self.0, "  {FAINT}{name:<12}{FAINT:#}  {what}")
    }
}

fn print(out: &mut impl Write, info: &Info) -> std::io::Result<()> {
    let place = if info.offset > 0 { format!(" at byte {}", info.offset) } else { String::new() };
    let thing = if info.array.is_some() { "array" } else { "super-chunk" };
    let version = info.format_version.map_or_else(String::new, |v| format!(", format {v}"));
    writeln!(out, "{NAME}{}{NAME:#}{place}: {} frame, {thing}{version}", plain(&info.path), info.kind)?;
    let mut lines = Lines(out);
    if let Some(array) = &info.array {
        print_array(&mut lines, array)?;
    }
    let ratio = screen::ratio(info.data_bytes, info.cbytes as u64);
    let padded = match info.nbytes as u64 {
        nbytes if nbytes > info.data_bytes => format!(", {} with the padding of chunks", size(nbytes)),
        _ => String::new(),
    };
    lines.say("data", &format!("{} in items of {} B{padded}", size(info.data_bytes), info.typesize))?;
    let frame = size(info.frame_bytes);
    let cbytes = size(info.cbytes as u64);
    lines.say("compressed", &format!("{cbytes}, {ratio}; all of the frame {frame}"))?;
    let meta = if info.codec.meta == 0 { String::new() } else { format!(" (meta {})", info.codec.meta) };
    let dictionaries = if info.dictionaries { ", dictionaries" } else { "" };
    lines.say(
        "codec",
        &format!("{}{meta}, level {}, split {}{dictionaries}", info.codec.name, info.clevel, info.split),
    )?;
    let filters: Vec<String> = info.filters.iter().map(told_filter).collect();
    lines.say("filters", if filters.is_empty() { "none".into() } else { filters.join(", ") }.as_str())?;
    print_chunks(&mut lines, info)?;
    print_layers(&mut lines, "meta", &info.metalayers)?;
    print_layers(&mut lines, "vlmeta", &info.vlmetalayers)?;
    lines.say("checksums", if info.checksums { "kept" } else { "none" })?;
    if info.journal {
        lines.say("journal", "a change is under way, or was cut short")?;
    }
    if let Some(lock) = &info.lock {
        let what = format!("{}, generation {}, held by {}", plain(&lock.path), lock.generation, lock.holder);
        lines.say("lock", &what)?;
    }
    Ok(())
}

fn told_filter(filter: &Named) -> String {
    if filter.meta == 0 { filter.name.clone() } else { format!("{} (meta {})", filter.name, filter.meta) }
}

fn print_array(lines: &mut Lines<'_, impl Write>, array: &Array) -> std::io::Result<()> {
    if let Some(error) = &array.error {
        return lines.say(array.metalayer, &format!("damaged: {}", plain(error)));
    }
    lines.say("shape", &tuple(&array.shape))?;
    lines.say("chunkshape", &tuple(&array.chunkshape))?;
    lines.say("blockshape", &tuple(&array.blockshape))?;
    let dtype = match (&array.dtype, array.dtype_format) {
        (Some(dtype), Some(0)) => plain(dtype),
        (Some(dtype), Some(format)) => format!("{} (format {format})", plain(dtype)),
        _ => format!("not told ({})", array.metalayer),
    };
    lines.say("dtype", &dtype)
}

/// A shape as Python writes it.
pub fn tuple<T: std::fmt::Display>(shape: &[T]) -> String {
    let numbers: Vec<String> = shape.iter().map(T::to_string).collect();
    match numbers.as_slice() {
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ")),
    }
}

fn print_chunks(lines: &mut Lines<'_, impl Write>, info: &Info) -> std::io::Result<()> {
    let chunks = match info.chunksize {
        0 => "of varying sizes".into(),
        -1 => String::new(),
        bytes => format!("of {}", size(bytes as u64)),
    };
    let blocks = match (info.vl_blocks, info.blocksize) {
        (true, _) => ", in blocks of varying sizes".into(),
        (false, 0) => String::new(),
        (false, bytes) => format!(", in blocks of {}", size(bytes as u64)),
    };
    lines.say("chunks", format!("{} {chunks}{blocks}", info.nchunks).trim_end())?;
    if !info.special.is_empty() {
        let kinds: Vec<String> = info.special.iter().map(|(kind, n)| format!("{n} of {kind}")).collect();
        lines.say("special", &kinds.join(", "))?;
    }
    match info.holes {
        0 => lines.say("holes", "none"),
        bytes => lines.say("holes", &size(bytes)),
    }
}

fn print_layers(lines: &mut Lines<'_, impl Write>, name: &str, layers: &[Layer]) -> std::io::Result<()> {
    if layers.is_empty() {
        return Ok(());
    }
    let told: Vec<String> =
        layers.iter().map(|layer| format!("{} ({})", plain(&layer.name), size(layer.bytes as u64))).collect();
    lines.say(name, &told.join(", "))
}
