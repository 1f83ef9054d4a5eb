//! The streams of a block that is being decoded: where their bytes are, or decoded to.

use super::Unpacking;
use crate::base::Result;
use crate::base::consts::MAX_STREAMS;
use crate::base::copy::copy;
use crate::chunk::stream::{self, Met, Stream};
use crate::codec::lz4::Pairs;
use crate::codec::{self, State, StreamParams};

/// Bytes that are lent to a codec behind a block.
pub(super) const LENT: usize = 64;

/// Streams that a block has at most, where it has one for each byte of the type.
pub(super) const MOST: usize = MAX_STREAMS as usize;
/// Streams of fewer bytes are sooner copied next to each other than left where they are.
pub(super) const WORTH_FINDING: usize = 2048;

/// Streams that most blocks have at most, of those that are split.
pub(super) const FEW: usize = 8;
/// Blocks of so many bytes are looked at: most of those that are mostly raw take less time if nothing is copied.
const WORTH_A_LOOK: usize = 512;
/// Blocks of so many bytes take less time in any case: zeros are read from elsewhere, too.
const WORTH_SPARING: usize = 4096;
/// What streams of zeros are, in whole lines of the cache: across two of them, each load of a wide register takes twice as long.
static ZEROS: Lines = Lines([0; WORTH_FINDING]);

#[repr(align(64))]
struct Lines([u8; WORTH_FINDING]);

/// Where the bytes of a stream are.
#[derive(Clone, Copy)]
enum Place<'a> {
    /// In the chunk, which stores them raw.
    Chunk(&'a [u8]),
    /// Among the decoded streams, in the place of that number.
    Decoded(usize),
}

impl<'a> Place<'a> {
    /// The bytes; each of `decoded` has `len`, and [`LENT`] behind them.
    fn within(self, decoded: &'a [u8], len: usize) -> &'a [u8] {
        match self {
            Place::Chunk(raw) => raw,
            Place::Decoded(n) => &decoded[n * (len + LENT)..][..len],
        }
    }
}

/// The bytes of a block that is one stream: in the chunk, where they are raw, or decoded to the front of what `room` gives,
/// where there are [`LENT`] more than its `len`.
#[inline(always)]
pub(super) fn find_stream<'a>(
    params: &StreamParams<'_>,
    stream: &Stream<'a>,
    len: usize,
    state: &mut State,
    room: impl FnOnce() -> &'a mut [u8],
) -> Result<&'a [u8]> {
    if let Stream::Raw(raw) = *stream {
        return Ok(raw);
    }
    let decoded = room();
    stream.unpack_lent(params, state, len, decoded)?;
    Ok(&decoded[..len])
}

/// The bytes of each of a block's `nstreams` streams of `len` bytes, [`MOST`] at most. Those that are not in the chunk are
/// decoded to their place in `decoded`, behind each of which are [`LENT`] bytes more; of equal ones, only the first.
pub(super) fn find_streams<'a>(
    unpacking: &Unpacking<'_>,
    (nstreams, len): (usize, usize),
    mut src: &'a [u8],
    state: &mut State,
    decoded: &'a mut [u8],
) -> Result<[&'a [u8]; MOST]> {
    let params = &unpacking.stream;
    let (mut pairs, mut met) = (Pairs::new(params), Met::new(params));
    let mut places = [Place::Chunk(&[]); MOST];
    for (n, (place, own)) in
        places[..nstreams].iter_mut().zip(decoded.chunks_exact_mut(len + LENT)).enumerate()
    {
        let before = src;
        *place = match stream::parse(&mut src, len)? {
            Stream::Raw(raw) => Place::Chunk(raw),
            Stream::Run(byte) if let Some(first) = met.before_run(byte, n) => Place::Decoded(first),
            Stream::Run(byte) => {
                own[..len].fill(byte);
                Place::Decoded(n)
            }
            Stream::Coded(coded) if let Some(first) = met.before(coded, n) => Place::Decoded(first),
            Stream::Coded(coded) => {
                let coded = stream::with_lent(coded, before, src);
                if codec::suits_pairs(params, coded.1) {
                    pairs.add(coded, (own, len))?;
                } else {
                    stream::unpack_coded(coded, params, state, len, own)?;
                }
                Place::Decoded(n)
            }
        };
    }
    pairs.finish()?;
    let decoded = &*decoded;
    Ok(places.map(|place| place.within(decoded, len)))
}

