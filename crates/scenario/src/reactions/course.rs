//! A run of reactions.

use std::borrow::Cow;
use std::hash::Hasher as _;

use acrasin_protocols::reactions::{GraphVessel, Halt, Until, Vessel, VesselFault};
use acrasin_protocols::uniform::Condition;
use acrasin_report::record::{Exit, Figure, Outcome, Section, SectionName};
use acrasin_runtime::digest::DigestWriter;

use super::plan::{Goal, Model, ReactionPlan};
use super::scenario::Every;
use crate::document::quantity::Count;
use crate::run::{At, Course, Distance, Drive, Finished, Job, RunError, Sampler, beside};
use crate::text::failure::quoted;

/// Steps of a vessel between two looks at the clock, where they need not be reactions.
const STEPS_A_TURN: u64 = 1 << 12;

impl ReactionPlan {
    /// Runs it. The same plan and seed give the same.
    ///
    /// # Errors
    ///
    /// A recording is asked for: there are no steps of nodes.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        if job.record.is_some() {
            return Err(RunError::drawn(
                job.seed,
                "steps are recorded of population protocols under locks only",
            ));
        }
        let vessel = match &self.model {
            Model::Vessel { network, volume, events } => {
                let vessel = Vessel::new(network, &self.counts, *volume, job.seed)
                    .and_then(|vessel| vessel.with_events(events.clone()));
                AnyVessel::Mixed(vessel.map_err(|error| RunError::drawn(job.seed, error.to_string()))?)
            }
            Model::Graph { rules, graph } => AnyVessel::Graph(graph.start(rules, &self.counts, job.seed)?),
        };
        let mut run = ReactionRun { plan: self, vessel, turns: 0, to_sample: f64::INFINITY };
        let distance = match self.every {
            Every::Time(distance) => Distance::Time(distance.0),
            Every::Reactions(Count(reactions)) => Distance::Steps(reactions),
        };
        let drive = Drive {
            watch: job.watch,
            is_watched_at_once: false,
            sampler: Some(Sampler::in_time(distance, &self.species)),
            pictures_at: &[],
            repetition: job.repetition,
            manifest: self.source.manifest(&self.title, job.seed),
        };
        let mut finished = drive.run(&mut run)?;
        if let Model::Vessel { network, volume, events } = &self.model
            && self.has_mean_field
        {
            beside(&mut finished, job.watch, network, events, (&self.counts, *volume));
        }
        Ok(finished)
    }

    /// The times at which a run ends whatever the counts are.
    fn times(&self) -> impl Iterator<Item = f64> {
        let goals = self.goals.iter().filter_map(|goal| match goal {
            Goal::Time(time) => Some(*time),
            _ => None,
        });
        goals.chain(self.limit_time)
    }

    /// The numbers of reactions likewise.
    fn numbers(&self) -> impl Iterator<Item = u64> {
        let goals = self.goals.iter().filter_map(|goal| match goal {
            Goal::Reactions(reactions) => Some(*reactions),
            _ => None,
        });
        goals.chain(self.limit_reactions)
    }
}

/// The predicates on counts of a plan.
struct Stated<'a>(&'a [Goal]);

impl Condition for Stated<'_> {
    fn holds(&self, counts: &[u64]) -> bool {
        self.0.iter().any(|goal| matches!(goal, Goal::Counts { predicate, .. } if predicate.holds(counts)))
    }
}

/// Molecules, or nodes of a graph.
enum AnyVessel {
    Mixed(Vessel),
    Graph(GraphVessel),
}

impl AnyVessel {
    fn time(&self) -> f64 {
        match self {
            Self::Mixed(vessel) => vessel.time(),
            Self::Graph(vessel) => vessel.time(),
        }
    }

    fn reactions(&self) -> u64 {
        match self {
            Self::Mixed(vessel) => vessel.reactions(),
            Self::Graph(vessel) => vessel.reactions(),
        }
    }

    fn counts(&self) -> &[u64] {
        match self {
            Self::Mixed(vessel) => vessel.counts(),
            Self::Graph(vessel) => vessel.counts(),
        }
    }

    fn is_silent(&self) -> bool {
        match self {
            Self::Mixed(vessel) => vessel.is_silent(),
            Self::Graph(vessel) => vessel.is_silent(),
        }
    }

    fn run_for(&mut self, until: &Until<'_>, steps: u64) -> Option<Halt> {
        match self {
            Self::Mixed(vessel) => vessel.run_for(until, steps),
            Self::Graph(vessel) => Some(vessel.run(until)),
        }
    }
}

/// Why a vessel cannot continue.
fn fault(plan: &ReactionPlan, vessel: &AnyVessel) -> String {
    let (Model::Vessel { network, .. }, AnyVessel::Mixed(vessel)) = (&plan.model, vessel) else {
        return "a rate is wrong".to_owned();
    };
    let text = |reaction: usize| {
        let rate = network.reactions()[reaction].rate.expression();
        rate.map_or_else(String::new, |expression| quoted(expression.text()))
    };
    match vessel.fault() {
        Some(VesselFault::Rate { reaction, value }) => {
            format!("the rate {} is {value} (accepted: 0 to 10^300)", text(reaction))
        }
        Some(VesselFault::Unbounded { reaction }) => {
            let rate = text(reaction);
            format!(
                "the rate {rate} grows beyond all bounds (accepted: one that is bounded over short times)"
            )
        }
        Some(VesselFault::Event { event, species }) => {
            let species = quoted(&plan.species[usize::from(species)]);
            format!(
                "event {} would leave less than 0 or more than 2^53 of {species} (accepted: `set`)",
                event + 1
            )
        }
        _ => "a rate or an event is wrong".to_owned(),
    }
}

