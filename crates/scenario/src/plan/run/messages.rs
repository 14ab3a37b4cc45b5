//! Rung F3: every message, in rounds of macro activations.

use std::borrow::Cow;
use std::io;

use acrasin_engine::draw::Priorities;
use acrasin_engine::message::{Changing, Config, Lasting, LockCode, LockConfiguration, Sectioned};
use acrasin_engine::network::{PortNetwork as _, PortTable};
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::{ActiveNodes, Draws, Figures, RoundCancellation, Wanting};
use acrasin_process::{Advance, Awaited, Condition, Ending, Measure, Process, Progress, RunBound};
use acrasin_report::record::{Figure, Section};
use acrasin_runtime::pack::{Pack, PackError, Saved as _};
use acrasin_runtime::{Digest, LockSetRule, NodeId, Seeded, scheduler};

use super::super::interaction_graph::InteractionGraph;
use super::super::schedule;
use super::changes::GraphChanges;
use super::figures::{self, digest_of_layer, digest_of_states};
use super::locked;
use super::locked_process::LockedProcess;
use super::round_figures::RoundFigures;
use super::state_counts::{CountedSection, StateCounts};
use crate::film::{LockPosition, NodeLock};
use crate::limits::CUT_NODES_MIN;
use crate::plan::Plan;
use crate::run::saved::{SavedProcess, save_and_restore};
use crate::run::{Finished, Job, Proceed, RunControl, RunError, called_off, has_time_for_figures};

/// A run on rung F3.
struct MessageRun<'a, S: CountedSection> {
    layer: MessageLayer<S>,
    tally: StateCounts,
    activation: ActiveNodes<'a>,
    nodes: u32,
    edges: u64,
    ports: u16,
    priorities: u32,
    /// Whether nothing happened in the last round; then the process may be quiescent.
    was_idle: bool,
    /// Whether the changes of the graph before the next round were already made: an interrupted round leaves them in
    /// place.
    has_changed: bool,
    watch: &'a dyn RunControl,
    is_cut_short: bool,
    /// The answer of the run control that interrupted the last round. Only the changes of the graph before that round
    /// remain.
    cut: Proceed,
}

/// The lock layer, with or without data for changes of the graph.
enum MessageLayer<S: CountedSection> {
    Lasting(Box<Sectioned<PortTable, S, Lasting>>),
    /// The layer on a changing graph. Also used for locks of pairs; on a static graph its list of changes is empty.
    Changing(Box<Sectioned<PortTable, S, Changing>>, Box<GraphChanges>),
}

/// Evaluates an expression for either layer.
macro_rules! in_layer {
    ($layer:expr, $run:ident => $result:expr) => {
        match $layer {
            MessageLayer::Lasting($run) => $result,
            MessageLayer::Changing($run, _) => $result,
        }
    };
}

/// Runs a plan from these states. Changes of the graph are drawn from `choices`, as on F4.
pub(super) fn run<S: CountedSection>(
    (plan, graph, ports): (&Plan, &InteractionGraph, u16),
    job: &Job<'_>,
    choices: Seeded,
    (section, states, tally): (S, Vec<S::State>, StateCounts),
) -> Result<Finished, RunError> {
    let refused = |error: &dyn std::fmt::Display| RunError::drawn(job.seed, error.to_string());
    let topology = graph.at_start(ports, job.seed)?;
    let edges = topology.edge_count();
    let priorities = plan.locking.priorities(ports, plan.rung);
    let config = Config {
        draws: Draws::new(job.seed),
        priorities: Priorities::new(priorities).expect("the reader refuses fewer than 2"),
        // The section decides which nodes call Lock.
        wanting: Wanting::Never,
        memory: MemoryLimit(plan.memory),
    };
    let is_fixed = graph.contacts().is_none() && plan.disturbances.is_empty();
    // Disturbances only restore initial edges, so no node ever needs more ports than at the start.
    let table = match graph {
        InteractionGraph::Fixed(_) => PortTable::new(&topology),
        InteractionGraph::Contacts(_) | InteractionGraph::Complete(_) => PortTable::with_room(&topology),
    };
    let table = table.map_err(|error| refused(&error))?;
    let layer = if is_fixed && plan.locking.lock_set == LockSetRule::Neighbourhood {
        drop(topology);
        let layer = Sectioned::new(table, config, section, states);
        MessageLayer::Lasting(Box::new(layer.map_err(|error| refused(&error))?))
    } else {
        let layer = Sectioned::changing(table, config, plan.locking.lock_set, section, states);
        let layer = layer.map_err(|error| refused(&error))?;
        let mut dynamics = schedule::disturbances(&plan.disturbances, &topology, plan.schedule.is_stepwise());
        if let Some(contacts) = graph.contacts() {
            dynamics.insert(0, Box::new(contacts.timetable()));
        }
        MessageLayer::Changing(Box::new(layer), Box::new(GraphChanges::new(topology, dynamics, choices)))
    };
    let activation = match plan.schedule.rounds() {
        Some(scheduler::Activation::Random(probability)) => ActiveNodes::Random(*probability),
        _ => ActiveNodes::All,
    };
    let nodes = graph.nodes();
    let mut run = MessageRun {
        layer,
        tally,
        activation,
        nodes,
        edges,
        ports,
        priorities,
        was_idle: true,
        has_changed: false,
        watch: job.watch,
        is_cut_short: false,
        cut: Proceed::Continue,
    };
    #[cfg(test)]
    crate::run::probe::visit(&mut run);
    let run: &mut dyn LockedProcess = &mut run;
    locked::drive((plan, graph), job, run)
}

