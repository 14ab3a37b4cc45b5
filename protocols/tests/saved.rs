//! A run that is saved and restored continues exactly like the original.

use acrasin_process::{Process, RestoreError};
use acrasin_protocols::library::{ApproximateMajority, Cyclic, Fratricide};
use acrasin_protocols::uniform::{Agreed, GraphPopulation, Mode, Population, TorusShape};
use acrasin_protocols::{Missing, Rule, Table, TableSpec};

pub(crate) fn drawn() -> Table {
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

pub(crate) fn tables() -> Vec<(&'static str, Table, Vec<u64>)> {
    vec![
        ("majority", Table::compile(&ApproximateMajority).unwrap(), vec![55, 45, 0]),
        ("cyclic", Table::compile(&Cyclic::ROCK_PAPER_SCISSORS).unwrap(), vec![40, 30, 30]),
        ("fratricide", Table::compile(&Fratricide).unwrap(), vec![100, 0]),
        ("drawn", drawn(), vec![50, 30, 20]),
    ]
}

pub(crate) const MODES: [Option<Mode>; 6] = [
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
    assert_eq!(
        refusal(&longer),
        "a saved run that was changed or truncated (accepted: all bytes that `save` returned)"
    );
    assert_eq!(refusal(b"something else"), "not a saved run (accepted: the bytes that `save` returned)");
    let mut newer = bytes.clone();
    newer[8] += 1;
    let [given, accepted] = [newer[8], bytes[8]];
    assert_eq!(refusal(&newer), format!("a saved run of version {given} (accepted: {accepted})"));
    let other = Population::restore(&tables()[1].1, &bytes).unwrap_err().to_string();
    assert_eq!(other, "a saved run of another protocol or plan (accepted: a run of the same plan and seed)");
    let graph = GraphPopulation::new(&table, &[0, 1, 1], vec![[0, 1], [1, 2]], 1).unwrap();
    assert_eq!(
        refusal(&graph.save()),
        "a saved run of another kind (accepted: a run that the same type saved)"
    );
    assert!(GraphPopulation::restore(&table, &bytes).is_err());
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
}
