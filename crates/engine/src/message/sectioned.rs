//! Critical sections under the locks of a message-level run.

use acrasin_runtime::choice::FixedProbability;
use acrasin_runtime::pack::{Pack, PackError, Saved, unpack_list};
use acrasin_runtime::port::Port;
use acrasin_runtime::{CriticalSection, LockSetRule, Locked, NodeId, StepOf, exclusion::local::Local};
use rayon::prelude::*;

use super::block::LANES;
use super::change_error::ChangeError;
use super::chunk::{CHUNK, PARALLEL_FROM};
use super::config::Config;
use super::configuration::{LockCode, LockConfiguration};
use super::inputs::RoundCalls;
use super::network::MessageNetwork;
use super::rounds::{Changing, EdgeLifetime, Lasting, WordRounds};
use crate::RoundCancellation;
use crate::draw::{Purpose, Stream};
use crate::round::{ActiveBlocks, ActiveNodes, Figures, TooLarge};
use crate::threads::each_part;

/// The number of sections from which a round runs them on the threads of the pool.
const PARALLEL_SECTIONS: usize = 256;
/// The number of sections that a thread runs as one share.
const SECTIONS_A_SHARE: usize = 32;
/// The number of shares between two checks for cancellation.
const SHARES_A_QUESTION: usize = 16;

/// Rounds in which nodes have states. A critical section decides which nodes call Lock and what happens under the
/// locks.
///
/// If [`CriticalSection::unlocks`] is true, an active node that holds its lock set runs [`CriticalSection::enter`] on
/// the states of the connected part of its lock set, and calls Unlock. If [`CriticalSection::wants`] is true, an idle
/// active node calls Lock. Both methods are evaluated on the states at the start of the round. Lock sets are disjoint,
/// so the sections of a round run in parallel. The draws of a section have purpose [`Purpose::Section`] and depend on
/// round and node.
///
/// States are stored in addition to the words. A section works on copies of the states that it has locked.
///
/// ```
/// use acrasin_engine::draw::Priorities;
/// use acrasin_engine::message::{Config, Sectioned};
/// use acrasin_engine::round::MemoryLimit;
/// use acrasin_engine::{ActiveNodes, Draws, Lattice, LatticeKind, Wanting};
/// use acrasin_runtime::{CriticalSection, Choices, Locked};
///
/// /// Takes one from every neighbour that has more than the node itself.
/// struct Gather;
/// impl CriticalSection for Gather {
///     type State = u32;
///     type Outcome = ();
///     fn wants(&self, _own: &u32, _degree: u16) -> bool {
///         true
///     }
///     fn enter(&self, held: &mut Locked<'_, u32>, _choices: &mut dyn Choices) {
///         for port in held.ports().collect::<Vec<_>>() {
///             let (own, other) = held.pair_mut(port).expect("a port of the lock set");
///             if *other > *own {
///                 (*own, *other) = (*own + 1, *other - 1);
///             }
///         }
///     }
/// }
///
/// let config = Config {
///     draws: Draws::new(1),
///     priorities: Priorities::new(64).unwrap(),
///     wanting: Wanting::Never, // the section decides
///     memory: MemoryLimit::NONE,
/// };
/// let torus = Lattice::new(LatticeKind::Square, 10, 10)?;
/// let mut run = Sectioned::new(torus, config, Gather, (0..100).collect())?;
/// for _ in 0..500 {
///     run.round(&ActiveNodes::All);
/// }
/// assert_eq!(run.states().iter().sum::<u32>(), 4950);
/// assert!(run.figures().releases > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sectioned<N, S: CriticalSection, E = Lasting> {
    rounds: WordRounds<N, E>,
    section: S,
    states: Vec<S::State>,
    /// The nodes that call Lock if they are idle, as bits, one word per block. `unlocks` has the nodes that call Unlock
    /// if they hold their lock sets.
    wants: Vec<u64>,
    unlocks: Vec<u64>,
}

/// The result of a section: the new states of the holder and its neighbours, and the section's outcome.
struct SectionResult<S: CriticalSection> {
    members: Vec<u32>,
    states: Vec<S::State>,
    outcome: S::Outcome,
}

