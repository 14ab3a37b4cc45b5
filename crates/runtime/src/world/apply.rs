//! [`World::apply`]: the only mutation.

use super::{Envelope, Observer, Timing, World};
use crate::choice::Choices;
use crate::event::Event;
use crate::exclusion::{Call, Effects, Exclusion, Input, Promise, Status};
use crate::node::NodeId;
use crate::port::{Port, PortSet};
use crate::section::{CriticalSection, Locked};
use crate::step::{Claim, Step, StepError, StepOf};

impl<E: Exclusion, S: CriticalSection> World<E, S> {
    /// Takes one step.
    ///
    /// An action execution starts atomically: the action, its message, the detector's report (read and reset) and
    /// the ports alive are one snapshot. Its sends are bound to the edge instances of that moment. A Lock or Unlock
    /// that the rules ignore is a legal step (misuse is part of the model).
    ///
    /// Cost: O(Δ / 64 + sends) and the critical section.
    ///
    /// # Errors
    ///
    /// [`StepError`] if the step cannot happen now; nothing has changed then.
    pub fn apply(
        &mut self,
        step: &StepOf<E>,
        choices: &mut dyn Choices,
        observer: &mut impl Observer<E, S>,
    ) -> Result<(), StepError> {
        self.scratch.touched.clear();
        self.scratch.changed.clear();
        match *step {
            Step::Lock { node, claim } => {
                self.check_ready(node)?;
                let neighbourhood = self.claimed(node, claim)?;
                if self.status(node) == Status::Idle {
                    self.monitor.lock_called(node, &neighbourhood);
                }
                let action = self.exclusion.calls(Call::Lock);
                self.execute(node, action, &neighbourhood, None, choices, observer);
            }
            Step::Unlock { node } => {
                self.check_ready(node)?;
                if self.status(node) == Status::Holding {
                    self.run_section(node, choices, observer);
                }
                let action = self.exclusion.calls(Call::Unlock);
                self.execute(node, action, &PortSet::new(), None, choices, observer);
            }
            Step::Act { node, action } => {
                self.check_ready(node)?;
                let mut actions = std::mem::take(&mut self.scratch.actions);
                self.enabled_actions(node, &mut actions);
                let enabled = actions.contains(&action);
                self.scratch.actions = actions;
                if !enabled {
                    return Err(StepError::NotEnabled(node));
                }
                self.execute(node, action, &PortSet::new(), None, choices, observer);
            }
            Step::Receive { node, port, message } => {
                self.check_ready(node)?;
                let found = self.find_in_transit(node, port, message)?;
                self.inboxes[node.index()].swap_remove(found);
                self.monitor.received(&self.exclusion, (node, port), message, &mut self.topology);
                let action = self.exclusion.receives(message);
                self.execute(node, action, &PortSet::new(), Some((port, message)), choices, observer);
            }
            Step::Leave { node, port, message } => {
                self.check_node(node)?;
                let found = self.find_unsent(node, port, message)?;
                self.outboxes[node.index()].remove(found);
                self.deliver(node, port, message, observer);
                self.refresh(node);
                self.scratch.touched.push(node);
            }
            Step::Connect { a, a_port, b, b_port } => {
                self.exclusion.assumes().check_changes().map_err(StepError::Unmet)?;
                self.topology.connect(a, a_port, b, b_port)?;
                observer.event(&Event::Connected { a, b });
                self.touch_ends(a, b);
            }
            Step::Disconnect { node, port } => {
                self.exclusion.assumes().check_changes().map_err(StepError::Unmet)?;
                self.disconnect(node, port, observer)?;
            }
        }
        self.steps += 1;
        Ok(())
    }

    fn check_node(&self, node: NodeId) -> Result<(), StepError> {
        if node.index() < self.memories.len() { Ok(()) } else { Err(StepError::NoSuchNode(node)) }
    }

    fn check_ready(&self, node: NodeId) -> Result<(), StepError> {
        self.check_node(node)?;
        if self.unsent(node).is_empty() { Ok(()) } else { Err(StepError::Busy(node)) }
    }

    /// `N[u]`, or the pair asked for.
    fn claimed(&self, node: NodeId, claim: Claim) -> Result<PortSet, StepError> {
        match claim {
            Claim::Neighbourhood => Ok(self.topology.closed_neighbourhood(node)),
            Claim::Alone => Ok(PortSet::of(Port::SELF)),
            Claim::Pair(port) => {
                self.topology.link(node, port).ok_or(StepError::NoNeighbour(node, port))?;
                Ok([Port::SELF, port].into_iter().collect())
            }
        }
    }

