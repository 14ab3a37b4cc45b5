//! Tests of a catalogue with an external chain: a scenario file names it, and it runs like those of the library.

use acrasin_scenario::Runnable as _;
use std::path::Path;

use acrasin_amoebot::algorithm::description::AlgorithmFigure;
use acrasin_amoebot::chain::{
    Biases, ChainDescription, ChainError, ChainRule, ChainStart, ChainState, EdgeRing, GridView, MOVES,
    MarkovChain, RunningChain, acceptance_of, power,
};
use acrasin_amoebot::library::entry::{AlgorithmEntry, Construction, Needs};
use acrasin_amoebot::library::parameter::{Parameter, ParameterError, ParameterKind};
use acrasin_report::record::Exit;
use acrasin_report::value::Value;
use acrasin_runtime::choice::Seeded;
use acrasin_scenario::plan::{Job, Unwatched};
use acrasin_scenario::{AmoebotDocument, AmoebotPlan, Catalogue, DocumentError, ScenarioFile};

use crate::support::figure;

/// A chain whose amoebots avoid triangles: each triangle has a cost, each edge is free.
struct Triangles {
    bias: f64,
}

/// The number of triangles at one end of an edge: adjacent pairs of neighbours on the ring.
fn triangles(ring: u8, next_to: u8) -> i8 {
    let near = ring & next_to;
    (near & near.rotate_right(1)).count_ones() as i8
}

impl ChainRule for Triangles {
    type Change = EdgeRing;

    fn propose(&self, sight: GridView<'_>) -> (EdgeRing, u64) {
        let ring = sight.around().fold(0, |ring, (bit, occupied)| ring | occupied << bit);
        if sight.other() != Self::FREE || MOVES[usize::from(ring)].is_none() {
            return (EdgeRing(ring), 0);
        }
        let gain = triangles(ring, EdgeRing::NEXT_TO_SECOND) - triangles(ring, EdgeRing::NEXT_TO_FIRST);
        (EdgeRing(ring), acceptance_of(power(self.bias, -gain)))
    }

    fn made(&mut self, ring: EdgeRing) -> i8 {
        ring.neighbours_after() as i8 - ring.neighbours_before() as i8
    }
}

const BIASES: Biases = Biases { least: 0.1, most: 10.0 };

/// The algorithm with its bias.
struct Avoiding(f64);

impl ChainDescription for Avoiding {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        let rule = Triangles { bias: BIASES.checked("bias", self.0)? };
        Ok(Box::new(MarkovChain::from_cells(&start.placement.cells, |_| 1, rule)?))
    }
}

const AVOIDING: AlgorithmEntry = AlgorithmEntry {
    name: "Avoiding",
    title: "chain that avoids triangles",
    summary: "amoebots: a chain that avoids triangles",
    parameters: &[Parameter::required("bias", ParameterKind::Positive, "what a triangle costs")],
    needs: Needs::ENDLESS,
    read: |values| match values.positive("bias") {
        Some(bias) if BIASES.contains(bias) => Ok(Construction::chain(Avoiding(bias))),
        _ => Err(ParameterError::new("bias", "out of range").accepting(BIASES.to_string())),
    },
};

fn catalogue() -> Catalogue {
    Catalogue::shipped().with_amoebots(AVOIDING).unwrap()
}

fn document(algorithm: &str, start: &str) -> AmoebotDocument {
    let text = format!(
        "(seed: 5, amoebots: (\n  algorithm: {algorithm},\n  start: {start}), stop: Steps(20_000),\n  \
         observe: (counts_every: 1_000))"
    );
    match ScenarioFile::parse(&text, "own.ron", &[]) {
        Ok(ScenarioFile::Amoebots(document)) => *document,
        other => panic!("{other:?}"),
    }
}

