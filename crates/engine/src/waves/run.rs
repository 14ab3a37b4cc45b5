//! [`TaskWaves`]: waves of critical sections over a network.

use super::batches::{Batches, batch_size};
use super::check::Checker;
use super::encounters::{ChangeCount, PairTable, TableTurns};
use super::journal::{EntryOrder, Journal};
use super::order::{TiledOrder, shuffled};
use super::pattern::Pattern;
use super::scheme::{Cost, SchemeError, WaveScheme};
use super::task::WaveTask;
use super::tiles::TiledWave;
use super::tiling::Tiling;
use super::turns::{TaskTurns, TurnResults, whole};
use super::wave::{Wave, WaveEffort};
use crate::RoundCancellation;
use crate::draw::{Draws, Purpose};
use crate::network::PortNetwork;
use crate::unchecked::DisjointRounds;

/// The number of nodes from which cheap sections use several threads. A wave of fewer nodes takes less than about 100
/// us.
const POOL_FROM_CHEAP: u32 = 1 << 16;
/// The number of nodes from which expensive sections use several threads.
const POOL_FROM_EXPENSIVE: u32 = 1 << 10;
/// The number of threads from which cheap sections compete in batches. Competition costs several times as much as a
/// cheap section, so with fewer threads a single thread is faster.
const CHEAP_THREADS: usize = 6;
/// The number of words of the hashed table, as a power of two: half a megabyte, which leaves most of the second-level
/// cache for states.
const HASHED_BITS: u32 = 17;

/// Runs waves of critical sections over a network. In each wave every node has one turn, and enters its critical
/// section if it wants to.
///
/// # Guarantees
///
/// - A section has exclusive access to the states of its node and of all neighbours.
/// - States, journal and figures (except [`Wave::effort`]) equal those of a sequential run of the turns, in an order
///   that is random by (seed, wave): [`turns`](Self::turns). They are the same for any number of threads, bit for
///   bit, and [`replay`](super::replay) computes them.
/// - Of any two nodes, each is equally likely to come first.
///
/// The threads are those of the current rayon pool. No result depends on a clock, as nothing is measured while
/// running.
///
/// # Cost
///
/// A turn on a torus costs about 2 ns plus the section. On a graph without locality a turn costs the cache misses of
/// the closed neighbourhood. Between waves only buffers are kept.
///
/// See [`WaveTask`] for an example.
#[derive(Debug)]
pub struct TaskWaves<N> {
    network: N,
    draws: Draws,
    scheme: WaveScheme,
    cost: Cost,
    pool_from: Option<u32>,
    tiling: Option<Tiling>,
    workers: Vec<DisjointRounds>,
    hashed_bits: u32,
    checker: Option<Checker>,
    /// The pattern for tables, if one was found; see [`with_pattern`](Self::with_pattern).
    pattern: Option<Pattern>,
    #[cfg(test)]
    pub(super) fault: Option<super::tests::WaveFault>,
}

/// The way in which the next wave runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strategy {
    Tiles { threads: usize },
    OneByOne,
    Batches { threads: usize },
}

impl<N: PortNetwork> TaskWaves<N> {
    /// Creates waves over `network`, with all draws from `draws`. The defaults are [`WaveScheme::Auto`],
    /// [`Cost::Cheap`], and checks only in debug builds.
    ///
    /// Cost: O(edges), to determine whether the network has locality; O(1) on a torus.
    ///
    /// # Panics
    ///
    /// Panics if there are more than 2^31 nodes.
    #[must_use]
    pub fn new(network: N, draws: Draws) -> Self {
        assert!(network.nodes() <= 1 << 31, "{} nodes: at most 2^31", network.nodes());
        let tiling = cut(&network, None);
        let checker = cfg!(debug_assertions).then(|| Checker::new(network.nodes()));
        Self {
            network,
            draws,
            scheme: WaveScheme::Auto,
            cost: Cost::Cheap,
            pool_from: None,
            tiling,
            workers: Vec::new(),
            hashed_bits: HASHED_BITS,
            checker,
            pattern: None,
            #[cfg(test)]
            fault: None,
        }
    }

    /// Sets the scheme that finds nodes that may act at the same time.
    ///
    /// # Errors
    ///
    /// The scheme is [`WaveScheme::Tiles`], but the network cannot be divided into tiles.
    pub fn with_scheme(mut self, scheme: WaveScheme) -> Result<Self, SchemeError> {
        if scheme == WaveScheme::Tiles && self.tiling.is_none() {
            return Err(SchemeError::NoLocality { nodes: self.network.nodes() });
        }
        self.scheme = scheme;
        self.workers.clear();
        Ok(self)
    }

