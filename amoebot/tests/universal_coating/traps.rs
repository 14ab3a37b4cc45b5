//! Wrong rules, each of which the oracles catch.

use acrasin_amoebot::universal_coating::{Action, Memory, Place};
use acrasin_amoebot::{
    ActionError, Algorithm, Cell, Direction, Effects, End, Order, Port, System, UniversalCoating, View,
};
use acrasin_runtime::choice::Choices;

use crate::every_schedule::{all_schedules, always_coats};
use crate::oracle::{cell, hangs_together, line};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    /// Contracts away from children.
    LeavesChildren,
    /// Moves along the layer without a complaint.
    NeedsNoComplaint,
    /// A complaint is used up by somebody who is not at a gap.
    WastesComplaints,
    /// Complaints are made, but not copied.
    KeepsComplaints,
}

impl Algorithm for Wrong {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        UniversalCoating.actions()
    }

    fn order(&self) -> Order {
        UniversalCoating.order()
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let right = UniversalCoating.enabled(action, a);
        match (self, action) {
            (Self::LeavesChildren, Action::Retract) => {
                !a.is_contracted() && a.neighbours().all(|b| *b.memory != Memory::Inactive)
            }
            (Self::NeedsNoComplaint, Action::Advance) => may_walk(a),
            (Self::WastesComplaints, Action::Advance) => complains(a),
            (Self::KeepsComplaints, Action::Complain) => right && has_child(a),
            _ => right,
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        if let (Self::WastesComplaints, Action::Advance, &Memory::Settled(place)) = (self, action, a.own())
            && !UniversalCoating.enabled(action, a)
        {
            return Ok(Effects::none().write_own(Memory::Settled(Place { complaint: false, ..place })));
        }
        UniversalCoating.execute(action, a, choices)
    }
}

fn complains(a: &View<'_, Memory>) -> bool {
    a.own().place().is_some_and(|place| place.complaint)
}

/// In the first layer, where the next node is empty.
fn may_walk(a: &View<'_, Memory>) -> bool {
    let is_next = |port: &Port| {
        let before = port.turned(acrasin_amoebot::Rotation::Counterclockwise);
        !a.object(*port) && a.object(before) && !a.connected(*port)
    };
    a.own().place().is_some_and(|place| place.layer == 1) && Port::at(End::Head).any(|port| is_next(&port))
}

fn has_child(a: &View<'_, Memory>) -> bool {
    a.neighbours().any(|b| b.memory.parent().is_some_and(|parent| a.pointed_at(b.port, parent).is_some()))
}

/// A column of n on one cell.
fn column(n: usize) -> Vec<System<Memory>> {
    let line = line(cell(1, 0), Direction::East, n);
    vec![UniversalCoating::start(&line, &[Cell::ORIGIN], &[]).expect("a good start")]
}

#[test]
fn who_contracts_away_from_children_leaves_them_behind() {
    assert!(always_coats(&all_schedules(&UniversalCoating, column(3))));
    let all = all_schedules(&Wrong::LeavesChildren, column(3));
    assert!(all.stuck.iter().any(|state| !hangs_together(&state.system())));
}

#[test]
fn who_moves_without_a_complaint_goes_round_for_ever() {
    assert!(all_schedules(&Wrong::NeedsNoComplaint, column(1)).is_cyclic());
}

#[test]
fn a_complaint_that_is_used_up_in_the_middle_is_made_for_ever() {
    let all = all_schedules(&Wrong::WastesComplaints, column(3));
    assert!(all.is_cyclic() && !always_coats(&all));
}

#[test]
fn a_complaint_that_stays_where_it_was_made_leaves_somebody_outside() {
    let all = all_schedules(&Wrong::KeepsComplaints, column(3));
    assert!(!all.stuck.is_empty() && !all.is_cyclic());
}
