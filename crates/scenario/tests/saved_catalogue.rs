//! Checkpoints of every scheduler, adversary, fault, topology, lock algorithm, lazy protocol and amoebot algorithm of
//! the catalogue, and of every shipped scenario: the run is saved and continued, or refused with its reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acrasin_scenario::{
    Catalogue, CheckpointKeeper, Finished, Job, Proceed, Progress, RunControl, RunError, RunState, Runnable,
    ScenarioFile,
};

/// The poll at which every run ends: about 4096 steps lie between two polls.
const POLLS: u64 = 6;

/// Keeps all checkpoints of a run, which it ends at poll [`POLLS`].
#[derive(Default)]
struct Saving {
    is_saved: bool,
    resumed: Option<RunState>,
    polls: AtomicU64,
    kept: Mutex<Vec<(u64, RunState)>>,
}

impl RunControl for Saving {
    fn look(&self, _: &Progress) -> Proceed {
        let polls = 1 + self.polls.fetch_add(1, Ordering::Relaxed);
        if polls >= POLLS { Proceed::OutOfTime } else { Proceed::Continue }
    }

    fn checkpoints(&self) -> Option<&dyn CheckpointKeeper> {
        (self.is_saved || self.resumed.is_some()).then_some(self)
    }
}

impl CheckpointKeeper for Saving {
    fn resumed(&self) -> Option<&RunState> {
        self.resumed.as_ref()
    }

    fn is_due(&self, _: Proceed) -> bool {
        self.is_saved
    }

    fn keep(&self, _: &Progress, state: RunState) {
        self.kept.lock().unwrap().push((self.polls.load(Ordering::Relaxed), state));
    }
}

type SharedPlan = Arc<dyn Runnable + Send>;

/// Runs on this number of threads.
fn run(plan: &SharedPlan, threads: usize, watch: &Saving) -> Result<Finished, RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| plan.run(Job { seed: 3, repetition: 0, watch, record: None }))
}

/// Record, rows and drawings as they are written. The queues of lock algorithms have more room after a longer run, so
/// the memory of runs under locks is omitted.
fn written(finished: &Finished) -> (String, Option<String>, Vec<String>) {
    let sections = finished.record.body().iter().filter(|section| section.key() != "memory");
    let record = format!("{:?} {:?}", finished.record.outcome(), sections.collect::<Vec<_>>());
    let series = finished.series.as_ref().map(acrasin_report::series::Series::to_csv);
    let snapshots = finished.snapshots.iter().map(|snapshot| {
        let picture = snapshot.picture.as_ref().map(acrasin_amoebot::picture::Picture::to_svg);
        format!("{} {picture:?} {:?} {:?}", snapshot.name, snapshot.undrawn, snapshot.drawing)
    });
    (record, series, snapshots.collect())
}

/// Saves a run and continues it, on other numbers of threads. Returns the reason if it is refused.
fn refusal(name: &str, plan: &SharedPlan) -> Option<String> {
    let undisturbed = match run(plan, 2, &Saving::default()) {
        Ok(finished) => written(&finished),
        Err(error) => panic!("{name}: {error}"),
    };
    let saving = Saving { is_saved: true, ..Saving::default() };
    match run(plan, 3, &saving) {
        Ok(finished) => assert_eq!(written(&finished), undisturbed, "{name}: saved"),
        Err(error) => {
            assert_eq!(saving.polls.into_inner(), 0, "{name}: refused after its first step");
            return Some(error.to_string());
        }
    }
    let kept = saving.kept.into_inner().unwrap();
    assert!(!kept.is_empty(), "{name}");
    for ((polls, state), threads) in kept.into_iter().zip([1, 2, 3, 7].into_iter().cycle()) {
        if polls >= POLLS {
            continue;
        }
        let resumed = Saving { resumed: Some(state), polls: polls.into(), ..Saving::default() };
        let finished = run(plan, threads, &resumed).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            written(&finished),
            undisturbed,
            "{name}: resumed after poll {polls} on {threads} threads"
        );
    }
    None
}

/// All scenarios below a folder of the repository.
fn scenarios_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scenarios_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ron") {
            found.push(path);
        }
    }
}