    /// Sets the cost of a section. The cost affects only speed, never results.
    ///
    /// With [`WaveScheme::Auto`] the cost selects how disjoint sets are found, and the network size from which several
    /// threads are used.
    #[must_use]
    pub fn with_cost(mut self, cost: Cost) -> Self {
        self.cost = cost;
        self.workers.clear();
        self
    }

    /// Sets the number of nodes from which several threads are used, regardless of the cost of a section.
    #[must_use]
    pub fn with_pool_from(mut self, nodes: u32) -> Self {
        self.pool_from = Some(nodes);
        self
    }

    /// Sets whether every wave is checked before any node enters: closed neighbourhoods entered at the same time are
    /// disjoint, and every node has one turn.
    ///
    /// Default: only in debug builds. The check takes several times as long as a cheap wave on one thread, and 32 bytes
    /// per node.
    #[must_use]
    pub fn with_checks(mut self, checks: bool) -> Self {
        self.checker = checks.then(|| Checker::new(self.network.nodes()));
        self
    }

    /// Sets the size of tiles, in nodes. The size changes the order of waves. Small tiles allow tests to use small
    /// networks.
    ///
    /// Networks are then divided into tiles even if up to a quarter of their nodes are at borders of tiles.
    #[must_use]
    pub fn with_tiles_of(mut self, nodes: u32) -> Self {
        self.tiling = cut(&self.network, Some(nodes));
        self
    }

    /// Sets the size of the table of [`WaveScheme::Hashed`] to `2^bits` words, with `bits` in `1..=31`.
    ///
    /// # Panics
    ///
    /// Panics if `bits` is out of range.
    #[must_use]
    pub fn with_hashed_words(mut self, bits: u32) -> Self {
        assert!((1..32).contains(&bits), "2^{bits} words");
        self.hashed_bits = bits;
        self.workers.clear();
        self
    }

    /// Searches the network for a pattern of distances, one byte per node. With a pattern, [`meet`](Self::meet) runs
    /// tables. Cost: O(edges).
    #[must_use]
    pub fn with_pattern(mut self) -> Self {
        self.pattern = Pattern::of(&self.network);
        self
    }

    /// The network on which the waves run.
    #[must_use]
    pub fn network(&self) -> &N {
        &self.network
    }

    /// The random draws of the waves.
    #[must_use]
    pub fn draws(&self) -> Draws {
        self.draws
    }

