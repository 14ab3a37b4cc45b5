//! Bodies and their ports.

use std::fmt;
use std::num::NonZeroU8;

use acrasin_runtime::{Pack, PackError};

use crate::model::lattice::{Cell, Direction, Rotation};
use crate::model::orientation::Orientation;

/// One of the two ends of a body. A contracted amoebot has its head and its tail on one node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// The node that the amoebot last expanded into, or its only node.
    Head,
    /// The node that the amoebot occupied before it expanded, or its only node.
    Tail,
}

/// A port: an edge from one end of the body, in the amoebot's own labels.
///
/// Ports 1 to 6 leave from the head, or from the only node; ports 7 to 12 leave from the tail. A contracted amoebot has
/// the ports 1 to 6. An expanded amoebot has ten ports: the two ports of the edge between its head and its tail are
/// missing, one at each end. A head port keeps its number and direction when the amoebot contracts into its head.
///
/// The numbers are the amoebot's own: only its [`Orientation`] says to which directions they lead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AmoebotPort(NonZeroU8);

acrasin_runtime::pack_variants!(End { Head, Tail });

/// Packs the number of the port, 1 to 12.
impl Pack for AmoebotPort {
    fn pack(&self, into: &mut Vec<u8>) {
        self.0.get().pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let number = NonZeroU8::new(u8::unpack(from)?).filter(|number| number.get() <= 12);
        number.map(Self).ok_or(PackError)
    }
}

impl AmoebotPort {
    /// The port at `end` with `label`, 1 to 6.
    ///
    /// # Panics
    ///
    /// Panics if the label is not 1 to 6.
    #[inline]
    #[must_use]
    pub const fn new(end: End, label: u8) -> Self {
        assert!(label >= 1 && label <= 6, "labels go from 1 to 6");
        let number = match end {
            End::Head => label,
            End::Tail => label + 6,
        };
        Self(NonZeroU8::new(number).expect("labels start at 1"))
    }

    /// The head port with `label`, 1 to 6.
    ///
    /// # Panics
    ///
    /// Panics if the label is not 1 to 6.
    #[inline]
    #[must_use]
    pub const fn head(label: u8) -> Self {
        Self::new(End::Head, label)
    }

    /// The tail port with `label`, 1 to 6.
    ///
    /// # Panics
    ///
    /// Panics if the label is not 1 to 6.
    #[inline]
    #[must_use]
    pub const fn tail(label: u8) -> Self {
        Self::new(End::Tail, label)
    }

    /// The port with this number.
    ///
    /// # Panics
    ///
    /// Panics if the number is not 1 to 12.
    #[inline]
    pub(crate) const fn numbered(number: u8) -> Self {
        assert!(number <= 12, "ports go from 1 to 12");
        Self(NonZeroU8::new(number).expect("ports go from 1 to 12"))
    }

    /// The six ports at one end, in increasing order of labels.
    pub fn at(end: End) -> impl Iterator<Item = Self> {
        (1..=6).map(move |label| Self::new(end, label))
    }

    /// All twelve ports, in increasing order.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::at(End::Head).chain(Self::at(End::Tail))
    }

    /// The number of the port among all ports of an expanded amoebot, 1 to 12.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0.get()
    }

    /// The end from which the port leaves.
    #[inline]
    #[must_use]
    pub const fn end(self) -> End {
        if self.0.get() <= 6 { End::Head } else { End::Tail }
    }

    /// The label of the port's direction, 1 to 6.
    #[inline]
    #[must_use]
    pub const fn label(self) -> u8 {
        (self.0.get() - 1) % 6 + 1
    }

    /// The port with the same label at `end`.
    #[must_use]
    pub const fn moved_to(self, end: End) -> Self {
        Self::new(end, self.label())
    }

    /// The next port at the same end in this rotation, as the amoebot itself turns.
    #[must_use]
    pub const fn turned(self, rotation: Rotation) -> Self {
        let label = match rotation {
            Rotation::Counterclockwise => self.label() % 6 + 1,
            Rotation::Clockwise => (self.label() + 4) % 6 + 1,
        };
        Self::new(self.end(), label)
    }
}

impl fmt::Display for AmoebotPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for AmoebotPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// The nodes of an amoebot: one node, or two adjacent nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Body {
    head: Cell,
    tail: Cell,
}

/// Packs the head, then the direction from head to tail.
impl Pack for Body {
    fn pack(&self, into: &mut Vec<u8>) {
        (self.head.x(), self.head.y(), self.head.direction_to(self.tail).map(Direction::index)).pack(into);
    }
    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let (x, y, tail) = <(i32, i32, Option<u8>)>::unpack(from)?;
        let head = Cell::new(x, y).map_err(|_| PackError)?;
        let Some(tail) = tail else { return Ok(Self::contracted(head)) };
        let direction = Direction::ALL.get(usize::from(tail)).ok_or(PackError)?;
        let tail = head.neighbour(*direction).ok_or(PackError)?;
        Self::expanded(head, tail).ok_or(PackError)
    }
}

