//! `b2 bench`: which codec, level and filters suit one's own data.

use crate::compression::{self, parse_codec, parse_filters};
use crate::dtype;
use crate::failure::{At, Failure};
use crate::npy::{self, ItemFile};
use crate::plot;
use crate::progress::Progress;
use crate::screen::{self, FAINT, NAME, Side, Table, count, plain, size, three_digits};
use crate::source::{How, Place};
use crate::target::Target;
use blosc2::base::params::{CParams, DParams, FilterSlots, SplitMode};
use blosc2::codec::names;
use blosc2::{CBuf, Context};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Bytes of a chunk of a file that has none.
const CHUNK: usize = 2 << 20;

/// Try codecs, levels and filters on your own data, and say which are best
#[derive(clap::Args)]
#[command(
    after_help = "Example: b2 bench array.b2nd --svg bench.svg\n         b2 bench --raw samples.dat --dtype f4\n\n\
    Best is what nothing else beats in both ratio and speed: `c` in compressing, `d` in decompressing. The parameters to \
    paste into C and Python follow."
)]
pub struct Args {
    /// A frame, or a .npy file
    #[arg(required_unless_present = "raw", conflicts_with = "raw")]
    path: Option<PathBuf>,
    /// A file of nothing but items
    #[arg(long, value_name = "FILE", requires = "dtype")]
    raw: Option<PathBuf>,
    /// What the file's items are, as NumPy names it
    #[arg(long)]
    dtype: Option<String>,
    #[command(flatten)]
    how: How,
    /// Codecs to try [default: all]
    #[arg(long, value_delimiter = ',', value_parser = parse_codec)]
    codec: Vec<u8>,
    /// Levels to try
    #[arg(long, value_delimiter = ',', default_value = "1,5,9", value_parser = clap::value_parser!(u8).range(0..=9))]
    clevel: Vec<u8>,
    /// Filters to try; may be said several times [default: none, shuffle, bitshuffle, shuffle,bytedelta]
    #[arg(long, value_parser = parse_filters)]
    filters: Vec<FilterSlots>,
    /// Threads that work on a chunk
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(i16).range(1..=256))]
    threads: i16,
    /// How much of the data to try, in MiB, taken here and there
    #[arg(long, value_name = "MIB", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=4096))]
    sample: u64,
    /// How long to measure each, at least, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    time: u64,
    /// List all that were tried, not only the best
    #[arg(long)]
    all: bool,
    /// Draw speed against ratio
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Overwrite the picture
    #[arg(long)]
    force: bool,
}

/// Data to try things on.
struct Sample {
    chunks: Vec<Vec<u8>>,
    typesize: i32,
    /// Bytes of a block, where the data has blocks of its own.
    blocksize: i32,
}

/// How one choice did.
pub struct Tried {
    /// The choice.
    pub cparams: CParams,
    /// Uncompressed by compressed bytes.
    pub ratio: f64,
    /// Bytes per second into the codec.
    pub compress: f64,
    /// Bytes per second out of it.
    pub decompress: f64,
    /// Whether nothing else compresses both better and faster.
    pub best_c: bool,
    /// The same of decompressing.
    pub best_d: bool,
}

impl Tried {
    /// The codec and its level.
    pub fn name(&self) -> String {
        format!("{} {}", compression::codec_name(self.cparams.codec), self.cparams.clevel)
    }

    /// The filters in a word.
    pub fn filters(&self) -> String {
        compression::pipeline(&self.cparams.filters)
    }
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let svg = args
        .svg
        .as_deref()
        .map(|path| Ok::<_, Failure>((path, Target::new(path, args.force)?)))
        .transpose()?;
    let sample = args.sample()?;
    let nbytes: usize = sample.chunks.iter().map(Vec::len).sum();
    if nbytes == 0 {
        return Err(Failure::new("there is no data to try anything on"));
    }
    let choices = args.choices(&sample);
    let progress = Progress::of_steps("Trying", choices.len() as u64);
    let mut tried = Vec::new();
    for cparams in choices {
        tried.push(measure(&sample, cparams, Duration::from_millis(args.time))?);
        progress.add(1);
    }
    drop(progress);
    mark_best(&mut tried);
    tried.sort_by(|a, b| b.ratio.total_cmp(&a.ratio).then(b.compress.total_cmp(&a.compress)));
    if let Some((path, target)) = svg {
        let picture = plot::picture(&args.title(), &tried)?;
        std::fs::write(target.draft(), picture).at(path)?;
        target.finish()?;
    }
    if json {
        return screen::json(&told(&tried, nbytes));
    }
    print(args, &tried, nbytes)
}

impl Args {
    fn title(&self) -> String {
        let path = self.raw.as_deref().or(self.path.as_deref()).and_then(Path::file_name);
        path.map_or_else(String::new, |name| plain(&name.to_string_lossy()))
    }

