//! Explores an instance and answers every question about it.

use std::ops::ControlFlow;

use acrasin_runtime::exclusion::{Exclusion, Guarantee};
use acrasin_runtime::{NodeId, StepOf};

use super::instance::{Explored, ExploredSection};
use super::liveness::{LOCKOUT_FREE, SUCCESS_REACHABLE, Starving, lockout, success_unreachable};
use super::model::Locks;
use crate::properties::{Sources, dead, promises_of};
use acrasin_explore::{Exploration, FairComponent, Graph, Limits, MoveId, SearchProgress, Trace, explore};

/// How much is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The memory ceiling in bytes.
    pub bytes: u64,
    /// Stop when so many configurations are known.
    pub configurations: u64,
    /// Whether to ask about infinite runs too: keeps all moves, three to five times the memory.
    pub liveness: bool,
    /// Whether to stop at the first property that does not hold.
    pub stop_at_first: bool,
}

/// A run that shows that a property does not hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Witness<E: Exclusion> {
    /// What is seen at its end.
    pub text: String,
    /// How many configurations and moves break the property.
    pub count: u64,
    /// The steps, with the picks made inside them. No shorter run breaks the property, unless partial-order reduction
    /// has left the shorter ones out.
    pub steps: Vec<(StepOf<E>, Vec<u32>)>,
    /// The steps from here on lead back to the configuration before them: a way round. As many as there are steps if
    /// there is none. Of a lockout it meets every duty of weak fairness.
    pub round: usize,
    /// Of a lockout who waits all the way round.
    pub waits: Option<NodeId>,
}

/// The answer to a question; `W` is a run that shows that the property does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<W> {
    /// It holds in every run of the instance.
    Holds,
    /// It does not hold.
    Broken(W),
    /// It holds as far as was looked: the exploration is not complete.
    Open,
    /// It was not asked, and why.
    NotAsked(&'static str),
}

/// A property and whether it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer<W> {
    /// The property.
    pub property: &'static str,
    /// The lemma it stands for.
    pub source: &'static str,
    /// Whether it holds.
    pub verdict: Verdict<W>,
}

/// All answers, and what they rest on.
#[derive(Debug)]
pub struct Report<W> {
    /// What was explored.
    pub exploration: Exploration,
    /// The answers.
    pub answers: Vec<Answer<W>>,
}

impl<W> Answer<W> {
    /// The run that shows that the property does not hold, if it does not.
    pub fn witness(&self) -> Option<&W> {
        if let Verdict::Broken(witness) = &self.verdict { Some(witness) } else { None }
    }

    /// The same answer with another form of its witness.
    ///
    /// # Errors
    ///
    /// That of the function.
    pub fn try_map<V, F>(self, form: impl FnOnce(W) -> Result<V, F>) -> Result<Answer<V>, F> {
        let Self { property, source, verdict } = self;
        let verdict = match verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Broken(witness) => Verdict::Broken(form(witness)?),
            Verdict::Open => Verdict::Open,
            Verdict::NotAsked(why) => Verdict::NotAsked(why),
        };
        Ok(Answer { property, source, verdict })
    }
}

impl<W> Report<W> {
    /// The answers that say no.
    pub fn broken(&self) -> impl Iterator<Item = (&Answer<W>, &W)> {
        self.answers.iter().filter_map(|answer| Some((answer, answer.witness()?)))
    }
}

/// Explores every run of the model's instance and answers every question: its properties, the promises of the lock
/// layer, dead configurations, and, if asked for, success and lockout freedom.
pub fn check<E, S>(
    model: &Locks<'_, E, S>,
    options: &Options,
    progress: impl FnMut(&SearchProgress) -> ControlFlow<()>,
) -> Report<Witness<E>>
where
    E: Explored,
    S: ExploredSection,
{
    let Options { bytes, configurations, liveness, stop_at_first } = *options;
    let keep_graph = liveness && !model.is_reduced();
    let exploration = explore(model, &Limits { bytes, configurations, keep_graph, stop_at_first }, progress);
    let asked = model.properties().iter().map(|property| (property.name(), property.source())).collect();
    let unroll = &|trace: &Trace, last| model.unroll(trace, last);
    let (is_reduced, nodes) = (model.is_reduced(), model.instance().nodes);
    let guarantee = model.instance().exclusion.promises();
    Answering { exploration, liveness, is_reduced, nodes, guarantee, unroll }.report(asked)
}

/// What was explored, with what the answers need of its model: they do not depend on what runs under the locks, and are
/// compiled without it.
struct Answering<'a, E: Exclusion> {
    exploration: Exploration,
    liveness: bool,
    is_reduced: bool,
    nodes: u32,
    guarantee: Guarantee,
    unroll: &'a Unroll<'a, E>,
}

/// [`Locks::unroll`].
type Unroll<'a, E> = dyn Fn(&Trace, Option<MoveId>) -> Vec<(StepOf<E>, Vec<u32>)> + 'a;

impl<E: Exclusion> Answering<'_, E> {
    fn report(self, asked: Vec<(&'static str, &'static str)>) -> Report<Witness<E>> {
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
                // Beyond a broken promise nothing is explored.
                None if exploration.truncated().is_some() || exploration.broken_moves() > 0 => Verdict::Open,
                None => Verdict::Holds,
            };
            answers.push(Answer { property, source, verdict });
        }
        let depths = if exploration.graph().is_some() { exploration.depths() } else { Vec::new() };
        for (property, source, question) in [
            (
                SUCCESS_REACHABLE,
                sources.success,
                success_unreachable as fn(&Graph, u32, &[u32]) -> Option<Starving>,
            ),
            (LOCKOUT_FREE, sources.lockout, lockout),
        ] {
            let verdict = match exploration.graph() {
                Some(_) if exploration.broken_moves() > 0 => {
                    Verdict::NotAsked("runs are followed to the first broken promise only")
                }
                Some(graph) => question(graph, self.nodes, &depths)
                    .map_or(Verdict::Holds, |starving| self.starved(&depths, starving, property)),
                None if !self.liveness => Verdict::NotAsked("only where it is asked for"),
                None if self.is_reduced => Verdict::NotAsked("reductions do not keep infinite runs"),
                None => Verdict::NotAsked("the exploration is not complete"),
            };
            answers.push(Answer { property, source, verdict });
        }
        for answer in &mut answers {
            if let Verdict::Broken(witness) = &mut answer.verdict {
                witness.round = witness.round.min(witness.steps.len());
            }
        }
        Report { exploration: self.exploration, answers }
    }

    /// A shortest run into the trap, and a way round in it.
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
            (format!("lets {name}, which waits, go in or out"), "no receipt, action, Lock or Unlock is due")
        }
        _ => (format!("leads to the success of {name}'s Lock"), "no receipt, action or Unlock is due"),
    };
    if question == SUCCESS_REACHABLE {
        format!("no schedule and no draw {success} any more ({count} configurations)")
    } else if at_rest {
        format!("{name} waits, and nothing has to happen: {due}")
    } else {
        format!("{name} waits, and the adversary can stay among {count} configurations for ever")
    }
}
