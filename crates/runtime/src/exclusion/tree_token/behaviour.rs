//! Who is transit and who is proxy, and in which order clients are served.

use std::sync::Arc;

use crate::exclusion::Identifier;

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
    /// The topology rule (Figure 4): whoever serves a request of j is transit if and only if j has a physical link to the
    /// father, so that requests, fathers and the token on its way out stay on links. The text says nothing of a node without
    /// a father; it is `root`. What a node has become stays until it serves the next request, and is read when the token
    /// arrives. The token that comes back takes one hop, which need not be a link: it is routed.
    Topology {
        /// What a node without a father is.
        root: Behaviour,
        /// What every node is at the start.
        initial: Behaviour,
    },
    /// Each node is what it is given, for ever: [`TreeToken::with_proxies`](super::TreeToken::with_proxies). With two
    /// proxies that join two trees, their gateways.
    Given,
    /// An adversary decides at every reading: whatever holds here holds for every rule.
    Adversarial,
}

impl Rule {
    /// What a node is from the start on, if that is kept.
    pub(super) fn initial(self) -> Option<Behaviour> {
        match self {
            Self::Topology { initial, .. } => Some(initial),
            Self::AllTransit | Self::AllProxy | Self::Raymond | Self::Given | Self::Adversarial => None,
        }
    }
}

/// The physical links under the messages: pairs of nodes, each known to every node. None unless the rule asks for them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Links(Arc<[(u32, u32)]>);

impl Links {
    /// Links between these pairs, in any order.
    #[must_use]
    pub fn new(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut pairs: Vec<(u32, u32)> = pairs.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Self(pairs.into())
    }

    /// Whether two nodes are linked. Cost: logarithmic in the number of links.
    #[must_use]
    pub fn join(&self, a: Identifier, b: Identifier) -> bool {
        self.0.binary_search(&(a.0.min(b.0), a.0.max(b.0))).is_ok()
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
    /// Whoever an adversary picks. Nothing is wrong then but that somebody can wait for ever: the queue owes fairness.
    AnyOrder,
}
