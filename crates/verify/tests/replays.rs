//! The minimal counterexamples of the specification, stored as replays in `testdata/replays/`.
//!
//! F1, F2 and F3 fail under the published rules and pass under the repaired ones; F4 and F5 behave the same under
//! both. `ACRASIN_BLESS=1` writes the files again from the traces in this file.

use std::path::PathBuf;

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::Anomaly;
use acrasin_runtime::exclusion::local::{Action, Local, Message, Priority, Rules, State};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::Sequential;
use acrasin_runtime::{
    Demand, LockOnly, LockSetRequest, LockSetRule, NodeId, Port, PortSet, Seeded, Setup, Step, StepOf,
    Timing, Topology, Violation, World,
};
use acrasin_runtime::{Event, Observer};
use acrasin_verify::replay::{Header, ReplayEnd, ReplayReader, ReplayWriter, replay};

type Lme = World<Local, LockOnly>;

const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;

/// A step with the priority drawn in it.
type Drawn = (StepOf<Local>, Vec<u32>);

fn lock(node: u32) -> Drawn {
    (Step::Lock { node: NodeId(node), claim: LockSetRequest::Neighbourhood }, vec![])
}
fn unlock(node: u32) -> Drawn {
    (Step::Unlock { node: NodeId(node) }, vec![])
}
fn act(node: u32, action: Action) -> Drawn {
    (Step::Act { node: NodeId(node), action }, vec![])
}
fn start(node: u32, priority: u32) -> Drawn {
    (Step::Act { node: NodeId(node), action: Action::CheckStart }, vec![priority])
}
fn recv(node: u32, message: Message, port: u16) -> Drawn {
    (Step::Receive { node: NodeId(node), port: Port(port), message }, vec![])
}
fn disconnect(node: u32, port: u16) -> Drawn {
    (Step::Disconnect { node: NodeId(node), port: Port(port) }, vec![])
}
fn connect(a: u32, a_port: u16, b: u32, b_port: u16) -> Drawn {
    (Step::Connect { a: NodeId(a), a_port: Port(a_port), b: NodeId(b), b_port: Port(b_port) }, vec![])
}

const REQUEST: Message = Message::RequestLock(Priority(0));
const WON: Message = Message::Win(true);

/// `node`, a neighbour of b, locks alone and wins at itself and at b; CheckWin is enabled. b's port to it is `at_b`.
fn wins(node: u32, at_b: u16) -> Vec<Drawn> {
    vec![
        lock(node),
        recv(node, Message::Prepare, 0),
        recv(node, Message::Ready, 0),
        recv(B, Message::Prepare, at_b),
        recv(node, Message::Ready, 1),
        start(node, 0),
        recv(node, REQUEST, 0),
        act(node, Action::CheckPriorities),
        recv(node, WON, 0),
        recv(B, REQUEST, at_b),
        act(B, Action::CheckPriorities),
        recv(node, WON, 1),
    ]
}

/// As [`wins`], then the node has set its own lock and b's; b's ack-lock is in transit.
fn sets_locks(node: u32, at_b: u16) -> Vec<Drawn> {
    with(
        wins(node, at_b),
        [
            act(node, Action::CheckWin),
            recv(node, Message::SetLock, 0),
            recv(node, Message::AckLock, 0),
            recv(B, Message::SetLock, at_b),
        ],
    )
}

/// As [`sets_locks`], then the ack-lock has arrived; CheckDone is enabled, and Lock would return.
fn is_about_to_return(node: u32, at_b: u16) -> Vec<Drawn> {
    with(sets_locks(node, at_b), [recv(node, Message::AckLock, 1)])
}

fn with(mut steps: Vec<Drawn>, more: impl IntoIterator<Item = Drawn>) -> Vec<Drawn> {
    steps.extend(more);
    steps
}

/// A counterexample: a path, the nodes that lock once, and the steps.
struct Counterexample {
    name: &'static str,
    note: &'static str,
    nodes: u32,
    callers: &'static [u32],
    /// The number of steps in the specification.
    length: usize,
    steps: Vec<Drawn>,
    outcome: &'static str,
}

