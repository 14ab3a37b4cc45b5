//! Compares single actions with the reference: memories bit for bit, messages, detectors, enabled checks and figures.

use acrasin_engine::message::{
    Config, LockConfiguration, MessageNetwork, SingleActions, SingleError, StepRefused,
};
use acrasin_engine::network::PortTable;
use acrasin_engine::reference::Reference;
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::{ActiveNodes, Draws, Figures, Lattice, LatticeKind, Purpose, Wanting};
use acrasin_runtime::choice::{Choices, Decision, FixedProbability};
use acrasin_runtime::exclusion::local::{Action, Local, Message, Priority};
use acrasin_runtime::{
    Demand, LockOnly, LockSetRequest, LockSetRule, NodeId, Port, Seeded, Setup, Step, StepError, StepOf,
    Timing, Topology, World,
};

use super::agreement::config;

const HALF: ActiveNodes<'_> = ActiveNodes::Random(FixedProbability::HALF);

fn same<N: MessageNetwork>(run: &SingleActions<N>, world: &World<Local, LockOnly>) {
    let mut enabled = Vec::new();
    for node in world.topology().nodes() {
        assert_eq!(&run.memory(node), world.memory(node), "{node:?}");
        assert_eq!(&run.detector(node.0), world.topology().detector(node), "{node:?}");
        world.enabled_actions(node, &mut enabled);
        assert_eq!(run.enabled(node), enabled, "{node:?}: {:?}", world.memory(node));
        let mut messages: Vec<_> =
            world.in_transit(node).iter().map(|envelope| (envelope.port, envelope.message)).collect();
        messages.sort_unstable();
        let mut ours = run.in_transit(node);
        ours.sort_unstable();
        assert_eq!(ours, messages, "in transit to {node:?}");
        for port in 1..=run.ports() {
            let link = world.topology().link(node, Port(port));
            assert_eq!(run.link(node.0, port), link.map(|link| (link.peer.0, link.peer_port.get())));
        }
    }
}

fn reference(topology: Topology, config: Config, lock_set: LockSetRule) -> Reference {
    let Config { draws, priorities, wanting, .. } = config;
    match lock_set {
        LockSetRule::Neighbourhood => Reference::new(topology, draws, priorities, wanting),
        LockSetRule::Pair => {
            let states = vec![Demand::Forever; topology.node_count() as usize];
            Reference::with_section(topology, draws, priorities, LockOnly, states, lock_set)
        }
    }
}

fn run_rounds<N: MessageNetwork>(
    network: N,
    topology: Topology,
    config: Config,
    lock_set: LockSetRule,
    rounds: u64,
) -> Figures {
    let mut reference = reference(topology, config, lock_set);
    let mut run = SingleActions::new(network, config, lock_set).unwrap();
    for round in 0..rounds {
        let activation = if round % 50 < 40 { HALF } else { ActiveNodes::All };
        let expected = reference.round_of_single_actions(&activation).unwrap();
        assert_eq!(run.round(&activation), expected, "round {round}");
        same(&run, reference.world());
    }
    run.figures()
}

#[test]
fn rounds_on_lattices() {
    for (kind, priorities) in
        [(LatticeKind::Square, 17), (LatticeKind::Triangular, 64), (LatticeKind::Square, 5000)]
    {
        let torus = Lattice::new(kind, 7, 6).unwrap();
        let topology = torus.topology().unwrap();
        for lock_set in [LockSetRule::Neighbourhood, LockSetRule::Pair] {
            let figures =
                run_rounds(torus, topology.clone(), config(3, priorities, Wanting::Always), lock_set, 3000);
            assert!(figures.grants > 20 && figures.late_rejections > 20, "{figures:?}");
        }
    }
}

#[test]
fn rounds_on_irregular_graphs() {
    let tree: Vec<(u32, u32)> = (1..40).map(|node| ((node - 1) / 3, node)).collect();
    let quarter = FixedProbability::new(0.25).unwrap();
    for (ports, priorities) in [(6, 5), (15, 30)] {
        let topology = Topology::from_edges(43, ports, &tree).unwrap();
        let table = PortTable::new(&topology).unwrap();
        let config = config(3, priorities, Wanting::Chance(quarter));
        let figures = run_rounds(table, topology, config, LockSetRule::Neighbourhood, 2000);
        assert!(figures.grants > 20, "{figures:?}");
    }
}

/// A random step: an offered step, a call that the node would not make, a change of the graph, or an invalid step.
fn random_step(world: &World<Local, LockOnly>, draws: &mut dyn Choices) -> StepOf<Local> {
    let topology = world.topology();
    let mut pick = |bound: u32| draws.pick(bound.try_into().unwrap(), Decision::Topology);
    let node = NodeId(pick(topology.node_count()));
    let port = Port(pick(u32::from(topology.ports()) + 1) as u16);
    match pick(40) {
        0 => Step::Disconnect { node, port },
        1 => {
            let b = NodeId(pick(topology.node_count()));
            Step::Connect {
                a: node,
                a_port: port,
                b,
                b_port: Port(pick(u32::from(topology.ports()) + 1) as u16),
            }
        }
        2 => Step::Lock { node, claim: LockSetRequest::Neighbourhood },
        3 => Step::Lock { node, claim: LockSetRequest::Pair(port) },
        4 => Step::Lock { node, claim: LockSetRequest::Alone },
        5 => Step::Unlock { node },
        6 => Step::Act { node, action: Action::ALL[pick(16) as usize] },
        7 => Step::Receive { node, port, message: Message::RequestLock(Priority(pick(4))) },
        8 => Step::Receive { node, port, message: Message::Win(pick(2) == 0) },
        _ => {
            let mut offered = Vec::new();
            world.offered(&mut offered);
            let index = pick(offered.len().max(1) as u32) as usize;
            offered.get(index).copied().unwrap_or(Step::Lock { node, claim: LockSetRequest::Neighbourhood })
        }
    }
}

