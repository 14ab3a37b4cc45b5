//! Tests of rung F2: every message on a torus, 512 nodes at a time; the run equals that of rung F3.

use acrasin_scenario::Runnable as _;
use std::sync::Mutex;

use crate::support::{
    digest, digest_of, ended, marked_in, number, plan, run, same_on_all_threads, stops, text_of, topology,
};
use acrasin_engine::draw::Priorities;
use acrasin_engine::reference::Reference;
use acrasin_engine::{ActiveNodes, Draws};
use acrasin_graphs::family::lattice::{Sides, torus};
use acrasin_graphs::family::triangular::triangular_torus;
use acrasin_protocols::Table;
use acrasin_protocols::library::ApproximateMajority;
use acrasin_protocols::locked::{Interactions, Way};
use acrasin_report::record::Exit;
use acrasin_runtime::FixedProbability;
use acrasin_scenario::plan::{Finished, Job, Plan, Proceed, Progress, RunControl};

/// A scenario on F2, and the same scenario on F3.
fn both(topology: &str, rest: &str) -> [Plan; 2] {
    ["F2", "F3"].map(|rung| {
        plan(&format!(
            "(topology: {topology}, rung: {rung}, lock: (priorities: 64),
            scheduler: SemiSynchronous(activation: Random(0.5)), {rest})"
        ))
    })
}

