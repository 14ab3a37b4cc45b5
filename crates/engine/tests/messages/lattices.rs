//! Tori whose edges never change.

use acrasin_engine::message::NodeLayout;
use acrasin_engine::{ActiveNodes, Lattice, LatticeKind, Wanting};
use acrasin_runtime::choice::FixedProbability;

use super::agreement::{Pair, config};

fn run(
    torus: Lattice,
    config: acrasin_engine::message::Config,
    activation: &ActiveNodes<'_>,
    rounds: u64,
) -> Pair<Lattice, acrasin_engine::message::Lasting> {
    let mut pair = Pair::lasting(torus, torus.topology().unwrap(), config);
    for _ in 0..rounds {
        pair.round(activation);
    }
    pair
}

#[test]
fn permanent_demand_with_many_and_few_priorities() {
    for kind in [LatticeKind::Square, LatticeKind::Triangular] {
        for (priorities, layout) in [
            (2, NodeLayout::Short),
            (5, NodeLayout::Short),
            (64, NodeLayout::Short),
            (1000, NodeLayout::Long),
            (100_000, NodeLayout::Registers),
        ] {
            for activation in [ActiveNodes::All, ActiveNodes::Random(FixedProbability::HALF)] {
                let torus = Lattice::new(kind, 9, 8).unwrap();
                let pair = run(torus, config(7, priorities, Wanting::Always), &activation, 1500);
                assert_eq!(pair.rounds.layout(), layout);
                let figures = pair.rounds.figures();
                // With two priorities the first Locks take a few thousand rounds.
                assert!(figures.trials > 1000, "{figures:?}");
                assert!(priorities == 2 || figures.grants > 50, "{figures:?}");
                assert!(activation == ActiveNodes::All || figures.late_rejections > 100, "{figures:?}");
            }
        }
    }
}

#[test]
fn wide_and_narrow_tori_sparse_demand_and_few_active() {
    let tenth = FixedProbability::new(0.1).unwrap();
    for kind in [LatticeKind::Square, LatticeKind::Triangular] {
        for (width, height) in [(3, 3), (64, 3), (65, 4), (130, 5), (5, 70), (200, 3)] {
            let torus = Lattice::new(kind, width, height).unwrap();
            for (wanting, activation) in [
                (Wanting::Chance(tenth), ActiveNodes::Random(FixedProbability::HALF)),
                (Wanting::Always, ActiveNodes::Random(tenth)),
                (Wanting::Chance(tenth), ActiveNodes::All),
            ] {
                let pair = run(torus, config(11, 37, wanting), &activation, 300);
                assert!(pair.rounds.figures().grants > 0);
            }
        }
    }
}

#[test]
fn an_adversary_names_the_active() {
    let torus = Lattice::new(LatticeKind::Triangular, 12, 11).unwrap();
    let mut pair = Pair::lasting(torus, torus.topology().unwrap(), config(3, 64, Wanting::Always));
    // Moving stripes, an empty round now and then, and missing words.
    for round in 0..3000_u32 {
        let stripe = 0x1111_7777_0f0f_5555_u64.rotate_left(round * 5);
        let words = if round % 7 == 3 { vec![] } else { vec![stripe, !stripe, stripe >> 3] };
        pair.round(&ActiveNodes::Given(&words));
    }
    assert!(pair.rounds.figures().grants > 100);
}

#[test]
fn without_demand_nothing_happens() {
    let torus = Lattice::new(LatticeKind::Square, 8, 8).unwrap();
    let pair = run(torus, config(3, 64, Wanting::Never), &ActiveNodes::All, 10);
    let figures = pair.rounds.figures();
    assert_eq!((figures.activations, figures.messages), (640, 0));
}
