//! Universal coating: the amoebots surround an object of any form, layer by layer from the inside.
//!
//! Source: Derakhshandeh, Gmyr, Richa, Scheideler, Strothmann, "Universal coating for programmable matter", TCS 2017.
//! The parts are those of the paper. There is a spanning forest, and a leader on the first layer. An amoebot holds at
//! most two complaints, which only super-roots use up. Layers move in opposite directions and retire behind a marker.
//! The rules below are our own.
//!
//! Layer k consists of the nodes at distance k from the object: a ring, which [`start`](UniversalCoating::start)
//! verifies. In an odd layer the *next* node of an amoebot is the first node clockwise of the layer below, in an even
//! layer the first node counter-clockwise. The node *behind* is the first node in the opposite sense. A *root* is in
//! the first layer, next to the object. A *walker* is in a later layer, next to retired amoebots of the layer below.
//! Its own place follows from their places. Roots and walkers know their layer only while they are contracted. The
//! amoebot at the next node of a root is the root's parent. A *super-root* is a root without a parent: its next node is
//! empty. An acting amoebot executes the first of these actions whose guard holds.
//!
//! | action | guard | operations |
//! |---|---|---|
//! | lead | candidate; has heard a probe that found nothing | retired, leader |
//! | retire | contracted root or walker; the next node has a retired one, or the layer begins here; no gap below | retired, a marker if the layer begins here |
//! | settle | contracted, inactive or follower; next to the object, or above retired ones | parent := none; root or walker; a formerly inactive amoebot next to the object is a candidate, and draws its first probe |
//! | follow | inactive; a neighbour is active | parent := a port to it; follower |
//! | pull | expanded; a contracted tail-child, or else a contracted amoebot behind it in the first layer, active and not a candidate | Pull it; its parent := the direction to this one's head |
//! | contract | expanded; no amoebot to pull, no tail-child, no inactive neighbour | Contract(tail) |
//! | notice | contracted root that learns whether an amoebot is outside | it knows; drops its complaints if none is |
//! | advance | super-root with a complaint, or walker with no gap below and the next node empty | one complaint less; Expand to the next |
//! | drop | walker; a gap below is empty | Expand to it |
//! | carry | contracted root; a vector token can move on to the next root | it moves on, where it stops or cancels with its opposite |
//! | pass | contracted root with a probe; the next root is not a candidate and has no probe, or is a candidate that has answered the last one | the probe moves on; it lays a vector token, or takes note of what is there |
//! | answer | candidate that has heard a probe; its own has left | no longer a candidate, if it heard 1 and drew 0; if not, draws the next probe |
//! | forward | contracted root or follower with a complaint; the parent has less than two, and is a follower, or a root that does not know that no amoebot is outside | one complaint moves there |
//! | complain | follower without complaint | one complaint |
//!
//! A tail-child is a neighbour whose parent port leads to the tail. *A gap below* is an adjacent node of the
//! layer below without a retired amoebot; each adjacent retired one of that layer tells the next such node.
//! Roots that expand have no parent until an amoebot pulls them. Vector tokens and probes move between
//! contracted roots only.
//!
//! *Layers.* The leader and every marker mark the node of the next layer that is adjacent to them and to their next
//! node: there the next layer begins. Behind the beginning one amoebot after another retires, against the direction of
//! the layer, and the last node to fill is next to the marker. So an amoebot at the beginning of a layer with no gap
//! below it is above a full layer. Walkers move only above retired amoebots. As consecutive layers move in opposite
//! directions, walkers reach the end of the layer below, and drop.
//!
//! *Election.* The candidates are the amoebots that start next to the object, not those that enter the first layer
//! later. No amoebot leaves the first layer, so they keep their order around the object. Each candidate sends one probe
//! after the other to the next candidate, and receives one probe for each that it sent. A bit of 0 yields to a bit of
//! 1, so at least one candidate remains. The last candidate receives its own probe, and must be certain of that. At
//! each root, a first probe lays a vector token for the step to the root's next node. Tokens move on and cancel with
//! their opposites, but never enter a candidate or pass a probe. A later probe checks whether any token is left. An
//! amoebot that moves is marked as moved until the next token is laid there, and invalidates a probe that it holds. A
//! gap moves only against the direction of the probe, so it cannot pass the probe unnoticed. When a probe that found
//! nothing reaches a candidate, no amoebot on its path has moved since the tokens were laid. Consecutive amoebots on
//! the path are adjacent, and the steps add up to zero, so the probe is back where it started. Then the layer is full
//! of contracted amoebots, and remains so. Each amoebot is on one node of a ring, so one agent per amoebot suffices.
//!
//! *Gaps.* A super-root that moves leaves its node to a follower there, or to the amoebot behind it, which does the
//! same. Each complaint lets one amoebot in, and all roots ahead move on by one node. A gap moves back along the layer
//! until a follower takes it or a candidate is behind it. If candidates were pulled as well, a gap could circle
//! forever.
//!
//! *Termination.* Without a gap in the first layer no amoebot of that layer can move, and the election ends with
//! probability 1. Then walkers never pass the beginning of a layer, and come to rest. With a gap and an amoebot outside
//! the layer, complaints reach the super-root ahead of that amoebot, until the amoebot is let in. Once no amoebot is
//! outside the layer, no more complaints are made, and each move of a super-root uses one up.
//!
//! *Surplus complaints.* A root knows that no amoebot is outside under two conditions. None of its neighbours is
//! inactive or a follower. The node behind it is empty, or has a root that knows the same. An amoebot that has expanded
//! to the node behind does not count until it contracts, since the root ahead may not have seen it arrive. This
//! knowledge spreads from the end of a chain to its super-root. So surplus complaints do not send a gap around the
//! object repeatedly. If this knowledge of a root becomes wrong, the root behind corrects it, and complaints are made
//! again.
//!
//! Cost. The paper needs O(n) rounds with high probability. Here a column of n = 10, 20, 40, 80, 160 on one cell takes
//! 52, 110, 145, 291, 538 rounds of round robin. Under uniform activation it takes 56, 82, 99, 176, 292. Along a
//! sufficiently long wall round robin takes 4 n + 4 for all of these, and uniform activation 37, 71, 116, 204 for n up
//! to 80. If one node of 44, 84, 164 next to a wall stays empty, it takes 177, 337, 657 and 245, 286, 537. If surplus
//! complaints were kept, it would take more than n^1.8.
//!
//! Known deviations. An amoebot without a complaint makes a new one each time, not only once. All amoebots that start
//! next to the object are candidates, instead of drawing them by coins. All handovers are pulls. In the first layer a
//! follower takes precedence over the root behind, presumably the reverse of the paper. So a gap that a complaint
//! causes does not pass a follower, and a full ring with one expanded amoebot lets a follower in. Walkers do not move
//! above a layer that is not yet retired. So under every schedule walkers circle at most once. "Some neighbour" is the
//! one at the first such port. Clockwise is as the amoebot sees it, so chirality must be common.

