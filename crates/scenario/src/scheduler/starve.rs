//! An adversary that prevents one node from acting.

use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind, Values};
use acrasin_runtime::NodeId;
use acrasin_runtime::exclusion::local::Action;
use acrasin_runtime::scheduler::{Activation, SemiSynchronous, Starve};

use super::entry::{AdversaryEntry, SchedulerSite};
use super::schedule::Schedule;

pub(super) const ENTRY: AdversaryEntry = AdversaryEntry {
    name: "Starve",
    summary: "one node takes no step for as long as weak fairness allows",
    parameters: &[Parameter::required(
        "node",
        ParameterKind::Node,
        "the node, by its name in the graph file or its number from 0",
    )],
    steps: |values, site| {
        victim(values, site).map(|node| Schedule::new(Starve::<Action>::new(node), words(node, site)))
    },
    rounds: Some(|values, site| {
        let scheduler = |node| SemiSynchronous::<Action>::new(Activation::AllBut(node));
        victim(values, site).map(|node| Schedule::new(scheduler(node), words(node, site)))
    }),
};

fn victim(values: &Values, SchedulerSite { nodes, .. }: SchedulerSite<'_>) -> Result<NodeId, ParameterError> {
    let node = values.count_of("node");
    u32::try_from(node).ok().filter(|&node| node < nodes).map(NodeId).ok_or_else(|| {
        ParameterError::new("node", format!("there is no node {node}"))
            .accepting(format!("0 to {}", nodes - 1))
    })
}

fn words(node: NodeId, site: SchedulerSite<'_>) -> String {
    format!("starves node {}", site.name_of(node))
}
