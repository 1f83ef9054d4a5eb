//! What is printed: a line per case, a line per row, and both as JSON.

use crate::measure::{Case, Figures};
use crate::rows::Row;
use std::fmt;

/// Compressed sizes may be this much above the C library's.
const SIZE_SLACK: f64 = 1.005;

/// A case and its figures.
pub struct Line {
    row: &'static Row,
    name: String,
    figures: Figures,
}

impl Line {
    pub fn of(case: &Case, figures: Figures) -> Line {
        Line { row: case.row, name: case.name.clone(), figures }
    }

    fn too_large(&self) -> bool {
        self.figures.size_ratio().is_some_and(|ratio| ratio > SIZE_SLACK)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ours, theirs] = self.figures.times.map(|time| time.as_secs_f64() * 1e6);
        write!(f, "{:32} {:44} {:8.2}x", self.row.name, self.name, self.figures.ratio())?;
        write!(f, "  {ours:12.2} us  {theirs:12.2} us")?;
        if let Some(nbytes) = self.figures.nbytes {
            write!(f, "  {:7.2} GB/s", nbytes as f64 / ours / 1e3)?;
        }
        if let Some(ratio) = self.figures.size_ratio() {
            write!(f, "  size {ratio:.4}")?;
        }
        let low = if self.figures.ratio() < self.row.least { "  LOW" } else { "" };
        let large = if self.too_large() { "  LARGE" } else { "" };
        write!(f, "{low}{large}")
    }
}

/// All lines, and what they come to.
#[derive(Default)]
pub struct Report {
    lines: Vec<Line>,
}

/// A row's cases, summed up.
struct Sum<'a> {
    row: &'static Row,
    mean: f64,
    slowest: &'a Line,
    cases: usize,
    largest: Option<&'a Line>,
}

impl Sum<'_> {
    fn passes(&self) -> bool {
        self.mean >= self.row.mean
            && self.slowest.figures.ratio() >= self.row.least
            && !self.largest.is_some_and(Line::too_large)
    }
}

impl Report {
    pub fn add(&mut self, line: Line) {
        self.lines.push(line);
    }

    fn sums(&self) -> Vec<Sum<'_>> {
        let mut rows: Vec<&'static Row> = Vec::new();
        for line in &self.lines {
            if !rows.iter().any(|row| std::ptr::eq(*row, line.row)) {
                rows.push(line.row);
            }
        }
        rows.into_iter().filter_map(|row| self.sum(row)).collect()
    }

    fn sum(&self, row: &'static Row) -> Option<Sum<'_>> {
        let lines: Vec<&Line> = self.lines.iter().filter(|line| std::ptr::eq(line.row, row)).collect();
        let logs: f64 = lines.iter().map(|line| line.figures.ratio().ln()).sum();
        let slowest = *lines.iter().min_by(|a, b| a.figures.ratio().total_cmp(&b.figures.ratio()))?;
        let sized = lines.iter().filter(|line| line.figures.size_ratio().is_some());
        let size = |line: &Line| line.figures.size_ratio().unwrap_or(0.0);
        let largest = sized.copied().max_by(|a, b| size(a).total_cmp(&size(b)));
        Some(Sum { row, mean: (logs / lines.len() as f64).exp(), slowest, cases: lines.len(), largest })
    }

    /// Rows and cases with their ratios and times in seconds.
    pub fn json(&self) -> String {
        let cases: Vec<String> = self.lines.iter().map(json_of_line).collect();
        let rows: Vec<String> = self.sums().iter().map(json_of_sum).collect();
        format!("{{\"rows\":[\n{}\n],\"cases\":[\n{}\n]}}\n", rows.join(",\n"), cases.join(",\n"))
    }
}

fn json_of_line(line: &Line) -> String {
    let [ours, theirs] = line.figures.times.map(|time| time.as_secs_f64());
    let sizes = match line.figures.sizes {
        [Some(ours), Some(theirs)] => format!(",\"size\":{ours},\"size_of_reference\":{theirs}"),
        _ => String::new(),
    };
    format!(
        "{{\"row\":{:?},\"case\":{:?},\"ratio\":{:.4},\"seconds\":{ours:e},\"seconds_of_reference\":{theirs:e}{sizes}}}",
        line.row.name,
        line.name,
        line.figures.ratio()
    )
}

fn json_of_sum(sum: &Sum<'_>) -> String {
    format!(
        "{{\"row\":{:?},\"cases\":{},\"mean\":{:.4},\"goal\":{},\"slowest\":{:.4},\"goal_of_slowest\":{},\"pass\":{}}}",
        sum.row.name,
        sum.cases,
        sum.mean,
        sum.row.mean,
        sum.slowest.figures.ratio(),
        sum.row.least,
        sum.passes()
    )
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{:34} {:>5} {:>8} {:>8} {:>8} {:>8}  ",
            "row", "cases", "mean", "goal", "slowest", "goal"
        )?;
        for sum in self.sums() {
            let verdict = if sum.passes() { "pass" } else { "short" };
            let (slowest, name) = (sum.slowest.figures.ratio(), &sum.slowest.name);
            write!(f, "{:34} {:5} {:7.2}x {:7.2}x ", sum.row.name, sum.cases, sum.mean, sum.row.mean)?;
            write!(f, "{slowest:7.2}x {:7.2}x  {verdict:5}  ({name})", sum.row.least)?;
            match sum.largest {
                Some(line) => writeln!(f, " size at most {:.4}", line.figures.size_ratio().unwrap_or(0.0))?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}
