//! [`Sliced`]: the driver of bit-sliced rounds.

use std::ops::AddAssign;
use std::sync::{Mutex, PoisonError};

use acrasin_runtime::Digest;
use acrasin_runtime::pack::{Pack as _, PackError, Saved};

use crate::draw::Purpose;
use crate::message::{Config, LockOverlap, PriorityWarning, digest_of_words};
use crate::network::{Lattice, PortNetwork as _};
use crate::round::{ActiveNodes, Figures, Wanting};
use crate::threads::each_part;
use crate::unchecked::Vectors;

use super::bands::Bands;
use super::census::Census;
use super::check::check;
use super::error::SlicedError;
use super::lane_counts::{Sums, SweepTotals};
use super::masks::NodeSet;
use super::partition::{Partition, ROUNDS_MAX};
use super::planes::{BITS_MAX, COMPETES, HELD, LEAVES, LOCK, PlaneShape, SENT, TAKES, TOGGLE};
use super::shape::{ShapeCode, ShapeJob};
use super::store::{PlaneStore, RowGroup};
use super::sweep::{EndBlocks, Sweep, SweepRound};

/// The first bit of the field `sent` of a 32-bit published word, as in
/// [`WordRounds::words`](crate::message::WordRounds::words).
const WORD_SENT: u32 = 5;
const WORD_WON: u32 = 14;
const WORD_PRIORITY: u32 = 23;

/// Runs the lock algorithm on a torus, message by message, 512 nodes per instruction.
///
/// The rounds equal those of [`WordRounds`](crate::message::WordRounds) on a [`Lattice`] bit for bit: with the same
/// seed, words and figures agree after every round. A node takes 4 to 6 bytes instead of 8.
///
/// ```
/// use acrasin_engine::draw::Priorities;
/// use acrasin_engine::message::{Config, WordRounds};
/// use acrasin_engine::round::MemoryLimit;
/// use acrasin_engine::sliced::Sliced;
/// use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Wanting};
///
/// let config = Config {
///     draws: Draws::new(1),
///     priorities: Priorities::new(64).unwrap(),
///     wanting: Wanting::Always,
///     memory: MemoryLimit(1 << 20),
/// };
/// let lattice = Lattice::new(LatticeKind::Triangular, 64, 16)?;
/// let (mut sliced, mut rounds) = (Sliced::new(lattice, config)?, WordRounds::new(lattice, config)?);
/// let figures = sliced.rounds(&ActiveNodes::All, 100);
/// for _ in 0..100 {
///     rounds.round(&ActiveNodes::All);
/// }
/// assert_eq!(figures, rounds.figures());
/// assert_eq!(sliced.digest(), rounds.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sliced {
    lattice: Lattice,
    config: Config,
    code: ShapeCode,
    vectors: Vectors,
    store: PlaneStore,
    figures: Figures,
    /// The census at the time of the last update of the figures.
    census: Census,
    /// The counts of rounds since the last update of the figures.
    counted: SweepTotals,
    checks: bool,
    /// Scratch memory, one for each thread that has run.
    scratch: Vec<Mutex<EndBlocks>>,
}

impl Sliced {
    /// Starts a run: no node has called Lock, and nothing is in transit.
    ///
    /// # Errors
    ///
    /// The width is not a multiple of 64, the number of priorities is not a power of two up to 512, or the memory limit
    /// is exceeded; nothing was allocated.
    pub fn new(lattice: Lattice, config: Config) -> Result<Self, SlicedError> {
        let (code, partition) = Self::partition(lattice, config)?;
        Ok(Self {
            lattice,
            config,
            code,
            vectors: Vectors::widest(),
            store: PlaneStore::new(partition),
            figures: Figures::default(),
            census: Census::default(),
            counted: SweepTotals::default(),
            checks: cfg!(debug_assertions),
            scratch: vec![Mutex::default()],
        })
    }

