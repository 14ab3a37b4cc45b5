//! Every engine, and every switch between engines, against the exact chain. The number of runs suffices to notice a
//! bias of one per cent.
//!
//! The number of interactions and of runs is computed for each protocol and size. In a biased scheduler one interaction
//! in a hundred is between agents in two given states. The exact laws of the sequential and of the biased scheduler
//! determine how far Pearson's statistic moves per run (the non-centrality). This gives the number of runs. Each test
//! also asserts that it rejects a sample of that size from the biased scheduler.

use acrasin_protocols::exact::ExactChain;
use acrasin_protocols::library::{
    ApproximateMajority, ApproximateMajorityOneWay, Cancellation, Cyclic, ExactMajority, Fratricide,
    OneWayEpidemic, TwoWayEpidemic,
};
use acrasin_protocols::uniform::{GraphPopulation, Mode, Population};
use acrasin_protocols::{Missing, Rule, Table, TableSpec, UniformPairs};
use acrasin_runtime::choice::{Seeded, derived_seed};

use super::chi_square::p_value;

const MODES: [Mode; 5] = [Mode::Array, Mode::Epochs, Mode::ShuffledEpochs, Mode::Active, Mode::Urn];

/// All twenty switches between two modes, as an Eulerian circuit: modes by their index in [`MODES`].
const SWITCHES: [usize; 20] = [0, 1, 0, 2, 0, 3, 0, 4, 1, 2, 1, 3, 1, 4, 2, 3, 2, 4, 3, 4];

/// All twelve switches without the last mode, which does not support random outcomes.
const SWITCHES_OF_FOUR: [usize; 12] = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];

const SIZES: [u32; 3] = [5, 12, 40];

/// The smallest accepted p-value: a family-wise error of 1e-6 over all tests of this file.
const LEAST: f64 = 1e-6 / 600.0;

/// One interaction in this many of a biased sampler is wrong.
const BIASED: u64 = 100;

/// A protocol with its start and its exact chain.
struct Subject {
    name: String,
    table: Table,
    start: Vec<u32>,
    chain: ExactChain,
    /// The configurations, numbered by their counts without the last one.
    numbers: Vec<u32>,
    /// The pairs of states that change something.
    active: Vec<[u16; 2]>,
    /// For each configuration, the step of each active pair.
    steps: Vec<Vec<Step>>,
}

/// The probability that a pair of states interacts, and the possible next configurations with their probabilities.
type Step = (f64, Vec<(usize, f64)>);

/// The design of a test.
struct Design {
    /// The number of interactions of a run, and the law after them.
    interactions: u64,
    law: Vec<f64>,
    runs: u64,
    /// The index of the active pair that the biased sampler draws in one interaction of a hundred, if such agents
    /// exist.
    wrong: usize,
}

impl Subject {
    fn new(name: &str, table: Table, shares: &[u32], agents: u32) -> Self {
        let total: u32 = shares.iter().sum();
        let mut start: Vec<u32> = shares.iter().map(|count| count * agents / total).collect();
        let largest = (0..shares.len()).max_by_key(|&state| shares[state]).unwrap();
        start[largest] += agents - start.iter().sum::<u32>();
        let chain = ExactChain::explore(&table, &start).unwrap();
        let mut subject = Self {
            name: format!("{name}, {agents} agents"),
            active: pairs(&table).filter(|&[a, b]| !table.is_null(a, b)).collect(),
            numbers: vec![u32::MAX; (agents as usize + 1).pow(start.len() as u32 - 1)],
            steps: Vec::new(),
            table,
            start,
            chain,
        };
        for (number, counts) in subject.chain.configurations().iter().enumerate() {
            let place = place(counts.iter().map(|&count| u64::from(count)), agents);
            subject.numbers[place] = number as u32;
        }
        let steps = subject.chain.configurations().iter().map(|counts| subject.steps_of(counts));
        subject.steps = steps.collect();
        subject
    }

