//! `acrasin list`: the names that a scenario can use.

use std::fmt::Write as _;

use acrasin_catalogue::{Entry as Named, EntryCatalogue as Entries};
use acrasin_engine::Rung;
use acrasin_graphs::family;
use acrasin_report::record::Exit;
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::Catalogue;
use clap::ValueEnum;

use crate::{Failure, output, scenarios};

/// A kind of list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub enum ListKind {
    /// Scenarios that run without a file.
    Scenarios,
    /// Built-in population protocols.
    Protocols,
    /// Graphs, graph files and graphs that change over time.
    Graphs,
    /// Levels of detail at which the lock algorithm is executed.
    Rungs,
    /// The order in which nodes act.
    Schedulers,
    /// Sources of choices that replace random draws.
    Adversaries,
    /// Changes of the edges in addition to those of the topology.
    Disturbances,
    /// Mutual exclusion algorithms.
    Exclusion,
    /// Rules of local mutual exclusion.
    Rules,
    /// Activities of the nodes.
    Work,
    /// Conditions that end a run.
    Stops,
    /// Algorithms of scenarios of amoebots.
    Amoebots,
    /// Initial shapes of amoebots.
    Starts,
    /// Objects for amoebots to coat.
    Objects,
}

/// An item of a list: a name that scenarios can use, with a summary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The kind of list that contains the item.
    pub kind: ListKind,
    /// The name as users write it: in a scenario, or after `acrasin run` for a built-in scenario.
    pub name: String,
    /// The parameters of the item, separated by commas.
    pub parameters: String,
    /// A summary in one line.
    pub summary: String,
    /// A claim about the protocol that is proved for every population size; empty for items of other kinds.
    pub proved: String,
}

impl ListKind {
    /// The singular noun for an item, as in the first column of the list.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scenarios => "scenario",
            Self::Protocols => "protocol",
            Self::Graphs => "graph",
            Self::Rungs => "rung",
            Self::Schedulers => "scheduler",
            Self::Adversaries => "adversary",
            Self::Disturbances => "disturbance",
            Self::Exclusion => "exclusion",
            Self::Rules => "rules",
            Self::Work => "work",
            Self::Stops => "stop",
            Self::Amoebots => "algorithm",
            Self::Starts => "start",
            Self::Objects => "object",
        }
    }

    /// All items of this kind, in display order.
    #[must_use]
    pub fn items(self, catalogue: &Catalogue) -> Vec<Item> {
        let item = |name: &str, parameters: &str, summary: &str| Item {
            kind: self,
            name: name.to_owned(),
            parameters: parameters.to_owned(),
            summary: summary.to_owned(),
            proved: String::new(),
        };
        let listed = |list: &[(&str, &str, &str)]| -> Vec<Item> {
            list.iter().map(|&(name, parameters, summary)| item(name, parameters, summary)).collect()
        };
        /// Converts the entries of a catalogue to items.
        fn of<E: Named>(
            kind: ListKind,
            catalogue: &Entries<E>,
            said: impl Fn(&E) -> (&'static str, String),
        ) -> Vec<Item> {
            let item = |entry: &E| {
                let (summary, further) = said(entry);
                let parameters = entry.parameters().iter().map(ToString::to_string);
                let parameters: Vec<String> =
                    parameters.chain([further].into_iter().filter(|further| !further.is_empty())).collect();
                Item {
                    kind,
                    name: entry.name().to_owned(),
                    parameters: parameters.join(", "),
                    summary: summary.to_owned(),
                    proved: String::new(),
                }
            };
            catalogue.entries().iter().map(item).collect()
        }
        match self {
            Self::Scenarios => {
                scenarios::ALL.iter().map(|scenario| item(scenario.name, "", scenario.summary)).collect()
            }
            Self::Protocols => {
                let mut items = of(self, catalogue.protocols(), |entry| (entry.summary, String::new()));
                for (item, entry) in items.iter_mut().zip(catalogue.protocols().entries()) {
                    item.summary += &format!("; states {}", entry.states);
                    if let Some(claim) = entry.proved {
                        let defaults =
                            if entry.parameters.is_empty() { "" } else { "with default parameters: " };
                        item.proved = format!("{defaults}{claim}");
                    }
                }
                let lazy =
                    of(self, catalogue.lazy_protocols(), |entry| (entry.summary, String::new())).into_iter();
                for (mut item, entry) in lazy.zip(catalogue.lazy_protocols().entries()) {
                    item.summary += &format!("; no table, counted {}", entry.classes);
                    items.push(item);
                }
                items.push(item(
                    "File",
                    "path",
                    "a protocol in a separate file; the path is relative to the scenario",
                ));
                items
            }
            Self::Graphs => {
                let mut items = of(self, catalogue.families(), |family| (family.summary, seed_of(family)));
                items.extend(listed(&OTHER_GRAPHS));
                items
            }
            Self::Rungs => {
                let items = Rung::ALL.map(|rung| item(&rung.to_string(), of_rung(rung), rung.summary()));
                items.into()
            }
            Self::Schedulers => {
                of(self, catalogue.schedulers(), |entry| (entry.summary, entry.takes.to_string()))
            }
            Self::Adversaries => of(self, catalogue.adversaries(), |entry| (entry.summary, String::new())),
            Self::Disturbances => listed(&DISTURBANCES),
            Self::Exclusion => of(self, catalogue.exclusions(), |entry| (entry.summary, String::new())),
            Self::Rules => listed(&RULES),
            Self::Work => listed(&WORK),
            Self::Stops => {
                let own = of(self, catalogue.stops(), |entry| (entry.summary, String::new()));
                listed(&STOPS).into_iter().chain(own).collect()
            }
            Self::Amoebots => {
                let mut items = of(self, catalogue.amoebots(), |entry| (entry.summary, String::new()));
                items.push(item(
                    "File",
                    "path",
                    "amoebots: an algorithm written as a table of actions, in a separate file; \
                     the path is relative to the scenario",
                ));
                items
            }
            Self::Starts => listed(&STARTS),
            Self::Objects => listed(&OBJECTS),
        }
    }
}

