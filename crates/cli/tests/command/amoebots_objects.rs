//! Objects that are described by a form instead of a drawing, and amoebots next to them.

use crate::program::Scratch;

fn scenario(algorithm: &str, object: &str, start: &str, more: &str) -> String {
    let object = if object.is_empty() { String::new() } else { format!("object: {object}, ") };
    format!("(\n seed: 5,\n amoebots: (algorithm: {algorithm}, {object}start: {start}),\n {more})")
}

fn record(place: &Scratch, text: &str) -> serde_json::Value {
    place.file("a.ron", text);
    place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0)
}

const OBJECTS: [&str; 9] = [
    "Wall(length: 40)",
    "Hexagon(side: 5)",
    "Triangle(side: 9)",
    "Parallelogram(width: 9, height: 4)",
    "Corner(width: 12, height: 12)",
    "Staircase(steps: 4, tread: 3, rise: 3)",
    "Bay(side: 8, sides: 4)",
    "Boulder(cells: 90)",
    "Cells([(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (4, 1), (5, 1)])",
];

#[test]
fn amoebots_coat_every_object_from_every_start() {
    let place = Scratch::new();
    for object in OBJECTS {
        for start in
            ["Column(count: 10)", "Heap(count: 10)", "Heap(count: 10, acceptance: 1)", "Layer(count: 10)"]
        {
            let json = record(&place, &scenario("Coating", object, start, "limits: (steps: 1_000_000)"));
            assert_eq!(json["outcome"]["word"], "terminated", "{object}, {start}");
            let states = (&json["states"]["leader"], &json["states"]["expanded"]);
            assert_eq!(states, (&10.into(), &0.into()), "{object}, {start}");
        }
    }
    // A hexagon of side 3 is surrounded by 18 cells, then 24.
    for start in ["Column(count: 20)", "Heap(count: 20)", "Layer(count: 18)"] {
        let json = record(&place, &scenario("UniversalCoating", "Hexagon(side: 3)", start, ""));
        let count = if start.contains("18") { 0 } else { 2 };
        let states = &json["states"];
        let layers = ["leader", "layer 1, 5, ..", "layer 2, 6, .."].map(|state| states[state].as_u64());
        assert_eq!(layers, [Some(1), Some(17), Some(count)], "{start}");
    }
}

/// A check of a form gives the results of its drawing.
#[test]
fn a_form_is_what_is_drawn() {
    let place = Scratch::new();
    place.file("d.txt", "    *\n   *\n  *\n # # # # #\n");
    let check = |object: &str, start: &str| {
        place.file("c.ron", scenario("Coating", object, start, ""));
        place.run(&["check", "c.ron", "--format", "jsonl"]).exits(0).json().remove(0)
    };
    let (by_form, by_file) =
        (check("Wall(length: 5)", "Column(count: 3)"), check("", "Drawing(path: \"d.txt\")"));
    assert_eq!((&by_form["result"], &by_file["result"]), (&"holds".into(), &"holds".into()));
    assert_eq!(by_form["states"], by_file["states"]);
}

#[test]
fn what_is_drawn_comes_from_the_seed() {
    let place = Scratch::new();
    let digest = |object: &str, start: &str, seed: u32| {
        let text = scenario("Coating", object, start, "stop: Steps(0)");
        record(&place, &text.replacen("seed: 5", &format!("seed: {seed}"), 1))["digest"].clone()
    };
    for (object, start) in
        [("Boulder(cells: 50)", "Column(count: 5)"), ("Wall(length: 40)", "Heap(count: 20)")]
    {
        assert_eq!(digest(object, start, 1), digest(object, start, 1));
        assert_ne!(digest(object, start, 1), digest(object, start, 2), "{object}, {start}");
    }
    let still = |seed| digest("Wall(length: 40)", "Column(count: 5)", seed);
    assert_eq!(still(1), still(2));
}

