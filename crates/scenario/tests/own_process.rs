//! Tests of an external engine. One `impl Process` and one catalogue entry give runs, stop conditions, rows, films,
//! checkpoints and a digest. Tests in `acrasin-cli` cover its sweeps, `python/tests/test_own_engine.py` covers Python.

use std::path::Path;

use acrasin_process::{Process, RestoreError, RunBound};
use acrasin_protocols::lazy_library::LazyStart;
use acrasin_report::record::Exit;
use acrasin_scenario::film::{ObservingControl, TraceRecorder};
use acrasin_scenario::plan::{Finished, Job, LazyPlan, Unwatched};
use acrasin_scenario::{Catalogue, Document, DocumentError, Runnable};

use crate::clockwork::ENTRY;
use crate::support::{digest, ended, number};

fn plan(stop: &str) -> Result<LazyPlan, DocumentError> {
    let catalogue = Catalogue::shipped().with_lazy_protocol(ENTRY).unwrap();
    let text = format!(
        "(seed: 1, topology: Complete(nodes: 10), scheduler: UniformPairs, work: Interactions(protocol: \
         Library(name: \"clockwork\", parameters: {{\"pace\": 7}}), initial: Counts({{\"healthy\": 8, \"infected\": 2}})), \
         stop: {stop}, observe: (counts_every: Interactions(10)))"
    );
    let document = Document::parse(&text, "own.ron")?;
    LazyPlan::within(&catalogue, &document, Path::new(""), 1 << 30)
}

fn run(stop: &str) -> Result<Finished, DocumentError> {
    Ok(plan(stop)?.run(&Job { seed: 1, repetition: 0, watch: &Unwatched, record: None }).unwrap())
}

#[test]
fn a_process_from_outside_runs_to_its_stop_condition() {
    let finished = run("[Counts(\"infected >= 5\")]").unwrap();
    assert_eq!(ended(&finished), ("counts", Exit::Done));
    // Three more infected agents, one every seven interactions.
    assert_eq!((number(&finished, "work.interactions"), number(&finished, "states.infected")), (21, 5));
    assert_eq!(number(&finished, "work.pace"), 7);
    let rows: Vec<(f64, u64)> =
        finished.series.as_ref().unwrap().rows().map(|row| (row.time, row.counts[1])).collect();
    assert_eq!(rows, [(0.0, 2), (1.0, 3), (2.0, 4), (2.1, 5)]);

    let bounded = run("[Interactions(30)]").unwrap();
    assert_eq!((ended(&bounded).0, number(&bounded, "states.infected")), ("interactions", 6));
    assert_ne!(digest(&bounded), digest(&finished));
    assert_eq!(digest(&bounded), digest(&run("[Interactions(30)]").unwrap()));
}

#[test]
fn a_process_from_outside_says_when_it_is_settled_or_silent() {
    // The process is tested once in n interactions for n agents: 56 is within the sixth test.
    let settled = run("[Settled]").unwrap();
    assert_eq!((ended(&settled), number(&settled, "work.interactions")), (("settled", Exit::Done), 60));
    // The predicate can no longer hold: the run ends because the process is silent.
    let quiet = run("[Counts(\"infected == 11\")]").unwrap();
    assert_eq!(ended(&quiet), ("quiet", Exit::Failed));
    assert_eq!(number(&quiet, "states.healthy"), 0);
}

#[test]
fn a_process_from_outside_is_filmed() {
    let plan = plan("[Counts(\"infected >= 5\")]").unwrap();
    let filming = ObservingControl::new(&Unwatched, TraceRecorder::every(7));
    let finished = plan.run_seen(Job { seed: 1, repetition: 0, watch: &filming, record: None }).unwrap();
    assert_eq!(digest(&finished), digest(&run("[Counts(\"infected >= 5\")]").unwrap()));
    let film = filming.into_eye().develop().expect("a film");
    assert_eq!((film.head.time.as_str(), film.head.counts.names.as_slice()), ("interaction", &names()[..]));
    assert_eq!(film.head.counts.step, [0, 7, 14, 21]);
    assert_eq!(film.head.counts.values, [[8, 2], [7, 3], [6, 4], [5, 5]]);
}

fn names() -> [String; 2] {
    ["healthy", "infected"].map(str::to_owned)
}

/// Calls `act` on the agents of a new run with seven interactions per infection.
fn started<R>(act: impl FnOnce(&mut dyn Process) -> R) -> R {
    let model = (ENTRY.make)(&[7]).unwrap();
    let start = LazyStart { agents: [vec![0; 8], vec![1; 2]].concat(), edges: None };
    let (mut act, mut result) = (Some(act), None);
    model.run(&start, 1, &mut |agents| result = act.take().map(|act| act(agents))).unwrap();
    result.expect("a model that runs gives its agents")
}

#[test]
fn a_process_from_outside_continues_from_its_checkpoint() {
    let to = |interactions| RunBound { interactions, ..RunBound::NONE };
    let (checkpoint, undisturbed) = started(|agents| {
        agents.advance(&to(17), None);
        let checkpoint = agents.save().expect("it can be saved");
        agents.advance(&to(30), None);
        (checkpoint, (agents.digest(), agents.counts().into_owned()))
    });
    assert_eq!(undisturbed.1, [4, 6]);
    let restored = started(|agents| {
        agents.restore(&checkpoint).unwrap();
        assert_eq!((agents.progress().interactions, &*agents.counts()), (17, &[6, 4][..]));
        assert!(matches!(agents.restore(&checkpoint[..9]), Err(RestoreError::Refused(_))));
        agents.advance(&to(30), None);
        (agents.digest(), agents.counts().into_owned())
    });
    assert_eq!(restored, undisturbed);
}
