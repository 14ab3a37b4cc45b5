//! The operations compared with an independent model of the lattice: successes, failures, and effects.
//!
//! `ACRASIN_INPUTS` is the number of inputs: 20 000 in `.ci/run`, 500 000 with `--deep`. A fuzz target also calls
//! [`do_what_the_table_says`].

use std::collections::BTreeMap;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::{
    Amoebot, AmoebotPort, Body, Cell, Chirality, Direction, End, Movement, OperationError, Orientation,
    System, SystemError,
};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Operation {
    Read(Option<AmoebotPort>),
    Write(Option<AmoebotPort>, u8),
    Move(Movement),
}

/// The operation that four bytes describe, mostly a movement.
fn operation([kind, end, label, value]: [u8; 4]) -> Operation {
    let end = if end % 2 == 0 { End::Head } else { End::Tail };
    let port = AmoebotPort::new(end, 1 + label % 6);
    Operation::Move(match kind % 8 {
        0 => return Operation::Read((value % 2 == 0).then_some(port)),
        1 => return Operation::Write((value % 2 == 0).then_some(port), value),
        2 | 3 => Movement::Contract(end),
        4 | 5 => Movement::Expand(port),
        6 => Movement::Pull(port),
        _ => Movement::Push(port),
    })
}

/// Contracted amoebots in a small parallelogram, in all orientations.
fn system() -> impl Strategy<Value = System<u8>> {
    let cells = prop::collection::btree_map((0..4, 0..3), (0..12_usize, any::<u8>()), 1..10);
    cells.prop_map(|cells| {
        let amoebots = cells.into_iter().map(|((x, y), (frame, memory))| Amoebot {
            body: Body::contracted(Cell::new(x, y).unwrap()),
            orientation: Orientation::all().nth(frame).unwrap(),
            memory,
        });
        System::new(amoebots.collect()).unwrap()
    })
}

/// The positions of the amoebots, from the bodies alone: nodes in order, tail last.
struct Picture {
    nodes: Vec<Vec<Cell>>,
    at: BTreeMap<Cell, usize>,
}

impl Picture {
    fn of(system: &System<u8>) -> Self {
        let nodes: Vec<Vec<Cell>> = system.ids().map(|id| system.body(id).cells().collect()).collect();
        let mut at = BTreeMap::new();
        for (who, nodes) in nodes.iter().enumerate() {
            for node in nodes {
                assert_eq!(at.insert(*node, who), None, "two amoebots on {node}");
                assert_eq!(system.occupant(*node), Some(AmoebotId(who as u32)));
            }
        }
        assert_eq!(at.len(), system.cells().len());
        Self { nodes, at }
    }

    /// The node from which a port leaves, and the one to which it leads; `None` if there is no such port.
    fn edge(&self, system: &System<u8>, who: usize, port: AmoebotPort) -> Option<(Cell, Cell)> {
        let nodes = &self.nodes[who];
        let from = match port.end() {
            End::Head => nodes[0],
            End::Tail => *nodes.get(1)?,
        };
        let frame = system.amoebot(AmoebotId(who as u32)).orientation;
        let turns = i32::from(port.label()) - 1;
        let turns = if frame.chirality == Chirality::Standard { turns } else { -turns };
        let direction = (i32::from(frame.first.index()) + turns).rem_euclid(6) as usize;
        let to = from.neighbour(Direction::ALL[direction])?;
        (!nodes.contains(&to)).then_some((from, to))
    }

    fn other(
        &self,
        system: &System<u8>,
        who: usize,
        port: AmoebotPort,
    ) -> Result<(Cell, Cell, usize), OperationError> {
        let (from, to) = self.edge(system, who, port).ok_or(OperationError::NotConnected { port })?;
        let other = self.at.get(&to).ok_or(OperationError::NotConnected { port })?;
        Ok((from, to, *other))
    }

