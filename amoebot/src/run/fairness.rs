//! Fairness as a value, and unfair adversaries.
//!
//! The canonical model describes an adversary by its concurrency and its fairness (Daymude, Richa, Scheideler, DISC
//! 2021). This crate represents them by these types:
//!
//! | concurrency | type |
//! |---|---|
//! | sequential | [`SequentialExecution`](crate::SequentialExecution) with any [`Adversary`] |
//! | k-isolated | [`Rounds`](crate::run::simultaneous::Rounds) with [`Concurrency::Isolated`](crate::run::simultaneous::Concurrency) |
//! | synchronous | [`Rounds`](crate::run::simultaneous::Rounds) with [`Concurrency::Synchronous`](crate::run::simultaneous::Concurrency) |
//! | asynchronous | [`Concurrent`](crate::run::concurrent::Concurrent) with any [`Adversary`], step by step; [`Waves`](crate::run::parallel::Waves) on every core |
//!
//! | fairness | type |
//! |---|---|
//! | unfair: an enabled amoebot is activated | [`LowestFirst`], [`HighestFirst`], [`Newest`], [`FromFn`](crate::run::execution::FromFn) |
//! | weakly fair: a continuously enabled amoebot is activated | [`Fair`] with [`Fairness::Weak`] and any of them |
//! | strongly fair: an amoebot enabled infinitely often is activated infinitely often | [`Fair`] with [`Fairness::Strong`]; with probability 1 also [`Uniform`](crate::run::execution::Uniform) and [`UniformEnabled`](crate::run::execution::UniformEnabled) |
//! | weakly fair, not strongly | [`RoundRobinActivation`](crate::run::execution::RoundRobinActivation): an amoebot may be disabled whenever its turn comes |
//!
//! In a synchronous round every enabled amoebot acts. In an isolated round a random set of enabled amoebots acts, drawn
//! again for each round.
//!
//! Deviation: "eventually" cannot be observed in a finite run. So we add a bound to fairness: the number of times that
//! an enabled amoebot may be passed over. Each run within a bound is fair in the unbounded sense, and each fair run
//! that ends satisfies some bound.

use std::collections::BTreeSet;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{Pack, PackError, pack_fields};

use crate::run::enabled::{EnabledSet, EnabledWatch};
use crate::run::execution::Adversary;

/// The guarantee of an adversary to enabled amoebots.
///
/// An amoebot is *passed over* by an activation if it is enabled just before, and another amoebot is activated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fairness {
    /// No guarantee, except that some enabled amoebot is activated.
    Unfair,
    /// An amoebot is due once `bound` activations have passed it over while it was enabled continuously.
    Weak {
        /// The number of activations that may pass over the amoebot before it is due.
        bound: u64,
    },
    /// An amoebot is due once it is enabled and `bound` activations have passed it over since its own last activation.
    /// Times at which it was disabled in between do not matter.
    Strong {
        /// The number of activations that may pass over the amoebot before it is due.
        bound: u64,
    },
}

impl Fairness {
    fn bound(self) -> Option<u64> {
        match self {
            Self::Unfair => None,
            Self::Weak { bound } | Self::Strong { bound } => Some(bound),
        }
    }

    /// Whether activations that passed over an amoebot still count after it was disabled.
    fn remembers(self) -> bool {
        !matches!(self, Self::Weak { .. })
    }
}

/// Makes an adversary fair.
///
/// The inner adversary decides while no amoebot is due. A due amoebot is activated at once, without calling the inner
/// adversary. If several amoebots are due, the one that has been due longest comes first; ties are broken by identity.
/// So an amoebot among n is never passed over more than `bound` + n - 1 times, and at most `bound` times if no other
/// amoebot is due. With bound 0 weak fairness serves amoebots in the order in which they were enabled.
///
/// If the inner adversary names a disabled amoebot, every enabled amoebot is passed over. If the inner adversary names
/// an unknown identity, the activation is forced: the amoebot that is due next is activated. With [`Fairness::Unfair`]
/// this is the enabled amoebot with the lowest identity. Use one value per run. O(log n) for each activation that
/// changes few amoebots.
///
/// ```
/// use acrasin_amoebot::run::fairness::{Fair, Fairness, HighestFirst};
/// use acrasin_amoebot::{Cell, Direction, SequentialExecution, Hexagon, start};
/// use acrasin_runtime::Seeded;
///
/// let line = start::line(Cell::ORIGIN, Direction::West, 20)?;
/// let mut execution = SequentialExecution::new(&Hexagon, Hexagon::start(&line, 0, &[])?);
/// // The highest identity goes first, unless an amoebot has waited for ten activations.
/// let mut adversary = Fair::new(HighestFirst::default(), Fairness::Weak { bound: 10 });
/// assert!(execution.run(100_000, &mut adversary, &mut Seeded::new(1)));
/// println!("{} activations were forced", adversary.forced());
/// assert!(adversary.longest() <= 10 + 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fair<A> {
    inner: A,
    fairness: Fairness,
    watch: EnabledWatch,
    waits: Vec<WaitRecord>,
    /// The enabled amoebots, sorted by the time at which they are due.
    queue: BTreeSet<(u64, AmoebotId)>,
    /// The number of activations so far, which serves as the clock.
    now: u64,
    forced: u64,
    longest: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct WaitRecord {
    /// The number of times that the amoebot was passed over before `since`.
    passed: u64,
    /// The activation since which the amoebot has been enabled; `None` while it is disabled.
    since: Option<u64>,
    /// The time at which the amoebot is due. The amoebot is in the queue only while it is enabled.
    due: Option<u64>,
}

