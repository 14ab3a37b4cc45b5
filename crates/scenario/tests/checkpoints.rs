//! Tests of runs that continue from a checkpoint. The tests of `acrasin-cli` kill the program; these tests save after a
//! number of polls.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use acrasin_process::CheckpointParts;
use acrasin_report::record::render_records;
use acrasin_report::table::Format;
use acrasin_report::value::TextStyle;
use acrasin_scenario::{
    Catalogue, CheckpointKeeper, Finished, Job, Proceed, Progress, RunControl, RunError, RunState, Runnable,
    ScenarioFile, Unwatched,
};

/// Polls between two checkpoints.
const EVERY: u64 = 8;

/// Saves a run at its start and once in [`EVERY`] polls, or where it is interrupted.
#[derive(Default)]
struct SavedAtPolls {
    resumed: Option<RunState>,
    interrupted_at: Option<u64>,
    polls: AtomicU64,
    asked: AtomicU64,
    kept: Mutex<Vec<(u64, RunState)>>,
}

impl RunControl for SavedAtPolls {
    fn look(&self, _: &Progress) -> Proceed {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        if self.interrupted_at == Some(polls) { Proceed::Interrupted } else { Proceed::Continue }
    }

    fn checkpoints(&self) -> Option<&dyn CheckpointKeeper> {
        Some(self)
    }
}

impl CheckpointKeeper for SavedAtPolls {
    fn resumed(&self) -> Option<&RunState> {
        self.resumed.as_ref()
    }

    fn is_due(&self, proceed: Proceed) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if self.interrupted_at.is_none() { asked.is_multiple_of(EVERY) } else { proceed != Proceed::Continue }
    }

    fn keep(&self, progress: &Progress, state: RunState) {
        // The state passes through the bytes of a file.
        let mut parts = CheckpointParts::default();
        state.add_to(&mut parts);
        let bytes = parts.to_bytes();
        let mut parts = CheckpointParts::read(&mut &bytes[..], bytes.len() as u64).unwrap();
        let state = RunState::from_parts(&mut parts).unwrap();
        self.kept.lock().unwrap().push((progress.steps, state));
    }
}

fn plan(text: &str) -> std::sync::Arc<dyn Runnable + Send> {
    let file = ScenarioFile::parse(text, "saved.ron", &[]).unwrap_or_else(|error| panic!("{error}"));
    file.plan(&Catalogue::shipped(), Path::new(""), 1 << 30).unwrap_or_else(|error| panic!("{error}"))
}

fn run(plan: &dyn Runnable, seed: u64, watch: &dyn RunControl) -> Result<Finished, RunError> {
    plan.run(Job { seed, repetition: 0, watch, record: None })
}

/// Record and rows as they are written.
fn written(finished: &Finished) -> (String, Option<String>) {
    let record = render_records(std::slice::from_ref(&finished.record), Format::Jsonl, TextStyle::PLAIN);
    (record, finished.series.as_ref().map(acrasin_report::series::Series::to_csv))
}

/// Scenarios of kinds that can be saved, each with its name.
fn scenarios() -> Vec<(&'static str, String)> {
    let majority = "protocol: Library(name: \"exact-majority\"), initial: Shares({\"A\": 0.51, \"B\": 0.49})";
    let pairs = |topology: &str, stop: &str, observe: &str| {
        format!(
            "(topology: {topology}, scheduler: UniformPairs, work: Interactions({majority}), stop: {stop}, \
             limits: (interactions: 3e6), observe: {observe})"
        )
    };
    vec![
        ("counts", pairs("Complete(nodes: 3000)", "[OutputsAgree]", "(counts_every: Interactions(1000))")),
        ("a limit", pairs("Complete(nodes: 100_000)", "[Counts(\"state('A') == n\")]", "()")),
        ("silence", pairs("Complete(nodes: 2000)", "[Silent]", "(counts_every: Interactions(7))")),
        ("a torus", pairs("Torus(rows: 20, columns: 20)", "[Silent]", "(counts_every: Interactions(333))")),
        ("stability", pairs("Ring(nodes: 60)", "[OutputsStable]", "()")),
    ]
}

#[test]
fn a_resumed_run_ends_as_the_undisturbed_one() {
    for (name, text) in scenarios() {
        let plan = plan(&text);
        for seed in 1..4 {
            let undisturbed = written(&run(&*plan, seed, &Unwatched).unwrap());
            let saving = SavedAtPolls::default();
            assert_eq!(written(&run(&*plan, seed, &saving).unwrap()), undisturbed, "{name}: saved");
            let kept = saving.kept.into_inner().unwrap();
            assert!(kept.len() > 1 && kept[0].0 == 0, "{name}: {} checkpoints", kept.len());
            assert!(kept.is_sorted_by_key(|(steps, _)| *steps));
            for (steps, state) in kept.iter().step_by(kept.len().div_ceil(4)).chain(kept.last()) {
                // From then on it saves what the undisturbed run saves.
                let resumed = SavedAtPolls { resumed: Some(state.clone()), ..SavedAtPolls::default() };
                let finished = run(&*plan, seed, &resumed).unwrap();
                assert_eq!(written(&finished), undisturbed, "{name}: resumed at step {steps}");
                let again = resumed.kept.into_inner().unwrap();
                let rest: Vec<_> = kept.iter().filter(|(step, _)| step >= steps).collect();
                assert!(again.iter().eq(rest), "{name}: checkpoints after step {steps}");
            }
        }
    }
}

