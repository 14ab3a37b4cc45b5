//! All fields of a scenario of amoebots.

use std::collections::BTreeMap;
use std::path::PathBuf;

use acrasin_amoebot::library::table::written::Literal;
use serde::{Deserialize, Serialize};

use crate::document::Named;
use crate::document::quantity::{Count, Probability, Seed};

/// A scenario of amoebots as it was written. Whether the parts fit together is not yet known.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AmoebotScenario {
    /// One line for the report.
    pub title: Option<String>,
    /// What all draws start from; if it is not written, it is drawn and printed.
    pub seed: Option<Seed>,
    /// What they are, what they do, and where they start.
    pub amoebots: Amoebots,
    /// Who acts when.
    #[serde(default)]
    pub execution: ExecutionKind,
    /// The mutual exclusion algorithm under locks by messages: one of the catalogue; where amoebots move, one that lets
    /// the graph change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusion: Option<Named>,
    /// Which amoebots crash, and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<AmoebotFault>,
    /// What ends the run as done.
    #[serde(default)]
    pub stop: Stop,
    /// What ends the run, or the check, as unfinished.
    #[serde(default)]
    pub limits: Limits,
    /// What is recorded.
    #[serde(default)]
    pub observe: Observe,
}

/// The amoebots: `amoebots: (…)`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Amoebots {
    /// What they do: a name of the catalogue (`acrasin list amoebots`), with what it takes.
    pub algorithm: Named,
    /// What they coat, unless it is in a drawing.
    pub object: Option<Object>,
    /// Where they stand.
    pub start: Start,
    /// The position, from 0, of the seed or root among the cells of the start; 0 if it is not written.
    pub seed_position: Option<Count>,
    /// How they name directions.
    #[serde(default)]
    pub orientations: Orientations,
}

/// The object of a coating. It is connected; but for cells it has no hole, and its first cell is (0, 0).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Object {
    /// A straight line to the east.
    Wall {
        /// How many cells.
        length: Count,
    },
    /// A regular hexagon round (0, 0).
    Hexagon {
        /// Cells on each side.
        side: Count,
    },
    /// A triangle with its base below.
    Triangle {
        /// Cells on each side.
        side: Count,
    },
    /// Rows on each other, each half a cell further east than the one below.
    Parallelogram {
        /// Cells of a row.
        width: Count,
        /// How many rows.
        height: Count,
    },
    /// Two walls with an angle of 120 degrees between them.
    Corner {
        /// Cells to the east.
        width: Count,
        /// Further cells to the north-west.
        height: Count,
    },
    /// Up to the north-east, one cell wide.
    Staircase {
        /// How many steps.
        steps: Count,
        /// Cells to the east on each.
        tread: Count,
        /// Cells to the north-east on each.
        rise: Count,
    },
    /// Some sides of a hexagonal ring, one cell wide.
    Bay {
        /// Steps along each side.
        side: Count,
        /// How many sides: 1 to 5.
        sides: Count,
    },
    /// A random form, grown cell by cell without holes and without passages one cell wide.
    Boulder {
        /// How many cells.
        cells: Count,
    },
    /// These cells, as in a start.
    Cells(Vec<(i32, i32)>),
}

/// A fault of amoebots, in runs and in checks. A crashed amoebot never acts again. It keeps its cells and its memory,
/// which neighbours still see, write and move.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum AmoebotFault {
    /// They crash after a number of actions of their own.
    Crash {
        /// Which, by their positions in the start, from 0.
        #[serde(default)]
        amoebots: Vec<Count>,
        /// How many further ones, drawn uniformly.
        drawn: Option<Count>,
        /// Actions that each completes before; 0 if it is not written, and they never act.
        after: Option<Count>,
    },
    /// Each crashes at a moment that the schedule decides: to crash is one more action of theirs, `Crash`.
    CrashAnyTime {
        /// Which, by their positions in the start, from 0.
        #[serde(default)]
        amoebots: Vec<Count>,
        /// How many further ones, drawn uniformly.
        drawn: Option<Count>,
    },
}

