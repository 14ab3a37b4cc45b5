//! [`Losses`]: beeps that are sent but not received.

use std::collections::BTreeSet;

use acrasin_engine::{Draws, Purpose};

use crate::circuit::Circuits;

/// The rule that decides which beeps and messages are lost.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Losses {
    /// No beep is lost.
    #[default]
    None,
    /// Each set of each amoebot receives nothing in a round with this probability, not even a beep of the amoebot
    /// itself.
    PerSet {
        /// The probability, 0 to 1.
        probability: f64,
        /// The source of the draws that decide on losses.
        draws: Draws,
    },
    /// Each amoebot receives nothing in a round with this probability.
    PerAmoebot {
        /// The probability, 0 to 1.
        probability: f64,
        /// The source of the draws that decide on losses.
        draws: Draws,
    },
    /// These amoebots receive nothing in these rounds: pairs of round and amoebot, both from 0.
    Listed(BTreeSet<(u64, u32)>),
}

impl Losses {
    /// Removes the lost beeps and messages of a round.
    pub(crate) fn take(&self, round: u64, amoebots: usize, circuits: &mut Circuits) {
        let is_lost = |draws: &Draws, probability: f64, index: u64| {
            let word = draws.stream(Purpose::BeepLoss, round).word(index);
            // 53 bits of the word: the precision of a floating-point number.
            ((word >> 11) as f64) < probability * (1_u64 << 53) as f64
        };
        let mut lost = Vec::new();
        match self {
            Self::None => return,
            Self::PerSet { probability, draws } => {
                for amoebot in 0..amoebots {
                    for set in circuits.sets(amoebot) {
                        if is_lost(draws, *probability, (amoebot as u64) << 8 | u64::from(set.0)) {
                            lost.push((amoebot, set));
                        }
                    }
                }
            }
            Self::PerAmoebot { probability, draws } => {
                for amoebot in 0..amoebots {
                    if is_lost(draws, *probability, amoebot as u64) {
                        lost.extend(circuits.sets(amoebot).map(|set| (amoebot, set)));
                    }
                }
            }
            Self::Listed(pairs) => {
                for &(_, amoebot) in pairs.range((round, 0)..=(round, u32::MAX)) {
                    let amoebot = amoebot as usize;
                    if amoebot < amoebots {
                        lost.extend(circuits.sets(amoebot).map(|set| (amoebot, set)));
                    }
                }
            }
        }
        for (amoebot, set) in lost {
            circuits.lose(amoebot, set);
        }
    }
}