    /// The nodes after a movement by the table of operations, or its failure.
    fn after(
        &self,
        system: &System<u8>,
        who: usize,
        movement: Movement,
    ) -> Result<Vec<Vec<Cell>>, OperationError> {
        let expanded = |who: usize| self.nodes[who].len() == 2;
        let mut after = self.nodes.clone();
        let without = |who: usize, node: Cell| -> Vec<Cell> {
            self.nodes[who].iter().copied().filter(|other| *other != node).collect()
        };
        match movement {
            Movement::Contract(_) if !expanded(who) => return Err(OperationError::Contracted),
            Movement::Contract(End::Head) => after[who] = vec![self.nodes[who][1]],
            Movement::Contract(End::Tail) => after[who] = vec![self.nodes[who][0]],
            Movement::Expand(_) if expanded(who) => return Err(OperationError::Expanded),
            Movement::Expand(port) => {
                let (from, to) = self.edge(system, who, port).ok_or(OperationError::NoNode { port })?;
                if self.at.contains_key(&to) {
                    return Err(OperationError::Occupied { port });
                }
                after[who] = vec![to, from];
            }
            Movement::Pull(_) if !expanded(who) => return Err(OperationError::Contracted),
            Movement::Pull(port) => {
                let (from, _, other) = self.other(system, who, port)?;
                if expanded(other) {
                    return Err(OperationError::NeighbourExpanded { port });
                }
                after[who] = without(who, from);
                after[other].insert(0, from);
            }
            Movement::Push(_) if expanded(who) => return Err(OperationError::Expanded),
            Movement::Push(port) => {
                let (_, to, other) = self.other(system, who, port)?;
                if !expanded(other) {
                    return Err(OperationError::NeighbourContracted { port });
                }
                after[other] = without(other, to);
                after[who].insert(0, to);
            }
        }
        Ok(after)
    }
}

/// The first bytes describe a system. Each further five bytes describe an operation: the amoebot and its operation.
pub(crate) fn do_what_the_table_says(bytes: &[u8]) {
    let [count, ref bytes @ ..] = *bytes else { return };
    let (places, bytes) = bytes.split_at(bytes.len().min(3 * (1 + usize::from(count % 9))));
    let (places, _) = places.as_chunks();
    let amoebots: BTreeMap<(i32, i32), (u8, u8)> = places
        .iter()
        .map(|&[cell, frame, memory]| ((i32::from(cell % 4), i32::from(cell / 4 % 3)), (frame, memory)))
        .collect();
    let amoebots: Vec<Amoebot<u8>> = amoebots
        .into_iter()
        .map(|((x, y), (frame, memory))| Amoebot {
            body: Body::contracted(Cell::new(x, y).unwrap()),
            orientation: Orientation::all().nth(usize::from(frame % 12)).unwrap(),
            memory,
        })
        .collect();
    let Ok(mut system) = System::new(amoebots) else { return };
    let (operations, _) = bytes.as_chunks();
    for &[who, a, b, c, d] in operations {
        let (who, operation) = (usize::from(who) % system.len(), operation([a, b, c, d]));
        let id = AmoebotId(who as u32);
        let picture = Picture::of(&system);
        let before = system.clone();
        let reader = |port: Option<AmoebotPort>| {
            port.map_or(Ok(who), |port| picture.other(&before, who, port).map(|it| it.2))
        };
        match operation {
            Operation::Read(port) => {
                let expected = reader(port).map(|whose| before.memory(AmoebotId(whose as u32)));
                assert_eq!(system.read(id, port), expected);
                assert_eq!(&system, &before);
            }
            Operation::Write(port, value) => {
                let did = system.write(id, port, value);
                assert_eq!(did, reader(port).map(|_| ()));
                for other in before.ids() {
                    let written = reader(port) == Ok(other.index());
                    assert_eq!(system.memory(other), if written { &value } else { before.memory(other) });
                    assert_eq!(system.body(other), before.body(other));
                }
            }
            Operation::Move(movement) => {
                let did = system.perform(id, movement);
                match picture.after(&before, who, movement) {
                    Err(error) => {
                        assert_eq!(did, Err(error));
                        assert_eq!(&system, &before, "a failed operation changes nothing");
                    }
                    Ok(nodes) => {
                        assert_eq!(did, Ok(()));
                        assert_eq!(Picture::of(&system).nodes, nodes);
                        assert!(before.ids().all(|other| system.memory(other) == before.memory(other)));
                    }
                }
            }
        }
    }
}

