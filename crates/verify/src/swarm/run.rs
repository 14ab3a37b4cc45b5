//! Runs a plan: a phase with disturbances, then a phase in which every call must be served.

use std::hash::Hasher as _;

use acrasin_runtime::digest::DigestWriter;
use acrasin_runtime::exclusion::Guarantee;
use acrasin_runtime::{Choices, Digest, LockSetRequest, NodeId, Seeded, Status, Step, Topology};

use super::disturbance::DisturbanceSource;
use super::plan::{Drain, drain_seed};
use super::stage::{self, SwarmStage};
use super::tape::Tape;
use super::{Coverage, SwarmFailure, SwarmFigures, SwarmPlan, SwarmStart, Swarmed, SystemUnderTest, Traced};

/// The number of steps after the last disturbance within which every call must be served.
///
/// The schedulers are fair only with probability 1, so no bound is certain. The slowest of 100 000 runs of the repaired
/// rules took less than a tenth of this number.
pub const DRAIN_STEPS_MAX: u64 = 1 << 16;

/// The result of a swarm run, with everything that repeats it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SwarmRun {
    /// The plan of the run.
    pub plan: SwarmPlan,
    /// The picks of the first phase: [`run_with`] repeats the run with them.
    pub picks: Vec<u32>,
    /// The index of the first pick of each turn.
    pub(super) turn_starts: Vec<usize>,
    /// The counts of events in the run.
    pub figures: SwarmFigures,
    /// The counts of actions by topology event in the run.
    pub coverage: Coverage,
    /// The digest of the final configuration, the figures and the coverage.
    pub digest: Digest,
    /// The first failure, if any.
    pub failure: Option<SwarmFailure>,
}

/// Runs `plan` with picks drawn from its seed.
/// The result depends only on the rules and the plan. Cost: a few thousand steps, each with its checks.
///
/// ```
/// use acrasin_runtime::exclusion::local::Rules;
/// use acrasin_verify::swarm::{run, run_with, SwarmPlan, SystemUnderTest};
/// let repaired = SystemUnderTest::rules(Rules::REPAIRED);
/// let first = run(&repaired, &SwarmPlan::from_seed(3));
/// assert_eq!(first.failure, None);
/// assert_eq!(run_with(&repaired, &first.plan, &first.picks), first);
/// ```
#[must_use]
pub fn run<E: Swarmed>(subject: &SystemUnderTest<E>, plan: &SwarmPlan) -> SwarmRun {
    conduct(subject, plan, Tape::drawn(plan.picks_seed()), false).0
}

/// Runs `plan` with these picks. The first phase ends when the list is used up. Each pick is reduced modulo its bound.
#[must_use]
pub fn run_with<E: Swarmed>(subject: &SystemUnderTest<E>, plan: &SwarmPlan, picks: &[u32]) -> SwarmRun {
    conduct(subject, plan, Tape::given(picks), false).0
}

/// Runs `plan` and returns all steps. If the run can add edges, the initial edges are included as connections.
pub(super) fn traced<E: Swarmed>(
    subject: &SystemUnderTest<E>,
    plan: &SwarmPlan,
    picks: &[u32],
) -> (SwarmRun, Vec<Traced<E>>) {
    conduct(subject, plan, Tape::given(picks), true)
}

fn conduct<E: Swarmed>(
    subject: &SystemUnderTest<E>,
    plan: &SwarmPlan,
    mut tape: Tape<'_>,
    is_traced: bool,
) -> (SwarmRun, Vec<Traced<E>>) {
    let topology = Topology::from_edges(plan.graph.nodes(), plan.ports, &plan.edges)
        .expect("a plan has a simple graph and enough ports");
    let start = SwarmStart::of(plan, subject.assumes());
    let mut trace = Vec::new();
    if is_traced && start.edges.is_empty() {
        trace.extend(topology.edges().iter().map(|edge| {
            let port = |from, to| topology.port_towards(from, to).expect("the edge is there").into();
            let (a_port, b_port) = (port(edge.a, edge.b), port(edge.b, edge.a));
            let step = Step::Connect { a: edge.a, a_port, b: edge.b, b_port };
            Traced { step, picks: Vec::new() }
        }));
    }
    let mut disturbance = DisturbanceSource::new(plan, &topology);
    let world = stage::world(subject, &start, topology, plan.timing);
    let mut stage = SwarmStage::new(subject, world, plan.order.scheduler(), is_traced);
    let mut turn_starts = Vec::new();
    for _ in 0..plan.turns {
        if tape.is_over() || stage.failure.is_some() {
            break;
        }
        turn_starts.push(tape.used());
        disturbance.disturb(&mut stage, &mut tape);
        if stage.failure.is_none() {
            stage.advance(&mut tape);
        }
    }
    let picks = tape.into_picks();
    let mut choices = Seeded::new(drain_seed(plan.seed));
    if stage.failure.is_none() {
        drain(&mut stage, plan.drain, &mut choices);
    }
    if stage.failure.is_none() && subject.guarantee() != Guarantee::AtLeastAtMost {
        ask_again(&mut stage, plan.drain, &mut choices);
    }
    trace.append(&mut stage.trace.take().unwrap_or_default());
    let SwarmStage { world, figures, coverage, failure, .. } = stage;
    let mut writer = DigestWriter::new();
    writer.write_u128(world.digest().0);
    figures.digest_into::<E>(&mut writer);
    coverage.digest_into::<E>(&mut writer);
    let digest = writer.digest();
    (SwarmRun { plan: plan.clone(), picks, turn_starts, figures, coverage, digest, failure }, trace)
}

