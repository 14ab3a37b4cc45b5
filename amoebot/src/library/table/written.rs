//! Tables as they are written: names of variables as text, values as words, numbers and flags.
//!
//! The types are generic over names and values: the running algorithm uses positions instead.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::model::body::End;
use crate::model::lattice::Rotation;

/// An algorithm in its written form.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenAlgorithm {
    /// The name in reports.
    pub title: String,
    /// The variables of an amoebot, all of them public: at most
    /// [`VARIABLES_MAX`](super::algorithm::VARIABLES_MAX).
    pub variables: BTreeMap<String, Domain>,
    /// The variable that counts and the colours of pictures show. It has at most eight values.
    pub shown: String,
    /// The values of the shown variable with which an amoebot has finished, if most amoebots end with one of them. The
    /// share of finished amoebots measures the progress of a run.
    #[serde(default)]
    pub settled: Vec<Literal>,
    /// The variables drawn as arrows in pictures.
    #[serde(default)]
    pub arrows: Arrows,
    /// The initial values of the seed, if there is one. The seed's other variables start like those of all amoebots.
    #[serde(default)]
    pub seed: BTreeMap<String, Literal>,
    /// The conditions that a start must satisfy, in addition to being connected.
    #[serde(default)]
    pub asks: Vec<StartCondition>,
    /// Conditions by name: each measure is the number of amoebots that satisfy its condition. At most
    /// [`MEASURES_MAX`](super::algorithm::MEASURES_MAX).
    #[serde(default)]
    pub measures: BTreeMap<String, TableCondition>,
    /// The actions. Their order matters with [`WrittenOrder::AsListed`].
    pub actions: Vec<WrittenAction>,
    /// The choice among several enabled actions.
    #[serde(default)]
    pub order: WrittenOrder,
    /// The goal of the algorithm.
    pub goal: TableGoal,
}

/// The values of a variable; the first one is the initial value.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Domain {
    /// The variable is one of these words.
    OneOf(Vec<String>),
    /// The variable is `false` or `true`.
    Flag,
    /// The variable is a number from 0 to this one.
    UpTo(u8),
    /// The variable is `"none"` or a port: a head port is written as its label, 1 to 6, a tail port as `"tail 1"` to
    /// `"tail 6"`.
    Port,
}

/// The variables drawn as arrows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Arrows {
    /// The arrow to the parent.
    pub parent: Option<String>,
    /// The arrow in the direction of the next step.
    pub direction: Option<String>,
}

/// A condition that a start must satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum StartCondition {
    /// The amoebots enclose no holes.
    NoHoles,
    /// All amoebots count their ports in the same sense of rotation.
    CommonChirality,
    /// There is an object with at least one amoebot next to it.
    Object,
}

/// The choice among several enabled actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub enum WrittenOrder {
    /// The first enabled action in the list.
    #[default]
    AsListed,
    /// Any enabled action; the schedule decides.
    Any,
}

/// An action: its label, its guard, and its effects.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenAction {
    /// The name in traces.
    pub label: String,
    /// Whether the entry stands for six actions, one for each head port. Conditions and effects call that port `Here`.
    #[serde(default)]
    pub at_each_port: bool,
    /// The guard of the action.
    pub when: TableCondition,
    /// The effects of the action.
    pub then: Vec<TableEffect>,
}

/// The condition on a final system.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Goal")]
pub struct TableGoal {
    /// The condition that every amoebot must satisfy.
    pub every: TableCondition,
    /// The exact number of amoebots that must have a value of the shown variable, by value.
    #[serde(default)]
    pub exactly: BTreeMap<String, u64>,
}

