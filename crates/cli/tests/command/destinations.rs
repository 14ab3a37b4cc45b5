//! Output files and folders: nothing but a command's own output is touched, no link is followed, and no complete
//! result is replaced by an incomplete one.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

use crate::program::{ENDLESS, Ran, SMALL, Scratch, names};
use crate::sweep::MAJORITY;

const ROWS: &str = "{\"x\":1,\"y\":2}\n{\"x\":2,\"y\":3}\n";

/// Every command that writes, with the output `TARGET`.
const COMMANDS: [&[&str]; 9] = [
    &["run", "a.ron", "-o", "TARGET", "--force"],
    &["run", "a.ron", "--record", "TARGET"],
    &["sweep", "m.ron", "--over", "topology.nodes=[20, 30]", "-o", "TARGET"],
    &["plot", "rows.jsonl", "--x", "x", "--y", "y", "-o", "TARGET"],
    &["view", "a.ron", "-o", "TARGET", "--force"],
    &["view", "--playground", "-o", "TARGET", "--force"],
    &["view", "a.ron", "--frames", "1", "-o", "TARGET", "--force"],
    &["check", "p2.ron", "--record", "TARGET"],
    &["swarm", "--runs", "3", "--rules", "published", "--record", "TARGET"],
];

fn place() -> Scratch {
    let place = Scratch::new();
    for (name, text) in
        [("a.ron", SMALL), ("m.ron", MAJORITY), ("rows.jsonl", ROWS), ("p2.ron", crate::program::PUBLISHED)]
    {
        place.file(name, text);
    }
    place
}

fn into(command: &[&'static str], target: &'static str) -> Vec<&'static str> {
    command.iter().map(|&word| if word == "TARGET" { target } else { word }).collect()
}

/// Pages and rows used to replace links, pipes and devices, and to write through some of them.
#[test]
#[cfg(unix)]
fn links_and_devices_are_refused_by_every_command() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    let place = place();
    fs::create_dir(place.path().join("folder")).unwrap();
    place.file("folder/mine.txt", "mine");
    place.file("victim", "mine");
    for (link, target) in
        [("link", "victim"), ("link.csv", "victim"), ("link.d", "folder"), ("dangling", "nothing")]
    {
        symlink(target, place.path().join(link)).unwrap();
    }
    let made = Command::new("mkfifo").arg(place.path().join("pipe")).status().unwrap();
    assert!(made.success());
    let before = place.names();
    for command in COMMANDS {
        // Some commands may write into a pipe, which waits for its reader.
        let is_stream = command.contains(&"--record") || command[0] == "plot";
        let targets = ["link", "link.csv", "link.d", "link.d/", "dangling", "pipe"];
        for target in targets.into_iter().filter(|&target| !(is_stream && target == "pipe")) {
            let ran = place.run(&into(command, target)).exits(2);
            assert!(ran.err.contains("link") || ran.err.contains("pipe"), "{command:?} {target}: {ran:?}");
        }
    }
    assert_eq!(place.names(), before);
    assert_eq!(fs::read_to_string(place.path().join("victim")).unwrap(), "mine");
    assert_eq!(names(&place.path().join("folder")), ["mine.txt"]);
    assert!(fs::metadata(place.path().join("pipe")).unwrap().file_type().is_fifo());
    assert!(["link", "link.d", "dangling"].iter().all(|name| place.path().join(name).is_symlink()));
}

