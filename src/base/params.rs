//! How to compress and decompress, as the engine understands it.

use super::consts::MAX_FILTERS;
use super::hooks::{Postfilter, Prefilter, Tuner};
use std::sync::Arc;

/// Whether a block's bytes of equal significance are compressed as streams of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum SplitMode {
    /// One stream per byte of the type, always.
    Always = 1,
    /// One stream per block, always.
    Never = 2,
    /// Split where it tends to pay.
    Auto = 3,
    /// As `Auto`; the default.
    #[default]
    ForwardCompat = 4,
}

impl SplitMode {
    /// The mode that a C caller's or a frame's number stands for.
    pub fn from_code(code: i32) -> Option<Self> {
        Some(match code {
            1 => SplitMode::Always,
            2 => SplitMode::Never,
            3 => SplitMode::Auto,
            4 => SplitMode::ForwardCompat,
            _ => return None,
        })
    }

    /// The number in the C interface.
    pub fn code(self) -> i32 {
        self as i32
    }
}

/// One slot of a filter pipeline: a filter's id (0: none) and its parameter byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FilterSlot {
    /// The filter's id, as in the chunk header.
    pub id: u8,
    /// The filter's parameter; what it means is the filter's business.
    pub meta: u8,
}

/// The filters a block goes through, first to last when compressing.
pub type FilterSlots = [FilterSlot; MAX_FILTERS];

/// The shape of a super-chunk that holds an n-dimensional array; filters and codecs that know cells use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NdShape {
    /// Items along each dimension of the array.
    pub shape: Vec<i64>,
    /// Items along each dimension of a chunk.
    pub chunkshape: Vec<i32>,
    /// Items along each dimension of a block.
    pub blockshape: Vec<i32>,
}

/// How to compress.
#[derive(Clone, Debug)]
pub struct CParams {
    /// The codec's id: 0 blosclz, 1 lz4, 2 lz4hc, 4 zlib, 5 zstd, from 32 on registered ones.
    pub codec: u8,
    /// The codec's parameter byte.
    pub codec_meta: u8,
    /// 0 (store) to 9.
    pub clevel: u8,
    /// Train a dictionary per chunk.
    pub use_dict: bool,
    /// Bytes per item, at least 1.
    pub typesize: i32,
    /// How many threads may work on one chunk, the caller's included.
    pub nthreads: i16,
    /// Bytes per block; 0 lets the tuner choose.
    pub blocksize: i32,
    /// Whether blocks are split into streams.
    pub split: SplitMode,
    /// The filter pipeline.
    pub filters: FilterSlots,
    /// The array that the data belongs to, if any.
    pub nd: Option<Arc<NdShape>>,
    /// Whether the data belongs to a super-chunk, whose items `typesize` then describes.
    pub in_schunk: bool,
    /// The chunk's number in its super-chunk, for the hooks; -1 when there is none.
    pub nchunk: i64,
    /// Makes each block's bytes before they are compressed.
    pub prefilter: Option<Arc<dyn Prefilter>>,
    /// Chooses the parameters of each chunk, these being what it starts from.
    pub tuner: Option<Arc<dyn Tuner>>,
    /// Store measurements of the codec in place of the data.
    pub instr_codec: bool,
    /// Write the 16-byte header that Blosc1 reads.
    pub blosc1_header: bool,
    /// A word that is passed to registered filters and codecs.
    pub token: usize,
}

impl Default for CParams {
    /// BloscLZ at level 5 with a byte shuffle of 8-byte items, one thread: `BLOSC2_CPARAMS_DEFAULTS`.
    fn default() -> Self {
        let mut filters = FilterSlots::default();
        filters[MAX_FILTERS - 1].id = 1;
        CParams {
            codec: 0,
            codec_meta: 0,
            clevel: 5,
            use_dict: false,
            typesize: 8,
            nthreads: 1,
            blocksize: 0,
            split: SplitMode::ForwardCompat,
            filters,
            nd: None,
            in_schunk: false,
            nchunk: -1,
            prefilter: None,
            tuner: None,
            instr_codec: false,
            blosc1_header: false,
            token: 0,
        }
    }
}

impl CParams {
    /// The default parameters for items of `typesize` bytes.
    ///
    /// ```
    /// assert_eq!(blosc2::CParams::of_items(4).typesize, 4);
    /// ```
    pub fn of_items(typesize: i32) -> Self {
        CParams { typesize, ..CParams::default() }
    }
}

/// How to decompress.
#[derive(Clone, Debug)]
pub struct DParams {
    /// How many threads may work on one chunk, the caller's included.
    pub nthreads: i16,
    /// Bytes per item as the caller sees them; a chunk's own header wins where it says otherwise.
    pub typesize: i32,
    /// The array that the data belongs to, if any.
    pub nd: Option<Arc<NdShape>>,
    /// Whether the data belongs to a super-chunk, whose items `typesize` then describes.
    pub in_schunk: bool,
    /// Changes each block's bytes after they are decompressed.
    pub postfilter: Option<Arc<dyn Postfilter>>,
    /// A word that is passed to registered filters and codecs.
    pub token: usize,
}

impl Default for DParams {
    /// One thread: `BLOSC2_DPARAMS_DEFAULTS`.
    fn default() -> Self {
        DParams { nthreads: 1, typesize: 8, nd: None, in_schunk: false, postfilter: None, token: 0 }
    }
}
