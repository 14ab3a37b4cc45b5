//! Joint movements: laws of random movements, and situations with known results.

use acrasin_amoebot::{Body, Cell, Direction, End, Orientation};
use acrasin_circuits::joint::{Anchor, BondSides, MovementRules, move_jointly, move_under};
use acrasin_circuits::{BondOwner, CircuitStructure, JointAction, JointConflict, JointMove, JointPlan};

use crate::structures::{Numbers, blob, cell, common};

/// A random structure with random plans.
pub(crate) fn random_half(seed: u64) -> (CircuitStructure, Vec<JointPlan>) {
    let mut numbers = Numbers::new(seed);
    let size = 2 + numbers.below(6);
    let mut cells = blob(size, &mut numbers);
    let mut bodies = Vec::new();
    while let Some(head) = cells.pop() {
        let tail =
            cells.iter().position(|other| head.direction_to(*other).is_some() && numbers.below(3) == 0);
        bodies.push(match tail {
            Some(at) => Body::expanded(head, cells.remove(at)).unwrap(),
            None => Body::contracted(head),
        });
    }
    let frames = vec![Orientation::COMMON; bodies.len()];
    let structure = CircuitStructure::new(bodies, frames, Vec::new(), 0).unwrap();
    let sides = |numbers: &mut Numbers, share: usize| {
        let mut sides = BondSides::NONE;
        for end in [End::Head, End::Tail] {
            for direction in Direction::ALL {
                if numbers.below(share) == 0 {
                    sides = sides.with(end, direction);
                }
            }
        }
        sides
    };
    let mut plans: Vec<JointPlan> = structure
        .bodies()
        .iter()
        .map(|body| {
            let action = match (numbers.below(2), body.is_contracted()) {
                (0, _) => None,
                (_, true) => Some(JointAction::Expand(Direction::from_index(numbers.below(6) as u8))),
                (_, false) => {
                    Some(JointAction::Contract { stay: if numbers.coin() { End::Head } else { End::Tail } })
                }
            };
            JointPlan { action, released: sides(&mut numbers, 6), marked: sides(&mut numbers, 3) }
        })
        .collect();
    // Sometimes a handover.
    for (pusher, body) in structure.bodies().iter().enumerate() {
        for (puller, other) in structure.bodies().iter().enumerate() {
            if body.is_contracted() && !other.is_contracted() && numbers.below(3) == 0 {
                for (given, stay) in [(End::Head, End::Tail), (End::Tail, End::Head)] {
                    if let Some(direction) = body.head().direction_to(other.node(given)) {
                        plans[pusher].action = Some(JointAction::Push(direction));
                        let direction = direction.opposite();
                        plans[puller].action = Some(JointAction::Pull { stay, direction });
                    }
                }
            }
        }
    }
    (structure, plans)
}

/// The cell from which the bond of an end in a direction leaves after the half, by the table of the model.
fn hangs(plan: &JointPlan, end: End, direction: Direction, after: Body) -> Cell {
    match plan.action {
        Some(JointAction::Expand(forward)) => {
            let on_head = direction == forward
                || (direction != forward.opposite() && plan.marked.contains(End::Head, direction));
            if on_head { after.head() } else { after.tail() }
        }
        Some(JointAction::Push(_)) => after.tail(),
        _ => after.node(end),
    }
}

/// Whether a result keeps all bonds and puts no two amoebots on one cell.
pub(crate) fn is_lawful(structure: &CircuitStructure, plans: &[JointPlan], moved: &JointMove) -> bool {
    let mut cells: Vec<Cell> = moved.bodies.iter().flat_map(|body| body.cells()).collect();
    let count = cells.len();
    cells.sort_unstable();
    cells.dedup();
    if cells.len() != count {
        return false;
    }
    let pulls = |at: usize| matches!(plans[at].action, Some(JointAction::Pull { .. }));
    for (a, body) in structure.bodies().iter().enumerate() {
        for (b, other) in structure.bodies().iter().enumerate() {
            // Bonds of a node that is handed over pass to the other amoebot.
            if a == b || pulls(a) || pulls(b) {
                continue;
            }
            for end in [End::Head, End::Tail] {
                if body.is_contracted() && end == End::Tail {
                    continue;
                }
                for direction in Direction::ALL {
                    let Some(far) = body.node(end).neighbour(direction).and_then(|cell| other.end_on(cell))
                    else {
                        continue;
                    };
                    let back = direction.opposite();
                    if plans[a].released.contains(end, direction) || plans[b].released.contains(far, back) {
                        continue;
                    }
                    let from = hangs(&plans[a], end, direction, moved.bodies[a]);
                    let to = hangs(&plans[b], far, back, moved.bodies[b]);
                    if from.direction_to(to) != Some(direction) {
                        return false;
                    }
                }
            }
        }
    }
    true
}

