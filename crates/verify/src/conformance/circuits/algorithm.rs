//! Runs the algorithms of cases of kind `run` with the parameters of the file.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use acrasin_amoebot::{Body, Direction, Orientation};
use acrasin_circuits::library::{
    Addition, BoundaryTest, ChainComparison, ChainOperation, ChainOrder, CircuitChirality, CircuitCompass,
    Consensus, Division, Election, FastElection, GlobalMaxima, LaneCrossing, LineToRhombus, Multiplication,
    NumberChain, ParallelogramTest, Pasc, RootedTour, ShortestPaths, SidesTest, Train,
};
use acrasin_circuits::{CircuitRun, CircuitStructure, Coins, RoundTable};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::run::{ExecutedRound, ExecutedRun};
use super::text::{CircuitRunCase, cell, direction, orientation, structure};

/// The number of rounds that a run may take beyond those in the file before it is stopped.
const ROUNDS_BEYOND: usize = 64;

/// A case, its structure, and the names of the parameters read so far.
struct RunInput<'a> {
    case: &'a CircuitRunCase,
    structure: CircuitStructure,
    used: RefCell<BTreeSet<&'static str>>,
}

/// Runs a case. The error describes what is wrong with the case.
pub(super) fn executed(case: &CircuitRunCase) -> Result<ExecutedRun, String> {
    let mut bodies = Vec::with_capacity(case.amoebots.len());
    let mut orientations = Vec::with_capacity(case.amoebots.len());
    for amoebot in &case.amoebots {
        bodies.push(Body::contracted(cell(amoebot.cell)?));
        orientations.push(orientation(amoebot.first, amoebot.mirrored)?);
    }
    if let Some(coin) = case.coins.iter().find(|coin| **coin > 1) {
        return Err(format!("coin {coin} (accepted: 1 for heads, 0 for tails)"));
    }
    let structure = structure(bodies, orientations, std::iter::empty(), case.pins)?;
    let input = RunInput { case, structure, used: RefCell::default() };
    let Some(run) = by_name(&input) else {
        return Ok(ExecutedRun::unknown("algorithm", &case.algorithm, ALGORITHMS));
    };
    let used = input.used.borrow();
    if let Some(unknown) = case.parameters.keys().find(|name| !used.contains(name.as_str())) {
        let accepted: Vec<&str> = used.iter().copied().collect();
        let accepted = if accepted.is_empty() { "none".to_owned() } else { accepted.join(", ") };
        return Ok(ExecutedRun::unknown("parameters", unknown, &accepted));
    }
    run
}

/// The names of all algorithms, for messages.
const ALGORITHMS: &str = "election, fast election, consensus, pasc, chirality agreement, compass alignment, boundary test, \
    add, subtract, compare, highest one, multiply, divide, euler tour, shortest path tree, sides, global maxima, \
    parallelogram, line to rhombus, pump, row, worm, crawl";

/// Runs the algorithm that the case names; `None` for an unknown name.
fn by_name(input: &RunInput<'_>) -> Option<Result<ExecutedRun, String>> {
    Some(match input.case.algorithm.as_str() {
        "election" => election(input),
        "fast election" => fast_election(input),
        "consensus" => consensus(input),
        "pasc" => pasc(input),
        "chirality agreement" => chirality(input),
        "compass alignment" => compass(input),
        "boundary test" => boundary(input),
        "add" => addition(input, ChainOperation::Add),
        "subtract" => addition(input, ChainOperation::Subtract),
        "compare" => comparison(input, false),
        "highest one" | "highest" => comparison(input, true),
        "multiply" => multiplication(input),
        "divide" => division(input),
        "euler tour" | "tour" => tour(input),
        "shortest path tree" => shortest_paths(input),
        "sides" => sides(input),
        "global maxima" => maxima(input),
        "parallelogram" => parallelogram(input),
        "line to rhombus" => rhombus(input),
        "pump" => pump(input),
        "row" | "train" | "worm" | "crawl" => walk(input),
        _ => return None,
    })
}

