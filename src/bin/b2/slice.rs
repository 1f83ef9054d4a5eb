//! Slices in NumPy's notation: `0:10, ::2, -1`.

use crate::failure::Failure;

/// The items of one axis that a slice picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The first item.
    pub start: i64,
    /// How far it is to the next one; negative goes backward, never 0.
    pub step: i64,
    /// How many.
    pub count: i64,
    /// Whether the axis stays: a single index drops it.
    pub kept: bool,
}

impl Axis {
    /// All `len` items.
    pub fn all(len: i64) -> Axis {
        Axis { start: 0, step: 1, count: len, kept: true }
    }

    /// The items from the `from`th picked one up to the `to`th.
    pub fn part(&self, from: i64, to: i64) -> Axis {
        Axis { start: self.start + from * self.step, count: to - from, ..*self }
    }

    /// The coordinates of all picked items.
    pub fn indexes(&self) -> Vec<i64> {
        (0..self.count).map(|n| self.start + n * self.step).collect()
    }
}

/// The items that `text` picks of an array of that shape.
pub fn parse(text: &str, shape: &[i64]) -> Result<Vec<Axis>, Failure> {
    let text = text.trim().trim_start_matches('[').trim_end_matches(']');
    let mut parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.last() == Some(&"") {
        parts.pop();
    }
    let given = parts.iter().filter(|part| **part != "...").count();
    if parts.len() - given > 1 {
        return Err(Failure::usage(format!("slice {text}: more than one ...")));
    }
    if given > shape.len() {
        return Err(Failure::usage(format!(
            "slice {text}: {given} axes, where the array has {}",
            shape.len()
        )));
    }
    let missing = shape.len() - given;
    let mut axes = Vec::with_capacity(shape.len());
    for part in parts {
        if part == "..." {
            axes.extend(shape.iter().skip(axes.len()).take(missing).map(|&len| Axis::all(len)));
            continue;
        }
        let dim = axes.len();
        let axis = one(part, shape[dim]);
        axes.push(axis.map_err(|what| Failure::usage(format!("slice {text}, axis {dim}: {what}")))?);
    }
    axes.extend(shape.iter().skip(axes.len()).map(|&len| Axis::all(len)));
    Ok(axes)
}

fn one(part: &str, len: i64) -> Result<Axis, String> {
    let number = |text: &str| {
        let text = text.trim();
        let parsed = text.parse::<i64>().map_err(|_| format!("{text} is no number"));
        (!text.is_empty()).then_some(parsed).transpose()
    };
    let fields: Vec<&str> = part.split(':').collect();
    match fields.as_slice() {
        [index] => {
            let Some(index) = number(index)? else { return Err("nothing between two commas".into()) };
            let start = if index < 0 { index.saturating_add(len) } else { index };
            if !(0..len).contains(&start) {
                return Err(format!("index {index} of {len} items"));
            }
            Ok(Axis { start, step: 1, count: 1, kept: false })
        }
        [start, stop] => range(number(start)?, number(stop)?, 1, len),
        [start, stop, step] => range(number(start)?, number(stop)?, number(step)?.unwrap_or(1), len),
        _ => Err(format!("{part} has more than two colons")),
    }
}

fn range(start: Option<i64>, stop: Option<i64>, step: i64, len: i64) -> Result<Axis, String> {
    if step == 0 {
        return Err("a step of 0".into());
    }
    // As Python cuts the ends, for either direction.
    let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let cut = |at: i64| if at < 0 { at.saturating_add(len) } else { at }.clamp(low, high);
    let (first, last) = if step > 0 { (low, high) } else { (high, low) };
    let start = start.map_or(first, cut);
    let stop = stop.map_or(last, cut);
    let span = if step > 0 { stop - start } else { start - stop }.max(0);
    let count = i64::try_from((span as u64).div_ceil(step.unsigned_abs())).unwrap_or(0);
    // Of one item, or none, the step says nothing.
    let step = if count < 2 { 1 } else { step };
    Ok(Axis { start: start.max(0), step, count, kept: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(text: &str, len: i64) -> Vec<i64> {
        parse(text, &[len]).unwrap()[0].indexes()
    }

    #[test]
    fn ranges_are_python_s() {
        assert_eq!(picks("2:5", 10), [2, 3, 4]);
        assert_eq!(picks("-3:", 10), [7, 8, 9]);
        assert_eq!(picks("::4", 10), [0, 4, 8]);
        assert_eq!(picks("::-4", 10), [9, 5, 1]);
        assert!(picks("5:2", 10).is_empty());
        assert_eq!(picks("5:2:-1", 10), [5, 4, 3]);
        assert_eq!(picks("20:-20:-9", 10), [9, 0]);
        assert_eq!(picks(":100", 3), [0, 1, 2]);
        assert!(picks("::-1", 0).is_empty());
        assert_eq!(picks("::9223372036854775807", 3), [0]);
        assert_eq!(picks("::-9223372036854775808", 3), [2]);
        assert_eq!(picks("-9223372036854775808:9223372036854775807", 2), [0, 1]);
    }

    #[test]
    fn axes_may_be_left_out() {
        let axes = parse("1, ..., ::2", &[4, 5, 6, 7]).unwrap();
        let told: Vec<(i64, bool)> = axes.iter().map(|axis| (axis.count, axis.kept)).collect();
        assert_eq!(told, [(1, false), (5, true), (6, true), (4, true)]);
        assert_eq!(parse("-1", &[3]).unwrap()[0].start, 2);
        assert_eq!(parse("", &[3]).unwrap(), [Axis::all(3)]);
        assert_eq!(parse("...", &[]).unwrap(), []);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["3", "-4", "::0", "a", "1:2:3:4", "0,0", "...,...", "0,,0", "99999999999999999999"] {
            assert!(parse(text, &[3]).is_err(), "{text}");
        }
    }
}
