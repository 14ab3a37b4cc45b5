//! Sections whose results reveal every change of order, draw, port or neighbour.

use std::num::NonZeroU32;

use acrasin_engine::draw::{NodeDraws, mix};
use acrasin_engine::waves::{Held, WaveTask};
use acrasin_runtime::choice::{Choices, Decision};
use acrasin_runtime::section::{CriticalSection, Locked};

const BOUND: NonZeroU32 = NonZeroU32::new(1000).expect("positive");

/// Mixes all states of the closed neighbourhood into each of them. A node does not want to enter in one state of
/// five.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stir;

fn wants(own: u64, degree: u16) -> bool {
    own % 5 != u64::from(degree) % 5
}

fn next(before: u64, port: u16, of: u64) -> u64 {
    mix(before ^ mix(of.wrapping_add(u64::from(port))))
}

impl CriticalSection for Stir {
    type State = u64;
    type Outcome = u64;

    fn wants(&self, own: &u64, degree: u16) -> bool {
        wants(*own, degree)
    }

    fn enter(&self, held: &mut Locked<'_, u64>, choices: &mut dyn Choices) -> u64 {
        let mut sum = *held.own() ^ u64::from(choices.pick(BOUND, Decision::Outcome));
        let ports: Vec<_> = held.ports().collect();
        for &port in &ports {
            let neighbour = held.neighbour_mut(port).expect("listed");
            sum = next(sum, port.0, *neighbour);
            *neighbour = next(*neighbour, port.0, sum);
        }
        sum ^= u64::from(choices.pick(BOUND, Decision::Outcome));
        *held.own_mut() = sum;
        sum
    }
}

/// [`Stir`] written as a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StirTask;

impl WaveTask for StirTask {
    type State = u64;
    type Outcome = u64;

    fn wants<H: Held<State = u64>>(&self, held: &H) -> bool {
        let listed = (0..).map_while(|nth| held.nth_port(nth)).count();
        assert_eq!(listed, usize::from(held.degree()));
        wants(*held.own(), held.degree())
    }

    fn enter<H: Held<State = u64>>(&self, held: &mut H, draws: &mut NodeDraws) -> u64 {
        assert_eq!(held.neighbour(0), None);
        assert_eq!(held.neighbour(held.ports() + 1), None);
        let mut sum = *held.own() ^ u64::from(draws.pick(BOUND, Decision::Outcome));
        for nth in 0..held.degree() {
            let port = held.nth_port(nth).expect("below the degree");
            let neighbour = held.neighbour_mut(port).expect("listed");
            sum = next(sum, port, *neighbour);
            *neighbour = next(*neighbour, port, sum);
        }
        sum ^= u64::from(draws.pick(BOUND, Decision::Outcome));
        *held.own_mut() = sum;
        sum
    }
}