#[test]
fn pictures_of_moments_leave_everything_else_in_their_folder() {
    let place = place();
    fs::create_dir_all(place.path().join("out/deep/er")).unwrap();
    for name in ["out/mine.txt", "out/deep/er/x", "out/frame-9.svg"] {
        place.file(name, "mine");
    }
    let frames = ["view", "a.ron", "--frames", "0,1", "-o", "out"];
    let refused = place.run(&frames).exits(2);
    assert!(refused.err.contains("not empty"), "{}", refused.err);
    for _ in 0..2 {
        place.run(&[&frames[..], &["--force"]].concat()).exits(0);
        let found = names(&place.path().join("out"));
        assert_eq!(found, ["deep", "frame-0.svg", "frame-1.svg", "frame-9.svg", "mine.txt"]);
        for name in ["out/mine.txt", "out/deep/er/x", "out/frame-9.svg"] {
            assert_eq!(fs::read_to_string(place.path().join(name)).unwrap(), "mine");
        }
    }
    assert_eq!(place.names(), ["a.ron", "m.ron", "out", "p2.ron", "rows.jsonl"]);
}

/// A folder with the name of a result used to be removed with everything in it.
#[test]
fn a_folder_with_the_name_of_a_result_is_not_removed() {
    let place = place();
    fs::create_dir_all(place.path().join("out/counts.csv")).unwrap();
    place.file("out/counts.csv/mine", "mine");
    let refused = place.run(&["run", "a.ron", "-o", "out", "--force"]).exits(2);
    assert!(refused.err.contains("counts.csv is not a file"), "{}", refused.err);
    assert_eq!(names(&place.path().join("out")), ["counts.csv"]);
    fs::create_dir_all(place.path().join("frames/frame-1.svg")).unwrap();
    place.run(&["view", "a.ron", "--frames", "1", "-o", "frames", "--force"]).exits(1);
    assert!(place.path().join("frames/frame-1.svg").is_dir());
    assert_eq!(place.names(), ["a.ron", "frames", "m.ron", "out", "p2.ron", "rows.jsonl"]);
}

/// Regression: files of spans and pictures of an older run remained, mixed with the new results.
#[test]
fn every_result_of_an_earlier_run_goes() {
    let place = place();
    place.run(&["run", "a.ron", "-o", "new"]).exits(0);
    place.file(
        "inside.ron",
        "(seed: 1, topology: Path(nodes: 3), exclusion: CriticalSections(most: 2), scheduler: Asynchronous, \
         work: Locks(each: 2))",
    );
    place.run(&["run", "inside.ron", "-o", "out"]).exits(0);
    assert!(names(&place.path().join("out")).contains(&"inside.csv".to_owned()));
    place.run(&["run", "a.ron", "-o", "out", "--force"]).exits(0);
    assert_eq!(names(&place.path().join("out")), names(&place.path().join("new")));
    place
        .run(&["run", "hexagon-messages", "--set", "amoebots.start.count=12", "-o", "out", "--force"])
        .exits(0);
    place.run(&["run", "a.ron", "-o", "out", "--force"]).exits(0);
    assert_eq!(names(&place.path().join("out")), names(&place.path().join("new")));
}

/// `--force` used to replace the drawing from which the run started, and the scenario itself.
#[test]
fn an_output_does_not_replace_an_input() {
    let place = place();
    fs::create_dir(place.path().join("in")).unwrap();
    place.run(&["run", "hexagon-messages", "--set", "amoebots.start.count=9", "-o", "made"]).exits(0);
    fs::copy(place.path().join("made/end.txt"), place.path().join("in/end.txt")).unwrap();
    let scenario = "(amoebots: (algorithm: Hexagon, start: Drawing(path: \"end.txt\")), seed: 1)";
    let own = |name: &str| place.file(&format!("in/{name}"), scenario);
    own("scenario.ron");
    own("mine.ron");
    let before = fs::read(place.path().join("in/end.txt")).unwrap();
    for name in ["in/scenario.ron", "in/mine.ron"] {
        let refused = place.run(&["run", name, "-o", "in", "--force"]).exits(2);
        assert!(refused.err.contains("which this run reads"), "{}", refused.err);
    }
    for command in [
        &["run", "in/mine.ron", "--record", "in/end.txt"][..],
        &["view", "in/mine.ron", "-o", "in/end.txt", "--force"],
        &["sweep", "in/mine.ron", "--over", "limits.steps=[1, 2]", "-o", "in/end.txt"],
        &["plot", "rows.jsonl", "--x", "x", "--y", "y", "-o", "rows.jsonl"],
    ] {
        place.run(command).exits(2);
    }
    assert_eq!(fs::read(place.path().join("in/end.txt")).unwrap(), before);
    assert_eq!(fs::read_to_string(place.path().join("rows.jsonl")).unwrap(), ROWS);
    assert_eq!(names(&place.path().join("in")), ["end.txt", "mine.ron", "scenario.ron"]);
}

