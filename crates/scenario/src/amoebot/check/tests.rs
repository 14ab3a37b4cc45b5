//! Tests of checks through their plans, and of a test algorithm that violates a property during its run.

use std::path::Path;

use acrasin_amoebot::check::{Scope, explore};
use acrasin_amoebot::{Cell, Hexagon, TokenElection};

use acrasin_report::value::Value;

use super::*;
use crate::ScenarioFile;
use crate::amoebot::no_roots::NoRoots;

fn plan(amoebots: &str, further: &str) -> AmoebotPlan {
    let text = format!("(amoebots: ({amoebots}), {further})");
    match ScenarioFile::parse(&text, "x.ron", &[]) {
        Ok(ScenarioFile::Amoebots(document)) => AmoebotPlan::for_check(&document, Path::new("")).unwrap(),
        other => panic!("{other:?}"),
    }
}

const EXECUTIONS: [&str; 3] = ["Sequential()", "Rounds(Isolated(1))", "Concurrent(locks: TryLocks)"];

/// The number of starts of an incomplete check, and the reason why it is incomplete.
fn truncated(plan: &AmoebotPlan, allowance: &Allowance<'_>) -> (u64, CheckTruncation) {
    let checked = plan.check(1, allowance).unwrap();
    (figure(&checked, "starts"), checked.truncated.unwrap())
}

fn figure(report: &CheckReport<RunToViolation>, key: &str) -> u64 {
    match report.figure(key) {
        Some(Value::Integer(value)) => *value,
        other => panic!("{key}: {other:?}"),
    }
}

#[test]
fn too_many_starts_are_refused_before_any_is_made() {
    // There are 3,626,710 starts of ten amoebots.
    let ten = plan("algorithm: Hexagon, start: AllConnected(count: 10)", "limits: (states: 3_626_709)");
    let never = || -> bool { panic!("nothing is to be looked at") };
    let (starts, truncated) = truncated(&ten, &Allowance { is_stopped: &never, ..Allowance::default() });
    assert_eq!(starts, 0);
    assert_eq!(truncated.why, TruncationReason::Starts { starts: 3_626_710, states_max: 3_626_709 });
    assert_eq!(truncated.to_string(), "3626710 starts, where 3626709 states are allowed");
    // As many states as starts do not suffice here, but exploration begins.
    for execution in EXECUTIONS {
        let limits = format!("limits: (states: 33), execution: {execution}");
        let exact = plan("algorithm: Hexagon, start: AllConnected(count: 3)", &limits);
        let (starts, truncated) = self::truncated(&exact, &Allowance::default());
        assert_eq!(truncated.why, TruncationReason::States { states_max: 33 }, "{execution}");
        assert!(starts > 0, "{execution}");
    }
}

/// The shapes alone need more memory than allowed. There are 362,671 shapes of ten cells, and each cell takes 20 bytes.
#[test]
fn too_many_shapes_are_refused_before_any_is_made() {
    let ten = plan("algorithm: Erosion, start: AllConnected(count: 10)", "");
    let never = || -> bool { panic!("nothing is to be looked at") };
    let bytes = 362_671 * 10 * CELL_OF_SHAPE_BYTES;
    let allowance = Allowance { bytes_max: bytes - 1, is_stopped: &never, ..Allowance::default() };
    let (starts, truncated) = truncated(&ten, &allowance);
    assert_eq!(starts, 0);
    assert_eq!(truncated.why, TruncationReason::Bytes { bytes, bytes_max: bytes - 1 });
    assert_eq!(truncated.to_string(), "0 states: 72534200 bytes of memory, where 72534199 are allowed");
}

#[test]
fn memory_is_limited_by_bytes() {
    for execution in EXECUTIONS {
        let line = plan("algorithm: Hexagon, start: Line(count: 3)", &format!("execution: {execution}"));
        let within = |bytes_max| line.check(1, &Allowance { bytes_max, ..Allowance::default() }).unwrap();
        let (all, few) = (within(1 << 22), within(1 << 11));
        let states = all.states.unwrap();
        let truncated = few.truncated.unwrap();
        let TruncationReason::Bytes { bytes, bytes_max: 2048 } = truncated.why else {
            panic!("{execution}: {truncated}")
        };
        let met = truncated.states.unwrap();
        assert!(bytes > 2048 && 0 < met && met < states, "{execution}: {truncated}");
        let counted = if met == 1 { "1 state".to_owned() } else { format!("{met} states") };
        let words = format!("{counted}: {bytes} bytes of memory, where 2048 are allowed");
        assert_eq!(truncated.to_string(), words);
    }
    // The limit on bytes includes memories in boxes.
    let boxed = plan("algorithm: TokenElection, start: Line(count: 2)", "execution: Rounds(Synchronous)");
    let allowance = Allowance { bytes_max: 400, ..Allowance::default() };
    assert!(matches!(truncated(&boxed, &allowance).1.why, TruncationReason::Bytes { .. }));
}

