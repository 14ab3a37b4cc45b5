//! The steps that a node can take now.

use super::{LockSetRule, World};
use crate::choice::{Choices, Decision, pick_index};
use crate::exclusion::{Call, Exclusion, Status};
use crate::node::NodeId;
use crate::section::CriticalSection;
use crate::step::{LockSetRequest, Step, StepOf};

impl<E: Exclusion, S: CriticalSection> World<E, S> {
    /// The call that the node makes as soon as it is scheduled, if any.
    #[inline]
    fn call(&self, node: NodeId) -> Option<Call> {
        let state = || &self.states[node.index()];
        match self.exclusion.status(&self.memories[node.index()]) {
            Status::Idle => self.section.wants(state(), self.topology.degree(node)).then_some(Call::Lock),
            Status::Holding => self.section.unlocks(state()).then_some(Call::Unlock),
            Status::Waiting | Status::Releasing => None,
        }
    }

    #[inline]
    fn checks(&self, node: NodeId, into: &mut Vec<E::Action>) {
        into.clear();
        let disconnected = self.topology.has_report(node);
        let memory = &self.memories[node.index()];
        // Usually none is enabled, and testing for that is faster than listing.
        if self.exclusion.any_enabled(memory, disconnected) {
            self.exclusion.enabled(memory, disconnected, into);
        }
    }

    /// Whether the node can act without a message; `disconnected` tells whether its detector has a report.
    #[inline(always)] // Once for every step.
    pub(super) fn can_act(&self, node: NodeId, disconnected: bool) -> bool {
        self.exclusion.any_enabled(&self.memories[node.index()], disconnected) || self.call(node).is_some()
    }

    /// Updates whether a node is active. Called for every node in which a step changes more than the messages in
    /// transit.
    pub(super) fn refresh(&mut self, node: NodeId) {
        self.refresh_knowing(node, self.can_act(node, self.topology.has_report(node)));
    }

    /// Like [`refresh`](Self::refresh), for callers that know whether the node [can act](Self::can_act).
    #[inline(always)] // Once for every step.
    pub(super) fn refresh_knowing(&mut self, node: NodeId, unasked: bool) {
        let active = unasked || !self.in_transit(node).is_empty() || !self.unsent(node).is_empty();
        self.active.set(node, active, unasked);
    }

    /// The enabled actions of a node that need neither a message nor a call, in a fixed order. A busy node has none.
    pub fn enabled_actions(&self, node: NodeId, into: &mut Vec<E::Action>) {
        self.checks(node, into);
        if !self.unsent(node).is_empty() {
            into.clear();
        }
    }

    /// Appends the actions whose guard holds, even if the node is still sending.
    pub(crate) fn guarded_actions(&self, node: NodeId, into: &mut Vec<E::Action>) {
        self.checks(node, into);
    }

    /// Whether the node wants to call Lock or Unlock, even if it is still sending.
    pub(crate) fn wants_call(&self, node: NodeId) -> bool {
        self.call(node).is_some()
    }

    /// Picks one of the steps that the node can take now, all with equal probability. A step is a message in transit to
    /// it, an enabled action, or its call to Lock or Unlock. `None` if it can take none.
    ///
    /// A node that has not sent all messages of its last execution can only send the next one.
    #[inline(always)] // Once for every step, in one loop of the scheduler.
    pub fn pick_step(
        &self,
        node: NodeId,
        choices: &mut (impl Choices + ?Sized),
        actions: &mut Vec<E::Action>,
    ) -> Option<StepOf<E>> {
        if self.is_fifo() {
            return self.pick_in_order(node, choices, actions);
        }
        if let Some(unsent) = self.outboxes.get(node.index())
            && let Some(index) = pick_index(choices, unsent.len(), Decision::Action)
        {
            let (port, message) = unsent[index];
            return Some(Step::Leave { node, port, message });
        }
        let inbox = self.in_transit(node);
        let one_of = |choices: &mut _, count| {
            if count == 1 { Some(0) } else { pick_index(choices, count, Decision::Action) }
        };
        // The usual case: it can only receive, and that is known.
        if !self.active.acts_unasked(node) {
            let envelope = &inbox[one_of(choices, inbox.len())?];
            return Some(Step::Receive { node, port: envelope.port, message: envelope.message });
        }
        actions.clear();
        self.exclusion.enabled(self.memory(node), self.topology.has_report(node), actions);
        let call = self.call(node);
        let count = inbox.len() + actions.len() + usize::from(call.is_some());
        let index = one_of(choices, count)?;
        Some(if let Some(envelope) = inbox.get(index) {
            Step::Receive { node, port: envelope.port, message: envelope.message }
        } else if let Some(&action) = actions.get(index - inbox.len()) {
            Step::Act { node, action }
        } else {
            self.call_step(node, call?, choices)
        })
    }

