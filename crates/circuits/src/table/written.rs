//! Tables as they are written: names of variables, sets and rounds as text.
//!
//! Conditions and effects are generic over names and values: the running algorithm uses positions instead.

use std::collections::BTreeMap;

use acrasin_amoebot::library::table::written::{AmoebotEnd, Domain, Literal};
use serde::{Deserialize, Serialize};

/// An algorithm on circuits in its written form.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenCircuitAlgorithm {
    /// The name in reports.
    pub title: String,
    /// The number of pins on each side of an edge.
    pub pins: u8,
    /// The assumption about the frames of the amoebots.
    #[serde(default)]
    pub frame: FrameText,
    /// The variables of an amoebot: at most 8, of the kinds `OneOf`, `Flag`, `UpTo`.
    pub variables: BTreeMap<String, Domain>,
    /// The variable that counts and the colours of pictures show.
    pub shown: String,
    /// The initial values of the seed, if there is one.
    #[serde(default)]
    pub seed: BTreeMap<String, Literal>,
    /// The rounds. The first one is executed first. After a round comes the next one of the list, unless an effect
    /// selects another one; after the last one the amoebot ends.
    pub rounds: Vec<WrittenRound>,
    /// The condition on the result.
    pub goal: CircuitGoal,
}

/// The assumption about the frames of the amoebots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub enum FrameText {
    /// Frames are arbitrary.
    #[default]
    Any,
    /// All amoebots have the same chirality.
    Chirality,
    /// All amoebots have the same frame.
    Common,
}

/// A round. Effects are executed in order, and later ones see the values that earlier ones have written.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenRound {
    /// The name of the round.
    pub name: String,
    /// The plan of the movement half. Without effects the round has no movement half.
    #[serde(default)]
    pub movement: Vec<CircuitEffect>,
    /// The plan of the beep half: sets and beeps.
    #[serde(default)]
    pub send: Vec<CircuitEffect>,
    /// The reaction to the beeps that are heard.
    #[serde(default)]
    pub receive: Vec<CircuitEffect>,
}

/// A condition on an amoebot.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum CircuitCondition<N = String, X = Literal> {
    /// All of these conditions hold.
    All(Vec<Self>),
    /// At least one of these conditions holds.
    Any(Vec<Self>),
    /// This condition does not hold.
    Not(Box<Self>),
    /// The variable has this value.
    Is(N, X),
    /// The variable has one of these values.
    In(N, Vec<X>),
    /// A beep is heard on this set. Only when beeps are received.
    Heard(N),
    /// An amoebot is adjacent to the head at this label.
    Neighbour(u8),
}

/// An effect.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum CircuitEffect<N = String, X = Literal> {
    /// The variable becomes this value.
    Write(N, X),
    /// The number in the variable increases by one, up to its maximum.
    Increment(N),
    /// These effects, if the condition holds.
    When(CircuitCondition<N, X>, Vec<Self>),
    /// Tosses a coin; the flag becomes true if the coin shows heads. Only in `send`.
    Toss(N),
    /// Joins pins into a set with this name. The first such effect of a round makes all pins single before; in a round
    /// without such an effect the amoebot keeps its sets. Only in `send`.
    Join(N, Vec<PinGroup>),
    /// Beeps on a set. Nothing is sent if the set was not joined. Only in `send`.
    Beep(N),
    /// Sets the flag to true if a beep is heard on the set, and to false otherwise. Only in `receive`.
    WriteHeard(N, N),
    /// Selects the next round; later effects of the list are not executed. Only in `receive`.
    Go(N),
    /// Ends the run of this amoebot; later effects of the list are not executed. Only in `receive`.
    End,
    /// Expands in the direction of this label. Of several movements the last one counts. Only in `movement`, like all
    /// following effects.
    Expand(u8),
    /// Contracts into the node of this end.
    Contract(AmoebotEnd),
    /// Takes over the node of the expanded amoebot at this label.
    Push(u8),
    /// Keeps this end, and gives the other end to the contracted amoebot at this label of the other end.
    Pull(AmoebotEnd, u8),
    /// Releases the bond at this end and label.
    Release(AmoebotEnd, u8),
    /// Releases all bonds except those that later effects keep.
    ReleaseAll,
    /// Keeps the bond at this end and label.
    Keep(AmoebotEnd, u8),
    /// Marks the bond at this label, so that the bond moves with the head of an expansion.
    Mark(u8),
}

/// Pins of an amoebot. Pins of an edge are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub enum PinGroup {
    /// All pins.
    All,
    /// The pins k and c - 1 - k of every edge. Lanes of all amoebots are separate circuits in any frames.
    Lane(u8),
    /// All pins of the head's edge with this label.
    Edge(u8),
    /// The pin of the head's edge with this label and number.
    Pin(u8, u8),
    /// The pin c - 1 - i of the head's edge with this label. A neighbour of the same chirality has it as pin i.
    Opposite(u8, u8),
}

/// The condition on the amoebots at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Goal")]
pub struct CircuitGoal {
    /// The condition that every amoebot must satisfy.
    pub every: CircuitCondition,
    /// The exact number of amoebots that must have a value of the shown variable, by value.
    #[serde(default)]
    pub exactly: BTreeMap<String, u64>,
}
