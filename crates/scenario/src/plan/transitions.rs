//! `work.protocol`: a transition table and its properties.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use acrasin_catalogue::parameter::{ParameterKind, ParameterValue, Values};
use acrasin_protocols::analysis::{
    Classification, check_conserved, conserved_quantities, reachable_states, weights_by_name,
};
use acrasin_protocols::locked::Way;
use acrasin_protocols::{GroupRule, Missing, Rule, Table, TableError, TableErrorKind, TableSpec};

use crate::document::protocol::{self as written, ProtocolSource, WrittenParameter};
use crate::document::work::Work;
use crate::limits::TABLE_LINES;
use crate::text::failure::DecodeFailure;
use crate::{Catalogue, Document, DocumentError, FileKind, InputFile};

const PLACE: &str = "work.protocol";

/// The protocol of a scenario, as a transition table with its properties.
#[derive(Debug)]
pub(super) struct Transitions<'d> {
    pub(super) table: Table,
    /// The document that holds the protocol: the scenario, or the file that the scenario names.
    document: Cow<'d, Document>,
}

impl<'d> Transitions<'d> {
    /// The table as written, if the scenario has one.
    pub(super) fn new(
        catalogue: &Catalogue,
        document: &'d Document,
        protocol: &ProtocolSource,
        base: &Path,
    ) -> Result<Self, DocumentError> {
        let document = match protocol {
            ProtocolSource::File { path } => Cow::Owned(named(document, path, base)?),
            ProtocolSource::Library { .. } | ProtocolSource::Table(_) => Cow::Borrowed(document),
        };
        let table = match written(&document) {
            Some(ProtocolSource::Library { name, parameters }) => {
                library(catalogue, &document, name, parameters)?
            }
            Some(ProtocolSource::Table(written)) => {
                let table = spec(written).build().map_err(|error| refused(&document, written, &error))?;
                check_inputs(&document, written, &table)?;
                table
            }
            Some(ProtocolSource::File { .. }) | None => {
                unreachable!("a file holds a table or names the library")
            }
        };
        Ok(Self { table, document })
    }

    /// The table as the scenario or its protocol file writes it; `None` for a protocol of the library.
    fn written(&self) -> Option<&written::ProtocolTable> {
        match written(&self.document) {
            Some(ProtocolSource::Table(written)) => Some(written),
            _ => None,
        }
    }

    /// The states that the scenario lists as inputs.
    pub(super) fn inputs(&self) -> Vec<u16> {
        let names = self.written().map_or(&[][..], |written| &written.inputs);
        // Their names were checked together with the table.
        names.iter().filter_map(|name| self.table.state(name)).collect()
    }

    /// The digest of the protocol file, if the scenario names one.
    pub(super) fn digest_of_file(&self) -> Option<String> {
        match &self.document {
            Cow::Owned(document) => Some(document.digest()),
            Cow::Borrowed(_) => None,
        }
    }
}

/// The protocol of a document.
fn written(document: &Document) -> Option<&ProtocolSource> {
    match &document.scenario().work {
        Work::Interactions { protocol, .. } => Some(protocol),
        Work::Locks { .. } | Work::Idle => None,
    }
}

/// Reads the protocol file that a scenario names. Errors have positions in that file.
fn named(document: &Document, path: &str, base: &Path) -> Result<Document, DocumentError> {
    let file = InputFile::read_as("protocol", &base.join(path), &[]).map_err(|error| {
        let place = "work.protocol.path";
        match (error.place(), error.accepted()) {
            (Some(_), _) => error,
            (None, Some(accepted)) => document.error(place, error.message()).accepting(accepted),
            (None, None) => document.error(place, error.message()),
        }
    })?;
    if file.kind() != FileKind::Protocol {
        let failure = DecodeFailure::new(file.root.head(), "this is not a protocol")
            .accepting("Table(…), Library(…), or the fields of a table in parentheses");
        return Err(file.source.error(failure));
    }
    Document::of_protocol(file.source, file.root)
}

