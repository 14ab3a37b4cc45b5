//! Samples of the counts over time.

use std::borrow::Cow;

use acrasin_report::record::{Figure, Section};
use acrasin_report::series::Series;

use super::{Progress, SavedNumbers, push_numbers};
use crate::document::quantity::Count;
use crate::document::stop::SampleInterval;

/// The distance between two samples of a run in continuous time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Distance {
    /// A span of time.
    Time(f64),
    /// A number of steps.
    Steps(u64),
}

/// The number of samples in continuous time after which no further one is due. Smaller numbers of samples convert to
/// `f64` exactly.
const MOST_TICKS: u64 = 1 << 53;

/// The number of whole distances in `time`. If `time` is a multiple of the distance, the result is the exact factor,
/// despite rounding.
fn ticks(time: f64, distance: f64) -> u64 {
    (time / distance * (1.0 + 4.0 * f64::EPSILON)) as u64
}

/// Samples the counts at the start, at every multiple of the distance, and at the end.
///
/// A sample that was due within a turn has the counts before the turn.
#[derive(Debug)]
pub(crate) struct Sampler {
    every: SampleInterval,
    /// The distance, if it is a span of continuous time.
    ticks: Option<f64>,
    agents: f64,
    due: u64,
    /// Whether no call of the run goes beyond the next sample.
    is_exact: bool,
    /// The counts before the turn, if a sample can be due within the turn.
    before: Vec<u64>,
    /// The sampled rows.
    series: Series,
}

impl Sampler {
    /// Creates a sampler; the distance must be positive. Interactions are divided by `agents`, which gives parallel
    /// time.
    ///
    /// # Panics
    ///
    /// Panics with more columns than a [`Series`] can have; a table never has that many states.
    pub(crate) fn new<C: Into<String>>(
        every: SampleInterval,
        columns: impl IntoIterator<Item = C>,
        agents: impl Into<f64>,
    ) -> Self {
        let label = match every {
            SampleInterval::Rounds(_) => "rounds",
            SampleInterval::Steps(_) => "steps",
            SampleInterval::Interactions(_) => "parallel time (interactions per node)",
        };
        let series = Series::new(label, columns).expect("a table has at most 4096 states");
        Self {
            every,
            ticks: None,
            agents: agents.into(),
            due: 0,
            is_exact: false,
            before: Vec::new(),
            series,
        }
    }

    /// Creates a sampler in continuous time.
    ///
    /// # Panics
    ///
    /// As for [`new`](Self::new).
    pub(crate) fn in_time<C: Into<String> + Clone>(distance: Distance, columns: &[C]) -> Self {
        let series =
            Series::new("time", columns.iter().cloned()).expect("a network has at most 4096 species");
        let (every, ticks) = match distance {
            Distance::Steps(steps) => (SampleInterval::Steps(Count(steps)), None),
            Distance::Time(distance) => (SampleInterval::Steps(Count(1)), Some(distance)),
        };
        Self { every, ticks, agents: 1.0, due: 0, is_exact: true, before: Vec::new(), series }
    }

    /// Declares that no call of the run exceeds [`reach`](Self::reach).
    pub(crate) fn exact(self) -> Self {
        Self { is_exact: true, ..self }
    }

    /// The names of the counts.
    pub(crate) fn names(&self) -> &[String] {
        self.series.columns()
    }

    /// Whether a sample is due.
    pub(crate) fn is_due(&self, at: &Progress) -> bool {
        self.now(at) >= self.due
    }

    /// Takes all samples that are due.
    pub(crate) fn sample(&mut self, at: &Progress, counts: &[u64]) {
        let (now, distance) = (self.now(at), self.distance());
        loop {
            let passed = self.series.not_kept();
            let number = self.series.pushed().saturating_add(passed);
            self.due = number.saturating_mul(distance);
            if self.due > now || number >= MOST_TICKS {
                break;
            }
            self.series.pass_over(passed);
            // A turn skips rounds only while nothing happens.
            let is_passed = self.due < now && !self.before.is_empty();
            let counts = if is_passed { &self.before[..] } else { counts };
            let time = match self.ticks {
                // A multiple that was rounded up must not come after the end.
                Some(distance) => (self.due as f64 * distance).min(self.time(at)),
                None => at.time.unwrap_or_else(|| self.time_of(self.due)),
            };
            push(&mut self.series, time, counts);
        }
    }

