//! `b2 recover`: what is left of a damaged frame.

use crate::failure::{At, Failure};
use crate::progress::Progress;
use crate::screen::{self, BAD, GOOD, NAME, count, plain};
use crate::source::Place;
use crate::target::Target;
use crate::verify::{Wrong, bytes_of, print_wrong};
use blosc2::frame::check::Finding;
use blosc2::frame::check::recover::{Recovered, recover};
use blosc2::ndarray::open::decoding;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Write a new frame of what can still be read of a damaged one; the old one stays as it is
#[derive(clap::Args)]
#[command(after_help = "Example: b2 recover torn.b2nd saved.b2nd\n\n\
    Zeros stand for chunks that are lost, where their place is known. Exit code 1 when anything was lost.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The frame to make
    output: PathBuf,
    /// Overwrite the frame
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let path = &args.place.path;
    let target = Target::new(&args.output, args.force)?;
    let mut findings = Vec::new();
    let (progress, io) = Progress::of_reading("Recovering", bytes_of(path), args.place.how.io());
    let mut report = |finding: &Finding| findings.push(Wrong::of(finding, path));
    let offset = args.place.how.offset.unwrap_or(0);
    let done = recover(&io, path, offset, target.draft(), &decoding, &mut report).at(path);
    drop(progress);
    let done = done?;
    target.finish()?;
    if json {
        screen::json(&json!({
            "path": args.output.display().to_string(),
            "nchunks": done.nchunks,
            "kept": done.kept,
            "lost": done.lost,
            "in_order": done.in_order,
            "findings": findings,
        }))?;
    } else {
        print(args, &done, &findings)?;
    }
    if done.lost > 0 { Err(Failure::Damaged) } else { Ok(()) }
}

fn print(args: &Args, done: &Recovered, findings: &[Wrong]) -> Result<(), Failure> {
    let mut out = screen::screen();
    let kept = count(done.kept as u64, "chunk", "chunks");
    write!(out, "{NAME}{}{NAME:#}: {GOOD}{kept} saved{GOOD:#}", plain(&args.output.display().to_string()))?;
    if done.lost > 0 {
        write!(out, ", {BAD}{} lost{BAD:#}", done.lost)?;
    }
    let order = if done.in_order { "" } else { "; the index was lost, they are in the order of the file" };
    writeln!(out, "{order}")?;
    print_wrong(&mut out, findings)?;
    Ok(out.flush()?)
}
