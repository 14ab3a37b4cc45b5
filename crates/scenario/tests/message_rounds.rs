//! Tests of rung F3: every message, in rounds of macro activations.

use acrasin_scenario::Runnable as _;
use std::fmt::Debug;

use crate::support::{
    digest, digest_of, ended, figure, number, plan, plan_in, run, same_on_all_threads, stops, text_of,
    topology,
};
use acrasin_engine::draw::Priorities;
use acrasin_engine::reference::Reference;
use acrasin_engine::{ActiveNodes, Draws};
use acrasin_graphs::family::barabasi_albert::{BarabasiAlbert, barabasi_albert};
use acrasin_graphs::family::lattice::{Sides, grid, torus};
use acrasin_graphs::family::line::{ring, star};
use acrasin_graphs::family::triangular::triangular_torus;
use acrasin_protocols::Table;
use acrasin_protocols::library::{ApproximateMajority, TwoWayEpidemic};
use acrasin_protocols::locked::{Interactions, Way};
use acrasin_report::record::Exit;
use acrasin_report::value::Value;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::topology::dynamics::{Change, Churn, Dynamics as _, Moment, edge};
use acrasin_runtime::{
    CriticalSection, Demand, FixedProbability, LockOnly, LockSetRule, NodeId, Seeded, Step, StepOf, Topology,
};
use acrasin_scenario::plan::{Finished, Job, Proceed, Progress, RunControl};

const SEED: u64 = 5;

fn scenario(topology: &str, rest: &str) -> String {
    format!(
        r#"(
        topology: {topology},
        rung: F3,
        scheduler: SemiSynchronous(activation: Random(0.5)),
        {rest}
    )"#
    )
}

fn majority(way: &str, start: &str, stop: &str) -> String {
    format!(
        r#"work: Interactions(protocol: Library(name: "approximate-majority"), way: {way}, initial: {start}),
        stop: [{stop}], limits: (rounds: 100_000)"#
    )
}

/// A run on F4 in macro activations with the draws of F3.
fn reference<S: CriticalSection>(
    topology: Topology,
    (section, states): (S, Vec<S::State>),
    lock_set: LockSetRule,
) -> Reference<S> {
    let delta = u32::from(topology.ports());
    let priorities = Priorities::new(delta * delta + 1).unwrap();
    Reference::with_section(topology, Draws::new(SEED), priorities, section, states, lock_set)
}

const HALF: ActiveNodes<'_> = ActiveNodes::Random(FixedProbability::HALF);

/// Asserts that all figures and all states are equal.
#[track_caller]
fn agrees<S: CriticalSection<State: Debug>>(finished: &Finished, reference: &Reference<S>) {
    let figures = reference.figures();
    for (path, expected) in [
        ("work.rounds", figures.rounds),
        ("work.activations", figures.activations),
        ("locks.completed", figures.grants),
        ("locks.released", figures.releases),
        ("locks.trials_begun", figures.trials),
        ("locks.late_rejections", figures.late_rejections),
        ("locks.waiting", figures.calls - figures.grants),
        ("messages.to_neighbours", figures.messages - figures.self_messages),
        ("messages.to_self", figures.self_messages),
    ] {
        assert_eq!(number(finished, path), expected, "{path}");
    }
    assert!(figures.releases > 0);
    assert_eq!(text_of(finished, "digest.node_states"), digest_of(reference.world().states()));
}

#[test]
fn states_and_figures_are_those_of_the_reference() {
    let table = Table::compile(&ApproximateMajority).unwrap();
    let [a, b] = ["A", "B"].map(|name| table.state(name).unwrap());
    let hubs = barabasi_albert(BarabasiAlbert { nodes: 40, links: 2 }, 0);
    for (graph, words) in [
        (torus(Sides { rows: 7, columns: 6 }), "Torus(rows: 7, columns: 6)"),
        (triangular_torus(Sides { rows: 5, columns: 5 }), "TriangularTorus(rows: 5, columns: 5)"),
        // More ports than a 64-bit word can represent.
        (star(40), "Star(nodes: 40)"),
        (hubs, "BarabasiAlbert(nodes: 40, links: 2, seed: 0)"),
    ] {
        for (way, word) in
            [(Way::AnyLocked, "AnyLocked"), (Way::PickedPair, "PickedPair"), (Way::Group, "Group")]
        {
            let topology = topology(graph.clone());
            let mut states = vec![b; topology.node_count() as usize];
            states[..10].fill(a);
            let start = r#"Nodes(states: {"A": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}, rest: "B")"#;
            let before = digest_of(&states);
            let section = Interactions::new(table.clone(), way);
            let mut reference = reference(topology, (section, states), way.lock_set());
            let rounds = 600;
            for _ in 0..rounds {
                reference.round(&HALF).unwrap();
            }
            let text = scenario(words, &majority(word, start, &format!("Rounds({rounds})")));
            let finished = run(&plan(&text), SEED);
            agrees(&finished, &reference);
            assert_ne!(digest_of(reference.world().states()), before, "{words} {word}: nothing has happened");
            reference.round(&HALF).unwrap();
            assert_ne!(number(&finished, "work.activations"), reference.figures().activations);
        }
    }
}

