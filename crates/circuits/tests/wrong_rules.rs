//! Wrong rules that the checks must catch: deviations of the model, and algorithms with a round left out.
//!
//! Further wrong rules are next to their checks: wrong links and least messages (`circuits`), crossing at the wrong
//! side (`trees`), merged bonds and ignored collisions (`joint_movements`).

use acrasin_amoebot::{Cell, Direction};
use acrasin_circuits::circuit::CircuitRules;
use acrasin_circuits::joint::{Anchor, MovementRules, move_jointly, move_under};
use acrasin_circuits::library::{
    Addition, BoundaryRound, BoundaryTest, ChainOperation, CircuitChirality, CircuitChiralityRound, Division,
    DivisionRound, Election, ElectionRound, GlobalMaxima, LineToRhombus, MaximaRound, Multiplication,
    MultiplicationRound, NumberChain, PascRound, RhombusRound, ShortestPaths, ShortestPathsRound, SidesRound,
    SidesTest, Tossers,
};
use acrasin_circuits::{
    BeepPlan, CircuitRun, CircuitStructure, CircuitView, CoinToss, Coins, Demands, Halves, JointPlan,
    RoundTable, Seat,
};

use crate::joint_movements::{is_lawful, random_half};
use crate::structures::{cell, common, finished, spanning_tree};
use crate::trees::random_pasc;

/// A mutant: `A` with another order of rounds. Everything else is delegated to `A`.
#[derive(Clone)]
struct OtherOrder<A: RoundTable> {
    inner: A,
    /// The round that is executed in place of the correct one.
    other: fn(Option<A::RoundName>) -> Option<A::RoundName>,
}

impl<A: RoundTable> RoundTable for OtherOrder<A> {
    type Memory = A::Memory;
    type RoundName = A::RoundName;

    fn start(&self, seat: &Seat) -> (A::Memory, Option<A::RoundName>) {
        self.inner.start(seat)
    }

    fn name(&self, round: A::RoundName) -> &'static str {
        self.inner.name(round)
    }

    fn demands(&self) -> Demands {
        self.inner.demands()
    }

    fn halves(&self, round: A::RoundName) -> Halves {
        self.inner.halves(round)
    }

    fn plan(&self, round: A::RoundName, seat: &Seat, memory: &mut A::Memory) -> JointPlan {
        self.inner.plan(round, seat, memory)
    }

    fn send(
        &self,
        round: A::RoundName,
        seat: &Seat,
        memory: &mut A::Memory,
        coins: &mut CoinToss<'_>,
        plan: &mut BeepPlan<'_>,
    ) {
        self.inner.send(round, seat, memory, coins, plan);
    }

    fn receive(
        &self,
        round: A::RoundName,
        seat: &Seat,
        memory: &mut A::Memory,
        heard: &CircuitView<'_>,
    ) -> Option<A::RoundName> {
        (self.other)(self.inner.receive(round, seat, memory, heard))
    }
}

/// Whether a check detects the other order: the run fails, does not end, or has wrong results. Also checks that the
/// correct order passes.
fn is_caught<A: RoundTable + Clone>(
    structure: &CircuitStructure,
    algorithm: &A,
    other: fn(Option<A::RoundName>) -> Option<A::RoundName>,
    is_right: impl Fn(&[A::Memory], &CircuitStructure) -> bool,
) -> bool {
    let passes = |other| {
        let mutant = OtherOrder { inner: algorithm.clone(), other };
        let run = finished(CircuitRun::new(structure.clone(), mutant, Coins::keyed(1)).unwrap());
        run.is_some_and(|run| is_right(run.memories(), run.structure()))
    };
    assert!(passes(|round| round), "the right order must pass");
    !passes(other)
}

fn line(amoebots: i32, pins: usize) -> CircuitStructure {
    common(&(0..amoebots).map(|x| cell(x, 0)).collect::<Vec<_>>(), pins)
}

fn bits(number: u32) -> Vec<bool> {
    (0..6).map(|bit| number >> bit & 1 == 1).collect()
}

#[test]
fn an_election_without_the_second_face_is_caught() {
    let one = |memories: &[acrasin_circuits::library::ElectionMemory], _: &CircuitStructure| {
        memories.iter().filter(|amoebot| amoebot.is_candidate).count() == 1
    };
    let election = Election { repetitions: 8 };
    let first = |round: Option<ElectionRound>| match round {
        Some(ElectionRound::Tails(tossers)) => Some(ElectionRound::Heads(tossers)),
        other => other,
    };
    assert!(is_caught(&line(6, 1), &election, first, one));
    // Ending after phase 1 leaves two leaders with probability 1/2 at least.
    let short = |round: Option<ElectionRound>| {
        round.filter(|round| *round != ElectionRound::Heads(Tossers::Candidates))
    };
    let fails = (0..50).any(|seed| {
        let mutant = OtherOrder { inner: election, other: short };
        let run = finished(CircuitRun::new(line(6, 1), mutant, Coins::keyed(seed)).unwrap()).unwrap();
        !one(run.memories(), run.structure())
    });
    assert!(fails);
}