impl Body {
    /// A contracted body on one node.
    #[inline]
    #[must_use]
    pub const fn contracted(cell: Cell) -> Self {
        Self { head: cell, tail: cell }
    }

    /// An expanded body on two nodes; `None` if they are not adjacent.
    #[inline]
    #[must_use]
    pub fn expanded(head: Cell, tail: Cell) -> Option<Self> {
        head.direction_to(tail).map(|_| Self { head, tail })
    }

    /// The node that the amoebot last expanded into, or its only node.
    #[inline]
    #[must_use]
    pub const fn head(self) -> Cell {
        self.head
    }

    /// The node other than the head, or the only node.
    #[inline]
    #[must_use]
    pub const fn tail(self) -> Cell {
        self.tail
    }

    /// The node at one end of the body.
    #[inline]
    #[must_use]
    pub const fn node(self, end: End) -> Cell {
        match end {
            End::Head => self.head,
            End::Tail => self.tail,
        }
    }

    /// Whether the body occupies one node.
    #[inline]
    #[must_use]
    pub fn is_contracted(self) -> bool {
        self.head == self.tail
    }

    /// The end on `cell`; the head if the body is contracted, `None` if it is not on that cell.
    #[inline]
    #[must_use]
    pub fn end_on(self, cell: Cell) -> Option<End> {
        if cell == self.head {
            Some(End::Head)
        } else if cell == self.tail {
            Some(End::Tail)
        } else {
            None
        }
    }

    /// The one or two nodes, head first.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        std::iter::once(self.head).chain((!self.is_contracted()).then_some(self.tail))
    }

    /// The node to which a port leads. `None` if it leads beyond the limit of the lattice, or if the body has no such
    /// port. Tail ports of a contracted amoebot and ports of the edge between head and tail do not exist.
    #[inline]
    #[must_use]
    pub fn leads_to(self, port: AmoebotPort, orientation: Orientation) -> Option<Cell> {
        if port.end() == End::Tail && self.is_contracted() {
            return None;
        }
        let cell = self.node(port.end()).neighbour(orientation.direction(port.label()))?;
        self.end_on(cell).is_none().then_some(cell)
    }

    /// The 6 or 10 ports of the body, in increasing order.
    pub fn ports(self, orientation: Orientation) -> impl Iterator<Item = AmoebotPort> {
        AmoebotPort::all().filter(move |&port| self.leads_to(port, orientation).is_some())
    }

    /// The body moved by (dx, dy); `None` beyond the limit of the lattice.
    #[must_use]
    pub fn translated(self, dx: i32, dy: i32) -> Option<Self> {
        Some(Self { head: self.head.translated(dx, dy)?, tail: self.tail.translated(dx, dy)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn six_ports_contracted_and_ten_expanded_to_eight_nodes() {
        for orientation in Orientation::all() {
            let contracted = Body::contracted(Cell::ORIGIN);
            assert!(contracted.ports(orientation).eq(AmoebotPort::at(End::Head)));
            for head in Cell::ORIGIN.neighbours() {
                let body = Body::expanded(head, Cell::ORIGIN).expect("neighbours are adjacent");
                let ports: Vec<AmoebotPort> = body.ports(orientation).collect();
                assert_eq!(ports.len(), 10);
                let by_end = ports.iter().filter(|port| port.end() == End::Head).count();
                assert_eq!(by_end, 5);
                let nodes: Vec<Cell> =
                    ports.iter().map(|&port| body.leads_to(port, orientation).unwrap()).collect();
                let distinct: BTreeSet<Cell> = nodes.iter().copied().collect();
                assert_eq!(distinct.len(), 8);
                // The two nodes next to both ends are seen twice, once from each end.
                let twice: Vec<Cell> = distinct
                    .into_iter()
                    .filter(|cell| nodes.iter().filter(|n| *n == cell).count() == 2)
                    .collect();
                assert_eq!(twice.len(), 2);
                for cell in twice {
                    assert!(
                        cell.direction_to(body.head()).is_some() && cell.direction_to(body.tail()).is_some()
                    );
                }
            }
        }
    }

    #[test]
    fn ends_must_be_adjacent() {
        let far = Cell::new(2, 0).unwrap();
        assert_eq!(Body::expanded(far, Cell::ORIGIN), None);
        assert_eq!(Body::expanded(Cell::ORIGIN, Cell::ORIGIN), None);
    }

    #[test]
    fn ports_turn_at_their_end() {
        for port in AmoebotPort::all() {
            let back = port.turned(Rotation::Clockwise).turned(Rotation::Counterclockwise);
            assert_eq!(back, port);
            assert_eq!(port.turned(Rotation::Clockwise).end(), port.end());
            assert_eq!(AmoebotPort::new(port.end(), port.label()), port);
        }
        assert_eq!(AmoebotPort::head(6).turned(Rotation::Counterclockwise), AmoebotPort::head(1));
        assert_eq!(AmoebotPort::tail(1).turned(Rotation::Clockwise), AmoebotPort::tail(6));
        assert_eq!(size_of::<Option<AmoebotPort>>(), 1);
    }
}
