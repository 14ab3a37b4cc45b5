//! A scenario as written: fields and types are checked, ranges are not.

use std::fmt;

use acrasin_runtime::exclusion::local::{Action, Local, Memory, Message, Phase, State};
use acrasin_runtime::{NodeId, Port, PortSet, PortsRef};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, Visitor};

use super::super::comparison::sort;
use super::super::object::JsonObject;
use super::one_of::OneOf;
use super::variant::RuleSetVariant;
use crate::words::{Elements, Reading, WrittenStep, read_message};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocalScenarioText {
    pub(super) id: String,
    #[serde(default, rename = "note", deserialize_with = "no_null")]
    _note: Option<String>,
    pub(super) variant: RuleSetVariant,
    pub(super) n: u32,
    pub(super) delta: u16,
    #[serde(rename = "K")]
    pub(super) priorities: u32,
    #[serde(default)]
    pub(super) pair: bool,
    pub(super) edges: Vec<(u32, u16, u32, u16)>,
    pub(super) steps: Vec<JsonObject<LocalStep>>,
    #[serde(rename = "final")]
    pub(super) end: JsonObject<Final>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocalStep {
    #[serde(rename = "do")]
    pub(super) written: WrittenStep<Local>,
    #[serde(default, deserialize_with = "no_null")]
    pub(super) sends: Option<Vec<LocalSent>>,
    #[serde(default, deserialize_with = "no_null")]
    pub(super) returns: Option<PortNumbers>,
    #[serde(default, deserialize_with = "no_null")]
    pub(super) misuse: Option<bool>,
    #[serde(default, deserialize_with = "no_null")]
    pub(super) enabled: Option<Vec<CheckAction>>,
    #[serde(default, deserialize_with = "no_null")]
    pub(super) node: Option<Box<JsonObject<LocalNode>>>,
    #[serde(default, rename = "D", deserialize_with = "no_null")]
    pub(super) detectors: Option<Vec<(u32, PortNumbers)>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Final {
    pub(super) nodes: Vec<JsonObject<LocalNode>>,
    pub(super) transit: Vec<InTransit>,
}

/// The memory of a node, and the ports in its detector that it has not read yet.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "the letters of Table 1, as in the file")]
pub(super) struct LocalNode {
    #[serde(deserialize_with = "present")]
    pub(super) lock: Option<u16>,
    pub(super) state: NodeState,
    pub(super) phase: NodePhase,
    pub(super) L: PortNumbers,
    pub(super) R: PortNumbers,
    pub(super) W: Set<(u16, bool)>,
    pub(super) H: PortNumbers,
    pub(super) A: PortNumbers,
    pub(super) C: PortNumbers,
    pub(super) P: Set<(u16, u32)>,
    pub(super) D: PortNumbers,
}

/// Reads a field that may be absent, but not null.
fn no_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads a field that may be null, but not absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    Option::deserialize(deserializer)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeState {
    Bot,
    Prepare,
    Compete,
    Win,
    Locked,
    Unlock,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodePhase {
    Bot,
    Prepare,
    Compete,
}

impl<'de> Deserialize<'de> for NodeState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OneOf(&[
            ("bot", Self::Bot),
            ("prepare", Self::Prepare),
            ("compete", Self::Compete),
            ("win", Self::Win),
            ("locked", Self::Locked),
            ("unlock", Self::Unlock),
        ]))
    }
}

impl NodeState {
    fn of(state: State) -> Self {
        match state {
            State::Idle => Self::Bot,
            State::Prepare => Self::Prepare,
            State::Compete => Self::Compete,
            State::Win => Self::Win,
            State::Locked => Self::Locked,
            State::Unlock => Self::Unlock,
        }
    }
}

impl<'de> Deserialize<'de> for NodePhase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OneOf(&[
            ("bot", Self::Bot),
            ("prepare", Self::Prepare),
            ("compete", Self::Compete),
        ]))
    }
}

impl NodePhase {
    fn of(phase: Phase) -> Self {
        match phase {
            Phase::Idle => Self::Bot,
            Phase::Prepare => Self::Prepare,
            Phase::Compete => Self::Compete,
        }
    }
}