    /// The steps from a configuration, computed from the table and not by [`ExactChain`].
    fn steps_of(&self, counts: &[u32]) -> Vec<Step> {
        let agents = self.agents();
        let steps = self.active.iter().map(|&[a, b]| {
            let others = counts[usize::from(b)].saturating_sub(u32::from(a == b));
            let weight = f64::from(counts[usize::from(a)] * others) / f64::from(agents * (agents - 1));
            if weight == 0.0 {
                return (0.0, Vec::new());
            }
            let total: f64 = self.table.outcomes(a, b).map(|outcome| f64::from(outcome.weight)).sum();
            let outcomes = self.table.outcomes(a, b).map(|outcome| {
                let after = changed(counts, [a, b], [outcome.initiator, outcome.responder]);
                let number = self.number(after.iter().map(|&count| u64::from(count)));
                (number, f64::from(outcome.weight) / total)
            });
            (weight, outcomes.collect())
        });
        steps.collect()
    }

    fn agents(&self) -> u32 {
        self.start.iter().sum()
    }

    fn number(&self, counts: impl IntoIterator<Item = u64>) -> usize {
        let number = self.numbers[place(counts, self.agents())];
        assert_ne!(number, u32::MAX, "{}: a configuration that cannot be reached", self.name);
        number as usize
    }

    /// The cheapest test that notices one wrong interaction in a hundred.
    fn design(&self) -> Design {
        let mut best: Option<(f64, Design)> = None;
        for wrong in 0..self.active.len() {
            let mut right = vec![0.0; self.steps.len()];
            right[0] = 1.0;
            let mut biased = right.clone();
            let agents = u64::from(self.agents());
            for interactions in 1..=3 * agents {
                biased = self.step(&biased, Some(wrong));
                right = self.step(&right, None);
                let mut runs = 1000.0;
                // The number of runs determines which cells are joined, and so the result: a few iterations suffice.
                for _ in 0..4 {
                    let (moves, cells) = non_centrality(&right, &biased, runs);
                    runs = (60.0 + 7.0 * (2.0 * cells).sqrt()) / moves;
                }
                // There must be time for epochs of several interactions, and for switches.
                if interactions < agents {
                    continue;
                }
                let cost = runs * (40.0 + interactions as f64);
                if runs.is_finite() && best.as_ref().is_none_or(|best| cost < best.0) {
                    let runs = runs as u64 + 1000;
                    best = Some((cost, Design { interactions, law: right.clone(), runs, wrong }));
                }
            }
        }
        best.unwrap().1
    }

    /// The law one interaction after `now`. `wrong` is the pair that a biased sampler draws in one interaction of a
    /// hundred.
    fn step(&self, now: &[f64], wrong: Option<usize>) -> Vec<f64> {
        let mut next = vec![0.0; now.len()];
        for (number, (steps, &probability)) in self.steps.iter().zip(now).enumerate() {
            let mut take = |share: f64, outcomes: &[(usize, f64)]| {
                for &(after, chance) in outcomes {
                    next[after] += probability * share * chance;
                }
            };
            let wrong = wrong.map(|pair| &steps[pair]).filter(|(weight, _)| *weight > 0.0);
            let fair = if wrong.is_some() { 1.0 - 1.0 / BIASED as f64 } else { 1.0 };
            if let Some((_, outcomes)) = wrong {
                take(1.0 - fair, outcomes);
            }
            let mut stays = fair;
            for (weight, outcomes) in steps {
                take(fair * weight, outcomes);
                stays -= fair * weight;
            }
            next[number] += probability * stays;
        }
        next
    }

    /// The frequency of each configuration over `runs` seeds.
    fn seen(&self, runs: u64, mut run: impl FnMut(u64) -> usize) -> Vec<u64> {
        let mut seen = vec![0; self.chain.configurations().len()];
        for seed in 0..runs {
            seen[run(seed)] += 1;
        }
        seen
    }

