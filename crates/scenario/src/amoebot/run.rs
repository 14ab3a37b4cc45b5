//! A run of an algorithm: sequential, or concurrent; and what those in waves and in rounds have in common with it.

use acrasin_amoebot::algorithm::erased::AnyMemory;
use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::run::concurrent::{self, Concurrent, MessageLocks, TryLocks};
use acrasin_amoebot::run::execution::{self, RoundRobin, Uniform, UniformEnabled};
use acrasin_amoebot::run::fairness::{self, Fair, First, Last, Newest};
use acrasin_amoebot::start::Drawing;
use acrasin_amoebot::{Cell, System};
use acrasin_report::record::{Exit, Figure, Outcome, Section, SectionName};
use acrasin_runtime::choice::{Choices, Seeded};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::lock::Outside;
use acrasin_runtime::scheduler;

use super::AmoebotPlan;
use super::erased::AnySubject;
use super::figures::{Course, Driven, End, Over, drive, outcome};
use super::scenario::{Activation, Execution, Fairness, Locks, Scheduler};
use super::scene::Scene;
use super::subject::{Ground, Subject, Visitor};
use super::{chain, rounds, waves};
use crate::plan::{Finished, Job, RunError};

impl AmoebotPlan {
    /// Runs the plan with the seed of the job. The same plan and seed give the same record, counts and pictures.
    ///
    /// Draws are made in the order: cells, orientations, run.
    ///
    /// # Errors
    ///
    /// A blob that dies out or that the algorithm refuses; a chain that leaves the largest grid; a job that wants every
    /// step recorded, which there is not of amoebots.
    pub fn run(&self, job: &Job<'_>) -> Result<Finished, RunError> {
        if job.record.is_some() {
            return Err(Self::drawn(job.seed, "steps are recorded of population protocols only"));
        }
        let mut choices = Seeded::new(job.seed);
        let ground = self.ground(&mut choices).map_err(|message| Self::drawn(job.seed, message))?;
        let run = Run { plan: self, job, ground: &ground, choices: &mut choices };
        match self.algorithm.visit(run) {
            Some(finished) => finished,
            None => chain::run(self, job, &ground, &mut choices),
        }
    }
}

struct Run<'a> {
    plan: &'a AmoebotPlan,
    job: &'a Job<'a>,
    ground: &'a Ground,
    choices: &'a mut Seeded,
}

impl Visitor for Run<'_> {
    type Output = Result<Finished, RunError>;

    fn visit<S: Subject>(self, subject: &S) -> Self::Output {
        let Run { plan, job, ground, choices } = self;
        // One at a time and in waves is run with the types of the algorithm, fast; the rest is compiled once.
        match plan.execution {
            Execution::Sequential { activation, fairness } => {
                let system = start(subject, job, ground)?;
                let run = execution::Execution::new(subject, system);
                let scene = Scene::new(subject, plan);
                let activation = adversary(activation, fairness);
                let mut course = Sequential { scene, run, activation, choices };
                let driven = drive(plan, job, &mut course)?;
                let run = &course.run;
                let outcome = outcome(driven.end, plan, &|| subject.is_finished(run.system()));
                let ended = Ended { driven, outcome, work: sequential(run), further: Vec::new() };
                Ok(ended.finish(plan, job, &course.scene, run.system()))
            }
            Execution::Waves => waves::run(subject, plan, job, ground),
            Execution::Rounds(concurrency) => {
                rounds::run(&subject.erased(), plan, job, (ground, concurrency), choices)
            }
            Execution::Concurrent { locks } => {
                concurrent(&subject.erased(), plan, job, (ground, locks), choices)
            }
        }
    }
}

/// The start, or the error that the run cannot be made.
pub(super) fn start<S: Subject>(
    subject: &S,
    job: &Job<'_>,
    ground: &Ground,
) -> Result<System<S::Memory>, RunError> {
    subject.start(ground).map_err(|message| AmoebotPlan::drawn(job.seed, message))
}

