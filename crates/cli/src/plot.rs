//! `acrasin plot`: draws columns of a table of runs.
//!
//! - `picture_file.rs`: the formats of the file.

mod picture_file;

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use acrasin_graphs::read::open;
use acrasin_output::{is_stream, standing};
use acrasin_report::plot::{Band, Group, PlotError, PlotOptions, Scale, Scales, shares_svg, values_svg};
use acrasin_report::record::Exit;
use acrasin_report::rows::{ColumnTitle, Rows};
use acrasin_report::summary::{median, quantile};
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::plan::readable;
use clap::{Args, ValueEnum};

use self::picture_file::PictureFormat;
use crate::arguments::FormatName;
use crate::output::{self, Verbosity};
use crate::{Failure, memory, stream};

/// The arguments of `acrasin plot`.
#[derive(Args, Debug)]
pub(crate) struct PlotArguments {
    /// Rows as JSON lines or CSV, written by `acrasin sweep` and `acrasin run`, or another table.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The column of the horizontal axis: its name or the end of its name, in which spaces may stand for `_`. Columns
    /// varied by a sweep are preferred.
    #[arg(long, value_name = "COLUMN")]
    x: String,
    /// The column of the vertical axis, written in the same way. Results are preferred to parameters.
    #[arg(long, value_name = "COLUMN")]
    y: Option<String>,
    /// The kind of plot: values of Y at each X, or the distribution of X.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = PlotKind::Values)]
    kind: PlotKind,
    /// Draw a group in its own colour for each value of this column.
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Logarithmic axes. The least-squares line is fitted to the logarithms.
    #[arg(long, value_enum, value_name = "AXES", num_args = 0..=1, default_missing_value = "xy")]
    log: Option<Logarithmic>,
    /// The title. Default: a description of the plot.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The title of the horizontal axis. Default: the column in words, with its unit.
    #[arg(long, value_name = "TEXT")]
    xlabel: Option<String>,
    /// The title of the vertical axis. Default: the column in words, with its unit.
    #[arg(long, value_name = "TEXT")]
    ylabel: Option<String>,
    /// Width and height in pixels, from 480x280 to 8192x8192. A PDF has 96 pixels per inch.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "720x440", value_parser = size)]
    size: (u32, u32),
    /// Format of the numbers of the plot.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    format: FormatName,
    /// The file of the plot. The ending of its name gives the format: `.svg`, or `.pdf` and `.png` in a program built
    /// with the feature `figures`. An existing file is replaced. Runs that ended at a limit are drawn as crosses.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum PlotKind {
    /// Medians of Y at each X, bands from 5 to 95 % and between the quartiles, and a least-squares line.
    Values,
    /// The fraction of rows with at most this X.
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

    /// The titles and size of the plot; `x`, `y` and `by` are the full names of the columns.
    fn options(&self, PlotColumns { x, y, by }: &PlotColumns) -> Result<PlotOptions, PlotError> {
        let title = || {
            let name = |column: &str| ColumnTitle::of(column).name().to_owned();
            let by = by.as_ref().map_or_else(String::new, |by| format!(", by {}", name(by)));
            match self.kind {
                PlotKind::Values => format!("{} against {}{by}", name(y), name(x)),
                PlotKind::Ecdf => format!("distribution of {}{by}", name(x)),
            }
        };
        let counted = || match self.kind {
            PlotKind::Values => ColumnTitle::of(y).to_string(),
            PlotKind::Ecdf => "share of the runs".to_owned(),
        };
        PlotOptions::new(self.title.clone().unwrap_or_else(title))
            .counting(self.ylabel.clone().unwrap_or_else(counted))
            .sized(self.size.0, self.size.1)
    }
}

/// Parses width and height, and checks that a plot can have this size.
fn size(text: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once(['x', 'X', '×']).map(|(width, height)| (width.parse(), height.parse()));
    let Some((Ok(width), Ok(height))) = numbers else {
        return Err("a size is width and height in pixels, written as 720x440".to_owned());
    };
    PlotOptions::new("").sized(width, height).map_err(|error| error.to_string())?;
    Ok((width, height))
}

