//! Runs every code block of the pages in `docs/guide`, and compares the output with the page.
//!
//! A page is processed from top to bottom, in a folder of its own with links to the files of the repository:
//!
//! | block | action |
//! |---|---|
//! | `sh` | each command runs; its exit code must be 0, or N after `# exit code N` |
//! | `text` after it | is compared with the output of these commands; `…` stands for any text, and blanks do not matter |
//! | `text NAME` | is written to the file NAME |
//! | `ron`, `python` | is written to the file that its first line, a comment, names |
//! | `rust` | is compiled as documentation of this package |
//! | `rust` with the first line `// src/NAME` | must equal the file `docs/guide/command/NAME` |
//! | `toml` | its paths must lead to packages |
//!
//! A comment `<!-- pictures/A.svg = B.svg -->` requires that the picture A of the guide equals the file B that the
//! commands of the page have written.
//!
//! With the variable `ACRASIN_BLESS` set, pictures, files and shown lines are updated instead of compared:
//! `ACRASIN_BLESS=1 cargo test -p acrasin-examples --test integration guide`. Read the difference before you commit it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a parent").to_owned()
}

/// Commands that are not run, because they need a network or build everything. `.ci/run` covers them.
const NOT_RUN: [&str; 4] = ["cargo ", "pip ", "examples/contacts/fetch.sh", "git "];

/// A code block of a page.
struct Block<'a> {
    line: usize,
    language: &'a str,
    file: Option<&'a str>,
    text: String,
}

enum Part<'a> {
    Block(Block<'a>),
    /// A picture of the guide, and the file that it must equal.
    Picture(&'a str, &'a str),
}

/// The blocks and pictures of a page, from top to bottom.
fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut lines = (1..).zip(page.lines());
    while let Some((line, text)) = lines.next() {
        if let Some(info) = text.strip_prefix("```") {
            let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
            let body = lines.by_ref().map(|(_, text)| text).take_while(|text| *text != "```");
            let text = body.fold(String::new(), |all, line| all + line + "\n");
            let file = Some(rest).filter(|name| !name.is_empty());
            parts.push(Part::Block(Block { line, language, file, text }));
        } else if let Some((picture, file)) = text
            .strip_prefix("<!-- ")
            .and_then(|text| text.strip_suffix(" -->"))
            .and_then(|text| text.split_once(" = "))
        {
            parts.push(Part::Picture(picture, file));
        }
    }
    parts
}

/// The commands of a shell block, each with its expected exit code.
fn commands(block: &str) -> Vec<(String, i32)> {
    let joined = block.replace("\\\n", " ");
    let commands = joined.lines().map(|line| {
        let (command, comment) = line.split_once(" #").unwrap_or((line, ""));
        let code = comment.split_once("exit code ").map_or(0, |(_, code)| code.trim().parse().unwrap());
        (command.trim().to_owned(), code)
    });
    commands.filter(|(command, _)| !command.is_empty() && !command.starts_with('#')).collect()
}

/// The words of a command, with quotes as in a shell.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Whether a printed line matches one of the page. There `…` stands for any text, and runs of blanks are equal.
fn same_line(shown: &str, printed: &str) -> bool {
    let printed = plain(printed);
    let pieces: Vec<String> = shown.split('…').map(plain).collect();
    let [first, middle @ .., last] = &pieces[..] else { return pieces.first() == Some(&printed) };
    let Some(mut rest) = printed.strip_prefix(first.as_str()) else { return false };
    for piece in middle {
        let Some((_, after)) = rest.split_once(piece.as_str()) else { return false };
        rest = after;
    }
    rest.ends_with(last.as_str())
}

/// Whether the lines of a page are printed in this order. A line `…` stands for any number of lines. With `anywhere`,
/// other lines may come before the first one; any lines may follow the last one.
fn is_shown(shown: &[&str], printed: &[&str], anywhere: bool) -> bool {
    let Some((first, rest)) = shown.split_first() else { return true };
    if first.trim() == "…" {
        return is_shown(rest, printed, true);
    }
    let starts = if anywhere { printed.len() } else { printed.len().min(1) };
    (0..starts).any(|at| same_line(first, printed[at]) && is_shown(rest, &printed[at + 1..], false))
}

