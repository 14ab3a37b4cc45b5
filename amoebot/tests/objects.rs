//! Objects compared with an independent model of the lattice: no amoebot enters, every amoebot sees them, and
//! nothing else changes.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::algorithm::View;
use acrasin_amoebot::{
    Amoebot, AmoebotPort, Body, Cell, Effects, End, Movement, OperationError, Orientation, Shape, System,
    SystemError,
};
use proptest::prelude::*;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("near the origin")
}

/// Contracted and expanded amoebots, and an object on some of the other cells of a small parallelogram.
fn systems() -> impl Strategy<Value = (System<u8>, System<u8>)> {
    prop::collection::vec((0..5_u8, 0..12_usize), 30).prop_map(|kinds| {
        let (mut amoebots, mut object) = (Vec::new(), Vec::new());
        for (i, (kind, frame)) in (0..).zip(kinds) {
            // Two columns for each draw, so that there is room for a tail.
            let head = cell(i % 6 * 2, i / 6);
            let body = match kind {
                0 => Body::contracted(head),
                1 => Body::expanded(head, cell(head.x() + 1, head.y())).expect("adjacent"),
                _ => {
                    object.extend((kind < 4).then_some(head));
                    continue;
                }
            };
            let orientation = Orientation::all().nth(frame).expect("one of twelve");
            amoebots.push(Amoebot { body, orientation, memory: 0 });
        }
        amoebots.push(Amoebot {
            body: Body::contracted(cell(0, -1)),
            orientation: Orientation::COMMON,
            memory: 0,
        });
        let system = System::new(amoebots).expect("one on each cell");
        (system.clone().with_object(object).expect("on free cells"), system)
    })
}

fn movements() -> impl Iterator<Item = Movement> {
    let ports = AmoebotPort::all()
        .flat_map(|port| [Movement::Expand(port), Movement::Pull(port), Movement::Push(port)]);
    ports.chain([End::Head, End::Tail].map(Movement::Contract))
}

proptest! {
    /// An operation that succeeds without the object also succeeds with it and has the same result, except for
    /// expansions into the object.
    #[test]
    fn only_expansions_into_the_object_change((with, without) in systems()) {
        for (id, movement) in with.ids().flat_map(|id| movements().map(move |movement| (id, movement))) {
            let (mut here, mut there) = (with.clone(), without.clone());
            let (done, plain) = (here.perform(id, movement), there.perform(id, movement));
            let into = match movement {
                Movement::Expand(port) => {
                    let target = without.body(id).leads_to(port, without.amoebot(id).orientation);
                    target.filter(|cell| with.object().contains(cell)).map(|_| port)
                }
                _ => None,
            };
            match into {
                Some(port) if plain.is_ok() => {
                    prop_assert_eq!(done, Err(OperationError::Object { port }));
                    prop_assert_eq!(&here, &with);
                    // Drivers check effects first; the answer is the same.
                    let mut again = with.clone();
                    let effects = Effects::none().write_own(1).then(movement);
                    prop_assert_eq!(effects.apply(&mut again, id), Err(OperationError::Object { port }));
                    prop_assert_eq!(&again, &with);
                }
                _ => {
                    prop_assert_eq!(done, plain);
                    prop_assert!(with.ids().all(|id| here.body(id) == there.body(id)));
                    prop_assert_eq!(here.object(), with.object());
                }
            }
        }
    }

    #[test]
    fn amoebots_see_the_object_and_are_not_connected_to_it((system, without) in systems()) {
        for id in system.ids() {
            let (view, body) = (View::new(&system, id), system.body(id));
            for port in AmoebotPort::all() {
                let at = body.leads_to(port, system.amoebot(id).orientation);
                let is_object = at.is_some_and(|cell| system.object().contains(&cell));
                prop_assert_eq!(view.object(port), is_object);
                prop_assert!(!(is_object && (view.connected(port) || system.connected(id, port))));
                prop_assert_eq!(view.connected(port), without.connected(id, port));
                // Locks are for amoebots: the object is visible without any.
                prop_assert_eq!(View::with_lock_set(&system, id, &[]).object(port), is_object);
                let theirs = system.neighbour(id, port).map(|other| system.body(other));
                let forward = theirs.and_then(|body| body.tail().direction_to(body.head()));
                let label = forward.map(|direction| system.amoebot(id).orientation.label(direction));
                prop_assert_eq!(view.forward_of_neighbour(port), label);
            }
        }
        prop_assert_eq!(system.is_connected(), without.is_connected());
    }

    /// Amoebots and object are one set of cells. Most of these scattered systems are not connected, with or without the
    /// object.
    #[test]
    fn amoebots_may_be_connected_by_the_object((system, without) in systems(), cells in 1..12) {
        let all = |system: &System<u8>| Shape::from_cells([&system.cells()[..], system.object()].concat()).unwrap();
        prop_assert_eq!(system.is_connected_with_object(), all(&system).is_connected());
        prop_assert_eq!(without.is_connected_with_object(), without.is_connected());
        // A row above all amoebots connects them, as far as it reaches.
        let row = (0..cells).map(|x| cell(x, 5)).chain((-1..5).map(|y| cell(12, y)));
        let held = without.with_object(row).unwrap();
        prop_assert_eq!(held.is_connected_with_object(), all(&held).is_connected());
    }

    /// The object belongs to the configuration and moves with it.
    #[test]
    fn configurations_keep_the_object((system, without) in systems(), dx in -50..50, dy in -50..50) {
        let configuration = system.configuration();
        prop_assert_eq!(&configuration.system().configuration(), &configuration);
        let again = configuration.system();
        prop_assert_eq!(again.object(), system.object());
        prop_assert_eq!(system == without, system.object().is_empty());
        prop_assert_eq!(configuration.digest() == without.configuration().digest(), system.object().is_empty());
        let moved = system.ids().map(|id| system.amoebot(id).clone()).map(|amoebot| Amoebot {
            body: amoebot.body.translated(dx, dy).expect("not far"),
            ..amoebot
        });
        let object = system.object().iter().map(|cell| cell.translated(dx, dy).expect("not far"));
        let moved = System::new(moved.collect()).unwrap().with_object(object).unwrap().configuration();
        prop_assert_eq!(moved.normal_form().unwrap(), configuration.normal_form().unwrap());
    }
}

