//! Workloads of amoebot algorithms, executed one amoebot at a time, in waves, and in tiles. A run that terminates is
//! restarted.

use acrasin_amoebot::Algorithm;
use acrasin_amoebot::model::system::System;
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::run::overlap::Overlap;
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::tiles::Tiles;
use acrasin_runtime::{Digest, Seeded};

use crate::memory::Floor;
use crate::row::{Ask, AskError, WorkloadRow};
use crate::work::{SampleCounts, Workload};

/// The minimum number of actions in a sample.
const SAMPLE_ACTIONS: u64 = 200_000;

/// An algorithm that several threads can use at the same time.
pub(crate) trait SharedAlgorithm:
    Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync + 'static
{
}

impl<A: Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync + 'static> SharedAlgorithm for A {}

/// An algorithm and a function that builds its initial system.
pub(crate) struct AlgorithmRows<A: 'static, S> {
    pub(crate) algorithm: &'static A,
    /// A prefix for the names of the rows, which distinguishes them from rows of other algorithms.
    pub(crate) title: Option<&'static str>,
    pub(crate) start: S,
}

impl<A, S> AlgorithmRows<A, S>
where
    A: SharedAlgorithm,
    S: Fn() -> Result<System<A::Memory>, AskError> + Copy + Send + Sync + 'static,
{
    /// The rows of the algorithm, one for each mode of execution.
    pub(crate) fn rows(self, ask: &Ask) -> [WorkloadRow; 3] {
        let Self { algorithm, title, start } = self;
        let (seed, is_checked) = (ask.seed, ask.check);
        let named = |way: &str| title.map_or(way.to_owned(), |title| format!("{title}, {way}"));
        [
            WorkloadRow::new(named("one at a time, uniform over the enabled"), move || {
                let start = start()?;
                let run = SequentialExecution::new(algorithm, start.clone());
                Ok(Box::new(SequentialWork { algorithm, start, run, choices: Seeded::new(seed) }))
            })
            .alone(),
            WorkloadRow::new(named("waves of disjoint lock sets"), move || {
                Ok(Box::new(ParallelWork::<A, Waves<'static, A>>::new(algorithm, start()?, seed, is_checked)))
            }),
            WorkloadRow::new(named("windows of tiles"), move || {
                Ok(Box::new(ParallelWork::<A, Tiles<'static, A>>::new(algorithm, start()?, seed, is_checked)))
            }),
        ]
    }
}

/// A sequential execution, restarted when it has terminated.
struct SequentialWork<A: Algorithm + 'static> {
    algorithm: &'static A,
    start: System<A::Memory>,
    run: SequentialExecution<'static, A>,
    choices: Seeded,
}

impl<A: SharedAlgorithm> Workload for SequentialWork<A> {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let items = (SAMPLE_ACTIONS / divisor).max(1);
        let mut left = items;
        while left > 0 {
            let before = self.run.counts().actions;
            self.run.run(left, &mut UniformEnabled, &mut self.choices);
            left -= self.run.counts().actions - before;
            if self.run.has_terminated() {
                self.run = SequentialExecution::new(self.algorithm, self.start.clone());
            }
        }
        SampleCounts { items, ..SampleCounts::default() }
    }
    fn nodes(&self) -> u64 {
        self.start.len() as u64
    }
    fn bytes(&self) -> u64 {
        self.run.bytes() as u64
    }
    fn digest(&self) -> Digest {
        self.run.system().digest()
    }
    fn floor(&self) -> Floor {
        Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes() }
    }
}

/// A parallel mode of execution that advances in steps.
trait Parallel<A: SharedAlgorithm>: Sized + Send + 'static {
    /// The noun for a step in messages, such as `wave`.
    const STEP: &'static str;

    /// Starts a run, with or without checks of its lock sets.
    fn begin(algorithm: &'static A, start: System<A::Memory>, seed: u64, is_checked: bool) -> Self;
    fn step(&mut self);
    /// The numbers of completed actions and of completed Locks.
    fn completed(&self) -> (u64, u64);
    fn invalid(&self) -> u64;
    fn has_terminated(&self) -> bool;
    fn system(&self) -> &System<A::Memory>;
    fn bytes(&self) -> usize;
    fn overlap(&self) -> Option<Overlap>;
}

macro_rules! parallel {
    ($way:ident, $step:ident, $word:literal, $locks:ident) => {
        impl<A: SharedAlgorithm> Parallel<A> for $way<'static, A> {
            const STEP: &'static str = $word;

            fn begin(algorithm: &'static A, start: System<A::Memory>, seed: u64, is_checked: bool) -> Self {
                let run = Self::new(algorithm, start, seed);
                if is_checked { run.with_checks() } else { run }
            }
            fn step(&mut self) {
                self.$step();
            }
            fn completed(&self) -> (u64, u64) {
                (self.counts().actions, self.counts().$locks)
            }
            fn invalid(&self) -> u64 {
                self.counts().invalid
            }
            fn has_terminated(&self) -> bool {
                self.has_terminated()
            }
            fn system(&self) -> &System<A::Memory> {
                self.system()
            }
            fn bytes(&self) -> usize {
                self.bytes()
            }
            fn overlap(&self) -> Option<Overlap> {
                self.overlap()
            }
        }
    };
}

parallel!(Waves, wave, "wave", locks);
// In tiles each action has one lock set.
parallel!(Tiles, window, "window", actions);

struct ParallelWork<A: Algorithm + 'static, W> {
    algorithm: &'static A,
    start: System<A::Memory>,
    run: W,
    seed: u64,
    is_checked: bool,
}

impl<A: SharedAlgorithm, W: Parallel<A>> ParallelWork<A, W> {
    fn new(algorithm: &'static A, start: System<A::Memory>, seed: u64, is_checked: bool) -> Self {
        let run = W::begin(algorithm, start.clone(), seed, is_checked);
        Self { algorithm, start, run, seed, is_checked }
    }
}

impl<A: SharedAlgorithm, W: Parallel<A>> Workload for ParallelWork<A, W> {
    fn part(&mut self, divisor: u64) -> SampleCounts {
        let least = (SAMPLE_ACTIONS / divisor).max(1);
        let mut counted = SampleCounts::default();
        while counted.items < least {
            let before = self.run.completed();
            self.run.step();
            let after = self.run.completed();
            counted.items += after.0 - before.0;
            counted.locks += after.1 - before.1;
            if self.run.has_terminated() {
                self.run = W::begin(self.algorithm, self.start.clone(), self.seed, self.is_checked);
            }
        }
        counted
    }
    fn nodes(&self) -> u64 {
        self.start.len() as u64
    }
    fn bytes(&self) -> u64 {
        self.run.bytes() as u64
    }
    fn digest(&self) -> Digest {
        self.run.system().digest()
    }
    fn floor(&self) -> Floor {
        Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes() }
    }
    fn verify(&mut self) -> Result<(), String> {
        if let Some(Overlap { id, step }) = self.run.overlap() {
            return Err(format!("amoebot {id} was in two lock sets of {} {step}", W::STEP));
        }
        match self.run.invalid() {
            0 => Ok(()),
            invalid => Err(format!("number of actions aborted under locks: {invalid}")),
        }
    }
}
