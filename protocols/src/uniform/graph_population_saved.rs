//! Saving a population on a graph to bytes, and restoring it.

use crate::table::Table;

use super::graph_population::{GraphAgents, GraphPopulation};
use super::meetings::Meetings;
use super::rules::TransitionRules;
use super::saved::{SavedError, SavedKind, SavedReader, Writer};
use super::torus_shape::TorusShape;

impl GraphPopulation {
    /// The complete state of the run, including the graph. [`restore`](Self::restore) returns a population that
    /// continues exactly like this one. Equal states give equal bytes.
    ///
    /// Cost: one or two bytes per agent, eight per listed edge.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(SavedKind::GraphPopulation, self.rules.digest());
        writer.number(self.seed);
        writer.number(self.interactions);
        writer.lanes(&self.pair_draws);
        writer.stream(&self.outcome_draws);
        let agents: u64 = self.counts.iter().sum();
        let states = (0..agents as usize).map(|agent| self.state(agent as u32).into());
        writer.indices(self.rules.states(), states);
        let torus = match &self.agents {
            GraphAgents::Strips(strips) => strips.shape().torus(),
            GraphAgents::Array(array) => match array.meetings() {
                Meetings::All => unreachable!("the complete graph is a `Population`"),
                Meetings::Torus(numbers) => numbers.shape(),
                Meetings::Edges(edges) => {
                    writer.byte(0);
                    writer.pairs(edges.iter().copied());
                    writer.pairs(array.pending().iter().copied());
                    return writer.finish();
                }
            },
        };
        match torus {
            TorusShape::Ring { nodes } => {
                writer.byte(1);
                writer.number(nodes.into());
            }
            TorusShape::Torus { rows, columns } => {
                writer.byte(2);
                writer.number(rows.into());
                writer.number(columns.into());
            }
        }
        match &self.agents {
            GraphAgents::Array(array) => writer.pairs(array.pending().iter().copied()),
            // Nothing is drawn ahead here: later draws are a function of the seed, the frame, and the executed part of
            // the frame.
            GraphAgents::Strips(strips) => {
                for number in strips.place_in_time() {
                    writer.number(number);
                }
            }
        }
        writer.finish()
    }

    /// Restores the population that [`save`](Self::save) wrote, with the same table.
    ///
    /// # Errors
    ///
    /// The bytes were not written by `save`, were changed, or belong to another version or table.
    pub fn restore(table: &Table, bytes: &[u8]) -> Result<Self, SavedError> {
        let rules = TransitionRules::new(table);
        let mut reader = SavedReader::new(bytes, SavedKind::GraphPopulation, rules.digest())?;
        let (seed, interactions) = (reader.number()?, reader.counter()?);
        let (pair_draws, outcome_draws) = (reader.lanes()?, reader.stream()?);
        let states = reader.states(rules.states())?;
        let agents = states.len() as u64;
        let impossible = SavedError::impossible;
        let side = |reader: &mut SavedReader<'_>| reader.index(1 << 32, "graphs").map(|side| side as u32);
        let made = match reader.byte()? {
            0 => Self::new(table, &states, reader.pairs(agents)?, seed),
            1 => Self::on_torus(table, &states, TorusShape::Ring { nodes: side(&mut reader)? }, seed),
            2 => {
                let (rows, columns) = (side(&mut reader)?, side(&mut reader)?);
                Self::on_torus(table, &states, TorusShape::Torus { rows, columns }, seed)
            }
            _ => return Err(impossible("graphs")),
        };
        let mut population = made.map_err(|_| impossible("graphs"))?;
        (population.interactions, population.pair_draws) = (interactions, pair_draws);
        population.outcome_draws = outcome_draws;
        match &mut population.agents {
            GraphAgents::Array(array) => array.set_pending(&reader.pairs(agents)?),
            GraphAgents::Strips(strips) => {
                let place = [reader.number()?, reader.number()?, reader.number()?];
                if !strips.go_on_from(place) {
                    return Err(impossible("frames"));
                }
            }
        }
        reader.finish()?;
        Ok(population)
    }

    /// Whether both populations have the same graph and seed.
    pub(super) fn is_of_plan_of(&self, other: &Self) -> bool {
        let is_on_one_graph = match (&self.agents, &other.agents) {
            (GraphAgents::Strips(one), GraphAgents::Strips(other)) => {
                one.shape().torus() == other.shape().torus()
            }
            (GraphAgents::Array(one), GraphAgents::Array(other)) => {
                match (one.meetings(), other.meetings()) {
                    (Meetings::Edges(one), Meetings::Edges(other)) => one[..] == other[..],
                    (Meetings::Torus(one), Meetings::Torus(other)) => one.shape() == other.shape(),
                    _ => false,
                }
            }
            _ => false,
        };
        let agents = |population: &Self| population.counts.iter().sum::<u64>();
        is_on_one_graph && self.seed == other.seed && agents(self) == agents(other)
    }
}
