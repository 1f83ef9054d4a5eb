//! Named pieces of metadata, and the msgpack section that holds them in a frame's header and in its trailer.
//!
//! The section is an array of three: the size of the name map, the map from name to where the content starts, and
//! the contents. We write the one encoding that libblosc2 reads and read any legal encoding of the same values.

use crate::base::consts::METALAYER_NAME_MAX;
use crate::base::{Error, ErrorKind, Result};
use crate::fail;
use std::sync::Arc;

/// One named content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metalayer(Arc<Named>);

#[derive(Debug, PartialEq, Eq)]
struct Named {
    name: Box<[u8]>,
    content: Arc<[u8]>,
}

impl Metalayer {
    fn new(name: &[u8], content: Arc<[u8]>) -> Self {
        Metalayer(Arc::new(Named { name: name.into(), content }))
    }

    /// The name, without a terminator; C callers may use any bytes.
    pub fn name(&self) -> &[u8] {
        &self.0.name
    }

    /// The content.
    pub fn content(&self) -> &Arc<[u8]> {
        &self.0.content
    }
}

/// Named contents in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metalayers {
    /// Shared, so that a change can keep what was there before at no cost.
    entries: Arc<Vec<Metalayer>>,
}

impl Metalayers {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Metalayer> {
        self.entries.iter()
    }

    /// The `i`-th.
    pub fn get(&self, i: usize) -> Option<&Metalayer> {
        self.entries.get(i)
    }

    /// Where `name` is. `InvalidParam` when the name is too long to be one, `NotFound` when there is none such.
    pub fn find(&self, name: impl AsRef<[u8]>) -> Result<usize> {
        let name = checked_name(name.as_ref())?;
        match self.position(name) {
            Some(i) => Ok(i),
            None => fail!(NotFound, "no metalayer \"{}\"", name.escape_ascii()),
        }
    }

    /// Where `name` is, if it is.
    pub fn position(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        self.entries.iter().position(|entry| entry.name() == name.as_ref())
    }

    /// Adds `name` at the end and tells its place; `most` is how many there may be in all.
    pub fn add(&mut self, name: impl AsRef<[u8]>, content: Arc<[u8]>, most: usize) -> Result<usize> {
        let name = checked_name(name.as_ref())?;
        if self.position(name).is_some() {
            fail!(InvalidParam, "there is a metalayer \"{}\" already", name.escape_ascii());
        }
        if self.entries.len() >= most {
            fail!(InvalidParam, "no more than {most} metalayers");
        }
        Arc::make_mut(&mut self.entries).push(Metalayer::new(name, content));
        Ok(self.entries.len() - 1)
    }

    /// Puts another content in place `i`.
    pub fn replace(&mut self, i: usize, content: Arc<[u8]>) {
        if let Some(entry) = Arc::make_mut(&mut self.entries).get_mut(i) {
            *entry = Metalayer::new(entry.name(), content);
        }
    }

    /// Takes out the `i`-th; those after it move up.
    pub fn remove(&mut self, i: usize) {
        if i < self.entries.len() {
            Arc::make_mut(&mut self.entries).remove(i);
        }
    }

    /// Bytes of the section that [`Metalayers::write`] adds.
    pub fn encoded_len(&self) -> usize {
        let entries = self.entries.iter();
        SECTION_OVERHEAD + entries.map(|e| e.name().len() + e.content().len() + ENTRY_OVERHEAD).sum::<usize>()
    }

    /// Adds the section to `out`, whose first byte is what content offsets count from. The size of the name map is
    /// told counting from `from`, as header and trailer do it differently.
    pub fn write(&self, out: &mut Vec<u8>, from: MapSize) {
        let start = out.len();
        let count = (self.entries.len() as u16).to_be_bytes();
        out.extend([0x93, 0xcd, 0, 0, 0xde]);
        out.extend(count);
        let mut places = Vec::with_capacity(self.entries.len());
        for entry in self.entries.iter() {
            out.push(0xa0 | entry.name().len() as u8);
            out.extend(entry.name());
            out.push(0xd2);
            places.push(out.len());
            out.extend([0; 4]);
        }
        // Readers ignore the size of the map, so one that does not fit (past some 1,700 names) is harmless.
        let size = out.len() - start - usize::from(from == MapSize::AfterMarker);
        let size = u16::try_from(size).unwrap_or(u16::MAX).to_be_bytes();
        out[start + 2..start + 4].copy_from_slice(&size);
        out.push(0xdc);
        out.extend(count);
        for (entry, place) in self.entries.iter().zip(places) {
            let offset = (out.len() as u32).to_be_bytes();
            out[place..place + 4].copy_from_slice(&offset);
            out.push(0xc6);
            out.extend((entry.content().len() as u32).to_be_bytes());
            out.extend(&**entry.content());
        }
    }

