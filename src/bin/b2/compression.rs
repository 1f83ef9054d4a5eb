//! Codecs and filters: their names, and the options that choose them.

use crate::failure::Failure;
use blosc2::CParams;
use blosc2::base::params::{FilterSlot, FilterSlots, SplitMode};
use blosc2::codec::names;
use blosc2::filter;
use serde::Serialize;

/// The filters that have names, with what C and Python call them.
const FILTERS: &[(u8, &str, &str, &str)] = &[
    (filter::NOFILTER, "nofilter", "BLOSC_NOFILTER", "NOFILTER"),
    (filter::SHUFFLE, "shuffle", "BLOSC_SHUFFLE", "SHUFFLE"),
    (filter::BITSHUFFLE, "bitshuffle", "BLOSC_BITSHUFFLE", "BITSHUFFLE"),
    (filter::DELTA, "delta", "BLOSC_DELTA", "DELTA"),
    (filter::TRUNC_PREC, "trunc_prec", "BLOSC_TRUNC_PREC", "TRUNC_PREC"),
    (filter::NDCELL, "ndcell", "BLOSC_FILTER_NDCELL", "NDCELL"),
    (filter::NDMEAN, "ndmean", "BLOSC_FILTER_NDMEAN", "NDMEAN"),
    (filter::BYTEDELTA_OLD, "bytedelta_buggy", "BLOSC_FILTER_BYTEDELTA_BUGGY", "34"),
    (filter::BYTEDELTA, "bytedelta", "BLOSC_FILTER_BYTEDELTA", "BYTEDELTA"),
    (filter::INT_TRUNC, "int_trunc", "BLOSC_FILTER_INT_TRUNC", "INT_TRUNC"),
];

/// Codecs as C and Python call them.
const CODECS: &[(&str, &str, &str)] = &[
    ("blosclz", "BLOSC_BLOSCLZ", "BLOSCLZ"),
    ("lz4", "BLOSC_LZ4", "LZ4"),
    ("lz4hc", "BLOSC_LZ4HC", "LZ4HC"),
    ("zlib", "BLOSC_ZLIB", "ZLIB"),
    ("zstd", "BLOSC_ZSTD", "ZSTD"),
    ("ndlz", "BLOSC_CODEC_NDLZ", "NDLZ"),
    ("zfp_acc", "BLOSC_CODEC_ZFP_FIXED_ACCURACY", "ZFP_ACC"),
    ("zfp_prec", "BLOSC_CODEC_ZFP_FIXED_PRECISION", "ZFP_PREC"),
    ("zfp_rate", "BLOSC_CODEC_ZFP_FIXED_RATE", "ZFP_RATE"),
];

/// A codec or a filter.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// Its number.
    pub id: u8,
    /// Its name, or the number where none is known.
    pub name: String,
    /// Its parameter byte.
    pub meta: u8,
}

/// The name of a codec, or its number.
pub fn codec_name(id: u8) -> String {
    names::name_of(id).unwrap_or_else(|| format!("codec {id}"))
}

/// The filters in use, in the order in which they are applied.
pub fn filters(slots: &FilterSlots) -> Vec<Named> {
    let used = slots.iter().filter(|slot| slot.id != filter::NOFILTER);
    used.map(|slot| Named { id: slot.id, name: filter_name(slot.id), meta: slot.meta }).collect()
}

fn filter_name(id: u8) -> String {
    let known = FILTERS.iter().find(|(known, ..)| *known == id);
    known.map_or_else(|| format!("filter {id}"), |(_, name, ..)| (*name).to_owned())
}

/// The filters in one line.
pub fn pipeline(slots: &FilterSlots) -> String {
    let one = |named: &Named| match named.meta {
        0 => named.name.clone(),
        meta => format!("{}:{meta}", named.name),
    };
    let all: Vec<String> = filters(slots).iter().map(one).collect();
    if all.is_empty() { "none".into() } else { all.join(",") }
}

/// The name of a way to split blocks.
pub fn split_name(split: SplitMode) -> &'static str {
    match split {
        SplitMode::Always => "always",
        SplitMode::Never => "never",
        SplitMode::Auto => "auto",
        SplitMode::ForwardCompat => "forward-compat",
    }
}

