//! The sequential engine against the exact chain, and invariants of its runs.

use acrasin_protocols::analysis::is_settled;
use acrasin_protocols::exact::ExactChain;
use acrasin_protocols::library::{
    ApproximateMajority, ApproximateMajorityOneWay, Averaging, Cyclic, ExactMajority, Fratricide,
    GraphMajority, OneWayEpidemic, Opinion, OpinionToken,
};
use acrasin_protocols::uniform_pairs::PopulationError;
use acrasin_protocols::{Protocol, Rule, Table, TableSpec, UniformPairs};
use acrasin_runtime::choice::{Choices, Decision, Seeded, derived_seed};
use acrasin_runtime::node::NodeId;

use crate::chi_square::{Low, p_value};

/// The smallest p-value that is accepted for a right sampler, which falls below it once in ten thousand tests. Seeds
/// are fixed, so a test that passes always passes.
const ODD: f64 = 1e-4;
/// The largest p-value that is accepted for a wrong sampler.
const IMPOSSIBLE: f64 = 1e-9;

const TRIALS: u64 = 8000;

fn spread_out(counts: &[u32]) -> Vec<u16> {
    let each = counts.iter().zip(0_u16..);
    each.flat_map(|(&count, state)| std::iter::repeat_n(state, count as usize)).collect()
}

fn complete_edges(agents: u32) -> Vec<[NodeId; 2]> {
    (0..agents).flat_map(|u| (u + 1..agents).map(move |v| [NodeId(u), NodeId(v)])).collect()
}

fn ring(agents: u32) -> Vec<[NodeId; 2]> {
    (0..agents).map(|u| [NodeId(u), NodeId((u + 1) % agents)]).collect()
}

fn path(agents: u32) -> Vec<[NodeId; 2]> {
    (1..agents).map(|v| [NodeId(v - 1), NodeId(v)]).collect()
}

/// The frequency of each configuration of the chain after `interactions`.
fn observe<C: Choices>(
    table: &Table,
    chain: &ExactChain,
    interactions: u64,
    on_edges: bool,
    choices: impl Fn(u64) -> C,
) -> Vec<u64> {
    let start = &chain.configurations()[0];
    let agents = start.iter().sum();
    let mut seen = vec![0; chain.configurations().len()];
    for trial in 0..TRIALS {
        let states = spread_out(start);
        let mut population = if on_edges {
            UniformPairs::on_edges(table, states, complete_edges(agents)).unwrap()
        } else {
            UniformPairs::complete(table, states).unwrap()
        };
        population.run(interactions, &mut choices(derived_seed(5, trial)));
        let mut counts = vec![0; start.len()];
        for &state in population.states() {
            counts[usize::from(state)] += 1;
        }
        seen[chain
            .configurations()
            .iter()
            .position(|known| *known == counts)
            .expect("a known configuration")] += 1;
    }
    seen
}

#[test]
fn the_law_of_the_counts_is_that_of_the_chain() {
    let compile = [
        Table::compile(&OneWayEpidemic),
        Table::compile(&Fratricide),
        Table::compile(&ApproximateMajority),
        Table::compile(&ApproximateMajorityOneWay),
        Table::compile(&ExactMajority),
        Table::compile(&Cyclic::ROCK_PAPER_SCISSORS),
    ];
    let starts: [[&[u32]; 2]; 6] = [
        [&[4, 1], &[10, 2]],
        [&[5, 0], &[12, 0]],
        [&[3, 2, 0], &[7, 5, 0]],
        [&[3, 2, 0], &[7, 5, 0]],
        [&[3, 2, 0, 0], &[7, 5, 0, 0]],
        [&[2, 2, 1], &[4, 4, 4]],
    ];
    for (table, starts) in compile.into_iter().map(Result::unwrap).zip(starts) {
        for start in starts {
            let chain = ExactChain::explore(&table, start).unwrap();
            let interactions = 2 * u64::from(start.iter().sum::<u32>());
            let law = chain.distribution_after(interactions);
            for on_edges in [false, true] {
                let right = p_value(&observe(&table, &chain, interactions, on_edges, Seeded::new), &law);
                assert!(right > ODD, "{:?} from {start:?}: p = {right:e}", table.state_names());
                let wrong = p_value(
                    &observe(&table, &chain, interactions, on_edges, |seed| Biased(Seeded::new(seed))),
                    &law,
                );
                assert!(wrong < IMPOSSIBLE, "{:?} from {start:?}: p = {wrong:e}", table.state_names());
            }
        }
    }
}

/// A biased sampler that strongly prefers small numbers, because counts show a bias less than pairs do.
struct Biased(Seeded);

impl Choices for Biased {
    fn pick(&mut self, bound: std::num::NonZeroU32, why: Decision) -> u32 {
        self.0.pick(bound, why).min(self.0.pick(bound, why))
    }
}

