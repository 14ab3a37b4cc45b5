//! Tests of the command with an external engine.

use std::fs;

use acrasin_report::record::Exit;
use acrasin_scenario::Catalogue;

use crate::catalogue::command;
use crate::clockwork::ENTRY;
use crate::program::Scratch;

#[test]
fn an_engine_from_outside_is_run_swept_and_filmed() {
    let catalogue = Catalogue::shipped().with_lazy_protocol(ENTRY).unwrap();
    let place = Scratch::new();
    let file = place.file(
        "clockwork.ron",
        "(seed: 1, topology: Complete(nodes: 10), scheduler: UniformPairs, stop: [Counts(\"infected >= 5\")],\n work: \
         Interactions(protocol: Library(name: \"clockwork\", parameters: {\"pace\": 7}), initial: Counts({\"healthy\": 8, \
         \"infected\": 2})))",
    );
    let (rows, page) = (place.path().join("rows.jsonl"), place.path().join("page.html"));
    let [file, rows_name, page_name] = [&file, &rows, &page].map(|path| path.to_str().unwrap());
    let paces = "work.protocol.parameters.pace=[1, 7, 20]";
    let commands: [&[&str]; 3] = [
        &["run", file],
        &["sweep", file, "--over", paces, "--reps", "2", "-o", rows_name],
        &["view", file, "-o", page_name],
    ];
    for arguments in commands {
        assert_eq!(command(arguments, &Catalogue::shipped()).unwrap_err().exit_code(), 2, "{arguments:?}");
        assert_eq!(command(arguments, &catalogue).unwrap(), Exit::Done, "{arguments:?}");
    }
    let rows: Vec<serde_json::Value> = fs::read_to_string(&rows)
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let interactions: Vec<u64> =
        rows.iter().map(|row| row["work"]["interactions"].as_u64().unwrap()).collect();
    // Three infections, one every 1, 7 or 20 interactions; then the same again with other seeds.
    assert_eq!(interactions, [3, 21, 60, 3, 21, 60]);
    assert!(fs::read_to_string(page).unwrap().contains("infected"));
}
