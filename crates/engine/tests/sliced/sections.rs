//! Critical sections of F2: the states, words and figures of F3 and of F4 after every round.

use std::num::NonZeroU32;

use acrasin_engine::draw::Priorities;
use acrasin_engine::message::{Config, Sectioned};
use acrasin_engine::network::PortTable;
use acrasin_engine::reference::Reference;
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::sliced::{PortOrder, SlicedError, SlicedSections};
use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Wanting};
use acrasin_runtime::choice::{Choices, Decision, FixedProbability};
use acrasin_runtime::{CriticalSection, LockSetRule, Locked, NodeId, Topology};

const HALF: ActiveNodes<'_> = ActiveNodes::Random(FixedProbability::HALF);

/// Swaps with a neighbour and counts, so that states reveal the neighbour, the time and the draw.
///
/// Unless `always` is set, some nodes do not want a lock for a while.
#[derive(Clone, Copy, Debug)]
struct Shuffle {
    always: bool,
}

impl CriticalSection for Shuffle {
    type State = (u32, u32);
    type Outcome = u32;

    fn wants(&self, own: &(u32, u32), _degree: u16) -> bool {
        self.always || own.0 % 5 != own.1 % 5
    }

    fn enter(&self, held: &mut Locked<'_, (u32, u32)>, choices: &mut dyn Choices) -> u32 {
        let ports: Vec<_> = held.ports().collect();
        let drawn = choices.pick(NonZeroU32::new(1000).unwrap(), Decision::Outcome);
        held.own_mut().1 += 1;
        let count = NonZeroU32::new(ports.len() as u32).unwrap();
        let port = ports[choices.pick(count, Decision::Partner) as usize];
        let (own, other) = held.pair_mut(port).unwrap();
        std::mem::swap(&mut own.0, &mut other.0);
        other.1 += drawn;
        drawn
    }
}

fn states(nodes: u32) -> Vec<(u32, u32)> {
    (0..nodes).map(|node| (node * 3, node)).collect()
}

fn config(seed: u64, priorities: u32) -> Config {
    Config {
        draws: Draws::new(seed),
        priorities: Priorities::new(priorities).unwrap(),
        wanting: Wanting::Never,
        memory: MemoryLimit::NONE,
    }
}

/// A torus with ports numbered by neighbour, like graphs of scenarios.
fn numbered(lattice: Lattice) -> Topology {
    let degree = lattice.kind().degree();
    let nodes = lattice.width() * lattice.height();
    let ends =
        (0..nodes).flat_map(|node| (1..=degree).map(move |port| (node, lattice.neighbour(node, port))));
    let mut edges: Vec<(u32, u32)> = ends.filter(|(node, peer)| node < peer).collect();
    edges.sort_unstable();
    Topology::from_edges(nodes, degree, &edges).unwrap()
}

fn topology(lattice: Lattice, order: PortOrder) -> Topology {
    match order {
        PortOrder::Directions => lattice.topology().unwrap(),
        PortOrder::Numbers => numbered(lattice),
    }
}

