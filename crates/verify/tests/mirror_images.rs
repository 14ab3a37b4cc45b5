//! Theorem 2, and the two extremes of (l, k): compares two algorithms move by move, with every memory and message of
//! every configuration.

use std::collections::{BTreeSet, VecDeque};

use acrasin_runtime::choice::Enumerated;
use acrasin_runtime::exclusion::critical_section::{LocalSections, Memory, Message, ProcessPhase, Scheme};
use acrasin_runtime::exclusion::{Bounds, Exclusion as _, InitialKnowledge, Stamps};
use acrasin_runtime::{
    CandidateEdge, Demand, LockOnly, LockSetRequest, LockSetRule, Setup, Step, StepOf, Timing, Topology,
    World,
};

type Sections = World<LocalSections, LockOnly>;

const EDGE: &[(u32, u32)] = &[(0, 1)];
const PATH: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];

fn world(
    scheme: Scheme,
    edges: &[(u32, u32)],
    bounds: &[(u32, u32)],
    inside: bool,
    stamps: Stamps,
) -> Sections {
    let nodes = bounds.len() as u32;
    let setup = Setup {
        exclusion: LocalSections::new(scheme).with_own_messages_at_once().with_stamps(stamps).unwrap(),
        section: LockOnly,
        topology: Topology::from_edges(nodes, nodes as u16 - 1, edges).unwrap(),
        states: vec![Demand::Forever; nodes as usize],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    let seating = InitialKnowledge {
        bounds: bounds.iter().map(|&(least, most)| Bounds { least, most }).collect(),
        inside: vec![inside; nodes as usize],
        ..InitialKnowledge::default()
    };
    let mut world = World::with_knowledge(setup, &seating).unwrap();
    world.normalise();
    world
}

/// The mapping from one algorithm to the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    AsItIs,
    /// Inside and outside are exchanged.
    Mirrored,
}

impl Seen {
    fn message(self, message: Message) -> Message {
        match self {
            Self::AsItIs => message,
            Self::Mirrored => Message { permission: message.permission.other(), ..message },
        }
    }

    fn memory(self, memory: &Memory) -> Memory {
        let memory = memory.clone();
        if self == Self::AsItIs {
            return memory;
        }
        let [inside, outside] = memory.arbiters;
        let phase = match memory.phase {
            ProcessPhase::Entering => ProcessPhase::Exiting,
            ProcessPhase::Exiting => ProcessPhase::Entering,
            other => other,
        };
        let (is_inside, home) = (!memory.inside, !memory.home);
        Memory { inside: is_inside, home, phase, arbiters: [outside, inside], ..memory }
    }

    fn step(self, step: &StepOf<LocalSections>) -> StepOf<LocalSections> {
        match *step {
            Step::Receive { node, port, message } => {
                Step::Receive { node, port, message: self.message(message) }
            }
            Step::Lock { node, .. } if self == Self::Mirrored => Step::Unlock { node },
            Step::Unlock { node } if self == Self::Mirrored => {
                Step::Lock { node, claim: LockSetRequest::Neighbourhood }
            }
            other => other,
        }
    }
}

fn same(one: &Sections, other: &Sections, seen: Seen) -> Result<(), String> {
    for node in one.topology().nodes() {
        let (mine, yours) = (seen.memory(one.memory(node)), other.memory(node));
        if mine != *yours {
            return Err(format!("node {node}: {mine:?}, {yours:?}"));
        }
        let mine =
            one.in_transit(node).iter().map(|envelope| (envelope.port, seen.message(envelope.message)));
        let yours = other.in_transit(node).iter().map(|envelope| (envelope.port, envelope.message));
        if !mine.eq(yours) {
            return Err(format!("messages to node {node}"));
        }
    }
    Ok(())
}

/// Explores all configurations of the first algorithm, each with its image under the second, and returns the number
/// of pairs. Each pair must satisfy `holds`.
fn together(
    (one, other): (Sections, Sections),
    seen: Seen,
    holds: impl Fn(&Sections) -> bool,
) -> Result<usize, String> {
    let mut edges = Vec::new();
    for node in one.topology().nodes() {
        let links = one.topology().links(node).filter(|(_, link)| link.peer > node);
        edges.extend(links.map(|(port, link)| CandidateEdge {
            a: (node, port.into()),
            b: (link.peer, link.peer_port.into()),
        }));
    }
    let packed = |world: &Sections| {
        let mut bytes = Vec::new();
        world.pack(&edges, &mut bytes);
        bytes
    };
    same(&one, &other, seen)?;
    let mut known = BTreeSet::from([packed(&one)]);
    let mut queue = VecDeque::from([(one, other)]);
    let (mut steps, mut images) = (Vec::new(), Vec::new());
    while let Some((one, other)) = queue.pop_front() {
        if !holds(&one) {
            return Err("what must hold does not".to_owned());
        }
        one.offered(&mut steps);
        other.offered(&mut images);
        if steps.len() != images.len() {
            return Err(format!("{} moves here, {} there", steps.len(), images.len()));
        }
        for step in &steps {
            let image = seen.step(step);
            if !images.contains(&image) {
                return Err(format!("{step:?} has no image"));
            }
            let (mut draws, mut drawn) = (Enumerated::new(), Enumerated::new());
            loop {
                let (mut next, mut next_image) = (one.clone(), other.clone());
                next.apply(step, &mut draws, &mut ()).map_err(|error| error.to_string())?;
                next_image.apply(&image, &mut drawn, &mut ()).map_err(|error| error.to_string())?;
                next.normalise();
                next_image.normalise();
                same(&next, &next_image, seen)?;
                if known.insert(packed(&next)) {
                    queue.push_back((next, next_image));
                }
                let (more, more_there) = (draws.advance(), drawn.advance());
                if more != more_there {
                    return Err(format!("{step:?} draws otherwise"));
                }
                if !more {
                    break;
                }
            }
        }
    }
    Ok(known.len())
}

