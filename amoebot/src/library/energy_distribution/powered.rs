//! Catalogue entry for algorithms of the library with batteries.

use crate::model::id::AmoebotId;

use super::{EnergyDistribution, Memory, State};
use crate::algorithm::Algorithm;
use crate::algorithm::description::{AlgorithmFigure, Description, Facts, Further, Placement};
use crate::library::energy_sharing::{EnergySharing, SOURCES, positions, rates};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::library::erosion::Erosion;
use crate::library::forest::outside_trees;
use crate::library::hexagon::Hexagon;
use crate::library::parameter::{Parameter, ParameterError, ParameterKind};
use crate::model::system::System;
use crate::picture::Detail;

/// The catalogue entry of energy distribution.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "EnergyDistribution",
    title: "energy distribution",
    summary: "amoebots: a given algorithm, in which every action also costs energy",
    parameters: &[
        Parameter::required("algorithm", ParameterKind::Word(&["Hexagon", "Erosion"]), "which one"),
        Parameter::required(
            "capacity",
            ParameterKind::Count,
            "the capacity of a battery, in units of energy",
        ),
        Parameter::required("demand", ParameterKind::Count, "the energy of one action"),
        SOURCES,
    ],
    needs: Needs::NOTHING,
    read: |values| {
        const { assert!(EnergySharing::CAPACITY_MAX == EnergyDistribution::<Erosion>::CAPACITY_MAX) };
        let rates = rates(values, ["capacity", "demand"])?;
        let sources = positions(values, "sources", &[0]);
        match values.word("algorithm") {
            Some("Hexagon") => {
                let made = Construction::algorithm(Powered::new(Hexagon, rates, sources)?);
                let needs = Needs { seed: true, common_chirality: true, ..Needs::NOTHING };
                Ok(made.with_title("hexagon formation with batteries").with_needs(needs))
            }
            _ => {
                let made = Construction::algorithm(Powered::new(Erosion, rates, sources)?);
                Ok(made.with_title("leader election by erosion with batteries"))
            }
        }
    },
};

/// An algorithm with batteries, and the positions of the sources.
#[derive(Debug)]
pub struct Powered<A: Algorithm> {
    distribution: EnergyDistribution<A>,
    sources: Vec<AmoebotId>,
}

impl<A: Algorithm> Powered<A> {
    fn new(
        algorithm: A,
        [capacity, demand]: [u32; 2],
        sources: Vec<AmoebotId>,
    ) -> Result<Self, ParameterError> {
        let distribution = EnergyDistribution::new(algorithm, capacity, |_| demand)
            .map_err(|error| ParameterError::new("capacity", error.to_string()))?;
        Ok(Self { distribution, sources })
    }
}

/// Describes the algorithm with batteries; the states are those of the algorithm. The goal: the algorithm has reached
/// its own goal, every amoebot is in a tree whose root is a source, and all batteries are full.
impl<A> Description for Powered<A>
where
    A: Algorithm<Memory: Send + Sync + 'static, Action: Send + Sync>
        + Description<Algorithm = A, Memory = <A as Algorithm>::Memory>,
{
    type Memory = Memory<<A as Algorithm>::Memory>;
    type Algorithm = EnergyDistribution<A>;

    fn algorithm(&self) -> &EnergyDistribution<A> {
        &self.distribution
    }

    fn facts(&self) -> Facts<'_> {
        let Facts { states, may_cycle, .. } = self.distribution.algorithm().facts();
        Facts { states, variables: &["battery", "state"], may_cycle, ..Facts::default() }
    }

    fn state(&self, memory: &Self::Memory) -> usize {
        self.distribution.algorithm().state(&memory.algorithm)
    }

    fn detail(&self, memory: &Self::Memory) -> Detail {
        let of_algorithm = self.distribution.algorithm().detail(&memory.algorithm);
        // Shows the energy tree; the algorithm's own would be drawn over it.
        Detail { parent: memory.parent, ..of_algorithm }
    }

    fn value(&self, memory: &Self::Memory, variable: usize) -> String {
        match variable {
            0 => memory.battery.to_string(),
            _ => format!("{:?}", memory.state).to_lowercase(),
        }
    }

    /// Shows each variable of the forest with its name, and the algorithm's memory as the algorithm shows it.
    fn words(&self, Memory { state, battery, parent, algorithm }: &Self::Memory) -> String {
        let algorithm = self.distribution.algorithm().words(algorithm);
        format!("state: {state:?}, battery: {battery}, parent: {parent:?}, algorithm: {algorithm}")
    }

    fn start(&self, placement: &Placement) -> Result<System<Self::Memory>, String> {
        let system = Description::start(self.distribution.algorithm(), placement)?;
        let sources: Vec<usize> = self.sources.iter().map(|source| source.index()).collect();
        self.distribution.start(&system, &sources).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Self::Memory>) -> bool {
        let is_full = |id| {
            let memory = system.memory(id);
            memory.battery == self.distribution.capacity() && !is_outside(memory.state)
        };
        let parent = |id| system.neighbour(id, system.memory(id).parent?);
        system.ids().all(is_full)
            && outside_trees(system, |memory| memory.state == State::Source, parent).is_empty()
            && Description::is_finished(self.distribution.algorithm(), &self.distribution.inner(system))
    }

    fn further(&self, system: &System<Self::Memory>) -> Option<Further> {
        let outside = system.ids().filter(|id| is_outside(system.memory(*id).state));
        let figures = vec![
            AlgorithmFigure::count("stored", "in batteries", self.distribution.stored(system))
                .with_unit("units"),
            AlgorithmFigure::count("outside", "in no tree", outside.count() as u64).with_unit("amoebots"),
        ];
        Some(Further { key: "energy", title: "Energy", figures })
    }
}

/// Whether an amoebot in this state belongs to no tree.
fn is_outside(state: State) -> bool {
    matches!(state, State::Idle | State::Pruning)
}