mod election;
mod layers;
mod memory;
mod spot;
mod stand;
mod start;

use crate::algorithm::packed_memory;
use std::num::NonZeroU32;

pub use election::{ElectionAgent, ElectionState, LayerProbe, ProbeFinding};
pub use layers::{LAYER_CELLS_MAX, layers};
pub use memory::{COMPLAINTS_MAX, CrowdBehind, LayerMark, Memory, State};
pub use spot::{LayerPlace, LayerSide, PortsBelow};
pub use start::UniversalCoatingError;

use acrasin_runtime::choice::{Choices, Decision};

use self::stand::{behind_tail, first_layer, stand};
use crate::algorithm::Convention;
use crate::algorithm::description::{Description, Facts, Placement};
use crate::algorithm::{ActionError, Algorithm, Effects, View};
use crate::library::entry::{AlgorithmEntry, Construction, Needs};
use crate::model::body::{AmoebotPort, End};
use crate::model::operation::Movement;
use crate::model::system::System;
use crate::picture::Detail;

/// The labels of the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Declares itself the leader, as the last candidate.
    Lead,
    /// Retires: stays at its place permanently.
    Retire,
    /// Becomes a root or a walker, in the layer that it has reached.
    Settle,
    /// Becomes a follower.
    Follow,
    /// An expanded amoebot pulls another amoebot into the node of its tail.
    Pull,
    /// Contracts into the head.
    Contract,
    /// A root updates its knowledge of amoebots outside the first layer, and drops its complaints if there are none.
    Notice,
    /// Expands along the layer.
    Advance,
    /// Expands to the layer below.
    Drop,
    /// Vector tokens move on, and opposite ones cancel.
    Carry,
    /// A probe moves on to the next root.
    Pass,
    /// A candidate yields, or sends its next probe.
    Answer,
    /// A complaint moves on to the parent.
    Forward,
    /// Makes a complaint.
    Complain,
}

