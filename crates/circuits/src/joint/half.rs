//! [`move_jointly`]: one movement half.

use acrasin_amoebot::{Body, Cell, Direction, End};

use super::action::{Anchor, BondSides, JointAction, JointPlan};
use super::bonds::{Bond, JointSetting, LATER};
use super::collision::{EdgeLength, Kinship, MovingEdge, meeting};
use super::conflict::{BondOwner, ConflictTime, EdgeOwners, JointConflict};
use super::displacement::{JointDemand, NoDisplacements, RigidClasses, Shift, displacements};
use super::order::keeps_order;
use super::rules::MovementRules;
use crate::structure::{CellMap, CircuitStructure, Occupant};

/// The positions after a movement half.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JointMove {
    /// The bodies of all amoebots.
    pub bodies: Vec<Body>,
    /// The displacement of each object.
    pub objects: Vec<(i32, i32)>,
    /// Counters of the half.
    pub figures: JointFigures,
}

/// Counters of the work of a movement half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct JointFigures {
    /// The number of bonds that remain.
    pub bonds: u64,
    /// The number of rigid classes.
    pub classes: u64,
    /// The number of edges in the collision test.
    pub edges: u64,
    /// The number of pairs of edges whose boxes overlap.
    pub candidate_pairs: u64,
}

/// Moves the structure. There is one plan per amoebot, in directions of the lattice; `released` tells for each object
/// whether it releases its bonds to other objects. Nearly O(n) unless edges sweep large areas.
///
/// # Errors
///
/// The first class of conflict that applies, with its offenders.
///
/// # Panics
///
/// The number of plans differs from the number of amoebots.
pub fn move_jointly(
    structure: &CircuitStructure,
    plans: &[JointPlan],
    released: &[bool],
    anchor: Anchor,
) -> Result<JointMove, JointConflict> {
    move_under(MovementRules::default(), structure, plans, released, anchor)
}

/// Moves the structure under deviating rules; see [`move_jointly`].
///
/// # Errors
///
/// The first class of conflict that applies.
///
/// # Panics
///
/// The number of plans differs from the number of amoebots.
pub fn move_under(
    rules: MovementRules,
    structure: &CircuitStructure,
    plans: &[JointPlan],
    released: &[bool],
    anchor: Anchor,
) -> Result<JointMove, JointConflict> {
    let cells = CellMap::new(structure).expect("a structure has one owner per cell");
    move_on(&JointSetting { structure, cells: &cells, plans, released, rules }, anchor)
}

/// Moves the structure of a setting.
pub(crate) fn move_with(
    structure: &CircuitStructure,
    cells: &CellMap,
    plans: &[JointPlan],
    anchor: Anchor,
    rules: MovementRules,
) -> Result<JointMove, JointConflict> {
    move_on(&JointSetting { structure, cells, plans, released: &[], rules }, anchor)
}

/// For each amoebot, the bonds that a movement half kept, at its position after the half. `structure` is the structure
/// before the half.
pub(crate) fn bonds_after(
    structure: &CircuitStructure,
    plans: &[JointPlan],
    rules: MovementRules,
) -> Vec<BondSides> {
    let cells = CellMap::new(structure).expect("a structure has one owner per cell");
    JointSetting { structure, cells: &cells, plans, released: &[], rules }.sides_after()
}

