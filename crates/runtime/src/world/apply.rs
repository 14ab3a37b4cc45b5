//! [`World::apply`]: applies one step, which is the only way in which a run changes its world.

use super::state::StepBuffers;
use super::{Envelope, Observer, Timing, World};
use crate::choice::Choices;
use crate::event::Event;
use crate::exclusion::{Call, Exclusion, Input, Promise, Status};
use crate::node::NodeId;
use crate::port::{Port, PortSet};
use crate::section::{CriticalSection, Locked};
use crate::step::{LockSetRequest, Step, StepError, StepOf};

/// The empty report of a detector, which is the most frequent one.
static NOTHING: PortSet = PortSet::new();

impl<E: Exclusion, S: CriticalSection> World<E, S> {
    /// Applies one step.
    ///
    /// An action execution starts atomically: the action, its message, the detector's report (read and reset) and the
    /// ports alive are one snapshot. Its sends are bound to the edge instances of that moment. A Lock or Unlock that
    /// the rules ignore is a legal step, because wrong calls are part of the model.
    ///
    /// Cost: O(Δ / 64 + sends), plus the critical section.
    ///
    /// # Errors
    ///
    /// [`StepError`] if the step cannot happen now. The world is then unchanged.
    pub fn apply(
        &mut self,
        step: &StepOf<E>,
        choices: &mut dyn Choices,
        observer: &mut impl Observer<E, S>,
    ) -> Result<(), StepError> {
        self.scratch.clear_touched();
        let (node, action, message) = match *step {
            Step::Lock { node, claim } => {
                self.check_ready(node)?;
                // Only the action of Lock reads it.
                self.scratch.neighbourhood = self.claimed(node, claim)?;
                if self.status(node) == Status::Idle {
                    self.monitor.lock_called(node, &self.scratch.neighbourhood);
                }
                (node, self.exclusion.calls(Call::Lock), None)
            }
            Step::Unlock { node } => {
                self.check_ready(node)?;
                if self.status(node) == Status::Holding {
                    self.run_section(node, choices, observer);
                }
                (node, self.exclusion.calls(Call::Unlock), None)
            }
            Step::Act { node, action } => {
                self.check_ready(node)?;
                let disconnected = self.topology.has_report(node);
                if !self.exclusion.is_enabled(&self.memories[node.index()], disconnected, action) {
                    return Err(StepError::NotEnabled(node));
                }
                (node, action, None)
            }
            Step::Receive { node, port, message } => {
                self.check_ready(node)?;
                let found = self.find_in_transit(node, port, message)?;
                self.inboxes[node.index()].swap_remove(found);
                self.monitor.received(&self.exclusion, (node, port), message, &mut self.topology);
                (node, self.exclusion.receives(message), Some((port, message)))
            }
            Step::Leave { .. } | Step::Connect { .. } | Step::Disconnect { .. } => {
                self.move_on(step, observer)?;
                self.steps += 1;
                return Ok(());
            }
        };
        self.execute(node, (action, message), choices, observer);
        if let Step::Lock { .. } = step {
            self.scratch.neighbourhood.clear();
        }
        self.steps += 1;
        Ok(())
    }

    /// Applies a step in which no node executes an action: a message leaves, or the graph changes.
    fn move_on(&mut self, step: &StepOf<E>, observer: &mut impl Observer<E, S>) -> Result<(), StepError> {
        match *step {
            Step::Leave { node, port, message } => {
                self.check_node(node)?;
                let found = self.find_unsent(node, port, message)?;
                self.outboxes[node.index()].remove(found);
                // Messages that have not left on an edge are discarded when it ends.
                if port.is_self() {
                    self.deliver(node, (node, Port::SELF), message, observer);
                } else if let Some(link) = self.topology.link(node, port) {
                    self.deliver(node, (link.peer, link.peer_port.into()), message, observer);
                }
                self.refresh(node);
                self.scratch.beside.push(node);
            }
            Step::Connect { a, a_port, b, b_port } => {
                self.exclusion.assumes().check_changes().map_err(StepError::Assumption)?;
                self.topology.connect(a, a_port, b, b_port)?;
                observer.event(&Event::Connected { a, b });
                self.touch_ends(a, b);
            }
            Step::Disconnect { node, port } => {
                self.exclusion.assumes().check_changes().map_err(StepError::Assumption)?;
                self.disconnect(node, port, observer)?;
            }
            Step::Lock { .. } | Step::Unlock { .. } | Step::Act { .. } | Step::Receive { .. } => {}
        }
        Ok(())
    }

    fn check_node(&self, node: NodeId) -> Result<(), StepError> {
        if node.index() < self.memories.len() { Ok(()) } else { Err(StepError::NoSuchNode(node)) }
    }

    fn check_ready(&self, node: NodeId) -> Result<(), StepError> {
        self.check_node(node)?;
        if self.unsent(node).is_empty() { Ok(()) } else { Err(StepError::Busy(node)) }
    }

