//! A run of a protocol without a table.

use std::borrow::Cow;

use acrasin_engine::Rung;
use acrasin_protocols::Protocol as _;
use acrasin_protocols::untabled::{Agents, Start};
use acrasin_report::record::{Exit, Figure, Manifest, Outcome, Section, SectionName};
use acrasin_runtime::Seeded;
use acrasin_runtime::digest::DigestWriter;

use super::super::goal::Goal;
use super::super::uniform::CountGoals;
use super::plan::{Site, UntabledPlan};
use crate::limits::TABLE_LINES;
use crate::run::{At, Course, Drive, Finished, Job, RunError, Sampler};

/// Interactions that are some milliseconds.
const STRETCH: u64 = 1 << 16;

impl UntabledPlan {
    /// Runs it. The same plan and seed give the same.
    ///
    /// # Errors
    ///
    /// A recording is asked for: there are no steps of nodes.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        if job.record.is_some() {
            return Err(RunError::not_recorded(Rung::F0));
        }
        let edges = match &self.site {
            Site::Everybody => None,
            Site::Graph(terrain) => Some(self.edges(&terrain.of_run(job.seed)?.0)),
        };
        let start = Start { agents: self.start.place(&mut Seeded::new(job.seed)), edges };
        let mut finished = None;
        let mut drive = |agents: &mut dyn Agents| finished = Some(self.driven(job, agents, &start));
        let run = self.model.run(&start, job.seed, &mut drive);
        run.map_err(|error| RunError::drawn(job.seed, error.to_string()))?;
        finished.expect("a model that runs gives its agents")
    }

    fn driven(&self, job: &Job<'_>, agents: &mut dyn Agents, start: &Start) -> Result<Finished, RunError> {
        let nodes = start.agents.len();
        let drive = Drive {
            watch: job.watch,
            is_watched_at_once: false,
            sampler: Some(Sampler::new(self.every, self.classes.state_names(), nodes as f64).exact()),
            pictures_at: &[],
            repetition: job.repetition,
            manifest: self.manifest(job.seed),
        };
        let mut run = UntabledRun {
            plan: self,
            goals: CountGoals::new(&self.goals, &self.classes),
            settles: self.goals.iter().any(|goal| matches!(goal, Goal::Settled)),
            next_look: 0,
            nodes: nodes as u64,
            edges: start.edges.as_ref().map(|edges| edges.len() as u64),
            agents,
        };
        let mut finished = drive.run(&mut run)?;
        finished.met = Some(run.agents.table(TABLE_LINES)).filter(|table| !table.is_empty());
        Ok(finished)
    }

    fn manifest(&self, seed: u64) -> Manifest {
        let mut manifest = self.source.manifest(&self.title, seed);
        manifest.further.push(Figure::new("rung", "rung", Rung::F0.to_string()));
        manifest.further.push(Figure::new("executed", "executed", Rung::F0.summary()));
        manifest
    }
}

struct UntabledRun<'a> {
    plan: &'a UntabledPlan,
    goals: CountGoals,
    /// Whether the run ends when what the protocol is for is reached and stays.
    settles: bool,
    /// When that is looked at next: once in as many interactions as there are agents.
    next_look: u64,
    nodes: u64,
    edges: Option<u64>,
    agents: &'a mut dyn Agents,
}

impl UntabledRun<'_> {
    /// The numbers of interactions at which the run ends whatever the counts are.
    fn bounds(&self) -> impl Iterator<Item = u64> {
        let goals = self.plan.goals.iter().filter_map(|goal| match goal {
            Goal::Interactions(interactions) => Some(*interactions),
            _ => None,
        });
        goals.chain(self.plan.limit)
    }
}

impl Course for UntabledRun<'_> {
    type Error = RunError;

    fn at(&self) -> At {
        let interactions = self.agents.interactions();
        At { steps: interactions, interactions, ..At::START }
    }

    fn fraction(&self, at: &At) -> Option<f64> {
        self.bounds().map(|bound| at.interactions as f64 / bound.max(1) as f64).reduce(f64::max)
    }

    fn effort(&self, at: &At) -> u64 {
        at.interactions
    }

    fn stride(&self) -> u64 {
        if self.settles { self.nodes.min(STRETCH) } else { STRETCH }
    }

    fn verdict(&mut self, at: &At) -> Option<Outcome> {
        if let Some((word, reason)) = self.goals.reached(self.agents.counts(), at.interactions) {
            return Some(Outcome::new(word, reason, Exit::Done));
        }
        if self.settles && at.interactions >= self.next_look {
            self.next_look = at.interactions + self.nodes;
            if self.agents.is_stable() {
                let reason = "what the protocol is for is reached, and stays";
                return Some(Outcome::new("settled", reason, Exit::Done));
            }
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
        let to = self.agents.interactions().saturating_add(most);
        let to = self.bounds().fold(to, u64::min);
        let condition = (!self.goals.is_empty()).then_some(&self.goals as _);
        self.agents.go_on(condition, to);
        Ok(None)
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.agents.counts())
    }

    fn beat(&self) -> (&'static str, u64) {
        ("interaction", self.agents.interactions())
    }

    fn awaited(&self) -> &'static str {
        "a stop condition held"
    }

    fn sections(&self) -> Vec<Section> {
        let Self { plan, agents, nodes, .. } = self;
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("interactions", "interactions", agents.interactions()));
        let time = agents.interactions() as f64 / *nodes as f64;
        work.push(Figure::new("parallel_time", "parallel time", time).unit("interactions per node"));
        work.push(Figure::new("law", "law of the time", plan.law()));
        work.push(Figure::new("states_met", "states met", agents.states_met() as u64));
        let mut topology = Section::of(SectionName::Topology);
        topology.push(Figure::new("nodes", "nodes", *nodes));
        if let Some(edges) = self.edges {
            topology.push(Figure::new("edges", "edges", edges));
        }
        if let Some(active) = agents.active_edges() {
            topology.push(Figure::new("active_edges", "active edges", active));
        }
        let table = &plan.classes;
        let mut outputs = vec![0; usize::from(table.output_count())];
        for (class, &count) in table.states().zip(agents.counts()) {
            outputs[usize::from(table.output(class))] += count;
        }
        let counted = |name: SectionName, names: &[String], counts: &[u64]| {
            let mut section = Section::of(name);
            for (name, &count) in names.iter().zip(counts) {
                section.push(Figure::new(name.clone(), name.clone(), count));
            }
            section
        };
        let mut writer = DigestWriter::new();
        agents.write(&mut writer);
        let mut digest = Section::of(SectionName::Digest);
        digest.push(Figure::new("configuration", "last configuration", writer.digest().to_string()));
        vec![
            work,
            topology,
            digest,
            counted(SectionName::States, table.state_names(), agents.counts()),
            counted(SectionName::Outputs, table.output_names(), &outputs),
        ]
    }
}
