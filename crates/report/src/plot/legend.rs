//! Selects the lines to draw, with their styles.

use plotters::style::RGBColor;

use crate::colours::COLOURS;

use crate::series::Series;

/// Maximum lines of a picture: eight colours without rings, then six of them with rings.
pub const MAX_DRAWN: usize = 14;

/// A line to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LegendLine {
    /// The index of the column.
    pub(super) column: usize,
    pub(super) colour: RGBColor,
    /// Whether the line has rings, because an earlier line has the same colour.
    pub(super) ringed: bool,
}

/// The lines to draw: at most `most`, those with the largest counts (among equal ones the earlier columns), in column
/// order. A column has the same style in every plot, unless there are more columns than styles.
pub(super) fn lines(series: &Series, most: usize) -> Vec<LegendLine> {
    let mut largest = vec![0; series.columns().len()];
    for row in series.rows() {
        for (largest, &count) in largest.iter_mut().zip(&row.counts) {
            *largest = count.max(*largest);
        }
    }
    let mut chosen: Vec<usize> = (0..largest.len()).collect();
    // The sort is stable: equal ones stay in column order.
    chosen.sort_by_key(|&column| std::cmp::Reverse(largest[column]));
    chosen.truncate(most.min(MAX_DRAWN));
    chosen.sort_unstable();
    let all_differ = series.columns().len() <= MAX_DRAWN;
    let styled = chosen.into_iter().enumerate();
    styled
        .map(|(index, column)| {
            let style = if all_differ { column } else { index };
            let [red, green, blue] = COLOURS[style % COLOURS.len()];
            LegendLine { column, colour: RGBColor(red, green, blue), ringed: style / COLOURS.len() % 2 == 1 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_are_drawn_in_column_order() {
        let names = (0..30).map(|index| format!("q{index}"));
        let mut series = Series::new("t", names).expect("thirty columns");
        let counts: Vec<u64> = (0..30).map(|index| index % 10).collect();
        series.push(0.0, &counts).expect("first row");
        let drawn = lines(&series, 5);
        let columns: Vec<usize> = drawn.iter().map(|line| line.column).collect();
        // The counts are 9, 9, 9, 8, 8.
        assert_eq!(columns, [8, 9, 18, 19, 29]);
        assert_eq!(lines(&series, 100).len(), MAX_DRAWN);
    }

    #[test]
    fn a_column_keeps_its_colour_when_others_are_left_out() {
        let mut series = Series::new("t", ["a", "b", "c"]).expect("three columns");
        series.push(0.0, &[0, 5, 9]).expect("first row");
        let (few, all) = (lines(&series, 2), lines(&series, 3));
        assert_eq!(few, all[1..]);
    }

    #[test]
    fn no_two_lines_look_alike() {
        let series = Series::new("t", (0..20).map(|index| index.to_string())).expect("twenty columns");
        let drawn = lines(&series, MAX_DRAWN);
        for (index, line) in drawn.iter().enumerate() {
            let same = |other: &&LegendLine| (other.colour, other.ringed) == (line.colour, line.ringed);
            assert_eq!(drawn.iter().filter(same).count(), 1, "line {index}");
        }
    }
}
