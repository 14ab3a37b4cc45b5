//! Thins out the points of a line: at most a few for each pixel of width.

use super::axis::Axis;

/// The visible points on an axis of `bins` pixels. Of all points on one pixel the first, a lowest, a highest and the
/// last are kept, in order.
pub(super) fn thin(
    points: impl Iterator<Item = (f64, u64)>,
    low: f64,
    high: f64,
    bins: u32,
) -> Vec<(f64, u64)> {
    let bin_of = |time: f64| ((time - low) / (high - low) * f64::from(bins)).floor();
    let mut kept = Vec::new();
    let mut group: Vec<(f64, u64)> = Vec::new();
    for point in points {
        if group.first().is_some_and(|first| bin_of(first.0) != bin_of(point.0)) {
            keep(&group, &mut kept);
            group.clear();
        }
        group.push(point);
    }
    keep(&group, &mut kept);
    kept
}

/// Positions for marks on a line: the first point at or after `start` pixels, then one every `distance` pixels.
///
/// If there is no point at such a position, because rows are far apart, the mark moves to the next point.
pub(super) fn spaced(
    points: impl Iterator<Item = (f64, u64)>,
    times: &Axis,
    pixels: f64,
    start: f64,
    distance: f64,
) -> Vec<(f64, u64)> {
    let mut next = start;
    let mut places = Vec::new();
    for point in points {
        let pixel = (point.0 - times.low) / (times.high - times.low) * pixels;
        if pixel >= next {
            places.push(point);
            next += distance * (((pixel - next) / distance).floor() + 1.0);
        }
    }
    places
}

fn keep(group: &[(f64, u64)], kept: &mut Vec<(f64, u64)>) {
    let indices = 0..group.len();
    let Some(lowest) = indices.clone().min_by_key(|&index| group[index].1) else { return };
    let highest = indices.max_by_key(|&index| group[index].1).unwrap_or(lowest);
    let mut chosen = [0, lowest, highest, group.len() - 1];
    chosen.sort_unstable();
    let mut before = None;
    for index in chosen {
        if before != Some(index) {
            kept.push(group[index]);
        }
        before = Some(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_are_all_kept() {
        let points = [(0.0, 1), (1.0, 5), (2.0, 3)];
        assert_eq!(thin(points.into_iter(), 0.0, 2.0, 100), points);
        assert_eq!(thin([].into_iter(), 0.0, 1.0, 100), []);
    }

    #[test]
    fn marks_keep_their_distance() {
        let times = Axis::of_times(0.0, 100.0, 5);
        let dense = (0..=1000_u32).map(|tenth| (f64::from(tenth) / 10.0, 1));
        let marks: Vec<f64> = spaced(dense, &times, 100.0, 5.0, 30.0).iter().map(|mark| mark.0).collect();
        assert_eq!(marks, [5.0, 35.0, 65.0, 95.0]);
        let sparse = [(0.0, 1), (40.0, 2), (99.0, 3), (100.0, 4)];
        let marks = spaced(sparse.into_iter(), &times, 100.0, 5.0, 30.0);
        assert_eq!(marks, [(40.0, 2), (99.0, 3)]);
    }

    #[test]
    fn a_peak_on_one_pixel_survives() {
        let points = (0..1000_u32)
            .map(|index| (f64::from(index), if index == 503 { 99 } else { u64::from(index % 2) }));
        let kept = thin(points, 0.0, 999.0, 10);
        assert!(kept.len() <= 4 * 11, "{}", kept.len());
        assert!(kept.contains(&(503.0, 99)));
        assert_eq!((kept[0].0, kept[kept.len() - 1].0), (0.0, 999.0));
        assert!(kept.is_sorted_by(|a, b| a.0 < b.0));
    }
}
