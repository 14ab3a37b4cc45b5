//! Every field of a scenario, defaults too, under the name by which `--set` changes it: `topology.nodes`, `stop[0]`.
//!
//! What has variants is a field with the name of the one that is written, and its fields come after it: `topology` is `Ring`,
//! `topology.nodes` is 12. What has no named fields inside is one value, as it would be written: `[Silent, Rounds(100)]`.

use super::written::Written;
use crate::text::path::is_name;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_report::value::Value;

/// Longer texts (lists of cells, tables of rules) are left out of CSV, where every row would repeat them.
const CSV_BYTES: usize = 1000;

/// The fields that are `written`, and after them `further` that are not, by name and value.
pub(crate) fn section(written: Written, further: Vec<(String, Value)>) -> Section {
    let mut fields = Vec::new();
    written.flatten(String::new(), &mut fields);
    for (name, value) in further {
        if fields.iter().all(|(known, _)| *known != name) {
            fields.push((name, value));
        }
    }
    let mut section = Section::of(SectionName::Scenario);
    for (name, value) in fields {
        let is_long = matches!(&value, Value::Text(text) if text.len() > CSV_BYTES);
        let figure = Figure::new(name.clone(), name, value);
        section.push(if is_long { figure.json_only() } else { figure });
    }
    section
}

impl Written {
    fn flatten(self, path: String, into: &mut Vec<(String, Value)>) {
        match self {
            Self::Value(value) => into.push((path, value)),
            plain if plain.is_plain() => into.push((path, Value::Text(plain.text()))),
            Self::List(items) => flatten_all(items, &path, into),
            Self::Group(name, items) => {
                // A path goes through the parentheses of a single group: `Adversary(Starve(node: 3))` has a field `node`.
                let [item] = <[Self; 1]>::try_from(items).unwrap_or_else(|items| [Self::List(items)]);
                let variant = match &item {
                    Self::Fields("", _) | Self::List(_) => name.to_owned(),
                    item => format!("{name}({})", item.text()),
                };
                into.push((path.clone(), Value::Text(variant)));
                match item {
                    Self::Fields(_, fields) => Self::Fields("", fields).flatten(path, into),
                    item => item.flatten(path, into),
                }
            }
            Self::Fields(name, fields) => {
                if !name.is_empty() {
                    into.push((path.clone(), Value::Text(name.to_owned())));
                }
                for (key, field) in fields {
                    let path = match (path.is_empty(), is_name(&key)) {
                        (true, _) => key,
                        (false, true) => format!("{path}.{key}"),
                        (false, false) => format!("{path}[{key:?}]"),
                    };
                    field.flatten(path, into);
                }
            }
            Self::Word(_) => unreachable!("a word is plain"),
        }
    }
}

fn flatten_all(items: Vec<Written>, path: &str, into: &mut Vec<(String, Value)>) {
    for (index, item) in items.into_iter().enumerate() {
        item.flatten(format!("{path}[{index}]"), into);
    }
}

#[cfg(test)]
mod tests {
    use acrasin_report::record::{Exit, Manifest, Outcome, RunRecord, records_table};

    use super::*;
    use crate::amoebot::algorithm;
    use crate::plan::schedule::ChosenScheduler;
    use crate::plan::topology::ChosenTopology;
    use crate::{Catalogue, Document, ScenarioFile};

    fn fields(written: Written) -> Vec<(String, String)> {
        let mut fields = Vec::new();
        written.flatten(String::new(), &mut fields);
        fields.into_iter().map(|(name, value)| (name, value.to_plain().unwrap_or_default())).collect()
    }

    fn population(document: &Document) -> Written {
        let (_, topology) = ChosenTopology::new(document, &Catalogue::shipped()).unwrap();
        let scheduler = ChosenScheduler::new(document, &Catalogue::shipped()).unwrap().written;
        Written::of(document.scenario()).with("topology", topology).with("scheduler", scheduler)
    }

    fn amoebots(text: &str) -> Written {
        match ScenarioFile::parse(text, "f", &[]).unwrap() {
            ScenarioFile::Amoebots(document) => {
                let (_, spelled) =
                    algorithm::chosen(&document, Catalogue::shipped().amoebots(), std::path::Path::new(""))
                        .unwrap();
                Written::of(document.scenario()).with(algorithm::PATH, spelled)
            }
            _ => panic!("a scenario of amoebots"),
        }
    }

