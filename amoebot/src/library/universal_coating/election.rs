//! The election on the first layer: its memory, and the rules of consecutive amoebots.

use crate::library::token_election::Vector;

/// The part of an amoebot's memory that the election uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ElectionAgent {
    /// Whether the amoebot is a candidate, and its pending probe if so.
    pub standing: ElectionState,
    /// Whether the amoebot has moved since a probe last laid a vector token at it.
    pub moved: bool,
    /// The vector tokens, in the amoebot's own labels.
    pub vector: Vector,
    /// The probe that the amoebot holds.
    pub probe: Option<LayerProbe>,
}

acrasin_runtime::pack_fields!(ElectionAgent { standing, moved, vector, probe });

/// Whether an amoebot is a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ElectionState {
    /// The amoebot is not a candidate, or is no longer one.
    Bystander,
    /// The amoebot may become the leader.
    Candidate {
        /// The random bit of the candidate's last probe.
        bit: u8,
        /// The probe that has arrived and is not answered yet.
        heard: Option<LayerProbe>,
    },
}

acrasin_runtime::pack_variants!(ElectionState { Bystander, Candidate { bit, heard } });

/// A message from a candidate to the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LayerProbe {
    /// The bit that the candidate drew, 0 or 1.
    pub bit: u8,
    /// The result of the probe's path so far.
    pub finding: ProbeFinding,
}

acrasin_runtime::pack_fields!(LayerProbe { bit, finding });

/// The result of a probe's path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProbeFinding {
    /// No result: the probe lays vector tokens instead of checking.
    Laid,
    /// The probe has met no vector token and no amoebot that has moved.
    Nothing,
    /// The probe has found a vector token at some amoebot.
    Tokens,
    /// An amoebot on the path has moved.
    Movement,
}

acrasin_runtime::pack_variants!(ProbeFinding { Laid, Nothing, Tokens, Movement });

impl ElectionAgent {
    /// The state of an amoebot that enters the first layer later.
    pub(super) const NEW: Self =
        Self { standing: ElectionState::Bystander, moved: true, vector: Vector::ZERO, probe: None };

    /// The state of an amoebot that starts in the first layer.
    pub(super) const fn candidate(bit: u8) -> Self {
        Self { probe: Some(LayerProbe { bit, finding: ProbeFinding::Laid }), ..Self::NEW }.standing(bit, None)
    }

    const fn standing(self, bit: u8, heard: Option<LayerProbe>) -> Self {
        Self { standing: ElectionState::Candidate { bit, heard }, ..self }
    }

    /// The state after the amoebot has moved. A probe that the amoebot holds records the movement, unless the probe
    /// lays vector tokens.
    pub(super) fn displaced(self) -> Self {
        let seen = |probe: LayerProbe| match probe.finding {
            ProbeFinding::Laid => probe,
            _ => LayerProbe { finding: ProbeFinding::Movement, ..probe },
        };
        Self { moved: true, probe: self.probe.map(seen), ..self }
    }

    /// Whether this candidate has received a probe that found nothing. That probe is then its own: it is the only
    /// candidate, and the layer is full.
    pub(super) fn is_alone(self) -> bool {
        matches!(
            self.standing,
            ElectionState::Candidate { heard: Some(LayerProbe { finding: ProbeFinding::Nothing, .. }), .. }
        )
    }

    /// The states of this agent and the next one after vector tokens have moved on; `None` if no token can move. Label
    /// 1 + `shift` of this agent is label 1 of the next agent.
    pub(super) fn carry(self, next: Self, shift: u8) -> Option<(Self, Self)> {
        let is_free = next.standing == ElectionState::Bystander && next.probe.is_none();
        if !is_free || self.moved || next.moved {
            return None;
        }
        let (own, theirs) = self.vector.carried(next.vector, shift)?;
        Some((Self { vector: own, ..self }, Self { vector: theirs, ..next }))
    }

    /// The states of this agent and the next one after the probe has moved on; `None` if the probe cannot move. A
    /// candidate accepts a probe only if it has answered the previous one. `label` is the label of the direction to the
    /// next agent.
    pub(super) fn pass(self, next: Self, label: u8) -> Option<(Self, Self)> {
        let (own, probe) = self.left_by_probe(label)?;
        match next.standing {
            ElectionState::Bystander if next.probe.is_none() => {
                Some((own, Self { probe: Some(probe), ..next }))
            }
            ElectionState::Candidate { bit, heard: None } => Some((own, next.standing(bit, Some(probe)))),
            _ => None,
        }
    }

    fn left_by_probe(self, label: u8) -> Option<(Self, LayerProbe)> {
        let LayerProbe { bit, finding } = self.probe?;
        let left = Self { probe: None, ..self };
        Some(match finding {
            ProbeFinding::Laid => {
                (Self { moved: false, vector: Vector::step(label), ..left }, LayerProbe { bit, finding })
            }
            _ => {
                let here = match (self.moved, self.vector == Vector::ZERO) {
                    (true, _) => ProbeFinding::Movement,
                    (false, false) => ProbeFinding::Tokens,
                    (false, true) => ProbeFinding::Nothing,
                };
                (left, LayerProbe { bit, finding: finding.max(here) })
            }
        })
    }

    /// The state of a candidate after it has answered a probe; `None` unless the candidate has received a probe and its
    /// own last probe has left it. The draw does not affect this condition.
    pub(super) fn answer(self, draw: &mut dyn FnMut() -> u8) -> Option<Self> {
        let ElectionState::Candidate { bit, heard: Some(heard) } = self.standing else { return None };
        if self.probe.is_some() {
            return None;
        }
        if heard.bit > bit {
            return Some(Self { standing: ElectionState::Bystander, ..self });
        }
        let bit = draw();
        let finding =
            if heard.finding == ProbeFinding::Movement { ProbeFinding::Laid } else { ProbeFinding::Nothing };
        Some(Self { probe: Some(LayerProbe { bit, finding }), ..self }.standing(bit, None))
    }
}