    /// Runs the critical section on what the holder still holds, at the last moment before it unlocks.
    fn run_section(&mut self, node: NodeId, choices: &mut dyn Choices, observer: &mut impl Observer<E, S>) {
        let mut members = std::mem::take(&mut self.scratch.neighbours);
        self.still_held(node, &mut members);
        for &(port, member) in &members {
            self.monitor.entering(node, port, member);
        }
        let mut held = Locked::new(&mut self.states, node, &members);
        let outcome = self.section.enter(&mut held, choices);
        observer.event(&Event::Entered { node, outcome: &outcome });
        for &(_, member) in &members {
            self.refresh(member);
        }
        self.scratch.touched.extend(members.iter().map(|&(_, member)| member));
        self.scratch.changed.extend(members.iter().map(|&(_, member)| member));
        self.monitor.releasing(node, &members);
        self.scratch.neighbours = members;
    }

    fn execute(
        &mut self,
        node: NodeId,
        action: E::Action,
        neighbourhood: &PortSet,
        message: Option<(Port, E::Message)>,
        choices: &mut dyn Choices,
        observer: &mut impl Observer<E, S>,
    ) {
        let disconnected = self.topology.read_detector(node);
        let mut effects = std::mem::take(&mut self.scratch.effects);
        effects.clear();
        let memory = &mut self.memories[node.index()];
        let lock_before =
            E::Promise::lock(&self.exclusion, memory).filter(|&port| !disconnected.contains(port));
        let input = Input { neighbourhood, disconnected: &disconnected, message };
        self.exclusion.execute(memory, action, input, choices, &mut effects);
        self.monitor.acted(&self.exclusion, (node, memory), lock_before, &self.topology);
        observer.event(&Event::Executed { node, action });
        self.take_effects(node, &mut effects, observer);
        self.scratch.effects = effects;
        self.refresh(node);
        self.scratch.touched.push(node);
        self.scratch.changed.push(node);
    }

    fn take_effects(
        &mut self,
        node: NodeId,
        effects: &mut Effects<E::Message, E::Note>,
        observer: &mut impl Observer<E, S>,
    ) {
        for &(port, message) in &effects.sends {
            self.monitor.sent(&self.exclusion, (node, port), message, &mut self.topology);
            match self.timing {
                Timing::AtOnce => self.deliver(node, port, message, observer),
                // Bound to the edge instance of now: on a port without one it is lost, and never leaves over a later edge.
                Timing::OneByOne if port.is_self() || self.topology.link(node, port).is_some() => {
                    self.outboxes[node.index()].push((port, message));
                }
                Timing::OneByOne => {}
            }
        }
        for &note in &effects.notes {
            observer.event(&Event::Noted { node, note });
        }
        if let Some(lock_set) = effects.granted.take() {
            let (memories, exclusion) = (&self.memories, &self.exclusion);
            self.monitor.granted(node, &lock_set, &self.topology, |member| {
                E::Promise::lock(exclusion, &memories[member.index()])
            });
            observer.event(&Event::Granted { node, lock_set: &lock_set });
        }
        if effects.released {
            observer.event(&Event::Released { node });
        }
        if let Some(anomaly) = effects.anomaly {
            self.monitor.met(node, anomaly);
            observer.event(&Event::Anomaly { node, anomaly });
        }
    }

    /// A message leaves by a port of `from` and is in transit to whoever is there.
    fn deliver(&mut self, from: NodeId, port: Port, message: E::Message, observer: &mut impl Observer<E, S>) {
        let (to, to_port) = match self.topology.link(from, port) {
            Some(link) => (link.peer, link.peer_port.into()),
            None if port.is_self() => (from, Port::SELF),
            // Sent by rules that still believe in an edge that has gone: lost.
            None => return,
        };
        self.inboxes[to.index()].push(Envelope { port: to_port, message, sequence: self.sequence });
        self.sequence += 1;
        observer.event(&Event::Sent { from, to, message });
        self.active.set(to, true);
        self.scratch.touched.push(to);
    }

    fn disconnect(
        &mut self,
        node: NodeId,
        port: Port,
        observer: &mut impl Observer<E, S>,
    ) -> Result<(), StepError> {
        let link = self.topology.disconnect(node, port)?;
        let (mut lost, mut unsent) = (0, 0);
        for (end, port, other) in [(node, port, link.peer), (link.peer, link.peer_port.into(), node)] {
            let inbox = &mut self.inboxes[end.index()];
            let before = inbox.len();
            inbox.retain(|envelope| envelope.port != port);
            lost += (before - inbox.len()) as u32;
            if let Some(outbox) = self.outboxes.get_mut(end.index()) {
                let before = outbox.len();
                outbox.retain(|&(sent_by, _)| sent_by != port);
                unsent += (before - outbox.len()) as u32;
            }
            self.monitor.edge_ended(end, port, other);
        }
        observer.event(&Event::Disconnected { a: node, b: link.peer, lost, unsent });
        self.touch_ends(node, link.peer);
        Ok(())
    }

    fn touch_ends(&mut self, a: NodeId, b: NodeId) {
        for end in [a, b] {
            self.refresh(end);
            self.scratch.touched.push(end);
            self.scratch.changed.push(end);
        }
    }
}