struct ReactionRun<'a> {
    plan: &'a ReactionPlan,
    vessel: AnyVessel,
    /// A stretch of time in which nothing happens is an effort, too.
    turns: u64,
    /// The time of the next sample.
    to_sample: f64,
}

impl Course for ReactionRun<'_> {
    type Error = RunError;

    fn at(&self) -> At {
        At { steps: self.vessel.reactions(), time: Some(self.vessel.time()), ..At::START }
    }

    fn fraction(&self, at: &At) -> Option<f64> {
        let reactions = self.plan.numbers().map(|bound| at.steps as f64 / bound.max(1) as f64);
        self.plan.times().map(|bound| self.vessel.time() / bound).chain(reactions).reduce(f64::max)
    }

    fn effort(&self, at: &At) -> u64 {
        at.steps + self.turns
    }

    fn verdict(&mut self, at: &At) -> Option<Outcome> {
        let Self { plan, vessel, .. } = self;
        for goal in &plan.goals {
            let (word, reason) = match goal {
                Goal::Counts { predicate, text } if predicate.holds(vessel.counts()) => {
                    ("counts", format!("{text} holds"))
                }
                Goal::Silent if vessel.is_silent() => {
                    ("silent", "no reaction can happen any more".to_owned())
                }
                Goal::Time(time) if vessel.time() >= *time => {
                    ("elapsed", format!("a time of {time} is over"))
                }
                Goal::Reactions(reactions) if at.steps >= *reactions => {
                    ("reactions", format!("{reactions} reactions have happened"))
                }
                _ => continue,
            };
            return Some(Outcome::new(word, reason, Exit::Done));
        }
        let is_late = plan.limit_time.is_some_and(|limit| vessel.time() >= limit);
        let is_long = plan.limit_reactions.is_some_and(|limit| at.steps >= limit);
        let what = if is_late { "time" } else { "reactions" };
        (is_late || is_long).then(|| {
            let reason = format!("the limit of {what} is reached before a stop condition holds");
            Outcome::new("limit", reason, Exit::BudgetExhausted)
        })
    }

    fn advance(&mut self, most: u64) -> Result<Option<Outcome>, RunError> {
        let Self { plan, vessel, turns, to_sample } = self;
        *turns += 1;
        let end = plan.times().fold(f64::INFINITY, f64::min);
        if vessel.is_silent() {
            if end.is_infinite() {
                let reason = "no reaction can happen any more, and no stop condition holds";
                return Ok(Some(Outcome::new("quiet", reason, Exit::Failed)));
            }
            vessel.run_for(&Until::time(end.min(*to_sample)), STEPS_A_TURN);
            return Ok(None);
        }
        let to = vessel.reactions().saturating_add(most.max(1));
        let stated = Stated(&plan.goals);
        let is_asked = plan.goals.iter().any(|goal| matches!(goal, Goal::Counts { .. }));
        let until = Until {
            time: end.min(*to_sample),
            reactions: plan.numbers().fold(to, u64::min),
            condition: is_asked.then_some(&stated as &dyn Condition),
        };
        Ok(match vessel.run_for(&until, STEPS_A_TURN) {
            Some(Halt::Crowded) => {
                let reason = "the next reaction would make more than 2^53 molecules of a species";
                Some(Outcome::new("crowded", reason, Exit::Failed))
            }
            Some(Halt::Fault) => Some(Outcome::new("invalid", fault(plan, vessel), Exit::Failed)),
            _ => None,
        })
    }

    fn stop_at(&mut self, time: f64) {
        self.to_sample = time;
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.vessel.counts())
    }

    fn beat(&self) -> (&'static str, u64) {
        ("reaction", self.vessel.reactions())
    }

    fn awaited(&self) -> &'static str {
        "a stop condition held"
    }

    fn sections(&self) -> Vec<Section> {
        let Self { plan, vessel, .. } = self;
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("reactions", "reactions", vessel.reactions()));
        work.push(Figure::new("time", "time", vessel.time()));
        work.push(Figure::new("law", "law of the time", plan.model.law()));
        let total = vessel.counts().iter().sum::<u64>();
        match &plan.model {
            Model::Vessel { volume, .. } => {
                work.push(Figure::new("volume", "volume", *volume));
                work.push(Figure::new("molecules", "molecules", total));
            }
            Model::Graph { .. } => work.push(Figure::new("nodes", "nodes", total)),
        }
        let mut writer = DigestWriter::new();
        vessel.counts().iter().for_each(|&count| writer.write_u64(count));
        writer.write_u64(vessel.time().to_bits());
        if let AnyVessel::Graph(vessel) = vessel {
            vessel.states().iter().for_each(|&state| writer.write_u64(state.into()));
        }
        let mut digest = Section::of(SectionName::Digest);
        digest.push(Figure::new("configuration", "last configuration", writer.digest().to_string()));
        let mut molecules = Section::of(SectionName::States);
        for (name, &count) in plan.species.iter().zip(vessel.counts()) {
            molecules.push(Figure::new(name.clone(), name.clone(), count));
        }
        vec![work, digest, molecules]
    }
}
