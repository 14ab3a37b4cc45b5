//! Replay files: complete, truncated, changed, compressed.

use std::io::{self, Read as _, Write};

use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::execution::{Advance, Execution};
use acrasin_runtime::scheduler::{Asynchronous, Scheduler, Sequential};
use acrasin_runtime::topology::dynamics::Churn;
use acrasin_runtime::{
    Demand, FixedProbability, LockOnly, LockSetRule, Observer, Seeded, Setup, StepOf, Timing, Topology, World,
};
use acrasin_verify::replay::{
    Header, Recorder, ReplayEnd, ReplayError, ReplayReader, compare_end, create, open, replay,
};

type Lme = World<Local, LockOnly>;

fn world(timing: Timing, lock_set: LockSetRule) -> Lme {
    World::new(Setup {
        exclusion: Local::new(3),
        section: LockOnly,
        topology: Topology::from_edges(4, 3, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]).unwrap(),
        states: vec![Demand::Times(3); 4],
        lock_set,
        timing,
    })
}

/// A recorded run with edges that appear and vanish, and its final world.
fn recorded(timing: Timing, lock_set: LockSetRule) -> (Vec<u8>, Lme) {
    let scheduler: Box<dyn Scheduler<Local, LockOnly>> = match timing {
        Timing::AtOnce => Box::new(Sequential::new()),
        Timing::OneByOne => Box::new(Asynchronous::new()),
    };
    let start = world(timing, lock_set);
    let churn = Churn::new(start.topology(), FixedProbability::new(0.05).unwrap(), false);
    let mut run = Execution::new(start, scheduler).with_dynamics(Box::new(churn));
    let mut recorder =
        Recorder::new(Vec::new(), &Header::new(5, "text \"with\" quotes\n").with_note("note")).unwrap();
    let mut choices = Seeded::new(5);
    for _ in 0..1500 {
        assert_eq!(run.advance(&mut choices, &mut recorder), Advance::Advanced);
    }
    let file = recorder.end(&ReplayEnd::of(run.world(), "stopped")).unwrap();
    (file, run.world().clone())
}

fn again(file: &[u8], timing: Timing, lock_set: LockSetRule) -> Result<Lme, ReplayError> {
    let mut reader = ReplayReader::open("x.jsonl", file)?;
    let mut world = world(timing, lock_set);
    replay(&mut world, &mut reader, &mut ())?;
    Ok(world)
}

#[test]
fn a_recorded_run_replays_to_the_same_digest() {
    for timing in [Timing::AtOnce, Timing::OneByOne] {
        for lock_set in [LockSetRule::Neighbourhood, LockSetRule::Pair] {
            let (file, end) = recorded(timing, lock_set);
            let replayed = again(&file, timing, lock_set).unwrap();
            assert_eq!((replayed.digest(), replayed.steps()), (end.digest(), end.steps()));
            let text = String::from_utf8(file).unwrap();
            assert!(text.contains("[\"disconnect\",") && text.contains("[\"connect\","), "the graph changes");
            assert_eq!(text.contains("[\"leave\","), timing == Timing::OneByOne);
            assert_eq!(text.contains(",[0,"), lock_set == LockSetRule::Pair);
        }
    }
}

#[test]
fn the_end_is_compared_when_all_steps_are_read() {
    let (file, end) = recorded(Timing::AtOnce, LockSetRule::Neighbourhood);
    let mut reader = ReplayReader::open("x.jsonl", &file[..]).unwrap();
    let early = compare_end(&end, &reader).unwrap_err();
    assert!(early.is_malformed() && early.to_string().contains("has not been read"), "{early}");
    assert_eq!(reader.by_ref().map(Result::unwrap).count() as u64, end.steps());
    assert_eq!(compare_end(&end, &reader).unwrap().digest, end.digest());
    let start = world(Timing::AtOnce, LockSetRule::Neighbourhood);
    assert!(matches!(compare_end(&start, &reader), Err(ReplayError::Digest { .. })));
}

#[test]
fn the_observer_of_a_replay_sees_the_events_of_the_run() {
    #[derive(Default, PartialEq, Debug)]
    struct Steps(Vec<(String, Vec<u32>)>);
    impl Observer<Local, LockOnly> for Steps {
        fn step(&mut self, step: &StepOf<Local>, picks: &[u32]) {
            self.0.push((step.to_string(), picks.to_vec()));
        }
    }
    let (mut first, mut second) = (Steps::default(), Steps::default());
    let mut run =
        Execution::new(world(Timing::AtOnce, LockSetRule::Neighbourhood), Box::new(Sequential::new()));
    let mut both = (Recorder::new(Vec::new(), &Header::new(1, "")).unwrap(), &mut first);
    let mut choices = Seeded::new(1);
    while run.advance(&mut choices, &mut both) == Advance::Advanced {}
    let file = both.0.end(&ReplayEnd::of(run.world(), "done")).unwrap();
    let mut reader = ReplayReader::open("x", &file[..]).unwrap();
    replay(&mut world(Timing::AtOnce, LockSetRule::Neighbourhood), &mut reader, &mut second).unwrap();
    assert!(first.0.len() > 100);
    assert_eq!(first, second);
}

fn sample() -> String {
    String::from_utf8(recorded(Timing::AtOnce, LockSetRule::Neighbourhood).0).unwrap()
}

#[track_caller]
fn fails(text: &str, malformed: bool, part: &str) {
    let error = again(text.as_bytes(), Timing::AtOnce, LockSetRule::Neighbourhood).expect_err(part);
    assert_eq!(error.is_malformed(), malformed, "{error}");
    assert!(error.to_string().contains(part), "{error} does not say {part}");
    assert!(error.to_string().starts_with("x.jsonl:"), "{error}");
}

