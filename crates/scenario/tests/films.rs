//! What a film shows is what the run itself says, and filming does not change a run.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use acrasin_report::film::{Film, GRANTED, VIOLATED};
use acrasin_report::record::{FigureValue, RunRecord};
use acrasin_scenario::film::{Camera, Filming, Stills};
use acrasin_scenario::{AmoebotPlan, Eye, Job, Plan, Runnable, ScenarioFile, UniformPlan, Unwatched, Watch};
use acrasin_verify::replay::ReplayFile;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

fn plan(text: &str, base: &str) -> Box<dyn Runnable> {
    let base = Path::new(ROOT).join(base);
    match ScenarioFile::parse(text, "filmed.ron", &[]).unwrap_or_else(|error| panic!("{error}")) {
        ScenarioFile::Population(document) if UniformPlan::is_meant(&document) => Box::new(
            UniformPlan::within(&acrasin_scenario::Catalogue::shipped(), &document, &base, 1 << 30)
                .unwrap_or_else(|error| panic!("{error}")),
        ),
        ScenarioFile::Population(document) => {
            Box::new(Plan::new(&document, &base).unwrap_or_else(|error| panic!("{error}")))
        }
        ScenarioFile::Amoebots(document) => {
            Box::new(AmoebotPlan::new(&document, &base).unwrap_or_else(|error| panic!("{error}")))
        }
        ScenarioFile::Reactions(_) => panic!("no reactions"),
    }
}

fn digest(record: &RunRecord) -> String {
    let section = record.body().iter().find(|section| section.key() == "digest").expect("a digest");
    let figure = section.figures().iter().find(|figure| figure.key() == "configuration").expect("of the end");
    match figure.value() {
        FigureValue::One(value) => value.to_plain().expect("a word"),
        other => panic!("{other:?}"),
    }
}

fn job(watch: &dyn Watch) -> Job<'_> {
    Job { seed: 3, repetition: 0, watch, record: None }
}

/// Twenty moments among so many, by a generator of its own.
fn moments(steps: u64) -> Vec<u64> {
    let mut state = 7_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % (steps + 1)
    };
    let mut moments: Vec<u64> = (0..20).map(|_| draw()).chain([0, steps]).collect();
    moments.sort_unstable();
    moments.dedup();
    moments
}

/// The film says at 20 moments what whoever looks at them alone sees in the run.
fn is_true(film: &Film, look: impl FnOnce(Stills) -> Stills) {
    let steps = film.head.steps;
    let seen =
        look(Stills::new(moments(steps))).seen().unwrap_or_else(|last| panic!("{last} of {steps} steps"));
    let frames: Vec<_> =
        film.frames().map(|frame| frame.unwrap_or_else(|damaged| panic!("{damaged}"))).collect();
    assert_eq!(frames.len() as u64, steps + 1);
    for seen in seen {
        let shown = &frames[seen.moment as usize].configuration;
        assert_eq!(seen.head.columns, film.head.columns);
        for (column, (shown, seen)) in
            film.head.columns.iter().zip(shown.columns.iter().zip(&seen.configuration.columns))
        {
            assert_eq!(shown, seen, "column {}", column.key);
        }
        assert_eq!(shown.edges, seen.configuration.edges, "edges after {} steps", seen.moment);
        assert_eq!(shown.messages, seen.configuration.messages, "messages after {} steps", seen.moment);
    }
}

fn shown<E: Eye + 'static>(plan: &dyn Runnable, eye: E) -> (E, RunRecord) {
    let filming = Filming::new(&Unwatched, eye);
    let finished = plan.run_seen(job(&filming)).unwrap_or_else(|error| panic!("{error}"));
    (filming.into_eye(), finished.record)
}

