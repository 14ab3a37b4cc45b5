//! The exact test whether two edges collide during a movement half.
//!
//! Every edge keeps its direction `u`. At time `t` it consists of the points `p + t v + s u` with `0 <= s <= L(t)`. The
//! length `L(t)` is 1, `t` or `1 - t`. Two different directions of the lattice have determinant 1 or -1, so the
//! parameters of an intersection are affine in `t` with whole coefficients. Times are fractions; nothing is rounded.

use super::conflict::{ConflictTime, EdgeOwners};
use super::displacement::Shift;

/// The length of an edge as a function of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EdgeLength {
    Constant,
    Growing,
    Shrinking,
}

impl EdgeLength {
    /// The length as an affine function: its value at time 0 and its change.
    fn affine(self) -> Affine {
        match self {
            Self::Constant => Affine { start: 1, change: 0 },
            Self::Growing => Affine { start: 0, change: 1 },
            Self::Shrinking => Affine { start: 1, change: -1 },
        }
    }
}

/// An edge of the structure during a half.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingEdge {
    /// The position of the edge's first point at time 0.
    pub(super) start: Shift,
    /// The displacement of the first point during the half.
    pub(super) way: Shift,
    /// The index of the direction from the first point to the second one, 0 to 5.
    pub(super) direction: u8,
    pub(super) length: EdgeLength,
    /// The points with which the two ends of the edge move.
    pub(super) points: [u32; 2],
    pub(super) owners: EdgeOwners,
}

const UNITS: [Shift; 6] = [
    Shift { x: 1, y: 0 },
    Shift { x: 0, y: 1 },
    Shift { x: -1, y: 1 },
    Shift { x: -1, y: 0 },
    Shift { x: 0, y: -1 },
    Shift { x: 1, y: -1 },
];

impl MovingEdge {
    fn unit(&self) -> Shift {
        UNITS[usize::from(self.direction)]
    }

    /// Turns the description of the edge around if its direction is 3, 4 or 5, so that it becomes 0, 1 or 2.
    fn forward(self) -> Self {
        if self.direction < 3 {
            return self;
        }
        let unit = self.unit();
        let length = self.length.affine();
        let scaled = |factor: i64| Shift { x: unit.x * factor, y: unit.y * factor };
        let [first, second] = self.points;
        Self {
            start: self.start + scaled(length.start),
            way: self.way + scaled(length.change),
            direction: self.direction - 3,
            points: [second, first],
            ..self
        }
    }

    /// The positions of both of its points at time 0, and their displacements.
    pub(super) fn ends(&self) -> [(Shift, Shift); 2] {
        let (unit, length) = (self.unit(), self.length.affine());
        let scaled = |factor: i64| Shift { x: unit.x * factor, y: unit.y * factor };
        [(self.start, self.way), (self.start + scaled(length.start), self.way + scaled(length.change))]
    }

    /// A box of lattice coordinates that contains the edge from time `slice / slices` to the end of that slice, seen
    /// from a moving frame.
    pub(super) fn bounds(&self, frame: Shift, slice: i64, slices: i64) -> [Shift; 2] {
        // Positions are affine in time, so the positions at both ends of the slice bound the edge.
        let mut low = Shift { x: i64::MAX, y: i64::MAX };
        let mut high = Shift { x: i64::MIN, y: i64::MIN };
        for (place, way) in self.ends() {
            let way = way - frame;
            for time in [slice, slice + 1] {
                let (x, y) = (place.x * slices + way.x * time, place.y * slices + way.y * time);
                low = Shift { x: low.x.min(x.div_euclid(slices)), y: low.y.min(y.div_euclid(slices)) };
                let up = |value: i64| -(-value).div_euclid(slices);
                high = Shift { x: high.x.max(up(x)), y: high.y.max(up(y)) };
            }
        }
        [low, high]
    }

    pub(super) fn is_rigid(&self) -> bool {
        self.length == EdgeLength::Constant
    }
}

/// The affine function `start + change t` of the time t.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Affine {
    start: i64,
    change: i64,
}

impl Affine {
    fn minus(self, other: Self) -> Self {
        Self { start: self.start - other.start, change: self.change - other.change }
    }

    fn plus(self, other: Self) -> Self {
        Self { start: self.start + other.start, change: self.change + other.change }
    }

