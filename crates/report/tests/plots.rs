//! Tests of plots as documents: well-formed, complete, equal for equal input. Their appearance is not tested.

use acrasin_report::plot::{Group, MAX_DRAWN, PlotOptions, Scale, Scales, plot_svg, shares_svg, values_svg};
use acrasin_report::series::Series;
use roxmltree::{Document, Node};

fn series(names: &[&str], rows: &[(f64, &[u64])]) -> Series {
    let mut series = Series::new("parallel time", names.iter().copied()).expect("few columns");
    for (time, counts) in rows {
        series.push(*time, counts).expect("a good row");
    }
    series
}

fn drawn(series: &Series) -> String {
    plot_svg(series, &PlotOptions::new("A title")).expect("a size within the limits")
}

fn texts(document: &Document<'_>) -> Vec<String> {
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().trim().to_owned()).collect()
}

/// Lines of the data and of the legend, recognised by a width of two pixels.
fn lines<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    let thick = |node: &Node<'_, '_>| node.attribute("stroke-width") == Some("2");
    document.descendants().filter(|node| node.has_tag_name("polyline") && thick(node)).collect()
}

/// All points in the geometry of the picture.
fn points(document: &Document<'_>) -> Vec<(f64, f64)> {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let mut points = Vec::new();
    for node in document.descendants() {
        for pair in node.attribute("points").unwrap_or_default().split_whitespace() {
            let (x, y) = pair.split_once(',').expect("x,y");
            points.push((number(x), number(y)));
        }
        if let (Some(x), Some(y)) = (node.attribute("x"), node.attribute("y")) {
            points.push((number(x), number(y)));
        }
    }
    points
}

#[test]
fn a_small_plot_is_what_it_was() {
    let series = series(&["A", "B"], &[(0.0, &[90, 10]), (1.0, &[95, 5]), (2.5, &[100, 0])]);
    let svg = drawn(&series);
    let golden = include_str!("golden/plot.svg");
    assert!(svg == golden, "differs from the golden file; now:\n{svg}");
    assert_eq!(svg, drawn(&series.clone()));
}

#[test]
fn hostile_names_stay_text() {
    let names = ["<script>&amp;\"'", "]]>", "a\0\u{1b}\nb\u{ffff}", "état \u{202e}x", ""];
    let mut series = Series::new("t < 5 & \"x\"", names).expect("five columns");
    series.push(0.0, &[1, 2, 3, 4, 5]).expect("first row");
    series.push(1.0, &[5, 4, 3, 2, 1]).expect("second row");
    let mut options = PlotOptions::new("a <b> & 'c'");
    options.count_label = "n < 1".to_owned();
    let svg = plot_svg(&series, &options).expect("a size within the limits");
    let document = Document::parse(&svg).expect("well-formed");
    let texts = texts(&document);
    for expected in
        ["<script>&amp;\"'", "]]>", r"a\u{0}\u{1b}\nb�", r"état \u{202e}x", "t < 5 & \"x\"", "n < 1"]
    {
        assert!(texts.iter().any(|text| text == expected), "{expected} in {texts:?}");
    }
    let title = document.descendants().find(|node| node.has_tag_name("title")).expect("has a title");
    assert_eq!(title.text(), Some("a <b> & 'c'"));
    assert!(!document.descendants().any(|node| node.has_tag_name("script")));
}

