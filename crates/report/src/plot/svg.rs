//! Draws series as SVG, and the elements that all plots share.

use std::fmt;

use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, DashedPathElement, PathElement, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle, WHITE};

use super::axis::Axis;
use super::coincidence::{covered, dashes};
use super::legend::{LegendLine, MAX_DRAWN, lines};
use super::{labels, trace};
use crate::curves::Curves;
use crate::escape::xml;
use crate::series::Series;

/// The accepted widths, in pixels. Labels need room, and coordinates are 32-bit.
const WIDTHS: std::ops::RangeInclusive<u32> = 480..=8192;
/// The accepted heights, in pixels.
const HEIGHTS: std::ops::RangeInclusive<u32> = 280..=8192;

pub(super) const TITLE_SIZE: u32 = 16;
pub(super) const TEXT_SIZE: u32 = 12;
pub(super) const MARGIN: u32 = 12;
/// Height of a legend line.
pub(super) const LEGEND_LINE: u32 = 19;
/// Length of the stroke before a name in the legend.
pub(super) const LEGEND_STROKE: u32 = 26;
pub(super) const LEGEND_GAP: u32 = 8;
pub(super) const TICK_LENGTH: u32 = 5;
/// Height below the plot: ticks, their labels, the axis label.
pub(super) const BELOW: u32 = 2 * TICK_LENGTH + TEXT_SIZE + MARGIN + TEXT_SIZE + MARGIN;
pub(super) const LINE_WIDTH: u32 = 2;
/// The length of a dash of a curve, and of the gap between two dashes, in pixels.
const DASH: u32 = 5;
const GAP: u32 = 4;
pub(super) const RING_RADIUS: i32 = 4;
/// Pixels between the rings on a line.
const RING_DISTANCE: u32 = 60;
pub(super) const INK: RGBColor = RGBColor(51, 51, 51);
pub(super) const GRID: RGBColor = RGBColor(225, 225, 225);

/// Title, label and size of a plot.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlotOptions {
    /// Title above the plot; cut if it does not fit.
    pub title: String,
    /// The label of the vertical axis: what is counted.
    pub count_label: String,
    /// Width in pixels, from 480 to 8192.
    pub width: u32,
    /// Height in pixels, from 280 to 8192.
    pub height: u32,
}

impl PlotOptions {
    /// A plot of 720 by 440 pixels that counts nodes.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), count_label: "nodes".to_owned(), width: 720, height: 440 }
    }

    /// Sets the label of the vertical axis.
    #[must_use]
    pub fn counting(self, label: impl Into<String>) -> Self {
        Self { count_label: label.into(), ..self }
    }

    /// Sets width and height in pixels.
    ///
    /// # Errors
    ///
    /// [`PlotError`] if one of them is out of range.
    pub fn sized(self, width: u32, height: u32) -> Result<Self, PlotError> {
        let sized = Self { width, height, ..self };
        size(&sized).map(|_| sized)
    }
}

/// The error for a plot that cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotError {
    message: String,
}

impl PlotError {
    pub(super) fn new(message: String) -> Self {
        Self { message }
    }
}

impl fmt::Display for PlotError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for PlotError {}

/// The series as an SVG document.
///
/// Names may contain any characters; long ones are cut. A series without rows gives axes and the text `no samples`.
/// Cost: O(rows × columns). The size of the document is limited by a few points for each pixel of width.
///
/// # Errors
///
/// [`PlotError`] if width or height are out of range.
///
/// ```
/// use acrasin_report::plot::{PlotOptions, plot_svg};
/// use acrasin_report::series::Series;
///
/// let mut series = Series::new("parallel time", ["<A>", "<B>"])?;
/// series.push(0.0, &[90, 10])?;
/// series.push(5.0, &[100, 0])?;
/// let svg = plot_svg(&series, &PlotOptions::new("Approximate majority"))?;
/// assert!(svg.starts_with("<svg ") && svg.contains("&lt;A&gt;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plot_svg(series: &Series, options: &PlotOptions) -> Result<String, PlotError> {
    drawn(options, |root| draw(root, series, options))
}

