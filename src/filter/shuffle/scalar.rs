//! The definition of the byte shuffle, and the kernel where there is no wide one.

/// Shuffles whole items.
///
/// # Panics
/// When `dst` is shorter than `src`.
pub fn shuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    shuffle_to(src, typesize, dst, src.len() / typesize);
}

/// Undoes [`shuffle`].
///
/// # Panics
/// When `src` is shorter than `dst`.
pub fn unshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    unshuffle_from(src, dst.len() / typesize, typesize, dst);
}

/// Shuffles whole items to streams that begin `stride` bytes apart.
pub(super) fn shuffle_to(src: &[u8], typesize: usize, dst: &mut [u8], stride: usize) {
    match typesize {
        2 => shuffle_fixed::<2>(src, dst, stride),
        4 => shuffle_fixed::<4>(src, dst, stride),
        8 => shuffle_fixed::<8>(src, dst, stride),
        16 => shuffle_fixed::<16>(src, dst, stride),
        _ => {
            for j in 0..typesize {
                for (item, out) in src.chunks_exact(typesize).zip(&mut dst[j * stride..]) {
                    *out = item[j];
                }
            }
        }
    }
}

/// Undoes [`shuffle_to`].
pub(super) fn unshuffle_from(src: &[u8], stride: usize, typesize: usize, dst: &mut [u8]) {
    match typesize {
        2 => unshuffle_fixed::<2>(src, stride, dst),
        4 => unshuffle_fixed::<4>(src, stride, dst),
        8 => unshuffle_fixed::<8>(src, stride, dst),
        16 => unshuffle_fixed::<16>(src, stride, dst),
        _ => {
            for j in 0..typesize {
                for (item, byte) in dst.chunks_exact_mut(typesize).zip(&src[j * stride..]) {
                    item[j] = *byte;
                }
            }
        }
    }
}

/// As [`shuffle_to`], with a typesize that the compiler knows.
fn shuffle_fixed<const T: usize>(src: &[u8], dst: &mut [u8], stride: usize) {
    for j in 0..T {
        for (item, out) in src.as_chunks::<T>().0.iter().zip(&mut dst[j * stride..]) {
            *out = item[j];
        }
    }
}

/// As [`unshuffle_from`], with a typesize that the compiler knows.
fn unshuffle_fixed<const T: usize>(src: &[u8], stride: usize, dst: &mut [u8]) {
    let items = dst.as_chunks_mut::<T>().0;
    let streams: [&[u8]; T] = std::array::from_fn(|j| &src[j * stride..][..items.len()]);
    for (i, item) in items.iter_mut().enumerate() {
        *item = std::array::from_fn(|j| streams[j][i]);
    }
}
