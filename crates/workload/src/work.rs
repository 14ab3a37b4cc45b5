//! Work that can be sampled, and what is counted in it.

use std::fmt;

use acrasin_runtime::Digest;

use crate::memory::Floor;

/// Work that can be sampled.
pub trait Work: Send {
    /// Does one sample's amount of work, on the threads of the current rayon pool if it can use them.
    fn sample(&mut self) -> Counted {
        self.part(1)
    }

    /// Does about the `divisor`-th part of it, and at least one round or wave. `divisor` is above 0.
    fn part(&mut self, divisor: u64) -> Counted;

    /// Nodes.
    fn nodes(&self) -> u64;

    /// Bytes of everything that grows with the nodes: states, words, adjacency.
    fn bytes(&self) -> u64;

    /// The digest of the state after the samples so far.
    fn digest(&self) -> Digest;

    /// What memory alone must do for one item.
    fn floor(&self) -> Floor;

    /// What must hold once the samples are taken, beyond what every sample checks; may run on to find out.
    ///
    /// # Errors
    ///
    /// What does not hold.
    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// What the user should know before believing the figures, if anything.
    fn warning(&self) -> Option<String> {
        None
    }
}

/// What one sample did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Activations or tasks: what the time is divided by.
    pub items: u64,
    /// Messages of the lock protocol between neighbours.
    pub messages: u64,
    /// Lock/Unlock cycles completed, or lock sets entered.
    pub locks: u64,
    /// Competition trials.
    pub trials: u64,
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unit {
    /// A macro activation of a node.
    Activation,
    /// A critical section on a closed neighbourhood.
    Task,
    /// An interaction of two agents.
    Interaction,
    /// A step of a Markov chain, whether it changes anything or not.
    Step,
    /// A completed action of an amoebot.
    Action,
    /// A message between two nodes, with all that is done for it.
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
