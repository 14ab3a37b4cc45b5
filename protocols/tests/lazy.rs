//! Lazy populations: the same runs as with complete tables, and protocols too large for a table.

use std::collections::BTreeSet;

use acrasin_protocols::lazy::{Discovery, LazyPopulation};
use acrasin_protocols::library::{
    ClockedMajority, ClockedVote, Coloured, Contest, Elector, GraphLeader, JuntaLeader, LeaderRole, Opinion,
    SizeEstimation, Threshold, TwoHopColouring,
};
use acrasin_protocols::{FiniteProtocol, Protocol, Table, UniformPairs};
use acrasin_runtime::choice::{Seeded, derived_seed};
use acrasin_runtime::node::NodeId;

/// Whether a lazy population has the same states as a population with the complete table, after each of several
/// stretches of a run.
fn runs_like_its_table<P: FiniteProtocol>(
    protocol: &P,
    table: &Table,
    start: &[P::State],
    edges: Option<Vec<[NodeId; 2]>>,
) -> bool {
    let states = protocol.states();
    let place = |state: P::State| states.iter().position(|&known| known == state).unwrap() as u16;
    let discovery = Discovery::new(protocol);
    let numbers = start.iter().map(|&state| place(state)).collect();
    let (mut lazy, mut complete) = match edges {
        None => (
            LazyPopulation::complete(&discovery, start, 7).unwrap(),
            UniformPairs::complete(table, numbers).unwrap(),
        ),
        Some(edges) => (
            LazyPopulation::on_edges(&discovery, start, edges.clone(), 7).unwrap(),
            UniformPairs::on_edges(table, numbers, edges).unwrap(),
        ),
    };
    let mut choices = Seeded::new(7);
    (0..60).all(|_| {
        lazy.run_to(lazy.interactions() + 37);
        complete.run(37, &mut choices);
        let counted: u64 = lazy.counts().iter().sum();
        assert_eq!(counted, start.len() as u64);
        for (number, &count) in (0..).zip(lazy.counts()) {
            let state = discovery.state(number);
            assert_eq!(count, lazy.states().filter(|&held| held == state).count() as u64);
        }
        lazy.states().map(place).eq(complete.states().iter().copied())
    })
}

fn ring(agents: u32) -> Vec<[NodeId; 2]> {
    (0..agents).map(|agent| [NodeId(agent), NodeId((agent + 1) % agents)]).collect()
}

#[test]
fn a_lazy_run_is_the_run_of_the_complete_table() {
    let contest = Contest::new(20).unwrap();
    let table = Table::compile(&contest).unwrap();
    assert!(runs_like_its_table(&contest, &table, &[contest.start(); 50], None));
    assert!(runs_like_its_table(&contest, &table, &[contest.start(); 50], Some(ring(50))));
    let threshold = Threshold::new(&[40, -60], 3).unwrap();
    let inputs: Vec<_> =
        (0..40).map(|agent| threshold.input(if agent % 3 == 0 { -60 } else { 40 })).collect();
    assert!(runs_like_its_table(&threshold, &Table::compile(&threshold).unwrap(), &inputs, None));
    let leader = vec![GraphLeader.states()[0]; 30];
    let graph = Table::compile(&GraphLeader).unwrap();
    assert!(runs_like_its_table(&GraphLeader, &graph, &leader, Some(ring(30))));
    // A randomised protocol, with outcomes in the order of the states.
    let size = SizeEstimation::new(12).unwrap();
    let start = vec![size.states()[0]; 40];
    assert!(runs_like_its_table(&size, &Table::compile(&size).unwrap(), &start, None));
    // Another table must be noticed.
    let other = Table::compile(&Contest::new(19).unwrap()).unwrap();
    assert_eq!(other.state_count(), 40);
    let contest = Contest::new(19).unwrap();
    assert!(!runs_like_its_table(
        &contest,
        &Table::compile(&Backwards(contest)).unwrap(),
        &[contest.start(); 50],
        None
    ));
}

/// The contest with initiator and responder exchanged.
struct Backwards(Contest);

impl Protocol for Backwards {
    type State = <Contest as Protocol>::State;
    type Output = LeaderRole;
    fn transition(&self, initiator: Self::State, responder: Self::State) -> (Self::State, Self::State) {
        let (responder, initiator) = self.0.transition(responder, initiator);
        let initiator = Self::State { value: initiator.value.saturating_sub(1), ..initiator };
        (initiator, responder)
    }
    fn output(&self, state: Self::State) -> LeaderRole {
        self.0.output(state)
    }
}

