//! The words for a step, in both directions: `["lock",u]`, `["recv",u,port,"win",true]`, ...

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use acrasin_runtime::exclusion::local::{Action, Local, Message, Priority};
use acrasin_runtime::{Claim, NodeId, Port, Step, StepOf};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// The longest step has five elements and its picks.
const ELEMENTS_MAX: usize = 6;

const STEPS: &str = "lock, unlock, act, recv, leave, connect, disconnect";

/// A step as it was written, with the choices made inside it.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) call: Call,
    pub(crate) picks: Vec<u32>,
    /// Whether the picks were written as `{"picks":[..]}`.
    pub(crate) as_object: bool,
}

/// What happens. Unlike a [`Step`], a Lock may leave its lock set open.
#[derive(Debug)]
pub(crate) enum Call {
    Lock { node: NodeId, lock_set: Asked },
    Other(StepOf<Local>),
}

/// What a Lock says about the lock set it asks for.
#[derive(Debug)]
pub(crate) enum Asked {
    /// `["lock",u]`.
    Nothing,
    /// `["lock",u,null]`: the call is ignored.
    Null,
    /// `["lock",u,[ports]]`, as they were written.
    Ports(Vec<u16>),
}

impl Asked {
    /// The pair that these ports are, if they are one.
    pub(crate) fn pair(ports: &[u16]) -> Result<Claim, String> {
        match *ports {
            [0] => Ok(Claim::Alone),
            [0, port] | [port, 0] if port != 0 => Ok(Claim::Pair(Port(port))),
            _ => Err(format!("the lock set {ports:?} is no pair: [0] or [0,port] is accepted")),
        }
    }
}

/// One element of an array of words.
#[derive(Debug)]
pub(crate) enum Element<'a> {
    Null,
    Bool(bool),
    Number(u64),
    Word(Cow<'a, str>),
    Ports(Vec<u16>),
    Picks(Vec<u32>),
}

impl fmt::Display for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Word(word) => write!(f, "{word:?}"),
            Self::Ports(_) => f.write_str("an array"),
            Self::Picks(_) => f.write_str("the picks"),
        }
    }
}

impl<'de> Deserialize<'de> for Element<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneElement;
        impl<'de> Visitor<'de> for OneElement {
            type Value = Element<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word, a number from 0, true, false, null, ports or {\"picks\":[..]}")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Element::Null)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Element::Bool(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Element::Number(value))
            }
            fn visit_borrowed_str<E>(self, word: &'de str) -> Result<Self::Value, E> {
                Ok(Element::Word(Cow::Borrowed(word)))
            }
            fn visit_str<E>(self, word: &str) -> Result<Self::Value, E> {
                Ok(Element::Word(Cow::Owned(word.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut ports = Vec::new();
                while let Some(port) = seq.next_element()? {
                    ports.push(port);
                }
                Ok(Element::Ports(ports))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut picks = None;
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    if key != "picks" {
                        return Err(A::Error::unknown_field(&key, &["picks"]));
                    }
                    if picks.replace(map.next_value()?).is_some() {
                        return Err(A::Error::duplicate_field("picks"));
                    }
                }
                picks.map(Element::Picks).ok_or_else(|| A::Error::missing_field("picks"))
            }
        }
        deserializer.deserialize_any(OneElement)
    }
}

/// A short array of words.
#[derive(Debug)]
pub(crate) struct Elements<'a>(Vec<Element<'a>>);

impl<'de> Deserialize<'de> for Elements<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Short;
        impl<'de> Visitor<'de> for Short {
            type Value = Elements<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of words")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut elements = Vec::with_capacity(ELEMENTS_MAX);
                while let Some(element) = seq.next_element()? {
                    if elements.len() == ELEMENTS_MAX {
                        return Err(A::Error::custom(format_args!("more than {ELEMENTS_MAX} elements")));
                    }
                    elements.push(element);
                }
                Ok(Elements(elements))
            }
        }
        deserializer.deserialize_seq(Short)
    }
}

/// Takes the elements of an array from the front.
pub(crate) struct Reading<'a>(std::vec::IntoIter<Element<'a>>);

impl<'a> Reading<'a> {
    pub(crate) fn new(elements: Elements<'a>) -> Self {
        Self(elements.0.into_iter())
    }

