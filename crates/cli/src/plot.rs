//! `acrasin plot`: rows of runs as a picture.

use std::fs;
use std::path::{Path, PathBuf};

use acrasin_report::plot::{Band, Group, PlotError, PlotOptions, Scale, Scales, shares_svg, values_svg};
use acrasin_report::record::Exit;
use acrasin_report::rows::Rows;
use acrasin_report::summary::{median, quantile};
use acrasin_report::table::{Column, Format, Table};
use acrasin_report::value::{TextStyle, Value};
use clap::{Args, ValueEnum};

use crate::arguments::FormatName;
use crate::destination::OutputFile;
use crate::output::{self, Verbosity};
use crate::{Failure, memory};

/// The arguments of `acrasin plot`.
#[derive(Args, Debug)]
pub(crate) struct PlotArguments {
    /// Rows as JSON lines or CSV: what `acrasin sweep` and `acrasin run` write, or a table of your own.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The column across: its name, or the end of it with spaces for `_`. What a sweep varied comes first.
    #[arg(long, value_name = "COLUMN")]
    x: String,
    /// The column upwards.
    #[arg(long, value_name = "COLUMN")]
    y: Option<String>,
    /// What is drawn: values of Y at each X, or how X is distributed.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = PlotKind::Values)]
    kind: PlotKind,
    /// A group, with a colour of its own, for each value of this column.
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Logarithmic axes; the line of least squares is straight on them.
    #[arg(long, value_enum, value_name = "AXES", num_args = 0..=1, default_missing_value = "xy")]
    log: Option<Logarithmic>,
    /// Above the picture. Default: what is drawn.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// How to write the numbers of the picture.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    format: FormatName,
    /// The picture, as SVG. A file that is there is replaced.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum PlotKind {
    /// Medians of Y at each X, bands from 5 to 95 % and between the quartiles, and a line of least squares.
    Values,
    /// The share of rows with at most so much X.
    Ecdf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Logarithmic {
    X,
    Y,
    Xy,
}

impl PlotArguments {
    fn scales(&self) -> Scales {
        let scale = |is_logarithmic| if is_logarithmic { Scale::Logarithmic } else { Scale::Linear };
        Scales {
            x: scale(matches!(self.log, Some(Logarithmic::X | Logarithmic::Xy))),
            y: scale(
                self.kind == PlotKind::Values && matches!(self.log, Some(Logarithmic::Y | Logarithmic::Xy)),
            ),
        }
    }

