//! Everything in a frame, read.

use super::{Decoding, Finding, Part, decode};
use crate::base::params::DParams;
use crate::base::{Error, ErrorKind, Result};
use crate::chunk::ChunkHeader;
use crate::frame::{Contents, DiskFrame, FrameKind, Index, Place, checksums};
use crate::io::Backend;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// What a look at a frame came to.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Chunks by the index; 0 when there was none to be read.
    pub nchunks: i64,
    /// Chunks of which all bytes were decompressed, or that have none.
    pub good: i64,
    /// How many findings were reported.
    pub findings: u64,
    /// Bytes that belong to no chunk, where chunks lie in the frame.
    pub holes: u64,
    /// What the frame says about itself, where it could be opened.
    pub contents: Option<Contents>,
}

/// Reads all of a frame. `report` gets what is wrong, as it is found, and may end the search.
///
/// # Errors
/// [`ErrorKind::FileOpen`] and the like when there is no file to look at.
pub fn verify(
    io: &Arc<dyn Backend>,
    path: &Path,
    offset: u64,
    decoding: Decoding<'_>,
    report: &mut dyn FnMut(&Finding) -> ControlFlow<()>,
) -> Result<Verdict> {
    let disk = DiskFrame::open(io.clone(), path, offset)?;
    let _lock = disk.lock().filter(|_| disk.exists()).map(|lock| lock.shared()).transpose()?;
    let mut search = Search { disk: &disk, report, verdict: Verdict::default() };
    // Ended early or not, what was found is told.
    let _ = search.run(decoding)?;
    Ok(search.verdict)
}

struct Search<'a> {
    disk: &'a DiskFrame,
    report: &'a mut dyn FnMut(&Finding) -> ControlFlow<()>,
    verdict: Verdict,
}

impl Search<'_> {
    fn run(&mut self, decoding: Decoding<'_>) -> Result<ControlFlow<()>> {
        let opened = match self.disk.load() {
            Ok((opened, _)) => opened,
            Err(e) if matches!(e.kind(), ErrorKind::FileOpen | ErrorKind::Lock) => return Err(e),
            Err(e) => return Ok(self.found(Part::Structure, Some(self.disk.offset()), e)),
        };
        let contents = opened.contents;
        self.verdict.nchunks = contents.nchunks;
        self.verdict.contents = Some(contents.clone());
        let dparams = match decoding(&contents) {
            Ok(dparams) => dparams,
            Err(e) => {
                if self.found(Part::Metalayer(Vec::new()), None, e).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                DParams { typesize: contents.header.typesize, ..DParams::default() }
            }
        };
        if self.vlmetas(&contents).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let index = match opened.index.map_or_else(|| self.disk.load_index(&contents), Ok) {
            Ok(index) => index,
            Err(e) => {
                let at = self.disk.offset() + contents.data_end();
                return Ok(self.found(Part::Index, Some(at), e));
            }
        };
        Ok(self.chunks(&contents, &index, &dparams))
    }

    fn found(&mut self, part: Part, offset: Option<u64>, error: Error) -> ControlFlow<()> {
        self.verdict.findings += 1;
        (self.report)(&Finding { part, offset, error })
    }

    fn vlmetas(&mut self, contents: &Contents) -> ControlFlow<()> {
        for meta in contents.vlmeta.iter() {
            if let Err(e) = decode(meta.content(), &DParams::default(), 1, None) {
                self.found(Part::VlMetalayer(meta.name().to_vec()), None, e)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn chunks(&mut self, contents: &Contents, index: &Index, dparams: &DParams) -> ControlFlow<()> {
        let (mut spans, mut nbytes) = (Vec::new(), 0i64);
        for n in 0..index.len() {
            match self.chunk(contents, index, dparams, n) {
                Ok(Seen { data, span }) => {
                    nbytes += data;
                    spans.extend(span.map(|(at, len)| (at, len, n)));
                    self.verdict.good += 1;
                }
                Err(e) => self.found(Part::Chunk(n as i64), self.place(contents, index, n), e)?,
            }
        }
        if self.verdict.good == contents.nchunks && nbytes != contents.header.nbytes {
            let what = format!("{nbytes} bytes of data, {} by the header", contents.header.nbytes);
            self.found(Part::Structure, None, Error::new(ErrorKind::Data, what))?;
        }
        if contents.header.kind == FrameKind::Sparse {
            return ControlFlow::Continue(());
        }
        spans.sort_unstable();
        for pair in spans.windows(2) {
            let ((at, len, n), (next, _, other)) = (pair[0], pair[1]);
            if at + len > next {
                let e = Error::new(ErrorKind::Data, format!("it overlaps chunk {other}"));
                self.found(Part::Chunk(n as i64), self.place(contents, index, n), e)?;
            }
        }
        let used: u64 = spans.iter().map(|(_, len, _)| len).sum();
        self.verdict.holes = (contents.header.cbytes as u64).saturating_sub(used);
        ControlFlow::Continue(())
    }

    /// Where in the file a chunk is.
    fn place(&self, contents: &Contents, index: &Index, n: usize) -> Option<u64> {
        match index.place(n) {
            Ok(Place::Stored(offset)) if contents.header.kind == FrameKind::Contiguous => {
                Some(self.disk.offset() + u64::from(contents.header.header_len) + offset)
            }
            _ => None,
        }
    }

    fn chunk(&self, contents: &Contents, index: &Index, dparams: &DParams, n: usize) -> Result<Seen> {
        let nbytes = contents.chunk_nbytes(n as i64);
        let Place::Stored(offset) = index.place(n)? else {
            return match nbytes {
                Some(nbytes) => Ok(Seen { data: i64::from(nbytes), span: None }),
                None => crate::fail!(InvalidHeader, "nothing says how long the chunk is"),
            };
        };
        let file = self.disk.chunk(contents, index, n, offset)?;
        let stored = file.most()?;
        let bytes = file.bytes()?;
        if contents.header.kind == FrameKind::Sparse && stored != bytes.len() as u64 {
            crate::fail!(Data, "a file of {stored} bytes for a chunk of {}", bytes.len());
        }
        if let Some(sum) = index.sum(n) {
            checksums::check(&bytes, sum)?;
        }
        decode(&bytes, dparams, usize::try_from(dparams.nthreads).unwrap_or(1).max(1), nbytes)?;
        let data = ChunkHeader::parse(&bytes)?.nbytes() as i64;
        Ok(Seen { data, span: Some((offset, bytes.len() as u64)) })
    }
}

/// A chunk that is whole: its data, and where in the frame it is stored.
struct Seen {
    data: i64,
    span: Option<(u64, u64)>,
}
