//! Explores an instance and answers all questions about it.

use std::ops::ControlFlow;

use acrasin_catalogue::counted;
use acrasin_runtime::exclusion::{Exclusion, Guarantee};
use acrasin_runtime::{NodeId, StepOf};

use super::instance::{Explored, ExploredSection};
use super::liveness::{LOCKOUT_FREE, SUCCESS_REACHABLE, Starving, lockout, success_unreachable};
use super::model::LockModel;
use crate::properties::{Sources, dead, promises_of};
use acrasin_explore::{
    ConfigurationGraph, Exploration, FairComponent, Limits, MoveId, NotASearch, SearchControl,
    SearchProgress, Trace, UnsavedSearch, explore_with,
};

/// The limits of an exploration and the questions asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The memory limit of the exploration, in bytes.
    pub bytes: u64,
    /// The number of discovered configurations at which the exploration stops.
    pub configurations: u64,
    /// Whether to answer questions about infinite runs as well. This stores all moves, which takes three to five times
    /// the memory.
    pub liveness: bool,
    /// Whether to stop as soon as one property is found broken.
    pub stop_at_first: bool,
}

/// A run that breaks a property, and how often the property is broken.
#[derive(Clone, PartialEq, Debug)]
pub struct Witness<E: Exclusion> {
    /// A description of the last configuration, or of the lockout.
    pub text: String,
    /// The number of configurations and moves that break the property.
    pub count: u64,
    /// The steps with the picks made in them. No shorter run breaks the property, except runs that partial-order
    /// reduction leaves out.
    pub steps: Vec<(StepOf<E>, Vec<u32>)>,
    /// The index of the first step of a cycle: the steps from this one on lead back to the configuration before it.
    /// Equal to the number of steps if there is no cycle. The cycle of a lockout satisfies weak fairness.
    pub round: usize,
    /// The node that waits throughout the cycle of a lockout.
    pub waits: Option<NodeId>,
}

/// The answer to a question; `W` is the type of a run that breaks the property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<W> {
    /// The property holds in every run of the instance.
    Holds,
    /// The property does not hold: this run breaks it.
    Broken(W),
    /// Unknown: no explored run breaks the property, but the exploration is incomplete.
    Open,
    /// The question was not asked, for this reason.
    NotAsked(&'static str),
}

/// A property with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyVerdict<W> {
    /// The name of the property.
    pub property: &'static str,
    /// The lemma or theorem that states the property.
    pub source: &'static str,
    /// Whether the property holds.
    pub verdict: Verdict<W>,
}

/// The answers to all questions, and the size of the exploration behind them.
#[derive(Debug)]
pub struct LockReport<W> {
    /// The explored configurations, and the limit that ended the exploration, if any.
    pub exploration: Exploration,
    /// One verdict per property, in the order of the report.
    pub answers: Vec<PropertyVerdict<W>>,
}

impl<W> PropertyVerdict<W> {
    /// The run that breaks the property, if one was found.
    pub fn witness(&self) -> Option<&W> {
        if let Verdict::Broken(witness) = &self.verdict { Some(witness) } else { None }
    }

    /// Converts the witness of this answer.
    ///
    /// # Errors
    ///
    /// The error of `form`.
    pub fn try_map<V, F>(self, form: impl FnOnce(W) -> Result<V, F>) -> Result<PropertyVerdict<V>, F> {
        let Self { property, source, verdict } = self;
        let verdict = match verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Broken(witness) => Verdict::Broken(form(witness)?),
            Verdict::Open => Verdict::Open,
            Verdict::NotAsked(why) => Verdict::NotAsked(why),
        };
        Ok(PropertyVerdict { property, source, verdict })
    }
}

impl<W> LockReport<W> {
    /// The answers whose property is broken, with their witnesses.
    pub fn broken(&self) -> impl Iterator<Item = (&PropertyVerdict<W>, &W)> {
        self.answers.iter().filter_map(|answer| Some((answer, answer.witness()?)))
    }
}

/// Explores every run of the model's instance and answers every question: its properties, the promises of the lock
/// layer, dead configurations, and, on request, success and lockout freedom.
pub fn check<E, S>(
    model: &LockModel<'_, E, S>,
    options: &Options,
    progress: impl FnMut(&SearchProgress) -> ControlFlow<()>,
) -> LockReport<Witness<E>>
where
    E: Explored,
    S: ExploredSection,
{
    let mut progress = progress;
    check_with(model, options, &mut UnsavedSearch(&mut progress)).expect("it continues nothing")
}

/// Checks like [`check`], and saves and continues the exploration as `control` says.
///
/// # Errors
///
/// The state from which to continue belongs to another exploration.
pub fn check_with<E, S>(
    model: &LockModel<'_, E, S>,
    options: &Options,
    control: &mut dyn SearchControl,
) -> Result<LockReport<Witness<E>>, NotASearch>
where
    E: Explored,
    S: ExploredSection,
{
    let Options { bytes, configurations, liveness, stop_at_first } = *options;
    let keep_graph = liveness && !model.is_reduced();
    let limits = Limits { bytes, configurations, keep_graph, stop_at_first };
    let exploration = explore_with(model, &limits, control)?;
    let asked = model.properties().iter().map(|property| (property.name(), property.source())).collect();
    let unroll = &|trace: &Trace, last| model.unroll(trace, last);
    let (is_reduced, nodes) = (model.is_reduced(), model.instance().nodes);
    let guarantee = model.instance().exclusion.promises();
    Ok(Answering { exploration, liveness, is_reduced, nodes, guarantee, unroll }.report(asked))
}

