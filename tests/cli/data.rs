//! `pack`, `unpack`, `convert` and `bench`: data in and out.

use crate::common::Rng;
use crate::run::{Dir, Ran, arg, b2, command, jacksboro};
use blosc2::{NdArray, Storage, SuperChunk};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// A `.npy` file of these bytes.
fn npy(path: &Path, descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(data);
    std::fs::write(path, &file).unwrap();
    file
}

/// The data of a `.npy` file, and its header.
fn parts(path: &Path) -> (String, Vec<u8>) {
    let file = std::fs::read(path).unwrap();
    let len = usize::from(u16::from_le_bytes([file[8], file[9]]));
    (String::from_utf8_lossy(&file[10..10 + len]).trim_end().to_owned(), file[10 + len..].to_vec())
}

fn open(path: &Path) -> SuperChunk {
    SuperChunk::open(path, 0, Storage::default().io).unwrap()
}

#[test]
fn npy_files_come_back_bit_by_bit() {
    let dir = Dir::new();
    let mut rng = Rng::new(7);
    for (n, (descr, itemsize)) in [
        ("'<i4'", 4),
        ("'>f8'", 8),
        ("'|b1'", 1),
        ("'<c16'", 16),
        ("'|S5'", 5),
        ("'<U3'", 12),
        ("'<M8[ns]'", 8),
        ("'|V7'", 7),
        ("[('a', '<i4'), ('b', '>f8', (2,)), ('c', [('d', '|u1'), ('e', '<U2')])]", 29),
        ("[('a', '<i4'), ('', '|V4'), ('b', '<f8')]", 16),
    ]
    .into_iter()
    .enumerate()
    {
        let data = rng.bytes(11 * 9 * 5 * itemsize);
        let (from, frame, back) = (
            dir.path(&format!("{n}.npy")),
            dir.path(&format!("{n}.b2nd")),
            dir.path(&format!("{n}-back.npy")),
        );
        npy(&from, descr, false, "(11, 9, 5)", &data);
        let sparse: &[&str] = if n % 2 == 0 { &["--sparse"] } else { &[] };
        let shapes = ["--chunks", "4,9,2", "--blocks", "2,4,2", "--threads", "3"];
        b2(&[&["pack", arg(&from), arg(&frame)], &shapes[..], sparse].concat()).text();
        let array = NdArray::open(&frame).unwrap();
        assert_eq!((array.shape(), array.layout().chunkshape()), (&[11, 9, 5][..], &[4, 9, 2][..]));
        let mut items = vec![0; data.len()];
        array.to_buffer(&mut items).unwrap();
        assert_eq!(items, data, "{descr}");
        b2(&["unpack", arg(&frame), arg(&back)]).text();
        let (header, unpacked) = parts(&back);
        assert_eq!(unpacked, data, "{descr}");
        // As Python reads it: commas at ends mean nothing.
        let told =
            |text: &str| text.replace(", )", ")").replace(", ]", "]").replace(",)", ")").replace(' ', "");
        assert!(told(&header).contains(&told(descr)), "{header}: {descr}");
        assert!(header.contains("(11, 9, 5"), "{header}");
    }
}

#[test]
fn columns_become_rows() {
    let dir = Dir::new();
    let (from, frame, back) = (dir.path("f.npy"), dir.path("f.b2nd"), dir.path("back.npy"));
    let (a, b, c) = (5, 4, 3);
    let value = |i: usize, j: usize, k: usize| (i * 100 + j * 10 + k) as i16;
    let mut columns = Vec::new();
    for k in 0..c {
        for j in 0..b {
            columns.extend((0..a).flat_map(|i| value(i, j, k).to_le_bytes()));
        }
    }
    npy(&from, "'<i2'", true, "(5, 4, 3)", &columns);
    for shapes in [&["--chunks", "2,3,2", "--blocks", "1,3,2"][..], &[]] {
        b2(&[&["pack", "--force", arg(&from), arg(&frame)], shapes].concat()).text();
        b2(&["unpack", "--force", arg(&frame), arg(&back)]).text();
        let (header, rows) = parts(&back);
        let want: Vec<u8> = (0..a)
            .flat_map(|i| (0..b).flat_map(move |j| (0..c).flat_map(move |k| value(i, j, k).to_le_bytes())))
            .collect();
        assert_eq!(rows, want);
        assert!(header.contains("'fortran_order': False"), "{header}");
    }
}

#[test]
fn arrays_of_no_items_and_of_no_dimensions() {
    let dir = Dir::new();
    for (shape, items) in [("()", 1), ("(0,)", 0), ("(3, 0, 2)", 0), ("(1, 1)", 1)] {
        let (from, frame, back) = (dir.path("a.npy"), dir.path("a.b2nd"), dir.path("back.npy"));
        npy(&from, "'<f8'", false, shape, &vec![7; 8 * items]);
        b2(&["pack", "--force", arg(&from), arg(&frame)]).text();
        b2(&["unpack", "--force", arg(&frame), arg(&back)]).text();
        assert_eq!(parts(&back).1, vec![7; 8 * items], "{shape}");
        b2(&["info", arg(&frame)]).text();
        b2(&["cat", arg(&frame), "--json"]).json();
        b2(&["chunks", "--map", arg(&frame)]).text();
    }
}

