//! The promises of README.md, measured: a table of promises, figures and results.
//!
//! `.ci/run promises` prints the table, and fails if a figure is missed.

#![allow(clippy::disallowed_types, reason = "times are measured")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::bad_files::{self, DATA, SECONDS};
use crate::checkpoints::{Moments, RUN, kill_often, kinds, signal, start};
use crate::program::{Ran, Scratch, interruption, names};

/// The promises, as README.md has them.
const THREADS: &str = "The same file and seed give the same result on any number of threads.";
const KILLS: &str = "A killed run continues from its checkpoint to the same end.";
const OUTPUTS: &str = "An incomplete file never replaces a complete one.";
const FILES: &str =
    "A malformed file is refused with the error's position, within 1 s of CPU time and 64 MiB of memory.";
const CHECKS: &str = "A check covers every case within its bounds, or says that it does not.";

/// The seconds after an interrupt in which a run ends.
const DEAF_MAX: f64 = 0.2;

/// The share of the time of a run that checkpoints may take with `--every 1m`.
const SHARE_MAX: f64 = 0.02;

/// A measured figure of a promise.
struct Figure {
    promise: &'static str,
    figure: String,
    /// The faults; empty if the figure is kept.
    missed: Vec<String>,
    /// The time of the measurement.
    took: Duration,
}

impl Figure {
    fn new(promise: &'static str, figure: String, missed: Vec<String>) -> Self {
        Self { promise, figure, missed, took: Duration::ZERO }
    }

    /// Measures, with the time.
    fn timed(measure: impl FnOnce() -> Self) -> Self {
        let begun = Instant::now();
        let measured = measure();
        eprintln!("{:.0?}: {}", begun.elapsed(), measured.figure);
        Self { took: begun.elapsed(), ..measured }
    }
}

/// Runs a test that panics if a promise is broken.
fn attempt<T>(missed: &mut Vec<String>, name: &str, test: impl FnOnce() -> T) -> Option<T> {
    let ran = catch_unwind(AssertUnwindSafe(test));
    if ran.is_err() {
        missed.push(format!("{name}: see the panic above"));
    }
    ran.ok()
}

/// Kinds of run whose work several threads share: each is compared on two numbers of threads. The others are compared
/// on 1 and 7 threads.
const SHARED: [&str; 5] =
    ["matchings", "locks of F3", "locks in waves", "amoebots in waves", "amoebots in rounds"];

/// Replacements that make kinds of run about ten times shorter.
const SHORTER: [(&str, &str); 8] = [
    ("30_000_000", "3_000_000"),
    ("3e7", "3e6"),
    ("Rounds(3000)", "Rounds(300)"),
    ("Time(300)", "Time(30)"),
    ("each: 30)", "each: 3)"),
    ("each: 100)", "each: 10)"),
    ("each: 20_000)", "each: 2_000)"),
    ("Line(count: 400)", "Line(count: 150)"),
];

/// Each kind of run, with and without a recording, a sweep and a check, on several numbers of threads.
fn threads() -> Figure {
    let (mut missed, mut results) = (Vec::new(), 0);
    let place = Scratch::new();
    let mut compare = |name: &str, arguments: &[&str], flags: &[&str], counts: &[&str]| {
        let on = |threads: &str, flags: &[&str]| {
            let _ = fs::remove_file(place.path().join("run.jsonl"));
            let ran = place.run(&[arguments, &["--threads", threads], flags].concat());
            (ran.out, ran.code)
        };
        let one = on("1", &[]);
        for threads in counts {
            results += 1;
            // A recorded run is the same run.
            if one.1 != Some(0) || on(threads, flags) != one {
                missed.push(format!("{name} on {threads} threads"));
            }
        }
    };
    let kinds = kinds();
    for (name, text, flags) in &kinds {
        place.file("a.ron", SHORTER.iter().fold(text.clone(), |text, (from, to)| text.replace(from, to)));
        let counts: &[&str] = match SHARED.iter().position(|shared| shared == name) {
            None => &["7"],
            Some(at) if at % 2 == 0 => &["2", "7"],
            Some(_) => &["3", "4"],
        };
        compare(name, &["run", "a.ron", "--format", "jsonl"], flags, counts);
    }
    place.file("a.ron", &kinds[0].1);
    let over = "topology=[Torus(rows: 5, columns: 5), Ring(nodes: 9)]";
    let sweep = ["sweep", "a.ron", "--set", "stop=[Interactions(1e5)]", "--over", over, "--reps", "3"];
    let all = ["2", "3", "4", "7"];
    compare("a sweep", &[&sweep[..], &["--format", "csv"]].concat(), &[], &all);
    let check = ["check", "exact-majority", "--predicate", "A > B", "--given", "A != B", "--up-to", "12"];
    compare("a check", &check, &[], &all);
    let kept = results - missed.len();
    let figure = format!("{kept} of {results} results on 2, 3, 4, 7 threads are those on 1");
    Figure::new(THREADS, figure, missed)
}

