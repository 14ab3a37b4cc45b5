//! The bonds at the beginning of a movement half, and the points with which they move.

use acrasin_amoebot::{Cell, Direction, End};

use super::action::{BondSides, JointAction, JointPlan};
use super::conflict::{BondOwner, EdgeOwners};
use super::rules::MovementRules;
use crate::structure::{CellMap, CircuitStructure, Occupant, ends};

/// The number of a point. Each amoebot has two points, head and tail; after these points comes one point per object.
pub(super) type JointPoint = u32;

/// A bond that neither side has released.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bond {
    /// The cell of the first side.
    pub(super) cell: Cell,
    /// The direction from the first to the second side: east, north-east or north-west.
    pub(super) direction: Direction,
    pub(super) points: [JointPoint; 2],
    pub(super) owners: [BondOwner; 2],
}

impl Bond {
    pub(super) fn edge_owners(&self) -> EdgeOwners {
        EdgeOwners::of_bond(self.owners[0], self.owners[1])
    }
}

pub(super) const LATER: [Direction; 3] = [Direction::East, Direction::NorthEast, Direction::NorthWest];

/// The input of a movement half.
#[derive(Clone, Copy)]
pub(super) struct JointSetting<'a> {
    pub(super) structure: &'a CircuitStructure,
    pub(super) cells: &'a CellMap,
    pub(super) plans: &'a [JointPlan],
    /// For each object, whether it releases its bonds to other objects.
    pub(super) released: &'a [bool],
    pub(super) rules: MovementRules,
}

