//! A population on a graph is kept as bytes and goes on elsewhere.

use crate::table::Table;

use super::array::Meetings;
use super::graph_population::GraphPopulation;
use super::rules::Rules;
use super::saved::{Kind, Reader, SavedError, Writer};
use super::torus_shape::TorusShape;

impl GraphPopulation {
    /// Everything that the run goes on from, the graph included. [`restore`](Self::restore) makes of it a population that
    /// goes on as this one does. The same state gives the same bytes.
    ///
    /// Cost: a byte or two an agent, eight an edge that is listed.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::GraphPopulation, &self.rules);
        writer.number(self.interactions);
        writer.lanes(&self.pair_draws);
        writer.stream(&self.outcome_draws);
        let agents: u64 = self.counts.iter().sum();
        let states = (0..agents as usize).map(|agent| self.array.state(agent as u32));
        writer.states(self.rules.states(), states);
        match self.array.meetings() {
            Meetings::Everybody => unreachable!("everybody meets everybody in a `Population`"),
            Meetings::Edges(edges) => {
                writer.byte(0);
                writer.pairs(edges);
            }
            Meetings::Torus(numbers) => match numbers.shape() {
                TorusShape::Ring { nodes } => {
                    writer.byte(1);
                    writer.number(nodes.into());
                }
                TorusShape::Torus { rows, columns } => {
                    writer.byte(2);
                    writer.number(rows.into());
                    writer.number(columns.into());
                }
            },
        }
        writer.pairs(self.array.pending());
        writer.finish()
    }

    /// The population that [`save`](Self::save) made these bytes of, with the table that it had.
    ///
    /// # Errors
    ///
    /// Bytes that `save` did not give, that were changed, or that are of another version or another table.
    pub fn restore(table: &Table, bytes: &[u8]) -> Result<Self, SavedError> {
        let rules = Rules::new(table);
        let mut reader = Reader::new(bytes, Kind::GraphPopulation, &rules)?;
        let interactions = reader.number()?;
        let (pair_draws, outcome_draws) = (reader.lanes()?, reader.stream()?);
        let states = reader.states(rules.states())?;
        let agents = states.len() as u64;
        let impossible = SavedError::impossible;
        let side =
            |reader: &mut Reader<'_>| u32::try_from(reader.number()?).map_err(|_| impossible("graphs"));
        let made = match reader.byte()? {
            0 => Self::new(table, &states, reader.pairs(agents)?, 0),
            1 => Self::on_torus(table, &states, TorusShape::Ring { nodes: side(&mut reader)? }, 0),
            2 => {
                let (rows, columns) = (side(&mut reader)?, side(&mut reader)?);
                Self::on_torus(table, &states, TorusShape::Torus { rows, columns }, 0)
            }
            _ => return Err(impossible("graphs")),
        };
        let mut population = made.map_err(|_| impossible("graphs"))?;
        (population.interactions, population.pair_draws) = (interactions, pair_draws);
        population.outcome_draws = outcome_draws;
        population.array.set_pending(&reader.pairs(agents)?);
        reader.finish()?;
        Ok(population)
    }
}
