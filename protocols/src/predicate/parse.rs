//! The parser of predicates.

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::ops::Range;

use super::error::{PredicateError, quoted};
use super::formula::{Comparison, ComparisonSide, CountedName, Formula, Mention, Predicate, Sum, collected};
use super::token::{PredicateToken, tokens};
use super::{MAX_COUNT, MAX_PREDICATE_BYTES, MAX_PREDICATE_DEPTH, MAX_PREDICATE_NAMES};

const OPERAND: &str = "a name, a number or a predicate in parentheses";

impl Predicate {
    /// Reads a predicate.
    ///
    /// # Errors
    ///
    /// A syntax error, a comparison in place of a number or the reverse, a product of two counts, or an exceeded limit
    /// of [this module](super). Never panics. Cost: n log n in the text.
    pub fn parse(text: &str) -> Result<Self, PredicateError> {
        if text.len() > MAX_PREDICATE_BYTES {
            let message = format!("the predicate has {} bytes", text.len());
            return Err(PredicateError::new(0..0, message, format!("at most {MAX_PREDICATE_BYTES} bytes")));
        }
        let tokens = tokens(text)?;
        let mut parser = Parser {
            text,
            tokens: &tokens,
            at: 0,
            depth: 0,
            mentions: Vec::new(),
            mentioned: BTreeSet::new(),
            constants: Vec::new(),
            remainder: None,
        };
        let whole = parser.disjunction()?;
        if parser.at < tokens.len() {
            let accepted = "&&, ||, a comparison or the end";
            return Err(parser.unexpected(accepted));
        }
        let formula = whole.formula()?;
        Ok(Self {
            text: text.into(),
            formula,
            mentions: parser.mentions.into(),
            constants: parser.constants.into(),
            remainder: parser.remainder.map(Box::new),
        })
    }

    /// Reads a predicate that a user wrote. In addition to [`parse`](Self::parse), it refuses the comparison of a
    /// remainder with a number that is none (`A mod 3 = 5`), because its answer depends on no count.
    ///
    /// ```
    /// use acrasin_protocols::predicate::Predicate;
    ///
    /// let error = Predicate::parse_strict("A mod 3 = 5").unwrap_err();
    /// assert_eq!((error.span(), error.accepted()), (10..11, "numbers from 0 to 2"));
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`parse`](Self::parse), and the first such number.
    pub fn parse_strict(text: &str) -> Result<Self, PredicateError> {
        let predicate = Self::parse(text)?;
        predicate.remainder.as_deref().map_or(Ok(()), |error| Err(error.clone()))?;
        Ok(predicate)
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [(PredicateToken, Range<usize>)],
    at: usize,
    depth: usize,
    mentions: Vec<Mention>,
    mentioned: BTreeSet<CountedName>,
    constants: Vec<Range<usize>>,
    /// The first number that is compared with a remainder, but is none.
    remainder: Option<PredicateError>,
}

/// A part of a predicate: its content and its byte range.
struct PredicatePart {
    span: Range<usize>,
    value: PredicateValue,
}

enum PredicateValue {
    Sum(Sum<CountedName>),
    /// A side of a comparison with `mod`, which cannot be part of a sum.
    Remainder(ComparisonSide<CountedName>),
    Formula(Formula<CountedName>),
}

impl PredicatePart {
    fn formula(self) -> Result<Formula<CountedName>, PredicateError> {
        match self.value {
            PredicateValue::Formula(formula) => Ok(formula),
            PredicateValue::Sum(_) | PredicateValue::Remainder(_) => Err(PredicateError::new(
                self.span,
                "this is a number, not true or false",
                "a comparison such as A == 0",
            )),
        }
    }

    fn sum(self) -> Result<Sum<CountedName>, PredicateError> {
        match self.value {
            PredicateValue::Sum(sum) => Ok(sum),
            PredicateValue::Formula(_) => Err(PredicateError::new(
                self.span,
                "this is true or false, not a number",
                "a sum of counts and numbers",
            )),
            PredicateValue::Remainder(_) => Err(PredicateError::new(
                self.span,
                "a remainder stands alone on its side of a comparison",
                "a - b mod 3 == 1",
            )),
        }
    }

