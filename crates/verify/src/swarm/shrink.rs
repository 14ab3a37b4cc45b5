//! Shrinks a failing run to a counterexample with few steps.

use acrasin_process::Ending;

use super::counterexample::Counterexample;
use super::run::{SwarmRun, traced};
use super::shorten::shorten;
use super::start::SwarmStart;
use super::stream::{Effort, shrink_stream};
use super::swarmed::Swarmed;
use super::system_under_test::SystemUnderTest;

/// Shrinks a failing run: first its stream of picks, then its list of steps. The result fails in the same way. The
/// same run gives the same result.
///
/// Returns `None` if `run` has not failed, or does not fail again under these rules.
#[must_use]
pub fn shrink<E: Swarmed>(
    subject: &SystemUnderTest<E>,
    run: &SwarmRun,
    effort: Effort,
) -> Option<Counterexample<E>> {
    shrink_while(subject, run, effort, &|| true)
}

/// Shrinks like [`shrink`] as long as `goes_on` holds. It is called after every candidate, which takes milliseconds.
/// The result also fails in the same way, but may be longer.
#[must_use]
pub fn shrink_while<E: Swarmed>(
    subject: &SystemUnderTest<E>,
    run: &SwarmRun,
    effort: Effort,
    goes_on: &dyn Fn() -> bool,
) -> Option<Counterexample<E>> {
    let kind = run.failure.as_ref()?.kind();
    let stream = shrink_stream(subject, &run.plan, &run.picks, &kind, (effort, goes_on))?;
    let (again, steps) = traced(subject, &run.plan, &stream);
    let ending = Ending::from(&again.failure.filter(|failure| failure.kind() == kind)?);
    let whole = Counterexample {
        start: SwarmStart::of(&run.plan, subject.assumes()),
        steps,
        kind,
        ending,
        stream: Some(stream),
    };
    Some(shorten(subject, whole, (effort, goes_on)))
}
