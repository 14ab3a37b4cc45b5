//! Rung F2: every message on a torus, bit-sliced.

use std::borrow::Cow;
use std::io;

use acrasin_engine::draw::Priorities;
use acrasin_engine::message::{Config, LockCode, Published};
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::sliced::{PortOrder, SlicedSections};
use acrasin_engine::{ActiveNodes, Draws, Lattice, Wanting};
use acrasin_process::{Advance, Condition, Ending, Measure, Process, Progress, RunBound};
use acrasin_report::record::{Figure, Section};
use acrasin_runtime::pack::{Pack, PackError, Saved as _};
use acrasin_runtime::{NodeId, scheduler};

use super::super::interaction_graph::InteractionGraph;
use super::figures::{self, digest_of_layer, digest_of_states};
use super::locked;
use super::locked_process::LockedProcess;
use super::messages::own_lock;
use super::round_figures::RoundFigures;
use super::state_counts::{CountedSection, StateCounts};
use crate::film::NodeLock;
use crate::plan::Plan;
use crate::run::saved::{SavedProcess, save_and_restore};
use crate::run::{Finished, Job, RunControl, RunError, has_time_for_figures};

/// A run on rung F2, which processes 512 nodes at a time.
struct SlicedRun<'a, S: CountedSection> {
    layer: SlicedSections<S>,
    tally: StateCounts,
    activation: ActiveNodes<'a>,
    edges: u64,
    priorities: u32,
    /// Whether nothing happened in the last round; then the process may be quiescent. Only used if some nodes do not
    /// always want a Lock.
    was_idle: bool,
    /// The number of releases already added to the state counts.
    releases: u64,
    watch: &'a dyn RunControl,
    /// Whether the run was ended from outside, so that little time is left.
    is_cut_short: bool,
}

/// Runs a plan from these states on its torus.
pub(super) fn run<S: CountedSection>(
    (plan, graph, lattice): (&Plan, &InteractionGraph, Lattice),
    job: &Job<'_>,
    (section, states, tally): (S, Vec<S::State>, StateCounts),
) -> Result<Finished, RunError> {
    let priorities = plan.locking.priorities(lattice.kind().degree(), plan.rung);
    let config = Config {
        draws: Draws::new(job.seed),
        priorities: Priorities::new(priorities).expect("the reader refuses fewer than 2"),
        // The section decides which nodes call Lock.
        wanting: Wanting::Never,
        memory: MemoryLimit(plan.memory),
    };
    // The graph numbers ports in the order of its sorted edges.
    let layer = SlicedSections::new(lattice, config, PortOrder::Numbers, section, states);
    let layer = layer.map_err(|error| RunError::drawn(job.seed, error.to_string()))?;
    let activation = match plan.schedule.rounds() {
        Some(scheduler::Activation::Random(probability)) => ActiveNodes::Random(*probability),
        _ => ActiveNodes::All,
    };
    let edges = graph.edges_max();
    let mut run = SlicedRun {
        layer,
        tally,
        activation,
        edges,
        priorities,
        was_idle: true,
        releases: 0,
        watch: job.watch,
        is_cut_short: false,
    };
    #[cfg(test)]
    crate::run::probe::visit(&mut run);
    let run: &mut dyn LockedProcess = &mut run;
    locked::drive((plan, graph), job, run)
}

impl<S: CountedSection> SlicedRun<'_, S> {
    fn nodes(&self) -> u32 {
        self.layer.states().len() as u32
    }

    /// Whether every node always wants a Lock. Then the run cannot become quiescent, and figures are only computed at
    /// the end.
    fn is_restless(&self) -> bool {
        self.layer.willing() == self.nodes()
    }
}