/// The additional parameter `seed` if the graph family makes random draws; otherwise empty.
fn seed_of(family: &family::FamilyEntry) -> String {
    if family.draws { "seed".to_owned() } else { String::new() }
}

const OTHER_GRAPHS: [(&str, &str, &str); 3] = [
    (
        "File",
        "path, format",
        "edge list (SNAP, CSV), METIS, Matrix Market, graph6, digraph6 or DOT; .gz files are read directly",
    ),
    (
        "Contacts",
        "path, format, rounds_per_step, duplicates, self_contacts, unsorted",
        "recorded contacts, lines `t i j` or `start end i j`: the graph changes with time",
    ),
    (
        "Mobility",
        "nodes, side, range, speed, pause, step, duration, rounds_per_step, seed",
        "random waypoint walkers, adjacent while within a range: the graph changes",
    ),
];

/// The schedulers that a rung supports, as text.
fn of_rung(rung: Rung) -> &'static str {
    match rung {
        Rung::F0 => "scheduler: UniformPairs or RandomMatchings",
        Rung::F1 => "scheduler: Waves",
        Rung::F2 => "scheduler: SemiSynchronous; square and triangular tori, a multiple of 64 columns",
        Rung::F3 => "scheduler: SemiSynchronous",
        Rung::F4 => "any scheduler except Waves, UniformPairs and RandomMatchings; the default",
    }
}

const DISTURBANCES: [(&str, &str, &str); 2] = [
    ("Churn", "rate", "every edge vanishes and comes back at this rate"),
    ("Swizzle", "links, every", "a random set of links is cut one by one and restored in another order"),
];

const RULES: [(&str, &str, &str); 3] = [
    ("Repaired", "", "local mutual exclusion with the three repairs: no deadlock"),
    ("Published", "", "local mutual exclusion with the published rules: can deadlock"),
    (
        "Mixed",
        "reject_late_requests, clean_up_always, clean_up_ignored_calls",
        "each repair separately: true or false",
    ),
];

const WORK: [(&str, &str, &str); 3] = [
    ("Interactions", "protocol, way, initial", "a population protocol; ways AnyLocked, PickedPair, Group"),
    ("Locks", "each, callers", "nodes lock and unlock, and do nothing in between"),
    ("Idle", "", "no node calls Lock: only the topology changes"),
];

const STOPS: [(&str, &str, &str); 9] = [
    ("OutputsAgree", "", "all nodes have the same output"),
    (
        "Settled",
        "",
        "the goal of the protocol is reached and stays (for protocols without a table that define a goal)",
    ),
    ("OutputsStable", "", "all nodes have the same output, and every state that can still occur has it too"),
    ("Silent", "", "no interaction can change a state"),
    (
        "Counts",
        "predicate",
        "a predicate on counts of states and outputs, such as \"A == 0 || 100 * B <= n\"",
    ),
    ("Rounds", "count", "this number of rounds"),
    ("Interactions", "count", "this number of interactions"),
    ("Locks", "count", "this number of completed Locks, summed over nodes"),
    ("TraceEnd", "", "the contact trace or the mobility model is over"),
];

