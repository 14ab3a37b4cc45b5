//! Circuits, beeps and messages against flooding along links.
//!
//! `ACRASIN_INPUTS` is the number of inputs: 20 000 in `.ci/run`, 500 000 with `--deep`. A fuzz target also calls
//! [`agrees_with_flooding`].

use acrasin_amoebot::{AmoebotPort, Body, Chirality, End};
use acrasin_circuits::circuit::{
    CircuitRules, Communication, GivenConfiguration, SetName, communicate, communicate_under,
};
use acrasin_circuits::library::{Consensus, FastElection};
use acrasin_circuits::{
    BeepPlan, CircuitRun, CircuitStructure, CircuitView, CoinToss, Coins, Losses, Pin, RoundTable, Seat,
};

use crate::structures::{Numbers, any_frame, blob, cell, framed, ran};

/// A random structure with expanded amoebots, assorted frames and random sets.
pub(crate) fn random_communication(mut numbers: Numbers) -> (CircuitStructure, Vec<GivenConfiguration>) {
    let size = 2 + numbers.below(10);
    let mut cells = blob(size, &mut numbers);
    let mut bodies = Vec::new();
    while let Some(head) = cells.pop() {
        let tail = cells.iter().position(|other| head.direction_to(*other).is_some() && numbers.coin());
        bodies.push(match tail {
            Some(at) => Body::expanded(head, cells.remove(at)).unwrap(),
            None => Body::contracted(head),
        });
    }
    let pins = 1 + numbers.below(4);
    let frames: Vec<_> = bodies.iter().map(|_| any_frame(&mut numbers)).collect();
    let structure = CircuitStructure::new(bodies, frames, Vec::new(), pins).unwrap();
    let given = structure.bodies().iter().zip(structure.orientations()).map(|(body, frame)| {
        let all = body.ports(*frame).flat_map(|port| {
            (0..pins as u8).map(move |index| Pin { end: port.end(), label: port.label(), index })
        });
        let mut given =
            GivenConfiguration { sets: vec![Vec::new(); 1 + numbers.below(4)], ..Default::default() };
        let mut names: Vec<SetName> = (0..given.sets.len()).map(SetName::Set).collect();
        for pin in all {
            let set = numbers.below(given.sets.len() + 2);
            match given.sets.get_mut(set) {
                Some(set) => set.push(pin),
                None => names.push(SetName::Pin(pin)),
            }
        }
        for name in names {
            if numbers.below(8) == 0 {
                given.beeps.push(name);
            }
            if numbers.below(8) == 0 {
                given.messages.push((name, numbers.below(10) as i64));
            }
            if numbers.below(8) == 0 {
                given.lost.push(name);
            }
        }
        given
    });
    let given = given.collect();
    (structure, given)
}

/// Delivers by flooding from set to set, with links found by comparing cells.
pub(crate) fn flooded(structure: &CircuitStructure, given: &[GivenConfiguration]) -> Communication {
    let pins = structure.pins();
    let mut sets: Vec<(usize, SetName, Vec<Pin>)> = Vec::new();
    for (amoebot, given) in given.iter().enumerate() {
        let body = structure.bodies()[amoebot];
        let frame = structure.orientations()[amoebot];
        for (number, set) in given.sets.iter().enumerate() {
            sets.push((amoebot, SetName::Set(number), set.clone()));
        }
        for port in body.ports(frame) {
            for index in 0..pins {
                let pin = Pin { end: port.end(), label: port.label(), index };
                if !given.sets.concat().contains(&pin) {
                    sets.push((amoebot, SetName::Pin(pin), vec![pin]));
                }
            }
        }
    }
    // The pin on the other side of an edge.
    let across = |amoebot: usize, pin: Pin| -> Option<(usize, Pin)> {
        let frame = structure.orientations()[amoebot];
        let direction = frame.direction(pin.label);
        let from = structure.bodies()[amoebot].node(pin.end);
        let to = structure.bodies()[amoebot].leads_to(AmoebotPort::new(pin.end, pin.label), frame)?;
        let other = structure.bodies().iter().position(|body| body.end_on(to).is_some())?;
        let end = structure.bodies()[other].end_on(to).unwrap();
        assert_eq!(to.direction_to(from), Some(direction.opposite()));
        let other_frame = structure.orientations()[other];
        let same = frame.chirality == other_frame.chirality;
        let index = if same { pins - 1 - pin.index } else { pin.index };
        Some((other, Pin { end, label: other_frame.label(direction.opposite()), index }))
    };
    let mut circuit = vec![usize::MAX; sets.len()];
    let mut circuits = 0;
    for start in 0..sets.len() {
        if circuit[start] != usize::MAX {
            continue;
        }
        let mut stack = vec![start];
        circuit[start] = circuits;
        while let Some(at) = stack.pop() {
            for pin in sets[at].2.clone() {
                let Some((other, far)) = across(sets[at].0, pin) else { continue };
                let next =
                    sets.iter().position(|(amoebot, _, pins)| *amoebot == other && pins.contains(&far));
                let next = next.expect("every pin is in a set");
                if circuit[next] == usize::MAX {
                    circuit[next] = circuits;
                    stack.push(next);
                }
            }
        }
        circuits += 1;
    }
    let mut heard = vec![Vec::new(); given.len()];
    let mut messages = vec![Vec::new(); given.len()];
    for (at, (amoebot, name, _)) in sets.iter().enumerate() {
        if given[*amoebot].lost.contains(name) {
            continue;
        }
        let mates = sets.iter().zip(&circuit).filter(|(_, other)| **other == circuit[at]).map(|(set, _)| set);
        if mates.clone().any(|(amoebot, name, _)| given[*amoebot].beeps.contains(name)) {
            heard[*amoebot].push(*name);
        }
        let values = mates.flat_map(|(amoebot, name, _)| {
            given[*amoebot].messages.iter().filter(move |(to, _)| to == name).map(|(_, value)| *value)
        });
        if let Some(greatest) = values.max() {
            messages[*amoebot].push((*name, greatest));
        }
    }
    Communication { circuits: circuits as u64, heard, messages }
}

