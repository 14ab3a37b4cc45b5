//! Every field of a scenario, defaults too, under the name by which `--set` changes it: `topology.nodes`, `stop[0]`.
//!
//! What has variants is a field with the name of the one that is written, and its fields come after it: `topology` is `Ring`,
//! `topology.nodes` is 12. What has no named fields inside is one value, as it would be written: `[Silent, Rounds(100)]`.

use std::fmt;

use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_report::value::Value;
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::text::path::is_name;

/// Longer texts (lists of cells, tables of rules) are left out of CSV, where every row would repeat them.
const CSV_BYTES: usize = 1000;

/// The fields of `scenario`, and after them `further` that are not written, by name and value.
pub(crate) fn section(scenario: &impl Serialize, further: Vec<(String, Value)>) -> Section {
    let written = scenario.serialize(Writer).expect("fields of a scenario are plain data");
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

/// What is written, without its types.
#[derive(Debug)]
enum Written {
    /// A number, a text, a flag, or nothing.
    Value(Value),
    /// A variant without content.
    Word(&'static str),
    /// Unnamed values in parentheses, after the name of a variant if they are of one.
    Group(&'static str, Vec<Written>),
    List(Vec<Written>),
    /// Named values, after the name of a variant if they are of one.
    Fields(&'static str, Vec<(String, Written)>),
}

impl Written {
    /// Whether no field in it has a name of its own.
    fn is_plain(&self) -> bool {
        match self {
            Self::Value(_) | Self::Word(_) => true,
            Self::Group(_, items) | Self::List(items) => items.iter().all(Self::is_plain),
            Self::Fields(..) => false,
        }
    }

    /// As it is written in a file, if it is plain.
    fn text(&self) -> String {
        let listed = |items: &[Self]| items.iter().map(Self::text).collect::<Vec<_>>().join(", ");
        match self {
            Self::Value(Value::Text(text)) => format!("{text:?}"),
            Self::Value(value) => value.to_plain().unwrap_or_else(|| "None".to_owned()),
            Self::Word(word) => (*word).to_owned(),
            Self::Group(name, items) => format!("{name}({})", listed(items)),
            Self::List(items) => format!("[{}]", listed(items)),
            Self::Fields(name, _) => (*name).to_owned(),
        }
    }

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

/// Makes [`Written`] of anything.
struct Writer;

/// The entries so far of a list, group, map or struct.
struct Entries {
    is_list: bool,
    name: &'static str,
    keys: Vec<String>,
    items: Vec<Written>,
}

impl Entries {
    fn new(is_list: bool, name: &'static str) -> Self {
        Self { is_list, name, keys: Vec::new(), items: Vec::new() }
    }

    fn push(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), fmt::Error> {
        self.items.push(value.serialize(Writer)?);
        Ok(())
    }

    fn unnamed(self) -> Written {
        if self.is_list { Written::List(self.items) } else { Written::Group(self.name, self.items) }
    }

    fn named(self) -> Written {
        Written::Fields(self.name, self.keys.into_iter().zip(self.items).collect())
    }
}

macro_rules! values {
    ($($method:ident: $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Written, fmt::Error> {
            Ok(Written::Value(value.into()))
        }
    )*};
}

macro_rules! whole_numbers {
    ($($method:ident: $type:ty => $wide:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Written, fmt::Error> {
            Ok(Written::Value(<$wide>::from(value).into()))
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Written;
    type Error = fmt::Error;
    type SerializeSeq = Entries;
    type SerializeTuple = Entries;
    type SerializeTupleStruct = Entries;
    type SerializeTupleVariant = Entries;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    values!(serialize_bool: bool, serialize_u64: u64, serialize_i64: i64, serialize_f64: f64, serialize_str: &str);
    whole_numbers!(
        serialize_u8: u8 => u64, serialize_u16: u16 => u64, serialize_u32: u32 => u64,
        serialize_i8: i8 => i64, serialize_i16: i16 => i64, serialize_i32: i32 => i64
    );

    fn serialize_f32(self, value: f32) -> Result<Written, fmt::Error> {
        self.serialize_f64(value.into())
    }

    fn serialize_char(self, value: char) -> Result<Written, fmt::Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Written, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<Written, fmt::Error> {
        Ok(Written::Value(Value::Missing))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Written, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Written, fmt::Error> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Written, fmt::Error> {
        self.serialize_none()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Written, fmt::Error> {
        Ok(Written::Word(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Written, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written, fmt::Error> {
        Ok(Written::Group(variant, vec![value.serialize(Self)?]))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(true, ""))
    }

    fn serialize_tuple(self, _: usize) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, ""))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, ""))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, ""))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, ""))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, variant))
    }
}

macro_rules! unnamed {
    ($($kind:ident: $method:ident),*) => {$(
        impl $kind for Entries {
            type Ok = Written;
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
                self.push(value)
            }

            fn end(self) -> Result<Written, fmt::Error> {
                Ok(self.unnamed())
            }
        }
    )*};
}
unnamed!(
    SerializeSeq: serialize_element, SerializeTuple: serialize_element, SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
);

