//! The assumptions of an algorithm hold in every world: channels, a graph that does not change, bounds.

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::{
    ActionEffects, AssumptionError, Assumptions, AtLeastAtMost, Bounds, Call, Channels, Exclusion, Given,
    InitialKnowledge, Input, NodeInput, RequiredGraph, Status, Violation,
};
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::{
    Activation, Asynchronous, NewestFirst, RoundRobin, Scheduler, SemiSynchronous, Sequential, WeaklyFair,
};
use acrasin_runtime::topology::dynamics::Churn;
use acrasin_runtime::{
    CandidateEdge, Choices, Demand, FixedProbability, LockOnly, LockSetRequest, LockSetRule, NodeId, Pack,
    PackError, Port, PortSet, Seeded, Setup, Step, StepError, Timing, Topology, World,
};

/// Locks without asking other nodes, and sends three numbers to the neighbour on port 1 each time. They must
/// arrive in order.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    channels: Channels,
    backwards: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Memory {
    inside: bool,
    sent: u32,
    received: u32,
    in_order: bool,
}

impl Pack for Memory {
    fn pack(&self, into: &mut Vec<u8>) {
        into.extend([u8::from(self.inside), u8::from(self.in_order)]);
        self.sent.pack(into);
        self.received.pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let (inside, in_order) = (bool::unpack(from)?, bool::unpack(from)?);
        Ok(Self { inside, in_order, sent: u32::unpack(from)?, received: u32::unpack(from)? })
    }
}

impl Exclusion for Numbers {
    type Memory = Memory;
    type Message = u32;
    type Action = char;
    type Note = ();
    type Promise = AtLeastAtMost;

    fn assumes(&self) -> Assumptions {
        let given = Given { bounds: true, ..Given::NOTHING };
        Assumptions { network: RequiredGraph::Static, channels: self.channels, given }
    }
    fn initial(&self, input: NodeInput<'_>) -> Memory {
        assert!(input.bounds().is_some() && input.identifier().is_none());
        Memory { inside: false, sent: 0, received: 0, in_order: true }
    }
    fn enabled(&self, _: &Memory, _: bool, _: &mut Vec<char>) {}
    fn receives(&self, _: u32) -> char {
        'r'
    }
    fn calls(&self, call: Call) -> char {
        if call == Call::Lock { 'l' } else { 'u' }
    }
    fn execute(
        &self,
        memory: &mut Memory,
        _: char,
        input: Input<'_, u32>,
        _: &mut dyn Choices,
        effects: &mut ActionEffects<u32, ()>,
    ) {
        if let Some((_, number)) = input.message {
            memory.in_order &= number == memory.received + 1;
            memory.received += 1;
        } else if memory.inside {
            memory.inside = false;
            effects.released = true;
        } else {
            memory.inside = true;
            effects.granted = Some(PortSet::from_port(Port::SELF));
            effects.sends.extend((memory.sent + 1..=memory.sent + 3).map(|number| (Port(1), number)));
            if self.backwards {
                effects.sends.reverse();
            }
            memory.sent += 3;
        }
    }
    fn status(&self, memory: &Memory) -> Status {
        if memory.inside { Status::Holding } else { Status::Idle }
    }
    fn heap_bytes(&self, _: &Memory) -> usize {
        0
    }
}

const FIFO: Numbers = Numbers { channels: Channels::Fifo, backwards: false };
const UNORDERED: Numbers = Numbers { channels: Channels::Unordered, backwards: false };
const LOCK: Step<char, u32> = Step::Lock { node: NodeId(0), claim: LockSetRequest::Neighbourhood };

fn world(exclusion: Numbers, timing: Timing, most: u32) -> World<Numbers, LockOnly> {
    let setup = Setup {
        exclusion,
        section: LockOnly,
        topology: Topology::from_edges(2, 1, &[(0, 1)]).unwrap(),
        states: vec![Demand::Times(10); 2],
        lock_set: LockSetRule::Neighbourhood,
        timing,
    };
    World::with_knowledge(setup, &InitialKnowledge::from_bounds(2, Bounds { least: 0, most })).unwrap()
}

