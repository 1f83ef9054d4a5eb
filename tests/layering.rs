//! The floors of ARCHITECTURE.md, checked from the sources: who may import whom, and where `unsafe` may stand.

use std::fs;
use std::path::{Path, PathBuf};

/// Folder of `src`, and the folders that it may import besides itself.
const FLOORS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("codec", &["base"]),
    ("filter", &["base"]),
    ("exec", &["base"]),
    ("chunk", &["codec", "filter", "exec", "base"]),
    ("io", &["base"]),
    ("frame", &["io", "chunk", "base"]),
    ("schunk", &["frame", "io", "chunk", "exec", "base"]),
    ("ndarray", &["schunk", "frame", "chunk", "exec", "base"]),
    ("bin", &["ndarray", "schunk", "frame", "io", "chunk", "codec", "filter", "base"]),
    ("capi", &["ndarray", "schunk", "frame", "io", "chunk", "exec", "codec", "filter", "base"]),
];

/// Where unsafe code may stand: a folder ends with `/`, a file has its name.
const UNSAFE: &[&str] = &[
    "capi/",
    "base/cbuf.rs",
    // A kernel, of one instruction that is not SIMD.
    "base/copy/repeats.rs",
    "base/scatter/",
    "exec/pool.rs",
    "io/mmap.rs",
    "io/turnstile.rs",
    // Thin wrappers over C codecs.
    "codec/lz4.rs",
    "codec/zstd.rs",
    "codec/zfp/wrap.rs",
];

/// Files of SIMD kernels, by their names or their folder's, anywhere under these folders.
const KERNELS: &[&str] = &["sse2", "ssse3", "avx2", "avx512"];
const KERNEL_FOLDERS: &[&str] = &["base/copy/", "filter/", "codec/"];

struct Source {
    /// Path under `src`, with forward slashes.
    path: String,
    /// The text without comments and without the contents of strings.
    code: String,
}

fn sources() -> Vec<Source> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("src can be listed") {
            let path: PathBuf = entry.expect("src can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                let below = path.strip_prefix(&src).expect("found under src");
                let parts: Vec<_> = below.iter().map(|p| p.to_string_lossy().into_owned()).collect();
                found.push(Source { path: parts.join("/"), code: without_comments(&text) });
            }
        }
    }
    assert!(found.len() > 10, "the sources were not found");
    found
}

/// Blanks comments and the contents of string literals; what remains is code.
fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if let Some(length) = raw_string(rest) {
            at += length;
        } else if rest.starts_with('"') {
            at += string(rest);
        } else if let Some(length) = character(rest) {
            at += length;
        } else {
            let next = rest.chars().next().expect("not at the end");
            code.push(next);
            at += next.len_utf8();
        }
    }
    code
}

/// The length of the string literal at the start of `rest`.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of the raw string literal at the start of `rest`, if there is one.
fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest.strip_prefix('r')?.bytes().take_while(|&b| b == b'#').count();
    let open = 1 + hashes;
    if rest.as_bytes().get(open) != Some(&b'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let body = &rest[open + 1..];
    Some(body.find(&close).map_or(rest.len(), |end| open + 1 + end + close.len()))
}

/// The length of the character literal (and not the lifetime) at the start of `rest`, if there is one.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    if inside.starts_with('\\') {
        return inside[2..].find('\'').map(|end| 1 + 2 + end + 1);
    }
    let length = inside.chars().next()?.len_utf8();
    inside[length..].starts_with('\'').then_some(length + 2)
}

/// The folder of `src` that a source belongs to; none for `lib.rs`.
fn floor_of(path: &str) -> Option<&str> {
    path.split_once('/').map(|(folder, _)| folder)
}

/// The first names of the paths that begin with `prefix` (`crate::`), those in braces included.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        if let Some(list) = rest.strip_prefix('{') {
            names.extend(heads_in_braces(list));
        } else {
            names.extend(head(rest));
        }
    }
    names
}

/// The identifier that `text` begins with.
fn head(text: &str) -> Option<String> {
    let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// The first identifier of each item of a `{a, b::{c, d}}` list, whose opening brace is already gone.
fn heads_in_braces(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut item) = (0, String::new());
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.extend(head(std::mem::take(&mut item).trim_start())),
            _ if depth == 0 => item.push(c),
            _ => {}
        }
    }
    names.extend(head(item.trim_start()));
    names
}

/// The folders of `src` that a source names: by `crate::x`, or by enough `super::`s to leave its own.
fn imports(source: &Source) -> Vec<String> {
    let mut names = names_after(&source.code, "crate::");
    if floor_of(&source.path) == Some("bin") {
        // A program of its own, for which the crate is one among others, and `crate` is itself.
        names = names_after(&source.code, "blosc2::");
    }
    let parts: Vec<&str> = source.path.split('/').collect();
    // `base/mod.rs` is one module deep, `base/cbuf.rs` two.
    let mut modules = parts.len();
    if parts.last() == Some(&"mod.rs") {
        modules -= 1;
    }
    if parts.len() > 1 {
        names.extend(names_after(&source.code, &"super::".repeat(modules)));
    }
    names.retain(|name| FLOORS.iter().any(|(folder, _)| folder == name));
    names
}

#[test]
fn imports_point_downward() {
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(floor) = floor_of(&source.path) else { continue };
        let Some((_, allowed)) = FLOORS.iter().find(|(folder, _)| *folder == floor) else {
            wrong.push(format!("{}: the folder {floor} has no floor", source.path));
            continue;
        };
        for name in imports(&source) {
            if name != floor && !allowed.contains(&name.as_str()) {
                wrong.push(format!("{}: {floor} may not know {name}", source.path));
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn unsafe_has_addresses() {
    let mut wrong = Vec::new();
    for source in sources() {
        let path = source.path.as_str();
        let listed = UNSAFE.iter().any(|a| if a.ends_with('/') { path.starts_with(a) } else { path == *a });
        let named = path.split('/').any(|part| KERNELS.contains(&part.trim_end_matches(".rs")));
        let kernel = named && KERNEL_FOLDERS.iter().any(|f| path.starts_with(f));
        let uses_it =
            source.code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe");
        if uses_it && !listed && !kernel {
            wrong.push(path.to_string());
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "unsafe code has no place in:\n{}", wrong.join("\n"));
}

#[test]
fn the_reader_of_sources_reads() {
    let code = without_comments(concat!(
        "use crate::{base::{Error, Result}, chunk, io as disk};\n",
        "// use crate::capi;\n/* crate::capi */ let s = \"crate::capi\"; let c = '\"'; let r = r#\"crate::capi\"#;\n",
        "fn f<'a>(x: &'a str) { super::super::codec::name_of(1); $crate::frame::x(); }\n",
    ));
    assert_eq!(names_after(&code, "crate::"), ["base", "chunk", "io"]);
    assert!(!code.contains("capi"));
    let source = Source { path: "chunk/plan.rs".into(), code };
    assert_eq!(imports(&source), ["base", "chunk", "io", "codec"]);
    assert_eq!(floor_of("lib.rs"), None);
    let code = without_comments(
        "use blosc2::{NdArray, io::Disk};\nuse crate::schunk::x; fn f() { blosc2::codec::y() }",
    );
    let program = Source { path: "bin/b2/main.rs".into(), code };
    assert_eq!(imports(&program), ["io", "codec"]);
}
