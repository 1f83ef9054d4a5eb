//! `b2 completions`: what a shell needs to complete command lines.

use crate::Cli;
use crate::failure::Failure;
use clap::CommandFactory;
use std::io::Write;

/// Print the completions of a shell
#[derive(clap::Args)]
#[command(after_help = "Example: b2 completions bash > ~/.local/share/bash-completion/completions/b2")]
pub struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "b2", &mut text);
    let mut out = std::io::stdout().lock();
    out.write_all(&text)?;
    Ok(out.flush()?)
}
