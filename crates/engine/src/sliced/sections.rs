//! Critical sections under the locks of bit-sliced rounds.

use acrasin_runtime::pack::{Pack, PackError, Saved, unpack_list};
use acrasin_runtime::port::Port;
use acrasin_runtime::{CriticalSection, Digest, Locked, NodeId};

use super::error::SlicedError;
use super::rounds::Sliced;
use crate::draw::{Purpose, Stream};
use crate::message::{Config, digest_of_words};
use crate::network::Lattice;
use crate::round::{ActiveNodes, Figures, Wanting};

/// The largest number of neighbours of a node.
const DEGREE_MAX: usize = 6;

/// The first bit of the field of a word in which a bit flips with every reply on its port.
const SENT: u32 = 5;
/// The first bit of the field of a word that tells for each port whether the last reply was win(true).
const WON: u32 = 14;
/// The number of bits of each of these two fields.
const PORT_BITS: u32 = 9;

/// The numbering of ports. Sections see these numbers, so they determine which neighbour a draw selects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PortOrder {
    /// By direction, as in [`LatticeKind::directions`](crate::LatticeKind::directions): the ports of
    /// [`Lattice::topology`].
    Directions,
    /// By the number of the neighbour: the ports of a graph built from its sorted edges.
    Numbers,
}

/// Bit-sliced rounds in which nodes have states. A critical section decides which nodes call Lock and what happens
/// under the locks.
///
/// The results equal those of [`message::Sectioned`](crate::message::Sectioned) on a torus bit for bit, for sections
/// that always unlock.
///
/// An active node that holds its lock set runs [`CriticalSection::enter`] and calls Unlock. An idle active node calls
/// Lock if [`CriticalSection::wants`] is true for its state at the start of the round. The draws of a section have
/// purpose [`Purpose::Section`] and depend on round and node. The lock sets of a round are disjoint, so sections change
/// the states in place, one after another. From 2^18 nodes on, the rounds use the threads of the current rayon pool.
///
/// Cost of a round: that of [`Sliced::round`] without its figures, a pass over two of the planes, and the sections.
///
/// ```
/// use acrasin_engine::draw::Priorities;
/// use acrasin_engine::message::Config;
/// use acrasin_engine::round::MemoryLimit;
/// use acrasin_engine::sliced::{PortOrder, SlicedSections};
/// use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Wanting};
/// use acrasin_runtime::{CriticalSection, Choices, Locked};
///
/// /// Takes one from every neighbour that has more than the node itself.
/// struct Gather;
/// impl CriticalSection for Gather {
///     type State = u32;
///     type Outcome = ();
///     fn wants(&self, _own: &u32, _degree: u16) -> bool {
///         true
///     }
///     fn enter(&self, held: &mut Locked<'_, u32>, _choices: &mut dyn Choices) {
///         for port in held.ports().collect::<Vec<_>>() {
///             let (own, other) = held.pair_mut(port).expect("a port of the lock set");
///             if *other > *own {
///                 (*own, *other) = (*own + 1, *other - 1);
///             }
///         }
///     }
/// }
///
/// let config = Config {
///     draws: Draws::new(1),
///     priorities: Priorities::new(64).unwrap(),
///     wanting: Wanting::Never, // the section decides
///     memory: MemoryLimit::NONE,
/// };
/// let torus = Lattice::new(LatticeKind::Square, 64, 10)?;
/// let mut run = SlicedSections::new(torus, config, PortOrder::Directions, Gather, (0..640).collect())?;
/// for _ in 0..500 {
///     run.round(&ActiveNodes::All);
/// }
/// assert_eq!(run.states().iter().sum::<u32>(), 320 * 639);
/// assert!(run.settle().releases > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SlicedSections<S: CriticalSection> {
    sliced: Sliced,
    order: PortOrder,
    /// The node offsets of neighbours: [`offsets`] of the lattice.
    offsets: [i32; DEGREE_MAX],
    section: S,
    states: Vec<S::State>,
    /// The nodes that call Lock if they are idle and active: bit `u % 64` of word `u / 64`.
    wants: Vec<u64>,
    /// The number of nodes that do not want a lock.
    unwilling: u32,
    /// The holders: for each word of 64 nodes that contains holders, its number and the bits of the holders, in the
    /// order of the search.
    holding: Vec<(u64, u64)>,
    /// The number of holders.
    holders: u64,
    /// The number of sections that have run, which is also the number of calls to Unlock.
    entered: u64,
}

