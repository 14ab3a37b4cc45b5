//! Boundary detection: the amoebots on each boundary of a shape determine whether it is the outer one or
//! surrounds a hole.
//!
//! Source: the outer-boundary test of Daymude, Gmyr, Richa, Scheideler, Strothmann, "Improved leader election for
//! self-organizing programmable matter", ALGOSENSORS 2017, as described in surveys. The text of the paper was not
//! compared, and the actions are our own.
//!
//! An amoebot has an *agent* for every run of empty nodes around it, up to three. The agents of one boundary form a
//! ring: the next agent is at the amoebot that follows the last empty node counter-clockwise. Between consecutive
//! agents the path turns by k - 2 sixths of a circle for k empty nodes. The turns add up to 6 around the outer boundary
//! and to -6 around a hole, that is to 1 and 4 modulo 5. One agent of each boundary is marked and starts the sum.
//!
//! | action | guard, of an agent | operations |
//! |---|---|---|
//! | begin | marked; knows nothing | turns := own turn |
//! | add | not marked; knows nothing; the agent before it has turns t | turns := t + own turn, modulo 5 |
//! | judge | marked; has turns; the agent before it has turns t | outer if t = 1, inner if t = 4 |
//! | hear | not marked; has turns; the agent before it knows the side | side := that side |
//!
//! Deviations. In the paper the marked agent is the last remaining candidate for leadership on its boundary; here the
//! start marks one agent. In the paper the sum travels as a token; here each agent reads its predecessor. No amoebot
//! moves, and an action writes to its own memory only. All amoebots must have the same chirality, because two
//! neighbours must agree on the next agent. If several agents of an amoebot can act, the one with the smallest port
//! does.

use crate::algorithm::packed_memory;
use crate::model::id::AmoebotId;
use acrasin_runtime::choice::Choices;

use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, ActionOrder, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::{AmoebotPort, End};
use crate::model::lattice::{Cell, Rotation};
use crate::model::orientation::Orientation;
use crate::model::system::System;
use crate::start::{Contracted, StartError};

/// The knowledge of an agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Knowledge {
    /// The agent knows nothing about its boundary.
    Nothing,
    /// The sum of the turns of the path from the marked agent to this one, both included: in sixths of a circle, modulo
    /// 5.
    Turns(u8),
    /// The agent is on the outer boundary.
    Outer,
    /// The agent is on the boundary of a hole.
    Inner,
}

acrasin_runtime::pack_variants!(Knowledge { Nothing, Turns(turns), Outer, Inner });

/// An agent: the part of an amoebot that belongs to one run of empty nodes around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoundaryAgent {
    /// Whether this agent starts the sum and evaluates it.
    pub marked: bool,
    /// The agent's knowledge of its boundary.
    pub knowledge: Knowledge,
}

acrasin_runtime::pack_fields!(BoundaryAgent { marked, knowledge });

/// The public memory: the agents, indexed by the label of the port to the next agent.
///
/// There is an agent at a port if an amoebot is connected there, but none at the next port clockwise. An amoebot
/// without neighbours has one agent, at port 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Memory(pub [BoundaryAgent; 6]);

acrasin_runtime::pack_fields!(Memory { 0 });

impl Memory {
    const fn position(port: AmoebotPort) -> usize {
        port.label() as usize - 1
    }

    /// The agent at a port. Without an agent there, the result is not marked and knows nothing.
    #[must_use]
    pub const fn agent(self, port: AmoebotPort) -> BoundaryAgent {
        self.0[Self::position(port)]
    }

    const fn with(mut self, port: AmoebotPort, agent: BoundaryAgent) -> Self {
        self.0[Self::position(port)] = agent;
        self
    }
}

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// The marked agent begins the sum with the turn of the boundary at itself, in sixths of a circle.
    Begin,
    /// The agent adds the turn of the boundary at itself to the sum of its predecessor.
    Add,
    /// The marked agent determines from the complete sum whether its boundary is the outer one.
    Judge,
    /// The agent learns the kind of its boundary from its predecessor.
    Hear,
}

/// Boundary detection. Final: every agent knows whether it is on the outer boundary or on the boundary of a hole, after
/// exactly two actions of each agent. This holds under every sequential schedule, fair or not, if chirality is common
/// and the amoebots are connected. The tests explore all schedules of up to seven amoebots.
///
/// ```
/// use acrasin_amoebot::library::boundary::{Boundary, Knowledge};
/// use acrasin_amoebot::run::execution::{SequentialExecution, RoundRobinActivation};
/// use acrasin_amoebot::Cell;
/// use acrasin_runtime::Seeded;
///
/// // Six amoebots around an empty cell: six agents look out, six look in.
/// let ring: Vec<Cell> = Cell::ORIGIN.neighbours().collect();
/// let mut execution = SequentialExecution::new(&Boundary, Boundary::start(&ring, &[])?);
/// assert!(execution.run(1_000, &mut RoundRobinActivation::default(), &mut Seeded::new(1)));
/// let agents = Boundary::agents(execution.system());
/// assert_eq!(agents.len(), 12);
/// let inner = agents.iter().filter(|(_, _, agent)| agent.knowledge == Knowledge::Inner);
/// assert_eq!(inner.count(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Boundary;

