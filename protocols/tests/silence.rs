//! Detection of silence, against a search over all pairs, edges or tuples of agents.

use acrasin_protocols::lazy::{Discovery, LazyPopulation};
use acrasin_protocols::network::{Constructor, Network};
use acrasin_protocols::tuple::{TuplePopulation, TupleRule, TupleTable};
use acrasin_protocols::uniform::{
    self, Arc, Condition as _, ContactChange, ContactLaw, Contacts, EncounterPopulation, GraphPopulation,
    InitiatorEnd, MatchedGraph, MatchedPopulation, RunBound, Silent, TorusShape,
};
use acrasin_protocols::{FiniteProtocol, Protocol, Table};
use acrasin_runtime::choice::{Choices as _, Decision, Seeded};
use acrasin_runtime::node::NodeId;

const STATES: u8 = 3;

/// A number below a bound.
fn below(choices: &mut Seeded, bound: u32) -> usize {
    choices.pick(bound.try_into().unwrap(), Decision::Initial) as usize
}

/// Random transitions, most of which change nothing.
struct Small(Vec<(u8, u8)>);

impl Small {
    fn drawn(choices: &mut Seeded) -> Self {
        let pair = |pair: u8| {
            let same = (pair / STATES, pair % STATES);
            let mut one = || below(choices, STATES.into()) as u8;
            let other = (one(), one());
            if below(choices, 4) == 0 { other } else { same }
        };
        Self((0..STATES * STATES).map(pair).collect())
    }
}

impl Protocol for Small {
    type State = u8;
    type Output = u8;

    fn transition(&self, initiator: u8, responder: u8) -> (u8, u8) {
        self.0[usize::from(initiator * STATES + responder)]
    }

    fn output(&self, state: u8) -> u8 {
        state
    }
}

impl FiniteProtocol for Small {
    fn states(&self) -> Vec<u8> {
        (0..STATES).collect()
    }

    fn state_name(&self, state: u8) -> String {
        format!("s{state}")
    }

    fn output_name(&self, output: &u8) -> String {
        format!("o{output}")
    }
}

/// Whether no ordered pair of agents that `may_meet` has a transition.
fn nothing_changes(protocol: &Small, states: &[u8], may_meet: impl Fn(usize, usize) -> bool) -> bool {
    let agents = 0..states.len();
    agents.clone().all(|one| {
        agents.clone().all(|other| {
            let (a, b) = (states[one], states[other]);
            one == other || !may_meet(one, other) || protocol.transition(a, b) == (a, b)
        })
    })
}

