//! Films of runs and replays of a world, with the state of each node.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use acrasin_report::film::{
    ColumnKind, FrameEvents, GRANTED, Head, Message, NodeColumn, NodeValue, VIOLATED,
};
use acrasin_report::observer::LockFigures;
use acrasin_runtime::exclusion::Status;
use acrasin_runtime::{NodeId, Step, StepOf, World};

use super::super::interaction_graph::InteractionGraph;
use super::algorithm::RunAlgorithm;
use super::locked::table;
use super::state_counts::CountedSection;
use crate::film::{Following, NodeLock};
use crate::plan::Plan;
use crate::run::{Changes, Filmed, NodeView, TraceObserver};

/// The film of a world.
pub(super) struct WorldFilm<'a> {
    subject: FilmedPlan<'a>,
    footage: WorldChanges,
    /// The observer of every step; `None` in a replay, whose driver calls its own observer.
    eye: Option<&'a Mutex<dyn TraceObserver>>,
}

/// The plan and the graph, which determine the layout of the nodes.
#[derive(Clone, Copy)]
struct FilmedPlan<'a> {
    plan: &'a Plan,
    graph: &'a InteractionGraph,
    seed: u64,
}

impl<'a> WorldFilm<'a> {
    /// Creates the film of a run with this seed at its start.
    pub(super) fn new<E: RunAlgorithm, S: CountedSection>(
        (plan, graph, seed): (&'a Plan, &'a InteractionGraph, u64),
        world: &World<E, S>,
        eye: Option<&'a Mutex<dyn TraceObserver>>,
    ) -> Self {
        let node = world.topology().nodes().next();
        let variables = node.map(|node| E::variables(world.memory(node))).unwrap_or_default();
        let variables = variables.into_iter().map(|(name, _)| name.to_owned()).collect();
        let following = graph
            .contacts()
            .and_then(|contacts| Some(Following::new(plan.terrain.walking(seed)?, contacts.edges())));
        let footage = WorldChanges { variables, following, ..WorldChanges::default() };
        Self { subject: FilmedPlan { plan, graph, seed }, footage, eye }
    }

    /// Notes the nodes that a step can affect. Called before the step.
    pub(super) fn before<E: RunAlgorithm, S: CountedSection>(
        &mut self,
        world: &World<E, S>,
        step: &StepOf<E>,
    ) {
        self.footage.before(world, step);
    }

    /// Notes the changes of a step, and shows them to the observer if there is one. Called after the step.
    pub(super) fn after<E: RunAlgorithm, S: CountedSection>(
        &mut self,
        (world, locks): (&World<E, S>, &LockFigures),
        step: &StepOf<E>,
    ) {
        self.footage.after((world, locks.granted()), step);
        if let Some(eye) = self.eye {
            eye.lock().unwrap_or_else(PoisonError::into_inner).see(&mut self.shot(world, locks));
        }
    }

    /// Marks the last frame as a violation. Called for failures without a violating step: a deadlock, or a violation
    /// that a replay finds at its end.
    pub(super) fn failed(&mut self) {
        self.footage.happened.flags |= VIOLATED;
    }

    /// The current configuration of the world for an observer.
    pub(super) fn shot<'f, E: RunAlgorithm, S: CountedSection>(
        &'f mut self,
        world: &'f World<E, S>,
        locks: &'f LockFigures,
    ) -> WorldShot<'f, E, S> {
        WorldShot { subject: self.subject, footage: &mut self.footage, world, locks }
    }
}

/// The changes since the last observation.
#[derive(Debug, Default)]
struct WorldChanges {
    /// The names of a node's variables in its algorithm.
    variables: Vec<String>,
    touched: BTreeSet<u32>,
    has_walkers: bool,
    happened: FrameEvents,
    granted: u64,
    held: u32,
    is_violated: bool,
    /// The positions of the nodes, if they walk.
    following: Option<Following>,
}

/// A world with its Locks and the changes since the last observation.
pub(super) struct WorldShot<'f, E: RunAlgorithm, S: CountedSection> {
    subject: FilmedPlan<'f>,
    footage: &'f mut WorldChanges,
    world: &'f World<E, S>,
    locks: &'f LockFigures,
}

