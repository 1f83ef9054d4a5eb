//! Copies into and within the output: wide ones, which write more than is meant, and exact ones.

/// How many bytes a wide copy wants behind the first one that it writes.
const ROOM: usize = 64;
/// Matches longer than that are left to the library's copies.
const LONG: usize = 256;
/// Runs longer than that are left to the library's fill.
const LONG_RUN: usize = 64;

/// Wide copies fit where fewer bytes than that are filled.
pub(super) fn roomy(dst: &[u8]) -> usize {
    (dst.len() + 1).saturating_sub(ROOM)
}

/// Writes `bytes` at `filled`, where there is room.
#[inline(always)]
pub(super) fn literals(dst: &mut [u8], filled: usize, bytes: &[u8; 32]) {
    dst[filled..filled + 32].copy_from_slice(bytes);
}

/// Appends `len` bytes to the first `filled`, behind which there is room, each equal to the one `distance` before it.
/// `None` when there is none, or when they do not fit.
#[inline(always)]
pub(super) fn repeat(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()> {
    // The steps below write up to 47 bytes more than meant, and never less than 48 bytes for up to 32.
    if len > 32 && (len > LONG || dst.len() - filled < len + 48) {
        return repeat_exactly(dst, filled, distance, len);
    }
    let from = filled.checked_sub(distance)?;
    if distance >= 16 {
        step::<16>(dst, from, filled);
        let mut done = 16;
        while done < len {
            step::<16>(dst, from + done, filled + done);
            step::<16>(dst, from + done + 16, filled + done + 16);
            done += 32;
        }
    } else if distance >= 8 && len < 8 {
        // Items of eight bytes, of which the first was told: no byte is read that was written after the others.
        step::<4>(dst, from, filled);
        let last = len.max(4) - 4;
        step::<4>(dst, from + last, filled + last);
    } else if distance >= 8 {
        step::<8>(dst, from, filled);
        step::<8>(dst, from + 8, filled + 8);
        let mut done = 16;
        while done < len {
            step::<8>(dst, from + done, filled + done);
            done += 8;
        }
    } else {
        repeat_short(dst, filled, distance, len);
    }
    Some(())
}

/// Copies `N` bytes: all are read before any is written.
#[inline(always)]
fn step<const N: usize>(dst: &mut [u8], from: usize, to: usize) {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&dst[from..from + N]);
    dst[to..to + N].copy_from_slice(&bytes);
}

/// [`repeat`] for distances 1 to 7.
#[inline(always)]
fn repeat_short(dst: &mut [u8], filled: usize, distance: usize, len: usize) {
    if distance == 1 {
        // One byte is there at once, even if it was written just now; eight might have to wait.
        let byte = dst[filled - 1];
        match len {
            ..=LONG_RUN => fill(dst, filled, &[byte; 32], len),
            _ => dst[filled..filled + len].fill(byte),
        }
        return;
    }
    let mut word = [0; 8];
    word.copy_from_slice(&dst[filled - distance..filled - distance + 8]);
    let word = cycle(word, distance);
    if 8 % distance == 0 {
        let mut wide = [0; 32];
        wide.chunks_exact_mut(8).for_each(|part| part.copy_from_slice(&word));
        fill(dst, filled, &wide, len);
    } else {
        let mut done = 0;
        while done < len {
            dst[filled + done..filled + done + 8].copy_from_slice(&word);
            done += 8 - 8 % distance;
        }
    }
}

/// Writes `bytes` over and over, `len` bytes at least.
#[inline(always)]
fn fill(dst: &mut [u8], filled: usize, bytes: &[u8; 32], len: usize) {
    let mut done = 0;
    while done < len {
        literals(dst, filled + done, bytes);
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
    while filled < end {
        // Every round doubles what can be copied at once.
        let n = (end - filled).min(filled - start);
        dst.copy_within(start..start + n, filled);
        filled += n;
    }
    Some(())
}
