//! Energy distribution compared with its oracles.

mod every_schedule;
mod inner_view;
mod jostle;
mod runs;
mod starts;
mod watch;
mod wrong_rules;

use acrasin_amoebot::library::energy_distribution::{Action, Memory};
use acrasin_amoebot::library::hexagon;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Effects, EnergyDistribution, Hexagon, Shape, System, View,
    start,
};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{FixedProbability, Seeded};

/// Every connected shape of `n` amoebots with each of them as the seed.
pub(crate) fn hexagon_starts(n: usize) -> Vec<System<hexagon::Memory>> {
    let of = |shape: &Shape| {
        let cells = shape.cells().to_vec();
        (0..n).map(move |seed| Hexagon::start(&cells, seed, &[]).expect("a connected shape"))
    };
    Shape::all_connected(n).expect("few cells").iter().flat_map(of).collect()
}

pub(crate) fn blob(n: usize, seed: u64) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).expect("a probability");
    start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(seed)).expect("a blob")
}

/// Demands that differ between actions: 1, 2, 3, 1, 2, 3 for α1 to α6.
pub(crate) fn uneven(action: hexagon::Action) -> u32 {
    let at = Hexagon.actions().iter().position(|listed| *listed == action);
    at.expect("an action of the list") as u32 % 3 + 1
}

/// Whether a run can end here: every battery is full.
pub(crate) fn is_full<A: Algorithm>(
    distribution: &EnergyDistribution<A>,
    system: &System<Memory<A::Memory>>,
) -> bool {
    distribution.stored(system) == system.len() as u64 * u64::from(distribution.capacity())
}

/// An algorithm without actions.
#[derive(Debug)]
pub(crate) struct Still;

impl Algorithm for Still {
    type Memory = ();
    type Action = ();
    fn actions(&self) -> &[()] {
        &[]
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, (): (), _: &View<'_, ()>) -> bool {
        false
    }
    fn execute(&self, (): (), _: &View<'_, ()>, _: &mut dyn Choices) -> Result<Effects<()>, ActionError> {
        Err(ActionError::Undefined("nothing happens"))
    }
}

/// A mutant: energy distribution with other guards or other effects.
pub(crate) struct Variant<'a, A: Algorithm> {
    pub(crate) of: &'a EnergyDistribution<A>,
    pub(crate) also_enabled: Also<A>,
    pub(crate) instead: Instead<A>,
}

pub(crate) type Label<A> = Action<<A as Algorithm>::Action>;
pub(crate) type Outer<A> = Memory<<A as Algorithm>::Memory>;
/// Enables further actions than the right rules do.
pub(crate) type Also<A> = fn(&EnergyDistribution<A>, Label<A>, &View<'_, Outer<A>>) -> bool;
/// The effects of an action in place of the correct ones.
pub(crate) type Instead<A> = fn(Label<A>, &View<'_, Outer<A>>, Effects<Outer<A>>) -> Effects<Outer<A>>;

impl<'a, A: Algorithm> Variant<'a, A> {
    /// The variant that equals the original.
    pub(crate) fn none(of: &'a EnergyDistribution<A>) -> Self {
        Self { of, also_enabled: |_, _, _| false, instead: |_, _, effects| effects }
    }
}

impl<A: Algorithm> Algorithm for Variant<'_, A> {
    type Memory = Outer<A>;
    type Action = Label<A>;
    fn actions(&self) -> &[Label<A>] {
        self.of.actions()
    }
    fn order(&self) -> ActionOrder {
        self.of.order()
    }
    fn enabled(&self, action: Label<A>, view: &View<'_, Outer<A>>) -> bool {
        self.of.enabled(action, view) || (self.also_enabled)(self.of, action, view)
    }
    fn execute(
        &self,
        action: Label<A>,
        view: &View<'_, Outer<A>>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Outer<A>>, ActionError> {
        Ok((self.instead)(action, view, self.of.execute(action, view, choices)?))
    }
}