#[test]
fn bonds_keep_their_direction_and_cells_have_one_owner() {
    let (mut moved, mut handovers) = (0, 0);
    for seed in 0..20_000 {
        let (structure, plans) = random_half(seed);
        if let Ok(result) = move_jointly(&structure, &plans, &[], Anchor::Amoebot(0)) {
            assert!(is_lawful(&structure, &plans, &result), "seed {seed}");
            moved += 1;
            handovers +=
                u32::from(plans.iter().any(|plan| matches!(plan.action, Some(JointAction::Push(_)))));
        }
    }
    assert!(moved > 2000 && handovers > 50, "{moved} {handovers}");
}

#[test]
fn another_anchor_changes_results_by_a_translation() {
    for seed in 0..3000 {
        let (structure, plans) = random_half(seed);
        let results = (0..structure.amoebots() as u32)
            .map(|anchor| move_jointly(&structure, &plans, &[], Anchor::Amoebot(anchor)));
        let results: Vec<_> = results.collect();
        for (anchor, result) in results.iter().enumerate() {
            match (&results[0], result) {
                (Ok(first), Ok(other)) => {
                    let offset =
                        |a: Body, b: Body| (b.head().x() - a.head().x(), b.head().y() - a.head().y());
                    let (dx, dy) = offset(first.bodies[0], other.bodies[0]);
                    let shifted = first.bodies.iter().map(|body| body.translated(dx, dy).unwrap());
                    assert!(shifted.eq(other.bodies.iter().copied()), "seed {seed}");
                    // The staying point of the anchor does not move.
                    let before = structure.bodies()[anchor];
                    let (stay, from) = match plans[anchor].action {
                        Some(JointAction::Expand(_) | JointAction::Push(_)) => (End::Tail, End::Head),
                        Some(JointAction::Contract { stay } | JointAction::Pull { stay, .. }) => {
                            (End::Head, stay)
                        }
                        None => (End::Head, End::Head),
                    };
                    assert_eq!(other.bodies[anchor].node(stay), before.node(from), "seed {seed}");
                }
                (Err(first), Err(other)) => assert_eq!(first, other, "seed {seed}"),
                _ => panic!("seed {seed}: only some anchors can move"),
            }
        }
    }
}

/// If the order of points excludes collisions along one axis, the test of all pairs finds none.
#[test]
fn ordered_points_agree_with_the_test_of_all_pairs() {
    let tested = MovementRules { every_pair_is_tested: true, ..MovementRules::default() };
    let (mut moved, mut collisions) = (0, 0);
    for seed in 0..20_000 {
        let (structure, mut plans) = random_half(seed);
        let axis = Direction::from_index((seed % 3) as u8);
        for (plan, body) in plans.iter_mut().zip(structure.bodies()) {
            let along = match plan.action {
                Some(JointAction::Expand(direction)) => Some(direction),
                _ => body.head().direction_to(body.tail()),
            };
            if along.is_some_and(|along| along != axis && along != axis.opposite()) {
                plan.action = match plan.action {
                    Some(JointAction::Expand(_)) => Some(JointAction::Expand(axis)),
                    _ => None,
                };
            }
        }
        let result = move_jointly(&structure, &plans, &[], Anchor::Amoebot(0));
        assert_eq!(
            result,
            {
                let mut other = move_under(tested, &structure, &plans, &[], Anchor::Amoebot(0));
                if let (Ok(result), Ok(other)) = (&result, &mut other) {
                    other.figures.candidate_pairs = result.figures.candidate_pairs;
                }
                other
            },
            "seed {seed}"
        );
        moved += u32::from(result.is_ok());
        collisions += u32::from(matches!(result, Err(JointConflict::Collision { .. })));
    }
    assert!(moved > 1000 && collisions > 100, "{moved} {collisions}");
}

fn expand(direction: Direction) -> JointPlan {
    JointPlan::of(JointAction::Expand(direction))
}

/// Moves a block of `width` by `height` amoebots, all with the same plan.
fn block(width: i32, height: i32, plan: JointPlan) -> Result<JointMove, JointConflict> {
    let cells: Vec<Cell> = (0..height).flat_map(|y| (0..width).map(move |x| cell(x, y))).collect();
    move_jointly(&common(&cells, 0), &vec![plan; cells.len()], &[], Anchor::Amoebot(0))
}

#[test]
fn a_block_expands_with_one_of_two_bonds_marked() {
    for (width, height) in [(2, 2), (3, 4), (5, 3)] {
        let sheared = block(width, height, expand(Direction::East).marking(Direction::NorthEast)).unwrap();
        let straight = block(width, height, expand(Direction::East).marking(Direction::SouthEast)).unwrap();
        for (number, (sheared, straight)) in sheared.bodies.iter().zip(&straight.bodies).enumerate() {
            let (x, y) = (number as i32 % width, number as i32 / width);
            assert_eq!(straight.tail(), cell(2 * x, y));
            assert_eq!(sheared.tail(), cell(2 * x + y, y));
        }
        let both = expand(Direction::East).marking(Direction::NorthEast).marking(Direction::SouthEast);
        for plan in [expand(Direction::East), both] {
            assert!(matches!(block(width, height, plan), Err(JointConflict::Structural { .. })));
        }
    }
}

