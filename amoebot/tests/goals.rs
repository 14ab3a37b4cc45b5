//! Tests that a system without the amoebot or object to which a goal refers does not reach the goal.

use std::collections::BTreeSet;

use acrasin_amoebot::algorithm::description::{AnyDescription, Description, Placement};
use acrasin_amoebot::algorithm::erased::AnyMemory;
use acrasin_amoebot::library::catalogue::AlgorithmCatalogue;
use acrasin_amoebot::library::entry::{AlgorithmEntry, ChosenAlgorithm};
use acrasin_amoebot::library::parameter::{ParameterValue, Values};
use acrasin_amoebot::library::{boundary, forest, forest_walk, token_election};
use acrasin_amoebot::run::concurrent::{Concurrent, TryLocks};
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::simultaneous::{Concurrency, Rounds};
use acrasin_amoebot::run::tiles::Tiles;
use acrasin_amoebot::{
    Amoebot, AmoebotId, AmoebotPort, Body, Boundary, Cell, Direction, Forest, ForestWalk, Orientation,
    System, TokenElection, start,
};
use acrasin_runtime::Seeded;

/// An entry with valid parameters; sources and crashed amoebots are at these positions.
fn made(entry: &AlgorithmEntry, positions: Option<&[u64]>) -> ChosenAlgorithm {
    let (count, list) =
        (ParameterValue::Count, |given: &[u64]| ParameterValue::Counts(positions.unwrap_or(given).to_vec()));
    let values = Values::default();
    let values = match entry.name {
        "BasicShape" => values.with("form", ParameterValue::Word("Line")),
        "ForestWalk" => values.with("path", ParameterValue::Text("12".into())),
        "BinaryCounter" => {
            values.with("operations", ParameterValue::Steps(vec![("Increment", 3), ("TestZero", 1)]))
        }
        "EnergySharing" => {
            let rates = values.with("capacity", count(4)).with("transfer", count(1)).with("demand", count(2));
            rates.with("sources", list(&[0]))
        }
        "EnergyDistribution" => {
            let hexagon = values.with("algorithm", ParameterValue::Word("Hexagon"));
            hexagon.with("capacity", count(2)).with("demand", count(1)).with("sources", list(&[0]))
        }
        "ForestRepair" => values.with("crashed", list(&[11])),
        "LocalCompression" => values.with("lambda", ParameterValue::Positive(4.0)),
        _ => values,
    };
    entry.make(&values).unwrap_or_else(|error| panic!("{}: {error}", entry.name))
}

