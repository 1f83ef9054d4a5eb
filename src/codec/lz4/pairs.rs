//! Streams that are read two at a time, which takes less time than one after the other.

use super::decode::{Job, Place, Reached, decompress_at, decompress_from, fast};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512, sse2};
use crate::base::Result;
use crate::base::cpu::{self, Simd};
use crate::codec::{StreamParams, bad_stream};
use std::ops::ControlFlow::{self, Break, Continue};

/// Takes sequences of two streams in turn, and moves the places on.
type InTurn = fn([&mut Job<'_>; 2], &mut [Place; 2]) -> Stopped;

/// Which of two streams was not read on.
pub(super) struct Stopped {
    pub(super) which: usize,
    /// Whether its end is near; or else, a sequence is left to the plain loop.
    pub(super) ends: bool,
}

/// Reads streams of one block, each to a place of its own, whose bytes each has to fill.
pub struct Pairs<'p, 'a> {
    params: &'p StreamParams<'p>,
    simd: Simd,
    /// A stream whose turn comes with the next one.
    waiting: Option<Half<'a>>,
}

/// One of two streams.
struct Half<'a> {
    job: Job<'a>,
    place: Place,
}

impl<'p, 'a> Pairs<'p, 'a> {
    /// For streams without a dictionary.
    pub fn new(params: &'p StreamParams<'p>) -> Self {
        Pairs::at(cpu::simd(), params)
    }

    /// [`Pairs::new`] by the kernels of a level.
    pub(super) fn at(simd: Simd, params: &'p StreamParams<'p>) -> Self {
        Pairs { params, simd, waiting: None }
    }

    /// Reads the stream that is the first `end` bytes of `src`, now or later, to fill the first `len` bytes of `dst`. What is behind
    /// them is lent, as to a [`Job`].
    ///
    /// # Errors
    /// `Data` where a stream, be it this one or another, is none, or holds another number of bytes.
    pub fn add(&mut self, (src, end): (&'a [u8], usize), (dst, len): (&'a mut [u8], usize)) -> Result<()> {
        let job = Job { src, end, dst, len, enough: usize::MAX };
        let Some(in_turn) = in_turn(self.simd) else {
            return check_whole(decompress_at(self.simd, self.params, job), end, len);
        };
        let half = Half { job, place: Place::default() };
        self.waiting = match self.waiting.take() {
            None => Some(half),
            Some(waiting) => Some(self.together(in_turn, [waiting, half])?),
        };
        Ok(())
    }

    /// Reads what is left.
    ///
    /// # Errors
    /// As [`Pairs::add`].
    pub fn finish(mut self) -> Result<()> {
        self.waiting.take().map_or(Ok(()), |half| self.alone(half))
    }

    /// Reads one of two streams to its end; gives the other one, as far as it is read.
    fn together(&self, in_turn: InTurn, mut halves: [Half<'a>; 2]) -> Result<Half<'a>> {
        let which = loop {
            let [a, b] = &mut halves;
            let mut places = [a.place, b.place];
            let Stopped { which, ends } = in_turn([&mut a.job, &mut b.job], &mut places);
            [a.place, b.place] = places;
            if ends || self.one_more(&mut halves[which])?.is_break() {
                break which;
            }
        };
        let [a, b] = halves;
        let (ends, goes_on) = if which == 0 { (a, b) } else { (b, a) };
        self.alone(ends)?;
        Ok(goes_on)
    }

    /// Takes a sequence of any kind; breaks where the end is near.
    #[inline(never)]
    fn one_more(&self, Half { job, place }: &mut Half<'_>) -> Result<ControlFlow<()>> {
        let enough = std::mem::replace(&mut job.enough, place.filled + 1);
        let reached = fast(self.simd, self.params, job, *place);
        job.enough = enough;
        match reached.ok_or_else(|| bad_stream("LZ4", job.end))? {
            Reached::Near(now) if now.filled > place.filled => {
                *place = now;
                Ok(Continue(()))
            }
            _ => Ok(Break(())),
        }
    }

    /// Reads a stream from where it is to its end.
    fn alone(&self, Half { job, place }: Half<'a>) -> Result<()> {
        let (end, len) = (job.end, job.len);
        check_whole(decompress_from(self.simd, self.params, job, place), end, len)
    }
}

/// Checks that a stream of `end` bytes was read, and `held` `len`.
fn check_whole(held: Option<usize>, end: usize, len: usize) -> Result<()> {
    if held == Some(len) { Ok(()) } else { Err(bad_stream("LZ4", end)) }
}

/// The kernel of a level, if it has one.
fn in_turn(simd: Simd) -> Option<InTurn> {
    match simd {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => Some(avx512::in_turn),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => Some(avx2::in_turn),
        #[cfg(target_arch = "x86_64")]
        Simd::Sse2 => Some(sse2::in_turn),
        _ => None,
    }
}
