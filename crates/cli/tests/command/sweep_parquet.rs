//! `acrasin sweep -o rows.parquet`, with and without the feature `parquet`.

use crate::program::Scratch;

/// Two sizes under two schedulers, three runs each: columns of numbers, texts and flags, some with empty cells.
const SWEEP: [&str; 8] = [
    "sweep",
    "m.ron",
    "--over",
    "topology.nodes=[20, 40]",
    "--over",
    "scheduler=[UniformPairs, Sequential]",
    "--reps",
    "3",
];

fn place() -> Scratch {
    let place = Scratch::new();
    place.file("m.ron", crate::sweep::MAJORITY);
    place
}

/// The message names the feature, and nothing is written.
#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_a_parquet_file_is_refused_by_its_name() {
    let place = place();
    let refused = place.run(&[&SWEEP[..], &["-o", "rows.parquet"]].concat()).exits(2);
    assert!(
        refused.err.contains("rows.parquet") && refused.err.contains("feature `parquet`"),
        "{}",
        refused.err
    );
    assert!(refused.err.contains(".csv or .jsonl"), "{}", refused.err);
    assert_eq!(place.names(), ["m.ron"]);
}

#[cfg(feature = "parquet")]
mod with_the_feature {
    use std::fs::{self, File};

    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    use super::{SWEEP, place};

    const TO_PARQUET: [&str; 2] = ["-o", "rows.parquet"];

    /// The file has every field of a CSV file of the same sweep, and no others.
    #[test]
    fn the_columns_are_those_of_csv_with_their_kinds() {
        let place = place();
        place.run(&[&SWEEP[..], &["-o", "rows.csv"]].concat()).exits(0);
        place.run(&[&SWEEP[..], &TO_PARQUET].concat()).exits(0);
        assert_eq!(place.names(), ["m.ron", "rows.csv", "rows.parquet"]);
        let mut csv = csv::Reader::from_path(place.path().join("rows.csv")).unwrap();
        let names: Vec<String> = csv.headers().unwrap().iter().map(str::to_owned).collect();
        let reader =
            SerializedFileReader::new(File::open(place.path().join("rows.parquet")).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 12);
        let mut seen = [0; 5];
        for (row, record) in rows.iter().zip(csv.records().map(Result::unwrap)) {
            let found: Vec<_> = row.get_column_iter().collect();
            assert_eq!(found.len(), names.len());
            for (((name, value), expected_name), expected) in found.into_iter().zip(&names).zip(&record) {
                assert_eq!(name, expected_name);
                let (kind, text) = match value {
                    Field::Null => (0, String::new()),
                    Field::Bool(flag) => (1, flag.to_string()),
                    Field::ULong(number) => (2, number.to_string()),
                    Field::Double(real) => (3, real.to_string()),
                    Field::Str(text) => (4, text.clone()),
                    other => panic!("{name}: {other:?}"),
                };
                let is_same_number = kind == 3 && text.parse::<f64>() == expected.parse::<f64>();
                assert!(text == expected || is_same_number, "{name}: {text} for {expected}");
                seen[kind] += 1;
            }
        }
        assert!(seen[0] > 0 && seen[2] > 0 && seen[3] > 0 && seen[4] > 0, "{seen:?}");
        let nodes = |row: &parquet::record::Row| {
            let mut columns = row.get_column_iter();
            columns.find(|(name, _)| *name == "sweep.topology.nodes").map(|(_, value)| value.clone())
        };
        assert_eq!(nodes(&rows[11]), Some(Field::ULong(40)));
    }

