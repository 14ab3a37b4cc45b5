//! The scenarios in README.md are files of `examples`, which are run. Its Rust code is compiled and run as
//! documentation of `examples`.

use crate::repository::{File, assert_none, files, find};

/// The code blocks of a language, unchanged.
fn blocks<'a>(markdown: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    markdown.split(&start[..]).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

fn complaints(readme: &str, files: &[File]) -> Vec<String> {
    let shown = |file: &&File| file.path.starts_with("examples/") && file.has_extension("ron");
    let mut complaints = Vec::new();
    for block in blocks(readme, "ron") {
        if !files.iter().filter(shown).any(|file| file.text.contains(block)) {
            let first = block.lines().nth(1).unwrap_or("").trim();
            complaints.push(format!("README.md: the scenario with the line `{first}` is no example"));
        }
    }
    complaints
}

#[test]
fn the_scenarios_of_the_readme_are_run() {
    let files = files();
    let readme = &find(&files, "README.md").expect("README.md").text;
    assert!(!blocks(readme, "ron").is_empty());
    assert_none(&complaints(readme, &files));
}

#[test]
fn scenarios_that_are_not_run_are_noticed() {
    let files = [
        File::new("examples/a.ron", "// A.\n(\n    seed: 1,\n)\n"),
        File::new("b/c.ron", "(\n    seed: 2,\n)\n"),
    ];
    assert!(complaints("```ron\n(\n    seed: 1,\n)\n```\n", &files).is_empty());
    assert_eq!(
        complaints("```ron\n(\n    seed: 2,\n)\n```\n", &files),
        ["README.md: the scenario with the line `seed: 2,` is no example"]
    );
}
