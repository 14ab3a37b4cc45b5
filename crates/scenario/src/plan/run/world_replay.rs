//! Replay of a recorded run.

use std::borrow::Cow;

use acrasin_process::{
    Advance, Condition, Ending, Measure, Process, Progress, ReplayFinding, RunBound, StopRule,
};
use acrasin_report::record::Section;
use acrasin_report::spans::Spans;
use acrasin_runtime::choice::Scripted;
use acrasin_runtime::{Observer, World};
use acrasin_verify::locks::{LOCKOUT_FREE, SUCCESS_REACHABLE};
use acrasin_verify::replay::{self, ReplayEnd, ReplayReader, ReplayStep, Rounded};

use super::super::interaction_graph::InteractionGraph;
use super::algorithm::{Entries as _, RunAlgorithm};
use super::figures::{self, WorldFigures};
use super::filmed::WorldFilm;
use super::locked::table;
use super::observers::Observers;
use super::prepared_run::PreparedRun;
use super::state_counts::CountedSection;
use super::world_run::shown;
use crate::plan::Plan;
use crate::run::{
    CountConditions, CountStop, Drive, Filmed, Finished, JobReplayError, Presentation, ProcessRun,
    RunControl, RunError,
};

/// The keys of lock figures that are measured in rounds. A replay has no rounds, so it omits them.
const BY_ROUNDS: [&str; 4] = ["rounds", "holding", "held", "longest_wait"];

/// Names of failures that no single configuration shows. The first one is that of a randomised test run.
const OF_WHAT_FOLLOWS: [&str; 3] = ["not drained", SUCCESS_REACHABLE, LOCKOUT_FREE];

pub(super) fn again<E: RunAlgorithm, S: CountedSection>(
    beginning: PreparedRun<'_, E, S>,
    reader: &mut ReplayReader<'_, E>,
    watch: &dyn RunControl,
) -> Result<Finished, JobReplayError> {
    let manifest = beginning.manifest();
    let PreparedRun { plan, graph, seed, world, tally, priorities, .. } = beginning;
    let film = watch.eye().map(|_| WorldFilm::new((plan, graph, seed), &world, None));
    let observers = Observers { film, ..Observers::new(&world, tally) };
    let drive =
        Drive { watch, is_watched_at_once: false, sampler: None, pictures_at: &[], repetition: 0, manifest };
    let rounded = Rounded::Not;
    let mut again = WorldReplay {
        plan,
        graph,
        world,
        observers,
        priorities,
        reader,
        rounded,
        fails_again: false,
        ending: None,
        fault: None,
    };
    let finished = replay(drive, &mut again);
    match again.fault.take() {
        Some(fault) => Err(fault.into()),
        None => Ok(finished?),
    }
}

/// Drives a replay to its end. Uses dynamic dispatch, since reading a step takes longer than the calls.
fn replay<'a>(drive: Drive<'_>, again: &'a mut (dyn ReplayProcess + 'a)) -> Result<Finished, RunError> {
    let (rule, conditions) = (StopRule::default(), CountConditions::new(&[], None));
    let stop = CountStop::new(&*again, (&rule, &conditions), None);
    drive.run(&mut ProcessRun::new(again, stop, ReplayView))
}

/// A process that applies recorded steps.
trait ReplayProcess: Process {
    /// The sections of the record.
    fn sections(&self) -> Vec<Section>;

    /// The spans of time in which each node was in its critical section, if they are kept.
    fn inside(&self) -> Option<Spans>;

