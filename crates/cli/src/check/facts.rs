//! Facts about a protocol that hold on every interaction graph.

use std::fmt::Write as _;

use acrasin_protocols::Table;
use acrasin_protocols::analysis::{Classification, PairClass, conserved_quantities, reachable_states};

/// The maximum number of names in a list.
const SHOWN: usize = 40;

/// The facts as lines of text: states, class of the protocol, conserved quantities, and states unreachable from the
/// inputs.
pub(super) fn facts(table: &Table, inputs: &[u16]) -> String {
    let mut text = String::new();
    let class = Classification::new(table);
    let _ = writeln!(text, "states: {}", listed(table.state_names().iter().map(String::as_str)));
    let mut also = Vec::new();
    if class.one_way && class.word() != PairClass::OneWay && class.word() != PairClass::Null {
        also.push("no initiator ever changes");
    }
    if class.order_free && !class.symmetric {
        also.push("the roles of initiator and responder do not affect the counts");
    }
    let also: String = also.iter().map(|word| format!(", {word}")).collect();
    let _ = writeln!(text, "class: {}{also}", class.word());
    let reachable = reachable_states(table, inputs);
    let _ = match conserved_quantities(table, &reachable) {
        Ok(basis) => {
            let sums: Vec<String> = basis.iter().map(|quantity| quantity.describe(table)).collect();
            writeln!(text, "conserved: {}", sums.join("; "))
        }
        Err(error) => writeln!(text, "conserved: not computed, {error}"),
    };
    let never = table.states().filter(|&state| !reachable[usize::from(state)]);
    let never: Vec<&str> = never.map(|state| table.state_name(state)).collect();
    if !never.is_empty() {
        let _ = writeln!(text, "never reached from the inputs: {}", listed(never.into_iter()));
    }
    text
}

/// Lists names, at most [`SHOWN`] of them.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let all: Vec<&str> = names.collect();
    let mut text = all.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN {
        let _ = write!(text, ", … ({} in all)", all.len());
    }
    text
}