fn receive(message: u32) -> Step<char, u32> {
    Step::Receive { node: NodeId(1), port: Port(1), message }
}

fn receipts(world: &World<Numbers, LockOnly>) -> Vec<u32> {
    let mut steps = Vec::new();
    world.offered(&mut steps);
    let receipt = |step: &Step<char, u32>| match *step {
        Step::Receive { message, .. } => Some(message),
        _ => None,
    };
    steps.iter().filter_map(receipt).collect()
}

#[test]
fn the_oldest_message_of_an_edge_goes_first_where_channels_are_fifo() {
    let after_lock = |numbers| {
        let mut world = world(numbers, Timing::AtOnce, 2);
        world.apply(&LOCK, &mut Scripted::new(&[]), &mut ()).unwrap();
        world
    };
    let (mut fifo, mut unordered) = (after_lock(FIFO), after_lock(UNORDERED));
    assert_eq!((receipts(&fifo), receipts(&unordered)), (vec![1], vec![1, 2, 3]));
    let choices = &mut Scripted::new(&[]);
    assert_eq!(fifo.apply(&receive(2), choices, &mut ()), Err(StepError::NotFirst(NodeId(1), Port(1))));
    assert_eq!(fifo.apply(&receive(7), choices, &mut ()), Err(StepError::NoSuchMessage(NodeId(1))));
    unordered.apply(&receive(2), choices, &mut ()).unwrap();
    fifo.apply(&receive(1), choices, &mut ()).unwrap();
    assert_eq!((receipts(&fifo), receipts(&unordered)), (vec![2], vec![1, 3]));
}

/// With FIFO channels, configurations that differ in message order differ, and a restored one offers the same
/// steps.
#[test]
fn the_order_belongs_to_a_configuration_where_channels_are_fifo() {
    let edge = CandidateEdge { a: (NodeId(0), Port(1)), b: (NodeId(1), Port(1)) };
    for (numbers, timing, differ) in [
        (FIFO, Timing::AtOnce, true),
        (FIFO, Timing::OneByOne, true),
        (UNORDERED, Timing::AtOnce, false),
        (UNORDERED, Timing::OneByOne, false),
    ] {
        let [there, back] = [false, true].map(|backwards| {
            let mut world = world(Numbers { backwards, ..numbers }, timing, 2);
            world.apply(&LOCK, &mut Scripted::new(&[]), &mut ()).unwrap();
            let mut packed = Vec::new();
            world.pack(&[edge], &mut packed);
            (world, packed)
        });
        assert_eq!(there.0.digest() != back.0.digest(), differ, "{numbers:?} {timing:?}");
        assert_eq!(there.1 != back.1, differ, "{numbers:?} {timing:?}");
        let mut again = world(numbers, timing, 2);
        again.restore(&[edge], &mut &back.1[..]).unwrap();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        again.offered(&mut ours);
        back.0.offered(&mut theirs);
        let words = |steps: &[Step<char, u32>]| {
            let mut words: Vec<String> = steps.iter().map(ToString::to_string).collect();
            words.sort_unstable();
            words
        };
        assert_eq!(words(&ours), words(&theirs), "{numbers:?} {timing:?}");
    }
}

type Scheduled = Box<dyn Scheduler<Numbers, LockOnly>>;

fn schedulers() -> Vec<Scheduled> {
    vec![
        Box::new(Sequential::new()),
        Box::new(RoundRobin::new()),
        Box::new(Asynchronous::new()),
        Box::new(NewestFirst::new()),
        Box::new(SemiSynchronous::new(Activation::All)),
        Box::new(SemiSynchronous::new(Activation::Newest)),
    ]
}

