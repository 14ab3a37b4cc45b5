//! Chains without their types: what whoever runs one needs to know of it.

use acrasin_runtime::choice::Seeded;
use acrasin_runtime::digest::Digest;

use super::bridging::landscape::Landscape;
use super::compression::{FastChain, TiledChain};
use super::error::ChainError;
use super::locked::LockedChain;
use super::markov::{MarkovChain, Rule};
use super::parameters::Colouring;
use crate::algorithm::description::{Figure, Further, Placement};
use crate::model::lattice::Cell;

/// Where a chain starts.
#[derive(Clone, Copy, Debug)]
pub struct ChainStart<'a> {
    /// The cells of the amoebots, and their colours if they have any.
    pub placement: &'a Placement,
    /// Land and gap, if it starts in a landscape.
    pub landscape: Option<&'a Landscape>,
    /// For a chain that makes its draws itself.
    pub seed: u64,
}

/// A chain with its parameters, before it has cells: what the catalogue keeps of it.
pub trait ChainDescription: Send + Sync {
    /// The chain at its start.
    ///
    /// # Errors
    ///
    /// There is no such start.
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError>;

    /// Whether there is such a start, if that can be told for less.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start).
    fn check(&self, start: ChainStart<'_>) -> Result<(), ChainError> {
        self.start(start).map(|_| ())
    }

    /// Who has which colour if that is not drawn by hand, for chains with colours.
    fn colouring(&self) -> Option<Colouring> {
        None
    }

    /// Whether one step is work for all amoebots, on all threads.
    fn is_parallel(&self) -> bool {
        false
    }
}

/// A chain that runs.
pub trait RunningChain {
    /// Makes so many steps; of a chain in tiles, windows.
    ///
    /// # Errors
    ///
    /// The amoebots have come too far to go on.
    fn advance(&mut self, steps: u64, choices: &mut Seeded) -> Result<(), ChainError>;

    /// How many of them it has made.
    fn advanced(&self) -> u64;

    /// The cell of each amoebot.
    fn cells(&self) -> Vec<Cell>;

    /// The digest of what is at which cell.
    fn digest(&self) -> Digest;

    /// The names of [`counts`](Self::counts).
    fn columns(&self) -> &'static [&'static str];

    /// What is counted over time.
    fn counts(&self) -> Vec<u64>;

    /// What was done.
    fn work(&self) -> Vec<Figure>;

    /// What else there is to say at the end.
    fn further(&self) -> Option<Further> {
        None
    }

    /// The cells of objects, which never move.
    fn objects(&self) -> &[Cell] {
        &[]
    }

    /// The classes of amoebots in a picture by their names, and to which each amoebot belongs.
    fn classes(&self) -> (Vec<String>, Vec<usize>) {
        (vec!["amoebot".to_owned()], vec![0; self.cells().len()])
    }

    /// The colour of each amoebot, if they have colours.
    fn colours(&self) -> Option<Vec<u8>> {
        None
    }

    /// Pairs of adjacent amoebots of different colours, if they have colours.
    fn unlike_edges(&self) -> Option<u64> {
        None
    }
}

impl<R: Rule> RunningChain for MarkovChain<R> {
    fn advance(&mut self, steps: u64, choices: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps, choices).map(|_| ())
    }

    fn advanced(&self) -> u64 {
        self.steps()
    }

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

    fn work(&self) -> Vec<Figure> {
        let (key, words) = R::CHANGES;
        vec![Figure::count("steps", "steps", self.steps()), Figure::count(key, words, self.moves())]
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

impl<R: Rule<Change: Send> + Sync> RunningChain for LockedChain<R> {
    fn advance(&mut self, steps: u64, _: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps).map(|_| ())
    }

    fn advanced(&self) -> u64 {
        self.waves()
    }

    fn cells(&self) -> Vec<Cell> {
        self.chain().cells()
    }

    fn digest(&self) -> Digest {
        self.chain().digest()
    }

    fn columns(&self) -> &'static [&'static str] {
        self.chain().columns()
    }

    fn counts(&self) -> Vec<u64> {
        self.chain().counts()
    }

    fn work(&self) -> Vec<Figure> {
        let what = if self.is_in_tiles() { "windows" } else { "waves" };
        let mut work = vec![Figure::count(what, what, self.waves())];
        work.extend(self.chain().work());
        work
    }

    fn further(&self) -> Option<Further> {
        self.chain().further()
    }

    fn objects(&self) -> &[Cell] {
        self.chain().objects()
    }

    fn classes(&self) -> (Vec<String>, Vec<usize>) {
        self.chain().classes()
    }

    fn colours(&self) -> Option<Vec<u8>> {
        RunningChain::colours(self.chain())
    }

    fn unlike_edges(&self) -> Option<u64> {
        RunningChain::unlike_edges(self.chain())
    }
}

impl RunningChain for FastChain {
    fn advance(&mut self, steps: u64, _: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps).map(|_| ())
    }

    fn advanced(&self) -> u64 {
        self.chain().steps()
    }

    fn cells(&self) -> Vec<Cell> {
        self.chain().cells()
    }

    fn digest(&self) -> Digest {
        self.chain().digest()
    }

    fn columns(&self) -> &'static [&'static str] {
        self.chain().columns()
    }

    fn counts(&self) -> Vec<u64> {
        self.chain().counts()
    }

    fn work(&self) -> Vec<Figure> {
        self.chain().work()
    }
}

impl RunningChain for TiledChain {
    fn advance(&mut self, steps: u64, _: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps).map(|_| ())
    }

    fn advanced(&self) -> u64 {
        self.windows()
    }

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

    fn work(&self) -> Vec<Figure> {
        vec![
            Figure::count("windows", "windows", self.windows()),
            Figure::count("steps", "steps", self.steps()),
            Figure::count("moves", "moves", self.moves()),
        ]
    }
}
