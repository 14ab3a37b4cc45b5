//! A run of uniform pairs.

use acrasin_engine::Rung;
use acrasin_process::{Ending, Process};
use acrasin_protocols::reactions::ReactionNetwork;
use acrasin_protocols::uniform::{FaultKind, Population, TOGETHER};
use acrasin_report::record::{Figure, Section, SectionName};

use super::agents::{agents, complete_population};
use super::plan::{InteractionModel, UniformPlan};
use super::side_by_side::{PopulationRun, advance_side_by_side};
use super::stage::EdgeChanges;
use crate::document::stop::SampleInterval;
use crate::film::AgentFilm;
use crate::limits::FILMED;
use crate::run::{
    CountConditions, CountStop, Drive, DriverState, Filmed, Finished, Job, Presentation, ProcessRun,
    RunControl, RunError, Sampler, Turn, beside, last_agents,
};

impl UniformPlan {
    /// Runs the plan. The same plan and seed give the same result, on any number of threads.
    ///
    /// # Errors
    ///
    /// A recording is requested, which such runs do not support: they have no single steps.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        let conditions = self.conditions();
        let mut agents = self.begun(job, |plan, seed| agents(plan, seed, job.watch.ranks()))?;
        let mut run = self.run_of(&mut *agents, &conditions, job);
        let finished = self.drive(job, run.view.start).run(&mut run)?;
        Ok(self.with_mean_field(finished, job.watch))
    }

    /// The number of runs that should be advanced together, so that the cost per run is lowest.
    #[must_use]
    pub fn together(&self) -> usize {
        match &self.site {
            InteractionModel::Complete(start) if start.gains_together() => TOGETHER,
            _ => 1,
        }
    }

    /// Makes several runs together. Each has the same result as if it were made alone.
    #[must_use]
    pub fn run_together(&self, jobs: &[Job<'_>]) -> Vec<Result<Finished, RunError>> {
        let InteractionModel::Complete(start) = &self.site else {
            return jobs.iter().map(|job| self.run(job)).collect();
        };
        if self.together() == 1 || jobs.len() == 1 {
            return jobs.iter().map(|job| self.run(job)).collect();
        }
        let conditions = self.conditions();
        let mut finished: Vec<Option<Result<Finished, RunError>>> = Vec::with_capacity(jobs.len());
        let mut populations: Vec<Option<Population>> = Vec::with_capacity(jobs.len());
        for job in jobs {
            let begun = self.begun(job, |_, seed| complete_population(start, seed));
            let (population, error) =
                begun.map_or_else(|error| (None, Some(Err(error))), |it| (Some(it), None));
            populations.push(population);
            finished.push(error);
        }
        let mut runs = Vec::with_capacity(jobs.len());
        for (job, population) in jobs.iter().zip(&mut populations) {
            runs.push(population.as_mut().map(|population| {
                let mut run = self.run_of(population, &conditions, job);
                let underway = self.drive(job, run.view.start).begin(&mut run);
                (run, underway.expect("several runs are not saved"))
            }));
        }
        advance_side_by_side(runs, &conditions, |position, (mut run, underway), ending| {
            let watch = underway.watch();
            let ended = underway.finish(&mut run, ending);
            finished[position] = Some(ended.map(|finished| self.with_mean_field(finished, watch)));
        });
        finished.into_iter().map(|finished| finished.expect("every run has ended")).collect()
    }

    fn conditions(&self) -> CountConditions {
        CountConditions::new(&self.rule.goals, Some(&self.table))
    }

    /// The agents of a run at its start.
    fn begun<P>(
        &self,
        job: &Job<'_>,
        begin: impl FnOnce(&Self, u64) -> Result<P, RunError>,
    ) -> Result<P, RunError> {
        if job.record.is_some() { Err(RunError::not_recorded(Rung::F0)) } else { begin(self, job.seed) }
    }

    fn run_of<'a, P: Process + ?Sized>(
        &'a self,
        agents: &'a mut P,
        conditions: &'a CountConditions,
        job: &Job<'_>,
    ) -> AgentRun<'a, P> {
        let film = job.watch.eye().and_then(|_| {
            let nodes = u32::try_from(agents.numbered()).ok().filter(|nodes| (1..=FILMED).contains(nodes))?;
            let (edges, picture) = self.site.stage(job.seed, nodes);
            let names = (self.table.state_names(), nodes);
            let film = AgentFilm::new(names, agents.unit().singular(), (edges, picture));
            let film = film.called(self.site.names()).walking(self.site.walking(job.seed));
            Some((film, self.site.contacts(job.seed)))
        });
        let view = AgentView { plan: self, start: agents.counts().iter().sum(), film };
        let stop = CountStop::new(&*agents, (&self.rule, conditions), Some(&self.silent));
        ProcessRun::new(agents, stop, view)
    }

    pub(super) fn drive<'a>(&self, job: &Job<'a>, agents: u64) -> Drive<'a> {
        Drive {
            watch: job.watch,
            is_watched_at_once: false,
            sampler: Some(Sampler::new(self.every, self.table.state_names(), agents as f64).exact()),
            pictures_at: &[],
            repetition: job.repetition,
            manifest: self.header.manifest_on(Rung::F0, job.seed),
        }
    }

    fn with_mean_field(&self, mut finished: Finished, watch: &dyn RunControl) -> Finished {
        if let (InteractionModel::Complete(start), true) = (&self.site, self.has_mean_field) {
            let network = ReactionNetwork::from_table(&self.table);
            let nodes = start.agents() as f64;
            beside(&mut finished, watch, &network, &[], (start.counts(), nodes));
        }
        finished
    }
}