impl RunInput<'_> {
    fn amoebots(&self) -> usize {
        self.structure.amoebots()
    }

    /// An optional parameter; `null` counts as absent.
    fn optional<T: DeserializeOwned>(&self, name: &'static str) -> Result<Option<T>, String> {
        self.used.borrow_mut().insert(name);
        match self.case.parameters.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => serde_json::from_value(value.clone())
                .map(Some)
                .map_err(|error| format!("parameters.{name}: {error}")),
        }
    }

    fn required<T: DeserializeOwned>(&self, name: &'static str) -> Result<T, String> {
        self.optional(name)?.ok_or_else(|| format!("parameters.{name}: missing"))
    }

    /// A required parameter that is a list with one entry per amoebot.
    fn per_amoebot<T: DeserializeOwned>(&self, name: &'static str) -> Result<Vec<T>, String> {
        let list: Vec<T> = self.required(name)?;
        self.length(name, list.len())?;
        Ok(list)
    }

    fn length(&self, name: &str, length: usize) -> Result<(), String> {
        if length == self.amoebots() {
            return Ok(());
        }
        Err(format!("parameters.{name}: {length} entries for {} amoebots", self.amoebots()))
    }

    fn amoebot(&self, name: &'static str) -> Result<u32, String> {
        let number: u32 = self.required(name)?;
        self.number(name, number as usize)?;
        Ok(number)
    }

    fn number(&self, name: &str, number: usize) -> Result<(), String> {
        if number < self.amoebots() {
            return Ok(());
        }
        Err(format!(
            "parameters.{name}: amoebot {number} of {} (accepted: numbers from 0, below the number of amoebots)",
            self.amoebots()
        ))
    }

    fn frame(&self, amoebot: usize) -> Orientation {
        self.structure.orientations()[amoebot]
    }

    /// The direction of the parameter `axis`, as a label in the frame of amoebot 0. Fails if the parameter is missing
    /// or not a direction.
    fn axis(&self) -> Result<u8, String> {
        let index: u8 = self.required("axis")?;
        Ok(self.frame(0).label(direction(index).map_err(|what| format!("parameters.axis: {what}"))?))
    }

    /// The labels of the tree edges of each amoebot. The file must list each edge at both ends.
    fn edges(&self) -> Result<Vec<Vec<u8>>, String> {
        let listed: Vec<Vec<u8>> = self.per_amoebot("edges")?;
        let mut edges = Vec::with_capacity(listed.len());
        for (amoebot, listed) in listed.iter().enumerate() {
            let mut labels = Vec::with_capacity(listed.len());
            for index in listed {
                let to = direction(*index).map_err(|what| format!("parameters.edges[{amoebot}]: {what}"))?;
                labels.push(self.frame(amoebot).label(to));
            }
            labels.sort_unstable();
            if labels.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(format!("parameters.edges[{amoebot}]: a direction is listed twice"));
            }
            edges.push(labels);
        }
        Ok(edges)
    }

    fn bits(&self, name: &'static str) -> Result<Vec<bool>, String> {
        let bits: Vec<u8> = self.per_amoebot(name)?;
        match bits.iter().find(|bit| **bit > 1) {
            Some(bit) => Err(format!("parameters.{name}: bit {bit} (accepted: 0 and 1)")),
            None => Ok(bits.into_iter().map(|bit| bit == 1).collect()),
        }
    }

    /// Executes an algorithm round by round. At the end `results` extracts its result, from the run and the positions
    /// after each movement.
    fn run<A: RoundTable>(
        &self,
        algorithm: A,
        results: impl FnOnce(&CircuitRun<A>, Vec<Value>) -> Vec<(&'static str, Value)>,
    ) -> Result<ExecutedRun, String> {
        let coins = Coins::listed(self.case.coins.iter().map(|coin| *coin == 1).collect());
        let run = CircuitRun::new(self.structure.clone(), algorithm, coins);
        let mut run = run.map_err(|error| error.to_string())?;
        let mut executed = ExecutedRun::default();
        let mut positions = Vec::new();
        let rounds_max = self.case.rounds.len() + ROUNDS_BEYOND;
        loop {
            let state = run.states();
            match run.round() {
                Ok(false) => break,
                Ok(true) => {}
                Err(trouble) => {
                    executed.trouble = Some(trouble.to_string());
                    return Ok(executed);
                }
            }
            let figures = run.figures();
            if figures.movement.is_some() {
                let places = run.structure().bodies().iter();
                let places = places.map(|body| [body.head(), body.tail()].map(|cell| [cell.x(), cell.y()]));
                positions.push(json!(places.collect::<Vec<_>>()));
            }
            if figures.has_beeps {
                executed.rounds.push(ExecutedRound { name: figures.name, counts: run.counts(), state });
            }
            if executed.rounds.len() > rounds_max || run.rounds_done() > 1 << 20 {
                executed.trouble = Some(format!("the run has not ended after {} rounds", run.rounds_done()));
                return Ok(executed);
            }
        }
        executed.coins = run.coins().trouble();
        executed.result =
            results(&run, positions).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(executed)
    }
}

