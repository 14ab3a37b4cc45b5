//! An adversary that activates nodes by random priorities, which change a few times during a run.

use acrasin_catalogue::counted;
use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind};
use acrasin_runtime::exclusion::local::Action;
use acrasin_runtime::scheduler::RandomPriorities;

use super::entry::AdversaryEntry;
use super::schedule::Schedule;

/// The maximum number of changes of priorities; all are drawn at the start of a run.
const CHANGES_MAX: u32 = 1 << 20;

pub(super) const ENTRY: AdversaryEntry = AdversaryEntry {
    name: "RandomPriorities",
    summary: "random priorities of nodes, which change at random turns (PCT)",
    parameters: &[Parameter::required("changes", ParameterKind::Count, "the number of changes")],
    steps: |values, site| {
        let changes =
            u32::try_from(values.count_of("changes")).ok().filter(|&changes| changes <= CHANGES_MAX);
        let changes = changes.ok_or_else(|| {
            ParameterError::new("changes", "too many changes of priorities")
                .accepting(format!("0 to {CHANGES_MAX}"))
        })?;
        // A Lock takes about a hundred turns per node: with this horizon the changes happen during the first few Locks.
        let horizon = site.nodes.saturating_mul(256).max(1024);
        let words = format!("random priorities with {} in {horizon} turns", counted(changes, "change"));
        Ok(Schedule::new(RandomPriorities::<Action>::new(changes, horizon), words))
    },
    // This adversary chooses one node at a time.
    rounds: None,
};
