//! Pairs of points within range of each other, by a grid of cells.

/// A point in a square field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    /// The squared distance to another point.
    pub(crate) fn distance_squared(self, other: Self) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        x * x + y * y
    }
}

/// A square field `[0, side]²` and the range within which two points are adjacent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SquareField {
    pub(crate) side: f64,
    pub(crate) range: f64,
}

/// Calls `found(u, v)`, `u < v`, once for each pair of points whose distance is at most the range.
///
/// The order is unspecified, but deterministic. Points are sorted into cells at least as wide as the range, so only
/// points of a cell and its neighbours are compared. Expected O(points + pairs found) for evenly spread points. The
/// number of cells is at most about the number of points.
pub(crate) fn pairs_in_range(field: SquareField, points: &[Point], mut found: impl FnMut(u32, u32)) {
    // Cells are slightly wider than the range, so that rounding never puts two points in range two cells apart.
    let widest = field.side / field.range * (1.0 - 1e-9);
    let across = widest.min((points.len() as f64).sqrt()).max(1.0) as usize;
    let along = |at: f64| ((at / field.side * across as f64) as usize).min(across - 1);
    let cell = |point: &Point| along(point.y) * across + along(point.x);
    let mut ends = vec![0u32; across * across + 1];
    for point in points {
        ends[cell(point) + 1] += 1;
    }
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    let mut next = ends.clone();
    let mut members = vec![0u32; points.len()];
    for (number, point) in (0..).zip(points) {
        let slot = &mut next[cell(point)];
        members[*slot as usize] = number;
        *slot += 1;
    }
    let inside = |cell: usize| &members[ends[cell] as usize..ends[cell + 1] as usize];
    let limit = field.range * field.range;
    let mut compare = |u: u32, v: u32| {
        if points[u as usize].distance_squared(points[v as usize]) <= limit {
            found(u.min(v), u.max(v));
        }
    };
    for row in 0..across {
        for column in 0..across {
            let here = inside(row * across + column);
            for (at, &u) in here.iter().enumerate() {
                for &v in &here[at + 1..] {
                    compare(u, v);
                }
            }
            // Half of the eight neighbours suffice: the other half finds this cell.
            for (down, right) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
                let beside = column.checked_add_signed(right).filter(|&beside| beside < across);
                if let (true, Some(beside)) = (row + down < across, beside) {
                    for &u in here {
                        for &v in inside((row + down) * across + beside) {
                            compare(u, v);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_to_comparing_all_pairs(
            side in 0.5f64..100.0,
            share in 0.0f64..1.5,
            places in prop::collection::vec((0.0f64..=1.0, 0.0f64..=1.0), 0..60),
        ) {
            let field = SquareField { side, range: side * share };
            let points: Vec<Point> = places.iter().map(|&(x, y)| Point { x: x * side, y: y * side }).collect();
            let mut fast = Vec::new();
            pairs_in_range(field, &points, |u, v| fast.push((u, v)));
            fast.sort_unstable();
            let count = points.len();
            let slow: Vec<(u32, u32)> = (0..count)
                .flat_map(|u| (u + 1..count).map(move |v| (u, v)))
                .filter(|&(u, v)| points[u].distance_squared(points[v]) <= field.range * field.range)
                .map(|(u, v)| (u as u32, v as u32))
                .collect();
            prop_assert_eq!(fast, slow);
        }
    }

    #[test]
    fn a_pair_exactly_in_range_and_on_the_border_of_cells_counts() {
        let points = [Point { x: 0.0, y: 0.0 }, Point { x: 2.5, y: 0.0 }, Point { x: 5.0, y: 0.0 }];
        let mut found = Vec::new();
        pairs_in_range(SquareField { side: 10.0, range: 2.5 }, &points, |u, v| found.push((u, v)));
        found.sort_unstable();
        assert_eq!(found, [(0, 1), (1, 2)]);
    }
}