#[test]
fn pasc_that_ends_after_one_bit_is_caught() {
    let caught = (0..50).any(|seed| {
        let (structure, pasc, values) = random_pasc(seed, true);
        let right = |memories: &[acrasin_circuits::library::PascMemory], _: &CircuitStructure| {
            memories.iter().map(|amoebot| amoebot.value()).eq(values.iter().copied())
        };
        let other = |round: Option<PascRound>| round.filter(|round| *round == PascRound::Check);
        is_caught(&structure, &pasc, other, right)
    });
    assert!(caught);
}

#[test]
fn pasc_with_wrong_links_is_caught() {
    let caught = (0..50).any(|seed| {
        let (structure, pasc, values) = random_pasc(seed, true);
        let rules = CircuitRules { same_numbers_are_linked: true, ..CircuitRules::default() };
        let run = CircuitRun::new(structure, pasc, Coins::keyed(0)).unwrap();
        let run = finished(run.with_rules(rules, MovementRules::default()));
        run.is_none_or(|run| run.memories().iter().map(|amoebot| amoebot.value()).ne(values))
    });
    assert!(caught);
}

#[test]
fn boundaries_without_a_sum_round_are_caught() {
    let ring: Vec<Cell> =
        Cell::ORIGIN.neighbours().chain([cell(2, 0), cell(2, 1), cell(1, 2), cell(0, 2)]).collect();
    let right = |memories: &[acrasin_circuits::library::BoundaryMemory], _: &CircuitStructure| {
        let outer =
            memories.iter().flat_map(|memory| &memory.parts).filter(|part| part.is_outer == Some(true));
        outer.count() == 10
    };
    let test = BoundaryTest { repetitions: 8 };
    let no_high = |round: Option<BoundaryRound>| match round {
        Some(BoundaryRound::SumHigh) => Some(BoundaryRound::SumLow),
        other => other,
    };
    let no_low = |round: Option<BoundaryRound>| match round {
        Some(BoundaryRound::SumLow) => Some(BoundaryRound::Pasc),
        other => other,
    };
    // A leader may have the right sum by chance, so one of several seeds must show it.
    for other in [no_high as fn(Option<BoundaryRound>) -> Option<BoundaryRound>, no_low] {
        let caught = (0..20).any(|seed| {
            let mutant = OtherOrder { inner: test, other };
            let run = finished(CircuitRun::new(common(&ring, 4), mutant, Coins::keyed(seed)).unwrap());
            run.is_none_or(|run| !right(run.memories(), run.structure()))
        });
        assert!(caught);
    }
    let rights = (0..20).filter(|seed| {
        let run = CircuitRun::new(common(&ring, 4), test, Coins::keyed(*seed)).unwrap();
        finished(run).is_some_and(|run| right(run.memories(), run.structure()))
    });
    assert!(rights.count() >= 19);
}

#[test]
fn half_planes_without_downward_steps_are_caught() {
    let cells = [cell(0, 0), cell(0, -1), cell(1, -1), cell(0, 1)];
    let (edges, _) = spanning_tree(&cells, 0);
    let test = SidesTest { edges, root: 0, axis: 1 };
    let right = |memories: &[acrasin_circuits::library::SidesMemory], _: &CircuitStructure| {
        memories.iter().zip(&cells).all(|(memory, cell)| memory.side == cell.y().cmp(&0))
    };
    let other = |round: Option<SidesRound>| match round {
        Some(SidesRound::Down) => Some(SidesRound::Check),
        other => other,
    };
    assert!(is_caught(&common(&cells, 4), &test, other, right));
}

#[test]
fn maxima_after_one_phase_are_caught() {
    let cells: Vec<Cell> = (0..6).map(|y| cell(0, y)).collect();
    let (edges, _) = spanning_tree(&cells, 0);
    let maxima = GlobalMaxima { edges, axis: 1, repetitions: 8 };
    let right = |memories: &[acrasin_circuits::library::MaximaMemory], _: &CircuitStructure| {
        memories.iter().enumerate().all(|(at, memory)| memory.is_left == (at == 5))
    };
    // After the round "above" an election begins; this one ends there.
    let other = |round: Option<MaximaRound>| {
        round.filter(|round| *round != MaximaRound::Election(ElectionRound::Heads(Tossers::FirstCandidates)))
    };
    assert!(is_caught(&common(&cells, 4), &maxima, other, right));
}