/// Checks that every input is a state and is listed once.
fn check_inputs(
    document: &Document,
    written: &written::ProtocolTable,
    table: &Table,
) -> Result<(), DocumentError> {
    for (index, name) in written.inputs.iter().enumerate() {
        let place = format!("{PLACE}.inputs[{index}]");
        let shown = name.escape_debug();
        if written.inputs[..index].contains(name) {
            return Err(document.error(&place, format!("the input `{shown}` is written twice")));
        }
        if table.state(name).is_none() {
            let names = table.state_names().iter().map(String::as_str);
            return Err(document
                .error(&place, format!("unknown state `{shown}`"))
                .accepting(table.state_names().join(", "))
                .suggesting(name, names));
        }
    }
    Ok(())
}

fn library(
    catalogue: &Catalogue,
    document: &Document,
    name: &str,
    parameters: &BTreeMap<String, WrittenParameter>,
) -> Result<Table, DocumentError> {
    if catalogue.lazy_protocols().find(name).is_some() {
        let message =
            format!("`{name}` has no transition table: it runs under uniform pairs, but cannot be checked");
        return Err(document.error("work.protocol.name", message).accepting("acrasin run"));
    }
    let library = catalogue.protocols();
    let entry = library.find(name).ok_or_else(|| {
        let lazy = catalogue.lazy_protocols().entries().iter().map(|entry| entry.name);
        let names = || library.entries().iter().map(|entry| entry.name).chain(lazy.clone());
        let message = format!("the library has no protocol `{}`", name.escape_debug());
        let error = document.error("work.protocol.name", message);
        error.accepting(names().collect::<Vec<_>>().join(", ")).suggesting(name, names())
    })?;
    let values = values(document, entry.name, entry.parameters, parameters)?;
    Ok(entry.build(&values).expect("every parameter is known, and in its range").into_table())
}

/// The written parameters of a library protocol, after a check of their ranges.
pub(super) fn values(
    document: &Document,
    protocol: &str,
    known: &'static [acrasin_catalogue::parameter::Parameter],
    parameters: &BTreeMap<String, WrittenParameter>,
) -> Result<Values, DocumentError> {
    let mut values = Values::default();
    for (key, value) in parameters {
        let place = format!("work.protocol.parameters[{key:?}]");
        let error = |message| document.error(&place, message);
        let Some((known, ParameterKind::Whole { least, most, .. })) =
            known.iter().find(|known| known.name == key.as_str()).map(|known| (known, known.kind))
        else {
            let names = || known.iter().map(|known| known.name);
            let message = format!("{protocol} has no parameter `{}`", key.escape_debug());
            let error = document.error_about_name(&place, key, message);
            return Err(if known.is_empty() {
                error.accepting(format!("{protocol} takes no parameters"))
            } else {
                error.accepting(names().collect::<Vec<_>>().join(", ")).suggesting(key, names())
            });
        };
        let whole = match value {
            WrittenParameter::Integer(value) => Some(*value),
            // Above 2^53 not every whole number is a floating-point number.
            WrittenParameter::Real(value)
                if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 =>
            {
                Some(*value as i64)
            }
            _ => None,
        };
        let value = whole.filter(|whole| (least..=most).contains(whole)).ok_or_else(|| {
            let message = match whole {
                Some(value) => format!("{protocol}: the parameter `{key}` is {value}"),
                None => format!("the parameter `{key}` of {protocol} is a whole number"),
            };
            error(message).accepting(format!("{least} to {most}"))
        })?;
        values.insert(known.name, ParameterValue::Whole(value));
    }
    Ok(values)
}

