//! Bad input: messages with the cell or amoebot, and no panic.

use acrasin_amoebot::{Body, Chirality, Direction, Orientation};
use acrasin_circuits::circuit::{GivenConfiguration, SetName, communicate};
use acrasin_circuits::library::{CircuitCompass, Election, LineToRhombus};
use acrasin_circuits::{
    BeepPlan, CircuitRun, CircuitStructure, CircuitView, CoinToss, Coins, PINS_MAX, Pin, RoundTable, Seat,
};

use crate::structures::{cell, common, framed};

#[test]
fn structures() {
    let message = |bodies: Vec<Body>, objects: Vec<Vec<_>>, pins| {
        let frames = vec![Orientation::COMMON; bodies.len()];
        CircuitStructure::new(bodies, frames, objects, pins).unwrap_err().to_string()
    };
    let at = |x, y| Body::contracted(cell(x, y));
    assert_eq!(message(vec![], vec![], 1), "a structure without amoebots (accepted: 1 or more)");
    assert_eq!(
        message(vec![at(2, 3), at(2, 3)], vec![], 1),
        "cell (2, 3): two amoebots or objects on it (accepted: one)"
    );
    assert_eq!(
        message(vec![at(0, 0)], vec![vec![cell(0, 0)]], 1),
        "cell (0, 0): two amoebots or objects on it (accepted: one)"
    );
    assert_eq!(message(vec![at(0, 0)], vec![], 20), "20 pins on each edge (accepted: 0 to 19)");
    assert_eq!(
        message(vec![at(0, 0)], vec![vec![cell(5, 5), cell(8, 8)]], 1),
        "object 0: its cells are not connected (accepted: 1 or more connected cells)"
    );
    assert!(CircuitStructure::contracted(&[cell(0, 0)], usize::from(PINS_MAX)).is_ok());
}

#[test]
fn starts_of_algorithms() {
    let start = |structure: CircuitStructure| {
        CircuitRun::new(structure, Election { repetitions: 1 }, Coins::keyed(0))
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        start(common(&[cell(0, 0), cell(4, 1)], 1)),
        "cell (4, 1): not connected to the first amoebot"
    );
    assert_eq!(
        start(common(&[cell(0, 0)], 0)),
        "0 pins on each edge (accepted by this algorithm: 1 or more)"
    );
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let turned = Orientation { first: Direction::West, ..Orientation::COMMON };
    let two = |frame, pins| framed(&[cell(0, 0), cell(1, 0)], vec![Orientation::COMMON, frame], pins);
    let compass = CircuitRun::new(two(mirrored, 2), CircuitCompass, Coins::keyed(0)).map(|_| ()).unwrap_err();
    assert_eq!(
        compass.to_string(),
        "cell (1, 0): its frame differs from that of the first amoebot (accepted by this algorithm: one chirality)"
    );
    let fold = CircuitRun::new(two(turned, 3), LineToRhombus, Coins::keyed(0)).map(|_| ()).unwrap_err();
    assert!(fold.to_string().starts_with("cell (1, 0): its frame differs"), "{fold}");
    assert!(CircuitRun::new(two(turned, 2), CircuitCompass, Coins::keyed(0)).is_ok());
}

#[test]
fn configurations() {
    const TWICE: &str =
        "cell (2, 3): sets of amoebot 0 name pin 1 at label 3 of its head twice (accepted: each pin once)";
    let structure = common(&[cell(2, 3)], 2);
    let message = |given: GivenConfiguration| communicate(&structure, &[given]).unwrap_err().to_string();
    let sets = |sets: Vec<Vec<Pin>>| GivenConfiguration { sets, ..Default::default() };
    let pin = Pin::head(3, 1);
    assert_eq!(message(sets(vec![vec![pin], vec![pin]])), TWICE);
    assert_eq!(message(sets(vec![vec![pin, pin]])), TWICE);
    for (label, index) in [(7, 0), (0, 0), (1, 2)] {
        let text = message(sets(vec![vec![Pin::head(label, index)]]));
        let expected = format!(
            "cell (2, 3): amoebot 0 has no pin {index} at label {label} of its head (accepted: pins of edges that \
             leave its body)"
        );
        assert_eq!(text, expected);
    }
    let beeps = |beep| GivenConfiguration { beeps: vec![beep], ..sets(vec![vec![pin]]) };
    assert!(message(beeps(SetName::Set(1))).starts_with("cell (2, 3): amoebot 0 has no set 1"));
    let single = message(beeps(SetName::Pin(pin)));
    assert!(single.starts_with("cell (2, 3): pin 1 at label 3 of the head of amoebot 0 belongs"), "{single}");
}

/// An algorithm whose first amoebot names these pins in two sets.
#[derive(Clone)]
struct NamesPins([Pin; 2]);

impl RoundTable for NamesPins {
    type Memory = bool;
    type RoundName = ();

    fn start(&self, _seat: &Seat) -> (bool, Option<()>) {
        (false, Some(()))
    }

    fn name(&self, (): ()) -> &'static str {
        "name pins"
    }

    fn send(&self, (): (), seat: &Seat, memory: &mut bool, _: &mut CoinToss<'_>, plan: &mut BeepPlan<'_>) {
        *memory = true;
        plan.reset();
        if seat.number == 1 {
            let Self([one, other]) = *self;
            plan.set([one]);
            plan.set([other]);
        }
    }

    fn receive(&self, (): (), _seat: &Seat, _: &mut bool, _: &CircuitView<'_>) -> Option<()> {
        None
    }
}

#[test]
fn an_algorithm_that_names_pins_wrongly_ends_the_run_with_the_cell() {
    let round = |pins| {
        let structure = common(&[cell(0, 0), cell(1, 0)], 2);
        let mut run = CircuitRun::new(structure, NamesPins(pins), Coins::keyed(0)).unwrap();
        let round = run.round().map_err(|trouble| trouble.to_string());
        (round, run.memories().to_vec(), run.rounds_done())
    };
    let (one, other) = (Pin::head(1, 0), Pin::head(1, 1));
    assert_eq!(round([one, other]), (Ok(true), vec![true; 2], 1));
    let (refused, memories, rounds) = round([one, one]);
    let expected = "round 1: cell (1, 0): sets of amoebot 1 name pin 0 at label 1 of its head twice (accepted: each \
                    pin once)";
    assert_eq!(refused.unwrap_err(), expected);
    // The round has no effect.
    assert_eq!((memories, rounds), (vec![false; 2], 0));
    let (refused, ..) = round([one, Pin::head(1, 2)]);
    let expected = "round 1: cell (1, 0): amoebot 1 has no pin 2 at label 1 of its head";
    assert!(refused.unwrap_err().starts_with(expected));
}
