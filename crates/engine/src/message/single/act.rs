//! One action of the paper on one node.
//!
//! The runtime's own code ([`Local`](acrasin_runtime::exclusion::local::Local)) works on sets that a node stores. Here
//! most sets follow from the neighbours' published words. An action changes only this node's published word and its
//! private bits. Effects occur in the order of the paper.

use acrasin_runtime::Port;
use acrasin_runtime::exclusion::local::{Action, LockNote, Message, Priority};
use acrasin_runtime::exclusion::{ActionEffects, Anomaly};

use super::view::{NodeSets, port_set, ports};
use crate::message::word::{LOCK, LockCode, NodeWord};

/// A single action of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeAction<W> {
    /// A call to Lock with this lock set.
    Lock(W),
    /// A call to Unlock.
    Unlock,
    /// An action whose guard holds.
    Act(Action),
    /// Receives the message of the initiator on this port.
    Request(u32),
    /// Receives the reply on this port.
    Reply(u32),
}

/// Executes one action. `draw` returns the priority of a trial.
pub(super) fn execute<W: NodeWord>(
    view: &mut NodeSets<W>,
    what: NodeAction<W>,
    draw: &mut dyn FnMut() -> u32,
    effects: &mut ActionEffects<Message, LockNote>,
) {
    match what {
        NodeAction::Lock(claim) => {
            clean_up(view, W::NONE, effects);
            if view.code() == LockCode::Idle {
                view.set_code(LockCode::Prepare);
                broadcast(view, claim, Message::Prepare, effects);
            } else {
                effects.anomaly = Some(Anomaly::IgnoredCall);
            }
        }
        NodeAction::Unlock => {
            clean_up(view, W::NONE, effects);
            if view.code() == LockCode::Locked {
                view.set_code(LockCode::Unlock);
                broadcast(view, view.members(), Message::ReleaseLock, effects);
            } else {
                effects.anomaly = Some(Anomaly::IgnoredCall);
            }
        }
        NodeAction::Act(action) => act(view, action, draw, effects),
        NodeAction::Request(port) => receive(view, port, view.request(port), effects),
        NodeAction::Reply(port) => {
            clean_up(view, W::NONE, effects);
            view.replies |= W::ONE << port;
        }
    }
}

/// CleanUp: reads the detector, and answers the prepares on hold if no candidate but `leaving` is left. Neighbours
/// behind vanished edges were removed from all sets when the edges vanished.
fn clean_up<W: NodeWord>(view: &mut NodeSets<W>, leaving: W, effects: &mut ActionEffects<Message, LockNote>) {
    view.edges = view.edges & !(W::ports(W::PORTS) >> 1 << W::DETECTOR);
    if view.candidates() & !leaving == W::NONE {
        let promoted = view.on_hold();
        answer(view, promoted, Message::Ready, effects);
    }
}

fn answer<W: NodeWord>(
    view: &mut NodeSets<W>,
    to: W,
    message: Message,
    effects: &mut ActionEffects<Message, LockNote>,
) {
    effects.sends.extend(ports(to).map(|port| (Port(port as u16), message)));
    view.reply_to(to, if message == Message::Win(true) { to } else { W::NONE });
}

fn broadcast<W: NodeWord>(
    view: &mut NodeSets<W>,
    members: W,
    message: Message,
    effects: &mut ActionEffects<Message, LockNote>,
) {
    effects.sends.extend(ports(members).map(|port| (Port(port as u16), message)));
    view.send_to_all(members);
}

fn receive<W: NodeWord>(
    view: &mut NodeSets<W>,
    port: u32,
    message: Message,
    effects: &mut ActionEffects<Message, LockNote>,
) {
    let bit = W::ONE << port;
    match message {
        Message::SetLock => {
            view.word |= W::ONE << LOCK;
            clean_up(view, bit, effects);
            answer(view, bit, Message::AckLock, effects);
        }
        Message::ReleaseLock => {
            clean_up(view, W::NONE, effects);
            view.word = view.word & !(W::ONE << LOCK);
            answer(view, bit, Message::AckUnlock, effects);
        }
        Message::Prepare => {
            clean_up(view, W::NONE, effects);
            if view.candidates() == W::NONE {
                answer(view, bit, Message::Ready, effects);
            } else {
                view.seen |= bit;
            }
        }
        _ => {
            clean_up(view, W::NONE, effects);
            let first = view.applicants() & bit != W::NONE;
            if first && view.candidates() != view.stored() {
                effects.announce(LockNote::LateRejection);
                answer(view, bit, Message::Win(false), effects);
            } else {
                view.seen |= bit;
            }
        }
    }
}

fn act<W: NodeWord>(
    view: &mut NodeSets<W>,
    action: Action,
    draw: &mut dyn FnMut() -> u32,
    effects: &mut ActionEffects<Message, LockNote>,
) {
    clean_up(view, W::NONE, effects);
    match action {
        Action::CheckStart => start_trial(view, LockCode::First, draw, effects),
        Action::CheckWin if view.lost() != W::NONE => start_trial(view, LockCode::Later, draw, effects),
        Action::CheckWin => {
            view.set_code(LockCode::Win);
            broadcast(view, view.members(), Message::SetLock, effects);
        }
        Action::CheckDone => {
            view.set_code(LockCode::Locked);
            view.replies = W::NONE;
            effects.granted = Some(port_set(view.members()));
        }
        Action::CheckUnlocked => {
            view.set_code(LockCode::Idle);
            view.replies = W::NONE;
            effects.released = true;
        }
        Action::CheckPriorities => {
            let candidates = view.candidates();
            let winner = if view.word.has(LOCK) { W::NONE } else { view.unique_highest() };
            answer(view, winner, Message::Win(true), effects);
            answer(view, candidates & !winner, Message::Win(false), effects);
        }
        // `clean_up` above has done CleanUp; no other action has a guard.
        _ => {}
    }
}

fn start_trial<W: NodeWord>(
    view: &mut NodeSets<W>,
    code: LockCode,
    draw: &mut dyn FnMut() -> u32,
    effects: &mut ActionEffects<Message, LockNote>,
) {
    let priority = draw();
    view.word = view.word & !(W::ALL << W::PRIORITY) | W::of(u64::from(priority)) << W::PRIORITY;
    view.set_code(code);
    broadcast(view, view.members(), Message::RequestLock(Priority(priority)), effects);
    effects.announce(LockNote::Trial);
}
