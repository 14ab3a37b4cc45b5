//! Views of single amoebots for films.

use acrasin_amoebot::algorithm::description::Description;
use acrasin_amoebot::{AmoebotId, AmoebotPort, Cell, End, System};
use acrasin_report::film::{ColumnKind, Head, NodeColumn, NodePositions, NodeValue};

use crate::run::NodeView;

/// The columns of every amoebot, before the variables of its algorithm.
pub(super) const WHERE: [(&str, &str); 4] =
    [("head_x", "head x"), ("head_y", "head y"), ("tail_x", "tail x"), ("tail_y", "tail y")];

/// The head of a film of an algorithm; `actions` are its labels.
pub(super) fn head<S: Description>(subject: &S, system: &System<S::Memory>, actions: Vec<String>) -> Head {
    let number = |(key, name): (&str, &str)| NodeColumn::new(key, name, ColumnKind::Number);
    let mut columns =
        vec![NodeColumn::class("state", "state", subject.facts().states.iter().map(|&name| name.to_owned()))];
    columns.extend(WHERE.map(number));
    let arrows = [
        ("parent", "direction of the parent"),
        ("parent_at", "parent of the tail"),
        ("direction", "direction"),
        ("tokens", "tokens"),
    ];
    columns.extend(arrows.map(number));
    let variable =
        |name: &&str| NodeColumn::new(format!("memory.{name}"), *name, ColumnKind::Word).of_memory();
    columns.extend(subject.facts().variables.iter().map(variable));
    columns.push(NodeColumn::new("memory", "memory", ColumnKind::Word).of_memory());
    let mut head = Head::new("amoebots", system.len() as u32, columns);
    "action".clone_into(&mut head.time);
    head.actions = actions;
    head.picture = NodePositions {
        lattice: Some("triangular".to_owned()),
        objects: coordinates(system.object()),
        object: "object".to_owned(),
        ..NodePositions::default()
    };
    head
}

/// Writes the values of one amoebot, as films show them.
pub(super) fn look<S: Description>(subject: &S, system: &System<S::Memory>, node: u32, into: &mut NodeView) {
    let id = AmoebotId(node);
    let (amoebot, memory) = (system.amoebot(id), system.memory(id));
    into.values.push(NodeValue::Class(subject.state(memory) as u32));
    let (head, tail) = (amoebot.body.head(), amoebot.body.tail());
    let numbers = [head.x(), head.y(), tail.x(), tail.y()];
    into.values.extend(numbers.map(|number| NodeValue::Number(number.into())));
    let detail = subject.detail(memory);
    let towards = |port: Option<AmoebotPort>| {
        port.map_or(0, |port| i64::from(amoebot.orientation.direction(port.label()).index()) + 1)
    };
    let is_of_tail = detail.parent.is_some_and(|port| port.end() == End::Tail);
    let arrows = [towards(detail.parent), is_of_tail.into(), towards(detail.direction), detail.tokens.into()];
    into.values.extend(arrows.map(NodeValue::Number));
    let variables = 0..subject.facts().variables.len();
    into.values.extend(variables.map(|variable| NodeValue::word(subject.value(memory, variable))));
    into.values.push(NodeValue::word(subject.words(memory)));
}

/// Cells as pairs of coordinates.
pub(super) fn coordinates(cells: &[Cell]) -> Vec<(i32, i32)> {
    cells.iter().map(|cell| (cell.x(), cell.y())).collect()
}
