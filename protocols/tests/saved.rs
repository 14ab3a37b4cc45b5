//! A run that is saved and restored goes on as if nothing had been.

use acrasin_protocols::library::{ApproximateMajority, Cyclic, Fratricide};
use acrasin_protocols::uniform::{Agreed, GraphPopulation, Mode, Population, TorusShape};
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

/// At every moment, in every mode, the saved run goes on interaction by interaction as the other.
#[test]
fn a_restored_population_goes_on_interaction_by_interaction() {
    for (name, table, start) in tables() {
        for mode in MODES {
            // Larger ones have epochs of many interactions; they are looked at in steps that end inside.
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

/// Also under a condition, and when the mode is changed.
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

/// Every single changed byte, and every cut, is refused; so are other tables and kinds.
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
    assert_eq!(refusal(b"something else"), "no saved population (accepted: what `save` gave)");
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
