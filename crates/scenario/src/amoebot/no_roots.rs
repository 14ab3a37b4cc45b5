//! A subject that is wrong in the midst of its runs and right at their ends: for tests.

use acrasin_amoebot::library::hexagon;
use acrasin_amoebot::{Hexagon, System};

use super::given::Given;
use super::subject::{Ground, Subject};

/// Hexagon formation in which there must not be roots.
pub(super) struct NoRoots;

impl Subject for Given<Hexagon, NoRoots> {
    fn states(&self) -> &'static [&'static str] {
        Subject::states(&self.algorithm)
    }

    fn start(&self, ground: &Ground) -> Result<System<hexagon::Memory>, String> {
        Subject::start(&self.algorithm, ground)
    }

    fn is_finished(&self, system: &System<hexagon::Memory>) -> bool {
        Subject::is_finished(&self.algorithm, system)
    }

    fn state(&self, memory: &hexagon::Memory) -> usize {
        Subject::state(&self.algorithm, memory)
    }

    fn fault(&self, system: &System<hexagon::Memory>) -> Option<String> {
        let roots = system.ids().filter(|id| system.memory(*id).state == hexagon::State::Root).count();
        (roots > 0).then(|| format!("{roots} roots"))
    }
}
