//! The notation for steps, for reading and writing: `["lock",u]`, `["recv",u,port,"win",true]`, ...

use std::fmt::Write as _;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{LockSetRequest, NodeId, Port, Step, StepOf};
use serde::de::{Deserialize, Deserializer, Error as _};

use super::elements::{Element, Elements, Reading};
use super::step_codec::{Argument, StepCodec};

const STEPS: &str = "lock, unlock, act, recv, leave, connect, disconnect";

/// A step as written, with the picks made inside it.
#[derive(Debug)]
pub(crate) struct WrittenStep<E: Exclusion> {
    pub(crate) call: WrittenCall<E>,
    pub(crate) picks: Vec<u32>,
    /// Whether the picks were written as `{"picks":[..]}`.
    pub(crate) as_object: bool,
}

/// A step as read: unlike in a [`Step`], a Lock may leave out its lock set.
#[derive(Debug)]
pub(crate) enum WrittenCall<E: Exclusion> {
    Lock { node: NodeId, lock_set: WrittenLockSet },
    Other(StepOf<E>),
}

/// The lock set that a Lock asks for, as written in the step.
#[derive(Debug)]
pub(crate) enum WrittenLockSet {
    /// No lock set is written: `["lock",u]`.
    Nothing,
    /// The lock set is `null`, because the rules ignore the call: `["lock",u,null]`.
    Null,
    /// The lock set is a list of ports: `["lock",u,[ports]]`.
    Ports(Vec<u16>),
}

impl WrittenLockSet {
    /// The request for a pair with these ports: `[0]`, or port 0 and one other port. Other lists are errors.
    pub(crate) fn pair(ports: &[u16]) -> Result<LockSetRequest, String> {
        match *ports {
            [0] => Ok(LockSetRequest::Alone),
            [0, port] | [port, 0] if port != 0 => Ok(LockSetRequest::Pair(Port(port))),
            _ => Err(format!("the lock set {ports:?} is not a pair: [0] or [0,port] is accepted")),
        }
    }
}

impl<E: StepCodec> WrittenStep<E> {
    fn read(mut words: Reading<'_>) -> Result<Self, String> {
        let written = words.take_picks();
        let as_object = written.is_some();
        let mut picks = written.unwrap_or_default();
        let word = words.word("step", STEPS)?;
        let call = match &*word {
            "lock" => {
                let node = words.node()?;
                let lock_set = match words.next() {
                    None => WrittenLockSet::Nothing,
                    Some(Element::Null) => WrittenLockSet::Null,
                    Some(Element::Ports(ports)) => WrittenLockSet::Ports(ports),
                    Some(other) => {
                        return Err(format!("{other} is not a lock set: ports or null are accepted"));
                    }
                };
                WrittenCall::Lock { node, lock_set }
            }
            "unlock" => WrittenCall::Other(Step::Unlock { node: words.node()? }),
            "act" => {
                let node = words.node()?;
                let names: Vec<String> = E::CHECKS.iter().map(ToString::to_string).collect();
                let accepted = names.join(", ");
                let name = words.word("action", &accepted)?;
                let place = names.iter().position(|known| *known == *name);
                let place =
                    place.ok_or_else(|| format!("there is no action {name:?}: {accepted} are accepted"))?;
                let action = E::CHECKS[place];
                if E::draws_priority(action) && !as_object && !words.is_over() {
                    picks.push(words.number("priority", u32::MAX)?);
                }
                WrittenCall::Other(Step::Act { node, action })
            }
            "recv" => WrittenCall::Other(Step::Receive {
                node: words.node()?,
                port: words.port()?,
                message: read_message::<E>(&mut words)?,
            }),
            "leave" => WrittenCall::Other(Step::Leave {
                node: words.node()?,
                port: words.port()?,
                message: read_message::<E>(&mut words)?,
            }),
            "connect" => WrittenCall::Other(Step::Connect {
                a: words.node()?,
                a_port: words.port()?,
                b: words.node()?,
                b_port: words.port()?,
            }),
            "disconnect" => WrittenCall::Other(Step::Disconnect { node: words.node()?, port: words.port()? }),
            _ => return Err(format!("there is no step {word:?}: {STEPS} are accepted")),
        };
        words.end()?;
        Ok(WrittenStep { call, picks, as_object })
    }
}

