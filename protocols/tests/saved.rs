//! A run that is saved and restored continues exactly as the original.

use acrasin_process::{Process, RestoreError, RunBound};
use acrasin_protocols::library::{ApproximateMajority, Cyclic, Fratricide};
use acrasin_protocols::uniform::{Agreed, GraphPopulation, MatchedPopulation, Mode, Population, TorusShape};
use acrasin_protocols::{Missing, Rule, Table, TableSpec};

fn drawn() -> Table {
    let outcomes = vec![(1, "B + A".into()), (2, "C + C".into()), (4, "A + A".into())];
    TableSpec {
        states: ["A", "B", "C"].map(str::to_owned).to_vec(),
        rules: vec![
            Rule::Randomised("A + B".into(), outcomes),
            Rule::SymmetricRandomised("C + A".into(), vec![(3, "A + B".into()), (5, "C + A".into())]),
            Rule::Ordered("C + C -> A + B".into()),
        ],
        default: Some(Missing::Null),
        ..TableSpec::default()
    }
    .build()
    .unwrap()
}

fn tables() -> Vec<(&'static str, Table, Vec<u64>)> {
    vec![
        ("majority", Table::compile(&ApproximateMajority).unwrap(), vec![55, 45, 0]),
        ("cyclic", Table::compile(&Cyclic::ROCK_PAPER_SCISSORS).unwrap(), vec![40, 30, 30]),
        ("fratricide", Table::compile(&Fratricide).unwrap(), vec![100, 0]),
        ("drawn", drawn(), vec![50, 30, 20]),
    ]
}

const MODES: [Option<Mode>; 6] = [
    None,
    Some(Mode::Array),
    Some(Mode::Epochs),
    Some(Mode::ShuffledEpochs),
    Some(Mode::Active),
    Some(Mode::Urn),
];

/// In every mode and at any time, the restored run equals the saved one after every further interaction.
#[test]
fn a_restored_population_goes_on_interaction_by_interaction() {
    for (name, table, start) in tables() {
        for mode in MODES {
            // Large populations have epochs of many interactions. These strides end inside of epochs.
            for (factor, stride, moments) in [(1, 1, 20), (100, 7, 20), (2000, 1234, 6)] {
                if factor > 100 && mode == Some(Mode::Active) {
                    continue;
                }
                let counts: Vec<u64> = start.iter().map(|count| count * factor).collect();
                let mut run = Population::new(&table, &counts, 9).unwrap();
                if let Some(mode) = mode {
                    if !run.allows(mode) {
                        continue;
                    }
                    run.force(mode);
                }
                for moment in 0..moments {
                    let bytes = run.save();
                    let mut restored = Population::restore(&table, &bytes).unwrap();
                    assert_eq!(restored.save(), bytes, "{name}, {mode:?}, {moment}");
                    assert_eq!(
                        (restored.counts(), restored.interactions(), restored.mode(), restored.agents()),
                        (run.counts(), run.interactions(), run.mode(), run.agents())
                    );
                    let mut other = run.clone();
                    for step in 0..40 {
                        other.run(1 + stride * (step / 30));
                        restored.run(1 + stride * (step / 30));
                        assert_eq!(other.counts(), restored.counts(), "{name}, {mode:?}, {moment}, {step}");
                    }
                    assert_eq!(other.save(), restored.save(), "{name}, {mode:?}, {moment}");
                    run.run(stride);
                }
            }
        }
    }
}

