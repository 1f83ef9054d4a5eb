//! Which instruction sets the kernels may use.

use std::sync::OnceLock;

/// A level of SIMD, each one including those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// Plain Rust: the definition of every kernel.
    Scalar,
    /// SSE2, and SSSE3 where the kernel says so.
    Sse2,
    /// AVX2.
    Avx2,
    /// AVX-512 F, BW, VL, VBMI and GFNI, all of them.
    Avx512,
}

impl Simd {
    /// Every level, lowest first.
    pub const ALL: [Simd; 4] = [Simd::Scalar, Simd::Sse2, Simd::Avx2, Simd::Avx512];

    /// The name that `BLOSC_SIMD` takes.
    pub fn name(self) -> &'static str {
        match self {
            Simd::Scalar => "scalar",
            Simd::Sse2 => "sse2",
            Simd::Avx2 => "avx2",
            Simd::Avx512 => "avx512",
        }
    }
}

/// The level that this machine has.
pub fn detected() -> Simd {
    static LEVEL: OnceLock<Simd> = OnceLock::new();
    *LEVEL.get_or_init(detect)
}

/// The level that kernels use: what the machine has, or less where `BLOSC_SIMD` (scalar, sse2, avx2, avx512) asks.
/// Output never depends on it; it exists for testing and for looking into a suspected kernel.
pub fn simd() -> Simd {
    static LEVEL: OnceLock<Simd> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let asked = std::env::var("BLOSC_SIMD").ok();
        let limit = asked.and_then(|name| Simd::ALL.into_iter().find(|level| level.name() == name));
        limit.map_or(detected(), |limit| limit.min(detected()))
    })
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Simd {
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("gfni");
    let avx2 = is_x86_feature_detected!("avx2");
    match (avx512, avx2) {
        (true, true) => Simd::Avx512,
        (_, true) => Simd::Avx2,
        // Part of the x86-64 baseline.
        _ => Simd::Sse2,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Simd {
    Simd::Scalar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_in_use_is_one_the_machine_has() {
        assert!(simd() <= detected());
        assert_eq!(Simd::ALL.map(Simd::name), ["scalar", "sse2", "avx2", "avx512"]);
    }
}
