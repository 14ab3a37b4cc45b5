//! The folder of `--output`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use acrasin_report::plot::{PlotOptions, plot_svg};
use acrasin_report::record::{RunRecord, render_records};
use acrasin_report::series::Series;
use acrasin_report::table::Format;
use acrasin_report::value::TextStyle;
use acrasin_scenario::Snapshot;
use clap::ValueEnum;

use crate::Failure;
use crate::unfinished::Unfinished;

/// A folder that gets its name when everything is in it.
///
/// | file | what |
/// |---|---|
/// | `record.txt`, `record.csv`, `record.jsonl` | the records in every format |
/// | `counts.csv`, `counts.svg` | nodes by state over time (of a chain of amoebots, adjacent pairs); with several repetitions `counts-0.csv` and so on; thinned if there are more than some thousand samples, which the record says in `counts` |
/// | `start.svg`, `step-100.svg`, `end.svg`, and `.tex` | amoebots: where they stood and stand; `start-0.svg` and so on |
/// | `start.txt`, `step-100.txt`, `end.txt` | the same as drawings: a scenario starts from one with `Drawing` |
/// | `configuration.txt` | the last configuration of a run that failed; `configuration-0.txt` and so on |
/// | `scenario.ron` | the effective scenario with its seed: run alone, it gives these results again |
#[derive(Debug)]
pub(crate) struct Folder {
    target: PathBuf,
    unfinished: Unfinished,
    repetitions: u32,
    plots: Plots,
}

/// Which repetitions have plots and pictures in the folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Plots {
    /// None of them
    None,
    /// The first one
    First,
    /// All of them
    All,
}

impl Plots {
    fn has(self, repetition: u32) -> bool {
        match self {
            Self::None => false,
            Self::First => repetition == 0,
            Self::All => true,
        }
    }
}

impl Folder {
    /// Makes room for a folder, under a temporary name beside it; inside it if it is there.
    pub(crate) fn new(
        target: &Path,
        is_forced: bool,
        repetitions: u32,
        plots: Plots,
    ) -> Result<Self, Failure> {
        // A path that ends in `..` or `/` has no name of its own; `.` neither.
        let named = target.file_name().is_some();
        if !named {
            return Err(Failure::usage(format_args!("{} is no name for a folder", target.display()))
                .accepting("the path of a folder that is new or empty"));
        }
        let unfinished = match fs::read_dir(target) {
            Ok(mut entries) => {
                if entries.next().is_some() && !is_forced {
                    return Err(Failure::usage(format_args!("{} is not empty", target.display()))
                        .accepting("a folder that is new or empty")
                        .hinting("--force writes into it, replacing files of the same names"));
                }
                // Inside, because the folder may be a mount or a link to another file system.
                Unfinished::beside(&target.join("acrasin"))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Unfinished::beside(target),
            Err(error) => return Err(Failure::of_path(target, "used as a folder", &error)),
        };
        fs::create_dir(unfinished.path()).map_err(|error| Failure::of_path(target, "made", &error))?;
        Ok(Self { target: target.to_owned(), unfinished, repetitions, plots })
    }

    /// Writes what a repetition has of its own.
    pub(crate) fn write_repetition(&self, of: &Repetition<'_>) -> Result<(), Failure> {
        let number = if self.repetitions == 1 { String::new() } else { format!("-{}", of.number) };
        let has_plots = self.plots.has(of.number);
        if let Some(series) = of.series {
            self.write(&format!("counts{number}.csv"), &series.to_csv())?;
        }
        if let Some(series) = of.series.filter(|_| has_plots) {
            let mut options = PlotOptions::new(of.title);
            options.count_label = of.counted.to_owned();
            let plot = plot_svg(series, &options);
            let plot = plot.map_err(|error| Failure::of_machine(format_args!("counts.svg: {error}")))?;
            self.write(&format!("counts{number}.svg"), &plot)?;
        }
        if let Some(configuration) = of.configuration {
            self.write(&format!("configuration{number}.txt"), configuration)?;
        }
        for Snapshot { name, picture, drawing, .. } in of.snapshots {
            if let Some(picture) = picture.as_ref().filter(|_| has_plots) {
                self.write(&format!("{name}{number}.svg"), &picture.to_svg())?;
                self.write(&format!("{name}{number}.tex"), &picture.to_tikz())?;
            }
            if let Some(drawing) = drawing {
                self.write(&format!("{name}{number}.txt"), &drawing.to_string())?;
            }
        }
        Ok(())
    }

    /// Writes the records: the ones for programs as they are printed, the one for people with the machine.
    pub(crate) fn write_records(&self, plain: &[RunRecord], full: &[RunRecord]) -> Result<(), Failure> {
        let style = TextStyle::default();
        self.write("record.csv", &render_records(plain, Format::Csv, style))?;
        self.write("record.jsonl", &render_records(plain, Format::Jsonl, style))?;
        self.write("record.txt", &render_records(full, Format::Table, style))
    }

    /// Writes a file of the folder.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.unfinished.path().join(name);
        fs::write(&path, text).map_err(|error| self.failure(name, &error))
    }

    /// Gives the folder its name. Into a folder that is there the files are moved one by one, each complete.
    pub(crate) fn publish(self) -> Result<(), Failure> {
        let is_there = self.target.is_dir();
        if !is_there {
            let (target, unfinished) = (self.target, self.unfinished);
            return unfinished.publish(&target).map_err(|error| failure(&target, &error));
        }
        let entries = fs::read_dir(self.unfinished.path()).map_err(|error| failure(&self.target, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| failure(&self.target, &error))?;
            let target = self.target.join(entry.file_name());
            fs::rename(entry.path(), &target).map_err(|error| failure(&target, &error))?;
        }
        Ok(())
    }

    fn failure(&self, name: &str, error: &io::Error) -> Failure {
        failure(&self.target.join(name), error)
    }
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::of_machine(format_args!("{} cannot be written: {error}", path.display()))
}

/// What a repetition has of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repetition<'a> {
    pub(crate) number: u32,
    pub(crate) title: &'a str,
    pub(crate) counted: &'a str,
    pub(crate) series: Option<&'a Series>,
    pub(crate) configuration: Option<&'a str>,
    pub(crate) snapshots: &'a [Snapshot],
}
