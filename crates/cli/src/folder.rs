//! [`Folder`]: the folder of `--output`.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use acrasin_output::stale_files;
use acrasin_report::plot::{PlotOptions, plot_svg, spans_svg};
use acrasin_report::record::{RunRecord, render_records};
use acrasin_report::series::Series;
use acrasin_report::spans::Spans;
use acrasin_report::table::Format;
use acrasin_report::value::TextStyle;
use acrasin_scenario::Snapshot;

use crate::Failure;
use crate::arguments::Plots;
use crate::counts::CountsFile;
use crate::destination::OutputFolder;
use crate::output::Verbosity;
use crate::supervisor::Supervisor;

/// The name of the file with counts over time.
const COUNTS: &str = "counts.csv";

/// A folder that gets its name when it is complete.
///
/// | file | contents |
/// |---|---|
/// | `record.txt`, `record.csv`, `record.jsonl` | the records in every format |
/// | `counts.csv`, `counts.svg` | nodes by state over time, or adjacent pairs of a chain; `counts-0.csv` and so on |
/// | `inside.csv`, `inside.svg` | under other exclusion: the spans in which nodes are inside, at most 100,000 |
/// | `met.txt` | the used part of the transition table, for protocols without a table; `met-0.txt` and so on |
/// | `start.svg`, `step-100.svg`, `end.svg`, and `.tex` | amoebots: pictures; `start-0.svg` and so on |
/// | `start.txt`, `step-100.txt`, `end.txt` | the same as drawings: a scenario starts from one with `Drawing` |
/// | `configuration.txt` | the last configuration of a run that failed; `configuration-0.txt` and so on |
/// | `scenario.ron` | the effective scenario with its seed: running it gives these results again |
///
/// Of more than a few thousand samples some are dropped; the record then says so in the section `counts`.
///
/// With several repetitions and without plots, there are no files for single repetitions: `counts.csv` has the counts
/// of all.
#[derive(Debug)]
pub(crate) struct Folder {
    target: PathBuf,
    output: OutputFolder,
    repetitions: u32,
    plots: Plots,
    /// The file with the counts of all repetitions; `None` if each repetition has its own files.
    counts: Option<Mutex<CountsFile>>,
    /// The first error of writing during the run. The run continues after it.
    failed: Mutex<Option<Failure>>,
    /// The number of plots and pictures for which there was no time.
    undrawn: AtomicU64,
    impossible: Mutex<Vec<ImpossiblePicture>>,
}

/// A picture that cannot be drawn, with the reason.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ImpossiblePicture {
    repetition: u32,
    /// The index of the picture among the pictures of its repetition.
    at: usize,
    file: String,
    reason: String,
}

/// One note per reason, with the files that are missing for this reason.
fn impossible_pictures(mut pictures: Vec<ImpossiblePicture>) -> Vec<String> {
    /// The maximum number of files that a note names. If there are more, the note counts them.
    const NAMED: usize = 3;
    pictures.sort_unstable();
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for ImpossiblePicture { file, reason, .. } in pictures {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, files)) => files.push(file),
            None => reasons.push((reason, vec![file])),
        }
    }
    let note = |(reason, files): (String, Vec<String>)| match &files[..] {
        [file] => format!("{file} is not drawn: {reason}"),
        [others @ .., last] if files.len() <= NAMED => {
            format!("{} and {last} are not drawn: {reason}", others.join(", "))
        }
        files => {
            let (named, more) = (files[..NAMED].join(", "), files.len() - NAMED);
            format!("{named} and {more} more are not drawn: {reason}")
        }
    };
    reasons.into_iter().map(note).collect()
}

impl Folder {
    /// Creates the folder under a temporary name: see [`OutputFolder`].
    pub(crate) fn new(
        target: &Path,
        is_forced: bool,
        repetitions: u32,
        plots: Plots,
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        for completed in stale_files::clear_beside(target) {
            let path = completed.display();
            verbosity.say(format_args!("note: {path} was complete when its run was killed, and is restored"));
        }
        let output = OutputFolder::new(target, is_forced, is_result)?;
        let counts = (plots == Plots::None && repetitions > 1)
            .then(|| Mutex::new(CountsFile::new(output.path().join(COUNTS))));
        Ok(Self {
            target: target.to_owned(),
            output,
            repetitions,
            plots,
            counts,
            failed: Mutex::new(None),
            undrawn: AtomicU64::new(0),
            impossible: Mutex::new(Vec::new()),
        })
    }