fn move_on(setting: &JointSetting<'_>, anchor: Anchor) -> Result<JointMove, JointConflict> {
    let JointSetting { structure, plans, rules, .. } = *setting;
    assert_eq!(plans.len(), structure.amoebots(), "one plan per amoebot");
    let invalid = setting.invalid();
    if !invalid.is_empty() {
        return Err(JointConflict::Invalid { offenders: invalid });
    }
    let halves = setting.half_handovers();
    if !halves.is_empty() {
        return Err(JointConflict::Handover { offenders: halves });
    }
    if rules.objects_do_not_connect {
        connected(setting, rules)?;
    }
    let mut classes = RigidClasses::new(setting.point_count());
    let mut bonds = 0;
    setting.each_bond(|bond| {
        bonds += 1;
        classes.join(bond.points[0], bond.points[1]);
    });
    for (amoebot, plan) in plans.iter().enumerate() {
        if !matches!(plan.action, Some(JointAction::Expand(_) | JointAction::Contract { .. })) {
            let amoebot = amoebot as u32;
            classes.join(JointSetting::point(amoebot, End::Head), JointSetting::point(amoebot, End::Tail));
        }
    }
    let (class, count) = classes.numbered();
    let demands: Vec<JointDemand> =
        (0..plans.len()).filter_map(|amoebot| demand(setting, amoebot, &class)).collect();
    let fixed = match anchor {
        Anchor::Amoebot(amoebot) => {
            let end = match plans[amoebot as usize].action {
                None => End::Head,
                Some(JointAction::Expand(_) | JointAction::Push(_)) => End::Tail,
                Some(JointAction::Contract { stay } | JointAction::Pull { stay, .. }) => stay,
            };
            JointSetting::point(amoebot, end)
        }
        Anchor::Object(object) => setting.object_point(object),
    };
    let shifts = displacements(count, &demands, class[fixed as usize]);
    if let Err(NoDisplacements::Disconnected) = shifts {
        // Owners are connected by bonds exactly if classes are by demands.
        connected(setting, rules)?;
    }
    let doubled = if rules.double_bonds_are_allowed { Vec::new() } else { setting.double_bonds() };
    let shifts = match shifts {
        Ok(shifts) if doubled.is_empty() => shifts,
        contradiction => {
            let mut offenders = doubled;
            if let Err(NoDisplacements::Contradictory(others)) = contradiction {
                offenders.extend(others);
            }
            offenders.sort_unstable();
            offenders.dedup();
            return Err(JointConflict::Structural { offenders });
        }
    };
    let shift = |point: u32| shifts[class[point as usize] as usize];
    let mut figures = JointFigures {
        bonds,
        classes: count as u64,
        edges: bonds + inner_edges(setting),
        candidate_pairs: 0,
    };
    let is_proven =
        !rules.every_pair_is_tested && !rules.merged_bonds_collide && keeps_order(setting, &shifts, &shift);
    if !rules.collisions_are_ignored && !is_proven {
        let edges = moving_edges(setting, &setting.bonds(), &shift);
        let meetings = EdgeMeetings { setting, edges: &edges, rules };
        meetings.first(&mut figures.candidate_pairs).map_or(Ok(()), Err)?;
    }
    moved(setting, &shift, figures)
}

/// The number of edges inside bodies and objects, without edges of length 0 at both times 0 and 1.
fn inner_edges(setting: &JointSetting<'_>) -> u64 {
    let bodies = setting.structure.bodies().iter().zip(setting.plans);
    let has_edge = |(body, plan): &(&Body, &JointPlan)| {
        !body.is_contracted() || matches!(plan.action, Some(JointAction::Expand(_)))
    };
    let of_bodies = bodies.filter(has_edge).count();
    let of_objects = setting.structure.objects().iter().enumerate().flat_map(|(object, cells)| {
        let own = Some(Occupant::Object(object as u32));
        let owned = move |cell: &Cell| {
            LATER.into_iter().filter(|direction| setting.cells.next(*cell, *direction) == own).count()
        };
        cells.iter().map(owned)
    });
    of_bodies as u64 + of_objects.sum::<usize>() as u64
}