/// A run that has begun, with its standard error.
fn begun(place: &Scratch, arguments: &[&str]) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut child = place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut String::new()).unwrap();
    (child, stderr)
}

fn ended(mut child: Child, mut stderr: BufReader<std::process::ChildStderr>) -> Ran {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    Ran { code: child.wait().unwrap().code(), out, err }
}

/// Results used to be replaced by those of a run ended by Ctrl-C or a time limit.
#[test]
#[cfg(unix)]
fn complete_results_are_not_replaced_by_those_of_a_run_that_was_ended() {
    let place = place();
    place.file("slow.ron", ENDLESS);
    place.run(&["run", "a.ron", "-o", "out", "--record", "r.jsonl"]).exits(0);
    let read = || ["out/record.jsonl", "r.jsonl"].map(|name| fs::read(place.path().join(name)).unwrap());
    let (before, files) = (read(), names(&place.path().join("out")));
    let slow = ["run", "slow.ron", "-v", "-o", "out", "--force", "--record", "r.jsonl", "--format", "jsonl"];
    let (child, stderr) = begun(&place, &slow);
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ran = ended(child, stderr).exits(130);
    assert_eq!(ran.json()[0]["outcome"]["word"], "interrupted");
    assert!(
        ran.err.contains("out keeps its results") && ran.err.contains("r.jsonl is unchanged"),
        "{}",
        ran.err
    );
    place.run(&[&slow[..], &["--max-time", "100ms"]].concat()).exits(3);
    assert_eq!((read(), names(&place.path().join("out"))), (before, files));
    // If nothing would be lost, partial results are kept.
    place.run(&["run", "slow.ron", "-o", "other", "--max-time", "100ms"]).exits(3);
    assert!(place.path().join("other/record.jsonl").is_file());
    // Partial results may be replaced by others.
    place.file("other/mine.txt", "mine");
    let again = ["run", "slow.ron", "-o", "other", "--max-time", "100ms", "--force", "--seed", "77"];
    place.run(&again).exits(3);
    let record = fs::read_to_string(place.path().join("other/record.jsonl")).unwrap();
    assert!(record.contains("\"seed\":77"), "{record}");
    assert_eq!(
        place.names(),
        ["a.ron", "m.ron", "other", "out", "p2.ron", "r.jsonl", "rows.jsonl", "slow.ron"]
    );
}