#[test]
fn locks_alone_are_those_of_the_reference() {
    let ring = topology(ring(20));
    for (lock_set, word) in [(LockSetRule::Neighbourhood, "Neighbourhood"), (LockSetRule::Pair, "Pair")] {
        let demands = vec![Demand::Times(3); 20];
        let mut reference = reference(ring.clone(), (LockOnly, demands), lock_set);
        while reference.figures().releases < 60 {
            reference.round(&HALF).unwrap();
        }
        let text = scenario("Ring(nodes: 20)", &format!("lock: (lock_set: {word}), work: Locks(each: 3)"));
        let finished = run(&plan(&text), SEED);
        assert_eq!(ended(&finished), ("served", Exit::Done));
        agrees(&finished, &reference);
        assert_eq!(number(&finished, "locks.waiting"), 0);
    }
}

/// The step for a change of the graph, with the lowest open ports.
fn step_for(topology: &Topology, change: Change) -> Option<StepOf<Local>> {
    match change {
        Change::Disconnect(edge) => topology
            .port_towards(edge.a, edge.b)
            .map(|port| Step::Disconnect { node: edge.a, port: port.into() }),
        Change::Connect(edge) => {
            let [a_port, b_port] =
                [edge.a, edge.b].map(|node| topology.lowest_open_port(node).map(Into::into));
            Some(Step::Connect { a: edge.a, a_port: a_port?, b: edge.b, b_port: b_port? })
        }
    }
}

#[test]
fn recorded_contacts_happen_as_in_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    // Node 0, which has one port, meets 1 and 2 at the same time: 2 is refused, and connects after 1 has left.
    std::fs::write(folder.path().join("ward.tsv"), "20 0 1\n20 0 2\n40 0 1\n40 2 3\n80 0 2\n").unwrap();
    let table = Table::compile(&TwoWayEpidemic).unwrap();
    let [ill, well] = ["I", "S"].map(|name| table.state(name).unwrap());
    for ports in [1, 2] {
        let text = scenario(
            r#"Contacts(path: "ward.tsv", format: Instants(resolution: 20), rounds_per_step: 60)"#,
            &format!(
                r#"ports: {ports},
                work: Interactions(protocol: Library(name: "two-way-epidemic"), way: PickedPair,
                                   initial: Nodes(states: {{"I": [1]}}, rest: "S")),
                stop: [TraceEnd]"#
            ),
        );
        let finished = run(&plan_in(&text, folder.path()), SEED);
        assert_eq!(ended(&finished), ("trace end", Exit::Done));
        assert_eq!(number(&finished, "topology.refused"), u64::from(ports == 1));
        let section = Interactions::new(table.clone(), Way::PickedPair);
        let states = vec![well, ill, well, well];
        let mut reference = reference(Topology::new(4, ports).unwrap(), (section, states), LockSetRule::Pair);
        let pair = |a, b| edge(NodeId(a), NodeId(b));
        let mut timetable = vec![
            (0, Change::Connect(pair(0, 1))),
            (0, Change::Connect(pair(0, 2))),
            (60, Change::Disconnect(pair(0, 2))),
            (60, Change::Connect(pair(2, 3))),
            (120, Change::Disconnect(pair(0, 1))),
            (120, Change::Disconnect(pair(2, 3))),
            (180, Change::Connect(pair(0, 2))),
        ];
        let mut changed = 0;
        for round in 0..240 {
            while timetable.first().is_some_and(|&(when, _)| when == round) {
                let (_, change) = timetable.remove(0);
                if let Some(step) = step_for(reference.world().topology(), change) {
                    reference.change(&step).unwrap();
                    changed += 1;
                }
            }
            reference.round(&HALF).unwrap();
        }
        agrees(&finished, &reference);
        let made = number(&finished, "topology.connected") + number(&finished, "topology.disconnected");
        assert_eq!(made, changed);
        assert_eq!(number(&finished, "topology.edges"), 1);
        // The refused contact determines which nodes are infected.
        assert!(number(&finished, "states.I") >= 2);
    }
}

