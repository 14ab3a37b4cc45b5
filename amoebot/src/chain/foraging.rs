//! Foraging: chain M in which amoebots gather while there is food, and search while there is none.
//!
//! Source: Oh, Randall, Richa, "Foraging in particle systems via self-induced phase changes", 2022. We took two ideas
//! from it: amoebots gather around food with a large bias and search with a small one, and news of food spreads between
//! neighbours. The text was not available: the rules below replace the paper's tokens and are our own.
//!
//! An amoebot remembers one of four versions of the news, which repeat cyclically. All start with version 0. Even
//! versions mean "there is no food", odd versions "there is food". The food appears at amoebot 0, and holds that
//! amoebot in place. One step picks an amoebot P, one of the six directions and q in (0, 1), all uniformly. Let ℓ′ be
//! the next cell in that direction.
//!
//! | ℓ′ | effect | condition |
//! |---|---|---|
//! | an amoebot whose version is the one after P's | P learns it | |
//! | another amoebot | nothing | |
//! | free | P moves there | P is not held, the ring allows it as in chain M, and q < λ^(e′ - e), λ of P's version |
//!
//! At fixed intervals of steps, if all amoebots know the current news, it changes: the food appears or vanishes, and
//! amoebot 0 knows. Otherwise it does not change for another interval. So at most two consecutive versions exist at any
//! time, and the newer one spreads.
//!
//! While there is no food and all amoebots know it, a run is [chain M](super::compression) with the λ of searching,
//! draw by draw.

use acrasin_runtime::choice::{Choices, Seeded};
use acrasin_runtime::digest::Digest;
use acrasin_runtime::{Pack as _, PackError};

use super::description::{ChainState, RunningChain};
use super::error::{Biases, ChainError};
use super::grid::GridView;
use super::locked::LockedChain;
use super::markov::{CERTAIN, ChainRule, MarkovChain, acceptance_of, power};
use super::ring::{EdgeRing, MOVES};
use crate::algorithm::description::{AlgorithmFigure, Further};
use crate::model::lattice::Cell;

/// The number of versions of the news.
const VERSIONS: u8 = 4;
/// The bit of an amoebot's byte that is set if the food holds the amoebot. The other bits are its version plus 1.
const HELD: u8 = 8;

/// The version in the byte of an amoebot.
fn version(byte: u8) -> u8 {
    (byte & (HELD - 1)) - 1
}

/// Whether amoebots of this version gather.
fn gathers(version: u8) -> bool {
    version % 2 == 1
}

/// The rule of foraging: the probabilities of moves, and how many amoebots know the news and gather.
#[derive(Clone, Debug)]
pub struct News {
    /// The probability of a move, times [`CERTAIN`], for each ring: first while searching, then while gathering.
    moves: [Box<[u64; 256]>; 2],
    /// The number of amoebots that know the newest version.
    informed: u64,
    /// The number of amoebots that gather.
    gathering: u64,
}

/// The effect of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forage {
    /// The amoebot moves to a free cell.
    Move(EdgeRing),
    /// The amoebot learns the news of a neighbour.
    Learn {
        /// Whether the news is that there is food.
        food: bool,
    },
}

impl ChainRule for News {
    type Change = Forage;

    const COLUMNS: &'static [&'static str] = &["perimeter", "adjacent pairs", "gathering"];
    const CHANGES: (&'static str, &'static str) = ("changes", "moves and versions learnt");

    /// A step can make one amoebot learn from the other, so it matters which of the two acts.
    const HAS_SIDES: bool = true;

    #[inline]
    fn propose(&self, sight: GridView<'_>) -> (Forage, u64) {
        let (own, other) = (sight.own(), sight.other());
        if other != Self::FREE {
            let newer = (version(own) + 1) % VERSIONS;
            let learns = version(other) == newer;
            return (Forage::Learn { food: gathers(newer) }, if learns { CERTAIN } else { 0 });
        }
        let ring =
            EdgeRing(sight.around().fold(0, |ring, (bit, byte)| ring | u8::from(byte != Self::FREE) << bit));
        let moves = &self.moves[usize::from(gathers(version(own)))];
        (Forage::Move(ring), if own & HELD == 0 { moves[usize::from(ring.0)] } else { 0 })
    }

    #[inline]
    fn leaves(change: Forage) -> bool {
        matches!(change, Forage::Move(_))
    }

    #[inline]
    fn after(own: u8, other: u8) -> (u8, u8) {
        if other == Self::FREE { (other, own) } else { (own & HELD | other & !HELD, other) }
    }

    #[inline]
    fn made(&mut self, change: Forage) -> i8 {
        match change {
            Forage::Move(ring) => ring.neighbours_after() as i8 - ring.neighbours_before() as i8,
            Forage::Learn { food } => {
                self.informed += 1;
                self.gathering = if food { self.gathering + 1 } else { self.gathering - 1 };
                0
            }
        }
    }

    fn counts(&self, perimeter: u64, edges: u64) -> Vec<u64> {
        vec![perimeter, edges, self.gathering]
    }

    fn digest(cells: &[Cell], bytes: &[u8]) -> Digest {
        Digest::of(&(cells, bytes))
    }

    fn classes(_: &[u8]) -> (Vec<String>, fn(u8) -> usize) {
        (vec!["searching".to_owned(), "gathering".to_owned()], |byte| usize::from(gathers(version(byte))))
    }

    fn counters(&self) -> Option<Vec<i64>> {
        Some(vec![self.informed.cast_signed(), self.gathering.cast_signed()])
    }

    fn set_counters(&mut self, counters: &[i64]) -> bool {
        let &[informed, gathering] = counters else { return false };
        (self.informed, self.gathering) = (informed.cast_unsigned(), gathering.cast_unsigned());
        true
    }
}