    /// Reads the section at byte `at` of `bytes`, whose first byte is what content offsets count from.
    pub fn parse(bytes: &[u8], at: usize, most: usize) -> Result<Metalayers> {
        let mut map = bytes.get(at..).ok_or_else(|| bad("metalayers start past the end"))?;
        if rmp::decode::read_array_len(&mut map).map_err(|_| bad("metalayers are no array"))? != 3 {
            fail!(Data, "metalayers are no array of three");
        }
        let _size: i64 =
            rmp::decode::read_int(&mut map).map_err(|_| bad("the metalayers' map has no size"))?;
        let count = rmp::decode::read_map_len(&mut map).map_err(|_| bad("metalayers have no map"))?;
        if count as usize > most {
            fail!(Data, "{count} metalayers, no more than {most} are allowed");
        }
        let mut entries = Vec::new();
        // Contents lie side by side: together they cannot be longer than what holds them.
        let mut room = bytes.len();
        for _ in 0..count {
            let name = read_name(&mut map)?;
            let offset: i64 =
                rmp::decode::read_int(&mut map).map_err(|_| bad("a metalayer has no offset"))?;
            let content = content_at(bytes, offset)?;
            room = room
                .checked_sub(content.len())
                .ok_or_else(|| bad("the metalayers' contents are longer than what holds them"))?;
            entries.push(Metalayer::new(name, content.into()));
        }
        Ok(Metalayers { entries: Arc::new(entries) })
    }
}

/// What the size of the name map counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapSize {
    /// The section's array marker: in a header.
    Marker,
    /// The byte after it: in a trailer.
    AfterMarker,
}

/// The section's own bytes: the two arrays' markers, the map's, and its size.
const SECTION_OVERHEAD: usize = 1 + 3 + 3 + 3;
/// An entry's: the name's marker, the offset, the content's marker.
const ENTRY_OVERHEAD: usize = 1 + 5 + 5;

fn checked_name(name: &[u8]) -> Result<&[u8]> {
    if name.len() > METALAYER_NAME_MAX {
        fail!(InvalidParam, "a metalayer's name has {METALAYER_NAME_MAX} bytes at most, not {}", name.len());
    }
    Ok(name)
}

fn read_name<'a>(map: &mut &'a [u8]) -> Result<&'a [u8]> {
    let len = rmp::decode::read_str_len(map).map_err(|_| bad("a metalayer has no name"))? as usize;
    if len > METALAYER_NAME_MAX {
        fail!(Data, "a metalayer's name of {len} bytes");
    }
    let (name, rest) = map.split_at_checked(len).ok_or_else(cut)?;
    *map = rest;
    Ok(name)
}

fn content_at(bytes: &[u8], offset: i64) -> Result<&[u8]> {
    let mut rest = usize::try_from(offset)
        .ok()
        .and_then(|offset| bytes.get(offset..))
        .filter(|rest| !rest.is_empty())
        .ok_or_else(|| bad("a metalayer's content starts out of bounds"))?;
    let len = rmp::decode::read_bin_len(&mut rest).map_err(|_| bad("a metalayer's content is no binary"))?;
    rest.get(..len as usize).ok_or_else(cut)
}

fn bad(what: &'static str) -> Error {
    Error::new(ErrorKind::Data, what)
}

fn cut() -> Error {
    Error::new(ErrorKind::ReadBuffer, "the metalayers are cut short")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Metalayers {
        let mut metas = Metalayers::default();
        metas.add("b2nd", (*b"shape").into(), 16).unwrap();
        metas.add("empty", [].into(), 16).unwrap();
        metas.add([0xff; 31], [7; 300].into(), 16).unwrap();
        metas
    }

    #[test]
    fn what_is_written_is_read() {
        for before in [0, 87] {
            let mut out = vec![0; before];
            sample().write(&mut out, MapSize::Marker);
            assert_eq!(out.len() - before, sample().encoded_len());
            assert_eq!(Metalayers::parse(&out, before, 16).unwrap(), sample());
        }
    }

    #[test]
    fn other_legal_encodings_are_read() {
        // fixmap, fixint size, str8 name, uint8 offset, bin8 content.
        let bytes = [0x93, 0x05, 0x81, 0xd9, 1, b'n', 0xcc, 9, 0x91, 0xc4, 2, 8, 9];
        let metas = Metalayers::parse(&bytes, 0, 16).unwrap();
        assert_eq!(metas.get(0).unwrap().name(), b"n");
        assert_eq!(&**metas.get(0).unwrap().content(), [8, 9]);
    }

    #[test]
    fn names_and_numbers_have_limits() {
        let mut metas = Metalayers::default();
        assert_eq!(metas.find([b'x'; 32]).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(metas.find("x").unwrap_err().kind(), ErrorKind::NotFound);
        metas.add("x", [].into(), 1).unwrap();
        assert_eq!(metas.add("x", [].into(), 2).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(metas.add("y", [].into(), 1).unwrap_err().kind(), ErrorKind::InvalidParam);
    }

    #[test]
    fn overlapping_contents_do_not_multiply() {
        // Sixteen names for one content of 255 bytes.
        let mut out = vec![0x93, 0x00, 0x8f];
        let content = 3 + 15 * 5;
        for i in 0..15 {
            out.extend([0xa1, b'a' + i, 0xcd, 0, content as u8]);
        }
        out.extend([0xc4, 255]);
        out.extend([1; 255]);
        assert_eq!(Metalayers::parse(&out, 0, 16).unwrap_err().kind(), ErrorKind::Data);
    }

    #[test]
    fn any_damage_is_an_error_or_a_value() {
        let mut out = Vec::new();
        sample().write(&mut out, MapSize::Marker);
        for cut in 0..out.len() {
            assert!(Metalayers::parse(&out[..cut], 0, 16).is_err(), "cut at {cut}");
        }
        for i in 0..out.len() {
            for bit in 0..8 {
                let mut bytes = out.clone();
                bytes[i] ^= 1 << bit;
                let _ = Metalayers::parse(&bytes, 0, 16);
            }
        }
    }
}