/// The checked width and height.
fn size(options: &PlotOptions) -> Result<(u32, u32), PlotError> {
    let size = (options.width, options.height);
    if !WIDTHS.contains(&size.0) || !HEIGHTS.contains(&size.1) {
        let message = format!(
            "a plot of {} by {} pixels; accepted: {} to {} by {} to {}",
            size.0,
            size.1,
            WIDTHS.start(),
            WIDTHS.end(),
            HEIGHTS.start(),
            HEIGHTS.end()
        );
        return Err(PlotError { message });
    }
    Ok(size)
}

/// Runs `draw` on an area of this size, and adds the title.
pub(super) fn drawn(
    options: &PlotOptions,
    draw: impl FnOnce(&Area<'_>) -> DrawResult,
) -> Result<String, PlotError> {
    let size = size(options)?;
    let mut body = String::new();
    let root = SVGBackend::with_string(&mut body, size).into_drawing_area();
    // Drawing into a string cannot fail, although plotters returns a result.
    draw(&root).map_err(|error| PlotError { message: format!("plot: {error}") })?;
    drop(root);
    Ok(with_title(&body, &options.title))
}

/// Adds round joints to all lines, and the title as text for screen readers.
fn with_title(body: &str, title: &str) -> String {
    let escaped = xml(title);
    let body = body.replacen("<svg ", "<svg role=\"img\" stroke-linejoin=\"round\" ", 1);
    body.replacen(">\n", &format!(">\n<title>{escaped}</title>\n"), 1)
}

pub(super) type Backend<'a> = SVGBackend<'a>;
pub(super) type Area<'a> = DrawingArea<Backend<'a>, Shift>;
pub(super) type Chart<'c, 'b> = ChartContext<'c, Backend<'b>, Cartesian2d<Axis, Axis>>;
pub(super) type DrawResult = Result<(), plotters::drawing::DrawingAreaErrorKind<std::io::Error>>;

fn draw<'a>(root: &Area<'a>, series: &Series, options: &PlotOptions) -> DrawResult {
    root.fill(&WHITE)?;
    let top = MARGIN + TITLE_SIZE + MARGIN;
    let title = labels::fit(&options.title, TITLE_SIZE, options.width - 2 * MARGIN);
    root.draw(&Text::new(title, (MARGIN as i32, MARGIN as i32), text(TITLE_SIZE)))?;

    let room = (options.height - top - BELOW) / LEGEND_LINE;
    // One line of the legend is reserved for the note about omitted lines, and one for curves.
    let drawn = lines(series, room as usize - 1 - usize::from(series.curves().is_some()));
    let below = lines_below(series, options, &drawn);
    let legend = Legend::of(series, &drawn, options.width);
    let (plot, side) = root.split_horizontally(options.width - legend.width);
    draw_legend(&side, &legend, (&drawn, &below), top)?;

    let plot = plot.margin(top, 0, 0, 0);
    draw_chart(&plot, series, options, (&drawn, &below))?;
    root.present()
}

/// For each line, the number of lines that it covers. Lines are compared at the size of the picture, which is slightly
/// larger than that of the axes.
fn lines_below(series: &Series, options: &PlotOptions, drawn: &[LegendLine]) -> Vec<u32> {
    let first = series.rows().next().map_or(0.0, |row| row.time);
    let last = series.rows().last().map_or(first, |row| row.time);
    let times = Axis::of_times(first, last, 2);
    let largest = series.rows().flat_map(|row| drawn.iter().map(|line| row.counts[line.column])).max();
    let (width, height) = (f64::from(options.width), f64::from(options.height));
    let scale = height / largest.unwrap_or(0).max(1) as f64;
    let of_line = |line: &LegendLine| {
        let points = series.rows().map(|row| (row.time, row.counts[line.column]));
        let points = trace::thin(points, times.low, times.high, options.width).into_iter();
        points.map(|(time, count)| (times.part(time) * width, count as f64 * scale)).collect()
    };
    covered(&drawn.iter().map(of_line).collect::<Vec<_>>(), options.width)
}

/// Draws a line through points, as dashes if it covers others.
pub(super) fn draw_line(
    chart: &mut Chart<'_, '_>,
    points: Vec<(f64, f64)>,
    style: ShapeStyle,
    covered: u32,
) -> DrawResult {
    match dashes(covered) {
        None => chart.draw_series([PathElement::new(points, style)]).map(drop),
        Some((dash, gap)) => chart.draw_series([DashedPathElement::new(points, dash, gap, style)]).map(drop),
    }
}