/// Decodes `nstreams` streams of a block, each of which has `len` bytes, into the front of `dst`.
pub(super) fn unpack_streams(
    unpacking: &Unpacking<'_>,
    (nstreams, len): (usize, usize),
    mut src: &[u8],
    state: &mut State,
    dst: &mut [u8],
) -> Result<()> {
    let params = &unpacking.stream;
    let mut met = Met::new(params);
    let (mut start, end) = (0, nstreams * len);
    while start < end {
        let before = src;
        match stream::parse(&mut src, len)? {
            Stream::Run(byte) => {
                let from = start;
                // Mostly, they are zeros, and several.
                while byte == 0
                    && start + len < end
                    && let Some((&stream::ZEROS, rest)) = src.split_first_chunk()
                {
                    start += len;
                    src = rest;
                }
                dst[from..start + len].fill(byte);
            }
            Stream::Raw(raw) => copy(raw, &mut dst[start..start + raw.len()]),
            Stream::Coded(coded) => match met.before(coded, start) {
                Some(first) => dst.copy_within(first..first + len, start),
                None => stream::unpack_coded(
                    stream::with_lent(coded, before, src),
                    params,
                    state,
                    len,
                    &mut dst[start..],
                )?,
            },
        }
        start += len;
    }
    Ok(())
}

/// Whether the `nstreams` streams of a block of `len` bytes, a few short ones, are sooner left where they are than brought next to each
/// other: those that are raw, in the chunk. Of two, too little is copied, but for zeros. The block may end before `src` does.
#[inline(always)]
pub(super) fn suits_finding(src: &[u8], nstreams: usize, len: usize) -> bool {
    if nstreams == 2 {
        return len >= WORTH_SPARING && src.ends_with(&stream::ZEROS);
    }
    len >= WORTH_SPARING || len >= WORTH_A_LOOK && src.len() >= len / 2
}

/// [`find_streams`] of a few streams of fewer bytes than [`WORTH_FINDING`]: those of zeros are in [`ZEROS`], and the decoded ones in
/// `room`, which has [`LENT`] bytes more than all of them take, one after the other.
#[inline(always)]
pub(super) fn find_few<'a>(
    unpacking: &Unpacking<'_>,
    len: usize,
    mut src: &'a [u8],
    state: &mut State,
    mut room: &'a mut [u8],
    streams: &mut [&'a [u8]],
) -> Result<()> {
    let params = &unpacking.stream;
    let mut met = Met::new(params);
    for n in 0..streams.len() {
        let before = src;
        streams[n] = match stream::parse(&mut src, len)? {
            Stream::Run(0) => &ZEROS.0[..len],
            Stream::Raw(raw) => raw,
            Stream::Coded(coded) if let Some(first) = met.before(coded, n) => streams[first],
            Stream::Run(byte) => {
                room[..len].fill(byte);
                taken(&mut room, len)
            }
            Stream::Coded(coded) => {
                let coded = stream::with_lent(coded, before, src);
                stream::unpack_coded(coded, params, state, len, room)?;
                taken(&mut room, len)
            }
        };
    }
    Ok(())
}

/// Takes the first `len` bytes off `room`.
#[inline(always)]
fn taken<'a>(room: &mut &'a mut [u8], len: usize) -> &'a [u8] {
    let (taken, rest) = std::mem::take(room).split_at_mut(len);
    *room = rest;
    taken
}