#[test]
fn operations_do_what_the_table_says_or_nothing() {
    let inputs = std::env::var("ACRASIN_INPUTS").ok().and_then(|inputs| inputs.parse().ok()).unwrap_or(300);
    let mut draws = 0_u64;
    let mut byte = || {
        draws = draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (draws >> 56) as u8
    };
    for number in 0..inputs {
        let bytes: Vec<u8> = (0..usize::from(byte()) + usize::from(byte())).map(|_| byte()).collect();
        let done = std::panic::catch_unwind(|| do_what_the_table_says(&bytes));
        assert!(done.is_ok(), "input {number}: {bytes:?}");
    }
}

proptest! {
    #[test]
    fn ports_with_one_name_lead_to_one_neighbour(
        mut system in system(),
        expansions in prop::collection::vec((any::<prop::sample::Index>(), 1..=6_u8), 0..12),
    ) {
        for (who, label) in expansions {
            let id = AmoebotId(who.index(system.len()) as u32);
            // It may fail: the node is occupied, or the amoebot is expanded already.
            let _ = system.expand(id, AmoebotPort::head(label));
        }
        for id in system.ids() {
            let connections = system.connections(id);
            prop_assert_eq!(connections.len(), if system.body(id).is_contracted() { 6 } else { 10 });
            let mut names = BTreeMap::new();
            for (port, name) in connections {
                prop_assert_eq!(system.connected(id, port), name.is_some());
                prop_assert_eq!(system.neighbour(id, port).is_some(), name.is_some());
                if let Some(name) = name {
                    let neighbour = system.neighbour(id, port);
                    prop_assert_eq!(*names.entry(name).or_insert(neighbour), neighbour);
                }
            }
            // There are as many names as neighbours, from 1 on, at most 8.
            let neighbours: Vec<AmoebotId> = system.neighbours(id).collect();
            prop_assert!(names.keys().copied().eq(1..=neighbours.len() as u8));
            prop_assert!(names.into_values().eq(neighbours.iter().copied().map(Some)));
            prop_assert!(neighbours.len() <= 8);
            // Neighbourhood is symmetric, whatever the orientations.
            prop_assert!(neighbours.iter().all(|other| system.neighbours(*other).any(|back| back == id)));
        }
    }

    #[test]
    fn a_translate_has_the_same_normal_form_and_another_digest(system in system(), dx in 1..100, dy in -100..100) {
        let configuration = system.configuration();
        let moved: Vec<Amoebot<u8>> = configuration.amoebots().iter().map(|amoebot| Amoebot {
            body: amoebot.body.translated(dx, dy).unwrap(),
            ..amoebot.clone()
        }).rev().collect();
        let moved = System::new(moved).unwrap().configuration();
        prop_assert_eq!(moved.normal_form().unwrap(), configuration.normal_form().unwrap());
        prop_assert_ne!(moved.digest(), configuration.digest());
        prop_assert_eq!(configuration.system().configuration().digest(), configuration.digest());
        prop_assert_eq!(configuration.system().digest(), configuration.digest());
    }
}

#[test]
fn systems_that_cannot_be_are_refused() {
    let on = |body| Amoebot { body, orientation: Orientation::COMMON, memory: () };
    let east = Cell::new(1, 0).unwrap();
    let expanded = Body::expanded(east, Cell::ORIGIN).unwrap();
    let error = System::new(vec![on(Body::contracted(Cell::ORIGIN)), on(expanded)]).unwrap_err();
    assert_eq!(
        error,
        SystemError::TwoOnOneCell { cell: Cell::ORIGIN, first: AmoebotId(0), second: AmoebotId(1) }
    );
    assert_eq!(System::<()>::new(vec![]).unwrap_err(), SystemError::WrongCount { amoebots: 0 });
}

#[test]
fn no_amoebot_leaves_the_lattice() {
    let body = Body::contracted(Cell::new(Cell::COORDINATE_MAX, 0).unwrap());
    let before = System::new(vec![Amoebot { body, orientation: Orientation::COMMON, memory: () }]).unwrap();
    let mut system = before.clone();
    let port = AmoebotPort::head(1);
    assert_eq!(system.expand(AmoebotId(0), port), Err(OperationError::NoNode { port }));
    assert_eq!(system, before);
    assert_eq!(system.expand(AmoebotId(0), AmoebotPort::head(4)), Ok(()));
}
