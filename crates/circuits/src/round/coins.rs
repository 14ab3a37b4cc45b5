//! [`Coins`]: the sources of the amoebots' coin tosses.

use std::fmt;

use acrasin_engine::draw::Stream;
use acrasin_engine::{Draws, Purpose};

/// A source of coins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coins {
    /// Each coin is a function of seed, round, amoebot and number, so the order of evaluation does not matter.
    Keyed(Draws),
    /// Coins from a list, in order: round by round, and within a round by the number of the amoebot.
    Listed {
        /// The coins; `true` is heads.
        coins: Vec<bool>,
        /// The number of coins used so far.
        used: usize,
        /// Whether a coin was tossed beyond the list. Such a coin shows tails, and the run ends at this round.
        exhausted: bool,
    },
}

/// The reason why a list of coins does not match a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoinTrouble {
    /// The run tosses more coins than the list has.
    TooFew,
    /// Coins are left at the end of the run.
    TooMany {
        /// The number of coins that are not used.
        left: usize,
    },
}

impl fmt::Display for CoinTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew => f.write_str("the run tosses more coins than are listed"),
            Self::TooMany { left: 1 } => f.write_str("1 coin is left at the end"),
            Self::TooMany { left } => write!(f, "{left} coins are left at the end"),
        }
    }
}

impl std::error::Error for CoinTrouble {}

impl Coins {
    /// Coins that follow from a seed.
    #[must_use]
    pub fn keyed(seed: u64) -> Self {
        Self::Keyed(Draws::new(seed))
    }

    /// Coins from a list; `true` is heads.
    #[must_use]
    pub fn listed(coins: Vec<bool>) -> Self {
        Self::Listed { coins, used: 0, exhausted: false }
    }

    /// The reason why a list does not match the run: too few coins, or coins left. `None` if the list matches, and for
    /// keyed coins.
    #[must_use]
    pub fn trouble(&self) -> Option<CoinTrouble> {
        match self {
            Self::Keyed(_) => None,
            Self::Listed { exhausted: true, .. } => Some(CoinTrouble::TooFew),
            Self::Listed { coins, used, .. } if *used < coins.len() => {
                Some(CoinTrouble::TooMany { left: coins.len() - used })
            }
            Self::Listed { .. } => None,
        }
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        matches!(self, Self::Listed { exhausted: true, .. })
    }
}

/// The coins of all amoebots in one half.
#[derive(Debug)]
pub(crate) enum HalfCoins<'a> {
    /// The stream of the round.
    Keyed(Stream),
    Listed {
        coins: &'a [bool],
        used: &'a mut usize,
        exhausted: &'a mut bool,
    },
}

impl<'a> HalfCoins<'a> {
    pub(crate) fn of(coins: &'a mut Coins, round: u64) -> Self {
        match coins {
            Coins::Keyed(draws) => Self::Keyed(draws.stream(Purpose::Coin, round)),
            Coins::Listed { coins, used, exhausted } => {
                Self::Listed { coins: coins.as_slice(), used, exhausted }
            }
        }
    }
}

/// The coins of one amoebot in one half.
#[derive(Debug)]
pub struct CoinToss<'a> {
    pub(crate) coins: HalfCoins<'a>,
    pub(crate) amoebot: u32,
    pub(crate) tossed: u32,
}

/// The number of bits of a coin's number: an amoebot tosses at most 2 to this power coins in a half.
const COIN_BITS: u32 = 4;

impl CoinToss<'_> {
    /// Tosses a coin; returns whether it shows heads.
    ///
    /// # Panics
    ///
    /// An amoebot tosses more than 16 coins in a half.
    #[inline]
    pub fn heads(&mut self) -> bool {
        let number = self.tossed;
        assert!(number >> COIN_BITS == 0, "an amoebot tosses at most {} coins in a half", 1 << COIN_BITS);
        self.tossed += 1;
        match &mut self.coins {
            HalfCoins::Keyed(stream) => {
                let index = u64::from(self.amoebot) << COIN_BITS | u64::from(number);
                // The highest bit of a word.
                stream.word(index) >> 63 == 1
            }
            HalfCoins::Listed { coins, used, exhausted } => {
                let coin = coins.get(**used).copied();
                **used += usize::from(coin.is_some());
                **exhausted |= coin.is_none();
                coin.unwrap_or(false)
            }
        }
    }
}
