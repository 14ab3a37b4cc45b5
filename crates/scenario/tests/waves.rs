//! Tests of rung F1: waves.

use crate::support::{
    digest, digest_of, ended, figure, number, plan, run, same_on_all_threads, stops, text_of, topology,
};
use acrasin_engine::Draws;
use acrasin_engine::network::PortTable;
use acrasin_engine::waves::{EntryJournal, SectionTask, TaskWaves, replay};
use acrasin_graphs::family::lattice::{Sides, torus};
use acrasin_graphs::family::line::star;
use acrasin_protocols::Table;
use acrasin_protocols::library::ApproximateMajority;
use acrasin_protocols::locked::{Interactions, LockedInteraction, Way};
use acrasin_report::record::Exit;
use acrasin_report::value::Value;
use acrasin_runtime::{CriticalSection, Topology};
use acrasin_scenario::Runnable as _;
use acrasin_scenario::plan::{Job, Proceed, Progress, RunControl};

/// A scenario with written initial states, so that the test knows them by node.
fn scenario(topology: &str, protocol: &str, way: &str, start: &str, stop: &str) -> String {
    format!(
        r#"(
        topology: {topology},
        rung: F1,
        scheduler: Waves,
        work: Interactions(protocol: Library(name: "{protocol}"), way: {way}, initial: {start}),
        stop: [{stop}],
        limits: (rounds: 100_000),
    )"#
    )
}

const SEED: u64 = 77;

/// A reference for waves: one node after another, once in the order of turns, once in the order of entries. Returns the
/// number of interactions.
fn sequentially<C>(topology: &Topology, section: &C, states: &mut [u16], waves: u64) -> u64
where
    C: CriticalSection<State = u16, Outcome = LockedInteraction<u16>> + Sync,
{
    let network = PortTable::new(topology).unwrap();
    let order = TaskWaves::new(PortTable::new(topology).unwrap(), Draws::new(SEED));
    let mut interactions = 0;
    for wave in 0..waves {
        let mut again = states.to_vec();
        let turns = order.turns(wave);
        let task = SectionTask(section);
        let entries: EntryJournal<_> = replay(&network, Draws::new(SEED), wave, &turns, &task, states);
        interactions += entries.0.iter().map(|(_, outcome)| outcome.count()).sum::<u64>();
        let entered: Vec<u32> = entries.0.iter().map(|&(node, _)| node).collect();
        let _: EntryJournal<_> = replay(&network, Draws::new(SEED), wave, &entered, &task, &mut again);
        assert_eq!(states, again);
    }
    interactions
}

#[test]
fn a_run_is_the_replay_of_its_journal() {
    for (family, words) in [
        (torus(Sides { rows: 40, columns: 30 }), "Torus(rows: 40, columns: 30)"),
        (star(50), "Star(nodes: 50)"),
    ] {
        let topology = topology(family);
        let nodes = topology.node_count() as usize;
        for (way, word) in
            [(Way::AnyLocked, "AnyLocked"), (Way::PickedPair, "PickedPair"), (Way::Group, "Group")]
        {
            let table = Table::compile(&ApproximateMajority).unwrap();
            let [a, b] = ["A", "B"].map(|name| table.state(name).unwrap());
            let mut states = vec![b; nodes];
            states[..20].fill(a);
            let start_digest = digest_of(&states);
            let listed: Vec<String> = (0..20).map(|node| node.to_string()).collect();
            let start = format!(r#"Nodes(states: {{"A": [{}]}}, rest: "B")"#, listed.join(", "));
            let text = scenario(words, "approximate-majority", word, &start, "Rounds(12)");
            let finished = run(&plan(&text), SEED);
            assert_eq!(ended(&finished), ("rounds", Exit::Done));
            let section = Interactions::new(table.clone(), way);
            let interactions = sequentially(&topology, &section, &mut states, 12);
            assert_eq!(digest(&finished), digest_of(&states), "{word} on {words}");
            assert_eq!(number(&finished, "work.interactions"), interactions);
            assert_eq!(number(&finished, "work.turns"), 12 * nodes as u64);
            for (name, state) in ["A", "B"].into_iter().zip([a, b]) {
                let count = states.iter().filter(|&&found| found == state).count() as u64;
                assert_eq!(number(&finished, &format!("states.{name}")), count);
            }
            assert_eq!(digest(&finished), text_of(&finished, "digest.node_states"));
            assert_ne!(digest(&finished), start_digest, "{word} on {words}");
        }
    }
}

#[test]
fn groups_meet_as_a_whole() {
    let text = r#"(
        topology: Star(nodes: 9), rung: F1, scheduler: Waves,
        work: Interactions(protocol: Library(name: "averaging", parameters: {"m": 6}), way: Group,
                           initial: Counts({"0": 6, "6": 3})),
        stop: [Silent], limits: (rounds: 10_000))"#;
    let finished = run(&plan(text), 3);
    // The turn of the middle node distributes the whole sum; earlier turns of leaves keep it.
    assert_eq!(ended(&finished), ("silent", Exit::Done), "{}", finished.record.outcome().reason);
    assert_eq!((number(&finished, "work.rounds"), number(&finished, "states.2")), (1, 9));
    assert_eq!(number(&finished, "work.interactions"), 9);
}

