//! Population protocols under local mutual exclusion.

use acrasin_protocols::library::{Averaging, ExactMajority, GraphMajority};
use acrasin_protocols::{Interactions, LockedInteraction, Protocol, Table, Way};
use acrasin_runtime::choice::{FixedProbability, Seeded};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::{Activation, Asynchronous, Scheduler, SemiSynchronous, Sequential, Turns};
use acrasin_runtime::topology::dynamics::Churn;
use acrasin_runtime::{Event, NodeId, Observer, Port, Setup, Status, Step, Topology, World};

type Locked = Interactions<Table>;

const WAYS: [Way; 3] = [Way::AnyLocked, Way::PickedPair, Way::Group];

fn schedulers() -> Vec<Box<dyn Scheduler<Local, Locked>>> {
    vec![
        Box::new(Sequential::new()),
        Box::new(SemiSynchronous::new(Activation::Random(FixedProbability::HALF))),
        Box::new(Asynchronous::new()),
    ]
}

fn ring(n: u32) -> Vec<(u32, u32)> {
    let mut edges: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
    edges.push((0, n / 2));
    edges
}

fn execution(
    table: Table,
    way: Way,
    states: Vec<u16>,
    edges: &[(u32, u32)],
    scheduler: Box<dyn Scheduler<Local, Locked>>,
) -> Execution<Local, Locked> {
    let world = World::new(Setup {
        exclusion: Local::new(4),
        section: Interactions::new(table, way),
        topology: Topology::from_edges(states.len() as u32, 4, edges).unwrap(),
        states,
        lock_set: way.lock_set(),
        timing: scheduler.timing(),
    });
    Execution::new(world, scheduler)
}

/// Counts by state, updated from the outcomes of the sections.
struct Counts {
    by_state: Vec<i64>,
    interactions: u64,
    without_partner: u64,
    largest_group: usize,
}

impl Counts {
    fn of(states: &[u16], kinds: u16) -> Self {
        let mut by_state = vec![0; usize::from(kinds)];
        for &state in states {
            by_state[usize::from(state)] += 1;
        }
        Self { by_state, interactions: 0, without_partner: 0, largest_group: 0 }
    }
}

impl Observer<Local, Locked> for Counts {
    fn event(&mut self, event: &Event<'_, Local, Locked>) {
        if let Event::Entered { outcome, .. } = event {
            outcome.for_each_member(|before, after| {
                self.by_state[usize::from(before)] -= 1;
                self.by_state[usize::from(after)] += 1;
            });
            self.interactions += outcome.count();
            self.without_partner += u64::from(**outcome == LockedInteraction::NoPartner);
            if let LockedInteraction::Group { members } = outcome {
                self.largest_group = self.largest_group.max(members.len());
            }
        }
    }
}

#[test]
fn counts_follow_the_sections_and_conserved_sums_stay_under_churn_in_every_way() {
    for way in WAYS {
        for scheduler in schedulers() {
            let table = Table::compile(&Averaging::new(100).unwrap()).unwrap();
            let states: Vec<u16> = (0..8).map(|i| i * 13 % 101).collect();
            let sum: u32 = states.iter().map(|&state| u32::from(state)).sum();
            let mut counts = Counts::of(&states, table.state_count());
            let stepwise = scheduler.turns() == Turns::Steps;
            let run = execution(table, way, states, &ring(8), scheduler);
            let churn = Churn::new(run.world().topology(), FixedProbability::new(0.01).unwrap(), stepwise);
            let mut run = run.with_dynamics(Box::new(churn));
            let mut choices = Seeded::new(4);
            while counts.interactions < 500 {
                assert_eq!(run.advance(&mut choices, &mut counts), Advance::Advanced);
            }
            let states = run.world().states();
            assert_eq!(states.iter().map(|&state| u32::from(state)).sum::<u32>(), sum);
            assert_eq!(counts.by_state, Counts::of(states, 101).by_state);
            assert!(states.iter().max().unwrap() - states.iter().min().unwrap() <= 4, "{way:?}: {states:?}");
            assert_eq!(counts.largest_group > 2, way == Way::Group);
        }
    }
}

