//! Reachable configurations of small instances, counted: the figures of the specification, section 4.
//!
//! All schedules and all priorities, K = 2, no change of the graph; a configuration is what `World::digest` covers.

use std::collections::{BTreeSet, VecDeque};

use acrasin_runtime::choice::{ScriptFault, Scripted};
use acrasin_runtime::exclusion::local::{Local, Rules, SelfMessages};
use acrasin_runtime::{Demand, LockOnly, LockSetRule, Setup, Timing, Topology, World};

#[derive(PartialEq, Eq, Debug)]
struct Count {
    configurations: usize,
    /// Nobody can act, and a Lock is outstanding.
    dead: usize,
}

fn explore(edges: &[(u32, u32)], demands: &[Demand], rules: Rules, self_messages: SelfMessages) -> Count {
    let nodes = demands.len() as u32;
    let exclusion = Local::new(2).with_rules(rules).with_self_messages(self_messages);
    let start = World::new(Setup {
        exclusion: exclusion.with_priorities(2).unwrap(),
        section: LockOnly,
        topology: Topology::from_edges(nodes, 2, edges).unwrap(),
        states: demands.to_vec(),
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    let mut seen = BTreeSet::from([start.digest()]);
    let mut queue = VecDeque::from([start]);
    let (mut dead, mut offered) = (0, Vec::new());
    while let Some(world) = queue.pop_front() {
        assert_eq!(world.check(), Ok(()));
        world.offered(&mut offered);
        dead += usize::from(offered.is_empty() && world.outstanding() > 0);
        for step in &offered {
            for priority in 0..2 {
                let mut next = world.clone();
                let picks = [priority];
                let mut choices = Scripted::new(&picks);
                next.apply(step, &mut choices, &mut ()).unwrap();
                if seen.insert(next.digest()) {
                    queue.push_back(next);
                }
                // A step without a draw has one outcome.
                if choices.fault() == Some(ScriptFault::TooLong) {
                    break;
                }
            }
        }
    }
    Count { configurations: seen.len(), dead }
}

const EDGE: &[(u32, u32)] = &[(0, 1)];
const ONCE: [Demand; 2] = [Demand::Times(1); 2];
const CYCLIC: [Demand; 2] = [Demand::Forever; 2];

#[test]
fn two_nodes_and_one_edge() {
    let alive = |configurations| Count { configurations, dead: 0 };
    let repaired = |demands: &[Demand], messages| explore(EDGE, demands, Rules::REPAIRED, messages);
    assert_eq!(repaired(&ONCE, SelfMessages::Sent), alive(6_625));
    assert_eq!(repaired(&CYCLIC, SelfMessages::Sent), alive(7_294));
    assert_eq!(repaired(&ONCE, SelfMessages::InMemory), alive(1_171));
    assert_eq!(repaired(&CYCLIC, SelfMessages::InMemory), alive(1_232));
}

#[test]
fn the_published_rules_have_dead_configurations() {
    let published = explore(EDGE, &ONCE, Rules::PUBLISHED, SelfMessages::Sent);
    assert_eq!(published, Count { configurations: 6_033, dead: 24 });
}

#[test]
fn a_triangle_with_two_callers() {
    let demands = [Demand::Times(1), Demand::Times(1), Demand::Times(0)];
    let triangle = explore(&[(0, 1), (1, 2), (0, 2)], &demands, Rules::REPAIRED, SelfMessages::Sent);
    assert_eq!(triangle, Count { configurations: 127_693, dead: 0 });
}