#[track_caller]
fn refused(algorithm: &str, object: &str, start: &str, snippets: &[&str]) {
    let place = Scratch::new();
    place.file("a.ron", scenario(algorithm, object, start, ""));
    for command in ["run", "check"] {
        let ran = place.run(&[command, "a.ron"]).exits(2);
        for snippet in snippets {
            assert!(ran.err.contains(snippet), "{snippet:?} is not in:\n{}", ran.err);
        }
        assert!(ran.err.contains("a.ron:3:"), "{}", ran.err);
    }
}

#[test]
fn objects_that_trap_or_are_too_small() {
    let column = "Column(count: 3)";
    // The mouth of the bay is one cell wide.
    refused("Coating", "Bay(side: 2, sides: 5)", column, &["traps", "(-1, 0)", "two cells wide"]);
    refused("UniversalCoating", "Bay(side: 2, sides: 5)", column, &["(-1, 0)"]);
    refused(
        "Coating",
        "Cells([(0, 0), (2, 0), (1, -1), (1, 1)])",
        column,
        &["of the object", "must be connected"],
    );
    refused("Coating", "Wall(length: 1)", "Column(count: 6)", &["6 cells are next to", "6 amoebots"]);
    refused("Coating", "Wall(length: 9)", "Layer(count: 23)", &["room for 22", "1 to 22"]);
    refused("Coating", "Wall(length: 9)", "Cells([(2, 0)])", &["cell (2, 0) of the object is occupied"]);
    refused("Coating", "Wall(length: 9)", "Cells([(2, 5)])", &["next to the object of 9 cells"]);
}

#[test]
fn objects_that_are_none() {
    let column = "Column(count: 3)";
    refused("Coating", "Wall(length: 0)", column, &["length: 0", "1 or more"]);
    refused("Coating", "Wall(length: 16777217)", column, &["16777217", "1 to 16777216"]);
    refused("Coating", "Hexagon(side: 99999999999)", column, &["1 to 16777216"]);
    refused("Coating", "Bay(side: 4, sides: 6)", column, &["6 sides", "1 to 5"]);
    refused("Coating", "Boulder(cells: 0)", column, &["1 or more"]);
    refused("Coating", "Cells([])", column, &["0 cells"]);
    refused("Coating", "Cells([(2147483647, 0)])", column, &["2147483647", "coordinates"]);
    refused("Coating", "Sphere(radius: 3)", column, &["Sphere", "Wall"]);
    refused("Coating", "Wall(length: 9)", "Column(count: 0)", &["0 amoebots", "1 to"]);
    // Invalid combinations.
    refused("Hexagon", "Wall(length: 9)", "Line(count: 3)", &["does not use an object", "Coating"]);
    refused("Hexagon", "", column, &["this start needs an object", "another start"]);
    refused("Coating", "", "Layer(count: 3)", &["this start needs an object", "Wall"]);
    refused(
        "Coating",
        "Wall(length: 9)",
        "Line(count: 3)",
        &["does not place amoebots", "Column, Heap, Layer, Cells"],
    );
    refused("Coating", "Wall(length: 9)", "Drawing(path: \"a.ron\")", &["a.ron"]);
    let place = Scratch::new();
    place.file("d.txt", "* *\n # #\n");
    place.file("a.ron", scenario("Coating", "Wall(length: 9)", "Drawing(path: \"d.txt\")", ""));
    let err = place.run(&["run", "a.ron"]).exits(2).err;
    assert!(
        err.contains("the drawing already has an object") && err.contains("only one of the two"),
        "{err}"
    );
    // A heap that dies out is noticed when it is drawn.
    let heap = scenario("Coating", "Wall(length: 9)", "Heap(count: 3, acceptance: 0.0)", "");
    place.file("a.ron", heap);
    let err = place.run(&["run", "a.ron"]).exits(2).err;
    assert!(err.contains("seed 5") && err.contains("died out"), "{err}");
}
