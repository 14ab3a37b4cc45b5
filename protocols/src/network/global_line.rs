//! A constructor of a spanning line: one path through all agents.

use super::constructor::Constructor;

/// The position of an agent on a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OnLine {
    /// Not on a line: an agent without active edges (q0).
    Alone,
    /// An end of a line that is not its leader (q1).
    End,
    /// An inner agent of a line (q2).
    Inside,
    /// An end of a line that is its leader (l).
    Leader,
    /// The leader on its way to an end, after two lines were joined (w).
    Walker,
}

/// Lines grow and merge at their leaders. After two lines have merged, the remaining leader walks to an end of the
/// line. The rules are (q0, q0, 0) -> (q1, l, 1); (l, q0, 0) -> (q2, l, 1); (l, l, 0) -> (q2, w, 1); (w, q2, 1) -> (q2,
/// w, 1); (w, q1, 1) -> (q2, l, 1); symmetric.
///
/// - **Source:** Michail, Spirakis, PODC 2014: Simple-Global-Line.
/// - **Claim:** a stable spanning line; the number of interactions is Omega(n^4) and O(n^5).
/// - **Oracle:** the final graph; each line has one leader or walker; means of 58, 216, 1311 interactions for n = 6, 8,
///   12, until the line spans all agents and its leader is at an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GlobalLine;

impl GlobalLine {
    fn ordered(initiator: OnLine, responder: OnLine, is_active: bool) -> Option<(OnLine, OnLine, bool)> {
        use OnLine::{Alone, End, Inside, Leader, Walker};
        Some(match (initiator, responder, is_active) {
            (Alone, Alone, false) => (End, Leader, true),
            (Leader, Alone, false) => (Inside, Leader, true),
            (Leader, Leader, false) => (Inside, Walker, true),
            (Walker, Inside, true) => (Inside, Walker, true),
            (Walker, End, true) => (Inside, Leader, true),
            _ => return None,
        })
    }
}

impl Constructor for GlobalLine {
    type State = OnLine;

    fn start(&self) -> OnLine {
        OnLine::Alone
    }

    fn transition(&self, initiator: OnLine, responder: OnLine, is_active: bool) -> (OnLine, OnLine, bool) {
        let mirrored = || Self::ordered(responder, initiator, is_active).map(|(b, a, active)| (a, b, active));
        Self::ordered(initiator, responder, is_active)
            .or_else(mirrored)
            .unwrap_or((initiator, responder, is_active))
    }
}
