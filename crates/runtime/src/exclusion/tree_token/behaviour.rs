//! Who is transit and who is proxy, and in which order clients are served.

use std::num::NonZeroU32;

use super::Memory;
use crate::choice::{Choices, Decision};

/// What a node is while it serves a request of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Behaviour {
    /// It passes the request on, and the requesting node becomes its father.
    Transit,
    /// It asks in its own name.
    Proxy,
}

/// The rule by which a node is transit or proxy: the instance of the scheme. It is read when a request of another is
/// served, and when the token arrives for another's mandate; in between it may change without effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// All are transit: the variant of Naimi and Trehel (Annex 2).
    AllTransit,
    /// All are proxies: a centralised allocator. The tree never changes.
    AllProxy,
    /// Transit if and only if the node has the token: Raymond, Van de Snepscheut (Annex 3).
    Raymond,
    /// An adversary decides at every reading: whatever holds here holds for every rule.
    Adversarial,
}

impl Rule {
    pub(super) fn behaviour(self, memory: &Memory, choices: &mut dyn Choices) -> Behaviour {
        let is_transit = match self {
            Self::AllTransit => true,
            Self::AllProxy => false,
            Self::Raymond => memory.token,
            Self::Adversarial => {
                let two = NonZeroU32::new(2).expect("2 > 0");
                choices.pick(two, Decision::Adversary) == 0
            }
        };
        if is_transit { Behaviour::Transit } else { Behaviour::Proxy }
    }
}

/// In which order a node serves those who wait for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Queue {
    /// First come, first served.
    #[default]
    Fifo,
    /// The node's own call goes first, requests of others in their order.
    Lift,
}
