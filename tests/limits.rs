//! The limits of the formats: what is just inside works, what is just outside is refused with the right code.

use blosc2::base::consts::{MAX_BUFFERSIZE, MAX_METALAYERS, MAX_OVERHEAD, MAX_TYPESIZE, MAX_VLMETALAYERS};
use blosc2::base::params::{CParams, DParams};
use blosc2::base::{CBuf, ErrorKind};
use blosc2::chunk::{self, ChunkHeader, ChunkReader, ChunkSource, Special};
use blosc2::frame::{Index, Place};
use blosc2::io::{Backend, Disk, Mode};
use blosc2::schunk::{Storage, SuperChunk};
use std::sync::Arc;

fn in_memory(cparams: CParams) -> SuperChunk {
    SuperChunk::new(Storage { contiguous: true, cparams, ..Storage::default() }).unwrap()
}

fn reopened(mut schunk: SuperChunk) -> SuperChunk {
    let bytes = CBuf::copy_of(schunk.frame_bytes().unwrap().unwrap()).unwrap();
    SuperChunk::from_cframe(bytes, true).unwrap()
}

#[test]
fn sixteen_metalayers_and_no_more() {
    let mut schunk = in_memory(CParams::default());
    for n in 0..MAX_METALAYERS {
        schunk.meta_add(format!("name {n}"), &[n as u8; 5]).unwrap();
    }
    assert_eq!(schunk.meta_add("one more", b"").unwrap_err().kind(), ErrorKind::InvalidParam);
    let schunk = reopened(schunk);
    for n in 0..MAX_METALAYERS {
        assert_eq!(*schunk.meta_get(format!("name {n}")).unwrap(), [n as u8; 5]);
    }
}

#[test]
fn eight_thousand_vlmetalayers_and_no_more() {
    let mut schunk = in_memory(CParams::default());
    for n in 0..MAX_VLMETALAYERS {
        schunk.vlmeta_add(format!("name {n}"), &(n as u32).to_le_bytes(), None).unwrap();
    }
    assert_eq!(schunk.vlmeta_add("one more", b"", None).unwrap_err().kind(), ErrorKind::InvalidParam);
    let schunk = reopened(schunk);
    for n in [0, 1, 4000, MAX_VLMETALAYERS - 1] {
        assert_eq!(*schunk.vlmeta_get(format!("name {n}")).unwrap(), (n as u32).to_le_bytes());
    }
}

#[test]
fn the_largest_typesize_of_a_chunk() {
    let data: Vec<u8> = (0..MAX_TYPESIZE as usize * 40).map(|i| (i % 255 / 3) as u8).collect();
    for typesize in [MAX_TYPESIZE, MAX_TYPESIZE + 1, 1 << 20] {
        let cparams = CParams { typesize, ..CParams::default() };
        let packed = chunk::compress_to_cbuf(&cparams, &data).unwrap();
        let header = ChunkHeader::parse(&packed).unwrap();
        assert_eq!(header.typesize(), if typesize > MAX_TYPESIZE { 1 } else { typesize as usize });
        let (dparams, mut back) = (DParams::default(), vec![0; data.len()]);
        ChunkReader::new(ChunkSource::Bytes(&packed), &dparams).unwrap().decompress(1, &mut back).unwrap();
        assert_eq!(back, data);
    }
}

#[test]
fn a_million_chunks() {
    let mut schunk = in_memory(CParams { typesize: 4, ..CParams::default() });
    assert_eq!(schunk.fill_special(1_000_000, Special::Zeros, 4).unwrap(), 1_000_000);
    // Every thousandth is stored, so that the index is a list.
    let chunk =
        chunk::compress_to_cbuf(&CParams { typesize: 4, ..CParams::default() }, &[1, 2, 3, 4]).unwrap();
    for n in (0..1_000_000).step_by(100_000) {
        schunk.update_chunk(n, CBuf::copy_of(&chunk).unwrap()).unwrap();
    }
    let schunk = reopened(schunk);
    assert_eq!(schunk.nchunks(), 1_000_000);
    for (n, expected) in [(0, [1, 2, 3, 4]), (1, [0; 4]), (900_000, [1, 2, 3, 4]), (999_999, [0; 4])] {
        let mut back = [9; 4];
        schunk.decompress_chunk(n, &mut back).unwrap();
        assert_eq!(back, expected);
    }
}