/// Restored runs also equal the original under a stop condition, and when the mode is changed.
#[test]
fn a_restored_population_stops_where_the_other_does() {
    let (_, table, _) = tables().swap_remove(0);
    let agreed = Agreed::new(&table);
    for agents in [100_u64, 3000, 1_000_000] {
        let mut run = Population::new(&table, &[agents * 55 / 100, agents * 45 / 100, 0], 4).unwrap();
        loop {
            let mut restored = Population::restore(&table, &run.save()).unwrap();
            let mut other = run.clone();
            assert!(other.run_until(&agreed, 1 << 40) && restored.run_until(&agreed, 1 << 40));
            assert_eq!(
                (other.interactions(), other.counts(), other.save()),
                (restored.interactions(), restored.counts(), restored.save())
            );
            for forced in [Mode::Active, Mode::Epochs] {
                for population in [&mut other, &mut restored] {
                    population.force(forced);
                    population.run(777);
                }
            }
            assert_eq!(other.counts(), restored.counts());
            if run.run_until(&agreed, run.interactions() + 2 * agents + 5) {
                break;
            }
        }
    }
}

#[test]
fn a_restored_population_on_a_graph_goes_on_agent_by_agent() {
    for (name, table, _) in tables() {
        let states: Vec<u16> = (0..77).map(|agent| agent % table.state_count()).collect();
        let ring = (0..77).map(|agent| [agent, (agent + 1) % 77]).collect();
        for mut run in [
            GraphPopulation::new(&table, &states, ring, 3).unwrap(),
            GraphPopulation::on_torus(&table, &states, TorusShape::Ring { nodes: 77 }, 3).unwrap(),
            GraphPopulation::on_torus(&table, &states, TorusShape::Torus { rows: 7, columns: 11 }, 3)
                .unwrap(),
        ] {
            for moment in 0..30 {
                let bytes = run.save();
                let mut restored = GraphPopulation::restore(&table, &bytes).unwrap();
                assert_eq!(restored.save(), bytes, "{name}, {moment}");
                let mut other = run.clone();
                for _ in 0..50 {
                    other.run_to(other.interactions() + 1);
                    restored.run_to(restored.interactions() + 1);
                    assert_eq!(other.counts(), restored.counts(), "{name}, {moment}");
                    assert!((0..77).all(|agent| other.state(agent) == restored.state(agent)));
                }
                other.run_to(other.interactions() + 2000);
                restored.run_to(restored.interactions() + 2000);
                assert_eq!(other.save(), restored.save(), "{name}, {moment}");
                run.run_to(run.interactions() + 97);
            }
        }
    }
}

