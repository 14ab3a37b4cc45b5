//! Protocols that build a graph: edges have states, too.

use std::fmt::Debug;
use std::hash::Hasher as _;

use acrasin_runtime::digest::DigestWriter;

use super::model::{Agents, Model, Start};
use crate::network::{Constructor, Links, Network};
use crate::uniform::Condition;
use crate::uniform_pairs::PopulationError;

/// A constructor with the classes of its states.
#[derive(Debug)]
pub(super) struct Built<P: Constructor> {
    pub(super) constructor: P,
    pub(super) classes: Vec<String>,
    /// The position of a state's class.
    pub(super) class: fn(&P::State) -> usize,
    /// Whether the active edges are what is built.
    pub(super) is_built: fn(&Links) -> bool,
}

impl<P: Constructor<State: Send + Sync> + Debug + Send + Sync> Model for Built<P> {
    fn classes(&self) -> &[String] {
        &self.classes
    }

    fn outputs(&self) -> &[String] {
        &self.classes
    }

    fn starts(&self) -> &[&'static str] {
        &["start"]
    }

    fn needs_everybody(&self) -> bool {
        true
    }

    fn tells_stability(&self) -> bool {
        true
    }

    fn run(
        &self,
        start: &Start,
        seed: u64,
        drive: &mut dyn FnMut(&mut dyn Agents),
    ) -> Result<(), PopulationError> {
        let network = Network::new(&self.constructor, start.agents.len(), seed)?;
        let mut site = Site { model: self, network, counts: Vec::new() };
        site.count();
        drive(&mut site);
        Ok(())
    }
}

struct Site<'a, P: Constructor> {
    model: &'a Built<P>,
    network: Network<'a, P>,
    counts: Vec<u64>,
}

impl<P: Constructor> Site<'_, P> {
    fn count(&mut self) {
        self.counts = counts(self.model, &self.network);
    }
}

fn counts<P: Constructor>(model: &Built<P>, network: &Network<'_, P>) -> Vec<u64> {
    let mut counts = vec![0; model.classes.len()];
    network.states().iter().for_each(|state| counts[(model.class)(state)] += 1);
    counts
}

impl<P: Constructor> Agents for Site<'_, P> {
    fn interactions(&self) -> u64 {
        self.network.interactions()
    }

    fn counts(&self) -> &[u64] {
        &self.counts
    }

    fn go_on(&mut self, condition: Option<&dyn Condition>, to: u64) -> bool {
        let model = self.model;
        let holds = match condition {
            None => {
                self.network.run_to(to);
                false
            }
            Some(condition) => self.network.run_until(|network| condition.holds(&counts(model, network)), to),
        };
        self.count();
        holds
    }

    fn is_stable(&self) -> bool {
        (self.model.is_built)(self.network.links()) && self.network.is_calm()
    }

    fn states_met(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    fn active_edges(&self) -> Option<u64> {
        Some(self.network.links().count())
    }

    fn table(&self, _: usize) -> String {
        String::new()
    }

    fn write(&self, writer: &mut DigestWriter) {
        for (agent, state) in self.network.states().iter().enumerate() {
            writer.write(format!("{state:?}").as_bytes());
            for neighbour in self.network.links().neighbours(agent).filter(|&other| other > agent) {
                writer.write(format!(" {neighbour}").as_bytes());
            }
            writer.write(b"\n");
        }
    }
}
