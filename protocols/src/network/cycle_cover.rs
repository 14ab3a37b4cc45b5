//! A constructor of cycles that cover all agents but at most two.

use super::constructor::Constructor;

/// The state of an agent is the number of its active edges. Any two agents with fewer than two active edges activate
/// the edge between them. The rules are (q0, q0, 0) -> (q1, q1, 1); (q1, q0, 0) -> (q2, q1, 1), symmetric; (q1, q1, 0)
/// -> (q2, q2, 1).
///
/// - **Source:** Michail, Spirakis, PODC 2014: Cycle-Cover.
/// - **Claim:** disjoint cycles that cover all agents except at most two; Theta(n^2) interactions, which is optimal.
/// - **Oracle:** the final graph, which no interaction changes; each agent's state is its degree; exact means of 3 and
///   4 agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CycleCover;

impl Constructor for CycleCover {
    type State = u8;

    fn start(&self) -> u8 {
        0
    }

    fn transition(&self, initiator: u8, responder: u8, is_active: bool) -> (u8, u8, bool) {
        if is_active || initiator == 2 || responder == 2 {
            return (initiator, responder, is_active);
        }
        (initiator + 1, responder + 1, true)
    }
}
