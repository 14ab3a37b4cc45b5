//! The progress bar on standard error.

#![allow(clippy::disallowed_types, reason = "how often a bar is drawn depends on the clock; no result does")]

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use acrasin_scenario::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use terminal_size::{Width, terminal_size_of};

use crate::output::Verbosity;

/// The minimum interval between two changes of the bar.
const INTERVAL: Duration = Duration::from_millis(100);

/// The resolution of the bar: the number of parts into which its length is divided.
const PARTS: u64 = 1000;

/// The number of columns of the bar, if it is shown, with the space after it.
const BAR: usize = 30 + 1;
/// The number of columns before the message without the bar: `[00:00:00] ` and `100 % `.
const BEFORE_MESSAGE: usize = 11 + 6;
/// The number of columns that is assumed for a terminal of unknown width.
const COLUMNS: usize = 80;
/// The number of columns below which a terminal shows only numbers and no bar.
const COLUMNS_WITH_BAR: usize = 80;

/// Shows the progress of the runs on standard error if that is a terminal, without colours.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    counts: CountedUnit,
    /// The number of columns before the message.
    before: usize,
    drawn: Mutex<Option<Instant>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CountedUnit {
    PartsOfARun,
    Repetitions,
}

impl ProgressLine {
    /// A bar for several repetitions. For a single run the bar shows the progress towards its nearest bound.
    pub(crate) fn new(repetitions: u32, verbosity: Verbosity) -> Self {
        let is_shown = verbosity > Verbosity::Quiet && std::io::stderr().is_terminal();
        let (counts, length) = match repetitions {
            1 => (CountedUnit::PartsOfARun, PARTS),
            more => (CountedUnit::Repetitions, more.into()),
        };
        let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(length), target);
        let has_bar = columns() >= COLUMNS_WITH_BAR;
        let template = match (counts, has_bar) {
            (CountedUnit::PartsOfARun, true) => "[{elapsed_precise}] {bar:30} {percent:>3} % {msg}",
            (CountedUnit::PartsOfARun, false) => "[{elapsed_precise}] {percent:>3} % {msg}",
            (CountedUnit::Repetitions, true) => "[{elapsed_precise}] {bar:30} {pos}/{len} repetitions",
            (CountedUnit::Repetitions, false) => "[{elapsed_precise}] {pos}/{len} repetitions",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("a constant").progress_chars("=> "));
        let before = BEFORE_MESSAGE + if has_bar { BAR } else { 0 };
        Self { bar, counts, before, drawn: Mutex::new(None) }
    }

    /// Shows the progress of a run.
    pub(crate) fn show(&self, at: &Progress) {
        if self.bar.is_hidden() || !self.is_due() {
            return;
        }
        let Progress { rounds, steps, interactions, locks, .. } = at;
        if self.counts == CountedUnit::PartsOfARun {
            let done = at.fraction.unwrap_or(0.0).clamp(0.0, 1.0) * PARTS as f64;
            self.bar.set_position(done as u64);
            let elapsed = self.bar.elapsed();
            let left = time_left(elapsed, at.fraction);
            let left = left.map_or_else(String::new, |left| format!("about {left} left, "));
            let rate = rate(*steps, elapsed);
            let message = format!(
                "{left}{rounds} rounds, {steps} steps, {rate} steps/s, {locks} Locks, {interactions} interactions"
            );
            self.bar.set_message(whole_fields(message, self.room()));
        } else {
            self.bar.tick();
        }
    }

    /// Shows the progress of a check: a fraction, and a description.
    pub(crate) fn show_part(&self, fraction: f64, message: impl FnOnce() -> String) {
        if !self.bar.is_hidden() && self.is_due() {
            self.bar.set_position((fraction.clamp(0.0, 1.0) * PARTS as f64) as u64);
            self.bar.set_message(whole_fields(message(), self.room()));
        }
    }

    /// Counts a completed repetition.
    pub(crate) fn repetition_done(&self) {
        if self.counts == CountedUnit::Repetitions {
            self.bar.inc(1);
        }
    }

    /// Removes the bar, before results are printed.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// The number of columns for the message. Computed each time, because the width of the window may have changed.
    fn room(&self) -> usize {
        columns().saturating_sub(self.before)
    }

    /// Whether to draw the line again, because the interval has passed. If several threads ask at once, only one gets
    /// true.
    fn is_due(&self) -> bool {
        let Ok(mut drawn) = self.drawn.try_lock() else { return false };
        let is_due = drawn.is_none_or(|then| then.elapsed() >= INTERVAL);
        if is_due {
            *drawn = Some(Instant::now());
        }
        is_due
    }
}

/// The completed fraction below which no remaining time is shown, because the estimate would be too inaccurate.
const PART_MIN: f64 = 0.02;

/// The remaining time at the rate so far, as text. `None` if too little of the work is done, or if the fraction is
/// unknown.
fn time_left(elapsed: Duration, fraction: Option<f64>) -> Option<String> {
    let done = fraction.filter(|done| (PART_MIN..1.0).contains(done))?;
    let seconds = elapsed.as_secs_f64() * (1.0 - done) / done;
    Some(match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    })
}

/// Steps per second so far.
fn rate(steps: u64, elapsed: Duration) -> u64 {
    (steps as f64 / elapsed.as_secs_f64().max(INTERVAL.as_secs_f64())) as u64
}

/// The current width of the terminal in columns.
fn columns() -> usize {
    terminal_size_of(std::io::stderr()).map_or(COLUMNS, |(Width(columns), _)| columns.into())
}

/// Shortens a message to the first fields that fit, because a truncated number would be wrong. Fields are separated by
/// `, ` and have no wide characters.
fn whole_fields(mut message: String, room: usize) -> String {
    while message.len() > room {
        let Some(end) = message.rfind(", ") else { return String::new() };
        message.truncate(end);
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_rest_at_the_rate_so_far() {
        let left = |seconds, fraction| time_left(Duration::from_secs(seconds), fraction);
        assert_eq!(left(10, Some(0.25)).as_deref(), Some("30 s"));
        assert_eq!(left(100, Some(0.1)).as_deref(), Some("15 min"));
        assert_eq!(left(3600, Some(0.25)).as_deref(), Some("3 h"));
        for unknown in [None, Some(0.0), Some(0.019), Some(1.0), Some(f64::NAN)] {
            assert_eq!(left(10, unknown), None, "{unknown:?}");
        }
        assert_eq!(rate(500, Duration::from_secs(2)), 250);
        assert_eq!(rate(500, Duration::ZERO), 5000);
    }

    #[test]
    fn a_message_is_cut_between_fields() {
        let message = "12 rounds, 3456 steps, 78 Locks";
        let fitting = |room| whole_fields(message.to_owned(), room);
        assert_eq!(fitting(31), message);
        for room in 21..31 {
            assert_eq!(fitting(room), "12 rounds, 3456 steps", "{room}");
        }
        for room in 9..21 {
            assert_eq!(fitting(room), "12 rounds", "{room}");
        }
        assert_eq!((fitting(8), fitting(0)), (String::new(), String::new()));
    }
}
