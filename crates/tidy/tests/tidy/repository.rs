//! The files of the repository, and the members of the workspace.

use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, MetadataCommand};

/// Generated, downloaded or version-control files, by path from the root.
const NOT_OURS: [&str; 5] = [".git", ".hypothesis", "target", "out", "examples/contacts/data"];

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The members with their declared dependencies. Needs neither the network nor the dependencies themselves.
pub(crate) fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_owned()])
        .exec()
        .unwrap()
}

/// The folders of the members, relative to the root, with `/`.
pub(crate) fn member_folders(metadata: &Metadata) -> Vec<String> {
    let root = root();
    let folder = |manifest: &Path| {
        let folder = manifest.parent().unwrap().canonicalize().unwrap();
        folder.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/")
    };
    metadata.workspace_packages().iter().map(|package| folder(package.manifest_path.as_std_path())).collect()
}

/// A file of the repository.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// The path relative to the root, with `/`.
    pub(crate) path: String,
    /// The contents; empty if it is not a text.
    pub(crate) text: String,
}

impl File {
    #[cfg(test)]
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// The last part of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }

    /// The path without the last part; empty at the root.
    pub(crate) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    pub(crate) fn has_extension(&self, extension: &str) -> bool {
        self.name().rsplit_once('.').is_some_and(|(_, last)| last == extension)
    }
}

/// All files, sorted by path.
pub(crate) fn files() -> Vec<File> {
    let mut files = Vec::new();
    visit(&root(), "", &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(files.len() > 100, "the walk finds the repository: {} files", files.len());
    files
}

fn visit(folder: &Path, prefix: &str, into: &mut Vec<File>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().expect("names of files are UTF-8");
        let path = format!("{prefix}{name}");
        if NOT_OURS.contains(&path.as_str()) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            visit(&entry.path(), &format!("{path}/"), into);
        } else {
            let bytes = std::fs::read(entry.path()).unwrap();
            into.push(File { path, text: String::from_utf8(bytes).unwrap_or_default() });
        }
    }
}

/// The file with this path, if there is one.
pub(crate) fn find<'a>(files: &'a [File], path: &str) -> Option<&'a File> {
    files.iter().find(|file| file.path == path)
}

/// Fails with all complaints, one per line.
#[track_caller]
pub(crate) fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}