/// Both processes used to exit with 0, and one result was lost.
#[test]
#[cfg(unix)]
fn of_two_processes_with_one_new_name_one_is_refused() {
    let place = place();
    // A run of some seconds, so that both overlap.
    let slow = "(seed: 1, topology: Ring(nodes: 30), scheduler: Sequential, work: Locks(each: Forever), \
        stop: [Rounds(2e3)])";
    place.file("slow.ron", slow);
    for (flag, target) in [("-o", "out"), ("--record", "r.jsonl")] {
        for round in 0..3 {
            let both: Vec<Child> = [1, 2]
                .map(|seed| {
                    let seed = seed.to_string();
                    let arguments = ["run", "slow.ron", "--format", "jsonl", "--seed", &seed, flag, target];
                    let mut command = place.command(&arguments);
                    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
                })
                .into();
            let ran: Vec<Ran> =
                both.into_iter().map(|child| Ran::of(&child.wait_with_output().unwrap())).collect();
            let mut codes: Vec<_> = ran.iter().map(|ran| ran.code.unwrap()).collect();
            codes.sort_unstable();
            assert!(matches!(codes[..], [0, 1 | 2]), "round {round}: {ran:#?}");
            let kept = ran.iter().find(|ran| ran.code == Some(0)).unwrap();
            let path = place.path().join(target);
            if flag == "-o" {
                assert_eq!(fs::read_to_string(path.join("record.jsonl")).unwrap(), kept.out);
                fs::remove_dir_all(&path).unwrap();
            } else {
                let seed = kept.json()[0]["manifest"]["seed"].to_string();
                assert!(fs::read_to_string(&path).unwrap().contains(&format!("\"seed\":{seed},")));
                fs::remove_file(&path).unwrap();
            }
            assert_eq!(place.names(), ["a.ron", "m.ron", "p2.ron", "rows.jsonl", "slow.ron"]);
        }
    }
}

/// Files that another run had added meanwhile used to be replaced without `--force`.
#[test]
fn results_that_came_meanwhile_are_not_replaced() {
    let place = place();
    let slow = "(seed: 1, topology: Ring(nodes: 30), scheduler: Sequential, work: Locks(each: Forever), \
        stop: [Rounds(2e3)])";
    place.file("slow.ron", slow);
    fs::create_dir(place.path().join("out")).unwrap();
    let arguments = ["run", "slow.ron", "-v", "-o", "out", "--format", "jsonl"];
    let (child, stderr) = begun(&place, &arguments);
    // Written by hand, since a second run would be refused.
    place.file("out/record.jsonl", "of another run");
    let ran = ended(child, stderr).exits(1);
    assert!(ran.err.contains("record.jsonl has appeared in it"), "{}", ran.err);
    assert_eq!(ran.json().len(), 1);
    assert_eq!(names(&place.path().join("out")), ["record.jsonl"]);
    assert_eq!(fs::read_to_string(place.path().join("out/record.jsonl")).unwrap(), "of another run");
    // Other files stay next to the new results.
    fs::remove_file(place.path().join("out/record.jsonl")).unwrap();
    let (child, stderr) = begun(&place, &arguments);
    place.file("out/mine.txt", "mine");
    ended(child, stderr).exits(0);
    assert_eq!(fs::read_to_string(place.path().join("out/mine.txt")).unwrap(), "mine");
    assert!(place.path().join("out/record.jsonl").is_file());
}

#[test]
#[cfg(unix)]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = place();
    // Plots have a name with an ending.
    for (command, name) in [(COMMANDS[1], "target"), (COMMANDS[3], "target.svg"), (COMMANDS[4], "target")] {
        let target = place.file(name, "old");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o604)).unwrap();
        place.run(&into(command, name)).exits(0);
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o604, "{command:?}");
        assert_ne!(fs::read(&target).unwrap(), b"old");
    }
    for mine in [false, true] {
        let out = place.path().join(format!("out-{mine}"));
        fs::create_dir(&out).unwrap();
        fs::set_permissions(&out, fs::Permissions::from_mode(0o750)).unwrap();
        if mine {
            fs::write(out.join("mine.txt"), "mine").unwrap();
        }
        place.run(&["run", "a.ron", "-o", out.to_str().unwrap(), "--force"]).exits(0);
        assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o750);
        let modes = || -> Vec<u32> {
            let files = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().metadata().unwrap());
            files.map(|metadata| metadata.permissions().mode() & 0o777).collect()
        };
        for name in names(&out) {
            fs::set_permissions(out.join(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
        place.run(&["run", "a.ron", "-o", out.to_str().unwrap(), "--force", "--seed", "2"]).exits(0);
        assert!(modes().len() > 1 && modes().iter().all(|mode| *mode == 0o600), "{:?}", modes());
    }
}
