//! What codecs and their libraries are called, and which versions they have.

use super::user;
use super::{BLOSCLZ, LZ4, LZ4HC, ZLIB, ZSTD, lz4, zlib, zstd};

/// The built-in codecs' names, in the order of their ids, separated by commas.
pub const BUILT_IN: &str = "blosclz,lz4,lz4hc,zlib,zstd";

/// A library that codecs belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The library's code in the C interface; for a built-in codec its stream format.
    pub code: u8,
    /// Its name.
    pub name: String,
    /// Its version, or `unknown`.
    pub version: String,
}

/// The name of codec `id`.
pub fn name_of(id: u8) -> Option<String> {
    Some(match id {
        BLOSCLZ => "blosclz".into(),
        LZ4 => "lz4".into(),
        LZ4HC => "lz4hc".into(),
        ZLIB => "zlib".into(),
        ZSTD => "zstd".into(),
        _ => user::find(id)?.name,
    })
}

/// The id of the codec that is called `name`.
pub fn id_of(name: &str) -> Option<u8> {
    Some(match name {
        "blosclz" => BLOSCLZ,
        "lz4" => LZ4,
        "lz4hc" => LZ4HC,
        "zlib" => ZLIB,
        "zstd" => ZSTD,
        _ => user::find_name(name)?.id,
    })
}

/// The library of the codec that is called `name`.
pub fn library_of(name: &str) -> Option<Library> {
    let built_in =
        |code, name: &str, version: &str| Library { code, name: name.into(), version: version.into() };
    Some(match name {
        "blosclz" => built_in(0, "BloscLZ", "2.5.3"),
        "lz4" | "lz4hc" => built_in(1, "LZ4", lz4::version()),
        "zlib" => built_in(3, "Zlib", zlib::VERSION),
        "zstd" => built_in(4, "Zstd", zstd::version()),
        _ => {
            let codec = user::find_name(name)?;
            // The library is told by its code alone: the first codec that has it names it.
            let first = user::find_library(codec.library).map_or(codec.name, |first| first.name);
            built_in(codec.library, &first, "unknown")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ids_agree() {
        for name in BUILT_IN.split(',') {
            let id = id_of(name).unwrap();
            assert_eq!(name_of(id).as_deref(), Some(name));
            let library = library_of(name).unwrap();
            assert_eq!(library.code, crate::codec::format_of(id).unwrap());
        }
        assert_eq!(id_of("snappy"), None);
        assert_eq!(name_of(3), None);
        assert_eq!(library_of("BloscLZ"), None);
    }

    #[test]
    fn libraries_are_those_of_the_c_library() {
        let lz4 = library_of("lz4hc").unwrap();
        assert_eq!((lz4.code, lz4.name.as_str(), lz4.version.as_str()), (1, "LZ4", "1.10.0"));
        assert_eq!(library_of("zstd").unwrap().version, "1.5.7");
        assert_eq!(library_of("blosclz").unwrap().version, "2.5.3");
        let ndlz = library_of("ndlz").unwrap();
        assert_eq!((ndlz.code, ndlz.name.as_str(), ndlz.version.as_str()), (32, "ndlz", "unknown"));
    }
}
