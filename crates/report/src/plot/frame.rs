//! The frame of plots of many runs: title, axes, legend.

use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::element::{Circle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, RGBColor, ShapeStyle, WHITE};

use super::axis::Axis;
use super::coincidence::covered;
use super::svg::{
    Area, BELOW, Chart, DrawResult, GRID, INK, LEGEND_GAP, LEGEND_LINE, LEGEND_STROKE, LINE_WIDTH, MARGIN,
    RING_RADIUS, TEXT_SIZE, TICK_LENGTH, TITLE_SIZE, draw_stroke, text,
};
use super::{PlotOptions, labels, svg};
use crate::colours::COLOURS;

/// The style of a group: its colour, whether its marks are hollow, and the number of lines that its line covers.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupStyle {
    pub(super) colour: RGBColor,
    is_hollow: bool,
    covered: u32,
}

impl GroupStyle {
    /// The style of a group by number: the colours in the order of all plots, then the same colours with hollow marks.
    /// `covered` is the number of lines below its line.
    pub(super) fn of(number: usize, covered: u32) -> Self {
        let [red, green, blue] = COLOURS[number % COLOURS.len()];
        Self { colour: RGBColor(red, green, blue), is_hollow: number / COLOURS.len() % 2 == 1, covered }
    }

    pub(super) fn is_hollow(self) -> bool {
        self.is_hollow
    }

    pub(super) fn stroke(self) -> ShapeStyle {
        self.colour.stroke_width(LINE_WIDTH)
    }

    /// Draws the group's line.
    pub(super) fn draw_line(self, chart: &mut Chart<'_, '_>, points: Vec<(f64, f64)>) -> DrawResult {
        svg::draw_line(chart, points, self.stroke(), self.covered)
    }

    /// A mark: a disc, or a ring if the style is hollow. The mark is smaller on a line that covers others, so that
    /// their marks are seen around it.
    pub(super) fn marks<C>(self, at: C) -> [Circle<C, i32>; 2]
    where
        C: Clone,
    {
        let inner = if self.is_hollow { WHITE } else { self.colour };
        let radius = (RING_RADIUS - 2 * self.covered.min(2) as i32).max(1);
        [Circle::new(at.clone(), radius, inner.filled()), Circle::new(at, radius, self.stroke())]
    }
}

/// The styles of groups whose lines go through these points.
pub(super) fn looks(
    lines: impl Iterator<Item = Vec<(f64, f64)>>,
    [x, y]: [&Axis; 2],
    options: &PlotOptions,
) -> Vec<GroupStyle> {
    let (width, height) = (f64::from(options.width), f64::from(options.height));
    let pixels = |points: Vec<(f64, f64)>| {
        points.into_iter().map(|(at, value)| (x.part(at) * width, y.part(value) * height)).collect()
    };
    let lines: Vec<Vec<(f64, f64)>> = lines.map(pixels).collect();
    let covered = covered(&lines, options.width).into_iter().enumerate();
    covered.map(|(number, covered)| GroupStyle::of(number, covered)).collect()
}

/// An entry of the legend.
#[derive(Debug, Clone)]
pub(super) enum LegendEntry {
    /// A group; `has_marks` says whether its line has marks.
    Named { look: GroupStyle, has_marks: bool, name: String },
    /// A note below the groups.
    Note(String),
}

impl LegendEntry {
    fn text(&self) -> &str {
        match self {
            Self::Named { name: text, .. } | Self::Note(text) => text,
        }
    }
}

/// Both axes, and the label of the horizontal one.
pub(super) struct Axes<'a> {
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) x_label: &'a str,
}

