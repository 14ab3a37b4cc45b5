//! A test algorithm that violates a property during its runs but not at their ends.

use acrasin_amoebot::algorithm::description::{Description, Facts, Placement};
use acrasin_amoebot::library::hexagon::{Memory, State};
use acrasin_amoebot::{Hexagon, System};

/// Hexagon formation with the additional safety property that there are no roots.
pub(super) struct NoRoots;

impl Description for NoRoots {
    type Memory = Memory;
    type Algorithm = Hexagon;

    fn algorithm(&self) -> &Hexagon {
        &Hexagon
    }

    fn facts(&self) -> Facts<'_> {
        Facts { states: Hexagon.facts().states, ..Facts::default() }
    }

    fn state(&self, memory: &Memory) -> usize {
        Hexagon.state(memory)
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Description::start(&Hexagon, placement)
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Hexagon::is_finished(system)
    }

    fn fault(&self, system: &System<Memory>) -> Option<String> {
        let roots = system.ids().filter(|id| system.memory(*id).state == State::Root).count();
        (roots > 0).then(|| format!("{roots} roots"))
    }
}
