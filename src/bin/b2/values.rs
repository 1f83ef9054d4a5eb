//! Items as text and as JSON.

use crate::dtype::is_padding;
use npyz::{DType, Endianness, Field, TimeUnits, TypeChar, TypeStr};
use serde_json::{Map, Value, json};

/// An item as JSON. What JSON has no numbers for, such as NaN, is text; bytes are in hexadecimal.
pub fn json(dtype: &DType, bytes: &[u8]) -> Value {
    match dtype {
        DType::Plain(plain) => scalar(plain, bytes),
        DType::Array(n, inner) => {
            let size = bytes.len() / usize::try_from(*n).unwrap_or(usize::MAX).max(1);
            match size {
                0 => Value::Array(Vec::new()),
                size => bytes.chunks_exact(size).map(|item| json(inner, item)).collect(),
            }
        }
        DType::Record(fields) => {
            let mut named = Map::new();
            for (field, bytes) in split(fields, bytes) {
                named.insert(field.name.clone(), json(&field.dtype, bytes));
            }
            Value::Object(named)
        }
    }
}

/// The fields of a record and their bytes, without padding.
fn split<'a>(fields: &'a [Field], mut rest: &'a [u8]) -> Vec<(&'a Field, &'a [u8])> {
    let mut all = Vec::new();
    for field in fields {
        let size = field.dtype.num_bytes().unwrap_or(0).min(rest.len());
        let (bytes, after) = rest.split_at(size);
        rest = after;
        if !is_padding(field) {
            all.push((field, bytes));
        }
    }
    all
}

/// An item as the cells of a line of CSV: one for each field.
pub fn cells(dtype: &DType, bytes: &[u8], out: &mut Vec<String>) {
    match dtype {
        DType::Record(fields) => {
            for (field, bytes) in split(fields, bytes) {
                cells(&field.dtype, bytes, out);
            }
        }
        _ => out.push(cell(&json(dtype, bytes))),
    }
}

/// The names of an item's cells; none where items have no fields.
pub fn heads(dtype: &DType, prefix: &str, out: &mut Vec<String>) {
    if let DType::Record(fields) = dtype {
        for field in fields.iter().filter(|field| !is_padding(field)) {
            let name = format!("{prefix}{}", field.name);
            match &field.dtype {
                inner @ DType::Record(_) => heads(inner, &format!("{name}."), out),
                _ => out.push(cell(&Value::from(name))),
            }
        }
    }
}

fn cell(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(named) => match named.get("bytes") {
            Some(Value::String(hex)) => hex.clone(),
            _ => value.to_string(),
        },
        _ => value.to_string(),
    };
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

fn scalar(plain: &TypeStr, bytes: &[u8]) -> Value {
    let big = plain.endianness() == Endianness::Big;
    let known = match plain.type_char() {
        TypeChar::Bool => bytes.first().map(|byte| Value::from(*byte != 0)),
        TypeChar::Int => signed(bytes, big).map(Value::from),
        TypeChar::Uint => unsigned(bytes, big).map(Value::from),
        TypeChar::Float => float(bytes, big),
        TypeChar::Complex => complex(bytes, big),
        TypeChar::ByteStr => ascii(bytes),
        TypeChar::UnicodeStr => unicode(bytes, big),
        TypeChar::DateTime => signed(bytes, big).map(|n| datetime(n, plain.time_units())),
        TypeChar::TimeDelta => {
            signed(bytes, big).map(|n| if n == i64::MIN { "NaT".into() } else { n.into() })
        }
        _ => None,
    };
    known.unwrap_or_else(|| {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        json!({ "bytes": hex })
    })
}

fn unsigned(bytes: &[u8], big: bool) -> Option<u64> {
    let mut wide = [0; 8];
    match bytes.len() {
        1 | 2 | 4 | 8 => {}
        _ => return None,
    }
    wide[..bytes.len()].copy_from_slice(bytes);
    if big {
        wide[..bytes.len()].reverse();
    }
    Some(u64::from_le_bytes(wide))
}

fn signed(bytes: &[u8], big: bool) -> Option<i64> {
    let unused = 64 - 8 * bytes.len() as u32;
    unsigned(bytes, big).map(|n| ((n << unused) as i64) >> unused)
}

fn float(bytes: &[u8], big: bool) -> Option<Value> {
    let bits = unsigned(bytes, big)?;
    match bytes.len() {
        2 => Some(number(&half(bits as u16).to_string())),
        4 => Some(number(&f32::from_bits(bits as u32).to_string())),
        8 => Some(number(&f64::from_bits(bits).to_string())),
        _ => None,
    }
}

/// A number of just the digits that it needs in its own width.
fn number(text: &str) -> Value {
    let parsed = text.parse().ok().and_then(serde_json::Number::from_f64);
    parsed.map_or_else(|| Value::from(text), Value::Number)
}

fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    sign * match exponent {
        0 => mantissa * 2f32.powi(-24),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + mantissa / 1024.0) * 2f32.powi(exponent - 15),
    }
}