/// The number of processes inside in each closed neighbourhood.
fn inside(world: &Sections) -> impl Iterator<Item = u32> {
    let is_inside = |node| u32::from(world.memory(node).inside);
    let topology = world.topology();
    topology.nodes().map(move |node| {
        is_inside(node) + topology.links(node).map(|(_, link)| is_inside(link.peer)).sum::<u32>()
    })
}

fn members(edges: &[(u32, u32)], nodes: usize) -> Vec<u32> {
    (0..nodes as u32).map(|i| 1 + edges.iter().filter(|&&(a, b)| a == i || b == i).count() as u32).collect()
}

/// Theorem 2: l-mutual inclusion, all inside at the start, equals (|N_i| + 1 - l)-mutual exclusion, all outside, with
/// inside and outside exchanged. With another k they differ.
#[test]
fn inclusion_is_exclusion_of_the_complement_state_by_state() {
    for (edges, least, stamps, configurations) in [
        (EDGE, &[0, 0][..], Stamps::AnyOrder, None),
        (EDGE, &[1, 1], Stamps::AnyOrder, None),
        (PATH, &[0, 2, 0], Stamps::AnyOrder, Some(12_082)),
        (PATH, &[0, 0, 0], Stamps::AnyOrder, Some(12_136)),
        (TRIANGLE, &[2, 2, 2], Stamps::Ranked, Some(7_116)),
    ] {
        let members = members(edges, least.len());
        let of = |scheme, bounds: Vec<(u32, u32)>, inside| world(scheme, edges, &bounds, inside, stamps);
        let both = |more: u32| {
            let pairs = || members.iter().zip(least);
            let inclusion = pairs().map(|(&all, &least)| (least, all)).collect();
            let exclusion = pairs().map(|(&all, &least)| (0, (all - least + more).min(all))).collect();
            (of(Scheme::Inclusion, inclusion, true), of(Scheme::Exclusion, exclusion, false))
        };
        let found = together(both(0), Seen::Mirrored, |world| {
            inside(world).zip(least).all(|(inside, &least)| inside >= least)
        });
        let found = found.unwrap_or_else(|error| panic!("{least:?}: {error}"));
        assert!(configurations.is_none_or(|known| known == found), "{least:?}: {found}");
        if least.iter().any(|&least| least > 0) {
            together(both(1), Seen::Mirrored, |_| true).unwrap_err();
        }
    }
}

/// Under the default scheme (1, |N_i| + 1) is local mutual inclusion and (0, 1) local mutual exclusion. Every
/// configuration has the same memories and messages as the algorithm for that bound alone.
#[test]
fn the_ends_of_both_bounds_are_inclusion_and_exclusion_state_by_state() {
    for (edges, stamps) in [(EDGE, Stamps::AnyOrder), (PATH, Stamps::AnyOrder)] {
        ends_of_both_bounds(edges, stamps);
    }
}

#[test]
#[ignore = "half a minute"]
fn the_ends_of_both_bounds_on_a_triangle() {
    ends_of_both_bounds(TRIANGLE, Stamps::Ranked);
}

fn ends_of_both_bounds(edges: &[(u32, u32)], stamps: Stamps) {
    let nodes = 1 + edges.iter().map(|&(_, b)| b).max().unwrap() as usize;
    let members = members(edges, nodes);
    let bounds: Vec<(u32, u32)> = members.iter().map(|&all| (1, all)).collect();
    let of = |scheme, bounds: &[(u32, u32)], inside| world(scheme, edges, bounds, inside, stamps);
    let pair = (of(Scheme::Home, &bounds, true), of(Scheme::Inclusion, &bounds, true));
    let inclusion = together(pair, Seen::AsItIs, |world| inside(world).all(|inside| inside >= 1)).unwrap();
    let bounds = vec![(0, 1); nodes];
    let pair = (of(Scheme::Home, &bounds, false), of(Scheme::Exclusion, &bounds, false));
    let exclusion = together(pair, Seen::AsItIs, |world| inside(world).all(|inside| inside <= 1)).unwrap();
    assert!(inclusion > 100 && exclusion > 100, "{inclusion} {exclusion}");
    let wide = vec![(0, 2); nodes];
    let pair = (of(Scheme::Home, &wide, false), of(Scheme::Exclusion, &bounds, false));
    together(pair, Seen::AsItIs, |_| true).unwrap_err();
}
