//! Rounds with copies by the widest registers.
#![allow(unsafe_code)] // the call of what was asked for

use super::avx2::{self, Wide};
use super::codes::Tables;
use super::source::Source;
use super::{Stop, rounds};
use crate::base::cpu::{self, Simd};
use crate::codec::copy::avx512::Avx512;

/// As the plain loop.
///
/// # Panics
/// On a machine without AVX-512.
pub(super) fn fast(tables: &Tables, source: &mut Source, dst: &mut [u8], filled: &mut usize) -> Option<Stop> {
    assert!(cpu::detected() >= Simd::Avx512 && avx2::is_there());
    // SAFETY: the machine has what it needs.
    unsafe { rounds_of(tables, source, dst, filled) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt")]
fn rounds_of(tables: &Tables, source: &mut Source, dst: &mut [u8], filled: &mut usize) -> Option<Stop> {
    rounds::<Wide<Avx512>>(tables, source, dst, filled)
}
