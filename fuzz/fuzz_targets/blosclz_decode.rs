//! Any bytes as a BloscLZ stream: the decoder gives what a slow one gives that is plainly right.
#![no_main]

use blosc2::codec::{MadeOf, blosclz};
use libfuzzer_sys::fuzz_target;

/// The stream's bytes, one at a time; `None` where it makes no sense or has more than `room`.
fn slow(src: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut input = src.iter().map(|&byte| usize::from(byte));
    let (mut out, mut first) = (Vec::new(), true);
    while let Some(op) = input.next() {
        let op = if std::mem::take(&mut first) { op & 31 } else { op };
        if op < 32 {
            for _ in 0..=op {
                out.push(input.next()? as u8);
            }
        } else {
            let mut len = (op >> 5) + 2;
            if op >= 7 << 5 {
                loop {
                    let more = input.next()?;
                    len += more;
                    if more != 255 {
                        break;
                    }
                }
            }
            let mut back = (op & 31) << 8 | input.next()?;
            if back == 8191 {
                back += input.next()? << 8 | input.next()?;
            }
            for _ in 0..len.min(room + 1) {
                let at = out.len().checked_sub(back + 1)?;
                out.push(out[at]);
                if out.len() > room {
                    return None;
                }
            }
        }
        if out.len() > room {
            return None;
        }
    }
    Some(out)
}

fuzz_target!(|input: (u16, &[u8])| {
    // Mostly little room: the slow decoder is slow. 16 KB reach into the far form of a match.
    let (room, src) = (usize::from(input.0 & 0x3fff) >> (2 * (input.0 >> 14)), input.1);
    let mut dst = vec![0; room];
    let made_of = MadeOf::ALL[room % MadeOf::ALL.len()];
    let stream = blosclz::Stream::whole(src, made_of);
    let ours = blosclz::decompress(stream, &mut dst).ok();
    let theirs = slow(src, room);
    assert_eq!(ours, theirs.as_ref().map(Vec::len));
    if let Some(theirs) = theirs {
        assert!(dst[..theirs.len()] == theirs);
        let enough = theirs.len() * 2 / 3;
        dst.fill(0xee);
        let front = blosclz::decompress_front(stream, &mut dst, enough).expect("what is whole has a front");
        assert!(front >= enough && dst[..enough] == theirs[..enough]);
    }
});