pack_fields!(WaitRecord { passed, since, due });

impl WaitRecord {
    fn passed_by(&self, now: u64) -> u64 {
        self.passed + self.since.map_or(0, |since| now - since)
    }
}

impl<A> Fair<A> {
    /// Wraps the adversary `inner`, so that it gives this guarantee.
    #[must_use]
    pub fn new(inner: A, fairness: Fairness) -> Self {
        Self {
            inner,
            fairness,
            watch: EnabledWatch::default(),
            waits: Vec::new(),
            queue: BTreeSet::new(),
            now: 0,
            forced: 0,
            longest: 0,
        }
    }

    /// The fairness that this adversary guarantees.
    #[must_use]
    pub fn fairness(&self) -> Fairness {
        self.fairness
    }

    /// The number of forced activations, in which the inner adversary was not called or named an unknown identity.
    #[must_use]
    pub fn forced(&self) -> u64 {
        self.forced
    }

    /// The number of times that this amoebot was passed over since its last activation. Under [`Fairness::Weak`] only
    /// the times since it was last enabled count. 0 if there is no such amoebot.
    #[must_use]
    pub fn passed_over(&self, id: AmoebotId) -> u64 {
        self.waits.get(id.index()).map_or(0, |wait| wait.passed_by(self.now))
    }

    /// The maximum of [`passed_over`](Self::passed_over) over all amoebots and times. O(n).
    #[must_use]
    pub fn longest(&self) -> u64 {
        let now = self.waits.iter().map(|wait| wait.passed_by(self.now)).max();
        self.longest.max(now.unwrap_or(0))
    }

    /// Updates the queue, so that it contains the enabled amoebots.
    fn look(&mut self, enabled: &EnabledSet) {
        let Self { fairness, waits, queue, now, longest, .. } = self;
        if waits.len() < enabled.amoebots() {
            waits.resize(enabled.amoebots(), WaitRecord::default());
        }
        self.watch.look(enabled, |id, came| {
            let wait = &mut waits[id.index()];
            if came {
                wait.since = Some(*now);
                if let Some(bound) = fairness.bound() {
                    // An amoebot that was already due keeps its place in the queue.
                    let left = bound.saturating_sub(wait.passed);
                    let due = *wait.due.get_or_insert(now.saturating_add(left));
                    queue.insert((due, id));
                }
                return;
            }
            wait.passed = wait.passed_by(*now);
            wait.since = None;
            if let Some(due) = wait.due {
                queue.remove(&(due, id));
            }
            wait.due = wait.due.filter(|due| fairness.remembers() && due <= now);
            *longest = (*longest).max(wait.passed);
            if !fairness.remembers() {
                wait.passed = 0;
            }
        });
    }

    /// Records the activation of an amoebot.
    fn activated(&mut self, id: AmoebotId) {
        let wait = &mut self.waits[id.index()];
        // A disabled amoebot does nothing, so the model does not count it as activated.
        if wait.since.is_none() {
            return;
        }
        self.longest = self.longest.max(wait.passed_by(self.now));
        if let Some(due) = wait.due {
            self.queue.remove(&(due, id));
        }
        let from = self.now + 1;
        let due = self.fairness.bound().map(|bound| from.saturating_add(bound));
        self.queue.extend(due.map(|due| (due, id)));
        *wait = WaitRecord { passed: 0, since: Some(from), due };
    }
}

impl<A: Adversary> Adversary for Fair<A> {
    fn next(&mut self, enabled: &EnabledSet, choices: &mut dyn Choices) -> AmoebotId {
        self.look(enabled);
        let id = match self.queue.first() {
            Some(&(due, id)) if due <= self.now => {
                self.forced += 1;
                id
            }
            next => match self.inner.next(enabled, choices) {
                id if id.index() < enabled.amoebots() => id,
                _ => {
                    self.forced += 1;
                    let next = next.map(|(_, id)| id).or(enabled.ids().iter().min());
                    *next.expect("asked while an amoebot is enabled")
                }
            },
        };
        self.activated(id);
        self.now += 1;
        id
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.watch.save(into);
        self.waits.pack(into);
        self.queue.iter().copied().collect::<Vec<_>>().pack(into);
        (self.now, self.forced, self.longest).pack(into);
        self.inner.save(into)
    }

