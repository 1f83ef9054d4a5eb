//! `b2 convert`: the same data in another frame.

use crate::compression::{Options, Shape, small};
use crate::failure::{At, Failure};
use crate::pack;
use crate::progress::Progress;
use crate::shapes::Cuts;
use crate::source::{Content, Place};
use crate::target::Target;
use blosc2::frame::checksums;
use blosc2::ndarray::meta::{CATERVA_NAME, NAME};
use blosc2::{Blueprint, CParams, NdArray, Storage, SuperChunk};
use std::path::PathBuf;

/// Copy a frame: contiguous or sparse, with another codec, with other chunks, without holes
#[derive(clap::Args)]
#[command(after_help = "Example: b2 convert array.b2nd copy.b2nd --to sparse --codec zstd --clevel 9\n\n\
    Chunks are taken over as they are where no option asks for others. Metalayers come along.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The frame to make
    output: PathBuf,
    /// Which kind of frame [default: the same]
    #[arg(long, value_enum)]
    to: Option<Kind>,
    #[command(flatten)]
    compression: Options,
    #[command(flatten)]
    cuts: Cuts,
    /// Overwrite the frame
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// One file
    Contiguous,
    /// A directory with a file per chunk
    Sparse,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let content = args.place.content()?;
    let target = Target::new(&args.output, args.force)?;
    let copy = args.copy(&content, &target).at(&args.place.path)?;
    pack::finish(copy, target, &args.output, json)
}

impl Args {
    fn copy(&self, content: &Content, target: &Target) -> Result<SuperChunk, Failure> {
        let schunk = content.schunk();
        let base = schunk.cparams();
        let mut cparams = self.compression.over(base);
        let again =
            cparams.codec != base.codec || cparams.clevel != base.clevel || cparams.filters != base.filters;
        // A plain copy keeps the blocks that its chunks have; new ones are as large as the new codec likes.
        if again && matches!(content, Content::Chunks(_)) {
            cparams.blocksize = 0;
        }
        let storage = Storage {
            contiguous: match self.to {
                Some(kind) => kind == Kind::Contiguous,
                None => schunk.is_contiguous(),
            },
            urlpath: Some(target.draft().to_owned()),
            cparams,
            checksums: schunk.has_checksums() || self.compression.checksums,
            ..Storage::default()
        };
        match content {
            Content::Array(array) => {
                let copy = self.blueprint(array, storage)?;
                let same = copy.chunkshape == array.layout().chunkshape()
                    && copy.blockshape == array.layout().blockshape();
                if again || !same { remade(array, &copy) } else { taken_over(schunk, copy.storage) }
            }
            Content::Chunks(_) if self.cuts.chunks.is_some() || self.cuts.blocks.is_some() => {
                self.rechunked(schunk, storage)
            }
            Content::Chunks(_) if again => recompressed(schunk, storage),
            Content::Chunks(_) => taken_over(schunk, storage),
        }
    }

    fn blueprint(&self, array: &NdArray, storage: Storage) -> Result<Blueprint, Failure> {
        let layout = array.layout();
        let shape = |given: &Option<Shape>, have: &[i32]| match given {
            None => Ok(have.to_vec()),
            Some(given) if given.0.len() == have.len() => small(given),
            Some(given) => Err(Failure::usage(format!(
                "chunks or blocks of {} dimensions for an array of {}",
                given.0.len(),
                have.len()
            ))),
        };
        let chunkshape = shape(&self.cuts.chunks, layout.chunkshape())?;
        let mut blockshape = shape(&self.cuts.blocks, layout.blockshape())?;
        // Blocks larger than the chunks asked for make no sense.
        blockshape.iter_mut().zip(&chunkshape).for_each(|(block, chunk)| *block = (*block).min(*chunk));
        let metas = array.schunk().metas();
        let own = [NAME, CATERVA_NAME].map(str::as_bytes);
        let others = metas.iter().filter(|meta| !own.contains(&meta.name()));
        Ok(Blueprint {
            storage,
            shape: layout.shape().to_vec(),
            chunkshape,
            blockshape,
            dtype: array.dtype().cloned(),
            metalayers: others.map(|meta| (meta.name().to_vec(), meta.content().to_vec())).collect(),
        })
    }

