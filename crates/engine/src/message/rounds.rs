//! [`WordRounds`]: the driver of rounds.

use std::marker::PhantomData;

use acrasin_runtime::pack::{Pack as _, PackError, Saved};
use acrasin_runtime::port::{Port, PortSet};
use acrasin_runtime::{Digest, LockSetRule};

use super::check::{LockOverlap, check, check_while};
use super::config::Config;
use super::configuration::{LockConfiguration, Published};
use super::inputs::{RoundCalls, RoundInputs};
use super::network::MessageNetwork;
use super::priority_warning::PriorityWarning;
use super::store::{NodeLayout, NodeStore};
use crate::RoundCancellation;
use crate::draw::Purpose;
use crate::round::{ActiveNodes, Figures, TooLarge};

/// The graph never changes. A run stores no data for changes, and its code does not check for them.
#[derive(Clone, Copy, Debug)]
pub enum Lasting {}

/// The graph changes between rounds. Ports with an edge, detectors and lock sets are stored in addition to the words.
#[derive(Clone, Copy, Debug)]
pub enum Changing {}

/// Whether the graph changes: [`Lasting`] or [`Changing`].
pub trait EdgeLifetime: Sync + sealed::Sealed {
    /// Whether the graph changes.
    const CHANGE: bool;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Lasting {}
    impl Sealed for super::Changing {}
}

impl EdgeLifetime for Lasting {
    const CHANGE: bool = false;
}

impl EdgeLifetime for Changing {
    const CHANGE: bool = true;
}

/// Runs semi-synchronous rounds of macro activations, with every message of the algorithm. [The crate](crate#rounds)
/// defines an activation.
///
/// A node takes 4 bytes up to degree 8 and K = 512, 8 bytes up to degree 16 and K = 65 536, and explicit registers
/// beyond ([`NodeLayout`]). The words of the next round are stored as well, so a run takes twice this amount. A
/// configuration in explicit registers takes 16 bytes per node and a quarter of a byte per port. If the graph changes
/// ([`Changing`]), another word per node stores the edges, the lock set and the pending reports of the detector.
///
/// Each draw is a function of seed, purpose, round and node, so words and figures are the same for any number of
/// threads. From 65 536 nodes on, a round uses the threads of the current rayon pool.
///
/// Cost of a round: O(nodes · Δ).
///
/// ```
/// use acrasin_engine::draw::Priorities;
/// use acrasin_engine::message::{Config, NodeLayout, WordRounds};
/// use acrasin_engine::round::MemoryLimit;
/// use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Wanting};
///
/// let config = Config {
///     draws: Draws::new(1),
///     priorities: Priorities::new(64).unwrap(),
///     wanting: Wanting::Always,
///     memory: MemoryLimit(1 << 20),
/// };
/// let mut rounds = WordRounds::new(Lattice::new(LatticeKind::Triangular, 16, 16)?, config)?;
/// assert_eq!((rounds.layout(), rounds.priority_warning()), (NodeLayout::Short, None));
/// for _ in 0..200 {
///     rounds.round(&ActiveNodes::All);
/// }
/// let figures = rounds.figures();
/// assert!(figures.grants > 0);
/// assert_eq!(figures.activations, 200 * 256);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WordRounds<N, E = Lasting> {
    pub(super) network: N,
    pub(super) config: Config,
    pub(super) store: NodeStore,
    lock_set: LockSetRule,
    figures: Figures,
    checks: bool,
    /// Whether edges were added that the network did not have initially. In this case flips must check for parallel
    /// edges.
    pub(super) rewired: bool,
    edges: PhantomData<E>,
}

impl<N: MessageNetwork> WordRounds<N> {
    /// Starts a run on a graph that never changes: no node has called Lock, and nothing is in transit.
    ///
    /// # Errors
    ///
    /// The run would need more memory than the limit; nothing was allocated.
    pub fn new(network: N, config: Config) -> Result<Self, TooLarge> {
        Self::build(network, config, LockSetRule::Neighbourhood)
    }
}

impl<N: MessageNetwork> WordRounds<N, Changing> {
    /// Starts a run on a graph that changes between rounds, with all edges of the network.
    ///
    /// With [`LockSetRule::Pair`] the lock set is the node and one neighbour, drawn uniformly when Lock is called
    /// ([`Purpose::Partner`]).
    ///
    /// # Errors
    ///
    /// The run would need more memory than the limit. Nothing was allocated.
    pub fn changing(network: N, config: Config, lock_set: LockSetRule) -> Result<Self, TooLarge> {
        Self::build(network, config, lock_set)
    }
}

impl<N: MessageNetwork, E: EdgeLifetime> WordRounds<N, E> {
    fn build(network: N, config: Config, lock_set: LockSetRule) -> Result<Self, TooLarge> {
        let layout = NodeLayout::of(network.ports(), config.priorities);
        let bytes = layout.bytes(&network, E::CHANGE).saturating_add(network.bytes());
        config.memory.check(u64::from(network.nodes()), bytes)?;
        let store = NodeStore::new(layout, &network, E::CHANGE);
        let checks = cfg!(debug_assertions);
        let figures = Figures::default();
        Ok(Self { network, config, store, lock_set, figures, checks, rewired: false, edges: PhantomData })
    }

    /// Sets whether [`check`](Self::check) runs after every round. Default: only in builds with debug assertions.
    #[must_use]
    pub fn with_checks(self, checks: bool) -> Self {
        Self { checks, ..self }
    }

    /// Runs one round and returns its figures.
    ///
    /// # Panics
    ///
    /// Panics if checks are on and lock sets overlap, which is a defect of the engine.
    pub fn round(&mut self, activation: &ActiveNodes<'_>) -> Figures {
        let Config { draws, wanting, .. } = self.config;
        let calls = RoundCalls::rule(wanting, draws, self.round_number());
        self.round_with(activation, calls, &RoundCancellation::never()).expect("it is not cut")
    }

