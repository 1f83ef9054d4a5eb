//! The reorderings, over the exported functions.

use crate::blosc::Blosc;
use crate::data::generator;
use crate::measure::{Case, Prepared};
use crate::placed::Placed;
use crate::rows;

const NBYTES: usize = 256 << 10;

type Kernel = fn(&'static Blosc) -> unsafe extern "C" fn(i32, i32, *const u8, *mut u8) -> i32;

pub fn cases() -> Vec<Case> {
    let kernels: [(&str, Kernel); 4] = [
        ("shuffle", |blosc| blosc.blosc2_shuffle),
        ("unshuffle", |blosc| blosc.blosc2_unshuffle),
        ("bitshuffle", |blosc| blosc.blosc2_bitshuffle),
        ("bitunshuffle", |blosc| blosc.blosc2_bitunshuffle),
    ];
    let mut cases = Vec::new();
    for (name, kernel) in kernels {
        for typesize in [2, 4, 8, 3, 5, 6, 7, 12, 16, 24, 32] {
            let row =
                if matches!(typesize, 2 | 4 | 8) { &rows::KERNELS_POWERS } else { &rows::KERNELS_OTHERS };
            let prepare = move |blosc| prepare(kernel(blosc), typesize);
            cases.push(Case::new(row, format!("{name}, typesize {typesize}"), prepare));
        }
    }
    cases
}

fn prepare(kernel: unsafe extern "C" fn(i32, i32, *const u8, *mut u8) -> i32, typesize: usize) -> Prepared {
    // Whole groups of eight items: what is left over, the C library's bitshuffle only copies.
    let nbytes = NBYTES / (8 * typesize) * 8 * typesize;
    let mut next = generator(1);
    let (mut src, mut dst) = (Placed::zeroed(nbytes), Placed::zeroed(nbytes));
    src.fill_with(|| next() as u8);
    let work = move || {
        // SAFETY: both buffers have that many bytes.
        let code = unsafe { kernel(typesize as i32, nbytes as i32, src.as_ptr(), dst.as_mut_ptr()) };
        assert!(code >= 0);
    };
    Prepared { nbytes: Some(nbytes), ..Prepared::steady(work) }
}
