//! What an agent remembers: its place in an identifier, and the tokens that it holds.

use std::cmp::Ordering;

/// One agent. Its memory does not grow with the system: it holds at most three vector tokens, and at most one token
/// of each other kind: own digit, guest, comparison, probe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Agent {
    /// What it is in its segment.
    pub role: Role,
    /// Its digit of the identifier of its segment, 0 to [`BASE`](super::BASE) - 1; 0 before it has a segment.
    pub digit: u8,
    /// Whether the candidate of its segment is known to be beaten: greater identifiers pass.
    pub is_passive: bool,
    /// The token of its segment's identifier that is on the way out.
    pub own: Option<Digit>,
    /// Whether the last token of its segment's identifier has gone by.
    pub has_sent: bool,
    /// The token of another segment's identifier.
    pub guest: Option<Digit>,
    /// At a candidate: how much of an identifier has come.
    pub intake: Intake,
    /// At the end of a segment: whether the guests there are being compared.
    pub is_comparing: bool,
    /// The token that compares guests with the digits of a segment, or tells what is to be done with them.
    pub comparison: Option<Comparison>,
    /// The vector tokens.
    pub vector: Vector,
    /// The token of solitude verification.
    pub probe: Option<Probe>,
}

/// What an agent is in its segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Has not flipped its coin.
    Unflipped,
    /// The coin said no, and the agent before it has no segment yet.
    Waiting,
    /// Belongs to the segment of the agent before it.
    Member,
    /// The coin said yes: the first of its segment.
    Candidate(Standing),
}

/// How a candidate stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// No identifier as great as its own has come yet.
    Comparing,
    /// An equal identifier has come, maybe its own: it asks with its probe whether it is alone.
    Tied {
        /// What it drew for its probe.
        bit: u8,
        /// The bit of the probe that has come in its turn.
        heard: Option<u8>,
    },
    /// Not a candidate any more.
    Revoked,
    /// The last candidate of the outer boundary: the leader.
    Leader,
    /// The last candidate round a hole.
    Inner,
}

/// A token of an identifier on its way. The last one is the candidate's own, and stands for the delimiter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Digit {
    /// 0 to [`BASE`](super::BASE) - 1.
    pub value: u8,
    /// Whether the identifier ends with it.
    pub is_last: bool,
}

/// How much of an identifier that is to be compared has come to a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Intake {
    /// Nothing.
    Open,
    /// Some of it.
    Receiving,
    /// All of it: no other may come before the verdict.
    Full,
}

/// A token of the comparison in a segment: back to the candidate, then forward from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    /// On the way back. How the guests behind compare with the digits there.
    Back(Ordering),
    /// On the way back. The guests are fewer than the digits.
    Shorter,
    /// On the way forward, taking the guests away.
    Discard,
    /// On the way forward, letting the guests pass.
    Release,
}

/// The token of solitude verification. It also carries what is done with the answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Probe {
    /// What the candidate drew, against ties: 0 or 1.
    pub bit: u8,
    /// Which of the agents of its amoebot the candidate is, 1 to 3.
    pub agent: u8,
    /// Whether all agents behind it had no vector token left.
    pub is_clear: bool,
    /// By how many sixths of a circle the way turned, from the candidate on, modulo 5.
    pub turns: u8,
}

/// Vector tokens: at most one along each of the three axes of the lattice, +1 or -1, in the agent's own labels. Axis i is
/// the direction of label i + 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Vector(pub [i8; 3]);

impl Vector {
    /// No token.
    pub const ZERO: Self = Self([0; 3]);

    /// One step in the direction of a label, 1 to 6.
    pub(crate) fn step(label: u8) -> Self {
        let mut vector = Self::ZERO;
        let (axis, sign) = axis(label - 1);
        vector.0[axis] = sign;
        vector
    }

    /// The tokens that can go on to the next agent, whose vector is `next`, and what both have then. A token can go on
    /// where there is none along its axis, or its opposite, and those two cancel. What the one before calls label
    /// 1 + `shift`, the next one calls label 1. `None` if none can go on.
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
        // The step between two directions is their sum: three such tokens cancel as well.
        if matches!(next.0, [1, -1, 1] | [-1, 1, -1]) {
            next = Self::ZERO;
        }
        (stays != self).then_some((stays, next))
    }
}

/// The axis of a direction, 0 to 5, and which way.
const fn axis(index: u8) -> (usize, i8) {
    if index < 3 { (index as usize, 1) } else { (index as usize - 3, -1) }
}

impl Agent {
    /// At the start.
    pub(super) const NEW: Self = Self {
        role: Role::Unflipped,
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

    /// Whether it belongs to a segment.
    #[must_use]
    pub const fn has_segment(self) -> bool {
        matches!(self.role, Role::Member | Role::Candidate(_))
    }

    /// Whether it is a candidate that may still become the last one.
    #[must_use]
    pub const fn is_contending(self) -> bool {
        matches!(self.role, Role::Candidate(Standing::Comparing | Standing::Tied { .. }))
    }

    /// Whether tokens that belong to the segment before it may come in: it is no candidate, or not any more.
    pub(super) const fn is_passage(self) -> bool {
        matches!(self.role, Role::Member | Role::Candidate(Standing::Revoked))
    }

    /// Becomes part of a segment, with a digit and the tokens that start there.
    pub(super) fn enter(&mut self, role: Role, digit: u8, vector: Vector) {
        self.role = role;
        self.digit = digit;
        self.own = Some(Digit { value: digit, is_last: role != Role::Member });
        self.vector = vector;
    }

    /// Whether a token of another identifier can come in here.
    pub(super) fn has_room(self) -> bool {
        self.has_segment()
            && self.guest.is_none()
            && self.comparison.is_none()
            && (self.is_passage() || self.intake != Intake::Full)
    }

    /// A token of another identifier comes in. A probe that it reaches is of a candidate that the identifier has beaten.
    pub(super) fn take_in(&mut self, digit: Digit) {
        self.guest = Some(digit);
        self.probe = None;
        if !self.is_passage() {
            self.intake = if digit.is_last { Intake::Full } else { Intake::Receiving };
        }
    }

    /// A beaten candidate: greater identifiers pass.
    pub(super) fn revoke(&mut self) {
        self.role = Role::Candidate(Standing::Revoked);
        self.is_passive = true;
        self.comparison = Some(Comparison::Release);
    }
}
