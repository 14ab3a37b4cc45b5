//! The tests that the pages of `docs/conformance` cite exist.
//!
//! In a table, code in a column with the heading `test` or `tests` is the name of a test; words that cannot be
//! function names (paths, commands) are ignored. Outside of tables, names with three or more underscores are tests.

use std::collections::BTreeSet;

use crate::repository::{File, assert_none, files};

/// The names of all functions with `#[test]`, and of those inside `proptest!`.
fn tests(files: &[File]) -> BTreeSet<&str> {
    let mut tests = BTreeSet::new();
    for file in files.iter().filter(|file| file.has_extension("rs")) {
        let mut attribute = false;
        for line in file.text.lines().map(str::trim) {
            if line == "#[test]" {
                attribute = true;
            } else if let Some(rest) = line.strip_prefix("fn ") {
                if std::mem::take(&mut attribute) {
                    tests.extend(rest.split('(').next());
                }
            } else if !line.starts_with('#') && !line.starts_with("//") && !line.is_empty() {
                attribute = false;
            }
        }
    }
    tests
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The cells of a table row. `\\|` is not a border.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    let mut cells = Vec::new();
    let mut start = 0;
    for (at, _) in inner.match_indices('|') {
        if !inner[..at].ends_with('\\') {
            cells.push(inner[start..at].trim());
            start = at + 1;
        }
    }
    cells.push(inner[start..].trim());
    Some(cells)
}

/// The parts of a text between backquotes.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The names in test columns, and the long names in the prose, with their lines.
fn cited(document: &str) -> Vec<(usize, &str)> {
    let mut cited = Vec::new();
    let mut columns: Option<Vec<usize>> = None;
    for (number, line) in (1..).zip(document.lines()) {
        let Some(cells) = cells(line) else {
            columns = None;
            let long = |word: &&str| is_name(word) && word.matches('_').count() >= 3;
            cited.extend(code(line).filter(long).map(|word| (number, word)));
            continue;
        };
        match &columns {
            None => {
                let of_tests = |cell: &str| matches!(cell, "test" | "tests");
                columns = Some((0..cells.len()).filter(|&i| of_tests(cells[i])).collect());
            }
            Some(columns) => {
                for cell in columns.iter().filter_map(|&column| cells.get(column)) {
                    cited.extend(code(cell).filter(|word| is_name(word)).map(|word| (number, word)));
                }
            }
        }
    }
    cited
}

fn complaints(path: &str, document: &str, files: &[File]) -> Vec<String> {
    let tests = tests(files);
    let missing = cited(document).into_iter().filter(|(_, name)| !tests.contains(name));
    missing.map(|(number, name)| format!("{path}:{number}: there is no test `{name}`")).collect()
}

#[test]
fn cited_tests_exist() {
    let files = files();
    let pages: Vec<&File> =
        files.iter().filter(|file| file.folder() == "docs/conformance" && file.has_extension("md")).collect();
    let number: usize = pages.iter().map(|page| cited(&page.text).len()).sum();
    assert!(number >= 30, "{number} tests are cited");
    let missing: Vec<String> =
        pages.iter().flat_map(|page| complaints(&page.path, &page.text, &files)).collect();
    assert_none(&missing);
}

#[test]
fn missing_tests_are_noticed() {
    let files =
        [File::new("a.rs", "#[test]\nfn real() {}\nfn helper() {}\n#[test]\n#[ignore]\nfn other() {}\n")];
    let complaints = |text: &str, files: &[File]| complaints("a.md", text, files);
    let table = |cell: &str| format!("| what | tests |\n|---|---|\n| `nothing_at_all` | {cell} |\n");
    for good in ["`real`", "`real`, `other`", "`path/to.rs`: `real`", "none"] {
        assert!(complaints(&table(good), &files).is_empty(), "{good}");
    }
    for bad in ["`unreal`", "`helper`", "`real`, `unreal`"] {
        assert_eq!(complaints(&table(bad), &files).len(), 1, "{bad}");
    }
    assert!(complaints("| what | where |\n|---|---|\n| a | `unreal` |\n", &files).is_empty());
    assert_eq!(complaints("| what | tests |\n|---|---|\n| \\|C\\| | `unreal` |\n", &files).len(), 1);
    assert_eq!(complaints("As `this_is_no_test` shows.", &files).len(), 1);
    assert!(complaints("The field `clean_up` and `path/to_a_long_file.rs`.", &files).is_empty());
}
