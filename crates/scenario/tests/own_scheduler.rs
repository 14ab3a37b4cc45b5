//! Tests of a catalogue with an external scheduler and adversary: they run and are refused like those of the library.

use acrasin_scenario::Runnable as _;
use std::path::Path;

use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind, Values};
use acrasin_runtime::scheduler::{Scheduler, Turns};
use acrasin_runtime::{Choices, CriticalSection, Exclusion, NodeId, StepOf, World};
use acrasin_scenario::scheduler::{AdversaryEntry, Schedule, SchedulerEntry, SchedulerSite};
use acrasin_scenario::{Catalogue, Document, DocumentError, Plan};

use crate::support::{digest, ended, run};

/// A scheduler of the next active node in ascending or descending order, one step at a time.
#[derive(Clone)]
struct Sweep {
    next: u32,
    down: bool,
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for Sweep {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        let nodes = world.topology().node_count();
        let distance = |node: &NodeId| {
            let steps = (node.0 + nodes - self.next) % nodes;
            if self.down { (nodes - steps) % nodes } else { steps }
        };
        let Some(node) = world.active().iter().copied().min_by_key(distance) else { return };
        self.next = if self.down { node.0 + nodes - 1 } else { node.0 + 1 } % nodes;
        turn.extend(world.pick_step(node, choices, &mut Vec::new()));
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }
}

fn node(values: &Values, name: &'static str, site: SchedulerSite<'_>) -> Result<u32, ParameterError> {
    let node = values.count(name).unwrap_or(0);
    u32::try_from(node).ok().filter(|&node| node < site.nodes).ok_or_else(|| {
        ParameterError::new(name, format!("no node {node}")).accepting(format!("0 to {}", site.nodes - 1))
    })
}

const SWEEP: SchedulerEntry = SchedulerEntry {
    name: "Sweep",
    summary: "node after node from one on, in one direction",
    parameters: &[
        Parameter::optional("from", ParameterKind::Count, "the first node"),
        Parameter::required("direction", ParameterKind::Word(&["Up", "Down"]), "the next node"),
    ],
    read: |values, site, _| {
        let (next, down) = (node(values, "from", site)?, values.word("direction") == Some("Down"));
        Ok(Schedule::new(Sweep { next, down }, format!("sweep from node {next}")))
    },
    ..SchedulerEntry::PLAIN
};

/// An adversary that chooses the node `favoured` whenever this node is active.
#[derive(Clone)]
struct Favour {
    favoured: NodeId,
    in_rounds: bool,
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for Favour {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        let most = if self.in_rounds { usize::MAX } else { 1 };
        let nodes = match world.active().contains(&self.favoured) {
            true => vec![self.favoured],
            false => world.active().iter().copied().take(most).collect(),
        };
        turn.extend(nodes.into_iter().filter_map(|node| world.pick_step(node, choices, &mut Vec::new())));
    }

    fn turns(&self) -> Turns {
        if self.in_rounds { Turns::Rounds } else { Turns::Steps }
    }
}

fn favour(values: &Values, site: SchedulerSite<'_>, in_rounds: bool) -> Result<Schedule, ParameterError> {
    let favoured = NodeId(node(values, "node", site)?);
    Ok(Schedule::new(Favour { favoured, in_rounds }, format!("favours node {favoured}")))
}

const FAVOUR: AdversaryEntry = AdversaryEntry {
    name: "Favour",
    summary: "one node acts alone as long as it can",
    parameters: &[Parameter::required("node", ParameterKind::Count, "the node, from 0")],
    steps: |values, site| favour(values, site, false),
    rounds: Some(|values, site| favour(values, site, true)),
};

const STEPS_ONLY: AdversaryEntry = AdversaryEntry { name: "StepsOnly", rounds: None, ..FAVOUR };

fn catalogue() -> Catalogue {
    let catalogue = Catalogue::shipped().with_scheduler(SWEEP).unwrap();
    catalogue.with_adversary(FAVOUR).unwrap().with_adversary(STEPS_ONLY).unwrap()
}

fn plan_with(scheduler: &str, further: &str) -> Result<Plan, DocumentError> {
    let text = format!("(topology: Ring(nodes: 6),\n scheduler: {scheduler},\n {further})");
    let document = Document::parse(&text, "own.ron").unwrap();
    assert!(Plan::new(&document, Path::new("")).is_err());
    Plan::with_catalogue(&catalogue(), &document, Path::new(""))
}