#[test]
fn shortest_paths_with_two_axes_are_caught() {
    let cells = acrasin_amoebot::start::hexagon(Cell::ORIGIN, 3).unwrap();
    let distances = crate::structures::distances(&cells, 0);
    let right = |memories: &[acrasin_circuits::library::ShortestPathsMemory], _: &CircuitStructure| {
        memories.iter().enumerate().all(|(amoebot, memory)| match memory.towards {
            None => amoebot == 0,
            Some(label) => {
                let next = cells[amoebot].neighbour(Direction::from_index(label - 1)).unwrap();
                cells
                    .iter()
                    .position(|cell| *cell == next)
                    .is_some_and(|at| distances[at] + 1 == distances[amoebot])
            }
        })
    };
    let other = |round: Option<ShortestPathsRound>| match round {
        Some(ShortestPathsRound::Portal(1)) => Some(ShortestPathsRound::Tour(2)),
        other => other,
    };
    assert!(is_caught(&common(&cells, 4), &ShortestPaths { source: 0 }, other, right));
}

#[test]
fn arithmetic_with_a_round_left_out_is_caught() {
    let structure = line(6, 2);
    let chain = |a, b| NumberChain::new(&structure, bits(a), bits(b)).unwrap();
    let value = |bits: Vec<bool>| bits.iter().rev().fold(0_u32, |value, &bit| value << 1 | u32::from(bit));
    let product = |memories: &[acrasin_circuits::library::MultiplicationMemory], _: &CircuitStructure| {
        value(memories.iter().map(|memory| memory.result).collect()) == 5 * 7
    };
    let other = |round: Option<MultiplicationRound>| match round {
        Some(MultiplicationRound::Next) => Some(MultiplicationRound::Token),
        other => other,
    };
    assert!(is_caught(&structure, &Multiplication { chain: chain(5, 7) }, other, product));
    let quotient = |memories: &[acrasin_circuits::library::DivisionMemory], _: &CircuitStructure| {
        value(memories.iter().map(|memory| memory.quotient).collect()) == 51 / 6
            && value(memories.iter().map(|memory| memory.remainder).collect()) == 51 % 6
    };
    let other = |round: Option<DivisionRound>| match round {
        Some(DivisionRound::Subtract) => Some(DivisionRound::Down),
        other => other,
    };
    assert!(is_caught(&structure, &Division { chain: chain(51, 6) }, other, quotient));
    // The rule of a subtraction in place of an addition.
    let wrong = Addition { chain: chain(19, 13), operation: ChainOperation::Subtract };
    let run = finished(CircuitRun::new(structure.clone(), wrong, Coins::keyed(0)).unwrap()).unwrap();
    assert_ne!(value(run.memories().iter().map(|memory| memory.result).collect()), 32);
}

#[test]
fn a_fold_without_its_second_movement_is_caught() {
    let right = |_: &[acrasin_circuits::library::RhombusMemory], structure: &CircuitStructure| {
        structure
            .bodies()
            .iter()
            .all(|body| (0..4).contains(&body.head().x()) && (0..4).contains(&body.head().y()))
    };
    let other = |round: Option<RhombusRound>| match round {
        Some(RhombusRound::Second) => Some(RhombusRound::ThirdAndParity),
        other => other,
    };
    assert!(is_caught(&line(16, 3), &LineToRhombus, other, right));
    let no_third = |round: Option<RhombusRound>| match round {
        Some(RhombusRound::ThirdAndParity) => Some(RhombusRound::Parity),
        other => other,
    };
    assert!(is_caught(&line(16, 3), &LineToRhombus, no_third, right));
}

#[test]
fn chirality_without_a_merge_is_caught() {
    let frames = acrasin_amoebot::Orientation::all().take(8).collect::<Vec<_>>();
    let cells: Vec<Cell> = (0..8).map(|x| cell(x, 0)).collect();
    let structure = crate::structures::framed(&cells, frames, 2);
    let right = |memories: &[acrasin_circuits::library::CircuitChiralityMemory], _: &CircuitStructure| {
        memories.iter().all(|memory| memory.is_mirrored() == memories[0].is_mirrored())
    };
    let other = |round: Option<CircuitChiralityRound>| match round {
        Some(CircuitChiralityRound::Merge) => Some(CircuitChiralityRound::Frame),
        other => other,
    };
    assert!(is_caught(&structure, &CircuitChirality, other, right));
}

#[test]
fn wrong_rules_of_movements_are_caught() {
    let right = MovementRules::default();
    let unlawful = [
        MovementRules { collisions_are_ignored: true, ..right },
        MovementRules { opposite_may_be_marked: true, ..right },
        MovementRules { forward_is_not_marked: true, ..right },
        MovementRules { handovers_need_no_bond: true, ..right },
        MovementRules { both_sides_must_release: true, ..right },
        MovementRules { double_bonds_are_allowed: true, ..right },
        MovementRules { merged_bonds_collide: true, ..right },
    ];
    for rules in unlawful {
        let caught = (0..20_000).any(|seed| {
            let (structure, plans) = random_half(seed);
            let result = move_under(rules, &structure, &plans, &[], Anchor::Amoebot(0));
            let lawful = result.as_ref().is_ok_and(|moved| is_lawful(&structure, &plans, moved));
            // An unlawful result, or another class of result than the rules give.
            (result.is_ok() && !lawful) || result != move_jointly(&structure, &plans, &[], Anchor::Amoebot(0))
        });
        assert!(caught, "{rules:?}");
    }
}
