//! Tests of scenarios with local critical sections: run, recorded, replayed, explored, refused.

use acrasin_scenario::Runnable as _;
use std::fs;
use std::ops::ControlFlow;

use acrasin_report::record::Exit;
use acrasin_scenario::check::Verdict;
use acrasin_scenario::plan::{Finished, Job, Manner, Unwatched};
use acrasin_verify::locks::Options;
use acrasin_verify::replay::ReplayFile;

use crate::support::{digest, ended, marked_in, number, plan, plan_in, run};

fn scenario(topology: &str, exclusion: &str) -> String {
    format!(
        "(\n topology: {topology},\n exclusion: {exclusion},\n scheduler: Sequential,\n work: Locks(each: 3),\n)\n"
    )
}

/// Algorithms under which every process changes again and again.
const LIVE: [(&str, &str); 7] = [
    ("Path(nodes: 2)", "CriticalSections(scheme: Inclusion, least: 1)"),
    ("Ring(nodes: 7)", "CriticalSections(scheme: Inclusion, least_all_but: 1)"),
    ("Ring(nodes: 7)", "CriticalSections(scheme: Exclusion, most: 1)"),
    ("Star(nodes: 7)", "CriticalSections(scheme: Exclusion, mosts: [2, 1, 1, 1, 2, 2, 2])"),
    ("Ring(nodes: 10)", "CriticalSections(most: 3, inside: [1, 4, 7])"),
    ("Torus(rows: 4, columns: 4)", "CriticalSections(least: 1, most: 4)"),
    ("Complete(nodes: 5)", "CriticalSections(scheme: Leader, most: 3, leader: 2)"),
];

#[test]
fn every_process_changes_so_often_and_the_recording_leads_to_the_same_digest() {
    let mut left_waiting = 0;
    for (topology, exclusion) in LIVE {
        for scheduler in
            ["Sequential", "RoundRobin", "SemiSynchronous(activation: Random(0.5))", "Asynchronous"]
        {
            let plan = plan(&scenario(topology, exclusion).replace("Sequential", scheduler));
            let (seed, mut file) = (5, Vec::new());
            let job = Job { seed, repetition: 0, watch: &Unwatched, record: Some(Box::new(&mut file)) };
            let finished = plan.run(job).unwrap_or_else(|error| panic!("{topology}: {error}"));
            if exclusion.contains("Leader") {
                // The leader helps while all nodes around it continue. Here they stop, which is not a deadlock.
                assert!(["served", "left waiting"].contains(&ended(&finished).0), "{:?}", ended(&finished));
                let [note] = plan.header().notes.as_slice() else {
                    panic!("{:?}", plan.header().notes.as_slice())
                };
                assert!(note.contains("assumes that every node continues"), "{note}");
                left_waiting += u32::from(ended(&finished) == ("left waiting", Exit::Failed));
            } else {
                assert_eq!(ended(&finished), ("served", Exit::Done), "{exclusion} {scheduler}");
                assert_eq!(number(&finished, "locks.completed"), 3 * number(&finished, "topology.nodes"));
                assert_eq!(number(&finished, "locks.released"), number(&finished, "locks.completed"));
            }
            assert_eq!(digest(&finished), digest(&run(&plan, seed)));
            let rules = finished.record.manifest().rules.clone().unwrap();
            assert!(rules.starts_with("local critical sections, "), "{rules}");
            let opened = ReplayFile::open("run.jsonl", &file[..]).unwrap();
            assert_eq!(opened.header().algorithm.as_ref(), Some(&rules));
            let (replayed, _) = plan.replay(opened, &Unwatched).unwrap();
            assert_eq!(
                (ended(&replayed), digest(&replayed)),
                (("reproduced", Exit::Done), digest(&finished))
            );
            assert_eq!(replayed.inside, finished.inside);
        }
    }
    assert!(left_waiting > 0, "with a leader and a number of Locks some are left waiting");
}