/// The indices of the amoebots whose memory satisfies `is`.
fn those<T>(memories: &[T], is: impl Fn(&T) -> bool) -> Value {
    json!(
        memories
            .iter()
            .enumerate()
            .filter(|(_, memory)| is(memory))
            .map(|(number, _)| number)
            .collect::<Vec<_>>()
    )
}

fn bits<T>(memories: &[T], bit: impl Fn(&T) -> bool) -> Value {
    json!(memories.iter().map(|memory| u8::from(bit(memory))).collect::<Vec<_>>())
}

fn election(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(Election { repetitions: input.required("kappa")? }, |run, _| {
        vec![("leaders", those(run.memories(), |memory| memory.is_candidate))]
    })
}

fn fast_election(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(FastElection { repetitions: input.required("kappa")? }, |run, _| {
        vec![("leaders", those(run.memories(), |memory| memory.is_candidate))]
    })
}

fn consensus(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(Consensus { values: input.bits("values")? }, |run, _| {
        vec![("value", json!(u8::from(run.memories()[0].decision == Some(true))))]
    })
}

fn pasc(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    let above: Vec<Option<usize>> = input.per_amoebot("parent")?;
    let root = input.amoebot("root")? as usize;
    let participants: Option<Vec<bool>> = input.optional("participants")?;
    if let Some(participants) = &participants {
        input.length("participants", participants.len())?;
    }
    let bodies = input.structure.bodies();
    let mut parents = vec![None; above.len()];
    let mut children = vec![Vec::new(); above.len()];
    for (child, parent) in above.iter().enumerate() {
        let Some(parent) = *parent else {
            if child != root {
                return Err(format!("parameters.parent[{child}]: none, but the root is {root}"));
            }
            continue;
        };
        input.number("parent", parent)?;
        if child == root {
            return Err(format!("parameters.parent[{child}]: {parent}, but it is the root"));
        }
        let towards = |from: usize, to: usize| {
            let direction = bodies[from].head().direction_to(bodies[to].head());
            direction.map(|direction| input.frame(from).label(direction))
        };
        let (Some(up), Some(down)) = (towards(child, parent), towards(parent, child)) else {
            return Err(format!("parameters.parent[{child}]: {parent} is not adjacent"));
        };
        parents[child] = Some(up);
        children[parent].push(down);
    }
    input.run(Pasc { parents, children, participants, crossing: LaneCrossing::Arriving }, |run, _| {
        let bits = run.memories().iter().map(|memory| memory.bits.iter().map(u8::from).collect());
        vec![("bits", json!(bits.collect::<Vec<Vec<u8>>>()))]
    })
}