impl<'de, E: StepCodec> Deserialize<'de> for WrittenStep<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let elements = Elements::deserialize(deserializer)?;
        Self::read(Reading::new(elements)).map_err(D::Error::custom)
    }
}

/// Reads a message kind with its argument, if any.
pub(crate) fn read_message<E: StepCodec>(words: &mut Reading<'_>) -> Result<E::Message, String> {
    let kinds = || E::KINDS.join(", ");
    let kind = words.word("message", &kinds())?;
    if !E::KINDS.contains(&&*kind) {
        return Err(format!("there is no message {kind:?}: {} are accepted", kinds()));
    }
    E::message(&kind, words)
}

/// Writes a message, for instance `"win",true`.
pub(crate) fn write_message<E: StepCodec>(out: &mut String, message: E::Message) {
    let kind = E::KINDS[E::kind(message)];
    let written = match E::argument(message) {
        Argument::None => write!(out, "\"{kind}\""),
        Argument::Number(number) => write!(out, "\"{kind}\",{number}"),
        Argument::Flag(flag) => write!(out, "\"{kind}\",{flag}"),
        Argument::Word(word, [first, second]) => {
            write!(out, "\"{kind}\",\"{word}\",{first},{second}")
        }
    };
    written.expect("a string takes everything");
}

