//! Infinite runs of local critical sections: numbers of configurations, as in the specification.

use std::ops::ControlFlow;

use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme, SectionErratum};
use acrasin_runtime::exclusion::{Bounds, Errata, Exclusion as _, InitialKnowledge, Stamps};
use acrasin_runtime::{Demand, LockOnly, NodeId};
use acrasin_verify::locks::{
    Instance, LOCKOUT_FREE, LockModel, LockReport, Options, SUCCESS_REACHABLE, Verdict, Witness, check,
};
use acrasin_verify::properties::CheckedExclusion as _;

const EDGE: &[(u32, u32)] = &[(0, 1)];
const PATH: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];

/// The bounds of each node, and the processes inside at the start.
fn seating(bounds: &[(u32, u32)], inside: &[u32]) -> InitialKnowledge {
    let nodes = 0..bounds.len() as u32;
    InitialKnowledge {
        bounds: bounds.iter().map(|&(least, most)| Bounds { least, most }).collect(),
        inside: nodes.map(|node| inside.contains(&node)).collect(),
        ..InitialKnowledge::default()
    }
}

fn explored(
    sections: LocalSections,
    stamps: Stamps,
    edges: &[(u32, u32)],
    seating: &InitialKnowledge,
) -> LockReport<Witness<LocalSections>> {
    let sections = sections.with_stamps(stamps).unwrap();
    let nodes = seating.bounds.len();
    let instance = Instance {
        ports: nodes as u16 - 1,
        ..Instance::new(sections, LockOnly, edges, vec![Demand::Forever; nodes])
    };
    let options = Options { bytes: 1 << 30, configurations: 300_000, liveness: true, stop_at_first: false };
    let properties = LocalSections::properties();
    check(&LockModel::with_knowledge(instance, seating, &properties).unwrap(), &options, |_| {
        ControlFlow::Continue(())
    })
}

#[track_caller]
fn holds(report: &LockReport<Witness<LocalSections>>, configurations: u64, of: &str) {
    assert_eq!(report.exploration.truncated(), None, "{of}");
    for answer in &report.answers {
        assert_eq!(answer.verdict, Verdict::Holds, "{of}: {}", answer.property);
    }
    assert_eq!(report.exploration.configurations(), configurations, "{of}");
}

/// Inclusion with the given l of each node: all are inside at the start.
fn inclusion(edges: &[(u32, u32)], least: &[u32]) -> (LocalSections, InitialKnowledge) {
    let members = |node: u32| 1 + edges.iter().filter(|&&(a, b)| a == node || b == node).count() as u32;
    let bounds: Vec<(u32, u32)> = (0..).zip(least).map(|(node, &least)| (least, members(node))).collect();
    let all: Vec<u32> = (0..least.len() as u32).collect();
    (LocalSections::new(Scheme::Inclusion), seating(&bounds, &all))
}

/// Specification B6, stamps in any order: an edge with a process's messages to itself in transit, and a path without.
#[test]
fn stamps_in_any_order() {
    for (edges, least, configurations) in [
        (EDGE, &[0, 0][..], 1_485),
        (EDGE, &[1, 1], 2_215),
        (PATH, &[0, 2, 0], 12_082),
        (PATH, &[0, 0, 0], 12_136),
        (PATH, &[0, 1, 0], 39_721),
    ] {
        let (sections, seating) = inclusion(edges, least);
        let sections = if least.len() == 2 { sections } else { sections.with_own_messages_at_once() };
        holds(&explored(sections, Stamps::AnyOrder, edges, &seating), configurations, &format!("{least:?}"));
    }
    let home = LocalSections::new(Scheme::Home);
    let edge = seating(&[(0, 2), (0, 2)], &[0]);
    holds(&explored(home, Stamps::AnyOrder, EDGE, &edge), 1_485, "an edge, one inside at home");
    let path = seating(&[(0, 2), (0, 3), (0, 2)], &[1]);
    let at_once = home.with_own_messages_at_once();
    holds(&explored(at_once, Stamps::AnyOrder, PATH, &path), 12_136, "a path, one inside at home");
}

/// Theorem 2: exclusion with |N_i| + 1 - l is inclusion with inside and outside exchanged, configuration by
/// configuration.
#[test]
fn inclusion_and_exclusion_are_mirror_images() {
    for (edges, least) in [(EDGE, &[1, 1][..]), (PATH, &[0, 1, 0]), (PATH, &[1, 2, 1])] {
        let (sections, seats) = inclusion(edges, least);
        let bounds: Vec<(u32, u32)> = seats.bounds.iter().map(|b| (0, b.most - b.least)).collect();
        let exclusion = LocalSections::new(Scheme::Exclusion).with_own_messages_at_once();
        let mirror = explored(exclusion, Stamps::AnyOrder, edges, &seating(&bounds, &[]));
        let found = explored(sections.with_own_messages_at_once(), Stamps::AnyOrder, edges, &seats);
        holds(&mirror, found.exploration.configurations(), "the mirror image");
        assert_eq!(mirror.exploration.transitions(), found.exploration.transitions());
    }
}