fn protocol(name: &str, way: &str, start: &str) -> String {
    format!(r#"work: Interactions(protocol: Library(name: "{name}"), way: {way}, initial: {start})"#)
}

/// Asserts that the results are equal except for the bytes and the rung.
#[track_caller]
fn same(sliced: &Finished, messages: &Finished) {
    let known = |finished: &Finished| {
        let sections = finished.record.body().iter().filter(|section| section.key() != "memory");
        sections.map(|section| format!("{section:?}")).collect::<Vec<_>>()
    };
    assert_eq!(known(sliced), known(messages));
    assert_eq!(sliced.record.outcome(), messages.record.outcome());
    assert_eq!(sliced.series, messages.series);
}

#[test]
fn every_figure_and_every_state_is_that_of_message_rounds() {
    for torus in ["Torus(rows: 7, columns: 64)", "TriangularTorus(rows: 4, columns: 128)"] {
        for (name, way, start) in [
            ("approximate-majority", "AnyLocked", r#"Shares({"A": 0.6, "B": 0.4})"#),
            ("exact-majority", "Group", r#"Shares({"A": 0.5, "B": 0.5})"#),
            // Protocols with randomised rules.
            ("two-way-epidemic", "AnyLocked", r#"Nodes(states: {"I": [5]}, rest: "S")"#),
        ] {
            let rest = format!("{}, stop: [Rounds(700)]", protocol(name, way, start));
            let [sliced, messages] = both(torus, &rest).map(|plan| run(&plan, 5));
            assert!(number(&sliced, "work.interactions") > 100);
            same(&sliced, &messages);
            assert_ne!(
                text_of(&sliced, "digest.node_states"),
                text_of(&run(&both(torus, &rest)[0], 6), "digest.node_states")
            );
        }
    }
}

/// A run control that records the progress at each poll.
#[derive(Default)]
struct Diary(Mutex<Vec<(u64, u64, u64, u64)>>);

impl RunControl for Diary {
    fn look(&self, at: &Progress) -> Proceed {
        self.0.lock().unwrap().push((at.rounds, at.steps, at.interactions, at.locks));
        Proceed::Continue
    }
}

#[test]
fn states_are_those_of_the_reference_after_every_round() {
    const HALF: ActiveNodes<'_> = ActiveNodes::Random(FixedProbability::HALF);
    let table = Table::compile(&ApproximateMajority).unwrap();
    let [a, b] = ["A", "B"].map(|name| table.state(name).unwrap());
    let start = r#"Nodes(states: {"A": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}, rest: "B")"#;
    for (graph, words) in [
        (torus(Sides { rows: 3, columns: 64 }), "Torus(rows: 3, columns: 64)"),
        (triangular_torus(Sides { rows: 5, columns: 64 }), "TriangularTorus(rows: 5, columns: 64)"),
    ] {
        let topology = topology(graph);
        let mut states = vec![b; topology.node_count() as usize];
        states[..10].fill(a);
        let way = Way::AnyLocked;
        let (section, priorities) = (Interactions::new(table.clone(), way), Priorities::new(64).unwrap());
        let mut reference =
            Reference::with_section(topology, Draws::new(5), priorities, section, states, way.lock_set());
        for rounds in 1..=400_u32 {
            reference.round(&HALF).unwrap();
            // Runs of every length are compared, by checking after every round.
            if rounds % 40 == 0 || rounds < 20 {
                let rest = format!(
                    "{}, stop: [Rounds({rounds})]",
                    protocol("approximate-majority", "AnyLocked", start)
                );
                let finished = run(&both(words, &rest)[0], 5);
                assert_eq!(text_of(&finished, "digest.node_states"), digest_of(reference.world().states()));
                assert_eq!(number(&finished, "locks.completed"), reference.figures().grants);
                assert_eq!(number(&finished, "locks.trials_begun"), reference.figures().trials);
            }
        }
        assert!(reference.figures().releases > 50);
    }
}

#[test]
fn runs_stop_where_those_of_message_rounds_stop() {
    let start = r#"Nodes(states: {"I": [0]}, rest: "S")"#;
    for (stop, word) in stops(150, 40) {
        let rest = format!("{}, stop: [{stop}]", protocol("two-way-epidemic", "AnyLocked", start));
        let [sliced, messages] = both("Torus(rows: 3, columns: 64)", &rest).map(|plan| run(&plan, 2));
        assert_eq!(ended(&sliced), (word, Exit::Done));
        same(&sliced, &messages);
    }
    for work in ["work: Locks(each: 3)", "work: Locks(each: 2, callers: [0, 1, 64, 70])"] {
        let [sliced, messages] =
            both("TriangularTorus(rows: 3, columns: 64)", work).map(|plan| run(&plan, 2));
        assert_eq!(ended(&sliced), ("served", Exit::Done));
        same(&sliced, &messages);
    }
    for (work, word) in [
        ("work: Idle, stop: [Rounds(10)]", "quiet"),
        ("work: Locks(each: Forever), stop: [Locks(100)]", "locks"),
        ("work: Locks(each: Forever), stop: [Locks(1e6)], limits: (rounds: 50)", "limit"),
    ] {
        let [sliced, messages] =
            both("TriangularTorus(rows: 3, columns: 64)", work).map(|plan| run(&plan, 2));
        assert_eq!(ended(&sliced).0, word);
        same(&sliced, &messages);
    }
}

#[test]
fn progress_is_that_of_message_rounds() {
    for work in [
        protocol("approximate-majority", "AnyLocked", r#"Shares({"A": 0.6, "B": 0.4})"#)
            + ", stop: [Rounds(300)]",
        "work: Locks(each: 2)".to_owned(),
    ] {
        let diaries = both("TriangularTorus(rows: 3, columns: 64)", &work).map(|plan| {
            let diary = Diary::default();
            plan.run(Job { seed: 3, repetition: 0, watch: &diary, record: None }).unwrap();
            diary.0.into_inner().unwrap()
        });
        assert!(diaries[0].len() > 2, "{:?}", diaries[0]);
        assert_eq!(diaries[0], diaries[1]);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_run() {
    let start = r#"Shares({"A": 0.6, "B": 0.4})"#;
    let rest = format!("{}, stop: [Rounds(60)]", protocol("approximate-majority", "AnyLocked", start));
    // From 2^18 nodes on, several threads are used.
    let [sliced, messages] = both("TriangularTorus(rows: 520, columns: 512)", &rest);
    let sliced = same_on_all_threads(&sliced, 3);
    assert!(number(&sliced, "work.interactions") > 5000);
    same(&sliced, &run(&messages, 3));
}

#[test]
fn the_record_says_which_rung_ran_and_with_which_priorities() {
    let start = r#"Shares({"A": 0.6, "B": 0.4})"#;
    let rest = protocol("approximate-majority", "AnyLocked", start);
    let text = |torus: &str| {
        format!(
            "(topology: {torus}, rung: F2, scheduler: SemiSynchronous(activation: All), {rest}, stop: [Rounds(40)])"
        )
    };
    // 4 * 4 + 1 and 6 * 6 + 1, rounded up to powers of two.
    for (torus, k) in [("Torus(rows: 3, columns: 64)", 32), ("TriangularTorus(rows: 3, columns: 64)", 64)] {
        let plan = plan(&text(torus));
        let said = plan.header().parameters.clone();
        let says = |name: &str| said.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone());
        assert_eq!(says("rung").as_deref(), Some("F2: every message, lattices, bit-sliced"));
        assert_eq!(says("priorities"), Some(k.to_string()));
        assert_eq!(
            says("scheduler").as_deref(),
            Some(
                "semi-synchronous, active: all nodes; an active node receives all its messages, then runs its enabled checks"
            )
        );
        let finished = run(&plan, 1);
        assert_eq!(number(&finished, "topology.priorities"), k);
        let line = finished.record.to_json_line();
        assert!(
            line.contains(r#""rung":"F2""#) && line.contains(r#""rules":"local mutual exclusion, repaired""#),
            "{line}"
        );
        assert_ne!(digest(&finished), text_of(&finished, "digest.node_states"));
    }
}

#[test]
fn what_bit_planes_have_no_room_for_is_refused() {
    let refused = |fields: &str, message: &str, accepted: &str| {
        let rounds =
            if fields.contains("scheduler") { "" } else { "scheduler: SemiSynchronous(activation: All)," };
        let torus = if fields.contains("topology") { "" } else { "topology: Torus(rows: 3, columns: 64)," };
        let stop = "stop: [Rounds(5)]";
        let work = if fields.contains("work") { "" } else { "work: Locks(each: Forever)," };
        let error =
            marked_in(&format!("(rung: F2,\n{torus}\n{rounds}\n{work}\n{fields},\n{stop})"), ".".as_ref());
        assert_eq!((error.message(), error.accepted()), (message, Some(accepted)), "{error}");
    };
    let tori = "Torus(…) or TriangularTorus(…) with a multiple of 64 columns; or rung: F3 or F4";
    for other in ["Ring»(nodes: 64)", "Grid»(rows: 64, columns: 64)", "Complete»(nodes: 9)"] {
        refused(&format!("topology: «{other}"), "rung F2 does not support this graph", tori);
    }
    refused(
        "topology: Torus(rows: 10, columns: «100»)",
        "rung F2 takes 64 nodes of a row at a time, and a row has 100",
        "a multiple of 64; or rung: F3 or F4",
    );
    refused(
        "disturbances: [«Churn»(rate: 0.01)]",
        "rung F2 does not support graphs that change",
        "no disturbances; or rung: F3 or F4",
    );
    refused(
        "ports: «6»",
        "6 ports, and nodes of this torus have 4 neighbours on rung F2",
        "Auto; or rung: F3 or F4",
    );
    for k in ["37", "1024"] {
        refused(
            &format!("lock: (priorities: «{k}»)"),
            &format!("rung F2 draws priorities bit by bit, and {k} is not a power of two from 2 to 512"),
            "Auto, or a power of two from 2 to 512; or rung: F3 or F4",
        );
    }
    let pairs = "rung F2 locks closed neighbourhoods, not pairs";
    refused(
        r#"work: Interactions(protocol: Library(name: "approximate-majority"), way: «PickedPair»,
            initial: Shares({"A": 1.0}))"#,
        pairs,
        "AnyLocked or Group; or rung: F3 or F4",
    );
    refused("lock: (lock_set: «Pair»)", pairs, "Auto; or rung: F3 or F4");
    refused(
        "lock: (rules: «Published»)",
        "rung F2 does not support rules that lack a repair",
        "Repaired; or rung: F4",
    );
    refused(
        "lock: (self_messages: «InMemory»)",
        "on rung F2 messages of a node to itself are sent",
        "Sent; or rung: F4",
    );
    refused(
        "scheduler: «Sequential»",
        "rung F2 does not run this scheduler",
        "SemiSynchronous(activation: Random(p)) or SemiSynchronous(activation: All); or rung: F4",
    );
    refused(
        "scheduler: SemiSynchronous(activation: «Adversary»(NewestFirst))",
        "rung F2 has no adversary over the set of active nodes",
        "Random(p) or All; or rung: F4",
    );
}
