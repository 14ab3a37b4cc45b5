//! No two modules of one parent need each other.
//!
//! A module needs another one if anything inside it names anything inside the other. If the other module only
//! re-exports the name from a third one, the first module needs the third. Items in the file of the parent count one by
//! one. A child may use a type of its parent, and a function of the parent may use the child, as long as the two are
//! unrelated. A parent does not need what it only re-exports (`pub use`).

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{Crate, Path};
use crate::repository::{File, assert_none, files, member_folders, metadata};

/// The names by which one node uses another, each with a place that names it: `file:line`.
type Ties = BTreeMap<String, String>;

/// The uses among the children of one parent by name, and the parent's own items as `self::name`.
type Needs = BTreeMap<(String, String), Ties>;

/// The uses among the children of each module.
fn needs(read: &Crate) -> BTreeMap<Path, Needs> {
    let mut needs: BTreeMap<Path, Needs> = BTreeMap::new();
    for (way, module) in &read.modules {
        let mut tie = |item: &str, path: &[String], line: usize| {
            let Some((target, found)) = read.find(way, path) else { return };
            let (way, item) = read.in_file(way, Some(item).filter(|item| !item.is_empty()));
            let (target, found) = read.in_file(&target, found.as_deref());
            let common = way.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let node = |way: &Path, item: &Option<String>| match way.get(common) {
                Some(child) => Some(child.clone()),
                None => item.as_ref().map(|item| format!("self::{item}")),
            };
            let from = node(&way, &item);
            if let (Some(from), Some(to)) = (from, node(&target, &found))
                && from != to
            {
                let what = found.as_ref().or(target.last()).map_or("*", String::as_str);
                let ties = needs.entry(way[..common].to_vec()).or_default().entry((from, to)).or_default();
                ties.entry(what.to_owned()).or_insert_with(|| format!("{}:{line}", module.file));
            }
        };
        for import in &module.imports {
            tie("", &import.path, import.line);
        }
        for (name, item) in &module.items {
            for (path, line) in &item.paths {
                tie(name, path, *line);
            }
            for (word, line) in &item.words {
                if module.items.contains_key(word) || module.imports.iter().any(|import| import.name == *word)
                {
                    tie(name, std::slice::from_ref(word), *line);
                }
            }
        }
    }
    needs
}

/// The nodes that `from` needs, directly or indirectly.
fn reached(needs: &Needs, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(node) = open.pop() {
        for (_, to) in needs.keys().filter(|(from, _)| *from == node) {
            if reached.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    reached
}

/// The sets of nodes that all need each other, including at least one module.
fn circles(needs: &Needs) -> Vec<BTreeSet<String>> {
    let nodes: BTreeSet<&String> = needs.keys().map(|(from, _)| from).collect();
    let reach: BTreeMap<&String, BTreeSet<String>> =
        nodes.iter().map(|node| (*node, reached(needs, node))).collect();
    let mut circles: Vec<BTreeSet<String>> = Vec::new();
    for (node, reached) in &reach {
        if reached.contains(*node) && !circles.iter().any(|circle| circle.contains(*node)) {
            let both = |other: &&String| reach.get(*other).is_some_and(|back| back.contains(*node));
            let circle: BTreeSet<String> = reached.iter().filter(both).cloned().collect();
            if circle.iter().any(|node| !node.starts_with("self::")) {
                circles.push(circle);
            }
        }
    }
    circles
}

fn complaints(files: &[File], roots: &[String]) -> Vec<String> {
    let mut complaints = Vec::new();
    for root in roots {
        let read = Crate::read(files, root);
        for (way, needs) in needs(&read) {
            let parent = &read.modules[&way].file;
            for circle in circles(&needs) {
                let names: Vec<&str> = circle.iter().map(String::as_str).collect();
                let mut complaint = format!("{parent}: need each other: {}", names.join(", "));
                let inside =
                    needs.iter().filter(|((from, to), _)| circle.contains(from) && circle.contains(to));
                for ((from, to), ties) in inside {
                    let tied: Vec<String> =
                        ties.iter().map(|(name, place)| format!("{name} ({place})")).collect();
                    complaint += &format!("\n  {from} -> {to}: {}", tied.join(", "));
                }
                complaints.push(complaint);
            }
        }
    }
    complaints
}

/// The root files of all libraries and programs of the workspace.
pub(crate) fn roots(files: &[File]) -> Vec<String> {
    let folders = member_folders(&metadata());
    let is_root = |file: &&File| {
        let Some((crate_folder, inside)) = file.path.split_once("/src/") else { return false };
        let program =
            inside.strip_prefix("bin/").is_some_and(|name| name.ends_with(".rs") && !name.contains('/'));
        folders.iter().any(|folder| folder == crate_folder)
            && (matches!(inside, "lib.rs" | "main.rs") || program)
    };
    files.iter().filter(is_root).map(|file| file.path.clone()).collect()
}

#[test]
fn no_modules_need_each_other() {
    let files = files();
    let roots = roots(&files);
    assert!(roots.len() >= 12, "{roots:?}");
    assert_none(&complaints(&files, &roots));
}

#[test]
fn circles_are_noticed() {
    let of = |one: &str, two: &str, root: &str| {
        let files = [
            File::new("a/src/lib.rs", &format!("mod one;\nmod two;\n{root}")),
            File::new("a/src/one/mod.rs", "mod inner;\npub(crate) struct One;"),
            File::new("a/src/one/inner.rs", one),
            File::new("a/src/two.rs", two),
        ];
        complaints(&files, &["a/src/lib.rs".to_owned()])
    };
    let circle = "a/src/lib.rs: need each other: one, two\n  one -> two: Two (a/src/one/inner.rs:1)\n  two -> one: One (a/src/two.rs:2)";
    let (one, two) = ("use crate::two::Two;", "struct Two;\nuse crate::one::One;");
    assert_eq!(of(one, two, ""), [circle]);
    assert_eq!(of("fn f() { super::super::two::g() }", "fn g() -> super::one::One {}", "").len(), 1);
    // Indirectly, through a re-export of the parent.
    assert_eq!(
        of("use crate::Two;", "pub struct Two;\nuse crate::One;", "pub use {one::One, two::Two};").len(),
        1
    );
    // A child and its parent.
    assert!(of("use crate::Root;", "", "struct Root;\nfn f() -> one::One {}").is_empty());
    assert_eq!(
        of("use crate::Root;", "", "struct Root;\nimpl Root {\n    fn f() -> one::One {}\n}").len(),
        1
    );
    assert_eq!(of("use super::One;\nfn f(_: One) {}", "", ""), Vec::<String>::new());
    for (one, two) in [
        (one, "struct Two;\n#[cfg(test)]\nmod tests { use crate::one::One; }"),
        (one, "struct Two; // use crate::one::One;"),
        ("use crate::two::Two;", "use std::one::One;"),
        ("", "use crate::one::One;"),
    ] {
        assert!(of(one, two, "").is_empty(), "{one} {two}");
    }
}
