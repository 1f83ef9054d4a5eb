//! The filters of a block, one after another.
//!
//! The slots become the steps that have something to do. A step that works in place stays in the buffer it finds; any
//! other moves the block to the other buffer. Backward, the first target is chosen so that the last move ends in the
//! destination.

use super::bytedelta::{self, Flavor};
use super::delta::{self, Reference};
use super::registry::{self, UserCall};
use super::*;
use crate::base::buffer::Buffer;
use crate::base::copy::copy;
use crate::base::params::{FilterSlot, FilterSlots, NdShape};
use crate::base::{ErrorKind, Result};
use crate::fail;
use std::borrow::Cow;

/// What the filters need to know about a block beyond its bytes.
#[derive(Clone, Copy, Debug)]
pub struct BlockCtx<'a> {
    /// Bytes per item, as in the chunk's header; at least 1.
    pub typesize: usize,
    /// Where the block starts in its chunk, in bytes. Blocks of variable length stand alone: 0 for each.
    pub offset: usize,
    /// For delta, when `offset` is not 0: the bytes that block 0 of the chunk decodes to.
    pub reference: Option<&'a [u8]>,
    /// The array that the chunk belongs to, if any.
    pub nd: Option<&'a NdShape>,
    /// Bytes per item of the super-chunk that the chunk belongs to, if any. It can exceed what a chunk's header says.
    pub schunk_typesize: Option<usize>,
    /// The chunk's format version is 2: it was written by Blosc1.
    pub blosc1: bool,
    /// A word that is passed to users' filters.
    pub token: usize,
}

impl<'a> BlockCtx<'a> {
    /// Block 0 of a chunk with items of `typesize` bytes that belongs to nothing.
    pub fn new(typesize: usize) -> Self {
        BlockCtx {
            typesize: typesize.max(1),
            offset: 0,
            reference: None,
            nd: None,
            schunk_typesize: None,
            blosc1: false,
            token: 0,
        }
    }

    fn reference(&self) -> Result<Reference<'a>> {
        match self.reference {
            _ if self.offset == 0 => Ok(Reference::Itself),
            Some(block0) => Ok(Reference::Block0(block0)),
            None => fail!(FilterPipeline, "delta of the block at {} without block 0", self.offset),
        }
    }

    /// The number of streams that bytedelta's parameter means.
    fn streams(&self, meta: u8) -> Result<usize> {
        match (meta, self.schunk_typesize) {
            (0, Some(typesize)) if typesize > 0 => Ok(typesize),
            (0, _) => {
                fail!(Failure, "bytedelta's parameter is 0 and there is no super-chunk to take it from")
            }
            (meta, _) => Ok(meta.into()),
        }
    }

    /// Bytes per item of the array, for the filters that know its cells.
    fn array_typesize(&self) -> usize {
        self.schunk_typesize.unwrap_or(self.typesize)
    }

    fn call(&self, slot: &FilterSlot) -> UserCall {
        UserCall {
            id: slot.id,
            meta: slot.meta,
            typesize: self.typesize,
            offset: self.offset,
            token: self.token,
        }
    }
}

/// The intermediate blocks of a thread, kept between blocks.
#[derive(Default)]
pub struct Scratch {
    /// A filtered block, on its way to the codec or from it.
    pub filtered: Buffer,
    /// A block between two filters.
    pub between: Buffer,
}

/// Filters a block. The result is in `src` when no filter applies, otherwise in `scratch`.
///
/// # Errors
/// `FilterPipeline` when a filter is unknown, refuses its parameters or fails.
pub fn forward<'b>(
    slots: &FilterSlots,
    ctx: &BlockCtx,
    src: &'b [u8],
    scratch: &'b mut Scratch,
) -> Result<&'b [u8]> {
    let (mut here, mut there) = (&mut scratch.filtered, &mut scratch.between);
    let len = src.len();
    let mut filtered = false;
    for slot in slots.iter().filter(|slot| acts_forward(slot, ctx.typesize)) {
        let done = if !filtered {
            apply_forward(slot, ctx, src, here.sized(len))
        } else if stays_forward(slot, ctx) {
            apply_forward_in_place(slot, ctx, here.sized(len))
        } else {
            std::mem::swap(&mut here, &mut there);
            apply_forward(slot, ctx, there.sized(len), here.sized(len))
        };
        done.map_err(|e| e.as_kind(ErrorKind::FilterPipeline))?;
        filtered = true;
    }
    Ok(if filtered { here.sized(len) } else { src })
}

