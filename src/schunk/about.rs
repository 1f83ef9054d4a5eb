//! What a super-chunk tells of itself.

use super::{Chunks, SuperChunk};
use crate::base::params::{CParams, DParams};
use crate::frame::{DiskFrame, FrameKind};

impl SuperChunk {
    /// How data is compressed.
    pub fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// How data is decompressed.
    pub fn dparams(&self) -> &DParams {
        &self.dparams
    }

    /// Changes how data is compressed from now on. The frame's header says so from the next change on.
    pub fn set_cparams(&mut self, cparams: CParams) {
        self.cparams = CParams { in_schunk: true, ..cparams };
    }

    /// Changes how data is decompressed from now on.
    pub fn set_dparams(&mut self, dparams: DParams) {
        self.dparams = dparams;
    }

    /// Chunks as last seen; [`SuperChunk::refresh`] looks whether a frame on disk has others now.
    pub fn nchunks(&self) -> i64 {
        self.state().contents.nchunks
    }

    /// Uncompressed bytes.
    pub fn nbytes(&self) -> i64 {
        self.state().contents.header.nbytes
    }

    /// Compressed bytes: of all chunks in a list; of those that are stored in a frame, and of holes between them.
    pub fn cbytes(&self) -> i64 {
        self.state().contents.header.cbytes
    }

    /// Uncompressed bytes per chunk; 0 when chunks vary, -1 when there has been none yet.
    pub fn chunksize(&self) -> i32 {
        self.state().contents.header.chunksize
    }

    /// Says how large chunks will be, before there is one.
    pub fn set_chunksize(&mut self, chunksize: i32) {
        self.state_mut().contents.header.chunksize = chunksize;
    }

    /// Uncompressed bytes per block as asked for; 0 when the codec chooses.
    pub fn blocksize(&self) -> i32 {
        self.state().contents.header.blocksize
    }

    /// Says how large blocks are.
    pub fn set_blocksize(&mut self, blocksize: i32) {
        self.state_mut().contents.header.blocksize = blocksize;
    }

    /// Bytes per item.
    pub fn typesize(&self) -> i32 {
        self.cparams.typesize
    }

    /// Whether chunks are made of VL blocks.
    pub fn has_vl_blocks(&self) -> bool {
        self.state().contents.header.vl_blocks
    }

    /// How often metalayers have changed, here or seen from elsewhere.
    pub fn change_tick(&self) -> u64 {
        self.state().tick
    }

    /// Whether the chunks are in one frame.
    pub fn is_contiguous(&self) -> bool {
        match &self.chunks {
            Chunks::List(_) => false,
            Chunks::Memory(_) => true,
            Chunks::Disk(disk) => disk.kind() == FrameKind::Contiguous,
        }
    }

    /// Whether there is a frame, in memory or on disk.
    pub fn has_frame(&self) -> bool {
        !matches!(self.chunks, Chunks::List(_))
    }

    /// The frame on disk, if that is where the chunks are.
    pub fn disk(&self) -> Option<&DiskFrame> {
        match &self.chunks {
            Chunks::Disk(disk) => Some(disk),
            _ => None,
        }
    }

    /// Bytes of the frame's trailer, as it is or as it would be.
    pub fn trailer_len(&self) -> u64 {
        self.state().contents.trailer_len()
    }

    /// Bytes of the frame. Of a frame in memory whose index and trailer are not written yet, what is written; of a list,
    /// an estimate.
    pub fn frame_len(&self) -> i64 {
        let state = self.state();
        let header = &state.contents.header;
        match &self.chunks {
            Chunks::List(_) => header.cbytes + 8 * state.contents.nchunks,
            Chunks::Memory(frame) => {
                frame.as_sealed().map_or(state.contents.data_end() as i64, |b| b.len() as i64)
            }
            Chunks::Disk(_) => header.frame_len as i64,
        }
    }
}
