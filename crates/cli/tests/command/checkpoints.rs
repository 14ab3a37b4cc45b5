//! Checkpoints: runs that are killed, interrupted or out of time continue where they were saved.

#![allow(clippy::disallowed_types, reason = "runs are killed at moments on the clock")]

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Ran, Scratch, names};

const MAJORITY: &str =
    "protocol: Library(name: \"exact-majority\"), initial: Shares({\"A\": 0.5, \"B\": 0.5})";

/// A protocol that never rests.
const COINS: &str = "protocol: Library(name: \"synthetic-coin\"), initial: Shares({\"0\": 0.5, \"1\": 0.5})";

/// A run along the edges of a torus that takes about a second in a test build.
fn long() -> String {
    format!(
        "(\n    seed: 3,\n    topology: Torus(rows: 100, columns: 100),\n    scheduler: UniformPairs,\n    \
         work: Interactions({MAJORITY}),\n    stop: [Interactions(30_000_000)],\n    \
         observe: (counts_every: Interactions(100_000)),\n)"
    )
}

/// A run that outlasts every test.
fn endless() -> String {
    long().replace("30_000_000", "1e15")
}

const RECORDED: &[&str] = &["--record", "run.jsonl"];

/// Kinds of run: a name, a scenario that takes some tenths of a second in a test build, and further flags.
pub(crate) fn kinds() -> Vec<(&'static str, String, &'static [&'static str])> {
    let epidemic = "work: Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Counts({\"I\": 1}, rest: \"S\"))";
    let amoebots = |algorithm: &str, more: &str| {
        format!("(seed: 1, amoebots: (algorithm: {algorithm}, start: Line(count: 400)), {more})")
    };
    let locks = |rung: &str, scheduler: &str, each: u32| {
        format!(
            "(seed: 1, topology: Torus(rows: 20, columns: 20), rung: {rung}, scheduler: {scheduler}, \
             work: Locks(each: {each}))"
        )
    };
    vec![
        ("pairs along edges", long(), &[]),
        (
            "pairs by counts",
            format!(
                "(seed: 1, topology: Complete(nodes: 4000), scheduler: UniformPairs, work: Interactions({COINS}), \
                 stop: [Interactions(3e7)], observe: (counts_every: Interactions(1e6)))"
            ),
            &[],
        ),
        (
            "matchings",
            format!(
                "(seed: 1, topology: Torus(rows: 50, columns: 50), scheduler: RandomMatchings, \
                 work: Interactions({COINS}), stop: [Rounds(3000)], observe: (counts_every: Rounds(10)))"
            ),
            &[],
        ),
        (
            "a lazy protocol",
            "(seed: 1, topology: Complete(nodes: 2000), scheduler: UniformPairs, work: Interactions(protocol: \
             Library(name: \"junta-leader\"), initial: Counts({\"contender\": 2000})), stop: [Interactions(1e6)])"
                .to_owned(),
            &[],
        ),
        (
            "reactions",
            "(seed: 1, reactions: (species: [\"A\", \"B\"], rules: [(\"A -> B\", 1.0), (\"B -> A\", 2.0)], \
             initial: {\"A\": 10000}), stop: [Time(300)], observe: (counts_every: Time(1)))"
                .to_owned(),
            &[],
        ),
        (
            "a protocol under locks",
            format!(
                "(seed: 1, topology: Torus(rows: 30, columns: 30), scheduler: Sequential, {epidemic}, stop: [Silent], \
                 observe: (counts_every: Rounds(10)))"
            ),
            RECORDED,
        ),
        ("locks of F4", locks("F4", "Sequential", 30), RECORDED),
        (
            "an adversary and churn",
            locks("F4", "Asynchronous(adversary: RandomPriorities(changes: 20)), disturbances: [Churn(rate: 1e-4)]", 10),
            RECORDED,
        ),
        ("locks of F3", locks("F3", "SemiSynchronous(activation: Random(0.5))", 100), &[]),
        ("locks in waves", locks("F1", "Waves", 20_000), &[]),
        ("amoebots one by one", amoebots("Hexagon", "execution: Sequential(), observe: (pictures_at: [100, 2000])"), RECORDED),
        ("amoebots in waves", amoebots("Hexagon", "execution: Waves"), RECORDED),
        ("amoebots in rounds", amoebots("Hexagon", "execution: Rounds(Isolated(1))"), RECORDED),
        (
            "a chain",
            "(seed: 1, amoebots: (algorithm: Compression(lambda: 4.0), start: Line(count: 60)), stop: Steps(30_000_000))"
                .to_owned(),
            RECORDED,
        ),
    ]
}

/// Numbers drawn from a printed seed; that of the environment if it is set.
pub(crate) struct Moments(u64);

impl Moments {
    pub(crate) fn new() -> Self {
        let seed = std::env::var("ACRASIN_KILL_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        eprintln!("ACRASIN_KILL_SEED={seed} draws these moments again");
        Self(seed)
    }

    /// A moment below `most`.
    pub(crate) fn below(&mut self, most: Duration) -> Duration {
        // splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut drawn = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        most.mul_f64((drawn >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

pub(crate) const RUN: [&str; 8] =
    ["run", "a.ron", "--format", "jsonl", "--plots", "none", "--checkpoint", "run.checkpoint"];

/// Starts a run that saves, or continues.
pub(crate) fn start(place: &Scratch, flags: &[&str]) -> Child {
    let mut command = place.command(flags);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

pub(crate) fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("kill is a command of the system").success());
}

/// Waits until a checkpoint has been written.
fn wait_for(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no checkpoint after a minute");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The results of a run: standard output, counts over time, and the recording.
#[derive(PartialEq, Eq, Debug)]
struct Results {
    out: String,
    counts: Option<String>,
    recording: Option<Vec<u8>>,
}

impl Results {
    fn of(place: &Scratch, ran: Ran) -> Self {
        let (counts, recording) = (place.path().join("out/counts.csv"), place.path().join("run.jsonl"));
        Self { out: ran.out, counts: fs::read_to_string(counts).ok(), recording: fs::read(recording).ok() }
    }
}

/// The kills of a kind of run.
#[derive(Default)]
pub(crate) struct Kills {
    pub(crate) kills: u32,
    /// Runs that came to their end after kills.
    ends: u32,
    /// The bytes of the largest checkpoint.
    bytes: u64,
}

/// Kills a run at random moments, lets it continue each time, and compares its end with that of an undisturbed run.
/// `flags` follow `run a.ron`.
pub(crate) fn kill_often(name: &str, text: &str, flags: &[&str], kills: u32, moments: &mut Moments) -> Kills {
    let place = Scratch::new();
    place.file("a.ron", text);
    let begun = Instant::now();
    let ran = place.run(&[&RUN[..6], flags, &["-o", "out"]].concat()).exits(0);
    let took = begun.elapsed();
    let undisturbed = Results::of(&place, ran);
    assert_eq!(undisturbed.recording.is_some(), flags.contains(&"--record"), "{name}");
    let complete = names(&place.path().join("out"));
    let mut done = Kills::default();
    // A run may end before its moment comes: then it is compared, and another one begins.
    while done.kills < kills {
        let place = Scratch::new();
        place.file("a.ron", text);
        let checkpoint = place.path().join("run.checkpoint");
        let ran = loop {
            let is_saved = checkpoint.exists() || place.path().join("run.checkpoint.previous").exists();
            let every = ["--every", "10ms", "-o", "out"];
            let saving = [&RUN[..], &every, flags].concat();
            let resuming = ["run", "--resume", "run.checkpoint", "--format", "jsonl", "--plots", "none"];
            let resuming = [&resuming[..], &every].concat();
            let mut child = start(&place, if is_saved { &resuming } else { &saving });
            if done.kills < kills {
                std::thread::sleep(moments.below(took));
                if child.try_wait().expect("a child").is_none() {
                    child.kill().expect("a child that can be killed");
                    child.wait().expect("a child");
                    done.kills += 1;
                    done.bytes =
                        done.bytes.max(fs::metadata(&checkpoint).map_or(0, |metadata| metadata.len()));
                    if place.path().join("out").exists() {
                        assert_eq!(names(&place.path().join("out")), complete, "{name}");
                    }
                    continue;
                }
            }
            break Ran::of(&child.wait_with_output().expect("a child")).exits(0);
        };
        done.ends += 1;
        assert_eq!(Results::of(&place, ran), undisturbed, "{name}");
        // Nothing is left over.
        let names = place.names();
        let left = |name: &String| {
            !["a.ron", "out", "run.checkpoint", "run.checkpoint.previous", "run.jsonl"].contains(&&name[..])
        };
        assert!(!names.iter().any(left), "{name}: {names:?}");
    }
    done
}

#[test]
fn a_killed_run_continues_to_the_same_end() {
    let mut moments = Moments::new();
    for (name, text, flags) in
        kinds().into_iter().filter(|(name, ..)| ["pairs along edges", "locks of F4"].contains(name))
    {
        // A third of the run suffices here: the step `kills` of .ci/run kills the whole ones.
        let text = text.replace("30_000_000", "10_000_000").replace("each: 30)", "each: 10)");
        kill_often(name, &text, flags, 3, &mut moments);
    }
}

/// A hundred kills over all kinds of run. `ACRASIN_KILLS` is the number of kills of each kind.
#[test]
#[ignore = "takes a minute: the step `kills` of .ci/run"]
fn a_hundred_killed_runs_continue_to_the_same_end() {
    let each = std::env::var("ACRASIN_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8);
    let mut moments = Moments::new();
    let (mut all, mut kinds_killed) = (0, 0);
    eprintln!("{:<40}{:>8}{:>8}{:>14}{:>8}", "kind of run", "kills", "ends", "checkpoint", "s");
    for (name, text, flags) in kinds() {
        let begun = Instant::now();
        let Kills { kills, ends, bytes } = kill_often(name, &text, flags, each, &mut moments);
        let name = if flags.is_empty() { name.to_owned() } else { format!("{name}, recorded") };
        let seconds = begun.elapsed().as_secs_f64();
        eprintln!("{name:<40}{kills:>8}{ends:>8}{:>14}{seconds:>8.1}", format!("{bytes} bytes"));
        all += kills;
        kinds_killed += 1;
    }
    eprintln!("{:<40}{all:>8}", "all");
    assert!(all >= 100 && kinds_killed >= 10, "{all} kills of {kinds_killed} kinds");
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_says_how_to_continue_it() {
    // Long enough that the signal arrives before its end, on a machine that does much else.
    let text = long().replace("30_000_000", "60_000_000");
    let place = Scratch::new();
    place.file("a.ron", &text);
    let ran = place.run(&[&RUN[..6], &["-o", "out"]].concat()).exits(0);
    let Results { out, counts, .. } = Results::of(&place, ran);
    for (name, code) in [("-INT", 130), ("-TERM", 130)] {
        let place = Scratch::new();
        place.file("a.ron", &text);
        let child = start(&place, &[&RUN[..], &["-o", "out"]].concat());
        wait_for(&place.path().join("run.checkpoint"));
        signal(&child, name);
        let ran = Ran::of(&child.wait_with_output().unwrap()).exits(code);
        assert_eq!(ran.json()[0]["outcome"]["word"], "interrupted");
        let steps = ran.json()[0]["work"]["interactions"].as_u64().unwrap();
        let sentence = format!(
            "the run is saved at step {steps}; to continue it: acrasin run --resume run.checkpoint -o out"
        );
        assert!(ran.err.contains(&sentence), "{}", ran.err);
        // Its results are replaced by those of the whole run. The machine is in the record of the folder.
        let resume =
            ["run", "--resume", "run.checkpoint", "--format", "jsonl", "-o", "out", "--plots", "none"];
        let resumed = place.run(&resume).exits(0);
        assert_eq!(resumed.out, out);
        assert!(resumed.err.contains(&format!("the run continues at step {steps}")), "{}", resumed.err);
        assert_eq!(fs::read_to_string(place.path().join("out/counts.csv")).ok(), counts);
        let record = fs::read_to_string(place.path().join("out/record.txt")).unwrap();
        assert!(record.contains("resumed at step"), "{record}");
        assert_eq!(place.names(), ["a.ron", "out", "run.checkpoint", "run.checkpoint.previous"]);
        // A run that was killed after it wrote its results writes the same ones again.
        assert_eq!(place.run(&resume).exits(0).out, out);
        assert_eq!(fs::read_to_string(place.path().join("out/counts.csv")).ok(), counts);
        // Complete results of another seed are not replaced.
        let other = ["run", "a.ron", "--seed", "4", "-o", "other", "--plots", "none", "--max-time", "50ms"];
        place.run(&other).exits(3);
        let elsewhere = [&resume[..5], &["-o", "other"]].concat();
        assert!(place.run(&elsewhere).exits(2).err.contains("other is not empty"));
        fs::remove_dir_all(place.path().join("other")).unwrap();
    }
}

/// The recording of a run that is continued, plain and compressed, equals that of the undisturbed run byte for byte.
#[test]
fn a_recording_is_continued_where_the_checkpoint_is() {
    let kinds = kinds();
    let text = &kinds.iter().find(|(name, ..)| *name == "locks of F4").unwrap().1;
    let text = text.replace("each: 30)", "each: 15)");
    for name in ["run.jsonl", "run.jsonl.gz"] {
        let place = Scratch::new();
        place.file("a.ron", &text);
        place.run(&["run", "a.ron", "--record", name]).exits(0);
        let whole = fs::read(place.path().join(name)).unwrap();
        fs::remove_file(place.path().join(name)).unwrap();
        let ran = place
            .run(&["run", "a.ron", "--record", name, "--checkpoint", "c", "--max-time", "100ms"])
            .exits(3);
        let partial = format!("{name}.partial");
        let note = format!("note: the recording so far is {partial}; the continued run completes it");
        assert!(ran.err.contains(&note), "{}", ran.err);
        assert!(!place.names().contains(&name.to_owned()));
        let begun = fs::read(place.path().join(&partial)).unwrap();
        // Everything after the checkpoint is cut off; bytes before it must be there, unchanged.
        let resume = ["run", "--resume", "c"];
        for (damaged, what) in [
            ([&b"X"[..], &begun[1..]].concat(), "its bytes up to the checkpoint have changed"),
            (begun[..100].to_vec(), "it has 100 bytes, and had"),
        ] {
            place.file(&partial, &damaged);
            let ran = place.run(&resume).exits(2);
            let refused = format!("error: the recording {partial} cannot be continued: {what}");
            assert!(ran.err.contains(&refused), "{}", ran.err);
            assert_eq!(fs::read(place.path().join(&partial)).unwrap(), damaged);
        }
        fs::remove_file(place.path().join(&partial)).unwrap();
        let ran = place.run(&resume).exits(2);
        assert!(ran.err.contains("cannot be continued"), "{}", ran.err);
        place.file(&partial, [&begun[..], b"more"].concat());
        // Elsewhere it does not continue.
        let ran = place.run(&["run", "--resume", "c", "--record", "other.jsonl"]).exits(2);
        assert!(
            ran.err.contains(&format!("the saved run is recorded in {name}, not in other.jsonl")),
            "{}",
            ran.err
        );
        fs::copy(place.path().join("c"), place.path().join("copy")).unwrap();
        place.run(&resume).exits(0);
        assert!(fs::read(place.path().join(name)).unwrap() == whole, "{name}");
        assert!(!place.names().contains(&partial));
        place.run(&["replay", name]).exits(0);
        // A run that was killed after its recording got its name.
        place.run(&["run", "--resume", "copy"]).exits(0);
        assert!(fs::read(place.path().join(name)).unwrap() == whole, "{name} again");
        assert!(!place.names().contains(&partial));
    }
    // A run that was not recorded from its start cannot be recorded later.
    let place = Scratch::new();
    place.file("a.ron", text);
    place.run(&["run", "a.ron", "--checkpoint", "c", "--max-time", "50ms"]).exits(3);
    let ran = place.run(&["run", "--resume", "c", "--record", "run.jsonl"]).exits(2);
    assert!(ran.err.contains("the saved run is not recorded, so its first steps are missing"), "{}", ran.err);
    place.file("run.jsonl.partial", "notes");
    let ran = place.run(&["run", "a.ron", "--record", "run.jsonl", "--checkpoint", "d"]).exits(2);
    assert!(ran.err.contains("run.jsonl.partial is not a recording, and is not replaced"), "{}", ran.err);
}

/// Pictures between start and end are those of the undisturbed run.
#[test]
fn pictures_before_a_checkpoint_are_drawn_again() {
    let place = Scratch::new();
    let text = "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 300)), \
                observe: (pictures_at: [100, 3000, 20_000, 60_000]), stop: Steps(80_000))";
    place.file("a.ron", text);
    place.run(&["run", "a.ron", "-o", "whole"]).exits(0);
    place.run(&["run", "a.ron", "-o", "out", "--checkpoint", "c", "--every", "5ms"]).exits(0);
    let pictures = |folder: &str| -> Vec<(std::ffi::OsString, Vec<u8>)> {
        let entries = fs::read_dir(place.path().join(folder)).unwrap().map(|entry| entry.unwrap());
        let mut pictures: Vec<_> = entries
            .filter(|entry| !entry.file_name().to_string_lossy().starts_with("record"))
            .map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap()))
            .collect();
        pictures.sort();
        pictures
    };
    let whole = pictures("whole");
    assert!(whole.iter().filter(|(name, _)| name.to_string_lossy().starts_with("step-")).count() >= 8);
    assert_eq!(pictures("out"), whole);
    // The last checkpoint is after some of the pictures.
    place.run(&["run", "--resume", "c", "-o", "resumed"]).exits(0);
    assert_eq!(pictures("resumed"), whole);
}

#[test]
fn a_run_out_of_time_is_continued_with_any_number_of_threads() {
    let place = Scratch::new();
    place.file("a.ron", long());
    let out = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).out;
    let save = ["run", "a.ron", "--format", "jsonl", "--checkpoint", "my run", "--max-time", "100ms"];
    let ran = place.run(&save).exits(3);
    assert!(ran.err.contains("to continue it: acrasin run --resume 'my run'\n"), "{}", ran.err);
    let mut copies = 0;
    for threads in ["1", "2", "3", "7"] {
        for name in ["my run", "my run.previous"] {
            fs::copy(place.path().join(name), place.path().join("copy")).unwrap();
            let resume = [
                "run",
                "--resume",
                "copy",
                "--checkpoint",
                "other",
                "--threads",
                threads,
                "--format",
                "jsonl",
            ];
            assert_eq!(place.run(&resume).exits(0).out, out, "{name}, {threads} threads");
            copies += 1;
        }
    }
    assert_eq!(copies, 8);
    // A run that is continued for no time at all is saved again.
    place.run(&["run", "--resume", "my run", "--max-time", "0s"]).exits(3);
    assert_eq!(place.run(&["run", "--resume", "my run", "--format", "jsonl"]).exits(0).out, out);
}

#[test]
fn a_damaged_checkpoint_is_refused_or_replaced_by_the_one_before() {
    let place = Scratch::new();
    place.file("a.ron", long());
    let out = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).out;
    place.run(&["run", "a.ron", "--checkpoint", "c", "--max-time", "50ms"]).exits(3);
    let sound = fs::read(place.path().join("c")).unwrap();
    let mut flipped = sound.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let cut = sound[..sound.len() - 1].to_vec();
    let resume = ["run", "--resume", "c", "--format", "jsonl"];
    for (damaged, what) in [
        (flipped, "its part `process` is damaged (the checksum differs)".to_owned()),
        (cut, format!("it is cut off: {} of {} bytes are present", sound.len() - 1, sound.len())),
        (Vec::new(), "it is not a checkpoint of acrasin".to_owned()),
        (b"notes".to_vec(), "it is not a checkpoint of acrasin".to_owned()),
    ] {
        let previous = fs::read(place.path().join("c.previous")).unwrap();
        place.file("c", &damaged);
        let ran = place.run(&resume).exits(0);
        assert_eq!(ran.out, out);
        let note = format!("note: c cannot be used: {what}; c.previous is used instead");
        assert!(ran.err.contains(&note), "{}", ran.err);
        // The damaged one was replaced, and the previous one kept.
        assert_eq!(fs::read(place.path().join("c.previous")).unwrap(), previous);
        assert_eq!(place.run(&resume).exits(0).out, out);
        // Both are damaged, or there is no other.
        place.file("c", &damaged);
        place.file("c.previous", "x");
        let ran = place.run(&resume).exits(2);
        let refused = format!(
            "error: c cannot be used: {what}; neither can c.previous: it is not a checkpoint of acrasin"
        );
        assert_eq!(ran.err.trim_end(), refused);
        fs::remove_file(place.path().join("c.previous")).unwrap();
        let ran = place.run(&resume).exits(2);
        assert_eq!(ran.err.trim_end(), format!("error: c cannot be used: {what}"));
        assert_eq!(fs::read(place.path().join("c")).unwrap(), damaged);
        place.file("c", &sound);
        place.file("c.previous", previous);
    }
    let ran = place.run(&["run", "--resume", "missing"]).exits(2);
    assert_eq!(ran.err.trim_end(), "error: missing cannot be used: it does not exist");
    place.run(&["run", "--resume", "."]).exits(2);
}

#[test]
fn a_scenario_that_changed_is_refused_with_the_difference() {
    let place = Scratch::new();
    let text = "(\n    topology: File(path: \"x.edges\"),\n    scheduler: UniformPairs,\n    work: Interactions(protocol: \
         Library(name: \"two-way-epidemic\"), initial: Shares({\"I\": 0.5, \"S\": 0.5})),\n    stop: [Interactions(1e6)],\n)";
    let edges = "0 1\n1 2\n2 3\n3 0\n";
    place.file("a.ron", text);
    place.file("x.edges", edges);
    let save = ["run", "a.ron", "--checkpoint", "c", "--max-time", "0s", "--set", "seed=7"];
    place.run(&save).exits(3);
    let resume = ["run", "--resume", "c", "--format", "jsonl"];
    let out = place.run(&["run", "a.ron", "--set", "seed=7", "--format", "jsonl"]).exits(0).out;
    assert_eq!(place.run(&resume).exits(0).out, out);
    let refused = |flags: &[&str], what: &str| {
        let ran = place.run(&[&resume[..], flags].concat()).exits(2);
        let expected = format!("error: c is a checkpoint of another run: {what}\n = accepted: ");
        assert!(ran.err.starts_with(&expected), "{}", ran.err);
    };
    refused(&["--seed", "8"], "it was saved with seed 7, but the seed now is 8");
    let sentence =
        "line 5 of its scenario was `stop: [Interactions(1e6)],`, and is now `stop: [Interactions(2e6)],`";
    place.file("a.ron", text.replace("1e6", "2e6"));
    refused(&[], sentence);
    place.file("a.ron", text);
    place.file("x.edges", format!("{edges}0 2\n"));
    refused(&[], "the file x.edges of topology.path has changed");
    // In another folder, with the scenario where it was.
    place.file("x.edges", edges);
    fs::create_dir(place.path().join("deep")).unwrap();
    let mut command = place.command(&["run", "--resume", "../c", "--format", "jsonl"]);
    command.current_dir(place.path().join("deep"));
    let ran = Ran::of(&command.output().unwrap()).exits(0);
    assert_eq!(ran.json()[0]["digest"], serde_json::from_str::<serde_json::Value>(&out).unwrap()["digest"]);
    // A scenario that has gone can be named.
    fs::rename(place.path().join("a.ron"), place.path().join("b.ron")).unwrap();
    place.run(&resume).exits(2);
    place.run(&["run", "b.ron", "--resume", "c"]).exits(0);
}

#[test]
fn a_built_in_scenario_is_continued_by_its_name() {
    let place = Scratch::new();
    let run =
        ["run", "hexagon-messages", "--set", "amoebots.start.count=12", "--seed", "5", "--format", "jsonl"];
    let saved = place.run(&[&run[..], &["--checkpoint", "c"]].concat()).exits(0);
    // The checkpoint is that of the start.
    assert_eq!(place.run(&["run", "--resume", "c", "--format", "jsonl"]).exits(0).out, saved.out);
}

#[test]
fn what_is_not_a_checkpoint_is_not_replaced() {
    let place = Scratch::new();
    place.file("a.ron", long());
    let run = ["run", "a.ron", "--checkpoint", "c", "--max-time", "0s"];
    for name in ["c", "c.previous"] {
        place.file(name, "my notes");
        let ran = place.run(&run).exits(2);
        let expected = format!(
            "error: {name} is not a checkpoint, and is not replaced\n = accepted: another file, or --force"
        );
        assert_eq!(ran.err.trim_end(), expected);
        assert_eq!(fs::read_to_string(place.path().join(name)).unwrap(), "my notes");
        place.run(&[&run[..], &["--force"]].concat()).exits(3);
        place.run(&run).exits(3);
        for name in ["c", "c.previous"] {
            fs::remove_file(place.path().join(name)).unwrap();
        }
    }
    place.run(&["run", "a.ron", "--checkpoint", "a.ron", "--force", "--max-time", "0s"]).exits(2);
    place.run(&["run", "a.ron", "--checkpoint", ".", "--max-time", "0s"]).exits(2);
    place.run(&["run", "a.ron", "--checkpoint", "missing/c", "--max-time", "0s"]).exits(2);
    assert_eq!(place.names(), ["a.ron"]);
}

#[test]
#[cfg(unix)]
fn a_checkpoint_is_written_by_one_process_at_a_time() {
    let place = Scratch::new();
    place.file("a.ron", endless());
    let mut child = start(&place, &["run", "a.ron", "--checkpoint", "c"]);
    wait_for(&place.path().join("c"));
    for flag in ["--checkpoint", "--resume"] {
        let ran = place.run(&["run", "a.ron", flag, "c", "--max-time", "0s"]).exits(2);
        assert_eq!(ran.err.trim_end(), "error: c cannot be written: another process is writing it");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    place.run(&["run", "a.ron", "--resume", "c", "--max-time", "0s"]).exits(3);
    assert_eq!(place.names(), ["a.ron", "c", "c.previous"]);
}

/// The folder of the checkpoint disappears during the run, as a disk that is pulled out.
#[test]
fn a_run_that_cannot_be_saved_any_more_ends_with_one_line() {
    let place = Scratch::new();
    place.file("a.ron", endless());
    fs::create_dir(place.path().join("disk")).unwrap();
    let child = start(&place, &["run", "a.ron", "-q", "--checkpoint", "disk/c", "--every", "200ms"]);
    wait_for(&place.path().join("disk/c"));
    fs::rename(place.path().join("disk"), place.path().join("away")).unwrap();
    let ran = Ran::of(&child.wait_with_output().unwrap()).exits(1);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!(lines[0].starts_with("error: disk/c cannot be written: "), "{lines:?}");
    assert_eq!(
        lines[1..],
        [" = the run was ended; disk/c or disk/c.previous is from an earlier step"],
        "{lines:?}"
    );
    place.run(&["run", "a.ron", "--resume", "away/c", "--max-time", "0s"]).exits(3);
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    let place = Scratch::new();
    place.file("a.ron", long());
    for (flags, message) in [
        (
            &["a.ron", "--checkpoint", "c", "--reps", "2"][..],
            "error: --checkpoint cannot be combined with --reps 2",
        ),
        (&["a.ron", "--resume", "c", "--reps", "2"], "error: --resume cannot be combined with --reps 2"),
        // As everywhere, only runs of single steps are recorded.
        (
            &["a.ron", "--checkpoint", "c", "--record", "r.jsonl"],
            "error: runs of uniform pairs cannot be recorded",
        ),
        (&["a.ron", "--every", "5s"], "error: --every is given, but neither --checkpoint nor --resume"),
        (&["a.ron", "--checkpoint", "c", "--every", "0s"], "error: invalid value '0s' for '--every"),
    ] {
        let ran = place.run(&[&["run"], flags].concat()).exits(2);
        assert!(ran.err.starts_with(message), "{}", ran.err);
    }
    let hint = "`acrasin sweep SCENARIO --reps 2 -o rows.jsonl` keeps each run that ends";
    assert!(place.run(&["run", "a.ron", "--checkpoint", "c", "--reps", "2"]).err.contains(hint));
    // An estimate writes nothing.
    place.run(&["run", "a.ron", "--checkpoint", "c", "--dry-run"]).exits(0);
    assert_eq!(place.names(), ["a.ron"]);
}