impl<S: CountedSection> MessageRun<'_, S> {
    fn figures(&self) -> Figures {
        in_layer!(&self.layer, run => run.figures())
    }

    /// Whether no node is in a Lock, no node wants one, and the graph no longer changes.
    fn is_quiet(&self) -> bool {
        let changes = match &self.layer {
            MessageLayer::Lasting(_) => false,
            MessageLayer::Changing(_, changes) => changes.go_on(self.figures().rounds),
        };
        !changes
            && self.outstanding() == 0
            && in_layer!(&self.layer, run => {
                let mut states = (0..).zip(run.states());
                !states.any(|(node, state)| run.section().wants(state, run.rounds().degree(node)))
            })
    }

    /// The bytes of the lock layer and the states, without the buffers of threads.
    fn bytes(&self) -> u64 {
        in_layer!(&self.layer, run => {
            // In addition to the words, the layer stores the states, and the bits of nodes that call Lock and Unlock.
            let states = size_of_val(run.states()) as u64;
            run.rounds().bytes() + states + u64::from(run.rounds().network().nodes()).div_ceil(64) * 16
        })
    }

    /// Whether there is time for long computations after the last round.
    fn has_time(&self) -> bool {
        has_time_for_figures(self.watch, self.is_cut_short)
    }

    /// The digest of the states alone, to compare runs that reach the same states.
    fn digest_of_states(&self) -> Digest {
        in_layer!(&self.layer, run => digest_of_states(run.states()))
    }
}

impl<S: CountedSection> Process for MessageRun<'_, S> {
    fn progress(&self) -> Progress {
        let Figures { rounds, activations: steps, grants: locks, .. } = self.figures();
        Progress { rounds, steps, interactions: self.tally.interactions(), locks, ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.tally.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Rounds
    }

    /// Applies the graph changes of this round, then executes one round of [macro activations](acrasin_engine#rounds).
    /// No round is executed if the condition holds already or the run is quiescent.
    fn advance(&mut self, _: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if self.meets(condition) {
            return Advance::Held;
        }
        if let MessageLayer::Changing(run, changes) = &mut self.layer
            && !self.has_changed
        {
            let round = run.figures().rounds;
            changes.happen(round, |step| run.change(step).is_ok());
            self.has_changed = true;
        }
        if self.was_idle && self.is_quiet() {
            return Advance::Quiescent;
        }
        let Self { layer, tally, activation, was_idle, has_changed, watch, cut, nodes, .. } = self;
        let observe = |_: NodeId, outcome: S::Outcome| S::tell(&outcome, tally);
        let goes_on = || watch.verdict() == Proceed::Continue;
        let cancellation = if *nodes < CUT_NODES_MIN as u32 {
            RoundCancellation::never()
        } else {
            RoundCancellation::new(&goes_on)
        };
        let Some(figures) = in_layer!(layer, run => run.round_while(activation, observe, &cancellation))
        else {
            *cut = watch.verdict();
            return Advance::Advanced;
        };
        tally.completed(figures.releases);
        *has_changed = false;
        *was_idle = figures.calls == 0 && figures.messages == 0;
        Advance::Advanced
    }

    /// The ending if the run control interrupted the last round.
    fn ending(&self) -> Option<Ending> {
        (self.cut != Proceed::Continue).then(|| called_off(self.cut, Awaited::StopCondition))
    }

    /// Checks the lock sets; builds with debug assertions check them after every round.
    fn finish(&mut self, reached: Ending) -> io::Result<Ending> {
        self.is_cut_short = reached.is_cut_short();
        let (watch, is_cut_short) = (self.watch, self.is_cut_short);
        let has_time = || has_time_for_figures(watch, is_cut_short);
        Ok(match in_layer!(&self.layer, run => run.rounds().check_while(&has_time)) {
            Ok(()) => reached,
            Err(overlap) => Ending::Violated(overlap.to_string()),
        })
    }

    fn digest(&self) -> u128 {
        in_layer!(&self.layer, run => digest_of_layer(run.rounds().digest(), run.states()))
    }

    save_and_restore!();
}

