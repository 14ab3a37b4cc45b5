//! Type-erased chains.

use acrasin_runtime::PackError;
use acrasin_runtime::choice::Seeded;
use acrasin_runtime::digest::Digest;

use super::bridging::landscape::Landscape;
use super::compression::{FastChain, TiledChain};
use super::error::ChainError;
use super::locked::LockedChain;
use super::markov::{ChainRule, MarkovChain};
use super::parameters::Colouring;
use crate::algorithm::description::{AlgorithmFigure, Further, Placement};
use crate::model::lattice::Cell;

/// The amoebots and the seed with which a chain starts.
#[derive(Clone, Copy, Debug)]
pub struct ChainStart<'a> {
    /// The cells of the amoebots, and their colours if they have any.
    pub placement: &'a Placement,
    /// Land and gap, for chains that need a landscape.
    pub landscape: Option<&'a Landscape>,
    /// The seed, for a chain that makes its own draws.
    pub seed: u64,
}

/// A chain with its parameters but without cells, as the catalogue keeps it.
pub trait ChainDescription: Send + Sync {
    /// Starts the chain.
    ///
    /// # Errors
    ///
    /// The start is not possible.
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError>;

    /// Checks whether the chain can start. If possible, this is cheaper than starting it.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start).
    fn check(&self, start: ChainStart<'_>) -> Result<(), ChainError> {
        self.start(start).map(|_| ())
    }

    /// The rule by which amoebots get colours if the placement has none; `None` for chains without colours.
    fn colouring(&self) -> Option<Colouring> {
        None
    }

    /// Whether a step is a wave or window, which works on all amoebots with all threads.
    fn is_parallel(&self) -> bool {
        false
    }
}

/// A chain that has been started.
pub trait RunningChain {
    /// Makes this many steps, waves or windows.
    ///
    /// # Errors
    ///
    /// The amoebots have spread too far to continue.
    fn advance(&mut self, steps: u64, choices: &mut Seeded) -> Result<(), ChainError>;

    /// The number of steps, waves or windows so far.
    fn advanced(&self) -> u64;

    /// The amoebots on their cells.
    fn state(&self) -> &dyn ChainState;

    /// Counters of the run.
    fn work(&self) -> Vec<AlgorithmFigure>;

    /// Appends the state, without the draws of the caller. Returns `false` if this chain cannot be saved; its runs then
    /// have no checkpoints.
    fn save(&self, into: &mut Vec<u8>) -> bool {
        let _ = into;
        false
    }

    /// Restores the state that [`save`](Self::save) wrote for a chain with the same start.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such a state. The chain is then unusable until a load succeeds.
    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let _ = from;
        Err(PackError)
    }
}

/// Implements saving and loading by the chain's own methods.
macro_rules! save_itself {
    () => {
        fn save(&self, into: &mut Vec<u8>) -> bool {
            self.save(into)
        }

        fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
            self.load(from)
        }
    };
}

/// Amoebots on their cells in a running chain.
pub trait ChainState {
    /// The cell of each amoebot.
    fn cells(&self) -> Vec<Cell>;

    /// A digest of the contents of the cells.
    fn digest(&self) -> Digest;

    /// The names of the quantities that [`counts`](Self::counts) returns.
    fn columns(&self) -> &'static [&'static str];

    /// The quantities that are sampled over time.
    fn counts(&self) -> Vec<u64>;

    /// Results at the end of a run, if the chain has any.
    fn further(&self) -> Option<Further> {
        None
    }

    /// The cells of objects, which never move.
    fn objects(&self) -> &[Cell] {
        &[]
    }

    /// The names of the classes of amoebots in a picture, and the class of each amoebot.
    fn classes(&self) -> (Vec<String>, Vec<usize>) {
        (vec!["amoebot".to_owned()], vec![0; self.cells().len()])
    }

    /// The colour of each amoebot; `None` without colours.
    fn colours(&self) -> Option<Vec<u8>> {
        None
    }

    /// The number of adjacent pairs with different colours; `None` without colours.
    fn unlike_edges(&self) -> Option<u64> {
        None
    }
}

