//! Values of the parameters of a catalogue entry, read by their kinds.

use std::fmt;

use acrasin_catalogue::Entry;
use acrasin_catalogue::parameter::{Parameter, ParameterKind, ParameterValue, Values};
use acrasin_report::value::Value as Shown;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, SeqAccess, VariantAccess, Visitor};

use super::entry_ref::EntryRef;
use super::parameters::ScenarioFields;
use super::quantity::{Count, Integer, NodeName, Positive, Probability};
use crate::text::decode::Decoder;
use crate::text::failure::DecodeFailure;
use crate::text::tree::{self, SpannedNode};

/// A catalogue entry and its written parameters.
pub(crate) struct ResolvedEntry<'d, E> {
    pub(crate) entry: E,
    pub(crate) values: Values,
    /// The values of the accepted fields that are not parameters of the entry, in the order of their names.
    pub(crate) further: Vec<Option<Decoder<'d>>>,
}

impl<'d> EntryRef<'d> {
    /// Finds the named entry and reads its parameters. `further` names fields that are accepted in addition.
    pub(crate) fn chosen<E: Entry>(
        self,
        entry: E,
        further: &[&'static str],
    ) -> Result<ResolvedEntry<'d, E>, DecodeFailure> {
        let parameters = entry.parameters();
        let names: Vec<&str> =
            parameters.iter().map(|parameter| parameter.name).chain(further.iter().copied()).collect();
        let mut is_written = vec![false; names.len()];
        let mut chosen =
            ResolvedEntry { entry, values: Values::default(), further: vec![None; further.len()] };
        for (position, decoder) in self.fields(&names)? {
            is_written[position] = true;
            let Some(parameter) = parameters.get(position) else {
                chosen.further[position - parameters.len()] = Some(decoder);
                continue;
            };
            let value = value(decoder, parameter).map_err(|failure| failure.at_node(decoder.node))?;
            if let Some(value) = value {
                chosen.values.insert(parameter.name, value);
            }
        }
        let mut missing = parameters.iter().zip(is_written);
        match missing.find(|(parameter, is_written)| parameter.is_required && !is_written) {
            Some((parameter, _)) => {
                let failure = self.missing(parameter.name);
                Err(match accepted(parameter) {
                    Some(accepted) => failure.accepting(accepted),
                    None => failure,
                })
            }
            None => Ok(chosen),
        }
    }
}

impl<E: Entry> ResolvedEntry<'_, E> {
    /// The name of the entry and all its parameters, with defaults.
    pub(crate) fn fields(&self) -> ScenarioFields {
        self.entry.parameters().iter().fold(ScenarioFields::value(self.entry.name()), |fields, parameter| {
            let value = match (self.values.get(parameter.name), parameter.kind) {
                (Some(value), kind) => shown(value, kind),
                (None, ParameterKind::Word([first, ..])) => ScenarioFields::value(*first),
                (None, _) => ScenarioFields::value(Shown::Missing),
            };
            fields.and(parameter.name, value)
        })
    }
}

/// The value of a parameter as records show it.
fn shown(value: &ParameterValue, kind: ParameterKind) -> ScenarioFields {
    match value {
        ParameterValue::Count(value) => ScenarioFields::value(*value),
        ParameterValue::Whole(value) => ScenarioFields::value(*value),
        ParameterValue::Positive(value) | ParameterValue::Probability(value) => ScenarioFields::value(*value),
        ParameterValue::Text(text) => ScenarioFields::value(text.as_str()),
        ParameterValue::Counts(counts) => ScenarioFields::of(counts),
        ParameterValue::Node(name) => ScenarioFields::of(&NodeName::from(name.as_str())),
        ParameterValue::Nodes(names) => {
            let names = names.iter().map(|name| NodeName::from(name.as_str()));
            ScenarioFields::of(&names.collect::<Vec<_>>())
        }
        ParameterValue::Word(word) => ScenarioFields::value(*word),
        ParameterValue::Steps(steps) => {
            let step = |&(word, times): &(&str, u64)| match kind {
                ParameterKind::Steps { words, counted } if words[..counted].contains(&word) => {
                    format!("{word}({times})")
                }
                _ => word.to_owned(),
            };
            ScenarioFields::value(format!("[{}]", steps.iter().map(step).collect::<Vec<_>>().join(", ")))
        }
    }
}

/// The accepted values of a parameter, taken from the error message for a value that no parameter accepts.
fn accepted(parameter: &Parameter) -> Option<String> {
    let no_value = SpannedNode { span: 0..0, value: tree::SpannedValue::Char('\0') };
    let refused = value(Decoder::new(&no_value, ""), parameter).err()?;
    Some(format!("{}: {} ({})", parameter.name, refused.into_parts().accepted?, parameter.meaning))
}

/// The value of a parameter; `None` if it is written as `None`.
fn value(decoder: Decoder<'_>, parameter: &Parameter) -> Result<Option<ParameterValue>, DecodeFailure> {
    fn read<'n, T: Deserialize<'n>>(
        decoder: Decoder<'n>,
        is_required: bool,
    ) -> Result<Option<T>, DecodeFailure> {
        if is_required { T::deserialize(decoder).map(Some) } else { Option::deserialize(decoder) }
    }
    let is_required = parameter.is_required;
    Ok(match parameter.kind {
        ParameterKind::Count => {
            read::<Count>(decoder, is_required)?.map(|count| ParameterValue::Count(*count))
        }
        ParameterKind::Whole { least, most, .. } => match read::<Integer>(decoder, is_required)? {
            Some(value) if !(least..=most).contains(&value.0) => {
                let failure =
                    DecodeFailure::new(decoder.node.head(), format!("{} is {}", parameter.name, value.0));
                return Err(failure.accepting(format!("{least} to {most}")));
            }
            value => value.map(|value| ParameterValue::Whole(value.0)),
        },
        ParameterKind::Positive => {
            read::<Positive>(decoder, is_required)?.map(|value| ParameterValue::Positive(*value))
        }
        ParameterKind::Probability => {
            read::<Probability>(decoder, is_required)?.map(|value| ParameterValue::Probability(*value))
        }
        ParameterKind::Text => read::<String>(decoder, is_required)?.map(ParameterValue::Text),
        ParameterKind::Counts => read::<Vec<Count>>(decoder, is_required)?
            .map(|counts| ParameterValue::Counts(counts.iter().map(|count| **count).collect())),
        ParameterKind::Node => {
            read::<NodeName>(decoder, is_required)?.map(|node| ParameterValue::Node(node.text().to_owned()))
        }
        ParameterKind::Nodes => read::<Vec<NodeName>>(decoder, is_required)?
            .map(|nodes| ParameterValue::Nodes(nodes.iter().map(|node| node.text().to_owned()).collect())),
        ParameterKind::Word(words) => {
            Some(ParameterValue::Word(Word { words, counted: 0 }.deserialize(decoder)?.0))
        }
        ParameterKind::Steps { words, counted } => {
            Some(ParameterValue::Steps(decoder.deserialize_seq(StepWords(Word { words, counted }))?))
        }
    })
}

/// Decodes one of these words. The first `counted` words may be followed by a number, which is 1 by default.
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

/// Decodes a list of words.
struct StepWords(Word);

impl<'de> Visitor<'de> for StepWords {
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
