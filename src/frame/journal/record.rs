//! The journal's format, all numbers little-endian:
//!
//! ```text
//! header   "b2journl", u32 version 1, u32 0, u64 nonce, u64 length of the frame's file, u64 checksum of these
//! record   u32 kind (0 the frame's file, 1 a chunk file, 2 no such chunk file), u32 0, u64 number of the chunk file,
//!          u64 position, u64 length, as many bytes, u64 checksum of all that
//! ```
//!
//! Checksums are XXH3, of the records seeded with the nonce: what is left of an older journal is never taken for a part
//! of this one. Records count up to the first that is cut short or whose checksum is wrong; whoever wrote that one had
//! not changed the frame yet.

use super::paths::Target;
use crate::base::checksum::{self, Running};
use crate::base::{Result, bytes};
use crate::io::File;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

const MAGIC: &[u8; 16] = b"b2journl\x01\0\0\0\0\0\0\0";
const HEADER_LEN: usize = 40;
const RECORD_LEN: usize = 32;
const SUM_LEN: u64 = 8;
/// How much is read at once to be checked.
const PIECE: u64 = 1 << 20;

/// What stands before the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Another number in every journal.
    pub nonce: u64,
    /// Bytes of the frame's file before the change.
    pub main_len: u64,
}

/// What stands before kept bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whose bytes they are.
    pub target: Target,
    /// Where they were.
    pub at: u64,
    /// How many.
    pub len: u64,
}

/// A number that no other journal has.
pub fn nonce() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    let ours = [now, u64::from(std::process::id()), COUNT.fetch_add(1, Ordering::Relaxed)];
    checksum::of(&ours.map(u64::to_le_bytes).concat())
}

impl Header {
    /// The header as bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.nonce.to_le_bytes());
        out.extend(self.main_len.to_le_bytes());
        out.extend(checksum::of(&out).to_le_bytes());
        out
    }

    fn parse(bytes: &[u8; HEADER_LEN]) -> Option<Header> {
        let (front, sum) = bytes.split_at(HEADER_LEN - 8);
        let right = front.starts_with(MAGIC) && sum == checksum::of(front).to_le_bytes();
        right.then_some(())?;
        Some(Header { nonce: bytes::u64_le_at(front, 16)?, main_len: bytes::u64_le_at(front, 24)? })
    }

    /// The checksum that a record starts with.
    pub fn sum(&self) -> Running {
        Running::new(self.nonce)
    }
}

impl Record {
    /// The record's front as bytes.
    pub fn write(&self) -> Vec<u8> {
        let (kind, number) = match self.target {
            Target::Main => (0, 0),
            Target::Chunk(number) => (1, number),
            Target::NoChunk(number) => (2, number),
        };
        [kind, number, self.at, self.len].map(u64::to_le_bytes).concat()
    }

    fn parse(bytes: &[u8; RECORD_LEN]) -> Option<Record> {
        let field = |i: usize| bytes::u64_le_at(bytes, 8 * i);
        // File names have eight digits.
        let number = field(1).filter(|&number| number <= u64::from(u32::MAX))?;
        let target = match field(0)? {
            0 => Target::Main,
            1 => Target::Chunk(number),
            2 => Target::NoChunk(number),
            _ => return None,
        };
        Some(Record { target, at: field(2)?, len: field(3)? })
    }
}

/// What a journal says.
#[derive(Debug)]
pub struct Records {
    /// Its header.
    pub header: Header,
    /// Its records, and where in the journal the bytes of each are.
    pub list: Vec<(Record, u64)>,
}

impl Records {
    /// Reads and checks a journal. `None` when it has not even a header: nothing had changed then.
    pub fn read(file: &dyn File) -> Result<Option<Records>> {
        let size = file.size()?;
        let mut front = [0; HEADER_LEN];
        if size < HEADER_LEN as u64 {
            return Ok(None);
        }
        file.read_at(0, &mut front)?;
        let Some(header) = Header::parse(&front) else {
            return Ok(None);
        };
        let (mut list, mut at) = (Vec::new(), HEADER_LEN as u64);
        while let Some(record) = next_record(file, &header, at, size)? {
            let start = at + RECORD_LEN as u64;
            at = start + record.len + SUM_LEN;
            list.push((record, start));
        }
        Ok(Some(Records { header, list }))
    }
}

