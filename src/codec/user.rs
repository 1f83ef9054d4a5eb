//! Codecs that a program registers, and the names that ids 32 to 40 are reserved under.
//!
//! The registry belongs to the process. Ids 160 to 255 are the user's; an id keeps the name it was first given. The codec
//! behind a reserved name is somewhere else: whoever knows where sets a [`Finder`].

use super::{StreamParams, missing};
use crate::base::params::{CParams, DParams};
use crate::base::{ErrorKind, Result};
use crate::fail;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The first id that a program may register.
pub const FIRST_USER: u8 = 160;

/// A codec that is not built in.
pub trait UserCodec: Send + Sync {
    /// Compresses `src` into `dst`: how many bytes that took, 0 when they do not fit.
    ///
    /// # Errors
    /// Any; the chunk fails with it.
    fn encode(&self, meta: u8, call: &Call, src: &[u8], dst: &mut [u8]) -> Result<usize>;

    /// Decompresses `src`, which is untrusted, into `dst`: how many bytes were written.
    ///
    /// # Errors
    /// Any; the chunk fails with it.
    fn decode(&self, meta: u8, call: &Call, src: &[u8], dst: &mut [u8]) -> Result<usize>;
}

/// What a registered codec gets to see of the call that it is a part of.
#[derive(Clone, Copy, Default)]
pub struct Call<'a> {
    /// The parameters, when compressing.
    pub cparams: Option<&'a CParams>,
    /// The parameters, when decompressing.
    pub dparams: Option<&'a DParams>,
    /// When decompressing, the chunk's header and what else of it is in memory; when compressing, the chunk's
    /// uncompressed bytes, where they are in memory.
    pub chunk: &'a [u8],
    /// A word of the façade's that the engine passes through (which handle the call came by).
    pub token: usize,
}

/// A registered codec.
#[derive(Clone)]
pub struct Entry {
    /// Its id, 160 to 255 for a user's.
    pub id: u8,
    /// Its name.
    pub name: String,
    /// The code of the library it belongs to.
    pub library: u8,
    /// The version of its stream format, kept in the chunk header.
    pub version: u8,
    /// The codec; `None` for a name that is reserved, whose codec is not here.
    pub codec: Option<Arc<dyn UserCodec>>,
}

/// Codecs that are registered from the start: our own, and names whose codec a plugin may bring.
#[cfg(not(feature = "plugins"))]
const RESERVED: &[(u8, &str)] = &[];
#[cfg(feature = "plugins")]
const RESERVED: &[(u8, &str)] = &[
    (32, "ndlz"),
    #[cfg(feature = "zfp")]
    (33, "zfp_acc"),
    #[cfg(feature = "zfp")]
    (34, "zfp_prec"),
    #[cfg(feature = "zfp")]
    (35, "zfp_rate"),
    (36, "openhtj2k"),
    (37, "grok"),
    (38, "openzl"),
    (39, "j2k"),
    (40, "htj2k"),
];

/// As many codecs as there may be, reserved names included.
const MOST: usize = 255;

static REGISTRY: RwLock<Vec<Entry>> = RwLock::new(Vec::new());

/// Finds the codec behind a reserved name, outside of the library. Is asked for every stream, and remembers.
pub type Finder = fn(&str) -> Result<Arc<dyn UserCodec>>;

static FINDER: OnceLock<Finder> = OnceLock::new();

/// Sets who is asked for codecs whose names are reserved. The first one stays.
pub fn set_finder(finder: Finder) {
    let _ = FINDER.set(finder);
}

/// Adds a codec to the registry. Registering the same id and name again changes nothing.
///
/// # Errors
/// `CodecParam` when the id is below 160 or has another name already, `CodecSupport` when the registry is full.
pub fn register(entry: Entry) -> Result<()> {
    if entry.id < FIRST_USER {
        fail!(
            CodecParam,
            "codec id {} is below {FIRST_USER}, the first that a program may register",
            entry.id
        );
    }
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    if registry.len() + RESERVED.len() >= MOST {
        fail!(CodecSupport, "no more than {MOST} codecs can be registered");
    }
    match registry.iter().find(|other| other.id == entry.id) {
        Some(other) if other.name != entry.name => {
            fail!(CodecParam, "codec id {} is registered as {} already", entry.id, other.name)
        }
        Some(_) => {}
        None => registry.push(entry),
    }
    Ok(())
}

/// Forgets every codec that a program registered.
pub fn forget_all() {
    REGISTRY.write().unwrap_or_else(PoisonError::into_inner).clear();
}

fn reserved(&(id, name): &(u8, &str)) -> Entry {
    Entry { id, name: name.into(), library: id, version: 1, codec: None }
}

fn find_by(reserved_is: impl Fn(&(u8, &str)) -> bool, user_is: impl Fn(&Entry) -> bool) -> Option<Entry> {
    if let Some(known) = RESERVED.iter().find(|known| reserved_is(known)) {
        return Some(reserved(known));
    }
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner).iter().find(|entry| user_is(entry)).cloned()
}

/// The registered codec `id`.
pub fn find(id: u8) -> Option<Entry> {
    find_by(|known| known.0 == id, |entry| entry.id == id)
}

/// The registered codec that is called `name`.
pub fn find_name(name: &str) -> Option<Entry> {
    find_by(|known| known.1 == name, |entry| entry.name == name)
}

/// The first registered codec of library `code`.
pub fn find_library(code: u8) -> Option<Entry> {
    find_by(|known| known.0 == code, |entry| entry.library == code)
}