impl<S: CriticalSection<State: Pack>> Saved for SlicedSections<S> {
    fn save(&self, into: &mut Vec<u8>) {
        self.sliced.save(into);
        self.states.pack(into);
        self.entered.pack(into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.sliced.load(from)?;
        unpack_list(&mut self.states, from)?;
        self.entered.unpack_into(from)?;
        if !self.states.iter().all(|state| self.section.unlocks(state)) {
            return Err(PackError);
        }
        let degree = self.sliced.lattice().kind().degree();
        (self.wants, self.unwilling) = wanting(&self.section, &self.states, degree);
        self.find_holders();
        Ok(())
    }
}

/// The nodes that want a lock, as bits, and the number of nodes that do not want one.
fn wanting<S: CriticalSection>(section: &S, states: &[S::State], degree: u16) -> (Vec<u64>, u32) {
    let mut wants = vec![0; states.len() / 64];
    let mut unwilling = 0;
    for (node, state) in states.iter().enumerate() {
        let wanting = section.wants(state, degree);
        wants[node / 64] |= u64::from(wanting) << (node % 64);
        unwilling += u32::from(!wanting);
    }
    (wants, unwilling)
}

impl<S: CriticalSection> SlicedSections<S> {
    /// Starts a run. [`Config::wanting`] is ignored.
    ///
    /// # Errors
    ///
    /// As for [`Sliced::new`]. States count with the size of their type.
    ///
    /// # Panics
    ///
    /// Panics unless `states` has one entry per node, or if [`CriticalSection::unlocks`] is false for a state:
    /// bit-sliced holders always unlock at once.
    pub fn new(
        lattice: Lattice,
        config: Config,
        order: PortOrder,
        section: S,
        states: Vec<S::State>,
    ) -> Result<Self, SlicedError> {
        let nodes = lattice.width() * lattice.height();
        assert_eq!(states.len(), nodes as usize, "one state a node");
        // As soon as some node does not want a lock, the nodes that do are passed as words.
        let sliced = Sliced::new(lattice, Config { wanting: Wanting::Always, ..config })?;
        let bytes = sliced.bytes() + size_of_val(&states[..]) as u64;
        config.memory.check(u64::from(nodes), bytes).map_err(SlicedError::TooLarge)?;
        let degree = lattice.kind().degree();
        for (node, state) in states.iter().enumerate() {
            assert!(
                section.unlocks(state),
                "node {node} does not unlock by itself: take message rounds (F3)"
            );
        }
        let (wants, unwilling) = wanting(&section, &states, degree);
        Ok(Self {
            sliced,
            order,
            offsets: offsets(lattice, order),
            section,
            states,
            wants,
            unwilling,
            holding: Vec::new(),
            holders: 0,
            entered: 0,
        })
    }

    /// Runs one round.
    ///
    /// # Panics
    ///
    /// Panics if checks are on and lock sets overlap, or if [`CriticalSection::unlocks`] is false for a state after a
    /// section.
    pub fn round(&mut self, activation: &ActiveNodes<'_>) {
        self.round_observed(activation, |_, _| {});
    }

    /// Runs one round. `observe` receives the outcome of every section, in an order that is a function of the lattice
    /// alone.
    ///
    /// # Panics
    ///
    /// As for [`round`](Self::round).
    pub fn round_observed(
        &mut self,
        activation: &ActiveNodes<'_>,
        mut observe: impl FnMut(NodeId, S::Outcome),
    ) {
        let (draws, round) = (self.sliced.config().draws, self.sliced.round_number());
        let wants = (self.unwilling > 0).then_some(&self.wants[..]);
        self.sliced.advance(activation, wants, 1);
        // The nodes that enter in this round held their lock sets before it. Sections read no words and messages read
        // no states, so their order does not matter.
        let (active, stream) = (activation.in_round(draws, round), draws.stream(Purpose::Section, round));
        let holding = std::mem::take(&mut self.holding);
        for &(number, holders) in &holding {
            let mut rest = holders & active.block(number);
            while rest != 0 {
                let holder = number as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                observe(NodeId(holder), self.enter(holder, stream));
            }
        }
        self.holding = holding;
        self.find_holders();
    }