/// A step along an object leads to another state, although without the object the new state would be a translate of the
/// old one.
#[test]
fn the_place_beside_the_object_matters() {
    let at = |x| {
        let amoebot =
            Amoebot { body: Body::contracted(cell(x, 1)), orientation: Orientation::COMMON, memory: () };
        System::new(vec![amoebot]).unwrap()
    };
    let form = |system: System<()>| system.configuration().normal_form().unwrap();
    assert_eq!(form(at(0)), form(at(1)));
    let object = || (0..3).map(|x| cell(x, 0));
    assert_ne!(form(at(0).with_object(object()).unwrap()), form(at(1).with_object(object()).unwrap()));
}

#[test]
fn objects_that_cannot_be_are_refused() {
    let expanded = Body::expanded(cell(1, 0), cell(0, 0)).unwrap();
    let amoebot = Amoebot { body: expanded, orientation: Orientation::COMMON, memory: () };
    let system = || System::new(vec![amoebot.clone()]).unwrap();
    for taken in [cell(0, 0), cell(1, 0)] {
        let error = system().with_object([cell(5, 5), taken]).unwrap_err();
        assert_eq!(error, SystemError::ObjectOnAmoebot { cell: taken, amoebot: AmoebotId(0) });
        assert!(error.to_string().contains(&taken.to_string()), "{error}");
    }
    let most = System::<()>::OBJECT_CELLS_MAX;
    let many = |cells| std::iter::repeat_n(cell(3, 3), cells);
    assert_eq!(system().with_object(many(most)).unwrap().object(), [cell(3, 3)]);
    let error = system().with_object(many(most + 1)).unwrap_err();
    assert_eq!(error, SystemError::ObjectTooLarge { cells: most + 1 });
}

#[test]
fn no_object_costs_nothing() {
    let amoebot =
        Amoebot { body: Body::contracted(cell(0, 0)), orientation: Orientation::COMMON, memory: () };
    let system = System::new(vec![amoebot]).unwrap();
    let bytes = system.bytes();
    let system = system.with_object([]).unwrap();
    assert_eq!((system.bytes(), system.object()), (bytes, [].as_slice()));
    let with = system.with_object([cell(1, 0), cell(2, 0)]).unwrap();
    assert_eq!(with.bytes(), bytes + 2 * size_of::<Cell>());
}

/// Two amoebots at the ends of a row: connected by the object, but not without it or with a gap in it.
#[test]
fn an_object_connects_the_amoebots_it_touches() {
    let amoebot =
        |x| Amoebot { body: Body::contracted(cell(x, 0)), orientation: Orientation::COMMON, memory: () };
    let pair = System::new(vec![amoebot(0), amoebot(5)]).unwrap();
    let joined = |object: &[i32]| {
        pair.clone().with_object(object.iter().map(|x| cell(*x, 0))).unwrap().is_connected_with_object()
    };
    assert_eq!(
        [&[1, 2, 3, 4][..], &[], &[1, 2, 4], &[1, 2, 3], &[2, 3, 4]].map(joined),
        [true, false, false, false, false]
    );
    // A part of the object that touches no amoebot is not connected with the rest.
    assert!(!joined(&[1, 2, 3, 4, 9]));
    // Amoebots connect parts of the object.
    assert!(
        System::new(vec![amoebot(0)])
            .unwrap()
            .with_object([cell(-1, 0), cell(1, 0)])
            .unwrap()
            .is_connected_with_object()
    );
}
