//! Resolution of names to positions, and the checks of effects at their places.

use std::collections::BTreeMap;

use acrasin_amoebot::library::table::algorithm::AlgorithmTableError;
use acrasin_amoebot::library::table::written::{Domain, Literal};

use super::written::{CircuitCondition, CircuitEffect, PinGroup, WrittenRound};

type CircuitTableResult<T> = Result<T, AlgorithmTableError>;

/// A list of effects in a round.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RoundPart {
    Movement,
    Send,
    Receive,
    /// The goal, which has a condition only.
    Goal,
}

/// The maximum number of coins of a list of effects: an amoebot tosses at most 16 in a half.
const TOSSES_MAX: usize = 16;

/// Resolves names at one place of the table, which errors report.
pub(super) struct TableResolver<'a> {
    pub(super) variables: &'a BTreeMap<String, Domain>,
    pub(super) sets: &'a [String],
    pub(super) rounds: &'a [WrittenRound],
    pub(super) pins: u8,
    pub(super) part: RoundPart,
    pub(super) path: String,
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    if names.is_empty() { "none are defined".to_owned() } else { names.join(", ") }
}

impl TableResolver<'_> {
    fn refused(&self, message: impl Into<String>, accepted: impl Into<String>) -> AlgorithmTableError {
        AlgorithmTableError::at(self.path.clone(), message, accepted)
    }

    pub(super) fn variable(&self, name: &str) -> CircuitTableResult<(usize, &Domain)> {
        let found = self.variables.iter().position(|(known, _)| known == name);
        let position = found.ok_or_else(|| {
            self.refused(format!("there is no variable {name:?}"), listed(self.variables.keys()))
        })?;
        Ok((position, &self.variables[name]))
    }

    pub(super) fn value(&self, name: &str, literal: &Literal) -> CircuitTableResult<(usize, u8)> {
        let (position, domain) = self.variable(name)?;
        let number = domain.number(literal).ok_or_else(|| {
            self.refused(format!("variable {name:?} has no value {literal}"), domain.accepted())
        })?;
        Ok((position, number))
    }

    fn flag(&self, name: &str) -> CircuitTableResult<usize> {
        match self.variable(name)? {
            (position, Domain::Flag) => Ok(position),
            _ => Err(self.refused(format!("variable {name:?} is not a flag"), "a variable of the kind Flag")),
        }
    }

    fn set(&self, name: &str) -> CircuitTableResult<usize> {
        let found = self.sets.iter().position(|known| known == name);
        found.ok_or_else(|| self.refused(format!("there is no set {name:?}"), listed(self.sets.iter())))
    }

    fn label(&self, label: u8) -> CircuitTableResult<u8> {
        if (1..=6).contains(&label) {
            Ok(label)
        } else {
            Err(self.refused(format!("label {label}"), "1 to 6"))
        }
    }

    fn pin(&self, index: u8) -> CircuitTableResult<u8> {
        let pins = self.pins;
        match index {
            _ if index < pins => Ok(index),
            _ if pins == 0 => Err(self.refused(format!("pin {index} of edges without pins"), "no pins")),
            _ => Err(self.refused(format!("pin {index} of {pins}"), format!("0 to {}", pins - 1))),
        }
    }

    pub(super) fn condition(
        &self,
        written: &CircuitCondition,
    ) -> CircuitTableResult<CircuitCondition<usize, u8>> {
        let each = |all: &[CircuitCondition]| {
            all.iter().map(|one| self.condition(one)).collect::<CircuitTableResult<Vec<_>>>()
        };
        Ok(match written {
            CircuitCondition::All(all) => CircuitCondition::All(each(all)?),
            CircuitCondition::Any(any) => CircuitCondition::Any(each(any)?),
            CircuitCondition::Not(not) => CircuitCondition::Not(Box::new(self.condition(not)?)),
            CircuitCondition::Is(name, literal) => {
                let (variable, value) = self.value(name, literal)?;
                CircuitCondition::Is(variable, value)
            }
            CircuitCondition::In(name, literals) => {
                let (variable, _) = self.variable(name)?;
                let values = literals.iter().map(|literal| Ok(self.value(name, literal)?.1));
                CircuitCondition::In(variable, values.collect::<CircuitTableResult<_>>()?)
            }
            CircuitCondition::Heard(_) if self.part != RoundPart::Receive => {
                return Err(
                    self.refused("beeps are heard in `receive` only", "All, Any, Not, Is, In, Neighbour")
                );
            }
            CircuitCondition::Heard(set) => CircuitCondition::Heard(self.set(set)?),
            CircuitCondition::Neighbour(_) if self.part == RoundPart::Goal => {
                return Err(self.refused("a goal is about variables", "All, Any, Not, Is, In"));
            }
            CircuitCondition::Neighbour(label) => CircuitCondition::Neighbour(self.label(*label)?),
        })
    }

    pub(super) fn effects(
        &self,
        written: &[CircuitEffect],
    ) -> CircuitTableResult<Vec<CircuitEffect<usize, u8>>> {
        let effects =
            written.iter().map(|effect| self.effect(effect)).collect::<CircuitTableResult<Vec<_>>>()?;
        let tosses = tosses(&effects);
        if tosses > TOSSES_MAX {
            return Err(self.refused(format!("{tosses} coins"), format!("up to {TOSSES_MAX} in a round")));
        }
        self.check_pins(&effects, &mut Vec::new())?;
        Ok(effects)
    }

    /// Checks that sets which are formed together name each pin once. Sets under different conditions are compared when
    /// the algorithm runs.
    fn check_pins(
        &self,
        effects: &[CircuitEffect<usize, u8>],
        named: &mut Vec<(u8, u8)>,
    ) -> CircuitTableResult<()> {
        for effect in effects {
            let groups = match effect {
                CircuitEffect::Join(_, groups) => groups,
                CircuitEffect::When(_, effects) => {
                    self.check_pins(effects, &mut named.clone())?;
                    continue;
                }
                _ => continue,
            };
            for (label, index) in groups.iter().flat_map(|group| group.head_pins(self.pins)) {
                if named.contains(&(label, index)) {
                    let message = format!("sets name pin {index} at label {label} twice");
                    return Err(self.refused(message, "each pin once"));
                }
                named.push((label, index));
            }
        }
        Ok(())
    }

    fn effect(&self, written: &CircuitEffect) -> CircuitTableResult<CircuitEffect<usize, u8>> {
        use CircuitEffect as E;
        let part = match written {
            E::Write(..) | E::Increment(_) | E::When(..) => self.part,
            E::Toss(_) | E::Join(..) | E::Beep(_) => RoundPart::Send,
            E::WriteHeard(..) | E::Go(_) | E::End => RoundPart::Receive,
            E::Expand(_) | E::Contract(_) | E::Push(_) | E::Pull(..) => RoundPart::Movement,
            E::Release(..) | E::ReleaseAll | E::Keep(..) | E::Mark(_) => RoundPart::Movement,
        };
        if part != self.part {
            let text = format!("{written:?}");
            let name = text.split('(').next().unwrap_or_default();
            let (here, accepted) = match self.part {
                RoundPart::Movement => {
                    ("movement", "Expand, Contract, Push, Pull, Release, ReleaseAll, Keep, Mark")
                }
                RoundPart::Send => ("send", "Toss, Join, Beep"),
                RoundPart::Receive | RoundPart::Goal => ("receive", "WriteHeard, Go, End"),
            };
            let accepted = format!("{accepted}, Write, Increment, When");
            return Err(self.refused(format!("{name} in `{here}`"), accepted));
        }
        Ok(match written {
            E::Write(name, literal) => {
                let (variable, value) = self.value(name, literal)?;
                E::Write(variable, value)
            }
            E::Increment(name) => match self.variable(name)? {
                (variable, Domain::UpTo(_)) => E::Increment(variable),
                _ => {
                    let message = format!("variable {name:?} is not a number");
                    return Err(self.refused(message, "a variable of the kind UpTo"));
                }
            },
            E::When(condition, effects) => {
                let effects = effects.iter().map(|effect| self.effect(effect));
                E::When(self.condition(condition)?, effects.collect::<CircuitTableResult<_>>()?)
            }
            E::Toss(name) => E::Toss(self.flag(name)?),
            E::Join(name, groups) => {
                for group in groups {
                    match *group {
                        PinGroup::All => {}
                        PinGroup::Lane(lane) if lane < self.pins.div_ceil(2) => {}
                        PinGroup::Lane(lane) => {
                            let lanes = self.pins.div_ceil(2);
                            let message = format!("lane {lane} of {lanes}");
                            return Err(
                                self.refused(message, "numbers from 0, below half the number of pins")
                            );
                        }
                        PinGroup::Edge(label) => drop(self.label(label)?),
                        PinGroup::Pin(label, index) | PinGroup::Opposite(label, index) => {
                            self.label(label)?;
                            self.pin(index)?;
                        }
                    }
                }
                E::Join(self.set(name)?, groups.clone())
            }
            E::Beep(name) => E::Beep(self.set(name)?),
            E::WriteHeard(name, set) => E::WriteHeard(self.flag(name)?, self.set(set)?),
            E::Go(name) => {
                let found = self.rounds.iter().position(|round| round.name == *name);
                E::Go(found.ok_or_else(|| {
                    let names = listed(self.rounds.iter().map(|round| &round.name));
                    self.refused(format!("there is no round {name:?}"), names)
                })?)
            }
            E::End => E::End,
            E::Expand(label) => E::Expand(self.label(*label)?),
            E::Contract(end) => E::Contract(*end),
            E::Push(label) => E::Push(self.label(*label)?),
            E::Pull(end, label) => E::Pull(*end, self.label(*label)?),
            E::Release(end, label) => E::Release(*end, self.label(*label)?),
            E::ReleaseAll => E::ReleaseAll,
            E::Keep(end, label) => E::Keep(*end, self.label(*label)?),
            E::Mark(label) => E::Mark(self.label(*label)?),
        })
    }
}

