//! The oracle for waves: executes turns one after another.

use super::journal::Journal;
use super::neighbourhoods::{IndexedNeighbourhoods, MemberBuffer};
use super::task::WaveTask;
use super::turns::{TurnResults, turn};
use crate::draw::{Draws, Purpose};
use crate::network::PortNetwork;

/// Runs the turns of `nodes` one after another in this order, on one thread, with the draws of wave `wave`.
///
/// [`TaskWaves::run`](super::TaskWaves::run) gives the same result for the order
/// [`TaskWaves::turns`](super::TaskWaves::turns), and for the order that
/// [`TaskWaves::logged`](super::TaskWaves::logged) returns.
///
/// # Panics
///
/// Panics unless `states` has one entry per node, or if a node of the order does not exist.
pub fn replay<N: PortNetwork, T: WaveTask, J: Journal<T::Outcome>>(
    network: &N,
    draws: Draws,
    wave: u64,
    nodes: &[u32],
    task: &T,
    states: &mut [T::State],
) -> J {
    assert_eq!(states.len(), network.nodes() as usize, "one state a node");
    let section = draws.stream(Purpose::Section, wave);
    let (neighbourhoods, mut members) =
        (IndexedNeighbourhoods { network, base: 0, near: None }, MemberBuffer::new());
    let mut entered = TurnResults { count: 0, journal: J::default() };
    for &node in nodes {
        let held = neighbourhoods.hold_at(states, node as usize, &mut members);
        turn(task, held, node, section, &mut entered);
    }
    entered.journal
}
