//! Holes between the chunks of a file, and how they are closed.
//!
//! Chunks that are replaced or deleted leave holes. When a change of a chunk finds that they are more than a quarter of
//! what the chunks themselves take, those behind the first hole are moved together: first they are copied behind
//! everything that is in the file, then, as a change of its own, to where they belong. So there is a whole frame in the
//! file at every instant, and no byte is overwritten that the index in force tells of.

use super::state::What;
use super::{Chunks, SuperChunk};
use crate::base::Result;
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::chunk::ChunkHeader;
use crate::frame::edit::Shift;
use crate::frame::index::MOST_PER_CHUNK;
use crate::frame::{Data, FrameKind, Place};

/// Holes that are not worth the trouble: a page of the disk.
const WORTH_IT: i64 = 4096;

/// Where a stored chunk is.
#[derive(Clone, Copy, Debug)]
struct Span {
    at: u64,
    len: u64,
}

/// How chunks behind the first hole move together.
#[derive(Debug)]
struct Plan {
    /// Where they go at first, far from everything.
    away: u64,
    /// Where they end up.
    home: u64,
    /// Bytes of them.
    len: u64,
    /// Where they are, and how far from the first they are going to be.
    moves: Vec<(Span, u64)>,
}

impl SuperChunk {
    /// Whether chunks stay where they are when others change: in a file, that ends with the frame.
    pub(super) fn keeps_places(&self) -> bool {
        let state = self.state();
        matches!(self.chunks, Chunks::Disk(_))
            && state.contents.header.kind == FrameKind::Contiguous
            && !state.seen.as_ref().is_some_and(|seen| seen.is_walled())
    }

    /// After a change: closes the holes, if they are many. The change has been made, whatever comes of this: who finds
    /// the holes the next time tries again.
    pub(super) fn close_holes(&mut self) {
        let _ = self.try_close_holes();
    }

    fn try_close_holes(&mut self) -> Result<()> {
        let many = |live: i64, cbytes: i64| cbytes - live > (live / 4).max(WORTH_IT);
        let (live, cbytes) = {
            let contents = &self.state().contents;
            (contents.live, contents.header.cbytes)
        };
        // Most often, what changed before is known, and it is not much.
        if self.state().bulk || !many(live.unwrap_or(0), cbytes) {
            return Ok(());
        }
        let spans = self.spans()?;
        let live = spans.iter().map(|span| span.len as i64).sum();
        self.state_mut().contents.live = Some(live);
        if !many(live, cbytes) {
            return Ok(());
        }
        let Some(plan) = self.plan(&spans)? else {
            return Ok(());
        };
        self.carry_out(&plan)
    }

    /// Where the stored chunks are, in the order of their places.
    fn spans(&self) -> Result<Vec<Span>> {
        let state = self.state();
        let (Chunks::Disk(disk), index) = (&self.chunks, state.index()?) else {
            return Ok(Vec::new());
        };
        let mut places: Vec<u64> = index
            .codes()
            .filter_map(|code| match Place::from_code(code) {
                Ok(Place::Stored(at)) => Some(at),
                _ => None,
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        let span = |at| {
            let head = disk.chunk_at(&state.contents, at)?.head(EXTENDED_HEADER_LEN)?;
            Ok(Span { at, len: ChunkHeader::parse(&head)?.cbytes() as u64 })
        };
        places.into_iter().map(span).collect()
    }

    /// How the holes are closed; `None` when chunks overlap or reach too far, which those of a sound frame do not.
    fn plan(&self, spans: &[Span]) -> Result<Option<Plan>> {
        let state = self.state();
        let contents = &state.contents;
        let (mut end, mut tight, mut home) = (0, 0, 0);
        for span in spans {
            if span.at < end {
                return Ok(None);
            }
            if span.at == end && home == end {
                tight += 1;
                home += span.len;
            }
            end = span.at + span.len;
        }
        if end > contents.header.cbytes as u64 {
            return Ok(None);
        }
        let mut len = 0;
        let mut moves = Vec::new();
        for &span in &spans[tight..] {
            moves.push((span, len));
            len += span.len;
        }
        let header_len = u64::from(contents.header.header_len);
        // Behind the frame as it is, and as it is going to be.
        let tail = state.index()?.len() as u64 * MOST_PER_CHUNK + contents.trailer_len();
        let away = (contents.header.frame_len - header_len).max(home + len + tail) + WORTH_IT as u64;
        Ok(Some(Plan { away, home, len, moves }))
    }

    fn carry_out(&mut self, plan: &Plan) -> Result<()> {
        let Plan { away, home, len, ref moves } = *plan;
        let mut out: Vec<Shift> = Vec::new();
        for (span, to) in moves {
            match out.last_mut() {
                Some(last) if last.from + last.len == span.at => last.len += span.len,
                _ => out.push(Shift { from: span.at, to: away + to, len: span.len }),
            }
        }
        let places: Vec<(u64, u64)> = moves.iter().map(|(span, to)| (span.at, away + to)).collect();
        self.change(|state| {
            state.index_mut()?.relocate(&places);
            state.contents.header.cbytes = (away + len) as i64;
            Ok((Data::Move(&out), What::All))
        })?;
        let back = [Shift { from: away, to: home, len }];
        let places: Vec<(u64, u64)> = moves.iter().map(|(_, to)| (away + to, home + to)).collect();
        self.change(|state| {
            state.index_mut()?.relocate(&places);
            state.contents.header.cbytes = (home + len) as i64;
            Ok((Data::Move(&back), What::All))
        })
    }
}