#[test]
fn any_number_of_threads_gives_the_same_run() {
    // There are enough nodes for several threads, on a graph with locality and on one without.
    for topology in ["Torus(rows: 300, columns: 300)", "RandomRegular(nodes: 70_000, degree: 3, seed: 5)"] {
        let start = r#"Shares({"A": 0.6, "B": 0.4})"#;
        let plan = plan(&scenario(topology, "approximate-majority", "AnyLocked", start, "Rounds(5)"));
        let first = same_on_all_threads(&plan, 9);
        assert_ne!(digest(&first), digest(&run(&plan, 10)));
    }
}

#[test]
fn golden_digests() {
    let start = r#"Shares({"A": 0.6, "B": 0.4})"#;
    let digests = ["AnyLocked", "PickedPair", "Group"].map(|way| {
        let text = scenario("Torus(rows: 20, columns: 20)", "approximate-majority", way, start, "Rounds(30)");
        digest(&run(&plan(&text), 42))
    });
    assert_eq!(digests, GOLDEN);
}

/// The digests of results on F1: a change here must be in the changelog. Under the lock of the whole neighbourhood it
/// does not matter when a partner is picked.
const GOLDEN: [&str; 3] = [
    "1b4cef5f7c76013d5689dca5d5b7bd0e",
    "1b4cef5f7c76013d5689dca5d5b7bd0e",
    "c7a2285dc7ebe6de3d05ff793d1ae8a4",
];

#[test]
fn each_stop_condition_ends_a_run_with_its_word() {
    for (stop, word) in stops(5, 700) {
        let start = r#"Counts({"I": 1, "S": 99})"#;
        let text = scenario("Torus(rows: 10, columns: 10)", "one-way-epidemic", "AnyLocked", start, &stop);
        let finished = run(&plan(&text), 3);
        assert_eq!(ended(&finished), (word, Exit::Done), "{}", finished.record.outcome().reason);
        let waves = number(&finished, "work.rounds");
        assert_eq!(number(&finished, "locks.completed"), 100 * waves);
        assert_eq!(number(&finished, "work.interactions"), 100 * waves);
        match word {
            "rounds" => assert_eq!(waves, 5),
            "locks" | "interactions" => assert_eq!(waves, 7),
            "counts" => assert!(number(&finished, "states.I") >= 10),
            _ => assert_eq!(number(&finished, "states.I"), 100),
        }
    }
}

#[test]
fn limits_end_a_run_as_unfinished() {
    let start = r#"Counts({"I": 1, "S": 99})"#;
    let text =
        scenario("Torus(rows: 10, columns: 10)", "one-way-epidemic", "AnyLocked", start, "Counts(\"I > n\")");
    for limit in ["rounds: 3", "interactions: 201"] {
        let finished = run(&plan(&text.replace("rounds: 100_000", limit)), 1);
        assert_eq!(ended(&finished), ("limit", Exit::BudgetExhausted));
        assert_eq!(number(&finished, "work.rounds"), 3);
    }
}

