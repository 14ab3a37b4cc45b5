//! Plots the values of many runs against another value: medians, bands, and the least-squares line.

use plotters::element::{Cross, PathElement, Polygon};
use plotters::style::Color;

use super::axis::{Axis, Scale};
use super::frame::{self, Axes, GroupStyle, LegendEntry};
use super::group::{Band, Group, Scales, by_x};
use super::svg::{self, INK, MARGIN};
use super::{MAX_DRAWN, PlotError, PlotOptions};
use crate::summary::LineFit;
use crate::value::with_error;

/// The opacity of the bands. The band from 5 to 95 % is drawn first, the one between the quartiles on top.
const SHADE: f64 = 0.18;

/// Half the width of a cross, in pixels.
const CROSS: i32 = 4;

/// The values of groups of runs as an SVG document.
///
/// For each group it shows medians, connected and marked, and bands from 5 to 95 % and between the quartiles of the
/// runs with the same x. A thin line is the least-squares fit to all runs; the legend gives its slope with standard
/// error. Crosses mark runs that ended at a limit: at each x, the least and the greatest value. `x_label` and
/// [`PlotOptions::count_label`] are the axis labels.
///
/// # Errors
///
/// [`PlotError`] if width or height are out of range, or if there are no points or more than [`MAX_DRAWN`] groups.
/// Numbers must be finite, and positive on a logarithmic axis.
///
/// ```
/// use acrasin_report::plot::{Group, PlotOptions, Scale, Scales, values_svg};
///
/// let points = vec![(10.0, 4.0), (10.0, 5.0), (100.0, 41.0), (100.0, 52.0)];
/// let groups = [Group { name: String::new(), points, unfinished: Vec::new() }];
/// let scales = Scales { x: Scale::Logarithmic, y: Scale::Logarithmic };
/// let svg = values_svg(&groups, "agents", scales, &PlotOptions::new("Time against size"))?;
/// assert!(svg.starts_with("<svg ") && svg.contains("exponent 1.01"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn values_svg(
    groups: &[Group],
    x_label: &str,
    scales: Scales,
    options: &PlotOptions,
) -> Result<String, PlotError> {
    check(groups, scales)?;
    let drawn: Vec<GroupDrawing> = groups.iter().map(|group| GroupDrawing::of(group, scales)).collect();
    let bands = || drawn.iter().flat_map(|drawn| &drawn.bands);
    let crosses = || drawn.iter().flat_map(|drawn| drawn.crosses.iter().copied());
    let y = Axis::of_reals(
        bands().map(|band| band.quantiles[0].min(band.median)).chain(crosses().map(|(_, y)| y)),
        bands().map(|band| band.quantiles[3].max(band.median)).chain(crosses().map(|(_, y)| y)),
        scales.y,
        (options.height / 60).clamp(2, 10) as usize,
    );
    let across =
        |wanted| Axis::of_reals(bands().map(|band| band.x), bands().map(|band| band.x), scales.x, wanted);
    let x = frame::axis_across(across, options.width * 6 / 10 - 2 * MARGIN);
    let medians = |drawn: &GroupDrawing| drawn.bands.iter().map(|band| (band.x, band.median)).collect();
    let looks = frame::looks(drawn.iter().map(medians), [&x, &y], options);
    let legend = legend(groups, &drawn, scales, &looks);
    svg::drawn(options, |root| {
        let axes = Axes { x: x.clone(), y: y.clone(), x_label };
        frame::draw(root, options, &axes, &legend, |chart, _| {
            for (look, GroupDrawing { bands, .. }) in looks.iter().zip(&drawn) {
                for [low, high] in [[0, 3], [1, 2]] {
                    let lower = bands.iter().map(|band| (band.x, band.quantiles[low]));
                    let upper = bands.iter().rev().map(|band| (band.x, band.quantiles[high]));
                    let corners: Vec<(f64, f64)> = lower.chain(upper).collect();
                    chart.draw_series([Polygon::new(corners, look.colour.mix(SHADE).filled())])?;
                }
            }
            for GroupDrawing { line, .. } in &drawn {
                let line = line.iter().flatten().copied().collect::<Vec<_>>();
                chart.draw_series([PathElement::new(line, INK.stroke_width(1))])?;
            }
            for (look, drawn) in looks.iter().zip(&drawn) {
                look.draw_line(chart, medians(drawn))?;
                chart.draw_series(medians(drawn).into_iter().flat_map(|at| look.marks(at)))?;
            }
            chart.draw_series(crosses().map(|at| Cross::new(at, CROSS, INK.stroke_width(1))))?;
            Ok(())
        })
    })
}

