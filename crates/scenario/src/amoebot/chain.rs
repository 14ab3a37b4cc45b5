//! A run of a Markov chain: compression, bridging, separation.

use acrasin_amoebot::chain::bridging::landscape::Landscape;
use acrasin_amoebot::chain::compression::{ChainError, FastChain, TiledChain};
use acrasin_amoebot::chain::separation::SeparationError;
use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::start::{Drawing, Mark};
use acrasin_amoebot::{Body, Bridging, Cell, Separation};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::choice::Seeded;

use super::AmoebotPlan;
use super::course::{AmoebotRun, Headway, drive};
use super::scenario::{Algorithm, Layout};
use super::scene::{drawing, picture};
use super::subject::Ground;
use crate::limits::LOOK_STEPS;
use crate::run::{Finished, Job, RunError};

/// Most colours of which each has one of its own in a picture.
const COLOURS_SHOWN: usize = acrasin_amoebot::picture::CLASSES_MAX;

/// One of the chains.
enum MarkovChain {
    Compression(Box<FastChain>),
    Tiles(Box<TiledChain>),
    /// With the land, to draw it.
    Bridging(Box<Bridging>, Landscape),
    Separation(Box<Separation>),
}

impl MarkovChain {
    /// The chain of the plan; `None` if its algorithm is none.
    fn new(algorithm: &Algorithm, ground: &Ground, seed: u64) -> Option<Result<Self, String>> {
        let cells = &ground.cells;
        match algorithm {
            Algorithm::Compression { lambda, layout } => {
                let chain = match layout {
                    Layout::Masks => {
                        FastChain::new(cells, **lambda, seed).map(|chain| Self::Compression(Box::new(chain)))
                    }
                    Layout::Tiles => {
                        TiledChain::new(cells, **lambda, seed).map(|chain| Self::Tiles(Box::new(chain)))
                    }
                };
                Some(chain.map_err(|error: ChainError| error.to_string()))
            }
            Algorithm::Bridging { lambda, gamma } => {
                let landscape = ground.landscape.as_ref().expect("the ground of bridging is a landscape");
                let chain = landscape.chain(**lambda, **gamma);
                let with_land = |chain| Self::Bridging(Box::new(chain), landscape.clone());
                Some(chain.map(with_land).map_err(|error| error.to_string()))
            }
            Algorithm::Separation { lambda, gamma, .. } => {
                let colours = ground.colours.as_deref().expect("the ground of separation has colours");
                let words = |error: SeparationError| error.to_string();
                Some(
                    Separation::new(cells, colours, **lambda, **gamma)
                        .map(|chain| Self::Separation(Box::new(chain)))
                        .map_err(words),
                )
            }
            _ => None,
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
    chain: MarkovChain,
    amoebots: u64,
    choices: &'a mut Seeded,
}

impl AmoebotRun for ChainRun<'_> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        let ended = match &mut self.chain {
            MarkovChain::Compression(chain) => chain.run(steps).map_err(|error| error.to_string()),
            MarkovChain::Tiles(chain) => {
                // So many that a few thousand amoebots are chosen between two looks.
                let windows = steps.min((LOOK_STEPS / self.amoebots).max(1));
                chain.run(windows).map_err(|error| error.to_string())
            }
            MarkovChain::Bridging(chain, _) => Ok(chain.run(steps, self.choices)),
            MarkovChain::Separation(chain) => {
                chain.run(steps, self.choices).map_err(|error| error.to_string())
            }
        };
        ended.map(|_| ())
    }

    fn headway(&self) -> Headway {
        let steps = match &self.chain {
            MarkovChain::Compression(chain) => chain.chain().steps(),
            MarkovChain::Tiles(chain) => chain.windows(),
            MarkovChain::Bridging(chain, _) => chain.steps(),
            MarkovChain::Separation(chain) => chain.steps(),
        };
        Headway { steps, ..Headway::default() }
    }

    fn width(&self) -> u64 {
        if matches!(self.chain, MarkovChain::Tiles(_)) { self.amoebots } else { 1 }
    }

    fn columns(&self) -> Vec<String> {
        let columns: &[&str] = match self.chain {
            MarkovChain::Compression(_) | MarkovChain::Tiles(_) => &["perimeter", "adjacent pairs"],
            MarkovChain::Bridging(..) => &["perimeter", "halves over the gap"],
            MarkovChain::Separation(_) => &["perimeter", "adjacent pairs", "unlike pairs"],
        };
        columns.iter().map(|name| (*name).to_owned()).collect()
    }

    fn counts(&self) -> Vec<u64> {
        match &self.chain {
            MarkovChain::Compression(chain) => vec![chain.chain().perimeter(), chain.chain().edges()],
            MarkovChain::Tiles(chain) => vec![chain.perimeter(), chain.edges()],
            MarkovChain::Bridging(chain, _) => vec![chain.perimeter(), chain.gap_perimeter()],
            MarkovChain::Separation(chain) => vec![chain.perimeter(), chain.edges(), chain.unlike_edges()],
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
            MarkovChain::Compression(chain) => {
                work.push(Figure::new("steps", "steps", chain.chain().steps()));
                work.push(Figure::new("moves", "moves", chain.chain().moves()));
            }
            MarkovChain::Tiles(chain) => {
                work.push(Figure::new("windows", "windows", chain.windows()));
                work.push(Figure::new("steps", "steps", chain.steps()));
                work.push(Figure::new("moves", "moves", chain.moves()));
            }
            MarkovChain::Bridging(chain, _) => {
                work.push(Figure::new("steps", "steps", chain.steps()));
                work.push(Figure::new("moves", "moves", chain.moves()));
            }
            MarkovChain::Separation(chain) => {
                work.push(Figure::new("steps", "steps", chain.steps()));
                work.push(Figure::new("changes", "moves and swaps", chain.changes()));
            }
        }
        work
    }

    fn further(&self) -> Vec<Section> {
        let MarkovChain::Bridging(chain, _) = &self.chain else { return Vec::new() };
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
    ground: &Ground,
    choices: &mut Seeded,
) -> Result<Finished, RunError> {
    let chain =
        MarkovChain::new(&plan.algorithm, ground, job.seed).expect("the other algorithms are subjects");
    let chain = chain.map_err(|message| AmoebotPlan::drawn(job.seed, message))?;
    drive(plan, job, &mut ChainRun { chain, amoebots: plan.count as u64, choices })
}
