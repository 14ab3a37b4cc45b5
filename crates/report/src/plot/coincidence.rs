//! Lines that coincide, and the dashes that show each of them.
//!
//! A line that covers another one is drawn as dashes, and the other one is seen between them. If several lines
//! coincide, each has shorter dashes than the line below it. All dashes start at the same point, so a part of each line
//! remains visible.

/// Lines coincide where they are at most this many pixels apart: half of each is covered.
const NEAR: f64 = 1.0;

/// Two lines coincide if they are near each other on at least a quarter of the pixels of the shorter line.
const ONE_OF: usize = 4;

/// Pixels from the start of a dash to that of the next one.
const PERIOD: u32 = 24;

/// The largest number of covered lines that still shortens the dashes.
const DEEPEST: u32 = 3;

/// The lengths in pixels of a dash and of the gap after it, for a line that covers `covered` others. `None` for a solid
/// line.
pub(super) fn dashes(covered: u32) -> Option<(u32, u32)> {
    let dash = PERIOD >> covered.min(DEEPEST);
    (covered > 0).then_some((dash, PERIOD - dash))
}

/// For each line, the number of lines that it covers. Lines are given in the order of drawing, as points in pixels with
/// ascending x between 0 and `width`. O(lines² × width).
pub(super) fn covered(lines: &[Vec<(f64, f64)>], width: u32) -> Vec<u32> {
    let heights: Vec<Vec<Option<f64>>> = lines.iter().map(|line| heights(line, width)).collect();
    let mut covered = Vec::with_capacity(lines.len());
    for (upper, own) in heights.iter().enumerate() {
        let below = heights[..upper].iter().zip(&covered).filter(|(other, _)| coincide(own, other));
        covered.push(below.map(|(_, &depth): (_, &u32)| depth + 1).max().unwrap_or(0));
    }
    covered
}

/// The height of a line at each pixel of the width.
fn heights(line: &[(f64, f64)], width: u32) -> Vec<Option<f64>> {
    let mut heights = vec![None; width as usize + 1];
    let mut set = |pixel: f64, height: f64| {
        if let Some(place) = heights.get_mut(pixel as usize) {
            *place = Some(height);
        }
    };
    if let Some(&(x, y)) = line.first() {
        set(x.round(), y);
    }
    for ends in line.windows(2) {
        let [(from, low), (to, high)] = [ends[0], ends[1]];
        for pixel in (from.ceil() as u32..=to.floor() as u32).map(f64::from) {
            let part = if to > from { (pixel - from) / (to - from) } else { 1.0 };
            set(pixel, low + part * (high - low));
        }
    }
    heights
}

fn coincide(a: &[Option<f64>], b: &[Option<f64>]) -> bool {
    let length = |heights: &[Option<f64>]| heights.iter().flatten().count();
    let shared = a.iter().zip(b).filter_map(|(a, b)| Some((*a)? - (*b)?));
    let near = shared.filter(|distance| distance.abs() <= NEAR).count();
    near > 0 && near * ONE_OF >= length(a).min(length(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(height: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        (0..=50).map(|step| f64::from(step) * 8.0).map(|x| (x, height(x))).collect()
    }

    #[test]
    fn lines_one_on_another_are_counted() {
        let rising = line(|x| x / 2.0);
        let lines = [rising.clone(), line(|_| 50.0), rising.clone(), line(|x| x / 2.0 + 0.5), line(|_| 60.0)];
        assert_eq!(covered(&lines, 400), [0, 0, 1, 2, 0]);
        assert_eq!(covered(&[], 400), [0; 0]);
        // Lines that coincide on half of their length are found, lines that only cross are not.
        assert_eq!(covered(&[rising.clone(), line(|x| x.min(200.0) / 2.0)], 400), [0, 1]);
        assert_eq!(covered(&[rising, line(|x| 200.0 - x / 2.0)], 400), [0, 0]);
        // Few points compared with many, steps, and single points.
        assert_eq!(covered(&[line(|x| x), vec![(0.0, 0.0), (400.0, 400.0)]], 400), [0, 1]);
        let steps = vec![(0.0, 0.0), (200.0, 0.0), (200.0, 90.0), (400.0, 90.0)];
        assert_eq!(covered(&[steps.clone(), steps], 400), [0, 1]);
        assert_eq!(covered(&[vec![(7.0, 3.0)], vec![(7.0, 3.0)], vec![(7.0, 30.0)]], 400), [0, 1, 0]);
    }

    /// Dashes of each line are shorter than those of the lines below it, and never fill the period.
    #[test]
    fn a_part_of_each_line_remains_visible() {
        assert_eq!(dashes(0), None);
        let mut longest = PERIOD;
        for depth in 1..=DEEPEST {
            let (dash, gap) = dashes(depth).unwrap();
            assert!(dash > 2 && dash + 2 < longest && dash + gap == PERIOD, "{depth}: {dash} {gap}");
            longest = dash;
        }
        assert_eq!(dashes(DEEPEST + 9), dashes(DEEPEST));
    }
}
