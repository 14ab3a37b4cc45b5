//! The verdict on a claim about every population size.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use acrasin_protocols::predicate::LinearFormula;
use serde_json::Value;

use crate::certificate::certificate;
use crate::constraints::SideSystem;
use crate::exploration::{WrongEnd, wrong_input};
use crate::fault::PlantedFault;
use crate::format::CertificateFormat;
use crate::search::{CaseAnswer, SideSearch};
use crate::system::{SizedClaim, SizedGoal};
use crate::tree::{TreeSearch, Unproved};
use crate::work::{GaveUp, ProofWork, ReachedLimit};

/// The largest population that is explored before the search for a proof starts.
const FIRST_SWEEP: u64 = 5;

/// The maximum number of configurations that the first sweep explores from one input.
const FIRST_SWEEP_CONFIGURATIONS: usize = 20_000;

/// The largest population that is explored before the search if few inputs have that size. A wrong exception in a
/// predicate, such as `s1 mod 6 = 1 and s1 != 7`, takes the search a minute, and 7 agents a millisecond.
const SECOND_SWEEP: u64 = 8;

/// The maximum number of input states for the second sweep: 495 inputs of 8 agents.
const SECOND_SWEEP_INPUTS: usize = 5;

/// The maximum number of configurations from one input, times transitions, in the second sweep.
const SECOND_SWEEP_WORK: usize = 20_000_000;

/// Work limits of a proof.
#[derive(Clone, Debug)]
pub struct ProofLimits {
    /// The maximum number of tableau entries that all pivots together may process. The work of a pivot grows with the
    /// tableau, so this measures work better than the number of pivots.
    pub entries: u64,
    /// The lemmas that certificates may use.
    pub format: CertificateFormat,
    /// A flag that the caller sets to stop the search.
    pub stop: Arc<AtomicBool>,
}

impl Default for ProofLimits {
    fn default() -> Self {
        Self {
            entries: 60_000_000_000,
            format: CertificateFormat::default(),
            stop: Arc::new(AtomicBool::new(false)),
        }
    }
}

/// A proof of a claim, and its size.
#[derive(Clone, PartialEq, Debug)]
pub struct EverySizeProof {
    /// The certificate, which the command `acrasin check-certificate` reads.
    pub certificate: Value,
    /// The number of nodes of the stage trees.
    pub nodes: u64,
    /// The number of steps at the nodes of the trees.
    pub steps: u64,
    /// The number of nodes of the proofs at leaves and steps.
    pub proof_nodes: u64,
    /// The largest number of transitions that stay live at a leaf; 0 if every bottom component is silent.
    pub live: usize,
}

/// The smallest known counterexample.
#[derive(Clone, PartialEq, Debug)]
pub struct WrongPopulation {
    /// The input, and a run to a wrong end.
    pub end: Box<WrongEnd>,
    /// Whether all smaller populations are known to be right.
    pub smaller: SmallerPopulations,
}

/// The knowledge about populations that are smaller than the counterexample.
#[derive(Clone, PartialEq, Debug)]
pub enum SmallerPopulations {
    /// All smaller populations were explored exhaustively, and are right.
    Explored,
    /// The claim restricted to smaller populations is proved.
    Proved(Box<EverySizeProof>),
    /// Smaller populations were explored only up to this number of agents.
    Unknown(u64),
}

/// The reason why a claim is neither proved nor refuted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenQuestion {
    /// The side on which the search is stuck: `true` for inputs for which the predicate holds, `false` for the others.
    pub value: bool,
    /// The numbers of the transitions that the search could not show to be dead.
    pub live: Vec<usize>,
    /// An input and a wrong final configuration that no argument excludes, if one was found.
    pub candidate: Option<(Vec<u64>, Vec<u64>)>,
    /// The limits that the search reached at the last step it tried, sorted; empty if it tried all that it knows.
    pub limits: Vec<ReachedLimit>,
    /// The number of agents up to which all populations were explored without a wrong end.
    pub explored: u64,
}

/// The verdict on a claim about every population size.
#[derive(Clone, PartialEq, Debug)]
pub enum EverySize {
    /// The claim holds for every input of two or more agents.
    Proved(EverySizeProof),
    /// The claim is false: an input reaches a wrong end.
    Refuted(WrongPopulation),
    /// The search ended without an answer.
    Unknown(OpenQuestion),
    /// The caller stopped the search.
    Interrupted,
}

/// A verdict and the work that the search took.
#[derive(Clone, PartialEq, Debug)]
pub struct EverySizeReport {
    /// Whether the claim is proved, refuted or undecided, with the evidence.
    pub verdict: EverySize,
    /// The number of pivots of the simplex.
    pub pivots: u64,
    /// The number of queries of the constraint solver.
    pub queries: u64,
    /// The number of tableau entries that all pivots processed.
    pub entries: u64,
}