impl WorldChanges {
    /// Called before a step: marks the nodes that it can affect, and their neighbours, as possibly changed.
    fn before<E: RunAlgorithm, S: CountedSection>(&mut self, world: &World<E, S>, step: &StepOf<E>) {
        let Step::Disconnect { node, port } = *step else { return };
        if node.0 >= world.topology().node_count() {
            return;
        }
        self.around(world, node);
        if let (Some(following), Some(link)) = (&mut self.following, world.topology().link(node, port)) {
            self.has_walkers |= following.changed(node.0, link.peer.0, false);
        }
    }

    /// Called after a step: stores the changed nodes and the event.
    fn after<E: RunAlgorithm, S: CountedSection>(
        &mut self,
        (world, granted): (&World<E, S>, u64),
        step: &StepOf<E>,
    ) {
        // Neighbours are seen to change only with a lock set, in a section, or with the graph.
        let held = world.held();
        let has_new_set = std::mem::replace(&mut self.held, held) != held
            || !matches!(step, Step::Lock { .. } | Step::Act { .. } | Step::Receive { .. });
        for node in world.touched() {
            if has_new_set {
                self.around(world, node);
            } else {
                self.touched.insert(node.0);
            }
        }
        if let (Some(following), Step::Connect { a, b, .. }) = (&mut self.following, *step) {
            self.has_walkers |= following.changed(a.0, b.0, true);
        }
        // A node that a token holds need not be a neighbour of its holder.
        self.has_walkers |= has_new_set && !E::KINDS.contains(&"set-lock");
        let (action, text) = said(world, step);
        self.happened.actor = step.actor().map(|node| node.0);
        self.happened.action = Some(action);
        self.happened.text = text;
        if std::mem::replace(&mut self.granted, granted) != granted {
            self.happened.flags |= GRANTED;
        }
        if let (false, Some(violation)) = (self.is_violated, world.violation()) {
            self.is_violated = true;
            self.happened.flags |= VIOLATED;
            let step = std::mem::take(&mut self.happened.text);
            let between = if step.is_empty() { "" } else { ": " };
            self.happened.text = format!("{step}{between}{violation}");
        }
    }

    fn around<E: RunAlgorithm, S: CountedSection>(&mut self, world: &World<E, S>, node: NodeId) {
        self.touched.insert(node.0);
        self.touched.extend(world.topology().links(node).map(|(_, link)| link.peer.0));
    }
}

impl FilmedPlan<'_> {
    /// The head of the film: columns, layout and names of actions.
    fn head<E: RunAlgorithm>(self, footage: &WorldChanges) -> Head {
        let Self { plan, graph, seed } = self;
        let mut columns = Vec::new();
        if let Some(table) = table(plan) {
            columns.push(NodeColumn::class("state", "state", table.state_names().iter().cloned()));
        }
        let [lock, holder] = NodeLock::columns();
        columns.push(lock);
        if E::TRIAL.is_some() {
            columns.push(NodeColumn::new("trial", "trial", ColumnKind::Number));
        }
        columns.push(holder);
        columns.push(NodeColumn::new("queue", "queue", ColumnKind::Word));
        columns.push(NodeColumn::new("enabled", "enabled actions", ColumnKind::Word));
        let variable =
            |name: &String| NodeColumn::new(format!("memory.{name}"), name, ColumnKind::Word).of_memory();
        columns.extend(footage.variables.iter().map(variable));
        columns.extend(footage.following.iter().flat_map(|following| following.walking.columns()));
        let mut head = Head::new("population", graph.nodes(), columns);
        head.guards = guards::<E>();
        head.actions = E::ACTIONS.iter().map(ToString::to_string).collect();
        head.actions.extend(["leave", "connect", "disconnect"].map(str::to_owned));
        head.messages = E::KINDS.iter().map(|&kind| kind.to_owned()).collect();
        head.picture = plan.terrain.picture(graph, seed);
        head.labels = graph.listed_names();
        head
    }
}

