//! Places: a node in a layer, and the layers of its neighbours.

use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::Rotation;

/// The ports that lead to the layer below, or to the object: consecutive ports of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PortsBelow(pub(super) u8);

acrasin_runtime::pack_fields!(PortsBelow { 0 });

/// The layer of an adjacent node, relative to an amoebot's own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayerSide {
    /// One layer down.
    Below,
    /// In the same layer, next or behind.
    Beside,
    /// One layer up.
    Above,
}

impl PortsBelow {
    pub(super) fn of(ports: impl Iterator<Item = AmoebotPort>) -> Self {
        Self(ports.fold(0, |bits, port| bits | Self::bit(port)))
    }

    const fn bit(port: AmoebotPort) -> u8 {
        1 << (port.label() - 1)
    }

    /// Whether the port with this label leads to the layer below or to the object.
    #[must_use]
    pub const fn contains(self, port: AmoebotPort) -> bool {
        self.0 & Self::bit(port) != 0
    }

    /// The relative layer of the node at the port with this label.
    #[must_use]
    pub fn side(self, port: AmoebotPort) -> LayerSide {
        if self.contains(port) {
            LayerSide::Below
        } else if BOTH_WAYS.iter().any(|&way| self.contains(port.turned(way))) {
            LayerSide::Beside
        } else {
            LayerSide::Above
        }
    }

    /// The first port after these ports in the sense of rotation `way`. This port leads to a node of the same layer.
    pub(super) fn beside(self, way: Rotation, end: End) -> Option<AmoebotPort> {
        let last =
            AmoebotPort::at(end).find(|port| self.contains(*port) && !self.contains(port.turned(way)))?;
        Some(last.turned(way))
    }
}

pub(super) const BOTH_WAYS: [Rotation; 2] = [Rotation::Counterclockwise, Rotation::Clockwise];

/// A place: a node in a layer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LayerPlace {
    /// The layer modulo 4; the first one is 1.
    pub layer: u8,
    /// The ports to the layer below.
    pub below: PortsBelow,
}

acrasin_runtime::pack_fields!(LayerPlace { layer, below });

impl LayerPlace {
    /// The direction in which the layer moves: odd layers clockwise, even layers counter-clockwise.
    pub(super) const fn way(self) -> Rotation {
        if self.layer % 2 == 1 { Rotation::Clockwise } else { Rotation::Counterclockwise }
    }

    /// The port to the next node.
    pub(super) fn next(self) -> Option<AmoebotPort> {
        self.below.beside(self.way(), End::Head)
    }

    /// The port to the node behind.
    pub(super) fn behind(self) -> Option<AmoebotPort> {
        self.below.beside(opposite(self.way()), End::Head)
    }

    /// The port to the node above that is also adjacent to the next node. If the amoebot at this place is a marker, the
    /// next layer begins there.
    pub(super) fn beginning(self) -> Option<AmoebotPort> {
        Some(self.next()?.turned(self.way()))
    }
}

pub(super) const fn opposite(way: Rotation) -> Rotation {
    match way {
        Rotation::Clockwise => Rotation::Counterclockwise,
        Rotation::Counterclockwise => Rotation::Clockwise,
    }
}
