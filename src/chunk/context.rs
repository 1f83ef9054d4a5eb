//! Compressing and decompressing single chunks: a [`Context`] is the parameters for both.

use super::compress::{compress, compress_to_cbuf};
use super::header::ChunkHeader;
use super::reader::ChunkReader;
use super::source::ChunkSource;
use crate::base::params::{CParams, DParams};
use crate::base::{CBuf, Error, ErrorKind, Item, Result, env, item};
use std::ops::Range;

/// Compresses data into chunks, and gets it out of them, all of it or some items. Any number of threads may use a
/// context at once.
///
/// ```
/// use blosc2::{CParams, Context, DParams};
///
/// # fn main() -> blosc2::Result<()> {
/// // Numbers of four bytes, compressed with Zstandard (5) at level 9 by two threads.
/// let cparams = CParams { codec: 5, clevel: 9, nthreads: 2, ..CParams::of_items(4) };
/// let context = Context::new(cparams, DParams::default());
///
/// let numbers: Vec<i32> = (0..100_000).collect();
/// let chunk = context.compress_items(&numbers)?;
/// assert!(chunk.len() < 20_000);
///
/// // Three of them, for which no more is decoded than the block that they are in.
/// assert_eq!(context.get_items::<i32>(&chunk, 5_000..5_003)?, [5000, 5001, 5002]);
/// assert_eq!(context.decompress_items::<i32>(&chunk)?, numbers);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Context {
    cparams: CParams,
    dparams: DParams,
}

impl Context {
    /// A context with these parameters, which are looked at when there is work.
    ///
    /// ```
    /// use blosc2::{CParams, Context, DParams};
    ///
    /// let context = Context::new(CParams::of_items(2), DParams { nthreads: 4, ..DParams::default() });
    /// assert_eq!((context.cparams().typesize, context.dparams().nthreads), (2, 4));
    /// ```
    pub fn new(cparams: CParams, dparams: DParams) -> Self {
        env::look_for_info();
        Context { cparams, dparams }
    }

    /// How data is compressed. See [`Context::new`].
    pub fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// How data is decompressed. See [`Context::new`].
    pub fn dparams(&self) -> &DParams {
        &self.dparams
    }

    /// Compresses bytes into a chunk; those that do not shrink are stored in it as they are.
    ///
    /// ```
    /// let context = blosc2::Context::default();
    /// let chunk = context.compress(&[7; 10_000])?;
    /// assert!(chunk.len() < 100);
    /// assert_eq!(context.decompress(&chunk)?, [7; 10_000]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`compress()`](super::compress()).
    pub fn compress(&self, data: &[u8]) -> Result<CBuf> {
        compress_to_cbuf(&self.cparams, data)
    }

    /// Compresses bytes into a chunk at the front of `chunk`, and tells how many bytes that has; `None` when it does not
    /// fit, which it always does in 32 bytes more than `data` has.
    ///
    /// ```
    /// let context = blosc2::Context::default();
    /// let mut buffer = [0; 1000];
    /// let len = context.compress_into(&[7; 10_000], &mut buffer)?.expect("sevens need little");
    /// assert_eq!(context.decompress(&buffer[..len])?.len(), 10_000);
    /// // These do not shrink.
    /// let noise: Vec<u8> = (0..1000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    /// assert_eq!(context.compress_into(&noise, &mut buffer)?, None);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`compress()`](super::compress()).
    pub fn compress_into(&self, data: &[u8], chunk: &mut [u8]) -> Result<Option<usize>> {
        Ok(Some(compress(&self.cparams, data, chunk)?).filter(|&len| len > 0))
    }

    /// Decompresses a chunk.
    ///
    /// ```
    /// let context = blosc2::Context::default();
    /// let chunk = context.compress(b"as it was")?;
    /// assert_eq!(context.decompress(&chunk)?, b"as it was");
    /// // Bytes that are no chunk are an error, whatever they are.
    /// assert!(context.decompress(b"as it was").is_err());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ChunkReader::new`] and [`ChunkReader::decompress`]; `MemoryAlloc` when there is no memory for the data.
    pub fn decompress(&self, chunk: &[u8]) -> Result<Vec<u8>> {
        let reader = self.reader(chunk)?;
        let mut data = zeros(reader.header().nbytes())?;
        reader.decompress(self.nthreads(), &mut data)?;
        Ok(data)
    }

