//! The bad files of `testdata/bad`: each is refused with the exact message beside it.
//!
//! A folder has the files of one kind and `expected.txt`: the commands on them, what they print, and how they exit.
//! `ACRASIN_BLESS=1 cargo test -p acrasin-cli --test command bad_files` writes what is printed now. A new case is a
//! file and a line `$ acrasin …` in `expected.txt`. Read the difference before you commit it: place, value, what is
//! accepted.
#![expect(clippy::disallowed_types, reason = "the slowest cases are printed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::program::names;

const EXPECTED: &str = "expected.txt";

/// The start of the line of a command.
const PROMPT: &str = "$ acrasin ";

/// The address space of each process in KiB: twice that of the unoptimised program. A file must not decide how much
/// memory is used.
const ADDRESSES: &str = "786432";

/// The memory in KiB that each process may fill, including its own data.
pub(crate) const DATA: u32 = 65536;

/// The processor time in seconds after which the system ends a process.
pub(crate) const SECONDS: u32 = 1;

/// The maximum size of a message, in bytes.
const BYTES_MAX: usize = 1024;

/// Words of libraries, of Rust and of operating systems, which do not help the author of the file.
const FOREIGN: [&str; 26] = [
    "at line ",
    "did not match any variant",
    "corrupt deflate",
    "corrupt gzip",
    "invalid type",
    "invalid value:",
    "invalid length",
    "invalid digit",
    "expected value",
    "unexpected end",
    "EOF",
    "os error",
    "untagged",
    "UTF-8 sequence",
    "Utf8Error",
    "recursion limit",
    "trailing characters",
    "panicked",
    "RUST_BACKTRACE",
    "struct ",
    ": i32",
    ": i64",
    ": u8",
    ": u16",
    ": u32",
    ": u64",
];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/bad")
}

/// A command in one of the folders, and its result.
struct Case {
    folder: String,
    line: String,
    /// The result as it stands in `expected.txt`, and as it is now.
    results: [String; 2],
    /// The standard error, the exit code and the time of the process.
    said: String,
    code: Option<i32>,
    time: Duration,
}

/// The cases of a folder, in the order of the file.
fn cases(folder: &str) -> Vec<Case> {
    let text = fs::read_to_string(corpus().join(folder).join(EXPECTED)).expect("expected results");
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix(PROMPT), cases.last_mut()) {
            (Some(command), _) => cases.push(Case {
                folder: folder.to_owned(),
                line: command.to_owned(),
                results: [String::new(), String::new()],
                said: String::new(),
                code: None,
                time: Duration::ZERO,
            }),
            (None, Some(case)) => {
                let _ = writeln!(case.results[0], "{line}");
            }
            (None, None) => panic!("{folder}/{EXPECTED} begins with {line:?}"),
        }
    }
    cases.iter_mut().for_each(|case| case.results[0].truncate(case.results[0].trim_end().len()));
    cases
}

/// The words of a command line; blanks inside single quotes separate no words.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (at, part) in line.split('\'').enumerate() {
        let mut pieces = part.split(' ');
        match at % 2 {
            0 => {
                words.last_mut().unwrap().push_str(pieces.next().unwrap());
                words.extend(pieces.map(str::to_owned));
            }
            _ => words.last_mut().unwrap().push_str(part),
        }
    }
    words
}

impl Case {
    fn run(&mut self, copy: &Path) {
        let begun = Instant::now();
        let output = Command::new("sh")
            .args([
                "-c",
                &format!(
                    "ulimit -v {ADDRESSES} && ulimit -d {DATA} && ulimit -t {SECONDS} && exec \"$0\" \"$@\""
                ),
                env!("CARGO_BIN_EXE_acrasin"),
            ])
            .args(words(&self.line))
            .current_dir(copy.join(&self.folder))
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        self.time = begun.elapsed();
        self.code = output.status.code();
        self.said = String::from_utf8(output.stderr).expect("the program writes text");
        let out = String::from_utf8(output.stdout).expect("the program writes text");
        let mut result = String::new();
        // Of a record the outcome is compared; the rest names the version.
        for line in out.lines().take_while(|line| !line.is_empty()) {
            let _ = writeln!(result, "> {line}");
        }
        result.push_str(&self.said);
        let _ =
            write!(result, "exit {}", self.code.map_or("by a signal".to_owned(), |code| code.to_string()));
        self.results[1] = result;
    }

    fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut complain = |what: String| complaints.push(format!("{}: {}: {what}", self.folder, self.line));
        if !matches!(self.code, Some(1 | 2)) {
            complain("bad files end with 2, or 1 if what they claim is wrong".to_owned());
        }
        if self.said.len() > BYTES_MAX {
            complain(format!("{} bytes", self.said.len()));
        }
        if let Some(word) = FOREIGN.iter().find(|word| self.said.contains(**word)) {
            complain(format!("{word:?} is the word of a library"));
        }
        if self.said.contains("missing field")
            && !["accepted:", "default"].iter().any(|w| self.said.contains(w))
        {
            complain("a field is missing, and nothing says what is accepted".to_owned());
        }
        let hostile = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || acts_on_terminals(c);
        if let Some(character) = self.results[1].chars().find(|&c| hostile(c)) {
            complain(format!("{character:?} reaches the terminal"));
        }
        if self.results[0] != self.results[1] {
            complain(format!("expected:\n{}\nprinted:\n{}", self.results[0], self.results[1]));
        }
        complaints
    }
}

