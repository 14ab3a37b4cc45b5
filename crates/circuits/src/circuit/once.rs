//! [`communicate`]: one beep half with given configurations.

use super::medium::{Circuits, SentPlans};
use super::pin::{Pin, PinSet, slot};
use super::plan::BeepPlan;
use super::rules::CircuitRules;
use crate::structure::{CellMap, CircuitStructure};
use acrasin_amoebot::{AmoebotPort, Cell, End, Orientation};

/// A set by its number in a given configuration, or a single pin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SetName {
    /// The set with this number.
    Set(usize),
    /// A pin that is in no set.
    Pin(Pin),
}

/// The configuration of one amoebot, what it sends, and what it does not receive.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GivenConfiguration {
    /// The pins of each set; a set may have no pins. A pin that is in no set forms a single set.
    pub sets: Vec<Vec<Pin>>,
    /// The sets that beep.
    pub beeps: Vec<SetName>,
    /// The messages that are sent, with their sets.
    pub messages: Vec<(SetName, i64)>,
    /// The sets on which nothing is received.
    pub lost: Vec<SetName>,
}

/// The beeps and messages that one half delivers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Communication {
    /// The number of circuits, including single pins and sets without pins.
    pub circuits: u64,
    /// For each amoebot, the sets on which it receives a beep, by number, followed by the single pins on which it
    /// receives one, in increasing order.
    pub heard: Vec<Vec<SetName>>,
    /// For each amoebot, the sets on which it receives a message, in the same order.
    pub messages: Vec<Vec<(SetName, i64)>>,
}

/// Errors of given configurations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigurationError {
    /// The amoebot does not have the pin.
    #[error(
        "cell {cell}: amoebot {amoebot} has no pin {} at label {} of its {} (accepted: pins of edges that leave its body)",
        pin.index, pin.label, end_name(*pin)
    )]
    NoPin {
        /// The cell of the amoebot's head.
        cell: Cell,
        /// The number of the amoebot.
        amoebot: usize,
        /// The pin that does not exist.
        pin: Pin,
    },
    /// The pin is named twice, in two sets or in one.
    #[error(
        "cell {cell}: sets of amoebot {amoebot} name pin {} at label {} of its {} twice (accepted: each pin once)",
        pin.index, pin.label, end_name(*pin)
    )]
    Twice {
        /// The cell of the amoebot's head.
        cell: Cell,
        /// The number of the amoebot.
        amoebot: usize,
        /// The pin that is named twice.
        pin: Pin,
    },
    /// There is no set with this number.
    #[error("cell {cell}: amoebot {amoebot} has no set {set} (accepted: numbers from 0, below {sets})")]
    NoSet {
        /// The cell of the amoebot's head.
        cell: Cell,
        /// The number of the amoebot.
        amoebot: usize,
        /// The number of the set that does not exist.
        set: usize,
        /// The number of sets.
        sets: usize,
    },
    /// The pin is in a set, but a single pin is required.
    #[error(
        "cell {cell}: pin {} at label {} of the {} of amoebot {amoebot} belongs to a set (accepted: a single pin)",
        pin.index, pin.label, end_name(*pin)
    )]
    NotSingle {
        /// The cell of the amoebot's head.
        cell: Cell,
        /// The number of the amoebot.
        amoebot: usize,
        /// The pin that belongs to a set.
        pin: Pin,
    },
    /// The number of configurations differs from the number of amoebots.
    #[error("{configurations} configurations for {amoebots} amoebots")]
    Count {
        /// The number of configurations.
        configurations: usize,
        /// The number of amoebots.
        amoebots: usize,
    },
}

fn end_name(pin: Pin) -> &'static str {
    match pin.end {
        End::Head => "head",
        End::Tail => "tail",
    }
}

/// A set of the medium, or a set without pins.
#[derive(Clone, Copy)]
enum Wired {
    Pins(PinSet),
    NoPins,
}

/// Delivers beeps and messages once. The structure need not be connected.
///
/// # Errors
///
/// [`ConfigurationError`]: a pin is out of range or named twice, or a set does not exist.
pub fn communicate(
    structure: &CircuitStructure,
    given: &[GivenConfiguration],
) -> Result<Communication, ConfigurationError> {
    communicate_under(CircuitRules::default(), structure, given)
}