    const PROTOCOL: &str = "(
        seed: 3, topology: Gnp(nodes: 1e2, probability: 0.25), lock: (priorities: 9),
        scheduler: SemiSynchronous(activation: Adversary(Starve(node: 3))),
        disturbances: [Churn(rate: 0.5), Swizzle(links: 2, every: 4)],
        work: Interactions(
            protocol: Table((states: [\"A b\", \"c\"], rules: [Ordered(\"c + c -> c + c\")], conserved: [{\"c\": -1}])),
            initial: Counts({\"A b\": 60, \"c\": 40}),
        ),
        stop: [Silent, Counts(\"c = 0\"), Rounds(7)],
    )";

    #[test]
    fn every_field_has_the_name_that_changes_it() {
        let fields = fields(population(&Document::parse(PROTOCOL, "f").unwrap()));
        for (name, value) in [
            ("title", ""),
            ("seed", "3"),
            ("topology", "Gnp"),
            ("topology.nodes", "100"),
            ("topology.probability", "0.25"),
            ("topology.seed", ""),
            ("ports", "Auto"),
            ("lock.rules", "Repaired"),
            ("lock.lock_set", "Auto"),
            ("lock.priorities", "9"),
            ("rung", "F4"),
            ("scheduler", "SemiSynchronous"),
            ("scheduler.activation", "Adversary(Starve)"),
            ("scheduler.activation.node", "3"),
            ("fairness", "Auto"),
            ("disturbances[0]", "Churn"),
            ("disturbances[0].rate", "0.5"),
            ("disturbances[1].every", "4"),
            ("work", "Interactions"),
            ("work.protocol", "Table"),
            ("work.protocol.states", "[\"A b\", \"c\"]"),
            ("work.protocol.rules", "[Ordered(\"c + c -> c + c\")]"),
            ("work.protocol.conserved[0].c", "-1"),
            ("work.way", "AnyLocked"),
            ("work.initial", "Counts"),
            ("work.initial[\"A b\"]", "60"),
            ("work.initial.c", "40"),
            ("stop", "[Silent, Counts(\"c = 0\"), Rounds(7)]"),
            ("limits.rounds", ""),
            ("observe.counts_every", ""),
        ] {
            let found: Vec<_> = fields.iter().filter(|(found, _)| found == name).collect();
            assert!(matches!(found[..], [(_, found)] if found == value), "{name}: {found:?}");
        }
    }

    #[test]
    fn names_are_paths_of_the_file() {
        let document = Document::parse(PROTOCOL, "f").unwrap();
        for (name, value) in fields(population(&document)) {
            // What is not written cannot be found; everything else is where its name says.
            let is_default = value.is_empty()
                || ["ports", "rung", "fairness", "observe", "limits", "work.way"].contains(&&*name)
                || ["lock.", "work.protocol."].iter().any(|group| name.starts_with(group));
            assert!(document.locate(&name).is_some() || is_default, "{name} = {value}");
        }
    }

    #[test]
    fn amoebots_too() {
        let fields = fields(amoebots(
            "(amoebots: (algorithm: Separation(lambda: 4, gamma: 2.5), start: Cells([(0, 0), (1, -1)])),
              execution: Rounds(Isolated(2)), stop: Steps(1e6), observe: (pictures_at: [10, 20]))",
        ));
        for (name, value) in [
            ("amoebots.algorithm", "Separation"),
            ("amoebots.algorithm.lambda", "4.0"),
            ("amoebots.algorithm.gamma", "2.5"),
            ("amoebots.algorithm.colouring", "InTurn"),
            ("amoebots.object", ""),
            ("amoebots.start", "Cells([(0, 0), (1, -1)])"),
            ("amoebots.orientations", "Common"),
            ("execution", "Rounds(Isolated(2))"),
            ("stop", "Steps(1000000)"),
            ("observe.shape", "false"),
            ("observe.pictures_at", "[10, 20]"),
        ] {
            assert!(fields.contains(&(name.to_owned(), value.to_owned())), "{name} in {fields:?}");
        }
    }

    #[test]
    fn long_texts_are_in_json_lines_alone() {
        let scenario = |cells: i32| {
            let cells: Vec<String> = (0..cells).map(|x| format!("({x}, 0)")).collect();
            let text = format!("(amoebots: (algorithm: Hexagon, start: Cells([{}])))", cells.join(", "));
            section(amoebots(&text), vec![("title".to_owned(), "twice".into())])
        };
        let render = |section: Section| {
            let mut manifest = Manifest::new("0.1.0", 1);
            manifest.parameters = Some(section.into());
            let record = RunRecord::new(0, manifest, Outcome::new("", "", Exit::Done));
            (records_table(std::slice::from_ref(&record)).to_csv(), record.to_json_line())
        };
        let start = "scenario.amoebots.start,";
        let (short, long) = (render(scenario(3)), render(scenario(300)));
        assert!(short.0.contains(start) && !long.0.contains(start), "{short:?}");
        assert!(long.1.contains("\"amoebots.start\":\"Cells([(0, 0), (1, 0)"), "{}", long.1);
        assert_eq!(short.0.matches("scenario.title").count(), 1);
    }
}
