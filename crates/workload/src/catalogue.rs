//! The catalogue of workloads: families, sizes, and the rows of each.

use crate::row::{Ask, AskError, WorkloadFamily, WorkloadGroup, WorkloadRow};
use crate::work::Unit;
use crate::{amoebots, exclusions, lock_rounds, pairs, tables, tasks};

/// All families of workloads, in the order of the report.
pub const FAMILIES: &[WorkloadFamily] = &[
    WorkloadFamily {
        id: "L1",
        summary: "closed-neighbourhood tasks on a square torus: lock sets without messages",
        unit: Unit::Task,
        sizes: &[1 << 14, 1 << 20],
        long_sizes: &[],
    },
    WorkloadFamily {
        id: "M1",
        summary: "the lock protocol on a triangular torus, permanent demand",
        unit: Unit::Activation,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[10_000_000],
    },
    WorkloadFamily {
        id: "M2",
        summary: "the lock protocol on a random 8-regular graph, permanent demand",
        unit: Unit::Activation,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[],
    },
    WorkloadFamily {
        id: "M3",
        summary: "the lock protocol while edges come and go; half of the nodes active",
        unit: Unit::Activation,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[],
    },
    WorkloadFamily {
        id: "M4",
        summary: "messages per Lock against demand and K; half of the nodes active; checks messages = d (6 + 2 T)",
        unit: Unit::Activation,
        sizes: &[128 * 128],
        long_sizes: &[],
    },
    WorkloadFamily {
        id: "P6",
        summary: "interactions with a random neighbour whose transition costs 10, 100, 1000 ns",
        unit: Unit::Interaction,
        sizes: &[1 << 20],
        long_sizes: &[],
    },
    WorkloadFamily {
        id: "P1",
        summary: "uniform pairs on a ring, without locks: rock-paper-scissors",
        unit: Unit::Interaction,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[100_000_000],
    },
    WorkloadFamily {
        id: "P2",
        summary: "uniform pairs on a square torus, without locks: rock-paper-scissors",
        unit: Unit::Interaction,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[100_000_000],
    },
    WorkloadFamily {
        id: "P3",
        summary: "uniform pairs on four random cycles, without locks: rock-paper-scissors",
        unit: Unit::Interaction,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[67_108_864],
    },
    WorkloadFamily {
        id: "P4",
        summary: "uniform pairs on four random edges per agent, without locks: rock-paper-scissors",
        unit: Unit::Interaction,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[67_108_864],
    },
    WorkloadFamily {
        id: "P7",
        summary: "interactions by a table of 64 states: without messages, and with every message",
        unit: Unit::Interaction,
        sizes: &[10_000, 1_000_000],
        long_sizes: &[],
    },
    WorkloadFamily {
        id: "T1",
        summary: "the token by Raymond's rule on a random tree, permanent demand: messages one by one",
        unit: Unit::Message,
        sizes: &[10_000],
        long_sizes: &[100_000],
    },
    WorkloadFamily {
        id: "C1",
        summary: "local critical sections (scheme: Home) on a square grid, permanent demand: messages one by one",
        unit: Unit::Message,
        sizes: &[10_000],
        long_sizes: &[100_000],
    },
    WorkloadFamily {
        id: "A1",
        summary: "compression: steps of chain M from a hexagon",
        unit: Unit::Step,
        sizes: &[100, 1_000, 10_000, 1_000_000],
        long_sizes: &[],
    },
    WorkloadFamily {
        id: "A2",
        summary: "hexagon formation from a blob: completed actions",
        unit: Unit::Action,
        sizes: &[10_000, 100_000],
        long_sizes: &[1_000_000],
    },
    WorkloadFamily {
        id: "A3",
        summary: "erosion, spanning forest, universal coating, energy distribution: completed actions",
        unit: Unit::Action,
        sizes: &[10_000],
        long_sizes: &[100_000],
    },
];

/// The requested groups, in the order of [`FAMILIES`].
///
/// Nothing is built yet, but every size is checked, so that an impossible size is refused before anything runs.
///
/// # Errors
///
/// A size that a family cannot build, or that needs more memory than the limit.
pub fn groups(ask: &Ask) -> Result<Vec<WorkloadGroup>, AskError> {
    let mut groups = Vec::new();
    for family in FAMILIES {
        if !ask.families.is_empty() && !ask.families.contains(&family.id) {
            continue;
        }
        let long = if ask.full { family.long_sizes } else { &[] };
        let own: Vec<u64> = family.sizes.iter().chain(long).copied().collect();
        for &nodes in if ask.nodes.is_empty() { &own } else { &ask.nodes } {
            let rows = rows(family.id, nodes, ask)
                .map_err(|error| AskError::new(format_args!("{} at {nodes} nodes: {error}", family.id)))?;
            groups.push(WorkloadGroup { family, nodes, rows });
        }
    }
    Ok(groups)
}

/// The maximum number of nodes for the naive loop of the message families, which takes seconds for a round of a million
/// nodes.
const NAIVE_NODES_MAX: u64 = 20_000;

fn rows(family: &str, nodes: u64, ask: &Ask) -> Result<Vec<WorkloadRow>, AskError> {
    match family {
        "L1" => tasks::closed_neighbourhoods(nodes, ask),
        "M1" => lock_rounds::permanent(nodes, NAIVE_NODES_MAX, ask),
        "M2" => lock_rounds::regular(nodes, NAIVE_NODES_MAX, ask),
        "M3" => lock_rounds::changing(nodes, ask),
        "M4" => lock_rounds::demands(nodes, ask),
        "P6" => tasks::interactions(nodes, ask),
        "P1" => pairs::ring(nodes, ask),
        "P2" => pairs::torus(nodes, ask),
        "P3" => pairs::regular(nodes, ask),
        "P4" => pairs::random(nodes, ask),
        "P7" => tables::tables(nodes, ask),
        "T1" => exclusions::tokens(nodes, ask),
        "C1" => exclusions::sections(nodes, ask),
        "A1" => amoebots::chains(nodes, ask),
        "A2" => amoebots::hexagons(nodes, ask),
        "A3" => amoebots::others(nodes, ask),
        other => Err(AskError::new(format_args!("no family {other}"))),
    }
}
