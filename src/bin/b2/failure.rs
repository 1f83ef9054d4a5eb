//! How the program ends when not all is well.

use crate::screen;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

/// Why a command did not end well.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that cannot be.
    Usage(String),
    /// Something failed; one line says what and where.
    Failed(String),
    /// What was looked for is damaged, as the command has said already.
    Damaged,
    /// Nobody reads the output any more.
    Unread,
}

impl Failure {
    /// Something that failed.
    pub fn new(what: impl Display) -> Self {
        Failure::Failed(once(&what.to_string()))
    }

    /// A wrong command line.
    pub fn usage(what: impl Display) -> Self {
        Failure::Usage(what.to_string())
    }

    /// Says it in one line, and gives the program's exit code.
    pub fn tell(&self) -> ExitCode {
        let (what, code) = match self {
            Failure::Usage(what) => (what, 2),
            Failure::Failed(what) => (what, 1),
            Failure::Damaged => return ExitCode::from(1),
            Failure::Unread => return ExitCode::SUCCESS,
        };
        screen::complain(&screen::plain(what));
        ExitCode::from(code)
    }
}

impl From<blosc2::Error> for Failure {
    fn from(error: blosc2::Error) -> Self {
        Failure::new(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::Unread,
            _ => Failure::new(error),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        std::io::Error::from(error).into()
    }
}

/// What failed, with a path that two floors of the library told, one after the other, told once.
fn once(what: &str) -> String {
    match what.split_once(": ") {
        Some((path, rest)) if rest.strip_prefix(path).is_some_and(|rest| rest.starts_with(": ")) => {
            rest.to_owned()
        }
        _ => what.to_owned(),
    }
}

/// Says where something failed.
pub trait At<T> {
    /// Puts the file's name before what happened, unless it is told already.
    fn at(self, path: &Path) -> Result<T, Failure>;
}

impl<T, E: Into<Failure>> At<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T, Failure> {
        self.map_err(|error| match error.into() {
            Failure::Failed(what) if !what.contains(&*path.to_string_lossy()) => {
                Failure::Failed(format!("{}: {what}", path.display()))
            }
            other => other,
        })
    }
}
