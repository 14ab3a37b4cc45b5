//! The instances of local critical sections that are explored exhaustively before a release, and what came of them.
//!
//! `cargo run --release -p acrasin-benches --bin section_table -- quick|full`
//!
//! Prints a table in Markdown: a row for each instance of the specification, with its number and ours. *any order*: stamps in any
//! order among those under way. *ranked*: clocks travel with requests alone, and of all numbers the order is kept; without an
//! end, as *any order*. *b*: each process begins so many changes that wait, and clocks travel with requests alone; nothing is
//! normalised. `quick` is what has fewer than a million configurations. Exit code 1 if a count is not the specification's, or if
//! something does not hold. All but the last column is a function of the code alone.

use std::ops::ControlFlow;
use std::process::ExitCode;

use acrasin_runtime::exclusion::critical_section::{
    Action, Kind, LocalSections, Memory, Message, Note, Phase, Scheme,
};
use acrasin_runtime::exclusion::{Alteration, Altered, Bounds, Effects, Exclusion, Input, Seating, Stamps};
use acrasin_runtime::{Choices, Demand, LockOnly, NodeId};
use acrasin_verify::locks::{Explored, Instance, Locks, Options, check};
use acrasin_verify::properties::Checked;
use cpu_time::ProcessTime;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Each process begins at most so many changes that wait; the clock of a message that is no request is 0.
#[derive(Clone, Copy)]
struct AtMost(i32);

impl Alteration<LocalSections> for AtMost {
    fn execute(
        &self,
        sections: &LocalSections,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut Effects<Message, Note>,
    ) {
        // The number of grants is of the printed text alone: here it is how many changes have begun.
        let begun = memory.count;
        let is_call = matches!(action, Action::Entry | Action::Exit);
        let is_free = memory.excursion || sections.scheme() != Scheme::Leader && memory.inside != memory.home;
        if is_call && !is_free && begun == self.0 {
            effects.anomaly = Some(acrasin_runtime::exclusion::Anomaly::IgnoredCall);
            return;
        }
        let was_idle = memory.phase == Phase::Idle;
        sections.execute(memory, action, input, choices, effects);
        memory.count = begun + i32::from(is_call && was_idle && !is_free);
        for (_, message) in &mut effects.sends {
            if message.kind != Kind::Request {
                message.clock = 0;
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Manner {
    AnyOrder,
    Ranked,
    /// So many changes of each process.
    Changes(i32),
}

struct Row {
    name: &'static str,
    scheme: Scheme,
    edges: &'static [(u32, u32)],
    /// l and k of each process, or of all.
    bounds: &'static [(u32, u32)],
    inside: &'static [u32],
    leader: bool,
    queued: bool,
    manner: Manner,
    /// The specification's number.
    known: u64,
}

const P2: &[(u32, u32)] = &[(0, 1)];
const P3: &[(u32, u32)] = &[(0, 1), (1, 2)];
const P4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];
const S4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];
const C4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];
const K3: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
const K4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

fn nodes(edges: &[(u32, u32)]) -> u32 {
    1 + edges.iter().map(|&(a, b)| a.max(b)).max().unwrap_or(0)
}

impl Row {
    fn seating(&self) -> Seating {
        let bounds = |node: u32| self.bounds[node as usize % self.bounds.len()];
        let nodes = 0..nodes(self.edges);
        Seating {
            bounds: nodes.clone().map(bounds).map(|(least, most)| Bounds { least, most }).collect(),
            inside: nodes.map(|node| self.inside.contains(&node)).collect(),
            leader: self.leader.then_some(NodeId(0)),
            ..Seating::default()
        }
    }

    fn run(&self) -> Outcome<(u64, String)> {
        let sections = LocalSections::new(self.scheme);
        let sections = if self.queued { sections } else { sections.with_own_messages_at_once() };
        let stamped = |stamps| sections.with_stamps(stamps).ok_or("these stamps are not there");
        match self.manner {
            Manner::AnyOrder => self.explore(stamped(Stamps::AnyOrder)?, true),
            Manner::Ranked => self.explore(stamped(Stamps::Ranked)?, true),
            // What is ignored for ever is no rest: who has no change left is not dead.
            Manner::Changes(times) => self.explore(Altered::new(sections, AtMost(times)), false),
        }
    }

