//! What programs compile into themselves, and what they find in the library, is what the C library has.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The C library's headers. `None`, said loudly, when the variable is not set: the test that asked is skipped.
fn reference_headers() -> Option<PathBuf> {
    let path = std::env::var_os("BLOSC2_REFERENCE_INCLUDE").map(PathBuf::from);
    if path.is_none() {
        eprintln!("SKIPPED: BLOSC2_REFERENCE_INCLUDE does not name the folder of the C library's blosc2.h");
    }
    path
}

/// Compiles a program of `ctests/abi` with the headers in a folder, runs it and gives what it printed.
fn run(program: &str, headers: &Path, tag: &str) -> String {
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let exe = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("abi-{program}-{tag}"));
    let out = Command::new(cc)
        .args(["-std=c99", "-O1", "-w", "-o"])
        .arg(&exe)
        .arg("-I")
        .arg(headers)
        .arg(root().join("ctests/abi").join(format!("{program}.c")))
        .output()
        .unwrap();
    assert!(out.status.success(), "{program}.c with {tag}:\n{}", String::from_utf8_lossy(&out.stderr));
    let out = Command::new(&exe).output().unwrap();
    assert!(out.status.success(), "{program} with {tag}: {:?}", out.status);
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn compare(program: &str) {
    let Some(reference) = reference_headers() else { return };
    let ours = run(program, &root().join("include"), "ours");
    let theirs = run(program, &reference, "theirs");
    assert!(ours.lines().count() > 20, "{program} printed next to nothing");
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.len(), theirs.len());
}

#[test]
fn constants_sizes_offsets_and_defaults_are_those_of_the_c_library() {
    compare("print");
}

#[test]
fn inline_functions_give_what_those_of_the_c_library_give() {
    compare("inline");
}

/// Every header under a folder, as one text without comments.
fn text_of(folder: &Path) -> String {
    let mut text = String::new();
    for name in [
        "blosc2.h",
        "b2nd.h",
        "blosc2_ext.h",
        "blosc2/blosc2-export.h",
        "blosc2/blosc2-common.h",
        "blosc2/blosc2-stdio.h",
        "blosc2/codecs-registry.h",
        "blosc2/filters-registry.h",
        "blosc2/tuners-registry.h",
    ] {
        let path = folder.join(name);
        // The C library has no additions.
        if path.exists() || !name.contains("ext.h") {
            text += &std::fs::read_to_string(path).unwrap();
        }
    }
    let mut code = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find("/*") {
        code += &rest[..start];
        let end = rest[start..].find("*/").unwrap();
        rest = &rest[start + end + 2..];
    }
    code += rest;
    code.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The words of a text that could be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The functions that headers declare to be exported.
fn functions(headers: &str) -> BTreeSet<String> {
    headers
        .split("BLOSC_EXPORT")
        .skip(1)
        .filter_map(|rest| words(after_deprecation(rest).split('(').next()?).last())
        .filter(|name| ["b2nd_", "b2x_", "blosc"].iter().any(|prefix| name.starts_with(prefix)))
        .map(String::from)
        .collect()
}

/// A declaration without the note that it is deprecated.
fn after_deprecation(declaration: &str) -> &str {
    let text = declaration.trim_start();
    let note = text.strip_prefix("B2ND_DEPRECATED").and_then(|rest| rest.split_once(')'));
    note.map_or(text, |(_, declaration)| declaration)
}

#[test]
fn no_name_of_the_c_library_is_missing_from_the_table() {
    let Some(reference) = reference_headers() else { return };
    let theirs = text_of(&reference);
    let table = std::fs::read_to_string(root().join("ctests/abi/table.h")).unwrap();
    let known: BTreeSet<&str> = words(&table).collect();
    let named = |word: &&str| {
        let upper = word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        upper && ["BLOSC", "B2ND", "DTYPE"].iter().any(|prefix| word.starts_with(prefix))
    };
    // What has neither a value nor a layout.
    let shapeless = [
        "BLOSC_TRACE",
        "BLOSC_TRACE_ERROR",
        "BLOSC_TRACE_WARNING",
        "BLOSC_TRACE_INFO",
        "BLOSC_INFO",
        "BLOSC_ERROR",
        "BLOSC_ERROR_NULL",
        "BLOSC_EXPORT",
        "BLOSC_NO_EXPORT",
        "BLOSC_SHARED_LIBRARY",
        "BLOSC_TESTING",
        "BLOSC_UNUSED_VAR",
        "BLOSC_UNUSED_PARAM",
        "BLOSC_ATTRIBUTE_UNUSED",
        "BLOSC_GCC_VERSION",
        "BLOSC_STRICT_ALIGN",
        "BLOSC1_COMPAT",
        "BLOSC_H",
        "B2ND_DEPRECATED",
        "B2ND_REQUIRE_META_NBYTES",
    ];
    let missing: BTreeSet<&str> = words(&theirs)
        .filter(named)
        .filter(|word| !known.contains(word) && !shapeless.contains(word))
        .filter(|word| !word.ends_with("_H"))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_declared_function_is_one_of_the_c_library() {
    let Some(reference) = reference_headers() else { return };
    let theirs = functions(&text_of(&reference));
    let ours = functions(&text_of(&root().join("include")));
    assert_eq!(theirs.len(), 164);
    assert!(!ours.is_empty());
    let invented: Vec<_> = ours.difference(&theirs).filter(|name| !name.starts_with("b2x_")).collect();
    assert!(invented.is_empty(), "{invented:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_library_exports_what_the_headers_declare_and_nothing_else() {
    let library = std::env::current_exe().unwrap().with_file_name("libblosc2.so");
    let out = Command::new("nm").args(["-D", "--defined-only"]).arg(&library).output().unwrap();
    assert!(out.status.success(), "nm {}: {}", library.display(), String::from_utf8_lossy(&out.stderr));
    let symbols = String::from_utf8(out.stdout).unwrap();
    let exported: BTreeSet<String> =
        symbols.lines().filter_map(|line| line.split_whitespace().nth(2)).map(String::from).collect();
    assert_eq!(exported, functions(&text_of(&root().join("include"))));
}
