//! A run under locks, on whatever rung: what the loop of all runs needs to know of it.

use std::borrow::Cow;

use acrasin_process::{Advance, Awaited, Ending, Progress};
use acrasin_protocols::Table;
use acrasin_report::record::{Figure, Section};
use acrasin_report::spans::Spans;

use super::super::build::Labour;
use super::super::interaction_graph::InteractionGraph;
use super::figures;
use super::locked_stop::{LockedStop, RunView};
use super::tally::Tally;
use crate::film::{AgentFilm, Standing};
use crate::limits::FILMED;
use crate::plan::Plan;
use crate::run::{Course, Drive, Filmed, Finished, Job, Proceed, RunError, Sampler, called_off};

/// A run under locks: turn by turn, and what it has come to.
pub(super) trait LockedRun {
    /// Runs one turn: that of a scheduler, or a whole round. A turn that finds the run quiescent does not count.
    fn turn(&mut self) -> Advance;

    /// What the watch has said in the midst of the last turn: unless that is to continue, the turn was not made to its end.
    #[inline(always)]
    fn cut(&self) -> Proceed {
        Proceed::Continue
    }

    /// How far the run is.
    fn at(&self) -> Progress;

    /// Turns so far: in some of them perhaps no node is chosen.
    fn turns(&self) -> u64;

    /// What its critical sections reported.
    fn tally(&self) -> &Tally;

    /// The states of the agents; empty if no protocol runs.
    fn agents(&self) -> &[u16];

    /// Whether some node can act now.
    fn is_active(&self) -> bool;

    /// Nodes that have called Lock and have not completed Unlock.
    fn outstanding(&self) -> u64;

    /// The promise of the lock layer that is broken, after a turn that has broken one.
    fn violation(&self) -> String;

    /// Ends the run: a promise of the lock layer may be seen to be broken only now.
    ///
    /// # Errors
    ///
    /// The recording cannot be written.
    fn conclude(&mut self, reached: Ending) -> Result<Ending, RunError>;

    /// What the rung knows: `work`, which has what agents did and gets what nodes did, Locks, the graph, which gets `trace`,
    /// memory and digests.
    fn sections(&self, work: Section, trace: Vec<Figure>) -> Vec<Section>;

    /// Where the nodes are in their Locks now, by number; `None` where nobody is in one between turns.
    fn standings(&self) -> Option<Vec<Standing>> {
        None
    }

    /// The edges now; `None` of a graph that stays as it is.
    fn edges(&self) -> Option<Vec<(u32, u32)>> {
        None
    }

    /// When which node was inside, if that is kept.
    fn inside(&self) -> Option<Spans> {
        None
    }

    /// The last configuration, if it is a dead end or breaks a promise.
    fn configuration(&self) -> Option<String> {
        None
    }
}

/// Drives a run to its end.
pub(super) fn drive<R: LockedRun + ?Sized>(
    (plan, graph): (&Plan, &InteractionGraph),
    job: &Job<'_>,
    run: &mut R,
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
        let film = if run.standings().is_some() { film.locking() } else { film };
        film.called(graph.listed_names()).walking(plan.terrain.walking(job.seed))
    });
    drive.run(&mut LockedCourse { stop: LockedStop::new(plan, graph), graph, table, run, film })
}

/// The protocol, if one runs.
pub(super) fn table(plan: &Plan) -> Option<&Table> {
    match &plan.labour {
        Labour::Interactions { table, .. } => Some(table),
        Labour::Locks { .. } => None,
    }
}

/// A run and its stop rule.
struct LockedCourse<'a, R: ?Sized> {
    stop: LockedStop<'a>,
    graph: &'a InteractionGraph,
    table: Option<&'a Table>,
    run: &'a mut R,
    /// What is shown of it if somebody looks at every round.
    film: Option<AgentFilm>,
}

impl<R: LockedRun + ?Sized> Course for LockedCourse<'_, R> {
    type Error = RunError;

    // Small, and called once a turn: a call would cost as much as they do.
    #[inline(always)]
    fn at(&self) -> Progress {
        self.run.at()
    }

    fn fraction(&self, at: &Progress) -> Option<f64> {
        self.stop.fraction(at, self.run.tally().released())
    }

    #[inline(always)]
    fn effort(&self, at: &Progress) -> u64 {
        at.steps.saturating_add(self.run.turns())
    }

    #[inline(always)]
    fn ending(&mut self, at: &Progress) -> Option<Ending> {
        let Self { stop, run, .. } = self;
        let (tally, states, is_active) = (run.tally(), run.agents(), run.is_active());
        stop.ending(&RunView { at: *at, tally, states, is_active })
    }

    /// A single turn: any can be the one that reaches a goal.
    #[inline(always)]
    fn advance(&mut self, _: u64) -> Result<Option<Ending>, RunError> {
        Ok(match self.run.turn() {
            Advance::Advanced | Advance::Held => match self.run.cut() {
                Proceed::Continue => None,
                ended => Some(called_off(ended, self.awaited())),
            },
            Advance::Quiescent => Some(self.stop.quiet(self.run.outstanding(), self.run.tally())),
            Advance::Violated => Some(Ending::Violated(self.run.violation())),
        })
    }

    #[inline(always)]
    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.run.tally().counts())
    }

    fn beat(&self) -> (&'static str, u64) {
        ("round", self.run.turns())
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        let film = self.film.as_mut()?;
        let round = self.run.turns();
        // What a round does it does on the graph that it begins with.
        film.go_to_round(round.saturating_sub(1));
        if let Some(edges) = self.run.edges() {
            film.join(&edges);
        }
        if let Some(standings) = self.run.standings() {
            film.stand(standings.into_iter());
        }
        Some(film.at(round, self.run.agents().iter().copied()))
    }

    fn awaited(&self) -> Awaited {
        Awaited::StopCondition
    }

    fn conclude(&mut self, reached: Ending) -> Result<Ending, RunError> {
        Ok(match self.run.conclude(reached)? {
            Ending::Violated(why) => Ending::Violated(self.graph.node_names().in_words(&why)),
            ending => ending,
        })
    }

    fn sections(&self) -> Vec<Section> {
        let Self { graph, table, run, .. } = self;
        let work = figures::work(*table, run.tally(), graph.nodes());
        let mut sections = run.sections(work, figures::trace(graph));
        sections.extend(figures::populations(*table, run.tally()));
        sections
    }

    fn inside(&self) -> Option<Spans> {
        Some(self.run.inside()?.named(self.graph.listed_names()))
    }

    fn configuration(&self) -> Option<String> {
        self.run.configuration()
    }
}
