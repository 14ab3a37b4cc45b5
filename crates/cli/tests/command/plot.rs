//! `acrasin plot`.

use std::fs;
use std::path::Path;

use crate::program::Scratch;

const MAJORITY: &str = "(seed: 7, topology: Complete(nodes: 50), scheduler: UniformPairs, stop: [OutputsAgree],
    work: Interactions(protocol: Library(name: \"approximate-majority\"), initial: Shares({\"A\": 0.6, \"B\": 0.4})))";

const SWEEP: [&str; 6] = ["sweep", "m.ron", "--over", "topology.nodes=20..80 x2", "--reps", "5"];

/// y = 3 x^1.5, to nine digits, ten times each.
fn power() -> String {
    let row = |x: f64| format!("{x},{:.9},fast\n", 3.0 * x.powf(1.5));
    let rows = [10.0, 100.0, 1000.0, 10_000.0].map(|x| row(x).repeat(10));
    format!("agents,time,engine\n{}", rows.concat())
}

#[test]
fn rows_of_a_sweep_are_drawn_alike_from_both_formats() {
    let place = Scratch::new();
    place.file("m.ron", MAJORITY);
    place.run(&[&SWEEP[..], &["-o", "rows.jsonl"]].concat()).exits(0);
    let csv = place.run(&[&SWEEP[..], &["--format", "csv"]].concat()).exits(0);
    place.file("rows.csv", csv.out);
    let plot = |rows: &str, picture: &str| {
        let columns = ["--x", "topology.nodes", "--y", "parallel time", "--log"];
        let ran = place.run(&[&["plot", rows][..], &columns, &["-o", picture]].concat()).exits(0);
        (ran.out, fs::read_to_string(place.path().join(picture)).unwrap())
    };
    let (numbers, picture) = plot("rows.jsonl", "a.svg");
    assert!(numbers.starts_with("runs  exponent  std. error\n"), "{numbers}");
    assert_eq!(
        numbers.lines().filter(|line| line.split_whitespace().nth(1) == Some("5")).count(),
        3,
        "{numbers}"
    );
    for part in [
        "<title>parallel time against nodes</title>",
        ">\nparallel time (interactions per node)\n<",
        ">\nnodes\n<",
        "exponent",
        "5 to 95 %",
        "<polygon",
    ] {
        assert!(picture.contains(part), "{part}");
    }
    assert_eq!(plot("rows.csv", "b.svg"), (numbers.clone(), picture.clone()));
    // A sweep in progress: its last row is incomplete.
    let rows = fs::read_to_string(place.path().join("rows.jsonl")).unwrap();
    place.file("rows.jsonl", format!("{rows}{{\"run\":15,"));
    assert_eq!(plot("rows.jsonl", "a.svg"), (numbers, picture));
    assert_eq!(place.names(), ["a.svg", "b.svg", "m.ron", "rows.csv", "rows.jsonl"]);
}

#[test]
fn a_power_has_its_exponent_and_another_has_another() {
    let place = Scratch::new();
    place.file("rows.csv", power());
    place.file(
        "linear.csv",
        power()
            .lines()
            .map(|line| format!("{line},{}\n", line.split(',').next().unwrap()))
            .map(|line| line.replace(",agents\n", ",same\n"))
            .collect::<String>(),
    );
    let exponent = |file: &str, y: &str, more: &[&str]| {
        let first = ["plot", file, "--x", "agents", "--y", y, "--format", "jsonl"];
        let found = place.run(&[&first[..], more].concat()).exits(0).json();
        found[0].get("exponent").or(found[0].get("slope")).unwrap().as_f64().unwrap()
    };
    assert!((exponent("rows.csv", "time", &["--log"]) - 1.5).abs() < 1e-6);
    assert!((exponent("linear.csv", "same", &["--log"]) - 1.0).abs() < 1e-9);
    // On linear axes it is a slope.
    assert!(exponent("rows.csv", "time", &[]) > 100.0);
}

#[test]
fn groups_have_their_colours_and_distributions_their_steps() {
    let place = Scratch::new();
    let slow = power()
        .lines()
        .skip(1)
        .map(|line| line.replace("fast", "slow").replacen(',', ",7", 1) + "\n")
        .collect::<String>();
    place.file("rows.csv", power() + &slow);
    let picture = |arguments: &[&str]| {
        let ran = place
            .run(&[&["plot", "rows.csv", "--by", "engine", "-o", "p.svg"][..], arguments].concat())
            .exits(0);
        (ran.out, fs::read_to_string(place.path().join("p.svg")).unwrap())
    };
    let (numbers, values) = picture(&["--x", "agents", "--y", "time", "--log"]);
    for part in ["fast", "slow", "#0072B2", "#E69F00"] {
        assert!(values.contains(part), "{part}: {values}");
    }
    assert!(numbers.contains("engine  runs  exponent"), "{numbers}");
    let (numbers, shares) = picture(&["--kind", "ecdf", "--x", "time", "--log", "x", "--title", "How long"]);
    assert!(shares.contains("<title>How long</title>") && shares.contains("share of the runs"));
    assert!(
        numbers.contains("median") && numbers.contains("fast") && !numbers.contains("exponent"),
        "{numbers}"
    );
}

#[test]
fn what_cannot_be_drawn_is_refused_and_nothing_is_written() {
    let place = Scratch::new();
    place.file("rows.csv", power() + "0,5,fast\n");
    place.file("short.csv", "a,b\n1,2\n3\n");
    place.file("empty.jsonl", "{\"acrasin\":\"sweep\"}\n");
    let many: String = (0..15).map(|group| format!("1,2,g{group}\n")).collect();
    place.file("many.csv", format!("x,y,by\n{many}"));
    let before = place.names();
    let kept = fs::read_to_string(place.path().join("rows.csv")).unwrap();
    for (arguments, parts) in [
        (
            &["rows.csv", "--x", "agent", "--y", "time"][..],
            &["--x", "rows.csv", "did you mean `agents`?", "agents, time, engine"][..],
        ),
        (&["rows.csv", "--x", "agents", "--y", "tiem"], &["--y", "did you mean `time`?"]),
        (
            &["rows.csv", "--x", "agents", "--y", "time", "--by", "motor"],
            &["--by", "there are agents, time, engine"],
        ),
        (&["rows.csv", "--x", "agents", "--y", "engine"], &["engine of row 1 is not a number: fast"]),
        (
            &["rows.csv", "--x", "agents", "--y", "time", "--log"],
            &["agents of row 41 is 0", "numbers above 0"],
        ),
        (&["rows.csv", "--x", "agents"], &["--y"]),
        (
            &["short.csv", "--x", "a", "--y", "b"],
            &["short.csv:3: the row has 1 field, the first line 2 names"],
        ),
        (&["empty.jsonl", "--x", "a", "--y", "b"], &["empty.jsonl:1: there are no rows"]),
        (&["missing.csv", "--x", "a", "--y", "b"], &["missing.csv cannot be read"]),
        (&["many.csv", "--x", "x", "--y", "y", "--by", "by"], &["15 groups; accepted: up to 14"]),
    ] {
        let ran = place.run(&[&["plot"][..], arguments, &["-o", "p.svg"]].concat()).exits(2);
        for part in parts {
            assert!(ran.err.contains(part), "{arguments:?}: {part} is not in {}", ran.err);
        }
        assert_eq!((ran.out.as_str(), place.names()), ("", before.clone()), "{arguments:?}");
    }
    let over = ["plot", "rows.csv", "--x", "agents", "--y", "time", "-o", "rows.csv"];
    assert!(place.run(&over).exits(2).err.contains("would replace the rows"));
    assert_eq!(fs::read_to_string(place.path().join("rows.csv")).unwrap(), kept);
    place.run(&[&over[..6], &["-o", "."]].concat()).exits(2);
}

/// The picture in the README equals the plot of its stored rows; the first sizes are swept again.
#[test]
fn the_picture_of_the_readme_is_what_is_drawn_of_its_rows() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let kept = |name: &str| fs::read_to_string(examples.join("pictures").join(name)).unwrap();
    let place = Scratch::new();
    place.file("rows.csv", kept("exact-majority-times.csv"));
    let columns = ["plot", "rows.csv", "--x", "topology.nodes", "--y", "parallel time", "--log", "x"];
    let title = ["--title", "Exact majority, 55 to 45: parallel time against n", "-o", "p.svg"];
    let numbers = place.run(&[&columns[..], &title].concat()).exits(0).out;
    assert!(numbers.contains("12.97") && numbers.contains("0.3374"), "{numbers}");
    let drawn = fs::read_to_string(place.path().join("p.svg")).unwrap();
    assert!(drawn == kept("exact-majority-times.svg"), "the rows give another picture");

    let scenario = examples.join("00_exact_majority.ron").display().to_string();
    let sets = ["scheduler=UniformPairs", "topology=Complete(nodes: 100)", "observe=()"];
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    let over = ["--over", "topology.nodes=1e2..1e3 x10", "--reps", "20", "--format", "jsonl"];
    let swept = place.run(&[&["sweep", &scenario][..], &sets, &over].concat()).exits(0).json();
    let line = |row: &serde_json::Value| {
        let [nodes, interactions, seed] =
            [&row["topology"]["nodes"], &row["work"]["interactions"], &row["manifest"]["seed"]]
                .map(|number| number.as_u64().unwrap());
        let time = interactions as f64 / nodes as f64;
        assert!((row["work"]["parallel_time"].as_f64().unwrap() - time).abs() < 1e-9);
        format!("{nodes},{interactions},{time:?},{seed}")
    };
    let swept: Vec<String> = swept.iter().map(line).collect();
    let rows = kept("exact-majority-times.csv");
    let rows: Vec<&str> = rows.lines().skip(1).take(40).collect();
    assert_eq!(swept, rows);
}

#[test]
fn runs_that_ended_at_a_limit_are_marked() {
    let place = Scratch::new();
    place.file("m.ron", MAJORITY);
    let sweep = ["--set", "limits.interactions=150", "-o", "rows.jsonl"];
    place.run(&[&SWEEP[..], &sweep].concat()).exits(3);
    let rows = fs::read_to_string(place.path().join("rows.jsonl")).unwrap();
    let ended = rows.matches("\"exit_code\":3").count();
    assert!(ended > 0 && ended < 15, "{rows}");
    let plot = ["plot", "rows.jsonl", "--x", "topology.nodes", "--y", "parallel time", "-o", "a.svg"];
    let ran = place.run(&plot).exits(0);
    assert!(ran.err.contains(&format!("note: {ended} of 15 runs were ended by a limit")), "{}", ran.err);
    assert!(ran.out.contains("at a limit"), "{}", ran.out);
    let picture = fs::read_to_string(place.path().join("a.svg")).unwrap();
    assert!(picture.contains(&format!("crosses: {ended} at a limit")), "{picture}");
}

/// Titles, axis titles and size are those of the flags; markup in them stays text.
#[test]
fn titles_and_size_are_chosen() {
    let place = Scratch::new();
    place.file("rows.csv", "wall_time_s,agents\n1.5,10\n2.5,20\n");
    let plot = |more: &[&str]| {
        let columns = ["plot", "rows.csv", "--x", "agents", "--y", "wall_time_s", "-o", "p.svg"];
        place.run(&[&columns[..], more].concat()).exits(0);
        fs::read_to_string(place.path().join("p.svg")).unwrap()
    };
    let default = plot(&[]);
    for part in ["width=\"720\" height=\"440\"", ">\nwall time (seconds)\n<", ">\nagents\n<"] {
        assert!(default.contains(part), "{part}: {default}");
    }
    let labels = ["--xlabel", "n <agents>", "--ylabel", "time & more", "--title", "A \"title\" <b>"];
    let chosen = plot(&[&labels[..], &["--size", "1000x600"]].concat());
    for part in [
        "width=\"1000\" height=\"600\"",
        ">\nn &lt;agents&gt;\n<",
        ">\ntime &amp; more\n<",
        "<title>A &quot;title&quot; &lt;b&gt;</title>",
    ] {
        assert!(chosen.contains(part), "{part}: {chosen}");
    }
    assert!(!chosen.contains("<b>") && !chosen.contains("<agents>"), "{chosen}");
    // A distribution has a title of its vertical axis, too.
    let shares = ["plot", "rows.csv", "--x", "wall_time_s", "--kind", "ecdf", "-o", "p.svg"];
    for (more, label) in [(&[][..], "share of the runs"), (&["--ylabel", "F(t)"], "F(t)")] {
        place.run(&[&shares[..], more].concat()).exits(0);
        let shares = fs::read_to_string(place.path().join("p.svg")).unwrap();
        assert!(shares.contains(&format!(">\n{label}\n<")), "{shares}");
    }
    assert!(plot(&["--size", "8192x280"]).contains("width=\"8192\" height=\"280\""));

    let kept = fs::read_to_string(place.path().join("p.svg")).unwrap();
    for size in [
        "479x440", "720x279", "8193x440", "720x8193", "720", "720x", "x440", "-1x440", "7.5x440", "1e3x440",
        "",
    ] {
        let columns = ["plot", "rows.csv", "--x", "agents", "--y", "wall_time_s", "-o", "p.svg"];
        let refused = place.run(&[&columns[..], &[&format!("--size={size}")]].concat()).exits(2);
        assert!(refused.err.contains("--size") && refused.err.contains("pixels"), "{size}: {}", refused.err);
        assert_eq!(
            (refused.out.as_str(), fs::read_to_string(place.path().join("p.svg")).unwrap()),
            ("", kept.clone())
        );
    }
}

/// An ending decides the format; what no plot is written as is refused before anything is read or written.
#[test]
fn a_plot_is_written_as_its_ending_says() {
    let place = Scratch::new();
    place.file("rows.csv", "a,b\n1,2\n");
    let plot = |picture: &str| place.run(&["plot", "rows.csv", "--x", "a", "--y", "b", "-o", picture]);
    for (picture, problem) in [
        ("f.svgz", "cannot be written as SVGZ"),
        ("FIG.JPG", "cannot be written as JPG"),
        ("fig.csv", "cannot be written as CSV"),
        ("fig", "no ending"),
        ("fig.", "no ending"),
    ] {
        let refused = plot(picture).exits(2);
        for part in [problem, picture, "ends in .svg"] {
            assert!(refused.err.contains(part), "{picture}: {part}: {}", refused.err);
        }
        assert_eq!(refused.out, "");
    }
    #[cfg(not(feature = "figures"))]
    for picture in ["fig.pdf", "FIG.PNG"] {
        let refused = plot(picture).exits(2);
        for part in [picture, "feature `figures`", "--features figures", "ends in .svg"] {
            assert!(refused.err.contains(part), "{picture}: {part}: {}", refused.err);
        }
    }
    assert_eq!(place.names(), ["rows.csv"]);
    plot("FIG.SVG").exits(0);
    assert!(fs::read_to_string(place.path().join("FIG.SVG")).unwrap().starts_with("<svg "));
    let shown = place.run(&["plot", "rows.csv", "--x", "a", "--y", "b", "-o", "/dev/stdout"]).exits(0).out;
    assert!(shown.starts_with("<svg "), "{shown}");
}

/// PDF and PNG are files of their kinds, of the chosen size, and have the labels.
#[cfg(feature = "figures")]
#[test]
fn figures_are_pages_and_pixels_of_their_size() {
    let place = Scratch::new();
    place.file("rows.csv", "a,b\n1,2\n2,3\n");
    let plot = |picture: &str, more: &[&str]| {
        let columns = ["plot", "rows.csv", "--x", "a", "--y", "b", "-o", picture];
        place.run(&[&columns[..], more].concat()).exits(0);
        fs::read(place.path().join(picture)).unwrap()
    };
    let size = ["--size", "800x500"];
    let (png, pdf) = (plot("p.png", &size), plot("P.PDF", &size));
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (800, 500));
    assert!(pdf.starts_with(b"%PDF-") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    // 96 pixels are 72 points.
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.contains("/MediaBox [0 0 600 375]"), "{text}");
    assert!(text.contains("/FontDescriptor"), "labels are text in a font");
    // Without its labels the picture has other pixels: they are drawn.
    let blank = plot("p.png", &[&size[..], &["--title", "", "--xlabel", "", "--ylabel", ""]].concat());
    assert_ne!(png, blank);
    assert_eq!(png, plot("p.png", &size));
}

#[test]
fn what_is_no_file_of_rows_is_not_read() {
    let place = Scratch::new();
    place.file("rows.csv", "a,b\n1,2\n");
    assert_eq!(place.names(), ["rows.csv"]);
    #[cfg(unix)]
    {
        let pipe = place.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for (rows, word) in [("pipe", "a pipe"), ("/dev/zero", "a device")] {
            let refused = place.run(&["plot", rows, "--x", "a", "--y", "b"]).exits(2);
            assert!(refused.err.contains(word), "{}", refused.err);
        }
    }
}
