//! Parses the modules of a crate: their declarations, and the origin of the names they use.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::{File, find};
use crate::tokens::{Token, group_end, item_end, tokens};

/// A module path: `crate::a::b` is `["crate", "a", "b"]`; `*` stands for all names.
pub(crate) type Path = Vec<String>;

/// An item of a module. `impl` blocks count as part of their type.
#[derive(Clone, Default, Debug)]
pub(crate) struct Item {
    /// The declaring keyword: `struct`, `fn`, ...; empty if there are only `impl` blocks.
    pub(crate) keyword: String,
    /// The line of the declaration, from 1.
    pub(crate) line: usize,
    /// The words in it, each with its first line.
    pub(crate) words: BTreeMap<String, usize>,
    /// The paths in it, with their lines.
    pub(crate) paths: Vec<(Path, usize)>,
}

/// `use path as name`.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) name: String,
    pub(crate) path: Path,
    pub(crate) line: usize,
}

/// A module. [`Crate::modules`] has its children.
#[derive(Clone, Default, Debug)]
pub(crate) struct Module {
    /// The path of the file, relative to the root of the repository.
    pub(crate) file: String,
    /// Whether the module is declared inside the file of its parent.
    pub(crate) inline: bool,
    pub(crate) imports: Vec<Import>,
    pub(crate) items: BTreeMap<String, Item>,
    pub(crate) children: BTreeSet<String>,
}

/// All modules of a library or program by path from its root, which is `[]`.
#[derive(Clone, Default, Debug)]
pub(crate) struct Crate {
    pub(crate) modules: BTreeMap<Path, Module>,
}

impl Crate {
    /// Reads the crate with this root file, including all modules that it declares.
    pub(crate) fn read(files: &[File], root: &str) -> Self {
        let mut read = Self::default();
        if let Some(file) = find(files, root) {
            let folder = file.folder().to_owned();
            read.module(files, file, &folder, (&Path::new(), false), &tokens(&file.text));
        }
        read
    }

    /// Reads a module; `folder` contains the files of its children.
    fn module(
        &mut self,
        files: &[File],
        file: &File,
        folder: &str,
        (way, inline): (&Path, bool),
        tokens: &[Token],
    ) {
        let mut module = Module { file: file.path.clone(), inline, ..Module::default() };
        let mut at = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            let next = tokens.get(at + 1);
            match token.text.as_str() {
                "#" => {
                    // `#![...]` has one token more.
                    at = group_end(tokens, at + 1 + usize::from(next.is_some_and(|next| next.is("!"))));
                    continue;
                }
                "pub" => {
                    at = if next.is_some_and(|next| next.is("(")) {
                        group_end(tokens, at + 1)
                    } else {
                        at + 1
                    };
                    continue;
                }
                "mod" => {
                    let name = tokens[at + 1].text.clone();
                    let inner: Path = way.iter().chain([&name]).cloned().collect();
                    let deeper = format!("{folder}/{name}");
                    let end = item_end(tokens, at);
                    if tokens[at + 2].is("{") {
                        self.module(files, file, &deeper, (&inner, true), &tokens[at + 3..end - 1]);
                    } else {
                        let places = [format!("{deeper}.rs"), format!("{deeper}/mod.rs")];
                        let found = places.iter().find_map(|path| find(files, path));
                        let found =
                            found.unwrap_or_else(|| panic!("{}: no file of `mod {name};`", file.path));
                        self.module(files, found, &deeper, (&inner, false), &self::tokens(&found.text));
                    }
                    module.children.insert(name);
                    at = end;
                }
                "use" => {
                    let end = tokens[at..]
                        .iter()
                        .position(|token| token.is(";"))
                        .map_or(tokens.len(), |len| at + len);
                    imports(&tokens[at + 1..end], &Path::new(), &mut module.imports);
                    at = end + 1;
                }
                _ => {
                    let end = item_end(tokens, at);
                    module.item(&tokens[at..end]);
                    at = end;
                }
            }
        }
        self.modules.insert(way.clone(), module);
    }

    /// The module in whose file something is, and the item of that file to which it belongs.
    pub(crate) fn in_file(&self, way: &[String], item: Option<&str>) -> (Path, Option<String>) {
        let inline = |len: &usize| self.modules[&way[..*len]].inline;
        match (1..=way.len()).find(inline) {
            Some(len) => (way[..len - 1].to_vec(), Some(way[len - 1].clone())),
            None => (way.to_vec(), item.map(str::to_owned)),
        }
    }

    /// Resolves a path written in `from` to a module and, if it names one, an item there; `None` if it leaves the
    /// crate.
    pub(crate) fn find(&self, from: &[String], path: &[String]) -> Option<(Path, Option<String>)> {
        self.follow(from, path, 8)
    }

    fn follow(&self, from: &[String], path: &[String], patience: usize) -> Option<(Path, Option<String>)> {
        let patience = patience.checked_sub(1)?;
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Path::new(), &path[1..]),
            "self" => (from.to_vec(), &path[1..]),
            "super" => (from[..from.len().checked_sub(1)?].to_vec(), &path[1..]),
            _ => (from.to_vec(), path),
        };
        let first_is_free = rest.len() == path.len();
        while let Some((name, behind)) = rest.split_first() {
            let module = &self.modules[&at];
            if name == "super" {
                at.pop()?;
            } else if module.children.contains(name) {
                at.push(name.clone());
            } else if name == "*" {
                return Some((at, None));
            } else if module.items.get(name).is_some_and(|item| !item.keyword.is_empty()) {
                return Some((at, Some(name.clone())));
            } else {
                // Imported by name, or with a glob.
                if let Some(import) = module.imports.iter().find(|import| import.name == *name) {
                    let path: Path = import.path.iter().chain(behind).cloned().collect();
                    // `use name::name` of another crate cannot be followed.
                    return (import.path != [name.clone()]).then(|| self.follow(&at, &path, patience))?;
                }
                for import in module.imports.iter().filter(|import| import.name == "*") {
                    let Some((origin, None)) = self.follow(&at, &import.path, patience) else { continue };
                    let there: Path =
                        std::iter::once("self".to_owned()).chain(rest.iter().cloned()).collect();
                    if origin != at
                        && let Some(found @ (_, Some(_))) = self.follow(&origin, &there, patience)
                    {
                        return Some(found);
                    }
                }
                // The name of another crate, or one defined by a macro.
                let outer = first_is_free && rest.len() == path.len();
                return (!outer).then(|| (at, Some(name.clone())));
            }
            rest = behind;
        }
        Some((at, None))
    }
}

