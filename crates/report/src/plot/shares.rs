//! Draws the distribution of the values of many runs: the share of runs up to each value.

use super::axis::{Axis, Scale};
use super::frame::{self, Axes, GroupStyle, LegendEntry};
use super::group::{Group, Scales};
use super::svg::{self, MARGIN};
use super::values::check;
use super::{PlotError, PlotOptions};

/// The empirical distribution functions of groups of runs as an SVG document. The height of a curve at x is the share
/// of the group's runs whose value is at most x. The y of the points are ignored.
///
/// # Errors
///
/// The errors of [`values_svg`](super::values_svg).
///
/// ```
/// use acrasin_report::plot::{Group, PlotOptions, Scale, shares_svg};
///
/// let points = vec![(3.0, 0.0), (1.0, 0.0), (2.0, 0.0)];
/// let groups = [Group { name: String::new(), points, unfinished: Vec::new() }];
/// let options = PlotOptions::new("Times").counting("share of the runs");
/// let svg = shares_svg(&groups, "parallel time", Scale::Linear, &options)?;
/// assert!(svg.contains("share of the runs"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shares_svg(
    groups: &[Group],
    x_label: &str,
    scale: Scale,
    options: &PlotOptions,
) -> Result<String, PlotError> {
    check(groups, Scales { x: scale, y: Scale::Linear })?;
    let sorted: Vec<Vec<f64>> = groups.iter().map(values).collect();
    let all = || sorted.iter().flatten().copied();
    let x = frame::axis_across(
        |wanted| Axis::of_reals(all(), all(), scale, wanted),
        options.width * 6 / 10 - 2 * MARGIN,
    );
    let y = Axis::of_shares();
    let lines = sorted.iter().map(|values| steps(values, &x, options.width));
    let looks = frame::looks(lines, [&x, &y], options);
    let named = |(&look, group): (&GroupStyle, &Group)| LegendEntry::Named {
        look,
        has_marks: look.is_hollow(),
        name: if group.name.is_empty() { format!("{} runs", group.points.len()) } else { group.name.clone() },
    };
    let legend: Vec<LegendEntry> = looks.iter().zip(groups).map(named).collect();
    svg::drawn(options, |root| {
        let axes = Axes { x: x.clone(), y: y.clone(), x_label };
        frame::draw(root, options, &axes, &legend, |chart, pixels| {
            for (number, (values, look)) in sorted.iter().zip(&looks).enumerate() {
                let steps = steps(values, &x, pixels);
                let (from, to) = (number * steps.len() / sorted.len().max(1), steps.len());
                look.draw_line(chart, steps.clone())?;
                if look.is_hollow() {
                    let marked = steps[from..to].iter().step_by((steps.len() / 6).max(1)).copied();
                    chart.draw_series(marked.flat_map(|at| look.marks(at)))?;
                }
            }
            Ok(())
        })
    })
}

fn values(group: &Group) -> Vec<f64> {
    let mut values: Vec<f64> = group.points.iter().map(|point| point.0).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The corners of the steps from one end of the axis to the other. Of several corners on one pixel only the first and
/// last are kept.
fn steps(sorted: &[f64], axis: &Axis, pixels: u32) -> Vec<(f64, f64)> {
    let count = sorted.len() as f64;
    let pixel = |place: usize| (axis.part(sorted[place]) * f64::from(pixels)).floor();
    let mut corners = vec![(axis.low, 0.0)];
    for (place, &value) in sorted.iter().enumerate() {
        let is_inner = place > 0
            && place + 1 < sorted.len()
            && pixel(place - 1) == pixel(place)
            && pixel(place + 1) == pixel(place);
        if !is_inner {
            corners.extend([(value, place as f64 / count), (value, (place + 1) as f64 / count)]);
        }
    }
    corners.push((axis.high, 1.0));
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_rise_at_the_values_and_stay_few() {
        let axis = Axis::of_reals([1.0, 3.0].into_iter(), [1.0, 3.0].into_iter(), Scale::Linear, 5);
        let found = steps(&[1.0, 2.0, 2.0, 3.0], &axis, 1000);
        assert_eq!(found[1..3], [(1.0, 0.0), (1.0, 0.25)]);
        assert_eq!(found[3], (2.0, 0.25));
        assert_eq!(found[found.len() - 2..], [(3.0, 1.0), (axis.high, 1.0)]);
        let many: Vec<f64> = (0..100_000).map(f64::from).collect();
        let axis = Axis::of_reals(many.iter().copied(), many.iter().copied(), Scale::Linear, 5);
        let found = steps(&many, &axis, 100);
        assert!(found.len() <= 4 * 102 && found.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1));
    }
}