fn connected(setting: &JointSetting<'_>, rules: MovementRules) -> Result<(), JointConflict> {
    let bonds = setting.bonds();
    let amoebots = setting.plans.len() as u32;
    let owners = amoebots + setting.structure.objects().len() as u32;
    let number = |owner| match owner {
        BondOwner::Amoebot(amoebot) => amoebot,
        BondOwner::Object(object) => amoebots + object,
    };
    let mut parts = RigidClasses::new(owners as usize);
    let mut count = owners;
    let joins = |bond: &&Bond| {
        let is_amoebot = |owner: &BondOwner| matches!(owner, BondOwner::Amoebot(_));
        // Under the other rule objects are attached to amoebots, but do not connect them.
        !rules.objects_do_not_connect || bond.owners.iter().all(is_amoebot)
    };
    for bond in bonds.iter().filter(joins) {
        count -= u32::from(parts.join(number(bond.owners[0]), number(bond.owners[1])));
    }
    if rules.objects_do_not_connect {
        for bond in &bonds {
            // Each object joins one amoebot, the first that it has a bond to.
            let (a, b) = (bond.owners[0].min(bond.owners[1]), bond.owners[0].max(bond.owners[1]));
            if let (BondOwner::Amoebot(_), BondOwner::Object(_)) = (a, b)
                && parts.find(number(b)) == number(b)
            {
                count -= u32::from(parts.join(number(a), number(b)));
            }
        }
    }
    if count <= 1 {
        return Ok(());
    }
    let mut listed: Vec<Vec<BondOwner>> = Vec::new();
    let mut part_of = vec![None; owners as usize];
    for at in 0..owners {
        let owner = if at < amoebots { BondOwner::Amoebot(at) } else { BondOwner::Object(at - amoebots) };
        let root = parts.find(at) as usize;
        let part = *part_of[root].get_or_insert_with(|| {
            listed.push(Vec::new());
            listed.len() - 1
        });
        listed[part].push(owner);
    }
    Err(JointConflict::Connectivity { parts: listed })
}

/// The demand of an amoebot that expands or contracts; `None` for other amoebots, including those in a handover.
fn demand(setting: &JointSetting<'_>, amoebot: usize, class: &[u32]) -> Option<JointDemand> {
    let body = setting.structure.bodies()[amoebot];
    let difference = match setting.plans[amoebot].action? {
        JointAction::Expand(direction) => direction.step().into(),
        JointAction::Contract { .. } => -Shift::from(body.tail().direction_to(body.head())?.step()),
        JointAction::Push(_) | JointAction::Pull { .. } => return None,
    };
    let amoebot = amoebot as u32;
    let [head, tail] = [End::Head, End::Tail].map(|end| class[JointSetting::point(amoebot, end) as usize]);
    Some(JointDemand { amoebot, tail, head, difference })
}

fn place(cell: Cell) -> Shift {
    (cell.x(), cell.y()).into()
}

/// All edges of the half: bonds, edges inside bodies, edges inside objects. In a handover two segments remain the same:
/// the bond between the two amoebots, and the body of the pulling amoebot. Only these represent it.
fn moving_edges(
    setting: &JointSetting<'_>,
    bonds: &[Bond],
    shift: &impl Fn(u32) -> Shift,
) -> Vec<MovingEdge> {
    let structure = setting.structure;
    // Cells of objects are points of their own: two edges at different cells of one object may meet.
    let mut object_cells: Vec<Cell> = structure.objects().iter().flatten().copied().collect();
    object_cells.sort_unstable();
    let first_cell = setting.point_count() as u32;
    let cell_point = |cell: Cell| {
        first_cell + object_cells.binary_search(&cell).expect("cells of objects are listed") as u32
    };
    let objects_from = 2 * structure.amoebots() as u32;
    let mut edges = Vec::with_capacity(bonds.len() + structure.amoebots());
    for bond in bonds {
        let mut points = bond.points;
        for (point, is_far) in points.iter_mut().zip([false, true]) {
            if *point >= objects_from {
                let cell = if is_far { bond.cell.neighbour(bond.direction) } else { Some(bond.cell) };
                *point = cell_point(cell.expect("a bond has two cells"));
            }
        }
        edges.push(MovingEdge {
            start: place(bond.cell),
            way: shift(bond.points[0]),
            direction: bond.direction.index(),
            length: EdgeLength::Constant,
            points,
            owners: bond.edge_owners(),
        });
    }
    for (amoebot, body) in structure.bodies().iter().enumerate() {
        let length = match setting.plans[amoebot].action {
            Some(JointAction::Expand(_)) => EdgeLength::Growing,
            Some(JointAction::Contract { .. }) => EdgeLength::Shrinking,
            _ => EdgeLength::Constant,
        };
        let along = match setting.plans[amoebot].action {
            Some(JointAction::Expand(direction)) => Some(direction),
            _ => body.tail().direction_to(body.head()),
        };
        let Some(along) = along else { continue };
        let amoebot = amoebot as u32;
        let [tail, head] = [End::Tail, End::Head].map(|end| JointSetting::point(amoebot, end));
        edges.push(MovingEdge {
            start: place(body.tail()),
            way: shift(tail),
            direction: along.index(),
            length,
            points: [tail, head],
            owners: EdgeOwners::of_body(BondOwner::Amoebot(amoebot)),
        });
    }
    for (object, cells) in structure.objects().iter().enumerate() {
        let own = Some(Occupant::Object(object as u32));
        for cell in cells {
            for direction in LATER {
                let Some(next) = cell.neighbour(direction) else { continue };
                if setting.cells.get(next) == own {
                    edges.push(MovingEdge {
                        start: place(*cell),
                        way: shift(setting.object_point(object as u32)),
                        direction: direction.index(),
                        length: EdgeLength::Constant,
                        points: [cell_point(*cell), cell_point(next)],
                        owners: EdgeOwners::of_body(BondOwner::Object(object as u32)),
                    });
                }
            }
        }
    }
    edges
}

