//! Where an amoebot stands in the layers, as far as it can tell.

use super::memory::{Mark, Memory, State};
use super::spot::{BOTH_WAYS, Below, Side, Spot, opposite};
use crate::algorithm::View;
use crate::model::body::{End, Port};
use crate::model::lattice::Rotation;

/// The place of one end in the first layer.
fn in_first_layer(a: &View<'_, Memory>, end: End) -> Option<Spot> {
    let below = Below::of(Port::at(end).filter(|port| a.object(*port)));
    (below != Below(0)).then_some(Spot { layer: 1, below })
}

/// The place of a contracted amoebot beside the object.
pub(super) fn first_layer(a: &View<'_, Memory>) -> Option<Spot> {
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
    pub(super) place: Spot,
    /// Whether all are.
    pub(super) is_complete: bool,
    /// A port to an empty node of the layer below.
    pub(super) gap: Option<Port>,
    /// Whether the layer begins here.
    pub(super) is_beginning: bool,
}

/// The place and the mark of a retired neighbour, and its port that leads here.
fn retired_at(a: &View<'_, Memory>, port: Port) -> Option<(Spot, Mark, Port)> {
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
        let place = Spot { layer: (there.layer + 1) % 4, below };
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
