//! `scheduler`, `fairness`, `disturbances`: the next node to act, the fairness bound, and changes of the edges.

use acrasin_catalogue::counted;
use std::hash::Hash;

use acrasin_catalogue::parameter::Values;
use acrasin_report::value::Value;
use acrasin_runtime::scheduler::{Activation, WeaklyFair};
use acrasin_runtime::topology::dynamics::{Churn, Dynamics, Swizzle};
use acrasin_runtime::{FixedProbability, Topology};

use crate::document::quantity::Count;
use crate::document::scheduler::{self as written, ActiveNodesSetting, Disturbance};
use crate::document::{EntryRef, ScenarioFields};
use crate::node_names::NodeNames;
use crate::scheduler::{AdversaryEntry, Chooser, ChooserKind, Schedule, SchedulerEntry, SchedulerSite};
use crate::{Catalogue, Document, DocumentError};

const ACTIVATION: &str = "scheduler.activation";

/// The scheduler of the scenario, resolved. Its adversary is made once the graph is known.
pub(crate) struct ChosenScheduler {
    pub(super) entry: SchedulerEntry,
    values: Values,
    chooser: Chooser,
    adversary: Option<ChosenAdversary>,
    /// All fields of the scheduler with defaults.
    pub(crate) written: ScenarioFields,
}

/// The adversary of the scenario, resolved, with its path in the scenario.
struct ChosenAdversary {
    entry: AdversaryEntry,
    values: Values,
    path: String,
    written: ScenarioFields,
}

impl ChosenScheduler {
    pub(crate) fn new(document: &Document, catalogue: &Catalogue) -> Result<Self, DocumentError> {
        let refused = |failure| document.refused(failure);
        let choice = document.choice("scheduler");
        let entry = choice.find(catalogue.schedulers().entries(), &[]).map_err(refused)?;
        let chosen = choice.chosen(entry, entry.takes.fields()).map_err(refused)?;
        let mut fields = chosen.fields();
        let (mut chooser, mut adversary) = (Chooser::Itself, None);
        match (entry.takes, chosen.further.first().copied().flatten()) {
            (ChooserKind::Nothing, _) => {}
            (ChooserKind::Adversary, field) => {
                if let Some(choice) = field.and_then(EntryRef::optional) {
                    adversary =
                        Some(ChosenAdversary::new(document, catalogue, choice, "scheduler.adversary")?);
                }
                let written = adversary.as_ref().map(|chosen| chosen.written.clone());
                let written = written.unwrap_or_else(|| ScenarioFields::value(Value::Missing));
                fields = fields.and("adversary", written);
            }
            (ChooserKind::ActiveNodes, None) => {
                return Err(refused(choice.missing_as::<ActiveNodesSetting>("activation")));
            }
            (ChooserKind::ActiveNodes, Some(_)) => {
                let active = document.choice(ACTIVATION).read().map_err(refused)?;
                let written = match &active {
                    ActiveNodesSetting::All => {
                        chooser = Chooser::All;
                        ScenarioFields::of(&active)
                    }
                    ActiveNodesSetting::Random(probability) if probability.0 > 0.0 => {
                        chooser = Chooser::Random(resolved(document, ACTIVATION, probability.0)?);
                        ScenarioFields::of(&active)
                    }
                    ActiveNodesSetting::Random(_) => {
                        let message = "with probability 0 no node ever acts";
                        return Err(document.error(ACTIVATION, message).accepting("a probability above 0"));
                    }
                    ActiveNodesSetting::Adversary(_) => {
                        let chosen = ChosenAdversary::of_rounds(document, catalogue)?;
                        let written = chosen.written.clone().within("Adversary");
                        adversary = Some(chosen);
                        written
                    }
                };
                fields = fields.and("activation", written);
            }
        }
        Ok(Self { entry, values: chosen.values, chooser, adversary, written: fields })
    }

    /// Whether an adversary chooses the steps.
    pub(super) fn has_adversary(&self) -> bool {
        self.adversary.is_some()
    }