impl<S: CountedSection> SavedProcess for MessageRun<'_, S> {
    const KIND: &'static str = "message rounds";

    fn save_state(&self, into: &mut Vec<u8>) -> bool {
        (self.was_idle, self.has_changed).pack(into);
        self.tally.save(into);
        in_layer!(&self.layer, run => run.save(into));
        match &self.layer {
            MessageLayer::Lasting(_) => true,
            MessageLayer::Changing(_, changes) => changes.save(into),
        }
    }

    fn load_state(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.cut = Proceed::Continue;
        (self.was_idle, self.has_changed) = Pack::unpack(from)?;
        self.tally.load(from)?;
        in_layer!(&mut self.layer, run => run.load(from))?;
        if let MessageLayer::Changing(_, changes) = &mut self.layer {
            changes.load(from)?;
        }
        self.tally.check(self.agents())
    }
}

impl<S: CountedSection> LockedProcess for MessageRun<'_, S> {
    fn turns(&self) -> u64 {
        self.figures().rounds
    }

    fn tally(&self) -> &StateCounts {
        &self.tally
    }

    fn agents(&self) -> &[u16] {
        in_layer!(&self.layer, run => S::agents(run.states()))
    }

    fn is_active(&self) -> bool {
        self.outstanding() > 0
    }

    fn outstanding(&self) -> u64 {
        let Figures { calls, releases, .. } = self.figures();
        calls - releases
    }

    fn standings(&self) -> Option<Vec<NodeLock>> {
        Some(in_layer!(&self.layer, run => standings(run.rounds())))
    }

    fn edges(&self) -> Option<Vec<(u32, u32)>> {
        match &self.layer {
            MessageLayer::Lasting(_) => None,
            MessageLayer::Changing(_, changes) => Some(changes.list()),
        }
    }

    fn sections(&self, work: Section, trace: Vec<Figure>) -> Vec<Section> {
        let (edges, changes) = match &self.layer {
            MessageLayer::Lasting(_) => (self.edges, Vec::new()),
            MessageLayer::Changing(_, changes) => (changes.edges(), changes.figures().to_vec()),
        };
        let further = changes.into_iter().chain(trace).collect();
        let rounds = RoundFigures {
            figures: self.figures(),
            nodes: self.nodes,
            edges,
            ports: self.ports,
            priorities: self.priorities,
            bytes: self.bytes(),
        };
        let mut sections = rounds.sections(work, further);
        let configuration = self.has_time().then(|| self.digest());
        let states = self.has_time().then(|| self.digest_of_states());
        sections.push(figures::digests(configuration, states));
        sections
    }
}

/// The positions of the nodes in their Locks. Between rounds a node can be locked for a neighbour whose Lock is not
/// complete yet or is already being released. This neighbour is shown as the holder if there is no other.
fn standings(configuration: &impl LockConfiguration) -> Vec<NodeLock> {
    let code = |node| configuration.published(node).code;
    let holder = |node: u32| {
        let beside = (0..=configuration.ports()).filter_map(|port| configuration.link(node, port));
        let mut of_whom = beside.filter(|&(peer, back)| {
            matches!(code(peer), LockCode::Win | LockCode::Locked | LockCode::Unlock)
                && configuration.member(peer, back)
        });
        let first = of_whom.clone().find(|&(peer, _)| code(peer) == LockCode::Locked);
        let only = of_whom.next().filter(|_| of_whom.next().is_none());
        first.or(only.filter(|_| configuration.published(node).locked)).map(|(peer, _)| peer)
    };
    (0..configuration.nodes()).map(|node| NodeLock::of(own_lock(code(node)), holder(node), node)).collect()
}

/// The position of a node in its own Lock.
pub(super) fn own_lock(code: LockCode) -> LockPosition {
    match code {
        LockCode::Idle => LockPosition::Idle,
        LockCode::Prepare | LockCode::First | LockCode::Later | LockCode::Win => LockPosition::Competing,
        LockCode::Locked => LockPosition::Holding,
        LockCode::Unlock => LockPosition::Releasing,
    }
}
