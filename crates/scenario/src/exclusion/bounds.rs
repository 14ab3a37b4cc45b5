//! The bounds (l, k) of each node: equal for all nodes, dependent on the degree, from a list or from a file.

use std::io::Read as _;

use acrasin_catalogue::counted;
use acrasin_catalogue::parameter::{ParameterError, Values};
use acrasin_graphs::read::utf8;
use acrasin_runtime::Topology;
use acrasin_runtime::exclusion::Bounds;
use acrasin_runtime::exclusion::critical_section::Scheme;

use super::entry::ExclusionSite;
use crate::document::quantity::NodeName;
use crate::limits::BOUNDS_BYTES;

/// Bounds as written in the scenario, before the graph is known.
#[derive(Clone, Debug)]
pub(super) enum WrittenBounds {
    Apart { least: WrittenBound, most: WrittenBound },
    File { path: String, lines: Vec<BoundsLine> },
}

/// A line of a file of bounds: its line number, the node and its bounds.
type BoundsLine = (u32, u64, Bounds);

/// A bound as written in the scenario.
#[derive(Clone, Debug)]
pub(super) enum WrittenBound {
    Each(u64),
    /// The size of the closed neighbourhood minus this number; 0 if it is smaller.
    AllBut(u64),
    Listed(&'static str, Vec<u64>),
}

impl WrittenBounds {
    /// Reads both bounds as they are written in the scenario.
    ///
    /// # Errors
    ///
    /// A bound is given twice in different ways, or not at all; the scheme cannot guarantee the bound; or a file cannot
    /// be read.
    pub(super) fn read(
        values: &Values,
        site: ExclusionSite<'_>,
        scheme: Scheme,
    ) -> Result<Self, ParameterError> {
        let least = WrittenBound::read(values, ["least", "least_all_but", "leasts"])?;
        let most = WrittenBound::read(values, ["most", "most_all_but", "mosts"])?;
        if let Some(path) = values.text("bounds") {
            if let Some((name, _)) = least.or(most) {
                let message = "the file has the bounds of all nodes";
                return Err(ParameterError::new(name, message).accepting("omit this field, or no file"));
            }
            return Ok(Self::File { path: path.to_owned(), lines: from_file(site, path)? });
        }
        for (bound, kept_by, other) in [(&least, "l", Scheme::Exclusion), (&most, "k", Scheme::Inclusion)] {
            if let (Some((name, _)), true) = (bound, scheme == other) {
                let message = format!("the scheme {other:?} does not use {kept_by}");
                return Err(ParameterError::new(name, message).accepting("omit this field, or scheme: Home"));
            }
        }
        if least.is_none() && most.is_none() {
            let message = "neither the bound l nor the bound k is given";
            return Err(ParameterError::new("least", message)
                .accepting("least or most, least_all_but or most_all_but, leasts or mosts, bounds: a file"));
        }
        Ok(Self::Apart {
            least: least.map_or(WrittenBound::Each(0), |(_, bound)| bound),
            most: most.map_or(WrittenBound::AllBut(0), |(_, bound)| bound),
        })
    }