/// Undoes [`forward`]: takes the filtered block `src` to the original in `dst`, which is as long. `between` is for blocks
/// between two filters.
///
/// # Errors
/// `FilterPipeline` when a filter is not registered, or delta lacks block 0; `Failure` when a filter does not exist or
/// refuses the block; whatever a user's filter fails with.
pub fn backward(
    slots: &FilterSlots,
    ctx: &BlockCtx,
    src: &[u8],
    between: &mut Buffer,
    dst: &mut [u8],
) -> Result<()> {
    let steps = Backward::new(slots, ctx.typesize);
    let Some((first, rest)) = steps.split_first() else {
        copy(src, dst);
        return Ok(());
    };
    let moves = rest.iter().filter(|slot| !stays_backward(slot)).count();
    let mut here = dst;
    let mut there: &mut [u8] = if moves > 0 { between.sized(src.len()) } else { &mut [] };
    if !moves.is_multiple_of(2) {
        std::mem::swap(&mut here, &mut there);
    }
    apply_backward(first, ctx, src, here)?;
    for slot in rest {
        if stays_backward(slot) {
            apply_backward_in_place(slot, ctx, here)?;
        } else {
            apply_backward(slot, ctx, here, there)?;
            std::mem::swap(&mut here, &mut there);
        }
    }
    Ok(())
}

/// [`backward`] of a block that lies in its destination already. Free of copies when [`is_in_place`].
///
/// # Errors
/// As [`backward`].
pub fn backward_in_place(
    slots: &FilterSlots,
    ctx: &BlockCtx,
    scratch: &mut Scratch,
    buf: &mut [u8],
) -> Result<()> {
    if !is_in_place(slots, ctx.typesize) {
        let src = scratch.filtered.sized(buf.len());
        copy(buf, src);
        return backward(slots, ctx, src, &mut scratch.between, buf);
    }
    Backward::new(slots, ctx.typesize).iter().try_for_each(|slot| apply_backward_in_place(slot, ctx, buf))
}

/// Whether a block's filters, if any, can be undone in place: decode it straight into its destination.
pub fn is_in_place(slots: &FilterSlots, typesize: usize) -> bool {
    Backward::new(slots, typesize).iter().all(stays_backward)
}

/// Whether a block's filters, if any, leave it as it is when it is compressed.
pub fn is_identity(slots: &FilterSlots, typesize: usize) -> bool {
    !slots.iter().any(|slot| acts_forward(slot, typesize))
}

/// Where the bytes of a range of items are in a filtered block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Where they were: no filter has anything to undo.
    Nowhere,
    /// In as many streams, a shuffle being all there is to undo.
    Streams(usize),
    /// In eight streams of bits for each byte of the type, a bit shuffle being all there is to undo.
    Bits,
    /// Anywhere.
    Everywhere,
}

/// How the filters of a block spread its items, for those who want to undo them for some only.
pub fn spread(slots: &FilterSlots, typesize: usize) -> Spread {
    match Backward::new(slots, typesize)[..] {
        [] => Spread::Nowhere,
        [slot] => spread_by(slot, typesize),
        _ => Spread::Everywhere,
    }
}

/// [`spread`] of a pipeline that has but this filter.
#[inline]
pub fn spread_by(slot: FilterSlot, typesize: usize) -> Spread {
    match slot.id {
        _ if !acts_backward(&slot, typesize) => Spread::Nowhere,
        SHUFFLE => Spread::Streams(shuffle_streams(&slot, typesize)),
        BITSHUFFLE => Spread::Bits,
        _ => Spread::Everywhere,
    }
}

/// Whether a block's filters look at block 0 of its chunk.
pub fn uses_reference(slots: &FilterSlots) -> bool {
    slots.iter().any(|slot| slot.id == DELTA)
}

/// What the other blocks of a chunk are compared with when they are compressed ([`BlockCtx::reference`]): the bytes
/// that block 0 will decode to. Those are `block0` itself unless a filter is lossy.
///
/// # Errors
/// As [`forward`].
pub fn delta_reference<'b>(
    slots: &FilterSlots,
    ctx: &BlockCtx,
    block0: &'b [u8],
    scratch: &mut Scratch,
) -> Result<Cow<'b, [u8]>> {
    if !uses_reference(slots) || !slots.iter().any(|slot| matches!(slot.id, TRUNC_PREC | INT_TRUNC | NDMEAN))
    {
        return Ok(Cow::Borrowed(block0));
    }
    let ctx = BlockCtx { offset: 0, ..*ctx };
    let filtered = forward(slots, &ctx, block0, scratch)?.to_vec();
    let mut decoded = vec![0; block0.len()];
    backward(slots, &ctx, &filtered, &mut scratch.between, &mut decoded)?;
    Ok(Cow::Owned(decoded))
}

/// The slots that have something to undo, in the order of undoing.
struct Backward {
    steps: FilterSlots,
    len: usize,
}

impl Backward {
    fn new(slots: &FilterSlots, typesize: usize) -> Self {
        let mut steps = Backward { steps: FilterSlots::default(), len: 0 };
        for slot in slots.iter().rev().filter(|slot| acts_backward(slot, typesize)) {
            steps.steps[steps.len] = *slot;
            steps.len += 1;
        }
        steps
    }
}

impl std::ops::Deref for Backward {
    type Target = [FilterSlot];
    fn deref(&self) -> &[FilterSlot] {
        &self.steps[..self.len]
    }
}