fn chirality(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(CircuitChirality, |run, _| {
        let mirrored: Vec<bool> = run.memories().iter().map(|memory| memory.is_mirrored()).collect();
        vec![("mirrored", json!(mirrored))]
    })
}

fn compass(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(CircuitCompass, |run, _| {
        let first: Vec<u8> = run.memories().iter().map(|memory| memory.first().index()).collect();
        vec![("first", json!(first))]
    })
}

fn boundary(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(BoundaryTest { repetitions: input.required("kappa")? }, |run, _| {
        let mut kinds = Vec::new();
        let mut leaders = Vec::new();
        for (amoebot, memory) in run.memories().iter().enumerate() {
            let kind = |outer: Option<bool>| if outer == Some(true) { "outer" } else { "inner" };
            kinds.push(memory.parts.iter().map(|part| kind(part.is_outer)).collect::<Vec<_>>());
            for (at, part) in memory.parts.iter().enumerate() {
                if part.is_leader {
                    leaders.push([amoebot, at]);
                }
            }
        }
        let inner = run.memories().iter().any(|memory| memory.has_inner == Some(true));
        vec![("kinds", json!(kinds)), ("inner", json!(inner)), ("leaders", json!(leaders))]
    })
}

fn chain(input: &RunInput<'_>) -> Result<NumberChain, String> {
    let (a, b) = (input.bits("a")?, input.bits("b")?);
    NumberChain::new(&input.structure, a, b).map_err(|error| error.to_string())
}

fn addition(input: &RunInput<'_>, operation: ChainOperation) -> Result<ExecutedRun, String> {
    input.run(Addition { chain: chain(input)?, operation }, |run, _| {
        let overflow = run.memories().iter().any(|memory| memory.overflow);
        let result = bits(run.memories(), |memory| memory.result);
        vec![("bits", result), ("overflow", json!(u8::from(overflow)))]
    })
}

fn comparison(input: &RunInput<'_>, highest_only: bool) -> Result<ExecutedRun, String> {
    let chain = if highest_only {
        NumberChain::new(&input.structure, input.bits("a")?, Vec::new()).map_err(|error| error.to_string())?
    } else {
        chain(input)?
    };
    input.run(ChainComparison { chain, highest_only }, |run, _| {
        if highest_only {
            let highest = run.memories().iter().position(|memory| memory.is_highest);
            return vec![("highest", json!(highest))];
        }
        let order = run.memories()[0].order.map(|order| match order {
            ChainOrder::Less => "<",
            ChainOrder::Equal => "=",
            ChainOrder::Greater => ">",
        });
        vec![("order", json!(order))]
    })
}

fn multiplication(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(Multiplication { chain: chain(input)? }, |run, _| {
        let overflow = run.memories().iter().any(|memory| memory.overflow);
        let result = bits(run.memories(), |memory| memory.result);
        vec![("bits", result), ("overflow", json!(u8::from(overflow)))]
    })
}

fn division(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(Division { chain: chain(input)? }, |run, _| {
        let quotient = bits(run.memories(), |memory| memory.quotient);
        vec![("bits", quotient), ("remainder", bits(run.memories(), |memory| memory.remainder))]
    })
}

/// The index of the direction of each label in the frame of its amoebot; `null` without a label.
fn directions<'a>(labels: impl Iterator<Item = Option<u8>> + 'a, frames: &'a [Orientation]) -> Value {
    let index = |(label, frame): (Option<u8>, &Orientation)| {
        label.map(|label| frame.direction(label)).map(Direction::index)
    };
    json!(labels.zip(frames).map(index).collect::<Vec<_>>())
}

fn tour(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    let algorithm = RootedTour { edges: input.edges()?, root: input.amoebot("root")? };
    input.run(algorithm, |run, _| {
        let parents = run.memories().iter().map(|memory| memory.parent);
        vec![("parent", directions(parents, run.structure().orientations()))]
    })
}