const ACTIONS: [Action; 14] = [
    Action::Lead,
    Action::Retire,
    Action::Settle,
    Action::Follow,
    Action::Pull,
    Action::Contract,
    Action::Notice,
    Action::Advance,
    Action::Drop,
    Action::Carry,
    Action::Pass,
    Action::Answer,
    Action::Forward,
    Action::Complain,
];

/// Universal coating. Final: every amoebot is contracted, and all layers are full except possibly the outermost used
/// one. If there are enough amoebots for the first layer, there is one leader and every amoebot is retired. Otherwise
/// there is no leader, and every amoebot is in the first layer. This is reached with probability 1 under fair
/// schedules, if chirality is common and [`start`](Self::start) accepts the start; there are never two leaders. The
/// tests explore all schedules of small systems.
///
/// ```
/// use acrasin_amoebot::run::execution::{SequentialExecution, Uniform};
/// use acrasin_amoebot::{Cell, Direction, UniversalCoating, start};
/// use acrasin_runtime::Seeded;
///
/// // Thirty in a row next to a bar of three cells, which ten can touch: two layers, and four are left.
/// let bar = start::line(Cell::ORIGIN, Direction::West, 3)?;
/// let row = start::line(Cell::new(1, 0)?, Direction::East, 30)?;
/// let mut execution = SequentialExecution::new(&UniversalCoating, UniversalCoating::start(&row, &bar, &[])?);
/// assert!(execution.run(1_000_000, &mut Uniform, &mut Seeded::new(1)));
/// assert!(UniversalCoating::is_finished(execution.system()));
/// assert_eq!(UniversalCoating::leaders(execution.system()).len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniversalCoating;

impl Algorithm for UniversalCoating {
    type Memory = Memory;
    type Action = Action;

    fn actions(&self) -> &[Action] {
        &ACTIONS
    }

    fn enabled(&self, action: Action, a: &View<'_, Memory>) -> bool {
        let own = a.own();
        match action {
            Action::Lead => own.state == State::Root && own.agent.is_alone() && first_layer(a).is_some(),
            Action::Retire => retired(a).is_some(),
            Action::Settle => {
                matches!(own.state, State::Inactive | State::Follower)
                    && (first_layer(a).is_some() || stand(a).is_some())
            }
            Action::Follow => own.state == State::Inactive && a.any_neighbour(|b| is_active(b.memory)),
            Action::Pull => to_pull(a).is_some(),
            Action::Contract => {
                !a.is_contracted()
                    && a.all_neighbours(|b| is_active(b.memory))
                    && to_pull(a).is_none()
                    && tail_children(a).next().is_none()
            }
            Action::Notice => crowd(a).is_some_and(|behind| {
                behind != own.behind || (behind == CrowdBehind::Absent && own.complaints > 0)
            }),
            Action::Advance => way_ahead(a).is_some(),
            Action::Drop => way_down(a).is_some(),
            Action::Carry => {
                next_root(a).is_some_and(|next| own.agent.carry(next.memory.agent, next.shift).is_some())
            }
            Action::Pass => next_root(a)
                .is_some_and(|next| own.agent.pass(next.memory.agent, next.port.label()).is_some()),
            Action::Answer => own.state == State::Root && own.agent.answer(&mut || 0).is_some(),
            Action::Forward => own.complaints > 0 && who_hears(a).is_some(),
            Action::Complain => own.state == State::Follower && own.complaints == 0,
        }
    }

