//! Entries of elections, consensus, and agreement on frames.

use acrasin_amoebot::algorithm::description::AlgorithmFigure;
use acrasin_amoebot::library::entry::{AlgorithmEntry, Needs};
use acrasin_amoebot::library::parameter::{Parameter, ParameterKind};

use super::described::{PINS, PreparedAlgorithm, described, pins, small};
use crate::library::{CircuitChirality, CircuitCompass, Consensus, Election, FastElection};
use crate::process::CircuitResult;

/// The default number of repetitions of an election. With fewer repetitions the election is more likely to end with two
/// leaders, especially among few amoebots.
const REPETITIONS: u32 = 10;

pub(super) fn leaders(count: usize) -> CircuitResult {
    let figures = vec![AlgorithmFigure::count("leaders", "leaders", count as u64)];
    CircuitResult { is_right: count == 1, figures }
}

pub(super) const ELECTION: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitElection",
    title: "leader election on circuits",
    summary: "circuits: leader election by coins",
    parameters: &[
        Parameter::optional(
            "repetitions",
            ParameterKind::Count,
            "repetitions after the first phase; 10 by default",
        ),
        Parameter::optional(
            "lanes",
            ParameterKind::Word(&["One", "Four"]),
            "two rounds per toss, or one round with 7 pins",
        ),
        PINS,
    ],
    needs: Needs::NOTHING,
    read: |values| {
        let repetitions = small(values, "repetitions", 0, REPETITIONS)?;
        if values.word("lanes") == Some("Four") {
            return Ok(described(ELECTION.title, pins(values, 7)?, move |_, _| {
                Ok(PreparedAlgorithm {
                    algorithm: FastElection { repetitions },
                    oracle: Box::new(|run| {
                        leaders(run.memories().iter().filter(|amoebot| amoebot.is_candidate).count())
                    }),
                })
            }));
        }
        Ok(described(ELECTION.title, pins(values, 1)?, move |_, _| {
            Ok(PreparedAlgorithm {
                algorithm: Election { repetitions },
                oracle: Box::new(|run| {
                    leaders(run.memories().iter().filter(|amoebot| amoebot.is_candidate).count())
                }),
            })
        }))
    },
};

pub(super) const CONSENSUS: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitConsensus",
    title: "consensus on circuits",
    summary: "circuits: consensus on 1 if some amoebot starts with 1, otherwise on 0, in one round",
    parameters: &[
        Parameter::optional(
            "ones",
            ParameterKind::Counts,
            "amoebots that start with 1, by their indices; none by default",
        ),
        PINS,
    ],
    needs: Needs::NOTHING,
    read: |values| {
        let ones = values.counts("ones").unwrap_or_default().to_vec();
        Ok(described(CONSENSUS.title, pins(values, 3)?, move |structure, _| {
            let mut inputs = vec![false; structure.amoebots()];
            for one in &ones {
                let input = usize::try_from(*one).ok().and_then(|one| inputs.get_mut(one));
                *input.ok_or_else(|| {
                    format!(
                        "ones: amoebot {one} of {} (accepted: numbers from 0, below the number of amoebots)",
                        structure.amoebots()
                    )
                })? = true;
            }
            let expected = Some(!ones.is_empty());
            Ok(PreparedAlgorithm {
                algorithm: Consensus { values: inputs },
                oracle: Box::new(move |run| {
                    let decision = run.memories()[0].decision.unwrap_or(false);
                    let is_right = run.memories().iter().all(|amoebot| amoebot.decision == expected);
                    let figures = vec![AlgorithmFigure::flag("decision", "decision", decision)];
                    CircuitResult { is_right, figures }
                }),
            })
        }))
    },
};

pub(super) const CHIRALITY: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitChirality",
    title: "chirality agreement on circuits",
    summary: "circuits: amoebots agree on a sense of rotation",
    parameters: &[PINS],
    needs: Needs::NOTHING,
    read: |values| {
        Ok(described(CHIRALITY.title, pins(values, 2)?, |_, _| {
            Ok(PreparedAlgorithm {
                algorithm: CircuitChirality,
                oracle: Box::new(|run| {
                    let first = run.memories()[0].is_mirrored();
                    let is_right = run.memories().iter().all(|amoebot| amoebot.is_mirrored() == first);
                    CircuitResult { is_right, figures: Vec::new() }
                }),
            })
        }))
    },
};

pub(super) const COMPASS: AlgorithmEntry = AlgorithmEntry {
    name: "CircuitCompass",
    title: "compass alignment on circuits",
    summary: "circuits: amoebots of one chirality agree on which direction has label 1",
    parameters: &[PINS],
    needs: Needs::NOTHING,
    read: |values| {
        Ok(described(COMPASS.title, pins(values, 2)?, |_, _| {
            Ok(PreparedAlgorithm {
                algorithm: CircuitCompass,
                oracle: Box::new(|run| {
                    let first = run.memories()[0].first();
                    let is_right = run.memories().iter().all(|amoebot| amoebot.first() == first);
                    CircuitResult { is_right, figures: Vec::new() }
                }),
            })
        }))
    },
};
