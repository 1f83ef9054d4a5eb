//! The table: what is measured, and how much faster it should be.

/// A row: a group of cases with one goal.
pub struct Row {
    pub name: &'static str,
    /// The geometric mean of the cases' ratios should be this, at least.
    pub mean: f64,
    /// No case's ratio should be below this.
    pub least: f64,
}

const fn row(name: &'static str, mean: f64, least: f64) -> Row {
    Row { name, mean, least }
}

pub static KERNELS_POWERS: Row = row("kernels, typesizes 2 4 8", 1.3, 1.0);
pub static KERNELS_OTHERS: Row = row("kernels, other typesizes", 2.5, 1.0);
pub static BLOSCLZ: Row = row("blosclz 8 MB", 1.6, 1.0);
pub static LZ4: Row = row("lz4 8 MB", 1.4, 1.0);
pub static SLOW_CODECS: Row = row("lz4hc zlib zstd 8 MB", 1.15, 0.97);
pub static COLUMNS: Row = row("columns of tables 2 MB", 1.3, 0.0);
pub static GETITEM: Row = row("getitem of 64 items", 1.5, 1.0);
pub static SMALL: Row = row("small buffers", 1.5, 1.0);
pub static SMALL_BITS: Row = row("small buffers, bits", 1.5, 1.0);
pub static SMALL_UNFILTERED: Row = row("small buffers, no filter", 1.5, 1.0);
pub static APPEND_SPARSE_MEMORY: Row = row("append 5,000, sparse in memory", 1.1, 0.0);
pub static APPEND_FRAME_MEMORY: Row = row("append 5,000, frame in memory", 100.0, 0.0);
pub static APPEND_FRAME_DISK: Row = row("append 5,000, frame on disk", 10.0, 0.0);
pub static APPEND_SPARSE_DISK: Row = row("append 5,000, sparse on disk", 8.0, 0.0);
pub static HUNDRED_THOUSAND: Row = row("at 100,000 chunks", 500.0, 0.0);
pub static EDIT_MEMORY: Row = row("edits of 1,000 chunks in memory", 20.0, 0.0);
pub static EDIT_DISK: Row = row("edits of 1,000 chunks on disk", 5.0, 0.0);
pub static OPEN: Row = row("open and close of 500 chunks", 3.0, 2.0);
pub static SCATTERED: Row = row("scattered reads", 2.0, 1.3);
pub static ARRAY_WHOLE: Row = row("b2nd whole array", 1.4, 1.0);
pub static ARRAY_PARTS: Row = row("b2nd rows columns points boxes", 2.5, 1.3);
pub static ARRAY_SELECTIONS: Row = row("b2nd selections and growth", 3.0, 1.3);
pub static VLMETA_MEMORY: Row = row("vlmetalayer update in memory", 1.5, 0.0);
pub static VLMETA_DISK: Row = row("vlmetalayer update on disk", 3.0, 0.0);
