//! [`SchemeRule`]: whether a node is transit or proxy. [`Queue`]: the order in which it serves clients.

use std::sync::Arc;

use crate::exclusion::Identifier;

/// The behaviour of a node while it serves a request of another node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Behaviour {
    /// The node forwards the request, and the requesting node becomes its father.
    Transit,
    /// The node sends a request of its own, and passes the token on when it arrives.
    Proxy,
}

/// The rule that makes a node transit or proxy: the instance of the scheme. A node applies it when it serves a request
/// of another node, and when the token arrives for such a request. Changes in between have no effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SchemeRule {
    /// All nodes are transit: the variant of Naimi and Trehel (Annex 2).
    AllTransit,
    /// All nodes are proxies: a centralised allocator. The tree never changes.
    AllProxy,
    /// Transit if and only if the node has the token: Raymond, Van de Snepscheut (Annex 3).
    Raymond,
    /// The topology rule (Figure 4): a node that serves a request of j is transit if and only if j has a physical link
    /// to the node's father. So requests, edges to fathers and the outgoing token use only links.
    ///
    /// The paper does not define the behaviour of a node without a father; here it is `root`. A behaviour lasts until
    /// the node serves the next request, and applies when the token arrives. The token returns in one hop, which need
    /// not be a link: a routing layer delivers it.
    Topology {
        /// Behaviour of a node without a father.
        root: Behaviour,
        /// Behaviour of every node at the start.
        initial: Behaviour,
    },
    /// Each node has a fixed behaviour: [`TreeToken::with_proxies`](super::TreeToken::with_proxies). Two
    /// proxies that join two trees are their gateways.
    Given,
    /// An adversary decides each time the rule is applied, so a result proved for it holds for every rule.
    Adversarial,
}

impl SchemeRule {
    /// The behaviour of a node at the start under [`Topology`](Self::Topology); `None` under other rules, which store
    /// none.
    pub(super) fn initial(self) -> Option<Behaviour> {
        match self {
            Self::Topology { initial, .. } => Some(initial),
            Self::AllTransit | Self::AllProxy | Self::Raymond | Self::Given | Self::Adversarial => None,
        }
    }
}

/// The physical links, as pairs of nodes, which every node knows. Empty unless the rule needs them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PhysicalLinks(Arc<[(u32, u32)]>);

impl PhysicalLinks {
    /// Creates links between these pairs, given in any order.
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

/// The order in which a node serves waiting clients.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Queue {
    /// First come, first served.
    #[default]
    Fifo,
    /// The node's own call goes first, requests of others in their order.
    Lift,
    /// Any order, chosen by an adversary. Then only freedom from starvation can fail, because the queue is responsible
    /// for fairness.
    AnyOrder,
}