#[test]
fn populations_without_a_table_see_silence_as_a_look_at_all_pairs_does() {
    let mut seen = [0; 2];
    for seed in 0..600 {
        let mut choices = Seeded::new(seed);
        let protocol = Small::drawn(&mut choices);
        let agents = 2 + below(&mut choices, 4);
        let start: Vec<u8> = (0..agents).map(|_| below(&mut choices, STATES.into()) as u8).collect();
        let edges: Vec<[usize; 2]> =
            (1..agents).map(|agent| [below(&mut choices, agent as u32), agent]).collect();
        for on_edges in [false, true] {
            let discovery = Discovery::new(&protocol);
            let nodes = edges.iter().map(|edge| edge.map(|end| NodeId(end as u32))).collect();
            let mut population = if on_edges {
                LazyPopulation::on_edges(&discovery, &start, nodes, seed).unwrap()
            } else {
                LazyPopulation::complete(&discovery, &start, seed).unwrap()
            };
            for interactions in 0..30 {
                population.run_to(interactions);
                let states: Vec<u8> = population.states().collect();
                let may_meet =
                    |one, other| !on_edges || edges.contains(&[one, other]) || edges.contains(&[other, one]);
                let is_silent = nothing_changes(&protocol, &states, may_meet);
                assert_eq!(population.is_silent(), is_silent, "seed {seed}: {states:?}");
                seen[usize::from(is_silent)] += 1;
            }
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

/// Random transitions of two agents and their edge.
struct SmallConstructor(Vec<(u8, u8, bool)>);

impl Constructor for SmallConstructor {
    type State = u8;

    fn start(&self) -> u8 {
        0
    }

    fn transition(&self, initiator: u8, responder: u8, is_active: bool) -> (u8, u8, bool) {
        self.0[usize::from(2 * (initiator * STATES + responder) + u8::from(is_active))]
    }
}

#[test]
fn networks_see_silence_as_a_look_at_all_pairs_does() {
    let mut seen = [0; 2];
    for seed in 0..600 {
        let mut choices = Seeded::new(seed);
        let pair = |place: u8| {
            let same = (place / 2 / STATES, place / 2 % STATES, place % 2 == 1);
            let mut one = || below(&mut choices, STATES.into()) as u8;
            let other = (one(), one(), one() == 0);
            if below(&mut choices, 3) == 0 { other } else { same }
        };
        let constructor = SmallConstructor((0..2 * STATES * STATES).map(pair).collect());
        let mut network = Network::new(&constructor, 4, seed).unwrap();
        for interactions in 0..40 {
            network.run_to(interactions);
            let states = network.states();
            let is_silent = (0..4_usize).all(|one| {
                (0..4_usize).filter(|&other| other != one).all(|other| {
                    let is_active = network.links().neighbours(one).any(|neighbour| neighbour == other);
                    let before = (states[one], states[other], is_active);
                    constructor.transition(before.0, before.1, before.2) == before
                })
            });
            assert_eq!(network.is_silent(), is_silent, "seed {seed}");
            seen[usize::from(is_silent)] += 1;
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

/// Edges of weight 0 never interact, and on directed edges only the first end initiates.
#[test]
fn populations_on_edges_see_silence_as_a_look_at_all_edges_does() {
    let mut seen = [0; 2];
    for seed in 0..600 {
        let mut choices = Seeded::new(seed);
        let protocol = Small::drawn(&mut choices);
        let table = Table::compile(&protocol).unwrap();
        let agents = 2 + below(&mut choices, 4);
        let start: Vec<u16> = (0..agents).map(|_| below(&mut choices, STATES.into()) as u16).collect();
        let mut arcs = vec![Arc { ends: [0, 1], weight: 1 }];
        for agent in 1..agents as u32 {
            let other = below(&mut choices, agent) as u32;
            let ends = if below(&mut choices, 2) == 0 { [agent, other] } else { [other, agent] };
            arcs.push(Arc { ends, weight: below(&mut choices, 3) as u64 });
        }
        let small = |states: &[u16]| states.iter().map(|&state| state as u8).collect::<Vec<_>>();
        let mut compare = |found: bool, states: &[u16], may_meet: &dyn Fn(usize, usize) -> bool| {
            let is_silent = nothing_changes(&protocol, &small(states), may_meet);
            assert_eq!(found, is_silent, "seed {seed}: {states:?} {arcs:?}");
            seen[usize::from(is_silent)] += 1;
        };
        let joins = |one: usize, other: usize, least: u64| {
            arcs.iter().any(|arc| arc.weight >= least && arc.ends == [one as u32, other as u32])
        };
        for direction in [InitiatorEnd::Either, InitiatorEnd::FirstInitiates] {
            let mut population =
                EncounterPopulation::on_edges(&table, &start, (arcs.clone(), direction), Vec::new(), seed)
                    .unwrap();
            for interactions in 0..20 {
                population.run(None, &RunBound { interactions, ..RunBound::NONE });
                let may_meet = |one, other| {
                    joins(one, other, 1) || direction == InitiatorEnd::Either && joins(other, one, 1)
                };
                compare(population.is_silent(), population.states(), &may_meet);
            }
        }
        let edges: Vec<[u32; 2]> = arcs.iter().map(|arc| arc.ends).collect();
        let may_meet = |one, other| joins(one, other, 0) || joins(other, one, 0);
        let mut graph = GraphPopulation::new(&table, &start, edges.clone(), seed).unwrap();
        let mut matched = MatchedGraph::new(&table, &start, edges, seed).unwrap();
        for many in 0..20 {
            graph.run_to(many);
            let states: Vec<u16> = (0..agents as u32).map(|agent| graph.state(agent)).collect();
            compare(graph.is_silent(), &states, &may_meet);
            matched.run_to(many);
            compare(matched.is_silent(), matched.states(), &may_meet);
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

#[test]
fn counts_see_silence_as_a_look_at_all_pairs_does() {
    let mut seen = [0; 2];
    for seed in 0..600 {
        let mut choices = Seeded::new(seed);
        let protocol = Small::drawn(&mut choices);
        let table = Table::compile(&protocol).unwrap();
        let silent = Silent::new(&table);
        let counts: Vec<u64> = (0..STATES).map(|_| below(&mut choices, 3) as u64).collect();
        if counts.iter().sum::<u64>() < 2 {
            continue;
        }
        let mut complete = uniform::Population::new(&table, &counts, seed).unwrap();
        let mut matched = MatchedPopulation::new(&table, &counts, seed).unwrap();
        for many in 0..20 {
            complete.run_to(many);
            matched.run_to(many);
            for counts in [complete.counts(), matched.counts()] {
                let each = (0_u8..).zip(counts);
                let states: Vec<u8> =
                    each.flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize)).collect();
                let is_silent = nothing_changes(&protocol, &states, |_, _| true);
                assert_eq!(silent.holds(counts), is_silent, "seed {seed}: {counts:?}");
                seen[usize::from(is_silent)] += 1;
            }
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

#[test]
fn tuples_see_silence_as_a_look_at_all_tuples_does() {
    const NAMES: [&str; 3] = ["A", "B", "C"];
    let mut seen = [0; 2];
    for seed in 0..600 {
        let mut choices = Seeded::new(seed);
        let mut side = || {
            let names: Vec<&str> = (0..3).map(|_| NAMES[below(&mut choices, 3)]).collect();
            names.join(" + ")
        };
        let rule = TupleRule::Ordered(format!("{} -> {}", side(), side()));
        let Ok(table) = TupleTable::new(&NAMES, 3, &[rule]) else { continue };
        let counts: Vec<u64> = (0..3).map(|_| 1 + below(&mut choices, 2) as u64).collect();
        let mut population = TuplePopulation::new(&table, &counts, seed).unwrap();
        for interactions in [0, 5, 40, 200] {
            population.run_to(interactions);
            let each = (0_u16..).zip(population.counts());
            let states: Vec<u16> =
                each.flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize)).collect();
            let agents = 0..states.len();
            let is_silent = agents.clone().all(|i| {
                agents.clone().filter(|&j| j != i).all(|j| {
                    agents.clone().filter(|&k| k != i && k != j).all(|k| {
                        let tuple = [states[i], states[j], states[k]];
                        table.outcome(&tuple).is_none_or(|after| after == tuple)
                    })
                })
            });
            assert_eq!(table.silent().holds(population.counts()), is_silent, "seed {seed}: {states:?}");
            seen[usize::from(is_silent)] += 1;
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

/// In a network this large, a search over all pairs of agents would take too long. The numbers of active edges between
/// states decide instead.
#[test]
fn large_networks_see_silence() {
    // Two agents in state 0 with an active edge both become 1 and keep the edge. The only other rule activates the edge
    // of two agents in state 0.
    let place = |a: u8, b: u8, is_active: bool| usize::from(2 * (a * STATES + b) + u8::from(is_active));
    let null = |place: u8| (place / 2 / STATES, place / 2 % STATES, place % 2 == 1);
    let mut rules: Vec<(u8, u8, bool)> = (0..2 * STATES * STATES).map(null).collect();
    let silent = SmallConstructor(rules.clone());
    let agents = 8000;
    let network = Network::new(&silent, agents, 1).unwrap();
    assert!(network.is_silent());
    rules[place(0, 0, true)] = (1, 1, true);
    let asleep = SmallConstructor(rules.clone());
    assert!(Network::new(&asleep, agents, 1).unwrap().is_silent(), "no edge is active");
    rules[place(0, 0, false)] = (1, 1, true);
    let joining = SmallConstructor(rules);
    let mut network = Network::new(&joining, agents, 1).unwrap();
    assert!(!network.is_silent());
    network.run_to(200 * agents as u64);
    let left = network.states().iter().filter(|&&state| state == 0).count();
    assert_eq!(network.is_silent(), left < 2, "{left} agents are left");
    assert_eq!(network.links().count(), ((agents - left) / 2) as u64);
}

/// Rings and tori store no edges: ends are computed from node numbers.
#[test]
fn tori_see_silence_as_a_look_at_all_edges_does() {
    let mut seen = [0; 2];
    for seed in 0..600 {
        let mut choices = Seeded::new(seed);
        let protocol = Small::drawn(&mut choices);
        let table = Table::compile(&protocol).unwrap();
        let side = |choices: &mut Seeded| 3 + below(choices, 2);
        let (rows, columns) = (side(&mut choices), side(&mut choices));
        let (shape, nodes) = if below(&mut choices, 2) == 0 {
            (TorusShape::Ring { nodes: columns as u32 }, columns)
        } else {
            (TorusShape::Torus { rows: rows as u32, columns: columns as u32 }, rows * columns)
        };
        let is_ring = nodes == columns;
        let next_to = |one: usize, other: usize| {
            let step = |a: usize, b: usize, side: usize| (a + 1) % side == b || (b + 1) % side == a;
            let [(row, column), (other_row, other_column)] =
                [one, other].map(|node| (node / columns, node % columns));
            let along = row == other_row && step(column, other_column, columns);
            along || !is_ring && column == other_column && step(row, other_row, rows)
        };
        let mut start = vec![0_u16; nodes];
        // Often a single node in another state is the only one that could change.
        start[below(&mut choices, nodes as u32)] = below(&mut choices, STATES.into()) as u16;
        start[below(&mut choices, nodes as u32)] = below(&mut choices, STATES.into()) as u16;
        let mut population = GraphPopulation::on_torus(&table, &start, shape, seed).unwrap();
        for interactions in 0..20 {
            population.run_to(interactions);
            let states: Vec<u8> = (0..nodes as u32).map(|node| population.state(node) as u8).collect();
            let is_silent = nothing_changes(&protocol, &states, next_to);
            assert_eq!(population.is_silent(), is_silent, "seed {seed}, {shape:?}: {states:?}");
            seen[usize::from(is_silent)] += 1;
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

/// Later contacts can join any two agents. After the last contact nothing changes any more.
#[test]
fn contacts_see_silence_as_a_look_at_all_pairs_does_until_they_are_over() {
    let (mut seen, mut over) = ([0; 2], 0);
    for seed in 0..600 {
        let mut choices = Seeded::new(seed);
        let protocol = Small::drawn(&mut choices);
        let table = Table::compile(&protocol).unwrap();
        let start: Vec<u16> = (0..4).map(|_| below(&mut choices, STATES.into()) as u16).collect();
        let change = |round, ends, begins| ContactChange { round, ends, begins };
        let changes = vec![change(0, [0, 1], true), change(4, [0, 1], false), change(6, [2, 3], true)];
        let contacts = Contacts { changes, end: 9, law: ContactLaw::OneARound };
        let mut population =
            EncounterPopulation::on_contacts(&table, &start, contacts, Vec::new(), seed).unwrap();
        for rounds in 0..12 {
            population.run(None, &RunBound { rounds, ..RunBound::NONE });
            let states: Vec<u8> = population.states().iter().map(|&state| state as u8).collect();
            if population.rounds() >= 9 {
                assert!(population.is_silent(), "seed {seed}");
                over += 1;
                continue;
            }
            let is_silent = nothing_changes(&protocol, &states, |_, _| true);
            assert_eq!(population.is_silent(), is_silent, "seed {seed}, round {rounds}: {states:?}");
            seen[usize::from(is_silent)] += 1;
        }
    }
    assert!(seen[0] > 500 && seen[1] > 500 && over > 500, "{seen:?}, {over}");
}
