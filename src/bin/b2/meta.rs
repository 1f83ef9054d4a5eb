//! `b2 meta`: metalayers, shown and changed.

use crate::failure::{At, Failure};
use crate::msgpack;
use crate::screen;
use crate::source::Place;
use blosc2::SuperChunk;
use blosc2::frame::checksums;
use blosc2::ndarray::NdMeta;
use blosc2::ndarray::meta::{CATERVA_NAME, NAME};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Show metalayers and vlmetalayers as JSON; set and delete vlmetalayers
#[derive(clap::Args)]
#[command(after_help = "Example: b2 meta array.b2nd notes --set '{\"by\": \"me\", \"tries\": 3}'\n\n\
    What is MessagePack is decoded, and what an array's metalayer says is named. A name alone is looked for among the \
    metalayers of fixed size first, then among the others.")]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The metalayer; all of them without a name
    name: Option<String>,
    /// Print the content as it is stored, not decoded
    #[arg(long, requires = "name")]
    raw: bool,
    /// Look among the variable-length metalayers only
    #[arg(long)]
    vl: bool,
    /// Set a vlmetalayer to a JSON value, stored as MessagePack; what is no JSON is text
    #[arg(long, value_name = "VALUE", requires = "name", conflicts_with_all = ["raw", "delete", "set_file"])]
    set: Option<String>,
    /// Set a vlmetalayer to a file's bytes, as they are
    #[arg(long, value_name = "FILE", requires = "name", conflicts_with_all = ["raw", "delete"])]
    set_file: Option<PathBuf>,
    /// Delete a vlmetalayer
    #[arg(long, requires = "name", conflicts_with = "raw")]
    delete: bool,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let mut schunk = args.place.open()?;
    if let Some(name) = &args.name {
        let changed = change(args, &mut schunk, name).at(&args.place.path)?;
        if changed {
            return if json { screen::json(&json!({ "name": name, "changed": true })) } else { Ok(()) };
        }
    }
    show(args, &schunk).at(&args.place.path)
}

/// Does what the options ask for; false when they ask for nothing.
fn change(args: &Args, schunk: &mut SuperChunk, name: &str) -> Result<bool, Failure> {
    if args.delete {
        schunk.vlmeta_delete(name).map_err(|e| e.at(format_args!("vlmetalayer {name}")))?;
        return Ok(true);
    }
    let content = match (&args.set, &args.set_file) {
        (Some(text), _) => {
            let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()));
            msgpack::from_json(&value)
        }
        (_, Some(file)) => std::fs::read(file).at(file)?,
        (None, None) => return Ok(false),
    };
    let set = match schunk.vlmeta_exists(name) {
        Ok(_) => schunk.vlmeta_update(name, &content, None),
        Err(_) => schunk.vlmeta_add(name, &content, None),
    };
    set.map_err(|e| e.at(format_args!("vlmetalayer {name}")))?;
    Ok(true)
}

fn show(args: &Args, schunk: &SuperChunk) -> Result<(), Failure> {
    let Some(name) = &args.name else {
        return screen::json(&all(args, schunk)?);
    };
    let (content, fixed) = match schunk.meta_get(name).ok().filter(|_| !args.vl) {
        Some(content) => (content.to_vec(), true),
        None => {
            let content = schunk.vlmeta_get(name).map_err(|e| e.at(format_args!("metalayer {name}")))?;
            (content.to_vec(), false)
        }
    };
    if args.raw {
        let mut out = screen::bytes_out()?;
        out.write_all(&content)?;
        return Ok(out.flush()?);
    }
    screen::json(&decoded(name.as_bytes(), &content, fixed))
}

fn all(args: &Args, schunk: &SuperChunk) -> Result<Value, Failure> {
    let (mut fixed, mut variable) = (Map::new(), Map::new());
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    for meta in schunk.metas().iter() {
        fixed.insert(text(meta.name()), decoded(meta.name(), meta.content(), true));
    }
    for meta in schunk.vlmetas()?.iter() {
        let content = schunk.vlmeta_get(meta.name());
        let content = content.map_err(|e| e.at(format_args!("vlmetalayer {}", text(meta.name()))))?;
        variable.insert(text(meta.name()), decoded(meta.name(), &content, false));
    }
    let vlmeta = Value::Object(variable);
    Ok(if args.vl { json!({ "vlmeta": vlmeta }) } else { json!({ "meta": fixed, "vlmeta": vlmeta }) })
}

/// What a metalayer says, with the names of an array's fields.
fn decoded(name: &[u8], content: &[u8], fixed: bool) -> Value {
    if fixed
        && (name == NAME.as_bytes() || name == CATERVA_NAME.as_bytes())
        && let Ok(meta) = NdMeta::parse(content)
    {
        return array(&meta, content);
    }
    if !fixed && name == checksums::NAME {
        return json!({ "checksums": "XXH3-64", "bytes": content.len() });
    }
    msgpack::to_json(content)
}

fn array(meta: &NdMeta, content: &[u8]) -> Value {
    let mut named = Map::new();
    named.insert("version".into(), content.get(1).copied().unwrap_or_default().into());
    named.insert("ndim".into(), meta.shape().len().into());
    named.insert("shape".into(), meta.shape().into());
    named.insert("chunkshape".into(), meta.chunkshape().into());
    named.insert("blockshape".into(), meta.blockshape().into());
    if let Some(dtype) = meta.dtype() {
        named.insert("dtype_format".into(), dtype.format().into());
        named.insert("dtype".into(), String::from_utf8_lossy(dtype.text()).into());
    }
    named.into()
}