    /// A super-chunk cut into other chunks.
    fn rechunked(&self, schunk: &SuperChunk, mut storage: Storage) -> Result<SuperChunk, Failure> {
        let typesize = i64::from(schunk.typesize());
        if schunk.chunksize() == 0 || schunk.has_vl_blocks() {
            return Err(Failure::new("its chunks vary in size, and cannot be cut anew"));
        }
        let items = |given: &Option<Shape>, have: i32| match given.as_ref().map(|shape| shape.0.as_slice()) {
            None => Ok(have),
            Some(&[n]) if n > 0 => {
                i32::try_from(n.saturating_mul(typesize)).map_err(|_| Failure::usage("too many items"))
            }
            Some(_) => Err(Failure::usage("a super-chunk has one dimension")),
        };
        let chunksize = items(&self.cuts.chunks, schunk.chunksize())?;
        storage.cparams.blocksize = items(&self.cuts.blocks, 0)?.min(chunksize);
        let mut copy = like(schunk, storage)?;
        let progress = Progress::of_bytes("Converting", schunk.nbytes() as u64);
        let (nitems, step) = (schunk.nbytes() / typesize, (i64::from(chunksize) / typesize).max(1));
        let mut buffer = Vec::new();
        for start in (0..nitems).step_by(step as usize) {
            let stop = (start + step).min(nitems);
            buffer.resize(((stop - start) * typesize) as usize, 0);
            schunk.get_slice(start, stop, &mut buffer)?;
            copy.append_buffer(&buffer)?;
            progress.add(buffer.len() as u64);
        }
        finish(schunk, copy)
    }
}

/// An array compressed again, perhaps in other chunks.
fn remade(array: &NdArray, blueprint: &Blueprint) -> Result<SuperChunk, Failure> {
    let progress = Progress::of_bytes("Converting", array.layout().nbytes() as u64);
    let ndim = array.shape().len();
    let copy = NdArray::from_source(blueprint, &|region, items| {
        let (start, stop) = (&region.start()[..ndim], &region.stop()[..ndim]);
        array.get_slice(start, stop, items, &region.shape()[..ndim])?;
        progress.add(items.len() as u64);
        Ok(())
    })?;
    finish(array.schunk(), copy.into_schunk())
}

/// The same chunks, one after the other.
fn taken_over(schunk: &SuperChunk, storage: Storage) -> Result<SuperChunk, Failure> {
    let mut copy = like(schunk, storage)?;
    if schunk.chunksize() > 0 {
        copy.set_chunksize(schunk.chunksize());
    }
    copy.set_blocksize(schunk.blocksize());
    let progress = Progress::of_bytes("Converting", schunk.nbytes() as u64);
    for n in 0..schunk.nchunks() {
        let chunk = schunk.chunk(n)?;
        progress.add(blosc2::chunk::ChunkHeader::parse(&chunk)?.nbytes() as u64);
        copy.append_chunk(chunk.into_owned()?)?;
    }
    finish(schunk, copy)
}

/// The same chunks of data, compressed again.
fn recompressed(schunk: &SuperChunk, storage: Storage) -> Result<SuperChunk, Failure> {
    if schunk.has_vl_blocks() {
        return Err(Failure::new("chunks of blocks that vary in size cannot be compressed again"));
    }
    let mut copy = like(schunk, storage)?;
    let progress = Progress::of_bytes("Converting", schunk.nbytes() as u64);
    let mut buffer = Vec::new();
    for n in 0..schunk.nchunks() {
        buffer.resize(schunk.chunk_info(n)?.nbytes(), 0);
        schunk.decompress_chunk(n, &mut buffer)?;
        copy.append_buffer(&buffer)?;
        progress.add(buffer.len() as u64);
    }
    finish(schunk, copy)
}

/// An empty super-chunk with the same metalayers of fixed size.
fn like(schunk: &SuperChunk, storage: Storage) -> Result<SuperChunk, Failure> {
    let mut copy = SuperChunk::new(storage)?;
    for meta in schunk.metas().iter() {
        copy.meta_add(meta.name(), meta.content())?;
    }
    Ok(copy)
}

/// Takes the other metalayers along.
fn finish(schunk: &SuperChunk, mut copy: SuperChunk) -> Result<SuperChunk, Failure> {
    let cparams = CParams::default();
    for meta in schunk.vlmetas()?.iter().filter(|meta| meta.name() != checksums::NAME) {
        let content = schunk.vlmeta_get(meta.name())?;
        copy.vlmeta_add(meta.name(), &content, Some(&cparams))?;
    }
    Ok(copy)
}
