//! Replays a scenario through a [`LockLayerDriver`] and compares after every step.

use acrasin_runtime::choice::{ScriptFault, Scripted};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{NodeId, Port, Step, StepOf};

use super::super::comparison::{ScenarioComparison, sort};
use super::super::object::JsonObject;
use super::super::report::{ConformanceReport, ScenarioPoint};
use super::driver::{LockLayerDriver, Taken, enabled, transit};
use super::scenario::{Acted, After, Instant};
use super::show;
use super::text::{Final, LocalNode, LocalSent, NodeState, PortNumbers};
use crate::words::write_step;

/// A scenario to replay, without its initial configuration, which the driver has.
pub(super) struct LocalReplay<'a> {
    pub(super) id: &'a str,
    pub(super) line: u64,
    /// Whether broken promises of the lock layer count as differences.
    pub(super) keeps_promises: bool,
    pub(super) steps: &'a [Instant],
    pub(super) end: &'a Final,
}

/// Replays a conformance scenario on `driver`, and reports each difference from the file.
pub(super) fn replay<D: LockLayerDriver>(
    driver: D,
    replayed: &LocalReplay<'_>,
    report: &mut ConformanceReport,
) {
    let &LocalReplay { id, line, keeps_promises, steps, end } = replayed;
    let mut replay =
        Replay { driver, comparison: ScenarioComparison::new(id, line, report), promised: keeps_promises };
    for (number, instant) in steps.iter().enumerate() {
        replay.comparison.step(number + 1);
        if let Err(refused) = replay.instant(instant) {
            let mut words = String::new();
            write_step::<Local>(&mut words, &instant.step, &instant.picks);
            replay.comparison.ends_at(&words, &refused.to_string(), steps.len() - number - 1);
            return;
        }
        replay.promises(&instant.step);
    }
    replay.comparison.place = ScenarioPoint::Final;
    replay.end(end);
}

struct Replay<'a, D> {
    driver: D,
    comparison: ScenarioComparison<'a>,
    /// Whether to check the promises of the lock layer. False from the first broken promise on.
    promised: bool,
}

impl<D: LockLayerDriver> Replay<'_, D> {
    /// Takes one step and compares its result with the file. After an error the replay must end, since later steps
    /// would start from another configuration.
    fn instant(&mut self, instant: &Instant) -> Result<(), D::Refused> {
        let Instant { step, picks, after } = instant;
        if let (Step::Lock { node, .. }, After::Acted(acted)) = (step, after)
            && let Some(given) = &acted.neighbourhood
        {
            let actual = self.driver.closed_neighbourhood(*node);
            self.comparison.compare("do, lock set", given, &actual, show::ports);
        }
        let lost = match after {
            After::Acted(acted) if self.sends_into_nothing(step, acted) => {
                self.driver.lost_sends(step, picks)
            }
            _ => Vec::new(),
        };
        let peer = match *step {
            Step::Disconnect { node, port } => self.driver.peer(node, port),
            _ => None,
        };
        let mut script = Scripted::new(picks);
        let taken = self.driver.take(step, &mut script)?;
        match script.fault() {
            None => {}
            Some(ScriptFault::TooShort) => {
                self.comparison.differs("do, priority", "no draw", "a priority is drawn");
            }
            Some(ScriptFault::TooLong) => {
                self.comparison.differs("do, priority", "a draw", "no priority is drawn");
            }
            Some(fault @ ScriptFault::OutOfRange { .. }) => {
                self.comparison.differs("do, priority", "a draw", &format!("{fault:?}"));
            }
        }
        match (after, step.actor()) {
            (After::Acted(acted), Some(node)) => self.acted(node, acted, taken, lost),
            (After::Disconnected { detectors }, _) => {
                if let (&Step::Disconnect { node, .. }, Some(peer)) = (step, peer) {
                    self.detectors(detectors, node, peer);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn acted(&mut self, node: NodeId, acted: &Acted, taken: Taken, lost: Vec<LocalSent>) {
        let Taken { mut sends, returned, ignored } = taken;
        sends.extend(lost);
        let mut expected = acted.sends.clone();
        sort(&mut sends);
        sort(&mut expected);
        self.comparison.compare("sends", &expected[..], &sends[..], show::sends);
        self.comparison.compare("returns", &acted.returns, &returned, |ports| {
            ports.as_ref().map_or("nothing".to_owned(), show::ports)
        });
        self.comparison.compare("misuse", &acted.ignored, &ignored, bool::to_string);
        let mut listed = acted.enabled.clone();
        sort(&mut listed);
        self.comparison.compare("enabled", &listed[..], &enabled(&self.driver, node)[..], show::enabled);
        self.memory("node", &acted.node, node);
    }

    fn memory(&mut self, path: &str, expected: &LocalNode, node: NodeId) {
        let actual = self.driver.node(node);
        let at = |letter: &str| format!("{path}.{letter}");
        let port = |port: &Option<u16>| port.map_or("null".to_owned(), |port| port.to_string());
        self.comparison.compare(&at("lock"), &expected.lock, &actual.lock, port);
        self.comparison.compare(&at("state"), &expected.state, &actual.state, show::word);
        self.comparison.compare(&at("phase"), &expected.phase, &actual.phase, show::word);
        // After CheckUnlocked an implementation may clear L or keep it.
        if (expected.state, actual.state) != (NodeState::Bot, NodeState::Bot) {
            self.comparison.compare(&at("L"), &expected.L, &actual.L, show::ports);
        }
        self.comparison.compare(&at("R"), &expected.R, &actual.R, show::ports);
        self.comparison.compare(&at("W"), &expected.W, &actual.W, show::pairs);
        self.comparison.compare(&at("H"), &expected.H, &actual.H, show::ports);
        self.comparison.compare(&at("A"), &expected.A, &actual.A, show::ports);
        self.comparison.compare(&at("C"), &expected.C, &actual.C, show::ports);
        self.comparison.compare(&at("P"), &expected.P, &actual.P, show::pairs);
        self.comparison.compare(&at("D"), &expected.D, &actual.D, show::ports);
    }

    fn detectors(&mut self, expected: &[(u32, PortNumbers)], node: NodeId, peer: NodeId) {
        let actual = [node, peer].map(|end| (end.0, self.driver.detector(end)));
        self.comparison.compare("D", expected, &actual[..], show::detectors);
    }

    fn end(&mut self, end: &Final) {
        for (index, JsonObject(node)) in (0..).zip(&end.nodes) {
            self.memory(&format!("final.nodes[{index}]"), node, NodeId(index));
        }
        let mut expected = end.transit.clone();
        sort(&mut expected);
        self.comparison.compare("final.transit", &expected[..], &transit(&self.driver)[..], show::transit);
    }

    fn promises(&mut self, step: &StepOf<Local>) {
        if self.promised
            && let Some(violation) = self.driver.violation(step)
        {
            self.promised = false;
            self.comparison.differs("promises of the lock layer", "kept", &violation);
        }
    }

    /// Whether the file lists a send on a port without an edge. The published rules make such sends after an ignored
    /// call; they are lost, and a file may list or omit them.
    fn sends_into_nothing(&self, step: &StepOf<Local>, acted: &Acted) -> bool {
        let Some(node) = step.actor() else { return false };
        let is_open = |port: Port| !port.is_self() && self.driver.peer(node, port).is_none();
        acted.sends.iter().any(|&LocalSent(port, _)| is_open(port))
    }
}