    /// Stores the counts before a turn, if a sample can be due within the turn.
    #[inline]
    pub(crate) fn remember<'a>(&mut self, counts: impl FnOnce() -> Cow<'a, [u64]>) {
        if !self.is_exact && !matches!(self.every, SampleInterval::Rounds(_)) {
            self.before.clear();
            self.before.extend_from_slice(&counts());
        }
    }

    /// The time of the next sample, in continuous time.
    pub(crate) fn due_time(&self) -> Option<f64> {
        let distance = self.ticks?;
        Some(if self.due < MOST_TICKS { self.due as f64 * distance } else { f64::INFINITY })
    }

    /// The maximum number of steps without a missed sample. It is 1 if any turn can complete a round or contain an
    /// interaction.
    pub(crate) fn reach(&self, at: &Progress) -> u64 {
        match self.every {
            // A process in continuous time stops at the moments of samples.
            _ if self.ticks.is_some() => u64::MAX,
            SampleInterval::Steps(_) => self.due.saturating_sub(at.steps),
            SampleInterval::Interactions(_) if self.is_exact => self.due.saturating_sub(at.interactions),
            // If the number of interactions per round is known, the process advances by rounds.
            SampleInterval::Rounds(_) if self.is_exact => self.due.saturating_sub(at.rounds),
            SampleInterval::Rounds(_) | SampleInterval::Interactions(_) => 1,
        }
    }

    /// The series, with a last row at the end of the run.
    pub(crate) fn finish(mut self, at: &Progress, counts: &[u64]) -> Series {
        self.sample(at, counts);
        let (now, distance) = (self.now(at), self.distance());
        // If the run ends at a sampled moment, its row is the last one.
        let moments = now / distance + u64::from(!now.is_multiple_of(distance));
        self.series.pass_over(moments.saturating_sub(self.series.pushed()).min(self.series.not_kept()));
        let time = self.time(at);
        let last = self.series.rows().last().map(|row| (row.time, row.counts == counts));
        if last != Some((time, true)) {
            push(&mut self.series, time, counts);
        }
        self.series
    }

    /// Writes the rows so far and the moment of the next one.
    pub(super) fn save(&self, into: &mut Vec<u64>) {
        into.push(self.due);
        push_numbers(into, &self.before);
        push_numbers(into, &self.series.save());
    }

    /// Restores the state that [`save`](Self::save) wrote; `None` if the numbers are not those of this run.
    pub(super) fn restore(&mut self, from: &mut SavedNumbers<'_>) -> Option<()> {
        let (due, before, series) = (from.number()?, from.numbers()?, from.numbers()?);
        self.series.restore(series).then_some(())?;
        let columns = self.series.columns().len();
        [0, columns].contains(&before.len()).then_some(())?;
        (self.due, self.before) = (due, before.to_vec());
        Some(())
    }

    fn distance(&self) -> u64 {
        let (SampleInterval::Rounds(Count(distance))
        | SampleInterval::Steps(Count(distance))
        | SampleInterval::Interactions(Count(distance))) = self.every;
        distance
    }

    fn now(&self, at: &Progress) -> u64 {
        if let Some(distance) = self.ticks {
            return ticks(at.time.unwrap_or(0.0), distance);
        }
        match self.every {
            SampleInterval::Rounds(_) => at.rounds,
            SampleInterval::Steps(_) => at.steps,
            SampleInterval::Interactions(_) => at.interactions,
        }
    }

    fn time(&self, at: &Progress) -> f64 {
        at.time.unwrap_or_else(|| self.time_of(self.now(at)))
    }

    fn time_of(&self, now: u64) -> f64 {
        let now = now as f64;
        if matches!(self.every, SampleInterval::Interactions(_)) { now / self.agents } else { now }
    }
}

fn push(series: &mut Series, time: f64, counts: &[u64]) {
    series.push(time, counts).expect("time does not go back, and there is one count a column");
}

/// A section of the record with a note about omitted samples. A series itself has no notes.
pub(super) fn thinned(series: &Series) -> Option<Section> {
    let kept = series.rows().count() as u64;
    (kept < series.pushed()).then(|| {
        let mut section = Section::new("counts", "Counts over time");
        section.push(Figure::new("samples", "samples taken", series.pushed()));
        section.push(Figure::new("kept", "samples kept", kept));
        section.push(Figure::new("kept_every", "one in this many is kept, and the last", series.interval()));
        section
    })
}