impl<E: RunAlgorithm, S: CountedSection> Filmed for WorldShot<'_, E, S> {
    fn moment(&self) -> u64 {
        self.world.steps()
    }

    fn since(&mut self, into: &mut Changes) {
        let Self { footage, .. } = self;
        into.nodes.extend(std::mem::take(&mut footage.touched));
        into.has_walkers |= std::mem::take(&mut footage.has_walkers);
        into.happened = std::mem::take(&mut footage.happened);
    }

    fn head(&self) -> Head {
        self.subject.head::<E>(self.footage)
    }

    fn look(&self, node: u32, into: &mut NodeView) {
        let Self { subject: FilmedPlan { plan, .. }, footage, world, locks } = self;
        let name = NodeId(node);
        if table(plan).is_some() {
            into.values.push(NodeValue::Class(S::agents(world.states())[node as usize].into()));
        }
        let status = world.status(name);
        let holder = world.holder_of(name);
        let standing = NodeLock::of(status.into(), holder.map(|holder| holder.0), node);
        into.values.push(standing.lock.value());
        if let Some(note) = E::TRIAL {
            let trials = if status == Status::Idle { 0 } else { locks.announced_now(name, note) };
            into.values.push(NodeValue::Number(trials.into()));
        }
        into.values.push(NodeValue::Node(standing.holder));
        let mut waiting = Vec::new();
        for envelope in world.in_transit(name) {
            waiting.push(format!("{}@{}", envelope.message, envelope.port));
            let from = if envelope.port.is_self() {
                Some(node)
            } else {
                world.topology().link(name, envelope.port).map(|link| link.peer.0)
            };
            if let Some(from) = from {
                let kind = E::kind(envelope.message) as u32;
                into.messages.push((envelope.sequence(), Message { from, to: node, kind }));
            }
        }
        into.values.push(NodeValue::word(waiting.join("\n")));
        into.values.push(NodeValue::word(enabled(world, name)));
        let variables = E::variables(world.memory(name)).into_iter();
        into.values.extend(variables.map(|(_, value)| NodeValue::word(value)));
        if let Some(following) = &footage.following {
            following.walking.look(node, &mut into.values);
        }
        into.neighbours.extend(world.topology().links(name).map(|(_, link)| link.peer.0));
    }
}

/// The label of a step, and a text with the details that the label omits.
fn said<E: RunAlgorithm, S: CountedSection>(world: &World<E, S>, step: &StepOf<E>) -> (u32, String) {
    let further = E::ACTIONS.len();
    let (action, text) = match *step {
        Step::Lock { .. } => (E::action(E::LOCK), String::new()),
        Step::Unlock { .. } => (E::action(E::UNLOCK), String::new()),
        Step::Act { action, .. } => (E::action(action), String::new()),
        Step::Receive { node, port, message } => {
            let from = match world.topology().link(node, port) {
                _ if port.is_self() => " from itself".to_owned(),
                Some(link) => format!(" from node {}", link.peer.0),
                None => String::new(),
            };
            let text = format!("node {} receives {message}{from} (port {port})", node.0);
            (E::action(world.exclusion().receives(message)), text)
        }
        Step::Leave { .. } => (further, step.to_string()),
        Step::Connect { .. } => (further + 1, step.to_string()),
        Step::Disconnect { .. } => (further + 2, step.to_string()),
    };
    (action as u32, text)
}

/// The labels of the enabled actions of a node, one per line: its checks, the messages that it can receive, and its
/// call.
fn enabled<E: RunAlgorithm, S: CountedSection>(world: &World<E, S>, node: NodeId) -> String {
    let mut actions = Vec::new();
    world.enabled_actions(node, &mut actions);
    let receives = world.receivable(node).map(|envelope| world.exclusion().receives(envelope.message));
    actions.extend(receives);
    if world.has_call(node) {
        actions.push(if world.status(node) == Status::Holding { E::UNLOCK } else { E::LOCK });
    }
    let mut words: Vec<String> = Vec::new();
    for action in actions {
        let word = action.to_string();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join("\n")
}

/// The guard of each action, by its label.
fn guards<E: RunAlgorithm>() -> BTreeMap<String, String> {
    let guard = |action| match E::guard(action) {
        Some(guard) => guard,
        None if action == E::LOCK => "the node has no Lock outstanding and wants to interact",
        None if action == E::UNLOCK => "the node holds its lock set, or is inside, and its section is done",
        None => "such a message waits at the node",
    };
    E::ACTIONS.iter().map(|&action| (action.to_string(), guard(action).to_owned())).collect()
}