/// The lines of a page, each replaced by the most similar printed line, in order. `None` if a line is similar to none.
fn refreshed(shown: &[&str], printed: &[&str]) -> Option<Vec<String>> {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (mut lines, mut next) = (Vec::<String>::new(), 0);
    for line in shown {
        if line.contains('…') {
            lines.push((*line).to_owned());
            continue;
        }
        let wanted = words(line);
        let common = |at: usize| words(printed[at]).iter().filter(|word| wanted.contains(word)).count();
        let same = (next..printed.len()).find(|&at| same_line(line, printed[at]));
        // Of equally similar lines the first.
        let best = same.or_else(|| (next..printed.len()).rev().max_by_key(|&at| common(at)))?;
        if 2 * common(best) < wanted.len() {
            return None;
        }
        if best > next && lines.last().is_some_and(|last| last.trim() != "…") {
            lines.push("…".to_owned());
        }
        lines.push(printed[best].trim_end().to_owned());
        next = best + 1;
    }
    Some(lines)
}

/// An interpreter with the Python package: `ACRASIN_PYTHON`, or that of the environment of `.ci/run`.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("ACRASIN_PYTHON").map(PathBuf::from);
    let interpreter = named.unwrap_or_else(|| root().join("target/python-environment/bin/python"));
    let has_it = Command::new(&interpreter).args(["-c", "import acrasin"]).output();
    has_it.is_ok_and(|output| output.status.success()).then_some(interpreter)
}

/// The program for a command of a page. `None` if it cannot run here.
fn program(name: &str) -> Option<Command> {
    match name {
        // The command of the guide has everything that `acrasin` has, and four more entries.
        "acrasin" | "my-acrasin" => Some(Command::new(env!("CARGO_BIN_EXE_guide_command"))),
        "python" => python().map(Command::new),
        _ => panic!("`{name}` is no command that a page can run"),
    }
}

/// Checks a page. Returns its errors, one per paragraph. With `bless` the page is updated first where possible.
fn complaints(page: &Path, bless: bool) -> String {
    let text = std::fs::read_to_string(page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    for name in ["amoebot", "crates", "examples", "protocols", "testdata"] {
        std::os::unix::fs::symlink(root().join(name), place.join(name)).unwrap();
    }
    let name = page.file_name().unwrap().to_str().unwrap();
    let (mut wrong, mut printed) = (String::new(), None::<String>);
    // Blocks to update: the line of the fence, the number of lines, and the new lines.
    let mut replaced: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for part in parts(&text) {
        let block = match part {
            Part::Block(block) => block,
            Part::Picture(picture, file) => {
                let kept = page.parent().unwrap().join(picture);
                let drawn = std::fs::read(place.join(file)).unwrap_or_default();
                if bless {
                    std::fs::write(&kept, &drawn).unwrap();
                } else if std::fs::read(&kept).unwrap_or_default() != drawn {
                    writeln!(wrong, "{name}: {picture} is not what the commands draw as {file}").unwrap();
                }
                continue;
            }
        };
        let line = block.line;
        let named = |comment| block.text.lines().next().and_then(|line: &str| line.strip_prefix(comment));
        match block.language {
            "sh" => printed = run(&block, place, name, &mut wrong),
            "text" if block.file.is_some() => {
                std::fs::write(place.join(block.file.unwrap()), &block.text).unwrap();
            }
            "text" => {
                let shown: Vec<&str> = block.text.lines().collect();
                if let Some(printed) = &printed
                    && !is_shown(&shown, &printed.lines().collect::<Vec<_>>(), true)
                {
                    let lines = refreshed(&shown, &printed.lines().collect::<Vec<_>>());
                    if let (true, Some(lines)) = (bless, lines) {
                        replaced.push((line, shown.len(), lines));
                        continue;
                    }
                    writeln!(wrong, "{name}:{line}: this is not what is printed:\n{printed}").unwrap();
                }
            }
            "ron" | "python" => {
                let file = named(if block.language == "ron" { "// " } else { "# " });
                let Some(file) = file else {
                    writeln!(wrong, "{name}:{line}: the first line does not name the file").unwrap();
                    continue;
                };
                std::fs::write(place.join(file), &block.text).unwrap();
            }
            language if language.starts_with("rust") => {
                if let Some(file) = named("// src/") {
                    let file = page.parent().unwrap().join("command").join(file);
                    let rest = block.text.split_once('\n').unwrap().1;
                    let text = std::fs::read_to_string(&file).unwrap_or_default();
                    if bless && text != rest {
                        let lines = block.text.lines().take(1).chain(text.lines()).map(str::to_owned);
                        replaced.push((line, block.text.lines().count(), lines.collect()));
                    } else if text != rest {
                        writeln!(wrong, "{name}:{line}: {} is another text", file.display()).unwrap();
                    }
                } else if language.contains("ignore") {
                    writeln!(wrong, "{name}:{line}: this Rust is not compiled, and is no file").unwrap();
                }
            }
            "toml" => {
                for path in block.text.split("path = \"…/").skip(1) {
                    let path = root().join(path.split('"').next().unwrap());
                    if !path.join("Cargo.toml").exists() {
                        writeln!(wrong, "{name}:{line}: {} is no package", path.display()).unwrap();
                    }
                }
            }
            other => writeln!(wrong, "{name}:{line}: `{other}` is no language of the guide").unwrap(),
        }
    }
    if !replaced.is_empty() {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the end, so that earlier line numbers stay valid.
        for (line, count, new) in replaced.into_iter().rev() {
            lines.splice(line..line + count, new);
        }
        std::fs::write(page, lines.join("\n") + "\n").unwrap();
    }
    wrong
}

/// Runs the commands of a block and returns their output. `None` if one of them was skipped.
fn run(block: &Block<'_>, place: &Path, page: &str, wrong: &mut String) -> Option<String> {
    let mut printed = Some(String::new());
    for (command, code) in commands(&block.text) {
        if NOT_RUN.iter().any(|start| command.starts_with(start)) {
            continue;
        }
        let words = words(&command);
        let Some(mut program) = program(&words[0]) else {
            // A passing test does not show the output of `eprintln!`.
            #[expect(clippy::explicit_write, reason = "`eprintln!` is captured in tests that pass")]
            writeln!(std::io::stderr(), "SKIPPED: {page}:{}: `{command}`: no Python package", block.line)
                .unwrap();
            printed = None;
            continue;
        };
        let Output { status, stdout, stderr } =
            program.args(&words[1..]).current_dir(place).output().unwrap();
        let text = String::from_utf8([stdout, stderr].concat()).unwrap();
        if status.code() != Some(code) {
            writeln!(wrong, "{page}:{}: `{command}` ended with {status}:\n{text}", block.line).unwrap();
        }
        if let Some(printed) = &mut printed {
            printed.push_str(&text);
        }
    }
    printed
}

/// The pages, in reading order.
fn pages() -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("docs/guide")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    pages.sort();
    pages
}

