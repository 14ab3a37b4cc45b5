//! `acrasin check --exact-time`: solves the Markov chain of the uniform scheduler.

use acrasin_catalogue::counted;
use acrasin_protocols::analysis::is_silent;
use acrasin_protocols::exact::{ExactChain, ExactError, Hitting};
use acrasin_report::record::Exit;
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::Proceed;

use super::CheckArguments;
use super::check_target::{CheckTarget, heading, no_input_meets, state};
use super::facts::listed;
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, output};

/// The maximum number of inputs in one table.
const MOST_INPUTS: usize = 10_000;

/// The default size of the largest population.
const UP_TO: u32 = 6;

/// The maximum number of configurations of a distribution in text output, which shows the most probable ones. Other
/// formats have all.
const SHOWN: usize = 20;

/// The explanation of the columns, printed above the table of times.
const TIMES: &str = "complete graph, uniformly random ordered pairs; solved, not sampled\n\
    until right: mean number of interactions until all agents are correct permanently;\n\
    until silent: until no interaction can change a state;\n\
    sd: standard deviation; -: not reached with probability 1\n\n";

pub(super) fn exact(
    arguments: &CheckArguments,
    subject: &CheckTarget,
    supervisor: &Supervisor,
) -> Result<Exit, Failure> {
    let wanted = &arguments.population;
    let format = arguments.format.0;
    if wanted.claim.given.is_some() && subject.claim.is_none() {
        return Err(
            Failure::usage("--given without a claim").accepting("--predicate or --eventually as well")
        );
    }
    let inputs = match wanted.input.as_slice() {
        [] => {
            let up_to = wanted.up_to.unwrap_or(UP_TO);
            let inputs = all_inputs(subject, up_to)?;
            if let (Some(given), true) = (&wanted.claim.given, inputs.is_empty()) {
                return Err(no_input_meets(given, &format!("2 to {up_to} agents")));
            }
            inputs
        }
        written => written.iter().map(|text| input(subject, text)).collect::<Result<_, _>>()?,
    };
    let mut times = ResultTable::new([
        Column::new("input"),
        Column::new("configurations"),
        Column::new("P(right)").with_key("probability_right"),
        Column::new("until right").with_key("right_mean_interactions"),
        Column::new("sd").with_key("right_sd_interactions"),
        Column::new("until silent").with_key("silent_mean_interactions"),
        Column::new("sd").with_key("silent_sd_interactions"),
    ]);
    let mut law = ResultTable::new(["input", "configuration", "probability"].map(Column::new));
    let mut exit = Exit::Done;
    for input in &inputs {
        match supervisor.verdict() {
            Proceed::Continue => {}
            _ if interrupt::is_asked_to_stop() => exit = Exit::Interrupted,
            _ => exit = Exit::BudgetExhausted,
        }
        if exit != Exit::Done {
            break;
        }
        let name = counts_text(subject, input);
        let chain = match ExactChain::explore(&subject.table, input) {
            Ok(chain) => chain,
            Err(error @ ExactError::TooManyConfigurations) => {
                times.push(
                    [Value::Text(name), Value::Text(error.to_string())]
                        .into_iter()
                        .chain(std::iter::repeat_n(Value::Missing, 5))
                        .collect::<Vec<_>>(),
                );
                exit = Exit::BudgetExhausted;
                break;
            }
            Err(error) => return Err(Failure::usage(format_args!("{name}: {error}"))),
        };
        times.push(row(subject, &name, input, &chain, format));
        if let Some(after) = wanted.after {
            distribution(subject, &name, &chain, after, format, &mut law);
        }
    }
    let text = match (format, wanted.after) {
        (Format::Table, after) => {
            let mut text = heading(subject);
            text += TIMES;
            text += &times.render(format, TextStyle::default());
            if let Some(after) = after {
                text += &format!("\nafter {}\n\n", counted(after, "interaction"));
                text += &law.render(format, TextStyle::default());
            }
            if exit == Exit::BudgetExhausted {
                text += &format!("\ntruncated: {} of {} inputs\n", times.rows().len(), inputs.len());
            }
            text
        }
        (format, Some(_)) => law.render(format, TextStyle::PLAIN),
        (format, None) => times.render(format, TextStyle::PLAIN),
    };
    output::print(&text)?;
    Ok(exit)
}

