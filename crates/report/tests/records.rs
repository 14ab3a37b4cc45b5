//! Tests of a full record and its repetitions, compared with golden files byte by byte.

use acrasin_report::record::{
    Ending, Figure, Manifest, ReplayFinding, RunRecord, Section, SectionName, figures_over_repetitions,
    render_records,
};
use acrasin_report::summary::Distribution;
use acrasin_report::table::Format;
use acrasin_report::value::{TextStyle, Value};

/// A record with every standard section, awkward names and numbers of all sizes.
fn full_record(repetition: u64) -> RunRecord {
    let mut manifest = Manifest::new("0.1.0", 18_446_744_073_709_551_615);
    manifest.scenario = Some("majority, \"embedded\"".into());
    manifest.scenario_text = Some("(seed: 1,\n protocol: \"majority\")\n".into());
    manifest.scenario_digest = Some("0f".repeat(16).into());
    manifest.rules = Some("local mutual exclusion, repaired".to_owned());
    manifest.threads = Some(2);
    manifest.processor = Some("Example CPU @ 2.0 GHz".to_owned());
    manifest.further.push(Figure::new("set", "--set", "work.stop=silent"));

    let reason = "every node has output A, and no interaction of any two states that are left changes a state of either \
                  of the two nodes";
    let mut record =
        RunRecord::new(repetition, manifest, Ending::Replayed(ReplayFinding::Reproduced, reason.to_owned()));

    let mut work = Section::of(SectionName::Work);
    work.push(Figure::new("interactions", "interactions", 123_456_789_u64 + repetition));
    work.push(Figure::new("parallel_time", "parallel time", 1_234.567_89 + repetition as f64));
    work.push(Figure::new("rounds", "rounds", None::<u64>));
    work.push(Figure::new("steps", "steps", 10_000_u64));
    record.push(work);

    let trials: Distribution = (0..100).map(|index| 1 + index % 7 + index / 90 * 50).collect();
    let messages: Distribution = (0..101).map(|index| 20 + index * index).collect();
    let mut locks = Section::of(SectionName::Locks);
    locks.push(Figure::new("completed", "Locks completed", 201_u64));
    locks.push(Figure::spread("trials", "trials per Lock", &trials));
    locks.push(Figure::spread("rounds", "time per Lock", &Distribution::new()).with_unit("rounds"));
    locks.push(Figure::spread("messages", "messages per Lock", &messages));
    locks.push(Figure::new("late_rejections", "late rejections", 3_u64));
    locks.push(Figure::new("longest_wait_rounds", "longest wait", 12_345_u64).with_unit("rounds"));
    locks.push(Figure::new("held", "nodes in a lock set", Value::Share(0.123_456)));
    record.push(locks);

    let mut topology = Section::of(SectionName::Topology);
    topology.push(Figure::new("refused_contacts", "refused contacts", 0_u64));
    topology.push(Figure::new("drift", "nodes gained", -12_i64));
    record.push(topology);

    let mut states = Section::of(SectionName::States);
    for (state, count) in [("A", 75_u64), ("<b>, \"c\"", 0), ("状態", 12_000), ("A", 1)] {
        states.push(Figure::new(state, state, count));
    }
    record.push(states);
    record
}

#[track_caller]
fn assert_golden(actual: &str, golden: &str) {
    assert!(actual == golden, "differs from the golden file; now:\n{actual}\ngolden:\n{golden}");
}

#[test]
fn one_record_as_text() {
    let records = [full_record(0)];
    let utf8 = render_records(&records, Format::Table, TextStyle::default());
    assert_golden(&utf8, include_str!("golden/record.txt"));
    let plain = render_records(&records, Format::Table, TextStyle::PLAIN);
    assert!(plain.contains("123456789") && !plain.contains('…'), "{plain}");
}

#[test]
fn repetitions_as_text() {
    let records = [0, 1, 2].map(full_record);
    assert_golden(
        &render_records(&records, Format::Table, TextStyle::default()),
        include_str!("golden/repetitions.txt"),
    );
}

#[test]
fn repetitions_as_csv() {
    let records = [0, 1].map(full_record);
    assert_golden(
        &render_records(&records, Format::Csv, TextStyle::default()),
        include_str!("golden/record.csv"),
    );
}

#[test]
fn repetitions_as_json_lines() {
    let records = [0, 1].map(full_record);
    let lines = render_records(&records, Format::Jsonl, TextStyle::default());
    assert_golden(&lines, include_str!("golden/record.jsonl"));
}

/// A CSV column has the name of its path in the JSON object.
#[test]
fn csv_columns_are_paths_in_the_json_object() {
    let records = [full_record(0)];
    let table = acrasin_report::record::records_table(&records);
    let object: serde_json::Value = serde_json::from_str(&records[0].to_json_line()).expect("valid JSON");
    assert!(table.keys().len() > 30);
    for (key, cell) in table.keys().iter().zip(&table.rows()[0]) {
        let found = key.split('.').try_fold(&object, |object, name| object.get(name));
        let expected = serde_json::to_value(cell).expect("serializes");
        assert_eq!(found, Some(&expected), "{key}");
    }
}

#[test]
fn every_row_of_csv_has_the_fields_of_the_header() {
    let csv = render_records(&[0, 1].map(full_record), Format::Csv, TextStyle::default());
    let rows = read_csv(&csv);
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{rows:?}");
    let column = rows[0].iter().position(|name| name == "states.<b>, \"c\"").expect("the name reads back");
    assert_eq!(rows[1][column], "0");
}

/// Parses RFC 4180 without sharing code with the writer.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            other => field.push(other),
        }
    }
    assert!(!quoted && field.is_empty() && row.is_empty(), "ends within a record");
    rows
}

#[test]
fn text_fits_one_hundred_columns() {
    let text = full_record(0).to_text(TextStyle::default());
    for line in text.lines() {
        // These two characters take two columns each.
        let columns = line.chars().count() + line.matches(['状', '態']).count();
        assert!(columns <= 100, "{line}");
    }
}

#[test]
fn figures_over_repetitions_know_their_error() {
    let table = figures_over_repetitions(&[0, 1, 2].map(full_record));
    let interactions = &table.rows()[0];
    assert_eq!(interactions[1], Value::from("interactions"));
    assert_eq!(interactions[2], Value::Integer(3));
    assert_eq!(interactions[3], Value::Real(123_456_790.0));
    // s² = 1 over three repetitions.
    assert_eq!(interactions[4], Value::Real((1.0_f64 / 3.0).sqrt()));
}
