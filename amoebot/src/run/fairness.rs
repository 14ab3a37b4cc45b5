//! Fairness as a value, and unfair adversaries.
//!
//! The canonical model describes an adversary by its concurrency and its fairness (Daymude, Richa, Scheideler, DISC 2021).
//! Where each of them is in this crate:
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
//! | unfair: an enabled amoebot is activated | [`First`], [`Last`], [`Newest`], [`FromFn`](crate::run::execution::FromFn) |
//! | weakly fair: who is enabled continuously is activated | [`Fair`] with [`Fairness::Weak`] and any of them |
//! | strongly fair: who is enabled infinitely often is activated infinitely often | [`Fair`] with [`Fairness::Strong`]; with probability 1 also [`Uniform`](crate::run::execution::Uniform) and [`UniformEnabled`](crate::run::execution::UniformEnabled) |
//! | weakly fair, not strongly | [`RoundRobin`](crate::run::execution::RoundRobin): it may come by whenever an amoebot is disabled |
//!
//! In a synchronous round every amoebot that is enabled acts; who acts in an isolated one is drawn anew each time.
//!
//! Deviation. "Eventually" cannot be seen in a run that ends. So fairness has a bound here, which is ours: how often
//! an enabled amoebot may be passed over. Each bounded run is one of those that the unbounded notion allows, and to each run
//! that is fair and ends there is a bound that allows it.

use std::collections::BTreeSet;

use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::run::enabled::{EnabledSet, Watch};
use crate::run::execution::Adversary;

/// What an adversary owes to those who are enabled.
///
/// An amoebot is *passed over* by an activation if enabled just before it, and another amoebot is activated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fairness {
    /// Nothing: that an enabled amoebot is activated is enough.
    Unfair,
    /// Who was passed over so many times, and was enabled all the time, is due.
    Weak {
        /// Activations.
        bound: u64,
    },
    /// Who was passed over so many times since the last own activation, disabled in between or not, is due as soon as
    /// enabled.
    Strong {
        /// Activations.
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

    /// Whether what was passed over before an amoebot was disabled counts.
    fn remembers(self) -> bool {
        !matches!(self, Self::Weak { .. })
    }
}

/// An adversary that is kept fair.
///
/// As long as no amoebot is due the inner one decides. Who is due is activated at once, and the inner one is not asked.
/// Several go in the order in which they had waited for so long, by identity among equals. So of n amoebots no amoebot is
/// passed over more than `bound` + n - 1 times, and never more than `bound` times if no other is due. With bound 0 weak
/// fairness serves them in the order in which they were enabled.
///
/// If the inner one names a disabled amoebot, every enabled amoebot is passed over. If it names an amoebot that there is
/// not, the activation is forced: it goes to who would be due next, and with [`Fairness::Unfair`] to the enabled amoebot
/// with the lowest identity. A value is for one run. O(log n) for each
/// activation that changes few amoebots.
///
/// ```
/// use acrasin_amoebot::run::fairness::{Fair, Fairness, Last};
/// use acrasin_amoebot::{Cell, Direction, SequentialExecution, Hexagon, start};
/// use acrasin_runtime::Seeded;
///
/// let line = start::line(Cell::ORIGIN, Direction::West, 20)?;
/// let mut execution = SequentialExecution::new(&Hexagon, Hexagon::start(&line, 0, &[])?);
/// // Whoever has the highest identity goes first, unless an amoebot has waited for ten activations.
/// let mut adversary = Fair::new(Last::default(), Fairness::Weak { bound: 10 });
/// assert!(execution.run(100_000, &mut adversary, &mut Seeded::new(1)));
/// println!("{} activations were forced", adversary.forced());
/// assert!(adversary.longest() <= 10 + 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fair<A> {
    inner: A,
    fairness: Fairness,
    watch: Watch,
    waits: Vec<Wait>,
    /// Those who are enabled, by when they are due.
    queue: BTreeSet<(u64, AmoebotId)>,
    /// Activations so far.
    now: u64,
    forced: u64,
    longest: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Wait {
    /// Passed over so many times, not counting since `since`.
    passed: u64,
    /// The activation since which it is enabled, or since which it counts.
    since: Option<u64>,
    /// When it is due: in the queue, or long ago.
    due: Option<u64>,
}

