//! A search for instances with a leader on a path of three nodes that have given numbers of configurations.

use std::process::ExitCode;

use acrasin_runtime::NodeId;
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::{Bounds, Exclusion as _, InitialKnowledge, Stamps};
use acrasin_verify::locks::Options;

use super::reshaped::Reshaped;
use super::rows::P3;
use super::{SectionTableResult, explored};

/// The number of configurations in the specification if a process receives messages to itself at once.
const AT_ONCE: u64 = 933;
/// The number of configurations in the specification if messages of a process to itself are queued.
const QUEUED: u64 = 19_289;

/// All bounds l <= k of a closed neighbourhood with this number of members. k may exceed this number by one, because
/// near a leader the capacities are one below the bounds.
fn bounds(members: u32) -> Vec<Bounds> {
    let all = (0..members).flat_map(|least| (1..=members + 1).map(move |most| Bounds { least, most }));
    all.filter(|bounds| bounds.least <= bounds.most).collect()
}

fn seatings() -> Vec<InitialKnowledge> {
    const MEMBERS: [u32; 3] = [2, 3, 2];
    let mut seatings = Vec::new();
    let [first, middle, last] = MEMBERS.map(bounds);
    for leader in 0..2 {
        for bounds in first.iter().flat_map(|&a| middle.iter().map(move |&b| (a, b))) {
            for &end in &last {
                for inside in 0_u32..8 {
                    let inside: Vec<bool> = (0..3).map(|node| inside >> node & 1 == 1).collect();
                    let bounds = vec![bounds.0, bounds.1, end];
                    seatings.push(InitialKnowledge {
                        bounds,
                        inside,
                        leader: Some(NodeId(leader)),
                        ..InitialKnowledge::default()
                    });
                }
            }
        }
    }
    seatings
}

/// Whether each process is within its bounds at the start.
fn is_safe(seating: &InitialKnowledge) -> bool {
    let inside = |node: usize| u32::from(seating.inside[node]);
    let counts = [inside(0) + inside(1), inside(0) + inside(1) + inside(2), inside(1) + inside(2)];
    seating.bounds.iter().zip(counts).all(|(bounds, count)| (bounds.least..=bounds.most).contains(&count))
}

fn configurations(
    seating: &InitialKnowledge,
    (queued, stamps): (bool, Stamps),
    most: u64,
) -> SectionTableResult<Option<(u64, String)>> {
    let sections = LocalSections::new(Scheme::Leader);
    let sections = if queued { sections } else { sections.with_own_messages_at_once() };
    let shape = Reshaped::new(sections).unrefused().with_stamps(stamps).ok_or("no such stamps")?;
    let options = Options { bytes: 1 << 30, configurations: most + 1, liveness: false, stop_at_first: false };
    let report = explored(shape, (P3, seating), &options)?;
    let broken: Vec<&str> = report.broken().map(|(answer, _)| answer.property).collect();
    let is_whole = report.exploration.truncated().is_none();
    Ok(is_whole.then(|| (report.exploration.configurations(), broken.join("; "))))
}

/// Lists all instances with [`AT_ONCE`] or [`QUEUED`] configurations. The exit code is 1 if there are none.
pub(crate) fn leaders_on_a_path() -> SectionTableResult<ExitCode> {
    println!("| stamps | leader | bounds | inside at the start | at once | queued | broken |");
    println!("|---|---:|---|---|---:|---:|---|");
    let (mut tried, mut found) = (0, 0);
    let seatings: Vec<InitialKnowledge> = seatings().into_iter().filter(is_safe).collect();
    let manners = [("any order", Stamps::AnyOrder), ("ranked", Stamps::Ranked)];
    for ((words, stamps), seating) in
        manners.iter().flat_map(|manner| seatings.iter().map(move |s| (manner, s)))
    {
        tried += 1;
        let Some((at_once, broken)) = configurations(seating, (false, *stamps), AT_ONCE)? else { continue };
        if at_once != AT_ONCE {
            continue;
        }
        let queued = configurations(seating, (true, *stamps), QUEUED)?;
        found += 1;
        let bounds: Vec<(u32, u32)> =
            seating.bounds.iter().map(|bounds| (bounds.least, bounds.most)).collect();
        println!(
            "| {words} | {} | {bounds:?} | {:?} | {at_once} | {} | {broken} |",
            seating.leader.map_or(0, |leader| leader.0),
            seating.inside,
            queued.map_or("more".to_owned(), |(count, _)| count.to_string()),
        );
    }
    println!("\n{found} of {tried} instances");
    Ok(if found > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