fn concurrent<'a>(
    subject: &'a AnySubject<'a>,
    plan: &AmoebotPlan,
    job: &Job<'_>,
    (ground, locks): (&Ground, Locks),
    choices: &'a mut Seeded,
) -> Result<Finished, RunError> {
    let system = start(subject, job, ground)?;
    let before = system.clone();
    let scene = Scene::new(subject, plan);
    match locks {
        Locks::TryLocks => {
            let locks = TryLocks::new(system.len());
            let run = Concurrent::new(subject, system, locks);
            together(scene, plan, job, (run, before), choices, |_| None)
        }
        Locks::Messages { scheduler } => {
            let locks = MessageLocks::new(&system, below(scheduler));
            let run = Concurrent::new(subject, system, locks);
            together(scene, plan, job, (run, before), choices, |locks| Some(messages(locks)))
        }
    }
}

/// Who is activated next.
fn adversary(activation: Activation, fairness: Fairness) -> Box<dyn execution::Activation> {
    match activation {
        Activation::Uniform => kept_fair(Uniform, fairness),
        Activation::UniformEnabled => kept_fair(UniformEnabled, fairness),
        Activation::RoundRobin => kept_fair(RoundRobin::default(), fairness),
        Activation::First => kept_fair(First::default(), fairness),
        Activation::Last => kept_fair(Last::default(), fairness),
        Activation::Newest => kept_fair(Newest::default(), fairness),
    }
}

fn kept_fair<A: execution::Activation + 'static>(
    inner: A,
    fairness: Fairness,
) -> Box<dyn execution::Activation> {
    let fairness = match fairness {
        Fairness::Unfair => return Box::new(inner),
        Fairness::Weak(bound) => fairness::Fairness::Weak { bound: *bound },
        Fairness::Strong(bound) => fairness::Fairness::Strong { bound: *bound },
    };
    Box::new(Fair::new(inner, fairness))
}

/// Who acts in the world of the lock algorithm.
fn below(scheduler: Scheduler) -> Box<dyn scheduler::Scheduler<Local, Outside<()>>> {
    match scheduler {
        Scheduler::Sequential => Box::new(scheduler::Sequential::new()),
        Scheduler::Asynchronous => Box::new(scheduler::Asynchronous::new()),
        Scheduler::NewestFirst => Box::new(scheduler::NewestFirst::new()),
    }
}

/// A run that is over, before its system is looked at.
pub(super) struct Ended {
    pub(super) driven: Driven,
    pub(super) outcome: Outcome,
    pub(super) work: Section,
    pub(super) further: Vec<Section>,
}

impl Ended {
    pub(super) fn finish<S: Subject>(
        self,
        plan: &AmoebotPlan,
        job: &Job<'_>,
        scene: &Scene<'_, S>,
        system: &System<S::Memory>,
    ) -> Finished {
        let Self { driven, mut outcome, work, mut further } = self;
        let is_open = driven.end == End::Broken || outcome.exit != Exit::Failed;
        if let (Some(fault), true) = (scene.subject.fault(system), is_open) {
            outcome = Outcome::new("violation", fault, Exit::Failed);
        }
        let mut section = Section::of(SectionName::States);
        for (name, count) in scene.names().into_iter().zip(scene.states(system)) {
            section.push(Figure::new(name.as_str(), name.as_str(), count));
        }
        let expanded = system.ids().filter(|id| !system.body(*id).is_contracted()).count();
        section.push(Figure::new("expanded", "expanded", expanded as u64));
        further.push(section);
        further.extend(scene.subject.further(system));
        Over {
            plan,
            job,
            outcome,
            driven,
            work,
            further,
            cells: system.cells(),
            unlike_edges: None,
            digest: system.configuration().digest().to_string(),
        }
        .finish()
    }
}

struct Sequential<'a, S: Subject> {
    scene: Scene<'a, S>,
    run: execution::Execution<'a, S>,
    activation: Box<dyn execution::Activation>,
    choices: &'a mut Seeded,
}

impl<S: Subject> Course for Sequential<'_, S> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        self.run.run(steps, &mut *self.activation, self.choices);
        Ok(())
    }

    fn steps(&self) -> u64 {
        self.run.counts().activations
    }

    fn rounds_and_locks(&self) -> (u64, u64) {
        (self.run.counts().rounds, 0)
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    fn is_broken(&self) -> bool {
        self.scene.subject.fault(self.run.system()).is_some()
    }

    fn columns(&self) -> Vec<String> {
        self.scene.names()
    }

    fn counts(&self) -> Vec<u64> {
        self.scene.states(self.run.system())
    }

    fn cells(&self) -> Vec<Cell> {
        self.run.system().cells()
    }

    fn picture(&self) -> Option<Picture> {
        self.scene.picture(self.run.system())
    }

    fn drawing(&self) -> Option<Drawing> {
        self.scene.drawing(self.run.system())
    }
}