fn said(plan: &Plan, name: &str) -> String {
    plan.header().parameters.clone().into_iter().find(|(known, _)| known == name).unwrap().1
}

const LOCKS: &str = "work: Locks(each: 2)";

#[test]
fn a_scheduler_and_an_adversary_from_outside_run() {
    let interactions = r#"work: Interactions(
        protocol: Library(name: "two-way-epidemic"), initial: Counts({"I": 1, "S": 5})), stop: [Silent]"#;
    for (scheduler, words, fairness) in [
        ("Sweep(direction: Up)", "sweep from node 0", "with probability 1"),
        ("Sweep(from: 5, direction: Down)", "sweep from node 5", "with probability 1"),
        ("Sequential(adversary: Favour(node: 3))", "sequential, favours node 3", "within 144 turns"),
        ("Asynchronous(adversary: StepsOnly(node: 3))", "asynchronous, favours node 3", "within 144 turns"),
        (
            "SemiSynchronous(activation: Adversary(Favour(node: 0)))",
            "semi-synchronous, favours node 0",
            "within 32 turns",
        ),
    ] {
        for (work, end) in [(LOCKS, "served"), (interactions, "silent")] {
            let plan = plan_with(scheduler, work).unwrap();
            assert_eq!((&*said(&plan, "scheduler"), &*said(&plan, "fairness")), (words, fairness));
            assert_eq!(ended(&run(&plan, 7)).0, end, "{scheduler}");
        }
    }
    let digests = ["Up", "Down"].map(|direction| {
        let plan =
            plan_with(&format!("Sweep(direction: {direction})"), "work: Locks(each: 2), stop: [Rounds(4)]");
        digest(&run(&plan.unwrap(), 7))
    });
    assert_ne!(digests[0], digests[1]);
}

#[test]
fn what_is_refused_of_them_has_its_place() {
    for (written, column, message, accepted, hint) in [
        (
            "Sweeb",
            13,
            "unknown name `Sweeb`",
            "Waves, UniformPairs, RandomMatchings, Sweep",
            Some("did you mean `Sweep`?"),
        ),
        ("Sweep", 13, "missing field `direction`", "", None),
        (
            "Sweep(direktion: Up)",
            19,
            "unknown field `direktion`",
            "from, direction",
            Some("did you mean `direction`?"),
        ),
        ("Sweep(direction: Left)", 30, "unknown name `Left`", "Up, Down", None),
        ("Sweep(from: 6, direction: Up)", 25, "no node 6", "0 to 5", None),
        (
            "Sequential(adversary: Favor(node: 1))",
            35,
            "unknown name `Favor`",
            "NewestFirst, Starve, RandomPriorities, Favour",
            Some("did you mean `Favour`?"),
        ),
        ("Sequential(adversary: Favour)", 35, "missing field `node`", "", None),
        ("Asynchronous(adversary: Favour(node: 7))", 50, "no node 7", "0 to 5", None),
        ("SemiSynchronous(activation: Adversary(Favour(node: 8)))", 64, "no node 8", "0 to 5", None),
        (
            "SemiSynchronous(activation: Adversary(StepsOnly(node: 1)))",
            51,
            "StepsOnly chooses one node at a time, but a round needs a set of nodes",
            "NewestFirst or Starve or Favour here; StepsOnly with Sequential or Asynchronous",
            None,
        ),
    ] {
        let error = plan_with(written, LOCKS).expect_err(written);
        assert_eq!((error.line(), error.column()), (Some(2), Some(column)), "{error}");
        assert_eq!((error.message(), error.hint()), (message, hint), "{error}");
        assert!(error.accepted().unwrap_or_default().contains(accepted), "{error}");
    }
    let error = plan_with("Sweep(direction: Up)", "rung: F3, work: Locks(each: 1)").unwrap_err();
    assert_eq!(error.message(), "rung F3 does not run this scheduler", "{error}");
    let error = plan_with("Sequential(adversary: Favour(node: 1))", &format!("fairness: Unbounded, {LOCKS}"));
    assert_eq!(error.unwrap_err().message(), "an adversary without a bound may never let a node act");
}

#[test]
fn names_are_taken_once() {
    let scheduler = catalogue().with_scheduler(SWEEP).unwrap_err().to_string();
    let adversary = catalogue().with_adversary(FAVOUR).unwrap_err().to_string();
    assert!(scheduler.starts_with("there already is a scheduler `Sweep`"), "{scheduler}");
    assert!(adversary.starts_with("there already is an adversary `Favour`"), "{adversary}");
}
