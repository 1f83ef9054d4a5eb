//! Copies into and within the output: wide ones, which write more than is meant, and exact ones.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(super) mod sse2;

#[cfg(target_arch = "x86_64")]
use crate::base::cpu::{self, Simd};

/// From where matches of a few bytes mostly come: what copies are made for.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mostly {
    /// From what was written a moment ago.
    Near,
    /// From anywhere.
    Anywhere,
    /// From far back, and many are longer than a register of sixteen bytes.
    Far,
}

/// How many bytes a wide copy wants behind the first one that it writes.
pub(super) const ROOM: usize = 64;
/// Matches longer than that, which none of deflate is, are left to [`repeat_exactly`].
const LONG: usize = 258;
/// Runs longer than that are left to the library's fill.
const LONG_RUN: usize = 64;

/// Wide copies fit where fewer bytes than that are filled.
pub(super) fn roomy(dst: &[u8]) -> usize {
    (dst.len() + 1).saturating_sub(ROOM)
}

/// Writes `bytes` at `filled`, where there is room.
#[inline(always)]
pub(super) fn literals<const N: usize>(dst: &mut [u8], filled: usize, bytes: &[u8; N]) {
    dst[filled..filled + N].copy_from_slice(bytes);
}

/// Appends `len` bytes to the first `filled`, behind which there is room, each equal to the one `distance` before it,
/// which is not 0. `None` when there is none, or when they do not fit.
#[inline(always)]
pub(super) fn repeat(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()> {
    if len > 32 {
        return repeat_long(dst, filled, distance, len);
    }
    let from = filled.checked_sub(distance)?;
    if distance >= 16 {
        // Most matches.
        step::<32>(dst, from, filled);
        if len > distance {
            step::<32>(dst, from, filled + distance);
        }
    } else if distance < 8 {
        repeat_short(dst, filled, distance, len);
    } else if len < 8 {
        // Items of eight bytes, of which the first was told: bytes that were written together are read, and no others, since
        // a processor waits long for what lies in two writes that were just made.
        let last = len.max(4) - 4;
        let bytes = dst[from..].first_chunk::<8>()?;
        let word = four(bytes, 0) | four(bytes, last) << (8 * last);
        dst[filled..filled + 8].copy_from_slice(&word.to_le_bytes());
    } else {
        again::<16>(dst, filled, distance, len);
    }
    Some(())
}

/// [`repeat`] where less than [`roomy`] bytes are filled, and [`repeat_exactly`] behind.
#[inline(always)]
pub(super) fn repeat_to_end(
    dst: &mut [u8],
    roomy: usize,
    filled: usize,
    distance: usize,
    len: usize,
) -> Option<()> {
    if filled < roomy {
        repeat(dst, filled, distance, len)
    } else {
        repeat_exactly(dst, filled, distance, len)
    }
}

/// [`repeat`] where most matches do not reach into what they repeat: of those, it is not asked how far back they begin.
#[inline(always)]
pub(super) fn repeat_apart(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()> {
    if len > 32 || distance < len {
        return repeat(dst, filled, distance, len);
    }
    step::<32>(dst, filled.checked_sub(distance)?, filled);
    Some(())
}

/// [`repeat`] for more than 32 bytes.
fn repeat_long(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()> {
    // The steps below write less than `ROOM` bytes more than meant.
    if len > LONG || dst.len() - filled < len + ROOM {
        return repeat_exactly(dst, filled, distance, len);
    }
    let from = filled.checked_sub(distance)?;
    match distance {
        ..=7 => repeat_short(dst, filled, distance, len),
        8..=15 => again::<16>(dst, filled, distance, len),
        16..=31 => again::<32>(dst, filled, distance, len),
        32..=63 => again::<64>(dst, filled, distance, len),
        _ => {
            let mut done = 0;
            while done < len {
                step::<32>(dst, from + done, filled + done);
                done += 32;
            }
        }
    }
    Some(())
}

/// [`repeat`] for distances below `N`: bytes that are read once, since a processor waits for what it wrote a moment ago.
#[inline(always)]
fn again<const N: usize>(dst: &mut [u8], filled: usize, distance: usize, len: usize) {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&dst[filled - distance..filled - distance + N]);
    let mut done = 0;
    while done < len {
        dst[filled + done..filled + done + N].copy_from_slice(&bytes);
        done += distance;
    }
}

/// Four bytes, the first one lowest.
#[inline(always)]
fn four(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u64::from(u32::from_le_bytes(word))
}

/// Copies `N` bytes: all are read before any is written.
#[inline(always)]
fn step<const N: usize>(dst: &mut [u8], from: usize, to: usize) {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&dst[from..from + N]);
    dst[to..to + N].copy_from_slice(&bytes);
}

/// Of eight bytes, those in whole periods, by the period: 1 to 7. Dividing takes long.
const WHOLE: [usize; 8] = [8, 8, 8, 6, 8, 5, 6, 7];

/// [`repeat`] for distances 1 to 7.
#[inline(always)]
fn repeat_short(dst: &mut [u8], filled: usize, distance: usize, len: usize) {
    if distance == 1 {
        // One byte is there at once, even if it was written just now; eight might have to wait.
        let byte = dst[filled - 1];
        match len {
            ..=LONG_RUN => fill(dst, filled, &[[byte; 8]; 4], len),
            _ => dst[filled..filled + len].fill(byte),
        }
        return;
    }
    let mut word = [0; 8];
    word.copy_from_slice(&dst[filled - distance..filled - distance + 8]);
    let word = cycle(word, distance);
    let whole = WHOLE[distance & 7];
    if whole == 8 {
        if len > LONG_RUN {
            return dst[filled..filled + len.next_multiple_of(8)].as_chunks_mut().0.fill(word);
        }
        fill(dst, filled, &[word; 4], len);
    } else {
        let mut done = 0;
        while done < len {
            dst[filled + done..filled + done + 8].copy_from_slice(&word);
            done += whole;
        }
    }
}

/// Writes `words` over and over, `len` bytes at least.
#[inline(always)]
fn fill(dst: &mut [u8], filled: usize, words: &[[u8; 8]; 4], len: usize) {
    let mut done = 0;
    while done < len {
        dst[filled + done..filled + done + 32].copy_from_slice(words.as_flattened());
        done += 32;
    }
}

/// The first `period` bytes, 1 to 7, over and over.
#[inline(always)]
fn cycle(bytes: [u8; 8], period: usize) -> [u8; 8] {
    // A one at each place where the period begins.
    const STARTS: [u64; 8] = [
        0,
        0x0101_0101_0101_0101,
        0x0001_0001_0001_0001,
        0x0001_0000_0100_0001,
        0x0000_0001_0000_0001,
        0x0000_0100_0000_0001,
        0x0001_0000_0000_0001,
        0x0100_0000_0000_0001,
    ];
    let first = u64::from_le_bytes(bytes) & (u64::MAX >> (64 - 8 * period));
    first.wrapping_mul(STARTS[period & 7]).to_le_bytes()
}

/// Appends `len` bytes to the first `filled`, each equal to the one `distance` before it. `None` when there is none, or
/// when they do not fit.
#[inline(never)]
pub(super) fn repeat_exactly(dst: &mut [u8], mut filled: usize, distance: usize, len: usize) -> Option<()> {
    let start = filled.checked_sub(distance)?;
    let end = filled.checked_add(len)?;
    let dst = dst.get_mut(..end)?;
    if distance == 1 {
        let byte = dst[start];
        dst[filled..].fill(byte);
        return Some(());
    }
    if distance <= 8 && distance.is_power_of_two() {
        // Whole periods make a word.
        let word: [u8; 8] = std::array::from_fn(|i| dst[start + (i & (distance - 1))]);
        fill_exactly(&mut dst[filled..], word);
        return Some(());
    }
    while filled < end {
        // Every round doubles what can be copied at once.
        let n = (end - filled).min(filled - start);
        dst.copy_within(start..start + n, filled);
        filled += n;
    }
    Some(())
}

/// Fills `dst` with `word` over and over.
#[inline]
fn fill_exactly(dst: &mut [u8], word: [u8; 8]) {
    #[cfg(target_arch = "x86_64")]
    if cpu::simd() >= Simd::Avx2 && avx2::fill(dst, word).is_some() {
        return;
    }
    let (whole, rest) = dst.as_chunks_mut();
    whole.fill(word);
    rest.copy_from_slice(&word[..rest.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random bytes, of which those behind the first `filled` are still to be written.
    fn bytes(len: usize) -> Vec<u8> {
        (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 23) as u8).collect()
    }

    #[test]
    fn wide_copies_repeat_as_byte_after_byte_would() {
        const FILLED: usize = 200;
        for distance in 1..FILLED {
            for len in (3..80).chain([255, 256, 257, 300, 1000]) {
                // Just room, and more.
                for room in [64, len + 63, len + 64, len + 500] {
                    let before = bytes(FILLED + room.max(64));
                    let mut dst = before.clone();
                    let done = repeat(&mut dst, FILLED, distance, len);
                    assert_eq!(done.is_some(), dst.len() >= FILLED + len, "{len} bytes in {room}");
                    if done.is_none() {
                        continue;
                    }
                    let mut told = before[..FILLED].to_vec();
                    (0..len).for_each(|i| told.push(told[FILLED + i - distance]));
                    assert_eq!(dst[..FILLED + len], told, "{len} bytes from {distance} before, in {room}");
                }
            }
        }
        let mut dst = bytes(300);
        assert!(repeat(&mut dst, 10, 11, 5).is_none(), "begins before the output");
    }

    #[test]
    fn exact_copies_leave_what_is_behind_them() {
        let matches = [
            (1, 1),
            (1, 70),
            (2, 1),
            (2, 33),
            (4, 50),
            (7, 50),
            (8, 7),
            (8, 64),
            (40, 39),
            (40, 40),
            (40, 900),
            (1, 734),
            (2, 32),
            (2, 734),
            (4, 735),
            (8, 31),
            (8, 333),
            (8, 4096),
        ];
        for (distance, len) in matches {
            let before = bytes(100 + len + 3);
            let mut told = before[..100].to_vec();
            (0..len).for_each(|i| told.push(told[100 + i - distance]));
            told.extend(&before[100 + len..]);
            let mut dst = before.clone();
            repeat_exactly(&mut dst, 100, distance, len).unwrap();
            assert_eq!(dst, told, "{len} bytes from {distance} before");
            assert!(
                repeat_exactly(&mut dst, 100, distance, len + 4).is_none(),
                "more than there is room for"
            );
            assert!(
                repeat_exactly(&mut dst, distance - 1, distance, len).is_none(),
                "begins before the output"
            );
        }
    }
}
