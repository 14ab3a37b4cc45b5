//! The memory of an agent: its digit of an identifier, and its tokens.

use std::cmp::Ordering;

/// One agent. Its memory does not grow with the system. It holds at most three vector tokens, and at most one token of
/// each other kind: own digit, guest, comparison, probe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenAgent {
    /// The role of the agent in its segment.
    pub role: AgentRole,
    /// The agent's digit of its segment's identifier, 0 to [`BASE`](super::BASE) - 1; 0 before it has a segment.
    pub digit: u8,
    /// Whether the agent knows that the candidate of its segment is beaten, so that greater identifiers may pass.
    pub is_passive: bool,
    /// An outgoing token of the identifier of the agent's own segment.
    pub own: Option<Digit>,
    /// Whether the last token of the own segment's identifier has left this agent.
    pub has_sent: bool,
    /// A token of another segment's identifier, which passes through.
    pub guest: Option<Digit>,
    /// For a candidate, how much of an identifier has arrived.
    pub intake: Intake,
    /// For the last agent of a segment, whether its guests are being compared.
    pub is_comparing: bool,
    /// The token that compares guests with the digits of a segment, or carries the result.
    pub comparison: Option<ComparisonToken>,
    /// The vector tokens at the agent.
    pub vector: Vector,
    /// The token with which a candidate tests whether it is alone.
    pub probe: Option<SolitudeProbe>,
}

acrasin_runtime::pack_fields!(TokenAgent {
    role,
    digit,
    is_passive,
    own,
    has_sent,
    guest,
    intake,
    is_comparing,
    comparison,
    vector,
    probe,
});

/// The role of an agent in its segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AgentRole {
    /// The agent has not flipped its coin yet.
    Unflipped,
    /// The coin decided against candidacy, and the preceding agent has no segment yet.
    Waiting,
    /// The agent belongs to the segment of the preceding agent.
    Member,
    /// The coin decided for candidacy: the agent is the first of its segment.
    Candidate(CandidateState),
}

acrasin_runtime::pack_variants!(AgentRole { Unflipped, Waiting, Member, Candidate(state) });

/// The state of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CandidateState {
    /// The candidate compares identifiers: none as great as its own has arrived yet.
    Comparing,
    /// An identifier equal to the candidate's has arrived, possibly its own. A probe tests whether the candidate is
    /// alone.
    Tied {
        /// The random bit of the candidate's probe.
        bit: u8,
        /// The bit that has arrived with the probe of another candidate; `None` before a probe arrives.
        heard: Option<u8>,
    },
    /// The agent is no longer a candidate.
    Revoked,
    /// The agent is the last candidate of the outer boundary: the leader.
    Leader,
    /// The agent is the last candidate on the boundary of a hole.
    Inner,
}

acrasin_runtime::pack_variants!(CandidateState { Comparing, Tied { bit, heard }, Revoked, Leader, Inner });

/// A moving token of an identifier. The last token is the candidate's own digit, and serves as the delimiter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Digit {
    /// The digit, 0 to [`BASE`](super::BASE) - 1.
    pub value: u8,
    /// Whether the identifier ends with this digit.
    pub is_last: bool,
}

acrasin_runtime::pack_fields!(Digit { value, is_last });

/// The part of an identifier that has arrived at a candidate for comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Intake {
    /// No token of the identifier has arrived.
    Open,
    /// A part of the identifier has arrived.
    Receiving,
    /// The whole identifier has arrived. No other identifier may arrive before the result of the comparison.
    Full,
}

acrasin_runtime::pack_variants!(Intake { Open, Receiving, Full });

/// A comparison token in a segment: it moves back to the candidate, then forward again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ComparisonToken {
    /// Moving back, with the result of comparing guests and digits so far.
    Back(Ordering),
    /// Moving back; there are fewer guests than digits.
    Shorter,
    /// Moving forward; removes the guests.
    Discard,
    /// Moving forward; lets the guests pass.
    Release,
}

acrasin_runtime::pack_variants!(ComparisonToken { Back(order), Shorter, Discard, Release });

/// The token with which a candidate tests whether it is alone. It also carries the data for the boundary test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SolitudeProbe {
    /// The bit that the candidate drew to break ties: 0 or 1.
    pub bit: u8,
    /// The number of the candidate among the agents of its amoebot, 1 to 3.
    pub agent: u8,
    /// Whether no agent that the probe has passed had a vector token left.
    pub is_clear: bool,
    /// The turns of the boundary since the candidate, in sixths of a circle, modulo 5.
    pub turns: u8,
}

