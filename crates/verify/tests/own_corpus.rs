//! The corpus in `testdata/`: situations followed by hand along the specification, and random walks.
//!
//! The tests assert the expected results of the situations. The walks only show that nothing has changed since they
//! were written. `ACRASIN_BLESS=1` writes the file again.

use acrasin_runtime::choice::{Decision, Recorded, pick_index};
use acrasin_runtime::exclusion::local::{Action, Local, Message, Priority};
use acrasin_runtime::{
    Demand, LockOnly, LockSetRequest, LockSetRule, NodeId, Port, Seeded, Setup, Step, StepOf, Timing,
    Topology, World,
};
use acrasin_verify::conformance::{self, LocalStart, RuleSetVariant};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/local-mutual-exclusion.jsonl");

type Drawn = (StepOf<Local>, Vec<u32>);

fn lock(node: u32) -> Drawn {
    (Step::Lock { node: NodeId(node), claim: LockSetRequest::Neighbourhood }, vec![])
}
fn pair(node: u32, port: u16) -> Drawn {
    (Step::Lock { node: NodeId(node), claim: LockSetRequest::Pair(Port(port)) }, vec![])
}
fn unlock(node: u32) -> Drawn {
    (Step::Unlock { node: NodeId(node) }, vec![])
}
fn act(node: u32, action: Action) -> Drawn {
    (Step::Act { node: NodeId(node), action }, vec![])
}
fn draw(node: u32, action: Action, priority: u32) -> Drawn {
    (Step::Act { node: NodeId(node), action }, vec![priority])
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

fn request(priority: u32) -> Message {
    Message::RequestLock(Priority(priority))
}

const WON: Message = Message::Win(true);

/// A node locks only itself, 11 steps up to the lock, then unlocks.
fn alone(node: u32) -> Vec<Drawn> {
    vec![
        lock(node),
        recv(node, Message::Prepare, 0),
        recv(node, Message::Ready, 0),
        draw(node, Action::CheckStart, 1),
        recv(node, request(1), 0),
        act(node, Action::CheckPriorities),
        recv(node, WON, 0),
        act(node, Action::CheckWin),
        recv(node, Message::SetLock, 0),
        recv(node, Message::AckLock, 0),
        act(node, Action::CheckDone),
        unlock(node),
        recv(node, Message::ReleaseLock, 0),
        recv(node, Message::AckUnlock, 0),
        act(node, Action::CheckUnlocked),
    ]
}

/// `u` at port `p` locks itself and `v` at port `q`, up to the state in which CheckDone is enabled.
fn locks(u: u32, p: u16, v: u32, q: u16, call: Drawn) -> Vec<Drawn> {
    vec![
        call,
        recv(u, Message::Prepare, 0),
        recv(v, Message::Prepare, q),
        recv(u, Message::Ready, p),
        recv(u, Message::Ready, 0),
        draw(u, Action::CheckStart, 0),
        recv(v, request(0), q),
        act(v, Action::CheckPriorities),
        recv(u, request(0), 0),
        act(u, Action::CheckPriorities),
        recv(u, WON, p),
        recv(u, WON, 0),
        act(u, Action::CheckWin),
        recv(u, Message::SetLock, 0),
        recv(v, Message::SetLock, q),
        recv(u, Message::AckLock, 0),
        recv(u, Message::AckLock, p),
    ]
}

struct Situation {
    start: LocalStart<'static>,
    steps: Vec<Drawn>,
    /// Parts of the line that the specification requires.
    says: &'static [&'static str],
}

const P2: &[(u32, u16, u32, u16)] = &[(0, 1, 1, 1)];

fn start(
    id: &'static str,
    note: &'static str,
    variant: RuleSetVariant,
    nodes: u32,
    ports: u16,
) -> LocalStart<'static> {
    LocalStart { id, note, variant, nodes, ports, priorities: 2, pair: false, edges: P2 }
}

fn with(mut steps: Vec<Drawn>, more: impl IntoIterator<Item = Drawn>) -> Vec<Drawn> {
    steps.extend(more);
    steps
}