impl<S: CountedSection> Process for SlicedRun<'_, S> {
    fn progress(&self) -> Progress {
        Progress {
            rounds: self.layer.rounds(),
            steps: self.layer.activations(),
            interactions: self.tally.interactions(),
            locks: self.layer.grants(),
            ..Progress::START
        }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.tally.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Rounds
    }

    /// Executes one round of macro activations, unless the condition holds already or the run is quiescent.
    fn advance(&mut self, _: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if self.meets(condition) {
            return Advance::Held;
        }
        if self.was_idle && self.layer.willing() == 0 && self.outstanding() == 0 {
            return Advance::Quiescent;
        }
        let Self { layer, tally, activation, .. } = self;
        layer.round_observed(activation, |_: NodeId, outcome: S::Outcome| S::tell(&outcome, tally));
        let releases = self.layer.releases();
        self.tally.completed(releases - std::mem::replace(&mut self.releases, releases));
        if !self.is_restless() {
            let before = self.layer.sliced().figures();
            let now = self.layer.settle();
            self.was_idle = (before.calls, before.messages) == (now.calls, now.messages);
        }
        Advance::Advanced
    }

    /// Computes the figures and checks the lock sets; builds with debug assertions check them after every round.
    fn finish(&mut self, reached: Ending) -> io::Result<Ending> {
        self.is_cut_short = reached.is_cut_short();
        self.layer.settle();
        Ok(match self.layer.sliced().check() {
            Ok(()) => reached,
            Err(overlap) => Ending::Violated(overlap.to_string()),
        })
    }

    fn digest(&self) -> u128 {
        digest_of_layer(self.layer.digest(), self.layer.states())
    }

    save_and_restore!();
}

impl<S: CountedSection> SavedProcess for SlicedRun<'_, S> {
    const KIND: &'static str = "sliced rounds";

    fn save_state(&self, into: &mut Vec<u8>) -> bool {
        (self.was_idle, self.releases).pack(into);
        self.tally.save(into);
        self.layer.save(into);
        true
    }

    fn load_state(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        (self.was_idle, self.releases) = Pack::unpack(from)?;
        self.tally.load(from)?;
        self.layer.load(from)?;
        // The releases since the last report are the difference of the totals.
        if self.releases > self.layer.releases() {
            return Err(PackError);
        }
        self.tally.check(self.agents())
    }
}

impl<S: CountedSection> LockedProcess for SlicedRun<'_, S> {
    fn turns(&self) -> u64 {
        self.layer.rounds()
    }

    fn tally(&self) -> &StateCounts {
        &self.tally
    }

    fn agents(&self) -> &[u16] {
        S::agents(self.layer.states())
    }

    fn is_active(&self) -> bool {
        self.is_restless() || self.outstanding() > 0
    }

    /// The value at the last computation of figures, which is after every round unless every node always wants a Lock.
    fn outstanding(&self) -> u64 {
        let figures = self.layer.sliced().figures();
        figures.calls - figures.releases
    }

    /// Computed as on F3: the words are the same, and a lock set is the closed neighbourhood.
    fn standings(&self) -> Option<Vec<NodeLock>> {
        let lattice = self.layer.sliced().lattice();
        let words: Vec<Published> = self.layer.words().into_iter().map(Published::of_word).collect();
        let code = |node: u32| words[node as usize].code;
        let holder = |node: u32| {
            let beside = (1..=lattice.kind().degree()).map(|port| lattice.neighbour(node, port));
            let mut of_whom = std::iter::once(node)
                .chain(beside)
                .filter(|&peer| matches!(code(peer), LockCode::Win | LockCode::Locked | LockCode::Unlock));
            let first = of_whom.clone().find(|&peer| code(peer) == LockCode::Locked);
            let only = of_whom.next().filter(|_| of_whom.next().is_none());
            first.or(only.filter(|_| words[node as usize].locked))
        };
        Some((0..self.nodes()).map(|node| NodeLock::of(own_lock(code(node)), holder(node), node)).collect())
    }

    fn sections(&self, work: Section, trace: Vec<Figure>) -> Vec<Section> {
        let sliced = self.layer.sliced();
        let rounds = RoundFigures {
            figures: sliced.figures(),
            nodes: self.nodes(),
            edges: self.edges,
            ports: sliced.lattice().kind().degree(),
            priorities: self.priorities,
            bytes: self.layer.bytes(),
        };
        let mut sections = rounds.sections(work, trace);
        // The digest of the words of many nodes takes longer than an interrupted run has left.
        let has_time = || has_time_for_figures(self.watch, self.is_cut_short);
        let words = self.layer.digest_while(has_time);
        let states = words.map(|_| digest_of_states(self.layer.states()));
        let configuration = words.map(|words| digest_of_layer(words, self.layer.states()));
        sections.push(figures::digests(configuration, states));
        sections
    }
}
