//! The rules of an agent and its predecessor.

use std::cmp::Ordering;

use super::agent::{AgentRole, CandidateState, ComparisonToken, Intake, SolitudeProbe, TokenAgent, Vector};
use super::{Action, BASE};
use crate::library::boundary::modulo_5;

/// An agent, its predecessor, and the relation of their amoebots.
#[derive(Clone, Copy, Debug)]
pub(super) struct AgentLink {
    /// The predecessor of the acting agent on the boundary.
    pub(super) before: TokenAgent,
    /// The acting agent, which follows `before` on the boundary.
    pub(super) own: TokenAgent,
    /// The label of the direction from the acting agent to the next agent.
    pub(super) label: u8,
    /// The shift of labels: label 1 + `shift` of the predecessor's amoebot is label 1 of this one.
    pub(super) shift: u8,
    /// The turn of the boundary at the acting agent, in sixths of a circle.
    pub(super) turn: i8,
    /// The number of the acting agent among those of its amoebot, 1 to 3.
    pub(super) number: u8,
}

/// Draws a number below the bound.
pub(super) type DrawBelow<'a> = &'a mut dyn FnMut(u32) -> u8;

impl AgentLink {
    /// The states of the predecessor (b) and the acting agent (a) after an action; `None` if the guard of the action
    /// does not hold. The draws do not affect the guard.
    pub(super) fn after(&self, action: Action, draw: DrawBelow<'_>) -> Option<(TokenAgent, TokenAgent)> {
        let Self { before: mut b, own: mut a, .. } = *self;
        match action {
            // Only for an amoebot without neighbours, whose agent has no predecessor.
            Action::Lead => return None,
            Action::Flip => {
                let again = a.role == AgentRole::Waiting && b.role == AgentRole::Waiting;
                if a.role != AgentRole::Unflipped && !again {
                    return None;
                }
                if draw(2) == 1 {
                    a.enter(
                        AgentRole::Candidate(CandidateState::Comparing),
                        draw(BASE),
                        Vector::step(self.label),
                    );
                } else {
                    a.role = AgentRole::Waiting;
                }
            }
            Action::Join => {
                if a.role != AgentRole::Waiting || !b.has_segment() {
                    return None;
                }
                a.enter(AgentRole::Member, draw(BASE), Vector::step(self.label));
            }
            Action::Emit => {
                let digit = b.own?;
                match a.role {
                    AgentRole::Member if a.own.is_none() => a.own = Some(digit),
                    AgentRole::Candidate(_) if a.has_room() => a.take_in(digit),
                    _ => return None,
                }
                b.own = None;
                b.has_sent = digit.is_last;
            }
            Action::Advance => {
                let digit = b.guest?;
                let is_open = a.role == AgentRole::Member || b.is_passive && b.has_sent;
                if !is_open || !a.has_room() {
                    return None;
                }
                a.take_in(digit);
                b.guest = None;
            }
            Action::Align => {
                let at_end = matches!(a.role, AgentRole::Candidate(_)) && b.has_segment();
                let is_new = !b.is_passive && !b.is_comparing && b.comparison.is_none();
                if !at_end || !is_new || b.guest.is_none() {
                    return None;
                }
                b.is_comparing = true;
                b.comparison = Some(ComparisonToken::Back(Ordering::Equal));
            }
            Action::Compare => {
                if a.role != AgentRole::Member || b.comparison.is_some() {
                    return None;
                }
                b.comparison = match a.comparison? {
                    ComparisonToken::Shorter => Some(ComparisonToken::Shorter),
                    ComparisonToken::Back(_) if a.guest?.is_last => Some(ComparisonToken::Shorter),
                    ComparisonToken::Back(behind) if b.guest.is_some() => {
                        Some(ComparisonToken::Back(a.guest?.value.cmp(&a.digit).then(behind)))
                    }
                    _ => return None,
                };
                a.comparison = None;
            }
            Action::Judge => {
                let AgentRole::Candidate(standing) = a.role else { return None };
                let guest_is = match a.comparison? {
                    ComparisonToken::Shorter => Ordering::Less,
                    ComparisonToken::Back(_) if !a.guest?.is_last => Ordering::Greater,
                    ComparisonToken::Back(behind) => a.guest?.value.cmp(&a.digit).then(behind),
                    _ => return None,
                };
                if guest_is == Ordering::Greater {
                    a.revoke();
                    return Some((b, a));
                }
                a.comparison = Some(ComparisonToken::Discard);
                (a.guest, a.intake) = (None, Intake::Open);
                if guest_is == Ordering::Equal && standing == CandidateState::Comparing {
                    self.send_probe(&mut a, draw);
                }
            }
            Action::Sweep => {
                let order = b.comparison?;
                match (order, a.role) {
                    (ComparisonToken::Discard, AgentRole::Member) if a.comparison.is_none() => {
                        (a.guest, a.comparison) = (None, Some(order));
                    }
                    (ComparisonToken::Release, AgentRole::Member) if a.comparison.is_none() => {
                        (a.is_passive, a.comparison) = (true, Some(order));
                    }
                    (ComparisonToken::Discard | ComparisonToken::Release, AgentRole::Candidate(_)) => {
                        b.is_comparing = false;
                    }
                    _ => return None,
                }
                b.comparison = None;
            }
            Action::Cancel => {
                if !a.is_passage() || a.probe.is_some() {
                    return None;
                }
                (b.vector, a.vector) = b.vector.carried(a.vector, self.shift)?;
            }
            Action::Probe => {
                let probe = b.probe?;
                let is_free = a.probe.is_none() && a.own.is_none() && a.guest.is_none();
                let must_wait = b.own.is_some() || b.vector.carried(a.vector, self.shift).is_some();
                if !a.is_passage() || !is_free || must_wait {
                    return None;
                }
                let is_clear = probe.is_clear && b.vector == Vector::ZERO;
                let turns = modulo_5(probe.turns.cast_signed() + self.turn);
                a.probe = Some(SolitudeProbe { is_clear, turns, ..probe });
                b.probe = None;
            }
            Action::Verify => {
                let probe = b.probe?;
                let is_free = a.intake == Intake::Open && a.comparison.is_none();
                if !a.is_contending() || !is_free || b.own.is_some() {
                    return None;
                }
                let is_itself = probe.is_clear && b.vector == Vector::ZERO && probe.agent == self.number;
                b.probe = None;
                a.role = AgentRole::Candidate(match a.role {
                    AgentRole::Candidate(CandidateState::Tied { heard: Some(_), .. }) => return None,
                    AgentRole::Candidate(CandidateState::Tied { .. }) if is_itself && probe.turns == 1 => {
                        CandidateState::Leader
                    }
                    AgentRole::Candidate(CandidateState::Tied { .. }) if is_itself => CandidateState::Inner,
                    AgentRole::Candidate(CandidateState::Tied { bit, .. }) => {
                        CandidateState::Tied { bit, heard: Some(probe.bit) }
                    }
                    _ => CandidateState::Comparing,
                });
            }
            Action::Answer => {
                let AgentRole::Candidate(CandidateState::Tied { bit, heard: Some(other) }) = a.role else {
                    return None;
                };
                if a.probe.is_some() || a.comparison.is_some() {
                    return None;
                }
                if other > bit {
                    a.revoke();
                } else {
                    self.send_probe(&mut a, draw);
                }
            }
        }
        Some((b, a))
    }

    /// Sends the next probe of a candidate.
    pub(super) fn send_probe(&self, a: &mut TokenAgent, draw: DrawBelow<'_>) {
        let bit = draw(2);
        a.role = AgentRole::Candidate(CandidateState::Tied { bit, heard: None });
        a.probe = Some(SolitudeProbe { bit, agent: self.number, is_clear: true, turns: modulo_5(self.turn) });
    }
}
