//! Evaluation of guards, ports and effects on a view.

use super::memory::Memory;
use super::written::{Neighbourly, PortTerm, Spot, TableCondition, TableEffect};
use crate::algorithm::{ActionError, Effects, Neighbour, View};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::Rotation;
use crate::model::operation::{Movement, OperationError};

type Sees<'a> = View<'a, Memory>;

fn port_of(value: u8) -> Option<AmoebotPort> {
    (value > 0).then(|| AmoebotPort::numbered(value))
}

impl TableCondition<usize, u8> {
    pub(super) fn holds(&self, a: &Sees<'_>) -> bool {
        match self {
            Self::All(all) => all.iter().all(|one| one.holds(a)),
            Self::Any(any) => any.iter().any(|one| one.holds(a)),
            Self::Not(not) => !not.holds(a),
            Self::Is(variable, value) => a.own().value(*variable) == *value,
            Self::In(variable, values) => values.contains(&a.own().value(*variable)),
            Self::Contracted => a.is_contracted(),
            Self::Expanded => !a.is_contracted(),
            Self::AnyNeighbour(of) => a.any_neighbour(|b| of.holds(a, &b)),
            Self::EveryNeighbour(of) => a.all_neighbours(|b| of.holds(a, &b)),
            Self::NoNeighbour(of) => !a.any_neighbour(|b| of.holds(a, &b)),
            Self::AnyAt(side, of) => a.find_neighbour_at((*side).into(), |b| of.holds(a, b)).is_some(),
            Self::Arcs(count, of) => arcs(a, of) == usize::from(*count),
            Self::At(port, spot) => port.port(a).is_some_and(|port| spot.is_at(a, port)),
        }
    }
}

/// The number of arcs of head ports whose neighbours satisfy the condition, counted by the last port of each arc.
fn arcs(a: &Sees<'_>, of: &Neighbourly<usize, u8>) -> usize {
    let is_so = |port: AmoebotPort| a.neighbour(port).is_some_and(|b| of.holds(a, &b));
    AmoebotPort::at(End::Head)
        .filter(|port| is_so(*port) && !is_so(port.turned(Rotation::Counterclockwise)))
        .count()
}

impl Neighbourly<usize, u8> {
    fn holds(&self, a: &Sees<'_>, b: &Neighbour<'_, Memory>) -> bool {
        let leads = |variable: usize| a.pointed_at_by(b, port_of(b.memory.value(variable))?);
        match self {
            Self::Somebody => true,
            Self::All(all) => all.iter().all(|one| one.holds(a, b)),
            Self::Any(any) => any.iter().any(|one| one.holds(a, b)),
            Self::Not(not) => !not.holds(a, b),
            Self::Is(variable, value) => b.memory.value(*variable) == *value,
            Self::In(variable, values) => values.contains(&b.memory.value(*variable)),
            Self::Contracted => b.contracted,
            Self::Expanded => !b.contracted,
            Self::PointsHere(variable) => leads(*variable).is_some(),
            Self::PointsAt(variable, side) => leads(*variable) == Some((*side).into()),
        }
    }
}

impl Spot<usize, u8> {
    fn is_at(&self, a: &Sees<'_>, port: AmoebotPort) -> bool {
        let neighbour = |of: &Neighbourly<usize, u8>| a.neighbour(port).is_some_and(|b| of.holds(a, &b));
        match self {
            Self::Free => !a.connected(port) && !a.object(port),
            Self::Object => a.object(port),
            Self::Neighbour(of) => neighbour(of),
            Self::NoNeighbour(of) => !neighbour(of),
        }
    }
}

impl PortTerm<usize, u8> {
    /// The port; `None` if no port satisfies the term.
    pub(super) fn port(&self, a: &Sees<'_>) -> Option<AmoebotPort> {
        match self {
            Self::Here => None,
            Self::Label(label) => Some(AmoebotPort::head(*label)),
            Self::Variable(variable) => port_of(a.own().value(*variable)),
            Self::First(side, spot) => AmoebotPort::at((*side).into()).find(|port| spot.is_at(a, *port)),
            Self::Turn(from, way, spot) => {
                let round = std::iter::successors(from.port(a), |port| Some(port.turned((*way).into())));
                round.take(6).find(|port| spot.is_at(a, *port))
            }
            Self::Turned(from, labels) => {
                let turned = |port: AmoebotPort| port.turned(Rotation::Counterclockwise);
                (0..*labels).try_fold(from.port(a)?, |port, _| Some(turned(port)))
            }
        }
    }

