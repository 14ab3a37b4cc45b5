//! All fields of a scenario of amoebots.

use std::collections::BTreeMap;
use std::path::PathBuf;

use acrasin_amoebot::library::table::written::Literal;
use serde::{Deserialize, Serialize};

use crate::document::CatalogueRef;
use crate::document::quantity::{Count, Probability, Seed};

/// A scenario of amoebots as written. Its parts are not yet checked against each other.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AmoebotScenario {
    /// A title of one line for the report.
    pub title: Option<String>,
    /// The seed of all random draws; if it is missing, one is drawn and printed.
    pub seed: Option<Seed>,
    /// The amoebots: algorithm, start and orientations.
    pub amoebots: Amoebots,
    /// The execution model. Circuits, joint movements and Markov chains define their own.
    #[serde(default)]
    pub execution: ExecutionKind,
    /// The mutual exclusion algorithm of message-passing locks, from the catalogue. If amoebots move, it must support a
    /// changing graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusion: Option<CatalogueRef>,
    /// The amoebots that crash, with the time of the crash; or the beeps that are lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<AmoebotFault>,
    /// The condition that ends the run as done.
    #[serde(default)]
    pub stop: AmoebotStop,
    /// Limits that end the run, or the check, as unfinished.
    #[serde(default)]
    pub limits: AmoebotLimits,
    /// The data to record.
    #[serde(default)]
    pub observe: AmoebotObserve,
}

/// The amoebots: `amoebots: (…)`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Amoebots {
    /// The algorithm: a catalogue entry (`acrasin list amoebots`) with its parameters.
    pub algorithm: CatalogueRef,
    /// The object to coat, unless it is in a drawing. On circuits and in joint movements each connected part is an
    /// object, and the first one does not move.
    pub object: Option<ObjectSetting>,
    /// The cells of the amoebots at the start.
    pub start: AmoebotStart,
    /// The index of the seed or root in the cells of the start; 0 by default.
    pub seed_position: Option<Count>,
    /// The orientations of the amoebots.
    #[serde(default)]
    pub orientations: Orientations,
}

/// The object of a coating. The object must be connected. Forms other than `Cells` have no hole and start at the cell
/// (0, 0).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum ObjectSetting {
    /// A straight line to the east.
    Wall {
        /// The number of cells.
        length: Count,
    },
    /// A regular hexagon around (0, 0).
    Hexagon {
        /// Cells on each side.
        side: Count,
    },
    /// A triangle with its base at the bottom.
    Triangle {
        /// Cells on each side.
        side: Count,
    },
    /// Rows of equal length. Each row starts half a cell further east than the row below.
    Parallelogram {
        /// Cells of a row.
        width: Count,
        /// The number of rows.
        height: Count,
    },
    /// Two walls that meet at an angle of 120 degrees.
    Corner {
        /// Cells to the east.
        width: Count,
        /// Further cells to the north-west.
        height: Count,
    },
    /// Steps up to the north-east, one cell wide.
    Staircase {
        /// The number of steps.
        steps: Count,
        /// Cells to the east on each step.
        tread: Count,
        /// Cells to the north-east on each step.
        rise: Count,
    },
    /// Some sides of a hexagonal ring, one cell wide.
    Bay {
        /// Steps along each side.
        side: Count,
        /// The number of sides: 1 to 5.
        sides: Count,
    },
    /// A random form, grown cell by cell without holes and without passages one cell wide.
    Boulder {
        /// The number of cells.
        cells: Count,
    },
    /// These cells, as `(x, y)`: x to the east, y to the north-east.
    Cells(Vec<(i32, i32)>),
}

/// A fault of amoebots, in runs and in checks. A crashed amoebot never acts again. It keeps its cells and its memory,
/// which neighbours still see, write and move. Beeps are lost in runs on circuits only.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum AmoebotFault {
    /// Amoebots crash after a number of their own actions.
    Crash {
        /// The crashing amoebots, by their indices in the start.
        #[serde(default)]
        amoebots: Vec<Count>,
        /// The number of further amoebots that crash, drawn uniformly.
        drawn: Option<Count>,
        /// The number of actions that each of these amoebots completes before it crashes. The default is 0: they never
        /// act.
        after: Option<Count>,
    },
    /// Amoebots crash at any moment that the schedule chooses: crashing is an additional action `Crash`.
    CrashAnyTime {
        /// The crashing amoebots, by their indices in the start.
        #[serde(default)]
        amoebots: Vec<Count>,
        /// The number of further amoebots that crash, drawn uniformly.
        drawn: Option<Count>,
    },
    /// In every round, beeps and messages are lost at random: they are sent but not received.
    LostBeeps {
        /// The probability of a loss.
        probability: Probability,
        /// The receiver of which each loses its beeps independently.
        #[serde(default)]
        of: BeepReceiver,
    },
    /// Listed amoebots receive no beeps and no messages in listed rounds.
    LostBeepsAt {
        /// The losses.
        losses: Vec<ListedLoss>,
    },
}