/// Compares the delivery with flooding. The bytes describe a structure and what each amoebot sends.
pub(crate) fn agrees_with_flooding(bytes: &[u8]) {
    let (structure, given) = random_communication(Numbers::of_bytes(bytes.to_vec()));
    assert_eq!(communicate(&structure, &given).unwrap(), flooded(&structure, &given), "{bytes:?}");
}

#[test]
fn what_is_delivered_agrees_with_flooding() {
    let inputs = std::env::var("ACRASIN_INPUTS").ok().and_then(|inputs| inputs.parse().ok()).unwrap_or(300);
    for seed in 0..inputs {
        let mut numbers = Numbers::new(seed);
        let bytes: Vec<u8> = (0..300).map(|_| numbers.below(256) as u8).collect();
        agrees_with_flooding(&bytes);
    }
}

#[test]
fn wrong_links_and_least_messages_are_caught() {
    let differs = |rules: CircuitRules| {
        (0..300).any(|seed| {
            let (structure, given) = random_communication(Numbers::new(seed));
            communicate_under(rules, &structure, &given).unwrap() != flooded(&structure, &given)
        })
    };
    assert!(!differs(CircuitRules::default()));
    assert!(differs(CircuitRules { same_numbers_are_linked: true, ..CircuitRules::default() }));
    assert!(differs(CircuitRules { least_message_wins: true, ..CircuitRules::default() }));
}

/// Changes the configuration of few amoebots in each round; each hears a beep of amoebot 0 on all pins.
#[derive(Clone)]
struct Rewiring {
    rounds: u32,
    /// Whether all configurations are set in every round, so that all circuits are formed again.
    always: bool,
    seed: u64,
}

impl RoundTable for Rewiring {
    type Memory = Vec<Vec<bool>>;
    type RoundName = u32;

    fn start(&self, _seat: &Seat) -> (Vec<Vec<bool>>, Option<u32>) {
        (Vec::new(), Some(0))
    }

    fn name(&self, _round: u32) -> &'static str {
        "rewire"
    }

    fn send(
        &self,
        round: u32,
        seat: &Seat,
        _memory: &mut Vec<Vec<bool>>,
        _coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        // The last round in which this amoebot changes its sets.
        let changes = |round: u32| {
            Numbers::new(self.seed + u64::from(round) * 977 + u64::from(seat.number)).below(20) == 0
        };
        let last = (0..=round).rev().find(|&round| round == 0 || changes(round)).unwrap();
        if last == round || self.always {
            plan.reset();
            let mut numbers = Numbers::new(self.seed ^ u64::from(seat.number) << 32 ^ u64::from(last));
            let mut sets = [Vec::new(), Vec::new(), Vec::new()];
            for label in 1..=6 {
                for index in 0..seat.pins {
                    if let Some(set) = sets.get_mut(numbers.below(4)) {
                        set.push(Pin::head(label, index));
                    }
                }
            }
            for set in sets {
                if !set.is_empty() {
                    plan.set(set);
                }
            }
        }
        if seat.number % 7 == round % 7 {
            plan.beep_pin(Pin::head(1, 0));
        }
    }

    fn receive(
        &self,
        round: u32,
        seat: &Seat,
        memory: &mut Vec<Vec<bool>>,
        heard: &CircuitView<'_>,
    ) -> Option<u32> {
        let pins = (1..=6).flat_map(|label| (0..seat.pins).map(move |index| Pin::head(label, index)));
        memory.push(pins.map(|pin| heard.pin(pin)).collect());
        (round + 1 < self.rounds).then_some(round + 1)
    }
}