fn sequential<S: Subject>(run: &execution::Execution<'_, S>) -> Section {
    let counts = run.counts();
    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("activations", "activations", counts.activations));
    work.push(Figure::new("actions", "completed actions", counts.actions));
    work.push(Figure::new("moves", "moves", counts.moves));
    work.push(Figure::new("failures", "aborted actions", counts.failures));
    work.push(Figure::new("rounds", "asynchronous rounds", counts.rounds));
    work.push(Figure::new("sweeps", "rounds of everybody activated", counts.sweeps));
    work
}

/// A concurrent run; a step is one of an amoebot or of the locks.
struct Together<'a, L> {
    scene: Scene<'a, AnySubject<'a>>,
    run: Concurrent<'a, AnySubject<'a>, L>,
    steps: u64,
    choices: &'a mut Seeded,
}

impl<L: concurrent::Locks> Course for Together<'_, L> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        for _ in 0..steps {
            if self.run.has_terminated() {
                break;
            }
            let choices: &mut dyn Choices = self.choices;
            self.run.run(1, &mut UniformEnabled, choices);
            self.steps += 1;
        }
        Ok(())
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn rounds_and_locks(&self) -> (u64, u64) {
        (self.run.counts().rounds, self.run.counts().locks)
    }

    fn has_terminated(&self) -> bool {
        self.run.has_terminated()
    }

    /// Inside an action an algorithm promises nothing.
    fn is_broken(&self) -> bool {
        self.run.inside() == 0 && self.scene.subject.fault(self.run.system()).is_some()
    }

    fn columns(&self) -> Vec<String> {
        self.scene.names_and("inside an action")
    }

    fn counts(&self) -> Vec<u64> {
        self.scene.states_and(self.run.system(), self.run.inside() as u64)
    }

    fn cells(&self) -> Vec<Cell> {
        self.run.system().cells()
    }

    fn picture(&self) -> Option<Picture> {
        self.scene.picture(self.run.system())
    }

    fn drawing(&self) -> Option<Drawing> {
        self.scene.drawing(self.run.system())
    }
}

/// The outcome of a run with locks: whatever was reached, actions that failed or have no serial order are failures.
pub(super) fn judged(reached: Outcome, invalid: u64, is_same: Option<bool>) -> Outcome {
    if is_same == Some(false) {
        let reason = "the same actions, one after the other in the order of the locks, end otherwise";
        return Outcome::new("not serial", reason, Exit::Failed);
    }
    if invalid > 0 {
        let reason = format!("{invalid} actions were aborted that locks should have kept possible");
        return Outcome::new("violation", reason, Exit::Failed);
    }
    reached
}