#[test]
fn a_check_that_is_stopped_says_how_far_it_was() {
    for execution in EXECUTIONS {
        let shapes = plan(
            "algorithm: Hexagon, start: AllConnected(count: 3)",
            &format!("execution: {execution}, limits: (states: 400_000)"),
        );
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let is_stopped = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 40;
        let (starts, truncated) =
            truncated(&shapes, &Allowance { is_stopped: &is_stopped, ..Allowance::default() });
        assert_eq!(truncated.why, TruncationReason::Interrupted, "{execution}");
        assert!(truncated.states.unwrap() > 0 && starts > 0, "{execution}: {truncated}");
        assert!(shapes.check(1, &Allowance::default()).unwrap().truncated.is_none(), "{execution}");
    }
}

/// Checks an algorithm as [`AmoebotPlan::check`] does.
fn checked<S: Description>(check: ScheduleCheck<'_>, subject: &S) -> CheckReport<RunToViolation> {
    let any = subject.any();
    let checked = match check.execution {
        ExecutionKind::Sequential { .. } => check.visit(subject),
        _ => check.with_boxes_of(&any).any(&any),
    };
    checked.unwrap()
}

#[test]
fn what_should_be_at_no_moment_is_found_with_a_way_to_it() {
    for execution in EXECUTIONS {
        let plan = plan("algorithm: Hexagon, start: Line(count: 3)", &format!("execution: {execution}"));
        let check = || ScheduleCheck {
            starts: Starts::One(plan.placement(&mut Seeded::new(1)).unwrap()),
            execution: plan.execution,
            exclusion: None,
            limits: CheckLimits::default(),
            is_stopped: &|| false,
            keeper: &Unkept,
        };
        let wrong = checked(check(), &NoRoots);
        let (faults, states) = (figure(&wrong, "faults"), wrong.states.unwrap());
        assert!(0 < faults && faults < states && !wrong.is_right(), "{execution}");
        let way = wrong.run().unwrap();
        assert!(way.to.starts_with("a state that must never occur: "), "{}", way.to);
        assert!(way.to.ends_with(" roots") && !way.steps.is_empty() && way.is_shortest, "{}", way.to);
        // The same algorithm without the property.
        let right = checked(check(), &Hexagon);
        let faults = figure(&right, "faults");
        assert_eq!((faults, right.states, right.is_right()), (0, wrong.states, true), "{execution}");
    }
}

/// A cycle of states is a fault of an algorithm without coins. With coins every run can still leave the cycle, so it is
/// no violation.
#[test]
fn a_way_round_is_not_said_to_be_shortest() {
    let pair = [Cell::ORIGIN, Cell::new(1, 0).unwrap()];
    let start = TokenElection::start(&pair, &[]).unwrap();
    let all = explore(&TokenElection, [start], TokenElection::is_finished, Scope::default()).unwrap();
    assert!(all.is_cyclic() && all.hopeless == 0);
    let way = RunToViolation::sequential(&TokenElection, &all, false).unwrap();
    assert_eq!((way.to.as_str(), way.is_shortest), ("a cycle of states", false));
    assert!(!way.steps.is_empty());
    assert_eq!(RunToViolation::sequential(&TokenElection, &all, true), None);
}

#[test]
fn every_failure_in_rounds_has_a_way() {
    // Two components, and no other violation.
    let apart = "algorithm: MaximalIndependentSet, start: Cells([(0, 0), (5, 5)])";
    for execution in EXECUTIONS {
        let found = plan(apart, &format!("execution: {execution}")).check(1, &Allowance::default()).unwrap();
        assert!(!found.is_right() && figure(&found, "disconnected") == found.states.unwrap(), "{execution}");
        let way = found.run().unwrap();
        assert_eq!(
            (way.to.as_str(), way.steps.len()),
            ("a state in which the amoebots are not connected", 0)
        );
    }
}

#[test]
fn final_shapes_are_given_up_to_a_number() {
    for execution in EXECUTIONS {
        let shapes = |count: usize| {
            let amoebots = format!("algorithm: Erosion, start: AllConnected(count: {count})");
            let plan = plan(&amoebots, &format!("execution: {execution}, limits: (states: 400_000)"));
            plan.check(1, &Allowance::default()).unwrap().shapes
        };
        // No amoebot moves: each start is a final shape if its run ends with a leader.
        let two = shapes(2);
        assert_eq!((two.count, two.first.len()), (3, 3), "{execution}");
        let cell = |x, y| Cell::new(x, y).unwrap();
        let pairs = [[cell(0, 0), cell(0, 1)], [cell(0, 0), cell(1, 0)], [cell(0, 1), cell(1, 0)]];
        assert_eq!(two.first, pairs.map(Vec::from));
        let three = shapes(3);
        assert_eq!((three.count, three.first.len()), (11, FINAL_SHAPES_SHOWN));
    }
    // Final systems without the goal are not listed.
    let pair = plan("algorithm: Erosion, start: Line(count: 2)", "execution: Rounds(Synchronous)");
    let found = pair.check(1, &Allowance::default()).unwrap();
    assert_eq!((found.shapes.count, found.shapes.first.len(), found.is_right()), (0, 0, false));
}