/// The receiver of beeps that are lost together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum BeepReceiver {
    /// A set of pins of an amoebot.
    #[default]
    Set,
    /// An amoebot, with all its sets.
    Amoebot,
}

/// A round in which an amoebot receives nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ListedLoss {
    /// The round, from 1.
    pub round: Count,
    /// The amoebot, by its index in the start.
    pub amoebot: Count,
}

impl AmoebotFault {
    /// The crashing amoebots: those that are listed, and the number of drawn ones. `None` if no amoebot crashes.
    pub(super) fn crashes(&self) -> Option<(&[Count], Option<Count>)> {
        match self {
            Self::Crash { amoebots, drawn, .. } | Self::CrashAnyTime { amoebots, drawn } => {
                Some((amoebots, *drawn))
            }
            Self::LostBeeps { .. } | Self::LostBeepsAt { .. } => None,
        }
    }
}

/// An amoebot of a start that lists single amoebots.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StartAmoebot {
    /// The cell of the amoebot's head, or its only cell.
    pub head: (i32, i32),
    /// The cell of the amoebot's tail, if it is expanded.
    pub tail: Option<(i32, i32)>,
    /// The direction of the amoebot's port 1; `East` by default.
    pub port_1: Option<Towards>,
    /// Whether the amoebot counts ports clockwise.
    #[serde(default)]
    pub clockwise: bool,
    /// The initial values of variables that differ from the algorithm's default.
    #[serde(default)]
    pub memory: BTreeMap<String, Literal>,
}

/// One of the six directions of the lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[allow(missing_docs, reason = "the names describe the fields")]
pub enum Towards {
    East,
    NorthEast,
    NorthWest,
    West,
    SouthWest,
    SouthEast,
}

/// The cells of the amoebots at the start, one per amoebot unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum AmoebotStart {
    /// A straight line to the east.
    Line {
        /// The number of amoebots.
        count: Count,
    },
    /// The spiral around the first amoebot: a hexagon, except that its last ring may be incomplete.
    Hexagon {
        /// The number of amoebots.
        count: Count,
    },
    /// A random connected set, grown like a tree.
    Blob {
        /// The number of amoebots.
        count: Count,
        /// The probability with which a cell next to the blob joins it; 0.8 by default. A cell that was picked once and
        /// did not join stays empty.
        acceptance: Option<Probability>,
    },
    /// A random connected set, grown like the random trees of AmoebotSim, for comparisons. A cell that did not join can
    /// be picked again once another of its neighbours has joined.
    RandomTree {
        /// The number of amoebots.
        count: Count,
        /// The probability with which a cell next to the tree joins it; 0.8 by default.
        acceptance: Option<Probability>,
    },
    /// A random connected set without holes.
    HoleFree {
        /// The number of amoebots.
        count: Count,
    },
    /// A hexagonal ring around a hole.
    Ring {
        /// Cells on each side of the hole.
        hole_side: Count,
        /// The width of the ring, in cells.
        width: Count,
    },
    /// A line next to an object, from the middle of its highest row to the north-east.
    Column {
        /// The number of amoebots.
        count: Count,
    },
    /// A random connected set next to an object, grown from the middle of its highest row.
    Heap {
        /// The number of amoebots.
        count: Count,
        /// The probability of accepting a cell, as for a blob.
        acceptance: Option<Probability>,
    },
    /// A layer of amoebots along an object, clockwise from the middle of its highest row.
    Layer {
        /// The number of amoebots.
        count: Count,
    },
    /// A drawing in a file, as `acrasin_amoebot::start::drawing` reads it. '@' marks the seed and '#' the object of a
    /// coating; letters are the colours of separation.
    Drawing {
        /// The path of the file, relative to the folder of the scenario.
        path: PathBuf,
    },
    /// For bridging: a line of amoebots along both sides of a wedge, between anchors at its open end.
    VShape {
        /// Rows from the corner to the anchors.
        rows: Count,
        /// The slope of the sides: this number of half cells sideways per `up` rows; 1 by default, which gives 60
        /// degrees.
        across: Option<Count>,
        /// The number of rows in the slope of `across`; 1 by default.
        up: Option<Count>,
    },
    /// For bridging: a line of amoebots along three strokes with angles of 60 degrees.
    NShape {
        /// The number of steps of each stroke.
        side: Count,
    },
    /// These cells, as `(x, y)`: x to the east, y to the north-east.
    Cells(Vec<(i32, i32)>),
    /// A list of amoebots with head, tail, ports and memory. Tails and memories are for algorithms from files.
    Amoebots(Vec<StartAmoebot>),
    /// A moment of a recorded run of the same algorithm, including expanded amoebots and memories.
    Recorded {
        /// The path of the recording, relative to the folder of the scenario.
        path: PathBuf,
        /// The number of recorded actions before the moment; all of them by default.
        actions: Option<Count>,
    },
    /// For checks: every connected shape with every position of the seed.
    AllConnected {
        /// The number of amoebots.
        count: Count,
    },
}