fn spec(table: &written::ProtocolTable) -> TableSpec {
    let weighted = |outcomes: &[(crate::document::quantity::Count, String)]| {
        outcomes.iter().map(|(weight, text)| (weight.0, text.clone())).collect()
    };
    let rules = table.rules.iter().map(|rule| match rule {
        written::WrittenRule::Ordered(text) => Rule::Ordered(text.clone()),
        written::WrittenRule::OneWay(text) => Rule::OneWay(text.clone()),
        written::WrittenRule::Symmetric(text) => Rule::Symmetric(text.clone()),
        written::WrittenRule::Randomised(pair, outcomes) => {
            Rule::Randomised(pair.clone(), weighted(outcomes))
        }
        written::WrittenRule::SymmetricRandomised(pair, outcomes) => {
            Rule::SymmetricRandomised(pair.clone(), weighted(outcomes))
        }
    });
    TableSpec {
        states: table.states.clone(),
        rules: rules.collect(),
        default: table.default.map(|written::MissingSetting::Null| Missing::Null),
        outputs: table.outputs.clone(),
        group: match table.group {
            written::GroupRuleSetting::EachOnce => GroupRule::EachOnce,
            written::GroupRuleSetting::Maximum => GroupRule::Maximum,
            written::GroupRuleSetting::Mean => GroupRule::Mean,
        },
    }
}

/// The texts of a rule, each with its path in the scenario.
fn texts(rule: &written::WrittenRule, index: usize) -> Vec<(String, &str)> {
    let place = format!("{PLACE}.rules[{index}]");
    match rule {
        written::WrittenRule::Ordered(text)
        | written::WrittenRule::OneWay(text)
        | written::WrittenRule::Symmetric(text) => {
            vec![(format!("{place}[0]"), text)]
        }
        written::WrittenRule::Randomised(pair, outcomes)
        | written::WrittenRule::SymmetricRandomised(pair, outcomes) => {
            let outcomes = outcomes.iter().enumerate();
            let outcomes = outcomes.map(|(at, (_, text))| (format!("{place}[1][{at}][1]"), text.as_str()));
            std::iter::once((format!("{place}[0]"), pair.as_str())).chain(outcomes).collect()
        }
    }
}

/// The error of a table, at the text of the rule if a rule causes it.
fn refused(document: &Document, table: &written::ProtocolTable, error: &TableError) -> DocumentError {
    let message = error.fault();
    let placed = match (error.rule(), error.column()) {
        (Some(rule), column) => {
            let texts = texts(&table.rules[rule], rule);
            // The incorrect text, shortened if it is long.
            let value = error.value().trim_end_matches("...");
            let found = texts.iter().find(|(_, text)| column.is_some() && text.starts_with(value));
            let (place, text) = found.unwrap_or(&texts[0]);
            let part = column.map_or(0..text.len(), |column| token(text, column));
            document.error_in_text(place, part, message)
        }
        (None, _) => {
            let value = error.value().trim_end_matches("...");
            let state = table.states.iter().rposition(|state| state.starts_with(value));
            let output = table.outputs.iter().find(|(_, output)| output.starts_with(value));
            let place = match error.kind() {
                TableErrorKind::UnknownState => format!("{PLACE}.outputs[{:?}]", error.value()),
                TableErrorKind::BadName | TableErrorKind::DuplicateState => match (state, output) {
                    // A name of a state is at fault in the list of states first: states are checked before outputs.
                    (Some(state), _) => format!("{PLACE}.states[{state}]"),
                    (None, Some((state, _))) => format!("{PLACE}.outputs[{state:?}]"),
                    (None, None) => format!("{PLACE}.states"),
                },
                TableErrorKind::NoStates | TableErrorKind::TooMany => format!("{PLACE}.states"),
                TableErrorKind::NotTotal => format!("{PLACE}.rules"),
                _ => PLACE.to_owned(),
            };
            document.error_about_name(&place, error.value(), message)
        }
    };
    placed.advising(error.accepted(), error.hint())
}

/// The bytes of the token that begins at a character, counted from 1.
fn token(text: &str, column: usize) -> std::ops::Range<usize> {
    let start = text.char_indices().nth(column - 1).map_or(text.len(), |(at, _)| at);
    let rest = &text[start..];
    let length = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
    start..start + length
}

/// The states that can occur if agents start in the states `initial`.
pub(super) fn reachable(table: &Table, way: Way, initial: &[u64]) -> Vec<bool> {
    let present: Vec<u16> = table.states().filter(|&state| initial[usize::from(state)] > 0).collect();
    match (way, table.group_rule()) {
        (Way::Group, GroupRule::Maximum) => table.states().map(|state| present.contains(&state)).collect(),
        (Way::Group, GroupRule::Mean) => {
            let (least, most) = (present.first().copied(), present.last().copied());
            table.states().map(|state| least <= Some(state) && Some(state) <= most).collect()
        }
        _ => reachable_states(table, &present),
    }
}