    /// Writes the files of a repetition. After an error the run continues: its results are printed, and
    /// [`publish`](Self::publish) returns the error. Plots and pictures are only drawn while there is time.
    pub(crate) fn keep_repetition(&self, of: &Repetition<'_>, supervisor: &Supervisor) {
        if let Err(failure) = self.write_repetition(of, supervisor) {
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            failed.get_or_insert(failure);
        }
    }

    /// Writes the files of a repetition.
    fn write_repetition(&self, of: &Repetition<'_>, supervisor: &Supervisor) -> Result<(), Failure> {
        if let Some(counts) = &self.counts {
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            return counts.add(of.number, of.series).map_err(|error| self.failure(COUNTS, &error));
        }
        let number = if self.repetitions == 1 { String::new() } else { format!("-{}", of.number) };
        let has_plots = self.plots.has(of.number);
        if let Some(series) = of.series {
            self.write(&format!("counts{number}.csv"), &series.to_csv())?;
        }
        if let Some(series) = of.series.filter(|_| has_plots).cloned() {
            let mut options = PlotOptions::new(of.title);
            options.count_label = of.counted.to_owned();
            let plot = move || plot_svg(&series, &options).map_err(|error| error.to_string());
            self.draw(&format!("counts{number}.svg"), supervisor, plot)?;
        }
        if let Some(inside) = of.inside {
            self.write(&format!("inside{number}.csv"), &inside.to_csv())?;
        }
        if let Some(inside) = of.inside.filter(|_| has_plots).cloned() {
            let options = PlotOptions::new(of.title);
            let plot = move || spans_svg(&inside, &options).map_err(|error| error.to_string());
            self.draw(&format!("inside{number}.svg"), supervisor, plot)?;
        }
        if let Some(configuration) = of.configuration {
            self.write(&format!("configuration{number}.txt"), configuration)?;
        }
        if let Some(met) = of.met {
            self.write(&format!("met{number}.txt"), met)?;
        }
        for (at, Snapshot { name, picture, undrawn, drawing, .. }) in of.snapshots.iter().enumerate() {
            if let Some(reason) = undrawn.clone().filter(|_| has_plots) {
                let picture = ImpossiblePicture {
                    repetition: of.number,
                    at,
                    file: format!("{name}{number}.svg"),
                    reason,
                };
                self.impossible.lock().unwrap_or_else(PoisonError::into_inner).push(picture);
            }
            if let Some(picture) = picture.as_ref().filter(|_| has_plots) {
                let [svg, tikz] = [(); 2].map(|()| picture.clone());
                self.draw(&format!("{name}{number}.svg"), supervisor, move || Ok(svg.to_svg()))?;
                self.draw(&format!("{name}{number}.tex"), supervisor, move || Ok(tikz.to_tikz()))?;
            }
            if let Some(drawing) = drawing {
                self.write(&format!("{name}{number}.txt"), &drawing.to_string())?;
            }
        }
        Ok(())
    }

