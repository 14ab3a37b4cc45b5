//! Replays a scenario through [`World::apply`] and compares after every step.

use acrasin_runtime::choice::{ScriptFault, Scripted};
use acrasin_runtime::exclusion::local::{Action, Local, Message};
use acrasin_runtime::exclusion::{Anomaly, Effects, Exclusion as _, Input};
use acrasin_runtime::{
    Demand, Event, LockOnly, LockSetRule, NodeId, Observer, Port, PortSet, Setup, Step, StepError, StepOf,
    Timing, World,
};

use super::report::{Difference, Place, Report};
use super::scenario::{Acted, After, Instant, Scenario};
use super::show;
use super::text::{Check, Final, InTransit, Node, NodeState, Object, Ports, Sent};
use crate::words::write_step;

/// What an action does besides changing its node's memory.
#[derive(Default)]
pub(super) struct Watch {
    sends: Vec<(NodeId, Message)>,
    pub(super) returned: Option<PortSet>,
    pub(super) ignored: bool,
}

impl Observer<Local, LockOnly> for Watch {
    fn event(&mut self, event: &Event<'_, Local, LockOnly>) {
        match *event {
            Event::Sent { to, message, .. } => self.sends.push((to, message)),
            Event::Granted { lock_set, .. } => self.returned = Some(lock_set.clone()),
            Event::Anomaly { anomaly: Anomaly::IgnoredCall, .. } => self.ignored = true,
            _ => {}
        }
    }
}

impl Watch {
    /// The messages that are in transit since the step of `node`, by the ports they left by. The graph is the same
    /// before and after an action, and simple.
    pub(super) fn sends(&self, world: &World<Local, LockOnly>, node: NodeId) -> Vec<Sent> {
        let sends = self.sends.iter().map(|&(to, message)| {
            let port = world.topology().port_towards(node, to).map_or(Port::SELF, Port::from);
            Sent(port, message)
        });
        sends.collect()
    }
}

/// A world in which nobody calls Lock by itself.
pub(super) fn world(algorithm: Local, topology: acrasin_runtime::Topology) -> World<Local, LockOnly> {
    let states = vec![Demand::Times(0); topology.node_count() as usize];
    World::new(Setup {
        exclusion: algorithm,
        section: LockOnly,
        topology,
        states,
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    })
}

/// The Check* actions of a node whose guards hold, sorted.
pub(super) fn enabled(world: &World<Local, LockOnly>, node: NodeId) -> Vec<Check> {
    let mut actions = Vec::new();
    world.enabled_actions(node, &mut actions);
    actions.retain(|&action| action != Action::CleanUp);
    actions.sort_unstable();
    actions.into_iter().map(Check).collect()
}

/// Everything in transit.
pub(super) fn transit(world: &World<Local, LockOnly>) -> Vec<InTransit> {
    let nodes = world.topology().nodes();
    nodes
        .flat_map(|node| world.in_transit(node).iter().map(move |one| InTransit(node, one.port, one.message)))
        .collect()
}

pub(super) fn replay(scenario: Scenario, line: u64, report: &mut Report) {
    report.scenario();
    let Scenario { id, variant, algorithm, topology, steps, end } = scenario;
    let world = world(algorithm, topology);
    let mut replay = Replay { world, id: &id, line, place: Place::Final, found: 0, report, promised: true };
    for (number, instant) in steps.iter().enumerate() {
        replay.place = Place::Step(number + 1);
        replay.report.step();
        if let Err(error) = replay.instant(instant) {
            let mut words = String::new();
            write_step(&mut words, &instant.step, &instant.picks);
            let left = steps.len() - number - 1;
            replay.differs("do", &words, &format!("{error}; the {left} steps that follow are not replayed"));
            return;
        }
        replay.promises(variant);
    }
    replay.place = Place::Final;
    replay.end(&end);
}

struct Replay<'a> {
    world: World<Local, LockOnly>,
    id: &'a str,
    line: u64,
    place: Place,
    found: u64,
    report: &'a mut Report,
    /// No promise of the lock layer has been broken so far.
    promised: bool,
}

