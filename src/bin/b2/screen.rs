//! Printing: to people in colours and units where there is a terminal, to programs as JSON.

use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// Where output for people goes. Styles are left out where that is no terminal, or where `NO_COLOR` is set.
pub type Screen = BufWriter<anstream::AutoStream<StdoutLock<'static>>>;

/// What is named.
pub const NAME: Style = Style::new().bold();
/// What is beside the point.
pub const FAINT: Style = Style::new().dimmed();
/// What is well.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What is not.
pub const BAD: Style = AnsiColor::Red.on_default().bold();

/// The screen.
pub fn screen() -> Screen {
    BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()))
}

/// Standard output for bytes.
///
/// # Errors
/// When it is a terminal, which bytes would confuse.
pub fn bytes_out() -> Result<BufWriter<StdoutLock<'static>>, Failure> {
    if io::stdout().is_terminal() {
        return Err(Failure::usage("bytes do not belong on a terminal: say --output FILE, or redirect"));
    }
    Ok(text_out())
}

/// Standard output for text that is data, which goes out as it is.
pub fn text_out() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Prints a value as JSON.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    let mut out = text_out();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// One line on standard error about what failed.
pub fn complain(what: &str) {
    // Where nobody listens there is nobody to tell.
    let _ = writeln!(anstream::stderr().lock(), "{BAD}b2:{BAD:#} {what}");
}

/// One line on standard error about what is worth knowing.
pub fn remark(what: &str) {
    let _ = writeln!(anstream::stderr().lock(), "b2: {what}");
}

/// How many characters a line has.
pub fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = columns.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)));
    width.unwrap_or(80).clamp(20, 400)
}

/// Bytes, in the unit that suits them.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let (mut value, mut unit) = (bytes as f64 / 1024.0, 0);
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", three_digits(value), UNITS[unit])
}

/// A number with about three digits.
pub fn three_digits(value: f64) -> String {
    match value {
        v if v < 9.995 => format!("{v:.2}"),
        v if v < 99.95 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// How many times smaller, or `-` where nothing is stored.
pub fn ratio(nbytes: u64, cbytes: u64) -> String {
    match factor(nbytes, cbytes) {
        Some(factor) => format!("{}x", three_digits(factor)),
        None => "-".into(),
    }
}

/// Uncompressed by compressed bytes.
pub fn factor(nbytes: u64, cbytes: u64) -> Option<f64> {
    (nbytes > 0 && cbytes > 0).then(|| nbytes as f64 / cbytes as f64)
}

/// A number of things, with the word for one or many.
pub fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Text from outside, without anything that would move the cursor or break a line.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// A table of columns, those of numbers to the right.
pub struct Table {
    heads: Vec<(&'static str, Side)>,
    rows: Vec<Vec<String>>,
}

/// To which side a column's text goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

impl Table {
    /// A table with these columns.
    pub fn new(heads: &[(&'static str, Side)]) -> Self {
        Table { heads: heads.to_vec(), rows: Vec::new() }
    }

    /// Adds a line.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Prints it. Columns in which nothing stands are left out.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let cell = |row: &Vec<String>, n: usize| row.get(n).map_or(0, |cell| cell.chars().count());
        let mut columns = Vec::new();
        for (n, (head, side)) in self.heads.iter().enumerate() {
            let longest = self.rows.iter().map(|row| cell(row, n)).max().unwrap_or(0);
            if longest > 0 {
                columns.push((n, longest.max(head.chars().count()), *side));
            }
        }
        let line = |text: &dyn Fn(usize) -> String| {
            let cells = columns.iter().map(|&(n, width, side)| match side {
                Side::Left => format!("{:<width$}", text(n)),
                Side::Right => format!("{:>width$}", text(n)),
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        writeln!(out, "{FAINT}{}{FAINT:#}", line(&|n| self.heads[n].0.to_owned()))?;
        for row in &self.rows {
            writeln!(out, "{}", line(&|n| row.get(n).cloned().unwrap_or_default()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        let sizes = [0, 1023, 1024, 10 * 1024 + 512, 1023 * 1024, 5 << 30, u64::MAX].map(size);
        assert_eq!(sizes, ["0 B", "1023 B", "1.00 KiB", "10.5 KiB", "1.00 MiB", "5.00 GiB", "16.0 EiB"]);
        assert_eq!([ratio(100, 33), ratio(0, 5), ratio(5, 0)], ["3.03x", "-", "-"]);
    }
}