impl Transitions<'_> {
    /// Checks the protocol's claims that sums are conserved.
    pub(super) fn check_claims(&self, way: Way, reachable: &[bool]) -> Result<(), DocumentError> {
        let Self { table, document } = self;
        let claims = self.written().map_or(&[][..], |written| &written.conserved);
        for (index, claim) in claims.iter().enumerate() {
            let place = format!("{PLACE}.conserved[{index}]");
            let claim = claim.iter().map(|(name, weight)| (name.clone(), weight.0)).collect();
            let weights = weights_by_name(table, &claim).map_err(|error| {
                let place = format!("{place}[{:?}]", error.name());
                let message = format!("unknown state `{}`", error.name());
                document
                    .error_about_name(&place, error.name(), message)
                    .advising(error.accepted(), error.hint())
            })?;
            let accepted = "weights whose sum no interaction of reachable states changes, such as those that the \
                            effective table lists";
            let broken = match (way, table.group_rule()) {
                (Way::Group, rule @ (GroupRule::Maximum | GroupRule::Mean)) => {
                    group_change(table, rule, &weights, reachable)
                }
                _ => check_conserved(table, &weights, reachable).err().map(|violation| violation.to_string()),
            };
            if let Some(message) = broken {
                return Err(document.error(&place, message).accepting(accepted));
            }
        }
        Ok(())
    }
}

/// The change of a weighted sum by a group interaction, if it can change. The maximum conserves a sum only if all
/// weights are equal. The mean conserves sums whose weights are linear in the number of the state.
fn group_change(table: &Table, rule: GroupRule, weights: &[i64], reachable: &[bool]) -> Option<String> {
    let states: Vec<u16> = table.states().filter(|&state| reachable[usize::from(state)]).collect();
    let weight = |state: u16| i128::from(weights[usize::from(state)]);
    let name = |state: u16| table.state_name(state);
    match rule {
        GroupRule::Maximum => {
            let pair = states.windows(2).find(|pair| weight(pair[0]) != weight(pair[1]))?;
            let (low, high) = (name(pair[0]), name(pair[1]));
            Some(format!(
                "a group of {low} and {high} becomes {high} and {high}, so the sum is not conserved"
            ))
        }
        _ => {
            let three = states
                .windows(3)
                .find(|three| weight(three[0]) + weight(three[2]) != 2 * weight(three[1]))?;
            let [low, middle, high] = [0, 1, 2].map(|at| name(three[at]));
            Some(format!(
                "a group of {low} and {high} becomes {middle} and {middle}, so the sum is not conserved"
            ))
        }
    }
}

/// The description of a protocol: effective table, class, conserved quantities, states that cannot occur.
pub(super) fn describe(table: &Table, way: Way, reachable: &[bool]) -> String {
    let mut text = table.effective().with_line_limit(TABLE_LINES).to_string();
    let class = Classification::new(table);
    let _ = writeln!(text, "class: {}", class.word());
    let grouped = way == Way::Group && table.group_rule() != GroupRule::EachOnce;
    if grouped {
        let (_, word) =
            GroupRule::ALL.into_iter().find(|(rule, _)| *rule == table.group_rule()).expect("listed");
        let _ = writeln!(text, "a locked group applies the rule {word}, not the table");
    } else {
        match conserved_quantities(table, reachable) {
            Ok(basis) => {
                let sums: Vec<String> = basis.iter().map(|quantity| quantity.describe(table)).collect();
                let _ = writeln!(text, "conserved: {}", sums.join("; "));
            }
            Err(error) => {
                let _ = writeln!(text, "conserved: not computed, {error}");
            }
        }
    }
    let never: Vec<&str> = table
        .states()
        .filter(|&state| !reachable[usize::from(state)])
        .map(|state| table.state_name(state))
        .collect();
    if !never.is_empty() {
        let shown = never.iter().take(TABLE_LINES).copied().collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "never reached from this start: {shown}");
    }
    text
}
