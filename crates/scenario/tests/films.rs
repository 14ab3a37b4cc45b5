//! Tests that films show the data of the run, and that filming does not change a run.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use acrasin_report::film::{
    ColumnColours, Film, FrameConfiguration, FrameDrawing, GRANTED, Head, NodeValue, VIOLATED,
};
use acrasin_report::record::{FigureValue, RunRecord};
use acrasin_scenario::film::{ObservingControl, SnapshotCollector, TraceRecorder, facts};
use acrasin_scenario::{
    AmoebotPlan, Catalogue, Job, Plan, Proceed, Progress, RunControl, Runnable, ScenarioFile, TraceObserver,
    UniformPlan, Unwatched,
};
use acrasin_verify::replay::ReplayFile;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

fn plan(text: &str, base: &str) -> Box<dyn Runnable> {
    let base = Path::new(ROOT).join(base);
    match ScenarioFile::parse(text, "filmed.ron", &[]).unwrap_or_else(|error| panic!("{error}")) {
        ScenarioFile::Population(document) if UniformPlan::is_meant(&Catalogue::shipped(), &document) => {
            Box::new(
                UniformPlan::within(&acrasin_scenario::Catalogue::shipped(), &document, &base, 1 << 30)
                    .unwrap_or_else(|error| panic!("{error}")),
            )
        }
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

fn job(watch: &dyn RunControl) -> Job<'_> {
    Job { seed: 3, repetition: 0, watch, record: None }
}

/// Twenty random moments of this many steps, from a separate generator.
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

/// Asserts that a film agrees at 20 moments with an observer of these moments alone.
fn is_true(film: &Film, look: impl FnOnce(SnapshotCollector) -> SnapshotCollector) {
    let steps = film.head.steps;
    let seen = look(SnapshotCollector::new(moments(steps)))
        .seen()
        .unwrap_or_else(|last| panic!("{last} of {steps} steps"));
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

fn shown<E: TraceObserver + 'static>(plan: &dyn Runnable, eye: E) -> (E, RunRecord) {
    let filming = ObservingControl::new(&Unwatched, eye);
    let finished = plan.run_seen(job(&filming)).unwrap_or_else(|error| panic!("{error}"));
    (filming.into_eye(), finished.record)
}

fn check(text: &str, base: &str) -> Film {
    let plan = plan(text, base);
    let (camera, record) = shown(&*plan, TraceRecorder::every(1));
    let alone = plan.run(job(&Unwatched)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(digest(&record), digest(&alone.record), "a film does not change the run");
    let film = camera.develop().expect("a film");
    assert!(film.head.steps > 1, "{} steps", film.head.steps);
    is_true(&film, |stills| shown(&*plan, stills).0);
    film
}

/// Ends runs at the third poll within a turn, and never between turns.
#[derive(Default)]
struct EndsSoon(AtomicU32);

impl RunControl for EndsSoon {
    fn look(&self, _: &Progress) -> Proceed {
        Proceed::Continue
    }

    fn verdict(&self) -> Proceed {
        if self.0.fetch_add(1, Ordering::Relaxed) < 2 { Proceed::Continue } else { Proceed::Interrupted }
    }
}

/// Regression: the run control was polled only once in thousands of steps, each with a picture.
#[test]
fn a_filmed_run_can_be_ended_after_every_picture() {
    let compression =
        "(amoebots: (algorithm: Compression(lambda: 4.0), start: Line(count: 30)), stop: Steps(1000))";
    let plan = plan(compression, "");
    let ending = EndsSoon::default();
    let filming = ObservingControl::new(&ending, TraceRecorder::every(1));
    let finished = plan.run_seen(job(&filming)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(finished.record.outcome().word, "interrupted");
    assert_eq!(filming.into_eye().develop().expect("a film").head.steps, 3);
}

/// The film of a recording.
fn check_recording(path: &str) -> Film {
    let path = Path::new(ROOT).join(path);
    let again = |watch: &dyn RunControl| {
        let file = ReplayFile::open("recording", BufReader::new(File::open(&path).unwrap())).unwrap();
        let parsed = ScenarioFile::parse(&file.header().scenario, "recorded", &[]).unwrap();
        let ScenarioFile::Population(document) = parsed else { panic!("no population") };
        let plan = Plan::new(&document, path.parent().unwrap()).unwrap();
        plan.replay(file, watch).unwrap();
    };
    let filming = ObservingControl::new(&Unwatched, TraceRecorder::every(1));
    again(&filming);
    let film = filming.into_eye().develop().expect("a film");
    is_true(&film, |stills| {
        let filming = ObservingControl::new(&Unwatched, stills);
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
        // Between waves no node is in a Lock.
        assert_eq!(film.head.column("holder").is_some(), rung != "F1");
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
    let film = |every| shown(&*plan, TraceRecorder::every(every)).0.develop().unwrap();
    let (whole, thinned) = (film(1), film(7));
    let whole: Vec<_> = whole.frames().map(|frame| frame.unwrap().configuration).collect();
    let last = whole.len() - 1;
    assert!(last % 7 != 0, "{last}: the end is no multiple");
    for (number, frame) in thinned.frames().enumerate() {
        assert_eq!(frame.unwrap().configuration, whole[(7 * number).min(last)], "frame {number}");
    }
    // A single run with a limit on frames gives the same film.
    let (once, record) = shown(&*plan, TraceRecorder::within(40, usize::MAX));
    let once = once.develop().unwrap();
    assert_eq!(digest(&record), digest(&plan.run(job(&Unwatched)).unwrap().record));
    assert!(once.head.every > 1 && once.head.frames <= 41, "every {}", once.head.every);
    let again = film(once.head.every);
    let frames = |film: &Film| film.frames().map(Result::unwrap).collect::<Vec<_>>();
    assert_eq!(frames(&once), frames(&again));
    assert_eq!((once.head.steps, once.head.frames), (again.head.steps, again.head.frames));
}

/// The position at which a node is drawn.
fn place(head: &Head, configuration: &FrameConfiguration, node: u32) -> [f64; 2] {
    if let Some(positions) = &head.picture.positions {
        return [0, 1].map(|axis| positions[2 * node as usize + axis]);
    }
    ["px", "py"].map(|key| match configuration.columns[head.column(key).expect("a place")][node as usize] {
        NodeValue::Number(number) => number as f64 / 1000.0,
        ref other => panic!("{other:?}"),
    })
}

fn distance([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    ((ax - bx).powi(2) + (ay - by).powi(2)).sqrt()
}

/// Regression: walkers were laid out by forces, as if they did not move. On every rung nodes that share an edge are in
/// range, and nodes in range share an edge.
#[test]
fn walkers_are_drawn_where_they_are_and_edges_come_and_go_with_them() {
    const RANGE: f64 = 4.0;
    for (law, has_locks) in [
        ("scheduler: SemiSynchronous(activation: All), rung: F4", true),
        ("scheduler: SemiSynchronous(activation: All), rung: F3", true),
        ("scheduler: UniformPairs", false),
    ] {
        let way = if has_locks { "way: AnyLocked, " } else { "" };
        let film = check(
            &format!(
                "(topology: Mobility(nodes: 14, side: 14, range: {RANGE}, speed: (0.5, 1.5), pause: 2, step: 1,                  duration: 40, rounds_per_step: 6), {law}, stop: [TraceEnd], work: Interactions({way}protocol:                  Library(name: \"two-way-epidemic\"), initial: Counts({{\"I\": 1, \"S\": 13}})))"
            ),
            "",
        );
        assert!(film.head.picture.moving && film.head.picture.positions.is_none(), "{law}");
        assert_eq!(film.head.column("holder").is_some(), has_locks, "{law}");
        let (mut edges, mut far, mut without, mut moved) = (0, 0, 0, 0);
        let mut before: Option<Vec<[f64; 2]>> = None;
        for frame in film.frames().map(Result::unwrap) {
            let places: Vec<[f64; 2]> =
                (0..14).map(|node| place(&film.head, &frame.configuration, node)).collect();
            for a in 0..14_u32 {
                for b in a + 1..14 {
                    let is_near = distance(places[a as usize], places[b as usize]) <= RANGE + 0.002;
                    let is_edge = frame.configuration.edges.contains(&(a, b));
                    edges += u32::from(is_edge);
                    far += u32::from(is_edge && !is_near);
                    without += u32::from(!is_edge && is_near);
                }
            }
            moved += u32::from(before.is_some_and(|before| before != places));
            before = Some(places);
        }
        assert!(edges > 0 && (20..=40).contains(&moved), "{law}: {edges} edges, {moved} moves");
        // A recording has the changes one after another, and moves walkers with the first change of a step.
        let most = if law.ends_with("F4") { edges / 10 } else { 0 };
        assert!(far <= most, "{law}: {far} of {edges} edges are too long");
        assert!(without <= edges / 3, "{law}: {without} in range without an edge, {edges} edges");
    }
}

#[test]
fn a_geometric_graph_is_drawn_by_its_points() {
    let text = "(topology: RandomGeometric(nodes: 40, radius: 0.25), scheduler: Sequential, stop: [Silent], \
                work: Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Counts({\"I\": 1, \"S\": 39})))";
    let film = check(text, "");
    let frame = film.frames().next().unwrap().unwrap();
    let length = |&(a, b): &(u32, u32)| {
        distance(place(&film.head, &frame.configuration, a), place(&film.head, &frame.configuration, b))
    };
    let longest = frame.configuration.edges.iter().map(length).fold(0.0, f64::max);
    let mut pairs = (0..40_u32).flat_map(|b| (0..b).map(move |a| (a, b)));
    // Nodes are adjacent exactly if they are not farther apart than the longest edge. A layout by forces does not have
    // this property.
    assert!(pairs.all(|pair| frame.configuration.edges.contains(&pair) == (length(&pair) <= longest)));
}

/// Regression: a layout by forces replaced the positions in the file.
#[test]
fn a_graph_of_a_file_is_drawn_where_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let positions = "@ a 0 0\n@ b 300 0\n@ c 300 -600\n";
    std::fs::write(folder.path().join("placed.txt"), format!("a b 2\nb c 1\n{positions}")).unwrap();
    let dot = "graph { a [pos=\"0,0\"] b [pos=\"300,0!\"] c [pos=\"300,-600\"] a -- b -- c }";
    std::fs::write(folder.path().join("placed.dot"), dot).unwrap();
    std::fs::write(folder.path().join("free.txt"), "a b 2\nb c 1\n").unwrap();
    let written = |file: &str, scheduler: &str| {
        format!(
            "(topology: File(path: \"{file}\"), scheduler: {scheduler}, stop: [Silent], work: Interactions(protocol: \
             Library(name: \"two-way-epidemic\"), initial: Nodes(states: {{\"I\": [0]}}, rest: \"S\")))"
        )
    };
    let base = folder.path().to_str().unwrap();
    let drawn = |file: &str, scheduler: &str| {
        let (camera, _) = shown(&*plan(&written(file, scheduler), base), TraceRecorder::every(1));
        camera.develop().expect("a film").head.picture.positions.expect("they stay")
    };
    // A typical edge is drawn with length 1: of two edges, the longer one.
    let expected = [0.0, 0.0, 0.5, 0.0, 0.5, -1.0];
    for scheduler in ["Sequential", "UniformPairs", "UniformPairs(weights: Column)"] {
        assert_eq!(drawn("placed.txt", scheduler), expected, "{scheduler}");
        assert_ne!(drawn("free.txt", scheduler), expected, "{scheduler}");
    }
    assert_eq!(drawn("placed.dot", "Sequential"), expected);
    std::fs::write(folder.path().join("placed.txt"), format!("a b\nb d\n{positions}")).unwrap();
    let text = written("placed.txt", "Sequential");
    let Ok(ScenarioFile::Population(document)) = ScenarioFile::parse(&text, "filmed.ron", &[]) else {
        panic!()
    };
    let error = Plan::new(&document, folder.path()).expect_err("d has no position").to_string();
    let reason = "placed.txt:2: no position for `d`, although other nodes have one: `b d`";
    assert!(error.contains(reason) && error.contains("accepted: a line `@ d X Y`"), "{error}");
}

/// Amoebots with message-passing locks show holders and messages in the middle of the run.
#[test]
fn concurrent_amoebots_show_their_locks_and_messages() {
    let film = check(
        "(amoebots: (algorithm: Hexagon, start: Line(count: 8)), execution: Concurrent(locks: Messages()))",
        "",
    );
    let [lock, holder] = ["lock", "holder"].map(|key| film.head.column(key).expect("a column"));
    let (mut held, mut widest, mut messages) = (0, 0, 0);
    for frame in film.frames().map(Result::unwrap) {
        let columns = &frame.configuration.columns;
        let holds = |node: u32| columns[lock][node as usize] == NodeValue::Class(2);
        widest = widest.max((0..8).filter(|&node| holds(node)).count());
        messages = messages.max(frame.configuration.messages.len());
        for (node, by) in columns[holder].iter().enumerate() {
            let NodeValue::Node(by) = by else { panic!("{by:?}") };
            held += u32::from(by.is_some_and(|by| by as usize != node));
        }
    }
    assert!(
        held > 100 && widest >= 2 && messages >= 3,
        "{held} held, {widest} hold at once, {messages} messages"
    );
    assert!(flags(&film) & GRANTED != 0);
}

/// In waves and tiles each action has its lock set: the actor and amoebots adjacent to it.
#[test]
fn an_action_in_waves_shows_whom_it_had_locked() {
    for execution in ["Waves", "Tiles", "Concurrent(locks: TryLocks)"] {
        let text =
            format!("(amoebots: (algorithm: Hexagon, start: Line(count: 12)), execution: {execution})");
        let film = check(&text, "");
        let [lock, holder] = ["lock", "holder"].map(|key| film.head.column(key).expect("a column"));
        let mut most = 0;
        for frame in film.frames().map(Result::unwrap) {
            let columns = &frame.configuration.columns;
            for (node, by) in (0..).zip(&columns[holder]) {
                let NodeValue::Node(Some(by)) = *by else { continue };
                assert_eq!(columns[lock][by as usize], NodeValue::Class(2), "{execution}: {by} holds {node}");
                most = most.max(by.abs_diff(node));
            }
        }
        assert!(most > 0, "{execution}: a node holds another");
    }
}

/// Regression: runs that keep only counts had no film.
#[test]
fn runs_that_keep_counts_show_them() {
    let epidemic = "work: Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Shares({\"I\": 0.01, \"S\": 0.99}))";
    for (text, time, total) in [
        (format!("(topology: Complete(nodes: 1e6), stop: [Silent], {epidemic})"), "interaction", 1_000_000),
        (
            format!(
                "(topology: Complete(nodes: 100000), scheduler: RandomMatchings, stop: [Silent], {epidemic})"
            ),
            "round",
            100_000,
        ),
    ] {
        let plan = plan(&text, "");
        let (camera, record) = shown(&*plan, TraceRecorder::within(1000, usize::MAX));
        assert_eq!(digest(&record), digest(&plan.run(job(&Unwatched)).unwrap().record), "{text}");
        let film = camera.develop().unwrap();
        assert_eq!((film.head.nodes, film.head.time.as_str()), (0, time));
        let counts = &film.head.counts;
        assert_eq!(counts.names.len(), counts.values[0].len());
        assert!(counts.step.len() > 8 && counts.values.iter().all(|row| row.iter().sum::<u64>() == total));
        assert_eq!(
            (counts.step[0], *counts.step.last().unwrap()),
            (0, film.head.steps),
            "the end is counted"
        );
        assert_eq!(counts.values.last().unwrap().iter().filter(|&&count| count > 0).count(), 1, "silent");
        assert!(film.frames().all(|frame| frame.is_ok()));
    }
}

/// The film of a run equals the film of its recording byte for byte.
#[test]
fn the_film_of_a_run_is_that_of_its_recording() {
    let epidemic = "work: Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Counts({\"I\": 1, \"S\": 11}))";
    let texts = [
        format!(
            "(topology: Torus(rows: 3, columns: 4), scheduler: SemiSynchronous(activation: Random(0.5)), stop: [Silent], {epidemic})"
        ),
        format!(
            "(topology: Ring(nodes: 12), scheduler: Asynchronous, disturbances: [Churn(rate: 0.01)], stop: [Silent], {epidemic})"
        ),
        "(topology: Path(nodes: 5), scheduler: Sequential, exclusion: TokenTree(tree: Path), work: Locks(each: 3))".to_owned(),
        std::fs::read_to_string(Path::new(ROOT).join("examples/06_published_deadlock.ron")).unwrap(),
        std::fs::read_to_string(Path::new(ROOT).join("examples/10_churn_asynchronous.ron")).unwrap(),
    ];
    for (number, text) in texts.into_iter().enumerate() {
        let document =
            match ScenarioFile::parse(&text, "filmed.ron", &[]).unwrap_or_else(|error| panic!("{error}")) {
                ScenarioFile::Population(document) => document,
                other => panic!("{other:?}"),
            };
        let plan =
            Plan::new(&document, &Path::new(ROOT).join("examples")).unwrap_or_else(|error| panic!("{error}"));
        let cameras =
            [|| TraceRecorder::within(100, 1 << 20), || TraceRecorder::every(1), || TraceRecorder::every(3)];
        for camera in &cameras[..if number < 2 { 3 } else { 1 }] {
            let (filmed, record) = shown(&plan, camera());
            let mut steps = Vec::new();
            let sink: Box<dyn std::io::Write + '_> = Box::new(&mut steps);
            let recorded = plan.run(Job { record: Some(sink), ..job(&Unwatched) }).unwrap();
            assert_eq!(recorded.record, record, "a film does not change the record");
            let filming = ObservingControl::new(&Unwatched, camera());
            plan.replay(ReplayFile::open("recorded", &*steps).unwrap(), &filming).unwrap();
            let (filmed, replayed) =
                (filmed.develop().expect("a film"), filming.into_eye().develop().expect("a film"));
            assert!(filmed == replayed, "{text}");
        }
    }
}

/// Regression: `recv prepare@4` named a port that no view maps to a neighbour.
#[test]
fn the_text_of_a_received_message_names_its_sender() {
    let film = check("(topology: Path(nodes: 3), scheduler: Sequential, work: Locks(each: 1))", "");
    let texts: Vec<String> = film.frames().map(|frame| frame.unwrap().happened.text).collect();
    let is_neighbour = |text: &str| {
        let numbers: Vec<i32> = text.split(['(', ' ']).filter_map(|word| word.parse().ok()).collect();
        text.contains(" from itself ") || (numbers[0] - numbers[1]).abs() == 1
    };
    let received: Vec<&String> = texts.iter().filter(|text| text.contains(" receives ")).collect();
    assert!(received.len() > 20 && received.iter().all(|text| is_neighbour(text)), "{received:?}");
    assert!(texts.iter().all(|text| !text.contains('@')), "{texts:?}");
}

/// Regression: a grant among concurrent amoebots read `wait`, without the amoebot that was granted its Lock.
#[test]
fn a_grant_among_concurrent_amoebots_names_the_amoebot() {
    let film = check(
        "(amoebots: (algorithm: Hexagon, start: Line(count: 6)), execution: Concurrent(locks: Messages()))",
        "",
    );
    let lock = film.head.column("lock").expect("a column");
    let mut granted = 0;
    let mut before = vec![NodeValue::Class(0); 6];
    for frame in film.frames().map(Result::unwrap) {
        for (node, value) in frame.configuration.columns[lock].iter().enumerate() {
            if *value == NodeValue::Class(2) && before[node] != NodeValue::Class(2) {
                let said = format!("a Lock is granted to amoebot {node}");
                assert!(frame.happened.text.contains(&said), "{}", frame.happened.text);
                granted += 1;
            }
        }
        before.clone_from(&frame.configuration.columns[lock]);
    }
    assert!(granted > 5, "{granted}");
}

/// Regression: the facts said `deadlock: deadlock: no action is enabled`.
#[test]
fn an_outcome_is_said_once() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("examples/06_published_deadlock.ron")).unwrap();
    let (_, record) = shown(&*plan(&text, ""), TraceRecorder::every(1));
    let outcome = facts(&record, 3, None).into_iter().find(|(name, _)| name == "outcome").unwrap().1;
    assert_eq!(outcome.matches("deadlock").count(), 1, "{outcome}");
}

/// Regression: a film of a protocol with 8001 states had the counts of all of them at 2000 moments: 30 MB.
#[test]
fn of_many_states_the_highest_counts_are_kept() {
    let text = "(topology: Torus(rows: 10, columns: 10), seed: 1, stop: [Interactions(3000)], scheduler: UniformPairs, \
                work: Interactions(protocol: Library(name: \"averaging\", parameters: {\"m\": 400}), \
                initial: Counts({\"0\": 50, \"400\": 50})))";
    let (camera, _) = shown(&*plan(text, ""), TraceRecorder::every(1));
    let film = camera.develop().expect("a film");
    let counts = &film.head.counts;
    assert_eq!(counts.names.len(), 64, "{:?}", counts.names);
    for name in ["0", "400"] {
        let at = counts.names.iter().position(|kept| kept == name).expect(name);
        assert_eq!(counts.values[0][at], 50, "at the start");
    }
    assert!(counts.values.iter().all(|row| row.len() == 64) && counts.step.len() > 500);
}

/// Regression: a title longer than the picture was cut.
#[test]
fn a_frame_is_as_wide_as_its_title() {
    let film = check("(topology: Path(nodes: 2), scheduler: Sequential, work: Locks(each: 1))", "");
    let start = film.frames().next().unwrap().unwrap().configuration;
    let width = |title: &str| {
        let head = Head { title: title.to_owned(), ..film.head.clone() };
        let colours = ColumnColours::new(&head, None, [&start].into_iter()).unwrap();
        let svg = FrameDrawing::new(&head, &colours, &[&start]).unwrap().svg(&start, 0);
        let (_, rest) = svg.split_once("width=\"").unwrap();
        rest.split_once('"').unwrap().0.parse::<f64>().unwrap()
    };
    assert!(width(&"a long title ".repeat(9)) >= 117.0 * 7.0, "{}", width(&"a long title ".repeat(9)));
    assert_eq!(width("short"), 320.0);
}
