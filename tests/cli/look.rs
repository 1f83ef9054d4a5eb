//! `info`, `meta`, `chunks`, `cat`, and what all commands have in common.

use crate::run::{Dir, arg, b2, command, jacksboro};
use blosc2::frame::map::Part;
use blosc2::schunk::{Storage, SuperChunk};
use blosc2::{Blueprint, CParams, NdArray};
use serde_json::{Value, json};
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

const COMMANDS: &[&str] = &[
    "info",
    "meta",
    "chunks",
    "cat",
    "pack",
    "unpack",
    "convert",
    "verify",
    "recover",
    "bench",
    "completions",
    "man",
];

/// A super-chunk with holes, special chunks and metalayers.
fn with_everything(path: &Path, contiguous: bool) -> SuperChunk {
    let cparams = CParams { codec: 1, ..CParams::of_items(4) };
    let storage = Storage { contiguous, urlpath: Some(path.into()), cparams, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    schunk.meta_add("unit", &[0xa1, b'm']).unwrap();
    for n in 0..12 {
        let factor = if n % 4 == 0 { 0 } else { 2_654_435_761u32 };
        let items: Vec<u32> = (0..1000u32).map(|i| (i * n).wrapping_mul(factor)).collect();
        schunk.append(&items).unwrap();
    }
    schunk.delete_chunk(9).unwrap();
    schunk.delete_chunk(2).unwrap();
    schunk.vlmeta_add("notes", &[0x81, 0xa1, b'a', 0x93, 1, 0xc0, 0xc3], None).unwrap();
    schunk
}

#[test]
fn info_says_what_the_interface_says() {
    let dir = Dir::new();
    for contiguous in [true, false] {
        let path = dir.path(if contiguous { "a.b2frame" } else { "b.b2frame" });
        let schunk = with_everything(&path, contiguous);
        let told = &b2(&["info", "--json", arg(&path)]).json()[0];
        assert_eq!(told["kind"], if contiguous { "contiguous" } else { "sparse" });
        assert_eq!(told["nbytes"], schunk.nbytes());
        assert_eq!(told["cbytes"], schunk.cbytes());
        assert_eq!(told["nchunks"], schunk.nchunks());
        assert_eq!(told["chunksize"], schunk.chunksize());
        assert_eq!(told["format_version"], 2);
        assert_eq!(told["codec"]["name"], "lz4");
        assert_eq!(told["filters"], json!([{ "id": 1, "name": "shuffle", "meta": 0 }]));
        assert_eq!(told["special"], json!({ "zeros": 3 }));
        assert_eq!(told["metalayers"], json!([{ "name": "unit", "bytes": 2 }]));
        assert_eq!(told["vlmetalayers"][0]["name"], "notes");
        assert_eq!(told["holes"].as_u64().unwrap() > 0, contiguous);
        let files: u64 = schunk.map().unwrap().iter().map(|file| file.len()).sum();
        assert_eq!(told["frame_bytes"], files);
        assert_eq!(told["array"], Value::Null);
        let text = b2(&["info", arg(&path)]).text();
        assert!(text.contains("lz4, level 5") && text.contains("3 of zeros"), "{text}");
    }
}

#[test]
fn info_tells_of_arrays_locks_and_journals() {
    let told = &b2(&["info", "--json", arg(&jacksboro())]).json()[0];
    assert_eq!(told["array"]["shape"], json!([344, 403]));
    assert_eq!(told["array"]["chunkshape"], json!([128, 128]));
    assert_eq!(told["array"]["dtype"], "<i2");
    assert_eq!(told["data_bytes"], 344 * 403 * 2);
    assert_eq!(told["lock"], Value::Null);
    let dir = Dir::new();
    let path = dir.path("a.b2frame");
    drop(with_everything(&path, true));
    b2(&["meta", "--lock", arg(&path), "more", "--set", "1"]).text();
    let told = &b2(&["info", "--json", arg(&path)]).json()[0];
    assert_eq!(told["lock"]["generation"], 1);
    assert_eq!(told["lock"]["holder"], "nobody");
}

#[test]
fn frames_are_found_in_a_file_of_several() {
    let dir = Dir::new();
    let path = dir.path("many.b2frame");
    let mut schunk = with_everything(&dir.path("one.b2frame"), true);
    let io = Storage::default().io;
    let mut starts = Vec::new();
    for _ in 0..3 {
        starts.push(schunk.append_file(&path, &io).unwrap());
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend(b"\x9e\xa8b2frame\0 and no frame");
        std::fs::write(&path, bytes).unwrap();
    }
    let told = b2(&["info", "--json", arg(&path)]).json();
    let found: Vec<i64> =
        told.as_array().unwrap().iter().map(|one| one["offset"].as_i64().unwrap()).collect();
    assert_eq!(found, starts);
    let second = starts[1].to_string();
    let told = b2(&["info", "--json", "--offset", &second, arg(&path)]).json();
    assert_eq!((told.as_array().unwrap().len(), &told[0]["offset"]), (1, &json!(starts[1])));
    assert_eq!(b2(&["cat", arg(&path), "--offset", &second, "--dtype", "u4", "--slice", "3"]).text(), "0\n");
    let verified = b2(&["verify", arg(&path)]);
    assert_eq!((verified.code, verified.shown().matches("sound").count()), (0, 3));
    assert!(verified.err.contains("belong to no whole frame"), "{}", verified.err);
}

#[test]
fn metalayers_are_decoded_set_and_deleted() {
    let told = b2(&["meta", arg(&jacksboro())]).json();
    assert_eq!(told["meta"]["b2nd"]["blockshape"], json!([32, 64]));
    assert!(told["vlmeta"]["grid"].as_str().unwrap().starts_with("west -84.4"));
    let dir = Dir::new();
    let path = dir.path("a.b2frame");
    drop(with_everything(&path, true));
    let path = arg(&path);
    assert_eq!(
        b2(&["meta", path]).json(),
        json!({ "meta": { "unit": "m" }, "vlmeta": { "notes": { "a": [1, null, true] } } })
    );
    b2(&["meta", path, "new", "--set", "{\"x\": [1.5, \"y\"]}"]).text();
    assert_eq!(b2(&["meta", path, "new"]).json(), json!({ "x": [1.5, "y"] }));
    b2(&["meta", path, "new", "--set", "no json"]).text();
    assert_eq!(b2(&["meta", path, "new"]).json(), json!("no json"));
    assert_eq!(b2(&["meta", path, "new", "--raw"]).out, b"\xa7no json");
    let file = dir.path("content");
    std::fs::write(&file, b"\x00\xff").unwrap();
    b2(&["meta", path, "new", "--set-file", arg(&file)]).text();
    assert_eq!(b2(&["meta", path, "new"]).json(), json!({ "bytes": "00ff" }));
    b2(&["meta", path, "new", "--delete"]).text();
    assert!(b2(&["meta", path, "new"]).complaint().contains("new"));
    assert!(b2(&["meta", path, "new", "--delete"]).complaint().contains("new"));
}

#[test]
fn chunks_are_listed_as_they_are() {
    let dir = Dir::new();
    for contiguous in [true, false] {
        let path = dir.path(if contiguous { "a.b2frame" } else { "b.b2frame" });
        let schunk = with_everything(&path, contiguous);
        let told = b2(&["chunks", "--json", arg(&path)]).json();
        let chunks = told["chunks"].as_array().unwrap();
        assert_eq!(chunks.len() as i64, schunk.nchunks());
        for (n, chunk) in chunks.iter().enumerate() {
            let info = schunk.chunk_info(n as i64).unwrap();
            assert_eq!(chunk["offset"], info.offset.map_or(Value::Null, Value::from));
            assert_eq!((&chunk["nbytes"], &chunk["cbytes"]), (&json!(info.nbytes()), &json!(info.cbytes())));
            assert_eq!(chunk["special"] == "zeros", info.special().is_some());
            if let (Some(offset), true) = (info.offset, contiguous) {
                let file = std::fs::read(&path).unwrap();
                let bytes = &file[offset as usize..][..info.cbytes()];
                assert_eq!(bytes, &schunk.chunk(n as i64).unwrap()[..]);
            }
        }
        // Every byte of every file once, and what the interface says of it.
        let maps = schunk.map().unwrap();
        for (file, map) in told["map"].as_array().unwrap().iter().zip(&maps) {
            let mut end = 0;
            for (piece, known) in file["pieces"].as_array().unwrap().iter().zip(&map.pieces) {
                assert_eq!(piece["start"], end);
                end += piece["len"].as_u64().unwrap();
                assert_eq!(
                    (known.start, known.len),
                    (piece["start"].as_u64().unwrap(), piece["len"].as_u64().unwrap())
                );
                if let Part::Chunk(n) = known.part {
                    assert_eq!(piece["chunk"], n);
                }
            }
            assert_eq!(end, std::fs::metadata(&map.path).unwrap().len());
        }
        assert_eq!(told["map"].as_array().unwrap().len(), maps.len());
        let map = b2(&["chunks", "--map", arg(&path)]).text();
        assert!(map.contains('H') && map.contains('T') && map.contains("header"), "{map}");
        assert!(map.lines().all(|line| line.chars().count() <= 80), "{map}");
        let list = b2(&["chunks", arg(&path)]).text();
        assert_eq!(list.lines().count() as i64, 1 + schunk.nchunks());
        let svg = dir.path("map.svg");
        b2(&["chunks", "--force", "--svg", arg(&svg), arg(&path)]).text();
        let picture = std::fs::read_to_string(&svg).unwrap();
        assert!(
            picture.starts_with("<svg") && picture.contains("9 chunks") || picture.contains("7 chunks"),
            "{picture}"
        );
    }
}

#[test]
fn slices_are_numpy_s() {
    let dir = Dir::new();
    let path = dir.path("a.b2nd");
    let mut blueprint = Blueprint::new(4, &[7, 6, 5], &[4, 3, 5], &[2, 3, 2]);
    blueprint.dtype = Some(blosc2::ndarray::Dtype::new(">i4", 0).unwrap());
    blueprint.storage.contiguous = true;
    blueprint.storage.urlpath = Some(path.clone());
    let items: Vec<u8> = (0..210i32).flat_map(i32::to_be_bytes).collect();
    drop(NdArray::from_buffer(&blueprint, &items).unwrap());
    let cat = |slice: &str| b2(&["cat", arg(&path), "--slice", slice, "--json"]).json();
    let at = |i: i64, j: i64, k: i64| i * 30 + j * 5 + k;
    assert_eq!(cat("1,2,3")["data"], at(1, 2, 3));
    assert_eq!(cat("-1, ::-3, 1:3")["data"], json!([[at(6, 5, 1), at(6, 5, 2)], [at(6, 2, 1), at(6, 2, 2)]]));
    assert_eq!(cat("5::-4,0,0")["data"], json!([at(5, 0, 0), at(1, 0, 0)]));
    assert_eq!(cat("..., 4")["shape"], json!([7, 6]));
    assert_eq!(cat("2:2")["shape"], json!([0, 6, 5]));
    assert_eq!(cat("...")["data"][3][4][2], at(3, 4, 2));
    assert_eq!(b2(&["cat", arg(&path), "--slice", "0,:2,:3"]).text(), "0,1,2\n5,6,7\n");
    let raw = b2(&["cat", arg(&path), "--slice", "0,1", "--format", "raw"]).out;
    assert_eq!(raw, (5..10i32).flat_map(i32::to_be_bytes).collect::<Vec<_>>());
    for wrong in ["7", "0,0,0,0", "a", "::0"] {
        let ran = b2(&["cat", arg(&path), "--slice", wrong]);
        assert_eq!(ran.code, 2, "{wrong}: {}", ran.err);
    }
}

#[test]
fn items_of_a_super_chunk_are_printed() {
    let dir = Dir::new();
    let path = dir.path("a.b2frame");
    let schunk = with_everything(&path, true);
    let want = schunk.get::<u32>(999, 1003).unwrap();
    let lines: String = want.iter().map(|n| format!("{n}\n")).collect();
    assert_eq!(b2(&["cat", arg(&path), "--dtype", "u4", "--slice", "999:1003"]).text(), lines);
    let bytes = b2(&["cat", arg(&path), "--slice", "1002:998:-1", "--format", "raw"]).out;
    let back: Vec<u8> = want.iter().rev().flat_map(|n| n.to_ne_bytes()).collect();
    assert_eq!(bytes, back);
    // A chunk of another size: no items any more, but bytes.
    let mut schunk = schunk;
    schunk.append_buffer(b"short").unwrap();
    schunk.append_buffer(b"longer").unwrap();
    let all = b2(&["cat", arg(&path), "--format", "raw"]).out;
    assert_eq!((all.len() as i64, &all[all.len() - 11..]), (schunk.nbytes(), &b"shortlonger"[..]));
    assert!(b2(&["cat", arg(&path), "--slice", "0:1"]).complaint().contains("vary"));
}

#[test]
fn help_has_an_example_for_every_command() {
    for name in COMMANDS {
        let help = b2(&[name, "--help"]).text();
        assert!(help.contains(&format!("Example: b2 {name}")), "{help}");
    }
    assert!(b2(&["--help"]).text().contains("Exit codes"));
    assert!(b2(&["--version"]).text().starts_with("b2 "));
    for wrong in
        [&["nothing"][..], &["info"], &["cat", "x", "--format", "y"], &["pack", "a", "b", "--clevel", "10"]]
    {
        assert_eq!(b2(wrong).code, 2);
    }
}

#[test]
fn shells_and_man_have_their_files() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = b2(&["completions", shell]).text();
        assert!(text.contains("recover") && text.contains("clevel"), "{shell}");
    }
    assert!(b2(&["man"]).text().contains(".TH b2 1"));
    let dir = Dir::new();
    b2(&["man", "--dir", arg(&dir.path("man"))]).text();
    let pages: Vec<_> =
        std::fs::read_dir(dir.path("man")).unwrap().map(|page| page.unwrap().file_name()).collect();
    for name in COMMANDS {
        assert!(pages.contains(&format!("b2-{name}.1").into()), "{pages:?}");
    }
}

#[test]
fn nobody_listening_is_no_failure() {
    let dir = Dir::new();
    let path = dir.path("a.b2frame");
    drop(with_everything(&path, true));
    for args in [
        &["cat", arg(&path), "--dtype", "u4"][..],
        &["cat", arg(&path), "--dtype", "u4", "--json"],
        &["cat", arg(&path), "--format", "raw"],
        &["chunks", arg(&path)],
        &["info", arg(&path), "--json"],
        &["completions", "zsh"],
    ] {
        let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn colours_are_for_terminals() {
    let shown = b2(&["info", arg(&jacksboro())]).text();
    assert!(!shown.contains('\u{1b}'));
    let forced = command(&["info", arg(&jacksboro())]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(String::from_utf8_lossy(&forced.stdout).contains('\u{1b}'));
    let refused = command(&["info", arg(&jacksboro())])
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!String::from_utf8_lossy(&refused.stdout).contains('\u{1b}'));
}
