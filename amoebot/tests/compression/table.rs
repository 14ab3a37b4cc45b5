//! The table compared with Properties 1 and 2 as the paper words them, on cells of the lattice.

use std::collections::BTreeSet;

use acrasin_amoebot::chain::{EdgeRing, MOVES, MoveTable};
use acrasin_amoebot::{Cell, Direction, Rotation};

use super::{gain_of_all, table, without_hold, without_property_2};

/// The cells of the ring for the edge from the origin in `direction`, by their description.
fn ring_cells(direction: Direction) -> [Cell; 8] {
    let second = Cell::ORIGIN.neighbour(direction).expect("near the origin");
    std::array::from_fn(|bit| {
        let from = if bit < 5 { Cell::ORIGIN } else { second };
        let turns = if bit < 5 { bit + 1 } else { bit };
        let turned = (0..turns).fold(direction, |d, _| d.turned(Rotation::Counterclockwise));
        from.neighbour(turned).expect("near the origin")
    })
}

/// All amoebots in `among` that are connected with `start` by a path in `among`.
fn flood(start: &BTreeSet<Cell>, among: &BTreeSet<Cell>) -> BTreeSet<Cell> {
    let mut reached: BTreeSet<Cell> = start.intersection(among).copied().collect();
    let mut border: Vec<Cell> = reached.iter().copied().collect();
    while let Some(cell) = border.pop() {
        border.extend(cell.neighbours().filter(|next| among.contains(next) && reached.insert(*next)));
    }
    reached
}

/// e′ - e of an allowed move, computed from sets of cells.
fn direct(direction: Direction, ring: u8) -> Option<i8> {
    let (first, second) = (Cell::ORIGIN, Cell::ORIGIN.neighbour(direction)?);
    let cells = ring_cells(direction);
    let particles: BTreeSet<Cell> = (0..8).filter(|bit| ring >> bit & 1 == 1).map(|bit| cells[bit]).collect();
    let next_to = |end: Cell| -> BTreeSet<Cell> {
        particles.iter().copied().filter(|cell| cell.direction_to(end).is_some()).collect()
    };
    let (at_first, at_second) = (next_to(first), next_to(second));
    assert_eq!(at_first.union(&at_second).count(), particles.len());
    let both: BTreeSet<Cell> = at_first.intersection(&at_second).copied().collect();
    let in_one_piece = |cells: &BTreeSet<Cell>| {
        cells.first().is_some_and(|cell| flood(&BTreeSet::from([*cell]), cells).len() == cells.len())
    };
    let property_1 = (1..=2).contains(&both.len()) && flood(&both, &particles) == particles;
    let property_2 = both.is_empty() && in_one_piece(&at_first) && in_one_piece(&at_second);
    let allowed = at_first.len() < 5 && (property_1 || property_2);
    allowed.then(|| at_second.len() as i8 - at_first.len() as i8)
}

/// The number of entries that differ from the paper.
fn wrong_entries(moves: &MoveTable) -> usize {
    let count =
        |direction| (0..=255).filter(|ring| moves[usize::from(*ring)] != direct(direction, *ring)).count();
    let wrong = Direction::ALL.map(count);
    assert!(wrong.iter().all(|number| *number == wrong[0]), "directions differ: {wrong:?}");
    wrong[0]
}

#[test]
fn the_ring_is_a_ring_round_both_ends() {
    for direction in Direction::ALL {
        let cells = ring_cells(direction);
        for i in 0..8 {
            for j in 0..8 {
                let adjacent = cells[i].direction_to(cells[j]).is_some();
                assert_eq!(adjacent, (i + 8 - j) % 8 == 1 || (j + 8 - i) % 8 == 1);
            }
        }
        let second = Cell::ORIGIN.neighbour(direction).unwrap();
        let next_to =
            |end: Cell| (0..8).filter(|i| cells[*i].direction_to(end).is_some()).fold(0, |m, i| m | 1 << i);
        assert_eq!(
            (next_to(Cell::ORIGIN), next_to(second)),
            (EdgeRing::NEXT_TO_FIRST, EdgeRing::NEXT_TO_SECOND)
        );
        assert_eq!(EdgeRing::BOTH_ENDS, EdgeRing::NEXT_TO_FIRST & EdgeRing::NEXT_TO_SECOND);
    }
}

#[test]
fn the_table_says_what_the_paper_says() {
    assert_eq!(wrong_entries(&MOVES), 0);
    assert_eq!(MOVES.iter().flatten().count(), 110);
    // With e′ = 5 the amoebot would fill a hole, and there are none: such rings never occur.
    let occurring = (0..=255).map(EdgeRing).filter(|ring| ring.neighbours_after() < 5);
    assert_eq!(occurring.filter(|ring| MOVES[usize::from(ring.0)].is_some()).count(), 104);
}

#[test]
fn wrong_tables_are_noticed() {
    assert!(wrong_entries(&without_property_2()) > 0);
    assert!(wrong_entries(&without_hold()) > 0);
    // |S| ignored: the neighbours of each end are connected, whatever amoebots are next to both.
    let s_ignored = table(|ring| {
        let second_only = ring.0.rotate_right(4) & 0b1_1111 | ring.0 << 4 & 0b1_0000;
        let in_one_piece =
            |row: u8| row != 0 && (row >> row.trailing_zeros()).trailing_ones() == row.count_ones();
        let allowed =
            ring.neighbours_before() < 5 && in_one_piece(ring.0 & 0b1_1111) && in_one_piece(second_only);
        allowed.then(|| gain_of_all(ring))
    });
    assert!(wrong_entries(&s_ignored) > 0);
    let one_bit = table(|ring| if ring.0 == 3 { None } else { ring.gain() });
    assert_eq!(wrong_entries(&one_bit), 1);
}
