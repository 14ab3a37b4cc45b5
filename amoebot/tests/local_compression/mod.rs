//! Compression by algorithm A: invariants, the exact distribution of small systems, long runs, bad input.

mod concurrently;
mod exact;
mod invariants;
mod runs;
mod starts;

use acrasin_amoebot::chain::EdgeRing;
use acrasin_amoebot::library::local_compression::{Action, Memory};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, AmoebotPort, Effects, End, LocalCompression, Looks, Movement,
    Rotation, Shape, System, View,
};
use acrasin_runtime::choice::{Choices, Decision, pick_with_probability};

/// N_n(e): the number of connected sets of n cells without holes that have e adjacent pairs, up to translation.
const SHAPES_WITH_EDGES: [(usize, &[(u64, u64)]); 4] = [
    (3, &[(2, 9), (3, 2)]),
    (4, &[(3, 29), (4, 12), (5, 3)]),
    (5, &[(4, 99), (5, 60), (6, 21), (7, 6)]),
    (6, &[(5, 348), (6, 280), (7, 129), (8, 42), (9, 14)]),
];

/// The distribution of chain M: the probabilities of the edge counts, the lowest first.
fn law_of_chain(shapes: &[(u64, u64)], lambda: f64) -> Vec<f64> {
    let weight = |&(edges, count): &(u64, u64)| count as f64 * lambda.powi(edges as i32);
    let sum: f64 = shapes.iter().map(weight).sum();
    shapes.iter().map(|shape| weight(shape) / sum).collect()
}

fn algorithm(lambda: f64) -> LocalCompression {
    LocalCompression::new(lambda).expect("a bias")
}

fn tails(system: &System<Memory>) -> Shape {
    Shape::from_cells(LocalCompression::tails(system)).expect("some cells")
}

/// The mistake of a wrong variant.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Mistake {
    /// Every expansion sets the flag.
    AlwaysFlag,
    /// The heads of expanded neighbours count as amoebots.
    HeadsCount,
    /// Every allowed move is accepted.
    IgnoresBias,
    /// An acting amoebot locks its neighbours only.
    LocksNeighbours,
}

/// Algorithm A with a mistake.
struct Wrong(LocalCompression, Mistake);

impl Algorithm for Wrong {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        self.0.actions()
    }

    fn order(&self) -> ActionOrder {
        self.0.order()
    }

    fn looks(&self) -> Looks {
        if self.1 == Mistake::LocksNeighbours { Looks::AtNeighbours } else { self.0.looks() }
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        self.0.enabled(action, a)
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        match (action, self.1) {
            (Action::Expand, Mistake::AlwaysFlag) => {
                let effects = self.0.execute(action, a, choices)?;
                let set = |movement| Effects::none().write_own(Memory { flag: true }).then(movement);
                Ok(effects.movement().map_or(Effects::none(), set))
            }
            (Action::Contract, Mistake::HeadsCount) => {
                let gain = ring_with_heads(a).gain().filter(|_| a.own().flag);
                let forward = gain.is_some_and(|gain| {
                    pick_with_probability(choices, self.0.acceptance(gain), Decision::Outcome)
                });
                let left = if forward { End::Tail } else { End::Head };
                Ok(Effects::none().write_own(Memory { flag: false }).then(Movement::Contract(left)))
            }
            (Action::Contract, Mistake::IgnoresBias) => algorithm(1.0).execute(action, a, choices),
            _ => self.0.execute(action, a, choices),
        }
    }
}

fn ring_with_heads(a: &View<'_, Memory>) -> EdgeRing {
    let forward = AmoebotPort::tail(a.forward().expect("expanded"));
    let turned = |turns| (0..turns).fold(forward, |port, _| port.turned(Rotation::Counterclockwise));
    let port = |bit| if bit < 5 { turned(bit + 1) } else { turned(bit).moved_to(End::Head) };
    EdgeRing((0..8).filter(|bit| a.connected(port(*bit))).fold(0, |ring, bit| ring | 1 << bit))
}
