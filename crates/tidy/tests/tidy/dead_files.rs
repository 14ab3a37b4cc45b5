//! Every source file is a module or a target, and every data file is used by something.

use crate::repository::{File, assert_none, files, find};

/// Whether `text` declares the module `name` as a file.
fn declares(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let line = line.split("//").next().unwrap_or("").trim();
        let line = match line.strip_prefix("pub") {
            Some(rest) => {
                rest.trim_start().trim_start_matches("(crate)").trim_start_matches("(super)").trim_start()
            }
            None => line,
        };
        line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) == Some(name)
    })
}

/// The files that may declare the module in `file`, and its name; `None` for the root of a target.
fn parents(file: &File) -> Option<(Vec<String>, String)> {
    let (folder, name) = (file.folder(), file.name());
    let in_folder = |folder: &str, stem: &str| {
        let mut places: Vec<String> =
            ["lib.rs", "main.rs", "mod.rs"].iter().map(|parent| format!("{folder}/{parent}")).collect();
        places.push(format!("{folder}.rs"));
        (places, stem.to_owned())
    };
    let last = folder.rsplit('/').next().unwrap_or("");
    match name {
        "lib.rs" | "main.rs" => None,
        // The root of a separate program.
        _ if last == "bin" => None,
        "mod.rs" => {
            let (above, stem) = folder.rsplit_once('/')?;
            Some(in_folder(above, stem))
        }
        _ => Some(in_folder(folder, name.strip_suffix(".rs")?)),
    }
}

fn dead_modules(files: &[File]) -> Vec<String> {
    let sources = files.iter().filter(|file| {
        file.has_extension("rs") && ["/src/", "/tests/"].iter().any(|part| file.path.contains(part))
    });
    let declared = |file: &&File| {
        let Some((places, name)) = parents(file) else { return true };
        files.iter().any(|other| places.contains(&other.path) && declares(&other.text, &name))
    };
    let dead = sources.filter(|file| !declared(file));
    dead.map(|file| format!("{}: no module declares it", file.path)).collect()
}

/// Whether the file is data of a test or an example. The bad files of the command are listed beside them, which their
/// own test compares.
fn is_data(file: &File) -> bool {
    if file.path.starts_with("testdata/bad/") {
        return false;
    }
    let data_folder =
        ["testdata", "data", "golden"].iter().any(|name| file.path.split('/').any(|part| part == *name));
    data_folder || file.path.starts_with("examples/")
}

/// Whether a text refers to a file, with or without its extensions.
fn is_named(name: &str, text: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    text.contains(name) || (stem.len() >= 4 && text.contains(stem))
}

fn unused_data(files: &[File]) -> Vec<String> {
    let self_evident = ["Cargo.toml", "README.md", "lib.rs", ".gitignore"];
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| is_data(file) && !self_evident.contains(&file.name())) {
        let reader = |other: &File| {
            ["rs", "md", "toml"].iter().any(|e| other.has_extension(e)) || other.path == ".ci/run"
        };
        let used =
            |other: &File| other.path != file.path && reader(other) && is_named(file.name(), &other.text);
        if !files.iter().any(used) {
            complaints.push(format!("{}: no source and no document names it", file.path));
        }
    }
    complaints
}

#[test]
fn every_source_file_is_compiled() {
    assert_none(&dead_modules(&files()));
}

#[test]
fn every_data_file_is_used() {
    let files = files();
    assert!(find(&files, "testdata/replays/f1-crossing-late-requests.jsonl").is_some());
    assert_none(&unused_data(&files));
}

#[test]
fn dead_modules_are_noticed() {
    let mut files = vec![
        File::new(
            "a/src/lib.rs",
            "mod one;\npub mod folder;\npub(crate) mod shared; // mod dead;\nmod inline {}\n",
        ),
        File::new("a/src/one.rs", ""),
        File::new("a/src/shared.rs", ""),
        File::new("a/src/folder/mod.rs", "mod inner;"),
        File::new("a/src/folder/inner.rs", "mod deeper;"),
        File::new("a/src/folder/inner/deeper.rs", ""),
        File::new("a/src/bin/program.rs", ""),
        File::new("a/tests/main.rs", "mod first;\nmod helper;"),
        File::new("a/tests/first.rs", ""),
        File::new("a/tests/helper/mod.rs", ""),
    ];
    assert!(dead_modules(&files).is_empty(), "{:?}", dead_modules(&files));
    for dead in [
        "a/src/dead.rs",
        "a/src/inline.rs",
        "a/src/folder/one.rs",
        "a/src/bin/deep/inner.rs",
        "a/tests/helper/other.rs",
        "a/tests/other.rs",
        "a/tests/other/mod.rs",
    ] {
        files.push(File::new(dead, ""));
        assert_eq!(dead_modules(&files), [format!("{dead}: no module declares it")]);
        files.pop();
    }
}

#[test]
fn unused_data_are_noticed() {
    let files = [
        File::new("testdata/used.jsonl", ""),
        File::new("testdata/unused.jsonl", "unused.jsonl"),
        File::new("examples/orphan.ron", ""),
        File::new("a/tests/golden/plot.svg", ""),
        File::new("a/tests/t.rs", "read(\"used\"); read(\"plot.svg\")"),
    ];
    let found = unused_data(&files);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("testdata/unused.jsonl:") && found[1].starts_with("examples/orphan.ron:"));
}
