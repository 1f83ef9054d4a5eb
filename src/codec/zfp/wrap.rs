//! Calls into the ZFP library.
//!
//! The library trusts the bits that it reads: what a stream says decides how far it reads. So it never reads a caller's
//! bytes, but a copy with as many zeros behind it as any stream for the block can make it read. The copy is also aligned,
//! as the library's words and values have to be.
#![allow(unsafe_code)] // calls into libzfp, over buffers of this file

use super::{MAX_CELL, Mode, Scalar, Task};
use crate::base::{Error, ErrorKind, Result};
use crate::fail;
use std::ops::Range;
use std::ptr::NonNull;
use zfp_sys as c;

/// What a thread keeps for ZFP: aligned memory.
#[derive(Default)]
pub struct State {
    bits: Vec<u64>,
    items: Vec<u64>,
}

/// Bytes of the library's words.
const WORD: usize = 8;

impl State {
    pub(super) fn compress(&mut self, task: &Task, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let coder = Coder::new(task)?;
        fill(&mut self.items, src, src.len().div_ceil(WORD));
        let field = Field::new(task, &mut self.items)?;
        // SAFETY: both are live.
        let most = unsafe { c::zfp_stream_maximum_size(coder.0.as_ptr(), field.0.as_ptr()) };
        fill(&mut self.bits, &[], words_for(most));
        let len = {
            let _bits = coder.attach(&mut self.bits)?;
            // SAFETY: both are live; the field's values are `items`, the stream's words `bits`, which has room for
            // whatever the library can write for this field.
            unsafe { c::zfp_compress(coder.0.as_ptr(), field.0.as_ptr()) }
        };
        if len == 0 || len >= src.len() || len > dst.len() {
            return Ok(0);
        }
        bytes_of(&self.bits, &mut dst[..len]);
        Ok(len)
    }

    pub(super) fn decompress(&mut self, task: &Task, src: &[u8], dst: &mut [u8]) -> Result<()> {
        let coder = Coder::new(task)?;
        fill(&mut self.items, &[], dst.len().div_ceil(WORD));
        let field = Field::new(task, &mut self.items)?;
        // SAFETY: both are live.
        let most = unsafe { c::zfp_stream_maximum_size(coder.0.as_ptr(), field.0.as_ptr()) };
        let src = &src[..src.len().min(most)];
        fill(&mut self.bits, src, words_for(most));
        let read = {
            let _bits = coder.attach(&mut self.bits)?;
            // SAFETY: both are live; the field's values are `items`, as many as the task says; the stream's words are
            // `bits`, at least as many as any stream for this field takes.
            unsafe { c::zfp_decompress(coder.0.as_ptr(), field.0.as_ptr()) }
        };
        if read == 0 {
            fail!(Data, "ZFP could not decompress a stream of {} bytes", src.len());
        }
        bytes_of(&self.items, dst);
        Ok(())
    }

    pub(super) fn items(
        &mut self,
        task: &Task,
        src: &[u8],
        items: Range<usize>,
        dst: &mut [u8],
    ) -> Result<()> {
        let coder = Coder::new(task)?;
        // SAFETY: the stream is live.
        let cell_bits = unsafe { (*coder.0.as_ptr()).maxbits } as usize;
        let typesize = task.typesize();
        let mut cell = [0u64; MAX_CELL];
        let mut decoded = None;
        for (n, item) in items.zip(dst.chunks_exact_mut(typesize)) {
            let (number, place) = task.locate(n);
            if decoded != Some(number) {
                self.cell(task, &coder, src, number, cell_bits, &mut cell)?;
                decoded = Some(number);
            }
            let at = place * typesize;
            item.copy_from_slice(&cell[at / WORD].to_ne_bytes()[at % WORD..][..typesize]);
        }
        Ok(())
    }

    /// Decodes cell `number` of a stream of fixed rate; the values stand in `cell` one after another.
    fn cell(
        &mut self,
        task: &Task,
        coder: &Coder,
        src: &[u8],
        number: usize,
        cell_bits: usize,
        cell: &mut [u64; MAX_CELL],
    ) -> Result<()> {
        let start = number.checked_mul(cell_bits).filter(|start| start + cell_bits <= src.len() * 8);
        let Some(start) = start else {
            fail!(Data, "a ZFP stream of {} bytes has no cell {number}", src.len())
        };
        let from = start / 64 * WORD;
        let len = (cell_bits / 8 + 2 * WORD).min(src.len() - from);
        fill(&mut self.bits, &src[from..from + len], words_for(cell_bits.div_ceil(8)));
        let bits = coder.attach(&mut self.bits)?;
        let zfp = coder.0.as_ptr();
        // SAFETY: the streams are live; the cell's bits are all in `bits`, with words to spare behind them; `cell` has
        // room for the most values that a cell can have, of the larger type, and is aligned for it.
        let read = unsafe {
            c::stream_rseek(bits.0.as_ptr(), (start % 64) as _);
            let (floats, doubles) = (cell.as_mut_ptr().cast::<f32>(), cell.as_mut_ptr().cast::<f64>());
            match (task.scalar, task.ndim) {
                (Scalar::Float, 1) => c::zfp_decode_block_float_1(zfp, floats),
                (Scalar::Float, 2) => c::zfp_decode_block_float_2(zfp, floats),
                (Scalar::Float, 3) => c::zfp_decode_block_float_3(zfp, floats),
                (Scalar::Float, _) => c::zfp_decode_block_float_4(zfp, floats),
                (Scalar::Double, 1) => c::zfp_decode_block_double_1(zfp, doubles),
                (Scalar::Double, 2) => c::zfp_decode_block_double_2(zfp, doubles),
                (Scalar::Double, 3) => c::zfp_decode_block_double_3(zfp, doubles),
                (Scalar::Double, _) => c::zfp_decode_block_double_4(zfp, doubles),
            }
        };
        if read == 0 {
            fail!(Data, "ZFP could not decode cell {number} of a stream");
        }
        Ok(())
    }
}

