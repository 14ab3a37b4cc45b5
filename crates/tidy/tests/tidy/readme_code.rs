//! The code of README.md is code that is compiled and run: it stands in `examples`, or in the first page of `acrasin`.

use crate::repository::{File, assert_none, files, find};

/// The blocks of a language, as they stand.
fn blocks<'a>(markdown: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    markdown.split(&start[..]).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// The text of doc comments without their marks; other text as it is.
fn without_marks(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("//!") {
        Some(rest) => rest.strip_prefix(' ').unwrap_or(rest).to_owned() + "\n",
        None => line.to_owned() + "\n",
    };
    text.lines().map(line).collect()
}

fn complaints(readme: &str, files: &[File]) -> Vec<String> {
    let shown = |file: &&File| file.path.starts_with("examples/") || file.path == "crates/acrasin/src/lib.rs";
    let texts: Vec<String> = files.iter().filter(shown).map(|file| without_marks(&file.text)).collect();
    let mut complaints = Vec::new();
    for block in ["rust", "ron"].iter().flat_map(|language| blocks(readme, language)) {
        if !texts.iter().any(|text| text.contains(block)) {
            let first = block.lines().next().unwrap_or("");
            complaints.push(format!("README.md: the block that begins with `{first}` stands in no program"));
        }
    }
    complaints
}

#[test]
fn the_code_of_the_readme_is_run() {
    let files = files();
    let readme = &find(&files, "README.md").expect("README.md").text;
    assert!(blocks(readme, "rust").len() >= 2 && !blocks(readme, "ron").is_empty());
    assert_none(&complaints(readme, &files));
}

#[test]
fn code_that_is_not_run_is_noticed() {
    let files = [
        File::new("examples/a.rs", "use a;\nfn main() {}\n"),
        File::new("crates/acrasin/src/lib.rs", "//! ```\n//! let x = 1;\n//!\n//! let y = 2;\n//! ```\n"),
        File::new("b/c.rs", "other"),
    ];
    let readme = "```rust\nfn main() {}\n```\n```rust\nlet x = 1;\n\nlet y = 2;\n```\n";
    assert!(complaints(readme, &files).is_empty());
    assert_eq!(complaints("```ron\nother\n```\n", &files).len(), 1);
}