impl<N: MessageNetwork, S: CriticalSection> Sectioned<N, S> {
    /// Starts a run on a graph that never changes. [`Config::wanting`] is ignored.
    ///
    /// # Errors
    ///
    /// The run would need more memory than the limit. States count with the size of their type.
    ///
    /// # Panics
    ///
    /// Panics unless `states` has one entry per node.
    pub fn new(network: N, config: Config, section: S, states: Vec<S::State>) -> Result<Self, TooLarge> {
        check_memory(&network, config, &states)?;
        Ok(Self::of(WordRounds::new(network, config)?, section, states))
    }
}

impl<N: MessageNetwork, S: CriticalSection> Sectioned<N, S, Changing> {
    /// Starts a run on a graph that changes between rounds, or with Locks on pairs.
    ///
    /// # Errors
    ///
    /// The run would need more memory than the limit. States count with the size of their type.
    ///
    /// # Panics
    ///
    /// Panics unless `states` has one entry per node.
    pub fn changing(
        network: N,
        config: Config,
        lock_set: LockSetRule,
        section: S,
        states: Vec<S::State>,
    ) -> Result<Self, TooLarge> {
        check_memory(&network, config, &states)?;
        Ok(Self::of(WordRounds::changing(network, config, lock_set)?, section, states))
    }

    /// Changes the graph; see [`WordRounds::change`].
    ///
    /// # Errors
    ///
    /// [`ChangeError`].
    ///
    /// # Panics
    ///
    /// Panics if the step is not a change of the graph.
    pub fn change(&mut self, step: &StepOf<Local>) -> Result<(), ChangeError> {
        self.rounds.change(step)
    }

    /// Flips edges; see [`WordRounds::flip`].
    pub fn flip(&mut self, probability: FixedProbability) -> u64 {
        self.rounds.flip(probability)
    }
}

fn check_memory<N: MessageNetwork, T>(network: &N, config: Config, states: &[T]) -> Result<(), TooLarge> {
    assert_eq!(states.len(), network.nodes() as usize, "one state a node");
    config.memory.check(u64::from(network.nodes()), size_of_val(states) as u64)
}

impl<N: MessageNetwork, S: CriticalSection, E: EdgeLifetime> Sectioned<N, S, E> {
    fn of(rounds: WordRounds<N, E>, section: S, states: Vec<S::State>) -> Self {
        let blocks = states.len().div_ceil(LANES);
        Self { rounds, section, states, wants: vec![0; blocks], unlocks: vec![0; blocks] }
    }

    /// The states, one per node.
    #[must_use]
    pub fn states(&self) -> &[S::State] {
        &self.states
    }

    /// The critical section that the nodes run.
    #[must_use]
    pub fn section(&self) -> &S {
        &self.section
    }

    /// The underlying rounds, with words, figures and graph.
    #[must_use]
    pub fn rounds(&self) -> &WordRounds<N, E> {
        &self.rounds
    }

    /// The figures, summed over all rounds.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.rounds.figures()
    }
}

