//! A run of a Markov chain: compression, bridging, separation, or one from outside.

use acrasin_amoebot::algorithm::description::Placement;
use acrasin_amoebot::chain::bridging::landscape::Landscape;
use acrasin_amoebot::chain::{ChainStart, RunningChain};
use acrasin_amoebot::picture::Picture;
use acrasin_amoebot::start::{Drawing, Mark};
use acrasin_amoebot::{Body, Cell};
use acrasin_report::record::{Section, SectionName};
use acrasin_runtime::choice::Seeded;

use super::AmoebotPlan;
use super::course::{AmoebotRun, Headway, drive};
use super::figures::{further, told};
use super::scene::{drawing, picture};
use crate::limits::LOOK_STEPS;
use crate::run::{Finished, Job, RunError};

/// A step is one of the chain; of tiles, a window of all of them.
struct ChainRun<'a> {
    chain: Box<dyn RunningChain>,
    /// How many amoebots a step is work for.
    width: u64,
    choices: &'a mut Seeded,
    landscape: Option<&'a Landscape>,
}

impl AmoebotRun for ChainRun<'_> {
    fn advance(&mut self, steps: u64) -> Result<(), String> {
        // So many that a few thousand amoebots are chosen between two looks.
        let steps = steps.min((LOOK_STEPS / self.width).max(1));
        self.chain.advance(steps, self.choices).map_err(|error| error.to_string())
    }

    fn headway(&self) -> Headway {
        Headway { steps: self.chain.advanced(), ..Headway::default() }
    }

    fn width(&self) -> u64 {
        self.width
    }

    fn columns(&self) -> Vec<String> {
        self.chain.columns().iter().map(|name| (*name).to_owned()).collect()
    }

    fn counts(&self) -> Vec<u64> {
        self.chain.counts()
    }

    fn cells(&self) -> Vec<Cell> {
        self.chain.cells()
    }

    fn picture(&self) -> Option<Picture> {
        let (names, classes) = self.chain.classes();
        let bodies: Vec<_> = self.cells().into_iter().map(Body::contracted).zip(classes).collect();
        let picture = picture(bodies.into_iter(), &names, self.chain.objects())?;
        Some(match self.landscape {
            Some(land) => picture.calling_objects("anchor").with_landscape(|cell| land.is_land(cell)),
            None => picture,
        })
    }

    /// Colours are letters, as far as there are letters.
    fn drawing(&self) -> Option<Drawing> {
        let colours = self.chain.colours();
        let mark = |amoebot: usize| match &colours {
            Some(colours) => Mark::Letter(char::from(b'a'.saturating_add(colours[amoebot]))),
            None => Mark::None,
        };
        drawing(self.cells().into_iter().map(Body::contracted), mark, self.chain.objects())
    }

    fn work(&self) -> Section {
        let mut work = Section::of(SectionName::Work);
        for figure in self.chain.work() {
            work.push(told(figure));
        }
        work
    }

    fn further(&self) -> Vec<Section> {
        self.chain.further().map(further).into_iter().collect()
    }

    fn unlike_edges(&self) -> Option<u64> {
        self.chain.unlike_edges()
    }

    fn digest(&self) -> String {
        self.chain.digest().to_string()
    }
}

pub(super) fn run(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    placement: &Placement,
    choices: &mut Seeded,
) -> Result<Finished, RunError> {
    let chain = plan.algorithm.chain().expect("in the other algorithms amoebots act");
    let width = if chain.is_parallel() { plan.count as u64 } else { 1 };
    let chain = chain.start(ChainStart { placement, landscape: plan.landscape(), seed: job.seed });
    let chain = chain.map_err(|error| AmoebotPlan::drawn(job.seed, error.to_string()))?;
    drive(plan, job, &mut ChainRun { chain, width, choices, landscape: plan.landscape() })
}
