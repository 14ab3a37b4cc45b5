//! The condition of final outputs, against all reachable configurations.

use acrasin_catalogue::parameter::Values;
use acrasin_protocols::exact::ExactChain;
use acrasin_protocols::library::ProtocolCatalogue;
use acrasin_protocols::uniform::{Agreed, Condition, Mode, OutputsStable, Population};
use acrasin_protocols::{Protocol as _, Table};

/// The numbers of right, wrong and missed verdicts of a condition.
#[derive(Default, Debug)]
struct Judged {
    rightly: usize,
    wrongly: usize,
    missed: usize,
}

impl Judged {
    fn of(&mut self, table: &Table, start: &[u32], condition: &dyn Condition) {
        let Ok(chain) = ExactChain::explore(table, start) else { return };
        let output_of: Vec<u16> = table.states().map(|state| table.output(state)).collect();
        let mut is_final = vec![false; chain.configurations().len()];
        for output in 0..table.output_count() {
            let all_say = |counts: &[u32]| {
                counts.iter().zip(&output_of).all(|(&count, &found)| count == 0 || found == output)
            };
            for (known, found) in is_final.iter_mut().zip(chain.forever(all_say)) {
                *known |= found;
            }
        }
        for (counts, is_final) in chain.configurations().iter().zip(is_final) {
            let counts: Vec<u64> = counts.iter().map(|&count| count.into()).collect();
            match (condition.holds(&counts), is_final) {
                (true, true) => self.rightly += 1,
                (true, false) => self.wrongly += 1,
                (false, true) => self.missed += 1,
                (false, false) => {}
            }
        }
    }
}

/// All ways to distribute this many agents over this many states.
fn starts(agents: u32, states: usize) -> Vec<Vec<u32>> {
    if states == 1 {
        return vec![vec![agents]];
    }
    (0..=agents)
        .flat_map(|first| {
            starts(agents - first, states - 1).into_iter().map(move |rest| [vec![first], rest].concat())
        })
        .collect()
}

/// The tables of the library with at most six states.
fn small_tables() -> Vec<(&'static str, Table)> {
    let catalogue = ProtocolCatalogue::shipped();
    let tables = catalogue.entries().iter().filter_map(|entry| {
        let table = entry.build(&Values::default()).ok()?.into_table();
        (table.state_count() <= 6).then_some((entry.name, table))
    });
    tables.collect()
}

#[test]
fn outputs_reported_as_final_never_change() {
    let tables = small_tables();
    assert!(tables.len() > 10, "{}", tables.len());
    let (mut stable, mut agreed) = (Judged::default(), Judged::default());
    for (_, table) in &tables {
        for start in starts(5, table.state_count().into()) {
            stable.of(table, &start, &OutputsStable::new(table));
            agreed.of(table, &start, &Agreed::new(table));
        }
    }
    assert_eq!(stable.wrongly, 0, "{stable:?}");
    assert!(stable.rightly > 10 * stable.missed && stable.rightly > 1000, "{stable:?}");
    // That all outputs agree does not make them final, and the test notices that.
    assert!(agreed.wrongly > 0 && agreed.missed == 0, "{agreed:?}");
}

/// In every mode the condition stops a run after the same interaction as checks after every single interaction.
#[test]
fn a_run_stops_at_the_first_final_output() {
    let table = ProtocolCatalogue::shipped()
        .find("flock-of-birds")
        .unwrap()
        .build(&Values::default())
        .unwrap()
        .into_table();
    let mut counts = vec![0; usize::from(table.state_count())];
    (counts[0], counts[1]) = (36, 24);
    let stable = OutputsStable::new(&table);
    for mode in [Mode::Array, Mode::Epochs, Mode::ShuffledEpochs, Mode::Active] {
        let of_mode = || Population::new(&table, &counts, 9).unwrap().with_mode(mode);
        let mut whole = of_mode();
        assert!(whole.run_until(&stable, 1 << 30));
        let mut single = of_mode();
        while !stable.holds(single.counts()) {
            single.run(1);
        }
        assert_eq!(
            (single.interactions(), single.counts()),
            (whole.interactions(), whole.counts()),
            "{mode:?}"
        );
    }
}
