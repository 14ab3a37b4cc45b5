//! Resolution of names to positions.

use std::collections::BTreeMap;

use super::written::{Domain, Literal, Neighbourly, PortTerm, Spot, TableCondition, TableEffect};

/// The error of an invalid table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path}: {message} (accepted: {accepted})")]
pub struct AlgorithmTableError {
    path: String,
    message: String,
    accepted: String,
}

impl AlgorithmTableError {
    /// An error at a place of a table, with the accepted values.
    pub fn at(path: impl Into<String>, message: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), accepted: accepted.into() }
    }

    /// The place in the table, such as `actions[2].when`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The problem in words, without its place in the table.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The accepted values.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.accepted
    }
}

/// The number of values of a port variable: six head ports, six tail ports and "none".
pub(super) const PORTS: u8 = 13;

impl Domain {
    /// The number of values.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::OneOf(words) => words.len(),
            Self::Flag => 2,
            Self::UpTo(most) => usize::from(*most) + 1,
            Self::Port => usize::from(PORTS),
        }
    }

    /// The text of a value.
    ///
    /// # Panics
    ///
    /// The value is not in the domain.
    #[must_use]
    pub fn word(&self, value: u8) -> String {
        match self {
            Self::OneOf(words) => words[usize::from(value)].clone(),
            Self::Flag => (value == 1).to_string(),
            Self::UpTo(_) => value.to_string(),
            Self::Port if value == 0 => "none".to_owned(),
            Self::Port if value <= 6 => value.to_string(),
            Self::Port => format!("tail {}", value - 6),
        }
    }

    /// The number of a value; `None` if it is not in the domain.
    #[must_use]
    pub fn number(&self, literal: &Literal) -> Option<u8> {
        match (self, literal) {
            (Self::OneOf(words), Literal::Word(word)) => {
                words.iter().position(|known| known == word).and_then(|at| u8::try_from(at).ok())
            }
            (Self::Flag, Literal::Flag(flag)) => Some(u8::from(*flag)),
            (Self::UpTo(most), Literal::Number(number)) => (number <= most).then_some(*number),
            (Self::Port, Literal::Number(label)) => (1..=6).contains(label).then_some(*label),
            (Self::Port, Literal::Word(word)) if word == "none" => Some(0),
            (Self::Port, Literal::Word(word)) => {
                let label: u8 = word.strip_prefix("tail ")?.parse().ok()?;
                (1..=6).contains(&label).then_some(label + 6)
            }
            _ => None,
        }
    }

    /// The mistake in the list of values, and what is accepted; `None` if the list is valid.
    #[must_use]
    pub fn mistake(&self) -> Option<(String, &'static str)> {
        let Self::OneOf(words) = self else { return None };
        if !(1..=usize::from(u8::MAX)).contains(&words.len()) {
            return Some((format!("{} values", words.len()), "1 to 255"));
        }
        let mut words = words.iter().enumerate().map(|(at, word)| (&words[..at], word));
        let (_, word) = words.find(|(before, word)| before.contains(word))?;
        Some((format!("value {word:?} is listed twice"), "each value once"))
    }

    /// The accepted values in words, for errors.
    #[must_use]
    pub fn accepted(&self) -> String {
        match self {
            Self::OneOf(words) => words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", "),
            Self::Flag => "true, false".to_owned(),
            Self::UpTo(most) => format!("0 to {most}"),
            Self::Port => "\"none\", 1 to 6, \"tail 1\" to \"tail 6\"".to_owned(),
        }
    }
}

/// Resolves names at one place of the table, which errors report.
pub(super) struct Resolver<'a> {
    pub(super) variables: &'a BTreeMap<String, Domain>,
    pub(super) path: String,
    /// The label of `Here` in an action with `at_each_port`; `None` elsewhere.
    pub(super) here: Option<u8>,
}

type TableResult<T> = Result<T, AlgorithmTableError>;

impl<'a> Resolver<'a> {
    fn refused(&self, message: impl Into<String>, accepted: impl Into<String>) -> AlgorithmTableError {
        AlgorithmTableError::at(self.path.clone(), message, accepted)
    }

    pub(super) fn variable(&self, name: &str) -> TableResult<(usize, &'a Domain)> {
        let found = self.variables.iter().position(|(known, _)| known == name);
        let position = found.ok_or_else(|| {
            let known: Vec<&str> = self.variables.keys().map(String::as_str).collect();
            self.refused(format!("there is no variable {name:?}"), known.join(", "))
        })?;
        Ok((position, &self.variables[name]))
    }

    pub(super) fn port_variable(&self, name: &str) -> TableResult<usize> {
        let (position, domain) = self.variable(name)?;
        if *domain != Domain::Port {
            return Err(
                self.refused(format!("variable {name:?} is not a port"), "a variable of the kind Port")
            );
        }
        Ok(position)
    }

    pub(super) fn value(&self, name: &str, literal: &Literal) -> TableResult<(usize, u8)> {
        let (position, domain) = self.variable(name)?;
        let number = domain.number(literal).ok_or_else(|| {
            self.refused(format!("variable {name:?} has no value {literal}"), domain.accepted())
        })?;
        Ok((position, number))
    }

    fn values(&self, name: &str, literals: &[Literal]) -> TableResult<(usize, Vec<u8>)> {
        let (position, _) = self.variable(name)?;
        let numbers = literals.iter().map(|literal| Ok(self.value(name, literal)?.1));
        Ok((position, numbers.collect::<TableResult<_>>()?))
    }