#[test]
fn any_steps_with_changes_of_the_graph_and_calls_out_of_turn() {
    let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5)];
    for (seed, ports, priorities) in [(1, 4, 3), (2, 3, 2), (3, 12, 100), (4, 4, 600), (5, 5, 17)] {
        let topology = Topology::from_edges(7, ports, &edges).unwrap();
        let table = PortTable::with_room(&topology).unwrap();
        let config = config(seed, priorities, Wanting::Always);
        let mut run = SingleActions::new(table, config, LockSetRule::Neighbourhood).unwrap();
        let mut world = World::new(Setup {
            exclusion: Local::new(ports).with_priorities(priorities).unwrap(),
            section: LockOnly,
            topology,
            states: vec![Demand::Forever; 7],
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        });
        let mut draws = Draws::new(seed).stream(Purpose::Topology, 0).of_node(0);
        let (mut ours, mut theirs) = (Seeded::new(seed), Seeded::new(seed));
        let (mut taken, mut refused, mut changes) = (0, 0, 0);
        for _ in 0..40_000 {
            let step = random_step(&world, &mut draws);
            let before = run.digest();
            let expected = world.apply(&step, &mut theirs, &mut ());
            match run.apply(&step, &mut ours) {
                Ok(_) => taken += 1,
                Err(error) => {
                    assert_eq!(run.digest(), before, "{step} was refused");
                    assert_eq!(StepRefused::Step(expected.unwrap_err()), error, "{step}");
                    refused += 1;
                    continue;
                }
            }
            assert_eq!(expected, Ok(()), "{step}");
            changes += u32::from(step.actor().is_none());
            same(&run, &world);
            run.check().unwrap();
        }
        assert!(taken > 20_000 && refused > 1000 && changes > 300, "{taken} {refused} {changes}");
        assert!(run.figures().grants > 100, "{:?}", run.figures());
        world.check().unwrap();
    }
}

#[test]
fn rounds_between_changes_of_the_graph() {
    let ring: Vec<(u32, u32)> = (0..30).map(|node| (node, (node + 1) % 30)).collect();
    let topology = Topology::from_edges(30, 5, &ring).unwrap();
    let table = PortTable::with_room(&topology).unwrap();
    let config = config(3, 26, Wanting::Always);
    let mut reference = reference(topology, config, LockSetRule::Neighbourhood);
    let mut run = SingleActions::new(table, config, LockSetRule::Neighbourhood).unwrap();
    let mut draws = Draws::new(4).stream(Purpose::Topology, 0).of_node(0);
    let mut changes = 0;
    for _ in 0..4000 {
        let mut pick = |bound: u32| draws.pick(bound.try_into().unwrap(), Decision::Topology);
        for _ in 0..pick(3) {
            let (a, a_port) = (NodeId(pick(30)), Port(pick(5) as u16 + 1));
            let (b, b_port) = (NodeId(pick(30)), Port(pick(5) as u16 + 1));
            let step = if run.link(a.0, a_port.0).is_some() {
                Step::Disconnect { node: a, port: a_port }
            } else {
                Step::Connect { a, a_port, b, b_port }
            };
            let changed = run.apply(&step, &mut Seeded::new(0)).is_ok();
            assert_eq!(reference.change(&step).is_ok(), changed);
            changes += u32::from(changed);
        }
        let expected = reference.round_of_single_actions(&HALF).unwrap();
        assert_eq!(run.round(&HALF), expected);
        same(&run, reference.world());
    }
    assert!(changes > 1000 && run.figures().grants > 50, "{changes} {:?}", run.figures());
}

#[test]
fn the_same_for_any_number_of_threads() {
    let torus = Lattice::new(LatticeKind::Triangular, 271, 271).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let config = config(1, 64, Wanting::Always);
            let mut run = SingleActions::new(torus, config, LockSetRule::Neighbourhood).unwrap();
            for _ in 0..20 {
                run.round(&HALF);
            }
            (run.digest(), run.figures())
        })
    };
    let expected = run(1);
    for threads in [2, 3, 7] {
        assert_eq!(run(threads), expected, "{threads} threads");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let torus = Lattice::new(LatticeKind::Square, 10, 10).unwrap();
    let limited = |priorities, bytes| {
        let config = Config { memory: MemoryLimit(bytes), ..config(1, priorities, Wanting::Always) };
        SingleActions::new(torus, config, LockSetRule::Neighbourhood)
    };
    assert_eq!(limited(64, 2400).unwrap().bytes(), 2400);
    assert!(matches!(limited(64, 2399), Err(SingleError::TooLarge(_))));
    assert_eq!(limited(1 << 16, 4800).unwrap().bytes(), 4800);
    let error = limited((1 << 16) + 1, u64::MAX).unwrap_err();
    assert_eq!(error, SingleError::TooWide { ports: 4, priorities: 65_537 });
    assert!(error.to_string().contains("at most 16 ports and K = 65536"));
    let mut run = limited(64, 1 << 20).unwrap();
    let no_such_node = run.apply(&Step::Unlock { node: NodeId(100) }, &mut Seeded::new(1)).unwrap_err();
    assert_eq!(no_such_node, StepRefused::Step(StepError::NoSuchNode(NodeId(100))));
    let leave = Step::Leave { node: NodeId(0), port: Port(1), message: Message::Prepare };
    assert_eq!(run.apply(&leave, &mut Seeded::new(1)).unwrap_err(), StepRefused::NothingLeavesLater);
}
