//! Every wrong rule set of the catalogue is caught on its instance, as the catalogue says and within its budget; the
//! right rules pass on every one of these instances.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use acrasin_runtime::exclusion::local::{Memory, Message, Phase, State};
use acrasin_runtime::exclusion::{Exclusion, local};
use acrasin_runtime::{LockOnly, Port, PortSet, World};
use acrasin_verify::explore::{Duty, Exploration, Graph, Limits, explore, fair_component};
use acrasin_verify::locks::{Locks, is_waiting};
use acrasin_verify::properties::{Property, dead};
use acrasin_verify::wrong::{Consequence, Setting, Wrong, catalogue};

const CEILING: u64 = 1 << 29;
const INVARIANTS: &str = "invariants between actions";

trait LocalRules: Exclusion<Memory = Memory, Message = Message, Action = local::Action> {}
impl<E: Exclusion<Memory = Memory, Message = Message, Action = local::Action>> LocalRules for E {}

/// The invariants between actions (spec 2.4), modulo ports still in the detector.
struct Invariants;

impl<E: LocalRules> Property<E, LockOnly> for Invariants {
    fn name(&self) -> &'static str {
        INVARIANTS
    }

    fn source(&self) -> &'static str {
        "spec 2.4"
    }

    fn check(&self, world: &World<E, LockOnly>) -> Result<(), String> {
        for node in world.topology().nodes() {
            let memory = world.memory(node);
            let report = world.topology().detector(node);
            let mut known = world.topology().closed_neighbourhood(node);
            known.extend_from(report);
            let in_transit = world.in_transit(node).iter();
            let messages: Vec<_> = in_transit.map(|envelope| (envelope.port, envelope.message)).collect();
            if let Some(broken) =
                broken_sets(memory, &known).or_else(|| broken_messages(memory, &messages, report))
            {
                return Err(format!("node {node}: {broken}\n{world:?}"));
            }
        }
        Ok(())
    }
}

fn broken_sets(m: &Memory, known: &PortSet) -> Option<&'static str> {
    let stored: PortSet = m.priorities.iter().map(|&(port, _)| port).collect();
    let mut results = m.won.clone();
    results.extend_from(&m.lost);
    let phase = match (m.candidates.is_empty(), m.applicants.is_empty()) {
        (false, _) => Phase::Compete,
        (true, false) => Phase::Prepare,
        (true, true) => Phase::Idle,
    };
    let (a, c, h) = (&m.applicants, &m.candidates, &m.on_hold);
    let lock_in = |set: &PortSet| m.lock.is_some_and(|port| set.contains(port));
    let rules = [
        (m.phase == phase, "phase = compete iff C ≠ {}, phase = prepare iff C = {} and A ≠ {}"),
        (h.is_empty() || !c.is_empty(), "H ≠ {} implies C ≠ {}"),
        (a.is_disjoint(c) && h.is_disjoint(c) && h.is_disjoint(a), "A, C, H pairwise disjoint"),
        (stored.is_subset(c) && stored.len() == m.priorities.len(), "P within C, one pair a port"),
        (m.replied.is_subset(&m.lock_set), "R within L"),
        (results.is_subset(&m.lock_set) && m.won.is_disjoint(&m.lost), "W within L, one pair a port"),
        (![a, c, h].into_iter().any(lock_in), "lock not in A, C, H"),
        ([a, c, h, &m.lock_set].into_iter().all(|set| set.is_subset(known)), "A, C, H, L within N"),
        (m.lock.is_none() || lock_in(known), "lock within N"),
    ];
    rules.into_iter().find(|rule| !rule.0).map(|rule| rule.1)
}

/// Every message in transit is awaited; by a port in the detector only prepare can come.
fn broken_messages(m: &Memory, messages: &[(Port, Message)], report: &PortSet) -> Option<&'static str> {
    let stored = |port| m.priorities.iter().any(|pair| pair.0 == port);
    let known = |port| [&m.applicants, &m.candidates, &m.on_hold].into_iter().any(|set| set.contains(port));
    let result = |port| m.won.contains(port) || m.lost.contains(port);
    let awaited = |&(port, message): &(Port, Message)| {
        let missing = m.lock_set.contains(port) && !m.replied.contains(port);
        match message {
            Message::Prepare => report.contains(port) || !known(port) && m.lock != Some(port),
            _ if report.contains(port) => false,
            Message::Ready => m.state == State::Prepare && missing,
            Message::Win(_) => m.state == State::Compete && m.lock_set.contains(port) && !result(port),
            Message::AckLock => m.state == State::Win && missing,
            Message::AckUnlock => m.state == State::Unlock && missing,
            Message::RequestLock(_) => {
                m.applicants.contains(port) || m.candidates.contains(port) && !stored(port)
            }
            Message::SetLock => {
                m.candidates.contains(port) && m.lock.is_none_or(|owner| report.contains(owner))
            }
            Message::ReleaseLock => m.lock == Some(port),
        }
    };
    (!messages.iter().all(awaited)).then_some("every message in transit is awaited")
}

