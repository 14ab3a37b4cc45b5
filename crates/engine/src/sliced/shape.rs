//! Selects, by run-time parameters, the code that is compiled for them.

use crate::network::LatticeKind;

use super::fault::SlicedFault;
use super::planes::{BITS_MAX, PlaneShape, SENT};

/// Work that is compiled for every shape.
pub(super) trait ShapeJob {
    /// The result type.
    type Output;

    /// Runs the work. `N` is the number of planes of the shape.
    fn run<S: PlaneShape, const N: usize>(self) -> Self::Output;
}

struct SquarePlanes<const BITS: usize, const DRAWN: bool>;

impl<const BITS: usize, const DRAWN: bool> PlaneShape for SquarePlanes<BITS, DRAWN> {
    const KIND: LatticeKind = LatticeKind::Square;
    const BITS: usize = BITS;
    const DRAWN: bool = DRAWN;
    const FAULT: SlicedFault = SlicedFault::None;
}

struct TriangularPlanes<const BITS: usize, const DRAWN: bool>;

impl<const BITS: usize, const DRAWN: bool> PlaneShape for TriangularPlanes<BITS, DRAWN> {
    const KIND: LatticeKind = LatticeKind::Triangular;
    const BITS: usize = BITS;
    const DRAWN: bool = DRAWN;
    const FAULT: SlicedFault = SlicedFault::None;
}

/// The parameters that select compiled code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ShapeCode {
    pub(super) kind: LatticeKind,
    /// The number of stored bits of a priority: 6 or 9. Bits above log2 K are 0.
    pub(super) bits: usize,
    /// Whether all stored bits are drawn.
    drawn: bool,
    #[cfg(test)]
    pub(super) fault: SlicedFault,
}

impl ShapeCode {
    /// Selects the code for priorities of `bits` bits, 1 to 9.
    pub(super) fn new(kind: LatticeKind, bits: usize) -> Self {
        Self {
            kind,
            bits: if bits <= 6 { 6 } else { BITS_MAX },
            drawn: bits == 6,
            #[cfg(test)]
            fault: SlicedFault::None,
        }
    }

    /// Runs a job with the selected code.
    pub(super) fn run<J: ShapeJob>(self, job: J) -> J::Output {
        #[cfg(test)]
        if self.fault != SlicedFault::None {
            return super::tests::run_with_fault(self.fault, job);
        }
        // The default K has its own code: without masks for drawn bits it is 7 % faster.
        match (self.kind, self.bits, self.drawn) {
            (LatticeKind::Square, 6, true) => job.run::<SquarePlanes<6, true>, 22>(),
            (LatticeKind::Square, 6, false) => job.run::<SquarePlanes<6, false>, 22>(),
            (LatticeKind::Square, _, _) => job.run::<SquarePlanes<9, false>, 25>(),
            (LatticeKind::Triangular, 6, true) => job.run::<TriangularPlanes<6, true>, 26>(),
            (LatticeKind::Triangular, 6, false) => job.run::<TriangularPlanes<6, false>, 26>(),
            (LatticeKind::Triangular, _, _) => job.run::<TriangularPlanes<9, false>, 29>(),
        }
    }

    /// The number of planes of a block.
    pub(super) fn planes(self) -> usize {
        SENT + 2 * (usize::from(self.kind.degree()) + 1) + self.bits
    }
}
