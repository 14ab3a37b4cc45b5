//! Weak fairness within a stated bound.
//!
//! Every message on a lasting edge is received, and every action that stays enabled is executed, within a bounded
//! number of turns. Overdue items are executed first, oldest first, instead of the steps that the scheduler planned.

use std::collections::VecDeque;

use crate::choice::Choices;
use crate::exclusion::Exclusion;
use crate::node::NodeId;
use crate::pack::{Pack, PackError, Saved};
use crate::saved_fields;
use crate::section::CriticalSection;
use crate::step::{Step, StepOf};
use crate::world::World;

/// Work of a node that is enabled without a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PendingWork<A> {
    Action(A),
    Call,
    /// Messages that have not left yet, of an execution that takes several steps.
    Unsent,
}

#[derive(Clone, Copy, Debug)]
enum FairItem<A> {
    Message(u64),
    Pending(PendingWork<A>),
}

impl<A: Pack> Pack for PendingWork<A> {
    fn pack(&self, into: &mut Vec<u8>) {
        match self {
            Self::Call => into.push(0),
            Self::Unsent => into.push(1),
            Self::Action(action) => {
                into.push(2);
                action.pack(into);
            }
        }
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        match u8::unpack(from)? {
            0 => Ok(Self::Call),
            1 => Ok(Self::Unsent),
            2 => A::unpack(from).map(Self::Action),
            _ => Err(PackError),
        }
    }
}

impl<A: Pack> Pack for FairItem<A> {
    fn pack(&self, into: &mut Vec<u8>) {
        match self {
            Self::Message(sequence) => (false, *sequence).pack(into),
            Self::Pending(pending) => {
                into.push(1);
                pending.pack(into);
            }
        }
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        if bool::unpack(from)? {
            PendingWork::unpack(from).map(Self::Pending)
        } else {
            u64::unpack(from).map(Self::Message)
        }
    }
}

/// Makes any scheduler weakly fair.
///
/// An item is a message in transit, an enabled action, a pending call, or the unsent messages of an execution that
/// takes several steps. An item that has waited [`bound`](Self::bound) turns is forced. Items that fall due together
/// are forced oldest first: one per turn, or in rounds one per node and round.
///
/// So no item waits longer than the bound plus one turn for each item that is due before it. If messages leave one by
/// one, add one turn for each message that the node concerned has still to send, at most 2Δ + 2.
/// [`longest`](Self::longest) is the longest wait observed.
#[derive(Clone, Debug)]
pub struct WeaklyFair<A> {
    bound: u64,
    queue: VecDeque<(u64, NodeId, FairItem<A>)>,
    /// Pending items of each node, each with the turn since which it is pending.
    pending: Vec<Vec<(PendingWork<A>, u64)>>,
    seen: u64,
    forced: u64,
    longest: u64,
    /// Queue length above which entries of items that no longer wait are removed.
    purge_above: usize,
    actions: Vec<A>,
    touched: Vec<NodeId>,
}

saved_fields!(WeaklyFair<A> { queue, pending fixed, seen, forced, longest, purge_above });

/// Minimum queue length for removing entries: a shorter queue is not worth the scan.
const PURGE_LEAST: usize = 1 << 12;

