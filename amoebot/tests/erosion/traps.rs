//! Failures of erosion: holes, simultaneous steps, wrong guards.

use std::collections::BTreeSet;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::erosion::{Action, Memory};
use acrasin_amoebot::model::body::End;
use acrasin_amoebot::{
    ActionError, ActionOrder, Algorithm, Amoebot, AmoebotPort, Body, Cell, Configuration, Effects, Erosion,
    Orientation, Shape, System, View, enabled_actions,
};
use acrasin_runtime::choice::{Choices, Enumerated};

use super::{explored, neighbours_that_are, shapes, unchecked};

/// Whether the candidates are a ring of six around one empty cell, and no amoebot is null or the leader.
fn is_stuck_ring(state: &Configuration<Memory>) -> bool {
    let system = state.system();
    let is = |memory| system.ids().filter(|id| *system.memory(*id) == memory).collect::<Vec<_>>();
    let candidates = is(Memory::Candidate);
    let two_each =
        candidates.iter().all(|id| neighbours_that_are(&View::new(&system, *id), Memory::Candidate) == 2);
    let ring = Shape::from_cells(candidates.iter().map(|id| system.body(*id).head()));
    let ring = ring.is_ok_and(|ring| ring.cells().len() == 6 && ring.is_connected() && ring.holes() == 1);
    two_each && ring && is(Memory::Eroded).len() == system.len() - 6
}

#[test]
fn candidates_round_a_hole_stay_a_ring() {
    for (n, known) in [(5, 0), (6, 1), (7, 12)] {
        let holed = shapes(n, true);
        assert_eq!(holed.len(), known, "n = {n}");
        for shape in &holed {
            let all = explored(&Erosion, [unchecked(shape, &[], Memory::Null)]);
            assert!(all.finals.is_empty() && !all.is_cyclic() && all.aborted == 0);
            assert_eq!(all.stuck.len(), 1, "however they are activated");
            assert!(is_stuck_ring(&all.stuck[0]));
        }
    }
}

/// One simultaneous step: all guards are evaluated, then at most `most` enabled amoebots act. `None` if none is
/// enabled.
fn step_together(system: &System<Memory>, most: usize) -> Option<System<Memory>> {
    let mut next = system.clone();
    let enabled = system.ids().filter_map(|id| {
        let view = View::new(system, id);
        Some((id, view, enabled_actions(&Erosion, view).next()?))
    });
    let mut acted = false;
    for (id, view, action) in enabled.take(most) {
        let effects =
            Erosion.execute(action, &view, &mut Enumerated::new()).expect("an enabled action succeeds");
        effects.apply(&mut next, id).expect("a write to its own memory");
        acted = true;
    }
    acted.then_some(next)
}

/// The number of shapes without a hole on which such steps do not elect exactly one leader.
fn failures(n: usize, most: usize) -> usize {
    let fails = |shape: &&Shape| {
        let mut system = Erosion::start(shape.cells(), &[]).expect("connected, no hole");
        while let Some(next) = step_together(&system, most) {
            system = next;
        }
        !Erosion::is_finished(&system)
    };
    shapes(n, false).iter().filter(fails).count()
}

/// Without locks every enabled amoebot acts at once, on the previous state.
#[test]
fn simultaneous_erosion_fails() {
    assert_eq!([1, 2, 3, 4].map(|n| failures(n, n)), [0, 3, 2, 30]);
    // The results of this implementation, of 186, 813 and 3640: about half, as known.
    assert_eq!([5, 6, 7].map(|n| failures(n, n)), [84, 411, 1764]);
}

/// Steps with one amoebot each succeed, so the cause of the failures is simultaneity, not the driver.
#[test]
fn one_at_a_time_never_fails() {
    assert_eq!([1, 2, 3, 4, 5, 6].map(|n| failures(n, 1)), [0; 6]);
}

