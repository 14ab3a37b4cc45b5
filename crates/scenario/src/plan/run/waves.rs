//! Rung F1: waves of critical sections.

use std::borrow::Cow;
use std::marker::PhantomData;

use acrasin_engine::network::PortTable;
use acrasin_engine::waves::{CompletePairs, Journal, PairTable, SectionTask, TaskWaves, Wave, count_states};
use acrasin_engine::{Draws, RoundCancellation};
use acrasin_process::{Advance, Awaited, Condition, Ending, Measure, Process, Progress, RunBound};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::Digest;
use acrasin_runtime::pack::{Pack, PackError, Saved as _, unpack_list};

use super::super::interaction_graph::InteractionGraph;
use super::figures::{self, digest_of_states};
use super::locked;
use super::locked_process::LockedProcess;
use super::state_counts::{CountDelta, CountedSection, StateCounts};
use crate::limits::CUT_NODES_MIN;
use crate::plan::Plan;
use crate::run::saved::{SavedProcess, save_and_restore};
use crate::run::{Finished, Job, Proceed, RunControl, RunError, called_off};

/// A run in waves. A node always has exclusive access to its closed neighbourhood, even if the requested lock set is
/// smaller.
struct WaveRun<'a, S: CountedSection> {
    layer: WaveGraph,
    section: S,
    /// The section as a table of pairs; `None` if the section has no such table.
    table: Option<PairTable>,
    states: Vec<S::State>,
    seed: u64,
    tally: StateCounts,
    /// The progress except interactions, which the tally counts.
    at: Progress,
    edges: u64,
    ports: u64,
    /// The bytes of the run before the first wave. Buffers of threads are excluded, because no figure may depend on the
    /// number of threads.
    bytes: u64,
    watch: &'a dyn RunControl,
    /// The answer of the run control that interrupted the last wave. The turns of this wave count, but the wave does
    /// not. A run with checkpoints returns to the state before the wave.
    cut: Proceed,
    /// Counts and states before the current wave, for a run with checkpoints whose waves can be interrupted. An
    /// interruption restores them, because the number of turns already made depends on the clock.
    before: Option<(StateCounts, Vec<S::State>)>,
}

/// The graph from which pairs and neighbourhoods are taken.
enum WaveGraph {
    Network(Box<TaskWaves<PortTable>>),
    Complete(CompletePairs),
}

impl WaveGraph {
    /// Runs a wave of a table of pairs and returns the number of interactions that changed a state. `None` if this
    /// graph does not support tables.
    fn meet(
        &mut self,
        wave: u64,
        table: &PairTable,
        agents: &mut [u16],
        cancellation: &RoundCancellation<'_>,
    ) -> Option<(Wave, u64)> {
        match self {
            Self::Network(waves) => waves.meet_while(wave, table, agents, cancellation),
            Self::Complete(pairs) => Some(pairs.meet_while(wave, table, agents, cancellation)),
        }
    }

    /// Runs a wave of a section.
    fn run<S: CountedSection>(
        &mut self,
        wave: u64,
        section: &S,
        states: &mut [S::State],
        cancellation: &RoundCancellation<'_>,
    ) -> (Wave, WaveReport<S>) {
        match self {
            Self::Network(waves) => waves.journaled_while(wave, &SectionTask(section), states, cancellation),
            Self::Complete(pairs) => pairs.journaled_while(wave, section, states, cancellation),
        }
    }
}

/// Runs a plan from these states.
pub(super) fn run<S: CountedSection>(
    (plan, graph, ports): (&Plan, &InteractionGraph, u16),
    job: &Job<'_>,
    (section, states, tally): (S, Vec<S::State>, StateCounts),
) -> Result<Finished, RunError> {
    let table = section.pairs();
    let draws = Draws::new(job.seed);
    let (layer, bytes) = if let InteractionGraph::Complete(nodes) = *graph {
        (WaveGraph::Complete(CompletePairs::new(nodes, draws)), 0)
    } else {
        let topology = graph.at_start(ports, job.seed)?;
        let network = PortTable::new(&topology);
        let network = network.map_err(|error| RunError::drawn(job.seed, error.to_string()))?;
        drop(topology);
        let mut waves = TaskWaves::new(network, draws);
        if table.is_some() {
            waves = waves.with_pattern();
        }
        let bytes = waves.bytes();
        (WaveGraph::Network(Box::new(waves)), bytes)
    };
    let edges = graph.edges_max();
    let ports = u64::from(ports).max(if matches!(layer, WaveGraph::Complete(_)) {
        graph.degree_max().into()
    } else {
        0
    });
    let bytes = bytes + size_of_val(&states[..]) as u64;
    let is_restored = job.watch.checkpoints().is_some() && states.len() >= CUT_NODES_MIN;
    let mut run = WaveRun {
        layer,
        section,
        table,
        before: is_restored.then(|| (tally.clone(), states.clone())),
        states,
        seed: job.seed,
        tally,
        at: Progress::START,
        edges,
        ports,
        bytes,
        watch: job.watch,
        cut: Proceed::Continue,
    };
    #[cfg(test)]
    crate::run::probe::visit(&mut run);
    let run: &mut dyn LockedProcess = &mut run;
    locked::drive((plan, graph), job, run)
}

