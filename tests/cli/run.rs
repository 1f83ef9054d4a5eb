//! Running the command, and files for it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory that goes with the test.
pub struct Dir(PathBuf);

impl Dir {
    pub fn new() -> Dir {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("oxiblosc2-cli-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Dir(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The files that are in it.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What came of a run.
pub struct Ran {
    pub code: i32,
    pub out: Vec<u8>,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = output.status.code().unwrap_or_else(|| panic!("killed by a signal: {err}"));
        Ran { code, out: output.stdout, err }
    }
}

impl Ran {
    /// What was printed, of a run that went well.
    #[track_caller]
    pub fn text(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""));
        String::from_utf8(self.out).unwrap()
    }

    /// The same as JSON, however it went.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.out).unwrap_or_else(|e| panic!("{e}: {}{}", self.shown(), self.err))
    }

    pub fn shown(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// The one line on standard error, of a run that failed.
    #[track_caller]
    pub fn complaint(&self) -> &str {
        assert_eq!(self.code, 1, "{}", self.err);
        assert!(self.err.starts_with("b2: ") && self.err.trim_end().lines().count() == 1, "{}", self.err);
        self.err.trim_end()
    }
}

/// `b2` with these arguments.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_b2"));
    command.args(args).stdin(Stdio::null()).env("COLUMNS", "80");
    for name in ["BLOSC_CHECKSUMS", "BLOSC_JOURNAL", "BLOSC_LOCKING", "BLOSC_TRACE", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

pub fn b2(args: &[&str]) -> Ran {
    command(args).output().unwrap().into()
}

/// A path as an argument.
pub fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The array that the C library wrote.
pub fn jacksboro() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/jacksboro.b2nd")
}
