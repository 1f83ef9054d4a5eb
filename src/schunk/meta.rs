//! Metalayers: small ones of fixed size that stand before the chunks, and others that may change in every way.

use super::SuperChunk;
use super::state::What;
use crate::base::consts::{MAX_METALAYERS, MAX_OVERHEAD, MAX_VLMETALAYERS};
use crate::base::params::CParams;
use crate::base::{CBuf, Error, ErrorKind, Result};
use crate::chunk::{self, ChunkReader, ChunkSource};
use crate::fail;
use crate::frame::{Data, Metalayers};
use std::sync::Arc;

impl SuperChunk {
    /// The metalayers, as last seen.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.meta_add("unit", b"m/s")?;
    /// let metas = schunk.metas();
    /// assert_eq!(metas.iter().next().map(|meta| meta.name()), Some(&b"unit"[..]));
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn metas(&self) -> Metalayers {
        self.state().contents.metas.clone()
    }

    /// Whether there is a metalayer `name`, and its place.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.meta_add("unit", b"m/s")?;
    /// assert_eq!(schunk.meta_exists("unit")?, 0);
    /// assert!(schunk.meta_exists("other").is_err());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`]; [`ErrorKind::InvalidParam`] for a name that is too long to be one.
    pub fn meta_exists(&self, name: impl AsRef<[u8]>) -> Result<usize> {
        self.state().contents.metas.find(name)
    }