/// The parts of the drawing of one group.
struct GroupDrawing {
    bands: Vec<Band>,
    fit: Option<LineFit>,
    /// The ends of the least-squares line.
    line: Option<[(f64, f64); 2]>,
    /// The crosses of runs that ended at a limit: at each x only the least and the greatest, since many crosses would
    /// hide the picture.
    crosses: Vec<(f64, f64)>,
}

impl GroupDrawing {
    fn of(group: &Group, scales: Scales) -> Self {
        let bands = group.bands();
        let fit = scales.fit(&group.points);
        let line = fit.and_then(|fit| {
            let at = |x: f64| (x, scales.y.shown(fit.intercept + fit.slope * scales.x.drawn(x)));
            Some([at(bands.first()?.x), at(bands.last()?.x)])
        });
        let by_x = by_x(&group.unfinished).into_iter();
        let crosses = by_x.flat_map(|(x, values)| ends(&values).map(|y| (x, y))).collect();
        Self { bands, fit, line, crosses }
    }
}

/// The least and the greatest value.
fn ends(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &y| [low.min(y), high.max(y)])
}

fn legend(
    groups: &[Group],
    drawn: &[GroupDrawing],
    scales: Scales,
    looks: &[GroupStyle],
) -> Vec<LegendEntry> {
    let mut legend = Vec::new();
    for ((group, GroupDrawing { fit, .. }), &look) in groups.iter().zip(drawn).zip(looks) {
        let name = if group.name.is_empty() { "median".to_owned() } else { group.name.clone() };
        legend.push(LegendEntry::Named { look, has_marks: true, name });
        let slope =
            fit.map(|fit| format!("{} {}", scales.slope_name(), with_error(fit.slope, fit.slope_error)));
        legend.extend(slope.map(LegendEntry::Note));
    }
    if drawn.iter().flat_map(|drawn| &drawn.bands).any(|band| band.count > 1) {
        legend.extend(["bands: 5 to 95 %,", "25 to 75 %"].map(|note| LegendEntry::Note(note.to_owned())));
    }
    let unfinished: usize = groups.iter().map(|group| group.unfinished.len()).sum();
    if unfinished > 0 {
        legend.push(LegendEntry::Note(format!("crosses: {unfinished} at a limit")));
    }
    if drawn.iter().any(|drawn| drawn.line.is_some()) {
        legend.push(LegendEntry::Note("thin: least squares".to_owned()));
    }
    legend
}

/// Checks that the groups can be drawn.
pub(super) fn check(groups: &[Group], scales: Scales) -> Result<(), PlotError> {
    if groups.len() > MAX_DRAWN {
        let message = format!("{} groups; accepted: up to {MAX_DRAWN}", groups.len());
        return Err(PlotError::new(message));
    }
    if groups.iter().all(|group| group.points.is_empty()) {
        return Err(PlotError::new("no points".to_owned()));
    }
    let is_bad =
        |value: f64, scale: Scale| !value.is_finite() || (scale == Scale::Logarithmic && value <= 0.0);
    let mut points = groups.iter().flat_map(|group| &group.points);
    match points.find(|(x, y)| is_bad(*x, scales.x) || is_bad(*y, scales.y)) {
        Some((x, y)) => {
            let accepted = "finite numbers; positive ones on a logarithmic axis";
            Err(PlotError::new(format!("the point ({x}, {y}); accepted: {accepted}")))
        }
        None => Ok(()),
    }
}