impl<N: MessageNetwork, S: CriticalSection<State: Pack>, E: EdgeLifetime> Saved for Sectioned<N, S, E> {
    fn save(&self, into: &mut Vec<u8>) {
        self.rounds.save(into);
        self.states.pack(into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.rounds.load(from)?;
        unpack_list(&mut self.states, from)
    }
}

impl<N, S, E> Sectioned<N, S, E>
where
    N: MessageNetwork,
    E: EdgeLifetime + Sync,
    S: CriticalSection<State: Send + Sync, Outcome: Send> + Sync,
{
    /// Runs one round and returns its figures.
    pub fn round(&mut self, activation: &ActiveNodes<'_>) -> Figures {
        self.round_observed(activation, |_, _| {})
    }

    /// Runs one round and returns its figures. `observe` receives the outcome of every section, in the order of the
    /// holders.
    pub fn round_observed(
        &mut self,
        activation: &ActiveNodes<'_>,
        observe: impl FnMut(NodeId, S::Outcome),
    ) -> Figures {
        self.round_while(activation, observe, &RoundCancellation::never()).expect("it is not cut")
    }

    /// Runs a round that may be cancelled. A cancelled round leaves the configuration and the states unchanged, reports
    /// nothing to `observe` and returns `None`.
    pub fn round_while(
        &mut self,
        activation: &ActiveNodes<'_>,
        mut observe: impl FnMut(NodeId, S::Outcome),
        cancellation: &RoundCancellation<'_>,
    ) -> Option<Figures> {
        let draws = self.rounds.config().draws;
        let round = self.rounds.round_number();
        self.ask(&activation.in_round(draws, round));
        if !cancellation.begins(0) {
            return None;
        }
        let holders: Vec<u32> = nodes_in(&self.unlocks).collect();
        let stream = draws.stream(Purpose::Section, round);
        let shares: Vec<&[u32]> = holders.chunks(SECTIONS_A_SHARE).collect();
        let entered = each_part(shares, holders.len() >= PARALLEL_SECTIONS, |index, holders| {
            let enter = |&holder: &u32| self.enter(holder, stream);
            if index % SHARES_A_QUESTION != 0 || cancellation.begins(0) {
                holders.iter().map(enter).collect()
            } else {
                Vec::<SectionResult<S>>::new()
            }
        });
        if cancellation.is_cut() {
            return None;
        }
        // The words do not depend on the states. So states change only once the round can no longer be cancelled.
        let calls = RoundCalls::Given { wants: &self.wants, unlocks: &self.unlocks };
        let figures = self.rounds.round_with(activation, calls, cancellation)?;
        for (&holder, SectionResult { members, states, outcome }) in
            holders.iter().zip(entered.into_iter().flatten())
        {
            for (member, state) in members.into_iter().zip(states) {
                self.states[member as usize] = state;
            }
            observe(NodeId(holder), outcome);
        }
        Some(figures)
    }

    /// Collects the nodes for which the section wants Lock or Unlock in this round.
    fn ask(&mut self, active: &ActiveBlocks<'_>) {
        let (rounds, section, states) = (&self.rounds, &self.section, &self.states);
        let ask = |block: usize, wants: &mut u64, unlocks: &mut u64| {
            (*wants, *unlocks) = (0, 0);
            let mut rest = active.block(block as u64);
            while rest != 0 {
                let lane = rest.trailing_zeros();
                rest &= rest - 1;
                let node = (block * LANES) as u32 + lane;
                let Some(state) = states.get(node as usize) else { break };
                match rounds.published(node).code {
                    LockCode::Idle => *wants |= u64::from(section.wants(state, rounds.degree(node))) << lane,
                    LockCode::Locked => *unlocks |= u64::from(section.unlocks(state)) << lane,
                    _ => {}
                }
            }
        };
        ask_blocks(&mut self.wants, &mut self.unlocks, states.len() >= PARALLEL_FROM, &ask);
    }

    /// Runs the section of a holder on copies of the states of its lock set.
    fn enter(&self, holder: u32, stream: Stream) -> SectionResult<S> {
        let mut members = vec![holder];
        let mut neighbours = Vec::new();
        for port in 1..=self.rounds.ports() {
            if self.rounds.member(holder, port)
                && let Some((peer, _)) = self.rounds.link(holder, port)
            {
                neighbours.push((Port(port), NodeId(members.len() as u32)));
                members.push(peer);
            }
        }
        let mut states: Vec<S::State> =
            members.iter().map(|&member| self.states[member as usize].clone()).collect();
        let mut held = Locked::new(&mut states, NodeId(0), &neighbours);
        let outcome = self.section.enter(&mut held, &mut stream.of_node(holder));
        SectionResult { members, states, outcome }
    }
}

/// Calls `ask` for each block, with the block's words of the two lists.
fn ask_blocks(
    wants: &mut [u64],
    unlocks: &mut [u64],
    parallel: bool,
    ask: &(dyn Fn(usize, &mut u64, &mut u64) + Sync),
) {
    if parallel {
        let blocks = wants.par_iter_mut().zip(unlocks).enumerate().with_min_len(CHUNK / LANES);
        blocks.for_each(|(block, (wants, unlocks))| ask(block, wants, unlocks));
    } else {
        let blocks = wants.iter_mut().zip(unlocks).enumerate();
        blocks.for_each(|(block, (wants, unlocks))| ask(block, wants, unlocks));
    }
}

/// The nodes whose bits are set in `blocks`, in increasing order.
fn nodes_in(blocks: &[u64]) -> impl Iterator<Item = u32> + '_ {
    (0..).zip(blocks).flat_map(|(block, &bits): (u32, &u64)| {
        (0..LANES as u32)
            .filter(move |lane| bits >> lane & 1 == 1)
            .map(move |lane| block * LANES as u32 + lane)
    })
}