fn counterexamples() -> Vec<Counterexample> {
    vec![
        Counterexample {
            name: "f1-crossing-late-requests",
            note: "F1: two contenders on one edge; each waits for the other's second request",
            nodes: 2,
            callers: &[A, B],
            length: 20,
            steps: vec![
                lock(A),
                recv(A, Message::Prepare, 0),
                recv(A, Message::Ready, 0),
                lock(B),
                recv(A, Message::Prepare, 1),
                recv(B, Message::Prepare, 0),
                recv(B, Message::Ready, 0),
                recv(B, Message::Prepare, 1),
                recv(A, Message::Ready, 1),
                start(A, 0),
                recv(A, REQUEST, 0),
                act(A, Action::CheckPriorities),
                recv(A, WON, 0),
                recv(B, Message::Ready, 1),
                start(B, 0),
                recv(A, REQUEST, 1),
                recv(B, REQUEST, 0),
                act(B, Action::CheckPriorities),
                recv(B, WON, 0),
                recv(B, REQUEST, 1),
            ],
            outcome: DEADLOCK,
        },
        Counterexample {
            name: "f2-disconnect-in-win",
            note: "F2: in state win with phase bot a disconnection is never processed",
            nodes: 2,
            callers: &[A],
            length: 17,
            steps: with(sets_locks(A, 1), [disconnect(A, 1)]),
            outcome: DEADLOCK,
        },
        Counterexample {
            name: "f3-ignored-call-dead",
            note: "F3: an ignored Lock swallows the detector's report; a waits for b forever",
            nodes: 2,
            callers: &[A],
            length: 5,
            steps: vec![
                lock(A),
                disconnect(A, 1),
                lock(A),
                recv(A, Message::Prepare, 0),
                recv(A, Message::Ready, 0),
            ],
            outcome: DEADLOCK,
        },
        Counterexample {
            name: "f3-wrong-lock-set",
            note: "F3: an ignored Lock swallows the detector's report; Lock returns a neighbour that has left",
            nodes: 2,
            callers: &[A],
            length: 20,
            steps: with(is_about_to_return(A, 1), [disconnect(A, 1), lock(A), act(A, Action::CheckDone)]),
            outcome: VIOLATED,
        },
        Counterexample {
            name: "f3-foreign-release",
            note: "F3: an ignored Lock swallows the detector's report; release-lock leaves over the next edge",
            nodes: 2,
            callers: &[A],
            length: 23,
            steps: with(
                is_about_to_return(A, 1),
                [
                    act(A, Action::CheckDone),
                    disconnect(A, 1),
                    lock(A),
                    connect(A, 1, B, 1),
                    unlock(A),
                    recv(B, Message::ReleaseLock, 1),
                ],
            ),
            outcome: VIOLATED,
        },
        Counterexample {
            name: "f3-mutual-exclusion",
            note: "F3: an ignored Lock swallows the detector's report; a sets b's lock while c holds b",
            nodes: 3,
            callers: &[A, C],
            length: 35,
            steps: [
                with(wins(A, 1), [disconnect(A, 1), lock(A)]),
                with(is_about_to_return(C, 2), [act(C, Action::CheckDone)]),
                vec![connect(A, 1, B, 1), act(A, Action::CheckWin), recv(B, Message::SetLock, 1)],
            ]
            .concat(),
            outcome: VIOLATED,
        },
        Counterexample {
            name: "f4-two-sends-one-port",
            note: "F4: CleanUp sends ready and InitLock sends prepare, both on port 2 of b",
            nodes: 3,
            callers: &[A, B, C],
            length: 11,
            steps: vec![
                lock(A),
                recv(A, Message::Prepare, 0),
                recv(A, Message::Ready, 0),
                recv(B, Message::Prepare, 1),
                recv(A, Message::Ready, 1),
                start(A, 0),
                recv(B, REQUEST, 1),
                lock(C),
                recv(B, Message::Prepare, 2),
                disconnect(A, 1),
                lock(B),
            ],
            outcome: STOPPED,
        },
        Counterexample {
            name: "f5-stale-pointer",
            note: "F5: b's lock names a port that has been reused; a does not hold b",
            nodes: 2,
            callers: &[A],
            length: 19,
            steps: with(
                wins(A, 1),
                [
                    act(A, Action::CheckWin),
                    recv(A, Message::SetLock, 0),
                    recv(B, Message::SetLock, 1),
                    disconnect(A, 1),
                    connect(A, 1, B, 1),
                    recv(A, Message::AckLock, 0),
                    act(A, Action::CheckDone),
                ],
            ),
            outcome: STOPPED,
        },
    ]
}

const DEADLOCK: &str = "deadlock: no action is enabled";
const VIOLATED: &str = "a promise of the lock layer is broken";
const STOPPED: &str = "stopped";

const WITHOUT_R3: Rules = Rules { clean_up_ignored_calls: false, ..Rules::REPAIRED };

impl Counterexample {
    fn world(&self, rules: Rules) -> Lme {
        let edges: Vec<(u32, u32)> = (1..self.nodes).map(|node| (node - 1, node)).collect();
        let ports = if self.nodes == 2 { 1 } else { 2 };
        let once = |node| Demand::Times(u32::from(self.callers.contains(&node)));
        World::new(Setup {
            exclusion: Local::new(ports).with_rules(rules).with_priorities(2).unwrap(),
            section: LockOnly,
            topology: Topology::from_edges(self.nodes, ports, &edges).unwrap(),
            states: (0..self.nodes).map(once).collect(),
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        })
    }