/// Two amoebots contract side by side, so that two bonds become one. This is not a collision.
fn merging(rules: MovementRules) -> Result<JointMove, JointConflict> {
    let bodies = vec![
        Body::expanded(cell(1, 0), cell(0, 0)).unwrap(),
        Body::expanded(cell(1, 1), cell(0, 1)).unwrap(),
    ];
    let structure = CircuitStructure::new(bodies, vec![Orientation::COMMON; 2], Vec::new(), 0).unwrap();
    let contract = JointPlan::of(JointAction::Contract { stay: End::Head });
    // Without the diagonal bond (1, 0) - (0, 1) there are two parallel bonds.
    let plans = [contract.releasing(End::Head, Direction::NorthWest), contract];
    move_under(rules, &structure, &plans, &[], Anchor::Amoebot(0))
}

#[test]
fn merged_bonds_are_not_collisions() {
    assert!(merging(MovementRules::default()).is_ok());
    let wrong = MovementRules { merged_bonds_collide: true, ..MovementRules::default() };
    assert!(matches!(merging(wrong), Err(JointConflict::Collision { .. })));
}

/// A bar above a floor moves a hook through a tower. The collision cannot be seen from the final positions.
pub(crate) fn hook(rules: MovementRules) -> Result<JointMove, JointConflict> {
    // The upper bar (y = 2) expands east twice over a floor (y = 0) with a tower at (3, 1). The hook hangs at its east
    // end on the west side of the tower, and ends on the east side.
    let mut cells: Vec<Cell> = (-2..=6).map(|x| cell(x, 0)).collect();
    cells.push(cell(3, 1));
    cells.extend([cell(-3, 1), cell(-4, 2)]);
    let bar: Vec<usize> = (cells.len()..cells.len() + 3).collect();
    cells.extend([cell(-3, 2), cell(-2, 2), cell(-1, 2)]);
    let end = cells.len();
    cells.extend([cell(0, 2), cell(1, 1)]);
    let structure = common(&cells, 0);
    let down = [Direction::SouthWest, Direction::SouthEast];
    let mut plans = vec![JointPlan::STILL; cells.len()];
    for (at, number) in bar.into_iter().enumerate() {
        plans[number] = expand(Direction::East);
        for direction in down {
            plans[number] = plans[number].releasing(End::Head, direction);
        }
        let _ = at;
    }
    for direction in down {
        plans[end + 1] = plans[end + 1].releasing(End::Head, direction);
    }
    plans[end] = plans[end].releasing(End::Head, Direction::SouthWest);
    plans[end + 1] =
        plans[end + 1].releasing(End::Head, Direction::West).releasing(End::Head, Direction::East);
    move_under(rules, &structure, &plans, &[], Anchor::Amoebot(0))
}

#[test]
fn a_hook_through_a_tower_is_a_collision_on_the_way() {
    let Err(JointConflict::Collision { time, .. }) = hook(MovementRules::default()) else {
        panic!("{:?}", hook(MovementRules::default()));
    };
    assert!(time.numerator() > 0 && time.numerator() < time.denominator(), "{time}");
    let through = hook(MovementRules { collisions_are_ignored: true, ..MovementRules::default() }).unwrap();
    let mut ends: Vec<Cell> = through.bodies.iter().flat_map(|body| body.cells()).collect();
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), 17 + 3, "the end positions show nothing");
}

#[test]
fn classes_of_conflicts_come_in_their_order() {
    let line = common(&[cell(0, 0), cell(1, 0), cell(2, 0)], 0);
    let half = |plans: &[JointPlan]| move_jointly(&line, plans, &[], Anchor::Amoebot(0));
    let contract = JointPlan::of(JointAction::Contract { stay: End::Head });
    let apart = JointPlan::STILL.releasing(End::Head, Direction::East);
    let push = JointPlan::of(JointAction::Push(Direction::East));
    assert_eq!(half(&[apart, contract, push]), Err(JointConflict::Invalid { offenders: vec![1] }));
    assert_eq!(half(&[apart, push, push]), Err(JointConflict::Handover { offenders: vec![1, 2] }));
    let parts = vec![vec![BondOwner::Amoebot(0)], vec![BondOwner::Amoebot(1), BondOwner::Amoebot(2)]];
    let collides = expand(Direction::West);
    assert_eq!(half(&[apart, JointPlan::STILL, collides]), Err(JointConflict::Connectivity { parts }));
}
