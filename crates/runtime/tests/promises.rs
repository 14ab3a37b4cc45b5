//! The promises of the lock layer under every scheduler and adversary, on graphs that change. For each promise
//! an algorithm that is wrong on purpose breaks it, and is caught.

use acrasin_runtime::Port;
use acrasin_runtime::choice::{Recorded, Scripted};
use acrasin_runtime::exclusion::local::{Action, Local, LockNote, Memory, Message, SelfMessages, State};
use acrasin_runtime::exclusion::{ActionEffects, Input, Mutant, Mutation};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::{
    Activation, Asynchronous, NewestFirst, RandomPriorities, RoundRobin, Scheduler, SemiSynchronous,
    Sequential, Starve, Turns, WeaklyFair,
};
use acrasin_runtime::topology::dynamics::{Churn, Swizzle};
use acrasin_runtime::world::Violation;
use acrasin_runtime::{
    Choices, Demand, Digest, Exclusion, FixedProbability, LockOnly, LockSetRule, NodeId, Observer, Seeded,
    Setup, StepOf, Timing, Topology, World,
};

type LocalScheduler = Box<dyn Scheduler<Local, LockOnly>>;

/// Every scheduler with the fairness bound that it needs, in turns.
fn schedulers() -> Vec<(&'static str, LocalScheduler, Option<u64>)> {
    let half = FixedProbability::HALF;
    vec![
        ("sequential", Box::new(Sequential::new()), None),
        ("round robin", Box::new(RoundRobin::new()), Some(2_000)),
        ("semi-synchronous", Box::new(SemiSynchronous::new(Activation::Random(half))), None),
        ("synchronous", Box::new(SemiSynchronous::new(Activation::All)), Some(200)),
        ("all but one", Box::new(SemiSynchronous::new(Activation::AllBut(NodeId(1)))), Some(40)),
        ("newest in rounds", Box::new(SemiSynchronous::new(Activation::Newest)), Some(40)),
        ("asynchronous", Box::new(Asynchronous::new()), None),
        ("asynchronous, bounded", Box::new(Asynchronous::new()), Some(500)),
        ("newest first", Box::new(NewestFirst::new()), Some(500)),
        ("starve", Box::new(Starve::new(NodeId(0))), Some(500)),
        ("random priorities", Box::new(RandomPriorities::new(4, 1_000)), Some(500)),
    ]
}

fn graphs() -> Vec<(u32, Vec<(u32, u32)>)> {
    vec![
        (2, vec![(0, 1)]),
        (3, vec![(0, 1), (1, 2), (0, 2)]),
        (5, vec![(0, 1), (0, 2), (0, 3), (0, 4)]),
        (6, vec![(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 3)]),
    ]
}

fn world(
    (nodes, edges): &(u32, Vec<(u32, u32)>),
    timing: Timing,
    lock_set: LockSetRule,
    self_messages: SelfMessages,
    demand: Demand,
) -> World<Local, LockOnly> {
    let ports = 4;
    World::new(Setup {
        exclusion: Local::new(ports).with_self_messages(self_messages),
        section: LockOnly,
        topology: Topology::from_edges(*nodes, ports, edges).unwrap(),
        states: vec![demand; *nodes as usize],
        lock_set,
        timing,
    })
}

fn served(world: &World<Local, LockOnly>) -> bool {
    world.outstanding() == 0 && world.states().iter().all(|&demand| demand == Demand::Times(0))
}

/// Checks every memory and message against the paper's bounds, and that bit strings decode to the memories.
struct Sizes;

