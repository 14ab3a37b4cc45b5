//! Descriptions without their types: what need not be fast is compiled once with them, and not for every algorithm.

use super::description::{Description, Further, Placement};
use super::erased::{AnyAlgorithm, AnyMemory, erased, known};
use crate::model::system::System;

/// A description without its type. It says what the description says.
#[derive(Clone)]
pub struct AnyDescription<'a> {
    algorithm: AnyAlgorithm<'a>,
    behind: &'a dyn Behind,
}

impl<'a> AnyDescription<'a> {
    /// What stands behind it.
    #[must_use]
    pub fn new(behind: &'a dyn Behind) -> Self {
        Self { algorithm: behind.its_algorithm(), behind }
    }
}

/// A description whose type is not known; every [`Description`] is one.
pub trait Behind: Sync {
    /// [`Description::algorithm`].
    fn its_algorithm(&self) -> AnyAlgorithm<'_>;
    /// [`Description::states`].
    fn its_states(&self) -> &'static [&'static str];
    /// Bytes of the box of a memory.
    fn box_bytes(&self) -> usize;
    /// [`Description::may_cycle`].
    fn cycles(&self) -> bool;
    /// [`Description::start`].
    ///
    /// # Errors
    ///
    /// As there.
    fn started(&self, placement: &Placement) -> Result<System<AnyMemory>, String>;
    /// [`Description::is_finished`].
    fn has_finished(&self, system: &System<AnyMemory>) -> bool;
    /// [`Description::state`].
    fn state_of(&self, memory: &AnyMemory) -> usize;
    /// [`Description::fault`].
    fn fault_of(&self, system: &System<AnyMemory>) -> Option<String>;
    /// [`Description::further`].
    fn further_of(&self, system: &System<AnyMemory>) -> Option<Further>;
}

const OWN: &str = "a description sees its own memories alone";

impl<D: Description> Behind for D {
    fn its_algorithm(&self) -> AnyAlgorithm<'_> {
        AnyAlgorithm::new(self.algorithm())
    }

    fn its_states(&self) -> &'static [&'static str] {
        self.states()
    }

    /// Each memory is in a box of its own, which the allocator rounds up.
    fn box_bytes(&self) -> usize {
        size_of::<D::Memory>() + 16
    }

    fn cycles(&self) -> bool {
        self.may_cycle()
    }

    fn started(&self, placement: &Placement) -> Result<System<AnyMemory>, String> {
        Ok(erased(&self.start(placement)?))
    }

    fn has_finished(&self, system: &System<AnyMemory>) -> bool {
        self.is_finished(&known(system).expect(OWN))
    }

    fn state_of(&self, memory: &AnyMemory) -> usize {
        self.state(memory.get().expect(OWN))
    }

    fn fault_of(&self, system: &System<AnyMemory>) -> Option<String> {
        self.fault(&known(system).expect(OWN))
    }

    fn further_of(&self, system: &System<AnyMemory>) -> Option<Further> {
        self.further(&known(system).expect(OWN))
    }
}

impl<'a> Description for AnyDescription<'a> {
    type Memory = AnyMemory;
    type Algorithm = AnyAlgorithm<'a>;

    fn algorithm(&self) -> &AnyAlgorithm<'a> {
        &self.algorithm
    }

    fn states(&self) -> &'static [&'static str] {
        self.behind.its_states()
    }

    fn may_cycle(&self) -> bool {
        self.behind.cycles()
    }

    fn start(&self, placement: &Placement) -> Result<System<AnyMemory>, String> {
        self.behind.started(placement)
    }

    fn is_finished(&self, system: &System<AnyMemory>) -> bool {
        self.behind.has_finished(system)
    }

    fn state(&self, memory: &AnyMemory) -> usize {
        self.behind.state_of(memory)
    }

    fn fault(&self, system: &System<AnyMemory>) -> Option<String> {
        self.behind.fault_of(system)
    }

    fn further(&self, system: &System<AnyMemory>) -> Option<Further> {
        self.behind.further_of(system)
    }

    fn bytes_owned(&self) -> usize {
        self.behind.box_bytes()
    }

    /// Itself: a box in a box would be slower, and say the same.
    fn any(&self) -> AnyDescription<'_> {
        self.clone()
    }
}
