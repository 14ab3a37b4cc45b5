//! Population protocols over mutual exclusion other than local, from scenario files. If a holder has exclusive access
//! to its neighbours, the protocols reach their goals, and replays lead to the same states. Otherwise they are refused.

use crate::program::Scratch;

const TOKEN: &str = "TokenTree(behaviour: Raymond, root: 3)";
const HOME: &str = "CriticalSections(scheme: Home, most: 1)";
const EXCLUSION: &str = "CriticalSections(scheme: Exclusion, most: 1)";

/// Protocol, start, stop condition, and a state or output with its number of nodes at the end.
const PROTOCOLS: [(&str, &str, &str, &str, u64); 4] = [
    ("two-way-epidemic", "Counts({\"I\": 1, \"S\": 15})", "Silent", "I", 16),
    ("graph-leader", "All(\"Lb\")", "Counts(\"L == 1\")", "L", 1),
    ("graph-majority", "Counts({\"A\": 9, \"B\": 7})", "OutputsAgree", "A", 16),
    ("token-walk", "All(\"T\")", "Counts(\"T == 1\")", "T", 1),
];

fn scenario((protocol, initial, stop): (&str, &str, &str), exclusion: &str, way: &str) -> String {
    format!(
        "(seed: 4, topology: Torus(rows: 4, columns: 4),\n exclusion: {exclusion},\n scheduler: Asynchronous,\n \
         work: Interactions(protocol: Library(name: \"{protocol}\"), way: {way}, initial: {initial}), stop: [{stop}])"
    )
}

#[test]
fn protocols_reach_their_goal_over_every_system_and_are_done_again() {
    for (protocol, initial, stop, goal, expected) in PROTOCOLS {
        for exclusion in ["Local", TOKEN, HOME, EXCLUSION] {
            for way in ["AnyLocked", "PickedPair"] {
                let place = Scratch::new();
                place.file("a.ron", scenario((protocol, initial, stop), exclusion, way));
                let arguments = ["run", "a.ron", "--format", "jsonl", "--record", "r.jsonl"];
                let record = place.run(&arguments).exits(0).json().remove(0);
                let what = format!("{protocol} {exclusion} {way}: {record}");
                let (states, outputs) = (&record["states"], &record["outputs"]);
                let reached =
                    [states, outputs].map(|counts| counts.get(goal).and_then(serde_json::Value::as_u64));
                assert!(reached.contains(&Some(expected)), "{what}");
                let replayed =
                    place.run(&["replay", "r.jsonl", "--format", "jsonl"]).exits(0).json().remove(0);
                assert_eq!(replayed["outcome"]["word"], "reproduced", "{what}");
                assert_eq!((&replayed["states"], &replayed["digest"]), (states, &record["digest"]), "{what}");
            }
        }
    }
}

#[test]
fn where_a_holder_does_not_have_its_neighbours_protocols_are_refused() {
    for (exclusion, words) in [
        ("CriticalSections(most: 2)", ["node 0", "touches neighbours"]),
        ("CriticalSections(scheme: Exclusion, most: 2)", ["node 0", "touches neighbours"]),
        ("CriticalSections(scheme: Inclusion, least: 1)", ["node 0", "touches neighbours"]),
        ("CriticalSections(scheme: Leader, most: 4, leader: 0)", ["node 0", "touches neighbours"]),
        ("TokenTree(behaviour: Transit)", ["is not adjacent to all other nodes", "Complete"]),
    ] {
        let place = Scratch::new();
        let (protocol, initial, stop, ..) = PROTOCOLS[0];
        place.file("a.ron", scenario((protocol, initial, stop), exclusion, "AnyLocked"));
        for arguments in
            [&["run", "a.ron", "--output", "out"][..], &["check", "a.ron", "--record", "r.jsonl"]]
        {
            let ran = place.run(arguments).exits(2);
            assert!(ran.err.contains("a.ron:"), "{exclusion}: {}", ran.err);
            assert!(words.iter().all(|word| ran.err.contains(word)), "{exclusion}: {}", ran.err);
            assert_eq!(place.names(), ["a.ron"], "{exclusion}");
        }
    }
}
