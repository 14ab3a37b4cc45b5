//! Records as text: blocks of two aligned columns under short headings, at most 100 columns wide.

use super::RunRecord;
use super::section::{Figure, FigureValue, Section};
use crate::escape::visible;
use crate::layout::{columns, left, right, shorten, wrap};
use crate::summary::Spread;
use crate::value::{TextStyle, Value};

/// The maximum number of columns of a line.
const LINE_COLUMNS: usize = 100;
/// The maximum number of columns of a label. Longer ones, such as state names of users, are cut.
const LABEL_COLUMNS: usize = 40;
/// Maximum figures of a section that text shows: protocols may have thousands of states. CSV and JSON lines have all
/// figures.
const MAX_FIGURES: usize = 64;
const INDENT: &str = "  ";

impl RunRecord {
    /// The record as blocks of two columns under headings, without missing values and empty sections.
    ///
    /// No line is longer than 100 columns. A section of more than 64 figures shows the first 64 and the total number.
    pub fn to_text(&self, style: TextStyle) -> String {
        let blocks = self.sections().map(|section| section_text(&section, style));
        blocks.filter(|block| !block.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// The section with its heading; empty if it shows no figure.
pub(super) fn section_text(section: &Section, style: TextStyle) -> String {
    let all: Vec<&Figure> = section.figures().iter().filter(|figure| is_shown(figure)).collect();
    if all.is_empty() {
        return String::new();
    }
    let figures = &all[..all.len().min(MAX_FIGURES)];
    let labels: Vec<String> =
        figures.iter().map(|figure| shorten(&label(figure), LABEL_COLUMNS, style)).collect();
    let label_width = labels.iter().map(|label| columns(label)).max().unwrap_or(0);
    // Numbers are aligned with each other, but not next to words.
    let words =
        figures.iter().any(|figure| matches!(&figure.value, FigureValue::One(value) if !value.is_number()));
    let numbers = figures.iter().filter_map(|figure| number(figure, style)).map(|text| columns(&text));
    let number_width = if words { 0 } else { numbers.max().unwrap_or(0) };
    let spread_widths = spread_widths(figures, style);

    let mut text = format!("{}\n", shorten(&visible(section.title()), LINE_COLUMNS, style));
    let value_start = INDENT.len() + label_width + INDENT.len();
    for (figure, label) in figures.iter().zip(&labels) {
        let lines = match (&figure.value, number(figure, style)) {
            (FigureValue::Spread(spread), _) => {
                spread_lines(spread, spread_widths, LINE_COLUMNS - value_start, style)
            }
            (FigureValue::One(_), Some(number)) => {
                let number = right(&number, number_width);
                vec![with_unit(&number, figure.unit.as_deref(), LINE_COLUMNS - value_start, style)]
            }
            (FigureValue::One(value), None) => {
                let unit =
                    figure.unit.as_deref().map(|unit| format!(" {}", visible(unit))).unwrap_or_default();
                wrap(&format!("{}{unit}", value.to_text(style)), LINE_COLUMNS - value_start)
            }
        };
        for (index, line) in lines.iter().enumerate() {
            let label = if index == 0 { label.as_str() } else { "" };
            let line = format!("{INDENT}{}{INDENT}{line}", left(label, label_width));
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    if figures.len() < all.len() {
        let hidden = all.len() - figures.len();
        text.push_str(&format!(
            "{INDENT}and {hidden} more; the csv and jsonl formats have all {}\n",
            all.len()
        ));
    }
    text
}

fn is_shown(figure: &Figure) -> bool {
    !figure.json_only && figure.value != FigureValue::One(Value::Missing)
}

/// A number with its unit. If both do not fit, the unit is cut.
fn with_unit(number: &str, unit: Option<&str>, limit: usize, style: TextStyle) -> String {
    let Some(unit) = unit else { return number.to_owned() };
    let room = limit.saturating_sub(columns(number) + 1);
    format!("{number} {}", shorten(&visible(unit), room, style))
}

/// The label of a figure. For a spread it includes the unit, because its line has several numbers.
fn label(figure: &Figure) -> String {
    match (&figure.value, &figure.unit) {
        (FigureValue::Spread(_), Some(unit)) => visible(&format!("{} ({unit})", figure.label)),
        _ => visible(&figure.label),
    }
}

/// The text of a single number; `None` for other figures.
fn number(figure: &Figure, style: TextStyle) -> Option<String> {
    let style = TextStyle { group_digits: style.group_digits && !figure.ungrouped, ..style };
    match &figure.value {
        FigureValue::One(value) if value.is_number() => Some(value.to_text(style)),
        _ => None,
    }
}

/// The cells of a spread's line: the name and the number of each statistic.
fn spread_cells(spread: &Spread, style: TextStyle) -> [(&'static str, String); 5] {
    let text = |value: Value| value.to_text(style);
    // A median of integers is whole or ends in .5; four digits would suggest more precision.
    let median = match spread.median {
        Some(median) if median.fract() == 0.0 && median < u64::MAX as f64 => {
            text(Value::Integer(median as u64))
        }
        median => text(median.into()),
    };
    [
        ("mean", text(spread.mean.into())),
        ("median", median),
        ("95 %", text(spread.percentile_95.into())),
        ("min", text(spread.min.into())),
        ("max", text(spread.max.into())),
    ]
}

/// The maximum width of each statistic over the spreads of a section.
fn spread_widths(figures: &[&Figure], style: TextStyle) -> [usize; 5] {
    let mut widths = [0; 5];
    for figure in figures {
        if let FigureValue::Spread(spread) = &figure.value {
            for (width, (_, number)) in widths.iter_mut().zip(spread_cells(spread, style)) {
                *width = columns(&number).max(*width);
            }
        }
    }
    widths
}

fn spread_lines(spread: &Spread, widths: [usize; 5], limit: usize, style: TextStyle) -> Vec<String> {
    if spread.count == 0 {
        return vec!["no samples".to_owned()];
    }
    let mut lines = vec![String::new()];
    for ((name, number), width) in spread_cells(spread, style).into_iter().zip(widths) {
        let cell = format!("{name} {}", right(&number, width));
        let line = lines.last_mut().expect("starts with one line");
        if line.is_empty() {
            *line = cell;
        } else if columns(line) + 3 + columns(&cell) <= limit {
            line.push_str("   ");
            line.push_str(&cell);
        } else {
            lines.push(cell);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Distribution;

    #[test]
    fn many_figures_are_cut_and_counted() {
        let mut section = Section::new("states", "States");
        for state in 0..70_u64 {
            section.push(Figure::new(format!("q{state}"), format!("q{state}"), state));
        }
        let text = section_text(&section, TextStyle::PLAIN);
        assert_eq!(text.lines().count(), 1 + 64 + 1);
        assert!(text.ends_with("  and 6 more; the csv and jsonl formats have all 70\n"), "{text}");
    }

    #[test]
    fn nothing_to_show_is_no_block() {
        let mut section = Section::new("topology", "Topology");
        section.push(Figure::new("refused", "refused contacts", None::<u64>));
        section.push(Figure::new("text", "text", "long").json_only());
        assert_eq!(section_text(&section, TextStyle::PLAIN), "");
    }

    #[test]
    fn lines_never_pass_one_hundred_columns() {
        let mut section = Section::new("odd", "t".repeat(300));
        let huge: Distribution = [u64::MAX, u64::MAX - 1].into_iter().collect();
        section.push(Figure::new("a", "状".repeat(80), "w".repeat(500)).with_unit("words"));
        section.push(Figure::new("b", "number", u64::MAX).with_unit("u".repeat(200)));
        section.push(Figure::new("c", "reason", "one two three ".repeat(30)));
        section.push(Figure::spread("d", "wait", &huge).with_unit("steps of the scheduler"));
        section.push(Figure::spread("e", "none", &Distribution::new()));
        for style in [TextStyle::PLAIN, TextStyle::default()] {
            let text = section_text(&section, style);
            assert!(text.lines().all(|line| columns(line) <= 100), "{text}");
            assert!(
                text.contains("18446744073709551615") || text.contains("18 446 744 073 709 551 615"),
                "{text}"
            );
            assert!(text.contains("no samples"), "{text}");
        }
    }
}
