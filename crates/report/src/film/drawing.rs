//! [`FrameDrawing`]: draws frames of a film as SVG, in the colours and shapes of the page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::colouring::ColumnColours;
use super::configuration::{FrameConfiguration, NodeValue};
use super::head::Head;
use super::hull::{hull_of_discs, is_inside};
use super::shape::{colour, shape};
use crate::escape::xml;

/// Pixels between two adjacent nodes.
const SCALE: f64 = 40.0;
/// The margin around the nodes, in pixels.
const MARGIN: f64 = 40.0;
const LINE: f64 = 24.0;
/// The mean width of a letter of a title, in pixels.
const LETTER: f64 = 7.6;
/// The radius of a node, in pixels, also used for the corners of a hull.
const RADIUS: f64 = 10.0;
const REACH: f64 = 16.0;

/// The outline of a node for each state of its Lock, by the classes of the column `lock`.
const STROKES: [&str; 5] = [
    "stroke=\"black\" stroke-width=\"1\"",
    "stroke=\"black\" stroke-width=\"2\" stroke-dasharray=\"4 3\"",
    "stroke=\"black\" stroke-width=\"4\"",
    "stroke=\"black\" stroke-width=\"1\"",
    "stroke=\"black\" stroke-width=\"2\" stroke-dasharray=\"1 3\"",
];

/// Maximum nodes of a drawing; more could not be distinguished.
pub const NODES_MAX: u32 = 1 << 17;

/// Draws frames of one run with the same size, scale and colours. States have colours and shapes, lock sets are hulls
/// around the holder with lines to the members, and messages lie on their edges. A legend shows the counts, and a
/// title line the step.
#[derive(Clone, Debug)]
pub struct FrameDrawing<'a> {
    head: &'a Head,
    colouring: &'a ColumnColours,
    low: [f64; 2],
    high: [f64; 2],
    unit: f64,
}

