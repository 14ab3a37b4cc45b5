//! Effects: the writes and the movement of an action.

use crate::model::id::AmoebotId;

use crate::model::body::AmoebotPort;
use crate::model::lattice::Cell;
use crate::model::operation::{Movement, OperationError};
use crate::model::system::{Moved, System};
use smallvec::SmallVec;

/// The memories that an action writes: in most algorithms the memory of the acting amoebot and at most one other
/// memory.
pub(crate) type Writes<W, M> = SmallVec<[(W, M); 2]>;

/// The writes of an action, and its movement.
pub(crate) type WritesAndMovement<M> = (Writes<Option<AmoebotPort>, M>, Option<Movement>);

/// The effects of an action after its computation: writes, and at most one movement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effects<M> {
    writes: Writes<Option<AmoebotPort>, M>,
    movement: Option<Movement>,
    /// Whether a second movement was added; such effects cannot be applied.
    moves_again: bool,
}

/// The part of an action that was carried out when a run stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Portion {
    /// The writes and the movement.
    #[default]
    Whole,
    /// The movement, an expansion, without the writes.
    Movement,
    /// The writes, without the movement that follows them.
    Writes,
}

impl<M> Effects<M> {
    /// Effects without writes and without a movement.
    #[must_use]
    pub const fn none() -> Self {
        Self { writes: SmallVec::new_const(), movement: None, moves_again: false }
    }

    /// Write(⊥, v): sets the memory of the acting amoebot.
    #[must_use]
    pub fn write_own(mut self, memory: M) -> Self {
        self.writes.push((None, memory));
        self
    }

    /// Write(p, v): sets the memory of the neighbour that is at `port` before the movement.
    #[must_use]
    pub fn write(mut self, port: AmoebotPort, memory: M) -> Self {
        self.writes.push((Some(port), memory));
        self
    }

    /// Adds the movement, which follows the writes. An action has at most one movement: effects with a second movement
    /// fail with [`OperationError::MovesAgain`].
    #[must_use]
    pub fn then(mut self, movement: Movement) -> Self {
        self.moves_again = self.movement.is_some();
        self.movement.get_or_insert(movement);
        self
    }

    /// The writes, in order. A write without a port is to the amoebot itself.
    #[must_use]
    pub fn writes(&self) -> &[(Option<AmoebotPort>, M)] {
        &self.writes
    }

    /// The movement, or the first one if several were added; `None` if the amoebot does not move.
    #[must_use]
    pub fn movement(&self) -> Option<Movement> {
        self.movement
    }

    /// Splits the effects into the writes and the movement.
    ///
    /// # Errors
    ///
    /// A second movement was added.
    pub(crate) fn into_parts(self) -> Result<WritesAndMovement<M>, OperationError> {
        if self.moves_again { Err(OperationError::MovesAgain) } else { Ok((self.writes, self.movement)) }
    }

    /// Keeps only a portion of the effects.
    pub(crate) fn portion(self, portion: Portion) -> Self {
        match portion {
            Portion::Whole => self,
            Portion::Movement => Self { writes: SmallVec::new(), ..self },
            Portion::Writes => Self { movement: None, ..self },
        }
    }

    /// The error of applying the effects when the amoebot acts alone; `None` if they can be applied.
    pub(crate) fn failure(&self, system: &System<M>, me: AmoebotId) -> Option<OperationError> {
        if self.moves_again {
            return Some(OperationError::MovesAgain);
        }
        if let Some(error) = self.movement.and_then(|movement| system.moved(me, movement).err()) {
            return Some(error);
        }
        let mut ports = self.writes.iter().filter_map(|(port, _)| *port);
        let port = ports.find(|port| system.neighbour(me, *port).is_none())?;
        Some(OperationError::NotConnected { port })
    }

    /// Applies all effects, or none if one fails.
    ///
    /// # Errors
    ///
    /// The first operation that fails; the movement is checked before the writes. The system is then unchanged.
    pub fn apply(self, system: &mut System<M>, me: AmoebotId) -> Result<(), OperationError> {
        self.resolved(system, me)?.apply(system);
        Ok(())
    }

    /// Replaces ports by the amoebots at them, and the movement by the bodies that result from it.
    ///
    /// # Errors
    ///
    /// As for [`apply`](Self::apply).
    #[inline]
    pub(crate) fn resolved(
        mut self,
        system: &System<M>,
        me: AmoebotId,
    ) -> Result<Resolved<M>, OperationError> {
        if self.moves_again {
            return Err(OperationError::MovesAgain);
        }
        let moved = match self.movement {
            Some(movement) => Some(system.moved(me, movement)?),
            None => None,
        };
        let mut writes = SmallVec::new();
        for (port, memory) in self.writes.drain(..) {
            let whose = match port {
                None => me,
                Some(port) => system.neighbour(me, port).ok_or(OperationError::NotConnected { port })?,
            };
            writes.push((whose, memory));
        }
        Ok(Resolved { me, writes, moved })
    }
}

