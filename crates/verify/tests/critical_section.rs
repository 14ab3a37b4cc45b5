//! Local critical sections: every schedule of small instances, and faults that are caught.

use std::ops::ControlFlow;

use acrasin_runtime::exclusion::critical_section::{
    Action, LocalSections, Memory, Message, MessageKind, Permission, Scheme, SectionNote,
};
use acrasin_runtime::exclusion::{
    ActionEffects, Bounds, Exclusion as _, InitialKnowledge, Input, Mutant, Mutation,
};
use acrasin_runtime::{Choices, Demand, LockOnly};
use acrasin_verify::locks::{Explored, Instance, LockModel, LockReport, Options, Verdict, Witness, check};

/// Explores an instance in which every process changes this many times; stamps are then finite too.
fn explored<E>(
    exclusion: E,
    edges: &[(u32, u32)],
    seating: &InitialKnowledge,
    times: u32,
) -> LockReport<Witness<E>>
where
    E: Explored<Memory = Memory, Message = Message>,
{
    let nodes = seating.bounds.len() as u32;
    let states = vec![Demand::Times(times); nodes as usize];
    let instance = Instance { ports: nodes as u16 - 1, ..Instance::new(exclusion, LockOnly, edges, states) };
    let options = Options { bytes: 1 << 30, configurations: 3_000_000, liveness: true, stop_at_first: false };
    let model = LockModel::with_knowledge(instance, seating, &[]).unwrap();
    check(&model, &options, |_| ControlFlow::Continue(()))
}

#[test]
fn every_schedule_of_two_and_three_processes() {
    let bounded = |nodes, least, most| InitialKnowledge::from_bounds(nodes, Bounds { least, most });
    let edge: &[(u32, u32)] = &[(0, 1)];
    let path: &[(u32, u32)] = &[(0, 1), (1, 2)];
    let triangle: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
    let one_inside = |seating: InitialKnowledge| {
        let inside = (0..seating.bounds.len()).map(|node| node == 0).collect();
        InitialKnowledge { inside, ..seating }
    };
    for (scheme, edges, seating, times, configurations) in [
        (Scheme::Exclusion, edge, bounded(2, 0, 1), 2, 2_574),
        (Scheme::Exclusion, path, bounded(3, 0, 1), 1, 16_357),
        (Scheme::Exclusion, triangle, bounded(3, 0, 1), 1, 179_950),
        (Scheme::Home, edge, one_inside(bounded(2, 0, 2)), 2, 4_224),
        (Scheme::Home, triangle, one_inside(bounded(3, 0, 2)), 1, 235_954),
    ] {
        let report = explored(LocalSections::new(scheme), edges, &seating, times);
        for answer in &report.answers {
            assert_eq!(answer.verdict, Verdict::Holds, "{scheme:?} {edges:?}: {}", answer.property);
        }
        assert_eq!(report.answers.len(), 6);
        assert_eq!(report.exploration.configurations(), configurations, "{scheme:?} {edges:?}");
    }
}

/// Mutations of the algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// A process asked for a grant returns the grant even if the process has used it.
    GivesBackWhatIsUsed,
    /// An arbiter grants to one process too many.
    OneTooMany,
    /// An arbiter forgets a process that returns a grant.
    ForgetsWhoWaits,
}

impl Mutation<LocalSections> for Fault {
    fn execute(
        &self,
        sections: &LocalSections,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, SectionNote>,
    ) {
        if *self == Fault::OneTooMany {
            memory.arbiters[Permission::Inside as usize].capacity = 2;
        }
        sections.execute(memory, action, input, choices, effects);
        match (self, action, input.message) {
            (Fault::GivesBackWhatIsUsed, Action::Receive(MessageKind::Preempt), Some((port, asked)))
                if effects.sends.is_empty() =>
            {
                let back = Message { kind: MessageKind::Relinquish, clock: memory.clock, ..asked };
                effects.sends.push((port, back));
            }
            (Fault::ForgetsWhoWaits, Action::Receive(MessageKind::Relinquish), Some((_, back))) => {
                memory.arbiters[back.permission as usize].pending.clear();
            }
            _ => {}
        }
    }
}

#[test]
fn faults_are_caught_on_an_edge() {
    let one_of_two = InitialKnowledge::from_bounds(2, Bounds { least: 0, most: 1 });
    let broken = |fault| {
        let wrong = Mutant::new(LocalSections::new(Scheme::Exclusion), fault);
        let report = explored(wrong, &[(0, 1)], &one_of_two, 2);
        report.broken().map(|(answer, _)| answer.property).collect::<Vec<_>>()
    };
    let bounds = "between l and k of each closed neighbourhood inside";
    assert!(broken(Fault::GivesBackWhatIsUsed).contains(&bounds));
    assert!(broken(Fault::OneTooMany).contains(&bounds));
    let forgets = broken(Fault::ForgetsWhoWaits);
    assert!(forgets.contains(&"no dead configuration") && !forgets.contains(&bounds), "{forgets:?}");
}