impl Module {
    fn item(&mut self, tokens: &[Token]) {
        let Some((keyword, name)) = declared(tokens) else { return };
        let item = self.items.entry(name).or_default();
        if keyword != "impl" {
            (item.keyword, item.line) = (keyword, tokens[0].line);
        }
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at].is("use") {
                // An import inside a function.
                let end =
                    tokens[at..].iter().position(|token| token.is(";")).map_or(tokens.len(), |len| at + len);
                let mut inner = Vec::new();
                imports(&tokens[at + 1..end], &Path::new(), &mut inner);
                item.paths.extend(inner.into_iter().map(|import| (import.path, import.line)));
                at = end;
            } else if tokens[at].is_word() {
                let mut path = vec![tokens[at].text.clone()];
                let (line, before) = (tokens[at].line, tokens[..at].last());
                while at + 2 < tokens.len() && tokens[at + 1].is("::") && tokens[at + 2].is_word() {
                    at += 2;
                    path.push(tokens[at].text.clone());
                }
                // A word after a dot is a field or method, whatever else has the name.
                if !before.is_some_and(|before| before.is(".")) {
                    item.words.entry(path[0].clone()).or_insert(line);
                }
                if path.len() > 1 {
                    item.paths.push((path, line));
                }
            }
            at += 1;
        }
    }
}

/// The kind of an item and its name; for an `impl` block the name of its type.
fn declared(tokens: &[Token]) -> Option<(String, String)> {
    const KEYWORDS: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
    let word = |at: usize| tokens.get(at).filter(|token| token.is_word()).map(|token| token.text.clone());
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            // In `const fn`, `unsafe impl`, `async fn`, `extern "C" fn` the keyword follows later.
            "unsafe" | "async" | "extern" | "\"\"" | "mut" => {}
            "const"
                if tokens.get(at + 1).is_some_and(|next| matches!(next.text.as_str(), "fn" | "unsafe")) => {}
            "macro_rules" => return Some((token.text.clone(), word(at + 2)?)),
            "impl" => return Some((token.text.clone(), type_of_impl(&tokens[at + 1..])?)),
            keyword if KEYWORDS.contains(&keyword) => return Some((keyword.to_owned(), word(at + 1)?)),
            // A macro call; the names in it count.
            _ if token.is_word() => return Some(("!".to_owned(), format!("{}!", token.text))),
            _ => return None,
        }
    }
    None
}