/// Calls `check` for every entry of the catalogue in which amoebots act.
fn each_description(
    positions: Option<&[u64]>,
    mut check: impl FnMut(&str, &ChosenAlgorithm, &AnyDescription<'_>),
) {
    let catalogue = AlgorithmCatalogue::shipped();
    // The parameters of chains belong to the chains.
    let entries = catalogue.entries().iter().filter(|entry| !CHAINS.contains(&entry.name));
    for entry in entries {
        let chosen = made(entry, positions);
        check(entry.name, &chosen, &chosen.any().expect("amoebots act"));
    }
}

const CHAINS: [&str; 5] = ["Compression", "Bridging", "Separation", "Phototaxis", "Foraging"];

fn placement(cells: usize, object: Vec<Cell>) -> Placement {
    let row = (0..cells).map(|x| Cell::new(x as i32, 0).unwrap()).collect();
    Placement { cells: row, object, ..Placement::default() }
}

/// The object of an algorithm that needs one: its surface is longer than the amoebots can cover, or they can surround
/// it.
fn beside(name: &str, chosen: &ChosenAlgorithm) -> Vec<Cell> {
    let cells = match name {
        _ if !chosen.needs().object => 0,
        "Coating" => 12,
        _ => 2,
    };
    (0..cells).map(|x| Cell::new(x, -1).unwrap()).collect()
}

fn ended(description: &AnyDescription<'_>, system: System<AnyMemory>) -> System<AnyMemory> {
    let mut run = SequentialExecution::new(description.algorithm(), system);
    assert!(run.run(1_000_000, &mut UniformEnabled, &mut Seeded::new(5)));
    run.system().clone()
}

/// The names of the states that exactly one amoebot has at the end of a run.
const ALONE: [&str; 5] = ["seed", "root", "leader", "leader that learns", "leader that builds"];

#[test]
fn without_its_one_root_seed_or_leader_no_goal_is_reached() {
    let mut examined = BTreeSet::new();
    each_description(None, |name, chosen, description| {
        if !chosen.needs().terminates {
            return;
        }
        let start = description.start(&placement(12, beside(name, chosen)));
        let end = ended(description, start.unwrap_or_else(|error| panic!("{name}: {error}")));
        assert!(description.is_finished(&end), "{name}");
        let of_state = |id: &AmoebotId| description.facts().states[description.state(end.memory(*id))];
        for id in end.ids().filter(|id| ALONE.contains(&of_state(id))) {
            // It has the memory of another amoebot instead.
            for other in end.ids().filter(|other| of_state(other) != of_state(&id)) {
                let mut without = end.clone();
                without.write(id, None, end.memory(other).clone()).unwrap();
                assert!(!description.is_finished(&without), "{name}: {id} as {other}");
                examined.insert(name.to_owned());
            }
        }
    });
    let examined: Vec<&str> = examined.iter().map(String::as_str).collect();
    let expected = [
        "BasicShape",
        "CoinElection",
        "ConvexHull",
        "EnergyDistribution",
        "Erosion",
        "Forest",
        "ForestRepair",
        "ForestWalk",
        "Hexagon",
        "HoleElimination",
        "TokenElection",
        "UniversalCoating",
    ];
    assert_eq!(examined, expected);
}

/// A single amoebot, and a start without the required object or amoebot, are refused; otherwise the run ends in
/// a goal that has its one root, seed or leader.
#[test]
fn degenerate_starts_are_refused_or_reach_what_the_goal_says() {
    let mut refused = BTreeSet::new();
    each_description(Some(&[]), |name, chosen, description| {
        for (what, placement) in [
            ("no amoebot", placement(0, beside(name, chosen))),
            ("one amoebot", placement(1, beside(name, chosen))),
            ("an empty object", placement(2, Vec::new())),
            ("a seed that is not there", Placement { seed: 7, ..placement(2, beside(name, chosen)) }),
        ] {
            let start = match description.start(&placement) {
                Ok(start) => start,
                Err(reason) => {
                    assert!(!reason.is_empty());
                    refused.insert(format!("{name}: {what}"));
                    continue;
                }
            };
            if !chosen.needs().terminates {
                continue;
            }
            let end = ended(description, start);
            if !description.is_finished(&end) {
                continue;
            }
            let states: Vec<&str> =
                end.ids().map(|id| description.facts().states[description.state(end.memory(id))]).collect();
            let can_be_alone = description.facts().states.iter().any(|state| ALONE.contains(state));
            let alone = states.iter().filter(|state| ALONE.contains(state)).count();
            // Every amoebot that coats the object is a leader at the end of Coating; UniversalCoating may have
            // none.
            let has_one = !["Coating", "UniversalCoating"].contains(&name);
            assert!(alone == 1 || !can_be_alone || !has_one, "{name}, {what}: {states:?}");
            assert!(!chosen.needs().object || !end.object().is_empty(), "{name}: {what}");
        }
    });
    for needed in [
        "Hexagon: a seed that is not there",
        "BasicShape: a seed that is not there",
        "HoleElimination: a seed that is not there",
        "Forest: a seed that is not there",
        "ForestWalk: a seed that is not there",
        "ForestRepair: a seed that is not there",
        "ChiralityAgreement: a seed that is not there",
        "ConvexHull: a seed that is not there",
        "Coating: an empty object",
        "UniversalCoating: an empty object",
        "ConvexHull: an empty object",
        "EnergySharing: one amoebot",
        "EnergyDistribution: one amoebot",
    ] {
        assert!(refused.contains(needed), "{needed} is accepted: {refused:?}");
    }
    let none = refused.iter().filter(|refusal| refusal.ends_with("no amoebot")).count();
    assert_eq!(none, AlgorithmCatalogue::shipped().entries().len() - CHAINS.len());
}

/// In one round an idle amoebot follows the root, and the root hands its role over to that amoebot. The later write
/// wins, and no root is left.
#[test]
fn a_walk_whose_root_is_lost_in_a_round_has_not_reached_its_goal() {
    let walk = ForestWalk::new(&[1]).unwrap();
    let cells = start::line(Cell::ORIGIN, Direction::East, 2).unwrap();
    let mut rounds =
        Rounds::new(&walk, walk.start(&cells, AmoebotId(0), &[]).unwrap(), Concurrency::Synchronous);
    assert!(rounds.run(100, &mut Seeded::new(1)));
    assert_eq!(ForestWalk::root(rounds.system()), None);
    assert!(!walk.is_finished(rounds.system()));
}

fn contracted<M>(memories: impl IntoIterator<Item = M>) -> System<M> {
    let at = |(x, memory)| Amoebot {
        body: Body::contracted(Cell::new(x, 0).unwrap()),
        orientation: Orientation::COMMON,
        memory,
    };
    System::new((0..).zip(memories).map(at).collect()).unwrap()
}

#[test]
fn a_circle_of_followers_is_no_tree() {
    let follower = |label| forest::Memory::Follower { parent: AmoebotPort::head(label) };
    // East is port 1, west port 4.
    assert!(Forest::is_finished(&contracted([forest::Memory::Root, follower(4)])));
    assert!(!Forest::is_finished(&contracted([follower(1), follower(4)])));
    assert!(!Forest::is_finished(&contracted([forest::Memory::Root, follower(1), follower(4)])));
    let walker = |label| forest_walk::Memory::Follower { parent: AmoebotPort::head(label) };
    let walk = ForestWalk::new(&[]).unwrap();
    assert!(!walk.is_finished(&contracted([walker(1), walker(4)])));
}

/// Wrong final systems: each agent knows a side or is a last candidate, but the side is wrong.
#[test]
fn a_wrong_side_is_not_the_goal_of_a_boundary() {
    let ring: Vec<Cell> = Cell::ORIGIN.neighbours().collect();
    let mut run = SequentialExecution::new(&Boundary, Boundary::start(&ring, &[]).unwrap());
    assert!(run.run(1_000_000, &mut UniformEnabled, &mut Seeded::new(1)));
    assert!(Boundary::is_finished(run.system()));
    let mut inside_out = run.system().clone();
    for (id, port, agent) in Boundary::agents(run.system()) {
        let knowledge = match agent.knowledge {
            boundary::Knowledge::Outer => boundary::Knowledge::Inner,
            _ => boundary::Knowledge::Outer,
        };
        let mut memory = *inside_out.memory(id);
        memory.0[usize::from(port.label()) - 1] = boundary::BoundaryAgent { knowledge, ..agent };
        inside_out.write(id, None, memory).unwrap();
    }
    assert!(!Boundary::is_finished(&inside_out));

    let mut run = SequentialExecution::new(&TokenElection, TokenElection::start(&ring, &[]).unwrap());
    assert!(run.run(1_000_000, &mut UniformEnabled, &mut Seeded::new(1)));
    assert!(TokenElection::is_finished(run.system()));
    let mut without = run.system().clone();
    let is_leader = |agent: &token_election::TokenAgent| {
        agent.role == token_election::AgentRole::Candidate(token_election::CandidateState::Leader)
    };
    for id in TokenElection::leaders(run.system()) {
        let mut memory = *without.memory(id);
        for agent in memory.0.iter_mut().filter(|agent| is_leader(agent)) {
            agent.role = token_election::AgentRole::Candidate(token_election::CandidateState::Inner);
        }
        without.write(id, None, memory).unwrap();
    }
    assert!(!TokenElection::is_finished(&without), "no leader is left");
}

/// At the corners of the lattice amoebots have fewer ports. A run ends, reaches its limit, or names the action that
/// leads to no node. Debug builds check promises during the run.
#[test]
fn every_algorithm_runs_at_the_limit_of_the_lattice() {
    let max = Cell::COORDINATE_MAX;
    let corners = [(max, max), (max, -max), (-max, max), (-max, -max), (max, 0), (0, -max)];
    let mut failed = BTreeSet::new();
    each_description(None, |name, chosen, description| {
        for (x, y) in corners {
            // Rows of six from the corner inwards, with the object in the rows behind them.
            let at = |along: i32, row: i32| {
                let (dx, dy) = (if x > 0 { -along } else { along }, if y > 0 { -row } else { row });
                Cell::new(x + dx, y + dy).unwrap()
            };
            let cells = |rows: std::ops::Range<i32>, count: i32| -> Vec<Cell> {
                rows.flat_map(|row| (0..count).map(move |along| at(along, row))).collect()
            };
            let object = if chosen.needs().object { cells(2..3, 30) } else { Vec::new() };
            let placement = Placement { cells: cells(0..2, 6), object, ..Placement::default() };
            // Erosion requires no holes, counters a chain: some refuse, with a reason.
            let Ok(start) = description.start(&placement) else { continue };
            let mut tell = |error: Option<&acrasin_amoebot::FailedAction>| {
                failed.extend(error.map(|error| {
                    assert!(error.to_string().contains("port"), "{name}: {error}");
                    name.to_owned()
                }));
            };
            let algorithm = description.algorithm();
            let mut run = SequentialExecution::new(algorithm, start.clone());
            run.run(20_000, &mut UniformEnabled, &mut Seeded::new(1));
            tell(run.failed());
            for concurrency in [Concurrency::Synchronous, Concurrency::Isolated(2)] {
                let mut run = Rounds::new(algorithm, start.clone(), concurrency);
                run.run(300, &mut Seeded::new(1));
                if concurrency != Concurrency::Synchronous {
                    tell(run.failed());
                }
            }
            let mut run = Concurrent::new(algorithm, start.clone(), TryLocks::new(start.len()));
            run.run(100_000, &mut UniformEnabled, &mut Seeded::new(1));
            tell(run.failed());
            let mut run = Waves::new(algorithm, start.clone(), 1);
            run.run(2_000);
            tell(run.failed());
            let mut run = Tiles::new(algorithm, start.clone(), 1);
            run.run(2_000);
            tell(run.failed());
        }
    });
    // Hexagons and lines have no room there.
    assert!(failed.contains("Hexagon") && failed.contains("BasicShape"), "{failed:?}");
}
