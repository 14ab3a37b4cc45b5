//! Who is next to an amoebot.

use crate::model::body::{Body, End, Port};
use crate::model::id::AmoebotId;
use crate::model::lattice::Cell;
use crate::model::occupancy::Occupancy;
use crate::model::orientation::Orientation;

/// Who is next to one end of an amoebot, by label from 1: the number plus one, 0 for no amoebot; it as well, and some twice.
#[inline(always)]
pub(crate) fn at_end(occupied: &Occupancy, body: Body, orientation: Orientation, end: End) -> [u32; 6] {
    next_to(occupied, body.node(end), orientation)
}

/// Who is next to a cell, by label from 1 of an amoebot with this orientation: the number plus one, 0 for no amoebot.
#[inline(always)]
pub(crate) fn next_to(occupied: &Occupancy, cell: Cell, orientation: Orientation) -> [u32; 6] {
    let around = occupied.around(cell);
    if orientation == Orientation::COMMON {
        return around;
    }
    by_label(around, orientation)
}

/// Seldom: most systems have common orientation.
#[inline(never)]
fn by_label(around: [u32; 6], orientation: Orientation) -> [u32; 6] {
    std::array::from_fn(|label| around[usize::from(orientation.direction(label as u8 + 1).index())])
}

/// The neighbours of an amoebot, each once and with the first port that leads to it, in the order of the ports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstPorts {
    /// Who is at each port: the number plus one.
    at: [u32; 12],
    /// A bit for each port that is the first one to somebody and has not been told.
    left: u32,
}

impl FirstPorts {
    /// Compiled once, and not inlined into every guard.
    #[inline(never)]
    pub(crate) fn of(occupied: &Occupancy, id: AmoebotId, body: Body, orientation: Orientation) -> Self {
        let (mut at, mut left) = ([0; 12], 0);
        let head = at_end(occupied, body, orientation, End::Head);
        at[..6].copy_from_slice(&head);
        let own = if body.is_contracted() { 0 } else { id.0 + 1 };
        // Who is at two ports of one node is at two that follow each other.
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
    type Item = (Port, AmoebotId);

    #[inline]
    fn next(&mut self) -> Option<(Port, AmoebotId)> {
        if self.left == 0 {
            return None;
        }
        let port = self.left.trailing_zeros();
        self.left &= self.left - 1;
        Some((Port::numbered(port as u8 + 1), AmoebotId(self.at[port as usize % 12].wrapping_sub(1))))
    }
}
