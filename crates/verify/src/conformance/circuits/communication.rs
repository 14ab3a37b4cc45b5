//! Cases of kind `circuit`: the communication half of one round, with given partition sets.

use acrasin_circuits::circuit::{Communication, GivenConfiguration, SetName, communicate};

use super::super::comparison::ScenarioComparison;
use super::super::report::ConformanceReport;
use super::text::{CommunicationCase, SetText, body, orientation, structure};

/// The beeps and messages that the communication half of the round delivers. The error describes what is wrong with the
/// case.
pub(super) fn deliver(case: &CommunicationCase) -> Result<Communication, String> {
    let bodies = case.amoebots.iter().map(|amoebot| body(amoebot.head, amoebot.tail));
    let orientations = case.amoebots.iter().map(|amoebot| orientation(amoebot.first, amoebot.mirrored));
    let structure = structure(
        bodies.collect::<Result<_, _>>()?,
        orientations.collect::<Result<_, _>>()?,
        case.objects.iter().cloned(),
        case.pins,
    )?;
    let given: Vec<GivenConfiguration> = case
        .amoebots
        .iter()
        .map(|amoebot| GivenConfiguration {
            sets: amoebot.sets.iter().map(|set| set.iter().map(|pin| pin.pin()).collect()).collect(),
            beeps: amoebot.beeps.names(),
            messages: amoebot.messages.iter().map(|&(set, value)| (set.name(), value)).collect(),
            lost: amoebot.lost.names(),
        })
        .collect();
    let amoebots = case.amoebots.len();
    for (list, length) in [("heard", case.expect.heard.len()), ("messages", case.expect.messages.len())] {
        if length != amoebots {
            return Err(format!("expect.{list} has {length} entries for {amoebots} amoebots"));
        }
    }
    communicate(&structure, &given).map_err(|error| error.to_string())
}

/// Compares the delivered beeps and messages. The order within a list does not matter.
pub(super) fn compare(
    case: &CommunicationCase,
    delivered: &Communication,
    line: u64,
    report: &mut ConformanceReport,
) {
    let mut comparison = ScenarioComparison::new(&case.id, line, report);
    comparison.step(1);
    comparison.compare("circuits", &case.expect.circuits, &delivered.circuits, u64::to_string);
    for (amoebot, (expected, heard)) in case.expect.heard.iter().zip(&delivered.heard).enumerate() {
        let mut expected = expected.names();
        let mut heard = heard.clone();
        expected.sort_unstable();
        heard.sort_unstable();
        comparison
            .compare(&format!("heard[{amoebot}]"), &expected, &heard, |sets| shown(sets.iter().copied()));
    }
    for (amoebot, (expected, received)) in case.expect.messages.iter().zip(&delivered.messages).enumerate() {
        let name = |&(set, value): &(SetText, i64)| (set.name(), value);
        let mut expected: Vec<(SetName, i64)> = expected.iter().map(name).collect();
        let mut received = received.clone();
        expected.sort_unstable();
        received.sort_unstable();
        comparison.compare(&format!("messages[{amoebot}]"), &expected, &received, |messages| {
            let texts: Vec<String> = messages
                .iter()
                .map(|&(set, value)| format!("{} {value}", shown([set].into_iter())))
                .collect();
            texts.join(", ")
        });
    }
}

fn shown(sets: impl Iterator<Item = SetName>) -> String {
    let texts: Vec<String> = sets
        .map(|set| match set {
            SetName::Set(number) => number.to_string(),
            SetName::Pin(pin) => {
                let end = if pin.end == acrasin_amoebot::End::Head { "h" } else { "t" };
                format!("[\"{end}\",{},{}]", pin.label, pin.index)
            }
        })
        .collect();
    format!("[{}]", texts.join(","))
}