#[test]
fn churn_happens_as_in_the_reference() {
    let grid = topology(grid(Sides { rows: 5, columns: 5 }));
    let table = Table::compile(&ApproximateMajority).unwrap();
    let [a, b] = ["A", "B"].map(|name| table.state(name).unwrap());
    for (way, word) in [(Way::AnyLocked, "AnyLocked"), (Way::PickedPair, "PickedPair")] {
        let mut states = vec![b; 25];
        states[0] = a;
        let section = Interactions::new(table.clone(), way);
        let mut reference = reference(grid.clone(), (section, states), way.lock_set());
        let mut churn = Churn::new(&grid, FixedProbability::new(0.01).unwrap(), false);
        let (mut choices, mut asked) = (Seeded::new(SEED), Vec::new());
        for rounds in 0..800 {
            asked.clear();
            let moment = Moment { rounds, round_begins: true };
            churn.changes(reference.world().topology(), moment, &mut choices, &mut asked);
            for &change in &asked {
                let step = step_for(reference.world().topology(), change).expect("its ports are open");
                reference.change(&step).unwrap();
            }
            reference.round(&HALF).unwrap();
        }
        let start = r#"Nodes(states: {"A": [0]}, rest: "B")"#;
        let rest = majority(word, start, "Rounds(800)");
        let text =
            scenario("Grid(rows: 5, columns: 5)", &format!("disturbances: [Churn(rate: 0.01)], {rest}"));
        let finished = run(&plan(&text), SEED);
        agrees(&finished, &reference);
        assert!(number(&finished, "topology.disconnected") > 100);
        assert_eq!(number(&finished, "topology.edges"), reference.world().topology().edge_count());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_run() {
    // There are enough nodes for several threads; half of the cases lock pairs.
    for way in ["AnyLocked", "PickedPair"] {
        let start = r#"Shares({"A": 0.6, "B": 0.4})"#;
        let text = scenario("Torus(rows: 260, columns: 260)", &majority(way, start, "Rounds(25)"));
        let plan = plan(&text);
        let first = same_on_all_threads(&plan, 9);
        assert!(number(&first, "work.interactions") > 256, "sections of one round are shared out");
        assert_ne!(digest(&first), digest(&run(&plan, 10)));
    }
}

#[test]
fn golden_digests() {
    let start = r#"Shares({"A": 0.6, "B": 0.4})"#;
    let digests = ["AnyLocked", "PickedPair", "Group"].map(|way| {
        let text = scenario("Torus(rows: 12, columns: 12)", &majority(way, start, "Rounds(300)"));
        let [first, second] = [0, 1].map(|_| digest(&run(&plan(&text), 42)));
        assert_eq!(first, second);
        first
    });
    assert_eq!(digests, GOLDEN);
}

/// The digests of results on F3: a change here must be in the changelog.
const GOLDEN: [&str; 3] = [
    "75333540ee0e48c8b660d6a38a6c4e0e",
    "6c6a9e0232e384e05282f1f1551d238e",
    "bb4fb0a0c4b01cd39f0d6ace4bb6ee7c",
];

#[test]
fn each_stop_condition_ends_a_run_with_its_word() {
    for (stop, word) in stops(50, 7) {
        let rest = format!(
            r#"work: Interactions(protocol: Library(name: "one-way-epidemic"), way: PickedPair,
                                  initial: Counts({{"I": 1, "S": 11}})),
            observe: (counts_every: Rounds(5)), stop: [{stop}], limits: (rounds: 1e6)"#
        );
        let finished = run(&plan(&scenario("Complete(nodes: 12)", &rest)), 3);
        assert_eq!(ended(&finished), (word, Exit::Done), "{}", finished.record.outcome().reason);
        match word {
            "rounds" => assert_eq!(number(&finished, "work.rounds"), 50),
            "locks" => assert!((7..19).contains(&number(&finished, "locks.completed"))),
            "interactions" => assert!((7..13).contains(&number(&finished, "work.interactions"))),
            "counts" => assert!(number(&finished, "states.I") >= 10),
            _ => assert_eq!(number(&finished, "states.I"), 12),
        }
        let rounds = number(&finished, "work.rounds");
        let times: Vec<f64> = finished.series.unwrap().rows().map(|row| row.time).collect();
        assert_eq!(times.last(), Some(&(rounds as f64)));
        assert!(times[..times.len() - 1].iter().all(|time| time % 5.0 == 0.0), "{times:?}");
    }
}

#[test]
fn limits_end_a_run_as_unfinished() {
    for limit in ["rounds: 20", "interactions: 3"] {
        let text = scenario("Ring(nodes: 9)", &majority("AnyLocked", r#"All("U")"#, "Counts(\"A > 0\")"));
        let finished = run(&plan(&text.replace("rounds: 100_000", limit)), 1);
        assert_eq!(ended(&finished), ("limit", Exit::BudgetExhausted));
    }
}

#[test]
fn nothing_to_do_is_said_honestly() {
    let lonely = |stop: &str| {
        let rest = majority("AnyLocked", r#"Counts({"A": 4, "B": 1})"#, stop);
        run(&plan(&scenario("Gnp(nodes: 5, probability: 0)", &rest)), 1)
    };
    for (stop, expected) in [("OutputsAgree", ("quiet", Exit::Failed)), ("", ("quiet", Exit::Done))] {
        let finished = lonely(stop);
        assert_eq!((ended(&finished), number(&finished, "work.rounds")), (expected, 0));
    }
    let idle = |rest: &str| run(&plan(&scenario("Ring(nodes: 9)", rest)), 1);
    assert_eq!(ended(&idle("work: Idle")), ("quiet", Exit::Done));
    // Some nodes lock and the others never do. The run ends under every schedule.
    let served = idle("work: Locks(each: 2, callers: [0, 4])");
    assert_eq!((ended(&served), number(&served, "locks.released")), (("served", Exit::Done), 4));
    // The graph changes during the whole run, so only the limit ends it.
    let churned = idle("work: Idle, disturbances: [Churn(rate: 0.5)], limits: (rounds: 30)");
    assert_eq!(ended(&churned), ("limit", Exit::BudgetExhausted));
    assert!(number(&churned, "topology.disconnected") > 0);
}

#[test]
fn swizzles_leave_the_lock_layer_alive() {
    let rest = "disturbances: [Swizzle(links: 3, every: 30)], work: Locks(each: 5), limits: (rounds: 1e5)";
    let finished = run(&plan(&scenario("Torus(rows: 4, columns: 4)", rest)), 2);
    assert_eq!(ended(&finished), ("served", Exit::Done));
    assert_eq!(number(&finished, "locks.released"), 80);
    assert!(number(&finished, "topology.connected") > 0);
    assert_eq!(number(&finished, "topology.refused"), 0);
}

#[test]
fn the_record_says_what_is_known_and_nothing_else() {
    let start = r#"Shares({"A": 0.6, "B": 0.4})"#;
    let plan = plan(&scenario("Torus(rows: 8, columns: 8)", &majority("AnyLocked", start, "Rounds(400)")));
    let said = plan.header().parameters.clone();
    let says = |name: &str| said.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    assert_eq!(says("rung"), Some("F3: every message, any graph, one word per node"));
    assert_eq!(
        says("scheduler"),
        Some(
            "semi-synchronous, active: each node with probability 0.5; an active node receives all its messages, then runs its enabled checks"
        )
    );
    let finished = run(&plan, 1);
    let keys: Vec<&str> = finished.record.body().iter().map(|section| section.key()).collect();
    assert_eq!(keys, ["work", "locks", "messages", "topology", "memory", "digest", "states", "outputs"]);
    let line = finished.record.to_json_line();
    assert!(line.contains(r#""rung":"F3""#), "{line}");
    assert!(line.contains(r#""rules":"local mutual exclusion, repaired""#), "{line}");
    let Value::Real(ratio) = figure(&finished.record, "locks.messages_ratio") else {
        panic!("a real number")
    };
    let (to, locks) = (number(&finished, "messages.to_neighbours"), number(&finished, "locks.completed"));
    assert!((ratio - to as f64 / locks as f64).abs() < 1e-9);
    let Value::Real(bytes) = figure(&finished.record, "memory.bytes_per_node") else {
        panic!("a real number")
    };
    // Per node at least two words of 4 bytes, 4 ports of 4 bytes, a state of 2 bytes and two bits. The upper bound is
    // the engine's promise for twice as many ports.
    assert!((26.0..=48.0).contains(&bytes), "{bytes}");
    // Before the first Lock averages would divide by 0.
    let early =
        run(&crate::support::plan(&scenario("Ring(nodes: 5)", "work: Locks(each: 1), stop: [Rounds(1)]")), 1);
    assert_eq!(figure(&early.record, "locks.trials_ratio"), Value::Missing);
}

struct Ending(Proceed, u64);

impl RunControl for Ending {
    fn look(&self, at: &Progress) -> Proceed {
        if at.rounds >= self.1 { self.0 } else { Proceed::Continue }
    }
}

#[test]
fn the_watch_ends_a_run() {
    let text = scenario("Ring(nodes: 5000)", &majority("AnyLocked", r#"All("U")"#, "Counts(\"A > 0\")"));
    for (proceed, expected) in [
        (Proceed::OutOfTime, ("time", Exit::BudgetExhausted)),
        (Proceed::Interrupted, ("interrupted", Exit::Interrupted)),
    ] {
        let job = Job { seed: 1, repetition: 4, watch: &Ending(proceed, 9), record: None };
        let finished = plan(&text).run(job).unwrap();
        assert_eq!(ended(&finished), expected);
        assert!((9..13).contains(&number(&finished, "work.rounds")));
    }
}
