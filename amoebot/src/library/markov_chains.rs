//! The chains as entries of the catalogue.

use super::entry::{Entry, Made, Needs};
use super::parameter::{Kind, Parameter, ParameterError, Values};
use crate::chain::bridging::Bridging;
use crate::chain::separation::Separation;
use crate::chain::{Colouring, Layout, MarkovChain};

/// Colours if nothing is written.
const COLOURS: u64 = 2;

const LAYOUTS: &[&str] = &["Masks", "Tiles"];
const COLOURINGS: &[&str] = &["InTurn", "Random"];

/// Chain M of compression.
pub const COMPRESSION: Entry = Entry {
    name: "Compression",
    title: "chain M of compression",
    summary: "amoebots: chain M of compression",
    parameters: &[
        Parameter::required("lambda", Kind::Positive, "the bias towards neighbours"),
        Parameter::optional("layout", Kind::Word(LAYOUTS), "one amoebot a step, or all of them in tiles"),
    ],
    needs: Needs::ENDLESS,
    read: |values| {
        let layout = match values.word("layout") {
            Some("Tiles") => Layout::Tiles,
            _ => Layout::Masks,
        };
        Ok(Made::chain(MarkovChain::Compression { lambda: bias(values, "lambda"), layout }))
    },
};

/// Shortcut bridging.
pub const BRIDGING: Entry = Entry {
    name: "Bridging",
    title: "chain M of shortcut bridging",
    summary: "amoebots: chain M between anchors, over land and a gap",
    parameters: &[
        Parameter::required("lambda", Kind::Positive, "the bias towards a short perimeter"),
        Parameter::required("gamma", Kind::Positive, "the bias towards little perimeter over the gap"),
    ],
    needs: Needs { landscape: true, ..Needs::ENDLESS },
    read: |values| {
        let [lambda, gamma] = biases(values, Bridging::BIAS_MIN, Bridging::BIAS_MAX)?;
        Ok(Made::chain(MarkovChain::Bridging { lambda, gamma }))
    },
};

/// Separation by colours.
pub const SEPARATION: Entry = Entry {
    name: "Separation",
    title: "chain M of separation",
    summary: "amoebots: chain M with colours",
    parameters: &[
        Parameter::required("lambda", Kind::Positive, "the bias towards neighbours"),
        Parameter::required("gamma", Kind::Positive, "the bias towards neighbours of the same colour"),
        Parameter::optional("colours", Kind::Count, "how many colours; 2 if it is not written"),
        Parameter::optional("colouring", Kind::Word(COLOURINGS), "who has which colour"),
    ],
    needs: Needs { colours: Some(COLOURS), ..Needs::ENDLESS },
    read: |values| {
        let [lambda, gamma] = biases(values, Separation::BIAS_MIN, Separation::BIAS_MAX)?;
        let colours = values.count("colours").unwrap_or(COLOURS);
        let most = u64::from(Separation::COLOUR_MAX) + 1;
        if !(1..=most).contains(&colours) {
            return Err(ParameterError::new("colours", format!("{colours} colours"))
                .accepting(format!("1 to {most}")));
        }
        let colouring = match values.word("colouring") {
            Some("Random") => Colouring::Random,
            _ => Colouring::InTurn,
        };
        let made = Made::chain(MarkovChain::Separation { lambda, gamma, colouring });
        Ok(made.needing(Needs { colours: Some(colours), ..SEPARATION.needs }))
    },
};

fn bias(values: &Values, name: &'static str) -> f64 {
    values.positive(name).expect("it is required")
}

fn biases(values: &Values, least: f64, most: f64) -> Result<[f64; 2], ParameterError> {
    for name in ["lambda", "gamma"] {
        let bias = bias(values, name);
        if !(least..=most).contains(&bias) {
            return Err(ParameterError::new(name, format!("{name} is {bias:e}"))
                .accepting(format!("{least:e} to {most:e}")));
        }
    }
    Ok([bias(values, "lambda"), bias(values, "gamma")])
}