    fn load(&mut self, amoebots: usize, from: &mut &[u8]) -> Result<(), PackError> {
        self.watch.load(amoebots, from)?;
        self.waits.unpack_into(from)?;
        self.queue = Vec::<(u64, AmoebotId)>::unpack(from)?.into_iter().collect();
        (self.now, self.forced, self.longest) = Pack::unpack(from)?;
        let is_wait = |wait: &WaitRecord| wait.since.is_none_or(|since| since <= self.now);
        let is_known = |(_, id): &(u64, AmoebotId)| id.index() < self.waits.len();
        let is_sized = [0, amoebots].contains(&self.waits.len());
        if !is_sized || !self.waits.iter().all(is_wait) || !self.queue.iter().all(is_known) {
            return Err(PackError);
        }
        self.inner.load(amoebots, from)
    }
}

/// The enabled amoebots, sorted by identity.
#[derive(Clone, Debug, Default)]
struct EnabledByIdentity {
    watch: EnabledWatch,
    ids: BTreeSet<AmoebotId>,
}

impl EnabledByIdentity {
    fn of(&mut self, enabled: &EnabledSet) -> &BTreeSet<AmoebotId> {
        self.watch.look(enabled, |id, came| {
            if came {
                self.ids.insert(id)
            } else {
                self.ids.remove(&id)
            };
        });
        &self.ids
    }
}

/// Implements saving for an adversary that selects by identity: the enabled amoebots at its last look.
macro_rules! save_by_identity {
    () => {
        fn save(&self, into: &mut Vec<u8>) -> bool {
            self.0.watch.save(into);
            self.0.ids.iter().copied().collect::<Vec<_>>().pack(into);
            true
        }

        fn load(&mut self, amoebots: usize, from: &mut &[u8]) -> Result<(), PackError> {
            self.0.watch.load(amoebots, from)?;
            self.0.ids = Vec::<AmoebotId>::unpack(from)?.into_iter().collect();
            if self.0.ids.last().is_none_or(|id| id.index() < amoebots) { Ok(()) } else { Err(PackError) }
        }
    };
}

/// Always activates the enabled amoebot with the lowest identity. Unfair. O(log n).
#[derive(Clone, Debug, Default)]
pub struct LowestFirst(EnabledByIdentity);

impl Adversary for LowestFirst {
    fn next(&mut self, enabled: &EnabledSet, _: &mut dyn Choices) -> AmoebotId {
        *self.0.of(enabled).first().expect("asked while an amoebot is enabled")
    }

    save_by_identity!();
}

/// Always activates the enabled amoebot with the highest identity. Unfair. O(log n).
#[derive(Clone, Debug, Default)]
pub struct HighestFirst(EnabledByIdentity);

impl Adversary for HighestFirst {
    fn next(&mut self, enabled: &EnabledSet, _: &mut dyn Choices) -> AmoebotId {
        *self.0.of(enabled).last().expect("asked while an amoebot is enabled")
    }

    save_by_identity!();
}

/// Always activates the amoebot that became enabled most recently, until it is disabled or another amoebot becomes
/// enabled. Unfair: distant amoebots wait. At the start, and after many changes in one step, ties are broken by
/// identity. Use one value per run. O(log n).
///
/// For the opposite, the amoebot that has been enabled longest, use [`Fair`] with [`Fairness::Weak`] and bound 0.
#[derive(Clone, Debug, Default)]
pub struct Newest {
    watch: EnabledWatch,
    by_age: BTreeSet<(u64, AmoebotId)>,
    enabled_as: Vec<u64>,
    times: u64,
}

impl Adversary for Newest {
    fn next(&mut self, enabled: &EnabledSet, _: &mut dyn Choices) -> AmoebotId {
        let Self { watch, by_age, enabled_as, times } = self;
        if enabled_as.len() < enabled.amoebots() {
            enabled_as.resize(enabled.amoebots(), 0);
        }
        watch.look(enabled, |id, came| {
            let as_of = &mut enabled_as[id.index()];
            if came {
                *times += 1;
                *as_of = *times;
                by_age.insert((*as_of, id));
            } else {
                by_age.remove(&(*as_of, id));
            }
        });
        by_age.last().expect("asked while an amoebot is enabled").1
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.watch.save(into);
        self.by_age.iter().copied().collect::<Vec<_>>().pack(into);
        self.enabled_as.pack(into);
        self.times.pack(into);
        true
    }

    fn load(&mut self, amoebots: usize, from: &mut &[u8]) -> Result<(), PackError> {
        self.watch.load(amoebots, from)?;
        self.by_age = Vec::<(u64, AmoebotId)>::unpack(from)?.into_iter().collect();
        self.enabled_as.unpack_into(from)?;
        self.times.unpack_into(from)?;
        let is_known = |(_, id): &(u64, AmoebotId)| id.index() < amoebots;
        let is_sized = [0, amoebots].contains(&self.enabled_as.len());
        if is_sized && self.by_age.iter().all(is_known) { Ok(()) } else { Err(PackError) }
    }
}
