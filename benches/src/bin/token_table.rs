//! Explores instances of the token that travels along a tree exhaustively before a release, and prints the results.
//!
//! `cargo run --release -p acrasin-benches --bin token_table -- quick|full|senders`
//!
//! Prints a table in Markdown with a row for each family of instances. A row shows the number of instances and, of the
//! smallest and the largest one, the number of configurations. It also shows in how many instances a property does not
//! hold. Every node enters repeatedly. `quick` covers up to three nodes; `full` takes some minutes.
//!
//! The exit code is 1 if a number or the set of broken properties differs from the known one. All columns except the
//! last depend only on the code. Messages are distinguished by their senders; `senders` counts the configurations of
//! the largest instance of static behaviours with and without this distinction.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::process::ExitCode;

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::tree_token::{
    Behaviour, Memory, Message, PhysicalLinks, Queue, SchemeRule, TokenErratum, TreeToken,
};
use acrasin_runtime::exclusion::{Errata, Exclusion, Identifier, InitialKnowledge, RootedTree};
use acrasin_runtime::{CriticalSection, Demand, LockOnly, LockSetRule, Pack, Setup, Timing, Topology, World};
use acrasin_verify::locks::{Instance, LockModel, Options, check};
use acrasin_verify::properties::{self, Property};
use cpu_time::ProcessTime;

type TokenTableResult<T> = Result<T, Box<dyn std::error::Error>>;

const LOCKOUT: &str = "lockout freedom against an adaptive weakly fair adversary";
const RETURN: &str = "the token comes back over a link";
const BOTH: [Behaviour; 2] = [Behaviour::Transit, Behaviour::Proxy];

/// The trees with this number of nodes, at most five, one of each shape. A tree is the list of the nodes' fathers,
/// starting with the root, node 0.
fn trees(nodes: u32) -> Vec<Vec<Option<u32>>> {
    let shapes: &[&[u32]] = match nodes {
        2 => &[&[0]],
        3 => &[&[0, 0], &[0, 1]],
        4 => &[&[0, 0, 0], &[0, 0, 1], &[0, 1, 1], &[0, 1, 2]],
        _ => &[
            &[0, 0, 0, 0],
            &[0, 0, 0, 1],
            &[0, 0, 1, 1],
            &[0, 0, 1, 2],
            &[0, 0, 1, 3],
            &[0, 1, 1, 1],
            &[0, 1, 1, 2],
            &[0, 1, 2, 2],
            &[0, 1, 2, 3],
        ],
    };
    let list = |shape: &&[u32]| std::iter::once(None).chain(shape.iter().copied().map(Some)).collect();
    shapes.iter().map(list).collect()
}

fn edges(fathers: &[Option<u32>]) -> Vec<(u32, u32)> {
    (0..).zip(fathers).filter_map(|(node, father)| Some((node, (*father)?))).collect()
}

fn complete(nodes: u32) -> Vec<(u32, u32)> {
    (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect()
}

/// All graphs on the nodes of the tree that contain its edges.
fn graphs(fathers: &[Option<u32>]) -> Vec<Vec<(u32, u32)>> {
    let tree = edges(fathers);
    let all = complete(fathers.len() as u32);
    let more: Vec<(u32, u32)> =
        all.into_iter().filter(|&(a, b)| !tree.contains(&(b, a)) && !tree.contains(&(a, b))).collect();
    let with = |chosen: u32| {
        let chosen =
            (0..).zip(&more).filter(move |(place, _)| chosen >> place & 1 == 1).map(|(_, &edge)| edge);
        tree.iter().copied().chain(chosen).collect()
    };
    (0..1 << more.len()).map(with).collect()
}

/// The property that the token returns to its lender over a link, regardless of how it left the lender. The algorithm
/// does not promise this.
struct ReturnsOnLinks(PhysicalLinks);

impl<E, S> Property<E, S> for ReturnsOnLinks
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        RETURN
    }
    fn source(&self) -> &'static str {
        "RR-1692, Figure 4"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        for node in world.topology().nodes() {
            for &(port, message) in world.unsent(node) {
                let to = world.topology().link(node, port).map_or(node, |link| link.peer);
                let ends = (Identifier(node.0), Identifier(to.0));
                if message == Message::Token(None) && !self.0.join(ends.0, ends.1) {
                    return Err(format!("from node {node} to node {to}"));
                }
            }
            for envelope in world.in_transit(node) {
                let from = world.topology().link(node, envelope.port).map_or(node, |link| link.peer);
                if envelope.message == Message::Token(None)
                    && !self.0.join(Identifier(from.0), Identifier(node.0))
                {
                    return Err(format!("from node {from} to node {node}"));
                }
            }
        }
        Ok(())
    }
}

