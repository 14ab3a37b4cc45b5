//! Bad input, and the comparison of q.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::run::execution::SequentialExecution;
use acrasin_amoebot::{Cell, LocalCompression};
use acrasin_runtime::choice::Scripted;

use super::algorithm;
use crate::refused::refuses_bad_chains;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("near the origin")
}

#[test]
fn biases_and_starts_that_cannot_be_are_refused() {
    for lambda in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let message = LocalCompression::new(lambda).expect_err("a bad bias").to_string();
        assert_eq!(message, format!("lambda is {lambda} (accepted: finite numbers above 0)"));
    }
    refuses_bad_chains(|cells| LocalCompression::start(cells, &[]).expect_err("a bad start"));
}

/// The amoebot in the east of a triangle tries the north-east, where it has one neighbour less, so it moves with
/// probability 1/4.
#[test]
fn q_is_compared_to_31_digits() {
    let triangle = [cell(0, 0), cell(1, 0), cell(0, 1)];
    let algorithm = algorithm(4.0);
    let after = |q: u32| {
        let start = LocalCompression::start(&triangle, &[]).expect("a start");
        let mut execution = SequentialExecution::new(&algorithm, start);
        let picks = [1, q];
        let mut script = Scripted::new(&picks);
        execution.activate(AmoebotId(1), &mut script);
        assert!(execution.system().memory(AmoebotId(1)).flag);
        execution.activate(AmoebotId(1), &mut script);
        assert_eq!(script.fault(), None, "as many draws as stated");
        assert!(!execution.system().memory(AmoebotId(1)).flag);
        execution.system().body(AmoebotId(1)).head()
    };
    assert_eq!([0, (1 << 29) - 1, 1 << 29].map(after), [cell(1, 1), cell(1, 1), cell(1, 0)]);
    let acceptance = |lambda, gain| super::algorithm(lambda).acceptance(gain).numerator();
    assert_eq!(acceptance(4.0, 2), 1 << 31);
    assert_eq!(acceptance(f64::MAX, -5), 1, "never impossible");
    assert_eq!(acceptance(0.5, 3), 1 << 28);
}
