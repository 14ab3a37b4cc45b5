//! The catalogue entry of the algorithms with a token that travels along a tree.

use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind, Values};
use acrasin_runtime::choice::pick_index;
use acrasin_runtime::exclusion::tree_token::{
    Behaviour, PhysicalLinks, Queue, SchemeRule, TokenErratum, TreeToken,
};
use acrasin_runtime::exclusion::{Errata, Erratum as _, InitialKnowledge, RootedTree};
use acrasin_runtime::{Decision, NodeId, Seeded, Topology};
use acrasin_verify::replay::StepCodec as _;

use super::entry::{ExclusionEntry, ExclusionSite};
use super::resolved_exclusion::{AnyExclusion, ResolvedExclusion};

/// The shapes of a tree by name; the first is the default.
const SHAPES: [&str; 5] = ["ShortestPaths", "Path", "Star", "Balanced", "Random"];

/// The default number of children per node of a balanced tree.
const ARITY: u64 = 2;

pub(super) const ENTRY: ExclusionEntry = ExclusionEntry {
    name: "TokenTree",
    summary: "a token on a rooted tree; complete graphs; Raymond on any",
    parameters: &[
        Parameter::optional(
            "behaviour",
            ParameterKind::Word(&["Raymond", "Transit", "Proxy", "Topology", "Adversarial"]),
            "the rule that decides which nodes pass requests on",
        ),
        Parameter::optional(
            "proxies",
            ParameterKind::Nodes,
            "the proxies, in place of a behaviour; other nodes pass requests on. Two proxies are the gateways of two trees",
        ),
        Parameter::optional(
            "queue",
            ParameterKind::Word(&["Fifo", "Lift", "AnyOrder"]),
            "the request that is served first",
        ),
        Parameter::optional(
            "tree",
            ParameterKind::Word(&SHAPES),
            "the shape of the tree; Random: uniformly drawn from all spanning trees of the graph",
        ),
        Parameter::optional("root", ParameterKind::Node, "the node with the token at the start"),
        Parameter::optional("arity", ParameterKind::Count, "the children of a node of a balanced tree"),
        Parameter::optional(
            "draw",
            ParameterKind::Count,
            "the number of the draw of tree: Random; 0 by default",
        ),
        Parameter::optional(
            "fathers",
            ParameterKind::Nodes,
            "the father of each node, in the order of names, in place of a shape; the root is its own father",
        ),
        Parameter::optional(
            "links",
            ParameterKind::Nodes,
            "with behaviour: Topology, the two ends of each physical link, link after link; the edges of the tree are among them",
        ),
        Parameter::optional(
            "rootless",
            ParameterKind::Word(&["Transit", "Proxy"]),
            "with behaviour: Topology, the kind of a node without a father",
        ),
        Parameter::optional(
            "at_start",
            ParameterKind::Word(&["Transit", "Proxy"]),
            "with behaviour: Topology, the kind of a node until it serves a request",
        ),
        Parameter::optional(
            "printed",
            ParameterKind::Steps { words: TokenErratum::NAMES, counted: 0 },
            "errors of the printed text that are not repaired",
        ),
    ],
    read,
};