impl<R: ChainRule> RunningChain for MarkovChain<R> {
    fn advance(&mut self, steps: u64, choices: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps, choices).map(|_| ())
    }

    fn advanced(&self) -> u64 {
        self.steps()
    }

    fn state(&self) -> &dyn ChainState {
        self
    }

    fn work(&self) -> Vec<AlgorithmFigure> {
        let (key, words) = R::CHANGES;
        vec![
            AlgorithmFigure::count("steps", "steps", self.steps()),
            AlgorithmFigure::count(key, words, self.moves()),
        ]
    }

    save_itself!();
}

impl<R: ChainRule> ChainState for MarkovChain<R> {
    fn cells(&self) -> Vec<Cell> {
        self.cells()
    }

    fn digest(&self) -> Digest {
        self.digest()
    }

    fn columns(&self) -> &'static [&'static str] {
        R::COLUMNS
    }

    fn counts(&self) -> Vec<u64> {
        self.rule().counts(self.perimeter(), self.edges())
    }

    fn further(&self) -> Option<Further> {
        self.rule().further(self.perimeter())
    }

    fn objects(&self) -> &[Cell] {
        self.rule().objects()
    }

    fn classes(&self) -> (Vec<String>, Vec<usize>) {
        let bytes = self.amoebot_bytes();
        let (names, class) = R::classes(&bytes);
        (names, bytes.into_iter().map(class).collect())
    }

    fn colours(&self) -> Option<Vec<u8>> {
        self.amoebot_bytes().into_iter().map(R::colour).collect()
    }

    fn unlike_edges(&self) -> Option<u64> {
        self.rule().unlike_edges(self.edges())
    }
}

impl<R: ChainRule<Change: Send> + Sync> RunningChain for LockedChain<R> {
    fn advance(&mut self, steps: u64, _: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps).map(|_| ())
    }

    fn advanced(&self) -> u64 {
        self.waves()
    }

    fn state(&self) -> &dyn ChainState {
        self.chain()
    }

    fn work(&self) -> Vec<AlgorithmFigure> {
        let what = if self.is_in_tiles() { "windows" } else { "waves" };
        let mut work = vec![AlgorithmFigure::count(what, what, self.waves())];
        work.extend(self.chain().work());
        work
    }

    save_itself!();
}

impl RunningChain for FastChain {
    fn advance(&mut self, steps: u64, _: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps).map(|_| ())
    }

    fn advanced(&self) -> u64 {
        self.chain().steps()
    }

    fn state(&self) -> &dyn ChainState {
        self.chain()
    }

    fn work(&self) -> Vec<AlgorithmFigure> {
        self.chain().work()
    }

    save_itself!();
}

impl RunningChain for TiledChain {
    fn advance(&mut self, steps: u64, _: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps).map(|_| ())
    }

    fn advanced(&self) -> u64 {
        self.windows()
    }

    fn state(&self) -> &dyn ChainState {
        self
    }

    fn work(&self) -> Vec<AlgorithmFigure> {
        vec![
            AlgorithmFigure::count("windows", "windows", self.windows()),
            AlgorithmFigure::count("steps", "steps", self.steps()),
            AlgorithmFigure::count("moves", "moves", self.moves()),
        ]
    }

    save_itself!();
}

impl ChainState for TiledChain {
    fn cells(&self) -> Vec<Cell> {
        self.cells()
    }

    fn digest(&self) -> Digest {
        self.digest()
    }

    fn columns(&self) -> &'static [&'static str] {
        &["perimeter", "adjacent pairs"]
    }

    fn counts(&self) -> Vec<u64> {
        vec![self.perimeter(), self.edges()]
    }
}
