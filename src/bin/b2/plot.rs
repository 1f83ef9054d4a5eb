//! Speed against ratio, as a picture.

use crate::bench::Tried;
use crate::compression::codec_name;
use crate::failure::Failure;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const SIZE: (u32, u32) = (1120, 560);
/// Speeds are told in these.
const MIB: f64 = 1_048_576.0;
const INK: RGBColor = RGBColor(40, 40, 48);
const FAINT: RGBColor = RGBColor(120, 120, 130);
const GRID: RGBColor = RGBColor(230, 232, 236);
/// Colours that are told apart by all eyes, after Okabe and Ito.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Two panels: compressing and decompressing. Both axes are logarithmic.
pub fn picture(title: &str, tried: &[Tried]) -> Result<String, Failure> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        paint(&area, title, tried).map_err(|e| Failure::new(format!("the picture cannot be drawn: {e}")))?;
    }
    Ok(svg)
}

fn paint(area: &Area<'_>, title: &str, tried: &[Tried]) -> Drawn {
    area.fill(&WHITE)?;
    text(area, &format!("{title}: what nothing else beats is on the line"), (24, 24), 17, INK, HPos::Left)?;
    let codecs = distinct(tried.iter().map(|one| codec_name(one.cparams.codec)));
    let filters = distinct(tried.iter().map(Tried::filters));
    legend(area, &codecs, &filters)?;
    let panels = [
        (
            80,
            "compressing, MiB/s",
            (|one| one.compress / MIB) as fn(&Tried) -> f64,
            (|one| one.best_c) as fn(&Tried) -> bool,
        ),
        (630, "decompressing, MiB/s", |one| one.decompress / MIB, |one| one.best_d),
    ];
    for (left, what, speed_of, is_best) in panels {
        let panel = Panel::new(left, tried, speed_of);
        panel.frame(area, what)?;
        panel.points(area, tried, speed_of, is_best, &codecs, &filters)?;
    }
    Ok(())
}

fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = names.collect();
    all.sort();
    all.dedup();
    all
}

fn text(area: &Area<'_>, what: &str, at: (i32, i32), points: i32, color: RGBColor, side: HPos) -> Drawn {
    let font = ("sans-serif", points).into_font().color(&color).pos(Pos::new(side, VPos::Center));
    Ok(area.draw(&Text::new(what.to_owned(), at, font))?)
}

/// Room that a text takes, about.
fn text_width(what: &str, points: i32) -> i32 {
    what.chars().count() as i32 * points * 55 / 100
}

fn legend(area: &Area<'_>, codecs: &[String], filters: &[String]) -> Drawn {
    let mut left = 24;
    for (n, codec) in codecs.iter().enumerate() {
        area.draw(&Circle::new((left + 5, 52), 5, color(n).filled()))?;
        text(area, codec, (left + 15, 52), 13, INK, HPos::Left)?;
        left += 15 + text_width(codec, 13) + 20;
    }
    left += 16;
    for (n, filter) in filters.iter().enumerate() {
        mark(area, (left + 5, 52), n, FAINT, 5)?;
        text(area, filter, (left + 15, 52), 13, INK, HPos::Left)?;
        left += 15 + text_width(filter, 13) + 20;
    }
    Ok(())
}

fn color(n: usize) -> RGBColor {
    COLORS[n % COLORS.len()]
}

/// A mark for each filter: circle, triangle, square, diamond.
fn mark(area: &Area<'_>, (x, y): (i32, i32), shape: usize, color: RGBColor, r: i32) -> Drawn {
    let corners = match shape % 4 {
        0 => return Ok(area.draw(&Circle::new((x, y), r, color.filled()))?),
        1 => vec![(x, y - r - 1), (x + r + 1, y + r), (x - r - 1, y + r)],
        2 => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
        _ => vec![(x, y - r - 2), (x + r + 2, y), (x, y + r + 2), (x - r - 2, y)],
    };
    Ok(area.draw(&Polygon::new(corners, color.filled()))?)
}

/// One of the two plots: where in the picture, and what of the numbers it shows.
struct Panel {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
    ratios: (f64, f64),
    speeds: (f64, f64),
}

impl Panel {
    fn new(left: i32, tried: &[Tried], speed_of: fn(&Tried) -> f64) -> Panel {
        let ratios = range(tried.iter().map(|one| one.ratio), 1.12);
        let speeds = range(tried.iter().map(speed_of), 1.25);
        Panel { left, right: left + 460, top: 104, bottom: SIZE.1 as i32 - 56, ratios, speeds }
    }

    fn x(&self, ratio: f64) -> i32 {
        self.left + (share(ratio, self.ratios) * f64::from(self.right - self.left)).round() as i32
    }

    fn y(&self, speed: f64) -> i32 {
        self.bottom - (share(speed, self.speeds) * f64::from(self.bottom - self.top)).round() as i32
    }