/// The number of streams that a shuffle makes: its parameter, or one per byte of the type.
fn shuffle_streams(slot: &FilterSlot, typesize: usize) -> usize {
    if slot.meta == 0 { typesize } else { slot.meta.into() }
}

fn acts_forward(slot: &FilterSlot, typesize: usize) -> bool {
    match slot.id {
        NOFILTER => false,
        SHUFFLE => shuffle_streams(slot, typesize) > 1,
        _ => true,
    }
}

fn acts_backward(slot: &FilterSlot, typesize: usize) -> bool {
    acts_forward(slot, typesize) && (is_left_out(slot.id) || !matches!(slot.id, TRUNC_PREC | INT_TRUNC))
}

/// Whether a filter can work in place when compressing.
fn stays_forward(slot: &FilterSlot, ctx: &BlockCtx) -> bool {
    match slot.id {
        id if is_left_out(id) => false,
        TRUNC_PREC | INT_TRUNC => true,
        DELTA => ctx.offset > 0,
        _ => false,
    }
}

/// Whether a filter can work in place when decompressing.
fn stays_backward(slot: &FilterSlot) -> bool {
    !is_left_out(slot.id) && matches!(slot.id, DELTA | BYTEDELTA | BYTEDELTA_OLD)
}

fn apply_forward(slot: &FilterSlot, ctx: &BlockCtx, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let (typesize, meta) = (ctx.typesize, slot.meta);
    match slot.id {
        id if is_left_out(id) => return Err(registry::missing(id)),
        SHUFFLE => shuffle::shuffle(shuffle_streams(slot, typesize), src, dst),
        BITSHUFFLE => bitshuffle::bitshuffle(typesize, src, dst),
        DELTA => delta::forward(typesize, ctx.reference()?, src, dst)?,
        TRUNC_PREC => mantissa::forward(typesize, meta, src, dst)?,
        INT_TRUNC => int_trunc::forward(typesize, meta, src, dst)?,
        BYTEDELTA => bytedelta::forward(Flavor::Current, ctx.streams(meta)?, src, dst),
        BYTEDELTA_OLD => bytedelta::forward(Flavor::Old, ctx.streams(meta)?, src, dst),
        NDCELL => ndcell::forward(ctx.nd, ctx.array_typesize(), meta, src, dst)?,
        NDMEAN => ndmean::forward(ctx.nd, ctx.array_typesize(), meta, src, dst)?,
        id => registry::find(id)?.forward(&ctx.call(slot), src, dst)?,
    }
    Ok(())
}

/// For filters that [`stays_forward`] allows.
fn apply_forward_in_place(slot: &FilterSlot, ctx: &BlockCtx, buf: &mut [u8]) -> Result<()> {
    match slot.id {
        TRUNC_PREC => mantissa::forward_in_place(ctx.typesize, slot.meta, buf),
        INT_TRUNC => int_trunc::forward_in_place(ctx.typesize, slot.meta, buf),
        // The difference to another block is its own inverse.
        _ => delta::backward_in_place(ctx.typesize, ctx.reference()?, buf),
    }
}

fn apply_backward(slot: &FilterSlot, ctx: &BlockCtx, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let (typesize, meta) = (ctx.typesize, slot.meta);
    match slot.id {
        id if is_left_out(id) => return Err(registry::missing(id)),
        SHUFFLE => shuffle::unshuffle(shuffle_streams(slot, typesize), src, dst),
        BITSHUFFLE if ctx.blosc1 => bitshuffle::bitunshuffle_blosc1(typesize, src, dst),
        BITSHUFFLE => bitshuffle::bitunshuffle(typesize, src, dst),
        DELTA => delta::backward(typesize, ctx.reference()?, src, dst)?,
        BYTEDELTA => bytedelta::backward(Flavor::Current, ctx.streams(meta)?, src, dst),
        BYTEDELTA_OLD => bytedelta::backward(Flavor::Old, ctx.streams(meta)?, src, dst),
        NDCELL => ndcell::backward(ctx.nd, ctx.array_typesize(), meta, src, dst)?,
        NDMEAN => ndmean::backward(ctx.nd, ctx.array_typesize(), meta, src, dst)?,
        id => registry::find(id)?.backward(&ctx.call(slot), src, dst)?,
    }
    Ok(())
}

/// For filters that [`stays_backward`] allows.
fn apply_backward_in_place(slot: &FilterSlot, ctx: &BlockCtx, buf: &mut [u8]) -> Result<()> {
    match slot.id {
        BYTEDELTA => bytedelta::backward_in_place(Flavor::Current, ctx.streams(slot.meta)?, buf),
        BYTEDELTA_OLD => bytedelta::backward_in_place(Flavor::Old, ctx.streams(slot.meta)?, buf),
        _ => delta::backward_in_place(ctx.typesize, ctx.reference()?, buf)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests;
