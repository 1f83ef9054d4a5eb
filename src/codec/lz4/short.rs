//! Short streams, but for planes and bits: a plain loop reads them before the kernels have made ready.

use super::decode::{LITERALS, MORE, SHORTEST, end, length};
use crate::codec::{MadeOf, copy};

/// A match that a token tells is written in so many bytes: in parts of a word, as most were written that it comes from.
const WORD: usize = 8;
const PARTS: usize = 2 * WORD + 2;
/// As many bytes of the output as that and literals before it take.
const PLACE: usize = 32;

/// Whether a stream of `len` bytes is one of these. Nothing is gained then by bytes that are lent behind its place.
#[inline(always)]
pub(in crate::codec) fn is_short(made_of: MadeOf, len: usize) -> bool {
    len < match made_of {
        MadeOf::Planes | MadeOf::Bits => 0,
        MadeOf::Items => 256,
        MadeOf::Numbers => 384,
        MadeOf::Bytes => 768,
    }
}

/// Decompresses a stream, and tells how many bytes were written; `None` when it is none, or holds more than its place.
#[inline(never)]
pub(super) fn read(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    const { assert!(LITERALS > MORE && PLACE >= MORE - 1 + PARTS && PARTS >= MORE - 1 + SHORTEST) };
    let roomy = copy::roomy(dst);
    let (mut rest, mut filled, mut matched) = (src, 0, 0);
    loop {
        let token = usize::from(*rest.split_off_first()?);
        let (literals, len) = (token >> 4, token & MORE);
        let distance;
        if literals < MORE
            && let Some(bytes) = rest.first_chunk::<LITERALS>()
            && let Some(place) = dst.get_mut(filled..)?.first_chunk_mut::<PLACE>()
        {
            // Literals, and the distance behind them.
            *place.first_chunk_mut()? = *bytes;
            distance = usize::from(u16::from_le_bytes([bytes[literals], bytes[literals + 1]]));
            rest = &rest[literals + 2..];
            filled += literals;
            if len < MORE && distance >= WORD && distance <= filled {
                // Most matches: those that do not repeat a word of what they write.
                let from = filled - distance;
                copy::step::<WORD>(dst, from, filled);
                copy::step::<WORD>(dst, from + WORD, filled + WORD);
                copy::step::<2>(dst, from + 2 * WORD, filled + 2 * WORD);
                matched = filled;
                filled += len + SHORTEST;
                continue;
            }
        } else {
            let literals = length(&mut rest, literals)?;
            let bytes = rest.split_off(..literals)?;
            if rest.is_empty() {
                let all = end(dst.len(), matched, filled, literals)?;
                dst.get_mut(filled..all)?.copy_from_slice(bytes);
                return Some(all);
            }
            dst.get_mut(filled..)?.get_mut(..literals)?.copy_from_slice(bytes);
            filled += literals;
            distance = usize::from(u16::from_le_bytes(*rest.split_off(..2)?.as_array()?));
        }
        let len = length(&mut rest, len)? + SHORTEST;
        if distance == 0 {
            return None;
        }
        copy::repeat_to_end(dst, roomy, filled, distance, len)?;
        matched = filled;
        filled += len;
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode::{Job, Place, decompress_at, decompress_from};
    use super::super::tests::{data, levels, variants};
    use crate::base::cpu::{self, Simd};
    use crate::base::random::Random;
    use crate::codec::State;
    use crate::codec::tests::packed;

    #[test]
    fn short_streams_are_read_as_kernels_read_them() {
        let (mut st, mut rng) = (State::default(), Random::new(55));
        let (mut whole, mut refused) = (0, 0);
        for n in (13..300).step_by(7).chain([383, 384, 600, 767, 768]) {
            for data in data(&mut rng, n) {
                let Some(mut stream) = packed(&variants()[0], &mut st, &data) else { continue };
                for damaged in 0..6 {
                    if damaged > 0 {
                        let at = rng.below(stream.len());
                        stream[at] = rng.next() as u8 * rng.below(2) as u8;
                    }
                    let end = stream.len();
                    let read = |how: &dyn Fn(Job<'_>) -> Option<usize>| {
                        let mut dst = vec![0xaa; n];
                        let job = Job { src: &stream, end, dst: &mut dst, len: n, enough: usize::MAX };
                        how(job).map(|len| dst[..len].to_vec())
                    };
                    let short = read(&|job| super::read(job.src, job.dst));
                    assert!(damaged > 0 || short.as_ref() == Some(&data), "{n} bytes");
                    whole += usize::from(short.is_some());
                    refused += usize::from(short.is_none());
                    for simd in levels() {
                        for p in variants() {
                            let ours = read(&|job| decompress_from(simd, &p, job, Place::default()));
                            assert!(ours == short, "{simd:?}, {:?}, {stream:?} in {n}", p.made_of);
                        }
                    }
                    let chosen = read(&|job| decompress_at(cpu::simd(), &variants()[0], job));
                    assert!(cpu::simd() == Simd::Scalar || chosen == short, "{stream:?} in {n}");
                }
            }
        }
        assert!(whole > 500 && refused > 500, "{whole} read, {refused} refused");
    }
}