    fn explore<E>(&self, exclusion: E, liveness: bool) -> Outcome<(u64, String)>
    where
        E: Explored + Checked + Exclusion<Memory = Memory, Message = Message>,
    {
        let nodes = nodes(self.edges);
        let instance = Instance {
            ports: nodes as u16 - 1,
            ..Instance::new(exclusion, LockOnly, self.edges, vec![Demand::Forever; nodes as usize])
        };
        let properties = E::properties();
        let model = Locks::seated(instance, &self.seating(), &properties)?;
        let options = Options { bytes: 12 << 30, configurations: 20_000_000, liveness, stop_at_first: false };
        let report = check(&model, &options, |_| ControlFlow::Continue(()));
        if report.exploration.truncated().is_some() {
            return Err("an exploration did not end".into());
        }
        let broken: Vec<&str> = report.broken().map(|(answer, _)| answer.property).collect();
        let words = if broken.is_empty() { "all hold".to_owned() } else { broken.join("; ") };
        Ok((report.exploration.configurations(), words))
    }
}

fn rows() -> Vec<Row> {
    use Manner::{AnyOrder, Changes, Ranked};
    use Scheme::{Home, Inclusion, Leader};
    let row = |name, scheme, (edges, bounds, inside), manner, known| Row {
        name,
        scheme,
        edges,
        bounds,
        inside,
        leader: false,
        queued: false,
        manner,
        known,
    };
    let queued = |row: Row| Row { queued: true, ..row };
    let led = |row: Row| Row { leader: true, ..row };
    vec![
        queued(row("inclusion, P2, l = 0, queued", Inclusion, (P2, &[(0, 2)], &[0, 1]), AnyOrder, 1_485)),
        queued(row("inclusion, P2, l = 1, queued", Inclusion, (P2, &[(1, 2)], &[0, 1]), AnyOrder, 2_215)),
        row(
            "inclusion, P3, l = (0, 2, 0)",
            Inclusion,
            (P3, &[(0, 2), (2, 3), (0, 2)], &[0, 1, 2]),
            AnyOrder,
            12_082,
        ),
        row(
            "inclusion, P3, l = (0, 1, 0)",
            Inclusion,
            (P3, &[(0, 2), (1, 3), (0, 2)], &[0, 1, 2]),
            AnyOrder,
            39_721,
        ),
        row("inclusion, K3, l = 2", Inclusion, (K3, &[(2, 3)], &[0, 1, 2]), Ranked, 7_116),
        row("inclusion, K3, l = 1", Inclusion, (K3, &[(1, 3)], &[0, 1, 2]), Ranked, 318_286),
        row(
            "inclusion, K3, l = (2, 1, 1)",
            Inclusion,
            (K3, &[(2, 3), (1, 3), (1, 3)], &[0, 1, 2]),
            Ranked,
            70_973,
        ),
        row(
            "inclusion, K3, l = (2, 2, 1)",
            Inclusion,
            (K3, &[(2, 3), (2, 3), (1, 3)], &[0, 1, 2]),
            Ranked,
            11_917,
        ),
        queued(row("inclusion, K3, l = 2, queued", Inclusion, (K3, &[(2, 3)], &[0, 1, 2]), Ranked, 806_918)),
        row("inclusion, K4, l = 3", Inclusion, (K4, &[(3, 4)], &[0, 1, 2, 3]), Ranked, 11_519_339),
        row(
            "inclusion, star of 4, l = 1, b = 1",
            Inclusion,
            (S4, &[(1, 4), (1, 2), (1, 2), (1, 2)], &[0, 1, 2, 3]),
            Changes(1),
            16_096,
        ),
        row(
            "inclusion, P4, l = 1, b = 1",
            Inclusion,
            (P4, &[(1, 2), (1, 3), (1, 3), (1, 2)], &[0, 1, 2, 3]),
            Changes(1),
            19_635,
        ),
        row("inclusion, C4, l = 1, b = 1", Inclusion, (C4, &[(1, 3)], &[0, 1, 2, 3]), Changes(1), 316_067),
        row("inclusion, C4, l = 2, b = 1", Inclusion, (C4, &[(2, 3)], &[0, 1, 2, 3]), Changes(1), 61_450),
        row("inclusion, C4, l = 2, b = 2", Inclusion, (C4, &[(2, 3)], &[0, 1, 2, 3]), Changes(2), 7_827_614),
        row(
            "the leader's rules without a leader, K3, (1, 2), one inside",
            Leader,
            (K3, &[(1, 2)], &[0]),
            Ranked,
            457_858,
        ),
        row("the same, (0, 1), none inside", Leader, (K3, &[(0, 1)], &[]), Ranked, 203_414),
        row("the same, (2, 3), all inside", Leader, (K3, &[(2, 3)], &[0, 1, 2]), Ranked, 203_414),
        led(row("a leader, K3, (0, 3), one inside", Leader, (K3, &[(0, 3)], &[0]), Ranked, 8_303_118)),
        led(row(
            "a leader, C4, (0, 3), two neighbours inside, b = 4",
            Leader,
            (C4, &[(0, 3)], &[0, 1]),
            Changes(4),
            255_369,
        )),
        led(row(
            "a leader, K4, (0, 3), the leader inside, b = 1",
            Leader,
            (K4, &[(0, 3)], &[0]),
            Changes(1),
            3_577_638,
        )),
        led(row(
            "a leader, K4, (1, 4), the leader and another inside, b = 1",
            Leader,
            (K4, &[(1, 4)], &[0, 1]),
            Changes(1),
            3_511_294,
        )),
        queued(row(
            "around the start, P2, (0, 2), one inside, queued",
            Home,
            (P2, &[(0, 2)], &[0]),
            AnyOrder,
            1_485,
        )),
        row(
            "around the start, P3, k = (2, 3, 2), the middle inside",
            Home,
            (P3, &[(0, 2), (0, 3), (0, 2)], &[1]),
            AnyOrder,
            12_136,
        ),
        row("around the start, K3, (0, 2), one inside", Home, (K3, &[(0, 2)], &[0]), AnyOrder, 583_200),
        row("around the start, K3, (0, 3), one inside", Home, (K3, &[(0, 3)], &[0]), Ranked, 108_112),
        row(
            "around the start, C4, (0, 3), two neighbours inside, b = 1",
            Home,
            (C4, &[(0, 3)], &[0, 1]),
            Changes(1),
            289_168,
        ),
    ]
}

/// Explores an instance and prints its row; whether it came out as expected.
fn show(row: &Row) -> Outcome<bool> {
    let cpu = ProcessTime::now();
    let (configurations, words) = row.run()?;
    let manner = match row.manner {
        Manner::AnyOrder => "any order".to_owned(),
        Manner::Ranked => "ranked".to_owned(),
        Manner::Changes(times) => format!("b = {times}"),
    };
    let is_right = configurations == row.known && words == "all hold";
    let unexpected = if is_right { "" } else { " **UNEXPECTED**" };
    println!(
        "| {} | {manner} | {configurations} | {} | {words}{unexpected} | {:.1} |",
        row.name,
        row.known,
        cpu.elapsed().as_secs_f64()
    );
    Ok(is_right)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let most = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["quick"] => 1_000_000,
        ["full"] => u64::MAX,
        _ => {
            eprintln!("error: accepted are quick or full");
            return ExitCode::from(2);
        }
    };
    println!("| instance | stamps | configurations | specification | result | CPU s |");
    println!("|---|---|---:|---:|---|---:|");
    let mut all_right = true;
    for row in rows().iter().filter(|row| row.known < most) {
        match show(row) {
            Ok(is_right) => all_right &= is_right,
            Err(error) => {
                eprintln!("error: {}: {error}", row.name);
                return ExitCode::from(2);
            }
        }
    }
    if all_right { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
