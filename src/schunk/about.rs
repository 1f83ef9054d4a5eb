//! What a super-chunk tells of itself.

use super::state::State;
use super::{Chunks, SuperChunk};
use crate::base::params::{CParams, DParams};
use crate::frame::{DiskFrame, FrameKind};

/// What changes of a super-chunk when its chunks do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Chunks.
    pub nchunks: i64,
    /// Uncompressed bytes.
    pub nbytes: i64,
    /// Compressed bytes, as [`SuperChunk::cbytes`].
    pub cbytes: i64,
    /// Uncompressed bytes of a chunk; 0 where chunks vary.
    pub chunksize: i32,
    /// Uncompressed bytes of a block; 0 where blocks vary.
    pub blocksize: i32,
    /// Whether blocks of a chunk have sizes of their own.
    pub vl_blocks: bool,
    /// How often metalayers have changed.
    pub tick: u64,
}

impl Counters {
    fn of(state: &State) -> Self {
        let header = &state.contents.header;
        Counters {
            nchunks: state.contents.nchunks,
            nbytes: header.nbytes,
            cbytes: header.cbytes,
            chunksize: header.chunksize,
            blocksize: header.blocksize,
            vl_blocks: header.vl_blocks,
            tick: state.tick,
        }
    }
}

impl SuperChunk {
    /// How data is compressed.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// assert_eq!(schunk.cparams().typesize, 4);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// How data is decompressed.
    ///
    /// ```
    /// let schunk = blosc2::SuperChunk::new(blosc2::Storage::default())?;
    /// assert_eq!(schunk.dparams().nthreads, 1);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn dparams(&self) -> &DParams {
        &self.dparams
    }

    /// Changes how data is compressed from now on. The frame's header says so from the next change on.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32, 2])?;
    /// schunk.set_cparams(CParams { codec: 5, ..schunk.cparams().clone() });
    /// schunk.append(&[3i32, 4])?;
    /// assert_eq!(schunk.get::<i32>(0, 4)?, [1, 2, 3, 4]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn set_cparams(&mut self, cparams: CParams) {
        self.cparams = CParams { in_schunk: true, ..cparams };
    }

    /// Changes how data is decompressed from now on.
    ///
    /// ```
    /// use blosc2::{DParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.set_dparams(DParams { nthreads: 4, ..schunk.dparams().clone() });
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn set_dparams(&mut self, dparams: DParams) {
        self.dparams = dparams;
    }

    /// Chunks as last seen; [`SuperChunk::refresh`] looks whether a frame on disk has others now.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"one")?;
    /// assert_eq!((schunk.nchunks(), schunk.nbytes(), schunk.chunksize()), (1, 3, 3));
    /// assert!(schunk.cbytes() > 0);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn nchunks(&self) -> i64 {
        self.state().contents.nchunks
    }

    /// What changes when chunks do, taken at one moment.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"one")?;
    /// let counters = schunk.counters();
    /// assert_eq!((counters.nchunks, counters.nbytes), (1, 3));
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn counters(&self) -> Counters {
        Counters::of(&self.state())
    }

    /// [`counters`](Self::counters) for who has the super-chunk alone: takes no lock.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"one")?;
    /// assert_eq!(schunk.own_counters(), schunk.counters());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn own_counters(&mut self) -> Counters {
        Counters::of(self.state_mut())
    }

    /// Uncompressed bytes. See [`SuperChunk::nchunks`].
    pub fn nbytes(&self) -> i64 {
        self.state().contents.header.nbytes
    }

    /// Compressed bytes: of all chunks in a list; of those that are stored in a frame, and of holes between them. See [`SuperChunk::nchunks`].
    pub fn cbytes(&self) -> i64 {
        self.state().contents.header.cbytes
    }

    /// Uncompressed bytes per chunk; 0 when chunks vary, -1 when there has been none yet. See [`SuperChunk::nchunks`].
    pub fn chunksize(&self) -> i32 {
        self.state().contents.header.chunksize
    }

    /// Says how large chunks will be, before there is one. Later, does nothing.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.set_chunksize(80);
    /// assert!(schunk.append_buffer(&[0; 90]).is_err());
    /// schunk.append_buffer(&[0; 80])?;
    /// schunk.set_chunksize(90);
    /// assert_eq!(schunk.chunksize(), 80);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn set_chunksize(&mut self, chunksize: i32) {
        let contents = &mut self.state_mut().contents;
        if contents.nchunks == 0 {
            contents.header.chunksize = chunksize;
        }
    }

    /// Uncompressed bytes per block as asked for; 0 when the codec chooses.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.set_blocksize(4096);
    /// assert_eq!(schunk.blocksize(), 4096);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn blocksize(&self) -> i32 {
        self.state().contents.header.blocksize
    }

    /// Says how large blocks are. See [`SuperChunk::blocksize`].
    pub fn set_blocksize(&mut self, blocksize: i32) {
        self.state_mut().contents.header.blocksize = blocksize;
    }

    /// Bytes per item.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// assert_eq!(schunk.typesize(), 4);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn typesize(&self) -> i32 {
        self.cparams.typesize
    }

    /// Whether chunks are made of VL blocks.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"one")?;
    /// assert!(!schunk.has_vl_blocks());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn has_vl_blocks(&self) -> bool {
        self.state().contents.header.vl_blocks
    }

    /// How often metalayers have changed, here or seen from elsewhere.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// let before = schunk.change_tick();
    /// schunk.vlmeta_add("notes", b"anything", None)?;
    /// assert_ne!(schunk.change_tick(), before);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn change_tick(&self) -> u64 {
        self.state().tick
    }

    /// Whether the chunks are in one frame.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let schunk = SuperChunk::new(Storage { contiguous: true, ..Storage::default() })?;
    /// assert!(schunk.is_contiguous() && schunk.has_frame());
    /// assert!(!SuperChunk::new(Storage::default())?.is_contiguous());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn is_contiguous(&self) -> bool {
        match &self.chunks {
            Chunks::List(_) => false,
            Chunks::Memory(_) => true,
            Chunks::Disk(disk) => disk.kind() == FrameKind::Contiguous,
        }
    }

    /// Whether there is a frame, in memory or on disk. See [`SuperChunk::is_contiguous`].
    pub fn has_frame(&self) -> bool {
        !matches!(self.chunks, Chunks::List(_))
    }

    /// The frame on disk, if that is where the chunks are.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// assert!(schunk.disk().is_none());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn disk(&self) -> Option<&DiskFrame> {
        match &self.chunks {
            Chunks::Disk(disk) => Some(disk),
            _ => None,
        }
    }

    /// Bytes of the frame's trailer, as it is or as it would be.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// let before = schunk.trailer_len();
    /// schunk.vlmeta_add("notes", b"anything", None)?;
    /// assert!(schunk.trailer_len() > before);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn trailer_len(&self) -> u64 {
        self.state().contents.trailer_len()
    }

    /// Bytes of the frame. Of a frame in memory whose index and trailer are not written yet, what is written; of a list,
    /// an estimate.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { contiguous: true, ..Storage::default() })?;
    /// schunk.append_buffer(b"one")?;
    /// let len = schunk.frame_bytes()?.map(<[u8]>::len);
    /// assert_eq!(Some(schunk.frame_len() as usize), len);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
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
