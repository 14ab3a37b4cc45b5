//! The election on a ring and what follows it, under all schedules, from states that no short run reaches.

use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::token_election::Vector;
use acrasin_amoebot::library::universal_coating::{
    CrowdBehind, ElectionAgent, ElectionState, LayerProbe, Memory, ProbeFinding, State,
};
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::{
    Algorithm, Amoebot, AmoebotPort, Body, Cell, Direction, Orientation, SequentialExploration, System,
    UniversalCoating, explore,
};
use acrasin_runtime::Seeded;

use super::oracle::{cell, fault_at_the_end, line};

/// A contracted amoebot in the first layer. If `bit` is given, the amoebot is a candidate with its first probe.
pub(crate) fn root(bit: Option<u8>, complaints: u8) -> Memory {
    let probe = bit.map(|bit| LayerProbe { bit, finding: ProbeFinding::Laid });
    let standing = bit.map_or(ElectionState::Bystander, |bit| ElectionState::Candidate { bit, heard: None });
    let agent = ElectionAgent { standing, moved: true, vector: Vector::ZERO, probe };
    Memory { state: State::Root, parent: None, complaints, behind: CrowdBehind::Present, agent }
}

/// Amoebots around one cell, clockwise from the east.
pub(crate) fn ring(memories: &[Memory]) -> System<Memory> {
    let mut cells: Vec<Cell> = Cell::ORIGIN.neighbours().collect();
    cells.reverse();
    let amoebot = |(cell, memory): (Cell, &Memory)| Amoebot {
        body: Body::contracted(cell),
        orientation: Orientation::COMMON,
        memory: *memory,
    };
    let amoebots = cells.into_iter().zip(memories).map(amoebot).collect();
    let system = System::new(amoebots).and_then(|system| system.with_object([Cell::ORIGIN]));
    system.expect("different cells")
}

pub(crate) fn explored<A>(algorithm: &A, starts: Vec<System<Memory>>) -> SequentialExploration<Memory>
where
    A: Algorithm<Memory = Memory> + Sync,
{
    let goal = |system: &System<Memory>| fault_at_the_end(system).is_none();
    explore(algorithm, starts, goal, Scope::default()).expect("few states")
}

/// Explores the election of these candidates on a full ring. Returns the numbers of states and of final states.
fn election(bits: [Option<u8>; 6]) -> (usize, usize) {
    let all = explored(&UniversalCoating, vec![ring(&bits.map(|bit| root(bit, 0)))]);
    assert!(all.hopeless == 0 && all.aborted == 0, "{bits:?}: {:?}", all.way_to_hopeless);
    (all.states, all.finals.len())
}

#[test]
fn one_of_a_full_ring_is_elected() {
    let (no, zero, one) = (None, Some(0), Some(1));
    let mut found = Vec::new();
    for bits in [
        [one, no, no, no, no, no],
        [zero, one, no, no, no, no],
        [zero, zero, no, no, no, no],
        [one, no, no, one, no, no],
        [one, no, zero, no, no, no],
        [one, no, one, no, one, no],
    ] {
        found.push(election(bits));
    }
    assert_eq!(found, [(715, 1), (983, 1), (1901, 2), (935, 2), (1004, 1), (3313, 3)]);
}

/// With fewer than six amoebots on the ring no leader is elected, and every run ends.
#[test]
fn no_amoebot_of_a_ring_with_a_gap_is_elected() {
    let mut found = Vec::new();
    for (bits, complaints) in [
        ([Some(0), None, None, None, None], [0, 0, 1, 0, 2]),
        ([None, Some(0), None, Some(0), None], [2, 0, 0, 0, 0]),
    ] {
        let memories: Vec<Memory> =
            bits.into_iter().zip(complaints).map(|(bit, many)| root(bit, many)).collect();
        let all = explored(&UniversalCoating, vec![ring(&memories)]);
        assert!(!all.is_cyclic() && all.stuck.is_empty() && all.aborted == 0);
        found.push((all.states, all.finals.len()));
    }
    assert_eq!(found, [(409_745, 1114), (836, 7)]);
}

/// With five amoebots on the ring and one above them, the amoebot that enters later is not a candidate.
#[test]
fn entering_amoebots_do_not_disturb_the_election() {
    let ring = ring(&[Some(1), None, None, None, None].map(|bit| root(bit, 0)));
    let follower = Memory { state: State::Follower, parent: Some(AmoebotPort::head(4)), ..root(None, 0) };
    let above =
        Amoebot { body: Body::contracted(cell(2, -1)), orientation: Orientation::COMMON, memory: follower };
    let amoebots = ring.ids().map(|id| ring.amoebot(id).clone()).chain([above]).collect();
    let start = System::new(amoebots).and_then(|system| system.with_object([Cell::ORIGIN]));
    let all = explored(&UniversalCoating, vec![start.expect("different cells")]);
    assert!(all.hopeless == 0 && all.aborted == 0, "{:?}", all.way_to_hopeless);
    assert_eq!((all.states, all.finals.len()), (194_600, 1));
}

/// The system of a run at the moment when a leader is elected.
pub(crate) fn elected(cells: &[Cell], object: &[Cell], seed: u64) -> System<Memory> {
    let start = UniversalCoating::start(cells, object, &[]).expect("a good start");
    let mut execution = SequentialExecution::new(&UniversalCoating, start);
    let mut choices = Seeded::new(seed);
    while UniversalCoating::leaders(execution.system()).is_empty() {
        assert!(!execution.run(1, &mut UniformEnabled, &mut choices), "elected before the end");
    }
    execution.system().clone()
}

/// Explores all orders from some systems in which a leader was just elected. Returns the numbers of initial systems,
/// states and final states.
fn explored_after_election(n: usize, seeds: std::ops::Range<u64>) -> (usize, usize, usize) {
    let column = line(cell(1, 0), Direction::East, n);
    let starts = seeds.map(|seed| elected(&column, &[Cell::ORIGIN], seed)).collect();
    let all = explored(&UniversalCoating, starts);
    assert!(!all.is_cyclic() && all.stuck.is_empty() && all.aborted == 0, "{:?}", all.way_to_stuck);
    (all.initial, all.states, all.finals.len())
}

#[test]
fn every_order_after_the_election() {
    let found = [7, 8, 10, 12].map(|n| explored_after_election(n, 0..8));
    assert_eq!(found, [(8, 122, 1), (4, 186, 1), (4, 314, 1), (3, 958, 1)]);
}