#[test]
fn an_interrupted_run_is_saved_where_it_ends() {
    for (name, text) in scenarios() {
        let plan = plan(&text);
        let undisturbed = written(&run(&*plan, 5, &Unwatched).unwrap());
        let mut resumed = None;
        // Interrupted three times, then left to its end.
        for _ in 0..3 {
            let saving = SavedAtPolls { resumed, interrupted_at: Some(1), ..SavedAtPolls::default() };
            let finished = run(&*plan, 5, &saving).unwrap();
            let (steps, state) = saving.kept.into_inner().unwrap().pop().unwrap_or_else(|| panic!("{name}"));
            assert_eq!(finished.record.outcome().word, "interrupted", "{name}");
            assert!(steps > 0, "{name}");
            resumed = Some(state);
        }
        let rest = SavedAtPolls { resumed, ..SavedAtPolls::default() };
        assert_eq!(written(&run(&*plan, 5, &rest).unwrap()), undisturbed, "{name}");
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let all = scenarios();
    let [counts, other] = [&all[0].1, &all[3].1];
    let saved = |text: &str| {
        let saving = SavedAtPolls::default();
        run(&*plan(text), 1, &saving).unwrap();
        saving.kept.into_inner().unwrap().pop().unwrap().1
    };
    let refusal = |text: &str, seed, state: &RunState| {
        let resumed = SavedAtPolls { resumed: Some(state.clone()), ..SavedAtPolls::default() };
        run(&*plan(text), seed, &resumed).unwrap_err().to_string()
    };
    let state = saved(counts);
    let sentence = "the run cannot continue from the checkpoint: ";
    assert!(refusal(counts, 2, &state).starts_with(sentence), "another seed");
    assert!(refusal(other, 1, &state).starts_with(sentence), "another kind of run");
    let larger = counts.replace("3000", "4000");
    assert!(refusal(&larger, 1, &state).starts_with(sentence), "another number of agents");
}

/// Interrupts a run within a turn, at this call of `verdict`.
#[derive(Default)]
struct CutWithinTurns {
    saving: SavedAtPolls,
    cut_at: u64,
    verdicts: AtomicU64,
    /// The verdicts before the last turn: later ones are about the figures of the end.
    before_last_turn: AtomicU64,
}

impl RunControl for CutWithinTurns {
    fn look(&self, at: &Progress) -> Proceed {
        self.before_last_turn.store(self.verdicts.load(Ordering::Relaxed), Ordering::Relaxed);
        self.saving.look(at)
    }

    fn verdict(&self) -> Proceed {
        let before = self.verdicts.fetch_add(1, Ordering::Relaxed);
        if before >= self.cut_at { Proceed::Interrupted } else { Proceed::Continue }
    }

    fn checkpoints(&self) -> Option<&dyn CheckpointKeeper> {
        Some(&self.saving)
    }
}

/// Long turns can be interrupted: rounds of F4 and F3, and waves. Nothing of the run before the interruption is lost.
#[test]
fn a_run_that_is_cut_within_a_turn_is_saved_there() {
    let torus = |side: u32, rest: &str| {
        format!(
            "(topology: Torus(rows: {side}, columns: {side}), {rest}, work: Interactions(protocol: \
             Library(name: \"approximate-majority\"), initial: Shares({{\"A\": 0.51, \"B\": 0.49}})), \
             observe: (counts_every: Interactions(100)), limits: (rounds: {}))",
            if side > 200 { 6 } else { 30 }
        )
    };
    for text in [
        torus(100, "scheduler: SemiSynchronous(activation: All)"),
        torus(100, "scheduler: SemiSynchronous(activation: Random(0.9)), disturbances: [Churn(rate: 0.01)]"),
        torus(260, "rung: F3, scheduler: SemiSynchronous(activation: All)"),
        torus(
            260,
            "rung: F3, scheduler: SemiSynchronous(activation: All), disturbances: [Churn(rate: 0.01)]",
        ),
        torus(260, "rung: F1, scheduler: Waves"),
        torus(260, "rung: F1, scheduler: Waves")
            .replace("Torus(rows: 260, columns: 260)", "Complete(nodes: 70000)")
            .replace("initial:", "way: PickedPair, initial:"),
    ] {
        let plan = plan(&text);
        let undisturbed = written(&run(&*plan, 5, &Unwatched).unwrap());
        let counted = CutWithinTurns { cut_at: u64::MAX, ..CutWithinTurns::default() };
        run(&*plan, 5, &counted).unwrap();
        let verdicts = counted.before_last_turn.into_inner();
        let (mut resumed, mut moments) = (None, Vec::new());
        for share in [3, 4, 5] {
            let saving = SavedAtPolls { resumed, interrupted_at: Some(u64::MAX), ..SavedAtPolls::default() };
            let cut = CutWithinTurns { saving, cut_at: verdicts / share, ..CutWithinTurns::default() };
            let finished = run(&*plan, 5, &cut).unwrap();
            assert_eq!(finished.record.outcome().word, "interrupted", "{text}");
            let kept = cut.saving.kept.into_inner().unwrap().pop();
            let (steps, state) = kept.unwrap_or_else(|| panic!("{text}: not saved"));
            moments.push(steps);
            resumed = Some(state);
        }
        assert!(moments.is_sorted() && moments[2] > 0, "{text}: {moments:?}");
        let rest = SavedAtPolls { resumed, ..SavedAtPolls::default() };
        assert_eq!(written(&run(&*plan, 5, &rest).unwrap()), undisturbed, "{text}");
    }
}
