//! `b2 unpack`: a frame's data as a plain file.

use crate::cat::{self, Format};
use crate::failure::{At, Failure};
use crate::screen;
use crate::source::{Content, Place};
use serde_json::json;
use std::path::PathBuf;

/// Write all data of a frame to a .npy file, or to one of nothing but its bytes
#[derive(clap::Args)]
#[command(after_help = "Example: b2 unpack array.b2nd array.npy\n\n\
    Data larger than memory is written part by part.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The file to write
    output: PathBuf,
    /// How to write [default: by the output's name; .npy of an array, raw of anything else]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// What an item is, where the frame does not say it
    #[arg(long)]
    dtype: Option<String>,
    /// Overwrite the file
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let content = args.place.content()?;
    let by_content = match &content {
        Content::Array(_) => Format::Npy,
        Content::Chunks(_) => Format::Raw,
    };
    let format = args.format.or_else(|| Format::of(&args.output)).unwrap_or(by_content);
    let nbytes = content.schunk().nbytes();
    cat::unpack(content, args.dtype.as_deref(), format, &args.output, args.force).at(&args.place.path)?;
    if json {
        let bytes = std::fs::metadata(&args.output).at(&args.output)?.len();
        screen::json(
            &json!({ "path": args.output.display().to_string(), "bytes": bytes, "nbytes": nbytes }),
        )?;
    }
    Ok(())
}