    /// The sequential scheduler on counts, with or without the bias.
    fn sequential(&self, interactions: u64, seed: u64, wrong: Option<usize>) -> usize {
        let mut random = Words(derived_seed(77, seed));
        let agents = u64::from(self.agents());
        let mut counts = self.start.clone();
        for _ in 0..interactions {
            let wrong = wrong.filter(|_| random.below(BIASED) == 0).map(|pair| self.active[pair]);
            let is_there =
                |&[a, b]: &[u16; 2]| counts[usize::from(a)] > 0 && counts[usize::from(b)] > u32::from(a == b);
            let [a, b] = wrong.filter(is_there).unwrap_or_else(|| {
                let a = ticketed(&counts, random.below(agents) as u32);
                counts[usize::from(a)] -= 1;
                let b = ticketed(&counts, random.below(agents - 1) as u32);
                counts[usize::from(a)] += 1;
                [a, b]
            });
            let total = self.table.outcomes(a, b).map(|outcome| u64::from(outcome.weight)).sum();
            let mut ticket = random.below(total);
            let outcome = self.table.outcomes(a, b).find(|outcome| {
                let here = ticket < u64::from(outcome.weight);
                ticket = ticket.wrapping_sub(u64::from(outcome.weight));
                here
            });
            let outcome = outcome.unwrap();
            counts = changed(&counts, [a, b], [outcome.initiator, outcome.responder]);
        }
        self.number(counts.iter().map(|&count| u64::from(count)))
    }

    fn check(&self) {
        let Design { interactions, law, runs, wrong } = self.design();
        let known = self.chain.distribution_after(interactions);
        assert!(law.iter().zip(&known).all(|(a, b)| (a - b).abs() < 1e-11), "{}: two chains", self.name);
        let counts: Vec<u64> = self.start.iter().map(|&count| count.into()).collect();
        let mut population = Population::new(&self.table, &counts, 0).unwrap();
        let is_urn = population.allows(Mode::Urn);
        let holds = |way: &str, seen: &[u64]| {
            let p = p_value(seen, &law);
            assert!(p > LEAST, "{}, {interactions} interactions, {way}: p = {p:e}", self.name);
        };
        let mut restarted = |seed: u64, mode: Option<Mode>| {
            population.restart(&counts, seed).unwrap();
            if let Some(mode) = mode {
                population.force(mode);
            }
            population.run_to(interactions);
            self.number(population.counts().iter().copied())
        };
        for &mode in MODES.iter().filter(|&&mode| is_urn || mode != Mode::Urn) {
            holds(&format!("{mode:?}"), &self.seen(runs, |seed| restarted(seed, Some(mode))));
        }
        // The mode is chosen by the engine. Other tests check which one it is.
        holds("chosen", &self.seen(runs.min(4000), |seed| restarted(seed, None)));
        let mut switched = |seed: u64| {
            population.restart(&counts, seed).unwrap();
            // Four switches per run: five runs have all twenty, and three runs all twelve.
            let switches = if is_urn { &SWITCHES[..] } else { &SWITCHES_OF_FOUR };
            for stretch in 0..5 {
                population.force(MODES[switches[(4 * seed as usize + stretch) % switches.len()]]);
                population.run_to(interactions * (stretch as u64 + 1) / 5);
            }
            self.number(population.counts().iter().copied())
        };
        holds("switched", &self.seen(runs, &mut switched));
        let states: Vec<u16> =
            (0..).zip(&self.start).flat_map(|(state, &n)| std::iter::repeat_n(state, n as usize)).collect();
        let one_by_one = |seed: u64| {
            let mut pairs = UniformPairs::complete(&self.table, states.clone()).unwrap();
            pairs.run(interactions, &mut Seeded::new(derived_seed(3, seed)));
            self.number(counted(pairs.states().iter().copied(), self.start.len()))
        };
        holds("one by one", &self.seen(runs, one_by_one));
        if self.agents() <= 12 {
            let edges: Vec<[u32; 2]> = (0..self.agents()).flat_map(|v| (0..v).map(move |u| [u, v])).collect();
            let on_edges = |seed: u64| {
                let mut graph = GraphPopulation::new(&self.table, &states, edges.clone(), seed).unwrap();
                graph.run_to(interactions);
                self.number(graph.counts().iter().copied())
            };
            holds("on edges", &self.seen(runs.min(4000), on_edges));
        }
        holds("sequential", &self.seen(runs, |seed| self.sequential(interactions, seed, None)));
        // The same test must reject a sampler that is wrong by one per cent.
        let wrong = self.seen(runs, |seed| self.sequential(interactions, seed, Some(wrong)));
        let p = p_value(&wrong, &law);
        assert!(p < LEAST, "{}, {interactions} interactions, {runs} runs, biased: p = {p:e}", self.name);
    }
}

