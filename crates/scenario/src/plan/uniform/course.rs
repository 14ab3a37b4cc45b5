//! A run of uniform pairs.

use std::borrow::Cow;

use acrasin_engine::Rung;
use acrasin_protocols::Protocol as _;
use acrasin_protocols::reactions::ReactionNetwork;
use acrasin_protocols::uniform::{Condition as _, FaultKind, Heading, Population, Reach, TOGETHER};
use acrasin_report::record::{Exit, Figure, Manifest, Outcome, Section, SectionName};

use super::super::goal::Goal;
use super::agents::Agents;
use super::configuration::configuration_digest;
use super::goals::CountGoals;
use super::plan::{Site, UniformPlan};
use super::stage::Changes;
use crate::document::stop::Every;
use crate::film::AgentFilm;
use crate::limits::FILMED;
use crate::run::{
    At, Course, Drive, Filmed, Finished, Job, RunError, Sampler, Turn, Underway, Watch, beside,
};

impl UniformPlan {
    /// Runs it. The same plan and seed give the same, on any number of threads.
    ///
    /// # Errors
    ///
    /// A recording is asked for: there are no single steps.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        run(self, job)
    }
}

impl UniformPlan {
    /// How many runs are made side by side with the least work for each.
    #[must_use]
    pub fn together(&self) -> usize {
        match &self.site {
            Site::Everybody(start) if start.gains_together() => TOGETHER,
            _ => 1,
        }
    }

    /// Runs several, each of which comes to what it comes to alone.
    #[must_use]
    pub fn run_together(&self, jobs: &[Job<'_>]) -> Vec<Result<Finished, RunError>> {
        if self.together() == 1 || jobs.len() == 1 {
            return jobs.iter().map(|job| run(self, job)).collect();
        }
        let goals = CountGoals::new(&self.goals, &self.table);
        let mut finished: Vec<Option<Result<Finished, RunError>>> = jobs.iter().map(|_| None).collect();
        let mut runs: Vec<Option<(UniformRun<'_>, Underway<'_>)>> = Vec::with_capacity(jobs.len());
        for (job, finished) in jobs.iter().zip(&mut finished) {
            runs.push(match UniformRun::new(self, &goals, job) {
                Ok(run) => {
                    let underway = drive(&run, job).begin(&run);
                    Some((run, underway))
                }
                Err(error) => {
                    *finished = Some(Err(error));
                    None
                }
            });
        }
        let mut limits = vec![0; jobs.len()];
        loop {
            for ((place, limit), finished) in runs.iter_mut().zip(&mut limits).zip(&mut finished) {
                let Some((run, underway)) = place else { continue };
                let outcome = match underway.turn(run) {
                    Turn::Over(outcome) => Some(outcome),
                    Turn::Advance(most) => match run.reach(most) {
                        Ok(reach) => {
                            *limit = reach.interactions;
                            None
                        }
                        Err(outcome) => Some(outcome),
                    },
                };
                if let Some(outcome) = outcome
                    && let Some((mut run, underway)) = place.take()
                {
                    *finished = Some(finish(&mut run, underway, outcome));
                }
            }
            let mut headings: Vec<Heading<'_>> = Vec::with_capacity(runs.len());
            for (run, &limit) in runs.iter_mut().zip(&limits) {
                if let Some(population) = run.as_mut().and_then(|(run, _)| run.agents.everybody()) {
                    headings.push(Heading { population, limit });
                }
            }
            if headings.is_empty() {
                break;
            }
            Population::run_until_together(&mut headings, &goals);
        }
        finished.into_iter().map(|finished| finished.expect("every run has ended")).collect()
    }
}

fn run(plan: &UniformPlan, job: &Job<'_>) -> Result<Finished, RunError> {
    let goals = CountGoals::new(&plan.goals, &plan.table);
    let mut run = UniformRun::new(plan, &goals, job)?;
    let finished = drive(&run, job).run(&mut run)?;
    Ok(run.with_mean_field(finished, job.watch))
}

fn finish(run: &mut UniformRun<'_>, underway: Underway<'_>, outcome: Outcome) -> Result<Finished, RunError> {
    let watch = underway.watch();
    let finished = underway.finish(run, outcome)?;
    Ok(run.with_mean_field(finished, watch))
}

fn drive<'a>(run: &UniformRun<'_>, job: &Job<'a>) -> Drive<'a> {
    let plan = run.plan;
    Drive {
        watch: job.watch,
        is_watched_at_once: false,
        sampler: Some(Sampler::new(plan.every, plan.table.state_names(), run.start as f64).exact()),
        pictures_at: &[],
        repetition: job.repetition,
        manifest: manifest(plan, job.seed),
    }
}

fn manifest(plan: &UniformPlan, seed: u64) -> Manifest {
    let mut manifest = plan.source.manifest(&plan.title, seed);
    manifest.further.push(Figure::new("rung", "rung", Rung::F0.to_string()));
    manifest.further.push(Figure::new("executed", "executed", Rung::F0.summary()));
    manifest
}

struct UniformRun<'a> {
    plan: &'a UniformPlan,
    goals: &'a CountGoals,
    wants_silence: bool,
    /// On a graph: when the edges are looked at next. By counts alone silence is not always seen there.
    next_look: u64,
    /// How many agents there are at the start.
    start: u64,
    agents: Agents,
    /// What is shown of it if somebody looks at every step, and the changes of the contacts that are to come.
    film: Option<(AgentFilm, Changes)>,
}

