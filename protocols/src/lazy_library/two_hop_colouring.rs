//! The entry of [`TwoHopColouring`].

use std::num::NonZeroU32;

use acrasin_catalogue::parameter::{Parameter, ParameterKind};
use acrasin_runtime::choice::Decision;

use super::entry::LazyEntry;
use super::state_classes::StateClasses;
use crate::library::{Coloured, TwoHopColouring};

const PARAMETERS: &[Parameter] =
    &[Parameter::optional("k", ParameterKind::Whole { least: 2, most: 64, default: 16 }, "colours")];

const BITS: NonZeroU32 = NonZeroU32::new(1 << 16).expect("above 0");

/// The entry of self-stabilising two-hop colouring.
pub(super) const ENTRY: LazyEntry = LazyEntry {
    name: "two-hop-colouring",
    summary: "self-stabilising: an agent's neighbours differ in colour; starts: blank, arbitrary (drawn)",
    classes: "0 to k-1, the colours",
    parameters: PARAMETERS,
    make: |values| {
        // Ranges of parameters end below 2^16.
        let colours = values[0] as u16;
        let protocol = TwoHopColouring::new(colours)?;
        let classes: Vec<String> = (0..colours).map(|colour| colour.to_string()).collect();
        Ok(Box::new(StateClasses {
            protocol,
            outputs: classes.clone(),
            classes,
            starts: &["blank", "arbitrary"],
            class: |state| usize::from(state.colour),
            start: |protocol, start, choices| {
                if start == 0 {
                    return Coloured { colour: 0, shared: 0 };
                }
                let colours = protocol.colours();
                let colour = choices.pick(colours, Decision::Initial) as u8;
                let bits = [(); 4].map(|()| u64::from(choices.pick(BITS, Decision::Initial)));
                let bits = bits.into_iter().fold(0, |all, sixteen| all << 16 | sixteen);
                Coloured { colour, shared: bits & (u64::MAX >> (64 - colours.get())) }
            },
            stability: Some(TwoHopColouring::is_stable),
        }))
    },
};
