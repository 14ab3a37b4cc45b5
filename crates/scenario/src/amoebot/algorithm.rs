//! The algorithm of a scenario: a name of the catalogue, with its parameters.

use std::fmt;

use acrasin_amoebot::library::catalogue::Catalogue;
use acrasin_amoebot::library::entry::Chosen;
use acrasin_amoebot::library::parameter::{Kind, Parameter, Value, Values};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, SeqAccess, VariantAccess, Visitor};

use super::{AmoebotDocument, AmoebotScenario};
use crate::DocumentError;
use crate::document::Spelled;
use crate::document::quantity::{Count, Positive};
use crate::text::decode::Decoder;
use crate::text::failure::Failure;

const PATH: &str = "amoebots.algorithm";

/// What is written, looked up and made; and the same with everything that could have been written.
pub(crate) fn chosen(
    document: &AmoebotDocument,
    catalogue: &Catalogue,
) -> Result<(Chosen, Spelled), DocumentError> {
    let choice = document.choice(PATH);
    let refused = |failure| document.refused(failure);
    let entry = choice.find(catalogue.entries(), |entry| entry.name).map_err(refused)?;
    let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name).collect();
    let mut values = Values::default();
    let mut written = vec![false; names.len()];
    let mut spelled: Vec<Spelled> =
        entry.parameters.iter().map(|parameter| unwritten(parameter.kind)).collect();
    for (position, decoder) in choice.fields(&names).map_err(refused)? {
        let parameter = &entry.parameters[position];
        written[position] = true;
        let value = value(decoder, parameter).map_err(|failure| refused(failure.at_node(decoder.node)))?;
        if let Some(value) = value {
            spelled[position] = self::spelled(&value, parameter.kind);
            values.insert(parameter.name, value);
        }
    }
    let is_missing = |(parameter, is_written): &(&Parameter, bool)| parameter.is_required && !is_written;
    if let Some((missing, _)) = entry.parameters.iter().zip(written).find(is_missing) {
        return Err(refused(choice.missing(missing.name)));
    }
    let made = entry.make(&values).map_err(|error| {
        let path = format!("{PATH}.{}", error.parameter());
        let refused = document.error(&path, error.message());
        match error.accepted() {
            Some(accepted) => refused.accepting(accepted),
            None => refused,
        }
    })?;
    Ok((made, Spelled::Fields(entry.name, names_of(entry.parameters).zip(spelled).collect())))
}

fn names_of(parameters: &'static [Parameter]) -> impl Iterator<Item = &'static str> {
    parameters.iter().map(|parameter| parameter.name)
}

/// The scenario with its algorithm spelled out.
pub(crate) fn spelled_out(scenario: &AmoebotScenario, spelled: Spelled) -> AmoebotScenario {
    let mut scenario = scenario.clone();
    scenario.amoebots.algorithm = scenario.amoebots.algorithm.spelled_out(spelled);
    scenario
}

/// What stands for a parameter that is not written: of words the first one.
fn unwritten(kind: Kind) -> Spelled {
    match kind {
        Kind::Word([first, ..]) => Spelled::Word(first),
        _ => Spelled::Missing,
    }
}

fn spelled(value: &Value, kind: Kind) -> Spelled {
    match value {
        Value::Count(count) => Spelled::Count(*count),
        Value::Positive(value) => Spelled::Real(*value),
        Value::Text(text) => Spelled::Text(text.clone()),
        Value::Counts(counts) => Spelled::List(counts.iter().map(|count| Spelled::Count(*count)).collect()),
        Value::Word(word) => Spelled::Word(word),
        Value::Steps(steps) => {
            let is_counted = |word: &str| match kind {
                Kind::Steps { words, counted } => words[..counted].contains(&word),
                _ => false,
            };
            let step = |&(word, times): &(&'static str, u64)| {
                if is_counted(word) { Spelled::Counted(word, times) } else { Spelled::Word(word) }
            };
            Spelled::List(steps.iter().map(step).collect())
        }
    }
}

/// What is written for a parameter; `None` if it says that nothing is.
fn value(decoder: Decoder<'_>, parameter: &Parameter) -> Result<Option<Value>, Failure> {
    fn read<'n, T: Deserialize<'n>>(decoder: Decoder<'n>, is_required: bool) -> Result<Option<T>, Failure> {
        if is_required { T::deserialize(decoder).map(Some) } else { Option::deserialize(decoder) }
    }
    let is_required = parameter.is_required;
    Ok(match parameter.kind {
        Kind::Count => read::<Count>(decoder, is_required)?.map(|count| Value::Count(*count)),
        Kind::Positive => read::<Positive>(decoder, is_required)?.map(|value| Value::Positive(*value)),
        Kind::Text => read::<String>(decoder, is_required)?.map(Value::Text),
        Kind::Counts => read::<Vec<Count>>(decoder, is_required)?
            .map(|counts| Value::Counts(counts.iter().map(|count| **count).collect())),
        Kind::Word(words) => Some(Value::Word(Word { words, counted: 0 }.deserialize(decoder)?.0)),
        Kind::Steps { words, counted } => {
            Some(Value::Steps(decoder.deserialize_seq(Steps(Word { words, counted }))?))
        }
    })
}

/// One of these words, of which the first `counted` take a number; without one it is 1.
#[derive(Clone, Copy)]
struct Word {
    words: &'static [&'static str],
    counted: usize,
}

impl<'de> DeserializeSeed<'de> for Word {
    type Value = (&'static str, u64);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_enum("", self.words, self)
    }
}

impl<'de> Visitor<'de> for Word {
    type Value = (&'static str, u64);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(", "))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
        let (name, variant) = access.variant::<String>()?;
        let Some(position) = self.words.iter().position(|word| *word == name) else {
            return Err(A::Error::unknown_variant(&name, self.words));
        };
        let times = if position < self.counted {
            *variant.newtype_variant::<Count>()?
        } else {
            variant.unit_variant()?;
            1
        };
        Ok((self.words[position], times))
    }
}

/// A list of words.
struct Steps(Word);

impl<'de> Visitor<'de> for Steps {
    type Value = Vec<(&'static str, u64)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut steps = Vec::new();
        while let Some(step) = access.next_element_seed(self.0)? {
            steps.push(step);
        }
        Ok(steps)
    }
}
