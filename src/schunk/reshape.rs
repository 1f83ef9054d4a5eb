//! Chunks of an array for one whose blocks have another shape.

use super::SuperChunk;
use crate::base::params::{CParams, NdShape};
use crate::base::{CBuf, Result};
use crate::chunk::{self, ChunkHeader};
use crate::frame::Metalayers;
use std::sync::Arc;

impl SuperChunk {
    /// A copy in memory, contiguous, with other fixed metalayers, which say that the array has the shapes `nd`, and
    /// blocks with the same items in the same order. Chunks are taken over as they are, unless codec or filters go by the
    /// shape of blocks: those are compressed again, and stored uncompressed where that shape is none for the codec.
    /// Ndmean, which has done its work, is left out then.
    ///
    /// # Errors
    /// As [`SuperChunk::copy`].
    pub fn reshaped(&self, metas: Metalayers, nd: &Arc<NdShape>) -> Result<SuperChunk> {
        let same = self.dparams.nd.as_ref().is_some_and(|ours| ours.blockshape == nd.blockshape);
        self.copy_chunks_with(self.in_memory(), metas, |n| {
            let chunk = self.chunk(n)?;
            let header = ChunkHeader::parse(&chunk)?;
            if header.knows_shape() && !same {
                self.compressed_for(nd, n, &header)
            } else {
                chunk.into_owned()
            }
        })
    }

    /// Chunk `n` with its blocks compressed as ones of another shape.
    fn compressed_for(&self, nd: &Arc<NdShape>, n: i64, header: &ChunkHeader) -> Result<CBuf> {
        let mut data = vec![0; header.nbytes()];
        self.decompress_chunk(n, &mut data)?;
        let params = CParams {
            codec: header.codec()?,
            codec_meta: header.codec_meta(),
            clevel: self.cparams.clevel.max(1),
            use_dict: header.uses_dict(),
            blocksize: header.blocksize() as i32,
            filters: header.filters_but_means(),
            nd: Some(nd.clone()),
            nchunk: n,
            prefilter: None,
            tuner: None,
            ..self.cparams.clone()
        };
        let stored = CParams { codec: 0, clevel: 0, filters: Default::default(), ..params.clone() };
        chunk::compress_to_cbuf(&params, &data).or_else(|_| chunk::compress_to_cbuf(&stored, &data))
    }
}
