//! Adversaries that plan one step per turn. Each needs a [`Fairness`](super::Fairness) bound to be weakly fair.

use super::{Scheduler, Turns};
use crate::choice::{Choices, Decision, pick_index};
use crate::exclusion::Exclusion;
use crate::node::NodeId;
use crate::pack::{Pack, PackError};
use crate::section::CriticalSection;
use crate::step::{Step, StepOf};
use crate::world::World;

/// An adversary that delivers the newest message in transit: channels behave like stacks. While nothing is in transit,
/// a uniformly random active node takes a random step.
#[derive(Clone, Debug)]
pub struct NewestFirst<A> {
    /// (sequence number, receiver) of the messages, oldest first; some have been received or lost since.
    stack: Vec<(u64, NodeId)>,
    seen: u64,
    actions: Vec<A>,
}

impl<A> NewestFirst<A> {
    /// Creates the adversary, before any message is in transit.
    #[must_use]
    pub fn new() -> Self {
        Self { stack: Vec::new(), seen: 0, actions: Vec::new() }
    }
}

impl<A> Default for NewestFirst<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for NewestFirst<E::Action> {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        while let Some(&(sequence, node)) = self.stack.last() {
            let found = world.in_transit(node).iter().find(|envelope| envelope.sequence() == sequence);
            if let Some(envelope) = found.map(|envelope| world.first_for(node, envelope)) {
                // A node that is still sending must finish first.
                turn.push(match world.unsent(node).first() {
                    Some(&(port, message)) => Step::Leave { node, port, message },
                    None => Step::Receive { node, port: envelope.port, message: envelope.message },
                });
                return;
            }
            self.stack.pop();
        }
        let active = world.active();
        if let Some(index) = pick_index(choices, active.len(), Decision::Activation) {
            turn.extend(world.pick_step(active[index], choices, &mut self.actions));
        }
    }

    fn applied(&mut self, world: &World<E, S>, _step: &StepOf<E>) {
        let first = self.stack.len();
        for node in world.touched() {
            let new = world.in_transit(node).iter().filter(|envelope| envelope.sequence() >= self.seen);
            self.stack.extend(new.map(|envelope| (envelope.sequence(), node)));
        }
        self.stack[first..].sort_unstable();
        // A node touched twice lists its messages twice.
        self.stack.dedup();
        self.seen = world.messages_sent();
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.seen.pack(into);
        self.stack.pack(into);
        true
    }

    fn load(&mut self, nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        self.seen.unpack_into(from)?;
        self.stack.unpack_into(from)?;
        if self.stack.iter().all(|&(_, node)| node.0 < nodes) { Ok(()) } else { Err(PackError) }
    }
}

/// An adversary that prevents one node from acting, as long as other nodes are active and weak fairness allows it. It
/// chooses uniformly among the other nodes.
#[derive(Clone, Debug)]
pub struct Starve<A> {
    victim: NodeId,
    actions: Vec<A>,
}

impl<A> Starve<A> {
    /// Creates the adversary that starves `victim`.
    #[must_use]
    pub fn new(victim: NodeId) -> Self {
        Self { victim, actions: Vec::new() }
    }
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for Starve<E::Action> {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        let active = world.active();
        // Picks among the others if there are any: the last entry of the list stands in for the victim. One
        // draw without rejection terminates even with choices that repeat the same pick forever.
        let is_node = self.victim.index() < world.topology().node_count() as usize;
        let spared = active.len() > 1 && is_node && world.is_active(self.victim);
        let count = active.len() - usize::from(spared);
        let Some(index) = pick_index(choices, count, Decision::Activation) else { return };
        let node = if spared && active[index] == self.victim { active[count] } else { active[index] };
        turn.extend(world.pick_step(node, choices, &mut self.actions));
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }

    fn save(&self, _into: &mut Vec<u8>) -> bool {
        true
    }

    fn load(&mut self, _nodes: u32, _from: &mut &[u8]) -> Result<(), PackError> {
        Ok(())
    }
}

/// Random priorities with few changes, after PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010). Each node
/// has a random priority, and the active node of highest priority takes a random step. At random moments the node of
/// highest priority gets the lowest. Finds bugs that need few, but unlikely, changes of order.
#[derive(Clone, Debug)]
pub struct RandomPriorities<A> {
    changes: u32,
    horizon: u32,
    /// Priority by node, once drawn. Priorities are distinct; the active node with the largest one acts.
    priorities: Vec<u64>,
    /// Turns at which the node of highest priority gets the lowest, in decreasing order.
    falls: Vec<u32>,
    turns: u32,
    lowest: u64,
    actions: Vec<A>,
}

impl<A> RandomPriorities<A> {
    /// Creates an adversary with `changes` changes of priority in every `horizon` turns. A horizon of 0 counts as 1.
    #[must_use]
    pub fn new(changes: u32, horizon: u32) -> Self {
        let horizon = horizon.max(1);
        Self {
            changes,
            horizon,
            priorities: Vec::new(),
            falls: Vec::new(),
            turns: horizon,
            lowest: 0,
            actions: Vec::new(),
        }
    }

