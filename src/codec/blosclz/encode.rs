//! Writing BloscLZ streams.

use super::{MAX_DISTANCE, MAX_LITERALS, NEAR};

/// Positions by hash of the bytes there.
#[derive(Default)]
pub struct Tables {
    hash: Vec<u32>,
}

const HASH_BITS: u32 = 14;
/// What a match must be long to pay, near and far.
const MIN_MATCH: usize = 4;
/// Bytes at the end that are always literals.
const TAIL: usize = 12;

/// Compresses `src` into `dst` and tells how many bytes that took; 0 when it would not be fewer.
pub fn compress(tables: &mut Tables, clevel: u8, src: &[u8], dst: &mut [u8]) -> usize {
    let _ = clevel;
    if src.len() < 16 || dst.is_empty() {
        return 0;
    }
    tables.hash.clear();
    tables.hash.resize(1 << HASH_BITS, 0);
    let mut out = Out { dst, at: 0 };
    encode(&mut tables.hash, src, &mut out).unwrap_or(0)
}

struct Out<'a> {
    dst: &'a mut [u8],
    at: usize,
}

impl Out<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.dst.get_mut(self.at..self.at + bytes.len())?.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }

    fn literals(&mut self, bytes: &[u8]) -> Option<()> {
        for run in bytes.chunks(MAX_LITERALS) {
            self.put(&[run.len() as u8 - 1])?;
            self.put(run)?;
        }
        Some(())
    }

    fn matched(&mut self, distance: usize, len: usize) -> Option<()> {
        let back = distance - 1;
        let high = if back < NEAR { back >> 8 } else { 31 };
        if len < 9 {
            self.put(&[((len - 2) << 5 | high) as u8])?;
        } else {
            self.put(&[(7 << 5 | high) as u8])?;
            let mut more = len - 9;
            while more >= 255 {
                self.put(&[255])?;
                more -= 255;
            }
            self.put(&[more as u8])?;
        }
        if back < NEAR {
            self.put(&[back as u8])
        } else {
            let far = (back - NEAR) as u16;
            self.put(&[255])?;
            self.put(&far.to_be_bytes())
        }
    }
}

fn word(src: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([src[at], src[at + 1], src[at + 2], src[at + 3]])
}

fn encode(hash: &mut [u32], src: &[u8], out: &mut Out) -> Option<usize> {
    let end = src.len() - TAIL;
    let mut anchor = 0;
    let mut at = 1;
    while at < end {
        let here = word(src, at);
        let slot = (here.wrapping_mul(2_654_435_761) >> (32 - HASH_BITS)) as usize;
        let candidate = hash[slot] as usize;
        hash[slot] = at as u32;
        let distance = at - candidate;
        if distance > MAX_DISTANCE || word(src, candidate) != here {
            at += 1;
            continue;
        }
        let limit = src.len() - 1;
        let mut len = 4;
        while at + len < limit && src[at + len] == src[candidate + len] {
            len += 1;
        }
        if len <= MIN_MATCH || (distance > NEAR && len < 8) {
            at += 1;
            continue;
        }
        out.literals(&src[anchor..at])?;
        out.matched(distance, len)?;
        at += len;
        anchor = at;
    }
    out.literals(&src[anchor..])?;
    out.dst[0] |= 32;
    (out.at < src.len()).then_some(out.at)
}
