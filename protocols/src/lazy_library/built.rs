//! Catalogue models of network constructors: protocols that build a graph, in which edges have states.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hasher as _;

use acrasin_process::{Advance, Condition, Metric, Process, Progress, RestoreError, RunBound};
use acrasin_runtime::Digest;

use super::model::{LazyModel, LazyStart};
use crate::network::{Constructor, Links, Network};
use crate::uniform::saved::{SavedKind, SavedReader, Writer, plan_digest};
use crate::uniform_pairs::PopulationError;

/// A constructor with the classes of its states.
#[derive(Debug)]
pub(super) struct Built<P: Constructor<State: 'static>> {
    pub(super) constructor: P,
    pub(super) classes: Vec<String>,
    /// All states that agents can have.
    pub(super) states: &'static [P::State],
    /// The index of a state's class.
    pub(super) class: fn(&P::State) -> usize,
    /// Whether the active edges form the graph that the constructor builds.
    pub(super) is_built: fn(&Links) -> bool,
}

impl<P: Constructor<State: Send + Sync + 'static> + Debug + Send + Sync> LazyModel for Built<P> {
    fn classes(&self) -> &[String] {
        &self.classes
    }

    fn outputs(&self) -> &[String] {
        &self.classes
    }

    fn starts(&self) -> &[&'static str] {
        &["start"]
    }

    fn needs_complete_graph(&self) -> bool {
        true
    }

    fn tells_stability(&self) -> bool {
        true
    }

    fn run(
        &self,
        start: &LazyStart,
        seed: u64,
        drive: &mut dyn FnMut(&mut dyn Process),
    ) -> Result<(), PopulationError> {
        let network = Network::new(&self.constructor, start.agents.len(), seed)?;
        let mut site = ConstructorRun { model: self, network, counts: Vec::new() };
        site.count();
        drive(&mut site);
        Ok(())
    }
}

struct ConstructorRun<'a, P: Constructor<State: 'static>> {
    model: &'a Built<P>,
    network: Network<'a, P>,
    counts: Vec<u64>,
}

impl<P: Constructor<State: 'static> + Debug> ConstructorRun<'_, P> {
    fn count(&mut self) {
        self.counts = counts(self.model, &self.network);
    }

    fn plan(&self) -> Digest {
        let Built { classes, constructor, .. } = self.model;
        plan_digest(&(self.network.seed(), self.network.states().len(), classes), constructor)
    }
}

fn counts<P: Constructor<State: 'static>>(model: &Built<P>, network: &Network<'_, P>) -> Vec<u64> {
    let mut counts = vec![0; model.classes.len()];
    network.states().iter().for_each(|state| counts[(model.class)(state)] += 1);
    counts
}

impl<P: Constructor<State: 'static> + Debug> Process for ConstructorRun<'_, P> {
    fn progress(&self) -> Progress {
        let interactions = self.network.interactions();
        Progress { steps: interactions, interactions, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(&self.counts)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        let to = bound.interactions;
        let model = self.model;
        let holds = match condition {
            None => {
                self.network.run_to(to);
                false
            }
            Some(condition) => self.network.run_until(|network| condition.holds(&counts(model, network)), to),
        };
        self.count();
        if holds { Advance::Held } else { Advance::Advanced }
    }

    /// Whether no interaction can change a state or an edge. Cost: O(agents + active edges + pairs of states).
    fn is_silent(&self) -> Option<bool> {
        Some(self.network.is_silent())
    }

    /// The number of edges, active or not.
    fn edge_count(&self) -> Option<u64> {
        let agents = self.network.states().len() as u64;
        Some(agents * (agents - 1) / 2)
    }

    /// Whether the active edges form the graph to build, and no interaction can change an edge. Cost: O(agents^2) if
    /// they form it.
    fn is_stable(&self) -> Option<bool> {
        Some((self.model.is_built)(self.network.links()) && self.network.is_calm())
    }

    fn metrics(&self) -> Vec<Metric> {
        let states = self.counts.iter().filter(|&&count| count > 0).count() as u64;
        vec![
            Metric { is_of_graph: false, key: "states_met", label: "states met", value: states },
            Metric {
                is_of_graph: true,
                key: "active_edges",
                label: "active edges",
                value: self.network.links().count(),
            },
        ]
    }

    fn save(&self) -> Option<Vec<u8>> {
        let mut writer = Writer::new(SavedKind::Network, self.plan());
        self.network.save(self.model.states, &mut writer);
        Some(writer.finish())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        let reader = SavedReader::new(checkpoint, SavedKind::Network, self.plan())?;
        self.network = self.network.restored(self.model.states, reader)?;
        self.count();
        Ok(())
    }

    fn digest(&self) -> u128 {
        Digest::written(|hasher| {
            for (agent, state) in self.network.states().iter().enumerate() {
                hasher.write(format!("{state:?}").as_bytes());
                for neighbour in self.network.links().neighbours(agent).filter(|&other| other > agent) {
                    hasher.write(format!(" {neighbour}").as_bytes());
                }
                hasher.write(b"\n");
            }
        })
        .0
    }
}