#[test]
fn every_block_of_the_guide_runs_and_prints_what_is_shown() {
    let (pages, bless) = (pages(), std::env::var_os("ACRASIN_BLESS").is_some());
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = pages.iter().map(|page| scope.spawn(|| complaints(page, bless))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_page_that_is_wrong_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        let page = folder.path().join("page.md");
        std::fs::write(&page, text).unwrap();
        complaints(&page, false)
    };
    let list = "```sh\nacrasin list rungs\n```\n\n";
    assert_eq!(check(&format!("{list}```text\nrung F0 uniformly …\n…\nrung F4 …\n```\n")), "");
    assert!(check(&format!("{list}```text\nrung F0 uniformly …\nrung F4 …\n```\n")).contains("page.md:5"));
    assert!(check(&format!("{list}```text\nrung F9 …\n```\n")).contains("page.md:5"));
    assert!(check("```sh\nacrasin list rings\n```\n").contains("page.md:1"));
    assert_eq!(check("```sh\nacrasin list rings   # exit code 2\n```\n"), "");
    assert!(check("```ron\n(\n)\n```\n").contains("does not name"));
    assert!(check("```rust\n// src/main.rs\nfn main() {}\n```\n").contains("another text"));
    assert!(check("```rust,ignore\nfn main() {}\n```\n").contains("not compiled"));
    assert!(check("```toml\na = { path = \"…/crates/nothing\" }\n```\n").contains("no package"));
    assert!(
        check("```sh\nacrasin list rungs\n```\n<!-- a.svg = b.svg -->\n```perl\n1\n```\n").contains("perl")
    );
}