#[test]
fn files_of_anything_are_packed() {
    let dir = Dir::new();
    let (from, frame, back) = (dir.path("raw"), dir.path("raw.b2frame"), dir.path("back"));
    let data = Rng::new(3).bytes(10_003);
    std::fs::write(&from, &data).unwrap();
    b2(&["pack", arg(&from), arg(&frame), "--typesize", "4", "--chunks", "300", "--codec", "lz4"]).text();
    let schunk = open(&frame);
    assert_eq!((schunk.chunksize(), schunk.nbytes(), schunk.cparams().codec), (1200, 10_003, 1));
    b2(&["unpack", arg(&frame), arg(&back)]).text();
    assert_eq!(std::fs::read(&back).unwrap(), data);
    // The same from a pipe.
    let piped = dir.path("piped.b2frame");
    let mut child = command(&["pack", "-", arg(&piped), "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&data).unwrap();
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.json()["nbytes"], 10_003);
    b2(&["unpack", "--force", arg(&piped), arg(&back)]).text();
    assert_eq!(std::fs::read(&back).unwrap(), data);
    // As an array of what they are said to be.
    let array = dir.path("raw.b2nd");
    b2(&["pack", arg(&from), arg(&array), "--dtype", "u2", "--shape", "50,100"]).text();
    let array = NdArray::open(&array).unwrap();
    assert_eq!((array.shape(), array.dtype().unwrap().text()), (&[50, 100][..], &b"<u2"[..]));
    assert_eq!(
        array.get::<u16>(&[49, 99], &[50, 100]).unwrap(),
        [u16::from_le_bytes([data[9998], data[9999]])]
    );
    let refused = b2(&["pack", arg(&from), arg(&dir.path("no")), "--dtype", "u2"]);
    assert!(refused.complaint().contains("10003"), "{}", refused.err);
    let refused = b2(&["pack", arg(&from), arg(&dir.path("no")), "--dtype", "u2", "--shape", "50,1000"]);
    assert!(refused.complaint().contains("fewer"), "{}", refused.err);
}

#[test]
fn nothing_is_overwritten_and_nothing_half_done_stays() {
    let dir = Dir::new();
    let out = dir.path("out");
    std::fs::write(&out, b"precious").unwrap();
    let jacksboro = jacksboro();
    for args in [
        &["unpack", arg(&jacksboro), arg(&out)][..],
        &["convert", arg(&jacksboro), arg(&out)],
        &["recover", arg(&jacksboro), arg(&out)],
        &["pack", arg(&jacksboro), arg(&out)],
        &["cat", arg(&jacksboro), "-o", arg(&out)],
        &["chunks", arg(&jacksboro), "--svg", arg(&out)],
    ] {
        assert!(b2(args).complaint().contains("--force"), "{args:?}");
        assert_eq!(std::fs::read(&out).unwrap(), b"precious");
    }
    // A chunk that cannot be read, in the middle.
    let bad = dir.path("bad.b2nd");
    let mut bytes = std::fs::read(&jacksboro).unwrap();
    bytes[90_457 + 32..90_457 + 200].fill(0xff);
    std::fs::write(&bad, bytes).unwrap();
    for args in [
        &["unpack", arg(&bad), arg(&out), "--force"][..],
        &["convert", "--codec", "lz4", arg(&bad), arg(&out), "--force"],
    ] {
        assert!(b2(args).complaint().contains("chunk 6"), "{args:?}");
        assert_eq!(std::fs::read(&out).unwrap(), b"precious");
    }
    // A directory that is no frame is not removed.
    let folder = dir.path("folder");
    std::fs::create_dir(&folder).unwrap();
    assert!(b2(&["convert", "--force", arg(&jacksboro), arg(&folder)]).complaint().contains("no frame"));
    assert_eq!(dir.names(), ["bad.b2nd", "folder", "out"]);
}

#[test]
fn frames_are_converted_both_ways() {
    let dir = Dir::new();
    let array = NdArray::open(jacksboro()).unwrap();
    let mut want = vec![0; 344 * 403 * 2];
    array.to_buffer(&mut want).unwrap();
    let (sparse, back) = (dir.path("sparse.b2nd"), dir.path("back.b2nd"));
    b2(&["convert", arg(&jacksboro()), arg(&sparse), "--to", "sparse"]).text();
    b2(&["convert", arg(&sparse), arg(&back), "--to", "contiguous"]).text();
    assert!(sparse.join("00000000.chunk").exists());
    for path in [&sparse, &back] {
        let copy = NdArray::open(path).unwrap();
        let mut items = vec![0; want.len()];
        copy.to_buffer(&mut items).unwrap();
        assert_eq!(items, want);
        // Chunks and metalayers as they were.
        for n in 0..12 {
            assert_eq!(&copy.schunk().chunk(n).unwrap()[..], &array.schunk().chunk(n).unwrap()[..]);
        }
        assert_eq!(
            copy.schunk().vlmeta_get("grid").unwrap()[..],
            array.schunk().vlmeta_get("grid").unwrap()[..]
        );
    }
    for options in [
        &["--codec", "lz4", "--clevel", "9", "--filters", "bitshuffle"][..],
        &["--chunks", "100,200"],
        &["--chunks", "50,60", "--blocks", "10,60", "--checksums"],
        &["--to", "sparse", "--filters", "shuffle,bytedelta", "--threads", "2"],
    ] {
        b2(&[&["convert", "--force", arg(&jacksboro()), arg(&back)], options].concat()).text();
        let copy = NdArray::open(&back).unwrap();
        let mut items = vec![0; want.len()];
        copy.to_buffer(&mut items).unwrap();
        assert_eq!(items, want, "{options:?}");
        assert_eq!(copy.dtype(), array.dtype());
        assert!(copy.schunk().vlmeta_get("origin").is_ok());
        assert_eq!(copy.schunk().has_checksums(), options.contains(&"--checksums"));
        b2(&["verify", arg(&back)]).text();
    }
}

#[test]
fn holes_are_dropped() {
    let dir = Dir::new();
    let (from, to) = (dir.path("from.b2frame"), dir.path("to.b2frame"));
    let storage = Storage { contiguous: true, urlpath: Some(from.clone()), ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for n in 0..20 {
        schunk.append_buffer(&Rng::new(n).bytes(1000)).unwrap();
    }
    for n in [15, 8, 0] {
        schunk.delete_chunk(n).unwrap();
    }
    schunk.append_buffer(&[0; 1000]).unwrap();
    let mut all = vec![0; schunk.nbytes() as usize];
    schunk.get_slice(0, schunk.nbytes() / 8, &mut all).unwrap();
    drop(schunk);
    let holes = |path: &Path| b2(&["info", "--json", arg(path)]).json()[0]["holes"].as_u64().unwrap();
    assert!(holes(&from) > 3000);
    b2(&["convert", arg(&from), arg(&to)]).text();
    assert_eq!(holes(&to), 0);
    for options in [&[][..], &["--codec", "zstd"], &["--chunks", "77"], &["--to", "sparse", "--blocks", "25"]]
    {
        b2(&[&["convert", "--force", arg(&from), arg(&to)], options].concat()).text();
        let copy = open(&to);
        let mut items = vec![0; all.len()];
        copy.get_slice(0, copy.nbytes() / 8, &mut items).unwrap();
        assert_eq!((copy.nbytes() as usize, items == all), (all.len(), true), "{options:?}");
    }
}

#[test]
fn choices_are_tried_on_one_s_own_data() {
    let dir = Dir::new();
    let svg = dir.path("bench.svg");
    let quick = ["--time", "0", "--sample", "1"];
    let ran = b2(&[&["bench", arg(&jacksboro()), "--json", "--svg", arg(&svg)], &quick[..]].concat());
    let told = ran.json();
    let tried = told["tried"].as_array().unwrap();
    assert_eq!(tried.len(), 5 * 3 * 4);
    assert!(tried.iter().any(|one| one["best_compressing"] == true));
    // What is best is beaten by nothing.
    let pair = |one: &serde_json::Value| {
        (one["ratio"].as_f64().unwrap(), one["decompress_bytes_per_second"].as_f64().unwrap())
    };
    for one in tried {
        let (ratio, speed) = pair(one);
        let beaten =
            tried.iter().map(pair).any(|(r, s)| r >= ratio && s >= speed && (r, s) != (ratio, speed));
        assert_eq!(one["best_decompressing"], !beaten);
        assert!(one["c"].as_str().unwrap().contains("BLOSC2_CPARAMS_DEFAULTS"));
        assert!(one["python"].as_str().unwrap().starts_with("blosc2.CParams(codec=blosc2.Codec."));
    }
    assert!(std::fs::read_to_string(&svg).unwrap().contains("decompressing"));
    let raw = dir.path("raw");
    std::fs::write(&raw, [7; 50_000]).unwrap();
    let few = [
        "--codec",
        "lz4,zstd",
        "--clevel",
        "1",
        "--filters",
        "none",
        "--filters",
        "shuffle,bytedelta",
        "--all",
    ];
    let text = b2(&[&["bench", "--raw", arg(&raw), "--dtype", "f4"], &few[..], &quick[..]].concat()).text();
    assert!(text.contains("4 tried") && text.contains("cparams.compcode = BLOSC_"), "{text}");
}