    fn frame(&self, area: &Area<'_>, what: &str) -> Drawn {
        text(area, what, (self.left, self.top - 16), 15, INK, HPos::Left)?;
        for ratio in ticks(self.ratios) {
            let x = self.x(ratio);
            area.draw(&PathElement::new(vec![(x, self.top), (x, self.bottom)], GRID))?;
            text(area, &format!("{}x", short(ratio)), (x, self.bottom + 14), 12, FAINT, HPos::Center)?;
        }
        for value in ticks(self.speeds) {
            let y = self.y(value);
            area.draw(&PathElement::new(vec![(self.left, y), (self.right, y)], GRID))?;
            text(area, &short(value), (self.left - 6, y), 12, FAINT, HPos::Right)?;
        }
        let corners = [(self.left, self.top), (self.right, self.bottom)];
        area.draw(&Rectangle::new(corners, FAINT))?;
        let middle = (self.left + self.right) / 2;
        text(area, "ratio: smaller files to the right", (middle, self.bottom + 36), 13, INK, HPos::Center)
    }

    fn points(
        &self,
        area: &Area<'_>,
        tried: &[Tried],
        speed_of: fn(&Tried) -> f64,
        is_best: fn(&Tried) -> bool,
        codecs: &[String],
        filters: &[String],
    ) -> Drawn {
        let at = |one: &Tried| (self.x(one.ratio), self.y(speed_of(one)));
        let looks = |one: &Tried| {
            let find =
                |names: &[String], name: String| names.iter().position(|known| *known == name).unwrap_or(0);
            (find(codecs, codec_name(one.cparams.codec)), find(filters, one.filters()))
        };
        let mut best: Vec<&Tried> = tried.iter().filter(|one| is_best(one)).collect();
        best.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        area.draw(&PathElement::new(best.iter().map(|one| at(one)).collect::<Vec<_>>(), FAINT))?;
        let mut taken: Vec<Room> = best.windows(2).flat_map(|ends| along(at(ends[0]), at(ends[1]))).collect();
        for one in tried {
            let (codec, shape) = looks(one);
            let r = if is_best(one) { 5 } else { 3 };
            mark(area, at(one), shape, color(codec), r)?;
            let (x, y) = at(one);
            taken.push(Room { left: x - r, right: x + r, top: y - r, bottom: y + r });
        }
        // The ends of the line first: they are asked for most.
        let inward = (0..best.len().div_ceil(2)).flat_map(|n| [n, best.len() - 1 - n]);
        let mut named = vec![false; best.len()];
        for n in inward {
            if !std::mem::replace(&mut named[n], true) {
                self.label(area, &best[n].name(), at(best[n]), &mut taken)?;
            }
        }
        Ok(())
    }

    /// Writes a name near a point, where nothing else is; nowhere, when there is no such place.
    fn label(&self, area: &Area<'_>, name: &str, (x, y): (i32, i32), taken: &mut Vec<Room>) -> Drawn {
        let width = text_width(name, 12);
        for away in [9, 16, 26, 38] {
            let places = [
                (x + away, y),
                (x + away, y - away),
                (x - away - width, y + away),
                (x + away, y + away),
                (x - away - width, y),
                (x - away - width, y - away),
                (x - width / 2, y - away - 4),
                (x - width / 2, y + away + 4),
            ];
            for (left, middle) in places {
                let room = Room { left, right: left + width, top: middle - 7, bottom: middle + 7 };
                let inside = room.left > self.left
                    && room.right < self.right
                    && room.top > self.top
                    && room.bottom < self.bottom;
                if inside && !taken.iter().any(|other| other.touches(&room)) {
                    if away > 16 {
                        let end = (left.clamp(x - away, x + away), middle);
                        area.draw(&PathElement::new(vec![(x, y), end], FAINT.mix(0.5)))?;
                    }
                    taken.push(room);
                    return text(area, name, (left, middle), 12, INK, HPos::Left);
                }
            }
        }
        Ok(())
    }
}

/// A part of the picture that is taken.
struct Room {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Room {
    fn touches(&self, other: &Room) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// The room that a line takes, in small pieces.
fn along(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = Room> {
    let steps = ((to.0 - from.0).abs().max((to.1 - from.1).abs()) / 4).max(1);
    (0..=steps).map(move |step| {
        let (x, y) = (from.0 + (to.0 - from.0) * step / steps, from.1 + (to.1 - from.1) * step / steps);
        Room { left: x - 1, right: x + 1, top: y - 1, bottom: y + 1 }
    })
}

/// The numbers' range, a little wider on both sides.
fn range(numbers: impl Iterator<Item = f64>, wider: f64) -> (f64, f64) {
    let (low, high) = numbers.fold((f64::MAX, 0.0), |(low, high), n| (f64::min(low, n), f64::max(high, n)));
    (low.max(1e-9) / wider, high.max(1e-9) * wider)
}

/// Where between the ends of a range a number lies, on a logarithmic scale.
fn share(n: f64, (low, high): (f64, f64)) -> f64 {
    (n / low).ln() / (high / low).ln()
}

/// Round numbers in a range: 1, 2, 5, 10 and so on, more of them where the range is narrow.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let steps: &[f64] = match high / low {
        span if span < 4.0 => &[1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
        span if span < 2000.0 => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let all = decades.flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
    all.filter(|n| (low..=high).contains(n)).collect()
}

fn short(n: f64) -> String {
    let text = format!("{n:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