/// Everything that the rules can reach in a setting.
fn exploration<E>(exclusion: E, setting: &Setting) -> Exploration
where
    E: LocalRules + Clone + Send + Sync,
{
    let properties: [Box<dyn Property<E, LockOnly>>; 1] = [Box::new(Invariants)];
    let model = Locks::new(setting.instance(exclusion), &properties).unwrap();
    explore(&model, &Limits::bytes(CEILING).with_graph(), |_| ControlFlow::Continue(()))
}

/// What is wrong, with an example.
fn consequences(found: &Exploration, setting: &Setting) -> BTreeMap<Consequence, String> {
    assert_eq!(found.truncated(), None, "{setting}");
    let mut all = BTreeMap::new();
    for finding in found.findings() {
        let consequence = match finding.broken.property {
            INVARIANTS => Consequence::Invariant,
            dead::NAME => Consequence::Dead,
            _ => Consequence::Promise,
        };
        all.entry(consequence).or_insert_with(|| finding.broken.text.clone());
    }
    let graph = found.graph().expect("the exploration is complete");
    for node in 0..setting.demands.len() as u32 {
        let doomed = doomed(graph, node);
        if doomed > 0 {
            let text = format!("{doomed} configurations for node {node}");
            all.entry(Consequence::Unreachable).or_insert(text);
        }
        if let Some(component) = fair_component(graph, |label| is_waiting(label, node)) {
            let text = format!("{} configurations for node {node}", component.members.len());
            all.entry(Consequence::Starvation).or_insert(text);
        }
    }
    all
}

/// How many configurations there are in which a node waits and from which no duties lead to where it does not.
fn doomed(graph: &Graph, node: u32) -> usize {
    let mut back = vec![Vec::new(); graph.len()];
    for from in 0..graph.len() as u32 {
        for (_, _, to) in graph.moves(from).filter(|&(_, duty, _)| duty != Duty::NONE) {
            back[to as usize].push(from);
        }
    }
    let mut saved: Vec<bool> = (0..graph.len() as u32).map(|at| !is_waiting(graph.label(at), node)).collect();
    let mut open: Vec<u32> = (0..graph.len() as u32).filter(|&at| saved[at as usize]).collect();
    while let Some(at) = open.pop() {
        for &from in &back[at as usize] {
            if !std::mem::replace(&mut saved[from as usize], true) {
                open.push(from);
            }
        }
    }
    saved.into_iter().filter(|&saved| !saved).count()
}

#[test]
fn every_wrong_rule_set_is_caught() {
    let mut failures = Vec::new();
    for entry in catalogue() {
        let rules = Wrong::new(entry.setting.local().unwrap(), entry.fault);
        let found = exploration(rules, &entry.setting);
        let (consequences, configurations) = (consequences(&found, &entry.setting), found.configurations());
        let kinds: Vec<String> = consequences.keys().map(ToString::to_string).collect();
        println!(
            "| {} | {} | {} | {configurations} | {} |",
            entry.name,
            entry.setting,
            entry.shows,
            kinds.join(", ")
        );
        if !consequences.contains_key(&entry.shows) {
            failures.push(format!(
                "{}: no {} on {}, but {consequences:?}",
                entry.name, entry.shows, entry.setting
            ));
        }
        if configurations > entry.within {
            failures.push(format!("{}: {configurations} configurations, not {}", entry.name, entry.within));
        }
    }
    assert_eq!(failures, Vec::<String>::new(), "\n{}", failures.join("\n"));
}

#[test]
fn the_right_rules_pass_wherever_wrong_ones_fail() {
    let settings: BTreeSet<Setting> = catalogue().map(|entry| entry.setting).collect();
    for setting in &settings {
        let local = setting.local().unwrap();
        let found = exploration(local, setting);
        println!("{setting}: {}", found.configurations());
        assert_eq!(consequences(&found, setting), BTreeMap::new(), "{setting}");
        // The wrapper of the wrong rules adds nothing of its own.
        let wrapped = exploration(Wrong::without_fault(local), setting);
        assert_eq!(wrapped.configurations(), found.configurations(), "{setting}");
        assert_eq!(wrapped.transitions(), found.transitions(), "{setting}");
        assert_eq!(wrapped.findings(), [], "{setting}");
    }
}

#[test]
fn the_catalogue_is_in_order() {
    let names: BTreeSet<&str> = catalogue().map(|entry| entry.name).collect();
    assert_eq!(names.len(), catalogue().count(), "two of one name");
    assert!(names.len() >= 30);
    for entry in catalogue() {
        assert!(entry.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", entry.name);
        assert!(entry.what.ends_with('.') && !entry.about.is_empty(), "{}", entry.name);
        let twin = catalogue().find(|other| other.fault == entry.fault && other.name != entry.name);
        assert_eq!(twin, None, "the same fault twice");
    }
}