/// One instance to explore: the scheme, its tree, and the links over which the token should return.
struct TokenCase {
    scheme: TreeToken,
    fathers: Vec<Option<u32>>,
    links: Option<PhysicalLinks>,
}

impl TokenCase {
    fn new(rule: SchemeRule, queue: Queue, fathers: &[Option<u32>]) -> Self {
        Self { scheme: TreeToken::new(rule).with_queue(queue), fathers: fathers.to_vec(), links: None }
    }
    fn printed(self, slip: TokenErratum) -> Self {
        Self { scheme: self.scheme.with_errata(Errata::NONE.with(slip)), ..self }
    }
    fn proxies(self, proxies: impl IntoIterator<Item = u32>) -> Self {
        Self { scheme: self.scheme.with_proxies(proxies), ..self }
    }
    fn links(self, links: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let links = PhysicalLinks::new(links);
        Self { scheme: self.scheme.with_links(links.clone()), links: Some(links), ..self }
    }

    /// The initial world, in which every node enters repeatedly.
    fn world(self) -> TokenTableResult<World<TreeToken, LockOnly>> {
        let nodes = self.fathers.len() as u32;
        let setup = Setup {
            exclusion: self.scheme,
            section: LockOnly,
            topology: Topology::from_edges(nodes, nodes as u16 - 1, &complete(nodes))?,
            states: vec![Demand::Forever; nodes as usize],
            lock_set: LockSetRule::default(),
            timing: Timing::AtOnce,
        };
        Ok(World::with_knowledge(setup, &InitialKnowledge::from_tree(RootedTree::new(&self.fathers)?))?)
    }

    /// The number of configurations, and the broken properties.
    fn explore(self) -> TokenTableResult<(u64, Vec<&'static str>)> {
        let nodes = self.fathers.len() as u32;
        // Under Raymond's rule messages stay on the tree.
        let graph =
            if self.scheme.rule() == SchemeRule::Raymond { edges(&self.fathers) } else { complete(nodes) };
        let instance = Instance {
            ports: nodes as u16 - 1,
            ..Instance::new(self.scheme, LockOnly, &graph, vec![Demand::Forever; nodes as usize])
        };
        let mut properties = properties::tree_token();
        if let Some(links) = self.links {
            properties.push(Box::new(ReturnsOnLinks(links)));
        }
        let seating = InitialKnowledge::from_tree(RootedTree::new(&self.fathers)?);
        let model = LockModel::with_knowledge(instance, &seating, &properties)?;
        let options =
            Options { bytes: 8 << 30, configurations: 20_000_000, liveness: true, stop_at_first: false };
        let report = check(&model, &options, |_| ControlFlow::Continue(()));
        if report.exploration.truncated().is_some() {
            return Err("an exploration did not finish".into());
        }
        let broken = report.broken().map(|(answer, _)| answer.property).collect();
        Ok((report.exploration.configurations(), broken))
    }
}