/// Effects that were checked to be possible, with amoebots in place of ports.
#[derive(Clone, Debug)]
pub(crate) struct Resolved<M> {
    me: AmoebotId,
    writes: Writes<AmoebotId, M>,
    moved: Option<Moved>,
}

impl<M> Resolved<M> {
    /// The changed amoebots: the actor, those to which it writes, and its handover partner. Each is listed once, unless
    /// it is written twice.
    #[inline]
    pub(crate) fn changed(&self) -> impl Iterator<Item = AmoebotId> + '_ {
        let written = self.writes.iter().map(|(whose, _)| *whose).filter(|whose| *whose != self.me);
        let is_written = |who: &AmoebotId| self.writes.iter().any(|(whose, _)| whose == who);
        let partner = self.moved.and_then(Moved::partner).filter(|partner| !is_written(partner));
        std::iter::once(self.me).chain(written).chain(partner)
    }

    /// The amoebot that expands and the cell it newly occupies. Only amoebots adjacent to that cell, or adjacent
    /// to a changed amoebot beforehand, can be affected.
    #[inline]
    pub(crate) fn entered(&self) -> Option<(AmoebotId, Cell)> {
        self.moved.and_then(Moved::entered)
    }

    /// Applies the effects, on the system for which they were resolved.
    #[inline]
    pub(crate) fn apply(mut self, system: &mut System<M>) {
        // Drained in place: taking the list by value would copy it first.
        for (whose, memory) in self.writes.drain(..) {
            system.set_memory(whose, memory);
        }
        if let Some(moved) = self.moved {
            system.put(moved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::body::{Body, End};
    use crate::model::lattice::Cell;
    use crate::model::orientation::Orientation;
    use crate::model::system::Amoebot;

    fn pair() -> System<u8> {
        let at = |x, memory| Amoebot {
            body: Body::contracted(Cell::new(x, 0).unwrap()),
            orientation: Orientation::COMMON,
            memory,
        };
        System::new(vec![at(0, 10), at(1, 20)]).unwrap()
    }

    #[test]
    fn effects_are_all_or_nothing() {
        let before = pair();
        let occupied = Effects::none()
            .write_own(1)
            .write(AmoebotPort::head(1), 2)
            .then(Movement::Expand(AmoebotPort::head(1)));
        let unconnected = Effects::none()
            .write_own(1)
            .write(AmoebotPort::head(2), 2)
            .then(Movement::Expand(AmoebotPort::head(3)));
        for (effects, error) in [
            (occupied, OperationError::Occupied { port: AmoebotPort::head(1) }),
            (unconnected, OperationError::NotConnected { port: AmoebotPort::head(2) }),
        ] {
            let mut system = before.clone();
            assert_eq!(effects.apply(&mut system, AmoebotId(0)), Err(error));
            assert_eq!(system, before);
        }
        let mut system = before.clone();
        let fine = Effects::none()
            .write_own(1)
            .write(AmoebotPort::head(1), 2)
            .then(Movement::Expand(AmoebotPort::head(2)));
        fine.apply(&mut system, AmoebotId(0)).unwrap();
        assert_eq!((system.memory(AmoebotId(0)), system.memory(AmoebotId(1))), (&1, &2));
        assert!(!system.body(AmoebotId(0)).is_contracted());
    }

    /// Regression: a second movement used to panic the whole run.
    #[test]
    fn a_second_movement_fails_whatever_the_first_is() {
        for first in [Movement::Expand(AmoebotPort::head(2)), Movement::Contract(End::Tail)] {
            let effects = || Effects::none().write_own(1).then(first).then(Movement::Contract(End::Head));
            let (before, mut system) = (pair(), pair());
            assert_eq!(effects().failure(&before, AmoebotId(0)), Some(OperationError::MovesAgain));
            assert_eq!(effects().into_parts().err(), Some(OperationError::MovesAgain));
            for portion in [Portion::Whole, Portion::Movement, Portion::Writes] {
                let done = effects().portion(portion).apply(&mut system, AmoebotId(0));
                assert_eq!(done, Err(OperationError::MovesAgain));
            }
            assert_eq!(system, before);
        }
    }
}
