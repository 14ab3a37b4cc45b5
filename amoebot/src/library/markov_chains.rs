//! Catalogue entries of the Markov chains.

use super::entry::{AlgorithmEntry, Construction, Needs};
use super::parameter::{Parameter, ParameterError, ParameterKind, Values};
use crate::chain::bridging::Bridging;
use crate::chain::compression::{Chain, FastChain, TiledChain};
use crate::chain::foraging::{Foraging, Lambdas};
use crate::chain::phototaxis::Phototaxis;
use crate::chain::separation::Separation;
use crate::chain::{
    Biases, ChainDescription, ChainError, ChainRule, ChainStart, Colouring, Layout, LockedChain, MarkovChain,
    RunningChain,
};
use crate::model::lattice::Direction;

/// The default number of colours.
const COLOURS: u64 = 2;

const LAYOUTS: &[&str] = &["Masks", "Tiles", "Waves"];
const WAYS: &[&str] = &["Steps", "Tiles", "Waves"];
const COLOURINGS: &[&str] = &["InTurn", "Random"];

/// The parameter that selects how the steps of a chain are executed.
const LAYOUT: Parameter = Parameter::optional(
    "layout",
    ParameterKind::Word(WAYS),
    "Steps: one amoebot per step; Tiles: many at once, in windows of tiles; Waves: many at once, with locks on cells",
);

/// The execution of a chain: one step, one window of tiles, or one wave at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    Steps,
    Tiles,
    Waves,
}

impl Pace {
    fn of(values: &Values) -> Self {
        match values.word("layout") {
            Some("Tiles") => Self::Tiles,
            Some("Waves") => Self::Waves,
            _ => Self::Steps,
        }
    }

    fn is_parallel(self) -> bool {
        self != Self::Steps
    }

    fn run<R>(self, chain: MarkovChain<R>, seed: u64) -> Result<Box<dyn RunningChain>, ChainError>
    where
        R: ChainRule<Change: Send> + Sync + 'static,
    {
        Ok(match self {
            Self::Steps => Box::new(chain),
            Self::Tiles => Box::new(LockedChain::with_tiles(chain, seed).with_room()?),
            Self::Waves => Box::new(LockedChain::new(chain, seed)),
        })
    }
}

/// The entry of chain M, for compression.
pub const COMPRESSION: AlgorithmEntry = AlgorithmEntry {
    name: "Compression",
    title: "chain M of compression",
    summary: "amoebots: chain M of compression: a large lambda gathers the amoebots, a small one spreads them",
    parameters: &[
        Parameter::required("lambda", ParameterKind::Positive, "the bias towards neighbours"),
        Parameter::optional(
            "layout",
            ParameterKind::Word(LAYOUTS),
            "Masks: one amoebot per step; Tiles: many at once, in tiles; Waves: many at once, with locks on cells",
        ),
    ],
    needs: Needs::ENDLESS,
    read: |values| {
        let layout = match values.word("layout") {
            Some("Tiles") => Layout::Tiles,
            Some("Waves") => Layout::Waves,
            _ => Layout::Masks,
        };
        Ok(Construction::chain(Compressing { lambda: bias(values, "lambda"), layout }))
    },
};

/// The entry of shortcut bridging.
pub const BRIDGING: AlgorithmEntry = AlgorithmEntry {
    name: "Bridging",
    title: "chain M of shortcut bridging",
    summary: "amoebots: chain M of shortcut bridging, between anchors, over land and a gap",
    parameters: &[
        Parameter::required("lambda", ParameterKind::Positive, "the bias towards a short perimeter"),
        Parameter::required(
            "gamma",
            ParameterKind::Positive,
            "the bias towards a short perimeter over the gap",
        ),
        LAYOUT,
    ],
    needs: Needs { landscape: true, ..Needs::ENDLESS },
    read: |values| {
        let [lambda, gamma] = biases(values, Bridging::BIASES)?;
        Ok(Construction::chain(BridgingChain { lambda, gamma, pace: Pace::of(values) }))
    },
};

/// The entry of separation by colours.
pub const SEPARATION: AlgorithmEntry = AlgorithmEntry {
    name: "Separation",
    title: "chain M of separation",
    summary: "amoebots: chain M of separation: amoebots of the same colour gather, or colours mix",
    parameters: &[
        Parameter::required("lambda", ParameterKind::Positive, "the bias towards neighbours"),
        Parameter::required(
            "gamma",
            ParameterKind::Positive,
            "the bias towards neighbours of the same colour",
        ),
        Parameter::optional("colours", ParameterKind::Count, "the number of colours; 2 by default"),
        Parameter::optional(
            "colouring",
            ParameterKind::Word(COLOURINGS),
            "how colours are assigned to amoebots",
        ),
        LAYOUT,
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
        let made = Construction::chain(Separating { lambda, gamma, colouring, pace: Pace::of(values) });
        Ok(made.with_needs(Needs { colours: Some(colours), ..SEPARATION.needs }))
    },
};

/// The directions of a light, in the order of [`Direction::ALL`].
const DIRECTIONS: &[&str] = &["East", "NorthEast", "NorthWest", "West", "SouthWest", "SouthEast"];

/// The default probability with which an amoebot that sees the light acts.
const LIT: f64 = 0.25;

