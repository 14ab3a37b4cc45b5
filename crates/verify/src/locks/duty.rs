//! Labels and duties, for questions about infinite runs. A label contains the nodes that wait or hold in a
//! configuration. A duty is a step that weak fairness requires.

use acrasin_runtime::exclusion::{Call, Exclusion, Guarantee};
use acrasin_runtime::{CriticalSection, NodeId, Pack, Port, Status, Step, StepOf, World};

use super::instance::INSTANCE_NODES_MAX;
use acrasin_explore::Duty;

/// The offset of the holding bits in a label. The lower sixteen bits mark the nodes that have called and wait.
const HOLDING: u32 = INSTANCE_NODES_MAX;

/// Whether `node` has called Lock and waits, in a configuration with this label. If the algorithm keeps between l and k
/// nodes of each neighbourhood inside, nodes that have called Unlock and wait to leave also count.
#[must_use]
pub fn is_waiting(label: u32, node: u32) -> bool {
    label >> node & 1 == 1
}

/// Whether `node` holds its lock set, in a configuration with this label. If the algorithm keeps between l and k nodes
/// of each neighbourhood inside: whether `node` does not wait for a call.
#[must_use]
pub fn is_holding(label: u32, node: u32) -> bool {
    label >> (HOLDING + node) & 1 == 1
}

/// Whether Unlock can wait too, so that calling Lock is a duty. It is a duty if between l and k nodes of a
/// neighbourhood must be inside: a node that stays outside permanently can force a neighbour to stay inside.
fn every_node_continues<E: Exclusion>(exclusion: &E) -> bool {
    exclusion.promises() == Guarantee::AtLeastAtMost
}

/// Whether a node waits for the completion of its call; see [`is_waiting`].
pub(super) fn waits<E: Exclusion, S: CriticalSection>(world: &World<E, S>, node: NodeId) -> bool {
    match world.status(node) {
        Status::Waiting => true,
        Status::Releasing => every_node_continues(world.exclusion()),
        Status::Idle | Status::Holding => false,
    }
}

pub(super) fn label<E: Exclusion, S: CriticalSection>(world: &World<E, S>) -> u32 {
    let goes_on = every_node_continues(world.exclusion());
    world.topology().nodes().fold(0, |label, node| match world.status(node) {
        _ if waits(world, node) => label | 1 << node.0,
        Status::Idle if goes_on => label | 1 << (HOLDING + node.0),
        Status::Holding => label | 1 << (HOLDING + node.0),
        _ => label,
    })
}

/// A step that a weakly fair scheduler may not postpone forever: its kind, node, port, action and message class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DueStep<A> {
    kind: u32,
    class: u8,
    node: NodeId,
    port: Port,
    action: A,
}

/// The duty that a step fulfils: a receipt, an action, a departing message or Unlock. Graph changes fulfil none; Lock
/// fulfils one only if other nodes depend on it.
pub(super) fn due<E: Exclusion>(exclusion: &E, step: &StepOf<E>) -> Option<DueStep<E::Action>> {
    let own = |kind, node, action| DueStep { kind, class: 0, node, port: Port::SELF, action };
    let of = |kind, (node, port), message| {
        let (class, action) = (exclusion.fairness_class(message), exclusion.receives(message));
        DueStep { kind, class, node, port, action }
    };
    Some(match *step {
        Step::Act { node, action } => own(1, node, action),
        Step::Receive { node, port, message } => of(2, (node, port), message),
        Step::Leave { node, port, message } => of(3, (node, port), message),
        Step::Unlock { node } => own(4, node, exclusion.calls(Call::Unlock)),
        Step::Lock { node, .. } if every_node_continues(exclusion) => {
            own(5, node, exclusion.calls(Call::Lock))
        }
        Step::Lock { .. } | Step::Connect { .. } | Step::Disconnect { .. } => return None,
    })
}

/// The duty that a step fulfils, encoded as a number. `byte` is a scratch buffer.
pub(super) fn duty<E: Exclusion<Action: Pack>>(exclusion: &E, step: &StepOf<E>, byte: &mut Vec<u8>) -> Duty {
    let Some(DueStep { kind, class, node, port, action }) = due(exclusion, step) else { return Duty::NONE };
    byte.clear();
    action.pack(byte);
    assert_eq!(byte.len(), 1, "an action packs into one byte");
    // Kinds take three bits, classes the five bits above.
    let kind = kind + (u32::from(class) << 3);
    Duty(kind << 24 | node.0 << 16 | u32::from(port.0) << 8 | u32::from(byte[0]))
}