    /// The bounds of each node of a graph.
    ///
    /// # Errors
    ///
    /// A list or a file does not fit the nodes of this graph.
    pub(super) fn bounds(&self, topology: &Topology) -> Result<Vec<Bounds>, ParameterError> {
        let nodes = topology.node_count();
        match self {
            Self::Apart { least, most } => topology
                .nodes()
                .map(|node| {
                    let members = u64::from(topology.degree(node)) + 1;
                    let of = |bound: &WrittenBound| bound.of((node.index(), nodes), members);
                    Ok(Bounds { least: of(least)?, most: of(most)? })
                })
                .collect(),
            Self::File { path, lines } => {
                let refused = |message: String, accepted: String| {
                    Err(ParameterError::new("bounds", message).accepting(accepted))
                };
                let mut bounds = vec![None; nodes as usize];
                for &(number, node, of_node) in lines {
                    let Some(slot) = usize::try_from(node).ok().and_then(|node| bounds.get_mut(node)) else {
                        let accepted = format!("0 to {}", nodes - 1);
                        return refused(format!("{path}:{number}: there is no node {node}"), accepted);
                    };
                    if slot.replace(of_node).is_some() {
                        let message = format!("{path}:{number}: node {node} has two lines");
                        return refused(message, "one line for each node".to_owned());
                    }
                }
                match bounds.iter().position(Option::is_none) {
                    None => Ok(bounds.into_iter().flatten().collect()),
                    Some(node) => {
                        let message = format!("{path}: there is no line for node {node}");
                        refused(message, format!("a line for each of {nodes} nodes"))
                    }
                }
            }
        }
    }
}

impl WrittenBound {
    /// Reads a bound, which is written in one of three ways. Returns it with the name of the parameter that was used.
    fn read(
        values: &Values,
        [each, all_but, list]: [&'static str; 3],
    ) -> Result<Option<(&'static str, Self)>, ParameterError> {
        let found = [
            values.count(each).map(|count| (each, Self::Each(count))),
            values.count(all_but).map(|count| (all_but, Self::AllBut(count))),
            values.counts(list).map(|counts| (list, Self::Listed(list, counts.to_vec()))),
        ];
        let mut found = found.into_iter().flatten();
        match (found.next(), found.next()) {
            (Some((first, _)), Some((second, _))) => {
                let message = format!("{first} sets the same bound");
                Err(ParameterError::new(second, message).accepting("one of the two"))
            }
            (bound, _) => Ok(bound),
        }
    }

    fn of(&self, (node, nodes): (usize, u32), members: u64) -> Result<u32, ParameterError> {
        let value = match self {
            Self::Each(count) => *count,
            Self::AllBut(count) => members.saturating_sub(*count),
            Self::Listed(name, list) => match list.get(node) {
                Some(&count) if list.len() as u64 == u64::from(nodes) => count,
                _ => {
                    let odd = list.len().min(nodes as usize);
                    let missing = if list.len() > odd { "there is no" } else { "none for" };
                    let message = format!(
                        "{} for {}: {missing} node {odd}",
                        counted(list.len(), "bound"),
                        counted(nodes, "node")
                    );
                    return Err(ParameterError::new(name, message).accepting(format!("{nodes} bounds")));
                }
            },
        };
        // The algorithm refuses a bound above the size of the neighbourhood and names the node.
        Ok(u32::try_from(value).unwrap_or(u32::MAX))
    }
}

/// Parses lines `node least most`, separated by spaces or commas. Empty lines and lines that begin with `#` are
/// skipped. A node is written by its name in the graph file, quoted or not, otherwise by its number from 0.
fn from_file(
    ExclusionSite { folder, names }: ExclusionSite<'_>,
    path: &str,
) -> Result<Vec<BoundsLine>, ParameterError> {
    let refused = |message: String| ParameterError::new("bounds", message);
    let mut bytes = Vec::new();
    let read = acrasin_graphs::read::open(&folder.join(path))
        .and_then(|file| file.take(BOUNDS_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| refused(format!("{path}: {error}")).accepting("a readable file"))?;
    if bytes.len() as u64 > BOUNDS_BYTES {
        return Err(
            refused(format!("{path} is too long")).accepting(format!("{BOUNDS_BYTES} bytes or fewer"))
        );
    }
    let text = utf8(&bytes).map_err(|error| {
        refused(format!("{path}:{}: {}", error.line(), error.problem())).accepting(error.accepted())
    })?;
    let (mut nodes, mut lines) = (Vec::new(), Vec::new());
    for (number, line) in (1_u32..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((node, bounds)) = line_of(line) else {
            let shown: String = line.chars().take(60).collect();
            return Err(refused(format!("{path}:{number}: `{shown}`"))
                .accepting("a node and two whole numbers: node least most"));
        };
        nodes.push(node);
        lines.push((number, bounds));
    }
    let found = names.find(&nodes.iter().collect::<Vec<_>>());
    let found = found.map_err(|none| {
        let (number, _) = lines[none.at];
        refused(format!("{path}:{number}: {}", none.message)).accepting(none.accepted)
    })?;
    Ok(lines.into_iter().zip(found).map(|((number, bounds), node)| (number, node, bounds)).collect())
}

/// The name of a node and its bounds. The name is everything before the last two fields, so it may contain blanks and
/// commas.
fn line_of(line: &str) -> Option<(NodeName, Bounds)> {
    const SEPARATORS: [char; 3] = [' ', '\t', ','];
    let (rest, most) = line.trim_end_matches(SEPARATORS).rsplit_once(SEPARATORS)?;
    let (rest, least) = rest.trim_end_matches(SEPARATORS).rsplit_once(SEPARATORS)?;
    let name = rest.trim_end_matches(SEPARATORS);
    let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    let name = quoted.map_or_else(|| name.to_owned(), |name| name.replace("\"\"", "\""));
    let bounds = Bounds { least: least.parse().ok()?, most: most.parse().ok()? };
    (!name.is_empty()).then(|| (NodeName::from(name.as_str()), bounds))
}