    /// The scenario of the run, with the published rules.
    fn scenario(&self) -> String {
        let Self { nodes, callers, .. } = self;
        format!(
            "Scenario(topology: Path(nodes: {nodes}), lock: (rules: Published, priorities: 2), \
             scheduler: Sequential, work: Locks(each: 1, callers: {callers:?}))"
        )
    }

    fn path(&self) -> PathBuf {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/replays");
        PathBuf::from(folder).join(format!("{}.jsonl", self.name))
    }

    fn file(&self) -> Vec<u8> {
        let mut world = self.world(Rules::PUBLISHED);
        let header = Header::new(0, self.scenario()).with_note(self.note);
        let mut writer = ReplayWriter::new(Vec::new(), &header).unwrap();
        for (step, picks) in &self.steps {
            world
                .apply(step, &mut Scripted::new(picks), &mut ())
                .unwrap_or_else(|error| panic!("{step}: {error}"));
            writer.step(step, picks).unwrap();
        }
        writer.end(&ReplayEnd::of(&world, self.outcome)).unwrap()
    }

    /// Runs the file under these rules.
    fn run(&self, rules: Rules) -> Lme {
        let mut world = self.world(rules);
        for (step, picks) in &self.steps {
            let mut script = Scripted::new(picks);
            world
                .apply(step, &mut script, &mut ())
                .unwrap_or_else(|error| panic!("{}: {step}: {error}", self.name));
            assert_eq!(script.fault(), None);
        }
        world
    }

    /// Takes the same steps as far as they are enabled, then random enabled steps until none is left. Returns false
    /// if a Lock stays outstanding or a promise is broken.
    fn passes(&self, rules: Rules, seed: u64) -> bool {
        let mut world = self.world(rules);
        for (step, picks) in &self.steps {
            // Steps are refused without effect if the repaired rules have acted differently before.
            let _ = world.apply(step, &mut Scripted::new(picks), &mut ());
        }
        let mut run = Execution::new(world, Box::new(Sequential::new()));
        let mut choices = Seeded::new(seed);
        for _ in 0..100_000 {
            match run.advance(&mut choices, &mut ()) {
                Advance::Advanced | Advance::Held => {}
                Advance::Violated => return false,
                Advance::Quiescent => {
                    let world = run.world();
                    let satisfied = world.states().iter().all(|&demand| demand == Demand::Times(0));
                    return world.outstanding() == 0 && satisfied && world.violation().is_none();
                }
            }
        }
        panic!("{} does not come to an end", self.name);
    }
}

/// Whether no node can act although a Lock is outstanding.
fn is_dead(world: &Lme) -> bool {
    world.active().is_empty() && world.outstanding() > 0
}

fn failures() -> impl Iterator<Item = Counterexample> {
    counterexamples().into_iter().filter(|example| example.outcome != STOPPED)
}

#[test]
fn the_files_are_the_traces() {
    for example in counterexamples() {
        assert_eq!(example.steps.len(), example.length, "{}", example.name);
        let expected = example.file();
        if std::env::var_os("ACRASIN_BLESS").is_some() {
            std::fs::write(example.path(), &expected).unwrap();
        }
        let found = std::fs::read(example.path()).unwrap();
        assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(&expected), "{}", example.name);
    }
}

#[test]
fn the_files_replay_to_their_end() {
    for example in counterexamples() {
        let reader = acrasin_verify::replay::open(&example.path()).unwrap();
        let mut reader = ReplayReader::open(example.name, reader).unwrap();
        assert_eq!(reader.header().scenario, example.scenario());
        let mut world = example.world(Rules::PUBLISHED);
        let end = replay(&mut world, &mut reader, &mut ()).unwrap();
        assert_eq!((end.steps, &*end.outcome), (example.length as u64, example.outcome));
        assert_eq!(end.violation.is_some(), example.outcome == VIOLATED);
    }
}

#[test]
fn f1_f2_f3_fail_under_the_published_rules() {
    for example in failures() {
        let world = example.run(Rules::PUBLISHED);
        assert_eq!(is_dead(&world), example.outcome == DEADLOCK, "{}: {world:?}", example.name);
        assert_eq!(world.violation().is_some(), example.outcome == VIOLATED, "{}", example.name);
        // One step earlier nothing is wrong yet: the traces are minimal. In `f3-foreign-release` the section already
        // contains a foreign node when Unlock is called; the release that follows is its point.
        let last = if example.name == "f3-foreign-release" { 2 } else { 1 };
        let mut before = example.world(Rules::PUBLISHED);
        for (step, picks) in &example.steps[..example.length - last] {
            before.apply(step, &mut Scripted::new(picks), &mut ()).unwrap();
        }
        assert!(!is_dead(&before) && before.violation().is_none(), "{}", example.name);
        for seed in 0..20 {
            assert!(!example.passes(Rules::PUBLISHED, seed), "{}", example.name);
        }
    }
}