/// Delivers beeps and messages once under other rules; see [`communicate`].
///
/// # Errors
///
/// As for [`communicate`].
pub fn communicate_under(
    rules: CircuitRules,
    structure: &CircuitStructure,
    given: &[GivenConfiguration],
) -> Result<Communication, ConfigurationError> {
    let amoebots = structure.amoebots();
    if given.len() != amoebots {
        return Err(ConfigurationError::Count { configurations: given.len(), amoebots });
    }
    let cells = CellMap::new(structure).expect("a structure has one owner per cell");
    let mut circuits = Circuits::new(structure, &cells);
    circuits.set_rules(rules);
    let mut wired: Vec<Vec<Wired>> = Vec::with_capacity(amoebots);
    let mut sent = SentPlans::EMPTY;
    let mut rows = circuits.plan_rows();
    for (amoebot, given) in given.iter().enumerate() {
        let orientation = structure.orientations()[amoebot];
        let sets = rows
            .plan(amoebot as u32, orientation, &mut sent, |plan| plan_given(structure, amoebot, given, plan));
        wired.push(sets?);
    }
    let is_delivered = circuits.deliver(std::slice::from_mut(&mut sent), amoebots, &|| true);
    assert!(is_delivered, "there is no stop request");
    let wire = |amoebot: usize, name: SetName| {
        wire(&wired[amoebot], name, structure.orientations()[amoebot], structure.pins())
    };
    for (amoebot, given) in given.iter().enumerate() {
        for name in &given.lost {
            if let Wired::Pins(set) = wire(amoebot, *name) {
                circuits.lose(amoebot, set);
            }
        }
    }
    let mut heard = Vec::with_capacity(amoebots);
    let mut messages = Vec::with_capacity(amoebots);
    let mut without_pins = 0;
    for (amoebot, given) in given.iter().enumerate() {
        let names = names(structure, amoebot, given);
        without_pins += given.sets.iter().filter(|set| set.is_empty()).count() as u64;
        let beep = |name: &SetName| match wire(amoebot, *name) {
            Wired::Pins(set) => circuits.hears(amoebot, set),
            Wired::NoPins => given.beeps.contains(name) && !given.lost.contains(name),
        };
        let message = |name: SetName| match wire(amoebot, name) {
            Wired::Pins(set) => circuits.message(amoebot, set),
            Wired::NoPins => {
                let own = given.messages.iter().filter(|(to, _)| *to == name).map(|&(_, value)| value);
                own.max().filter(|_| !given.lost.contains(&name))
            }
        };
        messages.push(names.iter().filter_map(|name| message(*name).map(|value| (*name, value))).collect());
        heard.push(names.into_iter().filter(beep).collect());
    }
    Ok(Communication { circuits: circuits.counts(0).circuits + without_pins, heard, messages })
}

/// The set to which a name refers.
fn wire(sets: &[Wired], name: SetName, orientation: Orientation, pins: u8) -> Wired {
    match name {
        SetName::Set(set) => sets[set],
        SetName::Pin(pin) => Wired::Pins(PinSet(slot(pin, orientation, pins))),
    }
}

/// Plans the given configuration of one amoebot; returns its sets by number.
fn plan_given(
    structure: &CircuitStructure,
    amoebot: usize,
    given: &GivenConfiguration,
    plan: &mut BeepPlan<'_>,
) -> Result<Vec<Wired>, ConfigurationError> {
    plan.reset();
    let cell = structure.bodies()[amoebot].head();
    let mut named = Vec::new();
    let mut sets = Vec::new();
    for set in &given.sets {
        for pin in set {
            check_pin(structure, amoebot, *pin)?;
            if named.contains(pin) {
                return Err(ConfigurationError::Twice { cell, amoebot, pin: *pin });
            }
            named.push(*pin);
        }
        sets.push(if set.is_empty() { Wired::NoPins } else { Wired::Pins(plan.set(set.iter().copied())) });
    }
    let others = given.messages.iter().map(|(name, _)| name);
    for name in given.beeps.iter().chain(&given.lost).chain(others) {
        match *name {
            SetName::Set(set) if set >= sets.len() => {
                return Err(ConfigurationError::NoSet { cell, amoebot, set, sets: sets.len() });
            }
            SetName::Set(_) => {}
            SetName::Pin(pin) => {
                check_pin(structure, amoebot, pin)?;
                if named.contains(&pin) {
                    return Err(ConfigurationError::NotSingle { cell, amoebot, pin });
                }
            }
        }
    }
    let wire = |name| wire(&sets, name, structure.orientations()[amoebot], structure.pins());
    for beep in &given.beeps {
        if let Wired::Pins(set) = wire(*beep) {
            plan.beep(set);
        }
    }
    for &(name, value) in &given.messages {
        if let Wired::Pins(set) = wire(name) {
            plan.message(set, value);
        }
    }
    Ok(sets)
}

fn check_pin(structure: &CircuitStructure, amoebot: usize, pin: Pin) -> Result<(), ConfigurationError> {
    let body = structure.bodies()[amoebot];
    let orientation = structure.orientations()[amoebot];
    let on_edge = (1..=6).contains(&pin.label) && pin.index < structure.pins();
    let has = on_edge && body.leads_to(AmoebotPort::new(pin.end, pin.label), orientation).is_some();
    if has { Ok(()) } else { Err(ConfigurationError::NoPin { cell: body.head(), amoebot, pin }) }
}

/// The sets of a configuration by number, then the single pins in increasing order.
fn names(structure: &CircuitStructure, amoebot: usize, given: &GivenConfiguration) -> Vec<SetName> {
    let ports = structure.bodies()[amoebot].ports(structure.orientations()[amoebot]);
    let pins = ports.flat_map(|port| {
        (0..structure.pins()).map(move |index| Pin { end: port.end(), label: port.label(), index })
    });
    let single = pins.filter(|pin| !given.sets.iter().flatten().any(|other| other == pin));
    (0..given.sets.len()).map(SetName::Set).chain(single.map(SetName::Pin)).collect()
}