acrasin_runtime::pack_fields!(SolitudeProbe { bit, agent, is_clear, turns });

/// Vector tokens: at most one along each of the three lattice axes, +1 or -1, in the agent's own labels. Axis i
/// is the direction of label i + 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Vector(pub [i8; 3]);

acrasin_runtime::pack_fields!(Vector { 0 });

impl Vector {
    /// No token along any axis.
    pub const ZERO: Self = Self([0; 3]);

    /// A single step in the direction of a label, 1 to 6.
    pub(crate) fn step(label: u8) -> Self {
        let mut vector = Self::ZERO;
        let (axis, sign) = axis(label - 1);
        vector.0[axis] = sign;
        vector
    }

    /// Moves tokens to the next agent, whose vector is `next`, and returns both vectors afterwards; `None` if no token
    /// can move. A token can move if the next agent has no token along its axis or the opposite token; two opposite
    /// tokens cancel. Label 1 + `shift` of this agent is label 1 of the next agent.
    pub(crate) fn carried(self, next: Self, shift: u8) -> Option<(Self, Self)> {
        let (mut stays, mut next) = (self, next);
        for (from, sign) in self.0.into_iter().enumerate().filter(|(_, sign)| *sign != 0) {
            let index = from as u8 + if sign > 0 { 0 } else { 3 };
            let (to, sign) = axis((index + 6 - shift) % 6);
            if next.0[to] != sign {
                next.0[to] += sign;
                stays.0[from] = 0;
            }
        }
        // The step between two directions is their sum, so three such tokens cancel as well.
        if matches!(next.0, [1, -1, 1] | [-1, 1, -1]) {
            next = Self::ZERO;
        }
        (stays != self).then_some((stays, next))
    }
}

/// The axis, 0 to 2, and the sign of a direction, 0 to 5.
const fn axis(index: u8) -> (usize, i8) {
    if index < 3 { (index as usize, 1) } else { (index as usize - 3, -1) }
}

impl TokenAgent {
    /// The agent at the start.
    pub(super) const NEW: Self = Self {
        role: AgentRole::Unflipped,
        digit: 0,
        is_passive: false,
        own: None,
        has_sent: false,
        guest: None,
        intake: Intake::Open,
        is_comparing: false,
        comparison: None,
        vector: Vector::ZERO,
        probe: None,
    };

    /// Whether the agent belongs to a segment.
    #[must_use]
    pub const fn has_segment(self) -> bool {
        matches!(self.role, AgentRole::Member | AgentRole::Candidate(_))
    }

    /// Whether the agent is a candidate that may still become the last one.
    #[must_use]
    pub const fn is_contending(self) -> bool {
        matches!(self.role, AgentRole::Candidate(CandidateState::Comparing | CandidateState::Tied { .. }))
    }

    /// Whether tokens of the preceding segment may enter, because the agent is not a candidate, or is no longer one.
    pub(super) const fn is_passage(self) -> bool {
        matches!(self.role, AgentRole::Member | AgentRole::Candidate(CandidateState::Revoked))
    }

    /// Joins a segment, with a digit and the tokens that start there.
    pub(super) fn enter(&mut self, role: AgentRole, digit: u8, vector: Vector) {
        self.role = role;
        self.digit = digit;
        self.own = Some(Digit { value: digit, is_last: role != AgentRole::Member });
        self.vector = vector;
    }

    /// Whether the agent has room for a token of another identifier.
    pub(super) fn has_room(self) -> bool {
        self.has_segment()
            && self.guest.is_none()
            && self.comparison.is_none()
            && (self.is_passage() || self.intake != Intake::Full)
    }

    /// Accepts a token of another identifier. A probe at this agent is removed, because it belongs to a candidate that
    /// this identifier has beaten.
    pub(super) fn take_in(&mut self, digit: Digit) {
        self.guest = Some(digit);
        self.probe = None;
        if !self.is_passage() {
            self.intake = if digit.is_last { Intake::Full } else { Intake::Receiving };
        }
    }

    /// Revokes a beaten candidate, so that greater identifiers may pass.
    pub(super) fn revoke(&mut self) {
        self.role = AgentRole::Candidate(CandidateState::Revoked);
        self.is_passive = true;
        self.comparison = Some(ComparisonToken::Release);
    }
}