/// Finds `Type` in `<T> Trait<T> for path::Type<T>` or `<T> Type<T>`.
fn type_of_impl(tokens: &[Token]) -> Option<String> {
    let mut depth = 0usize;
    let mut last = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "<" => depth += 1,
            // The `>` of `->` is not a bracket.
            ">" if !tokens[at.saturating_sub(1)].is("-") => depth = depth.saturating_sub(1),
            "for" if depth == 0 => last = None,
            "where" | "{" if depth == 0 => break,
            _ if depth == 0 && token.is_word() => last = Some(token.text.clone()),
            _ => {}
        }
    }
    last
}

/// Collects the names that a `use` imports, from its tree without the keyword and `;`.
fn imports(tree: &[Token], prefix: &Path, into: &mut Vec<Import>) {
    let mut path = prefix.clone();
    let mut at = 0;
    while at < tree.len() {
        let token = &tree[at];
        match token.text.as_str() {
            "::" => {}
            "{" => {
                let end = group_end(tree, at);
                let mut start = at + 1;
                while start < end - 1 {
                    let mut stop = start;
                    while stop < end - 1 && !tree[stop].is(",") {
                        stop = if tree[stop].is("{") { group_end(tree, stop) } else { stop + 1 };
                    }
                    imports(&tree[start..stop], &path, into);
                    start = stop + 1;
                }
                return;
            }
            "as" => {
                let name = tree.get(at + 1).map_or_else(String::new, |token| token.text.clone());
                into.push(Import { name, path, line: token.line });
                return;
            }
            // `a::{self}` imports `a`.
            "self" if !path.is_empty() => {}
            _ => path.push(token.text.clone()),
        }
        at += 1;
    }
    if let (Some(name), Some(first)) = (path.last().cloned(), tree.first()) {
        into.push(Import { name, path, line: first.line });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(text: &str) -> Path {
        text.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn names_are_followed_to_where_they_are_declared() {
        let files = [
            File::new(
                "a/src/lib.rs",
                "mod one;\nmod two;\npub use one::{Deep as Shallow, inner};\nuse std::fmt;\nstruct Root;",
            ),
            File::new("a/src/one.rs", "pub mod inner;\npub use self::inner::Deep;\npub use crate::two::*;"),
            File::new("a/src/one/inner.rs", "pub struct Deep;\nimpl<T: Fn() -> u8> From<T> for Deep { }"),
            File::new("a/src/two/mod.rs", "pub enum Two { A }\nmod sealed { pub trait Parts { } }"),
        ];
        let read = Crate::read(&files, "a/src/lib.rs");
        assert_eq!(read.modules.len(), 5);
        assert_eq!(read.modules[&way("one::inner")].items.keys().collect::<Vec<_>>(), ["Deep"]);
        for (from, path, module, item) in [
            ("two", "crate::Shallow", "one::inner", Some("Deep")),
            ("two", "super::Root", "", Some("Root")),
            ("two::sealed", "super::super::one::Deep", "one::inner", Some("Deep")),
            ("two", "crate::inner", "one::inner", None),
            ("two", "crate::one::Two::A", "two", Some("Two")),
            ("", "one::inner::Deep", "one::inner", Some("Deep")),
        ] {
            let found = read.find(&way(from), &way(path));
            assert_eq!(found, Some((way(module), item.map(str::to_owned))), "{path} in {from}");
        }
        for outside in ["std::fmt::Display", "fmt::Display", "clap"] {
            assert_eq!(read.find(&way(""), &way(outside)), None, "{outside}");
        }
        assert_eq!(read.find(&way("two"), &way("crate::fmt::Display")), None);
    }

    #[test]
    fn words_and_ways_belong_to_items() {
        let text = "use a::{b, c::{self, d as e}};\npub(crate) const fn f() {\n    use x::y;\n    g::h()\n}\nm! { k::l }";
        let read = Crate::read(&[File::new("a/src/lib.rs", text)], "a/src/lib.rs");
        let module = &read.modules[&Path::new()];
        let imports: Vec<_> =
            module.imports.iter().map(|i| format!("{}={}", i.name, i.path.join("::"))).collect();
        assert_eq!(imports, ["b=a::b", "c=a::c", "e=a::c::d"]);
        let item = &module.items["f"];
        assert_eq!((item.keyword.as_str(), item.line), ("fn", 2));
        assert_eq!(item.paths, [(way("x::y"), 3), (way("g::h"), 4)]);
        assert_eq!(module.items["m!"].paths, [(way("k::l"), 6)]);
    }
}