/// The full names of the columns that are drawn. A distribution has no y column.
struct PlotColumns {
    x: String,
    y: String,
    by: Option<String>,
}

pub(crate) fn plot(arguments: &PlotArguments, verbosity: Verbosity) -> Result<Exit, Failure> {
    if arguments.output.as_deref().is_some_and(|output| is_same(output, &arguments.file)) {
        return Err(Failure::usage("the picture would replace the rows").accepting("another file for -o"));
    }
    let output =
        arguments.output.as_deref().map(|path| Ok::<_, Failure>((path, format_of(path)?))).transpose()?;
    let (columns, groups) = groups(arguments, verbosity)?;
    let scales = arguments.scales();
    let options = arguments.options(&columns).map_err(Failure::usage)?;
    let x_label = arguments.xlabel.clone().unwrap_or_else(|| ColumnTitle::of(&columns.x).to_string());
    let (svg, numbers) = match arguments.kind {
        PlotKind::Values => {
            (values_svg(&groups, &x_label, scales, &options), of_values(arguments, &groups, scales))
        }
        PlotKind::Ecdf => (shares_svg(&groups, &x_label, scales.x, &options), of_shares(arguments, &groups)),
    };
    let svg = svg.map_err(|error: PlotError| Failure::usage(error))?;
    if let Some((path, format)) = output {
        let bytes = format.encode(svg)?;
        stream::write(path, &bytes)?;
    }
    output::print(&numbers)?;
    Ok(Exit::Done)
}

/// The format that the ending of a file name selects. Links are refused before that.
fn format_of(path: &Path) -> Result<PictureFormat, Failure> {
    if !is_stream(path) {
        standing(path)?;
    }
    PictureFormat::of(path)
}

