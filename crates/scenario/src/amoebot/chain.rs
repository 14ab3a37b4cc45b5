//! A run of a Markov chain: compression, bridging, separation.

use acrasin_amoebot::chain::bridging::landscape::Landscape;
use acrasin_amoebot::chain::compression::{FastChain, TiledChain};
use acrasin_amoebot::chain::{Layout, MarkovChain};
use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::start::{Drawing, Mark};
use acrasin_amoebot::{Body, Bridging, Cell, Separation};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::choice::Seeded;

use super::AmoebotPlan;
use super::course::{AmoebotRun, Headway, drive};
use super::scene::{drawing, picture};
use crate::limits::LOOK_STEPS;
use crate::run::{Finished, Job, RunError};
use acrasin_amoebot::algorithm::description::Placement;

/// Most colours of which each has one of its own in a picture.
const COLOURS_SHOWN: usize = acrasin_amoebot::picture::CLASSES_MAX;

/// One of the chains.
enum Stepping {
    Compression(Box<FastChain>),
    Tiles(Box<TiledChain>),
    /// With the land, to draw it.
    Bridging(Box<Bridging>, Landscape),
    Separation(Box<Separation>),
}

impl Stepping {
    /// The chain of the plan, which has checked its biases; with the landscape, if the chain starts in one.
    fn new(
        chain: MarkovChain,
        placement: &Placement,
        landscape: Option<&Landscape>,
        seed: u64,
    ) -> Result<Self, String> {
        let cells = &placement.cells;
        match chain {
            MarkovChain::Compression { lambda, layout: Layout::Masks } => {
                let chain = FastChain::new(cells, lambda, seed).map_err(|error| error.to_string())?;
                Ok(Self::Compression(Box::new(chain)))
            }
            MarkovChain::Compression { lambda, layout: Layout::Tiles } => {
                let chain = TiledChain::new(cells, lambda, seed).map_err(|error| error.to_string())?;
                Ok(Self::Tiles(Box::new(chain)))
            }
            MarkovChain::Bridging { lambda, gamma } => {
                let landscape = landscape.expect("bridging starts in a landscape");
                let chain = landscape.chain(lambda, gamma).map_err(|error| error.to_string())?;
                Ok(Self::Bridging(Box::new(chain), landscape.clone()))
            }
            MarkovChain::Separation { lambda, gamma, .. } => {
                let colours = placement.colours.as_deref().expect("separation starts with colours");
                let chain =
                    Separation::new(cells, colours, lambda, gamma).map_err(|error| error.to_string())?;
                Ok(Self::Separation(Box::new(chain)))
            }
        }
    }

    fn cells(&self) -> Vec<Cell> {
        match self {
            Self::Compression(chain) => chain.chain().cells(),
            Self::Tiles(chain) => chain.cells(),
            Self::Bridging(chain, _) => chain.cells(),
            Self::Separation(chain) => chain.cells(),
        }
    }

    fn unlike_edges(&self) -> Option<u64> {
        match self {
            Self::Compression(_) | Self::Tiles(_) | Self::Bridging(..) => None,
            Self::Separation(chain) => Some(chain.unlike_edges()),
        }
    }

    fn digest(&self) -> String {
        match self {
            Self::Compression(chain) => chain.chain().digest().to_string(),
            Self::Tiles(chain) => chain.digest().to_string(),
            Self::Bridging(chain, _) => chain.digest().to_string(),
            Self::Separation(chain) => chain.digest().to_string(),
        }
    }

    /// Amoebots by colour; colours beyond those of a picture share them.
    fn picture(&self) -> Option<Picture> {
        let (colours, names): (Vec<u8>, Vec<String>) = match self {
            Self::Compression(_) | Self::Tiles(_) => {
                (vec![0; self.cells().len()], vec!["amoebot".to_owned()])
            }
            Self::Bridging(chain, landscape) => {
                let over_gap = |cell: Cell| u8::from(!landscape.is_land(cell));
                let places = chain.cells().into_iter().map(over_gap).collect();
                (places, vec!["on land".to_owned(), "over the gap".to_owned()])
            }
            Self::Separation(chain) => {
                let colours = chain.colours();
                let most = colours.iter().max().map_or(1, |most| usize::from(*most) + 1);
                (colours, (0..most.min(COLOURS_SHOWN)).map(|colour| format!("colour {colour}")).collect())
            }
        };
        let classes = colours.into_iter().map(|colour| usize::from(colour) % COLOURS_SHOWN);
        let bodies: Vec<_> = self.cells().into_iter().map(Body::contracted).zip(classes).collect();
        picture(bodies.into_iter(), &names, self.objects())
    }

    /// The anchors of bridging.
    fn objects(&self) -> &[Cell] {
        match self {
            Self::Bridging(chain, _) => chain.objects(),
            Self::Compression(_) | Self::Tiles(_) | Self::Separation(_) => &[],
        }
    }

