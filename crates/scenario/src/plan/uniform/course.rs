//! A run of uniform pairs.

use std::borrow::Cow;

use acrasin_engine::Rung;
use acrasin_protocols::Protocol as _;
use acrasin_protocols::uniform::{Condition as _, Population, Silent};
use acrasin_report::record::{Exit, Figure, Manifest, Outcome, Section, SectionName};
use acrasin_runtime::digest::DigestWriter;

use super::super::goal::Goal;
use super::goals::CountGoals;
use super::plan::{LAW, UniformPlan};
use crate::document::quantity::Count;
use crate::document::stop::Every;
use crate::run::{At, Course, Drive, Finished, Job, RunError, Sampler};

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

fn run(plan: &UniformPlan, job: &Job<'_>) -> Result<Finished, RunError> {
    if job.record.is_some() {
        return Err(RunError::not_recorded(Rung::F0));
    }
    let population = Population::new(&plan.table, &plan.counts, job.seed)
        .expect("the plan has one count a state, and between 2 and 2^53 agents");
    let mut run = UniformRun {
        plan,
        goals: CountGoals::new(&plan.goals, &plan.table),
        silent: Silent::new(&plan.table),
        population,
    };
    let every = Every::Interactions(Count(plan.distance));
    let drive = Drive {
        watch: job.watch,
        is_watched_at_once: false,
        sampler: Some(Sampler::new(every, plan.table.state_names(), plan.agents as f64).exact()),
        pictures_at: &[],
        repetition: job.repetition,
        manifest: manifest(plan, job.seed),
    };
    drive.run(&mut run)
}

fn manifest(plan: &UniformPlan, seed: u64) -> Manifest {
    let mut manifest = plan.source.manifest(&plan.title, seed);
    manifest.further.push(Figure::new("rung", "rung", Rung::F0.to_string()));
    manifest.further.push(Figure::new("executed", "executed", Rung::F0.summary()));
    manifest
}

struct UniformRun<'a> {
    plan: &'a UniformPlan,
    goals: CountGoals,
    silent: Silent,
    population: Population,
}

impl UniformRun<'_> {
    /// The numbers of interactions at which the run ends whatever the counts are: goals, and the limit.
    fn bounds(&self) -> impl Iterator<Item = u64> {
        let goals = self.plan.goals.iter().filter_map(|goal| match goal {
            Goal::Interactions(interactions) => Some(*interactions),
            _ => None,
        });
        goals.chain(self.plan.limit)
    }
}

impl Course for UniformRun<'_> {
    type Error = RunError;

    fn at(&self) -> At {
        let interactions = self.population.interactions();
        At { steps: interactions, interactions, ..At::START }
    }

    fn fraction(&self, at: &At) -> Option<f64> {
        let share = |bound: u64| if bound == 0 { 1.0 } else { at.interactions as f64 / bound as f64 };
        self.bounds().map(share).reduce(f64::max)
    }

    fn effort(&self, at: &At) -> u64 {
        at.interactions
    }

    /// As many as cost some milliseconds.
    fn stride(&self) -> u64 {
        self.population.stretch()
    }

    fn verdict(&mut self, at: &At) -> Option<Outcome> {
        if let Some((word, reason)) = self.goals.reached(self.population.counts()) {
            return Some(Outcome::new(word, reason, Exit::Done));
        }
        for goal in &self.plan.goals {
            if let Goal::Interactions(wanted) = goal
                && at.interactions >= *wanted
            {
                let reason = format!("{} interactions have happened", at.interactions);
                return Some(Outcome::new("interactions", reason, Exit::Done));
            }
        }
        self.plan.limit.filter(|&limit| at.interactions >= limit).map(|_| {
            let reason = "the limit of interactions is reached before a stop condition holds";
            Outcome::new("limit", reason, Exit::BudgetExhausted)
        })
    }

    fn advance(&mut self, most: u64) -> Result<Option<Outcome>, RunError> {
        let end = self.bounds().min();
        if end.is_none() && self.silent.holds(self.population.counts()) {
            let reason = "no interaction changes anything any more, and no stop condition holds";
            return Ok(Some(Outcome::new("quiet", reason, Exit::Failed)));
        }
        let to = self.population.interactions().saturating_add(most).min(end.unwrap_or(u64::MAX));
        if self.goals.is_empty() {
            self.population.run_to(to);
        } else {
            self.population.run_until(&self.goals, to);
        }
        Ok(None)
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.population.counts())
    }

    fn awaited(&self) -> &'static str {
        "a stop condition held"
    }

    fn sections(&self) -> Vec<Section> {
        let Self { plan, population, .. } = self;
        let parallel_time = population.interactions() as f64 / plan.agents as f64;
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("interactions", "interactions", population.interactions()));
        work.push(Figure::new("parallel_time", "parallel time", parallel_time).unit("interactions per node"));
        work.push(Figure::new("law", "law of the time", LAW));
        let mut topology = Section::of(SectionName::Topology);
        topology.push(Figure::new("nodes", "nodes", plan.agents));
        let mut outputs = vec![0; usize::from(plan.table.output_count())];
        for (state, &count) in plan.table.states().zip(population.counts()) {
            outputs[usize::from(plan.table.output(state))] += count;
        }
        let counted = |name: SectionName, names: &[String], counts: &[u64]| {
            let mut section = Section::of(name);
            for (name, &count) in names.iter().zip(counts) {
                section.push(Figure::new(name, name, count));
            }
            section
        };
        let mut writer = DigestWriter::new();
        for count in population.counts() {
            std::hash::Hasher::write_u64(&mut writer, *count);
        }
        let mut digest = Section::of(SectionName::Digest);
        digest.push(Figure::new("configuration", "last configuration", writer.digest().to_string()));
        vec![
            work,
            topology,
            digest,
            counted(SectionName::States, plan.table.state_names(), population.counts()),
            counted(SectionName::Outputs, plan.table.output_names(), &outputs),
        ]
    }
}
