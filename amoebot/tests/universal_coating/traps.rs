//! Wrong rules, each of which the oracles catch.

use acrasin_amoebot::library::universal_coating::{
    Action, ElectionState, LayerMark, Memory, ProbeFinding, State,
};
use acrasin_amoebot::run::execution::{SequentialExecution, Uniform, UniformEnabled};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, AmoebotPort, Cell, Direction, Effects, End, Movement, Rotation,
    System, UniversalCoating, View,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Choices;

use super::every_schedule::{all_schedules, always_coats};
use super::oracle::{cell, fault, fault_at_the_end, is_connected_with_object, line};
use super::second_layer::{explored, ring, root};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    /// Amoebots contract although they have tail-children.
    LeavesChildren,
    /// Super-roots move without a complaint.
    NeedsNoComplaint,
    /// A complaint is not used up.
    KeepsItsComplaint,
    /// Complaints are made, but not passed on.
    KeepsComplaints,
    /// Surplus complaints are kept.
    KeepsWhatIsLeft,
    /// Candidates are pulled as well, so a gap in a ring moves forever.
    PullsCandidates,
    /// Every retired amoebot begins the next layer, even before the layer of that amoebot is full.
    EveryAmoebotMarks,
    /// Movements do not disturb the election.
    ForgetsMovements,
    /// A probe ignores vector tokens.
    ForgetsTokens,
}

impl Algorithm for Wrong {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        UniversalCoating.actions()
    }

    fn order(&self) -> ActionOrder {
        UniversalCoating.order()
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let right = UniversalCoating.enabled(action, a);
        match (self, action) {
            (Self::LeavesChildren, Action::Contract) => {
                !a.is_contracted() && a.neighbours().all(|b| b.memory.state != State::Inactive)
            }
            (Self::LeavesChildren, Action::Pull) => false,
            (Self::NeedsNoComplaint, Action::Advance) => right || free_way(a).is_some(),
            (Self::KeepsComplaints, Action::Forward) | (Self::KeepsWhatIsLeft, Action::Notice) => false,
            (Self::PullsCandidates, Action::Pull) => right || candidate_behind(a).is_some(),
            _ => right,
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        if !UniversalCoating.enabled(action, a) {
            match (self, action) {
                (Self::NeedsNoComplaint, Action::Advance) => {
                    let way = free_way(a).ok_or(ActionError::Undefined("no way"))?;
                    return Ok(Effects::none().then(Movement::Expand(way)));
                }
                (Self::PullsCandidates, Action::Pull) => {
                    let port = candidate_behind(a).ok_or(ActionError::Undefined("no candidate"))?;
                    return Ok(Effects::none().then(Movement::Pull(port)));
                }
                _ => {}
            }
        }
        let effects = UniversalCoating.execute(action, a, choices)?;
        Ok(match (self, action) {
            (Self::KeepsItsComplaint, Action::Advance) => changed(&effects, |memory| {
                memory.complaints = a.own().complaints;
            }),
            (Self::ForgetsMovements, Action::Advance | Action::Pull) => {
                let own = a.own().agent;
                let pulled = effects.movement().and_then(|movement| match movement {
                    Movement::Pull(port) => Some(a.read(port).ok()?.agent),
                    _ => None,
                });
                let mut agents = [Some(own), pulled].into_iter().flatten();
                changed(&effects, |memory| {
                    memory.agent = agents.next().expect("an agent for each write");
                })
            }
            (Self::EveryAmoebotMarks, Action::Retire) => changed(&effects, |memory| {
                if let State::Retired(_, mark) = &mut memory.state {
                    *mark = LayerMark::Marker;
                }
            }),
            (Self::ForgetsTokens, Action::Pass) => changed(&effects, |memory| {
                let heard = match &mut memory.agent.standing {
                    ElectionState::Candidate { heard, .. } => heard.as_mut(),
                    ElectionState::Bystander => None,
                };
                for probe in heard.into_iter().chain(memory.agent.probe.as_mut()) {
                    if probe.finding == ProbeFinding::Tokens {
                        probe.finding = ProbeFinding::Nothing;
                    }
                }
            }),
            _ => effects,
        })
    }
}

/// The effects with each written memory changed.
fn changed(effects: &Effects<Memory>, mut change: impl FnMut(&mut Memory)) -> Effects<Memory> {
    let movement = effects.movement();
    let mut same = Effects::none();
    for (port, memory) in effects.writes() {
        let mut memory = *memory;
        change(&mut memory);
        same = match port {
            Some(port) => same.write(*port, memory),
            None => same.write_own(memory),
        };
    }
    match movement {
        Some(movement) => same.then(movement),
        None => same,
    }
}

/// The port to the next node of the layer, for a contracted root of the first layer whose next node is empty.
fn free_way(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    let is_next = |port: &AmoebotPort| {
        !a.object(*port) && a.object(port.turned(Rotation::Counterclockwise)) && !a.connected(*port)
    };
    let may = a.own().state == State::Root && a.is_contracted();
    AmoebotPort::at(End::Head).find(is_next).filter(|_| may)
}