fn complex(bytes: &[u8], big: bool) -> Option<Value> {
    let (re, im) = bytes.split_at(bytes.len() / 2);
    Some(json!([float(re, big)?, float(im, big)?]))
}

fn ascii(bytes: &[u8]) -> Option<Value> {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    std::str::from_utf8(&bytes[..end]).ok().map(Value::from)
}

fn unicode(bytes: &[u8], big: bool) -> Option<Value> {
    let (units, _) = bytes.as_chunks::<4>();
    let decode = |unit: &[u8; 4]| {
        char::from_u32(if big { u32::from_be_bytes(*unit) } else { u32::from_le_bytes(*unit) })
    };
    let text: String = units.iter().map(decode).collect::<Option<_>>()?;
    Some(Value::from(text.trim_end_matches('\0')))
}

/// A point in time as NumPy prints it, in the units it is counted in.
fn datetime(n: i64, units: Option<TimeUnits>) -> Value {
    if n == i64::MIN {
        return "NaT".into();
    }
    let (per_day, digits) = match units {
        Some(TimeUnits::Year) => return format!("{:04}", i128::from(n) + 1970).into(),
        Some(TimeUnits::Month) => {
            let (year, month) = (n.div_euclid(12), n.rem_euclid(12) + 1);
            return format!("{:04}-{month:02}", i128::from(year) + 1970).into();
        }
        Some(TimeUnits::Week) => return date(i128::from(n) * 7).into(),
        Some(TimeUnits::Day) => return date(i128::from(n)).into(),
        Some(TimeUnits::Hour) => (24, None),
        Some(TimeUnits::Minute) => (24 * 60, None),
        Some(TimeUnits::Second) => (86_400, Some(0)),
        Some(TimeUnits::Millisecond) => (86_400_000, Some(3)),
        Some(TimeUnits::Microsecond) => (86_400_000_000, Some(6)),
        Some(TimeUnits::Nanosecond) => (86_400_000_000_000, Some(9)),
        _ => return n.into(),
    };
    let n = i128::from(n);
    let (day, within) = (n.div_euclid(per_day), n.rem_euclid(per_day));
    let date = date(day);
    let text = match digits {
        None if per_day == 24 => format!("{date}T{within:02}"),
        None => format!("{date}T{:02}:{:02}", within / 60, within % 60),
        Some(digits) => {
            let per_second = 10i128.pow(digits);
            let (s, part) = (within / per_second, within % per_second);
            let clock = format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
            if digits == 0 {
                format!("{date}T{clock}")
            } else {
                format!("{date}T{clock}.{part:0width$}", width = digits as usize)
            }
        }
    };
    text.into()
}

/// The date so many days after 1970 began, in the Gregorian calendar.
fn date(days: i128) -> String {
    // Counted from the first of March of year 0, years of 365 and a quarter days, less one in a century, but for the fourth.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(dtype: &str, bytes: &[u8]) -> String {
        json(&crate::dtype::parse(dtype).unwrap(), bytes).to_string()
    }

    #[test]
    fn items_are_told() {
        assert_eq!(told("<i2", &(-2i16).to_le_bytes()), "-2");
        assert_eq!(told(">u4", &7u32.to_be_bytes()), "7");
        assert_eq!(told("<f4", &0.1f32.to_le_bytes()), "0.1");
        assert_eq!(told("<f2", &[0, 0x3e]), "1.5");
        assert_eq!(told(">f8", &f64::NAN.to_be_bytes()), "\"NaN\"");
        assert_eq!(told("<c8", &[[0, 0, 128, 63], [0, 0, 0, 64]].concat()), "[1.0,2.0]");
        assert_eq!(told("|S4", b"ab\0\0"), "\"ab\"");
        assert_eq!(told("<U2", &[0x61, 0, 0, 0, 0xac, 0x20, 0, 0]), "\"a€\"");
        assert_eq!(told("|V2", &[1, 255]), "{\"bytes\":\"01ff\"}");
        let record = "[('a', '|u1'), ('b', '<i2', (2,))]";
        assert_eq!(told(record, &[5, 1, 0, 2, 0]), "{\"a\":5,\"b\":[1,2]}");
    }

    #[test]
    fn times_are_numpy_s() {
        let time = |n: i64, units: &str| told(&format!("<M8[{units}]"), &n.to_le_bytes());
        assert_eq!(time(0, "D"), "\"1970-01-01\"");
        assert_eq!(time(19_782, "D"), "\"2024-02-29\"");
        assert_eq!(time(-1, "s"), "\"1969-12-31T23:59:59\"");
        assert_eq!(time(1_700_000_000_123_456_789, "ns"), "\"2023-11-14T22:13:20.123456789\"");
        assert_eq!(time(-13, "M"), "\"1968-12\"");
        assert_eq!(time(i64::MIN, "ns"), "\"NaT\"");
        assert_eq!(time(-719_528, "D"), "\"0000-01-01\"");
    }
}