fn is_same(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// Reads the rows, and returns the plotted columns and the points of each group, in the order in which groups first
/// appear.
fn groups(arguments: &PlotArguments, verbosity: Verbosity) -> Result<(PlotColumns, Vec<Group>), Failure> {
    let path = &arguments.file;
    let text = rows_text(path)?;
    let in_file = |error: &dyn std::fmt::Display| Failure::usage(format_args!("{}:{error}", path.display()));
    let rows = Rows::read(&text).map_err(|error| in_file(&error))?;
    if rows.is_cut_off() {
        verbosity.say("the last line is incomplete and is left out");
    }
    let find = |flag: &str, wanted: &str| {
        let is_result = flag == "y" || flag == "x" && arguments.kind == PlotKind::Ecdf;
        let found = if is_result { rows.find_result(wanted) } else { rows.find_varied(wanted) };
        found.map_err(|error| Failure::usage(format_args!("--{flag}: {}: {error}", path.display())))
    };
    let x = find("x", &arguments.x)?;
    let exit = rows.names().iter().find(|name| *name == EXIT_CODE).map(String::as_str);
    let y = match (&arguments.y, arguments.kind) {
        (Some(y), PlotKind::Values) => find("y", y)?,
        (None, PlotKind::Values) => {
            return Err(Failure::usage("a plot of values needs a column for the vertical axis")
                .accepting("--y COLUMN, or --kind ecdf"));
        }
        // A distribution has no y column.
        _ => x,
    };
    let by = arguments.by.as_ref().map(|by| find("by", by)).transpose()?;
    let wanted: Vec<&str> = [x, y].into_iter().chain(by).chain(exit).collect();
    fits(path, &text, &rows, wanted.len())?;
    let columns = rows.columns(&wanted).map_err(|error| in_file(&error))?;
    let scales = arguments.scales();
    let mut found: Vec<Group> = Vec::new();
    let mut left_out = 0;
    // All columns have the length of the table.
    #[allow(clippy::needless_range_loop, reason = "the loop reads one row of all columns")]
    for row in 0..rows.len() {
        let number = |column: usize, scale| as_number(&columns[column][row], wanted[column], scale, row);
        let (Some(x), Some(y)) = (number(0, scales.x)?, number(1, scales.y)?) else {
            left_out += 1;
            continue;
        };
        let name = by.map_or_else(String::new, |_| columns[2][row].to_text(TextStyle::PLAIN));
        let place = found.iter().position(|group| group.name == name).unwrap_or_else(|| {
            found.push(Group { name, points: Vec::new(), unfinished: Vec::new() });
            found.len() - 1
        });
        found[place].points.push((x, y));
        let exit = exit.map(|_| &columns[wanted.len() - 1][row]);
        if exit.is_some_and(|exit| UNFINISHED.map(Value::Integer).contains(exit)) {
            found[place].unfinished.push((x, y));
        }
    }
    let unfinished: usize = found.iter().map(|group| group.unfinished.len()).sum();
    if unfinished > 0 {
        let drawn: usize = found.iter().map(|group| group.points.len()).sum();
        verbosity.say(format_args!(
            "note: {unfinished} of {drawn} runs were ended by a limit or an interruption: their values are those at that \
             moment"
        ));
    }
    if left_out > 0 {
        verbosity
            .say(format_args!("{left_out} of {} rows have no {x} or no {y} and are left out", rows.len()));
    }
    if found.is_empty() {
        let message = format!("no row of {} has both {x} and {y}", path.display());
        return Err(Failure::usage(message).accepting("columns of numbers"));
    }
    Ok((PlotColumns { x: x.to_owned(), y: y.to_owned(), by: by.map(str::to_owned) }, found))
}

/// The name of the column with the exit code of a run.
const EXIT_CODE: &str = "outcome.exit_code";
/// The exit codes of runs that a limit or the user ended.
const UNFINISHED: [u64; 2] = [3, 130];

/// Reads a file of rows into memory.
pub(crate) fn rows_text(path: &Path) -> Result<String, Failure> {
    let unread = |error: &io::Error| Failure::of_path(path, "read", error);
    let file = open(path).map_err(|error| unread(&error))?;
    // The text can take twice its size while it grows, and the columns take as much again.
    let most = memory::bytes() / 4;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unread(&error))?;
    if bytes.len() as u64 > most {
        let message = format!("{} has more than {}", path.display(), readable(most.into()));
        return Err(Failure::usage(message).accepting("a quarter of the memory that this process may have"));
    }
    if let Err(error) = acrasin_graphs::read::utf8(&bytes) {
        let (line, problem) = (error.line(), error.problem());
        return Err(Failure::usage(format_args!("{}:{line}: not text: {problem}", path.display()))
            .accepting(format_args!("rows, JSON lines or CSV, as {}", error.accepted())));
    }
    Ok(String::from_utf8(bytes).expect("it has been looked at"))
}

/// The maximum number of bytes per row, for its point, its entry in the bands, and the sorted copies of both.
const ROW_BYTES: u64 = 160;

/// Refuses rows if their columns and the text of the file do not fit into memory together.
fn fits(path: &Path, text: &str, rows: &Rows<'_>, columns: usize) -> Result<(), Failure> {
    let each = ROW_BYTES + columns as u64 * size_of::<Value>() as u64;
    // The texts of a column are copied into the values, and into the names of groups.
    let needed = (rows.len() as u64).saturating_mul(each).saturating_add(2 * text.len() as u64);
    // A growing vector exists twice for a moment.
    let most = memory::budget(memory::bytes(), 1);
    if needed <= most {
        return Ok(());
    }
    let [needed, most] = [needed, most].map(|bytes| readable(bytes.into()));
    let message = format!("{}: {} rows need up to {needed} of memory", path.display(), rows.len());
    Err(Failure::usage(message).accepting(format_args!("rows that fit into {most}")))
}

/// The largest magnitude of a number that is drawn. The width of an axis must be finite.
const LARGEST: f64 = 1e300;
/// The maximum number of bytes of a value that a message shows.
const VALUE_SHOWN: usize = 60;

