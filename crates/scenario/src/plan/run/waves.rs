//! Rung F1: waves of critical sections.

use std::marker::PhantomData;

use acrasin_engine::network::{Network as _, PortTable};
use acrasin_engine::waves::{Journal, Section as Entry, Waves};
use acrasin_engine::{Draws, Rung};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::Digest;
use acrasin_runtime::digest::DigestWriter;

use super::super::ground::Ground;
use super::super::job::{Finished, Job, RunError};
use super::rounds::{self, Going, Rounds, SoFar, topology, write_states};
use super::tally::{Moves, Tallied, Tally};
use crate::plan::Plan;

/// A run in waves: a node has the states of its closed neighbourhood for itself, whatever lock set is asked for.
struct WaveRun<S: Tallied> {
    waves: Waves<PortTable>,
    section: S,
    states: Vec<S::State>,
    so_far: SoFar,
    edges: u64,
    /// Before the first wave: each thread will have a buffer of its own, and no figure depends on how many there are.
    bytes: u64,
}

/// Runs a plan from these states.
pub(super) fn run<S: Tallied>(
    (plan, ground, ports): (&Plan, &Ground, u16),
    job: &Job<'_>,
    (section, states, tally): (S, Vec<S::State>, Tally),
) -> Result<Finished, RunError> {
    let topology = topology(ground, ports, job.seed)?;
    let network = PortTable::new(&topology).map_err(|error| RunError::drawn(job.seed, error.to_string()))?;
    let edges = topology.edge_count();
    drop(topology);
    let waves = Waves::new(network, Draws::new(job.seed));
    let so_far = SoFar { rounds: 0, turns: 0, locks: 0 };
    let bytes = waves.bytes() + size_of_val(&states[..]) as u64;
    let mut run = WaveRun { waves, section, states, so_far, edges, bytes };
    Ok(rounds::drive((plan, ground), job, &mut run, tally))
}

/// What the sections of a wave, or of a part of it, report.
struct Told<S>(Moves, PhantomData<fn() -> S>);

impl<S> Default for Told<S> {
    fn default() -> Self {
        Self(Moves::default(), PhantomData)
    }
}

impl<S: Tallied> Journal<S::Outcome> for Told<S> {
    #[inline]
    fn entered(&mut self, _node: u32, outcome: S::Outcome) {
        S::tell(&outcome, &mut self.0);
    }

    fn append(&mut self, later: Self) {
        self.0.append(&later.0);
    }
}

impl<S: Tallied> Rounds for WaveRun<S> {
    fn rung(&self) -> Rung {
        Rung::F1
    }

    fn round(&mut self, tally: &mut Tally) -> Going {
        let Self { waves, section, states, so_far, .. } = self;
        let (wave, Told(moves, _)) = waves.journaled::<_, Told<S>>(so_far.rounds, &Entry(&*section), states);
        if wave.entered == 0 {
            // Who wants to enter depends on the own state alone, and nobody has changed any.
            return Going::Quiet;
        }
        tally.take(&moves);
        tally.completed(wave.entered);
        so_far.rounds += 1;
        so_far.turns += wave.turns;
        so_far.locks += wave.entered;
        Going::On
    }

    fn so_far(&self) -> SoFar {
        self.so_far
    }

    fn agents(&self) -> &[u16] {
        S::agents(&self.states)
    }

    fn outstanding(&self) -> u64 {
        0
    }

    /// Builds with debug assertions check every wave before anything is entered.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    fn sections(&self) -> Vec<Section> {
        let network = self.waves.network();
        let mut locks = Section::of(SectionName::Locks);
        locks.push(Figure::new("completed", "Locks completed", self.so_far.locks));
        locks.push(Figure::new("released", "Unlocks completed", self.so_far.locks));
        let mut graph = Section::of(SectionName::Topology);
        graph.push(Figure::new("nodes", "nodes", u64::from(network.nodes())));
        graph.push(Figure::new("edges", "edges at the end", self.edges));
        graph.push(Figure::new("ports", "ports of a node", u64::from(network.ports())));
        vec![locks, graph]
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Between waves there is nothing but states.
    fn digest(&self) -> Digest {
        self.digest_of_states()
    }

    fn digest_of_states(&self) -> Digest {
        let mut writer = DigestWriter::new();
        write_states(&self.states, &mut writer);
        writer.digest()
    }
}
