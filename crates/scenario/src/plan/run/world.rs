//! The world of a plan and a seed at its start.

use std::ops::ControlFlow;

use acrasin_engine::Rung;
use acrasin_explore::{SearchControl, SearchProgress, UnsavedSearch};
use acrasin_protocols::locked::Interactions;
use acrasin_runtime::exclusion::InitialKnowledge;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{CriticalSection, Demand, LockOnly, Seeded, Setup, Topology, World};
use acrasin_verify::locks::{Options, Walks};
use acrasin_verify::replay::{self, ReplayEnd, ReplayFile};

use super::super::build::NodeWork;
use super::super::exploration::{LockCounterexample, Manner};
use super::super::interaction_graph::InteractionGraph;
use super::algorithm::RunAlgorithm;
use super::prepared_run::PreparedRun;
use super::state_counts::{CountedSection, StateCounts};
use super::{explored, rounds, world_replay, world_run};
use crate::check::CheckReport;
use crate::exclusion::{SeatedAlgorithm, SeatedVisitor};
use crate::plan::Plan;
use crate::run::{Finished, Job, JobReplayError, RunControl, RunError};

/// A visitor of a prepared run, generic over the section.
trait WorldDriver {
    type Result;
    fn go<E: RunAlgorithm, S: CountedSection>(self, beginning: PreparedRun<'_, E, S>) -> Self::Result;
}

impl Plan {
    /// Runs the plan to its end. Conditions are evaluated between turns of the scheduler. A run of whole rounds can
    /// therefore exceed a bound on interactions by the interactions of one round.
    ///
    /// | the run ends because | word | exit |
    /// |---|---|---|
    /// | a stop condition holds | `agreed`, `silent`, `counts`, `rounds`, `interactions`, `locks`, `trace end` | done |
    /// | every requested Lock is completed and released | `served` | done |
    /// | the trace is over, without stop conditions | `trace end` | done |
    /// | the trace is over, and no stop condition holds | `trace end` | budget |
    /// | no node wants a Lock and the graph no longer changes, without stop conditions | `quiet` | done |
    /// | the same, and no stop condition holds | `quiet` | failed |
    /// | Locks are outstanding, no action is enabled and the graph no longer changes | `deadlock` | failed |
    /// | the same under critical sections, and all nodes that do not wait have completed their Locks | `left waiting` | failed |
    /// | an invariant of the lock layer is violated | `violation` | failed |
    /// | a limit is reached, or the run control reports that time is over | `limit`, `time` | budget |
    /// | the run control reports an interruption | `interrupted` | interrupted |
    ///
    /// `silent` is exact on the complete graph. On other static graphs it is detected at once from the present states,
    /// or edge by edge with a delay of at most max(1024, edges) steps. On a changing graph only the present states are
    /// considered, because agents that are not adjacent now may be later.
    ///
    /// The rung determines the level of detail ([`acrasin_engine`]). The initial states are the same on all rungs.
    ///
    /// | rung | a round is | a step is | not available |
    /// |---|---|---|---|
    /// | F1 | a wave: each node has one turn, and locks its closed neighbourhood if it wants to | a turn | messages, trials, `deadlock` |
    /// | F3 | a macro activation of each active node: it receives everything that it can receive, then runs its checks | a macro activation | figures by Lock and by kind of message, `deadlock` |
    /// | F4 | defined by the scheduler | an action, or a change of the graph | |
    ///
    /// F1 and F3 use the threads of the current rayon pool; the result does not depend on the number of threads. At the
    /// end of a run on F3 the lock sets of all holders are checked to be disjoint. Builds with debug assertions check
    /// them after every round. F3 does not look for deadlocks: it runs only the repaired rules, under which there are
    /// none.
    ///
    /// The result is a function of the plan and `job.seed`: neither observing nor recording changes it. On F4 the run
    /// control can end a run in the middle of a round. Once [there is no time](RunControl::has_time), the record has no
    /// digest, and F3 does not check lock sets.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the steps cannot be written, or if a recording is requested on a rung other than F4. Also if the
    /// graph drawn from the seed needs more ports or memory than allowed.
    pub fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        if self.rung != Rung::F4 {
            return rounds::run(self, &job);
        }
        struct Run<'a>(Job<'a>);
        impl WorldDriver for Run<'_> {
            type Result = Result<Finished, RunError>;
            fn go<E: RunAlgorithm, S: CountedSection>(
                self,
                beginning: PreparedRun<'_, E, S>,
            ) -> Self::Result {
                world_run::run(beginning, self.0)
            }
        }
        self.begin(job.seed, Run(job))?
    }

    /// Replays a recorded run of this plan step by step and compares the configuration at its end. The plan must be
    /// made from [the scenario of the header](acrasin_verify::replay::Header::scenario).
    ///
    /// Also returns the end that the file records. The end is absent if the run control ended the replay earlier.
    ///
    /// A reproduced run ends as done (`reproduced`), and the reason says how it ended. If the recorded run ended with
    /// no enabled action, but its last configuration enables an action under the rules of this plan, the replay fails
    /// (`not reproduced`). If the outcome begins with the name of one of the
    /// [properties](acrasin_verify::properties::all) and a colon, that property is checked in the last configuration.
    /// If it is violated, the replay fails as `broken property`, otherwise as `not reproduced`. A replay has no
    /// scheduler and hence no rounds. Recordings are of rung F4 and are replayed on F4, whatever rung the scenario
    /// names.
    ///
    /// # Errors
    ///
    /// [`JobReplayError`] if the file is malformed or from another algorithm, a step is impossible, or the end differs.
    pub fn replay(
        &self,
        file: ReplayFile<'_>,
        watch: &dyn RunControl,
    ) -> Result<(Finished, Option<ReplayEnd>), JobReplayError> {
        struct Replay<'a, 'r>(ReplayFile<'r>, &'a dyn RunControl);
        impl WorldDriver for Replay<'_, '_> {
            type Result = Result<(Finished, Option<ReplayEnd>), JobReplayError>;
            fn go<E: RunAlgorithm, S: CountedSection>(
                self,
                beginning: PreparedRun<'_, E, S>,
            ) -> Self::Result {
                let opened = self.0.under(beginning.world.exclusion());
                let mut reader = opened.map_err(replay::ReplayError::from)?;
                let finished = world_replay::again(beginning, &mut reader, self.1)?;
                Ok((finished, reader.end().cloned()))
            }
        }
        self.begin(file.header().seed, Replay(file, watch))?
    }

    /// Explores every run of the plan's world: every schedule, every draw, and every change of the graph that the
    /// adversary is allowed. The graph and the states at the start are those of `seed`; the scheduler of the plan
    /// determines whether messages leave one by one. The rest of the scheduler is ignored, and so are the rung,
    /// disturbances, stop conditions and limits. The exploration executes the actions of rung F4, from which all rungs
    /// are derived.
    ///
    /// Runs on the threads of the current rayon pool; the result does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the graph drawn from the seed needs more ports than written, the graph changes with time, or
    /// there are more nodes or ports than an exploration supports.
    pub fn explore(
        &self,
        seed: u64,
        manner: Manner,
        options: &Options,
        progress: &mut dyn FnMut(&SearchProgress) -> ControlFlow<()>,
    ) -> Result<CheckReport<LockCounterexample>, RunError> {
        self.explore_with(seed, manner, options, &mut UnsavedSearch(progress))
    }

    /// Explores like [`explore`](Self::explore). `control` determines when the exploration is saved and from which
    /// saved state it continues.
    ///
    /// # Errors
    ///
    /// As for [`explore`](Self::explore); also, the saved state is not one of this exploration.
    pub fn explore_with(
        &self,
        seed: u64,
        manner: Manner,
        options: &Options,
        control: &mut dyn SearchControl,
    ) -> Result<CheckReport<LockCounterexample>, RunError> {
        struct Explore<'a>(Manner, &'a Options, &'a mut dyn SearchControl);
        impl WorldDriver for Explore<'_> {
            type Result = Result<CheckReport<LockCounterexample>, RunError>;
            fn go<E: RunAlgorithm, S: CountedSection>(
                self,
                beginning: PreparedRun<'_, E, S>,
            ) -> Self::Result {
                explored::explore(beginning, self.0, self.1, self.2)
            }
        }
        self.begin(seed, Explore(manner, options, control))?
    }

    /// Walks randomly through the state space of [`explore`](Self::explore) until a property is violated. A walk
    /// without a violation proves nothing. The figures of the report are `walks`, the number of walks that were
    /// started, and `steps`.
    ///
    /// # Errors
    ///
    /// As for [`explore`](Self::explore).
    pub fn walk(
        &self,
        seed: u64,
        manner: Manner,
        walks: &Walks,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<CheckReport<LockCounterexample>, RunError> {
        struct Walk<'a>(Manner, &'a Walks, &'a mut dyn FnMut(u64) -> ControlFlow<()>);
        impl WorldDriver for Walk<'_> {
            type Result = Result<CheckReport<LockCounterexample>, RunError>;
            fn go<E: RunAlgorithm, S: CountedSection>(
                self,
                beginning: PreparedRun<'_, E, S>,
            ) -> Self::Result {
                explored::walk(beginning, self.0, self.1, self.2)
            }
        }
        self.begin(seed, Walk(manner, walks, progress))?
    }

    /// Builds the world of a seed and passes it to `driver`.
    fn begin<D: WorldDriver>(&self, seed: u64, driver: D) -> Result<D::Result, RunError> {
        let (graph, ports) = self.terrain.of_run(seed)?;
        let topology = graph.at_start(ports, seed)?;
        let mut choices = Seeded::new(seed);
        let at = WorldBuilder { plan: self, graph: &graph, ports, seed };
        match &self.labour {
            NodeWork::Interactions { table, way, start } => {
                let states = start.place(&mut choices);
                let start = (choices, StateCounts::new(table, &states));
                let section = Interactions::new(table.clone(), *way);
                at.begin((section, topology, states), start, driver)
            }
            NodeWork::Locks { demands } => {
                let demands = out_and_back(demands.clone(), &at.seating(&topology)?);
                at.begin((LockOnly, topology, demands), (choices, StateCounts::of_locks()), driver)
            }
        }
    }
}