/// Kills at random moments of every third kind of run. The step `kills` of `.ci/run` has more of them, and all kinds.
fn kills(moments: &mut Moments) -> Figure {
    let (mut missed, mut all, mut kinds_killed) = (Vec::new(), 0, 0);
    for (name, text, flags) in kinds().into_iter().step_by(3) {
        let killed = attempt(&mut missed, name, || kill_often(name, &text, flags, 2, moments));
        (all, kinds_killed) = (all + killed.unwrap_or_default().kills, kinds_killed + 1);
    }
    let figure =
        format!("{all} kills of {kinds_killed} kinds of run, to the results of the undisturbed ones");
    Figure::new(KILLS, figure, missed)
}

/// Kills of runs that replace a complete folder and a recording: afterwards the old or the new ones are there, whole.
fn outputs(moments: &mut Moments) -> Figure {
    let text = kinds().swap_remove(6).1.replace("each: 30", "each: 10");
    let run = ["run", "a.ron", "--force", "--plots", "none", "-o", "out", "--record", "run.jsonl", "--seed"];
    let written = |place: &Scratch| {
        let out = place.path().join("out");
        let files = ["record.jsonl", "record.csv", "scenario.ron"].map(|name| fs::read(out.join(name)).ok());
        (names(&out), files, fs::read(place.path().join("run.jsonl")).ok())
    };
    let complete = |seed: &str| {
        let place = Scratch::new();
        place.file("a.ron", &text);
        place.run(&[&run[..], &[seed]].concat()).exits(0);
        written(&place)
    };
    let begun = Instant::now();
    let (old, new) = (complete("1"), complete("2"));
    let took = begun.elapsed() / 2;
    let (mut missed, mut kills, mut replaced) = (Vec::new(), 0, 0);
    while kills < 8 {
        let place = Scratch::new();
        place.file("a.ron", &text);
        place.run(&[&run[..], &["1"]].concat()).exits(0);
        let mut child = start(&place, &[&run[..], &["2"]].concat());
        std::thread::sleep(took.mul_f64(0.7) + moments.below(took.mul_f64(0.4)));
        kills += u32::from(child.try_wait().expect("a child").is_none());
        let _ = child.kill();
        child.wait().expect("a child");
        let now = written(&place);
        // The folder and the recording are two outputs.
        let is_whole = (&now.0, &now.1) == (&old.0, &old.1) || (&now.0, &now.1) == (&new.0, &new.1);
        if !is_whole || (now.2 != old.2 && now.2 != new.2) {
            missed.push(format!("kill {kills}: {:?}, {:?}", now.0, place.names()));
        }
        replaced += u32::from(now != old);
    }
    let figure =
        format!("{kills} kills of runs that replace results: all were whole, {replaced} of them new");
    Figure::new(OUTPUTS, figure, missed)
}

/// The processor time in seconds of a process, or of its ended children: the sum of two fields of its `stat` file.
fn processor_seconds(process: &str, fields: [usize; 2]) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may have blanks.
    let rest: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // Fields are counted from 1, and the third is the first after the name; 100 ticks are a second on Linux.
    let ticks = fields.map(|field| rest.get(field - 3).and_then(|ticks| ticks.parse::<f64>().ok()));
    ticks.into_iter().flatten().sum::<f64>() / 100.0
}