/// The value of a column in the row of this index, from 0; `None` if the value is missing.
fn as_number(value: &Value, name: &str, scale: Scale, row: usize) -> Result<Option<f64>, Failure> {
    let row = row + 1;
    match value {
        Value::Missing => Ok(None),
        Value::Text(_) | Value::Flag(_) => {
            let text = output::without_middle(&value.to_text(TextStyle::PLAIN), VALUE_SHOWN);
            Err(Failure::usage(format_args!("{name} of row {row} is not a number: {text}"))
                .accepting("a column of numbers"))
        }
        number => match number.as_real() {
            Some(real) if real.abs() > LARGEST => {
                Err(Failure::usage(format_args!("{name} of row {row} is {real:e}"))
                    .accepting(format_args!("numbers from -{LARGEST:e} to {LARGEST:e}")))
            }
            Some(real) if scale == Scale::Logarithmic && real <= 0.0 => {
                let text = output::without_middle(&real.to_string(), VALUE_SHOWN);
                Err(Failure::usage(format_args!(
                    "{name} of row {row} is {text}, and its axis is logarithmic"
                ))
                .accepting("numbers above 0, or --log for the other axis only"))
            }
            real => Ok(real),
        },
    }
}

/// The numbers of a plot of values: the least-squares lines, then the bands. In formats for programs, one table has
/// both.
fn of_values(arguments: &PlotArguments, groups: &[Group], scales: Scales) -> String {
    let by = || arguments.by.iter().map(|by| Column::new(by.trim()));
    let name =
        |group: &Group| arguments.by.iter().map(|_| group.name.as_str().into()).collect::<Vec<Value>>();
    let fitted = || ["runs", scales.slope_name(), "std. error"].map(Column::new);
    let mut lines = ResultTable::new(by().chain(fitted()));
    let across = Column::new(arguments.x.trim());
    let is_censored = groups.iter().any(|group| !group.unfinished.is_empty());
    let at_a_limit = is_censored.then_some("at a limit");
    let of_bands = ["runs"].into_iter().chain(at_a_limit).chain(["5 %", "25 %", "median", "75 %", "95 %"]);
    let is_for_people = arguments.format.0 == Format::Table;
    let more = fitted().into_iter().skip(1).filter(|_| !is_for_people);
    let mut bands = ResultTable::new(by().chain([across]).chain(of_bands.map(Column::new)).chain(more));
    for group in groups {
        let fit = scales.fit(&group.points);
        let slope: [Value; 2] = [fit.map(|fit| fit.slope).into(), fit.and_then(|fit| fit.slope_error).into()];
        let count = group.points.len() as u64;
        lines.push([name(group), vec![count.into()], slope.clone().into()].concat());
        for Band { x, count, median, quantiles: [a, b, c, d], .. } in group.bands() {
            let ended = group.unfinished.iter().filter(|point| point.0 == x).count() as u64;
            let ended = at_a_limit.map(|_| ended.into()).into_iter().collect();
            let row = vec![a.into(), b.into(), median.into(), c.into(), d.into()];
            let more = if is_for_people { Vec::new() } else { slope.clone().into() };
            bands.push([name(group), vec![written(x), (count as u64).into()], ended, row, more].concat());
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

/// The numbers of a plot of distributions, one row per group: minimum, quantiles, maximum.
fn of_shares(arguments: &PlotArguments, groups: &[Group]) -> String {
    let by = arguments.by.iter().map(|by| Column::new(by.trim()));
    let names = ["runs", "min", "5 %", "25 %", "median", "75 %", "95 %", "max"].map(Column::new);
    let mut table = ResultTable::new(by.chain(names));
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

/// A number as a value; whole numbers have no decimals.
fn written(x: f64) -> Value {
    if x >= 0.0 && x.fract() == 0.0 && x < 9e15 { Value::Integer(x as u64) } else { x.into() }
}