/// The start of a run before the algorithm is known.
struct WorldBuilder<'a> {
    plan: &'a Plan,
    graph: &'a InteractionGraph,
    ports: u16,
    seed: u64,
}

/// The section, the graph and the states of a run.
type WorldParts<S> = (S, Topology, Vec<<S as CriticalSection>::State>);

/// A visitor that builds the prepared run of an algorithm with initial knowledge.
struct SeatedWorld<'a, S: CountedSection, D> {
    at: WorldBuilder<'a>,
    parts: WorldParts<S>,
    start: (Seeded, StateCounts),
    driver: D,
}

impl<S: CountedSection, D: WorldDriver> SeatedVisitor for SeatedWorld<'_, S, D> {
    type Output = Result<D::Result, RunError>;

    fn visit<E: SeatedAlgorithm>(self, exclusion: E) -> Self::Output {
        let Self { at, parts, start, driver } = self;
        Ok(driver.go(at.seated(exclusion, parts, start)?))
    }
}

impl<'a> WorldBuilder<'a> {
    /// Builds the world under the algorithm of the plan and passes it to `driver`.
    fn begin<S: CountedSection, D: WorldDriver>(
        self,
        parts: WorldParts<S>,
        start: (Seeded, StateCounts),
        driver: D,
    ) -> Result<D::Result, RunError> {
        let exclusion = &self.plan.exclusion;
        match exclusion.seated(SeatedWorld { at: self, parts, start, driver }) {
            Ok(result) => result,
            Err(SeatedWorld { at, parts, start, driver }) => Ok(driver.go(at.locally(parts, start))),
        }
    }

