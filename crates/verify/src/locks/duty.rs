//! Who waits in a configuration, and what a weakly fair scheduler must take: the labels and duties of questions about infinite runs.

use acrasin_runtime::exclusion::{Call, Exclusion, Guarantee};
use acrasin_runtime::{CriticalSection, Pack, Port, Status, Step, StepOf, World};

use super::instance::INSTANCE_NODES_MAX;
use acrasin_explore::Duty;

/// Bits of a label: nodes that have called and wait; nodes that have what they called for are sixteen bits higher.
const HOLDING: u32 = INSTANCE_NODES_MAX;

/// Whether node `node` has called Lock and waits, in a configuration with this label. Where between l and k nodes of each
/// neighbourhood are inside, a node that has called Unlock and waits to leave is one, too.
#[must_use]
pub fn is_waiting(label: u32, node: u32) -> bool {
    label >> node & 1 == 1
}

/// Whether node `node` holds its lock set, in a configuration with this label. Where between l and k nodes of each
/// neighbourhood are inside, whether it waits for nothing.
#[must_use]
pub fn is_holding(label: u32, node: u32) -> bool {
    label >> (HOLDING + node) & 1 == 1
}

/// Whether Unlock can wait, and Lock is due. Between l and k of a neighbourhood stay inside only as long as its nodes go in and out:
/// whoever stays outside for ever can keep another inside.
fn everybody_goes_on<E: Exclusion>(exclusion: &E) -> bool {
    exclusion.promises() == Guarantee::AtLeastAtMost
}

pub(super) fn label<E: Exclusion, S: CriticalSection>(world: &World<E, S>) -> u32 {
    let goes_on = everybody_goes_on(world.exclusion());
    world.topology().nodes().fold(0, |label, node| match world.status(node) {
        Status::Releasing if goes_on => label | 1 << node.0,
        Status::Idle if goes_on => label | 1 << (HOLDING + node.0),
        Status::Waiting => label | 1 << node.0,
        Status::Holding => label | 1 << (HOLDING + node.0),
        Status::Idle | Status::Releasing => label,
    })
}

/// Who must be taken by a weakly fair scheduler: receipts, actions, messages that leave, and Unlock; not changes of the graph, and not
/// Lock, unless others depend on it.
pub(super) fn duty<E: Exclusion<Action: Pack>>(exclusion: &E, step: &StepOf<E>, byte: &mut Vec<u8>) -> Duty {
    // Kinds take three bits, classes the five above them.
    let of = |kind: u32, message| (kind + (u32::from(exclusion.fairness_class(message)) << 3), message);
    let receipt = |(kind, message), node, port| (kind, node, port, exclusion.receives(message));
    let (kind, node, port, action) = match *step {
        Step::Act { node, action } => (1, node, Port::SELF, action),
        Step::Receive { node, port, message } => receipt(of(2, message), node, port),
        Step::Leave { node, port, message } => receipt(of(3, message), node, port),
        Step::Unlock { node } => (4, node, Port::SELF, exclusion.calls(Call::Unlock)),
        Step::Lock { node, .. } if everybody_goes_on(exclusion) => {
            (5, node, Port::SELF, exclusion.calls(Call::Lock))
        }
        Step::Lock { .. } | Step::Connect { .. } | Step::Disconnect { .. } => return Duty::NONE,
    };
    byte.clear();
    action.pack(byte);
    assert_eq!(byte.len(), 1, "an action packs into one byte");
    Duty(kind << 24 | node.0 << 16 | u32::from(port.0) << 8 | u32::from(byte[0]))
}