    /// Draws and writes a picture, if there is time.
    fn draw(
        &self,
        name: &str,
        supervisor: &Supervisor,
        draw: impl FnOnce() -> Result<String, String> + Send + 'static,
    ) -> Result<(), Failure> {
        match supervisor.drawn(draw) {
            Some(Ok(text)) => self.write(name, &text),
            Some(Err(error)) => Err(Failure::of_machine(format_args!("{name}: {error}"))),
            None => {
                self.undrawn.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
        }
    }

    /// Writes the records as CSV and JSON lines, as the command prints them.
    pub(crate) fn write_lines(&self, records: &[RunRecord]) -> Result<(), Failure> {
        self.write("record.csv", &render_records(records, Format::Csv, TextStyle::default()))?;
        self.write("record.jsonl", &render_records(records, Format::Jsonl, TextStyle::default()))
    }

    /// Writes the records as readable text, with facts about the machine.
    pub(crate) fn write_table(&self, records: &[RunRecord]) -> Result<(), Failure> {
        self.write("record.txt", &render_records(records, Format::Table, TextStyle::default()))
    }

    /// Notes on pictures that cannot be drawn: one for each reason.
    pub(crate) fn impossible_pictures(&self) -> Vec<String> {
        impossible_pictures(self.impossible.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// The number of plots and pictures for which there was no time.
    pub(crate) fn undrawn(&self) -> u64 {
        self.undrawn.load(Ordering::Relaxed)
    }

    /// Whether one file has the counts of all repetitions.
    pub(crate) fn has_one_table(&self) -> bool {
        self.counts.is_some()
    }

    /// Writes a file of the folder.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.output.path().join(name);
        fs::write(&path, text).map_err(|error| self.failure(name, &error))
    }

    /// Gives the folder its name, if everything could be written. Results of a run that was ended early do not replace
    /// complete results.
    pub(crate) fn publish(self, is_complete: bool, verbosity: Verbosity) -> Result<(), Failure> {
        let Self { target, output, counts, failed, .. } = self;
        if let Some(counts) = counts {
            let mut counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
            counts.finish().map_err(|error| failure(&target.join(COUNTS), &error))?;
        }
        if let Some(failure) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        if !is_complete && output.has_complete_results() {
            let path = target.display();
            verbosity.say(format_args!("note: {path} keeps its results, since this run was ended early"));
            return Ok(());
        }
        output.publish().map_err(|error| failure(&target, &error))
    }

    fn failure(&self, name: &str, error: &io::Error) -> Failure {
        failure(&self.target.join(name), error)
    }
}

/// Whether runs write files of this name, such as `counts.csv`, `counts-3.svg` or `step-100-3.tex`.
pub(crate) fn is_result(name: &OsStr) -> bool {
    let Some((stem, extension)) = name.to_str().and_then(|name| name.rsplit_once('.')) else { return false };
    let mut parts = stem.split('-');
    let word = parts.next().unwrap_or_default();
    let (extensions, numbers_max): (&[&str], usize) = match word {
        "record" => (&["txt", "csv", "jsonl"], 0),
        "scenario" => (&["ron"], 0),
        "counts" | "inside" => (&["csv", "svg"], 1),
        "configuration" | "met" => (&["txt"], 1),
        "start" | "step" | "end" => (&["svg", "tex", "txt"], 2),
        _ => (&[], 0),
    };
    let numbers: Vec<&str> = parts.collect();
    extensions.contains(&extension)
        && numbers.len() <= numbers_max
        && numbers.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::of_machine(format_args!("{} cannot be written: {error}", path.display()))
}

/// The results of a repetition that its files contain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repetition<'a> {
    pub(crate) number: u32,
    pub(crate) title: &'a str,
    pub(crate) counted: &'a str,
    pub(crate) series: Option<&'a Series>,
    pub(crate) inside: Option<&'a Spans>,
    pub(crate) configuration: Option<&'a str>,
    pub(crate) met: Option<&'a str>,
    pub(crate) snapshots: &'a [Snapshot],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_that_cannot_be_drawn_are_named_once_for_each_reason() {
        let picture = |(repetition, at, file, reason): (u32, usize, &str, &str)| ImpossiblePicture {
            repetition,
            at,
            file: file.to_owned(),
            reason: reason.to_owned(),
        };
        let said = |pictures: &[(u32, usize, &str, &str)]| {
            impossible_pictures(pictures.iter().copied().map(picture).collect())
        };
        assert_eq!(said(&[(0, 0, "a", "x")]), ["a is not drawn: x"]);
        assert_eq!(said(&[(0, 1, "b", "x"), (0, 0, "a", "x")]), ["a and b are not drawn: x"]);
        let three = [(1, 0, "c", "x"), (0, 1, "b", "x"), (0, 0, "a", "x")];
        assert_eq!(said(&three), ["a, b and c are not drawn: x"]);
        let more = [&three[..], &[(2, 0, "d", "x"), (3, 0, "e", "y"), (4, 0, "f", "x")]].concat();
        assert_eq!(said(&more), ["a, b, c and 2 more are not drawn: x", "e is not drawn: y"]);
        assert!(said(&[]).is_empty());
    }

    #[test]
    fn results_are_known_by_their_names() {
        for name in [
            "record.txt",
            "counts.csv",
            "counts-3.svg",
            "inside.csv",
            "inside-2.svg",
            "met.txt",
            "configuration-12.txt",
            "step-100-3.tex",
            "end.svg",
            "end.txt",
            "scenario.ron",
        ] {
            assert!(is_result(name.as_ref()), "{name}");
        }
        for name in [
            "mine.txt",
            "counts.txt",
            "counts-x.csv",
            "counts-.csv",
            "counts-1-2.csv",
            "step-1-2-3.svg",
            "record-1.csv",
            "scenario-1.ron",
            "record",
        ] {
            assert!(!is_result(name.as_ref()), "{name}");
        }
    }
}