/// The biases λ while there is no food and while there is food, as an amoebot believes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lambdas {
    /// The λ of amoebots that believe there is no food. These amoebots spread if λ is at most 2.
    pub search: f64,
    /// The λ of amoebots that believe there is food. These amoebots gather if λ is 4 or more.
    pub gather: f64,
}

/// The chain of foraging, with food that appears and vanishes.
///
/// ```
/// use acrasin_amoebot::chain::foraging::{Foraging, Lambdas};
/// use acrasin_amoebot::{Cell, Direction, start};
/// use acrasin_runtime::Seeded;
///
/// let cells = start::spiral(Cell::ORIGIN, Direction::East, 30)?;
/// let mut foraging = Foraging::new(&cells, Lambdas { search: 1.0, gather: 6.0 }, 400_000)?;
/// let mut choices = Seeded::new(1);
/// foraging.run(399_999, &mut choices)?;
/// let spread = foraging.chain().perimeter();
/// foraging.run(400_000, &mut choices)?;
/// assert!(foraging.has_food() && foraging.gathering() == 30);
/// assert!(foraging.chain().perimeter() < spread);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Foraging {
    stepping: Stepping,
    newest: u8,
    /// The number of steps, waves or windows between changes of the food.
    every: u64,
}

/// The execution of steps: one at a time, in waves, or in windows.
#[derive(Clone, Debug)]
enum Stepping {
    OneByOne(MarkovChain<News>),
    Locked(LockedChain<News>),
}

impl Foraging {
    /// The chain with amoebot i on cell i and no food yet; the food changes every `every` steps. O(area of the
    /// rectangle around them).
    ///
    /// # Errors
    ///
    /// λ is not a finite number above 0, or the cells are invalid for [`Chain`](super::compression::Chain). Cells are
    /// invalid if there are none, too many or a duplicate. They are also invalid if they are not connected, have a
    /// hole, are too spread out, or are near the limit of the lattice.
    ///
    /// # Panics
    ///
    /// Panics if `every` is 0.
    pub fn new(cells: &[Cell], lambdas: Lambdas, every: u64) -> Result<Self, ChainError> {
        assert!(every > 0, "the food changes after some steps");
        let table = |name, lambda| {
            let lambda = Biases::POSITIVE.checked(name, lambda)?;
            let of = |gain: Option<i8>| gain.map_or(0, |gain| acceptance_of(power(lambda, gain)));
            Ok::<_, ChainError>(Box::new(MOVES.map(of)))
        };
        let moves = [table("search", lambdas.search)?, table("gather", lambdas.gather)?];
        let rule = News { moves, informed: cells.len() as u64, gathering: 0 };
        Ok(Self {
            stepping: Stepping::OneByOne(MarkovChain::from_cells(cells, |_| 1, rule)?),
            newest: 0,
            every,
        })
    }

    /// Continues in waves of [locked edges](LockedChain), with an independent random stream. The food changes every
    /// `every` waves. If amoebots are at both ends of a locked edge, each of them acts with probability 1/2.
    #[must_use]
    pub fn with_waves(self, seed: u64) -> Self {
        self.locked(|chain| LockedChain::new(chain, seed))
    }

    /// Continues in windows of [locked tiles](LockedChain); the food changes every `every` windows.
    #[must_use]
    pub fn with_tiles(self, seed: u64) -> Self {
        self.locked(|chain| LockedChain::with_tiles(chain, seed))
    }

    /// Checks that the first window has room, like [`LockedChain::with_room`].
    pub(crate) fn with_room(self) -> Result<Self, ChainError> {
        let stepping = match self.stepping {
            Stepping::Locked(chain) => Stepping::Locked(chain.with_room()?),
            one_by_one @ Stepping::OneByOne(_) => one_by_one,
        };
        Ok(Self { stepping, ..self })
    }

