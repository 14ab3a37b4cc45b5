//! Every wrong rule set of the catalogue is caught on its instance, with the listed consequence and within its
//! budget. The right rules pass on all of these instances.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use acrasin_explore::{ConfigurationGraph, Duty, Exploration, Limits, explore, fair_component};
use acrasin_runtime::LockOnly;
use acrasin_runtime::exclusion::local::{Local, Memory, Message};
use acrasin_runtime::exclusion::{Exclusion, local};
use acrasin_verify::locks::{LockModel, is_waiting};
use acrasin_verify::properties::{self, PROMISES, dead};
use acrasin_verify::wrong::{
    Consequence, Setting, WorldFault, WrongWorld, catalogue, with_fault, without_fault,
};

const CEILING: u64 = 1 << 29;

trait LocalRules: Exclusion<Memory = Memory, Message = Message, Action = local::Action> {}
impl<E: Exclusion<Memory = Memory, Message = Message, Action = local::Action>> LocalRules for E {}

/// Explores all runs of the rules in a setting.
fn exploration<E>(exclusion: E, setting: &Setting) -> Exploration
where
    E: LocalRules + Clone + Send + Sync,
{
    let properties = properties::all();
    let model = LockModel::new(setting.instance(exclusion), &properties).unwrap();
    explore(&model, &Limits::bytes(CEILING).with_graph(), |_| ControlFlow::Continue(()))
}

/// The consequences found, each with an example.
fn consequences(found: &Exploration, setting: &Setting) -> BTreeMap<Consequence, String> {
    assert_eq!(found.truncated(), None, "{setting}");
    let mut all = BTreeMap::new();
    for finding in found.findings() {
        let consequence = match finding.broken.property {
            dead::NAME => Consequence::Dead,
            name if PROMISES.iter().any(|promise| promise.0 == name) => Consequence::Promise,
            _ => Consequence::Invariant,
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

/// The number of configurations in which the node waits, and from which no path of duties ends its wait.
fn doomed(graph: &ConfigurationGraph, node: u32) -> usize {
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
    let mut broken: BTreeSet<&str> = BTreeSet::new();
    for entry in catalogue() {
        let rules = with_fault(entry.setting.local().unwrap(), entry.fault);
        let found = exploration(rules, &entry.setting);
        let (consequences, configurations) = (consequences(&found, &entry.setting), found.configurations());
        broken.extend(found.findings().iter().map(|finding| finding.broken.property));
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
    let fault = WorldFault::DetectorReadFirst;
    let setting = fault.setting();
    let world = WrongWorld::new(&setting, setting.local().unwrap(), Some(fault)).unwrap();
    let found = explore(&world, &Limits::bytes(CEILING), |_| ControlFlow::Continue(()));
    broken.extend(found.findings().iter().map(|finding| finding.broken.property));
    // No property passes under all rules: each is broken by some of the wrong rules, or in a wrong world.
    let all = properties::all::<Local, LockOnly>();
    let names = all.iter().map(|property| property.name()).chain(PROMISES.map(|promise| promise.0));
    let unbroken: Vec<&str> = names.chain([dead::NAME]).filter(|name| !broken.contains(name)).collect();
    // A second holder first shows as a held node that changed its lock. The runtime tests the check itself
    // (`two_holders_of_one_node_are_reported`).
    assert_eq!(unbroken, ["no two holders of one node"]);
}

#[test]
fn the_right_rules_pass_wherever_wrong_ones_fail() {
    let settings: BTreeSet<Setting> = catalogue().map(|entry| entry.setting).collect();
    for setting in &settings {
        let local = setting.local().unwrap();
        let found = exploration(local, setting);
        println!("{setting}: {}", found.configurations());
        assert_eq!(consequences(&found, setting), BTreeMap::new(), "{setting}");
        // The wrapper of the wrong rules changes nothing by itself.
        let wrapped = exploration(without_fault(local), setting);
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
