//! The phase is compete if and only if C ≠ {}, prepare if and only if C = {} and A ≠ {}, and otherwise ⊥, with A = C =
//! H = {}.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message, Phase};
use acrasin_runtime::{CriticalSection, World};

use super::{Property, each_node};

/// The phase follows from the sets: there are candidates, or only applicants, or neither (Table 1, Lemma 4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseTells;

impl<E, S> Property<E, S> for PhaseTells
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "phase tells candidates from applicants"
    }
    fn source(&self) -> &'static str {
        "Table 1, Lemma 4.2"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        each_node(world, |_, memory| {
            let (candidates, applicants) = (memory.candidates(), memory.applicants());
            let (on_hold, phase) = (memory.on_hold(), memory.phase);
            let expected = match (candidates.is_empty(), applicants.is_empty()) {
                (false, _) => Phase::Compete,
                (true, false) => Phase::Prepare,
                (true, true) => Phase::Idle,
            };
            let right = phase == expected && (phase != Phase::Idle || on_hold.is_empty());
            (!right).then(|| format!("phase={phase}, but C={candidates} A={applicants} H={on_hold}"))
        })
    }
}