fn pairs_seen(agents: usize, edges: Option<Vec<[NodeId; 2]>>, choices: &mut impl Choices) -> Vec<u64> {
    let states = vec![0; agents];
    let averaging = Averaging::new(1).unwrap();
    let mut population = match edges {
        None => UniformPairs::complete(&averaging, states),
        Some(edges) => UniformPairs::on_edges(&averaging, states, edges),
    }
    .unwrap();
    let mut seen = vec![0; agents * agents];
    for _ in 0..60_000 {
        let interaction = population.step(choices);
        seen[interaction.initiator.index() * agents + interaction.responder.index()] += 1;
    }
    seen
}

#[test]
fn ordered_pairs_are_uniform() {
    for agents in [2_usize, 5, 12] {
        let uniform: Vec<f64> = (0..agents * agents)
            .map(
                |cell| {
                    if cell / agents == cell % agents { 0.0 } else { 1.0 / (agents * (agents - 1)) as f64 }
                },
            )
            .collect();
        let on_ring: Vec<f64> = (0..agents * agents)
            .map(|cell| {
                let apart = (cell / agents).abs_diff(cell % agents);
                if apart == 1 || apart == agents - 1 { 0.5 / agents as f64 } else { 0.0 }
            })
            .collect();
        assert!(p_value(&pairs_seen(agents, None, &mut Seeded::new(1)), &uniform) > ODD);
        assert!(p_value(&pairs_seen(agents, None, &mut Low(Seeded::new(1))), &uniform) < IMPOSSIBLE);
        if agents > 2 {
            let ring = || Some(ring(agents as u32));
            assert!(p_value(&pairs_seen(agents, ring(), &mut Seeded::new(2)), &on_ring) > ODD);
            assert!(p_value(&pairs_seen(agents, ring(), &mut Low(Seeded::new(2))), &on_ring) < IMPOSSIBLE);
        }
    }
}

#[test]
fn drawn_outcomes_have_their_weights() {
    let outcomes = vec![(6, "A + B".into()), (2, "B + B".into()), (4, "B + A".into())];
    let table = TableSpec {
        states: vec!["A".into(), "B".into()],
        rules: vec![Rule::SymmetricRandomised("A + B".into(), outcomes)],
        default: Some(acrasin_protocols::Missing::Null),
        ..TableSpec::default()
    }
    .build()
    .unwrap();
    let observe = |choices: &mut dyn Choices, a, b, order: [(u16, u16); 3]| {
        let mut seen = vec![0_u64; 3];
        for _ in 0..20_000 {
            let outcome = table.interact(a, b, choices);
            seen[order.iter().position(|&known| known == outcome).unwrap()] += 1;
        }
        p_value(&seen, &[3.0 / 6.0, 1.0 / 6.0, 2.0 / 6.0])
    };
    let forth = [(0, 1), (1, 1), (1, 0)];
    let back = [(1, 0), (1, 1), (0, 1)];
    assert!(observe(&mut Seeded::new(1), 0, 1, forth) > ODD);
    assert!(observe(&mut Seeded::new(1), 1, 0, back) > ODD);
    assert!(observe(&mut Low(Seeded::new(1)), 0, 1, forth) < IMPOSSIBLE);
    assert!(observe(&mut Seeded::new(1), 0, 1, back) < IMPOSSIBLE);
    // [`Table::transition`](Protocol::transition) draws nothing: it is the outcome of the largest weight.
    assert_eq!(table.transition(0, 1), (0, 1));
}

/// Runs must be the same in every version and on every platform.
#[test]
fn golden_runs() {
    let table = Table::compile(&ApproximateMajority).unwrap();
    let run = |edges: Option<Vec<[NodeId; 2]>>, interactions| {
        let states = spread_out(&[6, 4, 0]);
        let mut population = match edges {
            None => UniformPairs::complete(&table, states),
            Some(edges) => UniformPairs::on_edges(&table, states, edges),
        }
        .unwrap();
        population.run(interactions, &mut Seeded::new(7));
        assert_eq!(population.interactions(), interactions);
        population.states().iter().map(|&state| table.state_name(state)).collect::<String>()
    };
    assert_eq!(run(None, 12), "AAAAUAAAUA");
    assert_eq!(run(Some(ring(10)), 12), "AAAAAAUBBU");
}

fn votes(for_a: usize, for_b: usize) -> Vec<OpinionToken> {
    // Both opinions alternate as far as possible, so that neither is concentrated.
    let mut votes = Vec::new();
    for place in 0..for_a.max(for_b) {
        votes.extend((place < for_a).then_some(OpinionToken::Strong(Opinion::A)));
        votes.extend((place < for_b).then_some(OpinionToken::Strong(Opinion::B)));
    }
    votes
}

fn difference(states: &[OpinionToken]) -> i64 {
    let count =
        |opinion| states.iter().filter(|&&state| state == OpinionToken::Strong(opinion)).count() as i64;
    count(Opinion::A) - count(Opinion::B)
}

