//! Tests of forged checkpoints: numbers of a saved run are changed, and checksums are adapted. Either reading refuses
//! the checkpoint, or the run continues from it, or the run is refused later, at a state that no run reaches.
//!
//! `ACRASIN_INPUTS` is the number of forgeries: 20 000 in `.ci/run`, 500 000 with `--deep`. A fuzz target makes
//! forgeries with the same functions. The input of a failure is kept in a file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acrasin_process::CheckpointParts;
use acrasin_runtime::{Digest, Pack as _};
use acrasin_scenario::{
    Catalogue, CheckpointKeeper, Job, Proceed, Progress, RunControl, RunState, Runnable, ScenarioFile,
};

const SEED: u64 = 5;

/// The polls of a run before it is saved for the last time.
const POLLS: u64 = 6;

/// The polls of a run after a forged checkpoint.
const POLLS_AFTER: u64 = 3;

/// Numbers at which readers err: small ones, powers of two, and the bits of unusual floating-point numbers.
const NUMBERS: [u64; 24] = [
    0,
    1,
    2,
    3,
    7,
    63,
    64,
    127,
    128,
    255,
    1000,
    65_535,
    65_536,
    1 << 24,
    u32::MAX as u64,
    1 << 32,
    1 << 47,
    1 << 53,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xbff0_0000_0000_0000,
];

/// The parts of a checkpoint: the state of the driver, that of the process, and pictures.
#[derive(Clone)]
struct Saved {
    driver: Vec<u8>,
    process: Vec<u8>,
    pictures: Vec<u8>,
}

impl Saved {
    fn of(state: RunState) -> Self {
        let mut parts = CheckpointParts::default();
        state.add_to(&mut parts);
        let mut part = |name| parts.take(name).unwrap_or_default();
        Self { driver: part("driver"), process: part("process"), pictures: part("pictures") }
    }

    fn state(self) -> RunState {
        let mut parts = CheckpointParts::default();
        parts.push("driver", self.driver);
        parts.push("process", self.process);
        parts.push("pictures", self.pictures);
        RunState::from_parts(&mut parts).expect("all parts are there")
    }
}

/// The digest at the end of the state of a process.
#[derive(Clone, Copy, Debug)]
enum Seal {
    /// The digest of the bytes of the state.
    Plain,
    /// The digest of a version and the state.
    Versioned(u8),
    /// The digest of a version, the name of the kind, and the state.
    Named(&'static str),
}

const SEALS: [Seal; 8] = [
    Seal::Plain,
    Seal::Versioned(2),
    Seal::Named("world"),
    Seal::Named("message rounds"),
    Seal::Named("sliced rounds"),
    Seal::Named("waves"),
    Seal::Named("amoebots"),
    Seal::Named("chain"),
];

impl Seal {
    fn digest(self, state: &[u8]) -> [u8; 16] {
        let digest = match self {
            Self::Plain => Digest::of(state),
            Self::Versioned(version) => Digest::written(|hasher| {
                use std::hash::Hasher as _;
                hasher.write_u8(version);
                hasher.write(state);
            }),
            Self::Named(kind) => {
                let mut head = Vec::new();
                1_u32.pack(&mut head);
                head.extend(kind.as_bytes());
                Digest::of(&(head, state))
            }
        };
        digest.0.to_le_bytes()
    }
}

/// A kind of run, with some of its checkpoints.
pub(crate) struct Kind {
    pub(crate) name: String,
    plan: Arc<dyn Runnable + Send>,
    saved: Vec<Saved>,
    seal: Seal,
}

/// The outcome of a run from a forged checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    Continued,
    Refused,
    /// The run continued, and was refused at a later step.
    RefusedLater,
}

/// Keeps the states of a run, ends it, or gives it a state to continue from.
struct Keeper {
    resumed: Option<RunState>,
    /// Whether the state has been restored.
    begun: AtomicBool,
    polls: AtomicU64,
    polls_max: u64,
    kept: Mutex<Vec<RunState>>,
}

