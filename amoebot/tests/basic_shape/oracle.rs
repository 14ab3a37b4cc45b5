//! Compares the oracle itself with closed formulas.

use std::collections::BTreeSet;

use acrasin_amoebot::library::basic_shape::TargetShape;
use acrasin_amoebot::{Cell, Direction, Shape, start};

use super::{FORMS, accepted, replayed};

/// The triangle with `side` cells on each side, pointing up: all cells within lower bounds on x and y and an upper
/// bound on x + y.
fn triangle(side: i32) -> Shape {
    let cell = |x, y| Cell::new(x, y).expect("a cell near the origin");
    Shape::from_cells((0..side).flat_map(|x| (0..side - x).map(move |y| cell(x, y)))).expect("a shape")
}

#[test]
fn the_replayed_triangle_is_full_at_every_triangular_number() {
    for side in 1..=10 {
        let n = (side * (side + 1) / 2) as usize;
        let cells = replayed(TargetShape::Triangle, Cell::ORIGIN, Direction::East, n);
        assert_eq!(Shape::from_cells(cells), Ok(triangle(side)), "{n} cells");
    }
}

/// The distances of the seed from the three sides of the full triangle are at most 1 apart, and for every third size
/// all three are equal.
#[test]
fn the_seed_is_in_the_middle_of_the_triangle() {
    for side in 1..=10 {
        let n = (side * (side + 1) / 2) as usize;
        let cells = replayed(TargetShape::Triangle, Cell::ORIGIN, Direction::East, n);
        let least = |of: fn(&Cell) -> i32| cells.iter().map(of).min().expect("cells");
        let distances = [-least(|c| c.x()), -least(|c| c.y()), -least(|c| -c.x() - c.y())];
        let (min, max) = (distances.iter().min().expect("three"), distances.iter().max().expect("three"));
        assert_eq!(distances.iter().sum::<i32>(), side - 1);
        assert!(max - min <= 1 && (max == min) == (side % 3 == 1), "{side}: {distances:?}");
    }
}

/// The seed is at a corner: all other cells are between two adjacent directions from the seed.
#[test]
fn the_replayed_vertex_triangle_is_full_and_has_the_seed_at_a_corner() {
    for side in 1..=10 {
        let n = (side * (side + 1) / 2) as usize;
        let cells = replayed(TargetShape::VertexTriangle, Cell::ORIGIN, Direction::East, n);
        assert!(cells.iter().all(|cell| cell.x() >= 0 && cell.y() >= 0 && cell.x() + cell.y() < side));
        assert_eq!(Shape::from_cells(cells), Ok(triangle(side)), "{n} cells");
    }
}

/// The square is k by k for k² cells, and k by k + 1 for k(k + 1) cells. The seed's distances from opposite sides
/// differ by at most one.
#[test]
fn the_replayed_square_is_full_and_has_the_seed_in_the_middle() {
    for side in 1..=10_i32 {
        for wide in [side, side + 1] {
            let cells = replayed(TargetShape::Square, Cell::ORIGIN, Direction::East, (side * wide) as usize);
            assert_eq!(cells.iter().collect::<BTreeSet<_>>().len(), cells.len());
            let of = |of: fn(&Cell) -> i32| {
                let all = || cells.iter().map(of);
                (all().min().expect("cells"), all().max().expect("cells"))
            };
            let ((left, right), (low, high)) = (of(|cell| cell.x()), of(|cell| cell.y()));
            assert_eq!((right - left + 1, high - low + 1), (wide, side));
            assert!((left + right).abs() <= 1 && (low + high).abs() <= 1, "{side} by {wide}");
        }
    }
}

#[test]
fn the_replayed_hexagon_is_the_spiral() {
    let spiral = start::spiral(Cell::ORIGIN, Direction::West, 200).expect("a spiral");
    assert_eq!(replayed(TargetShape::Hexagon, Cell::ORIGIN, Direction::West, 200), spiral);
}

/// Each cell after the first is adjacent to an earlier one, and no prefix has a hole.
#[test]
fn every_prefix_of_a_form_is_connected_and_without_a_hole() {
    for form in FORMS {
        let cells = replayed(form, Cell::ORIGIN, Direction::NorthEast, 60);
        assert_eq!(cells.iter().collect::<BTreeSet<_>>().len(), 60);
        for n in 1..=60 {
            let shape = Shape::from_cells(cells[..n].iter().copied()).expect("a shape");
            assert!(shape.is_connected() && shape.holes() == 0, "{form:?} of {n}");
        }
    }
}

#[test]
fn a_line_has_as_many_ends_as_places_for_the_seed() {
    let lines = accepted(TargetShape::Line, Cell::ORIGIN, Direction::NorthWest, 4);
    assert_eq!(lines.len(), 4);
    let straight = start::line(Cell::ORIGIN, Direction::NorthWest, 4).expect("a line");
    let shape = Shape::from_cells(straight).expect("a shape");
    assert!(lines.iter().all(|line| Shape::from_cells(line.iter().copied()) == Ok(shape.clone())));
    assert!(lines.iter().all(|line| line.contains(&Cell::ORIGIN)));
}