/// Draws the stroke of a legend entry in the style of its line.
pub(super) fn draw_stroke(side: &Area<'_>, row: i32, style: ShapeStyle, covered: u32) -> DrawResult {
    let ends = vec![(MARGIN as i32, row), ((MARGIN + LEGEND_STROKE) as i32, row)];
    match dashes(covered) {
        None => side.draw(&PathElement::new(ends, style)),
        Some((dash, gap)) => side.draw(&DashedPathElement::new(ends, dash, gap, style)),
    }
}

fn draw_chart<'a>(
    plot: &Area<'a>,
    series: &Series,
    options: &PlotOptions,
    (drawn, below): (&[LegendLine], &[u32]),
) -> DrawResult {
    let (width, height) = plot.dim_in_pixel();
    let largest = series.rows().flat_map(|row| drawn.iter().map(|line| row.counts[line.column])).max();
    let curves = series.curves().map_or(&[][..], Curves::points);
    let highest = curves
        .iter()
        .flat_map(|(_, values)| drawn.iter().map(|line| values[line.column]))
        .fold(0.0, f64::max);
    let largest = largest.map(|largest| largest.max(highest.ceil() as u64));
    let counts = Axis::of_counts(largest.unwrap_or(0), (height / 60).clamp(2, 10) as usize);
    let digits = "0".repeat(counts.label_length());
    let left = MARGIN + TEXT_SIZE + MARGIN + labels::width(&digits, TEXT_SIZE) + 2 * TICK_LENGTH;
    let inner_width = width - left;
    let first = series.rows().next().map_or(0.0, |row| row.time);
    let last = series.rows().last().map_or(first, |row| row.time);
    let times = time_axis((first, last), inner_width);

    let mut chart = ChartBuilder::on(plot)
        .set_label_area_size(plotters::chart::LabelAreaPosition::Left, left as i32)
        .set_label_area_size(plotters::chart::LabelAreaPosition::Bottom, BELOW as i32)
        .build_cartesian_2d(times.clone(), counts.clone())?;
    chart
        .configure_mesh()
        .light_line_style(GRID)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(text(TEXT_SIZE))
        .set_all_tick_mark_size(TICK_LENGTH)
        .draw()?;

    for (line, &below) in drawn.iter().zip(below) {
        let points = series.rows().map(|row| (row.time, row.counts[line.column]));
        let points = trace::thin(points, times.low, times.high, inner_width);
        let points: Vec<(f64, f64)> = points.into_iter().map(|(time, count)| (time, count as f64)).collect();
        if let &[point] = points.as_slice() {
            chart.draw_series([Circle::new(point, RING_RADIUS, line.colour.filled())])?;
        } else {
            draw_line(&mut chart, points, stroke(line), below)?;
        }
    }
    // Curves are dark dashes on top of the coloured lines, so that both are visible where they coincide.
    for line in drawn {
        let points: Vec<(f64, f64)> =
            curves.iter().map(|(time, values)| (*time, values[line.column])).collect();
        if points.len() > 1 {
            chart.draw_series([DashedPathElement::new(points, DASH, GAP, INK.stroke_width(1))])?;
        }
    }
    // Rings come last: other lines would hide them.
    for (index, line) in drawn.iter().enumerate().filter(|(_, line)| line.ringed) {
        // Different starts separate the rings of lines that coincide.
        let start = f64::from(RING_DISTANCE) * (index as f64 / MAX_DRAWN as f64);
        let points = series.rows().map(|row| (row.time, row.counts[line.column]));
        let places = trace::spaced(points, &times, f64::from(inner_width), start, f64::from(RING_DISTANCE));
        for (time, count) in places {
            let place = (time, count as f64);
            chart.draw_series([Circle::new(place, RING_RADIUS, WHITE.filled())])?;
            chart.draw_series([Circle::new(place, RING_RADIUS, stroke(line))])?;
        }
    }

    let middle = (left + inner_width / 2) as i32;
    let across = labels::fit(&format!("{}{}", series.time_label(), times.note), TEXT_SIZE, inner_width);
    let foot = (height - MARGIN) as i32;
    plot.draw(&Text::new(across, (middle, foot), text(TEXT_SIZE).pos(Pos::new(HPos::Center, VPos::Bottom))))?;
    let up = labels::fit(&format!("{}{}", options.count_label, counts.note), TEXT_SIZE, height - BELOW);
    let upright = text(TEXT_SIZE).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Top));
    plot.draw(&Text::new(up, (MARGIN as i32, ((height - BELOW) / 2) as i32), upright))?;
    if series.rows().next().is_none() {
        let centre = (middle, ((height - BELOW) / 2) as i32);
        plot.draw(&Text::new(
            "no samples",
            centre,
            text(TEXT_SIZE).pos(Pos::new(HPos::Center, VPos::Center)),
        ))?;
    }
    Ok(())
}

