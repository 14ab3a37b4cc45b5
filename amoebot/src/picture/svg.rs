//! Writes a picture as SVG.

use std::fmt::Write as _;

use super::hatching;
use super::{Arrow, COLOURS, LineLook, LockSetOutline, Picture};
use crate::model::lattice::Cell;

/// The distance between the centres of adjacent cells, in pixels.
pub(super) const SPACING: f64 = 20.0;
const RADIUS: f64 = 8.0;
const DOT_RADIUS: f64 = 2.5;
const TOKEN_RADIUS: f64 = 2.2;
const LINE: f64 = 22.0;
/// The minimum width of a legend entry, in pixels.
const LEGEND_WIDTH: f64 = 220.0;
/// The width of a letter, in pixels.
const LETTER_WIDTH: f64 = 7.6;

/// The number of colours of lock sets: the colours of classes except black and grey.
pub(super) const LOCK_SET_COLOURS: usize = 6;

/// The colour of objects.
const GREY: &str = "#c8c8c8";
const LAND: &str = "#ede4cf";
const GAP: &str = "#dcecf7";
const LATTICE: &str = "#ececec";

/// Two opposite corners of the drawing, in pixels.
#[derive(Clone, Copy)]
struct DrawingFrame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// The symbol of a legend line.
enum LegendSymbol {
    Disc(String, Option<String>),
    LockSet,
    Hexagon(&'static str),
    Arrow { is_parent: bool },
    Token,
    Line(LineLook),
}

impl Picture {
    /// The picture as an SVG document with title and legend, at 20 pixels per cell. O(amoebots + cells of the
    /// landscape).
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.near().svg()
    }

