//! Swarm runs of the shipped algorithms and their mutants, compiled in this crate. Otherwise each calling crate would
//! compile the generic code again, at its own optimisation level.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use super::{
    Counterexample, CounterexampleText, Effort, Summary, SwarmPlan, SwarmRun, Swarmed, SystemUnderTest,
    ThreadsError, Variants, many, run, shrink,
};
use crate::wrong::{Wrong, WrongSections, WrongToken};

impl SystemUnderTest {
    /// Calls [`with_all_properties`](Self::with_all_properties) in code that is compiled in this crate.
    #[must_use]
    pub fn with_invariants(self) -> Self {
        Wrong::with_invariants(self)
    }
}

/// An algorithm whose swarm runs are compiled in this crate, including those of its mutants.
pub trait ShippedSwarm: Swarmed {
    /// Calls [`SystemUnderTest::with_all_properties`].
    #[must_use]
    fn with_invariants(subject: SystemUnderTest<Self>) -> SystemUnderTest<Self>;

    /// Calls [`run`](super::run()).
    #[must_use]
    fn run(subject: &SystemUnderTest<Self>, plan: &SwarmPlan) -> SwarmRun;

    /// Calls [`run_variants`](super::run_variants).
    ///
    /// # Errors
    ///
    /// [`ThreadsError`] if the operating system cannot start the threads.
    fn run_variants(
        variants: &Variants<Self>,
        seeds: Range<u64>,
        threads: NonZeroUsize,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Summary, ThreadsError>;

    /// Calls [`shrink_while`](super::shrink_while()).
    #[must_use]
    fn shrink(
        subject: &SystemUnderTest<Self>,
        run: &SwarmRun,
        effort: Effort,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Counterexample<Self>>;

    /// Calls [`Counterexample::tell`].
    #[must_use]
    fn tell(subject: &SystemUnderTest<Self>, small: &Counterexample<Self>) -> CounterexampleText;

    /// Calls [`Counterexample::write`].
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    fn write(
        subject: &SystemUnderTest<Self>,
        small: &Counterexample<Self>,
        sink: &mut dyn Write,
    ) -> io::Result<()>;
}

macro_rules! shipped {
    ($algorithm:ty) => {
        impl ShippedSwarm for $algorithm {
            fn with_invariants(subject: SystemUnderTest<Self>) -> SystemUnderTest<Self> {
                subject.with_all_properties()
            }

            fn run(subject: &SystemUnderTest<Self>, plan: &SwarmPlan) -> SwarmRun {
                run::run(subject, plan)
            }

            fn run_variants(
                variants: &Variants<Self>,
                seeds: Range<u64>,
                threads: NonZeroUsize,
                progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
            ) -> Result<Summary, ThreadsError> {
                many::run_variants(variants, seeds, threads, progress)
            }

            fn shrink(
                subject: &SystemUnderTest<Self>,
                run: &SwarmRun,
                effort: Effort,
                goes_on: &dyn Fn() -> bool,
            ) -> Option<Counterexample<Self>> {
                shrink::shrink_while(subject, run, effort, goes_on)
            }

            fn tell(subject: &SystemUnderTest<Self>, small: &Counterexample<Self>) -> CounterexampleText {
                small.tell(subject)
            }

            fn write(
                subject: &SystemUnderTest<Self>,
                small: &Counterexample<Self>,
                sink: &mut dyn Write,
            ) -> io::Result<()> {
                small.write(subject, sink)
            }
        }
    };
}

shipped!(Wrong);
shipped!(WrongToken);
shipped!(WrongSections);
