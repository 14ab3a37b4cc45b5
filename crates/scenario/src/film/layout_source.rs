//! Layouts of the nodes of a graph.

use acrasin_graphs::Family;
use acrasin_graphs::family::FamilyForm;
use acrasin_report::film::NodePositions;

/// The source of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayoutSource {
    /// Rows of this many nodes. In the triangular lattice each row is shifted by half a node to the right.
    Rows {
        rows: u32,
        columns: u32,
        is_triangular: bool,
        is_torus: bool,
    },
    Ring,
    Path,
    Star,
    /// No known layout: the layout is computed from the edges.
    Unknown,
}

/// The maximum work of a force-directed layout: (nodes + edges) times iterations.
const WORK: usize = 40_000_000;

const ROW: f64 = 0.866_025_403_784_438_6;

impl LayoutSource {
    /// The layout of a graph family.
    pub(crate) fn of(family: &Family) -> Self {
        let side = |parameter| u32::try_from(family.values().count_of(parameter)).unwrap_or(u32::MAX);
        match family.entry().form {
            FamilyForm::Rows { is_triangular, is_torus } => {
                Self::Rows { rows: side("rows"), columns: side("columns"), is_triangular, is_torus }
            }
            FamilyForm::Ring => Self::Ring,
            FamilyForm::Path => Self::Path,
            FamilyForm::Star => Self::Star,
            FamilyForm::Complete | FamilyForm::Other => Self::Unknown,
        }
    }

    /// The positions of the nodes of a graph. `edges` contains every edge that occurs at any time.
    pub(crate) fn picture(self, nodes: u32, edges: &[(u32, u32)]) -> NodePositions {
        let mut picture = NodePositions::default();
        let points = match self {
            Self::Rows { rows, columns, is_triangular, is_torus } => {
                picture.wraps = is_torus.then_some((columns, rows));
                let place = |node: u32| {
                    let (row, column) = (f64::from(node / columns), f64::from(node % columns));
                    if is_triangular { [column + row / 2.0, -row * ROW] } else { [column, -row] }
                };
                (0..nodes).map(place).collect()
            }
            Self::Ring => circle(nodes, 0, nodes),
            Self::Path => (0..nodes).map(|node| [f64::from(node), 0.0]).collect(),
            Self::Star => {
                let mut points = vec![[0.0, 0.0]];
                points.extend(circle(nodes - 1, 0, nodes - 1));
                points
            }
            Self::Unknown if edges.is_empty() => circle(nodes, 0, nodes),
            Self::Unknown => by_forces(nodes as usize, edges),
        };
        NodePositions { positions: Some(rounded(points)), ..picture }
    }
}

/// These node positions, scaled so that a typical edge has length 1.
pub(crate) fn placed(points: Vec<[f64; 2]>, edges: &[(u32, u32)]) -> NodePositions {
    let length = |&(a, b): &(u32, u32)| {
        let [from, to] = [a, b].map(|node| points[node as usize]);
        ((from[0] - to[0]).powi(2) + (from[1] - to[1]).powi(2)).sqrt()
    };
    let mut lengths: Vec<f64> = edges.iter().map(length).filter(|length| *length > 0.0).collect();
    lengths.sort_by(f64::total_cmp);
    let extent = [0, 1].map(|axis| {
        let along = points.iter().map(|point| point[axis]);
        along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
    });
    let extent = extent[0].max(extent[1]);
    let extent = if extent > 0.0 { extent } else { 1.0 };
    // Without edges each node gets a unit square. A lower bound keeps the picture at most a million nodes wide.
    let median = lengths.get(lengths.len() / 2).copied();
    let unit = median.unwrap_or(extent / (points.len() as f64).sqrt()).max(extent * 1e-6);
    let scaled = points.into_iter().map(|place| place.map(|value| value / unit)).collect();
    NodePositions { positions: Some(rounded(scaled)), ..NodePositions::default() }
}

/// Rounds coordinates to thousandths, because the last bits of a sine differ between machines.
fn rounded(points: Vec<[f64; 2]>) -> Vec<f64> {
    points.into_iter().flatten().map(|value| (value * 1000.0).round() / 1000.0 + 0.0).collect()
}

/// The points with numbers `from` to `to` of `of` points on a circle. Adjacent points have distance 1.
fn circle(of: u32, from: u32, to: u32) -> Vec<[f64; 2]> {
    let radius = f64::from(of.max(3)) / std::f64::consts::TAU;
    let point = |node: u32| {
        let angle = std::f64::consts::TAU * f64::from(node) / f64::from(of.max(1));
        [radius * angle.sin(), radius * angle.cos()]
    };
    (from..to).map(point).collect()
}

