//! `b2 pack`: a plain file as a frame.

use crate::compression::{Options, Shape, parse_shape};
use crate::dtype;
use crate::failure::{At, Failure};
use crate::npy::{self, ItemFile};
use crate::progress::Progress;
use crate::screen::{self, ratio, size};
use crate::shapes::{self, Cuts};
use crate::source;
use crate::target::Target;
use blosc2::base::params::{CParams, SplitMode};
use blosc2::ndarray::Dtype;
use blosc2::ndarray::meta::NUMPY_FORMAT;
use blosc2::{Blueprint, NdArray, Storage, SuperChunk};
use serde_json::json;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of a chunk of a file that is no array.
const CHUNK: i32 = 4 << 20;

/// Compress a .npy file into an array, or a file of anything into an array or a super-chunk
#[derive(clap::Args)]
#[command(after_help = "Example: b2 pack array.npy array.b2nd --codec zstd --clevel 5 --filters shuffle\n\n\
    A .npy file makes an array; so does any other file with --dtype. Without it the bytes make a super-chunk of items of \
    --typesize. Files larger than memory are read part by part; - is standard input, for a super-chunk.")]
pub struct Args {
    /// A .npy file, or one of anything
    input: PathBuf,
    /// The frame to make
    output: PathBuf,
    #[command(flatten)]
    compression: Options,
    #[command(flatten)]
    cuts: Cuts,
    /// What an item of a file is that does not say it, as NumPy names it
    #[arg(long)]
    dtype: Option<String>,
    /// Items along each dimension, for a file that does not say it
    #[arg(long, value_name = "N,N...", value_parser = parse_shape, requires = "dtype")]
    shape: Option<Shape>,
    /// Bytes per item of a super-chunk
    #[arg(long, value_name = "BYTES", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..), conflicts_with = "dtype")]
    typesize: i32,
    /// Make a sparse frame: a directory with a file per chunk
    #[arg(long)]
    sparse: bool,
    /// Overwrite the frame
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let streamed = args.input == Path::new("-");
    let npy = !streamed && npy::is_npy(&args.input)?;
    let target = Target::new(&args.output, args.force)?;
    let schunk = match (npy, &args.dtype) {
        (true, None) => pack_array(args, &ItemFile::open(&args.input)?, &target).at(&args.input)?,
        (true, Some(_)) => {
            return Err(Failure::usage(format!(
                "{}: a .npy file says its dtype itself",
                args.input.display()
            )));
        }
        (false, Some(_)) if streamed => {
            return Err(Failure::usage("standard input makes no array: its length is not known"));
        }
        (false, Some(text)) => {
            let dtype = dtype::parse(text).map_err(|failure| match failure {
                Failure::Failed(what) => Failure::Usage(what),
                other => other,
            })?;
            let shape = args.shape.as_ref().map(|shape| shape.0.as_slice());
            pack_array(args, &ItemFile::raw(&args.input, dtype, shape)?, &target).at(&args.input)?
        }
        (false, None) => pack_chunks(args, &target).at(&args.input)?,
    };
    finish(schunk, target, &args.output, json)
}

/// Puts a new frame in its place, and says what came of it.
pub fn finish(schunk: SuperChunk, target: Target, path: &Path, json: bool) -> Result<(), Failure> {
    let (nbytes, cbytes, nchunks) = (schunk.nbytes(), schunk.cbytes(), schunk.nchunks());
    let (plain, packed) = (source::data_bytes(&schunk), cbytes as u64);
    drop(schunk);
    target.finish()?;
    if json {
        let path = path.display().to_string();
        let ratio = screen::factor(plain, packed);
        return screen::json(
            &json!({ "path": path, "data_bytes": plain, "nbytes": nbytes, "cbytes": cbytes, "ratio": ratio, "nchunks": nchunks }),
        );
    }
    let mut out = screen::screen();
    let chunks = screen::count(nchunks as u64, "chunk", "chunks");
    writeln!(
        out,
        "{}: {} in {}, {chunks}, {}",
        path.display(),
        size(plain),
        size(packed),
        ratio(plain, packed)
    )?;
    Ok(out.flush()?)
}

/// What is compressed with when nothing is asked for: a good ratio at a good speed.
pub fn defaults(typesize: i32) -> CParams {
    CParams { codec: blosc2::codec::ZSTD, split: SplitMode::Auto, ..CParams::of_items(typesize) }
}

impl Args {
    fn storage(&self, target: &Target, typesize: i32) -> Storage {
        let storage = Storage::default();
        Storage {
            contiguous: !self.sparse,
            urlpath: Some(target.draft().to_owned()),
            cparams: self.compression.over(&defaults(typesize)),
            checksums: storage.checksums || self.compression.checksums,
            ..storage
        }
    }
}

fn pack_array(args: &Args, file: &ItemFile, target: &Target) -> Result<SuperChunk, Failure> {
    let Ok(typesize) = i32::try_from(file.itemsize()) else {
        return Err(Failure::new(format!("items of {} bytes are too large", file.itemsize())));
    };
    let (chunkshape, blockshape) = shapes::choose(&file.shape, file.itemsize(), &args.cuts)?;
    let blueprint = Blueprint {
        storage: args.storage(target, typesize),
        shape: file.shape.clone(),
        chunkshape,
        blockshape,
        dtype: Some(Dtype::new(dtype::text(&file.dtype), NUMPY_FORMAT)?),
        metalayers: Vec::new(),
    };
    let progress = Progress::of_bytes("Packing", file.nbytes());
    let array = NdArray::from_source(&blueprint, &|region, items| {
        file.read(region, items)?;
        progress.add(items.len() as u64);
        Ok(())
    })?;
    Ok(array.into_schunk())
}

/// The bytes of a file, whatever they are, chunk by chunk.
fn pack_chunks(args: &Args, target: &Target) -> Result<SuperChunk, Failure> {
    let (mut input, total): (Box<dyn Read>, u64) = if args.input == Path::new("-") {
        (Box::new(std::io::stdin().lock()), 0)
    } else {
        let file = File::open(&args.input)?;
        let len = file.metadata()?.len();
        (Box::new(file), len)
    };
    let items = |shape: &Option<Shape>, option: &str| match shape.as_ref().map(|shape| shape.0.as_slice()) {
        None => Ok(None),
        Some(&[n]) if n > 0 => match i32::try_from(n.saturating_mul(args.typesize.into())) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(_) => Err(Failure::usage(format!("{option}: too many"))),
        },
        Some(_) => Err(Failure::usage(format!("{option}: a super-chunk has one dimension"))),
    };
    let mut storage = args.storage(target, args.typesize);
    storage.cparams.blocksize = items(&args.cuts.blocks, "--blocks")?.unwrap_or(0);
    let whole_items = (CHUNK / args.typesize).max(1) * args.typesize;
    let chunk = items(&args.cuts.chunks, "--chunks")?.unwrap_or(whole_items);
    let mut schunk = SuperChunk::new(storage)?;
    let progress = Progress::of_bytes("Packing", total);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let got = input.by_ref().take(chunk as u64).read_to_end(&mut buffer)?;
        if got == 0 {
            return Ok(schunk);
        }
        schunk.append_buffer(&buffer)?;
        progress.add(got as u64);
    }
}
