//! Reads certificates, and checks everything that does not depend on the protocol, such as fields and ranges.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use num_bigint::BigInt;

use crate::error::CertificateError;
use crate::format::{
    CaseDistinction, CaseVariable, CertifiedSide, ProofFactor, ProofFraction, ProofNumber, ProofRule,
    ProofTree, StageEnd, StageKind, StageStep, StageTree, StatePair, TreeNumber,
};
use crate::limits::{CERTIFICATE_BYTES_MAX, NUMBER_DIGITS_MAX};
use crate::tape::{JsonKind, JsonTape};

/// The name of the format without siphons and traps of parts of a run.
const FIRST_FORMAT: &str = "all-n/1";

/// The name of the format with siphons and traps of parts of a run.
const SECOND_FORMAT: &str = "all-n/2";

/// The largest number of a state or transition; a table has fewer.
const NUMBER_MAX: i128 = u32::MAX as i128;

/// A certificate: for one protocol and one claim, a proof for every population size. [`check`](crate::check()) decides
/// whether it is right.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub(crate) text: Box<str>,
    pub(crate) states_at: u32,
    pub(crate) states: Vec<String>,
    /// The pairs of states before and after each transition, with the byte offset of the transition.
    pub(crate) transitions: Vec<(u32, [StatePair; 2])>,
    pub(crate) transitions_at: u32,
    pub(crate) sides: Vec<CertifiedSide>,
    pub(crate) sides_at: u32,
    pub(crate) trees: Vec<StageTree>,
    pub(crate) proofs: Vec<ProofTree>,
}

impl Certificate {
    /// Reads a certificate. Only its form is checked here, not the proof.
    ///
    /// # Errors
    ///
    /// [`CertificateError`] with the first position at which the text is not JSON, has an unknown field or wrong value,
    /// or exceeds one of the [limits](crate::limits). Never panics and never recurses.
    pub fn parse(text: &str) -> Result<Self, CertificateError> {
        if text.len() > CERTIFICATE_BYTES_MAX {
            let message = format!("the certificate has {} bytes", text.len());
            return Err(CertificateError::new("", 0, message)
                .accepting(format!("at most {CERTIFICATE_BYTES_MAX} bytes")));
        }
        let tape = JsonTape::read(text)?;
        let mut reader = CertificateReader {
            tape: &tape,
            has_parts: false,
            trees: Vec::new(),
            proofs: Vec::new(),
            waiting: Vec::new(),
        };
        reader.certificate()
    }

    /// The names of the protocol's states, as the certificate lists them.
    #[must_use]
    pub fn states(&self) -> &[String] {
        &self.states
    }
}

struct CertificateReader<'t> {
    tape: &'t JsonTape<'t>,
    /// Whether the format has siphons and traps of parts of a run.
    has_parts: bool,
    trees: Vec<StageTree>,
    proofs: Vec<ProofTree>,
    /// Parts that have a number but have not been read yet.
    waiting: Vec<UnreadPart>,
}

/// A tree or proof that has not been read yet: its number, and the index of its value on the tape.
enum UnreadPart {
    Tree(TreeNumber, usize),
    Proof(ProofNumber, usize),
}

type Readable<T> = Result<T, CertificateError>;