/// Interrupts each kind of run, checks, sweeps and random runs once, at a random moment.
fn interrupts(moments: &mut Moments) -> Figure {
    let (mut missed, mut count, mut longest) = (Vec::new(), 0, (0.0, String::new()));
    let mut interrupt = |name: &str, text: &str, arguments: &[&str]| {
        // A run may end before its moment.
        for attempt in 1..=12 {
            let place = Scratch::new();
            place.file("a.ron", text);
            let mut child = start(&place, arguments);
            // Before its first steps the program has no handler yet.
            std::thread::sleep(
                Duration::from_millis(30) + moments.below(Duration::from_millis(1200 / attempt)),
            );
            if child.try_wait().expect("a child").is_some() {
                continue;
            }
            let waited_for = processor_seconds("self", [16, 17]);
            let taken = processor_seconds(&child.id().to_string(), [14, 15]);
            signal(&child, interruption());
            let sent = Instant::now();
            let ran = Ran::of(&child.wait_with_output().expect("a child"));
            let wall = sent.elapsed().as_secs_f64();
            if ran.code != Some(130) && ran.code.is_some() {
                continue;
            }
            let cpu = processor_seconds("self", [16, 17]) - waited_for - taken;
            // Other programs may have the processors: the time without them counts, unless it is very long.
            let deaf = if wall > 2.0 { wall } else { wall.min(cpu.max(0.0) + 0.01) };
            // Threads that share a processor with them also wait for each other, so a miss is measured again.
            if deaf > DEAF_MAX && wall > 1.5 * cpu && attempt < 4 {
                continue;
            }
            count += 1;
            if deaf > longest.0 {
                longest = (deaf, name.to_owned());
            }
            if deaf > DEAF_MAX {
                missed.push(format!("{name}: {wall:.2} s, {cpu:.2} s of processors"));
            }
            return;
        }
        missed.push(format!("{name}: it ended before every interrupt"));
    };
    for (name, text, flags) in kinds() {
        interrupt(name, &text, &[&RUN[..], flags, &["-o", "out"]].concat());
    }
    let long = &kinds()[0].1;
    interrupt("a sweep", long, &["sweep", "a.ron", "--over", "seed=[1, 2, 3]", "-o", "rows.csv"]);
    interrupt("a page", &kinds()[6].1, &["view", "a.ron", "-o", "a.html"]);
    let check = ["check", "exact-majority", "--predicate", "A > B", "--given", "A != B", "--up-to", "24"];
    interrupt("a check", long, &check);
    interrupt("random runs", long, &["swarm", "--runs", "300"]);
    interrupt("a bench", long, &["bench", "L1", "--nodes", "1e4"]);
    let (longest, name) = longest;
    let figure =
        format!("{count} interrupts: the longest, of {name}, lasted {longest:.2} s (at most {DEAF_MAX} s)");
    Figure::new(OUTPUTS, figure, missed)
}

/// Every bit flip and every truncation of a small checkpoint; every 301st of them is given to the command.
fn flips() -> Figure {
    let place = Scratch::new();
    place.file("a.ron", "(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))");
    place.run(&["run", "a.ron", "--checkpoint", "c", "--max-time", "0s"]);
    let sound = fs::read(place.path().join("c")).expect("a checkpoint");
    let _ = fs::remove_file(place.path().join("c.previous"));
    let damaged = (0..sound.len()).map(|length| sound[..length].to_vec());
    let damaged = damaged.chain((0..8 * sound.len()).map(|bit| {
        let mut flipped = sound.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    }));
    let (mut missed, mut all, mut given) = (Vec::new(), 0, 0);
    for (number, bytes) in damaged.enumerate() {
        all += 1;
        if acrasin_process::CheckpointParts::read(&mut &bytes[..], bytes.len() as u64).is_ok() {
            missed.push(format!("damage {number} is read"));
        }
        if number % 301 == 0 {
            given += 1;
            place.file("c", &bytes);
            let ran = place.run(&["run", "--resume", "c"]);
            if ran.code != Some(2) || !ran.err.starts_with("error: c cannot be used: ") {
                missed.push(format!("damage {number}: {ran:?}"));
            }
        }
    }
    place.file("c", &sound);
    if place.run(&["run", "--resume", "c"]).code != Some(0) {
        missed.push("the sound checkpoint is refused".to_owned());
    }
    let figure = format!("{all} bit flips and truncations are refused, {given} of them by the command");
    Figure::new(KILLS, figure, missed)
}

