//! Any backend, asked to journal.

use super::{Backend, File, Keep, Mode, Stamp};
use crate::base::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Another backend, whose frames survive that a change is cut short: what the change overwrites is kept in a journal
/// until it is done.
#[derive(Clone, Debug)]
pub struct Journaled(pub Arc<dyn Backend>);

impl Backend for Journaled {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        self.0.open(path, mode)
    }

    fn keep(&self) -> Keep {
        self.0.keep()
    }

    fn stamp(&self, path: &Path) -> Result<Option<Stamp>> {
        self.0.stamp(path)
    }

    fn create_dir(&self, path: &Path) -> Result<()> {
        self.0.create_dir(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<PathBuf>> {
        self.0.list(path)
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.0.remove_file(path)
    }

    fn locks(&self) -> bool {
        self.0.locks()
    }

    fn journals(&self) -> bool {
        true
    }

    fn beside(&self) -> Option<&dyn Backend> {
        self.0.beside()
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        self.0.sync_dir(path)
    }
}