/// The number of coins that a list of effects tosses at most.
fn tosses(effects: &[CircuitEffect<usize, u8>]) -> usize {
    let of_one = |effect: &CircuitEffect<usize, u8>| match effect {
        CircuitEffect::Toss(_) => 1,
        CircuitEffect::When(_, effects) => tosses(effects),
        _ => 0,
    };
    effects.iter().map(of_one).sum()
}

impl PinGroup {
    /// The pins of the head in this group as labels and numbers, each once.
    pub(super) fn head_pins(self, pins: u8) -> Vec<(u8, u8)> {
        let edge = |label: u8| (0..pins).map(move |index| (label, index));
        match self {
            Self::All => (1..=6).flat_map(edge).collect(),
            Self::Lane(lane) => {
                let mut indices = vec![lane, pins - 1 - lane];
                indices.dedup();
                (1..=6).flat_map(|label| indices.iter().map(move |index| (label, *index))).collect()
            }
            Self::Edge(label) => edge(label).collect(),
            Self::Pin(label, index) => vec![(label, index)],
            Self::Opposite(label, index) => vec![(label, pins - 1 - index)],
        }
    }

    /// Whether the group has the corresponding pins of the tail as well.
    pub(super) fn is_of_every_edge(self) -> bool {
        matches!(self, Self::All | Self::Lane(_))
    }
}

/// The names of the sets that the rounds join, each once, in the order of the text.
pub(super) fn set_names(rounds: &[WrittenRound]) -> Vec<String> {
    fn collect(effects: &[CircuitEffect], names: &mut Vec<String>) {
        for effect in effects {
            match effect {
                CircuitEffect::Join(name, _) if !names.contains(name) => names.push(name.clone()),
                CircuitEffect::When(_, effects) => collect(effects, names),
                _ => {}
            }
        }
    }
    let mut names = Vec::new();
    rounds.iter().for_each(|round| collect(&round.send, &mut names));
    names
}