/// Words for so many bytes, and some to spare: the library reads and writes whole words.
fn words_for(nbytes: usize) -> usize {
    nbytes.div_ceil(WORD) + 4
}

/// Makes `words` hold `bytes` and zeros, at least `n` words.
fn fill(words: &mut Vec<u64>, bytes: &[u8], n: usize) {
    words.clear();
    words.extend(bytes.chunks(WORD).map(|part| {
        let mut word = [0; WORD];
        word[..part.len()].copy_from_slice(part);
        u64::from_ne_bytes(word)
    }));
    words.resize(words.len().max(n), 0);
}

/// The bytes that `words` hold, as many as `bytes` has room for.
fn bytes_of(words: &[u64], bytes: &mut [u8]) {
    for (part, word) in bytes.chunks_mut(WORD).zip(words) {
        part.copy_from_slice(&word.to_ne_bytes()[..part.len()]);
    }
}

/// A `zfp_stream`, owned, with its mode set.
struct Coder(NonNull<c::zfp_stream>);

impl Coder {
    fn new(task: &Task) -> Result<Self> {
        // SAFETY: a stream may be opened without bits; null is handled.
        let coder =
            Coder(NonNull::new(unsafe { c::zfp_stream_open(std::ptr::null_mut()) }).ok_or_else(no_memory)?);
        let zfp = coder.0.as_ptr();
        // SAFETY: the stream is live.
        unsafe {
            match task.mode {
                Mode::Accuracy(tolerance) => {
                    c::zfp_stream_set_accuracy(zfp, tolerance);
                }
                Mode::Precision(bits) => {
                    c::zfp_stream_set_precision(zfp, bits);
                }
                Mode::Rate(rate) => {
                    c::zfp_stream_set_rate(zfp, rate, kind(task.scalar), task.ndim as _, 0);
                }
            }
        }
        Ok(coder)
    }

    /// Makes the coder read from and write to `words`, from the first on, for as long as the answer lives.
    fn attach<'a>(&'a self, words: &'a mut [u64]) -> Result<Bits<'a>> {
        let nbytes = std::mem::size_of_val(words);
        // SAFETY: nbytes aligned bytes that stay borrowed while the bit stream lives; null is handled.
        let raw = unsafe { c::stream_open(words.as_mut_ptr().cast(), nbytes as _) };
        let bits = Bits(NonNull::new(raw).ok_or_else(no_memory)?, self);
        // SAFETY: both streams are live.
        unsafe {
            c::zfp_stream_set_bit_stream(self.0.as_ptr(), raw);
            c::zfp_stream_rewind(self.0.as_ptr());
        }
        Ok(bits)
    }
}

impl Drop for Coder {
    fn drop(&mut self) {
        // SAFETY: opened by zfp_stream_open, closed once; its bit stream is not closed with it.
        unsafe { c::zfp_stream_close(self.0.as_ptr()) };
    }
}

/// A `bitstream`, owned, attached to a coder.
struct Bits<'a>(NonNull<c::bitstream>, &'a Coder);

impl Drop for Bits<'_> {
    fn drop(&mut self) {
        // SAFETY: the coder is live and forgets the bit stream before that is closed, once.
        unsafe {
            c::zfp_stream_set_bit_stream(self.1.0.as_ptr(), std::ptr::null_mut());
            c::stream_close(self.0.as_ptr());
        }
    }
}

/// A `zfp_field`, owned, over a block's values.
struct Field(NonNull<c::zfp_field>);

impl Field {
    /// The field of a task over `items`, which hold the block and have to stay in their place while it is used.
    fn new(task: &Task, items: &mut [u64]) -> Result<Self> {
        debug_assert!(task.nbytes().is_some_and(|nbytes| nbytes <= std::mem::size_of_val(items)));
        let (data, kind, n) = (items.as_mut_ptr().cast(), kind(task.scalar), task.extents);
        // SAFETY: making a field touches no values; null is handled.
        let raw = unsafe {
            match task.ndim {
                1 => c::zfp_field_1d(data, kind, n[0] as _),
                2 => c::zfp_field_2d(data, kind, n[1] as _, n[0] as _),
                3 => c::zfp_field_3d(data, kind, n[2] as _, n[1] as _, n[0] as _),
                _ => c::zfp_field_4d(data, kind, n[3] as _, n[2] as _, n[1] as _, n[0] as _),
            }
        };
        NonNull::new(raw).map(Field).ok_or_else(no_memory)
    }
}

impl Drop for Field {
    fn drop(&mut self) {
        // SAFETY: made by zfp_field_Nd, freed once; the values are not its own.
        unsafe { c::zfp_field_free(self.0.as_ptr()) };
    }
}

fn kind(scalar: Scalar) -> c::zfp_type {
    match scalar {
        Scalar::Float => c::zfp_type_zfp_type_float,
        Scalar::Double => c::zfp_type_zfp_type_double,
    }
}

fn no_memory() -> Error {
    Error::new(ErrorKind::MemoryAlloc, "no memory for ZFP")
}
