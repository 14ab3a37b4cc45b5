//! What is measured of the occupied cells, and what only one algorithm has to say.

use acrasin_amoebot::algorithm::description::{self, Amount, Further};
use acrasin_amoebot::{Cell, Shape};
use acrasin_report::record::{Figure, Section};
use acrasin_report::value::Value;

/// What is counted of the shape, if that is asked for: [`measures`].
pub(super) const SHAPE_COLUMNS: [&str; 4] =
    ["adjacent pairs", "perimeter with holes", "connected parts", "holes"];

/// Adjacent pairs, perimeter, connected parts, holes; `None` of cells that no shape has.
pub(super) fn measures(cells: &[Cell]) -> Option<[u64; 4]> {
    let shape = Shape::of(cells.to_vec()).ok()?;
    let (n, edges, parts, holes) = (cells.len(), shape.edges(), shape.components(), shape.holes());
    // Every edge has two sides: three for each triangle, the others are on a boundary. And Euler's formula.
    let perimeter = 3 * (n + holes) - edges - 3 * parts;
    Some([edges, perimeter, parts, holes].map(|figure| figure as u64))
}

/// The occupied cells at the end.
pub(super) fn shape(amoebots: usize, cells: &[Cell], unlike_edges: Option<u64>) -> Section {
    let mut section = Section::new("shape", "Shape at the end");
    section.push(Figure::new("amoebots", "amoebots", amoebots as u64));
    section.push(Figure::new("cells", "occupied cells", cells.len() as u64));
    let figures = measures(cells).map(|figures| figures.map(Value::Integer));
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

/// What only one algorithm has to say.
pub(super) fn further(further: Further) -> Section {
    let mut section = Section::new(further.key, further.title);
    for figure in further.figures {
        section.push(told(figure));
    }
    section
}

/// A figure as a record has it.
pub(super) fn told(figure: description::Figure) -> Figure {
    let (key, words) = (figure.key, figure.words);
    let told = match figure.value {
        Amount::Count(count) => Figure::new(key, words, count),
        Amount::Real(value) => Figure::new(key, words, value),
        Amount::Flag(flag) => Figure::new(key, words, flag),
        Amount::Text(text) => Figure::new(key, words, text),
    };
    match figure.unit {
        Some(unit) => told.unit(unit),
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
            let section = shape(cells.len(), &cells, None);
            section.figures().iter().find(|figure| figure.key() == "perimeter").unwrap().clone()
        };
        let is = |cells: &[(i32, i32)], expected: u64| {
            assert_eq!(perimeter(cells).value(), Figure::new("", "", expected).value(), "{cells:?}");
        };
        is(&[(0, 0)], 0);
        // There and back.
        is(&[(0, 0), (1, 0), (2, 0)], 4);
        is(&[(0, 0), (1, 0), (0, 1)], 3);
        is(&[(0, 0), (5, 0), (6, 0)], 2);
        // Round a ring outside and inside.
        is(&[(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)], 12);
    }
}
