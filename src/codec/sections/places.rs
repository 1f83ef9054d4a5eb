//! Where four bytes stood last, to tell what repeats: as many as codecs ask of a match.

use crate::codec::words::spread;
use std::ops::Range;

/// Bytes from one place to the next where not all of them are remembered: odd, as every other place is looked at.
const APART: usize = 5;
/// Bytes of a repetition that is worth going back for to what stands before a section.
const LONGER: usize = 8;
/// As a power of two, the slots.
const BITS: u32 = 14;

/// Places by a hash of their bytes, modulo 2^16. An empty slot stands for the first place: what is found is compared.
pub(super) struct Places {
    slots: [u16; 1 << BITS],
    /// Whether what the slots hold is of another block.
    stale: bool,
}

/// What was found to stand in two places.
pub(super) struct Repeated {
    window: usize,
    cut: usize,
    /// In how many places something stands that stood before.
    pub times: usize,
    /// In how many of them it is longer, and stood before the cut.
    pub back: usize,
    /// How far back the last of those that are longer stood; 0 when there is none.
    pub distance: usize,
}

impl Repeated {
    /// Nothing yet, of what lies before `cut` or behind it, in a window that reaches so far back.
    pub fn since(cut: usize, window: usize) -> Self {
        Repeated { window, cut, times: 0, back: 0, distance: 0 }
    }
}

impl Default for Places {
    fn default() -> Self {
        Places { slots: [0; 1 << BITS], stale: false }
    }
}

impl Places {
    /// Forgets all of them.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// Remembers some places of `src` in a range.
    pub fn remember(&mut self, src: &[u8], range: Range<usize>) {
        for at in range.step_by(APART) {
            let Some(bytes) = src[at..].first_chunk() else { break };
            self.slots[slot(u32::from_le_bytes(*bytes))] = at as u16;
        }
    }

    /// Adds to `repeated` what of `src` in a range stood before, until that is more than `enough`. Looks at every other place,
    /// and remembers all that it comes to.
    pub fn find(&mut self, src: &[u8], range: Range<usize>, enough: usize, repeated: &mut Repeated) {
        if std::mem::take(&mut self.stale) {
            self.slots.fill(0);
        }
        let windows = src[range.start..].array_windows::<LONGER>();
        for (bytes, at) in windows.zip(range).step_by(2) {
            let word = u64::from_le_bytes(*bytes);
            let last = std::mem::replace(&mut self.slots[slot(word as u32)], at as u16);
            self.slots[slot((word >> 8) as u32)] = (at + 1) as u16;
            let back = usize::from((at as u16).wrapping_sub(last));
            let Some(&there) = src.get(at.wrapping_sub(back)..).and_then(|there| there.first_chunk()) else {
                continue;
            };
            let there = u64::from_le_bytes(there);
            if there as u32 == word as u32 && (1..=repeated.window).contains(&back) {
                repeated.times += 1;
                if there == word {
                    repeated.distance = back;
                    repeated.back += usize::from(at - back < repeated.cut);
                }
                if repeated.times > enough {
                    return;
                }
            }
        }
    }
}

/// Whether a few hundred bytes are no section that repeats nothing, whatever stood before them.
pub(super) fn repeats_itself(few: &[u8], enough: usize) -> bool {
    const BITS: u32 = 9;
    let (mut slots, mut times) = ([0; 1 << BITS], 0);
    for (at, bytes) in few.array_windows().enumerate() {
        let bytes = u32::from_le_bytes(*bytes);
        let last = std::mem::replace(&mut slots[(spread(bytes) >> (32 - BITS)) as usize], bytes);
        times += usize::from(at % 2 == 0 && last == bytes);
        if times > enough {
            return true;
        }
    }
    false
}

/// The slot for the bytes of a place.
#[inline(always)]
fn slot(bytes: u32) -> usize {
    (spread(bytes) >> (32 - BITS)) as usize
}
