//! Which instruction sets the kernels may use.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__cpuid, __cpuid_count};
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

/// How a processor repeats moves (`rep movsb`).
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moves {
    /// Slowly.
    Slow,
    /// Fast, but where the destination lies fewer bytes than that behind the source, modulo a page.
    FastFrom(usize),
}

/// How this processor repeats moves: fast if it says so, of short ones too, as those say that are fast with all, and is.
#[cfg(target_arch = "x86_64")]
pub fn repeated_moves() -> Moves {
    static MOVES: OnceLock<Moves> = OnceLock::new();
    *MOVES.get_or_init(|| {
        let most = __cpuid(0);
        let says_so = most.eax >= 7 && __cpuid_count(7, 0).edx & 1 << 4 != 0;
        let is_amd = is_amd([most.ebx, most.edx, most.ecx]);
        if !says_so || is_amd && family(__cpuid(1).eax) == SLOW_FAMILY {
            Moves::Slow
        } else {
            // A line, as measured on Zen 5; what others want, or more.
            Moves::FastFrom(if is_amd { 64 } else { 512 })
        }
    })
}

/// The family of processors that say so and are slow: Zen 3 and 4 (bug 30994 of glibc, which leaves the instruction alone on
/// them, too).
#[cfg(target_arch = "x86_64")]
const SLOW_FAMILY: u32 = 0x19;

#[cfg(target_arch = "x86_64")]
fn is_amd(vendor: [u32; 3]) -> bool {
    vendor.map(u32::to_le_bytes).as_flattened() == b"AuthenticAMD"
}

/// The family that a processor's signature tells.
#[cfg(target_arch = "x86_64")]
fn family(signature: u32) -> u32 {
    let (family, more) = (signature >> 8 & 0xf, signature >> 20 & 0xff);
    if family == 0xf { family + more } else { family }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_in_use_is_one_the_machine_has() {
        assert!(simd() <= detected());
        assert_eq!(Simd::ALL.map(Simd::name), ["scalar", "sse2", "avx2", "avx512"]);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn processors_are_told_by_their_signature() {
        // Zen 4, Zen 5, and one that is not AMD's.
        assert_eq!([0x00a1_0f11, 0x00b0_0f21, 0x0008_06f8].map(family), [0x19, 0x1a, 6]);
        assert!(
            is_amd([0x6874_7541, 0x6974_6e65, 0x444d_4163])
                && !is_amd([0x756e_6547, 0x4965_6e69, 0x6c65_746e])
        );
    }
}
