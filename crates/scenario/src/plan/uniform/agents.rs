//! The agents of a run, under whichever law.

use super::super::interaction_graph::InteractionGraph;
use super::goals::CountGoals;
use super::law::{Encounters, Venue, Weights};
use super::plan::{Site, UniformPlan};
use crate::run::RunError;
use acrasin_protocols::uniform::{
    Arc, ContactChange, ContactLaw, Contacts, EdgeList, EncounterPopulation, Ended, GraphPopulation,
    MatchedGraph, MatchedPopulation, Population, Reach, SizeError,
};

/// The agents of a run.
pub(super) enum Agents {
    Everybody(Box<Population>),
    Graph(Box<GraphPopulation>),
    Encounters(Box<EncounterPopulation>),
    Matched(Box<MatchedPopulation>),
    MatchedGraph(Box<MatchedGraph>),
}

/// The edges of the graph of a run with this seed.
fn edges(graph: &InteractionGraph) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
    let InteractionGraph::Fixed(graph) = graph else { unreachable!("the plan refuses other graphs") };
    graph.edges().iter().map(|&(u, v)| [u, v])
}

impl Agents {
    pub(super) fn new(plan: &UniformPlan, seed: u64) -> Result<Self, RunError> {
        let drawn = |error: SizeError| RunError::drawn(seed, error.to_string());
        let table = &plan.table;
        Ok(match &plan.site {
            Site::Everybody(start) => {
                let mut population = start.clone();
                population.restart(start.counts(), seed).map_err(drawn)?;
                Self::Everybody(population)
            }
            Site::Torus(shape, start) => {
                let population = GraphPopulation::on_torus(table, &start.of_run(seed), *shape, seed);
                Self::Graph(Box::new(population.map_err(drawn)?))
            }
            Site::Graph(site) => {
                let (terrain, start) = &**site;
                let (graph, _) = terrain.of_run(seed)?;
                let edges = EdgeList::of(edges(&graph));
                let population = GraphPopulation::in_order(table, &start.of_run(seed), edges, seed);
                Self::Graph(Box::new(population.map_err(drawn)?))
            }
            Site::Matched(counts) => {
                Self::Matched(Box::new(MatchedPopulation::new(table, counts, seed).map_err(drawn)?))
            }
            Site::MatchedGraph(site) => {
                let (terrain, start) = &**site;
                let (graph, _) = terrain.of_run(seed)?;
                let edges = edges(&graph).collect();
                let population = MatchedGraph::new(table, &start.of_run(seed), edges, seed);
                Self::MatchedGraph(Box::new(population.map_err(drawn)?))
            }
            Site::Encounters(site) => Self::Encounters(Box::new(encounters(plan, site, seed)?)),
        })
    }

    /// The agents of the complete graph.
    pub(super) fn everybody(&mut self) -> Option<&mut Population> {
        match self {
            Self::Everybody(population) => Some(population),
            _ => None,
        }
    }

    pub(super) fn interactions(&self) -> u64 {
        match self {
            Self::Everybody(population) => population.interactions(),
            Self::Graph(population) => population.interactions(),
            Self::Encounters(population) => population.interactions(),
            Self::Matched(population) => population.interactions(),
            Self::MatchedGraph(population) => population.interactions(),
        }
    }

    pub(super) fn rounds(&self) -> u64 {
        match self {
            Self::Everybody(_) | Self::Graph(_) => 0,
            Self::Encounters(population) => population.rounds(),
            Self::Matched(population) => population.rounds(),
            Self::MatchedGraph(population) => population.rounds(),
        }
    }

    pub(super) fn counts(&self) -> &[u64] {
        match self {
            Self::Everybody(population) => population.counts(),
            Self::Graph(population) => population.counts(),
            Self::Encounters(population) => population.counts(),
            Self::Matched(population) => population.counts(),
            Self::MatchedGraph(population) => population.counts(),
        }
    }

    /// About as many interactions, or rounds where time is counted in them, as cost some milliseconds.
    pub(super) fn stretch(&self) -> u64 {
        match self {
            Self::Everybody(population) => population.stretch(),
            // As many as there are agents: a look may have to count them.
            Self::Graph(population) => population.counts().iter().sum::<u64>().max(1 << 18),
            Self::Encounters(_) => 1 << 18,
            Self::Matched(_) => 64,
            Self::MatchedGraph(population) => ((1 << 18) / population.edge_count()).max(1),
        }
    }

