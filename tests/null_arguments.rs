//! NULL for every pointer argument of every exported function: an error code (or NULL), never a crash.
//!
//! The calls are made from the headers, so that a new function is tested without anybody thinking of it. Where NULL is
//! welcome, [`WELCOME`] says so; there it only must not crash.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Arguments that may be NULL: a function (or the start of its name) and the argument.
const WELCOME: &[(&str, &str)] = &[
    // Results that nobody need want.
    ("blosc2_cbuffer_sizes", "nbytes"),
    ("blosc2_cbuffer_sizes", "cbytes"),
    ("blosc2_cbuffer_sizes", "blocksize"),
    ("b2nd_deserialize_meta", "dtype"),
    ("b2nd_deserialize_meta", "dtype_format"),
    // Defaults stand for them.
    ("blosc2_vlmeta_add", "cparams"),
    ("blosc2_vlmeta_update", "cparams"),
    ("b2nd_create_ctx", "b2_storage"),
    ("b2nd_create_ctx", "dtype"),
    ("b2nd_serialize_meta", "dtype"),
    // Nothing to remove or rename.
    ("blosc2_remove_urlpath", ""),
    ("blosc2_rename_urlpath", ""),
    // Nothing that a stream or its parameters are good for; what moves items moves none.
    ("blosc2_stdio_open", "params"),
    ("blosc2_stdio_write", ""),
    ("blosc2_stdio_read", ""),
    ("blosc2_stdio_destroy", ""),
    ("blosc2_stdio_mmap_open", "mode"),
    ("blosc2_stdio_mmap_write", ""),
    ("blosc2_stdio_mmap_read", ""),
    ("blosc2_stdio_mmap_close", ""),
    // No items.
    ("blosc2_schunk_get_slice_buffer", "buffer"),
    ("blosc2_schunk_set_slice_buffer", "buffer"),
    ("blosc2_schunk_get_sparse_buffer", "coords"),
    ("blosc2_schunk_get_sparse_buffer", "buffer"),
    // The end of every axis.
    ("b2nd_resize", "start"),
    // Nobody wants to know.
    ("b2x_frame_verify", "user_data"),
    ("b2x_frame_recover", "user_data"),
    ("b2x_frame_recover", "recovered"),
    // There are none.
    ("b2nd_get_sparse_cbuffer", "coords"),
    ("b2nd_get_sparse_cbuffer", "buffer"),
    ("b2nd_create_ctx", "metalayers"),
    ("blosc2_set_threads_callback", ""),
];

/// An exported function, as the headers declare it.
struct Function {
    returns: String,
    name: String,
    /// Types and names of the arguments.
    arguments: Vec<(String, String)>,
}

fn functions(header: &str) -> Vec<Function> {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("include").join(header)).unwrap();
    let declarations = text.split("\nBLOSC_EXPORT").skip(1);
    declarations.map(|rest| function(rest.split(';').next().unwrap())).collect()
}

fn function(declaration: &str) -> Function {
    // A deprecated function's note comes first.
    let note = declaration.find("DEPRECATED(").and_then(|_| declaration.find(")\n"));
    let declaration = note.map_or(declaration, |end| &declaration[end + 1..]);
    let words = declaration.split_whitespace().collect::<Vec<_>>().join(" ");
    let (head, arguments) = words.split_once('(').unwrap();
    let (returns, name) = typed(head);
    let arguments = arguments.trim_end_matches(')');
    let arguments = if arguments == "void" { Vec::new() } else { arguments.split(", ").map(typed).collect() };
    Function { returns, name, arguments }
}

/// A type and the name after it.
fn typed(text: &str) -> (String, String) {
    let at = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap();
    (text[..=at].trim().to_owned(), text[at + 1..].to_owned())
}

/// Something good for an argument: globals of the program below.
fn good(function: &str, kind: &str, name: &str) -> String {
    let number = match name {
        "typesize" => "4",
        "ndim" | "nitems" => "1",
        _ if name.ends_with("size") || name.ends_with("len") || name.starts_with("nbytes") => "256",
        _ => "0",
    };
    let bare = kind.trim_start_matches("const ").trim_start_matches("struct ");
    match bare {
        "blosc2_context *" if function.contains("decompress") || function.contains("getitem") => {
            "dctx".into()
        }
        "blosc2_context *" => "cctx".into(),
        "blosc2_schunk *" => "schunk".into(),
        "b2nd_array_t *" => "array".into(),
        "b2nd_context_t *" => "ctx".into(),
        "char *" => "name".into(),
        "blosc2_cparams" => "cparams".into(),
        "blosc2_dparams" => "dparams".into(),
        "blosc_timestamp_t" => "now".into(),
        "bool" => "true".into(),
        _ if bare.contains("**") || bare.contains("*const *") => "(void *)places".into(),
        _ if bare.ends_with('*') && kind.contains("const void") => "chunk".into(),
        "uint8_t *" => "chunk".into(),
        _ if bare.ends_with('*') => "(void *)room".into(),
        _ if bare.ends_with("_cb") || bare.ends_with("callback") => "NULL".into(),
        _ => number.into(),
    }
}

