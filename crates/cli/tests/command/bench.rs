//! `acrasin bench`: the cost of the rungs.

use crate::program::Scratch;

#[test]
fn rows_have_figures_and_results_do_not_depend_on_threads() {
    let place = Scratch::new();
    let arguments =
        ["bench", "L1", "m1", "P6", "--nodes", "1e3", "--threads", "1,2,3", "--shorten", "100000", "--json"];
    let first = place.run(&arguments).exits(0);
    let rows = first.json();
    for family in ["L1", "M1", "P6"] {
        assert!(rows.iter().any(|row| row["family"] == family), "{family}");
    }
    for row in &rows {
        let variant = row["variant"].as_str().expect("a name");
        for key in [
            "cpu_ns_min",
            "cpu_ns_median",
            "wall_ns_min",
            "wall_ns_median",
            "items_per_second",
            "bytes_per_node",
        ] {
            assert!(row[key].as_f64().is_some_and(|figure| figure > 0.0), "{variant}: {key} in {row}");
        }
        assert!(row["cpu_ns_min"].as_f64() <= row["cpu_ns_median"].as_f64(), "{row}");
        assert_eq!(
            (&row["seed"], &row["samples"], &row["shortened"]),
            (&1.into(), &5.into(), &100_000.into())
        );
        for key in ["processor", "commit", "version", "cores", "digest", "memory_floor_share"] {
            assert!(!row[key].is_null(), "{variant}: {key} in {row}");
        }
        let alone = rows.iter().find(|other| {
            other["variant"] == *variant && other["family"] == row["family"] && other["threads"] == 1
        });
        if !variant.contains("mutex") {
            assert_eq!(alone.expect("every row runs in one thread")["digest"], row["digest"], "{variant}");
        }
        assert_eq!(row["speed_up"].is_null(), row["threads"] == 1, "{row}");
    }
    // Mutexes are acquired in an unknown order; everything else is a function of the seed.
    let again = place.run(&arguments).exits(0).json();
    assert!(rows.iter().zip(&again).all(|(row, again)| {
        row["digest"] == again["digest"] || row["variant"].as_str().is_some_and(|name| name.contains("mutex"))
    }));
}

#[test]
fn a_table_names_the_machine_and_the_cliff() {
    let place = Scratch::new();
    let table =
        place.run(&["bench", "M4", "--nodes", "300", "--threads", "1", "--shorten", "1000000"]).exits(0);
    for part in [
        "nanoseconds of processor time per item",
        "each 1/1000000 of its length",
        "F2 demand 0.001, K = 256",
        "warning: K = 2 priorities for up to 18 contenders within distance 2",
    ] {
        assert!(table.out.contains(part), "{part}: {}", table.out);
    }
    let list = place.run(&["bench", "--list"]).exits(0);
    for family in ["L1", "M1", "M2", "M3", "M4", "P6"] {
        assert!(list.out.contains(family), "{}", list.out);
    }
}

#[test]
fn what_does_not_fit_is_refused_before_anything_runs() {
    let place = Scratch::new();
    for (arguments, part) in [
        (vec!["bench", "M1", "--nodes", "1e9", "--memory", "100"], "more than the limit of 100 MiB"),
        (vec!["bench", "M1", "--nodes", "1e12"], "at most 2147483648"),
        (vec!["bench", "M2", "--nodes", "1e10"], "more than the limit of 8192 MiB"),
        (vec!["bench", "L1", "--nodes", "1e10"], "at most 2147483648"),
        (vec!["bench", "Z9"], "L1, M1, M2, M3, M4, P6"),
        (vec!["bench", "--nodes", "1e30"], "a whole number above 0 is accepted"),
        (vec!["bench", "--samples", "4"], "a whole number from 5 to 1000 is accepted"),
        (vec!["bench", "--threads", "0"], "a whole number from 1 to 1024 is accepted"),
        (vec!["bench", "--full", "--nodes", "10"], "cannot be used with"),
    ] {
        let ran = place.run(&arguments).exits(2);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
    }
}
