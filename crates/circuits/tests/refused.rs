//! Bad input: messages with the cell or amoebot, and no panic.

use acrasin_amoebot::{Body, Chirality, Direction, Orientation};
use acrasin_circuits::circuit::{GivenConfiguration, SetName, communicate};
use acrasin_circuits::library::{CircuitCompass, Election, LineToRhombus};
use acrasin_circuits::{CircuitRun, CircuitStructure, Coins, PINS_MAX, Pin};

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
    let structure = common(&[cell(0, 0)], 2);
    let message = |given: GivenConfiguration| communicate(&structure, &[given]).unwrap_err().to_string();
    let sets = |sets: Vec<Vec<Pin>>| GivenConfiguration { sets, ..Default::default() };
    let pin = Pin::head(3, 1);
    assert_eq!(
        message(sets(vec![vec![pin], vec![pin]])),
        "amoebot 0: sets name pin 1 at label 3 of its head twice"
    );
    assert_eq!(
        message(sets(vec![vec![pin, pin]])),
        "amoebot 0: sets name pin 1 at label 3 of its head twice"
    );
    for (label, index) in [(7, 0), (0, 0), (1, 2)] {
        let text = message(sets(vec![vec![Pin::head(label, index)]]));
        assert_eq!(text, format!("amoebot 0: it has no pin {index} at label {label} of its head"));
    }
    let beeps = |beep| GivenConfiguration { beeps: vec![beep], ..sets(vec![vec![pin]]) };
    assert!(message(beeps(SetName::Set(1))).starts_with("amoebot 0: set 1 of 1"));
    assert!(message(beeps(SetName::Pin(pin))).contains("belongs to a set"));
}
