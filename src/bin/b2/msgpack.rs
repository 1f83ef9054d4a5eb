//! Metalayers' contents as JSON, and back.

use rmpv::Value as Packed;
use serde_json::{Map, Value, json};

/// A metalayer's content as JSON: MessagePack where it is that, text where it is text, and bytes in hexadecimal.
pub fn to_json(content: &[u8]) -> Value {
    let mut rest = content;
    match rmpv::decode::read_value_with_max_depth(&mut rest, 64) {
        Ok(value) if rest.is_empty() => unpacked(&value),
        _ => match std::str::from_utf8(content) {
            Ok(text) => Value::from(text),
            Err(_) => bytes(content),
        },
    }
}

fn bytes(content: &[u8]) -> Value {
    let hex: String = content.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "bytes": hex })
}

fn unpacked(value: &Packed) -> Value {
    match value {
        Packed::Nil => Value::Null,
        Packed::Boolean(is) => Value::from(*is),
        Packed::Integer(n) => match (n.as_i64(), n.as_u64()) {
            (Some(n), _) => Value::from(n),
            (_, Some(n)) => Value::from(n),
            _ => Value::Null,
        },
        Packed::F32(n) => number(f64::from(*n)),
        Packed::F64(n) => number(*n),
        Packed::String(text) => match text.as_str() {
            Some(text) => Value::from(text),
            None => bytes(text.as_bytes()),
        },
        Packed::Binary(content) => bytes(content),
        Packed::Array(items) => items.iter().map(unpacked).collect(),
        Packed::Map(pairs) => {
            let named = |(name, value): &(Packed, Packed)| (key(name), unpacked(value));
            Value::Object(pairs.iter().map(named).collect::<Map<_, _>>())
        }
        Packed::Ext(kind, content) => json!({ "ext": kind, "bytes": bytes(content)["bytes"] }),
    }
}

/// JSON knows no infinities.
fn number(n: f64) -> Value {
    serde_json::Number::from_f64(n).map_or_else(|| Value::from(n.to_string()), Value::Number)
}

fn key(name: &Packed) -> String {
    match name.as_str() {
        Some(text) => text.to_owned(),
        None => unpacked(name).to_string(),
    }
}

/// A JSON value as MessagePack, as python-blosc2 packs its metalayers.
pub fn from_json(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = rmpv::encode::write_value(&mut out, &packed(value));
    out
}

fn packed(value: &Value) -> Packed {
    match value {
        Value::Null => Packed::Nil,
        Value::Bool(is) => Packed::from(*is),
        Value::Number(n) => match (n.as_i64(), n.as_u64(), n.as_f64()) {
            (Some(n), ..) => Packed::from(n),
            (_, Some(n), _) => Packed::from(n),
            (.., Some(n)) => Packed::from(n),
            _ => Packed::Nil,
        },
        Value::String(text) => Packed::from(text.as_str()),
        Value::Array(items) => Packed::Array(items.iter().map(packed).collect()),
        Value::Object(pairs) => Packed::Map(
            pairs.iter().map(|(name, value)| (Packed::from(name.as_str()), packed(value))).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_there_and_back() {
        let value = json!({ "a": [1, -2, 2.5, null, true], "b": { "c": "text" }, "n": u64::MAX });
        assert_eq!(to_json(&from_json(&value)), value);
    }

    #[test]
    fn what_is_no_msgpack_is_text_or_bytes() {
        assert_eq!(to_json(b"m/s"), json!("m/s"));
        assert_eq!(to_json(b"\xff\xff\x00"), json!({ "bytes": "ffff00" }));
        assert_eq!(to_json(b""), json!(""));
        assert_eq!(to_json(&[0x82, 1, 2, 0xc3, 0xc4, 1, 9]), json!({ "1": 2, "true": { "bytes": "09" } }));
        // Nested deeper than anybody means.
        assert!(to_json(&[0x91; 10_000]).is_object());
    }
}
