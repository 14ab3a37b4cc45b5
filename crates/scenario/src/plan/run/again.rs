//! A recorded run, applied again.

use std::borrow::Cow;

use acrasin_process::{
    Advance, Condition, Ending, Measure, Process, Progress, ReplayFinding, RunBound, StopRule,
};
use acrasin_report::observer::{LockFigures, MessageFigures};
use acrasin_report::record::Section;
use acrasin_report::spans::Spans;
use acrasin_runtime::World;
use acrasin_runtime::choice::Scripted;
use acrasin_verify::locks::{LOCKOUT_FREE, SUCCESS_REACHABLE};
use acrasin_verify::replay::{self, End, Entry, ReplayReader, Rounded};

use super::super::interaction_graph::InteractionGraph;
use super::algorithm::{Algorithm, Entries};
use super::beginning::Beginning;
use super::figures::{self, WorldFigures};
use super::filmed::{Footage, Set};
use super::locked::table;
use super::tally::Tallied;
use super::turns::{Observers, shown};
use crate::film::Following;
use crate::plan::Plan;
use acrasin_report::film::Head;

use crate::run::{
    CountConditions, CountStop, Drive, Filmed, Finished, Look, Presentation, ProcessRun, ReplayError, Since,
    Watch,
};

/// Figures of Locks that count rounds: a replay has none.
const BY_ROUNDS: [&str; 4] = ["rounds", "holding", "held", "longest_wait"];

/// Failures that no configuration shows: the first is that of a swarm run.
const OF_WHAT_FOLLOWS: [&str; 3] = ["not drained", SUCCESS_REACHABLE, LOCKOUT_FREE];

pub(super) fn again<E: Algorithm, S: Tallied>(
    beginning: Beginning<'_, E, S>,
    reader: &mut ReplayReader<'_, E>,
    watch: &dyn Watch,
) -> Result<Finished, ReplayError> {
    let manifest = beginning.manifest();
    let Beginning { plan, graph, seed, world, tally, priorities, .. } = beginning;
    // As in a run, without its recorder: the lock layer is compiled once for both.
    let entries = Entries::new(&world);
    let observers = (tally, (LockFigures::new(graph.nodes()), (MessageFigures::new(), (entries, None))));
    let drive =
        Drive { watch, is_watched_at_once: false, sampler: None, pictures_at: &[], repetition: 0, manifest };
    let footage = watch.eye().is_some().then(|| {
        let following = graph
            .contacts()
            .and_then(|contacts| Some(Following::new(plan.terrain.walking(seed)?, contacts.edges())));
        Footage::new(&world).following(following)
    });
    let rounded = Rounded::Not;
    let mut again = Again {
        plan,
        graph,
        seed,
        world,
        observers,
        priorities,
        reader,
        rounded,
        fails_again: false,
        ending: None,
        fault: None,
        footage,
    };
    let (rule, conditions) = (StopRule::default(), CountConditions::new(&[], None));
    let stop = CountStop::new(&again, (&rule, &conditions), None);
    let finished = drive.run(&mut ProcessRun::new(&mut again, stop, ReplayView));
    match again.fault.take() {
        Some(fault) => Err(fault.into()),
        None => Ok(finished?),
    }
}

/// A world, and the steps that it shall take.
struct Again<'a, 'r, E: Algorithm, S: Tallied> {
    plan: &'a Plan,
    graph: &'a InteractionGraph,
    seed: u64,
    world: World<E, S>,
    observers: Observers<'a, E, S>,
    priorities: Option<u32>,
    reader: &'a mut ReplayReader<'r, E>,
    rounded: Rounded<E>,
    fails_again: bool,
    /// The ending.
    ending: Option<Ending>,
    /// The fault that ended it before the end of the file.
    fault: Option<replay::ReplayError>,
    /// The changes since the last look, if an observer sees every step.
    footage: Option<Footage>,
}

impl<E: Algorithm, S: Tallied> Again<'_, '_, E, S> {
    fn apply(&mut self, Entry { line, step, picks, .. }: &Entry<E>) -> Result<(), replay::ReplayError> {
        let Self { world, observers, reader, rounded, footage, .. } = self;
        rounded.before(world, reader)?;
        if let Some(footage) = footage {
            footage.before(world, step);
        }
        let place = || format!("{}:{line}", reader.name());
        let (number, words) = (reader.steps(), || step.to_string());
        let mut script = Scripted::new(picks);
        world.apply(step, &mut script, observers).map_err(|error| replay::ReplayError::Impossible {
            place: place(),
            number,
            step: words(),
            error,
        })?;
        if let Some(footage) = footage {
            footage.after((world, observers.1.0.granted()), step);
        }
        match script.fault() {
            Some(fault) => Err(replay::ReplayError::Choices { place: place(), number, step: words(), fault }),
            None => rounded.after(step, world, reader),
        }
    }
}

impl<E: Algorithm, S: Tallied> Again<'_, '_, E, S> {
    /// The next step of the file; after the last one the ending that follows from it.
    fn next(&mut self) -> Result<Option<Ending>, replay::ReplayError> {
        if let Some(entry) = self.reader.next() {
            self.apply(&entry?)?;
            return Ok(None);
        }
        // All steps are read: what is left is to compare the end.
        let end = replay::compare_end(&self.world, self.reader)?;
        let goes_round = std::mem::take(&mut self.rounded).end(&self.world, self.reader)?;
        let found = if goes_round { Found::Round } else { compared(&self.world, &end) };
        self.fails_again = matches!(found, Found::Dead | Found::Broken { .. } | Found::Round);
        if let (true, Some(footage)) = (self.fails_again, &mut self.footage) {
            footage.failed();
        }
        Ok(Some(found.ending(&end)))
    }
}

