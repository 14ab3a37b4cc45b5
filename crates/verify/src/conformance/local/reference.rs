//! The driver of rung F4, the [`World`].

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::local::{Action, Local, Message};
use acrasin_runtime::exclusion::{ActionEffects, Anomaly, Call, Exclusion as _, Input};
use acrasin_runtime::{
    Demand, Event, LockOnly, LockSetRule, NodeId, Observer, Port, PortSet, Setup, Step, StepError, StepOf,
    Timing, Topology, World,
};

use super::driver::{LockLayerDriver, Taken};
use super::text::{LocalNode, LocalSent, PortNumbers};

/// A world in which no node calls Lock on its own.
pub(super) fn world(algorithm: Local, topology: Topology) -> World<Local, LockOnly> {
    let states = vec![Demand::Times(0); topology.node_count() as usize];
    World::new(Setup {
        exclusion: algorithm,
        section: LockOnly,
        topology,
        states,
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    })
}

/// Collects the effects of an action besides the change of its node's memory.
#[derive(Default)]
struct LocalStepObserver {
    sends: Vec<(NodeId, Message)>,
    returned: Option<PortSet>,
    ignored: bool,
}

impl Observer<Local, LockOnly> for LocalStepObserver {
    fn event(&mut self, event: &Event<'_, Local, LockOnly>) {
        match *event {
            Event::Sent { to, message, .. } => self.sends.push((to, message)),
            Event::Granted { lock_set, .. } => self.returned = Some(lock_set.clone()),
            Event::Anomaly { anomaly: Anomaly::IgnoredCall, .. } => self.ignored = true,
            _ => {}
        }
    }
}

impl LockLayerDriver for World<Local, LockOnly> {
    type Refused = StepError;

    fn take(&mut self, step: &StepOf<Local>, script: &mut Scripted<'_>) -> Result<Taken, StepError> {
        let mut watch = LocalStepObserver::default();
        self.apply(step, script, &mut watch)?;
        let LocalStepObserver { sends, returned, ignored } = watch;
        let Some(node) = step.actor() else { return Ok(Taken::default()) };
        // The edges at the node are the same before and after an action, and there are no parallel edges.
        let port = |to| self.topology().port_towards(node, to).map_or(Port::SELF, Port::from);
        let sends = sends.into_iter().map(|(to, message)| LocalSent(port(to), message)).collect();
        Ok(Taken { sends, returned: returned.as_ref().map(PortNumbers::of), ignored })
    }

    fn nodes(&self) -> u32 {
        self.topology().node_count()
    }

    fn node(&self, node: NodeId) -> LocalNode {
        LocalNode::of(self.memory(node), self.topology().detector(node))
    }

    fn detector(&self, node: NodeId) -> PortNumbers {
        PortNumbers::of(self.topology().detector(node))
    }

    fn checks(&self, node: NodeId) -> Vec<Action> {
        let mut actions = Vec::new();
        self.enabled_actions(node, &mut actions);
        actions
    }

    fn in_transit(&self, node: NodeId) -> Vec<(Port, Message)> {
        Self::in_transit(self, node).iter().map(|one| (one.port, one.message)).collect()
    }

    fn peer(&self, node: NodeId, port: Port) -> Option<NodeId> {
        self.topology().link(node, port).map(|link| link.peer)
    }

    fn closed_neighbourhood(&self, node: NodeId) -> PortNumbers {
        PortNumbers::of(&self.topology().closed_neighbourhood(node))
    }

    fn violation(&self, _step: &StepOf<Local>) -> Option<String> {
        Self::violation(self).map(ToString::to_string)
    }

    /// Observers do not see messages that are lost at an open port, so the action runs on a copy of the memory.
    fn lost_sends(&self, step: &StepOf<Local>, picks: &[u32]) -> Vec<LocalSent> {
        let (algorithm, topology) = (self.exclusion(), self.topology());
        let Some(node) = step.actor() else { return Vec::new() };
        let neighbourhood = topology.closed_neighbourhood(node);
        let (action, message) = match *step {
            Step::Lock { .. } => (algorithm.calls(Call::Lock), None),
            Step::Unlock { .. } => (algorithm.calls(Call::Unlock), None),
            Step::Act { action, .. }
                if algorithm.guard(self.memory(node), !topology.detector(node).is_empty(), action) =>
            {
                (action, None)
            }
            Step::Receive { port, message, .. } => (algorithm.receives(message), Some((port, message))),
            _ => return Vec::new(),
        };
        let input = Input { neighbourhood: &neighbourhood, disconnected: topology.detector(node), message };
        let mut effects = ActionEffects::new();
        let mut memory = self.memory(node).clone();
        algorithm.execute(&mut memory, action, input, &mut Scripted::new(picks), &mut effects);
        effects.sends.retain(|&(port, _)| !port.is_self() && topology.link(node, port).is_none());
        effects.sends.into_iter().map(|(port, message)| LocalSent(port, message)).collect()
    }
}