/// The first round after which states, words, figures or outcomes differ from F3. The graph of F3 numbers its ports by
/// `order`, the sliced run by `sliced_order`.
fn first_difference(
    lattice: Lattice,
    (order, sliced_order): (PortOrder, PortOrder),
    section: Shuffle,
    config: Config,
    (activation, rounds): (&ActiveNodes<'_>, u64),
) -> Option<u64> {
    let nodes = lattice.width() * lattice.height();
    let table = PortTable::new(&topology(lattice, order)).unwrap();
    let mut messages = Sectioned::new(table, config, section, states(nodes)).unwrap();
    let mut sliced = SlicedSections::new(lattice, config, sliced_order, section, states(nodes)).unwrap();
    for round in 0..rounds {
        let (mut expected, mut observed) = (Vec::new(), Vec::new());
        messages.round_observed(activation, |node, drawn| expected.push((node, drawn)));
        sliced.round_observed(activation, |node, drawn| observed.push((node, drawn)));
        observed.sort_unstable();
        let figures = messages.figures();
        let early = (sliced.rounds(), sliced.activations(), sliced.releases(), sliced.grants());
        let same = expected == observed
            && early == (figures.rounds, figures.activations, figures.releases, figures.grants)
            // Compares figures of one round, and of several.
            && (round % 3 == 1 || sliced.settle() == figures)
            && sliced.states() == messages.states()
            && sliced.words() == messages.rounds().words()
            && sliced.digest() == messages.rounds().digest();
        if !same {
            return Some(round);
        }
    }
    assert!(messages.figures().releases > 20, "{:?}", messages.figures());
    None
}

#[test]
fn sections_have_the_states_words_and_figures_of_the_messages_after_every_round() {
    let third = ActiveNodes::Random(FixedProbability::new(0.3).unwrap());
    for kind in [LatticeKind::Triangular, LatticeKind::Square] {
        for (width, height) in [(64, 3), (64, 17), (128, 8), (192, 5)] {
            let lattice = Lattice::new(kind, width, height).unwrap();
            for order in [PortOrder::Directions, PortOrder::Numbers] {
                for (always, k, activation) in
                    [(true, 64, &HALF), (false, 64, &third), (false, 256, &ActiveNodes::All)]
                {
                    let section = Shuffle { always };
                    let seed = u64::from(width + k);
                    let found = first_difference(
                        lattice,
                        (order, order),
                        section,
                        config(seed, k),
                        (activation, 500),
                    );
                    assert_eq!(found, None, "{lattice:?} {order:?} {always} {k}");
                }
            }
        }
    }
}

/// Detects a section that sees ports by direction where the graph has them by neighbour.
#[test]
fn other_port_numbers_are_noticed() {
    let lattice = Lattice::new(LatticeKind::Triangular, 64, 9).unwrap();
    for orders in [(PortOrder::Numbers, PortOrder::Directions), (PortOrder::Directions, PortOrder::Numbers)] {
        let section = Shuffle { always: true };
        let found = first_difference(lattice, orders, section, config(1, 64), (&HALF, 500));
        assert!(found.is_some(), "{orders:?}");
    }
}

#[test]
fn sections_have_the_states_of_the_reference_after_every_round() {
    for (kind, order) in
        [(LatticeKind::Square, PortOrder::Numbers), (LatticeKind::Triangular, PortOrder::Directions)]
    {
        let lattice = Lattice::new(kind, 64, 3).unwrap();
        let (config, section) = (config(5, 64), Shuffle { always: false });
        let topology = topology(lattice, order);
        let lock_set = LockSetRule::Neighbourhood;
        let mut reference = Reference::with_section(
            topology,
            config.draws,
            config.priorities,
            section,
            states(192),
            lock_set,
        );
        let mut sliced = SlicedSections::new(lattice, config, order, section, states(192)).unwrap();
        let mut figures = acrasin_engine::Figures::default();
        for round in 0..600 {
            sliced.round(&HALF);
            figures += reference.round(&HALF).unwrap();
            assert_eq!(sliced.settle(), figures, "round {round}");
            assert_eq!(sliced.states(), reference.world().states(), "round {round}");
        }
        assert!(figures.releases > 20, "{figures:?}");
    }
}

/// From 2^18 nodes on, several threads run a round; the results do not depend on their number.
#[test]
fn sections_are_the_same_for_every_number_of_threads() {
    let lattice = Lattice::new(LatticeKind::Triangular, 512, 520).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let nodes = lattice.width() * lattice.height();
            let section = Shuffle { always: false };
            let mut run =
                SlicedSections::new(lattice, config(3, 64), PortOrder::Numbers, section, states(nodes))
                    .unwrap();
            let mut observed = Vec::new();
            for _ in 0..150 {
                run.round_observed(&HALF, |NodeId(node), drawn| observed.push((node, drawn)));
            }
            (run.settle(), run.digest(), run.states().to_vec(), observed)
        })
    };
    let expected = run(1);
    assert!(expected.3.len() > 20_000, "{}", expected.3.len());
    for threads in [2, 3, 7] {
        assert!(run(threads) == expected, "{threads} threads");
    }
}

/// A section whose holders never unlock without a call.
struct Stubborn;

impl CriticalSection for Stubborn {
    type State = ();
    type Outcome = ();
    fn wants(&self, (): &(), _degree: u16) -> bool {
        true
    }
    fn unlocks(&self, (): &()) -> bool {
        false
    }
    fn enter(&self, _held: &mut Locked<'_, ()>, _choices: &mut dyn Choices) {}
}

#[test]
#[should_panic(expected = "does not unlock by itself")]
fn sections_that_do_not_unlock_are_refused() {
    let lattice = Lattice::new(LatticeKind::Square, 64, 3).unwrap();
    let _ = SlicedSections::new(lattice, config(1, 64), PortOrder::Numbers, Stubborn, vec![(); 192]);
}

#[test]
fn states_count_for_the_limit_of_memory() {
    let lattice = Lattice::new(LatticeKind::Square, 64, 100).unwrap();
    let section = Shuffle { always: true };
    let make = |bytes| {
        let config = Config { memory: MemoryLimit(bytes), ..config(1, 64) };
        SlicedSections::new(lattice, config, PortOrder::Numbers, section, states(6400))
    };
    let planes = make(u64::MAX).unwrap().sliced().bytes();
    let needed = planes + 6400 * 8;
    assert!(make(needed).is_ok());
    assert!(matches!(make(needed - 1).unwrap_err(), SlicedError::TooLarge(error) if error.bytes == needed));
}

/// The digest of ten million nodes takes longer than an interrupted run may take.
#[test]
fn a_digest_ends_when_there_is_no_time() {
    let lattice = Lattice::new(LatticeKind::Square, 64, 3 * 1024).unwrap();
    for order in [PortOrder::Directions, PortOrder::Numbers] {
        let section = Shuffle { always: true };
        let mut sliced =
            SlicedSections::new(lattice, config(1, 64), order, section, states(64 * 3 * 1024)).unwrap();
        for _ in 0..5 {
            sliced.round_observed(&HALF, |_, _| {});
        }
        let mut asked = 0;
        let mut digest = |so_many: u32| {
            asked = 0;
            sliced.digest_while(|| {
                asked += 1;
                asked <= so_many
            })
        };
        assert_eq!([0, 1, 2].map(&mut digest), [None; 3]);
        assert_eq!(digest(3), Some(sliced.digest()));
    }
}
