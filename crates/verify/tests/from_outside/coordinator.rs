//! A user-defined algorithm: the root of a tree admits one node at a time, in the order of their requests.

use std::fmt;

use acrasin_runtime::exclusion::{
    ActionEffects, AlgorithmLabels, Anomaly, Assumptions, Call, Channels, Exclusion, Given, Input, NodeInput,
    NoteLabels, OneAtATime, RequiredGraph, Status,
};
use acrasin_runtime::{Choices, CriticalSection, Pack, PackError, Port, PortSet, World};
use acrasin_verify::properties::{CheckedExclusion, Property};
use acrasin_verify::replay::{Argument, Reading, StepCodec};
use acrasin_verify::swarm::Swarmed;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinator;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Desk {
    pub(crate) status: u8,
    father: Option<Port>,
    /// At the root: whether an admitted node has not returned yet. `queue` are the requests since then.
    pub(crate) taken: bool,
    queue: Vec<Port>,
}

const IDLE: u8 = 0;
const WAITS: u8 = 1;
const INSIDE: u8 = 2;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Word {
    Ask,
    Enter,
    Back,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Deed {
    Lock,
    Unlock,
    Hear,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Coordinator::KINDS[Coordinator::kind(*self)])
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Desk {
    fn serve(&mut self, effects: &mut ActionEffects<Word, ()>) {
        if !self.taken && !self.queue.is_empty() {
            self.taken = true;
            match self.queue.remove(0) {
                port if port.is_self() => self.enter(effects),
                port => effects.sends.push((port, Word::Enter)),
            }
        }
    }

    fn enter(&mut self, effects: &mut ActionEffects<Word, ()>) {
        self.status = INSIDE;
        effects.granted = Some(PortSet::from_port(Port::SELF));
    }
}

impl Exclusion for Coordinator {
    type Memory = Desk;
    type Message = Word;
    type Action = Deed;
    type Note = ();
    type Promise = OneAtATime;

    fn assumes(&self) -> Assumptions {
        let given = Given { tree: true, ..Given::NOTHING };
        Assumptions { network: RequiredGraph::Complete, channels: Channels::Unordered, given }
    }

    fn initial(&self, seat: NodeInput<'_>) -> Desk {
        Desk { status: IDLE, father: seat.father(), taken: false, queue: Vec::new() }
    }

    fn enabled(&self, _: &Desk, _: bool, _: &mut Vec<Deed>) {}

    fn receives(&self, _: Word) -> Deed {
        Deed::Hear
    }

    fn calls(&self, call: Call) -> Deed {
        if call == Call::Lock { Deed::Lock } else { Deed::Unlock }
    }

    fn execute(
        &self,
        desk: &mut Desk,
        deed: Deed,
        input: Input<'_, Word>,
        _: &mut dyn Choices,
        effects: &mut ActionEffects<Word, ()>,
    ) {
        match (deed, desk.status, input.message) {
            (Deed::Lock, IDLE, _) => {
                desk.status = WAITS;
                match desk.father {
                    Some(father) => effects.sends.push((father, Word::Ask)),
                    None => {
                        desk.queue.push(Port::SELF);
                        desk.serve(effects);
                    }
                }
            }
            (Deed::Unlock, INSIDE, _) => {
                desk.status = IDLE;
                effects.released = true;
                desk.taken = false;
                match desk.father {
                    Some(father) => effects.sends.push((father, Word::Back)),
                    None => desk.serve(effects),
                }
            }
            (Deed::Hear, _, Some((port, Word::Ask))) => {
                desk.queue.push(port);
                desk.serve(effects);
            }
            (Deed::Hear, _, Some((_, Word::Enter))) => desk.enter(effects),
            (Deed::Hear, _, Some((_, Word::Back))) => {
                desk.taken = false;
                desk.serve(effects);
            }
            _ => effects.anomaly = Some(Anomaly::IgnoredCall),
        }
    }

    fn status(&self, desk: &Desk) -> Status {
        [Status::Idle, Status::Waiting, Status::Holding][usize::from(desk.status)]
    }

    fn heap_bytes(&self, desk: &Desk) -> usize {
        desk.queue.capacity() * size_of::<Port>()
    }
}

impl AlgorithmLabels for Coordinator {
    const KINDS: &'static [&'static str] = &["ask", "enter", "back"];
    const ACTIONS: &'static [Deed] = &[Deed::Lock, Deed::Unlock, Deed::Hear];
    const NOTES: &'static [NoteLabels] = &[];
    const LOCK: Deed = Deed::Lock;
    const UNLOCK: Deed = Deed::Unlock;

    fn kind(word: Word) -> usize {
        word as usize
    }

    fn action(deed: Deed) -> usize {
        deed as usize
    }

    fn note((): ()) -> usize {
        unreachable!("it announces nothing")
    }
}

impl StepCodec for Coordinator {
    const CHECKS: &'static [Deed] = &[];

    fn rules(&self) -> Option<String> {
        Some("coordinator".to_owned())
    }

    fn argument(_: Word) -> Argument {
        Argument::None
    }

    fn message(kind: &str, _: &mut Reading<'_>) -> Result<Word, String> {
        Ok(match kind {
            "ask" => Word::Ask,
            "enter" => Word::Enter,
            _ => Word::Back,
        })
    }
}

/// No node is inside unless the root has admitted one.
struct LetIn;

impl<E: Exclusion<Memory = Desk, Message = Word>, S: CriticalSection> Property<E, S> for LetIn {
    fn name(&self) -> &'static str {
        "who is inside was let in"
    }

    fn source(&self) -> &'static str {
        "here"
    }

    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        let inside = world.topology().nodes().any(|node| world.memory(node).status == INSIDE);
        let taken = world.topology().nodes().any(|node| world.memory(node).taken);
        if inside && !taken { Err("a node is inside that was not admitted".to_owned()) } else { Ok(()) }
    }
}

impl CheckedExclusion for Coordinator {
    fn properties<E, S>() -> Vec<Box<dyn Property<E, S>>>
    where
        E: Exclusion<Memory = Desk, Message = Word>,
        S: CriticalSection,
    {
        vec![Box::new(LetIn)]
    }
}

impl Swarmed for Coordinator {}

impl Pack for Desk {
    fn pack(&self, into: &mut Vec<u8>) {
        into.extend([self.status, u8::from(self.taken), self.queue.len() as u8]);
        self.father.unwrap_or(Port::SELF).pack(into);
        self.queue.iter().for_each(|port| port.pack(into));
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let [status, taken, waiting] = [u8::unpack(from)?, u8::unpack(from)?, u8::unpack(from)?];
        let father = Some(Port::unpack(from)?).filter(|father| !father.is_self());
        let queue = (0..waiting).map(|_| Port::unpack(from)).collect::<Result<_, _>>()?;
        Ok(Self { status, father, taken: taken == 1, queue })
    }
}

impl Pack for Word {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(*self as u8);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        [Self::Ask, Self::Enter, Self::Back].get(usize::from(u8::unpack(from)?)).copied().ok_or(PackError)
    }
}

impl Pack for Deed {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(*self as u8);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        [Self::Lock, Self::Unlock, Self::Hear].get(usize::from(u8::unpack(from)?)).copied().ok_or(PackError)
    }
}
