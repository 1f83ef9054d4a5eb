//! `b2 verify`: whether frames are whole.

use crate::failure::{At, Failure};
use crate::progress::Progress;
use crate::screen::{self, BAD, GOOD, NAME, count, plain, size};
use crate::source::{self, How, Places};
use blosc2::frame::check::verify::{Verdict, verify};
use blosc2::frame::check::{Finding, Part};
use blosc2::ndarray::open::decoding;
use serde::Serialize;
use std::io::Write;
use std::ops::{ControlFlow, Range};
use std::path::Path;

/// Read everything in frames, and say what is wrong; checksums are compared where they are kept
#[derive(clap::Args)]
#[command(after_help = "Example: b2 verify *.b2nd && echo all is well\n\n\
    Exit code 1 when anything is damaged.")]
pub struct Args {
    #[command(flatten)]
    places: Places,
}

/// What a look at one frame came to.
#[derive(Serialize)]
struct Told {
    path: String,
    offset: u64,
    sound: bool,
    nchunks: i64,
    good: i64,
    holes: u64,
    checksums: bool,
    findings: Vec<Wrong>,
}

/// Something that is wrong.
#[derive(Serialize)]
pub struct Wrong {
    /// With what.
    pub part: &'static str,
    /// Which chunk.
    pub chunk: Option<i64>,
    /// Which metalayer.
    pub name: Option<String>,
    /// Where in the file.
    pub offset: Option<u64>,
    /// What.
    pub error: String,
}

impl Wrong {
    /// What the library has found in the frame at `path`.
    pub fn of(finding: &Finding, path: &Path) -> Wrong {
        let (part, chunk, name) = match &finding.part {
            Part::Structure => ("frame", None, None),
            Part::Index => ("index", None, None),
            Part::Chunk(n) => ("chunk", Some(*n), None),
            Part::Metalayer(name) => ("metalayer", None, Some(name)),
            Part::VlMetalayer(name) => ("vlmetalayer", None, Some(name)),
        };
        let name = name.map(|name| String::from_utf8_lossy(name).into_owned());
        let error = finding.error.to_string();
        // Everything that is told is about this path.
        let error = error.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&error).to_owned();
        Wrong { part, chunk, name, offset: finding.offset, error }
    }
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let mut told = Vec::new();
    let well = args.places.each(|path, how| look(path, how, json, &mut told));
    if json {
        screen::json(&told)?;
    }
    if well && told.iter().all(|told| told.sound) { Ok(()) } else { Err(Failure::Damaged) }
}

fn look(path: &Path, how: &How, json: bool, told: &mut Vec<Told>) -> Result<(), Failure> {
    let frames = source::frames(path, how)?;
    let mut end = 0;
    for Range { start, end: after } in frames {
        if start > end && how.offset.is_none() {
            beside(path, end..start)?;
        }
        let one = look_at(path, start, how)?;
        if !json {
            print(&one)?;
        }
        told.push(one);
        end = after;
    }
    let len = std::fs::metadata(path).ok().filter(|meta| meta.is_file()).map_or(end, |meta| meta.len());
    if len > end && how.offset.is_none() { beside(path, end..len) } else { Ok(()) }
}

/// Bytes that belong to no frame are no damage, but worth knowing.
fn beside(path: &Path, bytes: Range<u64>) -> Result<(), Failure> {
    let len = count(bytes.end - bytes.start, "byte", "bytes");
    screen::remark(&format!("{}: {len} at byte {} belong to no whole frame", path.display(), bytes.start));
    Ok(())
}

fn look_at(path: &Path, offset: u64, how: &How) -> Result<Told, Failure> {
    let (progress, io) = Progress::of_reading("Verifying", bytes_of(path), how.io());
    let mut findings = Vec::new();
    let mut report = |finding: &Finding| {
        findings.push(Wrong::of(finding, path));
        ControlFlow::Continue(())
    };
    let verdict = verify(&io, path, offset, &decoding, &mut report).at(path);
    drop(progress);
    let Verdict { nchunks, good, holes, contents, .. } = verdict?;
    let checksums = contents.is_some_and(|contents| contents.header.checksums);
    let path = path.display().to_string();
    Ok(Told { path, offset, sound: findings.is_empty(), nchunks, good, holes, checksums, findings })
}

/// Bytes of a file, or of the files in a directory.
pub fn bytes_of(path: &Path) -> u64 {
    match std::fs::read_dir(path) {
        Ok(entries) => {
            entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|meta| meta.len()).sum()
        }
        Err(_) => std::fs::metadata(path).map_or(0, |meta| meta.len()),
    }
}

fn print(told: &Told) -> Result<(), Failure> {
    let mut out = screen::screen();
    let place = if told.offset > 0 { format!(" at byte {}", told.offset) } else { String::new() };
    write!(out, "{NAME}{}{NAME:#}{place}: ", plain(&told.path))?;
    let chunks = count(told.nchunks as u64, "chunk", "chunks");
    let holes =
        if told.holes > 0 && told.sound { format!(", {} of holes", size(told.holes)) } else { String::new() };
    let sums = if told.checksums { ", checksums right" } else { ", no checksums to compare" };
    if told.sound {
        writeln!(out, "{GOOD}sound{GOOD:#}, {chunks}{holes}{sums}")?;
    } else {
        let wrong = count(told.findings.len() as u64, "finding", "findings");
        let whole =
            if told.nchunks > 0 { format!("; {} of {chunks} whole", told.good) } else { String::new() };
        writeln!(out, "{BAD}damaged{BAD:#}, {wrong}{whole}")?;
        print_wrong(&mut out, &told.findings)?;
    }
    Ok(out.flush()?)
}

/// A line for each finding.
pub fn print_wrong(out: &mut impl Write, findings: &[Wrong]) -> std::io::Result<()> {
    for wrong in findings {
        let what = match (wrong.chunk, &wrong.name) {
            (Some(n), _) => format!("chunk {n}"),
            (_, Some(name)) => format!("{} {}", wrong.part, plain(name)),
            _ => wrong.part.to_owned(),
        };
        let place = wrong.offset.map_or_else(String::new, |offset| format!(" at byte {offset}"));
        writeln!(out, "  {what}{place}: {}", plain(&wrong.error))?;
    }
    Ok(())
}