    pub(super) fn condition(&self, written: &TableCondition) -> TableResult<TableCondition<usize, u8>> {
        let each =
            |all: &[TableCondition]| all.iter().map(|one| self.condition(one)).collect::<TableResult<_>>();
        Ok(match written {
            TableCondition::All(all) => TableCondition::All(each(all)?),
            TableCondition::Any(any) => TableCondition::Any(each(any)?),
            TableCondition::Not(not) => TableCondition::Not(Box::new(self.condition(not)?)),
            TableCondition::Is(name, literal) => {
                let (variable, value) = self.value(name, literal)?;
                TableCondition::Is(variable, value)
            }
            TableCondition::In(name, literals) => {
                let (variable, values) = self.values(name, literals)?;
                TableCondition::In(variable, values)
            }
            TableCondition::Contracted => TableCondition::Contracted,
            TableCondition::Expanded => TableCondition::Expanded,
            TableCondition::AnyNeighbour(of) => TableCondition::AnyNeighbour(self.neighbourly(of)?),
            TableCondition::EveryNeighbour(of) => TableCondition::EveryNeighbour(self.neighbourly(of)?),
            TableCondition::NoNeighbour(of) => TableCondition::NoNeighbour(self.neighbourly(of)?),
            TableCondition::AnyAt(side, of) => TableCondition::AnyAt(*side, self.neighbourly(of)?),
            TableCondition::Arcs(count, of) => TableCondition::Arcs(*count, self.neighbourly(of)?),
            TableCondition::At(port, spot) => TableCondition::At(self.port(port)?, self.spot(spot)?),
        })
    }

    fn neighbourly(&self, written: &Neighbourly) -> TableResult<Neighbourly<usize, u8>> {
        let each =
            |all: &[Neighbourly]| all.iter().map(|one| self.neighbourly(one)).collect::<TableResult<_>>();
        Ok(match written {
            Neighbourly::Somebody => Neighbourly::Somebody,
            Neighbourly::All(all) => Neighbourly::All(each(all)?),
            Neighbourly::Any(any) => Neighbourly::Any(each(any)?),
            Neighbourly::Not(not) => Neighbourly::Not(Box::new(self.neighbourly(not)?)),
            Neighbourly::Is(name, literal) => {
                let (variable, value) = self.value(name, literal)?;
                Neighbourly::Is(variable, value)
            }
            Neighbourly::In(name, literals) => {
                let (variable, values) = self.values(name, literals)?;
                Neighbourly::In(variable, values)
            }
            Neighbourly::Contracted => Neighbourly::Contracted,
            Neighbourly::Expanded => Neighbourly::Expanded,
            Neighbourly::PointsHere(name) => Neighbourly::PointsHere(self.port_variable(name)?),
            Neighbourly::PointsAt(name, side) => Neighbourly::PointsAt(self.port_variable(name)?, *side),
        })
    }

    fn spot(&self, written: &Spot) -> TableResult<Spot<usize, u8>> {
        Ok(match written {
            Spot::Free => Spot::Free,
            Spot::Object => Spot::Object,
            Spot::Neighbour(of) => Spot::Neighbour(self.neighbourly(of)?),
            Spot::NoNeighbour(of) => Spot::NoNeighbour(self.neighbourly(of)?),
        })
    }

    fn label(&self, label: u8) -> TableResult<u8> {
        if (1..=6).contains(&label) {
            Ok(label)
        } else {
            Err(self.refused(format!("label {label}"), "1 to 6"))
        }
    }

    fn port(&self, written: &PortTerm) -> TableResult<PortTerm<usize, u8>> {
        Ok(match written {
            PortTerm::Here => PortTerm::Label(self.here.ok_or_else(|| {
                self.refused(
                    "`Here` in an action that is not at each port",
                    "at_each_port: true, or another port",
                )
            })?),
            PortTerm::Label(label) => PortTerm::Label(self.label(*label)?),
            PortTerm::Variable(name) => PortTerm::Variable(self.port_variable(name)?),
            PortTerm::First(side, spot) => PortTerm::First(*side, self.spot(spot)?),
            PortTerm::Turn(from, way, spot) => {
                PortTerm::Turn(Box::new(self.port(from)?), *way, self.spot(spot)?)
            }
            PortTerm::Turned(from, labels) => PortTerm::Turned(Box::new(self.port(from)?), labels % 6),
        })
    }

    pub(super) fn effects(&self, written: &[TableEffect]) -> TableResult<Vec<TableEffect<usize, u8>>> {
        written.iter().map(|effect| self.effect(effect)).collect()
    }

    fn effect(&self, written: &TableEffect) -> TableResult<TableEffect<usize, u8>> {
        Ok(match written {
            TableEffect::Write(name, literal) => {
                let (variable, value) = self.value(name, literal)?;
                TableEffect::Write(variable, value)
            }
            TableEffect::WritePort(name, port) => {
                TableEffect::WritePort(self.port_variable(name)?, self.port(port)?)
            }
            TableEffect::WriteAt(port, name, literal) => {
                let (variable, value) = self.value(name, literal)?;
                TableEffect::WriteAt(self.port(port)?, variable, value)
            }
            TableEffect::PointBack(port, name) => {
                TableEffect::PointBack(self.port(port)?, self.port_variable(name)?)
            }
            TableEffect::Expand(port) => TableEffect::Expand(self.port(port)?),
            TableEffect::Contract(side) => TableEffect::Contract(*side),
            TableEffect::Pull(port) => TableEffect::Pull(self.port(port)?),
            TableEffect::Push(port) => TableEffect::Push(self.port(port)?),
            TableEffect::When(condition, effects) => {
                TableEffect::When(self.condition(condition)?, self.effects(effects)?)
            }
        })
    }
}
