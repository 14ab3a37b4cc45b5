//! Measures of the occupied cells, and figures specific to one algorithm.

use acrasin_amoebot::Cell;
use acrasin_amoebot::algorithm::description::{self, Amount, Further};
use acrasin_amoebot::model::shape::{Shape, ShapeCounts};
use acrasin_report::record::{Figure, Section};
use acrasin_report::value::Value;

/// The names of the [`measures`] of a shape, which are sampled on request.
pub(super) const SHAPE_COLUMNS: [&str; 4] =
    ["adjacent pairs", "perimeter with holes", "connected parts", "holes"];

/// The number of adjacent pairs, the perimeter, and the numbers of connected parts and of holes. `None` if the cells
/// are not a valid shape, or once `has_time` returns false.
pub(super) fn measures(cells: Vec<Cell>, has_time: &dyn Fn() -> bool) -> Option<[u64; 4]> {
    let n = cells.len();
    let shape = Shape::from_cells_while(cells, has_time).ok()??;
    let ShapeCounts { edges, components: parts, holes } = shape.counts_while(has_time)?;
    // Every edge has two sides: each triangle takes three sides, and the others are on a boundary. The rest follows
    // from Euler's formula.
    let perimeter = 3 * (n + holes) - edges - 3 * parts;
    Some([edges, perimeter, parts, holes].map(|figure| figure as u64))
}

/// The section on the occupied cells at the end. Measures are omitted if there is no time for them.
pub(super) fn shape(
    amoebots: usize,
    cells: Option<Vec<Cell>>,
    unlike_edges: Option<u64>,
    has_time: &dyn Fn() -> bool,
) -> Section {
    let mut section = Section::new("shape", "Shape at the end");
    section.push(Figure::new("amoebots", "amoebots", amoebots as u64));
    section.push(Figure::new("cells", "occupied cells", cells.as_ref().map(|cells| cells.len() as u64)));
    let figures =
        cells.and_then(|cells| measures(cells, has_time)).map(|figures| figures.map(Value::Integer));
    let [edges, perimeter, parts, holes] = figures.unwrap_or([const { Value::Missing }; 4]);
    section.push(Figure::new("edges", "adjacent pairs", edges));
    section.push(Figure::new("perimeter", "perimeter, holes included", perimeter));
    section.push(Figure::new("parts", "connected parts", parts));
    section.push(Figure::new("holes", "holes", holes));
    if let Some(unlike) = unlike_edges {
        section.push(Figure::new("unlike_edges", "adjacent pairs of unlike colours", unlike));
    }
    section
}

/// The section with figures specific to one algorithm.
pub(super) fn further(further: Further) -> Section {
    let mut section = Section::new(further.key, further.title);
    for figure in further.figures {
        section.push(told(figure));
    }
    section
}

/// Converts a figure of an algorithm to a figure of a record.
pub(super) fn told(figure: description::AlgorithmFigure) -> Figure {
    let (key, words) = (figure.key, figure.words);
    let told = match figure.value {
        Amount::Count(count) => Figure::new(key, words, count),
        Amount::Real(value) => Figure::new(key, words, value),
        Amount::Flag(flag) => Figure::new(key, words, flag),
        Amount::Text(text) => Figure::new(key, words, text),
    };
    match figure.unit {
        Some(unit) => told.with_unit(unit),
        None => told,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perimeters_of_known_shapes() {
        let perimeter = |cells: &[(i32, i32)]| {
            let cells: Vec<Cell> = cells.iter().map(|&(x, y)| Cell::new(x, y).unwrap()).collect();
            let section = shape(cells.len(), Some(cells), None, &|| true);
            section.figures().iter().find(|figure| figure.key() == "perimeter").unwrap().clone()
        };
        let is = |cells: &[(i32, i32)], expected: u64| {
            assert_eq!(perimeter(cells).value(), Figure::new("", "", expected).value(), "{cells:?}");
        };
        is(&[(0, 0)], 0);
        // The perimeter runs along the line and back.
        is(&[(0, 0), (1, 0), (2, 0)], 4);
        is(&[(0, 0), (1, 0), (0, 1)], 3);
        is(&[(0, 0), (5, 0), (6, 0)], 2);
        // Along the ring, outside and inside.
        is(&[(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)], 12);
    }

    #[test]
    fn without_time_a_shape_is_not_measured() {
        let cells: Vec<Cell> = (0..3).map(|x| Cell::new(x, 0).unwrap()).collect();
        for end in 0..4 {
            let looks = std::cell::Cell::new(0);
            let has_time = || looks.replace(looks.get() + 1) < end;
            assert_eq!((measures(cells.clone(), &has_time), looks.get()), (None, end + 1));
        }
        assert_eq!(measures(cells.clone(), &|| true), Some([2, 4, 1, 0]));
        let keys = |has_time: bool| -> Vec<String> {
            let section = shape(3, has_time.then(|| cells.clone()), None, &|| has_time);
            section.figures().iter().map(|figure| figure.key().to_owned()).collect()
        };
        assert_eq!(keys(false), keys(true));
    }
}
