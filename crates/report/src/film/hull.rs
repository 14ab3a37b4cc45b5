//! The convex hull of discs.

/// Corners of the polygon that approximates a disc.
const CORNERS: u32 = 16;

/// The corners of the convex hull of discs around these centres, counter-clockwise. Cost: O(n log n).
///
/// ```
/// use acrasin_report::film::{hull_of_discs, is_inside};
///
/// let hull = hull_of_discs(&[[0.0, 0.0], [4.0, 0.0]], 1.0);
/// assert!(is_inside(&hull, [2.0, 0.9]) && !is_inside(&hull, [2.0, 1.1]) && !is_inside(&hull, [5.2, 0.0]));
/// ```
#[must_use]
pub fn hull_of_discs(centres: &[[f64; 2]], radius: f64) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = centres
        .iter()
        .flat_map(|&[x, y]| {
            (0..CORNERS).map(move |corner| {
                let (sine, cosine) =
                    (f64::from(corner) * std::f64::consts::TAU / f64::from(CORNERS)).sin_cos();
                [x + radius * cosine, y + radius * sine]
            })
        })
        .collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut hull = chain(points.iter());
    hull.extend(chain(points.iter().rev()));
    hull
}

/// The lower or upper half of the convex hull of sorted points, without its last corner (Andrew 1979).
fn chain<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> Vec<[f64; 2]> {
    let mut corners: Vec<[f64; 2]> = Vec::new();
    for &point in points {
        while let [.., before, last] = corners[..]
            && turn(before, last, point) <= 0.0
        {
            corners.pop();
        }
        corners.push(point);
    }
    corners.pop();
    corners
}

/// Positive if the path from `a` via `b` to `c` turns left.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether a point is inside a hull.
#[must_use]
pub fn is_inside(hull: &[[f64; 2]], place: [f64; 2]) -> bool {
    let next = hull.iter().cycle().skip(1);
    !hull.is_empty() && hull.iter().zip(next).all(|(&a, &b)| turn(a, b, place) >= 0.0)
}