/// What is shown at the start; `None` where agents are not told apart, or there are more than a film has.
fn film(plan: &UniformPlan, seed: u64, agents: &Agents) -> Option<AgentFilm> {
    let nodes = u32::try_from(agents.numbered()).ok().filter(|nodes| (1..=FILMED).contains(nodes))?;
    let (edges, picture) = plan.site.stage(seed, nodes);
    let by_rounds = matches!(plan.every, Every::Rounds(_));
    let time = if by_rounds { "round" } else { "interaction" };
    let film = AgentFilm::new((plan.table.state_names(), nodes), time, (edges, picture));
    Some(film.called(plan.site.names()).walking(plan.site.walking(seed)))
}

impl<'a> UniformRun<'a> {
    fn new(plan: &'a UniformPlan, goals: &'a CountGoals, job: &Job<'_>) -> Result<Self, RunError> {
        if job.record.is_some() {
            return Err(RunError::not_recorded(Rung::F0));
        }
        let agents = Agents::new(plan, job.seed)?;
        Ok(Self {
            plan,
            goals,
            wants_silence: plan.goals.iter().any(|goal| matches!(goal, Goal::Silent)),
            next_look: 0,
            start: agents.counts().iter().sum(),
            film: job
                .watch
                .eye()
                .and_then(|_| Some((film(plan, job.seed, &agents)?, plan.site.contacts(job.seed)))),
            agents,
        })
    }

    fn with_mean_field(&self, mut finished: Finished, watch: &dyn Watch) -> Finished {
        if let (Site::Everybody(start), true) = (&self.plan.site, self.plan.has_mean_field) {
            let network = ReactionNetwork::of_table(&self.plan.table);
            let nodes = self.start as f64;
            beside(&mut finished, watch, &network, &[], (start.counts(), nodes));
        }
        finished
    }

    /// How far it goes by a turn of at most so many; the outcome, if nothing can follow.
    fn reach(&mut self, most: u64) -> Result<Reach, Outcome> {
        let (end, last_round) = (self.bounds().min(), self.round_bounds().min());
        if !self.agents.awaits_dates() && self.is_silent() {
            if self.wants_silence {
                let reason = "no interaction changes anything any more";
                return Err(Outcome::new("silent", reason, Exit::Done));
            }
            if end.is_none() && last_round.is_none() && !self.agents.awaits_faults() {
                let reason = "no interaction changes anything any more, and no stop condition holds";
                return Err(Outcome::new("quiet", reason, Exit::Failed));
            }
        }
        let mut reach =
            Reach { interactions: end.unwrap_or(u64::MAX), rounds: last_round.unwrap_or(u64::MAX) };
        if self.goes_by_rounds() {
            reach.rounds = reach.rounds.min(self.agents.rounds().saturating_add(most));
            // A round of contacts with a rate can have any number of interactions.
            let stretch = self.agents.interactions().saturating_add(self.agents.stretch());
            reach.interactions = reach.interactions.min(stretch);
        } else {
            reach.interactions = reach.interactions.min(self.agents.interactions().saturating_add(most));
        }
        Ok(reach)
    }

