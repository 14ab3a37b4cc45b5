//! Runs the program in an empty folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder in which the program runs.
pub(crate) struct Scratch {
    folder: TempDir,
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the program writes text");
        let ran = Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) };
        assert!(!ran.err.contains("internal error") && !ran.err.contains("panicked"), "{}", ran.err);
        ran
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Standard output as JSON lines.
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder for a test") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).expect("a file of a test");
        path
    }

    /// The program, ready to start in the folder, without the variables of the test environment that change its
    /// output.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_acrasin"));
        command.args(arguments).current_dir(self.path());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&self.command(arguments).output().expect("the program starts"))
    }

    /// The names in the folder, including hidden ones, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.path())
    }
}

/// Whether this process ignores a signal, and so the programs that it starts: a shell without a terminal ignores
/// interrupts of what it runs in the background, `nohup` ignores hang-ups.
#[cfg(unix)]
pub(crate) fn is_ignored(signal: u32) -> bool {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The option of `kill` that interrupts a program: SIGINT, or SIGTERM where it is ignored.
#[cfg(unix)]
pub(crate) fn interruption() -> &'static str {
    if is_ignored(2) { "-TERM" } else { "-INT" }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder of a test");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A scenario of a few thousand steps: a protocol on a ring.
pub(crate) const SMALL: &str = r#"(
    seed: 11,
    topology: Ring(nodes: 12),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    work: Interactions(protocol: Library(name: "two-way-epidemic"), initial: Counts({"I": 1, "S": 11})),
    stop: [Silent],
)"#;

/// A scenario that runs longer than any test waits.
pub(crate) const ENDLESS: &str = r#"(
    seed: 1,
    topology: Ring(nodes: 30),
    scheduler: Sequential,
    work: Locks(each: Forever),
    stop: [Rounds(1e15)],
)"#;

/// Two nodes under the rules as published: some seeds end in a deadlock.
pub(crate) const PUBLISHED: &str = r#"(
    topology: Path(nodes: 2),
    lock: (rules: Published),
    scheduler: Sequential,
    work: Locks(each: 1),
)"#;
