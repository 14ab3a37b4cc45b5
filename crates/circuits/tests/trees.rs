//! Tests of PASC and Euler tours against numbers that are counted along the tree.

use acrasin_amoebot::{Chirality, Direction, Orientation};
use acrasin_circuits::library::{LaneCrossing, Pasc, RootedTour};
use acrasin_circuits::{CircuitRun, CircuitStructure, Coins};

use crate::structures::{Numbers, blob, cell, common, finished, framed, ran, spanning_tree};

/// Runs PASC along a breadth-first tree, with assorted compasses of one chirality, and checks the numbers.
pub(crate) fn random_pasc(seed: u64, all: bool) -> (CircuitStructure, Pasc, Vec<u64>) {
    let mut numbers = Numbers::new(seed);
    let cells = blob(1 + numbers.below(20), &mut numbers);
    let root = numbers.below(cells.len());
    let (_, above) = spanning_tree(&cells, root);
    let chirality = if numbers.coin() { Chirality::Standard } else { Chirality::Mirrored };
    let frames: Vec<Orientation> = cells
        .iter()
        .map(|_| Orientation { first: Direction::from_index(numbers.below(6) as u8), chirality })
        .collect();
    let takes_part: Vec<bool> = cells.iter().map(|_| all || numbers.coin()).collect();
    let (mut parents, mut children) = (vec![None; cells.len()], vec![Vec::new(); cells.len()]);
    for (child, parent) in above.iter().enumerate() {
        if let Some(parent) = *parent {
            let direction = cells[child].direction_to(cells[parent]).unwrap();
            parents[child] = Some(frames[child].label(direction));
            children[parent].push(frames[parent].label(direction.opposite()));
        }
    }
    let value = |amoebot: usize| {
        let path = std::iter::successors(Some(amoebot), |at| above[*at]);
        path.filter(|at| *at != root && takes_part[*at]).count() as u64
    };
    let values = (0..cells.len()).map(value).collect();
    let participants = (!all).then(|| takes_part.clone());
    let pasc = Pasc { parents, children, participants, crossing: LaneCrossing::Arriving };
    (framed(&cells, frames, 2), pasc, values)
}

#[test]
fn pasc_counts_participants_on_the_way_from_the_root() {
    for seed in 0..200 {
        let (structure, pasc, values) = random_pasc(seed, seed % 2 == 0);
        let run = ran(structure, pasc, 0);
        assert_eq!(
            run.memories().iter().map(|amoebot| amoebot.value()).collect::<Vec<_>>(),
            values,
            "seed {seed}"
        );
        assert!(run.memories().iter().all(|amoebot| amoebot.faults == 0));
        let largest = values.iter().max().unwrap();
        let iterations = u64::from(u64::BITS - largest.leading_zeros()).max(1);
        assert_eq!(run.rounds_done(), 2 * iterations);
    }
}

#[test]
fn crossing_at_the_wrong_side_is_caught() {
    let wrong = (0..50).any(|seed| {
        let (structure, pasc, values) = random_pasc(seed, false);
        let pasc = Pasc { crossing: LaneCrossing::Leaving, ..pasc };
        let run = finished(CircuitRun::new(structure, pasc, Coins::keyed(0)).unwrap());
        run.is_none_or(|run| run.memories().iter().map(|amoebot| amoebot.value()).ne(values))
    });
    assert!(wrong);
}

#[test]
fn a_tour_roots_every_tree() {
    let mut numbers = Numbers::new(1);
    for _ in 0..60 {
        let cells = blob(1 + numbers.below(20), &mut numbers);
        let (edges, _) = spanning_tree(&cells, numbers.below(cells.len()));
        let root = numbers.below(cells.len());
        let run = ran(common(&cells, 4), RootedTour { edges: edges.clone(), root: root as u32 }, 0);
        // Every amoebot reaches the root over tree edges to parents.
        for start in 0..cells.len() {
            let mut at = start;
            for _ in 0..cells.len() {
                let Some(label) = run.memories()[at].parent else { break };
                assert!(edges[at].contains(&label));
                let next = cells[at].neighbour(Direction::from_index(label - 1)).unwrap();
                at = cells.iter().position(|cell| *cell == next).unwrap();
            }
            assert_eq!(at, root);
        }
        let last = 2 * cells.len() as u64 - 2;
        assert_eq!(run.rounds_done(), 2 * u64::from(u64::BITS - last.leading_zeros()).max(1));
    }
}

#[test]
fn pasc_takes_logarithmic_time_on_a_line() {
    let line: Vec<_> = (0..5000).map(|x| cell(x, 0)).collect();
    let parents = (0..5000).map(|at| (at > 0).then_some(4)).collect();
    let children = (0..5000).map(|at| if at < 4999 { vec![1] } else { Vec::new() }).collect();
    let pasc = Pasc { parents, children, participants: None, crossing: LaneCrossing::Arriving };
    let run = ran(common(&line, 2), pasc, 0);
    assert!(run.memories().iter().map(|amoebot| amoebot.value()).eq(0..5000));
    assert_eq!(run.rounds_done(), 26);
}