/// The increase of Pearson's statistic per run, and the number of cells. Cells with fewer than 5 expected observations
/// are joined.
fn non_centrality(right: &[f64], biased: &[f64], runs: f64) -> (f64, f64) {
    let (mut moves, mut cells, mut joined) = (0.0, 0.0, (0.0, 0.0));
    for (&right, &biased) in right.iter().zip(biased) {
        if right * runs < 5.0 {
            joined = (joined.0 + right, joined.1 + biased);
        } else {
            moves += (right - biased) * (right - biased) / right;
            cells += 1.0;
        }
    }
    if joined.0 * runs >= 5.0 {
        moves += (joined.0 - joined.1) * (joined.0 - joined.1) / joined.0;
        cells += 1.0;
    }
    (if cells < 2.0 { 0.0 } else { moves }, cells)
}

/// The counts as one number, without the last count, which follows from the others.
fn place(counts: impl IntoIterator<Item = u64>, agents: u32) -> usize {
    let counts: Vec<usize> = counts.into_iter().map(|count| count as usize).collect();
    counts[..counts.len() - 1].iter().fold(0, |place, count| place * (agents as usize + 1) + count)
}

fn pairs(table: &Table) -> impl Iterator<Item = [u16; 2]> {
    let states = table.state_count();
    (0..states).flat_map(move |a| (0..states).map(move |b| [a, b]))
}

fn changed(counts: &[u32], before: [u16; 2], after: [u16; 2]) -> Vec<u32> {
    let mut counts = counts.to_vec();
    for state in before {
        counts[usize::from(state)] -= 1;
    }
    for state in after {
        counts[usize::from(state)] += 1;
    }
    counts
}

fn ticketed(counts: &[u32], mut ticket: u32) -> u16 {
    for (state, &count) in (0..).zip(counts) {
        if ticket < count {
            return state;
        }
        ticket -= count;
    }
    unreachable!("a ticket is below the number of agents")
}

fn counted(states: impl Iterator<Item = u16>, count: usize) -> Vec<u64> {
    let mut counts = vec![0; count];
    for state in states {
        counts[usize::from(state)] += 1;
    }
    counts
}

/// A generator used only here, so that the reference shares no code with the engines that it checks (Steele, Lea, Flood
/// 2014).
struct Words(u64);

impl Words {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound. The bias is at most 2^-50 for the bounds used here.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }
}

fn check(name: &str, table: &Table, shares: &[u32]) {
    for agents in SIZES {
        Subject::new(name, table.clone(), shares, agents).check();
    }
}

#[test]
fn epidemics_fratricide_and_cancellation_have_the_exact_law_by_every_engine() {
    check("one-way epidemic", &Table::compile(&OneWayEpidemic).unwrap(), &[8, 4]);
    check("two-way epidemic", &Table::compile(&TwoWayEpidemic).unwrap(), &[8, 4]);
    check("fratricide", &Table::compile(&Fratricide).unwrap(), &[12, 0]);
    check("cancellation", &Table::compile(&Cancellation).unwrap(), &[7, 5, 0]);
}