/// A condition on an amoebot.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum TableCondition<V = String, X = Literal> {
    /// All of these conditions hold.
    All(Vec<Self>),
    /// At least one of these conditions holds.
    Any(Vec<Self>),
    /// This condition does not hold.
    Not(Box<Self>),
    /// The variable has this value.
    Is(V, X),
    /// The variable has one of these values.
    In(V, Vec<X>),
    /// The amoebot occupies one node.
    Contracted,
    /// The amoebot occupies two nodes.
    Expanded,
    /// Some neighbour satisfies this condition.
    AnyNeighbour(Neighbourly<V, X>),
    /// Every neighbour satisfies this condition.
    EveryNeighbour(Neighbourly<V, X>),
    /// No neighbour satisfies this condition.
    NoNeighbour(Neighbourly<V, X>),
    /// Some neighbour at a port of this end satisfies this condition.
    AnyAt(AmoebotEnd, Neighbourly<V, X>),
    /// The head ports to neighbours that satisfy this condition form this many arcs. If all six neighbours satisfy it,
    /// there is no arc.
    Arcs(u8, Neighbourly<V, X>),
    /// The node at a port has this content; false if there is no such port.
    At(PortTerm<V, X>, Spot<V, X>),
}

/// A condition on a neighbour.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Neighbourly<V = String, X = Literal> {
    /// Any neighbour.
    Somebody,
    /// All of these conditions hold.
    All(Vec<Self>),
    /// At least one of these conditions holds.
    Any(Vec<Self>),
    /// This condition does not hold.
    Not(Box<Self>),
    /// The neighbour's variable has this value.
    Is(V, X),
    /// The neighbour's variable has one of these values.
    In(V, Vec<X>),
    /// The neighbour occupies one node.
    Contracted,
    /// The neighbour occupies two nodes.
    Expanded,
    /// The port in the neighbour's variable leads to the amoebot.
    PointsHere(V),
    /// The port in the neighbour's variable leads to this end of the amoebot.
    PointsAt(V, AmoebotEnd),
}

/// The content of the node at a port.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Spot<V = String, X = Literal> {
    /// No amoebot, and no object.
    Free,
    /// A cell of the object.
    Object,
    /// A neighbour that satisfies this condition.
    Neighbour(Neighbourly<V, X>),
    /// No neighbour that satisfies this condition; the node may be free.
    NoNeighbour(Neighbourly<V, X>),
}

/// A term for a port of the amoebot.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum PortTerm<V = String, X = Literal> {
    /// The port of this action, in actions with `at_each_port`.
    Here,
    /// The head port with this label, 1 to 6.
    Label(u8),
    /// The port in a variable.
    Variable(V),
    /// The first port of this end whose node has this content.
    First(AmoebotEnd, Spot<V, X>),
    /// The first port whose node has this content, turning from a port in this sense. The port itself is tried first.
    Turn(Box<Self>, Turning, Spot<V, X>),
    /// The port at the same end whose label is larger by this number, modulo 6.
    Turned(Box<Self>, u8),
}

/// An end of the amoebot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum AmoebotEnd {
    /// The head, or the only node.
    Head,
    /// The tail, if the amoebot is expanded.
    Tail,
}

/// A sense of rotation, in the amoebot's own labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum Turning {
    /// The labels descend.
    Clockwise,
    /// The labels ascend.
    Counterclockwise,
}

/// An effect of an action.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum TableEffect<V = String, X = Literal> {
    /// The amoebot's variable becomes this value.
    Write(V, X),
    /// The amoebot's variable becomes this port.
    WritePort(V, PortTerm<V, X>),
    /// The variable of the neighbour at a port becomes this value.
    WriteAt(PortTerm<V, X>, V, X),
    /// The variable of the neighbour at a port becomes the neighbour's port that leads back to the amoebot. If the
    /// action pulls the neighbour, this is the port after the pull.
    PointBack(PortTerm<V, X>, V),
    /// Expands into the node at the port.
    Expand(PortTerm<V, X>),
    /// Contracts: leaves the node of this end.
    Contract(AmoebotEnd),
    /// Contracts, and the contracted neighbour at the port expands into the node given up.
    Pull(PortTerm<V, X>),
    /// Expands into the node of the expanded neighbour at the port, which contracts.
    Push(PortTerm<V, X>),
    /// These effects, but only if the condition holds.
    When(TableCondition<V, X>, Vec<Self>),
}

/// A value of a variable as it is written in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Literal {
    /// A word, or `"none"` for a port.
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

impl From<AmoebotEnd> for End {
    fn from(side: AmoebotEnd) -> Self {
        match side {
            AmoebotEnd::Head => Self::Head,
            AmoebotEnd::Tail => Self::Tail,
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