    /// The numbers of interactions at which the run ends whatever the counts are: goals, and the limit.
    fn bounds(&self) -> impl Iterator<Item = u64> {
        let goals = self.plan.goals.iter().filter_map(|goal| match goal {
            Goal::Interactions(interactions) => Some(*interactions),
            _ => None,
        });
        goals.chain(self.plan.limit)
    }

    /// The numbers of rounds likewise.
    fn round_bounds(&self) -> impl Iterator<Item = u64> {
        let goals = self.plan.goals.iter().filter_map(|goal| match goal {
            Goal::Rounds(rounds) => Some(*rounds),
            _ => None,
        });
        goals.chain(self.plan.limit_rounds).chain(self.plan.trace_end)
    }

    /// Whether time is counted in rounds.
    fn goes_by_rounds(&self) -> bool {
        matches!(self.plan.every, Every::Rounds(_))
    }

    /// Whether nothing can change any more, by counts; on a graph also edge by edge, once in twice as many interactions as
    /// there are edges.
    fn is_silent(&mut self) -> bool {
        if self.plan.silent.holds(self.agents.counts()) {
            return true;
        }
        let now = self.agents.interactions();
        if now < self.next_look {
            return false;
        }
        self.next_look = now + 2 * self.agents.edge_count().unwrap_or(1 << 12);
        self.agents.is_silent_on_edges()
    }
}

