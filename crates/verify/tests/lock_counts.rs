//! Numbers of reachable configurations of small instances: the figures of the specification, section 4, and more.

use std::ops::ControlFlow;

use acrasin_explore::{Exploration, Limits, explore};
use acrasin_runtime::exclusion::local::{Local, Rules, SelfMessages};
use acrasin_runtime::{Demand, LockOnly, Timing};
use acrasin_verify::locks::{Budget, Instance, LockModel};

const CEILING: u64 = 1 << 30;

fn instance(
    edges: &[(u32, u32)],
    demands: &[Demand],
    rules: Rules,
    messages: SelfMessages,
) -> Instance<Local, LockOnly> {
    let local = Local::new(2).with_rules(rules).with_self_messages(messages);
    Instance {
        ports: 2,
        ..Instance::new(local.with_priorities(2).unwrap(), LockOnly, edges, demands.to_vec())
    }
}

fn run(instance: Instance<Local, LockOnly>) -> Exploration {
    let properties = acrasin_verify::properties::all();
    let model = LockModel::new(instance, &properties).unwrap();
    let found = explore(&model, &Limits::bytes(CEILING), |_| ControlFlow::Continue(()));
    assert_eq!(found.truncated(), None);
    found
}

/// The number of configurations, and of dead ones.
fn count(edges: &[(u32, u32)], demands: &[Demand], rules: Rules, messages: SelfMessages) -> (u64, u64) {
    let found = run(instance(edges, demands, rules, messages));
    for finding in found.findings() {
        let allowed = ["no dead configuration", "no cycle of waiting competitors (E')"];
        assert!(rules == Rules::PUBLISHED && allowed.contains(&finding.broken.property), "{finding:?}");
    }
    let dead = found.findings().iter().filter(|finding| finding.broken.property == "no dead configuration");
    (found.configurations(), dead.map(|finding| finding.count).sum())
}

const EDGE: &[(u32, u32)] = &[(0, 1)];
const ONCE: [Demand; 2] = [Demand::Times(1); 2];
const CYCLIC: [Demand; 2] = [Demand::Forever; 2];

#[test]
fn two_nodes_and_one_edge() {
    let repaired = |demands: &[Demand], messages| count(EDGE, demands, Rules::REPAIRED, messages);
    assert_eq!(repaired(&ONCE, SelfMessages::Sent), (6_625, 0));
    assert_eq!(repaired(&CYCLIC, SelfMessages::Sent), (7_294, 0));
    assert_eq!(repaired(&ONCE, SelfMessages::InMemory), (1_171, 0));
    assert_eq!(repaired(&CYCLIC, SelfMessages::InMemory), (1_232, 0));
}

#[test]
fn the_published_rules_have_dead_configurations() {
    assert_eq!(count(EDGE, &ONCE, Rules::PUBLISHED, SelfMessages::Sent), (6_033, 24));
}

#[test]
fn a_triangle_with_two_callers() {
    let demands = [Demand::Times(1), Demand::Times(1), Demand::Times(0)];
    let triangle = [(0, 1), (1, 2), (0, 2)];
    assert_eq!(count(&triangle, &demands, Rules::REPAIRED, SelfMessages::Sent), (127_693, 0));
}

#[test]
fn two_nodes_asynchronous_with_two_disconnections_and_two_connections() {
    let cyclic = instance(EDGE, &CYCLIC, Rules::REPAIRED, SelfMessages::Sent);
    let found = run(Instance {
        timing: Timing::OneByOne,
        disconnections: Budget::Times(2),
        connections: Budget::Times(2),
        ..cyclic
    });
    assert_eq!(found.findings(), []);
    assert_eq!(found.configurations(), 309_404);
}