impl Algorithm for Boundary {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &[Action::Begin, Action::Add, Action::Judge, Action::Hear]
    }

    fn order(&self) -> ActionOrder {
        ActionOrder::Any
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        agent_to_act(a, action).is_some()
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        _: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let (port, before) = agent_to_act(a, action).ok_or(ActionError::Undefined("no agent can act"))?;
        let knowledge = match (action, before) {
            (Action::Begin, _) => Knowledge::Turns(modulo_5(own_turn(a, port))),
            (Action::Add, Knowledge::Turns(t)) => Knowledge::Turns(modulo_5(t as i8 + own_turn(a, port))),
            (Action::Judge, Knowledge::Turns(1)) => Knowledge::Outer,
            (Action::Judge, Knowledge::Turns(4)) => Knowledge::Inner,
            (Action::Hear, side) => side,
            _ => return Err(ActionError::Undefined("no boundary has such turns")),
        };
        let own = *a.own();
        Ok(Effects::none().write_own(own.with(port, BoundaryAgent { knowledge, ..own.agent(port) })))
    }

    fn conventions(&self) -> &'static [Convention] {
        Convention::ALL
    }

    packed_memory!();
}

/// The first agent of A for which the guard of the action holds, and the knowledge of its predecessor; `None` without
/// such an agent.
fn agent_to_act(a: &View<'_, Memory>, action: Action) -> Option<(AmoebotPort, Knowledge)> {
    agents_of(*a).find_map(|port| {
        let BoundaryAgent { marked, knowledge } = a.own().agent(port);
        let before = knowledge_before(a, port);
        let (before_has_turns, before_knows) = match before {
            Knowledge::Nothing => (false, false),
            Knowledge::Turns(_) => (true, false),
            Knowledge::Outer | Knowledge::Inner => (false, true),
        };
        let knows_nothing = knowledge == Knowledge::Nothing;
        let has_turns = matches!(knowledge, Knowledge::Turns(_));
        let guard = match action {
            Action::Begin => marked && knows_nothing,
            Action::Add => !marked && knows_nothing && before_has_turns,
            Action::Judge => marked && has_turns && before_has_turns,
            Action::Hear => !marked && has_turns && before_knows,
        };
        guard.then_some((port, before))
    })
}

/// The ports of A at which there are agents.
pub(crate) fn agents_of<M>(a: View<'_, M>) -> impl Iterator<Item = AmoebotPort> {
    let alone = a.neighbours().next().is_none();
    AmoebotPort::at(End::Head).filter(move |port| {
        let first_after_gap = a.connected(*port) && !a.connected(port.turned(Rotation::Clockwise));
        first_after_gap || (alone && *port == AmoebotPort::head(1))
    })
}

/// The number of empty nodes of the agent at a port, and the port to its predecessor: the first neighbour clockwise of
/// these nodes. If A has no neighbours, the result is 6 and `None`.
fn gap<M>(a: &View<'_, M>, port: AmoebotPort) -> (i8, Option<AmoebotPort>) {
    let clockwise = std::iter::successors(Some(port), |port| Some(port.turned(Rotation::Clockwise)));
    let mut empty = 0;
    for port in clockwise.skip(1).take(6) {
        if a.connected(port) {
            return (empty, Some(port));
        }
        empty += 1;
    }
    (empty, None)
}

/// The turn of the boundary at the agent, in sixths of a circle: -1 to 3, or 6 for a single amoebot.
fn own_turn<M>(a: &View<'_, M>, port: AmoebotPort) -> i8 {
    agent_before(a, port).map_or(6, |before| before.turn)
}

/// The predecessor of an agent on its boundary.
pub(crate) struct PrecedingAgent {
    /// The port of A to the amoebot of the predecessor.
    pub(crate) neighbour: AmoebotPort,
    /// The port of the predecessor at its own amoebot.
    pub(crate) at: AmoebotPort,
    /// The port of A with the same direction as `at`.
    pub(crate) back: AmoebotPort,
    /// The turn of the boundary between the predecessor and the next agent, in sixths of a circle: -1 to 3.
    pub(crate) turn: i8,
}

/// The predecessor of the agent at a port; `None` for a single amoebot.
pub(crate) fn agent_before<M>(a: &View<'_, M>, port: AmoebotPort) -> Option<PrecedingAgent> {
    let (empty, neighbour) = gap(a, port);
    let neighbour = neighbour?;
    let back = AmoebotPort::head((neighbour.label() + 2) % 6 + 1);
    let label = a.label_of_neighbour(neighbour, back.label()).expect("the gap ends at a neighbour");
    Some(PrecedingAgent { neighbour, at: AmoebotPort::head(label), back, turn: empty - 2 })
}