impl Observer<Local, LockOnly> for Sizes {
    fn round(&mut self, world: &World<Local, LockOnly>, _rounds: u64) {
        let (ports, priorities) = (world.topology().ports(), world.exclusion().priorities());
        let log = |count: u32| (count - 1).ilog2() as usize + 1;
        for node in world.topology().nodes() {
            let memory = world.memory(node);
            let bits = memory.encode(ports, priorities);
            let bound = (usize::from(ports) + 1) * (8 + log(priorities)) + 5 + log(u32::from(ports) + 2);
            assert!(bits.len() <= bound, "a memory of {} bits; O(Δ) bound {bound}", bits.len());
            let decoded = Memory::decode(&bits, ports, priorities).expect("its own encoding");
            assert_eq!(&decoded, memory);
            for envelope in world.in_transit(node) {
                let bits = envelope.message.encode(priorities);
                assert!(bits.len() <= 3 + log(priorities));
                assert_eq!(Message::decode(&bits, priorities), Some(envelope.message));
            }
            // R1 keeps one pair per port in P and W; the codec relies on it.
            let ports: Vec<_> = memory.priorities.iter().map(|(port, _)| port).collect();
            assert!(ports.windows(2).all(|pair| pair[0] != pair[1]));
            assert!(memory.won().is_disjoint(memory.lost()));
        }
    }
}

#[test]
fn every_request_is_served_and_no_promise_broken_whatever_the_adversaries_do() {
    for graph in &graphs() {
        for (lock_set, self_messages) in [
            (LockSetRule::Neighbourhood, SelfMessages::Sent),
            (LockSetRule::Pair, SelfMessages::Sent),
            (LockSetRule::Neighbourhood, SelfMessages::InMemory),
        ] {
            for churn in [0.0, 0.02] {
                for (name, scheduler, bound) in schedulers() {
                    let world = world(graph, scheduler.timing(), lock_set, self_messages, Demand::Times(4));
                    let stepwise = scheduler.turns() == Turns::Steps;
                    let rate = FixedProbability::new(churn).unwrap();
                    let dynamics = Churn::new(world.topology(), rate, stepwise);
                    let mut run = Execution::new(world, scheduler)
                        .with_dynamics(Box::new(dynamics))
                        .with_dynamics(Box::new(Swizzle::new(if churn > 0.0 { 2 } else { 0 }, 300)));
                    if let Some(bound) = bound {
                        run = run.with_fairness(WeaklyFair::with_bound(bound));
                    }
                    let mut choices = Seeded::new(u64::from(graph.0));
                    let mut turns = 0;
                    while !served(run.world()) {
                        let progress = run.advance(&mut choices, &mut Sizes);
                        let at = format!("{name}, {} nodes, churn {churn}, {lock_set:?}", graph.0);
                        assert_eq!(run.world().check(), Ok(()), "{at}");
                        assert_ne!(progress, Advance::Violated, "{at}");
                        turns += 1;
                        assert!(turns < 400_000, "{at}: not served\n{:?}", run.world());
                    }
                    assert_eq!((run.world().holders(), run.world().held()), (0, 0));
                    if let Some(fairness) = run.fairness() {
                        // Items due together are forced one after the other: at most as many as can be enabled
                        // at once.
                        let items = u64::from(graph.0) * 8 + 4 * graph.1.len() as u64;
                        assert!(
                            fairness.longest() <= fairness.bound() + items,
                            "{name}: {}",
                            fairness.longest()
                        );
                    }
                }
            }
        }
    }
}

/// Never activates node 0.
struct Unfair(Starve<Action>);

impl Scheduler<Local, LockOnly> for Unfair {
    fn plan(
        &mut self,
        world: &World<Local, LockOnly>,
        choices: &mut dyn Choices,
        turn: &mut Vec<StepOf<Local>>,
    ) {
        if world.active().iter().any(|&node| node != NodeId(0)) {
            self.0.plan(world, choices, turn);
        }
    }
    fn turns(&self) -> Turns {
        Turns::Steps
    }
}

#[test]
fn the_bound_makes_an_unfair_scheduler_fair_and_without_it_a_node_starves() {
    let graph = (3, vec![(0, 1), (1, 2), (0, 2)]);
    let start = || {
        let world =
            world(&graph, Timing::AtOnce, LockSetRule::Neighbourhood, SelfMessages::Sent, Demand::Times(1));
        Execution::new(world, Box::new(Unfair(Starve::new(NodeId(0)))))
    };
    let turns = |mut run: Execution<Local, LockOnly>| {
        let mut choices = Seeded::new(1);
        (0..50_000).find(|_| {
            run.advance(&mut choices, &mut ());
            served(run.world())
        })
    };
    assert_eq!(turns(start()), None);
    assert!(turns(start().with_fairness(WeaklyFair::with_bound(100))).is_some());
}