#[test]
fn locks_are_served_and_quiet_is_said() {
    let locks = |each: &str| {
        let text = format!(
            "(topology: Ring(nodes: 9), rung: F1, scheduler: Waves, work: Locks({each}), limits: (rounds: 100))"
        );
        run(&plan(&text), 1)
    };
    let served = locks("each: 3, callers: [0, 1, 5]");
    assert_eq!(ended(&served), ("served", Exit::Done));
    assert_eq!((number(&served, "locks.completed"), number(&served, "work.rounds")), (9, 3));
    let endless = locks("each: Forever");
    assert_eq!(ended(&endless), ("limit", Exit::BudgetExhausted));
    assert_eq!((number(&endless, "locks.released"), endless.series.is_some()), (900, false));
    assert_eq!(ended(&locks("each: 0")), ("quiet", Exit::Done));
    // There is no edge, so no node meets another.
    let start = r#"Counts({"I": 1, "S": 4})"#;
    let lonely =
        scenario("Gnp(nodes: 5, probability: 0)", "one-way-epidemic", "AnyLocked", start, "OutputsAgree");
    let lonely = run(&plan(&lonely), 1);
    assert_eq!(ended(&lonely), ("quiet", Exit::Failed));
    assert_eq!(number(&lonely, "work.rounds"), 0);
}

#[test]
fn the_record_says_what_waves_know_and_nothing_else() {
    let start = r#"Shares({"A": 0.6, "B": 0.4})"#;
    let text =
        scenario("Torus(rows: 8, columns: 8)", "approximate-majority", "PickedPair", start, "Rounds(4)");
    let text = text.replace("stop:", "observe: (counts_every: Rounds(2)), stop:");
    let plan = plan(&text);
    let said = plan.header().parameters.clone();
    let says = |name: &str| said.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    assert_eq!(says("rung"), Some("F1: disjoint lock sets without messages: critical sections in parallel"));
    assert_eq!(
        says("lock set"),
        Some("closed neighbourhood, which contains the pair: stricter than a lock of the pair")
    );
    assert_eq!(says("scheduler"), Some("waves, each node once in a random order"));
    assert_eq!((says("priorities"), says("fairness")), (None, None));
    let finished = run(&plan, 1);
    let keys: Vec<&str> = finished.record.body().iter().map(|section| section.key()).collect();
    assert_eq!(keys, ["work", "locks", "topology", "memory", "digest", "states", "outputs"]);
    let manifest = finished.record.manifest();
    assert_eq!(manifest.rules, None);
    let further: Vec<&str> = manifest.further.iter().map(|figure| figure.key()).collect();
    assert_eq!(further, ["title", "rung", "executed"]);
    assert!(finished.record.to_json_line().contains(r#""rung":"F1""#));
    assert_eq!(number(&finished, "topology.edges"), 128);
    let Value::Real(bytes) = figure(&finished.record, "memory.bytes_per_node") else {
        panic!("a real number")
    };
    assert!(bytes >= 18.0, "4 ports of 4 bytes and a state of 2: {bytes}");
    let times: Vec<f64> = finished.series.unwrap().rows().map(|row| row.time).collect();
    assert_eq!(times, [0.0, 2.0, 4.0]);
}

struct Ending(Proceed, u64);

impl RunControl for Ending {
    fn look(&self, at: &Progress) -> Proceed {
        assert!(at.fraction.is_some_and(|fraction| (0.0..=1.0).contains(&fraction)), "{at:?}");
        if at.rounds >= self.1 { self.0 } else { Proceed::Continue }
    }
}

#[test]
fn the_watch_ends_a_run() {
    let start = r#"Counts({"I": 1, "S": 4999})"#;
    let text = scenario("Ring(nodes: 5000)", "one-way-epidemic", "AnyLocked", start, "Silent");
    for (proceed, expected) in [
        (Proceed::OutOfTime, ("time", Exit::BudgetExhausted)),
        (Proceed::Interrupted, ("interrupted", Exit::Interrupted)),
    ] {
        let job = Job { seed: 1, repetition: 4, watch: &Ending(proceed, 9), record: None };
        let finished = plan(&text).run(job).unwrap();
        assert_eq!(ended(&finished), expected);
        assert_eq!((finished.record.repetition(), number(&finished, "work.rounds")), (4, 9));
    }
}