    /// Colours are letters, as far as there are letters.
    fn drawing(&self) -> Option<Drawing> {
        let bodies = self.cells().into_iter().map(Body::contracted);
        match self {
            Self::Compression(_) | Self::Tiles(_) | Self::Bridging(..) => {
                drawing(bodies, |_| Mark::None, self.objects())
            }
            Self::Separation(chain) => {
                let colours = chain.colours();
                let letter = |amoebot| Mark::Letter(char::from(b'a'.saturating_add(colours[amoebot])));
                drawing(bodies, letter, &[])
            }
        }
    }
}

/// A step is one of the chain; of tiles, a window of all of them.
struct ChainRun<'a> {
    chain: Stepping,
    amoebots: u64,
    choices: &'a mut Seeded,
}

impl AmoebotRun for ChainRun<'_> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        let ended = match &mut self.chain {
            Stepping::Compression(chain) => chain.run(steps).map_err(|error| error.to_string()),
            Stepping::Tiles(chain) => {
                // So many that a few thousand amoebots are chosen between two looks.
                let windows = steps.min((LOOK_STEPS / self.amoebots).max(1));
                chain.run(windows).map_err(|error| error.to_string())
            }
            Stepping::Bridging(chain, _) => Ok(chain.run(steps, self.choices)),
            Stepping::Separation(chain) => chain.run(steps, self.choices).map_err(|error| error.to_string()),
        };
        ended.map(|_| ())
    }

    fn headway(&self) -> Headway {
        let steps = match &self.chain {
            Stepping::Compression(chain) => chain.chain().steps(),
            Stepping::Tiles(chain) => chain.windows(),
            Stepping::Bridging(chain, _) => chain.steps(),
            Stepping::Separation(chain) => chain.steps(),
        };
        Headway { steps, ..Headway::default() }
    }

    fn width(&self) -> u64 {
        if matches!(self.chain, Stepping::Tiles(_)) { self.amoebots } else { 1 }
    }

    fn columns(&self) -> Vec<String> {
        let columns: &[&str] = match self.chain {
            Stepping::Compression(_) | Stepping::Tiles(_) => &["perimeter", "adjacent pairs"],
            Stepping::Bridging(..) => &["perimeter", "halves over the gap"],
            Stepping::Separation(_) => &["perimeter", "adjacent pairs", "unlike pairs"],
        };
        columns.iter().map(|name| (*name).to_owned()).collect()
    }

    fn counts(&self) -> Vec<u64> {
        match &self.chain {
            Stepping::Compression(chain) => vec![chain.chain().perimeter(), chain.chain().edges()],
            Stepping::Tiles(chain) => vec![chain.perimeter(), chain.edges()],
            Stepping::Bridging(chain, _) => vec![chain.perimeter(), chain.gap_perimeter()],
            Stepping::Separation(chain) => vec![chain.perimeter(), chain.edges(), chain.unlike_edges()],
        }
    }

    fn cells(&self) -> Vec<Cell> {
        self.chain.cells()
    }

    fn picture(&self) -> Option<Picture> {
        self.chain.picture()
    }

    fn drawing(&self) -> Option<Drawing> {
        self.chain.drawing()
    }

    fn work(&self) -> Section {
        let mut work = Section::of(SectionName::Work);
        match &self.chain {
            Stepping::Compression(chain) => {
                work.push(Figure::new("steps", "steps", chain.chain().steps()));
                work.push(Figure::new("moves", "moves", chain.chain().moves()));
            }
            Stepping::Tiles(chain) => {
                work.push(Figure::new("windows", "windows", chain.windows()));
                work.push(Figure::new("steps", "steps", chain.steps()));
                work.push(Figure::new("moves", "moves", chain.moves()));
            }
            Stepping::Bridging(chain, _) => {
                work.push(Figure::new("steps", "steps", chain.steps()));
                work.push(Figure::new("moves", "moves", chain.moves()));
            }
            Stepping::Separation(chain) => {
                work.push(Figure::new("steps", "steps", chain.steps()));
                work.push(Figure::new("changes", "moves and swaps", chain.changes()));
            }
        }
        work
    }

    fn further(&self) -> Vec<Section> {
        let Stepping::Bridging(chain, _) = &self.chain else { return Vec::new() };
        let mut section = Section::new("bridge", "Bridge");
        section.push(Figure::new("perimeter", "perimeter, anchors included", chain.perimeter()));
        section.push(Figure::new("gap", "of it over the gap", chain.gap_perimeter() as f64 / 2.0));
        vec![section]
    }

    fn unlike_edges(&self) -> Option<u64> {
        self.chain.unlike_edges()
    }

    fn digest(&self) -> String {
        self.chain.digest()
    }
}

pub(super) fn run(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    placement: &Placement,
    choices: &mut Seeded,
) -> Result<Finished, RunError> {
    let chain = *plan.algorithm.chain().expect("in the other algorithms amoebots act");
    let chain = Stepping::new(chain, placement, plan.landscape(), job.seed);
    let chain = chain.map_err(|message| AmoebotPlan::drawn(job.seed, message))?;
    drive(plan, job, &mut ChainRun { chain, amoebots: plan.count as u64, choices })
}
