//! What a caller's `urlpath` means as a path.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const SCHEME: &[u8] = b"file:///";

/// The local path that a `urlpath` names. `file:///` in front is taken off, all three slashes of it, so that what
/// follows is relative unless it has a slash of its own: that is how the C library reads it.
pub fn local(urlpath: &Path) -> &Path {
    let bytes = urlpath.as_os_str().as_encoded_bytes();
    match bytes.strip_prefix(SCHEME) {
        Some(rest) => from_bytes(rest),
        None => urlpath,
    }
}

/// The path without one trailing slash or backslash: how a sparse frame's directory is named.
pub fn directory(path: &Path) -> &Path {
    let bytes = path.as_os_str().as_encoded_bytes();
    match bytes.split_last() {
        Some((b'/' | b'\\', rest)) if !rest.is_empty() => from_bytes(rest),
        _ => path,
    }
}

/// `path` with `suffix` at its end, no separator between.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn from_bytes(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_goes_with_its_slashes() {
        assert_eq!(local(Path::new("file:///a/b")), Path::new("a/b"));
        assert_eq!(local(Path::new("file:////a/b")), Path::new("/a/b"));
        assert_eq!(local(Path::new("file://a")), Path::new("file://a"));
        assert_eq!(local(Path::new("/a")), Path::new("/a"));
    }

    #[test]
    fn one_trailing_separator_goes() {
        assert_eq!(directory(Path::new("dir/")).as_os_str(), "dir");
        assert_eq!(directory(Path::new("dir\\")).as_os_str(), "dir");
        assert_eq!(directory(Path::new("/")).as_os_str(), "/");
        assert_eq!(with_suffix(Path::new("a.b2nd"), ".b2lock"), Path::new("a.b2nd.b2lock"));
    }
}