/// Instances of one kind, with the known result.
struct CaseFamily {
    name: &'static str,
    cases: Vec<TokenCase>,
    /// The known number of configurations of the largest instance.
    most: u64,
    /// The property that is broken, and the number of instances in which it is broken.
    broken: Option<(&'static str, usize)>,
    is_quick: bool,
}

fn adversarial(nodes: u32, queue: Queue) -> Vec<TokenCase> {
    trees(nodes).iter().map(|tree| TokenCase::new(SchemeRule::Adversarial, queue, tree)).collect()
}

fn given(nodes: u32) -> Vec<TokenCase> {
    let mut cases = Vec::new();
    for tree in trees(nodes) {
        for chosen in 0_u32..1 << nodes {
            let proxies = (0..nodes).filter(move |node| chosen >> node & 1 == 1);
            for queue in [Queue::Fifo, Queue::Lift] {
                cases.push(TokenCase::new(SchemeRule::Given, queue, &tree).proxies(proxies.clone()));
            }
        }
    }
    cases
}

fn topology(nodes: u32) -> Vec<TokenCase> {
    let mut cases = Vec::new();
    for tree in trees(nodes) {
        for links in graphs(&tree) {
            for (root, initial) in BOTH.into_iter().flat_map(|root| BOTH.map(|initial| (root, initial))) {
                let rule = SchemeRule::Topology { root, initial };
                cases.push(TokenCase::new(rule, Queue::Fifo, &tree).links(links.clone()));
            }
        }
    }
    cases
}

/// Instances of two joined stars. The centres, node 0 and the first node of the other star, are proxies; all other
/// nodes are transit nodes.
fn gateways(nodes: u32) -> Vec<TokenCase> {
    let split = |near: u32| {
        let father = move |node: u32| (node > 0).then_some(if node <= near { 0 } else { near });
        let fathers: Vec<Option<u32>> = (0..nodes).map(father).collect();
        let links = edges(&fathers);
        TokenCase::new(SchemeRule::Given, Queue::Fifo, &fathers).proxies([0, near]).links(links)
    };
    (1..nodes).map(split).collect()
}

fn families() -> Vec<CaseFamily> {
    let family = |name, most, cases| CaseFamily { name, cases, most, broken: None, is_quick: true };
    let long = |family: CaseFamily| CaseFamily { is_quick: false, ..family };
    let broken = |what, times, family: CaseFamily| CaseFamily { broken: Some((what, times)), ..family };
    let apart = |nodes, queue| {
        adversarial(nodes, queue).into_iter().map(|case| case.printed(TokenErratum::DrainedApart)).collect()
    };
    let raymond = |nodes| {
        trees(nodes).iter().map(|tree| TokenCase::new(SchemeRule::Raymond, Queue::Fifo, tree)).collect()
    };
    let (fifo, lift, any) = (Queue::Fifo, Queue::Lift, Queue::AnyOrder);
    vec![
        family("an adversary at every reading, n = 2, first come", 58, adversarial(2, fifo)),
        family("an adversary at every reading, n = 2, own call first", 56, adversarial(2, lift)),
        family("an adversary at every reading, n = 3, first come", 6_486, adversarial(3, fifo)),
        family("an adversary at every reading, n = 3, own call first", 5_952, adversarial(3, lift)),
        family("woken by a step of its own, n = 2, first come", 98, apart(2, fifo)),
        family("woken by a step of its own, n = 3, first come", 12_618, apart(3, fifo)),
        broken(LOCKOUT, 1, family("woken by a step of its own, n = 2, own call first", 92, apart(2, lift))),
        broken(
            LOCKOUT,
            2,
            family("woken by a step of its own, n = 3, own call first", 11_172, apart(3, lift)),
        ),
        broken(
            LOCKOUT,
            1,
            family("an adversary at every reading, n = 2, served in any order", 56, adversarial(2, any)),
        ),
        broken(
            LOCKOUT,
            2,
            family("an adversary at every reading, n = 3, served in any order", 5_820, adversarial(3, any)),
        ),
        broken(
            LOCKOUT,
            1,
            family("woken by a step of its own, n = 2, served in any order", 92, apart(2, any)),
        ),
        broken(
            LOCKOUT,
            2,
            family("woken by a step of its own, n = 3, served in any order", 10_992, apart(3, any)),
        ),
        family("given proxies, every choice, both queues, n = 3", 666, given(3)),
        family("Raymond, n = 3", 110, raymond(3)),
        broken(RETURN, 2, family("topology rule, every graph, n = 3", 920, topology(3))),
        long(family("given proxies, every choice, both queues, n = 4", 28_072, given(4))),
        long(family("Raymond, n = 4", 724, raymond(4))),
        long(family("Raymond, n = 5", 4_952, raymond(5))),
        long(broken(RETURN, 40, family("topology rule, every graph, n = 4", 46_416, topology(4)))),
        long(broken(RETURN, 2, family("gateways of two stars, n = 4", 3_336, gateways(4)))),
        long(broken(RETURN, 3, family("gateways of two stars, n = 5", 39_872, gateways(5)))),
        long(family("an adversary at every reading, n = 4, first come", 2_009_000, adversarial(4, fifo))),
        long(family("an adversary at every reading, n = 4, own call first", 1_763_888, adversarial(4, lift))),
    ]
}

/// Explores a family and prints its row. Returns whether the result is as expected.
fn show(family: CaseFamily) -> TokenTableResult<bool> {
    let cpu = ProcessTime::now();
    let instances = family.cases.len();
    let (mut least, mut most) = (u64::MAX, 0);
    let mut broken: BTreeMap<&str, usize> = BTreeMap::new();
    for case in family.cases {
        let (configurations, properties) = case.explore()?;
        (least, most) = (least.min(configurations), most.max(configurations));
        for property in properties {
            *broken.entry(property).or_default() += 1;
        }
    }
    let expected: BTreeMap<&str, usize> = family.broken.into_iter().filter(|&(_, times)| times > 0).collect();
    let is_right = most == family.most && broken == expected;
    let words: Vec<String> =
        broken.iter().map(|(property, times)| format!("BROKEN in {times}: {property}")).collect();
    let words = if words.is_empty() { "all hold".to_owned() } else { words.join("; ") };
    println!(
        "| {} | {instances} | {least} | {most} | {words}{} | {:.1} |",
        family.name,
        if is_right { "" } else { " **UNEXPECTED**" },
        cpu.elapsed().as_secs_f64()
    );
    Ok(is_right)
}

fn explore(quick_only: bool) -> TokenTableResult<bool> {
    println!("| instances | how many | least configurations | most | result | CPU s |");
    println!("|---|---:|---:|---:|---|---:|");
    let mut all_right = true;
    for family in families().into_iter().filter(|family| family.is_quick || !quick_only) {
        all_right &= show(family)?;
    }
    Ok(all_right)
}

/// Counts the configurations of the largest instance with given proxies on four nodes, with and without distinguishing
/// the senders of requests. The senders have no effect on a run. Both searches use the shipped world.
fn senders() -> TokenTableResult<bool> {
    let fathers = [None, Some(0), Some(1), Some(2)];
    let mut all_right = true;
    println!("| a path of four, the last node a proxy, first come | configurations |");
    println!("|---|---:|");
    for (words, with_senders, known) in
        [("with the sender of a request", true, 28_072), ("without", false, 27_952)]
    {
        let case = TokenCase::new(SchemeRule::Given, Queue::Fifo, &fathers).proxies([3]);
        let found = count(&case.world()?, with_senders)?;
        all_right &= found == known;
        println!("| {words} | {found} |");
    }
    Ok(all_right)
}

/// The number of reachable configurations. Without `with_senders`, configurations that differ only in the senders of
/// requests are the same.
fn count(start: &World<TreeToken, LockOnly>, with_senders: bool) -> TokenTableResult<usize> {
    let key = |world: &World<TreeToken, LockOnly>| {
        let mut key = Vec::new();
        for node in world.topology().nodes() {
            world.memory(node).pack(&mut key);
            let mut arriving: Vec<Vec<u8>> = Vec::new();
            for envelope in world.in_transit(node) {
                let is_hidden = !with_senders && matches!(envelope.message, Message::Request(_));
                let mut packed = Vec::new();
                if is_hidden { 0 } else { envelope.port.0 }.pack(&mut packed);
                envelope.message.pack(&mut packed);
                arriving.push(packed);
            }
            arriving.sort_unstable();
            (arriving.len() as u64).pack(&mut key);
            key.extend(arriving.concat());
        }
        key
    };
    let mut known = BTreeSet::from([key(start)]);
    let mut queue = vec![start.clone()];
    let mut steps = Vec::new();
    while let Some(world) = queue.pop() {
        world.offered(&mut steps);
        for step in &steps {
            let mut next = world.clone();
            // Given proxies draw nothing.
            next.apply(step, &mut Scripted::new(&[]), &mut ())?;
            if known.insert(key(&next)) {
                queue.push(next);
            }
        }
    }
    Ok(known.len())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["quick"] => true,
        ["full"] => false,
        ["senders"] => return ended(senders()),
        _ => {
            eprintln!("error: wrong argument (accepted: quick, full or senders)");
            return ExitCode::from(2);
        }
    };
    ended(explore(quick))
}

fn ended(outcome: TokenTableResult<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
