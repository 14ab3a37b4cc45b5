//! A wave has the same result as a [`World`] in which the nodes of its log lock, act and unlock one after another, with
//! all messages.

use acrasin_engine::draw::Purpose;
use acrasin_engine::network::{PortNetwork, PortTable};
use acrasin_engine::waves::{Cost, SectionTask, TaskWaves, WaveScheme};
use acrasin_engine::{Draws, LatticeKind};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::world::LockSetRule;
use acrasin_runtime::{LockSetRequest, NodeId, Seeded, Setup, Status, Step, StepOf, Timing, Topology, World};

use super::graphs;
use super::orders::pool;
use super::sections::Stir;

fn draws() -> Draws {
    Draws::new(23)
}

fn world(topology: &Topology, states: Vec<u64>) -> World<Local, Stir> {
    World::new(Setup {
        exclusion: Local::new(topology.ports()),
        section: Stir,
        topology: topology.clone(),
        states,
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    })
}

/// Executes possible steps, except calls, until `done` returns true.
fn drive(world: &mut World<Local, Stir>, choices: &mut Seeded, done: impl Fn(&World<Local, Stir>) -> bool) {
    let mut offered: Vec<StepOf<Local>> = Vec::new();
    while !done(world) {
        world.offered(&mut offered);
        offered.retain(|step| !matches!(step, Step::Lock { .. } | Step::Unlock { .. }));
        let index = acrasin_runtime::choice::pick_index(
            choices,
            offered.len(),
            acrasin_runtime::choice::Decision::Activation,
        );
        let step = offered[index.expect("something is due until then")];
        world.apply(&step, choices, &mut ()).expect("it was offered");
    }
}

fn check<N: PortNetwork + Clone + Send>(network: &N, topology: &Topology, scheme: WaveScheme) {
    let nodes = network.nodes();
    let mut states: Vec<u64> = (0..u64::from(nodes)).map(acrasin_engine::draw::mix).collect();
    let mut world = world(topology, states.clone());
    let mut choices = Seeded::new(5);
    let mut waves = TaskWaves::new(network.clone(), draws()).with_tiles_of(8).with_hashed_words(5);
    waves = waves.with_scheme(scheme).unwrap().with_cost(Cost::Expensive).with_pool_from(0);
    let pool = pool(2);
    for wave in 0..3 {
        let (_, order) = pool.install(|| waves.logged(wave, &SectionTask(&Stir), &mut states));
        assert!(!order.is_empty());
        for node in order.into_iter().map(NodeId) {
            let lock = Step::Lock { node, claim: LockSetRequest::Neighbourhood };
            world.apply(&lock, &mut choices, &mut ()).unwrap();
            drive(&mut world, &mut choices, |world| world.status(node) == Status::Holding);
            let mut draws = draws().stream(Purpose::Section, wave).of_node(node.0);
            world.apply(&Step::Unlock { node }, &mut draws, &mut ()).unwrap();
            drive(&mut world, &mut choices, |world| world.status(node) == Status::Idle);
        }
        assert_eq!(world.states(), states, "wave {wave}");
        assert_eq!(world.check(), Ok(()));
    }
}

#[test]
fn the_runtime_agrees_on_tori() {
    for (kind, width, height) in
        [(LatticeKind::Square, 5, 9), (LatticeKind::Square, 3, 4), (LatticeKind::Triangular, 4, 8)]
    {
        let torus = graphs::torus(kind, width, height);
        for scheme in [WaveScheme::Auto, WaveScheme::PerNode] {
            check(&torus, &torus.topology().unwrap(), scheme);
        }
    }
}

#[test]
fn the_runtime_agrees_on_other_graphs() {
    let all = [
        graphs::ring(40),
        graphs::path(17),
        graphs::star(9),
        graphs::grid(3, 12),
        graphs::random_regular(30, 2, 6),
        graphs::irregular(40),
        graphs::ring_with_bridges(100),
    ];
    for topology in &all {
        let table = PortTable::new(topology).unwrap();
        for scheme in [WaveScheme::Auto, WaveScheme::Hashed, WaveScheme::PerNode] {
            check(&table, topology, scheme);
        }
    }
}
