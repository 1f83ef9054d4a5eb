//! What is printed: a line per case, a line per row, and both as JSON.

use crate::measure::{Case, Figures};
use crate::rows::Row;
use std::fmt;

/// Compressed sizes may be this much above the C library's.
const SIZE_SLACK: f64 = 1.005;
/// What the names of cases with two threads end in.
pub const TWO_THREADS: &str = " 2 threads";
/// So may memory, in bytes: pages that are touched here and there.
const MEMORY_SLACK: u64 = 512 << 10;
/// How much slower a case may look with two threads than with one: clocks are not exact.
const THREADS_SLACK: f64 = 0.95;

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

    /// Bytes of memory by which ours takes more than the C library; less than 0 where it takes less.
    fn more_memory(&self) -> Option<i64> {
        self.figures.peaks.map(|[ours, theirs]| ours as i64 - theirs as i64)
    }

    fn too_much_memory(&self) -> bool {
        self.more_memory().is_some_and(|more| more > MEMORY_SLACK as i64)
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
        if let Some([memcpy, codec]) = self.figures.limits {
            let part = |limit: std::time::Duration| 100.0 * limit.as_secs_f64() * 1e6 / ours;
            write!(f, "  memcpy {:3.0}%  codec {:3.0}%", part(memcpy), part(codec))?;
        }
        if let Some(peaks) = self.figures.peaks {
            let [ours, theirs] = peaks.map(|bytes| bytes as f64 / 1e6);
            write!(f, "  {ours:.1} MB of {theirs:.1}")?;
        }
        let low = if self.figures.ratio() < self.row.least { "  LOW" } else { "" };
        let large = if self.too_large() { "  LARGE" } else { "" };
        let heavy = if self.too_much_memory() { "  HEAVY" } else { "" };
        write!(f, "{low}{large}{heavy}")
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
    heaviest: Option<&'a Line>,
}

impl Sum<'_> {
    fn passes(&self) -> bool {
        self.mean >= self.row.mean
            && self.slowest.figures.ratio() >= self.row.least
            && !self.largest.is_some_and(Line::too_large)
            && !self.heaviest.is_some_and(Line::too_much_memory)
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
        let heaviest = lines.iter().copied().filter(|line| line.more_memory().is_some());
        let heaviest = heaviest.max_by_key(|line| line.more_memory());
        let mean = (logs / lines.len() as f64).exp();
        Some(Sum { row, mean, slowest, cases: lines.len(), largest, heaviest })
    }

    /// The cases of two threads: how much faster ours is than on one.
    fn pairs(&self) -> Vec<(&Line, f64)> {
        self.lines.iter().filter_map(|line| Some((line, line.figures.gain_of_threads()?))).collect()
    }

    /// Rows and cases with their ratios and times in seconds.
    pub fn json(&self) -> String {
        let cases: Vec<String> = self.lines.iter().map(json_of_line).collect();
        let rows: Vec<String> = self.sums().iter().map(json_of_sum).collect();
        let pairs = self.pairs();
        let pairs: Vec<String> = pairs.iter().map(json_of_pair).collect();
        format!(
            "{{\"rows\":[\n{}\n],\"two_threads\":[\n{}\n],\"cases\":[\n{}\n]}}\n",
            rows.join(",\n"),
            pairs.join(",\n"),
            cases.join(",\n")
        )
    }
}

impl Report {
    /// What a second thread brings.
    fn fmt_pairs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.pairs();
        let Some((slowest, least)) = pairs.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(()) };
        let mean = (pairs.iter().map(|(_, ratio)| ratio.ln()).sum::<f64>() / pairs.len() as f64).exp();
        let verdict = if *least >= THREADS_SLACK { "pass" } else { "short" };
        let (n, name) = (pairs.len(), &slowest.name);
        writeln!(
            f,
            "two threads by one {n:20} {mean:7.2}x {:8} {least:7.2}x {:7.2}x  {verdict:5}  ({name})",
            "", 1.0
        )?;
        for (line, ratio) in pairs.iter().filter(|(_, ratio)| *ratio < THREADS_SLACK) {
            writeln!(f, "    {ratio:5.2}x  {}", line.name)?;
        }
        Ok(())
    }
}

fn json_of_pair((line, ratio): &(&Line, f64)) -> String {
    format!("{{\"case\":{:?},\"ratio_to_one_thread\":{ratio:.4}}}", line.name)
}

fn json_of_line(line: &Line) -> String {
    let [ours, theirs] = line.figures.times.map(|time| time.as_secs_f64());
    let sizes = match line.figures.sizes {
        [Some(ours), Some(theirs)] => format!(",\"size\":{ours},\"size_of_reference\":{theirs}"),
        _ => String::new(),
    };
    let limits = line.figures.limits.map_or(String::new(), |limits| {
        let [memcpy, codec] = limits.map(|time| time.as_secs_f64());
        format!(",\"seconds_of_memcpy\":{memcpy:e},\"seconds_of_codec\":{codec:e}")
    });
    let peaks = line.figures.peaks.map_or(String::new(), |[ours, theirs]| {
        format!(",\"peak_memory\":{ours},\"peak_memory_of_reference\":{theirs}")
    });
    format!(
        "{{\"row\":{:?},\"case\":{:?},\"ratio\":{:.4},\"seconds\":{ours:e},\"seconds_of_reference\":{theirs:e}{sizes}{limits}{peaks}}}",
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
            if let Some(line) = sum.largest {
                write!(f, " size at most {:.4}", line.figures.size_ratio().unwrap_or(0.0))?;
            }
            if let Some((line, more)) = sum.heaviest.and_then(|line| Some((line, line.more_memory()?))) {
                write!(f, " memory at most {:+.1} MB ({})", more as f64 / 1e6, line.name)?;
            }
            writeln!(f)?;
        }
        self.fmt_pairs(f)
    }
}