    /// The ports of a requested lock set: the closed neighbourhood `N[u]`, the pair, or the node alone.
    fn claimed(&self, node: NodeId, claim: LockSetRequest) -> Result<PortSet, StepError> {
        match claim {
            LockSetRequest::Neighbourhood => Ok(self.topology.closed_neighbourhood(node)),
            LockSetRequest::Alone => Ok(PortSet::from_port(Port::SELF)),
            LockSetRequest::Pair(port) => {
                self.topology.link(node, port).ok_or(StepError::NoNeighbour(node, port))?;
                Ok([Port::SELF, port].into_iter().collect())
            }
        }
    }

    /// Runs the critical section on the members that the holder still holds, at the last moment before it
    /// unlocks.
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
        self.scratch.change(members.iter().map(|&(_, member)| member));
        self.monitor.releasing(node, &members);
        self.scratch.neighbours = members;
    }

    #[inline(always)] // Once for every action, called from one place.
    fn execute(
        &mut self,
        node: NodeId,
        (action, message): (E::Action, Option<(Port, E::Message)>),
        choices: &mut dyn Choices,
        observer: &mut impl Observer<E, S>,
    ) {
        let memory = &mut self.memories[node.index()];
        let mut lock_before = E::Promise::lock(&self.exclusion, memory);
        let StepBuffers { effects, neighbourhood, report, .. } = &mut self.scratch;
        let mut disconnected = &NOTHING;
        if self.topology.has_report(node) {
            *report = self.topology.read_detector(node);
            disconnected = report;
            lock_before = lock_before.filter(|&port| !disconnected.contains(port));
        }
        // `announce` clears the other effects.
        effects.sends.clear();
        let input = Input { neighbourhood, disconnected, message };
        self.exclusion.execute(memory, action, input, choices, effects);
        self.monitor.acted(&self.exclusion, (node, memory), lock_before, &self.topology);
        // Now, while the memory is in cache: it does not change any more in this step, and the detector has
        // been read.
        let unasked = self.can_act(node, false);
        observer.event(&Event::Executed { node, action });
        self.scratch.acted = Some(node);
        // By index, so that the buffer stays in place while `send` borrows the world.
        let mut place = 0;
        while let Some(&(port, message)) = self.scratch.effects.sends.get(place) {
            self.send(node, port, message, observer);
            place += 1;
        }
        if self.scratch.effects.has_announcements() {
            self.announce(node, observer);
        }
        self.refresh_knowing(node, unasked);
    }

    /// Handles the effects of an action besides messages: notes, grants, releases and anomalies. One action in eight
    /// has such effects.
    #[inline(never)] // So that the others are quicker.
    fn announce(&mut self, node: NodeId, observer: &mut impl Observer<E, S>) {
        for &note in &self.scratch.effects.notes {
            observer.event(&Event::Noted { node, note });
        }
        if let Some(lock_set) = self.scratch.effects.granted.take() {
            let (memories, exclusion) = (&self.memories, &self.exclusion);
            self.monitor.granted(node, &lock_set, &self.topology, |member| {
                E::Promise::lock(exclusion, &memories[member.index()])
            });
            observer.event(&Event::Granted { node, lock_set: &lock_set });
        }
        if self.scratch.effects.released {
            observer.event(&Event::Released { node });
        }
        if let Some(anomaly) = self.scratch.effects.anomaly {
            self.monitor.met(node, anomaly);
            observer.event(&Event::Anomaly { node, anomaly });
        }
        self.scratch.effects.clear();
    }

    /// Sends a message of an action over the edge instance that exists now. A rule may send on a port whose edge has
    /// vanished: the message is lost, and never leaves over a later edge.
    #[inline]
    fn send(&mut self, node: NodeId, port: Port, message: E::Message, observer: &mut impl Observer<E, S>) {
        let over = self.topology.link_with_traffic(node, port);
        let to = match over {
            Some((link, _)) => (link.peer, link.peer_port.into()),
            None if port.is_self() => (node, Port::SELF),
            None => return,
        };
        self.monitor.sent(&self.exclusion, (node, port), over, message, &mut self.topology);
        match self.timing {
            Timing::AtOnce => self.deliver(node, to, message, observer),
            Timing::OneByOne => self.outboxes[node.index()].push((port, message)),
        }
    }

    /// Puts a message in transit to a port of node `to`.
    #[inline(always)] // Once for every message.
    fn deliver(
        &mut self,
        from: NodeId,
        (to, port): (NodeId, Port),
        message: E::Message,
        observer: &mut impl Observer<E, S>,
    ) {
        let inbox = &mut self.inboxes[to.index()];
        // A node that has a message already is active.
        if inbox.is_empty() {
            self.active.insert(to);
        }
        if inbox.len() == inbox.capacity() {
            // Grow in small steps: half as much again as needed would be a quarter of the bytes of a node.
            inbox.reserve_exact(1 + inbox.len() / 16);
        }
        inbox.push(Envelope::new(port, message, self.sequence));
        self.sequence += 1;
        observer.event(&Event::Sent { from, to, message });
        self.scratch.beside.push(to);
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
        }
        self.scratch.change([a, b].into_iter());
    }
}