fn plan_of(path: &Path) -> Result<SharedPlan, String> {
    let file = ScenarioFile::read(path, &[]).map_err(|error| error.to_string())?;
    let base = path.parent().expect("a file in a folder");
    file.plan(&Catalogue::shipped(), base, 1 << 32).map_err(|error| error.to_string())
}

#[track_caller]
fn plan(text: &str) -> SharedPlan {
    let file = ScenarioFile::parse(text, "saved.ron", &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
    file.plan(&Catalogue::shipped(), Path::new(""), 1 << 30).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const VOTES: &str = r#"protocol: Library(name: "graph-majority"), initial: Shares({"A": 0.51, "B": 0.49})"#;
const RUMOUR: &str = r#"protocol: Library(name: "two-way-epidemic"), initial: Counts({"I": 1}, rest: "S")"#;

const WALKERS: &str = "Mobility(nodes: 60, side: 50, range: 6, speed: (0.5, 1.5), pause: 60, step: 20, duration: 7200, \
    rounds_per_step: 40)";

/// Runs under locks, message by message.
fn worlds() -> Vec<String> {
    let mut all = Vec::new();
    for scheduler in [
        "Sequential",
        "Sequential(adversary: NewestFirst)",
        "Sequential(adversary: Starve(node: 3))",
        "Sequential(adversary: RandomPriorities(changes: 8))",
        "RoundRobin",
        "SemiSynchronous(activation: All)",
        "SemiSynchronous(activation: Random(0.5))",
        "SemiSynchronous(activation: Adversary(NewestFirst))",
        "SemiSynchronous(activation: Adversary(Starve(node: 3)))",
        "Asynchronous",
        "Asynchronous(adversary: NewestFirst)",
        "Asynchronous(adversary: Starve(node: 3))",
        "Asynchronous(adversary: RandomPriorities(changes: 3))",
    ] {
        for more in
            ["", "disturbances: [Churn(rate: 0.01), Swizzle(links: 3, every: 20)],", "fairness: Within(500),"]
        {
            all.push(format!(
                "(topology: Grid(rows: 6, columns: 6), scheduler: {scheduler}, {more} work: Interactions({VOTES}), \
                 limits: (steps: 1e6), observe: (counts_every: Rounds(7)))"
            ));
        }
        all.push(format!(
            "(topology: {WALKERS}, scheduler: {scheduler}, work: Interactions({VOTES}), stop: [TraceEnd])"
        ));
    }
    for (exclusion, topology) in [
        ("Local", "Star(nodes: 30)"),
        ("TokenTree(behaviour: Raymond, tree: ShortestPaths, root: 0)", "Grid(rows: 6, columns: 6)"),
        ("TokenTree(behaviour: Transit)", "Complete(nodes: 20)"),
        ("CriticalSections(least: 1, most: 4)", "Torus(rows: 5, columns: 5)"),
        ("CriticalSections(scheme: Leader, most: 3, leader: 2)", "Complete(nodes: 5)"),
    ] {
        for scheduler in ["RoundRobin", "Asynchronous", "SemiSynchronous(activation: All)"] {
            all.push(format!(
                "(topology: {topology}, exclusion: {exclusion}, scheduler: {scheduler}, work: Locks(each: 2000))"
            ));
        }
    }
    all
}

/// Runs of rounds, waves, pairs and matchings.
fn others() -> Vec<String> {
    let mut all = Vec::new();
    for topology in ["Star(nodes: 300)", "Torus(rows: 16, columns: 64)", "Complete(nodes: 300)", WALKERS] {
        for (rung, scheduler) in [("F3", "SemiSynchronous(activation: Random(0.5))"), ("F1", "Waves")] {
            if (topology.starts_with("Mobility") && rung == "F1")
                || (topology.starts_with("Complete") && rung == "F3")
            {
                continue;
            }
            all.push(format!(
                "(topology: {topology}, rung: {rung}, scheduler: {scheduler}, work: Interactions({VOTES}), \
                 limits: (rounds: 100_000), observe: (counts_every: Rounds(3)))"
            ));
        }
        for scheduler in [
            "UniformPairs",
            "UniformPairs(rate: 0.02)",
            "UniformPairs(direction: Forward)",
            "RandomMatchings",
        ] {
            let is_trace = topology.starts_with("Mobility");
            if is_trace != scheduler.contains("rate")
                || (topology.starts_with("Complete") && scheduler.contains("direction"))
            {
                continue;
            }
            let stop = if is_trace { "stop: [TraceEnd]" } else { "limits: (interactions: 1e6)" };
            let stop = if scheduler == "RandomMatchings" { "limits: (rounds: 100_000)" } else { stop };
            all.push(format!(
                "(topology: {topology}, scheduler: {scheduler}, work: Interactions({VOTES}), {stop})"
            ));
        }
    }
    for fault in [
        "Crash(rate: 0.001)",
        "Crash(at: [3000, 9000], agents: 5)",
        "Leave(rate: 0.2), Join(state: \"S\", rate: 0.2)",
        "Leave(at: [5000], agents: 20), Join(state: \"I\", at: [6000, 15_000])",
        "Corrupt(rate: 0.01)",
        "Corrupt(states: [\"I\"], at: [8000], agents: 10)",
    ] {
        for topology in ["Complete(nodes: 300)", "Ring(nodes: 300)"] {
            if topology.starts_with("Ring") && (fault.contains("Leave") || fault.contains("Join")) {
                continue;
            }
            all.push(format!(
                "(topology: {topology}, scheduler: UniformPairs, faults: [{fault}], work: Interactions({RUMOUR}), \
                 stop: [Interactions(60_000)], observe: (counts_every: Interactions(500)))"
            ));
        }
    }
    all.push(
        "(topology: Complete(nodes: 100), reactions: (species: [\"S\", \"I\"], rules: [(\"S + I -> I + I\", 1.0), \
         (\"I -> S\", 1.0)], initial: {\"I\": 5}, rest: \"S\"), stop: [Time(200)], observe: (counts_every: Time(0.5)))"
            .to_owned(),
    );
    all
}

/// Asserts that all names occur in the texts of these scenarios.
#[track_caller]
fn assert_named<'a>(what: &str, names: impl IntoIterator<Item = &'a str>, texts: &[String]) {
    let is_named = |name: &&str| !texts.iter().any(|text| text.contains(*name));
    let missing: Vec<&str> = names.into_iter().filter(is_named).collect();
    assert!(missing.is_empty(), "no scenario for {what}: {missing:?}");
}

#[test]
fn every_scheduler_adversary_and_fault_is_saved() {
    let texts = [worlds(), others()].concat();
    let catalogue = Catalogue::shipped();
    assert_named("schedulers", catalogue.schedulers().entries().iter().map(|entry| entry.name), &texts);
    assert_named("adversaries", catalogue.adversaries().entries().iter().map(|entry| entry.name), &texts);
    assert_named("exclusions", catalogue.exclusions().entries().iter().map(|entry| entry.name), &texts);
    assert_named("faults", ["Crash", "Leave", "Join", "Corrupt", "Churn", "Swizzle"], &texts);
    let refused: Vec<String> =
        texts.iter().filter_map(|text| Some(format!("{text}: {}", refusal(text, &plan(text))?))).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn every_shipped_scenario_is_saved_or_says_why_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["examples", "amoebot/scenarios"] {
        scenarios_below(&root.join(folder), &mut paths);
    }
    paths.sort();
    let (mut texts, mut unplanned, mut refused) = (Vec::new(), Vec::new(), BTreeSet::new());
    for path in &paths {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        match plan_of(path) {
            Err(error) => unplanned.push((name, error)),
            Ok(plan) => {
                texts.push(std::fs::read_to_string(path).unwrap());
                if let Some(reason) = refusal(&name, &plan) {
                    assert!(!reason.contains('\n'), "{name}: {reason}");
                    refused.insert(format!("{name}: {reason}"));
                }
            }
        }
    }
    let unplanned: Vec<_> = unplanned
        .iter()
        .filter(|(name, error)| !(name.contains("contacts/") && error.contains("no such file")))
        // Protocols alone, and scenarios for `acrasin check`.
        .filter(|(name, _)| !name.contains("examples/protocols") && !name.ends_with("-check.ron"))
        .collect();
    assert!(unplanned.is_empty(), "{unplanned:?}");
    let catalogue = Catalogue::shipped();
    assert_named(
        "lazy protocols",
        catalogue.lazy_protocols().entries().iter().map(|entry| entry.name),
        &texts,
    );
    assert_named("amoebots", catalogue.amoebots().entries().iter().map(|entry| entry.name), &texts);
    assert!(refused.is_empty(), "{refused:#?}");
}