/// Whether a character changes the direction of the text around it, or is not visible.
fn acts_on_terminals(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Copies the corpus, so that a file written by mistake stays outside the repository.
fn copy(to: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut copied = BTreeMap::new();
    for folder in names(&corpus()) {
        fs::create_dir(to.join(&folder)).unwrap();
        for name in names(&corpus().join(&folder)) {
            let bytes = fs::read(corpus().join(&folder).join(&name)).unwrap();
            let path = Path::new(&folder).join(&name);
            fs::write(to.join(&path), &bytes).unwrap();
            copied.insert(path, bytes);
        }
    }
    copied
}

/// Runs the cases of all folders, as many folders at once as there are processors. Commands of one folder would claim
/// the same outputs at the same time.
fn run_all(folders: &[String], copy: &Path) -> Vec<Case> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Vec<Case>>> = folders.iter().map(|folder| Mutex::new(cases(folder))).collect();
    let work = || {
        while let Some(cases) = results.get(next.fetch_add(1, Ordering::Relaxed)) {
            cases.lock().unwrap().iter_mut().for_each(|case| case.run(copy));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    results.into_iter().flat_map(|cases| cases.into_inner().unwrap()).collect()
}

fn bless(cases: &[Case]) {
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for case in cases {
        texts.entry(&case.folder).or_default().push(format!("{PROMPT}{}\n{}\n", case.line, case.results[1]));
    }
    for (folder, texts) in texts {
        fs::write(corpus().join(folder).join(EXPECTED), texts.join("\n")).unwrap();
    }
}

/// Runs all cases within the limits. Returns their number, the longest time of one, and the complaints.
pub(crate) fn measured() -> (usize, Duration, Vec<String>) {
    let place = tempfile::tempdir().expect("a folder for a test");
    copy(place.path());
    let cases = run_all(&names(&corpus()), place.path());
    let longest = cases.iter().map(|case| case.time).max().unwrap_or_default();
    (cases.len(), longest, cases.iter().flat_map(Case::complaints).collect())
}

#[test]
fn every_bad_file_is_refused_with_its_message() {
    let place = tempfile::tempdir().expect("a folder for a test");
    let before = copy(place.path());
    let cases = run_all(&names(&corpus()), place.path());
    if std::env::var_os("ACRASIN_BLESS").is_some() {
        return bless(&cases);
    }
    let slowest = cases.iter().max_by_key(|case| case.time).expect("cases");
    let all: Duration = cases.iter().map(|case| case.time).sum();
    println!("{} cases in {all:?}; slowest: {:?}, {}", cases.len(), slowest.time, slowest.line);
    let complaints: Vec<String> = cases.iter().flat_map(Case::complaints).collect();
    let (first, count) = (complaints.iter().take(20), complaints.len());
    assert!(complaints.is_empty(), "{count} complaints:\n{}", first.cloned().collect::<Vec<_>>().join("\n"));
    let mut after = BTreeMap::new();
    for folder in names(place.path()) {
        for name in names(&place.path().join(&folder)) {
            let path = Path::new(&folder).join(name);
            let bytes = fs::read(place.path().join(&path)).unwrap_or_default();
            after.insert(path, bytes);
        }
    }
    let changed: Vec<&PathBuf> = after.keys().filter(|&path| before.get(path) != after.get(path)).collect();
    assert!(changed.is_empty() && before.len() == after.len(), "bad files write nothing: {changed:?}");
    assert!(cases.len() >= 300, "{} cases", cases.len());
}

/// A file that no command reads would look like a case.
#[test]
fn every_bad_file_is_read_by_a_command() {
    for folder in names(&corpus()) {
        let lines: Vec<String> = cases(&folder).into_iter().map(|case| case.line).collect();
        let files = names(&corpus().join(&folder));
        let is_read = |name: &str| {
            // A scenario that is run may name the file.
            let by_file = |other: &String| {
                other != name
                    && other != EXPECTED
                    && String::from_utf8_lossy(&fs::read(corpus().join(&folder).join(other)).unwrap())
                        .contains(name)
            };
            lines.iter().any(|line| line.contains(name)) || files.iter().any(by_file)
        };
        let idle: Vec<&String> = files.iter().filter(|name| *name != EXPECTED && !is_read(name)).collect();
        assert!(idle.is_empty(), "no command reads these files of {folder}: {idle:?}");
    }
    assert_eq!(
        words("run a.ron --set 'a=(b, c)' -o 'x'y"),
        ["run", "a.ron", "--set", "a=(b, c)", "-o", "xy"]
    );
}