/// `run` comes with the system that it started from.
fn together<'a, L: concurrent::Locks>(
    scene: Scene<'a, AnySubject<'a>>,
    plan: &AmoebotPlan,
    job: &Job<'_>,
    (run, before): (Concurrent<'a, AnySubject<'a>, L>, System<AnyMemory>),
    choices: &'a mut Seeded,
    further: impl FnOnce(&L) -> Option<Section>,
) -> Result<Finished, RunError> {
    let mut course = Together { scene, run, steps: 0, choices };
    let driven = drive(plan, job, &mut course)?;
    let (run, counts, subject) = (&course.run, course.run.counts(), course.scene.subject);
    // Inside an action others are locked, and the log does not have it yet.
    let replayed = (run.inside() == 0).then(|| run.log().replay(subject, before));
    let is_same = replayed.map(|replayed| replayed.is_ok_and(|system| &system == run.system()));
    let reached = outcome(driven.end, plan, &|| subject.is_finished(run.system()));
    let outcome = judged(reached, counts.invalid, is_same);

    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("steps", "steps of amoebots and locks", course.steps));
    work.push(Figure::new("amoebot_steps", "steps of amoebots", counts.steps));
    let activations = counts.locks + counts.lock_failures;
    work.push(Figure::new("activations", "activations: Locks that were granted or failed", activations));
    work.push(Figure::new("actions", "completed actions", counts.actions));
    work.push(Figure::new("moves", "moves", counts.moves));
    work.push(Figure::new("expand_failures", "failed expansions", counts.expand_failures));
    work.push(Figure::new("invalid", "aborted against the rules", counts.invalid));
    work.push(Figure::new("rounds", "asynchronous rounds", counts.rounds));
    work.push(Figure::new("width", "most inside an action at once", counts.width as u64).unit("amoebots"));
    let is_same = is_same.map_or(acrasin_report::value::Value::Missing, Into::into);
    work.push(Figure::new("replayed", "one after the other: the same end", is_same));
    let mut locks = Section::of(SectionName::Locks);
    locks.push(Figure::new("completed", "completed", counts.locks));
    locks.push(Figure::new("failures", "failed", counts.lock_failures));
    locks.push(Figure::new("waits", "steps spent waiting", counts.waits));
    locks.push(Figure::new("awakenings", "aborted to wake others", counts.awakenings));
    locks.push(Figure::new("disabled", "aborted as nothing was enabled", counts.disabled));
    let further = [locks].into_iter().chain(further(run.locks())).collect();
    let ended = Ended { driven, outcome, work, further };
    Ok(ended.finish(plan, job, &course.scene, run.system()))
}

fn messages(locks: &MessageLocks) -> Section {
    let mut section = Section::of(SectionName::Messages);
    section.push(Figure::new("sent", "sent", locks.world().messages_sent()));
    section.push(Figure::new("steps", "steps of the lock algorithm", locks.world().steps()));
    section
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use acrasin_amoebot::Hexagon;

    use super::*;
    use crate::ScenarioFile;
    use crate::amoebot::given::Given;
    use crate::amoebot::no_roots::NoRoots;
    use crate::plan::Unwatched;

    /// In the midst there are roots, in the end there are none.
    #[test]
    fn what_should_be_at_no_moment_ends_a_run_at_its_next_picture() {
        let word = |execution: &str, pictures: &str| {
            let text = format!(
                "(seed: 1, amoebots: (algorithm: Hexagon, start: Line(count: 12)), execution: {execution}, \
                 observe: (pictures_at: {pictures}))"
            );
            let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "x.ron", &[]) else {
                panic!("a scenario of amoebots")
            };
            let plan = AmoebotPlan::new(&document, Path::new("")).unwrap();
            let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: None };
            let mut choices = Seeded::new(1);
            let ground = plan.ground(&mut choices).unwrap();
            let run = Run { plan: &plan, job: &job, ground: &ground, choices: &mut choices };
            let subject = Given { algorithm: Hexagon, parameters: NoRoots };
            let finished = run.visit(&subject).unwrap();
            let outcome = finished.record.outcome();
            (outcome.word.clone(), outcome.reason.clone(), outcome.exit)
        };
        for (execution, moments) in
            [("Sequential()", "[20, 60, 100]"), ("Rounds(Isolated(1))", "[5]"), ("Waves", "[3, 6, 9, 12]")]
        {
            let (broken, reason, exit) = word(execution, moments);
            assert_eq!((broken.as_str(), exit), ("violation", Exit::Failed), "{execution}");
            assert!(reason.ends_with("roots") && !reason.starts_with('0'), "{execution}: {reason}");
            assert_eq!(word(execution, "[]").0, "terminated", "{execution}");
        }
    }

    #[test]
    fn faults_of_locks_go_before_what_was_reached() {
        let word = |invalid, is_same| {
            let judged = judged(Outcome::new("terminated", "", Exit::Done), invalid, is_same);
            (judged.word.clone(), judged.exit)
        };
        assert_eq!(word(0, Some(true)), ("terminated".into(), Exit::Done));
        assert_eq!(word(0, None), ("terminated".into(), Exit::Done));
        assert_eq!(word(2, Some(true)), ("violation".into(), Exit::Failed));
        assert_eq!(word(0, Some(false)), ("not serial".into(), Exit::Failed));
    }
}
