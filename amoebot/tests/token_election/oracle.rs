//! Conditions that must hold at the end of a run and at every moment.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::token_election::{AgentRole, CandidateState, Memory, TokenAgent};
use acrasin_amoebot::{
    Algorithm, AmoebotPort, Cell, Direction, Rotation, Shape, System, TokenElection, View, enabled_actions,
};

use crate::outside::outside;

/// The direction in which a port leads.
fn direction(system: &System<Memory>, id: AmoebotId, port: AmoebotPort) -> Direction {
    system.amoebot(id).orientation.direction(port.label())
}

fn head(system: &System<Memory>, id: AmoebotId) -> Cell {
    system.body(id).head()
}

/// The identifiers of the segments of a boundary, from the coins and digits that were drawn. Each identifier comes with
/// the position of its candidate.
pub(crate) fn identifiers(boundary: &[(AmoebotId, AmoebotPort, TokenAgent)]) -> Vec<(usize, Vec<u8>)> {
    let is_candidate = |at: usize| matches!(boundary[at].2.role, AgentRole::Candidate(_));
    let from = |first: usize| {
        let members = (1..boundary.len()).map(|i| (first + i) % boundary.len());
        let segment = [first].into_iter().chain(members.take_while(|at| !is_candidate(*at)));
        (first, segment.map(|at| boundary[at].2.digit).collect())
    };
    (0..boundary.len()).filter(|at| is_candidate(*at)).map(from).collect()
}

/// The fault of a system at rest, if any.
pub(crate) fn fault(system: &System<Memory>) -> Option<&'static str> {
    let outside = outside(system);
    if system.ids().any(|id| enabled_actions(&TokenElection, View::new(system, id)).next().is_some()) {
        return Some("not at rest");
    }
    if TokenElection::leaders(system).len() != 1 || !TokenElection::is_finished(system) {
        return Some("not one leader");
    }
    let boundaries = TokenElection::boundaries(system);
    if boundaries.len() != system.shape().expect("a shape").holes() + 1 {
        return Some("not one boundary more than holes");
    }
    for boundary in boundaries {
        for (i, (id, port, _)) in boundary.iter().enumerate().filter(|_| system.len() > 1) {
            let next = boundary[(i + 1) % boundary.len()].0;
            let leads_to = head(system, *id).neighbour(direction(system, *id, *port));
            if leads_to != Some(head(system, next)) {
                return Some("the boundary is no way");
            }
        }
        let won = |at: &usize| {
            matches!(
                boundary[*at].2.role,
                AgentRole::Candidate(CandidateState::Leader | CandidateState::Inner)
            )
        };
        let [winner] = *(0..boundary.len()).filter(won).collect::<Vec<_>>() else {
            return Some("not one winner on a boundary");
        };
        if boundary.iter().any(|(_, _, agent)| agent.is_contending() || !agent.has_segment()) {
            return Some("not every amoebot has decided");
        }
        let known = identifiers(&boundary).into_iter().map(|(at, digits)| ((digits.len(), digits), at));
        let known: Vec<_> = known.collect();
        let greatest = &known.iter().max().expect("a candidate").0;
        if !known.iter().any(|(identifier, at)| *at == winner && identifier == greatest) {
            return Some("the winner has not the greatest identifier");
        }
        let (id, port, agent) = boundary[winner];
        let before = direction(system, id, port.turned(Rotation::Clockwise));
        let is_outer = outside.contains(&head(system, id).neighbour(before).expect("near the origin"));
        if (agent.role == AgentRole::Candidate(CandidateState::Leader)) != is_outer {
            return Some("outer and inner are mistaken");
        }
    }
    None
}

/// The largest number of candidates of one boundary that share its greatest identifier.
pub(crate) fn tied(system: &System<Memory>) -> usize {
    let of = |boundary: &Vec<(AmoebotId, AmoebotPort, TokenAgent)>| {
        let all: Vec<_> =
            identifiers(boundary).into_iter().map(|(_, digits)| (digits.len(), digits)).collect();
        let greatest = all.iter().max();
        all.iter().filter(|identifier| Some(*identifier) == greatest).count()
    };
    TokenElection::boundaries(system).iter().map(of).max().expect("a boundary")
}

/// Whether the vector tokens between consecutive candidates add up to the vector from one candidate to the next, and to
/// zero if the boundary has only one candidate. Revoked candidates do not count.
pub(crate) fn vectors_add_up(system: &System<Memory>) -> bool {
    TokenElection::boundaries(system).iter().all(|boundary| {
        let stands = |at: usize| match boundary[at].2.role {
            AgentRole::Candidate(standing) => standing != CandidateState::Revoked,
            _ => false,
        };
        (0..boundary.len()).filter(|at| stands(*at)).all(|first| {
            let mut sum = (0, 0);
            let mut at = first;
            loop {
                let (id, _, agent) = boundary[at];
                if !agent.has_segment() {
                    // The end of the segment is not known yet.
                    return true;
                }
                for (label, count) in (1..).zip(agent.vector.0) {
                    let step = Cell::ORIGIN.neighbour(direction(system, id, AmoebotPort::head(label)));
                    let step = step.expect("near the origin");
                    sum = (sum.0 + i32::from(count) * step.x(), sum.1 + i32::from(count) * step.y());
                }
                at = (at + 1) % boundary.len();
                if stands(at) {
                    break;
                }
            }
            let (from, to) = (head(system, boundary[first].0), head(system, boundary[at].0));
            sum == (to.x() - from.x(), to.y() - from.y())
        })
    })
}

/// The agents that are leaders: the amoebot, and the index of its agent.
pub(crate) fn leading(system: &System<Memory>) -> Vec<(AmoebotId, usize)> {
    let leads = |agent: &TokenAgent| agent.role == AgentRole::Candidate(CandidateState::Leader);
    let of = |id: AmoebotId| {
        let agents = system.memory(id).0.into_iter().enumerate();
        agents.filter(move |(_, agent)| leads(agent)).map(move |(i, _)| (id, i))
    };
    system.ids().flat_map(of).collect()
}

pub(crate) fn shapes(n: usize) -> Vec<Shape> {
    Shape::all_connected(n).expect("few cells")
}

/// The number of actions.
pub(crate) fn count_of_actions() -> usize {
    TokenElection.actions().len()
}
