//! Tests that every shipped scenario is valid.

use acrasin_scenario::Runnable as _;
use std::path::{Path, PathBuf};

use acrasin_report::record::Exit;
use acrasin_scenario::amoebot::scenario::{AmoebotStart, AmoebotStop};
use acrasin_scenario::{
    AmoebotPlan, Catalogue, Document, Job, LazyPlan, Plan, ProtocolFile, ReactionPlan, ScenarioFile,
    UniformPlan, Unwatched,
};

fn scenarios_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            scenarios_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ron") {
            found.push(path);
        }
    }
}

/// Recorded contacts are downloaded by a script. Missing data are recognised by the name of the file.
fn missing_data(document: &Document, base: &Path) -> bool {
    document.files().iter().any(|(place, path)| *place == "topology.path" && !base.join(path).exists())
}

#[test]
fn every_shipped_scenario_is_sound() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("reference.ron")];
    for folder in ["examples", "protocols/scenarios"] {
        scenarios_below(&root.join(folder), &mut found);
    }
    found.sort();
    let mut faults = Vec::new();
    for path in &found {
        let base = path.parent().unwrap();
        if base.ends_with("examples/protocols") {
            // Protocols without a scenario.
            match ProtocolFile::read(path, &[]) {
                Ok(file) if file.is_alone() => {}
                Ok(_) => faults.push(format!("{} is a scenario", path.display())),
                Err(error) => faults.push(error.to_string()),
            }
            continue;
        }
        let document = match ScenarioFile::read(path, &[]) {
            Ok(ScenarioFile::Population(document)) => *document,
            Ok(ScenarioFile::Reactions(document)) => {
                faults.extend(ReactionPlan::new(&document).err().map(|error| error.to_string()));
                continue;
            }
            Ok(ScenarioFile::Amoebots(_)) => {
                faults.push(format!("{} is of amoebots", path.display()));
                continue;
            }
            Err(error) => {
                faults.push(error.to_string());
                continue;
            }
        };
        if LazyPlan::is_meant(&Catalogue::shipped(), &document) {
            let plan = LazyPlan::within(&Catalogue::shipped(), &document, base, 1 << 30);
            faults.extend(plan.err().map(|error| error.to_string()));
            continue;
        }
        if UniformPlan::is_meant(&Catalogue::shipped(), &document) {
            let plan = UniformPlan::within(&Catalogue::shipped(), &document, base, 1 << 30);
            faults.extend(plan.err().map(|error| error.to_string()));
            continue;
        }
        match Plan::new(&document, base) {
            Ok(_) => {}
            Err(error) if missing_data(&document, base) && error.message().contains("no such file") => {}
            Err(error) => faults.push(error.to_string()),
        }
    }
    assert!(faults.is_empty(), "{} of {} scenarios:\n{}", faults.len(), found.len(), faults.join("\n"));
}

#[test]
fn every_shipped_scenario_of_amoebots_is_sound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../amoebot/scenarios");
    let mut found = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("amoebots.ron")];
    scenarios_below(&folder, &mut found);
    assert!(found.len() >= 4, "{found:?}");
    for path in found {
        let file = ScenarioFile::read(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        let ScenarioFile::Amoebots(document) = file else { panic!("{} is of another kind", path.display()) };
        let plan = match document.scenario().amoebots.start {
            AmoebotStart::AllConnected { .. } => AmoebotPlan::for_check(&document, path.parent().unwrap()),
            _ => AmoebotPlan::new(&document, path.parent().unwrap()),
        };
        plan.unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Each amoebot algorithm has at least one scenario that shows its purpose, and reaches its end if it has one.
#[test]
fn every_algorithm_of_amoebots_has_a_scenario_that_comes_to_its_end() {
    let mut found = Vec::new();
    scenarios_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../amoebot/scenarios"), &mut found);
    let mut faults = Vec::new();
    let mut texts = String::new();
    for path in found {
        let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::read(&path, &[]) else {
            panic!("{} is no scenario of amoebots", path.display())
        };
        texts += document.text();
        let scenario = document.scenario();
        if matches!(scenario.amoebots.start, AmoebotStart::AllConnected { .. })
            || scenario.stop != AmoebotStop::Terminated
        {
            continue;
        }
        let plan = AmoebotPlan::new(&document, path.parent().unwrap()).unwrap();
        let job = Job { seed: plan.header().seed.unwrap(), repetition: 0, watch: &Unwatched, record: None };
        let finished = plan.run(&job).unwrap();
        let outcome = finished.record.outcome();
        if outcome.word != "terminated" || outcome.exit != Exit::Done {
            faults.push(format!("{}: {outcome:?}", path.display()));
        }
    }
    for entry in Catalogue::shipped().amoebots().entries() {
        let written = [",", "("].map(|next| format!("algorithm: {}{next}", entry.name));
        if !written.iter().any(|written| texts.contains(written)) {
            faults.push(format!("no scenario has `algorithm: {}`", entry.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
