//! A run of uniform pairs.

use std::borrow::Cow;

use acrasin_engine::Rung;
use acrasin_protocols::Protocol as _;
use acrasin_protocols::uniform::{Condition as _, GraphPopulation, Population, SizeError};
use acrasin_report::record::{Exit, Figure, Manifest, Outcome, Section, SectionName};
use acrasin_runtime::Seeded;
use acrasin_runtime::digest::DigestWriter;

use super::super::goal::Goal;
use super::super::interaction_graph::InteractionGraph;
use super::goals::CountGoals;
use super::plan::{Site, UniformPlan};
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
    let agents = Agents::new(plan, job.seed)?;
    let mut run = UniformRun {
        plan,
        goals: CountGoals::new(&plan.goals, &plan.table),
        wants_silence: plan.goals.iter().any(|goal| matches!(goal, Goal::Silent)),
        next_look: 0,
        agents,
    };
    let nodes: u64 = run.agents.counts().iter().sum();
    let every = Every::Interactions(Count(plan.distance));
    let drive = Drive {
        watch: job.watch,
        is_watched_at_once: false,
        sampler: Some(Sampler::new(every, plan.table.state_names(), nodes as f64).exact()),
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

/// Agents whose states go into the digest together.
const PIECE: usize = 1 << 12;

/// The agents of a run.
enum Agents {
    Everybody(Box<Population>),
    Graph(Box<GraphPopulation>),
}

impl Agents {
    fn new(plan: &UniformPlan, seed: u64) -> Result<Self, RunError> {
        let drawn = |error: SizeError| RunError::drawn(seed, error.to_string());
        match &plan.site {
            Site::Everybody(start) => {
                let mut population = start.clone();
                population.restart(start.counts(), seed).map_err(drawn)?;
                Ok(Self::Everybody(population))
            }
            Site::Torus(shape, start) => {
                let states = start.place(&mut Seeded::new(seed));
                let population = GraphPopulation::on_torus(&plan.table, &states, *shape, seed);
                population.map(|new| Self::Graph(Box::new(new))).map_err(drawn)
            }
            Site::Graph(site) => {
                let (terrain, start) = &**site;
                let (graph, _) = terrain.of_run(seed)?;
                let InteractionGraph::Fixed(graph) = &*graph else {
                    unreachable!("the plan refuses other graphs")
                };
                let states = start.place(&mut Seeded::new(seed));
                let edges = graph.edges().iter().map(|&(u, v)| [u, v]).collect();
                let population = GraphPopulation::new(&plan.table, &states, edges, seed);
                population.map(|new| Self::Graph(Box::new(new))).map_err(drawn)
            }
        }
    }

    fn interactions(&self) -> u64 {
        match self {
            Self::Everybody(population) => population.interactions(),
            Self::Graph(population) => population.interactions(),
        }
    }

    fn counts(&self) -> &[u64] {
        match self {
            Self::Everybody(population) => population.counts(),
            Self::Graph(population) => population.counts(),
        }
    }

    /// About as many interactions as cost some milliseconds.
    fn stretch(&self) -> u64 {
        match self {
            Self::Everybody(population) => population.stretch(),
            // As many as there are agents: a look may have to count them.
            Self::Graph(population) => population.counts().iter().sum::<u64>().max(1 << 18),
        }
    }

    /// To the first interaction at which a goal holds, at most to `limit`.
    fn go_on(&mut self, goals: &CountGoals, limit: u64) {
        match (self, goals.is_empty()) {
            (Self::Everybody(population), true) => population.run_to(limit),
            (Self::Graph(population), true) => population.run_to(limit),
            (Self::Everybody(population), false) => {
                population.run_until(goals, limit);
            }
            (Self::Graph(population), false) => {
                population.run_until(goals, limit);
            }
        }
    }
}

struct UniformRun<'a> {
    plan: &'a UniformPlan,
    goals: CountGoals,
    wants_silence: bool,
    /// On a graph: when the edges are looked at next. By counts alone silence is not always seen there.
    next_look: u64,
    agents: Agents,
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

impl UniformRun<'_> {
    /// Whether nothing can change any more, by counts; on a graph also edge by edge, once in twice as many interactions as
    /// there are edges.
    fn is_silent(&mut self) -> bool {
        if self.plan.silent.holds(self.agents.counts()) {
            return true;
        }
        let Agents::Graph(population) = &self.agents else { return false };
        if population.interactions() < self.next_look {
            return false;
        }
        self.next_look = population.interactions() + 2 * population.edge_count();
        population.is_silent()
    }
}

impl Course for UniformRun<'_> {
    type Error = RunError;

    fn at(&self) -> At {
        let interactions = self.agents.interactions();
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
        self.agents.stretch()
    }

    fn verdict(&mut self, at: &At) -> Option<Outcome> {
        if let Some((word, reason)) = self.goals.reached(self.agents.counts()) {
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
        if self.is_silent() {
            if self.wants_silence {
                let reason = "no interaction changes anything any more";
                return Ok(Some(Outcome::new("silent", reason, Exit::Done)));
            }
            if end.is_none() {
                let reason = "no interaction changes anything any more, and no stop condition holds";
                return Ok(Some(Outcome::new("quiet", reason, Exit::Failed)));
            }
        }
        let to = self.agents.interactions().saturating_add(most).min(end.unwrap_or(u64::MAX));
        self.agents.go_on(&self.goals, to);
        Ok(None)
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.agents.counts())
    }

    fn awaited(&self) -> &'static str {
        "a stop condition held"
    }

    fn sections(&self) -> Vec<Section> {
        let Self { plan, agents, .. } = self;
        let nodes: u64 = agents.counts().iter().sum();
        let parallel_time = agents.interactions() as f64 / nodes as f64;
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("interactions", "interactions", agents.interactions()));
        work.push(Figure::new("parallel_time", "parallel time", parallel_time).unit("interactions per node"));
        work.push(Figure::new("law", "law of the time", plan.law()));
        let mut topology = Section::of(SectionName::Topology);
        topology.push(Figure::new("nodes", "nodes", nodes));
        let mut outputs = vec![0; usize::from(plan.table.output_count())];
        for (state, &count) in plan.table.states().zip(agents.counts()) {
            outputs[usize::from(plan.table.output(state))] += count;
        }
        if let Agents::Graph(population) = agents {
            topology.push(Figure::new("edges", "edges", population.edge_count()));
        }
        let counted = |name: SectionName, names: &[String], counts: &[u64]| {
            let mut section = Section::of(name);
            for (name, &count) in names.iter().zip(counts) {
                section.push(Figure::new(name, name, count));
            }
            section
        };
        let mut writer = DigestWriter::new();
        for count in agents.counts() {
            std::hash::Hasher::write_u64(&mut writer, *count);
        }
        if let Agents::Graph(population) = agents {
            // The bytes of all states one after another, in pieces: as if each were written by itself.
            let mut bytes = Vec::new();
            for first in (0..nodes).step_by(PIECE) {
                let piece = first as u32..(first + PIECE as u64).min(nodes) as u32;
                bytes.clear();
                bytes.extend(piece.flat_map(|agent| population.state(agent).to_le_bytes()));
                std::hash::Hasher::write(&mut writer, &bytes);
            }
        }
        let mut digest = Section::of(SectionName::Digest);
        digest.push(Figure::new("configuration", "last configuration", writer.digest().to_string()));
        vec![
            work,
            topology,
            digest,
            counted(SectionName::States, plan.table.state_names(), agents.counts()),
            counted(SectionName::Outputs, plan.table.output_names(), &outputs),
        ]
    }
}
