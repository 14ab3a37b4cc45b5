//! Wrong rules that look right, and the faults by which they are detected.

use acrasin_amoebot::library::forest_walk::{Action, ForestWalk, Memory, PathWalk};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, AmoebotPort, Effects, End, Neighbour, Orientation, View,
    enabled_actions,
};
use acrasin_runtime::choice::Choices;

use super::{assorted, every_state, paths, starts};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    /// No fault: the shipped rules.
    Nothing,
    /// Contracts although an idle amoebot is next to it.
    LeavesIdle,
    /// Contracts although a child is at its tail.
    LeavesChildren,
    /// A child at the head also keeps it from contracting.
    WaitsForAllChildren,
    /// A pushing amoebot keeps its old parent port.
    PushesOnly,
    /// A pulled amoebot keeps its old parent port.
    PullsOnly,
    /// The old root does not follow the new root.
    ForgetsToFollow,
    /// The old root remains a root.
    StaysRoot,
    /// The new root reads the labels of the path as its own labels.
    OwnLabels,
    /// Swaps with an expanded amoebot as well.
    SwapsWithExpanded,
}

struct Variant(ForestWalk, Wrong);

impl Variant {
    /// For a contracted root with a step left and an expanded amoebot on the next node: the progress after the next
    /// step, and the port of the step.
    fn expanded_ahead(&self, a: &View<'_, Memory>) -> Option<(PathWalk, AmoebotPort)> {
        let Memory::Root(walk) = *a.own() else { return None };
        let letter = *self.0.path().get(usize::from(walk.done)).filter(|_| a.is_contracted())?;
        let next = AmoebotPort::head(walk.frame.label(letter));
        let is_expanded = a.neighbour(next).is_some_and(|q| !q.contracted);
        is_expanded.then_some((PathWalk { done: walk.done + 1, ..walk }, next))
    }
}

fn child_at(a: &View<'_, Memory>, b: &Neighbour<'_, Memory>) -> Option<End> {
    match *b.memory {
        Memory::Follower { parent } => a.pointed_at(b.port, parent),
        _ => None,
    }
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        self.0.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let right = self.0.enabled(action, a);
        match (self.1, action) {
            (Wrong::LeavesIdle, Action::Retract) => {
                !a.is_contracted() && a.neighbours().all(|b| child_at(a, &b) != Some(End::Tail))
            }
            (Wrong::LeavesChildren, Action::Retract) => {
                !a.is_contracted() && a.neighbours().all(|b| *b.memory != Memory::Idle)
            }
            (Wrong::WaitsForAllChildren, Action::Retract) => {
                right && a.neighbours().all(|b| child_at(a, &b).is_none())
            }
            (Wrong::SwapsWithExpanded, Action::Swap) => right || self.expanded_ahead(a).is_some(),
            _ => right,
        }
    }
    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        if let (Wrong::SwapsWithExpanded, Action::Swap, Some((walk, next))) =
            (self.1, action, self.expanded_ahead(a))
        {
            let follower = Memory::Follower { parent: next };
            return Ok(Effects::none().write_own(follower).write(next, Memory::Root(walk)));
        }
        let effects = self.0.execute(action, a, choices)?;
        let mut changed = match effects.movement() {
            Some(movement) => Effects::none().then(movement),
            None => Effects::none(),
        };
        for (port, memory) in effects.writes() {
            let memory = match (self.1, action, port, *memory) {
                (Wrong::PushesOnly, Action::Push, ..) | (Wrong::PullsOnly, Action::Pull(_), ..) => continue,
                (Wrong::ForgetsToFollow, Action::Swap, None, _) => Memory::Idle,
                (Wrong::StaysRoot, Action::Swap, None, _) => continue,
                (Wrong::OwnLabels, Action::Swap, Some(_), Memory::Root(walk)) => {
                    let Memory::Root(own) = *a.own() else { unreachable!("a root swaps") };
                    Memory::Root(PathWalk { frame: own.frame, ..walk })
                }
                (.., memory) => memory,
            };
            changed = match port {
                Some(port) => changed.write(*port, memory),
                None => changed.write_own(memory),
            };
        }
        Ok(changed)
    }
}

/// The smallest number of amoebots with which a fault occurs along a path of up to three steps, and the fault.
fn first_fault(wrong: Wrong, orientations: fn(usize) -> Vec<Orientation>) -> Option<(usize, &'static str)> {
    for n in 1..=3 {
        for path in (1..=3).flat_map(paths) {
            let walk = ForestWalk::new(&path).expect("labels");
            for start in starts(&walk, n, &orientations(n)) {
                if let Err(fault) = every_state(&Variant(walk.clone(), wrong), start, &path) {
                    return Some((n, fault));
                }
            }
        }
    }
    None
}

fn common(_: usize) -> Vec<Orientation> {
    Vec::new()
}

#[test]
fn wrong_rules_are_detected() {
    let table = [
        (Wrong::LeavesIdle, Some((2, "leaves an idle amoebot"))),
        (Wrong::LeavesChildren, Some((2, "leaves a child"))),
        (Wrong::WaitsForAllChildren, Some((2, "a wrong end"))),
        (Wrong::PushesOnly, Some((2, "a parent that is not there"))),
        (Wrong::PullsOnly, Some((2, "a parent that is not there"))),
        (Wrong::ForgetsToFollow, Some((3, "a parent that is not there"))),
        (Wrong::StaysRoot, Some((2, "not one root"))),
        (Wrong::SwapsWithExpanded, Some((2, "the root is off the path"))),
    ];
    let found = table.map(|(wrong, _)| (wrong, first_fault(wrong, common)));
    assert_eq!(found, table);
}

/// If all orientations are common, an amoebot's own labels are correct without translation.
#[test]
fn letters_must_be_translated_between_orientations() {
    assert_eq!(first_fault(Wrong::OwnLabels, assorted), Some((2, "the root is off the path")));
    assert_eq!(first_fault(Wrong::OwnLabels, common), None);
    assert_eq!(first_fault(Wrong::Nothing, assorted), None);
}

/// A variant without a change equals the original.
#[test]
fn the_variant_without_a_fault_is_the_right_one() {
    let walk = ForestWalk::new(&[1, 2, 4]).expect("labels");
    let variant = Variant(walk.clone(), Wrong::Nothing);
    for start in starts(&walk, 3, &assorted(3)) {
        for id in start.ids() {
            let view = View::new(&start, id);
            assert!(enabled_actions(&variant, view).eq(enabled_actions(&walk, view)));
        }
        let path = walk.path();
        assert_eq!(every_state(&variant, start.clone(), path), every_state(&walk, start, path));
    }
}
