//! This library beside the C library, in one process: `versus [--json FILE] [--rounds N] [--list] [WORD...]`
//!
//! Both are loaded with `dlopen`: ours from `OXIBLOSC2` (or beside this program), the C library from `BLOSC2_REFERENCE`.
//! A case runs in turn on one and on the other, several rounds; the best of each count, and what is told is their
//! ratio (the C library's time by ours: above 1 is faster). Cases of two threads run on ours with one as well, in the same
//! rounds. Those that look slow get more rounds, and are made ready anew for some of these, on all sides. `WORD`s pick the cases whose row
//! or name contains all of them.
#![allow(unsafe_code)] // calling two C libraries is what this program does

mod arrays;
mod blosc;
mod chunks;
mod data;
mod kernels;
mod measure;
mod memory;
mod placed;
mod report;
mod rows;
mod storage;
mod superchunks;
mod unlearn;

use blosc::Blosc;
use measure::{Case, Figures};
use report::{Line, Report, TWO_THREADS};
use std::path::PathBuf;
use storage::Folder;

struct Options {
    json: Option<PathBuf>,
    rounds: usize,
    list: bool,
    words: Vec<String>,
}

impl Options {
    fn from_arguments() -> Options {
        let mut options = Options { json: None, rounds: 7, list: false, words: Vec::new() };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--json" => options.json = arguments.next().map(PathBuf::from),
                "--rounds" => {
                    options.rounds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(7).max(1)
                }
                "--list" => options.list = true,
                "--bench" => {} // cargo says so
                word => options.words.push(word.to_lowercase()),
            }
        }
        options
    }

    fn picks(&self, case: &Case) -> bool {
        let text = format!("{} {}", case.row.name, case.name).to_lowercase();
        self.words.iter().all(|word| text.contains(word))
    }
}

fn cases() -> Vec<Case> {
    [kernels::cases(), chunks::cases(), superchunks::cases(), arrays::cases()].into_iter().flatten().collect()
}

/// The library named by `OXIBLOSC2`, else the one that cargo left beside this program.
fn our_path() -> PathBuf {
    if let Some(path) = std::env::var_os("OXIBLOSC2") {
        return PathBuf::from(path);
    }
    let program = std::env::current_exe().expect("a program knows where it is");
    program.with_file_name("libblosc2.so")
}

fn main() {
    let options = Options::from_arguments();
    let cases = cases();
    let picked: Vec<&Case> = cases.iter().filter(|case| options.picks(case)).collect();
    if options.list {
        picked.iter().for_each(|case| println!("{}: {}", case.row.name, case.name));
        return;
    }
    let Some(reference) = std::env::var_os("BLOSC2_REFERENCE").map(PathBuf::from) else {
        eprintln!("BLOSC2_REFERENCE must name the C library's libblosc2.so");
        std::process::exit(2);
    };
    let _folder = Folder::new();
    let sides = [our_path(), reference].map(|path| {
        memory::forget(&path);
        Blosc::load(&path)
    });
    let peaks: Vec<_> = picked.iter().map(|case| memory::peaks(case, sides)).collect();
    let mut report = Report::default();
    for (case, peaks) in picked.into_iter().zip(peaks) {
        let alone = case.name.strip_suffix(TWO_THREADS);
        let alone =
            alone.and_then(|name| cases.iter().find(|c| c.name == name && std::ptr::eq(c.row, case.row)));
        let figures = measure::side_by_side(case, alone, sides, options.rounds);
        let line = Line::of(case, Figures { peaks, ..figures });
        println!("{line}");
        report.add(line);
    }
    print!("{report}");
    if let Some(path) = options.json {
        std::fs::write(&path, report.json()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}