    /// Runs one round; `None` if the round was cancelled; nothing has then changed.
    pub(super) fn round_with(
        &mut self,
        activation: &ActiveNodes<'_>,
        calls: RoundCalls<'_>,
        cancellation: &RoundCancellation<'_>,
    ) -> Option<Figures> {
        let Config { draws, priorities, .. } = self.config;
        let round = self.round_number();
        let partners = self.lock_set == LockSetRule::Pair;
        let inputs = RoundInputs {
            active: activation.in_round(draws, round),
            calls,
            priorities,
            stream: draws.stream(Purpose::Priority, round),
            partners: partners.then(|| draws.stream(Purpose::Partner, round)),
            nodes: self.network.nodes(),
            cancellation,
        };
        let figures = self.store.round(self.network.compiled(), &inputs)?;
        self.figures += figures;
        if self.checks
            && let Err(overlap) = self.check()
        {
            panic!("after round {round}: {overlap}");
        }
        Some(figures)
    }

    /// Checks that the lock sets of all holders are disjoint and that their members are locked. Cost: O(nodes · Δ).
    ///
    /// # Errors
    ///
    /// The first violation by node number.
    pub fn check(&self) -> Result<(), LockOverlap> {
        check(self)
    }

    /// Like [`check`](Self::check), but skips the remaining nodes once `has_time` returns false.
    ///
    /// # Errors
    ///
    /// As for [`check`](Self::check).
    pub fn check_while(&self, has_time: &(dyn Fn() -> bool + Sync)) -> Result<(), LockOverlap> {
        check_while(self, has_time)
    }

    /// The network. If the graph changes, [`LockConfiguration::link`] tells which edges are present now.
    #[must_use]
    pub fn network(&self) -> &N {
        &self.network
    }

    /// The parameters of the run.
    #[must_use]
    pub fn config(&self) -> Config {
        self.config
    }

    /// The layout of the nodes in memory.
    #[must_use]
    pub fn layout(&self) -> NodeLayout {
        self.store.layout()
    }

    /// The number of rounds so far, which is also the number of the next round.
    #[must_use]
    pub fn round_number(&self) -> u64 {
        self.figures.rounds
    }

    /// The figures, summed over all rounds.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.figures
    }

    /// The published words, one per node.
    ///
    /// # Panics
    ///
    /// Panics unless the layout is [`NodeLayout::Short`].
    #[must_use]
    pub fn words(&self) -> &[u32] {
        match &self.store {
            NodeStore::Short(words) => &words.words,
            NodeStore::Long(_) | NodeStore::Registers(_) => {
                panic!("{:?} has no words of 32 bits", self.layout())
            }
        }
    }

    /// The digest of all stored data. It is the same on every platform and for any number of threads, but depends on
    /// the layout.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.store.digest()
    }

    /// The memory of the run including the network, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.layout().bytes(&self.network, E::CHANGE) + self.network.bytes()
    }

    /// The current number of neighbours of a node. Cost: O(Δ).
    #[must_use]
    pub fn degree(&self, node: u32) -> u16 {
        if N::FULL && !E::CHANGE {
            return self.network.ports();
        }
        (1..=self.network.ports()).filter(|&port| self.link(node, port).is_some()).count() as u16
    }

    /// A warning if K is so small that most trials end in a tie; otherwise `None`.
    #[must_use]
    pub fn priority_warning(&self) -> Option<PriorityWarning> {
        PriorityWarning::of(self.config.priorities.bound(), self.network.contenders())
    }
}

/// Saves the words, the figures, and the links of a graph that changes.
impl<N: MessageNetwork, E: EdgeLifetime> Saved for WordRounds<N, E> {
    fn save(&self, into: &mut Vec<u8>) {
        (self.config.draws.seed(), self.rewired).pack(into);
        self.figures.pack(into);
        if E::CHANGE {
            self.network.save_links(into);
        }
        self.store.save(into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let (seed, rewired) = <(u64, bool)>::unpack(from)?;
        if seed != self.config.draws.seed() {
            return Err(PackError);
        }
        self.rewired = rewired;
        self.figures.unpack_into(from)?;
        if !self.figures.is_possible(self.network.nodes(), self.network.ports()) {
            return Err(PackError);
        }
        if E::CHANGE {
            self.network.load_links(from)?;
        }
        self.store.load(from)
    }
}

impl<N: MessageNetwork, E: EdgeLifetime> LockConfiguration for WordRounds<N, E> {
    fn nodes(&self) -> u32 {
        self.network.nodes()
    }

    fn ports(&self) -> u16 {
        self.network.ports()
    }

    fn published(&self, node: u32) -> Published {
        self.store.published(node)
    }

    fn toggle(&self, node: u32, port: u16) -> bool {
        self.published(node).toggle ^ (E::CHANGE && port != 0 && self.store.skips(node, port))
    }

    fn sent(&self, node: u32, port: u16) -> bool {
        self.store.sent(node, port)
    }

    fn won(&self, node: u32, port: u16) -> bool {
        self.store.won(node, port)
    }

    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        if port == 0 {
            return Some((node, 0));
        }
        let link = self.network.link(node, port)?;
        (!E::CHANGE || self.store.present(node, port)).then_some(link)
    }

    fn member(&self, node: u32, port: u16) -> bool {
        if E::CHANGE && port != 0 { self.store.member(node, port) } else { self.link(node, port).is_some() }
    }

    fn detector(&self, node: u32) -> PortSet {
        let detected = |&port: &u16| E::CHANGE && self.store.detects(node, port);
        (1..=self.ports()).filter(detected).map(Port).collect()
    }
}