/// A mutant: erosion with another guard for *erode*.
struct Variant {
    erodes: fn(&View<'_, Memory>) -> bool,
}

impl Algorithm for Variant {
    type Memory = Memory;
    type Action = Action;
    fn actions(&self) -> &[Action] {
        Erosion.actions()
    }
    fn order(&self) -> ActionOrder {
        ActionOrder::AsListed
    }
    fn enabled(&self, action: Action, view: &View<'_, Memory>) -> bool {
        match action {
            Action::Erode => *view.own() == Memory::Candidate && (self.erodes)(view),
            _ => Erosion.enabled(action, view),
        }
    }
    fn execute(
        &self,
        action: Action,
        view: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        Erosion.execute(action, view, choices)
    }
}

/// An independent form of the published guard: the labels of the candidate neighbours form one arc.
fn one_arc(view: &View<'_, Memory>) -> bool {
    let is_candidate = |port: &AmoebotPort| view.read(*port) == Ok(&Memory::Candidate);
    let labels: BTreeSet<u8> =
        AmoebotPort::at(End::Head).filter(is_candidate).map(AmoebotPort::label).collect();
    let arc = |first: u8| (0..labels.len() as u8).all(|i| labels.contains(&((first + i - 1) % 6 + 1)));
    (1..=5).contains(&labels.len()) && (1..=6).any(arc)
}

fn no_null(view: &View<'_, Memory>) -> bool {
    neighbours_that_are(view, Memory::Null) == 0
}

/// Whether every schedule elects one leader on every shape of n cells without a hole.
fn elects(erodes: fn(&View<'_, Memory>) -> bool, n: usize) -> bool {
    let starts = shapes(n, false).into_iter().map(|shape| unchecked(&shape, &[], Memory::Null));
    explored(&Variant { erodes }, starts).always_succeeds()
}

/// The smallest number of amoebots, up to five, with which a guard is detected as wrong.
fn first_failure(erodes: fn(&View<'_, Memory>) -> bool) -> Option<usize> {
    (1..=5).find(|n| !elects(erodes, *n))
}

#[test]
fn wrong_guards_are_detected() {
    assert_eq!(first_failure(|view| no_null(view) && one_arc(view)), None, "the right one is not");
    // Two separate arcs: the middle amoebot of a line may leave.
    let any_arcs: fn(&View<'_, Memory>) -> bool =
        |view| no_null(view) && (1..=5).contains(&neighbours_that_are(view, Memory::Candidate));
    assert_eq!(first_failure(any_arcs), Some(3));
    // Without waiting for null neighbours: the same, as long as one end has not begun.
    assert_eq!(first_failure(one_arc), Some(3));
    // Exactly one candidate neighbour: a triangle is stuck.
    let only_ends: fn(&View<'_, Memory>) -> bool =
        |view| no_null(view) && neighbours_that_are(view, Memory::Candidate) == 1;
    assert_eq!(first_failure(only_ends), Some(3));
}

/// A candidate with given neighbours, by direction.
fn neighbourhood(around: [Option<Memory>; 6], orientation: Orientation) -> System<Memory> {
    let around = Cell::ORIGIN.neighbours().zip(around).filter_map(|(cell, memory)| Some((cell, memory?)));
    let amoebots = [(Cell::ORIGIN, Memory::Candidate)].into_iter().chain(around);
    let contracted =
        amoebots.map(|(cell, memory)| Amoebot { body: Body::contracted(cell), orientation, memory });
    System::new(contracted.collect()).expect("different cells")
}

/// The guard of the crate and the one written here agree on every neighbourhood of a candidate, in every frame.
#[test]
fn all_neighbourhoods_of_a_candidate() {
    let states = [None, Some(Memory::Null), Some(Memory::Candidate), Some(Memory::Eroded)];
    for orientation in Orientation::all() {
        let (mut may_erode, mut may_declare) = (0, 0);
        for code in 0..4_usize.pow(6) {
            let around = std::array::from_fn(|i| states[code >> (2 * i) & 3]);
            let system = neighbourhood(around, orientation);
            let view = View::new(&system, AmoebotId(0));
            let enabled = |action: &&Action| Erosion.enabled(**action, &view);
            let enabled: Vec<Action> = Erosion.actions().iter().filter(enabled).copied().collect();
            assert!(enabled.len() <= 1 && !enabled.contains(&Action::BecomeCandidate));
            let erodes = enabled.contains(&Action::Erode);
            assert_eq!(erodes, no_null(&view) && one_arc(&view));
            may_erode += usize::from(erodes);
            may_declare += usize::from(enabled.contains(&Action::Declare));
        }
        // Six arcs of each length 1 to 5; the cells outside the arc are empty or eroded.
        assert_eq!(may_erode, (1..=5).map(|length| 6 << (6 - length)).sum());
        assert_eq!(may_declare, 1 << 6);
    }
}
