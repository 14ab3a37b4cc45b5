//! The rules: what an agent and the one before it do together.

use std::cmp::Ordering;

use super::agent::{Agent, Comparison, Intake, Probe, Role, Standing, Vector};
use super::{Action, BASE};
use crate::library::boundary::modulo_5;

/// An agent, the one before it, and what their amoebots know of their place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The agent before.
    pub(super) before: Agent,
    /// The agent that acts.
    pub(super) own: Agent,
    /// The label of the way from the acting agent to the next.
    pub(super) label: u8,
    /// What the amoebot before calls label 1 + `shift`, this one calls label 1.
    pub(super) shift: u8,
    /// By how many sixths of a circle the way turns at the acting agent.
    pub(super) turn: i8,
    /// Which of the agents of its amoebot the acting agent is, 1 to 3.
    pub(super) number: u8,
}

/// A number below the bound.
pub(super) type Draw<'a> = &'a mut dyn FnMut(u32) -> u8;

impl Link {
    /// The agent before (b) and the acting agent (a) after an action; `None` if its guard does not hold. What is drawn does
    /// not matter for the guard.
    pub(super) fn after(&self, action: Action, draw: Draw<'_>) -> Option<(Agent, Agent)> {
        let Self { before: mut b, own: mut a, .. } = *self;
        match action {
            // That is for an amoebot without neighbours, and no agent is before it.
            Action::Lead => return None,
            Action::Flip => {
                let again = a.role == Role::Waiting && b.role == Role::Waiting;
                if a.role != Role::Unflipped && !again {
                    return None;
                }
                if draw(2) == 1 {
                    a.enter(Role::Candidate(Standing::Comparing), draw(BASE), Vector::step(self.label));
                } else {
                    a.role = Role::Waiting;
                }
            }
            Action::Join => {
                if a.role != Role::Waiting || !b.has_segment() {
                    return None;
                }
                a.enter(Role::Member, draw(BASE), Vector::step(self.label));
            }
            Action::Emit => {
                let digit = b.own?;
                match a.role {
                    Role::Member if a.own.is_none() => a.own = Some(digit),
                    Role::Candidate(_) if a.has_room() => a.take_in(digit),
                    _ => return None,
                }
                b.own = None;
                b.has_sent = digit.is_last;
            }
            Action::Advance => {
                let digit = b.guest?;
                let is_open = a.role == Role::Member || b.is_passive && b.has_sent;
                if !is_open || !a.has_room() {
                    return None;
                }
                a.take_in(digit);
                b.guest = None;
            }
            Action::Align => {
                let at_end = matches!(a.role, Role::Candidate(_)) && b.has_segment();
                let is_new = !b.is_passive && !b.is_comparing && b.comparison.is_none();
                if !at_end || !is_new || b.guest.is_none() {
                    return None;
                }
                b.is_comparing = true;
                b.comparison = Some(Comparison::Back(Ordering::Equal));
            }
            Action::Compare => {
                if a.role != Role::Member || b.comparison.is_some() {
                    return None;
                }
                b.comparison = match a.comparison? {
                    Comparison::Shorter => Some(Comparison::Shorter),
                    Comparison::Back(_) if a.guest?.is_last => Some(Comparison::Shorter),
                    Comparison::Back(behind) if b.guest.is_some() => {
                        Some(Comparison::Back(a.guest?.value.cmp(&a.digit).then(behind)))
                    }
                    _ => return None,
                };
                a.comparison = None;
            }
            Action::Judge => {
                let Role::Candidate(standing) = a.role else { return None };
                let guest_is = match a.comparison? {
                    Comparison::Shorter => Ordering::Less,
                    Comparison::Back(_) if !a.guest?.is_last => Ordering::Greater,
                    Comparison::Back(behind) => a.guest?.value.cmp(&a.digit).then(behind),
                    _ => return None,
                };
                if guest_is == Ordering::Greater {
                    a.revoke();
                    return Some((b, a));
                }
                a.comparison = Some(Comparison::Discard);
                (a.guest, a.intake) = (None, Intake::Open);
                if guest_is == Ordering::Equal && standing == Standing::Comparing {
                    self.send_probe(&mut a, draw);
                }
            }
            Action::Sweep => {
                let order = b.comparison?;
                match (order, a.role) {
                    (Comparison::Discard, Role::Member) if a.comparison.is_none() => {
                        (a.guest, a.comparison) = (None, Some(order));
                    }
                    (Comparison::Release, Role::Member) if a.comparison.is_none() => {
                        (a.is_passive, a.comparison) = (true, Some(order));
                    }
                    (Comparison::Discard | Comparison::Release, Role::Candidate(_)) => b.is_comparing = false,
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
                a.probe = Some(Probe { is_clear, turns, ..probe });
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
                a.role = Role::Candidate(match a.role {
                    Role::Candidate(Standing::Tied { heard: Some(_), .. }) => return None,
                    Role::Candidate(Standing::Tied { .. }) if is_itself && probe.turns == 1 => {
                        Standing::Leader
                    }
                    Role::Candidate(Standing::Tied { .. }) if is_itself => Standing::Inner,
                    Role::Candidate(Standing::Tied { bit, .. }) => {
                        Standing::Tied { bit, heard: Some(probe.bit) }
                    }
                    _ => Standing::Comparing,
                });
            }
            Action::Answer => {
                let Role::Candidate(Standing::Tied { bit, heard: Some(other) }) = a.role else { return None };
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

    /// The next question of a candidate.
    pub(super) fn send_probe(&self, a: &mut Agent, draw: Draw<'_>) {
        let bit = draw(2);
        a.role = Role::Candidate(Standing::Tied { bit, heard: None });
        a.probe = Some(Probe { bit, agent: self.number, is_clear: true, turns: modulo_5(self.turn) });
    }
}
