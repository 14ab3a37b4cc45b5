//! Every field of a scenario, including defaults, under the name by which `--set` changes it: `topology.nodes`,
//! `stop[0]`.
//!
//! An enum is a field whose value is the name of the variant, followed by the fields of the variant: `topology` is
//! `Ring`, `topology.nodes` is 12. A value without named fields is one text as in a file: `[Silent, Rounds(100)]`.

use crate::limits::CSV_BYTES;
use crate::text::path::is_name;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_report::value::Value;
use serde::Serialize;
use serde_content::{Data, Number, Serializer, Struct, Value as Content};

/// The fields of a scenario, or of a part of it, by their paths. The value of the part itself has the empty path.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ScenarioFields(Vec<(String, Value)>);

impl ScenarioFields {
    /// A part that is a single value.
    pub(crate) fn value(value: impl Into<Value>) -> Self {
        Self(vec![(String::new(), value.into())])
    }

    /// The fields of any serialisable part of a scenario.
    pub(crate) fn of(value: &impl Serialize) -> Self {
        let content = Serializer::new().human_readable().serialize(value);
        let mut fields = Self::default();
        fields.flatten(String::new(), content.expect("what can be written is plain data"));
        fields
    }

    /// Adds a field.
    pub(crate) fn and(mut self, name: &str, fields: Self) -> Self {
        self.extend(name, fields);
        self
    }