impl Replay<'_> {
    fn differs(&mut self, field: &str, expected: &str, actual: &str) {
        self.report.difference(self.found, || Difference {
            scenario: self.id.to_owned(),
            line: self.line,
            place: self.place,
            field: field.to_owned(),
            expected: expected.to_owned(),
            actual: actual.to_owned(),
        });
        self.found += 1;
    }

    fn compare<T: PartialEq + ?Sized>(
        &mut self,
        field: &str,
        expected: &T,
        actual: &T,
        show: impl Fn(&T) -> String,
    ) {
        if expected != actual {
            self.differs(field, &show(expected), &show(actual));
        }
    }

    /// Takes one step. If it cannot happen, nothing after it means anything.
    fn instant(&mut self, instant: &Instant) -> Result<(), StepError> {
        let Instant { step, picks, after } = instant;
        if let (Step::Lock { node, .. }, After::Acted(acted)) = (step, after)
            && let Some(given) = &acted.neighbourhood
        {
            let actual = Ports::of(&self.world.topology().closed_neighbourhood(*node));
            self.compare("do, lock set", given, &actual, show::ports);
        }
        let lost = match after {
            After::Acted(acted) if self.sends_into_nothing(step, acted) => self.lost_sends(step, picks),
            _ => Vec::new(),
        };
        let peer = match *step {
            Step::Disconnect { node, port } => self.world.topology().link(node, port).map(|link| link.peer),
            _ => None,
        };
        let mut watch = Watch::default();
        let mut script = Scripted::new(picks);
        self.world.apply(step, &mut script, &mut watch)?;
        match script.fault() {
            None => {}
            Some(ScriptFault::TooShort) => self.differs("do, priority", "no draw", "a priority is drawn"),
            Some(ScriptFault::TooLong) => self.differs("do, priority", "a draw", "no priority is drawn"),
            Some(fault @ ScriptFault::OutOfRange { .. }) => {
                self.differs("do, priority", "a draw", &format!("{fault:?}"));
            }
        }
        match (after, step.actor()) {
            (After::Acted(acted), Some(node)) => self.acted(node, acted, &watch, lost),
            (After::Disconnected { detectors }, _) => {
                if let (&Step::Disconnect { node, .. }, Some(peer)) = (step, peer) {
                    self.detectors(detectors, node, peer);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn acted(&mut self, node: NodeId, acted: &Acted, watch: &Watch, lost: Vec<Sent>) {
        let mut sends = watch.sends(&self.world, node);
        sends.extend(lost);
        let mut expected = acted.sends.clone();
        sends.sort_unstable();
        expected.sort_unstable();
        self.compare("sends", &expected[..], &sends[..], show::sends);
        let returned = watch.returned.as_ref().map(Ports::of);
        self.compare("returns", &acted.returns, &returned, |ports| {
            ports.as_ref().map_or("nothing".to_owned(), show::ports)
        });
        self.compare("misuse", &acted.ignored, &watch.ignored, bool::to_string);
        let mut listed = acted.enabled.clone();
        listed.sort_unstable();
        self.compare("enabled", &listed[..], &enabled(&self.world, node)[..], show::enabled);
        self.memory("node", &acted.node, node);
    }

    fn memory(&mut self, path: &str, expected: &Node, node: NodeId) {
        let actual = Node::of(self.world.memory(node), self.world.topology().detector(node));
        let at = |letter: &str| format!("{path}.{letter}");
        let port = |port: &Option<u16>| port.map_or("null".to_owned(), |port| port.to_string());
        self.compare(&at("lock"), &expected.lock, &actual.lock, port);
        self.compare(&at("state"), &expected.state, &actual.state, show::word);
        self.compare(&at("phase"), &expected.phase, &actual.phase, show::word);
        // After CheckUnlocked an implementation may clear L or keep it.
        if (expected.state, actual.state) != (NodeState::Bot, NodeState::Bot) {
            self.compare(&at("L"), &expected.L, &actual.L, show::ports);
        }
        self.compare(&at("R"), &expected.R, &actual.R, show::ports);
        self.compare(&at("W"), &expected.W, &actual.W, show::pairs);
        self.compare(&at("H"), &expected.H, &actual.H, show::ports);
        self.compare(&at("A"), &expected.A, &actual.A, show::ports);
        self.compare(&at("C"), &expected.C, &actual.C, show::ports);
        self.compare(&at("P"), &expected.P, &actual.P, show::pairs);
        self.compare(&at("D"), &expected.D, &actual.D, show::ports);
    }

    fn detectors(&mut self, expected: &[(u32, Ports)], node: NodeId, peer: NodeId) {
        let actual = [node, peer].map(|end| (end.0, Ports::of(self.world.topology().detector(end))));
        self.compare("D", expected, &actual[..], show::detectors);
    }

    fn end(&mut self, end: &Final) {
        for (index, Object(node)) in (0..).zip(&end.nodes) {
            self.memory(&format!("final.nodes[{index}]"), node, NodeId(index));
        }
        let (mut expected, mut actual) = (end.transit.clone(), transit(&self.world));
        expected.sort_unstable();
        actual.sort_unstable();
        self.compare("final.transit", &expected[..], &actual[..], show::transit);
    }

    fn promises(&mut self, variant: super::Variant) {
        if !self.promised || !variant.keeps_promises() {
            return;
        }
        if let Some(violation) = self.world.violation().map(ToString::to_string) {
            self.promised = false;
            self.differs("promises of the lock layer", "kept", &violation);
        }
    }

    /// Whether the file lists a send on a port without an edge. The published rules make such sends after an ignored
    /// call; they are lost, and a file may list them or not.
    fn sends_into_nothing(&self, step: &StepOf<Local>, acted: &Acted) -> bool {
        let Some(node) = step.actor() else { return false };
        let is_open = |port: Port| !port.is_self() && self.world.topology().link(node, port).is_none();
        acted.sends.iter().any(|&Sent(port, _)| is_open(port))
    }

    /// What the action sends on ports without an edge. The world tells nobody about messages that never are in
    /// transit, so the action is executed on a copy of the memory.
    fn lost_sends(&self, step: &StepOf<Local>, picks: &[u32]) -> Vec<Sent> {
        let (algorithm, topology) = (self.world.exclusion(), self.world.topology());
        let Some(node) = step.actor() else { return Vec::new() };
        let neighbourhood = topology.closed_neighbourhood(node);
        let (action, message) = match *step {
            Step::Lock { .. } => (algorithm.locks(), None),
            Step::Unlock { .. } => (algorithm.unlocks(), None),
            Step::Act { action, .. }
                if algorithm.guard(self.world.memory(node), !topology.detector(node).is_empty(), action) =>
            {
                (action, None)
            }
            Step::Receive { port, message, .. } => (algorithm.receives(message), Some((port, message))),
            _ => return Vec::new(),
        };
        let input = Input { neighbourhood: &neighbourhood, disconnected: topology.detector(node), message };
        let mut effects = Effects::new();
        let mut memory = self.world.memory(node).clone();
        algorithm.execute(&mut memory, action, input, &mut Scripted::new(picks), &mut effects);
        effects.sends.retain(|&(port, _)| !port.is_self() && topology.link(node, port).is_none());
        effects.sends.into_iter().map(|(port, message)| Sent(port, message)).collect()
    }
}
