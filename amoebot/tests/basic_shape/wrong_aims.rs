//! Tests that the oracle detects wrong aims, and roots that determine their direction only once.

use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::basic_shape::{BasicShape, TargetShape};
use acrasin_amoebot::library::hexagon::{Action, Memory, State};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotPort, Direction, Effects, Hexagon, Rotation, View,
    explore,
};
use acrasin_runtime::choice::Choices;

use super::{FORMS, accepted, initial, seed_of};

/// A mutant whose retirees turn their aim by some sixths of a circle, counter-clockwise.
struct Turned {
    form: TargetShape,
    sixths: usize,
}

impl Algorithm for Turned {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        Hexagon.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        BasicShape { form: self.form }.enabled(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let effects = BasicShape { form: self.form }.execute(action, view, choices)?;
        let turn =
            |dir: AmoebotPort| (0..self.sixths).fold(dir, |dir, _| dir.turned(Rotation::Counterclockwise));
        match effects.writes() {
            [(None, memory)] if memory.state == State::Retired => {
                Ok(Effects::none().write_own(Memory { dir: memory.dir.map(turn), ..*memory }))
            }
            _ => Ok(effects),
        }
    }
}

/// Whether every schedule from every shape of n amoebots ends correctly.
fn always_right(
    form: TargetShape,
    algorithm: &(impl Algorithm<Memory = Memory, Action = Action> + Sync),
    n: usize,
) -> bool {
    let all = explore(algorithm, initial(n, &[]), BasicShape::is_finished, Scope::default());
    let all = all.expect("few states");
    let right = all
        .finals
        .iter()
        .all(|state| accepted(form, seed_of(state), Direction::East, n).contains(&state.system().cells()));
    all.always_succeeds() && right
}

#[test]
fn turned_aims_are_detected() {
    for form in FORMS {
        let is_right = |sixths, n| always_right(form, &Turned { form, sixths }, n);
        assert!(is_right(0, 4), "the right one is not");
        // A line whose retirees aim back at the seed has room for three.
        let by = |sixths| if (form, sixths) == (TargetShape::Line, 3) { 4 } else { 3 };
        assert!((1..6).all(|sixths| !is_right(sixths, by(sixths))), "{form:?}");
    }
    assert!(always_right(TargetShape::Line, &Turned { form: TargetShape::Line, sixths: 3 }, 3));
}

/// A mutant that does not pass the signal on: the signal of every retiree is down.
struct Silent {
    form: TargetShape,
}

impl Algorithm for Silent {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        Hexagon.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        BasicShape { form: self.form }.enabled(action, view)
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let effects = BasicShape { form: self.form }.execute(action, view, choices)?;
        match effects.writes() {
            [(None, memory)] if memory.state == State::Retired => {
                Ok(Effects::none().write_own(Memory { parent: None, ..*memory }))
            }
            _ => Ok(effects),
        }
    }
}

#[test]
fn a_turn_signal_that_is_not_passed_on_is_detected() {
    let first_failure = |form| (2..=5).find(|n| !always_right(form, &Silent { form }, *n));
    assert_eq!(FORMS.map(first_failure), [None, None, None, Some(4), Some(5)]);
}

/// A mutant with the α4 of hexagon formation, which expands in the direction last written.
struct LooksOnce {
    form: TargetShape,
}

impl Algorithm for LooksOnce {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        Hexagon.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        match action {
            Action::Alpha4 => Hexagon.enabled(action, view),
            _ => BasicShape { form: self.form }.enabled(action, view),
        }
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        match action {
            Action::Alpha4 => Hexagon.execute(action, view, choices),
            _ => BasicShape { form: self.form }.execute(action, view, choices),
        }
    }
}

/// An amoebot retires on the node that a root was about to enter, and does not aim at the root, which then waits
/// forever. This never happens in hexagon formation.
#[test]
fn roots_that_look_only_once_wait_forever() {
    let first_failure = |form| (2..=4).find(|n| !always_right(form, &LooksOnce { form }, *n));
    assert_eq!(FORMS.map(first_failure), [Some(3), None, Some(4), Some(3), Some(4)]);
    for (form, n) in [
        (TargetShape::Line, 3),
        (TargetShape::Triangle, 4),
        (TargetShape::Square, 3),
        (TargetShape::VertexTriangle, 4),
    ] {
        let all = explore(&LooksOnce { form }, initial(n, &[]), BasicShape::is_finished, Scope::default());
        let all = all.expect("few states");
        assert!(!all.stuck.is_empty() && !all.is_cyclic() && all.aborted == 0 && all.disconnected == 0);
        // One amoebot is left out: a contracted root.
        let waits = |a: &Amoebot<Memory>| a.memory.state == State::Root && a.body.is_contracted();
        assert!(all.stuck.iter().all(|state| state.amoebots().iter().any(waits)));
    }
}

/// The test distinguishes two forms from the first size at which they differ: line and hexagon with three amoebots,
/// triangle and hexagon with four.
#[test]
fn one_form_does_not_pass_for_another() {
    let passes = |form, other, n| always_right(form, &BasicShape { form: other }, n);
    assert!(
        !passes(TargetShape::Line, TargetShape::Hexagon, 3)
            && !passes(TargetShape::Hexagon, TargetShape::Line, 3)
    );
    assert!(passes(TargetShape::Triangle, TargetShape::Hexagon, 3), "the same triangle");
    assert!(
        !passes(TargetShape::Triangle, TargetShape::Hexagon, 4)
            && !passes(TargetShape::Hexagon, TargetShape::Triangle, 4)
    );
}
