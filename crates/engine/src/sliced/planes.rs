//! What is stored of 512 nodes: bit planes.

use crate::network::LatticeKind;

use super::fault::Fault;

/// Words in a vector, whatever the processor has: the layout depends on nothing but the lattice.
pub(super) const LANES: usize = 8;

/// One bit of 512 nodes: of 64 consecutive nodes in each of the [`LANES`] bands.
pub(super) type Lanes = [u64; LANES];

/// All planes of 512 nodes.
pub(super) type Block<const N: usize> = [Lanes; N];

/// Ports of a node at most, its port to itself included.
pub(super) const PORTS_MAX: usize = 7;

/// Bits of a priority at most: what the published word of 32 bits has room for.
pub(super) const BITS_MAX: usize = 9;

/// What is pending from the node may have to wait: it prepares, or it competes again.
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
/// Set-lock and release are what is pending from a node with neither of the first two: everybody answers them at once,
/// and nothing is ever pending from a node that is idle or locked.
pub(super) const HELD: usize = 0;
/// The node competes.
pub(super) const COMPETES: usize = 1;
/// The node has won its competition and has not called Unlock.
pub(super) const TAKES: usize = 2;
/// The node has its lock set, or gives it back.
pub(super) const LEAVES: usize = 3;
/// The toggle: flips with every message to the lock set.
pub(super) const TOGGLE: usize = 4;
/// Whether somebody has locked the node.
pub(super) const LOCK: usize = 5;
/// A plane a port: flips with every reply on the port.
pub(super) const SENT: usize = 6;

/// Everything that the code is compiled for separately: then every loop over ports and planes has a known length, and
/// the planes of a block are at known places.
pub(super) trait Shape {
    /// The neighbourhood.
    const KIND: LatticeKind;
    /// Bits of a priority that are stored: K is at most 2 to this power.
    const BITS: usize;
    /// Whether all of them are drawn: K is 2 to that power.
    const DRAWN: bool;
    /// A deliberate mistake; only tests have some.
    const FAULT: Fault;

    /// Ports of a node, its port to itself included.
    const PORTS: usize = Self::KIND.degree() as usize + 1;
    /// A plane a port: whether the last reply on the port was win(true).
    const WON: usize = SENT + Self::PORTS;
    /// A plane a bit of the priority drawn last.
    const PRIORITY: usize = Self::WON + Self::PORTS;
    /// Planes of a block.
    const PLANES: usize = Self::PRIORITY + Self::BITS;
}

/// Where the neighbour on a port is, port 0 included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Own,
    East,
    Above,
    AboveWest,
    West,
    Below,
    BelowEast,
}

/// The side on which a port is. For a port that nodes have not, any: constants are computed for those too.
pub(super) const fn side(kind: LatticeKind, port: usize) -> Side {
    if port == 0 || port > kind.degree() as usize {
        return Side::Own;
    }
    match kind.directions()[port - 1] {
        (1, 0) => Side::East,
        (0, 1) => Side::Above,
        (-1, 1) => Side::AboveWest,
        (-1, 0) => Side::West,
        (0, -1) => Side::Below,
        (1, -1) => Side::BelowEast,
        _ => panic!("no lattice has such a neighbour"),
    }
}

/// The port of the neighbour on a port for the same edge.
pub(super) const fn back(kind: LatticeKind, port: usize, fault: Fault) -> usize {
    if port == 0 || port > kind.degree() as usize || fault.is(Fault::SamePortBack) {
        return port;
    }
    kind.reverse(port as u16) as usize
}

/// Repeats a block for every port, or every bit of a priority: `for_each!(PORT of S::PORTS, { .. })`. Written out, as the
/// compiler turns the loop around it into vector instructions only if there is no loop inside.
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
