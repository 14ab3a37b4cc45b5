//! The parser of rates.
//!
//! ```text
//! choice     = both { "||" both }
//! both       = comparison { "&&" comparison }
//! comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
//! sum        = product { ( "+" | "-" ) product }
//! product    = unary { ( "*" | "/" ) unary }
//! unary      = ( "-" | "+" | "!" ) unary | power
//! power      = atom [ ( "^" | "**" ) unary ]
//! atom       = number | name | function "(" choice { "," choice } ")" | "(" choice ")"
//! ```

use super::error::{ReactionError, shown};
use super::expression::{Expression, ExpressionDomain as _, ExpressionStep, Function, Operator, STACK};
use crate::name::{self, Accepted};

/// The maximum length of the text of a rate, in bytes.
const MAX_TEXT: usize = 2048;

/// The maximum number of levels of parentheses and signs.
const MAX_DEPTH: usize = 64;

const OPERAND: &str = "a number, a species, a parameter, t, volume, pi, a function or `(`";
const FUNCTIONS: [&str; 13] =
    ["exp", "log", "ln", "log10", "sqrt", "abs", "floor", "sin", "cos", "min", "max", "pow", "if"];
const RESERVED: [&str; 4] = ["t", "time", "volume", "pi"];

impl Expression {
    /// Parses an expression that may name these species and parameters.
    ///
    /// # Errors
    ///
    /// The first fault, with its column: an unknown character, name or function, a missing operand, more than 2048
    /// bytes, or more than 64 levels. A parameter is also a fault if its value is not finite, or its name is not a
    /// word, is the name of a species, or is reserved.
    pub fn parse<S: AsRef<str>, P: AsRef<str>>(
        text: &str,
        species: &[S],
        parameters: &[(P, f64)],
    ) -> Result<Self, ReactionError> {
        ExpressionReader::new(text, species, parameters)?.whole()
    }
}

/// Parses a text and emits the operations of its expression.
struct ExpressionReader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// The number of values on the stack after the operations so far.
    values: usize,
    species: Vec<&'a str>,
    parameters: Vec<(&'a str, f64)>,
    written: Expression,
}

impl<'a> ExpressionReader<'a> {
    fn new<S: AsRef<str>, P: AsRef<str>>(
        text: &'a str,
        species: &'a [S],
        parameters: &'a [(P, f64)],
    ) -> Result<Self, ReactionError> {
        if text.len() > MAX_TEXT {
            let message = format!("the rate has {} bytes", text.len());
            return Err(ReactionError::new(message, format!("at most {MAX_TEXT} bytes")).of_rate());
        }
        let written = Expression { text: text.to_owned(), code: vec![], species: vec![], has_time: false };
        let species = species.iter().map(AsRef::as_ref).collect();
        let parameters = parameters.iter().map(|(name, value)| (name.as_ref(), *value)).collect();
        Ok(Self { text, at: 0, depth: 0, values: 0, species, parameters, written })
    }

    fn whole(mut self) -> Result<Expression, ReactionError> {
        self.choice()?;
        if self.at < self.text.len() {
            return Err(self.unexpected("an operator, or the end of the rate"));
        }
        self.written.species.sort_unstable();
        self.written.species.dedup();
        Ok(self.written)
    }

    fn error(&self, at: usize, message: impl Into<String>, accepted: impl Into<Accepted>) -> ReactionError {
        let column = self.text[..at].chars().count() + 1;
        ReactionError::new(message, accepted).of_rate().at_column(column)
    }