    fn find_holders(&mut self) {
        let Self { sliced, holding, holders, .. } = self;
        holding.clear();
        *holders = 0;
        sliced.each_holding(|number, nodes| {
            holding.push((number, nodes));
            *holders += u64::from(nodes.count_ones());
        });
    }

    /// Runs the section of a holder on its lock set.
    #[inline]
    fn enter(&mut self, holder: u32, stream: Stream) -> S::Outcome {
        let lattice = self.sliced.lattice();
        let (neighbours, degree) = (self.neighbours(holder), lattice.kind().degree());
        let neighbours = &neighbours[..usize::from(degree)];
        let mut held = Locked::new(&mut self.states, NodeId(holder), neighbours);
        let outcome = self.section.enter(&mut held, &mut stream.of_node(holder));
        self.entered += 1;
        for &(_, NodeId(node)) in neighbours.iter().chain([&(Port::SELF, NodeId(holder))]) {
            let state = &self.states[node as usize];
            assert!(self.section.unlocks(state), "node {node} does not unlock by itself any more");
            let wanting = self.section.wants(state, degree);
            // While every node always wants a lock, nothing needs to be looked up.
            if self.unwilling > 0 || !wanting {
                let (word, bit) = (&mut self.wants[node as usize / 64], 1 << (node % 64));
                self.unwilling = self.unwilling + u32::from(*word & bit != 0) - u32::from(wanting);
                *word = if wanting { *word | bit } else { *word & !bit };
            }
        }
        outcome
    }

    /// The neighbours of a node by port, in the first `degree` entries.
    #[inline(always)]
    fn neighbours(&self, node: u32) -> [(Port, NodeId); DEGREE_MAX] {
        let lattice = self.sliced.lattice();
        let (x, y) = (node % lattice.width(), node / lattice.width());
        if x == 0 || x + 1 == lattice.width() || y == 0 || y + 1 == lattice.height() {
            return border_neighbours(lattice, self.order, node);
        }
        let mut neighbours = NO_NEIGHBOURS;
        for ((_, neighbour), offset) in neighbours.iter_mut().zip(self.offsets) {
            *neighbour = NodeId(node.wrapping_add_signed(offset));
        }
        neighbours
    }

    /// Updates the figures and returns those of all rounds so far. Cost: about that of a round.
    pub fn settle(&mut self) -> Figures {
        self.sliced.settle();
        self.sliced.figures()
    }

    /// The number of rounds so far.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.sliced.round_number()
    }

    /// The number of macro activations so far. Does not update the figures.
    #[must_use]
    pub fn activations(&self) -> u64 {
        self.sliced.figures().activations + self.sliced.counted().active
    }

    /// The number of completed Unlocks so far. Does not update the figures.
    #[must_use]
    pub fn releases(&self) -> u64 {
        self.sliced.figures().releases + self.sliced.counted().releases
    }

    /// The number of Locks that have succeeded so far. Does not update the figures.
    #[must_use]
    pub fn grants(&self) -> u64 {
        self.entered + self.holders
    }

    /// The number of nodes that would call Lock if they were idle and active.
    #[must_use]
    pub fn willing(&self) -> u32 {
        self.states.len() as u32 - self.unwilling
    }

    /// The states, one per node.
    #[must_use]
    pub fn states(&self) -> &[S::State] {
        &self.states
    }

    /// The critical section that the nodes run.
    #[must_use]
    pub fn section(&self) -> &S {
        &self.section
    }

    /// The underlying rounds. Their figures are those of the last [`settle`](Self::settle).
    #[must_use]
    pub fn sliced(&self) -> &Sliced {
        &self.sliced
    }

    /// Sets whether lock sets are checked after every round; see [`Sliced::with_checks`].
    #[must_use]
    pub fn with_checks(self, checks: bool) -> Self {
        Self { sliced: self.sliced.with_checks(checks), ..self }
    }

