//! What is known of runs before they are run: for `--dry-run`.

use acrasin_report::table::{Column, Format, Table};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::plan::readable;
use acrasin_scenario::{Foreseen, Runnable};

use crate::arguments::RunArguments;

/// What `acrasin run` would run.
pub(crate) fn of_run(plan: &dyn Runnable, arguments: &RunArguments) -> String {
    let foreseen = plan.foreseen();
    let seed = arguments.seed.or(plan.seed());
    let mut rows: Vec<(String, Value)> = vec![
        ("runs".to_owned(), u64::from(arguments.reps).into()),
        ("seed".to_owned(), seed.map_or("drawn when it runs".to_owned(), |seed| seed.to_string()).into()),
        ("memory of a run".to_owned(), format!("at most about {}", readable(plan.bytes())).into()),
        ("work of a run".to_owned(), work(&foreseen).into()),
        ("CPU seconds of a run".to_owned(), seconds(&foreseen).into()),
    ];
    rows.extend(plan.parameters().into_iter().map(|(name, value)| (name, value.into())));
    let mut table = Table::new(["what", "value"].map(Column::new));
    rows.into_iter().for_each(|(name, value)| table.push([name.into(), value]));
    match arguments.format.0 {
        Format::Table => table.render(Format::Table, TextStyle::default()),
        format => table.render(format, TextStyle::PLAIN),
    }
}

/// What a run does at most.
pub(crate) fn work(foreseen: &Foreseen) -> String {
    let bounds: Vec<String> = foreseen.bounds.iter().map(|(what, most)| format!("{most} {what}")).collect();
    match bounds[..] {
        [] => "not known: until a stop condition holds".to_owned(),
        _ => format!("at most {}", bounds.join(" or ")),
    }
}

/// How long that takes, where operations can be counted.
pub(crate) fn seconds(foreseen: &Foreseen) -> String {
    let most = foreseen.bounds.iter().find(|(what, _)| *what == "interactions").map(|&(_, most)| most as f64);
    match (foreseen.nanoseconds, most) {
        (Some(each), Some(most)) => {
            format!("at most about {:.2e}, if interactions cost what they do at the start", each * most / 1e9)
        }
        (Some(each), None) => format!("not known: about {each:.2e} ns an interaction at the start"),
        (None, _) => "not known: no count of operations".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_said() {
        let mut foreseen = Foreseen::default();
        assert!(work(&foreseen).starts_with("not known") && seconds(&foreseen).starts_with("not known"));
        foreseen.nanoseconds = Some(2.0);
        assert_eq!(seconds(&foreseen), "not known: about 2.00e0 ns an interaction at the start");
        foreseen.bounds = vec![("rounds", 7), ("interactions", 1_000_000_000)];
        assert_eq!(work(&foreseen), "at most 7 rounds or 1000000000 interactions");
        assert!(seconds(&foreseen).starts_with("at most about 2.00e0, "));
    }
}