/// The entry of phototaxis.
pub const PHOTOTAXIS: AlgorithmEntry = AlgorithmEntry {
    name: "Phototaxis",
    title: "chain M of phototaxis",
    summary: "amoebots: chain M of phototaxis, in which amoebots that see a light act less often",
    parameters: &[
        Parameter::required("lambda", ParameterKind::Positive, "the bias towards neighbours"),
        Parameter::optional(
            "lit",
            ParameterKind::Probability,
            "the probability that an amoebot in the light acts; 0.25 by default",
        ),
        Parameter::optional(
            "light",
            ParameterKind::Word(DIRECTIONS),
            "the direction of the light; East by default",
        ),
        LAYOUT,
    ],
    needs: Needs::ENDLESS,
    read: |values| {
        let lit = values.probability("lit").unwrap_or(LIT);
        let index = DIRECTIONS.iter().position(|word| values.word("light") == Some(*word));
        let light = Direction::ALL[index.unwrap_or(0)];
        Ok(Construction::chain(Crawling {
            lambda: bias(values, "lambda"),
            lit,
            light,
            pace: Pace::of(values),
        }))
    },
};

/// The entry of foraging.
pub const FORAGING: AlgorithmEntry = AlgorithmEntry {
    name: "Foraging",
    title: "chain M of foraging",
    summary: "amoebots: chain M of foraging: the amoebots gather while there is food, and search while there is none",
    parameters: &[
        Parameter::required(
            "search",
            ParameterKind::Positive,
            "the bias towards neighbours while there is no food",
        ),
        Parameter::required(
            "gather",
            ParameterKind::Positive,
            "the bias towards neighbours while there is food",
        ),
        Parameter::required(
            "every",
            ParameterKind::Count,
            "steps, waves or windows from one change of the food to the next",
        ),
        LAYOUT,
    ],
    needs: Needs::ENDLESS,
    read: |values| {
        let every = values.count("every").expect("it is required");
        if every == 0 {
            return Err(ParameterError::new("every", "0 steps".to_owned()).accepting("1 or more".to_owned()));
        }
        let lambdas = Lambdas { search: bias(values, "search"), gather: bias(values, "gather") };
        Ok(Construction::chain(Seeking { lambdas, every, pace: Pace::of(values) }))
    },
};

/// The catalogue's description of chain M with its layout.
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
            Layout::Waves => Box::new(LockedChain::new(Chain::new(cells, self.lambda)?, start.seed)),
        })
    }

    fn check(&self, start: ChainStart<'_>) -> Result<(), ChainError> {
        match self.layout {
            Layout::Tiles => TiledChain::new(&start.placement.cells, self.lambda, start.seed).map(|_| ()),
            Layout::Masks | Layout::Waves => Chain::new(&start.placement.cells, self.lambda).map(|_| ()),
        }
    }

    fn is_parallel(&self) -> bool {
        self.layout != Layout::Masks
    }
}

/// The catalogue's description of bridging in a landscape.
struct BridgingChain {
    lambda: f64,
    gamma: f64,
    pace: Pace,
}

impl ChainDescription for BridgingChain {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        let landscape = start.landscape.expect("bridging needs a start in a landscape");
        let chain = landscape.chain(self.lambda, self.gamma)?;
        self.pace.run(chain, start.seed)
    }

    fn is_parallel(&self) -> bool {
        self.pace.is_parallel()
    }

    /// Always succeeds: biases were checked when they were read, and every landscape is a valid start.
    fn check(&self, _: ChainStart<'_>) -> Result<(), ChainError> {
        Ok(())
    }
}

/// The catalogue's description of separation with its assignment of colours.
struct Separating {
    lambda: f64,
    gamma: f64,
    colouring: Colouring,
    pace: Pace,
}

impl ChainDescription for Separating {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        let colours = start.placement.colours.as_deref().expect("separation starts with colours");
        let chain = Separation::new(&start.placement.cells, colours, self.lambda, self.gamma)?;
        self.pace.run(chain, start.seed)
    }

    fn colouring(&self) -> Option<Colouring> {
        Some(self.colouring)
    }

    fn is_parallel(&self) -> bool {
        self.pace.is_parallel()
    }
}

/// The catalogue's description of phototaxis with its light.
struct Crawling {
    lambda: f64,
    lit: f64,
    light: Direction,
    pace: Pace,
}

impl ChainDescription for Crawling {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        let chain = Phototaxis::new(&start.placement.cells, self.lambda, self.lit, self.light)?;
        self.pace.run(chain, start.seed)
    }

    fn is_parallel(&self) -> bool {
        self.pace.is_parallel()
    }
}

/// The catalogue's description of foraging with the interval between changes of the food.
struct Seeking {
    lambdas: Lambdas,
    every: u64,
    pace: Pace,
}

impl ChainDescription for Seeking {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        let foraging = Foraging::new(&start.placement.cells, self.lambdas, self.every)?;
        Ok(Box::new(match self.pace {
            Pace::Steps => foraging,
            Pace::Tiles => foraging.with_tiles(start.seed).with_room()?,
            Pace::Waves => foraging.with_waves(start.seed),
        }))
    }

    fn is_parallel(&self) -> bool {
        self.pace.is_parallel()
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
