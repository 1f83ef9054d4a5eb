//! What a super-chunk says about itself, wherever its chunks are.

use super::header::{FIXED_LEN, FrameHeader, FrameKind};
use super::metalayers::Metalayers;
use super::trailer::Trailer;
use crate::base::params::{CParams, DParams};

/// Sizes, parameters and metadata. For a super-chunk in a frame this is the frame's header and trailer, decoded; others
/// keep the same books.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Sizes and parameters. Lengths of header and frame are those last written.
    pub header: FrameHeader,
    /// How many chunks there are.
    pub nchunks: i64,
    /// Bytes of the chunks that are stored in a contiguous frame, without the holes between them; `None` while nobody
    /// has counted them.
    pub live: Option<i64>,
    /// Bytes of the index chunk as last written.
    pub index_len: u64,
    /// The metalayers of the header.
    pub metas: Metalayers,
    /// The metalayers of the trailer, compressed.
    pub vlmeta: Metalayers,
}

impl Contents {
    /// No chunks and no metadata.
    pub fn new(cparams: &CParams, dparams: &DParams, kind: FrameKind) -> Contents {
        let header = FrameHeader {
            header_len: 0,
            frame_len: 0,
            kind,
            vl_blocks: false,
            nbytes: 0,
            cbytes: 0,
            typesize: cparams.typesize,
            blocksize: cparams.blocksize,
            chunksize: -1,
            nthreads_c: cparams.nthreads,
            nthreads_d: dparams.nthreads,
            has_vlmeta: false,
            codec: cparams.codec,
            codec_meta: cparams.codec_meta,
            clevel: cparams.clevel,
            split: cparams.split,
            use_dict: cparams.use_dict,
            filters: cparams.filters,
            checksums: false,
        };
        let (metas, vlmeta) = (Metalayers::default(), Metalayers::default());
        let mut contents = Contents { header, nchunks: 0, live: Some(0), index_len: 0, metas, vlmeta };
        contents.header.header_len = contents.header_bytes_len();
        contents
    }

    /// Takes over how data is compressed. The block size that was asked for at first stays.
    pub fn set_params(&mut self, cparams: &CParams, dparams: &DParams) {
        let header = &mut self.header;
        header.typesize = cparams.typesize;
        header.nthreads_c = cparams.nthreads;
        header.nthreads_d = dparams.nthreads;
        header.codec = cparams.codec;
        header.codec_meta = cparams.codec_meta;
        header.clevel = cparams.clevel;
        header.split = cparams.split;
        header.use_dict = cparams.use_dict;
        header.filters = cparams.filters;
    }

    /// Bytes of the header that would be written.
    pub fn header_bytes_len(&self) -> u32 {
        (FIXED_LEN + self.metas.encoded_len()) as u32
    }

    /// Bytes of the trailer.
    pub fn trailer_len(&self) -> u64 {
        Trailer::encoded_len(&self.vlmeta) as u64
    }

    /// Where the chunks end and the index begins, in bytes from the start of the frame.
    pub fn data_end(&self) -> u64 {
        let stored = if self.header.kind == FrameKind::Contiguous { self.header.cbytes as u64 } else { 0 };
        u64::from(self.header.header_len).saturating_add(stored)
    }

    /// The uncompressed bytes of chunk `n`, where sizes do not vary.
    pub fn chunk_nbytes(&self, n: i64) -> Option<i32> {
        let size = i64::from(self.header.chunksize);
        if size <= 0 || n < 0 || n >= self.nchunks {
            return None;
        }
        let start = n.checked_mul(size)?;
        i32::try_from((self.header.nbytes - start).min(size)).ok().filter(|&n| n > 0)
    }
}