    fn title(&self) -> String {
        self.title.clone().unwrap_or_else(|| {
            let by = self.by.as_ref().map_or_else(String::new, |by| format!(", by {by}"));
            match (&self.y, self.kind) {
                (Some(y), PlotKind::Values) => format!("{y} against {}{by}", self.x),
                _ => format!("distribution of {}{by}", self.x),
            }
        })
    }
}

pub(crate) fn plot(arguments: &PlotArguments, verbosity: Verbosity) -> Result<Exit, Failure> {
    if arguments.output.as_deref().is_some_and(|output| is_same(output, &arguments.file)) {
        return Err(Failure::usage("the picture would replace the rows").accepting("another file for -o"));
    }
    let groups = groups(arguments, verbosity)?;
    let scales = arguments.scales();
    let mut options = PlotOptions::new(arguments.title());
    let (svg, numbers) = match arguments.kind {
        PlotKind::Values => {
            arguments.y.as_deref().unwrap_or_default().trim().clone_into(&mut options.count_label);
            (values_svg(&groups, arguments.x.trim(), scales, &options), of_values(arguments, &groups, scales))
        }
        PlotKind::Ecdf => {
            (shares_svg(&groups, arguments.x.trim(), scales.x, &options), of_shares(arguments, &groups))
        }
    };
    let svg = svg.map_err(|error: PlotError| Failure::usage(error))?;
    if let Some(path) = &arguments.output {
        OutputFile::or_stream(path)?.write(&svg)?;
    }
    output::print(&numbers)?;
    Ok(Exit::Done)
}

fn is_same(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// The points of the rows, by group, in the order of first appearance.
fn groups(arguments: &PlotArguments, verbosity: Verbosity) -> Result<Vec<Group>, Failure> {
    let path = &arguments.file;
    let metadata = path.metadata().map_err(|error| Failure::of_path(path, "read", &error))?;
    // The text, and as much again for the columns.
    let most = memory::bytes() / 2;
    if metadata.len() > most {
        let message = format!("{} has {} bytes", path.display(), metadata.len());
        return Err(Failure::usage(message).accepting(format!("up to {most}: half of the memory")));
    }
    let text = fs::read_to_string(path).map_err(|error| Failure::of_path(path, "read", &error))?;
    let in_file = |error: &dyn std::fmt::Display| Failure::usage(format_args!("{}:{error}", path.display()));
    let rows = Rows::read(&text).map_err(|error| in_file(&error))?;
    if rows.is_cut_off() {
        verbosity.say("the last line has no end and is left out");
    }
    let find = |flag: &str, wanted: &str| {
        let named = |error| Failure::usage(format_args!("--{flag}: {}: {error}", path.display()));
        rows.find(wanted).map_err(named)
    };
    let x = find("x", &arguments.x)?;
    let y = match (&arguments.y, arguments.kind) {
        (Some(y), PlotKind::Values) => find("y", y)?,
        (None, PlotKind::Values) => {
            return Err(
                Failure::usage("values need a column upwards").accepting("--y COLUMN, or --kind ecdf")
            );
        }
        // Of a distribution nothing is drawn upwards.
        _ => x,
    };
    let by = arguments.by.as_ref().map(|by| find("by", by)).transpose()?;
    let wanted: Vec<&str> = [x, y].into_iter().chain(by).collect();
    let columns = rows.columns(&wanted).map_err(|error| in_file(&error))?;
    let scales = arguments.scales();
    let mut found: Vec<Group> = Vec::new();
    let mut left_out = 0;
    for row in 0..rows.len() {
        let number = |column: usize, scale| as_number(&columns[column][row], wanted[column], scale, row);
        let (Some(x), Some(y)) = (number(0, scales.x)?, number(1, scales.y)?) else {
            left_out += 1;
            continue;
        };
        let name = columns.get(2).map_or_else(String::new, |by| by[row].to_text(TextStyle::PLAIN));
        let place = found.iter().position(|group| group.name == name).unwrap_or_else(|| {
            found.push(Group { name, points: Vec::new() });
            found.len() - 1
        });
        found[place].points.push((x, y));
    }
    if left_out > 0 {
        verbosity
            .say(format_args!("{left_out} of {} rows have no {x} or no {y} and are left out", rows.len()));
    }
    if found.is_empty() {
        let message = format!("no row of {} has both {x} and {y}", path.display());
        return Err(Failure::usage(message).accepting("columns of numbers"));
    }
    Ok(found)
}

/// The value of a column in a row, from 0; none if the row has none.
fn as_number(value: &Value, name: &str, scale: Scale, row: usize) -> Result<Option<f64>, Failure> {
    let row = row + 1;
    match value {
        Value::Missing => Ok(None),
        Value::Text(_) | Value::Flag(_) => {
            let text = value.to_text(TextStyle::PLAIN);
            Err(Failure::usage(format_args!("{name} of row {row} is no number: {text}"))
                .accepting("a column of numbers"))
        }
        number => match number.as_real() {
            Some(real) if scale == Scale::Logarithmic && real <= 0.0 => Err(Failure::usage(format_args!(
                "{name} of row {row} is {real}, and its axis is logarithmic"
            ))
            .accepting("numbers above 0, or --log for the other axis alone")),
            real => Ok(real),
        },
    }
}

/// The lines of least squares, then the bands; for programs one table of both.
fn of_values(arguments: &PlotArguments, groups: &[Group], scales: Scales) -> String {
    let by = || arguments.by.iter().map(|by| Column::new(by.trim()));
    let name =
        |group: &Group| arguments.by.iter().map(|_| group.name.as_str().into()).collect::<Vec<Value>>();
    let fitted = || ["runs", scales.slope_name(), "std. error"].map(Column::new);
    let mut lines = Table::new(by().chain(fitted()));
    let across = Column::new(arguments.x.trim());
    let of_bands = ["runs", "5 %", "25 %", "median", "75 %", "95 %"].map(Column::new);
    let is_for_people = arguments.format.0 == Format::Table;
    let more = fitted().into_iter().skip(1).filter(|_| !is_for_people);
    let mut bands = Table::new(by().chain([across]).chain(of_bands).chain(more));
    for group in groups {
        let fit = scales.fit(&group.points);
        let slope: [Value; 2] = [fit.map(|fit| fit.slope).into(), fit.and_then(|fit| fit.slope_error).into()];
        let count = group.points.len() as u64;
        lines.push([name(group), vec![count.into()], slope.clone().into()].concat());
        for Band { x, count, median, quantiles: [a, b, c, d], .. } in group.bands() {
            let row =
                [written(x), (count as u64).into(), a.into(), b.into(), median.into(), c.into(), d.into()];
            let more = if is_for_people { Vec::new() } else { slope.clone().into() };
            bands.push([name(group), row.into(), more].concat());
        }
    }
    let style = TextStyle::default();
    match arguments.format.0 {
        Format::Table => {
            format!("{}\n{}", lines.render(Format::Table, style), bands.render(Format::Table, style))
        }
        format => bands.render(format, style),
    }
}

/// A line a group: its least, its quantiles, its greatest.
fn of_shares(arguments: &PlotArguments, groups: &[Group]) -> String {
    let by = arguments.by.iter().map(|by| Column::new(by.trim()));
    let names = ["runs", "min", "5 %", "25 %", "median", "75 %", "95 %", "max"].map(Column::new);
    let mut table = Table::new(by.chain(names));
    for group in groups {
        let values: Vec<f64> = group.points.iter().map(|point| point.0).collect();
        let [a, b, c, d] = Band::SHARES.map(|share| Value::from(quantile(&values, share)));
        let row = [
            (values.len() as u64).into(),
            quantile(&values, 0.0).into(),
            a,
            b,
            median(&values).into(),
            c,
            d,
            quantile(&values, 1.0).into(),
        ];
        let name = arguments.by.iter().map(|_| group.name.as_str().into());
        table.push(name.chain(row).collect::<Vec<Value>>());
    }
    table.render(arguments.format.0, TextStyle::default())
}

/// Whole numbers without decimals.
fn written(x: f64) -> Value {
    if x >= 0.0 && x.fract() == 0.0 && x < 9e15 { Value::Integer(x as u64) } else { x.into() }
}