    /// The content of metalayer `name`.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.meta_add("unit", b"m/s")?;
    /// assert_eq!(&schunk.meta_get("unit")?[..], b"m/s");
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::meta_exists`].
    pub fn meta_get(&self, name: impl AsRef<[u8]>) -> Result<Arc<[u8]>> {
        let state = self.state();
        let at = state.contents.metas.find(name)?;
        content(&state.contents.metas, at)
    }

    /// Adds a metalayer and gives its place.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// assert_eq!(schunk.meta_add("unit", b"m/s")?, 0);
    /// assert_eq!(schunk.meta_add("place", b"here")?, 1);
    /// assert!(schunk.meta_add("unit", b"km").is_err());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`] when there is one of that name, or sixteen, or a frame with chunks; what storage
    /// reports.
    pub fn meta_add(&mut self, name: impl AsRef<[u8]>, content: &[u8]) -> Result<usize> {
        self.exclusively(|schunk| schunk.add_meta(name.as_ref(), content))
    }

    fn add_meta(&mut self, name: &[u8], content: &[u8]) -> Result<usize> {
        self.load_index()?;
        if self.has_frame() && self.cbytes() > 0 {
            fail!(InvalidParam, "a frame that has chunks takes no new metalayers");
        }
        let place = self.nmetas();
        self.change(|state| {
            state.contents.metas.add(name, content.into(), MAX_METALAYERS)?;
            Ok((Data::Same, What::All))
        })?;
        self.state_mut().tick += 1;
        if let Some(witness) = &self.witness {
            witness.metalayers(&self.metas(), self.typesize(), self.chunksize());
        }
        Ok(place)
    }

    /// Overwrites the front of metalayer `name` with `content`, and gives its place. Its length stays.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.meta_add("unit", b"m/s")?;
    /// // As long as it was, or shorter.
    /// schunk.meta_update("unit", b"k/h")?;
    /// assert_eq!(&schunk.meta_get("unit")?[..], b"k/h");
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`]; [`ErrorKind::InvalidParam`] when `content` is longer than what is there; what storage
    /// reports.
    pub fn meta_update(&mut self, name: impl AsRef<[u8]>, content: &[u8]) -> Result<usize> {
        self.exclusively(|schunk| schunk.update_meta(name.as_ref(), content))
    }

    fn update_meta(&mut self, name: &[u8], content: &[u8]) -> Result<usize> {
        let at = self.meta_exists(name)?;
        let mut updated = self.meta_at(at)?.to_vec();
        let Some(front) = updated.get_mut(..content.len()) else {
            fail!(InvalidParam, "{} bytes for a metalayer of {}", content.len(), updated.len());
        };
        front.copy_from_slice(content);
        self.change(|state| {
            state.contents.metas.replace(at, updated.into());
            Ok((Data::Same, What::Header))
        })?;
        self.state_mut().tick += 1;
        Ok(at)
    }

    fn nmetas(&self) -> usize {
        self.state().contents.metas.len()
    }

    fn meta_at(&self, at: usize) -> Result<Arc<[u8]>> {
        content(&self.state().contents.metas, at)
    }

    /// The variable-length metalayers, compressed, after a look at the disk.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.vlmeta_add("notes", b"anything", None)?;
    /// assert_eq!(schunk.vlmetas()?.len(), 1);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// What storage reports.
    pub fn vlmetas(&self) -> Result<Metalayers> {
        Ok(self.fresh()?.contents.vlmeta.clone())
    }

    /// The variable-length metalayers, compressed, as last seen.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.vlmeta_add("notes", b"anything", None)?;
    /// assert_eq!(schunk.vlmetas_seen().len(), 1);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn vlmetas_seen(&self) -> Metalayers {
        self.state().contents.vlmeta.clone()
    }

    /// Whether there is a variable-length metalayer `name`, and its place.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.vlmeta_add("notes", b"anything", None)?;
    /// assert_eq!(schunk.vlmeta_exists("notes")?, 0);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`]; [`ErrorKind::InvalidParam`] for a name that is too long to be one.
    pub fn vlmeta_exists(&self, name: impl AsRef<[u8]>) -> Result<usize> {
        self.fresh()?.contents.vlmeta.find(name)
    }

    /// The content of variable-length metalayer `name`.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.vlmeta_add("notes", b"anything", None)?;
    /// assert_eq!(&schunk.vlmeta_get("notes")?[..], b"anything");
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::vlmeta_exists`]; [`ErrorKind::Data`] and [`ErrorKind::ReadBuffer`] when it is damaged.
    pub fn vlmeta_get(&self, name: impl AsRef<[u8]>) -> Result<CBuf> {
        let state = self.fresh()?;
        let at = state.contents.vlmeta.find(name)?;
        let packed = content(&state.contents.vlmeta, at)?;
        drop(state);
        let reader = ChunkReader::new(ChunkSource::Bytes(&packed), &self.dparams)?;
        if reader.header().cbytes() != packed.len() {
            fail!(
                Data,
                "a metalayer of {} bytes holds a chunk of {}",
                packed.len(),
                reader.header().cbytes()
            );
        }
        let mut out = CBuf::zeroed(reader.header().nbytes())?;
        reader.decompress(1, &mut out).map_err(|e| e.as_kind(ErrorKind::ReadBuffer))?;
        Ok(out)
    }

    /// Adds a variable-length metalayer and gives its place. It is compressed with `cparams`, or default ones.
    ///
    /// In a frame, [`checksums::NAME`](crate::frame::checksums::NAME) is the name of its own: adding it, with whatever
    /// content, is [`SuperChunk::start_checksums`], updating it changes nothing, and without it there are no checksums.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"data")?;
    /// // Also when there are chunks, and of any length.
    /// schunk.vlmeta_add("notes", &[b'x'; 10_000], None)?;
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`] when there is one of that name, too many, or a content over 2 GB; what storage
    /// reports.
    pub fn vlmeta_add(
        &mut self,
        name: impl AsRef<[u8]>,
        content: &[u8],
        cparams: Option<&CParams>,
    ) -> Result<usize> {
        if self.is_table(name.as_ref()) && !self.has_checksums() {
            self.start_checksums()?;
            return self.vlmeta_exists(name);
        }
        let packed = pack(content, cparams)?;
        self.exclusively(|schunk| {
            let place = schunk.state().contents.vlmeta.len();
            schunk.change_vlmeta(|vlmeta| vlmeta.add(name, packed, MAX_VLMETALAYERS).map(drop))?;
            Ok(place)
        })
    }

    /// Puts another content in variable-length metalayer `name`, and gives its place.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.vlmeta_add("notes", b"anything", None)?;
    /// schunk.vlmeta_update("notes", b"something much longer", None)?;
    /// assert_eq!(schunk.vlmeta_get("notes")?.len(), 21);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], and as [`SuperChunk::vlmeta_add`].
    pub fn vlmeta_update(
        &mut self,
        name: impl AsRef<[u8]>,
        content: &[u8],
        cparams: Option<&CParams>,
    ) -> Result<usize> {
        let packed = pack(content, cparams)?;
        self.exclusively(|schunk| {
            let at = schunk.state().contents.vlmeta.find(&name)?;
            if schunk.is_table(name.as_ref()) {
                return Ok(at);
            }
            schunk.change_vlmeta(|vlmeta| {
                vlmeta.replace(at, packed);
                Ok(())
            })?;
            Ok(at)
        })
    }

    /// Removes variable-length metalayer `name` and tells how many are left.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.vlmeta_add("notes", b"anything", None)?;
    /// assert_eq!(schunk.vlmeta_delete("notes")?, 0);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`]; what storage reports.
    pub fn vlmeta_delete(&mut self, name: impl AsRef<[u8]>) -> Result<usize> {
        self.exclusively(|schunk| {
            let at = schunk.state().contents.vlmeta.find(&name)?;
            let table = schunk.is_table(name.as_ref());
            schunk.change(|state| {
                state.contents.vlmeta.remove(at);
                state.contents.header.checksums &= !table;
                Ok((Data::Same, What::Trailer))
            })?;
            if table {
                schunk.forget_checksums();
            }
            schunk.state_mut().tick += 1;
            Ok(schunk.state().contents.vlmeta.len())
        })
    }

    fn change_vlmeta(&mut self, change: impl FnOnce(&mut Metalayers) -> Result<()>) -> Result<()> {
        self.change(|state| {
            change(&mut state.contents.vlmeta)?;
            Ok((Data::Same, What::Trailer))
        })?;
        self.state_mut().tick += 1;
        Ok(())
    }

    /// Takes over the metalayers of another super-chunk, as they are.
    pub(super) fn take_metadata(&mut self, metas: Metalayers, vlmeta: Metalayers) {
        let contents = &mut self.state_mut().contents;
        contents.metas = metas;
        contents.vlmeta = vlmeta;
    }
}

fn content(metas: &Metalayers, at: usize) -> Result<Arc<[u8]>> {
    match metas.get(at) {
        Some(meta) => Ok(meta.content().clone()),
        None => fail!(NotFound, "no metalayer {at}"),
    }
}

/// A variable-length metalayer's content as it is stored.
fn pack(content: &[u8], cparams: Option<&CParams>) -> Result<Arc<[u8]>> {
    if content.len() > i32::MAX as usize - MAX_OVERHEAD {
        fail!(InvalidParam, "a metalayer of {} bytes", content.len());
    }
    let packed = match cparams {
        Some(cparams) => chunk::compress_to_cbuf(cparams, content),
        None => chunk::compress_to_cbuf(&CParams::default(), content),
    };
    packed.map(|packed| Arc::from(&*packed)).map_err(|e: Error| e.at("metalayer"))
}
