//! The algorithm of a scenario: a name of the catalogue, with its parameters.

use std::fmt;

use acrasin_amoebot::library::catalogue::Catalogue;
use acrasin_amoebot::library::entry::Chosen;
use acrasin_amoebot::library::parameter::{Kind, Parameter, Value, Values};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, SeqAccess, VariantAccess, Visitor};

use super::AmoebotDocument;
use crate::DocumentError;
use crate::document::quantity::{Count, Positive};
use crate::text::decode::Decoder;
use crate::text::failure::Failure;

const PATH: &str = "amoebots.algorithm";

/// A parameter by the path of its field, with its value.
type Field = (String, acrasin_report::value::Value);

/// What is written, looked up and made; and every parameter, also what is not written.
pub(super) fn chosen(
    document: &AmoebotDocument,
    catalogue: &Catalogue,
) -> Result<(Chosen, Vec<Field>), DocumentError> {
    let choice = document.choice(PATH);
    let refused = |failure| document.refused(failure);
    let entry = choice.find(catalogue.entries(), |entry| entry.name).map_err(refused)?;
    let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name).collect();
    let mut values = Values::default();
    let mut written = vec![false; names.len()];
    for (position, decoder) in choice.fields(&names).map_err(refused)? {
        let parameter = &entry.parameters[position];
        written[position] = true;
        let value = value(decoder, parameter).map_err(|failure| refused(failure.at_node(decoder.node)))?;
        if let Some(value) = value {
            values.insert(parameter.name, value);
        }
    }
    let is_missing = |(parameter, is_written): &(&Parameter, bool)| parameter.is_required && !is_written;
    if let Some((missing, _)) = entry.parameters.iter().zip(written).find(is_missing) {
        return Err(refused(choice.missing(missing.name)));
    }
    let fields =
        entry.parameters.iter().map(|parameter| field(parameter, values.get(parameter.name))).collect();
    let chosen = entry.make(&values).map_err(|error| {
        let path = format!("{PATH}.{}", error.parameter());
        let refused = document.error(&path, error.message());
        match error.accepted() {
            Some(accepted) => refused.accepting(accepted),
            None => refused,
        }
    })?;
    Ok((chosen, fields))
}

/// A parameter as a record says it. Of words that may be left out the first is meant if none is written.
fn field(parameter: &Parameter, written: Option<&Value>) -> Field {
    use acrasin_report::value::Value as Shown;
    let listed = |items: Vec<String>| Shown::Text(format!("[{}]", items.join(", ")));
    let shown = match (written, parameter.kind) {
        (Some(Value::Count(count)), _) => Shown::Integer(*count),
        (Some(Value::Positive(value)), _) => Shown::Real(*value),
        (Some(Value::Text(text)), _) => Shown::Text(text.clone()),
        (Some(Value::Counts(counts)), _) => listed(counts.iter().map(u64::to_string).collect()),
        (Some(Value::Word(word)), _) => Shown::from(*word),
        (Some(Value::Steps(steps)), Kind::Steps { words, counted }) => {
            let step = |(word, times): &(&'static str, u64)| {
                if words[..counted].contains(word) { format!("{word}({times})") } else { (*word).to_owned() }
            };
            listed(steps.iter().map(step).collect())
        }
        (None, Kind::Word(words)) => Shown::from(words[0]),
        _ => Shown::Missing,
    };
    (format!("{PATH}.{}", parameter.name), shown)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScenarioFile;

    fn fields(algorithm: &str) -> Vec<(String, String)> {
        let text = format!("(amoebots: (algorithm: {algorithm}, start: Line(count: 3)))");
        let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "f", &[]) else {
            panic!("{text}")
        };
        let (_, fields) = chosen(&document, &Catalogue::library()).unwrap();
        fields.into_iter().map(|(path, value)| (path, value.to_plain().unwrap_or_default())).collect()
    }

    #[test]
    fn every_parameter_is_said_written_or_not() {
        let said = |name: &str, value: &str| (format!("amoebots.algorithm.{name}"), value.to_owned());
        assert_eq!(
            fields("Separation(lambda: 4, gamma: 2.5)"),
            [said("lambda", "4.0"), said("gamma", "2.5"), said("colours", ""), said("colouring", "InTurn")]
        );
        assert_eq!(
            fields("BinaryCounter(operations: [Increment(3), TestZero])"),
            [said("value", ""), said("operations", "[Increment(3), TestZero]")]
        );
        assert!(fields("Hexagon").is_empty());
    }
}