/// Options that say how to compress.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Options {
    /// Codec: blosclz, lz4, lz4hc, zlib, zstd, or a number
    #[arg(long, value_parser = parse_codec)]
    pub codec: Option<u8>,
    /// Level, 0 (store) to 9 (smallest)
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=9))]
    pub clevel: Option<u8>,
    /// Filters in the order in which they are applied, each with :META where it has one; `none` for none
    #[arg(long, value_parser = parse_filters)]
    pub filters: Option<FilterSlots>,
    /// Threads that work at once [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i16).range(1..=256))]
    pub threads: Option<i16>,
    /// Keep checksums of chunks and metadata, so that damage is found
    #[arg(long)]
    pub checksums: bool,
}

impl Options {
    /// `base`, but for what the options say.
    pub fn over(&self, base: &CParams) -> CParams {
        CParams {
            codec: self.codec.unwrap_or(base.codec),
            codec_meta: if self.codec.is_some() { 0 } else { base.codec_meta },
            clevel: self.clevel.unwrap_or(base.clevel),
            filters: self.filters.unwrap_or(base.filters),
            nthreads: self.threads(),
            ..base.clone()
        }
    }

    /// How many threads may work.
    pub fn threads(&self) -> i16 {
        self.threads.unwrap_or_else(processors)
    }
}

/// How many processors there are.
pub fn processors() -> i16 {
    let have = std::thread::available_parallelism().map_or(1, |n| n.get());
    i16::try_from(have).unwrap_or(256).min(256)
}

/// A codec by its name or number.
pub fn parse_codec(text: &str) -> Result<u8, String> {
    let by_number = || text.parse().ok().filter(|&id| names::name_of(id).is_some());
    names::id_of(text).or_else(by_number).ok_or_else(|| format!("no codec is called {text}"))
}

/// Filters by their names or numbers, separated by commas.
pub fn parse_filters(text: &str) -> Result<FilterSlots, String> {
    let mut slots = FilterSlots::default();
    if matches!(text, "" | "none" | "nofilter") {
        return Ok(slots);
    }
    let named: Vec<&str> = text.split(',').collect();
    let Some(first) = slots.len().checked_sub(named.len()) else {
        return Err(format!("{} filters, where there is room for {}", named.len(), slots.len()));
    };
    for (slot, text) in slots[first..].iter_mut().zip(named) {
        *slot = parse_filter(text)?;
    }
    Ok(slots)
}

fn parse_filter(text: &str) -> Result<FilterSlot, String> {
    let (name, meta) = text.split_once(':').unwrap_or((text, "0"));
    let meta = meta.parse().map_err(|_| format!("{meta} is no parameter of a filter, 0 to 255"))?;
    let by_name = FILTERS.iter().find(|(_, known, ..)| *known == name).map(|(id, ..)| *id);
    let by_number = || name.parse().ok().filter(|id| FILTERS.iter().any(|(known, ..)| known == id));
    let id = by_name.or_else(by_number).ok_or_else(|| format!("no filter is called {name}"))?;
    Ok(FilterSlot { id, meta })
}

/// What the statements of [`in_c`] change.
pub const C_BEGIN: &str = "blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;";

/// The parameters as statements of C that follow [`C_BEGIN`].
pub fn in_c(cparams: &CParams) -> String {
    let name = codec_name(cparams.codec);
    let codec = CODECS.iter().find(|(known, ..)| *known == name).map(|(_, c, _)| (*c).to_owned());
    let mut out = format!(
        "cparams.compcode = {}; cparams.clevel = {}; cparams.typesize = {};",
        codec.unwrap_or_else(|| cparams.codec.to_string()),
        cparams.clevel,
        cparams.typesize
    );
    let defaults = CParams::default().filters;
    for (n, (slot, default)) in cparams.filters.iter().zip(defaults).enumerate() {
        if slot.id != default.id {
            let known = FILTERS.iter().find(|(id, ..)| *id == slot.id);
            let text = known.map_or_else(|| slot.id.to_string(), |(_, _, c, _)| (*c).to_owned());
            out += &format!(" cparams.filters[{n}] = {text};");
        }
        if slot.meta != default.meta {
            out += &format!(" cparams.filters_meta[{n}] = {};", slot.meta);
        }
    }
    out
}