/// The number of schedulers under which a run ended with numbers out of order.
fn disordered(numbers: Numbers, fairness: Option<u64>) -> usize {
    let run = |scheduler: Scheduled| {
        let world = world(numbers, scheduler.timing(), 2);
        let mut run = Execution::new(world, scheduler);
        if let Some(bound) = fairness {
            run = run.with_fairness(WeaklyFair::with_bound(bound));
        }
        let mut choices = Seeded::new(3);
        while run.advance(&mut choices, &mut ()) == Advance::Advanced {}
        assert_eq!(run.world().check(), Ok(()));
        let memories = [NodeId(0), NodeId(1)].map(|node| run.world().memory(node).clone());
        assert!(memories.iter().all(|memory| (memory.sent, memory.received) == (30, 30)));
        memories.iter().any(|memory| !memory.in_order)
    };
    schedulers().into_iter().map(run).filter(|&disordered| disordered).count()
}

#[test]
fn no_scheduler_lets_messages_overtake_each_other_where_channels_are_fifo() {
    for fairness in [None, Some(5), Some(40)] {
        assert_eq!(disordered(FIFO, fairness), 0, "{fairness:?}");
    }
    assert!(disordered(UNORDERED, None) >= 4);
}

#[test]
fn a_graph_that_is_assumed_to_be_static_does_not_change() {
    let mut world = world(FIFO, Timing::AtOnce, 2);
    let digest = world.digest();
    let changes = [
        Step::Disconnect { node: NodeId(0), port: Port(1) },
        Step::Connect { a: NodeId(0), a_port: Port(1), b: NodeId(1), b_port: Port(1) },
    ];
    for step in changes {
        let refused = world.apply(&step, &mut Scripted::new(&[]), &mut ());
        assert_eq!(refused, Err(StepError::Assumption(AssumptionError::Changes)));
    }
    assert_eq!(world.digest(), digest);
}

#[test]
#[should_panic(expected = "the algorithm assumes a static graph")]
fn an_adversary_over_a_static_graph_is_refused() {
    let run = Execution::new(world(FIFO, Timing::AtOnce, 2), Box::new(Sequential::new()));
    let churn = Churn::new(run.world().topology(), FixedProbability::HALF, true);
    let _ = run.with_dynamics(Box::new(churn));
}

/// An algorithm that asks no other node breaks the upper bound as soon as two nodes are inside.
#[test]
fn bounds_of_a_neighbourhood_are_watched() {
    let both_enter = |most| {
        let mut world = world(UNORDERED, Timing::AtOnce, most);
        let choices = &mut Scripted::new(&[]);
        world.apply(&LOCK, choices, &mut ()).unwrap();
        assert_eq!((world.check(), world.held()), (Ok(()), 1));
        world
            .apply(&Step::Lock { node: NodeId(1), claim: LockSetRequest::Neighbourhood }, choices, &mut ())
            .unwrap();
        world
    };
    assert_eq!(both_enter(2).check(), Ok(()));
    let bounds = Bounds { least: 0, most: 1 };
    let violation = Violation::OutsideBounds { node: NodeId(1), inside: 2, bounds };
    let mut world = both_enter(1);
    assert_eq!(world.check(), Err(violation));
    // A restored configuration is checked from then on.
    let edge = CandidateEdge { a: (NodeId(0), Port(1)), b: (NodeId(1), Port(1)) };
    let mut packed = Vec::new();
    both_enter(2).pack(&[edge], &mut packed);
    world.restore(&[edge], &mut &packed[..]).unwrap();
    assert_eq!((world.check(), world.held()), (Ok(()), 2));
    let unlock = Step::Unlock { node: NodeId(0) };
    world.apply(&unlock, &mut Scripted::new(&[]), &mut ()).unwrap();
    assert_eq!((world.check(), world.held()), (Ok(()), 1));
}

#[test]
fn bounds_that_are_not_given_are_asked_for() {
    let setup = Setup {
        exclusion: FIFO,
        section: LockOnly,
        topology: Topology::from_edges(2, 1, &[(0, 1)]).unwrap(),
        states: vec![Demand::Forever; 2],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    let unmet = World::with_knowledge(setup, &InitialKnowledge::default()).err().unwrap();
    assert_eq!(unmet, AssumptionError::NoBounds { given: 0, nodes: 2 });
}
