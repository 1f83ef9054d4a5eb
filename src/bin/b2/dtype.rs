//! What items are, in NumPy's words: the text of an array's metalayer, of the command line, and of `.npy` files.

use crate::failure::Failure;
use npyz::{DType, Field, TypeStr};
use py_literal::Value;

/// Names that people use for what NumPy writes shorter.
const NAMES: &[(&str, &str)] = &[
    ("bool", "|b1"),
    ("int8", "|i1"),
    ("int16", "<i2"),
    ("int32", "<i4"),
    ("int64", "<i8"),
    ("uint8", "|u1"),
    ("uint16", "<u2"),
    ("uint32", "<u4"),
    ("uint64", "<u8"),
    ("float16", "<f2"),
    ("float32", "<f4"),
    ("float64", "<f8"),
    ("complex64", "<c8"),
    ("complex128", "<c16"),
];

/// The text of a dtype from a file may be this long, and nested this deep: more is nobody's dtype.
const LONGEST: usize = 1 << 18;
const DEEPEST: usize = 32;

/// The dtype that a text means.
pub fn parse(text: &str) -> Result<DType, Failure> {
    let unknown = |why: &str| Failure::new(format!("dtype {}: {why}", crate::screen::plain(text)));
    let text = text.trim();
    if let Some((_, known)) = NAMES.iter().find(|(name, _)| *name == text) {
        return scalar(known).ok_or_else(|| unknown("not known"));
    }
    if !text.starts_with(['[', '{']) {
        return scalar(text).ok_or_else(|| unknown("not known"));
    }
    check_literal(text.as_bytes()).map_err(|why| unknown(&why))?;
    let value: Value = text.parse().map_err(|_| unknown("no literal of Python"))?;
    from_value(&value).map_err(|why| unknown(&why))
}

/// Refuses what could overrun a parser that calls itself for every bracket.
pub fn check_literal(text: &[u8]) -> Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!("{} bytes long", text.len()));
    }
    let mut depth = 0usize;
    for byte in text {
        match byte {
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err("nested too deep".into());
        }
    }
    Ok(())
}

/// One of NumPy's short names, with or without its byte order.
fn scalar(text: &str) -> Option<DType> {
    let parse = |text: &str| text.parse::<TypeStr>().ok();
    let with_order = || {
        let bare = text.trim_start_matches('=');
        parse(&format!("|{bare}")).or_else(|| parse(&format!("<{bare}")))
    };
    let found = parse(text).or_else(with_order)?;
    Some(DType::new_scalar(found))
}

fn from_value(value: &Value) -> Result<DType, String> {
    match value {
        Value::String(text) => scalar(text).ok_or_else(|| format!("{text} is not known")),
        Value::List(fields) => fields.iter().map(field).collect::<Result<_, _>>().map(DType::Record),
        Value::Dict(entries) => from_dict(entries),
        Value::Tuple(parts) => match parts.as_slice() {
            [inner, shape] => Ok(repeated(from_value(inner)?, &numbers(shape)?)),
            _ => Err("a tuple that is no dtype and shape".into()),
        },
        _ => Err("neither a name nor fields".into()),
    }
}

fn field(value: &Value) -> Result<Field, String> {
    let (Value::Tuple(parts) | Value::List(parts)) = value else {
        return Err("a field that is no tuple".into());
    };
    let (name, dtype) = match parts.as_slice() {
        [name, dtype] => (name, from_value(dtype)?),
        [name, dtype, shape] => (name, repeated(from_value(dtype)?, &numbers(shape)?)),
        _ => return Err("a field of more than a name, a dtype and a shape".into()),
    };
    let name = match name {
        Value::String(name) => name.clone(),
        // A title and a name.
        Value::Tuple(both) => match both.get(1) {
            Some(Value::String(name)) => name.clone(),
            _ => return Err("a field without a name".into()),
        },
        _ => return Err("a field without a name".into()),
    };
    Ok(Field { name, dtype })
}

fn repeated(inner: DType, shape: &[u64]) -> DType {
    shape.iter().rev().fold(inner, |dtype, &n| DType::Array(n, Box::new(dtype)))
}

/// A shape, or the one number that stands for it.
pub fn numbers(value: &Value) -> Result<Vec<u64>, String> {
    let number = |value: &Value| match value {
        Value::Integer(n) => n.to_string().parse().map_err(|_| format!("{n} is no length")),
        _ => Err("a length that is no number".to_owned()),
    };
    match value {
        Value::Tuple(all) | Value::List(all) => all.iter().map(number).collect(),
        one => number(one).map(|n| vec![n]),
    }
}

/// Fields with their places, as NumPy writes them where there is padding. The padding becomes fields without a name, as in
/// `.npy` files.
fn from_dict(entries: &[(Value, Value)]) -> Result<DType, String> {
    let get = |key: &str| entries.iter().find(|(name, _)| name.as_string().is_some_and(|name| name == key));
    let list = |key: &str| match get(key).map(|(_, value)| value) {
        Some(Value::List(all) | Value::Tuple(all)) => Ok(all.as_slice()),
        _ => Err(format!("no {key}")),
    };
    let (names, formats) = (list("names")?, list("formats")?);
    let formats: Vec<DType> = formats.iter().map(from_value).collect::<Result<_, _>>()?;
    let offsets = match get("offsets") {
        Some((_, value)) => numbers(value)?,
        None => packed(&formats)?,
    };
    if names.len() != formats.len() || names.len() != offsets.len() {
        return Err("as many names as formats and offsets".into());
    }
    let mut placed: Vec<(u64, &Value, DType)> =
        offsets.iter().zip(names).zip(formats).map(|((&at, name), dtype)| (at, name, dtype)).collect();
    placed.sort_by_key(|(at, ..)| *at);
    let (mut fields, mut end) = (Vec::new(), 0);
    for (at, name, dtype) in placed {
        pad(&mut fields, end, at)?;
        end = at.checked_add(size_of(&dtype)?).ok_or("too large")?;
        let Some(name) = name.as_string() else { return Err("a field without a name".into()) };
        fields.push(Field { name: name.clone(), dtype });
    }
    if let Some((_, size)) = get("itemsize") {
        let size = numbers(size)?.first().copied().unwrap_or(end);
        pad(&mut fields, end, size)?;
    }
    Ok(DType::Record(fields))
}