fn read(values: &Values, _: ExclusionSite<'_>) -> Result<ResolvedExclusion, ParameterError> {
    let links = links(values)?;
    let becomes = |name| match values.word(name) {
        Some("Proxy") => Behaviour::Proxy,
        _ => Behaviour::Transit,
    };
    let rule = match values.word("behaviour") {
        Some("Transit") => SchemeRule::AllTransit,
        Some("Proxy") => SchemeRule::AllProxy,
        Some("Topology") => SchemeRule::Topology { root: becomes("rootless"), initial: becomes("at_start") },
        Some("Adversarial") => SchemeRule::Adversarial,
        _ => SchemeRule::Raymond,
    };
    let queue = match values.word("queue") {
        Some("Lift") => Queue::Lift,
        Some("AnyOrder") => Queue::AnyOrder,
        _ => Queue::Fifo,
    };
    let shape = SHAPES.into_iter().find(|shape| values.word("tree") == Some(shape)).unwrap_or(SHAPES[0]);
    let (root, arity) = (values.count("root"), values.count("arity"));
    if arity == Some(0) {
        return Err(ParameterError::new("arity", "a tree without children").accepting("1 or more"));
    }
    if arity.is_some() && shape != "Balanced" {
        let message = format!("an arity, but the tree has the shape {shape}");
        return Err(ParameterError::new("arity", message).accepting("omit this field, or tree: Balanced"));
    }
    let draw = values.count("draw");
    if draw.is_some() && shape != "Random" {
        let message = format!("a draw, but the tree has the shape {shape}");
        return Err(ParameterError::new("draw", message).accepting("omit this field, or tree: Random"));
    }
    let fathers = values.counts("fathers").map(<[u64]>::to_vec);
    if fathers.is_some() && (values.word("tree").is_some() || root.is_some()) {
        let message = "the fathers already determine the shape and the root of the tree";
        return Err(ParameterError::new("fathers", message).accepting("fathers, or tree and root"));
    }
    let proxies = values.counts("proxies").map(<[u64]>::to_vec);
    if proxies.is_some() && values.word("behaviour").is_some() {
        let message = "the behaviour already determines the proxies";
        return Err(ParameterError::new("proxies", message).accepting("proxies, or behaviour"));
    }
    let number = |node: u64| u32::try_from(node).unwrap_or(u32::MAX);
    let token = match &proxies {
        None => TreeToken::new(rule),
        // A number that is too large is not a node of any graph; it is refused once the graph is known.
        Some(proxies) => {
            TreeToken::new(SchemeRule::Given).with_proxies(proxies.iter().map(|&proxy| number(proxy)))
        }
    };
    let printed =
        Errata::from_names(values.steps("printed").unwrap_or_default().iter().map(|&(name, _)| name));
    let token = token.with_queue(queue).with_errata(printed);
    let token = match &links {
        None => token,
        // A number that is too large is not a node of any graph; it is refused once the graph is known.
        Some(links) => {
            token.with_links(PhysicalLinks::new(links.iter().map(|&(a, b)| (number(a), number(b)))))
        }
    };
    // The same description as in the first line of a replay.
    let words = token.rules().expect("the scheme has words for its rules");
    Ok(ResolvedExclusion::new(AnyExclusion::TreeToken(token), words, move |topology| {
        let nodes = topology.node_count();
        if let Some(proxy) = proxies.iter().flatten().find(|&&proxy| proxy >= u64::from(nodes)) {
            let message = format!("there is no node {proxy}");
            return Err(ParameterError::new("proxies", message).accepting(format!("0 to {}", nodes - 1)));
        }
        let fathers = match &fathers {
            Some(fathers) => given(fathers, topology)?,
            None => {
                let shape = TreeShape { word: shape, arity: arity.unwrap_or(ARITY), draw: draw.unwrap_or(0) };
                shaped(&shape, root.unwrap_or(0), topology)?
            }
        };
        if let Some(links) = &links {
            are_linked(links, &fathers)?;
        }
        let tree = RootedTree::new(&fathers);
        Ok(InitialKnowledge::from_tree(tree.map_err(|error| {
            ParameterError::new("fathers", error.to_string()).accepting("a rooted tree of all nodes")
        })?))
    }))
}

