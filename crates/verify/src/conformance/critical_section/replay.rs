//! Replays a scenario through the [`World`] and compares after every step.

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::Anomaly;
use acrasin_runtime::exclusion::Identifier;
use acrasin_runtime::exclusion::critical_section::{
    self, LocalSections, Memory, Message, Permission, ProcessPhase, Rank,
};
use acrasin_runtime::{Event, LockOnly, LockSetRequest, NodeId, Observer, Port, Step, StepOf, World};

use super::super::comparison::ScenarioComparison;
use super::super::report::{ConformanceReport, ScenarioPoint};
use super::text::{
    self, At, CriticalSectionMessage, CriticalSectionScenario, CriticalSectionSent, FIELDS, RequestTuple,
    State,
};

impl State {
    fn of(memory: &Memory) -> Self {
        let nil = |name: Option<Identifier>| name.map_or(0, |name| name.0 + 1);
        let entries = |entries: &[critical_section::ArbiterRequest]| -> Vec<RequestTuple> {
            let written = entries
                .iter()
                .map(|entry| (u32::from(entry.rank == Rank::Ordinary), entry.stamp, entry.owner.0 + 1));
            written.collect()
        };
        let phase = match memory.phase {
            ProcessPhase::Idle => 0,
            ProcessPhase::Exiting => 1,
            ProcessPhase::Entering => 2,
            // The repaired rules have no such phase; files follow those rules.
            ProcessPhase::Decided => 3,
        };
        let granted_by = memory.members.iter().filter(|&&(_, port)| memory.got.contains(port));
        let (inside, outside) = (memory.arbiter(Permission::Inside), memory.arbiter(Permission::Outside));
        Self(
            memory.inside.into(),
            phase,
            memory.clock,
            memory.stamp,
            granted_by.map(|&(name, _)| name.0 + 1).collect(),
            entries(&inside.granted),
            entries(&inside.pending),
            nil(inside.preempting),
            entries(&outside.granted),
            entries(&outside.pending),
            nil(outside.preempting),
            memory.triggered.into(),
            memory.over.into(),
            memory.excursion.into(),
            memory.busy.into(),
        )
    }
}

/// Collects the messages that a step sends, and records whether the step is an ignored call.
#[derive(Default)]
struct SectionStepObserver {
    sent: Vec<CriticalSectionSent>,
    is_ignored: bool,
}

impl Observer<LocalSections, LockOnly> for SectionStepObserver {
    fn event(&mut self, event: &Event<'_, LocalSections, LockOnly>) {
        if let Event::Anomaly { anomaly: Anomaly::IgnoredCall, .. } = *event {
            self.is_ignored = true;
        }
        if let Event::Sent { from, to, message } = *event {
            let Message { kind, permission, stamp, clock } = message;
            self.sent.push(CriticalSectionSent(
                from.0 + 1,
                to.0 + 1,
                written(kind),
                permission.into(),
                stamp,
                clock,
            ));
        }
    }
}

/// Replays a conformance scenario, and reports each difference between the messages and states of `world` and those of
/// the file.
pub(super) fn replay(
    mut world: World<LocalSections, LockOnly>,
    text: &CriticalSectionScenario,
    line: u64,
    report: &mut ConformanceReport,
) {
    let mut comparison = ScenarioComparison::new(&text.id, line, report);
    for (number, text::CriticalSectionStep(event, sent, state)) in text.steps.iter().enumerate() {
        comparison.step(number + 1);
        let (node, step) = taken(event, &world);
        let mut watch = SectionStepObserver::default();
        if let Err(refused) = world.apply(&step, &mut Scripted::new(&[]), &mut watch) {
            let left = text.steps.len() - number - 1;
            return comparison.ends_at(&step.to_string(), &refused.to_string(), left);
        }
        // A file contains a call only where its node accepts it, so an ignored call is a difference.
        if watch.is_ignored {
            comparison.differs("event", "a start that its process accepts", "ignored");
        }
        let (mut expected, mut actual) = (sent.clone(), watch.sent);
        // The sort is stable: messages to one destination keep their order, destinations are compared in any order.
        expected.sort_by_key(|sent| sent.1);
        actual.sort_by_key(|sent| sent.1);
        comparison.compare("sent", &expected[..], &actual[..], |sent| {
            let sent: Vec<String> = sent.iter().map(CriticalSectionSent::to_string).collect();
            format!("[{}]", sent.join(","))
        });
        states(&mut comparison, "state", state, world.memory(node));
        if let Err(violation) = world.check() {
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

/// The acting node of an event, and the step that the event describes. A `start` is an Unlock if the node is inside,
/// otherwise a Lock.
fn taken(
    event: &text::CriticalSectionEvent,
    world: &World<LocalSections, LockOnly>,
) -> (NodeId, StepOf<LocalSections>) {
    match *event {
        text::CriticalSectionEvent::Start(_, node) => {
            let node = NodeId(node - 1);
            let enters = Step::Lock { node, claim: LockSetRequest::Neighbourhood };
            (node, if world.memory(node).inside { Step::Unlock { node } } else { enters })
        }
        text::CriticalSectionEvent::Delivery(_, from, to, kind, at, stamp, clock) => {
            let (from, node) = (NodeId(from - 1), NodeId(to - 1));
            let port = world.topology().port_towards(node, from).map_or(Port::SELF, Port::from);
            let kind = critical_section::MessageKind::ALL[kind as usize];
            let message = Message { kind, permission: Permission::ALL[at as usize], stamp, clock };
            (node, Step::Receive { node, port, message })
        }
    }
}

fn written(kind: critical_section::MessageKind) -> CriticalSectionMessage {
    use critical_section::MessageKind as K;
    match kind {
        K::Request => CriticalSectionMessage::Req,
        K::Grant => CriticalSectionMessage::Grant,
        K::Release => CriticalSectionMessage::Rel,
        K::Preempt => CriticalSectionMessage::Pre,
        K::Relinquish => CriticalSectionMessage::Rlq,
        K::Trigger => CriticalSectionMessage::Trg,
        K::RequestByTrigger => CriticalSectionMessage::RbT,
        K::Done => CriticalSectionMessage::Done,
    }
}

impl From<Permission> for At {
    fn from(permission: Permission) -> Self {
        match permission {
            Permission::Inside => Self::X,
            Permission::Outside => Self::N,
        }
    }
}