    /// The memory that a run would take, in bytes.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn estimate(lattice: Lattice, config: Config) -> Result<u64, SlicedError> {
        Self::partition(lattice, config).map(|(_, partition)| partition.bytes())
    }

    fn partition(lattice: Lattice, config: Config) -> Result<(ShapeCode, Partition), SlicedError> {
        if !lattice.width().is_multiple_of(64) {
            return Err(SlicedError::Width { width: lattice.width() });
        }
        let bits = config.priorities.planes().filter(|bits| *bits <= BITS_MAX as u32);
        let bits = bits.ok_or(SlicedError::Priorities { bound: config.priorities.bound() })?;
        let code = ShapeCode::new(lattice.kind(), bits as usize);
        let nodes = u64::from(lattice.nodes());
        let partition = Partition::new(Bands::new(lattice), code.planes(), nodes);
        config.memory.check(nodes, partition.bytes()).map_err(SlicedError::TooLarge)?;
        Ok((code, partition))
    }

    /// Sets the width of vectors. Results do not depend on the width.
    #[must_use]
    pub fn with_vectors(self, vectors: Vectors) -> Self {
        Self { vectors, ..self }
    }

    /// Sets whether [`check`](Self::check) runs after every round. Default: only in builds with debug assertions.
    ///
    /// Checked rounds run one at a time.
    #[must_use]
    pub fn with_checks(self, checks: bool) -> Self {
        Self { checks, ..self }
    }

    /// Injects a deliberate fault from now on. Only [`check`](Self::check) reports its effects.
    #[cfg(test)]
    pub(super) fn set_fault(&mut self, fault: super::fault::SlicedFault) {
        self.checks = false;
        self.code.fault = fault;
        self.store.set_fault(fault);
    }

    /// Divides the lattice as if it were large: `across` bands side by side, groups of `rows` rows, and `rounds` rounds
    /// in one pass.
    #[cfg(test)]
    pub(super) fn set_plan(&mut self, across: usize, rows: usize, rounds: usize) {
        let partition = self.store.partition().cut(Bands::with_across(self.lattice, across), rows, rounds);
        self.store = PlaneStore::new(partition);
    }

    /// Runs one round and returns its figures.
    ///
    /// # Panics
    ///
    /// As for [`rounds`](Self::rounds).
    pub fn round(&mut self, activation: &ActiveNodes<'_>) -> Figures {
        self.rounds(activation, 1)
    }

    /// Runs `count` rounds with the same activation and returns their figures.
    ///
    /// The result equals that of `count` calls of [`round`](Self::round). On large lattices it is faster, because one
    /// pass over the memory executes several rounds.
    ///
    /// # Panics
    ///
    /// Panics if checks are on and lock sets overlap, which is a defect of the engine.
    pub fn rounds(&mut self, activation: &ActiveNodes<'_>, count: u64) -> Figures {
        self.advance(activation, None, count);
        let figures = self.settle();
        Figures { rounds: count, ..figures }
    }

    /// Runs rounds without computing their figures. `wanting` has a bit for each node that calls Lock if idle and
    /// active, and replaces [`Config::wanting`].
    pub(super) fn advance(&mut self, activation: &ActiveNodes<'_>, wanting: Option<&[u64]>, count: u64) {
        let mut tallies = std::mem::take(&mut self.counted);
        let mut done = 0;
        while done < count {
            let (rounds, upward, base) = self.store.next();
            let left = if self.checks { 1 } else { count - done };
            let rounds = rounds.min(usize::try_from(left).unwrap_or(usize::MAX));
            let mut turns = [self.turn(activation, wanting, self.figures.rounds); ROUNDS_MAX];
            for (turn, round) in turns[..rounds].iter_mut().zip(self.figures.rounds..).skip(1) {
                *turn = self.turn(activation, wanting, round);
            }
            self.sweep(&turns[..rounds], upward, base, &mut tallies);
            self.store.moved(rounds, upward);
            done += rounds as u64;
            self.figures.rounds += rounds as u64;
            if self.checks
                && let Err(overlap) = self.check()
            {
                panic!("after round {}: {overlap}", self.figures.rounds - 1);
            }
        }
        self.counted = tallies;
    }

    /// Updates the figures and returns those since the last update. The number of rounds is always up to date, so the
    /// returned figures do not include it. Cost: about that of a round.
    pub(super) fn settle(&mut self) -> Figures {
        let census = self.census();
        let tallies = std::mem::take(&mut self.counted);
        let (sums, degree) = (tallies.sums(self.store.partition().bands), self.lattice.kind().degree());
        let figures = std::mem::replace(&mut self.census, census).until(&census, sums, degree);
        self.figures += figures;
        figures
    }

    /// The counts of rounds since the last update of the figures.
    pub(super) fn counted(&self) -> Sums {
        self.counted.sums(self.store.partition().bands)
    }

    /// Calls `found` with the number of each word of 64 nodes that contains holders, and with the holders. The order
    /// is a function of the lattice alone.
    pub(super) fn each_holding(&self, found: impl FnMut(u64, u64)) {
        self.store.each_common(TAKES, LEAVES, found);
    }

    /// Checks that the lock sets of all holders are disjoint and that their members are locked. Cost: O(nodes · Δ), 64
    /// nodes at a time.
    ///
    /// # Errors
    ///
    /// The first violation by node number.
    pub fn check(&self) -> Result<(), LockOverlap> {
        let word = |row, x, plane| self.store.word(row, x, plane);
        check(self.lattice, |row, x| word(row, x, TAKES) & word(row, x, LEAVES), |row, x| word(row, x, LOCK))
    }

    fn turn<'a>(
        &self,
        activation: &ActiveNodes<'a>,
        wanting: Option<&'a [u64]>,
        round: u64,
    ) -> SweepRound<'a> {
        let draws = self.config.draws;
        SweepRound {
            active: match *activation {
                ActiveNodes::All => NodeSet::All,
                ActiveNodes::Random(chance) => {
                    NodeSet::Drawn(draws.stream(Purpose::Activation, round), chance)
                }
                ActiveNodes::Given(words) => NodeSet::Given(words),
            },
            wanting: match (wanting, self.config.wanting) {
                (Some(words), _) => NodeSet::Given(words),
                (None, Wanting::Always) => NodeSet::All,
                (None, Wanting::Never) => NodeSet::Empty,
                (None, Wanting::Chance(chance)) => {
                    NodeSet::Drawn(draws.stream(Purpose::Demand, round), chance)
                }
            },
            priorities: draws.stream(Purpose::Priority, round),
        }
    }

    /// Runs one pass over all groups and adds its counts to the tallies. The tallies are summed only once for many
    /// rounds, because rounds of a small lattice are short.
    fn sweep(&mut self, turns: &[SweepRound<'_>], upward: bool, base: usize, tallies: &mut SweepTotals) {
        let (code, vectors, bands) = (self.code, self.vectors, self.store.partition().bands);
        let bits = self.config.priorities.planes().unwrap_or(0) as usize;
        let drawn = &std::array::from_fn(|bit| if bit < bits { u64::MAX } else { 0 });
        self.each_group(turns.len(), tallies, |group, tallies, scratch| {
            let sweep = &mut Sweep { bands, group, base, upward, turns, drawn, tallies, scratch };
            code.run(SweepJob(sweep, vectors));
        });
    }

    /// Takes a census of all nodes.
    fn census(&mut self) -> Census {
        let (partition, planes, vectors) = (self.store.partition(), self.code.planes(), self.vectors);
        let kind = self.lattice.kind();
        let (_, _, base) = self.store.next();
        let mut census = Census::default();
        self.each_group(1, &mut census, |group, census, _| {
            census.count(kind, partition.bands, planes, &group, base, vectors);
        });
        census
    }

    /// Runs a job for each group and its ghost rows, and adds the results to `sum` in the order of the groups.
    fn each_group<T: Default + Send + AddAssign>(
        &mut self,
        rounds: usize,
        sum: &mut T,
        job: impl Fn(RowGroup<'_>, &mut T, &mut EndBlocks) + Sync,
    ) {
        let vectors = self.vectors;
        if self.store.partition().groups == 1 {
            self.store.surround(rounds, vectors);
            let scratch = self.scratch[0].get_mut().unwrap_or_else(PoisonError::into_inner);
            return self.store.groups().for_each(|group| job(group, sum, scratch));
        }
        let threads = rayon::current_num_threads();
        while self.scratch.len() < threads {
            self.scratch.push(Mutex::default());
        }
        let (rows, ghosts) = self.store.ghosts();
        each_part(ghosts.collect(), true, |_, (group, ghosts)| {
            rows.ghost_rows(group, rounds, ghosts, vectors);
        });
        let scratch = &self.scratch;
        let results = each_part(self.store.groups().collect(), true, |_, group| {
            // Outside a pool there is no index, and only one thread.
            let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len();
            let mut result = T::default();
            job(group, &mut result, &mut scratch[thread].lock().unwrap_or_else(PoisonError::into_inner));
            result
        });
        for result in results {
            *sum += result;
        }
    }

    /// The lattice on which the nodes run.
    #[must_use]
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// The parameters of the run.
    #[must_use]
    pub fn config(&self) -> Config {
        self.config
    }

    /// Sets the rule by which nodes call Lock, from the next round on. With [`Wanting::Never`], outstanding Locks are
    /// completed, and the system becomes quiescent.
    pub fn set_wanting(&mut self, wanting: Wanting) {
        self.config.wanting = wanting;
    }

    /// A warning if K is so small that most trials end in a tie; otherwise `None`.
    #[must_use]
    pub fn priority_warning(&self) -> Option<PriorityWarning> {
        PriorityWarning::of(self.config.priorities.bound(), self.lattice.contenders())
    }

    /// The number of rounds so far, which is also the number of the next round.
    #[must_use]
    pub fn round_number(&self) -> u64 {
        self.figures.rounds
    }

    /// The figures, summed over all rounds so far.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.figures
    }

    /// The size of the planes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.store.partition().bytes()
    }

    /// The published word of a node, as in [`WordRounds::words`](crate::message::WordRounds::words).
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    #[must_use]
    pub fn word(&self, node: u32) -> u32 {
        assert!(node < self.lattice.nodes(), "node {node} of {}", self.lattice.nodes());
        let (row, column) = (node / self.lattice.width(), node % self.lattice.width());
        self.words_of(row, column as usize / 64)[column as usize % 64]
    }

    /// The published words of all nodes.
    #[must_use]
    pub fn words(&self) -> Vec<u32> {
        self.blocks().flatten().collect()
    }

    /// The published words of all nodes, 64 at a time.
    pub(super) fn blocks(&self) -> impl Iterator<Item = [u32; 64]> {
        let blocks = self.lattice.width() as usize / 64;
        let places = (0..self.lattice.height()).flat_map(move |row| (0..blocks).map(move |x| (row, x)));
        places.map(|(row, x)| self.words_of(row, x))
    }

    /// The digest of the published words. It equals [`WordRounds::digest`](crate::message::WordRounds::digest).
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest_of_words(&self.words())
    }

    /// The published words of 64 nodes of a row.
    fn words_of(&self, row: u32, x: usize) -> [u32; 64] {
        let ports = usize::from(self.lattice.kind().degree()) + 1;
        let plane = |plane: usize| self.store.word(row, x, plane);
        let mut words = [0; 64];
        let mut write = |plane: u64, bit: u32| {
            for (node, word) in words.iter_mut().enumerate() {
                *word |= ((plane >> node & 1) as u32) << bit;
            }
        };
        let (held, competes, takes, leaves) = (plane(HELD), plane(COMPETES), plane(TAKES), plane(LEAVES));
        write(held | takes & leaves, 0);
        write(competes | leaves & !takes, 1);
        write(takes | leaves, 2);
        write(plane(TOGGLE), 3);
        write(plane(LOCK), 4);
        for port in 0..ports {
            write(plane(SENT + port), WORD_SENT + port as u32);
            write(plane(SENT + ports + port), WORD_WON + port as u32);
        }
        for bit in 0..self.code.bits {
            write(plane(SENT + 2 * ports + bit), WORD_PRIORITY + bit as u32);
        }
        words
    }
}

