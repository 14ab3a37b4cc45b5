//! Vessels as processes whose steps are reactions.

use std::borrow::Cow;
use std::hash::Hasher as _;

use acrasin_process::{
    Advance, Condition, Ending, Measure, Process, Progress, Quiescence, RestoreError, RunBound,
};
use acrasin_runtime::Digest;

use super::{Expression, Gillespie, GraphVessel, RunEnd, StopReason, VesselFault};
use crate::predicate::quoted;

/// The number of candidate reactions between two checks of the clock. Candidates are counted because they may all be
/// rejected.
const STEPS_A_CALL: u64 = 1 << 12;

fn until<'a>(bound: &RunBound, condition: Option<&'a dyn Condition>) -> RunEnd<'a> {
    RunEnd { time: bound.time, reactions: bound.steps, condition }
}

fn advance(halt: Option<StopReason>) -> Advance {
    match halt {
        Some(StopReason::Holds) => Advance::Held,
        Some(StopReason::Crowded | StopReason::Fault) => Advance::Violated,
        Some(StopReason::Time | StopReason::Reactions | StopReason::Silent) | None => Advance::Advanced,
    }
}

/// The outcome of a run that cannot continue, with the fault in words.
fn invalid<'a>(
    fault: VesselFault,
    rate: impl Fn(usize) -> Option<&'a Expression>,
    species: &[String],
) -> Ending {
    let text = |reaction| rate(reaction).map_or_else(String::new, |expression| quoted(expression.text()));
    Ending::Invalid(match fault {
        VesselFault::Rate { reaction, value } => {
            format!("the rate {} is {value} (accepted: 0 to 10^300)", text(reaction))
        }
        VesselFault::Unbounded { reaction } => {
            let rate = text(reaction);
            format!(
                "the rate {rate} grows beyond all bounds (accepted: one that is bounded over short times)"
            )
        }
        VesselFault::Event { event, species: number } => {
            let species = quoted(&species[usize::from(number)]);
            format!(
                "event {} would leave less than 0 or more than 2^53 of {species} (accepted: `set`)",
                event + 1
            )
        }
        VesselFault::Unbalanced { event, by } => {
            let (verb, by) = if by > 0 { ("add", by) } else { ("take away", -by) };
            format!(
                "event {} would {verb} {by} nodes (accepted: changes that add up to 0, or rest: with the state that gives or takes the \
                 difference)",
                event + 1
            )
        }
    })
}

impl Process for Gillespie {
    fn progress(&self) -> Progress {
        Progress { steps: self.reactions(), time: Some(self.time()), ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Reactions
    }

    fn stride(&self) -> u64 {
        STEPS_A_CALL
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        advance(self.run_for(&until(bound, condition), STEPS_A_CALL))
    }

    fn obstacle(&self) -> Ending {
        let Some(fault) = self.fault() else { return Ending::Crowded };
        let rate = |reaction: usize| self.network().reactions()[reaction].rate.expression();
        invalid(fault, rate, self.network().species())
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.is_silent())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.saved())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        Ok(self.continue_from(checkpoint)?)
    }

    fn digest(&self) -> u128 {
        Digest::written(|hasher| {
            self.counts().iter().for_each(|&count| hasher.write_u64(count));
            hasher.write_u64(self.time().to_bits());
        })
        .0
    }
}

impl Process for GraphVessel {
    fn progress(&self) -> Progress {
        Progress { steps: self.reactions(), time: Some(self.time()), ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(self.counts())
    }

    fn unit(&self) -> Measure {
        Measure::Reactions
    }

    fn stride(&self) -> u64 {
        STEPS_A_CALL
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        advance(self.run_for(&until(bound, condition), STEPS_A_CALL))
    }

    fn obstacle(&self) -> Ending {
        let Some(fault) = self.fault() else { return Ending::Quiescent(Quiescence::NoReaction) };
        invalid(fault, |reaction| self.rules().varying_rate(reaction), self.rules().species())
    }

    fn is_silent(&self) -> Option<bool> {
        Some(self.is_silent())
    }

    fn numbered(&self) -> u64 {
        self.states().len() as u64
    }

    fn state(&self, agent: u64) -> u16 {
        self.states()[agent as usize]
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.saved())
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        Ok(self.continue_from(checkpoint)?)
    }

    fn digest(&self) -> u128 {
        Digest::written(|hasher| {
            self.counts().iter().for_each(|&count| hasher.write_u64(count));
            hasher.write_u64(self.time().to_bits());
            self.states().iter().for_each(|&state| hasher.write_u64(state.into()));
        })
        .0
    }
}