/// The knowledge of the agent before the one at a port. The agent of a single amoebot is its own predecessor.
fn knowledge_before(a: &View<'_, Memory>, port: AmoebotPort) -> Knowledge {
    let Some(before) = agent_before(a, port) else { return a.own().agent(port).knowledge };
    let neighbour = a.neighbour(before.neighbour).expect("the gap ends at a neighbour");
    neighbour.memory.agent(before.at).knowledge
}

pub(crate) fn modulo_5(turns: i8) -> u8 {
    turns.rem_euclid(5).cast_unsigned()
}

impl Boundary {
    /// The start configuration: all amoebots are contracted, and no agent knows anything. On each boundary one agent is
    /// marked: of the first amoebot in `cells` that has agents there, the one with the smallest port. Amoebot i is on
    /// cell i and has orientation i; without an entry it has the common orientation. O(n).
    ///
    /// # Errors
    ///
    /// There are no cells, too many, or a duplicate; the cells are not connected; or the chirality is mixed.
    pub fn start(cells: &[Cell], orientations: &[Orientation]) -> Result<System<Memory>, StartError> {
        let nothing = BoundaryAgent { marked: false, knowledge: Knowledge::Nothing };
        let start = Contracted::new(cells, orientations).connected().with_common_chirality();
        let mut system = start.system(|_| Memory([nothing; 6]))?;
        for boundary in Self::boundaries(&system) {
            let (id, port) = boundary[0];
            let own = *system.memory(id);
            let marked = own.with(port, BoundaryAgent { marked: true, ..own.agent(port) });
            system.write(id, None, marked).expect("its own memory");
        }
        Ok(system)
    }

    /// The agents of each boundary. Each list starts with the first agent by amoebot and port, and each agent is
    /// followed in the list by its predecessor. O(n).
    pub(crate) fn boundaries<M>(system: &System<M>) -> Vec<Vec<(AmoebotId, AmoebotPort)>> {
        let mut seen = vec![[false; 6]; system.len()];
        let mut boundaries = Vec::new();
        for id in system.ids() {
            for port in agents_of(View::new(system, id)) {
                let (mut at, mut boundary) = ((id, port), Vec::new());
                while !std::mem::replace(&mut seen[at.0.index()][Memory::position(at.1)], true) {
                    boundary.push(at);
                    at = Self::before(system, at);
                }
                boundaries.extend((!boundary.is_empty()).then_some(boundary));
            }
        }
        boundaries
    }

    /// The predecessor of an agent, computed from the system.
    pub(crate) fn before<M>(
        system: &System<M>,
        (id, port): (AmoebotId, AmoebotPort),
    ) -> (AmoebotId, AmoebotPort) {
        let Some(before) = gap(&View::new(system, id), port).1 else { return (id, port) };
        let there = system.neighbour(id, before).expect("the gap ends at a neighbour");
        let back = system.amoebot(id).orientation.direction(before.label()).opposite();
        (there, AmoebotPort::head(system.amoebot(there).orientation.label(back)))
    }

    /// All agents, by amoebot and port.
    #[must_use]
    pub fn agents(system: &System<Memory>) -> Vec<(AmoebotId, AmoebotPort, BoundaryAgent)> {
        let of = |id| {
            let with_agent = move |port| (id, port, system.memory(id).agent(port));
            agents_of(View::new(system, id)).map(with_agent)
        };
        system.ids().flat_map(of).collect()
    }

    /// Whether every agent knows its side correctly. O(n).
    #[must_use]
    pub fn is_finished(system: &System<Memory>) -> bool {
        Self::boundaries(system).iter().all(|boundary| {
            let side = if Self::is_outer(system, boundary) { Knowledge::Outer } else { Knowledge::Inner };
            boundary.iter().all(|&(id, port)| system.memory(id).agent(port).knowledge == side)
        })
    }

    /// Whether a boundary is the outer one, which turns left by a full circle. The boundary of a hole turns right.
    pub(crate) fn is_outer<M>(system: &System<M>, boundary: &[(AmoebotId, AmoebotPort)]) -> bool {
        let turn = |&(id, port)| i64::from(own_turn(&View::new(system, id), port));
        boundary.iter().map(turn).sum::<i64>() > 0
    }
}

/// The catalogue entry of boundary detection.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "Boundary",
    title: "boundary detection",
    summary: "amoebots: whether a boundary is the outer one or a hole, from the sum of its turns",
    parameters: &[],
    needs: Needs { common_chirality: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(Boundary)),
};

/// Describes boundary detection. The state of an amoebot is the combined knowledge of its agents. An amoebot without
/// empty adjacent nodes has no agent, and never knows anything.
impl Description for Boundary {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &["knows nothing", "adds up", "outer", "hole", "outer and hole"],
            is_static: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        let has = |knowledge: Knowledge| memory.0.iter().any(|agent| agent.knowledge == knowledge);
        let adds = memory.0.iter().any(|agent| matches!(agent.knowledge, Knowledge::Turns(_)));
        match (has(Knowledge::Outer), has(Knowledge::Inner)) {
            (true, true) => 4,
            (false, true) => 3,
            (true, false) => 2,
            (false, false) => usize::from(adds),
        }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.orientations).map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
