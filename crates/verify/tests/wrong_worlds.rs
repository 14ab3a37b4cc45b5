//! Wrong worlds around the right rules are caught; a right world passes, and has the configurations of the lock
//! layer.

use std::ops::ControlFlow;

use acrasin_explore::{Exploration, Limits, Model, explore};
use acrasin_verify::locks::LockModel;
use acrasin_verify::properties::dead;
use acrasin_verify::wrong::{Setting, WorldFault, WrongWorld};

const CEILING: u64 = 1 << 29;

/// The maximum number of configurations in which each wrong world is caught.
const WITHIN: u64 = 60_000;

fn run(model: &impl Model, limits: Limits) -> Exploration {
    explore(model, &limits, |_| ControlFlow::Continue(()))
}

fn with(setting: &Setting, fault: Option<WorldFault>, limits: Limits) -> Exploration {
    let found = run(&WrongWorld::new(setting, setting.local().unwrap(), fault).unwrap(), limits);
    println!("{setting}, {fault:?}: {} configurations, depth {}", found.configurations(), found.depth());
    for finding in found.findings() {
        println!("  {} x {}: {}", finding.count, finding.broken.property, finding.broken.text);
    }
    found
}

#[test]
fn every_wrong_world_is_caught() {
    for fault in WorldFault::ALL {
        let limits = Limits { configurations: WITHIN, ..Limits::bytes(CEILING) };
        let found = with(&fault.setting(), Some(fault), limits);
        assert!(found.configurations() <= WITHIN && found.truncated().is_none(), "{}", fault.name());
        let broken: Vec<&str> = found.findings().iter().map(|finding| finding.broken.property).collect();
        let (deadlock, promise) =
            (broken.contains(&dead::NAME), broken.iter().any(|&property| property != dead::NAME));
        let expected = match fault {
            WorldFault::UnsentSurvive => deadlock && promise,
            WorldFault::DetectorReadFirst => deadlock && promise,
            WorldFault::NeighbourhoodReadLate => deadlock,
        };
        assert!(expected, "{}: {broken:?}", fault.name());
    }
}

/// A right world has as many configurations and moves as the lock layer, and breaks no property.
#[test]
fn right_worlds_pass_where_wrong_ones_fail() {
    for setting in WorldFault::ALL.map(WorldFault::setting) {
        let found = with(&setting, None, Limits::bytes(CEILING));
        assert_eq!((found.findings(), found.truncated()), (&[][..], None));
        let locks = LockModel::new(setting.instance(setting.local().unwrap()), &[]).unwrap();
        let locks = run(&locks, Limits::bytes(CEILING));
        assert_eq!(found.configurations(), locks.configurations(), "{setting}");
        assert_eq!(found.transitions(), locks.transitions(), "{setting}");
    }
}