#[test]
fn a_node_whose_neighbours_have_all_left_interacts_with_no_agent_and_unlocks() {
    for way in WAYS {
        let table = Table::compile(&Averaging::new(10).unwrap()).unwrap();
        let mut run = execution(table, way, vec![0, 10], &[(0, 1)], Box::new(Sequential::new()));
        let mut counts = Counts::of(&[0, 10], 11);
        let mut choices = Seeded::new(7);
        while run.world().status(NodeId(0)) != Status::Waiting {
            run.advance(&mut choices, &mut counts);
        }
        let before = (run.world().states().to_vec(), counts.interactions);
        let step = Step::Disconnect { node: NodeId(0), port: Port(1) };
        run.apply(&step, &mut choices, &mut counts).unwrap();
        while run.advance(&mut choices, &mut counts) == Advance::Advanced {}
        // Locks under way end without an interaction. Then no agent wants to lock, because none has a neighbour.
        assert_eq!((run.world().states().to_vec(), counts.interactions), before);
        assert!(counts.without_partner >= 1);
        assert_eq!((run.world().outstanding(), run.world().held()), (0, 0));
    }
}

#[test]
fn exact_majority_is_exact_under_locks() {
    for way in [Way::AnyLocked, Way::PickedPair] {
        for seed in 0..6 {
            // The four-state protocol for cliques, and the one with walking tokens for any graph.
            let complete: Vec<(u32, u32)> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
            let ring: Vec<(u32, u32)> = (0..9).map(|i| (i, (i + 1) % 9)).collect();
            let clique = Table::compile(&ExactMajority).unwrap();
            let graph = Table::compile(&GraphMajority).unwrap();
            for (table, nodes, edges) in [(clique, 5_u32, complete), (graph, 9, ring)] {
                let (a, b) = (table.state("A").unwrap(), table.state("B").unwrap());
                let states = (0..nodes).map(|i| if i <= nodes / 2 { a } else { b }).collect();
                let answer = table.output(a);
                let mut run = execution(table.clone(), way, states, &edges, Box::new(Sequential::new()));
                let mut choices = Seeded::new(seed);
                let agree = |world: &World<Local, Locked>| {
                    world.states().iter().all(|&state| table.output(state) == answer)
                };
                let steps = (0..2_000_000).find(|_| {
                    run.advance(&mut choices, &mut ());
                    agree(run.world())
                });
                assert!(steps.is_some(), "{way:?}: {:?}", run.world().states());
                assert_eq!(run.world().check(), Ok(()));
            }
        }
    }
}

/// A protocol that changes nothing, so an agent's state identifies it.
#[derive(Clone, Debug)]
struct Names;

impl Protocol for Names {
    type State = u16;
    type Output = u16;
    fn transition(&self, initiator: u16, responder: u16) -> (u16, u16) {
        (initiator, responder)
    }
    fn output(&self, state: u16) -> u16 {
        state
    }
}

/// The number of times that agent 0 met each other agent.
struct Met([u64; 4]);

impl Observer<Local, Interactions<Names>> for Met {
    fn event(&mut self, event: &Event<'_, Local, Interactions<Names>>) {
        if let Event::Entered { outcome: LockedInteraction::Pair { before: [0, other], .. }, .. } = event {
            self.0[usize::from(*other) - 1] += 1;
        }
    }
}

fn chi_square_of_uniform(counts: &[u64; 4]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / 4.0;
    counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum()
}

#[test]
fn partners_are_uniform_in_both_pair_ways() {
    // The 99.9 % quantile of chi-square with 3 degrees of freedom.
    const LIMIT: f64 = 16.27;
    for way in [Way::AnyLocked, Way::PickedPair] {
        let scheduler = Box::new(Sequential::new());
        let edges: Vec<(u32, u32)> = (1..5).map(|leaf| (0, leaf)).collect();
        let mut run = Execution::new(
            World::new(Setup {
                exclusion: Local::new(4),
                section: Interactions::new(Names, way),
                topology: Topology::from_edges(5, 4, &edges).unwrap(),
                states: (0..5).collect(),
                lock_set: way.lock_set(),
                timing: acrasin_runtime::Timing::AtOnce,
            }),
            scheduler,
        );
        let (mut met, mut choices) = (Met([0; 4]), Seeded::new(8));
        while met.0.iter().sum::<u64>() < 4_000 {
            run.advance(&mut choices, &mut met);
        }
        assert!(chi_square_of_uniform(&met.0) < LIMIT, "{way:?}: {:?}", met.0);
        // One partner in ten too many for one neighbour must be noticed.
        let mut biased = met.0;
        biased[0] += 400;
        assert!(chi_square_of_uniform(&biased) > LIMIT, "{biased:?}");
    }
}
