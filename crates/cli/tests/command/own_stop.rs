//! Tests of the command with an external stop condition.

use std::fs;

use acrasin_catalogue::parameter::{Parameter, ParameterKind};
use acrasin_cli::list::ListKind;
use acrasin_process::StopCondition;
use acrasin_report::record::Exit;
use acrasin_scenario::Catalogue;
use acrasin_scenario::stop::StopEntry;

use crate::catalogue::command;
use crate::program::Scratch;

/// A number of interactions for each agent.
const MET: StopEntry = StopEntry {
    name: "Met",
    summary: "this number of interactions per agent",
    parameters: &[Parameter::required("each", ParameterKind::Count, "interactions per agent")],
    make: |values, _| {
        let each = values.count_of("each");
        Ok(StopCondition::of_progress(move |progress, counts| {
            progress.interactions >= each * counts.iter().sum::<u64>()
        }))
    },
};

#[test]
fn a_stop_condition_from_outside_is_listed_run_swept_and_filmed() {
    let catalogue = Catalogue::shipped().with_stop(MET).unwrap();
    let listed = ListKind::Stops.items(&catalogue);
    let item = listed.iter().find(|item| item.name == "Met").unwrap();
    assert_eq!((&*item.parameters, &*item.summary), ("each", "this number of interactions per agent"));
    assert!(ListKind::Stops.items(&Catalogue::shipped()).iter().all(|item| item.name != "Met"));
    let place = Scratch::new();
    let file = place.file(
        "met.ron",
        "(seed: 1, topology: Complete(nodes: 10), scheduler: UniformPairs, stop: [Met(each: 3)],\n work: \
         Interactions(protocol: Library(name: \"two-way-epidemic\"), initial: Counts({\"I\": 1, \"S\": 9})))",
    );
    let (rows, page) = (place.path().join("rows.jsonl"), place.path().join("page.html"));
    let [file, rows_name, page_name] = [&file, &rows, &page].map(|path| path.to_str().unwrap());
    let commands: [&[&str]; 4] = [
        &["run", file],
        &["run", file, "--set", "stop[0].each=2"],
        &["sweep", file, "--over", "stop[0].each=[1, 2, 30]", "--reps", "2", "-o", rows_name],
        &["view", file, "-o", page_name],
    ];
    for arguments in commands {
        assert_eq!(command(arguments, &Catalogue::shipped()).unwrap_err().exit_code(), 2, "{arguments:?}");
        assert_eq!(command(arguments, &catalogue).unwrap(), Exit::Done, "{arguments:?}");
    }
    assert_eq!(command(&["list", "stops"], &catalogue).unwrap(), Exit::Done);
    let text = fs::read_to_string(&rows).unwrap();
    let rows: Vec<serde_json::Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let interactions: Vec<u64> =
        rows.iter().map(|row| row["work"]["interactions"].as_u64().unwrap()).collect();
    assert_eq!(interactions, [10, 20, 300, 10, 20, 300]);
    assert!(rows.iter().all(|row| row["outcome"]["word"] == "condition"));
    // Mistakes are reported at their place.
    let refused = command(&["run", file, "--set", "stop[0].eech=2"], &catalogue).unwrap_err().to_string();
    assert!(refused.contains("did you mean `each`?") && refused.contains("stop[0].eech=2"), "{refused}");
    let refused = command(&["run", file, "--set", "stop=[Mett]"], &catalogue).unwrap_err().to_string();
    assert!(refused.contains("did you mean `Met`?"), "{refused}");
}