/// A force-directed layout (Fruchterman and Reingold 1991): edges attract their ends, and nodes closer than two ideal
/// lengths repel each other. A grid finds these nodes, so an iteration costs O(nodes + edges) while nodes are spread
/// out. The number of iterations is bounded. Initial positions come from a random generator of their own.
fn by_forces(nodes: usize, edges: &[(u32, u32)]) -> Vec<[f64; 2]> {
    const REACH: f64 = 2.0;
    let side = (nodes as f64).sqrt() + 1.0;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * side
    };
    let mut points: Vec<[f64; 2]> = (0..nodes).map(|_| [draw(), draw()]).collect();
    let iterations = (WORK / (8 * nodes + edges.len()).max(1)).clamp(20, 300);
    for iteration in 0..iterations {
        let most = side / 10.0 * (1.0 - iteration as f64 / iterations as f64) + 0.01;
        let mut forces = vec![[0.0, 0.0]; nodes];
        let mut push = |u: usize, v: usize, strength: f64, points: &[[f64; 2]]| {
            let [dx, dy] = [points[u][0] - points[v][0], points[u][1] - points[v][1]];
            for (node, sign) in [(u, strength), (v, -strength)] {
                forces[node][0] += sign * dx;
                forces[node][1] += sign * dy;
            }
        };
        let squared = |u: usize, v: usize, points: &[[f64; 2]]| {
            let [dx, dy] = [points[u][0] - points[v][0], points[u][1] - points[v][1]];
            dx * dx + dy * dy
        };
        // The nodes in the order of their grid cells.
        let cell = |point: &[f64; 2]| ((point[1] / REACH).floor() as i64, (point[0] / REACH).floor() as i64);
        let mut by_cell: Vec<((i64, i64), usize)> = points.iter().map(cell).zip(0..).collect();
        by_cell.sort_unstable();
        for (place, &((row, column), u)) in by_cell.iter().enumerate() {
            let in_row = by_cell[place + 1..].iter().take_while(|((r, c), _)| *r == row && *c <= column + 1);
            let below = by_cell.partition_point(|&(at, _)| at < (row + 1, column - 1));
            let next = by_cell[below..].iter().take_while(|((r, c), _)| *r == row + 1 && *c <= column + 1);
            // In a crowded cell the repulsion is an average, so a bounded number of nodes suffices.
            for &(_, v) in in_row.take(64).chain(next.take(64)) {
                let distance = squared(u, v, &points).max(1e-4);
                if distance < REACH * REACH {
                    push(u, v, 1.0 / distance, &points);
                }
            }
        }
        for &(u, v) in edges {
            let (u, v) = (u as usize, v as usize);
            push(u, v, -squared(u, v, &points).sqrt(), &points);
        }
        for (point, force) in points.iter_mut().zip(&forces) {
            let size = (force[0] * force[0] + force[1] * force[1]).sqrt();
            let step = if size > most { most / size } else { 1.0 };
            // A weak pull to the centre keeps unconnected parts together.
            let weak = 0.002;
            for axis in 0..2 {
                point[axis] += force[axis] * step + (side / 2.0 - point[axis]) * weak;
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_is_the_same_each_time_and_neighbours_are_nearer_than_others() {
        // A path of 60 nodes whose numbers are out of order: 7 and 60 are coprime.
        let edges: Vec<(u32, u32)> = (0..59_u32).map(|i| (i * 7 % 60, (i + 1) * 7 % 60)).collect();
        let [first, second] = [0, 1].map(|_| LayoutSource::Unknown.picture(60, &edges));
        assert_eq!(first, second);
        let points = first.positions.unwrap();
        let distance = |u: u32, v: u32| {
            let [dx, dy] = [0, 1].map(|axis| points[2 * u as usize + axis] - points[2 * v as usize + axis]);
            (dx * dx + dy * dy).sqrt()
        };
        let near: f64 = edges.iter().map(|&(u, v)| distance(u, v)).sum::<f64>() / 59.0;
        let pairs: Vec<f64> =
            (0..60).flat_map(|u| (0..u).map(move |v| (u, v))).map(|(u, v)| distance(u, v)).collect();
        let all = pairs.iter().sum::<f64>() / pairs.len() as f64;
        assert!(near * 2.0 < all, "neighbours {near}, all {all}");
        assert!(pairs.iter().all(|&distance| distance > 0.05), "no two nodes on one place");
    }
}
