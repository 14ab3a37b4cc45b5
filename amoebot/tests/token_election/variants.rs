//! Wrong rules, which the oracles must detect.

use acrasin_amoebot::library::token_election::{
    Action, AgentRole, CandidateState, ComparisonToken, Memory, TokenAgent, Vector,
};
use acrasin_amoebot::run::execution::{SequentialExecution, UniformEnabled};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Direction, Effects, TokenElection, View, start,
};
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::Choices;

use super::oracle::{fault, shapes, vectors_add_up};

/// The change of an action: the acting agent and its predecessor, each before and after.
struct Change {
    action: Action,
    before: Option<(TokenAgent, TokenAgent)>,
    own: (TokenAgent, TokenAgent),
}

/// A mutant: token election that writes another state to the acting agent.
struct Variant {
    written: fn(&Change) -> TokenAgent,
}

/// The index of the agent that has changed.
fn changed(was: &Memory, is: &Memory) -> Option<usize> {
    (0..6).find(|i| was.0[*i] != is.0[*i])
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        TokenElection.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        TokenElection.enabled(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let effects = TokenElection.execute(action, view, choices)?;
        let writes = effects.writes().to_vec();
        let (_, mut memory) = writes[0];
        let Some(at) = changed(view.own(), &memory) else { return Ok(effects) };
        let before = writes.get(1).map(|(port, after)| {
            let was = view.read(port.expect("a neighbour")).expect("connected");
            let i = changed(was, after).expect("written because it changed");
            (was.0[i], after.0[i])
        });
        memory.0[at] = (self.written)(&Change { action, before, own: (view.own().0[at], memory.0[at]) });
        let own = Effects::none().write_own(memory);
        Ok(writes
            .iter()
            .skip(1)
            .fold(own, |effects, (port, memory)| effects.write(port.expect("a neighbour"), *memory)))
    }
}

/// The fault of one of several runs from these cells, if any.
fn fault_of(written: fn(&Change) -> TokenAgent, cells: &[Cell]) -> Option<&'static str> {
    (0..40).find_map(|seed| {
        let start = TokenElection::start(cells, &[]).expect("connected");
        let variant = Variant { written };
        let mut execution = SequentialExecution::new(&variant, start);
        let ended = execution.run(20_000, &mut UniformEnabled, &mut Seeded::new(seed));
        if ended { fault(execution.system()) } else { Some("no end") }
    })
}

/// The smallest number of amoebots with which a run fails, and the fault.
fn first_fault(written: fn(&Change) -> TokenAgent) -> Option<(usize, &'static str)> {
    let of = |n| shapes(n).iter().find_map(|shape| fault_of(written, shape.cells())).map(|fault| (n, fault));
    (1..=3).find_map(of)
}

fn ring() -> Vec<Cell> {
    Cell::ORIGIN.neighbours().collect()
}

#[test]
fn the_right_rules_have_no_fault() {
    assert_eq!((first_fault(|change| change.own.1), fault_of(|change| change.own.1, &ring())), (None, None));
}

/// Without the agent's number in the probe, a candidate takes another agent of the same amoebot for itself.
#[test]
fn solitude_without_the_number_of_the_agent() {
    let found = first_fault(|change| {
        let mut own = change.own.1;
        if let (Action::Verify, AgentRole::Candidate(CandidateState::Tied { .. }), Some((before, _))) =
            (change.action, own.role, change.before)
            && before.probe.is_some_and(|probe| probe.is_clear)
            && before.vector == Vector::ZERO
        {
            own.role = AgentRole::Candidate(CandidateState::Leader);
        }
        own
    });
    // An amoebot in the middle of a line has two agents: one leads while others contend.
    assert_eq!(found, Some((3, "not every amoebot has decided")));
}

/// Without vector tokens, a candidate takes an agent of another amoebot with the same index for itself.
#[test]
fn solitude_by_the_number_of_the_agent_alone() {
    let found = first_fault(|change| match change.action {
        Action::Flip | Action::Join => TokenAgent { vector: Vector::ZERO, ..change.own.1 },
        _ => change.own.1,
    });
    assert_eq!(found, Some((2, "not one leader")));
}

/// Vector tokens vanish when they move, so those that they would have cancelled stay forever.
#[test]
fn vectors_that_get_lost() {
    let vanish = |change: &Change| match change.action {
        Action::Cancel => TokenAgent { vector: Vector::ZERO, ..change.own.1 },
        _ => change.own.1,
    };
    assert_eq!(first_fault(vanish), Some((3, "no end")));
    // The sums detect this at once.
    let line = start::line(Cell::ORIGIN, Direction::East, 4).expect("a line");
    let variant = Variant { written: vanish };
    let add_up = |seed| {
        let start = TokenElection::start(&line, &[]).expect("connected");
        let mut execution = SequentialExecution::new(&variant, start);
        let mut choices = Seeded::new(seed);
        (0..1_000).all(|_| {
            execution.run(1, &mut UniformEnabled, &mut choices);
            vectors_add_up(execution.system())
        })
    };
    assert!(!(0..10).all(add_up));
}

/// In this variant shorter identifiers win.
#[test]
fn a_comparison_that_mistakes_lengths() {
    let found = first_fault(|change| {
        let mut own = change.own.1;
        if change.action == Action::Judge && change.own.0.comparison == Some(ComparisonToken::Shorter) {
            own.role = AgentRole::Candidate(CandidateState::Revoked);
            own.is_passive = true;
            own.comparison = Some(ComparisonToken::Release);
        }
        own
    });
    assert_eq!(found, Some((3, "not one leader")));
}

/// Members send another digit than the one that they compare.
#[test]
fn identifiers_that_are_sent_wrongly() {
    let found = first_fault(|change| {
        let mut own = change.own.1;
        if change.action == Action::Join {
            own.own =
                own.own.map(|digit| acrasin_amoebot::library::token_election::Digit { value: 0, ..digit });
        }
        own
    });
    assert_eq!(found, Some((2, "not one leader")));
}

/// The last candidate of a boundary leads without testing which boundary it is: this is correct only on shapes without
/// holes.
#[test]
fn no_test_of_the_boundary() {
    let written = |change: &Change| {
        let mut own = change.own.1;
        if own.role == AgentRole::Candidate(CandidateState::Inner) {
            own.role = AgentRole::Candidate(CandidateState::Leader);
        }
        own
    };
    assert_eq!(first_fault(written), None);
    assert_eq!(fault_of(written, &ring()), Some("not one leader"));
}
