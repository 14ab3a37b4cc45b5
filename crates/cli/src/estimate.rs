//! Estimates the cost of runs before they are executed, for `--dry-run`.

use acrasin_process::Measure;
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::Runnable;
use acrasin_scenario::plan::readable;

use crate::arguments::RunArguments;

/// The lines that `acrasin run --dry-run` prints about the cost.
pub(crate) fn of_run(plan: &dyn Runnable, arguments: &RunArguments) -> String {
    let header = plan.header();
    let seed = arguments.seed.or(plan.header().seed);
    let mut rows: Vec<(String, Value)> = vec![
        ("runs".to_owned(), u64::from(arguments.reps).into()),
        ("seed".to_owned(), seed.map_or("drawn when it runs".to_owned(), |seed| seed.to_string()).into()),
        ("memory of a run".to_owned(), format!("at most about {}", readable(plan.header().bytes)).into()),
        ("work of a run".to_owned(), work(&header.bounds).into()),
        ("CPU time of a run".to_owned(), seconds(&header.bounds, header.nanoseconds).into()),
    ];
    rows.extend(plan.header().parameters.clone().into_iter().map(|(name, value)| (name, value.into())));
    let mut table = ResultTable::new(["what", "value"].map(Column::new));
    rows.into_iter().for_each(|(name, value)| table.push([name.into(), value]));
    match arguments.format.0 {
        Format::Table => table.render(Format::Table, TextStyle::default()),
        format => table.render(format, TextStyle::PLAIN),
    }
}

/// The maximum work of a run, as text.
pub(crate) fn work(bounds: &[(Measure, u64)]) -> String {
    let count = |most: u64| Value::Integer(most).to_text(TextStyle::default());
    let bounds: Vec<String> =
        bounds.iter().map(|(what, most)| format!("{} {}", count(*most), what.noun())).collect();
    match bounds[..] {
        [] => "unknown: until a stop condition holds".to_owned(),
        _ => format!("at most {}", bounds.join(" or ")),
    }
}

/// The estimated time for work within these bounds, as text, from the nanoseconds per operation if known.
pub(crate) fn seconds(bounds: &[(Measure, u64)], nanoseconds: Option<f64>) -> String {
    let most = bounds.iter().find(|(what, _)| *what == Measure::Interactions).map(|&(_, most)| most as f64);
    match (nanoseconds, most) {
        (Some(each), Some(most)) => {
            let time = duration(each * most / 1e9);
            format!("at most about {time}, if interactions keep the cost that they have at the start")
        }
        (Some(each), None) => {
            format!("unknown: about {} per interaction at the start", duration(each / 1e9))
        }
        (None, _) => "unknown: operations cannot be counted".to_owned(),
    }
}

/// Seconds in a suitable unit, with two digits.
fn duration(seconds: f64) -> String {
    // Units, each with the value from which it is used. For example, times are in seconds up to two minutes.
    const UNITS: [(f64, f64, &str); 7] = [
        (365.25 * 86400.0, 2.0, "years"),
        (86400.0, 2.0, "days"),
        (3600.0, 2.0, "h"),
        (60.0, 2.0, "min"),
        (1.0, 1.0, "s"),
        (1e-3, 1.0, "ms"),
        (1e-6, 1.0, "µs"),
    ];
    let unit = UNITS.into_iter().find(|(unit, least, _)| seconds >= least * unit);
    let (unit, _, name) = unit.unwrap_or((1e-9, 0.0, "ns"));
    let count = seconds / unit;
    match count {
        1e6.. => format!("{count:.1e} {name}"),
        // An interaction of a large population may cost a fraction of the last unit.
        1e-99..1e-3 => format!("{count:.1e} {name}"),
        1e-3..0.095 => format!("{count:.*} {name}", (1.0 - count.log10().floor()) as usize),
        9.95.. => format!("{} {name}", Value::Integer(count.round() as u64).to_text(TextStyle::default())),
        _ => format!("{count:.1} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_said() {
        assert!(work(&[]).starts_with("unknown") && seconds(&[], None).starts_with("unknown"));
        assert_eq!(seconds(&[], Some(2.0)), "unknown: about 2.0 ns per interaction at the start");
        let bounds = [(Measure::Rounds, 7), (Measure::Interactions, 1_000_000_000)];
        assert_eq!(work(&bounds), "at most 7 rounds or 1 000 000 000 interactions");
        assert!(seconds(&bounds, Some(2.0)).starts_with("at most about 2.0 s, "));
    }

    #[test]
    fn durations_are_in_the_unit_in_which_people_say_them() {
        for (seconds, said) in [
            (0.0, "0.0 ns"),
            (3.5e-9, "3.5 ns"),
            (9.4e-10, "0.9 ns"),
            (1e-10, "0.1 ns"),
            (3.14e-11, "0.031 ns"),
            (9.4e-12, "0.0094 ns"),
            (2e-15, "2.0e-6 ns"),
            (0.05, "50 ms"),
            (0.999, "999 ms"),
            (1.0, "1.0 s"),
            (119.0, "119 s"),
            (120.0, "2.0 min"),
            (86400.0, "24 h"),
            (1e6, "12 days"),
            (1e9, "32 years"),
            (1e13, "316 881 years"),
            (1e20, "3.2e12 years"),
        ] {
            assert_eq!(duration(seconds), said);
        }
    }
}