    /// Like [`pick_step`](Self::pick_step), for channels that are first in, first out.
    fn pick_in_order(
        &self,
        node: NodeId,
        choices: &mut (impl Choices + ?Sized),
        actions: &mut Vec<E::Action>,
    ) -> Option<StepOf<E>> {
        if let Some(index) = pick_index(choices, self.may_leave(node).count(), Decision::Action) {
            let (port, message) = self.may_leave(node).nth(index)?;
            return Some(Step::Leave { node, port, message });
        }
        self.checks(node, actions);
        let call = self.call(node);
        let receivable = self.receivable(node).count();
        let count = receivable + actions.len() + usize::from(call.is_some());
        let index = if count == 1 { 0 } else { pick_index(choices, count, Decision::Action)? };
        Some(if let Some(envelope) = self.receivable(node).nth(index) {
            Step::Receive { node, port: envelope.port, message: envelope.message }
        } else if let Some(&action) = actions.get(index - receivable) {
            Step::Act { node, action }
        } else {
            self.call_step(node, call?, choices)
        })
    }

    fn call_step(&self, node: NodeId, call: Call, choices: &mut (impl Choices + ?Sized)) -> StepOf<E> {
        match call {
            Call::Unlock => Step::Unlock { node },
            Call::Lock => Step::Lock { node, claim: self.pick_claim(node, choices) },
        }
    }

    /// The lock set that a Lock of the node requests. The partner of a pair is a uniformly random current neighbour.
    pub fn pick_claim(&self, node: NodeId, choices: &mut (impl Choices + ?Sized)) -> LockSetRequest {
        match self.lock_set {
            LockSetRule::Neighbourhood => LockSetRequest::Neighbourhood,
            LockSetRule::Pair => {
                let degree = usize::from(self.topology.degree(node));
                let partner = pick_index(choices, degree, Decision::Partner);
                let port = partner.and_then(|index| self.topology.links(node).nth(index));
                port.map_or(LockSetRequest::Alone, |(port, _)| LockSetRequest::Pair(port.into()))
            }
        }
    }

    /// The Lock or Unlock step that the node takes as soon as it is scheduled, if any. The lock set of a Lock is picked
    /// here.
    pub fn pick_call(&self, node: NodeId, choices: &mut (impl Choices + ?Sized)) -> Option<StepOf<E>> {
        if self.unsent(node).is_empty() {
            Some(self.call_step(node, self.call(node)?, choices))
        } else {
            None
        }
    }

    /// Whether the node calls Lock or Unlock as soon as it is scheduled.
    #[must_use]
    pub fn has_call(&self, node: NodeId) -> bool {
        self.unsent(node).is_empty() && self.call(node).is_some()
    }

    /// Lists every step that some node can take now. An exhaustive exploration branches over these steps. Changes of
    /// the graph are not listed. Cost: O(nodes + messages).
    pub fn offered(&self, into: &mut Vec<StepOf<E>>) {
        into.clear();
        let mut actions = Vec::new();
        for node in self.topology.nodes().filter(|&node| self.is_active(node)) {
            if !self.unsent(node).is_empty() {
                into.extend(self.may_leave(node).map(|(port, message)| Step::Leave { node, port, message }));
                continue;
            }
            self.due(node, &mut actions, into);
            if self.call(node) == Some(Call::Lock) {
                match self.lock_set {
                    LockSetRule::Neighbourhood => {
                        into.push(Step::Lock { node, claim: LockSetRequest::Neighbourhood });
                    }
                    LockSetRule::Pair if self.topology.degree(node) == 0 => {
                        into.push(Step::Lock { node, claim: LockSetRequest::Alone });
                    }
                    LockSetRule::Pair => into.extend(
                        self.topology
                            .links(node)
                            .map(|(port, _)| Step::Lock { node, claim: LockSetRequest::Pair(port.into()) }),
                    ),
                }
            }
        }
    }

    /// Appends the receipts, enabled actions and Unlock of a node. Calls to Lock are not listed, because a node need
    /// not call Lock.
    fn due(&self, node: NodeId, actions: &mut Vec<E::Action>, into: &mut Vec<StepOf<E>>) {
        into.extend(self.receivable(node).map(|envelope| Step::Receive {
            node,
            port: envelope.port,
            message: envelope.message,
        }));
        self.checks(node, actions);
        into.extend(actions.iter().map(|&action| Step::Act { node, action }));
        if self.call(node) == Some(Call::Unlock) {
            into.push(Step::Unlock { node });
        }
    }

    /// Lists the receipts, enabled actions and Unlocks of nodes that are busy sending. These steps become possible when
    /// sending ends. Empty unless messages leave one by one. Cost: O(nodes + messages).
    pub fn delayed(&self, into: &mut Vec<StepOf<E>>) {
        into.clear();
        let mut actions = Vec::new();
        for node in self.topology.nodes().filter(|&node| !self.unsent(node).is_empty()) {
            self.due(node, &mut actions, into);
        }
    }
}
