//! What can be written for an algorithm: names of variables as text, values as words, numbers and flags.
//!
//! The types have names for variables and values; what runs has positions instead.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::model::body::End;
use crate::model::lattice::Rotation;

/// An algorithm as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenAlgorithm {
    /// What it is called in a report.
    pub title: String,
    /// What an amoebot remembers, all of it public: at most [`VARIABLES_MAX`](super::algorithm::VARIABLES_MAX) variables.
    pub variables: BTreeMap<String, Domain>,
    /// The variable that is counted and colours pictures: of at most eight values.
    pub shown: String,
    /// The values of it in which an amoebot has done its part, if most end there: the share of those who have one of them is how
    /// far a run is.
    #[serde(default)]
    pub settled: Vec<Literal>,
    /// The variables with arrows in pictures.
    #[serde(default)]
    pub arrows: Arrows,
    /// What one of the amoebots starts with, if one is special; what is not named starts as everywhere.
    #[serde(default)]
    pub seed: BTreeMap<String, Literal>,
    /// What the algorithm asks of its starts, which are connected always.
    #[serde(default)]
    pub asks: Vec<Asked>,
    /// Conditions by name: each measure is the number of amoebots for which one holds. At most
    /// [`MEASURES_MAX`](super::algorithm::MEASURES_MAX).
    #[serde(default)]
    pub measures: BTreeMap<String, Condition>,
    /// The actions.
    pub actions: Vec<WrittenAction>,
    /// Which of several enabled actions is executed.
    #[serde(default)]
    pub order: WrittenOrder,
    /// When the algorithm has done what it is for.
    pub goal: Goal,
}

/// The values of a variable; it starts with the first.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Domain {
    /// These words.
    OneOf(Vec<String>),
    /// `false`, `true`.
    Flag,
    /// 0 to this number.
    UpTo(u8),
    /// `"none"`, or a port: one of the head is written as its label, 1 to 6, one of the tail as `"tail 1"` to `"tail 6"`.
    Port,
}

/// Which variables are drawn as arrows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Arrows {
    /// To the one that it follows.
    pub parent: Option<String>,
    /// Where it goes next.
    pub direction: Option<String>,
}

/// What a start must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Asked {
    /// No hole.
    NoHoles,
    /// All count their ports the same way round.
    CommonChirality,
    /// An object beside one of them at least.
    Object,
}

/// Which of several enabled actions is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub enum WrittenOrder {
    /// The first of the list.
    #[default]
    AsListed,
    /// Any: the schedule decides.
    Any,
}

/// An action: its label, when it is enabled, what it does then.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenAction {
    /// Its name in traces.
    pub label: String,
    /// Whether it stands for six actions, one for each port of the head, which is `Here` in them.
    #[serde(default)]
    pub at_each_port: bool,
    /// Its guard.
    pub when: Condition,
    /// Its effects.
    pub then: Vec<Effect>,
}

/// The goal.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// What holds for every amoebot.
    pub every: Condition,
    /// How many amoebots have which value of the variable that is shown.
    #[serde(default)]
    pub exactly: BTreeMap<String, u64>,
}

/// What holds for an amoebot.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Condition<V = String, X = Literal> {
    /// All of these.
    All(Vec<Self>),
    /// One of these at least.
    Any(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// The variable has this value.
    Is(V, X),
    /// The variable has one of these values.
    In(V, Vec<X>),
    /// It is on one node.
    Contracted,
    /// It is on two nodes.
    Expanded,
    /// Some neighbour is so.
    AnyNeighbour(Neighbourly<V, X>),
    /// Every neighbour is so.
    EveryNeighbour(Neighbourly<V, X>),
    /// No neighbour is so.
    NoNeighbour(Neighbourly<V, X>),
    /// Some neighbour at a port of this end is so.
    AnyAt(Side, Neighbourly<V, X>),
    /// The ports of the head that lead to neighbours who are so form this many arcs; none if all six do.
    Arcs(u8, Neighbourly<V, X>),
    /// What is at a port; false if there is no such port.
    At(PortTerm<V, X>, Spot<V, X>),
}

