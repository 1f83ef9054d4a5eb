//! Which streams of the fast mode are written here, and in which way. As liblz4 writes the same bytes, that is a matter of time only.

#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::encode::{Reach, encode};
use super::reach::{ByWords, Foreseen};
use super::regular::{Counted, SAMPLE};
use super::table::{Entry, Slots, Tables};
use crate::base::cpu::{self, Simd};
use crate::codec::MadeOf;

/// Streams of so many bytes have positions that do not fit 16 bits, but for those where no match may begin.
const LONG: usize = (64 << 10) + 11;
/// So many bytes are taken to be like those of a stream that was looked at: looks take less than a hundredth of the time.
const ALIKE: usize = 2 << 20;

/// What a thread keeps.
#[derive(Default)]
pub(super) struct Writer {
    tables: Tables,
    /// Whether the numbers that were looked at were regular.
    regular: bool,
    /// For how many bytes more that is believed.
    believed: usize,
}

impl Writer {
    /// Compresses `src`, and tells how long the stream is, 0 when it does not fit; `None` where liblz4 is as fast, or faster.
    pub(super) fn compress(
        &mut self,
        made_of: MadeOf,
        acceleration: usize,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let written = match made_of {
            MadeOf::Numbers | MadeOf::Items if self.are_regular(acceleration, src, dst) => {
                self.encode(acceleration, src, dst, &mut Foreseen::default())
            }
            MadeOf::Bits => self.encode_bits(acceleration, src, dst),
            _ => return None,
        };
        Some(written.unwrap_or(0))
    }

    /// Whether the numbers `src` are regular, or those were that were looked at last. `dst` holds anything afterwards.
    fn are_regular(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> bool {
        if self.believed == 0 {
            let sample = &src[..src.len().min(SAMPLE)];
            let mut counted = Counted::default();
            // That it does not fit is no matter: by then, there were enough matches, or too few.
            let _ = self.encode(acceleration, sample, dst, &mut counted);
            (self.regular, self.believed) = (counted.are_regular(), ALIKE);
        }
        self.believed = self.believed.saturating_sub(src.len());
        self.regular
    }

    fn encode(
        &mut self,
        acceleration: usize,
        src: &[u8],
        dst: &mut [u8],
        reach: &mut impl Reach,
    ) -> Option<usize> {
        if src.len() < LONG {
            encode_by(Slots::<u16>::empty(&mut self.tables), acceleration, src, dst, reach)
        } else {
            encode_by(Slots::<u32>::empty(&mut self.tables), acceleration, src, dst, reach)
        }
    }

    fn encode_bits(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        match cpu::simd() {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 if src.len() < LONG => {
                avx512::encode_evenly(Slots::<u16>::empty(&mut self.tables), acceleration, src, dst)
            }
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => {
                avx512::encode_evenly(Slots::<u32>::empty(&mut self.tables), acceleration, src, dst)
            }
            _ => self.encode(acceleration, src, dst, &mut ByWords),
        }
    }
}

#[inline(never)]
fn encode_by<E: Entry>(
    slots: Slots<'_, E>,
    acceleration: usize,
    src: &[u8],
    dst: &mut [u8],
    reach: &mut impl Reach,
) -> Option<usize> {
    encode(slots, acceleration, src, dst, reach)
}

#[cfg(test)]
mod tests;
