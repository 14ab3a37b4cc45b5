//! The place of an amoebot in the layers, determined from its neighbours.

use super::memory::{LayerMark, Memory, State};
use super::spot::{BOTH_WAYS, LayerPlace, LayerSide, PortsBelow, opposite};
use crate::algorithm::View;
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::Rotation;

/// The place of the node of one end, if that node is in the first layer; `None` if it is not next to the object.
fn in_first_layer(a: &View<'_, Memory>, end: End) -> Option<LayerPlace> {
    let below = PortsBelow::of(AmoebotPort::at(end).filter(|port| a.object(*port)));
    (below != PortsBelow(0)).then_some(LayerPlace { layer: 1, below })
}

/// The place of a contracted amoebot next to the object.
pub(super) fn first_layer(a: &View<'_, Memory>) -> Option<LayerPlace> {
    if a.is_contracted() { in_first_layer(a, End::Head) } else { None }
}

/// The port to the node behind the tail, if the tail is in the first layer.
pub(super) fn behind_tail(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    let place = in_first_layer(a, End::Tail)?;
    place.below.beside(opposite(place.way()), End::Tail)
}

/// The retired amoebots in the layer below, as a contracted amoebot sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ViewBelow {
    /// The amoebot's place in the layers, which follows from the retired amoebots below.
    pub(super) place: LayerPlace,
    /// Whether all nodes below have retired amoebots.
    pub(super) is_complete: bool,
    /// A port to an empty node of the layer below; `None` if there is none.
    pub(super) gap: Option<AmoebotPort>,
    /// Whether the amoebot's layer begins at its place.
    pub(super) is_beginning: bool,
}

/// The place and the mark of the retired neighbour at a port, and the neighbour's port that leads back; `None` if no
/// retired neighbour is there.
fn retired_at(a: &View<'_, Memory>, port: AmoebotPort) -> Option<(LayerPlace, LayerMark, AmoebotPort)> {
    let State::Retired(place, mark) = a.read(port).ok()?.state else { return None };
    let opposite = (0..3).fold(port, |port, _| port.turned(Rotation::Clockwise));
    let label = a.label_of_neighbour(port, opposite.label()).ok()?;
    Some((place, mark, AmoebotPort::head(label)))
}

/// The layer below, as a contracted amoebot sees it; `None` unless the amoebot is above retired amoebots.
pub(super) fn stand(a: &View<'_, Memory>) -> Option<ViewBelow> {
    if !a.is_contracted() {
        return None;
    }
    let lower =
        |port| retired_at(a, port).filter(|(place, _, here)| place.below.side(*here) == LayerSide::Above);
    let below = PortsBelow::of(AmoebotPort::at(End::Head).filter(|port| lower(*port).is_some()));
    let mut stand: Option<ViewBelow> = None;
    for port in AmoebotPort::at(End::Head) {
        let Some((there, mark, here)) = lower(port) else { continue };
        let place = LayerPlace { layer: (there.layer + 1) % 4, below };
        let stand =
            stand.get_or_insert(ViewBelow { place, is_complete: true, gap: None, is_beginning: false });
        stand.is_beginning |= mark != LayerMark::None && there.beginning() == Some(here);
        for way in BOTH_WAYS {
            // The node next to both is one port further at the neighbour, in the opposite sense.
            let ends = there.below.side(here.turned(opposite(way))) == LayerSide::Above;
            let beside = port.turned(way);
            if !below.contains(beside) && !ends {
                stand.is_complete = false;
                stand.gap = stand.gap.or((!a.connected(beside)).then_some(beside));
            }
        }
    }
    stand
}
