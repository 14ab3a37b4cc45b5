//! The world of a plan and a seed at its start.

use std::ops::ControlFlow;

use acrasin_engine::Rung;
use acrasin_explore::Progress;
use acrasin_protocols::locked::Interactions;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{LockOnly, Seeded, Setup, Topology, World};
use acrasin_verify::locks::Options;
use acrasin_verify::replay::ReplayReader;

use super::super::build::Labour;
use super::super::exploration::{Explored, Manner};
use super::beginning::Beginning;
use super::tally::{Tallied, Tally};
use super::{again, explored, rounds, turns};
use crate::plan::Plan;
use crate::run::{Finished, Job, ReplayError, RunError, Watch};

/// What is to be done with a beginning, whatever runs under the locks.
trait Driver {
    type Result;
    fn go<S: Tallied>(self, beginning: Beginning<'_, S>) -> Self::Result;
}

impl Plan {
    /// Runs to the end. Conditions are looked at between turns of the scheduler, so a run of whole rounds can pass a
    /// number of interactions by those of one round.
    ///
    /// | the run ends because | word | exit |
    /// |---|---|---|
    /// | a stop condition holds | `agreed`, `silent`, `counts`, `rounds`, `interactions`, `locks`, `trace end` | done |
    /// | every Lock that was asked for is completed and released | `served` | done |
    /// | the trace is over and no stop condition was written | `trace end` | done |
    /// | the trace is over, and none of the stop conditions held | `trace end` | budget |
    /// | no node wants anything and the graph rests: without stop conditions | `quiet` | done |
    /// | the same, and none of the stop conditions holds | `quiet` | failed |
    /// | Locks are outstanding, no action is enabled and the graph rests | `deadlock` | failed |
    /// | a promise of the lock layer is broken | `violation` | failed |
    /// | a limit is reached, the watch says so | `limit`, `time` | budget |
    /// | the watch says so | `interrupted` | interrupted |
    ///
    /// `silent` is exact on the complete graph. On another fixed graph it is seen by the states present at once, or edge
    /// by edge with a delay of at most max(1024, edges) steps. On a graph that changes by itself only the states present
    /// count: agents that are apart may meet later.
    ///
    /// The rung says what is executed ([`acrasin_engine`]); states at the start are the same on all of them.
    ///
    /// | rung | a round is | a step is | not there |
    /// |---|---|---|---|
    /// | F1 | a wave: each node has one turn, and locks its closed neighbourhood if it wants to | a turn | messages, trials, `deadlock` |
    /// | F3 | a macro activation of each active node: it receives everything that it can receive, then runs its checks | a macro activation | figures by Lock and by kind of message, `deadlock` |
    /// | F4 | as the scheduler has it | an action, or a change of the graph | |
    ///
    /// F1 and F3 use the threads of the current rayon pool; the result is the same for any number. At the end of a run on
    /// F3 the lock sets of all holders are checked to be disjoint; in builds with debug assertions after every round. A
    /// dead configuration is not looked for there: under the repaired rules, the only ones on F3, there is none.
    ///
    /// The result is a function of the plan and `job.seed`: neither watching nor recording changes it.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the steps cannot be written, if a recording is asked for on another rung than F4, or if the graph that
    /// the seed draws does not fit the ports that are written, or the memory of the rung.
    pub fn run(&self, job: Job<'_>) -> Result<Finished, RunError> {
        if self.rung != Rung::F4 {
            return rounds::run(self, &job);
        }
        struct Run<'a>(Job<'a>);
        impl Driver for Run<'_> {
            type Result = Result<Finished, RunError>;
            fn go<S: Tallied>(self, beginning: Beginning<'_, S>) -> Self::Result {
                turns::run(beginning, self.0)
            }
        }
        self.begin(job.seed, Run(job))?
    }

    /// Applies a recorded run of this plan again, step by step, and compares the configuration at its end. The plan must
    /// be made from [the scenario of the header](acrasin_verify::replay::Header::scenario).
    ///
    /// A run that is reproduced is done (`reproduced`), however it ended; how it ended stands in the reason. One that ended
    /// dead, and whose last configuration enables an action under the rules of this plan, has failed (`not
    /// reproduced`). An outcome that begins with the name of one of the [properties](acrasin_verify::properties::all) and
    /// a colon is looked at again: if the last configuration breaks the property, the replay has failed (`broken
    /// property`), and otherwise too (`not reproduced`). A replay has no scheduler and so no rounds. Recordings are of rung
    /// F4, and are replayed there whatever rung is written.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] if the file is malformed, a step cannot happen, or the end differs.
    pub fn replay(&self, reader: &mut ReplayReader<'_>, watch: &dyn Watch) -> Result<Finished, ReplayError> {
        struct Replay<'a, 'r>(&'a mut ReplayReader<'r>, &'a dyn Watch);
        impl Driver for Replay<'_, '_> {
            type Result = Result<Finished, ReplayError>;
            fn go<S: Tallied>(self, beginning: Beginning<'_, S>) -> Self::Result {
                again::again(beginning, self.0, self.1)
            }
        }
        self.begin(reader.header().seed, Replay(reader, watch))?
    }

    /// Explores every run of the plan's world: every schedule, every draw, and every change of the graph that the
    /// adversary is allowed. The graph and the states at the start are those of `seed`; whether messages leave one by
    /// one is as the scheduler of the plan has it. Nothing else of the scheduler counts, nor do the rung, disturbances, stop
    /// conditions and limits: what is explored are the actions of rung F4, of which all rungs are made.
    ///
    /// Runs on the threads of the current rayon pool; the result is the same for any number.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the graph that the seed draws does not fit the ports that are written, the graph changes by
    /// itself, or there are more nodes or ports than an exploration can tell apart.
    pub fn explore(
        &self,
        seed: u64,
        manner: Manner,
        options: &Options,
        progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Explored, RunError> {
        struct Explore<'a>(Manner, &'a Options, &'a mut dyn FnMut(&Progress) -> ControlFlow<()>);
        impl Driver for Explore<'_> {
            type Result = Result<Explored, RunError>;
            fn go<S: Tallied>(self, beginning: Beginning<'_, S>) -> Self::Result {
                explored::explore(beginning, self.0, self.1, self.2)
            }
        }
        self.begin(seed, Explore(manner, options, progress))?
    }

    /// Makes the world of a seed and hands it over.
    fn begin<D: Driver>(&self, seed: u64, driver: D) -> Result<D::Result, RunError> {
        let (graph, ports) = self.terrain.of_run(seed)?;
        let topology = graph.at_start(ports, seed)?;
        let mut choices = Seeded::new(seed);
        let (plan, graph) = (self, &*graph);
        Ok(match &self.labour {
            Labour::Interactions { table, way, start } => {
                let states = start.place(&mut choices);
                let tally = Tally::new(table, &states);
                let world = self.world(Interactions::new(table.clone(), *way), topology, states);
                driver.go(Beginning { plan, graph, ports, seed, world, choices, tally })
            }
            Labour::Locks { demands } => {
                let world = self.world(LockOnly, topology, demands.clone());
                driver.go(Beginning { plan, graph, ports, seed, world, choices, tally: Tally::of_locks() })
            }
        })
    }

    fn world<S: Tallied>(&self, section: S, topology: Topology, states: Vec<S::State>) -> World<Local, S> {
        World::new(Setup {
            exclusion: self.locking.algorithm(topology.ports()),
            section,
            topology,
            states,
            lock_set: self.locking.lock_set,
            timing: self.schedule.timing(),
        })
    }
}
