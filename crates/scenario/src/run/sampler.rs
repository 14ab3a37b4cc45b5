//! Counts over time.

use acrasin_report::record::{Figure, Section};
use acrasin_report::series::Series;

use super::At;
use crate::document::quantity::Count;
use crate::document::stop::Every;

/// The distance between two samples of a run in continuous time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Distance {
    /// So much time.
    Time(f64),
    /// So many steps.
    Steps(u64),
}

/// How many whole distances a time has; of a multiple of the distance the factor, though it was rounded.
pub(crate) fn ticks(time: f64, distance: f64) -> u64 {
    (time / distance * (1.0 + 4.0 * f64::EPSILON)) as u64
}

/// Takes a sample of the counts at the start, whenever one is due, and at the end.
#[derive(Debug)]
pub(crate) struct Sampler {
    every: Every,
    /// The distance in continuous time, if it is one.
    ticks: Option<f64>,
    agents: f64,
    due: u64,
    /// Whether a step is an interaction: then it is known when the next sample is due, and those that would not be kept are not taken.
    is_exact: bool,
    /// The number of the last sample that was due.
    last: u64,
    series: Series,
}

impl Sampler {
    /// No distance may be 0. Interactions are counted for each of so many agents: that is parallel time.
    ///
    /// # Panics
    ///
    /// Panics with more columns than a [`Series`] can have: as many as a table has states are possible.
    pub(crate) fn new<C: Into<String>>(
        every: Every,
        columns: impl IntoIterator<Item = C>,
        agents: impl Into<f64>,
    ) -> Self {
        let label = match every {
            Every::Rounds(_) => "rounds",
            Every::Steps(_) => "steps",
            Every::Interactions(_) => "parallel time (interactions per node)",
        };
        let series = Series::new(label, columns).expect("a table has at most 4096 states");
        Self { every, ticks: None, agents: agents.into(), due: 0, is_exact: false, last: 0, series }
    }

    /// One in continuous time.
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    pub(crate) fn in_time<C: Into<String> + Clone>(distance: Distance, columns: &[C]) -> Self {
        let series =
            Series::new("time", columns.iter().cloned()).expect("a network has at most 4096 species");
        let (every, ticks) = match distance {
            Distance::Steps(steps) => (Every::Steps(Count(steps)), None),
            Distance::Time(distance) => (Every::Steps(Count(1)), Some(distance)),
        };
        Self { every, ticks, agents: 1.0, due: 0, is_exact: ticks.is_none(), last: 0, series }
    }

    /// The same for a run in which a step is an interaction.
    pub(crate) fn exact(self) -> Self {
        Self { is_exact: true, ..self }
    }

    /// What is counted.
    pub(crate) fn names(&self) -> &[String] {
        self.series.columns()
    }

    /// Whether a sample is due.
    pub(crate) fn is_due(&self, at: &At) -> bool {
        self.now(at) >= self.due
    }

    /// Takes a sample that is due.
    pub(crate) fn sample(&mut self, at: &At, counts: &[u64]) {
        let distance = self.distance();
        // Multiples of the distance, whatever is passed over in one turn.
        let number = self.now(at) / distance;
        if self.is_exact {
            self.series.pass_over((number - self.last).saturating_sub(1));
        }
        self.last = number;
        self.push(at, counts);
        let passed = if self.is_exact { self.series.not_kept() } else { 0 };
        self.due = number.saturating_add(1 + passed).saturating_mul(distance);
    }

    /// How many steps can be taken at once so that no sample is passed over: any turn can be the one that completes a
    /// round or interacts.
    pub(crate) fn reach(&self, at: &At) -> u64 {
        match self.every {
            // Whoever has continuous time stops at its ticks.
            _ if self.ticks.is_some() => u64::MAX,
            Every::Steps(_) => self.due.saturating_sub(at.steps),
            Every::Interactions(_) if self.is_exact => self.due.saturating_sub(at.interactions),
            // Whoever knows when interactions happen goes by rounds here.
            Every::Rounds(_) if self.is_exact => self.due.saturating_sub(at.rounds),
            Every::Rounds(_) | Every::Interactions(_) => 1,
        }
    }

    /// The series, with a last row at the end of the run.
    pub(crate) fn finish(mut self, at: &At, counts: &[u64]) -> Series {
        if self.is_exact {
            let now = self.now(at);
            // The last row is the one that is due now, if one is.
            let due = now / self.distance() - self.last;
            self.series.pass_over(due.saturating_sub(u64::from(now.is_multiple_of(self.distance()))));
        }
        let last = self.series.rows().last().map(|row| (row.time, row.counts == counts));
        if last != Some((self.time(at), true)) {
            self.push(at, counts);
        }
        self.series
    }

    fn distance(&self) -> u64 {
        let (Every::Rounds(Count(distance))
        | Every::Steps(Count(distance))
        | Every::Interactions(Count(distance))) = self.every;
        distance
    }

    fn now(&self, at: &At) -> u64 {
        if let Some(distance) = self.ticks {
            return ticks(at.time.unwrap_or(0.0), distance);
        }
        match self.every {
            Every::Rounds(_) => at.rounds,
            Every::Steps(_) => at.steps,
            Every::Interactions(_) => at.interactions,
        }
    }

    fn time(&self, at: &At) -> f64 {
        if let Some(time) = at.time {
            return time;
        }
        let now = self.now(at) as f64;
        if matches!(self.every, Every::Interactions(_)) { now / self.agents } else { now }
    }

    fn push(&mut self, at: &At, counts: &[u64]) {
        let time = self.time(at);
        self.series.push(time, counts).expect("time does not go back, and there is one count a column");
    }
}

/// What is not in a series: the record says it, for the series itself has no place for words.
pub(super) fn thinned(series: &Series) -> Option<Section> {
    let kept = series.rows().count() as u64;
    (kept < series.pushed()).then(|| {
        let mut section = Section::new("counts", "Counts over time");
        section.push(Figure::new("samples", "samples taken", series.pushed()));
        section.push(Figure::new("kept", "samples kept", kept));
        section.push(Figure::new("kept_every", "every so many of them, and the last", series.interval()));
        section
    })
}