/// One amoebot of a start that is written amoebot by amoebot.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StartAmoebot {
    /// The cell of its head, or the only one.
    pub head: (i32, i32),
    /// The cell of its tail, if it is expanded.
    pub tail: Option<(i32, i32)>,
    /// The direction of its port 1; `East` if it is not written.
    pub port_1: Option<Towards>,
    /// Whether it counts ports clockwise.
    #[serde(default)]
    pub clockwise: bool,
    /// Variables that do not start as everywhere.
    #[serde(default)]
    pub memory: BTreeMap<String, Literal>,
}

/// A direction of the lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Towards {
    East,
    NorthEast,
    NorthWest,
    West,
    SouthWest,
    SouthEast,
}

/// Where amoebots stand at the start, each on one cell unless it is said otherwise.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Start {
    /// A straight line to the east.
    Line {
        /// How many.
        count: Count,
    },
    /// The spiral round the first one: a hexagon, but for its last ring.
    Hexagon {
        /// How many.
        count: Count,
    },
    /// A random connected set, grown like a tree.
    Blob {
        /// How many.
        count: Count,
        /// With which probability a cell next to the blob joins it; one that does not stays empty for ever. 0.8 if it
        /// is not written.
        acceptance: Option<Probability>,
    },
    /// A random connected set, grown as the random trees of AmoebotSim are: a cell that does not join is proposed again
    /// by its next neighbour. For comparisons.
    RandomTree {
        /// How many.
        count: Count,
        /// With which probability a cell next to the tree joins it. 0.8 if it is not written.
        acceptance: Option<Probability>,
    },
    /// A random connected set without holes.
    HoleFree {
        /// How many.
        count: Count,
    },
    /// A hexagonal ring round a hole.
    Ring {
        /// Cells on each side of the hole.
        hole_side: Count,
        /// How many cells wide the ring is.
        width: Count,
    },
    /// Beside an object: away from the middle of its highest row, to the north-east.
    Column {
        /// How many.
        count: Count,
    },
    /// Beside an object: a random connected set that has grown from the middle of its highest row.
    Heap {
        /// How many.
        count: Count,
        /// As of a blob.
        acceptance: Option<Probability>,
    },
    /// Beside an object: one after the other along it, clockwise from the middle of its highest row.
    Layer {
        /// How many.
        count: Count,
    },
    /// What is drawn in a file, as `acrasin_amoebot::start::drawing` reads it. '@' is the seed, '#' the object of
    /// coating, letters are the colours of separation.
    Drawing {
        /// The file.
        path: PathBuf,
    },
    /// For bridging: down and up the sides of a wedge, between anchors at its mouth.
    VShape {
        /// Rows from the corner to the anchors.
        rows: Count,
        /// How much the sides lean: aside by so many halves of a cell; 1 if it is not written, which gives 60 degrees.
        across: Option<Count>,
        /// And by so many rows up; 1 if it is not written.
        up: Option<Count>,
    },
    /// For bridging: along three strokes at 60 degrees.
    NShape {
        /// Steps of a stroke.
        side: Count,
    },
    /// These cells, as `(x, y)`: x to the east, y to the north-east.
    Cells(Vec<(i32, i32)>),
    /// Amoebot by amoebot: head, tail, ports and memory. Tails and memories are for algorithms from files.
    Amoebots(Vec<StartAmoebot>),
    /// A moment of a recorded run of the same algorithm, with expanded amoebots and memories as they are then.
    Recorded {
        /// The recording.
        path: PathBuf,
        /// After how many of its actions; after the last one if it is not written.
        actions: Option<Count>,
    },
    /// For checks: every connected shape, and every position of the seed.
    AllConnected {
        /// How many.
        count: Count,
    },
}

/// How amoebots name directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Orientations {
    /// All alike.
    #[default]
    Common,
    /// Port 1 in a drawn direction; all count counter-clockwise.
    CommonChirality,
    /// Port 1 to the east; each counts in a drawn way round.
    CommonDirection,
    /// Both drawn.
    Assorted,
}