    fn execute(
        &self,
        action: Action,
        a: &View<'_, Memory>,
        choices: &mut dyn Choices,
    ) -> Result<Effects<Memory>, ActionError> {
        let own = *a.own();
        let mut flip = || {
            let two = NonZeroU32::new(2).expect("two sides");
            choices.pick(two, Decision::Outcome) as u8
        };
        let with_agents = |next: NextRoot, (mine, theirs): (ElectionAgent, ElectionAgent)| {
            Effects::none()
                .write_own(Memory { agent: mine, ..own })
                .write(next.port, Memory { agent: theirs, ..next.memory })
        };
        Ok(match action {
            Action::Lead => {
                let place = first_layer(a).ok_or(ActionError::Undefined("not in the first layer"))?;
                Effects::none().write_own(Memory::retired(place, LayerMark::Leader))
            }
            Action::Retire => {
                let (place, mark) =
                    retired(a).ok_or(ActionError::Undefined("no amoebot to retire behind"))?;
                Effects::none().write_own(Memory::retired(place, mark))
            }
            Action::Settle => Effects::none().write_own(match (first_layer(a), own.state) {
                (Some(_), State::Inactive) => {
                    Memory { state: State::Root, agent: ElectionAgent::candidate(flip()), ..own }
                }
                (Some(_), _) => Memory { state: State::Root, parent: None, ..own },
                (None, _) => Memory { state: State::Walker, ..Memory::START },
            }),
            Action::Follow => {
                let parent = a.neighbours().find(|b| is_active(b.memory)).map(|b| b.port);
                Effects::none().write_own(Memory { state: State::Follower, parent, ..own })
            }
            Action::Pull => {
                let port = to_pull(a).ok_or(ActionError::Undefined("no amoebot to pull"))?;
                let forward = a.forward().ok_or(ActionError::Undefined("contracted"))?;
                let parent = AmoebotPort::head(a.label_of_neighbour(port, forward)?);
                let theirs = a.read(port)?.pulled(parent);
                Effects::none().write_own(own.contracted()).write(port, theirs).then(Movement::Pull(port))
            }
            Action::Contract => {
                Effects::none().write_own(own.contracted()).then(Movement::Contract(End::Tail))
            }
            Action::Notice => {
                let behind = crowd(a).ok_or(ActionError::Undefined("not in the first layer"))?;
                let complaints = if behind == CrowdBehind::Absent { 0 } else { own.complaints };
                Effects::none().write_own(Memory { behind, complaints, ..own })
            }
            Action::Advance => {
                let next = way_ahead(a).ok_or(ActionError::Undefined("no way ahead"))?;
                let complaints = own.complaints.saturating_sub(1);
                let agent = own.agent.displaced();
                let behind = if own.state == State::Root { CrowdBehind::Arriving } else { own.behind };
                let ahead = Memory { complaints, agent, behind, ..own };
                Effects::none().write_own(ahead).then(Movement::Expand(next))
            }
            Action::Drop => {
                let gap = way_down(a).ok_or(ActionError::Undefined("no gap below"))?;
                Effects::none().then(Movement::Expand(gap))
            }
            Action::Carry => {
                let next = next_root(a).ok_or(ActionError::Undefined("no next root"))?;
                let agents = own.agent.carry(next.memory.agent, next.shift);
                with_agents(next, agents.ok_or(ActionError::Undefined("no vector token can move on"))?)
            }
            Action::Pass => {
                let next = next_root(a).ok_or(ActionError::Undefined("no next root"))?;
                let agents = own.agent.pass(next.memory.agent, next.port.label());
                with_agents(next, agents.ok_or(ActionError::Undefined("no probe can move on"))?)
            }
            Action::Answer => {
                let answer = own.agent.answer(&mut flip);
                let agent = answer.ok_or(ActionError::Undefined("no probe to answer"))?;
                Effects::none().write_own(Memory { agent, ..own })
            }
            Action::Forward => {
                let (port, theirs) =
                    who_hears(a).ok_or(ActionError::Undefined("no amoebot receives the signal"))?;
                let theirs = Memory { complaints: theirs.complaints + 1, ..theirs };
                let own = Memory { complaints: own.complaints - 1, ..own };
                Effects::none().write_own(own).write(port, theirs)
            }
            Action::Complain => Effects::none().write_own(Memory { complaints: 1, ..own }),
        })
    }