/// The summed outcomes of the sections in a wave or in a part of it.
struct WaveReport<S>(CountDelta, PhantomData<fn() -> S>);

impl<S> Default for WaveReport<S> {
    fn default() -> Self {
        Self(CountDelta::default(), PhantomData)
    }
}

impl<S: CountedSection> Journal<S::Outcome> for WaveReport<S> {
    #[inline]
    fn entered(&mut self, _node: u32, outcome: S::Outcome) {
        S::tell(&outcome, &mut self.0);
    }

    fn append(&mut self, later: Self) {
        self.0.append(&later.0);
    }
}

impl<S: CountedSection> WaveRun<'_, S> {
    /// The digest of the states: between waves a configuration consists of states only.
    fn digest_of_states(&self) -> Digest {
        digest_of_states(&self.states)
    }
}

impl<S: CountedSection> Process for WaveRun<'_, S> {
    fn progress(&self) -> Progress {
        Progress { interactions: self.tally.interactions(), ..self.at }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.tally.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Rounds
    }

    /// Executes one wave, unless the condition holds already.
    fn advance(&mut self, _: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if self.meets(condition) {
            return Advance::Held;
        }
        let Self { layer, section, table, states, tally, at, watch, cut, before, .. } = self;
        if let Some((tally_before, states_before)) = before {
            tally_before.clone_from(tally);
            states_before.clone_from(states);
        }
        let goes_on = || watch.verdict() == Proceed::Continue;
        let cancellation = &if states.len() < CUT_NODES_MIN {
            RoundCancellation::never()
        } else {
            RoundCancellation::new(&goes_on)
        };
        let agents = S::agents_mut(states);
        let met = table.as_ref().and_then(|table| layer.meet(at.rounds, table, agents, cancellation));
        let wave = if let Some((wave, changes)) = met {
            tally.recount(wave.entered, changes, &count_states(agents));
            wave
        } else {
            let (wave, WaveReport(moves, _)) = layer.run(at.rounds, &*section, states, cancellation);
            tally.take(&moves);
            wave
        };
        if cancellation.is_cut() {
            *cut = watch.verdict();
            if let Some((tally_before, states_before)) = before {
                std::mem::swap(tally, tally_before);
                std::mem::swap(states, states_before);
                return Advance::Advanced;
            }
        } else if wave.entered == 0 {
            // Whether a node wants to enter depends only on its own state, and no state has changed.
            return Advance::Quiescent;
        }
        tally.completed(wave.entered);
        at.rounds += u64::from(!cancellation.is_cut());
        at.steps += wave.turns;
        at.locks += wave.entered;
        Advance::Advanced
    }

    /// The ending if the run control interrupted the last wave.
    fn ending(&self) -> Option<Ending> {
        (self.cut != Proceed::Continue).then(|| called_off(self.cut, Awaited::StopCondition))
    }

    fn digest(&self) -> u128 {
        self.digest_of_states().0
    }

    save_and_restore!();
}

impl<S: CountedSection> SavedProcess for WaveRun<'_, S> {
    const KIND: &'static str = "waves";

    fn save_state(&self, into: &mut Vec<u8>) -> bool {
        let Progress { rounds, steps, locks, .. } = self.at;
        (self.seed, rounds).pack(into);
        (steps, locks).pack(into);
        self.tally.save(into);
        self.states.pack(into);
        self.cut == Proceed::Continue || self.before.is_some()
    }

    fn load_state(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        if u64::unpack(from)? != self.seed {
            return Err(PackError);
        }
        self.cut = Proceed::Continue;
        let (rounds, steps, locks) = Pack::unpack(from)?;
        self.at = Progress { rounds, steps, locks, ..Progress::START };
        self.tally.load(from)?;
        unpack_list(&mut self.states, from)?;
        self.tally.check(S::agents(&self.states))
    }
}

impl<S: CountedSection> LockedProcess for WaveRun<'_, S> {
    /// Each wave is one turn.
    fn turns(&self) -> u64 {
        self.at.rounds
    }

    fn tally(&self) -> &StateCounts {
        &self.tally
    }

    fn agents(&self) -> &[u16] {
        S::agents(&self.states)
    }

    /// False: between waves no node is in a Lock.
    fn is_active(&self) -> bool {
        false
    }

    fn outstanding(&self) -> u64 {
        0
    }

    fn sections(&self, mut work: Section, trace: Vec<Figure>) -> Vec<Section> {
        let nodes = self.states.len() as u32;
        work.push(Figure::new("rounds", "waves", self.at.rounds));
        work.push(Figure::new("turns", "turns of nodes", self.at.steps));
        let mut locks = Section::of(SectionName::Locks);
        locks.push(Figure::new("completed", "Locks completed", self.at.locks));
        locks.push(Figure::new("released", "Unlocks completed", self.at.locks));
        let mut graph = Section::of(SectionName::Topology);
        graph.push(Figure::new("nodes", "nodes", u64::from(nodes)));
        graph.push(Figure::new("edges", "edges at the end", self.edges));
        graph.push(Figure::new("ports", "ports of a node", self.ports));
        for figure in trace {
            graph.push(figure);
        }
        let memory = figures::memory("lock layer and states", self.bytes, nodes);
        vec![work, locks, graph, memory, figures::digests(Some(self.digest()), Some(self.digest_of_states()))]
    }
}