fn moved(
    setting: &JointSetting<'_>,
    shift: &impl Fn(u32) -> Shift,
    figures: JointFigures,
) -> Result<JointMove, JointConflict> {
    let structure = setting.structure;
    let narrow = |shift: Shift| Some((i32::try_from(shift.x).ok()?, i32::try_from(shift.y).ok()?));
    let mut bodies = Vec::with_capacity(structure.amoebots());
    for (amoebot, body) in structure.bodies().iter().enumerate() {
        let owner = amoebot as u32;
        let at = |cell: Cell, end| {
            let (dx, dy) = narrow(shift(JointSetting::point(owner, end)))?;
            cell.translated(dx, dy)
        };
        let forward = |direction: Direction| {
            let (head, tail) = (body.head().neighbour(direction)?, at(body.tail(), End::Tail)?);
            let (dx, dy) = narrow(shift(JointSetting::point(owner, End::Tail)))?;
            Body::expanded(head.translated(dx, dy)?, tail)
        };
        let to = match setting.plans[amoebot].action {
            None => {
                let shift = narrow(shift(JointSetting::point(owner, End::Head)));
                shift.and_then(|(dx, dy)| body.translated(dx, dy))
            }
            Some(JointAction::Expand(direction) | JointAction::Push(direction)) => forward(direction),
            Some(JointAction::Contract { stay } | JointAction::Pull { stay, .. }) => {
                at(body.node(stay), stay).map(Body::contracted)
            }
        };
        bodies.push(to.ok_or(JointConflict::OutsideLattice { owner: BondOwner::Amoebot(owner) })?);
    }
    let objects = structure.objects().iter().enumerate().map(|(object, cells)| {
        let outside = JointConflict::OutsideLattice { owner: BondOwner::Object(object as u32) };
        let shift = narrow(shift(setting.object_point(object as u32)));
        let inside = shift.filter(|&(dx, dy)| cells.iter().all(|cell| cell.translated(dx, dy).is_some()));
        inside.ok_or(outside)
    });
    let objects: Vec<(i32, i32)> = objects.collect::<Result<_, _>>()?;
    Ok(JointMove { bodies, objects, figures })
}

/// The collision test of a half.
struct EdgeMeetings<'a> {
    setting: &'a JointSetting<'a>,
    edges: &'a [MovingEdge],
    rules: MovementRules,
}