fn situations() -> Vec<Situation> {
    let crossing = vec![
        lock(0),
        recv(0, Message::Prepare, 0),
        recv(0, Message::Ready, 0),
        lock(1),
        recv(0, Message::Prepare, 1),
        recv(1, Message::Prepare, 0),
        recv(1, Message::Ready, 0),
        recv(1, Message::Prepare, 1),
        recv(0, Message::Ready, 1),
        draw(0, Action::CheckStart, 0),
        recv(0, request(0), 0),
        act(0, Action::CheckPriorities),
        recv(0, WON, 0),
        recv(1, Message::Ready, 1),
        draw(1, Action::CheckStart, 0),
        recv(0, request(0), 1),
        recv(1, request(0), 0),
        act(1, Action::CheckPriorities),
        recv(1, WON, 0),
        recv(1, request(0), 1),
    ];
    vec![
        Situation {
            start: start("crossing-paper", "specification 3.1: dead", RuleSetVariant::Paper, 2, 1),
            steps: crossing.clone(),
            says: &[
                r#""state":"compete","phase":"compete","L":[0,1],"R":[],"W":[[0,true]],"H":[],"A":[],"C":[0,1],"P":[[1,0]],"D":[]}],"transit":[]"#,
            ],
        },
        Situation {
            start: start(
                "crossing-repaired",
                "R1: late requests are answered at once",
                RuleSetVariant::Repaired,
                2,
                1,
            ),
            steps: with(
                crossing,
                [
                    recv(0, Message::Win(false), 1),
                    draw(0, Action::CheckWin, 1),
                    recv(1, Message::Win(false), 1),
                    draw(1, Action::CheckWin, 1),
                    recv(0, request(1), 0),
                    recv(0, request(1), 1),
                    act(0, Action::CheckPriorities),
                ],
            ),
            says: &[
                r#"["recv",0,1,"request-lock",0],"sends":[[1,"win",false]]"#,
                // A tie: no node has the unique highest priority.
                r#"["act",0,"CheckPriorities"],"sends":[[0,"win",false],[1,"win",false]]"#,
            ],
        },
        Situation {
            start: start(
                "disconnect-in-win",
                "R2: CleanUp in state win, phase bot",
                RuleSetVariant::Repaired,
                2,
                1,
            ),
            steps: {
                let mut steps = locks(0, 1, 1, 1, lock(0));
                steps.truncate(16);
                with(
                    steps,
                    [
                        disconnect(0, 1),
                        act(0, Action::CleanUp),
                        act(0, Action::CheckDone),
                        act(1, Action::CleanUp),
                        unlock(0),
                    ],
                )
            },
            says: &[
                r#"["disconnect",0,1],"D":[[0,[1]],[1,[1]]]"#,
                r#"["act",0,"CleanUp"],"sends":[],"enabled":["CheckDone"]"#,
                r#""returns":[0]"#,
            ],
        },
        Situation {
            start: start("misuse-repaired", "R3: an ignored call cleans up", RuleSetVariant::Repaired, 2, 1),
            steps: with(
                locks(0, 1, 1, 1, lock(0)),
                [
                    unlock(0),
                    disconnect(1, 1),
                    lock(0),
                    unlock(1),
                    act(0, Action::CheckDone),
                    lock(0),
                    connect(0, 1, 1, 1),
                    unlock(0),
                    unlock(0),
                ],
            ),
            says: &[
                r#"["lock",0,null],"sends":[],"misuse":true,"enabled":["CheckDone"],"node":{"lock":0,"state":"win","phase":"bot","L":[0],"#,
                r#"["unlock",1],"sends":[],"misuse":true,"enabled":[],"node":{"lock":null,"#,
            ],
        },
        Situation {
            start: start(
                "misuse-paper",
                "F3: an ignored call swallows the report",
                RuleSetVariant::Paper,
                2,
                1,
            ),
            steps: with(
                locks(0, 1, 1, 1, lock(0)),
                [disconnect(0, 1), lock(0), act(0, Action::CheckDone), unlock(0)],
            ),
            // The release-lock to the departed neighbour is lost.
            says: &[r#""returns":[0,1]"#, r#"["unlock",0],"sends":[[0,"release-lock"]]"#],
        },
        Situation {
            start: LocalStart {
                pair: true,
                edges: &[(0, 1, 1, 1), (1, 2, 2, 1)],
                ..start(
                    "pair-with-the-middle",
                    "only two of three nodes are asked",
                    RuleSetVariant::Repaired,
                    3,
                    2,
                )
            },
            steps: with(
                locks(1, 2, 2, 1, pair(1, 2)),
                [
                    act(1, Action::CheckDone),
                    (Step::Lock { node: NodeId(0), claim: LockSetRequest::Alone }, vec![]),
                ],
            ),
            says: &[
                r#"["lock",1,[0,2]],"sends":[[0,"prepare"],[2,"prepare"]]"#,
                r#""returns":[0,2]"#,
                r#"["lock",0,[0]],"sends":[[0,"prepare"]]"#,
            ],
        },
        Situation {
            start: LocalStart {
                edges: &[(0, 70, 1, 199), (1, 64, 2, 63)],
                priorities: 40_001,
                ..start("ports-above-64", "and a node without edges", RuleSetVariant::Repaired, 4, 200)
            },
            steps: with(
                alone(3),
                with(locks(0, 70, 1, 199, lock(0)), [disconnect(1, 64), act(0, Action::CheckDone), lock(1)]),
            ),
            says: &[
                r#""returns":[0,70]"#,
                r#""D":[[1,[64]],[2,[63]]]"#,
                r#"["lock",1],"sends":[[0,"prepare"],[199,"prepare"]]"#,
            ],
        },
        Situation {
            start: start(
                "port-reused",
                "point 5: the new neighbour's prepare while D is unread",
                RuleSetVariant::Repaired,
                3,
                1,
            ),
            steps: vec![
                lock(0),
                recv(1, Message::Prepare, 1),
                disconnect(0, 1),
                connect(0, 1, 2, 1),
                lock(2),
                recv(0, Message::Prepare, 1),
                lock(1),
            ],
            says: &[
                r#"["recv",0,1,"prepare"],"sends":[[1,"ready"]],"enabled":[],"node":{"lock":null,"state":"prepare","phase":"prepare","L":[0],"R":[],"W":[],"H":[],"A":[1]"#,
            ],
        },
        Situation {
            start: LocalStart {
                edges: &[],
                ..start(
                    "alone-in-memory",
                    "self-messages inside the action",
                    RuleSetVariant::RepairedInMemory,
                    1,
                    0,
                )
            },
            steps: vec![
                lock(0),
                draw(0, Action::CheckStart, 0),
                act(0, Action::CheckPriorities),
                act(0, Action::CheckWin),
                act(0, Action::CheckDone),
                unlock(0),
                act(0, Action::CheckUnlocked),
            ],
            says: &[r#"["lock",0],"sends":[],"enabled":["CheckStart"]"#, r#""transit":[]"#],
        },
        Situation {
            start: start("nothing-happens", "no step at all", RuleSetVariant::Repaired, 2, 1),
            steps: vec![],
            says: &[r#""steps":[]"#],
        },
    ]
}

/// A random walk with changes of the graph and misused calls.
fn walk(start: &LocalStart<'_>, seed: u64, length: usize) -> Vec<Drawn> {
    let LocalStart { variant, nodes, ports, priorities, pair, edges, .. } = *start;
    let mut topology = Topology::new(nodes, ports).unwrap();
    for &(u, p, v, q) in edges {
        topology.connect(NodeId(u), Port(p), NodeId(v), Port(q)).unwrap();
    }
    let mut world = World::new(Setup {
        exclusion: variant.algorithm(ports, priorities).unwrap(),
        section: LockOnly,
        topology,
        states: vec![Demand::Forever; nodes as usize],
        lock_set: if pair { LockSetRule::Pair } else { LockSetRule::Neighbourhood },
        timing: Timing::AtOnce,
    });
    let mut choices = Recorded::new(Seeded::new(seed));
    let (mut steps, mut offered) = (Vec::new(), Vec::new());
    while steps.len() < length {
        let mut pick = |count| pick_index(&mut choices, count, Decision::Action).unwrap();
        let node = NodeId(pick(nodes as usize) as u32);
        let step = match pick(30) {
            0 => world
                .topology()
                .links(node)
                .next()
                .map(|(port, _)| Step::Disconnect { node, port: port.into() }),
            1 | 2 => {
                let peer = NodeId(pick(nodes as usize) as u32);
                let (a_port, b_port) =
                    (1 + pick(usize::from(ports)) as u16, 1 + pick(usize::from(ports)) as u16);
                Some(Step::Connect { a: node, a_port: Port(a_port), b: peer, b_port: Port(b_port) })
            }
            3 if world.status(node) != acrasin_runtime::Status::Idle => {
                Some(Step::Lock { node, claim: LockSetRequest::Neighbourhood })
            }
            4 => Some(Step::Unlock { node }),
            _ => {
                world.offered(&mut offered);
                (!offered.is_empty()).then(|| offered[pick(offered.len())])
            }
        };
        choices.clear();
        if let Some(step) = step
            && world.apply(&step, &mut choices, &mut ()).is_ok()
        {
            steps.push((step, choices.take()));
        }
    }
    assert!(variant == RuleSetVariant::Paper || world.violation().is_none());
    steps
}

fn walks() -> Vec<(LocalStart<'static>, Vec<Drawn>)> {
    const K4: &[(u32, u16, u32, u16)] = &[(0, 1, 1, 1), (0, 2, 2, 1), (1, 2, 2, 2), (2, 3, 3, 1)];
    let make = |id, variant, pair| LocalStart {
        pair,
        edges: K4,
        priorities: 5,
        ..start(id, "random walk with changes of the graph and misused calls", variant, 4, 3)
    };
    let starts = [
        make("walk-repaired", RuleSetVariant::Repaired, false),
        make("walk-repaired-pair", RuleSetVariant::Repaired, true),
        make("walk-repaired-mem", RuleSetVariant::RepairedInMemory, false),
        make("walk-paper", RuleSetVariant::Paper, false),
    ];
    starts.into_iter().zip(1..).map(|(start, seed)| (start.clone(), walk(&start, seed, 120))).collect()
}

#[test]
fn the_file_is_what_happens() {
    let mut text = String::new();
    for Situation { start, steps, says } in situations() {
        let line =
            conformance::record(&start, &steps).unwrap_or_else(|error| panic!("{}: {error}", start.id));
        for part in says {
            assert!(line.contains(part), "{}: {part} is not in {line}", start.id);
        }
        text += &line;
        text += "\n";
    }
    if std::env::var_os("ACRASIN_BLESS").is_some() {
        let walks =
            walks().into_iter().map(|(start, steps)| conformance::record(&start, &steps).unwrap() + "\n");
        std::fs::write(FILE, text.clone() + &walks.collect::<String>()).unwrap();
    }
    let found = std::fs::read_to_string(FILE).unwrap();
    assert!(found.starts_with(&text), "the situations in testdata/ differ from what happens");
    let report = conformance::run(FILE, found.as_bytes()).unwrap();
    assert_eq!(report.differences(), []);
    assert_eq!(report.scenarios(), situations().len() as u64 + 4);
    assert_eq!(report.steps(), found.matches("{\"do\":").count() as u64);
}

#[test]
fn many_walks_agree_with_themselves() {
    for seed in 0..200 {
        for (start, _) in walks() {
            let line = conformance::record(&start, &walk(&start, seed, 60)).unwrap();
            let report = conformance::run(start.id, line.as_bytes()).unwrap();
            assert_eq!(report.differences(), [], "seed {seed}");
        }
    }
}

#[test]
fn many_walks_agree_on_words_of_either_width() {
    let starts = walks().into_iter().map(|(start, _)| start);
    let repaired: Vec<LocalStart<'_>> =
        starts.filter(|start| start.variant != RuleSetVariant::Paper).collect();
    assert_eq!(repaired.len(), 3);
    for (ports, priorities) in [(3, 5), (8, 512), (9, 5), (3, 513), (16, 1 << 16)] {
        for start in &repaired {
            let start = LocalStart { ports, priorities, ..start.clone() };
            for seed in 0..50 {
                let line = conformance::record(&start, &walk(&start, seed, 100)).unwrap();
                let report = conformance::run_on_words(start.id, line.as_bytes()).unwrap();
                assert_eq!(report.differences(), [], "{start:?}, seed {seed}");
                assert_eq!((report.scenarios(), report.steps(), report.difference_count()), (1, 100, 0));
            }
        }
    }
}