    /// Replaces the value of the existing field at a path.
    pub(crate) fn with(mut self, path: &str, Self(fields): Self) -> Self {
        let is_below = |(field, _): &(String, Value)| {
            field.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let start = self.0.iter().position(is_below).unwrap_or_else(|| panic!("there is no field {path}"));
        let count = self.0[start..].iter().take_while(|field| is_below(field)).count();
        let fields = fields.into_iter().map(|(below, value)| (joined(path, &below), value));
        self.0.splice(start..start + count, fields);
        self
    }

    /// Wraps the value in a variant: `Starve` with a field `node` becomes `Adversary(Starve)` with that field.
    pub(crate) fn within(mut self, variant: &str) -> Self {
        if let Some((_, Value::Text(name))) = self.0.first_mut() {
            *name = format!("{variant}({name})");
        }
        self
    }

    /// A section of a record: these fields, then `further` fields (name and value) that a scenario file does not have.
    pub(crate) fn section(mut self, further: Vec<(String, Value)>) -> Section {
        for (name, value) in further {
            if self.0.iter().all(|(known, _)| *known != name) {
                self.0.push((name, value));
            }
        }
        let mut section = Section::of(SectionName::Scenario);
        for (name, value) in self.0 {
            let is_long = matches!(&value, Value::Text(text) if text.len() > CSV_BYTES);
            let figure = Figure::new(name.clone(), name, value);
            section.push(if is_long { figure.json_only() } else { figure });
        }
        section
    }

    fn extend(&mut self, path: &str, Self(fields): Self) {
        self.0.extend(fields.into_iter().map(|(below, value)| (joined(path, &below), value)));
    }

    fn flatten(&mut self, path: String, content: Content<'_>) {
        let content = unwrapped(content);
        let value = match &content {
            Content::String(text) => Some(text.as_ref().into()),
            Content::Char(c) => Some(c.to_string().into()),
            Content::Bool(flag) => Some((*flag).into()),
            Content::Number(number) => Some(number_value(*number)),
            Content::Unit | Content::Option(None) => Some(Value::Missing),
            content => text(content).map(Value::Text),
        };
        if let Some(value) = value {
            return self.0.push((path, value));
        }
        match content {
            Content::Seq(items) | Content::Tuple(items) => self.flatten_all(&path, items),
            Content::Map(entries) => {
                for (key, value) in entries {
                    let key = match key {
                        Content::String(key) if is_name(&key) => key.into_owned(),
                        Content::String(key) => format!("[{key:?}]"),
                        key => format!("[{:?}]", text(&key).unwrap_or_default()),
                    };
                    self.flatten(joined(&path, &key), value);
                }
            }
            Content::Struct(group) => self.flatten_data(path, group.data),
            Content::Enum(group) => match single(group.data) {
                // A path skips the parentheses of a single group: `Adversary(Starve(node: 3))` has a field `node`.
                Data::NewType { value: inner @ Content::Enum(_) } => {
                    let mut fields = Self::default();
                    fields.flatten(String::new(), inner);
                    self.extend(&path, fields.within(&group.variant));
                }
                data => {
                    self.0.push((path.clone(), group.variant.as_ref().into()));
                    self.flatten_data(path, data);
                }
            },
            _ => unreachable!("a single value has a text"),
        }
    }

    fn flatten_data(&mut self, path: String, data: Data<'_>) {
        match data {
            Data::Unit => {}
            Data::NewType { value } => self.flatten(path, value),
            Data::Tuple { values } => self.flatten_all(&path, values),
            Data::Struct { fields } => {
                fields.into_iter().for_each(|(name, value)| self.flatten(joined(&path, &name), value));
            }
        }
    }

    fn flatten_all(&mut self, path: &str, items: Vec<Content<'_>>) {
        for (index, item) in items.into_iter().enumerate() {
            self.flatten(format!("{path}[{index}]"), item);
        }
    }
}

/// The path of `below` within the value at `path`.
fn joined(path: &str, below: &str) -> String {
    let dot = if path.is_empty() || below.is_empty() || below.starts_with('[') { "" } else { "." };
    format!("{path}{dot}{below}")
}

/// Unwraps a tuple of one value: a file contains only the value.
fn single(data: Data<'_>) -> Data<'_> {
    match data {
        Data::Tuple { values } => match <[Content<'_>; 1]>::try_from(values) {
            Ok([value]) => Data::NewType { value },
            Err(values) => Data::Tuple { values },
        },
        data => data,
    }
}

/// Unwraps a newtype or an option, which a file does not mark.
fn unwrapped(content: Content<'_>) -> Content<'_> {
    match content {
        Content::Option(Some(value)) => unwrapped(*value),
        Content::Struct(group) => match group.data {
            Data::NewType { value } => unwrapped(value),
            data => Content::Struct(Box::new(Struct { data, ..*group })),
        },
        content => content,
    }
}

/// The value as in a file; `None` if it contains a named field.
fn text(content: &Content<'_>) -> Option<String> {
    let listed = |items: &[Content<'_>]| {
        items.iter().map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join(", "))
    };
    let text = match content {
        Content::Unit | Content::Option(None) => "None".to_owned(),
        Content::Option(Some(value)) => text(value)?,
        Content::Bool(flag) => flag.to_string(),
        Content::Number(number) => number_value(*number).to_plain().unwrap_or_else(|| "None".to_owned()),
        Content::Char(c) => format!("{:?}", c.to_string()),
        Content::String(text) => format!("{text:?}"),
        Content::Seq(items) => format!("[{}]", listed(items)?),
        Content::Tuple(items) => format!("({})", listed(items)?),
        Content::Struct(group) => match &group.data {
            Data::NewType { value } => text(value)?,
            _ => return None,
        },
        Content::Enum(group) => match &group.data {
            Data::Unit => group.variant.to_string(),
            Data::NewType { value } => format!("{}({})", group.variant, text(value)?),
            Data::Tuple { values } => format!("{}({})", group.variant, listed(values)?),
            Data::Struct { .. } => return None,
        },
        Content::Map(_) | Content::Bytes(_) => return None,
    };
    Some(text)
}

fn number_value(number: Number) -> Value {
    match number {
        Number::I8(value) => i64::from(value).into(),
        Number::I16(value) => i64::from(value).into(),
        Number::I32(value) => i64::from(value).into(),
        Number::I64(value) => value.into(),
        Number::U8(value) => u64::from(value).into(),
        Number::U16(value) => u64::from(value).into(),
        Number::U32(value) => u64::from(value).into(),
        Number::U64(value) => value.into(),
        Number::F32(value) => f64::from(value).into(),
        Number::F64(value) => value.into(),
        number => unreachable!("no scenario has a number such as {number:?}"),
    }
}

#[cfg(test)]
mod tests {
    use acrasin_report::record::{Ending, Manifest, RunRecord, records_table};

    use super::*;
    use crate::amoebot::algorithm;
    use crate::plan::schedule::ChosenScheduler;
    use crate::plan::topology::ChosenTopology;
    use crate::{Catalogue, Document, ScenarioFile};

    fn fields(written: ScenarioFields) -> Vec<(String, String)> {
        written.0.into_iter().map(|(name, value)| (name, value.to_plain().unwrap_or_default())).collect()
    }

    fn population(document: &Document) -> ScenarioFields {
        let (_, topology) = ChosenTopology::new(document, &Catalogue::shipped()).unwrap();
        let scheduler = ChosenScheduler::new(document, &Catalogue::shipped()).unwrap().written;
        ScenarioFields::of(document.scenario()).with("topology", topology).with("scheduler", scheduler)
    }

    fn amoebots(text: &str) -> ScenarioFields {
        match ScenarioFile::parse(text, "f", &[]).unwrap() {
            ScenarioFile::Amoebots(document) => {
                let (_, spelled) =
                    algorithm::chosen(&document, Catalogue::shipped().amoebots(), std::path::Path::new(""))
                        .unwrap();
                ScenarioFields::of(document.scenario()).with(algorithm::PATH, spelled)
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
            // Values that are not written have no place; all others are found at their names.
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
            amoebots(&text).section(vec![("title".to_owned(), "twice".into())])
        };
        let render = |section: Section| {
            let mut manifest = Manifest::new("0.1.0", 1);
            manifest.parameters = Some(section.into());
            let record = RunRecord::new(0, manifest, Ending::Served);
            (records_table(std::slice::from_ref(&record)).to_csv(), record.to_json_line())
        };
        let start = "scenario.amoebots.start,";
        let (short, long) = (render(scenario(3)), render(scenario(300)));
        assert!(short.0.contains(start) && !long.0.contains(start), "{short:?}");
        assert!(long.1.contains("\"amoebots.start\":\"Cells([(0, 0), (1, 0)"), "{}", long.1);
        assert_eq!(short.0.matches("scenario.title").count(), 1);
    }
}
