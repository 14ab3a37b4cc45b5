//! [`keeps_order`]: a quick proof that no two edges collide.

use acrasin_amoebot::{Cell, End};

use super::action::JointAction;
use super::bonds::{JointPoint, JointSetting};
use super::displacement::Shift;
use crate::structure::{CellGrid, CellMap, Occupant, ends};

/// A function of a position for an axis of the lattice: either its line, or its coordinate on the line.
type AxisPart = fn(Shift) -> i64;

const AXES: [[AxisPart; 2]; 3] = [
    [|shift| shift.y, |shift| shift.x],
    [|shift| shift.x, |shift| shift.y],
    [|shift| shift.x + shift.y, |shift| shift.y],
];

/// Whether everything moves along one axis, and the order of points on each line is the same at the beginning and at
/// the end. Then no two edges collide. Positions are affine in time, so an order that holds at the beginning and at the
/// end holds in between. Edges between two neighbouring lines have the same order as their points. `shifts` has the
/// displacement of each class.
pub(super) fn keeps_order(
    setting: &JointSetting<'_>,
    shifts: &[Shift],
    shift: &impl Fn(JointPoint) -> Shift,
) -> bool {
    let same_line = |[line, _]: &[AxisPart; 2]| shifts.iter().all(|way| line(*way) == line(shifts[0]));
    let Some(axis) = AXES.iter().position(same_line) else { return false };
    let [line, along] = AXES[axis];
    let mut last: Option<(i64, i64, JointPoint)> = None;
    // Whether a point also comes after the last one at the end of the half.
    let mut follows = |place: Shift, point: JointPoint, way: Shift| {
        let next = (line(place), along(place) + along(way), point);
        // Only the points of a contracting amoebot may become one.
        let follows = last.is_none_or(|last| {
            last.0 != next.0 || last.1 < next.1 || (last.1 == next.1 && setting.siblings(last.2, next.2).1)
        });
        last = Some(next);
        follows
    };
    let mut visit = |owner: Occupant, (x, y): (i64, i64)| {
        let place = Shift { x, y };
        let mut one = |point| follows(place, point, shift(point));
        match owner {
            Occupant::Head(amoebot) => {
                let [head, tail] = [End::Head, End::Tail].map(|end| JointSetting::point(amoebot, end));
                match setting.plans[amoebot as usize].action {
                    // Both points begin on one cell.
                    Some(JointAction::Expand(_)) if along(shift(tail)) < along(shift(head)) => {
                        one(tail) && one(head)
                    }
                    Some(JointAction::Expand(_)) => one(head) && one(tail),
                    Some(JointAction::Push(_)) => one(tail),
                    Some(JointAction::Contract { .. } | JointAction::Pull { .. }) | None => one(head),
                }
            }
            Occupant::Tail(amoebot) => one(JointSetting::point(amoebot, End::Tail)),
            Occupant::Object(object) => {
                // Cells of objects are not points of amoebots.
                follows(place, JointPoint::MAX, shift(setting.object_point(object)))
            }
        }
    };
    match setting.cells {
        CellMap::Dense(grid) => lines(grid, axis)
            .all(|mut line| line.all(|(at, cell)| grid.owner(at).is_none_or(|owner| visit(owner, cell)))),
        CellMap::Sparse(_) => {
            let mut places = places(setting);
            places.sort_unstable_by_key(|&(place, _)| (line(place), along(place)));
            places.into_iter().all(|(place, owner)| visit(owner, (place.x, place.y)))
        }
    }
}

/// The cells of a grid with their coordinates, line by line along an axis.
fn lines(grid: &CellGrid, axis: usize) -> impl Iterator<Item = impl Iterator<Item = (usize, (i64, i64))>> {
    let (width, height) = (grid.width, grid.height());
    let (left, bottom) = grid.corner();
    let count = [height, width, width + height - 1][axis];
    let (dx, dy) = [(1, 0), (0, 1), (-1, 1)][axis];
    let step = [1, width, width - 1][axis];
    (0..count).map(move |line| {
        // On the third axis the cells (line - y, y).
        let lowest = line.saturating_sub(width - 1);
        let (x, y, length) = match axis {
            0 => (0, line, width),
            1 => (line, 0, height),
            _ => (line - lowest, lowest, line.min(height - 1) + 1 - lowest),
        };
        let (first, left, bottom) = (y * width + x, left + x as i64, bottom + y as i64);
        (0..length).map(move |at| {
            let along = at as i64;
            (first + at * step, (left + dx * along, bottom + dy * along))
        })
    })
}

/// All cells with their owners.
fn places(setting: &JointSetting<'_>) -> Vec<(Shift, Occupant)> {
    let place = |cell: Cell| Shift::from((cell.x(), cell.y()));
    let bodies = setting.structure.bodies().iter().enumerate();
    let nodes = bodies.flat_map(|(amoebot, body)| {
        ends(*body).map(move |(end, cell)| {
            let owner = if end == End::Head { Occupant::Head } else { Occupant::Tail };
            (place(cell), owner(amoebot as u32))
        })
    });
    let objects = setting.structure.objects().iter().enumerate();
    let cells = objects.flat_map(|(object, cells)| {
        cells.iter().map(move |cell| (place(*cell), Occupant::Object(object as u32)))
    });
    nodes.chain(cells).collect()
}