impl FiniteProtocol for Backwards {
    fn states(&self) -> Vec<Self::State> {
        self.0.states()
    }
    fn state_name(&self, state: Self::State) -> String {
        self.0.state_name(state)
    }
    fn output_name(&self, output: &LeaderRole) -> String {
        self.0.output_name(output)
    }
}

#[test]
fn states_are_numbered_in_the_order_in_which_they_are_met_and_shown() {
    let contest = Contest::new(5).unwrap();
    let discovery = Discovery::new(&contest);
    let mut population = LazyPopulation::complete(&discovery, &[contest.start(); 2], 1).unwrap();
    assert_eq!((discovery.state_count(), population.counts()), (1, &[2][..]));
    population.run_to(5);
    assert_eq!(population.counts(), [0, 0, 0, 0, 0, 2]);
    population.run_to(6);
    assert_eq!(population.counts(), [0, 0, 0, 0, 0, 1, 1]);
    let shown = discovery.met().with_line_limit(2).to_string();
    let of = |value| format!("Rival {{ role: Leader, value: {value} }}");
    let line = |from, to| format!("{} + {} -> {} + {}\n", of(from), of(from), of(to), of(to));
    assert_eq!(
        shown,
        format!("{}{}... and 4 more\n6 ordered pairs of 7 states met\n", line(0, 1), line(1, 2))
    );
    // Of a randomised pair only the drawn outcomes have numbers.
    let size = SizeEstimation::new(30).unwrap();
    let discovery = Discovery::new(&size);
    let mut population = LazyPopulation::complete(&discovery, &[size.states()[0]; 2], 1).unwrap();
    population.run_to(1);
    assert!(discovery.state_count() <= 3);
    assert!(discovery.met().to_string().contains(" 1/4"));
}

/// A run with more states than can be remembered in pairs is unchanged.
#[test]
fn many_states_change_nothing() {
    let contest = Contest::new(u16::MAX).unwrap();
    let discovery = Discovery::new(&contest);
    let mut plain = UniformPairs::complete(&contest, vec![contest.start(); 20]).unwrap();
    let mut lazy = LazyPopulation::complete(&discovery, &[contest.start(); 20], 3).unwrap();
    let mut choices = Seeded::new(3);
    plain.run(80_000, &mut choices);
    lazy.run_to(80_000);
    assert!(lazy.states().eq(plain.states().iter().copied()));
    assert!(discovery.state_count() > 2048, "{}", discovery.state_count());
}

/// Runs an election, and asserts its invariants after every interaction. Returns the interaction after which one
/// contender was left.
fn election<P: Protocol<State = Elector>>(
    protocol: &P,
    start: Elector,
    agents: usize,
    seed: u64,
) -> Option<u64> {
    let discovery = Discovery::new(protocol);
    let mut population = LazyPopulation::complete(&discovery, &vec![start; agents], seed).unwrap();
    let contends = |elector: Elector| elector.role == LeaderRole::Leader;
    let mut contenders = population.count(contends);
    let mut next_look = 0;
    while contenders > 1 {
        let interaction = population.step();
        if interaction.before == interaction.after {
            continue;
        }
        let has = |number| u64::from(contends(discovery.state(number)));
        let (before, after) = (interaction.before, interaction.after);
        let now = contenders + has(after.0) + has(after.1) - has(before.0) - has(before.1);
        if now == 0 || now > contenders {
            return None;
        }
        contenders = now;
        if population.interactions() >= next_look {
            next_look += agents as u64 / 2;
            let best = population.states().map(|elector| elector.best).max().unwrap();
            let tosses = population.states().filter(|&elector| contends(elector)).map(|elector| elector.toss);
            if tosses.max().unwrap() < best {
                return None;
            }
        }
        if population.interactions() > (agents * agents * 100) as u64 {
            return None;
        }
    }
    Some(population.interactions())
}

#[test]
fn a_junta_elects_one_leader_far_sooner_than_fratricide() {
    let protocol = JuntaLeader::new(128, 200).unwrap();
    for (n, runs) in [(10, 40), (100, 20), (1_000, 12), (10_000, 3)] {
        let mut total = 0.0;
        for seed in 0..runs {
            let at = election(&protocol, protocol.start(), n, seed)
                .expect("a contender at any time, one in the end");
            total += at as f64 / runs as f64;
        }
        let size = n as f64;
        // O(n log^2 n), with one constant for all sizes; fratricide takes n^2.
        assert!(total < 12.0 * size * size.ln().powi(2), "{n}: {total}");
        assert!(n < 10_000 || total < size * size / 4.0, "{n}: {total}");
    }
}