#[test]
fn shown_lines_are_brought_up_to_date() {
    let printed = ["a   1 s", "nodes  12", "b", "rounds  7"];
    assert_eq!(refreshed(&["nodes 11", "…", "rounds 7"], &printed).unwrap(), ["nodes  12", "…", "rounds  7"]);
    assert_eq!(refreshed(&["a 1 s", "rounds 8"], &printed).unwrap(), ["a   1 s", "…", "rounds  7"]);
    assert_eq!(refreshed(&["steps taken 9"], &printed), None);
}

/// A page with its blanks made equal, so that phrases are found across lines.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Figures that README states in sentences and beside pictures, and the lines that are printed or drawn.
const STATED: [(&str, &str); 13] = [
    ("over 2931 rounds, from 110 A and 90 B", "rounds 2931"),
    ("from 110 A and 90 B to 200 nodes of one opinion", "0.0,110,90,0"),
    ("to 200 nodes of one opinion", "A 200"),
    ("ends after 3837 interactions", "interactions 3837"),
    ("over 28 248 rounds", "rounds 28 248"),
    ("until ten A are left", "A 10"),
    ("prints `deadlock: no action is enabled`", "reason deadlock: no action is enabled"),
    ("605 actions", "completed actions 605"),
    ("3112 Locks", "completed 3112"),
    ("279 568 messages", "sent 279 568"),
    ("46 retired amoebots", "retired: 46"),
    ("18 roots", "root: 18"),
    ("55 followers", "follower: 55"),
];

/// README has stated 12.97 next to a picture whose command printed 13.05.
#[test]
fn the_readme_shows_what_its_commands_print_and_draw() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    for name in ["amoebot", "crates", "examples", "protocols"] {
        std::os::unix::fs::symlink(root().join(name), place.join(name)).unwrap();
    }
    let (mut wrong, mut all, mut printed) = (String::new(), String::new(), None::<String>);
    for part in parts(&readme) {
        let Part::Block(block) = part else { continue };
        match block.language {
            "sh" => {
                printed = run(&block, place, "README.md", &mut wrong);
                all.extend(printed.as_deref());
            }
            "text" => {
                let lines: Vec<&str> = printed.as_deref().unwrap_or_default().lines().collect();
                // Shortened: between the shown lines there may be others.
                let shown: Vec<&str> = block.text.lines().flat_map(|line| [line, "…"]).collect();
                assert!(is_shown(&shown, &lines, true), "README.md:{}: {}", block.line, lines.join("\n"));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    // The pictures: of the first run, which prints alone, of the second, and of a scenario that is not run there.
    let more =
        "acrasin run -o vote\nacrasin run amoebot/scenarios/hexagon-half-way.ron -o hexagon\n".to_owned();
    run(&Block { line: 0, language: "sh", file: None, text: more }, place, "README.md", &mut wrong);
    assert!(wrong.is_empty(), "{wrong}");
    for (kept, drawn) in [
        ("approximate-majority", "vote/counts.svg"),
        ("exact-majority", "majority/counts.svg"),
        ("hexagon-half-way", "hexagon/end.svg"),
    ] {
        let path = format!("examples/pictures/{kept}.svg");
        assert!(readme.contains(&format!("]({path})")), "{path} is not in README.md");
        let [kept, drawn] =
            [root().join(&path), place.join(drawn)].map(|file| std::fs::read_to_string(file).unwrap());
        assert!(kept == drawn, "{path} is not what the commands draw");
        all.push_str(&drawn.replace(['<', '>'], "\n"));
    }
    all.push_str(&std::fs::read_to_string(place.join("vote/counts.csv")).unwrap());
    let (readme, lines) = (plain(&readme), all.lines().map(plain).collect::<Vec<_>>());
    for (stated, line) in STATED {
        assert!(readme.contains(stated), "README.md no longer states: {stated}");
        assert!(lines.iter().any(|printed| printed == line), "README.md states {stated}; no line is: {line}");
    }
}

/// Each page is in the index, and compiled as documentation.
#[test]
fn every_page_is_listed() {
    let index = std::fs::read_to_string(root().join("docs/guide/README.md")).unwrap();
    let documentation = include_str!("../src/lib.rs");
    for page in pages() {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(name == "README.md" || index.contains(&format!("]({name})")), "{name} is not in the index");
        let compiled = documentation.contains(&format!("docs/guide/{name}\")"));
        let has_rust = std::fs::read_to_string(&page).unwrap().contains("```rust");
        assert!(!has_rust || compiled, "the Rust of {name} is not compiled");
    }
}