/// The file is sparse: it takes no room.
#[test]
fn a_frame_past_four_gigabytes() {
    let path = std::env::temp_dir().join(format!("oxiblosc2-limits-{}", std::process::id()));
    std::fs::File::create(&path).unwrap().set_len(5 << 30).unwrap();
    let mut schunk = in_memory(CParams::default());
    schunk.append_buffer(&[7; 1000]).unwrap();
    let at = schunk.append_file(&path, &(Arc::new(Disk) as _)).unwrap();
    assert_eq!(at, 5 << 30);
    let mut there = SuperChunk::open(&path, at as u64, Arc::new(Disk)).unwrap();
    there.append_buffer(&[8; 1000]).unwrap();
    let there = SuperChunk::open(&path, at as u64, Arc::new(Disk)).unwrap();
    for n in 0..2 {
        let mut back = vec![0; 1000];
        there.decompress_chunk(n, &mut back).unwrap();
        assert_eq!(back, vec![7 + n as u8; 1000]);
    }
    std::fs::remove_file(&path).unwrap();
}

/// The same with the frame itself that long: its second chunk is past the first four gigabytes, and the rest is a hole.
#[test]
fn a_frame_of_more_than_four_gigabytes() {
    const FAR: u64 = 5 << 30;
    let mut schunk = in_memory(CParams::default());
    for byte in [7, 8] {
        schunk.append_buffer(&[byte; 1000]).unwrap();
    }
    let offsets = schunk.offsets().unwrap().unwrap();
    let chunk = schunk.chunk(1).unwrap().to_vec();
    let small = schunk.frame_bytes().unwrap().unwrap().to_vec();
    let header_len = u32::from_be_bytes(small[11..15].try_into().unwrap()) as usize;
    let trailer = &small[small.len() - 35..];
    let mut index = Index::default();
    index.insert(0, Place::Stored(offsets[0] as u64)).unwrap();
    index.insert(1, Place::Stored(FAR)).unwrap();
    let index = index.encode().unwrap();
    let cbytes = FAR + chunk.len() as u64;
    let tail = [&chunk[..], &index, trailer].concat();
    let mut header = small[..header_len].to_vec();
    header[16..24].copy_from_slice(&(header_len as u64 + FAR + tail.len() as u64).to_be_bytes());
    header[39..47].copy_from_slice(&cbytes.to_be_bytes());

    let path = std::env::temp_dir().join(format!("oxiblosc2-limits-long-{}", std::process::id()));
    let mut file = Disk.open(&path, Mode::Create).unwrap();
    file.write_at(0, &small).unwrap();
    file.write_at(0, &header).unwrap();
    file.write_at(header_len as u64 + FAR, &tail).unwrap();
    drop(file);
    let mut there = SuperChunk::open(&path, 0, Arc::new(Disk)).unwrap();
    there.append_buffer(&[9; 1000]).unwrap();
    let there = SuperChunk::open(&path, 0, Arc::new(Disk)).unwrap();
    assert!(there.offsets().unwrap().unwrap()[2] as u64 > FAR);
    for n in 0..3 {
        let mut back = vec![0; 1000];
        there.decompress_chunk(n, &mut back).unwrap();
        assert_eq!(back, vec![7 + n as u8; 1000]);
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_chunk_larger_than_can_be_is_refused() {
    let cparams = CParams { typesize: 8, ..CParams::default() };
    let most = MAX_BUFFERSIZE as usize;
    assert_eq!(most, i32::MAX as usize - MAX_OVERHEAD);
    let special = chunk::special_chunk(&cparams, Special::Zeros, &[], most / 8 * 8).unwrap();
    assert_eq!(ChunkHeader::parse(&special).unwrap().nbytes(), most / 8 * 8);
    assert!(chunk::special_chunk(&cparams, Special::Zeros, &[], most + 1).is_err());
}

/// Needs 5 GB of memory.
#[test]
#[ignore = "needs 5 GB of memory"]
fn two_gigabytes_less_the_overhead() {
    let cparams = CParams { codec: 1, clevel: 1, typesize: 4, nthreads: 2, ..CParams::default() };
    let data: Vec<u8> = (0..MAX_BUFFERSIZE as usize).map(|i| (i >> 12) as u8).collect();
    let packed = chunk::compress_to_cbuf(&cparams, &data).unwrap();
    let (dparams, mut back) = (DParams::default(), vec![0; data.len()]);
    ChunkReader::new(ChunkSource::Bytes(&packed), &dparams).unwrap().decompress(2, &mut back).unwrap();
    assert!(back == data);
}
