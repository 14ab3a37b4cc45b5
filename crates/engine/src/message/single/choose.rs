//! The enabled actions of a node, and the choice among them.

use std::num::NonZeroU32;

use acrasin_runtime::exclusion::local::{Action, Local, Memory};

use super::act::NodeAction;
use super::round_context::RoundContext;
use super::view::{NodeSets, ports};
use crate::message::word::{LockCode, NodeWord};

/// The chosen action of a node.
pub(super) struct ChosenAction<W> {
    pub(super) what: NodeAction<W>,
    /// Whether the action is a call to Lock.
    pub(super) calls: bool,
}

/// The checks whose guard holds, in the order of [`World::enabled_actions`](acrasin_runtime::World::enabled_actions).
pub(super) fn checks<W: NodeWord>(
    view: &NodeSets<W>,
    local: &Local,
    frozen: Option<&Memory>,
) -> [Option<Action>; 3] {
    if let Some(memory) = frozen {
        let holds = |&action: &Action| local.guard(memory, true, action);
        let own = [Action::CheckStart, Action::CheckWin, Action::CheckDone, Action::CheckUnlocked];
        return [
            own.into_iter().find(holds),
            Some(Action::CheckPriorities).filter(holds),
            Some(Action::CleanUp).filter(holds),
        ];
    }
    let own = match view.code() {
        LockCode::Prepare => Some(Action::CheckStart),
        LockCode::First | LockCode::Later => Some(Action::CheckWin),
        LockCode::Win => Some(Action::CheckDone),
        LockCode::Unlock => Some(Action::CheckUnlocked),
        LockCode::Idle | LockCode::Locked => None,
    };
    let candidates = view.candidates();
    let decides = candidates != W::NONE && candidates == view.stored();
    [own.filter(|_| view.replied() == view.members()), decides.then_some(Action::CheckPriorities), None]
}

/// Chooses one of the enabled actions of a node with equal probability; `None` if there is none.
///
/// The order of the actions is: receptions of the messages in transit, by port and with requests before replies; then
/// checks; then the node's call.
pub(super) fn choose<W: NodeWord>(
    view: &NodeSets<W>,
    turn: &RoundContext<'_>,
    node: u32,
    wants: bool,
) -> Option<ChosenAction<W>> {
    let (asking, answering) = (view.asking(), view.answering());
    let checks = checks(view, &turn.local, turn.frozen.get(&node));
    let call = match view.code() {
        LockCode::Idle => wants,
        LockCode::Locked => true,
        _ => false,
    };
    let messages = (asking.ones() + answering.ones()).number() as u32;
    let count = messages + checks.iter().flatten().count() as u32 + u32::from(call);
    let mut index = turn.actions.below(u64::from(node), NonZeroU32::new(count)?);
    for port in ports(asking | answering) {
        for (there, what) in
            [(asking.has(port), NodeAction::Request(port)), (answering.has(port), NodeAction::Reply(port))]
        {
            if there && index == 0 {
                return Some(ChosenAction { what, calls: false });
            }
            index -= u32::from(there);
        }
    }
    if let Some(&action) = checks.iter().flatten().nth(index as usize) {
        return Some(ChosenAction { what: NodeAction::Act(action), calls: false });
    }
    let lock = view.code() == LockCode::Idle;
    let what = if lock {
        let present = view.edges.present() & !W::ONE;
        NodeAction::Lock(turn.inputs.claim(node, present) | W::ONE)
    } else {
        NodeAction::Unlock
    };
    Some(ChosenAction { what, calls: lock })
}