/// The bytes of a checkpoint, and the share of the time that checkpoints take.
fn cost() -> Figure {
    let place = Scratch::new();
    place.file(
        "a.ron",
        "(seed: 3, topology: Torus(rows: 1000, columns: 1000), scheduler: UniformPairs, work: Interactions(protocol: \
         Library(name: \"synthetic-coin\"), initial: Shares({\"0\": 0.5, \"1\": 0.5})), stop: [Interactions(1e15)])",
    );
    let run = ["run", "a.ron", "-v", "--checkpoint", "c", "--every", "100ms", "--max-time", "2s"];
    let said = place.run(&run).exits(3).err;
    let bytes = fs::metadata(place.path().join("c")).map_or(0, |metadata| metadata.len());
    let sentence = said.lines().find(|line| line.contains(" checkpoints of up to ")).unwrap_or_default();
    let numbers: Vec<f64> = sentence.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let mut missed = Vec::new();
    let &[count, most, seconds] = &numbers[..] else {
        return Figure::new(KILLS, String::new(), vec![format!("no figures of checkpoints: {said}")]);
    };
    let each = seconds / count;
    if each / 60.0 > SHARE_MAX {
        missed.push(format!("a checkpoint takes {each:.2} s"));
    }
    // A million agents with one bit each, a cursor, and the description of the run.
    if count < 3.0 || (most as u64) < bytes || bytes > 16_000_000 {
        missed.push(format!("{sentence}; the file has {bytes} bytes"));
    }
    let share = 100.0 * each / 60.0;
    let figure = format!(
        "10^6 agents: {bytes} bytes in {each:.3} s, {share:.2} % of a run with --every 1m (at most 2 %)"
    );
    Figure::new(KILLS, figure, missed)
}

/// The system ends a process that exceeds the limits, and its message is then not the expected one.
fn files() -> Figure {
    let (count, longest, mut missed) = bad_files::measured();
    if count < 300 {
        missed.push(format!("{count} bad files"));
    }
    let figure = format!(
        "{count} commands on bad files, each in {SECONDS} s of a processor and {} MiB; the longest took {longest:.1?}",
        DATA / 1024
    );
    Figure::new(FILES, figure, missed)
}

/// Wrong rules and claims are refuted, and a check that is cut short says so.
fn checks() -> Figure {
    let place = Scratch::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../amoebot/scenarios");
    let file = |folder: &Path, name: &str| folder.join(name).to_string_lossy().into_owned();
    let deadlock = file(&examples, "06_published_deadlock.ron");
    let erosion = file(&scenarios, "erosion-rounds-check.ron");
    let majority = ["check", "exact-majority", "--predicate", "A > B", "--given", "A != B", "--up-to", "12"];
    let mut missed = Vec::new();
    let asked: [(&[&str], i32); 6] = [
        (&["check", &deadlock], 1),
        (&["check", &erosion], 1),
        (&["check", "approximate-majority", "--predicate", "A > B", "--up-to", "8"], 1),
        (&majority, 0),
        (&["check", &deadlock, "--configurations", "10"], 3),
        (&[&majority[..], &["--max-time", "0s"]].concat(), 3),
    ];
    for (arguments, code) in asked {
        let ran = place.run(arguments);
        let says_so = code != 3 || !ran.out.contains("holds");
        if ran.code != Some(code) || !says_so {
            missed.push(format!("{arguments:?}: exit code {:?}, expected {code}", ran.code));
        }
    }
    let figure = "3 wrong rules and claims are refuted, 1 right one holds, 2 cut checks say so".to_owned();
    Figure::new(CHECKS, figure, missed)
}

#[test]
#[ignore = "takes a minute, and measures times: the step `promises` of .ci/run"]
fn every_promise_is_kept() {
    let mut moments = Moments::new();
    let begun = Instant::now();
    // Times first, while nothing else runs.
    let mut figures = vec![Figure::timed(|| interrupts(&mut moments)), Figure::timed(cost)];
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            [Figure::timed(flips), Figure::timed(threads), Figure::timed(checks), Figure::timed(files)]
        });
        let one = [Figure::timed(|| kills(&mut moments)), Figure::timed(|| outputs(&mut moments))];
        (one, other.join().expect("a thread that measures"))
    });
    figures.extend(one.into_iter().chain(other));
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let mut missed = Vec::new();
    for promise in [THREADS, KILLS, OUTPUTS, FILES, CHECKS] {
        eprintln!("\n{promise}");
        assert!(readme.contains(&format!("\n- {promise}\n")), "README.md does not promise: {promise}");
        let of_it: Vec<&Figure> = figures.iter().filter(|figure| figure.promise == promise).collect();
        assert!(!of_it.is_empty(), "nothing is measured of: {promise}");
        for Figure { figure, missed: faults, took, .. } in of_it {
            let result = if faults.is_empty() { "kept  " } else { "MISSED" };
            eprintln!("  {result} {:>5.1} s  {figure}", took.as_secs_f64());
            faults.iter().for_each(|fault| eprintln!("          {fault}"));
            missed.extend(faults.clone());
        }
    }
    eprintln!("\nmeasured in {:.0?}", begun.elapsed());
    assert!(missed.is_empty(), "{} figures are missed: {missed:#?}", missed.len());
}
