//! Sections that several kinds of records share.

use acrasin_process::Process;
use acrasin_protocols::{Protocol as _, Table};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::Digest;

use super::configuration_digest;

/// A section with counts by name.
pub(crate) fn counts_section(name: SectionName, names: &[String], counts: &[u64]) -> Section {
    let mut section = Section::of(name);
    for (name, &count) in names.iter().zip(counts) {
        section.push(Figure::new(name.clone(), name.clone(), count));
    }
    section
}

/// A section with the digest of the last configuration.
pub(crate) fn last_digest(configuration: Option<Digest>) -> Section {
    let mut section = Section::of(SectionName::Digest);
    let configuration = configuration.map(|digest| digest.to_string());
    section.push(Figure::new("configuration", "last configuration", configuration));
    section
}

/// The digest of the last configuration, and the counts of agents by state and by output.
pub(crate) fn last_agents(agents: &(impl Process + ?Sized), table: &Table) -> [Section; 3] {
    let counts = agents.counts();
    let mut outputs = vec![0; usize::from(table.output_count())];
    for (state, &count) in table.states().zip(&*counts) {
        outputs[usize::from(table.output(state))] += count;
    }
    [
        last_digest(Some(configuration_digest(agents))),
        counts_section(SectionName::States, table.state_names(), &counts),
        counts_section(SectionName::Outputs, table.output_names(), &outputs),
    ]
}

/// The nonzero counts with their names, at most 20 of them.
pub(crate) fn present(names: &[String], counts: &[u64]) -> String {
    let present = names.iter().zip(counts).filter(|&(_, &count)| count > 0).take(20);
    present.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}