impl<A: Copy + Eq> WeaklyFair<A> {
    /// Creates a fairness bound that forces each item that has waited `bound` turns (at least 1).
    #[must_use]
    pub fn with_bound(bound: u64) -> Self {
        Self {
            bound: bound.max(1),
            queue: VecDeque::new(),
            pending: Vec::new(),
            seen: 0,
            forced: 0,
            longest: 0,
            purge_above: PURGE_LEAST,
            actions: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// The number of turns after which a waiting item is forced.
    #[must_use]
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// The number of forced steps.
    #[must_use]
    pub fn forced(&self) -> u64 {
        self.forced
    }

    /// The longest wait of an item so far, in turns.
    #[must_use]
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// Sets the state that was saved at turn `now`.
    pub(crate) fn load_at(&mut self, (nodes, now): (u32, u64), from: &mut &[u8]) -> Result<(), PackError>
    where
        A: Pack,
    {
        self.load(from)?;
        let is_entry = |&(since, node, _): &(u64, NodeId, FairItem<A>)| since <= now && node.0 < nodes;
        if self.queue.iter().all(is_entry) { Ok(()) } else { Err(PackError) }
    }

    /// Registers the items of all nodes at the start of a run.
    pub(crate) fn start<E, S>(&mut self, world: &World<E, S>, now: u64)
    where
        E: Exclusion<Action = A>,
        S: CriticalSection,
    {
        *self = Self::with_bound(self.bound);
        self.pending = vec![Vec::new(); world.topology().node_count() as usize];
        for node in world.topology().nodes() {
            self.look_at(world, node, now, None);
        }
        self.seen = world.messages_sent();
    }

    /// Updates the items of the nodes that a step touched.
    pub(crate) fn applied<E, S>(&mut self, world: &World<E, S>, step: &StepOf<E>, now: u64)
    where
        E: Exclusion<Action = A>,
        S: CriticalSection,
    {
        let done = match *step {
            Step::Act { node, action } => Some((node, PendingWork::Action(action))),
            Step::Lock { node, .. } | Step::Unlock { node } => Some((node, PendingWork::Call)),
            // Not `Leave`: the messages of an action are one item, from its start to the last of them.
            _ => None,
        };
        let mut touched = std::mem::take(&mut self.touched);
        touched.clear();
        touched.extend(world.touched());
        touched.sort_unstable();
        touched.dedup();
        for &node in &touched {
            let done = done.and_then(|(actor, pending)| (actor == node).then_some(pending));
            self.look_at(world, node, now, done);
        }
        self.touched = touched;
        self.seen = world.messages_sent();
    }

    fn look_at<E, S>(&mut self, world: &World<E, S>, node: NodeId, now: u64, done: Option<PendingWork<A>>)
    where
        E: Exclusion<Action = A>,
        S: CriticalSection,
    {
        let new = world.in_transit(node).iter().filter(|envelope| envelope.sequence() >= self.seen);
        self.queue.extend(new.map(|envelope| (now, node, FairItem::Message(envelope.sequence()))));
        let before = std::mem::take(&mut self.pending[node.index()]);
        // Also while the node is busy, so that what waits meanwhile keeps its age.
        world.guarded_actions(node, &mut self.actions);
        let actions = self.actions.iter().map(|&action| PendingWork::Action(action));
        let call = world.wants_call(node).then_some(PendingWork::Call);
        let unsent = (!world.unsent(node).is_empty()).then_some(PendingWork::Unsent);
        let mut pending = Vec::with_capacity(before.len() + 1);
        for now_enabled in actions.chain(call).chain(unsent) {
            let since = before.iter().find(|(p, _)| *p == now_enabled && done != Some(now_enabled));
            pending.push((now_enabled, since.map_or(now, |&(_, since)| since)));
            if since.is_none() {
                self.queue.push_back((now, node, FairItem::Pending(now_enabled)));
            }
        }
        self.pending[node.index()] = pending;
    }

    /// Whether an item that began to wait at turn `since` still waits.
    fn waits<E, S>(&self, world: &World<E, S>, (since, node, item): (u64, NodeId, FairItem<A>)) -> bool
    where
        E: Exclusion<Action = A>,
        S: CriticalSection,
    {
        match item {
            FairItem::Message(sequence) => {
                world.in_transit(node).iter().any(|envelope| envelope.sequence() == sequence)
            }
            FairItem::Pending(pending) => self.pending[node.index()].contains(&(pending, since)),
        }
    }

    /// The step that executes a waiting item, or lets its busy node send the next message. `None` if the item no longer
    /// waits.
    fn step_for<E, S>(
        &self,
        world: &World<E, S>,
        (_, node, item): (u64, NodeId, FairItem<A>),
        choices: &mut dyn Choices,
    ) -> Option<StepOf<E>>
    where
        E: Exclusion<Action = A>,
        S: CriticalSection,
    {
        // A busy node finishes sending first.
        if let Some(&(port, message)) = world.unsent(node).first() {
            return Some(Step::Leave { node, port, message });
        }
        Some(match item {
            FairItem::Message(sequence) => {
                let envelope =
                    world.in_transit(node).iter().find(|envelope| envelope.sequence() == sequence)?;
                let envelope = world.first_for(node, envelope);
                Step::Receive { node, port: envelope.port, message: envelope.message }
            }
            FairItem::Pending(pending) => {
                match pending {
                    PendingWork::Action(action) => Step::Act { node, action },
                    PendingWork::Call => world.pick_call(node, choices)?,
                    // The node is not busy here, so nothing is unsent.
                    PendingWork::Unsent => return None,
                }
            }
        })
    }

    /// Replaces planned steps by overdue ones. In a step-by-step schedule this is the whole turn, in a round only the
    /// steps of the nodes concerned.
    pub(crate) fn enforce<E, S>(
        &mut self,
        world: &World<E, S>,
        now: u64,
        one_step: bool,
        choices: &mut dyn Choices,
        turn: &mut Vec<StepOf<E>>,
    ) where
        E: Exclusion<Action = A>,
        S: CriticalSection,
    {
        if self.queue.len() > self.purge_above {
            let mut queue = std::mem::take(&mut self.queue);
            queue.retain(|&entry| self.waits(world, entry));
            self.purge_above = PURGE_LEAST.max(2 * queue.len());
            self.queue = queue;
        }
        let mut index = 0;
        let mut nodes_forced: Vec<NodeId> = Vec::new();
        while let Some(&entry) = self.queue.get(index) {
            let (since, node, _) = entry;
            let age = now - since;
            // The oldest entry is examined in any case, for the longest wait.
            if age < self.bound && index > 0 {
                break;
            }
            if !self.waits(world, entry) {
                self.queue.remove(index);
                continue;
            }
            self.longest = self.longest.max(age);
            if age < self.bound {
                break;
            }
            if !nodes_forced.contains(&node)
                && let Some(step) = self.step_for(world, entry, choices)
            {
                nodes_forced.push(node);
                if one_step {
                    turn.clear();
                } else {
                    turn.retain(|planned| planned.actor() != Some(node));
                }
                turn.push(step);
                self.forced += 1;
                if one_step {
                    break;
                }
            }
            index += 1;
        }
    }
}