    fn locally<S: CountedSection>(
        self,
        parts: WorldParts<S>,
        start: (Seeded, StateCounts),
    ) -> PreparedRun<'a, Local, S> {
        let local = self.plan.locking.algorithm(self.ports);
        let world = World::new(self.setup(local, parts));
        self.with(world, InitialKnowledge::default(), Some(local.priorities()), start)
    }

    fn seated<E: RunAlgorithm, S: CountedSection>(
        self,
        exclusion: E,
        parts: WorldParts<S>,
        start: (Seeded, StateCounts),
    ) -> Result<PreparedRun<'a, E, S>, RunError> {
        let seating = self.seating(&parts.1)?;
        let world = World::with_knowledge(self.setup(exclusion, parts), &seating);
        let world = world.map_err(|unmet| self.refused(&unmet.to_string()))?;
        Ok(self.with(world, seating, None, start))
    }

    fn seating(&self, topology: &Topology) -> Result<InitialKnowledge, RunError> {
        let seating = self.plan.exclusion.seating(topology);
        seating.map_err(|error| self.refused(&error.to_string()))
    }

    fn refused(&self, sentence: &str) -> RunError {
        RunError::drawn(self.seed, self.graph.node_names().in_words(sentence))
    }

    fn setup<E: RunAlgorithm, S: CountedSection>(&self, exclusion: E, parts: WorldParts<S>) -> Setup<E, S> {
        let (section, topology, states) = parts;
        let (lock_set, timing) = (self.plan.locking.lock_set, self.plan.schedule.timing());
        Setup { exclusion, section, topology, states, lock_set, timing }
    }

    fn with<E: RunAlgorithm, S: CountedSection>(
        self,
        world: World<E, S>,
        seating: InitialKnowledge,
        priorities: Option<u32>,
        (choices, tally): (Seeded, StateCounts),
    ) -> PreparedRun<'a, E, S> {
        let Self { plan, graph, ports, seed } = self;
        PreparedRun { plan, graph, ports, seed, world, seating, priorities, choices, tally }
    }
}

/// Replaces `Times(n)` by `Outings(n)` for every node that starts in its critical section: it leaves and re-enters n
/// times.
fn out_and_back(demands: Vec<Demand>, seating: &InitialKnowledge) -> Vec<Demand> {
    let mut demands = demands;
    for (demand, _) in demands.iter_mut().zip(&seating.inside).filter(|&(_, &inside)| inside) {
        if let Demand::Times(times) = *demand {
            *demand = Demand::Outings(times);
        }
    }
    demands
}
