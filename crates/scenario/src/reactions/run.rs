//! A run of reactions.

use acrasin_process::Process;
use acrasin_protocols::reactions::{Gillespie, VesselError};
use acrasin_report::record::{Figure, Section, SectionName};

use super::plan::{ReactionModel, ReactionPlan};
use super::scenario::ReactionSampleInterval;
use crate::document::quantity::Count;
use crate::run::{
    CountConditions, CountStop, Distance, Drive, Finished, Job, Presentation, ProcessRun, RunError, Sampler,
    beside, configuration_digest, counts_section, last_digest,
};

impl ReactionPlan {
    /// Runs the plan. The same plan and seed give the same result.
    ///
    /// # Errors
    ///
    /// A recording is requested, which such runs do not support: reactions have no steps of nodes.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        if job.record.is_some() {
            return Err(RunError::drawn(job.seed, "runs of reactions cannot be recorded"));
        }
        let drawn = |error: VesselError| RunError::drawn(job.seed, error.to_string());
        match &self.model {
            ReactionModel::Vessel { network, volume, events } => {
                let vessel = Gillespie::new(network, &self.counts, *volume, job.seed);
                let vessel = vessel.and_then(|vessel| vessel.with_events(events.clone()));
                let mut finished = self.driven(job, &mut vessel.map_err(drawn)?)?;
                if self.has_mean_field {
                    beside(&mut finished, job.watch, network, events, (&self.counts, *volume));
                }
                Ok(finished)
            }
            ReactionModel::Graph { rules, graph } => self.driven(job, &mut graph.start(rules, job.seed)?),
        }
    }

    fn driven(&self, job: &Job<'_>, vessel: &mut dyn Process) -> Result<Finished, RunError> {
        let distance = match self.every {
            ReactionSampleInterval::Time(distance) => Distance::Time(distance.0),
            ReactionSampleInterval::Reactions(Count(reactions)) => Distance::Steps(reactions),
        };
        let drive = Drive {
            watch: job.watch,
            is_watched_at_once: false,
            sampler: Some(Sampler::in_time(distance, &self.species)),
            pictures_at: &[],
            repetition: job.repetition,
            manifest: self.header.manifest(job.seed),
        };
        let conditions = CountConditions::new(&self.rule.goals, None);
        let view = VesselView { plan: self };
        let stop = CountStop::new(vessel, (&self.rule, &conditions), None);
        drive.run(&mut ProcessRun::new(vessel, stop, view))
    }
}

/// Makes the sections of the record of a run of molecules, or of nodes that react.
struct VesselView<'a> {
    plan: &'a ReactionPlan,
}

impl<P: Process + ?Sized> Presentation<P> for VesselView<'_> {
    fn sections(&self, vessel: &P) -> Vec<Section> {
        let Self { plan } = self;
        let progress = vessel.progress();
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("reactions", "reactions", progress.steps));
        work.push(Figure::new("time", "time", progress.time.unwrap_or_default()));
        work.push(Figure::new("law", "law of the time", plan.model.law()));
        let total = vessel.counts().iter().sum::<u64>();
        match &plan.model {
            ReactionModel::Vessel { volume, .. } => {
                work.push(Figure::new("volume", "volume", *volume));
                work.push(Figure::new("molecules", "molecules", total));
            }
            ReactionModel::Graph { .. } => work.push(Figure::new("nodes", "nodes", total)),
        }
        let molecules = counts_section(SectionName::States, &plan.species, &vessel.counts());
        vec![work, last_digest(Some(configuration_digest(vessel))), molecules]
    }
}