/// All inputs of 2 to `up_to` agents that the claim covers.
fn all_inputs(subject: &CheckTarget, up_to: u32) -> Result<Vec<Vec<u32>>, Failure> {
    let mut found = Vec::new();
    for agents in 2..=up_to {
        for shares in acrasin_verify::population::inputs(agents, subject.inputs.len()) {
            let mut input = vec![0; usize::from(subject.table.state_count())];
            for (&state, count) in subject.inputs.iter().zip(shares) {
                input[usize::from(state)] = count;
            }
            if subject.claim.as_ref().is_none_or(|claim| claim.is_about(&wide(&input))) {
                found.push(input);
            }
            if found.len() > MOST_INPUTS {
                return Err(Failure::usage(format_args!(
                    "more than {MOST_INPUTS} inputs of up to {up_to} agents"
                ))
                .accepting("a smaller --up-to, fewer --inputs, or one --input"));
            }
        }
    }
    Ok(found)
}

/// Parses an input, such as `A=6,B=4`.
fn input(subject: &CheckTarget, text: &str) -> Result<Vec<u32>, Failure> {
    let table = &subject.table;
    let mut counts = vec![0_u32; usize::from(table.state_count())];
    for part in text.split(',') {
        let wrong = || {
            Failure::usage(format_args!(
                "--input {:?}: `{}` is not a count of a state",
                text,
                part.escape_debug()
            ))
            .accepting(format_args!(
                "STATE=NUMBER, separated by commas, of the states {}",
                listed(table.state_names().iter().map(String::as_str))
            ))
        };
        let (name, number) = part.rsplit_once('=').ok_or_else(wrong)?;
        let count = number.trim().parse().map_err(|_| wrong())?;
        let place = &mut counts[usize::from(state(table, name.trim())?)];
        *place = place.checked_add(count).ok_or_else(wrong)?;
    }
    Ok(counts)
}

fn row(subject: &CheckTarget, name: &str, input: &[u32], chain: &ExactChain, format: Format) -> Vec<Value> {
    let real = |value: f64| match format {
        Format::Table => Value::Text(format!("{value:.4}")),
        _ => Value::Real(value),
    };
    let pair = |time: Result<Hitting, ExactError>| match time {
        // Rounding can make the difference of two large numbers negative.
        Ok(time) => [real(time.mean), real(time.variance.max(0.0).sqrt())],
        Err(_) => [Value::Missing, Value::Missing],
    };
    let (probability, right) = match &subject.claim {
        None => (Value::Missing, [Value::Missing, Value::Missing]),
        Some(claim) => {
            let value = claim.value(&wide(input));
            let right = chain.forever(|counts| claim.is_right(&wide(counts), value));
            let probability = chain.chance(&right);
            let probability = match format {
                Format::Table => Value::Text(format!("{probability:.6}")),
                _ => Value::Real(probability),
            };
            (probability, pair(chain.hitting_marked(&right)))
        }
    };
    let silent = pair(chain.hitting(|counts| is_silent(&subject.table, &wide(counts))));
    let configurations = Value::Integer(chain.configurations().len() as u64);
    [Value::Text(name.to_owned()), configurations, probability]
        .into_iter()
        .chain(right)
        .chain(silent)
        .collect()
}

fn distribution(
    subject: &CheckTarget,
    name: &str,
    chain: &ExactChain,
    after: u64,
    format: Format,
    law: &mut ResultTable,
) {
    let probabilities = chain.distribution_after(after);
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    // The sort is stable: equal probabilities keep the order in which configurations were found.
    order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    let shown = if format == Format::Table { SHOWN } else { order.len() };
    for &place in order.iter().take(shown) {
        let probability = match format {
            Format::Table => Value::Text(format!("{:.6}", probabilities[place])),
            _ => Value::Real(probabilities[place]),
        };
        let configuration = Value::Text(counts_text(subject, &chain.configurations()[place]));
        law.push([Value::Text(name.to_owned()), configuration, probability]);
    }
    if order.len() > shown {
        let rest: f64 = order[shown..].iter().map(|&place| probabilities[place]).sum();
        let others = format!("{} others", order.len() - shown);
        law.push([Value::Text(name.to_owned()), Value::Text(others), Value::Text(format!("{rest:.6}"))]);
    }
}

fn counts_text(subject: &CheckTarget, counts: &[u32]) -> String {
    let present = counts.iter().zip(subject.table.state_names()).filter(|(count, _)| **count > 0);
    let parts: Vec<String> = present.map(|(count, name)| format!("{count} {name}")).collect();
    parts.join(", ")
}

fn wide(counts: &[u32]) -> Vec<u64> {
    counts.iter().map(|&count| u64::from(count)).collect()
}