/// The physical links, for the rule that needs them.
fn links(values: &Values) -> Result<Option<Vec<(u64, u64)>>, ParameterError> {
    if values.word("behaviour") == Some("Topology") {
        let accepted = "the two ends of each link one after the other, as in [0, 1, 0, 2]";
        let refused = |message| Err(ParameterError::new("links", message).accepting(accepted));
        let Some(ends) = values.counts("links") else {
            return refused("behaviour: Topology needs the links between nodes");
        };
        if ends.len() % 2 == 1 {
            return refused("the last link has one end");
        }
        return Ok(Some(ends.chunks_exact(2).map(|link| (link[0], link[1])).collect()));
    }
    let others = ["links", "rootless", "at_start"];
    match others.into_iter().find(|name| values.get(name).is_some()) {
        None => Ok(None),
        Some(name) => {
            let message = format!("only behaviour: Topology uses `{name}`");
            Err(ParameterError::new(name, message).accepting("omit this field, or behaviour: Topology"))
        }
    }
}

/// Refuses links to unknown nodes, and a tree edge that is not a link.
fn are_linked(links: &[(u64, u64)], fathers: &[Option<u32>]) -> Result<(), ParameterError> {
    let refused =
        |message: String, accepted: String| Err(ParameterError::new("links", message).accepting(accepted));
    let nodes = fathers.len() as u64;
    if let Some(end) = links.iter().flat_map(|&(a, b)| [a, b]).find(|&end| end >= nodes) {
        return refused(format!("there is no node {end}"), format!("0 to {}", nodes - 1));
    }
    for (node, father) in (0_u64..).zip(fathers).filter_map(|(node, father)| Some((node, (*father)?))) {
        let ends = [(node, u64::from(father)), (u64::from(father), node)];
        if !links.iter().any(|link| ends.contains(link)) {
            let message = format!("node {node} has no link to its father {father}");
            return refused(message, "links that include every edge of the tree".to_owned());
        }
    }
    Ok(())
}

fn given(fathers: &[u64], topology: &Topology) -> Result<Vec<Option<u32>>, ParameterError> {
    let nodes = topology.node_count();
    let refused =
        |message: String, accepted: String| Err(ParameterError::new("fathers", message).accepting(accepted));
    if fathers.len() as u64 != u64::from(nodes) {
        let given = fathers.len();
        let odd = match u32::try_from(given).ok().filter(|&given| given < nodes) {
            Some(node) => format!("none for node {node}"),
            None => format!("node {nodes} does not exist"),
        };
        return refused(format!("{given} fathers for {nodes} nodes: {odd}"), format!("{nodes} fathers"));
    }
    let mut list = Vec::with_capacity(fathers.len());
    for (node, &father) in (0..nodes).zip(fathers) {
        match u32::try_from(father).ok().filter(|&father| father < nodes) {
            Some(father) => list.push((father != node).then_some(father)),
            None => {
                let message = format!("the father of node {node} is {father}, which does not exist");
                return refused(message, format!("0 to {}", nodes - 1));
            }
        }
    }
    Ok(list)
}

/// The shape of a tree and the parameters of this shape.
struct TreeShape {
    word: &'static str,
    /// Children per node of a balanced tree.
    arity: u64,
    /// The seed of a random tree.
    draw: u64,
}

fn shaped(shape: &TreeShape, root: u64, topology: &Topology) -> Result<Vec<Option<u32>>, ParameterError> {
    let nodes = topology.node_count();
    let Some(root) = u32::try_from(root).ok().filter(|&root| root < nodes) else {
        let message = format!("the root is node {root}, which does not exist");
        return Err(ParameterError::new("root", message).accepting(format!("0 to {}", nodes - 1)));
    };
    match shape.word {
        "ShortestPaths" => return shortest_paths(root, topology),
        "Random" => {
            // A tree of shortest paths exists exactly if some spanning tree does.
            shortest_paths(root, topology)?;
            return Ok(drawn(root, topology, &mut Seeded::new(shape.draw)));
        }
        _ => {}
    }
    // Maps a node to its position counted from the root. The same formula maps positions to nodes.
    let place = |node: u32| (u64::from(node) + u64::from(nodes) - u64::from(root)) % u64::from(nodes);
    let node = |place: u64| ((place + u64::from(root)) % u64::from(nodes)) as u32;
    let father = |place: u64| match shape.word {
        "Path" => place - 1,
        "Star" => 0,
        _ => (place - 1) / shape.arity,
    };
    Ok((0..nodes).map(|at| (at != root).then(|| node(father(place(at))))).collect())
}

