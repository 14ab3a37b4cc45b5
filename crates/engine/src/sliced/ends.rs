//! The blocks beyond the two ends of a row of the bands, taken from the adjacent bands.

use crate::unchecked::{Kernel, Vectors, run_widest};

use super::fault::SlicedFault;
use super::planes::{
    BITS_MAX, COMPETES, HELD, LANES, Lanes, PORTS_MAX, PlaneBlock, PlaneShape, PortSide, SENT, TOGGLE, back,
    for_each, side,
};

/// The largest number of planes of a block that are read through one port.
const READ_PLANES_MAX: usize = 5 + BITS_MAX;

/// The blocks beyond the ends of three rows.
pub(super) struct RowEnds<'a, const N: usize> {
    pub(super) east: &'a PlaneBlock<N>,
    pub(super) west: &'a PlaneBlock<N>,
    pub(super) above_west: &'a PlaneBlock<N>,
    pub(super) below_east: &'a PlaneBlock<N>,
}

/// The blocks beyond the ends of these rows.
///
/// With several bands side by side, these blocks are in other lanes. The planes that are read from them are then moved
/// between lanes and written to `moved`, which has space for four blocks.
#[inline(always)]
pub(super) fn ends<'a, S: PlaneShape, const N: usize>(
    across: usize,
    vectors: Vectors,
    [below, own, above]: [&'a [PlaneBlock<N>]; 3],
    moved: &'a mut [Lanes],
) -> RowEnds<'a, N> {
    let last = own.len() - 1;
    if S::FAULT.is(SlicedFault::RowsOpen) {
        return RowEnds {
            east: &own[last],
            west: &own[last],
            above_west: &above[last],
            below_east: &below[last],
        };
    }
    if across == 1 || S::FAULT.is(SlicedFault::ColumnsApart) {
        return RowEnds { east: &own[0], west: &own[last], above_west: &above[last], below_east: &below[0] };
    }
    let mut moves = [const { None }; PORTS_MAX];
    let (blocks, _) = moved.as_chunks_mut::<N>();
    let [east, west, above_west, below_east, ..] = blocks else {
        unreachable!("there is memory for four blocks")
    };
    {
        let mut into = [Some(&mut *east), Some(&mut *west), Some(&mut *above_west), Some(&mut *below_east)];
        for_each!(PORT of S::PORTS, {
            let end = match const { side(S::KIND, PORT) } {
                PortSide::East => Some((0, &own[0], true)),
                PortSide::West => Some((1, &own[last], false)),
                PortSide::AboveWest => Some((2, &above[last], false)),
                PortSide::BelowEast => Some((3, &below[0], true)),
                PortSide::Own | PortSide::Above | PortSide::Below => None,
            };
            moves[PORT] = end.and_then(|(number, from, up)| {
                let planes = const { &read_planes(S::WON, S::PRIORITY, S::BITS, back(S::KIND, PORT, S::FAULT)) };
                let into = into[number].take()?.as_mut_slice();
                Some(PlaneMove { from: from.as_slice(), into, planes: &planes[..5 + S::BITS], up })
            });
        });
        run_widest(vectors, PlaneMoves { moves, across });
    }
    RowEnds { east, west, above_west, below_east }
}

/// The planes that are read from a neighbour whose port `back` leads to the reader.
const fn read_planes(won: usize, priority: usize, bits: usize, back: usize) -> [usize; READ_PLANES_MAX] {
    let mut planes = [HELD, COMPETES, TOGGLE, SENT + back, won + back, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut bit = 0;
    while bit < bits {
        planes[5 + bit] = priority + bit;
        bit += 1;
    }
    planes
}

/// Copies some planes of a block to another block, with lanes moved.
struct PlaneMove<'a> {
    from: &'a [Lanes],
    into: &'a mut [Lanes],
    planes: &'a [usize],
    /// Whether each band reads the lane of the next band; otherwise it reads the lane of the previous band.
    up: bool,
}

struct PlaneMoves<'a> {
    moves: [Option<PlaneMove<'a>>; PORTS_MAX],
    across: usize,
}

impl Kernel for PlaneMoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { moves, across } = self;
        for PlaneMove { from, into, planes, up } in moves.into_iter().flatten() {
            macro_rules! order {
                ($($lane:literal)*) => {
                    for &plane in planes {
                        let lanes = from[plane];
                        into[plane] = [$(lanes[$lane]),*];
                    }
                };
            }
            match (across, up) {
                (2, _) => order!(1 0 3 2 5 4 7 6),
                (4, true) => order!(1 2 3 0 5 6 7 4),
                (4, false) => order!(3 0 1 2 7 4 5 6),
                (LANES, true) => order!(1 2 3 4 5 6 7 0),
                (LANES, false) => order!(7 0 1 2 3 4 5 6),
                _ => order!(0 1 2 3 4 5 6 7),
            }
        }
    }
}