impl LocalNode {
    /// Converts a node's memory and unread detector into the form of the file.
    pub(super) fn of(memory: &Memory, detector: &PortSet) -> Self {
        let won = memory.won().iter().map(|port| (port.0, true));
        let lost = memory.lost().iter().map(|port| (port.0, false));
        Self {
            lock: memory.lock.map(|port| port.0),
            state: NodeState::of(memory.state),
            phase: NodePhase::of(memory.phase),
            L: PortNumbers::of(memory.lock_set()),
            R: PortNumbers::of(memory.replied()),
            W: Set::sorted(won.chain(lost).collect()),
            H: PortNumbers::of(memory.on_hold()),
            A: PortNumbers::of(memory.applicants()),
            C: PortNumbers::of(memory.candidates()),
            P: Set::sorted(memory.priorities.iter().map(|(port, priority)| (port.0, priority.0)).collect()),
            D: PortNumbers::of(detector),
        }
    }
}

/// A sorted set. Reading an element twice is an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Set<T>(Vec<T>);

/// A set of ports. Stored as a list, because the ports are not range-checked yet: a bit set with port 65535 takes 8
/// KiB.
pub(super) type PortNumbers = Set<u16>;

impl<T: Ord + Clone> Set<T> {
    fn sorted(mut elements: Vec<T>) -> Self {
        sort(&mut elements);
        Self(elements)
    }

    /// Sorts the elements. Fails if an element occurs twice.
    pub(super) fn new(elements: Vec<T>) -> Result<Self, String>
    where
        T: fmt::Debug,
    {
        let set = Self::sorted(elements);
        match set.0.windows(2).find(|pair| pair[0] == pair[1]) {
            None => Ok(set),
            Some(pair) => Err(format!("{:?} is listed twice in a set", pair[0])),
        }
    }
}

impl<T> Set<T> {
    pub(super) fn elements(&self) -> &[T] {
        &self.0
    }
}

impl PortNumbers {
    pub(super) fn of<'a>(ports: impl Into<PortsRef<'a>>) -> Self {
        Self(ports.into().iter().map(|port| port.0).collect())
    }
}

impl<'de, T: Deserialize<'de> + Ord + Clone + fmt::Debug> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Reads all elements of a short array with `read`.
fn short<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: impl FnOnce(&mut Reading<'de>) -> Result<T, String>,
) -> Result<T, D::Error> {
    let mut reading = Reading::new(Elements::deserialize(deserializer)?);
    let value = read(&mut reading).map_err(D::Error::custom)?;
    reading.end().map_err(D::Error::custom)?;
    Ok(value)
}

/// A sent message, written `[port,kind,arg?]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LocalSent(pub(super) Port, pub(super) Message);

impl<'de> Deserialize<'de> for LocalSent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        short(deserializer, |words| Ok(Self(words.port()?, read_message::<Local>(words)?)))
    }
}

/// A message in transit, written `[node,port,kind,arg?]`: receiver, port of the receiver, message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct InTransit(pub(super) NodeId, pub(super) Port, pub(super) Message);

impl<'de> Deserialize<'de> for InTransit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        short(deserializer, |words| Ok(Self(words.node()?, words.port()?, read_message::<Local>(words)?)))
    }
}

/// The name of a Check* action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct CheckAction(pub(super) Action);

impl<'de> Deserialize<'de> for CheckAction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl<'de> Visitor<'de> for Name {
            type Value = CheckAction;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a Check* action")
            }
            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<CheckAction, E> {
                let found = Action::CHECKS.into_iter().find(|action| action.name() == name);
                found.filter(|&action| action != Action::CleanUp).map(CheckAction).ok_or_else(|| {
                    let names = Action::CHECKS.into_iter().filter(|&action| action != Action::CleanUp);
                    let names: Vec<&str> = names.map(Action::name).collect();
                    E::custom(format_args!(
                        "there is no {name:?} in enabled: {} are accepted",
                        names.join(", ")
                    ))
                })
            }
        }
        deserializer.deserialize_str(Name)
    }
}
