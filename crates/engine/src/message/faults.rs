//! Tests that the comparison with the reference detects every deliberate fault.

use std::marker::PhantomData;

use acrasin_runtime::NodeId;
use acrasin_runtime::choice::FixedProbability;

use super::activation::{BitLayout, FaultInjection, MessageFault};
use super::change_error::ChangeError;
use super::chunk::{ChunkedRounds, EdgeChunk, NodeChunk};
use super::lattice::{LatticeRows, LatticeShape, OppositePort, SquareShape, TriangularShape};
use super::network::sealed::{Compiled, MessageParts};
use super::registers::PortLinks;
use super::word::NodeWord;
use super::{Config, LockConfiguration, Shadow, WordRounds};
use crate::draw::{Draws, Priorities};
use crate::network::{Lattice, PortNetwork};
use crate::reference::Reference;
use crate::round::{ActiveNodes, Figures, MemoryLimit, Wanting};
use crate::unchecked::Kernel;

const FAULTS: [MessageFault; 10] = [
    MessageFault::None,
    MessageFault::LateRequestsWait,
    MessageFault::HoldsIgnored,
    MessageFault::TiesAreWon,
    MessageFault::LockIgnored,
    MessageFault::DecidesEarly,
    MessageFault::ResultsStay,
    MessageFault::FirstRequestsBefore,
    MessageFault::NotItsOwnCandidate,
    MessageFault::OneDefeatForgiven,
];

/// The bit layout of a lattice, with the fault of this index.
struct FaultyBits<K, const FAULT: usize>(PhantomData<K>);

impl<K, const FAULT: usize> FaultInjection for FaultyBits<K, FAULT> {
    const FAULT: MessageFault = FAULTS[FAULT];
}

impl<W: NodeWord, K: LatticeShape, const FAULT: usize> BitLayout<W> for FaultyBits<K, FAULT> {
    fn acked_at(port: u32) -> u32 {
        <OppositePort<K> as BitLayout<W>>::acked_at(port)
    }
    fn won_at(port: u32) -> u32 {
        <OppositePort<K> as BitLayout<W>>::won_at(port)
    }
}

/// A torus whose nodes have the fault of this index.
struct FaultyTorus<const FAULT: usize>(Lattice);

impl<const FAULT: usize> PortNetwork for FaultyTorus<FAULT> {
    const FULL: bool = true;
    fn nodes(&self) -> u32 {
        self.0.nodes()
    }
    fn ports(&self) -> u16 {
        self.0.ports()
    }
    fn link(&self, node: u32, port: u16) -> Option<(u32, u16)> {
        self.0.link(node, port)
    }
    fn bytes(&self) -> u64 {
        0
    }
}

impl<const FAULT: usize> ChunkedRounds<u32> for FaultyTorus<FAULT> {
    fn run(&self, chunk: NodeChunk<'_, u32>) -> Figures {
        match self.0.kind() {
            crate::LatticeKind::Square => {
                LatticeRows::<_, FaultyBits<SquareShape, FAULT>, 5>::new(self.0, chunk).run()
            }
            crate::LatticeKind::Triangular => {
                LatticeRows::<_, FaultyBits<TriangularShape, FAULT>, 7>::new(self.0, chunk).run()
            }
        }
    }
    fn run_changing(&self, _chunk: NodeChunk<'_, u32>, _edges: EdgeChunk<'_, u32>) -> Figures {
        unreachable!("the graph stays as it is")
    }
}

impl<const FAULT: usize> MessageParts for FaultyTorus<FAULT> {
    fn compiled(&self) -> Compiled<'_> {
        Compiled { short: self, long: &self.0, links: &self.0 as &dyn PortLinks, inbox_bytes: 0 }
    }
    fn contenders(&self) -> u32 {
        self.0.contenders()
    }
    fn place(
        &mut self,
        _a: (NodeId, acrasin_runtime::Port),
        _b: (NodeId, acrasin_runtime::Port),
    ) -> Result<(), ChangeError> {
        unreachable!("the graph stays as it is")
    }
    fn save_links(&self, _into: &mut Vec<u8>) {}
    fn load_links(&mut self, _from: &mut &[u8]) -> Result<(), acrasin_runtime::PackError> {
        Ok(())
    }
}

/// The first round after which a run with this fault differs from the reference; `None` if there is none.
fn noticed<const FAULT: usize>() -> Option<u64> {
    let torus = Lattice::new(crate::LatticeKind::Square, 9, 7).unwrap();
    let config = Config {
        draws: Draws::new(6),
        priorities: Priorities::new(6).unwrap(),
        wanting: Wanting::Always,
        memory: MemoryLimit::NONE,
    };
    let activation = ActiveNodes::Random(FixedProbability::HALF);
    let mut reference =
        Reference::new(torus.topology().unwrap(), config.draws, config.priorities, config.wanting);
    let mut rounds = WordRounds::new(FaultyTorus::<FAULT>(torus), config).unwrap().with_checks(false);
    let mut shadow = Shadow::new(&rounds);
    (0..1500).find(|&round| {
        shadow.observe(&rounds, &activation.in_round(config.draws, round));
        let figures = rounds.round(&activation);
        let expected = reference.round(&activation).unwrap();
        figures != expected || (0..rounds.nodes()).any(|node| differs(&rounds, &shadow, &reference, node))
    })
}

fn differs<const FAULT: usize>(
    rounds: &WordRounds<FaultyTorus<FAULT>>,
    shadow: &Shadow,
    reference: &Reference,
    node: u32,
) -> bool {
    let (memory, inbox) = shadow.node(rounds, node);
    let world = reference.world();
    let mut messages: Vec<_> =
        world.in_transit(NodeId(node)).iter().map(|envelope| (envelope.port, envelope.message)).collect();
    messages.sort_unstable();
    &memory != world.memory(NodeId(node)) || inbox != messages
}

#[test]
fn every_mistake_is_noticed_and_nothing_else() {
    assert_eq!(noticed::<0>(), None);
    let rounds = [
        noticed::<1>(),
        noticed::<2>(),
        noticed::<3>(),
        noticed::<4>(),
        noticed::<5>(),
        noticed::<6>(),
        noticed::<7>(),
        noticed::<8>(),
        noticed::<9>(),
    ];
    for (fault, round) in FAULTS[1..].iter().zip(rounds) {
        assert!(round.is_some(), "{fault:?} goes unnoticed");
    }
}