#[test]
fn graph_majority_is_right_on_every_connected_graph() {
    for (for_a, for_b) in [(5, 4), (4, 5), (9, 1), (1, 10), (8, 7)] {
        let agents = (for_a + for_b) as u32;
        let right = if for_a > for_b { Opinion::A } else { Opinion::B };
        for edges in [ring(agents), path(agents), complete_edges(agents)] {
            for seed in 0..10 {
                let states = votes(for_a, for_b);
                let mut population = UniformPairs::on_edges(&GraphMajority, states, edges.clone()).unwrap();
                let mut choices = Seeded::new(seed);
                let kept = for_a as i64 - for_b as i64;
                let mut most = 200_000;
                while population.states().iter().any(|state| state.opinion() != right) {
                    population.step(&mut choices);
                    assert_eq!(difference(population.states()), kept);
                    most -= 1;
                    assert!(most > 0, "no agreement with {for_a} against {for_b}, seed {seed}");
                }
                // The result is final: no agent is left that could change it.
                population.run(1000, &mut choices);
                assert!(population.states().iter().all(|state| state.opinion() == right));
            }
        }
    }
}

/// Without swaps, votes on a path do not meet, and a wrong answer can be final. This is why the protocol for graphs
/// swaps.
#[test]
fn exact_majority_that_does_not_walk_is_stuck_on_a_path() {
    let (a, b) = (OpinionToken::Strong(Opinion::A), OpinionToken::Strong(Opinion::B));
    let states = vec![a, OpinionToken::Weak(Opinion::A), OpinionToken::Weak(Opinion::B), b];
    let mut population = UniformPairs::on_edges(&ExactMajority, states.clone(), path(4)).unwrap();
    population.run(1000, &mut Seeded::new(1));
    assert_eq!(population.states(), states);
    let mut walking = UniformPairs::on_edges(&GraphMajority, states, path(4)).unwrap();
    assert!(walking.run_until(10_000, &mut Seeded::new(1), |population| {
        population.states().iter().all(|state| matches!(state, OpinionToken::Weak(_)))
    }));
}

#[test]
fn exact_majority_keeps_the_difference_and_agrees() {
    for seed in 0..20 {
        let mut population = UniformPairs::complete(&ExactMajority, votes(11, 9)).unwrap();
        let mut choices = Seeded::new(seed);
        while population.states().iter().any(|state| state.opinion() == Opinion::B) {
            population.step(&mut choices);
            assert_eq!(difference(population.states()), 2);
            assert!(population.interactions() < 100_000);
        }
    }
}

#[test]
fn averaging_keeps_the_sum_and_evens_out() {
    let averaging = Averaging::new(100).unwrap();
    let table = Table::compile(&averaging).unwrap();
    for agents in [7_u32, 20] {
        for edges in [None, Some(ring(agents)), Some(path(agents))] {
            for seed in 0..5 {
                let states: Vec<u16> =
                    (0..agents).map(|agent| if agent < agents / 2 { 97 } else { 0 }).collect();
                let sum = |states: &[u16]| states.iter().map(|&load| u64::from(load)).sum::<u64>();
                let total = sum(&states);
                let mut population = match edges.clone() {
                    None => UniformPairs::complete(&averaging, states),
                    Some(edges) => UniformPairs::on_edges(&averaging, states, edges),
                }
                .unwrap();
                let spread = |states: &[u16]| states.iter().max().unwrap() - states.iter().min().unwrap();
                let mut choices = Seeded::new(seed);
                while spread(population.states()) > 1 {
                    population.step(&mut choices);
                    assert_eq!(sum(population.states()), total);
                    assert!(population.interactions() < 1_000_000);
                }
                let mut counts = vec![0; 101];
                for &load in population.states() {
                    counts[usize::from(load)] += 1;
                }
                assert!(is_settled(&table, &counts));
                population.run(1000, &mut choices);
                assert!(spread(population.states()) <= 1);
            }
        }
    }
}

#[test]
fn populations_that_make_no_sense_are_errors() {
    let complete =
        |agents: usize| UniformPairs::complete(&Averaging::new(1).unwrap(), vec![0; agents]).map(|_| ());
    assert_eq!(complete(0), Err(PopulationError::WrongSize { agents: 0 }));
    assert_eq!(complete(1), Err(PopulationError::WrongSize { agents: 1 }));
    assert_eq!(complete(2), Ok(()));
    let on_edges = |edges: Vec<[u32; 2]>| {
        let edges = edges.into_iter().map(|edge| edge.map(NodeId)).collect();
        UniformPairs::on_edges(&Averaging::new(1).unwrap(), vec![0; 3], edges).map(|_| ())
    };
    assert_eq!(on_edges(vec![]), Err(PopulationError::WrongEdgeCount { edges: 0 }));
    let bad = |index, u, v| Err(PopulationError::BadEdge { index, edge: [NodeId(u), NodeId(v)], agents: 3 });
    assert_eq!(on_edges(vec![[0, 1], [2, 2]]), bad(1, 2, 2));
    assert_eq!(on_edges(vec![[0, 3]]), bad(0, 0, 3));
    assert_eq!(on_edges(vec![[0, 2]]), Ok(()));
    assert_eq!(
        on_edges(vec![[0, 3]]).unwrap_err().to_string(),
        "edge 0 joins 0 and 3 (accepted: two different agents from 0 to 2)"
    );
}