impl Course for UniformRun<'_> {
    type Error = RunError;

    fn at(&self) -> At {
        let interactions = self.agents.interactions();
        At { steps: interactions, interactions, rounds: self.agents.rounds(), ..At::START }
    }

    fn fraction(&self, at: &At) -> Option<f64> {
        let share = |bound: u64| if bound == 0 { 1.0 } else { at.interactions as f64 / bound as f64 };
        let rounds = self.round_bounds().map(|bound| at.rounds as f64 / bound.max(1) as f64);
        self.bounds().map(share).chain(rounds).reduce(f64::max)
    }

    fn effort(&self, at: &At) -> u64 {
        at.interactions.saturating_add(at.rounds)
    }

    /// As many as cost some milliseconds.
    fn stride(&self) -> u64 {
        self.agents.stretch()
    }

    fn verdict(&mut self, at: &At) -> Option<Outcome> {
        if !self.agents.awaits_dates()
            && let Some((word, reason)) = self.goals.reached(self.agents.counts(), at.interactions)
        {
            return Some(Outcome::new(word, reason, Exit::Done));
        }
        let is_over = self.plan.trace_end.is_some_and(|end| at.rounds >= end);
        const OVER: &str = "the trace is over";
        for goal in &self.plan.goals {
            let (word, reason) = match goal {
                Goal::Interactions(wanted) if at.interactions >= *wanted => {
                    ("interactions", format!("{} interactions have happened", at.interactions))
                }
                Goal::Rounds(rounds) if at.rounds >= *rounds => {
                    ("rounds", format!("{} rounds are over", at.rounds))
                }
                Goal::TraceEnd if is_over => ("trace end", OVER.to_owned()),
                _ => continue,
            };
            return Some(Outcome::new(word, reason, Exit::Done));
        }
        if is_over {
            return Some(if self.plan.goals.is_empty() {
                Outcome::new("trace end", OVER, Exit::Done)
            } else {
                let reason = format!("{OVER}, and no stop condition holds");
                Outcome::new("trace end", reason, Exit::BudgetExhausted)
            });
        }
        let limits = [
            (self.plan.limit_rounds, at.rounds, "rounds"),
            (self.plan.limit, at.interactions, "interactions"),
        ];
        let (_, _, what) =
            limits.into_iter().find(|&(limit, now, _)| limit.is_some_and(|limit| now >= limit))?;
        let reason = format!("the limit of {what} is reached before a stop condition holds");
        Some(Outcome::new("limit", reason, Exit::BudgetExhausted))
    }

    fn advance(&mut self, most: u64) -> Result<Option<Outcome>, RunError> {
        let reach = match self.reach(most) {
            Ok(reach) => reach,
            Err(outcome) => return Ok(Some(outcome)),
        };
        let goes_on = self.agents.go_on(self.goals, reach);
        Ok((!goes_on && self.plan.trace_end.is_none())
            .then(|| Outcome::new("quiet", "no two agents that are left share an edge", Exit::Failed)))
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.agents.counts())
    }

    fn beat(&self) -> (&'static str, u64) {
        match self.goes_by_rounds() {
            true => ("round", self.agents.rounds()),
            false => ("interaction", self.agents.interactions()),
        }
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        let (_, moment) = self.beat();
        let rounds = self.agents.rounds();
        let (film, to_come) = self.film.as_mut()?;
        while let Some((_, [a, b], begins)) = to_come.next_if(|&(round, ..)| round <= rounds) {
            if begins {
                film.connect(a, b);
            } else {
                film.disconnect(a, b);
            }
        }
        film.go_to_round(rounds);
        Some(film.at(moment, self.agents.states()))
    }

    fn awaited(&self) -> &'static str {
        "a stop condition held"
    }

    fn sections(&self) -> Vec<Section> {
        let Self { plan, agents, .. } = self;
        let nodes = self.start;
        let parallel_time = agents.interactions() as f64 / nodes as f64;
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("interactions", "interactions", agents.interactions()));
        if self.goes_by_rounds() {
            work.push(Figure::new("rounds", "rounds", agents.rounds()));
        }
        if !matches!(plan.site, Site::Matched(_) | Site::MatchedGraph(_)) {
            work.push(
                Figure::new("parallel_time", "parallel time", parallel_time).unit("interactions per node"),
            );
        }
        work.push(Figure::new("law", "law of the time", plan.law()));
        let mut topology = Section::of(SectionName::Topology);
        topology.push(Figure::new("nodes", "nodes", nodes));
        let mut outputs = vec![0; usize::from(plan.table.output_count())];
        for (state, &count) in plan.table.states().zip(agents.counts()) {
            outputs[usize::from(plan.table.output(state))] += count;
        }
        if let Some(edges) = agents.edge_count() {
            topology.push(Figure::new("edges", "edges", edges));
        }
        let counted = |name: SectionName, names: &[String], counts: &[u64]| {
            let mut section = Section::of(name);
            for (name, &count) in names.iter().zip(counts) {
                section.push(Figure::new(name.clone(), name.clone(), count));
            }
            section
        };
        let last = configuration_digest(agents.counts(), agents.numbered(), |agent| agents.state(agent));
        let mut digest = Section::of(SectionName::Digest);
        digest.push(Figure::new("configuration", "last configuration", last.to_string()));
        let mut sections = vec![
            work,
            topology,
            digest,
            counted(SectionName::States, plan.table.state_names(), agents.counts()),
            counted(SectionName::Outputs, plan.table.output_names(), &outputs),
        ];
        sections.extend(self.faults());
        sections
    }
}

impl UniformRun<'_> {
    /// To how many agents each fault has happened, if there are faults.
    fn faults(&self) -> Option<Section> {
        let Site::Encounters(site) = &self.plan.site else { return None };
        if site.faults.is_empty() {
            return None;
        }
        let mut section = Section::new("faults", "Faults");
        for (number, (fault, hit)) in site.faults.iter().zip(self.agents.hit()).enumerate() {
            let (word, words) = match fault.kind {
                FaultKind::Crash => ("crashed", "agents that crashed"),
                FaultKind::Leave => ("left", "agents that left"),
                FaultKind::Join { .. } => ("joined", "agents that joined"),
                FaultKind::Corrupt { .. } => ("corrupted", "states overwritten"),
            };
            section.push(Figure::new(format!("{number}_{word}"), words, hit));
        }
        section.push(Figure::new(
            "there",
            "agents there at the end",
            self.agents.counts().iter().sum::<u64>(),
        ));
        Some(section)
    }
}