impl JointSetting<'_> {
    pub(super) fn point(amoebot: u32, end: End) -> JointPoint {
        2 * amoebot + u32::from(end == End::Tail)
    }

    pub(super) fn object_point(&self, object: u32) -> JointPoint {
        2 * self.plans.len() as u32 + object
    }

    pub(super) fn point_count(&self) -> usize {
        2 * self.plans.len() + self.structure.objects().len()
    }

    /// The point with which a bond of an amoebot moves: head or tail.
    #[inline(always)]
    fn hangs_on(&self, amoebot: u32, end: End, direction: Direction) -> JointPoint {
        let plan = &self.plans[amoebot as usize];
        let end = match plan.action {
            Some(JointAction::Expand(forward)) => {
                let may = direction != forward.opposite() || self.rules.opposite_may_be_marked;
                let must = direction == forward && !self.rules.forward_is_not_marked;
                let marked = must || (may && plan.marked.contains(End::Head, direction));
                if marked { End::Head } else { End::Tail }
            }
            Some(JointAction::Push(_)) => End::Tail,
            Some(JointAction::Contract { .. } | JointAction::Pull { .. }) | None => end,
        };
        Self::point(amoebot, end)
    }

    #[inline(always)]
    fn is_released(&self, near: bool, far: bool) -> bool {
        if self.rules.both_sides_must_release { near && far } else { near || far }
    }

    /// Whether an amoebot has released a bond.
    #[inline(always)]
    fn releases(&self, amoebot: u32, end: End, direction: Direction) -> bool {
        self.plans[amoebot as usize].released.contains(end, direction)
    }

    /// One side of an edge: its owner, the point with which it moves, and whether the owner releases the bond.
    #[inline(always)]
    fn side(
        &self,
        occupant: Occupant,
        direction: Direction,
        towards_object: bool,
    ) -> (BondOwner, JointPoint, bool) {
        match occupant {
            Occupant::Head(amoebot) => self.amoebot_side(amoebot, End::Head, direction),
            Occupant::Tail(amoebot) => self.amoebot_side(amoebot, End::Tail, direction),
            Occupant::Object(object) => (
                BondOwner::Object(object),
                self.object_point(object),
                towards_object && self.released.get(object as usize).copied().unwrap_or(false),
            ),
        }
    }

    #[inline(always)]
    fn amoebot_side(&self, amoebot: u32, end: End, direction: Direction) -> (BondOwner, JointPoint, bool) {
        let point = self.hangs_on(amoebot, end, direction);
        (BondOwner::Amoebot(amoebot), point, self.releases(amoebot, end, direction))
    }

    /// All bonds that remain.
    pub(super) fn bonds(&self) -> Vec<Bond> {
        let mut bonds = Vec::with_capacity(3 * self.plans.len());
        self.each_bond(|bond| bonds.push(bond));
        bonds
    }

    /// Visits all bonds that remain.
    #[inline(always)]
    pub(super) fn each_bond(&self, mut visit: impl FnMut(Bond)) {
        for (amoebot, body) in self.structure.bodies().iter().enumerate() {
            for (end, cell) in ends(*body) {
                let own = if end == End::Head { Occupant::Head } else { Occupant::Tail };
                self.bonds_of(own(amoebot as u32), cell, &mut visit);
            }
        }
        for (object, cells) in self.structure.objects().iter().enumerate() {
            for cell in cells {
                self.bonds_of(Occupant::Object(object as u32), *cell, &mut visit);
            }
        }
    }

    /// For each amoebot, the bonds that remain, at its position after the half. Each bond is listed at one owner.
    pub(super) fn sides_after(&self) -> Vec<BondSides> {
        let mut sides = vec![BondSides::NONE; self.plans.len()];
        self.each_bond(|bond| {
            let towards = [bond.direction, bond.direction.opposite()];
            let mut near = bond.points.iter().zip(towards);
            let after = near.find_map(|(&point, towards)| Some((self.end_after(point)?, towards)));
            if let Some(((amoebot, end), towards)) = after {
                sides[amoebot] = sides[amoebot].with(end, towards);
            }
        });
        sides
    }

    /// The amoebot and its end at which a point is after the half; `None` for a point of an object.
    fn end_after(&self, point: JointPoint) -> Option<(usize, End)> {
        let amoebot = (point / 2) as usize;
        let end = if point.is_multiple_of(2) { End::Head } else { End::Tail };
        match self.plans.get(amoebot)?.action {
            Some(JointAction::Pull { stay, direction }) if stay != end => {
                // The node that is given up becomes the head of the pushing amoebot.
                let cell = self.structure.bodies()[amoebot].node(end);
                let pushing = self.cells.next(cell, direction).and_then(Occupant::amoebot)?;
                Some((pushing as usize, End::Head))
            }
            Some(JointAction::Contract { .. } | JointAction::Pull { .. }) => Some((amoebot, End::Head)),
            Some(JointAction::Expand(_) | JointAction::Push(_)) | None => Some((amoebot, end)),
        }
    }

    #[inline(always)]
    fn bonds_of(&self, own: Occupant, cell: Cell, visit: &mut impl FnMut(Bond)) {
        let around = self.cells.around(cell);
        for direction in LATER {
            let Some(other) = around.owner(direction) else { continue };
            let is_object = |occupant| matches!(occupant, Occupant::Object(_));
            let near = self.side(own, direction, is_object(other));
            let far = self.side(other, direction.opposite(), is_object(own));
            if near.0 != far.0 && !self.is_released(near.2, far.2) {
                visit(Bond { cell, direction, points: [near.1, far.1], owners: [near.0, far.0] });
            }
        }
    }

    /// Whether the bond from an end of an amoebot in a direction remains.
    pub(super) fn has_bond(&self, amoebot: u32, end: End, direction: Direction) -> bool {
        let cell = self.structure.bodies()[amoebot as usize].node(end);
        let Some(other) = self.cells.around(cell).owner(direction) else { return false };
        let far = self.side(other, direction.opposite(), false);
        far.0 != BondOwner::Amoebot(amoebot)
            && !self.is_released(far.2, self.releases(amoebot, end, direction))
    }

    fn hands_over(&self, amoebot: u32, end: End, direction: Direction) -> bool {
        self.rules.handovers_need_no_bond || self.has_bond(amoebot, end, direction)
    }

    /// The amoebots whose body does not allow their movement: an expanded one cannot expand or push, a contracted one
    /// cannot contract or pull.
    pub(super) fn invalid(&self) -> Vec<u32> {
        let fits = |amoebot: &u32| {
            let contracted = self.structure.bodies()[*amoebot as usize].is_contracted();
            match self.plans[*amoebot as usize].action {
                None => true,
                Some(JointAction::Expand(_) | JointAction::Push(_)) => contracted,
                Some(JointAction::Contract { .. } | JointAction::Pull { .. }) => !contracted,
            }
        };
        (0..self.plans.len() as u32).filter(|amoebot| !fits(amoebot)).collect()
    }

    /// The amoebots that push or pull although the neighbour does not execute the matching pull or push.
    pub(super) fn half_handovers(&self) -> Vec<u32> {
        let fits = |amoebot: &u32| match self.plans[*amoebot as usize].action {
            Some(JointAction::Push(direction)) => {
                let cell = self.structure.bodies()[*amoebot as usize].head();
                let (other, end) = match self.cells.next(cell, direction) {
                    Some(Occupant::Head(other)) => (other, End::Head),
                    Some(Occupant::Tail(other)) => (other, End::Tail),
                    _ => return false,
                };
                let stay = if end == End::Head { End::Tail } else { End::Head };
                let direction_back = direction.opposite();
                let pull = JointAction::Pull { stay, direction: direction_back };
                self.plans[other as usize].action == Some(pull)
                    && self.hands_over(*amoebot, End::Head, direction)
            }
            Some(JointAction::Pull { stay, direction }) => {
                let given = if stay == End::Head { End::Tail } else { End::Head };
                let cell = self.structure.bodies()[*amoebot as usize].node(given);
                let Some(Occupant::Head(other)) = self.cells.next(cell, direction) else { return false };
                self.plans[other as usize].action == Some(JointAction::Push(direction.opposite()))
                    && self.hands_over(*amoebot, given, direction)
            }
            Some(JointAction::Expand(_) | JointAction::Contract { .. }) | None => true,
        };
        (0..self.plans.len() as u32).filter(|amoebot| !fits(amoebot)).collect()
    }

    /// The contracting amoebots with bonds from both of their nodes to one cell.
    pub(super) fn double_bonds(&self) -> Vec<u32> {
        let doubled = |amoebot: &u32| {
            let body = self.structure.bodies()[*amoebot as usize];
            let Some(JointAction::Contract { .. }) = self.plans[*amoebot as usize].action else {
                return false;
            };
            let Some(along) = body.tail().direction_to(body.head()) else { return false };
            // The two common neighbours, seen from the tail and from the head.
            [(1, 2), (5, 4)].into_iter().any(|(tail, head)| {
                self.has_bond(*amoebot, End::Tail, Direction::from_index(along.index() + tail))
                    && self.has_bond(*amoebot, End::Head, Direction::from_index(along.index() + head))
            })
        };
        (0..self.plans.len() as u32).filter(doubled).collect()
    }

    /// Whether two points are head and tail of an expanding amoebot, and whether they are those of a contracting
    /// amoebot.
    pub(super) fn siblings(&self, a: JointPoint, b: JointPoint) -> (bool, bool) {
        let amoebot = (a / 2) as usize;
        if a / 2 != b / 2 || a == b {
            return (false, false);
        }
        match self.plans.get(amoebot).and_then(|plan| plan.action) {
            Some(JointAction::Expand(_)) => (true, false),
            Some(JointAction::Contract { .. }) => (false, true),
            _ => (false, false),
        }
    }
}