impl Wait {
    fn passed_by(&self, now: u64) -> u64 {
        self.passed + self.since.map_or(0, |since| now - since)
    }
}

impl<A> Fair<A> {
    /// Keeps `inner` fair.
    #[must_use]
    pub fn new(inner: A, fairness: Fairness) -> Self {
        Self {
            inner,
            fairness,
            watch: Watch::default(),
            waits: Vec::new(),
            queue: BTreeSet::new(),
            now: 0,
            forced: 0,
            longest: 0,
        }
    }

    /// The fairness it keeps.
    #[must_use]
    pub fn fairness(&self) -> Fairness {
        self.fairness
    }

    /// How many activations were forced: the inner adversary was not asked, or named no amoebot.
    #[must_use]
    pub fn forced(&self) -> u64 {
        self.forced
    }

    /// How many times this amoebot has been passed over since it was last activated; under [`Fairness::Weak`] as far as it
    /// was enabled all the time. 0 if there is no such amoebot.
    #[must_use]
    pub fn passed_over(&self, id: AmoebotId) -> u64 {
        self.waits.get(id.index()).map_or(0, |wait| wait.passed_by(self.now))
    }

    /// The most that [`passed_over`](Self::passed_over) has been for any amoebot at any time. O(n).
    #[must_use]
    pub fn longest(&self) -> u64 {
        let now = self.waits.iter().map(|wait| wait.passed_by(self.now)).max();
        self.longest.max(now.unwrap_or(0))
    }

    /// Brings the queue up to date with who is enabled.
    fn look(&mut self, enabled: &EnabledSet) {
        let Self { fairness, waits, queue, now, longest, .. } = self;
        if waits.len() < enabled.amoebots() {
            waits.resize(enabled.amoebots(), Wait::default());
        }
        self.watch.look(enabled, |id, came| {
            let wait = &mut waits[id.index()];
            if came {
                wait.since = Some(*now);
                if let Some(bound) = fairness.bound() {
                    // Who was due keeps the place in the queue.
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

    /// This one is activated now.
    fn activated(&mut self, id: AmoebotId) {
        let wait = &mut self.waits[id.index()];
        // A disabled one does nothing: that is no activation in the sense of the model.
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
        *wait = Wait { passed: 0, since: Some(from), due };
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
}

/// Those who are enabled, by identity.
#[derive(Clone, Debug, Default)]
struct Members {
    watch: Watch,
    ids: BTreeSet<AmoebotId>,
}

impl Members {
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

/// Always the enabled amoebot with the lowest identity: unfair. O(log n).
#[derive(Clone, Debug, Default)]
pub struct First(Members);

impl Adversary for First {
    fn next(&mut self, enabled: &EnabledSet, _: &mut dyn Choices) -> AmoebotId {
        *self.0.of(enabled).first().expect("asked while an amoebot is enabled")
    }
}

/// Always the enabled amoebot with the highest identity: unfair. O(log n).
#[derive(Clone, Debug, Default)]
pub struct Last(Members);

impl Adversary for Last {
    fn next(&mut self, enabled: &EnabledSet, _: &mut dyn Choices) -> AmoebotId {
        *self.0.of(enabled).last().expect("asked while an amoebot is enabled")
    }
}

/// Always the amoebot that was enabled last, and goes on with it as long as it stays enabled and no amoebot is newly
/// enabled: unfair, those at the far end wait. At the start, and after many changes at once, by identity; a value is for
/// one run. O(log n).
///
/// The opposite, who is enabled longest, is [`Fair`] with [`Fairness::Weak`] and bound 0.
#[derive(Clone, Debug, Default)]
pub struct Newest {
    watch: Watch,
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
}