    fn number(&mut self, what: &str, max: u32) -> Result<u32, String> {
        match self.0.next() {
            Some(Element::Number(number)) if number <= u64::from(max) => Ok(number as u32),
            Some(other) => Err(format!("{other} is no {what}: a number from 0 to {max} is accepted")),
            None => Err(format!("the {what} is missing")),
        }
    }

    pub(crate) fn node(&mut self) -> Result<NodeId, String> {
        self.number("node", u32::MAX).map(NodeId)
    }

    pub(crate) fn port(&mut self) -> Result<Port, String> {
        self.number("port", u32::from(u16::MAX)).map(|port| Port(port as u16))
    }

    fn word(&mut self, what: &str, accepted: &str) -> Result<Cow<'a, str>, String> {
        match self.0.next() {
            Some(Element::Word(word)) => Ok(word),
            Some(other) => Err(format!("{other} is no {what}: {accepted} are accepted")),
            None => Err(format!("the {what} is missing: {accepted} are accepted")),
        }
    }

    /// A kind with its argument, if it has one.
    pub(crate) fn message(&mut self) -> Result<Message, String> {
        let kinds = Message::KINDS.join(", ");
        let kind = self.word("message", &kinds)?;
        Ok(match &*kind {
            "prepare" => Message::Prepare,
            "ready" => Message::Ready,
            "request-lock" => Message::RequestLock(Priority(self.number("priority", u32::MAX)?)),
            "win" => match self.0.next() {
                Some(Element::Bool(won)) => Message::Win(won),
                _ => return Err("win is followed by true or false".to_owned()),
            },
            "set-lock" => Message::SetLock,
            "ack-lock" => Message::AckLock,
            "release-lock" => Message::ReleaseLock,
            "ack-unlock" => Message::AckUnlock,
            _ => return Err(format!("there is no message {kind:?}: {kinds} are accepted")),
        })
    }

    pub(crate) fn end(mut self) -> Result<(), String> {
        self.0.next().map_or(Ok(()), |extra| Err(format!("{extra} is one element too many")))
    }

    fn step(mut self) -> Result<Written, String> {
        let (mut picks, mut as_object) = (Vec::new(), false);
        if let Some(Element::Picks(_)) = self.0.as_slice().last()
            && let Some(Element::Picks(written)) = self.0.next_back()
        {
            (picks, as_object) = (written, true);
        }
        let word = self.word("step", STEPS)?;
        let call = match &*word {
            "lock" => {
                let node = self.node()?;
                let lock_set = match self.0.next() {
                    None => Asked::Nothing,
                    Some(Element::Null) => Asked::Null,
                    Some(Element::Ports(ports)) => Asked::Ports(ports),
                    Some(other) => return Err(format!("{other} is no lock set: ports or null are accepted")),
                };
                Call::Lock { node, lock_set }
            }
            "unlock" => Call::Other(Step::Unlock { node: self.node()? }),
            "act" => {
                let node = self.node()?;
                let names = Action::CHECKS.map(Action::name).join(", ");
                let name = self.word("action", &names)?;
                let action = Action::from_name(&name).filter(|action| Action::CHECKS.contains(action));
                let action =
                    action.ok_or_else(|| format!("there is no action {name:?}: {names} are accepted"))?;
                let draws = matches!(action, Action::CheckStart | Action::CheckWin);
                if draws && !as_object && !self.0.as_slice().is_empty() {
                    picks.push(self.number("priority", u32::MAX)?);
                }
                Call::Other(Step::Act { node, action })
            }
            "recv" => Call::Other(Step::Receive {
                node: self.node()?,
                port: self.port()?,
                message: self.message()?,
            }),
            "leave" => {
                Call::Other(Step::Leave { node: self.node()?, port: self.port()?, message: self.message()? })
            }
            "connect" => Call::Other(Step::Connect {
                a: self.node()?,
                a_port: self.port()?,
                b: self.node()?,
                b_port: self.port()?,
            }),
            "disconnect" => Call::Other(Step::Disconnect { node: self.node()?, port: self.port()? }),
            _ => return Err(format!("there is no step {word:?}: {STEPS} are accepted")),
        };
        self.end()?;
        Ok(Written { call, picks, as_object })
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let elements = Elements::deserialize(deserializer)?;
        Reading::new(elements).step().map_err(D::Error::custom)
    }
}

