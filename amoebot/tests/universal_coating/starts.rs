//! Refused starts, and the layers.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::universal_coating::{
    LAYER_CELLS_MAX, Memory, State, UniversalCoatingError as Error, layers,
};
use acrasin_amoebot::run::execution::RoundRobinActivation;
use acrasin_amoebot::start::StartError;
use acrasin_amoebot::{
    Amoebot, Body, Cell, Chirality, Direction, Orientation, SequentialExecution, System, SystemError,
    UniversalCoating, start,
};
use acrasin_runtime::Seeded;

use super::oracle::{cell, line, objects, rings};

fn refused(cells: &[Cell], object: &[Cell], frames: &[Orientation], error: impl Into<Error>, part: &str) {
    let error = error.into();
    assert_eq!(UniversalCoating::start(cells, object, frames).unwrap_err(), error);
    assert!(error.to_string().contains(part), "{error}");
}

#[test]
fn bad_amoebots_are_refused() {
    let object = [Cell::ORIGIN];
    let one = [cell(1, 0)];
    refused(&[], &object, &[], StartError::from(SystemError::WrongCount { amoebots: 0 }), "0 amoebots");
    let twice = SystemError::TwoOnOneCell { cell: one[0], first: AmoebotId(0), second: AmoebotId(1) };
    refused(&[one[0], one[0]], &object, &[], StartError::from(twice), "(1, 0)");
    let inside = SystemError::ObjectOnAmoebot { cell: cell(0, 0), amoebot: AmoebotId(0) };
    refused(&object, &object, &[], StartError::from(inside), "(0, 0)");
    let apart = StartError::Disconnected { from: one[0], cell: cell(-1, 0) };
    refused(&[one[0], cell(-1, 0)], &object, &[], apart, "(-1, 0)");
    refused(&[cell(2, 0)], &object, &[], StartError::NoneBeside { object: 1 }, "no amoebot is next to");
    let mirrored = Orientation { chirality: Chirality::Mirrored, ..Orientation::COMMON };
    let two = [cell(1, 0), cell(2, 0)];
    let mixed = StartError::MixedChirality { first: AmoebotId(0), other: AmoebotId(1) };
    refused(&two, &object, &[Orientation::COMMON, mirrored], mixed, "amoebots 0 and 1");
    assert!(UniversalCoating::start(&two, &object, &[mirrored, mirrored]).is_ok());
}

#[test]
fn bad_objects_are_refused() {
    let one = [cell(1, 0)];
    refused(&one, &[], &[], StartError::NoObject, "0 cells");
    let parts = [cell(0, 0), cell(5, 0)];
    refused(&one, &parts, &[], StartError::DisconnectedObject { cell: cell(5, 0) }, "(5, 0)");
    let ring = start::ring(Cell::ORIGIN, start::RingSize { hole_side: 1, width: 1 }).expect("six cells");
    let hole = Error::Hole { cells: vec![Cell::ORIGIN] };
    refused(&[cell(2, 0)], &ring, &[], hole.clone(), "a hole, with (0, 0)");
    refused(&[Cell::ORIGIN], &ring, &[], hole, "hole");
    // Repeated cells of the object count once.
    assert!(UniversalCoating::start(&one, &[Cell::ORIGIN, Cell::ORIGIN], &[]).is_ok());
}

#[test]
fn narrow_objects_are_refused() {
    let drawn = |rows: &str| {
        let drawing = start::drawing(rows).expect("a drawing");
        UniversalCoating::start(&drawing.contracted().expect("contracted"), drawing.object(), &[])
    };
    let tunnel = |layer, cells: &[Cell]| Error::Tunnel { layer, cells: cells.to_vec() };
    // A pocket one cell wide.
    let narrow = drawn("(0, 0)\n* . . .\n # # . # #\n  # # . # #\n # # . # # #\n  # # # # #\n");
    let cells = [cell(2, 0), cell(3, -1), cell(3, 0), cell(4, -3), cell(4, -2)];
    assert_eq!(narrow.unwrap_err(), tunnel(1, &cells));
    // Of many cells an error names eight.
    let many = tunnel(3, &line(Cell::ORIGIN, Direction::East, 10));
    assert!(many.to_string().contains("(7, 0) and 2 more cells (accepted"), "{many}");
    // A corner of 60 degrees is narrow at its tip.
    let arms = [line(Cell::ORIGIN, Direction::East, 5), line(Cell::ORIGIN, Direction::NorthEast, 5)].concat();
    refused(&[cell(-1, 0)], &arms, &[], tunnel(1, &[cell(1, 2), cell(2, 1)]), "too narrow for layer 1");
}