/// The minimum and maximum number of nodes of a closed neighbourhood that are in their critical sections on a ring,
/// over all moments of the recorded spans.
fn around(finished: &Finished, nodes: u32) -> (usize, usize) {
    let spans = finished.inside.as_ref().unwrap();
    assert_eq!((spans.nodes(), spans.left_out()), (nodes, 0));
    let counts = (0..spans.last()).flat_map(|at| {
        let inside: Vec<bool> = (0..nodes)
            .map(|node| spans.iter().any(|span| span.node == node && span.from <= at && at < span.to))
            .collect();
        (0..nodes).map(move |node| {
            [nodes - 1, 0, 1].iter().filter(|&&step| inside[((node + step) % nodes) as usize]).count()
        })
    });
    counts.fold((usize::MAX, 0), |(least, most), count| (least.min(count), most.max(count)))
}

#[test]
fn who_is_inside_over_time_lies_between_the_bounds_and_touches_them() {
    for (exclusion, expected) in [
        ("CriticalSections(scheme: Inclusion, least: 1)", (1, 3)),
        ("CriticalSections(scheme: Exclusion, most: 2)", (0, 2)),
        ("CriticalSections(scheme: Exclusion, most: 1)", (0, 1)),
        ("CriticalSections(least: 0, most: 3, inside: [1, 4, 7])", (0, 3)),
    ] {
        let text = scenario("Ring(nodes: 10)", exclusion).replace("each: 3", "each: 12");
        assert_eq!(around(&run(&plan(&text), 1), 10), expected, "{exclusion}");
    }
}

/// Under mutual inclusion a node waits before it leaves. The record has the cost and the time: between 3 and 6 messages
/// per member.
#[test]
fn the_record_says_what_a_critical_section_costs() {
    let text = scenario("Complete(nodes: 4)", "CriticalSections(scheme: Inclusion, least: 1)");
    let finished = run(&plan(&text.replace("each: 3", "each: 40")), 9);
    let record = finished.record.to_json_line();
    let entries = record.split_once("\"entries\":{").expect("a section of entries").1;
    for key in ["by_node", "wait_to_enter", "wait_to_leave", "messages", "grant", "share_most"] {
        assert!(entries.contains(&format!("\"{key}")), "{key}: {entries}");
    }
    // The paper's bound counts messages of a node to itself: 4 members per change, 160 changes.
    let all = number(&finished, "messages.to_neighbours") + number(&finished, "messages.to_self");
    let per_member = all as f64 / (160.0 * 4.0);
    assert!((3.0..=6.0).contains(&per_member), "{per_member}");
}