    fn conventions(&self) -> &'static [Convention] {
        // Inactive amoebots follow their first active neighbour, and a newcomer can come first.
        Convention::NOT_MONOTONE
    }

    packed_memory!();
}

fn is_active(memory: &Memory) -> bool {
    memory.state != State::Inactive
}

/// The place of a contracted amoebot that can retire now, and whether the next layer begins above it; `None` if it
/// cannot retire.
fn retired(a: &View<'_, Memory>) -> Option<(LayerPlace, LayerMark)> {
    let is_behind =
        |place: LayerPlace| place.next().and_then(|next| a.read(next).ok()).is_some_and(Memory::is_retired);
    match a.own().state {
        State::Root => {
            let place = first_layer(a)?;
            is_behind(place).then_some((place, LayerMark::None))
        }
        State::Walker => {
            let stand = stand(a).filter(|stand| stand.is_complete)?;
            let mark = if stand.is_beginning { LayerMark::Marker } else { LayerMark::None };
            (stand.is_beginning || is_behind(stand.place)).then_some((stand.place, mark))
        }
        _ => None,
    }
}

/// The tail ports to tail-children: neighbours whose parent port leads to the tail.
fn tail_children<'a>(a: &View<'a, Memory>) -> impl Iterator<Item = AmoebotPort> + 'a {
    let a = *a;
    AmoebotPort::at(End::Tail).filter(move |&port| {
        let parent = a.read(port).ok().and_then(|b| b.parent);
        parent.is_some_and(|parent| a.pointed_at(port, parent) == Some(End::Tail))
    })
}

/// The tail port to the amoebot that an expanded amoebot pulls: a tail-child, or else the amoebot behind it in the
/// first layer. `None` if there is no amoebot to pull.
fn to_pull(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    if a.is_contracted() {
        return None;
    }
    let is_contracted = |port: &AmoebotPort| a.neighbour(*port).is_some_and(|b| b.contracted);
    let follows = |port: &AmoebotPort| {
        a.read(*port).is_ok_and(|b| is_active(b) && b.agent.standing == ElectionState::Bystander)
    };
    let child = tail_children(a).find(is_contracted);
    let behind = behind_tail(a).filter(is_contracted).filter(follows);
    child.or(behind)
}

/// The knowledge of a contracted root about amoebots outside and behind it; `None` for other amoebots. An amoebot that
/// is just arriving behind the root does not count.
fn crowd(a: &View<'_, Memory>) -> Option<CrowdBehind> {
    let place = first_layer(a).filter(|_| a.own().state == State::Root)?;
    let is_outside = |memory: &Memory| matches!(memory.state, State::Inactive | State::Follower);
    let behind = a.read(place.behind()?).ok();
    let is_empty = behind.is_none_or(|b| b.state == State::Root && b.behind != CrowdBehind::Present);
    let is_alone = is_empty && !a.any_neighbour(|b| is_outside(b.memory));
    Some(if is_alone { CrowdBehind::Absent } else { CrowdBehind::Present })
}