    /// The scheduler for a graph with these nodes.
    pub(super) fn schedule(
        self,
        document: &Document,
        names: &NodeNames<'_>,
    ) -> Result<Schedule, DocumentError> {
        let site = SchedulerSite { nodes: names.nodes(), names: names.labels() };
        let mut chooser = self.chooser;
        if let Some(ChosenAdversary { entry, values, path, .. }) = self.adversary {
            let read = match self.entry.takes {
                ChooserKind::ActiveNodes => entry.rounds.expect("asked when it was looked up"),
                ChooserKind::Adversary | ChooserKind::Nothing => entry.steps,
            };
            let values = names.of_values(document, &path, &values)?;
            chooser =
                Chooser::Adversary(read(&values, site).map_err(|error| document.misfit(&path, &error))?);
        }
        let values = names.of_values(document, "scheduler", &self.values)?;
        (self.entry.read)(&values, site, chooser).map_err(|error| document.misfit("scheduler", &error))
    }
}

impl ChosenAdversary {
    fn new(
        document: &Document,
        catalogue: &Catalogue,
        choice: EntryRef<'_>,
        path: &str,
    ) -> Result<Self, DocumentError> {
        let refused = |failure| document.refused(failure);
        let entry = choice.find(catalogue.adversaries().entries(), &[]).map_err(refused)?;
        let chosen = choice.chosen(entry, &[]).map_err(refused)?;
        let written = chosen.fields();
        Ok(Self { entry, values: chosen.values, path: path.to_owned(), written })
    }

    /// The adversary that chooses the nodes of a round.
    fn of_rounds(document: &Document, catalogue: &Catalogue) -> Result<Self, DocumentError> {
        let path = format!("{ACTIVATION}[0]");
        let chosen = Self::new(document, catalogue, document.choice(&path), &path)?;
        if chosen.entry.rounds.is_some() {
            return Ok(chosen);
        }
        let name = chosen.entry.name;
        let message = format!("{name} chooses one node at a time, but a round needs a set of nodes");
        let able: Vec<&str> = catalogue
            .adversaries()
            .entries()
            .iter()
            .filter(|entry| entry.rounds.is_some())
            .map(|entry| entry.name)
            .collect();
        let accepted = format!("{} here; {name} with Sequential or Asynchronous", able.join(" or "));
        Err(document.error(&path, message).accepting(accepted))
    }
}

/// The description of rounds of macro activations: active nodes are drawn from all nodes, not only from enabled ones.
pub(super) fn macro_words(activation: &Activation) -> String {
    let active = match activation {
        Activation::Random(probability) => format!("each node with probability {}", probability.get()),
        _ => "all nodes".to_owned(),
    };
    format!(
        "semi-synchronous, active: {active}; an active node receives all its messages, then runs its enabled checks"
    )
}

/// The probability as random draws use it, in units of 2^-31. Other probabilities are rounded to the nearest unit.
fn resolved(document: &Document, path: &str, probability: f64) -> Result<FixedProbability, DocumentError> {
    let resolution = 1.0 / f64::from(1_u32 << 31);
    if probability > 0.0 && probability < resolution {
        let message = format!("{probability:e} is too fine: probabilities are multiples of 2^-31");
        return Err(document.error(path, message).accepting("0, or 4.66e-10 to 1"));
    }
    Ok(FixedProbability::new(probability).expect("the reader refuses other numbers"))
}

/// The bound of weak fairness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FairnessBound {
    /// The default bound for an adversary: four times the number of actions and messages that can be enabled at once.
    Auto,
    Within(u64),
    /// No bound, because a random scheduler is weakly fair with probability 1.
    None,
}

impl FairnessBound {
    pub(super) fn new(document: &Document, schedule: &Schedule) -> Result<Self, DocumentError> {
        match document.scenario().fairness {
            written::FairnessSetting::Within(Count(0)) => {
                Err(document.error("fairness", "a bound of 0 turns").accepting("Within(1) or more"))
            }
            written::FairnessSetting::Within(Count(turns)) => Ok(Self::Within(turns)),
            written::FairnessSetting::Auto if schedule.is_bounded() => Ok(Self::Auto),
            written::FairnessSetting::Unbounded if schedule.is_bounded() => {
                let message = "an adversary without a bound may never let a node act";
                Err(document.error("fairness", message).accepting("Auto, or Within(turns)"))
            }
            written::FairnessSetting::Auto | written::FairnessSetting::Unbounded => Ok(Self::None),
        }
    }