/// The distribution of orientations, by which amoebots name directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum Orientations {
    /// One orientation for all.
    #[default]
    Common,
    /// Port 1 of each amoebot in a random direction; all count ports counter-clockwise.
    CommonChirality,
    /// Port 1 of every amoebot to the east; each has a random sense of rotation.
    CommonDirection,
    /// Each amoebot has a random direction of port 1 and a random sense of rotation.
    Assorted,
}

/// The execution model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum ExecutionKind {
    /// Sequential: one amoebot at a time.
    Sequential {
        /// The order of activations; a uniformly random amoebot by default.
        #[serde(default)]
        activation: ActivationOrder,
        /// The fairness of the activations.
        #[serde(default)]
        fairness: AmoebotFairness,
    },
    /// Concurrent, in the concurrency framework: in each step a random amoebot that can make a step makes one.
    Concurrent {
        /// The kind of locks.
        locks: LocksSetting,
    },
    /// Simultaneous on all threads, in waves of disjoint lock sets.
    Waves,
    /// Simultaneous on all threads, in windows: the amoebots of each tile act one after another.
    Tiles,
    /// Simultaneous without locks, in rounds. Algorithms that are correct in sequential executions can fail in these
    /// rounds.
    Rounds(ConcurrencySetting),
}

impl Default for ExecutionKind {
    fn default() -> Self {
        Self::Sequential { activation: ActivationOrder::default(), fairness: AmoebotFairness::default() }
    }
}

/// The order in which amoebots are activated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum ActivationOrder {
    /// A uniformly random amoebot, enabled or not.
    #[default]
    Uniform,
    /// A uniformly random amoebot among those that are enabled.
    UniformEnabled,
    /// Every amoebot in turn.
    RoundRobin,
    /// The enabled amoebot with the lowest number.
    First,
    /// The enabled amoebot with the highest number.
    Last,
    /// The amoebot that became enabled most recently.
    Newest,
}

/// The fairness of activations. An amoebot is passed over when another one is activated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum AmoebotFairness {
    /// No guarantee beyond that of the activation order.
    #[default]
    Unfair,
    /// An amoebot is due once it was passed over this many times while continuously enabled. Due amoebots are activated
    /// first, in the order in which they became due.
    Weak(Count),
    /// As `Weak`, but an amoebot is due once it was passed over this many times since its own last activation, even if
    /// it was disabled in between.
    Strong(Count),
}

/// The enabled amoebots that act in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum ConcurrencySetting {
    /// Every enabled amoebot.
    Synchronous,
    /// A maximal set of enabled amoebots, no two of them within this distance.
    Isolated(Count),
}

/// The implementation of Lock and Unlock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum LocksSetting {
    /// Locks that fail if a nearby amoebot is already locked.
    TryLocks,
    /// Locks that wait until they succeed: local mutual exclusion by message passing.
    Messages {
        /// The choice of the next node of the lock algorithm; any active node by default.
        #[serde(default)]
        scheduler: MessageScheduler,
    },
}

/// The scheduler of messages and of the nodes of the lock algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum MessageScheduler {
    /// One step of any active node.
    #[default]
    Sequential,
    /// Like `Sequential`, but messages leave one by one.
    Asynchronous,
    /// The newest message is received first.
    NewestFirst,
}

/// The condition that ends a run as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum AmoebotStop {
    /// No amoebot will act any more. The run fails if the goal of the algorithm is not reached then.
    #[default]
    Terminated,
    /// This number of steps is made. A step is an activation of a sequential run, a step of a chain, a wave, a window,
    /// or a round. In a concurrent run it is a step of an amoebot or of its lock.
    Steps(Count),
}

/// Limits of a run or a check.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Limits")]
pub struct AmoebotLimits {
    /// Steps of a run, as in [`AmoebotStop::Steps`].
    pub steps: Option<Count>,
    /// States of a check; 2^22 by default.
    pub states: Option<Count>,
}

/// Data that is recorded during the run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "Observe")]
pub struct AmoebotObserve {
    /// Steps between two samples of the states. For n amoebots the default is n steps, n/100 in waves and rounds, and
    /// n/2500 in tiles.
    pub counts_every: Option<Count>,
    /// Whether each sample includes the number of adjacent pairs, the perimeter, the number of connected parts and the
    /// number of holes of the occupied cells. A sample then takes about as long as a hundred steps of each amoebot.
    #[serde(default)]
    pub shape: bool,
    /// The steps after which a picture is made, in addition to those of the start and the end.
    #[serde(default)]
    pub pictures_at: Vec<Count>,
    /// The number of steps between further pictures. The total number of pictures has the same limit as the list
    /// `pictures_at`.
    pub pictures_every: Option<Count>,
    /// The variable whose values colour the amoebots of a picture, in place of their states.
    pub colour: Option<String>,
}