    fn side(self) -> Result<ComparisonSide<CountedName>, PredicateError> {
        match self.value {
            PredicateValue::Remainder(side) => Ok(side),
            _ => self.sum().map(|sum| ComparisonSide { sum, modulus: None }),
        }
    }
}

impl Parser<'_> {
    fn peek(&self) -> Option<&PredicateToken> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn eat(&mut self, symbol: &'static str) -> bool {
        let found = self.peek() == Some(&PredicateToken::Symbol(symbol));
        self.at += usize::from(found);
        found
    }

    /// Consumes a keyword at a position where a name is impossible, so that a state with the same name needs no quotes.
    fn eat_word(&mut self, wanted: &str) -> bool {
        let found = matches!(self.peek(), Some(PredicateToken::Word(word)) if word == wanted);
        self.at += usize::from(found);
        found
    }

    /// The byte range of the next token, or the empty range at the end of the text.
    fn span(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.text.len()..self.text.len(), |(_, span)| span.clone())
    }

    fn unexpected(&self, accepted: &str) -> PredicateError {
        let span = self.span();
        let message = if self.at < self.tokens.len() {
            format!("{} cannot stand here", quoted(&self.text[span.clone()]))
        } else {
            "the predicate ends too early".to_owned()
        };
        PredicateError::new(span, message, accepted).hinting(
            self.missing_product().or_else(|| self.state_called_not()).or_else(|| self.name_before_a_sign()),
        )
    }

    /// A hint if a sign directly follows a name, and no summand follows the sign: `A- >= 4`.
    fn name_before_a_sign(&self) -> Option<String> {
        let [(PredicateToken::Word(name), word), (PredicateToken::Symbol("+" | "-" | "*"), sign)] =
            self.tokens.get(self.at.checked_sub(2)?..self.at)?
        else {
            return None;
        };
        let name = quoted(&format!("'{name}{}'", &self.text[sign.clone()]));
        (word.end == sign.start).then(|| format!("a name that ends with a sign is written {name}"))
    }

    /// A hint if names are connected by signs without blanks, starting at this token: `A*B >= 2`, `A>B >= 2`.
    fn signs_in_a_name(&self, from: usize) -> Option<String> {
        let tokens = self.tokens.get(from..self.at)?;
        let is_joined = |two: &&[(PredicateToken, Range<usize>)]| two[0].1.end == two[1].1.start;
        let joined = tokens.windows(2).take_while(is_joined).count();
        let (first, last) = (tokens.first()?, tokens.get(joined)?);
        let is_word = |(token, _): &(PredicateToken, _)| matches!(token, PredicateToken::Word(_));
        let is_quoted = |(token, _): &(PredicateToken, _)| matches!(token, PredicateToken::Quoted(_));
        let name = quoted(&format!("'{}'", &self.text[first.1.start..last.1.end]));
        (joined > 0 && is_word(first) && is_word(last) && !tokens[..=joined].iter().any(is_quoted))
            .then(|| format!("a state or output of that name is written {name}"))
    }

    /// A hint if `not` is at a position where only a name makes sense: `not == 1`.
    fn state_called_not(&self) -> Option<String> {
        let (before, _) = self.tokens.get(self.at.checked_sub(1)?)?;
        (*before == PredicateToken::Word("not".to_owned()))
            .then(|| "a state of that name is written `'not'`".to_owned())
    }

    /// A hint if a number directly precedes a name: `2 y`.
    fn missing_product(&self) -> Option<String> {
        let (before, _) = self.tokens.get(self.at.checked_sub(1)?)?;
        let (here, name) = self.tokens.get(self.at)?;
        let is_name = matches!(here, PredicateToken::Quoted(_))
            || matches!(here, PredicateToken::Word(word) if !["and", "or", "not", "mod"].contains(&word.as_str()));
        match before {
            PredicateToken::Number(factor) if is_name => {
                Some(format!("did you mean `{factor} * {}`?", &self.text[name.clone()]))
            }
            _ => None,
        }
    }

    fn disjunction(&mut self) -> Result<PredicatePart, PredicateError> {
        self.chain(["||", "or"], Self::conjunction, Formula::Any)
    }

    fn conjunction(&mut self) -> Result<PredicatePart, PredicateError> {
        self.chain(["&&", "and"], Self::negation, Formula::All)
    }

    fn chain(
        &mut self,
        [symbol, word]: [&'static str; 2],
        mut next: impl FnMut(&mut Self) -> Result<PredicatePart, PredicateError>,
        join: fn(Vec<Formula<CountedName>>) -> Formula<CountedName>,
    ) -> Result<PredicatePart, PredicateError> {
        let first = next(self)?;
        if !self.eat(symbol) && !self.eat_word(word) {
            return Ok(first);
        }
        self.at -= 1;
        let mut span = first.span.clone();
        let mut members = vec![first.formula()?];
        while self.eat(symbol) || self.eat_word(word) {
            let part = next(self)?;
            span.end = part.span.end;
            members.push(part.formula()?);
        }
        Ok(PredicatePart { span, value: PredicateValue::Formula(join(members)) })
    }

    /// Parses a negation. `not` negates a whole comparison, as in English; `!` binds tighter than all other operators.
    fn negation(&mut self) -> Result<PredicatePart, PredicateError> {
        let span = self.span();
        if !self.eat_word("not") {
            return self.comparison();
        }
        let part = self.deeper(&span, Self::negation)?;
        let whole = span.start..part.span.end;
        let formula = Formula::Not(Box::new(part.formula()?));
        Ok(PredicatePart { span: whole, value: PredicateValue::Formula(formula) })
    }

    fn comparison(&mut self) -> Result<PredicatePart, PredicateError> {
        let from = self.at;
        let left = self.side()?;
        let Some(comparison) = self.comparison_sign() else { return Ok(left) };
        self.at += 1;
        let right = self.side()?;
        if self.comparison_sign().is_some() {
            let message = "comparisons cannot be chained";
            let error = PredicateError::new(self.span(), message, "A < B && B < C");
            return Err(error.hinting(self.signs_in_a_name(from)));
        }
        let tokens = &self.tokens[from..self.at];
        let is_name = |(token, _): &(PredicateToken, Range<usize>)| match token {
            PredicateToken::Word(word) => word != "mod",
            token => matches!(token, PredicateToken::Quoted(_)),
        };
        if !tokens.iter().any(is_name) {
            let numbers = tokens.iter().filter(|(token, _)| matches!(token, PredicateToken::Number(_)));
            self.constants.extend(numbers.map(|(_, span)| span.clone()));
        }
        let span = left.span.start..right.span.end;
        let spans = [left.span.clone(), right.span.clone()];
        let (left, right) = (left.side()?, right.side()?);
        if self.remainder.is_none() {
            let [before, after] = spans;
            self.remainder =
                not_a_remainder(&left, (&right, after)).or_else(|| not_a_remainder(&right, (&left, before)));
        }
        let formula = Formula::Compare(left, comparison, right);
        Ok(PredicatePart { span, value: PredicateValue::Formula(formula) })
    }

    fn comparison_sign(&self) -> Option<Comparison> {
        match self.peek()? {
            PredicateToken::Symbol("==" | "=") => Some(Comparison::Equal),
            PredicateToken::Symbol("!=") => Some(Comparison::NotEqual),
            PredicateToken::Symbol("<") => Some(Comparison::Less),
            PredicateToken::Symbol("<=") => Some(Comparison::LessOrEqual),
            PredicateToken::Symbol(">") => Some(Comparison::Greater),
            PredicateToken::Symbol(">=") => Some(Comparison::GreaterOrEqual),
            _ => None,
        }
    }

    fn side(&mut self) -> Result<PredicatePart, PredicateError> {
        let part = self.sum()?;
        if !self.eat_word("mod") {
            return Ok(part);
        }
        let (number, end) = (self.peek().cloned(), self.span());
        let Some(modulus) =
            (if let Some(PredicateToken::Number(value)) = number { NonZeroU64::new(value) } else { None })
        else {
            return Err(self.unexpected("a whole number of 1 or more"));
        };
        self.at += 1;
        let span = part.span.start..end.end;
        let side = ComparisonSide { sum: part.sum()?, modulus: Some(modulus) };
        Ok(PredicatePart { span, value: PredicateValue::Remainder(side) })
    }

    fn sum(&mut self) -> Result<PredicatePart, PredicateError> {
        let first = self.product()?;
        if !matches!(self.peek(), Some(PredicateToken::Symbol("+" | "-"))) {
            return Ok(first);
        }
        let mut span = first.span.clone();
        // Terms are collected once at the end, so that the cost of a long chain is that of its length.
        let mut sum = first.sum()?;
        loop {
            let sign = if self.eat("+") {
                1
            } else if self.eat("-") {
                -1
            } else {
                break;
            };
            let part = self.product()?;
            span.end = part.span.end;
            let next = part.sum()?;
            sum.constant += sign * next.constant;
            sum.terms.extend(next.terms.into_iter().map(|(name, factor)| (name, sign * factor)));
        }
        sum.terms = collected(sum.terms).into_iter().collect();
        bounded(&sum, &span)?;
        Ok(PredicatePart { span, value: PredicateValue::Sum(sum) })
    }

    fn product(&mut self) -> Result<PredicatePart, PredicateError> {
        let from = self.at;
        let first = self.unary()?;
        let mut span = first.span.clone();
        if self.peek() != Some(&PredicateToken::Symbol("*")) {
            return Ok(first);
        }
        let mut product = first.sum()?;
        while self.eat("*") {
            let part = self.unary()?;
            span.end = part.span.end;
            let other = part.sum()?;
            let (sum, factor) = match (product.terms.is_empty(), other.terms.is_empty()) {
                (_, true) => (product, other.constant),
                (true, false) => (other, product.constant),
                (false, false) => {
                    let message = "a product of two counts is not linear";
                    let error = PredicateError::new(span, message, "a number times a count");
                    return Err(error.hinting(self.signs_in_a_name(from)));
                }
            };
            // Both factors are at most 10^18.
            let terms =
                sum.terms.into_iter().map(|(name, old)| (name, old * factor)).filter(|term| term.1 != 0);
            product = Sum { constant: sum.constant * factor, terms: terms.collect() };
            bounded(&product, &span)?;
        }
        Ok(PredicatePart { span, value: PredicateValue::Sum(product) })
    }

    fn unary(&mut self) -> Result<PredicatePart, PredicateError> {
        let span = self.span();
        if self.eat("!") {
            let part = self.deeper(&span, Self::unary)?;
            let whole = span.start..part.span.end;
            if !matches!(part.value, PredicateValue::Formula(_)) {
                let message = "`!` negates a comparison, not a number";
                return Err(PredicateError::new(whole, message, "!(A == 0)"));
            }
            let formula = Formula::Not(Box::new(part.formula()?));
            return Ok(PredicatePart { span: whole, value: PredicateValue::Formula(formula) });
        }
        if self.eat("-") {
            let part = self.deeper(&span, Self::unary)?;
            let whole = span.start..part.span.end;
            let mut sum = part.sum()?;
            sum.constant = -sum.constant;
            sum.terms.iter_mut().for_each(|term| term.1 = -term.1);
            return Ok(PredicatePart { span: whole, value: PredicateValue::Sum(sum) });
        }
        if self.eat("(") {
            let part = self.deeper(&span, Self::disjunction)?;
            self.close(&span)?;
            return Ok(PredicatePart { span: span.start..self.tokens[self.at - 1].1.end, value: part.value });
        }
        self.operand()
    }

    fn close(&mut self, open: &Range<usize>) -> Result<(), PredicateError> {
        if self.eat(")") {
            return Ok(());
        }
        Err(if self.at < self.tokens.len() {
            self.unexpected("`)`, &&, || or a comparison")
        } else {
            PredicateError::new(open.clone(), "`(` is never closed", "`)`")
        })
    }

    fn deeper(
        &mut self,
        span: &Range<usize>,
        next: fn(&mut Self) -> Result<PredicatePart, PredicateError>,
    ) -> Result<PredicatePart, PredicateError> {
        if self.depth == MAX_PREDICATE_DEPTH {
            let message = format!("more than {MAX_PREDICATE_DEPTH} nested parentheses and signs");
            let accepted = format!("at most {MAX_PREDICATE_DEPTH} levels");
            return Err(PredicateError::new(span.clone(), message, accepted));
        }
        self.depth += 1;
        let part = next(self);
        self.depth -= 1;
        part
    }

    fn operand(&mut self) -> Result<PredicatePart, PredicateError> {
        let span = self.span();
        let name = match self.peek() {
            Some(&PredicateToken::Number(value)) => {
                self.at += 1;
                let sum = Sum { constant: i128::from(value), terms: Vec::new() };
                return Ok(PredicatePart { span, value: PredicateValue::Sum(sum) });
            }
            Some(PredicateToken::Quoted(name)) => CountedName::Either(name.clone()),
            Some(PredicateToken::Word(word)) if word == "n" => CountedName::Nodes,
            Some(PredicateToken::Word(word)) => {
                let applied = self.tokens.get(self.at + 1).map(|(token, _)| token)
                    == Some(&PredicateToken::Symbol("("));
                match word.as_str() {
                    "state" if applied => return self.qualified(CountedName::State),
                    "output" if applied => return self.qualified(CountedName::Output),
                    _ => CountedName::Either(word.clone()),
                }
            }
            _ => return Err(self.unexpected(OPERAND)),
        };
        self.at += 1;
        Ok(self.mention(name, span))
    }

    /// Parses `state(name)` or `output(name)`; the cursor is at the word.
    fn qualified(&mut self, kind: fn(String) -> CountedName) -> Result<PredicatePart, PredicateError> {
        let start = self.span().start;
        self.at += 2;
        let open = self.tokens[self.at - 1].1.clone();
        let span = self.span();
        let name = match self.peek() {
            Some(PredicateToken::Word(name) | PredicateToken::Quoted(name)) => name.clone(),
            _ => return Err(self.unexpected("a name")),
        };
        self.at += 1;
        self.close(&open)?;
        let end = self.tokens[self.at - 1].1.end;
        let mut part = self.mention(kind(name), span);
        part.span = start..end;
        Ok(part)
    }

    fn mention(&mut self, name: CountedName, span: Range<usize>) -> PredicatePart {
        if self.mentioned.insert(name.clone()) {
            self.mentions.push(Mention { name: name.clone(), span: span.clone() });
        }
        PredicatePart { span, value: PredicateValue::Sum(Sum { constant: 0, terms: vec![(name, 1)] }) }
    }
}

