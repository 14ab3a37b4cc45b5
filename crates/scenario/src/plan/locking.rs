//! `lock`: the algorithm with its rules, the number K of priorities, and the lock set.

use std::path::Path;

use acrasin_catalogue::parameter::Values;
use acrasin_protocols::locked::Way;
use acrasin_runtime::LockSetRule;
use acrasin_runtime::exclusion::local::{Local, Rules, SelfMessages};

use crate::document::ScenarioFields;
use crate::document::lock::{self as written, LockAlgorithm, LockRules, LockSet, PriorityCount};
use crate::document::rung::RungSetting;
use crate::document::work::{self, Work};
use crate::exclusion::{ExclusionEntry, ExclusionSite, ResolvedExclusion};
use crate::node_names::NodeNames;
use crate::{Catalogue, Document, DocumentError};

/// The lock options of a scenario.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locking {
    rules: Rules,
    self_messages: SelfMessages,
    priorities: Option<u32>,
    pub(super) lock_set: LockSetRule,
}

impl Locking {
    pub(super) fn new(document: &Document) -> Result<Self, DocumentError> {
        let written::LockSettings {
            algorithm: LockAlgorithm::Local,
            rules,
            lock_set,
            self_messages,
            priorities,
        } = document.scenario().lock;
        let rules = match rules {
            LockRules::Repaired => Rules::REPAIRED,
            LockRules::Published => Rules::PUBLISHED,
            LockRules::Mixed { reject_late_requests, clean_up_always, clean_up_ignored_calls } => {
                Rules { reject_late_requests, clean_up_always, clean_up_ignored_calls }
            }
        };
        let self_messages = match self_messages {
            written::SelfMessageSetting::Sent => SelfMessages::Sent,
            written::SelfMessageSetting::InMemory => SelfMessages::InMemory,
        };
        let priorities = match priorities {
            PriorityCount::Auto => None,
            PriorityCount::Exactly(number) => Some(u32::try_from(number).map_err(|_| {
                let accepted = format!("Auto, or 2 to {}: a priority is a 32-bit number", u32::MAX);
                document.error("lock.priorities", format!("{number} priorities")).accepting(accepted)
            })?),
        };
        Ok(Self { rules, self_messages, priorities, lock_set: lock_set_rule(document, lock_set)? })
    }

    /// The algorithm for nodes with this number of ports.
    pub(super) fn algorithm(&self, ports: u16) -> Local {
        let local = Local::new(ports).with_rules(self.rules).with_self_messages(self.self_messages);
        match self.priorities {
            None => local,
            Some(priorities) => local.with_priorities(priorities).expect("the reader refuses fewer than 2"),
        }
    }

    /// The number K of priorities for nodes with this number of ports. F2 draws priorities bit by bit, so its default
    /// is the next power of two.
    pub(super) fn priorities(&self, ports: u16, rung: acrasin_engine::Rung) -> u32 {
        let priorities = self.algorithm(ports).priorities();
        match (rung, self.priorities) {
            (acrasin_engine::Rung::F2, None) => priorities.next_power_of_two(),
            _ => priorities,
        }
    }

    /// A note if K is small for the number of contenders.
    pub(super) fn note(&self, ports: u16, contenders: u64) -> Option<String> {
        let rivals = contenders.min(u64::from(Local::auto_priorities(ports)));
        let priorities = self.priorities.filter(|&priorities| u64::from(priorities) < rivals)?;
        Some(format!(
            "with {priorities} priorities and up to {rivals} contenders within distance 2 the number of trials per Lock \
             grows exponentially with the contenders: practically no Lock may succeed; Auto is {}",
            Local::auto_priorities(ports)
        ))
    }

    /// The description of the rules, for the manifest.
    pub(super) fn rules(&self) -> String {
        let variant = match self.rules {
            Rules::REPAIRED => "repaired".to_owned(),
            Rules::PUBLISHED => "published".to_owned(),
            Rules { reject_late_requests, clean_up_always, clean_up_ignored_calls } => {
                let repairs =
                    [(reject_late_requests, "R1"), (clean_up_always, "R2"), (clean_up_ignored_calls, "R3")];
                let on: Vec<&str> = repairs.iter().filter(|(on, _)| *on).map(|&(_, name)| name).collect();
                format!("repaired by {} only", on.join(" and "))
            }
        };
        format!("local mutual exclusion, {variant}")
    }