    /// The memory of the network and the buffers, without states, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.network.bytes()
            + self.tiling.as_ref().map_or(0, Tiling::bytes)
            + self.workers.iter().map(DisjointRounds::bytes).sum::<u64>()
            + self.checker.as_ref().map_or(0, Checker::bytes)
            + self.pattern.as_ref().map_or(0, Pattern::bytes)
    }

    /// The tiling, if waves are tiled.
    fn tiling(&self) -> Option<&Tiling> {
        match self.scheme {
            WaveScheme::Auto | WaveScheme::Tiles => self.tiling.as_ref(),
            WaveScheme::Hashed | WaveScheme::PerNode => None,
        }
    }

    /// All nodes in the order of their turns in a wave. Computed sequentially, for [`replay`](super::replay). Cost:
    /// O(nodes).
    #[must_use]
    pub fn turns(&self, wave: u64) -> Vec<u32> {
        match self.tiling() {
            Some(tiling) => TiledOrder::new(tiling, self.draws, wave).turns(),
            None => shuffled(self.draws, wave, self.network.nodes()).elements().collect(),
        }
    }

    /// Runs the wave with this number. The result is a function of seed, number and states, so a run can resume at any
    /// wave.
    ///
    /// # Panics
    ///
    /// Panics unless `states` has one entry per node, or if a check fails.
    pub fn run<T: WaveTask>(&mut self, wave: u64, task: &T, states: &mut [T::State]) -> Wave {
        self.journaled::<T, ()>(wave, task, states).0
    }

    /// Runs a wave and returns the nodes that entered, in the order of the equivalent sequential run.
    ///
    /// # Panics
    ///
    /// As for [`run`](Self::run).
    pub fn logged<T: WaveTask>(&mut self, wave: u64, task: &T, states: &mut [T::State]) -> (Wave, Vec<u32>) {
        let (wave, EntryOrder(nodes)) = self.journaled(wave, task, states);
        (wave, nodes)
    }

    /// Runs a wave and records it in a journal.
    ///
    /// # Panics
    ///
    /// As for [`run`](Self::run).
    pub fn journaled<T: WaveTask, J: Journal<T::Outcome>>(
        &mut self,
        wave: u64,
        task: &T,
        states: &mut [T::State],
    ) -> (Wave, J) {
        self.journaled_while(wave, task, states, &RoundCancellation::never())
    }

    /// Runs a wave and records it in a journal. `cancellation` may end the wave early. In that case only
    /// [`Wave::turns`] nodes had their turn, and which nodes had it depends on timing. The result equals that of a
    /// sequential run of their turns.
    ///
    /// # Panics
    ///
    /// As for [`run`](Self::run).
    pub fn journaled_while<T: WaveTask, J: Journal<T::Outcome>>(
        &mut self,
        wave: u64,
        task: &T,
        states: &mut [T::State],
        cancellation: &RoundCancellation<'_>,
    ) -> (Wave, J) {
        let nodes = self.network.nodes();
        assert_eq!(states.len(), nodes as usize, "one state a node");
        let strategy = self.strategy();
        let section = self.draws.stream(Purpose::Section, wave);
        let mut checker = self.checker.take();
        if let Some(checker) = &mut checker {
            checker.begin_wave();
        }
        let (mut tiles, mut phases, mut effort) = (0, 1, WaveEffort::default());
        let entered: TurnResults<J> = match strategy {
            Strategy::Tiles { threads } => {
                let tiling = self.tiling().expect("tiles have a tiling");
                (tiles, phases) = (tiling.tiles, 2 + u32::from(tiling.has_far()));
                #[allow(unused_mut)]
                let mut order = TiledOrder::new(tiling, self.draws, wave);
                #[cfg(test)]
                {
                    order.fault = self.fault;
                }
                if let Some(checker) = &mut checker {
                    checker.tiles(&self.network, &order);
                }
                let turns = TaskTurns { network: &self.network, task, section, tiling };
                let tiles = TiledWave { order, turns, nodes, threads, cancellation };
                in_pool(threads > 1, || tiles.run(states))
            }
            Strategy::OneByOne => {
                let permutation = shuffled(self.draws, wave, nodes);
                whole(&self.network, states, &permutation, (task, section), cancellation)
            }
            Strategy::Batches { threads } => {
                self.prepare_workers(threads);
                let batches = Batches {
                    permutation: shuffled(self.draws, wave, nodes),
                    network: &self.network,
                    task,
                    section,
                    size: batch_size(nodes),
                    grain: match self.cost {
                        Cost::Cheap => 256,
                        Cost::Expensive => 64,
                    },
                    cancellation,
                    #[cfg(test)]
                    fault: self.fault,
                };
                let (workers, network) = (&mut self.workers, &self.network);
                let entered;
                (entered, effort) = in_pool(true, || {
                    batches.run(workers, states, |rounds| {
                        if let Some(checker) = &mut checker {
                            checker.rounds(network, rounds);
                        }
                    })
                });
                entered
            }
        };
        let is_checked = strategy != Strategy::OneByOne && !cancellation.is_cut();
        if let Some(checker) = checker.as_ref().filter(|_| is_checked) {
            checker.end_wave();
        }
        self.checker = checker;
        let turns = u64::from(nodes) - cancellation.left_out();
        let wave = Wave { number: wave, turns, entered: entered.count, tiles, phases, effort };
        (wave, entered.journal)
    }

    /// Runs a wave of a table: the first draw of every node selects the neighbour that it meets. Also returns the
    /// number of encounters that changed a state.
    ///
    /// The result equals that of [`journaled`](Self::journaled) bit for bit, with a section that draws one of the
    /// neighbours by `pick`, or draws nothing if there is only one.
    ///
    /// Returns `None` without doing anything if no pattern was [found](Self::with_pattern), or if a node has a
    /// neighbour beyond its tile.
    ///
    /// Cost: about 4 ns per encounter on a torus.
    ///
    /// # Panics
    ///
    /// Panics unless `states` has one entry per node, or if a check fails.
    pub fn meet(&mut self, wave: u64, table: &PairTable, states: &mut [u16]) -> Option<(Wave, u64)> {
        self.meet_while(wave, table, states, &RoundCancellation::never())
    }

    /// Like [`meet`](Self::meet), but `cancellation` may end the wave early, as in
    /// [`journaled_while`](Self::journaled_while).
    ///
    /// # Panics
    ///
    /// As for [`meet`](Self::meet).
    pub fn meet_while(
        &mut self,
        wave: u64,
        table: &PairTable,
        states: &mut [u16],
        cancellation: &RoundCancellation<'_>,
    ) -> Option<(Wave, u64)> {
        let (wave, ChangeCount(changes)) = self.encounters(wave, table, states, cancellation)?;
        Some((wave, changes))
    }

    /// Runs a wave of a table, and records the changes in a journal. Returns `None` as [`meet`](Self::meet) does.
    fn encounters<J: Journal<bool>>(
        &mut self,
        wave: u64,
        table: &PairTable,
        states: &mut [u16],
        cancellation: &RoundCancellation<'_>,
    ) -> Option<(Wave, J)> {
        let (nodes, strategy) = (self.network.nodes(), self.strategy());
        if self.tiling().is_some_and(Tiling::has_far) {
            return None;
        }
        self.pattern.as_ref()?;
        assert_eq!(states.len(), nodes as usize, "one state a node");
        let mut checker = self.checker.take();
        let pattern = self.pattern.as_ref()?;
        let turns = TableTurns { pattern, table, section: self.draws.stream(Purpose::Section, wave) };
        let (mut tiles, mut phases) = (0, 1);
        let entered: TurnResults<J> = match strategy {
            Strategy::Tiles { threads } => {
                let tiling = self.tiling().expect("tiles have a tiling");
                (tiles, phases) = (tiling.tiles, 2);
                #[allow(unused_mut)]
                let mut order = TiledOrder::new(tiling, self.draws, wave);
                #[cfg(test)]
                {
                    order.fault = self.fault;
                }
                if let Some(checker) = &mut checker {
                    checker.begin_wave();
                    checker.tiles(&self.network, &order);
                    checker.end_wave();
                }
                let tiles = TiledWave { order, turns, nodes, threads, cancellation };
                in_pool(threads > 1, || tiles.run(states))
            }
            // Batches give the same result as the order, and a table is too cheap to compete for.
            Strategy::OneByOne | Strategy::Batches { .. } => {
                turns.whole(states, &shuffled(self.draws, wave, nodes), cancellation)
            }
        };
        self.checker = checker;
        let turns = u64::from(nodes) - cancellation.left_out();
        let effort = WaveEffort::default();
        Some((Wave { number: wave, turns, entered: entered.count, tiles, phases, effort }, entered.journal))
    }

    fn strategy(&self) -> Strategy {
        let pool_from = self.pool_from.unwrap_or(match self.cost {
            Cost::Cheap => POOL_FROM_CHEAP,
            Cost::Expensive => POOL_FROM_EXPENSIVE,
        });
        // Querying the number of threads would start them, so small networks do not.
        let threads = if self.network.nodes() < pool_from { 1 } else { rayon::current_num_threads() };
        match (self.scheme, &self.tiling) {
            (WaveScheme::Auto | WaveScheme::Tiles, Some(_)) => Strategy::Tiles { threads },
            (WaveScheme::Auto, None) if self.cost == Cost::Cheap && threads < CHEAP_THREADS => {
                Strategy::OneByOne
            }
            _ if threads > 1 => Strategy::Batches { threads },
            _ => Strategy::OneByOne,
        }
    }

    /// Creates the tables for sorting this many batches in parallel.
    fn prepare_workers(&mut self, threads: usize) {
        let nodes = self.network.nodes();
        let hashed = self.scheme != WaveScheme::PerNode && u64::from(nodes) > 1 << self.hashed_bits;
        self.workers.truncate(threads);
        while self.workers.len() < threads {
            #[allow(unused_mut)]
            let mut rounds = if hashed {
                DisjointRounds::hashed(self.hashed_bits)
            } else {
                DisjointRounds::with_word_each(nodes)
            };
            #[cfg(test)]
            {
                rounds.blind = self.fault == Some(super::tests::WaveFault::BlindRounds);
            }
            self.workers.push(rounds);
        }
    }
}

fn cut<N: PortNetwork>(network: &N, cells: Option<u32>) -> Option<Tiling> {
    match network.lattice() {
        Some(lattice) => Tiling::of_lattice(lattice, cells),
        None => Tiling::of_indices(network, cells),
    }
}

/// Runs `wave` on a thread of the pool if `parallel`, so that later forks do not enter the pool each time.
fn in_pool<R: Send>(parallel: bool, wave: impl FnOnce() -> R + Send) -> R {
    if parallel { rayon::scope(|_| wave()) } else { wave() }
}