#[test]
fn majorities_and_rock_paper_scissors_have_the_exact_law_by_every_engine() {
    check("approximate majority", &Table::compile(&ApproximateMajority).unwrap(), &[7, 5, 0]);
    check("one-way majority", &Table::compile(&ApproximateMajorityOneWay).unwrap(), &[7, 5, 0]);
    check("exact majority", &Table::compile(&ExactMajority).unwrap(), &[7, 5, 0, 0]);
    check("rock, paper, scissors", &Table::compile(&Cyclic::ROCK_PAPER_SCISSORS).unwrap(), &[4, 4, 4]);
}

/// The pairs of states that have a rule, and the states that it may change.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Symmetric,
    Ordered,
    OneWay,
    Randomised,
}

/// A random table of three states.
fn drawn_table(kind: Kind, random: &mut Words) -> Table {
    const NAMES: [&str; 3] = ["A", "B", "C"];
    let mut rules = Vec::new();
    for a in NAMES {
        for b in NAMES {
            let left = format!("{a} + {b}");
            let mut state = || NAMES[random.below(3) as usize];
            rules.push(match kind {
                Kind::Symmetric if a > b => continue,
                // Equal agents cannot tell who is the initiator, so their next states are equal.
                Kind::Symmetric if a == b => {
                    let state = state();
                    Rule::Symmetric(format!("{left} -> {state} + {state}"))
                }
                Kind::Symmetric => Rule::Symmetric(format!("{left} -> {} + {}", state(), state())),
                Kind::Ordered => Rule::Ordered(format!("{left} -> {} + {}", state(), state())),
                Kind::OneWay => Rule::OneWay(format!("{left} -> {a} + {}", state())),
                Kind::Randomised => {
                    let mut outcomes: Vec<(u64, String)> = Vec::new();
                    for weight in [1, 2, 4] {
                        let outcome = format!("{} + {}", state(), state());
                        match outcomes.iter_mut().find(|(_, known)| *known == outcome) {
                            Some((known, _)) => *known += weight,
                            None => outcomes.push((weight, outcome)),
                        }
                    }
                    Rule::Randomised(left, outcomes)
                }
            });
        }
    }
    let states = NAMES.map(str::to_owned).to_vec();
    TableSpec { states, rules, default: Some(Missing::Null), ..TableSpec::default() }.build().unwrap()
}

fn check_drawn(kind: Kind) {
    let mut random = Words(kind as u64);
    let [few, some, many] = SIZES;
    for sizes in [&[few, many][..], &[some]] {
        let table = drawn_table(kind, &mut random);
        for &agents in sizes {
            Subject::new(&format!("{kind:?} table"), table.clone(), &[5, 4, 3], agents).check();
        }
    }
}

#[test]
fn symmetric_tables_have_the_exact_law_by_every_engine() {
    check_drawn(Kind::Symmetric);
}

#[test]
fn ordered_tables_have_the_exact_law_by_every_engine() {
    check_drawn(Kind::Ordered);
}

#[test]
fn one_way_tables_have_the_exact_law_by_every_engine() {
    check_drawn(Kind::OneWay);
}

#[test]
fn randomised_tables_have_the_exact_law_by_every_engine() {
    check_drawn(Kind::Randomised);
}

/// The circuits contain each ordered pair of different modes once.
#[test]
fn the_circuits_of_switches_have_all() {
    for circuit in [&SWITCHES[..], &SWITCHES_OF_FOUR] {
        let length = circuit.len();
        let mut switches: Vec<[usize; 2]> =
            (0..length).map(|place| [circuit[place], circuit[(place + 1) % length]]).collect();
        switches.sort_unstable();
        switches.dedup();
        assert_eq!(switches.len(), length);
        assert!(switches.iter().all(|[from, to]| from != to));
        // A run has four switches and begins at a multiple of four.
        assert_eq!(length % 4, 0);
    }
    assert_eq!([SWITCHES.len(), SWITCHES_OF_FOUR.len()], [5 * 4, 4 * 3]);
}