    /// The size of planes and states, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.sliced.bytes() + (size_of_val(&self.states[..]) + size_of_val(&self.wants[..])) as u64
    }

    /// The published words of all nodes, with ports in this run's [`PortOrder`].
    ///
    /// The words equal [`WordRounds::words`](crate::message::WordRounds::words) on a graph with the same port numbers.
    #[must_use]
    pub fn words(&self) -> Vec<u32> {
        let mut words = Vec::with_capacity(self.states.len());
        for block in self.sliced.blocks() {
            words.extend(self.numbered(words.len() as u32, block));
        }
        words
    }

    /// The digest of [`words`](Self::words).
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest_of_words(&self.words())
    }

    /// The [`digest`](Self::digest), or `None` once `has_time`, which is called every few milliseconds, returns false.
    #[must_use]
    pub fn digest_while(&self, mut has_time: impl FnMut() -> bool) -> Option<Digest> {
        let mut words = Vec::with_capacity(self.states.len());
        let mut looked = 0;
        for block in self.sliced.blocks() {
            if words.len() >= looked {
                looked += DIGESTED_AT_ONCE;
                if !has_time() {
                    return None;
                }
            }
            words.extend(self.numbered(words.len() as u32, block));
        }
        Some(digest_of_words(&words))
    }

    /// Converts the words of consecutive nodes, starting with node `first`, to this run's order of ports.
    fn numbered<const N: usize>(&self, first: u32, mut words: [u32; N]) -> [u32; N] {
        if self.order == PortOrder::Numbers {
            for (node, word) in (first..).zip(&mut words) {
                *word = renumbered(self.sliced.lattice(), node, *word);
            }
        }
        words
    }
}

/// The number of nodes digested between two calls of `has_time`.
const DIGESTED_AT_ONCE: usize = 1 << 16;

/// Converts a word with ports numbered by direction into a word with ports numbered by neighbour.
fn renumbered(lattice: Lattice, node: u32, word: u32) -> u32 {
    let ports = ((1 << PORT_BITS) - 1) << SENT | ((1 << PORT_BITS) - 1) << WON;
    // The port to itself keeps its number.
    let own = 1 << SENT | 1 << WON;
    let mut renumbered = word & !(ports & !own);
    for (to, direction) in (1..).zip(&directions(lattice, node)[..usize::from(lattice.kind().degree())]) {
        for part in [SENT, WON] {
            renumbered |= (word >> (part + u32::from(*direction)) & 1) << (part + to);
        }
    }
    renumbered
}

/// The directions at a node, sorted by the numbers of the neighbours.
fn directions(lattice: Lattice, node: u32) -> [u16; DEGREE_MAX] {
    let mut directions = [1, 2, 3, 4, 5, 6];
    let degree = usize::from(lattice.kind().degree());
    directions[..degree].sort_unstable_by_key(|&direction| lattice.neighbour(node, direction));
    directions
}

/// The node offsets of neighbours by port, for nodes that are not in a first or last row or column.
fn offsets(lattice: Lattice, order: PortOrder) -> [i32; DEGREE_MAX] {
    let mut offsets = [0; DEGREE_MAX];
    let directions = lattice.kind().directions();
    let offsets_used = &mut offsets[..directions.len()];
    for (offset, (dx, dy)) in offsets_used.iter_mut().zip(directions) {
        *offset = dy * lattice.width() as i32 + dx;
    }
    if order == PortOrder::Numbers {
        offsets_used.sort_unstable();
    }
    offsets
}

/// The neighbours by port of a node in a first or last row or column, in the first `degree` entries.
#[inline(never)]
fn border_neighbours(lattice: Lattice, order: PortOrder, node: u32) -> [(Port, NodeId); DEGREE_MAX] {
    let mut neighbours = NO_NEIGHBOURS;
    for port in 1..=lattice.kind().degree() {
        neighbours[usize::from(port) - 1] = (Port(port), NodeId(lattice.neighbour(node, port)));
    }
    if order == PortOrder::Numbers {
        let neighbours = &mut neighbours[..usize::from(lattice.kind().degree())];
        neighbours.sort_unstable_by_key(|&(_, node)| node);
        (1..).zip(neighbours).for_each(|(port, neighbour)| neighbour.0 = Port(port));
    }
    neighbours
}

/// Ports with placeholder neighbours.
const NO_NEIGHBOURS: [(Port, NodeId); DEGREE_MAX] = [
    (Port(1), NodeId(0)),
    (Port(2), NodeId(0)),
    (Port(3), NodeId(0)),
    (Port(4), NodeId(0)),
    (Port(5), NodeId(0)),
    (Port(6), NodeId(0)),
];
