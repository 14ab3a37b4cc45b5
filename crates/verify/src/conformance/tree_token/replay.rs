//! Replays a scenario through the [`World`] and compares after every step.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use acrasin_runtime::exclusion::Anomaly;
use acrasin_runtime::exclusion::tree_token::{
    self, Application, Behaviour, Memory, Message, PhysicalLinks, TreeToken,
};
use acrasin_runtime::exclusion::{Identifier, InitialKnowledge, RootedTree};
use acrasin_runtime::{
    Choices, Decision, Demand, Event, LockOnly, LockSetRequest, LockSetRule, NodeId, Observer, Port, Setup,
    Step, StepOf, Timing, Topology, World,
};

use super::super::comparison::{ScenarioComparison, sort};
use super::super::report::{ConformanceReport, ScenarioPoint};
use super::text::{
    self, FIELDS, Letter, State, TreeTokenCall, TreeTokenMessage, TreeTokenQueue, TreeTokenRule,
    TreeTokenScenario, TreeTokenSent,
};
use crate::limits::{SCENARIO_NODES_MAX, SCENARIO_SLOTS_MAX, SCENARIO_STEPS_MAX};
use crate::properties::abstract_tree;

/// The initial world of a scenario, in which no node calls Lock on its own, and each node's behaviour: transit or
/// proxy.
pub(super) struct TreeTokenStart {
    world: World<TreeToken, LockOnly>,
    behaviours: Vec<Letter>,
}

