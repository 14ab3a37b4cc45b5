//! Algorithms that act: one amoebot at a time, in waves, in tiles, each again from the start when it is done.

use acrasin_amoebot::Algorithm;
use acrasin_amoebot::model::system::System;
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::run::tiles::Tiles;
use acrasin_runtime::{Digest, Seeded};

use crate::memory::Floor;
use crate::row::{Ask, AskError, Row};
use crate::work::{Counted, Work};

/// Actions in a sample, at least.
const SAMPLE_ACTIONS: u64 = 200_000;

/// An algorithm that threads share.
pub(crate) trait Acts: Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync + 'static {}

impl<A: Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync + 'static> Acts for A {}

/// An algorithm and where it starts.
pub(crate) struct Acted<A: 'static, S> {
    pub(crate) algorithm: &'static A,
    /// What its rows are called, if there are those of others.
    pub(crate) title: Option<&'static str>,
    pub(crate) start: S,
}

impl<A, S> Acted<A, S>
where
    A: Acts,
    S: Fn() -> Result<System<A::Memory>, AskError> + Copy + Send + Sync + 'static,
{
    /// In every way of running.
    pub(crate) fn rows(self, ask: &Ask) -> [Row; 3] {
        let Self { algorithm, title, start } = self;
        let (seed, is_checked) = (ask.seed, ask.check);
        let named = |way: &str| title.map_or(way.to_owned(), |title| format!("{title}, {way}"));
        [
            Row::new(named("one at a time, uniform over the enabled"), move || {
                let start = start()?;
                let run = SequentialExecution::new(algorithm, start.clone());
                Ok(Box::new(OneAtATime { algorithm, start, run, choices: Seeded::new(seed) }))
            })
            .alone(),
            Row::new(named("waves of disjoint lock sets"), move || {
                let start = start()?;
                let run = in_waves(algorithm, start.clone(), seed, is_checked);
                Ok(Box::new(InWaves { algorithm, start, run, seed, is_checked }))
            }),
            Row::new(named("windows of tiles"), move || {
                let start = start()?;
                let run = in_tiles(algorithm, start.clone(), seed, is_checked);
                Ok(Box::new(InTiles { algorithm, start, run, seed, is_checked }))
            }),
        ]
    }
}

/// Begins anew when it is done.
struct OneAtATime<A: Algorithm + 'static> {
    algorithm: &'static A,
    start: System<A::Memory>,
    run: SequentialExecution<'static, A>,
    choices: Seeded,
}

impl<A: Acts> Work for OneAtATime<A> {
    fn part(&mut self, divisor: u64) -> Counted {
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
        Counted { items, ..Counted::default() }
    }
    fn nodes(&self) -> u64 {
        self.start.len() as u64
    }
    fn bytes(&self) -> u64 {
        self.run.bytes() as u64
    }
    fn digest(&self) -> Digest {
        self.run.system().configuration().digest()
    }
    fn floor(&self) -> Floor {
        Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes() }
    }
}

struct InWaves<A: Algorithm + 'static> {
    algorithm: &'static A,
    start: System<A::Memory>,
    run: Waves<'static, A>,
    seed: u64,
    is_checked: bool,
}

fn in_waves<A: Acts>(
    algorithm: &'static A,
    start: System<A::Memory>,
    seed: u64,
    is_checked: bool,
) -> Waves<'static, A> {
    let run = Waves::new(algorithm, start, seed);
    if is_checked { run.checked() } else { run }
}

impl<A: Acts> Work for InWaves<A> {
    fn part(&mut self, divisor: u64) -> Counted {
        let least = (SAMPLE_ACTIONS / divisor).max(1);
        let mut counted = Counted::default();
        while counted.items < least {
            let before = self.run.counts();
            self.run.wave();
            let after = self.run.counts();
            counted.items += after.actions - before.actions;
            counted.locks += after.locks - before.locks;
            if self.run.has_terminated() {
                self.run = in_waves(self.algorithm, self.start.clone(), self.seed, self.is_checked);
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
        self.run.system().configuration().digest()
    }
    fn floor(&self) -> Floor {
        Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes() }
    }
    fn verify(&mut self) -> Result<(), String> {
        if let Some(overlap) = self.run.overlap() {
            return Err(format!("amoebot {} was in two lock sets of wave {}", overlap.id, overlap.step));
        }
        match self.run.counts().invalid {
            0 => Ok(()),
            invalid => Err(format!("{invalid} actions were aborted under locks")),
        }
    }
}

struct InTiles<A: Algorithm + 'static> {
    algorithm: &'static A,
    start: System<A::Memory>,
    run: Tiles<'static, A>,
    seed: u64,
    is_checked: bool,
}

fn in_tiles<A: Acts>(
    algorithm: &'static A,
    start: System<A::Memory>,
    seed: u64,
    is_checked: bool,
) -> Tiles<'static, A> {
    let run = Tiles::new(algorithm, start, seed);
    if is_checked { run.checked() } else { run }
}

impl<A: Acts> Work for InTiles<A> {
    fn part(&mut self, divisor: u64) -> Counted {
        let least = (SAMPLE_ACTIONS / divisor).max(1);
        let mut counted = Counted::default();
        while counted.items < least {
            let before = self.run.counts().actions;
            self.run.window();
            let acted = self.run.counts().actions - before;
            counted.items += acted;
            counted.locks += acted;
            if self.run.has_terminated() {
                self.run = in_tiles(self.algorithm, self.start.clone(), self.seed, self.is_checked);
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
        self.run.system().configuration().digest()
    }
    fn floor(&self) -> Floor {
        Floor { streamed: 0.0, lines: 2.0, footprint: self.bytes() }
    }
    fn verify(&mut self) -> Result<(), String> {
        if let Some(overlap) = self.run.overlap() {
            return Err(format!("amoebot {} was in two lock sets of window {}", overlap.id, overlap.step));
        }
        match self.run.counts().invalid {
            0 => Ok(()),
            invalid => Err(format!("{invalid} actions were aborted under locks")),
        }
    }
}
