//! Work that can be sampled, and its counters.

use std::fmt;

use acrasin_runtime::Digest;

use crate::memory::Floor;

/// Work that is measured in samples.
pub trait Workload: Send {
    /// Does the work of one sample, on the threads of the current rayon pool if the workload uses threads.
    fn sample(&mut self) -> SampleCounts {
        self.part(1)
    }

    /// Does about `1/divisor` of a sample, but at least one round or wave. `divisor` must not be 0.
    fn part(&mut self, divisor: u64) -> SampleCounts;

    /// The number of nodes.
    fn nodes(&self) -> u64;

    /// The size in bytes of all data that grow with the number of nodes: states, words and adjacency.
    fn bytes(&self) -> u64;

    /// The digest of the state after the samples so far.
    fn digest(&self) -> Digest;

    /// The memory traffic that one item needs at least.
    fn floor(&self) -> Floor;

    /// Checks further invariants after the samples. May continue the run for this.
    ///
    /// # Errors
    ///
    /// A description of the violation.
    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// A warning for the user about the measured figures; `None` if there is no reason for one.
    fn warning(&self) -> Option<String> {
        None
    }
}

/// The counters of one sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SampleCounts {
    /// The number of activations, tasks or other units, by which the time is divided.
    pub items: u64,
    /// The number of messages of the lock protocol between neighbours.
    pub messages: u64,
    /// The number of completed Lock/Unlock cycles, or of lock sets entered.
    pub locks: u64,
    /// The number of competition trials.
    pub trials: u64,
}

/// The unit of work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unit {
    /// A macro activation of a node, in which the node receives messages and acts.
    Activation,
    /// A critical section on a closed neighbourhood.
    Task,
    /// An interaction of two agents.
    Interaction,
    /// A step of a Markov chain, whether it changes anything or not.
    Step,
    /// A completed action of an amoebot.
    Action,
    /// A message between two nodes, with all the work that it causes.
    Message,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Activation => "activation",
            Self::Task => "task",
            Self::Interaction => "interaction",
            Self::Step => "step",
            Self::Action => "action",
            Self::Message => "message",
        })
    }
}