impl<'a> FrameDrawing<'a> {
    /// Fits the drawing to these configurations. `None` if nodes have no positions, or if there are more than
    /// [`NODES_MAX`] nodes.
    ///
    /// # Panics
    ///
    /// Panics if the configurations do not belong to this head.
    #[must_use]
    pub fn new(
        head: &'a Head,
        colouring: &'a ColumnColours,
        configurations: &[&FrameConfiguration],
    ) -> Option<Self> {
        if !(1..=NODES_MAX).contains(&head.nodes) {
            return None;
        }
        let (mut low, mut high, mut unit) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2], f64::INFINITY);
        for configuration in configurations {
            let points = points(head, configuration)?;
            for point in &points {
                low = [0, 1].map(|axis| point[axis].min(low[axis]));
                high = [0, 1].map(|axis| point[axis].max(high[axis]));
            }
            unit = unit.min(SCALE / nearest(&points, configuration));
        }
        Some(Self { head, colouring, low, high, unit }).filter(|drawing| drawing.unit.is_finite())
    }

    /// The drawing of a configuration; `step` is shown in the title line.
    ///
    /// # Panics
    ///
    /// Panics if `configuration` is not one of the configurations that the drawing was made for.
    #[must_use]
    pub fn svg(&self, configuration: &FrameConfiguration, step: u64) -> String {
        let Self { head, low, high, unit, .. } = self;
        let points = points(head, configuration).expect("it has places");
        let bottom = (high[1] - low[1]) * unit + 3.0 * MARGIN;
        let legend = self.legend(configuration);
        let line = format!("{}, {} {step}", head.title, head.time);
        // The title is never cut: letters of 14 pixels are about half as wide.
        let title = LETTER * line.chars().count() as f64;
        let width = ((high[0] - low[0]) * unit).max(title).max(320.0 - 2.0 * MARGIN) + 2.0 * MARGIN;
        let height = bottom + LINE * legend.len() as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{MARGIN}\" y=\"28\">{}</text>\n",
            xml(&line)
        );
        let places: Vec<[f64; 2]> = points
            .iter()
            .map(|point| [0, 1].map(|axis| (point[axis] - low[axis]) * unit + MARGIN * (1.0 + axis as f64)))
            .collect();
        let across = |a: u32, b: u32| {
            let [[ax, ay], [bx, by]] = [a, b].map(|node| points[node as usize]);
            head.picture.wraps.is_some() && (ax - bx).abs().max((ay - by).abs()) > 2.5
        };
        self.lock_sets(&mut svg, configuration, &places, &across);
        for &(a, b) in &configuration.edges {
            edge(&mut svg, [a, b].map(|node| places[node as usize]), across(a, b));
        }
        let lock = column(head, configuration, "lock");
        for node in 0..head.nodes {
            let state = match lock.map(|values| &values[node as usize]) {
                Some(NodeValue::Class(class)) => *class as usize,
                _ => 0,
            };
            let class = self.colouring.class(head, configuration, node);
            let stroke = STROKES.get(state).copied().unwrap_or(STROKES[0]);
            let _ = writeln!(svg, "{}", shape(class, places[node as usize], RADIUS, stroke));
        }
        for message in configuration.messages.values().filter(|message| message.from != message.to) {
            let ways = ends(
                [message.from, message.to].map(|node| places[node as usize]),
                across(message.from, message.to),
            );
            // A message lies closer to the receiver; if the edge crosses a seam, on the receiver's stub.
            let at = match ways[..] {
                [[[ax, ay], [bx, by]]] => [ax + (bx - ax) * 0.6, ay + (by - ay) * 0.6],
                [.., [[bx, by], [ex, ey]]] => [bx + (ex - bx) * 0.8, by + (ey - by) * 0.8],
                [] => unreachable!("an edge has ends"),
            };
            let kind = xml(&head.messages[message.kind as usize]);
            let says = format!("<title>{kind} from {} to {}</title>", message.from, message.to);
            message_sign(&mut svg, at, message.kind, &says);
        }
        for (line, (sign, text)) in legend.into_iter().enumerate() {
            let y = bottom + LINE * line as f64;
            let _ = writeln!(
                svg,
                "{sign}<text x=\"{}\" y=\"{y:.1}\">{}</text>",
                MARGIN + 28.0,
                xml(&text),
                sign = sign.drawn([MARGIN + 8.0, y - 5.0])
            );
        }
        svg += "</svg>\n";
        svg
    }

    /// Draws lock sets below everything else. A hull that encloses a node outside the set is dashed and not filled:
    /// only the lines show the members then.
    fn lock_sets(
        &self,
        svg: &mut String,
        configuration: &FrameConfiguration,
        places: &[[f64; 2]],
        across: &impl Fn(u32, u32) -> bool,
    ) {
        let Some(holders) = column(self.head, configuration, "holder") else { return };
        let mut sets: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (node, holder) in (0..).zip(holders) {
            if let NodeValue::Node(Some(holder)) = *holder {
                sets.entry(holder).or_default().push(node);
            }
        }
        for (&holder, members) in &sets {
            // Nodes beyond a seam are not enclosed in the hull.
            let mut discs: Vec<[f64; 2]> = vec![places[holder as usize]];
            discs.extend(
                members.iter().filter(|&&node| !across(holder, node)).map(|&node| places[node as usize]),
            );
            let hull = hull_of_discs(&discs, REACH);
            let is_stranger = |node: &u32| {
                *node != holder && !members.contains(node) && is_inside(&hull, places[*node as usize])
            };
            let has_stranger = (0..self.head.nodes).any(|node| is_stranger(&node));
            let corners: Vec<String> = hull.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
            let colour = colour(holder as usize);
            let look = if has_stranger {
                "fill=\"none\" stroke-dasharray=\"5 4\"".to_owned()
            } else {
                format!("fill=\"{colour}\" fill-opacity=\"0.13\"")
            };
            let _ = writeln!(
                svg,
                "<polygon class=\"lock-set\" points=\"{}\" {look} stroke=\"{colour}\" stroke-width=\"1.6\"/>",
                corners.join(" ")
            );
            for &node in members.iter().filter(|&&node| node != holder) {
                let [from, to] = [holder, node].map(|node| places[node as usize]);
                for [[ax, ay], [bx, by]] in ends([from, to], across(holder, node)) {
                    let _ = writeln!(
                        svg,
                        "<line x1=\"{ax:.1}\" y1=\"{ay:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke=\"{colour}\" stroke-width=\"22\" \
                         stroke-linecap=\"round\" opacity=\"0.28\"/>"
                    );
                }
            }
        }
    }

    /// The entries of the legend: each sign of the picture with its meaning.
    fn legend(&self, configuration: &FrameConfiguration) -> Vec<(Sign, String)> {
        let head = self.head;
        let mut counts = vec![0_u64; self.colouring.names().len()];
        for node in 0..head.nodes {
            if let Some(count) = counts.get_mut(self.colouring.class(head, configuration, node)) {
                *count += 1;
            }
        }
        let named = self.colouring.names().iter().zip(&counts).enumerate();
        // Of more than ten classes only those present are listed.
        let shown = named.filter(|(_, (_, count))| counts.len() <= 10 || **count > 0);
        let mut legend: Vec<(Sign, String)> =
            shown.map(|(class, (name, count))| (Sign::Class(class), format!("{name}: {count}"))).collect();
        if let Some(place) = head.column("lock") {
            let names = head.columns[place].values.iter().enumerate();
            let told = names.filter(|(state, _)| [1, 2, 4].contains(state));
            legend.extend(told.map(|(state, name)| (Sign::Lock(state), name.clone())));
        }
        if head.column("holder").is_some() {
            legend.push((Sign::Set, "lock set, lines from its holder".to_owned()));
        }
        let mut kinds: Vec<u32> = configuration.messages.values().map(|message| message.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        legend.extend(
            kinds.into_iter().map(|kind| (Sign::Message(kind), head.messages[kind as usize].clone())),
        );
        legend
    }
}