/// Saves the planes and the counts. The position of the rows in memory is not saved, since results do not depend on it.
impl Saved for Sliced {
    fn save(&self, into: &mut Vec<u8>) {
        self.config.draws.seed().pack(into);
        self.figures.pack(into);
        self.census.pack(into);
        self.counted.pack(into);
        self.store.save((self.lattice.height(), self.lattice.width() as usize / 64), into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        if u64::unpack(from)? != self.config.draws.seed() {
            return Err(PackError);
        }
        self.figures.unpack_into(from)?;
        self.census.unpack_into(from)?;
        self.counted.unpack_into(from)?;
        self.store.load((self.lattice.height(), self.lattice.width() as usize / 64), from)?;
        let (nodes, degree) = (self.lattice.nodes(), self.lattice.kind().degree());
        if !self.counted.is_possible(self.figures.rounds, nodes) {
            return Err(PackError);
        }
        // The figures follow from the planes, the last census and the counts, so all of them are checked together.
        let mut figures = self.figures;
        let (now, sums) = (self.census(), self.counted());
        let more = self.census.until(&now, sums, degree);
        let is_bounded = Figures { rounds: figures.rounds, ..more }.is_bounded(nodes, degree);
        if !is_bounded || !figures.is_possible(nodes, degree) {
            return Err(PackError);
        }
        figures += more;
        if figures.is_possible(nodes, degree) { Ok(()) } else { Err(PackError) }
    }
}

struct SweepJob<'s, 'a>(&'s mut Sweep<'a>, Vectors);

impl ShapeJob for SweepJob<'_, '_> {
    type Output = ();

    fn run<S: PlaneShape, const N: usize>(self) {
        self.0.run::<S, N>(self.1);
    }
}