/// The port to the next node, if a contracted amoebot may move there.
fn way_ahead(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    let place = match a.own().state {
        State::Root if a.own().complaints > 0 => first_layer(a)?,
        State::Walker => stand(a).filter(|stand| stand.is_complete)?.place,
        _ => return None,
    };
    place.next().filter(|next| !a.connected(*next))
}

/// The port of a walker to an empty node of the layer below; `None` if there is none.
fn way_down(a: &View<'_, Memory>) -> Option<AmoebotPort> {
    if a.own().state == State::Walker { stand(a)?.gap } else { None }
}

/// The amoebot at the next node of a root: its port, its memory, and the shift between the labels of the two roots.
struct NextRoot {
    port: AmoebotPort,
    memory: Memory,
    shift: u8,
}

/// The next root of a root, if both are contracted.
fn next_root(a: &View<'_, Memory>) -> Option<NextRoot> {
    if a.own().state != State::Root {
        return None;
    }
    let port = first_layer(a)?.next()?;
    let next = a.neighbour(port).filter(|b| b.contracted && b.memory.state == State::Root)?;
    let shift = (7 - a.label_of_neighbour(port, 1).ok()?) % 6;
    Some(NextRoot { port, memory: *next.memory, shift })
}

/// The neighbour to which a contracted amoebot can forward a complaint: its port and memory; `None` if no neighbour can
/// take one.
fn who_hears(a: &View<'_, Memory>) -> Option<(AmoebotPort, Memory)> {
    let port = match a.own().state {
        State::Root => first_layer(a)?.next()?,
        State::Follower if a.is_contracted() => a.own().parent?,
        _ => return None,
    };
    let theirs = *a.read(port).ok()?;
    let listens =
        matches!(theirs.state, State::Root | State::Follower) && theirs.behind != CrowdBehind::Absent;
    let can = listens && theirs.complaints < COMPLAINTS_MAX;
    can.then_some((port, theirs))
}

/// The catalogue entry of universal coating.
pub const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "UniversalCoating",
    title: "universal coating",
    summary: "amoebots: all amoebots surround an object in full layers",
    parameters: &[],
    needs: Needs { common_chirality: true, object: true, ..Needs::NOTHING },
    read: |_| Ok(Construction::algorithm(UniversalCoating)),
};

const STATES: [&str; 8] = [
    "inactive",
    "follower",
    "leader",
    "layer 1, 5, ..",
    "layer 2, 6, ..",
    "layer 3, 7, ..",
    "layer 4, 8, ..",
    "on its way",
];

impl Description for UniversalCoating {
    type Memory = Memory;
    type Algorithm = Self;

    fn algorithm(&self) -> &Self {
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            states: &STATES,
            // Nearly all first-layer roots are already in their final position.
            settled_states: &STATES[2..7],
            may_cycle: true,
            ..Facts::default()
        }
    }

    fn state(&self, memory: &Memory) -> usize {
        match memory.state {
            State::Inactive => 0,
            State::Follower => 1,
            State::Walker => 7,
            State::Root => 3,
            State::Retired(_, LayerMark::Leader) => 2,
            State::Retired(place, _) => 3 + usize::from((place.layer + 3) % 4),
        }
    }

    fn detail(&self, memory: &Memory) -> Detail {
        Detail { parent: memory.parent, direction: None, tokens: memory.complaints }
    }

    fn start(&self, placement: &Placement) -> Result<System<Memory>, String> {
        Self::start(&placement.cells, &placement.object, &placement.orientations)
            .map_err(|error| error.to_string())
    }

    fn is_finished(&self, system: &System<Memory>) -> bool {
        Self::is_finished(system)
    }
}
