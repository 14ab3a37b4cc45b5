//! What a list of steps starts from.

use acrasin_runtime::exclusion::local::{Local, SelfMessages};
use acrasin_runtime::{LockSetRule, Topology};

use super::plan::{Drain, SwarmPlan};
use super::stage::{self, Stage};
use super::subject::Subject;

/// What a list of steps starts from: nodes without edges, all memories initial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Start {
    /// Of the run that failed; what follows the steps is drawn from it.
    pub seed: u64,
    /// The number of nodes.
    pub nodes: u32,
    /// Δ.
    pub ports: u16,
    /// K.
    pub priorities: u32,
    /// How a node's messages to itself travel.
    pub self_messages: SelfMessages,
    /// What a Lock asks for that the steps do not make.
    pub lock_set: LockSetRule,
    /// Who acts after the steps; decides when messages leave, too.
    pub drain: Drain,
}

impl Start {
    pub(super) fn of(plan: &SwarmPlan) -> Self {
        Self {
            seed: plan.seed,
            nodes: plan.graph.nodes(),
            ports: plan.ports,
            priorities: plan.priorities,
            self_messages: plan.self_messages,
            lock_set: plan.lock_set,
            drain: plan.drain,
        }
    }

    pub(super) fn local(&self) -> Local {
        Local::new(self.ports)
            .with_self_messages(self.self_messages)
            .with_priorities(self.priorities)
            .expect("checked where it was read")
    }

    pub(super) fn stage<'a>(&self, subject: &'a Subject) -> Stage<'a> {
        let topology = Topology::new(self.nodes, self.ports).expect("checked where it was read");
        let world = stage::world(subject, self.local(), topology, self.lock_set, self.drain.timing());
        Stage::new(subject, world, self.drain.scheduler(), true)
    }
}