/// A wrong form of the leader election, in which agents with tails give up even if no agent has heads.
struct Hasty(JuntaLeader);

impl Protocol for Hasty {
    type State = Elector;
    type Output = LeaderRole;
    fn transition(&self, initiator: Elector, responder: Elector) -> (Elector, Elector) {
        let (first, mut second) = self.0.transition(initiator, responder);
        if second.toss.round > 0 && !second.toss.is_heads {
            second.role = LeaderRole::Follower;
        }
        (first, second)
    }
    fn output(&self, state: Elector) -> LeaderRole {
        state.role
    }
}

#[test]
fn an_election_in_which_tails_give_up_at_once_is_noticed() {
    let protocol = JuntaLeader::new(8, 200).unwrap();
    assert!((0..20).all(|seed| election(&protocol, protocol.start(), 100, seed).is_some()));
    assert!((0..20).any(|seed| election(&Hasty(protocol), protocol.start(), 100, seed).is_none()));
}

#[test]
fn the_states_of_an_election_are_few_of_very_many() {
    let protocol = JuntaLeader::new(128, 200).unwrap();
    let discovery = Discovery::new(&protocol);
    let mut population = LazyPopulation::complete(&discovery, &[protocol.start(); 1000], 1).unwrap();
    assert!(population.run_until_count(
        |elector| elector.role == LeaderRole::Leader,
        |leaders| leaders == 1,
        1 << 30
    ));
    // The type allows more than 10^9 states: 2 * 13 levels, 13 known maxima, 128 phases, coin, role, two tosses of 200
    // rounds.
    let by_type = 2_u64 * 13 * 13 * 128 * 2 * 2 * 401 * 401;
    assert!(by_type > 1_000_000_000 && discovery.state_count() < 100_000, "{}", discovery.state_count());
}

/// Runs a majority vote in which the winner leads by two. Returns the interaction after which all agents agree on the
/// winner; `None` if it is later than `limit`. Asserts that the signed sum is conserved.
fn majority(
    protocol: &ClockedMajority,
    agents: usize,
    winner: Opinion,
    limit: u64,
    seed: u64,
) -> Option<u64> {
    let discovery = Discovery::new(protocol);
    let loser = if winner == Opinion::A { Opinion::B } else { Opinion::A };
    let opinion = |agent| if agent < agents / 2 + 1 { winner } else { loser };
    let role = |agent| if agent == 0 { LeaderRole::Leader } else { LeaderRole::Follower };
    let start: Vec<_> = (0..agents).map(|agent| protocol.start(opinion(agent), role(agent))).collect();
    let mut population = LazyPopulation::complete(&discovery, &start, seed).unwrap();
    let sum = |population: &LazyPopulation<'_, _>| {
        population.states().map(|state| protocol.weight(state)).sum::<i64>()
    };
    let expected = sum(&population);
    while population.interactions() < limit {
        population.run_to(population.interactions() + 50 * agents as u64);
        assert_eq!(sum(&population), expected);
        let lost = |state: ClockedVote| {
            state.opinion == loser || state.share.is_some_and(|share| share.opinion == loser)
        };
        if population.count(lost) == 0 {
            return Some(population.interactions());
        }
    }
    None
}

#[test]
fn a_clock_makes_votes_that_split_decide_for_a_majority_of_two() {
    // O(n log^2 n), with one constant for both sizes.
    let bound = |n: usize| (20.0 * n as f64 * (n as f64).ln().powi(2)) as u64;
    let protocol = ClockedMajority::new(16, 8).unwrap();
    for n in [1_000, 10_000] {
        for seed in 0..4 {
            let winner = if seed % 2 == 0 { Opinion::A } else { Opinion::B };
            assert!(majority(&protocol, n, winner, bound(n), seed).is_some(), "{n}, {seed}");
        }
    }
    // Votes that do not split only cancel, and do not decide within that bound.
    let whole = ClockedMajority::new(0, 8).unwrap();
    assert!(majority(&whole, 10_000, Opinion::A, bound(10_000), 1).is_none());
}

