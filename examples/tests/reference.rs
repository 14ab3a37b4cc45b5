//! Compares the generated pages of `docs/reference` with the output of the program. With the variable `ACRASIN_BLESS`
//! set, they are written instead.

use std::fmt::Write as _;
use std::path::Path;

use acrasin::cli::list::ListKind;
use acrasin::report::rows::ColumnTitle;
use acrasin::scenario::Catalogue;

const MADE: &str =
    "<!-- Made by `ACRASIN_BLESS=1 cargo test -p acrasin-examples --test integration reference`. -->\n";

/// The lists: heading, argument of `acrasin list`, and kind of entry.
const LISTS: [(&str, &str, ListKind); 14] = [
    ("Scenarios", "scenarios", ListKind::Scenarios),
    ("Protocols", "protocols", ListKind::Protocols),
    ("Graphs", "graphs", ListKind::Graphs),
    ("Rungs", "rungs", ListKind::Rungs),
    ("Schedulers", "schedulers", ListKind::Schedulers),
    ("Adversaries", "adversaries", ListKind::Adversaries),
    ("Disturbances", "disturbances", ListKind::Disturbances),
    ("Mutual exclusion", "exclusion", ListKind::Exclusion),
    ("Rules", "rules", ListKind::Rules),
    ("Work", "work", ListKind::Work),
    ("Stop conditions", "stops", ListKind::Stops),
    ("Amoebot algorithms", "amoebots", ListKind::Amoebots),
    ("Starts of amoebots", "starts", ListKind::Starts),
    ("Objects", "objects", ListKind::Objects),
];

/// Compares a page with the expected text, or writes it.
fn settle(page: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference").join(page);
    if std::env::var_os("ACRASIN_BLESS").is_some() {
        std::fs::write(path, expected).unwrap();
        return;
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(found == expected, "{page} is out of date; its first line comments how it is made: {differs:?}");
}

#[test]
fn the_lists_of_the_reference_are_those_of_the_command() {
    let catalogue = Catalogue::shipped();
    let mut text = format!(
        "{MADE}\n# Names in scenarios\n\nWhat `acrasin list` prints. Each list is also printed alone, by the command above it; `--format \
         csv` and `--format jsonl`\nare for programs.\n"
    );
    for (heading, word, kind) in LISTS {
        write!(
            text,
            "\n## {heading}\n\n`acrasin list {word}`\n\n| name | parameters | what |\n|---|---|---|\n"
        )
        .unwrap();
        for item in kind.items(&catalogue) {
            let cell = |text: &str| text.replace('|', "\\|");
            let parameters = cell(&item.parameters);
            let proved = match &*item.proved {
                "" => String::new(),
                claim => format!("; proved for every population size: {}", cell(claim)),
            };
            writeln!(text, "| `{}` | {parameters} | {}{proved} |", item.name, cell(&item.summary)).unwrap();
        }
    }
    settle("lists.md", &text);
}

#[test]
fn the_fields_of_the_reference_are_those_that_are_read() {
    for (page, heading, text, from) in [
        (
            "scenario.md",
            "Fields of a scenario",
            include_str!("../../crates/scenario/reference.ron"),
            "crates/scenario/reference.ron",
        ),
        (
            "amoebots.md",
            "Fields of a scenario of amoebots",
            include_str!("../../crates/scenario/amoebots.ron"),
            "crates/scenario/amoebots.ron",
        ),
        (
            "reactions.md",
            "Fields of a scenario of reactions",
            include_str!("../../crates/scenario/reactions.ron"),
            "crates/scenario/reactions.ron",
        ),
    ] {
        let page_text = format!(
            "{MADE}\n# {heading}\n\nThis is [`{from}`](../../{from}), a scenario with every field, which the tests read and compare \
             with the program.\n\n```ron\n{text}```\n"
        );
        settle(page, &page_text);
    }
}

/// The page mentions every column of the rows of all kinds of scenarios.
#[test]
fn every_column_is_in_the_reference() {
    let page = include_str!("../../docs/reference/columns.md");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (scenario, set) in [
        ("examples/00_exact_majority.ron", "seed=1"),
        ("examples/00_exact_majority.ron", "rung=F3"),
        ("examples/15_uniform_pairs.ron", "topology.nodes=100"),
        ("examples/12_waves_epidemic.ron", "topology=Torus(rows: 9, columns: 9)"),
        ("examples/16_token_on_a_tree.ron", "seed=1"),
        ("examples/18_load_balancing.ron", "seed=1"),
        ("examples/laws/matchings.ron", "topology.nodes=100"),
        ("examples/laws/epidemic-on-a-graph.ron", "seed=1"),
        ("amoebot/scenarios/erosion.ron", "amoebots.start.count=20"),
        ("amoebot/scenarios/forest.ron", "amoebots.start.count=20"),
        ("amoebot/scenarios/compression.ron", "stop=Steps(1000)"),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_guide_command"));
        let output = command.args(["run", scenario, "--format", "csv", "--set", set]).current_dir(root);
        let output = output.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for column in text.lines().next().unwrap_or_default().split(',') {
            let (section, name) = column.split_once('.').unwrap_or(("", column));
            let free = ["states", "outputs", "scenario"].contains(&section);
            let name = ["count", "mean", "median", "percentile_95", "min", "max"]
                .iter()
                .find_map(|suffix| name.strip_suffix(suffix)?.strip_suffix('.'))
                .unwrap_or(name);
            let named = if section.is_empty() { format!("`{name}`") } else { format!("`{section}.{name}`") };
            assert!(
                free || page.contains(&named),
                "{scenario}, {set}: `{column}` is not in columns.md; {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}

/// The columns of a page of tables that have a unit: the column and the unit.
fn units(page: &str) -> Vec<(String, String)> {
    let mut units = Vec::new();
    let mut has_units = false;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, columns, unit, _, _] = cells[..] else {
            has_units = false;
            continue;
        };
        has_units |= unit == "unit";
        // One unit for all columns of a line, or one for each of them.
        let of_each: Vec<&str> = unit.split(',').map(str::trim).collect();
        let columns = columns.split(", ").map(|column| column.trim_matches('`'));
        let units_of =
            columns.enumerate().map(|(at, column)| (column, *of_each.get(at).unwrap_or(&of_each[0])));
        let named = units_of
            .filter(|(column, unit)| column.contains('.') && !unit.is_empty() && *unit != "yes or no");
        if has_units {
            units.extend(named.map(|(column, unit)| (column.to_owned(), unit.to_owned())));
        }
    }
    units
}

/// The units of the reference stand in the axis titles of plots.
#[test]
fn axis_titles_have_the_units_of_the_columns() {
    let page = include_str!("../../docs/reference/columns.md");
    let units = units(page);
    assert!(
        units.len() > 30 && units.contains(&("work.time".to_owned(), "time unit of the rates".to_owned()))
    );
    for (column, unit) in units {
        let title = ColumnTitle::of(&column).to_string();
        assert!(title.contains(&unit), "{column} has the unit {unit}, and the title: {title}");
        let mean = ColumnTitle::of(&format!("{column}.mean")).to_string();
        assert_eq!(mean, format!("mean {title}"));
    }
}
