//! A header on its way out: fields to set, and the bytes that they become.

use super::header::flag;
use crate::base::consts::{EXTENDED_HEADER_LEN, MIN_HEADER_LEN};
use crate::base::params::FilterSlots;

/// The fields of a header that is going to be written.
#[derive(Clone, Debug)]
pub(super) struct HeaderFields {
    pub(super) version: u8,
    pub(super) versionlz: u8,
    pub(super) flags: u8,
    pub(super) typesize: u8,
    pub(super) nbytes: u32,
    /// The block size, or the number of VL blocks.
    pub(super) blocksize: u32,
    pub(super) cbytes: u32,
    pub(super) filters: FilterSlots,
    pub(super) codec: u8,
    pub(super) codec_meta: u8,
    pub(super) flags2: u8,
    pub(super) blosc2_flags: u8,
}

impl HeaderFields {
    /// Bytes of the header: 32, or 16 for a Blosc1 reader.
    pub(super) fn len(&self) -> usize {
        if self.flags & flag::EXTENDED == flag::EXTENDED { EXTENDED_HEADER_LEN } else { MIN_HEADER_LEN }
    }

    /// Writes the header to the front of `dst`, which is at least as long.
    pub(super) fn write(&self, dst: &mut [u8]) {
        let mut out = [0; EXTENDED_HEADER_LEN];
        out[..4].copy_from_slice(&[self.version, self.versionlz, self.flags, self.typesize]);
        out[4..8].copy_from_slice(&self.nbytes.to_le_bytes());
        out[8..12].copy_from_slice(&self.blocksize.to_le_bytes());
        out[12..16].copy_from_slice(&self.cbytes.to_le_bytes());
        for (i, slot) in self.filters.iter().enumerate() {
            out[0x10 + i] = slot.id;
            out[0x18 + i] = slot.meta;
        }
        out[0x16] = self.codec;
        out[0x17] = self.codec_meta;
        out[0x1e] = self.flags2;
        out[0x1f] = self.blosc2_flags;
        let len = self.len();
        dst[..len].copy_from_slice(&out[..len]);
    }
}
