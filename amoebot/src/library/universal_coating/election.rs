//! The election on the first layer: what its amoebots remember for it, and what one and the next one do together.

use crate::library::token_election::Vector;

/// The part of the memory that the election takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Agent {
    /// Whether it is a candidate.
    pub standing: Standing,
    /// Whether it has moved since a probe has laid a vector token here.
    pub moved: bool,
    /// The vector tokens, in its own labels.
    pub vector: Vector,
    /// The probe that is here.
    pub probe: Option<Probe>,
}

/// Whether an amoebot is a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// Not, or not any more.
    Bystander,
    /// May become the leader.
    Candidate {
        /// What it drew for its last probe.
        bit: u8,
        /// The probe that has come in its turn.
        heard: Option<Probe>,
    },
}

/// What a candidate sends to the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Probe {
    /// What the candidate drew, 0 or 1.
    pub bit: u8,
    /// What it found on its way so far.
    pub finding: Finding,
}

/// What a probe found on its way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Finding {
    /// It lays vector tokens, and looks at nothing.
    Laid,
    /// No vector token was left.
    Nothing,
    /// A vector token was left.
    Tokens,
    /// An amoebot has moved.
    Movement,
}

impl Agent {
    /// Who enters the first layer later than others.
    pub(super) const NEW: Self =
        Self { standing: Standing::Bystander, moved: true, vector: Vector::ZERO, probe: None };

    /// Who stands there from the start.
    pub(super) const fn candidate(bit: u8) -> Self {
        Self { probe: Some(Probe { bit, finding: Finding::Laid }), ..Self::NEW }.standing(bit, None)
    }

    const fn standing(self, bit: u8, heard: Option<Probe>) -> Self {
        Self { standing: Standing::Candidate { bit, heard }, ..self }
    }

    /// After a movement. A probe that looks has seen it.
    pub(super) fn displaced(self) -> Self {
        let seen = |probe: Probe| match probe.finding {
            Finding::Laid => probe,
            _ => Probe { finding: Finding::Movement, ..probe },
        };
        Self { moved: true, probe: self.probe.map(seen), ..self }
    }

    /// Whether it has heard from itself: there is no other candidate, and the layer is full.
    pub(super) fn is_alone(self) -> bool {
        matches!(
            self.standing,
            Standing::Candidate { heard: Some(Probe { finding: Finding::Nothing, .. }), .. }
        )
    }

    /// The agent and the next one after vector tokens have gone on; `None` if none can. What the agent calls label
    /// 1 + `shift`, the next one calls label 1.
    pub(super) fn carry(self, next: Self, shift: u8) -> Option<(Self, Self)> {
        let is_free = next.standing == Standing::Bystander && next.probe.is_none();
        if !is_free || self.moved || next.moved {
            return None;
        }
        let (own, theirs) = self.vector.carried(next.vector, shift)?;
        Some((Self { vector: own, ..self }, Self { vector: theirs, ..next }))
    }

    /// The agent and the next one after the probe has gone on, to a candidate only if it has answered the last one. The
    /// label is that of the way to the next one.
    pub(super) fn pass(self, next: Self, label: u8) -> Option<(Self, Self)> {
        let (own, probe) = self.left_by_probe(label)?;
        match next.standing {
            Standing::Bystander if next.probe.is_none() => Some((own, Self { probe: Some(probe), ..next })),
            Standing::Candidate { bit, heard: None } => Some((own, next.standing(bit, Some(probe)))),
            _ => None,
        }
    }

    fn left_by_probe(self, label: u8) -> Option<(Self, Probe)> {
        let Probe { bit, finding } = self.probe?;
        let left = Self { probe: None, ..self };
        Some(match finding {
            Finding::Laid => {
                (Self { moved: false, vector: Vector::step(label), ..left }, Probe { bit, finding })
            }
            _ => {
                let here = match (self.moved, self.vector == Vector::ZERO) {
                    (true, _) => Finding::Movement,
                    (false, false) => Finding::Tokens,
                    (false, true) => Finding::Nothing,
                };
                (left, Probe { bit, finding: finding.max(here) })
            }
        })
    }

    /// The answer of a candidate that has heard a probe and sent its own; `None` if there is nothing to answer. What is
    /// drawn does not matter for that.
    pub(super) fn answer(self, draw: &mut dyn FnMut() -> u8) -> Option<Self> {
        let Standing::Candidate { bit, heard: Some(heard) } = self.standing else { return None };
        if self.probe.is_some() {
            return None;
        }
        if heard.bit > bit {
            return Some(Self { standing: Standing::Bystander, ..self });
        }
        let bit = draw();
        let finding = if heard.finding == Finding::Movement { Finding::Laid } else { Finding::Nothing };
        Some(Self { probe: Some(Probe { bit, finding }), ..self }.standing(bit, None))
    }
}