impl<E: Algorithm, S: Tallied> Process for Again<'_, '_, E, S> {
    fn progress(&self) -> Progress {
        let Self { world, observers: (tally, (locks, _)), .. } = self;
        let (steps, interactions, locks) = (world.steps(), tally.interactions(), locks.granted());
        Progress { steps, interactions, locks, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.observers.0.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Steps
    }

    /// A step.
    fn advance(&mut self, _: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if condition.is_some_and(|condition| condition.holds(self.observers.0.counts())) {
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

    /// It ends where the file ends.
    fn ending(&self) -> Option<Ending> {
        self.ending.clone()
    }

    fn digest(&self) -> u128 {
        self.world.digest().0
    }
}

/// The view of a recorded run for records and films.
struct ReplayView;

impl<'a, 'r, E: Algorithm, S: Tallied> Presentation<Again<'a, 'r, E, S>> for ReplayView {
    fn filmed<'p>(&'p mut self, again: &'p mut Again<'a, 'r, E, S>) -> Option<&'p mut dyn Filmed> {
        again.footage.is_some().then_some(again as _)
    }

    fn sections(&self, again: &Again<'a, 'r, E, S>) -> Vec<Section> {
        let Again {
            plan,
            graph,
            world,
            observers: (tally, (locks, (messages, (entries, _)))),
            priorities,
            ..
        } = again;
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

    fn inside(&self, again: &Again<'a, 'r, E, S>) -> Option<Spans> {
        let (_, (_, (_, (entries, _)))) = &again.observers;
        Some(entries.inside()?.named(again.graph.listed_names()))
    }

    fn configuration(&self, again: &Again<'a, 'r, E, S>) -> Option<String> {
        (again.fails_again || again.world.violation().is_some()).then(|| shown(&again.world))
    }
}

impl<E: Algorithm, S: Tallied> Again<'_, '_, E, S> {
    fn set(&self) -> (&Footage, Set<'_, E, S>) {
        let Self { plan, graph, seed, world, observers: (_, (locks, _)), footage, .. } = self;
        (footage.as_ref().expect("somebody looks"), Set { plan, graph, seed: *seed, world, locks })
    }
}

impl<E: Algorithm, S: Tallied> Filmed for Again<'_, '_, E, S> {
    fn head(&self) -> Head {
        let (footage, set) = self.set();
        footage.head(&set)
    }

    fn moment(&self) -> u64 {
        self.world.steps()
    }

    fn look(&self, node: u32, into: &mut Look) {
        let (footage, set) = self.set();
        footage.look(&set, node, into);
    }

    fn since(&mut self, into: &mut Since) {
        self.footage.as_mut().expect("somebody looks").since(into);
    }
}

/// The end of a recorded run, compared with the configuration that its steps lead to. Digest and broken
/// promise are the same.
enum Found {
    /// The recorded run ended dead, and here no node can act either.
    Dead,
    /// The steps from where a round begins lead around again and again while a node waits.
    Round,
    /// The property that the recorded run broke is broken.
    Broken { property: &'static str, what: String },
    /// The recorded run failed, and here this is so instead.
    Otherwise(String),
    /// There is nothing more to compare.
    Same,
}

fn compared<E: Algorithm, S: Tallied>(world: &World<E, S>, end: &End) -> Found {
    match end.recorded_ending() {
        Some(ending) if ending.is_at_rest() => {
            let is_dead = world.active().is_empty() && world.outstanding() > 0;
            // Rules that leave the configuration alone can still enable another action in it.
            if is_dead { Found::Dead } else { Found::Otherwise("an action is enabled".to_owned()) }
        }
        // A broken promise fails in any case.
        Some(Ending::Failed { property, .. }) if world.violation().is_none() => {
            let properties = E::properties::<E, S>();
            let Some(property) = properties.iter().find(|known| known.name() == property) else {
                return Found::Same;
            };
            match property.check(world) {
                Err(what) => Found::Broken { property: property.name(), what },
                Ok(()) => Found::Otherwise(format!("\"{}\" holds", property.name())),
            }
        }
        _ => Found::Same,
    }
}

impl Found {
    fn ending(self, end: &End) -> Ending {
        let End { outcome: said, digest, .. } = end;
        match self {
            Self::Broken { property, what } => Ending::Failed { property: property.to_owned(), what },
            Self::Round => Ending::Replayed(ReplayFinding::LockedOut, said.clone()),
            Self::Otherwise(what) => {
                let reason = format!(
                    "the steps lead to the recorded configuration, but there {what}, and the recorded run ended with: {said}"
                );
                Ending::Replayed(ReplayFinding::NotReproduced, reason)
            }
            Self::Dead | Self::Same => {
                let mut reason = format!(
                    "the recorded run is reproduced to digest {digest}; it says that it ended with: {said}"
                );
                let failed = end.recorded_ending();
                if matches!(failed, Some(Ending::Failed { property, .. }) if OF_WHAT_FOLLOWS.contains(&property.as_str()))
                {
                    reason += " (that is about what follows the last step, where a replay ends)";
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