    fn svg(&self) -> String {
        let frame = self.frame();
        let legend = self.legend();
        let title_height = if self.title.is_some() { LINE } else { 0.0 };
        let title_width =
            self.title.as_ref().map_or(0.0, |title| LETTER_WIDTH * title.chars().count() as f64);
        let (left, top) = (frame.left, frame.top - title_height);
        let letters = legend.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0) as f64;
        let legend_width = LEGEND_WIDTH.max(LETTER_WIDTH * letters + 2.5 * SPACING);
        let width = (frame.right - left).max(legend_width).max(title_width + 2.0 * SPACING);
        let height = frame.bottom + LINE * legend.len() as f64 + SPACING / 2.0 - top;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{left:.2} {top:.2} {width:.2} {height:.2}\">\n\
             <rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"#ffffff\"/>\n"
        );
        if let Some(title) = &self.title {
            label(&mut svg, (left + SPACING / 2.0, top + 16.0), title);
        }
        for ground in &self.ground {
            hexagon(&mut svg, centre(ground.cell), if ground.is_land { LAND } else { GAP });
        }
        lattice(&mut svg, frame);
        if self.is_hatched {
            svg += &hatching::definitions(self.present().map(|(class, ..)| (class, seen_on(class))));
        }
        self.outlines(&mut svg);
        self.lines(&mut svg, true);
        self.bodies(&mut svg);
        self.lines(&mut svg, false);
        for arrow in &self.arrows {
            self.arrow(&mut svg, arrow);
        }
        for &(cell, count) in &self.tokens {
            tokens(&mut svg, centre(cell), count);
        }
        for (line, (sign, name)) in legend.iter().enumerate() {
            let at = (left + SPACING, frame.bottom + LINE * (line as f64 + 0.5));
            sign.draw(&mut svg, at);
            label(&mut svg, (at.0 + SPACING, at.1 + 5.0), name);
        }
        svg + "</svg>\n"
    }

    fn bodies(&self, svg: &mut String) {
        for &cell in &self.objects {
            disc(svg, centre(cell), RADIUS, GREY);
        }
        let colours = COLOURS.map(hexadecimal);
        for &(body, class) in &self.amoebots {
            let (head, tail, colour) = (centre(body.head()), centre(body.tail()), &colours[class]);
            let hatching = self.is_hatched.then(|| hatching::fill(class)).flatten();
            let fills = std::iter::once(colour.as_str()).chain(hatching.as_deref());
            if body.is_contracted() {
                fills.for_each(|fill| disc(svg, head, RADIUS, fill));
            } else {
                for fill in fills {
                    disc(svg, head, RADIUS, fill);
                    disc(svg, tail, RADIUS, fill);
                    let _ = writeln!(
                        svg,
                        "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{fill}\" \
                         stroke-width=\"{RADIUS}\"/>",
                        tail.0, tail.1, head.0, head.1
                    );
                }
                disc(svg, head, DOT_RADIUS, seen_on(class));
            }
        }
    }

    /// Draws lock sets: an outline, and lines from the holder.
    fn outlines(&self, svg: &mut String) {
        let pixels = |[x, y]: [f64; 2]| (SPACING * x, 0.0 - SPACING * y);
        for LockSetOutline { number, hull, spokes, has_stranger } in &self.lock_sets {
            let colour = hexadecimal(COLOURS[number % LOCK_SET_COLOURS]);
            let corners: Vec<String> =
                hull.iter().map(|&at| pixels(at)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let look = if *has_stranger {
                "fill=\"none\" stroke-dasharray=\"4 3\"".to_owned()
            } else {
                format!("fill=\"{colour}\" fill-opacity=\"0.15\"")
            };
            let _ = writeln!(
                svg,
                "<polygon class=\"lock-set\" points=\"{}\" {look} stroke=\"{colour}\" stroke-width=\"1.4\"/>",
                corners.join(" ")
            );
            for &[from, to] in spokes {
                let ((ax, ay), (bx, by)) = (pixels(from), pixels(to));
                let _ = writeln!(
                    svg,
                    "<line x1=\"{ax:.1}\" y1=\"{ay:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke=\"{colour}\" stroke-width=\"19\" \
                     stroke-linecap=\"round\" opacity=\"0.28\"/>"
                );
            }
        }
    }

    /// Draws the lines of circuits and movements that are under the amoebots, or the lines above them.
    fn lines(&self, svg: &mut String, is_under: bool) {
        for (ends, colour, width) in self.strokes(is_under) {
            stroke(svg, ends.map(|[x, y]| (SPACING * x, 0.0 - SPACING * y)), colour, width);
        }
    }

    fn arrow(&self, svg: &mut String, arrow: &Arrow) {
        let (from, to) = (centre(arrow.from), centre(arrow.to));
        arrow_between(svg, from, ((to.0 - from.0) / SPACING, (to.1 - from.1) / SPACING), arrow.is_parent);
    }

    fn frame(&self) -> DrawingFrame {
        let cells = self.cells().chain(self.ground.iter().map(|ground| ground.cell));
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut x, mut y) = (none, none);
        for at in cells.map(centre) {
            x = (x.0.min(at.0), x.1.max(at.0));
            y = (y.0.min(at.1), y.1.max(at.1));
        }
        DrawingFrame { left: x.0 - SPACING, top: y.0 - SPACING, right: x.1 + SPACING, bottom: y.1 + SPACING }
    }

    fn legend(&self) -> Vec<(LegendSymbol, String)> {
        let mut lines: Vec<(LegendSymbol, String)> = self
            .present()
            .map(|(class, name, count)| {
                let colour = hexadecimal(COLOURS[class]);
                let hatching = self.is_hatched.then(|| hatching::fill(class)).flatten();
                (LegendSymbol::Disc(colour, hatching), format!("{name}: {count}"))
            })
            .collect();
        if !self.objects.is_empty() {
            lines.push((
                LegendSymbol::Disc(GREY.to_owned(), None),
                format!("{}: {}", self.object, self.objects.len()),
            ));
        }
        for (is_parent, name) in [(true, "follows"), (false, "direction")] {
            if self.arrows.iter().any(|arrow| arrow.is_parent == is_parent) {
                lines.push((LegendSymbol::Arrow { is_parent }, name.to_owned()));
            }
        }
        if !self.tokens.is_empty() {
            let count: u64 = self.tokens.iter().map(|&(_, count)| u64::from(count)).sum();
            lines.push((LegendSymbol::Token, format!("token: {count}")));
        }
        if !self.lock_sets.is_empty() {
            lines.push((
                LegendSymbol::LockSet,
                "lock set of an action, with lines from its holder".to_owned(),
            ));
        }
        let looks = [
            LineLook::Circuit { number: 0, is_loud: false },
            LineLook::Circuit { number: 0, is_loud: true },
            LineLook::Beep { number: 0 },
            LineLook::Bond,
            LineLook::Offender,
        ];
        for look in looks.into_iter().filter(|look| self.lines.iter().any(|l| l.look.name() == look.name())) {
            lines.push((LegendSymbol::Line(look), look.name().to_owned()));
        }
        for (is_land, colour, name) in [(true, LAND, "land"), (false, GAP, "gap")] {
            if self.ground.iter().any(|ground| ground.is_land == is_land) {
                lines.push((LegendSymbol::Hexagon(colour), name.to_owned()));
            }
        }
        lines
    }
}

