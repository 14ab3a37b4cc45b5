//! Local mutual exclusion, the default. Its rules are set by the field `lock: …`.

use super::entry::ExclusionEntry;
use super::resolved_exclusion::ResolvedExclusion;

pub(super) const ENTRY: ExclusionEntry = ExclusionEntry {
    name: "Local",
    summary: "local mutual exclusion with the rules of `lock`: disjoint neighbourhoods; any graph, which may change",
    parameters: &[],
    read: |_, _| Ok(ResolvedExclusion::local()),
};
