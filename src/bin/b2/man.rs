//! `b2 man`: the manual.

use crate::Cli;
use crate::failure::{At, Failure};
use clap::CommandFactory;
use std::io::Write;
use std::path::PathBuf;

/// Print the manual page, or write those of all commands to a directory
#[derive(clap::Args)]
#[command(after_help = "Example: b2 man | man -l -")]
pub struct Args {
    /// Write b2.1 and a page for each command there
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(dir) = &args.dir {
        std::fs::create_dir_all(dir).at(dir)?;
        return clap_mangen::generate_to(Cli::command(), dir).at(dir);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    let mut out = std::io::stdout().lock();
    out.write_all(&page)?;
    Ok(out.flush()?)
}
