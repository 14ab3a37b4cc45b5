//! Runs under locks, on any rung.

use acrasin_process::Ending;
use acrasin_protocols::Table;
use acrasin_report::record::Section;
use acrasin_report::spans::Spans;

use super::super::build::NodeWork;
use super::super::interaction_graph::InteractionGraph;
use super::figures;
use super::locked_process::LockedProcess;
use super::locked_stop::LockedStop;
use crate::film::AgentFilm;
use crate::limits::FILMED;
use crate::plan::Plan;
use crate::run::{Drive, Filmed, Finished, Job, Presentation, ProcessRun, RunError, Sampler};

/// Drives a run to its end.
pub(super) fn drive<P: LockedProcess + ?Sized>(
    (plan, graph): (&Plan, &InteractionGraph),
    job: &Job<'_>,
    process: &mut P,
) -> Result<Finished, RunError> {
    let table = table(plan);
    let sampler = table.map(|table| Sampler::new(plan.every, table.state_names(), graph.nodes()));
    let drive = Drive {
        watch: job.watch,
        is_watched_at_once: false,
        sampler,
        pictures_at: &[],
        repetition: job.repetition,
        manifest: figures::manifest(plan, job.seed, plan.rung),
    };
    let film = job.watch.eye().filter(|_| graph.nodes() <= FILMED).map(|_| {
        let names = table.map_or(&[][..], Table::state_names);
        let edges = match graph {
            InteractionGraph::Fixed(graph) => graph.edges().to_vec(),
            InteractionGraph::Contacts(_) | InteractionGraph::Complete(_) => Vec::new(),
        };
        let picture = plan.terrain.picture(graph, job.seed);
        let film = AgentFilm::new((names, graph.nodes()), "round", (edges, picture));
        let film = if process.standings().is_some() { film.locking() } else { film };
        film.called(graph.listed_names()).walking(plan.terrain.walking(job.seed))
    });
    let stop = LockedStop::new(plan, graph);
    drive.run(&mut ProcessRun::new(process, stop, LockedView { graph, table, film }))
}

/// The protocol of the plan, if it runs one.
pub(super) fn table(plan: &Plan) -> Option<&Table> {
    match &plan.labour {
        NodeWork::Interactions { table, .. } => Some(table),
        NodeWork::Locks { .. } => None,
    }
}

/// The view of a process under locks for records and films.
struct LockedView<'a> {
    graph: &'a InteractionGraph,
    table: Option<&'a Table>,
    /// The film of the agents' states, for a process that does not film itself. `None` if no observer wants a film or
    /// the graph is too large.
    film: Option<AgentFilm>,
}

impl<P: LockedProcess + ?Sized> Presentation<P> for LockedView<'_> {
    fn sections(&self, process: &P) -> Vec<Section> {
        let Self { graph, table, .. } = self;
        let work = figures::work(*table, process.tally(), graph.nodes());
        let mut sections = process.sections(work, figures::trace(graph));
        sections.extend(figures::populations(*table, process.tally()));
        sections
    }

    fn finish(&mut self, process: &mut P, reached: Ending) -> Result<Ending, RunError> {
        Ok(match process.finish(reached).map_err(RunError::recording)? {
            Ending::Violated(why) => Ending::Violated(self.graph.node_names().in_words(&why)),
            ending => ending,
        })
    }

    fn film_step(&self, process: &P) -> (&'static str, u64) {
        ("round", process.turns())
    }

    fn filmed(&mut self, process: &mut P, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        if process.filmed(show) {
            return true;
        }
        let Some(film) = self.film.as_mut() else { return false };
        let round = process.turns();
        // The changes made in a round are drawn on the graph at its beginning.
        film.go_to_round(round.saturating_sub(1));
        if let Some(edges) = process.edges() {
            film.join(&edges);
        }
        if let Some(standings) = process.standings() {
            film.stand(standings.into_iter());
        }
        show(film.at(round, process.agents().iter().copied()));
        true
    }

    fn inside(&self, process: &P) -> Option<Spans> {
        Some(process.inside()?.with_names(self.graph.listed_names()))
    }

    fn configuration(&self, process: &P) -> Option<String> {
        process.configuration()
    }
}
