//! Three mistakes in hexagon formation, which tests detect.

use acrasin_amoebot::check::Scope;
use acrasin_amoebot::library::hexagon::{Action, Memory, State};
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Cell, Chirality, Direction, Effects, Hexagon, Orientation, Shape,
    View, enabled_actions, explore,
};

use acrasin_runtime::choice::{Choices, Enumerated};

use super::{initial, spiral};

/// A mutant: the adversary may pick α4 while α3 is enabled. Otherwise the order is kept.
struct RootsMayPass;

impl Algorithm for RootsMayPass {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        Hexagon.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        let first = Hexagon.actions().iter().find(|first| Hexagon.enabled(**first, view));
        let passes = first == Some(&Action::Alpha3) && action == Action::Alpha4;
        first == Some(&action) || (passes && Hexagon.enabled(Action::Alpha4, view))
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Hexagon.execute(action, view, choices)
    }
}

#[test]
fn a_root_that_may_expand_instead_of_retiring_can_circle_forever() {
    let all =
        explore(&RootsMayPass, initial(2, &[]), Hexagon::is_finished, Scope::default()).expect("few states");
    assert!(all.is_cyclic());
    // Nothing else is wrong: every run that ends does so correctly.
    assert_eq!((all.stuck.len(), all.aborted, all.disconnected), (0, 0, 0));
    assert_eq!(all.final_shapes().len(), 1);
}

/// A mutant with α1 as first published, without "contracted".
struct ExpandedFollowersRoot;

impl Algorithm for ExpandedFollowersRoot {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        Hexagon.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        if action != Action::Alpha1 {
            return Hexagon.enabled(action, view);
        }
        matches!(view.own().state, State::Idle | State::Follower)
            && view.neighbours().any(|b| matches!(b.memory.state, State::Seed | State::Retired))
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Hexagon.execute(action, view, choices)
    }
}

/// The numbers of initial systems of n amoebots from which a run can end in a wrong system, and in an undefined step.
fn wrong_without_contracted(n: usize) -> (usize, usize) {
    let (mut wrong, mut undefined) = (0, 0);
    for start in initial(n, &[]) {
        let all = explore(&ExpandedFollowersRoot, [start], Hexagon::is_finished, Scope::default())
            .expect("few states");
        wrong += usize::from(!all.always_succeeds() || all.final_shapes().len() != 1);
        undefined += usize::from(all.aborted > 0);
    }
    (wrong, undefined)
}

#[test]
fn an_expanded_follower_that_becomes_root_goes_wrong_from_four_on() {
    assert_eq!(wrong_without_contracted(2), (0, 0));
    assert_eq!(wrong_without_contracted(3), (0, 0));
    // One of 176, by GetNextDir away from the structure: the result of this implementation.
    assert_eq!(wrong_without_contracted(4), (1, 1));
}

#[test]
fn own_chirality_works_only_where_it_agrees_with_the_seed() {
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let mut works = Vec::new();
    let mut combinations = 0;
    for second in [Orientation::COMMON, mirrored] {
        for third in [Orientation::COMMON, mirrored] {
            let orientations = [Orientation::COMMON, second, third];
            for start in initial(3, &orientations) {
                combinations += 1;
                let all =
                    explore(&Hexagon, [start], Hexagon::is_finished, Scope::default()).expect("few states");
                let only_right = all.finals.iter().all(|state| {
                    let seed = state.amoebots().iter().find(|a| a.memory.state == State::Seed);
                    let seed = seed.expect("the seed stays").body.head();
                    state.system().cells() == spiral(seed, Direction::East, 3)
                });
                if all.always_succeeds() && only_right {
                    works.push([second, third]);
                }
            }
        }
    }
    assert_eq!((works.len(), combinations), (33, 132));
    assert!(works.iter().all(|others| *others == [Orientation::COMMON; 2]));
}

/// With common chirality, directions do not matter: every amoebot may have another direction as port 1.
#[test]
fn own_directions_change_nothing() {
    let turned = |first| Orientation { first, chirality: Chirality::Standard };
    for (second, third) in [(Direction::NorthWest, Direction::SouthWest), (Direction::West, Direction::East)]
    {
        let orientations = [Orientation::COMMON, turned(second), turned(third)];
        let all = explore(&Hexagon, initial(3, &orientations), Hexagon::is_finished, Scope::default())
            .expect("few states");
        assert!(all.always_succeeds());
        assert_eq!(all.final_shapes().len(), 1);
        assert_eq!((all.longest_run, all.most_moves), (Some(27), Some(24)));
    }
}

/// A system in which all amoebots are mirrored forms the mirror image: a clockwise spiral.
#[test]
fn a_mirrored_system_forms_the_mirror_image() {
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let all = explore(&Hexagon, initial(3, &[mirrored; 3]), Hexagon::is_finished, Scope::default());
    let all = all.expect("few states");
    assert!(all.always_succeeds());
    assert_eq!((all.initial, all.longest_run, all.most_moves), (33, Some(27), Some(24)));
    let clockwise = [(0, 0), (1, 0), (1, -1)].map(|(x, y)| Cell::new(x, y).expect("a cell near the origin"));
    let mirror_image = Shape::from_cells(clockwise).expect("a shape");
    assert!(all.final_shapes().iter().eq([&mirror_image]));
}

/// The paths to faults are runs of the algorithm, and end at the faults.
#[test]
fn faults_have_a_shortest_trace() {
    let all = explore(&RootsMayPass, initial(2, &[]), Hexagon::is_finished, Scope::default()).unwrap();
    let round = all.way_round.as_ref().expect("a root can circle forever");
    assert!(all.is_cyclic() && round.steps.iter().any(|step| step.action == "Alpha4"));
    assert!(all.way_to_stuck.is_none() && all.way_to_aborted.is_none());

    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let own = [Orientation::COMMON, Orientation::COMMON, mirrored];
    let all = explore(&Hexagon, initial(3, &own), Hexagon::is_finished, Scope::default()).unwrap();
    let stuck = all.way_to_stuck.as_ref().expect("own chirality goes wrong");
    assert_eq!(&stuck.end, &all.stuck[0]);
    // Executed by cells and labels alone, the path leads to the stuck state.
    let mut state = stuck.start.clone();
    for step in &stuck.steps {
        let mut system = state.system();
        let id = system.ids().find(|id| system.body(*id).head() == step.cell).expect("an amoebot is there");
        let view = View::new(&system, id);
        let named = |action: &Action| format!("{action:?}") == step.action;
        let action = enabled_actions(&Hexagon, view).find(named).expect("it is enabled");
        let effects = Hexagon.execute(action, &view, &mut Enumerated::new()).expect("valid");
        effects.apply(&mut system, id).expect("valid");
        state = system.configuration().normal_form().expect("near");
    }
    assert_eq!(state, stuck.end);
}
