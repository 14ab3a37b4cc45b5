//! Events on a graph: nodes that are in other states from a given time on.

use super::error::VesselError;
use super::graph::GraphVessel;
use super::schedule::{CountChange, Event, VesselFault};

/// A change of the states of nodes at a given time.
///
/// First the nodes that are named change, then counts: of each state that loses nodes as many as it loses are drawn, and those are
/// given in random order to the states that win some.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphEvent {
    /// When it happens, and what happens to counts. Nodes do not come or go: without `rest` the changes add up to 0.
    pub event: Event,
    /// The state that gives or takes the difference.
    pub rest: Option<u16>,
    /// Nodes, each with its state afterwards.
    pub nodes: Vec<(u32, u16)>,
}

impl GraphVessel {
    /// The vessel with these events. Those at time 0 happen at once.
    ///
    /// # Errors
    ///
    /// A time or distance that is negative or not finite, a distance of 0, an unknown state or node, or an event at time 0 that cannot
    /// happen.
    pub fn with_events(mut self, events: Vec<GraphEvent>) -> Result<Self, VesselError> {
        let (states, nodes) = (self.counts().len(), self.states().len());
        for (event, GraphEvent { event: Event { at, every, changes }, rest, nodes: named }) in
            events.iter().enumerate()
        {
            let mut numbers = changes
                .iter()
                .map(|&(state, _)| state)
                .chain(*rest)
                .chain(named.iter().map(|&(_, state)| state));
            let is_time =
                (0.0..=f64::MAX).contains(at) && every.is_none_or(|every| every > 0.0 && every.is_finite());
            let is_node = named.iter().all(|&(node, _)| (node as usize) < nodes);
            if !is_time || !is_node || numbers.any(|state| usize::from(state) >= states) {
                return Err(VesselError::WrongEvent { event });
            }
        }
        self.timed.happened = vec![0; events.len()];
        self.timed.events = events.iter().map(|event| event.event.clone()).collect();
        self.events = events;
        while let Some((event, 0.0)) = self.timed.next_event() {
            self.happen_at_nodes(event).map_err(|_| VesselError::WrongEvent { event })?;
        }
        Ok(self)
    }

    /// Changes nodes by an event.
    pub(super) fn happen_at_nodes(&mut self, index: usize) -> Result<(), VesselFault> {
        let GraphEvent { event, rest, nodes } = self.events[index].clone();
        let mut counts = self.counts.clone();
        for (place, &(node, to)) in nodes.iter().enumerate() {
            // A node that is named twice is in its last state.
            if nodes[place + 1..].iter().all(|&(other, _)| other != node) {
                counts[usize::from(self.states[node as usize])] -= 1;
                counts[usize::from(to)] += 1;
            }
        }
        let before = counts.clone();
        for &(state, change) in &event.changes {
            let count = &mut counts[usize::from(state)];
            let changed = match change {
                CountChange::Set(to) => Some(to),
                CountChange::Add(by) => count.checked_add_signed(by),
            };
            *count = changed.ok_or(VesselFault::Event { event: index, species: state })?;
        }
        let total = |counts: &[u64]| counts.iter().map(|&count| i128::from(count)).sum::<i128>();
        let surplus = total(&counts) - total(&before);
        if surplus != 0 {
            let state = rest.ok_or(VesselFault::Unbalanced { event: index, by: surplus })?;
            let left = i128::from(counts[usize::from(state)]) - surplus;
            let left = u64::try_from(left);
            counts[usize::from(state)] =
                left.map_err(|_| VesselFault::Event { event: index, species: state })?;
        }
        for &(node, to) in &nodes {
            self.change(node, to);
        }
        self.deal(&before, &counts);
        self.timed.happened[index] += 1;
        self.refresh_all();
        Ok(())
    }

    /// Moves nodes that are drawn from states that lose some to states that win some.
    fn deal(&mut self, before: &[u64], after: &[u64]) {
        let mut leaving = Vec::new();
        for (state, (&before, &after)) in (0_u16..).zip(before.iter().zip(after)) {
            let Some(lost) = before.checked_sub(after).filter(|&lost| lost > 0) else { continue };
            let all = (0_u32..).zip(&self.states).filter(|&(_, &other)| other == state);
            let mut all: Vec<u32> = all.map(|(node, _)| node).collect();
            for place in 0..lost as usize {
                let other = place + self.draws.below((all.len() - place) as u64) as usize;
                all.swap(place, other);
            }
            leaving.extend_from_slice(&all[..lost as usize]);
        }
        for place in 0..leaving.len() {
            let other = place + self.draws.below((leaving.len() - place) as u64) as usize;
            leaving.swap(place, other);
        }
        let mut leaving = leaving.into_iter();
        for (state, (&before, &after)) in (0_u16..).zip(before.iter().zip(after)) {
            for node in leaving.by_ref().take(after.saturating_sub(before) as usize) {
                self.change(node, state);
            }
        }
    }
}
