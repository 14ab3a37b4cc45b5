//! Bit planes: the storage of 512 nodes.

use crate::network::LatticeKind;

use super::fault::SlicedFault;

/// The number of words in a vector. It is the same on every processor, so the memory layout depends only on the
/// lattice.
pub(super) const LANES: usize = 8;

/// One bit for each of 512 nodes: 64 consecutive nodes in each of the [`LANES`] bands.
pub(super) type Lanes = [u64; LANES];

/// All planes of 512 nodes.
pub(super) type PlaneBlock<const N: usize> = [Lanes; N];

/// The largest number of ports of a node, including its port to itself.
pub(super) const PORTS_MAX: usize = 7;

/// The largest number of bits of a priority: as many as the 32-bit published word has room for.
pub(super) const BITS_MAX: usize = 9;

/// Set if messages pending from the node may have to wait for their replies: the node prepares, or competes again.
///
/// The state is stored in four planes, of which neighbours read two:
///
/// | state | held | competes | takes | leaves |
/// |---|---|---|---|---|
/// | idle | | | | |
/// | prepare | 1 | | | |
/// | compete, first trial | | 1 | | |
/// | compete, later trial | 1 | 1 | | |
/// | win | | | 1 | |
/// | locked | | | 1 | 1 |
/// | unlock | | | | 1 |
///
/// If neither of the first two planes is set, a message pending from the node is a set-lock or a release, which every
/// node answers at once. No message is ever pending from an idle node or a holder.
pub(super) const HELD: usize = 0;
/// The node competes.
pub(super) const COMPETES: usize = 1;
/// The node has won its competition and has not called Unlock.
pub(super) const TAKES: usize = 2;
/// The node holds its lock set, or releases it.
pub(super) const LEAVES: usize = 3;
/// The toggle: flips with every message to the lock set.
pub(super) const TOGGLE: usize = 4;
/// Whether the node is locked.
pub(super) const LOCK: usize = 5;
/// One plane per port: flips with every reply on the port.
pub(super) const SENT: usize = 6;

/// The parameters for which the code is compiled separately. Every loop over ports and planes then has a constant
/// length, and the planes of a block have constant positions.
pub(super) trait PlaneShape {
    /// The kind of lattice: the neighbourhood of a cell.
    const KIND: LatticeKind;
    /// The number of stored bits of a priority: K is at most 2 to this power.
    const BITS: usize;
    /// Whether all [`BITS`](Self::BITS) bits are drawn, so that K is 2 to this power.
    const DRAWN: bool;
    /// A deliberate fault, only in tests.
    const FAULT: SlicedFault;

    /// The number of ports of a node, including its port to itself.
    const PORTS: usize = Self::KIND.degree() as usize + 1;
    /// One plane per port: whether the last reply on the port was win(true).
    const WON: usize = SENT + Self::PORTS;
    /// One plane per bit of the priority drawn last.
    const PRIORITY: usize = Self::WON + Self::PORTS;
    /// The number of planes of a block.
    const PLANES: usize = Self::PRIORITY + Self::BITS;
}

/// The position of the neighbour on a port, port 0 included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PortSide {
    Own,
    East,
    Above,
    AboveWest,
    West,
    Below,
    BelowEast,
}

/// The side of a port. For ports that nodes do not have, the result is arbitrary, since constants are computed for such
/// ports as well.
pub(super) const fn side(kind: LatticeKind, port: usize) -> PortSide {
    if port == 0 || port > kind.degree() as usize {
        return PortSide::Own;
    }
    match kind.directions()[port - 1] {
        (1, 0) => PortSide::East,
        (0, 1) => PortSide::Above,
        (-1, 1) => PortSide::AboveWest,
        (-1, 0) => PortSide::West,
        (0, -1) => PortSide::Below,
        (1, -1) => PortSide::BelowEast,
        _ => panic!("no lattice has such a neighbour"),
    }
}

/// The port that the neighbour on `port` has for the same edge.
pub(super) const fn back(kind: LatticeKind, port: usize, fault: SlicedFault) -> usize {
    if port == 0 || port > kind.degree() as usize || fault.is(SlicedFault::SamePortBack) {
        return port;
    }
    kind.reverse(port as u16) as usize
}

/// Repeats a block for every port, or every bit of a priority: `for_each!(PORT of S::PORTS, { .. })`.
///
/// The repetition is unrolled, because the compiler vectorises the surrounding loop only if it contains no inner
/// loop.
macro_rules! for_each {
    (PORT of $limit:expr, $block:block) => {
        for_each!(@ PORT, $limit, $block, 0 1 2 3 4 5 6)
    };
    (BIT of $limit:expr, $block:block) => {
        for_each!(@ BIT, $limit, $block, 0 1 2 3 4 5 6 7 8)
    };
    (@ $index:ident, $limit:expr, $block:block, $($number:literal)*) => {
        $(
            if const { $number < $limit } {
                const $index: usize = $number;
                $block
            }
        )*
    };
}
pub(super) use for_each;