    /// To the first interaction, or round, at which a goal holds, at most as far as `reach` says. Tells whether it can go on after that.
    pub(super) fn go_on(&mut self, goals: &CountGoals, reach: Reach) -> bool {
        match (self, goals.is_empty()) {
            (Self::Everybody(population), true) => population.run_to(reach.interactions),
            (Self::Graph(population), true) => population.run_to(reach.interactions),
            (Self::Everybody(population), false) => {
                population.run_until(goals, reach.interactions);
            }
            (Self::Graph(population), false) => {
                population.run_until(goals, reach.interactions);
            }
            (Self::Matched(population), true) => population.run_to(reach.rounds),
            (Self::Matched(population), false) => {
                population.run_until(goals, reach.rounds);
            }
            (Self::MatchedGraph(population), true) => population.run_to(reach.rounds),
            (Self::MatchedGraph(population), false) => {
                population.run_until(goals, reach.rounds);
            }
            (Self::Encounters(population), is_empty) => {
                let goals = (!is_empty).then_some(goals as _);
                return population.run(goals, reach) != Ended::Over;
            }
        }
        true
    }

    /// Whether a fault can still happen.
    pub(super) fn awaits_faults(&self) -> bool {
        matches!(self, Self::Encounters(population) if population.awaits_faults())
    }

    /// Whether a fault that has a date is still to come.
    pub(super) fn awaits_dates(&self) -> bool {
        matches!(self, Self::Encounters(population) if population.awaits_dates())
    }

    /// How many edges there are, where there is a list of them.
    pub(super) fn edge_count(&self) -> Option<u64> {
        match self {
            Self::Graph(population) => Some(population.edge_count()),
            Self::MatchedGraph(population) => Some(population.edge_count()),
            Self::Everybody(_) | Self::Encounters(_) | Self::Matched(_) => None,
        }
    }

    /// Whether nothing can change any more along any edge; `false` where counts say it. Cost: a look at every edge.
    pub(super) fn is_silent_on_edges(&self) -> bool {
        match self {
            Self::Graph(population) => population.is_silent(),
            Self::Encounters(population) => population.is_silent(),
            Self::MatchedGraph(population) => population.is_silent(),
            Self::Everybody(_) | Self::Matched(_) => false,
        }
    }

    /// How many agents have numbers, so that each has a state of its own.
    pub(super) fn numbered(&self) -> u64 {
        match self {
            Self::Graph(population) => population.counts().iter().sum(),
            Self::Encounters(population) => population.states().len() as u64,
            Self::MatchedGraph(population) => population.states().len() as u64,
            Self::Everybody(_) | Self::Matched(_) => 0,
        }
    }

    /// The states of the agents that have numbers.
    pub(super) fn states(&self) -> Box<dyn ExactSizeIterator<Item = u16> + '_> {
        match self {
            Self::Graph(population) => {
                Box::new((0..self.numbered() as u32).map(|agent| population.state(agent)))
            }
            Self::Encounters(population) => Box::new(population.states().iter().copied()),
            Self::MatchedGraph(population) => Box::new(population.states().iter().copied()),
            Self::Everybody(_) | Self::Matched(_) => Box::new(std::iter::empty()),
        }
    }

    /// The state of one of them.
    pub(super) fn state(&self, agent: u64) -> u16 {
        match self {
            Self::Graph(population) => population.state(agent as u32),
            Self::Encounters(population) => population.states()[agent as usize],
            Self::MatchedGraph(population) => population.states()[agent as usize],
            Self::Everybody(_) | Self::Matched(_) => unreachable!("no agent has a number"),
        }
    }

    /// To how many agents each fault has happened.
    pub(super) fn hit(&self) -> Vec<u64> {
        match self {
            Self::Encounters(population) => population.hit(),
            _ => Vec::new(),
        }
    }
}

fn encounters(plan: &UniformPlan, site: &Encounters, seed: u64) -> Result<EncounterPopulation, RunError> {
    let drawn = |error: SizeError| RunError::drawn(seed, error.to_string());
    let Encounters { place, weights, direction, rate, faults } = site;
    let (table, faults) = (&plan.table, faults.clone());
    let of_run = |start: &super::super::initial::Start| start.of_run(seed);
    match place {
        Venue::Everybody(counts) => {
            let each = (0_u16..).zip(counts);
            let states: Vec<u16> =
                each.flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize)).collect();
            EncounterPopulation::complete(table, &states, faults, seed)
        }
        Venue::Arcs(arcs, start, _) => EncounterPopulation::on_edges(
            table,
            &of_run(start),
            (arcs.clone(), direction.direction()),
            faults,
            seed,
        ),
        Venue::Graph(terrain, start) => {
            let (graph, _) = terrain.of_run(seed)?;
            match &*graph {
                InteractionGraph::Fixed(graph) => {
                    let degrees = graph.degrees();
                    let degree = |node: u32| u64::from(degrees[node as usize]);
                    let arc = |&(u, v): &(u32, u32)| Arc {
                        ends: direction.ends([u, v]),
                        weight: if *weights == Weights::DegreeProduct { degree(u) * degree(v) } else { 1 },
                    };
                    let arcs = graph.edges().iter().map(arc).collect();
                    let edges = (arcs, direction.direction());
                    EncounterPopulation::on_edges(table, &of_run(start), edges, faults, seed)
                }
                InteractionGraph::Complete(_) => unreachable!("everybody meets everybody: no edges"),
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
