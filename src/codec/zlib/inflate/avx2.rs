//! Rounds with wide copies, and with shifts that any register may count (BMI2, which all processors with AVX2 have but a few).
#![allow(unsafe_code)] // copies, and the call of what was asked for

use super::codes::Tables;
use super::source::Source;
use super::{Repeats, Stop, rounds};
use crate::codec::copy::avx2::Avx2;
use crate::codec::copy::sse2::{Registers, copy, repeat_settled};
use crate::codec::copy::{self as plain, ROOM};
use std::marker::PhantomData;

/// Whether the machine has it.
pub(super) fn is_there() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

/// As the plain loop.
///
/// # Panics
/// On a machine without it.
pub(super) fn fast(tables: &Tables, source: &mut Source, dst: &mut [u8], filled: &mut usize) -> Option<Stop> {
    assert!(is_there());
    // SAFETY: the machine has what it needs.
    unsafe { rounds_of(tables, source, dst, filled) }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn rounds_of(tables: &Tables, source: &mut Source, dst: &mut [u8], filled: &mut usize) -> Option<Stop> {
    rounds::<Wide<Avx2>>(tables, source, dst, filled)
}

/// Most matches are not longer, and are copied at once.
const SHORT: usize = 32;

/// Repeats by registers, in functions of machines that have them.
pub(super) struct Wide<R>(PhantomData<R>);

impl<R: Registers> Repeats for Wide<R> {
    #[inline(always)]
    fn repeat(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()> {
        if distance.wrapping_sub(1) >= filled {
            return None;
        }
        if dst.len() - filled < len + ROOM {
            return plain::repeat_exactly(dst, filled, distance, len);
        }
        // SAFETY: room and distance, which is not 0, were just checked. Whoever calls has made sure of what `R` needs.
        unsafe {
            let to = dst.as_mut_ptr().add(filled);
            if len <= SHORT && len <= distance {
                copy::<SHORT>(to.sub(distance), to);
            } else if distance == 1 {
                // Sooner there than by what repeats any few bytes: what comes next waits for it.
                let run = [*to.sub(1); ROOM];
                let mut done = 0;
                while done < len {
                    to.add(done).cast::<[u8; ROOM]>().write(run);
                    done += ROOM;
                }
            } else if distance >= ROOM && len > distance {
                repeat_settled(to, distance, len);
            } else {
                R::many(to, distance, len);
            }
        }
        Some(())
    }
}