/// The error for a number at `span` that is compared with a remainder, but is outside the range of remainders.
fn not_a_remainder(
    remainder: &ComparisonSide<CountedName>,
    (number, span): (&ComparisonSide<CountedName>, Range<usize>),
) -> Option<PredicateError> {
    let modulus = remainder.modulus?.get();
    let constant = number.sum.constant;
    let is_number = number.modulus.is_none() && number.sum.terms.is_empty();
    (is_number && !(0..i128::from(modulus)).contains(&constant)).then(|| {
        let message = format!("{constant} is not a remainder of a division by {modulus}");
        PredicateError::new(span, message, format!("numbers from 0 to {}", modulus - 1))
    })
}

/// Refuses a sum that exceeds the limits within which evaluation is exact.
fn bounded(sum: &Sum<CountedName>, span: &Range<usize>) -> Result<(), PredicateError> {
    let largest = i128::from(MAX_COUNT);
    let factors = sum.terms.iter().map(|term| term.1).chain([sum.constant]);
    if let Some(factor) = factors.into_iter().find(|factor| factor.abs() > largest) {
        let message = format!("the factor {factor} is beyond the limit");
        return Err(PredicateError::new(span.clone(), message, "numbers and products up to 10^18"));
    }
    if sum.terms.len() > MAX_PREDICATE_NAMES {
        let message = format!("{} different names in one sum", sum.terms.len());
        return Err(PredicateError::new(span.clone(), message, format!("at most {MAX_PREDICATE_NAMES}")));
    }
    Ok(())
}