/// A uniformly random spanning tree of a connected graph: loop-erased random walks from each node to the tree so far
/// (Wilson, STOC 1996). Expected cost: a small multiple of the mean hitting time between random nodes.
fn drawn(root: u32, topology: &Topology, choices: &mut Seeded) -> Vec<Option<u32>> {
    let nodes = topology.node_count();
    let mut fathers: Vec<Option<u32>> = vec![None; nodes as usize];
    let mut is_in = vec![false; nodes as usize];
    is_in[root as usize] = true;
    for start in 0..nodes {
        let mut at = start;
        while !is_in[at as usize] {
            let degree = usize::from(topology.degree(NodeId(at)));
            let step = pick_index(choices, degree, Decision::Topology).expect("the graph is connected");
            // A later step from the same node replaces the one that led into a loop.
            let next = topology.links(NodeId(at)).nth(step).expect("a neighbour").1.peer.0;
            fathers[at as usize] = Some(next);
            at = next;
        }
        at = start;
        while !std::mem::replace(&mut is_in[at as usize], true) {
            at = fathers[at as usize].expect("the walk went on from here");
        }
    }
    fathers
}

/// The tree of shortest paths to the root; ties go to the father that is found first.
fn shortest_paths(root: u32, topology: &Topology) -> Result<Vec<Option<u32>>, ParameterError> {
    let mut fathers: Vec<Option<u32>> = vec![None; topology.node_count() as usize];
    let mut met = vec![NodeId(root)];
    let mut at = 0;
    while let Some(&node) = met.get(at) {
        at += 1;
        for (_, link) in topology.links(node) {
            let father = &mut fathers[link.peer.index()];
            if link.peer.0 != root && father.is_none() {
                *father = Some(node.0);
                met.push(link.peer);
            }
        }
    }
    match topology.nodes().find(|&node| node.0 != root && fathers[node.index()].is_none()) {
        None => Ok(fathers),
        Some(node) => {
            let message = format!("there is no path from node {node} to the root {root}");
            Err(ParameterError::new("tree", message).accepting("a connected graph"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Every spanning tree is equally likely: 3 for three adjacent nodes, 4 for a ring of four, 16 for four adjacent
    /// nodes. The statistic must stay below the 99.9 % quantile of chi squared with 15 degrees of freedom.
    #[test]
    fn random_trees_are_uniform_over_the_spanning_trees() {
        const DRAWS: u32 = 3_200;
        const FOUR: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        for (nodes, edges, trees) in
            [(3, &[(0, 1), (0, 2), (1, 2)][..], 3), (4, &[(0, 1), (1, 2), (2, 3), (0, 3)], 4), (4, FOUR, 16)]
        {
            let topology = Topology::from_edges(nodes, 3, edges).unwrap();
            let mut counts: BTreeMap<Vec<Option<u32>>, u32> = BTreeMap::new();
            for draw in 0..DRAWS {
                let fathers = drawn(draw % nodes, &topology, &mut Seeded::new(u64::from(draw)));
                RootedTree::new(&fathers).unwrap();
                // For every root the edges are those of the tree.
                let mut kept: Vec<(u32, u32)> = (0..nodes)
                    .zip(&fathers)
                    .filter_map(|(node, father)| Some((node.min((*father)?), node.max((*father)?))))
                    .collect();
                kept.sort_unstable();
                *counts.entry(kept.into_iter().map(|(a, b)| Some(a * nodes + b)).collect()).or_default() += 1;
            }
            assert_eq!(counts.len(), trees, "{edges:?}");
            let expected = f64::from(DRAWS) / trees as f64;
            let squares: f64 =
                counts.values().map(|&seen| (f64::from(seen) - expected).powi(2) / expected).sum();
            assert!(squares < 37.7, "{counts:?}");
        }
    }
}