/// The perimeter and the number of adjacent pairs after a number of steps.
fn run(algorithm: &str) -> (u64, u64) {
    let plan =
        AmoebotPlan::with_catalogue(&catalogue(), &document(algorithm, "Hexagon(count: 37)"), Path::new(""))
            .unwrap();
    assert_eq!(plan.header().counted, "edges");
    let finished = plan.run(&Job { seed: 5, repetition: 0, watch: &Unwatched, record: None }).unwrap();
    assert_eq!(finished.record.outcome().reason, "all steps are done");
    let figure = |path: &str| match figure(&finished.record, path) {
        Value::Integer(count) => count,
        other => panic!("{path}: {other:?}"),
    };
    assert_eq!((figure("work.steps"), figure("shape.parts"), figure("shape.holes")), (20_000, 1, 0));
    (figure("shape.perimeter"), figure("shape.edges"))
}

#[test]
fn a_chain_from_outside_runs() {
    let (perimeter, edges) = run("Avoiding(bias: 10.0)");
    assert_eq!(perimeter, 3 * 37 - 3 - edges, "what the chain counts is what the shape has");
    // A full hexagon has 90 edges. The chain stretches it, unless triangles are rewarded.
    assert!(edges < 45, "{edges}");
    assert!(run("Avoiding(bias: 0.1)").1 > 70);
}

#[test]
fn what_is_refused_of_a_chain_has_its_place() {
    let refused = |algorithm: &str, start: &str| -> DocumentError {
        AmoebotPlan::with_catalogue(&catalogue(), &document(algorithm, start), Path::new(""))
            .expect_err(algorithm)
    };
    let bias = refused("Avoiding(bias: 11.0)", "Line(count: 5)");
    assert_eq!((bias.line(), bias.message()), (Some(2), "out of range"));
    assert_eq!(bias.accepted(), Some("numbers from 1e-1 to 1e1"));
    let apart = refused("Avoiding(bias: 2.0)", "Cells([(0, 0), (2, 0)])");
    let message = "cell (2, 0) cannot be reached from (0, 0): the cells must be connected";
    assert_eq!((apart.line(), apart.message()), (Some(3), message));
}

/// A chain that spreads too far after some steps.
struct Spreading {
    chain: Box<dyn RunningChain>,
    steps_max: u64,
}

impl RunningChain for Spreading {
    fn advance(&mut self, steps: u64, choices: &mut Seeded) -> Result<(), ChainError> {
        let room = self.steps_max - self.chain.advanced();
        self.chain.advance(steps.min(room), choices)?;
        if steps > room { Err(ChainError::TooSpread { width: 20_000, height: 30_000 }) } else { Ok(()) }
    }

    fn advanced(&self) -> u64 {
        self.chain.advanced()
    }

    fn state(&self) -> &dyn ChainState {
        self.chain.state()
    }

    fn work(&self) -> Vec<AlgorithmFigure> {
        self.chain.work()
    }
}

/// The algorithm with the number of steps after which the grid has no room.
struct Spread(u64);

impl ChainDescription for Spread {
    fn start(&self, start: ChainStart<'_>) -> Result<Box<dyn RunningChain>, ChainError> {
        Ok(Box::new(Spreading { chain: Avoiding(1.0).start(start)?, steps_max: self.0 }))
    }
}

const SPREAD: AlgorithmEntry = AlgorithmEntry {
    name: "Spread",
    parameters: &[Parameter::required("steps", ParameterKind::Count, "after which there is no room")],
    read: |values| Ok(Construction::chain(Spread(values.count("steps").unwrap_or_default()))),
    ..AVOIDING
};

/// Regression: the run was lost, with an error instead of a record and exit code 2.
#[test]
fn a_chain_that_spreads_too_far_ends_with_the_reason() {
    let catalogue = Catalogue::shipped().with_amoebots(SPREAD).unwrap();
    let plan = AmoebotPlan::with_catalogue(
        &catalogue,
        &document("Spread(steps: 700)", "Line(count: 5)"),
        Path::new(""),
    )
    .unwrap();
    let finished = plan.run(&Job { seed: 5, repetition: 0, watch: &Unwatched, record: None }).unwrap();
    let outcome = finished.record.outcome();
    assert_eq!((outcome.word.as_str(), outcome.exit), ("violation", Exit::Failed));
    let reason = "no further step is possible: the amoebots have spread over a grid of 20000 times 30000 cells (accepted: at most 268435456 cells)";
    assert_eq!(outcome.reason, reason);
    assert_eq!(figure(&finished.record, "work.steps"), Value::Integer(700));
}
