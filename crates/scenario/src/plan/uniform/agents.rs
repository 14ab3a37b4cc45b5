//! Creates the agents of a run, for each law by which pairs are drawn.

use super::super::interaction_graph::InteractionGraph;
use super::law::{EncounterGraph, Encounters};
use super::plan::{InteractionModel, UniformPlan};
use crate::document::edges::EdgeWeights;
use crate::run::RunError;
use acrasin_process::{Process, Ranks};
use acrasin_protocols::uniform::{
    Arc, ContactChange, ContactLaw, Contacts, EdgeList, EncounterPopulation, GraphPopulation, MatchedGraph,
    MatchedPopulation, Population, SizeError,
};

/// The edges of the graph, as pairs of node numbers.
fn edges(graph: &InteractionGraph) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
    let InteractionGraph::Fixed(graph) = graph else { unreachable!("the plan refuses other graphs") };
    graph.edges().iter().map(|&(u, v)| [u, v])
}

/// The agents of a run with this seed, shared by the processes of `ranks` if there are several.
pub(super) fn agents(
    plan: &UniformPlan,
    seed: u64,
    ranks: Option<std::sync::Arc<dyn Ranks>>,
) -> Result<Box<dyn Process>, RunError> {
    let drawn = |error: SizeError| RunError::drawn(seed, error.to_string());
    let table = &plan.table;
    Ok(match &plan.site {
        InteractionModel::Complete(start) => Box::new(complete_population(start, seed)?),
        InteractionModel::Torus(shape, start) => {
            let states = start.of_run(seed);
            let population = match ranks {
                Some(ranks) => GraphPopulation::on_torus_of_ranks(table, &states, *shape, seed, ranks),
                None => GraphPopulation::on_torus(table, &states, *shape, seed),
            };
            Box::new(population.map_err(drawn)?)
        }
        InteractionModel::Graph(site) => {
            let (terrain, start) = &**site;
            let (graph, _) = terrain.of_run(seed)?;
            let edges = EdgeList::from_edges(edges(&graph));
            Box::new(GraphPopulation::in_order(table, &start.of_run(seed), edges, seed).map_err(drawn)?)
        }
        InteractionModel::Matched(counts) => {
            Box::new(MatchedPopulation::new(table, counts, seed).map_err(drawn)?)
        }
        InteractionModel::MatchedGraph(site) => {
            let (terrain, start) = &**site;
            let (graph, _) = terrain.of_run(seed)?;
            let edges = edges(&graph).collect();
            Box::new(MatchedGraph::new(table, &start.of_run(seed), edges, seed).map_err(drawn)?)
        }
        InteractionModel::Encounters(site) => Box::new(encounters(plan, site, seed)?),
    })
}

/// The agents of a run on the complete graph: a copy of `start` whose draws come from `seed`.
pub(super) fn complete_population(start: &Population, seed: u64) -> Result<Population, RunError> {
    let mut population = start.clone();
    let restarted = population.restart(start.counts(), seed);
    restarted.map_err(|error| RunError::drawn(seed, error.to_string()))?;
    Ok(population)
}

fn encounters(plan: &UniformPlan, site: &Encounters, seed: u64) -> Result<EncounterPopulation, RunError> {
    let drawn = |error: SizeError| RunError::drawn(seed, error.to_string());
    let Encounters { place, weights, direction, rate, faults } = site;
    let (table, faults) = (&plan.table, faults.clone());
    let of_run = |start: &super::super::initial::PopulationStart| start.of_run(seed);
    match place {
        EncounterGraph::Complete(counts) => {
            let each = (0_u16..).zip(counts);
            let states: Vec<u16> =
                each.flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize)).collect();
            EncounterPopulation::complete(table, &states, faults, seed)
        }
        EncounterGraph::Arcs(arcs, start, _) => EncounterPopulation::on_edges(
            table,
            &of_run(start),
            (arcs.clone(), direction.direction()),
            faults,
            seed,
        ),
        EncounterGraph::Graph(terrain, start) => {
            let (graph, _) = terrain.of_run(seed)?;
            match &*graph {
                InteractionGraph::Fixed(graph) => {
                    let degrees = graph.degrees();
                    let degree = |node: u32| u64::from(degrees[node as usize]);
                    let arc = |&(u, v): &(u32, u32)| Arc {
                        ends: direction.ends([u, v]),
                        weight: if *weights == EdgeWeights::DegreeProduct {
                            degree(u) * degree(v)
                        } else {
                            1
                        },
                    };
                    let arcs = graph.edges().iter().map(arc).collect();
                    let edges = (arcs, direction.direction());
                    EncounterPopulation::on_edges(table, &of_run(start), edges, faults, seed)
                }
                InteractionGraph::Complete(_) => unreachable!("the complete graph has no list of edges"),
                InteractionGraph::Contacts(contacts) => {
                    let change = |(round, ends, begins)| ContactChange { round, ends, begins };
                    let contacts = Contacts {
                        changes: contacts.edges().map(change).collect(),
                        end: contacts.end,
                        law: rate.map_or(ContactLaw::OneARound, ContactLaw::Rate),
                    };
                    EncounterPopulation::on_contacts(table, &of_run(start), contacts, faults, seed)
                }
            }
        }
    }
    .map_err(drawn)
}