fn check(text: &str, base: &str) -> Film {
    let plan = plan(text, base);
    let (camera, record) = shown(&*plan, Camera::new(1, u64::MAX, usize::MAX));
    let alone = plan.run(job(&Unwatched)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(digest(&record), digest(&alone.record), "a film does not change the run");
    let film = camera.develop().expect("a film");
    assert!(film.head.steps > 1, "{} steps", film.head.steps);
    is_true(&film, |stills| shown(&*plan, stills).0);
    film
}

/// The film of a recording.
fn check_recording(path: &str) -> Film {
    let path = Path::new(ROOT).join(path);
    let again = |watch: &dyn Watch| {
        let file = ReplayFile::open("recording", BufReader::new(File::open(&path).unwrap())).unwrap();
        let parsed = ScenarioFile::parse(&file.header().scenario, "recorded", &[]).unwrap();
        let ScenarioFile::Population(document) = parsed else { panic!("no population") };
        let plan = Plan::new(&document, path.parent().unwrap()).unwrap();
        plan.replay(file, watch).unwrap();
    };
    let filming = Filming::new(&Unwatched, Camera::new(1, u64::MAX, usize::MAX));
    again(&filming);
    let film = filming.into_eye().develop().expect("a film");
    is_true(&film, |stills| {
        let filming = Filming::new(&Unwatched, stills);
        again(&filming);
        filming.into_eye()
    });
    film
}

fn flags(film: &Film) -> u8 {
    film.head.chunks.iter().fold(0, |flags, chunk| flags | chunk.flags)
}

#[test]
fn a_protocol_on_a_lattice() {
    for rung in ["F4", "F3", "F1"] {
        let scheduler = if rung == "F1" { "Waves" } else { "SemiSynchronous(activation: All)" };
        let film = check(
            &format!(
                "(topology: Torus(rows: 4, columns: 5), scheduler: {scheduler}, rung: {rung}, stop: [Silent], \
                 work: Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Counts({{\"I\": 1, \"S\": 19}})))"
            ),
            "",
        );
        assert_eq!(film.head.picture.wraps, Some((5, 4)));
        assert_eq!(film.head.counts.values.first().unwrap().iter().sum::<u64>(), 20);
        assert_eq!(flags(&film) & GRANTED, u8::from(rung == "F4"), "grants are seen where there are steps");
    }
}

#[test]
fn a_graph_that_changes() {
    let film = check(
        "(topology: Grid(rows: 3, columns: 3), scheduler: Asynchronous(), \
         disturbances: [Churn(rate: 0.01)], stop: [Locks(30)], work: Locks(each: Forever))",
        "",
    );
    assert!(flags(&film) & 4 != 0, "edges come and go");
}

#[test]
fn contacts_that_come_and_go() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("examples/laws/contacts.ron")).unwrap();
    let film = check(&text, "examples/laws");
    assert!(flags(&film) & 4 != 0, "edges come and go");
}

#[test]
fn published_deadlocks_and_violations() {
    for (path, is_flagged) in [
        ("testdata/replays/f1-crossing-late-requests.jsonl", true),
        ("testdata/replays/f3-mutual-exclusion.jsonl", true),
        ("testdata/replays/a2-lender-not-nil.jsonl", true),
        ("testdata/replays/b3-grants-not-counted.jsonl", true),
    ] {
        let film = check_recording(path);
        assert_eq!(flags(&film) & VIOLATED != 0, is_flagged, "{path}");
    }
}

#[test]
fn a_token_on_a_tree() {
    check(
        "(topology: Path(nodes: 6), exclusion: TokenTree(), scheduler: Sequential, stop: [Locks(20)], work: Locks(each: Forever))",
        "",
    );
}

#[test]
fn critical_sections() {
    let text =
        std::fs::read_to_string(Path::new(ROOT).join("examples/19_fault_tolerant_service.ron")).unwrap();
    check(&text, "examples");
}

#[test]
fn amoebots_in_every_way() {
    for execution in ["Sequential()", "Waves", "Tiles", "Rounds(Isolated(1))", "Concurrent(locks: TryLocks)"]
    {
        let text =
            format!("(amoebots: (algorithm: Hexagon, start: Line(count: 12)), execution: {execution})");
        let film = check(&text, "");
        assert_eq!((film.head.kind.as_str(), film.head.nodes), ("amoebots", 12));
    }
}

#[test]
fn a_chain_of_cells() {
    let film = check(
        "(amoebots: (algorithm: Compression(lambda: 4), start: Line(count: 15)), stop: Steps(700))",
        "",
    );
    assert_eq!((film.head.kind.as_str(), film.head.steps), ("cells", 700));
}

#[test]
fn a_thinned_film_shows_the_same_moments_and_the_end() {
    let text = "(topology: Ring(nodes: 9), scheduler: Sequential, stop: [Silent], work: Interactions(\
                protocol: Library(name: \"two-way-epidemic\"), initial: Counts({\"I\": 1, \"S\": 8})))";
    let plan = plan(text, "");
    let film = |every| shown(&*plan, Camera::new(every, u64::MAX, usize::MAX)).0.develop().unwrap();
    let (whole, thinned) = (film(1), film(7));
    let whole: Vec<_> = whole.frames().map(|frame| frame.unwrap().configuration).collect();
    let last = whole.len() - 1;
    assert!(last % 7 != 0, "{last}: the end is no multiple");
    for (number, frame) in thinned.frames().enumerate() {
        assert_eq!(frame.unwrap().configuration, whole[(7 * number).min(last)], "frame {number}");
    }
    let (full, _) = shown(&*plan, Camera::new(1, 100, usize::MAX));
    assert!(full.is_full() && full.develop().is_none());
}
