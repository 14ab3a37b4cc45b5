//! Populations on a graph whose edges are listed in any order, and populations that share the edges.

use acrasin_protocols::Table;
use acrasin_protocols::library::{ApproximateMajority, Cyclic};
use acrasin_protocols::uniform::{EdgeList, GraphPopulation, SizeError, TorusShape};

#[test]
fn edges_in_any_order_and_direction_are_one_run_and_a_graph_is_begun_again() {
    let table = Table::compile(&Cyclic::ROCK_PAPER_SCISSORS).unwrap();
    let states: Vec<u16> = (0..1000).map(|agent| agent % 3).collect();
    let edges: Vec<[u32; 2]> =
        (0..1000).map(|agent| [agent, (agent * 7 + 1) % 1000]).filter(|[u, v]| u != v).collect();
    let in_order = |edges: &[[u32; 2]]| {
        GraphPopulation::in_order(&table, &states, EdgeList::from_edges(edges.iter().copied()), 4)
    };
    let mut sorted: Vec<[u32; 2]> = edges.iter().map(|&[u, v]| [u.min(v), u.max(v)]).collect();
    sorted.sort_unstable();
    let turned: Vec<[u32; 2]> = edges.iter().rev().map(|&[u, v]| [v, u]).collect();
    let mut listed = GraphPopulation::new(&table, &states, sorted.clone(), 4).unwrap();
    let mut as_written = GraphPopulation::new(&table, &states, edges.clone(), 4).unwrap();
    let (mut one, mut other) = (in_order(&edges).unwrap(), in_order(&turned).unwrap());
    assert!(one.edges().eq(sorted) && as_written.edges().eq(edges.iter().copied()));
    for population in [&mut listed, &mut as_written, &mut one, &mut other] {
        population.run_to(20_000);
    }
    assert!(one.save() == listed.save() && other.save() == listed.save());
    assert!(as_written.save() != listed.save(), "other numbers of edges are another run");
    // Earlier runs on a graph do not affect a population that starts on it later.
    let mut again = one.restarted(&states, 4).unwrap();
    assert_eq!(again.interactions(), 0);
    again.run_to(20_000);
    assert!(again.save() == one.save());
    let mut another = one.restarted(&states, 5).unwrap();
    another.run_to(20_000);
    assert!(another.save() != one.save());
    assert_eq!(one.restarted(&states[1..], 4).unwrap_err(), SizeError::WrongSize { agents: 999 });
    for wrong in [&[][..], &[[3, 3]], &[[0, 1], [1, 1000]], &[[u32::MAX, 0]]] {
        assert_eq!(in_order(wrong).unwrap_err(), SizeError::WrongEdges);
    }
}

#[test]
fn a_torus_is_begun_again_in_strips_too() {
    let table = Table::compile(&ApproximateMajority).unwrap();
    for (rows, columns) in [(6, 5), (2048, 2048)] {
        let shape = TorusShape::Torus { rows, columns };
        let states: Vec<u16> = (0..rows * columns).map(|agent| (agent % 2) as u16).collect();
        let mut first = GraphPopulation::on_torus(&table, &states, shape, 3).unwrap();
        first.run_to(u64::from(rows * columns));
        let mut again = first.restarted(&states, 3).unwrap();
        again.run_to(u64::from(rows * columns));
        assert!(again.counts() == first.counts() && again.edges().len() as u64 == shape.edge_count());
        assert!((0..rows * columns).all(|agent| again.state(agent) == first.state(agent)));
    }
}