/// Draws title, legend and axes. Then `body` draws inside the axes; its argument is the width of the horizontal axis in
/// pixels.
pub(super) fn draw(
    root: &Area<'_>,
    options: &PlotOptions,
    axes: &Axes<'_>,
    legend: &[LegendEntry],
    body: impl FnOnce(&mut Chart<'_, '_>, u32) -> DrawResult,
) -> DrawResult {
    root.fill(&WHITE)?;
    let top = MARGIN + TITLE_SIZE + MARGIN;
    let title = labels::fit(&options.title, TITLE_SIZE, options.width - 2 * MARGIN);
    root.draw(&Text::new(title, (MARGIN as i32, MARGIN as i32), text(TITLE_SIZE)))?;

    let room = ((options.height - top - BELOW) / LEGEND_LINE) as usize;
    let shown = &legend[..legend.len().min(room)];
    let most = options.width * 3 / 10;
    let fitted: Vec<String> = shown.iter().map(|entry| labels::fit(entry.text(), TEXT_SIZE, most)).collect();
    let widest = fitted.iter().map(|text| labels::width(text, TEXT_SIZE)).max().unwrap_or(0);
    let side_width = MARGIN + LEGEND_STROKE + LEGEND_GAP + widest + MARGIN;
    let (plot, side) = root.split_horizontally(options.width - side_width);
    draw_legend(&side, shown, &fitted, top)?;

    let plot = plot.margin(top, 0, 0, 0);
    let (width, height) = plot.dim_in_pixel();
    let digits = "0".repeat(axes.y.label_length());
    let left = MARGIN + TEXT_SIZE + MARGIN + labels::width(&digits, TEXT_SIZE) + 2 * TICK_LENGTH;
    let inner_width = width - left;
    let mut chart = ChartBuilder::on(&plot)
        .set_label_area_size(LabelAreaPosition::Left, left as i32)
        .set_label_area_size(LabelAreaPosition::Bottom, BELOW as i32)
        .build_cartesian_2d(axes.x.clone(), axes.y.clone())?;
    chart
        .configure_mesh()
        .light_line_style(GRID)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(text(TEXT_SIZE))
        .set_all_tick_mark_size(TICK_LENGTH)
        .draw()?;
    body(&mut chart, inner_width)?;

    let across = labels::fit(&format!("{}{}", axes.x_label, axes.x.note), TEXT_SIZE, inner_width);
    let foot = ((left + inner_width / 2) as i32, (height - MARGIN) as i32);
    plot.draw(&Text::new(across, foot, text(TEXT_SIZE).pos(Pos::new(HPos::Center, VPos::Bottom))))?;
    let up = labels::fit(&format!("{}{}", options.count_label, axes.y.note), TEXT_SIZE, height - BELOW);
    let upright = text(TEXT_SIZE).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Top));
    plot.draw(&Text::new(up, (MARGIN as i32, ((height - BELOW) / 2) as i32), upright))?;
    root.present()
}

fn draw_legend(side: &Area<'_>, entries: &[LegendEntry], fitted: &[String], top: u32) -> DrawResult {
    let (start, end) = (MARGIN as i32, (MARGIN + LEGEND_STROKE) as i32);
    let beside = end + LEGEND_GAP as i32;
    let middle = text(TEXT_SIZE).pos(Pos::new(HPos::Left, VPos::Center));
    for (number, (entry, fitted)) in (0..).zip(entries.iter().zip(fitted)) {
        let row = (top + LEGEND_LINE / 2 + number * LEGEND_LINE) as i32;
        if let LegendEntry::Named { look, has_marks, .. } = entry {
            draw_stroke(side, row, look.stroke(), look.covered)?;
            for mark in look.marks(((start + end) / 2, row)).iter().filter(|_| *has_marks) {
                side.draw(mark)?;
            }
        }
        side.draw(&Text::new(fitted.as_str(), (beside, row), middle.clone()))?;
    }
    Ok(())
}

/// A horizontal axis with as many ticks as have room for their labels in this width.
pub(super) fn axis_across(make: impl Fn(usize) -> Axis, pixels: u32) -> Axis {
    let fits = |axis: &Axis| {
        let label = labels::width(&"0".repeat(axis.label_length() + 2), TEXT_SIZE);
        axis.ticks.len() as u32 * label <= pixels
    };
    (2..=10).rev().map(&make).find(fits).unwrap_or_else(|| make(2))
}