impl Keeper {
    fn new(resumed: Option<RunState>, polls_max: u64) -> Self {
        let begun = AtomicBool::new(false);
        Self { resumed, begun, polls: AtomicU64::new(0), polls_max, kept: Mutex::default() }
    }
}

impl RunControl for Keeper {
    fn begin(&self) {
        self.begun.store(true, Ordering::Relaxed);
    }

    fn look(&self, _: &Progress) -> Proceed {
        self.polls.fetch_add(1, Ordering::Relaxed);
        self.verdict()
    }

    fn verdict(&self) -> Proceed {
        if self.polls.load(Ordering::Relaxed) < self.polls_max {
            Proceed::Continue
        } else {
            Proceed::Interrupted
        }
    }

    fn checkpoints(&self) -> Option<&dyn CheckpointKeeper> {
        Some(self)
    }
}

impl CheckpointKeeper for Keeper {
    fn resumed(&self) -> Option<&RunState> {
        self.resumed.as_ref()
    }

    fn is_due(&self, proceed: Proceed) -> bool {
        proceed != Proceed::Continue || self.resumed.is_none()
    }

    fn keep(&self, _: &Progress, state: RunState) {
        self.kept.lock().unwrap().push(state);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .find(|path| path.join("amoebot/scenarios").exists())
        .unwrap()
        .into()
}

impl Kind {
    fn new(name: impl Into<String>, file: &ScenarioFile, folder: &Path) -> Self {
        let name = name.into();
        let plan = file
            .plan(&Catalogue::shipped(), folder, 1 << 30)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let keeper = Keeper::new(None, POLLS);
        plan.run(Job { seed: SEED, repetition: 0, watch: &keeper, record: None })
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let kept = keeper.kept.into_inner().unwrap();
        let last = kept.len().checked_sub(1).unwrap_or_else(|| panic!("{name} is not saved"));
        let saved: Vec<Saved> = [0, last / 2, last].map(|place| Saved::of(kept[place].clone())).into();
        let (state, digest) = saved[0].process.split_last_chunk().expect("a digest");
        let seal = SEALS.into_iter().find(|seal| seal.digest(state) == *digest);
        let seal = seal.unwrap_or_else(|| panic!("{name}: its digest is of another kind"));
        Self { name, plan, saved, seal }
    }

    /// Continues the run from a state.
    ///
    /// # Panics
    ///
    /// Panics if reading the state panics. Later panics become errors of the run.
    fn fate(&self, saved: Saved) -> Fate {
        let keeper = Keeper::new(Some(saved.state()), POLLS_AFTER);
        let Err(error) = self.plan.run(Job { seed: SEED, repetition: 0, watch: &keeper, record: None })
        else {
            return Fate::Continued;
        };
        if !error.to_string().contains("that no run of this scenario reaches") {
            return Fate::Refused;
        }
        assert!(keeper.begun.into_inner(), "{}: {error}", self.name);
        Fate::RefusedLater
    }

    /// Continues the run from the forged state that bytes describe.
    pub(crate) fn forged_fate(&self, bytes: &[u8]) -> Fate {
        self.fate(self.forged(bytes))
    }

    /// The first byte selects a state, the second one a part of it. Eight bytes describe each change.
    fn forged(&self, bytes: &[u8]) -> Saved {
        let [which, part, ref changes @ ..] = *bytes else { return self.saved[0].clone() };
        let mut saved = self.saved[usize::from(which) % self.saved.len()].clone();
        let (changes, _) = changes.as_chunks();
        match part % 8 {
            0 => changes.iter().for_each(|change| change_word(&mut saved.driver, *change)),
            1 if !saved.pictures.is_empty() => {
                saved.pictures = self.forged_pictures(&saved.pictures, changes);
            }
            _ => saved.process = self.forged_process(&saved.process, changes),
        }
        saved
    }

    fn forged_process(&self, process: &[u8], changes: &[[u8; 8]]) -> Vec<u8> {
        let mut state = process[..process.len() - 16].to_vec();
        changes.iter().for_each(|change| change_number(&mut state, *change));
        let digest = self.seal.digest(&state);
        [state, digest.to_vec()].concat()
    }

