//! The rules as published can deadlock, and the recording of such a run can be replayed.

use crate::program::{PUBLISHED, Scratch};

/// The seeds below `count` whose run ends in a deadlock.
fn dead_seeds(place: &Scratch, rules: &str, count: u32) -> Vec<u64> {
    let rules = format!("lock.rules={rules}");
    (0..u64::from(count))
        .filter(|seed| {
            let seed = seed.to_string();
            let ran = place.run(&["run", "p2.ron", "--seed", &seed, "--format", "jsonl", "--set", &rules]);
            let outcome = ran.json()[0]["outcome"].clone();
            let is_dead = outcome["reason"] == "deadlock: no action is enabled";
            assert_eq!(ran.code, Some(i32::from(is_dead)), "seed {seed}: {outcome}");
            assert_eq!(outcome["exit_code"], u64::from(is_dead));
            is_dead
        })
        .collect()
}

#[test]
fn a_deadlock_is_said_with_its_configuration_and_can_be_replayed() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    let seeds = dead_seeds(&place, "Published", 40);
    assert!(!seeds.is_empty() && seeds.len() < 20, "{seeds:?}");
    let seed = seeds[0].to_string();
    for file in ["dead.jsonl", "dead.jsonl.gz"] {
        let ran = place.run(&["run", "p2.ron", "--seed", &seed, "--record", file]).exits(1);
        let replayed = place.run(&["replay", file]).exits(1);
        for out in [&ran.out, &replayed.out] {
            assert!(out.contains("deadlock: no action is enabled"), "{out}");
            let configuration = out.split_once("\nConfiguration at the end\n").expect(out).1;
            assert!(configuration.contains("node 0") && configuration.contains("node 1"), "{out}");
        }
        let end = |out: &str| out.split_once("\nConfiguration").unwrap().1.to_owned();
        assert_eq!(end(&ran.out), end(&replayed.out));
    }
    let plain = std::fs::read(place.path().join("dead.jsonl")).unwrap();
    let compressed = std::fs::read(place.path().join("dead.jsonl.gz")).unwrap();
    assert!(plain.starts_with(b"{\"acrasin\":\"replay\"") && compressed.starts_with(&[0x1f, 0x8b]));
    assert_eq!(place.names(), ["dead.jsonl", "dead.jsonl.gz", "p2.ron"]);
}

#[test]
fn the_repaired_rules_do_not_deadlock() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    assert_eq!(dead_seeds(&place, "Repaired", 40), [0_u64; 0]);
}

#[test]
fn among_repetitions_one_failure_is_enough() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    let ran = place.run(&["run", "p2.ron", "--seed", "0", "--reps", "60"]).exits(1);
    for part in ["deadlock", "served", "Configuration at the end of repetition "] {
        assert!(ran.out.contains(part), "{}", ran.out);
    }
}

#[test]
fn a_replay_under_other_rules_says_where_it_leaves_the_recorded_run() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    let seed = dead_seeds(&place, "Published", 40)[0].to_string();
    place.run(&["run", "p2.ron", "--seed", &seed, "--record", "dead.jsonl"]).exits(1);
    let ran = place.run(&["replay", "dead.jsonl", "--set", "lock.rules=Repaired"]).exits(1);
    assert!(ran.err.starts_with("error: dead.jsonl:") && ran.out.is_empty(), "{ran:?}");
}