type AgentRun<'a, P> = ProcessRun<'a, P, CountStop<'a>, AgentView<'a>>;

impl PopulationRun for (AgentRun<'_, Population>, DriverState<'_>) {
    fn next_limit(&mut self) -> Result<u64, Ending> {
        let (run, underway) = self;
        match underway.turn(run) {
            Turn::Over(ending) => Err(ending),
            Turn::Advance(most) => run.bound(most).map(|bound| bound.interactions),
        }
    }

    fn population(&mut self) -> &mut Population {
        self.0.process
    }
}

/// Makes the sections of the record and the film of a run of agents.
pub(super) struct AgentView<'a> {
    pub(super) plan: &'a UniformPlan,
    /// The number of agents at the start.
    pub(super) start: u64,
    /// For a run that an observer films: the film, and the changes of contacts that are still to come.
    pub(super) film: Option<(AgentFilm, EdgeChanges)>,
}

impl<P: Process + ?Sized> Presentation<P> for AgentView<'_> {
    fn filmed(&mut self, agents: &mut P, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        let progress = agents.progress();
        let Some((film, to_come)) = self.film.as_mut() else { return false };
        while let Some((_, [a, b], begins)) = to_come.next_if(|&(round, ..)| round <= progress.rounds) {
            if begins {
                film.connect(a, b);
            } else {
                film.disconnect(a, b);
            }
        }
        film.go_to_round(progress.rounds);
        let states = (0..agents.numbered() as usize).map(|agent| agents.state(agent as u64));
        show(film.at(progress.count(agents.unit()), states));
        true
    }

    fn sections(&self, agents: &P) -> Vec<Section> {
        let Self { plan, start: nodes, .. } = *self;
        let progress = agents.progress();
        let parallel_time = progress.interactions as f64 / nodes as f64;
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("interactions", "interactions", progress.interactions));
        if matches!(plan.every, SampleInterval::Rounds(_)) {
            work.push(Figure::new("rounds", "rounds", progress.rounds));
        }
        if !matches!(plan.site, InteractionModel::Matched(_) | InteractionModel::MatchedGraph(_)) {
            work.push(
                Figure::new("parallel_time", "parallel time", parallel_time)
                    .with_unit("interactions per node"),
            );
        }
        work.push(Figure::new("law", "law of the time", plan.law()));
        let mut topology = Section::of(SectionName::Topology);
        topology.push(Figure::new("nodes", "nodes", nodes));
        if let Some(edges) = agents.edge_count() {
            topology.push(Figure::new("edges", "edges", edges));
        }
        let mut sections = vec![work, topology];
        sections.extend(last_agents(agents, &plan.table));
        sections.extend(self.faults(agents));
        sections
    }
}

impl AgentView<'_> {
    /// The number of agents affected by each fault, if there are faults.
    fn faults(&self, agents: &(impl Process + ?Sized)) -> Option<Section> {
        let InteractionModel::Encounters(site) = &self.plan.site else { return None };
        if site.faults.is_empty() {
            return None;
        }
        let mut section = Section::new("faults", "Faults");
        for (number, (fault, hit)) in site.faults.iter().zip(agents.affected()).enumerate() {
            let (word, words) = match fault.kind {
                FaultKind::Crash => ("crashed", "agents that crashed"),
                FaultKind::Leave => ("left", "agents that left"),
                FaultKind::Join { .. } => ("joined", "agents that joined"),
                FaultKind::Corrupt { .. } => ("corrupted", "states overwritten"),
            };
            section.push(Figure::new(format!("{number}_{word}"), words, hit));
        }
        section.push(Figure::new("there", "agents present at the end", agents.counts().iter().sum::<u64>()));
        Some(section)
    }
}