    /// The bound in turns; `None` for no bound.
    ///
    /// `Auto` counts the items that can be enabled at once. These are an action and a call at each node, and two
    /// messages on each edge and from each node to itself. For turns of one step the bound is 4 · (4 n + 2 m), with n
    /// nodes and at most m edges at a time. For rounds it is 4 · (4 + 2 Δ), from the items of one node.
    pub(super) fn turns(self, stepwise: bool, nodes: u32, edges: u64, ports: u16) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Within(turns) => Some(turns),
            Self::Auto if stepwise => Some(4 * (4 * u64::from(nodes) + 2 * edges)),
            Self::Auto => Some(4 * (4 + 2 * u64::from(ports))),
        }
    }

    pub(super) fn start<A: Copy + Eq + Hash>(turns: Option<u64>) -> Option<WeaklyFair<A>> {
        turns.map(WeaklyFair::with_bound)
    }
}

/// The adversaries that change edges, in their initial state.
pub(super) fn disturbances(
    written: &[Disturbance],
    topology: &Topology,
    stepwise: bool,
) -> Vec<Box<dyn Dynamics>> {
    let started = |disturbance: &Disturbance| -> Box<dyn Dynamics> {
        match *disturbance {
            Disturbance::Churn { rate } => {
                let rate = FixedProbability::new(rate.0).expect("the reader refuses other numbers");
                Box::new(Churn::new(topology, rate, stepwise))
            }
            Disturbance::Swizzle { links, every } => {
                Box::new(Swizzle::new(links.0.min(u64::from(u32::MAX)) as u32, every.0))
            }
        }
    };
    written.iter().map(started).collect()
}

/// The descriptions of disturbances. Refuses disturbances that would have no edges to change.
pub(super) fn disturbance_words(document: &Document, is_trace: bool) -> Result<Vec<String>, DocumentError> {
    let mut words = Vec::new();
    for (index, disturbance) in document.scenario().disturbances.iter().enumerate() {
        let place = format!("disturbances[{index}]");
        match disturbance {
            // Restoring a link after its contact has ended would create a contact that was not recorded.
            _ if is_trace => {
                let message =
                    "disturbances cut and restore the edges of a fixed graph, but this one changes by itself";
                return Err(document.error(&place, message).accepting("no disturbances, or a fixed graph"));
            }
            Disturbance::Swizzle { every: Count(0), .. } => {
                let message = "a swizzle every 0 rounds";
                return Err(document.error(&format!("{place}.every"), message).accepting("1 or more"));
            }
            Disturbance::Churn { rate } => {
                resolved(document, &format!("{place}.rate"), rate.0)?;
                words.push(format!("churn, each edge with probability {} per round", rate.0));
            }
            Disturbance::Swizzle { links, every } => {
                words.push(format!(
                    "swizzle of {} every {}",
                    counted(links.0, "link"),
                    counted(every.0, "round")
                ));
            }
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(scheduler: &str) -> (String, bool) {
        let text = format!("(topology: Ring(nodes: 5), scheduler: {scheduler}, work: Idle)");
        let document = Document::parse(&text, "small.ron").unwrap();
        let chosen = ChosenScheduler::new(&document, &Catalogue::shipped());
        let schedule = chosen.and_then(|chosen| chosen.schedule(&document, &NodeNames::new(5, None)));
        let schedule = schedule.unwrap_or_else(|error| panic!("{error}"));
        (schedule.words().to_owned(), schedule.is_bounded())
    }

    #[test]
    fn what_is_written_is_what_is_made() {
        for (scheduler, expected, is_bounded) in [
            ("Sequential", "sequential, uniform", false),
            ("Sequential(adversary: None)", "sequential, uniform", false),
            ("RoundRobin", "round robin", false),
            ("Asynchronous()", "asynchronous, uniform", false),
            ("Waves", "waves, each node once in a random order", false),
            ("SemiSynchronous(activation: All)", "semi-synchronous, all enabled nodes", false),
            (
                "SemiSynchronous(activation: Random(0.5))",
                "semi-synchronous, each enabled node with probability 0.5",
                false,
            ),
            (
                "SemiSynchronous(activation: Adversary(NewestFirst))",
                "semi-synchronous, newest message first",
                true,
            ),
            (
                "SemiSynchronous(activation: Adversary(Starve(node: 4)))",
                "semi-synchronous, starves node 4",
                true,
            ),
            ("Asynchronous(adversary: Starve(node: 3))", "asynchronous, starves node 3", true),
            ("Sequential(adversary: Some(NewestFirst))", "sequential, newest message first", true),
            (
                "Sequential(adversary: RandomPriorities(changes: 2))",
                "sequential, random priorities with 2 changes in 1280 turns",
                true,
            ),
        ] {
            assert_eq!(words(scheduler), (expected.to_owned(), is_bounded), "{scheduler}");
        }
    }
}
