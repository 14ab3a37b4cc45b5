//! [`StripShape`]: a ring or torus divided into strips of whole rows.

use super::super::torus_shape::TorusShape;

/// Rows of agents in a circle; in a ring every row is one agent.
///
/// The longer side of a torus runs across the rows, so that few edges lead from one strip to the next. The strips
/// depend only on the shape, not on the number of threads.
#[derive(Clone, Debug)]
pub(in super::super) struct StripShape {
    torus: TorusShape,
    /// The number of agents per row.
    pub(super) width: u32,
    /// Whether the rows here are the columns of the torus.
    is_turned: bool,
    /// The first row of each strip, followed by the number of rows.
    starts: Vec<u32>,
}

impl StripShape {
    /// Divides a torus into strips of about `size` agents: at least two strips, of at least two rows each.
    pub(in super::super) fn new(torus: TorusShape, size: u32) -> Self {
        let (rows, width, is_turned) = match torus {
            TorusShape::Ring { nodes } => (nodes, 1, false),
            TorusShape::Torus { rows, columns } if rows < columns => (columns, rows, true),
            TorusShape::Torus { rows, columns } => (rows, columns, false),
        };
        assert!(rows >= 4, "two strips of two rows");
        let wanted = (torus.nodes() / u64::from(size)).clamp(2, u64::from(rows / 2));
        let starts = (0..=wanted).map(|strip| (u64::from(rows) * strip / wanted) as u32).collect();
        Self { torus, width, is_turned, starts }
    }

    /// The number of strips, which is also the number of seams: seam `k` is between strip `k - 1` and strip `k`.
    pub(super) fn strips(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of rows of a strip.
    pub(super) fn height(&self, strip: usize) -> u32 {
        self.starts[strip + 1] - self.starts[strip]
    }

    /// The least and the largest height of a strip, in rows.
    pub(super) fn heights(&self) -> [u32; 2] {
        let heights = (0..self.strips()).map(|strip| self.height(strip));
        [heights.clone().min(), heights.max()].map(|height| height.expect("there are strips"))
    }

    /// The first row of a strip.
    pub(super) fn start(&self, strip: usize) -> usize {
        self.starts[strip] as usize * self.width as usize
    }

    /// The number of agents in the upper half of a strip. This half is executed with the seam above the strip.
    pub(super) fn upper(&self, strip: usize) -> usize {
        self.height(strip) as usize / 2 * self.width as usize
    }

    /// The number of edges of one column within a strip of this height: downwards, and to the right unless the shape is
    /// a ring.
    pub(super) fn slots(&self, height: u32) -> u32 {
        if self.is_ring() { height - 1 } else { 2 * height - 1 }
    }

    pub(super) fn is_ring(&self) -> bool {
        matches!(self.torus, TorusShape::Ring { .. })
    }

    pub(in super::super) fn torus(&self) -> TorusShape {
        self.torus
    }

    /// The position of the state of an agent.
    pub(super) fn place(&self, agent: u32) -> usize {
        match self.torus {
            TorusShape::Torus { columns, .. } if self.is_turned => {
                let (row, column) = (agent / columns, agent % columns);
                column as usize * self.width as usize + row as usize
            }
            _ => agent as usize,
        }
    }

    /// The two ends of edge `slot` of `column` in a strip, as positions in the strip: the upper or left end first.
    #[inline(always)]
    pub(super) fn ends(&self, is_ring: bool, slot: u32, column: u32) -> [u32; 2] {
        let width = self.width;
        if is_ring {
            return [slot, slot + 1];
        }
        let place = (slot >> 1) * width + column;
        let right = 1_u32.wrapping_sub(if column + 1 == width { width } else { 0 });
        // Selects numbers without a branch, since the direction cannot be predicted.
        let is_down = (slot & 1).wrapping_neg();
        [place, place.wrapping_add(right ^ ((right ^ width) & is_down))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::torus_shape::EdgeNumbers;
    use super::*;

    /// Every edge of the torus belongs to exactly one strip or seam.
    #[test]
    fn strips_and_seams_have_every_edge_once() {
        let shapes = [
            TorusShape::Ring { nodes: 11 },
            TorusShape::Torus { rows: 9, columns: 5 },
            TorusShape::Torus { rows: 4, columns: 7 },
            TorusShape::Torus { rows: 6, columns: 6 },
        ];
        for (torus, size) in shapes.into_iter().flat_map(|torus| [1, 12, 20, 1000].map(|size| (torus, size)))
        {
            let shape = StripShape::new(torus, size);
            let mut found = Vec::new();
            let mut add = |u: usize, v: usize| found.push([u.min(v), u.max(v)]);
            for strip in 0..shape.strips() {
                let (start, height) = (shape.start(strip), shape.height(strip));
                assert!(height >= 2);
                for (slot, column) in (0..shape.slots(height))
                    .flat_map(|slot| (0..shape.width).map(move |column| (slot, column)))
                {
                    let [u, v] = shape.ends(shape.is_ring(), slot, column);
                    add(start + u as usize, start + v as usize);
                }
                let above = if strip == 0 { shape.start(shape.strips()) } else { start };
                for column in 0..shape.width as usize {
                    add(above - shape.width as usize + column, start + column);
                }
            }
            found.sort_unstable();
            let numbers = EdgeNumbers::new(torus);
            let mut wanted: Vec<_> = (0..torus.edge_count() as u32)
                .map(|edge| {
                    let mut ends = numbers.ends(edge).map(|agent| shape.place(agent));
                    ends.sort_unstable();
                    ends
                })
                .collect();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{torus:?} in strips of {size}");
        }
    }
}