impl EdgeMeetings<'_> {
    /// The earliest collision, if there is one.
    fn first(&self, candidates: &mut u64) -> Option<JointConflict> {
        let mut ways: Vec<Shift> =
            self.edges.iter().filter(|edge| edge.is_rigid()).map(|edge| edge.way).collect();
        ways.sort_unstable();
        // In the frame of the largest rigid class, only the others move.
        let frame =
            ways.chunk_by(Shift::eq).max_by_key(|chunk| chunk.len()).map_or(Shift::ZERO, |chunk| chunk[0]);
        let moves = |edge: &MovingEdge| edge.way != frame || !edge.is_rigid();
        if !self.edges.iter().any(moves) {
            return None;
        }
        // The boxes of a slice are small if nothing moves further than a cell in it.
        let furthest = self.edges.iter().flat_map(|edge| edge.ends()).map(|(_, way)| {
            let way = way - frame;
            way.x.abs().max(way.y.abs())
        });
        let slices = furthest.max().unwrap_or(0).max(1);
        let mut found: Option<(ConflictTime, Vec<(EdgeOwners, EdgeOwners)>)> = None;
        for slice in 0..slices {
            self.candidates(frame, (slice, slices), &moves, |a, b| {
                *candidates += 1;
                let Some(time) = self.meet(a, b) else { return };
                let pair = (a.owners.min(b.owners), a.owners.max(b.owners));
                match &mut found {
                    Some((first, pairs)) if *first == time => pairs.push(pair),
                    Some((first, _)) if *first < time => {}
                    _ => found = Some((time, vec![pair])),
                }
            });
            // Later slices have later collisions only.
            if found.as_ref().is_some_and(|(time, _)| *time < ConflictTime::new(slice + 1, slices)) {
                break;
            }
        }
        let (time, mut pairs) = found?;
        pairs.sort_unstable();
        pairs.dedup();
        Some(JointConflict::Collision { time, pairs })
    }

    /// Calls `pair` at least once for each two edges whose boxes overlap in a slice of time, unless neither edge moves
    /// in the frame. Each box is entered in the cells of the lattice that it covers; a pair is found in the lowest
    /// common cell.
    fn candidates(
        &self,
        frame: Shift,
        (slice, slices): (i64, i64),
        moves: &impl Fn(&MovingEdge) -> bool,
        mut pair: impl FnMut(&MovingEdge, &MovingEdge),
    ) {
        let mut covered: Vec<(Shift, bool, u32)> = Vec::new();
        let boxes: Vec<[Shift; 2]> =
            self.edges.iter().map(|edge| edge.bounds(frame, slice, slices)).collect();
        for (number, (edge, [low, high])) in self.edges.iter().zip(&boxes).enumerate() {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    covered.push((Shift { x, y }, moves(edge), number as u32));
                }
            }
        }
        covered.sort_unstable();
        for cell in covered.chunk_by(|a, b| a.0 == b.0) {
            let rest = cell.partition_point(|&(_, moves, _)| !moves);
            for (at, &(place, _, b)) in cell.iter().enumerate().skip(rest) {
                for &(_, _, a) in &cell[..at] {
                    let ([low_a, _], [low_b, _]) = (boxes[a as usize], boxes[b as usize]);
                    if place == (Shift { x: low_a.x.max(low_b.x), y: low_a.y.max(low_b.y) }) {
                        pair(&self.edges[a as usize], &self.edges[b as usize]);
                    }
                }
            }
        }
    }

    fn meet(&self, a: &MovingEdge, b: &MovingEdge) -> Option<ConflictTime> {
        if a.points.iter().any(|point| b.points.contains(point)) {
            return None;
        }
        if a.way == b.way && a.is_rigid() && b.is_rigid() {
            return None;
        }
        let mut kinship = Kinship::default();
        for (i, &near) in a.points.iter().enumerate() {
            for (j, &other) in b.points.iter().enumerate() {
                let (splits, merges) = self.setting.siblings(near, other);
                kinship.splits_at_start |= splits;
                if merges {
                    let (far_a, far_b) = (a.points[1 - i], b.points[1 - j]);
                    kinship.merges_at_end = !self.rules.merged_bonds_collide;
                    kinship.others_merge |= far_a == far_b || self.setting.siblings(far_a, far_b).1;
                }
            }
        }
        meeting(a, b, kinship)
    }
}