/// Builds the initial world. Fails if a number is out of range.
pub(super) fn start(text: &TreeTokenScenario) -> Result<TreeTokenStart, String> {
    let TreeTokenScenario { n, father, rule, queue, steps, end, .. } = text;
    let n = *n;
    if n == 0 || n > SCENARIO_NODES_MAX {
        return Err(format!("n is {n}: 1 to {SCENARIO_NODES_MAX} are accepted"));
    }
    if u64::from(n) * u64::from(n) > SCENARIO_SLOTS_MAX {
        return Err(format!(
            "all {n} nodes are joined in pairs: n times n may be at most {SCENARIO_SLOTS_MAX}"
        ));
    }
    if steps.len() > SCENARIO_STEPS_MAX {
        return Err(format!("{} steps: at most {SCENARIO_STEPS_MAX} are accepted", steps.len()));
    }
    for (what, entries) in [("father", father.len()), ("end", end.len())] {
        if entries != n as usize {
            return Err(format!("{what} has {entries} entries, but n is {n}"));
        }
    }
    if let Some((node, father)) = (1..).zip(father).find(|(_, father)| **father > n) {
        return Err(format!("father: the father of node {node} is {father}: 0 to {n} are accepted"));
    }
    let fathers: Vec<Option<u32>> = father.iter().map(|father| father.checked_sub(1)).collect();
    let tree = RootedTree::new(&fathers).map_err(|error| format!("father: {error} (nodes from 0)"))?;
    let seating = InitialKnowledge::from_tree(tree);
    let mut links = PhysicalLinks::default();
    let (rule, behaviours) = match rule {
        TreeTokenRule::Raymond => (tree_token::SchemeRule::Raymond, Vec::new()),
        TreeTokenRule::Topology { links: written, root, init } => {
            let ends = written.iter().flat_map(|&(a, b)| [a, b]).collect();
            in_range(&NodeNumbers { nodes: ends, or_nil: Vec::new() }, n)
                .map_err(|what| format!("rule.links: {what}"))?;
            proper(written).map_err(|what| format!("rule.links: {what}"))?;
            links = PhysicalLinks::new(written.iter().map(|&(a, b)| (a - 1, b - 1)));
            (tree_token::SchemeRule::Topology { root: (*root).into(), initial: (*init).into() }, Vec::new())
        }
        TreeTokenRule::Static { beh } | TreeTokenRule::Scripted { beh } => {
            let letters = beh.chars().map(|letter| match letter {
                'T' => Ok(Letter::T),
                'P' => Ok(Letter::P),
                other => Err(format!("rule.beh: {other:?} is not a behaviour: T or P are accepted")),
            });
            (tree_token::SchemeRule::Adversarial, letters.collect::<Result<Vec<_>, _>>()?)
        }
    };
    if rule == tree_token::SchemeRule::Adversarial && behaviours.len() != n as usize {
        return Err(format!("rule.beh has {} letters, but n is {n}", behaviours.len()));
    }
    for (step, number) in steps.iter().zip(1..) {
        let (event, sent, state) = step.parts();
        let check = event_in_range(event, n).and_then(|()| {
            sent.iter().try_for_each(|sent| in_range(&nodes_of(sent), n))?;
            in_range(&state.nodes(), n)?;
            if step.fathers().len() != n as usize {
                return Err(format!("a_tree has {} entries, but n is {n}", step.fathers().len()));
            }
            in_range(&NodeNumbers { nodes: Vec::new(), or_nil: step.fathers().to_vec() }, n)
        });
        check.map_err(|what| format!("step {number}: {what}"))?;
    }
    for (index, state) in end.iter().enumerate() {
        in_range(&state.nodes(), n).map_err(|what| format!("end[{index}]: {what}"))?;
    }
    let queue = match queue {
        TreeTokenQueue::Fifo => tree_token::Queue::Fifo,
        TreeTokenQueue::Lift => tree_token::Queue::Lift,
    };
    let all: Vec<(u32, u32)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    let setup = Setup {
        exclusion: TreeToken::new(rule).with_queue(queue).with_links(links),
        section: LockOnly,
        topology: Topology::from_edges(n, (n - 1).max(1) as u16, &all).map_err(|error| error.to_string())?,
        states: vec![Demand::Times(0); n as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    let world = World::with_knowledge(setup, &seating).map_err(|unmet| unmet.to_string())?;
    Ok(TreeTokenStart { world, behaviours })
}

/// Checks that each link connects two different nodes, and that no link is listed twice.
fn proper(links: &[(u32, u32)]) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for &(a, b) in links {
        if a == b {
            return Err(format!("node {a} is linked to itself"));
        }
        if !seen.insert((a.min(b), a.max(b))) {
            return Err(format!("{a} and {b} are linked twice"));
        }
    }
    Ok(())
}

/// The node numbers in an event, to be range-checked. Nodes count from 1; numbers in `or_nil` may also be 0.
struct NodeNumbers {
    nodes: Vec<u32>,
    or_nil: Vec<u32>,
}

fn in_range(named: &NodeNumbers, n: u32) -> Result<(), String> {
    let wrong = named.nodes.iter().find(|&&node| node == 0 || node > n);
    match wrong.or(named.or_nil.iter().find(|&&node| node > n)) {
        None => Ok(()),
        Some(node) => Err(format!("there is no node {node}: 1 to {n} are accepted")),
    }
}

fn nodes_of(&TreeTokenSent(kind, from, to, argument): &TreeTokenSent) -> NodeNumbers {
    match kind {
        TreeTokenMessage::R => NodeNumbers { nodes: vec![from, to, argument], or_nil: Vec::new() },
        TreeTokenMessage::T => NodeNumbers { nodes: vec![from, to], or_nil: vec![argument] },
    }
}

fn event_in_range(event: &text::TreeTokenEvent, n: u32) -> Result<(), String> {
    match *event {
        text::TreeTokenEvent::Call(_, node) | text::TreeTokenEvent::Behaviour(_, node, _) => {
            in_range(&NodeNumbers { nodes: vec![node], or_nil: Vec::new() }, n)
        }
        text::TreeTokenEvent::Receipt(ref sent) => in_range(&nodes_of(sent), n),
    }
}

impl State {
    fn nodes(&self) -> NodeNumbers {
        let &Self(_, _, father, lender, mandator, _, ref queue) = self;
        NodeNumbers { nodes: queue.clone(), or_nil: vec![father, lender, mandator] }
    }

    fn of(memory: &Memory) -> Self {
        let nil = |name: Option<Identifier>| name.map_or(0, |name| name.0 + 1);
        let application = match memory.application {
            Application::Idle => text::TreeTokenApplication::Idle,
            Application::Wants => text::TreeTokenApplication::Want,
            Application::Inside => text::TreeTokenApplication::Cs,
        };
        Self(
            memory.token.into(),
            memory.asked.into(),
            nil(memory.father),
            nil(memory.lender),
            nil(memory.mandator),
            application,
            memory.waiting.iter().map(|name| name.0 + 1).collect(),
        )
    }
}

impl From<Letter> for Behaviour {
    fn from(letter: Letter) -> Self {
        match letter {
            Letter::T => Self::Transit,
            Letter::P => Self::Proxy,
        }
    }
}

impl From<Behaviour> for Letter {
    fn from(behaviour: Behaviour) -> Self {
        match behaviour {
            Behaviour::Transit => Self::T,
            Behaviour::Proxy => Self::P,
        }
    }
}

/// Answers every choice with the behaviour that the scenario lists for the acting node.
struct Is(Letter);

impl Choices for Is {
    fn pick(&mut self, _: NonZeroU32, _: Decision) -> u32 {
        u32::from(self.0 == Letter::P)
    }
}

/// Collects the messages that an action sends, and records whether the action is a call that its node ignores.
#[derive(Default)]
struct TokenStepObserver {
    sent: Vec<TreeTokenSent>,
    is_ignored: bool,
}

impl Observer<TreeToken, LockOnly> for TokenStepObserver {
    fn event(&mut self, event: &Event<'_, TreeToken, LockOnly>) {
        match *event {
            Event::Sent { from, to, message } => {
                let (kind, argument) = match message {
                    Message::Request(client) => (TreeTokenMessage::R, client.0 + 1),
                    Message::Token(lender) => (TreeTokenMessage::T, lender.map_or(0, |lender| lender.0 + 1)),
                };
                self.sent.push(TreeTokenSent(kind, from.0 + 1, to.0 + 1, argument));
            }
            Event::Anomaly { anomaly: Anomaly::IgnoredCall, .. } => self.is_ignored = true,
            _ => {}
        }
    }
}

/// Replays a conformance scenario, and reports each difference between the messages and states of the world and those
/// of the file.
pub(super) fn replay(
    start: TreeTokenStart,
    text: &TreeTokenScenario,
    line: u64,
    report: &mut ConformanceReport,
) {
    let TreeTokenStart { mut world, mut behaviours } = start;
    let mut comparison = ScenarioComparison::new(&text.id, line, report);
    for (number, step) in text.steps.iter().enumerate() {
        comparison.step(number + 1);
        let (event, sent, state) = step.parts();
        let (became, fathers) = (step.behaviour(), step.fathers());
        let (node, step) = match *event {
            text::TreeTokenEvent::Behaviour(_, node, letter) => {
                match behaviours.get_mut(node as usize - 1) {
                    Some(behaviour) if *behaviour != letter => *behaviour = letter,
                    Some(_) => comparison.differs(
                        "event",
                        "a change of behaviour",
                        "the behaviour that the node has",
                    ),
                    None => comparison.differs(
                        "event",
                        "an event that the rule of the scenario has",
                        "a change of behaviour",
                    ),
                }
                (NodeId(node - 1), None)
            }
            text::TreeTokenEvent::Call(call, node) => {
                (NodeId(node - 1), Some(called(call, NodeId(node - 1))))
            }
            text::TreeTokenEvent::Receipt(sent) => {
                (NodeId(sent.2 - 1), Some(receipt(sent, world.topology())))
            }
        };
        let mut watch = TokenStepObserver::default();
        if let Some(step) = step {
            let mut is = Is(behaviours.get(node.index()).copied().unwrap_or(Letter::T));
            if let Err(refused) = world.apply(&step, &mut is, &mut watch) {
                let left = text.steps.len() - number - 1;
                return comparison.ends_at(&step.to_string(), &refused.to_string(), left);
            }
        }
        // A file contains a call only where the node accepts it: when it is idle, or inside.
        if watch.is_ignored {
            comparison.differs("event", "a call that its node accepts", "ignored");
        }
        let (mut expected, mut actual) = (sent.to_vec(), watch.sent);
        sort(&mut expected);
        sort(&mut actual);
        comparison.compare("sent", &expected[..], &actual[..], |sent| {
            let sent: Vec<String> = sent.iter().map(TreeTokenSent::to_string).collect();
            format!("[{}]", sent.join(","))
        });
        states(&mut comparison, "state", state, world.memory(node));
        let found: Vec<u32> =
            abstract_tree(&world).into_iter().map(|father| father.map_or(0, |node| node.0 + 1)).collect();
        comparison.compare("a_tree", fathers, &found[..], |fathers| format!("{fathers:?}"));
        let actual = world.memory(node).behaviour.map(Letter::from);
        if became.is_some() || matches!(text.rule, TreeTokenRule::Topology { .. }) {
            comparison.compare("behaviour", &became, &actual, |letter| format!("{letter:?}"));
        }
        if let Some(violation) = world.violation() {
            return comparison.differs("promises of the lock layer", "kept", &violation.to_string());
        }
    }
    comparison.place = ScenarioPoint::Final;
    for (index, (state, node)) in text.end.iter().zip(world.topology().nodes()).enumerate() {
        states(&mut comparison, &format!("end[{index}]"), state, world.memory(node));
    }
}

fn states(comparison: &mut ScenarioComparison<'_>, path: &str, expected: &State, memory: &Memory) {
    let fields = expected.fields().into_iter().zip(State::of(memory).fields());
    for (field, (expected, actual)) in FIELDS.iter().zip(fields) {
        comparison.compare(&format!("{path}.{field}"), &expected, &actual, String::clone);
    }
}

fn called(call: TreeTokenCall, node: NodeId) -> StepOf<TreeToken> {
    match call {
        TreeTokenCall::Enter => Step::Lock { node, claim: LockSetRequest::Neighbourhood },
        TreeTokenCall::Exit => Step::Unlock { node },
    }
}

fn receipt(TreeTokenSent(kind, from, to, argument): TreeTokenSent, topology: &Topology) -> StepOf<TreeToken> {
    let (from, node) = (NodeId(from - 1), NodeId(to - 1));
    let argument = argument.checked_sub(1).map(Identifier);
    let message = match kind {
        TreeTokenMessage::R => Message::Request(argument.expect("a request names its client")),
        TreeTokenMessage::T => Message::Token(argument),
    };
    let port = topology.port_towards(node, from).map_or(Port::SELF, Port::from);
    Step::Receive { node, port, message }
}
