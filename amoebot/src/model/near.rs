//! The neighbours of an amoebot, read from the occupancy map.

use crate::model::body::{AmoebotPort, Body, End};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::occupancy::Occupancy;
use crate::model::orientation::Orientation;

/// The occupants around one end of an amoebot, by label from 1: the identity plus one, 0 for a free cell. The
/// amoebot itself is included, and a neighbour may appear twice.
#[inline(always)]
pub(crate) fn at_end(occupied: &Occupancy, body: Body, orientation: Orientation, end: End) -> [u32; 6] {
    next_to(occupied, body.node(end), orientation)
}

/// The occupants around a cell, by label from 1 in this orientation: the identity plus one, 0 for a free cell.
#[inline(always)]
pub(crate) fn next_to(occupied: &Occupancy, cell: Cell, orientation: Orientation) -> [u32; 6] {
    let around = occupied.around(cell);
    if orientation == Orientation::COMMON {
        return around;
    }
    by_label(around, orientation)
}

/// Reorders occupants from lattice directions to labels. Rarely needed, since most systems have common orientation.
#[inline(never)]
fn by_label(around: [u32; 6], orientation: Orientation) -> [u32; 6] {
    std::array::from_fn(|label| around[usize::from(orientation.direction(label as u8 + 1).index())])
}

/// An iterator over the neighbours of an amoebot in the order of the ports. Each neighbour is returned once, with the
/// first port that leads to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstPorts {
    /// The occupant at each port: the identity plus one.
    at: [u32; 12],
    /// A bit for each port that is the first one to its neighbour and has not been returned yet.
    left: u32,
}

impl FirstPorts {
    /// The first ports of the neighbours of an amoebot. Not inlined: it would be compiled again into every guard.
    #[inline(never)]
    pub(crate) fn of(occupied: &Occupancy, id: AmoebotId, body: Body, orientation: Orientation) -> Self {
        let (mut at, mut left) = ([0; 12], 0);
        let head = at_end(occupied, body, orientation, End::Head);
        at[..6].copy_from_slice(&head);
        let own = if body.is_contracted() { 0 } else { id.0 + 1 };
        // If a neighbour is at two ports of one node, these are consecutive.
        let is_again = |ring: &[u32; 6], port: usize| {
            (port > 0 && ring[port - 1] == ring[port]) || (port == 5 && ring[0] == ring[5])
        };
        for port in 0..6 {
            left |= u32::from(head[port] != 0 && head[port] != own && !is_again(&head, port)) << port;
        }
        if !body.is_contracted() {
            let tail = at_end(occupied, body, orientation, End::Tail);
            at[6..].copy_from_slice(&tail);
            for port in 0..6 {
                let is_new = !is_again(&tail, port) && head.iter().all(|number| *number != tail[port]);
                left |= u32::from(tail[port] != 0 && tail[port] != own && is_new) << (6 + port);
            }
        }
        Self { at, left }
    }
}

impl Iterator for FirstPorts {
    type Item = (AmoebotPort, AmoebotId);

    #[inline]
    fn next(&mut self) -> Option<(AmoebotPort, AmoebotId)> {
        if self.left == 0 {
            return None;
        }
        let port = self.left.trailing_zeros();
        self.left &= self.left - 1;
        Some((AmoebotPort::numbered(port as u8 + 1), AmoebotId(self.at[port as usize % 12].wrapping_sub(1))))
    }
}