#[test]
fn kept_circuits_equal_those_that_are_formed_again() {
    for seed in 0..20 {
        let mut numbers = Numbers::new(seed);
        let cells = blob(60, &mut numbers);
        let frames: Vec<_> = cells.iter().map(|_| any_frame(&mut numbers)).collect();
        let structure = framed(&cells, frames, 2);
        let run = |always| ran(structure.clone(), Rewiring { rounds: 30, always, seed }, 0);
        let (kept, formed) = (run(false), run(true));
        assert_eq!(kept.memories(), formed.memories(), "seed {seed}");
        assert_eq!(kept.counts(), formed.counts());
    }
}

#[test]
fn lanes_are_separate_circuits_in_assorted_frames() {
    let mut numbers = Numbers::new(5);
    for size in [1, 2, 9, 30] {
        let cells = blob(size, &mut numbers);
        let frames: Vec<_> = cells.iter().map(|_| any_frame(&mut numbers)).collect();
        let run =
            CircuitRun::new(framed(&cells, frames, 7), FastElection { repetitions: 1 }, Coins::keyed(1));
        let mut run = run.unwrap();
        run.round().unwrap();
        assert_eq!(run.counts().circuits, 4);
    }
}

#[test]
fn consensus_is_the_disjunction_of_all_values() {
    let mut numbers = Numbers::new(9);
    for _ in 0..50 {
        let cells = blob(1 + numbers.below(12), &mut numbers);
        let frames = cells.iter().map(|_| any_frame(&mut numbers)).collect();
        let values: Vec<bool> = cells.iter().map(|_| numbers.below(6) == 0).collect();
        let run = ran(framed(&cells, frames, 3), Consensus { values: values.clone() }, 0);
        assert!(run.memories().iter().all(|amoebot| amoebot.decision == Some(values.contains(&true))));
        assert_eq!(run.rounds_done(), 1);
    }
}

/// Losses remove the given share of beeps. By default no beep is lost.
#[test]
fn lost_beeps_have_their_probability() {
    let cells: Vec<_> = (0..500).map(|x| cell(x, 0)).collect();
    let heard = |losses: Losses| {
        let run = Rewiring { rounds: 40, always: true, seed: 3 };
        let run = CircuitRun::new(framed(&cells, vec![Default::default(); 500], 1), run, Coins::keyed(0));
        let mut run = run.unwrap().with_losses(losses);
        while run.round().unwrap() {}
        run.memories().iter().flatten().flatten().filter(|heard| **heard).count() as f64
    };
    let draws = acrasin_engine::Draws::new(4);
    let all = heard(Losses::None);
    for losses in
        [Losses::PerSet { probability: 0.25, draws }, Losses::PerAmoebot { probability: 0.25, draws }]
    {
        let share = heard(losses) / all;
        // 20,000 draws with a deviation of 0.003, and sets of several pins.
        assert!((share - 0.75).abs() < 0.02, "{share}");
    }
    assert_eq!(heard(Losses::PerSet { probability: 0.0, draws }), all);
    assert_eq!(heard(Losses::PerSet { probability: 1.0, draws }), 0.0);
    let listed = Losses::Listed((0..40).map(|round| (round, 0)).collect());
    assert!(heard(listed) < all);
}

#[test]
fn a_mirrored_owner_counts_pins_from_the_other_side() {
    let mirrored = acrasin_amoebot::Orientation { chirality: Chirality::Mirrored, ..Default::default() };
    let structure = framed(&[cell(0, 0), cell(1, 0)], vec![Default::default(), mirrored], 3);
    let beep = SetName::Pin(Pin::head(1, 0));
    let given =
        [GivenConfiguration { beeps: vec![beep], ..Default::default() }, GivenConfiguration::default()];
    let delivered = communicate(&structure, &given).unwrap();
    // West has label 4 for a mirrored amoebot whose label 1 is east; the chiralities differ, so pin 0 meets pin 0.
    assert_eq!(delivered.heard[1], [SetName::Pin(Pin { end: End::Head, label: 4, index: 0 })]);
}
