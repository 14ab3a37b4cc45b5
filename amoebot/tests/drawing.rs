//! Drawings of configurations are read as documented, and saved drawings are read back unchanged.

use std::collections::BTreeSet;

use acrasin_amoebot::start::drawing::{AREA_MAX, TextPosition};
use acrasin_amoebot::start::{self, Drawing, DrawingError, DrawnAmoebot, Mark};
use acrasin_amoebot::{Body, Cell, Direction};
use proptest::prelude::*;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y).expect("near the origin")
}

fn mark() -> impl Strategy<Value = Mark> {
    prop_oneof![Just(Mark::None), Just(Mark::Seed), prop::char::range('a', 'z').prop_map(Mark::Letter)]
}

/// Random contracted and expanded amoebots, and object cells, on free cells.
fn configuration() -> impl Strategy<Value = (Vec<DrawnAmoebot>, Vec<Cell>)> {
    let wanted = prop::collection::vec((-6..9, -9..6, prop::option::of(0..6_u8), mark(), 0..4_u8), 1..60);
    let far = -1_000_000..1_000_000;
    (wanted, far.clone(), far).prop_map(|(wanted, dx, dy)| {
        let (mut used, mut amoebots, mut object) = (BTreeSet::new(), Vec::new(), Vec::new());
        for (x, y, tail, mark, kind) in wanted {
            let head = cell(x + dx, y + dy);
            let tail =
                tail.map_or(head, |tail| head.neighbour(Direction::from_index(tail)).expect("not far"));
            if used.contains(&head) || used.contains(&tail) {
                continue;
            }
            used.insert(head);
            if kind == 0 && !amoebots.is_empty() {
                object.push(head);
            } else {
                used.insert(tail);
                let body = Body::expanded(head, tail).unwrap_or(Body::contracted(head));
                amoebots.push(DrawnAmoebot { body, mark });
            }
        }
        (amoebots, object)
    })
}

proptest! {
    #[test]
    fn a_saved_drawing_is_loaded_unchanged((amoebots, object) in configuration()) {
        let drawing = Drawing::new(amoebots.clone(), object.clone()).unwrap();
        let text = drawing.to_string();
        let loaded = start::drawing(&text).unwrap();
        prop_assert_eq!(&loaded, &drawing);
        prop_assert_eq!(loaded.to_string(), text);
        // The drawing has lost and moved nothing.
        prop_assert_eq!(loaded.amoebots().len(), amoebots.len());
        prop_assert!(amoebots.iter().all(|drawn| loaded.amoebots().contains(drawn)));
        prop_assert!(loaded.object().len() == object.len() && object.iter().all(|cell| loaded.object().contains(cell)));
    }

    #[test]
    fn a_system_is_saved_and_loaded((amoebots, object) in configuration()) {
        let drawing = Drawing::new(amoebots, object).unwrap();
        let system = drawing.system(|mark| mark);
        prop_assert_eq!(system.len(), drawing.amoebots().len());
        prop_assert!(drawing.object().iter().all(|cell| system.is_object(*cell)));
        let saved = Drawing::from_system(&system, |mark| *mark).unwrap().to_string();
        prop_assert_eq!(start::drawing(&saved).unwrap().system(|mark| mark), system);
    }

    /// The two properties above can fail: a drawing with one cell shifted is another value and another system.
    #[test]
    fn a_drawing_that_is_saved_wrongly_is_not_equal((amoebots, object) in configuration(), at in any::<prop::sample::Index>()) {
        let drawing = Drawing::new(amoebots.clone(), object.clone()).unwrap();
        let (mut shifted, mut other) = (amoebots, object);
        // The new cell is outside of the box in which all others are.
        let at = at.index(shifted.len() + other.len());
        let heads = shifted.iter().map(|drawn| drawn.body.head());
        let east = heads.chain(other.iter().copied()).map(Cell::x).max().unwrap() + 3;
        match at.checked_sub(shifted.len()) {
            None => shifted[at].body = Body::contracted(cell(east, shifted[at].body.head().y())),
            Some(at) => other[at] = cell(east, other[at].y()),
        }
        let text = Drawing::new(shifted, other).unwrap().to_string();
        let loaded = start::drawing(&text).unwrap();
        prop_assert_ne!(&loaded, &drawing);
        prop_assert_ne!(loaded.system(|mark| mark), drawing.system(|mark| mark));
    }

    /// Untrusted text is an error or a drawing that survives another save, never a panic.
    #[test]
    fn any_text_is_read_or_refused(text in "([ .*@#a-c1-6;x(),0-9\n-]|[^a]){0,80}") {
        if let Ok(drawing) = start::drawing(&text) {
            prop_assert_eq!(start::drawing(&drawing.to_string()).unwrap(), drawing);
        }
    }

    /// As above, but most texts are drawings.
    #[test]
    fn rows_on_the_lattice_are_read(rows in prop::collection::vec("([.*@#a-z] ){1,8}", 1..6)) {
        let offset = |(i, row): (usize, &String)| format!("{}{row}\n", " ".repeat(i % 2));
        let text: String = rows.iter().enumerate().map(offset).collect();
        let amoebots = text.chars().filter(|character| Mark::from_character(*character).is_some()).count();
        match start::drawing(&text) {
            Ok(drawing) => {
                prop_assert_eq!(drawing.amoebots().len(), amoebots);
                prop_assert_eq!(drawing.object().len(), text.matches('#').count());
                prop_assert_eq!(start::drawing(&drawing.to_string()).unwrap(), drawing);
            }
            Err(error) => prop_assert_eq!((error, amoebots), (DrawingError::Empty, 0)),
        }
    }
}