    /// Rows in CSV are continued until the sweep is complete; a complete file is left unchanged, and belongs to one
    /// sweep.
    #[test]
    fn a_sweep_that_was_ended_goes_on_and_another_one_keeps_its_hands_off() {
        let place = place();
        let sweep = [&SWEEP[..], &TO_PARQUET].concat();
        place.run(&sweep).exits(0);
        let file = place.path().join("rows.parquet");
        let whole = fs::read(&file).unwrap();
        let again = place.run(&sweep).exits(0);
        assert!(again.err.contains("12 of 12 runs are in the file already"), "{}", again.err);
        assert_eq!(fs::read(&file).unwrap(), whole);
        let refused = place.run(&[&sweep[..], &["--seed", "8"]].concat()).exits(2);
        assert!(refused.err.contains("rows.parquet does not have the rows of this sweep"), "{}", refused.err);
        assert_eq!(fs::read(&file).unwrap(), whole);
        // The state after an interrupted run: some rows in CSV, no Parquet file.
        fs::remove_file(&file).unwrap();
        place.run(&[&SWEEP[..], &["-o", "rows.parquet.csv"]].concat()).exits(0);
        let kept = place.path().join("rows.parquet.csv");
        let rows = fs::read_to_string(&kept).unwrap();
        fs::write(&kept, &rows[..rows.len() / 2]).unwrap();
        let rest = place.run(&sweep).exits(0);
        assert!(rest.err.contains("of 12 runs are in the file already"), "{}", rest.err);
        assert_eq!(fs::read(&file).unwrap(), whole);
        assert_eq!(place.names(), ["m.ron", "rows.parquet"]);
        fs::write(&file, "mine").unwrap();
        place.run(&sweep).exits(2);
        assert_eq!(fs::read(&file).unwrap(), b"mine");
        assert_eq!(place.names(), ["m.ron", "rows.parquet"]);
        // A truncated Parquet file.
        fs::write(&file, &whole[whole.len() / 2..]).unwrap();
        place.run(&sweep).exits(2);
        assert_eq!(place.names(), ["m.ron", "rows.parquet"]);
    }

    /// Regression: a complete file could not be extended, and more repetitions were refused.
    #[test]
    fn more_repetitions_and_values_extend_a_complete_file() {
        let place = place();
        let sweep = |nodes: &str, repetitions: &str, file: &str| {
            let nodes = format!("topology.nodes={nodes}");
            place.run(&[
                "sweep",
                "m.ron",
                "--over",
                &nodes,
                "--over",
                "scheduler=[UniformPairs, Sequential]",
                "--reps",
                repetitions,
                "-o",
                file,
            ])
        };
        let bytes = |file: &str| fs::read(place.path().join(file)).unwrap();
        sweep("[20, 40]", "3", "rows.parquet").exits(0);
        let three = bytes("rows.parquet");
        sweep("[20, 40]", "5", "fresh.parquet").exits(0);
        // The state after an interrupted extension: the earlier file, and rows in CSV.
        sweep("[20, 40]", "4", "rows.parquet.csv").exits(0);
        let extended = sweep("[20, 40]", "5", "rows.parquet").exits(0);
        assert!(extended.err.contains("16 of 20 runs are in the file already"), "{}", extended.err);
        assert_eq!(bytes("rows.parquet"), bytes("fresh.parquet"));
        fs::write(place.path().join("rows.parquet"), three).unwrap();
        let extended = sweep("[20, 40]", "5", "rows.parquet").exits(0);
        assert!(extended.err.contains("12 of 20 runs are in the file already"), "{}", extended.err);
        assert_eq!(bytes("rows.parquet"), bytes("fresh.parquet"));
        assert_eq!(place.names(), ["fresh.parquet", "m.ron", "rows.parquet"]);
        // The table covers all rows, old and new.
        let again = sweep("[20, 40]", "5", "rows.parquet").exits(0);
        assert_eq!(again.out, extended.out);
        let fewer = sweep("[20, 40]", "4", "rows.parquet").exits(2);
        assert!(fewer.err.contains("differs repetitions"), "{}", fewer.err);
        let more = sweep("[20, 30, 40]", "5", "rows.parquet").exits(0);
        assert!(more.err.contains("20 of 30 runs are in the file already"), "{}", more.err);
        let runs = |file: &str| {
            let reader = SerializedFileReader::new(File::open(place.path().join(file)).unwrap()).unwrap();
            let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
            let mut cells: Vec<String> = rows
                .map(|row| {
                    let of_run = |(name, _): &(&String, &Field)| *name != "run" && *name != "sweep";
                    format!("{:?}", row.get_column_iter().filter(of_run).collect::<Vec<_>>())
                })
                .collect();
            cells.sort();
            cells
        };
        sweep("[20, 30, 40]", "5", "all.parquet").exits(0);
        assert_eq!(runs("rows.parquet"), runs("all.parquet"));
    }

    /// A pipe used to be opened and waited for; a link was refused after the last run.
    #[cfg(unix)]
    #[test]
    fn a_link_is_refused_before_the_first_run() {
        let place = place();
        std::os::unix::fs::symlink("elsewhere", place.path().join("rows.parquet")).unwrap();
        let refused = place.run(&[&SWEEP[..], &TO_PARQUET].concat()).exits(2);
        assert!(refused.err.contains("is a link"), "{}", refused.err);
        assert_eq!(place.names(), ["m.ron", "rows.parquet"]);
    }
}