    pub(super) fn lock_set_words(&self) -> &'static str {
        match self.lock_set {
            LockSetRule::Neighbourhood => "closed neighbourhood",
            LockSetRule::Pair => "pair",
        }
    }

    pub(super) fn self_messages_words(&self) -> &'static str {
        match self.self_messages {
            SelfMessages::Sent => "sent",
            SelfMessages::InMemory => "in memory",
        }
    }
}

/// The mutual exclusion algorithm of the scenario, resolved.
pub(super) struct ChosenExclusion {
    entry: ExclusionEntry,
    values: Values,
    written: ScenarioFields,
}

impl ChosenExclusion {
    /// Looks up the algorithm; `None` if the scenario names none.
    pub(super) fn new(document: &Document, catalogue: &Catalogue) -> Result<Option<Self>, DocumentError> {
        if document.scenario().exclusion.is_none() {
            return Ok(None);
        }
        let refused = |failure| document.refused(failure);
        let choice = document.choice("exclusion");
        let entry = choice.find(catalogue.exclusions().entries(), &[]).map_err(refused)?;
        let chosen = choice.chosen(entry, &[]).map_err(refused)?;
        let written = chosen.fields();
        Ok(Some(Self { entry, values: chosen.values, written }))
    }
}

/// The algorithm for a graph with these node names, and its fields with defaults; local mutual exclusion by default.
pub(super) fn exclusion(
    document: &Document,
    chosen: Option<ChosenExclusion>,
    folder: &Path,
    names: &NodeNames<'_>,
) -> Result<(ResolvedExclusion, Option<ScenarioFields>), DocumentError> {
    let Some(ChosenExclusion { entry, values, written }) = chosen else {
        return Ok((ResolvedExclusion::local(), None));
    };
    let scenario = document.scenario();
    let values = names.of_values(document, "exclusion", &values)?;
    let misfit = |error| document.misfit("exclusion", &error).in_words(|it| names.in_words(it));
    let chosen = (entry.read)(&values, ExclusionSite { folder, names }).map_err(misfit)?;
    if !chosen.is_local() {
        let others = |place: &str, message: &str, accepted: &str| {
            Err(document
                .error(place, format!("{message}, but the algorithm here is {}", entry.name))
                .accepting(accepted))
        };
        if scenario.lock != written::LockSettings::default() {
            return others(
                "lock",
                "these are the rules of local mutual exclusion",
                "omit this field, or exclusion: Local",
            );
        }
        if scenario.rung != RungSetting::F4 {
            return others("rung", "other rungs run local mutual exclusion only", "F4, or exclusion: Local");
        }
    }
    Ok((chosen, Some(written)))
}

/// Converts `way` to the type of the protocols.
pub(super) fn way(way: work::Partners) -> Way {
    match way {
        work::Partners::AnyLocked => Way::AnyLocked,
        work::Partners::PickedPair => Way::PickedPair,
        work::Partners::Group => Way::Group,
    }
}

/// The written lock set, or by default that of the work. A lock set that contradicts the work is refused.
fn lock_set_rule(document: &Document, written: LockSet) -> Result<LockSetRule, DocumentError> {
    let written = match written {
        LockSet::Auto => None,
        LockSet::Neighbourhood => Some(LockSetRule::Neighbourhood),
        LockSet::Pair => Some(LockSetRule::Pair),
    };
    let Work::Interactions { way: words, .. } = &document.scenario().work else {
        return Ok(written.unwrap_or_default());
    };
    let needed = way(*words).lock_set();
    match written {
        Some(written) if written != needed => {
            let (says, accepted) = match needed {
                LockSetRule::Pair => {
                    ("Neighbourhood", "Auto or Pair; way: AnyLocked locks the neighbourhood")
                }
                LockSetRule::Neighbourhood => ("Pair", "Auto or Neighbourhood; way: PickedPair locks a pair"),
            };
            let message = format!("the lock set {says} contradicts the way {words:?} of the interactions");
            Err(document.error("lock.lock_set", message).accepting(accepted))
        }
        _ => Ok(needed),
    }
}