    /// If the process films its steps, passes the current configuration to `show` and returns true.
    fn filmed(&mut self, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool;

    /// The last configuration as text, if it is a dead end or violates an invariant.
    fn configuration(&self) -> Option<String>;
}

/// A world with the recorded steps to apply.
struct WorldReplay<'a, 'r, E: RunAlgorithm, S: CountedSection> {
    plan: &'a Plan,
    graph: &'a InteractionGraph,
    world: World<E, S>,
    observers: Observers<'a, E, S>,
    priorities: Option<u32>,
    reader: &'a mut ReplayReader<'r, E>,
    rounded: Rounded<E>,
    fails_again: bool,
    /// The ending, once it is known.
    ending: Option<Ending>,
    /// The error that ended the replay before the end of the file.
    fault: Option<replay::ReplayError>,
}

impl<E: RunAlgorithm, S: CountedSection> WorldReplay<'_, '_, E, S> {
    fn apply(
        &mut self,
        ReplayStep { line, step, picks, .. }: &ReplayStep<E>,
    ) -> Result<(), replay::ReplayError> {
        let Self { world, observers, reader, rounded, .. } = self;
        rounded.before(world, reader)?;
        observers.before(world, step);
        let place = || format!("{}:{line}", reader.name());
        let (number, words) = (reader.steps(), || step.to_string());
        let mut script = Scripted::new(picks);
        // Uses the same observer type as `narrate`, so that `apply` is compiled only once.
        let mut seen: &mut dyn Observer<E, S> = observers;
        world.apply(step, &mut script, &mut seen).map_err(|error| replay::ReplayError::Impossible {
            place: place(),
            number,
            step: words(),
            error,
        })?;
        observers.after(world, step);
        match script.fault() {
            Some(fault) => Err(replay::ReplayError::Choices { place: place(), number, step: words(), fault }),
            None => rounded.after(step, world, reader),
        }
    }
}

impl<E: RunAlgorithm, S: CountedSection> WorldReplay<'_, '_, E, S> {
    /// Applies the next step of the file. After the last step it returns the ending.
    fn next(&mut self) -> Result<Option<Ending>, replay::ReplayError> {
        if let Some(entry) = self.reader.next() {
            self.apply(&entry?)?;
            return Ok(None);
        }
        // All steps are applied; compare the end.
        let end = replay::compare_end(&self.world, self.reader)?;
        let goes_round = std::mem::take(&mut self.rounded).end(&self.world, self.reader)?;
        let found = if goes_round { EndComparison::Round } else { compared(&self.world, &end) };
        self.fails_again =
            matches!(found, EndComparison::Dead | EndComparison::Broken { .. } | EndComparison::Round);
        if let (true, Some(film)) = (self.fails_again, &mut self.observers.film) {
            film.failed();
        }
        Ok(Some(found.ending(&end)))
    }
}

impl<E: RunAlgorithm, S: CountedSection> Process for WorldReplay<'_, '_, E, S> {
    fn progress(&self) -> Progress {
        let Self { world, observers: Observers { tally, locks, .. }, .. } = self;
        let (steps, interactions, locks) = (world.steps(), tally.interactions(), locks.granted());
        Progress { steps, interactions, locks, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.observers.tally.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Steps
    }

    /// Applies one step.
    fn advance(&mut self, _: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if self.meets(condition) {
            return Advance::Held;
        }
        match self.next() {
            Ok(None) => Advance::Advanced,
            Ok(Some(ending)) => {
                self.ending = Some(ending);
                Advance::Quiescent
            }
            Err(fault) => {
                self.ending = Some(Ending::Replayed(ReplayFinding::NotReproduced, fault.to_string()));
                self.fault = Some(fault);
                Advance::Violated
            }
        }
    }

    /// A replay ends where the file ends.
    fn ending(&self) -> Option<Ending> {
        self.ending.clone()
    }

    fn digest(&self) -> u128 {
        self.world.digest().0
    }
}

/// The view of a recorded run for records and films.
struct ReplayView;

impl<'a> Presentation<dyn ReplayProcess + 'a> for ReplayView {
    fn filmed(
        &mut self,
        again: &mut (dyn ReplayProcess + 'a),
        show: &mut dyn FnMut(&mut dyn Filmed),
    ) -> bool {
        again.filmed(show)
    }

    fn sections(&self, again: &(dyn ReplayProcess + 'a)) -> Vec<Section> {
        again.sections()
    }

    fn inside(&self, again: &(dyn ReplayProcess + 'a)) -> Option<Spans> {
        again.inside()
    }

    fn configuration(&self, again: &(dyn ReplayProcess + 'a)) -> Option<String> {
        again.configuration()
    }
}

impl<E: RunAlgorithm, S: CountedSection> ReplayProcess for WorldReplay<'_, '_, E, S> {
    fn filmed(&mut self, show: &mut dyn FnMut(&mut dyn Filmed)) -> bool {
        let Self { world, observers: Observers { film, locks, .. }, .. } = self;
        let Some(film) = film else { return false };
        show(&mut film.shot(world, locks));
        true
    }

    fn sections(&self) -> Vec<Section> {
        let WorldReplay {
            plan,
            graph,
            world,
            observers: Observers { tally, locks, messages, entries, .. },
            priorities,
            ..
        } = self;
        let table = table(plan);
        let locks = without_rounds(&locks.section(world));
        let figures = WorldFigures {
            world,
            priorities: *priorities,
            locks,
            messages,
            entries: entries.section(),
            rounds: None,
            refused: None,
            fairness: None,
            has_time: &|| true,
        };
        let work = figures::work(table, tally, graph.nodes());
        let mut sections = figures.sections(work, figures::trace(graph));
        sections.extend(figures::populations(table, tally));
        sections
    }

    fn inside(&self) -> Option<Spans> {
        Some(self.observers.entries.inside()?.with_names(self.graph.listed_names()))
    }

    fn configuration(&self) -> Option<String> {
        (self.fails_again || self.world.violation().is_some()).then(|| shown(&self.world))
    }
}

/// The result of comparing the recorded end with the configuration after the last step. Digests and violated invariants
/// were already found equal.
enum EndComparison {
    /// The recorded run ended with waiting nodes and no enabled action, and so does the replay.
    Dead,
    /// The last steps form a cycle in which a node waits forever.
    Round,
    /// The replay violates the same property as the recorded run.
    Broken { property: &'static str, what: String },
    /// The recorded run failed, but the replay did not; the text describes the state of the replay.
    Otherwise(String),
    /// There is nothing else to compare.
    Same,
}

fn compared<E: RunAlgorithm, S: CountedSection>(world: &World<E, S>, end: &ReplayEnd) -> EndComparison {
    match end.recorded_ending() {
        Some(ending) if ending.is_at_rest() => {
            let is_dead = world.active().is_empty() && world.outstanding() > 0;
            // Other rules can enable another action in the same configuration.
            if is_dead {
                EndComparison::Dead
            } else {
                EndComparison::Otherwise("an action is enabled".to_owned())
            }
        }
        // A violated invariant is always a failure.
        Some(Ending::Failed { property, .. }) if world.violation().is_none() => {
            let properties = E::properties::<E, S>();
            let Some(property) = properties.iter().find(|known| known.name() == property) else {
                return EndComparison::Same;
            };
            match property.check(world) {
                Err(what) => EndComparison::Broken { property: property.name(), what },
                Ok(()) => EndComparison::Otherwise(format!("\"{}\" holds", property.name())),
            }
        }
        _ => EndComparison::Same,
    }
}

impl EndComparison {
    fn ending(self, end: &ReplayEnd) -> Ending {
        let ReplayEnd { outcome: said, digest, .. } = end;
        match self {
            Self::Broken { property, what } => Ending::Failed { property: property.to_owned(), what },
            Self::Round => Ending::Replayed(ReplayFinding::LockedOut, said.clone()),
            Self::Otherwise(what) => {
                let reason = format!(
                    "the steps lead to the recorded configuration, where {what}, but the recorded run ended with: {said}"
                );
                Ending::Replayed(ReplayFinding::NotReproduced, reason)
            }
            Self::Dead | Self::Same => {
                let mut reason =
                    format!("the recorded run is reproduced to digest {digest}; recorded ending: {said}");
                let failed = end.recorded_ending();
                if matches!(failed, Some(Ending::Failed { property, .. }) if OF_WHAT_FOLLOWS.contains(&property.as_str()))
                {
                    reason += " (a property of what follows the last step, which a replay does not check)";
                }
                Ending::Replayed(ReplayFinding::Reproduced, reason)
            }
        }
    }
}

fn without_rounds(locks: &Section) -> Section {
    let mut section = Section::new(locks.key().to_owned(), locks.title().to_owned());
    for figure in locks.figures().iter().filter(|figure| !BY_ROUNDS.contains(&figure.key())) {
        section.push(figure.clone());
    }
    section
}
