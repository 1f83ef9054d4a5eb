//! `b2`: looks into Blosc2 frames, mends and makes them.
//!
//! A command is a file of its own, with its arguments and a `run`. What they share: [`source`] opens what is asked for,
//! [`target`] takes care that no half-written file stays, [`slice`] is NumPy's notation, [`dtype`] and [`values`] say what
//! items are and print them, [`npy`] reads and writes `.npy` files, [`compression`] is about codecs and filters, [`screen`]
//! about terminals, and [`failure`] about what the program ends with.
#![forbid(unsafe_code)]

mod bench;
mod cat;
mod chunks;
mod completions;
mod compression;
mod convert;
mod dtype;
mod failure;
mod info;
mod items;
mod man;
mod map;
mod meta;
mod msgpack;
mod npy;
mod pack;
mod paint;
mod plot;
mod progress;
mod recover;
mod screen;
mod shapes;
mod slice;
mod source;
mod target;
mod unpack;
mod values;
mod verify;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Looks into Blosc2 frames, mends and makes them.
///
/// A frame is a file (contiguous) or a directory (sparse) as libblosc2 writes it, with a super-chunk or an n-dimensional
/// array in it.
#[derive(Parser)]
#[command(
    name = "b2",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit codes: 0 all is well, 1 something is damaged or failed, 2 the command line is wrong.\n\n\
    Example: b2 info array.b2nd"
)]
struct Cli {
    /// Print JSON, for programs
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Args),
    Meta(meta::Args),
    Chunks(chunks::Args),
    Cat(cat::Args),
    Pack(pack::Args),
    Unpack(unpack::Args),
    Convert(convert::Args),
    Verify(verify::Args),
    Recover(recover::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    Man(man::Args),
}

fn run(cli: &Cli) -> Result<(), Failure> {
    match &cli.command {
        Command::Info(args) => info::run(args, cli.json),
        Command::Meta(args) => meta::run(args, cli.json),
        Command::Chunks(args) => chunks::run(args, cli.json),
        Command::Cat(args) => cat::run(args, cli.json),
        Command::Pack(args) => pack::run(args, cli.json),
        Command::Unpack(args) => unpack::run(args, cli.json),
        Command::Convert(args) => convert::run(args, cli.json),
        Command::Verify(args) => verify::run(args, cli.json),
        Command::Recover(args) => recover::run(args, cli.json),
        Command::Bench(args) => bench::run(args, cli.json),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}