/// The record at byte `at`, when it is whole and right.
fn next_record(file: &dyn File, header: &Header, at: u64, size: u64) -> Result<Option<Record>> {
    let overhead = RECORD_LEN as u64 + SUM_LEN;
    let Some(most) = size.checked_sub(at).and_then(|rest| rest.checked_sub(overhead)) else {
        return Ok(None);
    };
    let mut front = [0; RECORD_LEN];
    file.read_at(at, &mut front)?;
    let Some(record) = Record::parse(&front).filter(|record| record.len <= most) else {
        return Ok(None);
    };
    if record.target == Target::Main
        && record.at.checked_add(record.len).is_none_or(|end| end > header.main_len)
    {
        return Ok(None);
    }
    let mut sum = header.sum();
    sum.add(&front);
    let (mut at, end) = (at + RECORD_LEN as u64, at + RECORD_LEN as u64 + record.len);
    let mut buf = vec![0; PIECE.min(record.len) as usize];
    while at < end {
        let piece = &mut buf[..PIECE.min(end - at) as usize];
        file.read_at(at, piece)?;
        sum.add(piece);
        at += piece.len() as u64;
    }
    let mut stored = [0; SUM_LEN as usize];
    file.read_at(end, &mut stored)?;
    Ok((stored == sum.value().to_le_bytes()).then_some(record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{Backend, Memory, Mode};
    use std::path::Path;

    fn journal() -> Vec<u8> {
        let header = Header { nonce: 7, main_len: 100 };
        let mut out = header.write();
        for (target, at, bytes) in [
            (Target::Main, 90, &b"ten bytes!"[..]),
            (Target::NoChunk(5), 0, b""),
            (Target::Chunk(1), 0, b"c"),
        ] {
            let mut record = Record { target, at, len: bytes.len() as u64 }.write();
            record.extend(bytes);
            let mut sum = header.sum();
            sum.add(&record);
            out.extend(record);
            out.extend(sum.value().to_le_bytes());
        }
        out
    }

    fn read(bytes: &[u8]) -> Option<Vec<(Record, u64)>> {
        let memory = Memory::new();
        memory.put(Path::new("j"), bytes);
        Records::read(&*memory.open(Path::new("j"), Mode::Read).unwrap()).unwrap().map(|records| records.list)
    }

    #[test]
    fn what_is_written_is_read_up_to_the_first_damage() {
        let journal = journal();
        let all = read(&journal).unwrap();
        assert_eq!(all.len(), 3);
        assert_eq!(all[0], (Record { target: Target::Main, at: 90, len: 10 }, 72));
        let ends = [40, 40 + 32 + 10 + 8, 40 + 2 * 40 + 10, 40 + 3 * 40 + 11];
        assert_eq!(ends[3], journal.len());
        for len in 0..journal.len() {
            let whole = ends.iter().filter(|&&end| end <= len).count();
            assert_eq!(read(&journal[..len]).map(|list| list.len()), whole.checked_sub(1), "cut at {len}");
            for bit in 0..8 {
                let mut bytes = journal.clone();
                bytes[len] ^= 1 << bit;
                assert_eq!(
                    read(&bytes).map(|list| list.len()),
                    whole.checked_sub(1),
                    "bit {bit} of byte {len}"
                );
            }
        }
    }

    #[test]
    fn nothing_is_written_past_the_old_end() {
        let header = Header { nonce: 7, main_len: 9 };
        let mut out = header.write();
        let mut record = Record { target: Target::Main, at: 9, len: 1 }.write();
        record.push(1);
        let mut sum = header.sum();
        sum.add(&record);
        out.extend(record);
        out.extend(sum.value().to_le_bytes());
        assert_eq!(read(&out).unwrap(), []);
    }

    #[test]
    fn nonces_differ() {
        let nonces: std::collections::HashSet<u64> = (0..1000).map(|_| nonce()).collect();
        assert_eq!(nonces.len(), 1000);
    }
}
