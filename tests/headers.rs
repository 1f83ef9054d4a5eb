//! The committed C headers are what the sources say, and C and C++ compilers take them without a word.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust sources under `folder`, in a fixed order: types before functions.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    // cbindgen would follow a mod.rs into its whole folder; none of them holds anything for C.
    files.retain(|path| path.extension().is_some_and(|e| e == "rs") && !path.ends_with("mod.rs"));
    files.sort();
    files
}

/// What belongs into b2nd.h. Everything else belongs into blosc2.h, but for the structs that C may not see.
fn is_array(path: &Path) -> bool {
    path.ends_with("types/array.rs") || path.components().any(|part| part.as_os_str() == "b2nd")
}

/// What belongs into blosc2_ext.h.
fn is_addition(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "ext")
}

fn is_private(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "private")
        || path.ends_with("types/stdio.rs")
        || path.ends_with("io/stdio.rs")
        || path.ends_with("io/mmap.rs")
}

fn generate(config: &str, wanted: impl Fn(&Path) -> bool) -> String {
    let config = cbindgen::Config::from_file(root().join("cbindgen").join(config)).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for path in sources("src/capi").into_iter().filter(|path| wanted(path)) {
        builder = builder.with_src(path);
    }
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

/// Compares, or writes where `UPDATE_HEADERS` is set.
fn check(name: &str, fresh: &str) {
    let path = root().join("include").join(name);
    if std::env::var_os("UPDATE_HEADERS").is_some() {
        std::fs::write(&path, fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some((line, (old, new))) =
        committed.lines().zip(fresh.lines()).enumerate().find(|(_, (old, new))| old != new)
    {
        panic!("include/{name} is stale at line {}:\n  {old}\n  {new}\nRun scripts/headers.sh.", line + 1);
    }
    assert_eq!(committed.len(), fresh.len(), "include/{name} is stale at its end. Run scripts/headers.sh.");
}

#[test]
fn the_committed_headers_are_what_the_sources_say() {
    check(
        "blosc2.h",
        &generate("blosc2.toml", |path| !is_array(path) && !is_private(path) && !is_addition(path)),
    );
    check("b2nd.h", &generate("b2nd.toml", is_array));
    check("blosc2_ext.h", &generate("blosc2_ext.toml", is_addition));
}

#[test]
fn build_scripts_find_the_version_in_the_header() {
    let header = std::fs::read_to_string(root().join("include/blosc2.h")).unwrap();
    let word = |name: &str, hint: &str| {
        let line = header.lines().find(|line| line.contains(name) && line.contains(hint));
        line.and_then(|line| line.split_whitespace().nth(2)).unwrap_or_else(|| panic!("no {name}")).to_owned()
    };
    // As PyTables does.
    let numbers = [("MAJOR", "major"), ("MINOR", "minor"), ("RELEASE", "tweaks")]
        .map(|(name, hint)| word(&format!("BLOSC2_VERSION_{name}"), hint));
    // As CMake modules do.
    let text = word("#define BLOSC2_VERSION_STRING", "");
    assert_eq!(format!("{:?}", numbers.join(".")), text);
}

/// Every header, alone, twice, in a language and standard.
fn compile(compiler: &str, suffix: &str, standard: &str, defines: &[&str]) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for (i, headers) in [
        &["blosc2.h"][..],
        &["b2nd.h"],
        &["b2nd.h", "blosc2.h", "b2nd.h"],
        &["blosc2_ext.h", "blosc2.h", "blosc2_ext.h"],
        &["blosc2.h", "blosc2/codecs-registry.h", "blosc2/filters-registry.h", "blosc2/tuners-registry.h"],
        &["blosc2/blosc2-export.h"],
        &["blosc2/blosc2-common.h"],
        &["blosc2/blosc2-stdio.h"],
    ]
    .iter()
    .enumerate()
    {
        let unit = folder.join(format!("headers-{i}-{}.{suffix}", defines.len()));
        let text: String = headers.iter().map(|h| format!("#include \"{h}\"\n")).collect();
        std::fs::write(&unit, text + "int main(void) { return 0; }\n").unwrap();
        let out = Command::new(compiler)
            .args([&format!("-std={standard}"), "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
            .args(defines)
            .arg("-I")
            .arg(root().join("include"))
            .arg(&unit)
            .output()
            .unwrap_or_else(|e| panic!("{compiler}: {e}"));
        assert!(
            out.status.success(),
            "{headers:?} as {standard} {defines:?}:\n{}",
            String::from_utf8_lossy(&out.stderr)
        );
    }
}

#[test]
fn the_headers_compile_as_c99_and_cpp17_without_warnings() {
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let cxx = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    for defines in [&[][..], &["-DBLOSC1_COMPAT"]] {
        compile(&cc, "c", "c99", defines);
        compile(&cxx, "cpp", "c++17", defines);
    }
}