/// Who acts when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum ExecutionKind {
    /// One amoebot at a time.
    Sequential {
        /// Who is next; if it is not written, any amoebot.
        #[serde(default)]
        activation: ActivationOrder,
        /// What the one who activates owes to those who are enabled.
        #[serde(default)]
        fairness: Fairness,
    },
    /// All at the same time, in the concurrency framework; any amoebot that is to act takes the next step.
    Concurrent {
        /// What they lock with.
        locks: Locks,
    },
    /// All at the same time on all threads: waves of disjoint lock sets.
    Waves,
    /// All at the same time on all threads: windows of tiles, in each of which one amoebot acts after another.
    Tiles,
    /// Several at the same time without locks, round after round. Algorithms that are right one amoebot at a time can
    /// be wrong here.
    Rounds(Concurrency),
}

impl Default for ExecutionKind {
    fn default() -> Self {
        Self::Sequential { activation: ActivationOrder::default(), fairness: Fairness::default() }
    }
}

/// Who is activated next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum ActivationOrder {
    /// Any amoebot, uniformly, enabled or not.
    #[default]
    Uniform,
    /// Any amoebot of the enabled, uniformly.
    UniformEnabled,
    /// Every amoebot in turn.
    RoundRobin,
    /// Always the enabled amoebot with the lowest number.
    First,
    /// Always the enabled amoebot with the highest number.
    Last,
    /// Always the amoebot that was enabled last.
    Newest,
}

/// What whoever activates amoebots owes to those who are enabled. To pass an amoebot over is to activate another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Fairness {
    /// Nothing beyond its own way.
    #[default]
    Unfair,
    /// Who is enabled all the time is passed over at most so many times, but for others who are due.
    Weak(Count),
    /// Who is enabled again and again is passed over at most so many times, but for others who are due.
    Strong(Count),
}

/// Who acts in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Concurrency {
    /// Every amoebot that is enabled.
    Synchronous,
    /// As many of the enabled as fit, no amoebot within so many steps of another.
    Isolated(Count),
}

/// Lock and Unlock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Locks {
    /// Locks that fail if an amoebot near is locked.
    TryLocks,
    /// Locks that wait: local mutual exclusion by message passing.
    Messages {
        /// Who of the nodes below is next; if it is not written, any of the active ones.
        #[serde(default)]
        scheduler: Scheduler,
    },
}

/// Who delivers messages and lets the nodes of the lock algorithm act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Scheduler {
    /// One step of any active node.
    #[default]
    Sequential,
    /// As sequential, but messages leave one by one.
    Asynchronous,
    /// The newest message is received first.
    NewestFirst,
}

/// What ends a run as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Stop {
    /// No amoebot will act any more. It is a failure if the goal of the algorithm is not reached then.
    #[default]
    Terminated,
    /// So many steps: activations of a sequential run, steps of a chain, or of amoebots and locks of a concurrent run;
    /// waves; rounds.
    Steps(Count),
}

/// What a run or a check may cost.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Steps of a run, as in [`Stop::Steps`].
    pub steps: Option<Count>,
    /// States of a check; 2^22 if it is not written.
    pub states: Option<Count>,
}

/// What is recorded during the run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Observe {
    /// How many steps lie between two counts of states; if it is not written one for each amoebot, and of waves and
    /// rounds one for every hundred.
    pub counts_every: Option<Count>,
    /// Whether each count has adjacent pairs, perimeter, connected parts and holes of the occupied cells, too. It takes
    /// about as long as some hundred steps of each amoebot.
    #[serde(default)]
    pub shape: bool,
    /// After how many steps there is a picture, besides those of the start and of the end.
    #[serde(default)]
    pub pictures_at: Vec<Count>,
    /// Steps between further pictures, of which there are as many as fit beside `pictures_at`.
    pub pictures_every: Option<Count>,
    /// The variable by whose values the amoebots of a picture are coloured, instead of by their states.
    pub colour: Option<String>,
}