const STARTS: [(&str, &str, &str); 16] = [
    ("Line", "count", "amoebots on a straight line"),
    ("Hexagon", "count", "amoebots on a spiral: a hexagon, except for its last ring"),
    ("Blob", "count, acceptance", "amoebots on a random connected set, grown like a tree"),
    (
        "RandomTree",
        "count, acceptance",
        "amoebots on a random connected set; cells that do not join can be picked again, as in AmoebotSim",
    ),
    ("HoleFree", "count", "amoebots on a random connected set without holes"),
    ("Ring", "hole_side, width", "amoebots on a hexagonal ring around a hole"),
    ("Column", "count", "amoebots in a straight line away from an object"),
    ("Heap", "count, acceptance", "amoebots on a random connected set next to an object"),
    ("Layer", "count", "amoebots one after the other along an object"),
    ("Drawing", "path", "amoebots, seed, object and colours as they are drawn in a text file"),
    ("VShape", "rows, across, up", "amoebots along the two sides of a wedge, for bridging"),
    ("NShape", "side", "amoebots along three strokes, for bridging"),
    ("Cells", "[(x, y), ..]", "amoebots on these cells"),
    (
        "Amoebots",
        "[(head, tail, port_1, clockwise, memory), ..]",
        "amoebots one by one; tails and memories for algorithms from files",
    ),
    (
        "Recorded",
        "path, actions",
        "a configuration of a recorded run: after a number of its actions, or at its end",
    ),
    ("AllConnected", "count", "every connected shape and seed position; for acrasin check"),
];

const OBJECTS: [(&str, &str, &str); 9] = [
    ("Wall", "length", "a straight line to the east"),
    ("Hexagon", "side", "a regular hexagon"),
    ("Triangle", "side", "a triangle with its base below"),
    ("Parallelogram", "width, height", "stacked rows"),
    ("Corner", "width, height", "two walls with an angle of 120 degrees between them"),
    ("Staircase", "steps, tread, rise", "steps to the north-east, one cell wide"),
    ("Bay", "side, sides", "one to five sides of a hexagonal ring"),
    ("Boulder", "cells", "a random shape without holes and without passages one cell wide"),
    ("Cells", "[(x, y), ..]", "these cells"),
];

/// Prints the list of one kind, or of all.
pub(crate) fn print(kind: Option<ListKind>, catalogue: &Catalogue, format: Format) -> Result<Exit, Failure> {
    let kinds = kind.as_ref().map_or(ListKind::value_variants(), std::slice::from_ref);
    let items: Vec<Item> = kinds.iter().flat_map(|kind| kind.items(catalogue)).collect();
    output::print(&match format {
        Format::Table => lines(&items),
        _ => table(items).render(format, TextStyle::PLAIN),
    })?;
    Ok(Exit::Done)
}

/// One line for each item, of any length and without proofs: `graph Grid square lattice, open boundary (rows,
/// columns)`.
fn lines(items: &[Item]) -> String {
    let width = |cell: fn(&Item) -> &str| items.iter().map(|item| cell(item).len()).max().unwrap_or(0);
    let (kinds, names) = (width(|item| item.kind.name()), width(|item| &item.name));
    let mut text = String::new();
    for Item { kind, name, parameters, summary, .. } in items {
        let parameters = if parameters.is_empty() { String::new() } else { format!(" ({parameters})") };
        let _ = writeln!(text, "{:kinds$}  {name:names$}  {summary}{parameters}", kind.name());
    }
    text
}