    fn sample(&self) -> Result<Sample, Failure> {
        let most = (self.sample << 20) as usize;
        if let Some(path) = &self.raw {
            let dtype = dtype::parse(self.dtype.as_deref().unwrap_or("u1"))?;
            return of_items(&ItemFile::raw(path, dtype, None)?, most).at(path);
        }
        let path = self.path.as_deref().unwrap_or(Path::new(""));
        if !path.is_dir() && npy::is_npy(path)? {
            return of_items(&ItemFile::open(path)?, most).at(path);
        }
        of_frame(&Place { path: path.to_owned(), how: self.how.clone() }, most).at(path)
    }

    fn choices(&self, sample: &Sample) -> Vec<CParams> {
        let codecs: Vec<u8> = match self.codec.as_slice() {
            [] => names::BUILT_IN.split(',').filter_map(names::id_of).collect(),
            some => some.to_vec(),
        };
        let filters =
            if self.filters.is_empty() { usual_filters(sample.typesize) } else { self.filters.clone() };
        let mut choices = Vec::new();
        for &codec in &codecs {
            for &clevel in &self.clevel {
                for &filters in &filters {
                    choices.push(CParams {
                        codec,
                        clevel,
                        filters,
                        nthreads: self.threads,
                        blocksize: sample.blocksize,
                        split: SplitMode::Auto,
                        in_schunk: true,
                        ..CParams::of_items(sample.typesize)
                    });
                }
            }
        }
        choices
    }
}

/// The filters worth trying: those of bytes of a type say nothing where types have one byte.
fn usual_filters(typesize: i32) -> Vec<FilterSlots> {
    let usual: &[&str] = if typesize == 1 {
        &["none", "bitshuffle", "delta"]
    } else {
        &["none", "shuffle", "bitshuffle", "shuffle,bytedelta"]
    };
    usual.iter().filter_map(|filters| parse_filters(filters).ok()).collect()
}

/// Chunks of a frame, spread evenly.
fn of_frame(place: &Place, most: usize) -> Result<Sample, Failure> {
    let content = place.content()?;
    let schunk = content.schunk();
    let nchunks = schunk.nchunks();
    if schunk.has_vl_blocks() {
        return Err(Failure::new("blocks that vary in size cannot be tried"));
    }
    let blocksize = match &content {
        crate::source::Content::Array(array) => array.layout().block_nbytes() as i32,
        crate::source::Content::Chunks(_) => 0,
    };
    let mean = (schunk.nbytes() / nchunks.max(1)).max(1) as usize;
    let wanted = most.div_ceil(mean).clamp(1, nchunks.max(1) as usize) as i64;
    let mut chunks = Vec::new();
    for n in (0..wanted.min(nchunks)).map(|n| n * nchunks / wanted) {
        let mut data = vec![0; schunk.chunk_info(n)?.nbytes()];
        schunk.decompress_chunk(n, &mut data)?;
        chunks.push(data);
    }
    Ok(Sample { chunks, typesize: schunk.typesize(), blocksize })
}

/// Pieces of a file, spread evenly.
fn of_items(file: &ItemFile, most: usize) -> Result<Sample, Failure> {
    let Ok(typesize) = i32::try_from(file.itemsize()) else {
        return Err(Failure::new("items as large as that cannot be tried"));
    };
    let total = file.nbytes() / file.itemsize() as u64;
    let per_chunk = (CHUNK / file.itemsize()).max(1) as u64;
    let nchunks = total.div_ceil(per_chunk);
    let wanted = (most.div_ceil(CHUNK) as u64).clamp(1, nchunks.max(1));
    let mut chunks = Vec::new();
    for n in (0..wanted.min(nchunks)).map(|n| n * nchunks / wanted) {
        let start = n * per_chunk;
        let mut data = vec![0; ((total - start).min(per_chunk) as usize) * file.itemsize()];
        file.read_from(start, &mut data)?;
        chunks.push(data);
    }
    Ok(Sample { chunks, typesize, blocksize: 0 })
}

