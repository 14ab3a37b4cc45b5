//! The explorer on the lock layer: the same answers for any number of threads.

use std::ops::ControlFlow;

use acrasin_runtime::exclusion::local::{Local, Rules};
use acrasin_runtime::{Demand, LockOnly};
use acrasin_verify::locks::{Budget, Instance, LockModel, Options, Verdict, check};
use acrasin_verify::properties;

fn flapping(rules: Rules) -> Instance<Local, LockOnly> {
    let local = Local::new(1).with_priorities(2).unwrap();
    let flapping = Budget::Times(1);
    Instance {
        disconnections: flapping,
        connections: flapping,
        ..Instance::new(local.with_rules(rules), LockOnly, &[(0, 1)], vec![Demand::Forever; 2])
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let options = Options { bytes: 1 << 30, configurations: u64::MAX, liveness: true, stop_at_first: false };
    for rules in [Rules::REPAIRED, Rules::PUBLISHED] {
        let properties = properties::all();
        let model = LockModel::new(flapping(rules), &properties).unwrap();
        let report = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| check(&model, &options, |_| ControlFlow::Continue(())))
        };
        let one = report(1);
        for threads in [2, 3, 7] {
            let other = report(threads);
            assert_eq!(other.answers, one.answers);
            assert_eq!(other.exploration.graph(), one.exploration.graph());
            assert_eq!(other.exploration.findings(), one.exploration.findings());
        }
        assert_eq!(one.broken().count() > 0, rules == Rules::PUBLISHED);
        let is_all =
            |answer: &acrasin_verify::locks::PropertyVerdict<_>| matches!(answer.verdict, Verdict::Holds);
        assert_eq!(one.answers.iter().all(is_all), rules == Rules::REPAIRED);
    }
}
