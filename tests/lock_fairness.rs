//! Readers that follow each other closely in several processes do not keep a writer out.

use blosc2::base::params::CParams;
use blosc2::chunk;
use blosc2::io::LockingDisk;
use blosc2::schunk::{Storage, SuperChunk};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

const READERS: usize = 4;
const CHANGES: usize = 200;
const LEN: usize = 4000;
/// Tells a second process where the frame is.
const ROLE: &str = "LOCK_FAIRNESS_FOLDER";

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A reader, that is sent away at the end, whatever becomes of the test.
struct Reader(Child);

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Reads without a pause until there is a file that says stop. Every chunk holds one value.
fn read(folder: &Path) {
    let schunk = SuperChunk::open(&folder.join("frame"), 0, Arc::new(LockingDisk)).unwrap();
    let mut back = vec![0; LEN];
    std::fs::write(folder.join(format!("reads-{}", std::process::id())), b"").unwrap();
    while !folder.join("stop").exists() {
        for n in 0..4 {
            schunk.decompress_chunk(n, &mut back).unwrap();
            assert!(back.iter().all(|byte| *byte == back[0]), "a torn chunk");
        }
    }
}

fn number_of_files(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_writer_gets_its_turn() {
    if let Some(folder) = std::env::var_os(ROLE) {
        return read(Path::new(&folder));
    }
    let name = format!("oxiblosc2-fairness-{}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(name));
    std::fs::create_dir(&folder.0).unwrap();
    let cparams = CParams { typesize: 4, ..CParams::default() };
    let storage = Storage {
        contiguous: true,
        urlpath: Some(folder.0.join("frame")),
        cparams: cparams.clone(),
        io: Arc::new(LockingDisk),
        ..Storage::default()
    };
    let mut writer = SuperChunk::new(storage).unwrap();
    for _ in 0..4 {
        writer.append_buffer(&[1; LEN]).unwrap();
    }
    let before = number_of_files(&folder.0);
    let program = std::env::current_exe().unwrap();
    let mut readers: Vec<Reader> = (0..READERS)
        .map(|_| {
            let mut command = Command::new(&program);
            // Its verdict is its exit status; its words would run into those of this process.
            command.args(["--exact", "a_writer_gets_its_turn"]).env(ROLE, &folder.0).stdout(Stdio::null());
            Reader(command.spawn().unwrap())
        })
        .collect();
    while number_of_files(&folder.0) < before + READERS {
        std::thread::yield_now();
    }
    for i in 0..CHANGES {
        let chunk = chunk::compress_to_cbuf(&cparams, &vec![i as u8; LEN]).unwrap();
        writer.update_chunk((i % 4) as i64, chunk).unwrap();
    }
    std::fs::write(folder.0.join("stop"), b"").unwrap();
    for reader in &mut readers {
        assert!(reader.0.wait().unwrap().success(), "a reader failed");
    }
}