/// The time axis with as many ticks as have room for their labels.
pub(super) fn time_axis((first, last): (f64, f64), pixels: u32) -> Axis {
    let fits = |axis: &Axis| {
        let label = labels::width(&"0".repeat(axis.label_length() + 2), TEXT_SIZE);
        axis.ticks.len() as u32 * label <= pixels
    };
    let axes = (2..=10).rev().map(|wanted| Axis::of_times(first, last, wanted));
    let mut last_tried = Axis::of_times(first, last, 1);
    for axis in axes {
        if fits(&axis) {
            return axis;
        }
        last_tried = axis;
    }
    last_tried
}

/// The legend next to the plot.
struct Legend {
    /// The names of the lines drawn.
    names: Vec<String>,
    /// The name of the curves.
    curves: Option<String>,
    /// A note with the number of omitted lines.
    note: Option<String>,
    /// The width of the whole panel, in pixels.
    width: u32,
}

impl Legend {
    fn of(series: &Series, drawn: &[LegendLine], picture_width: u32) -> Self {
        let most = picture_width / 4;
        let names: Vec<String> =
            drawn.iter().map(|line| labels::fit(&series.columns()[line.column], TEXT_SIZE, most)).collect();
        let hidden = series.columns().len() - drawn.len();
        let note = (hidden > 0).then(|| format!("{hidden} smaller: not drawn"));
        let curves = series.curves().map(|curves| labels::fit(curves.name(), TEXT_SIZE, most));
        let texts = names.iter().chain(&note).chain(&curves).map(|text| labels::width(text, TEXT_SIZE));
        let text_width = texts.max().unwrap_or(0);
        Self { names, curves, note, width: MARGIN + LEGEND_STROKE + LEGEND_GAP + text_width + MARGIN }
    }
}

fn draw_legend<'a>(
    side: &Area<'a>,
    legend: &Legend,
    (drawn, below): (&[LegendLine], &[u32]),
    top: u32,
) -> DrawResult {
    let row = |index: usize| (top + LEGEND_LINE / 2 + index as u32 * LEGEND_LINE) as i32;
    let (start, end) = (MARGIN as i32, (MARGIN + LEGEND_STROKE) as i32);
    let beside = end + LEGEND_GAP as i32;
    let middle = text(TEXT_SIZE).pos(Pos::new(HPos::Left, VPos::Center));
    for (index, ((line, name), &below)) in drawn.iter().zip(&legend.names).zip(below).enumerate() {
        draw_stroke(side, row(index), stroke(line), below)?;
        if line.ringed {
            let centre = ((start + end) / 2, row(index));
            side.draw(&Circle::new(centre, RING_RADIUS, WHITE.filled()))?;
            side.draw(&Circle::new(centre, RING_RADIUS, stroke(line)))?;
        }
        side.draw(&Text::new(name.as_str(), (beside, row(index)), middle.clone()))?;
    }
    if let Some(name) = &legend.curves {
        let ends = vec![(start, row(drawn.len())), (end, row(drawn.len()))];
        side.draw(&DashedPathElement::new(ends, DASH, GAP, INK.stroke_width(1)))?;
        side.draw(&Text::new(name.as_str(), (beside, row(drawn.len())), middle.clone()))?;
    }
    if let Some(note) = &legend.note {
        let below = drawn.len() + usize::from(legend.curves.is_some());
        side.draw(&Text::new(note.as_str(), (start, row(below)), middle))?;
    }
    Ok(())
}

fn stroke(line: &LegendLine) -> ShapeStyle {
    line.colour.stroke_width(LINE_WIDTH)
}

/// A text style for a size in pixels. Plotters expects the line height, which is 1.24 times as much.
pub(super) fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", f64::from(size) * 1.24).into_font().color(&INK)
}
