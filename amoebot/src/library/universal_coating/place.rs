//! Where an amoebot stands in the layers, as far as it can tell.

use super::{Mark, Memory, State};
use crate::algorithm::View;
use crate::model::body::{End, Port};
use crate::model::lattice::Rotation;

/// The ports that lead to the layer below, or to the object: one after another round a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Below(u8);

/// On which side of an amoebot in a layer a node beside it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// One layer down.
    Below,
    /// In the same layer, next or behind.
    Beside,
    /// One layer up.
    Above,
}

impl Below {
    fn of(ports: impl Iterator<Item = Port>) -> Self {
        Self(ports.fold(0, |bits, port| bits | Self::bit(port)))
    }

    const fn bit(port: Port) -> u8 {
        1 << (port.label() - 1)
    }

    /// Whether the port with this label leads below.
    #[must_use]
    pub const fn contains(self, port: Port) -> bool {
        self.0 & Self::bit(port) != 0
    }

    /// On which side the node at the port with this label is.
    #[must_use]
    pub fn side(self, port: Port) -> Side {
        if self.contains(port) {
            Side::Below
        } else if BOTH_WAYS.iter().any(|&way| self.contains(port.turned(way))) {
            Side::Beside
        } else {
            Side::Above
        }
    }

    /// The first port after them, that way round: it leads to the same layer.
    fn beside(self, way: Rotation, end: End) -> Option<Port> {
        let last = Port::at(end).find(|port| self.contains(*port) && !self.contains(port.turned(way)))?;
        Some(last.turned(way))
    }
}

pub(super) const BOTH_WAYS: [Rotation; 2] = [Rotation::Counterclockwise, Rotation::Clockwise];

/// A node in a layer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The layer modulo 4; the first one is 1.
    pub layer: u8,
    /// Where the layer below is.
    pub below: Below,
}

impl Place {
    /// Which way round the layer moves: odd ones clockwise, even ones counter-clockwise.
    const fn way(self) -> Rotation {
        if self.layer % 2 == 1 { Rotation::Clockwise } else { Rotation::Counterclockwise }
    }

    /// The port to the next node.
    pub(super) fn next(self) -> Option<Port> {
        self.below.beside(self.way(), End::Head)
    }

    /// The port to the node behind.
    pub(super) fn behind(self) -> Option<Port> {
        self.below.beside(opposite(self.way()), End::Head)
    }

    /// The port to the node above that is beside the next node, too: where the next layer begins, if this is the marker.
    fn beginning(self) -> Option<Port> {
        Some(self.next()?.turned(self.way()))
    }
}

const fn opposite(way: Rotation) -> Rotation {
    match way {
        Rotation::Clockwise => Rotation::Counterclockwise,
        Rotation::Counterclockwise => Rotation::Clockwise,
    }
}

/// The place of one end in the first layer.
fn in_first_layer(a: &View<'_, Memory>, end: End) -> Option<Place> {
    let below = Below::of(Port::at(end).filter(|port| a.object(*port)));
    (below != Below(0)).then_some(Place { layer: 1, below })
}

/// The place of a contracted amoebot beside the object.
pub(super) fn first_layer(a: &View<'_, Memory>) -> Option<Place> {
    if a.is_contracted() { in_first_layer(a, End::Head) } else { None }
}

/// The port to the node behind the tail, if that is in the first layer.
pub(super) fn behind_tail(a: &View<'_, Memory>) -> Option<Port> {
    let place = in_first_layer(a, End::Tail)?;
    place.below.beside(opposite(place.way()), End::Tail)
}

/// What a contracted amoebot sees of a layer below with retired ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    /// Its place, as far as those below are retired.
    pub(super) place: Place,
    /// Whether all are.
    pub(super) is_complete: bool,
    /// A port to an empty node of the layer below.
    pub(super) gap: Option<Port>,
    /// Whether the layer begins here.
    pub(super) is_beginning: bool,
}

/// The place and the mark of a retired neighbour, and its port that leads here.
fn retired_at(a: &View<'_, Memory>, port: Port) -> Option<(Place, Mark, Port)> {
    let State::Retired(place, mark) = a.read(port).ok()?.state else { return None };
    let opposite = (0..3).fold(port, |port, _| port.turned(Rotation::Clockwise));
    let label = a.label_of_neighbour(port, opposite.label()).ok()?;
    Some((place, mark, Port::head(label)))
}

/// Where a contracted amoebot stands above retired ones.
pub(super) fn stand(a: &View<'_, Memory>) -> Option<Stand> {
    if !a.is_contracted() {
        return None;
    }
    let lower = |port| retired_at(a, port).filter(|(place, _, here)| place.below.side(*here) == Side::Above);
    let below = Below::of(Port::at(End::Head).filter(|port| lower(*port).is_some()));
    let mut stand: Option<Stand> = None;
    for port in Port::at(End::Head) {
        let Some((there, mark, here)) = lower(port) else { continue };
        let place = Place { layer: (there.layer + 1) % 4, below };
        let stand = stand.get_or_insert(Stand { place, is_complete: true, gap: None, is_beginning: false });
        stand.is_beginning |= mark != Mark::None && there.beginning() == Some(here);
        for way in BOTH_WAYS {
            // The node beside both is one port further there, the other way round.
            let ends = there.below.side(here.turned(opposite(way))) == Side::Above;
            let beside = port.turned(way);
            if !below.contains(beside) && !ends {
                stand.is_complete = false;
                stand.gap = stand.gap.or((!a.connected(beside)).then_some(beside));
            }
        }
    }
    stand
}