/// The stream format's version of the registered codec `id`.
pub fn version_of(id: u8) -> Option<u8> {
    find(id).map(|entry| entry.version)
}

/// The codec `id` itself.
///
/// # Errors
/// `CodecSupport` when there is none; what the [`Finder`] reports.
fn codec(id: u8) -> Result<Arc<dyn UserCodec>> {
    if let Some((_, name)) = RESERVED.iter().find(|known| known.0 == id) {
        return FINDER.get().ok_or_else(|| missing(id)).and_then(|find| find(name));
    }
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    let entry = registry.iter().find(|entry| entry.id == id);
    entry.and_then(|entry| entry.codec.clone()).ok_or_else(|| missing(id))
}

pub(super) fn compress(id: u8, p: &StreamParams, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    let written = codec(id)?
        .encode(p.meta, p.call.unwrap_or(&Call::default()), src, dst)
        .map_err(|e| e.at(format_args!("codec {id}")).as_kind(ErrorKind::Data))?;
    if written > dst.len() {
        fail!(WriteBuffer, "codec {id} says that it wrote {written} bytes where {} fit", dst.len());
    }
    Ok(written)
}

pub(super) fn decompress(id: u8, p: &StreamParams, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    let written =
        codec(id)?.decode(p.meta, p.call.unwrap_or(&Call::default()), src, dst).map_err(|e| {
            match e.kind() {
                ErrorKind::CodecSupport => e,
                _ => e.at(format_args!("codec {id}")).as_kind(ErrorKind::Data),
            }
        })?;
    if written > dst.len() {
        fail!(Data, "codec {id} says that it wrote {written} bytes where {} fit", dst.len());
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{self, State};

    /// Counts a run at the beginning and refuses anything else; says too much when `meta` is 9.
    struct Runs;

    impl UserCodec for Runs {
        fn encode(&self, meta: u8, call: &Call, src: &[u8], dst: &mut [u8]) -> Result<usize> {
            assert_eq!(call.token, 77);
            match (meta, src) {
                (9, _) => Ok(dst.len() + 1),
                (_, [first, rest @ ..]) if rest.iter().all(|byte| byte == first) => {
                    dst[0] = *first;
                    Ok(1)
                }
                _ => fail!(Failure, "not a run"),
            }
        }

        fn decode(&self, meta: u8, _: &Call, src: &[u8], dst: &mut [u8]) -> Result<usize> {
            match (meta, src) {
                (9, _) => Ok(dst.len() + 1),
                (_, [byte]) => {
                    dst.fill(*byte);
                    Ok(dst.len())
                }
                _ => fail!(Failure, "not a run"),
            }
        }
    }

    fn entry(id: u8, name: &str) -> Entry {
        Entry { id, name: name.into(), library: id, version: 3, codec: Some(Arc::new(Runs)) }
    }

    #[test]
    fn a_registered_codec_is_found_and_called() {
        register(entry(201, "runs")).unwrap();
        assert_eq!(codec::names::id_of("runs"), Some(201));
        assert_eq!(codec::names::name_of(201).as_deref(), Some("runs"));
        assert_eq!(codec::names::library_of("runs").unwrap().name, "runs");
        assert_eq!(codec::format_of(201).unwrap(), 6);
        assert_eq!(codec::format_version_of(201).unwrap(), 3);

        let mut st = State::default();
        let call = Call { token: 77, ..Call::default() };
        let p = StreamParams { codec: 201, clevel: 5, call: Some(&call), ..StreamParams::default() };
        let mut packed = [0; 10];
        assert_eq!(codec::compress(&p, &mut st, &[5; 300], &mut packed).unwrap(), 1);
        let mut back = [0; 300];
        assert_eq!(codec::decompress(&p, &mut st, &packed[..1], &mut back).unwrap(), 300);
        assert_eq!(back, [5; 300]);

        // What goes wrong in a codec is bad data, and so is what it says if that cannot be.
        let kind = |result: Result<usize>| result.unwrap_err().kind();
        assert_eq!(kind(codec::compress(&p, &mut st, &[1, 2], &mut packed)), ErrorKind::Data);
        assert_eq!(kind(codec::decompress(&p, &mut st, &[1, 2], &mut back)), ErrorKind::Data);
        let p = StreamParams { meta: 9, ..p };
        assert_eq!(kind(codec::compress(&p, &mut st, &[1, 2], &mut packed)), ErrorKind::WriteBuffer);
        assert_eq!(kind(codec::decompress(&p, &mut st, &[1, 2], &mut back)), ErrorKind::Data);
    }

    #[test]
    fn an_id_keeps_its_name() {
        register(entry(202, "first")).unwrap();
        register(entry(202, "first")).unwrap();
        assert_eq!(register(entry(202, "second")).unwrap_err().kind(), ErrorKind::CodecParam);
        assert_eq!(register(entry(159, "low")).unwrap_err().kind(), ErrorKind::CodecParam);
        register(entry(255, "last")).unwrap();
        assert_eq!(find(255).unwrap().name, "last");
    }

    #[test]
    fn a_name_without_a_codec_says_so() {
        assert_eq!(codec::names::name_of(37).as_deref(), Some("grok"));
        let p = StreamParams { codec: 37, ..StreamParams::default() };
        let error = codec::decompress(&p, &mut State::default(), &[1], &mut [0; 9]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::CodecSupport);
        assert_eq!(codec::format_version_of(41).unwrap_err().kind(), ErrorKind::CodecSupport);
    }
}