#[test]
fn every_run_on_a_small_graph_keeps_the_promise() {
    const OPTIONS: Options =
        Options { bytes: 1 << 28, configurations: u64::MAX, liveness: true, stop_at_first: false };
    let text =
        scenario("Path(nodes: 2)", "CriticalSections(most: 2, inside: [0])").replace("each: 3", "each: 2");
    let explored =
        plan(&text).explore(0, Manner::default(), &OPTIONS, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(explored.states, Some(5_101));
    let promise = "between l and k of each closed neighbourhood inside";
    assert!(explored.findings.iter().any(|answer| answer.property == promise));
    for answer in &explored.findings {
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
    }
}

/// With at most one node of each closed neighbourhood in its critical section, a node has exclusive access to its
/// neighbours.
#[test]
fn a_population_protocol_runs_where_sections_are_alone_and_is_refused_elsewhere() {
    let work = "work: Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Counts({\"I\": 1, \"S\": 8})), stop: [Silent]";
    let alone = |exclusion: &str| scenario("Ring(nodes: 9)", exclusion).replace("work: Locks(each: 3)", work);
    for exclusion in ["CriticalSections(most: 1)", "CriticalSections(scheme: Exclusion, most: 1)"] {
        let plan = plan(&alone(exclusion));
        let mut file = Vec::new();
        let job = Job { seed: 2, repetition: 0, watch: &Unwatched, record: Some(Box::new(&mut file)) };
        let finished = plan.run(job).unwrap();
        assert_eq!((ended(&finished), number(&finished, "states.I")), (("silent", Exit::Done), 9));
        let opened = ReplayFile::open("run.jsonl", &file[..]).unwrap();
        assert!(opened.header().algorithm.as_ref().unwrap().ends_with("neighbours held"));
        assert_eq!(digest(&plan.replay(opened, &Unwatched).unwrap().0), digest(&finished));
    }
    let error = marked_in(&alone("«CriticalSections»(most: 2)"), ".".as_ref());
    assert!(error.message().contains("node 0") && error.message().contains("touches neighbours"), "{error}");
}

#[test]
fn bounds_come_from_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| fs::write(folder.path().join("bounds.csv"), text).unwrap();
    let text = scenario("Path(nodes: 3)", "CriticalSections(bounds: «\"bounds.csv\"», inside: [1])");
    let plain = text.replace(['«', '»'], "");
    write("# node least most\n0,0,2\n\n1 0 3\n2\t0 2\n");
    let finished = run(&plan_in(&plain, folder.path()), 1);
    assert_eq!(ended(&finished), ("served", Exit::Done));
    let listed = "CriticalSections(leasts: [0, 0, 0], mosts: [2, 3, 2], inside: [1])";
    assert_eq!(digest(&finished), digest(&run(&plan(&scenario("Path(nodes: 3)", listed)), 1)));
    for (file, part) in [
        ("0 0 2\n1 0 3\n", "bounds.csv: there is no line for node 2"),
        ("0 0 2\n1 0 3\n1 0 2\n", "bounds.csv:3: node 1 has two lines"),
        ("0 0 2\n7 0 3\n", "bounds.csv:2: there is no node 7"),
        ("0 0 2\n1 0\n", "bounds.csv:2: `1 0`"),
        ("0 0 -2\n", "bounds.csv:1"),
    ] {
        write(file);
        let error = marked_in(&text, folder.path());
        assert!(error.message().contains(part), "{part}: {error}");
    }
    fs::remove_file(folder.path().join("bounds.csv")).unwrap();
    assert!(marked_in(&text, folder.path()).message().contains("bounds.csv"));
}