/// Writes a step as an array, with the picks made inside it.
pub(crate) fn write_step<E: StepCodec>(out: &mut String, step: &StepOf<E>, picks: &[u32]) {
    let written = match *step {
        Step::Lock { node, claim: LockSetRequest::Neighbourhood } => write!(out, "[\"lock\",{node}"),
        Step::Lock { node, claim: LockSetRequest::Pair(port) } => write!(out, "[\"lock\",{node},[0,{port}]"),
        Step::Lock { node, claim: LockSetRequest::Alone } => write!(out, "[\"lock\",{node},[0]"),
        Step::Unlock { node } => write!(out, "[\"unlock\",{node}"),
        Step::Act { node, action } => write!(out, "[\"act\",{node},\"{action}\""),
        Step::Receive { node, port, .. } => write!(out, "[\"recv\",{node},{port},"),
        Step::Leave { node, port, .. } => write!(out, "[\"leave\",{node},{port},"),
        Step::Connect { a, a_port, b, b_port } => write!(out, "[\"connect\",{a},{a_port},{b},{b_port}"),
        Step::Disconnect { node, port } => write!(out, "[\"disconnect\",{node},{port}"),
    };
    written.expect("a string takes everything");
    if let Step::Receive { message, .. } | Step::Leave { message, .. } = *step {
        write_message::<E>(out, message);
    }
    match (step, picks) {
        (_, []) => {}
        (Step::Act { action, .. }, [priority]) if E::draws_priority(*action) => {
            write!(out, ",{priority}").expect("a string takes everything");
        }
        (_, picks) => {
            let picks: Vec<String> = picks.iter().map(u32::to_string).collect();
            write!(out, ",{{\"picks\":[{}]}}", picks.join(",")).expect("a string takes everything");
        }
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_runtime::exclusion::local::{Action, Local, Message, Priority};

    fn read(text: &str) -> Result<(StepOf<Local>, Vec<u32>), String> {
        let written: WrittenStep<Local> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let step = match written.call {
            WrittenCall::Other(step) => step,
            WrittenCall::Lock { node, lock_set } => {
                let claim = match lock_set {
                    WrittenLockSet::Nothing => LockSetRequest::Neighbourhood,
                    WrittenLockSet::Null => return Err("null".to_owned()),
                    WrittenLockSet::Ports(ports) => WrittenLockSet::pair(&ports)?,
                };
                Step::Lock { node, claim }
            }
        };
        Ok((step, written.picks))
    }

    #[test]
    fn what_is_written_is_read_back() {
        let node = NodeId(7);
        let mut steps: Vec<(StepOf<Local>, Vec<u32>)> = vec![
            (Step::Lock { node, claim: LockSetRequest::Neighbourhood }, vec![]),
            (Step::Lock { node, claim: LockSetRequest::Alone }, vec![3]),
            (Step::Lock { node, claim: LockSetRequest::Pair(Port(5000)) }, vec![]),
            (Step::Unlock { node }, vec![0, u32::MAX]),
            (Step::Connect { a: node, a_port: Port(1), b: NodeId(0), b_port: Port(u16::MAX) }, vec![]),
            (Step::Disconnect { node, port: Port(1) }, vec![]),
        ];
        for action in Action::CHECKS {
            steps.push((Step::Act { node, action }, vec![]));
            steps.push((Step::Act { node, action }, vec![2]));
            steps.push((Step::Act { node, action }, vec![2, 4]));
        }
        for message in [
            Message::Prepare,
            Message::Ready,
            Message::RequestLock(Priority(u32::MAX)),
            Message::Win(true),
            Message::Win(false),
            Message::SetLock,
            Message::AckLock,
            Message::ReleaseLock,
            Message::AckUnlock,
        ] {
            steps.push((Step::Receive { node, port: Port::SELF, message }, vec![]));
            steps.push((Step::Leave { node, port: Port(9), message }, vec![1]));
        }
        for (step, picks) in steps {
            let mut text = String::new();
            write_step::<Local>(&mut text, &step, &picks);
            assert_eq!(read(&text), Ok((step, picks)), "{text}");
        }
    }

    #[test]
    fn golden_words() {
        let mut text = String::new();
        write_step::<Local>(&mut text, &Step::Act { node: NodeId(0), action: Action::CheckStart }, &[3]);
        write_step::<Local>(&mut text, &Step::Unlock { node: NodeId(1) }, &[4]);
        let message = Message::Win(true);
        write_step::<Local>(&mut text, &Step::Receive { node: NodeId(2), port: Port(1), message }, &[]);
        assert_eq!(text, r#"["act",0,"CheckStart",3]["unlock",1,{"picks":[4]}]["recv",2,1,"win",true]"#);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("[]", "the step is missing"),
            ("{}", "an array of words"),
            (r#"["jump",0]"#, "there is no step \"jump\": lock, unlock"),
            (r#"["lock"]"#, "the node is missing"),
            (r#"["lock",-1]"#, "integer `-1`"),
            (r#"["lock",4294967296]"#, "is not a valid node"),
            (r#"["lock",1.5]"#, "floating point"),
            (r#"["lock",0,true]"#, "is not a lock set"),
            (r#"["lock",0,[1,2]]"#, "is not a pair"),
            (r#"["lock",0,[0],1]"#, "one element too many"),
            (r#"["act",0,"InitLock"]"#, "there is no action \"InitLock\": CheckStart"),
            (r#"["act",0,"CheckDone",1]"#, "one element too many"),
            (r#"["act",0,7]"#, "7 is not a valid action"),
            (r#"["recv",0,65536,"ready"]"#, "is not a valid port"),
            (r#"["recv",0,0,"hello"]"#, "there is no message \"hello\": prepare"),
            (r#"["recv",0,0,"win"]"#, "true or false"),
            (r#"["recv",0,0,"request-lock"]"#, "the priority is missing"),
            (r#"["recv",0,0,"ready",1]"#, "one element too many"),
            (r#"["unlock",0,{"picks":[1],"picks":[1]}]"#, "duplicate field"),
            (r#"["unlock",0,{"pick":[1]}]"#, "unknown field"),
            (r#"["unlock",0,{}]"#, "missing field"),
            (r#"["unlock",0,[[1]]]"#, "expected u16"),
            (r#"["unlock",0,1,1,1,1,1,1,1,1]"#, "more than 8"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