/// The tail port to a contracted candidate behind the amoebot.
fn candidate_behind(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    let is_behind = |port: &AmoebotPort| !a.object(*port) && a.object(port.turned(Rotation::Clockwise));
    let behind = AmoebotPort::at(End::Tail).find(is_behind)?;
    let b = a.neighbour(behind)?;
    (b.contracted && b.memory.agent.standing != ElectionState::Bystander).then_some(behind)
}

/// A column of n amoebots that stands on one cell.
fn column(n: usize) -> Vec<System<Memory>> {
    let line = line(cell(1, 0), Direction::East, n);
    vec![UniversalCoating::start(&line, &[Cell::ORIGIN], &[]).expect("a good start")]
}

#[test]
fn contracting_away_from_children_disconnects_them() {
    assert!(always_coats(&all_schedules(&UniversalCoating, column(3))));
    let all = all_schedules(&Wrong::LeavesChildren, column(3));
    assert!(all.stuck.iter().any(|state| !is_connected_with_object(&state.system())));
}

#[test]
fn moving_without_a_complaint_never_ends() {
    assert!(all_schedules(&Wrong::NeedsNoComplaint, column(1)).is_cyclic());
}

#[test]
fn a_complaint_that_is_not_used_up_moves_an_amoebot_forever() {
    assert!(!all_schedules(&UniversalCoating, column(2)).is_cyclic());
    assert!(all_schedules(&Wrong::KeepsItsComplaint, column(2)).is_cyclic());
}

#[test]
fn a_complaint_that_stays_where_it_was_made_leaves_an_amoebot_outside() {
    let all = all_schedules(&Wrong::KeepsComplaints, column(3));
    assert!(!all.stuck.is_empty() && !all.is_cyclic());
}

/// Five amoebots on a ring of six nodes with one complaint: the gap circles forever if candidates are pulled.
#[test]
fn a_gap_that_no_candidate_stops_never_rests() {
    let mut memories = [root(Some(0), 0), root(None, 1), root(None, 0), root(None, 0), root(None, 0)];
    // This test needs no election.
    memories[0].agent.probe = None;
    assert!(!explored(&UniversalCoating, vec![ring(&memories)]).is_cyclic());
    assert!(explored(&Wrong::PullsCandidates, vec![ring(&memories)]).is_cyclic());
}

/// On a ring with two opposite candidates both become leaders if probes ignore vector tokens.
#[test]
fn probes_that_see_no_tokens_elect_two() {
    let bits = [Some(1), None, None, Some(1), None, None];
    let all = explored(&Wrong::ForgetsTokens, vec![ring(&bits.map(|bit| root(bit, 0)))]);
    assert!(all.stuck.iter().any(|state| UniversalCoating::leaders(&state.system()).len() == 2));
}

/// A leader is elected before the first layer is full.
#[test]
fn probes_that_see_no_movement_elect_too_early() {
    let elects = |algorithm: &Wrong, seed| {
        let memories = [root(Some(0), 2), root(None, 2), root(Some(1), 2), root(None, 2), root(None, 2)];
        let mut execution = SequentialExecution::new(algorithm, ring(&memories));
        let mut choices = Seeded::new(seed);
        while !execution.has_terminated() && execution.counts().activations < 20_000 {
            execution.run(1, &mut UniformEnabled, &mut choices);
            if fault(execution.system()).is_some() {
                return true;
            }
        }
        fault_at_the_end(execution.system()).is_some()
    };
    assert!((0..2000).any(|seed| elects(&Wrong::ForgetsMovements, seed)));
}

#[test]
fn a_layer_that_begins_too_early_is_on_one_with_gaps() {
    let coats = |algorithm: &Wrong, seed| {
        let mut execution = SequentialExecution::new(algorithm, column(22).swap_remove(0));
        execution.run(1_000_000, &mut UniformEnabled, &mut Seeded::new(seed))
            && fault_at_the_end(execution.system()).is_none()
    };
    assert!(!(0..100).all(|seed| coats(&Wrong::EveryAmoebotMarks, seed)));
}

/// A gap of one node goes around the object once for each left-over complaint.
#[test]
fn left_over_complaints_must_be_dropped() {
    let wall = line(Cell::ORIGIN, Direction::NorthEast, 40);
    let column = line(cell(1, 0), Direction::East, 83);
    let start = UniversalCoating::start(&column, &wall, &[]).expect("a good start");
    let mut execution = SequentialExecution::new(&Wrong::KeepsWhatIsLeft, start);
    assert!(execution.run(20_000_000, &mut Uniform, &mut Seeded::new(1)));
    assert!(execution.counts().rounds > 2 * 6 * 83, "{}", execution.counts().rounds);
}