impl LegendSymbol {
    fn draw(&self, svg: &mut String, at: (f64, f64)) {
        match self {
            Self::Disc(colour, hatching) => {
                disc(svg, at, RADIUS, colour);
                hatching.iter().for_each(|hatching| disc(svg, at, RADIUS, hatching));
            }
            Self::LockSet => {
                let colour = hexadecimal(COLOURS[0]);
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{RADIUS}\" fill=\"{colour}\" fill-opacity=\"0.15\" \
                     stroke=\"{colour}\" stroke-width=\"1.4\"/>",
                    at.0, at.1
                );
            }
            Self::Hexagon(colour) => hexagon(svg, at, colour),
            Self::Arrow { is_parent } => {
                arrow_between(svg, (at.0 - SPACING / 2.0, at.1), (1.0, 0.0), *is_parent);
            }
            Self::Token => tokens(svg, at, 1),
            Self::Line(look) => {
                let is_long = matches!(look, LineLook::Bond | LineLook::Circuit { .. });
                let half = if is_long { SPACING / 2.0 } else { 0.0 };
                for (colour, width) in look.strokes() {
                    stroke(svg, [(at.0 - half, at.1), (at.0 + half, at.1)], colour, width);
                }
            }
        }
    }
}

/// The colour of a mark on a class: black, or white if black would not be visible.
fn seen_on(class: usize) -> &'static str {
    if is_dark(class) { "#ffffff" } else { "#000000" }
}

/// Whether a black dot would not be visible on the colour of this class.
pub(super) fn is_dark(class: usize) -> bool {
    COLOURS[class] == [0; 3]
}

/// A colour such as `#0072b2`.
pub(super) fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The centre of a cell in pixels, y downwards.
pub(super) fn centre(cell: Cell) -> (f64, f64) {
    let (x, y) = (f64::from(cell.x()), f64::from(cell.y()));
    // Avoids a negative zero, which would be printed as one.
    (SPACING * (x + y / 2.0), 0.0 - row_height() * y)
}

fn row_height() -> f64 {
    SPACING * 3.0_f64.sqrt() / 2.0
}

fn disc(svg: &mut String, (x, y): (f64, f64), radius: f64, colour: &str) {
    let _ = writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"{colour}\"/>");
}

/// Whether a character changes the direction of the text after it, which could make a name look like another one.
fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with control characters and direction marks escaped, and without the two further code points that XML
/// forbids.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{fffe}' | '\u{ffff}' => shown.push('\u{fffd}'),
            steering if steering.is_control() || is_direction_mark(steering) => {
                shown.extend(steering.escape_default());
            }
            other => shown.push(other),
        }
    }
    shown
}

fn label(svg: &mut String, (x, y): (f64, f64), text: &str) {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.2}\" y=\"{y:.2}\" font-family=\"sans-serif\" font-size=\"14\">{text}</text>"
    );
}