macro_rules! named {
    ($($kind:ident),*) => {$(
        impl $kind for Entries {
            type Ok = Written;
            type Error = fmt::Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), fmt::Error> {
                self.keys.push(key.to_owned());
                self.push(value)
            }

            fn end(self) -> Result<Written, fmt::Error> {
                Ok(self.named())
            }
        }
    )*};
}
named!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Entries {
    type Ok = Written;
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), fmt::Error> {
        let key = match key.serialize(Writer)? {
            Written::Value(Value::Text(key)) => key,
            other => other.text(),
        };
        self.keys.push(key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
        self.push(value)
    }

    fn end(self) -> Result<Written, fmt::Error> {
        Ok(self.named())
    }
}

#[cfg(test)]
mod tests {
    use acrasin_report::record::{Exit, Manifest, Outcome, RunRecord, records_table};

    use super::*;
    use crate::amoebot::AmoebotScenario;
    use crate::document::Scenario;
    use crate::{Document, ScenarioFile};

    fn fields(scenario: &impl Serialize) -> Vec<(String, String)> {
        let mut fields = Vec::new();
        scenario.serialize(Writer).unwrap().flatten(String::new(), &mut fields);
        fields.into_iter().map(|(name, value)| (name, value.to_plain().unwrap_or_default())).collect()
    }

    fn population(text: &str) -> Scenario {
        Document::parse(text, "f").unwrap().scenario().clone()
    }

    fn amoebots(text: &str) -> AmoebotScenario {
        match ScenarioFile::parse(text, "f", &[]).unwrap() {
            ScenarioFile::Amoebots(document) => document.scenario().clone(),
            ScenarioFile::Population(_) => panic!("a scenario of amoebots"),
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
        let fields = fields(&population(PROTOCOL));
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
        for (name, value) in fields(document.scenario()) {
            // What is not written cannot be found; everything else is where its name says.
            let is_default = value.is_empty()
                || ["ports", "rung", "fairness", "observe", "limits", "work.way"].contains(&&*name)
                || ["lock.", "work.protocol."].iter().any(|group| name.starts_with(group));
            assert!(document.locate(&name).is_some() || is_default, "{name} = {value}");
        }
    }

    #[test]
    fn amoebots_too() {
        let fields = fields(&amoebots(
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
            section(&amoebots(&text), vec![("title".to_owned(), "twice".into())])
        };
        let render = |section: Section| {
            let mut manifest = Manifest::new("0.1.0", 1);
            manifest.parameters = Some(section.into());
            let record = RunRecord::new(0, manifest, Outcome::new("", "", Exit::Done));
            (records_table(&[record.clone()]).to_csv(), record.to_json_line())
        };
        let start = "scenario.amoebots.start,";
        let (short, long) = (render(scenario(3)), render(scenario(300)));
        assert!(short.0.contains(start) && !long.0.contains(start), "{short:?}");
        assert!(long.1.contains("\"amoebots.start\":\"Cells([(0, 0), (1, 0)"), "{}", long.1);
        assert_eq!(short.0.matches("scenario.title").count(), 1);
    }
}
