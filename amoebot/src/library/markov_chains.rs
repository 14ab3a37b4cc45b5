//! The chains as entries of the catalogue.

use super::entry::{Entry, Made, Needs};
use super::parameter::{Kind, Parameter, ParameterError, Values};
use crate::chain::bridging::Bridging;
use crate::chain::compression::{Chain, FastChain, TiledChain};
use crate::chain::phototaxis::Phototaxis;
use crate::chain::separation::Separation;
use crate::chain::{Biases, ChainDescription, ChainError, ChainStart, Colouring, Layout, RunningChain};
use crate::model::lattice::Direction;

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
        Ok(Made::chain(Compressing { lambda: bias(values, "lambda"), layout }))
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
        let [lambda, gamma] = biases(values, Bridging::BIASES)?;
        Ok(Made::chain(Spanning { lambda, gamma }))
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
        let [lambda, gamma] = biases(values, Separation::BIASES)?;
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
        let made = Made::chain(Separating { lambda, gamma, colouring });
        Ok(made.needing(Needs { colours: Some(colours), ..SEPARATION.needs }))
    },
};

/// The directions of a light, in the order of [`Direction::ALL`].
const DIRECTIONS: &[&str] = &["East", "NorthEast", "NorthWest", "West", "SouthWest", "SouthEast"];

/// With which probability an amoebot that sees the light acts if nothing is written.
const LIT: f64 = 0.25;

/// Phototaxis.
pub const PHOTOTAXIS: Entry = Entry {
    name: "Phototaxis",
    title: "chain M of phototaxis",
    summary: "amoebots: chain M where those that see a light act less",
    parameters: &[
        Parameter::required("lambda", Kind::Positive, "the bias towards neighbours"),
        Parameter::optional(
            "lit",
            Kind::Probability,
            "how often an amoebot in the light acts; 0.25 if it is not written",
        ),
        Parameter::optional("light", Kind::Word(DIRECTIONS), "where the light is; East if it is not written"),
    ],
    needs: Needs::ENDLESS,
    read: |values| {
        let lit = values.probability("lit").unwrap_or(LIT);
        let index = DIRECTIONS.iter().position(|word| values.word("light") == Some(*word));
        let light = Direction::ALL[index.unwrap_or(0)];
        Ok(Made::chain(Crawling { lambda: bias(values, "lambda"), lit, light }))
    },
};

/// Chain M, from one of its two layouts.
struct Compressing {
    lambda: f64,
    layout: Layout,
}

impl ChainDescription for Compressing {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        let cells = &start.placement.cells;
        Ok(match self.layout {
            Layout::Masks => Box::new(FastChain::new(cells, self.lambda, start.seed)?),
            Layout::Tiles => Box::new(TiledChain::new(cells, self.lambda, start.seed)?),
        })
    }

    fn check(&self, start: ChainStart<'_>) -> Result<(), ChainError> {
        Chain::new(&start.placement.cells, self.lambda).map(|_| ())
    }

    fn is_parallel(&self) -> bool {
        self.layout == Layout::Tiles
    }
}

/// Bridging in a landscape.
struct Spanning {
    lambda: f64,
    gamma: f64,
}

impl ChainDescription for Spanning {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        let landscape = start.landscape.expect("bridging starts in a landscape");
        Ok(Box::new(landscape.chain(self.lambda, self.gamma)?))
    }

    /// Biases were looked at when they were read, and every landscape is a start.
    fn check(&self, _: ChainStart<'_>) -> Result<(), ChainError> {
        Ok(())
    }
}

/// Separation, and who has which colour.
struct Separating {
    lambda: f64,
    gamma: f64,
    colouring: Colouring,
}

impl ChainDescription for Separating {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        let colours = start.placement.colours.as_deref().expect("separation starts with colours");
        Ok(Box::new(Separation::new(&start.placement.cells, colours, self.lambda, self.gamma)?))
    }

    fn colouring(&self) -> Option<Colouring> {
        Some(self.colouring)
    }
}

/// Phototaxis, and where the light is.
struct Crawling {
    lambda: f64,
    lit: f64,
    light: Direction,
}

impl ChainDescription for Crawling {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        Ok(Box::new(Phototaxis::new(&start.placement.cells, self.lambda, self.lit, self.light)?))
    }
}

fn bias(values: &Values, name: &'static str) -> f64 {
    values.positive(name).expect("it is required")
}

fn biases(values: &Values, accepted: Biases) -> Result<[f64; 2], ParameterError> {
    for name in ["lambda", "gamma"] {
        let bias = bias(values, name);
        if !accepted.contains(bias) {
            return Err(ParameterError::new(name, format!("{name} is {bias:e}"))
                .accepting(format!("{:e} to {:e}", accepted.least, accepted.most)));
        }
    }
    Ok([bias(values, "lambda"), bias(values, "gamma")])
}