/// The sign in front of a legend entry.
enum Sign {
    Class(usize),
    Lock(usize),
    Set,
    Message(u32),
}

impl Sign {
    fn drawn(&self, [x, y]: [f64; 2]) -> String {
        let mut sign = String::new();
        match self {
            Self::Class(class) => sign = shape(*class, [x, y], 8.0, "stroke=\"black\""),
            Self::Lock(state) => {
                let _ = write!(
                    sign,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\" fill=\"none\" {}/>",
                    STROKES[*state]
                );
            }
            Self::Set => {
                let colour = colour(0);
                let _ = write!(
                    sign,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"24\" height=\"16\" rx=\"8\" fill=\"{colour}\" fill-opacity=\"0.13\" \
                     stroke=\"{colour}\" stroke-width=\"1.6\"/>",
                    x - 12.0,
                    y - 8.0
                );
            }
            Self::Message(kind) => message_sign(&mut sign, [x, y], *kind, ""),
        }
        sign
    }
}

/// The position of each node, with y downwards. `None` if a node has no position.
fn points(head: &Head, configuration: &FrameConfiguration) -> Option<Vec<[f64; 2]>> {
    if let Some(positions) = &head.picture.positions {
        return Some(positions.chunks_exact(2).map(|at| [at[0], -at[1]]).collect());
    }
    let [px, py] = ["px", "py"].map(|key| column(head, configuration, key));
    let thousandths = |value: &NodeValue| match value {
        NodeValue::Number(number) => *number as f64 / 1000.0,
        _ => 0.0,
    };
    Some(px?.iter().zip(py?).map(|(x, y)| [thousandths(x), -thousandths(y)]).collect())
}

fn column<'a>(head: &Head, configuration: &'a FrameConfiguration, key: &str) -> Option<&'a [NodeValue]> {
    head.column(key).map(|column| &configuration.columns[column][..])
}

/// The segments of an edge: two stubs if it crosses the seam of a torus.
fn ends([from, to]: [[f64; 2]; 2], is_across: bool) -> Vec<[[f64; 2]; 2]> {
    if !is_across {
        return vec![[from, to]];
    }
    let stub = |at: [f64; 2], other: [f64; 2]| {
        let [dx, dy] = [0, 1].map(|axis| {
            let far = (at[axis] - other[axis]).abs() > SCALE * 1.6;
            (at[axis] - other[axis]).signum() * f64::from(far)
        });
        [at, [at[0] + dx * SCALE * 0.5, at[1] + dy * SCALE * 0.5]]
    };
    vec![stub(from, to), stub(to, from)]
}

fn edge(svg: &mut String, places: [[f64; 2]; 2], is_across: bool) {
    for [[ax, ay], [bx, by]] in ends(places, is_across) {
        let _ = writeln!(
            svg,
            "<line x1=\"{ax:.1}\" y1=\"{ay:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke=\"#777\" stroke-width=\"1.5\"/>"
        );
    }
}

fn message_sign(svg: &mut String, [x, y]: [f64; 2], kind: u32, says: &str) {
    let colour = colour(kind as usize);
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\" stroke=\"black\">{says}</circle>"
    );
}

/// The median length of the edges. Without edges, the side of a square whose area is that of the bounding box divided
/// by the number of nodes.
fn nearest(points: &[[f64; 2]], configuration: &FrameConfiguration) -> f64 {
    let mut lengths: Vec<f64> = configuration
        .edges
        .iter()
        .map(|&(a, b)| {
            let [dx, dy] = [0, 1].map(|axis| points[a as usize][axis] - points[b as usize][axis]);
            (dx * dx + dy * dy).sqrt()
        })
        .filter(|length| *length > 0.0)
        .collect();
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or_else(|| {
        let axis = |axis: usize| {
            points
                .iter()
                .map(|point| point[axis])
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                    (low.min(value), high.max(value))
                })
        };
        let [width, height] = [axis(0), axis(1)].map(|(low, high)| high - low);
        let side = (width * height / points.len() as f64).sqrt();
        if side > 0.0 { side } else { 1.0 }
    })
}