    fn times(self, factor: i64) -> Self {
        Self { start: self.start * factor, change: self.change * factor }
    }
}

/// A closed interval of times; not empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TimeSpan {
    from: ConflictTime,
    to: ConflictTime,
}

impl TimeSpan {
    const ALL: Self = Self { from: ConflictTime::ZERO, to: ConflictTime::ONE };

    /// The part of the interval in which a value is at least 0; `None` if there is no such time.
    fn where_not_negative(self, value: Affine) -> Option<Self> {
        let Affine { start, change } = value;
        let span = match change.signum() {
            0 => return (start >= 0).then_some(self),
            1 => Self { from: self.from.max(ConflictTime::new(-start, change)), ..self },
            _ => Self { to: self.to.min(ConflictTime::new(-start, change)), ..self },
        };
        (span.from <= span.to).then_some(span)
    }
}

/// The relations between the ends of two edges that share no end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Kinship {
    /// Two ends of the edges are head and tail of an expanding amoebot, which are on one cell at time 0.
    pub(super) splits_at_start: bool,
    /// Two ends of the edges are head and tail of a contracting amoebot, which are on one cell at time 1.
    pub(super) merges_at_end: bool,
    /// The two other ends are one point, or become one at time 1.
    pub(super) others_merge: bool,
}

/// The infimum of the times at which two edges that share no end touch, which is a collision; `None` if they never
/// touch. Ends that split at time 0 or merge at time 1 may touch at that time.
pub(super) fn meeting(a: &MovingEdge, b: &MovingEdge, kinship: Kinship) -> Option<ConflictTime> {
    let (a, b) = (a.forward(), b.forward());
    let span = touching(&a, &b)?;
    if span.from < span.to {
        return Some(span.from);
    }
    let free = (span.from == ConflictTime::ZERO && kinship.splits_at_start)
        || (span.from == ConflictTime::ONE && kinship.merges_at_end);
    if !free {
        return Some(span.from);
    }
    // Merged bonds coincide at the end. They are one bond only if their far ends are also one point.
    let lies_on = span.from == ConflictTime::ONE && !kinship.others_merge && overlap_at_end(&a, &b);
    lies_on.then_some(ConflictTime::ONE)
}

/// The times at which the edges touch; `None` if they never touch. These times form an interval, since lengths and
/// positions are affine in time, so each edge is convex in space and time.
fn touching(a: &MovingEdge, b: &MovingEdge) -> Option<TimeSpan> {
    let (u, w) = (a.unit(), b.unit());
    let x = Affine { start: b.start.x - a.start.x, change: b.way.x - a.way.x };
    let y = Affine { start: b.start.y - a.start.y, change: b.way.y - a.way.y };
    let (long_a, long_b) = (a.length.affine(), b.length.affine());
    // The cross product of the offset of b with a unit.
    let cross = |unit: Shift| x.times(unit.y).minus(y.times(unit.x));
    let determinant = u.x * w.y - u.y * w.x;
    if determinant != 0 {
        // a + s u = b + r w; with a determinant of 1 or -1 division is multiplication.
        let s = cross(w).times(determinant);
        let r = cross(u).times(determinant);
        return TimeSpan::ALL
            .where_not_negative(s)?
            .where_not_negative(long_a.minus(s))?
            .where_not_negative(r)?
            .where_not_negative(long_b.minus(r));
    }
    // On one line where the cross product is 0.
    let apart = cross(u);
    let on_line = TimeSpan::ALL.where_not_negative(apart)?.where_not_negative(apart.times(-1))?;
    let along = if u.x == 0 || u.y == 0 { if u.x == 0 { y } else { x } } else { y };
    on_line.where_not_negative(long_a.minus(along))?.where_not_negative(along.plus(long_b))
}

/// Whether the edges have more than one point in common at time 1.
fn overlap_at_end(a: &MovingEdge, b: &MovingEdge) -> bool {
    let end = |edge: &MovingEdge| {
        let length = edge.length.affine();
        (edge.start + edge.way, length.start + length.change)
    };
    let ((at_a, long_a), (at_b, long_b)) = (end(a), end(b));
    a.direction == b.direction && at_a == at_b && long_a == 1 && long_b == 1
}