    fn found(&self, a: &Sees<'_>) -> Result<AmoebotPort, ActionError> {
        self.port(a).ok_or(ActionError::Undefined("no port meets the condition of an effect"))
    }
}

/// The effects that an action has collected so far.
#[derive(Default)]
struct Draft {
    own: Option<Memory>,
    others: Vec<(AmoebotPort, Memory)>,
    movement: Option<Movement>,
}

impl Draft {
    fn own(&mut self, a: &Sees<'_>) -> &mut Memory {
        self.own.get_or_insert(*a.own())
    }

    fn other(&mut self, a: &Sees<'_>, port: AmoebotPort) -> Result<&mut Memory, ActionError> {
        let position = self.others.iter().position(|(at, _)| *at == port);
        let position = match position {
            Some(position) => position,
            None => {
                self.others.push((port, *a.read(port)?));
                self.others.len() - 1
            }
        };
        Ok(&mut self.others[position].1)
    }

    fn movement(&mut self, movement: Movement) -> Result<(), ActionError> {
        if self.movement.replace(movement).is_some() {
            return Err(OperationError::MovesAgain.into());
        }
        Ok(())
    }

    fn add(
        &mut self,
        a: &Sees<'_>,
        effects: &[TableEffect<usize, u8>],
        pulls: bool,
    ) -> Result<(), ActionError> {
        for effect in effects {
            match effect {
                TableEffect::Write(variable, value) => self.own(a).set(*variable, *value),
                TableEffect::WritePort(variable, port) => {
                    let port = port.found(a)?;
                    self.own(a).set(*variable, port.number());
                }
                TableEffect::WriteAt(port, variable, value) => {
                    self.other(a, port.found(a)?)?.set(*variable, *value);
                }
                TableEffect::PointBack(port, variable) => {
                    let port = port.found(a)?;
                    let back = if pulls { back_once_pulled(a, port)? } else { back_now(a, port)? };
                    self.other(a, port)?.set(*variable, back.number());
                }
                TableEffect::Expand(port) => self.movement(Movement::Expand(port.found(a)?))?,
                TableEffect::Contract(side) => self.movement(Movement::Contract((*side).into()))?,
                TableEffect::Pull(port) => self.movement(Movement::Pull(port.found(a)?))?,
                TableEffect::Push(port) => self.movement(Movement::Push(port.found(a)?))?,
                TableEffect::When(condition, effects) => {
                    if condition.holds(a) {
                        self.add(a, effects, pulls)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The port that leads from the pulled amoebot back to A after the handover, when its head is where the tail of A was.
fn back_once_pulled(a: &Sees<'_>, port: AmoebotPort) -> Result<AmoebotPort, ActionError> {
    let forward = a.forward().ok_or(ActionError::Undefined("a contracted amoebot pulls"))?;
    Ok(AmoebotPort::head(a.label_of_neighbour(port, forward)?))
}

fn back_now(a: &Sees<'_>, port: AmoebotPort) -> Result<AmoebotPort, ActionError> {
    let opposite = port.turned(Rotation::Clockwise).turned(Rotation::Clockwise).turned(Rotation::Clockwise);
    let label = a.label_of_neighbour(port, opposite.label())?;
    let end = a.end_of_neighbour(port).ok_or(ActionError::Undefined("no neighbour is at the port"))?;
    Ok(AmoebotPort::new(end, label))
}

fn pulls(effects: &[TableEffect<usize, u8>]) -> bool {
    effects.iter().any(|effect| match effect {
        TableEffect::Pull(_) => true,
        TableEffect::When(_, effects) => pulls(effects),
        _ => false,
    })
}

/// Computes the effects of an action.
pub(super) fn executed(
    a: &Sees<'_>,
    effects: &[TableEffect<usize, u8>],
) -> Result<Effects<Memory>, ActionError> {
    let mut draft = Draft::default();
    draft.add(a, effects, pulls(effects))?;
    let own = draft.own.into_iter().fold(Effects::none(), Effects::write_own);
    let all = draft.others.into_iter().fold(own, |effects, (port, memory)| effects.write(port, memory));
    Ok(draft.movement.into_iter().fold(all, Effects::then))
}
