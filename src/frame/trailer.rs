//! The frame trailer: variable-length metalayers, and how long the trailer is, at a fixed place before its end.

use super::metalayers::{MapSize, Metalayers};
use crate::base::Result;
use crate::base::consts::MAX_VLMETALAYERS;
use crate::fail;

/// Bytes of the shortest trailer there can be; the last that many bytes of a frame tell the trailer's length.
pub const MIN_LEN: usize = 25;
/// The length field and the fingerprint.
const FOOT_LEN: usize = 23;
/// Where the metalayers start: after the array marker and the version.
const METALAYERS_AT: usize = 2;

/// A trailer's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trailer {
    /// The variable-length metalayers. Their contents are chunks.
    pub vlmeta: Metalayers,
}

impl Trailer {
    /// The length of a frame's trailer, from the frame's last bytes, [`MIN_LEN`] of them or more.
    pub fn len_from_end(end: &[u8]) -> Result<u32> {
        let Some(foot) = end.len().checked_sub(FOOT_LEN).and_then(|at| end.get(at..)) else {
            fail!(ReadBuffer, "{} bytes are no trailer", end.len());
        };
        if foot[0] != 0xce {
            fail!(Data, "no trailer ends here");
        }
        let len = u32::from_be_bytes([foot[1], foot[2], foot[3], foot[4]]);
        if (len as usize) < MIN_LEN || len > i32::MAX as u32 {
            fail!(Data, "a trailer of {len} bytes");
        }
        Ok(len)
    }

    /// Reads a whole trailer.
    pub fn parse(bytes: &[u8]) -> Result<Trailer> {
        let vlmeta = Metalayers::parse(bytes, METALAYERS_AT, MAX_VLMETALAYERS);
        Ok(Trailer { vlmeta: vlmeta.map_err(|e| e.at("frame trailer"))? })
    }

    /// Bytes of the trailer with these metalayers.
    pub fn encoded_len(vlmeta: &Metalayers) -> usize {
        METALAYERS_AT + vlmeta.encoded_len() + FOOT_LEN
    }

    /// The trailer with these metalayers, as bytes.
    pub fn write(vlmeta: &Metalayers) -> Vec<u8> {
        let len = Trailer::encoded_len(vlmeta);
        let mut out = Vec::with_capacity(len);
        out.extend([0x94, 1]);
        vlmeta.write(&mut out, MapSize::AfterMarker);
        out.push(0xce);
        out.extend((len as u32).to_be_bytes());
        // No fingerprint.
        out.extend([0xd8, 0]);
        out.extend([0; 16]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut vlmeta = Metalayers::default();
        assert_eq!(Trailer::write(&vlmeta).len(), 35);
        vlmeta.add("first", [1, 2, 3].into(), 9).unwrap();
        vlmeta.add("second", [4].into(), 9).unwrap();
        let written = Trailer::write(&vlmeta);
        assert_eq!(written.len(), Trailer::encoded_len(&vlmeta));
        assert_eq!(Trailer::len_from_end(&written).unwrap() as usize, written.len());
        assert_eq!(
            Trailer::len_from_end(&written[written.len() - MIN_LEN..]).unwrap() as usize,
            written.len()
        );
        assert_eq!(Trailer::parse(&written).unwrap().vlmeta, vlmeta);
    }

    #[test]
    fn thousands_of_names_are_read_back() {
        let mut vlmeta = Metalayers::default();
        for i in 0..MAX_VLMETALAYERS {
            vlmeta.add(format!("name of some length {i}"), [].into(), MAX_VLMETALAYERS).unwrap();
        }
        let written = Trailer::write(&vlmeta);
        assert_eq!(Trailer::parse(&written).unwrap().vlmeta, vlmeta);
    }

    #[test]
    fn lengths_are_checked() {
        let mut written = Trailer::write(&Metalayers::default());
        assert!(Trailer::len_from_end(&written[..10]).is_err());
        let at = written.len() - 22;
        written[at..at + 4].copy_from_slice(&24u32.to_be_bytes());
        assert!(Trailer::len_from_end(&written).is_err());
        written[at..at + 4].copy_from_slice(&u32::MAX.to_be_bytes());
        assert!(Trailer::len_from_end(&written).is_err());
    }
}