fn packed(formats: &[DType]) -> Result<Vec<u64>, String> {
    let mut end = 0u64;
    let place = |dtype: &DType| {
        let at = end;
        end = end.checked_add(size_of(dtype)?).ok_or("too large")?;
        Ok(at)
    };
    formats.iter().map(place).collect()
}

fn size_of(dtype: &DType) -> Result<u64, String> {
    dtype.num_bytes().map(|n| n as u64).ok_or_else(|| "a size that is not fixed".into())
}

fn pad(fields: &mut Vec<Field>, from: u64, to: u64) -> Result<(), String> {
    match to.checked_sub(from) {
        None => Err("fields that overlap".into()),
        Some(0) => Ok(()),
        Some(gap) => {
            let dtype = scalar(&format!("|V{gap}")).ok_or("padding of that size")?;
            fields.push(Field { name: String::new(), dtype });
            Ok(())
        }
    }
}

/// Whether a field is only there to fill a gap.
pub fn is_padding(field: &Field) -> bool {
    field.name.is_empty()
}

/// The text that an array's metalayer has for a dtype: what NumPy's `str` gives.
pub fn text(dtype: &DType) -> String {
    match dtype {
        DType::Plain(plain) => plain.to_string(),
        _ => nested(dtype),
    }
}

fn nested(dtype: &DType) -> String {
    match dtype {
        // NumPy leaves out that there is no byte order.
        DType::Plain(plain) => format!("'{}'", plain.to_string().trim_start_matches('|')),
        DType::Array(..) => {
            let (inner, shape) = flat(dtype);
            format!("({}, {})", nested(inner), shape_text(&shape))
        }
        DType::Record(fields) if fields.iter().any(is_padding) => with_places(fields),
        DType::Record(fields) => {
            let one = |field: &Field| {
                let (inner, shape) = flat(&field.dtype);
                let shape =
                    if shape.is_empty() { String::new() } else { format!(", {}", shape_text(&shape)) };
                format!("({}, {}{shape})", quoted(&field.name), nested(inner))
            };
            format!("[{}]", fields.iter().map(one).collect::<Vec<_>>().join(", "))
        }
    }
}

fn with_places(fields: &[Field]) -> String {
    let (mut names, mut formats, mut offsets, mut at) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for field in fields {
        if !is_padding(field) {
            names.push(quoted(&field.name));
            formats.push(nested(&field.dtype));
            offsets.push(at.to_string());
        }
        at += field.dtype.num_bytes().unwrap_or(0);
    }
    format!(
        "{{'names': [{}], 'formats': [{}], 'offsets': [{}], 'itemsize': {at}}}",
        names.join(", "),
        formats.join(", "),
        offsets.join(", ")
    )
}

/// An array's innermost items, and its shape.
fn flat(mut dtype: &DType) -> (&DType, Vec<u64>) {
    let mut shape = Vec::new();
    while let DType::Array(n, inner) = dtype {
        shape.push(*n);
        dtype = inner;
    }
    (dtype, shape)
}

fn shape_text(shape: &[u64]) -> String {
    crate::info::tuple(shape)
}

fn quoted(name: &str) -> String {
    let escaped: String =
        name.chars().flat_map(|c| if c == '\'' || c == '\\' { vec!['\\', c] } else { vec![c] }).collect();
    format!("'{escaped}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for same in [
            "<i4",
            ">f8",
            "|b1",
            "<c8",
            "|S5",
            "<U3",
            "|V7",
            "<M8[ns]",
            "[('a', '<i4'), ('b', '>f8', (2, 3)), ('c', [('d', 'u1'), ('e', 'S6')])]",
            "{'names': ['a', 'b'], 'formats': ['<i4', '<f8'], 'offsets': [0, 8], 'itemsize': 16}",
        ] {
            assert_eq!(text(&parse(same).unwrap()), same);
        }
        assert_eq!(text(&parse("float32").unwrap()), "<f4");
        assert_eq!(text(&parse("u1").unwrap()), "|u1");
        assert_eq!(text(&parse("i8").unwrap()), "<i8");
        let aligned = "{'names': ['b', 'a'], 'formats': ['<f8', '<i4'], 'offsets': [8, 0], 'itemsize': 20, 'aligned': True}";
        assert_eq!(parse(aligned).unwrap().num_bytes(), Some(20));
    }

    #[test]
    fn nonsense_is_refused() {
        for wrong in ["", "x9", "[", "[1]", "[('a',)]", "{}", "{'names': ['a'], 'formats': []}", "<i3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
        let overlap = "{'names': ['a', 'b'], 'formats': ['<i4', '<i4'], 'offsets': [0, 2]}";
        assert!(parse(overlap).is_err());
    }
}