/// Runs the second phase, without disturbances. If all nodes may be outside, no node makes new calls, and when no node
/// can act any more, no call may be outstanding. If some nodes must be inside, ending all calls would end all progress,
/// so the nodes continue to call until each has changed its state.
pub(super) fn drain<E: Swarmed>(stage: &mut SwarmStage<'_, E>, order: Drain, choices: &mut dyn Choices) {
    stage.hand_over(order.scheduler());
    match stage.subject.guarantee() {
        Guarantee::AtLeastAtMost => until_all_have_changed(stage, choices),
        _ => until_all_rest(stage, choices),
    }
}

fn until_all_have_changed<E: Swarmed>(stage: &mut SwarmStage<'_, E>, choices: &mut dyn Choices) {
    let is_inside = |stage: &SwarmStage<'_, E>, node| {
        matches!(stage.world.status(node), Status::Holding | Status::Releasing)
    };
    let nodes: Vec<NodeId> = stage.world.topology().nodes().collect();
    let mut left: Vec<(NodeId, bool)> = nodes.iter().map(|&node| (node, is_inside(stage, node))).collect();
    let (start, mut turns) = (stage.figures.steps, 0);
    let traced = stage.trace.as_ref().map_or(0, Vec::len);
    while stage.failure.is_none() && !left.is_empty() {
        let outstanding = left.len() as u32;
        if turns.max(stage.figures.steps - start) >= DRAIN_STEPS_MAX {
            stage.failure = Some(SwarmFailure::NotDrained { steps: DRAIN_STEPS_MAX, outstanding });
            stage.trace.iter_mut().for_each(|trace| trace.truncate(traced));
            return;
        }
        for &node in &nodes {
            let may_call = stage.world.status(node) == Status::Idle && stage.world.unsent(node).is_empty();
            if may_call && stage.failure.is_none() {
                let step = Step::Lock { node, claim: LockSetRequest::Neighbourhood };
                stage.apply(&step, choices).expect("an idle node that is not busy can call");
                stage.figures.calls += 1;
            }
        }
        if stage.failure.is_some() {
            return;
        }
        if stage.world.active().is_empty() {
            stage.failure = Some(SwarmFailure::Dead { outstanding });
            return;
        }
        stage.advance(choices);
        turns += 1;
        left.retain(|&(node, before)| is_inside(stage, node) == before);
    }
    stage.drained(start, turns);
}

fn until_all_rest<E: Swarmed>(stage: &mut SwarmStage<'_, E>, choices: &mut dyn Choices) {
    let (start, mut turns) = (stage.figures.steps, 0);
    let traced = stage.trace.as_ref().map_or(0, Vec::len);
    while stage.failure.is_none() && !stage.world.active().is_empty() {
        // Turns count too, since a round may be empty.
        if turns.max(stage.figures.steps - start) >= DRAIN_STEPS_MAX {
            let outstanding = stage.world.outstanding();
            stage.failure = Some(SwarmFailure::NotDrained { steps: DRAIN_STEPS_MAX, outstanding });
            // The steps of the failed drain are not part of the counterexample.
            stage.trace.iter_mut().for_each(|trace| trace.truncate(traced));
            return;
        }
        stage.advance(choices);
        turns += 1;
    }
    stage.drained(start, turns);
    let outstanding = stage.world.outstanding();
    if stage.failure.is_none() && outstanding > 0 {
        stage.failure = Some(SwarmFailure::Dead { outstanding });
    }
}

/// Makes each node lock its neighbourhood once more, one node after the other, to show that the disturbances have no
/// lasting effect.
fn ask_again<E: Swarmed>(stage: &mut SwarmStage<'_, E>, order: Drain, choices: &mut dyn Choices) {
    let drained = stage.figures;
    for node in stage.world.topology().nodes() {
        let step = Step::Lock { node, claim: LockSetRequest::Neighbourhood };
        stage.apply(&step, choices).expect("nothing is in progress");
        stage.figures.calls += 1;
        if stage.failure.is_none() {
            drain(stage, order, choices);
        }
        if stage.failure.is_some() {
            break;
        }
    }
    // The drain figures are those of the first drain.
    let SwarmFigures { drain_steps, drain_turns, drain_steps_max, .. } = drained;
    stage.figures = SwarmFigures { drain_steps, drain_turns, drain_steps_max, ..stage.figures };
}