#[test]
fn f1_f2_f3_pass_under_the_repaired_rules() {
    for example in failures() {
        for seed in 0..200 {
            assert!(example.passes(Rules::REPAIRED, seed), "{}, seed {seed}", example.name);
        }
    }
}

#[test]
fn each_fault_needs_its_own_repair() {
    let without_r1 = Rules { reject_late_requests: false, ..Rules::REPAIRED };
    let without_r2 = Rules { clean_up_always: false, ..Rules::REPAIRED };
    for example in failures() {
        let (rules, others) = match &example.name[..2] {
            "f1" => (without_r1, [without_r2, WITHOUT_R3]),
            "f2" => (without_r2, [without_r1, WITHOUT_R3]),
            _ => (WITHOUT_R3, [without_r1, without_r2]),
        };
        // Not dead immediately: with R2 a neighbour may still clean up.
        assert!(!example.passes(rules, 1), "{}", example.name);
        for others in others {
            assert!(example.passes(others, 1), "{} with {others:?}", example.name);
        }
    }
}

#[test]
fn the_ends_are_those_of_the_specification() {
    let ports = |ports: &[u16]| ports.iter().map(|&port| Port(port)).collect::<PortSet>();
    for example in counterexamples() {
        let world = example.run(Rules::PUBLISHED);
        let memory = |node| world.memory(NodeId(node));
        match example.name {
            "f1-crossing-late-requests" => {
                let dead = "lock=bot state=compete phase=compete L={0,1} C={0,1} W={(0,true)} P={(1,0)}";
                assert_eq!([A, B].map(|node| format!("{:?}", memory(node))), [dead, dead]);
            }
            "f2-disconnect-in-win" => {
                assert_eq!(format!("{:?}", memory(A)), "lock=0 state=win phase=bot L={0,1} R={0}");
                assert_eq!(*world.topology().detector(NodeId(A)), ports(&[1]));
            }
            "f3-ignored-call-dead" => {
                assert_eq!(
                    (memory(A).state, memory(A).lock_set()),
                    (State::Prepare, ports(&[0, 1]).as_ports())
                );
                assert!(world.topology().detector(NodeId(A)).is_empty());
            }
            "f3-wrong-lock-set" => {
                let (returned, persistent) = (ports(&[0, 1]), ports(&[0]));
                let wrong = Violation::WrongLockSet { node: NodeId(A), returned, persistent };
                assert_eq!(world.violation(), Some(&wrong));
            }
            "f3-foreign-release" => {
                let stranger = Violation::StrangerInSection { node: NodeId(A), port: Port(1) };
                assert_eq!(world.violation(), Some(&stranger));
                let (mut again, mut seen) = (example.world(Rules::PUBLISHED), ForeignReleases(Vec::new()));
                for (step, picks) in &example.steps {
                    assert_eq!(seen.0, []);
                    again.apply(step, &mut Scripted::new(picks), &mut seen).unwrap();
                }
                assert_eq!(seen.0, [NodeId(B)]);
            }
            "f3-mutual-exclusion" => {
                let changed = Violation::HeldNodeChangedLock { node: NodeId(B), holder: NodeId(C) };
                assert_eq!(world.violation(), Some(&changed));
                assert_eq!((memory(B).lock, memory(C).state), (Some(Port(1)), State::Locked));
            }
            "f4-two-sends-one-port" => {
                let from_b = world.in_transit(NodeId(C)).iter().filter(|one| one.port == Port(1));
                let mut sent: Vec<Message> = from_b.map(|one| one.message).collect();
                sent.sort_unstable();
                assert_eq!(sent, [Message::Prepare, Message::Ready]);
                assert_eq!(world.violation(), None);
            }
            "f5-stale-pointer" => {
                // Formally b is in the lock set of a, though a returned only itself.
                assert_eq!((memory(A).state, memory(A).lock_set()), (State::Locked, ports(&[0]).as_ports()));
                assert_eq!(memory(B).lock, Some(Port(1)));
                assert_eq!(*world.topology().detector(NodeId(B)), ports(&[1]));
                assert_eq!((world.violation(), world.held()), (None, 1));
            }
            other => panic!("{other} has no expectation"),
        }
    }
}

/// The receivers of release-lock from nodes that do not own their lock.
struct ForeignReleases(Vec<NodeId>);

impl Observer<Local, LockOnly> for ForeignReleases {
    fn event(&mut self, event: &Event<'_, Local, LockOnly>) {
        if let Event::Anomaly { node, anomaly: Anomaly::ForeignRelease } = *event {
            self.0.push(node);
        }
    }
}
