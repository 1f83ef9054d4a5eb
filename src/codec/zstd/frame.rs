//! How a frame of one block begins (RFC 8878, 3.1.1): what short streams have in common.

pub(super) mod write;

/// How a frame begins.
pub(super) const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();
/// What follows: the content's length, in one byte below 256, else, less 256, in two; and all of it is one segment.
pub(super) const SINGLE_SEGMENT: u8 = 1 << 5;
pub(super) const TWO_BYTES: u8 = 1 << 6;
pub(super) const LESS: usize = 256;
/// Bytes of a block's header; what it says of one that is the last, and has literals and matches.
pub(super) const BLOCK_HEADER: usize = 3;
pub(super) const LAST_COMPRESSED: usize = 1 | 2 << 1;

/// The content's length, and the block, in a frame that has one, compressed, and nothing behind it.
#[inline(always)]
pub(super) fn only_block(src: &[u8]) -> Option<(usize, &[u8])> {
    let (len, rest) = content_len(src)?;
    let (header, block) = rest.split_first_chunk::<BLOCK_HEADER>()?;
    let [low, middle, high] = header.map(usize::from);
    ((low | middle << 8 | high << 16) == (LAST_COMPRESSED | block.len() << 3)).then_some((len, block))
}

/// The content's length, and what follows the frame's header.
#[inline(always)]
fn content_len(src: &[u8]) -> Option<(usize, &[u8])> {
    let rest = src.strip_prefix(&MAGIC)?;
    let (&descriptor, rest) = rest.split_first()?;
    if descriptor == SINGLE_SEGMENT {
        let (&len, rest) = rest.split_first()?;
        Some((usize::from(len), rest))
    } else if descriptor == SINGLE_SEGMENT | TWO_BYTES {
        let (&len, rest) = rest.split_first_chunk()?;
        Some((usize::from(u16::from_le_bytes(len)) + LESS, rest))
    } else {
        None
    }
}