    fn start_horizon(&mut self, nodes: u32, choices: &mut dyn Choices) {
        self.turns = 0;
        // Above the priority of every later fall: a fall takes the next number below all others.
        self.lowest = u64::from(u32::MAX);
        self.priorities = (0..u64::from(nodes)).map(|rank| self.lowest + 1 + rank).collect();
        for last in (1..self.priorities.len()).rev() {
            let other = pick_index(choices, last + 1, Decision::Adversary).expect("last + 1 > 0");
            self.priorities.swap(last, other);
        }
        let horizon = self.horizon as usize;
        self.falls = (0..self.changes)
            .map(|_| pick_index(choices, horizon, Decision::Adversary).expect("horizon > 0") as u32)
            .collect();
        self.falls.sort_unstable_by(|a, b| b.cmp(a));
    }
}

impl<E: Exclusion, S: CriticalSection> Scheduler<E, S> for RandomPriorities<E::Action> {
    fn plan(&mut self, world: &World<E, S>, choices: &mut dyn Choices, turn: &mut Vec<StepOf<E>>) {
        if self.turns == self.horizon {
            self.start_horizon(world.topology().node_count(), choices);
        }
        let top = world.active().iter().copied().max_by_key(|node| self.priorities[node.index()]);
        if let Some(node) = top {
            turn.extend(world.pick_step(node, choices, &mut self.actions));
            while self.falls.pop_if(|fall| *fall <= self.turns).is_some() {
                self.priorities[node.index()] = self.lowest;
                self.lowest -= 1;
            }
        }
        self.turns += 1;
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.priorities.pack(into);
        self.falls.pack(into);
        (self.turns, self.lowest).pack(into);
        true
    }

    fn load(&mut self, nodes: u32, from: &mut &[u8]) -> Result<(), PackError> {
        self.priorities.unpack_into(from)?;
        self.falls.unpack_into(from)?;
        (self.turns, self.lowest) = Pack::unpack(from)?;
        // Priorities are drawn in the first turn.
        let is_drawn = self.priorities.len() == nodes as usize;
        let is_new = self.priorities.is_empty() && self.turns == self.horizon;
        let falls = self.falls.len() as u64;
        if (is_drawn || is_new) && self.turns <= self.horizon && falls <= self.lowest {
            Ok(())
        } else {
            Err(PackError)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{FromBytes, Scripted};
    use crate::exclusion::local::{Action, Local};
    use crate::section::{Demand, LockOnly};
    use crate::topology::Topology;
    use crate::world::{LockSetRule, Setup, Timing};

    /// A star of five nodes that all want to call Lock: all are active.
    fn star() -> World<Local, LockOnly> {
        World::new(Setup {
            exclusion: Local::new(4),
            section: LockOnly,
            topology: Topology::from_edges(5, 4, &[(0, 1), (0, 2), (0, 3), (0, 4)]).unwrap(),
            states: vec![Demand::Forever; 5],
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        })
    }

    fn planned(
        scheduler: &mut Starve<Action>,
        world: &World<Local, LockOnly>,
        picks: &mut dyn Choices,
    ) -> NodeId {
        let mut turn = Vec::new();
        scheduler.plan(world, picks, &mut turn);
        turn[0].actor().unwrap()
    }

    /// Whether every node but `victim` is chosen by exactly one pick: then a uniform pick is a uniform node.
    fn is_uniform(victim: u32, chosen: impl Fn(u32) -> NodeId) -> bool {
        let mut nodes: Vec<u32> = (0..4).map(|pick| chosen(pick).0).collect();
        nodes.sort_unstable();
        (0..5).filter(|&node| node != victim).eq(nodes)
    }

    #[test]
    fn all_but_the_starved_node_are_equally_likely() {
        let world = star();
        assert_eq!(world.active().len(), 5);
        for victim in 0..5 {
            let law = |pick| {
                let picks = [pick, 0];
                let mut script = Scripted::new(&picks);
                planned(&mut Starve::new(NodeId(victim)), &world, &mut script)
            };
            assert!(is_uniform(victim, law), "{victim}");
        }
        // The next node in the victim's place would be twice as likely as the others.
        let biased = |pick| world.active()[pick as usize + usize::from(world.active()[pick as usize].0 == 2)];
        assert!(!is_uniform(2, biased));
        // A victim that does not exist is ignored.
        let mut script = Scripted::new(&[4, 0]);
        assert_eq!(planned(&mut Starve::new(NodeId(5)), &world, &mut script), world.active()[4]);
    }

    /// Regression: the scheduler drew again whenever it drew the victim, so it never returned with choices that are
    /// zero forever.
    #[test]
    fn choices_that_are_always_zero_come_to_an_end() {
        let mut world = star();
        let mut scheduler = Starve::new(world.active()[0]);
        for _ in 0..500 {
            let mut turn = Vec::new();
            scheduler.plan(&world, &mut FromBytes::new(&[]), &mut turn);
            let step = turn[0];
            assert!(step.actor() != Some(scheduler.victim) || world.active().len() == 1);
            world.apply(&step, &mut FromBytes::new(&[]), &mut ()).unwrap();
        }
        assert_eq!(world.check(), Ok(()));
    }
}
