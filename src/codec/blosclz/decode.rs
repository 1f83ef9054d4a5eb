//! Reading BloscLZ streams.

use super::NEAR;
use crate::base::Result;
use crate::codec::bad_stream;

/// Decompresses `src` into `dst` and tells how many bytes of `dst` were written.
///
/// # Errors
/// `Data` when `src` is cut short, refers to bytes before the beginning, or holds more than `dst`.
pub fn decompress(src: &[u8], dst: &mut [u8]) -> Result<usize> {
    run(src, dst).ok_or_else(|| bad_stream("BloscLZ", src.len()))
}

fn run(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut at = 0;
    let mut filled = 0;
    let mut op = match src.first() {
        Some(&first) => first & 31,
        None => return Some(0),
    };
    loop {
        at += 1;
        if op < 32 {
            let len = usize::from(op) + 1;
            dst.get_mut(filled..filled + len)?.copy_from_slice(src.get(at..at + len)?);
            at += len;
            filled += len;
        } else {
            let mut len = usize::from(op >> 5) + 2;
            if op >> 5 == 7 {
                loop {
                    let more = *src.get(at)?;
                    at += 1;
                    len += usize::from(more);
                    if more != 255 {
                        break;
                    }
                }
            }
            let low = *src.get(at)?;
            at += 1;
            let mut distance = (usize::from(op & 31) << 8) + usize::from(low);
            if distance == NEAR {
                let far = src.get(at..at + 2)?;
                at += 2;
                distance = NEAR + usize::from(u16::from_be_bytes([far[0], far[1]]));
            }
            copy_match(dst, filled, distance + 1, len)?;
            filled += len;
        }
        match src.get(at) {
            Some(&next) => op = next,
            None => return Some(filled),
        }
    }
}

/// Appends `len` bytes to the first `filled` of `dst`, each equal to the one `distance` before it.
fn copy_match(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()> {
    let start = filled.checked_sub(distance)?;
    if len > dst.len() - filled {
        return None;
    }
    if distance == 1 {
        let byte = dst[start];
        dst[filled..filled + len].fill(byte);
        return Some(());
    }
    let mut done = 0;
    while done < len {
        // Every round doubles what can be copied at once.
        let n = (len - done).min(distance + done);
        dst.copy_within(start..start + n, filled + done);
        done += n;
    }
    Some(())
}