/// The parameters as an expression of python-blosc2.
pub fn in_python(cparams: &CParams) -> String {
    let name = codec_name(cparams.codec);
    let codec = CODECS.iter().find(|(known, ..)| *known == name).map(|(.., py)| format!("blosc2.Codec.{py}"));
    let filters = filters(&cparams.filters);
    let named = |filter: &Named| {
        let known = FILTERS.iter().find(|(id, ..)| *id == filter.id).map(|(.., py)| *py);
        match known {
            Some(py) if py.starts_with(char::is_alphabetic) => format!("blosc2.Filter.{py}"),
            _ => filter.id.to_string(),
        }
    };
    let list = filters.iter().map(named).collect::<Vec<_>>().join(", ");
    let metas = filters.iter().map(|filter| filter.meta.to_string()).collect::<Vec<_>>().join(", ");
    let metas = if filters.iter().any(|filter| filter.meta != 0) {
        format!(", filters_meta=[{metas}]")
    } else {
        String::new()
    };
    format!(
        "blosc2.CParams(codec={}, clevel={}, typesize={}, filters=[{list}]{metas})",
        codec.unwrap_or_else(|| cparams.codec.to_string()),
        cparams.clevel,
        cparams.typesize
    )
}

/// A list of numbers, such as a shape.
pub fn parse_numbers<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, String> {
    let text = text.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']', ',']);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let number = |part: &str| part.trim().parse().map_err(|_| format!("{part} is no number"));
    text.split(',').map(number).collect()
}

/// What a list of numbers was parsed into: clap takes a bare `Vec` for an option that repeats.
#[derive(Clone, Debug)]
pub struct Shape(pub Vec<i64>);

/// A shape on the command line.
pub fn parse_shape(text: &str) -> Result<Shape, String> {
    let shape: Vec<i64> = parse_numbers(text)?;
    match shape.iter().find(|n| **n < 0) {
        Some(n) => Err(format!("a length of {n}")),
        None => Ok(Shape(shape)),
    }
}

/// A shape of chunks or blocks as the library wants it.
pub fn small(shape: &Shape) -> Result<Vec<i32>, Failure> {
    let small = shape.0.iter().map(|&n| i32::try_from(n));
    small.collect::<Result<_, _>>().map_err(|_| Failure::usage("chunks and blocks of more than 2^31 items"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read_and_told() {
        let slots = parse_filters("trunc_prec:10,shuffle").unwrap();
        assert_eq!((slots[4].id, slots[4].meta, slots[5].id), (4, 10, 1));
        assert_eq!(pipeline(&slots), "trunc_prec:10,shuffle");
        assert_eq!(pipeline(&parse_filters("none").unwrap()), "none");
        assert!(parse_filters("shuffle,shuffle,shuffle,shuffle,shuffle,shuffle,shuffle").is_err());
        assert!(parse_filters("suffle").is_err() && parse_filters("shuffle:256").is_err());
    }

    #[test]
    fn parameters_can_be_pasted() {
        let filters = parse_filters("delta,bitshuffle").unwrap();
        let cparams = CParams { codec: 5, clevel: 3, filters, ..CParams::of_items(4) };
        assert_eq!(
            in_c(&cparams),
            "cparams.compcode = BLOSC_ZSTD; cparams.clevel = 3; \
             cparams.typesize = 4; cparams.filters[4] = BLOSC_DELTA; cparams.filters[5] = BLOSC_BITSHUFFLE;"
        );
        assert_eq!(
            in_python(&cparams),
            "blosc2.CParams(codec=blosc2.Codec.ZSTD, clevel=3, typesize=4, \
             filters=[blosc2.Filter.DELTA, blosc2.Filter.BITSHUFFLE])"
        );
        let filters = parse_filters("trunc_prec:9,shuffle").unwrap();
        assert!(in_python(&CParams { filters, ..cparams }).ends_with("filters_meta=[9, 0])"));
    }
}