/// Proves or refutes a claim for every population size. The answer depends only on the claim and the limits.
#[must_use]
pub fn prove(claim: &SizedClaim, limits: &ProofLimits) -> EverySizeReport {
    let mut work = ProofWork::new(limits.entries, Arc::clone(&limits.stop));
    work.format = limits.format;
    let verdict = decide(claim, limits, &mut work).unwrap_or(EverySize::Interrupted);
    EverySizeReport { verdict, pivots: work.pivots, queries: work.queries, entries: work.entries }
}

/// Whether some input of two or more agents satisfies the claim's `given`; also true if the search for such an input
/// ends without an answer.
#[must_use]
pub fn covers_an_input(claim: &SizedClaim, limits: &ProofLimits) -> bool {
    if claim.given.is_none() {
        return !claim.inputs.is_empty();
    }
    // Without a predicate and a wrong end, the constraints are those of the inputs alone.
    let everything = LinearFormula::All(Vec::new());
    let inputs = SizedClaim {
        goal: SizedGoal::Eventually(everything),
        transitions: Vec::new(),
        chances: Vec::new(),
        occurring: claim.inputs.iter().copied().collect::<BTreeSet<usize>>().into_iter().collect(),
        ..claim.clone()
    };
    let mut work = ProofWork::new(limits.entries, Arc::clone(&limits.stop));
    match SideSystem::new(&Arc::new(inputs), true) {
        Ok((system, constraints, _)) => {
            let mut search = SideSearch::new(system, &mut work, CertificateFormat::WholeRuns);
            let answer = search.query(constraints, u64::MAX);
            !matches!(answer, CaseAnswer::Impossible(..))
        }
        Err(_) => true,
    }
}

/// The error that the caller asked to stop.
struct SearchStopped;

fn decide(
    claim: &SizedClaim,
    limits: &ProofLimits,
    work: &mut ProofWork,
) -> Result<EverySize, SearchStopped> {
    let mut explored = 1;
    for (largest, configurations) in first_sweeps(claim) {
        if explored < largest {
            match sweep(claim, explored + 1, largest, configurations, limits)? {
                SizeSweep::Wrong(end) => {
                    let smaller = SmallerPopulations::Explored;
                    return Ok(EverySize::Refuted(WrongPopulation { end, smaller }));
                }
                SizeSweep::RightUpTo(agents) => explored = agents,
            }
        }
    }
    match prove_sides(claim, work) {
        Ok(proof) => Ok(EverySize::Proved(proof)),
        Err((_, Unproved::WrongInput(input))) => {
            Ok(EverySize::Refuted(smallest(claim, input, explored, limits, work)?))
        }
        Err((_, stuck)) if stuck.is_interrupted() => Err(SearchStopped),
        Err((value, Unproved::Stuck { live, candidate, why })) => {
            let question = OpenQuestion {
                value,
                live,
                candidate: candidate.map(|point| (point.input, point.end)),
                limits: why.into_iter().filter_map(GaveUp::limit).collect(),
                explored,
            };
            search_upwards(claim, question, limits, work)
        }
    }
}

/// The largest populations explored before the search, each with the maximum number of configurations from one input.
fn first_sweeps(claim: &SizedClaim) -> impl Iterator<Item = (u64, usize)> {
    let has_few_inputs = claim.inputs.len() <= SECOND_SWEEP_INPUTS;
    let configurations = FIRST_SWEEP_CONFIGURATIONS.min(SECOND_SWEEP_WORK / claim.transitions.len().max(1));
    let second = has_few_inputs.then_some((SECOND_SWEEP, configurations));
    [(FIRST_SWEEP, FIRST_SWEEP_CONFIGURATIONS)].into_iter().chain(second)
}

/// Proves all sides with the lemmas of the first format. Uses further lemmas only where that is stuck and the limits
/// allow it, so that other checkers accept as many certificates as possible.
pub(crate) fn prove_sides(
    claim: &SizedClaim,
    work: &mut ProofWork,
) -> Result<EverySizeProof, (bool, Unproved)> {
    match prove_in(claim, CertificateFormat::WholeRuns, work) {
        Err((_, Unproved::Stuck { .. })) if work.format == CertificateFormat::PartsOfRuns => {
            prove_in(claim, work.format, work)
        }
        answer => answer,
    }
}