impl CertificateReader<'_> {
    fn certificate(&mut self) -> Readable<Certificate> {
        let [format, states, transitions, sides, size] =
            self.fields(0, ["format", "states", "transitions", "sides", "proof_nodes"])?;
        let format = self.needed(0, "format", format)?;
        self.has_parts = match &*self.text(format)? {
            FIRST_FORMAT => false,
            SECOND_FORMAT => true,
            _ => {
                return Err(self
                    .error(format, "unknown format")
                    .accepting(format!("\"{FIRST_FORMAT}\" or \"{SECOND_FORMAT}\"")));
            }
        };
        if let Some(size) = size {
            self.number(size, 0..=i128::MAX)?;
        }
        let states_node = self.needed(0, "states", states)?;
        let states = self.list(states_node)?;
        let states = states.map(|node| self.text(node).map(Cow::into_owned)).collect::<Readable<_>>()?;
        let transitions_node = self.needed(0, "transitions", transitions)?;
        let transitions = self.list(transitions_node)?;
        let transitions = transitions.map(|node| self.transition(node)).collect::<Readable<_>>()?;
        let sides_node = self.needed(0, "sides", sides)?;
        let nodes: Vec<usize> = self.list(sides_node)?.collect();
        let mut sides: Vec<CertifiedSide> = Vec::new();
        for node in nodes {
            let [value, tree] = self.fields(node, ["value", "tree"])?;
            let value = self.needed(node, "value", value)?;
            let is_true = match self.tape.characters(value) {
                "true" if self.kind(value) == JsonKind::Word => true,
                "false" if self.kind(value) == JsonKind::Word => false,
                _ => return Err(self.unfit(value, "true or false")),
            };
            if sides.iter().any(|side| side.value == is_true) {
                let message = format!("the side with the value {is_true} is written twice");
                return Err(self.error(value, message).accepting("each value once"));
            }
            let tree = self.needed(node, "tree", tree)?;
            let tree = self.later_tree(tree);
            sides.push(CertifiedSide { at: self.at(node), value: is_true, tree });
            self.all_waiting()?;
        }
        Ok(Certificate {
            text: self.tape.text().into(),
            states,
            states_at: self.at(states_node),
            transitions,
            transitions_at: self.at(transitions_node),
            sides,
            sides_at: self.at(sides_node),
            trees: std::mem::take(&mut self.trees),
            proofs: std::mem::take(&mut self.proofs),
        })
    }

    fn all_waiting(&mut self) -> Readable<()> {
        while let Some(next) = self.waiting.pop() {
            match next {
                UnreadPart::Tree(number, node) => {
                    let tree = self.tree(node)?;
                    self.trees[number as usize] = tree;
                }
                UnreadPart::Proof(number, node) => {
                    let rule = self.rule(node)?;
                    self.proofs[number as usize].rule = rule;
                }
            }
        }
        Ok(())
    }

    fn later_tree(&mut self, node: usize) -> TreeNumber {
        let number = self.trees.len() as TreeNumber;
        self.trees.push(StageTree { at: self.at(node), steps: Vec::new(), end: StageEnd::Contradiction });
        self.waiting.push(UnreadPart::Tree(number, node));
        number
    }

    fn later_proof(&mut self, node: usize) -> ProofNumber {
        let number = self.proofs.len() as ProofNumber;
        self.proofs.push(ProofTree { at: self.at(node), rule: ProofRule::Farkas(Vec::new()) });
        self.waiting.push(UnreadPart::Proof(number, node));
        number
    }

    fn transition(&self, node: usize) -> Readable<(u32, [StatePair; 2])> {
        let sides = self.elements::<2>(node, "a list of the pair before and the pair after")?;
        let mut pairs = [[0; 2]; 2];
        for (pair, side) in pairs.iter_mut().zip(sides) {
            for (state, node) in pair.iter_mut().zip(self.elements::<2>(side, "a list of two states")?) {
                *state = self.state(node)?;
            }
        }
        Ok((self.at(node), pairs))
    }

    fn tree(&mut self, node: usize) -> Readable<StageTree> {
        let [steps, split, children, proof] = self.fields(node, ["steps", "split", "children", "proof"])?;
        let steps = self.needed(node, "steps", steps)?;
        let steps: Vec<usize> = self.list(steps)?.collect();
        let steps = steps.into_iter().map(|step| self.step(step)).collect::<Readable<_>>()?;
        let end = match (split, children, proof) {
            (None, None, None) => StageEnd::Contradiction,
            (None, None, Some(proof)) => StageEnd::Proof(self.later_proof(proof)),
            (Some(state), Some(children), None) => {
                let at = self.at(state);
                let state = self.state(state)?;
                let [present, empty] = self.elements::<2>(
                    children,
                    "a list of two nodes: one for the state occupied, one for it empty",
                )?;
                StageEnd::Split {
                    at,
                    state,
                    present: self.later_tree(present),
                    empty: self.later_tree(empty),
                }
            }
            _ => {
                return Err(self
                    .error(node, "the fields of this node belong to two kinds of node")
                    .accepting("`split` with `children`, or `proof`, or neither for a contradiction"));
            }
        };
        Ok(StageTree { at: self.at(node), steps, end })
    }

    fn step(&mut self, node: usize) -> Readable<StageStep> {
        let names = ["kind", "weights", "dead", "proofs", "items"];
        let [kind, weights, dead, proofs, items] = self.fields(node, names)?;
        let kind_node = self.needed(node, "kind", kind)?;
        let dead = self.needed(node, "dead", dead)?;
        let kind = self.text(kind_node)?;
        let accepted_fields: &[&str] = match &*kind {
            "rank" => &["weights"],
            "layer" => &["weights", "proofs"],
            "macro" => &["weights", "items"],
            "disabled" => &["proofs"],
            _ => {
                return Err(self
                    .error(kind_node, format!("there is no step {}", shown(&kind)))
                    .accepting("rank, layer, macro or disabled"));
            }
        };
        for (name, found) in [("weights", weights), ("proofs", proofs), ("items", items)] {
            if let Some(found) = found.filter(|_| !accepted_fields.contains(&name)) {
                let message = format!("a step {kind} has no field `{name}`");
                return Err(self.error(found, message).accepting(accepted_fields.join(", ")));
            }
        }
        let kind = match &*kind {
            "rank" => StageKind::Rank { weights: self.weights(self.needed(node, "weights", weights)?)? },
            "layer" => {
                let weights = self.weights(self.needed(node, "weights", weights)?)?;
                let mut found = BTreeMap::new();
                for (name, proof) in self.entries(proofs)? {
                    let Some(key) = closure_key(&self.text(name)?) else {
                        return Err(self.unfit(name, "a transition and a pair of states: \"3:0,1\""));
                    };
                    if found.contains_key(&key) {
                        return Err(self
                            .error(name, "this name is written twice")
                            .accepting("each name once"));
                    }
                    found.insert(key, self.later_proof(proof));
                }
                StageKind::Layer { weights, proofs: found }
            }
            "macro" => {
                let weights = self.weights(self.needed(node, "weights", weights)?)?;
                let items = self.list(self.needed(node, "items", items)?)?;
                let item = |node| {
                    let members = self.list(node)?.map(|node| self.transition_number(node));
                    Ok((self.at(node), members.collect::<Readable<_>>()?))
                };
                StageKind::Macro { weights, items: items.map(item).collect::<Readable<_>>()? }
            }
            _ => {
                let mut found = BTreeMap::new();
                for (name, proof) in self.entries(Some(self.needed(node, "proofs", proofs)?))? {
                    let Some(transition) = plain_number(&self.text(name)?) else {
                        return Err(self.unfit(name, "the number of a transition: \"3\""));
                    };
                    if found.contains_key(&transition) {
                        return Err(self
                            .error(name, "this name is written twice")
                            .accepting("each name once"));
                    }
                    found.insert(transition, self.later_proof(proof));
                }
                StageKind::Disabled { proofs: found }
            }
        };
        let dead = self.list(dead)?.map(|node| Ok((self.at(node), self.transition_number(node)?)));
        let dead = dead.collect::<Readable<_>>()?;
        Ok(StageStep { at: self.at(node), kind, dead })
    }

    fn weights(&self, node: usize) -> Readable<BTreeMap<u16, i128>> {
        let mut weights = BTreeMap::new();
        if self.kind(node) != JsonKind::Object {
            return Err(self.unfit(node, "an object from states to weights"));
        }
        for (name, weight) in self.entries(Some(node))? {
            let Some(state) = plain_number(&self.text(name)?).and_then(|number| u16::try_from(number).ok())
            else {
                return Err(self.unfit(name, "the number of a state: \"3\""));
            };
            if weights.insert(state, self.number(weight, i128::MIN..=i128::MAX)?).is_some() {
                return Err(self.error(name, "this state is written twice").accepting("each state once"));
            }
        }
        Ok(weights)
    }

    fn rule(&mut self, node: usize) -> Readable<ProofRule> {
        let [farkas, cut, then, cases, of] = self.fields(node, ["farkas", "cut", "then", "cases", "of"])?;
        match (farkas, cut, then, cases, of) {
            (Some(sum), None, None, None, None) => Ok(ProofRule::Farkas(self.sum(sum)?)),
            (None, Some(sum), Some(then), None, None) => {
                Ok(ProofRule::Cut { sum: self.sum(sum)?, then: self.later_proof(then) })
            }
            (None, None, None, Some(cases), Some(of)) => {
                let distinction = self.distinction(cases)?;
                let of: Vec<usize> = self.list(of)?.collect();
                let of = of.into_iter().map(|node| self.later_proof(node)).collect();
                Ok(ProofRule::Cases { distinction, of })
            }
            _ => Err(self
                .error(node, "this is not a proof")
                .accepting("{\"farkas\": …}, {\"cut\": …, \"then\": …} or {\"cases\": …, \"of\": …}")),
        }
    }

    fn sum(&self, node: usize) -> Readable<Vec<ProofFactor>> {
        let summand = |node| {
            let [constraint, factor] = self.elements::<2>(node, "a list of a constraint and its factor")?;
            let constraint = self.number(constraint, 0..=NUMBER_MAX)? as u32;
            Ok(ProofFactor { at: self.at(node), constraint, factor: self.factor(factor)? })
        };
        self.list(node)?.map(summand).collect()
    }

    fn factor(&self, node: usize) -> Readable<ProofFraction> {
        let accepted = "a positive fraction in double quotes: \"3\" or \"3/2\"";
        if self.kind(node) != JsonKind::Text {
            return Err(self.unfit(node, accepted));
        }
        let text = self.text(node)?;
        let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
        let is_whole = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_whole(numerator) || !is_whole(denominator) {
            return Err(self.unfit(node, accepted));
        }
        if text.len() > NUMBER_DIGITS_MAX {
            return Err(self
                .error(node, "this fraction is too long")
                .accepting(format!("at most {NUMBER_DIGITS_MAX} digits")));
        }
        let is_zero = |digits: &str| digits.bytes().all(|byte| byte == b'0');
        if is_zero(numerator) || is_zero(denominator) {
            return Err(self.unfit(node, accepted));
        }
        Ok(match (numerator.parse(), denominator.parse()) {
            (Ok(numerator), Ok(denominator)) => ProofFraction::Small { numerator, denominator },
            _ => {
                let number = |digits: &str| digits.parse::<BigInt>().expect("digits only");
                ProofFraction::Large(Box::new([number(numerator), number(denominator)]))
            }
        })
    }

    fn distinction(&self, node: usize) -> Readable<CaseDistinction> {
        let accepted = "[\"either\", number], [\"split\", sum, bound], or a list of siphon, trap, entry or exit and a list of states";
        let of_parts =
            "; in format all-n/2 also [\"part-siphon\", states, number] or [\"part-trap\", states, number]";
        let parts: Vec<usize> = self.list(node)?.collect();
        let Some((&kind, rest)) = parts.split_first() else { return Err(self.unfit(node, accepted)) };
        let word = self.text(kind)?;
        let states =
            |set: &usize| self.list(*set)?.map(|node| self.state(node)).collect::<Readable<Vec<u16>>>();
        match (&*word, rest) {
            ("either", [number]) => Ok(CaseDistinction::Either(self.number(*number, 0..=NUMBER_MAX)? as u32)),
            ("split", [form, bound]) => Ok(CaseDistinction::Split {
                form: self.list(*form)?.map(|term| self.term(term)).collect::<Readable<_>>()?,
                // One less than the largest number, which is the other bound.
                bound: self.number(*bound, i128::MIN / 2..=i128::MAX / 2)?,
            }),
            ("siphon", [set]) => Ok(CaseDistinction::Siphon(states(set)?)),
            ("trap", [set]) => Ok(CaseDistinction::Trap(states(set)?)),
            ("entry", [set]) => Ok(CaseDistinction::Entry(states(set)?)),
            ("exit", [set]) => Ok(CaseDistinction::Exit(states(set)?)),
            ("part-siphon" | "part-trap", [set, of]) if self.has_parts => {
                let (set, of) = (states(set)?, self.number(*of, 0..=NUMBER_MAX)? as u32);
                Ok(match &*word {
                    "part-siphon" => CaseDistinction::PartSiphon { set, of },
                    _ => CaseDistinction::PartTrap { set, of },
                })
            }
            _ => Err(self
                .error(node, "unknown kind of case distinction")
                .accepting(format!("{accepted}{of_parts}"))),
        }
    }

    fn term(&self, node: usize) -> Readable<(CaseVariable, i128)> {
        let [variable, factor] = self.elements::<2>(node, "a list of a variable and its factor")?;
        let accepted = "[\"a\", state], [\"x\", transition], [\"k\", number] or [\"e\", number, transition]";
        let parts: Vec<usize> = self.list(variable)?.collect();
        let Some((&kind, rest)) = parts.split_first() else { return Err(self.unfit(variable, accepted)) };
        let number = |node: &usize| self.number(*node, 0..=NUMBER_MAX).map(|number| number as u32);
        let variable = match (&*self.text(kind)?, rest) {
            ("a", [state]) => CaseVariable::Input(self.state(*state)?),
            ("x", [transition]) => CaseVariable::Fired(number(transition)?),
            ("k", [name]) => CaseVariable::Quotient(number(name)?),
            ("e", [name, transition]) => CaseVariable::Partial(number(name)?, number(transition)?),
            _ => return Err(self.error(variable, "unknown variable").accepting(accepted)),
        };
        // Half of the range, so that the factor and its negation fit.
        Ok((variable, self.number(factor, i128::MIN / 2..=i128::MAX / 2)?))
    }

    fn kind(&self, node: usize) -> JsonKind {
        self.tape.node(node).kind
    }

    fn at(&self, node: usize) -> u32 {
        self.tape.node(node).at
    }

    fn error(&self, node: usize, message: impl Into<String>) -> CertificateError {
        CertificateError::new(self.tape.text(), self.at(node) as usize, message)
    }

    /// The error for a value whose kind or form is not accepted.
    fn unfit(&self, node: usize, accepted: impl Into<String>) -> CertificateError {
        let kind = self.kind(node);
        let message = match kind {
            JsonKind::Object | JsonKind::Array => format!("found {}", kind.name()),
            _ => format!("found {} {}", kind.name(), shown(self.tape.characters(node))),
        };
        self.error(node, message).accepting(accepted)
    }

    /// The values of these fields of an object, `None` if absent. Fails on another field or a repeated one.
    fn fields<const N: usize>(&self, node: usize, names: [&str; N]) -> Readable<[Option<usize>; N]> {
        if self.kind(node) != JsonKind::Object {
            return Err(self.unfit(node, format!("an object with the fields {}", names.join(", "))));
        }
        let mut found = [None; N];
        for (name, value) in self.entries(Some(node))? {
            let written = self.text(name)?;
            let Some(place) = names.iter().position(|known| *known == written) else {
                let message = format!("there is no field {}", shown(&written));
                return Err(self.error(name, message).accepting(names.join(", ")));
            };
            if found[place].replace(value).is_some() {
                let message = format!("the field `{written}` is written twice");
                return Err(self.error(name, message).accepting("each field once"));
            }
        }
        Ok(found)
    }

    fn needed(&self, node: usize, name: &str, found: Option<usize>) -> Readable<usize> {
        found.ok_or_else(|| {
            self.error(node, format!("the field `{name}` is missing"))
                .accepting(format!("an object with `{name}`"))
        })
    }

    /// The names and values of an object, as indices on the tape; an empty list if `node` is `None`.
    fn entries(&self, node: Option<usize>) -> Readable<Vec<(usize, usize)>> {
        let Some(node) = node else { return Ok(Vec::new()) };
        if self.kind(node) != JsonKind::Object {
            return Err(self.unfit(node, "an object"));
        }
        let inside: Vec<usize> = self.tape.inside(node).collect();
        Ok(inside.chunks_exact(2).map(|entry| (entry[0], entry[1])).collect())
    }

    fn list(&self, node: usize) -> Readable<impl Iterator<Item = usize> + '_> {
        if self.kind(node) != JsonKind::Array {
            return Err(self.unfit(node, "a list"));
        }
        Ok(self.tape.inside(node))
    }

    fn elements<const N: usize>(&self, node: usize, accepted: &str) -> Readable<[usize; N]> {
        if self.kind(node) != JsonKind::Array {
            return Err(self.unfit(node, accepted));
        }
        let elements: Vec<usize> = self.tape.inside(node).take(N + 1).collect();
        elements.try_into().map_err(|found: Vec<usize>| {
            let count = if found.len() > N { format!("more than {N}") } else { found.len().to_string() };
            self.error(node, format!("found a list of {count}")).accepting(accepted)
        })
    }

    fn text(&self, node: usize) -> Readable<Cow<'_, str>> {
        if self.kind(node) != JsonKind::Text {
            return Err(self.unfit(node, "a text in double quotes"));
        }
        let characters = self.tape.characters(node);
        if !characters.contains('\\') {
            return Ok(Cow::Borrowed(characters));
        }
        serde_json::from_str(&format!("\"{characters}\"")).map(Cow::Owned).map_err(|_| {
            self.error(node, "this text has an invalid escape")
                .accepting(r#"\" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits"#)
        })
    }

    fn number(&self, node: usize, range: RangeInclusive<i128>) -> Readable<i128> {
        let number = (self.kind(node) == JsonKind::Number).then(|| self.tape.characters(node).parse().ok());
        let accepted = || match (range.start(), range.end()) {
            (0, &NUMBER_MAX) => format!("a whole number from 0 to {NUMBER_MAX}"),
            (0, _) => "a whole number, 0 or more".to_owned(),
            _ => "a whole number of at most 127 bits".to_owned(),
        };
        number.flatten().filter(|number| range.contains(number)).ok_or_else(|| self.unfit(node, accepted()))
    }

    fn state(&self, node: usize) -> Readable<u16> {
        let number = self.number(node, 0..=NUMBER_MAX)?;
        u16::try_from(number).map_err(|_| self.unfit(node, "the number of a state"))
    }

    fn transition_number(&self, node: usize) -> Readable<u32> {
        self.number(node, 0..=NUMBER_MAX).map(|number| number as u32)
    }
}

/// Parses a number without sign or leading zeros.
fn plain_number(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    is_plain.then(|| text.parse().ok())?
}

/// Parses the key of a closure proof. `3:0,1` stands for the possibility that transition 3 enables the pair {0, 1}.
fn closure_key(text: &str) -> Option<(u32, StatePair)> {
    let (transition, pair) = text.split_once(':')?;
    let (first, second) = pair.split_once(',')?;
    let state = |text| plain_number(text).and_then(|number| u16::try_from(number).ok());
    Some((plain_number(transition)?, [state(first)?, state(second)?]))
}

/// The first 60 characters of a text, quoted for a message.
fn shown(text: &str) -> String {
    const SHOWN: usize = 60;
    let short: String = text.chars().take(SHOWN).collect();
    let dots = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    format!("`{}{dots}`", short.escape_debug())
}
