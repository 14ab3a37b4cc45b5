//! A run of a protocol without a table.

use acrasin_engine::Rung;
use acrasin_process::Process;
use acrasin_protocols::lazy_library::LazyStart;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::Seeded;

use super::plan::{LazyPairs, LazyPlan};
use crate::limits::TABLE_LINES;
use crate::run::{
    CountConditions, CountStop, Drive, Finished, Job, Presentation, ProcessRun, RunError, Sampler,
    last_agents,
};

impl LazyPlan {
    /// Runs the plan. The same plan and seed give the same result.
    ///
    /// # Errors
    ///
    /// A recording is requested, which such runs do not support: they have no steps of nodes.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        if job.record.is_some() {
            return Err(RunError::not_recorded(Rung::F0));
        }
        let edges = match &self.site {
            LazyPairs::Complete => None,
            LazyPairs::Graph(terrain) => Some(self.edges(&terrain.of_run(job.seed)?.0)),
        };
        let start = LazyStart { agents: self.start.place(&mut Seeded::new(job.seed)), edges };
        let mut finished = None;
        let mut drive = |agents: &mut dyn Process| finished = Some(self.driven(job, agents, &start));
        let run = self.model.run(&start, job.seed, &mut drive);
        run.map_err(|error| RunError::drawn(job.seed, error.to_string()))?;
        finished.expect("a model that runs gives its agents")
    }

    fn driven(
        &self,
        job: &Job<'_>,
        agents: &mut dyn Process,
        start: &LazyStart,
    ) -> Result<Finished, RunError> {
        let nodes = start.agents.len();
        let drive = Drive {
            watch: job.watch,
            is_watched_at_once: false,
            sampler: Some(Sampler::new(self.every, self.classes.state_names(), nodes as f64).exact()),
            pictures_at: &[],
            repetition: job.repetition,
            manifest: self.header.manifest_on(Rung::F0, job.seed),
        };
        let conditions = CountConditions::new(&self.rule.goals, Some(&self.classes));
        let edges = start.edges.as_ref().map(|edges| edges.len() as u64);
        let view = ClassView { plan: self, nodes: nodes as u64, edges };
        let stop = CountStop::new(agents, (&self.rule, &conditions), None);
        let mut finished = drive.run(&mut ProcessRun::new(&mut *agents, stop, view))?;
        finished.met = Some(agents.transitions(TABLE_LINES)).filter(|table| !table.is_empty());
        Ok(finished)
    }
}

/// Presents the agents of a protocol without a table: the sections of the record.
struct ClassView<'a> {
    plan: &'a LazyPlan,
    nodes: u64,
    edges: Option<u64>,
}

impl<P: Process + ?Sized> Presentation<P> for ClassView<'_> {
    fn sections(&self, agents: &P) -> Vec<Section> {
        let Self { plan, nodes, .. } = self;
        let interactions = agents.progress().interactions;
        let figures = |of_graph: bool| {
            let metrics = agents.metrics().into_iter().filter(move |metric| metric.is_of_graph == of_graph);
            metrics.map(|metric| Figure::new(metric.key, metric.label, metric.value))
        };
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("interactions", "interactions", interactions));
        let time = interactions as f64 / *nodes as f64;
        work.push(Figure::new("parallel_time", "parallel time", time).with_unit("interactions per node"));
        work.push(Figure::new("law", "law of the time", plan.law()));
        figures(false).for_each(|figure| work.push(figure));
        let mut topology = Section::of(SectionName::Topology);
        topology.push(Figure::new("nodes", "nodes", *nodes));
        if let Some(edges) = self.edges {
            topology.push(Figure::new("edges", "edges", edges));
        }
        figures(true).for_each(|figure| topology.push(figure));
        let mut sections = vec![work, topology];
        sections.extend(last_agents(agents, &plan.classes));
        sections
    }
}
