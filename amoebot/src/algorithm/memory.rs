//! Public and private memory.

use crate::algorithm::View;

/// A memory whose public part neighbours can read and write, and whose private part they cannot.
///
/// An algorithm whose amoebots hide a part of their memory uses `Split<Public, Private>` as its memory. The private
/// part is visible through the amoebot's own [`View`] only:
///
/// ```
/// use acrasin_amoebot::{Split, View};
///
/// fn steps_so_far(view: &View<'_, Split<bool, u8>>) -> u8 {
///     *view.private()
/// }
/// ```
///
/// An amoebot has no access to the private part of a neighbour:
///
/// ```compile_fail,E0616
/// use acrasin_amoebot::{AmoebotPort, Split, View};
///
/// fn steps_of_neighbour(view: &View<'_, Split<bool, u8>>) -> Option<u8> {
///     Some(view.neighbour(AmoebotPort::head(1))?.memory.private)
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Split<P, Q> {
    /// The part that the amoebot and its neighbours can read and write.
    pub public: P,
    private: Q,
}

impl<P, Q> Split<P, Q> {
    /// A memory with both parts, for a start, or to write to the amoebot itself.
    pub const fn new(public: P, private: Q) -> Self {
        Self { public, private }
    }

    /// This memory with another public part. Only in this way can an amoebot change a neighbour's memory.
    #[must_use]
    pub fn with_public(&self, public: P) -> Self
    where
        Q: Clone,
    {
        Self { public, private: self.private.clone() }
    }
}

impl<'a, P, Q> View<'a, Split<P, Q>> {
    /// The amoebot's own private memory.
    #[must_use]
    pub fn private(&self) -> &'a Q {
        &self.own().private
    }
}

/// One variable of a memory after a write: the written value if the writer changed it, otherwise the current
/// one.
pub(crate) fn merged<T: Copy + PartialEq>(read: T, written: T, now: T) -> T {
    if written == read { now } else { written }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects};
    use crate::model::id::AmoebotId;
    use crate::model::lattice::{Cell, Direction};
    use crate::model::system::{Amoebot, System};
    use crate::run::execution::{RoundRobinActivation, SequentialExecution};
    use crate::{Body, Orientation, start};
    use acrasin_runtime::Seeded;
    use acrasin_runtime::choice::Choices;

    /// Counts its actions in private, up to three, and marks its neighbours in public.
    struct Tally;

    impl Algorithm for Tally {
        type Memory = Split<bool, u8>;
        type Action = ();
        fn actions(&self) -> &[()] {
            &[()]
        }
        fn order(&self) -> ActionOrder {
            ActionOrder::AsListed
        }
        fn enabled(&self, (): (), view: &View<'_, Self::Memory>) -> bool {
            *view.private() < 3
        }
        fn execute(
            &self,
            (): (),
            view: &View<'_, Self::Memory>,
            _: &mut dyn Choices,
        ) -> Result<Effects<Self::Memory>, ActionError> {
            let mut effects = Effects::none().write_own(Split::new(view.own().public, view.private() + 1));
            for neighbour in view.neighbours() {
                effects = effects.write(neighbour.port, neighbour.memory.with_public(true));
            }
            Ok(effects)
        }
    }

    #[test]
    fn neighbours_write_what_is_public_and_leave_what_is_private() {
        let cells = start::line(Cell::ORIGIN, Direction::East, 3).unwrap();
        let amoebots = cells.into_iter().map(|cell| Amoebot {
            body: Body::contracted(cell),
            orientation: Orientation::COMMON,
            memory: Split::default(),
        });
        let mut run = SequentialExecution::new(&Tally, System::new(amoebots.collect()).unwrap());
        assert!(run.run(100, &mut RoundRobinActivation::default(), &mut Seeded::new(1)));
        for id in (0..3).map(AmoebotId) {
            assert_eq!(*run.system().memory(id), Split::new(true, 3));
        }
        assert_eq!(run.counts().actions, 9);
    }
}