    fn locked(self, lock: impl FnOnce(MarkovChain<News>) -> LockedChain<News>) -> Self {
        let chain = match self.stepping {
            Stepping::OneByOne(chain) | Stepping::Locked(LockedChain { chain, .. }) => chain,
        };
        Self { stepping: Stepping::Locked(lock(chain)), ..self }
    }

    /// Makes this many steps, waves or windows. Waves and windows do not use `choices`.
    ///
    /// # Errors
    ///
    /// As for [`MarkovChain::step`].
    pub fn run(&mut self, steps: u64, choices: &mut (impl Choices + ?Sized)) -> Result<(), ChainError> {
        let mut left = steps;
        while left > 0 {
            let until_change = self.every - self.advanced() % self.every;
            let now = left.min(until_change);
            match &mut self.stepping {
                Stepping::OneByOne(chain) => chain.run(now, choices)?,
                Stepping::Locked(locked) => locked.run(now)?,
            };
            left -= now;
            if now == until_change && self.all_know() {
                self.change_food();
            }
        }
        Ok(())
    }

    /// Changes the food, which amoebot 0 learns at once.
    fn change_food(&mut self) {
        self.newest = (self.newest + 1) % VERSIONS;
        let food = gathers(self.newest);
        let held = if food { HELD } else { 0 };
        let chain = match &mut self.stepping {
            Stepping::OneByOne(chain) | Stepping::Locked(LockedChain { chain, .. }) => chain,
        };
        chain.grid.bytes[chain.positions[0] as usize] = (self.newest + 1) | held;
        chain.rule.informed = 1;
        let gathering = &mut chain.rule.gathering;
        *gathering = if food { *gathering + 1 } else { *gathering - 1 };
    }

    /// The amoebots on their cells.
    #[must_use]
    pub fn chain(&self) -> &MarkovChain<News> {
        match &self.stepping {
            Stepping::OneByOne(chain) | Stepping::Locked(LockedChain { chain, .. }) => chain,
        }
    }

    fn running(&self) -> &dyn RunningChain {
        match &self.stepping {
            Stepping::OneByOne(chain) => chain,
            Stepping::Locked(locked) => locked,
        }
    }

    /// Whether there is food.
    #[must_use]
    pub fn has_food(&self) -> bool {
        gathers(self.newest)
    }

    /// The number of amoebots that gather.
    #[must_use]
    pub fn gathering(&self) -> u64 {
        self.chain().rule().gathering
    }

    /// The number of amoebots that know the newest version of the news.
    #[must_use]
    pub fn informed(&self) -> u64 {
        self.chain().rule().informed
    }

    /// Whether all amoebots know the newest version of the news.
    #[must_use]
    pub fn all_know(&self) -> bool {
        self.informed() == self.chain().positions.len() as u64
    }

    /// Whether each amoebot gathers. O(amoebots).
    #[must_use]
    pub fn who_gathers(&self) -> Vec<bool> {
        self.chain().amoebot_bytes().into_iter().map(|byte| gathers(version(byte))).collect()
    }
}

impl RunningChain for Foraging {
    fn advance(&mut self, steps: u64, choices: &mut Seeded) -> Result<(), ChainError> {
        self.run(steps, choices)
    }

    fn advanced(&self) -> u64 {
        self.running().advanced()
    }

    fn state(&self) -> &dyn ChainState {
        self
    }

    fn work(&self) -> Vec<AlgorithmFigure> {
        self.running().work()
    }

    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.newest.pack(into);
        self.running().save(into)
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.newest.unpack_into(from)?;
        match &mut self.stepping {
            Stepping::OneByOne(chain) => chain.load(from)?,
            Stepping::Locked(locked) => locked.load(from)?,
        }
        let is_news = |byte: u8| (1..=VERSIONS).contains(&(byte & !HELD));
        let are_news = self.chain().amoebot_bytes().into_iter().all(is_news);
        if self.newest < VERSIONS && are_news { Ok(()) } else { Err(PackError) }
    }
}

impl ChainState for Foraging {
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

    fn further(&self) -> Option<Further> {
        let figures = vec![
            AlgorithmFigure::flag("food", "there is food", self.has_food()),
            AlgorithmFigure::count("informed", "amoebots that know", self.informed()),
            AlgorithmFigure::count("gathering", "amoebots that gather", self.gathering()),
        ];
        Some(Further { key: "food", title: "Food", figures })
    }

    fn classes(&self) -> (Vec<String>, Vec<usize>) {
        self.chain().classes()
    }
}