/// Draws the hexagon of a cell: the points nearer to its centre than to any other centre.
fn hexagon(svg: &mut String, (x, y): (f64, f64), colour: &str) {
    let (half, long) = (SPACING / 2.0, SPACING / 3.0_f64.sqrt());
    let corners = [
        (0.0, -long),
        (half, -long / 2.0),
        (half, long / 2.0),
        (0.0, long),
        (-half, long / 2.0),
        (-half, -long / 2.0),
    ];
    let points: Vec<String> = corners.iter().map(|(dx, dy)| format!("{:.2},{:.2}", x + dx, y + dy)).collect();
    let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"{colour}\"/>", points.join(" "));
}

/// Draws an arrow from a centre in the direction of a neighbour, given in cells. The arrow is filled if it leads to a
/// parent, open if it shows the next step.
fn arrow_between(svg: &mut String, (x, y): (f64, f64), (dx, dy): (f64, f64), is_parent: bool) {
    let at = |along: f64, aside: f64| {
        (x + SPACING * along * dx - aside * dy, y + SPACING * along * dy + aside * dx)
    };
    let (start, neck, tip) = (at(0.12, 0.0), at(0.5, 0.0), at(0.74, 0.0));
    let (one, other) = (at(0.5, 3.2), at(0.5, -3.2));
    let fill = if is_parent { "#000000" } else { "#ffffff" };
    let _ = writeln!(
        svg,
        "<path d=\"M{:.2} {:.2}L{:.2} {:.2}M{:.2} {:.2}L{:.2} {:.2}L{:.2} {:.2}Z\" stroke=\"#000000\" \
         stroke-width=\"1.2\" fill=\"{fill}\"/>",
        start.0, start.1, neck.0, neck.1, one.0, one.1, tip.0, tip.1, other.0, other.1
    );
}

/// Draws up to six tokens, in a ring.
fn tokens(svg: &mut String, (x, y): (f64, f64), count: u8) {
    for token in 0..count.min(6) {
        let (dx, dy) = match count {
            1 => (0.0, 0.0),
            _ => (f64::from(token) * std::f64::consts::TAU / f64::from(count.min(6))).sin_cos(),
        };
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{TOKEN_RADIUS}\" fill=\"#ffffff\" stroke=\"#000000\"/>",
            x + 4.6 * dx,
            y - 4.6 * dy
        );
    }
}

/// Draws a line with round ends; the width is in cells.
fn stroke(svg: &mut String, [(ax, ay), (bx, by)]: [(f64, f64); 2], colour: [u8; 3], width: f64) {
    let (colour, width) = (hexadecimal(colour), SPACING * width);
    let _ = writeln!(
        svg,
        "<line x1=\"{ax:.1}\" y1=\"{ay:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke=\"{colour}\" \
         stroke-width=\"{width:.1}\" stroke-linecap=\"round\"/>"
    );
}

/// Draws the lines of the lattice along its three axes.
fn lattice(svg: &mut String, frame: DrawingFrame) {
    let height = row_height();
    let (first, last) = (-frame.bottom / height, -frame.top / height);
    let mut path = String::new();
    let mut line = |from: (f64, f64), to: (f64, f64)| {
        let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1);
    };
    for row in first.ceil() as i64..=last.floor() as i64 {
        let y = 0.0 - height * row as f64;
        line((frame.left, y), (frame.right, y));
    }
    for slope in [0.5, -0.5] {
        // In coordinates of rows, the line through row t is at x = SPACING (start + slope t).
        let starts = [first, last].map(|row| [frame.left, frame.right].map(|x| x / SPACING - slope * row));
        let all = starts.concat();
        let low = all.iter().copied().fold(f64::INFINITY, f64::min).ceil() as i64;
        let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max).floor() as i64;
        for start in low..=high {
            let start = start as f64;
            let mut rows = [frame.left, frame.right].map(|x| (x / SPACING - start) / slope);
            rows.sort_by(f64::total_cmp);
            let (from, to) = (rows[0].max(first), rows[1].min(last));
            if from < to {
                let at = |row: f64| (SPACING * (start + slope * row), 0.0 - height * row);
                line(at(from), at(to));
            }
        }
    }
    let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"{LATTICE}\" fill=\"none\"/>");
}
