//! A recorded run, applied again.

use std::borrow::Cow;

use acrasin_process::{Awaited, Ending, Finding, Progress};
use acrasin_report::observer::{LockFigures, MessageFigures};
use acrasin_report::record::Section;
use acrasin_report::spans::Spans;
use acrasin_runtime::World;
use acrasin_runtime::choice::Scripted;
use acrasin_verify::locks::{LOCKOUT_FREE, SUCCESS_REACHABLE};
use acrasin_verify::replay::{self, End, Entry, ReplayReader, Rounded};

use super::super::interaction_graph::InteractionGraph;
use super::beginning::Beginning;
use super::figures::{self, WorldFigures};
use super::filmed::{Footage, Set};
use super::locked::table;
use super::turns::{Observers, shown};
use super::under::{Algorithm, Entries, Under};
use crate::film::Following;
use crate::plan::Plan;
use acrasin_report::film::Head;

use crate::run::{Course, Drive, Filmed, Finished, Look, ReplayError, Since, Watch};

/// Figures of Locks that count rounds: a replay has none.
const BY_ROUNDS: [&str; 4] = ["rounds", "holding", "held", "longest_wait"];

/// Failures that no configuration shows: the first is that of a swarm run.
const OF_WHAT_FOLLOWS: [&str; 3] = ["not drained", SUCCESS_REACHABLE, LOCKOUT_FREE];

pub(super) fn again<E: Algorithm, S: Under<E>>(
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
        footage,
    };
    drive.run(&mut again)
}

/// A world, and the steps that it shall take.
struct Again<'a, 'r, E: Algorithm, S: Under<E>> {
    plan: &'a Plan,
    graph: &'a InteractionGraph,
    seed: u64,
    world: World<E, S>,
    observers: Observers<'a, E, S>,
    priorities: Option<u32>,
    reader: &'a mut ReplayReader<'r, E>,
    rounded: Rounded<E>,
    fails_again: bool,
    /// What happened, if somebody looks at every step.
    footage: Option<Footage>,
}

impl<E: Algorithm, S: Under<E>> Again<'_, '_, E, S> {
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

impl<E: Algorithm, S: Under<E>> Course for Again<'_, '_, E, S> {
    type Error = ReplayError;

    fn at(&self) -> Progress {
        let Self { world, observers: (tally, (locks, _)), .. } = self;
        let (steps, interactions, locks) = (world.steps(), tally.interactions(), locks.granted());
        Progress { steps, interactions, locks, ..Progress::START }
    }

    fn fraction(&self, _: &Progress) -> Option<f64> {
        None
    }

    fn effort(&self, at: &Progress) -> u64 {
        at.steps
    }

    /// It ends where the file ends.
    fn ending(&mut self, _: &Progress) -> Option<Ending> {
        None
    }

    fn advance(&mut self, _: u64) -> Result<Option<Ending>, ReplayError> {
        if let Some(entry) = self.reader.next() {
            self.apply(&entry.map_err(replay::ReplayError::from)?)?;
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

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.observers.0.counts())
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.footage.is_some().then_some(self as _)
    }

    fn awaited(&self) -> Awaited {
        Awaited::StopCondition
    }

    fn sections(&self) -> Vec<Section> {
        let Self {
            plan,
            graph,
            world,
            observers: (tally, (locks, (messages, (entries, _)))),
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
        let (_, (_, (_, (entries, _)))) = &self.observers;
        Some(entries.inside()?.named(self.graph.listed_names()))
    }

    fn configuration(&self) -> Option<String> {
        (self.fails_again || self.world.violation().is_some()).then(|| shown(&self.world))
    }
}

impl<E: Algorithm, S: Under<E>> Again<'_, '_, E, S> {
    fn set(&self) -> (&Footage, Set<'_, E, S>) {
        let Self { plan, graph, seed, world, observers: (_, (locks, _)), footage, .. } = self;
        (footage.as_ref().expect("somebody looks"), Set { plan, graph, seed: *seed, world, locks })
    }
}

impl<E: Algorithm, S: Under<E>> Filmed for Again<'_, '_, E, S> {
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

/// What the end of a recorded run says, compared with the configuration that its steps lead to. Digest and broken
/// promise are the same.
enum Found {
    /// The recorded run ended dead, and here no node can act either.
    Dead,
    /// The steps from where a round begins lead round again and again, and somebody waits.
    Round,
    /// The property that the recorded run broke is broken.
    Broken { property: &'static str, what: String },
    /// The recorded run failed, and here this is so instead.
    Otherwise(String),
    /// There is nothing more to compare.
    Same,
}

fn compared<E: Algorithm, S: Under<E>>(world: &World<E, S>, end: &End) -> Found {
    match end.recorded_ending() {
        Some(ending) if ending.is_at_rest() => {
            let is_dead = world.active().is_empty() && world.outstanding() > 0;
            // Rules that leave the configuration alone can still enable another action in it.
            if is_dead { Found::Dead } else { Found::Otherwise("an action is enabled".to_owned()) }
        }
        // A broken promise fails in any case.
        Some(Ending::Failed { property, .. }) if world.violation().is_none() => {
            let properties = <S as Under<E>>::properties();
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
            Self::Round => Ending::Replayed(Finding::LockedOut, said.clone()),
            Self::Otherwise(what) => {
                let reason = format!(
                    "the steps lead to the recorded configuration, but there {what}, and the recorded run ended with: {said}"
                );
                Ending::Replayed(Finding::NotReproduced, reason)
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
                Ending::Replayed(Finding::Reproduced, reason)
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
