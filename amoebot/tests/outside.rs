//! The empty cells outside of a system.

use std::collections::BTreeSet;

use acrasin_amoebot::{Cell, System};

/// The empty cells that are connected with the far outside, within a box one cell larger than the system.
pub(crate) fn outside<M>(system: &System<M>) -> BTreeSet<Cell> {
    let cells = system.cells();
    let range = |of: fn(&Cell) -> i32| {
        let values = || cells.iter().map(of);
        values().min().expect("cells") - 1..=values().max().expect("cells") + 1
    };
    let (x, y) = (range(|cell| cell.x()), range(|cell| cell.y()));
    let corner = Cell::new(*x.start(), *y.start()).expect("near the origin");
    let mut reached = BTreeSet::from([corner]);
    let mut border = vec![corner];
    while let Some(at) = border.pop() {
        let empty =
            |next: &Cell| x.contains(&next.x()) && y.contains(&next.y()) && system.occupant(*next).is_none();
        border.extend(at.neighbours().filter(empty).filter(|next| reached.insert(*next)));
    }
    reached
}