#[test]
fn a_drawing_is_read_as_the_format_says() {
    let text = "; A comment.\n(-1, 2)\n\n   a b . b ; colours\n    * @ 1 z\n # # # # # # #\n";
    let drawing = start::drawing(text).unwrap();
    let contracted = |x, y, mark| DrawnAmoebot { body: Body::contracted(cell(x, y)), mark };
    let expected = [
        contracted(-1, 2, Mark::Letter('a')),
        contracted(0, 2, Mark::Letter('b')),
        contracted(2, 2, Mark::Letter('b')),
        contracted(0, 1, Mark::None),
        contracted(1, 1, Mark::Seed),
        DrawnAmoebot { body: Body::expanded(cell(3, 1), cell(2, 1)).unwrap(), mark: Mark::Letter('z') },
    ];
    assert_eq!(drawing.amoebots(), expected);
    assert_eq!(drawing.object(), [-1, 0, 1, 2, 3, 4, 5].map(|x| cell(x, 0)));
    assert_eq!(drawing.seeds().collect::<Vec<_>>(), [4]);
    assert_eq!(drawing.contracted(), Err(DrawingError::Expanded { head: cell(3, 1) }));
    assert_eq!(drawing.to_string(), "(-1, 2)\n  a b . b\n   * @ 1 z\n# # # # # # #\n");
}

#[test]
fn each_digit_leads_from_the_tail_to_its_head() {
    for direction in Direction::ALL {
        let body = Body::expanded(cell(0, 0).neighbour(direction).unwrap(), cell(0, 0)).unwrap();
        let drawing = Drawing::new(vec![DrawnAmoebot { body, mark: Mark::None }], vec![]).unwrap();
        let text = drawing.to_string();
        let (_, rows) = text.split_once('\n').expect("the first cell, then the rows");
        assert!(rows.contains('*') && rows.contains(char::from(b'1' + direction.index())), "{text}");
        assert_eq!(start::drawing(&text).unwrap().amoebots()[0].body, body);
    }
    // Drawn by hand, not by this crate: the head is north-east of the tail.
    let body = start::drawing(" *\n2\n").unwrap().amoebots()[0].body;
    assert_eq!((body.head(), body.tail()), (cell(0, 0), cell(0, -1)));
}

#[test]
fn rows_of_free_cells_are_blank_or_have_a_dot() {
    let with_dot = start::drawing("*\n .\n*\n").unwrap();
    assert_eq!(with_dot.contracted().unwrap(), [cell(0, 0), cell(1, -2)]);
    assert_eq!(start::drawing(&with_dot.to_string()).unwrap(), with_dot);
    // A blank line between rows is a row, one with only a comment is not, and blank lines around the rows are not.
    for text in ["*\n\n*\n", "\n \n*\n; a comment\n  \n ; another\n*\n\n\n", "(0, 0)\r\n\r\n*\r\n\r\n*\r\n"] {
        assert_eq!(start::drawing(text).unwrap(), with_dot, "{text:?}");
    }
    let place = TextPosition { line: 3, column: 2 };
    assert_eq!(start::drawing("*\n\n *\n"), Err(DrawingError::HalfCellOff { place, character: '*' }));
    assert_eq!(start::drawing("*\n\n\n *\n").unwrap().contracted().unwrap(), [cell(0, 0), cell(2, -3)]);
}