/// Stamps by clocks, stored as differences: finite if clocks cannot drift apart.
#[test]
fn stamps_by_clocks() {
    let at_once = |(sections, seating): (LocalSections, InitialKnowledge)| {
        (sections.with_own_messages_at_once(), seating)
    };
    for (least, configurations) in [(&[2, 2, 2], 7_972), (&[1, 2, 2], 12_772), (&[0, 1, 2], 59_142)] {
        let (sections, seating) = at_once(inclusion(TRIANGLE, least));
        let report = explored(sections, Stamps::Normalised, TRIANGLE, &seating);
        holds(&report, configurations, &format!("{least:?}"));
    }
    let (sections, seating) = inclusion(EDGE, &[1, 1]);
    holds(&explored(sections, Stamps::Normalised, EDGE, &seating), 471, "an edge");
}

/// The errata of the printed text are found on an edge, in as many steps as in the specification. The table lists the
/// broken property and the length of the shortest run.
#[test]
fn the_printed_text_breaks_on_an_edge() {
    const BOUNDS: &str = "between l and k of each closed neighbourhood inside";
    const RETURNED: &str = "only grants that were given come back";
    const DEAD: &str = "no dead configuration";
    for (slips, property, steps) in [
        (&[SectionErratum::StartInverted][..], DEAD, 6),
        (&[SectionErratum::GrantsNotCounted], DEAD, 8),
        (&[SectionErratum::PreemptAlwaysAnswered], RETURNED, 11),
        (&[SectionErratum::PreemptAlwaysAnswered, SectionErratum::GrantsAreANumber], DEAD, 26),
        (&[SectionErratum::PreemptAlwaysAnswered, SectionErratum::GrantedOnReturn], BOUNDS, 22),
        (&[SectionErratum::GrantsKept], RETURNED, 11),
        (&[SectionErratum::ChangeApart], BOUNDS, 16),
    ] {
        let printed = slips.iter().fold(Errata::NONE, |printed, &slip| printed.with(slip));
        let (sections, seating) = inclusion(EDGE, &[1, 1]);
        let report = explored(sections.with_errata(printed), Stamps::Normalised, EDGE, &seating);
        let shortest = report.broken().filter(|(answer, _)| answer.property == property);
        let found: Vec<usize> = shortest.map(|(_, witness)| witness.steps.len()).collect();
        assert_eq!(found, [steps], "{slips:?}: {property}");
    }
}

/// Specification B6, exact stamps, by its own convention: clocks travel only with requests, and of all numbers only
/// the order is kept. Larger instances, (0, 3) on three processes with a leader, are in `section_table` of the
/// benches.
#[test]
fn stamps_by_rank() {
    for (least, configurations) in [(&[2, 2, 2], 7_116), (&[2, 1, 1], 70_973), (&[2, 2, 1], 11_917)] {
        let (sections, seating) = inclusion(TRIANGLE, least);
        let report = explored(sections.with_own_messages_at_once(), Stamps::Ranked, TRIANGLE, &seating);
        holds(&report, configurations, &format!("{least:?}"));
    }
    // Clocks on every message, stored as differences, are another normal form: fewer states, and nothing is broken
    // either.
    let (sections, seats) = inclusion(TRIANGLE, &[2, 2, 2]);
    let normalised = explored(sections.with_own_messages_at_once(), Stamps::Normalised, TRIANGLE, &seats);
    assert_eq!(normalised.exploration.configurations(), 7_972);
}

/// Theorem 2 under a leader and with exact stamps, and the largest instance of the specification on three processes.
#[test]
#[ignore = "half a minute"]
fn stamps_by_rank_of_larger_instances() {
    let one_of_three = seating(&[(0, 3); 3], &[0]);
    let home = LocalSections::new(Scheme::Home).with_own_messages_at_once();
    holds(&explored(home, Stamps::Ranked, TRIANGLE, &one_of_three), 108_112, "home");
    // Theorem 2: (0, 1) with none inside and (2, 3) with all inside are mirror images.
    let both = LocalSections::new(Scheme::Leader).with_own_messages_at_once();
    for (bounds, inside) in [((0, 1), &[][..]), ((2, 3), &[0, 1, 2])] {
        let report = explored(both, Stamps::Ranked, TRIANGLE, &seating(&[bounds; 3], inside));
        holds(&report, 203_414, &format!("{bounds:?}"));
    }
}

/// Guarantee F of the specification. On a ring of four under (0, 3), the remaining bounds near the leader can still
/// keep a process two edges away inside. So liveness is also asked of processes that are to leave, and can fail.
#[test]
fn a_process_two_edges_from_the_leader_waits_forever() {
    let ring: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];
    let led = LocalSections::new(Scheme::Leader).with_own_messages_at_once();
    let seats = InitialKnowledge { leader: Some(NodeId(0)), ..seating(&[(0, 3); 4], &[0, 1]) };
    let report = explored(led, Stamps::Ranked, ring, &seats);
    assert_eq!((report.exploration.truncated(), report.exploration.configurations()), (None, 45_095));
    let broken: Vec<(&str, &str)> = report.broken().map(|(a, w)| (a.property, w.text.as_str())).collect();
    assert_eq!(
        broken,
        [
            (
                SUCCESS_REACHABLE,
                "no schedule and no draw lets c, which waits, enter or leave any more (41561 configurations)"
            ),
            (LOCKOUT_FREE, "c waits, and the adversary can stay among 948 configurations forever"),
        ]
    );
}