fn shortest_paths(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(ShortestPaths { source: input.amoebot("source")? }, |run, _| {
        let frames = run.structure().orientations();
        let bodies = run.structure().bodies();
        let number: BTreeMap<_, usize> =
            bodies.iter().enumerate().map(|(number, body)| (body.head(), number)).collect();
        let next = |amoebot: usize| {
            let direction = run.memories()[amoebot].towards.map(|label| frames[amoebot].direction(label))?;
            number.get(&bodies[amoebot].head().neighbour(direction)?).copied()
        };
        // The distance is the number of steps to the source; none if they do not lead there.
        let distance = |amoebot: usize| {
            let path = std::iter::successors(Some(amoebot), |at| next(*at)).take(bodies.len() + 1).count();
            (path <= bodies.len()).then_some(path - 1)
        };
        let towards = directions(run.memories().iter().map(|memory| memory.towards), frames);
        let distances: Vec<Option<usize>> = (0..bodies.len()).map(distance).collect();
        vec![("towards", towards), ("distance", json!(distances))]
    })
}

fn sides(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    let algorithm = SidesTest { edges: input.edges()?, root: input.amoebot("root")?, axis: input.axis()? };
    input.run(algorithm, |run, _| {
        let sides: Vec<i8> = run.memories().iter().map(|memory| memory.side as i8).collect();
        vec![("sides", json!(sides))]
    })
}

fn maxima(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    let algorithm =
        GlobalMaxima { edges: input.edges()?, axis: input.axis()?, repetitions: input.required("kappa")? };
    input.run(algorithm, |run, _| {
        let maxima = those(run.memories(), |memory| memory.is_left);
        vec![("maxima", maxima), ("phases", json!(run.memories()[0].phases))]
    })
}

fn parallelogram(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(ParallelogramTest { axis: input.axis()? }, |run, _| {
        vec![("is", json!(run.memories()[0].is_parallelogram))]
    })
}

fn rhombus(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    input.run(LineToRhombus, |run, positions| {
        vec![("rounds", json!(run.rounds_done())), ("positions", json!(positions))]
    })
}

fn pump(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    let movers: Vec<usize> = input.required("movers")?;
    for mover in &movers {
        input.number("movers", *mover)?;
    }
    let train = Train::pump(input.amoebots(), &movers, input.required("cycles")?);
    input.run(train, |_, positions| vec![("positions", json!(positions))])
}

/// Runs a row, a worm or a crawl. `movers` lists the amoebots that move, or `floor` those that do not. Without both,
/// all amoebots of a row move, and for other shapes the amoebots above the lowest row. Without `cycles`, the number of
/// cycles follows from the positions.
fn walk(input: &RunInput<'_>) -> Result<ExecutedRun, String> {
    let cells: Vec<_> = input.structure.bodies().iter().map(|body| body.head()).collect();
    let is_row = matches!(input.case.algorithm.as_str(), "row" | "train");
    let floor = cells.iter().map(|cell| cell.y()).min();
    let still: Option<Vec<usize>> = input.optional("floor")?;
    let moves = |number: &usize| match &still {
        Some(still) => !still.contains(number),
        None => is_row || Some(cells[*number].y()) != floor,
    };
    let all = (0..cells.len()).filter(moves);
    let movers: Vec<usize> = input.optional("movers")?.unwrap_or_else(|| all.collect());
    let mut rows: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    for mover in movers {
        input.number("movers", mover)?;
        rows.entry(cells[mover].y()).or_default().push(mover);
    }
    let rows: Vec<Vec<usize>> = rows
        .into_values()
        .map(|mut row| {
            row.sort_by_key(|mover| cells[*mover].x());
            row
        })
        .collect();
    let listed = input.case.result.get("positions").and_then(Value::as_array).map_or(0, Vec::len);
    let cycles = input.optional("cycles")?.unwrap_or(listed as u32 / 2);
    let train = if is_row {
        Train::row(input.amoebots(), cycles)
    } else {
        Train::crawl(input.amoebots(), &rows, cycles)
    };
    input.run(train, |_, positions| vec![("positions", json!(positions))])
}