/// Checks the error and its message.
fn refused(text: &str, error: &DrawingError, parts: &[&str]) {
    assert_eq!(&start::drawing(text).unwrap_err(), error, "{text:?}");
    let message = error.to_string();
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
}

#[test]
fn bad_texts_are_refused_with_line_column_value_and_what_is_accepted() {
    let at = |line, column| TextPosition { line, column };
    for empty in ["", "\n\n", "; nothing", ". . #\n", "(1, 2)\n"] {
        refused(empty, &DrawingError::Empty, &["without amoebots", "accepted"]);
    }
    let place = at(2, 3);
    for character in ['X', '0', '7', '\t', 'é', '+'] {
        let error = DrawingError::UnknownCharacter { place, character };
        refused(
            &format!("*\n  {character} *"),
            &error,
            &["line 2, column 3", "accepted", &format!("{character:?}")],
        );
    }
    let error = DrawingError::HalfCellOff { place: at(2, 5), character: 'a' };
    refused("* *\n *  a\n", &error, &["line 2, column 5", "'a'", "accepted"]);
    for (line, text) in [(2, "*\n(0, 0)"), (2, "(0, 0)\n(0, 0)\n*"), (1, "(0 0)\n*"), (1, "(0, x)\n*")] {
        let found = text.lines().nth(line - 1).unwrap();
        let error = DrawingError::WrongFirstCell { line, text: found.to_owned() };
        refused(text, &error, &[&format!("line {line}"), found, "accepted"]);
    }
    let max = Cell::COORDINATE_MAX;
    let error = DrawingError::OutsideLattice { place: at(2, 3) };
    refused(&format!("({max}, 0)\n* *"), &error, &["line 2, column 3", "accepted"]);
    let error = DrawingError::NoHead { place: at(1, 3), direction: 1 };
    for text in ["* 1", "* 1 #", "* 1 .", "* 1 4 *"] {
        refused(text, &error, &["line 1, column 3", "'1'", "accepted"]);
    }
    let error = DrawingError::TwoTails { place: at(1, 5), head: cell(1, 0) };
    refused("1 * 4", &error, &["line 1, column 5", "(1, 0)", "accepted"]);
}

#[test]
fn the_largest_area_and_one_more() {
    // Two rows: the second amoebot is an odd number of columns to the east.
    let columns = AREA_MAX / 2;
    let text = |columns: usize| format!("*\n{}*\n", " ".repeat(columns - 1));
    let drawing = start::drawing(&text(columns)).unwrap();
    assert_eq!(start::drawing(&drawing.to_string()).unwrap(), drawing);
    let error = DrawingError::TooLarge { rows: 2, columns: columns as u64 + 2 };
    refused(&text(columns + 2), &error, &["2 rows", "8388610 columns", "accepted"]);
    // The same for a configuration that was not read from a text.
    let apart = |x| vec![cell(0, 0), cell(x, -1)].into_iter().map(plain).collect();
    let x = (columns / 2) as i32;
    assert_eq!(Drawing::new(apart(x), vec![]).unwrap(), drawing);
    assert_eq!(Drawing::new(apart(x + 1), vec![]), Err(error));
    assert!(Drawing::new(vec![plain(cell(0, 0))], vec![cell(0, Cell::COORDINATE_MAX)]).is_err());
}

fn plain(cell: Cell) -> DrawnAmoebot {
    DrawnAmoebot { body: Body::contracted(cell), mark: Mark::None }
}

#[test]
fn configurations_that_cannot_be_drawn_are_refused() {
    let expanded = DrawnAmoebot { body: Body::expanded(cell(0, 0), cell(1, 0)).unwrap(), mark: Mark::None };
    assert_eq!(Drawing::new(vec![], vec![cell(0, 0)]), Err(DrawingError::Empty));
    let twice = Err(DrawingError::TwoOnOneCell { cell: cell(1, 0) });
    assert_eq!(Drawing::new(vec![plain(cell(1, 0)), expanded], vec![]), twice);
    assert_eq!(Drawing::new(vec![expanded], vec![cell(1, 0)]), twice);
    let letter = 'A';
    let wrong = DrawnAmoebot { mark: Mark::Letter(letter), ..expanded };
    assert_eq!(Drawing::new(vec![wrong], vec![]), Err(DrawingError::WrongLetter { letter }));
    assert!(DrawingError::WrongLetter { letter }.to_string().contains("'A' (accepted"));
}
