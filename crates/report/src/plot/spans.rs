//! Draws the intervals in which nodes are in their critical sections, one line for each node.

use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::element::{Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, RGBColor, WHITE};

use super::axis::Axis;
use super::svg::{
    self, Area, BELOW, DrawResult, GRID, INK, MARGIN, TEXT_SIZE, TICK_LENGTH, TITLE_SIZE, text,
};
use super::{PlotError, PlotOptions, labels};
use crate::colours::COLOURS;
use crate::spans::Spans;

/// Maximum nodes drawn: more cannot be distinguished.
const NODES_DRAWN: u32 = 128;

/// The fraction of a node's line height that a bar fills.
const FILLED: f64 = 0.7;

/// The spans of time as an SVG document: node 0 at the bottom, a bar while a node is in its critical section.
///
/// The first 128 nodes are drawn; the name of the axis says so if there are more. Cost: O(spans).
///
/// # Errors
///
/// [`PlotError`] if width or height are out of range.
///
/// ```
/// use acrasin_report::plot::{PlotOptions, spans_svg};
/// use acrasin_report::spans::Spans;
///
/// let mut spans = Spans::new("steps", [true, false]);
/// spans.leave(0, 10);
/// spans.enter(1, 12);
/// spans.end(20);
/// let svg = spans_svg(&spans, &PlotOptions::new("Who is inside"))?;
/// assert!(svg.starts_with("<svg ") && svg.matches("<rect").count() >= 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn spans_svg(spans: &Spans, options: &PlotOptions) -> Result<String, PlotError> {
    svg::drawn(options, |root| draw(root, spans, options))
}

fn draw(root: &Area<'_>, spans: &Spans, options: &PlotOptions) -> DrawResult {
    root.fill(&WHITE)?;
    let top = MARGIN + TITLE_SIZE + MARGIN;
    let title = labels::fit(&options.title, TITLE_SIZE, options.width - 2 * MARGIN);
    root.draw(&Text::new(title, (MARGIN as i32, MARGIN as i32), text(TITLE_SIZE)))?;
    let plot = root.margin(top, 0, 0, MARGIN);
    let (width, height) = plot.dim_in_pixel();
    let drawn = spans.nodes().min(NODES_DRAWN);
    let mut nodes = Axis::of_counts(u64::from(drawn.max(1)), (height / 40).clamp(2, 16) as usize);
    nodes.high = f64::from(drawn.max(1));
    nodes.ticks.retain(|tick| tick.place < nodes.high);
    let digits = "0".repeat(nodes.label_length());
    let left = MARGIN + TEXT_SIZE + MARGIN + labels::width(&digits, TEXT_SIZE) + 2 * TICK_LENGTH;
    let times = svg::time_axis((0.0, spans.last() as f64), width - left);
    let mut chart = ChartBuilder::on(&plot)
        .set_label_area_size(LabelAreaPosition::Left, left as i32)
        .set_label_area_size(LabelAreaPosition::Bottom, BELOW as i32)
        .build_cartesian_2d(times.clone(), nodes.clone())?;
    chart
        .configure_mesh()
        .light_line_style(GRID)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(text(TEXT_SIZE))
        .set_all_tick_mark_size(TICK_LENGTH)
        .draw()?;
    let [red, green, blue] = COLOURS[0];
    let colour = RGBColor(red, green, blue);
    let bars = spans.iter().filter(|span| span.node < drawn).map(|span| {
        let (low, high) = (f64::from(span.node), f64::from(span.node) + FILLED);
        Rectangle::new([(span.from as f64, low), (span.to as f64, high)], colour.filled())
    });
    chart.draw_series(bars)?;
    let middle = (left + (width - left) / 2) as i32;
    let across = labels::fit(&format!("{}{}", spans.time_label(), times.note), TEXT_SIZE, width - left);
    let foot = (height - MARGIN) as i32;
    plot.draw(&Text::new(across, (middle, foot), text(TEXT_SIZE).pos(Pos::new(HPos::Center, VPos::Bottom))))?;
    let more = if spans.nodes() > drawn { format!(", the first {drawn}") } else { String::new() };
    let up = labels::fit(&format!("node{more}"), TEXT_SIZE, height - BELOW);
    let upright = text(TEXT_SIZE).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Top));
    plot.draw(&Text::new(up, (MARGIN as i32, ((height - BELOW) / 2) as i32), upright))
}