/// What holds for a neighbour.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Neighbourly<V = String, X = Literal> {
    /// Whoever it is.
    Somebody,
    /// All of these.
    All(Vec<Self>),
    /// One of these at least.
    Any(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// Its variable has this value.
    Is(V, X),
    /// Its variable has one of these values.
    In(V, Vec<X>),
    /// It is on one node.
    Contracted,
    /// It is on two nodes.
    Expanded,
    /// The port in its variable leads here.
    PointsHere(V),
    /// The port in its variable leads to this end of the amoebot.
    PointsAt(V, Side),
}

/// What is at a port.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Spot<V = String, X = Literal> {
    /// No amoebot, and no object.
    Free,
    /// An object.
    Object,
    /// A neighbour who is so.
    Neighbour(Neighbourly<V, X>),
    /// No neighbour who is so.
    NoNeighbour(Neighbourly<V, X>),
}

/// A port of the amoebot.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum PortTerm<V = String, X = Literal> {
    /// That of an action at each port.
    Here,
    /// The one of the head with this label, 1 to 6.
    Label(u8),
    /// That in a variable.
    Variable(V),
    /// The first port of an end at which this is.
    First(Side, Spot<V, X>),
    /// From a port on, turning, the first port at which this is; the port itself counts.
    Turn(Box<Self>, Turning, Spot<V, X>),
    /// So many labels further counter-clockwise, in the amoebot's own labels.
    Turned(Box<Self>, u8),
}

/// One end of the amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Side {
    /// The head, or the only node.
    Head,
    /// The tail of an expanded one.
    Tail,
}

/// A way round, in the amoebot's own labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Turning {
    /// Against the labels.
    Clockwise,
    /// With the labels.
    Counterclockwise,
}

/// What an action does.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Effect<V = String, X = Literal> {
    /// Its variable becomes this value.
    Write(V, X),
    /// Its variable becomes this port.
    WritePort(V, PortTerm<V, X>),
    /// The variable of the neighbour at a port becomes this value.
    WriteAt(PortTerm<V, X>, V, X),
    /// The variable of the neighbour at a port becomes the port by which that one leads here: once it is pulled, if the
    /// action pulls it.
    PointBack(PortTerm<V, X>, V),
    /// Expands.
    Expand(PortTerm<V, X>),
    /// Leaves this end.
    Contract(Side),
    /// Contracts, and the contracted neighbour at the port expands into the node.
    Pull(PortTerm<V, X>),
    /// Expands into the node of the expanded neighbour at the port, who contracts.
    Push(PortTerm<V, X>),
    /// These, if this holds.
    When(Condition<V, X>, Vec<Self>),
}

/// A value as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Literal {
    /// A word; `"none"` of a port.
    Word(String),
    /// `true` or `false`.
    Flag(bool),
    /// A number, or the label of a port.
    Number(u8),
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{word:?}"),
            Self::Flag(flag) => flag.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyLiteral;

        impl Visitor<'_> for AnyLiteral {
            type Value = Literal;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word in double quotes, true, false, or a number from 0 to 255")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Literal, E> {
                Ok(Literal::Word(word.to_owned()))
            }

            fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Literal, E> {
                Ok(Literal::Flag(flag))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Literal, E> {
                let small = u8::try_from(number).map(Literal::Number);
                small.map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Literal, E> {
                let small = u8::try_from(number).map(Literal::Number);
                small.map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
            }
        }

        deserializer.deserialize_any(AnyLiteral)
    }
}

impl From<Side> for End {
    fn from(side: Side) -> Self {
        match side {
            Side::Head => Self::Head,
            Side::Tail => Self::Tail,
        }
    }
}

impl From<Turning> for Rotation {
    fn from(way: Turning) -> Self {
        match way {
            Turning::Clockwise => Self::Clockwise,
            Turning::Counterclockwise => Self::Counterclockwise,
        }
    }
}
