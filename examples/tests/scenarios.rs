//! Every scenario of this folder is valid, ends as it announces, and is listed in the indexes.

use std::path::{Path, PathBuf};

use acrasin::report::plot::{PlotOptions, spans_svg};
use acrasin::report::record::RunRecord;
use acrasin::scenario::document::protocol::ProtocolSource;
use acrasin::scenario::document::work::Work;
use acrasin::scenario::plan::{Job, Unwatched};
use acrasin::scenario::{Catalogue, Document, LazyPlan, Plan, Runnable, UniformPlan};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn scenarios(name: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "ron")).collect();
    found.sort();
    found
}

fn read(path: &Path, sets: &[(&str, &str)]) -> Document {
    let sets: Vec<_> = sets.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    Document::read(path, &sets).unwrap_or_else(|error| panic!("{error}"))
}

fn run(path: &Path, sets: &[(&str, &str)], seed: Option<u64>) -> RunRecord {
    let (document, base) = (read(path, sets), path.parent().unwrap());
    let shipped = Catalogue::shipped();
    let plan: Result<Box<dyn Runnable>, _> = if LazyPlan::is_meant(&shipped, &document) {
        LazyPlan::within(&shipped, &document, base, 1 << 30).map(|plan| Box::new(plan) as _)
    } else if UniformPlan::is_meant(&Catalogue::shipped(), &document) {
        UniformPlan::within(&shipped, &document, base, 1 << 30).map(|plan| Box::new(plan) as _)
    } else {
        Plan::new(&document, base).map(|plan| Box::new(plan) as _)
    };
    let plan = plan.unwrap_or_else(|error| panic!("{error}"));
    let seed = seed.or(plan.header().seed).expect("a seed");
    plan.run(Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap().record
}

/// The comment that opens a scenario ends with what the command prints.
#[test]
fn every_scenario_says_what_it_prints() {
    for path in scenarios("") {
        let text = std::fs::read_to_string(&path).unwrap();
        let opening: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
        let says = |command: &str| {
            opening.iter().any(|line| line.starts_with(&format!("`acrasin {command}` prints")))
        };
        assert!(opening.len() > 1 && (says("run") || says("check")), "{}", path.display());
    }
}

#[test]
fn every_scenario_is_listed_titled_and_seeded() {
    for (name, expected, list) in [
        ("", 18, include_str!("../src/lib.rs")),
        ("contacts", 6, include_str!("../contacts/README.md")),
        ("catalogue", 36, include_str!("../catalogue/README.md")),
    ] {
        let found = scenarios(name);
        assert_eq!(found.len(), expected, "{found:?}");
        for path in found {
            let scenario = read(&path, &[]).scenario().clone();
            assert!(scenario.title.is_some() && scenario.seed.is_some(), "{}", path.display());
            let name = format!("`{}`", path.file_name().unwrap().to_str().unwrap());
            assert!(list.contains(&name), "{name} is not listed");
        }
    }
}

#[test]
fn every_scenario_comes_to_its_end() {
    // Smaller sizes, because debug builds check after every round and wave.
    let smaller: &[(&str, &str)] = &[("topology.rows", "40"), ("topology.columns", "50")];
    // The contention figure needs 200 000 Locks; here a thousandth of them suffices.
    let shorter: &[(&str, &str)] = &[("stop[0]", "Locks(200)")];
    let fewer_nodes: &[(&str, &str)] = &[("topology.nodes", "5000")];
    let fewer: &[(&str, &str)] = &[("stop[0]", "Rounds(200)")];
    for path in scenarios("") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let sets = match &name[..2] {
            "07" => shorter,
            "12" | "13" | "24" => smaller,
            "23" => fewer_nodes,
            "22" => fewer,
            _ => &[],
        };
        let record = run(&path, sets, None);
        let expected = match name {
            "00_exact_majority.ron"
            | "05_torus_majority.ron"
            | "09_epidemic_geometric.ron"
            | "10_churn_asynchronous.ron"
            | "15_uniform_pairs.ron" => "agreed",
            "06_published_deadlock.ron" => "deadlock",
            "07_contention_ring_30.ron" | "11_everything_on_an_edge.ron" => "locks",
            "08_your_own_table.ron" | "12_waves_epidemic.ron" | "13_messages_epidemic.ron" => "silent",
            "16_token_on_a_tree.ron"
            | "18_load_balancing.ron"
            | "19_fault_tolerant_service.ron"
            | "20_two_services.ron"
            | "23_token_on_a_large_tree.ron"
            | "24_sections_on_a_large_grid.ron" => "served",
            "22_every_message_on_planes.ron" => "rounds",
            _ => panic!("{name} has no expectation"),
        };
        assert_eq!(record.outcome().word, expected, "{name}: {:?}", record.outcome());
    }
}