fn table(items: Vec<Item>) -> ResultTable {
    let columns =
        ["kind", "name", "parameters", "summary", "proved"].map(|name| Column::new(name).with_key(name));
    let mut table = ResultTable::new(columns);
    let unless_empty = |text: String| if text.is_empty() { Value::Missing } else { text.into() };
    for Item { kind, name, parameters, summary, proved } in items {
        let (parameters, proved) = (unless_empty(parameters), unless_empty(proved));
        table.push([kind.name().into(), name.into(), parameters, summary.into(), proved]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    use acrasin_scenario::{AmoebotPlan, Document, Plan, ScenarioFile};

    /// The widest line of the whole list.
    const COLUMNS_MAX: usize = 200;

    /// The words that a scenario accepts at a place, according to its own error.
    fn accepted(field: &str) -> Vec<String> {
        let text = format!("(topology: Ring(nodes: 5), scheduler: Sequential, work: Idle, {field})");
        let name = field.split(':').next().unwrap();
        let text = match name {
            "topology" => text.replace("topology: Ring(nodes: 5), ", ""),
            "scheduler" => text.replace("scheduler: Sequential, ", ""),
            "work" => text.replace("work: Idle, ", ""),
            _ => text,
        };
        // The plan, not the parser, knows the names of the catalogue.
        let document = Document::parse(&text, "x.ron");
        let error = document.and_then(|document| Plan::new(&document, Path::new(""))).expect_err(field);
        error.accepted().expect(field).split(", ").map(str::to_owned).collect()
    }

    /// The words that a scenario of amoebots accepts, according to its own error.
    fn accepted_of_amoebots(fields: &str) -> Vec<String> {
        let text = format!("(amoebots: ({fields}))");
        // The plan, not the parser, knows the names of the catalogue.
        let error = match ScenarioFile::parse(&text, "x.ron", &[]) {
            Err(error) => error,
            Ok(ScenarioFile::Amoebots(document)) => {
                AmoebotPlan::new(&document, Path::new("")).expect_err(fields)
            }
            Ok(_) => panic!("{fields} are of amoebots"),
        };
        error.accepted().expect(fields).split(", ").map(str::to_owned).collect()
    }

    fn names(kind: ListKind) -> Vec<String> {
        kind.items(&Catalogue::shipped()).into_iter().map(|item| item.name).collect()
    }

    fn sorted(mut names: Vec<String>) -> Vec<String> {
        names.sort();
        names
    }

    #[test]
    fn the_list_has_exactly_the_words_that_scenarios_accept() {
        let cases = [
            (ListKind::Graphs, "topology: Wrong"),
            (ListKind::Rungs, "rung: Wrong"),
            (ListKind::Schedulers, "scheduler: Wrong"),
            (ListKind::Adversaries, "scheduler: Sequential(adversary: Wrong)"),
            (ListKind::Disturbances, "disturbances: [Wrong]"),
            (ListKind::Rules, "lock: (rules: Wrong)"),
            (ListKind::Work, "work: Wrong"),
            (ListKind::Stops, "stop: [Wrong]"),
        ];
        for (kind, field) in cases {
            assert_eq!(sorted(names(kind)), sorted(accepted(field)), "{kind:?}");
        }
        let of_amoebots = [
            (ListKind::Amoebots, "algorithm: Wrong, start: Line(count: 1)"),
            (ListKind::Starts, "algorithm: Erosion, start: Wrong"),
            (ListKind::Objects, "algorithm: Coating, object: Wrong, start: Column(count: 1)"),
        ];
        for (kind, fields) in of_amoebots {
            assert_eq!(sorted(names(kind)), sorted(accepted_of_amoebots(fields)), "{kind:?}");
        }
    }

    #[test]
    fn every_item_is_one_line_and_named_once() {
        for kind in ListKind::value_variants() {
            let names = sorted(names(*kind));
            assert!(!names.is_empty() && names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
            for item in kind.items(&Catalogue::shipped()) {
                let text = format!("{}{}{}", item.name, item.parameters, item.summary);
                assert!(!text.contains('\n') && !item.summary.is_empty(), "{item:?}");
            }
        }
    }

    /// Regression: seven lines had up to 284 characters.
    #[test]
    fn no_line_of_the_list_is_wider_than_a_wide_terminal() {
        let catalogue = Catalogue::shipped();
        let items: Vec<Item> =
            ListKind::value_variants().iter().flat_map(|kind| kind.items(&catalogue)).collect();
        let text = lines(&items);
        assert_eq!(text.lines().count(), items.len());
        let wide = text.lines().filter(|line| line.chars().count() > COLUMNS_MAX).collect::<Vec<_>>();
        assert!(wide.is_empty(), "more than {COLUMNS_MAX} characters: {wide:#?}");
    }

    #[test]
    fn parameters_of_graphs_are_fields_of_scenarios() {
        for item in ListKind::Graphs.items(&Catalogue::shipped()) {
            let fields = sorted(accepted(&format!("topology: {}(wrong: 1)", item.name)));
            assert_eq!(
                sorted(item.parameters.split(", ").map(str::to_owned).collect()),
                fields,
                "{}",
                item.name
            );
        }
    }
}