/// One call with one NULL, and what is to be said when it goes well.
fn call(f: &Function, null: usize) -> String {
    let arguments: Vec<String> = f
        .arguments
        .iter()
        .enumerate()
        .map(|(i, (kind, name))| if i == null { "NULL".into() } else { good(&f.name, kind, name) })
        .collect();
    let call = format!("{}({})", f.name, arguments.join(", "));
    let argument = &f.arguments[null].1;
    let welcome =
        WELCOME.iter().any(|(function, name)| *function == f.name && (name.is_empty() || name == argument));
    let check = match f.returns.as_str() {
        _ if welcome => format!("(void){call}"),
        "void" => call,
        returns if returns.ends_with('*') => {
            format!("refused({call} == NULL, \"{}\", \"{argument}\")", f.name)
        }
        _ => format!("refused({call} < 0, \"{}\", \"{argument}\")", f.name),
    };
    format!("  begin(\"{}\", \"{argument}\"); {check}; end();\n", f.name)
}

const PROGRAM: &str = r#"
#include "b2nd.h"
#include "blosc2_ext.h"
#include <stdio.h>
#include <string.h>

static uint8_t chunk[65536];
static uint8_t room[65536];
static void *places[64];
static char name[32];
static int failed = 0;
static blosc2_cparams cparams;
static blosc2_dparams dparams;
static blosc_timestamp_t now;
static blosc2_context *cctx, *dctx;
static blosc2_schunk *schunk;
static b2nd_context_t *ctx;
static b2nd_array_t *array;

static void begin(const char *function, const char *argument) {
  static int32_t data[1000];
  int64_t shape = 100;
  int32_t chunkshape = 50, blockshape = 10;
  printf("%s: %s\n", function, argument);
  fflush(stdout);
  memset(room, 0, sizeof room);
  memset(places, 0, sizeof places);
  strcpy(name, "null-arguments.tmp");
  cparams = BLOSC2_CPARAMS_DEFAULTS;
  dparams = BLOSC2_DPARAMS_DEFAULTS;
  blosc_set_timestamp(&now);
  cctx = blosc2_create_cctx(cparams);
  dctx = blosc2_create_dctx(dparams);
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  schunk = blosc2_schunk_new(&storage);
  blosc2_schunk_append_buffer(schunk, data, sizeof data);
  ctx = b2nd_create_ctx(NULL, 1, &shape, &chunkshape, &blockshape, NULL, 0, NULL, 0);
  b2nd_zeros(ctx, &array);
  blosc2_compress_ctx(cctx, data, sizeof data, chunk, sizeof chunk);
}

static void end(void) {
  blosc2_free_ctx(cctx);
  blosc2_free_ctx(dctx);
  blosc2_schunk_free(schunk);
  b2nd_free(array);
  b2nd_free_ctx(ctx);
}

static void refused(int yes, const char *function, const char *argument) {
  if (!yes) {
    fprintf(stderr, "%s takes NULL for %s\n", function, argument);
    failed = 1;
  }
}

int main(void) {
CALLS  return failed;
}
"#;

#[test]
fn every_pointer_argument_of_every_function_refuses_null() {
    let mut calls = String::new();
    let mut count = 0;
    for f in ["blosc2.h", "b2nd.h", "blosc2_ext.h", "blosc2/blosc2-stdio.h"].into_iter().flat_map(functions) {
        for (i, (kind, _)) in f.arguments.iter().enumerate() {
            if kind.ends_with('*') {
                write!(calls, "{}", call(&f, i)).unwrap();
                count += 1;
            }
        }
    }
    assert!(count > 100, "only {count} pointer arguments were found");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("null-arguments");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("main.c"), PROGRAM.replace("CALLS", &calls)).unwrap();
    let libraries = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let out = Command::new(cc)
        .current_dir(&folder)
        .args(["-std=gnu99", "-w", "-o", "main", "main.c", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(libraries.join("libblosc2.so"))
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    // The library's file is named after its crate, but asks to be found by its soname.
    let soname = folder.join("libblosc2.so.9");
    let _ = std::fs::remove_file(&soname);
    std::os::unix::fs::symlink(libraries.join("libblosc2.so"), &soname).unwrap();
    let out = Command::new(folder.join("main"))
        .current_dir(&folder)
        .env("LD_LIBRARY_PATH", &folder)
        .output()
        .unwrap();
    let last = String::from_utf8_lossy(&out.stdout).lines().last().unwrap_or("").to_owned();
    assert!(out.status.success(), "{:?} after {last}\n{}", out.status, String::from_utf8_lossy(&out.stderr));
    assert_eq!(String::from_utf8_lossy(&out.stdout).lines().count(), count);
}