    /// The first picture has a forged state, or its length and mark are changed.
    fn forged_pictures(&self, pictures: &[u8], changes: &[[u8; 8]]) -> Vec<u8> {
        let mut rest = &pictures[1..];
        let length = u64::unpack(&mut rest).expect("a length") as usize;
        if pictures[0] != 1 || changes.first().is_some_and(|change| change[0].is_multiple_of(4)) {
            let mut head = pictures.to_vec();
            changes.iter().for_each(|change| change_number(&mut head, *change));
            return head;
        }
        let (process, later) = rest.split_at(length);
        let process = self.forged_process(process, changes);
        let mut forged = vec![1];
        (process.len() as u64).pack(&mut forged);
        forged.extend(process);
        forged.extend(later);
        forged
    }
}

/// Changes a number of 64 bits.
fn change_word(bytes: &mut [u8], [way, a, b, c, d, e, f, g]: [u8; 8]) {
    let (words, _) = bytes.as_chunks_mut::<8>();
    let place = u32::from_le_bytes([a, b, c, d]) as usize % words.len().max(1);
    let Some(word) = words.get_mut(place) else { return };
    let number = u64::from_le_bytes(*word);
    let changed = match way % 3 {
        0 => NUMBERS[usize::from(e) % NUMBERS.len()],
        1 => number.wrapping_add(i64::from(i16::from_le_bytes([f, g])).cast_unsigned()),
        _ => number ^ 1 << (e % 64),
    };
    *word = changed.to_le_bytes();
}

/// Changes a byte, or the packed number that begins at a position.
fn change_number(bytes: &mut Vec<u8>, change: [u8; 8]) {
    let [way, a, b, c, d, e, f, _] = change;
    if bytes.is_empty() {
        return;
    }
    let place = u32::from_le_bytes([a, b, c, d]) as usize % bytes.len();
    let mut rest = &bytes[place..];
    let number = u64::unpack(&mut rest).unwrap_or_default();
    let end = bytes.len() - rest.len();
    let mut replace = |number: u64| {
        let mut packed = Vec::new();
        number.pack(&mut packed);
        drop(bytes.splice(place..end, packed));
    };
    match way % 8 {
        0 => bytes[place] ^= 1 << (e % 8),
        1 => bytes[place] = e,
        2 | 3 => replace(NUMBERS[usize::from(e) % NUMBERS.len()]),
        4 | 5 => replace(number.wrapping_add(i64::from(e.cast_signed()).cast_unsigned())),
        6 => change_word(&mut bytes[place..], change),
        _ if f % 2 == 0 => drop(bytes.remove(place)),
        _ => bytes.insert(place, e),
    }
}

/// A checkpoint of every kind of process, and of every built-in amoebot algorithm.
pub(crate) fn kinds() -> Vec<Kind> {
    let majority = "work: Interactions(protocol: Library(name: \"exact-majority\"), initial: Shares({\"A\": 0.5, \"B\": 0.5}))";
    let epidemic = "work: Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Shares({\"I\": 0.5, \"S\": 0.5}))";
    let coins = "work: Interactions(protocol: Library(name: \"synthetic-coin\"), initial: Shares({\"0\": 0.5, \"1\": 0.5}))";
    let stop = "stop: [Interactions(1_000_000)], observe: (counts_every: Interactions(700))";
    let lock_stop = "limits: (rounds: 5000), observe: (counts_every: Rounds(20))";
    let graph = "work: Interactions(protocol: Library(name: \"graph-majority\"), way: AnyLocked, \
                 initial: Counts({\"A\": 33, \"B\": 31}))";
    let pairs =
        |topology: &str, rest: &str| format!("(topology: {topology}, scheduler: UniformPairs{rest}, {stop})");
    let locks = |rest: &str| {
        // Locks alone have no counts.
        let stop = if rest.contains("Locks(") { "limits: (steps: 1e6)" } else { lock_stop };
        format!("(topology: Torus(rows: 8, columns: 8), {rest}, {stop})")
    };
    let library = |name: &str, initial: &str| {
        format!(
            "(topology: Complete(nodes: 60), scheduler: UniformPairs, work: Interactions(protocol: Library(name: \
             {name:?}), initial: {initial}), {stop})"
        )
    };
    let mut texts = vec![
        ("pairs by counts", pairs("Complete(nodes: 400)", &format!(", {coins}"))),
        ("pairs of many", pairs("Complete(nodes: 1_000_000)", &format!(", {majority}"))),
        ("pairs of a torus", pairs("Torus(rows: 8, columns: 8)", &format!(", {coins}"))),
        ("pairs of a graph", pairs("Star(nodes: 60)", &format!(", {coins}"))),
        ("pairs with faults", pairs("Complete(nodes: 60)", &format!(
            ", faults: [Leave(rate: 0.2), Join(state: \"0\", rate: 0.2), Crash(at: [50], agents: 3)], {coins}"
        ))),
        ("contacts", format!(
            "(topology: Mobility(nodes: 20, side: 30, range: 6, speed: (0.5, 1.5), pause: 10, step: 20, duration: 1200, \
             rounds_per_step: 60), scheduler: UniformPairs(rate: 0.02), {coins}, stop: [TraceEnd])"
        )),
        ("matchings", format!("(topology: Torus(rows: 6, columns: 6), scheduler: RandomMatchings, {coins}, stop: [Rounds(4000)])")),
        ("matchings by counts", format!("(topology: Complete(nodes: 200), scheduler: RandomMatchings, {coins}, stop: [Rounds(4000)])")),
        ("reactions", "(reactions: (species: [\"A\", \"B\"], rules: [(\"A -> B\", 1.0), (\"B -> A\", 2.0)], initial: {\"A\": \
            100}), stop: [Time(300)], observe: (counts_every: Time(1)))".to_owned()),
        ("reactions at varying rates", "(reactions: (species: [\"M\", \"P\"], rules: [(\"-> M\", \"k * (1 + 0.8 * sin(t))\"), \
            (\"M ->\", 1.0), (\"M -> M + P\", 5.0), (\"P ->\", 1.0)], parameters: {\"k\": 20}, events: [(at: 4, every: 2, add: \
            {\"P\": 10})]), stop: [Time(200)], observe: (counts_every: Time(1)))".to_owned()),
        ("reactions on a graph", "(topology: Torus(rows: 6, columns: 6), reactions: (species: [\"S\", \"I\", \"R\"], rules: \
            [(\"S + I -> I + I\", 2.0), (\"I -> R\", 1.0), (\"R -> S\", 0.5)], initial: {\"I\": 15}, rest: \"S\"), stop: \
            [Time(2000)], observe: (counts_every: Time(1)))".to_owned()),
        ("junta", library("junta-leader", "All(\"contender\")")),
        ("a clock", library("junta-clock", "Counts({\"J0\": 10, \"F0\": 50})")),
        ("sizes", library("size-estimation", "All(\"t1\")")),
        ("a network", library("global-line", "All(\"start\")")),
        ("locks one by one", locks(&format!("scheduler: Sequential, {graph}"))),
        ("locks at once", locks(&format!("scheduler: SemiSynchronous(activation: All), {graph}"))),
        ("locks without order and churn", locks(&format!(
            "scheduler: Asynchronous, fairness: Within(20000), disturbances: [Churn(rate: 0.01)], {graph}"
        ))),
        ("an adversary and swizzles", locks(
            "scheduler: Asynchronous(adversary: RandomPriorities(changes: 3)), disturbances: [Swizzle(links: 5, every: 20)], \
             work: Locks(each: Forever)"
        )),
        ("a starving adversary", locks("scheduler: Sequential(adversary: Starve(node: 3)), work: Locks(each: Forever)")),
        ("a round robin", locks("scheduler: RoundRobin, work: Locks(each: Forever)")),
        ("a token", "(topology: Grid(rows: 6, columns: 6), exclusion: TokenTree(behaviour: Raymond, tree: ShortestPaths, \
            root: 0), scheduler: Sequential, work: Locks(each: 4000))".to_owned()),
        ("a transit token", "(topology: Complete(nodes: 20), exclusion: TokenTree(behaviour: Transit), scheduler: Asynchronous, \
            work: Locks(each: 4000))".to_owned()),
        ("critical sections", locks("exclusion: CriticalSections(least: 1, most: 4), scheduler: Asynchronous, work: Locks(each: \
            4000)")),
        ("a leader of sections", "(topology: Complete(nodes: 5), exclusion: CriticalSections(scheme: Leader, most: 3, leader: 2), \
            scheduler: Asynchronous, work: Locks(each: 4000))".to_owned()),
        ("F3", locks(&format!("rung: F3, scheduler: SemiSynchronous(activation: Random(0.5)), {graph}"))),
        ("F3 in registers", format!(
            "(topology: Star(nodes: 64), rung: F3, scheduler: SemiSynchronous(activation: All), {graph}, {lock_stop})"
        )),
        ("F3 with churn", locks(&format!(
            "rung: F3, scheduler: SemiSynchronous(activation: Random(0.5)), disturbances: [Churn(rate: 0.01)], {graph}"
        ))),
        ("F2", format!(
            "(topology: Torus(rows: 4, columns: 64), rung: F2, scheduler: SemiSynchronous(activation: Random(0.5)), {epidemic}, \
             {lock_stop})"
        )),
        ("F1 of a graph", format!("(topology: Star(nodes: 64), rung: F1, scheduler: Waves, {graph}, {lock_stop})")),
        ("F1 in tiles", format!("(topology: Torus(rows: 8, columns: 8), rung: F1, scheduler: Waves, {graph}, {lock_stop})")),
        ("F1 of all", format!("(topology: Complete(nodes: 64), rung: F1, scheduler: Waves, {graph}, {lock_stop})")),
    ];
    for execution in [
        "Sequential(activation: UniformEnabled)",
        "Sequential(activation: RoundRobin)",
        "Sequential(activation: First, fairness: Weak(20))",
        "Sequential(activation: Last, fairness: Strong(20))",
        "Sequential(activation: Newest)",
        "Rounds(Synchronous)",
        "Rounds(Isolated(2))",
        "Waves",
        "Tiles",
        "Concurrent(locks: TryLocks)",
        "Concurrent(locks: Messages(scheduler: Sequential))",
        "Concurrent(locks: Messages(scheduler: Asynchronous))",
    ] {
        texts.push((
            execution,
            format!(
                "(amoebots: (algorithm: Hexagon, start: Line(count: 30)), execution: {execution}, observe: (counts_every: 100, \
                 pictures_at: [5, 50, 1000]))"
            ),
        ));
    }
    let parsed = |(name, text): (&str, String)| {
        let file = ScenarioFile::parse(&text, "x.ron", &[])
            .unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        Kind::new(name, &file, Path::new(""))
    };
    let mut kinds: Vec<Kind> = texts.into_iter().map(parsed).collect();
    let folder = root().join("amoebot/scenarios");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "ron"));
    files.sort();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // Checks are not runs.
        if name.ends_with("-check") {
            continue;
        }
        let file = ScenarioFile::read(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        kinds.push(Kind::new(name, &file, &folder));
    }
    for layout in ["Tiles", "Waves"] {
        for name in ["compression", "separation", "bridging", "phototaxis", "foraging"] {
            let sets = [("amoebots.algorithm.layout", layout), ("stop", "Steps(60)")];
            let set = sets.map(|(field, value)| (field.to_owned(), value.to_owned()));
            let file = ScenarioFile::read(&folder.join(name).with_extension("ron"), &set).unwrap();
            kinds.push(Kind::new(format!("{name} in {layout}"), &file, &folder));
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_types, reason = "the slowest inputs are printed")]

    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;
    use std::time::{Duration, Instant};

    use super::*;

    /// The time in which every forgery is refused or continued, on a machine with other load.
    const TIME_MAX: Duration = Duration::from_secs(5);

    thread_local! {
        /// The place and message of the last panic of a thread.
        static PANIC: Cell<String> = const { Cell::new(String::new()) };
    }

    /// Bytes drawn from a seed: splitmix64.
    fn drawn(seed: u64) -> Vec<u8> {
        let draw = |number: u64| {
            let drawn = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (drawn ^ (drawn >> 31)).to_le_bytes()
        };
        let first = draw(1);
        let changes = 1 + usize::from(first[2] % 8 == 0) * usize::from(first[3] % 5);
        [&first[..2], &(0..changes as u64).flat_map(|number| draw(number + 2)).collect::<Vec<u8>>()].concat()
    }

    /// The largest memory of this process so far, in bytes; 0 if the system does not report it.
    fn peak_bytes() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
        line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap_or(0) << 10
    }

    /// The inputs that once made a reader panic. The first byte of a file selects the kind, as in the fuzz target.
    fn kept_inputs_are_refused_or_continued(kinds: &[Kind]) {
        let folder = root().join("fuzz/corpus/checkpoints");
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(&folder).expect("the kept inputs").map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 3, "{files:?}");
        for path in files {
            let input = std::fs::read(&path).unwrap();
            let kind = &kinds[usize::from(input[0]) % kinds.len()];
            let fate = kind.forged_fate(&input[1..]);
            println!("{}, {}: {fate:?}", path.display(), kind.name);
        }
    }

    #[test]
    fn a_forged_checkpoint_is_refused_or_continued() {
        let inputs: u64 =
            std::env::var("ACRASIN_INPUTS").ok().and_then(|inputs| inputs.parse().ok()).unwrap_or(1000);
        let only = std::env::var("ACRASIN_KIND").ok();
        let mut kinds = kinds();
        kinds.retain(|kind| only.as_ref().is_none_or(|only| kind.name.contains(only)));
        for kind in &kinds {
            let fates = kind.saved.iter().map(|saved| kind.fate(saved.clone()));
            assert!(fates.into_iter().all(|fate| fate == Fate::Continued), "{}", kind.name);
        }
        if only.is_none() {
            kept_inputs_are_refused_or_continued(&kinds);
        }
        let before = peak_bytes();
        let each = inputs.div_ceil(kinds.len() as u64);
        println!(
            "{:<60}{:>8}{:>8}{:>10}{:>8}{:>8}{:>12}",
            "kind", "bytes", "inputs", "continued", "refused", "later", "longest"
        );
        let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let all = AtomicU64::new(0);
        let try_kind = |kind: &Kind| {
            let (mut fates, mut longest) = ([0_u64; 3], Duration::ZERO);
            for number in 0..each {
                let input = drawn(number << 16 | kind.name.len() as u64);
                let begun = Instant::now();
                let fate = catch_unwind(AssertUnwindSafe(|| kind.forged_fate(&input)));
                let took = begun.elapsed();
                longest = longest.max(took);
                if let Ok(fate) = fate {
                    fates[fate as usize] += 1;
                }
                if fate.is_err() || took > TIME_MAX {
                    let panic = PANIC.take();
                    let name = kind.name.replace(|c: char| !c.is_alphanumeric(), "-");
                    let path = std::env::temp_dir().join(format!("acrasin-forged-{name}-{number}"));
                    std::fs::write(&path, &input).expect("a file for the input");
                    failures.lock().unwrap().push(format!(
                        "{}: {took:?}, {}: {panic}",
                        kind.name,
                        path.display()
                    ));
                }
            }
            let size = kind.saved.iter().map(|saved| saved.process.len()).max().unwrap_or(0);
            let [continued, refused, later] = fates;
            println!(
                "{:<60}{size:>8}{each:>8}{continued:>10}{refused:>8}{later:>8}{:>12}",
                kind.name,
                format!("{longest:.1?}")
            );
            all.fetch_add(continued, Ordering::Relaxed);
        };
        // Panics that become errors are not shown.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(kind) = kinds.get(next.fetch_add(1, Ordering::Relaxed)) {
                        try_kind(kind);
                    }
                });
            }
        });
        std::panic::set_hook(hook);
        let failures = failures.into_inner().unwrap();
        assert!(failures.is_empty(), "{} of {inputs}: {failures:#?}", failures.len());
        // Some forgeries are states of other runs.
        assert!(only.is_some() || all.into_inner() > inputs / 100);
        let more = peak_bytes() - before;
        assert!(more < 64 << 20, "{more} bytes for forged checkpoints");
    }
}