#[test]
fn what_does_not_fit_is_refused_with_the_node_at_its_place() {
    let (edge, path, ring) = ("Path(nodes: 2)", "Path(nodes: 3)", "Ring(nodes: 10)");
    for (topology, exclusion, part) in [
        (
            path,
            "CriticalSections(least: «2», most: 1)",
            "node 0, with bounds 2 to 1 on the nodes inside its closed neighbourhood of 2: the lower bound is above",
        ),
        (
            path,
            "CriticalSections(least: 0, most: 3, inside: «[»])",
            "node 0, with bounds 0 to 3 on the nodes inside its closed neighbourhood of 2: the upper bound is above 2",
        ),
        (
            path,
            "CriticalSections(least: 2, inside: «[»0, 1, 2])",
            "node 0, with bounds 2 to 2 on the nodes inside its closed neighbourhood of 2: no node could ever leave",
        ),
        (path, "CriticalSections(most: 0, inside: «[»])", "no node could ever enter"),
        (path, "CriticalSections(scheme: Exclusion, most: 1, inside: «[»0, 1])", "node 0"),
        (ring, "CriticalSections(most: 1, inside: «[»3])", "node 2"),
        // The instance itself has no solution: exactly one node must be inside, and no single change is safe.
        (edge, "CriticalSections(leasts: [0, 1], mosts: [1, 2], inside: «[»1])", "not strictly between"),
        (edge, "«CriticalSections»(leasts: [0, 1], mosts: [1, 2])", "no start was found"),
        (
            edge,
            "CriticalSections(scheme: Leader, leasts: [0, 1], mosts: [1, 2], inside: «[»1], leader: 0)",
            "the leader is at most two edges away",
        ),
        (
            "Complete(nodes: 10)",
            "CriticalSections(scheme: Leader, most: 2, inside: «[»], leader: 4)",
            "the leader is at most two edges away",
        ),
        (ring, "CriticalSections(scheme: Leader, most: 3, inside: [4], leader: «4»)", "may wait forever"),
        (ring, "CriticalSections(most: 2, leader: «4»)", "this scheme has no leader"),
        (ring, "CriticalSections(scheme: Leader, most: 3, leader: «10»)", "there is no node 10"),
        (ring, "CriticalSections(most: 2, inside: «[»10])", "there is no node 10"),
        (ring, "CriticalSections(most: 2, inside: «[»1, 1])", "listed twice"),
        (ring, "CriticalSections(most: 2, most_all_but: «1»)", "most sets the same bound"),
        (ring, "CriticalSections(mosts: «[»1, 1])", "2 bounds for 10 nodes"),
        (ring, "CriticalSections(scheme: Inclusion, most: «2»)", "does not use k"),
        (ring, "CriticalSections(scheme: Exclusion, least: «2»)", "does not use l"),
        (ring, "CriticalSections(bounds: \"b\", most: «2»)", "the file has the bounds"),
    ] {
        let text = scenario(topology, exclusion);
        if text.contains('«') {
            let error = marked_in(&text, ".".as_ref());
            assert!(error.message().contains(part), "{error}");
        } else {
            let error = crate::support::try_plan_in(&text, ".".as_ref()).unwrap_err();
            assert!(error.message().contains(part), "{error}");
        }
    }
    let text = scenario(ring, "CriticalSections(most: 2)");
    for (from, to, part) in [
        (" work:", " disturbances: [«Churn»(rate: 0.1)],\n work:", "static graph"),
        (" work:", " lock: «(»rules: Published),\n work:", "rules of local mutual exclusion"),
        ("scheduler: Sequential", "rung: «F1»,\n scheduler: Waves", "local mutual exclusion only"),
        (
            "scheduler: Sequential",
            "scheduler: «Sequential»(adversary: NewestFirst)",
            "local mutual exclusion only",
        ),
    ] {
        let error = marked_in(&text.replace(from, to), ".".as_ref());
        assert!(error.message().contains(part), "{error}");
    }
}

/// Computed starts fit the scheme, on lattices and on drawn graphs.
#[test]
fn a_start_between_the_bounds_is_found() {
    for (topology, exclusion) in [
        ("Torus(rows: 12, columns: 12)", "CriticalSections(least: 1, most: 4)"),
        ("RandomRegular(nodes: 200, degree: 6)", "CriticalSections(least: 1, most: 6)"),
        ("TriangularTorus(rows: 10, columns: 10)", "CriticalSections(least_all_but: 6, most_all_but: 2)"),
        ("Complete(nodes: 9)", "CriticalSections(least: 3, most: 5)"),
        ("Grid(rows: 9, columns: 9)", "CriticalSections(least: 1)"),
    ] {
        let text = scenario(topology, exclusion).replace("each: 3", "each: 1");
        assert_eq!(ended(&run(&plan(&text), 1)), ("served", Exit::Done), "{topology} {exclusion}");
    }
}

/// No number of the three nodes at a corner is strictly between 1 and 2. The refusal comes before any search, however
/// large the grid.
#[test]
fn bounds_that_no_number_satisfies_are_seen_at_once() {
    let text = scenario("Grid(rows: 300, columns: 300)", "«CriticalSections»(least: 1, most_all_but: 1)");
    let error = marked_in(&text, ".".as_ref());
    assert!(error.message().contains("node 0 needs more than 1 and fewer than 2 of 3 inside"), "{error}");
}
