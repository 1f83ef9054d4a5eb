//! Chunks that say only what all their items are: making them, recognising data that could be one, filling them in.

use super::header::{ChunkHeader, Special};
use super::plan::Plan;
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::params::CParams;
use crate::base::{CBuf, Result};
use crate::{codec, fail, filter};

/// NaN as special chunks of 4-byte items mean it.
pub const NAN4: [u8; 4] = f32::from_bits(0x7fc0_0000).to_le_bytes();
/// NaN as special chunks of 8-byte items mean it.
pub const NAN8: [u8; 8] = f64::from_bits(0x7ff8_0000_0000_0000).to_le_bytes();

/// A chunk of `nbytes` bytes that are all `special`; `value` is the item of a [`Special::Value`] chunk, and is not
/// looked at for others.
///
/// # Errors
/// [`ErrorKind::Data`](crate::base::ErrorKind::Data) when `nbytes` is not a whole number of items, or `value` not one
/// item; and as [`Plan::new`].
pub fn special_chunk(params: &CParams, special: Special, value: &[u8], nbytes: usize) -> Result<CBuf> {
    let value = if special == Special::Value { value } else { &[] };
    let mut chunk = CBuf::zeroed(EXTENDED_HEADER_LEN + value.len())?;
    write_special(params, special, value, nbytes, &mut chunk)?;
    Ok(chunk)
}

/// [`special_chunk`], written to the front of `dst`; gives its length.
///
/// # Errors
/// As [`special_chunk`]; [`ErrorKind::Data`](crate::base::ErrorKind::Data) also when `dst` is too short.
pub fn write_special(
    params: &CParams,
    special: Special,
    value: &[u8],
    nbytes: usize,
    dst: &mut [u8],
) -> Result<usize> {
    let value = if special == Special::Value { value } else { &[] };
    let typesize = usize::try_from(params.typesize).unwrap_or(0);
    if typesize == 0 {
        fail!(InvalidParam, "typesize {}", params.typesize);
    }
    if !nbytes.is_multiple_of(typesize) {
        fail!(Data, "{nbytes} bytes are not a whole number of {typesize}-byte items");
    }
    if special == Special::Value && value.len() != typesize {
        fail!(Data, "a value of {} bytes for items of {typesize}", value.len());
    }
    let len = EXTENDED_HEADER_LEN + value.len();
    let Some(dst) = dst.get_mut(..len) else {
        fail!(Data, "a special chunk of {len} bytes does not fit in {}", dst.len());
    };
    // A dictionary makes no difference, whatever the codec.
    let plan = Plan::new(&CParams { use_dict: false, ..params.clone() }, nbytes)?;
    let mut header = plan.special_header(special, value.len());
    // The C library says nothing of codec and filters here.
    header.versionlz = 1;
    header.codec = 0;
    header.codec_meta = 0;
    header.filters = Default::default();
    header.write(dst);
    dst[EXTENDED_HEADER_LEN..].copy_from_slice(value);
    Ok(len)
}

/// What `src` is, when one special value says it all, and with it the value's bytes for [`Special::Value`].
///
/// Only where compressing and decompressing would give `src` back: a filter or codec that loses something has its say.
pub(super) fn recognise<'a>(plan: &Plan, src: &'a [u8]) -> Option<(Special, &'a [u8])> {
    let lossless = |id| {
        matches!(
            id,
            filter::NOFILTER
                | filter::SHUFFLE
                | filter::BITSHUFFLE
                | filter::DELTA
                | filter::BYTEDELTA
                | filter::NDCELL
        )
    };
    if plan.stored
        || plan.vl
        || plan.instrumented
        || plan.header_len != EXTENDED_HEADER_LEN
        || plan.codec > codec::ZSTD
        || !plan.filters.iter().all(|slot| lossless(slot.id))
    {
        return None;
    }
    let size = plan.typesize;
    if src.len() < 2 * size || !src.len().is_multiple_of(size) || src[..size] != src[src.len() - size..] {
        // Zeros need no whole items.
        return is_zero(src).then_some((Special::Zeros, &[]));
    }
    if src[..src.len() - size] != src[size..] {
        return None;
    }
    let item = &src[..size];
    Some(if is_zero(item) {
        (Special::Zeros, &[])
    } else if item == NAN4 || item == NAN8 {
        (Special::Nans, &[])
    } else {
        (Special::Value, item)
    })
}

fn is_zero(src: &[u8]) -> bool {
    src.chunks(64).all(|part| part.iter().fold(0, |or, &byte| or | byte) == 0)
}

/// Writes to `dst` the bytes of a special chunk from byte `start` on. `value` is what follows the header. Memory that
/// was never written is left as it is.
pub(super) fn fill(
    header: &ChunkHeader,
    special: Special,
    value: &[u8],
    start: usize,
    dst: &mut [u8],
) -> Result<()> {
    match special {
        Special::Zeros => dst.fill(0),
        Special::Uninit => {}
        Special::Nans => match header.typesize() {
            4 => repeat(&NAN4, start, dst),
            8 => repeat(&NAN8, start, dst),
            n => fail!(Data, "a chunk of NaN of {n} bytes"),
        },
        Special::Value => repeat(value, start, dst),
    }
    Ok(())
}

/// Fills `dst` with what stands from byte `start` on in endless repetitions of `item`.
fn repeat(item: &[u8], start: usize, dst: &mut [u8]) {
    match item {
        [] => return,
        [byte] => return dst.fill(*byte),
        _ => {}
    }
    // One whole item, then doubling what is there: copies of ever longer whole numbers of items.
    let mut done = item.len().min(dst.len());
    for (i, byte) in dst[..done].iter_mut().enumerate() {
        *byte = item[(start + i) % item.len()];
    }
    while done < dst.len() {
        let len = done.min(dst.len() - done);
        let (from, to) = dst.split_at_mut(done);
        to[..len].copy_from_slice(&from[..len]);
        done += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_start_anywhere() {
        for len in 0..40 {
            for start in 0..12 {
                let mut dst = vec![9; len];
                repeat(b"abc", start, &mut dst);
                let expected: Vec<u8> = (start..start + len).map(|i| b"abc"[i % 3]).collect();
                assert_eq!(dst, expected);
            }
        }
    }

    fn seen(src: &[u8], typesize: i32) -> Option<Special> {
        let params = CParams { typesize, ..CParams::default() };
        recognise(&Plan::new(&params, src.len()).unwrap(), src).map(|(special, _)| special)
    }

    #[test]
    fn special_data_is_recognised_and_other_data_is_not() {
        assert_eq!(seen(&[0; 1001], 8), Some(Special::Zeros));
        assert_eq!(seen(&NAN4.repeat(100), 4), Some(Special::Nans));
        assert_eq!(seen(&NAN8.repeat(100), 8), Some(Special::Nans));
        assert_eq!(seen(&NAN8.repeat(100), 16), Some(Special::Value));
        assert_eq!(seen(&[1, 2, 3].repeat(100), 3), Some(Special::Value));
        assert_eq!(seen(&[1, 2, 3].repeat(100), 4), None);
        let mut nearly = vec![7; 800];
        nearly[401] = 8;
        assert_eq!(seen(&nearly, 8), None);
        // Too small to be anything but stored.
        assert_eq!(seen(&[0; 31], 1), None);
    }
}
