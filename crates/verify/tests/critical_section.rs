//! Local critical sections against recorded runs, message by message.

use std::ops::ControlFlow;

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::critical_section::{
    Action, Kind, LocalSections, Memory, Message, Note, Permission, Phase, Rank, Scheme,
};
use acrasin_runtime::exclusion::{
    Alteration, Altered, Bounds, Effects, Exclusion as _, Identifier, Input, Seating,
};
use acrasin_runtime::{
    Choices, Claim, Demand, Event, LockOnly, LockSetRule, NodeId, Observer, Port, Setup, Step, Timing,
    Topology, World,
};
use acrasin_verify::locks::{Explored, Instance, Locks, Options, Report, Verdict, check};
use serde_json::{Value, json};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/critical-section.jsonl");

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a number")).expect("a small one")
}

fn node(value: &Value) -> NodeId {
    NodeId(number(value) - 1)
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().expect("a list").iter().map(number).collect()
}

fn world(record: &Value) -> World<LocalSections, LockOnly> {
    let scheme = match record["alg"].as_str().unwrap() {
        "lmutin" => Scheme::Inclusion,
        "lmutex" => Scheme::Exclusion,
        "lkcs" => Scheme::Leader,
        "lkcs-home" => Scheme::Home,
        other => panic!("{other}"),
    };
    let nodes = number(&record["n"]);
    let edges: Vec<(u32, u32)> = record["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| (number(&edge[0]) - 1, number(&edge[1]) - 1))
        .collect();
    let topology = Topology::from_edges(nodes, nodes as u16, &edges).unwrap();
    let bounds = numbers(&record["l"]).into_iter().zip(numbers(&record["k"]));
    let mut inside = vec![false; nodes as usize];
    for node in numbers(&record["cs0"]) {
        inside[node as usize - 1] = true;
    }
    let seating = Seating {
        bounds: bounds.map(|(least, most)| Bounds { least, most }).collect(),
        inside,
        leader: number(&record["leader"]).checked_sub(1).map(NodeId),
        ..Seating::default()
    };
    let setup = Setup {
        exclusion: LocalSections::new(scheme),
        section: LockOnly,
        topology,
        states: vec![Demand::Forever; nodes as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    World::seated(setup, &seating).unwrap()
}

fn message(words: &[Value]) -> Message {
    let kind = *Kind::ALL.iter().find(|kind| kind.to_string() == words[0].as_str().unwrap()).unwrap();
    let permission = if words[1] == "X" { Permission::Inside } else { Permission::Outside };
    Message { kind, permission, stamp: number(&words[2]), clock: number(&words[3]) }
}

fn name(identifier: Option<Identifier>) -> u32 {
    identifier.map_or(0, |identifier| identifier.0 + 1)
}

fn state(memory: &Memory) -> Value {
    let got: Vec<u32> = memory
        .members
        .iter()
        .filter(|&&(_, port)| memory.got.contains(port))
        .map(|&(id, _)| id.0 + 1)
        .collect();
    let phase = match memory.phase {
        Phase::Idle => 0,
        Phase::Exiting => 1,
        Phase::Entering => 2,
    };
    let mut words =
        vec![json!(u8::from(memory.inside)), json!(phase), json!(memory.clock), json!(memory.stamp)];
    words.push(json!(got));
    for permission in Permission::ALL {
        let arbiter = memory.arbiter(permission);
        for entries in [&arbiter.granted, &arbiter.pending] {
            let entries: Vec<[u32; 3]> = entries
                .iter()
                .map(|entry| [u32::from(entry.rank == Rank::Ordinary), entry.stamp, entry.owner.0 + 1])
                .collect();
            words.push(json!(entries));
        }
        words.push(json!(name(arbiter.preempting)));
    }
    for flag in [memory.triggered, memory.over, memory.excursion, memory.busy] {
        words.push(json!(u8::from(flag)));
    }
    Value::Array(words)
}

/// What a step sends, in the words of the file.
#[derive(Default)]
struct Sends(Vec<Value>);

impl Observer<LocalSections, LockOnly> for Sends {
    fn event(&mut self, event: &Event<'_, LocalSections, LockOnly>) {
        if let Event::Sent { from, to, message } = *event {
            let Message { kind, permission, stamp, clock } = message;
            let words = (from.0 + 1, to.0 + 1, kind.to_string(), permission.to_string(), stamp, clock);
            self.0.push(json!(words));
        }
    }
}

/// The first step that differs, with what came instead.
fn difference(record: &Value) -> Option<String> {
    let mut world = world(record);
    for (at, step) in record["steps"].as_array().unwrap().iter().enumerate() {
        let (event, sent) = (step[0].as_array().unwrap(), &step[1]);
        let (actor, taken) = if event[0] == "start" {
            let node = node(&event[1]);
            let is_inside = world.memory(node).inside;
            let lock = Step::Lock { node, claim: Claim::Neighbourhood };
            (node, if is_inside { Step::Unlock { node } } else { lock })
        } else {
            let (from, to) = (node(&event[1]), node(&event[2]));
            let port = world.topology().port_towards(to, from).map_or(Port::SELF, Port::from);
            (to, Step::Receive { node: to, port, message: message(&event[3..]) })
        };
        let mut sends = Sends::default();
        if let Err(error) = world.apply(&taken, &mut Scripted::new(&[]), &mut sends) {
            return Some(format!("step {at}: {error}"));
        }
        let found = (Value::Array(sends.0), state(world.memory(actor)));
        if found.0 != *sent || found.1 != step[2] {
            return Some(format!("step {at} {}:\n{found:?}\n{} {}", step[0], step[1], step[2]));
        }
        if let Err(violation) = world.check() {
            return Some(format!("step {at}: {violation}"));
        }
    }
    None
}

#[test]
fn recorded_runs_are_what_happens() {
    let Ok(text) = std::fs::read_to_string(CORPUS) else {
        println!("SKIPPED: {CORPUS} is not here");
        return;
    };
    let mut compared = 0;
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert_eq!(difference(&record), None, "{}", record["id"]);
        compared += 1;
    }
    assert!(compared > 0);
}

/// Every process changes so often: with as many changes stamps are finite, too.
fn explored<E>(exclusion: E, edges: &[(u32, u32)], seating: &Seating, times: u32) -> Report<E>
where
    E: Explored<Memory = Memory, Message = Message>,
{
    let nodes = seating.bounds.len() as u32;
    let states = vec![Demand::Times(times); nodes as usize];
    let instance = Instance { ports: nodes as u16 - 1, ..Instance::new(exclusion, LockOnly, edges, states) };
    let options = Options { bytes: 1 << 30, configurations: 3_000_000, liveness: true, stop_at_first: false };
    let model = Locks::seated(instance, seating, &[]).unwrap();
    check(&model, &options, |_| ControlFlow::Continue(()))
}

#[test]
fn every_schedule_of_two_and_three_processes() {
    let bounded = |nodes, least, most| Seating::bounded(nodes, Bounds { least, most });
    let edge: &[(u32, u32)] = &[(0, 1)];
    let path: &[(u32, u32)] = &[(0, 1), (1, 2)];
    let triangle: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
    let one_inside = |seating: Seating| {
        let inside = (0..seating.bounds.len()).map(|node| node == 0).collect();
        Seating { inside, ..seating }
    };
    for (scheme, edges, seating, times, configurations) in [
        (Scheme::Exclusion, edge, bounded(2, 0, 1), 2, 2_574),
        (Scheme::Exclusion, path, bounded(3, 0, 1), 1, 16_357),
        (Scheme::Exclusion, triangle, bounded(3, 0, 1), 1, 179_950),
        (Scheme::Home, edge, one_inside(bounded(2, 0, 2)), 2, 4_224),
        (Scheme::Home, triangle, one_inside(bounded(3, 0, 2)), 1, 235_954),
    ] {
        let report = explored(LocalSections::new(scheme), edges, &seating, times);
        for answer in &report.answers {
            assert_eq!(answer.verdict, Verdict::Holds, "{scheme:?} {edges:?}: {}", answer.property);
        }
        assert_eq!(report.answers.len(), 4);
        assert_eq!(report.exploration.configurations(), configurations, "{scheme:?} {edges:?}");
    }
}

/// The algorithm with one thing wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// Whoever is asked for a grant gives it back, even one that it has used.
    GivesBackWhatIsUsed,
    /// An arbiter grants to one more than it may.
    OneTooMany,
    /// An arbiter forgets whoever gives a grant back.
    ForgetsWhoWaits,
}

impl Alteration<LocalSections> for Fault {
    fn execute(
        &self,
        sections: &LocalSections,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut Effects<Message, Note>,
    ) {
        if *self == Fault::OneTooMany {
            memory.arbiters[Permission::Inside as usize].capacity = 2;
        }
        sections.execute(memory, action, input, choices, effects);
        match (self, action, input.message) {
            (Fault::GivesBackWhatIsUsed, Action::Receive(Kind::Preempt), Some((port, asked)))
                if effects.sends.is_empty() =>
            {
                let back = Message { kind: Kind::Relinquish, clock: memory.clock, ..asked };
                effects.sends.push((port, back));
            }
            (Fault::ForgetsWhoWaits, Action::Receive(Kind::Relinquish), Some((_, back))) => {
                memory.arbiters[back.permission as usize].pending.clear();
            }
            _ => {}
        }
    }
}

#[test]
fn faults_are_caught_on_an_edge() {
    let one_of_two = Seating::bounded(2, Bounds { least: 0, most: 1 });
    let broken = |fault| {
        let wrong = Altered::new(LocalSections::new(Scheme::Exclusion), fault);
        let report = explored(wrong, &[(0, 1)], &one_of_two, 2);
        report.broken().map(|(answer, _)| answer.property).collect::<Vec<_>>()
    };
    let bounds = "between l and k of each closed neighbourhood inside";
    assert!(broken(Fault::GivesBackWhatIsUsed).contains(&bounds));
    assert!(broken(Fault::OneTooMany).contains(&bounds));
    let forgets = broken(Fault::ForgetsWhoWaits);
    assert!(forgets.contains(&"no dead configuration") && !forgets.contains(&bounds), "{forgets:?}");
}
