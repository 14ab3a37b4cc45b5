//! Runs in the notation of the paper.

use std::fmt::Write as _;

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::{Anomaly, Exclusion, Stamps};
use acrasin_runtime::{CriticalSection, Event, NodeId, Observer, Port, PortSet, Step, StepOf, World};

/// The name of a node: `a`, `b`, ... for the first 26, as in the specification, then `n26`, ...
#[must_use]
pub fn node_name(node: NodeId) -> String {
    match u8::try_from(node.0) {
        Ok(index) if index < 26 => char::from(b'a' + index).to_string(),
        _ => format!("n{node}"),
    }
}

/// A port of a node, such as `a.1`.
fn end(node: NodeId, port: Port) -> String {
    format!("{}.{port}", node_name(node))
}

/// Collects the effects of a step that its line names: a returned lock set, an ignored call, and notes.
struct Said<E: Exclusion> {
    granted: Option<PortSet>,
    ignored: bool,
    notes: Vec<E::Note>,
}

impl<E: Exclusion, S: CriticalSection> Observer<E, S> for Said<E> {
    fn event(&mut self, event: &Event<'_, E, S>) {
        match event {
            Event::Granted { lock_set, .. } => self.granted = Some((*lock_set).clone()),
            Event::Anomaly { anomaly: Anomaly::IgnoredCall, .. } => self.ignored = true,
            Event::Noted { note, .. } => self.notes.push(*note),
            _ => {}
        }
    }
}

/// Takes steps with their picks, and describes each on one line: `a receives prepare@1`, `b CheckStart(0)`, `disconnect
/// a.1-b.1`. A number in brackets after an action is the drawn priority.
///
/// # Panics
///
/// Panics at a step that is not possible.
pub fn narrate<E: Exclusion, S: CriticalSection>(
    world: &mut World<E, S>,
    steps: &[(StepOf<E>, Vec<u32>)],
) -> Vec<String> {
    steps.iter().map(|(step, picks)| narrate_step(world, step, picks)).collect()
}

fn narrate_step<E: Exclusion, S: CriticalSection>(
    world: &mut World<E, S>,
    step: &StepOf<E>,
    picks: &[u32],
) -> String {
    let peer = |node: NodeId, port: Port| {
        let link = world.topology().link(node, port);
        link.map_or_else(|| end(node, port), |link| end(link.peer, link.peer_port.into()))
    };
    let mut text = match *step {
        Step::Lock { node, .. } => format!("{} calls Lock", node_name(node)),
        Step::Unlock { node } => format!("{} calls Unlock", node_name(node)),
        Step::Act { node, action } => format!("{} {action}", node_name(node)),
        Step::Receive { node, port, message } => format!("{} receives {message}@{port}", node_name(node)),
        Step::Leave { node, port, message } => format!("{message} leaves {}", end(node, port)),
        Step::Connect { a, a_port, b, b_port } => format!("connect {}-{}", end(a, a_port), end(b, b_port)),
        Step::Disconnect { node, port } => format!("disconnect {}-{}", end(node, port), peer(node, port)),
    };
    if !picks.is_empty() {
        let picks: Vec<String> = picks.iter().map(ToString::to_string).collect();
        let _ = write!(text, "({})", picks.join(","));
    }
    let mut said: Said<E> = Said { granted: None, ignored: false, notes: Vec::new() };
    let mut choices = Scripted::new(picks);
    let mut seen: &mut dyn Observer<E, S> = &mut said;
    world.apply(step, &mut choices, &mut seen).expect("a step of a run can be taken");
    if matches!(world.exclusion().stamps(), Stamps::AnyOrder | Stamps::Ranked) {
        world.normalise();
    }
    if said.ignored {
        text.push_str(", ignored");
    }
    for remark in said.notes.into_iter().filter_map(|note| world.exclusion().remark(note)) {
        let _ = write!(text, ", {remark}");
    }
    if let Some(lock_set) = said.granted {
        let _ = write!(text, ", Lock returns {lock_set}");
    }
    text
}
