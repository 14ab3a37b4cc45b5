//! The folder table of docs/folders.md lists exactly the existing folders.

use std::collections::BTreeSet;

use crate::repository::{File, assert_none, files, find, member_folders, metadata};

/// The folders in the first column of the table under the heading `Folders`.
fn listed(architecture: &str) -> Vec<String> {
    let section = architecture.split("\n## Folders\n").nth(1).unwrap_or("");
    let section = section.split("\n## ").next().unwrap_or("");
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    cells.map(|cell| cell.trim_end_matches('/').to_owned()).collect()
}

/// Every folder that contains a file, and its ancestors.
fn folders(files: &[File]) -> BTreeSet<String> {
    let mut folders = BTreeSet::new();
    for file in files {
        let mut folder = file.folder();
        while !folder.is_empty() && folders.insert(folder.to_owned()) {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }
    folders
}

fn complaints(architecture: &str, files: &[File], members: &[String]) -> Vec<String> {
    let listed = listed(architecture);
    let folders = folders(files);
    let top = folders.iter().filter(|folder| !folder.contains('/') && *folder != "crates");
    let needed: BTreeSet<&String> = top.chain(members).collect();
    let missing = needed.into_iter().filter(|folder| !listed.contains(folder));
    let missing = missing.map(|folder| format!("{folder}: not in the folder table"));
    let gone = listed.iter().filter(|folder| !folders.contains(*folder));
    let gone = gone.map(|folder| format!("{folder}: in the folder table, but no such folder"));
    let twice = listed.iter().enumerate().filter(|(i, folder)| listed[..*i].contains(folder));
    let twice = twice.map(|(_, folder)| format!("{folder}: twice in the folder table"));
    missing.chain(gone).chain(twice).collect()
}

#[test]
fn the_folder_table_is_right() {
    let files = files();
    let architecture = &find(&files, "docs/folders.md").expect("docs/folders.md").text;
    assert_none(&complaints(architecture, &files, &member_folders(&metadata())));
}

#[test]
fn a_wrong_table_is_noticed() {
    let files =
        [File::new("crates/runtime/src/lib.rs", ""), File::new("docs/a.md", ""), File::new("b.md", "")];
    let members = ["crates/runtime".to_owned()];
    let table = |rows: &[&str]| {
        let rows: String = rows.iter().map(|row| format!("| `{row}` | x |\n")).collect();
        format!("# A\n\n## Folders\n\n| folder | what |\n|---|---|\n{rows}\n## B\n\n| `other` | x |\n")
    };
    let of = |rows: &[&str]| complaints(&table(rows), &files, &members);
    assert!(of(&["crates/runtime/", "docs"]).is_empty());
    assert!(of(&["crates/runtime", "crates/runtime/src", "docs"]).is_empty());
    assert_eq!(of(&["docs"]), ["crates/runtime: not in the folder table"]);
    assert_eq!(of(&["crates/runtime"]), ["docs: not in the folder table"]);
    assert_eq!(of(&["crates/runtime", "docs", "old"]), ["old: in the folder table, but no such folder"]);
    assert_eq!(of(&["crates/runtime", "docs", "docs"]), ["docs: twice in the folder table"]);
    assert_eq!(complaints("# no table", &files, &members).len(), 2);
}