#[test]
fn a_file_that_is_no_replay_is_malformed() {
    let sample = sample();
    let lines: Vec<&str> = sample.lines().collect();
    let count = lines.len();
    fails("", true, "the file is empty");
    fails("[\"lock\",0]\n", true, "the first line must be");
    fails("{}", true, "missing field");
    fails("{\"id\":1}", true, "there is no field `id`");
    fails("hello", true, "not a replay");
    fails(&sample.replacen("\"replay\"", "\"record\"", 1), true, "\"acrasin\":\"replay\"");
    fails(&sample.replacen("\"format\":1", "\"format\":2", 1), true, "1 is accepted");
    fails(
        &sample.replacen("\"seed\":5", "\"seed\":-5", 1),
        true,
        "a whole number from 0 to 18446744073709551615 is accepted",
    );
    fails(&lines[..count - 1].join("\n"), true, "cut off");
    fails(&sample[..sample.len() / 2], true, "");
    let without_one = [&lines[..count - 2], &lines[count - 1..]].concat().join("\n");
    fails(&without_one, true, &format!("the file has {} steps, but its end says {}", count - 3, count - 2));
    fails(&format!("{sample}[\"lock\",0]\n"), true, "something after the end");
    let garbage = [&lines[..3], &["garbage"]].concat().join("\n");
    fails(&garbage, true, "x.jsonl:4:");
    fails(&[&lines[..1], &["[\"lock\",0,null]"]].concat().join("\n"), true, "null is not a lock set");
    fails(&sample.replacen("\"digest\":\"", "\"digest\":\"+", 1), true, "32 hexadecimal digits");
    let error = ReplayReader::open("x.jsonl", &[0xff, 0xfe, b'\n'][..]).unwrap_err();
    assert!(error.to_string().contains("the file is UTF-16"), "{error}");
}

#[test]
fn every_prefix_of_a_file_is_malformed() {
    let sample = sample();
    // The line feed at the end is optional.
    for length in (0..sample.len() - 1).step_by(97) {
        let error =
            again(&sample.as_bytes()[..length], Timing::AtOnce, LockSetRule::Neighbourhood).unwrap_err();
        assert!(error.is_malformed(), "{length} bytes: {error}");
    }
}

#[test]
fn a_run_with_other_steps_is_distinguished() {
    let sample = sample();
    let lines: Vec<String> = sample.lines().map(str::to_owned).collect();
    let digest = sample.split("\"digest\":\"").nth(1).unwrap();
    let wrong = if digest.starts_with('0') { "\"digest\":\"1" } else { "\"digest\":\"0" };
    let first = format!("\"digest\":\"{}", &digest[..1]);
    fails(&sample.replacen(&first, wrong, 1), false, "ends in another configuration");
    fails(
        &sample.replacen("\"outcome\"", "\"violation\":\"x\",\"outcome\"", 1),
        false,
        "another promise: none; recorded: x",
    );

    let mut changed = lines.clone();
    changed[1] = "[\"unlock\",9]".to_owned();
    fails(&changed.join("\n"), false, "x.jsonl:2: step 1 (9 Unlock()) cannot happen: there is no node 9");
    let drawn = lines.iter().position(|line| line.contains("\"CheckStart\",")).unwrap();
    let line = &lines[drawn];
    let (words, _) = line.rsplit_once(',').unwrap();
    for (last, part) in
        [("]", "more than the file has"), (",10]", "the file picks 10, but only 0 to 9 exist")]
    {
        let mut changed = lines.clone();
        changed[drawn] = format!("{words}{last}");
        fails(&changed.join("\n"), false, part);
    }
    let mut changed = lines.clone();
    changed[1] = changed[1].replace(']', ",{\"picks\":[0]}]");
    fails(&changed.join("\n"), false, "fewer than the file has");
}

#[test]
fn compressed_files_are_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["run.jsonl", "run.jsonl.gz"] {
        let path = folder.path().join(name);
        let mut sink = create(&path).unwrap();
        sink.write_all(sample().as_bytes()).unwrap();
        sink.finish().unwrap();
        let mut text = String::new();
        open(&path).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, sample(), "{name}");
    }
    let path = folder.path().join("run.jsonl.gz");
    let whole = std::fs::read(&path).unwrap();
    assert!(whole.starts_with(&[0x1f, 0x8b]) && whole.len() < sample().len() / 2);
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let mut reader = ReplayReader::open("cut.gz", open(&path).unwrap()).unwrap();
    let error = reader.find_map(Result::err).unwrap();
    assert!(error.to_string().contains("cut off"), "{error}");
    assert!(reader.next().is_none(), "an error is the end");
    std::fs::write(&path, "plain text").unwrap();
    let error = ReplayReader::open("plain.gz", open(&path).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("plain.gz:1: cannot be read"), "{error}");
    assert!(open(folder.path()).is_err() && open(&folder.path().join("missing")).is_err());
}

#[test]
fn a_sink_that_fails_is_reported_at_the_end() {
    /// A sink that accepts this many bytes.
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    assert!(Recorder::new(Full(10), &Header::new(0, "")).is_err());
    let mut recorder = Recorder::new(Full(500), &Header::new(0, "")).unwrap();
    let mut run = Execution::new(world(Timing::AtOnce, LockSetRule::Pair), Box::new(Sequential::new()));
    let mut choices = Seeded::new(1);
    while run.advance(&mut choices, &mut recorder) == Advance::Advanced {}
    assert_eq!(recorder.error().unwrap().kind(), io::ErrorKind::StorageFull);
    let error = recorder.end(&ReplayEnd::of(run.world(), "done")).err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