#[test]
fn one_seed_one_digest_also_when_recorded_scripted_or_watched() {
    for index in 0..schedulers().len() {
        let graph = &graphs()[3];
        let run = |choices: &mut dyn Choices, watch: bool| -> Digest {
            let (_, scheduler, bound) = schedulers().remove(index);
            let world = world(
                graph,
                scheduler.timing(),
                LockSetRule::Neighbourhood,
                SelfMessages::Sent,
                Demand::Forever,
            );
            let stepwise = scheduler.turns() == Turns::Steps;
            let churn = Churn::new(world.topology(), FixedProbability::new(0.01).unwrap(), stepwise);
            let mut run = Execution::new(world, scheduler).with_dynamics(Box::new(churn));
            if let Some(bound) = bound {
                run = run.with_fairness(WeaklyFair::with_bound(bound));
            }
            for _ in 0..2_000 {
                if watch {
                    run.advance(choices, &mut Sizes);
                } else {
                    run.advance(choices, &mut ());
                }
            }
            run.world().digest()
        };
        let plain = run(&mut Seeded::new(9), false);
        let mut recorded = Recorded::new(Seeded::new(9));
        assert_eq!(run(&mut recorded, true), plain);
        let picks = recorded.take();
        let mut script = Scripted::new(&picks);
        assert_eq!(run(&mut script, false), plain);
        assert_eq!(script.fault(), None);
        assert_ne!(run(&mut Seeded::new(10), false), plain);
    }
}

