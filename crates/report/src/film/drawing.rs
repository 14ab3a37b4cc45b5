//! A moment of a film as SVG, in the colours and shapes of the page.

use std::fmt::Write as _;

use super::configuration::{Configuration, Value};
use super::head::Head;
use crate::colours::COLOURS;

/// Pixels between two nodes that are next to each other, and round all.
const SCALE: f64 = 40.0;
const MARGIN: f64 = 40.0;

/// Nodes of a drawing, at most: with more than that one sees none.
pub const NODES_MAX: u32 = 1 << 17;

/// Draws nodes at their places: states by colour and shape, who holds whom, messages on their edges, a legend with counts,
/// title and step. `None` if the head has no places, or more nodes than one can see.
///
/// # Panics
///
/// The configuration is not of this head.
#[must_use]
pub fn drawing(head: &Head, configuration: &Configuration, step: u64) -> Option<String> {
    let positions = head.picture.positions.as_ref().filter(|_| (1..=NODES_MAX).contains(&head.nodes))?;
    let points: Vec<[f64; 2]> = positions.chunks_exact(2).map(|at| [at[0], -at[1]]).collect();
    let unit = SCALE / nearest(&points, configuration);
    let (low, high) = points.iter().fold((points[0], points[0]), |(low, high), at| {
        ([0, 1].map(|i| at[i].min(low[i])), [0, 1].map(|i| at[i].max(high[i])))
    });
    let place =
        |node: u32| [0, 1].map(|i| (points[node as usize][i] - low[i]) * unit + MARGIN * (1.0 + i as f64));
    let column = |key: &str| head.column(key).map(|column| &configuration.columns[column]);
    let class = |key: &str, node: u32| match column(key).map(|values| &values[node as usize]) {
        Some(Value::Class(class)) => *class as usize,
        _ => 0,
    };
    let states = head.column("state").map_or(&[][..], |column| &head.columns[column].values);
    let width = ((high[0] - low[0]) * unit + 2.0 * MARGIN).max(320.0);
    let bottom = (high[1] - low[1]) * unit + 3.0 * MARGIN;
    let height = bottom + 24.0 * (states.len() as f64 + 1.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\">{}, {} {step}</text>\n",
        xml(&head.title),
        xml(&head.time)
    );
    let holder = |node: u32| match column("holder").map(|values| &values[node as usize]) {
        Some(Value::Node(holder)) => *holder,
        _ => None,
    };
    // A lock set first, so that everything else is on it: its holder, and thick lines to whom it holds.
    for node in 0..head.nodes {
        if let Some(holder) = holder(node) {
            let ([x, y], [hx, hy]) = (place(node), place(holder));
            let colour = colour(holder as usize);
            let _ = writeln!(
                svg,
                "<line x1=\"{hx:.1}\" y1=\"{hy:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-width=\"28\" \
                 stroke-linecap=\"round\" opacity=\"0.3\"/>"
            );
        }
    }
    let across = |a: u32, b: u32| {
        let ([ax, ay], [bx, by]) = (points[a as usize], points[b as usize]);
        head.picture.wraps.is_some() && (ax - bx).abs().max((ay - by).abs()) > 2.5
    };
    for &(a, b) in &configuration.edges {
        let (from, to) = (place(a), place(b));
        // Across the seam of a torus: a stub at each end.
        let ends = if across(a, b) {
            let stub = |at: [f64; 2], other: [f64; 2]| {
                let [dx, dy] = [0, 1]
                    .map(|i| (at[i] - other[i]).signum() * f64::from((at[i] - other[i]).abs() > SCALE * 1.6));
                [at[0] + dx * SCALE * 0.5, at[1] + dy * SCALE * 0.5]
            };
            vec![(from, stub(from, to)), (to, stub(to, from))]
        } else {
            vec![(from, to)]
        };
        for ([ax, ay], [bx, by]) in ends {
            let _ = writeln!(
                svg,
                "<line x1=\"{ax:.1}\" y1=\"{ay:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke=\"#777\" stroke-width=\"1.5\"/>"
            );
        }
    }
    for node in 0..head.nodes {
        let state = class("state", node);
        let lock = head.column("lock").map_or(0, |_| class("lock", node));
        let stroke = match lock {
            1 => "stroke=\"black\" stroke-width=\"2\" stroke-dasharray=\"4 3\"",
            2 => "stroke=\"black\" stroke-width=\"4\"",
            4 => "stroke=\"black\" stroke-width=\"2\" stroke-dasharray=\"1 3\"",
            _ => "stroke=\"black\" stroke-width=\"1\"",
        };
        let _ = writeln!(svg, "{}", shape(state, place(node), 10.0, stroke));
    }
    for message in configuration.messages.values().filter(|message| message.from != message.to) {
        let ([ax, ay], [bx, by]) = (place(message.from), place(message.to));
        // Nearer to where it goes.
        let (x, y) = (ax + (bx - ax) * 0.6, ay + (by - ay) * 0.6);
        let kind = xml(&head.messages[message.kind as usize]);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\" stroke=\"black\"><title>{kind} from {} to {}</title></circle>",
            colour(message.kind as usize),
            message.from,
            message.to
        );
    }
    for (number, name) in states.iter().enumerate() {
        let count = column("state").map_or(0, |values| {
            values
                .iter()
                .filter(|value| matches!(value, Value::Class(class) if *class as usize == number))
                .count()
        });
        let y = bottom + 24.0 * number as f64;
        let _ = writeln!(svg, "{}", shape(number, [MARGIN + 8.0, y - 5.0], 8.0, "stroke=\"black\""));
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y:.1}\">{}: {count}</text>", MARGIN + 24.0, xml(name));
    }
    if head.column("lock").is_some() {
        let y = bottom + 24.0 * states.len() as f64;
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{y:.1}\">dashed: competing; bold: holding, lines to its lock set; dotted: releasing</text>"
        );
    }
    svg += "</svg>\n";
    Some(svg)
}

/// The length of a typical edge, or of the side of a square for each node.
fn nearest(points: &[[f64; 2]], configuration: &Configuration) -> f64 {
    let mut lengths: Vec<f64> = configuration
        .edges
        .iter()
        .map(|&(a, b)| {
            let [dx, dy] = [0, 1].map(|i| points[a as usize][i] - points[b as usize][i]);
            (dx * dx + dy * dy).sqrt()
        })
        .filter(|length| *length > 0.0)
        .collect();
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or(1.0)
}

fn colour(number: usize) -> String {
    let [red, green, blue] = COLOURS[number % COLOURS.len()];
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Colour and shape of a class: a circle, a square, a triangle, a diamond, and so on.
fn shape(class: usize, [x, y]: [f64; 2], radius: f64, stroke: &str) -> String {
    let fill = colour(class);
    let corners: &[(f64, f64)] = match class % 4 {
        0 => return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" {stroke}/>"),
        1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => &[(0.0, -1.15), (1.05, 0.8), (-1.05, 0.8)],
        _ => &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
    };
    let corners: Vec<String> =
        corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * radius, y + dy * radius)).collect();
    format!("<polygon points=\"{}\" fill=\"{fill}\" {stroke}/>", corners.join(" "))
}

/// Text, never markup.
fn xml(text: &str) -> String {
    crate::escape::visible(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