fn usable(edges: &[[NodeId; 2]]) -> Vec<[usize; 2]> {
    edges.iter().map(|edge| edge.map(NodeId::index)).collect()
}

/// Random colours and bits.
fn arbitrary(colours: u64, agents: usize, seed: u64) -> Vec<Coloured> {
    (0..agents as u64)
        .map(|agent| {
            let word = derived_seed(seed, agent);
            Coloured { colour: (word % colours) as u8, shared: derived_seed(word, 1) & ((1 << colours) - 1) }
        })
        .collect()
}

fn torus(side: u32) -> Vec<[NodeId; 2]> {
    let at = |x: u32, y: u32| NodeId(x % side * side + y % side);
    let edges = |x: u32, y: u32| [[at(x, y), at(x + 1, y)], [at(x, y), at(x, y + 1)]];
    (0..side).flat_map(|x| (0..side).flat_map(move |y| edges(x, y))).collect()
}

/// Whether the run reaches a valid colouring from this start and then keeps it.
fn colours<P: Protocol<State = Coloured>>(
    protocol: &P,
    start: &[Coloured],
    edges: &[[NodeId; 2]],
    seed: u64,
) -> bool {
    let discovery = Discovery::new(protocol);
    let mut population = LazyPopulation::on_edges(&discovery, start, edges.to_vec(), seed).unwrap();
    let ends = usable(edges);
    for _ in 0..20_000 {
        population.run_to(population.interactions() + 20);
        let states: Vec<Coloured> = population.states().collect();
        if !TwoHopColouring::is_stable(&states, &ends) {
            continue;
        }
        // The colouring and the colours stay.
        for _ in 0..50 {
            population.run_to(population.interactions() + 20);
            let later: Vec<Coloured> = population.states().collect();
            assert!(TwoHopColouring::is_stable(&later, &ends));
            assert!(later.iter().zip(&states).all(|(later, state)| later.colour == state.colour));
        }
        return true;
    }
    false
}

#[test]
fn neighbours_of_each_agent_come_to_different_colours_from_any_start() {
    let star: Vec<[NodeId; 2]> = (1..5).map(|leaf| [NodeId(0), NodeId(leaf)]).collect();
    for (colour_count, agents, edges) in
        [(4, 10, ring(10)), (3, 9, ring(9)), (16, 16, torus(4)), (8, 5, star)]
    {
        let protocol = TwoHopColouring::new(colour_count).unwrap();
        for seed in 0..10 {
            let start = arbitrary(colour_count.into(), agents, seed);
            assert!(colours(&protocol, &start, &edges, seed), "{agents} agents, {seed}");
        }
        let alike = vec![Coloured { colour: 0, shared: 0 }; agents];
        assert!(colours(&protocol, &alike, &edges, 1));
        // If bits are not flipped, no agent notices that two neighbours have the same colour.
        assert!(!colours(&Still(protocol), &alike, &edges, 1));
    }
}

/// A wrong form of the colouring that does not flip the bits.
struct Still(TwoHopColouring);

impl Protocol for Still {
    type State = Coloured;
    type Output = u8;
    fn transition(&self, initiator: Coloured, responder: Coloured) -> (Coloured, Coloured) {
        (initiator, responder)
    }
    fn output(&self, state: Coloured) -> u8 {
        state.colour
    }
    fn outcomes(&self, initiator: Coloured, responder: Coloured) -> Vec<(u32, (Coloured, Coloured))> {
        let outcomes = self.0.outcomes(initiator, responder);
        if outcomes.len() == 1 { vec![(1, (initiator, responder))] } else { outcomes }
    }
}

/// Draws of `interact` have the law of `outcomes`.
#[test]
fn the_colour_is_drawn_uniformly() {
    let protocol = TwoHopColouring::new(5).unwrap();
    let [own, other] = [Coloured { colour: 1, shared: 0b100 }, Coloured { colour: 2, shared: 0 }];
    let mut choices = Seeded::new(1);
    let mut seen = [0_u32; 5];
    for _ in 0..5000 {
        let (own, other) = protocol.interact(own, other, &mut choices);
        seen[usize::from(own.colour)] += 1;
        assert_eq!(own.shared >> other.colour & 1, other.shared >> own.colour & 1);
    }
    assert!(seen.iter().all(|count| (880..1120).contains(count)), "{seen:?}");
    assert_eq!(
        protocol.outcomes(own, other).iter().map(|(_, after)| after.0.colour).collect::<BTreeSet<_>>().len(),
        5
    );
}