    /// Decompresses a chunk into the front of `data`, and tells how many bytes those are.
    ///
    /// ```
    /// let context = blosc2::Context::default();
    /// let chunk = context.compress(&[1; 500])?;
    /// let mut data = [0; 600];
    /// assert_eq!(context.decompress_into(&chunk, &mut data)?, 500);
    /// assert_eq!(data[499..501], [1, 0]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// `WriteBuffer` when the data does not fit; otherwise as [`Context::decompress`].
    pub fn decompress_into(&self, chunk: &[u8], data: &mut [u8]) -> Result<usize> {
        self.reader(chunk)?.decompress(self.nthreads(), data)
    }

    /// Decompresses some items of a chunk, in its own typesize, as bytes. No more blocks are decoded than those they
    /// are in.
    ///
    /// ```
    /// let context = blosc2::Context::new(blosc2::CParams::of_items(2), Default::default());
    /// let chunk = context.compress(b"aabbccdd")?;
    /// assert_eq!(context.getitem(&chunk, 1..3)?, b"bbcc");
    /// assert!(context.getitem(&chunk, 3..5).is_err());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` when the chunk has no such items; otherwise as [`Context::decompress`].
    pub fn getitem(&self, chunk: &[u8], items: Range<usize>) -> Result<Vec<u8>> {
        let reader = self.reader(chunk)?;
        let (typesize, nbytes) = (reader.header().typesize(), reader.header().nbytes());
        if items.start > items.end || items.end > nbytes / typesize {
            crate::fail!(InvalidParam, "items {items:?} of {}", nbytes / typesize);
        }
        let mut data = zeros(items.len() * typesize)?;
        reader.get_bytes(items.start * typesize..items.end * typesize, &mut data)?;
        Ok(data)
    }

    /// [`Context::compress`] for numbers, whose size is the typesize of [`Context::cparams`].
    ///
    /// ```
    /// let context = blosc2::Context::new(blosc2::CParams::of_items(8), Default::default());
    /// let chunk = context.compress_items(&[1.5, 2.5])?;
    /// assert_eq!(context.decompress_items::<f64>(&chunk)?, [1.5, 2.5]);
    /// assert!(context.compress_items(&[1u8, 2]).is_err());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` when the typesize is another; otherwise as [`Context::compress`].
    pub fn compress_items<T: Item>(&self, items: &[T]) -> Result<CBuf> {
        item::check::<T>(usize::try_from(self.cparams.typesize).unwrap_or(0))?;
        self.compress(&item::to_bytes(items))
    }

    /// [`Context::decompress`] for numbers, whose size is the chunk's typesize. See [`Context::compress_items`].
    ///
    /// # Errors
    /// `InvalidParam` when the typesize is another; otherwise as [`Context::decompress`].
    pub fn decompress_items<T: Item>(&self, chunk: &[u8]) -> Result<Vec<T>> {
        item::check::<T>(ChunkHeader::parse(chunk)?.typesize())?;
        Ok(item::from_bytes(&self.decompress(chunk)?))
    }

    /// [`Context::getitem`] for numbers, whose size is the chunk's typesize.
    ///
    /// ```
    /// let context = blosc2::Context::new(blosc2::CParams::of_items(2), Default::default());
    /// let chunk = context.compress_items(&[10i16, 20, 30, 40])?;
    /// assert_eq!(context.get_items::<i16>(&chunk, 1..3)?, [20, 30]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` when the typesize is another; otherwise as [`Context::getitem`].
    pub fn get_items<T: Item>(&self, chunk: &[u8], items: Range<usize>) -> Result<Vec<T>> {
        item::check::<T>(ChunkHeader::parse(chunk)?.typesize())?;
        Ok(item::from_bytes(&self.getitem(chunk, items)?))
    }

    fn reader<'a>(&'a self, chunk: &'a [u8]) -> Result<ChunkReader<'a>> {
        ChunkReader::new(ChunkSource::Bytes(chunk), &self.dparams)
    }

    fn nthreads(&self) -> usize {
        usize::try_from(self.dparams.nthreads).unwrap_or(1)
    }
}

/// Memory for what a chunk says that it holds, which need not be true.
fn zeros(len: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(len)
        .map_err(|_| Error::new(ErrorKind::MemoryAlloc, format!("{len} bytes could not be had")))?;
    bytes.resize(len, 0);
    Ok(bytes)
}