/// Each changed byte and each truncation is refused. So are other tables and other kinds of populations.
#[test]
fn damaged_bytes_are_refused() {
    let (_, table, start) = tables().swap_remove(0);
    let mut run = Population::new(&table, &start, 1).unwrap();
    run.run(50);
    let bytes = run.save();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        assert!(Population::restore(&table, &damaged).is_err(), "byte {place}");
        assert!(Population::restore(&table, &bytes[..place]).is_err(), "{place} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    let refusal = |bytes: &[u8]| Population::restore(&table, bytes).unwrap_err().to_string();
    assert_eq!(refusal(&longer), "a saved population that was changed or cut since (accepted: all bytes)");
    assert_eq!(refusal(b"something else"), "not a saved population (accepted: what `save` gave)");
    let mut newer = bytes.clone();
    newer[8] += 1;
    let [given, accepted] = [newer[8], bytes[8]];
    assert_eq!(refusal(&newer), format!("a saved population of version {given} (accepted: {accepted})"));
    let other = Population::restore(&tables()[1].1, &bytes).unwrap_err().to_string();
    assert_eq!(other, "a saved population of another protocol (accepted: the table that it was saved with)");
    let graph = GraphPopulation::new(&table, &[0, 1, 1], vec![[0, 1], [1, 2]], 1).unwrap();
    assert_eq!(
        refusal(&graph.save()),
        "a saved population of another kind (accepted: one that a population of this type saved)"
    );
    assert!(GraphPopulation::restore(&table, &bytes).is_err());
}

/// Creates a process of one plan from a seed.
type Start = Box<dyn Fn(u64) -> Box<dyn Process>>;

fn savable() -> Vec<(String, Start)> {
    let mut starts: Vec<(String, Start)> = Vec::new();
    for (name, table, counts) in tables() {
        for mode in MODES {
            let (table, counts) = (table.clone(), counts.clone());
            if mode.is_some_and(|mode| !Population::new(&table, &counts, 1).unwrap().allows(mode)) {
                continue;
            }
            let start: Start = Box::new(move |seed| {
                let population = Population::new(&table, &counts, seed).unwrap();
                Box::new(mode.into_iter().fold(population, Population::with_mode))
            });
            starts.push((format!("{name}, {mode:?}"), start));
        }
        let states: Vec<u16> =
            (0_u16..).zip(&counts).flat_map(|(state, &count)| vec![state; count as usize]).collect();
        let ring: Vec<[u32; 2]> = (0..100).map(|node| [node, (node + 1) % 100]).collect();
        let (of_list, of_states) = (table.clone(), states.clone());
        let on_list: Start = Box::new(move |seed| {
            Box::new(GraphPopulation::new(&of_list, &of_states, ring.clone(), seed).unwrap())
        });
        starts.push((format!("{name}, list of edges"), on_list));
        let torus = TorusShape::Torus { rows: 10, columns: 10 };
        let on_torus: Start =
            Box::new(move |seed| Box::new(GraphPopulation::on_torus(&table, &states, torus, seed).unwrap()));
        starts.push((format!("{name}, torus"), on_torus));
    }
    starts
}

/// Advances a process to a number of interactions. A call may return before the bound.
fn run_to(process: &mut dyn Process, interactions: u64) {
    while process.progress().interactions < interactions {
        process.advance(&RunBound { interactions, ..RunBound::NONE }, None);
    }
}

/// A new process of the same plan and seed, restored from a checkpoint, makes the same steps as the saved one.
#[test]
fn a_process_continues_from_its_checkpoint_to_the_digest_of_an_undisturbed_run() {
    let starts = savable();
    assert!(starts.len() > 20, "{}", starts.len());
    for (name, start) in starts {
        let mut undisturbed = start(5);
        run_to(&mut *undisturbed, 777);
        let (mut saved, mut restored) = (start(5), start(5));
        run_to(&mut *saved, 321);
        let checkpoint = saved.save().expect("a population can be saved");
        // What the process did before it is restored does not matter.
        run_to(&mut *restored, 50);
        restored.restore(&checkpoint).unwrap();
        assert_eq!((restored.progress(), restored.digest()), (saved.progress(), saved.digest()), "{name}");
        assert_eq!(restored.save().as_ref(), Some(&checkpoint), "{name}");
        for process in [&mut saved, &mut restored] {
            run_to(&mut **process, 777);
            assert_eq!(process.progress().interactions, 777);
            assert_eq!(
                (process.digest(), process.counts()),
                (undisturbed.digest(), undisturbed.counts()),
                "{name}"
            );
        }
    }
}

#[test]
fn checkpoints_of_other_runs_are_refused_and_change_nothing() {
    let table = Table::compile(&ApproximateMajority).unwrap();
    let population = |counts: &[u64], seed| Population::new(&table, counts, seed).unwrap();
    let checkpoint = Process::save(&population(&[55, 45, 0], 1)).unwrap();
    let mut cut = checkpoint.clone();
    cut.pop();
    for (mut other, bytes) in [
        (population(&[55, 45, 0], 2), &checkpoint),
        (population(&[55, 46, 0], 1), &checkpoint),
        (population(&[55, 45, 0], 1), &cut),
    ] {
        let before = (Process::digest(&other), Process::save(&other));
        let error = Process::restore(&mut other, bytes).unwrap_err();
        assert!(matches!(error, RestoreError::Refused(_)), "{error}");
        assert_eq!((Process::digest(&other), Process::save(&other)), before);
    }
    let mut matched = MatchedPopulation::new(&table, &[55, 45, 0], 1).unwrap();
    assert_eq!(matched.save(), None);
    assert_eq!(matched.restore(&checkpoint), Err(RestoreError::Unsupported));
}