/// An exploration with the parts of its model that the answers need. The type does not depend on the critical section,
/// so the code is compiled once for all sections.
struct Answering<'a, E: Exclusion> {
    exploration: Exploration,
    liveness: bool,
    is_reduced: bool,
    nodes: u32,
    guarantee: Guarantee,
    unroll: &'a Unroll<'a, E>,
}

/// A function that converts a trace to the steps of a run, like [`LockModel::unroll`].
type Unroll<'a, E> = dyn Fn(&Trace, Option<MoveId>) -> Vec<(StepOf<E>, Vec<u32>)> + 'a;

impl<E: Exclusion> Answering<'_, E> {
    fn report(self, asked: Vec<(&'static str, &'static str)>) -> LockReport<Witness<E>> {
        let mut answers = Vec::new();
        let exploration = &self.exploration;
        let (promises, sources) = (promises_of(self.guarantee), Sources::of(self.guarantee));
        let promises = promises.iter().copied().chain([(dead::NAME, sources.dead)]);
        for (property, source) in asked.into_iter().chain(promises) {
            let finding = exploration.findings().iter().find(|finding| finding.broken.property == property);
            let verdict = match finding {
                Some(finding) => Verdict::Broken(Witness {
                    text: finding.broken.text.clone(),
                    count: finding.count,
                    steps: (self.unroll)(&exploration.trace(finding.configuration), finding.broken.by),
                    round: usize::MAX,
                    waits: None,
                }),
                // Nothing is explored beyond a broken promise, so other properties stay open.
                None if exploration.truncated().is_some() || exploration.broken_moves() > 0 => Verdict::Open,
                None => Verdict::Holds,
            };
            answers.push(PropertyVerdict { property, source, verdict });
        }
        let depths = if exploration.graph().is_some() { exploration.depths() } else { Vec::new() };
        for (property, source, question) in [
            (
                SUCCESS_REACHABLE,
                sources.success,
                success_unreachable as fn(&ConfigurationGraph, u32, &[u32]) -> Option<Starving>,
            ),
            (LOCKOUT_FREE, sources.lockout, lockout),
        ] {
            let verdict = match exploration.graph() {
                Some(_) if exploration.broken_moves() > 0 => {
                    Verdict::NotAsked("runs are followed to the first broken promise only")
                }
                Some(graph) => question(graph, self.nodes, &depths)
                    .map_or(Verdict::Holds, |starving| self.starved(&depths, starving, property)),
                None if !self.liveness => Verdict::NotAsked("checked only on request"),
                None if self.is_reduced => Verdict::NotAsked("reductions do not preserve infinite runs"),
                None => Verdict::NotAsked("the exploration is not complete"),
            };
            answers.push(PropertyVerdict { property, source, verdict });
        }
        for answer in &mut answers {
            if let Verdict::Broken(witness) = &mut answer.verdict {
                witness.round = witness.round.min(witness.steps.len());
            }
        }
        LockReport { exploration: self.exploration, answers }
    }

    /// The verdict for a starving node. The witness is a shortest run to a starving configuration and, for a lockout, a
    /// cycle among such configurations.
    fn starved(&self, depths: &[u32], starving: Starving, question: &str) -> Verdict<Witness<E>> {
        let Starving { node, configurations, count, at_rest } = starving;
        let exploration = &self.exploration;
        let graph = exploration.graph().expect("it was asked");
        let nearest =
            configurations.iter().copied().min_by_key(|&configuration| depths[configuration as usize]);
        let nearest = nearest.expect("a trap has a configuration");
        let Trace { start, mut moves } = exploration.trace(nearest);
        let entry = moves.len();
        let waits = (question == LOCKOUT_FREE).then_some(node);
        if waits.is_some() {
            let component = FairComponent { members: configurations, at_rest };
            moves.extend(component.way_round(graph, nearest));
        }
        let text = describe(node, count, at_rest, (question, self.guarantee));
        let steps = (self.unroll)(&Trace { start, moves }, None);
        Verdict::Broken(Witness { text, count, steps, round: entry, waits })
    }
}

fn describe(node: NodeId, count: u64, at_rest: bool, asked: (&str, Guarantee)) -> String {
    let name = super::trace::node_name(node);
    let (question, guarantee) = asked;
    let (success, due) = match guarantee {
        Guarantee::AtLeastAtMost => {
            (format!("lets {name}, which waits, enter or leave"), "no receipt, action, Lock or Unlock is due")
        }
        _ => (format!("leads to the success of {name}'s Lock"), "no receipt, action or Unlock is due"),
    };
    if question == SUCCESS_REACHABLE {
        format!("no schedule and no draw {success} any more ({})", counted(count, "configuration"))
    } else if at_rest {
        format!("{name} waits, and nothing has to happen: {due}")
    } else {
        format!("{name} waits, and the adversary can stay among {} forever", counted(count, "configuration"))
    }
}