    fn unexpected(&mut self, accepted: &str) -> ReactionError {
        self.blank();
        let rest = &self.text[self.at..];
        let word = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
        let message = match &rest[..length] {
            "" => "the rate ends here".to_owned(),
            found => format!("{} is not expected here", shown(found)),
        };
        self.error(self.at, message, accepted)
    }

    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Consumes and returns the first of these symbols that matches; `None` if none matches.
    fn eat(&mut self, symbols: &[&'static str]) -> Option<&'static str> {
        self.blank();
        let found = symbols.iter().find(|symbol| self.text[self.at..].starts_with(**symbol))?;
        self.at += found.len();
        Some(found)
    }

    fn write(&mut self, operation: ExpressionStep) -> Result<(), ReactionError> {
        let code = &mut self.written.code;
        match (operation, &code[..]) {
            // Constant parts are computed once.
            (ExpressionStep::Of(function), &[.., ExpressionStep::Number(value)]) => {
                code.pop();
                code.push(ExpressionStep::Number(value.apply(function)));
            }
            (
                ExpressionStep::Join(operator),
                &[.., ExpressionStep::Number(left), ExpressionStep::Number(right)],
            ) => {
                code.truncate(code.len() - 2);
                code.push(ExpressionStep::Number(left.join(operator, right)));
            }
            _ => code.push(operation),
        }
        match operation {
            ExpressionStep::Of(_) => {}
            ExpressionStep::Join(_) => self.values -= 1,
            ExpressionStep::If => self.values -= 2,
            _ => self.values += 1,
        }
        if self.values > STACK {
            let message = format!("more than {STACK} operands wait for their operators");
            return Err(self.error(self.at, message, "a rate with fewer levels"));
        }
        Ok(())
    }

    fn join(&mut self, operator: Operator) -> Result<(), ReactionError> {
        self.write(ExpressionStep::Join(operator))
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Result<(), ReactionError>) -> Result<(), ReactionError> {
        if self.depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} nested parentheses and signs");
            return Err(self.error(self.at, message, format!("at most {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn choice(&mut self) -> Result<(), ReactionError> {
        self.both()?;
        while self.eat(&["||"]).is_some() {
            self.both()?;
            self.join(Operator::Or)?;
        }
        Ok(())
    }

    fn both(&mut self) -> Result<(), ReactionError> {
        self.comparison()?;
        while self.eat(&["&&"]).is_some() {
            self.comparison()?;
            self.join(Operator::And)?;
        }
        Ok(())
    }

    fn comparison(&mut self) -> Result<(), ReactionError> {
        self.sum()?;
        let Some(symbol) = self.eat(&["<=", ">=", "==", "!=", "<", ">"]) else { return Ok(()) };
        self.sum()?;
        match symbol {
            "<" => self.join(Operator::Less),
            "<=" => self.join(Operator::LessOrEqual),
            "==" => self.join(Operator::Equal),
            "!=" => self.join(Operator::NotEqual),
            // Not(x <= y): a comparison with NaN is NaN.
            ">" => {
                self.join(Operator::LessOrEqual).and_then(|()| self.write(ExpressionStep::Of(Function::Not)))
            }
            _ => self.join(Operator::Less).and_then(|()| self.write(ExpressionStep::Of(Function::Not))),
        }
    }

    fn sum(&mut self) -> Result<(), ReactionError> {
        self.product()?;
        while let Some(symbol) = self.eat(&["+", "-"]) {
            self.product()?;
            self.join(if symbol == "+" { Operator::Add } else { Operator::Subtract })?;
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), ReactionError> {
        self.unary()?;
        while let Some(symbol) = self.eat(&["*", "/"]) {
            self.unary()?;
            self.join(if symbol == "*" { Operator::Multiply } else { Operator::Divide })?;
        }
        Ok(())
    }

    fn unary(&mut self) -> Result<(), ReactionError> {
        match self.eat(&["-", "+", "!"]) {
            Some("-") => {
                self.deeper(Self::unary)?;
                self.write(ExpressionStep::Of(Function::Negative))
            }
            Some("!") => {
                self.deeper(Self::unary)?;
                self.write(ExpressionStep::Of(Function::Not))
            }
            Some(_) => self.deeper(Self::unary),
            None => self.power(),
        }
    }

    fn power(&mut self) -> Result<(), ReactionError> {
        self.atom()?;
        if self.eat(&["^", "**"]).is_some() {
            // Right-associative: 2^3^2 is 2^9.
            self.deeper(Self::unary)?;
            self.join(Operator::Power)?;
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), ReactionError> {
        self.blank();
        let start = self.at;
        let rest = &self.text[start..];
        match rest.chars().next() {
            Some('(') => {
                self.at += 1;
                self.deeper(Self::choice)?;
                self.close(start)
            }
            Some('\'') => {
                let end = rest[1..].find('\'').ok_or_else(|| {
                    self.error(start, "this name is never closed", "a name in single quotes: 'A-'")
                })?;
                self.at += end + 2;
                self.named(start, &rest[1..=end], true)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c == '_' || c.is_alphabetic() => {
                let length = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
                self.at += length;
                if self.text[self.at..].trim_start().starts_with('(') {
                    self.function(start, &rest[..length])
                } else {
                    self.named(start, &rest[..length], false)
                }
            }
            _ => Err(self.unexpected(OPERAND)),
        }
    }

    fn close(&mut self, open: usize) -> Result<(), ReactionError> {
        if self.eat(&[")"]).is_some() {
            return Ok(());
        }
        self.blank();
        Err(if self.at == self.text.len() {
            self.error(open, "`(` is never closed", "`)`")
        } else {
            self.unexpected("`)` or an operator")
        })
    }

    fn number(&mut self) -> Result<(), ReactionError> {
        let start = self.at;
        let rest = &self.text[start..];
        let digits = |text: &str| {
            text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_'))).unwrap_or(text.len())
        };
        let mut length = digits(rest);
        if let Some(exponent) = rest[length..].strip_prefix(['e', 'E']) {
            let sign = usize::from(exponent.starts_with(['+', '-']));
            if exponent[sign..].starts_with(|c: char| c.is_ascii_digit()) {
                length += 1 + sign + digits(&exponent[sign..]);
            }
        }
        // `2A` is neither a number nor a name.
        length +=
            rest[length..].find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest[length..].len());
        let value = rest[..length].replace('_', "").parse::<f64>().ok().filter(|value| value.is_finite());
        let value = value.ok_or_else(|| {
            let message = format!("{} is not a finite number", shown(&rest[..length]));
            self.error(start, message, "a number such as 2, 0.5 or 1e-3, with `*` before a name")
        })?;
        self.at += length;
        self.write(ExpressionStep::Number(value))
    }

    fn named(&mut self, start: usize, name: &str, is_quoted: bool) -> Result<(), ReactionError> {
        let species = self.species.iter().position(|species| *species == name);
        let is_reserved = !is_quoted && RESERVED.contains(&name);
        match species {
            Some(_) if is_reserved => {
                let message =
                    format!("{} is a species, and also has a predefined meaning in rates", shown(name));
                Err(self.error(start, message, format!("'{name}' in single quotes for the species")))
            }
            Some(number) => {
                self.written.species.push(number as u16);
                self.write(ExpressionStep::Species(number as u16))
            }
            None if is_reserved && name == "pi" => self.write(ExpressionStep::Number(std::f64::consts::PI)),
            None if is_reserved && name == "volume" => self.write(ExpressionStep::Volume),
            None if is_reserved => {
                self.written.has_time = true;
                self.write(ExpressionStep::Time)
            }
            None => match self.parameters.iter().find(|(parameter, _)| *parameter == name) {
                Some(&(_, value)) => self.write(ExpressionStep::Number(value)),
                None => {
                    let known = self.species.iter().copied();
                    let known = known.chain(self.parameters.iter().map(|(name, _)| *name)).chain(RESERVED);
                    let message = format!("unknown name {}", shown(name));
                    Err(self.error(start, message, Accepted::names(name, known)))
                }
            },
        }
    }

    fn function(&mut self, start: usize, name: &str) -> Result<(), ReactionError> {
        let simple = match name {
            "exp" => Some(Function::Exp),
            "log" | "ln" => Some(Function::Log),
            "log10" => Some(Function::Log10),
            "sqrt" => Some(Function::Sqrt),
            "abs" => Some(Function::Abs),
            "floor" => Some(Function::Floor),
            "sin" => Some(Function::Sin),
            "cos" => Some(Function::Cos),
            _ => None,
        };
        let least = match name {
            _ if simple.is_some() => 1,
            "min" | "max" | "pow" => 2,
            "if" => 3,
            _ => {
                let message = format!("unknown function {}", shown(name));
                return Err(self.error(start, message, Accepted::names(name, FUNCTIONS)));
            }
        };
        self.blank();
        let open = self.at;
        self.at += 1;
        let mut arguments = 0;
        loop {
            self.deeper(Self::choice)?;
            arguments += 1;
            match name {
                "min" if arguments > 1 => self.join(Operator::Min)?,
                "max" if arguments > 1 => self.join(Operator::Max)?,
                _ => {}
            }
            // More are refused here: `pow` and `if` take no further values from the stack.
            let is_full = arguments == least && !matches!(name, "min" | "max");
            if is_full || self.eat(&[","]).is_none() {
                break;
            }
        }
        if arguments < least {
            let accepted = match name {
                "if" => "if(condition, then, else)".to_owned(),
                _ => format!("{name}(x, y)"),
            };
            return Err(self.error(start, format!("{} has {arguments} values", shown(name)), accepted));
        }
        self.close(open)?;
        match (simple, name) {
            (Some(function), _) => self.write(ExpressionStep::Of(function)),
            (None, "pow") => self.join(Operator::Power),
            (None, "if") => self.write(ExpressionStep::If),
            _ => Ok(()),
        }
    }
}

/// Checks names and values of parameters.
pub(super) fn check_parameters<P: AsRef<str>>(
    parameters: &[(P, f64)],
    species: &[String],
) -> Result<(), ReactionError> {
    for (index, (name, value)) in parameters.iter().enumerate() {
        let name = name.as_ref();
        let is_word = name.chars().next().is_some_and(|c| c == '_' || c.is_alphabetic())
            && name.chars().all(|c| c == '_' || c.is_alphanumeric());
        let refused = if let Some(fault) = name::fault(name) {
            Some((
                format!("{} cannot be the name of a parameter: {fault}", shown(name)),
                "a word such as k_on",
            ))
        } else if !is_word {
            let message = format!("{} cannot be the name of a parameter", shown(name));
            Some((message, "a word such as k_on: letters, digits and `_`, no digit first"))
        } else if RESERVED.contains(&name) {
            Some((format!("the parameter {} has a predefined meaning in rates", shown(name)), "another name"))
        } else if species.iter().any(|species| species == name) {
            Some((format!("the parameter {} is also a species", shown(name)), "another name"))
        } else if parameters[..index].iter().any(|(other, _)| other.as_ref() == name) {
            Some((format!("the parameter {} is listed twice", shown(name)), "each name once"))
        } else if !value.is_finite() {
            Some((format!("the parameter {} is {value}", shown(name)), "a finite number"))
        } else {
            None
        };
        if let Some((message, accepted)) = refused {
            return Err(ReactionError::new(message, accepted).of_parameter(index));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::expression::EvaluationPoint;
    use super::*;

    fn read(text: &str) -> Result<Expression, ReactionError> {
        Expression::parse(text, &["A", "B", "A-", "t"], &[("k", 2.0), ("K_m", 0.5)])
    }

    #[test]
    fn values_are_those_of_the_usual_rules() {
        let at = EvaluationPoint { time: 3.0, volume: 10.0 };
        for (text, value) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8 / 4 / 2", 1.0),
            ("5 - 2 - 1", 2.0),
            ("2^3^2", 512.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2 ** 3", 8.0),
            ("1e2 + 1_000 + .5 + 2E-1", 1100.7),
            ("k * A * B", 2.0 * 5.0 * 7.0),
            ("k*A/(K_m + A)", 10.0 / 5.5),
            ("'A-' + 't'", 11.0 + 13.0),
            ("time * volume", 30.0),
            ("min(4, A, 9) + max(1, B)", 11.0),
            ("exp(log(A)) + ln(1) + log10(100) + sqrt(9) + abs(-1) + floor(2.7)", 13.0),
            ("sin(0) + cos(0) + pow(2, 5)", 33.0),
            ("if(time >= 3, 4, 5) + if(A != 5, 1, 2)", 6.0),
            ("(A < B) + (A <= 5) + (A > B) + (B >= 7) + (A == 5) + !(A == 5)", 4.0),
            ("A == 4 || A == 5 && B == 7", 1.0),
            ("1 < 2 && !0", 1.0),
        ] {
            let expression = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let found = expression.value(&[5.0, 7.0, 11.0, 13.0], at);
            assert!((found - value).abs() < 1e-12, "{text} is {found}");
        }
        let expression = read("B + 'A-' * A + B").unwrap();
        assert_eq!((expression.species(), expression.depends_on_time()), (&[0, 1, 2][..], false));
        assert!(read("time").unwrap().depends_on_time());
        assert_eq!(read("k * K_m^2").unwrap().code, [ExpressionStep::Number(0.5)]);
    }

    #[test]
    fn faults_are_shown_where_they_are() {
        for (text, column, message) in [
            ("", 1, "the rate ends here"),
            ("k *", 4, "the rate ends here"),
            ("k * * A", 5, "`*` is not expected here"),
            ("k A", 3, "`A` is not expected here"),
            ("é * A", 1, "unknown name `é`"),
            ("k * X", 5, "unknown name `X`"),
            ("t", 1, "`t` is a species, and also has a predefined meaning in rates"),
            ("2A", 1, "`2A` is not a finite number"),
            ("1e999", 1, "`1e999` is not a finite number"),
            ("1.2.3", 1, "`1.2.3` is not a finite number"),
            ("(A", 1, "`(` is never closed"),
            ("A)", 2, "`)` is not expected here"),
            ("sine(A)", 1, "unknown function `sine`"),
            ("exp()", 5, "`)` is not expected here"),
            ("exp(A, B)", 6, "`,` is not expected here"),
            ("min(A)", 1, "`min` has 1 values"),
            ("if(A, B)", 1, "`if` has 2 values"),
            ("'A", 1, "this name is never closed"),
            ("A = B", 3, "`=` is not expected here"),
            ("A \u{7} B", 3, "`\u{7}` is not expected here"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!((error.column(), error.message()), (Some(column), message), "{text}");
            assert!(error.is_of_rate());
        }
        assert!(read(&"(".repeat(10_000)[..2000]).unwrap_err().message().contains("nested"));
        assert!(read(&"-".repeat(2000)).unwrap_err().message().contains("nested"));
        assert!(read(&"1+(".repeat(63)).is_err());
        assert!(read(&"A".repeat(MAX_TEXT + 1)).is_err());
        let deep = format!("{}1{}", "A^(1+".repeat(30), ")".repeat(30));
        assert!(read(&deep).is_ok());
        let deeper = format!("{}1{}", "A+B*(A+".repeat(40), ")".repeat(40));
        assert!(read(&deeper).unwrap_err().message().contains("operands"), "{deeper}");
    }
}