/// Compresses and decompresses the sample, several times where that is quick; the fastest time counts.
fn measure(sample: &Sample, cparams: CParams, at_least: Duration) -> Result<Tried, Failure> {
    let dparams = DParams {
        nthreads: cparams.nthreads,
        typesize: sample.typesize,
        in_schunk: true,
        ..DParams::default()
    };
    let context = Context::new(cparams.clone(), dparams);
    let nbytes: usize = sample.chunks.iter().map(Vec::len).sum();
    let mut packed: Vec<CBuf> = Vec::new();
    let compress = fastest(at_least, || {
        packed = sample.chunks.iter().map(|chunk| context.compress(chunk)).collect::<blosc2::Result<_>>()?;
        Ok(())
    })?;
    let longest = sample.chunks.iter().map(Vec::len).max().unwrap_or(0);
    let mut data = vec![0; longest];
    let decompress = fastest(at_least, || {
        packed.iter().try_for_each(|chunk| context.decompress_into(chunk, &mut data).map(drop))?;
        Ok(())
    })?;
    let cbytes: usize = packed.iter().map(|chunk| chunk.len()).sum();
    let per_second = |time: Duration| nbytes as f64 / time.as_secs_f64().max(1e-9);
    Ok(Tried {
        cparams,
        ratio: nbytes as f64 / cbytes.max(1) as f64,
        compress: per_second(compress),
        decompress: per_second(decompress),
        best_c: false,
        best_d: false,
    })
}

fn fastest(at_least: Duration, mut work: impl FnMut() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let mut best = Duration::MAX;
    loop {
        let start = Instant::now();
        work()?;
        best = best.min(start.elapsed());
        if begun.elapsed() >= at_least {
            return Ok(best);
        }
    }
}

/// Marks what nothing else beats in both ratio and speed.
fn mark_best(tried: &mut [Tried]) {
    let points: Vec<(f64, f64, f64)> =
        tried.iter().map(|one| (one.ratio, one.compress, one.decompress)).collect();
    let beaten = |ratio: f64, speed: f64, of: &dyn Fn(&(f64, f64, f64)) -> f64| {
        points.iter().any(|other| {
            let (r, s) = (other.0, of(other));
            r >= ratio && s >= speed && (r > ratio || s > speed)
        })
    };
    for one in tried {
        one.best_c = !beaten(one.ratio, one.compress, &|point| point.1);
        one.best_d = !beaten(one.ratio, one.decompress, &|point| point.2);
    }
}

/// A speed in the unit that suits it.
fn speed(bytes_per_second: f64) -> String {
    let mib = bytes_per_second / f64::from(1 << 20);
    if mib < 999.5 {
        format!("{} MiB/s", three_digits(mib))
    } else {
        format!("{} GiB/s", three_digits(mib / 1024.0))
    }
}

fn told(tried: &[Tried], nbytes: usize) -> Value {
    let one = |one: &Tried| {
        json!({
            "codec": compression::codec_name(one.cparams.codec),
            "clevel": one.cparams.clevel,
            "filters": one.filters(),
            "ratio": one.ratio,
            "compress_bytes_per_second": one.compress,
            "decompress_bytes_per_second": one.decompress,
            "best_compressing": one.best_c,
            "best_decompressing": one.best_d,
            "c": format!("{} {}", compression::C_BEGIN, compression::in_c(&one.cparams)),
            "python": compression::in_python(&one.cparams),
        })
    };
    json!({ "sample_bytes": nbytes, "tried": tried.iter().map(one).collect::<Vec<_>>() })
}

fn print(args: &Args, tried: &[Tried], nbytes: usize) -> Result<(), Failure> {
    let mut out = screen::screen();
    let threads = count(args.threads as u64, "thread", "threads");
    writeln!(
        out,
        "{NAME}{}{NAME:#}: {} tried, {} of data, {threads}",
        args.title(),
        tried.len(),
        size(nbytes as u64)
    )?;
    let mut table = Table::new(&[
        ("", Side::Right),
        ("codec", Side::Left),
        ("level", Side::Right),
        ("filters", Side::Left),
        ("ratio", Side::Right),
        ("compress", Side::Right),
        ("decompress", Side::Right),
        ("best", Side::Left),
    ]);
    let is_best = |one: &&Tried| one.best_c || one.best_d;
    let mut number = 0;
    for one in tried.iter().filter(|one| args.all || is_best(one)) {
        let best = format!("{}{}", if one.best_c { "c" } else { "" }, if one.best_d { "d" } else { "" });
        let label = if is_best(&one) {
            number += 1;
            number.to_string()
        } else {
            String::new()
        };
        table.row(vec![
            label,
            compression::codec_name(one.cparams.codec),
            one.cparams.clevel.to_string(),
            one.filters(),
            format!("{}x", three_digits(one.ratio)),
            speed(one.compress),
            speed(one.decompress),
            best,
        ]);
    }
    table.print(&mut out)?;
    writeln!(out, "\nIn Python, and in C after {}", compression::C_BEGIN)?;
    for (n, one) in tried.iter().filter(is_best).enumerate() {
        writeln!(out, "{NAME}{:>2}{NAME:#}  {}", n + 1, compression::in_python(&one.cparams))?;
        writeln!(out, "    {FAINT}{}{FAINT:#}", compression::in_c(&one.cparams))?;
    }
    Ok(out.flush()?)
}