/// Two corners of 120 degrees with a bar of three between them are wide enough for the first layer, not for the second.
#[test]
fn objects_must_be_wide_enough_only_where_an_amoebot_comes() {
    let bar = line(Cell::ORIGIN, Direction::East, 3);
    let arms = [line(cell(-1, 1), Direction::NorthWest, 5), line(cell(2, 1), Direction::NorthEast, 5)];
    let object = [bar, arms.concat()].concat();
    let column = line(cell(0, -1), Direction::SouthWest, 2);
    assert!(UniversalCoating::start(&column[..1], &object, &[]).is_ok());
    refused(
        &column,
        &object,
        &[],
        Error::Tunnel { layer: 2, cells: vec![cell(-1, 3), cell(0, 3)] },
        "too narrow for layer 2 at (-1, 3), (0, 3)",
    );
}

#[test]
fn far_amoebots_are_refused() {
    // 1 + 3 d (d + 1) nodes are within d steps of a cell.
    let most = 417;
    let nodes = |d: usize| 1 + 3 * d * (d + 1);
    assert!(nodes(most) <= LAYER_CELLS_MAX && nodes(most + 1) > LAYER_CELLS_MAX);
    let column = line(cell(1, 0), Direction::East, most + 1);
    assert!(UniversalCoating::start(&column[..most], &[Cell::ORIGIN], &[]).is_ok());
    let far = Error::TooFar { cell: column[most], most: LAYER_CELLS_MAX };
    refused(&column, &[Cell::ORIGIN], &[], far, "(418, 0) is too far");
}

/// Six of seven amoebots are next to one cell, and the seventh is above.
#[test]
fn almost_final_systems_are_not_final() {
    let cells: Vec<Cell> = Cell::ORIGIN.neighbours().chain([cell(2, 0)]).collect();
    let system = UniversalCoating::start(&cells, &[Cell::ORIGIN], &[]).expect("a good start");
    assert!(!UniversalCoating::is_finished(&system), "no amoebot is retired");
    let mut execution = SequentialExecution::new(&UniversalCoating, system);
    assert!(execution.run(10_000, &mut RoundRobinActivation::default(), &mut Seeded::new(1)));
    assert!(UniversalCoating::is_finished(execution.system()));

    // The same memories where the first layer has a gap and the second one has two gaps.
    let amoebots = execution.system().ids().map(|id| execution.system().amoebot(id).clone());
    let gap = amoebots.map(|amoebot| {
        let moved = if amoebot.body.head() == cell(-1, 0) { cell(-2, 0) } else { amoebot.body.head() };
        Amoebot { body: Body::contracted(moved), ..amoebot }
    });
    let gap = System::new(gap.collect()).and_then(|system| system.with_object([Cell::ORIGIN]));
    assert!(!UniversalCoating::is_finished(&gap.expect("different cells")), "there is a gap");

    // Two amoebots are too few for the first layer. With a complaint one of them may move.
    let mut two = UniversalCoating::start(&cells[..2], &[Cell::ORIGIN], &[]).expect("a good start");
    for (id, complaints, ends) in
        [(AmoebotId(0), 0, false), (AmoebotId(1), 0, true), (AmoebotId(0), 1, false)]
    {
        let memory = Memory { state: State::Root, complaints, ..*two.memory(id) };
        two.write(id, None, memory).expect("its own memory");
        assert_eq!(UniversalCoating::is_finished(&two), ends);
    }
}

#[test]
fn layers_are_the_nodes_by_distance() {
    for (name, object) in objects() {
        let expected = rings(&object, 4);
        let room: usize = expected.iter().map(|ring| ring.len()).sum();
        let found = layers(&object, room);
        assert_eq!(found.len(), 4, "{name}");
        assert!(found.iter().zip(&expected).all(|(layer, ring)| layer.iter().eq(ring)), "{name}");
        assert_eq!(layers(&object, room + 1).len(), 5);
        assert_eq!(layers(&object, 1).len(), 1);
    }
    assert!(layers(&[], 5).is_empty());
}