/// Proves all sides, or returns the first side that is not proved. If an input with a wrong end is found on any side,
/// returns that instead.
fn prove_in(
    claim: &SizedClaim,
    format: CertificateFormat,
    work: &mut ProofWork,
) -> Result<EverySizeProof, (bool, Unproved)> {
    let claim = Arc::new(claim.clone());
    let mut trees = Vec::new();
    let mut proof = EverySizeProof { certificate: Value::Null, nodes: 0, steps: 0, proof_nodes: 0, live: 0 };
    let mut open = None;
    let sides = if claim.has(PlantedFault::OneSide) { &claim.sides()[..1] } else { claim.sides() };
    for &value in sides {
        let stuck = |why| (value, Unproved::Stuck { live: Vec::new(), candidate: None, why: vec![why] });
        let (system, constraints, shared) = SideSystem::new(&claim, value).map_err(stuck)?;
        match TreeSearch::new(SideSearch::new(system, work, format), shared).prove(constraints) {
            Ok(side) => {
                proof.nodes += side.tally.nodes;
                proof.steps += side.tally.steps;
                proof.proof_nodes += side.tally.proof;
                proof.live = proof.live.max(side.tally.live);
                trees.push((value, side.tree));
            }
            Err(wrong @ Unproved::WrongInput(_)) => return Err((value, wrong)),
            Err(stuck) if stuck.is_interrupted() => return Err((value, stuck)),
            Err(stuck) => open = open.or(Some((value, stuck))),
        }
    }
    match open {
        Some(stuck) => Err(stuck),
        None => {
            proof.certificate = certificate(&claim, format, trees);
            Ok(proof)
        }
    }
}

/// Looks for smaller counterexamples, until all smaller populations are proved right or explored.
fn smallest(
    claim: &SizedClaim,
    mut end: Box<WrongEnd>,
    explored: u64,
    limits: &ProofLimits,
    work: &mut ProofWork,
) -> Result<WrongPopulation, SearchStopped> {
    let mut explored = explored;
    loop {
        let agents: u64 = end.input.iter().sum();
        if explored + 1 >= agents {
            return Ok(WrongPopulation { end, smaller: SmallerPopulations::Explored });
        }
        match prove_sides(&claim.up_to(agents - 1), work) {
            Ok(proof) => {
                return Ok(WrongPopulation { end, smaller: SmallerPopulations::Proved(Box::new(proof)) });
            }
            Err((_, Unproved::WrongInput(smaller))) => end = smaller,
            Err((_, stuck)) if stuck.is_interrupted() => return Err(SearchStopped),
            Err((_, Unproved::Stuck { .. })) => {
                match sweep(claim, explored + 1, agents - 1, 400_000, limits)? {
                    SizeSweep::Wrong(smaller) => {
                        return Ok(WrongPopulation { end: smaller, smaller: SmallerPopulations::Explored });
                    }
                    SizeSweep::RightUpTo(size) if size + 1 >= agents => explored = size,
                    SizeSweep::RightUpTo(size) => {
                        return Ok(WrongPopulation { end, smaller: SmallerPopulations::Unknown(size) });
                    }
                }
            }
        }
    }
}

/// Explores larger and larger populations after the proof is stuck.
fn search_upwards(
    claim: &SizedClaim,
    question: OpenQuestion,
    limits: &ProofLimits,
    work: &mut ProofWork,
) -> Result<EverySize, SearchStopped> {
    // The least size whose claim is not proved is where candidates are: bisected, each bound tried once.
    let (mut low, mut high) = (question.explored, 2 * question.explored + 2);
    for _ in 0..12 {
        match prove_sides(&claim.up_to(high), work) {
            Ok(_) => {
                low = high;
                high *= 2;
            }
            Err((_, Unproved::WrongInput(end))) => {
                return Ok(EverySize::Refuted(smallest(claim, end, question.explored, limits, work)?));
            }
            Err((_, stuck)) if stuck.is_interrupted() => return Err(SearchStopped),
            Err((_, Unproved::Stuck { .. })) => {
                if high <= low + 1 {
                    break;
                }
                high = low + (high - low) / 2;
            }
        }
        if high > 400 {
            break;
        }
    }
    let explored = question.explored;
    match sweep(claim, explored + 1, explored + 20, 60_000, limits)? {
        SizeSweep::Wrong(end) => {
            Ok(EverySize::Refuted(WrongPopulation { end, smaller: SmallerPopulations::Explored }))
        }
        SizeSweep::RightUpTo(explored) => Ok(EverySize::Unknown(OpenQuestion { explored, ..question })),
    }
}

enum SizeSweep {
    Wrong(Box<WrongEnd>),
    RightUpTo(u64),
}

/// Explores all inputs of the sizes `from..=to`, within the limit.
fn sweep(
    claim: &SizedClaim,
    from: u64,
    to: u64,
    limit: usize,
    limits: &ProofLimits,
) -> Result<SizeSweep, SearchStopped> {
    let stopped = || limits.stop.load(Ordering::Relaxed);
    for agents in from..=to {
        let mut of_size = limit;
        match wrong_input(claim, agents, &mut of_size, &limits.stop) {
            Ok(None) => {}
            Ok(Some(end)) => return Ok(SizeSweep::Wrong(end)),
            Err(_) if stopped() => return Err(SearchStopped),
            Err(_) => return Ok(SizeSweep::RightUpTo(agents - 1)),
        }
    }
    Ok(SizeSweep::RightUpTo(to))
}