#[test]
fn every_series_has_a_line_and_a_legend_entry() {
    for count in [1, 2, 3, 9, 14] {
        let names: Vec<String> = (0..count).map(|index| format!("q{index}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let counts: Vec<u64> = (0..count as u64).collect();
        let svg = drawn(&series(&names, &[(0.0, &counts), (1.0, &counts)]));
        let document = Document::parse(&svg).expect("well-formed");
        assert_eq!(lines(&document).len(), 2 * count);
        let texts = texts(&document);
        assert!(names.iter().all(|name| texts.iter().any(|text| text == name)), "{texts:?}");
        assert!(!svg.contains("not drawn"));
        // Rings distinguish the eighth and later lines from those of the same colour.
        assert_eq!(svg.contains("<circle"), count > 7);
    }
}

#[test]
fn too_many_series_are_counted_in_the_legend() {
    let names: Vec<String> = (0..30).map(|index| format!("q{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let counts: Vec<u64> = (0..30).collect();
    let svg = drawn(&series(&names, &[(0.0, &counts), (1.0, &counts)]));
    let document = Document::parse(&svg).expect("well-formed");
    assert_eq!(lines(&document).len(), 2 * MAX_DRAWN);
    let texts = texts(&document);
    assert!(texts.contains(&"16 smaller: not drawn".to_owned()), "{texts:?}");
    assert!(texts.contains(&"q29".to_owned()) && !texts.contains(&"q15".to_owned()), "{texts:?}");
}

#[test]
fn odd_series_are_drawn_inside_the_picture() {
    let most = u64::MAX;
    let cases: [(&str, Series); 11] = [
        ("no rows", series(&["x"], &[])),
        ("no columns", series(&[], &[(0.0, &[]), (1.0, &[])])),
        ("one row", series(&["x", "y"], &[(20.0, &[1, 2])])),
        ("one row at zero", series(&["x"], &[(0.0, &[0])])),
        ("constant zero", series(&["x"], &[(0.0, &[0]), (9.0, &[0])])),
        ("one time", series(&["x"], &[(7.0, &[0]), (7.0, &[9])])),
        ("huge counts", series(&["x", "y"], &[(0.0, &[1_000_000_000_000_000, most]), (1.0, &[0, most - 1])])),
        ("huge times", series(&["x"], &[(0.0, &[1]), (1e300, &[2])])),
        ("one huge time", series(&["x"], &[(1e300, &[1])])),
        ("one tiny time", series(&["x"], &[(5e-324, &[1])])),
        ("tiny times", series(&["x"], &[(0.0, &[1]), (5e-324, &[2])])),
    ];
    for (case, series) in &cases {
        let svg = drawn(series);
        let document = Document::parse(&svg).expect("well-formed");
        for (x, y) in points(&document) {
            assert!((0.0..=720.0).contains(&x) && (0.0..=440.0).contains(&y), "{case}: ({x}, {y})");
        }
        let no_samples = texts(&document).contains(&"no samples".to_owned());
        assert_eq!(no_samples, *case == "no rows", "{case}");
    }
}

#[test]
fn a_single_row_is_a_dot() {
    let svg = drawn(&series(&["x", "y"], &[(20.0, &[1, 2])]));
    let document = Document::parse(&svg).expect("well-formed");
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("circle")).count(), 2);
}

#[test]
fn labels_of_ticks_do_not_touch() {
    let ends = [1e-7, 0.3, 1.0, 7.0, 99.0, 12_345.678, 1e6, 123_456_789.0, 1e15];
    for (first, width) in ends.iter().flat_map(|&first| ends.map(|width| (first, width))) {
        let svg = drawn(&series(&["x"], &[(first, &[0]), (first + width, &[1])]));
        let document = Document::parse(&svg).expect("well-formed");
        // The labels of the time axis have a height that no other text has.
        let at =
            |node: &Node<'_, '_>, name: &str| node.attribute(name).and_then(|text| text.parse::<f64>().ok());
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        let labels: Vec<(f64, usize)> = texts
            .filter(|node| at(node, "y").is_some_and(|y| (385.0..400.0).contains(&y)))
            .filter(|node| node.attribute("text-anchor") == Some("middle"))
            .map(|node| (at(&node, "x").expect("has x"), node.text().unwrap_or_default().trim().len()))
            .collect();
        assert!(labels.len() >= 2, "{first} + {width}: {labels:?}");
        for pair in labels.windows(2) {
            // Digits of a 12-pixel sans-serif font are less than 8 pixels wide.
            let needed = (pair[0].1 + pair[1].1) as f64 / 2.0 * 7.5;
            assert!(pair[1].0 - pair[0].0 > needed, "{first} + {width}: {labels:?}");
        }
    }
}

#[test]
fn a_long_series_makes_no_long_document() {
    let mut long = Series::new("parallel time", ["x", "y"]).expect("two columns");
    for step in 0..100_000_u32 {
        long.push(f64::from(step), &[u64::from(step * 7919 % 1000), u64::from(step % 2)])
            .expect("times ascend");
    }
    let svg = drawn(&long);
    assert!(svg.len() < 60_000, "{} bytes", svg.len());
    assert!(Document::parse(&svg).is_ok());
}

#[test]
fn sizes_out_of_range_are_refused() {
    let series = series(&["x"], &[(0.0, &[1])]);
    for (width, height, good) in [
        (480, 280, true),
        (479, 280, false),
        (480, 279, false),
        (8192, 8192, true),
        (8193, 440, false),
        (720, 8193, false),
    ] {
        let mut options = PlotOptions::new("A title");
        (options.width, options.height) = (width, height);
        let plot = plot_svg(&series, &options);
        assert_eq!(plot.is_ok(), good, "{width} by {height}");
        if let Err(error) = plot {
            let message =
                format!("a plot of {width} by {height} pixels; accepted: 480 to 8192 by 280 to 8192");
            assert_eq!(error.to_string(), message);
        }
    }
}

#[test]
fn runs_at_a_limit_are_crossed_and_counted() {
    let points: Vec<(f64, f64)> = (1..=9).map(|y| (1.0, f64::from(y))).chain([(2.0, 5.0)]).collect();
    let scales = Scales { x: Scale::Linear, y: Scale::Linear };
    let crosses = |unfinished: Vec<(f64, f64)>| {
        let group = Group { name: String::new(), points: points.clone(), unfinished };
        let svg = values_svg(&[group], "n", scales, &PlotOptions::new("t")).expect("within the limits");
        let document = Document::parse(&svg).expect("well-formed");
        let texts = texts(&document).into_iter().filter(|text| text.starts_with("crosses")).collect();
        (svg.matches("<line").count(), texts)
    };
    let (plain, none): (usize, Vec<String>) = crosses(Vec::new());
    assert_eq!(none, [""; 0]);
    // Of three crosses at one x two are drawn, with two strokes each.
    let (crossed, noted) = crosses(vec![(1.0, 9.0), (1.0, 8.0), (1.0, 7.0)]);
    assert_eq!((crossed - plain, noted), (4, vec!["crosses: 3 at a limit".to_owned()]));
}

#[test]
fn values_of_runs_are_inside_the_picture_and_look_different_by_group() {
    let group = |name: usize| Group {
        name: format!("g{name}"),
        points: [(1.0, 2.0), (1.0, 3.0), (1e6, 40.0), (1e6, 1e9), (1e15, 1e300)]
            .map(|(x, y)| (x, y * 1.5))
            .into(),
        unfinished: Vec::new(),
    };
    for groups in [1, 2, 14] {
        let groups: Vec<Group> = (0..groups).map(group).collect();
        let scales = Scales { x: Scale::Logarithmic, y: Scale::Logarithmic };
        let options = PlotOptions::new("a <b>");
        let svg = values_svg(&groups, "n < 1", scales, &options).expect("within the limits");
        let document = Document::parse(&svg).expect("well-formed");
        let shares = shares_svg(&groups, "n", Scale::Linear, &options).expect("within the limits");
        let shares = Document::parse(&shares).expect("well-formed");
        for (x, y) in points(&document).into_iter().chain(points(&shares)) {
            assert!((0.0..=720.0).contains(&x) && (0.0..=440.0).contains(&y), "({x}, {y})");
        }
        // Two bands: five to ninety-five per cent, and the quartiles.
        let bands = document.descendants().filter(|node| node.has_tag_name("polygon")).count();
        assert_eq!(bands, 2 * groups.len());
        assert!(texts(&document).contains(&"g0".to_owned()));
    }
    let options = PlotOptions::new("");
    let linear = Scales { x: Scale::Linear, y: Scale::Linear };
    let fifteen: Vec<Group> = (0..15).map(group).collect();
    assert!(values_svg(&fifteen, "n", linear, &options).is_err());
    let bad = |x, y, scales| {
        let groups = [Group { name: String::new(), points: vec![(1.0, 1.0), (x, y)], unfinished: vec![] }];
        values_svg(&groups, "n", scales, &options).is_err()
    };
    let logarithmic = Scales { x: Scale::Linear, y: Scale::Logarithmic };
    assert!(bad(f64::NAN, 1.0, linear) && bad(1.0, 0.0, logarithmic) && !bad(-1.0, 0.0, linear));
    assert!(values_svg(&[], "n", linear, &options).is_err());
}

/// The strokes of each colour, in the plot and the legend.
fn strokes(svg: &str, colour: &str) -> usize {
    let document = Document::parse(svg).expect("well-formed");
    lines(&document).iter().filter(|line| line.attribute("stroke") == Some(colour)).count()
}

/// Regression: the token's messages equal their formulas, and of each pair of curves only the later one could be seen.
#[test]
fn lines_that_coincide_are_all_seen() {
    let [first, second, third] = ["#0072B2", "#E69F00", "#009E73"];
    let rows = |second: u64| (0..=20_u64).map(move |d| (d as f64, [2 * d, 2 * d + second, 2 * d]));
    let counted = |second: u64| {
        let mut series = Series::new("depth", ["Raymond", "2 d", "all"]).expect("three columns");
        rows(second).for_each(|(time, counts)| series.push(time, &counts).expect("a good row"));
        drawn(&series)
    };
    let svg = counted(0);
    // A solid line, 26 dashes or more on it, and shorter ones on both; each begins with a dash in the legend.
    let [solid, dashes, shorter] = [first, second, third].map(|colour| strokes(&svg, colour));
    assert!(solid == 2 && dashes > 20 && shorter > 20, "{solid} {dashes} {shorter}");
    let length = |colour: &str| {
        let document = Document::parse(&svg).expect("well-formed");
        let of_colour = |line: &Node<'_, '_>| line.attribute("stroke") == Some(colour);
        let ends = |line: Node<'_, '_>| {
            let pairs = line.attribute("points").unwrap().split_whitespace();
            let points: Vec<(f64, f64)> = pairs
                .map(|pair| {
                    pair.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap()
                })
                .collect();
            points.windows(2).map(|two| (two[1].0 - two[0].0).hypot(two[1].1 - two[0].1)).sum::<f64>()
        };
        lines(&document).into_iter().filter(of_colour).map(ends).sum::<f64>()
    };
    let [solid, dashes, shorter] = [first, second, third].map(length);
    assert!((0.4..0.6).contains(&(dashes / solid)), "{dashes} of {solid}");
    assert!((0.15..0.35).contains(&(shorter / solid)), "{shorter} of {solid}");
    // Beside the others the second line is solid; the third still covers the first.
    let svg = counted(5);
    let [solid, beside, dashes] = [first, second, third].map(|colour| strokes(&svg, colour));
    assert!(solid == 2 && beside == 2 && dashes > 20, "{solid} {beside} {dashes}");
}

#[test]
fn groups_that_coincide_are_both_seen() {
    let group = |name: &str, add: f64| {
        let points = (1..=9).map(|x| (f64::from(x), f64::from(x * x) + add)).collect();
        Group { name: name.to_owned(), points, unfinished: Vec::new() }
    };
    let scales = Scales { x: Scale::Linear, y: Scale::Linear };
    let options = PlotOptions::new("Two");
    let both = |add: f64| {
        let groups = [group("a", 0.0), group("b", add)];
        [
            values_svg(&groups, "n", scales, &options).expect("finite numbers"),
            shares_svg(
                &[0, 1].map(|at| Group { points: mirrored(&groups[at]), ..groups[at].clone() }),
                "n",
                Scale::Linear,
                &options,
            )
            .expect("finite numbers"),
        ]
    };
    let [values, shares] = both(0.0);
    assert!(strokes(&values, "#0072B2") == 2 && strokes(&values, "#E69F00") > 20, "{values}");
    assert!(strokes(&shares, "#0072B2") == 2 && strokes(&shares, "#E69F00") > 20, "{shares}");
    // Marks of the second are smaller, inside those of the first.
    assert!(values.contains("r=\"4\"") && values.contains("r=\"2\""));
    for apart in both(30.0) {
        assert!(strokes(&apart, "#E69F00") == 2 && !apart.contains("r=\"2\""), "{apart}");
    }
}

/// The y of the points as x, for distributions.
fn mirrored(group: &Group) -> Vec<(f64, f64)> {
    group.points.iter().map(|&(x, y)| (y, x)).collect()
}
