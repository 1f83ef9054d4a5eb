//! The definition of the byte shuffle, and the kernel where there is no wide one.

/// Shuffles whole items.
///
/// # Panics
/// When the lengths differ or are not a multiple of `typesize`.
pub fn shuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    assert_eq!(src.len() % typesize, 0);
    match typesize {
        2 => shuffle_fixed::<2>(src, dst),
        4 => shuffle_fixed::<4>(src, dst),
        8 => shuffle_fixed::<8>(src, dst),
        16 => shuffle_fixed::<16>(src, dst),
        _ => shuffle_any(typesize, src, dst),
    }
}

/// Undoes [`shuffle`].
///
/// # Panics
/// When the lengths differ or are not a multiple of `typesize`.
pub fn unshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    assert_eq!(src.len() % typesize, 0);
    match typesize {
        2 => unshuffle_fixed::<2>(src, dst),
        4 => unshuffle_fixed::<4>(src, dst),
        8 => unshuffle_fixed::<8>(src, dst),
        16 => unshuffle_fixed::<16>(src, dst),
        _ => unshuffle_any(typesize, src, dst),
    }
}

fn shuffle_any(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let n = src.len() / typesize;
    if n == 0 {
        return;
    }
    for (j, stream) in dst.chunks_exact_mut(n).enumerate() {
        for (item, out) in src.chunks_exact(typesize).zip(stream) {
            *out = item[j];
        }
    }
}

fn unshuffle_any(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let n = src.len() / typesize;
    if n == 0 {
        return;
    }
    for (j, stream) in src.chunks_exact(n).enumerate() {
        for (item, byte) in dst.chunks_exact_mut(typesize).zip(stream) {
            item[j] = *byte;
        }
    }
}

/// As [`shuffle_any`], with a typesize that the compiler knows.
fn shuffle_fixed<const T: usize>(src: &[u8], dst: &mut [u8]) {
    let n = src.len() / T;
    if n == 0 {
        return;
    }
    let (items, _) = src.as_chunks::<T>();
    for (j, stream) in dst.chunks_exact_mut(n).enumerate() {
        for (item, out) in items.iter().zip(stream) {
            *out = item[j];
        }
    }
}

/// As [`unshuffle_any`], with a typesize that the compiler knows.
fn unshuffle_fixed<const T: usize>(src: &[u8], dst: &mut [u8]) {
    let n = src.len() / T;
    if n == 0 {
        return;
    }
    let streams: [&[u8]; T] = std::array::from_fn(|j| &src[j * n..][..n]);
    let (items, _) = dst.as_chunks_mut::<T>();
    for (i, item) in items.iter_mut().enumerate() {
        *item = std::array::from_fn(|j| streams[j][i]);
    }
}