/// `"win",true`.
pub(crate) fn write_message(out: &mut String, message: Message) {
    write!(out, "\"{}\"", message.kind()).expect("a string takes everything");
    match message {
        Message::RequestLock(priority) => write!(out, ",{}", priority.0).expect("a string takes everything"),
        Message::Win(won) => write!(out, ",{won}").expect("a string takes everything"),
        _ => {}
    }
}

/// The step as an array, with the choices made inside it.
pub(crate) fn write_step(out: &mut String, step: &StepOf<Local>, picks: &[u32]) {
    let written = match *step {
        Step::Lock { node, claim: Claim::Neighbourhood } => write!(out, "[\"lock\",{node}"),
        Step::Lock { node, claim: Claim::Pair(port) } => write!(out, "[\"lock\",{node},[0,{port}]"),
        Step::Lock { node, claim: Claim::Alone } => write!(out, "[\"lock\",{node},[0]"),
        Step::Unlock { node } => write!(out, "[\"unlock\",{node}"),
        Step::Act { node, action } => write!(out, "[\"act\",{node},\"{action}\""),
        Step::Receive { node, port, .. } => write!(out, "[\"recv\",{node},{port},"),
        Step::Leave { node, port, .. } => write!(out, "[\"leave\",{node},{port},"),
        Step::Connect { a, a_port, b, b_port } => write!(out, "[\"connect\",{a},{a_port},{b},{b_port}"),
        Step::Disconnect { node, port } => write!(out, "[\"disconnect\",{node},{port}"),
    };
    written.expect("a string takes everything");
    if let Step::Receive { message, .. } | Step::Leave { message, .. } = *step {
        write_message(out, message);
    }
    match (step, picks) {
        (_, []) => {}
        (Step::Act { action: Action::CheckStart | Action::CheckWin, .. }, [priority]) => {
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

    fn read(text: &str) -> Result<(StepOf<Local>, Vec<u32>), String> {
        let written: Written = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let step = match written.call {
            Call::Other(step) => step,
            Call::Lock { node, lock_set } => {
                let claim = match lock_set {
                    Asked::Nothing => Claim::Neighbourhood,
                    Asked::Null => return Err("null".to_owned()),
                    Asked::Ports(ports) => Asked::pair(&ports)?,
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
            (Step::Lock { node, claim: Claim::Neighbourhood }, vec![]),
            (Step::Lock { node, claim: Claim::Alone }, vec![3]),
            (Step::Lock { node, claim: Claim::Pair(Port(5000)) }, vec![]),
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
            write_step(&mut text, &step, &picks);
            assert_eq!(read(&text), Ok((step, picks)), "{text}");
        }
    }

    #[test]
    fn golden_words() {
        let mut text = String::new();
        write_step(&mut text, &Step::Act { node: NodeId(0), action: Action::CheckStart }, &[3]);
        write_step(&mut text, &Step::Unlock { node: NodeId(1) }, &[4]);
        let message = Message::Win(true);
        write_step(&mut text, &Step::Receive { node: NodeId(2), port: Port(1), message }, &[]);
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
            (r#"["lock",4294967296]"#, "is no node"),
            (r#"["lock",1.5]"#, "floating point"),
            (r#"["lock",0,true]"#, "is no lock set"),
            (r#"["lock",0,[1,2]]"#, "is no pair"),
            (r#"["lock",0,[0],1]"#, "one element too many"),
            (r#"["act",0,"InitLock"]"#, "there is no action \"InitLock\": CheckStart"),
            (r#"["act",0,"CheckDone",1]"#, "one element too many"),
            (r#"["act",0,7]"#, "7 is no action"),
            (r#"["recv",0,65536,"ready"]"#, "is no port"),
            (r#"["recv",0,0,"hello"]"#, "there is no message \"hello\": prepare"),
            (r#"["recv",0,0,"win"]"#, "true or false"),
            (r#"["recv",0,0,"request-lock"]"#, "the priority is missing"),
            (r#"["recv",0,0,"ready",1]"#, "one element too many"),
            (r#"["unlock",0,{"picks":[1],"picks":[1]}]"#, "duplicate field"),
            (r#"["unlock",0,{"pick":[1]}]"#, "unknown field"),
            (r#"["unlock",0,{}]"#, "missing field"),
            (r#"["unlock",0,[[1]]]"#, "expected u16"),
            (r#"["unlock",0,1,1,1,1,1,1,1,1]"#, "more than 6"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