#[test]
fn the_pictures_of_processes_inside_equal_those_of_the_scenarios() {
    for (scenario, picture) in [
        ("16_token_on_a_tree", "one-resource"),
        ("18_load_balancing", "who-is-inside"),
        ("19_fault_tolerant_service", "fault-tolerant-service"),
        ("20_two_services", "two-services"),
    ] {
        let path = folder(&format!("{scenario}.ron"));
        let plan = Plan::new(&read(&path, &[]), path.parent().unwrap()).unwrap();
        let (seed, title) = (plan.header().seed.unwrap(), plan.header().title.as_str().to_owned());
        let run = plan.run(Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap();
        let drawn = spans_svg(&run.inside.unwrap(), &PlotOptions::new(title)).unwrap();
        let kept = std::fs::read_to_string(folder(&format!("pictures/{picture}.svg"))).unwrap();
        assert!(drawn == kept, "{scenario} draws another picture");
    }
}

#[test]
fn the_deadlock_is_gone_with_the_repaired_rules() {
    let path = folder("06_published_deadlock.ron");
    let dead = |rules: &str| {
        let ends =
            (0..200).map(|seed| run(&path, &[("lock.rules", rules)], Some(seed)).outcome().word.clone());
        ends.filter(|word| word == "deadlock").count()
    };
    assert!(dead("Published") > 0);
    assert_eq!(dead("Repaired"), 0);
}

#[test]
fn every_protocol_of_the_library_has_a_scenario_that_comes_to_its_end() {
    for entry in Catalogue::shipped().protocols().entries() {
        let path = folder("catalogue").join(format!("{}.ron", entry.name));
        let document = read(&path, &[]);
        let Work::Interactions { protocol: ProtocolSource::Library { name, .. }, .. } =
            &document.scenario().work
        else {
            panic!("{} is of another work", entry.name);
        };
        assert_eq!(name, entry.name);
        let record = run(&path, &[], None);
        let expected = match entry.name {
            "voter"
            | "approximate-majority"
            | "approximate-majority-one-way"
            | "undecided-state"
            | "undecided-state-two-way"
            | "exact-majority"
            | "graph-majority" => "agreed",
            "fratricide"
            | "pairwise-cancellation"
            | "remainder"
            | "graph-leader"
            | "token-walk"
            | "competing-values" => "counts",
            "threshold"
            | "leader-clock"
            | "junta-clock"
            | "synthetic-coin"
            | "loosely-stabilising-leader" => "interactions",
            _ => "silent",
        };
        assert_eq!(record.outcome().word, expected, "{}", entry.name);
    }
}

#[test]
fn recorded_contacts_make_plans_where_they_have_been_fetched() {
    if !folder("contacts/data").exists() {
        eprintln!("SKIPPED: examples/contacts/data is not there; examples/contacts/fetch.sh gets it");
        return;
    }
    for path in scenarios("contacts") {
        Plan::new(&read(&path, &[]), path.parent().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    }
}