/// Catches a digest that asks for time once per fixed number of nodes: a node of a dense graph has thousands of links
/// and messages.
#[test]
fn a_digest_asks_for_time_as_often_as_links_and_messages_need() {
    const NODES: u32 = 600;
    let edges: Vec<_> = (0..NODES).flat_map(|a| (a + 1..NODES).map(move |b| (a, b))).collect();
    let world = World::new(Setup {
        exclusion: Local::new(NODES as u16 - 1),
        section: LockOnly,
        topology: Topology::from_edges(NODES, NODES as u16 - 1, &edges).unwrap(),
        states: vec![Demand::Times(1); NODES as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    let mut execution = Execution::new(world, Box::new(SemiSynchronous::new(Activation::All)));
    // The links of a node take 8 bytes each. The messages of the first round double that at least.
    let expected = |rounds: u32| (1 + rounds) * NODES * (NODES - 1) * 8 / (1 << 18);
    for rounds in [0, 1] {
        let mut asked = 0;
        let digest = execution.world().digest_while(|| {
            asked += 1;
            true
        });
        assert_eq!(digest, Some(execution.world().digest()));
        assert!(asked >= expected(rounds), "asked {asked} times after {rounds} rounds");
        let mut left = asked - 1;
        let given_up = execution.world().digest_while(|| {
            left -= 1;
            left > 0
        });
        assert_eq!(given_up, None);
        execution.advance(&mut Seeded::new(1), &mut ());
    }
}

#[test]
fn golden_digests() {
    let digest = |index: usize| {
        let (_, scheduler, _) = schedulers().remove(index);
        let world = world(
            &graphs()[3],
            scheduler.timing(),
            LockSetRule::Neighbourhood,
            SelfMessages::Sent,
            Demand::Forever,
        );
        let mut run = Execution::new(world, scheduler);
        let mut choices = Seeded::new(2022);
        for _ in 0..1_000 {
            run.advance(&mut choices, &mut ());
        }
        run.world().digest().to_string()
    };
    // Changes of the draws, of the order of events or of the digest fail here.
    assert_eq!(
        [digest(0), digest(2), digest(6)],
        [
            "39f3eaa03c09e576e7a75b4597b0df0b",
            "8cef5a34072bdf070402277c3786fd98",
            "f46646b2b3252145516964c956b81291",
        ]
    );
}

/// Local mutual exclusion with one fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// No fault: the control.
    None,
    /// Every message leaves twice.
    SendsTwice,
    /// Every trial is won without a comparison.
    SkipsCompetition,
    /// Lock returns too few ports.
    ReturnsTooFew,
    /// A participant acknowledges without setting its lock.
    DoesNotSetLock,
    /// A holder frees itself, but not its lock set, when another node applies.
    ForgetsLock,
}

impl Mutation<Local> for Fault {
    fn execute(
        &self,
        local: &Local,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, LockNote>,
    ) {
        local.execute(memory, action, input, choices, effects);
        match self {
            Fault::SendsTwice => effects.sends.extend_from_within(..),
            Fault::SkipsCompetition => {
                for (_, message) in &mut effects.sends {
                    if let Message::Win(won) = message {
                        *won = true;
                    }
                }
            }
            Fault::ReturnsTooFew => {
                if let Some(granted) = &mut effects.granted {
                    granted.remove(Port(1));
                }
            }
            Fault::DoesNotSetLock if action == Action::ReceiveSetLock => memory.lock = None,
            Fault::ForgetsLock if action == Action::ReceivePrepare && memory.state == State::Locked => {
                memory.lock = None;
            }
            _ => {}
        }
    }
}

#[test]
fn every_promise_is_broken_and_caught_by_an_algorithm_that_is_wrong_on_purpose() {
    let violations = |fault: Fault| -> Vec<Violation> {
        let mut found = Vec::new();
        for seed in 0..40 {
            let (nodes, edges) = graphs().swap_remove(1);
            let world = World::new(Setup {
                exclusion: Mutant::new(Local::new(2), fault),
                section: LockOnly,
                topology: Topology::from_edges(nodes, 2, &edges).unwrap(),
                states: vec![Demand::Forever; nodes as usize],
                lock_set: LockSetRule::Neighbourhood,
                timing: Timing::AtOnce,
            });
            let mut run = Execution::new(world, Box::new(Sequential::new()));
            let mut choices = Seeded::new(seed);
            for _ in 0..3_000 {
                if run.advance(&mut choices, &mut ()) != Advance::Advanced {
                    break;
                }
            }
            found.extend(run.world().violation().cloned());
        }
        found
    };
    assert_eq!(violations(Fault::None), []);
    let caught = |fault, expected: fn(&Violation) -> bool| {
        let violations = violations(fault);
        assert!(violations.iter().any(expected), "{fault:?}: {violations:?}");
    };
    caught(Fault::SendsTwice, |v| matches!(v, Violation::TooManyMessages { .. }));
    caught(Fault::SkipsCompetition, |v| {
        matches!(
            v,
            Violation::CommonNode { .. }
                | Violation::MemberNotLocked { .. }
                | Violation::HeldNodeChangedLock { .. }
        )
    });
    caught(Fault::ReturnsTooFew, |v| matches!(v, Violation::WrongLockSet { .. }));
    caught(Fault::DoesNotSetLock, |v| matches!(v, Violation::MemberNotLocked { .. }));
    caught(Fault::ForgetsLock, |v| matches!(v, Violation::HeldNodeChangedLock { .. }));
}

#[test]
fn a_star_with_4095_leaves_locks_at_the_centre_and_at_a_leaf() {
    let edges: Vec<(u32, u32)> = (1..=4095).map(|leaf| (0, leaf)).collect();
    let mut states = vec![Demand::Times(0); 4096];
    (states[0], states[4095]) = (Demand::Times(1), Demand::Times(1));
    let world = World::new(Setup {
        exclusion: Local::new(4095),
        section: LockOnly,
        topology: Topology::from_edges(4096, 4095, &edges).unwrap(),
        states,
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    assert_eq!(world.exclusion().priorities(), 4095 * 4095 + 1);
    let mut run = Execution::new(world, Box::new(SemiSynchronous::new(Activation::All)));
    let mut choices = Seeded::new(1);
    let mut largest = 0;
    while run.advance(&mut choices, &mut ()) == Advance::Advanced {
        largest = largest.max(run.world().held());
    }
    assert_eq!(run.world().check(), Ok(()));
    assert!(served(run.world()));
    assert_eq!(largest, 4096);
}
